/*
 * Resources that clusters share, such as licenses of a server: one record for
 * each name and server, and how much of it a cluster may use (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_resource.c).
 *
 * Functions that return int: 0, or -1 with store->err set, unless they say
 * otherwise. Results are in the arena. Functions that write expect
 * store_begin() to have been called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/attr.h"
#include "common/table/fields.h"
#include "db/store/store.h"

enum resource_type { RESOURCE_UNKNOWN, RESOURCE_LICENSE };

enum resource_flag {
	RESOURCE_ABSOLUTE = 1 << 0,    /* shares are units, not percent */
	RESOURCE_SHARED_POOL = 1 << 1, /* every share is either all of it or none */
};

/* What one cluster may use. */
struct resource_share {
	const char *cluster;
	uint32_t allowed;	/* percent; units when the resource is absolute */
	uint32_t count_allowed; /* units */
};

struct resource {
	uint32_t id;
	const char *name, *server, *description, *server_type;
	uint32_t type; /* enum resource_type */
	const char *type_text;
	uint32_t count, last_consumed;
	uint32_t flags; /* enum resource_flag */
	const char *flags_text;
	bool deleted;
	int64_t created;
	uint32_t allocated; /* sum of `allowed` over all clusters */
	struct resource_share *shares; /* those the condition asks for, in
					  order of cluster names */
	size_t n_shares, cap;
};

struct resource_list {
	struct resource *v;
	size_t n, cap;
};

/* Which resources. An empty list means any. With clusters or allowed, only
 * resources that have such a share, and only such shares. */
struct resource_cond {
	struct strv names, servers, server_types, descriptions, ids;
	struct strv clusters, allowed;
	bool with_deleted;
};

extern const struct flag_word resource_flag_words[];
extern const struct members resource_members;
extern const struct members resource_share_members;

/* Their rows for a member that is set. */
#define resource_attr(member)                                                  \
	member_at(&resource_members, offsetof(struct resource, member))
#define resource_share_attr(member)                                            \
	member_at(&resource_share_members,                                     \
		offsetof(struct resource_share, member))

/* "License" or "Unknown". */
const char *resource_type_text(uint32_t type);

/* Resources in order of their ids. */
int resource_list(struct store *, const struct resource_cond *, struct arena *,
	struct resource_list *);

/* The resource of that name and server with all its shares. 1: found, 0: none,
 * -1. */
int resource_find(struct store *, const char *name, const char *server,
	struct arena *, struct resource *);

/* Inserts the record, or revives the deleted one; sets resource->id. */
int resource_add(struct store *, struct resource *);

/* Writes description, server type, type, count, last_consumed and flags. */
int resource_update(struct store *, const struct resource *);

/* Removes its shares; erases a record younger than a day, marks an older one
 * deleted. */
int resource_remove(struct store *, const struct resource *);

/* Sets what the cluster may use of the resource (id): `allowed` as in struct
 * resource_share. Call resource_check() after the last. */
int resource_share_set(
	struct store *, uint32_t id, const char *cluster, uint32_t allowed);

/* The cluster may use nothing of it any more; no error without a share. */
int resource_share_remove(struct store *, uint32_t id, const char *cluster);

/*
 * Checks all shares of the resource in the store. -1 with ERR_USAGE when they
 * are more than 100 percent (or than the resource's count, if absolute), or
 * when a share of a shared pool is neither nothing nor all.
 */
int resource_check(struct store *, uint32_t id);
