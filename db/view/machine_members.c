/*
 * Nodes and partitions as Slurm's records and as text: part of
 * db/view/machine.h. What only a controller or a node could tell (load, free
 * memory, boot time) is unset, as Slurm has it for a node that never answered.
 */
#include "db/view/machine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/conf/totals.h"
#include "common/fair/billing.h"

/* ---- TRES ----------------------------------------------------------------*/

static const struct tres_catalog *catalog(const struct machine *machine)
{
	return &machine->site->store.tres;
}

static uint64_t billing(const struct machine *machine, const char *text,
	const struct tres_list *list, struct arena *arena)
{
	struct tres_weights weights = {0};
	struct err unused;

	if (tres_weights_parse(text, catalog(machine), arena, &weights, &unused))
		weights.n = 0;
	return billing_truncate(
		billing_compute(machine->site->conf.policy.billing, &weights,
			list, catalog(machine)));
}

/* A node's is the highest it has in one of its partitions. */
static uint64_t node_billing(const struct machine_node *node,
	const struct tres_list *list, struct arena *arena)
{
	uint64_t most = 0;

	for (size_t i = 0; i < node->partitions.n; i++) {
		const struct machine_partition *p = machine_partition(
			node->machine, node->partitions.v[i]);
		uint64_t here = billing(node->machine,
			p->conf->billing_weights, list, arena);

		if (here > most)
			most = here;
	}
	return node->partitions.n ? most : node->conf->cpus;
}

static const char *text_of(const struct machine *machine,
	const struct tres_list *list, struct arena *arena)
{
	return tres_list_format(list, catalog(machine), TRES_BY_ID, arena);
}

const char *machine_node_tres(
	const struct machine_node *node, struct arena *arena)
{
	struct tres_list list = {0};

	totals_add_node(&list, node->conf, catalog(node->machine), arena);
	tres_list_add(&list, arena, TRES_BILLING,
		node_billing(node, &list, arena));
	return text_of(node->machine, &list, arena);
}

const char *machine_node_tres_used(
	const struct machine_node *node, struct arena *arena)
{
	const struct conf_node *conf = node->conf;
	struct tres_list list = {0};
	const char *text = node->gres_used;

	tres_list_add(&list, arena, TRES_CPU, node->cpus_alloc);
	tres_list_add(&list, arena, TRES_MEM, node->mem_alloc);
	for (size_t i = 0; i < conf->n_gres; i++) {
		size_t len = strcspn(text, ",");
		const char *colon = memrchr(text, ':', len);

		if (colon)
			totals_add_gres(&list, conf->gres[i].name,
				conf->gres[i].type,
				strtoull(colon + 1, NULL, 10),
				catalog(node->machine), arena);
		text += len + (text[len] == ',');
	}
	return text_of(node->machine, &list, arena);
}

const char *machine_partition_tres(
	const struct machine_partition *p, struct arena *arena)
{
	struct tres_list list = {0};

	for (size_t i = 0; i < p->n_nodes; i++)
		totals_add_node(&list, p->nodes[i]->conf, catalog(p->machine),
			arena);
	tres_list_add(&list, arena, TRES_NODE, p->n_nodes);
	tres_list_add(&list, arena, TRES_BILLING,
		billing(p->machine, p->conf->billing_weights, &list, arena));
	return text_of(p->machine, &list, arena);
}

/* ---- words ---------------------------------------------------------------*/

const char *machine_preempt_mode(
	const struct machine_partition *p, struct arena *arena)
{
	const char *text = p->conf->preempt_mode;
	char *upper;

	if (!text)
		text = p->machine->site->conf.preempt_mode;
	upper = arena_strdup(arena, text && *text ? text : "OFF");
	for (char *c = upper; *c; c++)
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	return upper;
}

const char *machine_oversubscribe(
	const struct machine_partition *p, struct arena *arena)
{
	const struct conf_partition *conf = p->conf;

	if (!conf->max_share || (!conf->share_force && conf->max_share == 1))
		return "NO";
	return arena_printf(arena, "%s:%u", conf->share_force ? "FORCE" : "YES",
		conf->max_share);
}

const char *machine_exclusive(const struct machine_partition *p)
{
	if (p->conf->exclusive_topo)
		return "TOPO";
	if (!p->conf->max_share)
		return "NODE";
	return p->conf->exclusive_user ? "USER" : "NO";
}

const char *machine_partition_state(const struct machine_partition *p)
{
	static const char *const words[] = {
		[PARTITION_UP] = "UP",
		[PARTITION_DOWN] = "DOWN",
		[PARTITION_DRAIN] = "DRAIN",
		[PARTITION_INACTIVE] = "INACTIVE",
	};

	return words[p->conf->state];
}

