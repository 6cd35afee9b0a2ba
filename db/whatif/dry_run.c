#include "db/whatif/dry_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/jobstate.h"
#include "db/entity/cluster.h"
#include "db/history/change_rows.h"
#include "db/view/plan.h"
#include "db/view/shares.h"

/* Fair-share that moves by less is not told. */
static const double THRESHOLD = 0.01;

enum { ROWS_SHOWN = 100 };

/* ---- fair-share ----------------------------------------------------------*/

static int by_distance(const void *a, const void *b)
{
	const struct dry_run_share *x = a, *y = b;
	double dx = fabs(x->is - x->was), dy = fabs(y->is - y->was);

	if (dx < dy || dx > dy)
		return dx < dy ? 1 : -1;
	return (x->share->key > y->share->key) - (x->share->key < y->share->key);
}

static void compare_shares(
	struct dry_run *d, const struct shares *was, const struct shares *is)
{
	const struct shares_index *index = shares_index(is, d->arena);

	for (uint32_t i = 0; i < was->n; i++) {
		uint32_t at = shares_find(index, was->v[i].key);
		struct dry_run_share m = {.cluster = was->cluster,
			.share = &was->v[i],
			.was = was->nodes[i].fairshare};

		if (!was->nodes[i].is_user || at == UINT32_MAX)
			continue;
		m.is = is->nodes[at].fairshare;
		if (fabs(m.is - m.was) >= THRESHOLD)
			*ARENA_PUSH(d->arena, d->moved.v, d->moved.n,
				d->moved.cap) = m;
	}
}

/* ---- jobs ----------------------------------------------------------------*/

static const struct job *find_job(const struct plan *plan, int64_t key)
{
	for (size_t i = 0; i < plan->jobs.n; i++)
		if (plan->jobs.v[i].key == key)
			return &plan->jobs.v[i];
	return NULL;
}

static void note_waiting(struct dry_run *d, const struct job *job,
	const char *was, const char *is)
{
	if (strcmp(was, is) != 0)
		*ARENA_PUSH(d->arena, d->waiting.v, d->waiting.n,
			d->waiting.cap) = (struct dry_run_job){
			.id = job->id, .user = job->user, .was = was, .is = is};
}

static bool is_pending(const struct job *job)
{
	return (job->state & JOB_BASE_MASK) == JOB_PENDING;
}

/* Why it waits, or that it does no longer. */
static const char *becomes(const struct plan *plan, const struct job *job)
{
	return is_pending(job) ? plan_reason_word(plan, job)
			       : job_state_word(job->state);
}

static void compare_jobs(
	struct dry_run *d, const struct plan *was, const struct plan *is)
{
	for (size_t i = 0; i < was->jobs.n; i++) {
		const struct job *job = &was->jobs.v[i];
		const struct job *after = find_job(is, job->key);

		if (is_pending(job) && after)
			note_waiting(d, job, plan_reason_word(was, job),
				becomes(is, after));
	}
	for (size_t i = 0; i < is->jobs.n; i++) {
		const struct job *job = &is->jobs.v[i];

		if (is_pending(job) && !find_job(was, job->key))
			note_waiting(d, job, "new", becomes(is, job));
	}
}

/* ---- one cluster ---------------------------------------------------------*/

static int look(struct site *site, const char *cluster, struct arena *arena,
	struct shares *shares, struct plan *plan)
{
	return shares_load(&site->store, &site->conf.policy, cluster, site->now,
		       0, arena, shares) ||
			       plan_make(plan, site, cluster, site->now, arena)
		       ? -1
		       : 0;
}

static int compare_cluster(struct dry_run *d, struct site *before,
	struct site *after, const char *cluster)
{
	struct shares was, is;
	struct plan plan_was, plan_is;

