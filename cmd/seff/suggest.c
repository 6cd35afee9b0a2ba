/*
 * seff --suggest: limits for the next job like this one, from the history of
 * jobs of the same user, name and size.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/seff/seff.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"

enum { HISTORY_DAYS = 365, MARGIN_PERCENT = 10 };

/* Jobs like one, and what they needed. */
struct search {
	struct session *session;
	const struct job_report *like;
	struct arena arena;
	struct sample sample;
};

static void add(
	struct needs *needs, double n, bool at_least, struct arena *arena)
{
	*ARENA_PUSH(arena, needs->v, needs->n, needs->cap) =
		(struct efficiency_need){n, at_least};
	needs->stopped += at_least;
}

/* Jobs that ended by themselves, or at a limit: of these it is only known that
 * they needed at least so much. */
void sample_take(
	struct sample *sample, const struct job_report *r, struct arena *arena)
{
	uint32_t state = r->job->state & JOB_BASE_MASK;
	bool late = state == JOB_TIMEOUT, full = state == JOB_OUT_OF_MEMORY;
	double mem = full ? fmax(r->e.mem_used, r->e.mem_given) : r->e.mem_used;

	if ((state != JOB_COMPLETED && !late && !full) || !r->job->start)
		return;
	if (r->knows_cpu && r->elapsed)
		add(&sample->of[LOSS_CPU],
			(double)r->e.cpu_used / (double)r->elapsed, false,
			arena);
	if (r->gpus && !isnan(r->gpus_used))
		add(&sample->of[LOSS_GPU], r->gpus_used, false, arena);
	if (!full)
		add(&sample->of[LOSS_TIME], (double)r->elapsed / 60, late,
			arena);
	if (!late && mem > 0)
		add(&sample->of[LOSS_MEM], mem / 1024, full, arena);
}

static double quantile(struct needs *needs, double share)
{
	if (needs->n)
		qsort(needs->v, needs->n, sizeof(*needs->v),
			efficiency_by_need);
	return efficiency_quantile(needs->v, needs->n, share);
}

double sample_limit(struct sample *sample, enum loss_kind kind, double share)
{
	double most = quantile(&sample->of[kind], share);

	if (kind == LOSS_MEM || kind == LOSS_TIME)
		most = most * (100 + MARGIN_PERCENT) / 100;
	return ceil(most);
}

static int take(struct history_row *row, void *arg)
{
	struct search *search = arg;
	const struct efficiency *e = &search->like->e;
	struct job_report r = report_of(row, search->session);

	if (r.e.cpus == e->cpus && r.e.nodes == e->nodes)
		sample_take(&search->sample, &r, &search->arena);
	return 0;
}

static char *as_time(struct arena *arena, double minutes)
{
	return efficiency_time(arena, (uint64_t)llround(minutes * 60));
}

static char *as_size(struct arena *arena, double mib)
{
	return efficiency_size(arena, mib * 1024);
}

static void print_stopped(const struct needs *needs, const char *more)
{
	if (needs->n == 1)
		printf("it ran into its limit%s", more);
	else
		printf("%zu of %zu ran into their limit%s", needs->stopped,
			needs->n, more);
}

/* The quantile with a margin, in whole minutes or MiB. */
static void print_limit(struct search *search, const char *what,
	enum loss_kind kind, const char *asked,
	char *(*show)(struct arena *, double))
{
	struct arena *arena = &search->session->scratch;
	struct needs *needs = &search->sample.of[kind];
	double share = search->session->options.quantile, most, limit;

	printf("Suggested %s: ", what);
	if (!needs->n) {
		printf("no similar job recorded what it used\n");
		return;
	}
	most = quantile(needs, share);
	if (isinf(most)) {
		printf("cannot tell: ");
		print_stopped(needs, "");
		printf(" (asked for: %s)\n", asked);
		return;
	}
	limit = sample_limit(&search->sample, kind, share);
	printf("%s (", show(arena, limit));
	if (needs->stopped)
		print_stopped(needs, "; ");
	printf("%g%% of %zu needed at most %s; %.2f%% would have hit it; asked "
	       "for: %s)\n",
		share * 100, needs->n, show(arena, most),
		efficiency_above(needs->v, needs->n, limit) * 100, asked);
}

/* Cores or GPUs that were not idle, where anybody knows. */
static void print_busy(struct search *search, const char *what,
	enum loss_kind kind, uint64_t asked)
{
	struct needs *needs = &search->sample.of[kind];
	double share = search->session->options.quantile;

	if (needs->n)
		printf("Suggested %s: %.0f (%g%% of %zu kept at most %.2f "
		       "busy; asked for: %" PRIu64 ")\n",
			what,
			fmin(sample_limit(&search->sample, kind, share),
				(double)asked),
			share * 100, needs->n, quantile(needs, share), asked);
}

static const char *asked_time(const struct job_report *r, struct arena *arena)
{
	uint32_t limit = r->job->wall_limit;

	if (limit == INFINITE)
		return "UNLIMITED";
	return limit == NO_VAL ? "the partition's" : as_time(arena, limit);
}

static void load(struct search *search)
{
	struct session *s = search->session;
	const struct job *job = search->like->job;
	struct history_cond cond = s->cond;
	struct arena scratch;

	arena_init(&scratch);
	cond.users = cond.names = (struct strv){0};
	strv_push(&cond.users, &search->arena, job->user);
	strv_push(&cond.names, &search->arena, job->name);
	cond.states = JOB_STATE_BIT(JOB_COMPLETED) |
		      JOB_STATE_BIT(JOB_TIMEOUT) |
		      JOB_STATE_BIT(JOB_OUT_OF_MEMORY);
	cond.until = s->options.now + 1;
	cond.from = cond.until - HISTORY_DAYS * INT64_C(86400);
	cond.steps = true;
	if (history_each(&s->site.store, &cond, &scratch, take, search))
		cli_die(&s->err);
	arena_release(&scratch);
}

void show_suggestion(struct session *s, const struct job_report *r)
{
	struct search search = {.session = s, .like = r};
	const struct needs *times = &search.sample.of[LOSS_TIME],
			   *sizes = &search.sample.of[LOSS_MEM];
	struct arena *arena = &search.arena;

	arena_init(arena);
	load(&search);
	printf("Similar jobs: %zu (user %s, name %s, %" PRIu64 " cores on %" PRIu64
	       " nodes, the last %d days)\n",
		times->n > sizes->n ? times->n : sizes->n, r->job->user,
		r->job->name, r->e.cpus, r->e.nodes, HISTORY_DAYS);
	print_busy(&search, "cores", LOSS_CPU, r->e.cpus);
	print_busy(&search, "GPUs", LOSS_GPU, r->gpus);
	print_limit(&search, "time limit", LOSS_TIME, asked_time(r, arena),
		as_time);
	print_limit(&search, "memory", LOSS_MEM,
		efficiency_size(arena, r->e.mem_given), as_size);
	arena_release(arena);
}
