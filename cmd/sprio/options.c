/*
 * The options of sprio and its environment (spec/priority.md 7.1, 7.4).
 */
#include "cmd/sprio/sprio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"

/* clang-format off */
static const char usage_text[] =
"Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]\n"
"   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]\n";

static const char help_text[] =
"Usage: sprio [OPTIONS]\n"
"Shows the priority of every waiting job, factor by factor.\n"
"\n"
"Which jobs:\n"
"  -j, --jobs[=IDS]                only these jobs (comma list)\n"
"  -p, --partition=NAMES           only these partitions (comma list)\n"
"  -u, --user=NAMES                only jobs of these users (comma list)\n"
"  -M, --cluster=NAME              of this cluster\n"
"      --federation                of every cluster of the federation\n"
"      --sibling                   the same, with a column for the cluster\n"
"      --local                     of our own cluster only\n"
"\n"
"What of them:\n"
"  -l, --long                      more columns\n"
"  -n, --norm                      factors, 0 to 1, instead of points\n"
"  -o, --format=FORMAT             these columns; see --helpformat\n"
"  -S, --sort=KEYS                 in this order: letters, - before one for\n"
"                                  descending\n"
"  -w, --weights                   only the weight of each factor\n"
"  -h, --noheader                  no headings\n"
"\n"
"Why and when (only in Bursar):\n"
"      --at=TIME                   as it was, or will be if nothing is submitted\n"
"      --explain=JOB|all           the formula with its numbers, who is ahead, and\n"
"                                  what the job waits for\n"
"      --what-if=CHANGE            before, after, difference; repeatable. CHANGE: as\n"
"                                  for sacctmgr, job ... as for srecord, or a\n"
"                                  Priority... line of slurm.conf\n"
"\n"
"For machines (only in Bursar):\n"
"      --csv[=safe]                comma separated values\n"
"      --json, --yaml              a document with every factor\n"
"      --ndjson                    one JSON object a line for each row\n"
"\n"
"Help:\n"
"  -v, --verbose                   say what was asked for\n"
"  -V, --version                   print the version\n"
"      --help                      print this\n"
"      --helpformat                print the letters of --format\n"
"      --usage                     print the options in short\n";
/* clang-format on */

enum {
	OPT_HELP = OPTION_LONG,
	OPT_HELPFORMAT,
	OPT_USAGE,
	OPT_LOCAL,
	OPT_SIBLING,
	OPT_FEDERATION,
	OPT_AUTOCOMPLETE,
	OPT_JSON,
	OPT_YAML,
	OPT_CSV,
	OPT_NDJSON,
	OPT_EXPLAIN,
	OPT_AT,
	OPT_WHAT_IF,
};

/* ---- job ids -------------------------------------------------------------*/

static bool is_step(const char *text)
{
	static const char *const words[] = {
		"batch", "extern", "interactive", "TBD"};
	uint32_t id;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(text, words[i]))
			return true;
	return !number_read(text, &id, &text) && !*text;
}

/* A job, maybe with one of its steps behind it: `9.0`. */
static bool parse_job(const char *text, struct job_id *job)
{
	const char *rest = job_id_read(text, job);

	return rest && (!*rest || (*rest == '.' && is_step(rest + 1)));
}

/* ---- takers --------------------------------------------------------------*/

