/*
 * Many jobs in few transactions; see job_bulk.h.
 */
#include "db/job/job_bulk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/job/job_rows.h"
#include "db/job/job.h"
#include "db/store/jobindex.h"
#include "db/rows/members.h"
#include "db/store/query.h"
#include "db/rows/rowtable.h"

/* Rows to be inserted. Columns that none has set have the values the schema gives
 * them, which are those of `blank`: half of the work is not to be asked for them. */
struct inserted {
	struct row_table table;
	struct query query;
	const void *blank;
	bool *used;  /* members that any row so far has set */
	bool *noted; /* of these, what `query` writes */
	const char *into, *from; /* around them: "INTO job (", "FROM ..." */
	const char *more, *more_values; /* columns besides, and what they get */
};

struct job_bulk {
	struct store *store;
	const struct policy *policy;
	struct usage_bulk *usage;
	struct inserted jobs, steps;
	struct job blank;
	struct step blank_step;
	struct arena arena, scratch;
};

static int open_rows(struct job_bulk *bulk, struct inserted *in, const char *name,
	struct members members, const void *blank)
{
	in->table.members = members;
	in->blank = blank;
	in->used = arena_array(&bulk->arena, members.n, 1);
	in->noted = arena_array(&bulk->arena, members.n, 1);
	return row_table_open(bulk->store, name, &in->table);
}

struct job_bulk *job_bulk_open(struct store *store, const struct policy *policy)
{
	struct job_bulk *bulk = memory_zeroed(1, sizeof(*bulk));

	bulk->store = store;
	bulk->policy = policy;
	bulk->usage = usage_bulk_open(store, policy, NULL);
	job_init(&bulk->blank);
	step_init(&bulk->blank_step);
	bulk->blank_step.task_dist = ""; /* as the schema has it */
	bulk->jobs = (struct inserted){.into = "INSERT OR ROLLBACK INTO job (",
		.more = ", modified",
		.more_values = ", :modified",
		.from = " FROM job_rows WHERE true"
			" ON CONFLICT (cluster, id, submit) DO NOTHING"};
	bulk->steps = (struct inserted){.into = "INSERT OR REPLACE INTO step (",
		.more = "",
		.more_values = "",
		.from = " FROM step_rows"};
	if (open_rows(bulk, &bulk->jobs, "job_rows", job_members,
		    &bulk->blank) ||
		open_rows(bulk, &bulk->steps, "step_rows", step_members,
			&bulk->blank_step)) {
		job_bulk_close(bulk);
		return NULL;
	}
	/* The schema has no number for them. */
	bulk->steps.used[members_by_column(&step_members, "id") -
			 step_members.v] = true;
	return bulk;
}

void job_bulk_close(struct job_bulk *bulk)
{
	if (!bulk)
		return;
	usage_bulk_close(bulk->usage);
	if (bulk->jobs.query.stmt)
		query_close(&bulk->jobs.query);
	if (bulk->steps.query.stmt)
		query_close(&bulk->steps.query);
	store_check_foreign_keys(bulk->store, true);
	store_triggers(bulk->store, true);
	arena_release(&bulk->arena);
	arena_release(&bulk->scratch);
	free(bulk);
}

/* Ends a transaction that has come to `rc`. */
static int settle(struct store *store, int rc)
{
	if (rc) {
		store_rollback(store);
		return -1;
	}
	return store_commit_bulk(store);
}

int job_bulk_prepare(struct job_bulk *bulk, bool owned)
{
	if (store_sort_in_files(bulk->store, 24576) ||
		store_check_foreign_keys(bulk->store, false) ||
		store_begin_bulk(bulk->store))
		return -1;
	return settle(bulk->store, job_index_drop(bulk->store, owned));
}

/* Sorting may take a second thread. */
int job_bulk_finish(struct job_bulk *bulk)
{
	if (store_sort_in_files(bulk->store, SORT_CACHE) ||
		store_exec(bulk->store, "PRAGMA threads = 1") ||
		store_begin_bulk(bulk->store))
		return -1;
	return settle(bulk->store, job_index_build(bulk->store));
}

int job_bulk_begin(struct job_bulk *bulk)
{
	int triggers;

	if (store_begin_bulk(bulk->store))
		return -1;
	/* Else there is nothing for the triggers to do. */
	triggers = store_any(bulk->store,
		"SELECT 1 FROM rollup_state"
		" UNION ALL SELECT 1 FROM suspension LIMIT 1");
	usage_bulk_begin(bulk->usage);
	if (triggers < 0 || store_triggers(bulk->store, triggers)) {
		store_rollback(bulk->store);
		return -1;
	}
	return 0;
}

int job_bulk_commit(struct job_bulk *bulk)
{
	if (usage_bulk_write(bulk->usage) || job_index_busy(bulk->store)) {
		store_rollback(bulk->store);
		return -1;
	}
	return store_commit_bulk(bulk->store);
}

