#include "db/undo/undo.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "db/entity/lease.h"
#include "db/undo/change_rows.h"
#include "db/store/undo_log.h"
#include "db/past/rebuild.h"
#include "db/usage/fold.h"
#include "db/job/job.h"
#include "db/usage/usage.h"
#include "db/store/changeset.h"
#include "db/store/query.h"
#include "db/store/txn.h"
#include "db/store/meta.h"

/* ---- choosing ------------------------------------------------------------*/

#define REVERSES                                                               \
	"(SELECT change FROM txn WHERE action IN (:undo, :redo)"               \
	" AND change NOT NULL)"
#define AUTOMATIC                                                              \
	"(command IN ('AccountingStorageTRES', :rebuild)"                      \
	" OR substr(command, 1, 13) = '" LEASE_COMMAND "')"
#define LOGGED                                                                 \
	"SELECT id, time, coalesce(undone, 0), id IN " REVERSES                \
	", " AUTOMATIC ", actor, command FROM change WHERE "
#define CONDITIONS                                                             \
	" AND (:since = 0 OR time >= :since)"                                  \
	" AND (:actor = '' OR actor = :actor)"                                 \
	" AND id NOT IN " REVERSES " AND NOT " AUTOMATIC

static const char *choose_sql(const struct undo_cond *cond)
{
	if (cond->id)
		return LOGGED "id = :id";
	if (cond->redo && !cond->since && !cond->actor)
		return LOGGED "undone = (SELECT max(undone) FROM change)"
			      " ORDER BY id";
	if (cond->redo)
		return LOGGED "undone NOT NULL" CONDITIONS " ORDER BY id";
	if (!cond->since && !cond->actor)
		return LOGGED "undone IS NULL AND id NOT IN " REVERSES
			      " AND NOT " AUTOMATIC " ORDER BY id DESC LIMIT 1";
	return LOGGED "undone IS NULL" CONDITIONS " ORDER BY id DESC";
}

int undo_choose(struct store *store, const struct undo_cond *cond,
	struct arena *arena, struct logged_list *list)
{
	struct query q;

	*list = (struct logged_list){0};
	if (query_open(&q, store, choose_sql(cond)))
		return -1;
	query_bind_int(&q, ":undo", TXN_UNDO);
	query_bind_int(&q, ":redo", TXN_REDO);
	query_bind_text(&q, ":rebuild", REBUILD_COMMAND);
	if (cond->id) {
		query_bind_int(&q, ":id", cond->id);
	} else if (cond->since || cond->actor) {
		query_bind_int(&q, ":since", cond->since);
		query_bind_text(&q, ":actor", cond->actor ? cond->actor : "");
	}
	while (query_row(&q)) {
		struct logged *l =
			ARENA_PUSH(arena, list->v, list->n, list->cap);

		l->id = query_int(&q, 0);
		l->time = query_int(&q, 1);
		l->undone = query_int(&q, 2);
		l->reverses = query_int(&q, 3);
		l->automatic = query_int(&q, 4);
		l->actor = query_strdup(&q, 5, arena);
		l->command = query_strdup(&q, 6, arena);
	}
	return query_close(&q);
}

enum { ROWS_LOOKED_AT = 1000 /* more would not be read; they are counted */ };

/* ---- rows by name --------------------------------------------------------*/

/* "assoc 5": a row, for finding it in other changes. */
struct row_name {
	const char *name;
	UT_hash_handle hh;
};

static const char *row_name(const char *table, int op,
	sqlite3_changeset_iter *iter, struct arena *arena)
{
	const char *name = arena_strdup(arena, table);
	unsigned char *is_key;
	int columns;

	sqlite3changeset_pk(iter, &is_key, &columns);
	for (int i = 0; i < columns; i++) {
		sqlite3_value *value =
			is_key[i] ? op_key_value(iter, op, i) : NULL;

		if (value)
			name = arena_printf(
				arena, "%s %s", name, query_value_text(value));
	}
	return name;
}

struct undoing {
	struct store *store;
	const struct policy *policy;
	struct arena *arena;
	const struct logged *now; /* the change to undo */
	int64_t since;		  /* changes after this one are later */
	bool redo;
	struct row_name *taken; /* rows that are taken away */
	bool dangling;	   /* a row refers to one that is not there */
	const char *culprit, *culprit_table;
	/* While the rows of a change are put into the store. */
	struct usage_moving moving;
	struct leaving *leaving; /* associations that are removed */
	int64_t *back;		 /* those that are there again */
	size_t n_back, cap_back;
	int deleted; /* number of the column of associations */
};

