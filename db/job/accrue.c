#include "db/job/accrue.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/fair/accrue.h"
#include "db/store/query.h"

#define uthash_malloc(size) arena_alloc(times->arena, (size))
#define uthash_free(memory, size) ((void)(memory))
#include "common/base/hash.h"

enum scope_kind {
	SCOPE_ASSOC, /* GrpJobsAccrue, with all below */
	SCOPE_USER,  /* MaxJobsAccrue */
	SCOPE_QOS,
	SCOPE_QOS_USER,
	SCOPE_QOS_ACCOUNT,
};

/* Something that jobs count in. */
struct scope {
	const char *name; /* kind, key and who */
	enum scope_kind what;
	int64_t key, set_on; /* what has the limit */
	uint32_t index;
	UT_hash_handle hh;
};

struct assoc_limits {
	int64_t key, parent;
	uint32_t grp, max; /* INFINITE: none */
	UT_hash_handle hh;
};

struct qos_limits {
	int64_t id;
	uint32_t grp, per_user, per_account;
	UT_hash_handle hh;
};

/* All jobs of one kind share a list of scopes. */
struct accrue_kind {
	const char *name;
	uint32_t *scopes;
	size_t n, cap;
	UT_hash_handle hh;
};

struct accrue_times {
	struct arena *arena;
	struct assoc_limits *assocs;
	struct qos_limits *qos;
	struct scope *scopes, **by_index;
	size_t n_by_index, cap_by_index;
	struct accrue_kind *kinds;
	uint32_t *limits; /* of the scopes */
	size_t n_limits, cap_limits;
	struct accrue_jobs jobs; /* by key in the end */
	size_t cap_jobs;
};

/* ---- limits --------------------------------------------------------------*/

static int load_assocs(
	struct accrue_times *times, struct store *store, int64_t cluster)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT key, coalesce(parent, 0), grp_jobs_accrue,"
		    " max_jobs_accrue FROM assoc WHERE cluster = :cluster"
		    " AND NOT deleted"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q)) {
		struct assoc_limits *a = arena_alloc(times->arena, sizeof(*a));

		a->key = query_int(&q, 0);
		a->parent = query_int(&q, 1);
		a->grp = query_limit(&q, 2);
		a->max = query_limit(&q, 3);
		HASH_ADD(hh, times->assocs, key, sizeof(a->key), a);
	}
	return query_close(&q);
}

static int load_qos(struct accrue_times *times, struct store *store)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT id, grp_jobs_accrue, max_jobs_accrue_pu,"
		    " max_jobs_accrue_pa FROM qos"))
		return -1;
	while (query_row(&q)) {
		struct qos_limits *l = arena_alloc(times->arena, sizeof(*l));

		l->id = query_int(&q, 0);
		l->grp = query_limit(&q, 1);
		l->per_user = query_limit(&q, 2);
		l->per_account = query_limit(&q, 3);
		HASH_ADD(hh, times->qos, id, sizeof(l->id), l);
	}
	return query_close(&q);
}

static struct assoc_limits *find_assoc(struct accrue_times *times, int64_t key)
{
	struct assoc_limits *found;

	HASH_FIND(hh, times->assocs, &key, sizeof(key), found);
	return found;
}

/* ---- scopes --------------------------------------------------------------*/

static uint32_t scope_index(struct accrue_times *times, enum scope_kind kind,
	int64_t key, int64_t set_on, const char *who, uint32_t limit)
{
	char *name = arena_printf(
		times->arena, "%d %lld %s", (int)kind, (long long)key, who);
	struct scope *scope;

	HASH_FIND(hh, times->scopes, name, strlen(name), scope);
	if (scope)
		return scope->index;
	scope = arena_alloc(times->arena, sizeof(*scope));
	scope->name = name;
	scope->what = kind;
	scope->key = key;
	scope->set_on = set_on;
	*ARENA_PUSH(times->arena, times->by_index, times->n_by_index,
		times->cap_by_index) = scope;
	scope->index = (uint32_t)times->n_limits;
	*ARENA_PUSH(times->arena, times->limits, times->n_limits,
		times->cap_limits) = limit;
	HASH_ADD_KEYPTR(
		hh, times->scopes, scope->name, strlen(scope->name), scope);
	return scope->index;
}

