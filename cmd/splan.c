/*
 * splan: one scheduling pass over the queue (spec/backfill.md 2). It says what
 * may start and why the rest waits; with --start it starts it.
 *
 * The pass works on a snapshot; the write lock is held only to write. When
 * somebody wrote in between, the pass is made again.
 */
#include "cmd/splan/splan.h"

#include "common/cli.h"
#include "db/query.h"

enum { TRIES = 5 };

struct session {
	struct options options;
	struct site site;
	struct plan plan;
	struct arena arena; /* of the plan */
	struct arena scratch;
	struct err err;
};

/* A number that changes when another process writes; -1 on errors. */
static int64_t data_version(struct store *store)
{
	struct query q;
	int64_t version = 0;

	if (query_open_text(&q, store, "PRAGMA data_version"))
		return -1;
	if (query_row(&q))
		version = query_int(&q, 0);
	return query_close(&q) ? -1 : version;
}

static int make(struct session *s)
{
	arena_reset(&s->arena);
	return plan_make(
		&s->plan, &s->site, s->site.cluster, s->site.now, &s->arena);
}

static bool starts_any(const struct plan *plan)
{
	for (size_t i = 0; i < plan->schedule.n_jobs; i++)
		if (plan->schedule.jobs[i].n_starts)
			return true;
	return false;
}

/* 1: done, 0: somebody wrote in between, -1. `last`: plan under the lock. */
static int try_start(struct session *s, bool last)
{
	struct store *store = &s->site.store;
	int64_t version = data_version(store);

	if (version < 0 || make(s))
		return -1;
	if (!starts_any(&s->plan))
		return 1;
	if (store_begin_bulk(store))
		return -1;
	if (data_version(store) != version && (!last || make(s))) {
		store_rollback(store);
		return last ? -1 : 0;
	}
	if (start_jobs(&s->plan, &s->scratch, &s->err)) {
		store_rollback(store);
		return -1;
	}
	return store_commit_bulk(store) ? -1 : 1;
}

static int start(struct session *s)
{
	int done = 0;

	for (int i = 1; !done && i <= TRIES; i++)
		done = try_start(s, i == TRIES);
	return done < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct session s = {0};

	cli_init(argv[0]);
	splan_options(&s.options, argc, argv);
	arena_init(&s.arena);
	arena_init(&s.scratch);
	if (site_open(&s.site, s.options.start, &s.err) ||
		(s.options.start ? start(&s) : make(&s)))
		cli_die(&s.err);
	if (s.options.over)
		print_over(&s.plan, &s.options, argc, argv, &s.err);
	else
		print_plan(&s.plan, &s.options, argc, argv, &s.err);
	arena_release(&s.scratch);
	arena_release(&s.arena);
	site_close(&s.site);
	return 0;
}
