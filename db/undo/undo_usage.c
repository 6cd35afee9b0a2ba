#include "db/undo/undo_usage.h"

#include <string.h>

#include "common/base/hash.h"
#include "db/job/job.h"
#include "db/usage/usage.h"

/* An association that is removed, and the one above. */
struct leaving {
	int64_t key, parent;
	UT_hash_handle hh;
};

static struct leaving *find_leaving(const struct undo_usage *u, int64_t key)
{
	struct leaving *found;

	HASH_FIND(hh, u->leaving, &key, sizeof(key), found);
	return found;
}

static int refuse_active(const struct undo_usage *u, int64_t assoc)
{
	struct job_list jobs;

	if (jobs_open_of_assoc(u->store, assoc, u->arena, &jobs))
		return -1;
	if (!jobs.n)
		return 0;
	return err_set(u->store->err, ERR_USAGE,
		"job %u of user %s in account %s is active", jobs.v[0].id,
		jobs.v[0].user, jobs.v[0].account);
}

static int note_leaving(struct undo_usage *u, int64_t key)
{
	struct leaving *l = find_leaving(u, key);

	if (l)
		return 0;
	l = arena_alloc(u->arena, sizeof(*l));
	*l = (struct leaving){.key = key};
	HASH_ADD(hh, u->leaving, key, sizeof(l->key), l);
	return any_failed(
		store_ask(u->store,
			"SELECT coalesce(parent, 0) FROM assoc WHERE key "
			"= :key",
			&l->parent, bind_int(":key", key)) ||
		refuse_active(u, key));
}

static int note_op(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct undo_usage *u = arg;
	int64_t key = op_key(iter, op, 0);

	if (usage_moving_op(&u->moving, table, op, iter))
		return -1;
	if (!strcmp(table, "job"))
		usage_moving_job(&u->moving, key);
	if (strcmp(table, "assoc") != 0)
		return 0;
	if (op_is_removal(iter, op, u->deleted))
		return note_leaving(u, key);
	if (op == SQLITE_INSERT || op_new(iter, u->deleted))
		*ARENA_PUSH(u->arena, u->back, u->n_back, u->cap_back) = key;
	return 0;
}

int undo_usage_before(struct undo_usage *u, struct store *store,
	const struct policy *policy, const struct logged_change *change,
	struct arena *arena)
{
	*u = (struct undo_usage){.store = store,
		.policy = policy,
		.arena = arena,
		.deleted = op_column(store, "assoc", "deleted")};
	usage_moving_open(&u->moving, store, policy, false, INT64_MAX);
	return any_failed(u->deleted < 0 ||
			  change_each_of(store, change, "usage_fact job assoc",
				  note_op, u) ||
			  usage_moving_out(&u->moving));
}

/* What it has used is still its own: the nearest above that stays gets it. */
static int hand_up(struct undo_usage *u, const struct leaving *l)
{
	int64_t parent = l->parent;
	const struct leaving *above;
	int used = store_has(u->store,
		"SELECT 1 FROM usage WHERE owner = :key",
		bind_int(":key", l->key));

	if (used <= 0)
		return used;
	while ((above = find_leaving(u, parent)))
		parent = above->parent;
	return usage_hand_up(u->store, u->policy, l->key, parent);
}

/* One that was removed before the store had facts: what it used stays where it went. */
static int take_back(struct undo_usage *u, int64_t key)
{
	int gone = store_has(u->store,
		"SELECT 1 FROM usage_fact WHERE owner = :key AND heir <> owner"
		" AND id = (SELECT max(id) FROM usage_fact WHERE owner = :key)",
		bind_int(":key", key));

	return gone <= 0 ? gone : usage_revive(u->store, key);
}

int undo_usage_after(struct undo_usage *u)
{
	if (usage_moving_in(&u->moving))
		return -1;
	for (size_t i = 0; i < u->n_back; i++)
		if (take_back(u, u->back[i]))
			return -1;
	for (const struct leaving *l = u->leaving; l; l = l->hh.next)
		if (hand_up(u, l))
			return -1;
	return 0;
}

void undo_usage_close(struct undo_usage *u)
{
	usage_moving_close(&u->moving);
	HASH_CLEAR(hh, u->leaving);
}