static void add_scope(struct accrue_times *times, struct accrue_kind *kind,
	enum scope_kind what, int64_t key, int64_t set_on, const char *who,
	uint32_t limit)
{
	if (limit != INFINITE)
		*ARENA_PUSH(times->arena, kind->scopes, kind->n, kind->cap) =
			scope_index(times, what, key, set_on, who, limit);
}

/* A QOS limit overrides those of the associations (spec 8.2). */
static void find_scopes(struct accrue_times *times, struct accrue_kind *kind,
	int64_t assoc, const struct qos_limits *q, const char *user,
	const char *account)
{
	bool grp = q && q->grp != INFINITE;
	bool max = q && (q->per_user != INFINITE || q->per_account != INFINITE);

	if (q) {
		add_scope(times, kind, SCOPE_QOS, q->id, q->id, "", q->grp);
		add_scope(times, kind, SCOPE_QOS_USER, q->id, q->id, user,
			q->per_user);
		add_scope(times, kind, SCOPE_QOS_ACCOUNT, q->id, q->id,
			account, q->per_account);
	}
	for (struct assoc_limits *a = find_assoc(times, assoc); a;
		a = find_assoc(times, a->parent)) {
		/* The nearest counts, for the jobs of the first. */
		if (!max && a->max != INFINITE) {
			add_scope(times, kind, SCOPE_USER, assoc, a->key, "",
				a->max);
			max = true;
		}
		if (!grp)
			add_scope(times, kind, SCOPE_ASSOC, a->key, a->key, "",
				a->grp);
	}
}

static const struct accrue_kind *kind_of(struct accrue_times *times,
	int64_t assoc, int64_t qos, const char *user, const char *account)
{
	char *name = arena_printf(times->arena, "%lld %lld %s/%s",
		(long long)assoc, (long long)qos, user, account);
	struct qos_limits *q;
	struct accrue_kind *kind;

	HASH_FIND(hh, times->kinds, name, strlen(name), kind);
	if (kind)
		return kind;
	kind = arena_alloc(times->arena, sizeof(*kind));
	kind->name = name;
	HASH_FIND(hh, times->qos, &qos, sizeof(qos), q);
	find_scopes(times, kind, assoc, q, arena_strdup(times->arena, user),
		arena_strdup(times->arena, account));
	HASH_ADD_KEYPTR(hh, times->kinds, kind->name, strlen(kind->name), kind);
	return kind;
}

/* ---- jobs ----------------------------------------------------------------*/

#define JOBS                                                                   \
	"SELECT key, coalesce(assoc, 0), coalesce(qos, 0), user, account,"     \
	" coalesce(nullif(accrue, 0), eligible), coalesce(start, end)"         \
	" FROM job WHERE +cluster = :cluster AND hold = 0"                     \
	" AND eligible > 0 AND eligible <= :at"

static int read_jobs(struct accrue_times *times, struct query *q)
{
	while (query_row(q)) {
		const struct accrue_kind *kind = kind_of(times, query_int(q, 1),
			query_int(q, 2), query_text(q, 3), query_text(q, 4));
		struct accrue_job *job;

		if (!kind->n)
			continue;
		job = ARENA_PUSH(times->arena, times->jobs.v, times->jobs.n,
			times->cap_jobs);
		job->key = query_int(q, 0);
		job->since = (time_t)query_int(q, 5);
		job->leaves = query_is_null(q, 6) ? ACCRUE_STAYS
						  : (time_t)query_int(q, 6);
		job->scopes = kind->scopes;
		job->n_scopes = kind->n;
	}
	return query_close(q);
}

