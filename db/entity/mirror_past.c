#include "db/entity/mirror_past.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/table/assoc.h"
#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

#define MARK(table) "UPDATE " table " SET deleted = 1 WHERE name = :name"

/* ---- names follow numbers ------------------------------------------------*/

/* A record of the store. */
struct same_number {
	int64_t key;
	int64_t id;
	const char *name; /* unique, as a key */
	const char *target;
	const void *there; /* whose name that is; NULL: it only steps aside */
	UT_hash_handle by_id, by_name;
};

struct same_numbers {
	struct same_number *ids, *names;
	size_t renamed;
};

static void add_numbered(struct same_numbers *list, struct same_number *one)
{
	HASH_ADD(by_id, list->ids, id, sizeof(one->id), one);
	HASH_ADD_KEYPTR(
		by_name, list->names, one->name, strlen(one->name), one);
}

static struct same_number *find_name(
	const struct same_numbers *list, const char *name)
{
	struct same_number *found;

	HASH_FIND(by_name, list->names, name, strlen(name), found);
	return found;
}

/* The record of the number is called so there. */
static void call(struct same_numbers *list, int64_t id, const char *name,
	const void *there)
{
	struct same_number *found;

	HASH_FIND(by_id, list->ids, &id, sizeof(id), found);
	if (!found || !strcmp(found->name, name))
		return;
	found->target = name;
	found->there = there;
	list->renamed++;
}

/* A record that has a name which another one gets, and that the other system does
 * not know, takes one that is free then: there are as many of these. */
static void step_aside(struct same_numbers *list, struct arena *arena)
{
	struct strv taken = {0}, free = {0};
	struct strv_set targets;
	size_t next = 0;

	for (struct same_number *n = list->ids; n; n = n->by_id.next)
		if (n->there)
			strv_push(&taken, arena, n->target);
	strv_set_init(&targets, &taken, false, arena);
	for (struct same_number *n = list->ids; n; n = n->by_id.next)
		if (n->there && !strv_set_has(&targets, n->name))
			strv_push(&free, arena, n->name);
	for (size_t i = 0; i < taken.n; i++) {
		struct same_number *holder = find_name(list, taken.v[i]);

		if (holder && !holder->target && next < free.n)
			holder->target = free.v[next++];
	}
}

/* Renames those that are called otherwise, in rings too: names are unique, so
 * `free` (SQL with :key) takes a name away first that none else has. */
static int rename_numbered(struct store *store, struct same_numbers *list,
	const char *free,
	int (*set)(struct store *, const struct same_number *, struct arena *),
	struct arena *arena)
{
	step_aside(list, arena);
	for (struct same_number *n = list->ids; n; n = n->by_id.next)
		if (n->target &&
			store_run(store, free, bind_int(":key", n->key)))
			return -1;
	for (struct same_number *n = list->ids; n; n = n->by_id.next)
		if (n->target && set(store, n, arena))
			return -1;
	return 0;
}

static void forget_numbered(struct same_numbers *list)
{
	HASH_CLEAR(by_id, list->ids);
	HASH_CLEAR(by_name, list->names);
}

/* ---- associations of the store -------------------------------------------*/

struct known_assoc {
	struct same_number numbered; /* first */
	const char *account, *user, *partition, *lineage, *is;
	int64_t parent;
	bool deleted;
	UT_hash_handle by_key;
};

struct known_assocs {
	struct same_numbers list;
	struct known_assoc *keys;
	int64_t last_id;
};

/* Users are the same in whatever case. */
static const char *key_of(const char *account, const char *user,
	const char *partition, struct arena *arena)
{
	return arena_printf(arena, "%s\n%s\n%s", account,
		str_lower(arena, user), partition);
}

static const char *key_there(const struct mirror_assoc *a, struct arena *arena)
{
	return key_of(a->account, a->user, a->partition, arena);
}

static void add_known(struct known_assocs *all, struct known_assoc *one)
{
	add_numbered(&all->list, &one->numbered);
	HASH_ADD(by_key, all->keys, numbered.key, sizeof(one->numbered.key),
		one);
	all->last_id = larger(all->last_id, one->numbered.id);
}

