#include "db/entity/user.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/base/words.h"
#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/lease.h"
#include "db/rows/bulk_insert.h"
#include "db/rows/members.h"
#include "db/store/query.h"
#include "db/store/txn.h"

/* clang-format off */
static struct value get_json_flags(
	const struct member *, const void *record, struct arena *);

static struct value get_empty(
	const struct member *m, const void *record, struct arena *arena)
{
	(void)m, (void)record, (void)arena;
	return of_text("");
}

#define AT(type, member) MEMBER_##type, .offset = offsetof(struct user, member)
static const struct member rows[] = {
	{"deleted", AT(BOOL, deleted)},
	{"created", AT(INT, created)},
	{NULL, AT(TEXT, admin_text), HEAD_ADMIN_LEVEL},
	{"admin_level", AT(COUNT, admin_level),
		SETTABLE("AdminLevel", "AdminLevel:2", ATTR_TEXT, .source = FROM_ADMIN_LEVELS)},
	{NULL, AT(SPLIT, admin_text), .json = "administrator_level"},
	{NULL, AT(LIST, coordinators), HEAD_COORDINATORS},
	{NULL, AT(TEXT, default_account), HEAD_DEFAULT_ACCOUNT, .json = "default/account",
		SETTABLE("DefaultAccount", "DefaultAccount:8", ATTR_TEXT, .source = FROM_ACCOUNTS, .once = true)},
	{NULL, AT(TEXT, default_qos), HEAD_DEFAULT_QOS},
	{NULL, AT(COUNT, default_qos_id), .json = "default/qos"},
	{NULL, AT(TEXT, default_wckey), HEAD_DEFAULT_WCKEY, .json = "default/wckey",
		SETTABLE("DefaultWCKey", "DefaultWCKey:8", ATTR_TEXT, .source = FROM_WCKEYS, .once = true)},
	{.json = "flags", .get = get_json_flags},
	{"name", AT(TEXT, name), HEAD_USER, .json = "name"},
	{.json = "old_name", .get = get_empty},
	{NULL, AT(NONE, new_name), .help = "new name of the user",
		SETTABLE("NewName", "NewName:1", ATTR_TEXT_CASE, .only_modify = true)},
	{NULL, AT(NONE, raw_usage), .help = "its own usage so far; 0 forgets it",
		SETTABLE("RawUsage", "RawUsage:7", ATTR_NUMBER64, .only_modify = true)},
};
const struct members user_members = MEMBERS(rows);
/* clang-format on */

static struct value get_json_flags(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct user *user = record;
	struct strv words = {0};

	(void)m;
	strv_push(&words, arena, user->deleted ? "DELETED" : "NONE");
	return of_words(words, arena);
}

const char *admin_level_text(uint32_t level)
{
	static const char *const texts[] = {
		"Not Set", "None", "Operator", "Administrator"};

	return texts[level <= ADMIN_ADMINISTRATOR ? level : ADMIN_NOT_SET];
}

