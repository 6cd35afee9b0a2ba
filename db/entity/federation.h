/*
 * Federations of clusters (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_federation.c).
 *
 * Functions return 0, or -1 with store->err set, unless they say otherwise.
 * Functions that write expect store_begin() to have been called.
 */
#pragma once

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/fields.h"
#include "db/store/store.h"

struct federation {
	const char *name;
	uint32_t flags; /* none is known */
	bool deleted;
};

extern const struct members federation_members;

/* Is there a federation of that name that is not deleted? 1, 0, -1. */
int federation_exists(struct store *, const char *name);

/* Inserts the record, or revives a deleted one. */
int federation_add(struct store *, const char *name);

/* Erases the record; its clusters are in no federation then. */
int federation_remove(struct store *, const char *name);

/* Adds the names of all federations, in order, in the arena. */
int federation_names(
	struct store *, bool with_deleted, struct arena *, struct strv *);

/* Makes the cluster a member, ACTIVE, with the lowest free id from 1 to 63 (a
 * job id of a federation has six bits for it); a 64th cluster is an error
 * (ERR_USAGE). A member stays as it is. */
int federation_join(
	struct store *, const char *federation, const char *cluster);

/* The cluster is in no federation then. */
int federation_leave(struct store *, const char *cluster);
