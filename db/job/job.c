/*
 * Jobs in the store; see job.h.
 */
#include "db/job/job_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/job/job.h"
#include "common/base/numbers.h"
#include "db/rows/members.h"
#include "db/rows/where.h"

#define SELECT_COLUMNS "SELECT j.key, {j.columns}"
#define SELECT_JOB SELECT_COLUMNS " FROM job j"

static void read_job(struct query *q, struct job *job, struct arena *arena)
{
	memset(job, 0, sizeof(*job));
	job->key = query_int(q, 0);
	members_read(q, 1, job, &job_members, arena);
}

void job_read_some(struct query *q, struct job *job, struct arena *arena)
{
	memset(job, 0, sizeof(*job));
	job->key = query_int(q, 0);
	members_read_named(q, 1, job, &job_members, arena);
}

/* The first job that SELECT_JOB gives there, a literal with its values: 1; 0:
 * none; -1. */
#define find_job(store, arena, job, where, ...)                                \
	first_job(store, arena, job, SELECT_JOB where, BINDS(__VA_ARGS__))

static int first_job(struct store *store, struct arena *arena, struct job *job,
	const char *sql, const struct bind *binds)
{
	struct query q;
	int found;

	if (query_open_members(&q, store, &job_members, sql))
		return -1;
	query_bind(&q, binds);
	found = query_row(&q);
	if (found)
		read_job(&q, job, arena);
	return query_close(&q) ? -1 : found;
}

int job_find(struct store *store, int64_t cluster, uint32_t id, int64_t submit,
	struct arena *arena, struct job *job)
{
	return find_job(store, arena, job,
		" WHERE j.cluster = :cluster AND j.id = :id"
		" AND (j.submit = :submit OR :submit = 0)"
		" ORDER BY j.submit DESC LIMIT 1",
		bind_int(":cluster", cluster), bind_int(":id", id),
		bind_int(":submit", submit));
}

int job_last_end(struct store *store, int64_t cluster, int64_t *end)
{
	*end = 0;
	return store_ask(store,
		"SELECT end FROM job WHERE end IS NOT NULL"
		" AND +cluster = :cluster ORDER BY end DESC LIMIT 1",
		end, bind_int(":cluster", cluster));
}

int job_by_key(
	struct store *store, int64_t key, struct arena *arena, struct job *job)
{
	return find_job(store, arena, job, " WHERE j.key = :key",
		bind_int(":key", key));
}

int job_newest_key(struct store *store, int64_t *key)
{
	*key = 0;
	return store_number(
		store, "SELECT coalesce(max(key), 0) FROM job", key);
}

/* JOBS_AT_ONCE parameters. CROSS JOIN: the keys come first, in their order. */
#define FOUR "(?), (?), (?), (?)"
#define SIXTEEN FOUR ", " FOUR ", " FOUR ", " FOUR
#define WITH_KEYS "WITH wanted (key) AS (VALUES " SIXTEEN ", " SIXTEEN ") "

int jobs_by_keys(struct store *store, const int64_t *keys, size_t n,
	struct arena *scratch, int (*each)(struct job *, void *arg), void *arg)
{
	struct query q;
	struct job job;
	int rc = 0;

	if (n > JOBS_AT_ONCE)
		BUG("%zu jobs at once", n);
	if (query_open_members(&q, store, &job_members,
		    WITH_KEYS SELECT_COLUMNS " FROM wanted w"
			" CROSS JOIN job j ON j.key = w.key"))
		return -1;
	for (size_t i = 0; i < JOBS_AT_ONCE; i++)
		query_put_int(&q, (int)i + 1, i < n ? keys[i] : 0);
	for (size_t i = 0; !rc && query_row(&q); i++) {
		arena_reset(scratch);
		read_job(&q, &job, scratch);
		while (i < n && keys[i] != job.key)
			i++;
		if (i == n)
			BUG("job %" PRId64 " is not in its turn", job.key);
		rc = each(&job, arg);
	}
	return query_close(&q) ? -1 : rc;
}

int job_find_run(struct store *store, int64_t cluster, uint32_t id,
	int64_t when, struct arena *arena, struct job *job)
{
	return find_job(store, arena, job,
		" WHERE j.cluster = :cluster AND j.id = :id AND j.start > 0"
		" AND (j.start <= :at OR :at = 0)"
		" ORDER BY j.start DESC LIMIT 1",
		bind_int(":cluster", cluster), bind_int(":id", id),
		bind_int(":at", when));
}

static int put_row(struct store *store, struct job *job)
{
	struct query q;

	if (query_open_record(&q, store, &job_members, job,
		    "INSERT INTO job (modified, {columns})"
		    " VALUES (:modified, {:columns})"
		    " ON CONFLICT (cluster, id, submit) DO UPDATE SET"
		    " modified = excluded.modified, {columns = excluded}"
		    " RETURNING key"))
		return -1;
	query_bind_int(&q, ":modified", store->now);
	if (query_row(&q))
		job->key = query_int(&q, 0);
	return query_run(&q);
}

