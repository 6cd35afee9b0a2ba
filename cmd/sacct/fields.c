/*
 * Every column of sacct: one row gives its name, width, help and how to get it
 * for a job and for a step (spec/reporting.md 3.4). The order decides which
 * name an abbreviation means; a getter that is not there leaves the cell blank.
 */
#include <ctype.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"

enum cpu_kind { USER, SYSTEM, BOTH };

static struct value blank(void)
{
	return (struct value){.type = VALUE_NONE};
}

static struct value text(const char *words)
{
	return (struct value){VALUE_TEXT, {.text = words}};
}

/* Blank where it is not known. */
static struct value number(uint64_t n)
{
	return (struct value){VALUE_LIMIT, {.number = n}};
}

static struct value whole(uint64_t n)
{
	return (struct value){VALUE_UINT, {.number = n}};
}

static struct value duration(uint64_t seconds)
{
	return (struct value){VALUE_SECONDS, {.number = seconds}};
}

static struct value date(int64_t when)
{
	return (struct value){VALUE_TIME, {.number = (uint64_t)when}};
}

/* ---- members of the records ----------------------------------------------*/

#define READ(type, record, offset)                                             \
	(*(const type *)(const void *)((const char *)(record) + (offset)))

static struct value get_job_text(const struct row *row, size_t offset)
{
	return text(READ(char *const, row->job, offset));
}

static struct value get_step_text(const struct row *row, size_t offset)
{
	return text(READ(char *const, row->step, offset));
}

static struct value get_job_number(const struct row *row, size_t offset)
{
	return number(READ(uint32_t, row->job, offset));
}

static struct value get_step_number(const struct row *row, size_t offset)
{
	return number(READ(uint32_t, row->step, offset));
}

static struct value get_step_big(const struct row *row, size_t offset)
{
	return number(READ(uint64_t, row->step, offset));
}

static struct value get_job_date(const struct row *row, size_t offset)
{
	return date(READ(int64_t, row->job, offset));
}

/* ---- sizes ---------------------------------------------------------------*/

static struct value get_step_size(const struct row *row, size_t offset)
{
	uint64_t size = READ(uint64_t, row->step, offset);

	if (size == NO_VAL64)
		return blank();
	return text(unit_text((double)size, UNIT_NONE,
		&row->context->options->units, row->context->arena));
}

static struct value get_step_disk(const struct row *row, size_t offset)
{
	uint64_t bytes = READ(uint64_t, row->step, offset);
	double mib = (double)bytes / (1 << 20);

	if (bytes == NO_VAL64)
		return blank();
	if (bytes && mib <= 1)
		return text(arena_printf(row->context->arena, "%.2fM", mib));
	return text(unit_text(mib, UNIT_MEGA, &row->context->options->units,
		row->context->arena));
}

static struct value tres_text(
	const struct row *row, const struct tres_list *list, bool used)
{
	return text(unit_tres(list, &row->context->store->tres, used,
		&row->context->options->units, row->context->arena));
}

static struct value get_job_tres(const struct row *row, size_t offset)
{
	return tres_text(row, &READ(struct tres_list, row->job, offset), false);
}

static struct value get_step_tres(const struct row *row, size_t offset)
{
	return tres_text(
		row, &READ(struct tres_list, row->step, offset), false);
}

static struct value get_usage(const struct row *row, size_t kind)
{
	struct tres_list list = row_usage(row, (enum usage_kind)kind);

	return tres_text(row, &list, true);
}

/* "mem=n1": what is known of the extremes. */
static struct value get_usage_node(const struct row *row, size_t max)
{
	const struct step_usage *usage = &row->step->usage;
	const char *node = max ? usage->max_rss_node : usage->min_cpu_node;

	if (!*node)
		return blank();
	return text(arena_printf(
		row->context->arena, "%s=%s", max ? "mem" : "cpu", node));
}

static struct value get_usage_task(const struct row *row, size_t max)
{
	const struct step_usage *usage = &row->step->usage;
	uint64_t task = max ? usage->max_rss_task : usage->min_cpu_task;

