/*
 * Multifactor job priority (Slurm's
 * src/plugins/priority/multifactor/priority_multifactor.c,
 * _get_priority_internal()). Everything is double until the sum is truncated.
 */
#include "common/fair/priority.h"

#include <float.h>
#include <math.h>

/* Not a plain min and max: NaN becomes 0. */
static double clamp01(double x)
{
	if (!(x > 0))
		return 0;
	return x < 1 ? x : 1;
}

/* --- The factors --- */

/* What a factor is computed from. */
struct inputs {
	const struct priority_context *ctx;
	const struct priority_job *job;
	const struct priority_partition *partition;
	uint32_t qos_priority;
};

static double age_factor(const struct inputs *in)
{
	time_t now = in->ctx->now, accrue = in->job->accrue;
	uint32_t max_age = in->ctx->policy->max_age;

	if (!accrue || now < accrue)
		return 0;
	if (!max_age)
		return 1;
	return clamp01(((double)now - (double)accrue) / max_age);
}

/* A number against the highest there is, or the bare number. */
static double normalized(const struct inputs *in, enum priority_flag raw_flag,
	uint32_t number, uint32_t highest)
{
	number = known_or_0(number);
	if (in->ctx->policy->flags & raw_flag)
		return number;
	return highest ? (double)number / highest : 0;
}

static double assoc_factor(const struct inputs *in)
{
	return normalized(in, PRIO_NO_NORMAL_ASSOC, in->job->assoc_priority,
		in->ctx->max_assoc_priority);
}

static double fairshare_term_factor(const struct inputs *in)
{
	return clamp01(in->job->fairshare);
}

static double job_size_factor(const struct inputs *in)
{
	return priority_job_size(in->ctx, in->job, in->partition);
}

static double partition_factor(const struct inputs *in)
{
	uint16_t highest = in->ctx->max_partition_factor;

	if (!in->partition)
		return 0;
	return normalized(in, PRIO_NO_NORMAL_PART, in->partition->job_factor,
		highest ? highest : 1);
}

static double qos_factor(const struct inputs *in)
{
	return normalized(in, PRIO_NO_NORMAL_QOS, in->qos_priority,
		in->ctx->max_qos_priority);
}

/* --- Job size --- */

static double job_cpus(const struct priority_job *job)
{
	if (known_or_0(job->cpus_alloc))
		return job->cpus_alloc;
	if (known_or_0(job->cpus_max))
		return job->cpus_max;
	return known_or_0(job->cpus_min);
}

/* Minutes; UNLIMITED counts as 4294967295 of them. */
static double job_minutes(const struct priority_job *job,
	const struct priority_partition *partition)
{
	uint32_t minutes = job->time_limit;

	if (minutes == NO_VAL)
		minutes = partition ? partition->max_time : 1;
	if (minutes == NO_VAL)
		minutes = INFINITE;
	return minutes ? minutes : 1;
}

static double size_per_minute(const struct priority_context *ctx,
	const struct priority_job *job,
	const struct priority_partition *partition)
{
	double by_nodes =
		(double)known_or_0(job->nodes) * ctx->cpus / ctx->nodes;
	double cpus = job_cpus(job);

	if (cpus < by_nodes)
		cpus = by_nodes;
	return cpus / job_minutes(job, partition) / ctx->cpus;
}

/* The part of the whole that is asked for or, favouring small, left over. */
static double part_of(double asked, double whole, bool favor_small)
{
	return (favor_small ? whole - asked : asked) / whole;
}

static double size_of_cluster(
	const struct priority_context *ctx, const struct priority_job *job)
{
	bool favor_small = ctx->policy->favor_small;
	double nodes = part_of(known_or_0(job->nodes), ctx->nodes, favor_small);
	double cpus = job_cpus(job);

	if (nodes < 0)
		nodes = 0;
	if (!(cpus > 0))
		return nodes;
	return (nodes + part_of(cpus, ctx->cpus, favor_small)) / 2;
}

double priority_job_size(const struct priority_context *ctx,
	const struct priority_job *job,
	const struct priority_partition *partition)
{
	double size;

	if (!ctx->nodes || !ctx->cpus)
		return 0;
	if (!(ctx->policy->flags & PRIO_SMALL_RELATIVE_TO_TIME))
		return clamp01(size_of_cluster(ctx, job));
	size = size_per_minute(ctx, job, partition);
	return clamp01(ctx->policy->favor_small ? 1 - size : size);
}

/* --- The sum --- */

