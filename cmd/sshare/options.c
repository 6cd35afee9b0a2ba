/*
 * The options of sshare (Slurm's src/sshare/sshare.c). `--usage` prints Slurm's
 * own list, which scripts and its test suite look at.
 */
#include "cmd/sshare/sshare.h"

#include <stdio.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/job/complete.h"

/* clang-format off */
static const char usage_text[] =
"Usage:  sshare [OPTION]                                                    \n"
"  Valid OPTIONs are:                                                       \n"
"    -a or --all            list all users                                  \n"
"    -A or --accounts=      display specific accounts (comma separated list)\n"
"    -e or --helpformat     Print a list of fields that can be specified    \n"
"                           with the '--format' option                      \n"
"    --json[=data_parser]   Produce JSON output                             \n"
"    -l or --long           include normalized usage in output              \n"
"    -m or --partition      print the partition part of the association     \n"
"    -M or --cluster=names  clusters to issue commands to.                  \n"
"                           NOTE: SlurmDBD must be up.                      \n"
"    -n or --noheader       omit header from output                         \n"
"    -o or --format=        Comma separated list of fields (use             \n"
"                           \"--helpformat\" for a list of available fields).\n"
"    -p or --parsable       '|' delimited output with a trailing '|'        \n"
"    -P or --parsable2      '|' delimited output without a trailing '|'     \n"
"    -u or --users=         display specific users (comma separated list)   \n"
"    -U or --Users          display only user information                   \n"
"    -v or --verbose        display more information                        \n"
"    -V or --version        display tool version number                     \n"
"    --yaml[=data_parser]   Produce YAML output                             \n"
"          --help           display this usage description                  \n"
"          --usage          display this usage description                  \n"
"                                                                           \n"
"\n";

/* What Slurm does not have; after the above with --help. */
static const struct option_group more_groups[] = {
	{"  Only in Bursar:", "algorithm at csv explain forecast history offline plot svg start end ndjson what-if"},
	{NULL, NULL},
};
static const struct option_help more_page = {"", more_groups, 27, NULL};
/* clang-format on */

static void take_accounts(
	void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	strv_names(&options->accounts, options->arena, arg);
}

static void take_users(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->all_users = !strcmp(arg, "-1");
	if (!options->all_users)
		strv_words(&options->users, options->arena, arg);
}

static void take_format(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->format = arena_printf(options->arena, "%s%s,",
		options->format ? options->format : "",
		str_lower(options->arena, arg));
}

static void take_forecast(
	void *o, const struct option_row *row, const char *arg)
{
	((struct options *)o)->forecast = true;
	option_text(o, row, arg);
}

static void take_algorithms(
	void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	struct err err;

	(void)row;
	if (algorithms_read(&options->algorithms, arg, &err))
		cli_die(&err);
}

static void print_columns(void *options)
{
	struct members columns =
		share_columns(((struct options *)options)->arena);

	grid_print_names(stdout, &columns, 4, 17);
}