static void take_explain(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->explain_text = arg;
	options->explain_all = !strcmp(arg, "all");
	if (options->explain_all || parse_job(arg, &options->explain))
		return;
	cli_error("Invalid job id: %s", arg);
	exit(1);
}

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
	print_letters();
	exit(0);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"at", OPT_AT, required_argument, option_text, AT(at_text), 0, false},
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"a", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, true},
	{"explain", OPT_EXPLAIN, required_argument, take_explain, 0, 0, false},
	{"noheader", 'h', no_argument, option_bool, AT(heading), false, false},
	{"jobs", 'j', optional_argument, option_jobs, AT(jobs), 0, false},
	{"j", 'j', optional_argument, option_jobs, AT(jobs), 0, true},
	{"long", 'l', no_argument, option_bool, AT(long_list), true, false},
	{"cluster", 'M', required_argument, option_clusters, AT(clusters), 0, false},
	{"clusters", 'M', required_argument, option_clusters, AT(clusters), 0, false},
	{"c", 'M', required_argument, option_clusters, AT(clusters), 0, true},
	{"norm", 'n', no_argument, option_bool, AT(normalized), true, false},
	{"format", 'o', required_argument, option_text, AT(format_text), 0, false},
	{"sort", 'S', required_argument, option_text, AT(sort), 0, false},
	{"partition", 'p', required_argument, option_list, AT(partitions), 0, false},
	{"user", 'u', required_argument, option_list, AT(users), 0, false},
	{"users", 'u', required_argument, option_list, AT(users), 0, false},
	{"verbose", 'v', no_argument, option_count, AT(verbose), 0, false},
	{"version", 'V', no_argument, option_version, 0, false, false},
	{"what-if", OPT_WHAT_IF, required_argument, option_push, AT(what_if), 0, false},
	{"w", 'w', no_argument, option_bool, AT(weights), true, true},
	{"weights", 'w', no_argument, option_bool, AT(weights), true, false},
	{"federation", OPT_FEDERATION, no_argument, option_bool, AT(clusters.federation), true, false},
	{"help", OPT_HELP, no_argument, take_text, 0, true, false},
	{"helpformat", OPT_HELPFORMAT, no_argument, take_helpformat, 0, 0, false},
	{"local", OPT_LOCAL, no_argument, option_bool, AT(clusters.local), true, false},
	{"sib", OPT_SIBLING, no_argument, option_bool, AT(clusters.sibling), true, false},
	{"sibling", OPT_SIBLING, no_argument, option_bool, AT(clusters.sibling), true, false},
	{"usage", OPT_USAGE, no_argument, take_text, 0, false, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"csv", OPT_CSV, optional_argument, option_csv_flag, AT(csv), true, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{NULL, 0, 0, NULL, 0, 0, false},
};
/* clang-format on */

/* ---- all -----------------------------------------------------------------*/

static void read_environment(struct option_clusters *clusters)
{
	option_clusters_environment(clusters);
	clusters->federation = getenv("SPRIO_FEDERATION") != NULL;
	clusters->local |= getenv("SPRIO_LOCAL") != NULL;
	clusters->sibling = getenv("SPRIO_SIBLING") != NULL;
}

/* After -j one argument may be its list. */
static void read_arguments(struct options *options, char **words, int n)
{
	if (n && options->jobs.given) {
		option_jobs_read(&options->jobs, options->arena, *words++);
		n--;
	}
	if (n)
		option_bad_word(*words, usage_text);
}

static void say_options(const struct options *o)
{
	const struct option_said said[] = {
		{"format", o->format_text},
		{"job_flag", o->jobs.given ? "1" : "0"},
		{"jobs", o->jobs.text},
		{"partition", o->partitions.text},
		{"users", o->users.text},
		{"verbose", arena_printf(o->arena, "%d", o->verbose)},
	};

	options_say(said, sizeof(said) / sizeof(*said), 10);
}

void sprio_options(
	struct options *options, struct arena *arena, int argc, char **argv)
{
	int first;

	*options = (struct options){.arena = arena,
		.heading = true,
		.jobs.parse = parse_job};
	read_environment(&options->clusters);
	first = options_read(option_rows, options, argc, argv);
	option_check_long(options->long_list, options->format_text);
	if (options->what_if.n && options->explain_text)
		cli_fatal("--what-if and --explain exclude each other");
	if (!options->long_list && !options->format_text && !options->form)
		options->format_text = getenv("SPRIO_FORMAT");
	read_arguments(options, argv + first, argc - first);
	if (options->verbose)
		say_options(options);
}
