/*
 * `modify user`: the record, its defaults, its name, and the rows of the user
 * (Slurm's src/sacctmgr/user_functions.c,
 * src/plugins/accounting_storage/mysql/as_mysql_user.c).
 */
#include "db/change/operations.h"
#include "db/change/user.h"

#include <string.h>
#include <strings.h>


static const char *new_name_of(struct session *s, const struct settings *set)
{
	const char *name = settings_text_of(set, user_attr(new_name));

	return name ? name_case(s, NAMES_USER, name) : NULL;
}

/* The user lacks the account or wckey that is to be the default. */
static void not_associated(struct session *s, bool *any, enum effect_on what,
	const char *name, const char *user, const char *cluster)
{
	*any = true;
	effect(s, (struct effect){VERB_MODIFY, EFFECT_NO_DEFAULT, what,
		.name = name,
		.user = user,
		.cluster = cluster});
}

static int refuse(struct session *s, const char *text)
{
	complain_named(s, "%s", text);
	complain_request(s, text);
	return 1;
}

static int set_default_account(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *account)
{
	bool bad = false;

	for (size_t i = 0; i < users->n; i++)
		for (size_t c = 0; c < clusters->n; c++) {
			const char *user = users->v[i].name;
			int found =
				*account ? assoc_first_account(s->store,
						   clusters->v[c], user,
						   account, &s->arena, &account)
					 : 1;

			if (found < 0)
				return -1;
			if (found) {
				if (assoc_set_default(s->store, clusters->v[c],
					    user, account))
					return -1;
				continue;
			}
			not_associated(s, &bad, ON_ACCOUNT, account, user,
				clusters->v[c]);
		}
	return bad ? 1 : 0;
}

static int set_default_wckey(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *name)
{
	bool bad = false;

	for (size_t i = 0; i < users->n; i++)
		for (size_t c = 0; c < clusters->n; c++) {
			struct wckey_cond cond = {0};
			struct wckey_list keys;

			strv_push(&cond.users, &s->arena, users->v[i].name);
			strv_push(&cond.clusters, &s->arena, clusters->v[c]);
			strv_push(&cond.names, &s->arena, name);
			if (wckey_list(s->store, &cond, &s->arena, &keys))
				return -1;
			if (keys.n) {
				if (wckey_make_default(s->store, &keys.v[0]))
					return -1;
				continue;
			}
			not_associated(s, &bad, ON_WCKEY, name, users->v[i].name,
				clusters->v[c]);
		}
	return bad ? 1 : 0;
}

/* Both are checked, even if the first fails. NULL: not given. */
static int set_defaults(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *account, const char *wckey)
{
	int of_account = 0, of_wckey = 0;

	if (account)
		of_account = set_default_account(s, users, clusters, account);
	if (wckey && of_account >= 0)
		of_wckey = set_default_wckey(s, users, clusters, wckey);
	return of_account < 0 || of_wckey < 0 ? -1 : of_account | of_wckey;
}

static int set_name(
	struct session *s, const struct user_list *users, const char *new_name)
{
	int exists;

	if (users->n > 1) {
		refuse(s, "Can only change one at a time");
		complain(s, " If you are changing a users name you can only "
			    "specify 1 user at a time.");
		return 1;
	}
	if (check_new_name(s, new_name))
		return -1;
	/* Another spelling of the same name; look-ups ignore case. */
	exists = !strcasecmp(users->v[0].name, new_name) &&
				 strcmp(users->v[0].name, new_name) != 0
			 ? 0
			 : user_exists(s->store, new_name);
	if (exists < 0)
		return -1;
	if (exists) {
		complain_named(s, "Something was wrong with your query");
		complain_request(s, "Unspecified error");
		return 1;
	}
	return user_rename(s->store, users->v[0].name, new_name);
}

static int set_admin_level(
	struct session *s, const struct user_list *users, uint32_t level)
{
	if (!is_administrator(s)) {
		complain_named(s, "You must be a super user to modify a users admin "
			  "level");
		complain_request(s, "Access/permission denied");
		return 1;
	}
	s->level = 0;
	for (size_t i = 0; i < users->n; i++)
		if (user_set_admin_level(s->store, users->v[i].name, level))
			return -1;
	return 0;
}

/* The user's own defaults are everybody's to change. */
static bool only_own_defaults(struct session *s, const struct user_list *users,
	const struct settings *set)
{
	return users->n == 1 &&
	       !strcasecmp(users->v[0].name, s->site.caller.name) &&
	       !settings_find(set, user_attr(admin_level)) &&
	       !settings_find(set, user_attr(new_name));
}

static int check_modify(struct session *s, const struct user_list *users,
	const struct settings *set)
{
	if (is_operator(s) || only_own_defaults(s, users, set))
		return 0;
	if (users->n == 1 &&
		!strcasecmp(users->v[0].name, s->site.caller.name)) {
		complain_named(s, "You can only change your own default account, "
			  "default wckey nothing else");
		complain_request(s, "Access/permission denied");
		return 1;
	}
	complain_denied(s);
	return 1;
}

static const char *record_info(
	struct session *s, const struct settings *set, uint32_t level)
{
	const char *name = new_name_of(s, set);

	if (name)
		return arena_printf(&s->arena, "name='%s'", name);
	return level ? arena_printf(&s->arena, "admin_level=%u", level) : "";
}

