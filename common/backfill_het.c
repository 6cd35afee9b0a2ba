/*
 * Jobs of several parts (heterogeneous jobs) start together or not at all
 * (spec/backfill.md 3.5, 16). Part of common/backfill.h.
 */
#include "common/backfill_pass.h"
#include "common/reason.h"

struct part {
	struct sched_job *job;
	struct sched_start start;
	int64_t when;
};

struct backfill_het {
	uint32_t id, parts; /* of how many */
	int64_t when;	    /* all planned so far can start then */
	struct part *v;
	size_t n, cap;
	struct backfill_het *next;
};

static struct backfill_het *find(const struct pass *p, uint32_t id)
{
	struct backfill_het *het = p->hets;

	while (het && het->id != id)
		het = het->next;
	return het;
}

int64_t backfill_het_time(const struct attempt *a)
{
	const struct backfill_het *het =
		a->job->het ? find(a->p, a->job->het) : NULL;

	return het ? het->when : 0;
}

static struct backfill_het *make(struct pass *p, const struct sched_job *job)
{
	struct backfill_het *het = arena_alloc(p->scratch, sizeof(*het));

	het->id = job->het;
	het->parts = job->het_parts;
	het->next = p->hets;
	p->hets = het;
	return het;
}

static bool start_parts(struct pass *p, struct backfill_het *het)
{
	if (!het->n || het->n < het->parts || het->when > p->s->now)
		return false;
	for (size_t i = 0; i < het->n; i++) {
		het->v[i].job->n_plans = 0;
		schedule_start(p->s, het->v[i].job, &het->v[i].start, p->arena);
		p->b->report.started++;
	}
	het->n = 0;
	return true;
}

bool backfill_het_note(struct attempt *a)
{
	struct pass *p = a->p;
	struct backfill_het *het = find(p, a->job->het);
	struct part *part;

	if (!het)
		het = make(p, a->job);
	for (size_t i = 0; i < het->n; i++)
		if (het->v[i].job == a->job)
			return false;
	part = ARENA_PUSH(p->scratch, het->v, het->n, het->cap);
	*part = (struct part){a->job, a->start, a->when};
	schedule_keep(&part->start, p->arena);
	if (a->when > het->when)
		het->when = a->when;
	return p->b->params.bf_hetjob_immediate && start_parts(p, het);
}

void backfill_het_start(struct pass *p)
{
	for (struct backfill_het *het = p->hets; het; het = het->next)
		(void)start_parts(p, het);
}

/* ---- one priority --------------------------------------------------------*/

static uint64_t combine(int64_t how, uint64_t so_far, uint32_t priority)
{
	if (how == HETJOB_PRIO_AVG)
		return so_far + priority;
	if (how == HETJOB_PRIO_MIN)
		return so_far && so_far < priority ? so_far : priority;
	return so_far > priority ? so_far : priority;
}

static void set_priority(struct pass *p, size_t first)
{
	struct sched_job *jobs = p->s->jobs;
	int64_t how = p->b->params.bf_hetjob_prio;
	uint64_t priority = 0, n = 0;

	for (size_t i = first; i < p->s->n_jobs; i++)
		if (jobs[i].het == jobs[first].het && jobs[i].n_choices) {
			priority = combine(
				how, priority, jobs[i].choices[0].priority);
			n++;
		}
	if (how == HETJOB_PRIO_AVG && n)
		priority /= n;
	for (size_t i = first; i < p->s->n_jobs; i++)
		for (size_t c = 0;
			jobs[i].het == jobs[first].het && c < jobs[i].n_choices;
			c++)
			jobs[i].choices[c].priority = (uint32_t)priority;
}

void backfill_het_priority(struct pass *p)
{
	if (p->b->policy != BACKFILL_SLURM || !p->b->params.bf_hetjob_prio)
		return;
	for (size_t i = 0; i < p->s->n_jobs; i++)
		if (p->s->jobs[i].het && p->s->jobs[i].het == p->s->jobs[i].id)
			set_priority(p, i);
}
