/*
 * The special numbers of the field: "not given" and "no limit".
 * They live in C only; the store holds NULL and -1 in their place.
 * And the smaller and larger of two, and numbers as people type them.
 */
#ifndef BURSAR_NUMBERS_H
#define BURSAR_NUMBERS_H

#include <stdint.h>

#define NO_VAL ((uint32_t)0xfffffffe)
#define INFINITE ((uint32_t)0xffffffff)
#define NO_VAL64 ((uint64_t)0xfffffffffffffffe)
#define INFINITE64 ((uint64_t)0xffffffffffffffff)

/* RawShares `parent`: the association takes its parent's place in fair share.
 */
#define SHARES_PARENT ((uint32_t)0x7fffffff)

static inline int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Without the sign of what would print as a zero with `digits` behind the
 * point. */
static inline double no_minus_zero(double number, int digits)
{
	double least = 0.5;

	while (digits-- > 0)
		least /= 10;
	return number > -least && number <= 0 ? 0 : number;
}

/* Reads a whole number below NO_VAL; `rest` is what follows it. -1 when the
 * text begins with no number, or it is too large. */
int number_read(const char *text, uint32_t *number, const char **rest);

#endif
