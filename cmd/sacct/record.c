/*
 * A job and its steps for machines, in Slurm's layout (Slurm's
 * src/plugins/data_parser/v0.0.45/parsers.c). What the store does not know has
 * its place all the same, empty.
 */
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "common/text/hostlist.h"
#include "common/text/reason.h"
#include "common/text/stepwords.h"
#include "db/job/job.h"

#define GET(name, expression) GETTER(name, struct row, expression)
#define RAW member_raw(m, row, arena)

static struct value one_word(const char *word, struct arena *arena)
{
	struct strv list = {0};

	if (*word)
		strv_push(&list, arena, word);
	return of_words(list, arena);
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
static struct value state_words(const struct row *row)
{
	const char *base = job_state_word(row->state & JOB_REQUEUED
						  ? JOB_PENDING
						  : row->state & JOB_BASE_MASK);
	const char *fate = job_state_word(row->state);
	struct strv words = {0};

	strv_push(&words, row->context->arena, base);
	if (strcmp(fate, base))
		strv_push(&words, row->context->arena, fate);
	return of_words(words, row->context->arena);
}

enum { SECOND = 1000000 }; /* in microseconds */

GET(state, state_words(row))
GET(user_seconds, of_uint(row->user_usec / SECOND))
GET(user_rest, of_uint(row->user_usec % SECOND))
GET(system_seconds, of_uint(row->sys_usec / SECOND))
GET(system_rest, of_uint(row->sys_usec % SECOND))
GET(total_seconds, of_uint((row->user_usec + row->sys_usec) / SECOND))
GET(total_rest, of_uint((row->user_usec + row->sys_usec) % SECOND))
GET(elapsed, of_uint((uint64_t)row->elapsed))
GET(suspended, of_uint((uint64_t)row->suspended))

/* ---- jobs ----------------------------------------------------------------*/

static uint64_t mem_per_node(const struct job *job)
{
	uint64_t nodes = job->nodes_req ? job->nodes_req : 1;
	uint64_t mem = job->mem_req;

	if (job->mem_per_cpu)
		return NO_VAL64;
	if (job->mem_per_node)
		return job->mem_per_node;
	return mem == NO_VAL64 ? mem : (mem + nodes - 1) / nodes;
}

static struct value flag_words(const struct row *row)
{
	struct strv list = {0};

