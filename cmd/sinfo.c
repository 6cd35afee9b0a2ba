/*
 * sinfo: partitions and nodes as slurm.conf defines them, with the events and
 * running jobs of the store. Options are in cmd/sinfo/options.c, columns in
 * types.c and format.c, what shares a line in rows.c.
 */
#include "cmd/sinfo/sinfo.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"
#include "db/viewer/viewer.h"

struct session {
	struct options options;
	struct site site;
	struct strv clusters;
	struct format format;
	struct printout out;
	struct arena scratch;
	struct err err;
};

/* ---- reservations --------------------------------------------------------*/

static void print_reservation(
	struct session *s, const struct reservation *r, int width)
{
	const struct site *site = &s->site;

	printf("%-*s  %8s  %19s  %19s  %11s  %s\n", width,
		utf8_visible(&s->scratch, r->name),
		reservation_is_active(r, site->now) ? "ACTIVE" : "INACTIVE",
		time_format(&s->scratch, r->start, site->time_format, site->now),
		time_format(&s->scratch, r->end, site->time_format, site->now),
		duration_format(&s->scratch, reservation_duration(r)),
		utf8_visible(&s->scratch, r->nodes));
}

static void print_reservations(struct session *s, const struct machine *machine)
{
	const struct reservation_list *list = &machine->plan.reservations;
	int width = 9;

	if (!list->n)
		puts("No reservations in the system");
	for (size_t i = 0; i < list->n; i++) {
		const char *name = utf8_visible(&s->scratch, list->v[i].name);

		if (strlen(name) > (size_t)width)
			width = (int)strlen(name);
	}
	if (list->n && s->options.heading)
		printf("%-*s  %8s  %19s  %19s  %11s  %s\n", width, "RESV_NAME",
			"STATE", "START_TIME", "END_TIME", "DURATION",
			"NODELIST");
	for (size_t i = 0; i < list->n; i++)
		print_reservation(s, &list->v[i], width);
}

/* ---- nodes and partitions ------------------------------------------------*/

static void load(struct session *s, const char *cluster,
	struct machine *machine, struct rows *rows)
{
	if (machine_load(machine, &s->site, cluster, &s->site.arena))
		cli_die(&s->err);
	*rows = (struct rows){0};
	sinfo_rows(rows, &s->options, &s->format, machine, &s->site.arena);
	sinfo_sort(rows, s->options.sort);
}

static void print_rows(struct session *s, const struct rows *rows)
{
	if (s->options.own_format)
		format_fit(&s->format, rows);
	printout_begin(&s->out);
	printout_rows(&s->out, rows->v, rows->n, sizeof(*rows->v));
}

static void print_tables(struct session *s)
{
	const struct options *o = &s->options;

	if (!o->iterate)
		cli_pager();
	for (size_t i = 0; i < s->clusters.n; i++) {
		struct machine *machine =
			arena_alloc(&s->site.arena, sizeof(*machine));
		struct rows rows;

		load(s, s->clusters.v[i], machine, &rows);
		if (o->clusters.text && o->heading && !o->csv)
			viewer_title(&s->clusters, i);
		if (o->reservations)
			print_reservations(s, machine);
		else
			print_rows(s, &rows);
	}
}

static void print_document(struct session *s)
{
	struct machine *machine = arena_array(
		&s->site.arena, s->clusters.n, sizeof(*machine));
	struct rows *rows =
		arena_array(&s->site.arena, s->clusters.n, sizeof(*rows));

	for (size_t i = 0; i < s->clusters.n; i++)
		load(s, s->clusters.v[i], &machine[i], &rows[i]);
	printout_begin(&s->out);
	for (size_t i = 0; i < s->clusters.n; i++)
		printout_rows(&s->out, rows[i].v, rows[i].n,
			sizeof(*rows[i].v));
	printout_end(&s->out, NULL);
}

/* ---- all -----------------------------------------------------------------*/

/* The store is opened again for each round: the clock goes on. */
static void show(struct session *s)
{
	const struct options *o = &s->options;
	const struct option_clusters named = {
		.text = o->clusters.text, .local = true};

	viewer_open(&s->site, true, &s->err);
	viewer_clusters(&s->site, &named, &s->clusters);
	if (o->heading && !o->form && !o->csv &&
		(o->iterate || o->verbose || o->long_list))
		cli_print_date(s->site.now);
	if (o->form)
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
	sinfo_options(&s.options, &arena, argc, argv);
	sinfo_format_read(&s.format, &s.options, &arena);
	s.out = (struct printout){
		.format = &s.format,
		.form = s.options.form,
		.list = "sinfo",
		.record = row_record,
		.flat = s.options.form == JSON_LINES && s.options.format_asked,
		.catalog = &s.site.store.tres,
		.scratch = &s.scratch,
	};
	show(&s);
	while (s.options.iterate) {
		putchar('\n');
		fflush(stdout);
		sleep((unsigned)s.options.iterate);
		show(&s);
	}
	arena_release(&s.scratch);
	arena_release(&arena);
	return 0;
}
