/*
 * TRES, QOS, accounts, users, associations and wckeys as Slurm has them: what
 * differs is set, what Slurm no longer has is removed, in one transaction.
 * Slurm is asked for all of it before that begins.
 */
#include "cmd/srecord/sync/wanted.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "db/entity/initial.h"
#include "db/entity/mirror_past.h"
#include "db/store/meta.h"

/* What Slurm says beside what the store has. */
struct round {
	const struct slurm_rows *rows;
	struct session session;
	struct roster store, wanted;
	struct differences differences;
	bool again; /* something is to be compared once more */
	struct strv heard; /* complaints */
};

/* ---- what Slurm is asked ---------------------------------------------------*/

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

/* With those that are deleted. */
static const struct sync_table all_account_table = {"account", "account withdeleted",
	"acct_table t ORDER BY t.name", account_columns, 3, NULL, NULL};

static const struct sync_column user_columns[] = {
	{"User", "name", SYNC_PLAIN},
	{"AdminLevel", "ELT(t.admin_level, 'None', 'Operator', 'Administrator')", SYNC_PLAIN}};
static const struct sync_table user_table = {"user", "user",
	"user_table t WHERE t.deleted = 0 ORDER BY t.name",
	user_columns, 2, NULL, NULL};

static const struct sync_table all_user_table = {"user", "user withdeleted",
	"user_table t ORDER BY t.name", user_columns, 1, NULL, NULL};

static const struct sync_column coordinator_columns[] = {
	{"User", "user", SYNC_PLAIN}, {"Coordinators", "acct", SYNC_PLAIN}};
static const struct sync_table coordinator_table = {"coordinator", "",
	"acct_coord_table t WHERE t.deleted = 0",
	coordinator_columns, 2, NULL, NULL};

static const struct sync_column default_columns[] = {
	{"User", "user", SYNC_PLAIN}, {"DefaultAccount", "acct", SYNC_PLAIN},
	{"DefaultWCKey", NULL, SYNC_PLAIN}};
static const struct sync_table default_table = {"user", "user withassoc where cluster={c}",
	"`{c}_assoc_table` t WHERE t.deleted = 0 AND t.is_def = 1 AND t.user <> ''",
	default_columns, 3, NULL, NULL};

static const struct sync_column wckey_columns[] = {
	{"WCKey", "CONCAT(IF(t.is_def, '*', ''), t.wckey_name)", SYNC_PLAIN},
	{"User", "user", SYNC_PLAIN}};
static const struct sync_table wckey_table = {"wckey", "wckey where clusters={c}",
	"`{c}_wckey_table` t WHERE t.deleted = 0",
	wckey_columns, 2, NULL, NULL};

static const struct sync_table all_wckey_table = {"wckey", "wckey withdeleted where clusters={c}",
	"`{c}_wckey_table` t", wckey_columns, 2, NULL, NULL};
/* clang-format on */

static struct strv list_tres(struct sync *sync, const struct sync_rows *rows)
{
	struct strv names = {0};

	for (size_t i = 0; i < rows->n; i++) {
		const char *type = rows->v[i][0], *name = rows->v[i][1];

		strv_push(&names, &sync->arena,
			*name ? arena_printf(&sync->arena, "%s/%s", type, name)
			      : type);
	}
	return names;
}

/* ---- what rosters do not have --------------------------------------------*/

static uint32_t number_in(const char *text)
{
	return (uint32_t)strtoul(text, NULL, 10);
}

/* The rows of `all`, and before these those of `live`, which may be newer. Calls
 * `add` with each, and gives the largest number. */
static int64_t each_numbered(struct sync *sync, const struct sync_rows *live,
	const struct sync_rows *all, size_t id,
	void (*add)(struct sync *, const char *const *, bool deleted, void *),
	void *arg)
{
	struct strv ids = {0};
	struct strv_set is_live;
	int64_t last = 0;

	for (size_t i = 0; i < live->n; i++) {
		strv_push(&ids, &sync->arena, live->v[i][id]);
		last = larger(last, number_in(live->v[i][id]));
		add(sync, live->v[i], false, arg);
	}
	strv_set_init(&is_live, &ids, false, &sync->arena);
	for (size_t i = 0; i < all->n; i++) {
		last = larger(last, number_in(all->v[i][id]));
		if (!strv_set_has(&is_live, all->v[i][id]))
			add(sync, all->v[i], true, arg);
	}
	return last;
}

