/*
 * TRES, QOS, accounts, users, associations and wckeys as Slurm has them: what
 * differs is set, what Slurm has no more is removed, in one transaction.
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

/* What a function of db/entity/mirror.h gave. */
static int count(struct sync *sync, int done)
{
	sync->changed += done > 0;
	return done < 0 ? -1 : 0;
}

/* ---- QOS -----------------------------------------------------------------*/

/* clang-format off */
#define FLAG(bit, word) "IF(t.flags & " #bit ", '" word "', NULL)"
#define MODE(bit, word) "IF(t.preempt_mode & " #bit ", '" word "', NULL)"
static const struct column_name qos_names[] = {
	{"flags", "CONCAT_WS(',', " FLAG(1, "PartitionMinNodes") ", " FLAG(2, "PartitionMaxNodes")
		", " FLAG(4, "PartitionTimeLimit") ", " FLAG(8, "EnforceUsageThreshold")
		", " FLAG(16, "NoReserve") ", " FLAG(32, "RequiresReservation")
		", " FLAG(64, "DenyOnLimit") ", " FLAG(128, "OverPartQOS")
		", " FLAG(256, "NoDecay") ", " FLAG(512, "UsageFactorSafe")
		", " FLAG(1024, "Relative") ")"},
	{"preempt_mode", "IF(t.preempt_mode = 0, 'cluster', CONCAT_WS(',', " MODE(1, "suspend") ", "
		MODE(2, "requeue") ", " MODE(8, "cancel") ", " MODE(16384, "within") ", "
		MODE(32768, "gang") "))"},
	{"max_jobs_pu", "max_jobs_per_user"},
	{"max_submit_jobs_pu", "max_submit_jobs_per_user"},
	{"max_wall_pj", "max_wall_duration_per_job"},
	{"Preempt", "preempt"},
	{"GrpTRES", "grp_tres"}, {"GrpTRESMins", "grp_tres_mins"},
	{"GrpTRESRunMins", "grp_tres_run_mins"},
	{"MaxTRESMinsPerJob", "max_tres_mins_pj"}, {"MaxTRESPerAccount", "max_tres_pa"},
	{"MaxTRESPerJob", "max_tres_pj"}, {"MaxTRESPerNode", "max_tres_pn"},
	{"MaxTRESPerUser", "max_tres_pu"},
	{"MaxTRESRunMinsPerAccount", "max_tres_run_mins_pa"},
	{"MaxTRESRunMinsPerUser", "max_tres_run_mins_pu"}, {"MinTRESPerJob", "min_tres_pj"},
	{NULL, NULL},
};
/* clang-format on */

/* The rows of a round: a QOS is made before another can preempt it. */
struct qos_rows {
	struct wanted_columns columns;
	const char ***v;
	size_t n, cap;
};

enum { Q_NAME, Q_ID, Q_FIXED };

static int keep_qos(struct sync *sync, const char *const *values)
{
	struct qos_rows *r = sync->of_rows;
	const char **row =
		arena_alloc(&sync->arena, r->columns.n * sizeof(*row));

	for (size_t i = 0; i < r->columns.n; i++)
		row[i] = arena_strdup(&sync->arena, values[i]);
	*ARENA_PUSH(&sync->arena, r->v, r->n, r->cap) = row;
	return 0;
}

static struct qos *find_qos(const struct qos_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i]->name, name))
			return list->v[i];
	return NULL;
}

static const char **find_row(const struct qos_rows *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->v[i][Q_NAME], name))
			return r->v[i];
	return NULL;
}

/* With Slurm's numbers; what Slurm has no more goes. */
static int same_qos(struct sync *sync, const struct qos_rows *r)
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

static int set_qos(struct sync *sync, const struct qos_rows *r)
{
	struct qos_cond cond = {0};
	struct qos_list list = {0};

	if (qos_list(sync->s->store, &cond, &sync->arena, &list))
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		struct qos *qos = find_qos(&list, r->v[i][Q_NAME]);
		struct settings settings = {0};

		if (wanted_settings(sync, &wanted_of_qos, &r->columns,
			    r->v[i], qos, &settings))
			return -1;
		sync->changed += settings.n > 0;
		if (settings.n && qos_update(sync->s->store, qos, &settings,
					  &sync->arena))
			return -1;
	}
	return 0;
}

static int sync_qos(struct sync *sync)
{
	static const struct sync_column fixed[Q_FIXED] = {
		{"Name", "name", SYNC_PLAIN}, {"ID", "id", SYNC_PLAIN}};
	struct sync_table table = {.what = "QOS",
		.show = "qos",
		.tables = "qos_table t WHERE t.deleted = 0 ORDER BY t.id"};
	struct qos_rows r = {0};

	wanted_columns(&wanted_of_qos, qos_names, fixed, Q_FIXED, &r.columns,
		&table);
	sync->of_rows = &r;
	return sync->source->rows(sync, &table, 0, keep_qos) ||
			       same_qos(sync, &r) || set_qos(sync, &r)
		       ? -1
		       : 0;
}

/* ---- TRES, accounts, users -----------------------------------------------*/

static int take_tres(struct sync *sync, const char *const *values)
{
	strv_push(sync->of_rows, &sync->arena,
		*values[1] ? arena_printf(&sync->arena, "%s/%s", values[0],
				     values[1])
			   : values[0]);
	return 0;
}

