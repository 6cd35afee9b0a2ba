/*
 * The options of ssim.
 */
#include "cmd/ssim/ssim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/timespec.h"
#include "db/job/complete.h"

/* clang-format off */
static const char usage_text[] =
"Usage: ssim [--policy=P]... [OPTIONS] [FILE|-]\n";

static const char help_head[] =
"ssim [<OPTION>] [FILE|-]\n"
"Replays a trace (SWF, gz too), or without FILE the jobs in the store, on a\n"
"simulated machine under one or several scheduling policies and prints what each\n"
"was worth, side by side.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"What is compared:", "policy what-if"},
	{"What is replayed:", "procs,machine nodes,cpus-per-node conf start,end missing-limit over-limit cancelled seed"},
	{"What the scheduler believes:", "estimates predict test-cost"},
	{"What comes out:", "compare format by starts svg show noheader parsable parsable2 csv json,yaml ndjson quiet"},
	{NULL, "offline version help helpformat usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 34, NULL};
/* clang-format on */

enum { MOST_PROCS = 1 << 30, MOST_NODES = 1 << 20, MOST_CPUS = 1 << 10 };

/* ---- numbers and words ---------------------------------------------------*/

static uint64_t number(
	const char *option, const char *arg, uint64_t least, uint64_t most)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno || n < least || n > most)
		cli_fatal("--%s: '%s' is not a number from %llu to %llu",
			option, arg, (unsigned long long)least,
			(unsigned long long)most);
	return n;
}

/* A real number at the end of a word. */
static int real(const char *text, double least, double most, double *out)
{
	const char *end;
	double n;

	if (real_read(text, &n, &end) || *end || n < least || n > most)
		return -1;
	*out = n;
	return 0;
}

static int read_estimates(const char *word, struct sim_options *sim, struct err *err)
{
	static const char *const words[] = {"user", "perfect", "double"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(word, words[i])) {
			sim->estimates = (enum sim_estimates)i;
			return 0;
		}
	if (!strncmp(word, "random:", 7) &&
		!real(word + 7, 1, 1e6, &sim->factor)) {
		sim->estimates = SIM_RANDOM;
		return 0;
	}
	return err_set(err, ERR_USAGE,
		"estimates: unknown word '%s'; expected user, perfect, double "
		"or random:F (F from 1 to 1000000)",
		word);
}

static int read_predict(const char *word, struct sim_options *sim, struct err *err)
{
	sim->predict = PREDICT_NONE;
	if (!strcmp(word, "none"))
		return 0;
	sim->predict = PREDICT_LAST2;
	if (!strcmp(word, "last2"))
		return 0;
	sim->predict = PREDICT_QUANTILE;
	if (!strncmp(word, "quantile:", 9) &&
		!real(word + 9, 0, 1, &sim->quantile))
		return 0;
	return err_set(err, ERR_USAGE,
		"predict: unknown word '%s'; expected none, last2 or "
		"quantile:Q (Q from 0 to 1)",
		word);
}

static int read_test_cost(const char *word, struct sim_options *sim, struct err *err)
{
	if (!real(word, 0, 1e6, &sim->test_cost))
		return 0;
	return err_set(err, ERR_USAGE,
		"test-cost: '%s' is not a number of seconds from 0 to 1000000",
		word);
}

/* ---- takers --------------------------------------------------------------*/

static void take_word(void *o, const struct option_row *row, const char *arg)
{
	struct session *s = o;

	strv_push((struct strv *)(void *)((char *)o + row->offset), &s->arena,
		arg);
}

static void take_sim(void *o, const struct option_row *row, const char *arg)
{
	struct session *s = o;
	struct sim_options *sim = &s->options.sim;
	int rc;

	if (option_is(row, "estimates"))
		rc = read_estimates(arg, sim, &s->err);
	else if (option_is(row, "predict"))
		rc = read_predict(arg, sim, &s->err);
	else
		rc = read_test_cost(arg, sim, &s->err);
	if (rc)
		cli_fatal("--%s", s->err.text);
}