static struct known_assoc *find_known(const struct known_assocs *all,
	const char *account, const char *user, const char *partition,
	struct arena *arena)
{
	return (struct known_assoc *)find_name(
		&all->list, key_of(account, user, partition, arena));
}

static int read_known(struct store *store, int64_t cluster, struct arena *arena,
	struct known_assocs *all)
{
	struct query q;

	*all = (struct known_assocs){0};
	if (query_open(&q, store,
		    "SELECT key, id, account, user, partition, lineage,"
		    " coalesce(parent, 0), deleted FROM assoc"
		    " WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q)) {
		struct known_assoc *one = arena_alloc(arena, sizeof(*one));

		one->account = query_strdup(&q, 2, arena);
		one->user = query_strdup(&q, 3, arena);
		one->partition = query_strdup(&q, 4, arena);
		one->lineage = query_strdup(&q, 5, arena);
		one->parent = query_int(&q, 6);
		one->deleted = query_int(&q, 7);
		one->numbered = (struct same_number){
			.key = query_int(&q, 0),
			.id = query_int(&q, 1),
			.name = key_of(one->account, one->user, one->partition,
				arena),
		};
		add_known(all, one);
	}
	return query_close(&q);
}

static void forget_known(struct known_assocs *all)
{
	HASH_CLEAR(by_key, all->keys);
	forget_numbered(&all->list);
}

/* ---- renamed associations ------------------------------------------------*/

static int set_name(struct store *store, const struct same_number *n,
	struct arena *arena)
{
	struct strv parts = {0};
	const struct mirror_assoc *there = n->there;
	char *rest = arena_strdup(arena, n->target), *part;

