/*
 * TRES, QOS, accounts, users, associations and wckeys as Slurm has them: what
 * differs is set, what Slurm has no more is removed, in one transaction. Slurm is
 * asked for all of it before that begins.
 */
#include "cmd/srecord/sync/sync.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/srecord/sync/wanted.h"
#include "common/base/hash.h"
#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/mirror.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/usage/usage.h"

/* What Slurm says. The columns of two tables are those of our own records. */
struct entities {
	struct sync_table qos_table, assoc_table;
	struct wanted_columns qos_columns, assoc_columns;
	struct sync_rows tres, qos, accounts, users, assocs, defaults,
		coordinators, wckeys;
	struct sync_shared shared;
};

/* What a function of db/entity/mirror.h gave. */
static int count(struct sync *sync, int done)
{
	sync->changed += done > 0;
	return done < 0 ? -1 : 0;
}

/* ---- QOS -----------------------------------------------------------------*/

enum { Q_NAME, Q_ID, Q_FIXED };

static struct qos *find_qos(const struct qos_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i]->name, name))
			return list->v[i];
	return NULL;
}

static const char *const *find_row(const struct sync_rows *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->v[i][Q_NAME], name))
			return r->v[i];
	return NULL;
}

/* With Slurm's numbers; what Slurm has no more goes. */
static int same_qos(struct sync *sync, const struct sync_rows *r)
{
	struct store *store = sync->s->store;
	struct qos_cond cond = {0};
	struct settings none = {0};
	struct qos_list list = {0};

	if (qos_list(store, &cond, &sync->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (find_row(r, list.v[i]->name))
			continue;
		sync->changed++;
		if (qos_remove(store, list.v[i]))
			return -1;
	}
	for (size_t i = 0; i < r->n; i++) {
		const char *name = r->v[i][Q_NAME];
		bool known = find_qos(&list, name);

		sync->changed += !known;
		if ((!known && qos_add(store, name, &none, &sync->arena)) ||
			count(sync, mirror_qos_id(store, name,
					    (uint32_t)strtoul(r->v[i][Q_ID],
						    NULL, 10))))
			return -1;
	}
	return 0;
}

static int set_qos(struct sync *sync, const struct entities *e)
{
	const struct sync_rows *r = &e->qos;
	struct qos_cond cond = {0};
	struct qos_list list = {0};

	if (qos_list(sync->s->store, &cond, &sync->arena, &list))
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		struct qos *qos = find_qos(&list, r->v[i][Q_NAME]);
		struct settings settings = {0};

		if (wanted_settings(sync, &wanted_of_qos, &e->qos_columns,
			    r->v[i], qos, &settings))
			return -1;
		sync->changed += settings.n > 0;
		if (settings.n && qos_update(sync->s->store, qos, &settings,
					  &sync->arena))
			return -1;
	}
	return 0;
}

static int ask_qos(struct sync *sync, struct entities *e)
{
	static const struct sync_column fixed[Q_FIXED] = {
		{"Name", "name", SYNC_PLAIN}, {"ID", "id", SYNC_PLAIN}};

	e->qos_table = (struct sync_table){.what = "QOS",
		.show = "qos",
		.tables = "qos_table t WHERE t.deleted = 0 ORDER BY t.id"};
	wanted_columns(&wanted_of_qos, fixed, Q_FIXED, &e->qos_columns,
		&e->qos_table, &sync->arena);
	return sync_ask(sync, &e->qos_table, 0, &e->qos);
}

/* A QOS is made before another can preempt it. */
static int sync_qos(struct sync *sync, const struct entities *e)
{
	return same_qos(sync, &e->qos) || set_qos(sync, e) ? -1 : 0;
}

/* ---- TRES, accounts, users -----------------------------------------------*/

/* clang-format off */
static const struct sync_column tres_columns[] = {
	{"Type", "type", SYNC_PLAIN}, {"Name", "name", SYNC_PLAIN}};
static const struct sync_table tres_table = {"TRES", "tres",
	"tres_table t WHERE t.deleted = 0 AND t.type <> 'dynamic_offset' ORDER BY t.id",
	tres_columns, 2, NULL, NULL};

static const struct sync_column account_columns[] = {
	{"Account", "name", SYNC_PLAIN}, {"Organization", "organization", SYNC_PLAIN},
	{"Description", "description", SYNC_PLAIN}};
static const struct sync_table account_table = {"account", "account",
	"acct_table t WHERE t.deleted = 0 ORDER BY t.name",
	account_columns, 3, NULL, NULL};

static const struct sync_column user_columns[] = {
	{"User", "name", SYNC_PLAIN}, {"AdminLevel", "admin_level", SYNC_PLAIN}};