static void add_qos(struct sync *sync, const char *const *values, bool deleted,
	void *arg)
{
	struct mirror_qoses *list = arg;
	struct mirror_qos *qos =
		ARENA_PUSH(&sync->arena, list->v, list->n, list->cap);

	*qos = (struct mirror_qos){.id = number_in(values[Q_ID]),
		.deleted = deleted,
		.name = values[Q_NAME]};
	if (!deleted)
		return;
	qos->description = values[Q_DESCRIPTION];
	/* Words of a later release are passed over. */
	(void)flags_parse(qos_flag_words, values[Q_FLAGS], &qos->flags,
		&sync->arena);
	(void)flags_parse(preempt_mode_words, values[Q_PREEMPT_MODE],
		&qos->preempt_mode, &sync->arena);
	if (!qos->preempt_mode)
		qos->preempt_mode = PREEMPT_CLUSTER;
}

static void add_assoc(struct sync *sync, const char *const *values,
	bool deleted, void *arg)
{
	struct mirror_assocs *list = arg;

	*ARENA_PUSH(&sync->arena, list->v, list->n, list->cap) =
		(struct mirror_assoc){number_in(values[A_ID]), deleted,
			values[A_ACCOUNT], values[A_USER], values[A_PARTITION],
			values[A_PARENT]};
}

static struct strv first_column(struct sync *sync, const struct sync_rows *rows)
{
	struct strv names = {0};

	for (size_t i = 0; i < rows->n; i++)
		strv_push(&names, &sync->arena, rows->v[i][0]);
	return names;
}

/* What Slurm has: names, and with what it has deleted numbers. */
struct listed {
	struct mirror_names users, accounts;
	struct mirror_assocs assocs;
	struct mirror_qoses qos;
	int64_t last_assoc, last_qos; /* the largest numbers */
};

static void list_all(struct sync *sync, const struct slurm_rows *rows,
	struct listed *list)
{
	*list = (struct listed){
		.users = {first_column(sync, &rows->users),
			first_column(sync, &rows->all_users)},
		.accounts = {first_column(sync, &rows->accounts),
			first_column(sync, &rows->all_accounts)}};
	list->last_assoc = each_numbered(sync, &rows->assocs,
		&rows->all_assocs, A_ID, add_assoc, &list->assocs);
	list->last_qos = each_numbered(sync, &rows->qos, &rows->all_qos, Q_ID,
		add_qos, &list->qos);
}

/* Up to these numbers, while the store follows, they say who is who. */
static int last_numbers(struct sync *sync, int64_t *assoc, int64_t *qos)
{
	int64_t follows = 0;

	*assoc = *qos = 0;
	if (meta_get_int(sync->s->store, META_FOLLOWS, &follows))
		return -1;
	return follows && (sync_position(sync, "last association", assoc) ||
				  sync_position(sync, "last QOS", qos))
		       ? -1
		       : 0;
}

/* Before records are compared, which are found by their names. */
static int same_names(struct sync *sync, const struct listed *list)
{
	int64_t last_assoc, last_qos;

	return last_numbers(sync, &last_assoc, &last_qos) ||
			       sync_count(sync,
				       mirror_qos_names(sync->s->store,
					       (uint32_t)last_qos, &list->qos,
					       &sync->arena)) ||
			       sync_count(sync,
				       mirror_assoc_names(sync->s->store,
					       sync->cluster_key,
					       (uint32_t)last_assoc,
					       &list->assocs, &list->users.live,
					       &list->accounts.live,
					       &sync->arena))
		       ? -1
		       : 0;
}

/* When all that Slurm has is there. */
static int same_numbers(struct sync *sync, const struct listed *list)
{
	const struct policy *policy = &sync->s->site->conf.policy;

	return sync_count(sync, mirror_qos_numbers(sync->s->store, &list->qos,
					&sync->arena)) ||
			       mirror_assoc_numbers(sync->s->store, policy,
				       sync->cluster_key, &list->assocs,
				       &sync->arena) ||
			       sync_set_position(sync, "last association",
				       list->last_assoc) ||
			       sync_set_position(
				       sync, "last QOS", list->last_qos)
		       ? -1
		       : 0;
}

/* Accounts and users without an association on this cluster. Those of whom the
 * store has one, which will go, are looked at once more then. */
