/*
 * The columns of sacct (Slurm's src/sacct/print.c): facts that the store keeps
 * (common/table/job.c) have a row here where they look otherwise, all else one
 * with name, width, help and how to get it for a job and for a step. The order
 * decides which name an abbreviation means.
 */
#include <ctype.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "common/text/reason.h"
#include "common/text/stepwords.h"
#include "common/text/timespec.h"
#include "db/job/job.h"

enum cpu_kind { BOTH, USER, SYSTEM };

#define GET(name, expression) GETTER(name, struct row, expression)
#define RAW member_raw(m, row, arena)

/* ---- sizes ---------------------------------------------------------------*/

static const struct units *units_of(const struct row *row)
{
	return &row->context->options->units;
}

static struct value size(const struct row *row, double n, enum unit base)
{
	return of_text(unit_text(n, base, units_of(row), row->context->arena));
}

/* By thousands. */
static struct value amount(const struct row *row, double n, enum unit base)
{
	return of_text(unit_text_decimal(
		n, base, units_of(row), row->context->arena));
}

static struct value tres_text(
	const struct row *row, const struct tres_list *list, bool used)
{
	return of_text(unit_tres(list, &row->context->store->tres, used,
		units_of(row), row->context->arena));
}

/* ---- what steps used -----------------------------------------------------*/

static struct tres_list used(const struct row *row, uint32_t list)
{
	return step_used(row->step, (enum step_use)list, row->context->arena);
}

static struct value used_text(const struct row *row, uint32_t which)
{
	struct tres_list list = used(row, which);

	return tres_text(row, &list, true);
}

static bool is_of_nodes(uint32_t list)
{
	return list == STEP_IN_MAX_NODE || list == STEP_IN_MIN_NODE ||
	       list == STEP_OUT_MAX_NODE || list == STEP_OUT_MIN_NODE;
}

/* "mem=n1,vmem=n2", "mem=3,vmem=0" */
static struct value used_where(const struct row *row, uint32_t which)
{
	struct arena *arena = row->context->arena;
	struct tres_list list = used(row, which);
	struct strv texts = {0};

	for (size_t i = 0; i < list.n; i++) {
		const struct tres *tres = tres_by_id(
			&row->context->store->tres, list.v[i].id);

		if (tres)
			strv_printf(&texts, arena, "%s=%s",
				tres_full_name(tres, arena),
				is_of_nodes(which)
					? row_node(row, list.v[i].count)
					: arena_printf(arena, "%" PRIu64,
						  list.v[i].count));
	}
	strv_sort(&texts);
	return of_text(strv_join(&texts, ",", arena));
}

/* Of one TRES of a list (STEP_PART); NO_VAL64: not known. */
static uint64_t part(const struct row *row, uint32_t part)
{
	uint64_t count = tres_list_get(
		&row->step->used[part >> 8], part & 0xff);

	return count == INFINITE64 ? NO_VAL64 : count;
}

static struct value part_number(const struct row *row, uint32_t which)
{
	uint64_t n = part(row, which);

	return n == NO_VAL64 ? no_value() : of_uint(n);
}

static struct value part_size(const struct row *row, uint32_t which)
{
	uint64_t n = part(row, which);

	return n == NO_VAL64 ? no_value() : size(row, (double)n, UNIT_NONE);
}

static struct value part_disk(const struct row *row, uint32_t which)
{
	uint64_t bytes = part(row, which);
	double mib = (double)bytes / (1 << 20);

	if (bytes == NO_VAL64)
		return no_value();
	if (bytes && mib <= 1)
		return of_text(arena_printf(row->context->arena, "%.2fM", mib));
	return size(row, mib, UNIT_MEGA);
}

static struct value part_node(const struct row *row, uint32_t which)
{
	uint64_t place = part(row, which);

	return place == NO_VAL64 ? no_value() : of_text(row_node(row, place));
}

/* Milliseconds, shown in whole seconds. */
static struct value part_clock(const struct row *row, uint32_t which)
{
	uint64_t ms = part(row, which);

	return ms == NO_VAL64 ? no_value()
			      : of_text(duration_format(
					row->context->arena, ms / 1000));
}

static struct value part_seconds(const struct row *row, uint32_t which)
{
	uint64_t ms = part(row, which);

	return ms == NO_VAL64 ? no_value() : of_real((double)ms / 1e3);
}

/* ---- counts --------------------------------------------------------------*/

