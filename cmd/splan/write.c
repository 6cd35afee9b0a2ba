/*
 * Writes the result of the passes to the store: jobs that start (--start),
 * expected starts (--record).
 *
 * The write lock is held for bf_yield_interval at most; then others get
 * bf_yield_sleep (Slurm's src/plugins/sched/backfill/backfill.c,
 * _yield_locks()). When they changed something the rest has to be planned
 * again, unless bf_continue says to go on with the queue as it was: then a job
 * starts if it still waits and nobody took its nodes.
 */
#include "cmd/splan/write.h"

#include <string.h>
#include <unistd.h>

#include "common/base/bits.h"
#include "common/base/stopwatch.h"
#include "db/job/noted.h"
#include "db/view/plan_request.h"

struct writer {
	struct planned *p;
	struct store *store;
	struct err *err;
	bool insist;	     /* go on whatever others did */
	bool changed;	     /* they did: every start is looked at again */
	bool others_started; /* jobs: licenses, limits are not what they were */
	uint64_t *taken;     /* nodes on which something new runs */
	int64_t lock_since;  /* microseconds */
	struct arena scratch;
};

/* ---- what others did -----------------------------------------------------*/

static bool known_to_run(const struct plan *plan, int64_t key)
{
	for (size_t i = 0; i < plan->schedule.n_running; i++) {
		const struct job *job = plan->schedule.running[i].job->record;

		if (job->key == key)
			return true;
	}
	return false;
}

static int look_again(struct writer *w)
{
	struct plan *plan = &w->p->plan;
	struct job_cond cond = {.cluster = plan->prio.cluster, .open = true};
	struct job_list jobs = {0};

	if (job_load(w->store, &cond, plan->arena, &jobs))
		return -1;
	for (size_t i = 0; i < jobs.n; i++)
		if (job_state_started(jobs.v[i].state) &&
			!known_to_run(plan, jobs.v[i].key)) {
			plan_add_nodes(plan, jobs.v[i].nodelist, w->taken);
			w->others_started = true;
		}
	w->changed = true;
	return 0;
}

/* 1: the lock is ours and it may go on; 0: it has to be planned again. */
static int lock(struct writer *w)
{
	const struct sched_params *params = &w->p->plan.backfill.params;
	int64_t version;

	if (store_begin_bulk(w->store))
		return -1;
	w->lock_since = stopwatch_usec();
	version = splan_data_version(w->store);
	if (version == w->p->version)
		return 1;
	w->p->version = version;
	if (version >= 0 && (w->insist || params->bf_continue)) {
		if (look_again(w))
			return -1;
		if (w->insist || !w->others_started)
			return 1;
	}
	store_rollback(w->store);
	return version < 0 ? -1 : 0;
}

/* Lets others in when it is time to. */
static int give_way(struct writer *w)
{
	const struct sched_params *params = &w->p->plan.backfill.params;

	if (stopwatch_usec() - w->lock_since < params->bf_yield_interval)
		return 1;
	if (store_commit_bulk(w->store))
		return -1;
	usleep((useconds_t)params->bf_yield_sleep);
	return lock(w);
}

/* ---- starting ------------------------------------------------------------*/

static bool nodes_are_free(const struct writer *w, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_starts; i++)
		for (size_t n = 0; n < job->starts[i].n_nodes; n++)
			if (bits_has(w->taken, job->starts[i].nodes[n]))
				return false;
	return true;
}

static bool still_waits(struct writer *w, const struct job *job)
{
	struct job now;

	job_init(&now);
	return job_by_key(w->store, job->key, &w->scratch, &now) == 1 &&
	       job_state_pending(now.state) && !now.hold && job->array_tasks &&
	       !strcmp(now.array_tasks, job->array_tasks);
}

static bool still_runs(struct writer *w, const struct job *job)
{
	struct job now;

	job_init(&now);
	return job_by_key(w->store, job->key, &w->scratch, &now) == 1 &&
	       job_state_started(now.state);
}

static bool victims_still_run(struct writer *w, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_starts; i++)
		for (size_t v = 0; v < job->starts[i].n_victims; v++)
			if (!still_runs(
				    w, job->starts[i].victims[v].job->record))
				return false;
	return true;
}

/* Nothing counts for it that jobs of others may have used up. */
static bool counts_alone(const struct writer *w, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_starts; i++)
		if (job->starts[i].choice->limits)
			return false;
	for (size_t l = 0; l < w->p->plan.schedule.n_licenses; l++)
		if (job->licenses && job->licenses[l])
			return false;
	return true;
}

static bool may_still_start(struct writer *w, const struct sched_job *job)
{
	return !w->changed ||
	       ((!w->others_started || counts_alone(w, job)) &&
		       nodes_are_free(w, job) && still_waits(w, job->record) &&
		       victims_still_run(w, job));
}

/* Room that was to come from its victims may have gone to others. */
static bool plan_anew(const struct writer *w, const struct sched_job *job)
{
	bool pushes = false;

	for (size_t i = 0; i < job->n_starts; i++)
		pushes |= job->starts[i].n_victims != 0;
	return pushes && !w->insist;
}

static int start_all(struct writer *w)
{
	struct schedule *s = &w->p->plan.schedule;
	int go_on = 1;

	for (size_t i = 0; go_on == 1 && i < s->n_jobs; i++) {
		struct sched_job *job = &s->jobs[i];

		if (!job->n_starts)
			continue;
		go_on = give_way(w);
		if (go_on != 1)
			break;
		if (!may_still_start(w, job)) {
			if (plan_anew(w, job)) {
				store_rollback(w->store);
				return 0;
			}
			job->n_starts = 0;
			continue;
		}
		if (start_job(&w->p->plan, job, &w->scratch, w->err))
			go_on = -1;
	}
	return go_on;
}

/* ---- expected starts -----------------------------------------------------*/

static int record(struct writer *w)
{
	struct plan *plan = &w->p->plan;
	struct expected_list list = {0};

	plan_expected_list(plan, &list);
	return expected_replace(w->store, plan->prio.cluster, &list) ? -1 : 1;
}

/* ---- all -----------------------------------------------------------------*/

static bool starts_any(const struct schedule *s)
{
	for (size_t i = 0; i < s->n_jobs; i++)
		if (s->jobs[i].n_starts)
			return true;
	return false;
}

static int write_all(struct writer *w, const struct options *options)
{
	int status;

	if (!options->record && !starts_any(&w->p->plan.schedule) &&
		!preempt_writes(&w->p->plan))
		return 1;
	status = lock(w);
	if (status != 1)
		return status;
	if (options->start)
		status = preempt_resume(&w->p->plan, &w->scratch)
				 ? -1
				 : start_all(w);
	if (status == 1 && options->start && preempt_warn(&w->p->plan))
		status = -1;
	if (status == 1 && options->record)
		status = record(w);
	/* Another host may be faster still: then it is told after the commit. */
	if (status == 1 && !w->store->shared_log &&
		w->p->tell(w->p, options, w->err))
		status = -1;
	if (status == 1)
		return store_commit_bulk(w->store) ? -1 : 1;
	if (status < 0)
		store_rollback(w->store);
	return status;
}

int splan_write(struct planned *p, const struct options *options, bool insist,
	struct err *err)
{
	struct writer w = {
		.p = p,
		.store = &p->plan.site->store,
		.err = err,
		.insist = insist,
		.taken = arena_array(&p->arena,
			bits_words(p->plan.schedule.n_nodes) + 1,
			sizeof(*w.taken)),
	};
	int status;

	arena_init(&w.scratch);
	status = write_all(&w, options);
	arena_release(&w.scratch);
	return status;
}