static int same_account(
	struct sync *sync, struct round *round, const char *const *values)
{
	if (roster_find(&round->wanted, ROSTER_ACCOUNT, values[0]))
		return 0;
	round->again |=
		roster_find(&round->store, ROSTER_ACCOUNT, values[0]) != NULL;
	return sync_count(sync, mirror_account(sync->s->store, values[0], values[2],
				   values[1]));
}

static int same_user(
	struct sync *sync, struct round *round, const char *const *values)
{
	const struct entry *is =
		roster_find(&round->wanted, ROSTER_USER, values[0]);
	const struct entry *was =
		roster_find(&round->store, ROSTER_USER, values[0]);

	if (is && is->other)
		return 0;
	round->again |= was && was->account;
	return sync_count(sync, mirror_user(sync->s->store, values[0],
				   admin_level_parse(values[1])));
}

static int same_others(struct sync *sync, struct round *round)
{
	const struct sync_rows *accounts = &round->rows->accounts;
	const struct sync_rows *users = &round->rows->users;

	round->again = false;
	for (size_t i = 0; i < accounts->n; i++)
		if (same_account(sync, round, accounts->v[i]))
			return -1;
	for (size_t i = 0; i < users->n; i++)
		if (same_user(sync, round, users->v[i]))
			return -1;
	return 0;
}

/* A key without a name, as slurmdbd gives to who has none. */
static int same_nameless_keys(struct sync *sync, const struct sync_rows *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const char *const *values = r->v[i];
		const bool star = *values[0] == '*';

		if (!values[0][star] && *values[1] &&
			sync_count(sync, wckey_add(sync->s->store, sync->cluster,
					    "", values[1], star)))
			return -1;
	}
	return 0;
}

/* A roster cannot say that a user with keys has no default one. */
static int same_no_defaults(struct sync *sync, struct round *round)
{
	const struct roster *r = &round->wanted;

	for (size_t i = 0; i < r->of[ROSTER_USER].n; i++) {
		const struct entry *e = r->of[ROSTER_USER].v[i];
		const char *key = entry_text(e, PROPERTY_DEFAULT_WCKEY);

		if (entry_text(e, PROPERTY_WCKEYS) && (!key || !*key) &&
			sync_count(sync, wckey_no_default(sync->s->store,
						 sync->cluster, e->name)))
			return -1;
	}
	return 0;
}

static int remove_others(struct sync *sync, const struct listed *list)
{
	return sync_count(sync, mirror_remove_others(sync->s->store,
					&list->accounts, &list->users,
					&sync->arena));
}

