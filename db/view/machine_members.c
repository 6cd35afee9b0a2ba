/*
 * Nodes and partitions as Slurm's records and as text: part of
 * db/view/machine.h. What only a controller or a node could tell (load, free
 * memory, boot time) is unset, as Slurm has it for a node that never answered.
 */
#include "db/view/machine.h"

#include <stdlib.h>
#include <string.h>

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

	totals_of(&list, &p->machine->site->conf, p->conf, catalog(p->machine),
		arena);
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
NODE(next_state, words_of("INVALID", arena))
NODE(gres, of_text(some(row->conf->gres_text)))
NODE(state, node_states(row->state, arena))
NODE(port, of_uint(machine_node_port(row)))
NODE(since, of_limit((uint64_t)row->reason_time))
NODE(idle, of_uint(row->conf->cpus - row->cpus_alloc))
NODE(used, of_text(machine_node_tres_used(row, arena)))
NODE(tres, of_text(machine_node_tres(row, arena)))

#define AT(member) .offset = offsetof(struct machine_node, member)
#define CONF(type, member) THROUGH(struct machine_node, conf, \
	MEMBER_##type, struct conf_node, member)

/* clang-format off */
static const struct member node_rows[] = {
	{.json = "architecture", .constant = ""},
	{.json = "burstbuffer_network_address", .constant = ""},
	{.json = "boards", CONF(COUNT, boards)},
	{.json = "boot_time", SAME_LIMIT(0)},
	{.json = "tls_cert_last_renewal", SAME_LIMIT(0)},
	{.json = "cert_flags", NO_WORDS},
	{.json = "cluster_name", THROUGH(struct machine_node, machine, MEMBER_TEXT, struct machine, cluster)},
	{.json = "cores", CONF(COUNT, cores)},
	{.json = "specialized_cores", SAME_UINT(0)},
	{.json = "cpu_binding", SAME_UINT(0)},
	{.json = "cpu_load", SAME_UINT(0)},
	{.json = "free_mem", SAME_LIMIT(NO_VAL)},
	{.json = "cpus", CONF(COUNT, cpus)},
	{.json = "effective_cpus", CONF(COUNT, cpus)},
	{.json = "specialized_cpus", .constant = ""},
	{.json = "energy/average_watts", SAME_UINT(0)},
	{.json = "energy/base_consumed_energy", SAME_UINT(0)},
	{.json = "energy/consumed_energy", SAME_UINT(0)},
	{.json = "energy/current_watts", SAME_LIMIT(NO_VAL)},
	{.json = "energy/previous_consumed_energy", SAME_UINT(0)},
	{.json = "energy/last_collected", SAME_UINT(0)},
	{.type = MEMBER_TEXT, AT(extra), .json = "extra"},
	{.json = "features", CONF(WORDS, features)},
	{.json = "active_features", CONF(WORDS, features)},
	{.json = "gpu_spec", .constant = ""},
	{.json = "gres", .get = get_node_gres},
	{.json = "gres_drained", .constant = "N/A"},
	{.type = MEMBER_TEXT, AT(gres_used), .json = "gres_used"},
	{.type = MEMBER_TEXT, AT(instance_id), .json = "instance_id"},
	{.type = MEMBER_TEXT, AT(instance_type), .json = "instance_type"},
	{.json = "last_busy", SAME_LIMIT(0)},
	{.json = "mcs_label", .constant = ""},
	{.json = "specialized_memory", SAME_UINT(0)},
	{.json = "name", CONF(TEXT, name)},
	{.json = "next_state_after_reboot", .get = get_node_next_state},
	{.json = "address", CONF(TEXT, address)},
	{.json = "hostname", CONF(TEXT, host)},
	{.json = "state", .get = get_node_state},
	{.json = "operating_system", .constant = ""},
	{.json = "owner", .constant = ""},
	{.type = MEMBER_WORDS, AT(partitions), .json = "partitions"},
	{.json = "port", .get = get_node_port},
	{.json = "real_memory", CONF(COUNT64, real_memory)},
	{.json = "res_cores_per_gpu", SAME_UINT(0)},
	{.type = MEMBER_TEXT, AT(comment), .json = "comment"},
	{.type = MEMBER_TEXT, AT(reason), .json = "reason"},
	{.json = "reason_changed_at", .get = get_node_since},
	{.type = MEMBER_TEXT, AT(reason_user), .json = "reason_set_by_user"},
	{.json = "resume_after", SAME_LIMIT(0)},
	{.type = MEMBER_TEXT, AT(reservation), .json = "reservation"},
	{.json = "suspend_time", SAME_LIMIT(NO_VAL)},
	{.type = MEMBER_COUNT64, AT(mem_alloc), .json = "alloc_memory"},
	{.type = MEMBER_COUNT, AT(cpus_alloc), .json = "alloc_cpus"},
	{.json = "alloc_idle_cpus", .get = get_node_idle},
	{.json = "tres_used", .get = get_node_used},
	{.json = "slurmd_start_time", SAME_LIMIT(0)},
	{.json = "sockets", CONF(COUNT, sockets)},
	{.json = "threads", CONF(COUNT, threads)},
	{.json = "temporary_disk", CONF(COUNT, tmp_disk)},
	{.json = "weight", CONF(COUNT, weight)},
	{.json = "topology", .constant = ""},
	{.json = "tres", .get = get_node_tres},
	{.json = "version", .constant = ""},
};
/* clang-format on */
#undef AT
#undef CONF
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
PART(def_cpu, of_cpu_mib(row->conf->def_mem_per_cpu))
PART(def_node,
	of_node_mib(row->conf->def_mem_per_node, row->conf->def_mem_per_cpu))
