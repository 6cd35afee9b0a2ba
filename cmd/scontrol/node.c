/*
 * scontrol show node.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"

static const char *when(const struct machine_node *node, struct arena *arena)
{
	const struct site *site = node->machine->site;

	return time_format(
		arena, node->reason_time, site->time_format, site->now);
}

static struct value reason(const struct machine_node *node, struct arena *arena)
{
	if (!*node->reason)
		return no_value();
	if (!node->reason_time)
		return of_text(node->reason);
	return of_text(arena_printf(arena, "%s [%s@%s]", node->reason,
		*node->reason_user ? node->reason_user : "Unknown",
		when(node, arena)));
}

#define C row->conf
#define GET(name, expression) GETTER(name, struct machine_node, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
TEXT(features, or_null_text(strv_join(&C->features, ",", arena)))
TEXT(gres, or_null_text(C->gres_text))
GET(some, some_text(member_raw(m, row, arena).text))
GET(port, some_text(C->port))
TEXT(state, node_state_complete(row->state, arena))
GET(partitions, some_text(strv_join(&row->partitions, ",", arena)))
TEXT(tres, machine_node_tres(row, arena))
TEXT(used, machine_node_tres_used(row, arena))
GET(reason, reason(row, arena))

#define AT(member) .offset = offsetof(struct machine_node, member)
#define SOME .get = get_some, .type = MEMBER_TEXT
#define CONF(type, member) THROUGH(struct machine_node, conf,                  \
	MEMBER_##type, struct conf_node, member)
#define LINE .marks = SHOWN_LINE

/* What only a node itself could tell is as of one that never did. */
static const struct member rows[] = {
	{.names = "NodeName", CONF(TEXT, name)},
	{.names = "CoresPerSocket", CONF(COUNT, cores)},
	{.names = "CPUAlloc", .type = MEMBER_COUNT, AT(cpus_alloc), LINE},
	{.names = "CPUEfctv", CONF(COUNT, cpus)},
	{.names = "CPUTot", CONF(COUNT, cpus)},
	{.names = "CPULoad", .constant = "N/A"},
	{.names = "AvailableFeatures", .get = get_features, LINE},
	{.names = "ActiveFeatures", .get = get_features, LINE},
	{.names = "Gres", .get = get_gres, LINE},
	{.names = "GresUsed", SOME, AT(gres_used),
		.marks = SHOWN_LINE | SHOWN_DETAIL},
	{.names = "NodeAddr", CONF(TEXT, address), LINE},
	{.names = "NodeHostName", CONF(TEXT, host)},
	{.names = "Port", .get = get_port},
	{.names = "RealMemory", CONF(COUNT64, real_memory), LINE},
	{.names = "AllocMem", .type = MEMBER_COUNT64, AT(mem_alloc)},
	{.names = "FreeMem", .constant = "N/A"},
	{.names = "Sockets", CONF(COUNT, sockets)},
	{.names = "Boards", CONF(COUNT, boards)},
	{.names = "State", .get = get_state, LINE},
	{.names = "ThreadsPerCore", CONF(COUNT, threads)},
	{.names = "TmpDisk", CONF(COUNT, tmp_disk)},
	{.names = "Weight", CONF(COUNT, weight)},
	{.names = "Owner", .constant = "N/A"},
	{.names = "MCS_label", .constant = "N/A"},
	{.names = "Partitions", .get = get_partitions, LINE},
	{.names = "BootTime", .constant = "None", LINE},
	{.names = "SlurmdStartTime", .constant = "None"},
	{.names = "LastBusyTime", .constant = "Unknown", LINE},
	{.names = "ResumeAfterTime", .constant = "None"},
	{.names = "CfgTRES", .get = get_tres, LINE},
	{.names = "AllocTRES", .get = get_used, LINE},
	{.names = "CurrentWatts", .constant = "n/a", LINE},
	{.names = "AveWatts", .constant = "n/a"},
	{.names = "Reason", .get = get_reason, LINE},
	{.names = "Comment", SOME, AT(comment), LINE},
	{.names = "Extra", SOME, AT(extra), LINE},
	{.names = "InstanceId", SOME, AT(instance_id), LINE},
	{.names = "InstanceType", SOME, AT(instance_type)},
	{.names = "ReservationName", SOME, AT(reservation), LINE},
};
static const struct members shown = MEMBERS(rows);

static bool is_future(const struct machine_node *node)
{
	return (node->state & NODE_BASE_MASK) == NODE_FUTURE;
}

static void list(struct session *s, const char *name, struct json_doc *doc)
{
	const struct members *documented = &machine_node_members;
	struct strv names = {0};

	if (name && hostlist_expand(name, s->arena, &names, &s->err))
		cli_die(&s->err);
	for (size_t i = 0; i < names.n; i++) {
		const struct machine_node *node =
			machine_node(&s->machine, names.v[i]);

		if (node && s->machine.n_nodes)
			scontrol_show(s, doc, &shown, documented, node);
		else
			scontrol_missing(s, "Node", names.v[i]);
	}
	for (size_t i = 0; !name && i < s->machine.n_nodes; i++)
		if (s->future || !is_future(&s->machine.nodes[i]))
			scontrol_show(s, doc, &shown, documented,
				&s->machine.nodes[i]);
}

void show_nodes(struct session *s, const char *name)
{
	struct json_doc whole, *doc;

	scontrol_load(s);
	doc = scontrol_begin(s, &whole, "nodes");
	if (!doc && !name && !s->machine.n_nodes && !s->quiet)
		puts("No nodes in the system");
	list(s, name, doc);
	scontrol_end(s, doc, NULL);
}
