/*
 * A job and its steps for machines, in Slurm's layout (spec/reporting.md 3.7):
 * one table says which member comes from where. What the store does not know
 * has its place all the same, empty.
 */
#include <inttypes.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/text/hostlist.h"

static struct value text(const char *words)
{
	return (struct value){VALUE_TEXT, {.text = words}};
}

static struct value whole(uint64_t n)
{
	return (struct value){VALUE_UINT, {.number = n}};
}

/* {set, infinite, number} */
static struct value limit(uint64_t n)
{
	return (struct value){VALUE_LIMIT, {.number = n}};
}

static struct value flag(bool on)
{
	return (struct value){VALUE_BOOL, {.number = on}};
}

static struct value words_of(const struct strv *list, struct arena *arena)
{
	struct strv *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *list;
	return (struct value){VALUE_WORDS, {.list = copy}};
}

static struct value one_word(const char *word, struct arena *arena)
{
	struct strv list = {0};

	if (*word)
		strv_push(&list, arena, word);
	return words_of(&list, arena);
}

static struct value tres_of(const struct tres_list *list, struct arena *arena)
{
	struct tres_list *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *list;
	return (struct value){VALUE_TRES, {.tres = copy}};
}

/* ---- both ----------------------------------------------------------------*/

static const char *killer_name(const char *killed_by, struct arena *arena)
{
	const struct passwd *pw;

	if (!*killed_by || killed_by[strspn(killed_by, "0123456789")])
		return killed_by;
	pw = getpwuid((uid_t)strtoul(killed_by, NULL, 10));
	return pw ? arena_strdup(arena, pw->pw_name) : "";
}

/* A job that was requeued waits, to Slurm. */
static struct value get_state(const struct row *row)
{
	const char *base = job_state_word(row->state & JOB_REQUEUED
						  ? JOB_PENDING
						  : row->state & JOB_BASE_MASK);
	const char *fate = job_state_word(row->state);
	struct strv words = {0};

	strv_push(&words, row->context->arena, base);
	if (strcmp(fate, base))
		strv_push(&words, row->context->arena, fate);
	return words_of(&words, row->context->arena);
}

static struct value get_user_seconds(const struct row *row)
{
	return whole(row->user_usec / 1000000);
}

static struct value get_user_rest(const struct row *row)
{
	return whole(row->user_usec % 1000000);
}

static struct value get_system_seconds(const struct row *row)
{
	return whole(row->sys_usec / 1000000);
}

static struct value get_system_rest(const struct row *row)
{
	return whole(row->sys_usec % 1000000);
}

static struct value get_total_seconds(const struct row *row)
{
	return whole((row->user_usec + row->sys_usec) / 1000000);
}

static struct value get_total_rest(const struct row *row)
{
	return whole((row->user_usec + row->sys_usec) % 1000000);
}

static struct value get_elapsed(const struct row *row)
{
	return whole((uint64_t)row->elapsed);
}

static struct value get_suspended(const struct row *row)
{
	return whole((uint64_t)row->suspended);
}

static struct value get_nothing_text(const struct row *row)
{
	(void)row;
	return text("");
}

static struct value get_zero(const struct row *row)
{
	(void)row;
	return whole(0);
}

static struct value get_unset(const struct row *row)
{
	(void)row;
	return limit(NO_VAL);
}

struct member {
	const char *path;
	struct value (*get)(const struct row *);
};

static void put_members(struct json_object *record, const struct member *member,
	const struct row *row)
{
	for (; member->path; member++) {
		struct value value = member->get(row);

		json_put(record, member->path, &value,
			&row->context->store->tres);
	}
}

/* ---- jobs ----------------------------------------------------------------*/

#define GET(name, expression)                                                  \
	static struct value get_##name(const struct row *row)                  \
	{                                                                      \
		const struct job *job = row->job;                              \
		return expression;                                             \
	}

