/*
 * The periods of roll-ups: hours, days and months of the local calendar, in any
 * time zone (half hours and other odd offsets from UTC included) and across
 * clock changes.
 *
 * An hour begins where the local clock shows a full hour, and at every clock
 * change: no hour is longer than 3600 s; beside a change by half an hour they
 * are shorter. A day begins when the clock first shows its date, a month with
 * its first day. So a day consists of whole hours and a month of whole days.
 *
 * All times are epoch seconds. Pure, but for the time zone of the process.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"

enum span { SPAN_HOUR, SPAN_DAY, SPAN_MONTH, SPANS };

enum { SPAN_HOUR_MOST = 3600 }; /* the longest hour, in seconds */

/* The start of the period that contains `when`. */
int64_t span_floor(int64_t when, enum span);

/* The end of the period that begins at `start`, which is the start of the next.
 */
int64_t span_next(int64_t start, enum span);

/* `when` if a period begins there, else the start of the next period. */
int64_t span_ceil(int64_t when, enum span);

/* Which roll-ups Slurm adds up for a report on [start, end): months or days if
 * both ends are at the beginning of one and `end` is not after `now`, else
 * hours (Slurm's src/plugins/accounting_storage/mysql/as_mysql_usage.c). */
enum span span_of_window(int64_t start, int64_t end, int64_t now);

/* A text, in the arena, that is the same only for calendars with the same clock
 * changes from 1970 to `until`. It is stored with roll-ups: they are valid only
 * for the calendar they were made with. */
char *calendar_name(struct arena *, int64_t until);