	if (task == NO_VAL64)
		return blank();
	return text(arena_printf(
		row->context->arena, "%s=%" PRIu64, max ? "mem" : "cpu", task));
}

static struct value get_job_memory(const struct row *row, size_t arg)
{
	uint64_t mem = tres_list_get(&row->job->tres_req, TRES_MEM);

	(void)arg;
	return text(unit_text(mem < NO_VAL64 ? (double)mem : 0, UNIT_MEGA,
		&row->context->options->units, row->context->arena));
}

/* ---- counts --------------------------------------------------------------*/

static uint64_t count_of(const struct tres_list *list, uint32_t id)
{
	uint64_t count = tres_list_get(list, id);

	return count < NO_VAL64 ? count : 0;
}

static uint64_t cpus_of(const struct row *row)
{
	const struct tres_list *job = &row->job->tres_alloc;
	const struct tres_list *list = row->step ? &row->step->tres_alloc : job;

	return count_of(tres_list_get(list, TRES_CPU) < NO_VAL64 ? list : job,
		TRES_CPU);
}

static struct value get_job_cpus(const struct row *row, size_t arg)
{
	(void)arg;
	return whole(cpus_of(row));
}

static struct value get_step_cpus(const struct row *row, size_t arg)
{
	(void)arg;
	return whole(cpus_of(row));
}

/* Node counts are printed with suffixes, as text. */
static struct value node_text(const struct row *row, uint64_t nodes, bool units)
{
	struct units plain = row->context->options->units;

	if (!units)
		plain.forced = -1;
	return text(unit_text(
		(double)nodes, UNIT_NONE, &plain, row->context->arena));
}

static struct value get_job_alloc_nodes(const struct row *row, size_t arg)
{
	uint64_t nodes = row->job->nodes_alloc;

	(void)arg;
	if (!nodes || !row->job->tres_alloc.n)
		nodes = count_of(&row->job->tres_alloc, TRES_NODE);
	return node_text(row, nodes, false);
}

static struct value get_job_req_nodes(const struct row *row, size_t arg)
{
	(void)arg;
	return node_text(row, count_of(&row->job->tres_req, TRES_NODE), true);
}

static uint64_t step_nodes(const struct row *row)
{
	uint64_t nodes = row->step->nodes;

	return nodes ? nodes : count_of(&row->step->tres_alloc, TRES_NODE);
}

static struct value get_step_nodes(const struct row *row, size_t arg)
{
	(void)arg;
	return whole(step_nodes(row));
}

static struct value get_step_nodes_text(const struct row *row, size_t units)
{
	return node_text(row, step_nodes(row), units);
}

static struct value get_job_nodes(const struct row *row, size_t arg)
{
	const struct job *job = row->job;

	(void)arg;
	if (job->nodes_alloc && job->tres_alloc.n)
		return whole(job->nodes_alloc);
	return whole(
		count_of(job->tres_alloc.n ? &job->tres_alloc : &job->tres_req,
			TRES_NODE));
}

static struct value energy(const struct row *row, uint64_t joules, size_t raw)
{
	if (raw)
		return whole(joules);
	return text(unit_text_decimal((double)joules, UNIT_NONE,
		&row->context->options->units, row->context->arena));
}

static struct value get_job_energy(const struct row *row, size_t raw)
{
	return energy(row, count_of(&row->job->tres_alloc, TRES_ENERGY), raw);
}

static struct value get_step_energy(const struct row *row, size_t raw)
{
	return energy(row, row->step->energy, raw);
}

static struct value get_step_frequency(const struct row *row, size_t arg)
{
	(void)arg;
	return text(unit_text_decimal((double)row->step->cpu_freq, UNIT_KILO,
		&row->context->options->units, row->context->arena));
}

static struct value get_no_frequency(const struct row *row, size_t arg)
{
	(void)row;
	(void)arg;
	return text("Unknown");
}

/* Nothing was asked for: what Slurm's database has then. */
static struct value get_step_no_frequency(const struct row *row, size_t arg)
{
	(void)row;
	(void)arg;
	return text("0");
}

