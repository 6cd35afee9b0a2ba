/*
 * An arena that lives as long as a test, or a group of them. Include after
 * cmocka.h.
 */
#pragma once

#include "common/base/arena.h"

static struct arena arena;

static inline int setup(void **state)
{
	arena_init(&arena);
	return 0;
}

static inline int teardown(void **state)
{
	arena_release(&arena);
	return 0;
}
