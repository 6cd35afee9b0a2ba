/*
 * Members of records; see member.h. One table says of each type how much room
 * it takes and what it is when it is printed.
 */
#include "common/table/member.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/base/words.h"
#include "common/text/tres.h"

static const struct {
	size_t size;
	enum value_type value;
	uint64_t unset;
} types[MEMBER_TYPES] = {
	[MEMBER_NONE] = {0, VALUE_NONE, 0},
	[MEMBER_TEXT] = {sizeof(const char *), VALUE_TEXT, 0},
	[MEMBER_SPLIT] = {sizeof(const char *), VALUE_WORDS, 0},
	[MEMBER_INT] = {sizeof(int64_t), VALUE_INT, 0},
	[MEMBER_TIME] = {sizeof(int64_t), VALUE_TIME, 0},
	[MEMBER_KNOWN_TIME] = {sizeof(int64_t), VALUE_TIME, 0},
	[MEMBER_KEY] = {sizeof(int64_t), VALUE_INT, 0},
	[MEMBER_BOOL] = {sizeof(bool), VALUE_BOOL, 0},
	[MEMBER_SIGNED] = {sizeof(int32_t), VALUE_INT, 0},
	[MEMBER_COUNT] = {sizeof(uint32_t), VALUE_UINT, 0},
	[MEMBER_ID] = {sizeof(uint32_t), VALUE_UINT, 0},
	[MEMBER_MAYBE] = {sizeof(uint32_t), VALUE_LIMIT, NO_VAL},
	[MEMBER_LIMIT] = {sizeof(uint32_t), VALUE_LIMIT, INFINITE},
	[MEMBER_MINUTES] = {sizeof(uint32_t), VALUE_MINUTES, INFINITE},
	[MEMBER_SECONDS] = {sizeof(uint32_t), VALUE_SECONDS, INFINITE},
	[MEMBER_SHARES] = {sizeof(uint32_t), VALUE_SHARES, INFINITE},
	[MEMBER_COUNT64] = {sizeof(uint64_t), VALUE_UINT, 0},
	[MEMBER_MAYBE64] = {sizeof(uint64_t), VALUE_LIMIT, NO_VAL64},
	[MEMBER_REAL] = {sizeof(double), VALUE_REAL, 0},
	[MEMBER_TRES] = {sizeof(struct tres_list), VALUE_TRES, 0},
	[MEMBER_WORDS] = {sizeof(struct strv), VALUE_WORDS, 0},
	[MEMBER_LIST] = {sizeof(struct strv), VALUE_LIST, 0},
	[MEMBER_ROWS] = {sizeof(struct value_rows), VALUE_ROWS, 0},
};

size_t member_size(enum member_type type)
{
	return types[type].size;
}

void members_init(void *record, const struct members *members)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		void *at = (char *)record + m->offset;
		uint32_t unset = (uint32_t)types[m->type].unset;

		if (!member_is_read(m))
			continue;
		if (m->type == MEMBER_TEXT || m->type == MEMBER_SPLIT)
			*(const char **)at = "";
		else if (types[m->type].size == sizeof(unset))
			memcpy(at, &unset, sizeof(unset));
		else if (m->type == MEMBER_MAYBE64)
			memcpy(at, &types[m->type].unset, sizeof(uint64_t));
		else
			memset(at, 0, types[m->type].size);
	}
}

static struct value split(const char *text, struct arena *arena)
{
	struct strv words = {0};

	if (*text)
		strv_split(&words, arena, text);
	return of_words(words, arena);
}

struct value member_value(
	const struct member *m, const void *record, struct arena *arena)
{
	const void *at = (const char *)record + m->offset;
	struct value value = {.type = types[m->type].value};
	uint32_t number;
	int32_t negative;

	if (m->get)
		return m->get(m, record, arena);
	switch (m->type) {
	case MEMBER_NONE:
	case MEMBER_TYPES:
		break;
	case MEMBER_TEXT:
		return of_text(*(const char *const *)at);
	case MEMBER_SPLIT:
		return split(*(const char *const *)at, arena);
	case MEMBER_BOOL:
		value.number = *(const bool *)at;
		break;
	case MEMBER_SIGNED:
		memcpy(&negative, at, sizeof(negative));
		return of_int(negative);
	case MEMBER_COUNT:
	case MEMBER_ID:
	case MEMBER_MAYBE:
	case MEMBER_LIMIT:
	case MEMBER_MINUTES:
	case MEMBER_SECONDS:
	case MEMBER_SHARES:
		memcpy(&number, at, sizeof(number));
		value.number = number;
		break;
	case MEMBER_TRES:
		value.tres = at;
		break;
	case MEMBER_WORDS:
	case MEMBER_LIST:
		value.list = at;
		break;
	case MEMBER_ROWS:
		value.rows = at;
		break;
	case MEMBER_REAL:
		memcpy(&value.real, at, sizeof(value.real));
		break;
	case MEMBER_INT:
	case MEMBER_TIME:
	case MEMBER_KNOWN_TIME:
	case MEMBER_KEY:
	case MEMBER_COUNT64:
	case MEMBER_MAYBE64:
		memcpy(&value.number, at, sizeof(value.number));
		break;
	}
	return value;
}

static bool is_called(const struct member *m, const char *name)
{
	char first[64];

	if (m->column && !strcmp(m->column, name))
		return true;
	return m->names &&
	       !strcmp(words_first(m->names, first, sizeof(first)), name);
}

const struct member *members_find(
	const struct members *members, const char *name)
{
	for (size_t i = 0; i < members->n; i++)
		if (is_called(&members->v[i], name))
			return &members->v[i];
	return NULL;
}

struct value of_tres(struct tres_list list, struct arena *arena)
{
	struct tres_list *copy = arena_alloc(arena, sizeof(*copy));

	*copy = list;
	return (struct value){VALUE_TRES, {.tres = copy}};
}

struct value of_words(struct strv words, struct arena *arena)
{
	struct strv *copy = arena_alloc(arena, sizeof(*copy));

	*copy = words;
	return (struct value){VALUE_WORDS, {.list = copy}};
}
