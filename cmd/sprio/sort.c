/*
 * sprio -S (Slurm's src/sprio/sort.c).
 */
#include "cmd/sprio/sprio.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/table/sort.h"

/* As it came out, whatever is shown of it. */
#define RESULT(row) (&(row)->prio->result)
#define GET(name, expression) GETTER(name, struct row, of_real(expression))
GET(points, RESULT(row)->term[m->arg])
GET(priority, row_priority(row))
GET(tres, RESULT(row)->tres_sum)

#define POINTS(small, big, which) \
	{.letter = small, .get = get_points, .arg = which}, \
	{.letter = big, .get = get_points, .arg = which}

static const struct member own[] = {
	POINTS('a', 'A', FACTOR_AGE),
	POINTS('f', 'F', FACTOR_FAIRSHARE),
	POINTS('j', 'J', FACTOR_JOB_SIZE),
	POINTS('p', 'P', FACTOR_PARTITION),
	POINTS('q', 'Q', FACTOR_QOS),
	{.letter = 't', .get = get_tres},
	{.letter = 'T', .get = get_tres},
	{.letter = 'y', .get = get_priority},
	{.letter = 'Y', .get = get_priority},
};
static const struct sorting_letters letters = {
	MEMBERS(own), &sprio_letters, "noruciN"};

/* Of several bad letters the last is complained about. */
static void check(const char *text)
{
	for (size_t i = strlen(text); i-- > 0;) {
		if (strchr(",+-", text[i]) || sorting_letter(&letters, text[i]))
			continue;
		cli_refuse("Invalid sort specification: %c", text[i]);
	}
}

void sort_rows(struct rows *rows, const char *text)
{
	struct sorting by = {.order = offsetof(struct row, order)};

	check(text);
	for (size_t i = 0; text[i]; i++)
		if (!strchr(",+-", text[i]))
			sorting_add(&by, sorting_letter(&letters, text[i]),
				i && text[i - 1] == '-');
	sorting_run(&by, rows->v, rows->n, sizeof(*rows->v));
}
