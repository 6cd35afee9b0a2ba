#include "db/entity/lease.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/table/assoc.h"
#include "common/table/qos.h"
#include "db/entity/assoc.h"
#include "db/entity/limits_rows.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/store/query.h"
#include "db/store/txn.h"
#include "db/usage/usage.h"

/* ---- where values stand --------------------------------------------------*/

#define OWNED " WHERE kind = :kind AND owner = :owner AND field = :field"

/* The value of a field now: SQL with :owner and :field; `%s` is its column. */
static const char *const value_sql[LEASE_KINDS] = {
	[LEASE_ASSOC] = "SELECT %s FROM assoc WHERE key = :owner",
	[LEASE_ASSOC_TRES] = "SELECT count FROM assoc_tres WHERE assoc = :owner"
			     " AND kind || ' ' || tres = :field",
	[LEASE_ASSOC_QOS] = "SELECT group_concat(sign || qos, ',') FROM"
			    " (SELECT sign, qos FROM assoc_qos"
			    "  WHERE assoc = :owner ORDER BY position)",
	[LEASE_ASSOC_ROW] = "NULL",
	[LEASE_QOS] = "SELECT %s FROM qos WHERE id = :owner",
	[LEASE_QOS_TRES] = "SELECT count FROM qos_tres WHERE qos = :owner"
			   " AND kind || ' ' || tres = :field",
	[LEASE_USER] = "SELECT %s FROM user WHERE name = :owner",
};

/* A field that names a column: of the program's own tables, whatever the store
 * says. */
static const char *column_of(enum lease_kind kind, const char *field)
{
	const struct member *m = NULL;

	if (kind == LEASE_ASSOC)
		m = members_by_column(&assoc_members, field);
	else if (kind == LEASE_QOS)
		m = members_by_column(&qos_members, field);
	else if (kind == LEASE_USER && !strcmp(field, "admin_level"))
		return "admin_level";
	return m ? m->column : "NULL";
}

static const char *with_column(const char *sql, enum lease_kind kind,
	const char *field, struct arena *arena)
{
	const char *mark = strstr(sql, "%s");

	if (!mark)
		return sql;
	return arena_printf(arena, "%.*s%s%s", (int)(mark - sql), sql,
		column_of(kind, field), mark + 2);
}

/* Keys are numbers, users have names. */
static struct bind bind_owner(
	enum lease_kind kind, int64_t owner, const char *name)
{
	return kind == LEASE_USER ? bind_text(":owner", name)
				  : bind_int(":owner", owner);
}

#define BIND_LEASE(l)                                                          \
	bind_int(":kind", (l)->kind),                                          \
		bind_owner((l)->kind, (l)->owner, (l)->name),                  \
		bind_text(":field", (l)->field), bind_int(":n", (l)->n)

/* ---- setting -------------------------------------------------------------*/

struct lease_state {
	bool over;	     /* some were put back in memory only */
	int64_t transaction; /* of which the rest is */
	int64_t until;	     /* what it sets holds until then; 0: for good */
	int any;	     /* are there leases? -1: not looked yet */
};

/* Of the open transaction. */
static struct lease_state *state_of(struct store *store)
{
	struct lease_state *state = store->leases;

	if (!state) {
		state = arena_alloc(&store->arena, sizeof(*state));
		*state = (struct lease_state){.transaction = -1};
		store->leases = state;
	}
	if (state->transaction != store->transactions)
		*state = (struct lease_state){.over = state->over,
			.transaction = store->transactions,
			.any = -1};
	return state;
}

void lease_until(struct store *store, int64_t until)
{
	state_of(store)->until = until;
}

/* Most stores have none: nothing is to be looked for then. */
static int any_lease(struct store *store)
{
	struct lease_state *state = state_of(store);

	if (state->any < 0)
		state->any = store_any(store, "SELECT 1 FROM lease");
	return state->any;
}

static int end_all(struct store *store, enum lease_kind kind, int64_t owner,
	const char *name, const char *field)
{
	int any = any_lease(store);

	if (any <= 0)
		return any;
	return store_run(store, "DELETE FROM lease" OWNED,
		bind_int(":kind", kind), bind_owner(kind, owner, name),
		bind_text(":field", field));
}

