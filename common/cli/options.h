/*
 * Reads a program's command line by one table of its options, from which
 * getopt_long, --help and --autocomplete work too (Slurm's
 * src/common/slurm_opt.c, suggest_completion()). For cmd/ only: it prints, and
 * ends the program (with exit) at a bad option.
 *
 * Scripts use getopt's abbreviations, so an option that Slurm does not have
 * must not make an abbreviation of Slurm's options ambiguous. Where it would
 * (`--csv` beside `--clusters`: `--c`), a hidden row has the abbreviation as
 * its name, because an exact name wins.
 *
 * An option's taker is called as take(options, row, arg): `options` is the
 * program's own struct, `arg` the option's argument or NULL. The option_...
 * functions of this type below are takers for tables; "the member" is the one
 * at the row's offset in `options`.
 */
#pragma once

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/base/strv.h"
#include "common/table/complete.h"
#include "common/text/jobid.h"

struct option_row {
	const char *name; /* long name without --, or NULL */
	int code;	  /* letter, or 0; same letter: same option */
	int has_arg;	  /* no_argument ... of getopt.h */
	/* Stores the option in the program's options; may end the program. */
	void (*take)(void *options, const struct option_row *, const char *arg);
	size_t offset; /* for the takers below: of the member to set */
	int value;     /* for some takers: the value to set */
	bool hidden;	   /* not in --autocomplete and "did you mean" */
	const char *alias; /* this row is another name of the option `alias`;
			    * it has no letter of its own */
	const char *arg;   /* what --help calls the argument; ": LIST" as in
			    * Slurm's sacct */
	const char *help;  /* text for --help, one line or several */

	/* A variable of the environment that stands for the option, with its text
	 * for the argument. What is typed is taken after it. */
	const char *env;

	/* What completion offers for the argument (common/cli/complete.h): what
	 * comes from there, the words of this list, what the function offers. Of
	 * the rows with one letter, one tells it. */
	enum value_source source;
	const char *values;
	void (*offer)(struct completion *);

	/* For option_complete: what offers names of the site, and what offers
	 * the last of `n` words that are neither options nor arguments of
	 * options; or NULL. */
	void (*stored)(struct completion *, enum value_source);
	void (*complete)(struct completion *, char **words, int n);

	/* For option_print, which prints those that are not NULL. */
	const char *text;
	const struct option_help *page;
	void (*print)(void *options);
};

/* Options under one heading of --help: their long names, separated by blanks.
 * Names separated by a comma are on one line, with the help of the first; `-h`
 * among them is printed as it is. */
struct option_group {
	const char *heading; /* NULL: only an empty line */
	const char *names;   /* NULL: no more groups */
};

/* Prints the help of the options in `names` (as in struct option_group); help
 * texts begin in this column. */
void option_print_list(
	FILE *, const struct option_row *, const char *names, int column);

/* A page of --help: the text `head`, the groups of options, and the text
 * `tail`. */
struct option_help {
	const char *head;
	const struct option_group *groups; /* ends with NULL names */
	int column;	  /* where the options' help texts begin */
	const char *tail; /* or NULL */
};

/* Prints the page; the options are those of the table that options_read reads.
 */
void option_print_help(const struct option_help *);

/* Is `name` the long name of the row? */
static inline bool option_is(const struct option_row *row, const char *name)
{
	return row->name && !strcmp(row->name, name);
}

/* Takers. option_bool sets a bool to (value != 0), option_int an int or enum to
 * `value`, option_count adds 1 to an int, option_text sets a const char * to
 * the argument, which is not copied. */
void option_bool(void *options, const struct option_row *, const char *arg);
void option_int(void *options, const struct option_row *, const char *arg);
void option_count(void *options, const struct option_row *, const char *arg);
void option_text(void *options, const struct option_row *, const char *arg);

/* Takers of --csv[=safe] that set the member as option_int and option_bool do.
 */
void option_csv(void *options, const struct option_row *, const char *arg);
void option_csv_flag(void *options, const struct option_row *, const char *arg);

/* Taker of --offline: the program, and those it starts (BURSAR_OFFLINE=1 in the
 * environment), answer from this host's replica and do not ask the log. */
void option_offline(void *options, const struct option_row *, const char *arg);
#define OPTION_OFFLINE                                                         \
	{"offline", 0, no_argument, option_offline, .value = 0,                \
		.help = "answer from this host's replica, without the log"}

/* Rows that many programs have. AT(member) is the offset in their options, of
 * `heading`, `verbose`, `mode` (enum table_mode) and `form` (enum json_form). */
#define OPTION_NOHEADER(letter, help_)                                         \
	{"noheader", letter, no_argument, option_bool, .offset = AT(heading),  \
		.help = help_}
#define OPTION_VERBOSE(help_)                                                  \
	{"verbose", 'v', no_argument, option_count, .offset = AT(verbose),     \
		.help = help_}
#define OPTION_VERSION(help_)                                                  \
	{"version", 'V', no_argument, option_version, .help = help_}
#define OPTION_VERSION_VERBOSE(help_)                                          \
	{"version", 'V', no_argument, option_version, .offset = AT(verbose),   \
		.value = true, .help = help_}
#define OPTION_HELP(letter, help_)                                             \
	{"help", letter, no_argument, option_print, .page = &help_page,        \
		.help = help_}
#define OPTION_USAGE                                                           \
	{"usage", 0, no_argument, option_print, .text = usage_text,            \
		.help = "print the options in short"}
