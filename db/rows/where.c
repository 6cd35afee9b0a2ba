/*
 * WHERE clauses put together piece by piece; see where.h.
 */
#include "db/rows/where.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/memory.h"
#include "db/rows/members.h"

void where_init(struct where *where, const char *select, struct arena *arena)
{
	*where = (struct where){.arena = arena};
	where->sql = memory_stream(&where->text, &where->size);
	fprintf(where->sql, "%s WHERE 1", select);
}

void where_members(struct where *where, const char *select,
	const struct members *members, struct arena *arena)
{
	where_init(where, members_sql(select, members, arena), arena);
}

void where_add(struct where *where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(where->sql, fmt, ap);
	va_end(ap);
}

/* As a JSON array. */
static char *as_array(const struct strv *words, struct arena *arena)
{
	size_t size = 3;
	char *text, *out;

	for (size_t i = 0; i < words->n; i++)
		size += 6 * strlen(words->v[i]) + 3;
	text = out = arena_alloc(arena, size);
	*out++ = '[';
	for (size_t i = 0; i < words->n; i++) {
		*out++ = i ? ',' : ' ';
		*out++ = '"';
		for (const char *c = words->v[i]; *c; c++) {
			if ((unsigned char)*c < ' ') {
				out += snprintf(out, 7, "\\u%04x", *c);
				continue;
			}
			if (*c == '"' || *c == '\\')
				*out++ = '\\';
			*out++ = *c;
		}
		*out++ = '"';
	}
	*out++ = ']';
	*out = '\0';
	return text;
}

void where_one_of(
	struct where *where, const char *column, const struct strv *words)
{
	enum { MOST_MARKS = 1000 }; /* SQLite takes some ten thousands */

	if (!words->n)
		return;
	if (words->n > MOST_MARKS) {
		fprintf(where->sql,
			" AND %s IN (SELECT value FROM json_each(?))", column);
		strv_push(&where->binds, where->arena,
			as_array(words, where->arena));
		return;
	}
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

int where_open(struct where *where, struct query *q, struct store *store)
{
	if (query_open_text(q, store, where_text(where)))
		return -1;
	query_bind_words(q, 1, &where->binds);
	return 0;
}

void *where_records(struct where *where, struct store *store,
	const struct members *members, size_t size, size_t *n)
{
	size_t cap = 1;
	char *v = arena_alloc(where->arena, size);
	struct query q;

	*n = 0;
	if (where_open(where, &q, store))
		return NULL;
	while (query_row(&q)) {
		if (*n == cap)
			v = arena_grow(where->arena, v, *n, &cap, size);
		members_read(
			&q, 0, v + size * (*n)++, members, where->arena);
	}
	return query_close(&q) ? NULL : v;
}
