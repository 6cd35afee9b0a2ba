/*
 * What a changeset has to do with fair-share: mostly nothing, or a few
 * associations have other shares, or are new. Then the tree as it was follows
 * from the tree as it is, and need not be read once more.
 */
#ifndef BURSAR_DB_CHANGE_SHARES_H
#define BURSAR_DB_CHANGE_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* An association that was not there, or had other shares. */
struct change_share {
	int64_t key;
	bool is_new;
	uint32_t shares_raw; /* before */
};

struct change_shares {
	struct change_share *v; /* in order of their keys */
	size_t n, cap;
	bool more; /* what moves is more than that: usage, parents, ... */
};

int change_shares(struct store *, const void *blob, int size, struct arena *,
	struct change_shares *);

#endif
