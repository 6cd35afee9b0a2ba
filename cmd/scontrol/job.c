/*
 * scontrol show job: jobs that wait or run, and those that ended a moment ago,
 * with the reason computed now, as squeue has it.
 */
#include "cmd/scontrol/scontrol.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/array_tasks.h"
#include "common/text/jobid.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"
#include "common/text/timespec.h"
#include "db/entity/privacy.h"
#include "db/view/queue.h"

/* ---- values --------------------------------------------------------------*/

static struct value some(const char *text)
{
	return text && *text ? of_text(text) : no_value();
}

static const char *or_null(const char *text)
{
	return text && *text ? text : none_text;
}

static const char *number(uint64_t n, struct arena *arena)
{
	return arena_printf(arena, "%" PRIu64, n);
}

static const char *person(const char *name, uint32_t id, struct arena *arena)
{
	return arena_printf(arena, "%s(%" PRIu32 ")", *name ? name : "nobody",
		id == NO_VAL ? 65534 : id);
}

static struct value task(const struct job *job)
{
	if (!job->array_job)
		return no_value();
	if (job_state_pending(job->state) && *job->array_tasks)
		return of_text(job->array_tasks);
	return job->array_task == NO_VAL ? no_value() : of_uint(job->array_task);
}

static struct value throttle(const struct job *job)
{
	const char *percent = strchr(job->array_tasks, '%');
	unsigned long most = percent ? strtoul(percent + 1, NULL, 10) : 0;

	return most ? of_uint(most) : no_value();
}

static const char *qos_of(const struct queue_row *row)
{
	const struct qos_name *qos =
		qos_by_id(&row->queue->site->store.qos, row->job->qos);

	return qos ? qos->name : none_text;
}

/* Blanks would end the value for who reads it. */
static const char *reason_of(const struct queue_row *row, struct arena *arena)
{
	const char *text = queue_description(row);
	char *copy = arena_strdup(arena, text ? text : queue_reason(row));

	for (char *c = copy; *c; c++)
		if (isspace((unsigned char)*c))
			*c = '_';
	return copy;
}

static const char *limit_text(const struct queue_row *row, struct arena *arena)
{
	uint32_t limit = queue_limit(row);

	if (limit == NO_VAL)
		return "Partition_Limit";
	return limit == INFINITE ? "UNLIMITED"
				 : duration_format(arena, (uint64_t)limit * 60);
}

/* Where the start is expected, the end is too. */
static int64_t end_of(const struct queue_row *row)
{
	uint32_t limit = queue_limit(row);
	int64_t start = queue_start(row);

	if (row->job->end || !start || limit >= NO_VAL)
		return row->job->end;
	return start + (int64_t)limit * 60;
}

static const char *mib(uint64_t amount_of, struct arena *arena)
{
	if (amount_of && amount_of % 1024 == 0)
		return arena_printf(arena, "%" PRIu64 "G", amount_of / 1024);
	return arena_printf(
		arena, "%" PRIu64 "%s", amount_of, amount_of ? "M" : "");
}

static const char *tres_text(const struct queue_row *row,
	const struct tres_list *list, struct arena *arena)
{
	return or_null(tres_list_format(
		list, &row->queue->site->store.tres, TRES_BY_ID, arena));
}

static struct value wckey(const struct queue_row *row)
{
	return row->queue->site->conf.track_wckey ? of_text(row->job->wckey)
						  : no_value();
}

#define J row->job
#define GET(name, expression) GETTER(name, struct queue_row, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
GET(id, of_uint(J->id))
GET(array, J->array_job ? of_uint(J->array_job) : no_value())
GET(task, task(J))
GET(throttle, throttle(J))
GET(het, J->het_job ? of_uint(J->het_job) : no_value())
GET(offset, J->het_job ? of_uint(J->het_offset) : no_value())
TEXT(name, J->name)
TEXT(sluid, queue_sluid(row, arena))
TEXT(user, person(J->user, J->uid, arena))
TEXT(group, person(J->group, J->gid, arena))
GET(priority, of_uint(row->priority))
GET(nice, of_int(J->nice))
TEXT(account, or_null(J->account))
TEXT(qos, qos_of(row))
GET(wckey, wckey(row))
TEXT(state, job_state_word(J->state))
TEXT(reason, reason_of(row, arena))
GET(failed_node, some(J->failed_node))
TEXT(dependency, or_null(J->dependency))
GET(restarts, of_uint(J->restarts))
GET(exit, ((struct value){VALUE_EXIT, {.number = J->exit_code}}))
GET(derived, ((struct value){VALUE_EXIT, {.number = J->derived_ec}}))
TEXT(used, duration_format(arena, (uint64_t)larger(0, queue_used(row))))
TEXT(limit, limit_text(row, arena))
TEXT(least, J->time_min && J->time_min < NO_VAL
		    ? duration_format(arena, (uint64_t)J->time_min * 60)
		    : "N/A")
