/*
 * The options of squeue and its environment.
 */
#include "cmd/squeue/squeue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/jobstate.h"
#include "common/text/timespec.h"
#include "db/job/complete.h"

/* clang-format off */
static const char usage_text[] =
"Usage: squeue [-A accounts] [-j jobs] [-L licenses] [-M clusters] [-n names]\n"
"   [-o format | -O Format] [-p partitions] [-q qos] [-R reservations]\n"
"   [-S keys] [-s[steps]] [-t states] [-u users] [-w nodes] [-i seconds]\n"
"   [--federation] [--local] [--me] [--notme] [--sibling] [--start] [-ahlPrvV]\n";

static const char help_head[] =
"Usage: squeue [OPTIONS]\n"
"Shows the queue: jobs that wait, with the reason, and jobs that run.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"Which jobs (lists are separated by commas):", "accounts jobs licenses name partitions qos reservation states user me,notme nodelist running-over running-under all hide clusters federation,sibling local"},
	{"What of them:", "long format Format sort priority array steps start only-job-state expand-patterns noconvert noheader iterate"},
	{"What if (only in Bursar):", "what-if"},
	{"For machines:", "json,yaml csv,ndjson"},
	{"Help:", "verbose offline version help helpformat,helpFormat helpstate usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 34, NULL};

static const char states_text[] =
"pending,running,suspended,completed,cancelled,failed,timeout,node_fail,"
"preempted,boot_fail,deadline,out_of_memory,completing,configuring,"
"expediting,resizing,resv_del_hold,requeued,requeue_fed,requeue_hold,revoked,"
"signaling,special_exit,stage_out,stopped";
/* clang-format on */

/* ---- lists ---------------------------------------------------------------*/

/* A partition that is asked for by name is not hidden. */
static void take_partitions(
	void *o, const struct option_row *row, const char *arg)
{
	((struct options *)o)->all = true;
	option_list(o, row, arg);
}

static void read_steps(struct options *options, const char *text)
{
	struct option_list list;

	option_list_read(&list, options->arena, text);
	options->steps_text = text;
	options->n_steps = 0;
	for (size_t i = 0; i < list.words.n; i++) {
		if (step_ref_parse(list.words.v[i],
			    ARENA_PUSH(options->arena, options->steps,
				    options->n_steps, options->cap_steps),
			    options->arena))
			continue;
		cli_refuse("Invalid job_step id: %s", list.words.v[i]);
	}
}

static void take_steps(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->step_flag = true;
	if (arg)
		read_steps(options, arg);
}

static void read_states(struct options *options, const char *text)
{
	struct option_list list;

	options->states_text = text;
	options->n_states = 0;
	options->all_states = !strcasecmp(text, "all");
	option_list_read(
		&list, options->arena, options->all_states ? "" : text);
	for (size_t i = 0; i < list.words.n; i++) {
		if (!job_state_parse(list.words.v[i],
			    ARENA_PUSH(options->arena, options->states,
				    options->n_states, options->cap_states)))
			continue;
		cli_error("Invalid job state specified: %s", list.words.v[i]);
		cli_refuse("Valid job states include: %s\n", states_text);
	}
}

static void take_states(void *o, const struct option_row *row, const char *arg)
{
	(void)row;
	read_states(o, arg);
}

static void take_nodes(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	option_hosts_read(&options->nodes, options->arena, arg, "nodelist");
}

/* ---- others --------------------------------------------------------------*/

static void take_format(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	if (options->format_long)
		cli_refuse("-o (--format) is incompatible with -O (--Format)");
	options->format_text = arg;
}

static void take_long(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	if (options->format_text)
		cli_refuse("-O (--Format) is incompatible with -o (--format)");
	options->format_long = arg;
}

static void take_iterate(void *o, const struct option_row *row, const char *arg)
{
	(void)row;
	if (option_interval_read(&((struct options *)o)->iterate, arg))
		return;
	cli_refuse("--iterate=%s\n", arg);
}

static void take_seconds(void *o, const struct option_row *row, const char *arg)
{
	uint32_t seconds;
	struct err err;

	if (seconds_parse(arg, &seconds, &err) || !seconds || seconds == NO_VAL)
		cli_fatal("Invalid time limit specification");
	memcpy((char *)o + row->offset, &seconds, sizeof(seconds));
}

static void print_states(void *options)
{
	(void)options;
	for (const char *c = states_text; *c; c++)
		putchar(*c == ',' ? '\n' : *c);
	putchar('\n');
}

static const struct members *own_types(void *options)
{
	return squeue_types(((struct options *)options)->step_flag);
}

static void print_own_letters(void *options)
{
	print_letters(own_types(options));
}

static void print_own_types(void *options)
{
	print_types(own_types(options));
}

static void offer_types(struct completion *c)
{
	offer_columns(c, squeue_types(false));
}

static void offer_states(struct completion *c)
{
	offer_list(c, "all");
	offer_list(c, states_text);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"accounts", 'A', required_argument, option_list, .offset = AT(accounts), .source = FROM_ACCOUNTS, .env = "SQUEUE_ACCOUNT",
		.arg = "NAMES", .help = "of these accounts"},
	{NULL, 'U', required_argument, option_list, .offset = AT(accounts), .source = FROM_ACCOUNTS},
	{"all", 'a', no_argument, option_bool, .offset = AT(all), .value = true, .env = "SQUEUE_ALL",
		.help = "in hidden partitions too"},
	{"array", 'r', no_argument, option_bool, .offset = AT(array), .value = true, .env = "SQUEUE_ARRAY",
		.help = "a line for each task of an array"},
	{"expand-patterns", 0, no_argument, option_bool, .offset = AT(expand), .value = true,
		.help = "fill in the patterns in names of files"},
	{"Format", 'O', required_argument, take_long, .offer = offer_types,
		.arg = "TYPES", .help = "these columns; see --helpFormat"},
	{"format", 'o', required_argument, take_format,
		.arg = "FORMAT", .help = "these columns; see --helpformat"},
	{"federation", 0, no_argument, option_bool, .offset = AT(clusters.federation), .value = true, .env = "SQUEUE_FEDERATION",
		.help = "of all clusters of the federation"},
	OPTION_HELP(0, "print this"),
	{"helpstate", 0, no_argument, option_print, .print = print_states,
		.help = "print the states"},
	{"helpformat", 0, no_argument, option_print, .print = print_own_letters,
		.help = "print letters and types of columns"},
	{"helpFormat", 0, no_argument, option_print, .print = print_own_types},
	{"hide", 0, no_argument, option_bool, .offset = AT(all),
		.help = "not in hidden partitions"},
	{"iterate", 'i', required_argument, take_iterate,
		.arg = "SECONDS", .help = "again and again"},
	{"jobs", 'j', optional_argument, option_jobs, .offset = AT(jobs), .source = FROM_OPEN_JOBS,
		.arg = "IDS", .help = "only these"},
	{"j", 'j', optional_argument, option_jobs, .offset = AT(jobs), .hidden = true},
	{"local", 0, no_argument, option_bool, .offset = AT(clusters.local), .value = true, .env = "SQUEUE_LOCAL",
		.help = "of our own cluster only"},
	{"long", 'l', no_argument, option_bool, .offset = AT(long_list), .value = true,
		.help = "more columns"},
	{"licenses", 'L', required_argument, option_list, .offset = AT(licenses), .env = "SQUEUE_LICENSES",
		.arg = "NAMES", .help = "that ask for these licenses"},
	{"cluster", 'M', required_argument, option_clusters, .offset = AT(clusters)},
	{"clusters", 'M', required_argument, option_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS, .env = "SLURM_CLUSTERS",
		.arg = "NAMES", .help = "of these clusters"},
	{"c", 'M', required_argument, option_clusters, .offset = AT(clusters), .hidden = true},
	{"me", 0, no_argument, option_bool, .offset = AT(me), .value = true,
		.help = "of the caller, of all others"},
	{"name", 'n', required_argument, option_list, .offset = AT(names), .env = "SQUEUE_NAMES",
		.arg = "NAMES", .help = "of these names"},
	{"noconvert", 0, no_argument, option_bool, .offset = AT(no_convert), .value = true,
		.help = "no units"},
	{"node", 'w', required_argument, take_nodes, .value = 0},
	{"nodes", 'w', required_argument, take_nodes, .value = 0},
	{"nodelist", 'w', required_argument, take_nodes,
		.arg = "HOSTS", .help = "that run on these nodes"},
	OPTION_NOHEADER('h', "no headings"),
	{"notme", 0, no_argument, option_bool, .offset = AT(not_me), .value = true},
	{"o", 0, no_argument, option_bool, .offset = AT(only_state), .value = true, .hidden = true},
	{"only-job-state", 0, no_argument, option_bool, .offset = AT(only_state), .value = true,
		.help = "only job and state"},
	{"partitions", 'p', required_argument, take_partitions, .offset = AT(partitions), .source = FROM_PARTITIONS,
		.arg = "NAMES", .help = "in these partitions"},
	{"priority", 'P', no_argument, option_bool, .offset = AT(priority), .value = true, .env = "SQUEUE_PRIORITY",
		.help = "a line for each partition a job may run in"},
	{"qos", 'q', required_argument, option_list, .offset = AT(qos), .source = FROM_QOS, .env = "SQUEUE_QOS",
		.arg = "NAMES", .help = "under these QOS"},
	{"reservation", 'R', required_argument, option_text, .offset = AT(reservation),
		.arg = "NAMES", .help = "in these reservations"},
	{"running-over", 0, required_argument, take_seconds, .offset = AT(over),
		.arg = "TIME", .help = "that have run for longer"},
	{"running-under", 0, required_argument, take_seconds, .offset = AT(under),
		.arg = "TIME", .help = "that have not run for so long"},
	{"sib", 0, no_argument, option_bool, .offset = AT(clusters.sibling), .value = true, .env = "SQUEUE_SIB"},
	{"sibling", 0, no_argument, option_bool, .offset = AT(clusters.sibling), .value = true, .alias = "sib", .env = "SQUEUE_SIBLING"},
	{"sort", 'S', required_argument, option_text, .offset = AT(sort), .env = "SQUEUE_SORT",
		.arg = "KEYS", .help = "in this order: letters, - before one for\ndescending"},
	{"start", 0, no_argument, option_bool, .offset = AT(start), .value = true,
		.help = "when waiting jobs are expected to start"},
	{"steps", 's', optional_argument, take_steps,
		.arg = "STEPS", .help = "steps that run, as 9.0,9.batch, not jobs"},
	{"states", 't', required_argument, take_states, .offer = offer_states,
		.arg = "STATES", .help = "in these states; all: in any"},
	OPTION_USAGE,
	{"user", 'u', required_argument, option_list, .offset = AT(users), .source = FROM_USERS, .env = "SQUEUE_USERS",
		.arg = "NAMES", .help = "of these users"},
	{"users", 'u', required_argument, option_list, .offset = AT(users)},
	OPTION_VERBOSE("say what was asked for"),
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	{"what-if", 0, required_argument, option_push, .offset = AT(what_if),
		.arg = "CHANGE", .help = "before, after, difference; repeatable. CHANGE: as\nfor sacctmgr, job ... as for srecord, or a\nPriority... line of slurm.conf. Nothing is\nwritten"},
	OPTION_JSON("a document"),
	{"csv", 0, optional_argument, option_csv_flag, .offset = AT(csv), .value = true,
		.help = "lines (only in Bursar)"},
	{"ndjson", 0, no_argument, option_int, .offset = AT(form), .value = JSON_LINES},
	{.take = NULL},
};
/* clang-format on */

