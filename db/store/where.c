/*
 * WHERE clauses put together piece by piece; see where.h.
 */
#include "db/store/where.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/memory.h"
#include "db/store/query.h"

void where_init(struct where *where, const char *select, struct arena *arena)
{
	*where = (struct where){.arena = arena};
	where->sql = memory_stream(&where->text, &where->size);
	fprintf(where->sql, "%s WHERE 1", select);
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
