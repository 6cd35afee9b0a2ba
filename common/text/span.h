/*
 * Hours, days and months of the local calendar, in zones that are whole, half
 * or odd hours from UTC and set their clocks when they like.
 *
 * An hour begins where the local clock shows a full one, and where it is set:
 * no hour is longer than 3600 s, the ones beside a change by half an hour are
 * shorter. A day begins when the clock first shows its date, a month with its
 * first day. Days are whole hours then, months whole days.
 *
 * Pure: only the zone is the process's own.
 */
#ifndef BURSAR_SPAN_H
#define BURSAR_SPAN_H

#include <stdint.h>

#include "common/base/arena.h"

enum span { SPAN_HOUR, SPAN_DAY, SPAN_MONTH, SPANS };

enum { SPAN_HOUR_MOST = 3600 }; /* seconds */

/* The start of the period that contains `when`. */
int64_t span_floor(int64_t when, enum span);

/* The end of the period that follows the one beginning at `start`. */
int64_t span_next(int64_t start, enum span);

/* `when`, if one begins there, else the start of the next. */
int64_t span_ceil(int64_t when, enum span);

/* Which rows Slurm would add up for a window (spec/reporting.md 4.9). */
enum span span_of_window(int64_t start, int64_t end, int64_t now);

/* What tells the local calendar, as far as `until`, from those of other zones:
 * rows kept of its periods are good for no other. */
char *calendar_name(struct arena *, int64_t until);

#endif