	while ((part = strsep(&rest, "\n")))
		strv_push(&parts, arena, part);
	if (store_run(store,
		    "UPDATE assoc SET account = :account, user = :user,"
		    " partition = :partition, modified = :now WHERE key = :key",
		    bind_text(":account", parts.v[0]),
		    bind_text(":user", there ? there->user : parts.v[1]),
		    bind_text(":partition", parts.v[2]),
		    bind_int(":now", store->now), bind_int(":key", n->key)))
		return -1;
	return there && *there->user
		       ? store_run(store,
				 "UPDATE job SET user = :user"
				 " WHERE assoc = :key AND user <> :user",
				 bind_text(":user", there->user),
				 bind_int(":key", n->key))
		       : 0;
}

/* The user's record, and what else has the name. Not where something has the new
 * one already: that comes and goes like everything else. */
static int rename_user(struct store *store, const char *was, const char *is)
{
	int in_the_way = store_has(store,
		"SELECT 1 FROM user WHERE name = :is AND NOT deleted"
		" UNION ALL SELECT 1 FROM coordinator WHERE user = :is"
		" UNION ALL SELECT 1 FROM wckey WHERE user = :is"
		" UNION ALL SELECT 1 FROM assoc a JOIN assoc b"
		"  USING (cluster, account, partition)"
		"  WHERE a.user = :was AND b.user = :is LIMIT 1",
		bind_text(":was", was), bind_text(":is", is));

	if (in_the_way)
		return in_the_way < 0 ? -1 : 0;
	return user_rename(store, was, is);
}

static int rename_account(struct store *store, const char *was, const char *is)
{
	int in_the_way = store_has(store,
		"SELECT 1 FROM account WHERE name = :is AND NOT deleted"
		" UNION ALL SELECT 1 FROM coordinator WHERE account = :is",
		bind_text(":is", is));

	if (in_the_way)
		return in_the_way < 0 ? -1 : 0;
	return any_failed(
		store_run(store, "DELETE FROM account WHERE name = :is",
			bind_text(":is", is)) ||
		store_run(store,
			"UPDATE account SET name = :is,"
			" modified = :now WHERE name = :was",
			bind_text(":is", is), bind_text(":was", was),
			bind_int(":now", store->now)) ||
		store_run(store,
			"UPDATE coordinator SET account = :is"
			" WHERE account = :was",
			bind_text(":is", is), bind_text(":was", was)));
}

/* One that is in the list stays what it is. */
static int rename_owners(struct store *store, const struct same_numbers *list,
	const struct strv_set *users, const struct strv_set *accounts)
{
	for (struct same_number *n = list->ids; n; n = n->by_id.next) {
		const struct known_assoc *was = (const void *)n;
		const struct mirror_assoc *is = n->there;

		if (!is)
			continue;
		if (*is->user && *was->user && strcasecmp(is->user, was->user) &&
			!strv_set_has(users, was->user) &&
			rename_user(store, was->user, is->user))
			return -1;
		if (!*is->user && !*was->user &&
			!strv_set_has(accounts, was->account) &&
			rename_account(store, was->account, is->account))
			return -1;
	}
	return 0;
}

/* ---- lineages ------------------------------------------------------------*/

/* As the tree says; a damaged one may have rows above themselves. */
static const char *lineage_of(
	const struct known_assocs *all, struct known_assoc *a, struct arena *arena)
{
	struct known_assoc *parent;

	if (a->is)
		return a->is;
	a->is = "/";
	HASH_FIND(by_key, all->keys, &a->parent, sizeof(a->parent), parent);
	if (parent)
		a->is = assoc_lineage(arena, lineage_of(all, parent, arena),
			a->account, a->user, a->partition);
	return a->is;
}

static int settle_lineages(struct store *store, const struct known_assocs *all,
	struct arena *arena)
{
	for (struct known_assoc *a = all->keys; a; a = a->by_key.next)
		if (strcmp(a->lineage, lineage_of(all, a, arena)) != 0 &&
			store_run(store,
				"UPDATE assoc SET lineage = :lineage"
				" WHERE key = :key",
				bind_text(":lineage", a->is),
				bind_int(":key", a->numbered.key)))
			return -1;
	return 0;
}

static int rename_all(struct store *store, int64_t cluster,
	struct known_assocs *all, const struct strv *users,
	const struct strv *accounts, struct arena *arena)
{
	struct strv_set live_users, live_accounts;

	strv_set_init(&live_users, users, true, arena);
	strv_set_init(&live_accounts, accounts, false, arena);
	if (rename_numbered(store, &all->list,
		    "UPDATE assoc SET partition = '/' || key WHERE key = :key",
		    set_name, arena) ||
		rename_owners(store, &all->list, &live_users, &live_accounts))
		return -1;
	forget_known(all);
	return read_known(store, cluster, arena, all) ||
			       settle_lineages(store, all, arena)
		       ? -1
		       : 1;
}

int mirror_assoc_names(struct store *store, int64_t cluster, uint32_t last,
	const struct mirror_assocs *there, const struct strv *users,
	const struct strv *accounts, struct arena *arena)
{
	struct known_assocs all;
	int rc = read_known(store, cluster, arena, &all);

	for (size_t i = 0; i < there->n && !rc; i++)
		if (there->v[i].id <= last)
			call(&all.list, there->v[i].id,
				key_there(&there->v[i], arena), &there->v[i]);
	if (!rc && all.list.renamed)
		rc = rename_all(store, cluster, &all, users, accounts, arena);
	forget_known(&all);
	return rc;
}

/* ---- numbers of associations, and those that are deleted -----------------*/

struct past_assocs {
	struct store *store;
	const struct policy *policy;
	int64_t cluster;
	struct known_assocs known;
	struct arena *arena;
	const struct mirror_assocs *there;
	struct same_numbers by_name; /* those of them that are accounts */
};

static int add_deleted(struct past_assocs *p, const struct mirror_assoc *there,
	struct known_assoc **added);

/* The account's row above a deleted one, which may be deleted itself. */
static int find_parent(struct past_assocs *p, const struct mirror_assoc *there,
	struct known_assoc **parent)
{
	const char *account = *there->user ? there->account : there->parent;
	const char *key = key_of(account, "", "", p->arena);
	struct same_number *one;

