/*
 * The queue of a cluster as squeue and scontrol tell of it; see queue.h.
 */
#include "db/view/queue.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"

const char none_text[] = "(null)";

static int64_t now_of(const struct queue_row *row)
{
	return row->queue->site->now;
}

/* ---- which job -----------------------------------------------------------*/

const char *queue_job_id(const struct queue_row *row, struct arena *arena)
{
	return job_shown_id(row->job, row->tasks, row->task, arena);
}

const char *queue_sluid(const struct queue_row *row, struct arena *arena)
{
	return sluid_text(
		sluid_make(row->queue->key, row->job->id, row->job->submit),
		arena_alloc(arena, SLUID_SIZE));
}

/* ---- whose, where --------------------------------------------------------*/

const char *queue_qos(const struct queue_row *row)
{
	const struct job *job = row->job;
	const struct qos_name *qos =
		qos_by_id(&row->queue->site->store.qos, job->qos);

	if (job_state_pending(job->state) && strchr(job->qos_req, ','))
		return job->qos_req;
	return qos ? qos->name : none_text;
}

const char *queue_host(const struct queue_row *row, struct arena *arena)
{
	return row->job->start ? hostlist_first(row->job->nodelist, arena) : "";
}

/* ---- state and reason ----------------------------------------------------*/

/* Why a job ended as it did. */
static const struct {
	uint32_t state;
	const char *reason;
} end_reasons[] = {
	{JOB_FAILED, "NonZeroExitCode"},
	{JOB_TIMEOUT, "TimeLimit"},
	{JOB_NODE_FAIL, "NodeDown"},
	{JOB_OUT_OF_MEMORY, "OutOfMemory"},
	{JOB_DEADLINE, "DeadLine"},
};

const char *queue_reason(const struct queue_row *row)
{
	uint32_t state = row->job->state & JOB_BASE_MASK;

	if (state == JOB_PENDING)
		return plan_reason_word(&row->queue->plan, row->job);
	for (size_t i = 0; i < sizeof(end_reasons) / sizeof(*end_reasons); i++)
		if (end_reasons[i].state == state)
			return end_reasons[i].reason;
	return "None";
}

const char *queue_description(const struct queue_row *row)
{
	if (!job_state_pending(row->job->state))
		return NULL;
	return plan_description(&row->queue->plan, row->job);
}

/* ---- time ----------------------------------------------------------------*/

/* What the last recorded plan expects of a pending job; NULL: nothing, or that
 * moment has passed. */
static const struct expected *expected_of(const struct queue_row *row)
{
	const struct expected *found =
		job_state_pending(row->job->state) && !row->job->hold
			? expected_find(&row->queue->expected, row->job->key)
			: NULL;

	return found && found->start >= now_of(row) ? found : NULL;
}

/* Of a job that waits as the last plan expects it; or its begin time. */
int64_t queue_start(const struct queue_row *row)
{
	if (row->step)
		return row->step->start;
	if (row->job->start)
		return row->job->start;
	if (expected_of(row))
		return expected_of(row)->start;
	return row->job->begin > now_of(row) && !row->job->hold ? row->job->begin : 0;
}

const char *queue_sched_nodes(const struct queue_row *row)
{
	const struct expected *found = expected_of(row);

	return found ? found->nodes : "";
}

bool queue_starts_now(const struct queue_row *row)
{
	const struct sched_job *found;

	if (!job_state_pending(row->job->state))
		return false;
	found = plan_find(&row->queue->plan, row->job);
	return found && found->n_starts;
}

uint32_t queue_limit(const struct queue_row *row)
{
	if (row->step && row->step->time_limit != NO_VAL)
		return row->step->time_limit;
	return row->job->time_limit != NO_VAL ? row->job->time_limit
					      : row->job->wall_limit;
}

int64_t queue_end(const struct queue_row *row)
{
	const struct job *job = row->job;
	uint32_t limit = queue_limit(row);

	if (job->end || !job->start)
		return job->end;
	return limit >= NO_VAL ? 0 : job->start + (int64_t)limit * 60;
}

int64_t queue_used(const struct queue_row *row)
{
	const struct job *job = row->job;
	int64_t until = job->end ? job->end : now_of(row);

	if (row->step)
		return row->step->start ? now_of(row) - row->step->start : 0;
	if (!job->start)
		return 0;
	if (job->suspended_since)
		until = job->suspended_since;
	return until - job->start - job->suspended;
}

/* A pending job's reason is computed again: others may be ahead of it. */
int64_t queue_accrue(const struct queue_row *row)
{
	return job_state_pending(row->job->state)
		       ? jobprio_accrue(&row->queue->plan.prio, row->job)
		       : row->job->accrue;
}

/* ---- amounts -------------------------------------------------------------*/

const struct tres_list *queue_tres(const struct queue_row *row)
{
	return row->job->tres_alloc.n ? &row->job->tres_alloc
				      : &row->job->tres_req;
}

static uint64_t amount(const struct queue_row *row, uint32_t id, uint64_t otherwise)
{
	uint64_t count = tres_list_get(queue_tres(row), id);

	return count < NO_VAL64 ? count : otherwise;
}

uint32_t queue_cpus(const struct queue_row *row)
{
	return (uint32_t)amount(row, TRES_CPU, row->job->cpus_req);
}

static uint32_t asked_nodes(const struct queue_row *row)
{
	uint32_t wanted = row->job->nodes_req;
	uint32_t nodes = (uint32_t)amount(row, TRES_NODE, wanted);

	return !row->job->start && wanted > nodes ? wanted : nodes;
}

