/*
 * The members of a job and of a step; see job.h.
 */
#include "common/table/job.h"

#include <grp.h>
#include <inttypes.h>
#include <string.h>

/* Any beginning of the name will do. */
#define FACT(name, width, json, help) SHOWN(name ":1", name, width, json, help)
/* Its type, letter and heading in squeue, its path in the JSON of squeue and
 * scontrol, its key in scontrol. */
#define QUEUE(...) .queue = &(const struct member_queue){__VA_ARGS__}
/* Its column in the tables of slurm_acct_db. */
#define ACCT(column) .database = (column)
#define FREE_TEXT .marks = MEMBER_FREE_TEXT
#define ASKED .marks = MEMBER_ASKED
#define AT(member) .offset = offsetof(struct job, member)
/* clang-format off */
static const struct member job_rows[] = {
	{"cluster", MEMBER_INT, AT(cluster)},
	{"id", MEMBER_COUNT, AT(id), FACT("JobIDRaw", -12, "job_id", "job and step by number"),
		QUEUE("JobId", 'A', "JOBID", "job_id", "JobId")},
	{"submit", MEMBER_KNOWN_TIME, AT(submit), ACCT("time_submit"),
		FACT("Submit", 19, "time/submission", "when it was submitted"),
		QUEUE("SubmitTime", 'V', "SUBMIT_TIME", "submit_time", "SubmitTime")},
	{"array_job", MEMBER_COUNT, AT(array_job), .json = "array/job_id",
		QUEUE("ArrayJobId", 'F', "ARRAY_JOB_ID", "array_job_id", "ArrayJobId")},
	{"array_task", MEMBER_MAYBE, AT(array_task), .json = "array/task_id",
		QUEUE("ArrayTaskId", 'K', "ARRAY_TASK_ID", "array_task_id", "ArrayTaskId")},
	{"array_tasks", MEMBER_TEXT, AT(array_tasks), .json = "array/task",
		QUEUE(NULL, 0, NULL, "array_task_string", NULL)},
	{"het_job", MEMBER_COUNT, AT(het_job), .json = "het/job_id",
		QUEUE("HetJobId", 0, "HET_JOB_ID", "het_job_id", "HetJobId")},
	{"het_offset", MEMBER_MAYBE, AT(het_offset), .json = "het/job_offset",
		QUEUE("HetJobOffset", 0, "HET_JOB_OFFSET", "het_job_offset", "HetJobOffset")},
	{"user", MEMBER_TEXT, AT(user), FACT("User", 9, "user", "user"),
		QUEUE("UserName", 'u', "USER", "user_name", NULL)},
	{"uid", MEMBER_MAYBE, AT(uid), FACT("UID", 6, NULL, "number of the user"),
		QUEUE("UserId", 'U', "UID", "user_id", "UserId"), ACCT("id_user")},
	{"gid", MEMBER_MAYBE, AT(gid), FACT("GID", 6, NULL, "number of the group"),
		QUEUE("GroupId", 'G', "GROUP", "group_id", "GroupId"), ACCT("id_group")},
	{"grp", MEMBER_TEXT, AT(group), FACT("Group", 9, "group", "group"),
		QUEUE("GroupName", 'g', "GROUP", "group_name", NULL)},
	{"account", MEMBER_TEXT, AT(account), FACT("Account", 10, "account", "account"),
		QUEUE("Account", 'a', "ACCOUNT", "account", "Account"), ACCT("account")},
	{"assoc", MEMBER_KEY, AT(assoc),
		QUEUE("AssocId", 0, "ASSOC_ID", "association_id", NULL)},
	{"wckey", MEMBER_TEXT, AT(wckey), FACT("WCKey", 10, "wckey/wckey", "workload key"),
		QUEUE("WCKey", 'w', "WCKEY", "wckey", "WCKey"), ACCT("wckey")},
	{"name", MEMBER_TEXT, AT(name), FREE_TEXT, FACT("JobName", 10, "name", "name"),
		QUEUE("Name", 'j', "NAME", "name", "JobName"), ACCT("job_name")},
	{"partition", MEMBER_TEXT, AT(partition), FACT("Partition", 10, "partition", "partition"),
		QUEUE("Partition", 'P', "PARTITION", "partition", "Partition"), ACCT("partition")},
	{"qos", MEMBER_ID, AT(qos), FACT("QOSRAW", 6, NULL, "its number"),
		QUEUE("QOS", 'q', "QOS", "qos", "QOS")},
	{"qos_req", MEMBER_TEXT, AT(qos_req),
		FACT("QOSREQ", 10, "qosreq", "quality of service asked for"), ACCT("qos_req")},
	{"constraints", MEMBER_TEXT, AT(constraints), FREE_TEXT,
		FACT("Constraints", 19, "constraints", "node features asked for"),
		QUEUE("Feature", 'f', "FEATURES", "features", "Features"), ACCT("constraints")},
	{"licenses", MEMBER_TEXT, AT(licenses), FACT("Licenses", 10, "licenses", "licenses"),
		QUEUE("Licenses", 'W', "LICENSES", "licenses", "Licenses"), ACCT("licenses")},
	{"gres", MEMBER_TEXT, AT(gres),
		FACT("TresPerNode", 0, "used_gres", "generic resources asked for"),
		QUEUE("Gres", 'b', "TRES_PER_NODE", "tres_per_node", "TresPerNode")},
	{"reservation", MEMBER_TEXT, AT(reservation),
		FACT("Reservation", 20, "reservation/name", "reservation it ran in"),
		QUEUE("Reservation", 'v', "RESERVATION", "resv_name", "Reservation")},
	{"reservation_req", MEMBER_TEXT, AT(reservation_req), ACCT("resv_req"),
		FACT("ReqReservation", 20, "reservation/requested", "reservations asked for")},
	{"work_dir", MEMBER_TEXT, AT(work_dir), FREE_TEXT, ACCT("work_dir"),
		FACT("WorkDir", 20, "working_directory", "working directory"),
		QUEUE("WorkDir", 'Z', "WORK_DIR", "current_working_directory", "WorkDir")},
	{"submit_line", MEMBER_TEXT, AT(submit_line), FREE_TEXT,
		FACT("SubmitLine", 20, "submit_line", "the command that submitted it"),
		QUEUE(NULL, 0, NULL, "submit_line", "SubmitLine"), ACCT("submit_line")},
	{"container", MEMBER_TEXT, AT(container), FREE_TEXT,
		FACT("Container", 19, "container", "path of the container"),
		QUEUE("Container", 0, "CONTAINER", "container", "Container"), ACCT("container")},
	{"std_in", MEMBER_TEXT, AT(std_in), FREE_TEXT,
		FACT("StdIn", 20, "stdin", "where input comes from"),
		QUEUE("StdIn", 0, "STDIN", "standard_input", "StdIn"), ACCT("std_in")},
	{"std_out", MEMBER_TEXT, AT(std_out), FREE_TEXT,
		FACT("StdOut", 20, "stdout", "where output goes"),
		QUEUE("StdOut", 0, "STDOUT", "standard_output", "StdOut"), ACCT("std_out")},
	{"std_err", MEMBER_TEXT, AT(std_err), FREE_TEXT,
		FACT("StdErr", 20, "stderr", "where errors go"),
		QUEUE("StdErr", 0, "STDERR", "standard_error", "StdErr"), ACCT("std_err")},
	{"cpus_req", MEMBER_COUNT, AT(cpus_req),
		FACT("ReqCPUS", 8, "required/CPUs", "CPUs asked for"),
		QUEUE("NumCPUs", 'C', "CPUS", "cpus", "NumCPUs"), ACCT("cpus_req")},
	{"nodes_req", MEMBER_COUNT, AT(nodes_req), FACT("ReqNodes", 8, NULL, "nodes asked for"),
		QUEUE("NumNodes", 'D', "NODES", "node_count", "NumNodes")},
	{"mem_req", MEMBER_MAYBE64, AT(mem_req), FACT("ReqMem", 10, NULL, "memory asked for")},
	{"tres_req", MEMBER_TRES, AT(tres_req),
		FACT("ReqTRES", 10, "tres/requested", "trackable resources asked for"),
		QUEUE(NULL, 0, NULL, "tres_req_str", "ReqTRES"), ACCT("tres_req")},
	{"nodes_max", MEMBER_COUNT, AT(nodes_max), ASKED,
		FACT("MaxNodes", 0, NULL, "most nodes it may take"),
		QUEUE("MaxNodes", 0, "MAX_NODES", "max_nodes", NULL)},
	{"tasks", MEMBER_COUNT, AT(tasks), ASKED, FACT("Tasks", 0, NULL, "tasks asked for"),
		QUEUE("NumTasks", 0, "TASKS", "tasks", "NumTasks")},
	{"cpus_per_task", MEMBER_COUNT, AT(cpus_per_task), ASKED,
		FACT("CPUsPerTask", 0, NULL, "CPUs of each task"),
		QUEUE("CPUsPerTask", 0, "CPUS_PER_TASK", "cpus_per_task", "CPUs/Task")},
	{"tasks_per_node", MEMBER_COUNT, AT(tasks_per_node), ASKED,
		FACT("TasksPerNode", 0, NULL, "most tasks on a node"),
		QUEUE("NTPerNode", 0, "NTASKS_PER_NODE", "tasks_per_node", "NtasksPerN:B:S:C")},
	{"mem_per_node", MEMBER_COUNT64, AT(mem_per_node), ASKED,
		FACT("MemPerNode", 0, NULL, "MiB on each node"),
		QUEUE("MinMemory", 'm', "MIN_MEMORY", "memory_per_node", "MinMemoryNode")},
	{"mem_per_cpu", MEMBER_COUNT64, AT(mem_per_cpu), ASKED,
		FACT("MemPerCPU", 0, NULL, "MiB for each CPU"),
		QUEUE(NULL, 0, NULL, "memory_per_cpu", "MinMemoryCPU")},
	{"gpus_per_task", MEMBER_COUNT, AT(gpus_per_task), ASKED,
		FACT("GPUsPerTask", 0, NULL, "GPUs of each task"),
		QUEUE("tres-per-task", 0, "TRES_PER_TASK", "tres_per_task", "TresPerTask")},
	{"gpus_per_socket", MEMBER_COUNT, AT(gpus_per_socket), ASKED,
		FACT("GPUsPerSocket", 0, NULL, "GPUs of each socket"),
		QUEUE("tres-per-socket", 0, "TRES_PER_SOCKET", "tres_per_socket", "TresPerSocket")},
	{"nodes_wanted", MEMBER_TEXT, AT(nodes_wanted),
		FACT("ReqNodeList", 0, NULL, "nodes it must have"),
		QUEUE("ReqNodes", 'n', "REQ_NODES", "required_nodes", "ReqNodeList")},
	{"nodes_excluded", MEMBER_TEXT, AT(nodes_excluded),
		FACT("ExcNodeList", 0, NULL, "nodes it must not have"),
		QUEUE("ExcNodes", 'x', "EXC_NODES", "excluded_nodes", "ExcNodeList")},
	{"time_limit", MEMBER_MAYBE, AT(time_limit),
		FACT("Timelimit", 10, "time/limit", "time limit"),
		QUEUE("TimeLimit", 'l', "TIME_LIMIT", "time_limit", "TimeLimit")},
	{"time_min", MEMBER_MAYBE, AT(time_min),
		FACT("TimeMin", 0, NULL, "least time limit it accepts"),
		QUEUE("MinTime", 0, "TIME_MIN", "time_minimum", "TimeMin")},
	{"eligible", MEMBER_TIME, AT(eligible), ACCT("time_eligible"),
		FACT("Eligible", 19, "time/eligible", "when it could first run"),
		QUEUE("EligibleTime", 0, "ELIGIBLE_TIME", "eligible_time", "EligibleTime")},
	{"accrue", MEMBER_TIME, AT(accrue),
		QUEUE("AccrueTime", 0, "ACCRUE_TIME", "accrue_time", "AccrueTime")},
	{"begin", MEMBER_TIME, AT(begin)},
	{"start", MEMBER_TIME, AT(start), FACT("Start", 19, "time/start", "when it started"),
		QUEUE("StartTime", 'S', "START_TIME", "start_time", "StartTime"),
		ACCT("time_start")},
	{"end", MEMBER_TIME, AT(end), FACT("End", 19, "time/end", "when it ended"),
		QUEUE("EndTime", 'e', "END_TIME", "end_time", "EndTime"), ACCT("time_end")},
	{"suspended", MEMBER_INT, AT(suspended),
		FACT("Suspended", 10, NULL, "how long it was suspended")},
	{"suspended_since", MEMBER_TIME, AT(suspended_since),
		FACT("SuspendTime", 0, NULL, "since when it is suspended"),
		QUEUE(NULL, 0, NULL, "suspend_time", "SuspendTime")},
	{"state", MEMBER_COUNT, AT(state), FACT("State", 10, NULL, "state"),
		QUEUE("State", 'T', "STATE", "job_state", "JobState")},
	{"exit_code", MEMBER_EXIT, AT(exit_code),
		FACT("ExitCode", 8, "exit_code", "exit code and signal"),
		QUEUE("exit_code", 0, "EXIT_CODE", "exit_code", "ExitCode"), ACCT("exit_code")},
	{"derived_ec", MEMBER_EXIT, AT(derived_ec), ACCT("derived_ec"),
		FACT("DerivedExitCode", 15, "derived_exit_code", "highest exit code of the steps"),
		QUEUE("DerivedEC", 0, "DERIVED_EC", "derived_exit_code", "DerivedExitCode")},
	{"comment", MEMBER_TEXT, AT(comment), FREE_TEXT,
		FACT("Comment", 14, "comment/job", "comment of the job"),
		QUEUE("Comment", 'k', "COMMENT", "comment", "Comment"), ACCT("derived_es")},
	{"admin_comment", MEMBER_TEXT, AT(admin_comment), FREE_TEXT, ACCT("admin_comment"),
		FACT("AdminComment", 15, "comment/administrator", "comment of an administrator"),
		QUEUE("admin_comment", 0, "ADMIN_COMMENT", "admin_comment", "AdminComment")},
	{"system_comment", MEMBER_TEXT, AT(system_comment), FREE_TEXT, ACCT("system_comment"),
		FACT("SystemComment", 15, "comment/system", "comment of the system"),
		QUEUE("system_comment", 0, "SYSTEM_COMMENT", "system_comment", "SystemComment")},
	{"extra", MEMBER_TEXT, AT(extra), FREE_TEXT, FACT("Extra", 14, "extra", "free text"),
		QUEUE(NULL, 0, NULL, "extra", "Extra"), ACCT("extra")},
	{"killed_by", MEMBER_TEXT, AT(killed_by),
		FACT("KillRequestUser", 0, "kill_request_user", "who cancelled it")},
	{"restarts", MEMBER_COUNT, AT(restarts), ACCT("restart_cnt"),
		FACT("Restarts", 8, "restart_cnt", "how often it was requeued"),
		QUEUE("RestartCnt", 0, "RESTART_COUNT", "restart_cnt", "Restarts")},
	{"failed_node", MEMBER_TEXT, AT(failed_node),
		FACT("FailedNode", 8, "failed_node", "node whose failure ended it"),
		QUEUE(NULL, 0, NULL, "failed_node", "FailedNode"), ACCT("failed_node")},
	{"flags", MEMBER_COUNT, AT(flags), ASKED, FACT("Flags", 19, NULL, "how it was started")},
	{"nodes_alloc", MEMBER_COUNT, AT(nodes_alloc)},
	{"nodelist", MEMBER_TEXT, AT(nodelist), FACT("NodeList", 15, NULL, "nodes"),
		QUEUE("NodeList", 'N', "NODELIST", "nodes", "NodeList")},
	{"tres_alloc", MEMBER_TRES, AT(tres_alloc), ACCT("tres_alloc"),
		FACT("AllocTRES", 10, "tres/allocated", "trackable resources allocated"),
		QUEUE("tres-alloc", 0, "TRES_ALLOC", "tres_alloc_str", "AllocTRES")},
	{"cpus_on", MEMBER_TEXT, AT(cpus_on), FACT("CPUsOn", 0, NULL, "CPUs it has on each node")},
	{"mem_on", MEMBER_TEXT, AT(mem_on), FACT("MemOn", 0, NULL, "MiB it has on each node")},
	{"exclusive", MEMBER_COUNT, AT(exclusive), ASKED,
		FACT("Exclusive", 14, "exclusive", "nodes of its own"),
		QUEUE("Exclusive", 0, "EXCLUSIVE", NULL, NULL), ACCT("exclusive")},
	{"exclusive_for", MEMBER_TEXT, AT(exclusive_for)},
	{"oversubscribe", MEMBER_TEXT, AT(oversubscribe), ACCT("oversubscribe"),
		FACT("OverSubscribe", 14, "oversubscribe", "whether its nodes are shared")},
	{"mcs_label", MEMBER_TEXT, AT(mcs_label), ACCT("mcs_label"),
		FACT("McsLabel", 12, "mcs/label", "label of multi-category security"),
		QUEUE("MCSLabel", 0, "MCSLABEL", NULL, "MCS_label")},
	{"block", MEMBER_TEXT, AT(block), ACCT("id_block"),
		FACT("BlockID", 16, "block", "block of the machine")},
	{"segment_size", MEMBER_COUNT, AT(segment_size), ASKED, ACCT("segment_size"),
		FACT("SegmentSize", 11, "segment_size", "nodes of a segment of a block topology")},
	{"reason", MEMBER_TEXT, AT(reason), FREE_TEXT,
		FACT("Reason", 22, "state/reason", "why it waited last"),
		QUEUE("Reason", 'r', "REASON", "state_reason", "Reason")},
	{"hold", MEMBER_COUNT, AT(hold),
		QUEUE(NULL, 0, NULL, "hold", NULL)},
	{"dependency", MEMBER_TEXT, AT(dependency), FREE_TEXT,
		FACT("Dependency", 0, NULL, "jobs it waits for"),
		QUEUE("Dependency", 'E', "DEPENDENCY", "dependency", "Dependency")},
	{"priority", MEMBER_MAYBE, AT(priority)},
	{"last_priority", MEMBER_MAYBE, AT(last_priority),
		FACT("Priority", 10, "priority", "priority"),
		QUEUE("PriorityLong", 'Q', "PRIORITY", "priority", "Priority")},
	{"nice", MEMBER_SIGNED, AT(nice), FACT("Nice", 0, NULL, "taken off its priority"),
		QUEUE("Nice", 'y', "NICE", "nice", "Nice")},
	{"site_factor", MEMBER_SIGNED, AT(site_factor)},
	{"billing", MEMBER_REAL, AT(billing)},
	{"usage_factor", MEMBER_REAL, AT(usage_factor)},
	{"part_qos", MEMBER_ID, AT(part_qos)},
	{"usage_epoch", MEMBER_INT, AT(usage_epoch)},
	{"wall_limit", MEMBER_MAYBE, AT(wall_limit)},
};
#undef AT

