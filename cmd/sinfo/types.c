/*
 * The columns of sinfo: one row for each type of -O with its letter in -o,
 * heading and getter, in Slurm's order. What only nodes could tell (load, free
 * memory, version) has the text Slurm prints for a node that does not.
 */
#include "cmd/sinfo/sinfo.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"
#include "db/entity/user.h"

/* ---- as text -------------------------------------------------------------*/

static const char *minutes_text(uint32_t minutes, struct arena *arena)
{
	if (minutes == INFINITE)
		return "infinite";
	return minutes == NO_VAL
		       ? "n/a"
		       : duration_short(arena, (uint64_t)minutes * 60);
}

static const char *range_text(struct value_range range, struct arena *arena)
{
	return arena_printf(arena, "%" PRIu64 "%s", range.least,
		range.least == range.most ? "" : "+");
}

/* Exact multiples of 1024 take a unit, as Slurm has it. */
static const char *unit_text(struct value_range range, struct arena *arena)
{
	static const char units[] = "\0KMGTP";
	uint64_t number = range.least;
	size_t unit = 0;

	for (; number && number % 1024 == 0 && unit < 5; unit++)
		number /= 1024;
	return arena_printf(arena, "%" PRIu64 "%.1s%s", number, &units[unit],
		range.least == range.most ? "" : "+");
}

static const char *state_of(const struct row *row, struct arena *arena,
	const char *(*text)(uint32_t, struct arena *))
{
	return row->first ? str_lower(arena, text(row->first->state, arena))
			  : "n/a";
}

static const char *size_text(const struct row *row, struct arena *arena)
{
	const struct conf_partition *p = row->partition->conf;
	uint32_t least = !p->min_nodes && p->max_nodes ? 1 : p->min_nodes;

	if (p->max_nodes == INFINITE)
		return arena_printf(arena, "%" PRIu32 "-infinite", least);
	if (p->max_nodes == least)
		return arena_printf(arena, "%" PRIu32, least);
	return arena_printf(
		arena, "%" PRIu32 "-%" PRIu32, least, p->max_nodes);
}

static const char *user_text(
	const struct row *row, bool with_number, struct arena *arena)
{
	const char *name = row->first ? row->first->reason_user : "";

	if (!*name)
		return "Unknown";
	return with_number ? user_with_number(name, arena) : name;
}

static const char *since_text(const struct row *row, struct arena *arena)
{
	const struct site *site = row->machine->site;

	return time_format(arena, row->first ? row->first->reason_time : 0,
		site->time_format, site->now);
}

static const char *some(const char *text, const char *otherwise)
{
	return text && *text ? text : otherwise;
}

static const char *list_text(const struct strv *words, const char *otherwise,
	struct arena *arena)
{
	return words->n ? strv_join(words, ",", arena) : otherwise;
}

static const char *four(uint32_t a, uint32_t i, uint32_t o, uint32_t t,
	struct arena *arena)
{
	return arena_printf(arena,
		"%" PRIu32 "/%" PRIu32 "/%" PRIu32 "/%" PRIu32, a, i, o, t);
}

static const char *cpus_per_node(const struct row *row, struct arena *arena)
{
	uint32_t most = row->partition->conf->max_cpus_per_node;

	return most == INFINITE ? "UNLIMITED"
				: arena_printf(arena, "%" PRIu32, most);
}

static struct value preempt_words(const struct row *row, struct arena *arena)
{
	struct strv words = {0};

	strv_words(&words, arena, machine_preempt_mode(row->partition, arena));
	return of_words(words, arena);
}

static struct value maybe(const char *text)
{
	return *text ? of_text(text) : no_value();
}

