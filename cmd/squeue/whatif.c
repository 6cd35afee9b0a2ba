/*
 * squeue --what-if: every line before and after hypothetical changes
 * (db/whatif/whatif.h), and the difference. The columns are those asked for;
 * one that such a change may move appears three times, or twice if it is not a
 * number.
 */
#include "cmd/squeue/squeue.h"

#include <string.h>

#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "db/viewer/viewer.h"
#include "db/whatif/whatif.h"

struct queue_comparison {
	struct session *s;
	struct whatif what;
	struct format wide; /* its rows are pairs */
	struct printout out;
};

/* ---- values --------------------------------------------------------------*/

/* For a job that a scheduling pass starts: now. 0: unknown. */
static int64_t expected_start(const struct queue_row *row)
{
	return queue_starts_now(row) ? row->queue->site->now : queue_start(row);
}

#define GET(name, expression) GETTER(name, struct queue_row, expression)
GET(start, queue_starts_now(row) ? of_text("now") : of_time(queue_start(row)))
GET(expected, of_time(expected_start(row)))
GET(priority, of_uint(row->priority))

/* ---- columns -------------------------------------------------------------*/

static const char *text_of(const struct piece *piece, const void *of, bool csv,
	struct arena *arena)
{
	const struct pair *pair = of;
	const void *row = pair_side(
		pair, piece->type, (enum pair_part)piece->part);

	if (piece->part == PART_DIFFERENCE)
		return pair_difference(pair, piece->type, !csv, arena);
	return row ? cell_text(piece->type, row, arena) : "";
}

/* The column as that part of it is headed and shown. */
static const struct member *part_of(
	const struct member *own, enum pair_part part, struct arena *arena)
{
	static const char *const heads[] = {NULL, "IF_SO", "DIFFERENCE"};
	static const char *const keys[] = {"", "_if_so", "_difference"};
	struct member *type = arena_alloc(arena, sizeof(*type));

	*type = *own;
	if (!strcmp(own->names, "StartTime")) {
		type->get = get_start;
		type->plain = get_expected;
	}
	if (part)
		type->heading = heads[part];
	type->key = arena_printf(
		arena, "%s%s", member_key(own, arena), keys[part]);
	return type;
}

static void add_piece(struct queue_comparison *c, const struct piece *piece,
	enum pair_part part)
{
	enum { IF_SO_WIDTH = 5, DIFFERENCE_WIDTH = 11 };
	struct arena *arena = &c->s->site.arena;
	struct piece wide = *piece;

	if (piece->type)
		wide.type = part_of(piece->type, part, arena);
	wide.part = (int)part;
	if (part == PART_AFTER && wide.width > 0 && wide.width < IF_SO_WIDTH)
		wide.width = IF_SO_WIDTH;
	if (part == PART_DIFFERENCE && wide.width > 0)
		wide.width = DIFFERENCE_WIDTH;
	*ARENA_PUSH(arena, c->wide.v, c->wide.n, c->wide.cap) = wide;
}

/* The separator between the parts of one column is the one between columns. */
static const char *between(const struct format *format, size_t i)
{
	for (size_t j = i + 1; j-- > 0;)
		if (format->v[j].suffix && *format->v[j].suffix)
			return format->v[j].suffix;
	return " ";
}

static void widen(struct queue_comparison *c)
{
	const struct format *own = &c->s->format;

	c->wide = (struct format){.types = own->types, .prefix = own->prefix};
	c->wide.types.cell = text_of;
	for (size_t i = 0; i < own->n; i++) {
		struct piece piece = own->v[i];
		int parts = pair_parts(piece.type);

		for (int part = 0; part < parts; part++) {
			piece.suffix = part + 1 < parts ? between(own, i)
							: own->v[i].suffix;
			add_piece(c, &piece, (enum pair_part)part);
		}
	}
}

/* ---- documents -----------------------------------------------------------*/

