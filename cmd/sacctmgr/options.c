#include "cmd/sacctmgr/options.h"

#include <stdlib.h>

#include "cmd/sacctmgr/help.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"

static void take_help(
	void *options, const struct option_row *row, const char *arg)
{
	(void)options;
	(void)row;
	(void)arg;
	help_usage(stdout);
	exit(0);
}

static void take_helpformat(
	void *options, const struct option_row *row, const char *arg)
{
	(void)options;
	(void)row;
	(void)arg;
	help_fields(stdout);
	exit(0);
}

/* Of the forms of output the last one wins. */
static void take_csv(
	void *options, const struct option_row *row, const char *arg)
{
	struct options *opt = options;
	const struct option_row mode = {
		.offset = offsetof(struct options, mode), .value = TABLE_CSV};

	(void)row;
	option_csv(options, &mode, arg);
	opt->form = JSON_NONE;
}

/* clang-format off */
#define BOOL(member, value) option_bool, offsetof(struct options, member), value, false
#define INT(member, value) option_int, offsetof(struct options, member), value, false
#define TAKE(taker) taker, offsetof(struct options, form), 0, false
#define HIDDEN(taker) taker, offsetof(struct options, heading), 0, true

enum { LONG = OPTION_LONG };

static const struct option_row rows[] = {
	{"autocomplete", LONG + 0, required_argument, TAKE(option_complete)},
	{"help", 'h', no_argument, TAKE(take_help)},
	{"usage", 'h', no_argument, TAKE(take_help)},
	{"immediate", 'i', no_argument, BOOL(immediate, true)},
	{"noheader", 'n', no_argument, BOOL(heading, false)},
	{"oneliner", 'o', no_argument, BOOL(oneliner, true)},
	{"parsable", 'p', no_argument, INT(mode, TABLE_PARSABLE)},
	{"parsable2", 'P', no_argument, INT(mode, TABLE_PARSABLE2)},
	{"quiet", 'Q', no_argument, BOOL(quiet, true)},
	{"readonly", 'r', no_argument, BOOL(readonly, true)},
	{"associations", 's', no_argument, BOOL(with_assoc, true)},
	{"verbose", 'v', no_argument, option_count, offsetof(struct options, verbose), 0, false},
	{"version", 'V', no_argument, option_version, offsetof(struct options, verbose), true, false},
	{"json", LONG + 1, optional_argument, TAKE(option_json)},
	{"yaml", LONG + 2, optional_argument, TAKE(option_yaml)},
	{"csv", LONG + 3, optional_argument, TAKE(take_csv)},
	{"ndjson", LONG + 4, no_argument, INT(form, JSON_LINES)},
	{"helpformat", LONG + 5, no_argument, TAKE(take_helpformat)},
	{"dry-run", LONG + 7, no_argument, BOOL(dry_run, true)},
	{"fix", LONG + 8, no_argument, BOOL(fix, true)},
	{"complete", LONG + 6, no_argument, option_bool, offsetof(struct options, complete), true, true},
	/* Abbreviations of Slurm's options that the new ones would take away. */
	{"n", 'n', no_argument, HIDDEN(option_bool)},
	{"hel", 'h', no_argument, HIDDEN(take_help)},
	{"he", 'h', no_argument, HIDDEN(take_help)},
	{"h", 'h', no_argument, HIDDEN(take_help)},
	{NULL, 0, 0, NULL, 0, 0, false},
};
/* clang-format on */

const struct option_help sacctmgr_option_helps[] = {
	{'i', "immediate", "commit changes immediately, ask nothing"},
	{0, "dry-run", "what a change would do; nothing is changed"},
	{0, "fix", "after check: carry out what is safe, after asking"},
	{'n', "noheader", "no heading in listings"},
	{'o', "oneliner", "accepted, no effect"},
	{'p', "parsable", "fields separated by |, one behind the last too"},
	{'P', "parsable2", "fields separated by |"},
	{'Q', "quiet", "no informational messages"},
	{'r', "readonly", "refuse commands that change anything"},
	{'s', "associations", "accounts and users with their associations"},
	{'v', "verbose", "more messages; may be repeated"},
	{'V', "version", "display tool version number"},
	{0, "json", "listings as JSON; =list: which layouts there are"},
	{0, "yaml", "listings as YAML"},
	{0, "csv", "comma-separated values (RFC 4180)"},
	{0, "ndjson", "one JSON object a line, of the chosen columns"},
	{'h', "help", "this text"},
	{0, "helpformat", "every column of format=, its heading and width"},
	{0, NULL, NULL},
};

int sacctmgr_options(struct options *opt, int argc, char **argv)
{
	return options_read(rows, opt, argc, argv);
}
