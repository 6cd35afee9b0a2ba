/*
 * splan --advise: from the history and the costs to advice, line by line. A
 * parameter is added by a row through put(), with the lines that lead to it in
 * front.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/splan/advise.h"
#include "common/base/numbers.h"
#include "common/text/timespec.h"

/* ---- words ---------------------------------------------------------------*/

static void __attribute__((format(printf, 3, 4)))
say(struct advising *a, const char *about, const char *fmt, ...)
{
	struct advice_line *line = ARENA_PUSH(
		&a->arena, a->lines, a->n_lines, a->cap_lines);
	va_list args;

	va_start(args, fmt);
	*line = (struct advice_line){
		about, arena_vprintf(&a->arena, fmt, args)};
	va_end(args);
}

/* A figure as people write it, to four digits at least: 0.011, 40, 1.5. */
static const char *figure(struct advising *a, double number)
{
	int before = number > 0 ? (int)floor(log10(number)) + 1 : 1;
	char *text = arena_printf(
		&a->arena, "%.*f", before < 0 ? 4 - before : 4, number);
	size_t len = strlen(text);

	while (text[len - 1] == '0')
		text[--len] = '\0';
	if (text[len - 1] == '.')
		text[--len] = '\0';
	return text;
}

const char *advise_minutes(uint32_t minutes, struct arena *arena)
{
	return minutes >= NO_VAL
		       ? "UNLIMITED"
		       : duration_format(arena, (uint64_t)minutes * 60);
}

static const char *seconds(struct advising *a, int64_t number)
{
	return duration_format(&a->arena, (uint64_t)number);
}

static void put(struct advising *a, struct advice row)
{
	row.change = row.advised && strcmp(row.advised, row.current);
	*ARENA_PUSH(&a->arena, a->v, a->n, a->cap) = row;
}

static const struct sched_param *row_of(const char *name)
{
	return sched_param_find(name, strlen(name));
}

/* A parameter; `value` < 0: no advice. */
static void put_param(
	struct advising *a, const char *name, int64_t value, const char *why)
{
	const struct sched_param *row = row_of(name);
	int64_t now = *sched_param_member(&a->params, row);
	struct advice advice = {.name = name, .unit = row->unit, .why = why};

	if (row->kind == PARAM_NUMBER && value > row->high)
		value = row->high;
	if (value >= 0 && value < row->low)
		value = row->low;
	advice.current = splan_parameter_text(row, now, &a->arena);
	if (value >= 0) {
		*sched_param_member(&a->better, row) = value;
		advice.advised = splan_parameter_text(row, value, &a->arena);
	}
	put(a, advice);
}

static bool enough(const struct advising *a)
{
	return a->past.jobs >= ADVISE_LEAST;
}

static const char *too_few(struct advising *a, size_t jobs)
{
	return arena_printf(&a->arena,
		"too little history: %zu of at least %d jobs that ran", jobs,
		ADVISE_LEAST);
}

/* ---- window --------------------------------------------------------------*/

static void reckon_window(struct advising *a)
{
	const struct past_jobs *past = &a->past;
	int64_t window = advise_window(past->longest_limit);
	const char *longest = advise_minutes(past->longest_limit, &a->arena);

	if (!enough(a) || !past->n_limits) {
		put_param(a, "bf_window", -1,
			enough(a) ? "no job asked for a time limit"
				  : too_few(a, past->jobs));
		return;
	}
	say(a, "bf_window",
		"longest limit asked for: %s (job %" PRIu32 ") = %" PRIu32
		" min",
		longest, past->longest_id, past->longest_limit);
	say(a, "bf_window",
		"bf_window = that in whole days, 1 to 30 of them = %" PRId64
		" min",
		window);
	if (past->unlimited)
		say(a, "bf_window",
			"%zu of %zu jobs asked for no limit at all: no window "
			"holds those",
			past->unlimited, past->jobs);
	put_param(a, "bf_window", window,
		arena_printf(&a->arena, "holds the longest limit asked for, %s",
			longest));
}

