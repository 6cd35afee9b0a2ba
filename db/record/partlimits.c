/*
 * Whom a partition takes at all (RootOnly, ReqResv), and EnforcePartLimits: a new
 * job that none, or not each, of its partitions would ever start is refused.
 */
#include "db/record/record.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/plan/schedule_nodes.h"
#include "db/entity/assoc.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"

/* What is asked about. */
struct asking {
	const struct conf *conf;
	const struct job *job;
	const struct qos *qos; /* NULL: none */
	const char *lineage;   /* accounts above; NULL: not enforced */
	struct arena *arena;
};

static bool flag(const struct asking *a, uint32_t qos_flag)
{
	return a->qos && (a->qos->flags & qos_flag);
}

static uint64_t cpus_of(const struct conf *conf, const struct conf_partition *p)
{
	uint64_t cpus = 0;

	for (size_t i = 0; i < p->nodes.n; i++) {
		const struct conf_node *node =
			conf_node_by_name(conf, p->nodes.v[i]);
		uint32_t most = node ? node->cpus : 0;

		cpus += most < p->max_cpus_per_node ? most
						    : p->max_cpus_per_node;
	}
	return cpus;
}

static const char *check_size(
	const struct asking *a, const struct conf_partition *p)
{
	const struct job *job = a->job;

	if (job->cpus_req > cpus_of(a->conf, p))
		return "More processors requested than permitted";
	if (job->nodes_req > p->nodes.n ||
		(!flag(a, QOS_PARTITION_MIN_NODES) &&
			p->min_nodes != INFINITE &&
			job->nodes_req < p->min_nodes) ||
		(!flag(a, QOS_PARTITION_MAX_NODES) &&
			job->nodes_req > p->max_nodes))
		return "Node count specification invalid";
	if (!flag(a, QOS_PARTITION_TIME_LIMIT) && job->time_limit != NO_VAL &&
		job->time_limit > p->max_time)
		return "Requested time limit is invalid (missing or exceeds "
		       "some limit)";
	return NULL;
}

static bool names_account(const struct asking *a, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (strstr(a->lineage,
			    arena_printf(a->arena, "/%s/", list->v[i])) ||
			!strcmp(list->v[i], "root"))
			return true;
	return false;
}

static const char *check_lists(
	const struct asking *a, const struct conf_partition *p)
{
	const char *qos = a->qos ? a->qos->name : "";

	if ((p->allow_qos.n && !strv_has_nocase(&p->allow_qos, qos)) ||
		strv_has_nocase(&p->deny_qos, qos))
		return "Invalid qos specification";
	if (a->lineage && ((p->allow_accounts.n &&
				   !names_account(a, &p->allow_accounts)) ||
				  names_account(a, &p->deny_accounts)))
		return "Invalid account or account/partition combination "
		       "specified";
	return NULL;
}

static bool is_admin(const struct asking *a)
{
	return !strcmp(a->job->user, "root") ||
	       !strcmp(a->job->user, a->conf->slurm_user);
}

/* Whatever EnforcePartLimits says. */
static const char *check_access(
	const struct asking *a, const struct conf_partition *p)
{
	if ((p->req_resv && !*a->job->reservation) ||
		(p->root_only && !is_admin(a)))
		return "Access/permission denied";
	return NULL;
}

static bool has_node_of(const struct conf *conf, uint64_t mib)
{
	for (size_t i = 0; i < conf->n_nodes; i++)
		if (conf->nodes[i].real_memory >= mib)
			return true;
	return false;
}

/* MiB that it asks for on a node at least. Memory in all is by the node, or by
 * the CPU where no node has so much, as a plan takes it. */
