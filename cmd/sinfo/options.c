/*
 * The options of sinfo and its environment.
 */
#include "cmd/sinfo/sinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cli/cli.h"
#include "db/job/complete.h"

/* clang-format off */
static const char usage_text[] =
"Usage: sinfo [-M clusters] [-n nodes] [-o format | -O Format] [-p partitions]\n"
"   [-S keys] [-t states] [-i seconds] [-adeFhlNrRsTvV]\n";

static const char help_head[] =
"Usage: sinfo [OPTIONS]\n"
"Shows partitions and nodes: of slurm.conf, with what runs there and what is down.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"Which (lists are separated by commas):", "all hide dead responding future nodes partition states clusters federation,local"},
	{"What of them:", "exact long Node list-reasons summarize reservation format Format sort noconvert noheader iterate"},
	{"For machines:", "json,yaml csv,ndjson"},
	{"Help:", "verbose offline version help helpformat,helpFormat helpstate usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 34, NULL};
/* clang-format on */

/* ---- lists ---------------------------------------------------------------*/

static void print_states(FILE *out, char between)
{
	bool flags = false;

	for (const struct node_state_word *w = node_state_words; w->word; w++) {
		if (w->state == NODE_ERROR)
			continue;
		if (w->state >= NODE_BASE_STATES && !flags) {
			fprintf(out, "%cdrained%cdraining", between, between);
			flags = true;
		}
		if (w != node_state_words)
			fputc(between, out);
		for (const char *c = w->word; *c; c++)
			fputc(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c,
				out);
	}
	fputc('\n', out);
}

static void read_states(struct options *o, const char *text)
{
	o->states_text = text;
	o->n_states = 0;
	o->any_state = !strcasecmp(text, "all");
	o->every_state = strpbrk(text, "+&") != NULL;
	while (*text && !o->any_state) {
		size_t len = strcspn(text, ",&+");
		bool not = *text == '~' || *text == '!';
		const char *word = arena_strndup(
			o->arena, text + not, len - (len ? not : 0));
		struct state_asked asked = {.not = not};

		text += len + (text[len] != '\0');
		if (!len)
			continue;
		if (node_state_parse(word, &asked.state)) {
			cli_error("Bad state string: \"%s\"", word);
			fprintf(stderr, "%s: error: valid states: ", cli_name());
			print_states(stderr, ',');
			exit(1);
		}
		*ARENA_PUSH(o->arena, o->states, o->n_states, o->cap_states) =
			asked;
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
	option_hosts_read(&options->nodes, options->arena, arg, "nodes");
}

static void take_format(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	options->format_text = row->code == 'o' ? arg : NULL;
	options->format_long = row->code == 'O' ? arg : NULL;
}

static void take_iterate(void *o, const struct option_row *row, const char *arg)
{
	(void)row;
	if (option_interval_read(&((struct options *)o)->iterate, arg))
		return;
	cli_refuse("Error: invalid entry for --iterate=%s", arg);
}

static void print_state_names(void *options)
{
	(void)options;
	print_states(stdout, '\n');
}

static void print_own_letters(void *options)
{
	(void)options;
	print_letters(&sinfo_types);
}

static void print_own_types(void *options)
{
	(void)options;
	print_types(&sinfo_types);
}

static void offer_types(struct completion *c)
{
	offer_columns(c, &sinfo_types);
}

static void offer_states(struct completion *c)
{
	offer_list(c, "all drained draining");
	for (const struct node_state_word *w = node_state_words; w->word; w++)
		if (w->state != NODE_ERROR)
			offer_word(c, str_lower(c->arena, w->word), "", NULL);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"all", 'a', no_argument, option_bool, .offset = AT(all), .value = true, .env = "SINFO_ALL",
		.help = "hidden partitions too"},
	{"dead", 'd', no_argument, option_bool, .offset = AT(dead), .value = true,
		.help = "nodes that do not respond"},
	{"exact", 'e', no_argument, option_bool, .offset = AT(exact), .value = true,
		.help = "only nodes of one size share a line"},
	{"federation", 0, no_argument, option_bool, .offset = AT(clusters.federation), .value = true, .env = "SINFO_FEDERATION",
		.help = "taken as in Slurm"},
	{"future", 'F', no_argument, option_bool, .offset = AT(future), .value = true, .env = "SINFO_FUTURE",
		.help = "nodes of state FUTURE too"},
	OPTION_HELP(0, "print this"),
	{"helpformat", 0, no_argument, option_print, .print = print_own_letters,
		.help = "print letters and types of columns"},
	{"helpFormat", 0, no_argument, option_print, .print = print_own_types},
	{"helpstate", 0, no_argument, option_print, .print = print_state_names,
		.help = "print the states"},
	{"hide", 0, no_argument, option_bool, .offset = AT(all),
		.help = "no hidden partitions"},
	{"iterate", 'i', required_argument, take_iterate,
		.arg = "SECONDS", .help = "again and again"},
	{"local", 0, no_argument, option_bool, .offset = AT(clusters.local), .value = true, .env = "SINFO_LOCAL"},
	{"long", 'l', no_argument, option_bool, .offset = AT(long_list), .value = true,
		.help = "more columns"},
	{"cluster", 'M', required_argument, option_clusters, .offset = AT(clusters)},
	{"clusters", 'M', required_argument, option_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS, .env = "SLURM_CLUSTERS",
		.arg = "NAMES", .help = "of these clusters"},
	{"c", 'M', required_argument, option_clusters, .offset = AT(clusters), .hidden = true},
	{"nodes", 'n', required_argument, take_nodes,
		.arg = "HOSTS", .help = "these nodes"},
	{"noconvert", 0, no_argument, option_bool, .offset = AT(no_convert), .value = true,
		.help = "no units"},
	OPTION_NOHEADER('h', "no headings"),
	{"Node", 'N', no_argument, option_bool, .offset = AT(by_node), .value = true,
		.help = "a line for each node and partition"},
	{"format", 'o', required_argument, take_format,
		.arg = "FORMAT", .help = "these columns; see --helpformat"},
	{"Format", 'O', required_argument, take_format, .offer = offer_types,
		.arg = "TYPES", .help = "these columns; see --helpFormat"},
	{"partition", 'p', required_argument, option_list, .offset = AT(partitions), .source = FROM_PARTITIONS, .env = "SINFO_PARTITION",
		.arg = "NAMES", .help = "these partitions"},
	{"responding", 'r', no_argument, option_bool, .offset = AT(responding), .value = true,
		.help = "nodes that do"},
	{"list-reasons", 'R', no_argument, option_bool, .offset = AT(reasons), .value = true,
		.help = "why nodes are down, drained or failing"},
	{"summarize", 's', no_argument, option_bool, .offset = AT(summary), .value = true,
		.help = "a line for each partition"},
	{"sort", 'S', required_argument, option_text, .offset = AT(sort), .env = "SINFO_SORT",
		.arg = "KEYS", .help = "in this order: letters, - before one for\ndescending"},
	{"states", 't', required_argument, take_states, .offer = offer_states,
		.arg = "STATES", .help = "nodes in one of these states; a+b: in all"},
	{"reservation", 'T', no_argument, option_bool, .offset = AT(reservations), .value = true,
		.help = "reservations"},
	OPTION_USAGE,
	OPTION_VERBOSE("say what was asked for"),
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	OPTION_JSON("a document"),
	{"csv", 0, optional_argument, option_csv_flag, .offset = AT(csv), .value = true,
		.help = "lines (only in Bursar)"},
	{"ndjson", 0, no_argument, option_int, .offset = AT(form), .value = JSON_LINES},
	{.take = NULL},
};
/* clang-format on */

/* ---- all -----------------------------------------------------------------*/

/* Does the environment choose partitions? */
static bool check_environment(void)
{
	bool all = getenv("SINFO_ALL"), some = getenv("SINFO_PARTITION");

	if (all && some)
		cli_refuse("SINFO_ALL and SINFO_PARTITION exclude each other: "
			   "unset one");
	return all || some;
}

#define HEAD "partition:9 ,available:.5 ,time:.10 ,"

static const char *long_format(const struct options *o)
{
	if (o->summary)
		return HEAD "nodeaiot:.16 ,nodelist:0";
	if (o->by_node && o->long_list)
		return "nodelist:0 ,nodes:.6 ,partition:.9 ,statelong:.11 ,"
		       "cpus:4 ,socketcorethread:.8 ,memory:.6 ,disk:.8 ,"
		       "weight:.6 ,features:.8 ,reason:20";
	if (o->by_node)
		return "nodelist:0 ,nodes:.6 ,partition:.9 ,statecompact:6";
	if (o->reasons && o->long_list)
		return "reason:20 ,userlong:12 ,timestamp:19 ,statecompact:6 ,"
		       "nodelist:0";
	if (o->reasons)
		return "reason:20 ,user:9 ,timestamp:19 ,nodelist:0";
	if (o->long_list)
		return HEAD "size:.10 ,root:.4 ,oversubscribe:.8 ,groups:.10 ,"
			    "nodes:.6 ,statelong:.11 ,reservation:.11 ,"
			    "nodelist:0";
	return HEAD "nodes:.6 ,statecompact:.6 ,nodelist:0";
}

static void check_partitions(struct options *o, bool by_environment)
{
	if (!o->all || !o->partitions.text || by_environment)
		return;
	cli_refuse("Conflicting options, -a and -p, specified. Please choose "
		   "one or the other.");
}

static void set_defaults(struct options *o)
{
	bool asked = o->format_text || o->format_long;

	o->format_asked = asked;
	if (!asked && !o->summary && !o->by_node && !o->reasons)
		o->format_text = getenv("SINFO_FORMAT");
	if (!o->format_text && !o->format_long) {
		o->own_format = true;
		o->format_long = long_format(o);
	}
	if (o->reasons && !o->states_text)
		read_states(o, "down,fail,drain");
	if (!o->sort)
		o->sort = o->by_node ? "N" : "#P,-t";
}

static void say_options(const struct options *o)
{
	const struct option_said said[] = {
		{"format", o->format_text},
		{"format_long", o->format_long},
		{"nodes", o->nodes.text},
		{"partition", o->partitions.text},
		{"sort", o->sort},
		{"states", o->states_text},
	};

	options_say(said, sizeof(said) / sizeof(*said), 11);
}

void sinfo_options(
	struct options *o, struct arena *arena, int argc, char **argv)
{
	bool by_environment;
	int first;

	*o = (struct options){.arena = arena, .heading = true};
	by_environment = check_environment();
	first = options_read(option_rows, o, argc, argv);
	if (first < argc)
		option_bad_word(argv[first], usage_text);
	option_check_long(o->long_list,
		o->format_text ? o->format_text : o->format_long);
	check_partitions(o, by_environment);
	set_defaults(o);
	if (o->verbose)
		say_options(o);
}
