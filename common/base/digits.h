/*
 * Numbers as decimal text, to the digit what printf writes, several times as
 * fast: listings of a million rows are mostly these.
 */
#ifndef BURSAR_DIGITS_H
#define BURSAR_DIGITS_H

#include <stdint.h>

#include "common/base/arena.h"

/* As "%llu"; in the arena. */
const char *digits_uint(struct arena *, uint64_t);

/* As "%lld"; in the arena. */
const char *digits_int(struct arena *, int64_t);

/* As "%.*f" with that many digits, at least 0, behind the point; in the arena.
 */
const char *digits_fixed(struct arena *, double, int digits);

#endif
