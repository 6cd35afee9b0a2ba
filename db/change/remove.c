#include "db/change/remove.h"
#include "db/change/user.h"

#include <string.h>

#include "common/base/hash.h"
#include "db/job/history.h"
#include "db/usage/usage.h"

/* What is being deleted, and how it is reported. */
struct removal {
	struct request *request;
	bool users; /* delete user, not account */
	struct account_cond accounts;
	struct assoc_list rows;
};

/* Below (or the same as) one of the rows? */
static bool is_below(const struct assoc *row, const struct assoc_list *tops)
{
	for (size_t i = 0; i < tops->n; i++)
		if (!strcmp(row->cluster, tops->v[i]->cluster) &&
			!strncmp(row->lineage, tops->v[i]->lineage,
				strlen(tops->v[i]->lineage)))
			return true;
	return false;
}

/* The rows that match, and everything below accounts among them. */
static int with_sub_trees(struct session *s, const struct assoc_list *tops,
	struct assoc_list *rows)
{
	struct assoc_cond cond = {
		.without_limits = true, .with_sub_accounts = true};
	struct assoc_list all;

	*rows = *tops;
	assoc_accounts(tops, &cond.accounts, &s->arena);
	if (!cond.accounts.n)
		return 0;
	if (assoc_list(s->store, &cond, &s->arena, &all))
		return -1;
	*rows = (struct assoc_list){0};
	for (size_t i = 0; i < all.n; i++)
		if (is_below(all.v[i], tops))
			*ARENA_PUSH(&s->arena, rows->v, rows->n, rows->cap) =
				all.v[i];
	return 0;
}

/* ---- refusals ------------------------------------------------------------*/

/* What goes of a user, on one cluster or on all. */
struct leaver {
	const char *name; /* cluster (if one), newline, user */
	size_t rows, defaults;
	UT_hash_handle hh;
};

static struct leaver *find_leaver(struct session *s, struct leaver **all,
	const char *cluster, const char *user)
{
	const char *name = arena_printf(
		&s->arena, "%s\n%s", cluster, str_lower(&s->arena, user));
	struct leaver *l;

	HASH_FIND_STR(*all, name, l);
	if (l)
		return l;
	l = arena_alloc(&s->arena, sizeof(*l));
	l->name = name;
	HASH_ADD_KEYPTR(hh, *all, l->name, strlen(l->name), l);
	return l;
}

/* Has the user another association on the cluster that stays, and none of
 * these is a default? */
static int keeps_others(struct session *s, const struct assoc *row,
	const struct leaver *leaver, bool *keeps)
{
	size_t rows, defaults;

	if (assoc_count_of_user(
		    s->store, row->cluster, row->user, &rows, &defaults))
		return -1;
	*keeps = rows > leaver->rows && defaults <= leaver->defaults;
	return 0;
}

static struct leaver *count_leavers(
	struct session *s, const struct assoc_list *rows)
{
	struct leaver *all = NULL;

	for (size_t i = 0; i < rows->n; i++) {
		const struct assoc *row = rows->v[i];
		struct leaver *l = *row->user ? find_leaver(s, &all,
							row->cluster, row->user)
					      : NULL;

		if (l) {
			l->rows++;
			l->defaults += row->is_default;
		}
	}
	return all;
}

static const char default_needed[] =
	"You can not remove the default account of a user";

/* Tells of the default rows that may not go, on the first cluster that has
 * such. 1: there are some. */
static int list_defaults(
	struct session *s, const struct removal *r, struct leaver **leavers)
{
	const char *cluster = NULL;
	int any = 0;

	for (size_t i = 0; i < r->rows.n; i++) {
		const struct assoc *row = r->rows.v[i];
		bool keeps;

		if (!*row->user || !row->is_default)
			continue;
		if (cluster && strcmp(cluster, row->cluster))
			break;
		if (keeps_others(s, row,
			    find_leaver(s, leavers, row->cluster, row->user),
			    &keeps))
			return complain_err(s);
		if (!keeps)
			continue;
		if (!any)
			complain_request(s, default_needed);
		any = 1;
		cluster = row->cluster;
		complain(s, "  C = %-15s A = %-10s U = %-9s%s", row->cluster,
			row->account, row->user,
			*row->partition ? arena_printf(&s->arena, " P = %-9s",
						  row->partition)
					: "");
	}
	return any;
}

