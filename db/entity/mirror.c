#include "db/entity/mirror.h"

#include "db/usage/usage.h"

#include <string.h>

#include "db/entity/account.h"
#include "db/entity/cluster.h"
#include "db/entity/federation.h"
#include "db/entity/initial.h"
#include "db/entity/lease.h"
#include "db/entity/user.h"
#include "db/rows/members.h"
#include "db/store/query.h"

int mirror_tres(struct store *store, const struct strv *names)
{
	return initial_put_tres(store, names);
}

int mirror_account(struct store *store, const char *name,
	const char *description, const char *organization)
{
	int same = store_has(store,
		"SELECT 1 FROM account WHERE name = :name AND NOT deleted"
		" AND description = :description"
		" AND organization = :organization",
		bind_text(":name", name),
		bind_text(":description", description),
		bind_text(":organization", organization));

	if (same)
		return same < 0 ? -1 : 0;
	return account_add(store, name, description, organization, 0) ? -1 : 1;
}

int mirror_user(struct store *store, const char *name, uint32_t admin_level)
{
	int same;

	if (admin_level == ADMIN_NOT_SET)
		admin_level = ADMIN_NONE;
	same = store_has(store,
		"SELECT 1 FROM user WHERE name = :name AND NOT deleted"
		" AND admin_level = :level",
		bind_text(":name", name), bind_int(":level", admin_level));
	if (same)
		return same < 0 ? -1 : 0;
	return user_add(store, name, admin_level) ? -1 : 1;
}

/* ---- what is gone --------------------------------------------------------*/

/* Those of other clusters, which have associations there, go with these. One that
 * is without a trace there goes, where no association here has the name. */
#define OTHERS(table)                                                          \
	{"SELECT name FROM " table " WHERE name <> 'root'"                     \
	 " AND NOT EXISTS (SELECT 1 FROM assoc a WHERE NOT a.deleted"          \
	 " AND a." table " = name)",                                           \
		"DELETE FROM " table " WHERE name = :name AND NOT EXISTS"      \
		" (SELECT 1 FROM assoc a WHERE a." table " = name)"            \
		" RETURNING 1",                                                \
		"UPDATE " table " SET deleted = 1"                             \
		" WHERE name = :name AND NOT deleted RETURNING 1"}

struct others {
	const char *names, *drop, *mark;
};

static int remove_others(struct store *store, const struct others *others,
	const struct strv_set *kept, const struct strv_set *past,
	struct arena *arena)
{
	struct strv names = {0};
	int changed = 0;

	if (store_all_words(store, others->names, &names, arena))
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.v[i];
		int done = 0;

		if (strv_set_has(kept, name))
			continue;
		if (!strv_set_has(past, name))
			done = store_has(store, others->drop,
				bind_text(":name", name));
		if (!done)
			done = store_has(store, others->mark,
				bind_text(":name", name));
		if (done < 0)
			return -1;
		changed |= done;
	}
	return changed;
}

int mirror_remove_others(struct store *store, const struct mirror_names *accounts,
	const struct mirror_names *users, struct arena *arena)
{
	static const struct others of_accounts = OTHERS("account");
	static const struct others of_users = OTHERS("user");
	struct strv_set kept, past;
	int a, u;

	strv_set_init(&kept, &accounts->live, false, arena);
	strv_set_init(&past, &accounts->past, false, arena);
	a = remove_others(store, &of_accounts, &kept, &past, arena);
	if (a < 0)
		return -1;
	strv_set_init(&kept, &users->live, true, arena);
	strv_set_init(&past, &users->past, true, arena);
	u = remove_others(store, &of_users, &kept, &past, arena);
	return u < 0 ? -1 : a || u;
}

/* ---- federations ---------------------------------------------------------*/

int mirror_federations(
	struct store *store, const struct strv *names, struct arena *arena)
{
	struct strv before = {0};
	int changed = 0;

	if (federation_names(store, false, arena, &before))
		return -1;
	for (size_t i = 0; i < before.n; i++) {
		if (strv_has(names, before.v[i]))
			continue;
		changed = 1;
		if (federation_remove(store, before.v[i]))
			return -1;
	}
	for (size_t i = 0; i < names->n; i++) {
		if (strv_has(&before, names->v[i]))
			continue;
		changed = 1;
		if (federation_add(store, names->v[i]))
			return -1;
	}
	return changed;
}

