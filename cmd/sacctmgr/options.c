#include "cmd/sacctmgr/options.h"

#include "cmd/sacctmgr/complete.h"
#include "cmd/sacctmgr/help.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/job/complete.h"

static void print_help(void *options)
{
	(void)options;
	help_usage(stdout);
}

static void print_fields(void *options)
{
	(void)options;
	help_fields(stdout);
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
#define BOOL(member, value_) option_bool, .offset = offsetof(struct options, member), .value = value_
#define INT(member, value_) option_int, .offset = offsetof(struct options, member), .value = value_
#define PRINT(print_) option_print, .print = print_
#define TAKE(taker) taker, .offset = offsetof(struct options, form)
#define HIDDEN(taker) taker, .offset = offsetof(struct options, heading), .hidden = true

const struct option_row sacctmgr_option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored, .complete = sacctmgr_complete},
	{"help", 'h', no_argument, PRINT(print_help),
		.help = "this text"},
	{"usage", 'h', no_argument, PRINT(print_help)},
	{"immediate", 'i', no_argument, BOOL(immediate, true),
		.help = "commit changes immediately, ask nothing"},
	{"noheader", 'n', no_argument, BOOL(heading, false),
		.help = "no heading in listings"},
	{"o", 'o', no_argument, BOOL(oneliner, true), .hidden = true},
	{"oneliner", 'o', no_argument, BOOL(oneliner, true),
		.help = "accepted, no effect"},
	{"parsable", 'p', no_argument, INT(mode, TABLE_PARSABLE),
		.help = "fields separated by |, one behind the last too"},
	{"parsable2", 'P', no_argument, INT(mode, TABLE_PARSABLE2),
		.help = "fields separated by |"},
	{"quiet", 'Q', no_argument, BOOL(quiet, true),
		.help = "no informational messages"},
	{"readonly", 'r', no_argument, BOOL(readonly, true),
		.help = "refuse commands that change anything"},
	{"associations", 's', no_argument, BOOL(with_assoc, true),
		.help = "accounts and users with their associations"},
	{"verbose", 'v', no_argument, option_count, .offset = offsetof(struct options, verbose),
		.help = "more messages; may be repeated"},
	OPTION_OFFLINE,
	{"version", 'V', no_argument, option_version, .offset = offsetof(struct options, verbose), .value = true,
		.help = "display tool version number"},
	{"json", 0, optional_argument, TAKE(option_json),
		.help = "listings as JSON; =list: which layouts there are"},
	{"yaml", 0, optional_argument, TAKE(option_yaml),
		.help = "listings as YAML"},
	{"csv", 0, optional_argument, TAKE(take_csv),
		.help = "comma-separated values (RFC 4180)"},
	{"ndjson", 0, no_argument, INT(form, JSON_LINES),
		.help = "one JSON object a line, of the chosen columns"},
	{"helpformat", 0, no_argument, PRINT(print_fields),
		.help = "every column of format=, its heading and width"},
	{"dry-run", 0, no_argument, BOOL(dry_run, true),
		.help = "what a change would do; nothing is changed"},
	{"queue", 0, no_argument, BOOL(queue, true),
		.help = "with -i: a change waits where no server of the\nlog answers"},
	{"fix", 0, no_argument, BOOL(fix, true),
		.help = "after check: carry out what is safe, after asking"},
	/* Abbreviations of Slurm's options that the new ones would take away. */
	{"n", 'n', no_argument, HIDDEN(option_bool)},
	{"qu", 'Q', no_argument, BOOL(quiet, true), .hidden = true},
	{"q", 'Q', no_argument, BOOL(quiet, true), .hidden = true},
	{"hel", 'h', no_argument, PRINT(print_help), .hidden = true},
	{"he", 'h', no_argument, PRINT(print_help), .hidden = true},
	{"h", 'h', no_argument, PRINT(print_help), .hidden = true},
	{.take = NULL},
};
/* clang-format on */

const char sacctmgr_option_names[] =
	"immediate queue dry-run fix noheader oneliner parsable parsable2 "
	"quiet readonly associations verbose offline version json yaml csv "
	"ndjson help helpformat";

int sacctmgr_options(struct options *opt, int argc, char **argv)
{
	return options_read(sacctmgr_option_rows, opt, argc, argv);
}
