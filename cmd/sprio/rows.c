/*
 * Which jobs sprio shows, and to whom (Slurm's src/sprio/filter.c).
 */
#include "cmd/sprio/sprio.h"

#include <string.h>

#include "common/conf/conf.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"
#include "db/view/plan.h"

bool sprio_may_see(const struct privacy *privacy, const struct job *job)
{
	return privacy_allows(privacy, job->user, job->account);
}

static bool is_asked_for(const struct options *options, const struct row *row)
{
	const struct job *job = row->prio->job;
	uint64_t sluid = sluid_make(row->cluster_key, job->id, job->submit);

	if (!options->jobs.text)
		return true;
	for (size_t i = 0; i < options->jobs.n; i++) {
		const struct job_id *wanted = &options->jobs.v[i];

		if (wanted->sluid ? wanted->sluid == sluid
				  : wanted->id == job->id)
			return true;
	}
	return false;
}

bool sprio_wanted(const struct options *options, const struct row *row)
{
	if (options->users.text &&
		!strv_has_nocase(&options->users.words, row->prio->job->user))
		return false;
	if (options->partitions.text &&
		!strv_has(&options->partitions.words, row->prio->partition))
		return false;
	return is_asked_for(options, row);
}

static void add_rows(struct rows *rows, const struct options *options,
	struct jobprio_rows *found, const struct row *like,
	struct plan *plan, struct arena *arena)
{
	if (!rows->cap) {
		rows->cap = found->n;
		rows->v = arena_array(arena, rows->cap, sizeof(*rows->v));
	}
	for (size_t i = 0; i < found->n; i++) {
		struct row row = *like;

		row.prio = &found->v[i];
		row.order = rows->n;
		rows->any = true;
		if (!sprio_wanted(options, &row))
			continue;
		row.reason = plan && job_state_pending(row.prio->job->state)
				     ? plan_reason(plan, row.prio->job)
				     : "";
		*ARENA_PUSH(arena, rows->v, rows->n, rows->cap) = row;
	}
}

/* With a plan or without: the priorities, and the jobs that may have one. */
static int load_jobs(struct plan *plan, const struct options *options,
	struct site *site, const char *cluster, struct arena *arena)
{
	struct job_cond cond = {.open = true};

	*plan = (struct plan){.site = site};
	if (options->with_reasons)
		return plan_make(plan, site, cluster, site->now, NULL, arena);
	if (jobprio_open(&plan->prio, site, cluster, site->now, arena))
		return -1;
	cond.cluster = plan->prio.cluster;
	return job_load(&site->store, &cond, arena, &plan->jobs);
}

int sprio_load(struct rows *rows, const struct options *options,
	struct site *site, const struct privacy *privacy, const char *cluster,
	bool federated, struct arena *arena)
{
	struct jobprio_rows found = {0};
	struct plan *plan = arena_alloc(arena, sizeof(*plan));
	struct row like = {.policy = &site->conf.policy,
		.tres = &site->store.tres,
		.cluster = cluster,
		.federated = federated};

	if (load_jobs(plan, options, site, cluster, arena))
		return -1;
	like.cluster_key = plan->prio.cluster;
	/* Most have one row: so many at once, not twice as many again and again. */
	found.cap = plan->jobs.n;
	found.v = arena_array(arena, found.cap, sizeof(*found.v));
	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *job = &plan->jobs.v[i];

		if (jobprio_listed(&plan->prio, job) &&
			sprio_may_see(privacy, job))
			jobprio_rows(&plan->prio, job, arena, &found);
	}
	add_rows(rows, options, &found, &like,
		options->with_reasons ? plan : NULL, arena);
	return 0;
}
