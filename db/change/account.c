/*
 * Accounts: add, show, modify, delete (Slurm's
 * src/sacctmgr/account_functions.c,
 * src/plugins/accounting_storage/mysql/as_mysql_acct.c).
 */
#include "db/change/operations.h"

#include <string.h>
#include <strings.h>

#include "db/change/remove.h"
#include "common/base/numbers.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"Names:1 Accounts:1 Acct:4", WHERE_LIST, COND(assoc.accounts), GROUP_RECORD, "account names", FROM_ACCOUNTS},
	{"Descriptions:1", WHERE_LIST, COND(account.descriptions), GROUP_RECORD, "exact descriptions", FROM_NOTHING},
	{"Flags:2", WHERE_LIST_CASE, COND(flags), GROUP_RECORD, "UsersAreCoords, NoUsersAreCoords", FROM_NOTHING},
	{"Format:2", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Organizations:1", WHERE_LIST, COND(account.organizations), GROUP_RECORD, "exact organizations", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct add_word name_words[] = {
	{"Accounts:1 Names:1 Acct:4", offsetof(struct request, names), FROM_NOTHING},
	{"Clusters:1", offsetof(struct request, clusters), FROM_CLUSTERS},
	{NULL, 0, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {
	.where = {record_where_words, where_words, assoc_where_words},
	.bare = COND(assoc.accounts),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.set = {&account_members, &assoc_members},
	.bare_set_is_name = true,
	.name_words = name_words,
	.leases = true,
};

/* ---- add -----------------------------------------------------------------*/

static int denied(struct session *s)
{
	return err_set(&s->err, ERR_DENIED,
		" error: Your user doesn't have privilege to perform this "
		"action\n");
}

/* May the caller add accounts below that one? */
static int check_parent(struct session *s, const char *parent)
{
	struct strv accounts;

	if (is_operator(s))
		return 0;
	accounts = coordinated(s);
	if (!accounts.n)
		return err_set(&s->err, ERR_DENIED,
			" error: Only admins/operators/coordinators can add "
			"accounts");
	return strv_has(&accounts, parent) ? 0 : denied(s);
}

/* And give it these QOS? */
static int check_qos(struct session *s, const char *cluster, const char *name,
	const struct settings *set)
{
	return is_operator(s) || may_give_qos(s, cluster, name, set)
		       ? 0
		       : denied(s);
}

int64_t op_add_account_row(struct session *s, const struct assoc_new *new)
{
	int64_t key;

	if (check_parent(s, new->parent->account) ||
		check_qos(s, new->cluster_name, new->account, new->settings))
		return -1;
	key = assoc_add(s->store, new);
	if (key < 0)
		return -1;
	/* Its default QOS is looked at when a user is added to it. */
	effect_new_assoc(s, ON_ACCOUNT, new);
	return key;
}

int op_add_account(struct session *s, const char *name, const char *parent,
	const struct settings *set)
{
	const char *description =
		settings_text_of(set, account_attr(description));
	const char *organization =
		settings_text_of(set, account_attr(organization));
	const struct setting *typed = settings_find(set, account_attr(flags));
	uint32_t flags = typed ? typed->number : 0;

	if (check_parent(s, parent))
		return -1;
	if (!description)
		description = name;
	if (!organization)
		organization = strcmp(parent, "root") ? parent : name;
	effect_named(s, VERB_ADD, EFFECT_DONE, ON_ACCOUNT, name);
	if (account_add(s->store, name, description, organization, flags))
		return -1;
	return txn_add(s->store, TXN_ADD_ACCOUNTS, "", name,
		arena_printf(&s->arena,
			"description='%s', organization='%s', flags='%u'",
			description, organization, flags));
}

/* Records of names that have none yet. 1: there were some. */
static int add_records(
	struct session *s, const struct request *r, const char *parent)
{
	int any = 0;

	for (size_t i = 0; i < r->names.n; i++) {
		int exists = account_exists(s->store, r->names.v[i]);

		if (exists < 0)
			return -1;
		if (exists)
			continue;
		any = 1;
		if (op_add_account(s, r->names.v[i], parent, &r->set))
			return -1;
	}
	if (any)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_ACCOUNT,
			.set = r->set});
	return any;
}

