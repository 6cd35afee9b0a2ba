/*
 * `add user`: records, a row for every cluster, account and partition, wckeys
 * (Slurm's src/sacctmgr/user_functions.c,
 * src/plugins/accounting_storage/mysql/as_mysql_user.c).
 */
#include "db/change/operations.h"
#include "db/change/user.h"
#include "db/entity/lease.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

struct user_adding {
	struct request *request;
	struct settings rows; /* the part for associations */
	const char *default_account, *default_wckey;
	uint32_t admin_level;
	int64_t checked; /* the account whose default QOS is in its list */
	bool added, wckeys_added, coordinator;
	bool default_added; /* of the user and account at hand */
};

/* May the caller add users, associations and wckeys of them, somewhere? */
static int check_rights(struct session *s, uint32_t admin_level)
{
	if (is_operator(s))
		return 0;
	if (admin_level > ADMIN_NONE)
		return err_set(&s->err, ERR_DENIED,
			" error: Problem adding user associations: "
			"Access/permission denied (Only admins/operators can "
			"add an admin/operator)");
	if (!coordinated(s).n)
		return err_set(&s->err, ERR_DENIED,
			" error: Problem adding user associations: "
			"Access/permission denied (Only "
			"admins/operators/coordinators can add accounts)");
	return 0;
}

int op_add_user(struct session *s, const char *name, uint32_t admin_level)
{
	char info[32];

	if (check_rights(s, admin_level))
		return -1;
	snprintf(info, sizeof(info), "admin_level=%u",
		admin_level ? admin_level : 1);
	effect_named(s, VERB_ADD, EFFECT_DONE, ON_USER, name);
	return any_failed(user_add(s->store, name, admin_level) ||
			  txn_add(s->store, TXN_ADD_USERS, "", name, info));
}

static int add_records(struct session *s, struct user_adding *a)
{
	struct strv *names = &a->request->names;
	bool any = false;

	for (size_t i = 0; i < names->n; i++) {
		/* An existing user keeps the stored spelling, whatever was
		 * typed. */
		const char *name = names->v[i];
		int exists = user_spelling(s->store, name, &s->arena, &name);

		if (exists < 0)
			return -1;
		names->v[i] = arena_strdup(&s->arena, name);
		if (exists)
			continue;
		if (user_check_level(s, &a->request->set))
			return -1;
		any = true;
		if (op_add_user(s, names->v[i], a->admin_level))
			return -1;
	}
	if (any)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_USER,
			.set = a->request->set});
	return 0;
}

/* Is the new row the user's default on the cluster? Of several rows added for
 * one account (one a partition) the first becomes it; to add more later with
 * that DefaultAccount makes another. */
static int becomes_default(struct session *s, const struct user_adding *a,
	const char *cluster, const char *account, const char *user,
	bool *is_default)
{
	const char *current;

	if (user_default_account(s->store, cluster, user, &s->arena, &current))
		return -1;
	*is_default = !*current;
	if (a->default_account)
		*is_default = !strcmp(a->default_account, account) &&
			      !a->default_added &&
			      (!a->coordinator || !*current ||
				      !strcmp(current, account));
	return 0;
}

/* The default QOS of a new row, given or come down the tree, must be one of those
 * the row may use. Rows that only inherit are all alike: for them the account's is
 * looked at. `user`, `key`: of the row, or of the account's. */
static int check_default_qos(struct session *s, const struct assoc_new *new,
	const char *user, int64_t key)
{
	static const char reason[] =
		"This request would make it so some associations would not "
		"have access to their default qos.";
	struct assoc_cond cond = {.clusters = STRV_ONE(new->cluster_name),
		.accounts = STRV_ONE(new->account),
		.users = STRV_ONE(user)};
	struct assoc_list list;
	int64_t qos = 0;

	if (!s->in_parts && assoc_nearest_default_qos(s->store, key, &qos))
		return -1;
	if (!qos)
		return 0;
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i]->key == key && assoc_lost_default_qos(list.v[i]))
			return err_set(&s->err, ERR_USAGE,
				" error: Problem adding user associations: "
				"%s (%s)",
				reason, reason);
	return 0;
}

/* May the caller add users to the account? */
static int check_account(struct session *s, const char *cluster,
	const char *account, const struct settings *set)
{
	if (is_operator(s) || (is_coordinator(s, account) &&
				      may_give_qos(s, cluster, account, set)))
		return 0;
	return err_set(&s->err, ERR_DENIED,
		" error: Problem adding user associations: Access/permission "
		"denied (Your user doesn't have privilege to perform this "
		"action\n)");
}