/* A default account is a matter of associations: an entry for each cluster. */
static int log_default_account(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *account)
{
	struct assoc_cond cond = {.without_limits = true,
		.only_users = true,
		.clusters = *clusters,
		.accounts = STRV_ONE(account)};
	struct assoc_list rows;

	for (size_t i = 0; i < users->n; i++)
		strv_push(&cond.users, &s->arena, users->v[i].name);
	if (assoc_list(s->store, &cond, &s->arena, &rows))
		return -1;
	return log_assocs(s, TXN_MODIFY_ASSOCS, &rows, "is_def=1");
}

static int log_modified(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *account, const char *info)
{
	struct strv names = {0};

	if (account && *account &&
		log_default_account(s, users, clusters, account))
		return -1;
	if (account && !*info)
		return 0;
	for (size_t i = 0; i < users->n; i++)
		strv_push(&names, &s->arena, users->v[i].name);
	return txn_add(
		s->store, TXN_MODIFY_USERS, "", names_where(s, &names), info);
}

/* All record settings, in order. 0: done, 1: refused with messages, -1. */
static int modify_users(struct session *s, const struct user_list *users,
	const struct strv *clusters, const struct settings *set)
{
	const char *text = settings_text_of(set, user_attr(admin_level));
	const char *account = settings_text_of(set, user_attr(default_account));
	const char *wckey = settings_text_of(set, user_attr(default_wckey));
	const char *name = new_name_of(s, set);
	uint32_t level = text ? admin_level_parse(text) : ADMIN_NOT_SET;
	int rc;

	if (account && !*account && !s->site.dbd.allow_no_def_acct)
		return refuse(
			s, "You can not remove the default account of a user");
	rc = set_defaults(s, users, clusters, account, wckey);
	if (!rc && level)
		rc = set_admin_level(s, users, level);
	if (!rc && name)
		rc = set_name(s, users, name);
	if (rc)
		return rc;
	for (size_t i = 0; i < users->n; i++)
		effect_named(s, VERB_MODIFY, EFFECT_DONE, ON_USER,
			users->v[i].name);
	return log_modified(
		s, users, clusters, account, record_info(s, set, level));
}

int op_modify_user(struct session *s, const char *cluster, const char *user,
	const struct settings *set)
{
	struct user one = {.name = user};
	const struct user_list users = {.v = &one, .n = 1};
	struct strv clusters = {0};

	effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_USER, NULL);
	strv_push(&clusters, &s->arena, cluster);
	return check_modify(s, &users, set)
		       ? 1
		       : modify_users(s, &users, &clusters, set);
}

/* A cluster alone says where defaults change, not of whom. */
static bool chooses_users(const struct user_cond *cond)
{
	return cond->names.n || cond->admin_level || cond->default_accounts.n ||
	       cond->default_wckeys.n;
}

static enum plan_result plan_record(struct session *s, void *arg)
{
	struct request *r = arg;
	struct user_cond cond = user_cond_of(r);
	struct user_list users;
	struct strv clusters = {0};
	int rc;

	effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_USER, NULL);
	if (user_list(s->store, &cond, &s->arena, &users))
		return plan_failed(s);
	if (!users.n || !chooses_users(&cond)) {
		effect_named(s, VERB_MODIFY, EFFECT_NOTHING, ON_USER, NULL);
		return PLAN_UNCHANGED;
	}
	rc = check_modify(s, &users, &r->set);
	if (!rc)
		rc = chosen_clusters(s, &r->where.assoc.clusters, &clusters);
	if (!rc)
		rc = modify_users(s, &users, &clusters, &r->set);
	if (rc < 0)
		complain_err(s);
	return rc ? PLAN_FAILED : PLAN_CHANGED;
}

/* Accounts= beside a setting of the user itself: perhaps DefaultAccount= was
 * meant. */
static void ask_default_accounts(struct session *s, struct request *r)
{
	if (!r->where.assoc.accounts.n)
		return;
	if (!prompt(s, " You specified Accounts in your request.  Did you "
		       "mean DefaultAccounts?\n"))
		return;
	if (!r->where.assoc.users.n) /* names say enough */
		r->where.user.default_accounts = r->where.assoc.accounts;
	r->where.assoc.accounts = (struct strv){0};
}

int user_modify_command(struct session *s, struct request *r)
{
	const struct setting *usage;
	struct request of_rows;
	struct change changes[2];
	size_t count = 0;
	bool records;

	if (r->failed || user_refuse_wckeys(s, r))
		return -1;
	if (require_set(s, r))
		return -1;
	if (user_check_level(s, &r->set))
		return complain_err(s);
	if (!r->where.record_given && !r->where.assoc_given &&
		!confirm_all(s, FROM_USERS))
		return 0;
	usage = settings_find(&r->set, user_attr(raw_usage));
	if (usage)
		return modify_raw_usage(s, r, usage->real);
	of_rows = *r;
	of_rows.set = assoc_settings(s, &r->set);
	records = r->set.n > of_rows.set.n;
	if (check_where(s, &r->where, &r->where.assoc.users, records,
		    of_rows.set.n))
		return -1;
	if (records) {
		ask_default_accounts(s, r);
		of_rows.where = r->where;
		changes[count++] = (struct change){plan_record, r};
	}
	of_rows.where.assoc.only_users = true;
	if (of_rows.set.n)
		changes[count++] = modify_assocs(s, &of_rows, ON_USER);
	return changes_run(s, changes, count);
}