/* A default account can only go together with all other accounts. */
static int check_defaults(struct session *s, const struct removal *r)
{
	struct leaver *leavers;
	int any;

	if (s->site.dbd.allow_no_def_acct || s->done_elsewhere)
		return 0;
	leavers = count_leavers(s, &r->rows);
	any = list_defaults(s, r, &leavers);
	HASH_CLEAR(hh, leavers);
	if (any <= 0)
		return any;
	if (r->users)
		complain(s,
			" You must change the default account of these users "
			"or remove the users completely from the affected "
			"clusters to allow these changes.");
	else
		complain(s,
			" Please either remove the accounts listed above from "
			"list and resubmit,\n or change these users' default "
			"accounts to remove the account(s).");
	return complain(s, " Changes Discarded");
}

static int complain_job(
	struct session *s, const struct assoc *row, const struct job *job)
{
	const char *more = "", *qos;

	if (qos_name(s->store, job->qos, &s->arena, &qos))
		return -1;
	if (*row->partition)
		more = arena_printf(&s->arena, " P = %s", row->partition);
	if (*qos)
		more = arena_printf(&s->arena, "%s Q = %-9s", more, qos);
	if (*job->wckey)
		more = arena_printf(&s->arena, "%s W = %-9s", more, job->wckey);
	complain(s, "  JobID = %-10u C = %-10s A = %-10s U = %-9s%s", job->id,
		row->cluster, row->account, row->user, more);
	return 0;
}

int check_active_jobs(struct session *s, const struct assoc_list *rows)
{
	bool any = false;

	for (size_t i = 0; i < rows->n && !s->done_elsewhere; i++) {
		const struct assoc *row = rows->v[i];
		struct job_list jobs;

		if (jobs_open_of_assoc(
			    s->store, row->key, &s->arena, &jobs))
			return complain_err(s);
		for (size_t j = 0; j < jobs.n; j++) {
			if (!any)
				complain_request(s,
					"Job(s) active, cancel job(s) before "
					"remove");
			any = true;
			if (complain_job(s, row, &jobs.v[j]))
				return complain_err(s);
		}
	}
	return any ? -1 : 0;
}

/* Operators may; coordinators may, below what they coordinate. */
static int check_rights(struct session *s, const struct removal *r)
{
	struct strv own;

	if (is_operator(s))
		return 0;
	own = coordinated(s);
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct assoc *row = r->rows.v[i];

		if (!strv_has(&own, *row->user ? row->account
					       : row->parent_account))
			goto denied;
	}
	if (r->rows.n)
		return 0;
denied:
	return complain_denied(s);
}

/* ---- carrying it out -----------------------------------------------------*/

/* Deepest first, so that no row loses its parent. */
static int remove_rows(struct session *s, const struct assoc_list *rows)
{
	for (size_t i = rows->n; i-- > 0;) {
		const struct assoc *row = rows->v[i];

		if (row->parent_key &&
			usage_hand_up(s->store, &s->site.conf.policy, row->key,
				row->parent_key))
			return -1;
		if (assoc_remove(s->store, row))
			return -1;
	}
	return 0;
}

/* "name in('a','b')" as the log has it. */
static const char *name_in(struct session *s, const struct strv *names)
{
	return arena_printf(
		&s->arena, "name in('%s')", strv_join(names, "','", &s->arena));
}

static int log_records(struct session *s, const struct strv *names,
	enum txn_action action, const char *column)
{
	return any_failed(txn_add(s->store, TXN_REMOVE_ACCOUNT_COORDS, "",
				  arena_printf(&s->arena, "(%s='%s')", column,
					  strv_join(names, "' || ", &s->arena)),
				  "") ||
			  txn_add(s->store, action, "", name_in(s, names), ""));
}

/* ---- users ---------------------------------------------------------------*/

static int user_rows(struct session *s, const struct user_list *users,
	struct assoc_list *rows)
{
	struct assoc_cond cond = {.without_limits = true};

	*rows = (struct assoc_list){0};
	for (size_t i = 0; i < users->n; i++)
		strv_push(&cond.users, &s->arena, users->v[i].name);
	if (!cond.users.n)
		return 0;
	return assoc_list(s->store, &cond, &s->arena, rows);
}

/* `of`: what the command names. */
static int remove_user_records(struct session *s, enum effect_on of,
	const struct user_list *users, struct strv *names)
{
	for (size_t i = 0; i < users->n; i++) {
		effect(s, (struct effect){VERB_DELETE, EFFECT_DONE, ON_USER, of,
			.name = users->v[i].name});
		strv_push(names, &s->arena, users->v[i].name);
		if (wckey_remove_of(
			    s->store, users->v[i].name, &s->arena) ||
			user_remove(s->store, &users->v[i]))
			return -1;
	}
	return 0;
}

