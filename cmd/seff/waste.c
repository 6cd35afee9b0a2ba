/*
 * seff -u: the jobs of a user that ended lately, those that wasted most first.
 */
#include <math.h>
#include <stdlib.h>

#include "cmd/seff/seff.h"
#include "common/cli/cli.h"
#include "db/viewer/viewer.h"

/* A job that is kept: what a row of the table needs of it. */
struct kept_job {
	struct job job;
	struct job_report report;
	double lost; /* core hours; -1: unknown, these come last */
};

struct waste {
	struct session *session;
	struct arena arena; /* of what is kept */
	struct kept_job *v;
	size_t n, cap;
};

static int keep(struct history_row *row, void *arg)
{
	struct waste *waste = arg;
	struct session *s = waste->session;
	struct kept_job *kept;

	if (!job_state_finished(row->job.state) || !row->job.start)
		return 0;
	kept = ARENA_PUSH(&waste->arena, waste->v, waste->n, waste->cap);
	kept->report = report_of(row, s);
	kept->report.id = arena_strdup(&waste->arena, kept->report.id);
	kept->report.group = "";
	kept->job = (struct job){
		.name = arena_strdup(&waste->arena, row->job.name),
		.state = row->job.state,
		.wall_limit = row->job.wall_limit,
		.id = row->job.id,
	};
	kept->lost = loss_of(&kept->report, LOSS_CPU).lost;
	if (isnan(kept->lost))
		kept->lost = -1;
	return 0;
}

static int by_loss(const void *a, const void *b)
{
	const struct kept_job *x = a, *y = b;

	if (x->lost < y->lost || x->lost > y->lost)
		return x->lost < y->lost ? 1 : -1;
	return x->job.id < y->job.id ? -1 : x->job.id > y->job.id;
}

static void print_kept(struct waste *waste)
{
	struct session *s = waste->session;

	if (waste->n)
		qsort(waste->v, waste->n, sizeof(*waste->v), by_loss);
	listing_begin(s, &report_members, "jobs");
	for (size_t i = 0; i < waste->n; i++) {
		arena_reset(&s->scratch);
		waste->v[i].report.job = &waste->v[i].job;
		printout_row(&s->out, &waste->v[i].report);
	}
	printout_end(&s->out, NULL);
}

struct history_cond ended_jobs(const struct session *s)
{
	struct history_cond cond = s->cond;

	cond.states =
		((1u << JOB_BASE_STATES) - 1) &
		~(JOB_STATE_BIT(JOB_PENDING) | JOB_STATE_BIT(JOB_RUNNING) |
			JOB_STATE_BIT(JOB_SUSPENDED));
	cond.from = s->options.from;
	cond.until = s->options.until;
	cond.steps = true;
	return cond;
}

void show_waste(struct session *s)
{
	struct waste waste = {.session = s};
	struct history_cond cond = ended_jobs(s);

	arena_init(&waste.arena);
	strv_push(&cond.users, &s->site.arena,
		viewer_user(&s->site, s->options.user));
	if (history_each(&s->site.store, &cond, &s->scratch, keep, &waste))
		cli_die(&s->err);
	print_kept(&waste);
	arena_release(&waste.arena);
}
