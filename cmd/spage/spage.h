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

#include "common/base/arena.h"
#include "common/base/err.h"

/* ---- what was answered ----------------------------------------------------*/

enum question {
	ASK_SHARES,
	ASK_SHARES_WHY,
	ASK_JOBS,
	ASK_PRIORITIES,
	ASK_JOBS_WHY,
	ASK_PLAN,
	ASK_LIMITS,
	ASK_TOP,
	ASK_USE_PICTURE,
	ASK_CLUSTER_PICTURE,
	ASK_HISTORY_PICTURE,
	QUESTIONS,
};

struct rows {
	char **heads;
	size_t n_heads;
	char ***v; /* n_heads cells each */
	size_t n;
};

struct answer {
	char *text;	   /* as it came; "" when it failed */
	const char *error; /* what the program said instead; NULL: nothing */
	struct rows rows;  /* of a table */
};

/* The program PROGRAM of our folder, as `user` (NULL: the caller), with what it
 * printed; -1 when it could not be run at all. */
int ask_program(const char *const *argv, const char *user, struct arena *,
	struct answer *, struct err *);

/* Reads a table with a heading. A comma: values may be quoted, as CSV is. */
void rows_read(struct rows *, char *text, char separator, struct arena *);

/* Jobs by their number: the first row of each in a column. */
struct row_index {
	const struct rows *rows;
	size_t column;
	size_t *order;
};

void row_index_make(
	struct row_index *, const struct rows *, size_t column, struct arena *);
char **row_index_find(const struct row_index *, const char *key);

/* Cuts the words of --explain into those of single users or jobs: rows of a
 * name and a text. The first line of each begins as told, and its name goes up
 * to `ends`. The text is written into. */
void words_read(struct rows *, char *text, const char *begins,
	const char *ends, struct arena *);

/* ---- the page -------------------------------------------------------------*/

struct page {
	struct arena arena;
	const char *user; /* who looks; NULL: who calls */
	const char *start; /* of usage and utilization, as typed */
	int64_t now;
	struct answer answers[QUESTIONS];
	FILE *out;
};

/* Asks everything; -1 when there is no page without it. */
int page_ask(struct page *, struct err *);

/* Writes the page; errors show in ferror(). */
void page_write(struct page *, FILE *out);

/* The parts, each where the template names it. */
void write_shares(struct page *);
void write_waiting(struct page *);
void write_running(struct page *);
void write_gantt(struct page *);
void write_limits(struct page *);
void write_data(struct page *);

/* Seconds since 1970 of `2026-11-22T11:17:57`; 0: no time. */
int64_t moment_read(const char *text, int64_t now);

/* "Nov 22 11:17" */
const char *moment_show(struct page *, const char *text);

/* ---- HTML -----------------------------------------------------------------*/

/* Text, also within quotes: what HTML reserves is escaped, control characters
 * become blanks. */
void html_text(FILE *, const char *text);

/* Cells of a table. */
void html_cell(FILE *, const char *text);
void html_number(FILE *, const char *shown, double sorts);

/* A bar, `part` of the whole, 0 to 1, with the words for a screen reader. */
void html_bar(FILE *, const char *class, double part, const char *words);

/* What unfolds below a row of so many columns; NULL: nothing. */
void html_why(FILE *, const char *label, const char *text, int columns);

/* In place of a table or a picture. */
void html_missing(FILE *, const struct answer *, const char *nothing);

/* ---- what is embedded (made by the Makefile) ------------------------------*/

extern const char page_template[], page_style[], page_script[];
extern const char page_script_hash[];

#endif
