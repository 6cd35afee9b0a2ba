/*
 * Priorities of jobs; see jobprio.h.
 */
#include "common/fair/jobprio.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/conf/totals.h"

/* ---- what partitions have ------------------------------------------------*/

static uint64_t amount(const struct tres_list *list, uint32_t id)
{
	uint64_t count = tres_list_get(list, id);

	return count == NO_VAL64 || count == INFINITE64 ? 0 : count;
}

static int load_partition(struct jobprio *prio, struct jobprio_partition *p,
	struct arena *arena, struct err *err)
{
	const struct conf_partition *conf = p->conf;
	double billing;

	totals_of(&p->totals, prio->conf, conf, prio->tres, arena);
	if (tres_weights_parse(
		    conf->billing_weights, prio->tres, arena, &p->weights, err))
		return err_prefix(err, "%s:%d", conf->file, conf->line);
	billing = billing_compute(prio->conf->policy.billing, &p->weights,
		&p->totals, prio->tres);
	tres_list_add(&p->totals, arena, TRES_BILLING,
		billing_truncate(billing));
	p->priority = (struct priority_partition){
		conf->priority_job_factor, conf->max_time, &p->totals};
	return 0;
}

static int load_partitions(
	struct jobprio *prio, struct arena *arena, struct err *err)
{
	size_t n = prio->conf->n_partitions;

	prio->partitions = arena_array(arena, n, sizeof(*prio->partitions));
	for (size_t i = 0; i < n; i++) {
		struct jobprio_partition *p = &prio->partitions[i];

		p->conf = &prio->conf->partitions[i];
		if (load_partition(prio, p, arena, err))
			return -1;
		if (p->conf->priority_job_factor >
			prio->context.max_partition_factor)
			prio->context.max_partition_factor =
				p->conf->priority_job_factor;
	}
	return 0;
}

/* ---- the cluster ----------------------------------------------------------*/

static void count_nodes(struct jobprio *prio)
{
	prio->context.nodes = (uint32_t)prio->conf->n_nodes;
	for (size_t i = 0; i < prio->conf->n_nodes; i++)
		prio->context.cpus += prio->conf->nodes[i].cpus;
}

static int parse_weights(
	struct jobprio *prio, struct arena *arena, struct err *err)
{
	const char *text = prio->conf->policy.weights.tres;

	if (tres_weights_parse(
		    text, prio->tres, arena, &prio->context.tres_weights, err))
		return err_prefix(err, "PriorityWeightTRES='%s'", text);
	return 0;
}

static void find_max_qos(struct jobprio *prio)
{
	for (size_t i = 0; i < prio->qos.n; i++)
		prio->context.max_qos_priority =
			(uint32_t)larger(prio->context.max_qos_priority,
				known_or_0(prio->qos.v[i]->priority));
}

int jobprio_prepare(
	struct jobprio *prio, struct arena *arena, struct err *err)
{
	prio->cluster = prio->shares.cluster_key;
	prio->context.max_assoc_priority = prio->shares.max_priority;
	prio->index = shares_index(&prio->shares, arena);
	find_max_qos(prio);
	count_nodes(prio);
	return parse_weights(prio, arena, err) ||
			load_partitions(prio, arena, err)
		? -1
		: 0;
}

/* ---- which jobs ----------------------------------------------------------*/

static bool right_state(const struct jobprio *prio, uint32_t state)
{
	uint32_t base = state & JOB_BASE_MASK;

	if (state & JOB_REVOKED)
		return false;
	if (base == JOB_PENDING)
		return true;
	return (prio->conf->policy.flags & PRIO_CALCULATE_RUNNING) &&
	       (base == JOB_RUNNING || base == JOB_SUSPENDED);
}

bool jobprio_listed(const struct jobprio *prio, const struct job *job)
{
	bool always = prio->conf->policy.flags & PRIO_ACCRUE_ALWAYS;
	int64_t begin = always ? job->submit : job->eligible;

	return right_state(prio, job->state) && job->hold == HOLD_NONE &&
	       job->priority != 0 && begin && begin <= prio->context.now;
}

/* ---- a job as the formula takes it ---------------------------------------*/