static void reckon_resolution(struct advising *a)
{
	const struct past_jobs *past = &a->past;
	size_t nodes = a->site->conf.n_nodes;
	int steps = nodes < 1000 ? 1440 : 720;
	uint32_t median;
	int64_t step, window = a->better.bf_window;

	if (!enough(a) || !past->n_limits) {
		put_param(a, "bf_resolution", -1, "follows bf_window");
		return;
	}
	median = (uint32_t)advise_quantile(past->limits, past->n_limits, 0.5);
	step = advise_resolution(window, nodes, median);
	say(a, "bf_resolution",
		"%" PRId64 " min * 60 / %d steps = %s s a step (%zu nodes; "
		"1440 steps below 1000 nodes, else 720)",
		window, steps, figure(a, (double)window * 60 / steps), nodes);
	say(a, "bf_resolution",
		"bf_resolution = that on a round number, at most half of the "
		"usual limit (%s / 2) = %" PRId64 " s",
		advise_minutes(median, &a->arena), step);
	put_param(a, "bf_resolution", step,
		"keeps the table of the window small");
}

/* ---- yields --------------------------------------------------------------*/

enum { BUSY = 3600 }; /* events in the busiest hour */

static void reckon_yield(struct advising *a)
{
	bool busy = a->past.busiest >= BUSY, known = enough(a);
	bool given = a->given.hold >= 0 || a->given.sleep >= 0;
	const char *why = "given";

	a->pace.hold = (double)a->params.bf_yield_interval / 1e6;
	a->pace.sleep = (double)a->params.bf_yield_sleep / 1e6;
	if (known && !given) {
		a->pace.hold = busy ? 1 : 2;
		a->pace.sleep = 0.5;
		why = busy ? "2:1, a busy site lets others in more often"
			   : "4:1, the site is not busy";
		say(a, "bf_yield_interval",
			"busiest hour: %zu submissions, starts and ends; %s %d "
			"(one a second)",
			a->past.busiest,
			busy ? "busy, from" : "not busy, that begins at", BUSY);
		say(a, "bf_yield_interval",
			busy ? "hold : release = 2:1 = 1 s / 0.5 s"
			     : "hold : release = 4:1 = 2 s / 0.5 s");
	}
	if (a->given.hold >= 0)
		a->pace.hold = a->given.hold;
	if (a->given.sleep >= 0)
		a->pace.sleep = a->given.sleep;
	if (!known && !given)
		why = too_few(a, a->past.jobs);
	put_param(a, "bf_yield_interval",
		known || given ? (int64_t)(a->pace.hold * 1e6 + 0.5) : -1, why);
	put_param(a, "bf_yield_sleep",
		known || given ? (int64_t)(a->pace.sleep * 1e6 + 0.5) : -1,
		why);
	put_param(a, "bf_continue", 1,
		"without it a pass ends at its first pause when anything has "
		"changed");
}

/* ---- depth ---------------------------------------------------------------*/

static unsigned count_partitions(const struct advising *a)
{
	unsigned n = 0;

	for (size_t i = 0; i < a->site->conf.n_partitions; i++)
		n += a->site->conf.partitions[i].state == PARTITION_UP;
	return n ? n : 1;
}

static void say_costs(struct advising *a)
{
	const char *about = "bf_max_job_test";

	if (a->given.test >= 0)
		say(a, about,
			"given: a full test takes %s s, turning a job away "
			"without one %s s",
			figure(a, a->pace.test), figure(a, a->pace.reject));
	else
		say(a, about,
			"measured in a pass over %zu jobs: a full test %s s, "
			"turning a job away %s s. That is this program here, "
			"not your slurmctld: take its figures from sdiag and "
			"give test= and reject=",
			a->tested, figure(a, a->pace.test),
			figure(a, a->pace.reject));
}

