/*
 * Slurm's special numbers: NO_VAL for "not given" and INFINITE for "no limit".
 * They exist in C only; the store holds NULL and -1 in their place. Also the
 * smaller and larger of two numbers, and reading a typed number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NO_VAL ((uint32_t)0xfffffffe)
#define INFINITE ((uint32_t)0xffffffff)
#define NO_VAL64 ((uint64_t)0xfffffffffffffffe)
#define INFINITE64 ((uint64_t)0xffffffffffffffff)

/* The raw shares of an association with fairshare=parent: it has no shares of
 * its own and counts as a part of its parent account. */
#define SHARES_PARENT ((uint32_t)0x7fffffff)

/* Is a limit of that number one? */
static inline bool limit_is_set(uint32_t number)
{
	return number != INFINITE && number != NO_VAL;
}

/* The number; 0 where it is none. */
static inline uint32_t known_or_0(uint32_t number)
{
	return limit_is_set(number) ? number : 0;
}

static inline int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The number, or 0 if it would print as "-0" with `digits` decimals. */
static inline double no_minus_zero(double number, int digits)
{
	double least = 0.5;

	while (digits-- > 0)
		least /= 10;
	return number > -least && number <= 0 ? 0 : number;
}

/* Reads the whole decimal number that the text begins with; *rest is the text
 * after it. Returns 0; -1: the text does not begin with a digit, or the number
 * is NO_VAL or more. */
int number_read(const char *text, uint32_t *number, const char **rest);

/* The same of a number that may have a sign, decimals and an exponent. -1: the
 * text begins with none, or with one in hexadecimal, or it is infinite. */
int real_read(const char *text, double *number, const char **rest);
