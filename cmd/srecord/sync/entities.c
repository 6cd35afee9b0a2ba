/*
 * TRES, QOS, accounts, users, associations and wckeys as Slurm has them: what
 * differs is set, what Slurm has no more is removed, in one transaction. Slurm is
 * asked for all of it before that begins.
 */
#include "cmd/srecord/sync/wanted.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "db/entity/initial.h"
#include "db/entity/mirror.h"

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

static const struct sync_column user_columns[] = {
	{"User", "name", SYNC_PLAIN},
	{"AdminLevel", "ELT(t.admin_level, 'None', 'Operator', 'Administrator')", SYNC_PLAIN}};
static const struct sync_table user_table = {"user", "user",
	"user_table t WHERE t.deleted = 0 ORDER BY t.name",
	user_columns, 2, NULL, NULL};

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

/* Of the cluster's QOS, Slurm's numbers. */
static int same_qos_ids(struct sync *sync, const struct sync_rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (sync_count(sync,
			    mirror_qos_id(sync->s->store, r->v[i][Q_NAME],
				    (uint32_t)strtoul(
					    r->v[i][Q_ID], NULL, 10))))
			return -1;
	return 0;
}

/* Of an association, as the store has it. */
static int find_assoc(struct round *round, const char *const *values,
	const struct assoc **assoc)
{
	struct session *s = &round->session;
	const bool user = *values[A_USER];
	const struct entry *old = roster_find_like(&round->store,
		&(const struct entry){
			.kind = user ? ROSTER_ROW : ROSTER_ACCOUNT,
			.name = user ? values[A_USER] : values[A_ACCOUNT],
			.account = values[A_ACCOUNT],
			.partition = values[A_PARTITION]});
	struct assoc *found;
	int rc;

	if (old && old->row) {
		*assoc = old->row;
		return 0;
	}
	rc = assoc_find(s->store, round->wanted.cluster, values[A_ACCOUNT],
		values[A_USER], values[A_PARTITION], &s->arena, &found);
	*assoc = rc > 0 ? found : NULL;
	return rc < 0 ? -1 : 0;
}

static int same_assoc_ids(struct sync *sync, struct round *round)
{
	const struct sync_rows *r = &round->rows->assocs;
	struct mirror_ids ids = {0};
	bool differs = false;

	for (size_t i = 0; i < r->n; i++) {
		uint32_t id = (uint32_t)strtoul(r->v[i][A_ID], NULL, 10);
		const struct assoc *assoc;

		if (find_assoc(round, r->v[i], &assoc))
			return -1;
		if (!assoc)
			continue;
		differs |= assoc->id != id;
		mirror_ids_push(&ids, &sync->arena, assoc->key, id);
	}
	return differs && mirror_assoc_ids(sync->s->store, sync->cluster_key,
				  &ids)
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

static int remove_others(struct sync *sync, const struct slurm_rows *rows)
{
	struct strv accounts = {0}, users = {0};

	for (size_t i = 0; i < rows->accounts.n; i++)
		strv_push(&accounts, &sync->arena, rows->accounts.v[i][0]);
	for (size_t i = 0; i < rows->users.n; i++)
		strv_push(&users, &sync->arena, rows->users.v[i][0]);
	return sync_count(sync, mirror_remove_others(
				   sync->s->store, &accounts, &users,
				   &sync->arena));
}

/* ---- all -----------------------------------------------------------------*/

static int ask_all(struct sync *sync, struct slurm_rows *e)
{
	return sync_ask(sync, &tres_table, 0, &e->tres) ||
			       wanted_ask_qos(sync, e) ||
			       sync_ask(sync, &account_table, 0,
				       &e->accounts) ||
			       sync_ask(sync, &user_table, 0, &e->users) ||
			       wanted_ask_assocs(sync, e) ||
			       sync_ask(sync, &default_table, 0,
				       &e->defaults) ||
			       sync_ask(sync, &coordinator_table, 0,
				       &e->coordinators) ||
			       sync_ask(sync, &wckey_table, 0, &e->wckeys) ||
			       sync_shared_ask(sync, &e->shared)
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

	sync->changed = 0;
	return mirror_tres(sync->s->store, &tres) ||
			       same_nameless_keys(sync, &rows->wckeys) ||
			       apply(sync, round) ||
			       same_qos_ids(sync, &rows->qos) ||
			       same_assoc_ids(sync, round) ||
			       sync_shared(sync, &rows->shared) ||
			       remove_others(sync, rows)
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
	rc = ask_all(sync, &rows);
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
