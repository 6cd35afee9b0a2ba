/*
 * squeue -S: keys from the left; jobs that are equal in all of them stand with
 * the latest start first, then as they came.
 */
#include "cmd/squeue/squeue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/jobstate.h"

/* ---- what is compared ----------------------------------------------------*/

static const char *text_cluster(const struct row *row)
{
	return row->queue->cluster;
}

static const char *text_nodes(const struct row *row)
{
	if (row->step && *row->step->nodelist)
		return row->step->nodelist;
	return row->job->start ? row->job->nodelist : "";
}

static const char *text_group(const struct row *row)
{
	return row->job->group;
}

static const char *text_name(const struct row *row)
{
	return row->step ? row->step->name : row->job->name;
}

static const char *text_partition(const struct row *row)
{
	return row->partition;
}

static const char *text_code(const struct row *row)
{
	return job_state_code(row->job->state);
}

static const char *text_state(const struct row *row)
{
	return job_state_word(row->job->state);
}

static const char *text_user(const struct row *row)
{
	return row->job->user;
}

static const char *text_reservation(const struct row *row)
{
	return row->job->reservation;
}

static int64_t number_cpus(const struct row *row, int64_t now)
{
	(void)now;
	return row_cpus(row);
}

static int64_t number_nodes(const struct row *row, int64_t now)
{
	(void)now;
	return row_nodes(row);
}

static int64_t number_end(const struct row *row, int64_t now)
{
	(void)now;
	return row_end(row);
}

static int64_t number_gid(const struct row *row, int64_t now)
{
	(void)now;
	return row->job->gid;
}

static int64_t number_uid(const struct row *row, int64_t now)
{
	(void)now;
	return row->job->uid;
}

/* Tasks of an array and parts of a heterogeneous job in their order. */
static int64_t number_id(const struct row *row, int64_t now)
{
	const struct job *job = row->job;

	(void)now;
	if (job->het_job)
		return (int64_t)job->het_job << 32 | job->het_offset;
	if (row->task != NO_VAL || *row->tasks)
		return (int64_t)job->array_job << 32 | row->task;
	return (int64_t)job->id << 32;
}

static int64_t number_limit(const struct row *row, int64_t now)
{
	(void)now;
	return row_limit(row);
}

static int64_t number_left(const struct row *row, int64_t now)
{
	uint32_t limit = row_limit(row);

	return limit >= NO_VAL ? INFINITE
			       : (int64_t)limit * 60 - row_used(row, now);
}

static int64_t number_memory(const struct row *row, int64_t now)
{
	(void)now;
	return (int64_t)row_memory(row);
}

static int64_t number_priority(const struct row *row, int64_t now)
{
	(void)now;
	return (int64_t)row->tier << 32 | row->priority;
}

static int64_t number_start(const struct row *row, int64_t now)
{
	return row_start(row, now);
}

static int64_t number_submit(const struct row *row, int64_t now)
{
	(void)now;
	return row->job->submit;
}

static int64_t number_used(const struct row *row, int64_t now)
{
	return row_used(row, now);
}

/* ---- the keys ------------------------------------------------------------*/

struct key_kind {
	char letter;
	const char *(*text)(const struct row *);
	int64_t (*number)(const struct row *, int64_t now);
	bool zero_last; /* unknown ones come last, whichever way */
};

static const struct key_kind kinds[] = {
	{'B', text_nodes, NULL, false},
	{'C', NULL, number_cpus, false},
	{'D', NULL, number_nodes, false},
	{'e', NULL, number_end, false},
	{'g', text_group, NULL, false},
	{'G', NULL, number_gid, false},
	{'i', NULL, number_id, false},
	{'j', text_name, NULL, false},
	{'l', NULL, number_limit, false},
	{'L', NULL, number_left, false},
	{'m', NULL, number_memory, false},
	{'M', NULL, number_used, false},
	{'N', text_nodes, NULL, false},
	{'p', NULL, number_priority, false},
	{'P', text_partition, NULL, false},
	{'Q', NULL, number_priority, false},
	{'S', NULL, number_start, true},
	{'t', text_code, NULL, false},
	{'T', text_state, NULL, false},
	{'u', text_user, NULL, false},
	{'U', NULL, number_uid, false},
	{'v', text_reservation, NULL, false},
	{'V', NULL, number_submit, false},
};

static const struct key_kind cluster_kind = {0, text_cluster, NULL, false};

/* Taken, and without effect: the store has nothing to tell them apart by. */
static const char silent_letters[] = "cdfhHIJnOz";

struct key {
	const struct key_kind *kind;
	bool descending;
};

struct order {
	struct key v[64];
	size_t n;
	int64_t now;
};

static const struct key_kind *find_kind(char letter)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].letter == letter)
			return &kinds[i];
	return NULL;
}

/* One letter; what is no key ends the program, but for two vestiges. */
static const struct key_kind *read_letter(char letter)
{
	const struct key_kind *kind = find_kind(letter);

	if (kind || strchr(silent_letters, letter))
		return kind;
	if (letter == 'b') {
		fprintf(stderr, "%s: Invalid sort specification: b\n",
			cli_name());
		return NULL;
	}
	cli_error("Invalid sort specification: %c", letter);
	exit(1);
}

static void add_key(
	struct order *order, const struct key_kind *kind, bool descending)
{
	if (kind && order->n < sizeof(order->v) / sizeof(*order->v))
		order->v[order->n++] = (struct key){kind, descending};
}

static void read_keys(struct order *order, const char *text)
{
	static const char cluster[] = "cluster";
	const size_t len = sizeof(cluster) - 1;
	const char *start = text;

	while (*text) {
		bool descending = text > start && text[-1] == '-';

		if (!strncasecmp(text, cluster, len)) {
			add_key(order, &cluster_kind, descending);
			text += len;
			continue;
		}
		if (!strchr(",+-", *text))
			add_key(order, read_letter(*text), descending);
		text++;
	}
}

/* ---- sorting -------------------------------------------------------------*/

static int compare_numbers(int64_t x, int64_t y, const struct key *key)
{
	if (key->kind->zero_last && (!x || !y))
		return !x - !y;
	if (x == y)
		return 0;
	return (x < y) != key->descending ? -1 : 1;
}

static int compare_key(const struct row *a, const struct row *b,
	const struct key *key, int64_t now)
{
	int order;

	if (key->kind->number) {
		order = compare_numbers(key->kind->number(a, now),
			key->kind->number(b, now), key);
		if (order || key->kind->number != number_id || !a->step)
			return order;
		return compare_numbers(a->step->id, b->step->id, key);
	}
	order = strcmp(key->kind->text(a), key->kind->text(b));
	return key->descending ? -order : order;
}

static int compare(const void *x, const void *y, void *arg)
{
	const struct row *a = x, *b = y;
	const struct order *order = arg;

	for (size_t i = 0; i < order->n; i++) {
		int result = compare_key(a, b, &order->v[i], order->now);

		if (result)
			return result;
	}
	return (a->order > b->order) - (a->order < b->order);
}

void sort_rows(
	struct rows *rows, const char *keys, const struct listing *listing)
{
	struct order order = {.now = listing->now};

	read_keys(&order, keys ? keys : "P,t,-p");
	add_key(&order, find_kind('S'), true);
	if (rows->n)
		qsort_r(rows->v, rows->n, sizeof(*rows->v), compare, &order);
}
