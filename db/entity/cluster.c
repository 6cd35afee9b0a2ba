#include "db/entity/cluster.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "db/entity/assoc.h"
#include "db/entity/user.h"
#include "db/rows/members.h"
#include "db/rows/where.h"
#include "db/store/query.h"
#include "db/store/txn.h"
#include "db/usage/usage.h"

/* clang-format off */
static struct value get_root(
	const struct member *, const void *record, struct arena *);

#define AT(type, member) MEMBER_##type, .offset = offsetof(struct cluster, member)
static const struct member cluster_rows[] = {
	{NULL, AT(INT, key), .select = "c.id"},
	{"deleted", AT(BOOL, deleted)},
	{"classification", AT(COUNT, classification)},
	{NULL, AT(TEXT, classification_text), HEAD_CLASSIFICATION,
		SETTABLE("Classification", "Classification:3", ATTR_TEXT)},
	{"name", AT(TEXT, name), HEAD_CLUSTER, .json = "name"},
	/* Nodes and TRES are of the newest event of its capacity: a cluster that
	 * is added again keeps them. */
	{NULL, AT(TEXT, nodes), HEAD_CLUSTER_NODES, .json = "nodes", .select = "c.nodes"},
	{"control_host", AT(TEXT, control_host), HEAD_CONTROL_HOST, .json = "controller/host"},
	{"control_port", AT(COUNT, control_port), HEAD_CONTROL_PORT, .json = "controller/port"},
	{"features", AT(TEXT, features_text)},
	{NULL, AT(LIST, features), HEAD_FEATURES,
		SETTABLE("Features", "Features:2", ATTR_LIST, .operators = true)},
	{NULL, AT(TEXT, federation), HEAD_FEDERATION, .select = "coalesce(f.name, '')",
		SETTABLE("Federation", "Federation:3", ATTR_TEXT, .source = FROM_FEDERATIONS)},
	{NULL, AT(TEXT, fed_state_text), HEAD_FED_STATE,
		SETTABLE("FedState", "FedState:2", ATTR_TEXT_CASE)},
	{"fed_state", AT(COUNT, fed_state), HEAD_FED_STATE_RAW},
	{"flags", AT(COUNT, flags)},
	{NULL, AT(TEXT, flags_text), HEAD_FLAGS, .get = get_flags},
	{.json = "flags", .get = get_deleted, .offset = offsetof(struct cluster, deleted)},
	{"fed_id", AT(COUNT, fed_id), HEAD_ID},
	{NULL, AT(COUNT, node_count), HEAD_NODE_COUNT},
	{"rpc_version", AT(COUNT, rpc_version), HEAD_RPC, .json = "rpc_version"},
	{NULL, AT(TRES, tres), HEAD_TRES, .json = "tres", .select = "c.tres"},
	{.json = "associations/root", .get = get_root},
	/* Not Slurm's. */
	{NULL, AT(NONE, new_name), .help = "new name of the cluster",
		SETTABLE("NewName", "NewName:2", ATTR_TEXT, .only_modify = true)},
};
const struct members cluster_members = MEMBERS(cluster_rows);
/* clang-format on */

/* Empty when the root row is hidden. */
static struct value get_root(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct cluster *cluster = record;
	const void **v = arena_alloc(arena, sizeof(*v));
	struct value_records *records = arena_alloc(arena, sizeof(*records));

	(void)m;
	*v = &cluster->root;
	*records = (struct value_records){
		&assoc_short_members, v, cluster->root.key ? 1 : 0};
	return (struct value){VALUE_RECORD, {.records = records}};
}

uint32_t cluster_classification(const char *text)
{
	static const struct {
		const char *part;
		uint32_t value;
	} words[] = {{"capac", 2}, {"capab", 1}, {"capap", 3}};
	uint32_t bits = *text == '*' || strstr(text, "class") ? 0x100 : 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i].part))
			return bits | words[i].value;
	return bits;
}

const char *cluster_classification_text(
	uint32_t bits, const char *none, struct arena *arena)
{
	const char *const words[] = {
		none, "Capability", "Capacity", "Capapacity"};

	return arena_printf(
		arena, "%s%s", bits & 0x100 ? "*" : "", words[bits & 3]);
}

/* Low bits: the state; 0x10 draining; 0x20 to be removed once drained. */
const char *cluster_fed_state_text(uint32_t state)
{
	if (!state)
		return "NA";
	if (state & 0x20)
		return "DRAIN+REMOVE";
	if (state & 0x10)
		return "DRAIN";
	return (state & 0xf) == 1 ? "ACTIVE" : "INACTIVE";
}

/* What is printed of it and no column. */
static void complete(struct cluster *c, struct arena *arena)
{
	c->flags_text = "None";
	if (*c->features_text)
		strv_split(&c->features, arena, c->features_text);
	c->classification_text =
		cluster_classification_text(c->classification, "", arena);
	c->fed_state_text = cluster_fed_state_text(c->fed_state);
	c->node_count = (uint32_t)hostlist_names(c->nodes, arena).n;
	assoc_init(&c->root);
}

