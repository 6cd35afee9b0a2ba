/*
 * Numbers as decimal text: the same digits that printf writes, but several
 * times faster, because listings of a million rows spend most of their time on
 * this. All texts are in the arena.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"

/* As "%llu". */
const char *digits_uint(struct arena *, uint64_t);

/* As "%lld". */
const char *digits_int(struct arena *, int64_t);

/* As "%.*f": with `digits` (0 or more) decimals. */
const char *digits_fixed(struct arena *, double, int digits);