static const char *some(const char *text)
{
	return text ? text : "";
}

static struct value words_of(const char *text, struct arena *arena)
{
	struct strv words = {0};

	strv_words(&words, arena, text);
	return of_words(words, arena);
}

static struct value list_text(const struct strv *words, struct arena *arena)
{
	return of_text(strv_join(words, ",", arena));
}

/* ---- nodes ---------------------------------------------------------------*/

static struct value node_states(uint32_t state, struct arena *arena)
{
	struct strv words = {0};

	node_state_list(state, arena, &words);
	return of_words(words, arena);
}

uint64_t machine_node_port(const struct machine_node *node)
{
	const char *text = node->conf->port;

	if (!text)
		text = conf_pairs_get(
			&node->machine->site->conf.all, "SlurmdPort");
	return text ? strtoull(text, NULL, 10) : 6818;
}

#define NODE(name, expression)                                                 \
	GETTER(node_##name, struct machine_node, expression)
NODE(boards, of_uint(row->conf->boards))
NODE(cluster, of_text(row->machine->cluster))
NODE(cores, of_uint(row->conf->cores))
NODE(unset, of_limit(NO_VAL))
NODE(never, of_limit(0))
NODE(zero, of_uint(0))
NODE(nothing, of_text(""))
NODE(no_words, of_words((struct strv){0}, arena))
NODE(next_state, words_of("INVALID", arena))
NODE(drained_gres, of_text("N/A"))
NODE(cpus, of_uint(row->conf->cpus))
NODE(features, of_words(row->conf->features, arena))
NODE(gres, of_text(some(row->conf->gres_text)))
NODE(name, of_text(row->conf->name))
NODE(address, of_text(row->conf->address))
NODE(host, of_text(row->conf->host))
NODE(state, node_states(row->state, arena))
NODE(partitions, of_words(row->partitions, arena))
NODE(port, of_uint(machine_node_port(row)))
NODE(memory, of_uint(row->conf->real_memory))
NODE(since, of_limit((uint64_t)row->reason_time))
NODE(idle, of_uint(row->conf->cpus - row->cpus_alloc))
NODE(used, of_text(machine_node_tres_used(row, arena)))
NODE(sockets, of_uint(row->conf->sockets))
NODE(threads, of_uint(row->conf->threads))
NODE(disk, of_uint(row->conf->tmp_disk))
NODE(weight, of_uint(row->conf->weight))
NODE(tres, of_text(machine_node_tres(row, arena)))

#define AT(member) .offset = offsetof(struct machine_node, member)

/* clang-format off */
static const struct member node_rows[] = {
	{.json = "architecture", .get = get_node_nothing},
	{.json = "burstbuffer_network_address", .get = get_node_nothing},
	{.json = "boards", .get = get_node_boards},
	{.json = "boot_time", .get = get_node_never},
	{.json = "tls_cert_last_renewal", .get = get_node_never},
	{.json = "cert_flags", .get = get_node_no_words},
	{.json = "cluster_name", .get = get_node_cluster},
	{.json = "cores", .get = get_node_cores},
	{.json = "specialized_cores", .get = get_node_zero},
	{.json = "cpu_binding", .get = get_node_zero},
	{.json = "cpu_load", .get = get_node_zero},
	{.json = "free_mem", .get = get_node_unset},
	{.json = "cpus", .get = get_node_cpus},
	{.json = "effective_cpus", .get = get_node_cpus},
	{.json = "specialized_cpus", .get = get_node_nothing},
	{.json = "energy/average_watts", .get = get_node_zero},
	{.json = "energy/base_consumed_energy", .get = get_node_zero},
	{.json = "energy/consumed_energy", .get = get_node_zero},
	{.json = "energy/current_watts", .get = get_node_unset},
	{.json = "energy/previous_consumed_energy", .get = get_node_zero},
	{.json = "energy/last_collected", .get = get_node_zero},
	{.type = MEMBER_TEXT, AT(extra), .json = "extra"},
	{.json = "features", .get = get_node_features},
	{.json = "active_features", .get = get_node_features},
	{.json = "gpu_spec", .get = get_node_nothing},
	{.json = "gres", .get = get_node_gres},
	{.json = "gres_drained", .get = get_node_drained_gres},
	{.type = MEMBER_TEXT, AT(gres_used), .json = "gres_used"},
	{.type = MEMBER_TEXT, AT(instance_id), .json = "instance_id"},
	{.type = MEMBER_TEXT, AT(instance_type), .json = "instance_type"},
	{.json = "last_busy", .get = get_node_never},
	{.json = "mcs_label", .get = get_node_nothing},
	{.json = "specialized_memory", .get = get_node_zero},
	{.json = "name", .get = get_node_name},
	{.json = "next_state_after_reboot", .get = get_node_next_state},
	{.json = "address", .get = get_node_address},
	{.json = "hostname", .get = get_node_host},
	{.json = "state", .get = get_node_state},
	{.json = "operating_system", .get = get_node_nothing},
	{.json = "owner", .get = get_node_nothing},
	{.json = "partitions", .get = get_node_partitions},
	{.json = "port", .get = get_node_port},
	{.json = "real_memory", .get = get_node_memory},
	{.json = "res_cores_per_gpu", .get = get_node_zero},
	{.type = MEMBER_TEXT, AT(comment), .json = "comment"},
	{.type = MEMBER_TEXT, AT(reason), .json = "reason"},
	{.json = "reason_changed_at", .get = get_node_since},
	{.type = MEMBER_TEXT, AT(reason_user), .json = "reason_set_by_user"},
	{.json = "resume_after", .get = get_node_never},
	{.type = MEMBER_TEXT, AT(reservation), .json = "reservation"},
	{.json = "suspend_time", .get = get_node_unset},
	{.type = MEMBER_COUNT64, AT(mem_alloc), .json = "alloc_memory"},
	{.type = MEMBER_COUNT, AT(cpus_alloc), .json = "alloc_cpus"},
	{.json = "alloc_idle_cpus", .get = get_node_idle},
	{.json = "tres_used", .get = get_node_used},
	{.json = "slurmd_start_time", .get = get_node_never},
	{.json = "sockets", .get = get_node_sockets},
	{.json = "threads", .get = get_node_threads},
	{.json = "temporary_disk", .get = get_node_disk},
	{.json = "weight", .get = get_node_weight},
	{.json = "topology", .get = get_node_nothing},
	{.json = "tres", .get = get_node_tres},
	{.json = "version", .get = get_node_nothing},
};
/* clang-format on */
#undef AT
const struct members machine_node_members = MEMBERS(node_rows);

/* ---- partitions ----------------------------------------------------------*/

static struct value flags_of(
	const struct conf_partition *conf, struct arena *arena)
{
	const struct {
		bool on;
		const char *word;
	} flags[] = {
		{conf->is_default, "DEFAULT"},
		{conf->hidden, "HIDDEN"},
		{conf->no_root, "NO_ROOT"},
		{conf->root_only, "ROOT_ONLY"},
		{conf->req_resv, "REQ_RESV"},
		{conf->lln, "LLN"},
	};
	struct strv words = {0};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (flags[i].on)
			strv_push(&words, arena, flags[i].word);
	return of_words(words, arena);
}

static struct value preempt_words(
	const struct machine_partition *p, struct arena *arena)
{
	const char *text = p->conf->preempt_mode
				   ? machine_preempt_mode(p, arena)
				   : "CLUSTER_GLOBAL";

	return words_of(strcmp(text, "OFF") ? text : "DISABLED", arena);
}

/* MiB; 0: none is set. An amount of nodes is 0 (no limit) where CPUs have none. */
static struct value of_cpu_mib(uint64_t amount)
{
	return of_limit(amount ? amount : NO_VAL64);
}

static struct value of_node_mib(uint64_t amount, uint64_t per_cpu)
{
	return of_limit(per_cpu ? NO_VAL64 : amount);
}

#define PART(name, expression)                                                 \
	GETTER(part_##name, struct machine_partition, expression)
PART(alloc_nodes, of_text(some(row->conf->alloc_nodes)))
PART(allow_accounts, list_text(&row->conf->allow_accounts, arena))
PART(allow_groups, list_text(&row->conf->allow_groups, arena))
PART(allow_qos, list_text(&row->conf->allow_qos, arena))
PART(alternate, of_text(some(row->conf->alternate)))
PART(weights, of_text(some(row->conf->billing_weights)))
PART(cluster, of_text(row->machine->cluster))
PART(def_cpu, of_cpu_mib(row->conf->def_mem_per_cpu))
PART(def_node,
	of_node_mib(row->conf->def_mem_per_node, row->conf->def_mem_per_cpu))
PART(default_time, of_limit(row->conf->default_time))
PART(deny_accounts, list_text(&row->conf->deny_accounts, arena))
PART(deny_qos, list_text(&row->conf->deny_qos, arena))
PART(flags, flags_of(row->conf, arena))
PART(exclusive, of_text(machine_exclusive(row)))
PART(grace, of_uint(row->conf->grace_time))
PART(job_defaults, of_text(some(row->conf->job_defaults)))
PART(cpus_node, of_limit(row->conf->max_cpus_per_node))
PART(cpus_socket, of_limit(row->conf->max_cpus_per_socket))
PART(max_cpu, of_cpu_mib(row->conf->max_mem_per_cpu))
PART(max_node,
	of_node_mib(row->conf->max_mem_per_node, row->conf->max_mem_per_cpu))
PART(max_nodes, of_limit(row->conf->max_nodes))
PART(share, of_text(machine_oversubscribe(row, arena)))
PART(max_time, of_limit(row->conf->max_time))
PART(min_nodes, of_uint(row->conf->min_nodes))
PART(name, of_text(row->conf->name))
PART(none, words_of("NONE", arena))
PART(no_words, of_words((struct strv){0}, arena))
PART(nothing, of_text(""))
PART(unset, of_limit(NO_VAL))
PART(zero, of_uint(0))
PART(over_time, of_limit(row->conf->over_time_limit))
PART(preempt, preempt_words(row, arena))
PART(factor, of_uint(row->conf->priority_job_factor))
PART(tier, of_uint(row->conf->priority_tier))
PART(qos, of_text(some(row->conf->qos)))
PART(state, words_of(machine_partition_state(row), arena))
PART(total_nodes, of_uint(row->n_nodes))
PART(tres, of_text(machine_partition_tres(row, arena)))

/* clang-format off */
/* Keys that Slurm has emptied (v0.0.46 drops them) are 0 or empty, as there. */
static const struct member partition_rows[] = {
	{.json = "nodes/allowed_allocation", .get = get_part_alloc_nodes},
	{.type = MEMBER_TEXT, .offset = offsetof(struct machine_partition, node_text),
		.json = "nodes/configured"},
	{.json = "nodes/total", .get = get_part_total_nodes},
	{.json = "node_sets", .get = get_part_nothing},
	{.json = "accounts/allowed", .get = get_part_allow_accounts},
	{.json = "accounts/deny", .get = get_part_deny_accounts},
	{.json = "groups/allowed", .get = get_part_allow_groups},
	{.json = "qos/allowed", .get = get_part_allow_qos},
	{.json = "qos/deny", .get = get_part_deny_qos},
	{.json = "qos/assigned", .get = get_part_qos},
	{.json = "alternate", .get = get_part_alternate},
	{.json = "tres/billing_weights", .get = get_part_weights},
	{.json = "tres/configured", .get = get_part_tres},
	{.json = "cluster", .get = get_part_cluster},
	{.json = "select_type", .get = get_part_none},
	{.json = "cpus/task_binding", .get = get_part_no_words},
	{.type = MEMBER_COUNT, .offset = offsetof(struct machine_partition, cpus),
		.json = "cpus/total"},
	{.json = "defaults/partition_memory_per_cpu", .get = get_part_def_cpu},
	{.json = "defaults/partition_memory_per_node", .get = get_part_def_node},
	{.json = "defaults/memory_per_cpu", .get = get_part_zero},
	{.json = "defaults/time", .get = get_part_default_time},
	{.json = "defaults/job", .get = get_part_job_defaults},
	{.json = "flags", .get = get_part_flags},
	{.json = "partition/exclusive", .get = get_part_exclusive},
	{.json = "partition/oversubscribe", .get = get_part_share},
	{.json = "partition/state", .get = get_part_state},
	{.json = "grace_time", .get = get_part_grace},
	{.json = "maximums/cpus_per_node", .get = get_part_cpus_node},
	{.json = "maximums/cpus_per_socket", .get = get_part_cpus_socket},
	{.json = "maximums/partition_memory_per_cpu", .get = get_part_max_cpu},
	{.json = "maximums/partition_memory_per_node", .get = get_part_max_node},
	{.json = "maximums/memory_per_cpu", .get = get_part_zero},
	{.json = "maximums/shares", .get = get_part_zero},
	{.json = "maximums/oversubscribe/jobs", .get = get_part_zero},
	{.json = "maximums/oversubscribe/flags", .get = get_part_no_words},
	{.json = "maximums/nodes", .get = get_part_max_nodes},
	{.json = "maximums/time", .get = get_part_max_time},
	{.json = "maximums/over_time_limit", .get = get_part_over_time},
	{.json = "minimums/nodes", .get = get_part_min_nodes},
	{.json = "name", .get = get_part_name},
	{.json = "preempt_mode", .get = get_part_preempt},
	{.json = "priority/job_factor", .get = get_part_factor},
	{.json = "priority/tier", .get = get_part_tier},
	{.json = "timeouts/resume", .get = get_part_unset},
	{.json = "timeouts/suspend", .get = get_part_unset},
	{.json = "topology", .get = get_part_nothing},
	{.json = "suspend_time", .get = get_part_unset},
};
/* clang-format on */
const struct members machine_partition_members = MEMBERS(partition_rows);
