/*
 * What the parts of spage share: what the other programs answered, and the
 * page that is made of it. spage opens neither store nor configuration: it
 * asks the programs of its own folder, so that nothing is on the page which
 * they would not tell the caller.
 */
#ifndef BURSAR_SPAGE_H
#define BURSAR_SPAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "common/base/arena.h"
#include "common/base/err.h"

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

struct rows {
	char **heads;
	size_t n_heads;
	char ***v; /* n_heads cells each, and room for one more */
	size_t n;
};

struct answer {
	char *text;	   /* as it came; "" when it failed */
	const char *error; /* the program's error message; NULL: none */
	struct rows rows;  /* of a table */
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

/* Reads a table with a heading. A comma: values may be quoted, as CSV is. */
void rows_read(struct rows *, char *text, char separator, struct arena *);

/* Rows of a table of our own: of as many cells as there are names in `heads`,
 * "a,b,c". */
void rows_make(struct rows *, const char *heads, struct arena *);
char **rows_add(struct rows *, size_t *cap, struct arena *);

/* A cell by the name of its column; "" when there is no such column. */
char *rows_cell(const struct rows *, char **row, const char *head);

/* The first row of each value of a column: a hash table in the arena. */
struct row_index;

struct row_index *row_index_make(
	const struct rows *, size_t column, struct arena *);
/* NULL: there is none. */
char **row_index_find(const struct row_index *, const char *key);

/* Reads explanations, a record a line: rows of a key and a text. The key has
 * the members of these names, a blank before each. The text is written into. */
void words_read(struct rows *, char *text, const char *const *names,
	struct arena *);

/* ---- the page -------------------------------------------------------------*/

/* The columns of its tables that are looked at, as the questions in page.c order
 * them. */
enum { SHARES_ACCOUNT, SHARES_USER, SHARES_PARTITION, SHARES_CLUSTER,
	SHARES_RAW, SHARES_PROMISED, SHARES_USAGE };
enum { JOB_ID };

struct page {
	struct arena arena;
	const char *user; /* looked as; NULL: the caller */
	const char *own; /* whose page it is; NULL: everybody's */
	const char *start; /* of usage and utilization, as typed */
	int64_t now;
	struct answer answers[QUESTIONS];
	struct rows limits, days, used, history; /* made of the answers */
	char *words;		   /* every explanation, a NUL behind each */
	size_t words_len, words_room;
	FILE *out;
};

/* Runs all programs; -1 when one fails that the page cannot do without. */
int page_ask(struct page *, struct err *);

/* Writes the page; errors show in ferror(). */
void page_write(struct page *, FILE *out);

/* The table of limits of which something is used: whose, limit, most, used. */
void limits_make(struct page *);

/* The table of days: how many jobs started, how long half and nine tenths of
 * them had waited at most, in seconds; how many ended, and how. And that of who
 * used CPUs: hours of each of these days. */
void days_make(struct page *);

/* The table of usage and fair-share over time. */
void history_make(struct page *);

/* Puts all explanations into `words`, which the caller frees, and the place of
 * each into a new column `why` of shares and jobs. */
void words_number(struct page *);

/* Seconds since 1970 of `2026-11-22T11:17:57`; 0: not a time. */
int64_t moment_read(const char *text, int64_t now);

/* One table of the data, all explanations, both as members of a JSON object. */
void data_table(FILE *, const char *key, const struct rows *);
void data_words(struct page *);

/* A JSON text that cannot close the element around it. */
void data_text(FILE *, const char *text);

/* The first rows of a table under a title, for where no script runs; `command`
 * has the rest. */
void plain_table(struct page *, const char *title, const struct rows *,
	const char *command);

/* ---- HTML -----------------------------------------------------------------*/

/* Text, also within quotes: what HTML reserves is escaped, control characters
 * become blanks. */
void html_text(FILE *, const char *text);

/* ---- what is embedded (made by the Makefile) ------------------------------*/

extern const char page_template[], page_style[], page_script[];
extern const char page_script_hash[];

#endif