/* ---- times ---------------------------------------------------------------*/

static struct value seconds_or_raw(uint64_t seconds, size_t raw)
{
	return raw ? whole(seconds) : duration(seconds);
}

static struct value get_elapsed(const struct row *row, size_t raw)
{
	return seconds_or_raw((uint64_t)row->elapsed, raw);
}

static struct value get_cpu_time(const struct row *row, size_t raw)
{
	return seconds_or_raw((uint64_t)row->elapsed * cpus_of(row), raw);
}

static struct value get_suspended(const struct row *row, size_t arg)
{
	(void)arg;
	return duration((uint64_t)row->suspended);
}

static struct value get_planned(const struct row *row, size_t arg)
{
	(void)arg;
	return duration(row_planned(row));
}

static struct value get_planned_cpu(const struct row *row, size_t raw)
{
	return seconds_or_raw(row_planned(row) * row->job->cpus_req, raw);
}

static struct value get_start(const struct row *row, size_t arg)
{
	(void)arg;
	return date(row->start);
}

static struct value get_end(const struct row *row, size_t arg)
{
	(void)arg;
	return date(row->end);
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

static struct value get_cpu_used(const struct row *row, size_t kind)
{
	uint64_t usec = (kind != SYSTEM ? row->user_usec : 0) +
			(kind != USER ? row->sys_usec : 0);

	return text(short_time(usec, row->context->arena));
}

/* Milliseconds, shown in whole seconds. */
static struct value get_step_clock(const struct row *row, size_t offset)
{
	uint64_t ms = READ(uint64_t, row->step, offset);

	if (ms == NO_VAL64)
		return blank();
	return text(duration_format(row->context->arena, ms / 1000));
}

static struct value limit(const struct row *row, uint32_t minutes, size_t raw)
{
	if (!minutes)
		return blank();
	if (minutes == NO_VAL)
		return text("Partition_Limit");
	return raw ? text(arena_printf(
			     row->context->arena, "%" PRIu32, minutes))
		   : text(duration_format(
			     row->context->arena, (uint64_t)minutes * 60));
}

static struct value get_job_limit(const struct row *row, size_t raw)
{
	if (row->job->time_limit == INFINITE)
		return text("UNLIMITED");
	return limit(row, row->job->time_limit, raw);
}

/* A step without a limit of its own has none to show. */
static struct value get_step_limit(const struct row *row, size_t raw)
{
	uint32_t minutes = row->step->time_limit;

	if (minutes == INFINITE || minutes == NO_VAL)
		return blank();
	return limit(row, minutes, raw);
}

/* ---- ids and words -------------------------------------------------------*/

#define WORDS(name, function)                                                  \
	static struct value name(const struct row *row, size_t arg)            \
	{                                                                      \
		(void)arg;                                                     \
		return text(function(row));                                    \
	}

WORDS(get_cluster, row_cluster)
WORDS(get_job_id, row_job_id)
WORDS(get_raw_id, row_raw_id)
WORDS(get_state, row_state)
WORDS(get_sluid, row_sluid)
WORDS(get_qos, row_qos)
WORDS(get_group, row_group)
WORDS(get_nodelist, row_nodelist)

static struct value get_file(const struct row *row, size_t offset)
{
	const char *name = READ(char *const, row->job, offset);

	return text(
		row->context->options->expand ? row_expand(row, name) : name);
}

static struct value exit_text(const struct row *row, uint32_t status)
{
	uint32_t signal = status & 0x7f;

	return text(arena_printf(row->context->arena, "%" PRIu32 ":%" PRIu32,
		signal ? 0 : status >> 8 & 0xff, signal));
}

static struct value get_job_exit(const struct row *row, size_t offset)
{
	return exit_text(row, READ(uint32_t, row->job, offset));
}

static struct value get_step_exit(const struct row *row, size_t offset)
{
	return exit_text(row, READ(uint32_t, row->step, offset));
}

static struct value get_db_index(const struct row *row, size_t arg)
{
	(void)arg;
	return whole((uint64_t)row->job->key);
}

static struct value get_assoc_id(const struct row *row, size_t arg)
{
	(void)arg;
	return whole(row_assoc(row).id);
}

static struct value get_wckey_id(const struct row *row, size_t arg)
{
	const struct job *job = row->job;
	uint32_t id;

