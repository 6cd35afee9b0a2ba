/*
 * Clusters: add, show, modify, delete (Slurm's
 * src/sacctmgr/cluster_functions.c).
 */
#include "db/change/operations.h"

#include <string.h>

#include "db/change/remove.h"
#include "common/base/numbers.h"
#include "common/base/words.h"
#include "db/entity/federation.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, COND(cluster.with_deleted), GROUP_NONE, "deleted clusters too", FROM_NOTHING},
	{"WithFed:5", WHERE_SWITCH, COND(with_fed), GROUP_NONE, "federation columns", FROM_NOTHING},
	{"WOLimits:3", WHERE_SWITCH, COND(without_limits), GROUP_NONE, "no limit columns", FROM_NOTHING},
	{"Names:1 Clusters:3", WHERE_LIST, COND(cluster.names), GROUP_RECORD, "cluster names", FROM_CLUSTERS},
	{"Classification:3", WHERE_LIST, COND(cluster.classifications), GROUP_RECORD, "Capability, Capacity, Capapacity", FROM_NOTHING},
	{"Federations:3", WHERE_LIST, COND(cluster.federations), GROUP_RECORD, "federation names", FROM_FEDERATIONS},
	{"Flags:2", WHERE_LIST_CASE, COND(flags), GROUP_RECORD, "flags", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"RPCVersions:1", WHERE_LIST, COND(cluster.rpc_versions), GROUP_RECORD, "protocol versions", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct add_word name_words[] = {
	{"Names:1 Clusters:3", offsetof(struct request, names), FROM_NOTHING},
	{NULL, 0, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(cluster.names),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.set = {&cluster_members, &assoc_members},
	.bare_set_is_name = true,
	.drop_names_in_set = true,
	.name_words = name_words,
	.leases = true,
};

uint32_t fed_state_parse(const char *text)
{
	static const struct {
		const char *names;
		uint32_t state;
	} words[] = {{"Active:1", 1}, {"Inactive:1", 2}, {"DRAIN:1", 0x11},
		{"DRAIN+REMOVE:6", 0x31}};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words_match(words[i].names, text, strlen(text)))
			return words[i].state;
	return 0;
}

/* Limits that make no sense for a whole cluster. */
static int check_limits(struct session *s, const struct settings *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct member_set *how = set->v[i].attr->set;

		if (!how->not_of_cluster)
			continue;
		return complain(s,
			"%s is not a valid option for the root association of "
			"a cluster.",
			how->name);
	}
	return 0;
}

static int check_record(struct session *s, const struct settings *set)
{
	const struct setting *features =
		settings_find(set, cluster_attr(features));
	const struct setting *state =
		settings_find(set, cluster_attr(fed_state_text));
	const struct setting *name = settings_find(set, cluster_attr(new_name));

	if (features && !features->list.n && features->op != OP_SET)
		return complain(s, " You didn't specify any features to %s",
			features->op == OP_SUB ? "remove" : "add");
	if (state && !fed_state_parse(state->text))
		return complain(s, "Invalid FedState %s.", state->text);
	if (name && check_new_name(s, name->text))
		return complain_err(s);
	return 0;
}

/* -1: there is no such federation, and an error was reported. */
static int check_federation(struct session *s, const struct settings *set)
{
	const struct setting *federation =
		settings_find(set, cluster_attr(federation));

	if (!federation || !*federation->text ||
		federation_exists(s->store, federation->text) != 0)
		return 0;
	return complain(s, " The federation %s doesn't exist.", federation->text);
}

/* ---- add -----------------------------------------------------------------*/

struct cluster_adding {
	struct request *request;
	struct settings rows;
};

static int apply_record(
	struct session *, const struct settings *, const struct cluster *);

static int add_one(struct session *s, struct cluster_adding *a,
	const char *name, int *added)
{
	int64_t key = cluster_key(s->store, name);

	if (key < 0)
		return -1;
	effect_named(s, VERB_ADD, key ? EFFECT_EXISTS : EFFECT_DONE, ON_CLUSTER,
		name);
	if (key)
		return 0;
	*added = 1;
	if (cluster_add(s->store, name, &a->rows, &s->arena))
		return -1;
	return apply_record(s, &a->request->set, &(struct cluster){.name = name});
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	struct cluster_adding *a = arg;
	int added = 0;

	for (size_t i = 0; i < a->request->names.n; i++)
		if (add_one(s, a, a->request->names.v[i], &added))
			return plan_not_added(s, "clusters", s->err.text);
	if (!added)
		return PLAN_FAILED;
	if (a->request->set_given)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_CLUSTER,
			.set = a->request->set});
	if (a->rows.n)
		effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_ASSOC,
			ON_CLUSTER, .set = a->rows});
	if (!is_administrator(s))
		return plan_not_added(
			s, "clusters", "Access/permission denied");
	return PLAN_CHANGED;
}

