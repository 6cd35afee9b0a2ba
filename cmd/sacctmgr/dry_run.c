#include "cmd/sacctmgr/dry_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "common/text/jobstate.h"
#include "db/history/change_rows.h"
#include "db/view/plan.h"
#include "db/view/shares.h"

/* Fair-share that moves by less is not told. */
static const double THRESHOLD = 0.01;

enum { ROWS_SHOWN = 100 };

/* ---- the store -----------------------------------------------------------*/

/* The site as it is, while the session has one with a store laid over. */
static struct site below;

int dry_run_open(struct session *s)
{
	if (getauxval(AT_SECURE))
		return err_set(&s->err, ERR_DENIED,
			"--dry-run is not for programs with rights of their "
			"own");
	below = s->site;
	below.store.err = &s->err;
	if (store_open_private(&s->site.store, &below.store))
		return -1;
	s->site.store.now = below.store.now;
	return 0;
}

void dry_run_close(struct session *s)
{
	store_close(&s->site.store);
	s->site.store = below.store;
}

int dry_run_refuse(struct session *s, const char *verb)
{
	complain(s, " --dry-run cannot try \"%s\"", verb);
	return -1;
}

/* ---- fair-share ----------------------------------------------------------*/

/* One cluster before and after. */
struct moved {
	const char *cluster;
	const struct share *share;
	double was, is;
};

struct moved_list {
	struct moved *v;
	size_t n, cap;
};

struct waiting {
	uint32_t id;
	const char *user, *was, *is;
};

struct waiting_list {
	struct waiting *v;
	size_t n, cap;
};

/* What is known of a change that would be made. */
struct dry_run {
	struct session *s;
	struct strv clusters, rows;
	struct shares *before; /* by cluster */
	struct plan *plan;
	struct moved_list moved;
	struct waiting_list waiting;
	const char *report;
};

static int known_clusters(struct session *s, struct strv *clusters)
{
	const struct strv none = {0};

	*clusters = (struct strv){0};
	return chosen_clusters(s, &none, clusters);
}

static bool is_known(struct session *s, const char *cluster)
{
	return cluster_key(s->store, cluster) > 0;
}

static int look_before(struct dry_run *d)
{
	struct session *s = d->s;

	if (known_clusters(s, &d->clusters))
		return -1;
	d->before = arena_array(&s->arena, d->clusters.n, sizeof(*d->before));
	d->plan = arena_array(&s->arena, d->clusters.n, sizeof(*d->plan));
	for (size_t i = 0; i < d->clusters.n; i++)
		if (shares_load(s->store, &s->site.conf.policy,
			    d->clusters.v[i], s->site.now, 0, &s->arena,
			    &d->before[i]) ||
			plan_make(&d->plan[i], &s->site, d->clusters.v[i],
				s->site.now, &s->arena))
			return -1;
	return 0;
}

static int by_distance(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;
	double dx = fabs(x->is - x->was), dy = fabs(y->is - y->was);

	if (dx < dy || dx > dy)
		return dx < dy ? 1 : -1;
	return (x->share->key > y->share->key) - (x->share->key < y->share->key);
}

static void compare_shares(
	struct dry_run *d, const struct shares *was, const struct shares *is)
{
	const struct shares_index *index = shares_index(is, &d->s->arena);

