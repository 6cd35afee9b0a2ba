/*
 * First come, first served, without and with EASY backfill (Lifka, JSSPP 1995):
 * the head of the queue is promised the moment at which enough running jobs
 * will have ended; others may run where they do not touch that, in the order of
 * the queue or the shortest first (spec 7.2). Pure.
 */
#include "common/sim/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bisect.h"
#include "common/base/memory.h"
#include "common/sim/waiting.h"

enum { FIRST_ROOM = 256 };

/* Running jobs by expected end. */
struct expected_ends {
	int64_t *end;
	uint32_t *job;
	size_t n, cap;
};

struct easy {
	struct waiting waiting;
	struct expected_ends expected;
	size_t *candidates; /* indexes; for the shortest first */
	size_t n_candidates, cap_candidates;
	/* What the last pass found; `known`: nothing has ended since, so all
	 * up to `tested` would fail again. */
	bool known;
	size_t tested;
	int64_t shadow;
	uint32_t extra;
};

/* ---- running jobs --------------------------------------------------------*/

/* The index of the first that ends then or later. */
static size_t index_of(const struct expected_ends *e, int64_t end)
{
	size_t low = 0, high = e->n;

	BISECT(low, high, middle, e->end[middle] < end)
	return low;
}

static void expect(struct expected_ends *e, uint32_t job, int64_t end)
{
	size_t i = index_of(e, end);

	if (e->n == e->cap) {
		e->cap = e->cap ? e->cap * 2 : FIRST_ROOM;
		e->end = memory_resize(e->end, e->cap, sizeof(*e->end));
		e->job = memory_resize(e->job, e->cap, sizeof(*e->job));
	}
	memmove(e->end + i + 1, e->end + i, (e->n - i) * sizeof(*e->end));
	memmove(e->job + i + 1, e->job + i, (e->n - i) * sizeof(*e->job));
	e->end[i] = end;
	e->job[i] = job;
	e->n++;
}

static void forget(struct expected_ends *e, uint32_t job, int64_t end)
{
	size_t i = index_of(e, end);

	while (i < e->n && e->job[i] != job)
		i++;
	if (i == e->n)
		BUG("a job that does not run");
	e->n--;
	memmove(e->end + i, e->end + i + 1, (e->n - i) * sizeof(*e->end));
	memmove(e->job + i, e->job + i + 1, (e->n - i) * sizeof(*e->job));
}

/* ---- common to both ------------------------------------------------------*/

static int open_easy(struct sim *sim, struct err *err)
{
	struct easy *easy = memory_zeroed(1, sizeof(*easy));

	(void)err;
	waiting_init(&easy->waiting);
	sim->state = easy;
	return 0;
}

static void close_easy(struct sim *sim)
{
	struct easy *easy = sim->state;

	waiting_release(&easy->waiting);
	free(easy->expected.end);
	free(easy->expected.job);
	free(easy->candidates);
	free(easy);
}

static void arrive(struct sim *sim, uint32_t job)
{
	struct easy *easy = sim->state;

	waiting_push(&easy->waiting, job, sim->trace->jobs[job].procs,
		sim->planned[job]);
}

static void start(struct sim *sim, size_t index)
{
	struct easy *easy = sim->state;
	uint32_t job = easy->waiting.job[index];

	waiting_remove(&easy->waiting, index);
	sim_start(sim, job);
	if (sim->policy != &sim_fcfs)
		expect(&easy->expected, job, sim_expected_end(sim, job));
}

/* From the head while they fit. */
static void start_heads(struct sim *sim)
{
	struct easy *easy = sim->state;
	struct waiting *w = &easy->waiting;

	while (w->alive) {
		sim->tests++;
		if (w->procs[w->head] > sim->free)
			return;
		start(sim, w->head);
		easy->known = false;
	}
}

/* ---- first come, first served --------------------------------------------*/

static int64_t pass_fcfs(struct sim *sim)
{
	struct easy *easy = sim->state;

	waiting_tidy(&easy->waiting);
	start_heads(sim);
	return SIM_NEVER;
}

const struct sim_policy sim_fcfs = {
	.name = "fcfs",
	.open = open_easy,
	.close = close_easy,
	.arrive = arrive,
	.pass = pass_fcfs,
};

/* ---- EASY ----------------------------------------------------------------*/

