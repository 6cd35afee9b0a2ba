#include "db/job/history.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "common/text/hostlist.h"
#include "common/text/sluid.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/rows/where.h"
#include "db/store/jobindex.h"
#include "db/store/query.h"

/* ---- conditions ----------------------------------------------------------*/

/* States of which one alone says when the job must have ended. */
static bool only_final(const struct history_cond *cond)
{
	uint32_t open = JOB_STATE_BIT(JOB_PENDING) |
			JOB_STATE_BIT(JOB_RUNNING) |
			JOB_STATE_BIT(JOB_SUSPENDED);

	return (cond->states || cond->state_flags) && !(cond->states & open);
}

static void state_pending(struct where *w, const struct history_cond *cond)
{
	where_add(w,
		" OR (eligible < %" PRId64
		" AND CASE WHEN start THEN start > %" PRId64
		" WHEN end THEN end > %" PRId64 " ELSE (state & 255) = 0 END)",
		cond->until, cond->from, cond->from);
}

static void state_running(struct where *w, const struct history_cond *cond)
{
	where_add(w,
		" OR (start < %" PRId64 " AND CASE WHEN end THEN end > %" PRId64
		" ELSE (state & 255) = 1 END)",
		cond->until, cond->from);
}

/* Suspended still, in an interval, or at an unknown time. */
static void state_suspended(struct where *w, const struct history_cond *cond)
{
	where_add(w,
		" OR suspended_since < %" PRId64
		" OR (suspended > 0 AND start < %" PRId64
		" AND (EXISTS (SELECT 1 FROM suspension s WHERE s.job = key"
		" AND s.start < %" PRId64 " AND s.end > %" PRId64 ")"
		" OR suspended > (SELECT coalesce(sum(s.end - s.start), 0)"
		" FROM suspension s WHERE s.job = key)))",
		cond->until, cond->until, cond->until, cond->from);
}

static void state_final(
	struct where *w, const struct history_cond *cond, uint32_t state)
{
	uint32_t mask = state & ~(uint32_t)JOB_BASE_MASK ? state : UINT32_MAX;

	where_add(w,
		" OR ((state & %" PRIu32 ") = %" PRIu32
		" AND end BETWEEN %" PRId64 " AND %" PRId64 ")",
		mask, state, cond->from, cond->until);
}

