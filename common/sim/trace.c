/*
 * A trace in memory; see trace.h.
 */
#include "common/sim/trace.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"

enum { PARTIAL = 2, CANCELLED = 5, MOST_PROCS = 1 << 30 };

/* Seconds; so many of any number of jobs can be added up. */
static const int64_t most_time = INT64_C(100000000000);

static const char *const whys[] = {
	[TRACE_NO_SUBMIT] = "no submit time",
	[TRACE_NO_RUN] = "no run time",
	[TRACE_NO_LIMIT] = "no time limit",
	[TRACE_NO_PROCS] = "no processor count",
	[TRACE_TOO_LARGE] = "larger than the machine",
	[TRACE_ABSURD] = "a time of thousands of years",
	[TRACE_PART] = "part of a job",
	[TRACE_CANCELLED] = "cancelled",
	[TRACE_OUTSIDE] = "outside the window",
	[TRACE_OVER_LIMIT] = "ran over the limit",
	[TRACE_GIVEN_LIMIT] = "given a limit",
	[TRACE_UNORDERED] = "out of order, sorted",
};

const char *trace_why_text(enum trace_why why)
{
	return whys[why];
}

/* ---- names ---------------------------------------------------------------*/

static size_t slot_of(const struct trace_names *names, int64_t number)
{
	uint64_t hash = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15);
	size_t slot = (size_t)(hash >> 20) & (names->n_slots - 1);

	while (names->slots[slot] &&
		names->numbers[names->slots[slot] - 1] != number)
		slot = (slot + 1) & (names->n_slots - 1);
	return slot;
}

static void grow_names(struct trace_names *names)
{
	names->cap = names->cap ? names->cap * 2 : 64;
	names->n_slots = names->cap * 2;
	names->numbers = memory_resize(
		names->numbers, names->cap, sizeof(*names->numbers));
	free(names->slots);
	names->slots = memory_zeroed(names->n_slots, sizeof(*names->slots));
	for (size_t i = 0; i < names->n; i++)
		names->slots[slot_of(names, names->numbers[i])] =
			(uint32_t)i + 1;
}

static uint32_t place_of(struct trace_names *names, int64_t number)
{
	size_t slot;

	if (number < 0)
		number = -1;
	if (names->n == names->cap)
		grow_names(names);
	slot = slot_of(names, number);
	if (!names->slots[slot]) {
		names->numbers[names->n] = number;
		names->slots[slot] = (uint32_t)++names->n;
	}
	return names->slots[slot] - 1;
}

static void release_names(struct trace_names *names)
{
	free(names->numbers);
	free(names->slots);
}

/* ---- rows ----------------------------------------------------------------*/

void trace_init(struct trace *trace, const struct trace_rules *rules)
{
	*trace = (struct trace){.rules = *rules};
}

void trace_release(struct trace *trace)
{
	free(trace->jobs);
	release_names(&trace->users);
	release_names(&trace->groups);
	release_names(&trace->names);
	release_names(&trace->queues);
	*trace = (struct trace){0};
}

static void count(struct trace *trace, enum trace_why why, int64_t id)
{
	if (!trace->counts[why].n++)
		trace->counts[why].first = id;
}

/* Why it is left out; TRACE_WHYS: it is not. */
static enum trace_why judge(
	const struct trace_rules *rules, const struct swf_job *row)
{
	const int64_t *v = row->v;

	if (v[SWF_STATUS] >= PARTIAL && v[SWF_STATUS] < CANCELLED)
		return TRACE_PART;
	if (v[SWF_STATUS] == CANCELLED && rules->drop_cancelled)
		return TRACE_CANCELLED;
	if (v[SWF_SUBMIT] < 0)
		return TRACE_NO_SUBMIT;
	if (v[SWF_RUN] <= 0)
		return TRACE_NO_RUN;
	if (v[SWF_SUBMIT] > most_time || v[SWF_RUN] > most_time ||
		v[SWF_REQ_TIME] > most_time)
		return TRACE_ABSURD;
	if (v[SWF_REQ_TIME] <= 0 && rules->missing == TRACE_DROP)
		return TRACE_NO_LIMIT;
	if (v[SWF_REQ_PROCS] <= 0 && v[SWF_PROCS] <= 0)
		return TRACE_NO_PROCS;
	if ((rules->from || rules->until) &&
		(v[SWF_SUBMIT] < rules->from || v[SWF_SUBMIT] >= rules->until))
		return TRACE_OUTSIDE;
	return TRACE_WHYS;
}

