/*
 * Members of Slurm's job records (data_parser/v0.0.45) that the store does not
 * have: the values of a request that leaves them open.
 */
#include "db/view/queue.h"

#include "common/base/numbers.h"

static const char *const texts[] = {
	"allocating_node",
	"batch_features",
	"burst_buffer",
	"burst_buffer_state",
	"cluster_features",
	"command",
	"container_id",
	"container_type",
	"cpus_per_tres",
	"cron",
	"federation_origin",
	"federation_siblings_active",
	"federation_siblings_viable",
	"het_job_id_set",
	"licenses_allocated",
	"mail_user",
	"mcs_label",
	"memory_per_tres",
	"network",
	"prefer",
	"selinux_context",
	"tres_bind",
	"tres_freq",
	"tres_per_job",
};

/* {set, infinite, number} */
static const struct {
	const char *path;
	uint64_t number;
} limits[] = {
	{"cores_per_socket", NO_VAL64},
	{"cpu_frequency_governor", NO_VAL64},
	{"cpu_frequency_maximum", NO_VAL64},
	{"cpu_frequency_minimum", NO_VAL64},
	{"deadline", 0},
	{"delay_boot", 0},
	{"last_sched_evaluation", 0},
	{"max_cpus", 0},
	{"minimum_tmp_disk_per_node", 0},
	{"preemptable_time", 0},
	{"resize_time", 0},
	{"sockets_per_node", NO_VAL64},
	{"tasks_per_board", 0},
	{"tasks_per_core", INFINITE64},
	{"tasks_per_socket", INFINITE64},
	{"tasks_per_tres", 0},
	{"threads_per_core", NO_VAL64},
};

static const struct {
	const char *path;
	int64_t number;
} numbers[] = {
	{"core_spec", 0}, {"maximum_switch_wait_time", 0},
	{"memory_update_delay", 0}, {"memory_update_margin", 0},
	{"required_switches", 0}, {"segment_size", 0}, {"sockets_per_board", 0},
	{"thread_spec", 32766}, /* none, without its highest bit */
};

static const struct {
	const char *path;
	bool yes;
} flags[] = {
	{"batch_flag", true},
	{"contiguous", false},
	{"reboot", false},
	{"requeue", true},
};

static const char *const lists[] = {
	"flags",
	"gres_detail",
	"job_size_str",
	"mail_type",
	"priority_by_partition",
};

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

void queue_put_unasked(struct json_object *record, const struct tres_catalog *tres)
{
	static char *not_set[] = {"NOT_SET"};
	const struct strv profile = {.v = not_set, .n = 1};
	struct value value = {VALUE_LIMIT, {0}};

	for (size_t i = 0; i < LENGTH(texts); i++)
		json_put_text(record, texts[i], "");
	for (size_t i = 0; i < LENGTH(numbers); i++)
		json_put_int(record, numbers[i].path, numbers[i].number);
	for (size_t i = 0; i < LENGTH(limits); i++) {
		value.number = limits[i].number;
		json_put(record, limits[i].path, &value, tres);
	}
	value.type = VALUE_BOOL;
	for (size_t i = 0; i < LENGTH(flags); i++) {
		value.number = flags[i].yes;
		json_put(record, flags[i].path, &value, tres);
	}
	for (size_t i = 0; i < LENGTH(lists); i++)
		json_append(record, lists[i], NULL);
	value = (struct value){VALUE_WORDS, {.list = &profile}};
	json_put(record, "profile", &value, tres);
}