struct table_search {
	const char *name, *table;
	bool found;
};

static int find_row(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct table_search *f = arg;
	SCRATCH_ARENA(scratch);

	f->found =
		f->name ? !strcmp(row_name(table, op, iter, &scratch), f->name)
			: !strcmp(table, f->table) && op != SQLITE_DELETE;
	return f->found;
}

/* The newest later change that has the row, or one of the table; id 0: none. */
static int find_later(struct undoing *u, const char *name, const char *table,
	struct logged_change *later)
{
	struct table_search f = {.name = name, .table = table};
	int64_t id = INT64_MAX;
	int found;

	*later = (struct logged_change){.id = 0};
	while ((found = change_next(u->store, id, true, later)) > 0) {
		int rc = 0;

		if (later->id > u->since)
			rc = change_each(u->store, later, find_row, &f);
		free(later->blob);
		if (f.found)
			return 0;
		if (rc)
			return -1;
		id = later->id;
		if (id <= u->since)
			break;
	}
	later->id = 0;
	return found < 0 ? -1 : 0;
}

static int refuse(struct undoing *u, const char *name, const char *table)
{
	struct undo_cond cond = {.id = 0};
	struct logged_list list = {0};
	struct logged_change later;

	if (find_later(u, name, table, &later))
		return -1;
	if (!later.id && name && find_later(u, NULL, table, &later))
		return -1;
	cond.id = later.id;
	if (later.id && undo_choose(u->store, &cond, u->arena, &list))
		return -1;
	if (!list.n)
		return err_set(u->store->err, ERR_USAGE,
			"change %lld cannot be %s: %s records depend on it",
			(long long)u->now->id, u->redo ? "redone" : "undone",
			table);
	return err_set(u->store->err, ERR_USAGE,
		"change %lld cannot be %s: a later one depends on it: change "
		"%lld of %s: %s",
		(long long)u->now->id, u->redo ? "redone" : "undone",
		(long long)later.id, list.v[0].actor, list.v[0].command);
}

/* ---- rows ----------------------------------------------------------------*/

static bool has_row(struct undoing *u, const char *name)
{
	struct row_name *row;

	HASH_FIND_STR(u->taken, name, row);
	return row != NULL;
}

static int note_taken(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct undoing *u = arg;
	struct row_name *row;

	if (op != SQLITE_DELETE)
		return 0;
	row = arena_alloc(u->arena, sizeof(*row));
	row->name = row_name(table, op, iter, u->arena);
	HASH_ADD_KEYPTR(hh, u->taken, row->name, strlen(row->name), row);
	return 0;
}

/* Usage is moved, see usage_before. */
static int put_table(void *context, const char *table)
{
	(void)context;
	return strcmp(table, "usage") != 0 && strcmp(table, "usage_sum") != 0;
}

static bool same_value(sqlite3_value *a, sqlite3_value *b)
{
	int bytes = sqlite3_value_bytes(a);

	if (sqlite3_value_type(a) != sqlite3_value_type(b))
		return false;
	if (sqlite3_value_type(a) == SQLITE_INTEGER)
		return sqlite3_value_int64(a) == sqlite3_value_int64(b);
	if (sqlite3_value_type(a) == SQLITE_FLOAT)
		return !(sqlite3_value_double(a) < sqlite3_value_double(b)) &&
		       !(sqlite3_value_double(a) > sqlite3_value_double(b));
	return bytes == sqlite3_value_bytes(b) &&
	       (!bytes || !memcmp(sqlite3_value_blob(a), sqlite3_value_blob(b),
				  (size_t)bytes));
}

/* That another change came to the row does not matter while it changed something
 * else: when it was changed is passed over. */
static bool differs(
	struct undoing *u, const char *table, sqlite3_changeset_iter *iter)
{
	int modified = op_column(u->store, table, "modified"), columns, op;