#define AT(member) .offset = offsetof(struct step, member)
static const struct member step_rows[] = {
	{"job", MEMBER_INT, AT(job)},
	{"id", MEMBER_SIGNED, AT(id)},
	{"name", MEMBER_TEXT, AT(name),
		FACT("JobName", 10, "step/name", "name"), ACCT("step_name")},
	{"state", MEMBER_COUNT, AT(state)},
	{"exit_code", MEMBER_EXIT, AT(exit_code),
		FACT("ExitCode", 8, "exit_code", "exit code and signal"), ACCT("exit_code")},
	{"start", MEMBER_TIME, AT(start)},
	{"end", MEMBER_TIME, AT(end)},
	{"nodelist", MEMBER_TEXT, AT(nodelist), .json = "nodes/range"},
	{"nodes", MEMBER_COUNT, AT(nodes), .json = "nodes/count"},
	{"tasks", MEMBER_COUNT, AT(tasks), FACT("NTasks", 8, "tasks/count", "tasks"),
		ACCT("task_cnt")},
	{"task_dist", MEMBER_TEXT, AT(task_dist),
		FACT("Layout", 9, "task/distribution", "how tasks were spread")},
	{"time_limit", MEMBER_MAYBE, AT(time_limit), ACCT("timelimit"),
		FACT("Timelimit", 10, "time/limit", "time limit")},
	{"user_usec", MEMBER_COUNT64, AT(user_usec)},
	{"sys_usec", MEMBER_COUNT64, AT(sys_usec)},
	{"cpu_freq", MEMBER_COUNT64, AT(cpu_freq),
		FACT("AveCPUFreq", 10, "statistics/CPU/actual_frequency", "mean CPU frequency")},
	{"freq_min", MEMBER_COUNT, AT(freq_min), ACCT("req_cpufreq_min"),
		FACT("ReqCPUFreqMin", 13, "CPU/requested_frequency/min", "the lowest CPU frequency asked for")},
	{"freq_max", MEMBER_COUNT, AT(freq_max), ACCT("req_cpufreq"),
		FACT("ReqCPUFreqMax", 13, "CPU/requested_frequency/max", "the highest CPU frequency asked for")},
	{"freq_governor", MEMBER_COUNT, AT(freq_governor), ACCT("req_cpufreq_gov"),
		FACT("ReqCPUFreqGov", 13, "CPU/governor", "the governor of CPU frequency asked for")},
	{"energy", MEMBER_COUNT64, AT(energy),
		FACT("ConsumedEnergyRaw", 17, "statistics/energy/consumed", "energy used in joules")},
	{"tres_alloc", MEMBER_TRES, AT(tres_alloc), ACCT("tres_alloc"),
		FACT("AllocTRES", 10, "tres/allocated", "trackable resources allocated")},
	{"in_ave", MEMBER_TRES, AT(used[STEP_IN_AVE]), ACCT("tres_usage_in_ave")},
	{"in_max", MEMBER_TRES, AT(used[STEP_IN_MAX]), ACCT("tres_usage_in_max")},
	{"in_max_node", MEMBER_TRES, AT(used[STEP_IN_MAX_NODE]), ACCT("tres_usage_in_max_nodeid")},
	{"in_max_task", MEMBER_TRES, AT(used[STEP_IN_MAX_TASK]), ACCT("tres_usage_in_max_taskid")},
	{"in_min", MEMBER_TRES, AT(used[STEP_IN_MIN]), ACCT("tres_usage_in_min")},
	{"in_min_node", MEMBER_TRES, AT(used[STEP_IN_MIN_NODE]), ACCT("tres_usage_in_min_nodeid")},
	{"in_min_task", MEMBER_TRES, AT(used[STEP_IN_MIN_TASK]), ACCT("tres_usage_in_min_taskid")},
	{"in_tot", MEMBER_TRES, AT(used[STEP_IN_TOT]), ACCT("tres_usage_in_tot")},
	{"out_ave", MEMBER_TRES, AT(used[STEP_OUT_AVE]), ACCT("tres_usage_out_ave")},
	{"out_max", MEMBER_TRES, AT(used[STEP_OUT_MAX]), ACCT("tres_usage_out_max")},
	{"out_max_node", MEMBER_TRES, AT(used[STEP_OUT_MAX_NODE]), ACCT("tres_usage_out_max_nodeid")},
	{"out_max_task", MEMBER_TRES, AT(used[STEP_OUT_MAX_TASK]), ACCT("tres_usage_out_max_taskid")},
	{"out_min", MEMBER_TRES, AT(used[STEP_OUT_MIN]), ACCT("tres_usage_out_min")},
	{"out_min_node", MEMBER_TRES, AT(used[STEP_OUT_MIN_NODE]), ACCT("tres_usage_out_min_nodeid")},
	{"out_min_task", MEMBER_TRES, AT(used[STEP_OUT_MIN_TASK]), ACCT("tres_usage_out_min_taskid")},
	{"out_tot", MEMBER_TRES, AT(used[STEP_OUT_TOT]), ACCT("tres_usage_out_tot")},
	{"killed_by", MEMBER_TEXT, AT(killed_by)},
	{"submit_line", MEMBER_TEXT, AT(submit_line), ACCT("submit_line"),
		FACT("SubmitLine", 20, "submit_line", "the command that submitted it")},
	{"container", MEMBER_TEXT, AT(container), ACCT("container"),
		FACT("Container", 19, NULL, "path of the container")},
	{"work_dir", MEMBER_TEXT, AT(work_dir)},
	{"std_in", MEMBER_TEXT, AT(std_in), ACCT("std_in"),
		FACT("StdIn", 20, "step/stdin", "where input comes from")},
	{"std_out", MEMBER_TEXT, AT(std_out), ACCT("std_out"),
		FACT("StdOut", 20, "step/stdout", "where output goes")},
	{"std_err", MEMBER_TEXT, AT(std_err), ACCT("std_err"),
		FACT("StdErr", 20, "step/stderr", "where errors go")},
};
/* clang-format on */
#undef AT

