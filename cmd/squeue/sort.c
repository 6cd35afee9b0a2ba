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
#include "common/table/sort.h"
#include "common/text/jobstate.h"

/* ---- what is compared ----------------------------------------------------*/

static const char *nodes_of(const struct queue_row *row)
{
	if (row->step && *row->step->nodelist)
		return row->step->nodelist;
	return row->job->start ? row->job->nodelist : "";
}

/* Tasks of an array and parts of a heterogeneous job in their order. */
static int64_t id_of(const struct queue_row *row)
{
	const struct job *job = row->job;

	if (job->het_job)
		return (int64_t)job->het_job << 32 | job->het_offset;
	if (row->task != NO_VAL || *row->tasks)
		return (int64_t)job->array_job << 32 | row->task;
	return (int64_t)job->id << 32;
}

static int64_t left_of(const struct queue_row *row)
{
	uint32_t limit = queue_limit(row);

	return limit >= NO_VAL ? INFINITE
			       : (int64_t)limit * 60 - queue_used(row);
}

#define GET(name, expression) GETTER(name, struct queue_row, expression)
GET(cluster, of_text(row->queue->cluster))
GET(nodes, of_text(nodes_of(row)))
GET(end, of_int(queue_end(row)))
GET(gid, of_uint(row->job->gid))
GET(id, of_int(id_of(row)))
GET(step, of_int(row->step ? row->step->id : 0))
GET(name, of_text(row->step ? row->step->name : row->job->name))
GET(time_limit, of_int(queue_limit(row)))
GET(left, of_int(left_of(row)))
GET(memory, of_int((int64_t)queue_memory(row)))
GET(uid, of_uint(row->job->uid))
GET(used, of_int(queue_used(row)))
GET(priority, of_int((int64_t)row->tier << 32 | row->priority))

/* Columns that are not compared as shown. */
static const struct member kinds[] = {
	{.letter = 'B', .get = get_nodes},
	{.letter = 'e', .get = get_end},
	{.letter = 'G', .get = get_gid},
	{.letter = 'i', .get = get_id},
	{.letter = 'j', .get = get_name},
	{.letter = 'l', .get = get_time_limit},
	{.letter = 'L', .get = get_left},
	{.letter = 'm', .get = get_memory},
	{.letter = 'M', .get = get_used},
	{.letter = 'N', .get = get_nodes},
	{.letter = 'p', .get = get_priority},
	{.letter = 'Q', .get = get_priority},
	{.letter = 'U', .get = get_uid},
};

static const struct member cluster_kind = {.get = get_cluster};
static const struct member step_kind = {.get = get_step};

/* ---- the keys ------------------------------------------------------------*/

/* Taken, and without effect: the store has nothing to tell them apart by. */
static const char silent_letters[] = "cdfhHIJnOz";

static const struct member *find_kind(char letter)
{
	const struct sorting_letters letters = {
		MEMBERS(kinds), squeue_types(false), "CDgPStTuvV"};

	return sorting_letter(&letters, letter);
}

static const char cluster[] = "cluster";
static const size_t cluster_len = sizeof(cluster) - 1;

/* An unknown letter ends the program, but for `b`; the last one, as in Slurm. */
static void check(const char *text)
{
	for (size_t i = strlen(text); i-- > 0;) {
		if (i + 1 >= cluster_len &&
			!strncasecmp(text + i + 1 - cluster_len, cluster,
				cluster_len)) {
			i -= cluster_len - 1;
		} else if (text[i] == 'b') {
			fprintf(stderr, "%s: Invalid sort specification: b\n",
				cli_name());
		} else if (!strchr(",+-", text[i]) && !find_kind(text[i]) &&
			   !strchr(silent_letters, text[i])) {
			cli_refuse("Invalid sort specification: %c", text[i]);
		}
	}
}

static void read_keys(struct sorting *by, const char *text)
{
	const char *start = text;

	check(text);
	while (*text) {
		bool descending = text > start && text[-1] == '-';

		if (!strncasecmp(text, cluster, cluster_len)) {
			sorting_add(by, &cluster_kind, descending);
			text += cluster_len;
			continue;
		}
		if (!strchr(",+-", *text))
			sorting_add(by, find_kind(*text), descending);
		if (*text == 'i')
			sorting_add(by, &step_kind, descending);
		text++;
	}
}

void sort_rows(struct rows *rows, const char *keys)
{
	struct sorting by = {.order = offsetof(struct queue_row, order)};

	read_keys(&by, keys ? keys : "P,t,-p");
	sorting_add(&by, find_kind('S'), true);
	sorting_run(&by, rows->v, rows->n, sizeof(*rows->v));
}
