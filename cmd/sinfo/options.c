/*
 * The options of sinfo and its environment.
 */
#include "cmd/sinfo/sinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"

/* clang-format off */
static const char usage_text[] =
"Usage: sinfo [-M clusters] [-n nodes] [-o format | -O Format] [-p partitions]\n"
"   [-S keys] [-t states] [-i seconds] [-adeFhlNrRsTvV]\n";

static const char help_text[] =
"Usage: sinfo [OPTIONS]\n"
"Shows partitions and nodes: of slurm.conf, with what runs there and what is down.\n"
"\n"
"Which (lists are separated by commas):\n"
"  -a, --all                       hidden partitions too\n"
"      --hide                      no hidden partitions\n"
"  -d, --dead                      nodes that do not respond\n"
"  -r, --responding                nodes that do\n"
"  -F, --future                    nodes of state FUTURE too\n"
"  -n, --nodes=HOSTS               these nodes\n"
"  -p, --partition=NAMES           these partitions\n"
"  -t, --states=STATES             nodes in one of these states; a+b: in all\n"
"  -M, --clusters=NAMES            of these clusters\n"
"      --federation, --local       taken as in Slurm\n"
"\n"
"What of them:\n"
"  -e, --exact                     only nodes of one size share a line\n"
"  -l, --long                      more columns\n"
"  -N, --Node                      a line for each node and partition\n"
"  -R, --list-reasons              why nodes are down, drained or failing\n"
"  -s, --summarize                 a line for each partition\n"
"  -T, --reservation               reservations\n"
"  -o, --format=FORMAT             these columns; see --helpformat\n"
"  -O, --Format=TYPES              these columns; see --helpFormat\n"
"  -S, --sort=KEYS                 in this order: letters, - before one for\n"
"                                  descending\n"
"      --noconvert                 no units\n"
"  -h, --noheader                  no headings\n"
"  -i, --iterate=SECONDS           again and again\n"
"\n"
"For machines:\n"
"      --json, --yaml              a document\n"
"      --csv, --ndjson             lines (only in Bursar)\n"
"\n"
"Help:\n"
"  -v, --verbose                   say what was asked for\n"
"  -V, --version                   print the version\n"
"      --help                      print this\n"
"      --helpformat, --helpFormat  print letters and types of columns\n"
"      --helpstate                 print the states\n"
"      --usage                     print the options in short\n";
/* clang-format on */

enum {
	OPT_HELP = OPTION_LONG,
	OPT_HELPSTATE,
	OPT_HELPFORMAT,
	OPT_HELPFORMAT2,
	OPT_USAGE,
	OPT_HIDE,
	OPT_NOCONVERT,
	OPT_LOCAL,
	OPT_FEDERATION,
	OPT_AUTOCOMPLETE,
	OPT_JSON,
	OPT_YAML,
	OPT_CSV,
	OPT_NDJSON,
};

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
	struct err err;

	(void)row;
	options->nodes_text = arg;
	options->nodes = (struct strv){0};
	if (!hostlist_expand(arg, options->arena, &options->nodes, &err))
		return;
	cli_error("'%s' invalid entry for --nodes", arg);
	exit(1);
}

static void take_format(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	options->format_text = row->code == 'o' ? arg : NULL;
	options->format_long = row->code == 'O' ? arg : NULL;
}

static void take_iterate(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	uint32_t seconds = 0;
	const char *rest;

	(void)row;
	if (number_read(arg, &seconds, &rest) || !seconds || seconds > 86400) {
		cli_error("Error: invalid entry for --iterate=%s", arg);
		exit(1);
	}
	options->iterate = (int)seconds;
}

