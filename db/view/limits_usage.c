/*
 * What is in use under limits: jobs that wait and run are counted, usage that
 * has faded comes from db/usage/usage.h.
 */
#include "db/view/limits_usage.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "db/job/accrue.h"
#include "db/job/job_rows.h"
#include "db/rows/members.h"
#include "db/usage/usage.h"

/* ---- users and accounts of a QOS -----------------------------------------*/

struct limits_whose {
	const char *name;
	struct limit_usage usage;
	UT_hash_handle hh;
};

void limits_usage_init(struct limits *limits, const struct limit_level *level,
	enum limit_tres kind, struct limit_usage *usage)
{
	*usage = (struct limit_usage){0};
	if (tres_list_get(&level->tres[kind], TRES_NODE) < NO_VAL64)
		usage->node_jobs = arena_array(limits->arena,
			limits->conf->n_nodes, sizeof(*usage->node_jobs));
}

struct limit_usage *limits_usage_of(struct limits *limits,
	struct limits_qos *qos, enum limits_whose_kind kind, const char *name)
{
	static const enum limit_tres kinds[] = {
		[WHOSE_USER] = LIMIT_PU, [WHOSE_ACCOUNT] = LIMIT_PA};
	struct limits_whose *whose;

	HASH_FIND(hh, qos->whose[kind], name, strlen(name), whose);
	if (whose)
		return &whose->usage;
	whose = arena_alloc(limits->arena, sizeof(*whose));
	whose->name = arena_strdup(limits->arena, name);
	limits_usage_init(limits, &qos->level, kinds[kind], &whose->usage);
	HASH_ADD_KEYPTR(
		hh, qos->whose[kind], whose->name, strlen(whose->name), whose);
	return &whose->usage;
}

const struct limits_whose *limits_next_whose(struct limits *limits, uint32_t qos,
	enum limits_whose_kind kind, const struct limits_whose *before,
	const char **name, const struct limit_usage **usage)
{
	const struct limits_qos *q = limits_find_qos(limits, qos);
	const struct limits_whose *next = before ? before->hh.next
					  : q	 ? q->whose[kind]
						 : NULL;

	if (next) {
		*name = next->name;
		*usage = &next->usage;
	}
	return next;
}

/* ---- the levels that a job counts in ------------------------------------- */

/* A job counts in its QOS, in its partition's, and in its association with
 * all above. */
static int each_usage(struct limits *limits, const struct job *job,
	void (*each)(struct limits *, struct limit_usage *, void *arg),
	void *arg)
{
	const uint32_t qos[] = {job->qos,
		job->part_qos == job->qos ? 0 : job->part_qos};
	struct limits_assoc *assoc = NULL;

	for (size_t i = 0; i < 2; i++) {
		struct limits_qos *q = limits_find_qos(limits, qos[i]);

		if (!q)
			continue;
		each(limits, &q->usage, arg);
		each(limits,
			limits_usage_of(limits, q, WHOSE_USER, job->user),
			arg);
		each(limits,
			limits_usage_of(
				limits, q, WHOSE_ACCOUNT, job->account),
			arg);
	}
	if (job->assoc && limits_find_assoc(limits, job->assoc, &assoc))
		return -1;
	for (; assoc; assoc = assoc->parent)
		each(limits, &assoc->usage, arg);
	return 0;
}

/* ---- submitted -----------------------------------------------------------*/

static void add_submitted(
	struct limits *limits, struct limit_usage *usage, void *arg)
{
	(void)limits;
	usage->submit += *(const uint32_t *)arg;
}

int limits_read_submitted(struct limits *limits)
{
	struct query q;
	int failed = 0;

	if (query_open_members(&q, limits->store, &job_members,
		    "SELECT count(*), assoc, qos, part_qos, user, account,"
		    " array_tasks FROM job WHERE cluster = :cluster"
		    " AND end IS NULL"
		    " GROUP BY 2, 3, 4, 5, 6, 7 ORDER BY min(key)"))
		return -1;
	query_bind_int(&q, ":cluster", limits->cluster);
	while (!failed && query_row(&q)) {
		struct job job = {0};
		uint32_t n;

		members_read_named(&q, 1, &job, &job_members, limits->arena);
		n = (uint32_t)query_int(&q, 0) *
		    array_tasks_count(job.array_tasks);
		failed = each_usage(limits, &job, add_submitted, &n);
	}
	return query_close(&q) || failed ? -1 : 0;
}

/* ---- running -------------------------------------------------------------*/

struct running {
	struct limit_job job;
	uint64_t seconds; /* left */
	double factor;
};

static void add_running(
	struct limits *limits, struct limit_usage *usage, void *arg)
{
	const struct running *r = arg;

	if (limits->detail == LIMITS_SHOWN && !usage->node_jobs)
		usage->node_jobs = arena_array(limits->arena,
			limits->conf->n_nodes, sizeof(*usage->node_jobs));
	limit_usage_add(usage, &r->job, r->seconds, r->factor, limits->arena);
}

static uint64_t seconds_left(struct limits *limits, const struct job *job)
{
	uint32_t minutes = job->wall_limit != NO_VAL ? job->wall_limit
						     : job->time_limit;
	int64_t end = job->start + (int64_t)minutes * 60;
	int64_t from = limits->at > job->start ? limits->at : job->start;

	return end > from ? (uint64_t)(end - from) : 0;
}

