/*
 * A row for machines, in the layout of Slurm's `sinfo` records
 * (data_parser/v0.0.45, as far as slurm.conf and store have the facts).
 */
#include "cmd/sinfo/sinfo.h"

#include "common/base/numbers.h"

static struct value states_of(const struct row *row, struct arena *arena)
{
	struct strv words = {0};

	node_state_list(row->first ? row->first->state : 0, arena, &words);
	return of_words(words, arena);
}

static struct value partition_of(const struct row *row, struct arena *arena)
{
	struct value_records *records = arena_alloc(arena, sizeof(*records));
	const void **v = arena_array(arena, 1, sizeof(*v));

	v[0] = row->partition;
	*records = (struct value_records){&machine_partition_members, v, 1};
	return (struct value){VALUE_RECORD, {.records = records}};
}

#define FIRST(member) (row->first ? row->first->member : "")
#define GET(name, expression) GETTER(name, struct row, expression)
GET(state, states_of(row, arena))
GET(cpus_node, of_limit(row->partition->conf->max_cpus_per_node))
GET(port, of_uint(row->first ? machine_node_port(row->first) : 0))
GET(features, of_text(row->first
		? strv_join(&row->first->conf->features, ",", arena) : ""))
GET(gres, of_text(row->first && row->first->conf->gres_text
		? row->first->conf->gres_text : ""))
GET(gres_used, of_text(FIRST(gres_used)))
GET(comment, of_text(FIRST(comment)))
GET(extra, of_text(FIRST(extra)))
GET(reason, of_text(FIRST(reason)))
GET(user, of_text(FIRST(reason_user)))
GET(since, of_uint(row->first ? (uint64_t)row->first->reason_time : 0))
GET(reservation, of_text(FIRST(reservation)))
GET(partition, partition_of(row, arena))

#define MEMBER(type_, member, path)                                            \
	{.type = MEMBER_##type_, .offset = offsetof(struct row, member),       \
		.json = (path)}
#define COUNT(member, path) MEMBER(COUNT, member, path)
#define SIZE(member, path) MEMBER(COUNT64, member, path)

static const struct member rows[] = {
	{.json = "port", .get = get_port},
	{.json = "node/state", .get = get_state},
	COUNT(alloc, "nodes/allocated"),
	COUNT(idle, "nodes/idle"),
	COUNT(other, "nodes/other"),
	COUNT(total, "nodes/total"),
	MEMBER(WORDS, hosts, "nodes/hostnames"),
	MEMBER(WORDS, addresses, "nodes/addresses"),
	MEMBER(WORDS, names, "nodes/nodes"),
	COUNT(cpus_alloc, "cpus/allocated"),
	COUNT(cpus_idle, "cpus/idle"),
	COUNT(cpus_other, "cpus/other"),
	COUNT(cpus_total, "cpus/total"),
	SIZE(cpus.least, "cpus/minimum"),
	SIZE(cpus.most, "cpus/maximum"),
	{.json = "cpus/load/minimum", SAME_UINT(0)},
	{.json = "cpus/load/maximum", SAME_UINT(0)},
	{.json = "cpus/per_node/max", .get = get_cpus_node},
	SIZE(sockets.least, "sockets/minimum"),
	SIZE(sockets.most, "sockets/maximum"),
	SIZE(cores.least, "cores/minimum"),
	SIZE(cores.most, "cores/maximum"),
	SIZE(threads.least, "threads/minimum"),
	SIZE(threads.most, "threads/maximum"),
	SIZE(disk.least, "disk/minimum"),
	SIZE(disk.most, "disk/maximum"),
	SIZE(memory.least, "memory/minimum"),
	SIZE(memory.most, "memory/maximum"),
	{.json = "memory/free/minimum", SAME_LIMIT(NO_VAL)},
	{.json = "memory/free/maximum", SAME_LIMIT(NO_VAL)},
	SIZE(mem_alloc, "memory/allocated"),
	SIZE(weight.least, "weight/minimum"),
	SIZE(weight.most, "weight/maximum"),
	{.json = "features/total", .get = get_features},
	{.json = "features/active", .get = get_features},
	{.json = "gres/total", .get = get_gres},
	{.json = "gres/used", .get = get_gres_used},
	{.json = "cluster", THROUGH(struct row, machine, MEMBER_TEXT,
		struct machine, cluster)},
	{.json = "comment", .get = get_comment},
	{.json = "extra", .get = get_extra},
	{.json = "reason/description", .get = get_reason},
	{.json = "reason/time", .get = get_since},
	{.json = "reason_set_by_user", .get = get_user},
	{.json = "reservation", .get = get_reservation},
	{.json = "resource_spec/cpus", .constant = ""},
	{.json = "resource_spec/memory", SAME_UINT(0)},
	{.json = "partition", .get = get_partition},
};

struct json_object *row_record(const void *of, struct arena *arena)
{
	static const struct members all = MEMBERS(rows);
	const struct row *row = of;
	struct json_object *record = json_record();

	json_put_members(record, &all, row, arena,
		&row->machine->site->store.tres);
	return record;
}
