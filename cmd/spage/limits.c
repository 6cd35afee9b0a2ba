/*
 * Limits and what of them is in use, as sacctmgr tells them for every user:
 * one row of what it says again for each user whom the limit is shared by.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

/* Of sacctmgr. */
enum { CLUSTER, ACCOUNT, USER, PARTITION, QOS, SETTING, VALUE, USED, ORIGIN };
/* Of ours. */
enum { WHOSE, LIMIT, MOST, IN_USE };

/* "account lab", or of a limit that each user has for itself "ann in lab,
 * account lab", but for one that is set for that user alone. */
static char *whose(struct page *p, char **row)
{
	if (!strncmp(row[SETTING], "Grp", 3) || !*row[USER] ||
		!strncmp(row[ORIGIN], "user ", 5))
		return row[ORIGIN];
	return arena_printf(&p->arena, "%s in %s, %s", row[USER], row[ACCOUNT],
		row[ORIGIN]);
}

/* Of `cpu=10,mem=20` the number of a kind, as text; "0": none. */
static char *amount_of(
	struct page *p, const char *list, const char *name, size_t len)
{
	while (*list) {
		size_t whole = strcspn(list, ",");

		if (!strncmp(list, name, len) && list[len] == '=')
			return arena_strndup(
				&p->arena, list + len + 1, whole - len - 1);
		list += whole + (list[whole] == ',');
	}
	return arena_strdup(&p->arena, "0");
}

static void add(struct page *p, size_t *cap, char **row, char *limit,
	char *most, char *used)
{
	char **to = rows_add(&p->limits, cap, &p->arena);

	to[WHOSE] = whose(p, row);
	to[LIMIT] = limit;
	to[MOST] = most;
	to[IN_USE] = used;
}

/* A limit of TRES is one of each kind. */
static void add_each(struct page *p, size_t *cap, char **row)
{
	const char *list = row[VALUE];

	if (!strchr(list, '=')) {
		add(p, cap, row, row[SETTING], row[VALUE], row[USED]);
		return;
	}
	while (*list) {
		size_t whole = strcspn(list, ","), len = strcspn(list, "=");

		if (len < whole)
			add(p, cap, row,
				arena_printf(&p->arena, "%s %.*s", row[SETTING],
					(int)len, list),
				arena_strndup(&p->arena, list + len + 1,
					whole - len - 1),
				amount_of(p, row[USED], list, len));
		list += whole + (list[whole] == ',');
	}
}

static int compare(const void *a, const void *b)
{
	char **x = *(char **const *)a, **y = *(char **const *)b;
	int order = strcmp(x[WHOSE], y[WHOSE]);

	return order ? order : strcmp(x[LIMIT], y[LIMIT]);
}

/* What nothing is used of, too. */
static void drop_repeated(struct rows *rows)
{
	size_t n = 0;

	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), compare);
	for (size_t i = 0; i < rows->n; i++)
		if (strtod(rows->v[i][IN_USE], NULL) > 0 &&
			(!n || compare(&rows->v[n - 1], &rows->v[i])))
			rows->v[n++] = rows->v[i];
	rows->n = n;
}

static double part(char **row)
{
	double most = strtod(row[MOST], NULL);

	return most > 0 ? strtod(row[IN_USE], NULL) / most : 1;
}

static int compare_parts(const void *a, const void *b)
{
	double x = part(*(char **const *)a), y = part(*(char **const *)b);

	return x < y ? 1 : x > y ? -1 : compare(a, b);
}

void limits_make(struct page *p)
{
	const struct rows *from = &p->answers[ASK_LIMITS].rows;
	size_t cap = 0;

	rows_make(&p->limits, "whose,limit,most,used", &p->arena);
	if (from->n_heads <= ORIGIN)
		return;
	for (size_t i = 0; i < from->n; i++)
		if (*from->v[i][USED])
			add_each(p, &cap, from->v[i]);
	drop_repeated(&p->limits);
	if (p->limits.n)
		qsort(p->limits.v, p->limits.n, sizeof(*p->limits.v),
			compare_parts);
}
