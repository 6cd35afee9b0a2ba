/*
 * `add user`: records, a row for every cluster, account and partition, wckeys
 * (spec/sacctmgr.md 5.3).
 */
#include "db/change/user.h"
#include "common/base/memory.h"
#include "db/entity/lease.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>


struct adding {
	struct request *request;
	struct settings rows; /* the part for associations */
	const char *default_account, *default_wckey;
	uint32_t admin_level;
	FILE *lines;
	int64_t checked; /* the account whose default QOS is in its list */
	bool any_line, added, wckeys_added, coordinator;
	bool default_added; /* of the user and account at hand */
};

static int add_records(struct session *s, struct adding *a)
{
	struct strv *names = &a->request->names;
	bool any = false;

	for (size_t i = 0; i < names->n; i++) {
		/* Who is there keeps the spelling, whatever was typed. */
		int exists = user_spelling(
			s->store, names->v[i], &s->arena, &names->v[i]);

		if (exists < 0)
			return -1;
		if (exists)
			continue;
		if (user_check_level(s, &a->request->set))
			return -1;
		if (!any)
			fputs(" Adding User(s)\n", s->out);
		any = true;
		fprintf(s->out, "  %s\n", names->v[i]);
		if (user_add(s->store, names->v[i], a->admin_level) ||
			txn_add(s->store, TXN_ADD_USERS, "", names->v[i],
				arena_printf(&s->arena, "admin_level=%u",
					a->admin_level ? a->admin_level : 1)))
			return -1;
	}
	if (!any)
		return 0;
	fputs(" Settings\n", s->out);
	if (a->default_account)
		fprintf(s->out, "  Default Account = %s\n", a->default_account);
	if (a->default_wckey)
		fprintf(s->out, "  Default WCKey   = %s\n", a->default_wckey);
	if (a->admin_level)
		fprintf(s->out, "  Admin Level     = %s\n",
			admin_level_text(a->admin_level));
	return 0;
}

/* Is the new row the user's default on the cluster? Of several rows added for
 * one account (one a partition) the first becomes it; to add more later with
 * that DefaultAccount makes another. */
static int becomes_default(struct session *s, const struct adding *a,
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

/* The default QOS, given or come down the tree, must be one of those the row
 * may use. Rows that only inherit are all alike: the account's is looked at. */
static int check_default_qos(struct session *s, const struct assoc *row)
{
	static const char reason[] =
		"This request would make it so some associations would not "
		"have access to their default qos.";
	struct assoc_cond cond = {0};
	struct assoc_list list;

	strv_push(&cond.clusters, &s->arena, row->cluster);
	strv_push(&cond.accounts, &s->arena, row->account);
	strv_push(&cond.users, &s->arena, row->user);
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i]->key == row->key && *list.v[i]->def_qos &&
			!assoc_has_qos(list.v[i], list.v[i]->def_qos_id))
			return err_set(&s->err, ERR_USAGE,
				" error: Problem adding user associations: "
				"%s (%s)",
				reason, reason);
	return 0;
}

static bool has_own_qos(const struct adding *a)
{
	return settings_find(&a->rows, assoc_attr(def_qos_id)) ||
	       settings_find(&a->rows, assoc_attr(own_qos));
}

static int add_row(struct session *s, struct adding *a,
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
	struct assoc row, *known;
	int found = assoc_find(s->store, parent->cluster, parent->account, user,
		partition, &s->arena, &known);
	int64_t key;

	if (found)
		return found < 0 ? -1 : 0;
	if (becomes_default(s, a, parent->cluster, parent->account, user,
		    &new.is_default))
		return -1;
	key = assoc_add(s->store, &new, &s->arena);
	if (key < 0 || lease_note(s->store, LEASE_ASSOC_ROW, key, NULL, ""))
		return -1;
	a->default_added |= new.is_default;
	assoc_init(&row);
	row.key = key;
	row.cluster = parent->cluster;
	row.account = parent->account;
	row.user = user;
	row.partition = partition;
	a->added = true;
	report_new_assoc(s, &row, a->lines, &a->any_line);
	if ((has_own_qos(a) || a->checked != parent->key) &&
		check_default_qos(s, has_own_qos(a) ? &row : parent))
		return -1;
	a->checked = parent->key;
	return new.is_default ? assoc_take_default(s->store, parent->cluster,
					user, parent->account)
			      : 0;
}