int64_t op_add_user_row(
	struct session *s, const struct assoc_new *new, int64_t *checked)
{
	const struct assoc *parent = new->parent;
	bool own = settings_find(new->settings, assoc_attr(def_qos_id)) ||
		   settings_find(new->settings, assoc_attr(own_qos));
	int64_t key;

	if ((own || *checked != parent->key) &&
		check_account(s, new->cluster_name, new->account, new->settings))
		return -1;
	key = assoc_add(s->store, new);
	if (key < 0 || lease_note(s->store, LEASE_ASSOC_ROW, key, NULL, ""))
		return -1;
	effect_new_assoc(s, ON_USER, new);
	if ((own || *checked != parent->key) &&
		check_default_qos(s, new, own ? new->user : "",
			own ? key : parent->key))
		return -1;
	*checked = parent->key;
	return new->is_default && !new->is_only_default &&
			       assoc_take_default(s->store, new->cluster_name,
				       new->user, new->account)
		       ? -1
		       : key;
}

static int add_row(struct session *s, struct user_adding *a,
	const struct assoc *parent, const char *user, const char *partition)
{
	struct assoc_new new = {
		.cluster = cluster_key(s->store, parent->cluster),
		.cluster_name = parent->cluster,
		.account = parent->account,
		.user = user,
		.partition = partition,
		.parent = parent,
		.settings = &a->rows,
	};
	struct assoc *known;
	int found = assoc_find(s->store, parent->cluster, parent->account, user,
		partition, &s->arena, &known);

	if (found)
		return found < 0 ? -1 : 0;
	if (becomes_default(s, a, parent->cluster, parent->account, user,
		    &new.is_default))
		return -1;
	a->default_added |= new.is_default;
	a->added = true;
	return op_add_user_row(s, &new, &a->checked) < 0 ? -1 : 0;
}

static int add_user_rows(struct session *s, struct user_adding *a,
	const struct assoc *parent, const char *user)
{
	const struct strv *partitions = &a->request->partitions;

	a->default_added = false;
	if (!partitions->n)
		return add_row(s, a, parent, user, "");
	for (size_t i = 0; i < partitions->n; i++)
		if (add_row(s, a, parent, user, partitions->v[i]))
			return -1;
	return 0;
}

static int add_on_account(struct session *s, struct user_adding *a,
	const char *cluster, const char *account)
{
	struct assoc *parent;
	int found = assoc_find(
		s->store, cluster, account, "", "", &s->arena, &parent);

	if (found < 0)
		return -1;
	if (!found) {
		effect(s, (struct effect){VERB_ADD, EFFECT_NO_ACCOUNT, ON_ASSOC,
			ON_USER, .cluster = cluster, .account = account});
		return 0;
	}
	if (check_account(s, cluster, account, &a->rows))
		return -1;
	for (size_t i = 0; i < a->request->names.n; i++)
		if (add_user_rows(s, a, parent, a->request->names.v[i]))
			return -1;
	return 0;
}

int op_give_default(struct session *s, const char *cluster, const char *user,
	const char **account)
{
	if (user_default_account(s->store, cluster, user, &s->arena, account))
		return -1;
	if (**account || s->site.dbd.allow_no_def_acct)
		return 0;
	if (assoc_first_account(
		    s->store, cluster, user, "", &s->arena, account) < 0)
		return -1;
	return **account ? assoc_set_default(s->store, cluster, user, *account)
			 : 0;
}

/* A user without the default account asked for. */
static int give_defaults(
	struct session *s, const struct user_adding *a, const char *cluster)
{
	const struct strv *names = &a->request->names;
	const char *account;

	for (size_t i = 0; a->default_account && i < names->n; i++)
		if (op_give_default(s, cluster, names->v[i], &account))
			return -1;
	return 0;
}

static int add_everywhere(
	struct session *s, struct user_adding *a, const struct strv *clusters)
{
	for (size_t c = 0; c < clusters->n; c++) {
		for (size_t i = 0; i < a->request->accounts.n; i++)
			if (add_on_account(s, a, clusters->v[c],
				    a->request->accounts.v[i]))
				return -1;
		if (give_defaults(s, a, clusters->v[c]))
			return -1;
	}
	return 0;
}

