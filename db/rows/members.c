/*
 * Records and the rows of their tables; see members.h.
 */
#include "db/rows/members.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"

/* What a member holds, whatever its type. */
union slot {
	const char *text;
	int64_t i64;
	uint64_t u64;
	uint32_t u32;
	int32_t i32;
	bool on;
	double real;
	struct tres_list tres;
};

/* With a constant size memcpy is inlined. */
static inline union slot get(const void *record, const struct member *m)
{
	const char *at = (const char *)record + m->offset;
	union slot slot = {.tres = {0}};

	switch (member_sizes[m->type]) {
	case sizeof(bool):
		memcpy(&slot, at, sizeof(bool));
		break;
	case sizeof(uint32_t):
		memcpy(&slot, at, sizeof(uint32_t));
		break;
	case sizeof(uint64_t):
		memcpy(&slot, at, sizeof(uint64_t));
		break;
	default:
		memcpy(&slot, at, sizeof(struct tres_list));
	}
	return slot;
}

/* ---- text of statements --------------------------------------------------*/

/* The text in braces: a prefix and a pattern for one column. */
static void list_columns(FILE *f, const struct members *members,
	const char *what, size_t len, const char *sql)
{
	const char *between = "";
	size_t dot = len > 8 ? len - 8 : 0; /* "t" in "t.columns" */
	bool reads = dot && !strncmp(what + dot, ".columns", 8);

	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		const char *name = m->column;

		if (!name && !(reads && m->select))
			continue;
		fputs(between, f);
		between = ", ";
		if (reads && m->select)
			fputs(m->select, f);
		else if (reads)
			fprintf(f, "%.*s.%s", (int)dot, what, name);
		else if (!strncmp(what, "columns}", 8))
			fputs(name, f);
		else if (!strncmp(what, ":columns}", 9))
			fprintf(f, ":%s", name);
		else if (!strncmp(what, "columns = excluded}", 19))
			fprintf(f, "%s = excluded.%s", name, name);
		else if (!strncmp(what, "columns = :columns}", 19))
			fprintf(f, "%s = :%s", name, name);
		else
			BUG("unknown word in braces: %s", sql);
	}
}