static uint64_t cpus_of(const struct row *row)
{
	const struct tres_list *job = &row->job->tres_alloc;
	const struct tres_list *list = row->step ? &row->step->tres_alloc : job;

	return tres_list_count(
		tres_list_get(list, TRES_CPU) < NO_VAL64 ? list : job,
		TRES_CPU);
}

static uint64_t step_nodes(const struct row *row)
{
	uint64_t nodes = row->step->nodes;

	return nodes ? nodes
		     : tres_list_count(&row->step->tres_alloc, TRES_NODE);
}

static uint64_t alloc_nodes(const struct row *row)
{
	const struct job *job = row->job;

	if (row->step)
		return step_nodes(row);
	return job->nodes_alloc && job->tres_alloc.n
		       ? job->nodes_alloc
		       : tres_list_count(&job->tres_alloc, TRES_NODE);
}

static uint64_t req_nodes(const struct row *row)
{
	return row->step ? step_nodes(row)
			 : tres_list_count(&row->job->tres_req, TRES_NODE);
}

/* Without --units. */
static struct value plain_size(const struct row *row, uint64_t n)
{
	struct units plain = *units_of(row);

	plain.forced = -1;
	return of_text(unit_text(
		(double)n, UNIT_NONE, &plain, row->context->arena));
}

static struct value energy(const struct row *row, bool raw)
{
	uint64_t joules =
		row->step ? row->step->energy
			  : tres_list_count(&row->job->tres_alloc, TRES_ENERGY);

	return raw ? of_uint(joules) : amount(row, (double)joules, UNIT_NONE);
}

/* ---- times ---------------------------------------------------------------*/

static struct value seconds(uint64_t seconds, bool raw)
{
	return raw ? of_uint(seconds) : of_seconds(seconds);
}

/* The short form: `02:03.456`, `00:02:03`, `1-00:00:00`. */
static const char *short_time(uint64_t usec, struct arena *arena)
{
	uint64_t seconds = usec / 1000000, ms = usec / 1000 % 1000;

	if (seconds >= 3600 || !ms)
		return duration_format(arena, seconds);
	return arena_printf(arena, "%02" PRIu64 ":%02" PRIu64 ".%03" PRIu64,
		seconds / 60, seconds % 60, ms);
}

static uint64_t cpu_used(const struct row *row, enum cpu_kind kind)
{
	return (kind != SYSTEM ? row->user_usec : 0) +
	       (kind != USER ? row->sys_usec : 0);
}

/* A step without a limit of its own has none to show. */
static struct value time_limit(const struct row *row, bool raw)
{
	uint32_t minutes =
		row->step ? row->step->time_limit : row->job->time_limit;
	struct arena *arena = row->context->arena;

	if (!minutes || (row->step && minutes >= NO_VAL))
		return no_value();
	if (minutes == INFINITE)
		return of_text("UNLIMITED");
	if (minutes == NO_VAL)
		return of_text("Partition_Limit");
	return of_text(raw ? arena_printf(arena, "%" PRIu32, minutes)
			   : duration_format(arena, (uint64_t)minutes * 60));
}

/* ---- ids and words -------------------------------------------------------*/

static uint32_t wckey_id(const struct row *row)
{
	const struct job *job = row->job;
	uint32_t id;

	if (history_wckey(row->context->store, job->cluster, job->user,
		    job->wckey, &id))
		row_fail(row->context);
	return id;
}

static struct value some(uint64_t id)
{
	return id ? of_uint(id) : no_value();
}

static struct value flag_words(const struct row *row)
{
	uint32_t flags = row->job->flags;
	struct strv words = {0};

	for (unsigned i = 0; i < 4 && !words.n; i++)
		if (flags & 1u << i)
			strv_push(
				&words, row->context->arena, job_flag_words[i]);
	if (flags & JOB_FLAG_START_RECEIVED)
		strv_push(&words, row->context->arena, job_flag_words[4]);
	return words.n ? of_text(strv_join(&words, ",", row->context->arena))
		       : no_value();
}

static uint32_t uid_of(const struct row *row)
{
	const struct passwd *pw = NULL;

	if (row->context->options->local_uid)
		pw = getpwnam(row->job->user);
	return pw ? pw->pw_uid : row->job->uid;
}

static const char *user_of(const struct row *row)
{
	const struct job *job = row->job;

	if (*job->user || job->uid == NO_VAL)
		return job->user;
	return arena_printf(row->context->arena, "%" PRIu32, job->uid);
}