static double (*const factors[PRIORITY_FACTORS])(const struct inputs *) = {
	[FACTOR_AGE] = age_factor,
	[FACTOR_ASSOC] = assoc_factor,
	[FACTOR_FAIRSHARE] = fairshare_term_factor,
	[FACTOR_JOB_SIZE] = job_size_factor,
	[FACTOR_PARTITION] = partition_factor,
	[FACTOR_QOS] = qos_factor,
};

static void set_weights(const struct priority_weights *from, uint32_t *weight)
{
	weight[FACTOR_AGE] = from->age;
	weight[FACTOR_ASSOC] = from->assoc;
	weight[FACTOR_FAIRSHARE] = from->fairshare;
	weight[FACTOR_JOB_SIZE] = from->job_size;
	weight[FACTOR_PARTITION] = from->partition;
	weight[FACTOR_QOS] = from->qos;
}

static void add_factors(const struct inputs *in, struct priority_result *result)
{
	set_weights(&in->ctx->policy->weights, result->weight);
	for (size_t i = 0; i < PRIORITY_FACTORS; i++) {
		/* Slurm does not look at what weighs nothing. */
		if (!result->weight[i])
			continue;
		result->factor[i] = factors[i](in);
		result->term[i] = result->weight[i] * result->factor[i];
		result->sum += result->term[i];
	}
}

/* Not clamped to 1: a job may ask for more than the partition has. */
static double tres_factor(const struct inputs *in, uint32_t id)
{
	double count = tres_list_amount(in->job->tres, id), total;

	if (in->ctx->policy->flags & PRIO_NO_NORMAL_TRES)
		return count;
	total = in->partition ? tres_list_amount(in->partition->totals, id) : 0;
	return total > 0 ? count / total : 0;
}

/* Weights know no bounds, their sums must not end in no number at all. */
static double bounded(double points)
{
	return fmin(fmax(points, -DBL_MAX), DBL_MAX);
}

static void add_tres(const struct inputs *in, struct priority_result *result,
	struct arena *arena)
{
	const struct tres_weights *weights = &in->ctx->tres_weights;

	result->n_tres = weights->n;
	result->tres = arena_array(arena, weights->n, sizeof(*result->tres));
	for (size_t i = 0; i < weights->n; i++) {
		struct priority_tres *t = &result->tres[i];

		t->id = weights->v[i].id;
		t->weight = weights->v[i].weight;
		t->factor = tres_factor(in, t->id);
		t->term = bounded(t->weight * t->factor);
		result->tres_sum = bounded(result->tres_sum + t->term);
	}
	result->sum = bounded(result->sum + result->tres_sum);
}

/* 0 is kept for held jobs. */
static void set_priority(struct priority_result *result)
{
	double sum = result->sum >= 1 ? result->sum : 1;

	result->overflow = sum > UINT32_MAX;
	result->priority = result->overflow ? UINT32_MAX : (uint32_t)sum;
}

void priority_compute(const struct priority_context *ctx,
	const struct priority_job *job,
	const struct priority_partition *partition, uint32_t qos_priority,
	struct priority_result *result, struct arena *arena)
{
	struct inputs in = {ctx, job, partition, qos_priority};

	*result = (struct priority_result){0};
	if (job->direct != NO_VAL) {
		result->direct = true;
		result->priority = job->direct;
		return;
	}
	add_factors(&in, result);
	add_tres(&in, result, arena);
	result->site = job->site;
	result->nice = job->nice;
	result->sum += (double)job->site - (double)job->nice;
	set_priority(result);
}

/* --- Around the formula --- */

uint32_t priority_qos(const uint32_t *qos_priorities, size_t n, size_t i)
{
	uint32_t highest = 0;

	if (qos_priorities[i])
		return qos_priorities[i];
	for (size_t j = 0; j < n; j++)
		if (qos_priorities[j] > highest)
			highest = qos_priorities[j];
	return highest;
}

uint32_t priority_update(uint32_t stored, uint32_t fresh, unsigned flags)
{
	if (!stored)
		return 0;
	if (stored != NO_VAL && (flags & PRIO_INCR_ONLY) && fresh < stored)
		return stored;
	return fresh;
}

time_t priority_accrue(const struct accrue *a, unsigned flags, time_t now)
{
	if (flags & PRIO_ACCRUE_ALWAYS)
		return a->submit;
	if (!a->enforced)
		return a->previous ? a->previous : a->begin;
	if (a->held || a->dependent || !a->begin || a->begin > now)
		return 0;
	if (a->previous)
		return a->previous;
	if (a->limited)
		return a->admitted ? now : 0;
	return a->begin;
}
