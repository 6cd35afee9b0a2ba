/*
 * Predicted run times; see predict.h.
 */
#include "common/sim/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"

enum { MEMORY = 100, MINUTE = 60, HOUR = 3600 };

static const int64_t increments[] = {1 * MINUTE, 5 * MINUTE, 15 * MINUTE,
	30 * MINUTE, 1 * HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR,
	50 * HOUR, 100 * HOUR};

enum { INCREMENTS = sizeof(increments) / sizeof(*increments) };

struct run_kind_key {
	int64_t limit;
	uint32_t user, name, queue, zero;
};

/* Runs of jobs of one kind, the last ones in a ring. */
struct run_kind {
	struct run_kind_key key;
	UT_hash_handle hh;
	uint32_t n, next;
	int64_t runs[MEMORY];
};

struct last2 {
	uint32_t n;
	int64_t runs[2];
};

struct predict {
	enum predict_method method;
	double quantile;
	struct last2 *users; /* by index */
	struct run_kind *kinds;
};

struct predict *predict_new(
	const struct trace *trace, enum predict_method method, double quantile)
{
	struct predict *predict;

	if (method == PREDICT_NONE)
		return NULL;
	predict = memory_zeroed(1, sizeof(*predict));
	predict->method = method;
	predict->quantile = quantile;
	predict->users = memory_zeroed(trace->users.n, sizeof(*predict->users));
	return predict;
}

void predict_free(struct predict *predict)
{
	struct run_kind *kind, *next;

	if (!predict)
		return;
	HASH_ITER (hh, predict->kinds, kind, next) {
		HASH_DEL(predict->kinds, kind);
		free(kind);
	}
	free(predict->users);
	free(predict);
}

/* ---- kinds ---------------------------------------------------------------*/

static struct run_kind_key key_of(const struct trace_job *job)
{
	return (struct run_kind_key){
		.limit = job->limit,
		.user = job->user,
		.name = job->name,
		.queue = job->queue,
	};
}

static struct run_kind *find_kind(
	struct predict *predict, const struct trace_job *job)
{
	struct run_kind_key key = key_of(job);
	struct run_kind *kind;

	HASH_FIND(hh, predict->kinds, &key, sizeof(key), kind);
	return kind;
}

static void learn_kind(struct predict *predict, const struct trace_job *job)
{
	struct run_kind *kind = find_kind(predict, job);

	if (!kind) {
		kind = memory_zeroed(1, sizeof(*kind));
		kind->key = key_of(job);
		HASH_ADD(hh, predict->kinds, key, sizeof(kind->key), kind);
	}
	kind->runs[kind->next] = job->run;
	kind->next = (kind->next + 1) % MEMORY;
	if (kind->n < MEMORY)
		kind->n++;
}

static int by_size(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* By nearest rank: a run that was. */
static int64_t quantile_of(const struct run_kind *kind, double quantile)
{
	int64_t runs[MEMORY];
	size_t rank = (size_t)ceil(quantile * kind->n);

	memcpy(runs, kind->runs, kind->n * sizeof(*runs));
	qsort(runs, kind->n, sizeof(*runs), by_size);
	return runs[rank ? rank - 1 : 0];
}

/* ---- all -----------------------------------------------------------------*/

int64_t predict_run(struct predict *predict, const struct trace_job *job)
{
	const struct last2 *last = &predict->users[job->user];
	int64_t run = job->limit;

	if (predict->method == PREDICT_LAST2) {
		if (last->n == 2)
			run = last->runs[0] / 2 + last->runs[1] / 2 +
			      (last->runs[0] % 2 + last->runs[1] % 2) / 2;
	} else {
		const struct run_kind *kind = find_kind(predict, job);

		if (kind && kind->n >= 2)
			run = quantile_of(kind, predict->quantile);
	}
	if (run > job->limit)
		run = job->limit;
	return run < 1 ? 1 : run;
}

void predict_learn(struct predict *predict, const struct trace_job *job)
{
	struct last2 *last = &predict->users[job->user];

	if (predict->method == PREDICT_QUANTILE) {
		learn_kind(predict, job);
		return;
	}
	last->runs[0] = last->runs[1];
	last->runs[1] = job->run;
	if (last->n < 2)
		last->n++;
}

int64_t predict_again(int64_t first, uint32_t times, int64_t limit)
{
	if (times >= INCREMENTS || limit - first <= increments[times])
		return limit;
	return first + increments[times];
}

int64_t predict_first(int64_t now, uint32_t times)
{
	return times ? now - increments[times - 1] : now;
}
