#include "db/entity/mirror.h"

#include <string.h>

#include "db/entity/account.h"
#include "db/entity/cluster.h"
#include "db/entity/federation.h"
#include "db/entity/initial.h"
#include "db/entity/user.h"
#include "db/store/members.h"
#include "db/store/query.h"

int mirror_tres(struct store *store, const struct strv *names)
{
	return initial_put_tres(store, names);
}

int mirror_account(struct store *store, const char *name,
	const char *description, const char *organization)
{
	struct query q;
	int same;

	if (query_open(&q, store,
		    "SELECT 1 FROM account WHERE name = :name AND NOT deleted"
		    " AND description = :description"
		    " AND organization = :organization"))
		return -1;
	query_bind_text(&q, ":name", name);
	query_bind_text(&q, ":description", description);
	query_bind_text(&q, ":organization", organization);
	same = query_found(&q);
	if (same)
		return same < 0 ? -1 : 0;
	return account_add(store, name, description, organization, 0) ? -1 : 1;
}

int mirror_user(struct store *store, const char *name, uint32_t admin_level)
{
	struct query q;
	int same;

	if (admin_level == ADMIN_NOT_SET)
		admin_level = ADMIN_NONE;
	if (query_open(&q, store,
		    "SELECT 1 FROM user WHERE name = :name AND NOT deleted"
		    " AND admin_level = :level"))
		return -1;
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":level", admin_level);
	same = query_found(&q);
	if (same)
		return same < 0 ? -1 : 0;
	return user_add(store, name, admin_level) ? -1 : 1;
}

/* ---- coordinators --------------------------------------------------------*/

static int add_pair(struct store *store, char *pair)
{
	char *user = strrchr(pair, '/');
	int rc;

	*user = '\0';
	rc = coordinator_add(store, pair, user + 1);
	*user = '/';
	return rc;
}

int mirror_coordinators(
	struct store *store, const struct strv *pairs, struct arena *arena)
{
	static const struct strv any;
	struct coordinator_list list = {0};
	struct strv before = {0};
	int changed = 0;

