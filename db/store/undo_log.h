/*
 * The undo log (table `change`) as changesets of SQLite: reading,
 * applying and undoing them. Functions that return int: 0, or -1 with the store's
 * error, unless they say otherwise.
 */
#pragma once

#include "db/store/changeset.h"

/* One change of the undo log. */
struct logged_change {
	int64_t id, time;
	void *blob; /* its changeset; the caller frees it (free) */
	int size;   /* bytes */
};

/* The change with the next larger id or, with `back`, smaller one. 1: found,
 * 0: none, -1. */
int change_next(struct store *, int64_t id, bool back, struct logged_change *);

/* *time: of the earliest change of the undo log; INT64_MAX: it is empty. */
int change_first_time(struct store *, int64_t *time);

/* Carries out the change in the store, or takes it back, but for jobs, steps and
 * usage. Rows that are not as it expects are overwritten, missing ones are passed
 * over. */
int change_apply(struct store *, const struct logged_change *);
int change_unapply(struct store *, const struct logged_change *);

/* As changeset_each, for the operations of the change. */
int change_each(struct store *, const struct logged_change *,
	changeset_reader *each, void *arg);

/* As change_each, for the operations on some tables ("assoc qos"); others are
 * not even read. */
int change_each_of(struct store *, const struct logged_change *,
	const char *tables, changeset_reader *each, void *arg);
