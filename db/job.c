/*
 * Jobs and steps in the store; see job.h. One list of members each gives the
 * columns, their binding and their defaults.
 */
#include "db/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/jobindex.h"
#include "db/query.h"
#include "db/row.h"
#include "db/rowtable.h"
#include "db/usage.h"

/* X(column, type, member) */
/* clang-format off */
#define JOB_MEMBERS(X) \
	X(id, COUNT, id) \
	X(submit, INT, submit) \
	X(array_job, COUNT, array_job) \
	X(array_task, SET, array_task) \
	X(array_tasks, TEXT, array_tasks) \
	X(array_max, COUNT, array_max) \
	X(het_job, COUNT, het_job) \
	X(het_offset, SET, het_offset) \
	X(user, TEXT, user) \
	X(uid, SET, uid) \
	X(gid, SET, gid) \
	X(grp, TEXT, group) \
	X(account, TEXT, account) \
	X(assoc, SOME, assoc) \
	X(wckey, TEXT, wckey) \
	X(name, TEXT, name) \
	X(partition, TEXT, partition) \
	X(qos, REF, qos) \
	X(qos_req, TEXT, qos_req) \
	X(constraints, TEXT, constraints) \
	X(licenses, TEXT, licenses) \
	X(gres, TEXT, gres) \
	X(reservation, TEXT, reservation) \
	X(work_dir, TEXT, work_dir) \
	X(submit_line, TEXT, submit_line) \
	X(container, TEXT, container) \
	X(std_in, TEXT, std_in) \
	X(std_out, TEXT, std_out) \
	X(std_err, TEXT, std_err) \
	X(cpus_req, COUNT, cpus_req) \
	X(nodes_req, COUNT, nodes_req) \
	X(mem_req, SET64, mem_req) \
	X(tres_req, TRES, tres_req) \
	X(time_limit, SET, time_limit) \
	X(time_min, SET, time_min) \
	X(eligible, SOME, eligible) \
	X(accrue, SOME, accrue) \
	X(begin, SOME, begin) \
	X(start, SOME, start) \
	X(end, SOME, end) \
	X(suspended, INT, suspended) \
	X(suspended_since, SOME, suspended_since) \
	X(state, COUNT, state) \
	X(exit_code, COUNT, exit_code) \
	X(derived_ec, COUNT, derived_ec) \
	X(comment, TEXT, comment) \
	X(admin_comment, TEXT, admin_comment) \
	X(system_comment, TEXT, system_comment) \
	X(extra, TEXT, extra) \
	X(killed_by, TEXT, killed_by) \
	X(restarts, COUNT, restarts) \
	X(failed_node, TEXT, failed_node) \
	X(flags, COUNT, flags) \
	X(nodes_alloc, COUNT, nodes_alloc) \
	X(nodelist, TEXT, nodelist) \
	X(tres_alloc, TRES, tres_alloc) \
	X(exclusive, COUNT, exclusive) \
	X(reason, TEXT, reason) \
	X(hold, COUNT, hold) \
	X(dependency, TEXT, dependency) \
	X(priority, SET, priority) \
	X(last_priority, SET, last_priority) \
	X(nice, SIGNED, nice) \
	X(site_factor, SIGNED, site_factor) \
	X(billing, REAL, billing) \
	X(usage_factor, REAL, usage_factor) \
	X(part_qos, REF, part_qos) \
	X(usage_epoch, COUNT, usage_epoch) \
	X(wall_limit, SET, wall_limit)

