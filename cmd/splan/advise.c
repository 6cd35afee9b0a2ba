/*
 * splan --advise: the questions that an administrator has about
 * SchedulerParameters and time limits, answered from the history in the store.
 * Reading it is in advise_past.c, the reckoning in advise_reckon.c, the replay
 * in advise_replay.c, the words in advise_print.c.
 */
#include "cmd/splan/advise.h"

#include <math.h>
#include <string.h>

#include "common/base/numbers.h"

/* ---- what is given -------------------------------------------------------*/

static const struct {
	const char *name;
	size_t offset;
	double low, high;
	const char *unit;
	bool whole;
} keys[] = {
#define AT(member) offsetof(struct given, member)
	{"test", AT(test), 1e-6, 3600, "seconds", false},
	{"reject", AT(reject), 0, 3600, "seconds", false},
	{"cycle", AT(cycle), 1, 3600, "seconds", true},
	{"hold", AT(hold), 1e-6, 10, "seconds", false},
	{"sleep", AT(sleep), 1e-6, 10, "seconds", false},
	{"partitions", AT(partitions), 1, 10000, "partitions", true},
	{"jobs", AT(jobs), 0, 100000, "jobs", true},
#undef AT
};

enum { KEYS = sizeof(keys) / sizeof(*keys) };

static double *member(struct given *given, size_t key)
{
	return (double *)(void *)((char *)given + keys[key].offset);
}

static int take_key(struct advising *a, const char *word, size_t key)
{
	const char *text = word + strlen(keys[key].name) + 1;
	const char *end;
	double value;

	if (real_read(text, &value, &end) || *end)
		return err_set(a->err, ERR_USAGE,
			"--advise: %s: '%s' is not a number", keys[key].name,
			text);
	if (value < keys[key].low || value > keys[key].high)
		return err_set(a->err, ERR_USAGE,
			"--advise: %s: %s is out of range (%g to %g %s)",
			keys[key].name, text, keys[key].low, keys[key].high,
			keys[key].unit);
	if (keys[key].whole && value != floor(value))
		return err_set(a->err, ERR_USAGE,
			"--advise: %s: %s is not a whole number",
			keys[key].name, text);
	*member(&a->given, key) = value;
	return 0;
}

static int take_word(struct advising *a, const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; word[len] && i < KEYS; i++)
		if (strlen(keys[i].name) == len &&
			!strncmp(keys[i].name, word, len))
			return take_key(a, word, i);
	return err_set(a->err, ERR_USAGE,
		"--advise: unknown word '%s'; expected test=, reject=, cycle=, "
		"hold=, sleep= (seconds), partitions= or jobs=",
		word);
}

static int read_given(struct advising *a)
{
	struct strv words = {0};

	for (size_t i = 0; i < KEYS; i++)
		*member(&a->given, i) = -1;
	if (*a->options->advise)
		strv_split(&words, &a->arena, a->options->advise);
	for (size_t i = 0; i < words.n; i++)
		if (take_word(a, words.v[i]))
			return -1;
	return 0;
}

/* ---- timing a pass -------------------------------------------------------*/

enum { TIMED = 10 };

/* No clock is better than that. */
static double two_digits(double seconds)
{
	double unit = pow(10, floor(log10(seconds)) - 1);

	return seconds > 0 ? round(seconds / unit) * unit : 0;
}

/* One as it is; then one in which all but the first of a partition are turned
 * away before a test. */
static int time_passes(struct advising *a)
{
	struct options quick = *a->options;
	const struct backfill_report *report = &a->p->plan.backfill.report;
	const struct schedule *s = &a->p->plan.schedule;
	size_t rejected;

	if (splan_make(a->p, a->site, a->options, a->err))
		return -1;
	a->params = a->better = a->p->plan.backfill.params;
	a->tested = report->tested;
	for (size_t i = 0; i < s->n_jobs; i++)
		a->waiting += !s->jobs[i].waits;
	if (a->tested >= TIMED)
		a->pace.test = two_digits(
			(double)a->p->took / 1e6 / (double)a->tested);
	quick.policy = "slurm:bf_max_job_part=1";
	if (splan_make(a->p, a->site, &quick, a->err))
		return -1;
	rejected = report->jobs - report->tested;
	if (a->tested >= TIMED && rejected)
		a->pace.reject =
			two_digits((double)a->p->took / 1e6 / (double)rejected);
	return 0;
}

/* What the clock cannot tell apart takes as long as it can tell. */
static void settle_pace(struct advising *a)
{
	if (a->pace.test > 0 && a->pace.test < 1e-6)
		a->pace.test = 1e-6;
	if (a->pace.reject > a->pace.test)
		a->pace.reject = a->pace.test;
	if (a->given.test >= 0) {
		a->pace.test = a->given.test;
		a->pace.reject = 0;
	}
	if (a->given.reject >= 0)
		a->pace.reject = a->given.reject;
}

/* ---- all -----------------------------------------------------------------*/

static int check_privacy(const struct advising *a)
{
	if (!a->p->privacy.on)
		return 0;
	return err_set(a->err, ERR_DENIED,
		"--advise looks at the jobs of everybody, and "
		"PrivateData=jobs keeps them from you");
}

static int work(struct advising *a)
{
	if (read_given(a) || check_privacy(a) || time_passes(a))
		return -1;
	settle_pace(a);
	if (advise_read(a) || advise_reckon(a) || advise_replay(a))
		return -1;
	print_advice(a);
	return 0;
}

int splan_advise(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	struct advising a = {
		.p = p, .options = options, .site = site, .err = err};
	int status;

	arena_init(&a.arena);
	status = work(&a);
	arena_release(&a.arena);
	return status;
}
