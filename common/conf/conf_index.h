/*
 * Names to indexes in an array, hashed: thousands of nodes must be found at
 * once. A zeroed struct is the empty index; all memory is the arena's.
 */
#ifndef BURSAR_CONF_INDEX_H
#define BURSAR_CONF_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"

struct conf_index_entry;

struct conf_index {
	struct conf_index_entry *head;
};

/* Byte for byte; false when the name is not there. `at` may be NULL. */
bool conf_index_find(
	const struct conf_index *, const char *name, size_t *at);

/* The name must stay where it is and must not be in the index yet. */
void conf_index_add(
	struct conf_index *, struct arena *, const char *name, size_t at);

#endif
