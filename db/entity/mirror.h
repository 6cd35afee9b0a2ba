/*
 * Records as another system has them, for `srecord sync`: what rosters
 * (db/roster) do not have. Nothing is logged: the other system's log comes with
 * its records.
 *
 * Functions expect an open transaction. They return 1 when something changed, 0
 * when the store had all of it already, -1 with store->err set, unless they say
 * otherwise.
 */
#pragma once

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

/* Names there; the past ones are those that are deleted, perhaps others too. */
struct mirror_names {
	struct strv live, past;
};

/* Marks accounts and users that are not live there deleted, except root and those
 * with associations, which another cluster then has. One of which neither system
 * has anything is removed. */
int mirror_remove_others(struct store *, const struct mirror_names *accounts,
	const struct mirror_names *users, struct arena *);

/* Gives the QOS this id in all tables and in what leases keep; another QOS that
 * has it gets the id after the largest. Does nothing for a QOS the store does
 * not have. */
int mirror_qos_id(struct store *, const char *name, uint32_t id);

/* What a federation says of one of its clusters. */
struct mirror_member {
	const char *cluster, *federation; /* federation "": in none */
	uint32_t id, state;
	const char *features;
};

/* `names`: all federations there are; others are erased. */
int mirror_federations(
	struct store *, const struct strv *names, struct arena *);
/* Does nothing for a cluster the store does not have. */
int mirror_member(struct store *, const struct mirror_member *);

/* Adds or changes a resource and its shares; shares of clusters that the store
 * does not have are left out. */
int mirror_resource(
	struct store *, const struct resource *, struct arena *);
/* Removes all resources but these, each "name@server". */
int mirror_resources(
	struct store *, const struct strv *names, struct arena *);

/* The id that an association (key) has in the other system. */
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

/* Gives the associations of the cluster (key) these ids, of which some are others
 * than before, in reservations too; those not listed get new ids behind the
 * largest. 0 or -1. */
int mirror_assoc_ids(
	struct store *, int64_t cluster, const struct mirror_ids *);