	if (modified == -2)
		return true; /* the transaction may be gone */
	sqlite3changeset_op(iter, &table, &columns, &op, NULL);
	for (int i = 0; i < columns; i++) {
		sqlite3_value *old = op_old(iter, i), *is = NULL;

		sqlite3changeset_conflict(iter, i, &is);
		if (i != modified && old && is && !same_value(old, is))
			return true;
	}
	return false;
}

static void blame(struct undoing *u, const char *table, int op,
	sqlite3_changeset_iter *iter)
{
	u->culprit = row_name(table, op, iter, u->arena);
	u->culprit_table = arena_strdup(u->arena, table);
}

/* Gone with its association, as it should? */
static bool went_along(
	struct undoing *u, const char *table, int op, sqlite3_changeset_iter *iter)
{
	return op == SQLITE_DELETE && !strncmp(table, "assoc_", 6) &&
	       has_row(u, arena_printf(u->arena, "assoc %lld",
				  (long long)op_key(iter, op, 0)));
}

static int on_conflict(void *arg, int kind, sqlite3_changeset_iter *iter)
{
	struct undoing *u = arg;
	const char *table;
	int columns, op;

	if (kind == SQLITE_CHANGESET_FOREIGN_KEY) {
		u->dangling = true;
		return SQLITE_CHANGESET_OMIT;
	}
	sqlite3changeset_op(iter, &table, &columns, &op, NULL);
	if (kind == SQLITE_CHANGESET_NOTFOUND && went_along(u, table, op, iter))
		return SQLITE_CHANGESET_OMIT;
	if (kind == SQLITE_CHANGESET_DATA && !differs(u, table, iter))
		return SQLITE_CHANGESET_REPLACE;
	blame(u, table, op, iter);
	return SQLITE_CHANGESET_ABORT;
}

/* The first row that refers to one that is not there. */
static int blame_dangling(struct undoing *u)
{
	struct query q;

	if (query_open(&q, u->store,
		    "SELECT \"table\", rowid FROM pragma_foreign_key_check"))
		return -1;
	if (query_row(&q)) {
		u->culprit_table = query_strdup(&q, 0, u->arena);
		if (!query_is_null(&q, 1))
			u->culprit = arena_printf(u->arena, "%s %lld",
				u->culprit_table, (long long)query_int(&q, 1));
	}
	return query_close(&q);
}

/* ---- what no foreign key says --------------------------------------------*/

/* Rows of other records that refer to missing ones, by the name of row_name. */
static const struct {
	const char *table, *sql;
} needs[] = {
	{"assoc", "SELECT 'assoc ' || a.key FROM assoc a"
		  " LEFT JOIN assoc p ON p.key = a.parent"
		  " WHERE NOT a.deleted AND a.parent NOT NULL"
		  " AND (coalesce(p.deleted, 1)"
		  /* Above itself, or still where its account was. */
		  "  OR substr(a.lineage, 1, length(p.lineage)) <> p.lineage)"
		  " ORDER BY a.key DESC"},
	{"assoc", "SELECT 'assoc ' || key FROM assoc"
		  " WHERE NOT deleted AND account NOT IN"
		  " (SELECT name FROM account WHERE NOT deleted)"
		  " ORDER BY key DESC"},
	{"assoc", "SELECT 'assoc ' || key FROM assoc"
		  " WHERE NOT deleted AND user <> '' AND user NOT IN"
		  " (SELECT name FROM user WHERE NOT deleted)"
		  " ORDER BY key DESC"},
	{"assoc", "SELECT 'assoc ' || key FROM assoc"
		  " WHERE NOT deleted AND (cluster NOT IN"
		  " (SELECT id FROM cluster WHERE NOT deleted)"
		  " OR def_qos > 0 AND def_qos NOT IN"
		  " (SELECT id FROM qos WHERE NOT deleted))"
		  " ORDER BY key DESC"},
	{"assoc_qos", "SELECT 'assoc_qos ' || assoc || ' ' || qos"
		      " FROM assoc_qos WHERE qos NOT IN"
		      " (SELECT id FROM qos WHERE NOT deleted)"
		      " ORDER BY assoc DESC"},
	{"qos_preempt", "SELECT 'qos_preempt ' || qos || ' ' || victim"
			" FROM qos_preempt WHERE victim NOT IN"
			" (SELECT id FROM qos WHERE NOT deleted)"},
	{"coordinator", "SELECT 'coordinator ' || account || ' ' || user"
			" FROM coordinator WHERE account NOT IN"
			" (SELECT name FROM account WHERE NOT deleted)"
			" OR user NOT IN"
			" (SELECT name FROM user WHERE NOT deleted)"},
	{"wckey", "SELECT 'wckey ' || key FROM wckey WHERE NOT deleted"
		  " AND user NOT IN (SELECT name FROM user WHERE NOT deleted)"},
	/* One that was laid on another. */
	{"lease", "SELECT 'lease ' || kind || ' ' || owner || ' ' || field ||"
		  " ' ' || n FROM lease l WHERE n > 1 AND NOT EXISTS"
		  " (SELECT 1 FROM lease b WHERE b.kind = l.kind AND"
		  "  b.owner = l.owner AND b.field = l.field AND b.n = l.n - 1)"},
	{"resource_cluster", "SELECT 'resource_cluster ' || resource || ' ' ||"
			     " cluster FROM resource_cluster"
			     " WHERE resource NOT IN"
			     " (SELECT id FROM resource WHERE NOT deleted)"},
};

