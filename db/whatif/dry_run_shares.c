/*
 * Dry runs: whose fair-share moved; see dry_run.h.
 */
#include <math.h>
#include <string.h>

#include "db/store/undo_log.h"
#include "db/view/shares.h"
#include "db/whatif/dry_run.h"

/* ---- whether any can move -------------------------------------------------*/

/* Columns of the table assoc that the tree is made of. */
static const char *const of_tree[] = {
	"deleted", "parent", "lineage", "cluster", "shares"};

enum { OF_TREE = sizeof(of_tree) / sizeof(*of_tree) };

/* Nothing of it is in the factors. */
static bool is_apart(const char *table)
{
	static const char *const apart[] = {"account", "assoc_qos",
		"assoc_tres", "coordinator", "event", "federation", "lease",
		"node", "qos", "qos_preempt", "qos_tres", "qos_usage",
		"reservation", "resource", "resource_cluster", "step", "user",
		"wckey"};

	return STR_AMONG(table, apart);
}

static int moves(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	const int *columns = arg;

	if (strcmp(table, "assoc") != 0)
		return !is_apart(table);
	for (size_t i = 0; i < OF_TREE; i++)
		if (op != SQLITE_UPDATE || op_new(iter, columns[i]))
			return 1;
	return 0;
}

int dry_run_moves_shares(struct store *store, const void *blob, int size)
{
	int columns[OF_TREE];

	for (size_t i = 0; i < OF_TREE; i++) {
		columns[i] = op_column(store, "assoc", of_tree[i]);
		if (columns[i] < 0)
			return -1;
	}
	return changeset_each(store, blob, size, moves, columns);
}

/* ---- who moved ------------------------------------------------------------*/

/* Fair-share that moves by less is not told. */
const double dry_run_threshold = 0.01;

static void compare(struct dry_run *d, const struct shares *shares, uint32_t i,
	double was, double is)
{
	const struct share *share = &shares->v[i];

	if (*share->user && fabs(is - was) >= dry_run_threshold)
		*ARENA_PUSH(d->arena, d->moved.v, d->moved.n, d->moved.cap) =
			(struct dry_run_share){shares->cluster, share->account,
				share->user, share->key, was, is};
}

void dry_run_shares(
	struct dry_run *d, const struct shares *was, const struct shares *is)
{
	const struct shares_index *index = shares_index(is, d->arena);

	for (uint32_t i = 0; i < was->n; i++) {
		uint32_t at = shares_find(index, was->v[i].key);

		if (at != UINT32_MAX)
			compare(d, was, i, shares_factor(was, i),
				shares_factor(is, at));
	}
}
