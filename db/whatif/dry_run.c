#include "db/whatif/dry_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/table/pairs.h"
#include "common/text/jobstate.h"
#include "common/text/reason.h"
#include "db/entity/cluster.h"
#include "db/job/job.h"
#include "db/store/query.h"
#include "db/view/plan.h"
#include "db/view/shares.h"

/* ---- jobs ----------------------------------------------------------------*/

static int by_job(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static struct side jobs_of(const struct plan *plan)
{
	return (struct side){
		plan->jobs.v, plan->jobs.n, sizeof(*plan->jobs.v)};
}

static const char starts_now[] = "starts now";

/* Why it waits or that it need not, which limit it has reached, or that it
 * runs. */
static int tell_job(
	struct plan *plan, const struct job *job, const char **word)
{
	const struct sched_job *waits = plan_find(plan, job);
	unsigned reason;

	if ((job->state & JOB_BASE_MASK) == JOB_PENDING) {
		*word = waits && waits->n_starts ? starts_now
						 : plan_reason_word(plan, job);
		return 0;
	}
	if (plan_reached(plan, job, &reason))
		return -1;
	*word = reason ? arena_strdup(plan->arena, reason_name(reason))
		       : job_state_word(job->state);
	return 0;
}

static void note_job(struct dry_run *d, const struct job *job, const char *was,
	const char *is)
{
	if (strcmp(was, is) != 0)
		*ARENA_PUSH(d->arena, d->waiting.v, d->waiting.n,
			d->waiting.cap) = (struct dry_run_job){
			.id = job->id, .user = job->user, .was = was, .is = is};
}

static const char new_job[] = "new";

/* One that waits or runs before, after, or both. Of one that is new and runs, or
 * has ended, there is nothing to tell. */
static int compare_job(struct dry_run *d, struct plan *was, struct plan *is,
	const struct job *before, const struct job *after)
{
	const char *word = new_job, *now = "gone";
	int recorded = 0;

	/* Is there a record of the job? 1, 0, -1. */
	if (!after)
		recorded = store_has(&is->site->store,
			"SELECT 1 FROM job WHERE key = :key",
			bind_int(":key", before->key));
	else if (!before)
		recorded = (after->state & JOB_BASE_MASK) != JOB_PENDING;
	if (recorded)
		return recorded < 0 ? -1 : 0;
	if ((before && tell_job(was, before, &word)) ||
		(after && tell_job(is, after, &now)))
		return -1;
	note_job(d, before ? before : after, word, now);
	return 0;
}

static int compare_jobs(struct dry_run *d, struct plan *was, struct plan *is)
{
	struct side before = jobs_of(was), after = jobs_of(is);
	struct pairs pairs;

	pairs_match(&pairs, &before, &after, by_job, d->arena);
	for (size_t i = 0; i < pairs.n; i++)
		if (compare_job(d, was, is, pairs.v[i].before,
			    pairs.v[i].after))
			return -1;
	return 0;
}

/* ---- one cluster ---------------------------------------------------------*/

/* The clusters that are compared, and how. */
struct cluster_comparison {
	struct dry_run *d;
	struct site *before, *after;
	bool moves_shares; /* the change does */
	const char *cluster;
};

static int load(const struct cluster_comparison *c, struct site *site,
	struct shares *shares)
{
	return shares_load(&site->store, &site->conf.policy, c->cluster,
		site->now, 0, c->d->arena, shares);
}

static int compare_trees(const struct cluster_comparison *c)
{
	struct shares was, is;

	if (load(c, c->before, &was) || load(c, c->after, &is))
		return -1;
	dry_run_shares(c->d, &was, &is);
	return 0;
}

/* With jobs the trees are in the plans. */
static int compare_plans(struct cluster_comparison *c)
{
	struct arena *arena = c->d->arena;
	struct plan was, is;

	if (plan_make(&was, c->before, c->cluster, c->before->now, NULL,
		    arena) ||
		plan_make(&is, c->after, c->cluster, c->after->now, NULL,
			arena))
		return -1;
	if (was.schedule.n_jobs)
		plan_backfill(&was);
	if (is.schedule.n_jobs)
		plan_backfill(&is);
	if (was.prio.shares.n && is.prio.shares.n)
		dry_run_shares(c->d, &was.prio.shares, &is.prio.shares);
	else if (c->moves_shares && compare_trees(c))
		return -1;
	return compare_jobs(c->d, &was, &is);
}

static int compare_cluster(struct cluster_comparison *c)
{
	int64_t key = cluster_key(&c->after->store, c->cluster);
	int jobs, more;

	if (key <= 0)
		return key < 0 ? -1 : 0;
	jobs = job_any(&c->before->store, c->cluster, INT64_MAX);
	more = job_any(&c->after->store, c->cluster, INT64_MAX);
	if (jobs < 0 || more < 0)
		return -1;
	if (jobs || more)
		return compare_plans(c);
	return c->moves_shares ? compare_trees(c) : 0;
}

/* ---- all -----------------------------------------------------------------*/

static int by_distance(const void *a, const void *b)
{
	const struct dry_run_share *x = a, *y = b;
	double dx = fabs(x->is - x->was), dy = fabs(y->is - y->was);

	if (dx < dy || dx > dy)
		return dx < dy ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

/* Rows that are gone have their names in the store before it. */
static int tell_rows(struct dry_run *d, struct store *before,
	struct store *after, const void *changes, int size,
	enum dry_run_rows rows)
{
	size_t most = rows == DRY_RUN_ALL ? SIZE_MAX : DRY_RUN_SHOWN;
	unsigned few = rows == DRY_RUN_COUNTED ? CHANGE_FEW : 0;

	if (change_count(after, changes, size, d->arena, &d->counts))
		return -1;
	d->counted = rows == DRY_RUN_COUNTED;
	if (change_rows(before, changes, size, few | CHANGE_BEFORE, most,
		    d->arena, &d->rows) ||
		change_rows(after, changes, size, few | CHANGE_AFTER, most,
			d->arena, &d->rows))
		return -1;
	return d->counted ? change_jobs(before, after, changes, size, d->arena,
				    &d->jobs)
			  : 0;
}

int dry_run_compare(struct dry_run *d, struct site *before, struct site *after,
	const void *changes, int size, enum dry_run_rows rows,
	struct arena *arena)
{
	struct cluster_comparison c = {
		.d = d, .before = before, .after = after};
	struct strv clusters = {0};
	int moves = dry_run_moves_shares(&after->store, changes, size);

	*d = (struct dry_run){.arena = arena};
	if (moves < 0 ||
		tell_rows(d, &before->store, &after->store, changes, size, rows) ||
		cluster_names(&before->store, arena, &clusters))
		return -1;
	c.moves_shares = moves;
	for (size_t i = 0; i < clusters.n; i++) {
		c.cluster = clusters.v[i];
		if (compare_cluster(&c))
			return -1;
	}
	if (d->moved.n)
		qsort(d->moved.v, d->moved.n, sizeof(*d->moved.v), by_distance);
	return 0;
}

bool dry_run_waits(const struct dry_run *d)
{
	for (size_t i = 0; i < d->waiting.n; i++)
		if (d->waiting.v[i].was == new_job &&
			d->waiting.v[i].is != starts_now &&
			strcmp(d->waiting.v[i].is, reason_word(REASON_NONE)) != 0)
			return true;
	return false;
}
