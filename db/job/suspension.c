#include "db/job/suspension.h"

#include "db/store/query.h"

static struct suspension *push(
	struct suspensions *all, size_t *cap, struct arena *arena)
{
	return ARENA_PUSH(arena, all->v, all->n, *cap);
}

static int load_rows(struct store *store, int64_t job, struct arena *arena,
	struct suspensions *all, size_t *cap)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT start, end FROM suspension WHERE job = :job"
		    " ORDER BY start"))
		return -1;
	query_bind_int(&q, ":job", job);
	while (query_row(&q)) {
		struct suspension s = {query_int(&q, 0), query_int(&q, 1)};

		all->loose -= s.end - s.start;
		*push(all, cap, arena) = s;
	}
	return query_close(&q);
}

int suspensions_load(struct store *store, int64_t job, int64_t suspended,
	int64_t since, struct arena *arena, struct suspensions *all)
{
	size_t cap = 0;

	*all = (struct suspensions){.loose = suspended};
	if (suspended && load_rows(store, job, arena, all, &cap))
		return -1;
	if (since)
		*push(all, &cap, arena) = (struct suspension){.start = since};
	if (all->loose < 0)
		all->loose = 0;
	return 0;
}