static void say_depth(struct advising *a, const struct advise_depth *d)
{
	const struct advise_pace *pace = &a->pace;
	const char *about = "bf_max_job_test", *work = figure(a, d->work);

	say(a, about,
		"(%s + %s) / 2 = %s s a job, where every other is turned away",
		figure(a, pace->test), figure(a, pace->reject),
		figure(a, d->mean));
	say(a, about, "%s / (%s + %s) * %s = %s s of work in a cycle of %s s",
		figure(a, pace->cycle), figure(a, pace->hold),
		figure(a, pace->sleep), figure(a, pace->hold), work,
		figure(a, pace->cycle));
	say(a, about, "bf_max_job_test = %s / %s = %" PRId64, work,
		figure(a, d->mean), advise_whole(d->jobs));
	say(a, about,
		"Slurm 26.05 counts only full tests: %s / %s = at most %" PRId64
		" in a cycle; above that it is the cycle's time that ends a "
		"pass, not the count",
		work, figure(a, pace->test), advise_whole(d->full_tests));
}

/* What was measured here is fast: then it is what the history needs. */
static int64_t needed(struct advising *a, int64_t room, const char **why)
{
	size_t longest =
		a->past.deepest > a->waiting ? a->past.deepest : a->waiting;
	int64_t need = advise_round_count((int64_t)longest);
	int64_t initial = row_of("bf_max_job_test")->initial;

	*why = "what a cycle has time for";
	if (a->given.test >= 0)
		return room;
	if (need < initial)
		need = initial;
	if (need >= room)
		return room;
	say(a, "bf_max_job_test",
		"the longest queue, in the history or now, was %zu jobs: with "
		"a quarter more, and no less than the default, %" PRId64
		" are enough",
		longest, need);
	*why = "as long as the queue ever was, and a quarter more";
	return need;
}

static void reckon_depth(struct advising *a)
{
	struct advise_depth d;
	const char *why;
	int64_t jobs, part;

	a->pace.cycle = a->given.cycle >= 0 ? a->given.cycle
					    : (double)a->params.bf_max_time;
	a->pace.partitions = a->given.partitions >= 0
				     ? (unsigned)a->given.partitions
				     : count_partitions(a);
	if (a->given.cycle >= 0)
		put_param(a, "bf_max_time", (int64_t)a->given.cycle, "given");
	if (!(a->pace.test > 0)) {
		why = arena_printf(&a->arena,
			"too few jobs wait (%zu) to time a pass: give "
			"--advise=test=S,reject=S",
			a->waiting);
		put_param(a, "bf_max_job_test", -1, why);
		put_param(a, "bf_max_job_part", -1, "follows bf_max_job_test");
		return;
	}
	advise_depth(&a->pace, &d);
	say_costs(a);
	say_depth(a, &d);
	jobs = needed(a, advise_whole(d.jobs), &why);
	if (jobs < 1)
		jobs = 1;
	put_param(a, "bf_max_job_test", jobs, why);
	part = jobs / (int64_t)a->pace.partitions;
	if (a->pace.partitions > 1)
		say(a, "bf_max_job_part",
			"bf_max_job_part = %" PRId64
			" / %u partitions = %" PRId64,
			jobs, a->pace.partitions, part);
	put_param(a, "bf_max_job_part", a->pace.partitions > 1 ? part : 0,
		a->pace.partitions > 1 ? "no partition takes all of it"
				       : "one partition may have it all");
}

/* ---- limits of partitions ------------------------------------------------*/

/* `advised` NULL: no advice. */
static void put_limit(struct advising *a, const char *limit,
	const struct past_part *part, uint32_t now, const uint32_t *advised,
	const char *why)
{
	put(a, (struct advice){
		       .name = arena_printf(
			       &a->arena, "%s of %s", limit, part->conf->name),
		       .current = now == NO_VAL
					  ? "MaxTime"
					  : advise_minutes(now, &a->arena),
		       .advised = advised ? advise_minutes(*advised, &a->arena)
					  : NULL,
		       .unit = "",
		       .why = why});
}

