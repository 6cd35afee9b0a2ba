/*
 * A job of the queue for machines, in the layout of Slurm's job records
 * (data_parser/v0.0.45, as far as the store has the facts).
 */
#include "cmd/squeue/squeue.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/text/jobstate.h"

static const struct {
	const char *path;
	size_t offset;
} texts[] = {
#define T(path, member)                                                        \
	{                                                                      \
		path, offsetof(struct job, member)                             \
	}
	T("account", account),
	T("admin_comment", admin_comment),
	T("array_task_string", array_tasks),
	T("comment", comment),
	T("container", container),
	T("dependency", dependency),
	T("extra", extra),
	T("failed_node", failed_node),
	T("features", constraints),
	T("group_name", group),
	T("licenses", licenses),
	T("name", name),
	T("resv_name", reservation),
	T("submit_line", submit_line),
	T("system_comment", system_comment),
	T("user_name", user),
	T("wckey", wckey),
	T("current_working_directory", work_dir),
#undef T
};

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

static void put(struct json_object *record, const struct listing *l,
	const char *path, enum value_type type, uint64_t number)
{
	struct value value = {type, {.number = number}};

	json_put(record, path, &value, &l->site->store.tres);
}

static void put_texts(struct json_object *record, const struct row *row)
{
	for (size_t i = 0; i < LENGTH(texts); i++) {
		const char *text;

		memcpy(&text, (const char *)row->job + texts[i].offset,
			sizeof(text));
		json_put_text(record, texts[i].path, text);
	}
}

/* Numbers that may be unset. */
static void put_numbers(struct json_object *record, const struct listing *l,
	const struct row *row)
{
	const struct job *job = row->job;
	const struct {
		const char *path;
		uint64_t number;
	} limits[] = {
		{"accrue_time", (uint64_t)row_accrue(row)},
		{"array_job_id", job->array_job},
		{"array_task_id", row->task},
		{"array_max_tasks", job->array_max},
		{"cpus", row_cpus(row)},
		{"eligible_time", (uint64_t)job->eligible},
		{"end_time", (uint64_t)row_end(row)},
		{"het_job_id", job->het_job},
		{"het_job_offset", job->het_job ? job->het_offset : 0},
		{"memory_per_node", row_memory(row)},
		{"node_count", row_nodes(row)},
		{"pre_sus_time", (uint64_t)job->suspended},
		{"priority", row->priority},
		{"start_time", (uint64_t)row_start(row, l->now)},
		{"submit_time", (uint64_t)job->submit},
		{"suspend_time", (uint64_t)job->suspended_since},
		{"time_minimum", job->time_min == NO_VAL ? 0 : job->time_min},
	};

	for (size_t i = 0; i < LENGTH(limits); i++)
		put(record, l, limits[i].path, VALUE_LIMIT, limits[i].number);
	put(record, l, "time_limit", VALUE_LIMIT, row_limit(row));
}

static void put_tres(struct json_object *record, const struct listing *l,
	const struct job *job)
{
	const struct tres_catalog *catalog = &l->site->store.tres;

	json_put_text(record, "tres_req_str",
		tres_list_format(
			&job->tres_req, catalog, TRES_BY_ID, l->scratch));
	json_put_text(record, "tres_alloc_str",
		tres_list_format(
			&job->tres_alloc, catalog, TRES_BY_ID, l->scratch));
	json_put_text(record, "tres_per_node", job->gres);
}

static void put_id(struct json_object *record, const struct listing *l,
	const struct row *row)
{
	json_put_text(record, "step_id/sluid", row_sluid(l, row));
	put(record, l, "step_id/job_id", VALUE_LIMIT, row->job->id);
	put(record, l, "step_id/step_het_component", VALUE_LIMIT, NO_VAL);
	json_put_text(record, "step_id/step_id", "entire");
}