const struct members job_members = MEMBERS(job_rows);
const struct members step_members = MEMBERS(step_rows);

/* ---- as programs name them -----------------------------------------------*/

/* What squeue and scontrol call a fact of ours. */
static struct member_queue *our_names(const struct member *m, struct arena *arena)
{
	struct member_queue *names = arena_alloc(arena, sizeof(*names));

	names->type = names->key =
		arena_strndup(arena, m->names, strcspn(m->names, ":"));
	names->heading = str_upper(arena, m->column);
	names->json = m->column;
	return names;
}

static void name_as(enum job_view view, struct member *m, struct arena *arena)
{
	static const struct member_queue none;
	bool ours = m->marks & MEMBER_OURS && m->names;
	const struct member_queue *queue = m->queue ? m->queue
					   : ours   ? our_names(m, arena)
						    : &none;

	if (view == SACCT_FIELDS && m->width) {
		m->json = NULL;
		return;
	}
	m->names = view == SQUEUE_TYPES	   ? queue->type
		   : view == SCONTROL_KEYS ? queue->key
					   : NULL;
	m->json = view == SACCT_JSON   ? m->json
		  : view == QUEUE_JSON ? queue->json
				       : NULL;
	m->letter = queue->letter;
	m->heading = queue->heading;
}

struct members job_view(
	const struct members *facts, enum job_view view, struct arena *arena)
{
	struct member *v = arena_array(arena, facts->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < facts->n; i++) {
		v[n] = facts->v[i];
		name_as(view, &v[n], arena);
		n += v[n].names || v[n].json;
	}
	return (struct members){v, n};
}

