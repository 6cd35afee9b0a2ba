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
	{"autocomplete", 0, required_argument, option_complete, .value = 0},
	{"all_clusters", 'a', no_argument, option_bool, .offset = AT(all_clusters), .value = true},
	{"cluster", 'M', required_argument, take_clusters, .value = 0},
	{"c", 'M', required_argument, take_clusters, .hidden = true},
	{"federation", 0, no_argument, option_bool, .offset = AT(federation), .value = true},
	{"help", 'h', no_argument, take_help, .value = 0},
	{"h", 'h', no_argument, take_help, .hidden = true},
	{"he", 'h', no_argument, take_help, .hidden = true},
	{"hel", 'h', no_argument, take_help, .hidden = true},
	{"helpformat", 0, no_argument, take_helpformat, .value = 0},
	{"immediate", 'i', no_argument, option_nothing, .hidden = true},
	{"local", 0, no_argument, option_bool, .offset = AT(local), .value = true},
	{"noheader", 'n', no_argument, option_bool, .offset = AT(heading)},
	{"n", 'n', no_argument, option_bool, .offset = AT(heading), .hidden = true},
	{"parsable", 'p', no_argument, option_int, .offset = AT(mode), .value = TABLE_PARSABLE},
	{"parsable2", 'P', no_argument, option_int, .offset = AT(mode), .value = TABLE_PARSABLE2},
	{"quiet", 'Q', no_argument, option_bool, .offset = AT(quiet), .value = true},
	{"sort", 's', required_argument, take_sort, .value = 0},
	{"s", 's', required_argument, take_sort, .hidden = true},
	{"time", 't', required_argument, take_time, .value = 0},
	{"t", 'T', required_argument, option_text, .offset = AT(tres), .hidden = true},
	{"tres", 'T', required_argument, option_text, .offset = AT(tres)},
	{"usage", 'h', no_argument, take_help, .value = 0},
	{"verbose", 'v', no_argument, option_count, .offset = AT(verbose)},
	{"version", 'V', no_argument, option_version, .offset = AT(verbose), .value = true},
	{"json", 0, optional_argument, option_json, .offset = AT(form)},
	{"yaml", 0, optional_argument, option_yaml, .offset = AT(form)},
	{"complete", 0, no_argument, option_bool, .offset = AT(complete), .value = true, .hidden = true},
	{"csv", 0, optional_argument, option_csv, .offset = AT(mode), .value = TABLE_CSV},
	{"ndjson", 0, no_argument, option_int, .offset = AT(form), .value = JSON_LINES},
	{"openmetrics", 0, no_argument, option_bool, .offset = AT(openmetrics), .value = true},
	{"svg", 0, required_argument, option_text, .offset = AT(svg)},
	{.take = NULL},
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
