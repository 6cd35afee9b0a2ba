/*
 * The rows of roll-ups: hours, days and months of a cluster and of what its
 * associations used.
 */
#include "db/rollup/rollup_parts.h"

#include <stdlib.h>
#include <string.h>

/* Hours have the largest number: their rows are many, and go to the end of the
 * table. */
static int64_t stored(enum span span)
{
	return SPANS - 1 - (int64_t)span;
}

static char *put_number(char *at, uint64_t number)
{
	char text[24], *end = text + sizeof(text), *from = end;

	do
		*--from = (char)('0' + number % 10);
	while (number /= 10);
	memcpy(at, from, (size_t)(end - from));
	return at + (end - from);
}

/* Gives its length. */
static size_t pack(
	const struct rollup_rows *rows, const int64_t *secs, char *out)
{
	char *at = out;

	for (size_t i = 0; i < rows->n_tres; i++) {
		if (!secs[i])
			continue;
		if (at != out)
			*at++ = ',';
		at = put_number(at, rows->tres[i]);
		*at++ = '=';
		if (secs[i] < 0)
			*at++ = '-';
		at = put_number(at,
			secs[i] < 0 ? -(uint64_t)secs[i] : (uint64_t)secs[i]);
	}
	*at = '\0';
	return (size_t)(at - out);
}

static void unpack(
	const struct rollup_rows *rows, const char *text, int64_t *secs)
{
	size_t index = 0;

	while (*text) {
		char *end;
		uint32_t id = (uint32_t)strtoul(text, &end, 10);
		int64_t amount = strtoll(end + (*end == '='), &end, 10);

		while (index < rows->n_tres && rows->tres[index] != id)
			index++;
		if (index == rows->n_tres)
			return;
		secs[index] = usage_sum(secs[index], amount);
		text = *end == ',' ? end + 1 : "";
	}
}

/* What one row of many has of its own. */
struct packed_cell {
	int64_t assoc;
	uint32_t qos;
	const char *wckey, *tres;
};

#define AT(member) .offset = offsetof(struct packed_cell, member)
static const struct member cell_members[] = {
	{"assoc", MEMBER_INT, AT(assoc)},
	{"qos", MEMBER_COUNT, AT(qos)},
	{"wckey", MEMBER_TEXT, AT(wckey)},
	{"tres", MEMBER_TEXT, AT(tres)},
};
#undef AT

int rollup_rows_open(struct rollup_rows *rows)
{
	rows->table = (struct row_table){
		.members = MEMBERS(cell_members),
	};
	if (row_table_open(rows->store, "rollup_rows", &rows->table))
		return -1;
	return query_open_kept(&rows->insert, rows->store,
		"INSERT INTO rollup (cluster, span, start, assoc, qos, wckey,"
		" tres) SELECT ?1, ?2, ?3, assoc, qos, wckey, tres"
		" FROM rollup_rows");
}

/* In the order of the table: each row is appended. */
static int compare_cells(const void *a, const void *b)
{
	const struct packed_cell *x = *(void *const *)a, *y = *(void *const *)b;

	if (x->assoc != y->assoc)
		return x->assoc < y->assoc ? -1 : 1;
	if (x->qos != y->qos)
		return x->qos < y->qos ? -1 : 1;
	return strcmp(x->wckey, y->wckey);
}

int rollup_rows_insert(struct rollup_rows *rows, enum span span, int64_t start,
	const struct usage_cells *cells)
{
	struct arena *arena = &rows->scratch;
	char *text = arena_array(arena, rows->n_tres * 40 + 1, 1);
	struct packed_cell *packed =
		arena_array(arena, cells->n + 1, sizeof(*packed));
	void **list = arena_array(arena, cells->n + 1, sizeof(*list));

	for (size_t i = 0; i < cells->n; i++) {
		const struct usage_cell *cell = &cells->v[i];
		size_t len = pack(rows, cell->secs, text);

		packed[i] = (struct packed_cell){cell->assoc, cell->qos,
			cell->wckey, arena_strndup(arena, text, len)};
		list[i] = &packed[i];
	}
	qsort(list, cells->n, sizeof(*list), compare_cells);
	rows->table.rows = list;
	rows->table.n_rows = cells->n;
	query_put_int(&rows->insert, 1, rows->cluster);
	query_put_int(&rows->insert, 2, stored(span));
	query_put_int(&rows->insert, 3, start);
	return cells->n && query_run_kept(&rows->insert) < 0 ? -1 : 0;
}

/* Of what a cluster never had nothing is. */
static bool is_reported(const struct cluster_usage *usage)
{
	return usage->count || usage->alloc;
}