enum { NEEDS = sizeof(needs) / sizeof(*needs) };

static int read_needs(struct undoing *u, struct strv lists[NEEDS])
{
	for (size_t i = 0; i < NEEDS; i++) {
		lists[i] = (struct strv){0};
		if (store_all_words(
			    u->store, needs[i].sql, &lists[i], u->arena))
			return -1;
	}
	return 0;
}

/* A row whose reference was missing before does not count. */
static int check_needs(struct undoing *u, const struct strv before[NEEDS])
{
	struct strv after[NEEDS];

	if (read_needs(u, after))
		return -1;
	for (size_t i = 0; i < NEEDS; i++)
		for (size_t j = 0; j < after[i].n; j++)
			if (!strv_has(&before[i], after[i].v[j]))
				return refuse(
					u, after[i].v[j], needs[i].table);
	return 0;
}

/* ---- usage ---------------------------------------------------------------*/

/* An association that is removed, and the one above. */
struct leaving {
	int64_t key, parent;
	UT_hash_handle hh;
};

static struct leaving *find_leaving(const struct undoing *u, int64_t key)
{
	struct leaving *found;

	HASH_FIND(hh, u->leaving, &key, sizeof(key), found);
	return found;
}

static int refuse_active(const struct undoing *u, int64_t assoc)
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

static int note_leaving(struct undoing *u, int64_t key)
{
	struct leaving *l = find_leaving(u, key);

	if (l)
		return 0;
	l = arena_alloc(u->arena, sizeof(*l));
	*l = (struct leaving){.key = key};
	HASH_ADD(hh, u->leaving, key, sizeof(l->key), l);
	return any_failed(store_ask(u->store,
				  "SELECT coalesce(parent, 0) FROM assoc"
				  " WHERE key = :key",
				  &l->parent, bind_int(":key", key)) ||
			  refuse_active(u, key));
}

