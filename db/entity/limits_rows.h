/*
 * What associations and QOS have in common in the store: the columns that
 * settings change, their lists of TRES, which are rows of another table, and a
 * list of QOS. Each value may be a lease (db/entity/lease.h).
 *
 * Functions return 0, or -1 with store->err set. Functions that write expect
 * store_begin() to have been called.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/table/attr.h"
#include "common/text/tres.h"
#include "db/entity/lease.h"
#include "db/store/store.h"

/* The SQL of one of the two, with a table of rows {owner, kind, tres, count}. */
struct limits_table {
	const char *select; /* kind, tres, count of :owner */
	const char *erase;  /* the rows of :owner and :kind, or that of :tres */
	const char *insert; /* :owner, :kind, :tres, :count */
	const char *update; /* the columns of :key */
	/* LEASE_KINDS: none is kept of its list. */
	enum lease_kind lease, lease_tres, lease_list;
	int (*set_list)(struct store *, const void *record,
		const struct setting *, struct arena *);
};

#define LIMITS_TABLE(name, id, ...)                                            \
	{                                                                      \
		"SELECT kind, tres, count FROM " name "_tres WHERE " name      \
		" = :owner ORDER BY kind, tres",                               \
			"DELETE FROM " name "_tres WHERE " name                \
			" = :owner AND kind = :kind AND :tres IN (0, tres)",   \
			"INSERT INTO " name "_tres (" name                     \
			", kind, tres, count)"                                 \
			" VALUES (:owner, :kind, :tres, :count)",              \
			"UPDATE " name                                         \
			" SET {columns = :columns}, modified = :now WHERE " id \
			" = :key",                                             \
			__VA_ARGS__                                            \
	}

extern const struct limits_table assoc_limits, qos_limits;

/* Adds the owner's rows to the lists: lists[kind], of n_kinds; in the arena. */
int limits_rows_read(struct store *, const struct limits_table *, int64_t owner,
	struct tres_list *lists, size_t n_kinds, struct arena *);

/* Sets the record's members that are columns; `blank`: as a new one has them. */
void limits_put(
	void *record, const void *blank, const struct settings *);

/* Sets one amount of the owner's list of that kind; NO_VAL64: there is none. */
int limits_put_tres(struct store *, const struct limits_table *, int64_t owner,
	uint32_t kind, uint32_t tres, uint64_t count);

/* Writes the owner's lists as the settings change them. `lists`, by kind, are
 * the owner's before, and stay as they are. */
int limits_put_lists(struct store *, const struct limits_table *,
	const void *record, int64_t owner, const struct tres_list *lists,
	const struct settings *, struct arena *);

/* Would limits_update begin or end a lease of the value, whatever it is? 1, 0,
 * -1. */
int limits_lease_differs(struct store *, const struct limits_table *,
	int64_t owner, const struct setting *, struct arena *);

/* Writes all that the settings change. The record is as it was, and `changed` a
 * copy that gets the new columns. */
int limits_update(struct store *, const struct limits_table *,
	const void *record, void *changed, const void *blank, int64_t owner,
	const struct tres_list *lists, const struct settings *, struct arena *);