static struct json_object *side_record(
	const struct queue_row *row, struct arena *arena)
{
	struct value now;
	struct json_object *record;

	if (!row)
		return NULL;
	now = of_bool(queue_starts_now(row));
	record = json_record();
	queue_put_moving(record, row, arena);
	json_put(record, "starts_now", &now, NULL);
	return record;
}

static struct json_object *record_of(const void *of, struct arena *arena)
{
	static const struct member subtracted[] = {
		{.json = "difference/priority", .get = get_priority},
		{.json = "difference/start_time", .get = get_expected},
	};
	const struct pair *pair = of;
	struct json_object *record = json_record();

	queue_put_identity(record, pair_row(pair), arena);
	json_put_object(record, "before", side_record(pair->before, arena));
	json_put_object(record, "after", side_record(pair->after, arena));
	for (size_t i = 0; i < sizeof(subtracted) / sizeof(*subtracted); i++) {
		struct value value = pair_value(
			pair, &subtracted[i], PART_DIFFERENCE, arena);

		json_put(record, subtracted[i].json, &value, NULL);
	}
	return record;
}

/* ---- both sides, side by side --------------------------------------------*/

static int identity(const void *a, const void *b)
{
	const struct queue_row *x = a, *y = b;

	if (x->job->id != y->job->id)
		return x->job->id < y->job->id ? -1 : 1;
	if (x->job->submit != y->job->submit)
		return x->job->submit < y->job->submit ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return strcmp(x->partition, y->partition);
}

/* In the order of the lines as they would be. */
static void tell_pairs(struct queue_comparison *c, const struct pairs *pairs)
{
	struct rows shown = {.n = pairs->n};

	shown.v = arena_array(&c->s->site.arena, shown.n, sizeof(*shown.v));
	for (size_t i = 0; i < shown.n; i++) {
		shown.v[i] = *(const struct queue_row *)pair_row(&pairs->v[i]);
		shown.v[i].order = i;
	}
	sort_rows(&shown, c->s->options.sort);
	for (size_t i = 0; i < shown.n; i++) {
		arena_reset(&c->s->scratch);
		printout_row(&c->out, &pairs->v[shown.v[i].order]);
	}
}

static bool load(struct queue_comparison *c, struct side *side,
	struct site *site, const char *cluster)
{
	struct session *s = c->s;
	struct queue *queue = arena_alloc(&s->site.arena, sizeof(*queue));
	struct rows rows = {0};
	int found = squeue_load(&rows, queue, &s->options, site, &s->privacy,
		cluster, &s->site.arena);

	if (found < 0)
		cli_die(site->store.err);
	*side = (struct side){rows.v, rows.n, sizeof(*rows.v)};
	return found;
}

static void compare_cluster(struct queue_comparison *c, const char *cluster)
{
	struct side before, after;
	struct pairs pairs;
	bool known = load(c, &before, &c->s->site, cluster);

	if (!load(c, &after, &c->what.site, cluster) && !known) {
		session_no_job(c->s);
		return;
	}
	pairs_match(&pairs, &before, &after, identity, &c->s->site.arena);
	tell_pairs(c, &pairs);
}

/* ---- all -----------------------------------------------------------------*/

void squeue_whatif(struct session *s)
{
	struct queue_comparison c = {.s = s};
	bool titles = session_titles(s);

	c.out = (struct printout){
		.format = &c.wide,
		.form = s->options.form,
		.list = "what_if",
		.record = record_of,
		.scratch = &s->scratch,
	};
	if (whatif_open(&c.what, &s->site, &s->options.what_if, s->site.now,
		    false, &s->err))
		cli_die(&s->err);
	if (!s->options.form)
		widen(&c);
	if (!s->options.form && !s->options.format_asked)
		format_narrow(&c.wide, &s->site.arena);
	for (size_t i = 0; i < s->clusters.n; i++) {
		if (titles && s->options.heading)
			viewer_title(&s->clusters, i);
		if (titles || !i)
			printout_begin(&c.out);
		compare_cluster(&c, s->clusters.v[i]);
	}
	printout_end(&c.out, NULL);
	whatif_close(&c.what);
}