static const struct sync_table user_table = {"user", "user",
	"user_table t WHERE t.deleted = 0 ORDER BY t.name",
	user_columns, 2, NULL, NULL};

static const struct sync_column coordinator_columns[] = {
	{"User", "user", SYNC_PLAIN}, {"Coordinators", "acct", SYNC_PLAIN}};
static const struct sync_table coordinator_table = {"coordinator", "",
	"acct_coord_table t WHERE t.deleted = 0",
	coordinator_columns, 2, NULL, NULL};
/* clang-format on */

static int take_tres(struct sync *sync, const char *const *values)
{
	strv_push(sync->of_rows, &sync->arena,
		*values[1] ? arena_printf(&sync->arena, "%s/%s", values[0],
				     values[1])
			   : values[0]);
	return 0;
}

static int sync_tres(struct sync *sync, const struct sync_rows *rows)
{
	struct strv names = {0};

	sync->of_rows = &names;
	return sync_each(sync, rows, take_tres) ||
			       mirror_tres(sync->s->store, &names)
		       ? -1
		       : 0;
}

static int take_account(struct sync *sync, const char *const *values)
{
	strv_push(sync->of_rows, &sync->arena, values[0]);
	return count(sync, mirror_account(sync->s->store, values[0], values[2],
				   values[1]));
}

static int take_user(struct sync *sync, const char *const *values)
{
	long number = strtol(values[1], NULL, 10);

	strv_push(sync->of_rows, &sync->arena, values[0]);
	return count(sync,
		mirror_user(sync->s->store, values[0],
			number > 0 ? (uint32_t)number
				   : admin_level_parse(values[1])));
}

/* The names go there. */
static int take_names(struct sync *sync, const struct sync_rows *rows,
	sync_row *take, struct strv *names)
{
	sync->of_rows = names;
	return sync_each(sync, rows, take);
}

/* The accounts of a user as a list, or one of them: "account/user" each. */
static int take_coordinator(struct sync *sync, const char *const *values)
{
	struct strv accounts = {0};

	strv_words(&accounts, &sync->arena, values[1]);
	for (size_t i = 0; i < accounts.n; i++) {
		const char *pair = arena_printf(&sync->arena, "%s/%s",
			accounts.v[i], values[0]);

		if (!strv_has(sync->of_rows, pair))
			strv_push(sync->of_rows, &sync->arena, pair);
	}
	return 0;
}

static int sync_coordinators(struct sync *sync, const struct sync_rows *rows)
{
	struct strv pairs = {0};

	sync->of_rows = &pairs;
	if (sync_each(sync, rows, take_coordinator))
		return -1;
	return count(sync, mirror_coordinators(
				   sync->s->store, &pairs, &sync->arena));
}

/* ---- associations --------------------------------------------------------*/

/* clang-format off */
enum { A_ID, A_ACCOUNT, A_USER, A_PARTITION, A_PARENT, A_FIXED };
static const struct sync_column assoc_fixed[A_FIXED] = {
	{"ID", "id_assoc", SYNC_PLAIN}, {"Account", "acct", SYNC_PLAIN},
	{"User", "user", SYNC_PLAIN}, {"Partition", "`partition`", SYNC_PLAIN},
	{"ParentName", "parent_acct", SYNC_PLAIN}};
/* clang-format on */

struct known_assoc {
	const char *name; /* account/user/partition */
	struct assoc *assoc;
	bool kept;
	UT_hash_handle hh;
};

struct assoc_rows {
	const struct wanted_columns *columns;
	struct known_assoc *known;
	struct mirror_ids ids;
};

static struct known_assoc *find_known(struct sync *sync,
	const struct assoc_rows *r, const char *account, const char *user,
	const char *partition)
{
	const char *name = arena_printf(
		&sync->arena, "%s/%s/%s", account, user, partition);
	struct known_assoc *one;

	HASH_FIND_STR(r->known, name, one);
	return one;
}

static struct known_assoc *add_known(
	struct sync *sync, struct assoc_rows *r, struct assoc *assoc)
{
	struct known_assoc *one = arena_alloc(&sync->arena, sizeof(*one));

	one->name = arena_printf(&sync->arena, "%s/%s/%s", assoc->account,
		assoc->user, assoc->partition);
	one->assoc = assoc;
	HASH_ADD_KEYPTR(hh, r->known, one->name, strlen(one->name), one);
	return one;
}

