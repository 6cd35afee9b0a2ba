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

struct needs {
	struct efficiency_need *v;
	size_t n, cap, stopped;
};

struct sample {
	struct session *session;
	const struct job_report *like;
	struct arena arena;
	struct needs minutes, mib;
};

static void add(
	struct sample *sample, struct needs *needs, double n, bool at_least)
{
	*ARENA_PUSH(&sample->arena, needs->v, needs->n, needs->cap) =
		(struct efficiency_need){n, at_least};
	needs->stopped += at_least;
}

static bool is_like(const struct sample *sample, const struct job_report *r)
{
	const struct efficiency *e = &sample->like->e;

	return r->e.cpus == e->cpus && r->e.nodes == e->nodes;
}

/* Jobs that ended by themselves, or at a limit: of these it is only known that
 * they needed at least so much. */
static int take(struct history_row *row, void *arg)
{
	struct sample *sample = arg;
	struct session *s = sample->session;
	uint32_t state = row->job.state & JOB_BASE_MASK;
	bool late = state == JOB_TIMEOUT, full = state == JOB_OUT_OF_MEMORY;
	struct job_report r = report_of(row, s->options.now, &s->scratch);
	double mem;

	if ((state != JOB_COMPLETED && !late && !full) || !row->job.start ||
		!is_like(sample, &r))
		return 0;
	if (!full)
		add(sample, &sample->minutes, (double)r.elapsed / 60, late);
	mem = full ? fmax(r.e.mem_used, r.e.mem_given) : r.e.mem_used;
	if (!late && mem > 0)
		add(sample, &sample->mib, mem / 1024, full);
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
static void print_limit(const struct sample *sample, const char *what,
	const struct needs *needs, const char *asked,
	char *(*show)(struct arena *, double))
{
	struct arena *arena = &sample->session->scratch;
	double share = sample->session->options.quantile, most, limit;

	printf("Suggested %s: ", what);
	if (!needs->n) {
		printf("no like job says what it needed\n");
		return;
	}
	most = efficiency_quantile(needs->v, needs->n, share);
	if (isinf(most)) {
		printf("cannot tell: ");
		print_stopped(needs, "");
		printf(" (asked for: %s)\n", asked);
		return;
	}
	limit = ceil(most * (100 + MARGIN_PERCENT) / 100);
	printf("%s (", show(arena, limit));
	if (needs->stopped)
		print_stopped(needs, "; ");
	printf("%g%% of %zu needed at most %s; %.2f%% would have hit it; asked "
	       "for: %s)\n",
		share * 100, needs->n, show(arena, most),
		efficiency_above(needs->v, needs->n, limit) * 100, asked);
}

static void sort(struct needs *needs)
{
	if (needs->n)
		qsort(needs->v, needs->n, sizeof(*needs->v),
			efficiency_by_need);
}

static const char *asked_time(const struct job_report *r, struct arena *arena)
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
	sort(&sample->minutes);
	sort(&sample->mib);
}

void show_suggestion(struct session *s, const struct job_report *r)
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
