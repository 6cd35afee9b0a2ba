#include "db/view/shares.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/table/assoc.h"
#include "db/entity/cluster.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

/* ---- the tree ------------------------------------------------------------*/

/* Rows come in order of lineage, so an account's subtree stands together: the
 * accounts above the present row are a stack. */
struct loading {
	struct shares *shares;
	struct arena *arena;
	size_t n_nodes, cap_nodes, n_v, cap_v;
	uint32_t *stack;
	size_t depth, cap_stack;
};

/* The index of the account with that key. It is mostly on the stack; one whose
 * odd name sorts elsewhere is looked for among all rows. Without such an
 * account the root is taken. */
static uint32_t row_of_parent(struct loading *l, int64_t key)
{
	const struct share *v = l->shares->v;

	for (size_t d = l->depth; d-- > 0;) {
		if (v[l->stack[d]].key != key)
			continue;
		l->depth = d + 1;
		return l->stack[d];
	}
	for (size_t i = l->n_v; i-- > 0;)
		if (v[i].key == key)
			return (uint32_t)i;
	return 0;
}

/* Few accounts, many users: a user's row shares the text of its account. */
static const char *account_text(
	const struct loading *l, uint32_t parent, const char *account)
{
	const char *above =
		parent == FS_NO_PARENT ? "" : l->shares->v[parent].account;

	return strcmp(above, account) ? arena_strdup(l->arena, account) : above;
}

static const char *text_or_empty(struct loading *l, const char *text)
{
	return *text ? arena_strdup(l->arena, text) : "";
}

static void add_row(struct loading *l, struct query *q)
{
	uint32_t row = (uint32_t)l->n_v;
	uint32_t parent =
		row ? row_of_parent(l, query_int(q, 1)) : FS_NO_PARENT;
	const char *account = account_text(l, parent, query_text(q, 3));
	struct share *share =
		ARENA_PUSH(l->arena, l->shares->v, l->n_v, l->cap_v);
	struct fs_node *node = ARENA_PUSH(
		l->arena, l->shares->nodes, l->n_nodes, l->cap_nodes);

	share->key = query_int(q, 0);
	share->id = (uint32_t)query_int(q, 2);
	share->account = account;
	share->user = text_or_empty(l, query_text(q, 4));
	share->partition = text_or_empty(l, query_text(q, 5));
	share->priority = query_limit(q, 7);
	if (share->priority == INFINITE && row)
		share->priority = l->shares->v[parent].priority;
	node->parent = parent;
	node->shares_raw = (uint32_t)query_int(q, 6);
	node->is_user = *share->user != '\0';
	if (!node->is_user)
		*ARENA_PUSH(l->arena, l->stack, l->depth, l->cap_stack) = row;
}

static int read_tree(
	struct store *store, struct shares *shares, struct arena *arena)
{
	struct loading l = {.shares = shares, .arena = arena};
	struct query q;

	if (query_open(&q, store,
		    "SELECT key, parent, id, account, user, partition,"
		    " shares, priority FROM assoc"
		    " WHERE cluster = :cluster AND NOT deleted"
		    " ORDER BY lineage"))
		return -1;
	query_bind_int(&q, ":cluster", shares->cluster_key);
	while (query_row(&q))
		add_row(&l, &q);
	shares->n = (uint32_t)l.n_v;
	return query_close(&q);
}

static void find_max_priority(struct shares *shares)
{
	for (uint32_t i = 0; i < shares->n; i++)
		if (shares->v[i].priority != INFINITE &&
			shares->v[i].priority > shares->max_priority)
			shares->max_priority = shares->v[i].priority;
}

/* ---- usage ---------------------------------------------------------------*/

static void make_room(
	struct shares *shares, const struct store *store, struct arena *arena)
{
	size_t n = store->tres.n;
	double *room =
		arena_array(arena, (size_t)shares->n * 2, n * sizeof(*room));

	for (uint32_t i = 0; i < shares->n; i++) {
		shares->v[i].tres_seconds = room + 2 * n * i;
		shares->v[i].tres_run_seconds = room + 2 * n * i + n;
	}
}

static void set_tres(struct share *share, const struct usage *usage,
	const struct tres_catalog *catalog)
{
	for (size_t i = 0; i < usage->n_tres; i++) {
		const struct usage_tres *t = &usage->tres[i];
		const struct tres *tres = tres_by_id(catalog, t->id);

		if (!tres)
			continue;
		share->tres_seconds[tres - catalog->v] = (double)t->seconds;
		share->tres_run_seconds[tres - catalog->v] =
			(double)t->run_seconds;
	}
}

/* Children stand behind their parents: from the end, every row is complete
 * when it is added to the one above. */
static void sum_up(struct shares *shares, size_t n_tres)
{
	for (uint32_t i = shares->n; i-- > 1;) {
		const struct share *share = &shares->v[i];
		struct share *above = &shares->v[shares->nodes[i].parent];

		above->usage_raw += share->usage_raw;
		for (size_t t = 0; share->tres_seconds && t < n_tres; t++) {
			above->tres_seconds[t] += share->tres_seconds[t];
			above->tres_run_seconds[t] +=
				share->tres_run_seconds[t];
		}
	}
}