static void where_states(struct where *w, const struct history_cond *cond)
{
	static const uint32_t flags[] = {
		JOB_REQUEUED, JOB_RESIZING, JOB_REVOKED};

	where_add(w, " AND (0");
	for (uint32_t state = 0; state < JOB_BASE_STATES; state++) {
		if (!(cond->states & JOB_STATE_BIT(state)))
			continue;
		if (state == JOB_PENDING)
			state_pending(w, cond);
		else if (state == JOB_RUNNING)
			state_running(w, cond);
		else if (state == JOB_SUSPENDED)
			state_suspended(w, cond);
		else
			state_final(w, cond, state);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (cond->state_flags & flags[i])
			state_final(w, cond, flags[i]);
	where_add(w, ")");
}

/* Numbers go into the text of the statement; any other word becomes 0 and
 * matches nothing. */
static void number_list(struct where *w, const struct strv *numbers)
{
	where_add(w, "(-1");
	for (size_t i = 0; i < numbers->n; i++)
		where_add(w, ", %lld", strtoll(numbers->v[i], NULL, 10));
	where_add(w, ")");
}

static void word_list(struct where *w, const struct strv *words)
{
	where_add(w, "(");
	for (size_t i = 0; i < words->n; i++) {
		where_add(w, i ? ", ?" : "?");
		strv_push(&w->binds, w->arena, words->v[i]);
	}
	where_add(w, ")");
}

/* By name, or by number where only that is known. */
static void where_who(struct where *w, const char *name,
	const struct strv *names, const char *number,
	const struct strv *numbers)
{
	if (!numbers->n) {
		where_one_of(w, name, names);
		return;
	}
	where_add(w, " AND (%s IN ", name);
	word_list(w, names);
	where_add(w, " OR %s IN ", number);
	number_list(w, numbers);
	where_add(w, ")");
}

/* A job that waits may name several partitions. In any case, too. */
static void where_partitions(struct where *w, const struct strv *names)
{
	if (!names->n)
		return;
	where_add(w, " AND (0");
	for (size_t i = 0; i < names->n; i++) {
		where_add(w, " OR instr(',' || lower(partition) || ',',"
			     " ',' || lower(?) || ',')");
		strv_push(&w->binds, w->arena, names->v[i]);
	}
	where_add(w, ")");
}

static void where_range(struct where *w, const char *column,
	const struct history_range *range)
{
	uint32_t max = range->max ? range->max : range->min;

	if (range->min || range->max)
		where_add(w, " AND %s BETWEEN %" PRIu32 " AND %" PRIu32, column,
			range->min, max);
}

static void where_private(struct where *w, const struct history_cond *cond)
{
	if (!cond->only_user)
		return;
	where_add(w, " AND (user = ? OR account IN ");
	strv_push(&w->binds, w->arena, cond->only_user);
	word_list(w, &cond->only_accounts);
	where_add(w, ")");
}

static void where_limits(struct where *w, const struct history_cond *cond)
{
	struct history_range limit = {cond->limit_min, cond->limit_max};

	if (limit.min == INFINITE)
		where_add(w, " AND time_limit = -1");
	else if (limit.min && limit.max == INFINITE)
		where_add(w,
			" AND (time_limit >= %" PRIu32 " OR time_limit = -1)",
			limit.min);
	else if (limit.min)
		where_range(w, "time_limit", &limit);
}

/* `free`: no index is to begin with it (a `+` before the column). */
static void where_clusters(
	struct where *w, const struct history_cond *cond, bool free)
{
	where_add(w, " AND %sj.cluster IN (", free ? "+" : "");
	if (!cond->n_clusters)
		where_add(w, "SELECT id FROM cluster)");
	if (!cond->n_clusters)
		return;
	where_add(w, "-1");
	for (size_t i = 0; i < cond->n_clusters; i++)
		where_add(w, ", %" PRId64, cond->clusters[i]);
	where_add(w, ")");
}

/* Everything but the cluster, the number, and `end` against `from`, of the job of
 * the innermost SELECT around it. */
static void where_facts(struct where *w, const struct history_cond *cond)
{
	if (cond->states || cond->state_flags)
		where_states(w, cond);
	else
		where_add(w, " AND %s < %" PRId64,
			cond->n_refs ? "submit" : "eligible", cond->until);
	if (!cond->duplicates && !(cond->state_flags & JOB_REVOKED))
		where_add(w, " AND (state & %d) = 0", JOB_REVOKED);
	where_who(w, "user", &cond->users, "uid", &cond->uids);
	where_who(w, "grp", &cond->groups, "gid", &cond->gids);
	where_one_of(w, "account", &cond->accounts);
	/* Whatever the case of the letters is, as Slurm's database has it. */
	where_one_of(w, "name COLLATE NOCASE", &cond->names);
	where_one_of(w, "wckey COLLATE NOCASE", &cond->wckeys);
	where_partitions(w, &cond->partitions);
	/* One that was never set is None. */
	where_one_of(
		w, "coalesce(nullif(reason, ''), 'None')", &cond->reasons);
	for (size_t i = 0; i < cond->constraints.n; i++) {
		where_add(w, " AND instr(constraints, ?)");
		strv_push(&w->binds, w->arena, cond->constraints.v[i]);
	}
	where_range(w, "nodes_alloc", &cond->n_nodes);
	where_limits(w, cond);
	where_private(w, cond);
	if (cond->flags)
		where_add(w, " AND (flags & %" PRIu32 ")", cond->flags);
	else if (cond->no_flags)
		where_add(w, " AND flags = 0");
	if (cond->qos.n) {
		where_add(w, " AND qos IN ");
		number_list(w, &cond->qos);
	}
	if (cond->assocs.n) {
		where_add(w, " AND assoc IN (SELECT key FROM assoc WHERE id IN ");
		number_list(w, &cond->assocs);
		where_add(w, ")");
	}
}

/* The newest submission of a number; the pieces of one that was resized. */
static void where_newest(struct where *w, const struct history_cond *cond)
{
	if (cond->duplicates)
		return;
	where_add(w,
		" AND ((j.state & %d) OR NOT EXISTS (SELECT 1 FROM job n"
		" WHERE n.cluster = j.cluster AND n.id = j.id"
		" AND n.submit > j.submit"
		" AND (n.end IS NULL OR n.end >= %" PRId64 ")",
		JOB_RESIZING, cond->from);
	where_facts(w, cond);
	where_add(w, "))");
}

/* ---- jobs by number ------------------------------------------------------*/

/* Every index of numbers begins with the cluster. */
#define KEYS_BY "SELECT key FROM job WHERE cluster IN (SELECT id FROM cluster)"
#define OF_CLUSTER "t.cluster IN (SELECT id FROM cluster)"

static void plain_ids(struct where *w, const struct history_cond *cond)
{
	where_add(w, " IN (-1");
	for (size_t i = 0; i < cond->n_refs; i++)
		if (!cond->refs[i].sluid && cond->refs[i].task == NO_VAL &&
			cond->refs[i].offset == NO_VAL)
			where_add(w, ", %" PRIu32, cond->refs[i].id);
	where_add(w, ")");
}

static void task_refs(struct where *w, const struct history_cond *cond)
{
	where_add(w, " UNION SELECT t.key FROM (SELECT -1 AS id, -1 AS task,"
		     " -1 AS last UNION ALL VALUES (-1, -1, -1)");
	for (size_t i = 0; i < cond->n_refs; i++)
		if (cond->refs[i].task != NO_VAL)
			where_add(w,
				", (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")",
				cond->refs[i].id, cond->refs[i].task,
				cond->refs[i].last);
	where_add(w, ") w CROSS JOIN job t ON " OF_CLUSTER
		     " AND t.array_job <> 0 AND t.array_job = w.id"
		     " AND (t.array_task BETWEEN w.task AND w.last"
		     " OR t.array_tasks <> '')");
}

