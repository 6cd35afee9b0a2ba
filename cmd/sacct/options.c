/*
 * The options of sacct (spec/reporting.md 3.1). Standard error stays empty
 * unless something is wrong: scripts take any word there for a failure.
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
#include "common/text/timespec.h"

static const char usage_text[] = "Usage: sacct [options]\n"
				 "\tUse --help for help\n";

/* clang-format off */
static const char help_text[] =
"sacct [<OPTION>]\n"
"Shows jobs and steps that ran, wait or run.\n"
"Valid <OPTION> values are:\n"
"\n"
"Which jobs; lists are separated by commas:\n"
"  -a, --allusers              of all users (root: always)\n"
"  -u, --user: LIST            of these users, by name or number\n"
"  -g, --group: LIST           of these groups\n"
"  -A, --accounts: LIST        of these accounts\n"
"  -M, --clusters: LIST|all    of these clusters\n"
"  -L, --allclusters           of all clusters\n"
"      --federation, --local   of the federation, of this cluster only\n"
"  -r, --partition: LIST       in these partitions\n"
"  -q, --qos: LIST             with these QOS\n"
"  -W, --wckeys: LIST          with these workload keys\n"
"  -x, --associations: LIST    of the associations with these numbers\n"
"  -j, --jobs: LIST            210, 210_2, 210_[1-9], 5+1, 201.0, 201.batch,\n"
"                              a SLUID\n"
"      --name=LIST             with these names\n"
"  -N, --nodelist: HOSTS       that ran on any of these nodes\n"
"  -i, --nnodes: MIN[-MAX]     with that many nodes\n"
"  -I, --ncpus: MIN[-MAX]      with that many CPUs\n"
"  -k, --timelimit-min: TIME   with that time limit, or with -K from it on\n"
"  -K, --timelimit-max: TIME   up to that time limit\n"
"  -C, --constraints: LIST     that asked for all these features\n"
"  -R, --reason: LIST          that waited for one of these reasons\n"
"  -F, --flags: LIST           SchedSubmit, SchedMain, SchedBackfill,\n"
"                              StartReceived, or None\n"
"  -s, --state: LIST           that were in one of these states\n"
"      --helpstate, --helpreason  the words for -s and -R\n"
"  -S, --starttime: TIME       not ended before; default: today 00:00\n"
"  -E, --endtime: TIME         eligible before; default: now\n"
"  -D, --duplicates            every submission of a requeued job\n"
"      --whole-hetjob[=yes|no] all components of a heterogeneous job\n"
"                              valid start/end time formats are...\n"
"                              HH:MM[:SS] [AM|PM], MMDD[YY], MM/DD[/YY],\n"
"                              YYYY-MM-DD[THH:MM[:SS]], now[{+|-}N[seconds(default)\n"
"                              |minutes|hours|days|weeks]], today, midnight, noon\n"
"\n"
"What of them:\n"
"  -X, --allocations           no steps\n"
"      --array                 waiting array tasks one by one\n"
"  -T, --truncate              times cut to -S and -E\n"
"  -o, --format: LIST          these columns: NAME[%WIDTH],... or ALL\n"
"  -e, --helpformat            the columns there are\n"
"  -b, --brief                 JobID,State,ExitCode\n"
"  -l, --long                  what was used, at length\n"
"      --units=K|M|G|T|P       sizes in this unit\n"
"      --noconvert             sizes as they are recorded\n"
"      --use-local-uid         UID of the user on this machine\n"
"      --expand-patterns       fill in the patterns of file names\n"
"  -B, --batch-script          the script of each job of -j\n"
"      --env-vars              its environment\n"
"  -c, --completion, -f, --file=FILE  from a job completion log\n"
"\n"
"How:\n"
"  -n, --noheader              no heading\n"
"  -p, --parsable              cells end with |\n"
"  -P, --parsable2             cells are separated by |\n"
"      --delimiter=TEXT        instead of |\n"
"      --json, --yaml          everything of the jobs, for programs\n"
"      --csv[=safe]            the columns as comma-separated values\n"
"      --ndjson                as --json, a job a line\n"
"  -v, --verbose               say which times were asked for\n"
"  -V, --version   -h, --help   -U, --usage\n"
"\n"
"SACCT_FORMAT: default of -o. SLURM_TIME_FORMAT: how times look.\n"
"sacct(1) says more.\n";
/* clang-format on */

