/*
 * Computes how long a job was suspended (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_jobacct_process.c), from the
 * known intervals and from seconds of which only the sum is known. All times
 * are epoch seconds. Pure.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

struct suspension {
	int64_t start, end; /* end 0: still suspended */
};

struct suspensions {
	struct suspension *v; /* by start; they do not overlap */
	size_t n;
	int64_t loose; /* seconds suspended at unknown times */
};

/* Seconds of [from, until) in which the job was suspended; [from, until) is a
 * part of its run [start, end). Loose seconds are spread evenly over the run,
 * such that the results of consecutive parts add up to that of the run. */
int64_t suspended_within(const struct suspensions *, int64_t start, int64_t end,
	int64_t from, int64_t until);

/* A copy with its own intervals, in the arena. */
struct suspensions suspensions_copy(const struct suspensions *, struct arena *);