static int add_lonely(
	struct session *s, const char *name, struct user_list *lonely)
{
	struct user_cond cond = {.names = STRV_ONE(name)};
	struct user_list user;
	size_t rows, defaults;

	if (assoc_count_of_user(s->store, "", name, &rows, &defaults))
		return -1;
	if (rows)
		return 0;
	if (user_list(s->store, &cond, &s->arena, &user))
		return -1;
	if (user.n)
		*ARENA_PUSH(&s->arena, lonely->v, lonely->n, lonely->cap) =
			user.v[0];
	return 0;
}

/* Users among the rows who have no association left. */
static int remove_lonely(struct session *s, const struct assoc_list *rows)
{
	struct user_list lonely = {0};
	struct leaver *seen = NULL;
	struct strv names = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < rows->n; i++)
		if (!find_leaver(s, &seen, "", rows->v[i]->user)->rows++)
			rc = add_lonely(s, rows->v[i]->user, &lonely);
	HASH_CLEAR(hh, seen);
	if (rc || !lonely.n)
		return rc;
	if (remove_user_records(s, ON_ASSOC, &lonely, &names))
		return -1;
	return log_records(s, &names, TXN_REMOVE_USERS, "user");
}

static int select_users(
	struct session *s, struct removal *r, struct user_list *users)
{
	struct user_cond cond = user_cond_of(r->request);

	cond.with_deleted = cond.with_coordinators = false;
	if (user_list(s->store, &cond, &s->arena, users))
		return -1;
	return user_rows(s, users, &r->rows);
}

static enum plan_result plan_remove_users(struct session *s, void *arg)
{
	struct removal *r = arg;
	struct user_list users;
	struct strv names = {0};

	if (select_users(s, r, &users))
		return plan_failed(s);
	if (!users.n)
		return plan_nothing(s, VERB_DELETE, ON_USER);
	if (check_rights(s, r) || check_active_jobs(s, &r->rows))
		return PLAN_FAILED;
	if (remove_rows(s, &r->rows) ||
		remove_user_records(s, ON_USER, &users, &names) ||
		log_records(s, &names, TXN_REMOVE_USERS, "user"))
		return plan_failed(s);
	return PLAN_CHANGED;
}

/* Conditions on users besides those on associations: only rows of users who
 * meet them. 1: no user does. */
static int narrow_users(
	struct session *s, struct removal *r, struct assoc_cond *rows)
{
	const struct conds *where = &r->request->where;
	struct user_list users;

	if (!where->user.default_accounts.n && !where->user.default_wckeys.n &&
		!where->admin_level.n)
		return 0;
	if (select_users(s, r, &users))
		return -1;
	rows->users = (struct strv){0};
	for (size_t i = 0; i < users.n; i++)
		strv_push(&rows->users, &s->arena, users.v[i].name);
	return users.n ? 0 : 1;
}

/* The same of conditions on accounts. */
static int narrow_accounts(
	struct session *s, struct removal *r, struct assoc_cond *rows)
{
	const struct conds *where = &r->request->where;
	struct account_list accounts;

	if (!where->account.descriptions.n &&
		!where->account.organizations.n && !where->flags.n)
		return 0;
	if (account_list(s->store, &r->accounts, &s->arena, &accounts))
		return -1;
	rows->accounts = (struct strv){0};
	for (size_t i = 0; i < accounts.n; i++)
		strv_push(&rows->accounts, &s->arena, accounts.v[i].name);
	return accounts.n ? 0 : 1;
}

/* Rows by association conditions: those of users, or of accounts. */
static enum plan_result plan_remove_rows(struct session *s, void *arg)
{
	struct removal *r = arg;
	struct assoc_cond cond = r->request->where.assoc;
	struct assoc_list tops;
	int none = r->users ? narrow_users(s, r, &cond)
			    : narrow_accounts(s, r, &cond);

	if (none > 0)
		return plan_nothing(s, VERB_DELETE, ON_ASSOC);
	cond.without_limits = !cond.qos.n;
	if (none < 0 || assoc_list(s->store, &cond, &s->arena, &tops) ||
		with_sub_trees(s, &tops, &r->rows))
		return plan_failed(s);
	order_by_clusters(s, &r->rows, &cond.clusters);
	if (!r->rows.n)
		return plan_nothing(s, VERB_DELETE, ON_ASSOC);
	if (check_rights(s, r) || check_defaults(s, r) ||
		check_active_jobs(s, &r->rows))
		return PLAN_FAILED;
	for (size_t i = 0; i < r->rows.n; i++)
		effect_assoc(s, VERB_DELETE, EFFECT_DONE,
			r->users ? ON_USER : ON_ACCOUNT, r->rows.v[i]);
	if (remove_rows(s, &r->rows) || log_assocs(s, TXN_REMOVE_ASSOCS, &r->rows, "") ||
		(r->users && remove_lonely(s, &r->rows)))
		return plan_failed(s);
	return PLAN_CHANGED;
}