enum {
	OPT_AUTOCOMPLETE = OPTION_LONG,
	OPT_ARRAY,
	OPT_CSV,
	OPT_DELIMITER,
	OPT_ENV,
	OPT_EXPAND,
	OPT_FEDERATION,
	OPT_HELPREASON,
	OPT_HELPSTATE,
	OPT_JSON,
	OPT_LOCAL,
	OPT_LOCAL_UID,
	OPT_NAME,
	OPT_NDJSON,
	OPT_NOCONVERT,
	OPT_UNITS,
	OPT_WHOLE_HETJOB,
	OPT_YAML,
};

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
	fprintf(stderr,
		"Invalid unit type '%c'. Possible options are 'KMGTP'\n", *arg);
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
	if (strcasecmp(arg, "no") && strcasecmp(arg, "n")) {
		cli_error("Invalid --whole-hetjob value \"%s\"."
			  " Valid values: [yes|no].",
			arg);
		exit(1);
	}
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

static void print_states(void)
{
	for (int i = 0; i < JOB_BASE_STATES; i++) {
		if (i)
			putchar(i % 4 ? ' ' : '\n');
		printf("%-19s", job_state_words[i].word);
	}
	putchar('\n');
}

static void print_reasons(void)
{
	for (int i = 0; reason_words[i]; i++) {
		if (i)
			putchar(i % 2 ? ' ' : '\n');
		printf("%-39s", reason_words[i]);
	}
	putchar('\n');
}

static void print_field_names(struct arena *arena)
{
	struct columns columns;

	sacct_columns(&columns, arena);
	grid_print_names(stdout, &columns.all, 4, 19);
}

