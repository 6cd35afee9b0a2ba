/*
 * A job of the queue for machines, in the layout of Slurm's job records
 * (data_parser/v0.0.45, as far as the store has the facts). Those that it
 * keeps stand here by their column, with a getter where they look otherwise;
 * their paths are in common/table/job.c.
 */
#include "db/view/queue.h"

#include <stddef.h>

#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "common/text/hostlist.h"
#include "common/text/jobstate.h"
#include "common/text/pernode.h"
#include "db/job/job.h"

static const struct tres_catalog *catalog_of(const struct queue_row *row)
{
	return &row->queue->site->store.tres;
}

/* The base state and every flag on it. */
static struct value state_words(uint32_t state, struct arena *arena)
{
	struct strv words = {0};

	for (const struct job_state_word *w = job_state_words; w->word; w++)
		if (w->state < JOB_BASE_STATES
				? w->state == (state & JOB_BASE_MASK)
				: (state & w->state) != 0)
			strv_push(&words, arena, w->word);
	return of_words(words, arena);
}

static const char *description(const struct queue_row *row)
{
	const char *text = queue_description(row);

	return text ? text : "";
}

static uint32_t some(uint32_t number)
{
	return number == NO_VAL ? 0 : number;
}

#define RAW member_raw(m, row, arena)
#define GET(name, expression) GETTER(name, struct queue_row, expression)
GET(set, of_limit(RAW.number))
GET(some, of_limit(some((uint32_t)RAW.number)))
GET(id, of_uint(RAW.number))
GET(cluster, of_text(row->queue->cluster))
GET(partition, of_text(row->partition))
GET(qos, of_text(queue_qos(row)))
GET(nodes, of_text(row->job->start ? row->job->nodelist : ""))
GET(reason, of_text(queue_reason(row)))
GET(description, of_text(description(row)))
GET(hold, of_bool(row->job->hold != HOLD_NONE))
GET(state, state_words(row->job->state, arena))
GET(accrue, of_limit((uint64_t)queue_accrue(row)))
GET(task, of_limit(row->task))
GET(at_once, of_limit(array_tasks_at_once(row->job->array_tasks)))
GET(licenses_held, of_text(row->job->start ? row->job->licenses : ""))
GET(cpus, of_limit(queue_cpus(row)))
GET(end, of_limit((uint64_t)queue_end(row)))
GET(het_offset, of_limit(row->job->het_job ? row->job->het_offset : 0))
GET(n_nodes, of_limit(queue_nodes(row)))
GET(priority, of_limit(row->priority))
GET(start, of_limit((uint64_t)queue_start(row)))
GET(time_limit, of_limit(queue_limit(row)))
GET(tres_string,
	of_text(tres_list_format(RAW.tres, catalog_of(row), TRES_BY_ID, arena)))
GET(assoc, of_uint(queue_assoc(row)))
GET(host, of_text(queue_host(row, arena)))
GET(sched_nodes, of_text(queue_sched_nodes(row)))
GET(sluid, of_text(queue_sluid(row, arena)))
GET(before_suspension,
	of_limit(row->job->suspended_since ? (uint64_t)queue_used(row) : 0))
GET(known, of_limit(RAW.number ? (uint64_t)RAW.number : NO_VAL64))
GET(at_least_one, of_limit(RAW.number ? (uint64_t)RAW.number : 1))

GET(memory, of_limit(row->job->mem_per_cpu ? NO_VAL64 : queue_memory(row)))
GET(gpus, of_text(queue_gpus((uint32_t)RAW.number, arena)))
GET(gres, of_text(queue_gres(row, arena)))
GET(least_cpus, of_limit(queue_least_cpus(row)))
GET(preempted, of_limit((uint64_t)queue_preempted(row)))
GET(expanded, of_text(job_file_expand(row->job, RAW.text, arena)))

/* What slurmctld tells of sharing: by the job, else by its partition. */
static struct value shared_of(const struct queue_row *row, struct arena *arena)
{
	const struct conf_partition *p =
		conf_partition_by_name(&row->queue->site->conf, row->partition);
	struct strv words = {0};

	if (row->job->exclusive || (p && !p->max_share))
		strv_push(&words, arena, "none");
	else if (p && p->share_force && p->max_share > 1)
		strv_push(&words, arena, "oversubscribe");
	return of_words(words, arena);
}
GET(shared, shared_of(row, arena))

static struct value not_set(struct arena *arena)
{
	struct strv words = {0};

	strv_push(&words, arena, "NOT_SET");
	return of_words(words, arena);
}
GET(profile, not_set(arena))
GET(mcs_label, of_text(row->job->mcs_label))
GET(segment, of_uint(row->job->segment_size))

#define EMPTY(path) {.json = path, .constant = ""}
#define NUMBER(path, n) {.json = path, SAME_UINT(n)}
#define LIMIT(path, n) {.json = path, SAME_LIMIT(n)}
#define FLAG(path, yes) {.json = path, SAME_BOOL(yes)}
#define LIST(path) {.json = path, NO_WORDS}

