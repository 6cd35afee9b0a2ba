/*
 * scontrol show job: jobs that wait or run, and those that ended a moment ago,
 * with the reason computed now, as squeue has it.
 */
#include "cmd/scontrol/scontrol.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
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
	return or_null_text(tres_list_format(
		list, &row->queue->site->store.tres, TRES_BY_ID, arena));
}

static struct value wckey(const struct queue_row *row)
{
	return row->queue->site->conf.track_wckey ? of_text(row->job->wckey)
						  : no_value();
}

/* "2-4" where more may be taken. */
static const char *nodes_text(const struct queue_row *row, struct arena *arena)
{
	uint32_t nodes = queue_nodes(row), most = row->job->nodes_max;

	if (!most || row->job->start)
		return number(nodes, arena);
	return arena_printf(arena, "%" PRIu32 "-%" PRIu32,
		nodes < most ? nodes : most, most);
}

#define J row->job
#define RAW member_raw(m, row, arena)
#define GET(name, expression) GETTER(name, struct queue_row, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
GET(some, some_text(RAW.text))
TEXT(or_null, or_null_text(RAW.text))
GET(some_number, RAW.number ? of_uint(RAW.number) : no_value())
TEXT(number_or_na, RAW.number ? number(RAW.number, arena) : "N/A")
TEXT(tres, tres_text(row, RAW.tres, arena))
GET(gpus, some_text(queue_gpus((uint32_t)RAW.number, arena)))
GET(before_suspension, of_int(J->suspended_since ? queue_used(row) : 0))
GET(since, RAW.number ? RAW : of_text("None"))
GET(task, task(J))
GET(throttle, array_tasks_at_once(J->array_tasks)
			? of_uint(array_tasks_at_once(J->array_tasks))
			: no_value())
GET(offset, J->het_job ? of_uint(J->het_offset) : no_value())
TEXT(sluid, queue_sluid(row, arena))
TEXT(user, person(J->user, J->uid, arena))
TEXT(group, person(J->group, J->gid, arena))
GET(priority, of_uint(row->priority))
TEXT(qos, queue_qos(row))
GET(wckey, wckey(row))
TEXT(state, job_state_word(J->state))
TEXT(reason, reason_of(row, arena))
TEXT(used, duration_format(arena, (uint64_t)larger(0, queue_used(row))))
TEXT(limit, limit_text(row, arena))
TEXT(least, J->time_min && J->time_min < NO_VAL
		    ? duration_format(arena, (uint64_t)J->time_min * 60)
		    : "N/A")
GET(accrue, of_time(queue_accrue(row)))
GET(start, of_time(queue_start(row)))
GET(end, of_time(end_of(row)))
TEXT(nodes, J->start ? or_null_text(J->nodelist) : none_text)
GET(sched, some_text(queue_sched_nodes(row)))
GET(host, some_text(queue_host(row, arena)))
TEXT(n_nodes, nodes_text(row, arena))
GET(cpus, of_uint(queue_cpus(row)))
TEXT(on_node, J->tasks_per_node
		? arena_printf(arena, "%" PRIu32 ":0:*:*", J->tasks_per_node)
		: "0:0:*:*")
GET(mem_cpu, J->mem_per_cpu ? of_text(mib(J->mem_per_cpu, arena)) : no_value())
GET(mem_node, J->mem_per_cpu ? no_value() : of_text(mib(queue_memory(row), arena)))
TEXT(share, queue_shares(row) ? "OK" : "NO")
GET(gres, some_text(queue_gres(row, arena)))
GET(label, *RAW.text ? RAW : of_text("N/A"))
GET(container_id, *J->container ? of_text(none_text) : no_value())

#define LINE .marks = SHOWN_LINE