static int no_parent(struct session *s, const char *parent, const char *cluster)
{
	if (strcmp(parent, "root"))
		return err_set(&s->err, ERR_USAGE,
			" error: No parent account '%s' on cluster '%s'",
			parent, cluster);
	return err_set(&s->err, ERR_USAGE,
		" error: Cluster '%s' has not been added yet, please contact "
		"your admin before adding accounts to it",
		cluster);
}

struct account_adding {
	struct request *request;
	struct settings rows; /* the part for associations */
	const char *parent;
	bool added; /* an association was new */
};

static int add_row(struct session *s, struct account_adding *a,
	const char *cluster, const char *name, const struct assoc *parent)
{
	struct assoc_new new = {
		.cluster = cluster_key(s->store, cluster),
		.cluster_name = cluster,
		.account = name,
		.user = "",
		.partition = "",
		.parent = parent,
		.settings = &a->rows,
	};
	struct assoc *known;
	int found =
		assoc_find(s->store, cluster, name, "", "", &s->arena, &known);

	if (found < 0)
		return -1;
	if (found) {
		effect_assoc(s, VERB_ADD, EFFECT_EXISTS, ON_ACCOUNT, known);
		return 0;
	}
	a->added = true;
	return op_add_account_row(s, &new) < 0 ? -1 : 0;
}

static int add_on_cluster(
	struct session *s, struct account_adding *a, const char *cluster)
{
	struct assoc *parent;
	int found = assoc_find(
		s->store, cluster, a->parent, "", "", &s->arena, &parent);

	if (found < 0)
		return -1;
	if (!found)
		return no_parent(s, a->parent, cluster);
	for (size_t i = 0; i < a->request->names.n; i++) {
		const char *name = a->request->names.v[i];

		if (check_qos(s, cluster, name, &a->rows) ||
			add_row(s, a, cluster, name, parent))
			return -1;
	}
	return 0;
}

static int add_everywhere(struct session *s, struct account_adding *a)
{
	struct strv clusters = {0};

	if (chosen_clusters(s, &a->request->clusters, &clusters))
		return -1;
	for (size_t i = 0; i < clusters.n; i++)
		if (add_on_cluster(s, a, clusters.v[i]))
			return -1;
	return 0;
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	struct account_adding *a = arg;
	int records;

	if (check_parent(s, a->parent))
		return plan_failed(s);
	a->added = false;
	records = add_records(s, a->request, a->parent);
	if (records < 0 || add_everywhere(s, a)) {
		complain_err(s);
		return PLAN_REFUSED;
	}
	if (!records && !a->added)
		return PLAN_FAILED;
	if (a->request->set_given)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_ASSOC,
			.of = ON_ACCOUNT,
			.set = a->rows});
	return PLAN_CHANGED;
}

static int add(struct session *s, struct request *r)
{
	struct account_adding a = {.request = r};

	if (r->failed)
		return -1;
	if (!r->names.n)
		return complain(s, " Need name of account to add.");
	if (strv_has(&r->names, ""))
		return complain(s, " error: Something was wrong with your query");
	a.rows = assoc_settings(s, &r->set);
	a.parent = settings_text_of(&r->set, assoc_attr(parent_account));
	if (!a.parent)
		a.parent = "root";
	return change_run(s, plan_add, &a);
}

static int flag_bits(
	struct session *s, const struct strv *words, uint32_t *bits)
{
	*bits = 0;
	for (size_t i = 0; i < words->n; i++) {
		const struct flag_word *f = account_flag_words;

		while (f->names && strcasecmp(words->v[i],
					   flags_text(f, f->value, &s->arena)))
			f++;
		if (!f->names)
			return complain(s, " Unknown Flag(s)=%s", words->v[i]);
		*bits |= f->value;
	}
	return 0;
}

int account_cond_of(
	struct session *s, const struct request *r, struct account_cond *cond)
{
	*cond = r->where.account;
	cond->names = r->where.assoc.accounts;
	cond->with_deleted = r->where.with_deleted;
	cond->with_coordinators = r->where.with_coordinators;
	return flag_bits(s, &r->where.flags, &cond->flags);
}

