/*
 * Random numbers that are the same everywhere for the same seed: splitmix64
 * (Steele, Lea and Flood 2014). Pure: the state is the caller's.
 */
#ifndef BURSAR_CHANCE_H
#define BURSAR_CHANCE_H

#include <stdint.h>

struct chance {
	uint64_t state; /* the seed */
};

static inline uint64_t chance_next(struct chance *chance)
{
	uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 to 1, without 1. */
static inline double chance_real(struct chance *chance)
{
	return (double)(chance_next(chance) >> 11) * 0x1p-53;
}

/* 0 to n - 1. */
static inline uint64_t chance_below(struct chance *chance, uint64_t n)
{
	return (uint64_t)(chance_real(chance) * (double)n);
}

#endif