static void take_text(void *o, const struct option_row *row, const char *arg)
{
	(void)o, (void)arg;
	if (row->code == OPT_HELP)
		fputs(help_text, stdout);
	else if (row->code == OPT_USAGE)
		fputs(usage_text, stdout);
	else if (row->code == OPT_HELPFORMAT)
		print_letters(&sinfo_types);
	else if (row->code == OPT_HELPFORMAT2)
		print_types(&sinfo_types);
	else
		print_states(stdout, '\n');
	exit(0);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"all", 'a', no_argument, option_bool, AT(all), true, false},
	{"dead", 'd', no_argument, option_bool, AT(dead), true, false},
	{"exact", 'e', no_argument, option_bool, AT(exact), true, false},
	{"federation", OPT_FEDERATION, no_argument, option_bool, AT(clusters.federation), true, false},
	{"future", 'F', no_argument, option_bool, AT(future), true, false},
	{"help", OPT_HELP, no_argument, take_text, 0, 0, false},
	{"helpformat", OPT_HELPFORMAT, no_argument, take_text, 0, 0, false},
	{"helpFormat", OPT_HELPFORMAT2, no_argument, take_text, 0, 0, false},
	{"helpstate", OPT_HELPSTATE, no_argument, take_text, 0, 0, false},
	{"hide", OPT_HIDE, no_argument, option_bool, AT(all), false, false},
	{"iterate", 'i', required_argument, take_iterate, 0, 0, false},
	{"local", OPT_LOCAL, no_argument, option_bool, AT(clusters.local), true, false},
	{"long", 'l', no_argument, option_bool, AT(long_list), true, false},
	{"cluster", 'M', required_argument, option_clusters, AT(clusters), 0, false},
	{"clusters", 'M', required_argument, option_clusters, AT(clusters), 0, false},
	{"c", 'M', required_argument, option_clusters, AT(clusters), 0, true},
	{"nodes", 'n', required_argument, take_nodes, 0, 0, false},
	{"noconvert", OPT_NOCONVERT, no_argument, option_bool, AT(no_convert), true, false},
	{"noheader", 'h', no_argument, option_bool, AT(heading), false, false},
	{"Node", 'N', no_argument, option_bool, AT(by_node), true, false},
	{"format", 'o', required_argument, take_format, 0, 0, false},
	{"Format", 'O', required_argument, take_format, 0, 0, false},
	{"partition", 'p', required_argument, option_list, AT(partitions), 0, false},
	{"responding", 'r', no_argument, option_bool, AT(responding), true, false},
	{"list-reasons", 'R', no_argument, option_bool, AT(reasons), true, false},
	{"summarize", 's', no_argument, option_bool, AT(summary), true, false},
	{"sort", 'S', required_argument, option_text, AT(sort), 0, false},
	{"states", 't', required_argument, take_states, 0, 0, false},
	{"reservation", 'T', no_argument, option_bool, AT(reservations), true, false},
	{"usage", OPT_USAGE, no_argument, take_text, 0, 0, false},
	{"verbose", 'v', no_argument, option_count, AT(verbose), 0, false},
	{"version", 'V', no_argument, option_version, 0, false, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"csv", OPT_CSV, no_argument, option_bool, AT(csv), true, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{NULL, 0, 0, NULL, 0, 0, false},
};
/* clang-format on */

/* ---- all -----------------------------------------------------------------*/

static void read_environment(struct options *o)
{
	const char *partition = getenv("SINFO_PARTITION");

	o->all = getenv("SINFO_ALL") != NULL;
	o->future = getenv("SINFO_FUTURE") != NULL;
	o->clusters.federation = getenv("SINFO_FEDERATION") != NULL;
	o->clusters.local = getenv("SINFO_LOCAL") != NULL;
	o->sort = getenv("SINFO_SORT");
	option_clusters_environment(&o->clusters);
	if (!partition)
		return;
	if (o->all) {
		cli_error("SINFO_ALL and SINFO_PARTITION exclude each other: "
			  "unset one");
		exit(1);
	}
	option_list_read(&o->partitions, o->arena, partition);
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
	cli_error("Conflicting options, -a and -p, specified. Please choose "
		  "one or the other.");
	exit(1);
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
		{"nodes", o->nodes_text},
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
	read_environment(o);
	by_environment = o->all || o->partitions.text;
	first = options_read(option_rows, o, argc, argv);
	if (first < argc)
		option_bad_word(argv[first], usage_text);
	if (o->long_list && (o->format_text || o->format_long))
		cli_fatal("Options -o(--format) and -l(--long) are mutually "
			  "exclusive. Please remove one and retry.");
	check_partitions(o, by_environment);
	set_defaults(o);
	if (o->verbose)
		say_options(o);
}
