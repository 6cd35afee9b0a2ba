/*
 * The options of sacct (Slurm's src/sacct/options.c). Standard error stays
 * empty unless something is wrong: scripts take any word there for a failure.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/jobstate.h"
#include "common/text/reason.h"
#include "common/text/timespec.h"
#include "db/job/complete.h"

static const char usage_text[] = "Usage: sacct [options]\n"
				 "\tUse --help for help\n";

/* clang-format off */
static const char help_head[] =
"sacct [<OPTION>]\n"
"Shows jobs and steps that ran, wait or run.\n"
"Valid <OPTION> values are:\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"Which jobs; lists are separated by commas:", "allusers user group accounts clusters allclusters federation,local partition qos wckeys associations jobs name nodelist nnodes ncpus timelimit-min timelimit-max constraints reason flags state helpstate,helpreason starttime endtime duplicates whole-hetjob"},
	{"What of them:", "allocations array truncate format helpformat brief long units noconvert use-local-uid expand-patterns batch-script env-vars completion file"},
	{"How:", "noheader parsable parsable2 delimiter json,yaml csv ndjson verbose offline version help usage"},
	{NULL, NULL},
};
static const char help_tail[] =
"\n"
"SACCT_FORMAT: default of -o. SLURM_TIME_FORMAT: how times look.\n"
"sacct(1) says more.\n";

static const struct option_help help_page = {help_head, option_groups, 34, help_tail};
/* clang-format on */

/* ---- lists ---------------------------------------------------------------*/

/* The member is a struct strv; lists given again add to it. */
static void take_list(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	strv_words((void *)((char *)o + row->offset), options->arena, arg);
}

/* Names; an empty list is the empty name. */
static void take_names(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	strv_names((void *)((char *)o + row->offset), options->arena, arg);
}

/* A comma within brackets separates tasks: 210_[1,3-5],211. */
static void take_jobs(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	struct strv *list = (void *)((char *)o + row->offset);

	while (*arg) {
		bool inside = false;
		size_t len = 0;

		arg += strspn(arg, " \t");
		for (; arg[len] && (inside || arg[len] != ','); len++)
			inside = arg[len] == '[' || (inside && arg[len] != ']');
		if (len)
			strv_push(list, options->arena,
				arena_strndup(options->arena, arg,
					strcspn(arg, " \t") < len
						? strcspn(arg, " \t")
						: len));
		arg += len + (arg[len] == ',');
	}
}

/* Names of accounts and the like are kept in small letters. */
static void take_lower(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	take_names(o, row, str_lower(options->arena, arg));
}

static void take_users(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	options->all_users = !strcmp(arg, "-1");
	if (!options->all_users)
		take_names(o, row, arg);
}

static void take_clusters(
	void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	options->all_clusters = !strcasecmp(arg, "all") || !strcmp(arg, "-1");
	if (options->all_clusters)
		return;
	options->local = true;
	options->clusters_text = arg;
	take_lower(o, row, arg);
}

static void take_nodes(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	if (options->nodes)
		cli_error("Already asked for nodes '%s'", options->nodes);
	else
		options->nodes = arg;
}

static void take_format(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	const char *before = options->format ? options->format : "";

	(void)row;
	options->format = arena_printf(options->arena, "%s%s,", before, arg);
}

/* ---- times, limits, units ------------------------------------------------*/

static void take_time(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	int64_t *member = (void *)((char *)o + row->offset);

	*member = option_time(arg, options->now);
}

static void take_limit(void *o, const struct option_row *row, const char *arg)
{
	uint32_t *member = (void *)((char *)o + row->offset);
	struct err unused;

	if (minutes_parse(arg, member, &unused) || !*member)
		cli_fatal("Invalid time limit specification");
}

static void take_units(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	if (!unit_parse(arg, &options->units.forced))
		return;
	cli_error("Invalid unit type '%c'. Possible options are 'KMGTP'", *arg);
	cli_fatal("Invalid unit type");
}

static void take_hetjob(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	if (!arg || !strcasecmp(arg, "yes") || !strcasecmp(arg, "y")) {
		options->whole_het = true;
		return;
	}
	if (strcasecmp(arg, "no") && strcasecmp(arg, "n"))
		cli_refuse("Invalid --whole-hetjob value \"%s\"."
			   " Valid values: [yes|no].",
			arg);
	options->leader_only = true;
}

static void take_file(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	struct stat st;

	(void)row;
	if (stat(arg, &st) || !S_ISREG(st.st_mode)) {
		fprintf(stderr, "%s is not a valid file\n", arg);
		exit(1);
	}
	options->completion = true;
}

/* ---- what is printed at once ---------------------------------------------*/

static void print_states(void *options)
{
	(void)options;
	for (int i = 0; i < JOB_BASE_STATES; i++) {
		if (i)
			putchar(i % 4 ? ' ' : '\n');
		printf("%-19s", job_state_words[i].word);
	}
	putchar('\n');
}

static void print_reasons(void *options)
{
	(void)options;
	for (int i = 0; reason_words[i]; i++) {
		if (i)
			putchar(i % 2 ? ' ' : '\n');
		printf("%-39s", reason_words[i]);
	}
	putchar('\n');
}

