/*
 * Members of records; see member.h. One table says of each type how much room
 * it takes and what it is when it is printed.
 */
#include "common/table/member.h"

#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/base/words.h"
#include "common/text/tres.h"

const unsigned char member_sizes[MEMBER_TYPES] = {
	[MEMBER_TEXT] = sizeof(const char *),
	[MEMBER_SPLIT] = sizeof(const char *),
	[MEMBER_INT] = sizeof(int64_t),
	[MEMBER_TIME] = sizeof(int64_t),
	[MEMBER_KNOWN_TIME] = sizeof(int64_t),
	[MEMBER_KEY] = sizeof(int64_t),
	[MEMBER_BOOL] = sizeof(bool),
	[MEMBER_SIGNED] = sizeof(int32_t),
	[MEMBER_COUNT] = sizeof(uint32_t),
	[MEMBER_EXIT] = sizeof(uint32_t),
	[MEMBER_ID] = sizeof(uint32_t),
	[MEMBER_MAYBE] = sizeof(uint32_t),
	[MEMBER_LIMIT] = sizeof(uint32_t),
	[MEMBER_MINUTES] = sizeof(uint32_t),
	[MEMBER_SECONDS] = sizeof(uint32_t),
	[MEMBER_SHARES] = sizeof(uint32_t),
	[MEMBER_COUNT64] = sizeof(uint64_t),
	[MEMBER_MAYBE64] = sizeof(uint64_t),
	[MEMBER_REAL] = sizeof(double),
	[MEMBER_FACTOR] = sizeof(double),
	[MEMBER_TRES] = sizeof(struct tres_list),
	[MEMBER_WORDS] = sizeof(struct strv),
	[MEMBER_LIST] = sizeof(struct strv),
	[MEMBER_RECORDS] = sizeof(struct value_records),
};

static const struct {
	enum value_type value;
	uint64_t unset;
} types[MEMBER_TYPES] = {
	[MEMBER_NONE] = {VALUE_NONE, 0},
	[MEMBER_TEXT] = {VALUE_TEXT, 0},
	[MEMBER_SPLIT] = {VALUE_WORDS, 0},
	[MEMBER_INT] = {VALUE_INT, 0},
	[MEMBER_TIME] = {VALUE_TIME, 0},
	[MEMBER_KNOWN_TIME] = {VALUE_TIME, 0},
	[MEMBER_KEY] = {VALUE_INT, 0},
	[MEMBER_BOOL] = {VALUE_BOOL, 0},
	[MEMBER_SIGNED] = {VALUE_INT, 0},
	[MEMBER_COUNT] = {VALUE_UINT, 0},
	[MEMBER_EXIT] = {VALUE_EXIT, 0},
	[MEMBER_ID] = {VALUE_UINT, 0},
	[MEMBER_MAYBE] = {VALUE_LIMIT, NO_VAL},
	[MEMBER_LIMIT] = {VALUE_LIMIT, INFINITE},
	[MEMBER_MINUTES] = {VALUE_MINUTES, INFINITE},
	[MEMBER_SECONDS] = {VALUE_SECONDS, INFINITE},
	[MEMBER_SHARES] = {VALUE_SHARES, INFINITE},
	[MEMBER_COUNT64] = {VALUE_UINT, 0},
	[MEMBER_MAYBE64] = {VALUE_LIMIT, NO_VAL64},
	[MEMBER_REAL] = {VALUE_REAL, 0},
	[MEMBER_FACTOR] = {VALUE_REAL, 0},
	[MEMBER_TRES] = {VALUE_TRES, 0},
	[MEMBER_WORDS] = {VALUE_WORDS, 0},
	[MEMBER_LIST] = {VALUE_LIST, 0},
	[MEMBER_RECORDS] = {VALUE_RECORDS, 0},
};

void members_init(void *record, const struct members *members)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		void *at = (char *)record + m->offset;
		double no_factor = INFINITE;
		uint32_t unset = (uint32_t)types[m->type].unset;

		if (!member_is_read(m))
			continue;
		if (m->type == MEMBER_TEXT || m->type == MEMBER_SPLIT)
			*(const char **)at = "";
		else if (member_sizes[m->type] == sizeof(unset))
			memcpy(at, &unset, sizeof(unset));
		else if (m->type == MEMBER_MAYBE64)
			memcpy(at, &types[m->type].unset, sizeof(uint64_t));
		else if (m->type == MEMBER_FACTOR)
			memcpy(at, &no_factor, sizeof(no_factor));
		else
			memset(at, 0, member_sizes[m->type]);
	}
}

static struct value split(const char *text, struct arena *arena)
{
	struct strv words = {0};

	if (*text)
		strv_split(&words, arena, text);
	return of_words(words, arena);
}

static const void *place_of(const struct member *m, const void *record)
{
	if (m->through)
		record = *(const void *const *)(const void *)((const char *)
				record + m->through - 1);
	return (const char *)record + m->offset;
}

