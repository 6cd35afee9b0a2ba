/*
 * Records as another system has them, for `srecord sync`: what the operations
 * on accounts, users and associations leave to the store itself. Nothing is
 * logged: the other system's log comes with its records.
 *
 * Functions expect an open transaction, and give 1 when something changed, 0
 * when all was so, -1 on errors, unless they say otherwise.
 */
#ifndef BURSAR_DB_MIRROR_H
#define BURSAR_DB_MIRROR_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "db/entity/resource.h"
#include "db/store/store.h"

/* Adds the TRES the store lacks, by "type/name", in their order. 0 or -1. */
int mirror_tres(struct store *, const struct strv *names);

int mirror_account(struct store *, const char *name, const char *description,
	const char *organization);
int mirror_user(struct store *, const char *name, uint32_t admin_level);

/* All coordinators there are, as "account/user". */
int mirror_coordinators(
	struct store *, const struct strv *pairs, struct arena *);

/* Marks accounts and users that are not named deleted. */
int mirror_remove_others(struct store *, const struct strv *accounts,
	const struct strv *users);

/* Gives the QOS this number; one that has it already gets the next free. */
int mirror_qos_id(struct store *, const char *name, uint32_t id);

/* What a federation says of one of its clusters. */
struct mirror_member {
	const char *cluster, *federation; /* "": in none */
	uint32_t id, state;
	const char *features;
};

/* Federations by name; those not named go. */
int mirror_federations(
	struct store *, const struct strv *names, struct arena *);
/* Does nothing for a cluster the store does not have. */
int mirror_member(struct store *, const struct mirror_member *);

/* A resource with its shares; those of clusters that the store does not have
 * are left out. */
int mirror_resource(
	struct store *, const struct resource *, struct arena *);
/* Removes those that are not named, as "name@server". */
int mirror_resources(
	struct store *, const struct strv *names, struct arena *);

/* What associations (by key) are numbered elsewhere. */
struct mirror_id {
	int64_t key;
	uint32_t id;
};

struct mirror_ids {
	struct mirror_id *v;
	size_t n, cap;
};

void mirror_ids_push(
	struct mirror_ids *, struct arena *, int64_t key, uint32_t id);

/* Gives the associations of the cluster these numbers; an association not
 * listed that has one of them gets another. */
int mirror_assoc_ids(
	struct store *, int64_t cluster, const struct mirror_ids *);

#endif
