/*
 * Another store of this site: the replica of a host that was set aside
 * (man/bursar-hosts.7), a backup. What it has of accounts, users and QOS is
 * brought in by `sacctmgr apply`, then its jobs with their steps. A job that has
 * come further here stays as it is.
 */
#include "cmd/srecord/import.h"

#include <string.h>

#include "common/text/jobstate.h"
#include "db/archive/backup.h"
#include "db/entity/cluster.h"

struct other_store {
	struct import *im;
	struct store from;
};

bool import_store_looks(const char *text)
{
	return !strcmp(text, "SQLite format 3");
}

/* A number may have got another meaning here meanwhile. */
static int check_tres(struct other_store *o)
{
	const struct tres_catalog *here = &o->im->s->store->tres;
	const struct tres_catalog *there = &o->from.tres;

	for (size_t i = 0; i < there->n; i++) {
		const struct tres *is = tres_by_id(here, there->v[i].id);
		const char *name =
			tres_full_name(&there->v[i], &o->im->scratch);

		if (!is || strcmp(tres_full_name(is, &o->im->scratch), name))
			return err_set(&o->im->s->err, ERR_SYSTEM,
				"%s: number %u is TRES %s there, and not here",
				o->im->path, there->v[i].id, name);
	}
	return 0;
}

/* Has it come further here? */
static int is_later(struct other_store *o, int64_t cluster, const struct job *job)
{
	struct job known;
	int found = job_find(o->im->s->store, cluster, job->id, job->submit,
		&o->im->scratch, &known);

	if (found <= 0)
		return found;
	return (job_state_finished(known.state) &&
		       !job_state_finished(job->state)) ||
	       (!job_state_pending(known.state) &&
		       job_state_pending(job->state));
}

static int put_steps(struct other_store *o, int64_t there, int64_t here)
{
	struct arena *arena = &o->im->scratch;
	struct step_list list;

	if (step_load(&o->from, there, arena, &list))
		return err_set(&o->im->s->err, ERR_STORE, "%s", o->from.err->text);
	for (size_t i = 0; i < list.n; i++) {
		struct step *step = &list.v[i];

		step->job = here;
		o->im->count.steps++;
		if (job_bulk_steps(o->im->bulk, &step, 1))
			return -1;
	}
	return 0;
}

static int put_job(struct other_store *o, const struct job *job)
{
	struct import *im = o->im;
	const struct qos_name *qos = qos_by_id(&o->from.qos, job->qos);
	struct import_row row;
	const char *cluster;
	int later;

	import_row_init(&row);
	if (cluster_name(&o->from, job->cluster, &im->scratch, &cluster) <= 0)
		return -1;
	later = is_later(o, cluster_key(im->s->store, cluster), job);
	if (later) {
		im->count.jobs += later > 0;
		im->count.same += later > 0;
		return later > 0 ? 0 : -1;
	}
	row.job = *job;
	row.job.key = row.job.assoc = 0;
	row.cluster = cluster;
	row.qos = qos ? qos->name : "";
	if (import_owner_key(&im->reader, &row) || import_one(im, &row))
		return -1;
	return put_steps(o, job->key, row.job.key);
}

static int each_job(const struct job *job, void *arg)
{
	struct other_store *o = arg;
	struct import *im = o->im;

	im->line++;
	return im->line <= im->done
		       ? 0
		       : import_done(im, put_job(o, job), "", 0);
}

int import_store(struct import *im)
{
	struct other_store o = {.im = im};
	const struct job_cond all = {0};
	struct arena scratch;
	int rc;

	im->unit = "job";
	if (backup_look(&o.from, im->s->store, &im->s->site->conf.policy,
		    im->path))
		return -1;
	arena_init(&scratch);
	rc = check_tres(&o) || job_each(&o.from, &all, &scratch, each_job, &o);
	arena_release(&scratch);
	store_close(&o.from);
	return rc ? -1 : 0;
}
