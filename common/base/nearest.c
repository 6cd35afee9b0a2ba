/*
 * Edit distance of short words, row by row of the table of Damerau and
 * Levenshtein (neighbours swapped once).
 */
#include "common/base/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/words.h"

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* How many slips of the fingers are believable in a word so long. */
static unsigned slips(size_t len)
{
	return len < 2 ? 0 : len < 6 ? 1 : len < 10 ? 2 : 3;
}

/* Fills `last` with the distance of all of a from the first j letters of b. */
static void distances(const char *a, size_t n, const char *b, size_t m,
	unsigned last[NEAREST_MOST + 1])
{
	unsigned rows[3][NEAREST_MOST + 1];

	for (size_t j = 0; j <= m; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = rows[i % 3], *up = rows[(i - 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(least(up[j], now[j - 1]) + 1,
				up[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
				same(a[i - 2], b[j - 1]))
				now[j] = least(now[j],
					rows[(i - 2) % 3][j - 2] + 1);
		}
	}
	memcpy(last, rows[n % 3], (m + 1) * sizeof(*last));
}

/* Words and names; signs in one are no slip of the fingers. */
static bool plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) &&
			!strchr("_-./@", text[i]) &&
			!((unsigned char)text[i] & 0x80))
			return false;
	return true;
}

void nearest_init(struct nearest *n, const char *typed, size_t len)
{
	*n = (struct nearest){.typed = typed, .len = len, .cost = UINT_MAX};
}

/* An abbreviation may be mistyped, too: its beginning counts, after whole
 * words of the same distance. */
void nearest_try(struct nearest *n, const char *word, size_t len)
{
	unsigned last[NEAREST_MOST + 1], cost, most = slips(n->len);
	size_t least_prefix = n->len > 3 ? 3 : n->len + 1;

	if (!len || len > NEAREST_MOST || n->len > NEAREST_MOST || !most ||
		!plain(n->typed, n->len))
		return;
	distances(n->typed, n->len, word, len, last);
	cost = last[len] <= most ? 2 * last[len] : UINT_MAX;
	/* A prefix too short to be an abbreviation is not a typing mistake. */
	if (n->len > 2 && n->len < len && !last[n->len])
		least_prefix = len;
	for (size_t j = least_prefix; n->len > 2 && j < len; j++)
		if (last[j] == 1)
			cost = least(cost, 3);
	if (cost >= n->cost)
		return;
	n->cost = cost;
	memcpy(n->best, word, len);
	n->best[len] = '\0';
}

void nearest_take(struct nearest *n, const char *word)
{
	if (!n->cost)
		return;
	n->cost = 0;
	snprintf(n->best, sizeof(n->best), "%s", word);
}

static void try_name(const char *name, size_t len, size_t min, void *nearest)
{
	(void)min;
	nearest_try(nearest, name, len);
}

void nearest_names(struct nearest *n, const char *names)
{
	words_each(names, try_name, n);
}

void nearest_list(struct nearest *n, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");

		nearest_try(n, list, len);
		list += len + (list[len] != '\0');
	}
}

const char *nearest_found(const struct nearest *n)
{
	return n->cost == UINT_MAX ? NULL : n->best;
}

unsigned nearest_slips(const struct nearest *n)
{
	return n->cost % 2 ? UINT_MAX : n->cost / 2;
}

bool nearest_is_plural(const struct nearest *n)
{
	size_t len = strlen(n->best);

	return len && n->len == len + 1 && same(n->typed[len], 's') &&
	       !strncasecmp(n->typed, n->best, len);
}
