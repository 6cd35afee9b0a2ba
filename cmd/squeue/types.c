/*
 * The columns of squeue: one row for each type of -O with its letter in -o,
 * heading and getter, in Slurm's order. Types that nothing in the store knows
 * have the text Slurm prints for a job without them.
 */
#include "cmd/squeue/squeue.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"
#include "common/text/timespec.h"

#define UNUSED(x) (void)(x)

const char none_text[] = "(null)";

/* ---- shared getters ------------------------------------------------------*/

const char *show_constant(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(row);
	return type->constant;
}

static const char *show_text(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const char *text;

	UNUSED(l);
	memcpy(&text, (const char *)row->job + type->offset, sizeof(text));
	return *text ? text : none_text;
}

/* Slurm's jobs have one always. */
static const char *show_plain(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const char *text = show_text(l, row, type);

	return text == none_text ? "" : text;
}

static const char *number(const struct listing *l, uint64_t n)
{
	return arena_printf(l->scratch, "%" PRIu64, n);
}

static const char *show_number(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint32_t n;

	memcpy(&n, (const char *)row->job + type->offset, sizeof(n));
	return number(l, n);
}

static const char *show_signed(
	const struct listing *l, const struct row *row, const struct type *type)
{
	int32_t n;

	memcpy(&n, (const char *)row->job + type->offset, sizeof(n));
	return arena_printf(l->scratch, "%" PRId32, n);
}

static const char *moment(const struct listing *l, int64_t when)
{
	return when ? time_format(l->scratch, (time_t)when,
			      l->site->time_format, (time_t)l->now)
		    : "N/A";
}

static const char *show_time(
	const struct listing *l, const struct row *row, const struct type *type)
{
	int64_t when;

	memcpy(&when, (const char *)row->job + type->offset, sizeof(when));
	return moment(l, when);
}

/* Hours only where there are any, as no other command has it. */
static const char *seconds_text(const struct listing *l, int64_t s)
{
	enum { DAY = 86400, YEAR = 365 * DAY };
	int64_t days = s / DAY, hours = s / 3600 % 24;
	int minutes = (int)(s / 60 % 60), seconds = (int)(s % 60);

	if (s < 0 || s > YEAR)
		return "INVALID";
	if (days)
		return arena_printf(l->scratch,
			"%" PRId64 "-%02" PRId64 ":%02d:%02d", days, hours,
			minutes, seconds);
	if (hours)
		return arena_printf(l->scratch, "%" PRId64 ":%02d:%02d", hours,
			minutes, seconds);
	return arena_printf(l->scratch, "%d:%02d", minutes, seconds);
}