	*parent = (struct known_assoc *)find_name(&p->known.list, key);
	if (*parent)
		return 0;
	one = find_name(&p->by_name, key);
	if (one && one->there != there && !one->target) {
		one->target = key; /* once: they may be above themselves */
		return add_deleted(p, one->there, parent);
	}
	*parent = find_known(&p->known, "root", "", "", p->arena);
	return *parent ? 0
		       : err_set(p->store->err, ERR_SYSTEM,
				 "the cluster has no root association");
}

static int add_deleted(struct past_assocs *p, const struct mirror_assoc *there,
	struct known_assoc **added)
{
	struct known_assoc *above, *one = arena_alloc(p->arena, sizeof(*one));
	struct assoc parent = {0};
	struct assoc_new new = {.cluster = p->cluster,
		.cluster_name = "",
		.account = there->account,
		.user = there->user,
		.partition = there->partition,
		.parent = &parent};

	if (find_parent(p, there, &above))
		return -1;
	parent.key = above->numbered.key;
	parent.lineage = above->lineage;
	new.id = (uint32_t)(p->known.last_id + 1);
	*one = (struct known_assoc){.account = there->account,
		.user = there->user,
		.partition = there->partition,
		.parent = parent.key,
		.lineage = assoc_lineage(p->arena, parent.lineage,
			there->account, there->user, there->partition),
		.deleted = true,
		.numbered = {.key = assoc_add(p->store, &new),
			.id = new.id,
			.name = key_there(there, p->arena)}};
	if (one->numbered.key < 0)
		return -1;
	add_known(&p->known, one);
	*added = one;
	return any_failed(usage_hand_up(p->store, p->policy, one->numbered.key,
				  parent.key) ||
			  store_run(p->store,
				  "UPDATE assoc SET deleted = 1"
				  " WHERE key = :key",
				  bind_int(":key", one->numbered.key)));
}

static void know_accounts(struct past_assocs *p)
{
	for (size_t i = 0; i < p->there->n; i++) {
		const struct mirror_assoc *there = &p->there->v[i];
		struct same_number *one;

		if (!there->deleted || *there->user)
			continue;
		one = arena_alloc(p->arena, sizeof(*one));
		*one = (struct same_number){.id = there->id,
			.name = key_there(there, p->arena),
			.there = there};
		add_numbered(&p->by_name, one);
	}
}

static int number_all(struct past_assocs *p)
{
	struct mirror_ids ids = {0};
	bool differs = false;

	for (size_t i = 0; i < p->there->n; i++) {
		const struct mirror_assoc *there = &p->there->v[i];
		struct known_assoc *one = find_known(&p->known, there->account,
			there->user, there->partition, p->arena);

		if (!one && there->deleted && add_deleted(p, there, &one))
			return -1;
		if (!one)
			continue;
		differs |= one->numbered.id != there->id;
		mirror_ids_push(
			&ids, p->arena, one->numbered.key, there->id);
	}
	return differs ? mirror_assoc_ids(p->store, p->cluster, &ids) : 0;
}

int mirror_assoc_numbers(struct store *store, const struct policy *policy,
	int64_t cluster, const struct mirror_assocs *there, struct arena *arena)
{
	struct past_assocs p = {.store = store,
		.policy = policy,
		.cluster = cluster,
		.arena = arena,
		.there = there};
	int rc = read_known(store, cluster, arena, &p.known);

	know_accounts(&p);
	rc = rc || number_all(&p) || settle_lineages(store, &p.known, arena);
	forget_known(&p.known);
	forget_numbered(&p.by_name);
	return rc ? -1 : 0;
}

/* ---- QOS -----------------------------------------------------------------*/

static int read_qos(struct store *store, struct arena *arena,
	struct same_numbers *all)
{
	struct query q;

	*all = (struct same_numbers){0};
	if (query_open(&q, store, "SELECT id, name FROM qos"))
		return -1;
	while (query_row(&q)) {
		struct same_number *one = arena_alloc(arena, sizeof(*one));

		*one = (struct same_number){.key = query_int(&q, 0),
			.id = query_int(&q, 0),
			.name = query_strdup(&q, 1, arena)};
		add_numbered(all, one);
	}
	return query_close(&q);
}

static int set_qos_name(
	struct store *store, const struct same_number *n, struct arena *arena)
{
	(void)arena;
	return store_run(store,
		"UPDATE qos SET name = :name, modified = :now WHERE id = :id",
		bind_text(":name", n->target), bind_int(":now", store->now),
		bind_int(":id", n->id));
}

int mirror_qos_names(struct store *store, uint32_t last,
	const struct mirror_qoses *there, struct arena *arena)
{
	struct same_numbers all;
	int rc = read_qos(store, arena, &all);

	for (size_t i = 0; i < there->n && !rc; i++)
		if (there->v[i].id <= last)
			call(&all, there->v[i].id, there->v[i].name,
				&there->v[i]);
	if (!rc && all.renamed)
		rc = rename_numbered(store, &all,
			     "UPDATE qos SET name = '/' || id WHERE id = :key",
			     set_qos_name, arena) ||
				     store_load_catalogs(store)
			     ? -1
			     : 1;
	forget_numbered(&all);
	return rc;
}

static int add_deleted_qos(
	struct store *store, const char *name, struct arena *arena)
{
	static const struct settings none;

