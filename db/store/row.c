/*
 * Structs to rows and back; see row.h.
 */
#include "db/store/row.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "db/store/trespack.h"

/* What a member holds, whatever its type. */
union slot {
	const char *text;
	int64_t i64;
	uint64_t u64;
	uint32_t u32;
	int32_t i32;
	double real;
	struct tres_list tres;
};

static const size_t slot_sizes[] = {
	[ROW_TEXT] = sizeof(const char *),
	[ROW_INT] = sizeof(int64_t),
	[ROW_SOME] = sizeof(int64_t),
	[ROW_COUNT] = sizeof(uint32_t),
	[ROW_REF] = sizeof(uint32_t),
	[ROW_SET] = sizeof(uint32_t),
	[ROW_SET64] = sizeof(uint64_t),
	[ROW_COUNT64] = sizeof(uint64_t),
	[ROW_SIGNED] = sizeof(int32_t),
	[ROW_REAL] = sizeof(double),
	[ROW_TRES] = sizeof(struct tres_list),
};

static void put(void *row, const struct row_member *m, const union slot *slot)
{
	memcpy((char *)row + m->offset, slot, slot_sizes[m->type]);
}

/* A copy of known size is no call. */
static inline union slot get(const void *row, const struct row_member *m)
{
	const char *member = (const char *)row + m->offset;
	union slot slot = {.tres = {0}};

	switch (slot_sizes[m->type]) {
	case sizeof(uint32_t):
		memcpy(&slot, member, sizeof(uint32_t));
		break;
	case sizeof(uint64_t):
		memcpy(&slot, member, sizeof(uint64_t));
		break;
	default:
		memcpy(&slot, member, sizeof(struct tres_list));
	}
	return slot;
}

void row_init(void *row, const struct row_member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		union slot slot;

		memset(&slot, 0, sizeof(slot));
		if (members[i].type == ROW_TEXT)
			slot.text = "";
		else if (members[i].type == ROW_SET)
			slot.u32 = NO_VAL;
		else if (members[i].type == ROW_SET64)
			slot.u64 = NO_VAL64;
		put(row, &members[i], &slot);
	}
}

static void bind_int(
	struct query *q, const char *name, bool null, int64_t value)
{
	if (null)
		query_bind_null(q, name);
	else
		query_bind_int(q, name, value);
}

static void bind_one(struct query *q, const char *name, enum row_type type,
	const union slot *s, struct arena *scratch)
{
	switch (type) {
	case ROW_TEXT:
		query_bind_text(q, name, s->text);
		break;
	case ROW_INT:
		query_bind_int(q, name, s->i64);
		break;
	case ROW_SOME:
		bind_int(q, name, !s->i64, s->i64);
		break;
	case ROW_COUNT:
		query_bind_int(q, name, s->u32);
		break;
	case ROW_REF:
		bind_int(q, name, !s->u32, s->u32);
		break;
	case ROW_SET:
		bind_int(q, name, s->u32 == NO_VAL,
			s->u32 == INFINITE ? -1 : (int64_t)s->u32);
		break;
	case ROW_SET64:
		bind_int(q, name, s->u64 == NO_VAL64, (int64_t)s->u64);
		break;
	case ROW_COUNT64:
		query_bind_int(q, name, (int64_t)s->u64);
		break;
	case ROW_SIGNED:
		query_bind_int(q, name, s->i32);
		break;
	case ROW_REAL:
		query_bind_real(q, name, s->real);
		break;
	case ROW_TRES:
		query_bind_text(q, name, tres_pack(&s->tres, scratch));
		break;
	}
}

void row_bind(struct query *q, const void *row,
	const struct row_member *members, size_t n, struct arena *scratch)
{
	for (size_t i = 0; i < n; i++) {
		union slot slot = get(row, &members[i]);

		bind_one(q, members[i].parameter, members[i].type, &slot,
			scratch);
	}
}

/* ---- many rows ---------------------------------------------------------- */

/* The number as the store keeps it; true: NULL. */
static bool stored_number(
	enum row_type type, const union slot *s, int64_t *number)
{
	switch (type) {
	case ROW_SET:
		*number = s->u32 == INFINITE ? -1 : (int64_t)s->u32;
		return s->u32 == NO_VAL;
	case ROW_SET64:
		*number = (int64_t)s->u64;
		return s->u64 == NO_VAL64;
	case ROW_SIGNED:
		*number = s->i32;
		return false;
	case ROW_COUNT:
	case ROW_REF:
		*number = s->u32;
		return type == ROW_REF && !s->u32;
	default:
		*number = s->i64;
		return type == ROW_SOME && !s->i64;
	}
}

void row_value(const void *row, const struct row_member *m,
	struct row_value *value)
{
	const void *member = (const char *)row + m->offset;
	union slot slot;