int mirror_member(struct store *store, const struct mirror_member *member)
{
	return store_has(store,
		"UPDATE cluster SET federation = f, fed_id = :id,"
		" fed_state = :state, features = :features FROM (SELECT"
		" (SELECT id FROM federation WHERE name = :federation)"
		" AS f) WHERE name = :cluster AND (federation, fed_id,"
		" fed_state, features) IS NOT (f, :id, :state, :features)"
		" RETURNING 1",
		bind_text(":cluster", member->cluster),
		bind_text(":federation", member->federation),
		bind_text(":features", member->features),
		bind_int(":id", member->id), bind_int(":state", member->state));
}

/* ---- resources -----------------------------------------------------------*/

static const struct resource_share *find_share(
	const struct resource *r, const char *cluster)
{
	for (size_t i = 0; i < r->n_shares; i++)
		if (!strcmp(r->shares[i].cluster, cluster))
			return &r->shares[i];
	return NULL;
}

static int set_shares(struct store *store, const struct resource *have,
	const struct resource *wanted)
{
	int changed = 0;

	for (size_t i = 0; i < have->n_shares; i++)
		if (!find_share(wanted, have->shares[i].cluster)) {
			changed = 1;
			if (resource_share_remove(store, have->id,
				    have->shares[i].cluster))
				return -1;
		}
	for (size_t i = 0; i < wanted->n_shares; i++) {
		const struct resource_share *new = &wanted->shares[i];
		const struct resource_share *old =
			find_share(have, new->cluster);
		int64_t key = cluster_key(store, new->cluster);

		if (key < 0)
			return -1;
		if (!key || (old && old->allowed == new->allowed))
			continue;
		changed = 1;
		if (resource_share_set(
			    store, have->id, new->cluster, new->allowed))
			return -1;
	}
	return changed;
}

int mirror_resource(
	struct store *store, const struct resource *wanted, struct arena *arena)
{
	struct resource have = *wanted;
	int found = resource_find(
		store, wanted->name, wanted->server, arena, &have);
	int changed = !found || !members_same(&have, wanted, &resource_members);
	int shares;

	if (found < 0)
		return -1;
	if (!found)
		have.n_shares = 0;
	if (changed) {
		struct resource new = *wanted;

		if (resource_add(store, &new))
			return -1;
		have.id = new.id;
	}
	shares = set_shares(store, &have, wanted);
	return shares < 0 ? -1 : changed || shares;
}

int mirror_resources(
	struct store *store, const struct strv *names, struct arena *arena)
{
	struct resource_cond cond = {0};
	struct resource_list list;
	int changed = 0;

	if (resource_list(store, &cond, arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct resource *r = &list.v[i];

		if (strv_has(names, arena_printf(arena, "%s@%s", r->name,
					    r->server)))
			continue;
		changed = 1;
		if (resource_remove(store, r))
			return -1;
	}
	return changed;
}

/* ---- numbers -------------------------------------------------------------*/

/* All columns that hold the number of a QOS; leases have theirs apart. */
static const struct {
	const char *table, *column;
} qos_columns[] = {
	{"qos", "id"},
	{"qos_tres", "qos"},
	{"qos_preempt", "qos"},
	{"qos_preempt", "victim"},
	{"assoc", "def_qos"},
	{"assoc_qos", "qos"},
	{"job", "qos"},
	{"job", "part_qos"},
	{"rollup", "qos"},
};

static int renumber_column(struct store *store, const char *table,
	const char *column, int64_t from, int64_t to)
{
	SCRATCH_ARENA(arena);
	struct query q;
	int rc = query_open_text(&q, store,
		arena_printf(&arena, "UPDATE %s SET %s = :to WHERE %s = :from",
			table, column, column));

	if (rc)
		return -1;
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":to", to);
	return query_run(&q);
}