static void het_refs(struct where *w, const struct history_cond *cond)
{
	where_add(w, " UNION SELECT t.key FROM (SELECT -1 AS id, -1 AS place"
		     " UNION ALL VALUES (-1, -1)");
	for (size_t i = 0; i < cond->n_refs; i++)
		if (cond->refs[i].offset != NO_VAL)
			where_add(w, ", (%" PRIu32 ", %" PRIu32 ")",
				cond->refs[i].id, cond->refs[i].offset);
	where_add(w, ") w CROSS JOIN job t ON " OF_CLUSTER
		     " AND t.het_job <> 0 AND t.het_job = w.id"
		     " AND t.het_offset = w.place");
}

/* What a SLUID is made of: see common/text/sluid.c. */
static void sluid_refs(struct where *w, const struct history_cond *cond)
{
	where_add(w, " UNION SELECT t.key FROM (SELECT -1 AS submit, -1 AS ms,"
		     " -1 AS low UNION ALL VALUES (-1, -1, -1)");
	for (size_t i = 0; i < cond->n_refs; i++) {
		uint64_t ms = cond->refs[i].sluid >> 10 & 0x7ffffffffff;

		if (cond->refs[i].sluid)
			where_add(w,
				", (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")",
				ms / 1000, ms % 1000,
				cond->refs[i].sluid & 0x3ff);
	}
	where_add(w, ") w CROSS JOIN job t ON t.submit = w.submit"
		     " AND (t.id & 1023) = w.low"
		     " AND (t.id >> 10) %% 1000 = w.ms");
}

static void all_components(struct where *w, const struct history_cond *cond)
{
	where_add(w, " UNION SELECT t.key FROM job c CROSS JOIN job t"
		     " ON t.cluster = c.cluster AND t.het_job <> 0"
		     " AND t.het_job = c.het_job"
		     " WHERE c.cluster IN (SELECT id FROM cluster)"
		     " AND c.het_job <> 0 AND c.id");
	plain_ids(w, cond);
}

static void where_refs(struct where *w, const struct history_cond *cond)
{
	where_add(w, " AND j.key IN (" KEYS_BY " AND id");
	plain_ids(w, cond);
	where_add(w, " UNION " KEYS_BY " AND array_job <> 0 AND array_job");
	plain_ids(w, cond);
	if (!cond->leader_only) {
		where_add(w, " UNION " KEYS_BY " AND het_job <> 0 AND het_job");
		plain_ids(w, cond);
	}
	task_refs(w, cond);
	het_refs(w, cond);
	sluid_refs(w, cond);
	if (cond->whole_het)
		all_components(w, cond);
	where_add(w, ")");
}