	if (cluster_key(&after->store, cluster) <= 0)
		return 0;
	if (look(before, cluster, d->arena, &was, &plan_was) ||
		look(after, cluster, d->arena, &is, &plan_is))
		return -1;
	compare_shares(d, &was, &is);
	compare_jobs(d, &plan_was, &plan_is);
	return 0;
}

int dry_run_compare(struct dry_run *d, struct site *before, struct site *after,
	const void *changes, int size, struct arena *arena)
{
	struct strv clusters = {0};

	*d = (struct dry_run){.arena = arena};
	if (change_rows(&before->store, changes, size, true, arena, &d->rows) ||
		change_rows(
			&after->store, changes, size, false, arena, &d->rows) ||
		cluster_names(&before->store, arena, &clusters))
		return -1;
	for (size_t i = 0; i < clusters.n; i++)
		if (compare_cluster(d, before, after, clusters.v[i]))
			return -1;
	if (d->moved.n)
		qsort(d->moved.v, d->moved.n, sizeof(*d->moved.v), by_distance);
	return 0;
}

/* ---- telling -------------------------------------------------------------*/

void dry_run_write(const struct dry_run *d, const char *report, FILE *out)
{
	fprintf(out, "%s Dry run: nothing is changed\n Rows: %zu\n", report,
		d->rows.n);
	for (size_t i = 0; i < d->rows.n && i < ROWS_SHOWN; i++)
		fprintf(out, "  %s\n", d->rows.v[i]);
	if (d->rows.n > ROWS_SHOWN)
		fprintf(out, "  and %zu rows more\n", d->rows.n - ROWS_SHOWN);
	fprintf(out, " Fair-share factors that move by %g or more: %zu\n",
		THRESHOLD, d->moved.n);
	for (size_t i = 0; i < d->moved.n && i < ROWS_SHOWN; i++)
		fprintf(out, "  C = %-10s A = %-10s U = %-9s %f -> %f\n",
			d->moved.v[i].cluster, d->moved.v[i].share->account,
			d->moved.v[i].share->user, d->moved.v[i].was,
			d->moved.v[i].is);
	fprintf(out, " Jobs that would wait for another reason: %zu\n",
		d->waiting.n);
	for (size_t i = 0; i < d->waiting.n && i < ROWS_SHOWN; i++)
		fprintf(out, "  JobID = %-10" PRIu32 " U = %-9s %s -> %s\n",
			d->waiting.v[i].id, d->waiting.v[i].user,
			d->waiting.v[i].was, d->waiting.v[i].is);
}

static struct json_object *told_row(const char *line)
{
	struct json_object *row = json_record();

	json_put_text(row, "change",
		*line == '+'   ? "added"
		: *line == '-' ? "removed"
			       : "changed");
	json_put_text(row, "row", line + 2);
	return row;
}

static struct json_object *told_share(const struct dry_run_share *m)
{
	struct json_object *row = json_record();

	json_put_text(row, "cluster", m->cluster);
	json_put_text(row, "account", m->share->account);
	json_put_text(row, "user", m->share->user);
	json_put_real(row, "before", m->was);
	json_put_real(row, "after", m->is);
	return row;
}

static struct json_object *told_job(const struct dry_run_job *w)
{
	struct json_object *row = json_record();

	json_put_int(row, "job_id", w->id);
	json_put_text(row, "user", w->user);
	json_put_text(row, "before", w->was);
	json_put_text(row, "after", w->is);
	return row;
}

struct json_object *dry_run_record(const struct dry_run *d, const char *report)
{
	struct json_object *record = json_record();

	json_put_text(record, "report", report);
	for (size_t i = 0; i < d->rows.n; i++)
		json_append(record, "rows", told_row(d->rows.v[i]));
	for (size_t i = 0; i < d->moved.n; i++)
		json_append(record, "fairshare", told_share(&d->moved.v[i]));
	for (size_t i = 0; i < d->waiting.n; i++)
		json_append(record, "jobs", told_job(&d->waiting.v[i]));
	return record;
}
