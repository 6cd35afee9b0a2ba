/*
 * A listing before and after a change; see pairs.h.
 */
#include "common/table/pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/table/flat.h"
#include "common/text/timespec.h"

/* ---- rows ----------------------------------------------------------------*/

static int by_identity(const void *a, const void *b, void *identity)
{
	return (*(pair_identity *)identity)(
		*(const void *const *)a, *(const void *const *)b);
}

static const void **sorted(
	const struct side *side, pair_identity identity, struct arena *arena)
{
	const void **v = arena_array(arena, side->n, sizeof(*v));

	for (size_t i = 0; i < side->n; i++)
		v[i] = (const char *)side->v + i * side->size;
	if (side->n)
		qsort_r(v, side->n, sizeof(*v), by_identity, &identity);
	return v;
}

void pairs_match(struct pairs *pairs, const struct side *before,
	const struct side *after, pair_identity identity,
	struct arena *arena)
{
	const void **a = sorted(before, identity, arena);
	const void **b = sorted(after, identity, arena);
	size_t i = 0, j = 0;

	pairs->n = 0;
	pairs->v = arena_array(arena, before->n + after->n, sizeof(*pairs->v));
	while (i < before->n || j < after->n) {
		int order = i == before->n  ? 1
			    : j == after->n ? -1
					    : identity(a[i], b[j]);

		pairs->v[pairs->n++] = (struct pair){
			order <= 0 ? a[i++] : NULL, order >= 0 ? b[j++] : NULL};
	}
}

static size_t index_of(const struct side *side, const void *row)
{
	return (size_t)((const char *)row - (const char *)side->v) / side->size;
}

void pairs_in_order(struct pairs *pairs, const struct side *before,
	const struct side *after, struct arena *arena)
{
	struct pair *v = arena_array(arena, pairs->n, sizeof(*v));
	const struct pair **old = arena_array(arena, before->n, sizeof(*old));
	const struct pair **new = arena_array(arena, after->n, sizeof(*new));
	size_t n = 0, j = 0;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *pair = &pairs->v[i];

		if (pair->before)
			old[index_of(before, pair->before)] = pair;
		if (pair->after)
			new[index_of(after, pair->after)] = pair;
	}
	for (size_t i = 0; i <= after->n; i++) {
		for (; j < before->n && !old[j]->after; j++)
			v[n++] = *old[j];
		if (i == after->n)
			break;
		v[n++] = *new[i];
		j += j < before->n && new[i]->before;
	}
	pairs->v = v;
}

/* ---- columns -------------------------------------------------------------*/

const char *const part_names[] = {"before", "after", "difference"};

int pair_parts(const struct member *m)
{
	if (!m || !(m->marks & MEMBER_MOVES))
		return 1;
	return m->marks & MEMBER_SUBTRACTED ? 3 : 2;
}

const void *pair_side(
	const struct pair *pair, const struct member *m, enum pair_part part)
{
	if (pair_parts(m) == 1)
		return pair_row(pair);
	return part == PART_BEFORE  ? pair->before
	       : part == PART_AFTER ? pair->after
				    : NULL;
}

/* Blanks, NO_VAL and unknown times have no difference. */
static bool is_number(const struct value *value)
{
	if (value->type == VALUE_REAL)
		return isfinite(value->real) && value->real < NO_VAL;
	return value->type == VALUE_UINT ||
	       (value->type == VALUE_TIME && value->number);
}

static double number_of(const struct value *value)
{
	return value->type == VALUE_REAL ? value->real : (double)value->number;
}

static struct value subtract(const struct pair *pair, const struct member *m,
	struct arena *arena)
{
	struct value a, b;
	double more;

	if (!pair->before || !pair->after)
		return no_value();
	a = member_plain(m, pair->before, arena);
	b = member_plain(m, pair->after, arena);
	if (!is_number(&a) || !is_number(&b))
		return no_value();
	more = number_of(&b) - number_of(&a);
	return a.type == VALUE_REAL ? of_real(more) : of_int((int64_t)more);
}

struct value pair_value(const struct pair *pair, const struct member *m,
	enum pair_part part, struct arena *arena)
{
	const void *row = pair_side(pair, m, part);

	if (part == PART_DIFFERENCE)
		return subtract(pair, m, arena);
	return row ? member_value(m, row, arena) : no_value();
}

const char *pair_difference(const struct pair *pair, const struct member *m,
	bool quiet, struct arena *arena)
{
	struct value value = subtract(pair, m, arena);
	int64_t more = (int64_t)value.number;

	if (value.type == VALUE_NONE)
		return "";
	if (value.type == VALUE_REAL)
		return quiet && fabs(value.real) < 5e-7
			       ? ""
			       : arena_printf(arena, "%+.6f",
					 no_minus_zero(value.real, 6));
	if (quiet && !more)
		return "";
	if (member_plain(m, pair->after, arena).type != VALUE_TIME)
		return arena_printf(arena, "%+" PRId64, more);
	return arena_printf(arena, "%c%s", more < 0 ? '-' : '+',
		duration_format(arena, (uint64_t)llabs(more)));
}

/* ---- tables --------------------------------------------------------------*/

static void add_part(struct pairs_grid *c, const struct member *m,
	const struct table_column *head, enum pair_part part)
{
	static const char *const heads[] = {NULL, "IfSo", "Difference"};
	struct table_column column = *head;

	if (part && c->grid.table.mode == TABLE_FIXED)
		column.heading = heads[part];
	else if (part)
		column.heading = arena_printf(
			c->grid.arena, "%s%s", head->heading, heads[part]);
	if (part && column.width < 10 && pair_parts(m) > PART_DIFFERENCE)
		column.width = 10;
	c->parts[c->grid.table.n] = part;
	grid_add_as(&c->grid, m, &column);
}

void pairs_grid_open(struct pairs_grid *c, const struct grid *own)
{
	*c = (struct pairs_grid){.grid = *own};
	grid_restart(&c->grid, own->members);
	c->parts = arena_array(own->arena, own->table.n * 3, sizeof(*c->parts));
	for (size_t i = 0; i < own->table.n; i++) {
		const struct member *m = own->columns[i];

		for (int part = 0; part < pair_parts(m); part++)
			add_part(c, m, &own->table.columns[i],
				(enum pair_part)part);
	}
}

void pairs_print(const struct pairs_grid *c, const struct pair *pair)
{
	const struct table *table = &c->grid.table;
	struct value *values =
		arena_array(table->scratch, table->n, sizeof(*values));

	for (size_t i = 0; i < table->n; i++) {
		const struct member *m = c->grid.columns[i];

		if (c->parts[i] == PART_DIFFERENCE)
			values[i] = of_text(pair_difference(
				pair, m, c->quiet, table->scratch));
		else
			values[i] = pair_value(
				pair, m, c->parts[i], table->scratch);
	}
	table_row(table, values);
}