static void leave_easy(struct sim *sim, uint32_t job)
{
	struct easy *easy = sim->state;

	forget(&easy->expected, job, sim_expected_end(sim, job));
	easy->known = false;
}

static void revise_easy(struct sim *sim, uint32_t job, int64_t was)
{
	struct easy *easy = sim->state;

	forget(&easy->expected, job, sim->start[job] + was);
	expect(&easy->expected, job, sim_expected_end(sim, job));
	easy->known = false;
}

/* When the head will fit, and what is then left over. */
static void find_shadow(struct sim *sim, struct easy *easy)
{
	const struct expected_ends *e = &easy->expected;
	uint32_t procs = easy->waiting.procs[easy->waiting.head];
	uint32_t will_be = sim->free;
	size_t i = 0;

	while (will_be < procs) {
		if (i == e->n)
			BUG("a job larger than the machine");
		easy->shadow = e->end[i];
		for (; i < e->n && e->end[i] == easy->shadow; i++)
			will_be += sim->trace->jobs[e->job[i]].procs;
	}
	easy->extra = will_be - procs;
	easy->tested = easy->waiting.head + 1;
	easy->known = true;
	if (e->n > sim->work.steps)
		sim->work.steps = e->n;
}

static void backfill(struct sim *sim, struct easy *easy)
{
	struct waiting *w = &easy->waiting;
	size_t i = easy->tested;

	while (sim->free) {
		int64_t time = easy->shadow - sim->now;

		i = waiting_find(
			w, i, sim->free, time, easy->extra, &sim->tests);
		if (i == w->n)
			break;
		if (w->length[i] > time)
			easy->extra -= w->procs[i];
		start(sim, i++);
	}
	easy->tested = i;
}

/* Starts it where it still fits. */
static void try_place(struct sim *sim, struct easy *easy, size_t index)
{
	struct waiting *w = &easy->waiting;
	bool in_time = w->length[index] <= easy->shadow - sim->now;

	if (w->procs[index] > sim->free ||
		(!in_time && w->procs[index] > easy->extra))
		return;
	if (!in_time)
		easy->extra -= w->procs[index];
	start(sim, index);
}

static int by_length(const void *x, const void *y, void *arg)
{
	const struct waiting *w = arg;
	size_t a = *(const size_t *)x, b = *(const size_t *)y;

	if (w->length[a] != w->length[b])
		return w->length[a] < w->length[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* The shortest first; what was tested before would fail again. */
static void backfill_shortest(struct sim *sim, struct easy *easy)
{
	struct waiting *w = &easy->waiting;
	size_t i = easy->tested;

	easy->n_candidates = 0;
	for (; sim->free; i++) {
		i = waiting_find(w, i, sim->free, easy->shadow - sim->now,
			easy->extra, &sim->tests);
		if (i == w->n)
			break;
		*MEMORY_PUSH(easy->candidates, easy->n_candidates,
			easy->cap_candidates) = i;
	}
	easy->tested = w->n;
	if (easy->n_candidates)
		qsort_r(easy->candidates, easy->n_candidates,
			sizeof(*easy->candidates), by_length, w);
	for (size_t k = 0; k < easy->n_candidates; k++)
		try_place(sim, easy, easy->candidates[k]);
}

static int64_t pass_easy(struct sim *sim)
{
	struct easy *easy = sim->state;
	struct waiting *w = &easy->waiting;

	if (waiting_tidy(w))
		easy->known = false;
	start_heads(sim);
	if (!w->alive)
		return SIM_NEVER;
	if (!easy->known) {
		find_shadow(sim, easy);
		sim_promise(sim, w->job[w->head], easy->shadow);
	}
	if (sim->policy == &sim_sjbf)
		backfill_shortest(sim, easy);
	else
		backfill(sim, easy);
	return SIM_NEVER;
}

const struct sim_policy sim_easy = {
	.name = "easy",
	.open = open_easy,
	.close = close_easy,
	.arrive = arrive,
	.leave = leave_easy,
	.revise = revise_easy,
	.pass = pass_easy,
};

const struct sim_policy sim_sjbf = {
	.name = "sjbf",
	.open = open_easy,
	.close = close_easy,
	.arrive = arrive,
	.leave = leave_easy,
	.revise = revise_easy,
	.pass = pass_easy,
};
