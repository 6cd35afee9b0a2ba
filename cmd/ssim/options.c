/*
 * The options of ssim.
 */
#include "cmd/ssim/ssim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/timespec.h"

/* clang-format off */
static const char usage_text[] =
"Usage: ssim [--policy=P]... [--sweep=KEY=A,B]... [OPTIONS] [FILE|-]\n";

static const char help_text[] =
"ssim [<OPTION>] [FILE|-]\n"
"Replays a trace (SWF, gz too), or without FILE the jobs in the store, on a\n"
"simulated machine under one or several scheduling policies and prints what each\n"
"was worth, side by side.\n"
"\n"
"What is compared:\n"
"      --policy=POLICY             fcfs, easy, sjbf, conservative, slurm:WORD,...\n"
"                                  with words as in SchedulerParameters;\n"
"                                  repeatable; without it fcfs, easy and\n"
"                                  conservative\n"
"      --sweep=KEY=VALUE,...       a replay for each value; repeatable: a grid.\n"
"                                  KEY: estimates, predict, test-cost, and under\n"
"                                  slurm any of its parameters\n"
"\n"
"What is replayed:\n"
"      --procs=N, --machine=N      processors; those of the trace's header\n"
"      --nodes=N, --cpus-per-node=N\n"
"                                  how slurm sees them; nodes of one CPU\n"
"      --conf=FILE                 a slurm.conf: its nodes, partitions,\n"
"                                  priorities and SchedulerParameters\n"
"      --start=TIME, --end=TIME    jobs submitted then: a time, or seconds since\n"
"                                  the trace began\n"
"      --missing-limit=WHAT        jobs without a time limit: drop, run (their\n"
"                                  run time is the limit), or a time\n"
"      --over-limit=WHAT           jobs that ran longer than it: cut the run, or\n"
"                                  raise the limit\n"
"      --cancelled=WHAT            jobs cancelled while they ran: keep or drop\n"
"      --shake=SECONDS             submissions come up to so much earlier or\n"
"                                  later\n"
"      --seed=N                    of what is random; 0\n"
"\n"
"What the scheduler believes:\n"
"      --estimates=WHAT            user (the limits), perfect (the run times),\n"
"                                  double (twice the limits), random:F (run times\n"
"                                  times 1 to F)\n"
"      --predict=HOW               last2 (mean of the user's last two runs) or\n"
"                                  quantile:Q (of jobs of the same kind); the\n"
"                                  kill time stays the limit\n"
"      --test-cost=SECONDS         time that looking at one job takes; 0\n"
"\n"
"What comes out:\n"
"  -o, --format=FIELDS             these fields; see --helpformat\n"
"      --by=policy|metric          one line for each of which; metric\n"
"      --starts=FILE               start times as FILE.csv or FILE.swf\n"
"      --curves=FILE               utilization and queue over time, SVG\n"
"      --gantt=FILE                who held which processors when, SVG\n"
"      --show=FROM,UNTIL           of the pictures, only that; as for --start\n"
"  -n, --noheader                  no headings\n"
"  -p, --parsable                  cells with | after each\n"
"  -P, --parsable2                 cells with | between them\n"
"      --csv[=safe]                comma separated values, a line for each policy\n"
"      --json, --yaml              a document\n"
"      --ndjson                    one JSON object a line for each policy\n"
"  -Q, --quiet                     no warnings, no progress\n"
"\n"
"  -V, --version                   print the version\n"
"  -h, --help                      print this\n"
"      --helpformat                print the names of fields\n"
"      --usage                     print the options in short\n";
/* clang-format on */

enum {
	OPT_HELPFORMAT = OPTION_LONG,
	OPT_USAGE,
	OPT_AUTOCOMPLETE,
	OPT_JSON,
	OPT_YAML,
	OPT_CSV,
	OPT_NDJSON,
	OPT_POLICY,
	OPT_SWEEP,
	OPT_PROCS,
	OPT_NODES,
	OPT_CPUS,
	OPT_CONF,
	OPT_START,
	OPT_END,
	OPT_MISSING,
	OPT_OVER,
	OPT_CANCELLED,
	OPT_SHAKE,
	OPT_SEED,
	OPT_ESTIMATES,
	OPT_PREDICT,
	OPT_TEST_COST,
	OPT_BY,
	OPT_STARTS,
	OPT_CURVES,
	OPT_GANTT,
	OPT_SHOW,
};

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
	char *end;
	double n = strtod(text, &end);

	if (end == text || *end || !(n >= least && n <= most))
		return -1;
	*out = n;
	return 0;
}

int read_estimates(const char *word, struct sim_options *sim, struct err *err)
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

int read_predict(const char *word, struct sim_options *sim, struct err *err)
{
	sim->predict = SIM_PREDICT_NONE;
	if (!strcmp(word, "none"))
		return 0;
	sim->predict = SIM_PREDICT_LAST2;
	if (!strcmp(word, "last2"))
		return 0;
	sim->predict = SIM_PREDICT_QUANTILE;
	if (!strncmp(word, "quantile:", 9) &&
		!real(word + 9, 0, 1, &sim->quantile))
		return 0;
	return err_set(err, ERR_USAGE,
		"predict: unknown word '%s'; expected none, last2 or "
		"quantile:Q (Q from 0 to 1)",
		word);
}

int read_test_cost(const char *word, struct sim_options *sim, struct err *err)
{
	if (!real(word, 0, 1e6, &sim->test_cost))
		return 0;
	return err_set(err, ERR_USAGE,
		"test-cost: '%s' is not a number of seconds from 0 to 1000000",
		word);
}

