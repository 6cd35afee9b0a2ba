/*
 * Chance for tests: seeded, so that it is the same every time and everywhere.
 */
#pragma once

#include <stdint.h>

static uint32_t seed;

/* 0 to n - 1. */
static inline uint32_t chance(uint32_t n)
{
	seed = (uint32_t)((uint64_t)seed * 16807 % 2147483647);
	return seed % n;
}