static int insert_cluster_row(struct rollup_rows *rows, enum span span,
	int64_t start, uint32_t tres, const struct cluster_usage *usage)
{
	return store_run(rows->store,
		"INSERT INTO rollup_cluster (cluster, span, start, tres,"
		" count, alloc, down, pdown, idle, plan, over) VALUES"
		" (:cluster, :span, :start, :tres, :count, :alloc, :down,"
		" :pdown, :idle, :plan, :over)",
		bind_int(":cluster", rows->cluster),
		bind_int(":span", stored(span)), bind_int(":start", start),
		bind_int(":tres", tres), bind_int(":count", usage->count),
		bind_int(":alloc", usage->alloc),
		bind_int(":down", usage->down),
		bind_int(":pdown", usage->pdown),
		bind_int(":idle", usage->idle), bind_int(":plan", usage->plan),
		bind_int(":over", usage->over));
}

int rollup_rows_insert_cluster(struct rollup_rows *rows, enum span span,
	int64_t start, const struct cluster_usage *usage)
{
	for (size_t i = 0; i < rows->n_tres; i++)
		if (is_reported(&usage[i]) &&
			insert_cluster_row(
				rows, span, start, rows->tres[i], &usage[i]))
			return -1;
	return 0;
}

#define IN_STRETCH                                                             \
	" WHERE cluster = :cluster AND span = :span"                           \
	" AND start >= :from AND start < :until"

/* A statement about the rows of a span that begin in [from, until). */
static int open_stretch(struct query *q, struct rollup_rows *rows,
	const char *sql, enum span span, int64_t from, int64_t until)
{
	if (query_open(q, rows->store, sql))
		return -1;
	query_bind_int(q, ":cluster", rows->cluster);
	query_bind_int(q, ":span", stored(span));
	query_bind_int(q, ":from", from);
	query_bind_int(q, ":until", until);
	return 0;
}

int rollup_rows_delete(
	struct rollup_rows *rows, enum span span, int64_t from, int64_t until)
{
	static const char *const statements[] = {
		"DELETE FROM rollup" IN_STRETCH,
		"DELETE FROM rollup_cluster" IN_STRETCH};

	for (size_t i = 0; i < 2; i++) {
		struct query q;

		if (open_stretch(&q, rows, statements[i], span, from, until) ||
			query_run(&q))
			return -1;
	}
	return 0;
}

/* Adds up rows of a span that begin in [from, until). */
int rollup_rows_read(struct rollup_rows *rows, enum span span, int64_t from,
	int64_t until, struct usage_cells *cells)
{
	struct query q;

	if (open_stretch(&q, rows,
		    "SELECT assoc, qos, wckey, tres FROM rollup" IN_STRETCH,
		    span, from, until))
		return -1;
	while (query_row(&q)) {
		struct usage_cell *cell =
			usage_cells_at(cells, query_int(&q, 0),
				(uint32_t)query_int(&q, 1), query_text(&q, 2));

		unpack(rows, query_text(&q, 3), cell->secs);
	}
	return query_close(&q);
}

/* The same of the cluster; `each` gets the index of the TRES. */
int rollup_rows_read_cluster(struct rollup_rows *rows, enum span span,
	int64_t from, int64_t until,
	void (*each)(size_t index, const struct cluster_usage *, void *arg),
	void *arg)
{
	struct query q;

	if (open_stretch(&q, rows,
		    "SELECT tres, count, alloc, down, pdown, idle, plan, over"
		    " FROM rollup_cluster" IN_STRETCH,
		    span, from, until))
		return -1;
	while (query_row(&q)) {
		struct cluster_usage usage = (struct cluster_usage){
			.count = query_int(&q, 1),
			.alloc = query_int(&q, 2),
			.down = query_int(&q, 3),
			.pdown = query_int(&q, 4),
			.idle = query_int(&q, 5),
			.plan = query_int(&q, 6),
			.over = query_int(&q, 7),
		};
		uint32_t id = (uint32_t)query_int(&q, 0);

		for (size_t i = 0; i < rows->n_tres; i++)
			if (rows->tres[i] == id)
				each(i, &usage, arg);
	}
	return query_close(&q);
}

void rollup_hour_add(const struct rollup *r, const struct rollup_hour *hour,
	struct usage_cells *cells,
	void (*each)(size_t index, const struct cluster_usage *, void *arg),
	void *arg)
{
	for (size_t t = 0; t < r->n_tres; t++)
		if (is_reported(&hour->cluster[t]))
			each(t, &hour->cluster[t], arg);
	for (size_t i = 0; i < hour->cells.n; i++) {
		const struct usage_cell *from = &hour->cells.v[i];
		struct usage_cell *to = usage_cells_at(
			cells, from->assoc, from->qos, from->wckey);

		for (size_t t = 0; t < r->n_tres; t++)
			to->secs[t] = usage_sum(to->secs[t], from->secs[t]);
	}
}
