/*
 * Listings: which columns, in which width, filled from the records (Slurm's
 * src/sacctmgr/common.c, sacctmgr_process_format_list()); the same rows as
 * records of a document, or as one JSON object a line.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/sacctmgr/settings.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/table/flat.h"

/* The columns are those of a grid whose rows are the parts of a record: each
 * is filled from the first of the parts that has it. */
struct listing_row {
	const struct listing *listing;
	const void *const *records;
};

/* The member that fills column `arg`, and its part; NULL: none does. */
static const struct member *filled_by(
	const struct member *m, const struct listing_row *row, const void **part)
{
	const struct listing *l = row->listing;

	for (size_t p = 0; p < l->parts; p++) {
		const struct member *of_part = l->resolved[p * l->n + m->arg];

		*part = row->records[p];
		if (of_part && *part)
			return of_part;
	}
	return NULL;
}

static struct value get_from_parts(
	const struct member *m, const void *record, struct arena *arena)
{
	const void *part;
	const struct member *of_part = filled_by(m, record, &part);

	return of_part ? member_value(of_part, part, arena) : no_value();
}

static struct value plain_from_parts(
	const struct member *m, const void *record, struct arena *arena)
{
	const void *part;
	const struct member *of_part = filled_by(m, record, &part);

	if (of_part && of_part->plain)
		return of_part->plain(of_part, part, arena);
	return get_from_parts(m, record, arena);
}

/* Where the entity's own columns are not. */
static void tell_columns(const struct members *fields)
{
	char name[64];

	fprintf(stderr, "%s: with WithEffective, WithBlame or WithLeases there are",
		cli_name());
	for (size_t i = 0; i < fields->n; i++)
		fprintf(stderr, "%s %s", i ? "," : "",
			words_first(fields->v[i].names, name, sizeof(name)));
	fputc('\n', stderr);
}

static _Noreturn void unknown_field(
	const struct members *fields, const char *text)
{
	fflush(stdout);
	fprintf(stderr, "Unknown field '%.*s'\n", (int)strcspn(text, "%"),
		text);
	cli_did_you_mean_member(fields, text);
	if (fields == &setting_columns)
		tell_columns(fields);
	exit(1);
}

/* The shared names first, then those that only the parts have. */
static const struct member *choose_one(
	const struct listing *l, const char *text)
{
	int width;
	const struct member *field = field_choose(l->fields, text, &width);
	struct member *column = arena_alloc(l->grid.arena, sizeof(*column));

	for (size_t p = 0; !field && p < l->parts; p++)
		field = field_choose(l->columns[p], text, &width);
	if (!field)
		unknown_field(l->fields, text);
	*column = (struct member){
		.names = field->names,
		.heading = field->heading,
		.width = width,
		.fit = field->fit,
		.json = field->json,
		.key = flat_key(field_member(field, l->grid.arena),
			l->grid.arena),
		.get = get_from_parts,
		.plain = plain_from_parts,
		.arg = (uint32_t)l->grid.table.n,
	};
	return column;
}

/* For every part and column, the member that fills it, or NULL. */
static void resolve(struct listing *l)
{
	l->n = l->grid.table.n;
	l->resolved = arena_array(
		l->grid.arena, l->parts * l->n, sizeof(*l->resolved));
	for (size_t p = 0; p < l->parts; p++)
		for (size_t i = 0; i < l->n; i++)
			l->resolved[p * l->n + i] = field_of(
				l->columns[p], l->grid.columns[i]);
}

static bool is_lines(const struct listing *l)
{
	return program(l->session)->showing && options(l->session)->form == JSON_LINES;
}

/* ---- documents -----------------------------------------------------------*/

static bool is_document(const struct listing *l)
{
	return program(l->session)->showing && document_wanted(l->session);
}

/* Does a part before this one fill the field too? */
static bool is_taken(const struct listing *l, const void *const *records,
	size_t p, const struct member *field)
{
	for (size_t i = 0; i < p; i++)
		if (records[i] && field_of(l->columns[i], field))
			return true;
	return false;
}

/* Where a member stands: at its path, or by the name of its field. The paths
 * of a later part are those of another entity's record. */
static const char *path_of(struct listing *l, const void *const *records,
	size_t p, const struct member *m)
{
	if (!p && m->json)
		return m->json;
	if (!m->names || is_taken(l, records, p, m))
		return NULL;
	return field_member(m, &l->scratch);
}

static void put_part(struct listing *l, struct json_object *record,
	const void *const *records, size_t p)
{
	const struct members *members = l->columns[p];

	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];
		const char *path = path_of(l, records, p, m);
		struct value value;

		if (!path)
			continue;
		value = member_value(m, records[p], &l->scratch);
		json_put(record, path, &value, &l->session->store->tres);
	}
}

/* Slurm has no layout for these: every column of every part. */
static struct json_object *record_of(
	struct listing *l, const void *const *records)
{
	struct json_object *record = json_record();

	for (size_t p = 0; p < l->parts; p++)
		if (records[p])
			put_part(l, record, records, p);
	return record;
}