	(void)arg;
	if (history_wckey(row->context->store, job->cluster, job->user,
		    job->wckey, &id))
		row_fail(row->context);
	return whole(id);
}

static struct value get_reservation_id(const struct row *row, size_t arg)
{
	uint32_t id = row_reservation(row);

	(void)arg;
	return id ? whole(id) : blank();
}

static struct value get_qos_id(const struct row *row, size_t arg)
{
	(void)arg;
	return row->job->qos ? whole(row->job->qos) : blank();
}

static struct value get_reason(const struct row *row, size_t arg)
{
	(void)arg;
	return text(*row->job->reason ? row->job->reason : "None");
}

static struct value get_job_exclusive(const struct row *row, size_t arg)
{
	(void)arg;
	return row->job->exclusive ? text("NODE") : blank();
}

static struct value get_job_flags(const struct row *row, size_t arg)
{
	uint32_t flags = row->job->flags;
	struct strv words = {0};

	(void)arg;
	for (unsigned i = 0; i < 4 && !words.n; i++)
		if (flags & 1u << i)
			strv_push(
				&words, row->context->arena, job_flag_words[i]);
	if (flags & JOB_FLAG_START_RECEIVED)
		strv_push(&words, row->context->arena, job_flag_words[4]);
	return words.n ? text(strv_join(&words, ",", row->context->arena))
		       : blank();
}

static struct value get_priority(const struct row *row, size_t arg)
{
	(void)arg;
	return number(row_priority(row));
}

static struct value get_uid(const struct row *row, size_t arg)
{
	const struct passwd *pw = NULL;

	(void)arg;
	if (row->context->options->local_uid)
		pw = getpwnam(row->job->user);
	return number(pw ? pw->pw_uid : row->job->uid);
}

static struct value get_user(const struct row *row, size_t arg)
{
	const struct job *job = row->job;