int lease_differs(struct store *store, enum lease_kind kind, int64_t owner,
	const char *name, const char *field)
{
	int rc;

	if (state_of(store)->until) {
		/* Does the last lease of the value end at that time already?
		 * Whatever it is set to, the same comes back. 1, 0, -1. */
		rc = store_has(store,
			"SELECT 1 FROM lease l" OWNED " AND until = :until"
			" AND n = (SELECT max(n) FROM lease" OWNED ")",
			bind_int(":kind", kind), bind_owner(kind, owner, name),
			bind_text(":field", field),
			bind_int(":until", state_of(store)->until));
		return rc < 0 ? -1 : !rc;
	}
	rc = any_lease(store);
	return rc <= 0 ? rc
		       : store_has(store, "SELECT 1 FROM lease" OWNED,
				 bind_int(":kind", kind),
				 bind_owner(kind, owner, name),
				 bind_text(":field", field));
}

int lease_note(struct store *store, enum lease_kind kind, int64_t owner,
	const char *name, const char *field)
{
	struct lease_state *state = state_of(store);
	SCRATCH_ARENA(arena);
	struct query q;
	int rc;

	if (!state->until)
		return end_all(store, kind, owner, name, field);
	state->any = 1;
	rc = lease_differs(store, kind, owner, name, field);
	if (rc <= 0)
		return rc;
	rc = query_open_text(&q, store,
		arena_printf(&arena,
			"INSERT INTO lease (kind, owner, field, n, until,"
			" set_at, actor, earlier) VALUES (:kind, :owner,"
			" :field, (SELECT coalesce(max(n), 0) + 1 FROM lease"
			OWNED "), :until, :now, :actor, (%s))",
			with_column(value_sql[kind], kind, field, &arena)));
	if (!rc) {
		query_bind(&q, BINDS(bind_int(":kind", kind),
				       bind_owner(kind, owner, name),
				       bind_text(":field", field),
				       bind_int(":until", state->until),
				       bind_int(":now", store->now),
				       bind_text(":actor", store->actor)));
		rc = query_run(&q);
	}
	return rc;
}

int lease_each_tres(struct store *store, enum lease_kind kind, int64_t owner,
	const struct setting *set, lease_call *each, struct arena *arena)
{
	int rc = 0;

	if (!state_of(store)->until && any_lease(store) <= 0)
		return any_lease(store);
	for (size_t i = 0; i < set->tres.n && !rc; i++)
		rc = each(store, kind, owner, NULL,
			arena_printf(arena, "%u %u", set->attr->arg,
				set->tres.v[i].id));
	return rc;
}

static int drop(struct store *store, const char *sql, int64_t owner,
	const char *name)
{
	int any = any_lease(store);

	if (any <= 0)
		return any;
	return store_run(store, sql,
		bind_owner(name ? LEASE_USER : LEASE_ASSOC, owner, name));
}

int lease_drop_assoc(struct store *store, int64_t key)
{
	return drop(store, "DELETE FROM lease WHERE kind < 4 AND owner = :owner",
		key, NULL);
}

int lease_drop_qos(struct store *store, uint32_t id)
{
	return drop(store,
		"DELETE FROM lease WHERE kind IN (4, 5) AND owner = :owner", id,
		NULL);
}

int lease_drop_user(struct store *store, const char *name)
{
	return drop(store, "DELETE FROM lease WHERE kind = 6 AND owner = :owner",
		0, name);
}

int lease_renumber_qos(struct store *store, int64_t from, int64_t to)
{
	/* In a list a number stands between its sign and a comma. */
#define IN_LIST(sign)                                                          \
	", '" sign "' || :from || ',', '" sign "' || :to || ',')"
	static const char *const statements[] = {
		"UPDATE lease SET owner = :to"
		" WHERE kind IN (4, 5) AND owner = :from",
		"UPDATE lease SET earlier = :to WHERE kind = 0"
		" AND field = 'def_qos' AND earlier = :from",
		"UPDATE lease SET earlier = rtrim(replace(replace(replace("
		"earlier || ','" IN_LIST("=") IN_LIST("+") IN_LIST("-")
		", ',') WHERE kind = 2 AND earlier NOT NULL",
	};
#undef IN_LIST
	int any = any_lease(store);

	for (size_t i = 0;
		any > 0 && i < sizeof(statements) / sizeof(*statements); i++)
		if (store_run(store, statements[i], bind_int(":from", from),
			    bind_int(":to", to)))
			return -1;
	return any < 0 ? -1 : 0;
}