/* ---- the query -----------------------------------------------------------*/

#define ORDER "submit, array_job, coalesce(array_task, 4294967294), id"
#define KEYS "SELECT j.key, submit, array_job, array_task, id FROM job j"

static void rest_of(struct where *w, const struct history_cond *cond)
{
	where_clusters(w, cond, cond->n_refs);
	where_facts(w, cond);
	where_newest(w, cond);
}

/* Jobs by number: the numbers find them. */
static void by_number(
	struct where *w, const struct history_cond *cond, struct arena *arena)
{
	where_init(w, KEYS, arena);
	where_refs(w, cond);
	where_add(w, " AND (+j.end IS NULL OR +j.end >= %" PRId64 ")",
		cond->from);
	rest_of(w, cond);
	where_add(w, " ORDER BY " ORDER);
}

/* All jobs are looked at: in order of the index nothing needs to be sorted. */
static void by_submit(struct where *w, const struct history_cond *cond,
	const char *keys, struct arena *arena)
{
	where_init(w, keys, arena);
	where_add(
		w, " AND (j.end IS NULL OR j.end >= %" PRId64 ")", cond->from);
	rest_of(w, cond);
	where_add(w, " ORDER BY " ORDER);
}

static void next_part(struct where *w, const char *index)
{
	where_add(w, " UNION ALL " KEYS " INDEXED BY %s WHERE 1", index);
}

/* What ended since, and what has not ended: two ranges of one index. `owner`
 * adds what the index begins with. */
static void both_ranges(struct where *w, const struct history_cond *cond,
	const char *index,
	void (*owner)(struct where *, const struct history_cond *))
{
	where_add(w, " AND j.end >= %" PRId64, cond->from);
	if (only_final(cond))
		where_add(w, " AND j.end <= %" PRId64, cond->until);
	owner(w, cond);
	rest_of(w, cond);
	if (only_final(cond))
		return;
	next_part(w, index);
	where_add(w, " AND j.end IS NULL");
	owner(w, cond);
	rest_of(w, cond);
}

static void of_anybody(struct where *w, const struct history_cond *cond)
{
	(void)w, (void)cond;
}

/* Jobs have the users and accounts of their associations. */
static void of_associations(struct where *w, const struct history_cond *cond)
{
	where_add(w, " AND j.assoc IN (SELECT a.key FROM assoc a WHERE 1");
	where_one_of(w, "a.user", &cond->users);
	where_one_of(w, "a.account", &cond->accounts);
	where_add(w, ")");
}

/* rest_of names the user or account. */
static void of_nobody(struct where *w, const struct history_cond *cond)
{
	(void)cond;
	where_add(w, " AND j.assoc IS NULL");
}

/* The index that narrows most; each goes on with `end`. */
static void by_end(
	struct where *w, const struct history_cond *cond, struct arena *arena)
{
	bool of_users = cond->users.n && !cond->uids.n;
	bool owned = of_users || cond->accounts.n;
	const char *index = owned ? "job_assoc" : "job_end";

	where_init(w,
		arena_printf(arena, "SELECT key FROM (" KEYS " INDEXED BY %s",
			index),
		arena);
	both_ranges(w, cond, index, owned ? of_associations : of_anybody);
	if (owned) {
		index = of_users ? "job_user" : "job_account";
		next_part(w, index);
		both_ranges(w, cond, index, of_nobody);
	}
	where_add(w, ") ORDER BY " ORDER);
}

/* While an import fills the store there are no indexes to be named. */
static int build(struct store *store, const struct history_cond *cond,
	struct arena *arena, struct where *w)
{
	int older = 1, missing = job_index_missing(store);

	if (missing < 0)
		return -1;
	/* Is there anything before `from`? -1 on errors. */
	if (!missing && !cond->n_refs && !cond->users.n && !cond->accounts.n &&
		!only_final(cond))
		older = store_has(store,
			"SELECT 1 FROM job WHERE submit < :from LIMIT 1",
			bind_int(":from", cond->from));
	if (older < 0)
		return -1;
	if (cond->n_refs)
		by_number(w, cond, arena);
	else if (missing)
		by_submit(w, cond, KEYS, arena);
	else if (!older)
		by_submit(w, cond, KEYS " INDEXED BY job_submit", arena);
	else
		by_end(w, cond, arena);
	return 0;
}

