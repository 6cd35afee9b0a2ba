/*
 * The options of sprio and its environment (Slurm's src/sprio/opts.c).
 */
#include "cmd/sprio/sprio.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/job/complete.h"

/* clang-format off */
static const char usage_text[] =
"Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]\n"
"   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]\n";

static const char help_head[] =
"Usage: sprio [OPTIONS]\n"
"Shows the priority of every waiting job, factor by factor.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"Which jobs:", "jobs partition user cluster federation sibling local"},
	{"What of them:", "long norm format sort weights noheader"},
	{"Why and when (only in Bursar):", "at explain what-if"},
	{"For machines (only in Bursar):", "csv json,yaml ndjson"},
	{"Help:", "verbose offline version help helpformat usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 34, NULL};
/* clang-format on */

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
	cli_refuse("Invalid job id: %s", arg);
}

static void print_own_letters(void *options)
{
	(void)options;
	print_letters(&sprio_letters);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"at", 0, required_argument, option_text, .offset = AT(at_text),
		.arg = "TIME", .help = "as it was, or will be if nothing is submitted"},
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"a", 0, required_argument, option_complete, .hidden = true, .alias = "autocomplete"},
	{"explain", 0, required_argument, take_explain, .source = FROM_WAITING_JOBS, .values = "all",
		.arg = "JOB|all", .help = "the formula with its numbers, who is ahead, and\nwhat the job waits for"},
	OPTION_NOHEADER('h', "no headings"),
	{"jobs", 'j', optional_argument, option_jobs, .offset = AT(jobs), .source = FROM_WAITING_JOBS,
		.arg = "IDS", .help = "only these jobs (comma list)"},
	{"j", 'j', optional_argument, option_jobs, .offset = AT(jobs), .hidden = true},
	{"long", 'l', no_argument, option_bool, .offset = AT(long_list), .value = true,
		.help = "more columns"},
	{"cluster", 'M', required_argument, option_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS, .env = "SLURM_CLUSTERS",
		.arg = "NAME", .help = "of this cluster"},
	{"clusters", 'M', required_argument, option_clusters, .offset = AT(clusters)},
	{"c", 'M', required_argument, option_clusters, .offset = AT(clusters), .hidden = true},
	{"norm", 'n', no_argument, option_bool, .offset = AT(normalized), .value = true,
		.help = "factors, 0 to 1, instead of points"},
	{"format", 'o', required_argument, option_text, .offset = AT(format_text),
		.arg = "FORMAT", .help = "these columns; see --helpformat"},
	{"sort", 'S', required_argument, option_text, .offset = AT(sort),
		.arg = "KEYS", .help = "in this order: letters, - before one for\ndescending"},
	{"partition", 'p', required_argument, option_list, .offset = AT(partitions), .source = FROM_PARTITIONS,
		.arg = "NAMES", .help = "only these partitions (comma list)"},
	{"user", 'u', required_argument, option_list, .offset = AT(users), .source = FROM_USERS,
		.arg = "NAMES", .help = "only jobs of these users (comma list)"},
	{"users", 'u', required_argument, option_list, .offset = AT(users)},
	OPTION_VERBOSE("say what was asked for"),
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	{"what-if", 0, required_argument, option_push, .offset = AT(what_if),
		.arg = "CHANGE", .help = "before, after, difference; repeatable. CHANGE: as\nfor sacctmgr, job ... as for srecord, or a\nPriority... line of slurm.conf"},
	{"w", 'w', no_argument, option_bool, .offset = AT(weights), .value = true, .hidden = true},
	{"weights", 'w', no_argument, option_bool, .offset = AT(weights), .value = true,
		.help = "only the weight of each factor"},
	{"federation", 0, no_argument, option_bool, .offset = AT(clusters.federation), .value = true, .env = "SPRIO_FEDERATION",
		.help = "of every cluster of the federation"},
	OPTION_HELP(0, "print this"),
	{"helpformat", 0, no_argument, option_print, .print = print_own_letters,
		.help = "print the letters of --format"},
	{"local", 0, no_argument, option_bool, .offset = AT(clusters.local), .value = true, .env = "SPRIO_LOCAL",
		.help = "of our own cluster only"},
	{"sib", 0, no_argument, option_bool, .offset = AT(clusters.sibling), .value = true},
	{"sibling", 0, no_argument, option_bool, .offset = AT(clusters.sibling), .value = true, .alias = "sib", .env = "SPRIO_SIBLING",
		.help = "the same, with a column for the cluster"},
	OPTION_USAGE,
	OPTION_JSON("a document with every factor"),
	{"csv", 0, optional_argument, option_csv_flag, .offset = AT(csv), .value = true,
		.arg = "safe", .help = "comma separated values"},
	OPTION_NDJSON("one JSON object a line for each row"),
	{.take = NULL},
};
/* clang-format on */

/* ---- all -----------------------------------------------------------------*/

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