static const char *show_exit(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint32_t n;
	int status;

	memcpy(&n, (const char *)row->job + type->offset, sizeof(n));
	status = (int)n;
	return arena_printf(l->scratch, "%d:%d",
		WIFEXITED(status) ? WEXITSTATUS(status) : 0,
		WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* ---- which job -----------------------------------------------------------*/

static const char *show_array_job(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return number(
		l, row->job->array_job ? row->job->array_job : row->job->id);
}

static const char *show_task(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	if (*row->tasks)
		return row->tasks;
	return row->task == NO_VAL ? "N/A" : number(l, row->task);
}

static const char *show_job_id(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const struct job *job = row->job;
	uint32_t array = job->array_job ? job->array_job : job->id;

	UNUSED(type);
	if (*row->tasks)
		return arena_printf(
			l->scratch, "%" PRIu32 "_[%s]", array, row->tasks);
	if (row->task != NO_VAL)
		return arena_printf(
			l->scratch, "%" PRIu32 "_%" PRIu32, array, row->task);
	if (job->het_job)
		return arena_printf(l->scratch, "%" PRIu32 "+%" PRIu32,
			job->het_job,
			job->het_offset == NO_VAL ? 0 : job->het_offset);
	return number(l, job->id);
}

static const char *show_het_job(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return row->job->het_job ? number(l, row->job->het_job) : "N/A";
}

static const char *show_het_offset(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return row->job->het_job ? number(l, row->job->het_offset) : "N/A";
}

const char *row_sluid(const struct listing *l, const struct row *row)
{
	char *buf = arena_alloc(l->scratch, SLUID_SIZE);

	return sluid_text(
		sluid_make(row->queue->key, row->job->id, row->job->submit),
		buf);
}

static const char *show_sluid(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return row_sluid(l, row);
}

/* ---- whose, where --------------------------------------------------------*/

static const char *show_cluster(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return row->queue->cluster;
}

static const char *show_partition(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return row->partition;
}

static const char *show_user(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return row->job->user;
}

static const char *show_uid(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint32_t id;

	memcpy(&id, (const char *)row->job + type->offset, sizeof(id));
	return number(l, id == NO_VAL ? 65534 : id); /* nobody */
}

const char *row_qos(const struct row *row)
{
	const struct job *job = row->job;
	const struct qos_name *qos =
		qos_by_id(&row->queue->site->store.qos, job->qos);

	if (job_state_pending(job->state) && strchr(job->qos_req, ','))
		return job->qos_req;
	return qos ? qos->name : none_text;
}

static const char *show_qos(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return row_qos(row);
}

static const char *show_nodelist(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return row->job->start ? row->job->nodelist : "";
}

const char *row_host(const struct listing *l, const struct row *row)
{
	struct strv names = {0};
	struct err unused;

	if (!row->job->start || !*row->job->nodelist ||
		hostlist_expand(
			row->job->nodelist, l->scratch, &names, &unused))
		return "";
	return names.v[0];
}

static const char *show_host(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const char *host = row_host(l, row);

	UNUSED(type);
	return *host ? host : "n/a";
}

/* ---- state and reason ----------------------------------------------------*/

static const char *show_state(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return job_state_word(row->job->state);
}

static const char *show_code(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return job_state_code(row->job->state);
}

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

const char *row_reason(const struct row *row)
{
	uint32_t state = row->job->state & JOB_BASE_MASK;

	if (state == JOB_PENDING)
		return plan_reason_word(&row->queue->plan, row->job);
	for (size_t i = 0; i < sizeof(end_reasons) / sizeof(*end_reasons); i++)
		if (end_reasons[i].state == state)
			return end_reasons[i].reason;
	return "None";
}

const char *row_description(const struct row *row)
{
	if (!job_state_pending(row->job->state))
		return NULL;
	return plan_description(&row->queue->plan, row->job);
}

static const char *told_reason(const struct row *row)
{
	const char *description = row_description(row);

	return description ? description : row_reason(row);
}

static const char *show_reason(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return told_reason(row);
}

static bool shows_reason(uint32_t state)
{
	uint32_t base = state & JOB_BASE_MASK;

	if (state & JOB_COMPLETING)
		return false;
	return base == JOB_PENDING || (state & JOB_STAGE_OUT) ||
	       base == JOB_TIMEOUT || base == JOB_OUT_OF_MEMORY ||
	       base == JOB_DEADLINE || base == JOB_FAILED;
}

static const char *show_reason_list(
	const struct listing *l, const struct row *row, const struct type *type)
{
	if (!shows_reason(row->job->state))
		return show_nodelist(l, row, type);
	return arena_printf(l->scratch, "(%s)", told_reason(row));
}

/* ---- time ----------------------------------------------------------------*/

/* What the last recorded plan expects of a job that waits; NULL: nothing, or
 * that moment has gone by. */
static const struct expected *expected_of(const struct row *row, int64_t now)
{
	const struct expected *found =
		job_state_pending(row->job->state) && !row->job->hold
			? expected_find(&row->queue->expected, row->job->key)
			: NULL;

	return found && found->start >= now ? found : NULL;
}

/* Of a job that waits as the last plan expects it; or its begin time. */
int64_t row_start(const struct row *row, int64_t now)
{
	if (row->step)
		return row->step->start;
	if (row->job->start)
		return row->job->start;
	if (expected_of(row, now))
		return expected_of(row, now)->start;
	return row->job->begin > now && !row->job->hold ? row->job->begin : 0;
}

const char *row_sched_nodes(const struct row *row, int64_t now)
{
	const struct expected *found = expected_of(row, now);

	return found ? found->nodes : "";
}

static const char *show_sched_nodes(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const char *nodes = row_sched_nodes(row, l->now);

	return *nodes ? nodes : type->constant;
}

bool row_starts_now(const struct row *row)
{
	const struct sched_job *found;

	if (!job_state_pending(row->job->state))
		return false;
	found = plan_find(&row->queue->plan, row->job);
	return found && found->n_starts;
}

uint32_t row_limit(const struct row *row)
{
	if (row->step && row->step->time_limit != NO_VAL)
		return row->step->time_limit;
	return row->job->time_limit != NO_VAL ? row->job->time_limit
					      : row->job->wall_limit;
}

int64_t row_end(const struct row *row)
{
	const struct job *job = row->job;
	uint32_t limit = row_limit(row);

	if (job->end || !job->start)
		return job->end;
	return limit >= NO_VAL ? 0 : job->start + (int64_t)limit * 60;
}

int64_t row_used(const struct row *row, int64_t now)
{
	const struct job *job = row->job;
	int64_t until = job->end ? job->end : now;

	if (row->step)
		return row->step->start ? now - row->step->start : 0;
	if (!job->start)
		return 0;
	if (job->suspended_since)
		until = job->suspended_since;
	return until - job->start - job->suspended;
}

/* When it was told to make way for another job. */
static const char *show_preempt(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const struct preemption *found =
		preemption_find(&row->queue->plan.preemptions, row->job->key);

	UNUSED(type);
	return moment(l, found ? found->warned : 0);
}

static const char *show_start(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return moment(l, row_start(row, l->now));
}

/* That of a job that waits is found anew: others may be before it. */
int64_t row_accrue(const struct row *row)
{
	return job_state_pending(row->job->state)
		       ? jobprio_accrue(&row->queue->plan.prio, row->job)
		       : row->job->accrue;
}

static const char *show_accrue(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return moment(l, row_accrue(row));
}

static const char *show_end(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	if (job_state_started(row->job->state) && row_limit(row) == INFINITE)
		return "NONE";
	return moment(l, row_end(row));
}

static const char *show_used(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return seconds_text(l, row_used(row, l->now));
}

static const char *show_limit(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint32_t limit = row_limit(row);

	UNUSED(type);
	if (limit == INFINITE)
		return "UNLIMITED";
	if (limit == NO_VAL)
		return "NOT_SET";
	return seconds_text(l, (int64_t)limit * 60);
}

static const char *show_left(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint32_t limit = row_limit(row);

	if (limit >= NO_VAL)
		return show_limit(l, row, type);
	return seconds_text(l, (int64_t)limit * 60 - row_used(row, l->now));
}

static const char *show_min_time(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint32_t least = row->job->time_min;

	UNUSED(type);
	return seconds_text(l, least >= NO_VAL ? 0 : (int64_t)least * 60);
}

static const char *show_pending(
	const struct listing *l, const struct row *row, const struct type *type)
{
	int64_t start = row_start(row, l->now);

	UNUSED(type);
	if (!start || start >= l->now)
		start = l->now;
	return arena_printf(l->scratch, "%" PRId64, start - row->job->submit);
}

/* ---- amounts -------------------------------------------------------------*/

static const struct tres_list *tres_of(const struct row *row)
{
	return row->job->tres_alloc.n ? &row->job->tres_alloc
				      : &row->job->tres_req;
}

static uint64_t amount(const struct row *row, uint32_t id, uint64_t otherwise)
{
	uint64_t count = tres_list_get(tres_of(row), id);

	return count < NO_VAL64 ? count : otherwise;
}

uint32_t row_cpus(const struct row *row)
{
	return (uint32_t)amount(row, TRES_CPU, row->job->cpus_req);
}

uint32_t row_nodes(const struct row *row)
{
	uint32_t wanted = row->job->nodes_req;
	uint32_t nodes = (uint32_t)amount(row, TRES_NODE, wanted);

	return !row->job->start && wanted > nodes ? wanted : nodes;
}

uint64_t row_memory(const struct row *row)
{
	uint64_t nodes = row->job->nodes_req ? row->job->nodes_req : 1;
	uint64_t mem = row->job->mem_req != NO_VAL64 ? row->job->mem_req : 0;

	return mem / nodes + (mem % nodes != 0);
}

static const char *show_cpus(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return number(l, row_cpus(row));
}

static const char *show_nodes(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return number(l, row_nodes(row));
}

/* As the TRES strings have it: 62.50G. */
static const char *show_memory(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const struct tres_catalog *catalog = &l->site->store.tres;
	struct tres_list list = {0};
	uint64_t mem = row_memory(row);

	UNUSED(type);
	if (!mem)
		return "0";
	if (l->options->no_convert)
		return arena_printf(l->scratch, "%" PRIu64 "M", mem);
	tres_list_set(&list, l->scratch, TRES_MEM, mem);
	return tres_list_format(&list, catalog, 0, l->scratch) + strlen("mem=");
}

static const char *show_tres(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const char *text = tres_list_format(
		tres_of(row), &l->site->store.tres, TRES_BY_ID, l->scratch);

	UNUSED(type);
	return *text ? text : "N/A";
}

/* "gpu:2" is "gres/gpu:2" to Slurm. */
static const char *show_gres(
	const struct listing *l, const struct row *row, const struct type *type)
{
	struct strv words = {0}, full = {0};

	UNUSED(type);
	if (!*row->job->gres)
		return "N/A";
	strv_split(&words, l->scratch, row->job->gres);
	for (size_t i = 0; i < words.n; i++)
		strv_push(&full, l->scratch,
			strncmp(words.v[i], "gres", 4)
				? arena_printf(
					  l->scratch, "gres/%s", words.v[i])
				: words.v[i]);
	return strv_join(&full, ",", l->scratch);
}

static const char *show_share(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const struct conf_partition *p =
		conf_partition_by_name(&l->site->conf, row->partition);
	bool may = p && (p->max_share > 1 || p->share_force);

	UNUSED(type);
	return may && !row->job->exclusive ? "OK" : "NO";
}

static const char *show_exclusive(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(l);
	UNUSED(type);
	return row->job->exclusive ? "NODE" : "NO";
}

/* ---- priority ------------------------------------------------------------*/

static const char *show_priority(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return number(l, row->priority);
}

static const char *show_priority_norm(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return arena_printf(
		l->scratch, "%16.14f", (double)row->priority / UINT32_MAX);
}

uint32_t row_assoc(const struct row *row)
{
	const struct jobprio *prio = &row->queue->plan.prio;
	uint32_t place = shares_find(prio->index, row->job->assoc);

	return place == UINT32_MAX ? 0 : prio->shares.v[place].id;
}

static const char *show_assoc(
	const struct listing *l, const struct row *row, const struct type *type)
{
	UNUSED(type);
	return number(l, row_assoc(row));
}

/* ---- the table -----------------------------------------------------------*/

#define AT(member) offsetof(struct job, member)
#define GET(name, letter, heading, getter)                                     \
	{                                                                      \
		name, letter, heading, show_##getter, 0, NULL, 0, false        \
	}
#define MEMBER(name, letter, heading, getter, member)                          \
	{                                                                      \
		name, letter, heading, show_##getter, AT(member), NULL, 0,     \
			false                                                  \
	}
#define WHOLE(name, letter, heading, getter, what)                             \
	{                                                                      \
		name, letter, heading, show_##getter, 0, NULL, what, false     \
	}
#define FIXED(name, letter, heading, text)                                     \
	{                                                                      \
		name, letter, heading, show_constant, 0, text, false, false    \
	}
#define HIDDEN(name, letter, heading, getter)                                  \
	{                                                                      \
		name, letter, heading, show_##getter, 0, NULL, 0, true         \
	}
#define NOTHING none_text

/* clang-format off */
const struct type squeue_types[TYPES] = {
	MEMBER("Account", 'a', "ACCOUNT", text, account),
	GET("AccrueTime", 0, "ACCRUE_TIME", accrue),
	MEMBER("admin_comment", 0, "ADMIN_COMMENT", text, admin_comment),
	FIXED("AllocNodes", 0, "ALLOC_NODES", NOTHING),
	FIXED("AllocSID", 0, "ALLOC_SID", "0"),
	GET("ArrayJobId", 'F', "ARRAY_JOB_ID", array_job),
	GET("ArrayTaskId", 'K', "ARRAY_TASK_ID", task),
	GET("AssocId", 0, "ASSOC_ID", assoc),
	FIXED("BatchFlag", 0, "BATCH_FLAG", "1"),
	GET("BatchHost", 'B', "EXEC_HOST", host),
	FIXED("BoardsPerNode", 0, "BOARDS_PER_NODE", "0"),
	FIXED("BurstBuffer", 0, "BURST_BUFFER", NOTHING),
	FIXED("BurstBufferState", 0, "BURST_BUFFER_STATE", NOTHING),
	GET("Cluster", 0, "CLUSTER", cluster),
	FIXED("ClusterFeature", 0, "CLUSTER_FEATURES", NOTHING),
	FIXED("Command", 'o', "COMMAND", NOTHING),
	MEMBER("Comment", 'k', "COMMENT", text, comment),
	MEMBER("Container", 0, "CONTAINER", text, container),
	FIXED("ContainerId", 0, "CONTAINERID", NOTHING),
	FIXED("ContainerType", 0, "CONTAINERTYPE", NOTHING),
	FIXED("Contiguous", 'O', "CONTIGUOUS", "0"),
	FIXED("Cores", 'I', "CORES_PER_SOCKET", "*"),
	FIXED("CoreSpec", 'X', "CORE_SPEC", "N/A"),
	FIXED("CPUsPerTask", 0, "CPUS_PER_TASK", "1"),
	FIXED("cpus-per-task", 0, "CPUS_PER_TASK", "1"),
	FIXED("cpus-per-tres", 0, "CPUS_PER_TRES", "N/A"),
	FIXED("CronJob", 0, "CRON_JOB", "No"),
	FIXED("Deadline", 0, "DEADLINE", "N/A"),
	FIXED("DelayBoot", 0, "DELAY_BOOT", "0:00"),
	MEMBER("Dependency", 'E', "DEPENDENCY", text, dependency),
	MEMBER("DerivedEC", 0, "DERIVED_EC", exit, derived_ec),
	MEMBER("EligibleTime", 0, "ELIGIBLE_TIME", time, eligible),
	GET("EndTime", 'e', "END_TIME", end),
	FIXED("ExcNodes", 'x', "EXC_NODES", ""),
	GET("Exclusive", 0, "EXCLUSIVE", exclusive),
	MEMBER("exit_code", 0, "EXIT_CODE", exit, exit_code),
	MEMBER("Feature", 'f', "FEATURES", text, constraints),
	HIDDEN("Gres", 'b', "TRES_PER_NODE", gres),
	MEMBER("GroupId", 'G', "GROUP", uid, gid),
	MEMBER("GroupName", 'g', "GROUP", text, group),
	GET("HetJobId", 0, "HET_JOB_ID", het_job),
	GET("HetJobIdSet", 0, "HET_JOB_ID_SET", het_job),
	GET("HetJobOffset", 0, "HET_JOB_OFFSET", het_offset),
	GET("JobArrayId", 'i', "JOBID", job_id),
	MEMBER("JobId", 'A', "JOBID", number, id),
	FIXED("LastSchedEval", 0, "LAST_SCHED_EVAL", "N/A"),
	MEMBER("Licenses", 'W', "LICENSES", text, licenses),
	FIXED("LicensesAlloc", 0, "LICENSES_ALLOC", NOTHING),
	GET("MaxCPUs", 0, "MAX_CPUS", cpus),
	GET("MaxNodes", 0, "MAX_NODES", nodes),
	FIXED("mem-per-tres", 0, "MEM_PER_TRES", "N/A"),
	FIXED("MCSLabel", 0, "MCSLABEL", NOTHING),
	FIXED("MinCPUs", 'c', "MIN_CPUS", "1"),
	GET("MinMemory", 'm', "MIN_MEMORY", memory),
	GET("MinTime", 0, "TIME_MIN", min_time),
	FIXED("MinTmpDisk", 'd', "MIN_TMP_DISK", "0"),
	MEMBER("Name", 'j', "NAME", plain, name),
	FIXED("Network", 0, "NETWORK", NOTHING),
	MEMBER("Nice", 'y', "NICE", signed, nice),
	WHOLE("NodeList", 'N', "NODELIST", nodelist,
		WHOLE_VALUE | WHOLE_HEADING),
	FIXED("NTPerCore", 0, "NTASKS_PER_CORE", "N/A"),
	FIXED("NTPerNode", 0, "NTASKS_PER_NODE", "0"),
	FIXED("NTPerSocket", 0, "NTASKS_PER_SOCKET", "N/A"),
	FIXED("NTPerBoard", 0, "NTASKS_PER_BOARD", "0"),
	GET("NumCPUs", 'C', "CPUS", cpus),
	GET("NumNodes", 'D', "NODES", nodes),
	GET("NumTasks", 0, "TASKS", nodes),
	FIXED("Origin", 0, "ORIGIN", "NA"),
	FIXED("OriginRaw", 0, "ORIGIN_RAW", "NA"),
	GET("OverSubscribe", 'h', "OVER_SUBSCRIBE", share),
	HIDDEN("PackJobId", 0, "HET_JOB_ID", het_job),
	HIDDEN("PackJobIdSet", 0, "HET_JOB_ID_SET", het_job),
	HIDDEN("PackJobOffset", 0, "HET_JOB_OFFSET", het_offset),
	GET("Partition", 'P', "PARTITION", partition),
	GET("PendingTime", 0, "PENDING_TIME", pending),
	GET("PreemptTime", 0, "PREEMPT_TIME", preempt),
	FIXED("Prefer", 0, "PREFER", NOTHING),
	GET("Priority", 'p', "PRIORITY", priority_norm),
	GET("PriorityLong", 'Q', "PRIORITY", priority),
	FIXED("Profile", 0, "PROFILE", "NotSet"),
	GET("QOS", 'q', "QOS", qos),
	GET("Reason", 'r', "REASON", reason),
	WHOLE("ReasonList", 'R', "NODELIST(REASON)", reason_list,
		WHOLE_VALUE | WHOLE_HEADING),
	FIXED("Reboot", 0, "REBOOT", "0"),
	FIXED("ReqNodes", 'n', "REQ_NODES", ""),
	FIXED("ReqSwitch", 0, "REQ_SWITCH", "0"),
	FIXED("Requeue", 0, "REQUEUE", "1"),
	MEMBER("Reservation", 'v', "RESERVATION", text, reservation),
	FIXED("ResizeTime", 0, "RESIZE_TIME", "N/A"),
	MEMBER("RestartCnt", 0, "RESTART_COUNT", number, restarts),
	{"SchedNodes", 'Y', "SCHEDNODES", show_sched_nodes, 0, NOTHING,
		WHOLE_VALUE | WHOLE_HEADING, false},
	FIXED("SCT", 'z', "S:C:T", "*:*:*"),
	FIXED("SegmentSize", 0, "SEGMENT_SIZE", "N/A"),
	FIXED("SiblingsActive", 0, "ACTIVE_SIBLINGS", "NA"),
	FIXED("SiblingsActiveRaw", 0, "ACTIVE_SIBLINGS_RAW", "NA"),
	FIXED("SiblingsViable", 0, "VIABLE_SIBLINGS", "NA"),
	FIXED("SiblingsViableRaw", 0, "VIALBLE_SIBLINGS_RAW", "NA"),
	HIDDEN("Shared", 'h', "OVER_SUBSCRIBE", share),
	GET("SLUID", 's', "SLUID", sluid),
	FIXED("Sockets", 'H', "SOCKETS_PER_NODE", "*"),
	FIXED("SPerBoard", 0, "SOCKETS_PER_BOARD", "0"),
	GET("StartTime", 'S', "START_TIME", start),
	GET("State", 'T', "STATE", state),
	GET("StateCompact", 't', "ST", code),
	FIXED("StdErr", 0, "STDERR", NOTHING),
	FIXED("StdIn", 0, "STDIN", NOTHING),
	FIXED("StdOut", 0, "STDOUT", NOTHING),
	MEMBER("SubmitTime", 'V', "SUBMIT_TIME", time, submit),
	MEMBER("system_comment", 0, "SYSTEM_COMMENT", text, system_comment),
	FIXED("Threads", 'J', "THREADS_PER_CORE", "*"),
	WHOLE("TimeLeft", 'L', "TIME_LEFT", left, WHOLE_VALUE),
	WHOLE("TimeLimit", 'l', "TIME_LIMIT", limit, WHOLE_VALUE),
	WHOLE("TimeUsed", 'M', "TIME", used, WHOLE_VALUE),
	HIDDEN("Tres", 0, "TRES_ALLOC", tres),
	GET("tres-alloc", 0, "TRES_ALLOC", tres),
	FIXED("tres-bind", 0, "TRES_BIND", "N/A"),
	FIXED("tres-freq", 0, "TRES_FREQ", "N/A"),
	FIXED("tres-per-job", 0, "TRES_PER_JOB", "N/A"),
	HIDDEN("tres-per-node", 0, "TRES_PER_NODE", gres),
	FIXED("tres-per-socket", 0, "TRES_PER_SOCKET", "N/A"),
	FIXED("tres-per-task", 0, "TRES_PER_TASK", "N/A"),
	MEMBER("UserId", 'U', "UID", uid, uid),
	GET("UserName", 'u', "USER", user),
	FIXED("Wait4Switch", 0, "WAIT4SWITCH", "0:00"),
	MEMBER("WCKey", 'w', "WCKEY", text, wckey),
	MEMBER("WorkDir", 'Z', "WORK_DIR", text, work_dir),
};
/* clang-format on */

static const struct type *types_of(bool steps, size_t *n)
{
	*n = steps ? STEP_TYPES : TYPES;
	return steps ? squeue_step_types : squeue_types;
}

const struct type *type_by_letter(char letter, bool steps)
{
	size_t n;
	const struct type *types = types_of(steps, &n);

	for (size_t i = 0; letter && i < n; i++)
		if (types[i].letter == letter)
			return &types[i];
	return NULL;
}

const struct type *type_by_name(const char *name, bool steps)
{
	size_t n;
	const struct type *types = types_of(steps, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcasecmp(types[i].name, name))
			return &types[i];
	return NULL;
}

void print_letters(bool steps)
{
	size_t types, n = 0;
	const struct type *v = types_of(steps, &types);

	for (size_t i = 0; i < types; i++)
		if (v[i].letter && !v[i].hidden)
			printf("%s%%%-5c", n && n % 8 == 0 ? "\n" : "",
				v[i].letter),
				n++;
	putchar('\n');
}

void print_types(bool steps)
{
	size_t types, n = 0;
	const struct type *v = types_of(steps, &types);

	for (size_t i = 0; i < types; i++)
		if (!v[i].hidden)
			printf("%s%-20s", n && n % 4 == 0 ? "\n" : "",
				v[i].name),
				n++;
	putchar('\n');
}
