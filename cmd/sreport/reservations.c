/*
 * reservation Utilization (Slurm's src/sreport/resv_reports.c): what the jobs
 * in a reservation made of it. Its own life counts, not the window.
 */
#include <string.h>

#include "cmd/sreport/sreport.h"
#include "common/cli/cli.h"
#include "db/entity/reservation.h"
#include "db/job/job.h"

/* TRES-seconds of jobs in one reservation. */
struct inside {
	struct session *session;
	const struct reservation *reservation;
	uint32_t tres;
	int64_t secs;
};

static int add_job(const struct job *job, void *arg)
{
	struct inside *inside = arg;
	const struct reservation *resv = inside->reservation;
	int64_t start = job->start > resv->start ? job->start : resv->start;
	int64_t end = job->end && job->end < resv->end ? job->end : resv->end;
	uint64_t count = tres_list_get(&job->tres_alloc, inside->tres);
	int64_t seconds = end - start;

	if (strcmp(job->reservation, resv->name) || !job->start ||
		end <= start || count > INT64_MAX)
		return 0;
	/* A suspended job gives back its CPUs only. */
	if (inside->tres == TRES_CPU)
		seconds = seconds_within(
			inside->session, job, resv->start, resv->end);
	inside->secs = usage_sum(
		inside->secs, usage_product(count, seconds));
	return 0;
}

static int64_t used_inside(struct report_run *r, const struct reservation *resv,
	int64_t cluster, uint32_t tres)
{
	struct session *s = r->session;
	struct inside inside = {s, resv, tres, 0};
	struct arena arena;
	int rc;

	arena_init(&arena);
	rc = rollup_each_job(&s->site.store, cluster, resv->start, resv->end,
		&arena, add_job, &inside);
	arena_release(&arena);
	if (rc)
		cli_die(&s->err);
	return inside.secs;
}

static void add_row(struct report_run *r, struct rows *rows,
	const struct reservation *resv, const struct report_tres *tres,
	int64_t count, int64_t used)
{
	int64_t length = resv->end - resv->start;
	int64_t whole = usage_product((uint64_t)count, length);
	struct row *row =
		ARENA_PUSH(&r->session->arena, rows->v, rows->n, rows->cap);

	*row = (struct row){
		.cluster = resv->cluster,
		.name = resv->name,
		.id = resv->id,
		.start = resv->start,
		.end = resv->end,
		.nodes = resv->nodes,
		.assocs = resv->assocs,
		.flags = resv->flags,
		.tres = tres->name,
		.count = count,
		.total_time = length,
		.tres_time = whole,
	};
	row->amounts[AMOUNT_ALLOCATED] = used;
	row->amounts[AMOUNT_IDLE] = whole > used ? whole - used : 0;
	row->whole[AMOUNT_ALLOCATED] = row->whole[AMOUNT_IDLE] = whole;
}

static bool has_flags(
	const struct report_run *r, const struct reservation *resv)
{
	for (size_t i = 0; i < r->cond.flags.n; i++)
		if (!strcasestr(resv->flags, r->cond.flags.v[i]))
			return false;
	return true;
}

static int64_t key_of(const struct report_run *r, const char *cluster)
{
	for (size_t i = 0; i < r->clusters.n; i++)
		if (!strcmp(r->clusters.v[i].name, cluster))
			return r->clusters.v[i].key;
	return 0;
}

/* Its own TRES in order of their numbers, those asked for with -T. */
static void add_reservation(
	struct report_run *r, struct rows *rows, const struct reservation *resv)
{
	if (resv->end <= resv->start || !has_flags(r, resv))
		return;
	for (size_t i = 0; i < resv->tres.n; i++)
		for (size_t t = 0; t < r->n_tres; t++) {
			const struct tres_count *c = &resv->tres.v[i];

			if (c->id != r->tres[t].id || c->count > INT64_MAX)
				continue;
			add_row(r, rows, resv, &r->tres[t], (int64_t)c->count,
				used_inside(r, resv, key_of(r, resv->cluster),
					c->id));
			break;
		}
}

void report_reservations(struct report_run *r)
{
	struct session *s = r->session;
	struct reservation_cond cond = {
		.names = r->cond.names, .ids = r->cond.ids};
	struct reservation_list list = {0};
	struct rows rows = {0};

	cond.from = r->start;
	cond.until = r->end;
	expand_nodes(r, &cond.nodes);
	for (size_t i = 0; i < r->clusters.n; i++)
		strv_push(&cond.clusters, &s->arena, r->clusters.v[i].name);
	if (cond.clusters.n &&
		reservation_list(&s->site.store, &cond, &s->arena, &list))
		cli_die(&s->err);
	if (!s->options.tres)
		choose_all_tres(r);
	choose_columns(r);
	for (size_t i = 0; i < list.n; i++)
		add_reservation(r, &rows, &list.v[i]);
	print_rows(r, &rows);
}
