/*
 * QOS: add, show, modify, delete (Slurm's src/sacctmgr/qos_functions.c).
 */
#include "db/change/operations.h"

#include "common/base/words.h"
#include "db/entity/cluster.h"
#include "db/job/job.h"
#include "db/usage/usage.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, COND(qos.with_deleted), GROUP_NONE, "deleted QOS too", FROM_NOTHING},
	SETTING_WHERE_WORDS,
	{"Clusters:1", WHERE_LIST, COND(assoc.clusters), GROUP_NONE, "clusters (with RawUsage only)", FROM_CLUSTERS},
	{"Descriptions:1", WHERE_LIST, COND(qos.descriptions), GROUP_RECORD, "exact descriptions", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Ids:1", WHERE_IDS, COND(qos.ids), GROUP_RECORD, "numbers", FROM_NOTHING},
	{"Names:1 QOSLevel:1", WHERE_LIST, COND(qos.names), GROUP_RECORD, "QOS names", FROM_QOS},
	{"PreemptMode:8", WHERE_LIST, COND(preempt_mode), GROUP_RECORD, "preempt modes", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct add_word name_words[] = {
	{"Names:1", offsetof(struct request, names), FROM_NOTHING},
	{NULL, 0, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(qos.names),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify SLURM_PRINT_VALUE",
	.id_label = "QOS ID",
	.set = {&qos_members},
	.set_errors_on_stdout = true,
	.flag_kind = "QOS",
	.bare_set_is_name = true,
	.drop_names_in_set = true,
	.name_words = name_words,
	.leases = true,
};

/* ---- add -----------------------------------------------------------------*/

static int log_qos(struct session *s, enum txn_action action, const char *name,
	const struct settings *set)
{
	return txn_add(s->store, action, "", name,
		set ? settings_text(set, &s->arena) : "");
}

/* Slurm asks last who may: what is wrong with a value is told first. */
int op_add_qos(
	struct session *s, const char *name, const struct settings *set)
{
	effect_named(s, VERB_ADD, EFFECT_DONE, ON_QOS, name);
	if (qos_add(s->store, name, set, &s->arena))
		return -1;
	if (!is_administrator(s))
		return err_set(&s->err, ERR_DENIED,
			" Problem adding QOS: Access/permission denied");
	return log_qos(s, TXN_ADD_QOS, name, set);
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	struct request *r = arg;
	const char *last = NULL;
	bool denied = false;

	for (size_t i = 0; i < r->names.n; i++) {
		const char *name = r->names.v[i];

		if (qos_by_name(&s->store->qos, name))
			continue;
		last = name;
		if (op_add_qos(s, name, &r->set)) {
			denied = s->err.kind == ERR_DENIED;
			if (denied) /* after all are told */
				continue;
			complain_err(s);
			return PLAN_REFUSED;
		}
	}
	if (!last)
		return plan_nothing(s, VERB_ADD, ON_QOS);
	effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_QOS,
		.name = last,
		.set = r->set});
	return denied ? plan_failed(s) : PLAN_CHANGED;
}

static int add(struct session *s, struct request *r)
{
	if (r->failed || require_names(s, r, "qos"))
		return -1;
	return change_run(s, plan_add, r);
}

static int mode_bits(
	struct session *s, const struct strv *words, uint32_t *bits)
{
	*bits = 0;
	for (size_t i = 0; i < words->n; i++) {
		uint32_t mode;

		if (preempt_mode_parse(words->v[i], &mode)) {
			complain_named(s,
				"Unknown preempt_mode given '%s'", words->v[i]);
			return complain(s, " Bad Preempt Mode given: preemptmode=%s",
				words->v[i]);
		}
		*bits |= mode ? mode : PREEMPT_CLUSTER;
	}
	return 0;
}

int qos_cond_of(
	struct session *s, const struct request *r, struct qos_cond *cond)
{
	*cond = r->where.qos;
	return mode_bits(s, &r->where.preempt_mode, &cond->preempt_modes);
}

/* ---- modify --------------------------------------------------------------*/

static enum plan_result qos_failed(struct session *s)
{
	complain_err(s);
	if (s->err.kind == ERR_USAGE)
		complain_request(s, s->err.text);
	return PLAN_REFUSED;
}

/* Flags change how usage decays. */
int op_modify_qos(struct session *s, const struct qos_list *list,
	const struct settings *set)
{
	struct strv names = {0};

	if (!is_administrator(s))
		return complain_denied(s);
	for (size_t i = 0; i < list->n; i++) {
		const struct qos *qos = list->v[i];

		effect_named(s, VERB_MODIFY, EFFECT_DONE, ON_QOS, qos->name);
		strv_push(&names, &s->arena, qos->name);
		if (qos_update(s->store, qos, set, &s->arena) ||
			usage_settle_qos(s->store, &s->site.conf.policy,
				qos->id, qos->flags & QOS_NO_DECAY))
			return -1;
	}
	return log_qos(s, TXN_MODIFY_QOS, names_where(s, &names), set);
}

/* The QOS meant, for an administrator; PLAN_CHANGED: go on. */
static enum plan_result find_meant(struct session *s, struct request *r,
	enum verb verb, struct qos_list *list)
{
	struct qos_cond cond;

	if (qos_cond_of(s, r, &cond))
		return PLAN_REFUSED;
	if (qos_list(s->store, &cond, &s->arena, list))
		return qos_failed(s);
	if (!is_administrator(s))
		return plan_denied(s);
	return list->n ? PLAN_CHANGED : plan_nothing(s, verb, ON_QOS);
}

static enum plan_result plan_modify(struct session *s, void *arg)
{
	struct request *r = arg;
	struct qos_list list;
	enum plan_result result = find_meant(s, r, VERB_MODIFY, &list);

	if (result != PLAN_CHANGED)
		return result;
	return op_modify_qos(s, &list, &r->set) ? qos_failed(s) : PLAN_CHANGED;
}

static int modify(struct session *s, struct request *r)
{
	const struct setting *usage;

	if (r->failed) {
		if (r->nothing_left)
			complain(s, " You didn't give me anything to set");
		return -1;
	}
	if (require_set(s, r))
		return -1;
	if (!r->where.record_given && !confirm_all(s, FROM_QOS))
		return 0;
	usage = settings_find(&r->set, qos_attr(usage_raw));
	if (usage)
		return modify_qos_usage(s, r, usage->real);
	return change_run(s, plan_modify, r);
}

/* ---- delete --------------------------------------------------------------*/

/* Jobs that use the QOS keep it alive. */
static int check_jobs(struct session *s, const struct qos *qos)
{
	struct job_list jobs;
	const char *cluster = "";

	if (jobs_open_of_qos(s->store, qos->id, &s->arena, &jobs))
		return complain_err(s);
	if (jobs.n)
		complain_request(
			s, "Job(s) active, cancel job(s) before remove");
	for (size_t i = 0; i < jobs.n; i++) {
		const struct job *j = &jobs.v[i];

		if (cluster_name(s->store, j->cluster, &s->arena, &cluster) < 0)
			return complain_err(s);
		complain(s,
			" JobID = %-10u C = %-10s A = %-10s U = %-9s Q = %-9s",
			j->id, cluster, j->account, j->user, qos->name);
	}
	return jobs.n ? -1 : 0;
}

/* A QOS that is a default somewhere cannot go. */
static int check_defaults(struct session *s, const struct qos *qos, bool *any)
{
	struct assoc_cond cond = {.without_limits = true};
	struct assoc_list list;

	strv_printf(&cond.def_qos, &s->arena, "%u", qos->id);
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (!*any)
			complain(s, " Associations listed below have these as "
				    "their Default QOS.");
		*any = true;
		complain_default_qos(s, qos->name, list.v[i]);
	}
	return 0;
}

