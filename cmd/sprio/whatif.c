/*
 * sprio --what-if: the priority of every row and its position in its
 * partition's queue, before and after hypothetical changes
 * (db/whatif/whatif.h).
 */
#include "cmd/sprio/sprio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "db/whatif/whatif.h"

/* ---- rows ----------------------------------------------------------------*/

static int identity(const void *a, const void *b)
{
	const struct jobprio_row *x = ((const struct row *)a)->prio;
	const struct jobprio_row *y = ((const struct row *)b)->prio;
	int order;

	if (x->job->id != y->job->id)
		return x->job->id < y->job->id ? -1 : 1;
	if (x->job->submit != y->job->submit)
		return x->job->submit < y->job->submit ? -1 : 1;
	order = strcmp(x->partition, y->partition);
	return order ? order
		     : strcmp(x->qos ? x->qos : "", y->qos ? y->qos : "");
}

/* By partition, and in line there. */
static int compare_line(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;
	int order = strcmp((*x)->prio->partition, (*y)->prio->partition);

	if (!order)
		order = sprio_goes_before((*y)->prio, (*x)->prio) -
			sprio_goes_before((*x)->prio, (*y)->prio);
	return order ? order : identity(*x, *y);
}

/* Leaves the place in line in every row's `order`, from 1. */
static void set_places(struct rows *rows, struct arena *arena)
{
	struct row **line = arena_array(arena, rows->n, sizeof(*line));

	for (size_t i = 0; i < rows->n; i++)
		line[i] = &rows->v[i];
	if (rows->n)
		qsort(line, rows->n, sizeof(*line), compare_line);
	for (size_t i = 0, place = 0; i < rows->n; i++) {
		bool same = i && !strcmp(line[i]->prio->partition,
					 line[i - 1]->prio->partition);

		place = same ? place + 1 : 1;
		line[i]->order = place;
	}
}

/* All jobs count in the queue, whichever are listed. */
static struct side load(const struct options *options, struct site *site,
	const char *cluster, struct arena *arena)
{
	static const struct privacy open;
	struct options all = *options;
	struct rows rows = {0};

	all.jobs.text = all.users.text = all.partitions.text = NULL;
	if (sprio_load(&rows, &all, site, &open, cluster, false, arena))
		cli_die(site->store.err);
	set_places(&rows, arena);
	return (struct side){rows.v, rows.n, sizeof(*rows.v)};
}

/* ---- columns -------------------------------------------------------------*/

#define GET(name, expression) GETTER(name, struct row, expression)
GET(job_id, of_uint(row->prio->job->id))
GET(partition, of_text(row->prio->partition))
GET(user, of_text(row->prio->job->user))
GET(account, of_text(row->prio->job->account))
GET(qos, row->prio->qos ? of_text(row->prio->qos) : no_value())
GET(priority, of_uint(row->prio->result.priority))
GET(place, of_uint(row->order))

/* clang-format off */
static const struct member members[] = {
	{SHOWN("JobID", "JobID", 10, "job_id", NULL), .get = get_job_id},
	{SHOWN("Partition", "Partition", -12, "partition", NULL), .fit.rank = 2, .get = get_partition},
	{SHOWN("User", "User", -12, "user", NULL), .get = get_user},
	{SHOWN("Account", "Account", -14, "account", NULL), .fit.rank = 3, .get = get_account},
	{.json = "qos", .get = get_qos},
	{SHOWN("Priority", "Priority", 10, "priority", NULL), .get = get_priority,
		.marks = MEMBER_MOVES | MEMBER_SUBTRACTED},
	{SHOWN("Place", "Place", 6, "place", NULL), .get = get_place,
		.marks = MEMBER_MOVES},
};
/* clang-format on */
static const struct members all_members = MEMBERS(members);

static struct json_object *record_of(const void *pair, struct arena *arena)
{
	struct json_object *record = json_record();
	char path[64];

	for (size_t i = 0; i < all_members.n * 3; i++) {
		const struct member *m = &members[i % all_members.n];
		enum pair_part part = (enum pair_part)(i / all_members.n);
		struct value value = pair_value(pair, m, part, arena);

		snprintf(path, sizeof(path), "%s/%s", part_names[part],
			m->json);
		if (pair_parts(m) == 1 && part == PART_BEFORE)
			json_put(record, m->json, &value, NULL);
		else if (pair_parts(m) > 1 && value.type != VALUE_NONE)
			json_put(record, path, &value, NULL);
	}
	return record;
}

/* ---- all -----------------------------------------------------------------*/

static void open_table(struct pairs_grid *wide, const struct options *options,
	const struct site *site, struct arena *arena)
{
	struct grid grid;

	grid_init(&grid, &all_members, arena);
	grid.table.mode = options->csv ? TABLE_CSV : TABLE_FIXED;
	grid.table.heading = options->heading;
	grid.table.style = site_style(site);
	grid.table.scratch = arena;
	grid_add_all(&grid);
	pairs_grid_open(wide, &grid);
	cli_fit(&wide->grid.table);
}

int sprio_whatif(const struct options *options, struct site *site,
	struct site *now, const struct privacy *privacy, const char *cluster)
{
	struct arena *arena = &site->arena;
	struct err *err = site->store.err;
	struct side before, after;
	struct whatif what;
	struct pairs pairs;
	struct pairs_grid wide;
	struct printout out = {
		.pairs = &wide,
		.form = options->form,
		.list = "what_if",
		.record = record_of,
		.scratch = arena,
	};

	open_table(&wide, options, site, arena);
	if (whatif_open(&what, site, &options->what_if, now->now, false, err))
		cli_die(err);
	before = load(options, now, cluster, arena);
	after = load(options, &what.site, cluster, arena);
	pairs_match(&pairs, &before, &after, identity, arena);
	printout_begin(&out);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct row *row = pair_row(&pairs.v[i]);

		if (sprio_may_see(privacy, row->prio->job) &&
			sprio_wanted(options, row))
			printout_row(&out, &pairs.v[i]);
	}
	printout_end(&out, NULL);
	whatif_close(&what);
	return 0;
}