#define PARTITION row->partition->conf
#define FIRST(text, none) (row->first ? (text) : (none))
#define GET(name, expression) GETTER(name, struct row, of_text(expression))
GETTER(mem_alloc, struct row, of_uint(row->mem_alloc))
GET(alloc_nodes, some(PARTITION->alloc_nodes, "all"))
GET(available, str_lower(arena, machine_partition_state(row->partition)))
GET(cluster, row->machine->cluster)
GET(comment, FIRST(some(row->first->comment, "(null)"), ""))
GET(cores, range_text(row->cores, arena))
GET(cpus, unit_text(row->cpus, arena))
GET(cpus_state, four(row->cpus_alloc, row->cpus_idle, row->cpus_other,
			row->cpus_total, arena))
GET(default_time, minutes_text(PARTITION->default_time, arena))
GET(disk, range_text(row->disk, arena))
GET(extra, FIRST(some(row->first->extra, "(null)"), ""))
GET(features, FIRST(list_text(&row->first->conf->features, "(null)", arena), ""))
GET(gres, FIRST(some(row->first->conf->gres_text, "(null)"), ""))
GET(gres_used, FIRST(some(row->first->gres_used, "(null)"), ""))
GET(groups, list_text(&PARTITION->allow_groups, "all", arena))
GET(per_node, cpus_per_node(row, arena))
GET(memory, range_text(row->memory, arena))
GET(address, hostlist_fold(&row->addresses, arena))
GET(nodes_ai, arena_printf(arena, "%" PRIu32 "/%" PRIu32, row->alloc, row->idle))
GET(nodes_aiot,
	four(row->alloc, row->idle, row->other, row->total, arena))
GET(hosts, hostlist_fold(&row->hosts, arena))
GET(names, row->node_text)
GETTER(nodes, struct row, of_uint(row->total))
GET(share, machine_oversubscribe(row->partition, arena))
GET(partition, arena_printf(arena, "%s%s", PARTITION->name,
		       PARTITION->is_default ? "*" : ""))
GET(name, PARTITION->name)
GETTER(port, struct row, of_uint(FIRST(machine_node_port(row->first), 0)))
GET(preempt, machine_preempt_mode(row->partition, arena))
GETTER(factor, struct row, of_uint(PARTITION->priority_job_factor))
GETTER(tier, struct row, of_uint(PARTITION->priority_tier))
GET(reason, FIRST(some(row->first->reason, "none"), "none"))
GET(reservation, FIRST(row->first->reservation, ""))
GET(root, PARTITION->root_only ? "yes" : "no")
GET(size, size_text(row, arena))
GET(sockets, range_text(row->sockets, arena))
GET(sct, arena_printf(arena, "%s:%s:%s", range_text(row->sockets, arena),
		 range_text(row->cores, arena), range_text(row->threads, arena)))
GET(state, state_of(row, arena, node_state_code))
GET(state_complete, state_of(row, arena, node_state_complete))
GET(state_long, state_of(row, arena, node_state_word))
GET(threads, range_text(row->threads, arena))
GET(time, minutes_text(PARTITION->max_time, arena))
GET(since, since_text(row, arena))
GET(user, user_text(row, false, arena))
GET(user_long, user_text(row, true, arena))
GET(weight, range_text(row->weight, arena))

/* What machines want where people get text; the least of nodes that differ. */
GETTER(least_cores, struct row, of_uint(row->cores.least))
GETTER(least_cpus, struct row, of_uint(row->cpus.least))
GETTER(least_disk, struct row, of_uint(row->disk.least))
GETTER(least_memory, struct row, of_uint(row->memory.least))
GETTER(least_sockets, struct row, of_uint(row->sockets.least))
GETTER(least_threads, struct row, of_uint(row->threads.least))
GETTER(least_weight, struct row, of_uint(row->weight.least))
GETTER(plain_default, struct row, of_limit(PARTITION->default_time))
GETTER(plain_per_node, struct row, of_limit(PARTITION->max_cpus_per_node))
GETTER(plain_time, struct row, of_limit(PARTITION->max_time))
GETTER(plain_port, struct row,
	row->first ? of_uint(machine_node_port(row->first)) : no_value())
