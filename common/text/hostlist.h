/*
 * Expands host lists such as `n[001-128,200],login` to single names, and folds
 * names into the shortest host list.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

/* Appends every name of `text` to `names`, in order; duplicates are kept. Names
 * are separated by commas or blanks. A name may have several pairs of brackets;
 * between brackets are numbers, ranges (padded to the width of their first
 * number) and words. Returns 0; -1 with err (ERR_USAGE): more than 1,000,000
 * names, a name longer than 255 bytes, unbalanced brackets, an empty element
 * between brackets or a bad range; `names` may have grown then. */
int hostlist_expand(const char *text, struct arena *, struct strv *names, struct err *);

/* The names of what need not be a host list, as others recorded it: none then. */
struct strv hostlist_names(const char *text, struct arena *);

/* The first of them, or "". */
const char *hostlist_first(const char *text, struct arena *);

/* The place of a name among them, from 0; false: it is not there. */
bool hostlist_place(const char *text, const char *name, struct arena *,
	uint64_t *place);

/* Is one of the wanted among them? Where none is wanted any list will do. */
bool hostlist_meets(const char *text, const struct strv *wanted, struct arena *);

/* The shortest host list of the names, in the arena: sorted (numbers by value),
 * duplicates dropped, consecutive numbers as ranges: n1 n2 n3 n7 gives
 * "n[1-3,7]". "" for no names. */
char *hostlist_fold(const struct strv *names, struct arena *);
