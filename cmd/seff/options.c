/*
 * The options of seff: Slurm's letters, and long ones of our own. As in Slurm
 * -h, -v and a wrong call all leave with 1; the long ones of ours with 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/seff/seff.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/timespec.h"
#include "db/job/complete.h"

static const char help_head[] =
	"Usage: seff [Options] <Jobid>\n"
	"       Options:\n"
	"       -h    Help menu\n"
	"       -v    Version\n"
	"       -d    Debug mode: display raw Slurm data\n"
	"   or: seff [Options] <Jobid>...    several jobs\n"
	"   or: seff [Options] -u USER       what the jobs of the last week "
	"lost\n"
	"   or: seff [Options] --waste [WORD=VALUE]...    who lost most\n";

static const struct option_group option_groups[] = {
	{"Only in Bursar:", "user starttime endtime noheader parsable parsable2 "
			   "waste suggest quantile csv json,yaml ndjson helpformat "
			   "help,usage offline version"},
	{NULL, NULL},
};

static const struct option_help help_page = {
	help_head, option_groups, 34, NULL};

enum { WEEK = 7 * 86400 };

static _Noreturn void leave_usage(void)
{
	option_print_help(&help_page);
	exit(SEFF_USAGE);
}

static void take_short(void *o, const struct option_row *row, const char *arg)
{
	(void)o;
	(void)arg;
	if (row->code == 'h')
		leave_usage();
	puts("seff Version 2.1");
	exit(SEFF_USAGE);
}

static void take_time(void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	int64_t *member = (void *)((char *)o + row->offset);

	*member = option_time(arg, options->now);
}

static void take_quantile(
	void *o, const struct option_row *row, const char *arg)
{
	struct options *options = o;
	const char *end;
	double percent;

	(void)row;
	if (real_read(arg, &percent, &end) || *end || percent <= 0 ||
		percent > 100)
		cli_fatal("--quantile: '%s' is not a percentage from 1 to 100",
			arg);
	options->quantile = percent / 100;
}

static void complete_jobs(struct completion *c, char **words, int n)
{
	(void)words;
	(void)n;
	if (strv_has(&c->line, "--waste"))
		offer_waste_words(c);
	else
		offer_from(c, FROM_STARTED_JOBS);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row rows[] = {
	{NULL, 'h', no_argument, take_short, .value = 0},
	OPTION_HELP(0, "this text"),
	{"helpformat", 0, no_argument, option_print, .print = print_columns,
		.help = "the columns of -u"},
	{"usage", 0, no_argument, option_print, .page = &help_page},
	{NULL, 'v', no_argument, take_short, .value = 0},
	OPTION_OFFLINE,
	{"version", 'V', no_argument, option_version, .value = 0,
		.help = "the version of Bursar"},
	{NULL, 'd', no_argument, option_bool, .offset = AT(debug), .value = true},
	{NULL, 'f', required_argument, option_nothing, .hidden = true},
	{"user", 'u', required_argument, option_text, .offset = AT(user), .source = FROM_USERS,
		.arg = "USER", .help = "what the jobs of the user lost in a week"},
	{"starttime", 'S', required_argument, take_time, .offset = AT(from),
		.arg = "TIME", .help = "jobs that ended since then, for -u"},
	{"endtime", 'E', required_argument, take_time, .offset = AT(until),
		.arg = "TIME", .help = "jobs that ended before, for -u"},
	OPTION_NOHEADER('n', "no heading"),
	OPTION_PARSABLE("cells with a | behind each", "cells with a | between them"),
	{"suggest", 0, no_argument, option_bool, .offset = AT(suggest), .value = true,
		.help = "limits for the next job like this one"},
	{"quantile", 0, required_argument, take_quantile, .value = 0,
		.arg = "PERCENT", .help = "of those jobs must fit; 95"},
	{"waste", 0, no_argument, option_bool, .offset = AT(waste), .value = true,
		.help = "who asked for what was not used in a week; words:\nuser= account= partition= since= until= by= sort="},
	OPTION_CSV("comma separated values"),
	{"json", 0, optional_argument, option_json, .offset = AT(form),
		.help = "a document"},
	OPTION_NDJSON("one JSON object a line"),
	{"yaml", 0, optional_argument, option_yaml, .offset = AT(form)},
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored, .complete = complete_jobs},
	{.take = NULL},
};
/* clang-format on */

void seff_window(struct options *options)
{
	if (!options->until)
		options->until = options->now + 1;
	if (!options->from)
		options->from = options->until - WEEK;
	if (options->from > options->until)
		cli_fatal("the jobs' window ends before it begins");
}

static void check(const struct options *options)
{
	if (!options->waste && !options->user == !options->jobs.n)
		leave_usage();
	if (options->suggest && wants_listing(options))
		cli_fatal("--suggest speaks of jobs one by one: leave out -u "
			  "and the machine formats");
}

void seff_options(
	struct options *options, struct arena *arena, int argc, char **argv)
{
	int first;

	*options = (struct options){
		.arena = arena,
		.now = site_clock(),
		.heading = true,
		.quantile = 0.95,
	};
	first = options_read(rows, options, argc, argv);
	for (int i = first; i < argc; i++)
		strv_push(&options->jobs, arena, argv[i]);
	check(options);
	if (!options->waste)
		seff_window(options);
}