	for (uint32_t i = 0; i < was->n; i++) {
		uint32_t at = shares_find(index, was->v[i].key);
		struct moved m = {.cluster = was->cluster,
			.share = &was->v[i],
			.was = was->nodes[i].fairshare};

		if (!was->nodes[i].is_user || at == UINT32_MAX)
			continue;
		m.is = is->nodes[at].fairshare;
		if (fabs(m.is - m.was) >= THRESHOLD)
			*ARENA_PUSH(&d->s->arena, d->moved.v, d->moved.n,
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

static void compare_jobs(
	struct dry_run *d, const struct plan *was, const struct plan *is)
{
	for (size_t i = 0; i < was->jobs.n; i++) {
		const struct job *job = &was->jobs.v[i];
		const struct job *after = find_job(is, job->key);
		struct waiting w = {.id = job->id, .user = job->user};

		if ((job->state & JOB_BASE_MASK) != JOB_PENDING || !after)
			continue;
		w.was = plan_reason_word(was, job);
		w.is = plan_reason_word(is, after);
		if (strcmp(w.was, w.is) != 0)
			*ARENA_PUSH(&d->s->arena, d->waiting.v, d->waiting.n,
				d->waiting.cap) = w;
	}
}

static int look_after(struct dry_run *d)
{
	struct session *s = d->s;

	for (size_t i = 0; i < d->clusters.n; i++) {
		struct shares after;
		struct plan plan;

		if (!is_known(s, d->clusters.v[i]))
			continue;
		if (shares_load(s->store, &s->site.conf.policy,
			    d->clusters.v[i], s->site.now, 0, &s->arena,
			    &after) ||
			plan_make(&plan, &s->site, d->clusters.v[i],
				s->site.now, &s->arena))
			return -1;
		compare_shares(d, &d->before[i], &after);
		compare_jobs(d, &d->plan[i], &plan);
	}
	if (d->moved.n)
		qsort(d->moved.v, d->moved.n, sizeof(*d->moved.v), by_distance);
	return 0;
}

/* ---- telling -------------------------------------------------------------*/

static void tell_text(const struct dry_run *d)
{
	FILE *out = output(d->s);

	fprintf(out, "%s Dry run: nothing is changed\n Rows: %zu\n", d->report,
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

static struct json_object *told_share(const struct moved *m)
{
	struct json_object *row = json_record();

	json_put_text(row, "cluster", m->cluster);
	json_put_text(row, "account", m->share->account);
	json_put_text(row, "user", m->share->user);
	json_put_real(row, "before", m->was);
	json_put_real(row, "after", m->is);
	return row;
}

static struct json_object *told_job(const struct waiting *w)
{
	struct json_object *row = json_record();

	json_put_int(row, "job_id", w->id);
	json_put_text(row, "user", w->user);
	json_put_text(row, "before", w->was);
	json_put_text(row, "after", w->is);
	return row;
}

static void tell_document(const struct dry_run *d)
{
	struct json_object *record = json_record();
	struct document doc;

	document_open(&doc, d->s, "dry_run");
	json_put_text(record, "report", d->report);
	for (size_t i = 0; i < d->rows.n; i++)
		json_append(record, "rows", told_row(d->rows.v[i]));
	for (size_t i = 0; i < d->moved.n; i++)
		json_append(record, "fairshare", told_share(&d->moved.v[i]));
	for (size_t i = 0; i < d->waiting.n; i++)
		json_append(record, "jobs", told_job(&d->waiting.v[i]));
	document_write(&doc, record);
	document_close(&doc);
}

/* ---- the plan ------------------------------------------------------------*/

/* The plan once more on the same store: its rows are looked at after it. */
static int try_again(struct dry_run *d, const struct change *change)
{
	struct outcome o;
	char *report;
	int rc = change_try_told(d->s, change, true, &o, &report);

	free(report);
	if (rc)
		return -1;
	rc = o.result != PLAN_CHANGED ||
	     change_rows(d->s->store, o.changes, o.size, false, &d->s->arena,
		     &d->rows) ||
	     look_after(d);
	store_rollback(d->s->store);
	outcome_free(&o);
	return rc ? -1 : 0;
}

static int tell(struct session *s, const struct change *change,
	const struct outcome *o, const char *report)
{
	struct dry_run d = {.s = s, .report = report};

	if (look_before(&d) ||
		change_rows(s->store, o->changes, o->size, true, &s->arena,
			&d.rows) ||
		try_again(&d, change) || store_load_catalogs(s->store)) {
		complain_err(s);
		return -1;
	}
	if (document_wanted(s))
		tell_document(&d);
	else
		tell_text(&d);
	return 0;
}

static int run(struct session *s, const struct change *change)
{
	struct outcome o;
	char *report;
	int rc = -1;

	if (change_try_told(s, change, true, &o, &report)) {
		free(report);
		return -1;
	}
	store_rollback(s->store);
	if (store_load_catalogs(s->store))
		complain_err(s);
	else if (o.result == PLAN_CHANGED)
		rc = tell(s, change, &o, report);
	else if (o.result == PLAN_NOTHING)
		rc = 0;
	if (o.result != PLAN_CHANGED && o.result != PLAN_REFUSED)
		fputs(report, output(s));
	if (rc)
		s->status = 1;
	outcome_free(&o);
	free(report);
	return rc;
}

static bool say_yes(struct session *s, const char *question)
{
	(void)s;
	(void)question;
	return true;
}

static void say(struct session *s, const char *line, enum say how)
{
	ask_hooks.say(s, line, how);
}

static void tell_effect(struct session *s, const struct effect *e)
{
	ask_hooks.tell(s, e);
}

const struct session_hooks dry_run_hooks = {say, tell_effect, say_yes, run};