int history_prepare(struct store *store)
{
	return store_sort_in_files(store, 8192);
}

/* ---- rows ----------------------------------------------------------------*/

/* Have both of two runs of numbers, each with its step, one in common? */
static bool meet(const struct history_ref *ref, unsigned long first,
	unsigned long last, unsigned long every)
{
	unsigned long low = ref->task > first ? ref->task : first;
	unsigned long high = ref->last < last ? ref->last : last;
	unsigned long n = low;

	/* The finer one is walked; within so many steps both fall together. */
	if (ref->every > every && n < high)
		n += (ref->every - (n - ref->task) % ref->every) % ref->every;
	else if (n < high)
		n += (every - (n - first) % every) % every;
	for (unsigned long step = ref->every > every ? ref->every : every;
		n <= high; n += step)
		if ((n - first) % every == 0 &&
			(n - ref->task) % ref->every == 0)
			return true;
	return false;
}

/* Is one of the tasks in a list such as "1-10,12%2" or "0-20:5"? */
static bool in_tasks(const char *tasks, const struct history_ref *ref)
{
	struct task_run run;

	while (task_run_next(&tasks, &run))
		if (meet(ref, run.first, run.last, run.step ? run.step : 1))
			return true;
	return false;
}

/* Does the reference mean this job? (The query has judged most of it.) */
static bool means(const struct history_ref *ref, const struct job *job)
{
	if (ref->sluid)
		return ref->sluid ==
		       sluid_make(job->cluster, job->id, job->submit);
	if (ref->id != job->id && ref->id != job->array_job &&
		ref->id != job->het_job)
		return false;
	if (ref->offset != NO_VAL)
		return ref->offset == job->het_offset;
	return ref->task == NO_VAL ||
	       (job->array_task != NO_VAL &&
		       meet(ref, job->array_task, job->array_task, 1)) ||
	       in_tasks(job->array_tasks, ref);
}

static bool meant(const struct history_cond *cond, const struct job *job)
{
	bool any = !cond->n_refs || cond->whole_het;

	for (size_t i = 0; !any && i < cond->n_refs; i++)
		any = means(&cond->refs[i], job);
	return any;
}

/* As in Slurm, which looks for the last "1=" in "1=4,2=8000,1001=2": the count
 * of the last TRES whose number ends in 1. */
static uint64_t counted_cpus(const struct tres_list *list)
{
	uint64_t cpus = NO_VAL64;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].id % 10 == TRES_CPU)
			cpus = list->v[i].count;
	return cpus;
}

static bool has_cpus(const struct history_range *range, const struct job *job)
{
	uint64_t cpus = counted_cpus(&job->tres_alloc);
	uint64_t max = range->max ? range->max : range->min;

	if (!range->min && !range->max)
		return true;
	return cpus < NO_VAL64 && cpus >= range->min && cpus <= max;
}

/* ---- steps ---------------------------------------------------------------*/

/* Is the job asked for as a whole, or only steps of it? */
static bool asks_whole(const struct history_cond *cond, const struct job *job)
{
	bool some = false;

	for (size_t i = 0; i < cond->n_refs; i++) {
		if (!means(&cond->refs[i], job))
			continue;
		if (cond->refs[i].step == HISTORY_ALL)
			return true;
		some = true;
	}
	return !some;
}

static bool step_wanted(const struct history_cond *cond,
	const struct history_row *row, const struct step *step,
	struct arena *scratch)
{
	bool any = row->whole;

	if (step->start > cond->until || (step->end && step->end < cond->from))
		return false;
	for (size_t i = 0; !any && i < cond->n_refs; i++)
		any = cond->refs[i].step == step->id &&
		      means(&cond->refs[i], &row->job);
	return any && hostlist_meets(step->nodelist, &cond->nodes, scratch);
}

static int load_steps(struct store *store, const struct history_cond *cond,
	struct history_row *row, struct arena *scratch)
{
	size_t n = 0;

	row->whole = true;
	if (!cond->steps)
		return 0;
	row->whole = asks_whole(cond, &row->job);
	if ((cond->plain_steps ? step_load_plain : step_load)(
		    store, row->job.key, scratch, &row->steps))
		return -1;
	for (size_t i = 0; i < row->steps.n; i++)
		if (step_wanted(cond, row, &row->steps.v[i], scratch))
			row->steps.v[n++] = row->steps.v[i];
	row->steps.n = n;
	return 0;
}