static int add(struct session *s, struct request *r)
{
	struct cluster_adding a = {.request = r};

	if (r->failed || check_limits(s, &r->set) || check_record(s, &r->set) ||
		require_names(s, r, "cluster") || check_federation(s, &r->set))
		return -1;
	a.rows = assoc_settings(s, &r->set);
	return change_run(s, plan_add, &a);
}

/* One that is none ("none") is no condition, as in Slurm. */
static int check_classes(struct session *s, struct request *r)
{
	struct cluster_cond *cond = &r->where.cluster;
	struct strv *classes = &cond->classifications;

	for (size_t i = 0; i < classes->n; i++)
		if (!cluster_classification(classes->v[i]) && *classes->v[i] &&
			strcmp(classes->v[i], "none") != 0)
			return complain(s, " " CLASSIFICATION_UNKNOWN,
				classes->v[i]);
	if (!classes->n || cluster_classes(cond))
		return 0;
	classes->n = 0;
	r->where.record_given = cond->names.n || cond->federations.n ||
				cond->rpc_versions.n;
	return 0;
}

int cluster_check_where(struct session *s, struct request *r)
{
	if (r->where.flags.n)
		return complain(s, " Unknown Flag(s)=%s", r->where.flags.v[0]);
	return check_classes(s, r);
}

/* ---- modify --------------------------------------------------------------*/

/* With a sign, names come to those there are or go. */
static const char *features_of(struct session *s, const struct setting *set,
	const struct cluster *cluster)
{
	struct strv features = {0};

	if (set->list.n && (*set->list.v[0] == '+' || *set->list.v[0] == '-'))
		features = cluster->features;
	for (size_t i = 0; i < set->list.n; i++) {
		const char *name =
			set->list.v[i] +
			(*set->list.v[i] == '+' || *set->list.v[i] == '-');
		struct strv kept = {0};

		for (size_t j = 0; j < features.n; j++)
			if (strcmp(features.v[j], name))
				strv_push(&kept, &s->arena, features.v[j]);
		if (*set->list.v[i] != '-')
			strv_push(&kept, &s->arena, name);
		features = kept;
	}
	return strv_join(&features, ",", &s->arena);
}

/* The federation first: it sets the state, too. */
static int apply_record(struct session *s, const struct settings *set,
	const struct cluster *cluster)
{
	const char *federation = settings_text_of(set, cluster_attr(federation));
	const char *class =
		settings_text_of(set, cluster_attr(classification_text));
	const char *state = settings_text_of(set, cluster_attr(fed_state_text));
	const struct setting *features =
		settings_find(set, cluster_attr(features));

	if (federation &&
		(*federation ? federation_join(
				       s->store, federation, cluster->name)
			     : federation_leave(s->store, cluster->name)))
		return -1;
	return cluster_set(s->store, cluster->name,
		&(const struct cluster_values){
			class ? cluster_classification(class) : NO_VAL,
			state ? fed_state_parse(state) : NO_VAL,
			features ? features_of(s, features, cluster) : NULL,
			settings_text_of(set, cluster_attr(new_name))});
}

int op_modify_cluster(struct session *s, const struct cluster *cluster,
	const struct settings *set)
{
	if (!is_administrator(s))
		return complain_denied(s);
	effect_named(s, VERB_MODIFY, EFFECT_DONE, ON_CLUSTER, cluster->name);
	return any_failed(
		apply_record(s, set, cluster) ||
		txn_add(s->store, TXN_MODIFY_CLUSTERS, "",
			arena_printf(&s->arena, "(name='%s')", cluster->name),
			settings_text(set, &s->arena)));
}

/* The name is for one cluster, and there is, or was, none of that name. */
static int check_rename(struct session *s, const struct settings *set, size_t n)
{
	const struct setting *name = settings_find(set, cluster_attr(new_name));
	struct cluster_cond cond = {.with_deleted = true};
	struct cluster_list others;

	if (!name)
		return 0;
	if (n > 1)
		return complain(s, " NewName is for one cluster: say which.");
	cond.names = STRV_ONE(name->text);
	if (cluster_list(s->store, &cond, &s->arena, &others))
		return complain_err(s);
	if (!others.n)
		return 0;
	return complain(s, others.v[0].deleted
			? " There was a cluster %s, whose jobs are kept."
			: " There is a cluster %s already.",
		name->text);
}

static enum plan_result plan_record(struct session *s, void *arg)
{
	struct request *r = arg;
	struct cluster_list list;

