/*
 * Records and the rows of their tables: from a table of members
 * (common/table/member.h) come the lists of columns in a statement, what is
 * bound and what is read. Members without a column are passed over.
 *
 *	query_open_members(&q, store, &thing_members,
 *		"INSERT INTO thing ({columns}) VALUES ({:columns})"
 *		" ON CONFLICT (name) DO UPDATE SET {columns = excluded}");
 *	members_bind(&q, &thing, &thing_members, scratch);
 *
 *	query_open_members(&q, store, &thing_members,
 *		"SELECT t.key, {t.columns} FROM thing t WHERE t.name = :name");
 *	members_read(&q, 1, &thing, &thing_members, arena);
 *
 * | in braces          | becomes                                         |
 * |--------------------|-------------------------------------------------|
 * | {columns}          | name, age                                       |
 * | {:columns}         | :name, :age                                     |
 * | {columns = excluded} | name = excluded.name, age = excluded.age      |
 * | {columns = :columns} | name = :name, age = :age                      |
 * | {t.columns}        | t.name, t.age, and what has `select` as it says |
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/table/member.h"
#include "common/text/tres.h"
#include "db/store/query.h"

/* The statement with its braces filled in; in the arena. */
const char *members_sql(
	const char *sql, const struct members *, struct arena *);

/* As query_open: `sql` is a literal, its statement is kept. */
int query_open_members(struct query *, struct store *, const struct members *,
	const char *sql);

/* Binds the parameters of {:columns} or {columns = :columns}. */
void members_bind(struct query *, const void *record, const struct members *,
	struct arena *scratch);

/* Opens the statement, a literal, and binds the record in one go. */
int query_open_record(struct query *, struct store *, const struct members *,
	const void *record, const char *sql);

/* Runs such a statement, with more values (store_run). 0, or -1. */
#define store_write(store, members, record, sql, ...)                          \
	members_write(store, members, record, sql, BINDS(__VA_ARGS__))
int members_write(struct store *, const struct members *, const void *record,
	const char *sql, const struct bind *);

/* Reads what {t.columns} gave, from column `first` on; gives the column after
 * the last. Text lies in the arena. */
int members_read(struct query *, int first, void *record,
	const struct members *, struct arena *);

/* Reads the columns from `first` on, each into the member of its name, and leaves
 * the other members alone. For a statement of query_open_members, with at most as
 * many columns as there are members. */
void members_read_named(struct query *, int first, void *record,
	const struct members *, struct arena *);

/* A member as the store keeps it. Text and list are those of the record. */
struct stored_value {
	enum {
		STORED_NULL,
		STORED_INT,
		STORED_REAL,
		STORED_TEXT,
		STORED_LIST,
	} kind;
	int64_t number;
	double real;
	const char *text;
	const struct tres_list *list;
};

void member_stored(
	const struct member *, const void *record, struct stored_value *);

/* One table of members that have a column, in the arena: those of `own`, and of
 * `rest`, a record that begins where the whole record begins. */
struct members members_columns(const struct members *own,
	const struct members *rest, struct arena *);

/* Would the store keep the same values for both records? */
bool members_same(const void *a, const void *b, const struct members *);

/* Sets used[i] where member i of any of the `n` records differs from that of
 * `blank`; entries already set stay. */
void members_note(const void *const *records, size_t n, const void *blank,
	const struct members *, bool *used);

/* Texts and numbers that `record` leaves unset are taken from `older`; amounts
 * and times are not. */
void members_fill(void *record, const void *older, const struct members *);

/* TRES lists as the store keeps them: "1=4,2=8000". False: it does not fit into
 * `size` bytes. */
bool tres_pack_into(const struct tres_list *, char *text, size_t size);

char *tres_pack(const struct tres_list *, struct arena *);

/* Text that is not a list ends it. */
void tres_unpack(const char *text, struct arena *, struct tres_list *);
