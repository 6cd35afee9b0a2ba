/*
 * Statements: prepared, bound by name, stepped, with every database error
 * turned into a struct err. The only way the rest of db/ talks to SQLite.
 *
 *	struct query q;
 *	if (query_open(&q, store, "SELECT name FROM qos WHERE id = :id"))
 *		return -1;
 *	query_bind_int(&q, ":id", id);
 *	while (query_row(&q))
 *		... query_text(&q, 0) ...
 *	return query_close(&q);
 *
 * What has no rows to go through is one call: store_run, store_has ...
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"

struct store;
struct sqlite3_stmt;
struct sqlite3_value;
struct cached_stmt;

struct query {
	struct cached_stmt *entry; /* of the cache, or NULL */
	struct store *store;
	struct sqlite3_stmt *stmt;
	bool failed;
};

/* `sql` must be a string that outlives the store (a literal): the prepared
 * statement is kept and used again. -1 sets the store's error. */
int query_open(struct query *, struct store *, const char *sql);

/* As query_open, for a statement that has nothing to do with the rows that wait
 * (db/rows/bulk_insert.h): it leaves them waiting. */
int query_open_apart(struct query *, struct store *, const char *sql);

/* As query_open, for text made at run time; prepared each time. */
int query_open_text(struct query *, struct store *, const char *sql);

/* As query_open, of a statement that is made of the text and the members, once
 * (db/rows/members.h). */
struct members;
typedef const char *query_maker(
	const char *sql, const struct members *, struct arena *);
int query_open_made(struct query *, struct store *, const char *sql,
	const struct members *, query_maker *);

/* One int for each of the members, kept with the prepared statement and 0 at
 * first (members_bind keeps parameter numbers there); NULL unless the
 * statement is kept and was opened with these members. */
int *query_places(struct query *, const struct members *);

/* A parameter the statement does not have is our own mistake: BUG(). Without
 * memory for a value the query fails. */
void query_bind_int(struct query *, const char *name, int64_t value);
void query_bind_real(struct query *, const char *name, double value);
void query_bind_text(struct query *, const char *name, const char *value);
void query_bind_null(struct query *, const char *name);
void query_bind_blob(struct query *, const char *name, const void *, int size);

/* NO_VAL and INFINITE become NULL. */
void query_bind_limit(struct query *, const char *name, uint32_t value);

/* ---- a statement and its values in one go --------------------------------*/

struct bind {
	const char *name; /* ":id" */
	enum bind_kind { BIND_INT, BIND_REAL, BIND_TEXT, BIND_LIMIT } kind;
	int64_t number;
	double real;
	const char *text;
};

static inline struct bind bind_int(const char *name, int64_t value)
{
	return (struct bind){name, BIND_INT, .number = value};
}

static inline struct bind bind_real(const char *name, double value)
{
	return (struct bind){name, BIND_REAL, .real = value};
}

static inline struct bind bind_text(const char *name, const char *value)
{
	return (struct bind){name, BIND_TEXT, .text = value};
}

/* As query_bind_limit. */
static inline struct bind bind_limit(const char *name, uint32_t value)
{
	return (struct bind){name, BIND_LIMIT, .number = value};
}

#define BINDS(...)                                                             \
	((const struct bind[]){__VA_ARGS__, {NULL, BIND_INT, 0, 0, NULL}})

void query_bind(struct query *, const struct bind *); /* NULL: none */

/* These take a literal, as query_open does, then its values:
 *
 *	return store_run(store, "DELETE FROM thing WHERE id = :id",
 *		bind_int(":id", id));
 *
 * It is run: 0, or -1. */
#define store_run(store, sql, ...) query_do_run(store, sql, BINDS(__VA_ARGS__))
int query_do_run(struct store *, const char *sql, const struct bind *);

/* Erases rows of a table, or marks them deleted; `also`: what else is set then,
 * as ", is_default = 0". 0, or -1. */
#define store_remove(store, erase, table, also, where, ...)                    \
	store_run(store,                                                       \
		(erase) ? "DELETE FROM " table " WHERE " where                 \
			: "UPDATE " table " SET deleted = 1" also              \
			  " WHERE " where,                                     \
		__VA_ARGS__)