	if (cluster_list(s->store, &r->where.cluster, &s->arena, &list))
		return plan_failed(s);
	if (!list.n)
		return plan_nothing(s, VERB_MODIFY, ON_CLUSTER);
	if (!is_administrator(s))
		return plan_denied(s);
	if (check_rename(s, &r->set, list.n))
		return PLAN_FAILED;
	effect(s, (struct effect){VERB_MODIFY, EFFECT_SET, ON_CLUSTER,
		.set = r->set});
	for (size_t i = 0; i < list.n; i++)
		if (op_modify_cluster(s, &list.v[i], &r->set)) {
			complain_request(s, s->err.text);
			return PLAN_FAILED;
		}
	return PLAN_CHANGED;
}

/* Limits: those of the root rows. */
static int choose_root_rows(struct session *s, struct request *r)
{
	struct cluster_list list;

	if (cluster_list(s->store, &r->where.cluster, &s->arena, &list))
		return complain_err(s);
	if (!list.n) {
		plan_nothing(s, VERB_MODIFY, ON_CLUSTER);
		s->status = 1;
		return -1;
	}
	for (size_t i = 0; i < list.n; i++)
		strv_push(&r->where.assoc.clusters, &s->arena, list.v[i].name);
	strv_push(&r->where.assoc.accounts, &s->arena, "root");
	r->where.assoc.only_accounts = true;
	return 0;
}

/* Named clusters join a federation unless they are in it. 0: go on; 1: nothing
 * left to do; -1: stop. */
static int check_members(struct session *s, struct request *r)
{
	const struct setting *federation =
		settings_find(&r->set, cluster_attr(federation));
	bool elsewhere;

	if (!federation || !*federation->text || !r->where.cluster.names.n)
		return 0;
	if (federation_sift(s, &r->where.cluster.names, federation->text, &elsewhere))
		return -1;
	if (!r->where.cluster.names.n) {
		effect_named(
			s, VERB_MODIFY, EFFECT_UNCHANGED, ON_CLUSTER, NULL);
		s->status = 1;
		return 1;
	}
	return !elsewhere || prompt(s, "\nAre you sure you want to continue?")
		       ? 0
		       : -1;
}

static int modify(struct session *s, struct request *r)
{
	struct request of_rows;
	struct change changes[2];
	size_t count = 0;
	int status, rc;

	if (r->failed || cluster_check_where(s, r) ||
		check_limits(s, &r->set) || require_set(s, r))
		return -1;
	if (!r->where.record_given && !confirm_all(s, FROM_CLUSTERS))
		return 0;
	if (check_record(s, &r->set))
		return -1;
	status = s->status;
	if (check_federation(s, &r->set)) {
		s->status = status; /* in Slurm no failure */
		return 0;
	}
	of_rows = *r;
	of_rows.set = assoc_settings(s, &r->set);
	rc = check_members(s, r);
	if (rc < 0)
		return 0;
	if (!rc && r->set.n > of_rows.set.n)
		changes[count++] = (struct change){plan_record, r};
	if (of_rows.set.n) {
		if (choose_root_rows(s, &of_rows))
			return -1;
		changes[count++] = modify_assocs(s, &of_rows, ON_CLUSTER);
	}
	return changes_run(s, changes, count);
}

/* ---- delete --------------------------------------------------------------*/

static enum plan_result plan_delete(struct session *s, void *arg)
{
	struct request *r = arg;
	struct cluster_list list;
	struct assoc_cond rows_cond = {.without_limits = true};
	struct assoc_list rows;

	if (cluster_list(s->store, &r->where.cluster, &s->arena, &list))
		return plan_failed(s);
	if (!list.n)
		return plan_nothing(s, VERB_DELETE, ON_CLUSTER);
	if (!is_administrator(s))
		return plan_denied(s);
	for (size_t i = 0; i < list.n; i++)
		strv_push(&rows_cond.clusters, &s->arena, list.v[i].name);
	if (assoc_list(s->store, &rows_cond, &s->arena, &rows))
		return plan_failed(s);
	if (check_active_jobs(s, &rows))
		return PLAN_FAILED;
	for (size_t i = 0; i < list.n; i++) {
		effect_named(s, VERB_DELETE, EFFECT_DONE, ON_CLUSTER,
			list.v[i].name);
		if (cluster_remove(s->store, list.v[i].name, &s->arena))
			return plan_failed(s);
	}
	return PLAN_CHANGED;
}

static int erase(struct session *s, struct request *r)
{
	return cluster_check_where(s, r) ? -1
					 : delete_records(s, r, plan_delete);
}

const struct changeable cluster_changes = {
	.names = {[VERB_ADD] = "Cluster:2",
		[VERB_MODIFY] = "Clusters:5",
		[VERB_DELETE] = "Clusters:2"},
	.words = &vocabulary,
	.run = {[VERB_ADD] = add,
		[VERB_MODIFY] = modify,
		[VERB_DELETE] = erase},
};
