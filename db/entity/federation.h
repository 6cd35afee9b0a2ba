/*
 * Federations of clusters (spec/sacctmgr.md 3.6, 5.12).
 */
#ifndef BURSAR_FEDERATION_H
#define BURSAR_FEDERATION_H

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

/* 1: there is one, 0: none, -1. */
int federation_exists(struct store *, const char *name);

int federation_add(struct store *, const char *name);
int federation_remove(struct store *, const char *name);

/* Names in order. */
int federation_names(
	struct store *, bool with_deleted, struct arena *, struct strv *);

/* Makes the cluster a member with the lowest free id, ACTIVE. */
int federation_join(
	struct store *, const char *federation, const char *cluster);
int federation_leave(struct store *, const char *cluster);

#endif
