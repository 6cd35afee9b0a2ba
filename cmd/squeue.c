/*
 * squeue: the queue as the store knows it, with reasons computed at the moment
 * they are asked for (Slurm's src/squeue). Options are in cmd/squeue/options.c,
 * columns in types.c and format.c, which jobs in jobs.c.
 */
#include "cmd/squeue/squeue.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/entity/names.h"
#include "db/entity/node.h"
#include "db/viewer/viewer.h"

/* ---- printing ------------------------------------------------------------*/

void session_no_job(struct session *s)
{
	cli_say_error("slurm_load_jobs error: Invalid job id specified");
	s->status = 1;
}

bool session_titles(const struct session *s)
{
	return s->options.clusters.text && !s->options.csv && !s->options.form;
}

static void load(struct session *s, struct rows *rows, const char *cluster)
{
	struct queue *queue = arena_alloc(&s->site.arena, sizeof(*queue));
	int found = squeue_load(rows, queue, &s->options, &s->site, &s->privacy,
		cluster, &s->site.arena);

	if (found < 0)
		cli_die(&s->err);
	if (!found)
		session_no_job(s);
}

static void print_rows(struct session *s, struct rows *rows)
{
	const struct options *o = &s->options;

	if (!o->iterate)
		cli_pager();
	printout_begin(&s->out);
	sort_rows(rows, o->sort);
	printout_rows(&s->out, rows->v, rows->n, sizeof(*rows->v));
}

/* Named clusters have a table each, those of a federation share one. */
static void print_tables(struct session *s)
{
	bool apart = session_titles(s);
	struct rows rows = {0};

	for (size_t i = 0; i < s->clusters.n; i++) {
		if (apart && s->options.heading)
			viewer_title(&s->clusters, i);
		load(s, &rows, s->clusters.v[i]);
		if (s->options.step_flag &&
			squeue_steps(&rows, &s->options, &s->site.arena))
			cli_die(&s->err);
		if (apart && !s->status)
			print_rows(s, &rows);
		if (apart)
			rows.n = 0;
	}
	if (!apart && !s->status)
		print_rows(s, &rows);
}

static void print_document(struct session *s)
{
	struct rows rows = {0};
	struct json_object *beside = json_record();
	const struct value never = of_limit(0);
	const struct value now = of_limit((uint64_t)s->site.now);

	for (size_t i = 0; i < s->clusters.n; i++)
		load(s, &rows, s->clusters.v[i]);
	sort_rows(&rows, s->options.sort);
	json_put(beside, "last_backfill", &never, &s->site.store.tres);
	json_put(beside, "last_update", &now, &s->site.store.tres);
	printout_begin(&s->out);
	printout_rows(&s->out, rows.v, rows.n, sizeof(*rows.v));
	printout_end(&s->out, beside);
}

/* ---- all -----------------------------------------------------------------*/

/* --ndjson with -o or -O has the chosen columns. */
static void prepare(struct session *s)
{
	const struct options *o = &s->options;

	s->out = (struct printout){
		.format = &s->format,
		.form = o->form,
		.list = "jobs",
		.record = queue_record,
		.flat = o->form == JSON_LINES && o->format_asked,
		.catalog = &s->site.store.tres,
		.scratch = &s->scratch,
	};
	if (!o->form || s->out.flat)
		squeue_format_read(&s->format, o, o->arena);
}

/* Nodes that were asked for and are none of the cluster. */
static void check_nodes(struct session *s)
{
	const struct strv *names = &s->options.nodes.words;
	int known;

	for (size_t i = 0; s->clusters.n == 1 && i < names->n; i++) {
		known = node_is_known(&s->site, s->clusters.v[0], names->v[i]);
		if (known < 0)
			cli_die(&s->err);
		if (!known)
			cli_refuse("Invalid node name %s", names->v[i]);
	}
}

/* The store is opened again for each round: the clock goes on. */
static void show(struct session *s)
{
	const struct options *o = &s->options;

	viewer_open(&s->site, false, &s->err);
	if (privacy_open(&s->privacy, &s->site, PRIVATE_JOBS, &s->site.arena))
		cli_die(&s->err);
	viewer_clusters(&s->site, &o->clusters, &s->clusters);
	check_nodes(s);
	viewer_users(&s->site, &s->options.users, o->arena);
	site_missing(
		&s->site, FROM_ACCOUNTS, &o->accounts.words, cli_no_such);
	if (o->heading && !o->form && !o->csv &&
		(o->iterate || o->verbose || o->long_list))
		cli_print_date(s->site.now);
	if (o->what_if.n)
		squeue_whatif(s);
	else if (o->form)
		print_document(s);
	else
		print_tables(s);
	site_close(&s->site);
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.scratch);
	squeue_types_open(&arena);
	squeue_options(&s.options, &arena, argc, argv);
	prepare(&s);
	show(&s);
	while (s.options.iterate) {
		putchar('\n');
		fflush(stdout);
		sleep((unsigned)s.options.iterate);
		show(&s);
	}
	arena_release(&s.scratch);
	arena_release(&arena);
	return s.status;
}
