/*
 * The members of a job and of a step; see job.h.
 */
#include "common/table/job.h"

#include <inttypes.h>
#include <string.h>

/* Any beginning of the name will do. */
#define FACT(name, width, json, help) SHOWN(name ":1", name, width, json, help)
#define AT(member) .offset = offsetof(struct job, member)
/* clang-format off */
static const struct member job_rows[] = {
	{"cluster", MEMBER_INT, AT(cluster)},
	{"id", MEMBER_COUNT, AT(id),
		FACT("JobIDRaw", -12, "job_id", "job and step by number")},
	{"submit", MEMBER_KNOWN_TIME, AT(submit),
		FACT("Submit", 19, "time/submission", "when it was submitted")},
	{"array_job", MEMBER_COUNT, AT(array_job), .json = "array/job_id"},
	{"array_task", MEMBER_MAYBE, AT(array_task), .json = "array/task_id"},
	{"array_tasks", MEMBER_TEXT, AT(array_tasks), .json = "array/task"},
	{"het_job", MEMBER_COUNT, AT(het_job), .json = "het/job_id"},
	{"het_offset", MEMBER_MAYBE, AT(het_offset), .json = "het/job_offset"},
	{"user", MEMBER_TEXT, AT(user),
		FACT("User", 9, "user", "user")},
	{"uid", MEMBER_MAYBE, AT(uid),
		FACT("UID", 6, NULL, "number of the user")},
	{"gid", MEMBER_MAYBE, AT(gid),
		FACT("GID", 6, NULL, "number of the group")},
	{"grp", MEMBER_TEXT, AT(group),
		FACT("Group", 9, "group", "group")},
	{"account", MEMBER_TEXT, AT(account),
		FACT("Account", 10, "account", "account")},
	{"assoc", MEMBER_KEY, AT(assoc)},
	{"wckey", MEMBER_TEXT, AT(wckey),
		FACT("WCKey", 10, "wckey/wckey", "workload key")},
	{"name", MEMBER_TEXT, AT(name),
		FACT("JobName", 10, "name", "name"),
		.marks = MEMBER_FREE_TEXT},
	{"partition", MEMBER_TEXT, AT(partition),
		FACT("Partition", 10, "partition", "partition")},
	{"qos", MEMBER_ID, AT(qos),
		FACT("QOSRAW", 6, NULL, "its number")},
	{"qos_req", MEMBER_TEXT, AT(qos_req),
		FACT("QOSREQ", 10, "qosreq", "quality of service asked for")},
	{"constraints", MEMBER_TEXT, AT(constraints),
		FACT("Constraints", 19, "constraints", "node features asked for"),
		.marks = MEMBER_FREE_TEXT},
	{"licenses", MEMBER_TEXT, AT(licenses),
		FACT("Licenses", 10, "licenses", "licenses")},
	{"gres", MEMBER_TEXT, AT(gres),
		FACT("TresPerNode", 0, "used_gres", "generic resources asked for")},
	{"reservation", MEMBER_TEXT, AT(reservation),
		FACT("Reservation", 20, "reservation/name", "reservation it ran in")},
	{"work_dir", MEMBER_TEXT, AT(work_dir),
		FACT("WorkDir", 20, "working_directory", "working directory"),
		.marks = MEMBER_FREE_TEXT},
	{"submit_line", MEMBER_TEXT, AT(submit_line),
		FACT("SubmitLine", 20, "submit_line", "the command that submitted it"),
		.marks = MEMBER_FREE_TEXT},
	{"container", MEMBER_TEXT, AT(container),
		FACT("Container", 19, "container", "path of the container"),
		.marks = MEMBER_FREE_TEXT},
	{"std_in", MEMBER_TEXT, AT(std_in),
		FACT("StdIn", 20, "stdin", "where input comes from"),
		.marks = MEMBER_FREE_TEXT},
	{"std_out", MEMBER_TEXT, AT(std_out),
		FACT("StdOut", 20, "stdout", "where output goes"),
		.marks = MEMBER_FREE_TEXT},
	{"std_err", MEMBER_TEXT, AT(std_err),
		FACT("StdErr", 20, "stderr", "where errors go"),
		.marks = MEMBER_FREE_TEXT},
	{"cpus_req", MEMBER_COUNT, AT(cpus_req),
		FACT("ReqCPUS", 8, "required/CPUs", "CPUs asked for")},
	{"nodes_req", MEMBER_COUNT, AT(nodes_req),
		FACT("ReqNodes", 8, NULL, "nodes asked for")},
	{"mem_req", MEMBER_MAYBE64, AT(mem_req),
		FACT("ReqMem", 10, NULL, "memory asked for")},
	{"tres_req", MEMBER_TRES, AT(tres_req),
		FACT("ReqTRES", 10, "tres/requested", "trackable resources asked for")},
	{"nodes_max", MEMBER_COUNT, AT(nodes_max),
		FACT("MaxNodes", 0, NULL, "most nodes it may take")},
	{"tasks", MEMBER_COUNT, AT(tasks),
		FACT("Tasks", 0, NULL, "tasks asked for")},
	{"cpus_per_task", MEMBER_COUNT, AT(cpus_per_task),
		FACT("CPUsPerTask", 0, NULL, "CPUs of each task")},
	{"tasks_per_node", MEMBER_COUNT, AT(tasks_per_node),
		FACT("TasksPerNode", 0, NULL, "most tasks on a node")},
	{"mem_per_node", MEMBER_COUNT64, AT(mem_per_node),
		FACT("MemPerNode", 0, NULL, "MiB on each node")},
	{"mem_per_cpu", MEMBER_COUNT64, AT(mem_per_cpu),
		FACT("MemPerCPU", 0, NULL, "MiB for each CPU")},
	{"gpus_per_task", MEMBER_COUNT, AT(gpus_per_task),
		FACT("GPUsPerTask", 0, NULL, "GPUs of each task")},
	{"gpus_per_socket", MEMBER_COUNT, AT(gpus_per_socket),
		FACT("GPUsPerSocket", 0, NULL, "GPUs of each socket")},
	{"nodes_wanted", MEMBER_TEXT, AT(nodes_wanted),
		FACT("ReqNodeList", 0, NULL, "nodes it must have")},
	{"nodes_excluded", MEMBER_TEXT, AT(nodes_excluded),
		FACT("ExcNodeList", 0, NULL, "nodes it must not have")},
	{"time_limit", MEMBER_MAYBE, AT(time_limit),
		FACT("Timelimit", 10, "time/limit", "time limit")},
	{"time_min", MEMBER_MAYBE, AT(time_min),
		FACT("TimeMin", 0, NULL, "least time limit it accepts")},
	{"eligible", MEMBER_TIME, AT(eligible),
		FACT("Eligible", 19, "time/eligible", "when it could first run")},
	{"accrue", MEMBER_TIME, AT(accrue)},
	{"begin", MEMBER_TIME, AT(begin)},
	{"start", MEMBER_TIME, AT(start),
		FACT("Start", 19, "time/start", "when it started")},
	{"end", MEMBER_TIME, AT(end),
		FACT("End", 19, "time/end", "when it ended")},
	{"suspended", MEMBER_INT, AT(suspended),
		FACT("Suspended", 10, NULL, "how long it was suspended")},
	{"suspended_since", MEMBER_TIME, AT(suspended_since),
		FACT("SuspendTime", 0, NULL, "since when it is suspended")},
	{"state", MEMBER_COUNT, AT(state),
		FACT("State", 10, NULL, "state")},
	{"exit_code", MEMBER_EXIT, AT(exit_code),
		FACT("ExitCode", 8, "exit_code", "exit code and signal")},
	{"derived_ec", MEMBER_EXIT, AT(derived_ec),
		FACT("DerivedExitCode", 15, "derived_exit_code", "highest exit code of the steps")},
	{"comment", MEMBER_TEXT, AT(comment),
		FACT("Comment", 14, "comment/job", "comment of the job"),
		.marks = MEMBER_FREE_TEXT},
	{"admin_comment", MEMBER_TEXT, AT(admin_comment),
		FACT("AdminComment", 15, "comment/administrator", "comment of an administrator"),
		.marks = MEMBER_FREE_TEXT},
	{"system_comment", MEMBER_TEXT, AT(system_comment),
		FACT("SystemComment", 15, "comment/system", "comment of the system"),
		.marks = MEMBER_FREE_TEXT},
	{"extra", MEMBER_TEXT, AT(extra),
		FACT("Extra", 14, "extra", "free text"),
		.marks = MEMBER_FREE_TEXT},
	{"killed_by", MEMBER_TEXT, AT(killed_by),
		FACT("KillRequestUser", 0, "kill_request_user", "who cancelled it")},
	{"restarts", MEMBER_COUNT, AT(restarts),
		FACT("Restarts", 8, "restart_cnt", "how often it was requeued")},
	{"failed_node", MEMBER_TEXT, AT(failed_node),
		FACT("FailedNode", 8, "failed_node", "node whose failure ended it")},
	{"flags", MEMBER_COUNT, AT(flags),
		FACT("Flags", 19, NULL, "how it was started")},
	{"nodes_alloc", MEMBER_COUNT, AT(nodes_alloc)},
	{"nodelist", MEMBER_TEXT, AT(nodelist),
		FACT("NodeList", 15, NULL, "nodes")},
	{"tres_alloc", MEMBER_TRES, AT(tres_alloc),
		FACT("AllocTRES", 10, "tres/allocated", "trackable resources allocated")},
	{"cpus_on", MEMBER_TEXT, AT(cpus_on),
		FACT("CPUsOn", 0, NULL, "CPUs it has on each node")},
	{"mem_on", MEMBER_TEXT, AT(mem_on),
		FACT("MemOn", 0, NULL, "MiB it has on each node")},
	{"exclusive", MEMBER_COUNT, AT(exclusive),
		FACT("Exclusive", 14, "exclusive", "nodes of its own")},
	{"reason", MEMBER_TEXT, AT(reason),
		FACT("Reason", 22, "state/reason", "why it waited last"),
		.marks = MEMBER_FREE_TEXT},
	{"hold", MEMBER_COUNT, AT(hold)},
	{"dependency", MEMBER_TEXT, AT(dependency),
		FACT("Dependency", 0, NULL, "jobs it waits for"),
		.marks = MEMBER_FREE_TEXT},
	{"priority", MEMBER_MAYBE, AT(priority)},
	{"last_priority", MEMBER_MAYBE, AT(last_priority),
		FACT("Priority", 10, "priority", "priority")},
	{"nice", MEMBER_SIGNED, AT(nice),
		FACT("Nice", 0, NULL, "taken off its priority")},
	{"site_factor", MEMBER_SIGNED, AT(site_factor)},
	{"billing", MEMBER_REAL, AT(billing)},
	{"usage_factor", MEMBER_REAL, AT(usage_factor)},
	{"part_qos", MEMBER_ID, AT(part_qos)},
	{"usage_epoch", MEMBER_COUNT, AT(usage_epoch)},
	{"wall_limit", MEMBER_MAYBE, AT(wall_limit)},
};
#undef AT