/* ---- jobs that are new --------------------------------------------------- */

static void list_used(FILE *f, const struct inserted *in)
{
	const char *between = "";

	for (size_t i = 0; i < in->table.members.n; i++)
		if (in->used[i]) {
			fprintf(f, "%s%s", between,
				in->table.members.v[i].column);
			between = ", ";
		}
}

static int open_insert(struct store *store, struct inserted *in)
{
	char *sql = NULL;
	size_t size;
	FILE *f = memory_stream(&sql, &size);
	int rc;

	memcpy(in->noted, in->used, in->table.members.n);
	if (in->query.stmt)
		query_close(&in->query);
	fputs(in->into, f);
	list_used(f, in);
	fprintf(f, "%s) SELECT ", in->more);
	list_used(f, in);
	fprintf(f, "%s%s", in->more_values, in->from);
	fclose(f);
	rc = query_open_kept(&in->query, store, sql);
	free(sql);
	return rc;
}

/* Gets the rows, and the statement that inserts them, ready. */
static int put_rows(
	struct store *store, struct inserted *in, void *const *rows, size_t n)
{
	members_note((const void *const *)rows, n, in->blank,
		&in->table.members, in->used);
	in->table.rows = rows;
	in->table.n_rows = n;
	return memcmp(in->used, in->noted, in->table.members.n)
		       ? open_insert(store, in)
		       : 0;
}

static bool is_row(struct query *q, const struct job *job)
{
	return query_int(q, 1) == job->cluster && query_int(q, 2) == job->id &&
	       query_int(q, 3) == job->submit;
}

/* Which of them were inserted: the rows behind `before`, in their order. */
static int find_added(struct job_bulk *bulk, struct job *const *jobs, size_t n,
	int added, int64_t before)
{
	struct query q;
	size_t i = 0;

	if ((size_t)added == n)
		for (; i < n; i++)
			jobs[i]->key = before + 1 + (int64_t)i;
	if (!added || i == n)
		return 0;
	if (query_open(&q, bulk->store,
		    "SELECT key, cluster, id, submit FROM job"
		    " WHERE key > :before ORDER BY key"))
		return -1;
	query_bind_int(&q, ":before", before);
	while (query_row(&q)) {
		while (i < n && !is_row(&q, jobs[i]))
			i++;
		if (i < n)
			jobs[i++]->key = query_int(&q, 0);
	}
	return query_close(&q);
}

int job_bulk_insert(struct job_bulk *bulk, struct job *const *jobs, size_t n)
{
	int64_t before;
	int added;

	if (!n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		jobs[i]->key = 0;
		if (usage_bulk_epoch(bulk->usage, &jobs[i]->usage_epoch))
			return -1;
	}
	if (put_rows(bulk->store, &bulk->jobs, (void *const *)jobs, n) ||
		job_newest_key(bulk->store, &before))
		return -1;
	query_put_int(&bulk->jobs.query, 1, bulk->store->now);
	added = query_run_changes(&bulk->jobs.query);
	if (added < 0 || find_added(bulk, jobs, n, added, before))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (jobs[i]->key && usage_bulk_add(bulk->usage, jobs[i], 1))
			return -1;
	return 0;
}

/* The record is there: what the new one does not know stays. */
int job_bulk_replace(struct job_bulk *bulk, struct job *job)
{
	struct job old;

	arena_reset(&bulk->scratch);
	if (job_find(bulk->store, job->cluster, job->id, job->submit,
		    &bulk->scratch, &old) <= 0)
		return -1;
	job->key = old.key;
	if (job->end)
		old.array_tasks = "";
	if (old.assoc == job->assoc)
		job->usage_epoch = old.usage_epoch;
	members_fill(job, &old, &job_members);
	if (members_same(job, &old, &job_members))
		return JOB_SAME;
	return job_write(bulk->store, bulk->usage, job, &old)
		       ? -1
		       : JOB_CHANGED;
}

int job_bulk_fill(struct job_bulk *bulk, struct job *job)
{
	struct job old, all;

	arena_reset(&bulk->scratch);
	if (job_find(bulk->store, job->cluster, job->id, job->submit,
		    &bulk->scratch, &old) <= 0)
		return -1;
	all = old;
	members_fill(&all, job, &job_members);
	if (job->assoc && !strcmp(job->account, old.account)) {
		all.assoc = job->assoc;
		all.user = job->user;
	}
	*job = all;
	if (members_same(job, &old, &job_members))
		return JOB_SAME;
	return job_write(bulk->store, bulk->usage, job, &old)
		       ? -1
		       : JOB_CHANGED;
}

int job_bulk_steps(
	struct job_bulk *bulk, struct step *const *steps, size_t n)
{
	if (!n)
		return 0;
	return put_rows(bulk->store, &bulk->steps, (void *const *)steps, n) ||
			       query_run_kept(&bulk->steps.query) < 0
		       ? -1
		       : 0;
}