/* In this order, others behind them; counts and times are {set, number}. */
/* clang-format off */
static const struct member facts[] = {
	{"id", .get = get_id},
	{.json = "cluster", .get = get_cluster},
	{"partition", .get = get_partition}, {"qos", .get = get_qos},
	{"nodelist", .get = get_nodes}, {"uid", .get = get_id}, {"gid", .get = get_id},
	PLACE("nice"), {"restarts", .get = get_id}, {"reason", .get = get_reason},
	{.json = "state_description", .get = get_description},
	{"hold", .get = get_hold}, {"state", .get = get_state}, PLACE("account"),
	PLACE("admin_comment"), PLACE("array_tasks"), PLACE("comment"), PLACE("container"),
	PLACE("dependency"), PLACE("extra"), PLACE("failed_node"), PLACE("constraints"),
	PLACE("grp"), PLACE("licenses"), PLACE("name"), PLACE("reservation"), PLACE("submit_line"),
	PLACE("system_comment"), PLACE("user"), PLACE("wckey"), PLACE("work_dir"),
	{"accrue", .get = get_accrue}, PLACE("array_job"), {"array_task", .get = get_task},
	{.json = "array_max_tasks", .get = get_at_once},
	{"cpus_req", .get = get_cpus}, PLACE("eligible"), {"end", .get = get_end}, PLACE("het_job"),
	{"het_offset", .get = get_het_offset}, {"mem_per_node", .get = get_memory},
	{"mem_per_cpu", .get = get_known}, PLACE("nodes_max"), {"tasks", .get = get_known},
	{"cpus_per_task", .get = get_at_least_one}, PLACE("tasks_per_node"),
	{"gpus_per_task", .get = get_gpus}, {"gpus_per_socket", .get = get_gpus},
	PLACE("nodes_wanted"), PLACE("nodes_excluded"), {"nodes_req", .get = get_n_nodes},
	{.json = "pre_sus_time", .get = get_before_suspension},
	{"last_priority", .get = get_priority}, {"start", .get = get_start}, PLACE("submit"),
	PLACE("suspended_since"), {"time_min", .get = get_some},
	{"time_limit", .get = get_time_limit}, PLACE("exit_code"), PLACE("derived_ec"),
	{"tres_req", .get = get_tres_string}, {"tres_alloc", .get = get_tres_string},
	{"gres", .get = get_gres},
	{.json = "minimum_cpus_per_node", .get = get_least_cpus},
	{.json = "preempt_time", .get = get_preempted},
	PLACE("std_err"), PLACE("std_in"), PLACE("std_out"),
	{"std_err", .json = "stderr_expanded", .get = get_expanded},
	{"std_in", .json = "stdin_expanded", .get = get_expanded},
	{"std_out", .json = "stdout_expanded", .get = get_expanded}, {"assoc", .get = get_assoc},
	{.json = "batch_host", .get = get_host},
	{.json = "scheduled_nodes", .get = get_sched_nodes},
	{.json = "shared", .get = get_shared},
	{.json = "step_id/sluid", .get = get_sluid},
	{"id", .json = "step_id/job_id", .get = get_set},
	{.json = "step_id/step_het_component", SAME_LIMIT(NO_VAL)},
	{.json = "step_id/step_id", .constant = "entire"},
};

struct members queue_members(struct arena *arena)
{
	static const struct members own = MEMBERS(facts);
	const struct members paths = job_view(&job_members, QUEUE_JSON, arena);
	struct members all = members_join(
		&own, &paths, offsetof(struct queue_row, job), arena);

	for (size_t i = 0; i < all.n; i++) {
		struct member *m = (struct member *)(uintptr_t)&all.v[i];

		if (!m->get && (m->type == MEMBER_COUNT ||
				       m->type == MEMBER_TIME ||
				       m->type == MEMBER_KNOWN_TIME))
			m->get = get_set;
	}
	return all;
}

