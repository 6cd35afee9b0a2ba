/*
 * Federations: add, show, modify, delete (Slurm's
 * src/sacctmgr/federation_functions.c).
 */
#include "db/change/change.h"

#include <string.h>

#include "db/entity/federation.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, COND(with_deleted), GROUP_NONE, "deleted federations too", FROM_NOTHING},
	{"Tree:4", WHERE_SWITCH, COND(tree), GROUP_NONE, "clusters below their federation", FROM_NOTHING},
	{"Names:1 Federations:3", WHERE_LIST, COND(names), GROUP_RECORD, "federation names", FROM_FEDERATIONS},
	{"Clusters:3", WHERE_LIST, COND(assoc.clusters), GROUP_RECORD, "member clusters", FROM_CLUSTERS},
	{"Format:2", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

enum federation_attr { FEDERATION_ATTR_CLUSTERS, FEDERATION_ATTR_FLAGS, FEDERATION_ATTRS };

/* No flag is public. */
static const struct flag_word no_flags[] = {{NULL, 0, NULL, 0}};

static const struct member federation_attrs[FEDERATION_ATTRS] = {
	[FEDERATION_ATTR_CLUSTERS] = {SETTABLE("Clusters", "Clusters:2", ATTR_LIST, .source = FROM_CLUSTERS, .operators = true)},
	[FEDERATION_ATTR_FLAGS] = {SETTABLE("Flags", "Flags:2", ATTR_FLAGS, .flags = no_flags, .operators = true)},
};
static const struct members own_members = MEMBERS(federation_attrs);
/* clang-format on */

static const struct add_word name_words[] = {
	{"Names:1", offsetof(struct request, names), FROM_NOTHING},
	{NULL, 0, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(names),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.set = {&own_members},
	.flag_kind = "federation",
	.bare_set_is_name = true,
	.drop_names_in_set = true,
	.name_words = name_words,
};

static const struct setting *clusters_of(const struct request *r)
{
	return settings_find(
		&r->set, &federation_attrs[FEDERATION_ATTR_CLUSTERS]);
}

/* The federation a cluster is in, or "". */
static const char *home_of(struct session *s, const char *cluster)
{
	struct cluster_cond cond = {.names = STRV_ONE(cluster)};
	struct cluster_list list;

	if (cluster_list(s->store, &cond, &s->arena, &list) || !list.n)
		return "";
	return list.v[0].federation;
}

/* Where a cluster is already, or is not: said, but no failure. */
static void remark(struct session *s, const char *cluster, const char *how,
	const char *federation)
{
	int status = s->status;

	complain(s, " The cluster %s %sassigned to federation %s", cluster, how,
		federation);
	s->status = status;
}

/* A cluster to be put into the federation ("" when that is new) or, with a
 * `-`, taken out. True when there is something to do. */
static bool takes_part(struct session *s, const char *entry,
	const char *federation, struct strv *elsewhere)
{
	const char *cluster = entry + (*entry == '+' || *entry == '-');
	const char *home = home_of(s, cluster);
	bool here = *home && !strcmp(home, federation);

	if (*entry == '-') {
		if (!here)
			remark(s, cluster, "isn't ", federation);
		return here;
	}
	if (here)
		remark(s, cluster, "is already ", federation);
	else if (*home)
		strv_push(elsewhere, &s->arena, cluster);
	return !here;
}

static int check_exist(struct session *s, const struct strv *entries)
{
	int missing = 0;

	for (size_t i = 0; i < entries->n; i++) {
		const char *entry = entries->v[i];
		const char *cluster = entry + (*entry == '+' || *entry == '-');

		if (cluster_key(s->store, cluster) > 0)
			continue;
		complain(s, " The cluster %s doesn't exist. Please add first.",
			cluster);
		missing = -1;
	}
	return missing;
}

int federation_sift(struct session *s, struct strv *entries,
	const char *federation, bool *elsewhere_too)
{
	struct strv kept = {0}, elsewhere = {0};

	if (check_exist(s, entries))
		return -1;
	for (size_t i = 0; i < entries->n; i++)
		if (takes_part(s, entries->v[i], federation, &elsewhere))
			strv_push(&kept, &s->arena, entries->v[i]);
	for (size_t i = 0; i < elsewhere.n; i++)
		remark(s, elsewhere.v[i], "is ", home_of(s, elsewhere.v[i]));
	*entries = kept;
	*elsewhere_too = elsewhere.n > 0;
	return 0;
}

/* The same; asks about clusters of other federations. -1: do not go on. */
static int check_clusters(
	struct session *s, struct strv *entries, const char *federation)
{
	bool elsewhere;

	if (federation_sift(s, entries, federation, &elsewhere))
		return -1;
	if (!entries->n) {
		effect_named(
			s, VERB_MODIFY, EFFECT_UNCHANGED, ON_FEDERATION, NULL);
		s->status = 1;
		return -1;
	}
	if (!elsewhere || prompt(s, "\nAre you sure you want to continue?"))
		return 0;
	s->status = 1;
	return -1;
}

static int members_of(
	struct session *s, const char *federation, struct cluster_list *members)
{
	struct cluster_cond cond = {.federations = STRV_ONE(federation)};

	return cluster_list(s->store, &cond, &s->arena, members);
}

/* Names with signs: + for those to be added and, if the list replaces another,
 * - for those to be removed. */
static int signed_clusters(struct session *s, const struct setting *set,
	const char *federation, struct strv *entries)
{
	struct cluster_list members;

	for (size_t i = 0; i < set->list.n; i++) {
		const char *entry = set->list.v[i];

		strv_push(entries, &s->arena,
			*entry == '+' || *entry == '-'
				? entry
				: arena_printf(&s->arena, "+%s", entry));
	}
	if (set->list.n && (*set->list.v[0] == '+' || *set->list.v[0] == '-'))
		return 0;
	if (members_of(s, federation, &members))
		return -1;
	for (size_t i = 0; i < members.n; i++)
		if (!strv_has(&set->list, members.v[i].name))
			strv_printf(entries, &s->arena, "-%s", members.v[i].name);
	return 0;
}

/* ---- add -----------------------------------------------------------------*/

static int join(struct session *s, const char *federation, const char *cluster)
{
	return any_failed(
		federation_join(s->store, federation, cluster) ||
		txn_add(s->store, TXN_MODIFY_CLUSTERS, "",
			arena_printf(&s->arena, "(name='%s')", cluster),
			arena_printf(
				&s->arena, "federation='%s'", federation)));
}

static int add_one(struct session *s, const char *name, bool *any)
{
	int exists = federation_exists(s->store, name);

	if (exists < 0)
		return -1;
	effect_named(s, VERB_ADD, exists ? EFFECT_EXISTS : EFFECT_DONE,
		ON_FEDERATION, name);
	if (exists)
		return 0;
	*any = true;
	return any_failed(federation_add(s->store, name) ||
			  txn_add(s->store, TXN_ADD_CLUSTERS, "", name, ""));
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	const struct request *r = arg;
	const struct setting *set = clusters_of(r);
	bool any = false;

	for (size_t i = 0; i < r->names.n; i++)
		if (add_one(s, r->names.v[i], &any))
			return plan_failed(s);
	if (!any)
		return PLAN_FAILED;
	if (set)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_FEDERATION,
			.names = set->list});
	if (!is_administrator(s))
		return plan_not_added(
			s, "federation(s)", "Access/permission denied");
	for (size_t i = 0; set && i < set->list.n; i++)
		if (*set->list.v[i] != '-' &&
			join(s, r->names.v[0],
				set->list.v[i] + (*set->list.v[i] == '+')))
			return plan_not_added(
				s, "federation(s)", s->err.text);
	return PLAN_CHANGED;
}

