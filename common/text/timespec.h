/*
 * Times and durations as Slurm's commands read and print them
 * (spec/reporting.md 1.1, 1.2, 2; spec/sacctmgr.md 1.4, 4.3).
 * `now` is a parameter everywhere: nothing here asks the clock.
 */
#ifndef BURSAR_TIMESPEC_H
#define BURSAR_TIMESPEC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "common/base/arena.h"
#include "common/base/err.h"

/*
 * The moment of a local date and clock, members in any range; tm_isdst does not
 * count. mktime() answers by what it was asked before where the clock shows a
 * time twice or never; here it is always the first of two, and of a time that
 * is skipped the moment that many minutes after the clock was put on. -1: none.
 */
time_t time_local(const struct tm *);

/* When clocks go back, the second moment at which the local clock shows this
 * time; 0 when there is only one. */
time_t time_again(time_t when);

/*
 * Any time form of spec/reporting.md section 2, local zone. `past`: a date
 * without a year in a later month than now belongs to last year and a bare
 * clock time to today; otherwise both mean the next such moment. -1 with
 * "Invalid time specification (pos=N): TEXT"; *out is then untouched.
 */
int time_parse(const char *text, time_t now, bool past, time_t *out, struct err *);

/*
 * Time limits: `m`, `m:s`, `h:m:s`, `d-h`, `d-h:m`, `d-h:m:s`; `-1`, INFINITE,
 * UNLIMITED give INFINITE. Seconds round up to a whole minute. -1 (with err
 * set) for any other text, or a value beyond 32 bits.
 */
int minutes_parse(const char *text, uint32_t *minutes, struct err *);

/* The same grammar, in seconds (a bare number counts minutes). */
int seconds_parse(const char *text, uint32_t *seconds, struct err *);

/* `[D-]HH:MM:SS`; INFINITE and INFINITE64 print UNLIMITED, other numbers
 * beyond 63 bits (negative differences) INVALID. */
char *duration_format(struct arena *, uint64_t seconds);

/*
 * `YYYY-MM-DDTHH:MM:SS` local, or as `style` (the value of
 * SLURM_TIME_FORMAT, NULL when unset) asks: "standard", "relative" (against
 * now), or a strftime pattern of less than 32 bytes with a `%`; any other
 * style is as unset (the caller warns). 0 and INFINITE print Unknown, NO_VAL
 * None.
 */
char *time_format(struct arena *, time_t when, const char *style, time_t now);

#endif