/* clang-format off */
static const struct member rows[] = {
	PLACE("id"), {"array_job", .get = get_some_number}, {"array_task", .get = get_task},
		{.names = "ArrayTaskThrottle", .get = get_throttle},
		{"het_job", .get = get_some_number}, {"het_offset", .get = get_offset}, PLACE("name"),
	{.names = "SLUID", .get = get_sluid, .marks = SHOWN_LINE | SHOWN_DETAIL},
	{"uid", .get = get_user, LINE}, {"gid", .get = get_group},
		{"mcs_label", .get = get_label},
	{"last_priority", .get = get_priority, LINE}, PLACE("nice"), {"account", .get = get_or_null},
		{"qos", .get = get_qos}, {"wckey", .get = get_wckey},
	{"state", .get = get_state, LINE}, {"reason", .get = get_reason},
		{"failed_node", .get = get_some}, {"dependency", .get = get_or_null},
	{"restarts", LINE}, PLACE("exit_code"),
	{"derived_ec", .marks = SHOWN_LINE | SHOWN_DETAIL},
	{.names = "RunTime", .get = get_used, LINE}, {"time_limit", .get = get_limit},
		{"time_min", .get = get_least},
	{"submit", LINE}, PLACE("eligible"),
	{"accrue", .get = get_accrue, LINE},
	{"start", .get = get_start, LINE}, {"end", .get = get_end},
		{.names = "Deadline", .constant = "N/A"},
	{"suspended_since", .get = get_since, LINE},
		{.names = "SecsPreSuspend", .get = get_before_suspension},
	{"partition", LINE},
	{"nodes_wanted", .get = get_or_null, LINE}, {"nodes_excluded", .get = get_or_null},
	{"nodelist", .get = get_nodes, LINE}, {.names = "SchedNodeList", .get = get_sched},
	{.names = "BatchHost", .get = get_host, LINE},
	{"nodes_req", .get = get_n_nodes, LINE}, {"cpus_req", .get = get_cpus},
		{"tasks", .get = get_number_or_na}, {"cpus_per_task", .get = get_number_or_na},
		{.names = "ReqB:S:C:T", .constant = "0:0:*:*"},
	{"tres_req", .get = get_tres, LINE},
	{"tres_alloc", .get = get_tres, LINE},
	{.names = "Socks/Node", .constant = "*", LINE}, {"tasks_per_node", .get = get_on_node},
		{.names = "CoreSpec", .constant = "*"},
	{"mem_per_cpu", .get = get_mem_cpu, LINE}, {"mem_per_node", .get = get_mem_node},
		{.names = "MinTmpDiskNode", .constant = "0"},
	{"constraints", .get = get_or_null, LINE},
	{"reservation", .get = get_some, LINE},
	{.names = "OverSubscribe", .get = get_share, LINE}, {"licenses", .get = get_or_null},
	{"submit_line", .get = get_or_null, LINE},
	{"work_dir", .get = get_or_null, LINE},
	{"admin_comment", .get = get_some, LINE}, {"system_comment", .get = get_some, LINE},
	{"comment", .get = get_some, LINE}, {"extra", .get = get_some, LINE},
	{"std_err", .get = get_some, LINE}, {"std_in", .get = get_some, LINE},
	{"std_out", .get = get_some, LINE}, {"gres", .get = get_gres, LINE},
	{"gpus_per_socket", .get = get_gpus, LINE}, {"gpus_per_task", .get = get_gpus, LINE},
	{"container", .get = get_some, LINE}, {.names = "ContainerID", .get = get_container_id},
};
/* clang-format on */

/* Facts that have no row each have a line at the end. */
static struct members lines_of_jobs(struct arena *arena)
{
	static const struct members own = MEMBERS(rows);
	const struct members keys = job_view(&job_members, SCONTROL_KEYS, arena);
	struct members all = members_join(
		&own, &keys, offsetof(struct queue_row, job), arena);

	for (size_t i = own.n; i < all.n; i++) {
		struct member *m = (struct member *)(uintptr_t)&all.v[i];

		m->marks = SHOWN_LINE;
		m->get = m->type == MEMBER_TEXT ? get_some : NULL;
	}
	return all;
}

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
struct jobs_showing {
	struct session *s;
	struct queue queue;
	struct privacy privacy;
	struct members lines;
	struct json_doc *doc; /* NULL: as text */
};

static void show_row(struct jobs_showing *to, const struct queue_row *row)
{
	struct session *s = to->s;

	if (!to->doc) {
		scontrol_record(s, &to->lines, row);
		return;
	}
	json_write(to->doc, queue_record(row, &s->scratch));
	arena_reset(&s->scratch);
}

static bool show_of(struct jobs_showing *to, const struct job_list *jobs,
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
static bool show_both(struct jobs_showing *to, const struct job_id *id)
{
	bool found = show_of(to, &to->queue.plan.jobs, id);

	return show_of(to, &to->queue.ended, id) || found;
}

static void one_word(struct jobs_showing *to, const char *word)
{
	struct job_id id;

	if (job_id_parse(word, &id) && show_both(to, &id))
		return;
	if (!to->s->quiet)
		fputs("slurm_load_jobs error: Invalid job id specified\n",
			stderr);
	to->s->status = 1;
}

static void show_words(struct jobs_showing *to, const char *name)
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
	struct jobs_showing *to = arena_alloc(s->arena, sizeof(*to));
	struct json_object *beside = s->form ? json_record() : NULL;
	struct json_doc doc;

	scontrol_open(s);
	to->s = s;
	to->lines = lines_of_jobs(s->arena);
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