/* Several pictures, each into a file of its own. */
static void take_svg(void *o, const struct option_row *row, const char *arg)
{
	static const char *const kinds[PICTURES] = {"curves:", "gantt:", "waits:"};
	struct options *options = &((struct session *)o)->options;

	(void)row;
	for (size_t i = 0; i < PICTURES; i++)
		if (!strncmp(arg, kinds[i], strlen(kinds[i]))) {
			options->svg[i] = arg + strlen(kinds[i]);
			return;
		}
	options->svg_usual = arg;
}

static void take_number(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = &((struct session *)o)->options;

	if (option_is(row, "procs"))
		options->procs =
			(uint32_t)number(row->name, arg, 1, MOST_PROCS);
	else if (option_is(row, "nodes"))
		options->nodes =
			(uint32_t)number(row->name, arg, 1, MOST_NODES);
	else if (option_is(row, "cpus-per-node"))
		options->cpus_per_node =
			(uint32_t)number(row->name, arg, 1, MOST_CPUS);
	else
		options->sim.seed = number(row->name, arg, 0, UINT64_MAX);
}

static void take_missing(void *o, const struct option_row *row, const char *arg)
{
	struct trace_rules *rules = &((struct session *)o)->options.rules;
	struct err err;
	uint32_t seconds;

	(void)row;
	rules->missing = TRACE_DROP;
	if (!strcmp(arg, "drop"))
		return;
	rules->missing = TRACE_AS_RUN;
	if (!strcmp(arg, "run"))
		return;
	rules->missing = TRACE_GIVE;
	if (seconds_parse(arg, &seconds, &err) || !seconds)
		cli_fatal("--missing-limit: '%s' is neither drop nor run nor a "
			  "time as 2-12:00:00",
			arg);
	rules->limit_given = seconds;
}

/* One of two words; true: the second. */
static bool second(const struct option_row *row, const char *arg,
	const char *no, const char *yes)
{
	if (strcmp(arg, no) && strcmp(arg, yes))
		cli_fatal("--%s: '%s' is neither %s nor %s", row->name, arg, no,
			yes);
	return !strcmp(arg, yes);
}

static void take_choice(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = &((struct session *)o)->options;

	if (option_is(row, "over-limit"))
		options->rules.over = second(row, arg, "cut", "raise")
					      ? TRACE_RAISE
					      : TRACE_CUT;
	else if (option_is(row, "cancelled"))
		options->rules.drop_cancelled =
			second(row, arg, "keep", "drop");
	else
		options->by_policy = second(row, arg, "metric", "policy");
}

