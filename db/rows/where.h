/*
 * A WHERE clause while it is being put together, with what is to be bound to
 * its `?` in order.
 *
 *	where_members(&w, "SELECT {e.columns} FROM event e", &event_members,
 *		arena);
 *	where_one_of(&w, "e.node", &names);
 *	return where_list(&w, store, &event_members, list);
 */
#pragma once

#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/member.h"
#include "db/store/query.h"

struct where {
	FILE *sql;
	char *text;
	size_t size;
	struct strv binds;
	struct arena *arena;
};

/* Begins with `select` and WHERE 1; what is added begins with AND. */
void where_init(struct where *, const char *select, struct arena *);

/* The same of columns that are members (db/rows/members.h). */
void where_members(struct where *, const char *select, const struct members *,
	struct arena *);

void where_add(struct where *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The column is one of the words; no words: any. */
void where_one_of(struct where *, const char *column, const struct strv *);

/* The whole statement; ends it. In the arena. */
const char *where_text(struct where *);

/* Ends it and opens the statement, with what is to be bound. 0, or -1. */
int where_open(struct where *, struct query *, struct store *);

/* Ends it and reads every row into the list (`v`, `n`, `cap`), whose records
 * have those members; what is no column of them is zero. In the arena. 0, or
 * -1. */
#define where_list(where, store, members, list)                                \
	((list)->v = where_records((where), (store), (members),                \
		 sizeof(*(list)->v), &(list)->n),                              \
		(list)->cap = (list)->n, (list)->v ? 0 : -1)
void *where_records(struct where *, struct store *, const struct members *,
	size_t size, size_t *n);
