/*
 * Usage over time in closed form: how it decays with the half-life, what a run
 * has added by a given moment, when the counters are reset (Slurm's
 * src/plugins/priority/multifactor/priority_multifactor.c, _apply_decay()).
 * Continuous and with the exact half-life, so no periodic pass is needed:
 * value(t) follows from value(t0).
 *
 * All times are seconds since the epoch, half-lives seconds. Results are finite
 * for finite input and never NaN.
 */
#pragma once

#include <time.h>

#include "common/conf/policy.h"

/*
 * The usage that was `value` at `since`, decayed to `at`: value * 2^-((at -
 * since) / half_life). half_life 0 (or less): no decay. `at` before `since`:
 * the value is returned as it is.
 */
long double decay_carry(
	long double value, time_t since, time_t at, double half_life);

/*
 * What a run at a constant `rate` (usage per second, see usage_rate) from
 * `start` to `end` is worth at `at`: the integral of rate * 2^-((at - s) /
 * half_life) over the part of [start, end] before `at`. An empty or backward
 * interval gives 0. Still running: pass `at` as `end`. After a reset at r: pass
 * max(start, r) as `start`. Linear in `rate`, which may be negative to take a
 * run out again: the same start, end and rate at any `at` cancel exactly.
 *
 * The part of a run after `at` does not count. So to add a run to a stored
 * value that is older than the end of the run, first decay that value to `end`
 * (decay_carry), then add the integral at `end`.
 */
long double decay_integral(long double rate, time_t start, time_t end,
	time_t at, double half_life);

/* Usage per second of a job: billing * UsageFactor of its QOS. A negative
 * factor counts as 1: pass one for a job without QOS (spec 2.1). */
double usage_rate(double billing, double usage_factor);

/*
 * The latest scheduled reset in (last, now], or `last` when none was due: always
 * a local midnight, of a day, Sunday, month, quarter, year (spec 2.6). None for
 * NOW: Slurm resets at the start of slurmctld then, and Bursar has no daemon. The
 * local zone is that of the process (TZ). Usage from before a reset no longer
 * counts.
 */
time_t usage_reset_last(enum usage_reset, time_t last, time_t now);

/* The first scheduled reset after `now`; 0: none. */
time_t usage_reset_next(enum usage_reset, time_t now);
