/*
 * scontrol show partition.
 */
#include "cmd/scontrol/scontrol.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"

static const char *yes_no(bool on)
{
	return on ? "YES" : "NO";
}

static const char *list_or(
	const struct strv *words, const char *otherwise, struct arena *arena)
{
	return words->n ? strv_join(words, ",", arena) : otherwise;
}

static const char *limit(uint32_t number, struct arena *arena)
{
	return number == INFINITE ? "UNLIMITED"
				  : arena_printf(arena, "%" PRIu32, number);
}

static const char *minutes(uint32_t number, struct arena *arena)
{
	if (number == NO_VAL)
		return "NONE";
	return number == INFINITE
		       ? "UNLIMITED"
		       : duration_format(arena, (uint64_t)number * 60);
}

static const char *over_time(uint32_t number, struct arena *arena)
{
	return number == NO_VAL ? "NONE" : limit(number, arena);
}

/* One of a pair: the value if this one is set. */
static struct value memory(uint64_t own, uint64_t other, bool last,
	struct arena *arena)
{
	if (own)
		return of_text(arena_printf(arena, "%" PRIu64, own));
	return !other && last ? of_text("UNLIMITED") : no_value();
}

/* Deny is shown only when there is no Allow list. */
static struct value allowed(const struct strv *allow, const struct strv *deny,
	struct arena *arena)
{
	return deny->n && !allow->n ? no_value()
				    : of_text(list_or(allow, "ALL", arena));
}

static struct value denied(const struct strv *allow, const struct strv *deny,
	struct arena *arena)
{
	return deny->n && !allow->n ? of_text(strv_join(deny, ",", arena))
				    : no_value();
}

/* Its own, which few have: not those of all. */
static const char *select_text(const char *text)
{
	static const char *const words[] = {"CR_CORE_MEMORY", "CR_CORE",
		"CR_SOCKET_MEMORY", "CR_SOCKET"};

	for (size_t i = 0; text && i < sizeof(words) / sizeof(*words); i++)
		if (!strncasecmp(text, words[i], strlen(words[i])))
			return words[i];
	return "NONE";
}