static uint64_t memory_of_node(const struct asking *a)
{
	const struct job *job = a->job;
	uint64_t cpus = job->tasks_per_node ? job->tasks_per_node : 1, mib;

	if (job->cpus_per_task)
		cpus *= job->cpus_per_task;
	if (job->mem_per_cpu)
		return job->mem_per_cpu * cpus;
	if (job->mem_per_node || job->mem_req >= NO_VAL64)
		return job->mem_per_node;
	mib = share_of(job->mem_req, job->nodes_req ? job->nodes_req : 1);
	if (has_node_of(a->conf, mib))
		return mib;
	return share_of(job->mem_req, job->cpus_req ? job->cpus_req : 1) * cpus;
}

/* Beyond what a node may give. */
static const char *check_memory(
	const struct asking *a, const struct conf_partition *p)
{
	if (!p->max_mem_per_node ||
		memory_of_node(a) <= p->max_mem_per_node)
		return NULL;
	return "Memory required by task is not available";
}

static const char *check_groups(
	const struct asking *a, const struct conf_partition *p)
{
	if (is_admin(a) || !user_is_outside(a->job->user, &p->allow_groups))
		return NULL;
	return "User's group not permitted to use this partition";
}

void record_other_partitions(const struct conf *conf, const struct job *job,
	struct arena *arena, struct strv *names)
{
	const struct asking a = {.conf = conf, .job = job};
	struct strv own = {0};

	strv_split(&own, arena, job->partition);
	for (size_t i = 0; i < conf->n_partitions; i++) {
		const struct conf_partition *p = &conf->partitions[i];

		if (p->state == PARTITION_UP && !strv_has(&own, p->name) &&
			!check_access(&a, p) && !check_groups(&a, p))
			strv_push(names, arena, p->name);
	}
}

/* Slurm's message; NULL: the job may run there. */
static const char *refusal(
	const struct asking *a, const struct conf_partition *p)
{
	const char *why = NULL;

	if (p->state != PARTITION_DOWN && p->nodes.n)
		why = check_size(a, p);
	if (!why)
		why = check_groups(a, p);
	if (!why)
		why = check_memory(a, p);
	return why ? why : check_lists(a, p);
}

static int load_lineage(struct recording *s, const char *cluster,
	const struct job *job, const char **lineage)
{
	struct assoc_cond cond = {.clusters = STRV_ONE(cluster),
		.accounts = STRV_ONE(job->account),
		.users = STRV_ONE(job->user)};
	struct assoc_list list;

	if (!(s->site->conf.enforce & ENFORCE_ASSOCS))
		return 0;
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i]->key == job->assoc)
			*lineage = list.v[i]->lineage;
	return 0;
}

/* One partition that does not take it is enough. */
static int check_each(
	struct recording *s, const struct asking *a, const struct strv *names)
{
	for (size_t i = 0; i < names->n; i++) {
		const struct conf_partition *p =
			conf_partition_by_name(a->conf, names->v[i]);
		const char *why = p ? check_access(a, p) : NULL;

		if (why)
			return err_set(&s->err, ERR_USAGE, "%s: partition %s",
				why, p->name);
	}
	return 0;
}

int job_part_limits(
	struct recording *s, const char *cluster, const struct job *job)
{
	const struct conf *conf = &s->site->conf;
	struct asking a = {.conf = conf, .job = job, .arena = &s->arena};
	struct strv names = {0};
	const char *why = NULL, *where = "";
	size_t may = 0;

	strv_split(&names, &s->arena, job->partition);
	if (check_each(s, &a, &names))
		return -1;
	if (conf->enforce_parts == ENFORCE_PARTS_NO || !conf->n_partitions)
		return 0;
	if (qos_load(s->store, job->qos, &s->arena, &a.qos) ||
		load_lineage(s, cluster, job, &a.lineage))
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		const struct conf_partition *p =
			conf_partition_by_name(conf, names.v[i]);
		const char *says = p ? refusal(&a, p) : NULL;

		may += !says;
		if (!says || why)
			continue;
		why = says;
		where = names.v[i];
	}
	if (!why || (may && conf->enforce_parts == ENFORCE_PARTS_ANY))
		return 0;
	return err_set(&s->err, ERR_USAGE, "%s: partition %s", why, where);
}