GET(submit, of_time(J->submit))
GET(eligible, of_time(J->eligible))
GET(accrue, of_time(queue_accrue(row)))
GET(start, of_time(queue_start(row)))
GET(end, of_time(end_of(row)))
GET(suspend, J->suspended_since ? of_time(J->suspended_since) : of_text("None"))
GET(suspended, of_int(J->suspended))
TEXT(partition, J->partition)
TEXT(wanted, or_null(J->nodes_wanted))
TEXT(excluded, or_null(J->nodes_excluded))
TEXT(nodes, J->start ? or_null(J->nodelist) : none_text)
GET(sched, some(queue_sched_nodes(row)))
GET(host, some(queue_host(row, arena)))
GET(n_nodes, of_uint(queue_nodes(row)))
GET(cpus, of_uint(queue_cpus(row)))
TEXT(tasks, J->tasks ? number(J->tasks, arena) : "N/A")
TEXT(per_task, J->cpus_per_task ? number(J->cpus_per_task, arena) : "N/A")
TEXT(tres_req, tres_text(row, &J->tres_req, arena))
TEXT(tres_alloc, tres_text(row, &J->tres_alloc, arena))
TEXT(on_node, J->tasks_per_node
		? arena_printf(arena, "%" PRIu32 ":0:*:*", J->tasks_per_node)
		: "0:0:*:*")
GET(mem_cpu, J->mem_per_cpu ? of_text(mib(J->mem_per_cpu, arena)) : no_value())
GET(mem_node, J->mem_per_cpu ? no_value() : of_text(mib(queue_memory(row), arena)))
TEXT(features, or_null(J->constraints))
GET(reservation, some(J->reservation))
TEXT(share, J->exclusive ? "NO" : "OK")
TEXT(licenses, or_null(J->licenses))
TEXT(submit_line, or_null(J->submit_line))
TEXT(work_dir, or_null(J->work_dir))
GET(admin_comment, some(J->admin_comment))
GET(system_comment, some(J->system_comment))
GET(comment, some(J->comment))
GET(extra, some(J->extra))
GET(std_err, some(J->std_err))
GET(std_in, some(J->std_in))
GET(std_out, some(J->std_out))
GET(gres, some(queue_gres(row, arena)))

#define LINE .marks = SHOWN_LINE

/* clang-format off */
static const struct member rows[] = {
	{.names = "JobId", .get = get_id},
	{.names = "ArrayJobId", .get = get_array},
	{.names = "ArrayTaskId", .get = get_task},
	{.names = "ArrayTaskThrottle", .get = get_throttle},
	{.names = "HetJobId", .get = get_het},
	{.names = "HetJobOffset", .get = get_offset},
	{.names = "JobName", .get = get_name},
	{.names = "SLUID", .get = get_sluid, .marks = SHOWN_LINE | SHOWN_DETAIL},
	{.names = "UserId", .get = get_user, LINE},
	{.names = "GroupId", .get = get_group},
	{.names = "MCS_label", .constant = "N/A"},
	{.names = "Priority", .get = get_priority, LINE},
	{.names = "Nice", .get = get_nice},
	{.names = "Account", .get = get_account},
	{.names = "QOS", .get = get_qos},
	{.names = "WCKey", .get = get_wckey},
	{.names = "JobState", .get = get_state, LINE},
	{.names = "Reason", .get = get_reason},
	{.names = "FailedNode", .get = get_failed_node},
	{.names = "Dependency", .get = get_dependency},
	{.names = "Restarts", .get = get_restarts, LINE},
	{.names = "ExitCode", .get = get_exit},
	{.names = "DerivedExitCode", .get = get_derived, .marks = SHOWN_LINE | SHOWN_DETAIL},
	{.names = "RunTime", .get = get_used, LINE},
	{.names = "TimeLimit", .get = get_limit},
	{.names = "TimeMin", .get = get_least},
	{.names = "SubmitTime", .get = get_submit, LINE},
	{.names = "EligibleTime", .get = get_eligible},
	{.names = "AccrueTime", .get = get_accrue, LINE},
	{.names = "StartTime", .get = get_start, LINE},
	{.names = "EndTime", .get = get_end},
	{.names = "Deadline", .constant = "N/A"},
	{.names = "SuspendTime", .get = get_suspend, LINE},
	{.names = "SecsPreSuspend", .get = get_suspended},
	{.names = "Partition", .get = get_partition, LINE},
	{.names = "ReqNodeList", .get = get_wanted, LINE},
	{.names = "ExcNodeList", .get = get_excluded},
	{.names = "NodeList", .get = get_nodes, LINE},
	{.names = "SchedNodeList", .get = get_sched},
	{.names = "BatchHost", .get = get_host, LINE},
	{.names = "NumNodes", .get = get_n_nodes, LINE},
	{.names = "NumCPUs", .get = get_cpus},
	{.names = "NumTasks", .get = get_tasks},
	{.names = "CPUs/Task", .get = get_per_task},
	{.names = "ReqB:S:C:T", .constant = "0:0:*:*"},
	{.names = "ReqTRES", .get = get_tres_req, LINE},
	{.names = "AllocTRES", .get = get_tres_alloc, LINE},
	{.names = "Socks/Node", .constant = "*", LINE},
	{.names = "NtasksPerN:B:S:C", .get = get_on_node},
	{.names = "CoreSpec", .constant = "*"},
	{.names = "MinMemoryCPU", .get = get_mem_cpu, LINE},
	{.names = "MinMemoryNode", .get = get_mem_node},
	{.names = "MinTmpDiskNode", .constant = "0"},
	{.names = "Features", .get = get_features, LINE},
	{.names = "Reservation", .get = get_reservation, LINE},
	{.names = "OverSubscribe", .get = get_share, LINE},
	{.names = "Licenses", .get = get_licenses},
	{.names = "SubmitLine", .get = get_submit_line, LINE},
	{.names = "WorkDir", .get = get_work_dir, LINE},
	{.names = "AdminComment", .get = get_admin_comment, LINE},
	{.names = "SystemComment", .get = get_system_comment, LINE},
	{.names = "Comment", .get = get_comment, LINE},
	{.names = "Extra", .get = get_extra, LINE},
	{.names = "StdErr", .get = get_std_err, LINE},
	{.names = "StdIn", .get = get_std_in, LINE},
	{.names = "StdOut", .get = get_std_out, LINE},
	{.names = "TresPerNode", .get = get_gres, LINE},
};
/* clang-format on */
static const struct members shown = MEMBERS(rows);