int op_add_wckey(struct session *s, const char *cluster, const char *name,
	const char *user, bool is_default)
{
	int added = check_rights(s, ADMIN_NOT_SET)
			    ? -1
			    : wckey_add(s->store, cluster, name, user,
				      is_default);

	if (added <= 0)
		return added;
	effect(s, (struct effect){VERB_ADD, EFFECT_DONE, ON_WCKEY,
		.name = name,
		.cluster = cluster,
		.user = user});
	return txn_add(s->store, TXN_ADD_WCKEYS, cluster,
		       arena_printf(&s->arena, "wckey='%s'", name),
		       arena_printf(&s->arena, "user='%s'", user))
		       ? -1
		       : 1;
}

/* The first key of a user on a cluster becomes the default. */
static int add_one_wckey(struct session *s, struct user_adding *a,
	const char *cluster, const char *key, const char *user)
{
	struct wckey_cond cond = {
		.users = STRV_ONE(user), .clusters = STRV_ONE(cluster)};
	struct wckey_list known;
	bool is_default = a->default_wckey && !strcmp(a->default_wckey, key);
	int added;

	if (wckey_list(s->store, &cond, &s->arena, &known))
		return -1;
	if (!known.n && !a->default_wckey)
		is_default = true;
	added = op_add_wckey(s, cluster, key, user, is_default);
	a->wckeys_added |= added > 0;
	return added < 0 ? -1 : 0;
}

static int add_wckeys(
	struct session *s, struct user_adding *a, const struct strv *clusters)
{
	const struct request *r = a->request;

	for (size_t c = 0; c < clusters->n; c++)
		for (size_t u = 0; u < r->names.n; u++)
			for (size_t k = 0; k < r->wckeys.n; k++)
				if (add_one_wckey(s, a, clusters->v[c],
					    r->wckeys.v[k], r->names.v[u]))
					return -1;
	return 0;
}

static int add_all(
	struct session *s, struct user_adding *a, const struct strv *clusters)
{
	a->coordinator = !is_operator(s);
	return any_failed(check_rights(s, a->admin_level) ||
			  add_records(s, a) || add_everywhere(s, a, clusters));
}

/* No association was added although user records were; names the missing
 * accounts. */
static void forget_records(struct session *s)
{
	struct effects *all = &s->effects;
	size_t kept = 0;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].kind == EFFECT_NO_ACCOUNT)
			all->v[kept++] = all->v[i];
	all->n = kept;
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	struct user_adding *a = arg;
	struct strv clusters = {0};
	bool wanted = a->request->accounts.n;

	a->added = a->wckeys_added = false;
	a->checked = 0;
	if (chosen_clusters(s, &a->request->clusters, &clusters) ||
		add_all(s, a, &clusters) ||
		((a->added || !wanted) && add_wckeys(s, a, &clusters))) {
		complain_err(s);
		return PLAN_REFUSED;
	}
	if (!a->added && !a->wckeys_added) {
		if (wanted)
			forget_records(s);
		return plan_nothing(s, VERB_ADD, ON_USER);
	}
	if (a->rows.n)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_ASSOC,
			ON_USER, .set = a->rows});
	return PLAN_CHANGED;
}

/* A user the system does not know: is that meant? */
static int check_uids(struct session *s, const struct strv *names)
{
	for (size_t i = 0; i < names->n && !s->immediate; i++) {
		if (getpwnam(names->v[i]))
			continue;
		if (!prompt(s, arena_printf(&s->arena,
				       "There is no uid for user '%s'\n"
				       "Are you sure you want to continue?",
				       names->v[i]))) {
			s->status = 1;
			return -1;
		}
	}
	return 0;
}

int user_add_command(struct session *s, struct request *r)
{
	struct user_adding a = {.request = r};
	const char *level;

	if (r->failed)
		return -1;
	a.default_account = settings_text_of(&r->set, user_attr(default_account));
	a.default_wckey = settings_text_of(&r->set, user_attr(default_wckey));
	level = settings_text_of(&r->set, user_attr(admin_level));
	a.admin_level = level ? admin_level_parse(level) : ADMIN_NOT_SET;
	a.rows = assoc_settings(s, &r->set);
	if (require_names(s, r, "user"))
		return -1;
	if (strv_has(&r->wckeys, ""))
		return complain(s, " A wckey needs a name.");
	if (!r->accounts.n && !r->wckeys.n)
		return complain(s, " Need name of account or wckey to add.");
	if (check_uids(s, &r->names))
		return -1;
	return change_run(s, plan_add, &a);
}
