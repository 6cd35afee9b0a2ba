#include "db/undo/change_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/table/job.h"
#include "db/store/undo_log.h"
#include "db/rows/members.h"

struct jobs_owner {
	struct change_jobs jobs;
	const char *name; /* account, newline, user */
	UT_hash_handle hh;
};

struct summing {
	struct arena *arena;
	struct arena scratch; /* of one job */
	struct jobs_owner *owners;
	struct store *before, *after;
	bool failed;
};

static struct jobs_owner *owner_of(
	struct summing *s, const char *account, const char *user)
{
	const char *name = arena_printf(&s->scratch, "%s\n%s", account, user);
	struct jobs_owner *owner;

	HASH_FIND_STR(s->owners, name, owner);
	if (owner)
		return owner;
	owner = arena_alloc(s->arena, sizeof(*owner));
	owner->name = arena_strdup(s->arena, name);
	owner->jobs.account = arena_strdup(s->arena, account);
	owner->jobs.user = arena_strdup(s->arena, user);
	HASH_ADD_KEYPTR(
		hh, s->owners, owner->name, strlen(owner->name), owner);
	return owner;
}

/* The job in one of the stores: its owner, its CPU seconds. NULL: not there. */
static struct jobs_owner *look(struct summing *s, struct store *store,
	int64_t key, double *cpu_seconds)
{
	struct jobs_owner *owner = NULL;
	struct query q;
	struct job job;

	*cpu_seconds = 0;
	s->failed |= query_open_members(&q, store, &job_members,
		"SELECT coalesce(end, suspended_since, :now) - start - suspended,"
		" account, user, tres_alloc, start FROM job WHERE key = :key");
	if (s->failed)
		return NULL;
	query_bind_int(&q, ":now", s->after->now);
	query_bind_int(&q, ":key", key);
	if (query_row(&q)) {
		members_read_named(&q, 1, &job, &job_members, &s->scratch);
		if (job.start > 0 && query_int(&q, 0) > 0 &&
			tres_list_get(&job.tres_alloc, TRES_CPU) != NO_VAL64)
			*cpu_seconds = (double)query_int(&q, 0) *
				       (double)tres_list_get(
					       &job.tres_alloc, TRES_CPU);
		owner = owner_of(s, job.account, job.user);
	}
	s->failed |= query_close(&q) < 0;
	return owner;
}

static int sum(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct summing *s = arg;
	struct jobs_owner *was = NULL, *is = NULL;
	double had = 0, has = 0;
	int64_t key;

	if (strcmp(table, "job") != 0)
		return 0;
	key = op_key(iter, op, 0);
	if (op != SQLITE_INSERT)
		was = look(s, s->before, key, &had);
	if (op != SQLITE_DELETE)
		is = look(s, s->after, key, &has);
	if (was) {
		was->jobs.cpu_seconds -= had;
		was->jobs.removed += was != is;
		was->jobs.changed += was == is;
	}
	if (is) {
		is->jobs.cpu_seconds += has;
		is->jobs.added += was != is;
	}
	arena_reset(&s->scratch);
	return s->failed ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
	const struct change_jobs *x = a, *y = b;
	int order = strcmp(x->account, y->account);

	return order ? order : strcmp(x->user, y->user);
}

int change_jobs(struct store *before, struct store *after, const void *blob,
	int size, struct arena *arena, struct change_jobs_list *jobs)
{
	struct summing s = {.arena = arena, .before = before, .after = after};
	int rc;

	*jobs = (struct change_jobs_list){0};
	rc = changeset_each(after, blob, size, sum, &s);
	if (!rc) {
		for (struct jobs_owner *o = s.owners; o; o = o->hh.next)
			*ARENA_PUSH(s.arena, jobs->v, jobs->n, jobs->cap) =
				o->jobs;
		if (jobs->n)
			qsort(jobs->v, jobs->n, sizeof(*jobs->v), by_name);
	}
	HASH_CLEAR(hh, s.owners);
	arena_release(&s.scratch);
	return rc ? -1 : 0;
}