static int note_op(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct undoing *u = arg;
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

/* Before and after the rows of the change are put into the store; of an undo
 * that is the inverse of the logged change. Usage follows the facts and jobs
 * that it changes; what an association that goes has used since goes to the one
 * above. */
static int usage_before(struct undoing *u, const struct logged_change *change)
{
	const char *why;

	u->leaving = NULL;
	u->n_back = 0;
	u->deleted = op_column(u->store, "assoc", "deleted");
	usage_moving_open(&u->moving, u->store, u->policy, false, INT64_MAX);
	if (u->deleted >= 0 &&
		!change_each_of(
			u->store, change, "usage_fact job assoc", note_op, u) &&
		!usage_moving_out(&u->moving))
		return 0;
	why = arena_strdup(u->arena, u->store->err->text);
	if (u->store->err->kind != ERR_USAGE)
		return -1;
	/* Jobs that are active hold who would be removed. */
	return err_set(u->store->err, ERR_USAGE, "change %lld cannot be %s: %s",
		(long long)u->now->id, u->redo ? "redone" : "undone", why);
}

/* What it has used is still its own: the nearest above that stays gets it. */
static int hand_up(struct undoing *u, const struct leaving *l)
{
	int64_t parent = l->parent;
	const struct leaving *above;
	int used = store_has(u->store, "SELECT 1 FROM usage WHERE owner = :key",
		bind_int(":key", l->key));

	if (used <= 0)
		return used;
	while ((above = find_leaving(u, parent)))
		parent = above->parent;
	return usage_hand_up(u->store, u->policy, l->key, parent);
}

/* One that was removed before the store had facts: what it used stays where it
 * went. */
static int take_back(struct undoing *u, int64_t key)
{
	int gone = store_has(u->store,
		"SELECT 1 FROM usage_fact WHERE owner = :key AND heir <> owner"
		" AND id = (SELECT max(id) FROM usage_fact WHERE owner = :key)",
		bind_int(":key", key));

	return gone <= 0 ? gone : usage_revive(u->store, key);
}

static int usage_after(struct undoing *u)
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

/* ---- one change ----------------------------------------------------------*/

/* Without a savepoint around all: each row would walk through the journal of
 * those before it. The caller rolls all of it back. An SQLite code. */
static int apply(struct undoing *u, const void *blob, size_t size)
{
	return size ? sqlite3changeset_apply_v2(u->store->db, (int)size,
			      (void *)(uintptr_t)blob, put_table, on_conflict, u,
			      NULL, NULL, SQLITE_CHANGESETAPPLY_NOSAVEPOINT)
		    : SQLITE_OK;
}

/* Associations that are erased, those of a load say: SQLite would look for what
 * goes with each of them, and for who needs it, in five tables. */
struct erased {
	int64_t first, last;
	bool others; /* operations */
	size_t n;
};

enum { MANY = 100 };

static int note_erased(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct erased *e = arg;
	int64_t key = op_key(iter, op, 0);

	e->others = op != SQLITE_DELETE || strcmp(table, "assoc") != 0;
	e->first = e->n ? smaller(e->first, key) : key;
	e->last = e->n++ ? larger(e->last, key) : key;
	return e->others;
}

/* Where the last table begins, when it is one of these. */
static size_t find_erased(
	struct undoing *u, const struct logged_change *change, struct erased *e)
{
	const unsigned char *blob = change->blob;
	size_t size = (size_t)change->size, at = 0, next = 0;
	const char *table = "";

	*e = (struct erased){.n = 0};
	for (; next < size; next += at) {
		at = changeset_table(blob + next, size - next, &table);
		if (!at)
			return size;
	}
	at = next - at;
	/* What is damaged is left to what carries the change back. */
	if (!strcmp(table, "assoc") &&
		changeset_each(u->store, blob + at, (int)(size - at),
			note_erased, e) < 0)
		return size;
	return e->n < MANY || e->others ? size : at;
}

/* Is one left whose parent is gone? */
static int look_for_orphans(struct undoing *u, const struct erased *e)
{
	int found = store_has(u->store,
		"SELECT 1 FROM assoc c WHERE c.parent BETWEEN :first"
		" AND :last AND NOT EXISTS (SELECT 1 FROM assoc p"
		"  WHERE p.key = c.parent) LIMIT 1",
		bind_int(":first", e->first), bind_int(":last", e->last));

	u->dangling |= found > 0;
	return found < 0 ? -1 : 0;
}

/* Nobody needs them but one another: that is looked at once, at the end. */
static int apply_erased(struct undoing *u, const void *blob, size_t size,
	const struct erased *e)
{
	int rc;

	if (store_check_foreign_keys(u->store, false))
		return SQLITE_ERROR;
	rc = apply(u, blob, size);
	if (store_check_foreign_keys(u->store, true) ||
		(rc == SQLITE_OK && look_for_orphans(u, e)))
		return SQLITE_ERROR;
	return rc;
}

static int apply_all(struct undoing *u, const struct logged_change *change)
{
	const unsigned char *blob = change->blob;
	size_t size = (size_t)change->size;
	struct erased e;
	size_t rest = find_erased(u, change, &e);
	int needed = 1, rc = apply(u, blob, rest);

	if (rc != SQLITE_OK || rest == size)
		return rc;
	/* Else perhaps by what has not been done yet: looked at in the end. */
	/* A row of another table that has an association of those. */
	if (!u->dangling)
		needed = store_has(u->store,
			"SELECT 1 FROM job WHERE assoc BETWEEN :first AND :last"
			" UNION ALL SELECT 1 FROM assoc_tres"
			" WHERE assoc BETWEEN :first AND :last"
			" UNION ALL SELECT 1 FROM assoc_qos"
			" WHERE assoc BETWEEN :first AND :last"
			" UNION ALL SELECT 1 FROM usage_fact"
			" WHERE owner BETWEEN :first AND :last"
			" UNION ALL SELECT 1 FROM usage"
			" WHERE owner BETWEEN :first AND :last LIMIT 1",
			bind_int(":first", e.first), bind_int(":last", e.last));
	if (needed < 0)
		return SQLITE_ERROR;
	return needed ? apply(u, blob + rest, size - rest)
		      : apply_erased(u, blob + rest, size - rest, &e);
}

static int put_rows(struct undoing *u, const struct logged_change *change)
{
	int rc;

	u->dangling = false;
	u->culprit = u->culprit_table = NULL;
	if (change_each(u->store, change, note_taken, u))
		return -1;
	rc = apply_all(u, change);
	if (rc == SQLITE_OK && u->dangling && blame_dangling(u))
		return -1;
	if (u->culprit_table)
		return refuse(u, u->culprit, u->culprit_table);
	if (rc != SQLITE_OK)
		return store_fail(u->store, "the log cannot be undone");
	return 0;
}

static int put(struct undoing *u, const struct logged_change *change,
	struct strv *rows)
{
	int rc;

	if (change_rows(u->store, change->blob, change->size, CHANGE_BEFORE,
		    ROWS_LOOKED_AT, u->arena, rows))
		return -1;
	rc = usage_before(u, change) || put_rows(u, change) || usage_after(u);
	usage_moving_close(&u->moving);
	HASH_CLEAR(hh, u->leaving);
	return any_failed(
		rc || change_rows(u->store, change->blob, change->size,
			      CHANGE_AFTER, ROWS_LOOKED_AT, u->arena, rows));
}

/* Its blob is the caller's. */
static int read_change(struct undoing *u, struct logged_change *change)
{
	int found;

	*change = (struct logged_change){0};
	found = change_next(u->store, u->now->id - 1, false, change);
	if (found < 0)
		return -1;
	if (found && change->id == u->now->id)
		return 0;
	free(change->blob);
	return err_set(u->store->err, ERR_USAGE,
		"change %lld is no longer in the log", (long long)u->now->id);
}

static int put_one(struct undoing *u, struct strv *rows)
{
	struct logged_change change;
	void *inverse = NULL;
	int size = 0, rc = -1;

	if (read_change(u, &change))
		return -1;
	if (u->redo) {
		rc = put(u, &change, rows);
	} else if (sqlite3changeset_invert(change.size, change.blob, &size,
			   &inverse) == SQLITE_OK) {
		const struct logged_change back = {.id = change.id,
			.time = change.time,
			.blob = inverse,
			.size = size};

		rc = put(u, &back, rows);
	} else {
		store_fail(u->store, "the log cannot be undone");
	}
	sqlite3_free(inverse);
	free(change.blob);
	return rc;
}

/* ---- what went along that should not -------------------------------------*/

static int find_foreign(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct undoing *u = arg;
	const char *name;
	int columns, indirect;

	sqlite3changeset_op(iter, &table, &columns, &op, &indirect);
	if (op != SQLITE_DELETE || !indirect)
		return 0;
	name = row_name(table, op, iter, u->arena);
	if (!has_row(u, name)) {
		u->culprit = name;
		u->culprit_table = arena_strdup(u->arena, table);
	}
	return u->culprit != NULL;
}

/* Limits that another change has set for an association that goes. */
static int check_foreign(struct undoing *u)
{
	struct logged_change made = {.id = 0};
	int rc;

	u->culprit = NULL;
	if (store_changeset(u->store, &made.blob, &made.size))
		return -1;
	rc = change_each(u->store, &made, find_foreign, u);
	store_changeset_free(made.blob);
	if (u->culprit)
		return refuse(u, u->culprit, u->culprit_table);
	return rc;
}

/* ---- all -----------------------------------------------------------------*/

static int mark(struct undoing *u, int64_t id, int64_t by)
{
	struct query q;

	if (query_open(&q, u->store,
		    "UPDATE change SET undone = :by WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", id);
	if (by)
		query_bind_int(&q, ":by", by);
	else
		query_bind_null(&q, ":by");
	return query_run(&q);
}

/* The transaction to be logged: its row is written at the commit. */
static int next_change(struct store *store, int64_t *id)
{
	*id = 0;
	return store_number(
		store, "SELECT coalesce(max(id), 0) + 1 FROM change", id);
}

static int mark_all(struct undoing *u, const struct logged_list *list)
{
	int64_t by;

	u->store->keep_empty = true; /* the marks refer to it */
	if (next_change(u->store, &by) ||
		store_exec(u->store, "PRAGMA defer_foreign_keys = ON"))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (mark(u, list->v[i].id, u->redo ? 0 : by) ||
			txn_add(u->store, u->redo ? TXN_REDO : TXN_UNDO, "",
				arena_printf(u->arena, "change=%lld",
					(long long)list->v[i].id),
				list->v[i].command))
			return -1;
	return 0;
}

int undo_run(struct store *store, const struct policy *policy,
	const struct logged_list *list, bool redo, struct arena *arena,
	void (*each)(void *arg, const struct logged *, const struct strv *rows),
	void *arg)
{
	struct undoing u = {
		.store = store, .policy = policy, .arena = arena, .redo = redo};
	struct strv before[NEEDS];
	int rc = read_needs(&u, before);

	for (size_t i = 0; !rc && i < list->n; i++) {
		struct strv rows = {0};

		u.now = &list->v[i];
		u.since = redo ? u.now->undone : u.now->id;
		rc = put_one(&u, &rows);
		if (!rc)
			each(arg, u.now, &rows);
	}
	rc = rc || check_foreign(&u) || check_needs(&u, before) ||
	     mark_all(&u, list);
	HASH_CLEAR(hh, u.taken);
	return rc ? -1 : 0;
}

/* ---- keeping the log short -----------------------------------------------*/

/* The last change to be pruned; 0: none. Looks at the oldest first, because
 * this is asked after every change. */
static int last_to_go(
	struct store *store, int64_t time, int64_t keep, int64_t *last)
{
	int64_t first = 0, newest = 0, oldest = 0, by_age = 0;

	*last = 0;
	if (store_number(store, "SELECT min(id) FROM change", &first) ||
		store_number(store, "SELECT max(id) FROM change", &newest) ||
		store_number(store,
			"SELECT time FROM change ORDER BY id LIMIT 1", &oldest))
		return -1;
	if (!first)
		return 0;
	if (keep && newest - keep >= first)
		*last = newest - keep;
	if (!time || oldest >= time)
		return 0;
	if (store_ask(store, "SELECT max(id) FROM change WHERE time < :time",
		    &by_age, bind_int(":time", time)))
		return -1;
	*last = by_age > *last ? by_age : *last;
	return 0;
}

static int run(struct store *store, const char *sql, int64_t last)
{
	return store_run(store, sql, bind_int(":last", last));
}

static int take_away(struct store *store, int64_t last)
{
	int64_t until = 0;

	if (store_ask(store, "SELECT max(time) FROM change WHERE id <= :last",
		    &until, bind_int(":last", last)) ||
		meta_raise_int(store, META_PURGED_LOG, until + 1))
		return -1;
	/* What came with no change of ours is as old as what it stands among.
	 */
	return any_failed(
		run(store,
			"DELETE FROM txn WHERE"
			" change <= :last OR change IS NULL"
			" AND time <= (SELECT max(time) FROM change"
			"  WHERE id <= :last)",
			last) ||
		run(store,
			"DELETE FROM txn_pack"
			" WHERE change <= :last",
			last) ||
		run(store, "DELETE FROM change WHERE id <= :last", last));
}

struct pruning {
	struct store *store;
	int64_t time, keep;
};

/* Another process may have done it already. */
static int prune(void *arg)
{
	const struct pruning *p = arg;
	int64_t last;

	if (last_to_go(p->store, p->time, p->keep, &last))
		return -1;
	return last ? take_away(p->store, last) : 0;
}

int undo_log_prune(struct store *store, int64_t time, int64_t keep)
{
	struct pruning p = {store, time, keep};
	int64_t last;

	if (last_to_go(store, time, keep, &last))
		return -1;
	return last ? store_change_bulk(store, prune, &p) : 0;
}
