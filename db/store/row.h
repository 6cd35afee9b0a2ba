/*
 * Rows of a table as structs: one list of members serves reading, writing and
 * the defaults. Internal to db/ (jobs, steps, events).
 *
 *	#define THING_MEMBERS(X) X(name, TEXT, name) X(start, SOME, start)
 *	#define ROW(column, type, member) \
 *		{":" #column, ROW_##type, offsetof(struct thing, member)},
 *	static const struct row_member thing_members[] = {THING_MEMBERS(ROW)};
 *	"SELECT key" THING_MEMBERS(ROW_COMMA_NAME) " FROM thing"
 */
#ifndef BURSAR_DB_ROW_H
#define BURSAR_DB_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/text/tres.h"
#include "db/store/query.h"

enum row_type {
	ROW_TEXT,    /* const char *, never NULL */
	ROW_INT,     /* int64_t */
	ROW_SOME,    /* int64_t; 0 is NULL in the store: times, keys */
	ROW_COUNT,   /* uint32_t */
	ROW_REF,     /* uint32_t; 0 is NULL in the store: ids */
	ROW_SET,     /* uint32_t; NO_VAL is NULL, INFINITE is -1 */
	ROW_SET64,   /* uint64_t; NO_VAL64 is NULL */
	ROW_COUNT64, /* uint64_t */
	ROW_SIGNED,  /* int32_t */
	ROW_REAL,    /* double */
	ROW_TRES,    /* struct tres_list as "1=4,2=8000" */
};

struct row_member {
	const char *parameter; /* ":" and the column's name */
	enum row_type type;
	size_t offset;
};

#define ROW_COMMA_NAME(column, type, member) ", " #column
#define ROW_COMMA_PREFIXED(column, type, member) ", j." #column
#define ROW_COMMA_PARAMETER(column, type, member) ", :" #column
#define ROW_COMMA_UPDATE(column, type, member)                                 \
	", " #column " = excluded." #column

/* Text "", NO_VAL where the type has it, 0 elsewhere. */
void row_init(void *row, const struct row_member *, size_t n);

void row_bind(struct query *, const void *row, const struct row_member *,
	size_t n, struct arena *scratch);

/* A member as the store keeps it. Text and list are those of the row. */
struct row_value {
	enum {
		ROW_VALUE_NULL,
		ROW_VALUE_INT,
		ROW_VALUE_REAL,
		ROW_VALUE_TEXT,
		ROW_VALUE_LIST,
	} kind;
	int64_t number;
	double real;
	const char *text;
	const struct tres_list *list;
};

void row_value(
	const void *row, const struct row_member *, struct row_value *);

/* Do two rows hold the same? */
bool row_same(const void *a, const void *b, const struct row_member *, size_t n);

/* Sets used[i] where `row` is not as `blank`, nor was any row before. */
void row_note(const void *row, const void *blank, const struct row_member *,
	size_t n, bool *used);

/* Texts and numbers that `row` leaves unset are taken from `older`; amounts
 * and times are not. */
void row_fill(void *row, const void *older, const struct row_member *, size_t n);

/* From `column` on; gives the column after the last. */
int row_read(struct query *, int column, void *row, const struct row_member *,
	size_t n, struct arena *);

/*
 * A WHERE clause while it is being put together, with what is to be bound to
 * its `?` in order. where_text closes it.
 */
struct where {
	FILE *sql;
	char *text;
	size_t size;
	struct strv binds;
	struct arena *arena;
};

void where_init(struct where *, const char *select, struct arena *);
void where_add(struct where *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void where_one_of(struct where *, const char *column, const struct strv *);
const char *where_text(struct where *);

#endif