const char *members_sql(
	const char *sql, const struct members *members, struct arena *arena)
{
	char *text = NULL;
	const char *copy;
	size_t size;
	FILE *f = memory_stream(&text, &size);

	for (const char *at = sql; *at;) {
		size_t plain = strcspn(at, "{"), len;

		fprintf(f, "%.*s", (int)plain, at);
		at += plain;
		if (!*at)
			break;
		len = strcspn(++at, "}");
		list_columns(f, members, at, len, sql);
		at += len + (at[len] == '}');
	}
	fclose(f);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

struct members members_columns(const struct members *own,
	const struct members *rest, struct arena *arena)
{
	const struct members *parts[] = {own, rest};
	struct member *v =
		arena_array(arena, own->n + rest->n, sizeof(*v));
	size_t n = 0;

	for (int part = 0; part < 2; part++)
		for (size_t i = 0; i < parts[part]->n; i++)
			if (parts[part]->v[i].column)
				v[n++] = parts[part]->v[i];
	return (struct members){v, n};
}

/* ---- writing -------------------------------------------------------------*/

/* The number as the store keeps it; true: NULL. */
static bool stored_number(
	enum member_type type, const union slot *s, int64_t *number)
{
	switch (type) {
	case MEMBER_MAYBE:
		*number = s->u32 == INFINITE ? -1 : (int64_t)s->u32;
		return s->u32 == NO_VAL;
	case MEMBER_LIMIT:
	case MEMBER_MINUTES:
	case MEMBER_SECONDS:
	case MEMBER_SHARES:
		*number = s->u32;
		return s->u32 == NO_VAL || s->u32 == INFINITE;
	case MEMBER_MAYBE64:
		*number = (int64_t)s->u64;
		return s->u64 == NO_VAL64;
	case MEMBER_SIGNED:
		*number = s->i32;
		return false;
	case MEMBER_BOOL:
		*number = s->on;
		return false;
	case MEMBER_COUNT:
	case MEMBER_EXIT:
	case MEMBER_ID:
		*number = s->u32;
		return type == MEMBER_ID && !s->u32;
	default:
		*number = s->i64;
		return (type == MEMBER_TIME || type == MEMBER_KEY) && !s->i64;
	}
}

void member_stored(const struct member *m, const void *record,
	struct stored_value *value)
{
	const void *at = (const char *)record + m->offset;
	union slot slot;

	if (m->type == MEMBER_TRES) {
		value->kind = STORED_LIST;
		value->list = at;
		return;
	}
	slot = get(record, m);
	if (m->type == MEMBER_TEXT || m->type == MEMBER_SPLIT) {
		value->kind = STORED_TEXT;
		value->text = slot.text;
	} else if (m->type == MEMBER_REAL || m->type == MEMBER_FACTOR) {
		value->kind = m->type == MEMBER_FACTOR &&
					      slot.real == (double)INFINITE
				      ? STORED_NULL
				      : STORED_REAL;
		value->real = slot.real;
	} else {
		value->kind = stored_number(m->type, &slot, &value->number)
				      ? STORED_NULL
				      : STORED_INT;
	}
}

static void bind_one(struct query *q, int i, const struct stored_value *v,
	struct arena *scratch)
{
	switch (v->kind) {
	case STORED_NULL:
		sqlite3_bind_null(q->stmt, i);
		break;
	case STORED_INT:
		query_put_int(q, i, v->number);
		break;
	case STORED_REAL:
		sqlite3_bind_double(q->stmt, i, v->real);
		break;
	case STORED_TEXT:
		query_put_text(q, i, v->text);
		break;
	case STORED_LIST:
		query_put_text(q, i, tres_pack(v->list, scratch));
		break;
	}
}

/* Parameters are in the order of the members: mostly the next one matches. */
static int parameter(sqlite3_stmt *stmt, const char *column, int next)
{
	const char *name = sqlite3_bind_parameter_name(stmt, next);
	char text[64];
	int i;

	if (name && !strcmp(name + 1, column))
		return next;
	snprintf(text, sizeof(text), ":%s", column);
	i = sqlite3_bind_parameter_index(stmt, text);
	if (!i)
		BUG("no parameter %s in: %s", text, sqlite3_sql(stmt));
	return i;
}

void members_bind(struct query *q, const void *record,
	const struct members *members, struct arena *scratch)
{
	int *places = query_places(q, members);
	int i = 0;

	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		int *place = places ? &places[m - members->v] : NULL;
		struct stored_value value;

		if (!m->column)
			continue;
		i = place && *place ? *place
				    : parameter(q->stmt, m->column, i + 1);
		if (place)
			*place = i;
		member_stored(m, record, &value);
		bind_one(q, i, &value, scratch);
	}
}

int query_open_members(struct query *query, struct store *store,
	const struct members *members, const char *sql)
{
	return query_open_made(query, store, sql, members, members_sql);
}

int query_open_record(struct query *q, struct store *store,
	const struct members *members, const void *record, const char *sql)
{
	SCRATCH_ARENA(scratch);

	if (query_open_members(q, store, members, sql))
		return -1;
	members_bind(q, record, members, &scratch);
	return 0;
}

int members_write(struct store *store, const struct members *members,
	const void *record, const char *sql, const struct bind *binds)
{
	struct query q;

	if (query_open_record(&q, store, members, record, sql))
		return -1;
	query_bind(&q, binds);
	return query_run(&q);
}

/* ---- reading -------------------------------------------------------------*/

static uint32_t unset_or(struct query *q, int column, uint32_t unset)
{
	int64_t value = query_int(q, column);

	if (query_is_null(q, column))
		return unset;
	return value < 0 ? INFINITE : (uint32_t)value;
}

/* Most texts of most records are empty: those take no memory. */
static const char *read_text(struct query *q, int column, struct arena *arena)
{
	const char *text = query_text(q, column);

	return text && !*text ? "" : arena_strdup(arena, text);
}

