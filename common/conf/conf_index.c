/* See conf_index.h: uthash over arena memory, nothing is ever freed singly. */
#include "common/conf/conf_index.h"

#include <string.h>

#define uthash_malloc(size) arena_alloc(arena, (size))
#define uthash_free(memory, size) ((void)(memory))
#include "common/base/hash.h"

struct conf_index_entry {
	const char *name;
	size_t at;
	UT_hash_handle hh;
};

bool conf_index_find(
	const struct conf_index *index, const char *name, size_t *at)
{
	struct conf_index_entry *found;

	HASH_FIND(hh, index->head, name, strlen(name), found);
	if (found && at)
		*at = found->at;
	return found;
}

void conf_index_add(struct conf_index *index, struct arena *arena,
	const char *name, size_t at)
{
	struct conf_index_entry *entry = arena_alloc(arena, sizeof(*entry));

	entry->name = name;
	entry->at = at;
	HASH_ADD_KEYPTR(hh, index->head, entry->name, strlen(name), entry);
}