struct history_reading {
	struct store *store;
	const struct history_cond *cond;
	struct arena *scratch;
	int (*each)(struct history_row *, void *arg);
	void *arg;
};

static int one_row(struct job *job, void *arg)
{
	const struct history_reading *r = arg;
	struct history_row row = {.job = *job, .whole = true};

	if (!(meant(r->cond, job) && has_cpus(&r->cond->n_cpus, job) &&
		    hostlist_meets(job->nodelist, &r->cond->nodes, r->scratch)))
		return 0;
	if (load_steps(r->store, r->cond, &row, r->scratch))
		return -1;
	return row.whole || row.steps.n ? r->each(&row, r->arg) : 0;
}

static int read_rows(struct history_reading *r, struct query *q)
{
	int64_t keys[JOBS_AT_ONCE];
	size_t n;
	int rc;

	do {
		for (n = 0; n < JOBS_AT_ONCE && query_row(q); n++)
			keys[n] = query_int(q, 0);
		rc = jobs_by_keys(r->store, keys, n, r->scratch, one_row, r);
	} while (!rc && n == JOBS_AT_ONCE);
	return rc;
}

int history_each(struct store *store, const struct history_cond *cond,
	struct arena *scratch, int (*each)(struct history_row *, void *arg),
	void *arg)
{
	struct history_reading reading = {store, cond, scratch, each, arg};
	struct where where;
	struct query q;
	int rc;

	if (build(store, cond, scratch, &where) ||
		where_open(&where, &q, store))
		return -1;
	rc = read_rows(&reading, &q);
	return query_close(&q) ? -1 : rc;
}

int history_explain(struct store *store, const struct history_cond *cond,
	struct arena *arena, struct strv *lines)
{
	struct where where;
	struct query q;

	if (build(store, cond, arena, &where) ||
		query_open_text(&q, store,
			arena_printf(arena, "EXPLAIN QUERY PLAN %s",
				where_text(&where))))
		return -1;
	query_bind_words(&q, 1, &where.binds);
	while (query_row(&q))
		strv_push(lines, arena, query_text(&q, 3));
	return query_close(&q);
}

/* ---- PrivateData --------------------------------------------------------- */

int history_privacy(
	struct history_cond *cond, struct site *site, struct arena *arena)
{
	struct privacy privacy;

	if (privacy_open(&privacy, site, PRIVATE_JOBS, arena))
		return -1;
	cond->only_user = privacy.on ? privacy.caller : NULL;
	cond->only_accounts = privacy.coordinated;
	return 0;
}

/* ---- names ---------------------------------------------------------------*/

int history_assoc(struct store *store, int64_t key, struct arena *arena,
	struct history_assoc *assoc)
{
	struct query q;

	*assoc = (struct history_assoc){.partition = ""};
	if (!key)
		return 0;
	if (query_open(&q, store,
		    "SELECT id, partition FROM assoc WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	if (query_row(&q)) {
		assoc->id = (uint32_t)query_int(&q, 0);
		assoc->partition = query_strdup(&q, 1, arena);
	}
	return query_close(&q);
}

int history_wckey(struct store *store, int64_t cluster, const char *user,
	const char *name, uint32_t *id)
{
	int64_t found = 0;
	int rc = 0;

	if (*name)
		rc = store_ask(store,
			"SELECT id FROM wckey WHERE cluster = :cluster"
			" AND user = :user AND name = :name",
			&found, bind_int(":cluster", cluster),
			bind_text(":user", user), bind_text(":name", name));
	*id = (uint32_t)found;
	return rc;
}

int history_reservation(
	struct store *store, const struct job *job, uint32_t *id)
{
	int64_t found = 0;
	int rc = 0;

	if (*job->reservation)
		rc = store_ask(store,
			"SELECT id FROM reservation WHERE cluster = :cluster"
			" AND name = :name ORDER BY start <= :at"
			" AND (end = 0 OR end > :at) DESC, start DESC LIMIT 1",
			&found, bind_int(":cluster", job->cluster),
			bind_text(":name", job->reservation),
			bind_int(":at", job->start));
	*id = (uint32_t)found;
	return rc;
}
