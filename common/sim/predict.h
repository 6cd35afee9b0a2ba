/*
 * How long a job will run, by those that its user ran before (spec/backfill.md
 * 7.2; Tsafrir, Etsion and Feitelson 2007). The time at which a job is killed
 * stays the user's limit; a prediction is only for planning. Pure.
 */
#ifndef BURSAR_PREDICT_H
#define BURSAR_PREDICT_H

#include <stdint.h>

#include "common/sim/trace.h"

enum predict_method { PREDICT_LAST2, PREDICT_QUANTILE };

struct predict;

struct predict *predict_new(
	const struct trace *, enum predict_method, double quantile);
void predict_free(struct predict *);

/* Seconds, 1 to the limit: of the user's last two that have ended the mean, or
 * the quantile of as many as 100 of that user, name, queue and limit. With
 * fewer than two known: the limit. */
int64_t predict_run(struct predict *, const struct trace_job *);

/* It has ended. */
void predict_learn(struct predict *, const struct trace_job *);

/* A job has outrun its prediction for the `times`-th time (from 0): the length
 * to believe in now, from the first one. */
int64_t predict_again(int64_t first, uint32_t times, int64_t limit);

/* The first one, where `now` is what predict_again gave for `times` - 1. */
int64_t predict_first(int64_t now, uint32_t times);

#endif