	if (coordinator_list(store, &any, &any, arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const char *pair = arena_printf(arena, "%s/%s",
			list.v[i].account, list.v[i].user);

		strv_push(&before, arena, pair);
		if (strv_has(pairs, pair))
			continue;
		changed = 1;
		if (coordinator_remove(
			    store, list.v[i].account, list.v[i].user))
			return -1;
	}
	for (size_t i = 0; i < pairs->n; i++) {
		if (strv_has(&before, pairs->v[i]))
			continue;
		changed = 1;
		if (add_pair(store, arena_strdup(arena, pairs->v[i])))
			return -1;
	}
	return changed;
}

/* ---- what is gone --------------------------------------------------------*/

static int keep_names(struct store *store, const struct strv *names)
{
	struct query q;

	if (store_exec(store, "CREATE TEMP TABLE IF NOT EXISTS kept"
			    " (name TEXT PRIMARY KEY COLLATE NOCASE);"
			    "DELETE FROM temp.kept;"))
		return -1;
	for (size_t i = 0; i < names->n; i++) {
		if (query_open(&q, store,
			    "INSERT OR IGNORE INTO temp.kept VALUES (:name)"))
			return -1;
		query_bind_text(&q, ":name", names->v[i]);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

/* 1: there were any. */
static int mark_others(struct store *store, const char *which,
	const char *mark)
{
	struct query q;
	int any;

	if (query_open(&q, store, which))
		return -1;
	any = query_found(&q);
	if (any <= 0)
		return any;
	return store_exec(store, mark) ? -1 : 1;
}

int mirror_remove_others(struct store *store, const struct strv *accounts,
	const struct strv *users)
{
	int a, u;

	if (keep_names(store, accounts))
		return -1;
	a = mark_others(store,
		"SELECT 1 FROM account WHERE NOT deleted AND name <> 'root'"
		" AND name NOT IN (SELECT name FROM temp.kept)",
		"UPDATE account SET deleted = 1 WHERE NOT deleted"
		" AND name <> 'root'"
		" AND name NOT IN (SELECT name FROM temp.kept)");
	if (a < 0 || keep_names(store, users))
		return -1;
	u = mark_others(store,
		"SELECT 1 FROM user WHERE NOT deleted AND name <> 'root'"
		" AND name NOT IN (SELECT name FROM temp.kept)",
		"UPDATE user SET deleted = 1 WHERE NOT deleted"
		" AND name <> 'root'"
		" AND name NOT IN (SELECT name FROM temp.kept)");
	if (u < 0 || store_exec(store, "DROP TABLE temp.kept"))
		return -1;
	return a || u;
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
	struct query q;
	bool changed;

	if (query_open(&q, store,
		    "UPDATE cluster SET federation = f, fed_id = :id,"
		    " fed_state = :state, features = :features FROM (SELECT"
		    " (SELECT id FROM federation WHERE name = :federation)"
		    " AS f) WHERE name = :cluster AND (federation, fed_id,"
		    " fed_state, features) IS NOT (f, :id, :state, :features)"
		    " RETURNING 1"))
		return -1;
	query_bind_text(&q, ":cluster", member->cluster);
	query_bind_text(&q, ":federation", member->federation);
	query_bind_text(&q, ":features", member->features);
	query_bind_int(&q, ":id", member->id);
	query_bind_int(&q, ":state", member->state);
	changed = query_row(&q);
	return query_run(&q) ? -1 : changed;
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

/* Wherever it is used. The rows that refer to it are not whole in between. */
static int renumber_qos(struct store *store, int64_t from, int64_t to)
{
	static const char *const statements[] = {
		"UPDATE qos SET id = :to WHERE id = :from",
		"UPDATE qos_tres SET qos = :to WHERE qos = :from",
		"UPDATE qos_preempt SET qos = :to WHERE qos = :from",
		"UPDATE qos_preempt SET victim = :to WHERE victim = :from",
		"UPDATE qos_usage SET qos = :to WHERE qos = :from",
		"UPDATE assoc SET def_qos = :to WHERE def_qos = :from",
		"UPDATE assoc_qos SET qos = :to WHERE qos = :from",
		"UPDATE job SET qos = :to WHERE qos = :from",
		"UPDATE job SET part_qos = :to WHERE part_qos = :from",
		"UPDATE rollup SET qos = :to WHERE qos = :from",
	};

	if (store_exec(store, "PRAGMA defer_foreign_keys = ON"))
		return -1;
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		struct query q;

		if (query_open(&q, store, statements[i]))
			return -1;
		query_bind_int(&q, ":from", from);
		query_bind_int(&q, ":to", to);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

int mirror_qos_id(struct store *store, const char *name, uint32_t id)
{
	int64_t have = 0, free = 0;
	bool taken = false;
	struct query q;

	if (query_open(&q, store,
		    "SELECT (SELECT id FROM qos WHERE name = :name),"
		    " EXISTS (SELECT 1 FROM qos WHERE id = :id),"
		    " max(:id, (SELECT max(id) FROM qos)) + 1"))
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

static int set_id(struct store *store, int64_t key, int64_t id)
{
	struct query q;

	if (query_open(&q, store,
		    "UPDATE assoc SET id = :id WHERE key = :key AND id <> :id"))
		return -1;
	query_bind_int(&q, ":key", key);
	query_bind_int(&q, ":id", id);
	return query_run(&q);
}

static int differs(struct store *store, const struct mirror_ids *ids)
{
	for (size_t i = 0; i < ids->n; i++) {
		struct query q;
		int64_t id = 0;

		if (query_open(&q, store,
			    "SELECT id FROM assoc WHERE key = :key"))
			return -1;
		query_bind_int(&q, ":key", ids->v[i].key);
		if (query_number(&q, &id))
			return -1;
		if (id != ids->v[i].id)
			return 1;
	}
	return 0;
}

/* Numbers are unique in a cluster: all step aside first, below 0; those that
 * get none come behind the last. */
int mirror_assoc_ids(
	struct store *store, int64_t cluster, const struct mirror_ids *ids)
{
	struct query q;
	int rc = differs(store, ids);

	if (rc <= 0)
		return rc;
	if (query_open(&q, store,
		    "UPDATE assoc SET id = -key - 1 WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	if (query_run(&q))
		return -1;
	for (size_t i = 0; i < ids->n; i++)
		if (set_id(store, ids->v[i].key, ids->v[i].id))
			return -1;
	if (query_open(&q, store,
		    "UPDATE assoc SET id = (SELECT max(id, 0) FROM (SELECT"
		    " max(id) AS id FROM assoc WHERE cluster = :cluster))"
		    " + (SELECT count(*) FROM assoc o WHERE o.cluster ="
		    " :cluster AND o.id < 0 AND o.id >= assoc.id)"
		    " WHERE cluster = :cluster AND id < 0"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	return query_run(&q) ? -1 : 1;
}