/* ---- reading -------------------------------------------------------------*/

static void read_earlier(
	struct query *q, int column, struct lease *l, struct arena *arena)
{
	l->unset = query_is_null(q, column);
	l->number = query_int(q, column);
	l->real = query_real(q, column);
	l->text = query_strdup(q, column, arena);
}

int lease_read(struct store *store, int64_t until, struct arena *arena,
	struct lease_list *list)
{
	struct query q;

	*list = (struct lease_list){0};
	if (query_open(&q, store,
		    "SELECT kind, owner, field, n, until, set_at, actor,"
		    " earlier FROM lease WHERE until <= :until"
		    " ORDER BY until, kind, owner, field, n DESC"))
		return -1;
	query_bind_int(&q, ":until", until);
	while (query_row(&q)) {
		struct lease *l =
			ARENA_PUSH(arena, list->v, list->n, list->cap);

		l->kind = (enum lease_kind)query_int(&q, 0);
		l->owner = query_int(&q, 1);
		l->name = query_strdup(&q, 1, arena);
		l->field = query_strdup(&q, 2, arena);
		l->n = query_int(&q, 3);
		l->until = query_int(&q, 4);
		l->set = query_int(&q, 5);
		l->actor = query_strdup(&q, 6, arena);
		read_earlier(&q, 7, l, arena);
		if ((unsigned)l->kind >= LEASE_KINDS)
			list->n--;
	}
	return query_close(&q);
}

/* ---- putting back --------------------------------------------------------*/

/* What :earlier is of the lease that ends. */
#define EARLIER                                                                \
	"(SELECT earlier FROM lease" OWNED " AND n = :n)"

static int run_with(struct store *store, const struct lease *l, const char *sql)
{
	struct query q;

	if (query_open_text(&q, store, sql))
		return -1;
	query_bind(&q, BINDS(BIND_LEASE(l)));
	return query_run(&q);
}

/* Ends a lease below another: the upper one now holds the value from before
 * both. 1: done; 0: no lease is above it; -1. */
static int pass_on(struct store *store, const struct lease *l)
{
	int above = store_has(store, "SELECT 1 FROM lease" OWNED " AND n > :n",
		BIND_LEASE(l));

	if (above < 0)
		return -1;
	if (above && run_with(store, l,
			     "UPDATE lease SET earlier = " EARLIER OWNED
			     " AND n = (SELECT min(n) FROM lease" OWNED
			     " AND n > :n)"))
		return -1;
	return above;
}

static int put_column(
	struct store *store, const struct lease *l, struct arena *arena)
{
	static const char *const sql[LEASE_KINDS] = {
		[LEASE_ASSOC] = "UPDATE assoc SET %s = " EARLIER
				" WHERE key = :owner",
		[LEASE_QOS] = "UPDATE qos SET %s = " EARLIER
			      " WHERE id = :owner",
		[LEASE_USER] = "UPDATE user SET %s = " EARLIER
			       " WHERE name = :owner",
	};

	if (!strcmp(column_of(l->kind, l->field), "NULL"))
		return 0;
	if (run_with(store, l, with_column(sql[l->kind], l->kind, l->field,
				       arena)))
		return -1;
	/* A default QOS that has been deleted counts as none. */
	if (l->kind != LEASE_ASSOC || strcmp(l->field, "def_qos") != 0)
		return 0;
	return run_with(store, l,
		"UPDATE assoc SET def_qos = NULL WHERE key = :owner AND"
		" :field NOT NULL AND :kind NOT NULL AND :n NOT NULL AND"
		" def_qos NOT IN (SELECT id FROM qos WHERE NOT deleted)");
}

static int put_tres(struct store *store, const struct lease *l)
{
	const struct limits_table *table =
		l->kind == LEASE_QOS_TRES ? &qos_limits : &assoc_limits;
	unsigned kind, tres;

	if (sscanf(l->field, "%u %u", &kind, &tres) != 2)
		return 0;
	return limits_put_tres(store, table, l->owner, kind, tres,
		l->unset ? NO_VAL64 : (uint64_t)l->number);
}

