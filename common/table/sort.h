/*
 * Rows in the order of -S: by keys from the left, each a letter of a format
 * (struct member), and as they came where all are equal.
 *
 *	struct sorting by = {.order = offsetof(struct row, order)};
 *
 *	sorting_add(&by, sorting_letter(&letters, 'u'), true);
 *	sorting_run(&by, rows.v, rows.n, sizeof(*rows.v));
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/table/member.h"

/* The letters of a program's keys: those whose columns are not compared as
 * shown, and of the others (members with a letter) those that may be a key. */
struct sorting_letters {
	struct members own;
	const struct members *types;
	const char *as_shown;
};

/* What the letter compares; NULL: it is no key. */
const struct member *sorting_letter(const struct sorting_letters *, char);

struct sorting {
	size_t order; /* offset in a row of a size_t: its place before */
	/* How texts are compared; NULL: strcmp. */
	int (*texts)(const char *, const char *);

	struct sorting_key {
		const struct member *member;
		bool descending;
	} v[64];
	size_t n;
};

/* Appends a key; one that is there already changes nothing, nor does NULL. */
void sorting_add(struct sorting *, const struct member *, bool descending);

/* Sorts n rows of `size` bytes by what the keys' members give: a text, or a
 * number; reals that differ by less than 0.00001 are equal. An unknown time
 * comes last, whichever way. */
void sorting_run(struct sorting *, void *rows, size_t n, size_t size);
