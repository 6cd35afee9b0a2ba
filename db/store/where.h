/*
 * A WHERE clause while it is being put together, with what is to be bound to
 * its `?` in order.
 *
 *	where_init(&w, "SELECT id FROM event", arena);
 *	where_one_of(&w, "node", &names);
 *	query_open_text(&q, store, where_text(&w));
 *	query_bind_words(&q, 1, &w.binds);
 */
#ifndef BURSAR_DB_WHERE_H
#define BURSAR_DB_WHERE_H

#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/strv.h"

struct where {
	FILE *sql;
	char *text;
	size_t size;
	struct strv binds;
	struct arena *arena;
};

/* Begins with `select` and WHERE 1; what is added begins with AND. */
void where_init(struct where *, const char *select, struct arena *);

void where_add(struct where *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The column is one of the words; no words: any. */
void where_one_of(struct where *, const char *column, const struct strv *);

/* The whole statement; ends it. In the arena. */
const char *where_text(struct where *);

#endif
