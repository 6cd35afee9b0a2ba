/*
 * sprio: the priority of every waiting job, factor by factor (Slurm's
 * src/sprio). Options are in cmd/sprio/options.c, columns in letters.c and
 * format.c, which jobs in rows.c.
 */
#include "cmd/sprio/sprio.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/past/past.h"
#include "db/viewer/viewer.h"

struct session {
	struct options options;
	struct site site;
	struct site view; /* the site, its store and time maybe others */
	struct past past;
	struct privacy privacy;
	struct strv clusters;
	bool federated; /* names of clusters are shown */
	struct rows rows;
	struct format format; /* of tables */
	struct printout out;
	struct arena scratch;
	struct err err;
};

static void choose_clusters(struct session *s)
{
	const struct option_clusters *asked = &s->options.clusters;

	s->federated = viewer_clusters(&s->site, asked, &s->clusters);
	if (asked->text && s->clusters.n > 1)
		cli_fatal("Only one cluster can be used at a time with sprio");
}

/* ---- printing ------------------------------------------------------------*/

static void refuse_basic(const struct policy *policy)
{
	if (!policy->priority_type ||
		strcasecmp(policy->priority_type, "priority/basic"))
		return;
	fprintf(stderr,
		"You are not running a supported priority plugin\n(%s).\n"
		"Only 'priority/multifactor' is supported.\n",
		policy->priority_type);
	exit(1);
}

/* A table that the terminal breaks is hard to read. */
static void offer_less(const struct session *s)
{
	size_t room = cli_width(), width = format_width(&s->format);

	if (room && !s->options.csv && !s->options.format_text && width > room)
		cli_hint("the table is %zu wide, the terminal %zu: "
			 "-o \"%%.10i %%.8u %%.10Y %%.8A %%.8F %%.8P %%.8Q\" "
			 "is narrower",
			width, room);
}

static void print_table(struct session *s)
{
	const struct row weights = {
		.policy = &s->view.conf.policy, .tres = &s->view.store.tres};
	const struct options *o = &s->options;

	if (o->jobs.text && !s->rows.any) {
		puts("Unable to find jobs matching user/id(s) specified");
		return;
	}
	offer_less(s);
	cli_pager();
	printout_begin(&s->out);
	if (o->weights) {
		printout_row(&s->out, &weights);
		return;
	}
	sort_rows(&s->rows, o->sort ? o->sort : "i");
	printout_rows(
		&s->out, s->rows.v, s->rows.n, sizeof(*s->rows.v));
}

static void print_document(struct session *s)
{
	const struct rows *rows = &s->rows;
	size_t n = s->options.weights ? 0 : rows->n;

	sort_rows(&s->rows, s->options.sort ? s->options.sort : "i");
	printout_begin(&s->out);
	printout_rows(&s->out, rows->v, n, sizeof(*rows->v));
	printout_end(&s->out, weights_record(&s->view.conf.policy));
}

/* ---- all -----------------------------------------------------------------*/

static void load(struct session *s)
{
	const struct strv *names = &s->clusters;
	bool began = store_begin_read(&s->view.store);

	for (size_t i = 0; i < names->n; i++)
		if (sprio_load(&s->rows, &s->options, &s->view, &s->privacy,
			    names->v[i], s->federated, &s->site.arena))
			cli_die(&s->err);
	store_end_read(&s->view.store, began);
}

static int explain(struct session *s)
{
	bool began = store_begin_read(&s->view.store);
	int status = sprio_explain(&s->options, &s->view, &s->privacy,
		s->clusters.v[0], &s->site.arena);

	store_end_read(&s->view.store, began);
	return status;
}

/* Chooses what is looked at: the store as it is, or at another time. */
static void choose_time(struct session *s)
{
	const char *text = s->options.at_text;
	int64_t at;

	s->view = s->site;
	if (privacy_open(&s->privacy, &s->site, PRIVATE_JOBS, &s->site.arena))
		cli_die(&s->err);
	if (!text)
		return;
	at = option_time_of("--at", text, s->site.now);
	if (past_open(&s->past, &s->site.store, &s->site.conf.policy, false,
		    false) ||
		past_move(&s->past, at))
		cli_die(&s->err);
	s->view.store = *s->past.store;
	s->view.now = at;
}

static int list(struct session *s)
{
	const struct options *o = &s->options;

	/* --ndjson with -o or -l has the chosen columns. */
	s->out = (struct printout){
		.format = &s->format,
		.form = o->form,
		.list = "jobs",
		.record = row_record,
		.flat = o->form == JSON_LINES &&
			(o->format_text || o->long_list),
		.catalog = &s->view.store.tres,
		.scratch = &s->scratch,
	};
	if (!o->form || s->out.flat)
		sprio_format_read(
			&s->format, o, &s->site.conf.policy, &s->site.arena);
	s->options.with_reasons =
		s->options.form || format_has(&s->format, LETTER_OF_PLAN);
	load(s);
	if (s->options.form)
		print_document(s);
	else
		print_table(s);
	return 0;
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;
	int status;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.scratch);
	sprio_options(&s.options, &arena, argc, argv);
	viewer_open(&s.site, false, &s.err);
	choose_clusters(&s);
	refuse_basic(&s.site.conf.policy);
	viewer_users(&s.site, &s.options.users, &arena);
	choose_time(&s);
	if (s.options.what_if.n)
		status = sprio_whatif(&s.options, &s.site, &s.view, &s.privacy,
			s.clusters.v[0]);
	else if (s.options.explain_text)
		status = explain(&s);
	else
		status = list(&s);
	if (s.options.at_text) {
		*s.past.store = s.view.store;
		past_close(&s.past);
	}
	site_close(&s.site);
	arena_release(&s.scratch);
	arena_release(&arena);
	return status;
}