/* Own values, own lists of QOS with their signs. */
static int load_known(struct sync *sync, struct assoc_rows *r)
{
	struct assoc_cond cond = {.without_limits = true, .raw_qos = true};
	struct assoc_list list = {0};

	strv_push(&cond.clusters, &sync->arena, sync->cluster);
	if (assoc_list(sync->s->store, &cond, &sync->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		add_known(sync, r, list.v[i]);
	return 0;
}

/* The parent row: for a user in an account the account's. NULL: none. */
static struct assoc *parent_of(struct sync *sync, const struct assoc_rows *r,
	const char *const *values)
{
	const char *account = values[A_ACCOUNT];
	struct known_assoc *one;

	if (!*values[A_USER]) {
		if (!strcmp(account, "root"))
			return NULL;
		account = *values[A_PARENT] ? values[A_PARENT] : "root";
	}
	one = find_known(sync, r, account, "", "");
	return one ? one->assoc : NULL;
}

static int add_assoc(struct sync *sync, struct assoc_rows *r,
	const char *const *values, struct known_assoc **one)
{
	const struct settings none = {0};
	const struct assoc_new new = {.cluster = sync->cluster_key,
		.cluster_name = sync->cluster,
		.account = values[A_ACCOUNT],
		.user = values[A_USER],
		.partition = values[A_PARTITION],
		.parent = parent_of(sync, r, values),
		.settings = &none};
	struct assoc *assoc;

	if (!new.parent)
		return err_set(&sync->s->err, ERR_SYSTEM,
			"association %s of Slurm, account %s, has a parent "
			"that Slurm does not show: '%s'",
			values[A_ID], values[A_ACCOUNT], values[A_PARENT]);
	if (assoc_add(sync->s->store, &new) < 0 ||
		assoc_find(sync->s->store, sync->cluster, new.account,
			new.user, new.partition, &sync->arena, &assoc) != 1)
		return -1;
	*one = add_known(sync, r, assoc);
	return 0;
}

static int move_assoc(struct sync *sync, const struct assoc_rows *r,
	const char *const *values, const struct assoc *assoc)
{
	struct assoc *parent = parent_of(sync, r, values);

	if (*assoc->user || !parent || parent->key == assoc->parent_key)
		return 0;
	sync->changed++;
	return assoc_move(sync->s->store, assoc, parent, &sync->arena);
}

/* A list with signs is applied to the present list: that goes first. */
static int empty_qos(struct sync *sync, const struct assoc *assoc,
	const struct settings *settings)
{
	const struct member *qos =
		member_at(&assoc_members, offsetof(struct assoc, own_qos));
	const struct setting *s = settings_find(settings, qos);
	struct settings empty = {0};

	if (!s || !s->list.n || !strchr("+-", *s->list.v[0]) ||
		!assoc->own_qos.n)
		return 0;
	return wanted_setting(sync, &wanted_of_assoc, qos, "", &empty) ||
			       assoc_update(sync->s->store, assoc, &empty,
				       &sync->arena)
		       ? -1
		       : 0;
}

static int take_assoc(struct sync *sync, const char *const *values)
{
	struct assoc_rows *r = sync->of_rows;
	struct known_assoc *one = find_known(sync, r, values[A_ACCOUNT],
		values[A_USER], values[A_PARTITION]);
	struct settings settings = {0};

	if (!one ? add_assoc(sync, r, values, &one)
		 : move_assoc(sync, r, values, one->assoc))
		return -1;
	one->kept = true;
	mirror_ids_push(&r->ids, &sync->arena, one->assoc->key,
		(uint32_t)strtoul(values[A_ID], NULL, 10));
	if (wanted_settings(sync, &wanted_of_assoc, r->columns, values,
		    one->assoc, &settings))
		return -1;
	if (!settings.n)
		return 0;
	sync->changed++;
	return empty_qos(sync, one->assoc, &settings) ||
			       assoc_update(sync->s->store, one->assoc,
				       &settings, &sync->arena)
		       ? -1
		       : 0;
}

/* Users before accounts, accounts below before those above. */
static int deepest_first(struct known_assoc *a, struct known_assoc *b)
{
	size_t x = strlen(a->assoc->lineage), y = strlen(b->assoc->lineage);

	if (!*a->assoc->user != !*b->assoc->user)
		return *a->assoc->user ? -1 : 1;
	return (x < y) - (x > y);
}

static int remove_assocs(struct sync *sync, struct assoc_rows *r)
{
	const struct policy *policy = &sync->s->site->conf.policy;
	struct store *store = sync->s->store;
	struct known_assoc *one, *next;

	HASH_SORT(r->known, deepest_first);
	HASH_ITER(hh, r->known, one, next) {
		if (one->kept)
			continue;
		if (usage_hand_up(store, policy, one->assoc->key,
			    one->assoc->parent_key) ||
			assoc_remove(store, one->assoc))
			return -1;
		sync->changed++;
	}
	return 0;
}

/* Parents first: by their left numbers, later by their lineage. */
static int ask_assocs(struct sync *sync, struct entities *e)
{
	e->assoc_table = (struct sync_table){.what = "association",
		.show = "association wopl clusters={c}",
		.tables = "`{c}_assoc_table` t WHERE t.deleted = 0"
			  " ORDER BY {o}"};
	wanted_columns(&wanted_of_assoc, assoc_fixed, A_FIXED,
		&e->assoc_columns, &e->assoc_table, &sync->arena);
	return sync_ask(sync, &e->assoc_table, 0, &e->assocs);
}

static int sync_assocs(struct sync *sync, const struct entities *e)
{
	struct assoc_rows r = {.columns = &e->assoc_columns};
	int rc;

	if (load_known(sync, &r))
		return -1;
	sync->of_rows = &r;
	rc = sync_each(sync, &e->assocs, take_assoc) ||
	     remove_assocs(sync, &r) ||
	     mirror_assoc_ids(sync->s->store, sync->cluster_key, &r.ids) < 0;
	HASH_CLEAR(hh, r.known);
	return rc ? -1 : 0;
}

/* ---- default accounts, wckeys --------------------------------------------*/

/* clang-format off */
static const struct sync_column default_columns[] = {
	{"User", "user", SYNC_PLAIN}, {"DefaultAccount", "acct", SYNC_PLAIN}};
static const struct sync_table default_table = {"user", "user withassoc where cluster={c}",
	"`{c}_assoc_table` t WHERE t.deleted = 0 AND t.is_def = 1 AND t.user <> ''",
	default_columns, 2, NULL, NULL};

static const struct sync_column wckey_columns[] = {
	{"WCKey", "wckey_name", SYNC_PLAIN}, {"User", "user", SYNC_PLAIN},
	{NULL, "is_def", SYNC_PLAIN}};
static const struct sync_table wckey_table = {"wckey", "wckey where clusters={c}",
	"`{c}_wckey_table` t WHERE t.deleted = 0",
	wckey_columns, 3, NULL, NULL};
/* clang-format on */

static int take_default(struct sync *sync, const char *const *values)
{
	const char *before;

	if (!*values[0] || !*values[1])
		return 0;
	if (user_default_account(sync->s->store, sync->cluster, values[0],
		    &sync->arena, &before))
		return -1;
	if (!strcmp(before, values[1]))
		return 0;
	sync->changed++;
	return assoc_set_default(
		sync->s->store, sync->cluster, values[0], values[1]);
}

/* Slurm marks the default with a `*`. */
static int take_wckey(struct sync *sync, const char *const *values)
{
	bool star = *values[0] == '*';

	if (!*values[1])
		return 0;
	return count(sync, wckey_add(sync->s->store, sync->cluster,
				   values[0] + star, values[1],
				   star || !strcmp(values[2], "1")));
}

/* ---- all -----------------------------------------------------------------*/

static int ask_all(struct sync *sync, struct entities *e)
{
	return sync_ask(sync, &tres_table, 0, &e->tres) ||
			       ask_qos(sync, e) ||
			       sync_ask(sync, &account_table, 0,
				       &e->accounts) ||
			       sync_ask(sync, &user_table, 0, &e->users) ||
			       ask_assocs(sync, e) ||
			       sync_ask(sync, &default_table, 0,
				       &e->defaults) ||
			       sync_ask(sync, &coordinator_table, 0,
				       &e->coordinators) ||
			       sync_ask(sync, &wckey_table, 0, &e->wckeys) ||
			       sync_shared_ask(sync, &e->shared)
		       ? -1
		       : 0;
}

static int take_all(void *arg)
{
	struct sync *sync = arg;
	const struct entities *e = sync->of_part;
	struct strv accounts = {0}, users = {0};

	sync->changed = 0;
	if (sync_tres(sync, &e->tres) || sync_qos(sync, e) ||
		take_names(sync, &e->accounts, take_account, &accounts) ||
		take_names(sync, &e->users, take_user, &users) ||
		sync_assocs(sync, e) ||
		sync_each(sync, &e->defaults, take_default) ||
		sync_coordinators(sync, &e->coordinators) ||
		sync_each(sync, &e->wckeys, take_wckey) ||
		sync_shared(sync, &e->shared))
		return -1;
	return count(sync, mirror_remove_others(sync->s->store, &accounts,
				   &users));
}

int sync_entities(struct sync *sync)
{
	struct entities *e = arena_alloc(&sync->arena, sizeof(*e));

	sync->of_part = e;
	return ask_all(sync, e) ||
			       store_change_bulk(
				       sync->s->store, take_all, sync)
		       ? -1
		       : 0;
}
