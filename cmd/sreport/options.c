/*
 * The options of sreport (Slurm's src/sreport/sreport.c), and the words for
 * units.
 */
#include "cmd/sreport/sreport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/job/complete.h"

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

void take_unit(void *o, const struct option_row *row, const char *word)
{
	struct options *options = o;

	(void)row;
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

void take_sort(void *o, const struct option_row *row, const char *word)
{
	struct options *options = o;
	size_t n = strlen(word);

	(void)row;
	if (words_match("Name:1", word, n)) {
		options->by_name = true;
	} else if (words_match("Time:1", word, n)) {
		options->by_name = false;
	} else {
		fprintf(stderr, "unknown sort format %s\n", word);
		options->failed = true;
	}
}

static void take_clusters(
	void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;

	(void)row;
	options->clusters = str_lower(options->arena, arg);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored, .complete = sreport_complete},
	{"all_clusters", 'a', no_argument, option_bool, .offset = AT(all_clusters), .value = true,
		.help = "every cluster of the store"},
	{"cluster", 'M', required_argument, take_clusters, .source = FROM_CLUSTERS,
		.arg = "LIST", .help = "these clusters"},
	{"c", 'M', required_argument, take_clusters, .hidden = true},
	{"federation", 0, no_argument, option_bool, .offset = AT(federation), .value = true, .env = "SREPORT_FEDERATION",
		.help = "the clusters of our federation, added up"},
	{"help", 'h', no_argument, option_print, .print = print_help,
		.help = "this text"},
	{"h", 'h', no_argument, option_print, .print = print_help, .hidden = true},
	{"he", 'h', no_argument, option_print, .print = print_help, .hidden = true},
	{"hel", 'h', no_argument, option_print, .print = print_help, .hidden = true},
	{"helpformat", 0, no_argument, option_print, .print = print_columns,
		.help = "the columns of every report"},
	{"immediate", 'i', no_argument, option_nothing, .hidden = true},
	{"local", 0, no_argument, option_bool, .offset = AT(local), .value = true,
		.help = "our own cluster"},
	OPTION_NOHEADER('n', "no title and no heading"),
	{"n", 'n', no_argument, option_bool, .offset = AT(heading), .hidden = true},
	OPTION_PARSABLE("cells with a `|` behind each", "cells with a `|` between them"),
	{"quiet", 'Q', no_argument, option_bool, .offset = AT(quiet), .value = true,
		.help = "fewer messages"},
	{"sort", 's', required_argument, take_sort, .values = SORT_WORDS,
		.arg = "ORDER", .help = "rows of users by Name or by Time"},
	{"s", 's', required_argument, take_sort, .hidden = true},
	{"time", 't', required_argument, take_unit, .values = TIME_WORDS,
		.arg = "UNIT", .help = "Seconds, Minutes, Hours, Percent, SecPer, MinPer,\nHourPer"},
	{"t", 'T', required_argument, option_text, .offset = AT(tres), .hidden = true},
	{"tres", 'T', required_argument, option_text, .offset = AT(tres), .source = FROM_TRES_NAMES, .env = "SREPORT_TRES",
		.arg = "LIST", .help = "which TRES; ALL for every one"},
	{"usage", 'h', no_argument, option_print, .print = print_help},
	OPTION_VERBOSE("more messages"),
	OPTION_OFFLINE,
	OPTION_VERSION_VERBOSE("display tool version number"),
	OPTION_JSON("a document; amounts in seconds"),
	OPTION_CSV("the table as comma separated values"),
	OPTION_NDJSON("one JSON object a line for each row"),
	{"openmetrics", 0, no_argument, option_bool, .offset = AT(openmetrics), .value = true,
		.help = "the present state, for a monitoring system"},
	{"svg", 0, required_argument, option_text, .offset = AT(svg),
		.arg = "FILE", .help = "a picture"},
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
		.heading = true};
	take_unit(options, NULL, "Minutes");
	first = options_read(rows, options, argc, argv);
	check_clusters(options);
	if (options->svg && (options->form || options->openmetrics))
		cli_fatal("--svg is a picture: it goes with neither a document "
			  "nor --openmetrics");
	if (options->all_clusters || options->clusters || options->local)
		return first;
	options->local = local;
	if (clusters && !local)
		options->clusters = str_lower(arena, clusters);
	return first;
}