/* ---- getters -------------------------------------------------------------*/

GET(tres_text, tres_text(row, RAW.tres, false))
GET(used, used_text(row, m->arg))
GET(used_where, used_where(row, m->arg))
GET(number, part_number(row, m->arg))
GET(size, part_size(row, m->arg))
GET(disk, part_disk(row, m->arg))
GET(node, part_node(row, m->arg))
GET(clock, part_clock(row, m->arg))
GET(clock_seconds, part_seconds(row, m->arg))
GET(memory, size(row, (double)tres_list_count(&row->job->tres_req, TRES_MEM),
		    UNIT_MEGA))
GET(cpus, of_uint(cpus_of(row)))
GET(req_cpus, row->step ? of_uint(cpus_of(row)) : of_limit(row->job->cpus_req))
GET(alloc_nodes, plain_size(row, alloc_nodes(row)))
GET(req_nodes, size(row, (double)req_nodes(row), UNIT_NONE))
GET(nodes, of_uint(row->step || row->job->tres_alloc.n ? alloc_nodes(row)
						       : req_nodes(row)))
GET(energy, energy(row, m->arg))
GET(frequency, amount(row, (double)row->step->cpu_freq, UNIT_KILO))
GET(frequency_asked, of_text(cpu_freq_text(
		row->step ? (uint32_t)RAW.number : NO_VAL, arena)))
GET(elapsed, seconds((uint64_t)row->elapsed, m->arg))
GET(cpu_time, seconds((uint64_t)row->elapsed * cpus_of(row), m->arg))
GET(suspended, of_seconds((uint64_t)row->suspended))
GET(planned, of_seconds(row_planned(row)))
GET(planned_cpu, seconds(row_planned(row) * row->job->cpus_req, m->arg))
GET(start, of_time(row->start))
GET(end, of_time(row->end))
GET(eligible, of_time(row->step ? row->start : row->job->eligible))
GET(submit, of_time(row->step ? row->start : row->job->submit))
GET(cpu_used,
	of_text(short_time(cpu_used(row, (enum cpu_kind)m->arg), arena)))
GET(time_limit, time_limit(row, m->arg))
GET(minutes, of_limit(row->step ? row->step->time_limit : row->job->time_limit))
GET(raw, RAW)
GET(cpu_seconds, of_real((double)cpu_used(row, (enum cpu_kind)m->arg) / 1e6))
GET(megabytes, of_uint(tres_list_count(&row->job->tres_req, TRES_MEM)))
GET(all_nodes, of_uint(alloc_nodes(row)))
GET(some_nodes, of_uint(req_nodes(row)))
GET(cluster, of_text(row_cluster(row)))
GET(job_id, of_text(row_job_id(row)))
GET(job_number, of_uint(row->job->id))
GET(raw_id, of_text(row_raw_id(row)))
GET(state, of_text(row_state(row)))
GET(sluid, of_text(row_sluid(row)))
GET(qos, of_text(row_qos(row)))
GET(group, of_text(job_group(row->job, arena)))
GET(nodelist, of_text(row_nodelist(row)))
GET(file, of_text(row_file(row, RAW.text)))
GET(db_index, of_uint((uint64_t)row->job->key))
GET(assoc_id, of_uint(row_assoc(row).id))
GET(wckey_id, of_uint(wckey_id(row)))
GET(reservation_asked, of_text(job_reservation_asked(row->job)))
GET(segment, some(row->job->segment_size))
GET(reservation_id, some(row_reservation(row)))
GET(qos_id, some(row->job->qos))
GET(reason, of_text(*row->job->reason ? reason_alone(row->job->reason, arena)
					  : "None"))
GET(exclusive, of_text(job_exclusive(row->job)))
GET(job_flags, flag_words(row))
GET(priority, of_limit(row_priority(row)))
GET(uid, of_limit(uid_of(row)))
GET(user, of_text(user_of(row)))

/* ---- the table -----------------------------------------------------------*/

enum {
	STEPS = MEMBER_OWN_MARK, /* lines of jobs and of steps have it */
	ONLY_STEPS = MEMBER_OWN_MARK << 1, /* those of jobs are blank */
};

#define IS(name) .names = name ":1"