static int read_jobs(struct limits *limits)
{
	struct query q;
	int failed = 0;

	if (query_open_members(&q, limits->store, &job_members,
		    "SELECT key, assoc, qos, part_qos, user, account,"
		    " tres_alloc, start, wall_limit, time_limit,"
		    " usage_factor, nodelist FROM job"
		    " WHERE cluster = :cluster AND end IS NULL"
		    " AND start > 0"))
		return -1;
	query_bind_int(&q, ":cluster", limits->cluster);
	while (!failed && query_row(&q)) {
		struct job job;
		struct running r = {.job.tres = &job.tres_alloc};
		struct conf_places places;

		job_read_some(&q, &job, limits->arena);
		r.factor = job.usage_factor;
		r.seconds = seconds_left(limits, &job);
		places = conf_nodes_listed(
			limits->conf, job.nodelist, limits->arena);
		r.job.nodes = places.v;
		r.job.n_nodes = places.n;
		failed = each_usage(limits, &job, add_running, &r);
	}
	return query_close(&q) || failed ? -1 : 0;
}

/* ---- used ----------------------------------------------------------------*/

static void add_used(
	struct limits *limits, struct limit_usage *to, const struct usage *from)
{
	to->wall += (uint64_t)from->wall;
	to->raw += from->raw;
	for (size_t i = 0; i < from->n_tres; i++) {
		long double seconds = from->tres[i].seconds;

		if (seconds >= 1 && seconds < 9e18L)
			tres_list_add(&to->used_secs, limits->arena,
				from->tres[i].id, (uint64_t)seconds);
	}
}

static int read_used_assocs(struct limits *limits)
{
	struct usage_list list = {0};

	if (usage_read(limits->store, &limits->conf->policy, limits->cluster,
		    limits->at, true, limits->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		struct limits_assoc *assoc;

		if (limits_find_assoc(limits, list.v[i].assoc, &assoc))
			return -1;
		for (; assoc; assoc = assoc->parent)
			add_used(limits, &assoc->usage, &list.v[i]);
	}
	return 0;
}

static int read_used_qos(struct limits *limits)
{
	struct usage_list list = {0};

	if (usage_read_qos(limits->store, &limits->conf->policy,
		    limits->cluster, limits->at, true, limits->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		struct limits_qos *q =
			limits_find_qos(limits, (uint32_t)list.v[i].assoc);

		if (q)
			add_used(limits, &q->usage, &list.v[i]);
	}
	return 0;
}

/* Does any limit ask for what was used? Most sites have none. */
static int asks(struct limits *limits, const char *sql)
{
	struct query q;

	if (query_open_text(&q, limits->store, sql))
		return -1;
	return query_found(&q);
}

static int read_used(struct limits *limits)
{
	static const struct {
		const char *sql;
		int (*read)(struct limits *);
	} kinds[] = {
		{"SELECT 1 FROM assoc_tres WHERE kind = 1 UNION ALL"
		 " SELECT 1 FROM assoc WHERE grp_wall IS NOT NULL LIMIT 1",
			read_used_assocs},
		{"SELECT 1 FROM qos_tres WHERE kind = 1 UNION ALL"
		 " SELECT 1 FROM qos WHERE grp_wall IS NOT NULL LIMIT 1",
			read_used_qos},
	};

	for (size_t i = 0; i < 2; i++) {
		int found = limits->detail == LIMITS_SHOWN
				    ? 1
				    : asks(limits, kinds[i].sql);

		if (found < 0 || (found && kinds[i].read(limits)))
			return -1;
	}
	return 0;
}

/* ---- gathering age -------------------------------------------------------*/

static void add_accruing(
	struct limits *limits, struct limit_usage *usage, void *arg)
{
	(void)limits;
	usage->accruing += *(const uint32_t *)arg;
}

/* Jobs do so in their own QOS, never in that of the partition; of an array that
 * waits in one record each task, unless a limit applies. slurmctld does not count
 * them with AccrueAlways. */
int limits_read_accruing(struct limits *limits)
{
	int64_t now = limits->store->now;
	struct accrue_times *times;
	struct query q;
	int failed = 0;

	if (limits->conf->policy.flags & PRIO_ACCRUE_ALWAYS)
		return 0;
	if (accrue_load(limits->store, limits->cluster, now, limits->arena,
		    &times) ||
		query_open_members(&q, limits->store, &job_members,
			"SELECT key, assoc, qos, user, account,"
			" array_tasks FROM job"
			" WHERE cluster = :cluster AND end IS NULL"
			" AND coalesce(start, 0) = 0 AND hold = 0"
			" AND eligible > 0 AND eligible <= :now"))
		return -1;
	query_bind_int(&q, ":cluster", limits->cluster);
	query_bind_int(&q, ":now", now);
	while (!failed && query_row(&q)) {
		struct job job;
		int64_t since = now;
		uint32_t n;

		job_read_some(&q, &job, limits->arena);
		n = accrue_find(accrue_jobs(times), job.key, &since)
			    ? since != 0
			    : array_tasks_count(job.array_tasks);
		failed = each_usage(limits, &job, add_accruing, &n);
	}
	return query_close(&q) || failed ? -1 : 0;
}

int limits_read_running(struct limits *limits)
{
	return read_jobs(limits) || read_used(limits) ? -1 : 0;
}
