/*
 * What the parts of spage share: what the other programs answered, and the
 * page that is made of it. spage opens neither store nor configuration: it
 * asks the programs of its own folder, so that nothing is on the page which
 * they would not tell the caller.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include <json-c/json.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

/* ---- what was answered ----------------------------------------------------*/

enum question {
	ASK_SHARES,
	ASK_JOBS,
	ASK_PRIORITIES,
	ASK_PLAN,
	ASK_NODES,
	ASK_LIMITS,
	ASK_PAST,
	ASK_TOP,
	ASK_CLUSTER,
	ASK_WASTE,
	ASK_SHARES_WHY,
	ASK_JOBS_WHY,
	ASK_HISTORY,
	ASK_FORECAST,
	QUESTIONS,
};

struct answer {
	struct strv lines; /* records as JSON; none when it failed */
	const char *error;  /* the program's error message; NULL: none */
};

/* A program that runs, and what it has printed so far. */
struct asked_program {
	const char *name;
	pid_t child;
	int out; /* a pipe; -1: it has printed all */
	FILE *errors;
	char *text;
	size_t n, room;
};

/* Starts the program *argv of our folder, as `user` (NULL: the caller); -1 when
 * it could not be run at all. */
int ask_start(const char *const *argv, const char *user, struct asked_program *,
	struct err *);

/* Reads what they print and waits for them. */
void ask_finish(struct asked_program *, size_t n, struct arena *,
	struct answer *answers);

/* A member of a record (json_tokener_parse of a line), as long as that is there:
 * its text, or its number as text; "" for null, or where there is none. */
const char *record_text(struct json_object *record, const char *name);

/* Its number; 0 for null, or where there is none. */
int64_t record_number(struct json_object *record, const char *name);

/* A value as it stands in a line. */
const char *record_json(struct json_object *value);

/* ---- the page -------------------------------------------------------------*/

/* Whose shares a record has. */
struct share_name {
	const char *name; /* of the user, or of the account */
	bool user, below; /* below: another account than root's own */
	int64_t usage;
};

struct page {
	struct arena arena;
	const char *user; /* looked as; NULL: the caller */
	const char *own; /* whose page it is; NULL: everybody's */
	const char *start; /* of usage and utilization, as typed */
	time_t from, now;  /* the same as a time, and the site's clock */
	struct answer answers[QUESTIONS];
	struct share_name *shares; /* one for each record of ASK_SHARES */
	struct strv days, used; /* made of the answers */
	char *words;		   /* every explanation, a NUL behind each */
	size_t words_len, words_room;
	FILE *out;
};

/* Runs all programs; -1 when one fails that the page cannot do without. */
int page_ask(struct page *, struct err *);

/* Writes the page; errors show in ferror(). */
void page_write(struct page *, FILE *out);

/* Leaves the limits of which something is used: one of the records that tell
 * the same. */
void limits_drop(struct page *);

/* The records of days: how many jobs started, how long half and nine tenths of
 * them had waited at most, in seconds; how many ended, and how. And those of who
 * used CPUs: hours of each of these days. */
void days_make(struct page *);

/* Puts all explanations into `words`, which the caller frees, and the place of
 * each into the records of shares and jobs, as the member `why`. */
void words_number(struct page *);

/* Lists of records, all explanations, both as members of a JSON object. */
void data_list(FILE *, const char *key, const struct strv *);
void data_words(struct page *);

/* A JSON text that cannot close the element around it. */
void data_text(FILE *, const char *text);

/* The first rows of a table under a title, for where no script runs; `command`
 * has the rest. */
void plain_table(struct page *, const char *title, const struct strv *,
	const char *command);

/* ---- HTML -----------------------------------------------------------------*/

/* Text, also within quotes: what HTML reserves is escaped, control characters
 * become blanks. */
void html_text(FILE *, const char *text);

/* ---- what is embedded (made by the Makefile) ------------------------------*/

extern const char page_template[], page_style[], page_script[];
extern const char page_script_hash[];