/* ---- environment ---------------------------------------------------------*/

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

/* Where no option takes its place. */
static void read_env_lists(struct options *options)
{
	const char *partitions = getenv("SQUEUE_PARTITION");
	const char *states = getenv("SQUEUE_STATES");

	if (partitions && !options->partitions.text) {
		option_list_read(
			&options->partitions, options->arena, partitions);
		options->all = true;
	}
	if (states && !options->states_text)
		read_states(options, states);
}

static void read_env_format(struct options *options)
{
	if (options->format_text || options->format_long ||
		options->long_list || options->start)
		return;
	options->format_text = getenv("SQUEUE_FORMAT");
	if (!options->format_text)
		options->format_long = getenv("SQUEUE_FORMAT2");
}

/* ---- all -----------------------------------------------------------------*/

static void read_arguments(struct options *options, char **words, int n)
{
	if (n && (options->jobs.given || options->step_flag)) {
		if (options->step_flag)
			read_steps(options, *words++);
		else
			option_jobs_read(
				&options->jobs, options->arena, *words++);
		n--;
	}
	if (n)
		option_bad_word(*words, usage_text);
}

static void check_running(const struct options *options)
{
	if (options->over && options->under && options->over > options->under)
		cli_fatal("--running-over=%s and --running-under=%s will "
			  "return 0 jobs.",
			duration_format(options->arena, options->over),
			duration_format(options->arena, options->under));
}