static int read_root(
	struct store *store, struct cluster *c, struct arena *arena)
{
	struct assoc_cond cond = {.with_deleted = c->deleted,
		.clusters = STRV_ONE(c->name),
		.accounts = STRV_ONE("root"),
		.users = STRV_ONE("")};
	struct assoc_list list;

	if (assoc_list(store, &cond, arena, &list))
		return -1;
	if (list.n)
		c->root = *list.v[0];
	return 0;
}

uint32_t cluster_classes(const struct cluster_cond *cond)
{
	uint32_t classes = 0;

	for (size_t i = 0; i < cond->classifications.n; i++)
		classes |= cluster_classification(cond->classifications.v[i]);
	return classes;
}

int cluster_list(struct store *store, const struct cluster_cond *cond,
	struct arena *arena, struct cluster_list *list)
{
	struct where w;

	where_members(&w, "SELECT {c.columns} FROM cluster c"
			  " LEFT JOIN federation f ON f.id = c.federation",
		&cluster_members, arena);
	if (!cond->with_deleted)
		where_add(&w, " AND NOT c.deleted");
	where_one_of(&w, "c.name", &cond->names);
	where_one_of(&w, "coalesce(f.name, '')", &cond->federations);
	where_one_of(&w, "c.rpc_version", &cond->rpc_versions);
	if (cond->classifications.n)
		where_add(&w, " AND c.classification & %" PRIu32,
			cluster_classes(cond));
	where_add(&w, " ORDER BY c.name");
	if (where_list(&w, store, &cluster_members, list))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		complete(&list->v[i], arena);
		if (read_root(store, &list->v[i], arena))
			return -1;
	}
	return 0;
}

int cluster_names(struct store *store, struct arena *arena, struct strv *names)
{
	return store_all_words(store,
		"SELECT name FROM cluster WHERE NOT deleted"
		" ORDER BY upper(name), name",
		names, arena);
}

int cluster_name(struct store *store, int64_t key, struct arena *arena,
	const char **name)
{
	return store_text(store, "SELECT name FROM cluster WHERE id = :key",
		name, arena, bind_int(":key", key));
}

int64_t cluster_key(struct store *store, const char *name)
{
	int64_t key = 0;

	return store_ask(store,
		       "SELECT id FROM cluster WHERE name = :name"
		       " AND NOT deleted",
		       &key, bind_text(":name", name))
		       ? -1
		       : key;
}

int cluster_unknown(
	struct store *store, const struct strv *names, const char **unknown)
{
	*unknown = NULL;
	for (size_t i = 0; i < names->n && !*unknown; i++) {
		int64_t key = cluster_key(store, names->v[i]);

		if (key < 0)
			return -1;
		if (!key)
			*unknown = names->v[i];
	}
	return 0;
}

int cluster_typed(struct store *store, const char *typed, struct arena *arena,
	struct strv *names, const char **unknown)
{
	*unknown = NULL;
	*names = (struct strv){0};
	strv_words(names, arena, str_lower(arena, typed));
	if (!strv_has(names, "all"))
		return cluster_unknown(store, names, unknown);
	*names = (struct strv){0};
	return cluster_names(store, arena, names);
}

const char *cluster_list_federation(const struct cluster_list *list,
	const char *name, struct arena *arena, struct strv *members)
{
	const char *federation = "";

	for (size_t i = 0; i < list->n; i++)
		if (!strcasecmp(list->v[i].name, name))
			federation = list->v[i].federation;
	for (size_t i = 0; *federation && i < list->n; i++)
		if (!strcasecmp(list->v[i].federation, federation))
			strv_push(members, arena, list->v[i].name);
	return federation;
}

int cluster_federation(struct store *store, const char *name,
	struct arena *arena, struct strv *members)
{
	struct cluster_cond any = {0};
	struct cluster_list list = {0};

	if (cluster_list(store, &any, arena, &list))
		return -1;
	cluster_list_federation(&list, name, arena, members);
	return 0;
}

static int insert_cluster(struct store *store, const char *name)
{
	struct cluster cluster;

	members_init(&cluster, &cluster_members);
	cluster.name = name;
	return store_write(store, &cluster_members, &cluster,
		"INSERT INTO cluster (created, modified, {columns})"
		" VALUES (:now, :now, {:columns})"
		" ON CONFLICT (name) DO UPDATE SET {columns = excluded},"
		" federation = NULL, created = :now, modified = :now",
		bind_int(":now", store->now));
}

/* The explicit QOS list that only a root row is born with. */
static void default_qos(
	struct store *store, struct settings *settings, struct arena *arena)
{
	const struct member *attr = assoc_attr(own_qos);
	const char *names = store->default_qos ? store->default_qos : "normal";
	struct setting *s;

	if (settings_find(settings, attr))
		return;
	s = ARENA_PUSH(arena, settings->v, settings->n, settings->cap);
	s->attr = attr;
	s->op = OP_SET;
	strv_split(&s->list, arena, names);
}