static bool same_charge(const struct job *a, const struct job *b)
{
	double billing = a->billing - b->billing;
	double factor = a->usage_factor - b->usage_factor;

	return a->assoc == b->assoc && a->qos == b->qos &&
	       a->part_qos == b->part_qos && a->start == b->start &&
	       a->end == b->end && !(billing < 0) && !(billing > 0) &&
	       !(factor < 0) && !(factor > 0) &&
	       tres_list_same(&a->tres_alloc, &b->tres_alloc);
}

int job_write(struct store *store, struct usage_bulk *usage, struct job *job,
	const struct job *old)
{
	const bool same = old && same_charge(old, job);
	int64_t epoch;

	/* Before the row is there: another policy makes usage anew of rows. */
	if ((!same && usage_bulk_epoch(usage, &epoch)) || put_row(store, job))
		return -1;
	if (same)
		return 0;
	return any_failed((old && usage_bulk_add(usage, old, -1)) ||
			  usage_bulk_add(usage, job, 1));
}

static int save(struct store *store, struct usage_bulk *usage, struct job *job,
	struct arena *scratch)
{
	struct job old;
	int found = job_find(
		store, job->cluster, job->id, job->submit, scratch, &old);

	if (found < 0)
		return -1;
	if (found && old.assoc == job->assoc)
		job->usage_epoch = old.usage_epoch;
	else if (usage_bulk_epoch(usage, &job->usage_epoch))
		return -1;
	return any_failed(job_write(store, usage, job, found ? &old : NULL) ||
			  usage_bulk_write(usage));
}

int job_save(struct store *store, const struct policy *policy, struct job *job)
{
	struct usage_bulk *usage = usage_bulk_open(store, policy, NULL);
	SCRATCH_ARENA(scratch);
	int rc = save(store, usage, job, &scratch);

	usage_bulk_close(usage);
	return rc;
}

int job_any(struct store *store, const char *cluster, int64_t since)
{
	return store_has(store,
		"WITH c AS (SELECT id FROM cluster WHERE name = :cluster)"
		" SELECT 1 FROM c JOIN job j ON +j.cluster = c.id"
		" WHERE j.end IS NULL UNION ALL"
		" SELECT 1 FROM c JOIN job j ON +j.cluster = c.id"
		" WHERE j.end >= :since LIMIT 1",
		bind_text(":cluster", cluster), bind_int(":since", since));
}

uint32_t job_next_id(struct store *store, int64_t cluster)
{
	int64_t id = 0;

	if (store_ask(store,
		    "SELECT coalesce(max(id), 0) + 1 FROM job"
		    " WHERE cluster = :cluster",
		    &id, bind_int(":cluster", cluster)))
		return 0;
	if (id >= NO_VAL &&
		store_ask(store,
			"SELECT id + 1 FROM job j WHERE cluster = :cluster"
			" AND NOT EXISTS (SELECT 1 FROM job"
			" WHERE cluster = j.cluster AND id = j.id + 1)"
			" ORDER BY id LIMIT 1",
			&id, bind_int(":cluster", cluster)))
		return 0;
	if (id < NO_VAL)
		return (uint32_t)id;
	err_set(store->err, ERR_STORE, "every job id is in use");
	return 0;
}

/* ---- many jobs ---------------------------------------------------------- */

/* Both indexes begin with the cluster. */
#define KEYS_BY "SELECT key FROM job WHERE cluster IN (SELECT id FROM cluster)"

static void id_list(struct where *where, const struct job_ref *ids, size_t n)
{
	where_add(where, " IN (");
	for (size_t i = 0; i < n; i++)
		if (ids[i].task == NO_VAL)
			where_add(where, "%" PRIu32 ", ", ids[i].id);
	where_add(where, "-1)");
}

static void where_ids(struct where *where, const struct job_ref *ids, size_t n)
{
	if (!n)
		return;
	where_add(where, " AND j.key IN (" KEYS_BY " AND id");
	id_list(where, ids, n);
	where_add(where, " UNION " KEYS_BY " AND array_job <> 0"
			 " AND array_job");
	id_list(where, ids, n);
	where_add(where, " UNION SELECT key FROM (SELECT -1 AS id, -1 AS task"
			 " UNION VALUES (-1, -1)");
	for (size_t i = 0; i < n; i++)
		if (ids[i].task != NO_VAL)
			where_add(where, ", (%" PRIu32 ", %" PRIu32 ")",
				ids[i].id, ids[i].task);
	where_add(where, ") w CROSS JOIN job t ON t.cluster IN"
			 " (SELECT id FROM cluster) AND t.array_job <> 0"
			 " AND t.array_job = w.id AND t.array_task = w.task");
	where_add(where, ")");
}