/* "=1,=5": those that are there still. */
static int put_qos(struct store *store, const struct lease *l)
{
	const char *at = l->unset ? "" : l->text;

	if (store_run(store, "DELETE FROM assoc_qos WHERE assoc = :owner",
		    bind_int(":owner", l->owner)))
		return -1;
	for (int position = 0; *at; position++) {
		char sign[2] = {*at};
		int64_t id = 0;
		size_t len = strcspn(at, ",");

		sscanf(at + 1, "%" SCNd64, &id);
		at += len + (at[len] == ',');
		if (store_run(store,
			    "INSERT INTO assoc_qos (assoc, qos, sign, position)"
			    " SELECT :owner, id, :sign, :position FROM qos"
			    " WHERE id = :qos AND NOT deleted",
			    bind_int(":owner", l->owner),
			    bind_text(":sign", sign),
			    bind_int(":position", position),
			    bind_int(":qos", id)))
			return -1;
	}
	return 0;
}

/* ---- users who go --------------------------------------------------------*/

/* A user with an account left keeps a default one; a user without any is
 * deleted. */
static int see_off(struct store *store, const struct assoc *leaver,
	struct arena *arena)
{
	struct user_cond named = {.names = STRV_ONE(leaver->user)};
	struct user_list users;
	const char *account;
	size_t rows, defaults;

	if (assoc_count_of_user(
		    store, leaver->cluster, leaver->user, &rows, &defaults))
		return -1;
	if (rows && leaver->is_default && !defaults &&
		(assoc_first_account(store, leaver->cluster, leaver->user, "",
			 arena, &account) < 0 ||
			assoc_set_default(store, leaver->cluster, leaver->user,
				account)))
		return -1;
	if (assoc_count_of_user(store, "", leaver->user, &rows, &defaults))
		return -1;
	if (rows)
		return 0;
	if (wckey_remove_of(store, leaver->user, arena) ||
		user_list(store, &named, arena, &users))
		return -1;
	return users.n ? user_remove(store, &users.v[0]) : 0;
}

static int remove_row(struct store *store, const struct policy *policy,
	const struct lease *l, struct arena *arena)
{
	struct assoc *row;
	int found = assoc_by_key(store, l->owner, arena, &row);

	if (found <= 0 || row->deleted || !*row->user)
		return found < 0 ? -1 : 0;
	if (row->parent_key &&
		usage_hand_up(store, policy, row->key, row->parent_key))
		return -1;
	return assoc_remove(store, row) ? -1 : see_off(store, row, arena);
}

/* Flags change how usage decays. */
static int put_qos_column(struct store *store, const struct policy *policy,
	const struct lease *l, struct arena *arena)
{
	const uint32_t qos = (uint32_t)l->owner;
	bool still;

	return any_failed(usage_is_still(store, qos, &still) ||
			  put_column(store, l, arena) ||
			  usage_settle_qos(store, policy, qos, still));
}

/* ---- the end -------------------------------------------------------------*/

static int put_back(struct store *store, const struct policy *policy,
	const struct lease *l, struct arena *arena)
{
	switch (l->kind) {
	case LEASE_ASSOC_TRES:
	case LEASE_QOS_TRES:
		return put_tres(store, l);
	case LEASE_ASSOC_QOS:
		return put_qos(store, l);
	case LEASE_ASSOC_ROW:
		return remove_row(store, policy, l, arena);
	case LEASE_QOS:
		return put_qos_column(store, policy, l, arena);
	case LEASE_ASSOC:
	case LEASE_USER:
		return put_column(store, l, arena);
	case LEASE_KINDS:
		break;
	}
	return 0;
}

/* Since the list was read the value to restore may have changed, and the lease
 * may be gone with its owner. 1: still there, 0: gone, -1. */
static int look_again(struct store *store, struct lease *l, struct arena *arena)
{
	struct query q;
	int there;

	if (query_open(
		    &q, store, "SELECT earlier FROM lease" OWNED " AND n = :n"))
		return -1;
	query_bind(&q, BINDS(BIND_LEASE(l)));
	there = query_row(&q);
	if (there)
		read_earlier(&q, 0, l, arena);
	return query_close(&q) ? -1 : there;
}

/* 1: ended, 2: and others have new numbers, 0: was already gone, -1. */
static int end_one(struct store *store, const struct policy *policy,
	struct lease *l, struct arena *arena)
{
	int there = look_again(store, l, arena);
	int passed = there > 0 ? pass_on(store, l) : there;

