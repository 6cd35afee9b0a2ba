#include "db/entity/assoc.h"

#include <string.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "db/entity/assoc_parts.h"
#include "db/entity/lease.h"
#include "db/entity/limits_rows.h"
#include "db/rows/bulk_insert.h"
#include "db/rows/members.h"
#include "db/store/query.h"
#include "db/store/txn.h"
#include "db/usage/usage.h"

/* "+": by the index of users, not of numbers, which would read every row up to
 * the first that fits. */
int assoc_first_account(struct store *store, const char *cluster,
	const char *user, const char *account, struct arena *arena,
	const char **first)
{
	return store_text(store,
		"SELECT a.account FROM assoc a"
		" JOIN cluster c ON c.id = a.cluster"
		" WHERE c.name = :cluster AND a.user = :user"
		" AND :account IN ('', a.account) AND NOT a.deleted"
		" ORDER BY +a.id LIMIT 1",
		first, arena, bind_text(":cluster", cluster),
		bind_text(":user", user), bind_text(":account", account));
}

/* UNION, not UNION ALL: a damaged store may have rows above themselves. */
int assoc_nearest_default_qos(struct store *store, int64_t key, int64_t *qos)
{
	*qos = 0;
	return store_ask(store,
		"WITH RECURSIVE up (parent, def_qos) AS ("
		" SELECT parent, def_qos FROM assoc WHERE key = :key"
		" UNION SELECT a.parent, a.def_qos FROM up"
		" JOIN assoc a ON a.key = up.parent"
		" WHERE up.def_qos IS NULL)"
		" SELECT def_qos FROM up WHERE def_qos IS NOT NULL LIMIT 1",
		qos, bind_int(":key", key));
}

int assoc_count_of_user(struct store *store, const char *cluster,
	const char *user, size_t *rows, size_t *defaults)
{
	struct query q;

	*rows = *defaults = 0;
	if (query_open(&q, store,
		    "SELECT count(*), coalesce(sum(a.is_default), 0)"
		    " FROM assoc a JOIN cluster c ON c.id = a.cluster"
		    " WHERE a.user = :user AND :cluster IN ('', c.name)"
		    " AND NOT a.deleted"))
		return -1;
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":cluster", cluster);
	if (query_row(&q)) {
		*rows = (size_t)query_int(&q, 0);
		*defaults = (size_t)query_int(&q, 1);
	}
	return query_close(&q);
}

/* ---- writing ------------------------------------------------------------ */

static void qos_drop(struct assoc_qos_list *list, uint32_t id)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].id != id)
			continue;
		memmove(&list->v[i], &list->v[i + 1],
			(list->n - i - 1) * sizeof(*list->v));
		list->n--;
		return;
	}
}

/* One typed entry applied to a row's own list: `q`, `+q`, `-q` or "". */
static void apply_qos_entry(struct store *store, struct assoc_qos_list *list,
	const char *entry, bool is_explicit, struct arena *arena)
{
	char sign = *entry == '+' || *entry == '-' ? *entry++ : '=';
	const struct qos_name *qos = qos_by_name(&store->qos, entry);

	if (!qos)
		return;
	qos_drop(list, qos->id);
	if (is_explicit && sign == '-')
		return;
	*ARENA_PUSH(arena, list->v, list->n, list->cap) =
		(struct assoc_qos){qos->id, is_explicit ? '=' : sign};
}

static void apply_qos(struct store *store, struct assoc_qos_list *list,
	const struct setting *setting, struct arena *arena)
{
	const char *first = setting->list.n ? setting->list.v[0] : "";
	bool is_explicit;

	if (*first != '+' && *first != '-')
		list->n = 0;
	is_explicit = list->n ? list->v[0].sign == '='
			      : *first != '+' && *first != '-';
	for (size_t i = 0; i < setting->list.n; i++)
		apply_qos_entry(store, list, setting->list.v[i], is_explicit,
			arena);
}

