/*
 * Stores what was read, in the order of the lines: new jobs by one statement
 * for a group of them, the rest one by one.
 *
 * A step that does not follow its job looks for it in the store, where nothing
 * later may be yet: it is a group by itself.
 */
#include "cmd/srecord/import.h"

#include <stdlib.h>
#include <string.h>

static bool is_job(const struct import_item *item)
{
	return item->found == FOUND_ROW && !item->row.is_step;
}

static bool is_step(const struct import_item *item)
{
	return item->found == FOUND_ROW && item->row.is_step;
}

/* Refused: the reason goes with the line. -1: the store failed. */
static int keep_refusal(struct import *im, struct import_item *item)
{
	if (im->s->err.kind != ERR_USAGE)
		return -1;
	item->found = -1;
	item->kind = ERR_USAGE;
	item->refusal = arena_strdup(&im->scratch, im->s->err.text);
	return 0;
}

static int settle_owner(struct import *im, struct import_row *row)
{
	if (row->trace && import_capacity(im, row->trace))
		return -1;
	if (import_owner(im, row))
		return -1;
	return im->options.duplicates ? import_requeue(im, &row->job) : 0;
}

static int insert_jobs(struct import *im, struct import_item *items, size_t n)
{
	struct job **jobs = arena_array(&im->scratch, n, sizeof(struct job *));
	size_t n_jobs = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_job(&items[i]))
			continue;
		im->line = items[i].line;
		if (!settle_owner(im, &items[i].row))
			jobs[n_jobs++] = &items[i].row.job;
		else if (keep_refusal(im, &items[i]))
			return -1;
	}
	return job_bulk_insert(im->bulk, jobs, n_jobs);
}

static int compare_ids(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void ids_sort(struct ids *ids)
{
	if (ids->n)
		qsort(ids->v, ids->n, sizeof(*ids->v), compare_ids);
}

bool ids_have(const struct ids *ids, uint32_t id)
{
	return ids->n && bsearch(&id, ids->v, ids->n, sizeof(id), compare_ids);
}

/* Of a job that has not ended the list that was read first knows better. */
static int put_again(struct import *im, struct job *job)
{
	const struct ids *known = im->options.known;

	if (known && !job->end && ids_have(known, job->id))
		return job_bulk_fill(im->bulk, job);
	return job_bulk_replace(im->bulk, job);
}

static int put_job(struct import *im, struct import_row *row)
{
	int saved = JOB_ADDED;

	im->last_job = im->checked_job = 0;
	if (!row->job.key)
		saved = put_again(im, &row->job);
	return saved < 0 ? -1 : import_saved(im, row, saved);
}

static int put_item(struct import *im, struct import_item *item)
{
	switch (item->found) {
	case FOUND_ROW:
		im->count.unknown_tres += item->row.unknown_tres;
		return item->row.is_step ? import_step(im, &item->row)
					 : put_job(im, &item->row);
	case FOUND_PASSED:
		im->count.passed++;
		return 0;
	case FOUND_NOTHING:
		return 0;
	default:
		return err_set(&im->s->err, item->kind, "%s", item->refusal);
	}
}

static int put_group(struct import *im, struct import_item *items, size_t n,
	import_told *told)
{
	import_forget_many(im);
	if (insert_jobs(im, items, n))
		return -1;
	for (size_t i = 0; i < n; i++) {
		im->line = items[i].line;
		if (told(im, &items[i], put_item(im, &items[i])))
			return -1;
	}
	if (import_write_steps(im))
		return -1;
	arena_reset(&im->scratch);
	return 0;
}

/* How many of them make a group. */
static size_t group_size(
	const struct import *im, const struct import_item *items, size_t n)
{
	uint32_t job = im->last_job ? im->last.id : 0;
	bool has_job = false;

	for (size_t i = 0; i < n; i++) {
		const struct import_row *row = &items[i].row;

		if (is_step(&items[i]) && row->job.id != job)
			return i ? i : 1;
		if (!is_job(&items[i]))
			continue;
		if (has_job && im->options.duplicates)
			return i;
		has_job = true;
		job = row->job.id;
	}
	return n;
}

int import_items(struct import *im, struct import_item *items, size_t n,
	import_told *told)
{
	while (n) {
		size_t size = group_size(im, items, n);

		if (put_group(im, items, size, told))
			return -1;
		items += size;
		n -= size;
	}
	return 0;
}

int import_one(struct import *im, struct import_row *row)
{
	struct job *job = &row->job;

	im->count.unknown_tres += row->unknown_tres;
	if (row->is_step)
		return import_step(im, row) || import_write_steps(im) ? -1 : 0;
	if (settle_owner(im, row) || job_bulk_insert(im->bulk, &job, 1))
		return -1;
	return put_job(im, row) || import_write_steps(im) ? -1 : 0;
}