/* Where accrue slots are limited the job has one from some moment on, or none. */
int64_t jobprio_accrue(const struct jobprio *prio, const struct job *job)
{
	int64_t since = job->accrue;
	bool limited = accrue_find(prio->accrue, job->key, &since);
	struct accrue accrue = {
		.submit = (time_t)job->submit,
		.begin = (time_t)job->eligible,
		.previous = (time_t)since,
		.held = job->hold != HOLD_NONE,
		.dependent = !job->eligible,
		.enforced = (prio->conf->enforce & ENFORCE_LIMITS) != 0,
		.limited = limited,
		.admitted = since != 0,
	};

	return priority_accrue(
		&accrue, prio->conf->policy.flags, prio->context.now);
}

/* MiB a job gets that asked for none, where memory is handed out. */
static uint64_t default_memory(const struct jobprio *prio,
	const struct jobprio_partition *p, const struct job *job)
{
	const struct conf_partition *conf = p->conf;
	const struct conf_node *node =
		conf->nodes.n ? conf_node_by_name(prio->conf, conf->nodes.v[0])
			      : NULL;

	if (!prio->conf->memory_consumable)
		return 0;
	if (conf->def_mem_per_cpu)
		return conf->def_mem_per_cpu * job->cpus_req;
	if (conf->def_mem_per_node)
		return conf->def_mem_per_node * job->nodes_req;
	return node ? node->real_memory * job->nodes_req : 0;
}

/* What it has or, before it starts, what it asks for, with what Slurm adds. */
static struct tres_list *tres_of(const struct jobprio *prio,
	const struct jobprio_partition *p, const struct job *job,
	struct arena *arena)
{
	const struct tres_list *from =
		job->tres_alloc.n ? &job->tres_alloc : &job->tres_req;
	struct tres_list *list = arena_alloc(arena, sizeof(*list));
	double billing;

	*list = tres_list_copy(from, arena);
	if (job->tres_alloc.n)
		return list;
	if (!amount(list, TRES_CPU))
		tres_list_add(list, arena, TRES_CPU, job->cpus_req);
	if (!amount(list, TRES_NODE))
		tres_list_add(list, arena, TRES_NODE, job->nodes_req);
	if (!amount(list, TRES_MEM) && p)
		tres_list_add(list, arena, TRES_MEM, default_memory(prio, p, job));
	billing = billing_compute(prio->conf->policy.billing,
		p ? &p->weights : NULL, list, prio->tres);
	tres_list_set(list, arena, TRES_BILLING, billing_truncate(billing));
	return list;
}

static void set_assoc(const struct jobprio *prio, const struct job *job,
	struct priority_job *in)
{
	uint32_t index = shares_find(prio->index, job->assoc);

	in->assoc_priority = NO_VAL;
	if (!job->assoc || index == UINT32_MAX)
		return;
	in->assoc_priority = prio->shares.v[index].priority;
	in->fairshare = shares_factor(&prio->shares, index);
}

/* Under priority/basic jobs are served as they came: as slurmctld does, each
 * job gets a priority below that of the one before, from this one down. */
static uint32_t by_arrival(const struct job *job)
{
	const int64_t top = UINT32_C(0xffff0000);
	int64_t number = job->array_job ? job->array_job : job->id;
	int64_t priority = top - number - job->nice;

	if (priority < 1)
		return 1;
	return priority < NO_VAL ? (uint32_t)priority : NO_VAL - 1;
}

static struct priority_job inputs_of(const struct jobprio *prio,
	const struct jobprio_partition *p, const struct job *job,
	struct arena *arena)
{
	struct priority_job in = {
		.direct = job->hold == HOLD_NONE ? job->priority : 0,
		.accrue = (time_t)jobprio_accrue(prio, job),
		.nodes = job_least_nodes(job),
		.cpus_alloc = (uint32_t)amount(&job->tres_alloc, TRES_CPU),
		.cpus_max = NO_VAL,
		.cpus_min = job->cpus_req,
		.time_limit = job->time_limit,
		.tres = tres_of(prio, p, job, arena),
		.site = job->site_factor,
		.nice = job->nice,
	};

	if (in.direct == NO_VAL && !prio->context.policy->multifactor)
		in.direct = by_arrival(job);
	if (!in.cpus_alloc)
		in.cpus_alloc = NO_VAL;
	set_assoc(prio, job, &in);
	return in;
}

/* ---- its partitions and its QOS ------------------------------------------*/

/* The choices of one job. A NULL partition or QOS is one that is not known. */
struct choices {
	struct {
		const struct jobprio_partition *known;
		const char *name;
	} * partitions;
	size_t n_partitions, cap_partitions;
	const struct qos **qos;
	size_t n_qos, cap_qos;
	uint32_t *qos_priorities;
};

