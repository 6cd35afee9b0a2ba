/*
 * The options of a program as one table: it feeds getopt_long and
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

#include "common/strv.h"

/* Codes from here on have no letter. */
enum { OPTION_LONG = 256 };

struct option_row {
	const char *name; /* long, or NULL */
	int code;	  /* the letter; equal codes are one option */
	int has_arg;	  /* no_argument ... of getopt.h */
	/* Takes it into the program's options; may leave the program. */
	void (*take)(void *options, const struct option_row *, const char *arg);
	size_t offset; /* for the takers below: which member, and its value */
	int value;
	bool hidden; /* a spelled-out abbreviation */
};

/* The member is set to `value`: a bool, an int or enum; counted up; set to the
 * argument (const char *). */
void option_bool(void *options, const struct option_row *, const char *arg);
void option_int(void *options, const struct option_row *, const char *arg);
void option_count(void *options, const struct option_row *, const char *arg);
void option_text(void *options, const struct option_row *, const char *arg);

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

/* Prints the version, leaves; where `value` is set the member is an int, how
 * often -v came before: then the API version too. */
void option_version(void *options, const struct option_row *, const char *arg);

/* Prints every option of the table that contains the argument, leaves. */
void option_complete(void *options, const struct option_row *, const char *arg);

/* --json and --yaml with their optional argument, into an enum json_form; may
 * list the parsers and leave. */
void option_json(void *options, const struct option_row *, const char *arg);
void option_yaml(void *options, const struct option_row *, const char *arg);

/* `name`, of what was typed as the argument of --cluster, is none we know:
 * Slurm's three lines, then exit 1. */
_Noreturn void option_bad_cluster(const char *name, const char *typed);

/*
 * Reads the command line with permutation; ends the program (status 1) at a
 * bad option. The table ends with a NULL take. Gives the index of the first
 * argument that is no option.
 */
int options_read(
	const struct option_row *, void *options, int argc, char **argv);

#endif