/* clang-format off */
/* What steps used: a list of theirs, or one TRES of it. */
#define USED(name, width, list, get_, help) \
	{SHOWN(name ":1", name, width, NULL, help), .get = get_, \
		.marks = ONLY_STEPS, .arg = STEP_##list}
#define PART(name, width, list, tres, get_, plain_, help) \
	{SHOWN(name ":1", name, width, NULL, help), .get = get_, .plain = plain_, \
		.marks = ONLY_STEPS, .arg = STEP_PART(STEP_##list, TRES_##tres)}

static const struct member rows[] = {
	{IS("Account"), .marks = STEPS},
	{SHOWN("AllocCPUS:1", "AllocCPUS", 10, NULL, "CPUs allocated"),
		.get = get_cpus, .marks = STEPS},
	{SHOWN("AllocNodes:1", "AllocNodes", 10, NULL, "nodes allocated"),
		.get = get_alloc_nodes, .plain = get_all_nodes, .marks = STEPS},
	{IS("AllocTRES"), .get = get_tres_text, .plain = get_raw},
	{SHOWN("AssocID:1", "AssocID", 7, NULL, "number of the association"),
		.get = get_assoc_id, .marks = STEPS},
	PART("AveCPU", 10, IN_AVE, CPU, get_clock, get_clock_seconds, "mean CPU time of the tasks"),
	{IS("AveCPUFreq"), .get = get_frequency},
	PART("AveDiskRead", 14, IN_AVE, FS_DISK, get_disk, get_number, "mean bytes read by a task"),
	PART("AveDiskWrite", 14, OUT_AVE, FS_DISK, get_disk, get_number, "mean bytes written by a task"),
	PART("AvePages", 10, IN_AVE, PAGES, get_size, get_number, "mean page faults of the tasks"),
	PART("AveRSS", 10, IN_AVE, MEM, get_size, get_number, "mean memory of the tasks"),
	PART("AveVMSize", 10, IN_AVE, VMEM, get_size, get_number, "mean virtual memory of the tasks"),
	{SHOWN("Cluster:1", "Cluster", 10, NULL, "cluster"), .get = get_cluster, .marks = STEPS},
	{SHOWN("ConsumedEnergy:1", "ConsumedEnergy", 14, NULL, "energy used, scaled"),
		.get = get_energy, .marks = STEPS},
	{IS("ConsumedEnergyRaw"), .get = get_energy, .arg = 1, .marks = STEPS},
	{SHOWN("CPUTime:1", "CPUTime", 10, NULL, "elapsed time times CPUs"),
		.get = get_cpu_time, .marks = STEPS},
	{SHOWN("CPUTimeRAW:1", "CPUTimeRAW", 10, NULL, "the same in seconds"),
		.get = get_cpu_time, .arg = 1, .marks = STEPS},
	{SHOWN("DBIndex:1", "DBIndex", -21, NULL, "number of the record"),
		.get = get_db_index, .marks = STEPS},
	{SHOWN("Elapsed:1", "Elapsed", 10, NULL, "run time"), .get = get_elapsed, .marks = STEPS},
	{SHOWN("ElapsedRaw:1", "ElapsedRaw", 10, NULL, "run time in seconds"),
		.get = get_elapsed, .arg = 1, .marks = STEPS},
	{IS("Eligible"), .get = get_eligible, .marks = STEPS},
	{IS("End"), .get = get_end, .marks = STEPS},
	{IS("Exclusive"), .get = get_exclusive},
	{IS("Flags"), .get = get_job_flags},
	{IS("Group"), .get = get_group},
	{SHOWN("JobID:1", "JobID", -12, NULL, "job, task and step"),
		.get = get_job_id, .marks = STEPS,
		.plain = get_job_number, .also = "job"},
	{IS("JobIDRaw"), .get = get_raw_id, .key = "job_id_raw", .marks = STEPS},
	PART("MaxDiskRead", 12, IN_MAX, FS_DISK, get_disk, get_number, "most bytes a task read"),
	PART("MaxDiskReadNode", 15, IN_MAX_NODE, FS_DISK, get_node, NULL, "where that task ran"),
	PART("MaxDiskReadTask", 15, IN_MAX_TASK, FS_DISK, get_number, NULL, "which task it was"),
	PART("MaxDiskWrite", 12, OUT_MAX, FS_DISK, get_disk, get_number, "most bytes a task wrote"),
	PART("MaxDiskWriteNode", 16, OUT_MAX_NODE, FS_DISK, get_node, NULL, "where that task ran"),
	PART("MaxDiskWriteTask", 16, OUT_MAX_TASK, FS_DISK, get_number, NULL, "which task it was"),
	PART("MaxPages", 8, IN_MAX, PAGES, get_size, get_number, "most page faults of a task"),
	PART("MaxPagesNode", 12, IN_MAX_NODE, PAGES, get_node, NULL, "where that task ran"),
	PART("MaxPagesTask", 14, IN_MAX_TASK, PAGES, get_number, NULL, "which task it was"),
	PART("MaxRSS", 10, IN_MAX, MEM, get_size, get_number, "largest memory of a task"),
	PART("MaxRSSNode", 10, IN_MAX_NODE, MEM, get_node, NULL, "where that task ran"),
	PART("MaxRSSTask", 10, IN_MAX_TASK, MEM, get_number, NULL, "which task it was"),
	PART("MaxVMSize", 10, IN_MAX, VMEM, get_size, get_number, "largest virtual memory of a task"),
	PART("MaxVMSizeNode", 14, IN_MAX_NODE, VMEM, get_node, NULL, "where that task ran"),
	PART("MaxVMSizeTask", 14, IN_MAX_TASK, VMEM, get_number, NULL, "which task it was"),
	PART("MinCPU", 10, IN_MIN, CPU, get_clock, get_clock_seconds, "least CPU time of a task"),
	PART("MinCPUNode", 10, IN_MIN_NODE, CPU, get_node, NULL, "where that task ran"),
	PART("MinCPUTask", 10, IN_MIN_TASK, CPU, get_number, NULL, "which task it was"),
	{SHOWN("NCPUS:1", "NCPUS", 10, NULL, "CPUs allocated"), .get = get_cpus, .marks = STEPS},
	{SHOWN("NNodes:1", "NNodes", 8, NULL, "nodes allocated, or asked for"),
		.get = get_nodes, .marks = STEPS},
	{IS("NodeList"), .get = get_nodelist, .marks = STEPS},
	{SHOWN("OriginalSLUID:1", "OriginalSLUID", 14, NULL, "its first lasting id"),
		.get = get_sluid, .marks = STEPS},
	{SHOWN("Planned:1", "Planned", 10, NULL, "how long it waited"), .get = get_planned},
	{SHOWN("PlannedCPU:1", "PlannedCPU", 10, NULL, "that times the CPUs asked for"),
		.get = get_planned_cpu},
	{SHOWN("PlannedCPURAW:1", "PlannedCPURAW", 13, NULL, "the same in seconds"),
		.get = get_planned_cpu, .arg = 1},
	{IS("Priority"), .get = get_priority},
	{SHOWN("QOS:1", "QOS", 10, NULL, "quality of service"), .get = get_qos},
	{IS("QOSRAW"), .get = get_qos_id},
	{IS("Reason"), .get = get_reason},
	{"freq_max", SHOWN("ReqCPUFreq:1", "ReqCPUFreq", 10, NULL, "CPU frequency asked for"),
		.get = get_frequency_asked, .marks = STEPS},
	{IS("ReqCPUFreqGov"), .get = get_frequency_asked, .marks = STEPS},
	{IS("ReqCPUFreqMax"), .get = get_frequency_asked, .marks = STEPS},
	{IS("ReqCPUFreqMin"), .get = get_frequency_asked, .marks = STEPS},
	{IS("ReqCPUS"), .get = get_req_cpus, .marks = STEPS},
	{IS("ReqMem"), .get = get_memory, .plain = get_megabytes},
	{IS("ReqNodes"), .get = get_req_nodes, .plain = get_some_nodes, .marks = STEPS},
	{IS("ReqTRES"), .get = get_tres_text, .plain = get_raw},
	{SHOWN("ReservationId:1", "ReservationId", 8, NULL, "number of that"),
		.get = get_reservation_id},
	{IS("ReqReservation"), .get = get_reservation_asked},
	{IS("SegmentSize"), .get = get_segment},
	{SHOWN("SLUID:1", "SLUID", 14, NULL, "its lasting id"), .get = get_sluid, .marks = STEPS},
	{IS("Start"), .get = get_start, .marks = STEPS},
	{IS("State"), .get = get_state, .marks = STEPS},
	{IS("StdErr"), .get = get_file},
	{IS("StdIn"), .get = get_file},
	{IS("StdOut"), .get = get_file},
	{IS("Submit"), .get = get_submit, .marks = STEPS},
	{IS("Suspended"), .get = get_suspended, .marks = STEPS},
	{SHOWN("SystemCPU:1", "SystemCPU", 10, NULL, "system CPU time"),
		.get = get_cpu_used, .plain = get_cpu_seconds, .arg = SYSTEM, .marks = STEPS},
	{IS("Timelimit"), .get = get_time_limit, .plain = get_minutes},
	{"time_limit", SHOWN("TimelimitRaw:1", "TimelimitRaw", 10, NULL, "time limit in minutes"),
		.get = get_time_limit, .plain = get_minutes, .arg = 1},
	{SHOWN("TotalCPU:1", "TotalCPU", 10, NULL, "CPU time"),
		.get = get_cpu_used, .plain = get_cpu_seconds, .arg = BOTH, .marks = STEPS},
	USED("TRESUsageInAve", 14, IN_AVE, get_used, "mean use of the tasks"),
	USED("TRESUsageInMax", 14, IN_MAX, get_used, "largest use of a task"),
	USED("TRESUsageInMaxNode", 18, IN_MAX_NODE, get_used_where, "where those tasks ran"),
	USED("TRESUsageInMaxTask", 18, IN_MAX_TASK, get_used_where, "which tasks they were"),
	USED("TRESUsageInMin", 14, IN_MIN, get_used, "least use of a task"),
	USED("TRESUsageInMinNode", 18, IN_MIN_NODE, get_used_where, "where those tasks ran"),
	USED("TRESUsageInMinTask", 18, IN_MIN_TASK, get_used_where, "which tasks they were"),
	USED("TRESUsageInTot", 14, IN_TOT, get_used, "use of all tasks together"),
	USED("TRESUsageOutAve", 15, OUT_AVE, get_used, "mean output of the tasks"),
	USED("TRESUsageOutMax", 15, OUT_MAX, get_used, "largest output of a task"),
	USED("TRESUsageOutMaxNode", 19, OUT_MAX_NODE, get_used_where, "where those tasks ran"),
	USED("TRESUsageOutMaxTask", 19, OUT_MAX_TASK, get_used_where, "which tasks they were"),
	USED("TRESUsageOutMin", 15, OUT_MIN, get_used, "least output of a task"),
	USED("TRESUsageOutMinNode", 19, OUT_MIN_NODE, get_used_where, "where those tasks ran"),
	USED("TRESUsageOutMinTask", 19, OUT_MIN_TASK, get_used_where, "which tasks they were"),
	USED("TRESUsageOutTot", 15, OUT_TOT, get_used, "output of all tasks together"),
	{IS("UID"), .get = get_uid},
	{IS("User"), .get = get_user},
	{SHOWN("UserCPU:1", "UserCPU", 10, NULL, "user CPU time"),
		.get = get_cpu_used, .plain = get_cpu_seconds, .arg = USER, .marks = STEPS},
	{SHOWN("WCKeyID:1", "WCKeyID", 10, NULL, "its number"), .get = get_wckey_id},
};
/* clang-format on */

static const struct members own_members = MEMBERS(rows);

void sacct_columns(struct columns *columns, struct arena *arena)
{
	const struct members of_steps =
		job_view(&step_members, SACCT_FIELDS, arena);
	const struct members of_jobs =
		job_view(&job_members, SACCT_FIELDS, arena);
	struct members own = members_list(
		&own_members, &of_steps, offsetof(struct row, step), arena);
	struct members all = members_list(
		&own, &of_jobs, offsetof(struct row, job), arena);
	struct member *steps = arena_array(arena, all.n, sizeof(*steps));

	for (size_t i = 0; i < all.n; i++) {
		const struct member *m =
			members_by_name(&own, all.v[i].names);

		if (m && (m->through || m->marks & ONLY_STEPS))
			steps[i] = *m;
		else if (m && m->marks & STEPS)
			steps[i] = all.v[i];
	}
	columns->all = all;
	columns->steps = steps;
	grid_init(&columns->grid, &columns->all, arena);
}

/* Are lines of jobs blank there? */
static bool is_only_of_steps(const struct member *m)
{
	return m->marks & ONLY_STEPS ||
	       (m->through == offsetof(struct row, step) + 1 &&
		       !(m->marks & STEPS));
}

/* What the column shows in this row; NULL: a blank. */
static const struct member *member_of(
	const struct columns *columns, size_t i, const struct row *row)
{
	const struct member *m = columns->grid.columns[i];

	if (row->step)
		return &columns->steps[m - columns->all.v];
	return is_only_of_steps(m) ? NULL : m;
}

bool columns_show_used(const struct columns *columns)
{
	const struct grid *grid = &columns->grid;

	for (size_t i = 0; i < grid->table.n; i++)
		if (grid->columns[i]->marks & ONLY_STEPS)
			return true;
	return false;
}

struct value column_value(
	const struct columns *columns, size_t i, const struct row *row)
{
	const struct member *m = member_of(columns, i, row);

	return m ? member_value(m, row, row->context->arena) : no_value();
}

void column_record(const struct columns *columns, size_t i,
	const struct row *row, struct json_object *record)
{
	const struct member *m = member_of(columns, i, row);
	const struct value none = no_value();

	if (m && (m->names || m->get))
		json_put_flat(record, m, row, row->context->arena,
			&row->context->store->tres);
	else
		json_put_plain(record,
			member_key(columns->grid.columns[i],
				row->context->arena),
			&none, NULL);
}

/* ---- which columns -------------------------------------------------------*/

static const char default_format[] =
	"jobid,jobname,partition,account,alloccpus,state,exitcode";
static const char brief_format[] = "jobid,state,exitcode";
static const char long_format[] =
	"jobid,jobidraw,jobname,partition,maxvmsize,maxvmsizenode,"
	"maxvmsizetask,avevmsize,maxrss,maxrssnode,maxrsstask,averss,"
	"maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,"
	"mincputask,avecpu,ntasks,alloccpus,elapsed,state,exitcode,"
	"avecpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,reqmem,"
	"consumedenergy,maxdiskread,maxdiskreadnode,maxdiskreadtask,"
	"avediskread,maxdiskwrite,maxdiskwritenode,maxdiskwritetask,"
	"avediskwrite,reqtres,alloctres,tresusageinave,tresusageinmax,"
	"tresusageinmaxnode,tresusageinmaxtask,tresusageinmin,"
	"tresusageinminnode,tresusageinmintask,tresusageintot,"
	"tresusageoutmax,tresusageoutmaxnode,tresusageoutmaxtask,"
	"tresusageoutave,tresusageouttot";

static _Noreturn void bad_field(
	const struct grid *grid, const char *name, size_t len)
{
	static const char *const gone[][2] = {
		{"AllocGRES", "AllocTRES"}, {"ReqGRES", "ReqTRES"}};

	for (size_t i = 0; i < 2; i++)
		if (strlen(gone[i][0]) == len &&
			!strncasecmp(gone[i][0], name, len))
			cli_fatal("%s has been removed, please use %s",
				gone[i][0], gone[i][1]);
	cli_error("Invalid field requested: \"%.*s\"", (int)len, name);
	cli_did_you_mean_member(grid->members, name);
	exit(1);
}

/* One `name[%width]`: the first field it begins to spell, or all. */
static void choose(struct grid *grid, const char *item)
{
	size_t len = strcspn(item, "%");
	long width = item[len] ? strtol(item + len + 1, NULL, 10) : 0;
	bool typed = item[len] == '%';

	if (strncasecmp("ALL", item, len)) {
		if (grid_choose(grid, item))
			bad_field(grid, item, len);
		if (typed && !width)
			grid_hide(grid, grid->columns[grid->table.n - 1]);
		return;
	}
	for (size_t i = 0; i < grid->members->n; i++) {
		grid_put(grid, &grid->members->v[i], width);
		if (typed && !width)
			grid_hide(grid, &grid->members->v[i]);
	}
}

static void choose_all(struct grid *grid, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		const char *item;

		while (len && isspace((unsigned char)*list)) {
			list++;
			len--;
		}
		item = arena_strndup(grid->arena, list, len);
		if (len)
			choose(grid, item);
		list += len + (list[len] == ',');
	}
}

void sacct_choose(struct grid *grid, const struct options *options)
{
	const char *environment = getenv("SACCT_FORMAT");
	bool own = options->format || options->brief || options->long_list;

	if (!own)
		choose_all(grid, environment ? environment : default_format);
	if (options->format)
		choose_all(grid, options->format);
	if (options->brief)
		choose_all(grid, brief_format);
	if (options->long_list)
		choose_all(grid, long_format);
}
