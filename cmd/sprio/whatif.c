/*
 * sprio --what-if: the priority of every row and its place in the line of its
 * partition, before and after changes that nobody has made (db/whatif/whatif.h).
 */
#include "cmd/sprio/sprio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/table/table.h"
#include "db/whatif/whatif.h"

/* One row on either side; NULL where there is none. */
struct pair {
	const struct row *before, *after;
};

struct comparison {
	const struct options *options;
	struct rows before, after; /* all that compete */
	struct table table;
	struct json_doc doc;
	struct json_meta meta;
	struct arena *arena;
};

/* ---- rows ----------------------------------------------------------------*/

static int compare_identity(const struct row *a, const struct row *b)
{
	const struct jobprio_row *x = a->prio, *y = b->prio;
	int order;

	if (x->job->id != y->job->id)
		return x->job->id < y->job->id ? -1 : 1;
	if (x->job->submit != y->job->submit)
		return x->job->submit < y->job->submit ? -1 : 1;
	order = strcmp(x->partition, y->partition);
	return order ? order
		     : strcmp(x->qos ? x->qos : "", y->qos ? y->qos : "");
}

static int compare_rows(const void *a, const void *b)
{
	return compare_identity(a, b);
}

/* By partition, and in line there. */
static int compare_line(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;
	int order = strcmp((*x)->prio->partition, (*y)->prio->partition);

	if (order)
		return order;
	return sprio_goes_before((*y)->prio, (*x)->prio) -
	       sprio_goes_before((*x)->prio, (*y)->prio);
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

/* All jobs count in the line, whoever asks for which of them. */
static void load(struct comparison *c, struct rows *rows, struct site *site,
	const char *cluster)
{
	static const struct privacy open;
	struct options all = *c->options;

	all.jobs.text = all.users.text = all.partitions.text = NULL;
	if (sprio_load(rows, &all, site, &open, cluster, false, c->arena))
		cli_die(site->store.err);
	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), compare_rows);
	set_places(rows, c->arena);
}

/* ---- printing ------------------------------------------------------------*/

static struct value text(const char *words)
{
	return (struct value){VALUE_TEXT, {.text = words}};
}

static struct value count(bool known, uint64_t number)
{
	return (struct value){
		known ? VALUE_UINT : VALUE_NONE, {.number = number}};
}

static struct value difference(const struct comparison *c, const struct pair *p)
{
	double more;

	if (!p->before || !p->after)
		return (struct value){VALUE_NONE, {.number = 0}};
	more = (double)p->after->prio->result.priority -
	       p->before->prio->result.priority;
	return text(arena_printf(c->arena, "%+.0f", more));
}

static const struct table_column heads[] = {{"JobID", 10}, {"Partition", -12},
	{"User", -12}, {"Account", -14}, {"Priority", 10}, {"IfSo", 10},
	{"Difference", 10}, {"Place", 6}, {"IfSo", 6}};
static const struct table_column plain_heads[] = {{"JobID", 0},
	{"Partition", 0}, {"User", 0}, {"Account", 0}, {"Priority", 0},
	{"PriorityIfSo", 0}, {"PriorityDifference", 0}, {"Place", 0},
	{"PlaceIfSo", 0}};

enum { COLUMNS = sizeof(heads) / sizeof(*heads) };

static void print_pair(const struct comparison *c, const struct pair *p)
{
	const struct row *row = p->after ? p->after : p->before;
	const struct job *job = row->prio->job;
	const struct value values[COLUMNS] = {
		count(true, job->id),
		text(row->prio->partition),
		text(job->user),
		text(job->account),
		count(p->before,
			p->before ? p->before->prio->result.priority : 0),
		count(p->after, p->after ? p->after->prio->result.priority : 0),
		difference(c, p),
		count(p->before, p->before ? p->before->order : 0),
		count(p->after, p->after ? p->after->order : 0),
	};

	table_row(&c->table, values);
}

static void put_side(
	struct json_object *record, const char *side, const struct row *row)
{
	char path[64];

	if (!row)
		return;
	snprintf(path, sizeof(path), "%s/priority", side);
	json_put_int(record, path, row->prio->result.priority);
	snprintf(path, sizeof(path), "%s/place", side);
	json_put_int(record, path, (int64_t)row->order);
}

static void write_pair(struct comparison *c, const struct pair *p)
{
	const struct row *row = p->after ? p->after : p->before;
	const struct job *job = row->prio->job;
	struct json_object *record = json_record();

	json_put_int(record, "job_id", job->id);
	json_put_text(record, "partition", row->prio->partition);
	json_put_text(record, "user", job->user);
	json_put_text(record, "account", job->account);
	json_put_text(record, "qos", row->prio->qos);
	put_side(record, "before", p->before);
	put_side(record, "after", p->after);
	if (p->before && p->after) {
		json_put_int(record, "difference/priority",
			(int64_t)p->after->prio->result.priority -
				p->before->prio->result.priority);
		json_put_int(record, "difference/place",
			(int64_t)p->after->order - (int64_t)p->before->order);
	}
	json_write(&c->doc, record);
}

static void tell_pair(
	struct comparison *c, const struct privacy *privacy, struct pair pair)
{
	const struct row *row = pair.after ? pair.after : pair.before;

	if (!sprio_may_see(privacy, row->prio->job) ||
		!sprio_wanted(c->options, row))
		return;
	if (c->options->form)
		write_pair(c, &pair);
	else
		print_pair(c, &pair);
}

static void tell_all(struct comparison *c, const struct privacy *privacy)
{
	size_t i = 0, j = 0;

	while (i < c->before.n || j < c->after.n) {
		struct pair pair = {0};
		int order = i == c->before.n ? 1
			    : j == c->after.n
				    ? -1
				    : compare_identity(
					      &c->before.v[i], &c->after.v[j]);

		if (order <= 0)
			pair.before = &c->before.v[i++];
		if (order >= 0)
			pair.after = &c->after.v[j++];
		tell_pair(c, privacy, pair);
	}
}

/* ---- all -----------------------------------------------------------------*/

static void tell(struct comparison *c, const struct privacy *privacy)
{
	if (c->options->form)
		json_begin(&c->doc, stdout, c->options->form, "what_if");
	else
		table_heading(&c->table);
	tell_all(c, privacy);
	if (c->options->form) {
		struct err err;

		if (json_end(&c->doc, NULL, &c->meta, &err))
			cli_die(&err);
	}
}

int sprio_whatif(const struct options *options, struct site *site,
	const struct site *now, const struct privacy *privacy,
	const char *cluster, const struct json_meta *meta)
{
	struct site before = *now;
	struct arena *arena = &site->arena;
	struct err *err = site->store.err;
	struct whatif what;
	struct comparison c = {
		.options = options, .arena = arena, .meta = *meta};

	c.table = (struct table){.out = stdout,
		.mode = options->csv ? TABLE_CSV : TABLE_FIXED,
		.heading = options->heading,
		.style = site_style(site),
		.scratch = arena,
		.columns = arena_array(arena, COLUMNS, sizeof(*heads)),
		.n = COLUMNS};
	memcpy(c.table.columns, options->csv ? plain_heads : heads,
		sizeof(heads));
	if (whatif_open(&what, site, &options->what_if, now->now, false, err))
		cli_die(err);
	load(&c, &c.before, &before, cluster);
	load(&c, &c.after, &what.site, cluster);
	tell(&c, privacy);
	whatif_close(&what);
	return 0;
}
