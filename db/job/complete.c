#include "db/job/complete.h"

#include <inttypes.h>

#include "db/entity/cluster.h"
#include "db/entity/names.h"
#include "db/entity/privacy.h"
#include "db/entity/user.h"
#include "db/job/job.h"

enum { MOST_JOBS = 500, WEEK = 7 * 86400 };

struct job_offers {
	struct completion *c;
	struct privacy privacy;
	size_t most; /* candidates */
};

static int offer_job(const struct job *job, void *arg)
{
	struct job_offers *o = arg;
	struct arena *arena = o->c->arena;
	/* What waits of an array is known by the number of the array. */
	const char *id = job->array_job && job->array_task == NO_VAL
		? arena_printf(arena, "%" PRIu32, job->array_job)
		: job_shown_id(job, "", job->array_task, arena);

	if (privacy_allows(&o->privacy, job->user, job->account))
		offer_name(o->c, id, "",
			arena_printf(arena, "%s of %s", job->name, job->user));
	return o->c->n >= o->most;
}

static void offer_jobs(
	struct completion *c, struct site *site, enum value_source source)
{
	struct job_offers o = {.c = c, .most = c->n + MOST_JOBS};
	struct job_cond cond = {.cluster = cluster_key(&site->store, site->cluster),
		.open = source != FROM_STARTED_JOBS};
	SCRATCH_ARENA(scratch);

	if (source == FROM_WAITING_JOBS) {
		cond.states = JOB_STATE_BIT(JOB_PENDING);
	} else if (source == FROM_STARTED_JOBS) {
		cond.states = ~JOB_STATE_BIT(JOB_PENDING);
		cond.from = site->now - WEEK;
		if (rights_level(site, c->arena) < ADMIN_OPERATOR)
			strv_push(&cond.users, c->arena, site->caller.name);
	}
	if (cond.cluster < 0 ||
		privacy_open(&o.privacy, site, PRIVATE_JOBS, c->arena))
		return;
	job_each(&site->store, &cond, &scratch, offer_job, &o);
}

static void offer_partitions(struct completion *c, const struct conf *conf)
{
	for (size_t i = 0; i < conf->n_partitions; i++)
		offer_name(c, conf->partitions[i].name, "", NULL);
}

static void offer_tres(struct completion *c, const struct tres_catalog *all,
	enum value_source source)
{
	for (size_t i = 0; i < all->n; i++)
		offer_name(c,
			source == FROM_TRES_TYPES
				? all->v[i].type
				: tres_full_name(&all->v[i], c->arena),
			source == FROM_TRES ? "=" : "", NULL);
}

static void offer_of(
	struct completion *c, struct site *site, enum value_source source)
{
	if (source < STORED_NAMES)
		(void)site_names(site, source, c);
	else if (source == FROM_PARTITIONS)
		offer_partitions(c, &site->conf);
	else if (source <= FROM_TRES_TYPES)
		offer_tres(c, &site->store.tres, source);
	else
		offer_jobs(c, site, source);
}

void offer_stored(struct completion *c, enum value_source source)
{
	struct site site;
	struct err err;

	if (c->site) {
		offer_of(c, c->site, source);
	} else if (!site_open_described(&site, &err)) {
		offer_of(c, &site, source);
		site_close(&site);
	}
}