	if (there <= 0 || passed < 0)
		return there < 0 ? -1 : passed;
	/* Those above move down: numbers have no gaps, so that undo sees when
	 * one is taken away from below another. */
	if ((!passed && put_back(store, policy, l, arena)) ||
		run_with(store, l, "DELETE FROM lease" OWNED " AND n = :n") ||
		(passed && run_with(store, l,
				   "UPDATE lease SET n = n - 1" OWNED
				   " AND n > :n")))
		return -1;
	return passed ? 2 : 1;
}

/* ---- in the log ----------------------------------------------------------*/

const struct member *lease_member(const struct lease *l, uint32_t *tres)
{
	const struct members *members =
		l->kind >= LEASE_QOS ? &qos_members : &assoc_members;
	unsigned kind = 0, id = 0;

	*tres = 0;
	if (l->kind == LEASE_ASSOC_QOS)
		return assoc_attr(own_qos);
	if (l->kind == LEASE_USER || l->kind == LEASE_ASSOC_ROW)
		return NULL;
	if (!(l->kind == LEASE_ASSOC_TRES || l->kind == LEASE_QOS_TRES))
		return members_by_column(members, l->field);
	if (sscanf(l->field, "%u %u", &kind, &id) != 2)
		return NULL;
	*tres = id;
	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];

		if (m->type == MEMBER_TRES && m->set && !m->set->tres &&
			m->arg == kind)
			return m;
	}
	return NULL;
}

const char *lease_setting(const struct lease *l,
	const struct tres_catalog *catalog, struct arena *arena)
{
	uint32_t tres;
	const struct member *m = lease_member(l, &tres);
	const struct tres *one = tres ? tres_by_id(catalog, tres) : NULL;

	if (l->kind == LEASE_USER)
		return "AdminLevel";
	if (l->kind == LEASE_ASSOC_ROW)
		return "Account";
	if (!m || !m->set)
		return l->field;
	if (!one)
		return m->set->name;
	return arena_printf(arena, "%s=%s", m->set->name,
		tres_full_name(one, arena));
}

/* Whose it is, for people and for the log. */
struct lease_owner {
	const char *cluster, *text, *name;
};

#define OF_QOS                                                                 \
	"SELECT '', 'QOS ' || name, '(name=''' || name || ''')' FROM qos"      \
	" WHERE id = :key"
#define OF_ASSOC                                                               \
	"SELECT c.name, iif(a.user = '', 'account ', 'user ' || a.user ||"     \
	"  ' in ') || a.account || iif(a.partition = '', '',"                  \
	"  ', partition ' || a.partition) || ' on ' || c.name,"                \
	" '(id_assoc=' || a.id || ')' FROM assoc a"                            \
	" JOIN cluster c ON c.id = a.cluster WHERE a.key = :key"

static int find_owner(struct store *store, const struct lease *l,
	struct arena *arena, struct lease_owner *owner)
{
	struct query q;

	*owner = (struct lease_owner){.cluster = "", .text = "", .name = ""};
	if (l->kind == LEASE_USER) {
		owner->text = arena_printf(arena, "user %s", l->name);
		owner->name = arena_printf(arena, "(name='%s')", l->name);
		return 0;
	}
	if (query_open_text(
		    &q, store, l->kind >= LEASE_QOS ? OF_QOS : OF_ASSOC))
		return -1;
	query_bind_int(&q, ":key", l->owner);
	if (query_row(&q)) {
		owner->cluster = query_strdup(&q, 0, arena);
		owner->text = query_strdup(&q, 1, arena);
		owner->name = query_strdup(&q, 2, arena);
	}
	return query_close(&q);
}

static int end_logged(struct store *store, const struct policy *policy,
	struct lease *l, struct arena *arena, struct strv *told)
{
	const char *setting = lease_setting(l, &store->tres, arena);
	struct lease_owner owner;
	int ended = find_owner(store, l, arena, &owner);

	if (!ended)
		ended = end_one(store, policy, l, arena);
	if (ended <= 0)
		return ended;
	strv_printf(told, arena, "%s of %s", setting, owner.text);
	return txn_add(store, TXN_LEASE_ENDED, owner.cluster, owner.name,
		       arena_printf(arena, "%s=%s", setting,
			       l->unset ? "NULL" : l->text))
		       ? -1
		       : ended;
}

/* Those whose time is `at` or before, in the order of their times. `told`: only
 * those of the actor, logged, and said there; NULL: all. */