	for (unsigned i = 0; i < JOB_FLAGS; i++)
		if (row->job->flags & 1u << i)
			strv_push(&list, row->context->arena,
				job_flag_names[i]);
	if (!list.n)
		strv_push(&list, row->context->arena, "NONE");
	return of_words(list, row->context->arena);
}

static const char *wckey_of(const struct job *job)
{
	return *job->wckey == '*' ? job->wckey + 1 : job->wckey;
}

GET(alloc_nodes,
	of_uint(row->job->tres_alloc.n ? row->job->nodes_alloc : 0))
GET(exclusive, of_text(job_exclusive(row->job)))
GET(reservation_asked, of_text(job_reservation_asked(row->job)))
GET(at_once, of_uint(array_tasks_at_once(row->job->array_tasks)))
GET(hold, of_bool(row->job->hold || !row->job->priority))
GET(expanded, of_text(job_file_expand(
		row->job, RAW.text, arena)))
GET(reason, of_text(*row->job->reason ? reason_alone(row->job->reason, arena)
					  : "None"))
GET(wckey, of_text(wckey_of(row->job)))
GET(wckey_flags,
	one_word(*row->job->wckey == '*' ? "ASSIGNED_DEFAULT" : "", arena))
GET(killer, of_text(killer_name(row->job->killed_by, arena)))
GET(cluster, of_text(row_cluster(row)))
GET(sluid, of_text(row_sluid(row)))
GET(group, of_text(job_group(row->job, arena)))
GET(nodes, of_text(row_nodelist(row)))
GET(qos, of_text(row_qos(row)))
GET(start, of_uint(row->start == NO_VAL ? 0 : (uint64_t)row->start))
GET(end, of_uint((uint64_t)row->end))
GET(planned, of_limit(row_planned(row)))
/* By the node as asked for; else what the whole job did, shared out among its
 * nodes. */
GET(mem_per_node, of_limit(mem_per_node(row->job)))
GET(mem_per_cpu,
	of_limit(row->job->mem_per_cpu ? row->job->mem_per_cpu : NO_VAL64))
GET(reservation_id, of_uint(row_reservation(row)))
GET(priority, of_limit(row_priority(row)))
GET(flag_list, flag_words(row))
GET(assoc_id, of_uint(row_assoc(row).id))
GET(assoc_partition, of_text(row_assoc(row).partition))

/* In Slurm's order; facts that have no place here stand behind them. */
/* clang-format off */
static const struct member job_rows[] = {
	PLACE("account"), PLACE("admin_comment"),
	{.json = "allocation_nodes", .get = get_alloc_nodes},
	PLACE("array_job"),
	{.json = "array/limits/max/running/tasks", .get = get_at_once},
	PLACE("array_task"), PLACE("array_tasks"), {"account", .json = "association/account"},
	{.json = "association/cluster", .get = get_cluster},
	{.json = "association/partition", .get = get_assoc_partition},
	{"user", .json = "association/user"},
	{.json = "association/id", .get = get_assoc_id},
	PLACE("block"),
	{.json = "cluster", .get = get_cluster},
	PLACE("constraints"), PLACE("container"),
	{.json = "sluid", .get = get_sluid},
	PLACE("comment"),
	{.json = "time/elapsed", .get = get_elapsed},
	PLACE("eligible"), {"end", .get = get_end}, {"exclusive", .get = get_exclusive},
	PLACE("extra"), PLACE("failed_node"),
	{.json = "flags", .get = get_flag_list},
	{"grp", .get = get_group}, PLACE("het_job"), PLACE("het_offset"), PLACE("id"),
	PLACE("name"), PLACE("licenses"),
	PLACE("mcs_label"),
	{.json = "nodes", .get = get_nodes},
	PLACE("oversubscribe"),
	PLACE("partition"),
	{.json = "hold", .get = get_hold},
	{"last_priority", .get = get_priority},
	{.json = "qos", .get = get_qos},
	PLACE("qos_req"), PLACE("cpus_req"),
	{.json = "required/memory_per_cpu", .get = get_mem_per_cpu},
	{.json = "required/memory_per_node", .get = get_mem_per_node},
	{"killed_by", .get = get_killer}, PLACE("restarts"),
	{.json = "reservation/id", .get = get_reservation_id},
	PLACE("reservation"), {"reservation_req", .get = get_reservation_asked},
	{.json = "time/planned", .get = get_planned},
	{.json = "script", .constant = ""},
	PLACE("segment_size"),
	{.json = "original_sluid", .get = get_sluid},
	{"std_in", .json = "stdin_expanded", .get = get_expanded},
	{"std_out", .json = "stdout_expanded", .get = get_expanded},
	{"std_err", .json = "stderr_expanded", .get = get_expanded}, PLACE("std_out"),
	PLACE("std_err"), PLACE("std_in"), {"start", .get = get_start},
	{.json = "state/current", .get = get_state},
	{"reason", .get = get_reason}, PLACE("submit"), PLACE("submit_line"),
	{.json = "time/suspended", .get = get_suspended},
	PLACE("system_comment"),
	{.json = "time/system/seconds", .get = get_system_seconds},
	{.json = "time/system/microseconds", .get = get_system_rest},
	PLACE("time_limit"),
	{.json = "time/total/seconds", .get = get_total_seconds},
	{.json = "time/total/microseconds", .get = get_total_rest},
	PLACE("tres_alloc"), PLACE("tres_req"), PLACE("gres"), PLACE("user"),
	{.json = "time/user/seconds", .get = get_user_seconds},
	{.json = "time/user/microseconds", .get = get_user_rest},
	{"wckey", .get = get_wckey},
	{.json = "wckey/flags", .get = get_wckey_flags},
	PLACE("work_dir"), PLACE("derived_ec"), PLACE("exit_code"),
};
/* clang-format on */

/* ---- steps ---------------------------------------------------------------*/

GET(step_energy, of_limit(row->step->energy))
GET(step_killer, of_text(killer_name(row->step->killed_by, arena)))
GET(step_id, of_text(row_raw_id(row)))
GET(step_start, of_limit((uint64_t)row->start))
GET(step_end, of_limit((uint64_t)row->end))
GET(step_hosts, of_words(hostlist_names(row->step->nodelist, arena), arena))
GET(step_used, of_tres(step_used(row->step, (enum step_use)m->arg, arena), arena))
GET(step_governor, of_text(cpu_freq_text(row->step->freq_governor, arena)))
GET(step_frequency, of_limit(RAW.number ? RAW.number : NO_VAL))
GET(step_file, of_text(step_file(row->step, RAW.text, arena)))
GET(step_file_expanded,
	of_text(step_file_expand(row->job, row->step, RAW.text, arena)))

/* clang-format off */
static const struct member step_rows[] = {
	PLACE("exit_code"),
	{.json = "time/elapsed", .get = get_elapsed},
	{.json = "time/end", .get = get_step_end},
	PLACE("nodes"), PLACE("nodelist"), PLACE("tasks"),
	{"freq_min", .get = get_step_frequency},
	{"freq_max", .get = get_step_frequency},
	{"freq_governor", .get = get_step_governor},
	{.json = "kill_request_user", .get = get_step_killer},
	{.json = "time/start", .get = get_step_start},
	{.json = "state", .get = get_state},
	PLACE("cpu_freq"), {"energy", .get = get_step_energy},
	{.json = "step/id", .get = get_step_id},
	PLACE("name"),
	{"std_err", .get = get_step_file}, {"std_in", .get = get_step_file},
	{"std_out", .get = get_step_file},
	{"std_err", .json = "step/stderr_expanded", .get = get_step_file_expanded},
	{"std_in", .json = "step/stdin_expanded", .get = get_step_file_expanded},
	{"std_out", .json = "step/stdout_expanded", .get = get_step_file_expanded},
	PLACE("submit_line"),
	{.json = "time/suspended", .get = get_suspended},
	{.json = "time/system/seconds", .get = get_system_seconds},
	{.json = "time/system/microseconds", .get = get_system_rest},
	PLACE("task_dist"), PLACE("time_limit"),
	{.json = "time/total/seconds", .get = get_total_seconds},
	{.json = "time/total/microseconds", .get = get_total_rest},
	{.json = "time/user/seconds", .get = get_user_seconds},
	{.json = "time/user/microseconds", .get = get_user_rest},
	{.json = "nodes/list", .get = get_step_hosts},
	{.json = "tres/requested/average", .get = get_step_used, .arg = STEP_IN_AVE},
	{.json = "tres/requested/total", .get = get_step_used, .arg = STEP_IN_TOT},
	{.json = "tres/consumed/average", .get = get_step_used, .arg = STEP_OUT_AVE},
	{.json = "tres/consumed/total", .get = get_step_used, .arg = STEP_OUT_TOT},
	PLACE("tres_alloc"),
};
/* clang-format on */

void sacct_records(struct records *records, struct arena *arena)
{
	static const struct members job = MEMBERS(job_rows);
	static const struct members step = MEMBERS(step_rows);
	const struct members jobs =
		job_view(&job_members, SACCT_JSON, arena);
	const struct members steps =
		job_view(&step_members, SACCT_JSON, arena);

	records->job =
		members_join(&job, &jobs, offsetof(struct row, job), arena);
	records->step =
		members_join(&step, &steps, offsetof(struct row, step), arena);
}

static struct json_object *extreme(
	const struct row *row, const struct tres_count *count, enum step_use kind)
{
	const struct tres *tres =
		tres_by_id(&row->context->store->tres, count->id);
	/* Behind the list are those of nodes and tasks. */
	uint64_t node = tres_list_get(&row->step->used[kind + 1], count->id);
	uint64_t task = tres_list_get(&row->step->used[kind + 2], count->id);
	struct json_object *object = json_record();

	json_put_text(object, "type", tres ? tres->type : "");
	json_put_text(object, "name", tres ? tres->name : "");
	json_put_int(object, "id", count->id);
	json_put_int(object, "count", (int64_t)count->count);
	json_put_int(object, "task", task == NO_VAL64 ? 0 : (int64_t)task);
	json_put_text(object, "node", node == NO_VAL64 ? "" : row_node(row, node));
	return object;
}

/* Of each TRES the extreme, and the task that had it. */
static void put_extremes(struct json_object *record, const char *path,
	const struct row *row, enum step_use kind)
{
	struct tres_list list =
		step_used(row->step, kind, row->context->arena);

	json_append(record, path, NULL);
	for (size_t i = 0; i < list.n; i++)
		json_append(record, path, extreme(row, &list.v[i], kind));
}

static struct json_object *step_record(
	const struct records *records, const struct row *row)
{
	struct json_object *record = json_record();

	json_put_members(record, &records->step, row, row->context->arena,
		&row->context->store->tres);
	put_extremes(record, "tres/requested/max", row, STEP_IN_MAX);
	put_extremes(record, "tres/requested/min", row, STEP_IN_MIN);
	put_extremes(record, "tres/consumed/max", row, STEP_OUT_MAX);
	put_extremes(record, "tres/consumed/min", row, STEP_OUT_MIN);
	return record;
}

struct json_object *job_record(
	const struct records *records, const struct row *row)
{
	struct json_object *record = json_record();

	json_put_members(record, &records->job, row, row->context->arena,
		&row->context->store->tres);
	json_append(record, "steps", NULL);
	for (size_t i = 0; i < row->steps->n; i++) {
		struct row step = row_of_step(row, &row->steps->v[i]);

		json_append(record, "steps", step_record(records, &step));
	}
	return record;
}
