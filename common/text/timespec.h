/*
 * Reads and prints times and durations as Slurm's commands do (Slurm's
 * src/common/parse_time.c). Times (time_t) are epoch seconds. `now` is always a
 * parameter: nothing here reads the clock. Functions that return int: 0, or -1
 * with err (ERR_USAGE) set.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "common/base/arena.h"
#include "common/base/err.h"

/*
 * The time at which the local clock shows this date and time; members may be
 * out of range (the 32nd), tm_isdst is ignored. If the clock shows it twice:
 * the first time. If it is skipped: as many minutes after the clock went
 * forward, so a skipped 02:30 is 30 minutes after the change. (In both cases
 * the answer of mktime() depends on earlier calls.) -1: there is no such time.
 */
time_t time_local(const struct tm *);

/* If the clock goes back after `when` and shows the same local time again: that
 * second time; else 0. */
time_t time_again(time_t when);

/*
 * Reads a time in any form that sacct(1) describes, in the local time zone.
 * `past`: a date without a year in a later month than now is last year's,
 * and a time of day alone is today's; else both mean the next such time. -1
 * with Slurm's "Invalid time specification (pos=N): TEXT"; *out is unchanged
 * then. Beyond Slurm: bare seconds since the epoch, of nine digits or more, and
 * `@N`. A day that the month does not have is refused, and what is after the
 * year 9999.
 */
int time_parse(const char *text, time_t now, bool past, time_t *out, struct err *);

/*
 * Reads a time limit as minutes: `m`, `m:s`, `h:m:s`, `d-h`, `d-h:m`,
 * `d-h:m:s`; `-1`, INFINITE and UNLIMITED give INFINITE. Seconds are rounded up
 * to a whole minute. -1 for any other text, or a value of NO_VAL or more.
 */
int minutes_parse(const char *text, uint32_t *minutes, struct err *);

/* The same texts as seconds, not rounded (a number alone still means minutes).
 */
int seconds_parse(const char *text, uint32_t *seconds, struct err *);

/* Seconds as `[D-]HH:MM:SS`, in the arena; INFINITE and INFINITE64 print
 * UNLIMITED, other numbers beyond 63 bits (negative differences) INVALID. */
char *duration_format(struct arena *, uint64_t seconds);

/* The same of a number of seconds that is one, as squeue and sinfo have it:
 * hours and days only where there are any, `[[D-]H:]M:SS`. */
char *duration_short(struct arena *, uint64_t seconds);

/*
 * The local time as text, in the arena. `style` is the value of
 * SLURM_TIME_FORMAT, or NULL: "relative" (to `now`), a strftime pattern with a
 * `%` of less than 32 bytes, or anything else, "standard" included, for
 * `YYYY-MM-DDTHH:MM:SS`; the caller warns of an unknown style. 0 and INFINITE
 * print Unknown, NO_VAL None.
 */
char *time_format(struct arena *, time_t when, const char *style, time_t now);