static uint16_t tier(const struct jobprio_partition *p)
{
	return p ? p->conf->priority_tier : 0;
}

/* Before the first of a lower tier. */
static void add_partition(struct choices *c, struct arena *arena,
	const struct jobprio_partition *p, const char *name)
{
	size_t i;

	(void)ARENA_PUSH(
		arena, c->partitions, c->n_partitions, c->cap_partitions);
	for (i = c->n_partitions - 1;
		i && tier(c->partitions[i - 1].known) < tier(p); i--)
		c->partitions[i] = c->partitions[i - 1];
	c->partitions[i].known = p;
	c->partitions[i].name = name;
}

static void find_partitions(const struct jobprio *prio, const struct job *job,
	struct choices *c, struct arena *arena)
{
	struct strv names = {0};

	strv_split(&names, arena, job->partition);
	for (size_t i = 0; i < names.n; i++) {
		const struct conf_partition *conf =
			conf_partition_by_name(prio->conf, names.v[i]);

		if (conf)
			add_partition(c, arena,
				&prio->partitions[conf -
						  prio->conf->partitions],
				conf->name);
		else if (!prio->conf->n_partitions)
			add_partition(c, arena, NULL, names.v[i]);
	}
}

static void add_qos(
	struct choices *c, struct arena *arena, const struct qos *qos)
{
	size_t i;

	(void)ARENA_PUSH(arena, c->qos, c->n_qos, c->cap_qos);
	for (i = c->n_qos - 1; i && known_or_0(c->qos[i - 1]->priority) <
					    known_or_0(qos->priority);
		i--)
		c->qos[i] = c->qos[i - 1];
	c->qos[i] = qos;
}

static void find_requested_qos(const struct jobprio *prio,
	const struct job *job, struct choices *c, struct arena *arena)
{
	struct strv names = {0};

	strv_split(&names, arena, job->qos_req);
	for (size_t i = 0; names.n > 1 && i < names.n; i++)
		for (size_t j = 0; j < prio->qos.n; j++)
			if (!strcmp(prio->qos.v[j]->name, names.v[i]))
				add_qos(c, arena, prio->qos.v[j]);
}

static void find_qos(const struct jobprio *prio, const struct job *job,
	struct choices *c, struct arena *arena)
{
	if (!job->tres_alloc.n)
		find_requested_qos(prio, job, c, arena);
	for (size_t j = 0; !c->n_qos && j < prio->qos.n; j++)
		if (prio->qos.v[j]->id == job->qos)
			add_qos(c, arena, prio->qos.v[j]);
	if (!c->n_qos)
		*ARENA_PUSH(arena, c->qos, c->n_qos, c->cap_qos) = NULL;
	c->qos_priorities =
		arena_array(arena, c->n_qos, sizeof(*c->qos_priorities));
	for (size_t i = 0; i < c->n_qos; i++)
		c->qos_priorities[i] =
			c->qos[i] ? known_or_0(c->qos[i]->priority) : 0;
}

void jobprio_rows(const struct jobprio *prio, const struct job *job,
	struct arena *arena, struct jobprio_rows *rows)
{
	struct choices c = {0};

	find_partitions(prio, job, &c, arena);
	find_qos(prio, job, &c, arena);
	for (size_t i = 0; i < c.n_partitions; i++) {
		const struct jobprio_partition *p = c.partitions[i].known;
		struct priority_job in = inputs_of(prio, p, job, arena);

		for (size_t j = 0; j < c.n_qos; j++) {
			struct jobprio_row *row =
				ARENA_PUSH(arena, rows->v, rows->n, rows->cap);

			row->job = job;
			row->partition = c.partitions[i].name;
			row->qos = c.qos[j] ? c.qos[j]->name : NULL;
			priority_compute(&prio->context, &in,
				p ? &p->priority : NULL,
				priority_qos(c.qos_priorities, c.n_qos, j),
				&row->result, arena);
		}
	}
}

uint32_t jobprio_highest(const struct jobprio *prio, const struct job *job,
	struct arena *scratch)
{
	struct jobprio_rows rows = {0};
	uint32_t highest = 0;

	jobprio_rows(prio, job, scratch, &rows);
	for (size_t i = 0; i < rows.n; i++)
		if (rows.v[i].result.priority > highest)
			highest = rows.v[i].result.priority;
	return highest;
}
