#include "common/table/fields.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"

const struct field sacctmgr_fields[FIELD_COUNT_ALL] = {
#define X(id, names, heading, width, help) {names, heading, width, help},
	SACCTMGR_FIELDS(X)
#undef X
};

static const char *const ids[FIELD_COUNT_ALL] = {
#define X(id, names, heading, width, help) #id,
	SACCTMGR_FIELDS(X)
#undef X
};

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

const char *field_member(
	const struct field *fields, int field, struct arena *arena)
{
	if (fields == sacctmgr_fields)
		return str_lower(arena, ids[field]);
	return snake_case(fields[field].heading, arena);
}

int field_choose(const struct field *fields, int n, const char *text,
	struct field_choice *choice)
{
	size_t len = strcspn(text, "%");

	for (int i = 0; i < n; i++) {
		long width = text[len] ? strtol(text + len + 1, NULL, 10) : 0;

		if (!words_match(fields[i].names, text, len))
			continue;
		if (width < -100000 || width > 100000)
			width = 0;
		choice->field = i;
		choice->width = width ? (int)width : fields[i].width;
		return 0;
	}
	return -1;
}

void field_nearest(const struct field *fields, int n, const char *text,
	struct nearest *nearest)
{
	nearest_init(nearest, text, strcspn(text, "%,"));
	for (int i = 0; i < n; i++)
		nearest_names(nearest, fields[i].names);
}

static const void *member(const void *row, const struct column *column)
{
	return (const char *)row + column->offset;
}

static void get_number(const void *row, const struct column *column,
	enum value_type type, struct value *value)
{
	uint32_t n;

	memcpy(&n, member(row, column), sizeof(n));
	value->type = type;
	value->number = n;
}

#define NUMBER_GETTER(name, value_type_)                                       \
	void name(const void *row, const struct column *column,                \
		struct arena *arena, struct value *value)                      \
	{                                                                      \
		(void)arena;                                                   \
		get_number(row, column, value_type_, value);                   \
	}

NUMBER_GETTER(get_uint, VALUE_UINT)
NUMBER_GETTER(get_limit, VALUE_LIMIT)
NUMBER_GETTER(get_minutes, VALUE_MINUTES)
NUMBER_GETTER(get_seconds, VALUE_SECONDS)
NUMBER_GETTER(get_shares, VALUE_SHARES)

void get_text(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TEXT;
	memcpy(&value->text, member(row, column), sizeof(value->text));
}

void get_real(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_REAL;
	memcpy(&value->real, member(row, column), sizeof(value->real));
}

void get_time(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	int64_t when;

	(void)arena;
	memcpy(&when, member(row, column), sizeof(when));
	value->type = VALUE_TIME;
	value->number = (uint64_t)when;
}

void get_list(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_LIST;
	value->list = member(row, column);
}

void get_tres(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TRES;
	value->tres = member(row, column);
}

void get_tres_count(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_LIMIT;
	value->number = tres_list_get(member(row, column), column->arg);
}

void get_bool(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	bool on;

	(void)arena;
	memcpy(&on, member(row, column), sizeof(on));
	value->type = VALUE_BOOL;
	value->number = on;
}

void get_words(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_WORDS;
	value->list = member(row, column);
}

/* The words of a comma list; `none` stands for no word. */
static const struct strv *split(const void *row, const struct column *column,
	const char *none, struct arena *arena)
{
	struct strv *words = arena_alloc(arena, sizeof(*words));
	const char *text;

	memcpy(&text, member(row, column), sizeof(text));
	if (text && *text && strcmp(text, none))
		strv_split(words, arena, text);
	return words;
}

void get_split(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	value->type = VALUE_WORDS;
	value->list = split(row, column, "", arena);
}

void get_flags(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	value->type = VALUE_FLAGS;
	value->list = split(row, column, "None", arena);
}

void get_nothing(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	static const struct strv none;

	(void)row;
	(void)column;
	(void)arena;
	value->type = VALUE_WORDS;
	value->list = &none;
}

void get_rows(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_ROWS;
	value->rows = member(row, column);
}

void get_deleted(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	struct strv *words = arena_alloc(arena, sizeof(*words));
	bool deleted;

	memcpy(&deleted, member(row, column), sizeof(deleted));
	if (deleted)
		strv_push(words, arena, "DELETED");
	value->type = VALUE_WORDS;
	value->list = words;
}
