/*
 * Associations and QOS of another system by their numbers, which stay what names
 * do not: renamed ones are renamed here, and those that were deleted there are here
 * deleted, so that jobs find theirs. For `srecord sync`, as db/entity/mirror.h.
 */
#pragma once

#include "common/conf/policy.h"
#include "db/entity/mirror.h"

/* An association there, perhaps a deleted one. */
struct mirror_assoc {
	uint32_t id;
	bool deleted;
	const char *account, *user, *partition;
	const char *parent; /* of an account: the one above */
};

struct mirror_assocs {
	struct mirror_assoc *v;
	size_t n, cap;
};

/* Numbers up to `last` are known to be those of the same associations here. Those
 * with other names get them, with their jobs; and a user or an account that is no
 * longer in the lists is renamed where all of it is. 1: something was, 0, -1. */
int mirror_assoc_names(struct store *, int64_t cluster, uint32_t last,
	const struct mirror_assocs *, const struct strv *users,
	const struct strv *accounts, struct arena *);

/* Those that the store has by these names get the numbers. A deleted one that it
 * does not have is added, deleted: its jobs count for the account above. Lineages
 * that are not what the tree says are made so. 0 or -1. */
int mirror_assoc_numbers(struct store *, const struct policy *, int64_t cluster,
	const struct mirror_assocs *, struct arena *);

/* A QOS there. */
struct mirror_qos {
	uint32_t id;
	bool deleted;
	const char *name;
	/* Of a deleted one: what it keeps. */
	const char *description;
	uint32_t flags, preempt_mode;
};

struct mirror_qoses {
	struct mirror_qos *v;
	size_t n, cap;
};

/* The same of QOS. */
int mirror_qos_names(struct store *, uint32_t last, const struct mirror_qoses *,
	struct arena *);
int mirror_qos_numbers(
	struct store *, const struct mirror_qoses *, struct arena *);

/* Accounts, users and wckeys that the store has not even deleted are added so. */
int mirror_deleted_account(struct store *, const char *name,
	const char *description, const char *organization);
int mirror_deleted_user(struct store *, const char *name);
int mirror_deleted_wckey(struct store *, const char *cluster, const char *name,
	const char *user);