GET(account, text(job->account))
GET(admin_comment, text(job->admin_comment))
GET(alloc_nodes, whole(job->tres_alloc.n ? job->nodes_alloc : 0))
GET(array_job, whole(job->array_job))
GET(array_max, whole(job->array_max))
GET(array_task, limit(job->array_task))
GET(array_tasks, text(job->array_tasks))
GET(constraints, text(job->constraints))
GET(container, text(job->container))
GET(comment, text(job->comment))
GET(eligible, whole((uint64_t)job->eligible))
GET(exclusive, text(job->exclusive ? "NODE" : ""))
GET(extra, text(job->extra))
GET(failed_node, text(job->failed_node))
GET(het_job, whole(job->het_job))
GET(het_offset, limit(job->het_offset))
GET(id, whole(job->id))
GET(name, text(job->name))
GET(licenses, text(job->licenses))
GET(partition, text(job->partition))
GET(hold, flag(job->hold || !job->priority))
GET(std_in, text(job->std_in))
GET(std_out, text(job->std_out))
GET(std_err, text(job->std_err))
GET(std_in_expanded, text(row_expand(row, job->std_in)))
GET(std_out_expanded, text(row_expand(row, job->std_out)))
GET(std_err_expanded, text(row_expand(row, job->std_err)))
GET(qos_req, text(job->qos_req))
GET(cpus_req, whole(job->cpus_req))
GET(restarts, whole(job->restarts))
GET(reservation, text(job->reservation))
GET(reason, text(*job->reason ? job->reason : "None"))
GET(submit, whole((uint64_t)job->submit))
GET(submit_line, text(job->submit_line))
GET(system_comment, text(job->system_comment))
GET(time_limit, limit(job->time_limit))
GET(tres_alloc, tres_of(&job->tres_alloc, row->context->arena))
GET(tres_req, tres_of(&job->tres_req, row->context->arena))
GET(used_gres, text(job->gres))
GET(user, text(job->user))
GET(wckey, text(*job->wckey == '*' ? job->wckey + 1 : job->wckey))
GET(work_dir, text(job->work_dir))
GET(killer, text(killer_name(job->killed_by, row->context->arena)))
#undef GET

static struct value get_cluster(const struct row *row)
{
	return text(row_cluster(row));
}

static struct value get_sluid(const struct row *row)
{
	return text(row_sluid(row));
}

static struct value get_group(const struct row *row)
{
	return text(row_group(row));
}

static struct value get_nodes(const struct row *row)
{
	return text(row_nodelist(row));
}

static struct value get_qos(const struct row *row)
{
	return text(row_qos(row));
}

static struct value get_start(const struct row *row)
{
	return whole(row->start == NO_VAL ? 0 : (uint64_t)row->start);
}

static struct value get_end(const struct row *row)
{
	return whole((uint64_t)row->end);
}

static struct value get_planned(const struct row *row)
{
	return limit(row_planned(row));
}

/* What the whole job asked for, shared out among its nodes. */
static struct value get_mem_per_node(const struct row *row)
{
	uint64_t nodes = row->job->nodes_req ? row->job->nodes_req : 1;
	uint64_t mem = row->job->mem_req;

	return limit(mem == NO_VAL64 ? mem : (mem + nodes - 1) / nodes);
}

static struct value get_wckey_flags(const struct row *row)
{
	return one_word(*row->job->wckey == '*' ? "ASSIGNED_DEFAULT" : "",
		row->context->arena);
}

static struct value get_reservation_id(const struct row *row)
{
	return whole(row_reservation(row));
}

static struct value get_priority(const struct row *row)
{
	return limit(row_priority(row));
}

static struct value get_flags(const struct row *row)
{
	static const char *const names[] = {"NOT_SET", "STARTED_ON_SUBMIT",
		"STARTED_ON_SCHEDULE", "STARTED_ON_BACKFILL", "START_RECEIVED",
		"JOB_ALTERED"};
	struct strv list = {0};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (row->job->flags & 1u << i)
			strv_push(&list, row->context->arena, names[i]);
	if (!list.n)
		strv_push(&list, row->context->arena, "NONE");
	return words_of(&list, row->context->arena);
}

static struct value get_assoc_id(const struct row *row)
{
	return whole(row_assoc(row).id);
}

static struct value get_assoc_partition(const struct row *row)
{
	return text(row_assoc(row).partition);
}