static int add_root_rows(struct store *store, const char *name,
	const struct settings *settings, struct arena *arena)
{
	struct settings all = {0};
	struct assoc_new new = {
		.cluster = cluster_key(store, name),
		.cluster_name = name,
		.account = "root",
		.user = "",
		.partition = "",
		.settings = &all,
	};
	struct assoc *root;
	int known = user_exists(store, "root"); /* may have been deleted */

	if (known < 0 ||
		(!known && user_add(store, "root", ADMIN_ADMINISTRATOR)))
		return -1;
	for (size_t i = 0; i < settings->n; i++)
		*ARENA_PUSH(arena, all.v, all.n, all.cap) = settings->v[i];
	default_qos(store, &all, arena);
	if (assoc_add(store, &new) < 0 ||
		assoc_find(store, name, "root", "", "", arena, &root) != 1)
		return -1;
	new.user = "root";
	new.parent = root;
	new.is_default = true;
	new.settings = NULL;
	return assoc_add(store, &new) < 0 ? -1 : 0;
}

int cluster_add(struct store *store, const char *name,
	const struct settings *settings, struct arena *arena)
{
	if (insert_cluster(store, name) ||
		txn_add(store, TXN_ADD_CLUSTERS, "", name,
			settings_text(settings, arena)))
		return -1;
	return add_root_rows(store, name, settings, arena);
}

int cluster_set(struct store *store, const char *name,
	const struct cluster_values *values)
{
	return store_run(store,
		"UPDATE cluster SET"
		" classification = ifnull(:class, classification),"
		" fed_state = ifnull(:state, fed_state),"
		" features = ifnull(:features, features),"
		/* Everything else has its number. */
		" name = ifnull(:new, name) WHERE name = :name",
		bind_text(":name", name),
		bind_text(":features", values->features),
		bind_text(":new", values->name),
		bind_limit(":class", values->classification),
		bind_limit(":state", values->fed_state));
}

static int remove_rows(struct store *store, int64_t key)
{
	static const char *const statements[] = {
		"UPDATE wckey SET deleted = 1, is_default = 0"
		" WHERE cluster = :key",
		"DELETE FROM resource_cluster WHERE cluster = :key",
		"DELETE FROM wckey WHERE cluster = :key"
		" AND created > :yesterday",
		/* A row that was moved may be older than those above it. */
		"WITH RECURSIVE above (key) AS"
		" (SELECT parent FROM assoc WHERE cluster = :key"
		"   AND created <= :yesterday"
		"  UNION SELECT a.parent FROM assoc a JOIN above USING (key))"
		" DELETE FROM assoc WHERE cluster = :key"
		" AND created > :yesterday"
		" AND key NOT IN (SELECT key FROM above WHERE key NOT NULL)"
		" AND NOT EXISTS (SELECT 1 FROM job WHERE assoc = assoc.key)"
		" AND NOT EXISTS (SELECT 1 FROM job WHERE cluster = :key)",
		"UPDATE cluster SET deleted = 1, federation = NULL, fed_id = 0,"
		" fed_state = 0 WHERE id = :key",
		"DELETE FROM cluster WHERE id = :key AND created > :yesterday"
		" AND NOT EXISTS (SELECT 1 FROM assoc WHERE cluster = :key)"
		" AND NOT EXISTS (SELECT 1 FROM wckey WHERE cluster = :key)"
		" AND NOT EXISTS (SELECT 1 FROM job WHERE cluster = :key)"
		" AND NOT EXISTS (SELECT 1 FROM event WHERE cluster = :key)"
		" AND NOT EXISTS (SELECT 1 FROM node WHERE cluster = :key)"
		" AND NOT EXISTS"
		" (SELECT 1 FROM reservation WHERE cluster = :key)",
	};

	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		struct query q;

		if (query_open(&q, store, statements[i]))
			return -1;
		query_bind_int(&q, ":key", key);
		if (strstr(statements[i], ":yesterday"))
			query_bind_int(&q, ":yesterday", store->now - YOUNG);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

static int mark_rows(struct store *store, const char *name, struct arena *arena)
{
	struct assoc_cond cond = {
		.without_limits = true, .clusters = STRV_ONE(name)};
	struct assoc_list rows;

	if (assoc_list(store, &cond, arena, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		if (assoc_mark_deleted(store, rows.v[i]))
			return -1;
	return 0;
}

int cluster_remove(struct store *store, const char *name, struct arena *arena)
{
	int64_t key = cluster_key(store, name);

	if (!key)
		return err_set(store->err, ERR_USAGE,
			"there is no cluster '%s'", name);
	if (key < 0 || usage_drop_cluster(store, key) ||
		mark_rows(store, name, arena) || remove_rows(store, key))
		return -1;
	return txn_add(store, TXN_REMOVE_CLUSTERS, "",
		arena_printf(arena, "(name='%s')", name), "");
}