struct value member_raw(
	const struct member *m, const void *record, struct arena *arena)
{
	const void *at = place_of(m, record);
	struct value value = {.type = types[m->type].value};
	uint32_t number;
	int32_t negative;

	switch (m->type) {
	case MEMBER_NONE:
		return m->constant ? of_text(m->constant) : no_value();
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
	case MEMBER_EXIT:
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
	case MEMBER_RECORDS:
		value.records = at;
		break;
	case MEMBER_REAL:
	case MEMBER_FACTOR:
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

struct value member_value(
	const struct member *m, const void *record, struct arena *arena)
{
	return m->get ? m->get(m, record, arena)
		      : member_raw(m, record, arena);
}

struct value member_same(
	const struct member *m, const void *record, struct arena *arena)
{
	(void)record;
	return m->type == MEMBER_WORDS
		       ? of_words((struct strv){0}, arena)
		       : (struct value){types[m->type].value, {.number = m->arg}};
}

/* ---- looking up ----------------------------------------------------------*/

const struct member *members_by_column(
	const struct members *members, const char *column)
{
	for (size_t i = 0; i < members->n; i++)
		if (members->v[i].column &&
			!strcmp(members->v[i].column, column))
			return &members->v[i];
	return NULL;
}

/* The beginnings of both, up to a colon or a blank. */
static bool same_name(const char *a, const char *b)
{
	size_t len;

	if (*a != *b)
		return false;
	len = strcspn(a, ": ");
	return len == strcspn(b, ": ") && !strncmp(a, b, len);
}

const struct member *members_by_name(
	const struct members *members, const char *name)
{
	for (size_t i = 0; i < members->n; i++)
		if (members->v[i].names &&
			same_name(members->v[i].names, name))
			return &members->v[i];
	return NULL;
}

const struct member *members_by_path(
	const struct members *members, const char *path)
{
	for (size_t i = 0; i < members->n; i++)
		if (members->v[i].json && !strcmp(members->v[i].json, path))
			return &members->v[i];
	return NULL;
}

const struct member *members_by_letter(
	const struct members *members, char letter)
{
	for (size_t i = 0; letter && i < members->n; i++)
		if (members->v[i].letter == letter)
			return &members->v[i];
	return NULL;
}

/* ---- rows that point to records ------------------------------------------*/

static const struct member *fact_of(
	const struct members *facts, const struct member *own)
{
	if (own->constant)
		return NULL;
	if (own->column)
		return members_by_column(facts, own->column);
	if (own->names)
		return members_by_name(facts, own->names);
	return own->get ? NULL : members_by_path(facts, own->json);
}

static void take(struct member *own, const struct member *fact, size_t pointer)
{
	own->type = fact->type;
	own->offset = fact->offset;
	own->through = pointer + 1;
	if (!own->names && !own->json) {
		own->names = fact->names;
		own->letter = fact->letter;
		own->json = fact->json;
	}
	if (!own->heading) {
		own->heading = fact->heading;
		own->width = fact->width;
	}
	if (!own->help)
		own->help = fact->help;
}

/* A row of another name is another column. */
static bool is_instead(const struct member *own, const struct member *fact)
{
	return (!own->names || (fact->names && same_name(own->names, fact->names))) &&
	       (!own->json || (fact->json && !strcmp(own->json, fact->json)));
}

struct members members_join(const struct members *own,
	const struct members *facts, size_t pointer, struct arena *arena)
{
	struct member *v = arena_array(arena, own->n + facts->n, sizeof(*v));
	bool *taken = arena_array(arena, facts->n, sizeof(*taken));
	size_t n = own->n;

	for (size_t i = 0; i < n; i++) {
		const struct member *fact = fact_of(facts, &own->v[i]);

		v[i] = own->v[i];
		if (!fact)
			continue;
		take(&v[i], fact, pointer);
		taken[fact - facts->v] |= is_instead(&own->v[i], fact);
	}
	for (size_t i = 0; i < facts->n; i++) {
		if (taken[i] || !(facts->v[i].names || facts->v[i].json))
			continue;
		v[n] = facts->v[i];
		v[n++].through = pointer + 1;
	}
	return (struct members){v, n};
}

struct members members_list(const struct members *own,
	const struct members *facts, size_t pointer, struct arena *arena)
{
	struct members all = members_join(own, facts, pointer, arena);
	struct member *v = (struct member *)(uintptr_t)all.v;

	for (size_t i = own->n; i < all.n; i++) {
		const struct member one = v[i];
		size_t at = 0;

		while (at < i && (one.marks & MEMBER_OURS ||
				  strcasecmp(v[at].names, one.names) < 0))
			at++;
		memmove(&v[at + 1], &v[at], (i - at) * sizeof(one));
		v[at] = one;
	}
	return all;
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
