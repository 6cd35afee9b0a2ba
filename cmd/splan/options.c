/*
 * The options of splan.
 */
#include "cmd/splan/splan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"

/* clang-format off */
static const char usage_text[] =
"Usage: splan [--at=time] [--granularity=node|core] [--policy=policy]\n"
"             [--record] [--skip-same-shape] [--start]\n"
"             [--table | --parameters | --over-limits | --when=job |\n"
"              --advise[=costs]]\n"
"             [-hpPvV] [-o fields] [--csv | --json | --ndjson | --yaml]\n";

static const char help_text[] =
"splan [<OPTION>]\n"
"Makes the scheduling passes over the queue: what may start now, when and where\n"
"the rest is expected to, and why it waits. Nothing is changed unless asked for.\n"
"\n"
"      --start                     start what may start\n"
"      --record                    write down expected starts, for squeue --start\n"
"\n"
"      --policy=POLICY             slurm (default), conservative, easy, fcfs;\n"
"                                  slurm:bf_window=2880,bf_continue sets parameters,\n"
"                                  slurm:release=20.11 takes an older table\n"
"      --granularity=node|core     promise whole nodes (default), or CPUs of them\n"
"      --skip-same-shape           a job like one that found no place is not tried\n"
"      --at=TIME                   as if it were that time\n"
"\n"
"      --table                     the node-space table after every change\n"
"      --parameters                SchedulerParameters in effect\n"
"      --over-limits               running jobs that have reached a limit of their\n"
"                                  QOS or association\n"
"      --when='cpus=64 time=4:00:00'\n"
"                                  when such a job would start if it were submitted\n"
"                                  now, and what would bring it earlier; words as of\n"
"                                  srecord job, or id=JOB for one that waits\n"
"      --advise[=test=S,reject=S,cycle=S,hold=S,sleep=S,partitions=N,jobs=N]\n"
"                                  which parameters and time limits the history asks\n"
"                                  for, how they come about, what they would bring\n"
"  -v, --statistics                what the pass did, below the jobs\n"
"\n"
"  -h, -n, --noheader              no headings\n"
"  -o, --format=FIELDS             these fields; see --helpformat\n"
"      --helpformat                print the names of fields\n"
"  -p, --parsable                  fields end with '|'\n"
"  -P, --parsable2                 fields are separated by '|'\n"
"      --csv[=safe]                comma separated values\n"
"      --json, --yaml              a document\n"
"      --ndjson                    one JSON object a line for each row\n"
"\n"
"  -V, --version                   print the version\n"
"      --help                      print this\n"
"      --usage                     print the options in short\n";
/* clang-format on */

enum {
	OPT_START = OPTION_LONG,
	OPT_RECORD,
	OPT_POLICY,
	OPT_GRANULARITY,
	OPT_SKIP,
	OPT_AT,
	OPT_TABLE,
	OPT_OVER,
	OPT_PARAMETERS,
	OPT_WHEN,
	OPT_ADVISE,
	OPT_HELP,
	OPT_USAGE,
	OPT_AUTOCOMPLETE,
	OPT_JSON,
	OPT_YAML,
	OPT_CSV,
	OPT_HELPFORMAT,
	OPT_NDJSON,
};

static void take_text(void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)arg;
	fputs(row->value ? help_text : usage_text, stdout);
	exit(0);
}

static void take_helpformat(
	void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)row;
	(void)arg;
	print_helpformat();
	exit(0);
}

static void take_advise(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->advise = arg ? arg : "";
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"start", OPT_START, no_argument, option_bool, AT(start), true, false},
	{"record", OPT_RECORD, no_argument, option_bool, AT(record), true, false},
	{"policy", OPT_POLICY, required_argument, option_text, AT(policy), 0, false},
	{"granularity", OPT_GRANULARITY, required_argument, option_text, AT(granularity), 0, false},
	{"skip-same-shape", OPT_SKIP, no_argument, option_bool, AT(skip_same_shape), true, false},
	{"at", OPT_AT, required_argument, option_text, AT(at_text), 0, false},
	{"table", OPT_TABLE, no_argument, option_bool, AT(table), true, false},
	{"over-limits", OPT_OVER, no_argument, option_bool, AT(over), true, false},
	{"parameters", OPT_PARAMETERS, no_argument, option_bool, AT(parameters), true, false},
	{"when", OPT_WHEN, required_argument, option_text, AT(when), 0, false},
	{"advise", OPT_ADVISE, optional_argument, take_advise, 0, 0, false},
	{"statistics", 'v', no_argument, option_bool, AT(statistics), true, false},
	{"noheader", 'h', no_argument, option_bool, AT(heading), false, false},
	{NULL, 'n', no_argument, option_bool, AT(heading), false, true},
	{"version", 'V', no_argument, option_version, 0, false, false},
	{"help", OPT_HELP, no_argument, take_text, 0, true, false},
	{"usage", OPT_USAGE, no_argument, take_text, 0, false, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"csv", OPT_CSV, optional_argument, option_csv, AT(mode), TABLE_CSV, false},
	{"format", 'o', required_argument, option_text, AT(format), 0, false},
	{"helpformat", OPT_HELPFORMAT, no_argument, take_helpformat, 0, 0, false},
	{"parsable", 'p', no_argument, option_int, AT(mode), TABLE_PARSABLE, false},
	{"parsable2", 'P', no_argument, option_int, AT(mode), TABLE_PARSABLE2, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{NULL, 0, 0, NULL, 0, 0, false},
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
			 !!options->when + !!options->advise >
		 1)
		cli_error("--table, --parameters, --over-limits, --when and "
			  "--advise are mutually exclusive");
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
		(struct options){.heading = true, .argc = argc, .argv = argv};
	first = options_read(option_rows, options, argc, argv);
	check(options);
	if (options->format)
		check_fields(options->format);
	if (first < argc)
		option_bad_word(argv[first], usage_text);
}