void job_init(struct job *job)
{
	memset(job, 0, sizeof(*job));
	members_init(job, &job_members);
	job->cpus_req = job->nodes_req = 1;
	job->usage_factor = 1;
}

uint32_t job_least_nodes(const struct job *job)
{
	uint64_t nodes = tres_list_get(&job->tres_req, TRES_NODE);

	return nodes && nodes < job->nodes_req ? (uint32_t)nodes
					       : job->nodes_req;
}

const char *job_shown_id(const struct job *job, const char *tasks,
	uint32_t task, struct arena *arena)
{
	uint32_t array = job->array_job ? job->array_job : job->id;

	if (*tasks)
		return arena_printf(arena, "%" PRIu32 "_[%s]", array, tasks);
	if (task != NO_VAL)
		return arena_printf(
			arena, "%" PRIu32 "_%" PRIu32, array, task);
	if (job->het_job)
		return arena_printf(arena, "%" PRIu32 "+%" PRIu32,
			job->het_job,
			job->het_offset == NO_VAL ? 0 : job->het_offset);
	return arena_printf(arena, "%" PRIu32, job->id);
}

const char *job_group(const struct job *job, struct arena *arena)
{
	const struct group *group;

	if (*job->group || job->gid == NO_VAL)
		return job->group;
	group = getgrgid((gid_t)job->gid);
	return group ? arena_strdup(arena, group->gr_name)
		     : arena_printf(arena, "%" PRIu32, job->gid);
}