static uint32_t most_cpus(
	const struct conf *conf, const struct conf_partition *p)
{
	uint32_t most = 0;

	for (size_t i = 0; i < p->nodes.n; i++) {
		const struct conf_node *node =
			conf_node_by_name(conf, p->nodes.v[i]);

		if (node && node->cpus > most)
			most = node->cpus;
	}
	return most;
}

/* CPUs of the largest node of the (first) partition; 0: unknown. */
static uint32_t largest_cpus(const struct queue_row *row)
{
	struct queue *queue = row->queue;
	const struct conf *conf = &queue->site->conf;
	struct arena *arena = queue->plan.arena;
	const char *list = row->partition;
	const struct conf_partition *p = conf_partition_by_name(conf,
		strchr(list, ',')
			? arena_strndup(arena, list, strcspn(list, ","))
			: list);
	uint32_t *largest;

	if (!p)
		return queue->plan.largest_cpus;
	if (!queue->largest_cpus)
		queue->largest_cpus = arena_array(arena, conf->n_partitions,
			sizeof(*queue->largest_cpus));
	largest = &queue->largest_cpus[p - conf->partitions];
	if (!*largest)
		*largest = most_cpus(conf, p);
	return *largest;
}

/* Those that its tasks need at least, as slurmctld guesses. */
static uint32_t least_nodes(const struct queue_row *row)
{
	const struct job *job = row->job;
	uint32_t each = job->cpus_per_task ? job->cpus_per_task : 1;
	uint32_t tasks = job->tasks ? job->tasks : queue_cpus(row) / each;
	uint32_t largest = largest_cpus(row);

	if (job->tasks_per_node)
		return tasks / job->tasks_per_node;
	if (!largest)
		return 0;
	if (each > 1)
		return tasks / (largest > each ? largest / each : 1);
	return tasks / largest + (tasks % largest != 0);
}

uint32_t queue_nodes(const struct queue_row *row)
{
	uint32_t asked = asked_nodes(row);
	uint32_t least = row->job->start ? 0 : least_nodes(row);

	return least > asked ? least : asked;
}

uint32_t queue_tasks(const struct queue_row *row)
{
	return row->job->tasks ? row->job->tasks : asked_nodes(row);
}

uint64_t queue_memory(const struct queue_row *row)
{
	const struct job *job = row->job;
	uint64_t nodes = job->nodes_req ? job->nodes_req : 1;
	uint64_t mem = job->mem_req != NO_VAL64 ? job->mem_req : 0;

	if (job->mem_per_cpu)
		return job->mem_per_cpu;
	if (job->mem_per_node)
		return job->mem_per_node;
	return mem / nodes + (mem % nodes != 0);
}

/* Those of one task, or of all tasks that a node must take. */
uint32_t queue_least_cpus(const struct queue_row *row)
{
	const struct job *job = row->job;
	uint32_t each = job->cpus_per_task ? job->cpus_per_task : 1;

	return job->tasks_per_node ? job->tasks_per_node * each : each;
}

/* "gpu:2" is "gres/gpu:2" to Slurm. */
const char *queue_gres(const struct queue_row *row, struct arena *arena)
{
	struct strv words = {0}, full = {0};

	if (!*row->job->gres)
		return "";
	strv_split(&words, arena, row->job->gres);
	for (size_t i = 0; i < words.n; i++)
		strv_push(&full, arena,
			strncmp(words.v[i], "gres", 4)
				? arena_printf(arena, "gres/%s", words.v[i])
				: words.v[i]);
	return strv_join(&full, ",", arena);
}

const char *queue_gpus(uint32_t each, struct arena *arena)
{
	return each ? arena_printf(arena, "gres/gpu:%" PRIu32, each) : "";
}

int64_t queue_preempted(const struct queue_row *row)
{
	const struct preemption *found =
		preemption_find(&row->queue->plan.preemptions, row->job->key);

	return found ? found->warned : 0;
}

bool queue_shares(const struct queue_row *row)
{
	const struct conf_partition *p = conf_partition_by_name(
		&row->queue->site->conf, row->partition);

	return p && (p->max_share > 1 || p->share_force) &&
	       !row->job->exclusive;
}

/* ---- priority ------------------------------------------------------------*/

uint32_t queue_assoc(const struct queue_row *row)
{
	const struct jobprio *prio = &row->queue->plan.prio;
	uint32_t index = shares_find(prio->index, row->job->assoc);

	return index == UINT32_MAX ? 0 : prio->shares.v[index].id;
}

uint32_t queue_priority(const struct queue *queue, const struct job *job)
{
	SCRATCH_ARENA(scratch);
	uint32_t priority;

	if (job->hold)
		return 0;
	if (job->start && job->last_priority != NO_VAL)
		return job->last_priority;
	priority = jobprio_highest(&queue->plan.prio, job, &scratch);
	return priority;
}

/* ---- all -----------------------------------------------------------------*/

int queue_open(struct queue *queue, struct site *site, const char *cluster,
	struct arena *arena)
{
	*queue = (struct queue){.cluster = cluster, .site = site};
	if (plan_make(&queue->plan, site, cluster, site->now, NULL, arena))
		return -1;
	queue->key = queue->plan.prio.cluster;
	queue->members = queue_members(arena);
	return 0;
}

int queue_load_ended(struct queue *queue, struct arena *arena)
{
	struct job_cond cond = {.cluster = queue->key};

	for (uint32_t i = 0; i < JOB_BASE_STATES; i++)
		if (job_state_finished(i))
			cond.states |= JOB_STATE_BIT(i);
	cond.from = queue->site->now - queue->site->conf.min_job_age;
	return job_load(&queue->site->store, &cond, arena, &queue->ended);
}