/* Slurm has documents of jobs alone. */
static void check_steps(const struct options *options)
{
	if (options->step_flag && (options->form || options->what_if.n))
		cli_fatal("--steps is a table: it goes with neither %s",
			options->form ? "--json, --yaml nor --ndjson"
				      : "--what-if nor its documents");
}

static void set_defaults(struct options *options)
{
	if (options->step_flag && !options->sort)
		options->sort = "P,i";
	if (options->step_flag && !options->format_text &&
		!options->format_long)
		options->format_text = "%.15i %.8j %.9P %.8u %.9M %N";
	if (options->start) {
		if (!options->format_text && !options->format_long)
			options->format_text =
				"%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
		if (!options->sort)
			options->sort = "S";
		if (!options->states_text)
			read_states(options, "PD");
	}
	if (options->format_text || options->format_long)
		return;
	if (options->what_if.n)
		options->format_text = "%.10i %.9P %.8u %.2t %.10Q %.19S %23r";
	else if (options->only_state)
		options->format_text = "%.18i %.2t";
	else if (options->long_list)
		options->format_text =
			"%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
	else
		options->format_text =
			"%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
}

static void say_options(const struct options *o)
{
	const struct option_said said[] = {
		{"accounts", o->accounts.text},
		{"format", o->format_text},
		{"format_long", o->format_long},
		{"jobs", o->jobs.text},
		{"licenses", o->licenses.text},
		{"names", o->names.text},
		{"nodes", o->nodes.text},
		{"partitions", o->partitions.text},
		{"qoss", o->qos.text},
		{"reservation", o->reservation},
		{"sort", o->sort},
		{"states", o->states_text},
		{"steps", o->steps_text},
		{"users", o->users.text},
	};

	options_say(said, LENGTH(said), 11);
}

void squeue_options(
	struct options *options, struct arena *arena, int argc, char **argv)
{
	int first;

	*options = (struct options){.arena = arena,
		.heading = true,
		.jobs.parse = job_id_parse};
	first = options_read(option_rows, options, argc, argv);
	option_check_long(options->long_list, options->format_text);
	options->format_asked = options->format_text || options->format_long;
	read_env_format(options);
	read_arguments(options, argv + first, argc - first);
	read_env_lists(options);
	check_running(options);
	check_steps(options);
	if (options->array)
		setenv("SLURM_BITSTR_LEN", "0", 1);
	set_defaults(options);
	if (options->verbose)
		say_options(options);
}
