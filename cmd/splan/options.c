/*
 * The options of splan.
 */
#include "cmd/splan/splan.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/job/complete.h"
#include "db/record/record.h"

/* clang-format off */
static const char usage_text[] =
"Usage: splan [--at=time] [--granularity=node|core] [--policy=policy]\n"
"             [--record] [--skip-same-shape] [--start]\n"
"             [--table | --parameters | --over-limits | --when=job |\n"
"              --advise[=costs] | --svg=file]\n"
"             [-hpPvV] [-o fields] [--csv | --json | --ndjson | --yaml]\n";

static const char help_head[] =
"splan [<OPTION>]\n"
"Makes the scheduling passes over the queue: what may start now, when and where\n"
"the rest is expected to, and why it waits. Nothing is changed unless asked for.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{NULL, "start record"},
	{NULL, "policy granularity skip-same-shape at"},
	{NULL, "table parameters over-limits when advise svg statistics"},
	{NULL, "-n,noheader format helpformat parsable parsable2 csv json,yaml ndjson"},
	{NULL, "offline version help usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 34, NULL};
/* clang-format on */

static void take_advise(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->advise = arg ? arg : "";
}

/* A job that is there, or the first key of one that is not. */
static void offer_when(struct completion *c)
{
	if (strncmp(completion_part(c), "id=", 3) != 0) {
		offer_facts(c, job_words);
		return;
	}
	c->head += 3;
	offer_from(c, FROM_WAITING_JOBS);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"start", 0, no_argument, option_bool, .offset = AT(start), .value = true,
		.help = "start what may start"},
	{"record", 0, no_argument, option_bool, .offset = AT(record), .value = true,
		.help = "write down expected starts, for squeue --start"},
	{"policy", 0, required_argument, option_text, .offset = AT(policy), .values = "slurm conservative easy fcfs",
		.arg = "POLICY", .help = "slurm (default), conservative, easy, fcfs;\nslurm:bf_window=2880,bf_continue sets parameters,\nslurm:release=20.11 takes an older table"},
	{"granularity", 0, required_argument, option_text, .offset = AT(granularity), .values = "node core",
		.arg = "node|core", .help = "promise whole nodes (default), or CPUs of them"},
	{"skip-same-shape", 0, no_argument, option_bool, .offset = AT(skip_same_shape), .value = true,
		.help = "a job like one that found no place is not tried"},
	{"at", 0, required_argument, option_text, .offset = AT(at_text),
		.arg = "TIME", .help = "as if it were that time"},
	{"table", 0, no_argument, option_bool, .offset = AT(table), .value = true,
		.help = "the node-space table after every change"},
	{"over-limits", 0, no_argument, option_bool, .offset = AT(over), .value = true,
		.help = "running jobs that have reached a limit of their\nQOS or association"},
	{"parameters", 0, no_argument, option_bool, .offset = AT(parameters), .value = true,
		.help = "SchedulerParameters in effect"},
	{"when", 0, required_argument, option_text, .offset = AT(when), .offer = offer_when,
		.arg = "'cpus=64 time=4:00:00'", .help = "when such a job would start if it were submitted\nnow, and what would bring it earlier; words as of\nsrecord job, or id=JOB for one that waits"},
	{"advise", 0, optional_argument, take_advise,
		.arg = "test=S,reject=S,cycle=S,hold=S,sleep=S,partitions=N,jobs=N", .help = "which parameters and time limits the history asks\nfor, how they come about, what they would bring"},
	{"svg", 0, required_argument, option_text, .offset = AT(svg),
		.arg = "FILE", .help = "the plan as an SVG picture, - for standard output"},
	{"statistics", 'v', no_argument, option_bool, .offset = AT(statistics), .value = true,
		.help = "what the pass did, below the jobs"},
	OPTION_NOHEADER('h', "no headings"),
	{NULL, 'n', no_argument, option_bool, .offset = AT(heading), .hidden = true},
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	OPTION_HELP(0, "print this"),
	OPTION_USAGE,
	OPTION_JSON("a document"),
	OPTION_CSV("comma separated values"),
	{"format", 'o', required_argument, option_text, .offset = AT(format), .offer = offer_own_columns,
		.arg = "FIELDS", .help = "these fields; see --helpformat"},
	{"helpformat", 0, no_argument, option_print, .print = print_helpformat,
		.help = "print the names of fields"},
	OPTION_PARSABLE("fields end with '|'", "fields are separated by '|'"),
	OPTION_NDJSON("one JSON object a line for each row"),
	{.take = NULL},
};
/* clang-format on */

static void check(const struct options *options)
{
	const char *unit = options->granularity;

	if (unit && strcmp(unit, "node") && strcmp(unit, "core"))
		cli_error("--granularity: '%s' is not node or core", unit);
	else if (options->start && options->over)
		cli_error("--start and --over-limits are mutually exclusive");
	else if (options->table + options->parameters + options->over +
			 !!options->when + !!options->advise + !!options->svg >
		 1)
		cli_error("--table, --parameters, --over-limits, --when, "
			  "--advise and --svg are mutually exclusive");
	else if ((options->when || options->advise) &&
		 (options->start || options->record || options->at_text))
		cli_error("--when and --advise change nothing and are about "
			  "now: no --start, --record or --at beside them");
	else
		return;
	exit(1);
}

void splan_options(struct options *options, int argc, char **argv)
{
	int first;

	*options =
		(struct options){.heading = true};
	first = options_read(option_rows, options, argc, argv);
	check(options);
	if (options->format)
		check_fields(options->format);
	if (first < argc)
		option_bad_word(argv[first], usage_text);
}