static int put_qos(struct store *store, int64_t key,
	const struct assoc_qos_list *list)
{
	if (store_run(store, "DELETE FROM assoc_qos WHERE assoc = :key",
		    bind_int(":key", key)))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		char sign[2] = {list->v[i].sign};

		if (store_run(store,
			    "INSERT INTO assoc_qos (assoc, qos, sign, position)"
			    " VALUES (:key, :qos, :sign, :position)",
			    bind_int(":key", key),
			    bind_int(":qos", list->v[i].id),
			    bind_text(":sign", sign),
			    bind_int(":position", (int64_t)i)))
			return -1;
	}
	return 0;
}

static int set_qos(struct store *store, const void *record,
	const struct setting *setting, struct arena *arena)
{
	const struct assoc *assoc = record;
	struct assoc_qos_list list = {0};

	for (size_t i = 0; i < assoc->own_qos.n; i++)
		*ARENA_PUSH(arena, list.v, list.n, list.cap) =
			assoc->own_qos.v[i];
	apply_qos(store, &list, setting, arena);
	return put_qos(store, assoc->key, &list);
}

const struct limits_table assoc_limits = LIMITS_TABLE("assoc", "key",
	LEASE_ASSOC, LEASE_ASSOC_TRES, LEASE_ASSOC_QOS, set_qos);

int assoc_update(struct store *store, const struct assoc *assoc,
	const struct settings *settings, struct arena *arena)
{
	struct assoc changed = *assoc, blank;

	assoc_init(&blank);
	return limits_update(store, &assoc_limits, assoc, &changed, &blank,
		assoc->key, assoc->tres, settings, arena);
}

/* The key and the number of a deleted row of the same name; 0 without one. */
static int find_deleted(
	struct store *store, const struct assoc_new *new, struct assoc *row)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT key, id FROM assoc WHERE cluster = :cluster"
		    " AND account = :account AND user = :user"
		    " AND partition = :partition AND deleted"))
		return -1;
	query_bind_int(&q, ":cluster", new->cluster);
	query_bind_text(&q, ":account", new->account);
	query_bind_text(&q, ":user", new->user);
	query_bind_text(&q, ":partition", new->partition);
	if (query_row(&q)) {
		row->key = query_int(&q, 0);
		row->id = (uint32_t)query_int(&q, 1);
	}
	return query_close(&q);
}

int assoc_count_deleted(
	struct store *store, int64_t cluster, int64_t *rows, int64_t *last_id)
{
	struct query q;

	*rows = *last_id = 0;
	if (query_open(&q, store,
		    "SELECT total(deleted), coalesce(max(id), 0) FROM assoc"
		    " WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	if (query_row(&q)) {
		*rows = query_int(&q, 0);
		*last_id = query_int(&q, 1);
	}
	return query_close(&q);
}

/* Ids count from 1 in each cluster. */
static int next_id(struct store *store, int64_t cluster, uint32_t *id)
{
	int64_t next = 1;

	if (store_ask(store,
		    "SELECT coalesce(max(id), 0) + 1 FROM assoc"
		    " WHERE cluster = :cluster",
		    &next, bind_int(":cluster", cluster)))
		return -1;
	*id = (uint32_t)next;
	return 0;
}

/* A row, whole. */
struct assoc_row {
	struct assoc assoc; /* first: members are told from here */
	int64_t cluster;    /* key */
	int64_t modified;
};

#define AT(member) .offset = offsetof(struct assoc_row, member)
static const struct member identity[] = {
	{"key", MEMBER_KEY, AT(assoc.key)},
	{"cluster", MEMBER_INT, AT(cluster)},
	{"id", MEMBER_COUNT, AT(assoc.id)},
	{"account", MEMBER_TEXT, AT(assoc.account)},
	{"user", MEMBER_TEXT, AT(assoc.user)},
	{"partition", MEMBER_TEXT, AT(assoc.partition)},
	{"modified", MEMBER_INT, AT(modified)},
};
#undef AT
static const struct members identity_members = MEMBERS(identity);

static const struct bulk_kind assoc_kind = {
	.which = BULK_ASSOCS,
	.name = "assoc",
	.own = &identity_members,
	.rest = &assoc_members,
	.size = sizeof(struct assoc_row),
	.most = 500,
};

/* The key that SQLite would give; to a row that does not wait it gives one. */
/* Not that of one that was erased, which may have used something. */
#define NEXT_KEY                                                               \
	"SELECT 1 + max(coalesce((SELECT max(key) FROM assoc), 0),"            \
	" coalesce((SELECT max(owner) FROM usage_fact), 0))"

static int next_key(struct store *store, int64_t *key)
{
	int64_t *next;

	if (!bulk_insert_is_on(store))
		return store_number(store, NEXT_KEY, key);
	next = &store->bulk_insert->next_key;
	if (!*next && store_number(store, NEXT_KEY, next))
		return -1;
	*key = (*next)++;
	return 0;
}

static int insert_row(
	struct store *store, const struct assoc_new *new, struct assoc *row)
{
	struct assoc_row whole;

