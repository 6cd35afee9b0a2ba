/*
 * Limits and what of them is in use, as sacctmgr tells them for every user:
 * one row of what it says again for each user whom the limit is shared by.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

/* What is read of a row of sacctmgr. */
struct used_limit {
	char *account, *user, *setting, *value, *used, *origin;
};

/* Of ours. */
enum { WHOSE, LIMIT, MOST, IN_USE };

/* "account lab", or of a limit that each user has for itself "ann in lab,
 * account lab", but for one that is set for that user alone. */
static char *whose(struct page *p, const struct used_limit *from)
{
	if (!strncmp(from->setting, "Grp", 3) || !*from->user ||
		!strncmp(from->origin, "user ", 5))
		return from->origin;
	return arena_printf(&p->arena, "%s in %s, %s", from->user,
		from->account, from->origin);
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

static void add(struct page *p, size_t *cap, const struct used_limit *from,
	char *limit, char *most, char *used)
{
	char **to = rows_add(&p->limits, cap, &p->arena);

	to[WHOSE] = whose(p, from);
	to[LIMIT] = limit;
	to[MOST] = most;
	to[IN_USE] = used;
}

/* A limit of TRES is one of each kind. */
static void add_each(struct page *p, size_t *cap, const struct used_limit *from)
{
	const char *list = from->value;

	if (!strchr(list, '=')) {
		add(p, cap, from, from->setting, from->value, from->used);
		return;
	}
	while (*list) {
		size_t whole = strcspn(list, ","), len = strcspn(list, "=");

		if (len < whole)
			add(p, cap, from,
				arena_printf(&p->arena, "%s %.*s",
					from->setting, (int)len, list),
				arena_strndup(&p->arena, list + len + 1,
					whole - len - 1),
				amount_of(p, from->used, list, len));
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
	const struct rows *rows = &p->answers[ASK_LIMITS].rows;
	size_t cap = 0;

	rows_make(&p->limits, "whose,limit,most,used", &p->arena);
	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];
		const struct used_limit from = {
			.account = rows_cell(rows, row, "account"),
			.user = rows_cell(rows, row, "user"),
			.setting = rows_cell(rows, row, "setting"),
			.value = rows_cell(rows, row, "value"),
			.used = rows_cell(rows, row, "used"),
			.origin = rows_cell(rows, row, "origin"),
		};

		if (*from.used)
			add_each(p, &cap, &from);
	}
	drop_repeated(&p->limits);
	if (p->limits.n)
		qsort(p->limits.v, p->limits.n, sizeof(*p->limits.v),
			compare_parts);
}
