/*
 * Wckeys, the workload keys of users (spec/sacctmgr.md 3.17, 5.11).
 */
#ifndef BURSAR_WCKEY_H
#define BURSAR_WCKEY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/member.h"
#include "db/store/store.h"

struct wckey {
	int64_t key;
	uint32_t id;
	const char *name, *cluster, *user;
	const char *shown; /* with a `*` when it is the assigned default */
	bool is_default;
	bool deleted;
	int64_t created;
};

struct wckey_list {
	struct wckey *v;
	size_t n, cap;
};

struct wckey_cond {
	struct strv names, clusters, users, ids;
	bool with_deleted;
};

/* What is stored of it and printed; its columns have names of their own. */
extern const struct members wckey_members;

int wckey_list(struct store *, const struct wckey_cond *, struct arena *,
	struct wckey_list *);

/* 1: added, 0: was there already, -1. */
int wckey_add(struct store *, const char *cluster, const char *name,
	const char *user, bool is_default);
int wckey_make_default(struct store *, const struct wckey *);
int wckey_remove(struct store *, const struct wckey *);

#endif
