/*
 * splan --advise: what the last jobs of the history say.
 */
#include "cmd/splan/advise.h"
#include "common/base/numbers.h"
#include "db/view/trace.h"

static void push(
	struct advising *a, int64_t **v, size_t *n, size_t *cap, int64_t value)
{
	*v = arena_grow(&a->arena, *v, *n, cap, sizeof(**v));
	(*v)[(*n)++] = value;
}

static struct past_part *part_of(struct advising *a, const char *name)
{
	const struct conf *conf = &a->site->conf;
	const struct conf_partition *p = conf_partition_by_name(conf, name);

	if (!*name)
		p = conf_default_partition(conf);
	return p ? &a->past.parts[p - conf->partitions] : NULL;
}

/* The limit it asked for itself, not what its partition gave it. */
static void add_limit(struct advising *a, const struct job *job,
	struct past_part *part, uint32_t limit, int64_t elapsed)
{
	struct past_jobs *past = &a->past;

	past->unlimited += limit == INFINITE;
	if (limit >= NO_VAL)
		return;
	push(a, &past->limits, &past->n_limits, &past->cap_limits, limit);
	if (limit > past->longest_limit) {
		past->longest_limit = limit;
		past->longest_id = job->id;
	}
	if (!part || !limit)
		return;
	push(a, &part->limits, &part->n_limits, &part->cap_limits,
		(int64_t)limit * 60);
	part->used += (double)elapsed / ((double)limit * 60);
}

static void add_run(struct advising *a, const struct job *job,
	struct past_part *part, int64_t elapsed)
{
	if (!part)
		return;
	push(a, &part->elapsed, &part->n, &part->cap, elapsed);
	if (job->time_limit == NO_VAL)
		push(a, &part->bare, &part->n_bare, &part->cap_bare, elapsed);
	if (elapsed > part->longest)
		part->longest = elapsed;
	part->timeouts += (job->state & JOB_BASE_MASK) == JOB_TIMEOUT;
}

static void add_times(struct advising *a, const struct job *job, int64_t ready)
{
	struct past_jobs *past = &a->past;
	size_t n = past->jobs, same = n;

	push(a, &past->from, &n, &past->cap_from, ready);
	push(a, &past->to, &same, &past->cap_to, job->start);
	push(a, &past->moments, &past->n_moments, &past->cap_moments,
		job->submit);
	push(a, &past->moments, &past->n_moments, &past->cap_moments,
		job->start);
	push(a, &past->moments, &past->n_moments, &past->cap_moments, job->end);
	if (!past->first || job->submit < past->first)
		past->first = job->submit;
	if (job->end > past->last)
		past->last = job->end;
	past->jobs = n;
}

/* Those of the trace have all begun and ended. */
static void add(void *arg, const struct job *job, uint32_t place)
{
	struct advising *a = arg;
	struct past_part *part = part_of(a, job->partition);
	int64_t elapsed = job->end - job->start - job->suspended;

	(void)place;
	a->past.gone += !part;
	add_run(a, job, part, elapsed);
	add_limit(a, job, part, job->time_limit, elapsed);
	add_times(a, job,
		job->eligible > job->submit ? job->eligible : job->submit);
}

int advise_read(struct advising *a)
{
	enum { HOUR = 3600, YEAR = 365 * 24 * HOUR };
	const struct trace_rules rules = {
		.missing = TRACE_GIVE, .limit_given = YEAR};
	const struct conf *conf = &a->site->conf;
	struct past_jobs *past = &a->past;
	struct trace trace;
	struct store_trace from = {
		.site = a->site,
		.arena = &a->arena,
		.err = a->err,
		.trace = &trace,
		.from = store_trace_since(a->site, ADVISE_MOST),
		.each = add,
		.arg = a,
	};
	int status;

	if (from.from < 0)
		return -1;
	past->parts = arena_array(
		&a->arena, conf->n_partitions, sizeof(*past->parts));
	for (size_t i = 0; i < conf->n_partitions; i++)
		past->parts[i].conf = &conf->partitions[i];
	trace_init(&trace, &rules);
	status = store_trace_read(&from);
	trace_release(&trace);
	past->deepest = advise_deepest(past->from, past->to, past->jobs);
	past->busiest = advise_busiest(past->moments, past->n_moments, HOUR);
	return status;
}