/* clang-format off */
static const struct member job_members[] = {
	{"account", get_account},
	{"comment/administrator", get_admin_comment},
	{"allocation_nodes", get_alloc_nodes},
	{"array/job_id", get_array_job},
	{"array/limits/max/running/tasks", get_array_max},
	{"array/task_id", get_array_task},
	{"array/task", get_array_tasks},
	{"association/account", get_account},
	{"association/cluster", get_cluster},
	{"association/partition", get_assoc_partition},
	{"association/user", get_user},
	{"association/id", get_assoc_id},
	{"block", get_nothing_text},
	{"cluster", get_cluster},
	{"constraints", get_constraints},
	{"container", get_container},
	{"sluid", get_sluid},
	{"comment/job", get_comment},
	{"time/elapsed", get_elapsed},
	{"time/eligible", get_eligible},
	{"time/end", get_end},
	{"exclusive", get_exclusive},
	{"extra", get_extra},
	{"failed_node", get_failed_node},
	{"flags", get_flags},
	{"group", get_group},
	{"het/job_id", get_het_job},
	{"het/job_offset", get_het_offset},
	{"job_id", get_id},
	{"name", get_name},
	{"licenses", get_licenses},
	{"mcs/label", get_nothing_text},
	{"nodes", get_nodes},
	{"oversubscribe", get_nothing_text},
	{"partition", get_partition},
	{"hold", get_hold},
	{"priority", get_priority},
	{"qos", get_qos},
	{"qosreq", get_qos_req},
	{"required/CPUs", get_cpus_req},
	{"required/memory_per_cpu", get_unset},
	{"required/memory_per_node", get_mem_per_node},
	{"kill_request_user", get_killer},
	{"restart_cnt", get_restarts},
	{"reservation/id", get_reservation_id},
	{"reservation/name", get_reservation},
	{"reservation/requested", get_reservation},
	{"time/planned", get_planned},
	{"script", get_nothing_text},
	{"segment_size", get_zero},
	{"original_sluid", get_sluid},
	{"stdin_expanded", get_std_in_expanded},
	{"stdout_expanded", get_std_out_expanded},
	{"stderr_expanded", get_std_err_expanded},
	{"stdout", get_std_out},
	{"stderr", get_std_err},
	{"stdin", get_std_in},
	{"time/start", get_start},
	{"state/current", get_state},
	{"state/reason", get_reason},
	{"time/submission", get_submit},
	{"submit_line", get_submit_line},
	{"time/suspended", get_suspended},
	{"comment/system", get_system_comment},
	{"time/system/seconds", get_system_seconds},
	{"time/system/microseconds", get_system_rest},
	{"time/limit", get_time_limit},
	{"time/total/seconds", get_total_seconds},
	{"time/total/microseconds", get_total_rest},
	{"tres/allocated", get_tres_alloc},
	{"tres/requested", get_tres_req},
	{"used_gres", get_used_gres},
	{"user", get_user},
	{"time/user/seconds", get_user_seconds},
	{"time/user/microseconds", get_user_rest},
	{"wckey/wckey", get_wckey},
	{"wckey/flags", get_wckey_flags},
	{"working_directory", get_work_dir},
	{NULL, NULL},
};
/* clang-format on */

/* ---- steps ---------------------------------------------------------------*/

#define STEP(name, expression)                                                 \
	static struct value step_##name(const struct row *row)                 \
	{                                                                      \
		const struct step *step = row->step;                           \
		return expression;                                             \
	}

STEP(nodes, whole(step->nodes))
STEP(range, text(step->nodelist))
STEP(tasks, whole(step->tasks))
STEP(frequency, whole(step->cpu_freq))
STEP(energy, limit(step->energy))
STEP(name, text(step->name))
STEP(submit_line, text(step->submit_line))
STEP(dist, text(step->task_dist))
STEP(time_limit, limit(step->time_limit))
STEP(tres, tres_of(&step->tres_alloc, row->context->arena))
STEP(killer, text(killer_name(step->killed_by, row->context->arena)))
#undef STEP

static struct value step_id(const struct row *row)
{
	return text(row_raw_id(row));
}

static struct value step_start(const struct row *row)
{
	return limit((uint64_t)row->start);
}

static struct value step_end(const struct row *row)
{
	return limit((uint64_t)row->end);
}

static struct value step_governor(const struct row *row)
{
	(void)row;
	return text("0");
}

static struct value step_hosts(const struct row *row)
{
	struct strv names = {0};
	struct err unused;

	if (*row->step->nodelist &&
		hostlist_expand(row->step->nodelist, row->context->arena,
			&names, &unused))
		names.n = 0;
	return words_of(&names, row->context->arena);
}

static struct value usage(const struct row *row, enum usage_kind kind)
{
	struct tres_list list = row_usage(row, kind);

	return tres_of(&list, row->context->arena);
}

static struct value step_average(const struct row *row)
{
	return usage(row, USAGE_IN_AVE);
}

static struct value step_total(const struct row *row)
{
	return usage(row, USAGE_IN_TOT);
}

static struct value step_written(const struct row *row)
{
	return usage(row, USAGE_OUT_AVE);
}

static struct value step_all_written(const struct row *row)
{
	return usage(row, USAGE_OUT_TOT);
}