static void say_runs(struct advising *a, struct past_part *part,
	const char *name, int64_t half, int64_t most)
{
	size_t bare = part->n_bare * 100 / part->n;
	const char *usual = "";

	if (part->n_limits)
		usual = arena_printf(&a->arena,
			"; of their limits they used %.0f %%",
			100 * part->used / (double)part->n_limits);
	say(a, name,
		"%zu jobs, %zu %% without a limit of their own; half ran up to "
		"%s, 95 %% up to %s, the longest %s%s",
		part->n, bare, seconds(a, half), seconds(a, most),
		seconds(a, part->longest), usual);
}

/* A limit that is near what is advised stays. */
static bool near(uint32_t now, uint32_t advised)
{
	return now < NO_VAL && now >= advised && now / 2 <= advised;
}

/* Twice the longest run leaves room for what has not been run yet; a limit that
 * a window can hold does no harm and stays. */
static void reckon_max(
	struct advising *a, struct past_part *part, const char *name)
{
	enum { WINDOW = 30 * 24 * 60 };
	uint32_t now = part->conf->max_time;
	uint32_t most = advise_round_limit(2 * part->longest);
	const char *why = "twice the longest run; no window holds what it is "
			  "now";
	size_t above = 0;

	for (size_t i = 0; i < part->n_limits; i++)
		above += part->limits[i] > (int64_t)most * 60;
	say(a, name,
		"MaxTime = twice the longest run, 2 * %s, rounded up = %s; %zu "
		"jobs asked for more than that",
		seconds(a, part->longest), advise_minutes(most, &a->arena),
		above);
	if (now <= WINDOW) {
		most = now;
		why = "a window (at most 30 days) can hold it";
		say(a, name,
			"MaxTime is %s now, which a bf_window can hold: it "
			"stays",
			advise_minutes(now, &a->arena));
	}
	part->max_time = most;
	put_limit(a, "MaxTime", part, now, &most, why);
}

static void reckon_default(struct advising *a, struct past_part *part,
	const char *name, int64_t most, bool bare)
{
	uint32_t now = part->conf->default_time;
	uint32_t advised = advise_round_limit(most);
	const char *why = bare ? "95 % of the jobs without a limit end in it"
			       : "95 % of the jobs end in it";

	say(a, name,
		"DefaultTime = what 95 %% of the jobs%s ran, %s, rounded up = "
		"%s",
		bare ? " without a limit of their own" : "", seconds(a, most),
		advise_minutes(advised, &a->arena));
	if (advised > part->max_time)
		advised = part->max_time;
	if (near(now, advised)) {
		advised = now;
		why = "near what 95 % of the jobs run";
	}
	part->default_time = advised;
	put_limit(a, "DefaultTime", part, now, &advised, why);
}

static void reckon_part(struct advising *a, struct past_part *part)
{
	const char *name = part->conf->name;
	bool bare = part->n_bare >= ADVISE_LEAST;
	const char *why;
	int64_t half, most;

	if (part->n < ADVISE_LEAST) {
		why = too_few(a, part->n);
		put_limit(a, "MaxTime", part, part->conf->max_time, NULL, why);
		put_limit(a, "DefaultTime", part, part->conf->default_time,
			NULL, why);
		return;
	}
	half = advise_quantile(part->elapsed, part->n, 0.5);
	most = advise_quantile(part->elapsed, part->n, 0.95);
	say_runs(a, part, name, half, most);
	reckon_max(a, part, name);
	if (bare)
		most = advise_quantile(part->bare, part->n_bare, 0.95);
	reckon_default(a, part, name, most, bare);
}

/* ---- all -----------------------------------------------------------------*/

static void say_gone(struct advising *a)
{
	if (a->past.gone)
		say(a, "partitions",
			"%zu of %zu jobs ran in partitions that slurm.conf "
			"does not have: they count for none of its time limits",
			a->past.gone, a->past.jobs);
}

int advise_reckon(struct advising *a)
{
	reckon_window(a);
	reckon_resolution(a);
	reckon_yield(a);
	reckon_depth(a);
	for (size_t i = 0; i < a->site->conf.n_partitions; i++)
		reckon_part(a, &a->past.parts[i]);
	say_gone(a);
	/* Values derived from others are derived again. */
	a->better.bf_node_space_size = a->better.bf_max_job_test;
	return 0;
}
