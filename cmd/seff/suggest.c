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

struct numbers {
	double *v;
	size_t n, cap;
};

struct sample {
	struct session *session;
	const struct report *like;
	struct arena arena;
	struct numbers minutes, mib;
};

static void add(struct sample *sample, struct numbers *numbers, double n)
{
	*ARENA_PUSH(&sample->arena, numbers->v, numbers->n, numbers->cap) = n;
}

static bool is_like(const struct sample *sample, const struct report *r)
{
	const struct efficiency *e = &sample->like->e;

	return r->e.cpus == e->cpus && r->e.nodes == e->nodes;
}

/* Jobs that ended by themselves, or at a limit: of those it is only known that
 * it was too little. */
static int take(struct history_row *row, void *arg)
{
	struct sample *sample = arg;
	struct session *s = sample->session;
	uint32_t state = row->job.state & JOB_BASE_MASK;
	bool late = state == JOB_TIMEOUT, full = state == JOB_OUT_OF_MEMORY;
	struct report r = report_of(row, s->options.now, &s->scratch);

	if ((state != JOB_COMPLETED && !late && !full) || !row->job.start ||
		!is_like(sample, &r))
		return 0;
	if (!full)
		add(sample, &sample->minutes,
			(double)r.elapsed / 60 + (late ? 1 : 0));
	if (!late && r.e.mem_used > 0)
		add(sample, &sample->mib,
			full ? fmax(r.e.mem_used, r.e.mem_given) / 1024 + 1
			     : r.e.mem_used / 1024);
	return 0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The quantile with a margin, in whole minutes or MiB. */
static double limit_of(const struct numbers *numbers, double share)
{
	double q = efficiency_quantile(numbers->v, numbers->n, share);

	return ceil(q * (100 + MARGIN_PERCENT) / 100);
}

static char *as_time(struct arena *arena, double minutes)
{
	return efficiency_time(arena, (uint64_t)llround(minutes * 60));
}

static char *as_size(struct arena *arena, double mib)
{
	return efficiency_size(arena, mib * 1024);
}

static void print_limit(const struct sample *sample, const char *what,
	const struct numbers *numbers, const char *asked,
	char *(*show)(struct arena *, double))
{
	struct arena *arena = &sample->session->scratch;
	double share = sample->session->options.quantile;
	double limit;

	if (!numbers->n) {
		printf("Suggested %s: no like job says what it needed\n", what);
		return;
	}
	limit = limit_of(numbers, share);
	printf("Suggested %s: %s (%g%% of %zu needed at most %s; %.2f%% would "
	       "have hit it; asked for: %s)\n",
		what, show(arena, limit), share * 100, numbers->n,
		show(arena, efficiency_quantile(numbers->v, numbers->n, share)),
		efficiency_above(numbers->v, numbers->n, limit) * 100, asked);
}

static const char *asked_time(const struct report *r, struct arena *arena)
{
	uint32_t limit = r->job->wall_limit;

	if (limit == INFINITE)
		return "UNLIMITED";
	return limit == NO_VAL ? "the partition's" : as_time(arena, limit);
}

static void load(struct sample *sample)
{
	struct session *s = sample->session;
	const struct job *job = sample->like->job;
	struct history_cond cond = s->cond;
	struct arena scratch;

	arena_init(&scratch);
	cond.users = cond.names = (struct strv){0};
	strv_push(&cond.users, &sample->arena, job->user);
	strv_push(&cond.names, &sample->arena, job->name);
	cond.states = JOB_STATE_BIT(JOB_COMPLETED) |
		      JOB_STATE_BIT(JOB_TIMEOUT) |
		      JOB_STATE_BIT(JOB_OUT_OF_MEMORY);
	cond.until = s->options.now + 1;
	cond.from = cond.until - HISTORY_DAYS * INT64_C(86400);
	cond.steps = true;
	if (history_each(&s->site.store, &cond, &scratch, take, sample))
		cli_die(&s->err);
	arena_release(&scratch);
	if (sample->minutes.n)
		qsort(sample->minutes.v, sample->minutes.n, sizeof(double),
			by_size);
	if (sample->mib.n)
		qsort(sample->mib.v, sample->mib.n, sizeof(double), by_size);
}

void show_suggestion(struct session *s, const struct report *r)
{
	struct sample sample = {.session = s, .like = r};
	struct arena *arena = &sample.arena;

	arena_init(arena);
	load(&sample);
	printf("Like jobs: %zu (user %s, name %s, %" PRIu64 " cores on %" PRIu64
	       " nodes, the last %d days)\n",
		sample.minutes.n > sample.mib.n ? sample.minutes.n
						: sample.mib.n,
		r->job->user, r->job->name, r->e.cpus, r->e.nodes,
		HISTORY_DAYS);
	print_limit(&sample, "time limit", &sample.minutes,
		asked_time(r, arena), as_time);
	print_limit(&sample, "memory", &sample.mib,
		efficiency_size(arena, r->e.mem_given), as_size);
	arena_release(arena);
}
