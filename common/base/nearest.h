/*
 * Finds the known word nearest to a mistyped one, for "did you mean": by edit
 * distance (a letter added, left out or replaced, or two neighbours swapped),
 * ignoring case. Call nearest_init, then nearest_try for every known word, then
 * nearest_found. Only the best word so far is kept, as a copy.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST_MOST = 48 }; /* bytes; longer words are not compared */

struct nearest {
	const char *typed;
	size_t len;
	unsigned cost; /* of the best, lower is nearer; UINT_MAX: none yet */
	char best[NEAREST_MOST + 1];
};

/* The typed word is the first `len` bytes of `typed`, which is not copied and
 * must outlive the struct. */
void nearest_init(struct nearest *, const char *typed, size_t len);

/* Compares a known word of `len` bytes, and abbreviations of it. */
void nearest_try(struct nearest *, const char *word, size_t len);

/* This word is what was meant, by a rule other than its letters, unless one was
 * found that is the same. */
void nearest_take(struct nearest *, const char *word);

/* Compares all names of a row such as "Account:3 Acct:4" (common/base/words.h).
 */
void nearest_names(struct nearest *, const char *names);

/* Compares the words of a comma list. */
void nearest_list(struct nearest *, const char *list);

/* The nearest word, stored in the struct; NULL: none is near enough to be what
 * was meant. */
const char *nearest_found(const struct nearest *);

/* How many slips of the fingers lead to the nearest word, where that is not an
 * abbreviation; else UINT_MAX. */
unsigned nearest_slips(const struct nearest *);

/* Is the typed word the nearest one with an `s` added? */
bool nearest_is_plural(const struct nearest *);
