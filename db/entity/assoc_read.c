/*
 * Associations as they are read: row by row in the order of the tree, each with
 * what it inherits. In memory are the row at hand and the accounts above it.
 */
#include "db/entity/assoc.h"

#include <stdlib.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "db/entity/assoc_parts.h"
#include "db/rows/members.h"
#include "db/rows/where.h"
#include "db/store/query.h"

#define SELECT_ASSOC                                                           \
	"SELECT {a.columns} FROM assoc a JOIN cluster c ON c.id = a.cluster"

/* One row, with its parent. */
#define SELECT_ONE                                                             \
	"SELECT {a.columns}, p.id, p.account FROM assoc a"                     \
	" JOIN cluster c ON c.id = a.cluster"                                  \
	" LEFT JOIN assoc p ON p.key = a.parent"

/* Deeper than any tree: an association is above itself. */
enum { DEEPEST = 10000 };

/* An account, and the memory of its row. */
struct above {
	struct assoc *row;
	struct arena arena;
};

/* The associations with rows in such a table, ascending. Most have none, and a
 * query for each would be most of the work of a long listing. */
struct assoc_keys {
	int64_t *v;
	size_t n, cap;
};

struct assoc_walk {
	struct store *store;
	struct assoc_cond cond;
	bool began; /* the read, here */
	struct arena *keep; /* where all rows are kept; NULL: not kept */
	struct arena arena; /* of the row at hand */
	struct assoc blank;
	struct above *path; /* from the top, the last is above the next row */
	size_t depth, cap, used; /* used: places that have memory */
	size_t read; /* rows so far */
	struct arena owners;
	struct assoc_keys limits, qos;
};

/* ---- one row -------------------------------------------------------------*/

static const char *row_flags(const struct assoc *assoc)
{
	if (assoc->users_are_coords)
		return assoc->deleted ? "Deleted,UsersAreCoords"
				      : "UsersAreCoords";
	return assoc->deleted ? "Deleted" : "None";
}

static int read_own_qos(
	struct store *store, struct assoc *assoc, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT qos, sign FROM assoc_qos WHERE assoc = :key"
		    " ORDER BY position, qos"))
		return -1;
	query_bind_int(&q, ":key", assoc->key);
	while (query_row(&q)) {
		struct assoc_qos *own = ARENA_PUSH(arena, assoc->own_qos.v,
			assoc->own_qos.n, assoc->own_qos.cap);

		own->id = (uint32_t)query_int(&q, 0);
		own->sign = query_text(&q, 1)[0];
	}
	return query_close(&q);
}

static int owners_load(struct store *store, const char *sql,
	struct arena *arena, struct assoc_keys *owners)
{
	struct query q;

	if (query_open(&q, store, sql))
		return -1;
	while (query_row(&q))
		*ARENA_PUSH(arena, owners->v, owners->n, owners->cap) =
			query_int(&q, 0);
	return query_close(&q);
}

