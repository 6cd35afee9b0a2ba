/*
 * Sets of small numbers, one bit each, in words of 64 bits. A set of numbers
 * below `n` takes bits_words(n) words. Where a function takes two sets, both
 * have `words` words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline size_t bits_words(size_t n)
{
	return (n + 63) / 64;
}

static inline void bits_set(uint64_t *set, size_t i)
{
	set[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void bits_clear(uint64_t *set, size_t i)
{
	set[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* Sets the `n` bits from `first` on. */
static inline void bits_set_run(uint64_t *set, size_t first, size_t n)
{
	while (n) {
		size_t from = first % 64, some = n < 64 - from ? n : 64 - from;

		set[first / 64] |= UINT64_MAX >> (64 - some) << from;
		first += some;
		n -= some;
	}
}

/* Inserts a bit after bit `i`, with the value of bit `i`; all higher bits move
 * up by one. The last bit of the last word must be clear, for it is lost. */
static inline void bits_double(uint64_t *set, size_t words, size_t i)
{
	uint64_t *word = &set[i / 64], behind = UINT64_MAX << i % 64;

	for (size_t w = words - 1; w > i / 64; w--)
		set[w] = set[w] << 1 | set[w - 1] >> 63;
	*word = (*word & ~behind) | (*word & behind) << 1 |
		(*word & UINT64_C(1) << i % 64);
}

static inline bool bits_has(const uint64_t *set, size_t i)
{
	return set[i / 64] >> i % 64 & 1;
}

static inline void bits_copy(uint64_t *to, const uint64_t *from, size_t words)
{
	memcpy(to, from, words * sizeof(*to));
}

/* Clears all bits. */
static inline void bits_nothing(uint64_t *set, size_t words)
{
	memset(set, 0, words * sizeof(*set));
}

/* set |= other */
static inline void bits_or(uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] |= other[w];
}

/* set &= other; four words at a time, so that compilers use vector
 * instructions. */
static inline void bits_and(uint64_t *set, const uint64_t *other, size_t words)
{
	size_t w = 0;

	for (; w + 4 <= words; w += 4) {
		uint64_t a = set[w] & other[w];
		uint64_t b = set[w + 1] & other[w + 1];
		uint64_t c = set[w + 2] & other[w + 2];
		uint64_t d = set[w + 3] & other[w + 3];

		set[w] = a;
		set[w + 1] = b;
		set[w + 2] = c;
		set[w + 3] = d;
	}
	for (; w < words; w++)
		set[w] &= other[w];
}

/* set &= ~other */
static inline void bits_and_not(
	uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] &= ~other[w];
}

/* How many bits of the word are set. Not __builtin_popcountll(): without an
 * option for newer processors, it is a call of a library function. */
static inline size_t bits_of_word(uint64_t w)
{
	w -= w >> 1 & UINT64_C(0x5555555555555555);
	w = (w & UINT64_C(0x3333333333333333)) +
	    (w >> 2 & UINT64_C(0x3333333333333333));
	w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (size_t)(w * UINT64_C(0x0101010101010101) >> 56);
}

/* How many bits are set. */
static inline size_t bits_count(const uint64_t *set, size_t words)
{
	size_t n = 0;

	for (size_t w = 0; w < words; w++)
		n += bits_of_word(set[w]);
	return n;
}

/* How many bits are set in both `a` and `b`. */
static inline size_t bits_count_and(
	const uint64_t *a, const uint64_t *b, size_t words)
{
	size_t n = 0;

	for (size_t w = 0; w < words; w++)
		if (a[w] & b[w])
			n += bits_of_word(a[w] & b[w]);
	return n;
}

/* Are at least `n` bits set in both `a` and `b`? Stops counting at `n`. */
static inline bool bits_enough_and(
	const uint64_t *a, const uint64_t *b, size_t words, size_t n)
{
	size_t found = 0;

	for (size_t w = 0; w < words && found < n; w++)
		found += bits_of_word(a[w] & b[w]);
	return found >= n;
}

/* The first bit at or after `from` that is set; words * 64 if none is. */
static inline size_t bits_next(const uint64_t *set, size_t words, size_t from)
{
	size_t w = from / 64;
	uint64_t word = w < words ? set[w] & UINT64_MAX << from % 64 : 0;

	while (!word && ++w < words)
		word = set[w];
	return word ? w * 64 + (size_t)__builtin_ctzll(word) : words * 64;
}

/* The first bit at or after `from` that is clear; words * 64 if none is. */
static inline size_t bits_next_clear(
	const uint64_t *set, size_t words, size_t from)
{
	size_t w = from / 64;
	uint64_t word = w < words ? ~set[w] & UINT64_MAX << from % 64 : 0;

	while (!word && ++w < words)
		word = ~set[w];
	return word ? w * 64 + (size_t)__builtin_ctzll(word) : words * 64;
}

/* Writes the numbers of all set bits in the words `first` to `end` - 1, in
 * ascending order. `to` must have room for all of them. */
static inline void bits_list(
	uint32_t *to, const uint64_t *set, size_t first, size_t end)
{
	for (size_t w = first; w < end; w++)
		for (uint64_t word = set[w]; word; word &= word - 1)
			*to++ = (uint32_t)(w * 64) +
				(uint32_t)__builtin_ctzll(word);
}

static inline bool bits_equal(
	const uint64_t *a, const uint64_t *b, size_t words)
{
	return !memcmp(a, b, words * sizeof(*a));
}