static int read_waiting(struct accrue_times *times, struct store *store,
	int64_t cluster, int64_t at)
{
	struct query q;

	if (query_open(&q, store,
		    JOBS " AND end IS NULL AND coalesce(start, 0) = 0"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":at", at);
	return read_jobs(times, &q);
}

/* Jobs queued after the oldest still-pending one that have left no longer hold
 * accrue slots. What was before has left no trace (common/fair/accrue.h). */
static int read_left(struct accrue_times *times, struct store *store,
	int64_t cluster, int64_t at)
{
	int64_t first = INT64_MAX;
	struct query q;

	for (size_t i = 0; i < times->jobs.n; i++)
		if (times->jobs.v[i].since < first)
			first = times->jobs.v[i].since;
	if (first == INT64_MAX)
		return 0;
	if (query_open(&q, store,
		    JOBS " AND coalesce(start, end) > :first"
			 " AND (end > :first OR end IS NULL AND start > 0)"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":at", at);
	query_bind_int(&q, ":first", first);
	return read_jobs(times, &q);
}

int accrue_load(struct store *store, int64_t cluster, int64_t at,
	struct arena *arena, struct accrue_times **found)
{
	struct accrue_times *times = arena_alloc(arena, sizeof(*times));
	/* 1: one is set, 0: none, -1. */
	int asked = store_any(store,
		"SELECT 1 FROM qos WHERE grp_jobs_accrue IS NOT NULL"
		" OR max_jobs_accrue_pu IS NOT NULL"
		" OR max_jobs_accrue_pa IS NOT NULL"
		" UNION ALL SELECT 1 FROM assoc"
		" WHERE (grp_jobs_accrue IS NOT NULL"
		" OR max_jobs_accrue IS NOT NULL) AND +deleted = 0"
		" LIMIT 1");

	*found = NULL;
	times->arena = arena;
	if (asked <= 0)
		return asked;
	if (load_assocs(times, store, cluster) || load_qos(times, store) ||
		read_waiting(times, store, cluster, at) ||
		read_left(times, store, cluster, at))
		return -1;
	accrue_admit(times->jobs.v, times->jobs.n, times->limits, times->n_limits,
		(time_t)at, arena);
	accrue_sort(&times->jobs);
	*found = times;
	return 0;
}

const struct accrue_jobs *accrue_jobs(const struct accrue_times *times)
{
	return times ? &times->jobs : NULL;
}

/* ---- the limits themselves -----------------------------------------------*/

static bool counts_in(const struct accrue_job *job, uint32_t index, int64_t at)
{
	if (!job->admitted || job->admitted > at || job->leaves <= at)
		return false;
	for (size_t i = 0; i < job->n_scopes; i++)
		if (job->scopes[i] == index)
			return true;
	return false;
}

size_t accrue_limits(struct accrue_times *times, int64_t assoc, int64_t qos,
	const char *user, const char *account, int64_t at,
	struct accrue_limit limits[ACCRUE_MOST])
{
	static const char *const words[] = {
		[SCOPE_ASSOC] = "GrpJobsAccrue",
		[SCOPE_USER] = "MaxJobsAccrue",
		[SCOPE_QOS] = "GrpJobsAccrue",
		[SCOPE_QOS_USER] = "MaxJobsAccruePerUser",
		[SCOPE_QOS_ACCOUNT] = "MaxJobsAccruePerAccount",
	};
	const struct accrue_kind *kind =
		times ? kind_of(times, assoc, qos, user, account) : NULL;
	size_t n = 0;

	for (; kind && n < kind->n && n < ACCRUE_MOST; n++) {
		uint32_t index = kind->scopes[n];
		const struct scope *scope = times->by_index[index];

		limits[n] = (struct accrue_limit){
			.word = words[scope->what],
			.limit = times->limits[index],
			.of_qos = scope->what >= SCOPE_QOS,
			.key = scope->set_on,
		};
		for (size_t i = 0; i < times->jobs.n; i++)
			limits[n].used +=
				counts_in(&times->jobs.v[i], index, at);
	}
	return n;
}