static void read_one(struct query *q, int column, enum member_type type,
	void *at, struct arena *arena)
{
	switch (type) {
	case MEMBER_TEXT:
	case MEMBER_SPLIT:
		*(const char **)at = read_text(q, column, arena);
		break;
	case MEMBER_BOOL:
		*(bool *)at = query_int(q, column) != 0;
		break;
	case MEMBER_COUNT:
	case MEMBER_EXIT:
	case MEMBER_ID:
		*(uint32_t *)at = (uint32_t)query_int(q, column);
		break;
	case MEMBER_MAYBE:
		*(uint32_t *)at = unset_or(q, column, NO_VAL);
		break;
	case MEMBER_LIMIT:
	case MEMBER_MINUTES:
	case MEMBER_SECONDS:
	case MEMBER_SHARES:
		*(uint32_t *)at = query_limit(q, column);
		break;
	case MEMBER_MAYBE64:
		*(uint64_t *)at = query_is_null(q, column)
					  ? NO_VAL64
					  : (uint64_t)query_int(q, column);
		break;
	case MEMBER_SIGNED:
		*(int32_t *)at = (int32_t)query_int(q, column);
		break;
	case MEMBER_REAL:
		*(double *)at = query_real(q, column);
		break;
	case MEMBER_FACTOR:
		*(double *)at = query_is_null(q, column)
					? (double)INFINITE
					: query_real(q, column);
		break;
	case MEMBER_TRES:
		*(struct tres_list *)at = (struct tres_list){0};
		tres_unpack(query_text(q, column), arena, at);
		break;
	case MEMBER_TIME:
	case MEMBER_KNOWN_TIME:
		*(int64_t *)at = query_time(q, column);
		break;
	case MEMBER_INT:
		*(int64_t *)at = query_amount(q, column);
		break;
	default:
		*(int64_t *)at = query_int(q, column);
		break;
	}
}

int members_read(struct query *q, int column, void *record,
	const struct members *members, struct arena *arena)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++)
		if (member_is_read(m))
			read_one(q, column++, m->type,
				(char *)record + m->offset, arena);
	return column;
}

static int member_named(const struct members *members, struct query *q, int i)
{
	const char *name = sqlite3_column_name(q->stmt, i);

	for (size_t m = 0; name && m < members->n; m++)
		if (members->v[m].column &&
			!strcmp(members->v[m].column, name))
			return (int)m;
	BUG("no member %s: %s", name ? name : "", sqlite3_sql(q->stmt));
}

void members_read_named(struct query *q, int first, void *record,
	const struct members *members, struct arena *arena)
{
	int *places = query_places(q, members);
	int n = sqlite3_column_count(q->stmt);

	for (int i = first; i < n; i++) {
		const struct member *m;
		int place = places ? places[i] : 0;

		if (!place)
			place = member_named(members, q, i) + 1;
		if (places)
			places[i] = place;
		m = &members->v[place - 1];
		read_one(q, i, m->type, (char *)record + m->offset, arena);
	}
}

/* ---- comparing -----------------------------------------------------------*/

static bool is_text(const struct member *m)
{
	return m->type == MEMBER_TEXT || m->type == MEMBER_SPLIT;
}

static bool same(const struct member *m, const void *a, const void *b)
{
	if (is_text(m))
		return !strcmp(*(const char *const *)a, *(const char *const *)b);
	if (m->type == MEMBER_TRES)
		return tres_list_same(a, b);
	if (member_sizes[m->type] == sizeof(uint32_t))
		return !memcmp(a, b, sizeof(uint32_t));
	if (member_sizes[m->type] == sizeof(bool))
		return !memcmp(a, b, sizeof(bool));
	return !memcmp(a, b, sizeof(uint64_t));
}

bool members_same(const void *a, const void *b, const struct members *members)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++)
		if (m->column && !same(m, (const char *)a + m->offset,
					 (const char *)b + m->offset))
			return false;
	return true;
}

/* How many of the records have the bytes of `blank` there, from the first one on.
 * With a constant size memcmp is inlined. */
static inline size_t count_same(const void *const *records, size_t n,
	const char *blank, size_t offset, size_t size)
{
	size_t i = 0;

	while (i < n && !memcmp((const char *)records[i] + offset, blank, size))
		i++;
	return i;
}