/* What the store does not know: as slurmctld sends what a request leaves open. */
static const struct member unasked[] = {
	EMPTY("allocating_node"), EMPTY("batch_features"), EMPTY("burst_buffer"),
	EMPTY("burst_buffer_state"), EMPTY("cluster_features"), EMPTY("command"),
	EMPTY("container_id"), EMPTY("container_type"), EMPTY("cpus_per_tres"),
	EMPTY("cron"), EMPTY("federation_origin"), EMPTY("federation_siblings_active"),
	EMPTY("federation_siblings_viable"), EMPTY("het_job_id_set"),
	{.json = "licenses_allocated", .get = get_licenses_held},
	EMPTY("mail_user"), {.json = "mcs_label", .get = get_mcs_label}, EMPTY("memory_per_tres"), EMPTY("network"),
	EMPTY("prefer"), EMPTY("selinux_context"), EMPTY("tres_bind"), EMPTY("tres_freq"),
	EMPTY("tres_per_job"),
	NUMBER("core_spec", 0), NUMBER("maximum_switch_wait_time", 0),
	NUMBER("memory_update_delay", 0), NUMBER("memory_update_margin", 0),
	NUMBER("required_switches", 0), {.json = "segment_size", .get = get_segment},
	NUMBER("sockets_per_board", 0),
	NUMBER("thread_spec", 32766), /* none, without its highest bit */
	LIMIT("cores_per_socket", NO_VAL), LIMIT("cpu_frequency_governor", NO_VAL),
	LIMIT("cpu_frequency_maximum", NO_VAL), LIMIT("cpu_frequency_minimum", NO_VAL),
	LIMIT("deadline", 0), LIMIT("delay_boot", 0), LIMIT("last_sched_evaluation", 0),
	LIMIT("max_cpus", 0), LIMIT("minimum_tmp_disk_per_node", 0),
	LIMIT("preemptable_time", 0), LIMIT("resize_time", 0),
	LIMIT("sockets_per_node", NO_VAL), LIMIT("tasks_per_board", 0),
	LIMIT("tasks_per_core", INFINITE), LIMIT("tasks_per_socket", INFINITE),
	LIMIT("tasks_per_tres", 0), LIMIT("threads_per_core", NO_VAL),
	FLAG("batch_flag", true), FLAG("contiguous", false), FLAG("reboot", false),
	FLAG("requeue", true),
	LIST("flags"), LIST("gres_detail"), LIST("job_size_str"), LIST("mail_type"),
	LIST("priority_by_partition"),
	{.json = "profile", .get = get_profile},
};
/* clang-format on */

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

static void put_some(struct json_object *record, const char *const *paths,
	size_t n, const struct queue_row *row, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		const struct members one = {
			members_by_path(&row->queue->members, paths[i]), 1};

		json_put_members(record, &one, row, arena, catalog_of(row));
	}
}

void queue_put_identity(
	struct json_object *record, const struct queue_row *row, struct arena *arena)
{
	static const char *const paths[] = {"job_id", "array_job_id",
		"array_task_id", "cluster", "partition", "user_name", "account",
		"name"};

	put_some(record, paths, LENGTH(paths), row, arena);
}

void queue_put_moving(
	struct json_object *record, const struct queue_row *row, struct arena *arena)
{
	static const char *const paths[] = {
		"job_state", "state_reason", "priority", "start_time"};

	put_some(record, paths, LENGTH(paths), row, arena);
}

static void put_value(
	struct json_object *record, const char *path, struct value value)
{
	json_put(record, path, &value, NULL);
}

static void put_amount(struct json_object *node, const char *path,
	const struct pernode *list, size_t i)
{
	json_put_int(node, path, i < list->n ? (int64_t)list->v[i] : 0);
}

/* What it has on each node, where that was told. Which CPUs, and how much of
 * it is in use, is not known. */
static void put_allocation(
	struct json_object *record, const struct job *job, struct arena *arena)
{
	static const char path[] = "job_resources/nodes/allocation";
	struct pernode cpus = {0}, mem = {0};
	struct strv names;

	json_append(record, path, NULL);
	if (!*job->cpus_on && !*job->mem_on)
		return;
	names = hostlist_names(job->nodelist, arena);
	if (pernode_parse(job->cpus_on, false, arena, &cpus) || cpus.n != names.n)
		cpus.n = 0;
	if (pernode_parse(job->mem_on, true, arena, &mem) || mem.n != names.n)
		mem.n = 0;
	if (!cpus.n && !mem.n)
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct json_object *node = json_record();

		json_put_int(node, "index", (int64_t)i);
		json_put_text(node, "name", names.v[i]);
		put_amount(node, "cpus/count", &cpus, i);
		json_put_int(node, "cpus/used", 0);
		json_put_int(node, "memory/used", 0);
		put_amount(node, "memory/allocated", &mem, i);
		json_append(node, "sockets", NULL);
		json_append(record, path, node);
	}
}

/* What it holds; null while it waits. */
static void put_resources(
	struct json_object *record, const struct queue_row *row, struct arena *arena)
{
	const struct job *job = row->job;
	uint64_t billing = tres_list_get(&job->tres_alloc, TRES_BILLING);

	put_value(record, "billable_tres",
		of_limit(job->start ? billing : NO_VAL));
	if (!job->start) {
		json_put_object(record, "job_resources", NULL);
		return;
	}
	json_append(record, "job_resources/select_type", NULL);
	json_put_int(record, "job_resources/nodes/count", queue_nodes(row));
	json_append(record, "job_resources/nodes/select_type", NULL);
	json_put_text(record, "job_resources/nodes/list", job->nodelist);
	put_value(record, "job_resources/nodes/whole", of_bool(job->exclusive));
	put_allocation(record, job, arena);
	json_put_int(record, "job_resources/cpus", queue_cpus(row));
	put_value(record, "job_resources/threads_per_core", of_limit(NO_VAL));
}

struct json_object *queue_record(const void *queue_row, struct arena *arena)
{
	static const struct members rest = MEMBERS(unasked);
	const struct queue_row *row = queue_row;
	struct json_object *record = json_record();

	json_put_members(
		record, &row->queue->members, row, arena, catalog_of(row));
	put_resources(record, row, arena);
	json_put_members(record, &rest, row, arena, catalog_of(row));
	return record;
}