#define AT(member) offsetof(struct session, options.member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"policy", 0, required_argument, take_word, .offset = AT(policies), .values = "fcfs easy sjbf conservative slurm",
		.arg = "POLICY", .help = "fcfs, easy, sjbf, conservative, slurm:WORD,...\nwith words as in SchedulerParameters;\nrepeatable; without it fcfs, easy and\nconservative"},
	{"procs", 0, required_argument, take_number,
		.arg = "N", .help = "processors; those of the trace's header"},
	{"machine", 0, required_argument, take_number, .alias = "procs",
		.arg = "N"},
	{"nodes", 0, required_argument, take_number,
		.arg = "N", .help = "how slurm sees them; nodes of one CPU"},
	{"cpus-per-node", 0, required_argument, take_number,
		.arg = "N"},
	{"conf", 0, required_argument, take_word, .offset = AT(confs),
		.arg = "FILE", .help = "a slurm.conf: its nodes, partitions,\npriorities and SchedulerParameters;\nrepeatable: slurm under each"},
	{"what-if", 0, required_argument, take_word, .offset = AT(what_ifs),
		.arg = "CHANGE;...", .help = "slurm once more with the store changed: add,\nmodify or delete ... as in sacctmgr, or\nPriorityWeightAge=1000; repeatable"},
	{"start", 0, required_argument, option_text, .offset = AT(from),
		.arg = "TIME", .help = "jobs submitted then: a time, or seconds since\nthe trace began"},
	{"end", 0, required_argument, option_text, .offset = AT(until),
		.arg = "TIME"},
	{"missing-limit", 0, required_argument, take_missing, .values = "drop run",
		.arg = "WHAT", .help = "jobs without a time limit: drop, run (their\nrun time is the limit), or a time"},
	{"over-limit", 0, required_argument, take_choice, .values = "cut raise",
		.arg = "WHAT", .help = "jobs that ran longer than it: cut the run, or\nraise the limit"},
	{"cancelled", 0, required_argument, take_choice, .values = "keep drop",
		.arg = "WHAT", .help = "jobs cancelled while they ran: keep or drop"},
	{"seed", 0, required_argument, take_number,
		.arg = "N", .help = "of what is random; 0"},
	{"estimates", 0, required_argument, take_sim, .values = "user perfect double random:",
		.arg = "WHAT", .help = "user (the limits), perfect (the run times),\ndouble (twice the limits), random:F (run times\ntimes 1 to F)"},
	{"predict", 0, required_argument, take_sim, .values = "none last2 quantile:",
		.arg = "HOW", .help = "last2 (mean of the user's last two runs) or\nquantile:Q (of jobs of the same kind); the\nkill time stays the limit"},
	{"test-cost", 0, required_argument, take_sim,
		.arg = "SECONDS", .help = "time that looking at one job takes; 0"},
	{"compare", 0, required_argument, option_text, .offset = AT(compare), .values = "account user qos partition size",
		.arg = "GROUPS", .help = "who waits longer than in the first replay, by\naccount, user, qos, partition or size"},
	{"format", 'o', required_argument, option_text, .offset = AT(format), .offer = offer_own_columns,
		.arg = "FIELDS", .help = "these fields; see --helpformat"},
	{"by", 0, required_argument, take_choice, .values = "policy metric",
		.arg = "policy|metric", .help = "one line for each of which; metric"},
	{"starts", 0, required_argument, option_text, .offset = AT(starts),
		.arg = "FILE", .help = "start times as FILE.csv or FILE.swf"},
	{"svg", 0, required_argument, take_svg, .values = "curves: gantt: waits:",
		.arg = "[WHAT:]FILE", .help = "a picture: curves (utilization and queue over time),\ngantt (who held which processors when) or waits\n(mean waits of the groups of --compare)"},
	{"show", 0, required_argument, option_text, .offset = AT(show),
		.arg = "FROM,UNTIL", .help = "of the pictures, only that; as for --start"},
	OPTION_NOHEADER('n', "no headings"),
	OPTION_PARSABLE("cells with | after each", "cells with | between them"),
	OPTION_CSV("comma separated values, a line for each policy"),
	OPTION_JSON("a document"),
	OPTION_NDJSON("one JSON object a line for each policy"),
	{"quiet", 'Q', no_argument, option_bool, .offset = AT(quiet), .value = true,
		.help = "no warnings, no progress"},
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	OPTION_HELP('h', "print this"),
	{"helpformat", 0, no_argument, option_print, .print = print_helpformat,
		.help = "print the names of fields"},
	OPTION_USAGE,
	{.take = NULL},
};
/* clang-format on */

void ssim_options(struct session *s, int argc, char **argv)
{
	int first;

	s->options = (struct options){.heading = true};
	first = options_read(option_rows, s, argc, argv);
	if (first < argc)
		s->options.file = argv[first];
	if (first + 1 < argc)
		cli_fatal("one trace at a time: '%s' is too much",
			argv[first + 1]);
	if (s->options.mode == TABLE_CSV)
		s->options.by_policy = true;
	if (s->options.svg_usual)
		s->options.svg[s->options.compare ? PICTURE_WAITS : PICTURE_CURVES] =
			s->options.svg_usual;
	for (size_t i = 0; i < PICTURES; i++)
		if (s->options.svg[i] && !strcmp(s->options.svg[i], "-"))
			s->options.no_report = true;
}
