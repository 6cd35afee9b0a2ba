/*
 * Where in an order something begins to hold, found by halving.
 */
#pragma once

#include <stddef.h>

/* Moves `low` to the first of the places from `low` up to `high` for which `before`,
 * an expression of the place `at`, is false; to `high` when there is none. It is true
 * of all before that place and of none behind it. Both are size_t, and equal at the
 * end. */
#define BISECT(low, high, at, before) \
	while (low < high) { \
		const size_t at = low + (high - low) / 2; \
\
		if (before) \
			low = at + 1; \
		else \
			high = at; \
	}
