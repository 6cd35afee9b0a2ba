/*
 * Which of the words there are is nearest to one that was typed, for "did you
 * mean": by edit distance (a letter more, less or another, two neighbours
 * swapped), case ignored. Nothing is kept but the best so far.
 */
#ifndef BURSAR_NEAREST_H
#define BURSAR_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST_MOST = 48 }; /* longer words have no neighbours */

struct nearest {
	const char *typed;
	size_t len;
	unsigned cost; /* of the best; larger than any real cost: none yet */
	char best[NEAREST_MOST + 1];
};

/* `typed`, `len` bytes of it, must stay. */
void nearest_init(struct nearest *, const char *typed, size_t len);

/* A word there is. */
void nearest_try(struct nearest *, const char *word, size_t len);

/* All names of a row, "Account:3 Acct:4" (words.h). */
void nearest_names(struct nearest *, const char *names);

/* The words of a comma list. */
void nearest_list(struct nearest *, const char *list);

/* The nearest; NULL where none is near enough to be what was meant. */
const char *nearest_found(const struct nearest *);

/* Was the nearest typed with an s behind it? */
bool nearest_is_plural(const struct nearest *);

#endif