GETTER(plain_reason, struct row, maybe(FIRST(row->first->reason, "")))
GETTER(plain_reservation, struct row, maybe(FIRST(row->first->reservation, "")))
GETTER(plain_user, struct row, maybe(FIRST(row->first->reason_user, "")))
GETTER(plain_since, struct row, of_time(FIRST(row->first->reason_time, 0)))
GETTER(plain_preempt, struct row, preempt_words(row, arena))
GETTER(plain_root, struct row, of_bool(PARTITION->root_only))

#define TYPE(type, in_o, heading_)                                             \
	.names = (type), .letter = (in_o), .heading = (heading_)

/* clang-format off */
static const struct member types[] = {
	{TYPE("AllocMem", 0, "ALLOCMEM"), .get = get_mem_alloc, .marks = TYPE_NODE, .key = "alloc_memory"},
	{TYPE("AllocNodes", 'S', "ALLOCNODES"), .get = get_alloc_nodes, .key = "allowed_allocation"},
	{TYPE("Available", 'a', "AVAIL"), .get = get_available, .marks = TYPE_PARTITION, .key = "available"},
	{TYPE("Cluster", 'V', "CLUSTER"), .get = get_cluster},
	{TYPE("Comment", 0, "COMMENT"), .get = get_comment, .marks = TYPE_NODE},
	{TYPE("Cores", 'Y', "CORES"), .get = get_cores, .marks = TYPE_SIZE, .key = "cores", .plain = get_least_cores},
	{TYPE("CPUs", 'c', "CPUS"), .get = get_cpus, .marks = TYPE_SIZE, .key = "cpus", .plain = get_least_cpus},
	{TYPE("CPUsLoad", 'O', "CPU_LOAD"), .constant = "N/A", .key = "cpu_load"},
	{TYPE("CPUsState", 'C', "CPUS(A/I/O/T)"), .get = get_cpus_state, .marks = TYPE_SIZE},
	{TYPE("DefaultTime", 'L', "DEFAULTTIME"), .get = get_default_time, .marks = TYPE_PARTITION, .key = "default_time", .plain = get_plain_default},
	{TYPE("Disk", 'd', "TMP_DISK"), .get = get_disk, .marks = TYPE_SIZE, .key = "temporary_disk", .plain = get_least_disk},
	{TYPE("Extra", 0, "EXTRA"), .get = get_extra, .marks = TYPE_NODE},
	{TYPE("Features", 'f', "AVAIL_FEATURES"), .get = get_features, .marks = TYPE_NODE},
	{TYPE("features_act", 'b', "ACTIVE_FEATURES"), .get = get_features, .marks = TYPE_NODE, .key = "active_features"},
	{TYPE("FreeMem", 'e', "FREE_MEM"), .constant = "N/A"},
	{TYPE("Gres", 'G', "GRES"), .get = get_gres, .marks = TYPE_NODE},
	{TYPE("GresUsed", 0, "GRES_USED"), .get = get_gres_used, .marks = TYPE_NODE},
	{TYPE("Groups", 'g', "GROUPS"), .get = get_groups, .marks = TYPE_PARTITION, .key = "allow_groups"},
	{TYPE("MaxCPUsPerNode", 'B', "MAX_CPUS_PER_NODE"), .get = get_per_node,
		.marks = TYPE_PARTITION, .key = "max_cpus_per_node", .plain = get_plain_per_node},
	{TYPE("Memory", 'm', "MEMORY"), .get = get_memory, .marks = TYPE_SIZE, .key = "real_memory", .plain = get_least_memory},
	{TYPE("NodeAddr", 'o', "NODE_ADDR"), .get = get_address,
		.marks = TYPE_NODE | TYPE_WHOLE_HEADING, .key = "address"},
	{TYPE("NodeAI", 'A', "NODES(A/I)"), .get = get_nodes_ai},
	{TYPE("NodeAIOT", 'F', "NODES(A/I/O/T)"), .get = get_nodes_aiot},
	{TYPE("NodeHost", 'n', "HOSTNAMES"), .get = get_hosts,
		.marks = TYPE_NODE | TYPE_NAMES | TYPE_WHOLE_HEADING, .key = "hostname"},
	{TYPE("NodeList", 'N', "NODELIST"), .get = get_names,
		.marks = TYPE_NAMES | TYPE_WHOLE_HEADING},
	{TYPE("Nodes", 'D', "NODES"), .get = get_nodes},
	{TYPE("OverSubscribe", 'h', "OVERSUBSCRIBE"), .get = get_share, .marks = TYPE_PARTITION},
	{TYPE("Partition", 'P', "PARTITION"), .get = get_partition,
		.marks = TYPE_PARTITION | TYPE_NAME, .key = "partition", .plain = get_name},
	{TYPE("PartitionName", 'R', "PARTITION"), .get = get_name,
		.marks = TYPE_PARTITION | TYPE_NAME, .key = "partition"},
	{TYPE("Port", 0, "PORT"), .get = get_port, .marks = TYPE_SIZE, .key = "port", .plain = get_plain_port},
	{TYPE("PreemptMode", 'M', "PREEMPT_MODE"), .get = get_preempt, .marks = TYPE_PARTITION,
		.plain = get_plain_preempt},
	{TYPE("PriorityJobFactor", 'I', "PRIO_JOB_FACTOR"), .get = get_factor,
		.marks = TYPE_PARTITION},
	{TYPE("PriorityTier", 'p', "PRIO_TIER"), .get = get_tier, .marks = TYPE_PARTITION},
	{TYPE("Reason", 'E', "REASON"), .get = get_reason, .marks = TYPE_NODE, .key = "reason", .plain = get_plain_reason},
	{TYPE("Reservation", 'i', "RESERVATION"), .get = get_reservation, .marks = TYPE_NODE, .key = "reservation", .plain = get_plain_reservation},
	{TYPE("Root", 'r', "ROOT"), .get = get_root, .marks = TYPE_PARTITION, .key = "root_only", .plain = get_plain_root},
	{TYPE("Share", 0, "OVERSUBSCRIBE"), .get = get_share,
		.marks = TYPE_PARTITION | MEMBER_HIDDEN},
	{TYPE("Size", 's', "JOB_SIZE"), .get = get_size, .marks = TYPE_PARTITION, .key = "job_size"},
	{TYPE("Sockets", 'X', "SOCKETS"), .get = get_sockets, .marks = TYPE_SIZE, .key = "sockets", .plain = get_least_sockets},
	{TYPE("SocketCoreThread", 'z', "S:C:T"), .get = get_sct, .marks = TYPE_SIZE},
	{TYPE("StateCompact", 't', "STATE"), .get = get_state, .marks = TYPE_NODE, .key = "state"},
	{TYPE("StateComplete", 0, "STATECOMPLETE"), .get = get_state_complete, .marks = TYPE_NODE, .key = "state_complete"},
	{TYPE("StateLong", 'T', "STATE"), .get = get_state_long, .marks = TYPE_NODE, .key = "state"},
	{TYPE("Threads", 'Z', "THREADS"), .get = get_threads, .marks = TYPE_SIZE, .key = "threads", .plain = get_least_threads},
	{TYPE("Time", 'l', "TIMELIMIT"), .get = get_time, .marks = TYPE_PARTITION, .key = "time_limit", .plain = get_plain_time},
	{TYPE("TimeStamp", 'H', "TIMESTAMP"), .get = get_since, .marks = TYPE_NODE, .key = "reason_changed_at", .plain = get_plain_since},
	{TYPE("User", 'u', "USER"), .get = get_user, .marks = TYPE_NODE, .key = "reason_set_by_user", .plain = get_plain_user},
	{TYPE("UserLong", 'U', "USER"), .get = get_user_long, .marks = TYPE_NODE, .key = "reason_set_by_user", .plain = get_plain_user},
	{TYPE("Version", 'v', "VERSION"), .constant = "N/A"},
	{TYPE("Weight", 'w', "WEIGHT"), .get = get_weight, .marks = TYPE_SIZE, .key = "weight", .plain = get_least_weight},
};
/* clang-format on */
const struct members sinfo_types = MEMBERS(types);