#define C row->conf
#define GET(name, expression)                                                  \
	GETTER(name, struct machine_partition, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
TEXT(groups, list_or(&C->allow_groups, "ALL", arena))
GET(allow_accounts, allowed(&C->allow_accounts, &C->deny_accounts, arena))
GET(deny_accounts, denied(&C->allow_accounts, &C->deny_accounts, arena))
GET(allow_qos, allowed(&C->allow_qos, &C->deny_qos, arena))
GET(deny_qos, denied(&C->allow_qos, &C->deny_qos, arena))
TEXT(alloc_nodes, C->alloc_nodes && *C->alloc_nodes ? C->alloc_nodes : "ALL")
GET(alternate, some_text(C->alternate))
TEXT(is_default, yes_no(C->is_default))
TEXT(qos, C->qos ? C->qos : "N/A")
TEXT(default_time, minutes(C->default_time, arena))
TEXT(no_root, yes_no(C->no_root))
TEXT(exclusive, machine_exclusive(row))
TEXT(hidden, yes_no(C->hidden))
TEXT(max_nodes, limit(C->max_nodes, arena))
TEXT(max_time, minutes(C->max_time, arena))
TEXT(lln, yes_no(C->lln))
TEXT(cpus_node, limit(C->max_cpus_per_node, arena))
TEXT(cpus_socket, limit(C->max_cpus_per_socket, arena))
TEXT(nodes, row->n_nodes ? row->node_text : "(null)")
GET(factor, of_uint(C->priority_job_factor))
GET(tier, of_uint(C->priority_tier))
TEXT(root_only, yes_no(C->root_only))
TEXT(req_resv, yes_no(C->req_resv))
TEXT(share, machine_oversubscribe(row, arena))
TEXT(over_time, over_time(C->over_time_limit, arena))
TEXT(preempt, machine_preempt_mode(row, arena))
TEXT(state, machine_partition_state(row))
GET(cpus, of_uint(row->cpus))
GET(n_nodes, of_uint(row->n_nodes))
TEXT(select, select_text(C->select))
TEXT(job_defaults, C->job_defaults ? C->job_defaults : "(null)")
GET(def_cpu, memory(C->def_mem_per_cpu, C->def_mem_per_node, false, arena))
GET(def_node, memory(C->def_mem_per_node, C->def_mem_per_cpu, true, arena))
GET(max_cpu, memory(C->max_mem_per_cpu, C->max_mem_per_node, false, arena))
GET(max_node, memory(C->max_mem_per_node, C->max_mem_per_cpu, true, arena))
TEXT(tres, row->n_nodes ? machine_partition_tres(row, arena) : "(null)")
GET(weights, some_text(C->billing_weights))

#define CONF(type, member) THROUGH(struct machine_partition, conf,             \
	MEMBER_##type, struct conf_partition, member)
#define LINE .marks = SHOWN_LINE

static const struct member rows[] = {
	{.names = "PartitionName", CONF(TEXT, name)},
	{.names = "AllowGroups", .get = get_groups, LINE},
	{.names = "AllowAccounts", .get = get_allow_accounts},
	{.names = "DenyAccounts", .get = get_deny_accounts},
	{.names = "AllowQos", .get = get_allow_qos},
	{.names = "DenyQos", .get = get_deny_qos},
	{.names = "AllocNodes", .get = get_alloc_nodes, LINE},
	{.names = "Alternate", .get = get_alternate},
	{.names = "Default", .get = get_is_default},
	{.names = "QoS", .get = get_qos},
	{.names = "DefaultTime", .get = get_default_time, LINE},
	{.names = "DisableRootJobs", .get = get_no_root},
	{.names = "Exclusive", .get = get_exclusive},
	{.names = "GraceTime", CONF(COUNT, grace_time)},
	{.names = "Hidden", .get = get_hidden},
	{.names = "MaxNodes", .get = get_max_nodes, LINE},
	{.names = "MaxTime", .get = get_max_time},
	{.names = "MinNodes", CONF(COUNT, min_nodes)},
	{.names = "LLN", .get = get_lln},
	{.names = "MaxCPUsPerNode", .get = get_cpus_node},
	{.names = "MaxCPUsPerSocket", .get = get_cpus_socket},
	{.names = "Nodes", .get = get_nodes, LINE},
	{.names = "PriorityJobFactor", .get = get_factor, LINE},
	{.names = "PriorityTier", .get = get_tier},
	{.names = "RootOnly", .get = get_root_only},
	{.names = "ReqResv", .get = get_req_resv},
	{.names = "OverSubscribe", .get = get_share},
	{.names = "OverTimeLimit", .get = get_over_time, LINE},
	{.names = "PreemptMode", .get = get_preempt},
	{.names = "State", .get = get_state, LINE},
	{.names = "TotalCPUs", .get = get_cpus},
	{.names = "TotalNodes", .get = get_n_nodes},
	{.names = "SelectTypeParameters", .get = get_select},
	{.names = "JobDefaults", .get = get_job_defaults, LINE},
	{.names = "DefMemPerCPU", .get = get_def_cpu, LINE},
	{.names = "DefMemPerNode", .get = get_def_node},
	{.names = "MaxMemPerCPU", .get = get_max_cpu},
	{.names = "MaxMemPerNode", .get = get_max_node},
	{.names = "TRES", .get = get_tres, LINE},
	{.names = "TRESBillingWeights", .get = get_weights, LINE},
};
static const struct members shown = MEMBERS(rows);

/* By name: hidden ones too. */
static void list(struct session *s, const char *name, struct json_doc *doc)
{
	const struct members *documented = &machine_partition_members;
	struct strv names = {0};

	if (name)
		strv_words(&names, s->arena, name);
	for (size_t i = 0; i < names.n; i++) {
		const struct machine_partition *p =
			machine_partition(&s->machine, names.v[i]);

		if (p && p->allowed)
			scontrol_show(s, doc, &shown, documented, p);
		else
			scontrol_missing(s, "Partition", names.v[i]);
	}
	for (size_t i = 0; !name && i < s->machine.n_partitions; i++) {
		const struct machine_partition *p = &s->machine.partitions[i];

		if (p->shown || (s->all && p->allowed))
			scontrol_show(s, doc, &shown, documented, p);
	}
}

void show_partitions(struct session *s, const char *name)
{
	struct json_doc whole, *doc;

	scontrol_load(s);
	doc = scontrol_begin(s, &whole, "partitions");
	if (!doc && !name && !s->machine.n_partitions && !s->quiet)
		puts("No partitions in the system");
	list(s, name, doc);
	scontrol_end(s, doc, NULL);
}