#define OPTION_PARSABLE(behind, between)                                       \
	{"parsable", 'p', no_argument, option_int, .offset = AT(mode),         \
		.value = TABLE_PARSABLE, .help = behind},                      \
		{"parsable2", 'P', no_argument, option_int,                    \
			.offset = AT(mode), .value = TABLE_PARSABLE2,          \
			.help = between}
#define OPTION_JSON(help_)                                                     \
	{"json", 0, optional_argument, option_json, .offset = AT(form),        \
		.help = help_},                                                \
		{"yaml", 0, optional_argument, option_yaml, .offset = AT(form)}
#define OPTION_NDJSON(help_)                                                   \
	{"ndjson", 0, no_argument, option_int, .offset = AT(form),             \
		.value = JSON_LINES, .help = help_}
#define OPTION_CSV(help_)                                                      \
	{"csv", 0, optional_argument, option_csv, .offset = AT(mode),          \
		.value = TABLE_CSV, .arg = "safe", .help = help_}

/* Taker of options that are accepted for compatibility and do nothing. */
void option_nothing(void *options, const struct option_row *, const char *arg);

/* A comma list as Slurm's listing commands take one. */
struct option_list {
	const char *text;  /* as typed; NULL: the option was not given */
	struct strv words; /* neither trimmed nor unique; no empty ones */
};

/* Reads the comma list `text` in place of what the struct held. */
void option_list_read(struct option_list *, struct arena *, const char *text);

/* Takers. option_list: the member is a struct option_list, filled from the last
 * argument given. option_push: a struct strv, to which every argument is
 * appended whole. `options` must begin with a pointer to the arena for the
 * words. */
void option_list(void *options, const struct option_row *, const char *arg);
void option_push(void *options, const struct option_row *, const char *arg);

/* Reads a host list, expanded to its names, like option_list_read. A bad one
 * ends the program with status 1; the message names --`option`. */
void option_hosts_read(struct option_list *, struct arena *, const char *text,
	const char *option);

/* Reads the seconds of --iterate, 1 to 86400; false: the text does not begin
 * with such a number. */
bool option_interval_read(int *seconds, const char *text);

/* Which clusters to show. */
struct option_clusters {
	const char *text; /* list as typed; NULL: none was given */
	bool federation, local, sibling; /* --federation and so on */
};

/* Taker of --clusters; the member is a struct option_clusters. Sets the list,
 * and `local`: no federation. */
void option_clusters(void *options, const struct option_row *, const char *arg);

/* Which jobs to show. The program sets `parse` beforehand. */
struct option_jobs {
	bool (*parse)(const char *word, struct job_id *);
	bool given;	  /* the option was given, perhaps without argument */
	const char *text; /* as typed, or NULL */
	struct job_id *v; /* the `n` jobs of the text */
	size_t n, cap;
};

/* Reads a comma list of job ids in place of an earlier one. A word that is not
 * a job id ends the program with status 1. */
void option_jobs_read(struct option_jobs *, struct arena *, const char *text);

/* Taker for a struct option_jobs: sets `given` and reads the argument, if any.
 * `options` must begin with a pointer to the arena. */
void option_jobs(void *options, const struct option_row *, const char *arg);

/* Taker that prints the row's text and page and calls its `print`, then exit 0.
 */
void option_print(void *options, const struct option_row *, const char *arg);

/* Taker that prints the version, then exit 0. If the row's `value` is not 0,
 * the member is an int that counts -v: above 0, the API version is printed too.
 */
void option_version(void *options, const struct option_row *, const char *arg);

/* Taker of --autocomplete: prints every option of the table that contains the
 * argument, then exit 0. */
void option_complete(void *options, const struct option_row *, const char *arg);

/* Takers of --json and --yaml with their optional argument; the member is an
 * enum json_form. `--json=list` prints the parsers, then exit 0; an unknown
 * parser: exit 1. */
void option_json(void *options, const struct option_row *, const char *arg);
void option_yaml(void *options, const struct option_row *, const char *arg);

/* For an unknown cluster `name` in `typed`, the argument of --cluster: prints
 * Slurm's three lines, then exit 1. */
_Noreturn void option_bad_cluster(const char *name, const char *typed);

/* For unknown users of --user: prints an error for each and returns, as Slurm
 * goes on. */
void option_bad_users(const struct strv *words);

/* For a word that belongs to no option: prints Slurm's error and the text
 * `usage`, then exit 1. */
_Noreturn void option_bad_word(const char *word, const char *usage);

/* -l and a format (NULL: none) exclude each other: if both are given, ends the
 * program with Slurm's error and status 1. */
void option_check_long(bool long_list, const char *format);

/* Epoch seconds of a time such as `now-1week` (time_parse with `past`). A text
 * that is not a time ends the program with status 1. */
int64_t option_time(const char *text, int64_t now);

/* The same for an option that Slurm does not have: the error names it. */
int64_t option_time_of(const char *option, const char *text, int64_t now);

/* A line of what -v prints first: "NAME = TEXT". */
struct option_said {
	const char *name, *text; /* text NULL: prints (null) */
};

/* Prints the `n` lines between two rules; names are padded to `width`. */
void options_say(const struct option_said *, size_t n, int width);

/*
 * Reads the command line; options may follow other words, since getopt_long
 * moves these to the end. The table ends with a row whose `take` is NULL.
 * Returns the index in argv of the first word that is not an option. A bad
 * option ends the program with status 1.
 */
int options_read(
	const struct option_row *, void *options, int argc, char **argv);
