/*
 * Which jobs sprio shows, and to whom (spec/priority.md 7.2).
 */
#include "cmd/sprio/sprio.h"

#include <string.h>
#include <strings.h>

#include "common/conf.h"
#include "common/sluid.h"

bool sprio_may_see(const struct privacy *privacy, const struct job *job)
{
	return privacy_allows(privacy, job->user, job->account);
}

static bool is_asked_for(const struct options *options, const struct row *row)
{
	const struct job *job = row->prio->job;
	uint64_t sluid = sluid_make(row->cluster_key, job->id, job->submit);

	if (!options->jobs_text)
		return true;
	for (size_t i = 0; i < options->n_jobs; i++) {
		const struct job_id *wanted = &options->jobs[i];

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
	struct jobprio_rows *found, const struct row *like, struct arena *arena)
{
	for (size_t i = 0; i < found->n; i++) {
		struct row row = *like;

		row.prio = &found->v[i];
		row.order = rows->n;
		rows->any = true;
		if (sprio_wanted(options, &row))
			*ARENA_PUSH(arena, rows->v, rows->n, rows->cap) = row;
	}
}

int sprio_load(struct rows *rows, const struct options *options,
	struct site *site, const struct privacy *privacy, const char *cluster,
	bool federated, struct arena *arena)
{
	struct jobprio_rows found = {0};
	struct job_cond cond = {.open = true};
	struct job_list jobs = {0};
	struct jobprio prio;
	struct row like = {.cluster = cluster, .federated = federated};

	if (jobprio_open(&prio, site, cluster, site->now, arena))
		return -1;
	cond.cluster = like.cluster_key = prio.cluster;
	if (job_load(&site->store, &cond, arena, &jobs))
		return -1;
	for (size_t i = 0; i < jobs.n; i++)
		if (jobprio_listed(&prio, &jobs.v[i]) &&
			sprio_may_see(privacy, &jobs.v[i]))
			jobprio_rows(&prio, &jobs.v[i], arena, &found);
	add_rows(rows, options, &found, &like, arena);
	return 0;
}
