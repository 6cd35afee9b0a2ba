/*
 * What Slurm says beside what Bursar computes: the same commands of both are run
 * and their numbers compared, row by row.
 */
#include "cmd/srecord/sync/sync.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "common/cli/cli.h"
#include "cmd/srecord/sacctline.h"

/* A command line; the last column is compared, the others say of what. */
static const struct compared_command {
	const char *what;
	const char *program, *words; /* {c}: the cluster */
	size_t keys;
} comparisons[] = {
	{"fair-share", "sshare", "-ahP -o account,user,partition,fairshare", 3},
	{"raw usage", "sshare", "-ahP -o account,user,partition,rawusage", 3},
	{"priority of pending jobs", "sprio", "-h -o %i|%r|%Y", 2},
	{"utilization of last month (CPU minutes)", "sreport",
		"-nP cluster AccountUtilizationByUser clusters={c}"
		" format=Account,Login,Used",
		2},
};

struct compared_value {
	char *key;
	double value;
	bool seen;
	UT_hash_handle hh;
};

struct command_outcome {
	size_t rows, differ, only_slurm, only_ours;
	double largest;
	const char *where;
};

enum { MOST = 16 };

/* The joined keys, the number after them; false: not such a line. */
static bool cut(struct sync *sync, char *line, size_t keys, char **key,
	double *value)
{
	char *cells[MOST], *end;
	struct strv names = {0};

	line += strspn(line, " ");
	if (sacct_split(line, "|", cells, MOST) != keys + 1)
		return false;
	for (size_t i = 0; i < keys; i++)
		strv_push(&names, &sync->arena,
			cells[i] + strspn(cells[i], " "));
	*key = strv_join(&names, " ", &sync->arena);
	*value = strtod(cells[keys], &end);
	return end != cells[keys];
}

static struct compared_value *read_known(
	struct sync *sync, size_t keys, char *text)
{
	struct compared_value *all = NULL, *one;
	char *line, *key;
	double value;

	while ((line = strsep(&text, "\n"))) {
		if (!cut(sync, line, keys, &key, &value))
			continue;
		one = arena_alloc(&sync->arena, sizeof(*one));
		one->key = key;
		one->value = value;
		HASH_ADD_KEYPTR(hh, all, one->key, strlen(one->key), one);
	}
	return all;
}

static void compare(struct sync *sync, size_t keys,
	struct compared_value *slurms, char *ours, struct command_outcome *o)
{
	struct compared_value *one, *next;
	char *line, *key;
	double value;

	while ((line = strsep(&ours, "\n"))) {
		double difference;

		if (!cut(sync, line, keys, &key, &value))
			continue;
		o->rows++;
		HASH_FIND_STR(slurms, key, one);
		if (!one) {
			o->only_ours++;
			continue;
		}
		one->seen = true;
		difference = fabs(value - one->value);
		o->differ += difference > 0;
		if (difference > o->largest) {
			o->largest = difference;
			o->where = key;
		}
	}
	HASH_ITER(hh, slurms, one, next)
		o->only_slurm += !one->seen;
	HASH_CLEAR(hh, slurms);
}

/* Slurm's, in that folder, or with NULL ours. */
static int run(struct sync *sync, const char *folder,
	const struct compared_command *c, char **text)
{
	char path[PATH_MAX];
	char *argv[MOST], *words = arena_strdup(
				  &sync->arena, sync_fill(sync, c->words, 0));
	struct child_command command = {.argv = argv,
		.name = c->program,
		.conf = folder ? sync->words.conf : NULL,
		.timeout = sync->words.timeout.v};
	size_t n = 0;

	if (!folder && cli_beside(path, c->program, &sync->s->err))
		return -1;
	argv[n++] = folder ? arena_printf(&sync->arena, "%s/%s", folder,
				     c->program)
			   : path;
	while (n < MOST - 3 && (argv[n] = strsep(&words, " ")))
		n++;
	if (!strcmp(c->program, "sreport")) {
		argv[n++] = arena_strdup(&sync->arena, sync->last_month[0]);
		argv[n++] = arena_strdup(&sync->arena, sync->last_month[1]);
	}
	argv[n] = NULL;
	return command_text(&command, &sync->arena, text, &sync->s->err);
}

static void print(
	const struct compared_command *c, const struct command_outcome *o)
{
	printf("%s: %zu rows, %zu differ", c->what, o->rows, o->differ);
	if (o->where)
		printf(", most by %g (%s)", o->largest, o->where);
	if (o->only_slurm)
		printf(", %zu only in Slurm", o->only_slurm);
	if (o->only_ours)
		printf(", %zu only here", o->only_ours);
	putchar('\n');
}

/* start= and end= of the month before this one, by the local calendar. */
static void find_last_month(struct sync *sync)
{
	time_t now = (time_t)sync->now;
	struct tm tm;

	localtime_r(&now, &tm);
	sync->last_month[1] = arena_printf(&sync->arena, "end=%04d-%02d-01",
		tm.tm_year + 1900, tm.tm_mon + 1);
	sync->last_month[0] = arena_printf(&sync->arena, "start=%04d-%02d-01",
		tm.tm_year + 1900 - (tm.tm_mon == 0),
		tm.tm_mon == 0 ? 12 : tm.tm_mon);
}

int sync_verify(struct sync *sync)
{
	const char *folder = sync_slurm_folder(sync);
	int differs = 0;

	if (!folder)
		return err_set(&sync->s->err, ERR_USAGE,
			"--verify runs Slurm's commands: bin=FOLDER says where "
			"they are");
	find_last_month(sync);
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(*comparisons);
		i++) {
		const struct compared_command *c = &comparisons[i];
		struct command_outcome o = {0};
		char *slurms, *ours;

		if (run(sync, folder, c, &slurms) ||
			run(sync, NULL, c, &ours))
			return -1;
		compare(sync, c->keys, read_known(sync, c->keys, slurms), ours,
			&o);
		print(c, &o);
		differs |= o.differ || o.only_ours || o.only_slurm;
	}
	return differs;
}
