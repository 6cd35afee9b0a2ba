/*
 * The options of a program as one table: it feeds getopt_long, --help and
 * --autocomplete (spec/sacctmgr.md 1.7). For cmd/ only: getopt complains, and
 * completions are printed.
 *
 * Scripts use getopt's abbreviations, so a name that Slurm does not have must
 * not make one of Slurm's ambiguous. Where it would (`--csv` beside
 * `--clusters`: `--c`), a hidden row spells the abbreviation out, because an
 * exact name wins.
 */
#ifndef BURSAR_OPTIONS_H
#define BURSAR_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/base/strv.h"
#include "common/text/jobid.h"

struct option_row {
	const char *name; /* long, or NULL */
	int code;	  /* the letter, or 0; equal letters are one option */
	int has_arg;	  /* no_argument ... of getopt.h */
	/* Takes it into the program's options; may leave the program. */
	void (*take)(void *options, const struct option_row *, const char *arg);
	size_t offset; /* for the takers below: which member, and its value */
	int value;
	bool hidden;	   /* a spelled-out abbreviation */
	const char *alias; /* it is the option of this name; has no letter */
	const char *arg;   /* what --help calls the argument; ": LIST" as in
			    * Slurm's sacct */
	const char *help;  /* a line, or several */

	/* For option_print: what it prints; those that are set. */
	const char *text;
	const struct option_help *page;
	void (*print)(void *options);
};

/* Options under a heading of --help: names with blanks between. Those with a
 * comma between stand on one line, with the help of the first; `-h` is a letter
 * that is another option's. */
struct option_group {
	const char *heading; /* NULL: only an empty line */
	const char *names;   /* NULL: no more groups */
};

/* Prints the options of these names, as a group has them; their help begins in
 * that column. */
void option_print_list(
	FILE *, const struct option_row *, const char *names, int column);

/* A page of --help: a head, the options that are being read, and what follows
 * them or NULL. The options' help begins in that column. */
struct option_help {
	const char *head;
	const struct option_group *groups;
	int column;
	const char *tail;
};

void option_print_help(const struct option_help *);

static inline bool option_is(const struct option_row *row, const char *name)
{
	return row->name && !strcmp(row->name, name);
}

/* The member is set to `value`: a bool, an int or enum; counted up; set to the
 * argument (const char *). */
void option_bool(void *options, const struct option_row *, const char *arg);
void option_int(void *options, const struct option_row *, const char *arg);
void option_count(void *options, const struct option_row *, const char *arg);
void option_text(void *options, const struct option_row *, const char *arg);

/* --csv[=safe]: as option_int, option_bool. */
void option_csv(void *options, const struct option_row *, const char *arg);
void option_csv_flag(void *options, const struct option_row *, const char *arg);

/* --offline: the store is a replica, and the log it is of is not asked. For the
 * program, and for those it starts (BURSAR_OFFLINE). */
void option_offline(void *options, const struct option_row *, const char *arg);
#define OPTION_OFFLINE                                                         \
	{"offline", 0, no_argument, option_offline, .value = 0,                \
		.help = "answer from this host's replica, without the log"}

/* Accepted for compatibility with Slurm; does nothing. */
void option_nothing(void *options, const struct option_row *, const char *arg);

/* A comma list as Slurm's listing commands take one: what was typed, NULL when
 * it was not given, and its words as they are, without empty ones. */
struct option_list {
	const char *text;
	struct strv words;
};

void option_list_read(struct option_list *, struct arena *, const char *text);

/* The member is a struct option_list, which the last argument fills; a struct
 * strv, which every argument is added to. The program's options must begin
 * with a pointer to the arena that keeps them. */
void option_list(void *options, const struct option_row *, const char *arg);
void option_push(void *options, const struct option_row *, const char *arg);

/* The same with a host list, which is expanded; ends the program (status 1) at
 * one that cannot be read, which the message calls `option`. */
void option_hosts_read(struct option_list *, struct arena *, const char *text,
	const char *option);

/* The seconds of --iterate, at most a day; false: it is not such a number. */
bool option_interval_read(int *seconds, const char *text);

/* Which clusters: what was typed (NULL: nothing), and the switches of
 * federations. */
struct option_clusters {
	const char *text;
	bool federation, local, sibling;
};

/* The member is a struct option_clusters: these clusters, and no federation. */
void option_clusters(void *options, const struct option_row *, const char *arg);

/* The same from SLURM_CLUSTERS; for before the options. */
void option_clusters_environment(struct option_clusters *);

/* Which jobs: whether the option was given, maybe alone; what was typed, or
 * NULL; and the jobs of that. The program sets beforehand what reads one. */
struct option_jobs {
	bool (*parse)(const char *word, struct job_id *);
	bool given;
	const char *text;
	struct job_id *v;
	size_t n, cap;
};

/* Reads a comma list in place of an earlier one; ends the program (status 1) at
 * a word that is not a job id. */
void option_jobs_read(struct option_jobs *, struct arena *, const char *text);

/* The same from the argument, where there is one. The program's options must
 * begin with a pointer to the arena. */
void option_jobs(void *options, const struct option_row *, const char *arg);

/* Prints the row's text, page and what its `print` prints, leaves. */
void option_print(void *options, const struct option_row *, const char *arg);

/* Prints the version, leaves; where `value` is set the member is an int, how
 * often -v came before: then the API version too. */
void option_version(void *options, const struct option_row *, const char *arg);

/* Prints every option of the table that contains the argument, leaves. */
void option_complete(void *options, const struct option_row *, const char *arg);

/* --json and --yaml with their optional argument, into an enum json_form; may
 * list the parsers and leave. */
void option_json(void *options, const struct option_row *, const char *arg);
void option_yaml(void *options, const struct option_row *, const char *arg);

/* `name`, from the argument of --cluster, is an unknown cluster: prints Slurm's
 * three lines and exits with 1. */
_Noreturn void option_bad_cluster(const char *name, const char *typed);

/* Unknown users of --user: a line for each; like Slurm, goes on. */
void option_bad_users(const struct strv *words);

/* A word that belongs to no option: Slurm's line, how to call the program,
 * then exit 1. */
_Noreturn void option_bad_word(const char *word, const char *usage);

/* -l chooses the columns: where it was given a format ends the program. */
void option_check_long(bool long_list, const char *format);

/* Seconds since 1970 of a time such as `now-1week`; ends the program (status 1)
 * at a text that is not a time. */
int64_t option_time(const char *text, int64_t now);

/* What -v prints first: the options in force; NULL: nothing. The names are
 * padded to the width. */
struct option_said {
	const char *name, *text;
};

void options_say(const struct option_said *, size_t n, int width);

/*
 * Reads the command line with permutation; ends the program (status 1) at a bad
 * option. The table ends with a NULL take. Returns the index of the first
 * argument that is not an option.
 */
int options_read(
	const struct option_row *, void *options, int argc, char **argv);

#endif
