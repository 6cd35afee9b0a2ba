/*
 * Dry runs: compares a store with the same store after a change that is not kept.
 * Tells which rows changed, whose fair-share factor moved, which jobs would be
 * pending for another reason; as text, or as a record of a document.
 *
 * The change is in a private overlay of the store (store_open_private), or in
 * an open transaction of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/strv.h"
#include "common/table/json.h"
#include "db/entity/site.h"
#include "db/undo/change_jobs.h"
#include "db/undo/change_rows.h"

struct shares;

/* A user whose factor moved. */
struct dry_run_share {
	const char *cluster, *account, *user;
	int64_t key;
	double was, is;
};

/* A job, and why it is pending or which limit it has reached; "starts now": for
 * no reason; "new": it was not there before, "gone": it is not there after. */
struct dry_run_job {
	uint32_t id;
	const char *user, *was, *is;
};

struct dry_run {
	struct arena *arena;
	struct change_counts counts;
	struct strv rows; /* in words, see db/undo/change_rows.h */
	struct change_jobs_list jobs; /* where rows are counted */
	bool counted;
	struct {
		struct dry_run_share *v;
		size_t n, cap;
	} moved; /* the furthest first */
	struct {
		struct dry_run_job *v;
		size_t n, cap;
	} waiting;
};

/* Lines of each kind that are written as text. */
enum { DRY_RUN_SHOWN = 100 };

/* How much is said of rows. */
enum dry_run_rows {
	DRY_RUN_ALL,	 /* each in words */
	DRY_RUN_SOME,	 /* as many as are written as text */
	DRY_RUN_COUNTED, /* as DRY_RUN_SOME, but jobs and steps are only counted:
			    there can be millions */
};

/* `changes`: the changeset between both. -1 with the error of either store. */
int dry_run_compare(struct dry_run *, struct site *before, struct site *after,
	const void *changes, int size, enum dry_run_rows, struct arena *);

/* A fair-share factor that moves by less is not listed. */
extern const double dry_run_threshold;

/* Can the changeset move a fair-share factor? 1, 0, -1 with the store's error. */
int dry_run_moves_shares(struct store *, const void *changes, int size);

/* The users of a cluster whose factor moved between both trees. */
void dry_run_shares(struct dry_run *, const struct shares *was,
	const struct shares *is);

/* Is there a new job that would wait? */
bool dry_run_waits(const struct dry_run *);

/* `report`: what the change itself would print. */
void dry_run_write(const struct dry_run *, const char *report, FILE *);
struct json_object *dry_run_record(const struct dry_run *, const char *report);
