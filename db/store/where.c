/*
 * WHERE clauses put together piece by piece; see where.h.
 */
#include "db/store/where.h"

#include <stdarg.h>
#include <stdlib.h>

#include "common/base/err.h"
#include "db/store/query.h"

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