uint32_t admin_level_parse(const char *text)
{
	static const struct {
		const char *names;
		enum admin_level level;
	} levels[] = {
		{"None:2", ADMIN_NONE},
		{"Operator:2", ADMIN_OPERATOR},
		{"Administrator:2 SuperUser:2", ADMIN_ADMINISTRATOR},
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (words_match(levels[i].names, text, strlen(text)))
			return levels[i].level;
	return strcasecmp(text, "Not Set") ? ADMIN_NOT_SET : ADMIN_NONE;
}

static bool wanted(const struct user *u, const struct user_cond *cond,
	const struct strv_set *names)
{
	if (cond->names.n && !strv_set_has(names, u->name))
		return false;
	return !cond->admin_level || u->admin_level == cond->admin_level;
}

/* Is it in the list? Any matches an empty list. */
static bool among(const struct strv *list, const char *name)
{
	return !list->n || strv_has(list, name);
}

/* The default QOS of an account, its own or from above, by the account's key:
 * many users have the same. */
struct inherited {
	int64_t key;
	int64_t qos; /* 0: none */
	UT_hash_handle hh;
};

static int inherited_default(struct store *store, struct inherited **known,
	int64_t account, struct arena *arena, int64_t *qos)
{
	struct inherited *found;

	HASH_FIND(hh, *known, &account, sizeof(account), found);
	if (!found) {
		found = arena_alloc(arena, sizeof(*found));
		found->key = account;
		if (assoc_nearest_default_qos(store, account, &found->qos))
			return -1;
		HASH_ADD(hh, *known, key, sizeof(found->key), found);
	}
	*qos = found->qos;
	return 0;
}

/* The account and its QOS, which comes down the tree, on the first of the
 * clusters that has a default; `fits`: on one of them it is asked for. */
static int read_default_account(struct store *store,
	const struct user_cond *cond, struct user *u, bool *fits,
	struct inherited **known, struct arena *arena)
{
	struct query q;
	int64_t qos = 0, above = 0;
	const char *first = NULL;
	const struct qos_name *name;

	*fits = !cond->default_accounts.n;
	u->default_account = u->default_qos = "";
	if (query_open(&q, store,
		    "SELECT a.account, c.name, coalesce(a.def_qos, 0),"
		    " coalesce(a.parent, 0), c.name || '/' || a.partition"
		    " FROM assoc a JOIN cluster c ON c.id = a.cluster"
		    " WHERE a.user = :user AND a.is_default"
		    " AND NOT a.deleted"))
		return -1;
	query_bind_text(&q, ":user", u->name);
	while (query_row(&q)) {
		if (!among(&cond->clusters, query_text(&q, 1)))
			continue;
		*fits |= strv_has(&cond->default_accounts, query_text(&q, 0));
		/* Few rows: sorting them would cost more than all the rest. */
		if (first && strcmp(query_text(&q, 4), first) >= 0)
			continue;
		first = query_strdup(&q, 4, arena);
		u->default_account = query_strdup(&q, 0, arena);
		qos = query_int(&q, 2);
		above = query_int(&q, 3);
	}
	if (query_close(&q))
		return -1;
	if (!qos && above &&
		inherited_default(store, known, above, arena, &qos))
		return -1;
	name = qos_by_id(&store->qos, (uint32_t)qos);
	if (qos && name) {
		u->default_qos = name->name;
		u->default_qos_id = name->id;
	}
	return 0;
}

static int read_default_wckey(struct store *store, const struct user_cond *cond,
	struct user *u, bool *fits, struct arena *arena)
{
	struct query q;

	*fits = !cond->default_wckeys.n;
	u->default_wckey = "";
	if (query_open(&q, store,
		    "SELECT k.name, c.name FROM wckey k"
		    " JOIN cluster c ON c.id = k.cluster WHERE k.user = :user"
		    " AND k.is_default AND NOT k.deleted ORDER BY c.name"))
		return -1;
	query_bind_text(&q, ":user", u->name);
	while (query_row(&q)) {
		if (!among(&cond->clusters, query_text(&q, 1)))
			continue;
		*fits |= strv_has(&cond->default_wckeys, query_text(&q, 0));
		if (!*u->default_wckey)
			u->default_wckey = query_strdup(&q, 0, arena);
	}
	return query_close(&q);
}

static int open_users(
	struct query *q, struct store *store, const struct user_cond *cond)
{
	/* One name is the common question; the key answers it at once. */
	if (cond->names.n == 1) {
		if (query_open_members(q, store, &user_members,
			    "SELECT {u.columns} FROM user u"
			    " WHERE u.name = :name"
			    " AND (NOT u.deleted OR :deleted)"))
			return -1;
		query_bind_text(q, ":name", cond->names.v[0]);
	} else if (cond->as_told) {
		if (query_open_members(q, store, &user_members,
			    "SELECT {u.columns} FROM user u LEFT JOIN"
			    " (SELECT name, change, max(id) AS id FROM txn"
			    " WHERE action = :add GROUP BY name) t"
			    " ON t.name = u.name WHERE NOT u.deleted OR :deleted"
			    " ORDER BY t.change, t.id DESC, upper(u.name)"))
			return -1;
		query_bind_int(q, ":add", TXN_ADD_USERS);
	} else if (query_open_members(q, store, &user_members,
			   "SELECT {u.columns} FROM user u"
			   " WHERE NOT u.deleted OR :deleted"
			   " ORDER BY upper(u.name), u.name")) {
		return -1;
	}
	query_bind_int(q, ":deleted", cond->with_deleted);
	return 0;
}

static int read_list(struct store *store, const struct user_cond *cond,
	struct arena *arena, struct user_list *list)
{
	struct query q;
	struct strv_set names;
	struct inherited *known = NULL;
	bool account, wckey, failed = false;

	*list = (struct user_list){0};
	strv_set_init(&names, &cond->names, true, arena);
	if (open_users(&q, store, cond))
		return -1;
	while (!failed && query_row(&q)) {
		struct user u = {0};

		members_read(&q, 0, &u, &user_members, arena);
		u.admin_text = admin_level_text(u.admin_level);
		if (!wanted(&u, cond, &names))
			continue;
		failed = read_default_account(store, cond, &u, &account, &known,
				 arena) ||
			 read_default_wckey(store, cond, &u, &wckey, arena);
		if (failed || !account || !wckey)
			continue;
		*ARENA_PUSH(arena, list->v, list->n, list->cap) = u;
	}
	HASH_CLEAR(hh, known);
	if (query_close(&q) || failed)
		return -1;
	for (size_t i = 0; cond->with_coordinators && i < list->n; i++)
		if (coordinated_accounts(store, list->v[i].name, arena,
			    &list->v[i].coordinators, NULL))
			return -1;
	return 0;
}

int user_list(struct store *store, const struct user_cond *cond,
	struct arena *arena, struct user_list *list)
{
	bool began = store_begin_read(store);
	int rc = read_list(store, cond, arena, list);

	store_end_read(store, began);
	return rc;
}

int user_spelling(struct store *store, const char *name, struct arena *arena,
	const char **spelling)
{
	return store_text(store,
		"SELECT name FROM user WHERE name = :name AND NOT deleted",
		spelling, arena, bind_text(":name", name));
}

int user_exists(struct store *store, const char *name)
{
	return store_has(store,
		"SELECT 1 FROM user WHERE name = :name AND NOT deleted",
		bind_text(":name", name));
}

static int user_of_open_job(struct store *store, uint32_t uid,
	struct arena *arena, const char **name)
{
	return store_text(store,
		"SELECT user FROM job WHERE end IS NULL AND uid = :uid"
		" LIMIT 1",
		name, arena, bind_int(":uid", uid));
}

/* Jobs have the store's spelling of a name, not the machine's. */
static int by_name(struct store *store, const char *text, struct arena *arena,
	const char **name)
{
	const char *spelling = NULL;
	int known = user_spelling(store, text, arena, &spelling);

	*name = known > 0 ? spelling : arena_strdup(arena, text);
	return known ? known : !!getpwnam(text);
}

int user_meant(struct store *store, const char *text, struct arena *arena,
	const char **name)
{
	const struct passwd *pw;
	unsigned long uid;
	char *end;
	int known = by_name(store, text, arena, name);

	/* Jobs of other machines have users this one does not know. */
	if (!known)
		known = store_has(store,
			"SELECT 1 FROM assoc a JOIN job j ON j.assoc = a.key"
			" WHERE a.user = :user AND j.user = :user"
			" UNION ALL SELECT 1 FROM job"
			" WHERE assoc IS NULL AND user = :user LIMIT 1",
			bind_text(":user", text));
	if (known || *text < '0' || *text > '9')
		return known;
	uid = strtoul(text, &end, 10);
	if (*end || uid >= NO_VAL)
		return 0;
	pw = getpwuid((uid_t)uid);
	return pw ? by_name(store, arena_strdup(arena, pw->pw_name), arena,
			    name)
		  : user_of_open_job(store, (uint32_t)uid, arena, name);
}

int group_exists(struct store *store, const char *text)
{
	if (text[strspn(text, "0123456789")] == '\0' || getgrnam(text))
		return 1;
	return store_has(store, "SELECT 1 FROM job WHERE grp = :name LIMIT 1",
		bind_text(":name", text));
}

int user_meant_list(struct store *store, struct strv *words,
	struct arena *arena, struct strv *unknown)
{
	struct strv names = {0};

	for (size_t i = 0; i < words->n; i++) {
		const char *name;
		int found = user_meant(store, words->v[i], arena, &name);

		if (found < 0)
			return -1;
		strv_push(found ? &names : unknown, arena, name);
	}
	*words = names;
	return 0;
}

int user_set_admin_level(struct store *store, const char *name, uint32_t level)
{
	if (lease_note(store, LEASE_USER, 0, name, "admin_level"))
		return -1;
	return store_run(store,
		"UPDATE user SET admin_level = :level, modified = :now"
		" WHERE name = :name",
		bind_text(":name", name), bind_int(":level", level),
		bind_int(":now", store->now));
}

/* A name as a part of a lineage; see assoc_lineage. */
#define PART(name) "replace(replace(" name ", '%', '%25'), '/', '%2F')"

/* All tables that name the user, except `user` itself. */
static int rename_records(
	struct store *store, const char *old_name, const char *new_name)
{
	static const char *const statements[] = {
		"UPDATE coordinator SET user = :new WHERE user = :old",
		"UPDATE wckey SET user = :new WHERE user = :old",
		"UPDATE lease SET owner = :new WHERE kind = 6 AND owner = :old",
		"UPDATE job SET user = :new WHERE user = :old"
		" AND (assoc IS NULL OR assoc IN"
		"  (SELECT key FROM assoc WHERE user = :old))",
		/* /a/0-old/part/ becomes /a/0-new/part/ */
		"UPDATE assoc SET user = :new, lineage = replace(lineage,"
		" '/0-' || " PART(
			"user") " || '/',"
				" '/0-' || " PART(
					":new") " || '/') WHERE user = :old",
	};

	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (store_run(store, statements[i], bind_text(":new", new_name),
			    bind_text(":old", old_name)))
			return -1;
	return 0;
}

int user_rename(struct store *store, const char *old_name, const char *new_name)
{
	if (store_run(store, "DELETE FROM user WHERE name = :new AND deleted",
		    bind_text(":new", new_name)))
		return -1;
	return any_failed(
		store_run(store,
			"UPDATE user SET name = :new WHERE name = :old",
			bind_text(":new", new_name),
			bind_text(":old", old_name)) ||
		rename_records(store, old_name, new_name));
}

/* A deleted user may return in another spelling: one spelling replaces all. */
static int respell(struct store *store, const char *name)
{
	SCRATCH_ARENA(scratch);
	const char *old = NULL;
	int rc = store_text(store, "SELECT name FROM user WHERE name = :name",
		&old, &scratch, bind_text(":name", name));

	if (rc > 0)
		rc = strcmp(old, name) ? rename_records(store, old, name) : 0;
	return rc;
}

/* A row, whole. */
struct user_row {
	struct user user; /* first: members are told from here */
	int64_t modified;
};

static const struct member modified[] = {
	{"modified", MEMBER_INT, .offset = offsetof(struct user_row, modified)},
};
static const struct members modified_member = MEMBERS(modified);

static int compare_names(const void *a, const void *b)
{
	const struct user_row *x = a, *y = b;

	return strcasecmp(x->user.name, y->user.name);
}

/* In the order of the table rows go into few of its pages. */
static const struct bulk_kind user_kind = {
	.which = BULK_USERS,
	.name = "user",
	.own = &modified_member,
	.rest = &user_members,
	.size = sizeof(struct user_row),
	.most = 1 << 15,
	.compare = compare_names,
	.again = " ON CONFLICT (name) DO UPDATE SET {columns = excluded}",
};

int user_count_deleted(struct store *store, int64_t *records)
{
	*records = 0;
	return store_number(store, "SELECT count(*) FROM user WHERE deleted", records);
}

int user_add(struct store *store, const char *name, uint32_t admin_level)
{
	const struct user_row row = {
		.user = {.name = name,
			.admin_level = admin_level == ADMIN_NOT_SET
					       ? ADMIN_NONE
					       : admin_level,
			.created = store->now},
		.modified = store->now,
	};

	/* Of many none was used before. */
	if (!bulk_insert_is_on(store) && respell(store, name))
		return -1;
	return bulk_insert_add(store, &user_kind, &row);
}

int user_remove(struct store *store, const struct user *user)
{
	int used;

	if (lease_drop_user(store, user->name))
		return -1;
	if (store_run(store, "DELETE FROM coordinator WHERE user = :name",
		    bind_text(":name", user->name)))
		return -1;
	used = store_has(store, "SELECT 1 FROM assoc WHERE user = :name",
		bind_text(":name", user->name));
	if (used < 0)
		return -1;
	return store_remove(store, !used && is_young(store, user->created),
		"user", "", "name = :name", bind_text(":name", user->name));
}

int user_remove_all(struct store *store, const char *but)
{
	return store_run(store,
		"UPDATE user SET deleted = 1 WHERE name != 'root'"
		" AND name != :but",
		bind_text(":but", but));
}

int user_default_account(struct store *store, const char *cluster,
	const char *user, struct arena *arena, const char **account)
{
	*account = "";
	return any_failed(store_text(store,
				  "SELECT a.account FROM assoc a"
				  " JOIN cluster c ON c.id = a.cluster"
				  " WHERE a.user = :user AND c.name = :cluster"
				  " AND a.is_default AND NOT a.deleted",
				  account, arena, bind_text(":user", user),
				  bind_text(":cluster", cluster)) < 0);
}

const char *user_with_number(const char *name, struct arena *arena)
{
	const struct passwd *pw = *name ? getpwnam(name) : NULL;

	return pw ? arena_printf(arena, "%s(%u)", name, (unsigned)pw->pw_uid)
		  : name;
}

static bool is_member(const struct passwd *user, const struct group *group)
{
	for (char **name = group->gr_mem; *name; name++)
		if (!strcmp(*name, user->pw_name))
			return true;
	return user->pw_gid == group->gr_gid;
}

bool user_is_outside(const char *user, const struct strv *groups)
{
	const struct passwd *known = getpwnam(user);
	bool asked = false;

	for (size_t i = 0; known && i < groups->n; i++) {
		const struct group *group = getgrnam(groups->v[i]);

		if (group && is_member(known, group))
			return false;
		asked |= group != NULL;
	}
	return asked;
}
