/*
 * Wckeys in the store; see wckey.h.
 */
#include "db/entity/wckey.h"

#include "common/table/fields.h"
#include "db/rows/members.h"
#include "db/rows/where.h"
#include "db/store/query.h"

/* clang-format off */
#define AT(type, member) MEMBER_##type, .offset = offsetof(struct wckey, member)
static const struct member rows[] = {
	{NULL, AT(INT, key), .select = "k.key"},
	{"is_default", AT(BOOL, is_default)},
	{"created", AT(INT, created)},
	{.json = "accounting", .get = get_nothing},
	{NULL, AT(TEXT, shown), .names = "WCKeys:1 Names:1",
		.heading = "WCKey", .width = 10, .help = "wckey"},
	{NULL, AT(TEXT, name), .json = "name", .select = "k.name"},
	{NULL, AT(TEXT, cluster), .names = "Clusters:2", .heading = "Cluster",
		.width = 10, .json = "cluster", .help = "cluster", .select = "c.name"},
	{NULL, AT(COUNT, id), .names = "IDs:1", .heading = "ID", .width = 6,
		.json = "id", .help = "number", .select = "k.id"},
	{NULL, AT(TEXT, user), .names = "Users:1", .heading = "User",
		.width = 10, .json = "user", .help = "user", .select = "k.user"},
	{"deleted", AT(BOOL, deleted), .json = "flags", .get = get_deleted},
};
const struct members wckey_members = MEMBERS(rows);
/* clang-format on */

int wckey_list(struct store *store, const struct wckey_cond *cond,
	struct arena *arena, struct wckey_list *list)
{
	struct where w;

	where_members(&w, "SELECT {k.columns} FROM wckey k"
			  " JOIN cluster c ON c.id = k.cluster",
		&wckey_members, arena);
	if (!cond->with_deleted)
		where_add(&w, " AND NOT k.deleted");
	where_one_of(&w, "k.name COLLATE NOCASE", &cond->names);
	where_one_of(&w, "c.name", &cond->clusters);
	where_one_of(&w, "k.user", &cond->users);
	where_one_of(&w, "k.id", &cond->ids);
	where_add(&w, " ORDER BY c.name, k.name, k.user");
	if (where_list(&w, store, &wckey_members, list))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		list->v[i].shown = list->v[i].name;
	return 0;
}

static int clear_default(
	struct store *store, const char *cluster, const char *user)
{
	return store_run(store,
		"UPDATE wckey SET is_default = 0 WHERE user = :user"
		" AND is_default AND cluster ="
		" (SELECT id FROM cluster WHERE name = :cluster)",
		bind_text(":user", user), bind_text(":cluster", cluster));
}

int wckey_no_default(struct store *store, const char *cluster, const char *user)
{
	int had = store_has(store,
		"SELECT 1 FROM wckey w JOIN cluster c ON c.id = w.cluster"
		" WHERE c.name = :cluster AND w.user = :user AND w.name <> ''"
		" AND w.is_default",
		bind_text(":user", user), bind_text(":cluster", cluster));

	return had > 0 && clear_default(store, cluster, user) ? -1 : had;
}

int wckey_add(struct store *store, const char *cluster, const char *name,
	const char *user, bool is_default)
{
	const struct wckey wckey = {
		.is_default = is_default, .created = store->now};
	struct query q;
	int added = 0,
	    exists = store_has(store,
		    "SELECT 1 FROM wckey WHERE name = :name AND user = :user"
		    " AND NOT deleted AND cluster ="
		    " (SELECT id FROM cluster WHERE name = :cluster)",
		    bind_text(":cluster", cluster), bind_text(":name", name),
		    bind_text(":user", user));

	if (exists)
		return exists < 0 ? -1 : 0;
	if (is_default && clear_default(store, cluster, user))
		return -1;
	if (query_open_record(&q, store, &wckey_members, &wckey,
		    "INSERT INTO wckey (cluster, id, name, user, modified,"
		    " {columns}) SELECT c.id,"
		    " (SELECT coalesce(max(id), 0) + 1 FROM wckey"
		    " WHERE cluster = c.id), :name, :user, :now, {:columns}"
		    " FROM cluster c WHERE c.name = :cluster"
		    " ON CONFLICT (cluster, name, user) DO UPDATE SET"
		    " {columns = excluded} WHERE deleted RETURNING 1"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":name", name);
	query_bind_text(&q, ":user", user);
	query_bind_int(&q, ":now", store->now);
	while (query_row(&q))
		added = 1;
	return query_close(&q) ? -1 : added;
}

int wckey_make_default(struct store *store, const struct wckey *wckey)
{
	if (clear_default(store, wckey->cluster, wckey->user))
		return -1;
	return store_run(store,
		"UPDATE wckey SET is_default = 1 WHERE key = :key",
		bind_int(":key", wckey->key));
}

int wckey_remove(struct store *store, const struct wckey *wckey)
{
	return store_remove(store, is_young(store, wckey->created), "wckey",
		", is_default = 0", "key = :key", bind_int(":key", wckey->key));
}

int wckey_remove_of(struct store *store, const char *user, struct arena *arena)
{
	struct wckey_cond cond = {.users = STRV_ONE(user)};
	struct wckey_list keys;

	if (wckey_list(store, &cond, arena, &keys))
		return -1;
	for (size_t i = 0; i < keys.n; i++)
		if (wckey_remove(store, &keys.v[i]))
			return -1;
	return 0;
}
