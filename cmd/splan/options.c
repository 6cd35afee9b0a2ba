/*
 * The options of splan.
 */
#include "cmd/splan/splan.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/cli.h"
#include "common/options.h"

/* clang-format off */
static const char usage_text[] =
"Usage: splan [--start | --over-limits] [-hV] [--csv | --json | --ndjson | --yaml]\n";

static const char help_text[] =
"Usage: splan [OPTIONS]\n"
"Makes one scheduling pass over the queue: what may start now, and why the rest\n"
"waits. Nothing is changed unless asked for.\n"
"\n"
"      --start                     start what may start\n"
"      --over-limits               running jobs that have reached a limit of their\n"
"                                  QOS or association, instead\n"
"\n"
"  -h, --noheader                  no headings\n"
"      --csv                       comma separated values\n"
"      --json, --yaml              a document\n"
"      --ndjson                    one JSON object a line for each job\n"
"\n"
"  -V, --version                   print the version\n"
"      --help                      print this\n"
"      --usage                     print the options in short\n";
/* clang-format on */

enum {
	OPT_START = OPTION_LONG,
	OPT_OVER,
	OPT_HELP,
	OPT_USAGE,
	OPT_AUTOCOMPLETE,
	OPT_JSON,
	OPT_YAML,
	OPT_CSV,
	OPT_NDJSON,
};

static void take_text(void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)arg;
	fputs(row->value ? help_text : usage_text, stdout);
	exit(0);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"over-limits", OPT_OVER, no_argument, option_bool, AT(over), true, false},
	{"start", OPT_START, no_argument, option_bool, AT(start), true, false},
	{"noheader", 'h', no_argument, option_bool, AT(heading), false, false},
	{"version", 'V', no_argument, option_version, 0, false, false},
	{"help", OPT_HELP, no_argument, take_text, 0, true, false},
	{"usage", OPT_USAGE, no_argument, take_text, 0, false, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"csv", OPT_CSV, no_argument, option_bool, AT(csv), true, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{NULL, 0, 0, NULL, 0, 0, false},
};
/* clang-format on */

void splan_options(struct options *options, int argc, char **argv)
{
	int first;

	*options = (struct options){.heading = true};
	first = options_read(option_rows, options, argc, argv);
	if (options->start && options->over)
		cli_fatal("--start and --over-limits are mutually exclusive");
	if (first == argc)
		return;
	cli_error("Unrecognized option: %s", argv[first]);
	fputs(usage_text, stdout);
	exit(1);
}