static void print_field_names(void *options)
{
	struct columns columns;

	sacct_columns(&columns, ((struct options *)options)->arena);
	grid_print_names(stdout, &columns.all, 4, 19);
}

static void offer_own_columns(struct completion *c)
{
	struct columns columns;

	sacct_columns(&columns, c->arena);
	offer_columns(c, &columns.all);
}

static void offer_states(struct completion *c)
{
	for (int i = 0; i < JOB_BASE_STATES; i++)
		offer_word(c, job_state_words[i].word, "", NULL);
}

static void offer_reasons(struct completion *c)
{
	for (int i = 0; reason_words[i]; i++)
		offer_word(c, reason_words[i], "", NULL);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"allusers", 'a', no_argument, option_bool, .offset = AT(all_users), .value = true,
		.help = "of all users (root: always)"},
	{"accounts", 'A', required_argument, take_lower, .offset = AT(accounts), .source = FROM_ACCOUNTS,
		.arg = ": LIST", .help = "of these accounts"},
	{"allocations", 'X', no_argument, option_bool, .offset = AT(allocations), .value = true,
		.help = "no steps"},
	{NULL, 't', no_argument, option_bool, .offset = AT(allocations), .value = true, .hidden = true},
	{"array", 0, no_argument, option_bool, .offset = AT(array_tasks), .value = true,
		.help = "waiting array tasks one by one"},
	{"brief", 'b', no_argument, option_bool, .offset = AT(brief), .value = true,
		.help = "JobID,State,ExitCode"},
	{"batch-script", 'B', no_argument, option_bool, .offset = AT(script), .value = true,
		.help = "the script of each job of -j"},
	{"completion", 'c', no_argument, option_bool, .offset = AT(completion), .value = true,
		.help = "from a job completion log"},
	{"constraints", 'C', required_argument, take_list, .offset = AT(constraints),
		.arg = ": LIST", .help = "that asked for all these features"},
	{"delimiter", 0, required_argument, option_text, .offset = AT(delimiter),
		.arg = "TEXT", .help = "instead of |"},
	{"duplicates", 'D', no_argument, option_bool, .offset = AT(duplicates), .value = true,
		.help = "every submission of a requeued job"},
	{"federation", 0, no_argument, option_bool, .offset = AT(federation), .value = true, .env = "SACCT_FEDERATION",
		.help = "of the federation, of this cluster only"},
	{"helpformat", 'e', no_argument, option_print, .print = print_field_names,
		.help = "the columns there are"},
	{"help-fields", 'e', no_argument, option_print, .print = print_field_names},
	{"helpreason", 0, no_argument, option_print, .print = print_reasons},
	{"helpstate", 0, no_argument, option_print, .print = print_states,
		.help = "the words for -s and -R"},
	{"endtime", 'E', required_argument, take_time, .offset = AT(until),
		.arg = ": TIME", .help = "eligible before; default: now\nvalid start/end time formats are...\nHH:MM[:SS] [AM|PM], MMDD[YY], MM/DD[/YY],\nYYYY-MM-DD[THH:MM[:SS]], now[{+|-}N[seconds(default)\n|minutes|hours|days|weeks]], today, midnight, noon"},
	{"env-vars", 0, no_argument, option_bool, .offset = AT(environment), .value = true,
		.help = "its environment"},
	{"expand-patterns", 0, no_argument, option_bool, .offset = AT(expand), .value = true,
		.help = "fill in the patterns of file names"},
	{"file", 'f', required_argument, take_file,
		.arg = "FILE", .help = "that log"},
	{"flags", 'F', required_argument, take_list, .offset = AT(flags), .values = "SchedSubmit SchedMain SchedBackfill StartReceived None",
		.arg = ": LIST", .help = "SchedSubmit, SchedMain, SchedBackfill,\nStartReceived, or None"},
	{"gid", 'g', required_argument, take_list, .offset = AT(groups)},
	{"group", 'g', required_argument, take_list, .offset = AT(groups),
		.arg = ": LIST", .help = "of these groups"},
	OPTION_HELP('h', "print this"),
	{"local", 0, no_argument, option_bool, .offset = AT(local), .value = true, .env = "SACCT_LOCAL"},
	{"name", 0, required_argument, take_names, .offset = AT(names),
		.arg = "LIST", .help = "with these names"},
	{"nnodes", 'i', required_argument, option_text, .offset = AT(nodes_count),
		.arg = ": MIN[-MAX]", .help = "with that many nodes"},
	{"ncpus", 'I', required_argument, option_text, .offset = AT(cpus_count),
		.arg = ": MIN[-MAX]", .help = "with that many CPUs"},
	{"jobs", 'j', required_argument, take_jobs, .offset = AT(jobs), .source = FROM_STARTED_JOBS,
		.arg = ": LIST", .help = "210, 210_2, 210_[1-9], 5+1, 201.0, 201.batch,\na SLUID"},
	{"timelimit-min", 'k', required_argument, take_limit, .offset = AT(limit_min),
		.arg = ": TIME", .help = "with that time limit, or with -K from it on"},
	{"timelimit-max", 'K', required_argument, take_limit, .offset = AT(limit_max),
		.arg = ": TIME", .help = "up to that time limit"},
	{"long", 'l', no_argument, option_bool, .offset = AT(long_list), .value = true,
		.help = "what was used, at length"},
	{"allclusters", 'L', no_argument, option_bool, .offset = AT(all_clusters), .value = true,
		.help = "of all clusters"},
	{"cluster", 'M', required_argument, take_clusters, .offset = AT(clusters)},
	{"clusters", 'M', required_argument, take_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS,
		.arg = ": LIST|all", .help = "of these clusters"},
	{"nodelist", 'N', required_argument, take_nodes,
		.arg = ": HOSTS", .help = "that ran on any of these nodes"},
	{"noconvert", 0, no_argument, option_bool, .offset = AT(units.keep), .value = true,
		.help = "sizes as they are recorded"},
	{"units", 0, required_argument, take_units, .values = "K M G T P",
		.arg = "K|M|G|T|P", .help = "sizes in this unit"},
	OPTION_NOHEADER('n', "no heading"),
	{"fields", 'o', required_argument, take_format, .value = 0},
	{"format", 'o', required_argument, take_format, .offer = offer_own_columns,
		.arg = ": LIST", .help = "these columns: NAME[%WIDTH],... or ALL"},
	OPTION_PARSABLE("cells end with |", "cells are separated by |"),
	{"qos", 'q', required_argument, take_lower, .offset = AT(qos), .source = FROM_QOS,
		.arg = ": LIST", .help = "with these QOS"},
	{"partition", 'r', required_argument, take_names, .offset = AT(partitions), .source = FROM_PARTITIONS,
		.arg = ": LIST", .help = "in these partitions"},
	{"reason", 'R', required_argument, take_list, .offset = AT(reasons), .offer = offer_reasons,
		.arg = ": LIST", .help = "that waited for one of these reasons"},
	{"state", 's', required_argument, take_list, .offset = AT(states), .offer = offer_states,
		.arg = ": LIST", .help = "that were in one of these states"},
	{"starttime", 'S', required_argument, take_time, .offset = AT(from),
		.arg = ": TIME", .help = "not ended before; default: today 00:00"},
	{"truncate", 'T', no_argument, option_bool, .offset = AT(truncate), .value = true,
		.help = "times cut to -S and -E"},
	{"uid", 'u', required_argument, take_users, .offset = AT(users)},
	{"use-local-uid", 0, no_argument, option_bool, .offset = AT(local_uid), .value = true,
		.help = "UID of the user on this machine"},
	{"usage", 'U', no_argument, option_print, .text = usage_text,
		.help = "print how to call it"},
	{"user", 'u', required_argument, take_users, .offset = AT(users), .source = FROM_USERS,
		.arg = ": LIST", .help = "of these users, by name or number"},
	OPTION_VERBOSE("say which times were asked for"),
	OPTION_OFFLINE,
	OPTION_VERSION_VERBOSE("print the version"),
	{"wckeys", 'W', required_argument, take_names, .offset = AT(wckeys), .source = FROM_WCKEYS,
		.arg = ": LIST", .help = "with these workload keys"},
	{"whole-hetjob", 0, optional_argument, take_hetjob, .values = "yes no",
		.arg = "yes|no", .help = "all components of a heterogeneous job"},
	{"associations", 'x', required_argument, take_names, .offset = AT(assocs),
		.arg = ": LIST", .help = "of the associations with these numbers"},
	OPTION_JSON("everything of the jobs, for programs"),
	OPTION_CSV("the columns as comma-separated values"),
	OPTION_NDJSON("as --json, a job a line"),
	{.take = NULL},
};
/* clang-format on */

/* ---- what excludes what --------------------------------------------------*/

static void check_script(const struct options *options)
{
	const char *what = options->environment ? "job environment"
			   : options->script	? "job scripts"
						: NULL;

	if (what && !options->jobs.n)
		cli_fatal("When requesting %s you must also request specific "
			  "jobs with the '-j' option.",
			what);
	if (options->script && options->environment)
		cli_fatal("Options --batch-script and --env-vars are mutually "
			  "exclusive");
}

static void check(const struct options *options)
{
	check_script(options);
	option_check_long(options->long_list, options->format);
	if (options->completion) {
		fputs("Slurm job completion is disabled\n", stderr);
		exit(1);
	}
}

static void refuse_arguments(char **argv)
{
	cli_error("Unknown arguments:");
	for (; *argv; argv++)
		cli_error(" %s", *argv);
	exit(1);
}

void sacct_options(
	struct options *options, struct arena *arena, int argc, char **argv)
{
	int first;

	*options = (struct options){
		.arena = arena,
		.now = site_clock(),
		.heading = true,
		.delimiter = "|",
		.units.forced = -1,
	};
	first = options_read(rows, options, argc, argv);
	check(options);
	if (first < argc)
		refuse_arguments(argv + first);
}