/* Rows that refer to it point nowhere in between. */
static int renumber_qos(struct store *store, int64_t from, int64_t to)
{
	if (store_exec(store, "PRAGMA defer_foreign_keys = ON"))
		return -1;
	for (size_t i = 0; i < sizeof(qos_columns) / sizeof(*qos_columns); i++)
		if (renumber_column(store, qos_columns[i].table,
			    qos_columns[i].column, from, to))
			return -1;
	return any_failed(usage_renumber_qos(store, from, to) ||
			  lease_renumber_qos(store, from, to));
}

int mirror_qos_id(struct store *store, const char *name, uint32_t id)
{
	int64_t have = 0, free = 0;
	bool taken = false;
	struct query q;

	/* Usage knows of those that are gone, too. */
	if (query_open(&q, store,
		    "WITH known (id) AS (SELECT id FROM qos UNION"
		    " SELECT -owner & 4294967295 FROM usage_fact WHERE owner < 0)"
		    " SELECT (SELECT id FROM qos WHERE name = :name),"
		    " EXISTS (SELECT 1 FROM known WHERE id = :id),"
		    " max(:id, (SELECT max(id) FROM known)) + 1"))
		return -1;
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":id", id);
	if (query_row(&q)) {
		have = query_int(&q, 0);
		taken = query_int(&q, 1);
		free = query_int(&q, 2);
	}
	if (query_close(&q))
		return -1;
	if (have == id || !have || !id)
		return 0;
	if ((taken && renumber_qos(store, id, free)) ||
		renumber_qos(store, have, id))
		return -1;
	return store_load_catalogs(store) ? -1 : 1;
}

void mirror_ids_push(struct mirror_ids *ids, struct arena *arena, int64_t key,
	uint32_t id)
{
	*ARENA_PUSH(arena, ids->v, ids->n, ids->cap) =
		(struct mirror_id){key, id};
}

/* Reservations list associations by number: "3,-7". A number that none has
 * stays. */
static int renumber_reservations(struct store *store, int64_t cluster)
{
	return store_run(store,
		"UPDATE reservation SET assocs = (SELECT group_concat("
		" coalesce(iif(word LIKE '-%', '-', '') || (SELECT a.id FROM"
		"  temp.numbered o JOIN assoc a ON a.key = o.key"
		"  WHERE o.id = CAST(ltrim(word, '-') AS INTEGER)), word), ',')"
		" FROM (SELECT value AS word FROM json_each('[' || replace("
		"  json_quote(assocs), ',', '\",\"') || ']') ORDER BY key))"
		" WHERE cluster = :cluster AND assocs <> ''",
		bind_int(":cluster", cluster));
}

/* Numbers are unique in a cluster: all step aside first, below 0; those that
 * get none come behind the last. */
static int renumber_assocs(
	struct store *store, int64_t cluster, const struct mirror_ids *ids)
{
	if (store_run(store,
		    "UPDATE assoc SET id = -key - 1 WHERE cluster = :cluster",
		    bind_int(":cluster", cluster)))
		return -1;
	for (size_t i = 0; i < ids->n; i++)
		if (store_run(store,
			    "UPDATE assoc SET id = :id"
			    " WHERE key = :key AND id <> :id",
			    bind_int(":key", ids->v[i].key),
			    bind_int(":id", ids->v[i].id)))
			return -1;
	return store_run(store,
		"UPDATE assoc SET id = n.id FROM (SELECT key, (SELECT"
		"  max(0, max(id)) FROM assoc WHERE cluster = :cluster)"
		"  + row_number() OVER (ORDER BY key) AS id FROM assoc"
		"  WHERE cluster = :cluster AND id < 0) n"
		" WHERE assoc.key = n.key",
		bind_int(":cluster", cluster));
}

int mirror_assoc_ids(
	struct store *store, int64_t cluster, const struct mirror_ids *ids)
{
	return any_failed(
		store_exec(store, "CREATE TEMP TABLE numbered"
				  " (id INTEGER PRIMARY KEY, key INTEGER)") ||
		store_run(store,
			"INSERT INTO temp.numbered"
			" SELECT id, key FROM assoc"
			" WHERE cluster = :cluster",
			bind_int(":cluster", cluster)) ||
		renumber_assocs(store, cluster, ids) ||
		renumber_reservations(store, cluster) ||
		store_exec(store, "DROP TABLE temp.numbered"));
}
