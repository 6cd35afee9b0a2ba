/*
 * Jobs of several parts (heterogeneous jobs) start together or not at all
 * (Slurm's src/plugins/sched/backfill/backfill.c, _het_job_start_test()). Part
 * of common/plan/backfill.h.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/plan/backfill_pass.h"
#include "common/text/reason.h"

struct het_part {
	struct sched_job *job;
	struct sched_start start;
	int64_t when;
};

struct backfill_het {
	uint32_t id, parts; /* of how many */
	int64_t when;	    /* all planned so far can start then */
	bool kept;	    /* nodes are, for some of them */
	struct het_part *v;
	size_t n, cap;
	struct backfill_het *next;
};

/* NULL: it has no parts, or none is known yet. */
static struct backfill_het *find(const struct attempt *a)
{
	struct backfill_het *het = a->job->het ? a->p->hets : NULL;

	while (het && het->id != a->job->het)
		het = het->next;
	return het;
}

int64_t backfill_het_time(const struct attempt *a)
{
	const struct backfill_het *het = find(a);

	return het ? het->when : 0;
}

bool backfill_het_kept(const struct attempt *a)
{
	const struct backfill_het *het = find(a);

	return het && het->kept;
}

void backfill_het_keep(const struct attempt *a)
{
	struct backfill_het *het = find(a);

	if (het)
		het->kept = true;
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

/* Are its nodes still free? Where they were not kept, others may have some now:
 * its CPUs then lie on them in another way. */
static bool part_fits(struct pass *p, struct het_part *part)
{
	struct sched_start start = part->start;
	struct sched_view view = {.usable = p->next};

	memset(p->next, 0, p->ns.words * sizeof(*p->next));
	for (size_t i = 0; i < start.n_nodes; i++)
		bits_set(p->next, start.nodes[i]);
	if (!schedule_licenses_free(p->s, part->job) ||
		!place_job(p->s, part->job, &start, &view))
		return false;
	schedule_keep(&start, p->arena);
	part->start = start;
	return true;
}

/* Places one component beside the other, only to try it. */
static bool all_fit(struct pass *p, struct backfill_het *het)
{
	size_t before = p->s->n_running, i;

	for (i = 0; i < het->n && part_fits(p, &het->v[i]); i++) {
		const struct het_part *part = &het->v[i];
		struct sched_running r = {.job = part->job,
			.partition = part->start.choice->partition,
			.start = part->start,
			.end = INT64_MAX};

		schedule_run(p->s, &r, p->scratch);
	}
	while (p->s->n_running > before)
		schedule_end(p->s, p->s->n_running - 1);
	return i == het->n;
}

/* bf_max_job_start: parts count like jobs, all of them start or none. */
static bool started_enough(const struct pass *p)
{
	int64_t most = p->b->params.bf_max_job_start;

	return most && (int64_t)p->b->report.started >= most;
}

static bool start_parts(struct pass *p, struct backfill_het *het)
{
	if (started_enough(p) || !het->n || het->n < het->parts || het->when > p->s->now ||
		!all_fit(p, het))
		return false;
	for (size_t i = 0; i < het->n; i++) {
		het->v[i].job->n_plans = 0;
		schedule_start(p->s, het->v[i].job, &het->v[i].start, p->arena);
		backfill_note_start(p, &het->v[i].start);
		p->b->report.started++;
	}
	het->n = 0;
	return true;
}

bool backfill_het_note(struct attempt *a)
{
	struct pass *p = a->p;
	struct backfill_het *het = find(a);
	struct het_part *part;

	if (!het)
		het = make(p, a->job);
	for (size_t i = 0; i < het->n; i++)
		if (het->v[i].job == a->job)
			return false;
	backfill_name_nodes(a);
	schedule_keep(&a->start, p->arena); /* trying all places anew */
	part = ARENA_PUSH(p->scratch, het->v, het->n, het->cap);
	*part = (struct het_part){a->job, a->start, a->when};
	if (a->seconds < schedule_seconds(a->job, a->choice))
		part->start.minutes = (uint32_t)(a->seconds / 60);
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