const char *job_exclusive(const struct job *job)
{
	return job->exclusive ? "NODE" : job->exclusive_for;
}

const char *job_reservation_asked(const struct job *job)
{
	return *job->reservation_req ? job->reservation_req : job->reservation;
}

int64_t job_suspended(const struct job *job, int64_t now)
{
	int64_t until = job->end ? job->end : now;
	int64_t since = job->suspended_since;

	return job->suspended + (since && until > since ? until - since : 0);
}

/* Those of `from` that the list does not have, times `times`; but for CPU and for
 * TRES of the site, of which the one says nothing about the other. */
static void fill_from(struct tres_list *list, const struct tres_list *from,
	uint64_t times, struct arena *arena)
{
	for (size_t i = 0; i < from->n; i++)
		if (from->v[i].id != TRES_CPU && from->v[i].id < TRES_FIRST_SITE &&
			tres_list_get(list, from->v[i].id) == NO_VAL64)
			tres_list_set(list, arena, from->v[i].id,
				from->v[i].count * times);
}

static void fill_cpu(struct tres_list *list, uint64_t ms, struct arena *arena)
{
	if (ms != NO_VAL64 && tres_list_get(list, TRES_CPU) == NO_VAL64)
		tres_list_set(list, arena, TRES_CPU, ms);
}

