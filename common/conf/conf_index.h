/*
 * Finds the index of a name in an array by a hash table: sites have thousands
 * of nodes. A zeroed struct is the empty table; all memory is the arena's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"

struct conf_index_entry;

struct conf_index {
	struct conf_index_entry *head;
};

/* Sets *at (unless `at` is NULL) to the index of the name, compared byte for
 * byte. False: the name is not in the table. */
bool conf_index_find(
	const struct conf_index *, const char *name, size_t *at);

/* Adds a name, which is not copied and must not be in the table yet. */
void conf_index_add(
	struct conf_index *, struct arena *, const char *name, size_t at);