	(void)arg;
	if (*job->user || job->uid == NO_VAL)
		return text(job->user);
	return text(arena_printf(row->context->arena, "%" PRIu32, job->uid));
}

/* ---- the table -----------------------------------------------------------*/

struct getter {
	struct value (*get)(const struct row *, size_t arg);
	size_t arg;
};

#define J(member) offsetof(struct job, member)
#define S(member) offsetof(struct step, member)

/* clang-format off */
static const struct sacct_field {
	const char *name;
	int width; /* negative: left-justified */
	struct getter job, step;
	const char *help;
} fields[] = {
	{"Account", 10, {get_job_text, J(account)}, {get_job_text, J(account)},
		"account"},
	{"AdminComment", 15, {get_job_text, J(admin_comment)}, {NULL, 0},
		"comment of an administrator"},
	{"AllocCPUS", 10, {get_job_cpus, 0}, {get_step_cpus, 0},
		"CPUs allocated"},
	{"AllocNodes", 10, {get_job_alloc_nodes, 0}, {get_step_nodes_text, false},
		"nodes allocated"},
	{"AllocTRES", 10, {get_job_tres, J(tres_alloc)}, {get_step_tres, S(tres_alloc)},
		"trackable resources allocated"},
	{"AssocID", 7, {get_assoc_id, 0}, {get_assoc_id, 0},
		"number of the association"},
	{"AveCPU", 10, {NULL, 0}, {get_step_clock, S(usage.ave_cpu)},
		"mean CPU time of the tasks"},
	{"AveCPUFreq", 10, {NULL, 0}, {get_step_frequency, 0},
		"mean CPU frequency"},
	{"AveDiskRead", 14, {NULL, 0}, {get_step_disk, S(usage.ave_read)},
		"mean bytes read by a task"},
	{"AveDiskWrite", 14, {NULL, 0}, {get_step_disk, S(usage.ave_write)},
		"mean bytes written by a task"},
	{"AvePages", 10, {NULL, 0}, {get_step_size, S(usage.ave_pages)},
		"mean page faults of the tasks"},
	{"AveRSS", 10, {NULL, 0}, {get_step_size, S(usage.ave_rss)},
		"mean memory of the tasks"},
	{"AveVMSize", 10, {NULL, 0}, {get_step_size, S(usage.ave_vmem)},
		"mean virtual memory of the tasks"},
	{"BlockID", 16, {NULL, 0}, {NULL, 0},
		"block of the machine"},
	{"Cluster", 10, {get_cluster, 0}, {get_cluster, 0},
		"cluster"},
	{"Comment", 14, {get_job_text, J(comment)}, {NULL, 0},
		"comment of the job"},
	{"Constraints", 19, {get_job_text, J(constraints)}, {NULL, 0},
		"node features asked for"},
	{"ConsumedEnergy", 14, {get_job_energy, 0}, {get_step_energy, 0},
		"energy used, scaled"},
	{"ConsumedEnergyRaw", 17, {get_job_energy, 1}, {get_step_energy, 1},
		"energy used in joules"},
	{"Container", 19, {get_job_text, J(container)}, {NULL, 0},
		"path of the container"},
	{"CPUTime", 10, {get_cpu_time, 0}, {get_cpu_time, 0},
		"elapsed time times CPUs"},
	{"CPUTimeRAW", 10, {get_cpu_time, 1}, {get_cpu_time, 1},
		"the same in seconds"},
	{"DBIndex", -21, {get_db_index, 0}, {get_db_index, 0},
		"number of the record"},
	{"DerivedExitCode", 15, {get_job_exit, J(derived_ec)}, {NULL, 0},
		"highest exit code of the steps"},
	{"Elapsed", 10, {get_elapsed, 0}, {get_elapsed, 0},
		"run time"},
	{"ElapsedRaw", 10, {get_elapsed, 1}, {get_elapsed, 1},
		"run time in seconds"},
	{"Eligible", 19, {get_job_date, J(eligible)}, {get_start, 0},
		"when it could first run"},
	{"End", 19, {get_end, 0}, {get_end, 0},
		"when it ended"},
	{"Exclusive", 14, {get_job_exclusive, 0}, {NULL, 0},
		"nodes of its own"},
	{"ExitCode", 8, {get_job_exit, J(exit_code)}, {get_step_exit, S(exit_code)},
		"exit code and signal"},
	{"Extra", 14, {get_job_text, J(extra)}, {NULL, 0},
		"free text"},
	{"FailedNode", 8, {get_job_text, J(failed_node)}, {NULL, 0},
		"node whose failure ended it"},
	{"Flags", 19, {get_job_flags, 0}, {NULL, 0},
		"how it was started"},
	{"GID", 6, {get_job_number, J(gid)}, {NULL, 0},
		"number of the group"},
	{"Group", 9, {get_group, 0}, {NULL, 0},
		"group"},
	{"JobID", -12, {get_job_id, 0}, {get_job_id, 0},
		"job, task and step"},
	{"JobIDRaw", -12, {get_raw_id, 0}, {get_raw_id, 0},
		"job and step by number"},
	{"JobName", 10, {get_job_text, J(name)}, {get_step_text, S(name)},
		"name"},
	{"Layout", 9, {NULL, 0}, {get_step_text, S(task_dist)},
		"how tasks were spread"},
	{"Licenses", 10, {get_job_text, J(licenses)}, {NULL, 0},
		"licenses"},
	{"MaxDiskRead", 12, {NULL, 0}, {get_step_disk, S(usage.max_read)},
		"most bytes a task read"},
	{"MaxDiskReadNode", 15, {NULL, 0}, {NULL, 0},
		"where that task ran"},
	{"MaxDiskReadTask", 15, {NULL, 0}, {NULL, 0},
		"which task it was"},
	{"MaxDiskWrite", 12, {NULL, 0}, {get_step_disk, S(usage.max_write)},
		"most bytes a task wrote"},
	{"MaxDiskWriteNode", 16, {NULL, 0}, {NULL, 0},
		"where that task ran"},
	{"MaxDiskWriteTask", 16, {NULL, 0}, {NULL, 0},
		"which task it was"},
	{"MaxPages", 8, {NULL, 0}, {get_step_size, S(usage.max_pages)},
		"most page faults of a task"},
	{"MaxPagesNode", 12, {NULL, 0}, {NULL, 0},
		"where that task ran"},
	{"MaxPagesTask", 14, {NULL, 0}, {NULL, 0},
		"which task it was"},
	{"MaxRSS", 10, {NULL, 0}, {get_step_size, S(usage.max_rss)},
		"largest memory of a task"},
	{"MaxRSSNode", 10, {NULL, 0}, {get_step_text, S(usage.max_rss_node)},
		"where that task ran"},
	{"MaxRSSTask", 10, {NULL, 0}, {get_step_big, S(usage.max_rss_task)},
		"which task it was"},
	{"MaxVMSize", 10, {NULL, 0}, {get_step_size, S(usage.max_vmem)},
		"largest virtual memory of a task"},
	{"MaxVMSizeNode", 14, {NULL, 0}, {NULL, 0},
		"where that task ran"},
	{"MaxVMSizeTask", 14, {NULL, 0}, {NULL, 0},
		"which task it was"},
	{"McsLabel", 12, {NULL, 0}, {NULL, 0},
		"label of multi-category security"},
	{"MinCPU", 10, {NULL, 0}, {get_step_clock, S(usage.min_cpu)},
		"least CPU time of a task"},
	{"MinCPUNode", 10, {NULL, 0}, {get_step_text, S(usage.min_cpu_node)},
		"where that task ran"},
	{"MinCPUTask", 10, {NULL, 0}, {get_step_big, S(usage.min_cpu_task)},
		"which task it was"},
	{"NCPUS", 10, {get_job_cpus, 0}, {get_step_cpus, 0},
		"CPUs allocated"},
	{"NNodes", 8, {get_job_nodes, 0}, {get_step_nodes, 0},
		"nodes allocated, or asked for"},
	{"NodeList", 15, {get_nodelist, 0}, {get_nodelist, 0},
		"nodes"},
	{"NTasks", 8, {NULL, 0}, {get_step_number, S(tasks)},
		"tasks"},
	{"OriginalSLUID", 14, {get_sluid, 0}, {get_sluid, 0},
		"its first lasting id"},
	{"OverSubscribe", 14, {NULL, 0}, {NULL, 0},
		"whether its nodes are shared"},
	{"Partition", 10, {get_job_text, J(partition)}, {NULL, 0},
		"partition"},
	{"Planned", 10, {get_planned, 0}, {NULL, 0},
		"how long it waited"},
	{"PlannedCPU", 10, {get_planned_cpu, 0}, {NULL, 0},
		"that times the CPUs asked for"},
	{"PlannedCPURAW", 13, {get_planned_cpu, 1}, {NULL, 0},
		"the same in seconds"},
	{"Priority", 10, {get_priority, 0}, {NULL, 0},
		"priority"},
	{"QOS", 10, {get_qos, 0}, {NULL, 0},
		"quality of service"},
	{"QOSRAW", 6, {get_qos_id, 0}, {NULL, 0},
		"its number"},
	{"QOSREQ", 10, {get_job_text, J(qos_req)}, {NULL, 0},
		"quality of service asked for"},
	{"Reason", 22, {get_reason, 0}, {NULL, 0},
		"why it waited last"},
	{"ReqCPUFreq", 10, {get_no_frequency, 0}, {get_step_no_frequency, 0},
		"CPU frequency asked for"},
	{"ReqCPUFreqGov", 13, {get_no_frequency, 0}, {get_step_no_frequency, 0},
		"its governor"},
	{"ReqCPUFreqMax", 13, {get_no_frequency, 0}, {get_step_no_frequency, 0},
		"the highest"},
	{"ReqCPUFreqMin", 13, {get_no_frequency, 0}, {get_step_no_frequency, 0},
		"the lowest"},
	{"ReqCPUS", 8, {get_job_number, J(cpus_req)}, {get_step_cpus, 0},
		"CPUs asked for"},
	{"ReqMem", 10, {get_job_memory, 0}, {NULL, 0},
		"memory asked for"},
	{"ReqNodes", 8, {get_job_req_nodes, 0}, {get_step_nodes_text, true},
		"nodes asked for"},
	{"ReqTRES", 10, {get_job_tres, J(tres_req)}, {NULL, 0},
		"trackable resources asked for"},
	{"Reservation", 20, {get_job_text, J(reservation)}, {NULL, 0},
		"reservation it ran in"},
	{"ReservationId", 8, {get_reservation_id, 0}, {NULL, 0},
		"number of that"},
	{"ReqReservation", 20, {get_job_text, J(reservation)}, {NULL, 0},
		"reservations asked for"},
	{"Restarts", 8, {get_job_number, J(restarts)}, {NULL, 0},
		"how often it was requeued"},
	{"SegmentSize", 11, {NULL, 0}, {NULL, 0},
		"segment size"},
	{"SLUID", 14, {get_sluid, 0}, {get_sluid, 0},
		"its lasting id"},
	{"Start", 19, {get_start, 0}, {get_start, 0},
		"when it started"},
	{"State", 10, {get_state, 0}, {get_state, 0},
		"state"},
	{"StdErr", 20, {get_file, J(std_err)}, {NULL, 0},
		"where errors go"},
	{"StdIn", 20, {get_file, J(std_in)}, {NULL, 0},
		"where input comes from"},
	{"StdOut", 20, {get_file, J(std_out)}, {NULL, 0},
		"where output goes"},
	{"Submit", 19, {get_job_date, J(submit)}, {get_start, 0},
		"when it was submitted"},
	{"SubmitLine", 20, {get_job_text, J(submit_line)}, {get_step_text, S(submit_line)},
		"the command that submitted it"},
	{"Suspended", 10, {get_suspended, 0}, {get_suspended, 0},
		"how long it was suspended"},
	{"SystemComment", 15, {get_job_text, J(system_comment)}, {NULL, 0},
		"comment of the system"},
	{"SystemCPU", 10, {get_cpu_used, SYSTEM}, {get_cpu_used, SYSTEM},
		"system CPU time"},
	{"Timelimit", 10, {get_job_limit, 0}, {get_step_limit, 0},
		"time limit"},
	{"TimelimitRaw", 10, {get_job_limit, 1}, {get_step_limit, 1},
		"time limit in minutes"},
	{"TotalCPU", 10, {get_cpu_used, BOTH}, {get_cpu_used, BOTH},
		"CPU time"},
	{"TRESUsageInAve", 14, {NULL, 0}, {get_usage, USAGE_IN_AVE},
		"mean use of the tasks"},
	{"TRESUsageInMax", 14, {NULL, 0}, {get_usage, USAGE_IN_MAX},
		"largest use of a task"},
	{"TRESUsageInMaxNode", 18, {NULL, 0}, {get_usage_node, 1},
		"where those tasks ran"},
	{"TRESUsageInMaxTask", 18, {NULL, 0}, {get_usage_task, 1},
		"which tasks they were"},
	{"TRESUsageInMin", 14, {NULL, 0}, {get_usage, USAGE_IN_MIN},
		"least use of a task"},
	{"TRESUsageInMinNode", 18, {NULL, 0}, {get_usage_node, 0},
		"where those tasks ran"},
	{"TRESUsageInMinTask", 18, {NULL, 0}, {get_usage_task, 0},
		"which tasks they were"},
	{"TRESUsageInTot", 14, {NULL, 0}, {get_usage, USAGE_IN_TOT},
		"use of all tasks together"},
	{"TRESUsageOutAve", 15, {NULL, 0}, {get_usage, USAGE_OUT_AVE},
		"mean output of the tasks"},
	{"TRESUsageOutMax", 15, {NULL, 0}, {get_usage, USAGE_OUT_MAX},
		"largest output of a task"},
	{"TRESUsageOutMaxNode", 19, {NULL, 0}, {NULL, 0},
		"where those tasks ran"},
	{"TRESUsageOutMaxTask", 19, {NULL, 0}, {NULL, 0},
		"which tasks they were"},
	{"TRESUsageOutMin", 15, {NULL, 0}, {get_usage, USAGE_OUT_MIN},
		"least output of a task"},
	{"TRESUsageOutMinNode", 19, {NULL, 0}, {NULL, 0},
		"where those tasks ran"},
	{"TRESUsageOutMinTask", 19, {NULL, 0}, {NULL, 0},
		"which tasks they were"},
	{"TRESUsageOutTot", 15, {NULL, 0}, {get_usage, USAGE_OUT_TOT},
		"output of all tasks together"},
	{"UID", 6, {get_uid, 0}, {NULL, 0},
		"number of the user"},
	{"User", 9, {get_user, 0}, {NULL, 0},
		"user"},
	{"UserCPU", 10, {get_cpu_used, USER}, {get_cpu_used, USER},
		"user CPU time"},
	{"WCKey", 10, {get_job_text, J(wckey)}, {NULL, 0},
		"workload key"},
	{"WCKeyID", 10, {get_wckey_id, 0}, {NULL, 0},
		"its number"},
	{"WorkDir", 20, {get_job_text, J(work_dir)}, {NULL, 0},
		"working directory"},
};
/* clang-format on */

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

struct value column_value(
	const struct table_choice *columns, size_t i, const struct row *row)
{
	const struct sacct_field *field = &fields[columns->fields[i]];
	const struct getter *getter = row->step ? &field->step : &field->job;

	return getter->get ? getter->get(row, getter->arg) : blank();
}

void print_field_names(void)
{
	for (size_t i = 0; i < FIELDS; i++) {
		if (i)
			putchar(i % 4 ? ' ' : '\n');
		printf("%-19s", fields[i].name);
	}
	putchar('\n');
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

static int bad_field(const char *name, size_t len, struct err *err)
{
	static const char *const gone[][2] = {
		{"AllocGRES", "AllocTRES"}, {"ReqGRES", "ReqTRES"}};

	for (size_t i = 0; i < 2; i++)
		if (strlen(gone[i][0]) == len &&
			!strncasecmp(gone[i][0], name, len))
			cli_fatal("%s has been removed, please use %s",
				gone[i][0], gone[i][1]);
	return err_set(err, ERR_USAGE, "Invalid field requested: \"%.*s\"",
		(int)len, name);
}

/* One `name[%width]`: the first field it begins to spell, or all. */
static int choose(struct table_choice *columns, const char *item,
	struct arena *arena, struct err *err)
{
	size_t len = strcspn(item, "%");
	long width = item[len] ? strtol(item + len + 1, NULL, 10) : 0;
	bool all = !strncasecmp("ALL", item, len);

	for (int i = 0; i < FIELDS; i++) {
		const struct table_column head = {
			fields[i].name, fields[i].width};

		if (!all && strncasecmp(fields[i].name, item, len))
			continue;
		table_choice_put(columns, arena, i, &head, width);
		if (!all)
			return 0;
	}
	return all ? 0 : bad_field(item, len, err);
}

static int choose_all(struct table_choice *columns, const char *list,
	struct arena *arena, struct err *err)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		const char *item;

		while (len && isspace((unsigned char)*list)) {
			list++;
			len--;
		}
		item = arena_strndup(arena, list, len);
		if (len && choose(columns, item, arena, err))
			return -1;
		list += len + (list[len] == ',');
	}
	return 0;
}

int columns_choose(struct table_choice *columns, const struct options *options,
	struct arena *arena, struct err *err)
{
	const char *environment = getenv("SACCT_FORMAT");
	bool own = options->format || options->brief || options->long_list;

	*columns = (struct table_choice){0};
	if (!own)
		return choose_all(columns,
			environment ? environment : default_format, arena, err);
	if (options->format && choose_all(columns, options->format, arena, err))
		return -1;
	if (options->brief && choose_all(columns, brief_format, arena, err))
		return -1;
	return options->long_list ? choose_all(columns, long_format, arena, err)
				  : 0;
}