#define STEP_MEMBERS(X) \
	X(name, TEXT, name) \
	X(state, COUNT, state) \
	X(exit_code, COUNT, exit_code) \
	X(start, SOME, start) \
	X(end, SOME, end) \
	X(nodelist, TEXT, nodelist) \
	X(nodes, COUNT, nodes) \
	X(tasks, COUNT, tasks) \
	X(task_dist, TEXT, task_dist) \
	X(time_limit, SET, time_limit) \
	X(user_usec, COUNT64, user_usec) \
	X(sys_usec, COUNT64, sys_usec) \
	X(cpu_freq, COUNT64, cpu_freq) \
	X(energy, COUNT64, energy) \
	X(tres_alloc, TRES, tres_alloc) \
	X(max_rss, SET64, usage.max_rss) \
	X(ave_rss, SET64, usage.ave_rss) \
	X(tot_rss, SET64, usage.tot_rss) \
	X(max_vmem, SET64, usage.max_vmem) \
	X(ave_vmem, SET64, usage.ave_vmem) \
	X(max_read, SET64, usage.max_read) \
	X(ave_read, SET64, usage.ave_read) \
	X(max_write, SET64, usage.max_write) \
	X(ave_write, SET64, usage.ave_write) \
	X(max_pages, SET64, usage.max_pages) \
	X(ave_pages, SET64, usage.ave_pages) \
	X(min_cpu, SET64, usage.min_cpu) \
	X(ave_cpu, SET64, usage.ave_cpu) \
	X(max_rss_node, TEXT, usage.max_rss_node) \
	X(min_cpu_node, TEXT, usage.min_cpu_node) \
	X(max_rss_task, SET64, usage.max_rss_task) \
	X(min_cpu_task, SET64, usage.min_cpu_task) \
	X(killed_by, TEXT, killed_by) \
	X(submit_line, TEXT, submit_line)