/* Whether it has a row (of a change: RETURNING 1): 1, 0, or -1. */
#define store_has(store, sql, ...) query_do_has(store, sql, BINDS(__VA_ARGS__))
int query_do_has(struct store *, const char *sql, const struct bind *);

/* The same of a literal without values. */
#define store_any(store, sql) query_do_has(store, sql, NULL)

/* The number in its first row; without a row it stays as it is. 0, or -1. */
#define store_ask(store, sql, number, ...)                                     \
	query_do_ask(store, sql, number, BINDS(__VA_ARGS__))
int query_do_ask(struct store *, const char *sql, int64_t *number,
	const struct bind *);

/* The text in its first row, in the arena: 1; without a row it stays as it is:
 * 0; or -1. */
#define store_text(store, sql, text, arena, ...)                               \
	query_do_text(store, sql, text, arena, BINDS(__VA_ARGS__))
int query_do_text(struct store *, const char *sql, const char **text,
	struct arena *, const struct bind *);

/* Adds the texts of all rows, in the arena. 0, or -1. */
#define store_words(store, sql, words, arena, ...)                             \
	query_do_words(store, sql, words, arena, BINDS(__VA_ARGS__))
#define store_all_words(store, sql, words, arena)                              \
	query_do_words(store, sql, words, arena, NULL)
int query_do_words(struct store *, const char *sql, struct strv *words,
	struct arena *, const struct bind *);

/* ---- values and rows -----------------------------------------------------*/

/* Binds the words to the nameless `?` parameters from number `first` on;
 * gives the number after the last. */
int query_bind_words(struct query *, int first, const struct strv *words);

/* True while there is a row. */
bool query_row(struct query *);

/* How many columns a row has. */
int query_columns(struct query *);

/* A time or a duration in seconds: at most TIME_MOST either way, so that sums
 * of some of them never overflow, whatever a damaged store holds. */
#define TIME_MOST (INT64_C(1) << 40)
int64_t query_time(struct query *, int column);

/* Bytes, seconds, microseconds: the same, at most AMOUNT_MOST. */
#define AMOUNT_MOST (INT64_C(1) << 60)
int64_t query_amount(struct query *, int column);

int64_t query_int(struct query *, int column);
double query_real(struct query *, int column);
bool query_is_null(struct query *, int column);

/* NULL becomes INFINITE. */
uint32_t query_limit(struct query *, int column);

/* The text ("" for NULL): valid until the next row. Without memory for it the
 * query fails. */
const char *query_text(struct query *, int column);
char *query_strdup(struct query *, int column, struct arena *);
const void *query_blob(struct query *, int column, int *size);

/* The value itself, until the next row. */
struct sqlite3_value *query_value(struct query *, int column);

/* The text of a value of a changeset ("" for NULL), as long as that lives. */
const char *query_value_text(struct sqlite3_value *);

/* 0, or -1 when a step failed. */
int query_close(struct query *);

/* Whether it has a row at all: 1, 0, or -1. Closes it. */
int query_found(struct query *);

/* The number in the first row; without a row it stays as it is. Closes it. */
int query_number(struct query *, int64_t *number);

/* The same in one go, of a literal without parameters. */
int store_number(struct store *, const char *sql, int64_t *number);

/* Runs a statement without results. */
int query_run(struct query *);

/* ---- many rows through one statement ------------------------------------ */

/* A statement of its own whose parameters keep what was put there until it is
 * closed. Parameters count from 1. */
int query_open_kept(struct query *, struct store *, const char *sql);
void query_put_int(struct query *, int parameter, int64_t value);
void query_put_text(struct query *, int parameter, const char *value);
void query_put_value(
	struct query *, int parameter, const struct sqlite3_value *);

/* Runs it and resets it for the next row. Returns the number of rows it
 * changed, or -1. */
int query_run_kept(struct query *);

/* As query_run_kept, but rows that triggers wrote are not counted. */
int query_run_changes(struct query *);

/* Finalizes every statement the store kept; part of closing it. */
void query_cache_release(struct store *);

/* One or more statements without parameters. */
int store_exec(struct store *, const char *sql);

/* `?, ?, ?`: as many as there are words; in the arena. */
char *sql_marks(size_t n, struct arena *);