/* ---- which jobs ----------------------------------------------------------*/

/* Is the task one of those still together in one record? */
static bool waits(const struct job *job, uint32_t task)
{
	const char *list = job_state_pending(job->state) ? job->array_tasks : "";
	struct task_run run;

	while (task_run_next(&list, &run))
		if (task >= run.first && task <= run.last &&
			(task - run.first) % run.step == 0)
			return true;
	return false;
}

static bool is_asked(const struct job_id *id, const struct queue *queue,
	const struct job *job)
{
	if (id->sluid)
		return id->sluid ==
		       sluid_make(queue->key, job->id, job->submit);
	if (id->task != NO_VAL && id->id == job->array_job)
		return id->task == job->array_task || waits(job, id->task);
	if (id->task != NO_VAL)
		return false;
	return id->id == job->id || id->id == job->array_job ||
	       id->id == job->het_job;
}

/* What is shown: of whom, and where to. */
struct showing {
	struct session *s;
	struct queue queue;
	struct privacy privacy;
	struct json_doc *doc; /* NULL: as text */
};

static void show_row(struct showing *to, const struct queue_row *row)
{
	struct session *s = to->s;

	if (!to->doc) {
		scontrol_record(s, &shown, row);
		return;
	}
	json_write(to->doc, queue_record(row, &s->scratch));
	arena_reset(&s->scratch);
}

static bool show_of(struct showing *to, const struct job_list *jobs,
	const struct job_id *id)
{
	bool found = false;

	for (size_t i = 0; i < jobs->n; i++) {
		const struct job *job = &jobs->v[i];
		struct queue_row row = {
			.queue = &to->queue,
			.job = job,
			.partition = job->partition,
			.task = job->array_task,
			.tasks = job_state_pending(job->state)
					 ? job->array_tasks
					 : "",
		};

		if ((id && !is_asked(id, &to->queue, job)) ||
			!privacy_allows(&to->privacy, job->user, job->account))
			continue;
		row.priority = queue_priority(&to->queue, job);
		show_row(to, &row);
		found = true;
	}
	return found;
}

/* id NULL: all. */
static bool show_both(struct showing *to, const struct job_id *id)
{
	bool found = show_of(to, &to->queue.plan.jobs, id);

	return show_of(to, &to->queue.ended, id) || found;
}

static void one_word(struct showing *to, const char *word)
{
	struct job_id id;

	if (job_id_parse(word, &id) && show_both(to, &id))
		return;
	if (!to->s->quiet)
		fputs("slurm_load_jobs error: Invalid job id specified\n",
			stderr);
	to->s->status = 1;
}

static void show_words(struct showing *to, const char *name)
{
	struct strv words = {0};

	strv_words(&words, to->s->arena, name);
	for (size_t i = 0; i < words.n; i++)
		one_word(to, words.v[i]);
}

/* As squeue --json has them. */
void show_jobs(struct session *s, const char *name)
{
	const struct value never = of_limit(0);
	struct showing *to = arena_alloc(s->arena, sizeof(*to));
	struct json_object *beside = s->form ? json_record() : NULL;
	struct json_doc doc;

	scontrol_open(s);
	to->s = s;
	if (privacy_open(&to->privacy, &s->site, PRIVATE_JOBS, s->arena) ||
		queue_open(&to->queue, &s->site, s->site.cluster, s->arena) ||
		queue_load_ended(&to->queue, s->arena) ||
		expected_load(&s->site.store, to->queue.key, s->arena,
			&to->queue.expected))
		cli_die(&s->err);
	to->doc = scontrol_begin(s, &doc, "jobs");
	if (to->doc)
		json_put(beside, "last_backfill", &never, &s->site.store.tres);
	if (name)
		show_words(to, name);
	else if (!show_both(to, NULL) && !to->doc && !s->quiet)
		puts("No jobs in the system");
	scontrol_end(s, to->doc, beside);
}