/* In the order of job_each, or in any. */
static void select_jobs(struct where *where, const struct job_cond *cond,
	bool in_order, struct arena *arena)
{
	where_members(where, SELECT_JOB, &job_members, arena);
	if (cond->cluster)
		where_add(where, " AND +j.cluster = %" PRId64, cond->cluster);
	if (cond->open)
		where_add(where, " AND j.end IS NULL");
	if (cond->from)
		where_add(where, " AND (j.end IS NULL OR j.end >= %" PRId64 ")",
			cond->from);
	if (cond->until)
		where_add(where, " AND j.submit < %" PRId64, cond->until);
	if (cond->states)
		where_add(where, " AND 1 << (j.state & %d) & %" PRIu32,
			JOB_BASE_MASK, cond->states);
	where_ids(where, cond->ids, cond->n_ids);
	where_one_of(where, "j.user", &cond->users);
	where_one_of(where, "j.account", &cond->accounts);
	where_one_of(where, "j.wckey", &cond->wckeys);
	if (in_order)
		where_add(where,
			" ORDER BY j.submit, coalesce(nullif(j.array_job, 0),"
			" j.id), j.array_task, j.id");
}

int job_each_row(struct query *q, struct arena *scratch, job_read *read,
	int (*each)(const struct job *, void *arg), void *arg)
{
	struct job job;
	int rc = 0;

	while (!rc && query_row(q)) {
		arena_reset(scratch);
		read(q, &job, scratch);
		rc = each(&job, arg);
	}
	return query_close(q) ? -1 : rc;
}

static int open_jobs(struct query *q, struct store *store,
	const struct job_cond *cond, bool in_order, struct arena *arena)
{
	struct where where;

	select_jobs(&where, cond, in_order, arena);
	return where_open(&where, q, store);
}

int job_each(struct store *store, const struct job_cond *cond,
	struct arena *scratch, int (*each)(const struct job *, void *arg),
	void *arg)
{
	struct query q;

	if (open_jobs(&q, store, cond, true, scratch))
		return -1;
	return job_each_row(&q, scratch, read_job, each, arg);
}

/* Room for a whole queue at once: the list would be copied again and again. */
static int make_room(struct store *store, const struct job_cond *cond,
	struct arena *arena, struct job_list *list)
{
	struct query q;

	*list = (struct job_list){0};
	if (!cond->open || cond->n_ids || cond->users.n || cond->accounts.n)
		return 0;
	if (query_open(&q, store, "SELECT count(*) FROM job WHERE end IS NULL"))
		return -1;
	if (query_row(&q))
		list->cap = (size_t)query_int(&q, 0);
	list->v = arena_array(arena, list->cap, sizeof(*list->v));
	return query_close(&q);
}

/* As SQL has it: without a task before all that have one. */
static int64_t task_rank(const struct job *job)
{
	return job->array_task == NO_VAL     ? -2
	       : job->array_task == INFINITE ? -1
					     : (int64_t)job->array_task;
}

static int compare_jobs(const void *a, const void *b)
{
	const struct job *x = a, *y = b;
	const int64_t keys[][2] = {
		{x->submit, y->submit},
		{x->array_job ? x->array_job : x->id,
			y->array_job ? y->array_job : y->id},
		{task_rank(x), task_rank(y)},
		{x->id, y->id},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

/* Mostly they are, and SQLite would sort all that is read of them. */
static bool in_order(const struct job_list *list)
{
	for (size_t i = 1; i < list->n; i++)
		if (compare_jobs(&list->v[i - 1], &list->v[i]) > 0)
			return false;
	return true;
}

int job_load(struct store *store, const struct job_cond *cond,
	struct arena *arena, struct job_list *list)
{
	struct query q;

	if (make_room(store, cond, arena, list))
		return -1;
	if (open_jobs(&q, store, cond, false, arena))
		return -1;
	while (query_row(&q))
		read_job(&q, ARENA_PUSH(arena, list->v, list->n, list->cap),
			arena);
	if (!in_order(list))
		qsort(list->v, list->n, sizeof(*list->v), compare_jobs);
	return query_close(&q);
}

#define OPEN_JOBS                                                              \
	"SELECT key, cluster, id, user, account, qos, wckey FROM job"          \
	" WHERE end IS NULL AND "

static int jobs_open_of(struct store *store, const char *sql, int64_t key,
	struct arena *arena, struct job_list *list)
{
	struct query q;

	*list = (struct job_list){0};
	if (query_open_members(&q, store, &job_members, sql))
		return -1;
	query_bind_int(&q, ":key", key);
	while (query_row(&q))
		job_read_some(&q,
			ARENA_PUSH(arena, list->v, list->n, list->cap), arena);
	return query_close(&q);
}

int jobs_open_of_assoc(struct store *store, int64_t assoc, struct arena *arena,
	struct job_list *list)
{
	return jobs_open_of(store, OPEN_JOBS "assoc = :key ORDER BY id", assoc,
		arena, list);
}

int jobs_open_of_qos(struct store *store, uint32_t qos, struct arena *arena,
	struct job_list *list)
{
	return jobs_open_of(
		store, OPEN_JOBS "qos = :key ORDER BY id", qos, arena, list);
}
