/*
 * Predicts how long a job will run from earlier jobs of its user (Tsafrir,
 * Etsion and Feitelson, IEEE TPDS 18(6), 2007). The time at which a job is
 * killed stays the user's limit; a prediction is only for planning. Pure. Times
 * are seconds.
 */
#pragma once

#include <stdint.h>

#include "common/sim/trace.h"

enum predict_method { PREDICT_NONE, PREDICT_LAST2, PREDICT_QUANTILE };

struct predict;

/* NULL with PREDICT_NONE. */
struct predict *predict_new(
	const struct trace *, enum predict_method, double quantile);
void predict_free(struct predict *);

/* The predicted run time, 1 to the limit. PREDICT_LAST2: mean of the user's
 * last two jobs that have ended. PREDICT_QUANTILE: quantile of the last 100 (or
 * fewer) jobs with the same user, name, queue and limit. With fewer than two
 * known: the limit. */
int64_t predict_run(struct predict *, const struct trace_job *);

/* The job has ended: its run time counts from now on. */
void predict_learn(struct predict *, const struct trace_job *);

/* The next prediction for a job that has outrun its prediction for the
 * `times`-th time (from 0), where `first` was the first prediction. At most the
 * limit. */
int64_t predict_again(int64_t first, uint32_t times, int64_t limit);

/* The first prediction, where `now` is what predict_again gave for `times` - 1
 * (`times` 0: the first itself). */
int64_t predict_first(int64_t now, uint32_t times);
