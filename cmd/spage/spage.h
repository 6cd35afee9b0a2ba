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
	ASK_LIMITS,
	ASK_WAITS,
	ASK_TOP,
	ASK_SHARES_WHY,
	ASK_JOBS_WHY,
	ASK_USE_PICTURE,
	ASK_CLUSTER_PICTURE,
	ASK_HISTORY_PICTURE,
	ASK_FORECAST_PICTURE,
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

/* The columns of its tables, as the questions in page.c order them. */
enum { SHARES_ACCOUNT, SHARES_USER, SHARES_PARTITION, SHARES_CLUSTER,
	SHARES_RAW, SHARES_PROMISED, SHARES_USAGE, SHARES_OF_ALL, SHARES_USED,
	SHARES_FAIRSHARE, SHARES_LEVEL };
enum { JOB_ID, JOB_SHOWN, JOB_PARTITION, JOB_USER, JOB_ACCOUNT, JOB_QOS,
	JOB_STATE, JOB_REASON, JOB_PRIORITY, JOB_NODES, JOB_CPUS, JOB_LIMIT,
	JOB_ELAPSED, JOB_START, JOB_END, JOB_SUBMIT, JOB_NODE_LIST, JOB_NAME };
enum { PLAN_ID, PLAN_ACTION, PLAN_START };

struct page {
	struct arena arena;
	const char *user; /* the page's user; NULL: the caller */
	const char *start; /* of usage and utilization, as typed */
	int64_t now;
	struct answer answers[QUESTIONS];
	struct rows limits, waits; /* made of the answers */
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
 * them had waited at most, in seconds. */
void waits_make(struct page *);

/* Puts all explanations into `words`, which the caller frees, and the place of
 * each into a new column `why` of shares and jobs. */
void words_number(struct page *);

/* Seconds since 1970 of `2026-11-22T11:17:57`; 0: not a time. */
int64_t moment_read(const char *text, int64_t now);

/* "2h 05m" */
const char *seconds_show(struct arena *, int64_t seconds);

/* One table of the data, all explanations, both as members of a JSON object. */
void data_table(FILE *, const char *key, const struct rows *);
void data_words(struct page *);

/* A JSON text that cannot close the element around it. */
void data_text(FILE *, const char *text);

/* The first rows of each table, for where no script runs: it replaces them. */
void plain_shares(struct page *);
void plain_waiting(struct page *);
void plain_running(struct page *);
void plain_limits(struct page *);
void plain_waits(struct page *);
void plain_top(struct page *);

/* ---- HTML -----------------------------------------------------------------*/

/* Text, also within quotes: what HTML reserves is escaped, control characters
 * become blanks. */
void html_text(FILE *, const char *text);

/* In place of a table or a picture. */
void html_missing(FILE *, const struct answer *, const char *nothing);

/* ---- what is embedded (made by the Makefile) ------------------------------*/

extern const char page_template[], page_style[], page_script[];
extern const char page_script_hash[];

#endif
