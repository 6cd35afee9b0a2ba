/*
 * Sets of small numbers as bits in words of 64. A set of `n` members takes
 * bits_words(n) words; sets that meet in one call have the same number of them.
 */
#ifndef BURSAR_BITS_H
#define BURSAR_BITS_H

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

/* `n` of them, from `first` on. */
static inline void bits_set_run(uint64_t *set, size_t first, size_t n)
{
	while (n) {
		size_t from = first % 64, some = n < 64 - from ? n : 64 - from;

		set[first / 64] |= UINT64_MAX >> (64 - some) << from;
		first += some;
		n -= some;
	}
}

/* The member `i` becomes two, in or out of the set as it was: those behind it
 * move up. The last must be none. */
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

static inline void bits_nothing(uint64_t *set, size_t words)
{
	memset(set, 0, words * sizeof(*set));
}

static inline void bits_or(uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] |= other[w];
}

/* Four at a time, which processors do at once. */
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

static inline void bits_and_not(
	uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t w = 0; w < words; w++)
		set[w] &= ~other[w];
}

/* Bits of a word; the compiler's own calls a function on old processors. */
static inline size_t bits_of_word(uint64_t w)
{
	w -= w >> 1 & UINT64_C(0x5555555555555555);
	w = (w & UINT64_C(0x3333333333333333)) +
	    (w >> 2 & UINT64_C(0x3333333333333333));
	w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (size_t)(w * UINT64_C(0x0101010101010101) >> 56);
}

static inline size_t bits_count(const uint64_t *set, size_t words)
{
	size_t n = 0;

	for (size_t w = 0; w < words; w++)
		n += bits_of_word(set[w]);
	return n;
}

/* How many are in both. */
static inline size_t bits_count_and(
	const uint64_t *a, const uint64_t *b, size_t words)
{
	size_t n = 0;

	for (size_t w = 0; w < words; w++)
		if (a[w] & b[w])
			n += bits_of_word(a[w] & b[w]);
	return n;
}

/* Are there `n` in both? Stops counting when there are. */
static inline bool bits_enough_and(
	const uint64_t *a, const uint64_t *b, size_t words, size_t n)
{
	size_t found = 0;

	for (size_t w = 0; w < words && found < n; w++)
		found += bits_of_word(a[w] & b[w]);
	return found >= n;
}

/* The first member from `from` on; words * 64: there is none. */
static inline size_t bits_next(const uint64_t *set, size_t words, size_t from)
{
	size_t w = from / 64;
	uint64_t word = w < words ? set[w] & UINT64_MAX << from % 64 : 0;

	while (!word && ++w < words)
		word = set[w];
	return word ? w * 64 + (size_t)__builtin_ctzll(word) : words * 64;
}

/* The first from `from` on that is no member. */
static inline size_t bits_next_clear(
	const uint64_t *set, size_t words, size_t from)
{
	size_t w = from / 64;
	uint64_t word = w < words ? ~set[w] & UINT64_MAX << from % 64 : 0;

	while (!word && ++w < words)
		word = ~set[w];
	return word ? w * 64 + (size_t)__builtin_ctzll(word) : words * 64;
}

/* The members in these words, in order. */
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

#endif