static int compare_keys(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool is_owner(const struct assoc_keys *owners, int64_t key)
{
	return owners->n && bsearch(&key, owners->v, owners->n,
				    sizeof(key), compare_keys);
}

static int load_owners(struct assoc_walk *w)
{
	return any_failed(
		owners_load(w->store,
			"SELECT DISTINCT assoc FROM assoc_tres ORDER BY assoc",
			&w->owners, &w->limits) ||
		owners_load(w->store,
			"SELECT DISTINCT assoc FROM assoc_qos"
			" ORDER BY assoc",
			&w->owners, &w->qos));
}

/* Own limits and list of QOS. Of the first rows each is asked for. */
static int read_belongings(
	struct assoc_walk *w, struct assoc *row, struct arena *arena)
{
	enum { FEW = 100 };
	bool few = ++w->read <= FEW;

	if (w->read == FEW + 1 && load_owners(w))
		return -1;
	if ((few || is_owner(&w->limits, row->key)) &&
		limits_rows_read(w->store, &assoc_limits, row->key, row->tres,
			ASSOC_TRES_KINDS, arena))
		return -1;
	if ((few || is_owner(&w->qos, row->key)) &&
		read_own_qos(w->store, row, arena))
		return -1;
	return 0;
}

/* Own values only, and the parent's number and name where they are among the
 * columns; NULL on errors. */
static struct assoc *read_row(
	struct assoc_walk *w, struct query *q, struct arena *arena)
{
	struct assoc *row = arena_alloc(arena, sizeof(*row));
	int column;

	*row = w->blank;
	column = members_read(q, 0, row, &assoc_members, arena);
	if (column < query_columns(q)) {
		row->parent_id = (uint32_t)query_int(q, column);
		row->parent_account = query_strdup(q, column + 1, arena);
	}
	row->flags_text = row_flags(row);
	return read_belongings(w, row, arena) ? NULL : row;
}

/* ---- what is above -------------------------------------------------------*/

static void walk_open(struct assoc_walk *w, struct store *store,
	const struct assoc_cond *cond, struct arena *keep)
{
	*w = (struct assoc_walk){.store = store, .cond = *cond, .keep = keep};
	w->began = store_begin_read(store);
	assoc_init(&w->blank);
}

static void walk_close(struct assoc_walk *w)
{
	for (size_t i = 0; i < w->used; i++)
		arena_release(&w->path[i].arena);
	free(w->path);
	arena_release(&w->arena);
	arena_release(&w->owners);
	store_end_read(w->store, w->began);
}

/* The row is above those that follow. Its memory changes places with that of the
 * row that stood there before. */
static void push_above(
	struct assoc_walk *w, struct assoc *row, struct arena *arena)
{
	struct above *above = MEMORY_PUSH(w->path, w->depth, w->cap);
	struct arena before;

	if (w->depth > w->used) {
		w->used = w->depth;
		arena_init(&above->arena);
	}
	before = above->arena;
	above->row = row;
	above->arena = *arena;
	arena_reset(&before);
	*arena = before;
}

/* The account at the end of the path; NULL: none. */
static struct assoc *top(struct assoc_walk *w)
{
	return w->depth ? w->path[w->depth - 1].row : NULL;
}

/* Its parent is at the end of the path. */
static void fill(struct assoc_walk *w, struct assoc *row, struct arena *arena)
{
	const struct assoc_cond *cond = &w->cond;
	const struct assoc *above = top(w);
	bool alone = cond->without_limits || cond->without_parent_info;

	if (above) {
		row->parent_id = above->id;
		if (!cond->without_parent_info)
			row->parent_account = above->account;
	}
	if (above && !alone)
		assoc_inherit(row, above, arena);
	else
		assoc_no_parent(row, arena);
	assoc_name_qos(row, alone ? NULL : above, &w->store->qos, cond->raw_qos,
		arena);
}

static int find_above(struct assoc_walk *, int64_t key, int below);

/* The only row of a query, which is closed; NULL: it has none. */
static int read_one(struct assoc_walk *w, struct query *q, struct arena *arena,
	struct assoc **row)
{
	bool failed = false;

	*row = NULL;
	if (query_row(q)) {
		*row = read_row(w, q, arena);
		failed = !*row;
	}
	return query_close(q) || failed ? -1 : 0;
}

static int read_by_key(struct assoc_walk *w, int64_t key, struct arena *arena,
	struct assoc **row)
{
	struct query q;

	if (query_open_members(&q, w->store, &assoc_members,
		    SELECT_ONE " WHERE a.key = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	return read_one(w, &q, arena, row);
}

/* An account that is not among the rows, below those above it. */
static int load_above(struct assoc_walk *w, int64_t key, int below)
{
	struct arena mine = {NULL};
	struct arena *arena = w->keep ? w->keep : &mine;
	struct assoc *row;
	int status = read_by_key(w, key, arena, &row);

	if (!status && (!row || below > DEEPEST))
		status = err_set(w->store->err, ERR_STORE,
			"%s is damaged: an association has lost its parent",
			w->store->path);
	if (!status)
		status = find_above(w, row->parent_key, below + 1);
	if (!status) {
		fill(w, row, arena);
		push_above(w, row, &mine);
	}
	arena_release(&mine);
	return status;
}

/* Makes the account of that key the end of the path; 0: an empty path. */
static int find_above(struct assoc_walk *w, int64_t key, int below)
{
	size_t depth = key ? w->depth : 0;

	while (depth && w->path[depth - 1].row->key != key)
		depth--;
	if (!depth && key)
		return load_above(w, key, below);
	w->depth = depth;
	return 0;
}

/* ---- which rows ----------------------------------------------------------*/

/* Rows below the lineage of any of the accounts, and those themselves. */
static void sub_accounts(struct where *w, const struct strv *accounts)
{
	where_add(w,
		" AND a.key IN (SELECT below.key FROM assoc top CROSS JOIN"
		" assoc below ON below.cluster = top.cluster"
		" AND " LINEAGE_BELOW("below.lineage", "top.lineage")
		" WHERE +top.user = '' AND NOT top.deleted");
	where_one_of(w, "top.account", accounts);
	where_add(w, ")");
}

/* The plus before a column keeps its index out: few accounts are found by name,
 * not among all accounts. */
static void add_conditions(struct where *w, const struct assoc_cond *cond)
{
	bool few = cond->accounts.n > 0;

	if (!cond->with_deleted)
		where_add(w, " AND NOT a.deleted");
	where_one_of(w, "c.name", &cond->clusters);
	if (cond->with_sub_accounts && cond->accounts.n)
		sub_accounts(w, &cond->accounts);
	else
		where_one_of(w, "a.account", &cond->accounts);
	where_one_of(w, few && strv_has(&cond->users, "") ? "+a.user" : "a.user",
		&cond->users);
	where_one_of(w, "a.partition", &cond->partitions);
	where_one_of(w, "a.id", &cond->ids);
	where_one_of(w, "a.def_qos", &cond->def_qos);
	/* As in Slurm only accounts have one. */
	where_one_of(w, "iif(a.user = '', coalesce(p.account, ''), '')",
		&cond->parents);
	if (cond->only_users)
		where_add(w, " AND a.user != ''");
	if (cond->only_accounts)
		where_add(w, few ? " AND +a.user = ''" : " AND a.user = ''");
	if (cond->only_defaults)
		where_add(w, " AND a.is_default");
}

static bool wanted_qos(const struct assoc *assoc, const struct strv *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		if (assoc_has_qos(assoc,
			    (uint32_t)strtoul(ids->v[i], NULL, 10)))
			return true;
	return !ids->n;
}

static int open_rows(struct assoc_walk *w, struct query *q)
{
	const struct assoc_cond *cond = &w->cond;
	struct where where;
	SCRATCH_ARENA(arena);

	where_members(&where,
		cond->parents.n ? SELECT_ASSOC " LEFT JOIN assoc p"
					       " ON p.key = a.parent"
				: SELECT_ASSOC,
		&assoc_members, &arena);
	add_conditions(&where, cond);
	/* In order of the index when all are wanted; few are sorted (the plus
	 * keeps that index out), as walking it would read every row. */
	where_add(&where, cond->accounts.n || cond->users.n || cond->ids.n
			? " ORDER BY c.name, +a.lineage"
			: " ORDER BY c.name, a.lineage");
	return where_open(&where, q, w->store);
}

/* ---- walking -------------------------------------------------------------*/

/* The row a query is at, with what it inherits; NULL on errors. */
static struct assoc *filled_row(
	struct assoc_walk *w, struct query *q, struct arena *arena)
{
	struct assoc *row = read_row(w, q, arena);

	if (!row || find_above(w, row->parent_key, 0))
		return NULL;
	fill(w, row, arena);
	return row;
}

static int walk_row(struct assoc_walk *w, struct query *q,
	int (*each)(void *arg, struct assoc *), void *arg)
{
	struct assoc *row;

	arena_reset(&w->arena);
	row = filled_row(w, q, w->keep ? w->keep : &w->arena);
	if (!row)
		return -1;
	if (wanted_qos(row, &w->cond.qos) && each(arg, row))
		return -1;
	if (!*row->user)
		push_above(w, row, &w->arena);
	return 0;
}

/* All rows of a query, which is closed. */
static int walk_query(struct assoc_walk *w, struct query *q,
	int (*each)(void *arg, struct assoc *), void *arg)
{
	int status = 0;

	while (!status && query_row(q))
		status = walk_row(w, q, each, arg);
	return query_close(q) ? -1 : status;
}

static int walk_rows(struct assoc_walk *w,
	int (*each)(void *arg, struct assoc *), void *arg)
{
	struct query q;

	return open_rows(w, &q) ? -1 : walk_query(w, &q, each, arg);
}

int assoc_each(struct store *store, const struct assoc_cond *cond,
	int (*each)(void *arg, struct assoc *), void *arg)
{
	struct assoc_walk w;
	int status;

	walk_open(&w, store, cond, NULL);
	status = walk_rows(&w, each, arg);
	walk_close(&w);
	return status;
}

struct assoc_walk *assoc_walk_open(
	struct store *store, const struct assoc_cond *cond)
{
	struct assoc_walk *w = memory_zeroed(1, sizeof(*w));

	walk_open(w, store, cond, NULL);
	return w;
}

void assoc_walk_close(struct assoc_walk *w)
{
	walk_close(w);
	free(w);
}

/* Rows of users have `0-` in their lineages, accounts have not
 * (assoc_lineage()): one range of the index. */
int assoc_walk_users(struct assoc_walk *w, const struct assoc *account,
	int (*each)(void *arg, struct assoc *), void *arg)
{
	struct query q;

	if (query_open_members(&q, w->store, &assoc_members,
		    SELECT_ASSOC " WHERE a.cluster = (SELECT cluster FROM assoc"
				 " WHERE key = :account) AND NOT a.deleted"
				 " AND a.lineage >= :lineage || '0-'"
				 " AND a.lineage < :lineage || '0.'"
				 " ORDER BY a.lineage"))
		return -1;
	query_bind_int(&q, ":account", account->key);
	query_bind_text(&q, ":lineage", account->lineage);
	return walk_query(w, &q, each, arg);
}

int assoc_walk_user(struct assoc_walk *w, const char *cluster,
	const char *account, const char *user, struct arena *arena,
	struct assoc_list *list)
{
	struct query q;
	struct assoc *row;
	bool failed = false;

	*list = (struct assoc_list){0};
	if (query_open_members(&q, w->store, &assoc_members,
		    SELECT_ASSOC " WHERE c.name = :cluster"
				 " AND a.account = :account AND a.user = :user"
				 " AND NOT a.deleted ORDER BY a.partition"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":account", account);
	query_bind_text(&q, ":user", user);
	while (!failed && query_row(&q)) {
		row = filled_row(w, &q, arena);
		failed = !row;
		if (row)
			*ARENA_PUSH(arena, list->v, list->n, list->cap) = row;
	}
	return query_close(&q) || failed ? -1 : 0;
}

struct assoc_adding {
	struct assoc_list *list;
	struct arena *arena;
};

static int add_row(void *arg, struct assoc *row)
{
	struct assoc_adding *to = arg;

	*ARENA_PUSH(to->arena, to->list->v, to->list->n, to->list->cap) = row;
	return 0;
}

int assoc_list(struct store *store, const struct assoc_cond *cond,
	struct arena *arena, struct assoc_list *list)
{
	struct assoc_adding to = {list, arena};
	struct assoc_walk w;
	int status;

	*list = (struct assoc_list){0};
	walk_open(&w, store, cond, arena);
	status = walk_rows(&w, add_row, &to);
	walk_close(&w);
	return status;
}

void assoc_accounts(const struct assoc_list *list, struct strv *accounts,
	struct arena *arena)
{
	for (size_t i = 0; i < list->n; i++)
		if (!*list->v[i]->user)
			strv_push(accounts, arena, list->v[i]->account);
}

/* ---- one ------------------------------------------------------------------*/

int assoc_find(struct store *store, const char *cluster, const char *account,
	const char *user, const char *partition, struct arena *arena,
	struct assoc **found)
{
	static const struct assoc_cond any;
	struct assoc_walk w;
	struct query q;
	int status;

	if (query_open_members(&q, store, &assoc_members,
		    SELECT_ONE " WHERE c.name = :cluster"
			       " AND a.account = :account AND a.user = :user"
			       " AND a.partition = :partition"
			       " AND NOT a.deleted"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":account", account);
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":partition", partition);
	walk_open(&w, store, &any, arena);
	status = read_one(&w, &q, arena, found);
	walk_close(&w);
	return status ? -1 : *found != NULL;
}

int assoc_by_key(struct store *store, int64_t key, struct arena *arena,
	struct assoc **found)
{
	static const struct assoc_cond any;
	struct assoc_walk w;
	int status;

	walk_open(&w, store, &any, arena);
	status = read_by_key(&w, key, arena, found);
	walk_close(&w);
	return status ? -1 : *found != NULL;
}

int assoc_by_number(struct store *store, int64_t cluster, uint32_t id,
	struct arena *arena, struct assoc **found)
{
	int64_t key = 0;

	*found = NULL;
	if (store_ask(store,
		    "SELECT key FROM assoc WHERE cluster = :cluster"
		    " AND id = :id",
		    &key, bind_int(":cluster", cluster), bind_int(":id", id)))
		return -1;
	return key ? assoc_by_key(store, key, arena, found) : 0;
}
