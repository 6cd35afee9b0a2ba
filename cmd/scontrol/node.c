/*
 * scontrol show node.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"

static struct value some(const char *text)
{
	return text && *text ? of_text(text) : no_value();
}

static const char *or_null(const char *text)
{
	return text && *text ? text : "(null)";
}

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
TEXT(name, C->name)
GET(cores, of_uint(C->cores))
GET(alloc, of_uint(row->cpus_alloc))
GET(cpus, of_uint(C->cpus))
TEXT(features, or_null(strv_join(&C->features, ",", arena)))
TEXT(gres, or_null(C->gres_text))
GET(gres_used, some(row->gres_used))
TEXT(address, C->address)
TEXT(host, C->host)
GET(port, some(C->port))
GET(memory, of_uint(C->real_memory))
GET(mem_alloc, of_uint(row->mem_alloc))
GET(sockets, of_uint(C->sockets))
GET(boards, of_uint(C->boards))
TEXT(state, node_state_complete(row->state, arena))
GET(threads, of_uint(C->threads))
GET(disk, of_uint(C->tmp_disk))
GET(weight, of_uint(C->weight))
GET(partitions, some(strv_join(&row->partitions, ",", arena)))
TEXT(tres, machine_node_tres(row, arena))
TEXT(used, machine_node_tres_used(row, arena))
GET(reason, reason(row, arena))
GET(comment, some(row->comment))
GET(extra, some(row->extra))
GET(instance_id, some(row->instance_id))
GET(instance_type, some(row->instance_type))
GET(reservation, some(row->reservation))

#define LINE .marks = SHOWN_LINE

/* What only a node itself could tell is as of one that never did. */
static const struct member rows[] = {
	{.names = "NodeName", .get = get_name},
	{.names = "CoresPerSocket", .get = get_cores},
	{.names = "CPUAlloc", .get = get_alloc, LINE},
	{.names = "CPUEfctv", .get = get_cpus},
	{.names = "CPUTot", .get = get_cpus},
	{.names = "CPULoad", .constant = "N/A"},
	{.names = "AvailableFeatures", .get = get_features, LINE},
	{.names = "ActiveFeatures", .get = get_features, LINE},
	{.names = "Gres", .get = get_gres, LINE},
	{.names = "GresUsed", .get = get_gres_used,
		.marks = SHOWN_LINE | SHOWN_DETAIL},
	{.names = "NodeAddr", .get = get_address, LINE},
	{.names = "NodeHostName", .get = get_host},
	{.names = "Port", .get = get_port},
	{.names = "RealMemory", .get = get_memory, LINE},
	{.names = "AllocMem", .get = get_mem_alloc},
	{.names = "FreeMem", .constant = "N/A"},
	{.names = "Sockets", .get = get_sockets},
	{.names = "Boards", .get = get_boards},
	{.names = "State", .get = get_state, LINE},
	{.names = "ThreadsPerCore", .get = get_threads},
	{.names = "TmpDisk", .get = get_disk},
	{.names = "Weight", .get = get_weight},
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
	{.names = "Comment", .get = get_comment, LINE},
	{.names = "Extra", .get = get_extra, LINE},
	{.names = "InstanceId", .get = get_instance_id, LINE},
	{.names = "InstanceType", .get = get_instance_type},
	{.names = "ReservationName", .get = get_reservation, LINE},
};
static const struct members shown = MEMBERS(rows);

static bool is_future(const struct machine_node *node)
{
	return (node->state & NODE_BASE_MASK) == NODE_FUTURE;
}

static void show(struct session *s, const struct machine_node *node,
	struct json_doc *doc)
{
	scontrol_show(s, doc, &shown, &machine_node_members, node);
}

static void list(struct session *s, const char *name, struct json_doc *doc)
{
	struct strv names = {0};

	if (name && hostlist_expand(name, s->arena, &names, &s->err))
		cli_die(&s->err);
	for (size_t i = 0; i < names.n; i++) {
		const struct machine_node *node =
			machine_node(&s->machine, names.v[i]);

		if (node && s->machine.n_nodes)
			show(s, node, doc);
		else
			scontrol_missing(s, "Node", names.v[i]);
	}
	for (size_t i = 0; !name && i < s->machine.n_nodes; i++)
		if (s->future || !is_future(&s->machine.nodes[i]))
			show(s, &s->machine.nodes[i], doc);
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
