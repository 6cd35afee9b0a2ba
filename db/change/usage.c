/*
 * RawUsage= of associations and QOS : for associations Slurm takes only 0, here
 * any number, to carry usage over from another system.
 */
#include "db/change/change.h"

#include "db/usage/usage.h"

struct reset {
	const struct strv *clusters, *accounts, *users;
	double value;
};

static int missing(struct session *s, const struct reset *r,
	const char *cluster, const char *account, const char *user)
{
	(void)r;
	if (cluster_key(s->store, cluster) == 0)
		return err_set(&s->err, ERR_USAGE,
			"Failed to find cluster %s in database", cluster);
	return err_set(&s->err, ERR_USAGE,
		"Failed to find cluster %s account %s%s%s association in "
		"database",
		cluster, account, *user ? " user " : "", user);
}

/* Zero takes the whole sub-tree; a number is the row's own. */
static int set_one(struct session *s, const struct reset *r,
	const char *cluster, const char *account, const char *user)
{
	const struct policy *policy = &s->site.conf.policy;
	struct assoc_cond cond = {.without_limits = true,
		.with_sub_accounts = !*user && r->value == 0,
		.clusters = STRV_ONE(cluster),
		.accounts = STRV_ONE(account)};
	struct assoc_list rows;
	int64_t *keys;

	if (*user || r->value != 0)
		strv_push(&cond.users, &s->arena, user);
	if (assoc_list(s->store, &cond, &s->arena, &rows))
		return -1;
	if (!rows.n)
		return missing(s, r, cluster, account, user);
	if (r->value != 0)
		return usage_set_raw(
			s->store, policy, rows.v[0]->key, r->value);
	keys = arena_array(&s->arena, rows.n, sizeof(*keys));
	for (size_t i = 0; i < rows.n; i++)
		keys[i] = rows.v[i]->key;
	return usage_reset(s->store, policy, keys, rows.n);
}

static bool may_set(struct session *s)
{
	if (is_operator(s))
		return true;
	complain_denied(s);
	return false;
}

static enum plan_result plan_usage(struct session *s, void *arg)
{
	const struct reset *r = arg;

	if (!may_set(s))
		return PLAN_FAILED;
	for (size_t c = 0; c < r->clusters->n; c++)
		for (size_t a = 0; a < r->accounts->n; a++)
			for (size_t u = 0; u < r->users->n; u++)
				if (set_one(s, r, r->clusters->v[c],
					    r->accounts->v[a],
					    r->users->v[u]))
					return plan_failed(s);
	return PLAN_CHANGED;
}

/* One cluster at least: the local one, and it is said. */
static void local_cluster(struct session *s, struct strv *clusters)
{
	if (clusters->n)
		return;
	effect_named(
		s, VERB_MODIFY, EFFECT_LOCAL, ON_CLUSTER, s->site.cluster);
	strv_push(clusters, &s->arena, s->site.cluster);
}

/* The question differs from that of other changes. */
static int ask_and_run(struct session *s, const char *question,
	enum plan_result (*plan)(struct session *, void *), void *arg)
{
	bool immediate = s->immediate;
	int rc;

	if (!prompt(s, question)) {
		effect(s, (struct effect){.kind = EFFECT_DISCARDED});
		return 0;
	}
	s->immediate = true;
	rc = change_run(s, plan, arg);
	s->immediate = immediate;
	return rc;
}

/* It cannot be combined with other changes. */
static int check_alone(struct session *s, const struct request *r)
{
	if (r->set.n == 1)
		return 0;
	return complain(s, " RawUsage can't be set together with anything else");
}

int modify_raw_usage(
	struct session *s, const struct request *request, double value)
{
	struct strv clusters = request->where.assoc.clusters;
	struct strv users = request->where.assoc.users;
	struct reset r = {.clusters = &clusters,
		.accounts = &request->where.assoc.accounts,
		.users = &users,
		.value = value};

	if (!r.accounts->n) {
		complain_named(s, "%s",
			users.n ? "An account must be specified"
				: "An association name is required to remove "
				  "usage");
		s->status = 1;
		return -1;
	}
	if (check_alone(s, request))
		return -1;
	local_cluster(s, &clusters);
	if (!users.n)
		strv_push(&users, &s->arena, "");
	return ask_and_run(s, "Would you like to reset usage?", plan_usage, &r);
}

/* ---- QOS -----------------------------------------------------------------*/

struct qos_usage {
	const struct request *request;
	double value;
};

/* Those that were named, all of them. */
static int find_qos(
	struct session *s, const struct qos_cond *cond, struct qos_list *list)
{
	const struct strv *names = &cond->names;
	const char *missing;

	if (qos_list(s->store, cond, &s->arena, list))
		return -1;
	missing = list->n ? NULL : "";
	for (size_t i = 0; i < names->n && (!missing || !*missing); i++)
		if (!qos_by_name(&s->store->qos, names->v[i]))
			missing = names->v[i];
	return missing ? err_set(&s->err, ERR_USAGE, "Failed to find QOS %s",
				 missing)
		       : 0;
}

static enum plan_result plan_qos_usage(struct session *s, void *arg)
{
	const struct qos_usage *u = arg;
	struct qos_cond cond;
	struct qos_list list;

	if (!may_set(s) || qos_cond_of(s, u->request, &cond))
		return PLAN_FAILED;
	if (find_qos(s, &cond, &list))
		return plan_failed(s);
	for (size_t i = 0; i < list.n; i++)
		if (usage_set_qos(s->store, &s->site.conf.policy, list.v[i]->id,
			    u->value))
			return plan_failed(s);
	return PLAN_CHANGED;
}

int modify_qos_usage(
	struct session *s, const struct request *request, double value)
{
	struct qos_usage u = {request, value};
	struct strv chosen = request->where.assoc.clusters;

	if (check_alone(s, request))
		return -1;
	local_cluster(s, &chosen);
	return ask_and_run(
		s, "Would you like to update usage?", plan_qos_usage, &u);
}