/* ---- modify --------------------------------------------------------------*/

int op_modify_accounts(struct session *s, const struct account_list *accounts,
	const struct settings *set)
{
	struct strv names = {0};

	if (!is_operator(s))
		return complain_denied(s);
	for (size_t i = 0; i < accounts->n; i++) {
		const struct account *account = &accounts->v[i];

		effect_named(s, VERB_MODIFY, EFFECT_DONE, ON_ACCOUNT,
			account->name);
		strv_push(&names, &s->arena, account->name);
		if (account_update(s->store, account, set))
			return -1;
	}
	return txn_add(s->store, TXN_MODIFY_ACCOUNTS, "",
		names_where(s, &names), settings_text(set, &s->arena));
}

/* Accounts that have an association such as is asked for, with their names. */
static int having_rows(
	struct session *s, const struct assoc_cond *rows, struct strv *names)
{
	struct assoc_cond cond = *rows;
	struct assoc_list list;

	cond.without_limits = true;
	*names = (struct strv){0};
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		strv_push(names, &s->arena, list.v[i]->account);
	return 0;
}

static enum plan_result plan_records(struct session *s, void *arg)
{
	struct request *r = arg;
	struct account_cond cond;
	struct account_list accounts = {0};

	effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_ACCOUNT, NULL);
	if (!is_operator(s))
		return plan_denied(s);
	if (account_cond_of(s, r, &cond))
		return PLAN_FAILED;
	if (r->where.assoc_given &&
		having_rows(s, &r->where.assoc, &cond.names))
		return plan_failed(s);
	if ((cond.names.n || !r->where.assoc_given) &&
		account_list(s->store, &cond, &s->arena, &accounts))
		return plan_failed(s);
	if (!accounts.n) {
		effect_named(s, VERB_MODIFY, EFFECT_NOTHING, ON_ACCOUNT, NULL);
		return PLAN_UNCHANGED;
	}
	if (op_modify_accounts(s, &accounts, &r->set))
		return plan_failed(s);
	return PLAN_CHANGED;
}

static int modify(struct session *s, struct request *r)
{
	const struct setting *usage;
	struct request of_rows;
	struct change changes[2];
	size_t count = 0;
	bool records;

	if (r->failed)
		return -1;
	if (require_set(s, r))
		return -1;
	if (!r->where.record_given && !r->where.assoc_given &&
		!confirm_all(s, FROM_ACCOUNTS))
		return 0;
	r->where.assoc.only_accounts = !r->where.assoc.users.n;
	usage = settings_find(&r->set, account_attr(raw_usage));
	if (usage)
		return modify_raw_usage(s, r, usage->real);
	of_rows = *r;
	of_rows.set = assoc_settings(s, &r->set);
	records = r->set.n > of_rows.set.n;
	if (check_where(s, &r->where, &r->where.assoc.accounts, records,
		    of_rows.set.n))
		return -1;
	if (records)
		changes[count++] = (struct change){plan_records, r};
	if (of_rows.set.n)
		changes[count++] = modify_assocs(s, &of_rows, ON_ACCOUNT);
	return changes_run(s, changes, count);
}

/* ---- delete --------------------------------------------------------------*/

static int erase(struct session *s, struct request *r)
{
	if (!r->where.record_given && !r->where.assoc_given)
		return refuse_all(s);
	if (r->failed)
		return -1;
	if (strv_has(&r->where.assoc.accounts, "root")) {
		complain(s, " You are not allowed to remove the root account.");
		return complain(s, " Use remove cluster instead.");
	}
	return remove_accounts(s, r);
}

const struct changeable account_changes = {
	.names = {[VERB_ADD] = "Account:1 Acct:4",
		[VERB_MODIFY] = "Accounts:1 Acct:4",
		[VERB_DELETE] = "Accounts:1 Acct:4"},
	.words = &vocabulary,
	.run = {[VERB_ADD] = add,
		[VERB_MODIFY] = modify,
		[VERB_DELETE] = erase},
};