#define AT(member) .offset = offsetof(struct step, member)
static const struct member step_rows[] = {
	{"job", MEMBER_INT, AT(job)},
	{"id", MEMBER_SIGNED, AT(id)},
	{"name", MEMBER_TEXT, AT(name),
		.names = "JobName:1", .json = "step/name"},
	{"state", MEMBER_COUNT, AT(state)},
	{"exit_code", MEMBER_EXIT, AT(exit_code),
		.names = "ExitCode:1", .json = "exit_code"},
	{"start", MEMBER_TIME, AT(start)},
	{"end", MEMBER_TIME, AT(end)},
	{"nodelist", MEMBER_TEXT, AT(nodelist), .json = "nodes/range"},
	{"nodes", MEMBER_COUNT, AT(nodes), .json = "nodes/count"},
	{"tasks", MEMBER_COUNT, AT(tasks),
		FACT("NTasks", 8, "tasks/count", "tasks")},
	{"task_dist", MEMBER_TEXT, AT(task_dist),
		FACT("Layout", 9, "task/distribution", "how tasks were spread")},
	{"time_limit", MEMBER_MAYBE, AT(time_limit),
		.names = "Timelimit:1", .json = "time/limit"},
	{"user_usec", MEMBER_COUNT64, AT(user_usec)},
	{"sys_usec", MEMBER_COUNT64, AT(sys_usec)},
	{"cpu_freq", MEMBER_COUNT64, AT(cpu_freq),
		FACT("AveCPUFreq", 10, "statistics/CPU/actual_frequency", "mean CPU frequency")},
	{"energy", MEMBER_COUNT64, AT(energy),
		FACT("ConsumedEnergyRaw", 17, "statistics/energy/consumed", "energy used in joules")},
	{"tres_alloc", MEMBER_TRES, AT(tres_alloc),
		.names = "AllocTRES:1", .json = "tres/allocated"},
	{"max_rss", MEMBER_MAYBE64, AT(usage.max_rss),
		FACT("MaxRSS", 10, NULL, "largest memory of a task")},
	{"ave_rss", MEMBER_MAYBE64, AT(usage.ave_rss),
		FACT("AveRSS", 10, NULL, "mean memory of the tasks")},
	{"tot_rss", MEMBER_MAYBE64, AT(usage.tot_rss)},
	{"max_vmem", MEMBER_MAYBE64, AT(usage.max_vmem),
		FACT("MaxVMSize", 10, NULL, "largest virtual memory of a task")},
	{"ave_vmem", MEMBER_MAYBE64, AT(usage.ave_vmem),
		FACT("AveVMSize", 10, NULL, "mean virtual memory of the tasks")},
	{"max_read", MEMBER_MAYBE64, AT(usage.max_read),
		FACT("MaxDiskRead", 12, NULL, "most bytes a task read")},
	{"ave_read", MEMBER_MAYBE64, AT(usage.ave_read),
		FACT("AveDiskRead", 14, NULL, "mean bytes read by a task")},
	{"max_write", MEMBER_MAYBE64, AT(usage.max_write),
		FACT("MaxDiskWrite", 12, NULL, "most bytes a task wrote")},
	{"ave_write", MEMBER_MAYBE64, AT(usage.ave_write),
		FACT("AveDiskWrite", 14, NULL, "mean bytes written by a task")},
	{"max_pages", MEMBER_MAYBE64, AT(usage.max_pages),
		FACT("MaxPages", 8, NULL, "most page faults of a task")},
	{"ave_pages", MEMBER_MAYBE64, AT(usage.ave_pages),
		FACT("AvePages", 10, NULL, "mean page faults of the tasks")},
	{"min_cpu", MEMBER_MAYBE64, AT(usage.min_cpu),
		FACT("MinCPU", 10, NULL, "least CPU time of a task")},
	{"ave_cpu", MEMBER_MAYBE64, AT(usage.ave_cpu),
		FACT("AveCPU", 10, NULL, "mean CPU time of the tasks")},
	{"max_rss_node", MEMBER_TEXT, AT(usage.max_rss_node),
		FACT("MaxRSSNode", 10, NULL, "where that task ran")},
	{"min_cpu_node", MEMBER_TEXT, AT(usage.min_cpu_node),
		FACT("MinCPUNode", 10, NULL, "where that task ran")},
	{"max_rss_task", MEMBER_MAYBE64, AT(usage.max_rss_task),
		FACT("MaxRSSTask", 10, NULL, "which task it was")},
	{"min_cpu_task", MEMBER_MAYBE64, AT(usage.min_cpu_task),
		FACT("MinCPUTask", 10, NULL, "which task it was")},
	{"killed_by", MEMBER_TEXT, AT(killed_by)},
	{"submit_line", MEMBER_TEXT, AT(submit_line),
		.names = "SubmitLine:1", .json = "submit_line"},
};
/* clang-format on */
#undef AT

const struct members job_members = MEMBERS(job_rows);
const struct members step_members = MEMBERS(step_rows);

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

void step_init(struct step *step)
{
	memset(step, 0, sizeof(*step));
	members_init(step, &step_members);
	step->nodes = step->tasks = 1;
	step->task_dist = "Unknown";
}
