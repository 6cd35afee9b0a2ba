#include "common/table/fields.h"

#include <string.h>

#include "common/base/strv.h"
#include "common/base/words.h"
#include "common/table/grid.h"

#define X(id) {HEAD_##id, .json = #id},
static const struct member rows[] = {SACCTMGR_FIELDS(X)};
#undef X

const struct members sacctmgr_fields = MEMBERS(rows);

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

/* "TimeStart" is time_start, "Cluster Nodes" cluster_nodes. */
static const char *snake_case(const char *text, struct arena *arena)
{
	char *name = arena_array(arena, strlen(text) + 1, 2), *out = name;
	char before = '\0';

	for (; *text; before = *text++) {
		bool capital = lower(*text) != *text;

		if (capital && is_alnum(before) && lower(before) == before)
			*out++ = '_';
		*out++ = is_alnum(*text) ? lower(*text) : '_';
	}
	return name;
}

bool field_is(const struct member *field, const char *name)
{
	return field->json && !strcmp(field->json, name);
}

static bool same_head(const struct member *a, const struct member *b)
{
	return a->names && b->names && !strcmp(a->names, b->names);
}

const struct member *field_of(
	const struct members *members, const struct member *field)
{
	for (size_t i = 0; members && i < members->n; i++)
		if (same_head(&members->v[i], field))
			return &members->v[i];
	return NULL;
}

const char *field_member(const struct member *field, struct arena *arena)
{
	const struct member *shared = field_of(&sacctmgr_fields, field);

	if (shared)
		return str_lower(arena, shared->json);
	return field->column ? field->column
			     : snake_case(field->heading, arena);
}

const struct member *field_choose(
	const struct members *fields, const char *text, int *width)
{
	size_t len = strcspn(text, "%");
	const struct member *field = len ? grid_find(fields, text, len) : NULL;

	if (field)
		*width = grid_width(text, field->width);
	return field;
}

/* ---- getters -------------------------------------------------------------*/

static const void *at(const struct member *m, const void *record)
{
	return (const char *)record + m->offset;
}

struct value get_flags(
	const struct member *m, const void *record, struct arena *arena)
{
	struct strv words = {0};
	struct value value;
	const char *text;

	memcpy(&text, at(m, record), sizeof(text));
	if (text && *text && strcmp(text, "None"))
		strv_split(&words, arena, text);
	value = of_words(words, arena);
	value.type = VALUE_FLAGS;
	return value;
}

struct value get_nothing(
	const struct member *m, const void *record, struct arena *arena)
{
	(void)m, (void)record;
	return of_words((struct strv){0}, arena);
}

struct value get_deleted(
	const struct member *m, const void *record, struct arena *arena)
{
	struct strv words = {0};
	bool deleted;

	memcpy(&deleted, at(m, record), sizeof(deleted));
	if (deleted)
		strv_push(&words, arena, "DELETED");
	return of_words(words, arena);
}

struct value get_tres_count(
	const struct member *m, const void *record, struct arena *arena)
{
	(void)arena;
	return of_limit(tres_list_get(at(m, record), m->arg));
}