static void set_limit(
	struct trace *trace, struct trace_job *job, int64_t requested)
{
	job->limit = requested;
	if (requested <= 0) {
		count(trace, TRACE_GIVEN_LIMIT, job->id);
		job->limit = trace->rules.missing == TRACE_AS_RUN
				     ? job->run
				     : trace->rules.limit_given;
	}
	if (job->run <= job->limit)
		return;
	count(trace, TRACE_OVER_LIMIT, job->id);
	if (trace->rules.over == TRACE_CUT)
		job->run = job->limit;
	else
		job->limit = job->run;
}

int trace_add(struct trace *trace, const struct swf_job *row, struct err *err)
{
	const int64_t *v = row->v;
	enum trace_why why = judge(&trace->rules, row);
	int64_t procs;
	struct trace_job *job;

	trace->rows++;
	if (why != TRACE_WHYS) {
		count(trace, why, v[SWF_ID]);
		return 0;
	}
	if (trace->n == UINT32_MAX - 1)
		return err_set(err, ERR_USAGE, "too many jobs");
	procs = v[SWF_REQ_PROCS] > 0 ? v[SWF_REQ_PROCS] : v[SWF_PROCS];
	job = MEMORY_PUSH(trace->jobs, trace->n, trace->cap);
	*job = (struct trace_job){
		.id = v[SWF_ID],
		.submit = v[SWF_SUBMIT],
		.run = v[SWF_RUN],
		.procs = procs > MOST_PROCS ? UINT32_MAX : (uint32_t)procs,
		.user = place_of(&trace->users, v[SWF_USER]),
		.group = place_of(&trace->groups, v[SWF_GROUP]),
		.name = place_of(&trace->names, v[SWF_EXECUTABLE]),
		.queue = place_of(&trace->queues, v[SWF_QUEUE]),
		.status = (int16_t)(v[SWF_STATUS] < 0 ? -1 : v[SWF_STATUS]),
		.asks = v[SWF_REQ_MEM] > 0 ? TRACE_MEMORY : 0,
	};
	set_limit(trace, job, v[SWF_REQ_TIME]);
	if (trace->n > 1 && job[-1].submit > job->submit)
		count(trace, TRACE_UNORDERED, job->id);
	return 0;
}

/* ---- the end -------------------------------------------------------------*/

static void merge(struct trace_job *to, const struct trace_job *a, size_t n_a,
	const struct trace_job *b, size_t n_b)
{
	while (n_a && n_b) {
		bool second = b->submit < a->submit;

		*to++ = second ? *b : *a;
		n_a -= !second;
		n_b -= second;
		a += !second;
		b += second;
	}
	memcpy(to, n_a ? a : b, (n_a + n_b) * sizeof(*to));
}

/* Jobs of one moment keep their order, which qsort does not promise. */
static void sort(struct trace *trace)
{
	struct trace_job *from = trace->jobs, *swap;
	struct trace_job *to = memory_resize(NULL, trace->n, sizeof(*to));
	size_t n = trace->n;

	for (size_t run = 1; run < n; run *= 2) {
		for (size_t i = 0; i < n; i += 2 * run) {
			size_t middle = i + run < n ? i + run : n;
			size_t end = i + 2 * run < n ? i + 2 * run : n;

			merge(to + i, from + i, middle - i, from + middle,
				end - middle);
		}
		swap = from;
		from = to;
		to = swap;
	}
	free(to);
	trace->jobs = from;
	trace->cap = n;
}

void trace_finish(struct trace *trace, uint32_t procs)
{
	size_t kept = 0;

	trace->procs = procs;
	for (size_t i = 0; i < trace->n; i++) {
		if (trace->jobs[i].procs > procs)
			count(trace, TRACE_TOO_LARGE, trace->jobs[i].id);
		else
			trace->jobs[kept++] = trace->jobs[i];
	}
	trace->n = kept;
	if (trace->counts[TRACE_UNORDERED].n && kept)
		sort(trace);
}