/* What it holds; null while it waits. Which CPUs those are is not known. */
static void put_resources(struct json_object *record, const struct listing *l,
	const struct row *row)
{
	const struct job *job = row->job;
	uint64_t billing = tres_list_get(&job->tres_alloc, TRES_BILLING);

	put(record, l, "billable_tres", VALUE_LIMIT,
		job->start ? billing : NO_VAL);
	if (!job->start) {
		json_put_object(record, "job_resources", NULL);
		return;
	}
	json_append(record, "job_resources/select_type", NULL);
	json_put_int(record, "job_resources/nodes/count", row_nodes(row));
	json_append(record, "job_resources/nodes/select_type", NULL);
	json_put_text(record, "job_resources/nodes/list", job->nodelist);
	put(record, l, "job_resources/nodes/whole", VALUE_BOOL, job->exclusive);
	json_append(record, "job_resources/nodes/allocation", NULL);
	json_put_int(record, "job_resources/cpus", row_cpus(row));
	put(record, l, "job_resources/threads_per_core", VALUE_LIMIT, NO_VAL);
}

/* The base state and every flag on it. */
static void put_state(
	struct json_object *record, const struct listing *l, uint32_t state)
{
	struct strv words = {0};
	struct value value = {VALUE_WORDS, {.list = &words}};

	for (const struct job_state_word *w = job_state_words; w->word; w++)
		if (w->state < JOB_BASE_STATES
				? w->state == (state & JOB_BASE_MASK)
				: (state & w->state) != 0)
			strv_push(&words, l->scratch, w->word);
	json_put(record, "job_state", &value, &l->site->store.tres);
}

void put_identity(struct json_object *record, const struct listing *l,
	const struct row *row)
{
	json_put_int(record, "job_id", row->job->id);
	put(record, l, "array_job_id", VALUE_LIMIT, row->job->array_job);
	put(record, l, "array_task_id", VALUE_LIMIT, row->task);
	json_put_text(record, "cluster", row->queue->cluster);
	json_put_text(record, "partition", row->partition);
	json_put_text(record, "user_name", row->job->user);
	json_put_text(record, "account", row->job->account);
	json_put_text(record, "name", row->job->name);
}

void put_moving(struct json_object *record, const struct listing *l,
	const struct row *row)
{
	put_state(record, l, row->job->state);
	json_put_text(record, "state_reason", row_reason(row));
	put(record, l, "priority", VALUE_LIMIT, row->priority);
	put(record, l, "start_time", VALUE_LIMIT,
		(uint64_t)row_start(row, l->now));
}

static void put_reason(struct json_object *record, const struct row *row)
{
	const char *description = row_description(row);

	json_put_text(record, "state_reason", row_reason(row));
	json_put_text(
		record, "state_description", description ? description : "");
}

struct json_object *row_record(const struct listing *l, const struct row *row)
{
	struct json_object *record = json_record();
	const struct job *job = row->job;

	json_put_int(record, "job_id", job->id);
	json_put_text(record, "cluster", row->queue->cluster);
	json_put_text(record, "partition", row->partition);
	json_put_text(record, "qos", row_qos(row));
	json_put_text(record, "nodes", job->start ? job->nodelist : "");
	json_put_int(record, "user_id", job->uid);
	json_put_int(record, "group_id", job->gid);
	json_put_int(record, "nice", job->nice);
	json_put_int(record, "restart_cnt", job->restarts);
	put_reason(record, row);
	put(record, l, "hold", VALUE_BOOL, job->hold != HOLD_NONE);
	put_state(record, l, job->state);
	put_texts(record, row);
	put_numbers(record, l, row);
	json_put_exit(record, "exit_code", job->exit_code);
	json_put_exit(record, "derived_exit_code", job->derived_ec);
	put_tres(record, l, job);
	json_put_int(record, "association_id", row_assoc(row));
	json_put_text(record, "batch_host", row_host(l, row));
	json_put_text(record, "scheduled_nodes", row_sched_nodes(row, l->now));
	put(record, l, "tasks", VALUE_LIMIT, row_nodes(row));
	put_id(record, l, row);
	put_resources(record, l, row);
	put_unasked(record, l);
	return record;
}
