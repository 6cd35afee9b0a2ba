/*
 * SQLite's own memory, of which one request finds none. Include after cmocka.h;
 * no_memory_begin() is called before anything of SQLite is used.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

static sqlite3_mem_methods no_memory_before;
static long no_memory_requests, no_memory_at; /* 0: none is refused */

static inline bool no_memory_refuses(void)
{
	return ++no_memory_requests == no_memory_at;
}

static inline void *no_memory_get(int size)
{
	return no_memory_refuses() ? NULL : no_memory_before.xMalloc(size);
}

static inline void *no_memory_resize(void *old, int size)
{
	return no_memory_refuses() ? NULL
				   : no_memory_before.xRealloc(old, size);
}

static inline void no_memory_begin(void)
{
	sqlite3_mem_methods ours;

	assert_int_equal(
		sqlite3_config(SQLITE_CONFIG_GETMALLOC, &no_memory_before),
		SQLITE_OK);
	ours = no_memory_before;
	ours.xMalloc = no_memory_get;
	ours.xRealloc = no_memory_resize;
	assert_int_equal(
		sqlite3_config(SQLITE_CONFIG_MALLOC, &ours), SQLITE_OK);
	assert_int_equal(
		sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

/* From here on the n-th request is refused. */
static inline void no_memory_from(long n)
{
	no_memory_requests = 0;
	no_memory_at = n;
}

/* No more; was there a request that was refused? */
static inline bool no_memory_end(void)
{
	bool was = no_memory_requests >= no_memory_at;

	no_memory_at = 0;
	return was;
}