static int add_deleted(struct sync *sync, const struct slurm_rows *rows)
{
	for (size_t i = 0; i < rows->all_accounts.n; i++) {
		const char *const *values = rows->all_accounts.v[i];

		if (sync_count(sync,
			    mirror_deleted_account(sync->s->store, values[0],
				    values[2], values[1])))
			return -1;
	}
	for (size_t i = 0; i < rows->all_users.n; i++)
		if (sync_count(sync, mirror_deleted_user(sync->s->store,
					     rows->all_users.v[i][0])))
			return -1;
	for (size_t i = 0; i < rows->all_wckeys.n; i++) {
		const char *const *values = rows->all_wckeys.v[i];
		const bool star = *values[0] == '*';

		if (sync_count(sync, mirror_deleted_wckey(sync->s->store,
					     sync->cluster, values[0] + star,
					     values[1])))
			return -1;
	}
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

/* Those that are deleted first: what is there yet is newer. */
static int ask_all(struct sync *sync, void *arg)
{
	struct slurm_rows *e = arg;
	const struct {
		const struct sync_table *table;
		struct sync_rows *rows;
	} tables[] = {
		{&tres_table, &e->tres},
		{&all_account_table, &e->all_accounts},
		{&all_user_table, &e->all_users},
		{&account_table, &e->accounts},
		{&user_table, &e->users},
		{&default_table, &e->defaults},
		{&coordinator_table, &e->coordinators},
		{&all_wckey_table, &e->all_wckeys},
		{&wckey_table, &e->wckeys},
	};

	if (wanted_ask_all_assocs(sync, e) || wanted_ask_assocs(sync, e) ||
		wanted_ask_all_qos(sync, e))
		return -1;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (sync_ask(sync, tables[i].table, 0, tables[i].rows))
			return -1;
	return wanted_ask_qos(sync, e) || sync_shared_ask(sync, &e->shared)
		       ? -1
		       : 0;
}

static void forget(struct round *round)
{
	roster_release(&round->store);
	roster_release(&round->wanted);
}

static int compare(struct sync *sync, struct round *round)
{
	struct session *s = &round->session;

	if (wanted_read(sync, round->rows, s, &round->store, &round->wanted))
		return -1;
	roster_compare(s, &round->store, &round->wanted, true,
		&round->differences);
	return 0;
}

static int apply(struct sync *sync, struct round *round)
{
	struct differences first = {0};
	struct strv lost;
	int times = 0;

	do {
		forget(round);
		if (compare(sync, round) || same_others(sync, round) ||
			(round->differences.n &&
				roster_apply(&round->session, &round->store,
					&round->wanted, &round->differences,
					&lost)))
			return -1;
		sync->changed += round->differences.n;
		if (!times)
			first = round->differences;
	} while (round->again && !times++);
	round->differences = first;
	return 0;
}

static int take_all(struct sync *sync, struct round *round)
{
	const struct slurm_rows *rows = round->rows;
	const struct strv tres = list_tres(sync, &rows->tres);
	struct listed list;

	sync->changed = 0;
	list_all(sync, rows, &list);
	return mirror_tres(sync->s->store, &tres) || same_names(sync, &list) ||
			       same_nameless_keys(sync, &rows->wckeys) ||
			       apply(sync, round) ||
			       same_no_defaults(sync, round) ||
			       same_numbers(sync, &list) ||
			       sync_shared(sync, &rows->shared) ||
			       remove_others(sync, &list) ||
			       add_deleted(sync, rows)
		       ? -1
		       : 0;
}

/* What an operation is refused for becomes the error. */
static void hear(struct session *s, const char *text, enum say how)
{
	struct strv *heard = s->hooks->arg;

	(void)how;
	strv_push(heard, &s->arena,
		arena_strdup(&s->arena, text + strspn(text, " ")));
}

/* Errors of the store are those of the session meanwhile; the entries of the log
 * come from Slurm. */
static int in_session(struct sync *sync, struct round *round,
	int (*run)(struct sync *, struct round *))
{
	struct store *store = sync->s->store;
	struct err *before = store->err;
	int rc;

	forget(round);
	arena_reset(&round->session.arena);
	round->heard = (struct strv){0};
	store->err = &round->session.err;
	store->unlogged = true;
	rc = run(sync, round);
	store->unlogged = false;
	store->err = before;
	if (!rc)
		return 0;
	sync->s->err = round->session.err;
	return round->heard.n ? err_set(before, ERR_USAGE, "%s",
					strv_join(&round->heard, " ",
						&round->session.arena))
			      : -1;
}

static int take_all_in_session(void *arg)
{
	struct sync *sync = arg;

	return in_session(sync, sync->of_part, take_all);
}

/* TRES that the store lacks are known while it is compared. */
static int compare_only(struct sync *sync, struct round *round)
{
	const struct strv tres = list_tres(sync, &round->rows->tres);

	initial_know_tres(sync->s->store, &tres);
	return compare(sync, round);
}

static void tell(const struct sync *sync, struct round *round)
{
	struct arena *arena = &round->session.arena;

	if (round->differences.n)
		differences_write(&round->differences,
			arena_printf(arena, "cluster %s", sync->cluster),
			sync->source->name, stdout, cli_coloured(), arena);
}

int sync_entities(struct sync *sync, bool apply, bool report)
{
	struct slurm_rows rows = {0};
	struct round round = {.rows = &rows};
	const struct session_hooks hooks = {.say = hear, .arg = &round.heard};
	int rc;

	round.session = (struct session){.hooks = &hooks,
		.site = *sync->s->site,
		.store = sync->s->store,
		.done_elsewhere = true,
		.command = "srecord sync"};
	round.session.site.caller.super = true;
	arena_init(&round.session.arena);
	sync->of_part = &round;
	rc = sync_ask_all(sync, ask_all, &rows);
	if (!rc)
		rc = apply ? store_change_bulk(sync->s->store,
				     take_all_in_session, sync)
			   : in_session(sync, &round, compare_only);
	if (!rc && report)
		tell(sync, &round);
	if (!rc && !apply)
		rc = round.differences.n > 0;
	forget(&round);
	arena_release(&round.session.arena);
	return rc;
}
