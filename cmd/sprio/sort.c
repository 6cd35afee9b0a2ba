/*
 * sprio -S (spec/priority.md 7.5).
 */
#include "cmd/sprio/sprio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"

/* Points that differ by less are equal. */
static const double fuzz = 0.00001;

struct key {
	const struct member *letter;
	bool descending;
};

struct keys {
	struct key v[64];
	size_t n;
};

static const char by_text[] = "noruc", by_number[] = "iyYtTNaAfFjJpPqQ";

/* As it came out, whatever is shown of it. */
static double number_of(const struct row *row, const struct member *letter)
{
	const struct priority_result *result = &row->prio->result;

	switch (letter->letter) {
	case 'i':
		return row->prio->job->id;
	case 'N':
		return result->nice;
	case 't':
	case 'T':
		return result->tres_sum;
	case 'y':
	case 'Y':
		return row_priority(row);
	default:
		return result->term[letter->arg];
	}
}

static int compare_key(
	const struct row *a, const struct row *b, const struct member *letter)
{
	double x, y;

	if (strchr(by_text, letter->letter))
		return strcmp(member_value(letter, a, NULL).text,
			member_value(letter, b, NULL).text);
	x = number_of(a, letter);
	y = number_of(b, letter);
	if (fabs(x - y) < fuzz)
		return 0;
	return x < y ? -1 : 1;
}

static int compare(const void *x, const void *y, void *arg)
{
	const struct row *a = x, *b = y;
	const struct keys *keys = arg;

	for (size_t i = 0; i < keys->n; i++) {
		int order = compare_key(a, b, keys->v[i].letter);

		if (order)
			return keys->v[i].descending ? -order : order;
	}
	return (a->order > b->order) - (a->order < b->order);
}

/* A letter that names a key; the first bad one from the right is complained
 * about. */
static const struct member *key_letter(char c)
{
	const struct member *letter = letter_find(c);

	if (letter && (strchr(by_text, c) || strchr(by_number, c)))
		return letter;
	cli_error("Invalid sort specification: %c", c);
	exit(1);
}

/* A key that comes again changes nothing, so the table cannot overflow. */
static void add_key(struct keys *keys, struct key key)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->v[i].letter == key.letter)
			return;
	keys->v[keys->n++] = key;
}

static void read_keys(struct keys *keys, const char *text)
{
	*keys = (struct keys){.n = 0};
	for (size_t i = strlen(text); i-- > 0;)
		if (!strchr(",+-", text[i]))
			key_letter(text[i]);
	for (size_t i = 0; text[i]; i++)
		if (!strchr(",+-", text[i]))
			add_key(keys, (struct key){key_letter(text[i]),
					      i && text[i - 1] == '-'});
}

void sort_rows(struct rows *rows, const char *text)
{
	struct keys keys;

	read_keys(&keys, text);
	if (rows->n)
		qsort_r(rows->v, rows->n, sizeof(*rows->v), compare, &keys);
}