static int add(struct session *s, struct request *r)
{
	const struct setting *set;
	struct strv clusters;

	if (r->failed)
		return -1;
	set = clusters_of(r);
	clusters = set ? set->list : (struct strv){0};
	if (require_names(s, r, "federation"))
		return -1;
	if (r->names.n > 1 && clusters.n)
		return complain(s, " Can't assign clusters to multiple federations.");
	if (clusters.n && check_clusters(s, &clusters, ""))
		return -1;
	return change_run(s, plan_add, r);
}

/* ---- modify --------------------------------------------------------------*/

struct modifying {
	const struct request *request;
	struct strv clusters; /* with signs */
};

/* Those who leave make room, so they go first. */
static int change_members(
	struct session *s, const struct modifying *m, const char *federation)
{
	const struct strv *list = &m->clusters;

	for (size_t i = 0; i < list->n; i++)
		if (*list->v[i] == '-' &&
			federation_leave(s->store, list->v[i] + 1))
			return -1;
	for (size_t i = 0; i < list->n; i++)
		if (*list->v[i] == '+' && join(s, federation, list->v[i] + 1))
			return -1;
	return 0;
}

static enum plan_result plan_modify(struct session *s, void *arg)
{
	const struct modifying *m = arg;
	const char *name = m->request->where.names.v[0];

