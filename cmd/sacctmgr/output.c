#include "cmd/sacctmgr/output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/bisect.h"
#include "common/base/words.h"

/* ---- documents -----------------------------------------------------------*/

bool document_wanted(const struct session *s)
{
	return options(s)->form != JSON_NONE && options(s)->form != JSON_LINES;
}

/* What Slurm has no key for is named after the entity. */
const char *document_key(struct session *s, const struct entity *entity)
{
	char name[64];
	const struct member field = {
		.heading = words_first(
			entity->names, name, sizeof(name))};
	const char *key;
	size_t len;

	if (entity->document)
		return entity->document;
	key = field_member(&field, &s->arena);
	len = strlen(key);
	return len && key[len - 1] == 's' ? key
					  : arena_printf(&s->arena, "%ss", key);
}

void document_open(struct document *d, struct session *s, const char *key)
{
	*d = (struct document){.session = s};
	arena_init(&d->scratch);
	json_begin(&d->doc, output(s), options(s)->form, key);
}

struct json_object *document_record(
	struct document *d, const struct record_part *parts, size_t n)
{
	struct json_object *record = json_record();

	for (size_t i = 0; i < n; i++)
		if (parts[i].row)
			json_put_members(record, parts[i].members, parts[i].row,
				&d->scratch, &d->session->store->tres);
	return record;
}

void document_row(struct document *d, const struct record_part *parts, size_t n)
{
	document_write(d, document_record(d, parts, n));
}

void document_write(struct document *d, struct json_object *record)
{
	json_write(&d->doc, record);
	arena_reset(&d->scratch);
}

void document_close(struct document *d)
{
	const struct session *s = d->session;
	const struct json_meta meta = {program(s)->argv, program(s)->argc,
		s->site.cluster, s->site.caller.name};

	if (json_end(&d->doc, NULL, &meta, &d->session->err))
		complain_err(d->session);
	arena_release(&d->scratch);
}

/* ---- coordinators --------------------------------------------------------*/

struct coordinator_row {
	const char *name;
	bool direct;
};

#define C(path, type_, member)                                                 \
	{                                                                      \
		.json = (path), .type = (type_),                               \
		.offset = offsetof(struct coordinator_row, member)             \
	}
static const struct member coordinator_table[] = {
	C("name", MEMBER_TEXT, name),
	C("direct", MEMBER_BOOL, direct),
};
static const struct members coordinator_columns = MEMBERS(coordinator_table);
#undef C

struct value_records coordinator_rows(const struct strv *names,
	const struct strv *direct, struct arena *arena)
{
	const void **v = arena_array(arena, names->n, sizeof(*v));
	struct coordinator_row *rows =
		arena_array(arena, names->n, sizeof(*rows));

	for (size_t i = 0; i < names->n; i++) {
		rows[i].name = names->v[i];
		rows[i].direct = strv_has(direct, names->v[i]);
		v[i] = &rows[i];
	}
	return (struct value_records){&coordinator_columns, v, names->n};
}

/* ---- associations by name ------------------------------------------------*/

static int compare_accounts(const void *name, const void *assoc)
{
	return strcmp(name, ((const struct assoc *)assoc)->account);
}

static int compare_users(const void *name, const void *assoc)
{
	return strcasecmp(name, ((const struct assoc *)assoc)->user);
}

struct sorted {
	const struct assoc *assoc;
	size_t order; /* keeps the order among equals */
	const char *name;
	bool by_user;
};

static int compare_sorted(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = a->by_user ? strcasecmp(a->name, b->name)
			       : strcmp(a->name, b->name);

	if (order)
		return order;
	return a->order < b->order ? -1 : a->order > b->order;
}

void assoc_index_make(struct assoc_index *index, const struct assoc_list *list,
	bool by_user, struct arena *arena)
{
	struct sorted *sorted = arena_array(arena, list->n, sizeof(*sorted));

	*index = (struct assoc_index){.n = list->n, .by_user = by_user};
	index->v = arena_array(arena, list->n, sizeof(*index->v));
	for (size_t i = 0; i < list->n; i++)
		sorted[i] = (struct sorted){list->v[i], i,
			by_user ? list->v[i]->user : list->v[i]->account,
			by_user};
	if (list->n)
		qsort(sorted, list->n, sizeof(*sorted), compare_sorted);
	for (size_t i = 0; i < list->n; i++)
		index->v[i] = sorted[i].assoc;
}

struct value_records assoc_index_find(
	const struct assoc_index *index, const char *name)
{
	int (*compare)(const void *, const void *) =
		index->by_user ? compare_users : compare_accounts;
	size_t first = 0, end = index->n;

	BISECT(first, end, middle, compare(name, index->v[middle]) > 0)
	while (end < index->n && !compare(name, index->v[end]))
		end++;
	return (struct value_records){
		&assoc_short_members, index->v + first, end - first};
}