	if (m->type == ROW_TRES) {
		value->kind = ROW_VALUE_LIST;
		value->list = member;
		return;
	}
	slot = get(row, m);
	if (m->type == ROW_TEXT) {
		value->kind = ROW_VALUE_TEXT;
		value->text = slot.text;
	} else if (m->type == ROW_REAL) {
		value->kind = ROW_VALUE_REAL;
		value->real = slot.real;
	} else {
		value->kind = stored_number(m->type, &slot, &value->number)
				      ? ROW_VALUE_NULL
				      : ROW_VALUE_INT;
	}
}

bool row_same(const void *a, const void *b, const struct row_member *members,
	size_t n)
{
	for (size_t i = 0; i < n; i++) {
		union slot x = get(a, &members[i]), y = get(b, &members[i]);
		bool same = x.u64 == y.u64;

		if (members[i].type == ROW_TEXT)
			same = !strcmp(x.text, y.text);
		else if (members[i].type == ROW_TRES)
			same = tres_list_same(&x.tres, &y.tres);
		if (!same)
			return false;
	}
	return true;
}

/* Mostly the two are equal to the byte: empty texts are one and the same. */
static bool is_blank(
	const void *row, const void *blank, const struct row_member *m)
{
	const char *a = (const char *)row + m->offset;
	const char *b = (const char *)blank + m->offset;

	if (slot_sizes[m->type] == sizeof(uint32_t))
		return !memcmp(a, b, sizeof(uint32_t));
	if (m->type == ROW_TRES)
		return !((const struct tres_list *)a)->n;
	return !memcmp(a, b, sizeof(uint64_t)) ||
	       (m->type == ROW_TEXT && !*get(row, m).text);
}

void row_note(const void *row, const void *blank,
	const struct row_member *members, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++)
		if (!used[i])
			used[i] = !is_blank(row, blank, &members[i]);
}

void row_fill(void *row, const void *older, const struct row_member *members,
	size_t n)
{
	for (size_t i = 0; i < n; i++) {
		enum row_type type = members[i].type;
		union slot slot = get(row, &members[i]);
		union slot old = get(older, &members[i]);

		if ((type == ROW_TEXT && !*slot.text) ||
			(type == ROW_SET && slot.u32 == NO_VAL) ||
			(type == ROW_SET64 && slot.u64 == NO_VAL64))
			put(row, &members[i], &old);
	}
}

static uint32_t read_set(struct query *q, int column)
{
	int64_t value = query_int(q, column);

	if (query_is_null(q, column))
		return NO_VAL;
	return value < 0 ? INFINITE : (uint32_t)value;
}

static void read_one(struct query *q, int column, enum row_type type,
	union slot *s, struct arena *arena)
{
	memset(s, 0, sizeof(*s));
	switch (type) {
	case ROW_TEXT:
		s->text = query_strdup(q, column, arena);
		break;
	case ROW_INT:
	case ROW_SOME:
		s->i64 = query_int(q, column);
		break;
	case ROW_COUNT:
	case ROW_REF:
		s->u32 = (uint32_t)query_int(q, column);
		break;
	case ROW_SET:
		s->u32 = read_set(q, column);
		break;
	case ROW_SET64:
		s->u64 = query_is_null(q, column)
				 ? NO_VAL64
				 : (uint64_t)query_int(q, column);
		break;
	case ROW_COUNT64:
		s->u64 = (uint64_t)query_int(q, column);
		break;
	case ROW_SIGNED:
		s->i32 = (int32_t)query_int(q, column);
		break;
	case ROW_REAL:
		s->real = query_real(q, column);
		break;
	case ROW_TRES:
		tres_unpack(query_text(q, column), arena, &s->tres);
		break;
	}
}

int row_read(struct query *q, int column, void *row,
	const struct row_member *members, size_t n, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		union slot slot;

		read_one(q, column++, members[i].type, &slot, arena);
		put(row, &members[i], &slot);
	}
	return column;
}

void where_init(struct where *where, const char *select, struct arena *arena)
{
	*where = (struct where){.arena = arena};
	where->sql = open_memstream(&where->text, &where->size);
	if (!where->sql)
		BUG("no memory for a query");
	fprintf(where->sql, "%s WHERE 1", select);
}

void where_add(struct where *where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(where->sql, fmt, ap);
	va_end(ap);
}

void where_one_of(
	struct where *where, const char *column, const struct strv *words)
{
	if (!words->n)
		return;
	fprintf(where->sql, " AND %s IN (%s)", column,
		sql_marks(words->n, where->arena));
	for (size_t i = 0; i < words->n; i++)
		strv_push(&where->binds, where->arena, words->v[i]);
}

const char *where_text(struct where *where)
{
	char *text;

	fclose(where->sql);
	text = arena_strdup(where->arena, where->text);
	free(where->text);
	return text;
}
