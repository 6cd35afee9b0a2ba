#include "db/entity/account.h"

#include "common/base/numbers.h"
#include "db/rows/members.h"
#include "db/rows/where.h"
#include "db/store/query.h"

/* clang-format off */
const struct flag_word account_flag_words[] = {
	{"UsersAreCoords:1", ACCOUNT_USERS_ARE_COORDS, "UsersAreCoords", 0},
	{"NoUsersAreCoords:1", ACCOUNT_NO_USERS_ARE_COORDS, "NoUsersAreCoords", 0},
	{NULL, 0, NULL, 0},
};

static struct value get_json_flags(
	const struct member *, const void *record, struct arena *);

#define AT(type, member) MEMBER_##type, .offset = offsetof(struct account, member)
static const struct member rows[] = {
	{"name", AT(TEXT, name), HEAD_ACCOUNT, .json = "name"},
	{"deleted", AT(BOOL, deleted)},
	{"created", AT(INT, created)},
	{NULL, AT(LIST, coordinators), HEAD_COORDINATORS},
	{"description", AT(TEXT, description), HEAD_DESCRIPTION, .json = "description",
		SETTABLE("Description", "Description:1", ATTR_TEXT, .change = "description")},
	{NULL, AT(TEXT, flags_text), HEAD_FLAGS, .get = get_flags},
	{"flags", AT(COUNT, flags),
		SETTABLE("Flags", "Flags:2", ATTR_FLAGS, .flags = account_flag_words)},
	{.json = "flags", .get = get_json_flags},
	{"organization", AT(TEXT, organization), HEAD_ORGANIZATION, .json = "organization",
		SETTABLE("Organization", "Organization:1", ATTR_TEXT, .change = "organization")},
	{NULL, AT(NONE, raw_usage), .help = "its own usage so far; 0 forgets it",
		SETTABLE("RawUsage", "RawUsage:7", ATTR_NUMBER64)},
};
const struct members account_members = MEMBERS(rows);
/* clang-format on */

static struct value get_json_flags(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct account *account = record;
	struct strv words = {0};

	(void)m;
	if (account->deleted)
		strv_push(&words, arena, "DELETED");
	if (account->flags & ACCOUNT_USERS_ARE_COORDS)
		strv_push(&words, arena, "UsersAreCoords");
	return of_words(words, arena);
}

static const char *flag_words_of(const struct account *a, struct arena *arena)
{
	const char *words =
		flags_text(account_flag_words, a->flags, arena);

	if (!a->deleted)
		return *words ? words : "None";
	return *words ? arena_printf(arena, "Deleted,%s", words) : "Deleted";
}

int account_list(struct store *store, const struct account_cond *cond,
	struct arena *arena, struct account_list *list)
{
	struct where w;

	where_members(&w, "SELECT {a.columns} FROM account a",
		&account_members, arena);
	if (!cond->with_deleted)
		where_add(&w, " AND NOT a.deleted");
	where_one_of(&w, "a.name", &cond->names);
	where_one_of(&w, "a.description COLLATE NOCASE", &cond->descriptions);
	where_one_of(&w, "a.organization COLLATE NOCASE", &cond->organizations);
	if (cond->flags & ACCOUNT_USERS_ARE_COORDS)
		where_add(&w, " AND a.flags & 1");
	if (cond->flags & ACCOUNT_NO_USERS_ARE_COORDS)
		where_add(&w, " AND NOT a.flags & 1");
	where_add(&w, " ORDER BY upper(a.name), a.name");
	if (where_list(&w, store, &account_members, list))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		struct account *a = &list->v[i];

		a->flags_text = flag_words_of(a, arena);
		if (cond->with_coordinators &&
			account_coordinators(store, a->name, arena,
				&a->coordinators, NULL))
			return -1;
	}
	return 0;
}

int account_exists(struct store *store, const char *name)
{
	return store_has(store,
		"SELECT 1 FROM account WHERE name = :name"
		" AND NOT deleted",
		bind_text(":name", name));
}

int account_add(struct store *store, const char *name, const char *description,
	const char *organization, uint32_t flags)
{
	const struct account account = {
		.name = name,
		.description = description,
		.organization = organization,
		.flags = flags & ACCOUNT_USERS_ARE_COORDS,
		.created = store->now,
	};

	return store_write(store, &account_members, &account,
		"INSERT INTO account (modified, {columns})"
		" VALUES (:now, {:columns}) ON CONFLICT (name) DO UPDATE"
		" SET {columns = excluded}, modified = :now",
		bind_int(":now", store->now));
}

/* UsersAreCoords and NoUsersAreCoords are one flag, on and off. */
static uint32_t new_flags(uint32_t flags, uint32_t typed)
{
	if (typed & ACCOUNT_NO_USERS_ARE_COORDS)
		flags &= ~(uint32_t)ACCOUNT_USERS_ARE_COORDS;
	return flags | (typed & ACCOUNT_USERS_ARE_COORDS);
}