	if (!is_administrator(s))
		return plan_denied(s);
	effect(s, (struct effect){VERB_MODIFY, EFFECT_SET, ON_FEDERATION,
		.names = m->clusters});
	effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_FEDERATION, NULL);
	if (change_members(s, m, name)) {
		complain_request(s, s->err.text);
		return PLAN_FAILED;
	}
	effect_named(s, VERB_MODIFY, EFFECT_DONE, ON_FEDERATION, name);
	if (txn_add(s->store, TXN_MODIFY_FEDERATIONS, "",
		    arena_printf(&s->arena, "(name='%s')", name), ""))
		return plan_failed(s);
	return PLAN_CHANGED;
}

/* `clusters+=` and `clusters-=` name some. */
static int refuse_no_clusters(struct session *s, const struct request *r)
{
	const struct setting *set = clusters_of(r);

	if (!set || set->op == OP_SET || set->list.n)
		return 0;
	return complain(s, " You didn't specify any clusters to %s",
		set->op == OP_SUB ? "remove" : "add");
}

static int modify(struct session *s, struct request *r)
{
	const struct strv *names;
	struct modifying m = {.request = r};

	if (r->failed || require_set(s, r) || refuse_no_clusters(s, r))
		return -1;
	names = &r->where.names;
	if (!r->where.record_given && !confirm_all(s, FROM_FEDERATIONS))
		return 0;
	for (size_t i = 0; i < names->n; i++)
		if (federation_exists(s->store, names->v[i]) <= 0)
			return complain(s, " The federation %s doesn't exist.",
				names->v[i]);
	if (names->n != 1)
		return complain(s, " Can't assign clusters to multiple federations.");
	if (signed_clusters(s, clusters_of(r), names->v[0], &m.clusters))
		return complain_err(s);
	if (check_clusters(s, &m.clusters, names->v[0]))
		return -1;
	return change_run(s, plan_modify, &m);
}

/* ---- delete --------------------------------------------------------------*/

static enum plan_result plan_delete(struct session *s, void *arg)
{
	const struct request *r = arg;
	bool any = false;

	if (!is_administrator(s))
		return plan_denied(s);
	for (size_t i = 0; i < r->where.names.n; i++) {
		const char *name = r->where.names.v[i];

		if (federation_exists(s->store, name) <= 0)
			continue;
		any = true;
		effect_named(s, VERB_DELETE, EFFECT_DONE, ON_FEDERATION, name);
		if (federation_remove(s->store, name) ||
			txn_add(s->store, TXN_REMOVE_FEDERATIONS, "",
				arena_printf(&s->arena, "(name='%s')", name),
				""))
			return plan_failed(s);
	}
	return any ? PLAN_CHANGED
		   : plan_nothing(s, VERB_DELETE, ON_FEDERATION);
}

static int erase(struct session *s, struct request *r)
{
	return delete_records(s, r, plan_delete);
}

const struct changeable federation_changes = {
	.names = {[VERB_ADD] = "Federation:1",
		[VERB_MODIFY] = "Federations:1",
		[VERB_DELETE] = "Federations:1"},
	.words = &vocabulary,
	.run = {[VERB_ADD] = add,
		[VERB_MODIFY] = modify,
		[VERB_DELETE] = erase},
};
