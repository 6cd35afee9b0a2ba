/*
 * Listings of members; see grid.h.
 */
#include "common/table/grid.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/words.h"
#include "common/table/flat.h"
#include "common/table/json.h"

enum { MAX_WIDTH = 100000 }; /* that a user may ask for */

void grid_init(
	struct grid *grid, const struct members *members, struct arena *arena)
{
	*grid = (struct grid){
		.members = members,
		.arena = arena,
		.table = {.out = stdout, .delimiter = "|", .heading = true},
	};
}

void grid_nearest(
	const struct members *members, const char *word, struct nearest *nearest)
{
	nearest_init(nearest, word, strcspn(word, "%"));
	for (size_t i = 0; i < members->n; i++)
		if (members->v[i].names)
			nearest_names(nearest, members->v[i].names);
}

void grid_restart(struct grid *grid, const struct members *members)
{
	grid->members = members;
	grid->columns = NULL;
	grid->table.columns = NULL;
	grid->table.n = grid->cap_columns = grid->cap_heads = 0;
}

const struct member *grid_find(
	const struct members *members, const char *word, size_t len)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++)
		if (m->names && (!len || words_match(m->names, word, len)))
			return m;
	return NULL;
}

void grid_add_as(struct grid *grid, const struct member *m,
	const struct table_column *head)
{
	size_t n = grid->table.n;

	*ARENA_PUSH(grid->arena, grid->columns, n, grid->cap_columns) = m;
	*ARENA_PUSH(grid->arena, grid->table.columns, grid->table.n,
		grid->cap_heads) = *head;
}

void grid_add(struct grid *grid, const struct member *m)
{
	grid_add_as(grid, m, &(struct table_column){m->heading, m->width, m->fit, false});
}

static bool is_listed(const struct member *m)
{
	return m->names && !(m->marks & MEMBER_HIDDEN);
}

void grid_add_all(struct grid *grid)
{
	const struct members *all = grid->members;

	for (const struct member *m = all->v; m < all->v + all->n; m++)
		if (is_listed(m))
			grid_add(grid, m);
}

static bool is_width(long width)
{
	return width && width >= -MAX_WIDTH && width <= MAX_WIDTH;
}

static long typed_width(const char *text)
{
	size_t len = strcspn(text, "%");

	return text[len] ? strtol(text + len + 1, NULL, 10) : 0;
}

int grid_width(const char *text, int usual)
{
	long width = typed_width(text);

	return is_width(width) ? (int)width : usual;
}

void grid_put(struct grid *grid, const struct member *m, long width)
{
	bool typed = is_width(width);
	struct table_column head = {
		m->heading, typed ? (int)width : m->width, m->fit, false};

	for (size_t i = 0; i < grid->table.n; i++) {
		if (grid->columns[i] != m)
			continue;
		if (typed)
			grid->table.columns[i].width = head.width;
		else
			head.width = grid->table.columns[i].width;
	}
	grid_add_as(grid, m, &head);
}

void grid_hide(struct grid *grid, const struct member *m)
{
	for (size_t i = 0; i < grid->table.n; i++)
		if (grid->columns[i] == m)
			grid->table.columns[i].width = 0;
}

int grid_choose(struct grid *grid, const char *text)
{
	size_t len = strcspn(text, "%");
	const struct member *m = grid_find(grid->members, text, len);

	if (!m)
		return -1;
	grid_put(grid, m, typed_width(text));
	return 0;
}

/* The head of a column that has another than its member's stays. */
static const char *head_of(const struct grid *grid, size_t i)
{
	const struct member *m = grid->columns[i];
	const char *heading = grid->table.columns[i].heading;

	return heading == m->heading ? member_key(m, grid->arena) : heading;
}

void grid_heading(const struct grid *grid)
{
	struct table table = grid->table;

	if (table.mode == TABLE_CSV) {
		table.columns = arena_array(
			grid->arena, table.n, sizeof(*table.columns));
		for (size_t i = 0; i < table.n; i++)
			table.columns[i].heading = head_of(grid, i);
	}
	table_heading(&table);
}

void grid_row(const struct grid *grid, const void *row)
{
	const struct table *table = &grid->table;
	struct value *values =
		arena_array(table->scratch, table->n, sizeof(*values));

	for (size_t i = 0; i < table->n; i++)
		values[i] = member_value(
			grid->columns[i], row, table->scratch);
	table_row(table, values);
}

void grid_record(const struct grid *grid, const void *row,
	const struct tres_catalog *catalog, struct json_object *record)
{
	for (size_t i = 0; i < grid->table.n; i++)
		json_put_flat(record, grid->columns[i], row,
			grid->table.scratch, catalog);
}

/* ---- order and names -----------------------------------------------------*/

struct members members_ordered(
	const struct members *members, const char *names, struct arena *arena)
{
	struct member *v = arena_array(arena, members->n, sizeof(*v));
	bool *taken = arena_array(arena, members->n, sizeof(*taken));
	size_t n = 0;

	for (size_t len; *names; names += len + (names[len] == ' ')) {
		const struct member *m = members_by_name(members, names);

		len = strcspn(names, " ");
		if (!m)
			BUG("no member is called %.*s", (int)len, names);
		taken[m - members->v] = true;
		v[n++] = *m;
	}
	for (size_t i = 0; i < members->n; i++)
		if (!taken[i])
			v[n++] = members->v[i];
	return (struct members){v, n};
}

static const char *name_of(const struct member *m, char *buf, size_t size)
{
	return words_first(m->names, buf, size);
}

void grid_print_names(FILE *out, const struct members *members,
	size_t per_line, int width)
{
	char name[64];
	size_t n = 0;

	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		if (!is_listed(m))
			continue;
		if (n)
			fputc(n % per_line ? ' ' : '\n', out);
		fprintf(out, "%-*s", width, name_of(m, name, sizeof(name)));
		n++;
	}
	fputc('\n', out);
}

void grid_print_help(FILE *out, const struct members *members, int width)
{
	char name[64];

	for (const struct member *m = members->v; m < members->v + members->n;
		m++)
		if (is_listed(m))
			fprintf(out, "%-*s %s\n", width,
				name_of(m, name, sizeof(name)), m->help);
}