	return qos_add(store, name, &none, arena) ||
			       store_run(store, MARK("qos"),
				       bind_text(":name", name))
		       ? -1
		       : 1;
}

/* 1: something was different. */
static int set_deleted_qos(struct store *store, const struct mirror_qos *there)
{
	return store_has(store,
		"UPDATE qos SET description = :description, flags = :flags,"
		" preempt_mode = :mode WHERE name = :name AND deleted AND"
		" (description, flags, coalesce(preempt_mode, 64)) IS NOT"
		" (:description, :flags, :mode) RETURNING 1",
		bind_text(":name", there->name),
		bind_text(":description", there->description),
		bind_int(":flags", there->flags),
		bind_int(":mode", there->preempt_mode));
}

int mirror_qos_numbers(struct store *store, const struct mirror_qoses *there,
	struct arena *arena)
{
	struct same_numbers all;
	int changed = 0, rc = read_qos(store, arena, &all);

	for (size_t i = 0; i < there->n && rc >= 0; i++) {
		const struct mirror_qos *qos = &there->v[i];

		if (qos->deleted && !find_name(&all, qos->name)) {
			rc = add_deleted_qos(store, qos->name, arena);
			changed = 1;
		}
		if (rc >= 0)
			rc = mirror_qos_id(store, qos->name, qos->id);
		changed |= rc > 0;
		if (rc >= 0 && qos->deleted)
			rc = set_deleted_qos(store, qos);
		changed |= rc > 0;
	}
	forget_numbered(&all);
	if (rc >= 0 && changed)
		rc = store_load_catalogs(store);
	return rc < 0 ? -1 : changed;
}

/* ---- accounts, users and wckeys ------------------------------------------*/

int mirror_deleted_account(struct store *store, const char *name,
	const char *description, const char *organization)
{
	int known = store_has(store, "SELECT 1 FROM account WHERE name = :name",
		bind_text(":name", name));

	if (known)
		return known < 0 ? -1 : 0;
	return account_add(store, name, description, organization, 0) ||
			       store_run(store, MARK("account"),
				       bind_text(":name", name))
		       ? -1
		       : 1;
}

int mirror_deleted_user(struct store *store, const char *name)
{
	int known = store_has(store, "SELECT 1 FROM user WHERE name = :name",
		bind_text(":name", name));

	if (known)
		return known < 0 ? -1 : 0;
	return user_add(store, name, ADMIN_NONE) ||
			       store_run(store, MARK("user"),
				       bind_text(":name", name))
		       ? -1
		       : 1;
}

int mirror_deleted_wckey(struct store *store, const char *cluster,
	const char *name, const char *user)
{
	int known = store_has(store,
		"SELECT 1 FROM wckey WHERE name = :name AND user = :user AND"
		" cluster = (SELECT id FROM cluster WHERE name = :cluster)",
		bind_text(":name", name), bind_text(":user", user),
		bind_text(":cluster", cluster));

	if (known)
		return known < 0 ? -1 : 0;
	return wckey_add(store, cluster, name, user, false) < 0 ||
			       store_run(store,
				       "UPDATE wckey SET deleted = 1 WHERE name = :name"
				       " AND user = :user AND cluster = (SELECT id"
				       " FROM cluster WHERE name = :cluster)",
				       bind_text(":name", name),
				       bind_text(":user", user),
				       bind_text(":cluster", cluster))
		       ? -1
		       : 1;
}