static int add_user_rows(struct session *s, struct adding *a,
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

static int check_account(struct session *s, const struct adding *a,
	const char *cluster, const char *account)
{
	if (is_operator(s) || (is_coordinator(s, account) &&
				      may_give_qos(s, cluster, account, &a->rows)))
		return 0;
	return err_set(&s->err, ERR_DENIED,
		" error: Problem adding user associations: Access/permission "
		"denied (Your user doesn't have privilege to perform this "
		"action\n)");
}

static int add_on_account(struct session *s, struct adding *a,
	const char *cluster, const char *account)
{
	struct assoc *parent;
	int found = assoc_find(
		s->store, cluster, account, "", "", &s->arena, &parent);

	if (found < 0)
		return -1;
	if (!found) {
		fprintf(a->lines, "No account %s on cluster %s, skipping.\n",
			account, cluster);
		a->any_line = true;
		return 0;
	}
	if (check_account(s, a, cluster, account))
		return -1;
	for (size_t i = 0; i < a->request->names.n; i++)
		if (add_user_rows(s, a, parent, a->request->names.v[i]))
			return -1;
	return 0;
}

/* Where the default account asked for is none, the first one of the user is
 * the default: nobody stays without. */
static int give_defaults(
	struct session *s, const struct adding *a, const char *cluster)
{
	const struct strv *names = &a->request->names;

	if (!a->default_account || s->site.dbd.allow_no_def_acct)
		return 0;
	for (size_t i = 0; i < names->n; i++) {
		const char *account;

		if (user_default_account(s->store, cluster, names->v[i],
			    &s->arena, &account))
			return -1;
		if (!*account &&
			(assoc_first_account(s->store, cluster, names->v[i], "",
				 &s->arena, &account) < 0 ||
				(*account &&
					assoc_set_default(s->store, cluster,
						names->v[i], account))))
			return -1;
	}
	return 0;
}

static int add_everywhere(
	struct session *s, struct adding *a, const struct strv *clusters)
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

/* The first key of a user on a cluster becomes the default. */
static int add_one_wckey(struct session *s, struct adding *a,
	const char *cluster, const char *key, const char *user)
{
	struct wckey_cond cond = {0};
	struct wckey_list known;
	bool is_default = a->default_wckey && !strcmp(a->default_wckey, key);
	int added;

	strv_push(&cond.users, &s->arena, user);
	strv_push(&cond.clusters, &s->arena, cluster);
	if (wckey_list(s->store, &cond, &s->arena, &known))
		return -1;
	if (!known.n && !a->default_wckey)
		is_default = true;
	added = wckey_add(s->store, cluster, key, user, is_default);
	if (added <= 0)
		return added;
	if (!a->wckeys_added)
		fputs(" Wckey(s)\n", s->out);
	a->wckeys_added = true;
	fprintf(s->out, "  C = %-10.10s W = %-10.10s U = %-9.9s\n", cluster,
		key, user);
	return txn_add(s->store, TXN_ADD_WCKEYS, cluster,
		arena_printf(&s->arena, "wckey='%s'", key),
		arena_printf(&s->arena, "user='%s'", user));
}

static int add_wckeys(
	struct session *s, struct adding *a, const struct strv *clusters)
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

static int check_rights(struct session *s, struct adding *a)
{
	if (is_operator(s))
		return 0;
	a->coordinator = true;
	if (a->admin_level > ADMIN_NONE)
		return err_set(&s->err, ERR_DENIED,
			" error: Problem adding user associations: "
			"Access/permission denied (Only admins/operators can "
			"add an admin/operator)");
	if (!is_any_coordinator(s))
		return err_set(&s->err, ERR_DENIED,
			" error: Problem adding user associations: "
			"Access/permission denied (Only "
			"admins/operators/coordinators can add accounts)");
	return 0;
}

static int add_all(struct session *s, struct adding *a)
{
	struct strv clusters = {0};

	return check_rights(s, a) ||
			       chosen_clusters(
				       s, &a->request->clusters, &clusters) ||
			       add_records(s, a) ||
			       add_everywhere(s, a, &clusters)
		       ? -1
		       : 0;
}

/* Runs `add_all` with the two parts of its report kept: what it says of
 * records, and of associations. */
static int add_quietly(
	struct session *s, struct adding *a, char **records, char **lines)
{
	struct held held;
	size_t size;
	int rc;

	a->added = a->any_line = a->wckeys_added = false;
	a->checked = 0;
	report_hold(s, &held);
	a->lines = memory_stream(lines, &size);
	rc = add_all(s, a);
	fclose(a->lines);
	*records = report_text(s, &held);
	return rc;
}

/* Nothing new: the records that were added for nothing are forgotten. */
static enum plan_result nothing_added(struct session *s, const char *lines)
{
	fprintf(s->out,
		"%sNothing added.\nMake sure the accounts requested here have "
		"been added to the system/cluster. (sacctmgr add "
		"account...)\n",
		*lines ? lines : "Request didn't affect anything\n");
	return PLAN_FAILED;
}

/* The rest of an add whose associations are in. */
static enum plan_result finish_add(struct session *s, struct adding *a,
	const char *records, const char *lines)
{
	struct strv clusters = {0};

	fprintf(s->out, "%s%s", records, lines);
	if (chosen_clusters(s, &a->request->clusters, &clusters) ||
		add_wckeys(s, a, &clusters)) {
		complain_err(s);
		return PLAN_REFUSED;
	}
	if (!a->added && !a->wckeys_added)
		return nothing_added(s, "");
	if (a->rows.n) {
		fputs(" Non Default Settings\n", s->out);
		echo_settings(s, &assoc_members, &a->rows);
	}
	return PLAN_CHANGED;
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	struct adding *a = arg;
	char *records = NULL, *lines = NULL;
	enum plan_result result;

	if (add_quietly(s, a, &records, &lines)) {
		complain_err(s);
		result = PLAN_REFUSED;
	} else if (!a->added && a->request->accounts.n) {
		result = nothing_added(s, lines);
	} else {
		result = finish_add(s, a, records, lines);
	}
	free(records);
	free(lines);
	return result;
}

/* A user the system does not know: is that meant? */
static int check_uids(struct session *s, const struct strv *names)
{
	for (size_t i = 0; i < names->n && !s->opt.immediate; i++) {
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

int user_add_command(struct session *s, char **words, int n)
{
	struct request r;
	struct adding a = {.request = &r};
	const char *level;

	parse_words(s, &user_add_vocabulary, PARSE_SET, false, words, n, &r);
	if (r.failed)
		return -1;
	a.default_account = user_text_of(&r.set, user_attr(default_account));
	a.default_wckey = user_text_of(&r.set, user_attr(default_wckey));
	level = user_text_of(&r.set, user_attr(admin_level));
	a.admin_level = level ? admin_level_parse(level) : ADMIN_NOT_SET;
	a.rows = assoc_settings(s, &r.set);
	if (a.default_account && !strv_has(&r.accounts, a.default_account))
		strv_push(&r.accounts, &s->arena, a.default_account);
	if (a.default_wckey && !strv_has(&r.wckeys, a.default_wckey))
		strv_push(&r.wckeys, &s->arena, a.default_wckey);
	if (!r.names.n || strv_has(&r.names, "")) {
		complain(s, " Need name of user to add.");
		return -1;
	}
	if (strv_has(&r.wckeys, "")) {
		complain(s, " A wckey needs a name.");
		return -1;
	}
	if (!r.accounts.n && !r.wckeys.n) {
		complain(s, " Need name of account or wckey to add.");
		return -1;
	}
	if (check_uids(s, &r.names))
		return -1;
	return change_run(s, plan_add, &a);
}