PART(deny_accounts, list_text(&row->conf->deny_accounts, arena))
PART(deny_qos, list_text(&row->conf->deny_qos, arena))
PART(flags, flags_of(row->conf, arena))
PART(exclusive, of_text(machine_exclusive(row)))
PART(job_defaults, of_text(some(row->conf->job_defaults)))
PART(max_cpu, of_cpu_mib(row->conf->max_mem_per_cpu))
PART(max_node,
	of_node_mib(row->conf->max_mem_per_node, row->conf->max_mem_per_cpu))
PART(share, of_text(machine_oversubscribe(row, arena)))
PART(none, words_of("NONE", arena))
PART(preempt, preempt_words(row, arena))
PART(factor, of_uint(row->conf->priority_job_factor))
PART(tier, of_uint(row->conf->priority_tier))
PART(qos, of_text(some(row->conf->qos)))
PART(state, words_of(machine_partition_state(row), arena))
PART(total_nodes, of_uint(row->n_nodes))
PART(tres, of_text(machine_partition_tres(row, arena)))

#define CONF(type, member) THROUGH(struct machine_partition, conf, \
	MEMBER_##type, struct conf_partition, member)

/* clang-format off */
/* Keys that Slurm has emptied (v0.0.46 drops them) are 0 or empty, as there. */
static const struct member partition_rows[] = {
	{.json = "nodes/allowed_allocation", .get = get_part_alloc_nodes},
	{.type = MEMBER_TEXT, .offset = offsetof(struct machine_partition, node_text),
		.json = "nodes/configured"},
	{.json = "nodes/total", .get = get_part_total_nodes},
	{.json = "node_sets", .constant = ""},
	{.json = "accounts/allowed", .get = get_part_allow_accounts},
	{.json = "accounts/deny", .get = get_part_deny_accounts},
	{.json = "groups/allowed", .get = get_part_allow_groups},
	{.json = "qos/allowed", .get = get_part_allow_qos},
	{.json = "qos/deny", .get = get_part_deny_qos},
	{.json = "qos/assigned", .get = get_part_qos},
	{.json = "alternate", .get = get_part_alternate},
	{.json = "tres/billing_weights", .get = get_part_weights},
	{.json = "tres/configured", .get = get_part_tres},
	{.json = "cluster", THROUGH(struct machine_partition, machine, MEMBER_TEXT, struct machine, cluster)},
	{.json = "select_type", .get = get_part_none},
	{.json = "cpus/task_binding", NO_WORDS},
	{.type = MEMBER_COUNT, .offset = offsetof(struct machine_partition, cpus),
		.json = "cpus/total"},
	{.json = "defaults/partition_memory_per_cpu", .get = get_part_def_cpu},
	{.json = "defaults/partition_memory_per_node", .get = get_part_def_node},
	{.json = "defaults/memory_per_cpu", SAME_UINT(0)},
	{.json = "defaults/time", CONF(LIMIT, default_time)},
	{.json = "defaults/job", .get = get_part_job_defaults},
	{.json = "flags", .get = get_part_flags},
	{.json = "partition/exclusive", .get = get_part_exclusive},
	{.json = "partition/oversubscribe", .get = get_part_share},
	{.json = "partition/state", .get = get_part_state},
	{.json = "grace_time", CONF(COUNT, grace_time)},
	{.json = "maximums/cpus_per_node", CONF(LIMIT, max_cpus_per_node)},
	{.json = "maximums/cpus_per_socket", CONF(LIMIT, max_cpus_per_socket)},
	{.json = "maximums/partition_memory_per_cpu", .get = get_part_max_cpu},
	{.json = "maximums/partition_memory_per_node", .get = get_part_max_node},
	{.json = "maximums/memory_per_cpu", SAME_UINT(0)},
	{.json = "maximums/shares", SAME_UINT(0)},
	{.json = "maximums/oversubscribe/jobs", SAME_UINT(0)},
	{.json = "maximums/oversubscribe/flags", NO_WORDS},
	{.json = "maximums/nodes", CONF(LIMIT, max_nodes)},
	{.json = "maximums/time", CONF(LIMIT, max_time)},
	{.json = "maximums/over_time_limit", CONF(LIMIT, over_time_limit)},
	{.json = "minimums/nodes", CONF(COUNT, min_nodes)},
	{.json = "name", CONF(TEXT, name)},
	{.json = "preempt_mode", .get = get_part_preempt},
	{.json = "priority/job_factor", .get = get_part_factor},
	{.json = "priority/tier", .get = get_part_tier},
	{.json = "timeouts/resume", SAME_LIMIT(NO_VAL)},
	{.json = "timeouts/suspend", SAME_LIMIT(NO_VAL)},
	{.json = "topology", .constant = ""},
	{.json = "suspend_time", SAME_LIMIT(NO_VAL)},
};
/* clang-format on */
const struct members machine_partition_members = MEMBERS(partition_rows);