static void write_record(struct listing *l, const void *const *records)
{
	struct record_part parts[ENTITY_COLUMNS];

	if (!program(l->session)->showing->document) {
		document_write(&l->document, record_of(l, records));
		return;
	}
	for (size_t p = 0; p < l->parts; p++)
		parts[p] = (struct record_part){l->columns[p], records[p]};
	document_row(&l->document, parts, l->parts);
}

/* ---- all -----------------------------------------------------------------*/

static void begin(struct listing *l)
{
	struct session *s = l->session;

	if (is_document(l))
		document_open(&l->document, s, document_key(s, program(s)->showing));
	else if (is_lines(l))
		json_begin(&l->document.doc, output(s), JSON_LINES, "");
	else {
		/* Not where a question follows. */
		if (program(s)->showing && !program(s)->interactive &&
			program(s)->showing != &runaway_entity)
			cli_pager();
		grid_heading(&l->grid);
	}
}

void listing_init(struct listing *l, struct session *s,
	const struct members *members)
{
	*l = (struct listing){.session = s,
		.fields = &sacctmgr_fields,
		.columns = {members},
		.parts = 1};
}

void listing_open(struct listing *l, const char *default_format)
{
	const struct strv *format = l->format;
	struct session *s = l->session;
	struct strv defaults = {0};

	l->open = true;
	arena_init(&l->scratch);
	grid_init(&l->grid, l->fields, &s->arena);
	l->grid.table = (struct table){
		.out = output(s),
		.mode = options(s)->mode,
		.heading = options(s)->heading,
		.delimiter = "|",
		.style = site_style(&s->site),
		.scratch = &l->scratch,
	};
	if (!format || !format->n) {
		strv_split(&defaults, &s->arena, default_format);
		format = &defaults;
	}
	for (size_t i = 0; i < format->n; i++)
		grid_add(&l->grid, choose_one(l, format->v[i]));
	resolve(l);
	if (format == &defaults && output(s) == stdout)
		cli_fit(&l->grid.table);
	begin(l);
}

void listing_row_of(struct listing *l, const void *const *records)
{
	const struct listing_row row = {l, records};
	struct json_object *line;

	arena_reset(&l->scratch);
	if (is_document(l)) {
		write_record(l, records);
		return;
	}
	if (!is_lines(l)) {
		grid_row(&l->grid, &row);
		return;
	}
	line = json_record();
	grid_record(&l->grid, &row, &l->session->store->tres, line);
	json_write(&l->document.doc, line);
}

void listing_drop_foreign(struct listing *l)
{
	struct grid *grid = &l->grid;
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!l->resolved[i])
			continue;
		grid->columns[kept] = grid->columns[i];
		grid->table.columns[kept++] = grid->table.columns[i];
	}
	grid->table.n = kept;
}

void listing_close(struct listing *l)
{
	if (is_document(l))
		document_close(&l->document);
	arena_release(&l->scratch);
}

const struct vocabulary *entity_words(
	const struct entity *entity, enum verb verb)
{
	return entity->changes ? change_vocabulary(entity->changes, verb)
			       : entity->vocabulary;
}

int entity_list(
	struct session *s, const struct entity *entity, struct request *r)
{
	struct listing l;
	int rc;

	listing_init(&l, s, entity->columns[0]);
	/* Settings have listings of their own. */
	for (; l.parts < ENTITY_COLUMNS && entity->columns[l.parts] &&
		entity->columns[l.parts] != &setting_columns;
		l.parts++)
		l.columns[l.parts] = entity->columns[l.parts];
	if (entity->fields)
		l.fields = entity->fields;
	l.format = &r->where.format;
	rc = entity->rows(s, r, &l);
	if (l.open)
		listing_close(&l);
	return rc;
}

int entity_show(struct session *s, const struct entity *entity, char **words,
	int n)
{
	struct request r;

	if (entity->show)
		return entity->show(s, words, n);
	parse_words(s, entity_words(entity, VERB_SHOW), PARSE_WHERE, false,
		words, n, &r);
	return r.failed ? -1 : entity_list(s, entity, &r);
}

/* ---- what could be chosen ------------------------------------------------*/

static bool fills(const struct entity *entity, const struct member *field)
{
	for (size_t i = 0; i < ENTITY_COLUMNS && entity->columns[i]; i++)
		if (field_of(entity->columns[i], field))
			return true;
	return !entity->columns[0];
}

void entity_fields(const struct entity *entity,
	void (*each)(const struct member *field, void *arg), void *arg)
{
	const struct members *fields =
		entity->fields ? entity->fields : &sacctmgr_fields;

	for (size_t i = 0; i < fields->n; i++)
		if (fields->v[i].names && fills(entity, &fields->v[i]))
			each(&fields->v[i], arg);
	if (entity->fields)
		return;
	for (size_t p = 0; p < ENTITY_COLUMNS && entity->columns[p]; p++)
		for (size_t i = 0; i < entity->columns[p]->n; i++) {
			const struct member *m = &entity->columns[p]->v[i];

			if (m->names && !field_of(&sacctmgr_fields, m))
				each(m, arg);
		}
}
