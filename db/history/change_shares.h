/*
 * What a changeset changes of fair-share: mostly nothing, or the shares of a
 * few associations, or it adds some. Then the tree before the change can be
 * made from the tree after it, and need not be read once more.
 */
#ifndef BURSAR_DB_CHANGE_SHARES_H
#define BURSAR_DB_CHANGE_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* An association that the changeset adds, or whose shares it changes. */
struct change_share {
	int64_t key;
	bool is_new;
	uint32_t shares_raw; /* before it, unless new */
};

struct change_shares {
	struct change_share *v; /* in order of their keys */
	size_t n, cap;
	bool more; /* fair-share changes by more than that (usage, parents,
		      removed associations ...): `v` is incomplete */
};

/* The list is in the arena. 0, or -1 with the store's error. */
int change_shares(struct store *, const void *blob, int size, struct arena *,
	struct change_shares *);

#endif