static size_t count_empty(
	const void *const *records, size_t n, const struct member *m)
{
	size_t i = 0;

	while (i < n && !((const struct tres_list *)((const char *)records[i] +
				  m->offset))->n)
		i++;
	return i;
}

/* Mostly all are equal to the byte: empty texts are one and the same. */
static bool all_blank(const void *const *records, size_t n, const void *blank,
	const struct member *m)
{
	const char *b = (const char *)blank + m->offset;

	if (m->type == MEMBER_TRES)
		return count_empty(records, n, m) == n;
	if (member_sizes[m->type] == sizeof(uint32_t))
		return count_same(records, n, b, m->offset,
			       sizeof(uint32_t)) == n;
	if (member_sizes[m->type] == sizeof(bool))
		return count_same(records, n, b, m->offset, sizeof(bool)) == n;
	for (size_t i = 0; i < n; i++) {
		i += count_same(records + i, n - i, b, m->offset,
			sizeof(uint64_t));
		if (i < n && !(is_text(m) && !*get(records[i], m).text))
			return false;
	}
	return true;
}

void members_note(const void *const *records, size_t n, const void *blank,
	const struct members *members, bool *used)
{
	for (size_t i = 0; i < members->n; i++)
		if (!used[i] && members->v[i].column)
			used[i] = !all_blank(
				records, n, blank, &members->v[i]);
}

/* Takes `from`'s value where there is none. */
static void fill(const struct member *m, void *at, const void *from)
{
	if (is_text(m)) {
		if (!**(const char **)at)
			*(const char **)at = *(const char *const *)from;
	} else if (m->type == MEMBER_MAYBE) {
		if (*(uint32_t *)at == NO_VAL)
			*(uint32_t *)at = *(const uint32_t *)from;
	} else if (m->type == MEMBER_MAYBE64) {
		if (*(uint64_t *)at == NO_VAL64)
			*(uint64_t *)at = *(const uint64_t *)from;
	} else if (m->marks & MEMBER_ASKED && m->type == MEMBER_COUNT) {
		if (!*(uint32_t *)at)
			*(uint32_t *)at = *(const uint32_t *)from;
	} else if (m->marks & MEMBER_ASKED && m->type == MEMBER_COUNT64) {
		if (!*(uint64_t *)at)
			*(uint64_t *)at = *(const uint64_t *)from;
	}
}

void members_fill(
	void *record, const void *older, const struct members *members)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++)
		if (m->column)
			fill(m, (char *)record + m->offset,
				(const char *)older + m->offset);
}

/* ---- TRES lists ----------------------------------------------------------*/

static char *digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while (number /= 10);
	return end;
}

/* "4=1" and a comma in front unless it is the first; gives its length. */
static size_t pack_one(const struct tres_count *tres, bool first, char *out)
{
	char text[48], *end = text + sizeof(text),
		       *at = digits(end, tres->count);

	*--at = '=';
	at = digits(at, tres->id);
	if (!first)
		*--at = ',';
	memcpy(out, at, (size_t)(end - at));
	return (size_t)(end - at);
}

bool tres_pack_into(const struct tres_list *list, char *text, size_t size)
{
	size_t used = 0;

	if (list->n * 32 + 1 > size)
		return false;
	for (size_t i = 0; i < list->n; i++)
		used += pack_one(&list->v[i], !i, text + used);
	text[used] = '\0';
	return true;
}

char *tres_pack(const struct tres_list *list, struct arena *arena)
{
	size_t size = list->n * 32 + 1;
	char *text = arena_alloc(arena, size);

	tres_pack_into(list, text, size);
	return text;
}

static uint64_t take_number(const char **text)
{
	uint64_t number = 0;

	for (; **text >= '0' && **text <= '9'; (*text)++)
		number = number * 10 + (uint64_t)(**text - '0');
	return number;
}

void tres_unpack(const char *text, struct arena *arena, struct tres_list *list)
{
	*list = (struct tres_list){0};
	while (*text) {
		uint32_t id = (uint32_t)take_number(&text);

		if (*text != '=')
			return;
		text++;
		tres_list_set(list, arena, id, take_number(&text));
		if (*text != ',')
			return;
		text++;
	}
}