/* ---- takers --------------------------------------------------------------*/

static void take_text(void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)arg;
	if (row->code == OPT_HELPFORMAT)
		print_helpformat();
	else
		fputs(row->value ? help_text : usage_text, stdout);
	exit(0);
}

static void take_word(void *o, const struct option_row *row, const char *arg)
{
	struct session *s = o;

	strv_push(row->code == OPT_POLICY ? &s->options.policies
					  : &s->options.sweeps,
		&s->arena, arg);
}

static void take_sim(void *o, const struct option_row *row, const char *arg)
{
	struct session *s = o;
	struct sim_options *sim = &s->options.sim;
	int rc;

	if (row->code == OPT_ESTIMATES)
		rc = read_estimates(arg, sim, &s->err);
	else if (row->code == OPT_PREDICT)
		rc = read_predict(arg, sim, &s->err);
	else
		rc = read_test_cost(arg, sim, &s->err);
	if (rc)
		cli_fatal("--%s", s->err.text);
}

static void take_number(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = &((struct session *)o)->options;

	if (row->code == OPT_PROCS)
		options->procs =
			(uint32_t)number(row->name, arg, 1, MOST_PROCS);
	else if (row->code == OPT_NODES)
		options->nodes =
			(uint32_t)number(row->name, arg, 1, MOST_NODES);
	else if (row->code == OPT_CPUS)
		options->cpus_per_node =
			(uint32_t)number(row->name, arg, 1, MOST_CPUS);
	else if (row->code == OPT_SHAKE)
		options->shake = (int64_t)number(row->name, arg, 0, INT32_MAX);
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

	if (row->code == OPT_OVER)
		options->rules.over = second(row, arg, "cut", "raise")
					      ? TRACE_RAISE
					      : TRACE_CUT;
	else if (row->code == OPT_CANCELLED)
		options->rules.drop_cancelled =
			second(row, arg, "keep", "drop");
	else
		options->by_policy = second(row, arg, "metric", "policy");
}

#define AT(member) offsetof(struct session, options.member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"policy", OPT_POLICY, required_argument, take_word, 0, 0, false},
	{"sweep", OPT_SWEEP, required_argument, take_word, 0, 0, false},
	{"procs", OPT_PROCS, required_argument, take_number, 0, 0, false},
	{"machine", OPT_PROCS, required_argument, take_number, 0, 0, false},
	{"nodes", OPT_NODES, required_argument, take_number, 0, 0, false},
	{"cpus-per-node", OPT_CPUS, required_argument, take_number, 0, 0, false},
	{"conf", OPT_CONF, required_argument, option_text, AT(conf), 0, false},
	{"start", OPT_START, required_argument, option_text, AT(from), 0, false},
	{"end", OPT_END, required_argument, option_text, AT(until), 0, false},
	{"missing-limit", OPT_MISSING, required_argument, take_missing, 0, 0, false},
	{"over-limit", OPT_OVER, required_argument, take_choice, 0, 0, false},
	{"cancelled", OPT_CANCELLED, required_argument, take_choice, 0, 0, false},
	{"shake", OPT_SHAKE, required_argument, take_number, 0, 0, false},
	{"seed", OPT_SEED, required_argument, take_number, 0, 0, false},
	{"estimates", OPT_ESTIMATES, required_argument, take_sim, 0, 0, false},
	{"predict", OPT_PREDICT, required_argument, take_sim, 0, 0, false},
	{"test-cost", OPT_TEST_COST, required_argument, take_sim, 0, 0, false},
	{"format", 'o', required_argument, option_text, AT(format), 0, false},
	{"by", OPT_BY, required_argument, take_choice, 0, 0, false},
	{"starts", OPT_STARTS, required_argument, option_text, AT(starts), 0, false},
	{"curves", OPT_CURVES, required_argument, option_text, AT(curves), 0, false},
	{"gantt", OPT_GANTT, required_argument, option_text, AT(gantt), 0, false},
	{"show", OPT_SHOW, required_argument, option_text, AT(show), 0, false},
	{"noheader", 'n', no_argument, option_bool, AT(heading), false, false},
	{"parsable", 'p', no_argument, option_int, AT(mode), TABLE_PARSABLE, false},
	{"parsable2", 'P', no_argument, option_int, AT(mode), TABLE_PARSABLE2, false},
	{"csv", OPT_CSV, optional_argument, option_csv, AT(mode), TABLE_CSV, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{"quiet", 'Q', no_argument, option_bool, AT(quiet), true, false},
	{"version", 'V', no_argument, option_version, 0, false, false},
	{"help", 'h', no_argument, take_text, 0, true, false},
	{"helpformat", OPT_HELPFORMAT, no_argument, take_text, 0, 0, false},
	{"usage", OPT_USAGE, no_argument, take_text, 0, false, false},
	{NULL, 0, 0, NULL, 0, 0, false},
};
/* clang-format on */

void ssim_options(struct session *s, int argc, char **argv)
{
	int first;

	s->argc = argc;
	s->argv = argv;
	s->options = (struct options){.heading = true};
	first = options_read(option_rows, s, argc, argv);
	if (first < argc)
		s->options.file = argv[first];
	if (first + 1 < argc)
		cli_fatal("one trace at a time: '%s' is too much",
			argv[first + 1]);
	if (s->options.mode == TABLE_CSV)
		s->options.by_policy = true;
}