int account_update(struct store *store, const struct account *account,
	const struct settings *settings)
{
	const struct setting *flags =
		settings_find(settings, account_attr(flags));
	const struct setting *texts[] = {
		settings_find(settings, account_attr(description)),
		settings_find(settings, account_attr(organization)),
	};
	struct account changed = *account;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i])
			setting_put(texts[i], &changed, account);
	if (flags)
		changed.flags = new_flags(account->flags, flags->number);
	return store_write(store, &account_members, &changed,
		"UPDATE account SET {columns = :columns}, modified = :now"
		" WHERE name = :name",
		bind_int(":now", store->now));
}

int account_remove(struct store *store, const struct account *account)
{
	if (store_run(store, "DELETE FROM coordinator WHERE account = :name",
		    bind_text(":name", account->name)))
		return -1;
	return store_remove(store, is_young(store, account->created), "account",
		"", "name = :name", bind_text(":name", account->name));
}

int account_remove_all(struct store *store)
{
	return store_exec(store, "DELETE FROM coordinator;"
				 "UPDATE account SET deleted = 1"
				 " WHERE name != 'root'");
}

int coordinator_add(struct store *store, const char *account, const char *user)
{
	return store_run(store,
		"INSERT OR IGNORE INTO coordinator (account, user)"
		" VALUES (:account, :user)",
		bind_text(":account", account), bind_text(":user", user));
}

int coordinator_remove(
	struct store *store, const char *account, const char *user)
{
	return store_run(store,
		"DELETE FROM coordinator WHERE account = :account"
		" AND user = :user",
		bind_text(":account", account), bind_text(":user", user));
}

int coordinator_list(struct store *store, const struct strv *accounts,
	const struct strv *users, struct arena *arena,
	struct coordinator_list *list)
{
	struct where w;
	struct query q;

	*list = (struct coordinator_list){0};
	where_init(&w, "SELECT account, user FROM coordinator", arena);
	where_one_of(&w, "account", accounts);
	where_one_of(&w, "user", users);
	where_add(&w, " ORDER BY account, user");
	if (where_open(&w, &q, store))
		return -1;
	while (query_row(&q))
		*ARENA_PUSH(arena, list->v, list->n, list->cap) =
			(struct coordinator){query_strdup(&q, 0, arena),
				query_strdup(&q, 1, arena)};
	return query_close(&q);
}

/* Accounts the user is named for, or is in while the account makes its users
 * coordinators. */
#define OWN_ACCOUNTS                                                           \
	"SELECT account FROM coordinator WHERE user = :name"                   \
	" UNION SELECT a.account FROM assoc a JOIN account n"                  \
	" ON n.name = a.account WHERE a.user = :name AND NOT a.deleted"        \
	" AND n.flags & 1"

int coordinated_accounts(struct store *store, const char *user,
	struct arena *arena, struct strv *accounts, struct strv *direct)
{
	if (direct &&
		store_words(store,
			"SELECT account FROM coordinator WHERE user = :name"
			" ORDER BY 1",
			direct, arena, bind_text(":name", user)))
		return -1;
	return store_words(store,
		"WITH RECURSIVE named (account) AS (" OWN_ACCOUNTS
		"), below (key, account) AS ("
		" SELECT key, account FROM assoc WHERE user = ''"
		" AND NOT deleted AND account IN (SELECT account FROM named)"
		" UNION SELECT a.key, a.account FROM assoc a JOIN below b"
		" ON a.parent = b.key WHERE a.user = '' AND NOT a.deleted)"
		" SELECT account FROM named UNION SELECT account FROM below"
		" ORDER BY 1",
		accounts, arena, bind_text(":name", user));
}

/* Users named for the account, or in it while it makes them coordinators. */
#define OWN_USERS(account_list)                                                \
	"SELECT user FROM coordinator WHERE account IN (" account_list ")"     \
	" UNION SELECT a.user FROM assoc a JOIN account n"                     \
	" ON n.name = a.account WHERE a.user != '' AND NOT a.deleted"          \
	" AND n.flags & 1 AND a.account IN (" account_list ")"

int account_coordinators(struct store *store, const char *account,
	struct arena *arena, struct strv *users, struct strv *direct)
{
	if (direct &&
		store_words(store,
			"SELECT user FROM coordinator WHERE account = :name"
			" ORDER BY 1",
			direct, arena, bind_text(":name", account)))
		return -1;
	return store_words(store,
		"WITH RECURSIVE above (key, account, parent) AS ("
		" SELECT key, account, parent FROM assoc WHERE user = ''"
		" AND NOT deleted AND account = :name"
		" UNION SELECT a.key, a.account, a.parent FROM assoc a"
		" JOIN above b ON a.key = b.parent) " OWN_USERS(
			"SELECT account FROM above UNION SELECT :name")
		" ORDER BY 1",
		users, arena, bind_text(":name", account));
}
