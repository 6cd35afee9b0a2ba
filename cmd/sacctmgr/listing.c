/*
 * Listings: which columns, in which width, filled from the records
 * (spec/sacctmgr.md 4).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <stdlib.h>
#include <string.h>

static const struct column *find_column(
	const struct column *columns, int field)
{
	for (; columns && columns->get; columns++)
		if ((int)columns->field == field)
			return columns;
	return NULL;
}

/* For every part and column, the table row that fills it, or NULL. */
static void resolve(struct listing *l, const struct part *parts)
{
	struct arena *arena = &l->session->arena;

	l->resolved = arena_array(
		arena, l->parts * l->n, sizeof(*l->resolved));
	for (size_t p = 0; p < l->parts; p++)
		for (size_t i = 0; i < l->n; i++)
			l->resolved[p * l->n + i] =
				find_column(parts[p].columns, l->fields[i]);
}

/* `format=` words may hold several fields; each name stands alone here. */
static void choose(struct listing *l, const struct field *fields, int n_fields,
	const struct strv *format)
{
	struct arena *arena = &l->session->arena;

	l->n = format->n;
	l->fields = arena_array(arena, l->n, sizeof(*l->fields));
	l->table.columns =
		arena_array(arena, l->n, sizeof(*l->table.columns));
	l->values = arena_array(arena, l->n, sizeof(*l->values));
	for (size_t i = 0; i < l->n; i++) {
		struct field_choice choice;

		if (field_choose(fields, n_fields, format->v[i], &choice)) {
			fflush(stdout);
			fprintf(stderr, "Unknown field '%.*s'\n",
				(int)strcspn(format->v[i], "%"), format->v[i]);
			exit(1);
		}
		l->fields[i] = choice.field;
		l->table.columns[i].heading = fields[choice.field].heading;
		l->table.columns[i].width = choice.width;
	}
	l->table.n = l->n;
}

void listing_open_fields(struct listing *l, struct session *s,
	const struct field *fields, int n_fields, const struct strv *format,
	const char *default_format, const struct part *parts, size_t n_parts)
{
	struct strv defaults = {0};

	*l = (struct listing){.session = s, .parts = n_parts};
	arena_init(&l->scratch);
	l->table = (struct table){
		.out = s->out,
		.mode = s->opt.mode,
		.heading = s->opt.heading,
		.delimiter = "|",
		.style = site_style(&s->site),
		.scratch = &l->scratch,
	};
	if (!format->n) {
		strv_split(&defaults, &s->arena, default_format);
		format = &defaults;
	}
	choose(l, fields, n_fields, format);
	resolve(l, parts);
	table_heading(&l->table);
}

void listing_open(struct listing *l, struct session *s,
	const struct strv *format, const char *default_format,
	const struct part *parts, size_t n_parts)
{
	listing_open_fields(l, s, sacctmgr_fields, FIELD_COUNT_ALL, format,
		default_format, parts, n_parts);
}

static void fill(struct listing *l, const struct part *parts, size_t i)
{
	l->values[i].type = VALUE_NONE;
	for (size_t p = 0; p < l->parts; p++) {
		const struct column *column = l->resolved[p * l->n + i];

		if (!column || !parts[p].row)
			continue;
		column->get(parts[p].row, column, &l->scratch, &l->values[i]);
		return;
	}
}

void listing_row(struct listing *l, const struct part *parts)
{
	arena_reset(&l->scratch);
	for (size_t i = 0; i < l->n; i++)
		fill(l, parts, i);
	table_row(&l->table, l->values);
}

void listing_close(struct listing *l)
{
	arena_release(&l->scratch);
}