static int sync_tres(struct sync *sync)
{
	static const struct sync_column columns[] = {
		{"Type", "type", SYNC_PLAIN}, {"Name", "name", SYNC_PLAIN}};
	static const struct sync_table table = {"TRES", "tres",
		"tres_table t WHERE t.deleted = 0"
		" AND t.type <> 'dynamic_offset' ORDER BY t.id",
		columns, 2, NULL, NULL};
	struct strv names = {0};

	sync->of_rows = &names;
	return sync->source->rows(sync, &table, 0, take_tres) ||
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

static int sync_accounts(struct sync *sync, struct strv *names)
{
	static const struct sync_column columns[] = {
		{"Account", "name", SYNC_PLAIN},
		{"Organization", "organization", SYNC_PLAIN},
		{"Description", "description", SYNC_PLAIN}};
	static const struct sync_table table = {"account", "account",
		"acct_table t WHERE t.deleted = 0 ORDER BY t.name", columns, 3,
		NULL, NULL};

	sync->of_rows = names;
	return sync->source->rows(sync, &table, 0, take_account);
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

static int sync_users(struct sync *sync, struct strv *names)
{
	static const struct sync_column columns[] = {
		{"User", "name", SYNC_PLAIN},
		{"AdminLevel", "admin_level", SYNC_PLAIN}};
	static const struct sync_table table = {"user", "user",
		"user_table t WHERE t.deleted = 0 ORDER BY t.name", columns, 2,
		NULL, NULL};

	sync->of_rows = names;
	return sync->source->rows(sync, &table, 0, take_user);
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

static int sync_coordinators(struct sync *sync)
{
	static const struct sync_column columns[] = {
		{"User", "user", SYNC_PLAIN},
		{"Coordinators", "acct", SYNC_PLAIN}};
	static const struct sync_table table = {"coordinator", "",
		"acct_coord_table t WHERE t.deleted = 0", columns, 2, NULL,
		NULL};
	struct strv pairs = {0};

	sync->of_rows = &pairs;
	if (sync->source->rows(sync, &table, 0, take_coordinator))
		return -1;
	return count(sync, mirror_coordinators(
				   sync->s->store, &pairs, &sync->arena));
}

/* ---- associations --------------------------------------------------------*/

/* clang-format off */
static const struct column_name assoc_names[] = {
	{"def_qos", "def_qos_id"},
	{"QOS", "IF(t.qos <> '', t.qos, t.delta_qos)"},
	{"GrpTRES", "grp_tres"}, {"GrpTRESMins", "grp_tres_mins"},
	{"GrpTRESRunMins", "grp_tres_run_mins"}, {"MaxTRES", "max_tres_pj"},
	{"MaxTRESPerNode", "max_tres_pn"}, {"MaxTRESMins", "max_tres_mins_pj"},
	{"MaxTRESRunMins", "max_tres_run_mins"},
	{"shares", "IF(t.shares = 2147483647, 'parent', t.shares)"},
	{NULL, NULL},
};

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
	struct wanted_columns columns;
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
	if (wanted_settings(sync, &wanted_of_assoc, &r->columns, values,
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

static int sync_assocs(struct sync *sync)
{
	/* Parents first: by their left numbers, later by their lineage. */
	struct sync_table table = {.what = "association",
		.show = "association wopl clusters={c}",
		.tables = "`{c}_assoc_table` t WHERE t.deleted = 0"
			  " ORDER BY {o}"};
	struct assoc_rows r = {0};
	int rc;

	wanted_columns(&wanted_of_assoc, assoc_names, assoc_fixed,
		A_FIXED, &r.columns, &table);
	if (load_known(sync, &r))
		return -1;
	sync->of_rows = &r;
	rc = sync->source->rows(sync, &table, 0, take_assoc) ||
	     remove_assocs(sync, &r) ||
	     mirror_assoc_ids(sync->s->store, sync->cluster_key, &r.ids) < 0;
	HASH_CLEAR(hh, r.known);
	return rc ? -1 : 0;
}

/* ---- default accounts, wckeys --------------------------------------------*/

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

static int sync_defaults(struct sync *sync)
{
	static const struct sync_column columns[] = {
		{"User", "user", SYNC_PLAIN},
		{"DefaultAccount", "acct", SYNC_PLAIN}};
	static const struct sync_table table = {"user",
		"user withassoc where cluster={c}",
		"`{c}_assoc_table` t WHERE t.deleted = 0 AND t.is_def = 1"
		" AND t.user <> ''",
		columns, 2, NULL, NULL};

	return sync->source->rows(sync, &table, 0, take_default);
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

static int sync_wckeys(struct sync *sync)
{
	static const struct sync_column columns[] = {
		{"WCKey", "wckey_name", SYNC_PLAIN},
		{"User", "user", SYNC_PLAIN}, {NULL, "is_def", SYNC_PLAIN}};
	static const struct sync_table table = {"wckey",
		"wckey where clusters={c}",
		"`{c}_wckey_table` t WHERE t.deleted = 0", columns, 3, NULL,
		NULL};

	return sync->source->rows(sync, &table, 0, take_wckey);
}

/* ---- all -----------------------------------------------------------------*/

static int all(void *arg)
{
	struct sync *sync = arg;
	struct strv accounts = {0}, users = {0};

	sync->changed = 0;
	if (sync_tres(sync) || sync_qos(sync) ||
		sync_accounts(sync, &accounts) || sync_users(sync, &users) ||
		sync_assocs(sync) || sync_defaults(sync) ||
		sync_coordinators(sync) || sync_wckeys(sync) ||
		sync_shared(sync))
		return -1;
	return count(sync, mirror_remove_others(sync->s->store, &accounts,
				   &users));
}

int sync_entities(struct sync *sync)
{
	return store_change_bulk(sync->s->store, all, sync);
}
