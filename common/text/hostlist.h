/*
 * Host lists: `n[001-128,200],login` as text and as single names.
 */
#ifndef BURSAR_HOSTLIST_H
#define BURSAR_HOSTLIST_H

#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

/* Appends every name of `text` to `names`, in order, duplicates kept. Names
 * are separated by commas or blanks; a name may hold several brackets, a
 * bracket numbers, ranges (padded as their first number is) and words. More
 * than 1,000,000 names, a name beyond 255 bytes, unbalanced brackets, an empty
 * element or a bad range: -1; `names` may then have grown. */
int hostlist_expand(const char *text, struct arena *, struct strv *names, struct err *);

/* The shortest bracket form: names sorted (numbers by value), duplicates
 * dropped, runs folded: n1 n2 n3 n7 -> "n[1-3,7]". "" for none. */
char *hostlist_fold(const struct strv *names, struct arena *);

#endif