#define JOB_ROW(column, type, member) \
	{":" #column, ROW_##type, offsetof(struct job, member)},
#define STEP_ROW(column, type, member) \
	{":" #column, ROW_##type, offsetof(struct step, member)},

#define SELECT_JOB \
	"SELECT j.key, j.cluster" JOB_MEMBERS(ROW_COMMA_PREFIXED) \
	" FROM job j"
#define UPSERT_JOB \
	"INSERT INTO job (cluster, modified" JOB_MEMBERS(ROW_COMMA_NAME) ")" \
	" VALUES (:cluster, :modified" JOB_MEMBERS(ROW_COMMA_PARAMETER) ")" \
	" ON CONFLICT (cluster, id, submit) DO UPDATE SET" \
	" modified = excluded.modified" JOB_MEMBERS(ROW_COMMA_UPDATE) \
	" RETURNING key"
#define SELECT_STEP \
	"SELECT job, id" STEP_MEMBERS(ROW_COMMA_NAME) " FROM step"
#define UPSERT_STEP \
	"INSERT OR REPLACE INTO step (job, id" STEP_MEMBERS(ROW_COMMA_NAME) \
	") VALUES (:job, :id" STEP_MEMBERS(ROW_COMMA_PARAMETER) ")"
/* clang-format on */

static const struct row_member job_members[] = {JOB_MEMBERS(JOB_ROW)};
static const struct row_member step_members[] = {STEP_MEMBERS(STEP_ROW)};

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

void job_init(struct job *job)
{
	memset(job, 0, sizeof(*job));
	row_init(job, job_members, LENGTH(job_members));
	job->cpus_req = job->nodes_req = 1;
	job->usage_factor = 1;
}

static void read_job(struct query *q, struct job *job, struct arena *arena)
{
	memset(job, 0, sizeof(*job));
	job->key = query_int(q, 0);
	job->cluster = query_int(q, 1);
	row_read(q, 2, job, job_members, LENGTH(job_members), arena);
}

int job_find(struct store *store, int64_t cluster, uint32_t id, int64_t submit,
	struct arena *arena, struct job *job)
{
	struct query q;
	int found;

	if (query_open(&q, store,
		    SELECT_JOB " WHERE j.cluster = :cluster AND j.id = :id"
			       " AND (j.submit = :submit OR :submit = 0)"
			       " ORDER BY j.submit DESC LIMIT 1"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":id", id);
	query_bind_int(&q, ":submit", submit);
	found = query_row(&q);
	if (found)
		read_job(&q, job, arena);
	return query_close(&q) ? -1 : found;
}

int job_by_key(
	struct store *store, int64_t key, struct arena *arena, struct job *job)
{
	struct query q;
	int found;

	if (query_open(&q, store, SELECT_JOB " WHERE j.key = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	found = query_row(&q);
	if (found)
		read_job(&q, job, arena);
	return query_close(&q) ? -1 : found;
}

int job_find_run(struct store *store, int64_t cluster, uint32_t id,
	int64_t when, struct arena *arena, struct job *job)
{
	struct query q;
	int found;

	if (query_open(&q, store,
		    SELECT_JOB " WHERE j.cluster = :cluster AND j.id = :id"
			       " AND j.start > 0"
			       " AND (j.start <= :at OR :at = 0)"
			       " ORDER BY j.start DESC LIMIT 1"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":id", id);
	query_bind_int(&q, ":at", when);
	found = query_row(&q);
	if (found)
		read_job(&q, job, arena);
	return query_close(&q) ? -1 : found;
}

static int write_job(
	struct store *store, struct job *job, struct arena *scratch)
{
	struct query q;

	if (query_open(&q, store, UPSERT_JOB))
		return -1;
	query_bind_int(&q, ":cluster", job->cluster);
	query_bind_int(&q, ":modified", store->now);
	row_bind(&q, job, job_members, LENGTH(job_members), scratch);
	if (query_row(&q))
		job->key = query_int(&q, 0);
	return query_run(&q);
}

static struct usage_run run_of(const struct job *job)
{
	return (struct usage_run){
		.cluster = job->cluster,
		.assoc = job->assoc,
		.epoch = job->usage_epoch,
		.qos = job->qos,
		.part_qos = job->part_qos,
		.billing = job->billing,
		.factor = job->usage_factor,
		.alloc = &job->tres_alloc,
		.start = job->start,
		.end = job->end,
	};
}

static bool same_tres(const struct tres_list *a, const struct tres_list *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].id != b->v[i].id || a->v[i].count != b->v[i].count)
			return false;
	return true;
}

static bool same_charge(const struct job *a, const struct job *b)
{
	double billing = a->billing - b->billing;
	double factor = a->usage_factor - b->usage_factor;

	return a->assoc == b->assoc && a->qos == b->qos &&
	       a->part_qos == b->part_qos && a->start == b->start &&
	       a->end == b->end && !(billing < 0) && !(billing > 0) &&
	       !(factor < 0) && !(factor > 0) &&
	       same_tres(&a->tres_alloc, &b->tres_alloc);
}

static int charge(struct store *store, const struct policy *policy,
	const struct job *job, int sign)
{
	struct usage_run run = run_of(job);

	return usage_add_run(store, policy, &run, sign);
}

static int save(struct store *store, const struct policy *policy,
	struct job *job, struct arena *scratch)
{
	struct job old;
	int found = job_find(
		store, job->cluster, job->id, job->submit, scratch, &old);
	int64_t epoch = 0;

	if (found < 0)
		return -1;
	if (found && old.assoc == job->assoc)
		epoch = old.usage_epoch;
	else if (job->assoc)
		epoch = usage_epoch(store, job->assoc);
	if (epoch < 0)
		return -1;
	job->usage_epoch = (uint32_t)epoch;
	if (found && same_charge(&old, job))
		return write_job(store, job, scratch);
	if (found && charge(store, policy, &old, -1))
		return -1;
	return write_job(store, job, scratch) || charge(store, policy, job, 1)
		       ? -1
		       : 0;
}

int job_save(struct store *store, const struct policy *policy, struct job *job)
{
	struct arena scratch;
	int rc;

	arena_init(&scratch);
	rc = save(store, policy, job, &scratch);
	arena_release(&scratch);
	return rc;
}

uint32_t job_next_id(struct store *store, int64_t cluster)
{
	struct query q;
	int64_t id = 0;

	if (query_open(&q, store,
		    "SELECT coalesce(max(id), 0) + 1 FROM job"
		    " WHERE cluster = :cluster"))
		return 0;
	query_bind_int(&q, ":cluster", cluster);
	if (query_row(&q))
		id = query_int(&q, 0);
	return query_close(&q) || id >= NO_VAL ? 0 : (uint32_t)id;
}

/* ---- many jobs ---------------------------------------------------------- */

static void where_states(struct where *where, uint32_t states)
{
	const char *sep = "";

	if (!states)
		return;
	where_add(where, " AND (j.state & %d) IN (", JOB_BASE_MASK);
	for (unsigned i = 0; i < JOB_BASE_STATES; i++) {
		if (!(states & JOB_STATE_BIT(i)))
			continue;
		where_add(where, "%s%u", sep, i);
		sep = ", ";
	}
	where_add(where, ")");
}

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

/* Pending jobs may name several partitions. */
static void where_partitions(struct where *where, const struct strv *names)
{
	if (!names->n)
		return;
	where_add(where, " AND (0");
	for (size_t i = 0; i < names->n; i++) {
		where_add(where, " OR instr(',' || j.partition || ',',"
				 " ',' || ? || ',')");
		strv_push(&where->binds, where->arena, names->v[i]);
	}
	where_add(where, ")");
}

static const char *select_jobs(
	struct where *where, const struct job_cond *cond, struct arena *arena)
{
	where_init(where, SELECT_JOB, arena);
	if (cond->cluster)
		where_add(where, " AND +j.cluster = %" PRId64, cond->cluster);
	if (cond->open)
		where_add(where, " AND j.end IS NULL");
	if (cond->from)
		where_add(where, " AND (j.end IS NULL OR j.end >= %" PRId64 ")",
			cond->from);
	if (cond->until)
		where_add(where, " AND j.submit < %" PRId64, cond->until);
	where_states(where, cond->states);
	where_ids(where, cond->ids, cond->n_ids);
	where_one_of(where, "j.user", &cond->users);
	where_one_of(where, "j.account", &cond->accounts);
	where_partitions(where, &cond->partitions);
	where_one_of(where, "j.name", &cond->names);
	where_one_of(where, "j.wckey", &cond->wckeys);
	where_one_of(where, "j.qos", &cond->qos);
	where_add(where, " ORDER BY j.submit, coalesce(nullif(j.array_job, 0),"
			 " j.id), j.array_task, j.id");
	return where_text(where);
}

static int each_row(struct query *q, struct arena *scratch,
	int (*each)(const struct job *, void *arg), void *arg)
{
	struct job job;
	int rc = 0;

	while (!rc && query_row(q)) {
		arena_reset(scratch);
		read_job(q, &job, scratch);
		rc = each(&job, arg);
	}
	return query_close(q) ? -1 : rc;
}

static int open_jobs(struct query *q, struct store *store,
	const struct job_cond *cond, struct arena *arena)
{
	struct where where;

	if (query_open_text(q, store, select_jobs(&where, cond, arena)))
		return -1;
	query_bind_words(q, 1, &where.binds);
	return 0;
}

int job_each(struct store *store, const struct job_cond *cond,
	struct arena *scratch, int (*each)(const struct job *, void *arg),
	void *arg)
{
	struct query q;

	if (open_jobs(&q, store, cond, scratch))
		return -1;
	return each_row(&q, scratch, each, arg);
}

int job_load(struct store *store, const struct job_cond *cond,
	struct arena *arena, struct job_list *list)
{
	struct query q;

	*list = (struct job_list){0};
	if (open_jobs(&q, store, cond, arena))
		return -1;
	while (query_row(&q))
		read_job(&q, ARENA_PUSH(arena, list->v, list->n, list->cap),
			arena);
	return query_close(&q);
}

/* ---- steps -------------------------------------------------------------- */

void step_init(struct step *step)
{
	memset(step, 0, sizeof(*step));
	row_init(step, step_members, LENGTH(step_members));
	step->nodes = step->tasks = 1;
	step->task_dist = "Unknown";
}

static void read_step(struct query *q, struct step *step, struct arena *arena)
{
	memset(step, 0, sizeof(*step));
	step->job = query_int(q, 0);
	step->id = (int32_t)query_int(q, 1);
	row_read(q, 2, step, step_members, LENGTH(step_members), arena);
}

int step_save(struct store *store, const struct step *step)
{
	struct arena scratch;
	struct query q;

	if (query_open(&q, store, UPSERT_STEP))
		return -1;
	arena_init(&scratch);
	query_bind_int(&q, ":job", step->job);
	query_bind_int(&q, ":id", step->id);
	row_bind(&q, step, step_members, LENGTH(step_members), &scratch);
	arena_release(&scratch);
	return query_run(&q);
}

int step_remove(struct store *store, int64_t job, int32_t id)
{
	struct query q;

	if (query_open(&q, store,
		    "DELETE FROM step WHERE job = :job AND id = :id"))
		return -1;
	query_bind_int(&q, ":job", job);
	query_bind_int(&q, ":id", id);
	return query_run(&q);
}

int step_find(struct store *store, int64_t job, int32_t id, struct arena *arena,
	struct step *step)
{
	struct query q;
	int found;

	if (query_open(&q, store, SELECT_STEP " WHERE job = :job AND id = :id"))
		return -1;
	query_bind_int(&q, ":job", job);
	query_bind_int(&q, ":id", id);
	found = query_row(&q);
	if (found)
		read_step(&q, step, arena);
	return query_close(&q) ? -1 : found;
}

int step_load(struct store *store, int64_t job, struct arena *arena,
	struct step_list *list)
{
	struct query q;

	*list = (struct step_list){0};
	if (query_open(&q, store, SELECT_STEP " WHERE job = :job ORDER BY id"))
		return -1;
	query_bind_int(&q, ":job", job);
	while (query_row(&q))
		read_step(&q, ARENA_PUSH(arena, list->v, list->n, list->cap),
			arena);
	return query_close(&q);
}

static const struct {
	int32_t id;
	const char *word;
} step_words[] = {
	{STEP_INTERACTIVE, "interactive"},
	{STEP_BATCH, "batch"},
	{STEP_EXTERN, "extern"},
};

const char *step_id_text(int32_t id, struct arena *arena)
{
	for (size_t i = 0; i < LENGTH(step_words); i++)
		if (step_words[i].id == id)
			return step_words[i].word;
	return arena_printf(arena, "%" PRId32, id);
}

int step_id_parse(const char *text, int32_t *id)
{
	char *end;
	long number;

	for (size_t i = 0; i < LENGTH(step_words); i++) {
		if (strcmp(step_words[i].word, text))
			continue;
		*id = step_words[i].id;
		return 0;
	}
	if (*text < '0' || *text > '9')
		return -1;
	number = strtol(text, &end, 10);
	if (*end || number > INT32_MAX)
		return -1;
	*id = (int32_t)number;
	return 0;
}

/* ---- many jobs in few transactions --------------------------------------- */

struct job_bulk {
	struct store *store;
	const struct policy *policy;
	struct usage_bulk *usage;
	struct row_table table; /* the jobs to be inserted */
	struct query insert, step;
	struct job blank;
	bool *used;  /* members that any job so far has set */
	bool *noted; /* of these, what `insert` writes */
	struct row_binder steps;
	struct arena arena, scratch;
};

/* clang-format off */
static const struct row_member job_columns[] = {
	{":cluster", ROW_INT, offsetof(struct job, cluster)},
	JOB_MEMBERS(JOB_ROW)
};
/* clang-format on */

struct job_bulk *job_bulk_open(struct store *store, const struct policy *policy)
{
	struct job_bulk *bulk = calloc(1, sizeof(*bulk));

	if (!bulk)
		BUG("no memory");
	bulk->store = store;
	bulk->policy = policy;
	bulk->usage = usage_bulk_open(store, policy);
	bulk->table = (struct row_table){
		.members = job_columns, .n_members = LENGTH(job_columns)};
	arena_init(&bulk->arena);
	arena_init(&bulk->scratch);
	job_init(&bulk->blank);
	bulk->used = arena_array(&bulk->arena, LENGTH(job_columns), 1);
	bulk->noted = arena_array(&bulk->arena, LENGTH(job_columns), 1);
	if (row_table_open(store, "job_rows", &bulk->table) ||
		query_open_kept(&bulk->step, store, UPSERT_STEP)) {
		job_bulk_close(bulk);
		return NULL;
	}
	row_binder_init(&bulk->steps, &bulk->step, 3, step_members,
		LENGTH(step_members), &bulk->arena);
	return bulk;
}

void job_bulk_close(struct job_bulk *bulk)
{
	if (!bulk)
		return;
	usage_bulk_close(bulk->usage);
	if (bulk->insert.stmt)
		query_close(&bulk->insert);
	if (bulk->step.stmt)
		query_close(&bulk->step);
	store_trust_bulk(bulk->store, false);
	arena_release(&bulk->arena);
	arena_release(&bulk->scratch);
	free(bulk);
}

static int with_indexes(
	struct job_bulk *bulk, int (*change)(struct store *))
{
	if (store_begin_bulk(bulk->store))
		return -1;
	if (change(bulk->store)) {
		store_rollback(bulk->store);
		return -1;
	}
	return store_commit_bulk(bulk->store);
}

int job_bulk_prepare(struct job_bulk *bulk)
{
	if (store_work_in_files(bulk->store, 24576) ||
		store_trust_bulk(bulk->store, true))
		return -1;
	return with_indexes(bulk, job_index_drop);
}

/* Sorting may take a second thread. */
int job_bulk_finish(struct job_bulk *bulk)
{
	if (store_work_in_files(bulk->store, SORT_CACHE) ||
		store_exec(bulk->store, "PRAGMA threads = 1"))
		return -1;
	return with_indexes(bulk, job_index_build);
}

/* Without roll-ups and suspensions there is nothing for the triggers to do. */
static int rolled_up(struct store *store)
{
	struct query q;
	int found;

	if (query_open(&q, store,
		    "SELECT 1 FROM rollup_state"
		    " UNION ALL SELECT 1 FROM suspension LIMIT 1"))
		return -1;
	found = query_row(&q);
	return query_close(&q) ? -1 : found;
}

int job_bulk_begin(struct job_bulk *bulk)
{
	int triggers;

	if (store_begin_bulk(bulk->store))
		return -1;
	triggers = rolled_up(bulk->store);
	if (triggers < 0 || store_triggers(bulk->store, triggers) ||
		usage_bulk_begin(bulk->usage)) {
		store_rollback(bulk->store);
		return -1;
	}
	return 0;
}

int job_bulk_commit(struct job_bulk *bulk)
{
	if (usage_bulk_write(bulk->usage) ||
		job_index_busy(bulk->store)) {
		store_rollback(bulk->store);
		return -1;
	}
	return store_commit_bulk(bulk->store);
}

static int bulk_charge(struct job_bulk *bulk, const struct job *job, int sign)
{
	struct usage_run run = run_of(job);

	return usage_bulk_add(bulk->usage, &run, sign);
}

/* ---- jobs that are new --------------------------------------------------- */

static int put_epoch(struct job_bulk *bulk, struct job *job)
{
	int64_t epoch = 0;

	if (job->assoc && usage_bulk_epoch(bulk->usage, job->assoc, &epoch))
		return -1;
	job->usage_epoch = (uint32_t)epoch;
	return 0;
}

/* Columns that no job has set have the values the schema gives them, which are
 * those of job_init: half of the work is not to be asked for them. */
static bool note_members(struct job_bulk *bulk, struct job *const *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		row_note(jobs[i], &bulk->blank, job_columns,
			LENGTH(job_columns), bulk->used);
	return memcmp(bulk->used, bulk->noted, LENGTH(job_columns)) != 0;
}

static void list_members(FILE *f, const bool *used)
{
	for (size_t i = 0; i < LENGTH(job_columns); i++)
		if (used[i])
			fprintf(f, ", %s", job_columns[i].parameter + 1);
}

static int open_insert(struct job_bulk *bulk)
{
	char *sql = NULL;
	size_t size;
	FILE *f = open_memstream(&sql, &size);
	int rc;

	if (!f)
		BUG("no memory");
	memcpy(bulk->noted, bulk->used, LENGTH(job_columns));
	if (bulk->insert.stmt)
		query_close(&bulk->insert);
	fputs("INSERT INTO job (modified", f);
	list_members(f, bulk->used);
	fputs(") SELECT :modified", f);
	list_members(f, bulk->used);
	fputs(" FROM job_rows WHERE true"
	      " ON CONFLICT (cluster, id, submit) DO NOTHING",
		f);
	fclose(f);
	rc = query_open_kept(&bulk->insert, bulk->store, sql);
	free(sql);
	if (!rc)
		query_put_int(&bulk->insert, 1, bulk->store->now);
	return rc;
}

static int newest_key(struct store *store, int64_t *key)
{
	struct query q;

	if (query_open(&q, store, "SELECT coalesce(max(key), 0) FROM job"))
		return -1;
	*key = query_row(&q) ? query_int(&q, 0) : 0;
	return query_close(&q);
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
		if (put_epoch(bulk, jobs[i]))
			return -1;
	}
	if ((note_members(bulk, jobs, n) && open_insert(bulk)) ||
		newest_key(bulk->store, &before))
		return -1;
	bulk->table.rows = (void *const *)jobs;
	bulk->table.n_rows = n;
	added = query_run_changes(&bulk->insert);
	if (added < 0 || find_added(bulk, jobs, n, added, before))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (jobs[i]->key && bulk_charge(bulk, jobs[i], 1))
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
	row_fill(job, &old, job_members, LENGTH(job_members));
	if (row_same(job, &old, job_members, LENGTH(job_members)))
		return JOB_SAME;
	if (write_job(bulk->store, job, &bulk->scratch))
		return -1;
	if (!same_charge(&old, job) && (bulk_charge(bulk, &old, -1) ||
					       bulk_charge(bulk, job, 1)))
		return -1;
	return JOB_CHANGED;
}

int job_bulk_step(struct job_bulk *bulk, const struct step *step)
{
	query_put_int(&bulk->step, 1, step->job);
	query_put_int(&bulk->step, 2, step->id);
	row_binder_put(&bulk->steps, step);
	return query_run_kept(&bulk->step) < 0 ? -1 : 0;
}

/* ---- TRES lists --------------------------------------------------------- */

static char *digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while (number /= 10);
	return end;
}

/* "4=1" and a comma in front unless it is the first; gives its length. */
static size_t pack_one(const struct tres_count *tres, bool first, char *out)
{
	char text[48], *end = text + sizeof(text), *at = digits(end, tres->count);

	*--at = '=';
	at = digits(at, tres->id);
	if (!first)
		*--at = ',';
	memcpy(out, at, (size_t)(end - at));
	return (size_t)(end - at);
}

bool tres_pack_into(const struct tres_list *list, char *text, size_t size)
{
	size_t used = 0;

	if (list->n * 32 + 1 > size)
		return false;
	for (size_t i = 0; i < list->n; i++)
		used += pack_one(&list->v[i], !i, text + used);
	text[used] = '\0';
	return true;
}

char *tres_pack(const struct tres_list *list, struct arena *arena)
{
	size_t size = list->n * 32 + 1;
	char *text = arena_alloc(arena, size);

	tres_pack_into(list, text, size);
	return text;
}

void tres_unpack(const char *text, struct arena *arena, struct tres_list *list)
{
	*list = (struct tres_list){0};
	while (*text) {
		char *end;
		unsigned long id = strtoul(text, &end, 10);
		uint64_t count;

		if (*end != '=')
			return;
		count = strtoull(end + 1, &end, 10);
		tres_list_set(list, arena, (uint32_t)id, count);
		text = *end == ',' ? end + 1 : "";
	}
}