/* clang-format off */
static const struct member step_members[] = {
	{"time/elapsed", get_elapsed},
	{"time/end", step_end},
	{"nodes/count", step_nodes},
	{"nodes/range", step_range},
	{"tasks/count", step_tasks},
	{"CPU/requested_frequency/min", get_unset},
	{"CPU/requested_frequency/max", get_unset},
	{"CPU/governor", step_governor},
	{"kill_request_user", step_killer},
	{"time/start", step_start},
	{"state", get_state},
	{"statistics/CPU/actual_frequency", step_frequency},
	{"statistics/energy/consumed", step_energy},
	{"step/id", step_id},
	{"step/name", step_name},
	{"step/stderr", get_nothing_text},
	{"step/stdin", get_nothing_text},
	{"step/stdout", get_nothing_text},
	{"step/stderr_expanded", get_nothing_text},
	{"step/stdin_expanded", get_nothing_text},
	{"step/stdout_expanded", get_nothing_text},
	{"submit_line", step_submit_line},
	{"time/suspended", get_suspended},
	{"time/system/seconds", get_system_seconds},
	{"time/system/microseconds", get_system_rest},
	{"task/distribution", step_dist},
	{"time/limit", step_time_limit},
	{"time/total/seconds", get_total_seconds},
	{"time/total/microseconds", get_total_rest},
	{"time/user/seconds", get_user_seconds},
	{"time/user/microseconds", get_user_rest},
	{"nodes/list", step_hosts},
	{"tres/requested/average", step_average},
	{"tres/requested/total", step_total},
	{"tres/consumed/average", step_written},
	{"tres/consumed/total", step_all_written},
	{"tres/allocated", step_tres},
	{NULL, NULL},
};
/* clang-format on */

static const char *extreme_node(const struct step *step, bool max, uint32_t id)
{
	const struct step_usage *u = &step->usage;

	if (max && id == TRES_MEM)
		return u->max_rss_node;
	return !max && id == TRES_CPU ? u->min_cpu_node : "";
}

static uint64_t extreme_task(const struct step *step, bool max, uint32_t id)
{
	const struct step_usage *u = &step->usage;

	if (max && id == TRES_MEM)
		return u->max_rss_task;
	return !max && id == TRES_CPU ? u->min_cpu_task : NO_VAL64;
}

static struct json_object *extreme(
	const struct row *row, const struct tres_count *count, bool max)
{
	const struct tres *tres =
		tres_by_id(&row->context->store->tres, count->id);
	uint64_t task = extreme_task(row->step, max, count->id);
	struct json_object *object = json_record();

	json_put_text(object, "type", tres ? tres->type : "");
	json_put_text(object, "name", tres ? tres->name : "");
	json_put_int(object, "id", count->id);
	json_put_int(object, "count", (int64_t)count->count);
	json_put_int(object, "task", task == NO_VAL64 ? 0 : (int64_t)task);
	json_put_text(object, "node", extreme_node(row->step, max, count->id));
	return object;
}

/* Of each TRES the extreme, and the task that had it. */
static void put_extremes(struct json_object *record, const char *path,
	const struct row *row, enum usage_kind kind, bool max)
{
	struct tres_list list = row_usage(row, kind);

	json_append(record, path, NULL);
	for (size_t i = 0; i < list.n; i++)
		json_append(record, path, extreme(row, &list.v[i], max));
}

static struct json_object *step_record(const struct row *row)
{
	struct json_object *record = json_record();

	json_put_exit(record, "exit_code", row->step->exit_code);
	put_members(record, step_members, row);
	put_extremes(record, "tres/requested/max", row, USAGE_IN_MAX, true);
	put_extremes(record, "tres/requested/min", row, USAGE_IN_MIN, false);
	put_extremes(record, "tres/consumed/max", row, USAGE_OUT_MAX, false);
	put_extremes(record, "tres/consumed/min", row, USAGE_OUT_MIN, false);
	return record;
}

struct json_object *job_record(const struct row *row)
{
	struct json_object *record = json_record();

	put_members(record, job_members, row);
	json_put_exit(record, "derived_exit_code", row->job->derived_ec);
	json_put_exit(record, "exit_code", row->job->exit_code);
	json_append(record, "steps", NULL);
	for (size_t i = 0; i < row->steps->n; i++) {
		struct row step = row_of_step(row, &row->steps->v[i]);

		json_append(record, "steps", step_record(&step));
	}
	return record;
}