static int read_usage(struct store *store, const struct policy *policy,
	int64_t at, struct shares *shares, struct arena *arena)
{
	bool details = (shares->details & SHARES_TRES_USAGE) != 0;
	struct usage_list list = {0};

	if (usage_read(store, policy, shares->cluster_key, at, details, arena,
		    &list))
		return -1;
	if (details)
		make_room(shares, store, arena);
	for (uint32_t i = 0; i < shares->n; i++) {
		const struct usage *u = usage_of(&list, shares->v[i].key);

		shares->v[i].usage_raw = u->raw;
		shares->nodes[i].usage_own = u->raw + u->removed;
		if (details)
			set_tres(&shares->v[i], u, &store->tres);
	}
	sum_up(shares, store->tres.n);
	return 0;
}

/* ---- limits --------------------------------------------------------------*/

static int read_limits(
	struct store *store, struct shares *shares, struct arena *arena)
{
	struct shares_index *index = shares_index(shares, arena);
	struct query q;

	for (uint32_t i = 0; i < shares->n; i++)
		shares->v[i].grp_tres_mins = NULL;
	if (query_open(&q, store,
		    "SELECT assoc, tres, count FROM assoc_tres"
		    " WHERE kind = :kind"))
		return -1;
	query_bind_int(&q, ":kind", ASSOC_GRP_TRES_MINS);
	while (query_row(&q)) {
		uint32_t row = shares_find(index, query_int(&q, 0));
		struct share *share = &shares->v[row];

		if (row == UINT32_MAX)
			continue;
		if (!share->grp_tres_mins)
			share->grp_tres_mins = arena_alloc(
				arena, sizeof(*share->grp_tres_mins));
		tres_list_set(share->grp_tres_mins, arena,
			(uint32_t)query_int(&q, 1), (uint64_t)query_int(&q, 2));
	}
	return query_close(&q);
}

/* ---- all -----------------------------------------------------------------*/

static int read_all(struct store *store, const struct policy *policy,
	int64_t at, struct shares *shares, struct arena *arena)
{
	shares->cluster_key = cluster_key(store, shares->cluster);
	if (shares->cluster_key < 0)
		return -1;
	if (!shares->cluster_key)
		return err_set(store->err, ERR_USAGE,
			"No cluster '%s' known by database.", shares->cluster);
	if (read_tree(store, shares, arena) ||
		read_usage(store, policy, at, shares, arena))
		return -1;
	if (shares->details & SHARES_TRES_LIMITS)
		return read_limits(store, shares, arena);
	return 0;
}

uint32_t shares_compute(
	struct fs_node *nodes, size_t n, const struct policy *policy)
{
	struct arena scratch;
	uint32_t users;

	arena_init(&scratch);
	users = fairshare_compute(nodes, n, policy->algorithm,
		policy->dampening, &scratch);
	arena_release(&scratch);
	return users;
}

struct fs_node *shares_nodes(const struct shares *shares, struct arena *arena)
{
	struct fs_node *nodes = arena_array(arena, shares->n, sizeof(*nodes));

	if (shares->n)
		memcpy(nodes, shares->nodes, shares->n * sizeof(*nodes));
	return nodes;
}

int shares_load(struct store *store, const struct policy *policy,
	const char *cluster, int64_t at, unsigned details, struct arena *arena,
	struct shares *shares)
{
	bool began = store_begin_read(store);
	int status;

	*shares = (struct shares){.cluster = cluster, .details = details};
	status = read_all(store, policy, at, shares, arena);
	store_end_read(store, began);
	if (status || !shares->n)
		return status;
	find_max_priority(shares);
	shares->users = shares_compute(shares->nodes, shares->n, policy);
	return 0;
}

/* ---- looking up ----------------------------------------------------------*/

struct entry {
	int64_t key;
	uint32_t row;
};

struct shares_index {
	struct entry *v;
	size_t n;
};

static int compare_entries(const void *a, const void *b)
{
	int64_t x = ((const struct entry *)a)->key;
	int64_t y = ((const struct entry *)b)->key;

	return (x > y) - (x < y);
}

struct shares_index *shares_index(
	const struct shares *shares, struct arena *arena)
{
	struct shares_index *index = arena_alloc(arena, sizeof(*index));

	index->n = shares->n;
	index->v = arena_array(arena, index->n, sizeof(*index->v));
	for (uint32_t i = 0; i < shares->n; i++)
		index->v[i] = (struct entry){shares->v[i].key, i};
	qsort(index->v, index->n, sizeof(*index->v), compare_entries);
	return index;
}

uint32_t shares_find(const struct shares_index *index, int64_t key)
{
	struct entry wanted = {key, 0};
	const struct entry *found =
		index->n ? bsearch(&wanted, index->v, index->n, sizeof(wanted),
				   compare_entries)
			 : NULL;

	return found ? found->row : UINT32_MAX;
}
