/*
 * The options of sreport (spec/reporting.md 4.1), and the words for units.
 */
#include "cmd/sreport/sreport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"

enum {
	OPT_AUTOCOMPLETE = OPTION_LONG,
	OPT_FEDERATION,
	OPT_LOCAL,
	OPT_JSON,
	OPT_YAML,
	OPT_CSV,
	OPT_NDJSON,
	OPT_SVG,
	OPT_OPENMETRICS,
	OPT_HELPFORMAT,
	OPT_COMPLETE,
};

/* clang-format off */
static const struct {
	const char *names;
	const char *title;
	struct time_style style;
} time_words[] = {
	{"SecPer:6", "Seconds/Percentage of Total", {UNIT_SECONDS, true, true}},
	{"MinPer:6", "Minutes/Percentage of Total", {UNIT_MINUTES, true, true}},
	{"HourPer:6", "Hours/Percentage of Total", {UNIT_HOURS, true, true}},
	{"Seconds:1", "Seconds", {UNIT_SECONDS, true, false}},
	{"Minutes:1", "Minutes", {UNIT_MINUTES, true, false}},
	{"Hours:1", "Hours", {UNIT_HOURS, true, false}},
	{"Percent:1", "Percentage of Total", {UNIT_MINUTES, false, true}},
};
/* clang-format on */

void set_time_style(struct options *options, const char *word)
{
	for (size_t i = 0; i < sizeof(time_words) / sizeof(*time_words); i++) {
		if (!words_match(time_words[i].names, word, strlen(word)))
			continue;
		options->time = time_words[i].title;
		options->style = time_words[i].style;
		return;
	}
	fprintf(stderr, "unknown time format %s\n", word);
	options->failed = true;
}

void set_sort(struct options *options, const char *word)
{
	size_t n = strlen(word);

	if (words_match("Name:1", word, n)) {
		options->by_name = true;
	} else if (words_match("Time:1", word, n)) {
		options->by_name = false;
	} else {
		fprintf(stderr, "unknown sort format %s\n", word);
		options->failed = true;
	}
}

static void take_time(void *o, const struct option_row *row, const char *arg)
{
	(void)row;
	set_time_style(o, arg);
}

static void take_sort(void *o, const struct option_row *row, const char *arg)
{
	(void)row;
	set_sort(o, arg);
}

static void take_clusters(
	void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->clusters = str_lower(options->arena, arg);
}

static void take_helpformat(
	void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)row;
	(void)arg;
	print_columns();
	exit(0);
}

static void take_help(void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)row;
	(void)arg;
	print_help();
	exit(0);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row rows[] = {
	{"autocomplete", OPT_AUTOCOMPLETE, required_argument, option_complete, 0, 0, false},
	{"all_clusters", 'a', no_argument, option_bool, AT(all_clusters), true, false},
	{"cluster", 'M', required_argument, take_clusters, 0, 0, false},
	{"c", 'M', required_argument, take_clusters, 0, 0, true},
	{"federation", OPT_FEDERATION, no_argument, option_bool, AT(federation), true, false},
	{"help", 'h', no_argument, take_help, 0, 0, false},
	{"h", 'h', no_argument, take_help, 0, 0, true},
	{"he", 'h', no_argument, take_help, 0, 0, true},
	{"hel", 'h', no_argument, take_help, 0, 0, true},
	{"helpformat", OPT_HELPFORMAT, no_argument, take_helpformat, 0, 0, false},
	{"immediate", 'i', no_argument, option_nothing, 0, 0, true},
	{"local", OPT_LOCAL, no_argument, option_bool, AT(local), true, false},
	{"noheader", 'n', no_argument, option_bool, AT(heading), false, false},
	{"n", 'n', no_argument, option_bool, AT(heading), false, true},
	{"parsable", 'p', no_argument, option_int, AT(mode), TABLE_PARSABLE, false},
	{"parsable2", 'P', no_argument, option_int, AT(mode), TABLE_PARSABLE2, false},
	{"quiet", 'Q', no_argument, option_bool, AT(quiet), true, false},
	{"sort", 's', required_argument, take_sort, 0, 0, false},
	{"s", 's', required_argument, take_sort, 0, 0, true},
	{"time", 't', required_argument, take_time, 0, 0, false},
	{"t", 'T', required_argument, option_text, AT(tres), 0, true},
	{"tres", 'T', required_argument, option_text, AT(tres), 0, false},
	{"usage", 'h', no_argument, take_help, 0, 0, false},
	{"verbose", 'v', no_argument, option_count, AT(verbose), 0, false},
	{"version", 'V', no_argument, option_version, AT(verbose), true, false},
	{"json", OPT_JSON, optional_argument, option_json, AT(form), 0, false},
	{"yaml", OPT_YAML, optional_argument, option_yaml, AT(form), 0, false},
	{"complete", OPT_COMPLETE, no_argument, option_bool, AT(complete), true, true},
	{"csv", OPT_CSV, optional_argument, option_csv, AT(mode), TABLE_CSV, false},
	{"ndjson", OPT_NDJSON, no_argument, option_int, AT(form), JSON_LINES, false},
	{"openmetrics", OPT_OPENMETRICS, no_argument, option_bool, AT(openmetrics), true, false},
	{"svg", OPT_SVG, required_argument, option_text, AT(svg), 0, false},
	{NULL, 0, 0, NULL, 0, 0, false},
};
/* clang-format on */

static void check_clusters(const struct options *options)
{
	if (options->all_clusters + (options->clusters != NULL) +
			options->local <=
		1)
		return;
	fputs("Only one cluster option can be used (--all_clusters OR "
	      "--cluster OR --local)\n",
		stderr);
	exit(1);
}

int sreport_options(
	struct options *options, struct arena *arena, int argc, char **argv)
{
	const char *clusters = getenv("SREPORT_CLUSTER");
	bool local = getenv("SREPORT_LOCAL") != NULL;
	int first;

	*options = (struct options){.arena = arena,
		.heading = true,
		.federation = getenv("SREPORT_FEDERATION") != NULL,
		.tres = getenv("SREPORT_TRES")};
	set_time_style(options, "Minutes");
	first = options_read(rows, options, argc, argv);
	check_clusters(options);
	if (options->all_clusters || options->clusters || options->local)
		return first;
	options->local = local;
	if (clusters && !local)
		options->clusters = str_lower(arena, clusters);
	return first;
}