static int check_delete(struct session *s, const struct qos_list *list)
{
	bool any = false;

	for (size_t i = 0; i < list->n && !s->done_elsewhere; i++)
		if (check_jobs(s, list->v[i]) ||
			check_defaults(s, list->v[i], &any))
			return -1;
	if (!any)
		return 0;
	return complain(s, " Please either remove the qos' listed above from list and "
		"resubmit,\n or change the default qos to remove the qos.\n"
		" Changes Discarded");
}

static enum plan_result plan_delete(struct session *s, void *arg)
{
	struct request *r = arg;
	struct qos_list list;
	struct strv names = {0};
	enum plan_result result = find_meant(s, r, VERB_DELETE, &list);

	if (result != PLAN_CHANGED)
		return result;
	if (check_delete(s, &list))
		return PLAN_REFUSED;
	for (size_t i = 0; i < list.n; i++) {
		strv_push(&names, &s->arena, list.v[i]->name);
		if (qos_remove(s->store, list.v[i]))
			return qos_failed(s);
	}
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++)
		effect_named(s, VERB_DELETE, EFFECT_DONE, ON_QOS, names.v[i]);
	return log_qos(s, TXN_REMOVE_QOS,
		       arena_printf(&s->arena, "name='%s'",
			       strv_join(&names, "' || name='", &s->arena)),
		       NULL)
		       ? qos_failed(s)
		       : PLAN_CHANGED;
}

static int erase(struct session *s, struct request *r)
{
	return delete_records(s, r, plan_delete);
}

const struct changeable qos_changes = {
	.names = {[VERB_ADD] = "QOS:1",
		[VERB_MODIFY] = "QOS:1",
		[VERB_DELETE] = "QOS:2"},
	.words = &vocabulary,
	.run = {[VERB_ADD] = add,
		[VERB_MODIFY] = modify,
		[VERB_DELETE] = erase},
};
