/*
 * Pseudo-random numbers: splitmix64 (Steele, Lea and Flood 2014). The same seed
 * gives the same numbers on every machine. Pure: the caller holds the state.
 */
#pragma once

#include <stdint.h>

struct chance {
	uint64_t state; /* set it to the seed */
};

/* Each bit of the result depends on all bits of the number. */
static inline uint64_t chance_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* The next number, any of 64 bits. */
static inline uint64_t chance_next(struct chance *chance)
{
	return chance_mix(chance->state += UINT64_C(0x9e3779b97f4a7c15));
}

/* The next number as a real, 0 <= number < 1. */
static inline double chance_real(struct chance *chance)
{
	return (double)(chance_next(chance) >> 11) * 0x1p-53;
}

/* The next number as a whole one, 0 to n - 1. `n` is at most 2^53. */
static inline uint64_t chance_below(struct chance *chance, uint64_t n)
{
	return (uint64_t)(chance_real(chance) * (double)n);
}
