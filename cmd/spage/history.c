/*
 * Usage and fair-share over time, from sshare --history: a row each association
 * with its numbers as lists, and one with the times.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

/* Of sshare. */
enum { TIME, ACCOUNT, USER, PARTITION, USAGE, EFFECTIVE, FAIRSHARE };
/* Of ours. */
enum { TO_ACCOUNT, TO_USER, TO_PARTITION, TO_TIMES, TO_USAGE, TO_FAIRSHARE,
	COLUMNS };

static bool is_same(char **a, char **b)
{
	return !strcmp(a[ACCOUNT], b[ACCOUNT]) && !strcmp(a[USER], b[USER]) &&
	       !strcmp(a[PARTITION], b[PARTITION]);
}

/* One cell of each of these rows, blanks between. */
static char *list_of(struct page *p, char ***rows, size_t n, int column)
{
	size_t len = 1;
	char *list, *end;

	for (size_t i = 0; i < n; i++)
		len += strlen(rows[i][column]) + 1;
	list = end = arena_alloc(&p->arena, len);
	*end = '\0';
	for (size_t i = 0; i < n; i++) {
		size_t cell = strlen(rows[i][column]);

		if (i)
			*end++ = ' ';
		memcpy(end, rows[i][column], cell + 1);
		end += cell;
	}
	return list;
}

void history_make(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_HISTORY].rows;
	size_t cap = 0;

	rows_make(&p->history, "account,user,partition,times,usage,fairshare",
		&p->arena);
	for (size_t i = 0, n; i < rows->n; i += n) {
		char ***from = rows->v + i, **to;

		for (n = 1; i + n < rows->n && is_same(from[0], from[n]);)
			n++;
		to = rows_add(&p->history, &cap, &p->arena);
		to[TO_ACCOUNT] = from[0][ACCOUNT];
		to[TO_USER] = from[0][USER];
		to[TO_PARTITION] = from[0][PARTITION];
		/* All have the same. */
		to[TO_TIMES] = i ? arena_strdup(&p->arena, "")
				 : list_of(p, from, n, TIME);
		to[TO_USAGE] = list_of(p, from, n, USAGE);
		to[TO_FAIRSHARE] = list_of(p, from, n, FAIRSHARE);
	}
}
