/*
 * Dry runs: a store and the same store with a change that nobody keeps, beside
 * each other. Which rows became others, whose fair-share moved, which jobs would
 * wait for another reason; as text, and as a record of a document.
 *
 * The change is in a store that lies over the other (store_open_private), or
 * in an open transaction of it.
 */
#ifndef BURSAR_DB_DRY_RUN_H
#define BURSAR_DB_DRY_RUN_H

#include <stdio.h>

#include "common/base/strv.h"
#include "common/table/json.h"
#include "db/entity/site.h"

struct share;

/* A user whose factor moved. */
struct dry_run_share {
	const char *cluster;
	const struct share *share;
	double was, is;
};

/* A waiting job, and for what; "new": it was not there. */
struct dry_run_job {
	uint32_t id;
	const char *user, *was, *is;
};

struct dry_run {
	struct arena *arena;
	struct strv rows; /* in words, see db/history/change_rows.h */
	struct {
		struct dry_run_share *v;
		size_t n, cap;
	} moved; /* the furthest first */
	struct {
		struct dry_run_job *v;
		size_t n, cap;
	} waiting;
};

/* `changes`: the changeset between both. -1 with the error of either store. */
int dry_run_compare(struct dry_run *, struct site *before, struct site *after,
	const void *changes, int size, struct arena *);

/* `report`: what the change itself would print. */
void dry_run_write(const struct dry_run *, const char *report, FILE *);
struct json_object *dry_run_record(const struct dry_run *, const char *report);

#endif