/* An entry for each cluster, in the order of the keys. */
static int log_wckeys(struct session *s, const struct wckey_list *keys)
{
	struct strv names = {0};

	for (size_t i = 0; i < keys->n; i++) {
		const char *cluster = keys->v[i].cluster;

		strv_push(&names, &s->arena, keys->v[i].name);
		if (i + 1 < keys->n && !strcmp(keys->v[i + 1].cluster, cluster))
			continue;
		if (txn_add(s->store, TXN_REMOVE_WCKEYS, cluster,
			    name_in(s, &names), ""))
			return -1;
		names = (struct strv){0};
	}
	return 0;
}

static enum plan_result plan_remove_wckeys(struct session *s, void *arg)
{
	struct removal *r = arg;
	struct wckey_cond cond = {
		.names = r->request->where.wckeys,
		.users = r->request->where.assoc.users,
		.clusters = r->request->where.assoc.clusters,
	};
	struct wckey_list keys;

	if (wckey_list(s->store, &cond, &s->arena, &keys))
		return plan_failed(s);
	if (!keys.n)
		return plan_nothing(s, VERB_DELETE, ON_WCKEY);
	if (!is_operator(s))
		return plan_denied(s);
	for (size_t i = 0; i < keys.n; i++) {
		effect(s, (struct effect){VERB_DELETE, EFFECT_DONE, ON_WCKEY,
			.name = keys.v[i].name,
			.cluster = keys.v[i].cluster,
			.user = keys.v[i].user});
		if (wckey_remove(s->store, &keys.v[i]))
			return plan_failed(s);
	}
	return log_wckeys(s, &keys) ? plan_failed(s) : PLAN_CHANGED;
}

int remove_users(struct session *s, struct request *request)
{
	struct removal r = {.request = request, .users = true};

	if (request->where.wckey_given)
		return change_run(s, plan_remove_wckeys, &r);
	request->where.assoc.only_users = true;
	if (request->where.assoc_given || request->where.assoc.clusters.n)
		return change_run(s, plan_remove_rows, &r);
	return change_run(s, plan_remove_users, &r);
}

/* ---- accounts ------------------------------------------------------------*/

static int account_rows(struct session *s, struct removal *r,
	const struct account_list *accounts)
{
	struct assoc_cond cond = {
		.without_limits = true, .users = STRV_ONE("")};
	struct assoc_list tops;

	for (size_t i = 0; i < accounts->n; i++)
		strv_push(&cond.accounts, &s->arena, accounts->v[i].name);
	if (!cond.accounts.n)
		return 0;
	if (assoc_list(s->store, &cond, &s->arena, &tops))
		return -1;
	return with_sub_trees(s, &tops, &r->rows);
}

static enum plan_result plan_remove_accounts(struct session *s, void *arg)
{
	struct removal *r = arg;
	struct account_list accounts;
	struct strv names = {0};

	if (account_list(s->store, &r->accounts, &s->arena, &accounts) ||
		account_rows(s, r, &accounts))
		return plan_failed(s);
	if (!accounts.n)
		return plan_nothing(s, VERB_DELETE, ON_ACCOUNT);
	if (!is_operator(s))
		return plan_denied(s);
	if (check_defaults(s, r) || check_active_jobs(s, &r->rows))
		return PLAN_FAILED;
	if (remove_rows(s, &r->rows))
		return plan_failed(s);
	for (size_t i = 0; i < accounts.n; i++) {
		effect_named(s, VERB_DELETE, EFFECT_DONE, ON_ACCOUNT,
			accounts.v[i].name);
		strv_push(&names, &s->arena, accounts.v[i].name);
		if (account_remove(s->store, &accounts.v[i]))
			return plan_failed(s);
	}
	return log_records(s, &names, TXN_REMOVE_ACCOUNTS, "acct")
		       ? plan_failed(s)
		       : PLAN_CHANGED;
}

int remove_accounts(struct session *s, struct request *request)
{
	struct removal r = {.request = request};

	if (account_cond_of(s, request, &r.accounts))
		return -1;
	r.accounts.with_deleted = r.accounts.with_coordinators = false;
	if (!request->where.assoc_given)
		return change_run(s, plan_remove_accounts, &r);
	return change_run(s, plan_remove_rows, &r);
}