	row->id = new->id;
	row->account = new->account;
	row->user = new->user;
	row->partition = new->partition;
	if ((!row->id && next_id(store, new->cluster, &row->id)) ||
		next_key(store, &row->key))
		return -1;
	whole = (struct assoc_row){*row, new->cluster, store->now};
	if (bulk_insert_add(store, &assoc_kind, &whole))
		return -1;
	if (!row->key)
		row->key = store_last_key(store);
	return 0;
}

/* The row alone, without TRES and QOS: it comes back after it was deleted, or goes,
 * with fresh values. */
static int write_fresh(struct store *store, const struct assoc *row)
{
	const struct assoc_qos_list no_qos = {0};

	return any_failed(
		store_write(store, &assoc_members, row,
			"UPDATE assoc SET {columns = :columns}, modified = :now"
			" WHERE key = :key",
			bind_int(":now", store->now),
			bind_int(":key", row->key)) ||
		put_qos(store, row->key, &no_qos) ||
		store_run(store,
			"DELETE FROM assoc_tres"
			" WHERE assoc = :key",
			bind_int(":key", row->key)));
}

static int log_added(struct store *store, const struct assoc_new *new,
	uint32_t id, struct arena *arena)
{
	char *info = arena_printf(arena,
		"mod_time=%lld, acct='%s', is_def=%d, user='%s'",
		(long long)store->now, new->account, new->is_default,
		new->user);

	if (*new->partition)
		info = arena_printf(
			arena, "%s, partition='%s'", info, new->partition);
	if (new->settings && new->settings->n)
		info = arena_printf(arena, "%s, %s", info,
			settings_text(new->settings, arena));
	return txn_add(store, TXN_ADD_ASSOCS, new->cluster_name,
		arena_printf(arena, "id_assoc=%u", id), info);
}

int64_t assoc_add(struct store *store, const struct assoc_new *new)
{
	static const struct settings none;
	const struct settings *settings = new->settings ? new->settings : &none;
	SCRATCH_ARENA(arena);
	struct assoc row, blank;

	assoc_init(&blank);
	row = blank;
	row.parent_key = new->parent ? new->parent->key : 0;
	row.lineage = new->parent
			      ? assoc_lineage(&arena, new->parent->lineage,
					new->account, new->user, new->partition)
			      : "/";
	row.is_default = new->is_default;
	row.created = store->now;
	limits_put(&row, &blank, settings);
	if (!new->id && find_deleted(store, new, &row))
		return -1;
	if (row.key ? write_fresh(store, &row) || usage_revive(store, row.key)
		    : insert_row(store, new, &row))
		return -1;
	if (limits_put_lists(store, &assoc_limits, &row, row.key, row.tres,
		    settings, &arena) ||
		log_added(store, new, row.id, &arena))
		return -1;
	return row.key;
}

int assoc_move(struct store *store, const struct assoc *assoc,
	const struct assoc *new_parent, struct arena *arena)
{
	char *lineage = assoc_lineage(
		arena, new_parent->lineage, assoc->account, "", "");

	if (store_run(store,
		    "UPDATE assoc SET parent = :parent, modified = :now"
		    " WHERE key = :key",
		    bind_int(":parent", new_parent->key),
		    bind_int(":now", store->now), bind_int(":key", assoc->key)))
		return -1;
	return store_run(store,
		"UPDATE assoc SET lineage = :new || substr(lineage,"
		" length(:old) + 1), modified = :now WHERE cluster ="
		" (SELECT cluster FROM assoc WHERE key = :key)"
		" AND " LINEAGE_BELOW("lineage", ":old"),
		bind_text(":new", lineage), bind_text(":old", assoc->lineage),
		bind_int(":now", store->now), bind_int(":key", assoc->key));
}

int assoc_set_default(struct store *store, const char *cluster,
	const char *user, const char *account)
{
	return store_run(store,
		"UPDATE assoc SET is_default = (account = :account)"
		" WHERE user = :user AND NOT deleted AND cluster ="
		" (SELECT id FROM cluster WHERE name = :cluster)"
		" AND is_default != (account = :account)",
		bind_text(":cluster", cluster), bind_text(":user", user),
		bind_text(":account", account));
}

int assoc_take_default(struct store *store, const char *cluster,
	const char *user, const char *account)
{
	return store_run(store,
		"UPDATE assoc SET is_default = 0"
		" WHERE user = :user AND account != :account"
		" AND is_default AND cluster ="
		" (SELECT id FROM cluster WHERE name = :cluster)",
		bind_text(":cluster", cluster), bind_text(":user", user),
		bind_text(":account", account));
}

int assoc_mark_deleted(struct store *store, const struct assoc *assoc)
{
	struct assoc fresh;

	assoc_init(&fresh);
	fresh.key = assoc->key;
	fresh.parent_key = assoc->parent_key;
	fresh.lineage = assoc->lineage;
	fresh.created = assoc->created;
	fresh.deleted = true;
	return write_fresh(store, &fresh);
}

int assoc_remove(struct store *store, const struct assoc *assoc)
{
	int used = store_has(store,
		"SELECT 1 FROM job WHERE assoc = :key UNION ALL"
		" SELECT 1 FROM assoc WHERE parent = :key LIMIT 1",
		bind_int(":key", assoc->key));

	if (used < 0 || lease_drop_assoc(store, assoc->key))
		return -1;
	if (!used && is_young(store, assoc->created))
		return any_failed(usage_forget(store, assoc->key) ||
				  store_run(store,
					  "DELETE FROM assoc"
					  " WHERE key = :key",
					  bind_int(":key", assoc->key)));
	return assoc_mark_deleted(store, assoc);
}

static char *tres_setting_text(
	const struct setting *s, const char *name, struct arena *arena)
{
	struct strv counts = {0};

	for (size_t i = 0; i < s->tres.n; i++)
		strv_printf(&counts, arena, "%u=%lld", s->tres.v[i].id,
			s->tres.v[i].count == INFINITE64
				? -1LL
				: (long long)s->tres.v[i].count);
	return arena_printf(
		arena, "%s='%s'", name, strv_join(&counts, ",", arena));
}

static char *setting_text(const struct setting *s, struct arena *arena)
{
	const struct member_set *set = s->attr->set;
	const char *name = set->log	     ? set->log
			   : s->attr->column ? s->attr->column
					     : set->name;

	switch (set->type) {
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		return arena_printf(arena, "%s='%s'", name, s->text);
	case ATTR_REAL:
	case ATTR_NUMBER64:
		return arena_printf(arena, "%s=%f", name, s->real);
	case ATTR_TRES:
		return tres_setting_text(s, name, arena);
	case ATTR_QOS_LIST:
	case ATTR_LIST:
		return arena_printf(arena, "%s='%s'", name,
			strv_join(&s->list, ",", arena));
	default:
		return s->number == INFINITE
			       ? arena_printf(arena, "%s=NULL", name)
			       : arena_printf(arena, "%s=%u", name, s->number);
	}
}

char *settings_text(const struct settings *settings, struct arena *arena)
{
	struct strv texts = {0};

	for (size_t i = 0; i < settings->n; i++)
		strv_push(&texts, arena, setting_text(&settings->v[i], arena));
	return strv_join(&texts, ", ", arena);
}
