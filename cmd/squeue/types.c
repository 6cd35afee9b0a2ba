/*
 * The columns of squeue: types of -O with their letter in -o, heading and getter,
 * in Slurm's order. Facts that the store keeps (common/table/job.c) have a row
 * here where they look otherwise; types that nothing in the store knows have the
 * text Slurm prints for a job without them.
 */
#include "cmd/squeue/squeue.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/base/words.h"
#include "common/text/hostlist.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"
#include "common/text/timespec.h"
#include "db/job/job.h"

static const char *seconds_text(int64_t s, struct arena *arena)
{
	enum { YEAR = 365 * 86400 };

	return s < 0 || s > YEAR ? "INVALID"
				 : duration_short(arena, (uint64_t)s);
}

/* ---- which job -----------------------------------------------------------*/

static struct value task_of(const struct queue_row *row)
{
	if (*row->tasks)
		return of_text(row->tasks);
	return row->task == NO_VAL ? of_text("N/A") : of_uint(row->task);
}

/* ---- state and reason ----------------------------------------------------*/

static const char *told_reason(const struct queue_row *row)
{
	const char *description = queue_description(row);

	return description ? description : queue_reason(row);
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

static const char *nodes_or_reason(const struct queue_row *row, struct arena *arena)
{
	if (shows_reason(row->job->state))
		return arena_printf(arena, "(%s)", told_reason(row));
	return row->job->start ? row->job->nodelist : "";
}

/* ---- time ----------------------------------------------------------------*/

static struct value end_of(const struct queue_row *row)
{
	if (job_state_started(row->job->state) && queue_limit(row) == INFINITE)
		return of_text("NONE");
	return of_time(queue_end(row));
}

static const char *limit_text(const struct queue_row *row, struct arena *arena)
{
	uint32_t limit = queue_limit(row);

	if (limit == INFINITE)
		return "UNLIMITED";
	if (limit == NO_VAL)
		return "NOT_SET";
	return seconds_text((int64_t)limit * 60, arena);
}

static struct value left_seconds(const struct queue_row *row)
{
	uint32_t limit = queue_limit(row);

	return limit >= NO_VAL ? no_value()
			       : of_int((int64_t)limit * 60 - queue_used(row));
}

static const char *left_text(const struct queue_row *row, struct arena *arena)
{
	uint32_t limit = queue_limit(row);

	if (limit >= NO_VAL)
		return limit_text(row, arena);
	return seconds_text((int64_t)limit * 60 - queue_used(row), arena);
}

static const char *min_time_text(const struct queue_row *row, struct arena *arena)
{
	uint32_t least = row->job->time_min;

	return seconds_text(least >= NO_VAL ? 0 : (int64_t)least * 60, arena);
}

static int64_t pending_seconds(const struct queue_row *row)
{
	int64_t start = queue_start(row), now = row->queue->site->now;

	return (start && start < now ? start : now) - row->job->submit;
}

/* ---- amounts -------------------------------------------------------------*/

/* As the TRES strings have it: 62.50G. */
static const char *memory_text(const struct queue_row *row, struct arena *arena)
{
	const struct tres_catalog *catalog = &row->queue->site->store.tres;
	struct tres_list list = {0};
	uint64_t mem = queue_memory(row);

	if (!mem)
		return "0";
	if (row->queue->no_convert)
		return arena_printf(arena, "%" PRIu64 "M", mem);
	tres_list_set(&list, arena, TRES_MEM, mem);
	return tres_list_format(&list, catalog, 0, arena) + strlen("mem=");
}

static const char *tres_text(const struct queue_row *row, struct arena *arena)
{
	const char *text = tres_list_format(queue_tres(row),
		&row->queue->site->store.tres, TRES_BY_ID, arena);

	return *text ? text : "N/A";
}

static const char *or_na(const char *text)
{
	return *text ? text : "N/A";
}

static const char *file_text(
	const struct queue_row *row, const char *name, struct arena *arena)
{
	if (!*name)
		return none_text;
	return row->queue->expand ? job_file_expand(row->job, name, arena) : name;
}

/* ---- getters -------------------------------------------------------------*/

#define GET(name, expression) GETTER(name, struct queue_row, expression)
GET(job_number, of_uint(row->job->id))
GET(array_job, of_uint(row->job->array_job ? row->job->array_job
					   : row->job->id))
GET(task, task_of(row))
GET(job_id, of_text(queue_job_id(row, arena)))
GET(het_job, row->job->het_job ? of_uint(row->job->het_job) : of_text("N/A"))
GET(het_offset,
	row->job->het_job ? of_uint(row->job->het_offset) : of_text("N/A"))
GET(sluid, of_text(queue_sluid(row, arena)))
GET(cluster, of_text(row->queue->cluster))
GET(partition, of_text(row->partition))
/* Not "(null)" where it is empty. */
GET(as_is, member_raw(m, row, arena))
GET(nobody_or_id, of_uint(member_raw(m, row, arena).number == NO_VAL
				? 65534
				: member_raw(m, row, arena).number))
GET(qos, of_text(queue_qos(row)))
GET(nodelist, of_text(row->job->start ? row->job->nodelist : ""))
GET(segment, row->job->segment_size ? of_uint(row->job->segment_size)
				    : of_text("N/A"))
GET(licenses_held, of_text(row->job->start && *row->job->licenses
				? row->job->licenses
				: none_text))
GET(host, of_text(*queue_host(row, arena) ? queue_host(row, arena) : "n/a"))
GET(state, of_text(job_state_word(row->job->state)))
GET(code, of_text(job_state_code(row->job->state)))
GET(reason, of_text(told_reason(row)))
GET(reason_list, of_text(nodes_or_reason(row, arena)))
GET(sched_nodes,
	of_text(*queue_sched_nodes(row) ? queue_sched_nodes(row) : none_text))
GET(preempt, of_time(queue_preempted(row)))
GET(start, of_time(queue_start(row)))
GET(accrue, of_time(queue_accrue(row)))
GET(end, end_of(row))
GET(used, of_text(seconds_text(queue_used(row), arena)))
GET(time_limit, of_text(limit_text(row, arena)))
GET(minutes, of_limit(queue_limit(row)))
GET(used_seconds, of_int(queue_used(row)))
GET(left_seconds, left_seconds(row))
GET(priority_real, of_real((double)row->priority / UINT32_MAX))
GET(left, of_text(left_text(row, arena)))
GET(min_time, of_text(min_time_text(row, arena)))
GET(pending, of_int(pending_seconds(row)))
GET(cpus, of_uint(queue_cpus(row)))
GET(nodes, of_uint(queue_nodes(row)))
GET(memory, of_text(memory_text(row, arena)))
GET(tres_held, of_text(tres_text(row, arena)))
GET(gres, of_text(or_na(queue_gres(row, arena))))
GET(gpus_per_task,
	of_text(or_na(queue_gpus(row->job->gpus_per_task, arena))))
GET(gpus_per_socket,
	of_text(or_na(queue_gpus(row->job->gpus_per_socket, arena))))
GET(tasks, of_uint(queue_tasks(row)))
GET(per_task, of_uint(row->job->cpus_per_task ? row->job->cpus_per_task : 1))
GET(least_cpus, of_uint(queue_least_cpus(row)))
GET(most_nodes,
	of_uint(row->job->nodes_max ? row->job->nodes_max : queue_nodes(row)))
GET(file, of_text(file_text(row, member_raw(m, row, arena).text, arena)))
GET(share, of_text(queue_shares(row) ? "OK" : "NO"))
GET(exclusive, of_text(row->job->exclusive ? "NODE" : "NO"))
GET(priority, of_uint(row->priority))
GET(priority_norm, of_text(arena_printf(arena, "%16.14f",
			   (double)row->priority / UINT32_MAX)))
GET(assoc, of_uint(queue_assoc(row)))

/* ---- the table -----------------------------------------------------------*/

#define TYPE(type, in_o, heading_) \
	.names = (type), .letter = (in_o), .heading = (heading_)
#define WHOLE(type, in_o, heading_, getter, ...) \
	{TYPE(type, in_o, heading_), .get = getter, .marks = __VA_ARGS__}

/* clang-format off */
static const struct member types[] = {
	{"accrue", .get = get_accrue},
	{TYPE("AllocNodes", 0, "ALLOC_NODES"), .constant = none_text},
	{TYPE("AllocSID", 0, "ALLOC_SID"), .constant = "0"},
	{"array_job", .get = get_array_job},
	{"array_task", .get = get_task},
	{"assoc", .get = get_assoc},
	{TYPE("BatchFlag", 0, "BATCH_FLAG"), .constant = "1"},
	{TYPE("BatchHost", 'B', "EXEC_HOST"), .get = get_host},
	{TYPE("BoardsPerNode", 0, "BOARDS_PER_NODE"), .constant = "0"},
	{TYPE("BurstBuffer", 0, "BURST_BUFFER"), .constant = none_text},
	{TYPE("BurstBufferState", 0, "BURST_BUFFER_STATE"), .constant = none_text},
	{TYPE("Cluster", 0, "CLUSTER"), .get = get_cluster},
	{TYPE("ClusterFeature", 0, "CLUSTER_FEATURES"), .constant = none_text},
	{TYPE("Command", 'o', "COMMAND"), .constant = none_text},
	{TYPE("ContainerId", 0, "CONTAINERID"), .constant = none_text},
	{TYPE("ContainerType", 0, "CONTAINERTYPE"), .constant = none_text},
	{TYPE("Contiguous", 'O', "CONTIGUOUS"), .constant = "0"},
	{TYPE("Cores", 'I', "CORES_PER_SOCKET"), .constant = "*"},
	{TYPE("CoreSpec", 'X', "CORE_SPEC"), .constant = "N/A"},
	{"cpus_per_task", .get = get_per_task},
	{TYPE("cpus-per-task", 0, "CPUS_PER_TASK"), .get = get_per_task},
	{TYPE("cpus-per-tres", 0, "CPUS_PER_TRES"), .constant = "N/A"},
	{TYPE("CronJob", 0, "CRON_JOB"), .constant = "No"},
	{TYPE("Deadline", 0, "DEADLINE"), .constant = "N/A"},
	{TYPE("DelayBoot", 0, "DELAY_BOOT"), .constant = "0:00"},
	{"end", .get = get_end},
	{"nodes_excluded", .get = get_as_is},
	{"exclusive", .get = get_exclusive},
	{"gres", .get = get_gres, .marks = MEMBER_HIDDEN},
	{"gid", .get = get_nobody_or_id},
	{"het_job", .get = get_het_job},
	{TYPE("HetJobIdSet", 0, "HET_JOB_ID_SET"), .get = get_het_job},
	{"het_offset", .get = get_het_offset},
	{TYPE("JobArrayId", 'i', "JOBID"), .get = get_job_id,
		.key = "job_id", .plain = get_job_number, .also = "job"},
	{TYPE("LastSchedEval", 0, "LAST_SCHED_EVAL"), .constant = "N/A"},
	{TYPE("LicensesAlloc", 0, "LICENSES_ALLOC"), .get = get_licenses_held},
	{TYPE("MaxCPUs", 0, "MAX_CPUS"), .get = get_cpus},
	{"nodes_max", .get = get_most_nodes},
	{TYPE("mem-per-tres", 0, "MEM_PER_TRES"), .constant = "N/A"},
	PLACE("mcs_label"),
	{TYPE("MinCPUs", 'c', "MIN_CPUS"), .get = get_least_cpus},
	{"mem_per_node", .get = get_memory},
	{"time_min", .get = get_min_time},
	{TYPE("MinTmpDisk", 'd', "MIN_TMP_DISK"), .constant = "0"},
	{"name", .get = get_as_is},
	{TYPE("Network", 0, "NETWORK"), .constant = none_text},
	{"nodelist", .get = get_nodelist, .marks = WHOLE_VALUE | WHOLE_HEADING},
	{TYPE("NTPerCore", 0, "NTASKS_PER_CORE"), .constant = "N/A"},
	{TYPE("NTPerSocket", 0, "NTASKS_PER_SOCKET"), .constant = "N/A"},
	{TYPE("NTPerBoard", 0, "NTASKS_PER_BOARD"), .constant = "0"},
	{"cpus_req", .get = get_cpus},
	{"nodes_req", .get = get_nodes},
	{"tasks", .get = get_tasks},
	{TYPE("Origin", 0, "ORIGIN"), .constant = "NA"},
	{TYPE("OriginRaw", 0, "ORIGIN_RAW"), .constant = "NA"},
	{TYPE("OverSubscribe", 'h', "OVER_SUBSCRIBE"), .get = get_share},
	{TYPE("PackJobId", 0, "HET_JOB_ID"), .get = get_het_job, .marks = MEMBER_HIDDEN},
	{TYPE("PackJobIdSet", 0, "HET_JOB_ID_SET"), .get = get_het_job, .marks = MEMBER_HIDDEN},
	{TYPE("PackJobOffset", 0, "HET_JOB_OFFSET"), .get = get_het_offset, .marks = MEMBER_HIDDEN},
	{"partition", .get = get_partition, .fit.rank = 4},
	{TYPE("PendingTime", 0, "PENDING_TIME"), .get = get_pending},
	{TYPE("PreemptTime", 0, "PREEMPT_TIME"), .get = get_preempt},
	{TYPE("Prefer", 0, "PREFER"), .constant = none_text},
	{TYPE("Priority", 'p', "PRIORITY"), .get = get_priority_norm,
		.key = "priority_normalized", .plain = get_priority_real,
		.marks = MEMBER_MOVES},
	{"last_priority", .get = get_priority, .key = "priority", .fit.rank = 5,
		.marks = MEMBER_MOVES | MEMBER_SUBTRACTED},
	{TYPE("Profile", 0, "PROFILE"), .constant = "NotSet"},
	{"qos", .get = get_qos},
	{"reason", .get = get_reason, .marks = MEMBER_MOVES, .fit.rank = 6},
	WHOLE("ReasonList", 'R', "NODELIST(REASON)", get_reason_list,
		WHOLE_VALUE | WHOLE_HEADING | MEMBER_MOVES),
	{TYPE("Reboot", 0, "REBOOT"), .constant = "0"},
	{"nodes_wanted", .get = get_as_is},
	{TYPE("ReqSwitch", 0, "REQ_SWITCH"), .constant = "0"},
	{TYPE("Requeue", 0, "REQUEUE"), .constant = "1"},
	{TYPE("ResizeTime", 0, "RESIZE_TIME"), .constant = "N/A"},
	WHOLE("SchedNodes", 'Y', "SCHEDNODES", get_sched_nodes, WHOLE_VALUE | WHOLE_HEADING),
	{TYPE("SCT", 'z', "S:C:T"), .constant = "*:*:*"},
	{TYPE("SegmentSize", 0, "SEGMENT_SIZE"), .get = get_segment},
	{TYPE("SiblingsActive", 0, "ACTIVE_SIBLINGS"), .constant = "NA"},
	{TYPE("SiblingsActiveRaw", 0, "ACTIVE_SIBLINGS_RAW"), .constant = "NA"},
	{TYPE("SiblingsViable", 0, "VIABLE_SIBLINGS"), .constant = "NA"},
	{TYPE("SiblingsViableRaw", 0, "VIALBLE_SIBLINGS_RAW"), .constant = "NA"},
	{TYPE("Shared", 'h', "OVER_SUBSCRIBE"), .get = get_share, .marks = MEMBER_HIDDEN},
	{TYPE("SLUID", 's', "SLUID"), .get = get_sluid},
	{TYPE("Sockets", 'H', "SOCKETS_PER_NODE"), .constant = "*"},
	{TYPE("SPerBoard", 0, "SOCKETS_PER_BOARD"), .constant = "0"},
	{"start", .get = get_start, .fit.rank = 1,
		.marks = MEMBER_MOVES | MEMBER_SUBTRACTED},
	{"state", .get = get_state, .marks = MEMBER_MOVES},
	{TYPE("StateCompact", 't', "ST"), .get = get_code, .fit.rank = 3},
	{"std_err", .get = get_file},
	{"std_in", .get = get_file},
	{"std_out", .get = get_file},
	{TYPE("Threads", 'J', "THREADS_PER_CORE"), .constant = "*"},
	WHOLE("TimeLeft", 'L', "TIME_LEFT", get_left, WHOLE_VALUE, .plain = get_left_seconds),
	{"time_limit", .get = get_time_limit, .marks = WHOLE_VALUE, .plain = get_minutes},
	WHOLE("TimeUsed", 'M', "TIME", get_used, WHOLE_VALUE, .plain = get_used_seconds),
	{TYPE("Tres", 0, "TRES_ALLOC"), .get = get_tres_held, .marks = MEMBER_HIDDEN},
	{"tres_alloc", .get = get_tres_held},
	{TYPE("tres-bind", 0, "TRES_BIND"), .constant = "N/A"},
	{TYPE("tres-freq", 0, "TRES_FREQ"), .constant = "N/A"},
	{TYPE("tres-per-job", 0, "TRES_PER_JOB"), .constant = "N/A"},
	{TYPE("tres-per-node", 0, "TRES_PER_NODE"), .get = get_gres, .marks = MEMBER_HIDDEN},
	{"gpus_per_socket", .get = get_gpus_per_socket},
	{"gpus_per_task", .get = get_gpus_per_task},
	{"uid", .get = get_nobody_or_id},
	{"user", .get = get_as_is, .fit.rank = 2},
	{TYPE("Wait4Switch", 0, "WAIT4SWITCH"), .constant = "0:00"},
};
/* clang-format on */

/* ---- as text -------------------------------------------------------------*/

const char *cell_text(
	const struct member *type, const struct queue_row *row, struct arena *arena)
{
	struct value value = member_value(type, row, arena);
	struct value_style style;

	if (value.type == VALUE_TEXT)
		return type->get || type->constant || *value.text ? value.text
								  : none_text;
	if (value.type == VALUE_TIME && !value.number)
		return "N/A";
	style = site_style(row->queue->site);
	return value_text(&value, &style, arena);
}

/* ---- looking up ----------------------------------------------------------*/

static struct members tables[2]; /* of jobs, of steps */

void squeue_types_open(struct arena *arena)
{
	static const struct members own = MEMBERS(types);
	const struct members facts = job_view(&job_members, SQUEUE_TYPES, arena);

	tables[0] = members_list(
		&own, &facts, offsetof(struct queue_row, job), arena);
	tables[1] = squeue_step_types;
}

const struct members *squeue_types(bool steps)
{
	return &tables[steps];
}