static int end_due(struct store *store, const struct policy *policy, int64_t at,
	struct arena *arena, struct strv *told)
{
	struct lease_list list;
	int rc;

	do {
		rc = lease_read(store, at, arena, &list);
		for (size_t i = 0; rc >= 0 && rc < 2 && i < list.n; i++) {
			struct lease *l = &list.v[i];

			store->now = l->until;
			if (!told)
				rc = end_one(store, policy, l, arena);
			else if (!strcmp(l->actor, store->actor))
				rc = end_logged(store, policy, l, arena, told);
		}
	} while (rc == 2);
	return rc < 0 ? -1 : 0;
}

int lease_expire(struct store *store, const struct policy *policy, int64_t at)
{
	const int64_t now = store->now;
	SCRATCH_ARENA(arena);
	int rc = end_due(store, policy, at, &arena, NULL);

	store->now = now;
	return rc;
}

/* Those of one time and one person, as a change of theirs. */
static int settle_at(
	struct store *store, const struct policy *policy, struct arena *arena)
{
	struct strv told = {0};

	if (store_begin(store))
		return -1;
	if (!end_due(store, policy, store->now, arena, &told))
		return store_commit(
			store, arena_printf(arena, LEASE_COMMAND "%s",
				       strv_join_some(&told, "; ", arena)));
	store_rollback(store);
	return -1;
}

static int settle_all(struct store *store, const struct policy *policy)
{
	const int64_t now = store->now;
	const char *actor = store->actor;
	struct lease_list list;
	SCRATCH_ARENA(arena);
	int rc;

	while (!(rc = lease_read(store, now, &arena, &list)) && list.n) {
		store->now = list.v[0].until;
		store->actor = list.v[0].actor;
		rc = settle_at(store, policy, &arena);
		store->now = now;
		if (rc)
			break;
	}
	store->now = now;
	store->actor = actor;
	return rc || store_load_catalogs(store) ? -1 : 0;
}

struct policy_change {
	struct store *store;
	const struct policy *policy;
};

static int record_policy(void *arg)
{
	const struct policy_change *r = arg;

	return usage_settle_policy(r->store, r->policy);
}

int lease_settle(struct store *store, const struct policy *policy)
{
	struct policy_change r = {store, policy};
	int tries = 0, rc;

	do
		rc = settle_all(store, policy);
	while (rc && store_again(store, &tries));
	if (!rc)
		rc = usage_policy_pending(store, policy);
	return rc > 0 ? store_change_bulk(store, record_policy, &r) : rc;
}

/* ---- a store that is opened ----------------------------------------------*/

static int any_over(struct store *store)
{
	return store_has(store, "SELECT 1 FROM lease WHERE until <= :now",
		bind_int(":now", store->now));
}

int lease_due(struct store *store, const struct policy *policy)
{
	int due = any_over(store);

	return due ? due : usage_policy_pending(store, policy);
}

/* In memory only: the store is private. */
static int put_back_all(struct store *store, const struct policy *policy)
{
	int over = any_over(store);

	if (over < 0)
		return -1;
	state_of(store)->over = over;
	return over || usage_policy_pending(store, policy)
		       ? lease_settle(store, policy)
		       : 0;
}

static int open_over(struct store *store, const struct store_options *options,
	const struct policy *policy, struct err *err)
{
	store_close(store);
	if (store_open_over(store, options, err))
		return -1;
	if (put_back_all(store, policy)) {
		store_close(store);
		return -1;
	}
	store_refuse(store,
		arena_printf(&store->arena, "%s was opened for reading alone",
			store->path));
	return 0;
}

int lease_opened(struct store *store, const struct store_options *options,
	const struct policy *policy)
{
	int due = lease_due(store, policy);

	if (due > 0 && (options->mode == STORE_READ || store->read_only))
		return open_over(store, options, policy, store->err);
	if (due > 0)
		due = lease_settle(store, policy);
	if (due)
		store_close(store);
	return due ? -1 : 0;
}

int lease_open_private(
	struct store *copy, struct store *from, const struct policy *policy)
{
	if (store_open_private(copy, from))
		return -1;
	if (!put_back_all(copy, policy))
		return 0;
	store_close(copy);
	return -1;
}

bool lease_waits(const struct store *store)
{
	return store->leases && store->leases->over;
}