/* Of one task. */
static uint64_t cpu_of_one(const struct step *step)
{
	uint64_t least = tres_list_get(&step->used[STEP_IN_MIN], TRES_CPU);

	if (step->tasks != 1)
		return NO_VAL64;
	return least != NO_VAL64
		? least
		: tres_list_get(&step->used[STEP_IN_AVE], TRES_CPU);
}

struct tres_list step_used(
	const struct step *step, enum step_use kind, struct arena *arena)
{
	const struct tres_list *used = step->used;
	const bool out = kind >= STEP_OUT_AVE, one = step->tasks == 1;
	const enum step_use max = out ? STEP_OUT_MAX : STEP_IN_MAX;
	struct tres_list list, ave;

	if (used[STEP_IN_TOT].n)
		return used[kind];
	list = tres_list_copy(&used[kind], arena);
	switch (kind) {
	case STEP_IN_TOT:
	case STEP_OUT_TOT:
		ave = step_used(step, out ? STEP_OUT_AVE : STEP_IN_AVE, arena);
		fill_from(&list, &ave, step->tasks, arena);
		if (!out && (step->end || step->user_usec || step->sys_usec))
			fill_cpu(&list, (step->user_usec + step->sys_usec) / 1000,
				arena);
		break;
	case STEP_IN_AVE:
	case STEP_OUT_AVE:
	case STEP_IN_MIN:
	case STEP_OUT_MIN:
		if (one)
			fill_from(&list, &used[max], 1, arena);
		break;
	case STEP_IN_MAX:
		fill_cpu(&list, cpu_of_one(step), arena);
		break;
	default:
		break;
	}
	return list;
}

void step_init(struct step *step)
{
	memset(step, 0, sizeof(*step));
	members_init(step, &step_members);
	step->nodes = step->tasks = 1;
	step->task_dist = "Unknown";
}