/* The code says what. */
static void take_print(void *o, const struct option_row *row, const char *arg)
{
	(void)arg;
	if (row->code == 'V')
		cli_version(((struct options *)o)->verbose > 0);
	else if (row->code == 'e')
		print_field_names(((struct options *)o)->arena);
	else if (row->code == OPT_HELPSTATE)
		print_states();
	else if (row->code == OPT_HELPREASON)
		print_reasons();
	else
		fputs(row->code == 'U' ? usage_text : help_text, stdout);
	exit(0);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row rows[] = {
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"allusers", 'a', no_argument, option_bool, AT(all_users), true, false},
	{"accounts", 'A', required_argument, take_lower, AT(accounts), 0, false},
	{"allocations", 'X', no_argument, option_bool, AT(allocations), true, false},
	{NULL, 't', no_argument, option_bool, AT(allocations), true, true},
	{"array", OPT_ARRAY, no_argument, option_bool, AT(array_tasks), true, false},
	{"brief", 'b', no_argument, option_bool, AT(brief), true, false},
	{"batch-script", 'B', no_argument, option_bool, AT(script), true, false},
	{"completion", 'c', no_argument, option_bool, AT(completion), true, false},
	{"constraints", 'C', required_argument, take_list, AT(constraints), 0, false},
	{"delimiter", OPT_DELIMITER, required_argument, option_text, AT(delimiter), 0, false},
	{"duplicates", 'D', no_argument, option_bool, AT(duplicates), true, false},
	{"federation", OPT_FEDERATION, no_argument, option_bool, AT(federation), true, false},
	{"helpformat", 'e', no_argument, take_print, 0, 0, false},
	{"help-fields", 'e', no_argument, take_print, 0, 0, false},
	{"helpreason", OPT_HELPREASON, no_argument, take_print, 0, 0, false},
	{"helpstate", OPT_HELPSTATE, no_argument, take_print, 0, 0, false},
	{"endtime", 'E', required_argument, take_time, AT(until), 0, false},
	{"env-vars", OPT_ENV, no_argument, option_bool, AT(environment), true, false},
	{"expand-patterns", OPT_EXPAND, no_argument, option_bool, AT(expand), true, false},
	{"file", 'f', required_argument, take_file, 0, 0, false},
	{"flags", 'F', required_argument, take_list, AT(flags), 0, false},
	{"gid", 'g', required_argument, take_list, AT(groups), 0, false},
	{"group", 'g', required_argument, take_list, AT(groups), 0, false},
	{"help", 'h', no_argument, take_print, 0, 0, false},
	{"local", OPT_LOCAL, no_argument, option_bool, AT(local), true, false},
	{"name", OPT_NAME, required_argument, take_names, AT(names), 0, false},
	{"nnodes", 'i', required_argument, option_text, AT(nodes_count), 0, false},
	{"ncpus", 'I', required_argument, option_text, AT(cpus_count), 0, false},
	{"jobs", 'j', required_argument, take_jobs, AT(jobs), 0, false},
	{"timelimit-min", 'k', required_argument, take_limit, AT(limit_min), 0, false},
	{"timelimit-max", 'K', required_argument, take_limit, AT(limit_max), 0, false},
	{"long", 'l', no_argument, option_bool, AT(long_list), true, false},
	{"allclusters", 'L', no_argument, option_bool, AT(all_clusters), true, false},
	{"cluster", 'M', required_argument, take_clusters, AT(clusters), 0, false},
	{"clusters", 'M', required_argument, take_clusters, AT(clusters), 0, false},
	{"nodelist", 'N', required_argument, take_nodes, 0, 0, false},
	{"noconvert", OPT_NOCONVERT, no_argument, option_bool, AT(units.keep), true, false},
	{"units", OPT_UNITS, required_argument, take_units, 0, 0, false},
	{"noheader", 'n', no_argument, option_bool, AT(heading), false, false},
	{"fields", 'o', required_argument, take_format, 0, 0, false},
	{"format", 'o', required_argument, take_format, 0, 0, false},
	{"parsable", 'p', no_argument, option_int, AT(mode), TABLE_PARSABLE, false},
	{"parsable2", 'P', no_argument, option_int, AT(mode), TABLE_PARSABLE2, false},
	{"qos", 'q', required_argument, take_lower, AT(qos), 0, false},
	{"partition", 'r', required_argument, take_names, AT(partitions), 0, false},
	{"reason", 'R', required_argument, take_list, AT(reasons), 0, false},
	{"state", 's', required_argument, take_list, AT(states), 0, false},
	{"starttime", 'S', required_argument, take_time, AT(from), 0, false},
	{"truncate", 'T', no_argument, option_bool, AT(truncate), true, false},
	{"uid", 'u', required_argument, take_users, AT(users), 0, false},
	{"use-local-uid", OPT_LOCAL_UID, no_argument, option_bool, AT(local_uid), true, false},
	{"usage", 'U', no_argument, take_print, 0, 0, false},
	{"user", 'u', required_argument, take_users, AT(users), 0, false},
	{"verbose", 'v', no_argument, option_count, AT(verbose), 0, false},
	{"version", 'V', no_argument, take_print, 0, 0, false},
	{"wckeys", 'W', required_argument, take_names, AT(wckeys), 0, false},
	{"whole-hetjob", OPT_WHOLE_HETJOB, optional_argument, take_hetjob, 0, 0, false},
	{"associations", 'x', required_argument, take_names, AT(assocs), 0, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"csv", OPT_CSV, optional_argument, option_csv, AT(mode), TABLE_CSV, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{NULL, 0, 0, NULL, 0, 0, false},
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
		.now = time(NULL),
		.heading = true,
		.delimiter = "|",
		.units.forced = -1,
		.federation = getenv("SACCT_FEDERATION") != NULL,
		.local = getenv("SACCT_LOCAL") != NULL,
	};
	first = options_read(rows, options, argc, argv);
	check(options);
	if (first < argc)
		refuse_arguments(argv + first);
}