static void offer_own_columns(struct completion *c)
{
	struct members columns = share_columns(c->arena);

	offer_columns(c, &columns);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row rows[] = {
	{"at", 0, required_argument, option_text, .offset = AT(at_text),
		.arg = "TIME", .help = "as it was, or will be if nothing else is submitted"},
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"accounts", 'A', required_argument, take_accounts, .source = FROM_ACCOUNTS},
	{"algorithm", 0, required_argument, take_algorithms, .values = "fair-tree classic depth-oblivious",
		.arg = "LIST", .help = "effective usage and factor under each of these, side\nby side: fair-tree, classic, depth-oblivious"},
	{"all", 'a', no_argument, option_bool, .offset = AT(all_users), .value = true},
	{"al", 'a', no_argument, option_bool, .offset = AT(all_users), .value = true, .hidden = true},
	{"explain", 0, no_argument, option_bool, .offset = AT(explain), .value = true,
		.help = "why users have the fair-share they have, and what\nwould raise it"},
	{"helpformat", 'e', no_argument, option_print, .print = print_columns},
	{"long", 'l', no_argument, option_bool, .offset = AT(long_list), .value = true},
	{"partition", 'm', no_argument, option_bool, .offset = AT(with_partition), .value = true},
	{"cluster", 'M', required_argument, option_clusters, .offset = AT(clusters)},
	{"clusters", 'M', required_argument, option_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS},
	{"c", 'M', required_argument, option_clusters, .offset = AT(clusters), .hidden = true},
	{"noheader", 'n', no_argument, option_bool, .offset = AT(heading)},
	{"n", 'n', no_argument, option_bool, .offset = AT(heading), .hidden = true},
	{NULL, 'h', no_argument, option_bool, .offset = AT(heading), .hidden = true},
	{"format", 'o', required_argument, take_format, .offer = offer_own_columns},
	{"f", 'o', required_argument, take_format, .hidden = true},
	{"fo", 'o', required_argument, take_format, .hidden = true},
	{"for", 'o', required_argument, take_format, .hidden = true},
	{"forecast", 0, optional_argument, take_forecast, .offset = AT(forecast_text),
		.arg = "VALUES", .help = "when fair-share passes these, 0.25,0.5,0.75 if not\ngiven, should the user run nothing from now on"},
	{"history", 0, no_argument, option_bool, .offset = AT(history), .value = true,
		.help = "usage and fair-share over time"},
	{"plot", 0, no_argument, option_bool, .offset = AT(plot), .value = true,
		.help = "a forecast or a history as a plot in the terminal,\nnot as a table"},
	{"start", 0, required_argument, option_text, .offset = AT(start_text),
		.arg = "TIME", .help = "of a history; a week ago if not given. A forecast\nbegins now, or --at"},
	{"end", 0, required_argument, option_text, .offset = AT(end_text),
		.arg = "TIME", .help = "now if not given; a forecast ends after four\nhalf-lives"},
	{"svg", 0, required_argument, option_text, .offset = AT(svg),
		.arg = "FILE", .help = "the same as an SVG picture"},
	{"parsable", 'p', no_argument, option_int, .offset = AT(mode), .value = TABLE_PARSABLE},
	{"parsable2", 'P', no_argument, option_int, .offset = AT(mode), .value = TABLE_PARSABLE2},
	{"users", 'u', required_argument, take_users, .source = FROM_USERS},
	{"Users", 'U', no_argument, option_bool, .offset = AT(users_only), .value = true},
	{"verbose", 'v', no_argument, option_count, .offset = AT(verbose)},
	OPTION_OFFLINE,
	{"version", 'V', no_argument, option_version, .offset = AT(verbose), .value = true},
	{"help", 0, no_argument, option_print, .text = usage_text, .page = &more_page},
	{"usage", 0, no_argument, option_print, .text = usage_text},
	{"what-if", 0, required_argument, option_push, .offset = AT(what_if),
		.arg = "CHANGE", .help = "before, after, difference; repeatable. CHANGE: as for\nsacctmgr, job ... as for srecord, or a Priority...\nline of slurm.conf. Nothing is written"},
	{"json", 0, optional_argument, option_json, .offset = AT(form)},
	{"yaml", 0, optional_argument, option_yaml, .offset = AT(form)},
	OPTION_CSV("the table as comma separated values"),
	OPTION_NDJSON("one JSON object a line for each row"),
	{.take = NULL},
};
/* clang-format on */

/* ---- words ---------------------------------------------------------------*/

/* As sacctmgr would say it. */
static const struct {
	const char *names;
	struct option_row row;
} words[] = {
	{"users:1", {.take = take_users}},
	{"accounts:1", {.take = take_accounts}},
	{"start:1", {.take = option_text, .offset = AT(start_text)}},
	{"end:1", {.take = option_text, .offset = AT(end_text)}},
};

static bool take_word(struct options *options, const char *text)
{
	struct word word = word_split(text);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (word.op == OP_SET &&
			words_match(words[i].names, word.text, word.name_len)) {
			words[i].row.take(options, &words[i].row, word.value);
			return true;
		}
	return false;
}

/* These are about a time: that of the history unless a forecast is asked for. */
static bool implies_history(const struct options *options)
{
	return !options->forecast &&
	       (options->plot || options->svg || options->start_text ||
		       options->end_text);
}

/* Standard output holds one of them. */
static void check_svg(const struct options *options)
{
	if (options->svg && !strcmp(options->svg, "-") &&
		(options->form || options->plot))
		cli_fatal("--svg=- writes the picture to standard output, where "
			  "%s goes too: name a file",
			options->form ? "the document" : "--plot");
}

/* Slurm ignores words; here a word that is not an option is an error. Options
 * of our own may take words. */
void sshare_options(
	struct options *options, struct arena *arena, int argc, char **argv)
{
	int i;

	*options = (struct options){.arena = arena,
		.heading = true,
		.clusters.local = true};
	i = options_read(rows, options, argc, argv);
	options->history |= implies_history(options);
	check_svg(options);
	if (!options->explain && !options->forecast && !options->history) {
		options->stray = i < argc ? argv[i] : NULL;
		return;
	}
	for (; i < argc && !options->stray; i++)
		if (!strchr(argv[i], '='))
			options->stray = argv[i];
		else if (!take_word(options, argv[i]))
			cli_fatal("Unrecognized word: %s (user=, account=, "
				  "start=, end= there are)",
				argv[i]);
}
