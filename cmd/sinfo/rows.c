/*
 * The rows of sinfo: nodes of a partition that are equal in every
 * distinguishing column share one row.
 */
#include "cmd/sinfo/sinfo.h"

#include <string.h>

#include "common/text/hostlist.h"

/* ---- which nodes ---------------------------------------------------------*/

static bool in_state(const struct state_asked *asked, const struct machine_node *node)
{
	uint32_t state = node->state;

	switch (asked->state) {
	case NODE_DRAIN:
		return state & NODE_DRAIN;
	case NODE_DRAIN | NODE_ALLOCATED:
		return node_state_draining(state);
	case NODE_DRAIN | NODE_IDLE:
		return node_state_drained(state);
	case NODE_ALLOCATED:
		return node->cpus_alloc;
	default:
		return asked->state & ~(uint32_t)NODE_BASE_MASK
			       ? (state & asked->state) != 0
			       : (state & NODE_BASE_MASK) == asked->state;
	}
}

static bool passes_states(const struct options *o, const struct machine_node *node)
{
	bool match = o->any_state;

	for (size_t i = 0; i < o->n_states && !o->any_state; i++) {
		match = in_state(&o->states[i], node) != o->states[i].not;
		if (match != o->every_state)
			break;
	}
	return match || !o->states_text;
}

static bool passes(const struct options *o, const struct machine_node *node)
{
	bool silent = node->state & NODE_NO_RESPOND;

	if (o->nodes.text && !strv_has(&o->nodes.words, node->conf->name))
		return false;
	if ((node->state & NODE_BASE_MASK) == NODE_FUTURE && !o->future)
		return false;
	if ((o->dead && !silent) || (o->responding && silent))
		return false;
	return passes_states(o, node);
}

static bool is_shown(const struct options *o, const struct machine_partition *p)
{
	if (o->partitions.text)
		return p->allowed &&
		       strv_has(&o->partitions.words, p->conf->name);
	return p->shown || (o->all && p->allowed);
}

/* ---- which row -----------------------------------------------------------*/

static bool same_cell(const struct member *type, const struct row *a,
	const struct row *b, struct arena *scratch)
{
	struct value x = member_value(type, a, scratch);
	struct value y = member_value(type, b, scratch);

	return x.type == VALUE_TEXT ? !strcmp(x.text, y.text)
				    : x.number == y.number;
}

/* A row without nodes takes the first. */
static bool fits(const struct row *row, const struct row *alone,
	const struct options *o, const struct format *format,
	struct arena *scratch)
{
	unsigned apart = o->exact ? TYPE_NODE | TYPE_SIZE : TYPE_NODE;

	for (size_t i = 0; i < format->n; i++) {
		const struct member *type = format->v[i].type;

		if (!type)
			continue;
		if ((type->marks & TYPE_PARTITION) && !o->reasons &&
			row->partition != alone->partition &&
			!same_cell(type, row, alone, scratch))
			return false;
		if ((type->marks & apart) && row->total &&
			!same_cell(type, row, alone, scratch))
			return false;
	}
	return true;
}

static void widen(struct value_range *range, struct value_range by, bool first)
{
	if (first || by.least < range->least)
		range->least = by.least;
	if (first || by.most > range->most)
		range->most = by.most;
}

static bool is_other(uint32_t state)
{
	return (state & NODE_DRAIN) || (state & NODE_BASE_MASK) == NODE_DOWN;
}

static void count(struct row *row, const struct machine_node *node)
{
	uint32_t base = node->state & NODE_BASE_MASK;
	uint32_t rest = node->conf->cpus - node->cpus_alloc;

	if (base == NODE_ALLOCATED || base == NODE_MIXED ||
		(node->state & NODE_COMPLETING))
		row->alloc++;
	else if (is_other(node->state))
		row->other++;
	else
		row->idle++;
	row->total++;
	row->cpus_alloc += node->cpus_alloc;
	row->cpus_total += node->conf->cpus;
	if (is_other(node->state))
		row->cpus_other += rest;
	else
		row->cpus_idle += rest;
}

/* A row of this one node. */
static struct row row_of(const struct machine_partition *p,
	const struct machine_node *node, struct arena *arena)
{
	const struct conf_node *conf = node->conf;
	struct row row = {
		.machine = p->machine,
		.partition = p,
		.first = node,
		.cpus = {conf->cpus, conf->cpus},
		.sockets = {conf->sockets, conf->sockets},
		.cores = {conf->cores, conf->cores},
		.threads = {conf->threads, conf->threads},
		.disk = {conf->tmp_disk, conf->tmp_disk},
		.memory = {conf->real_memory, conf->real_memory},
		.weight = {conf->weight, conf->weight},
		.mem_alloc = node->mem_alloc,
		.node_text = "",
	};

	strv_push(&row.names, arena, conf->name);
	strv_push(&row.hosts, arena, conf->host);
	strv_push(&row.addresses, arena, conf->address);
	count(&row, node);
	return row;
}

static void merge(struct row *row, const struct row *alone, struct arena *arena)
{
	bool first = !row->total;

	if (first)
		row->first = alone->first;
	widen(&row->cpus, alone->cpus, first);
	widen(&row->sockets, alone->sockets, first);
	widen(&row->cores, alone->cores, first);
	widen(&row->threads, alone->threads, first);
	widen(&row->disk, alone->disk, first);
	widen(&row->memory, alone->memory, first);
	widen(&row->weight, alone->weight, first);
	row->mem_alloc = alone->mem_alloc;
	strv_push(&row->names, arena, alone->names.v[0]);
	strv_push(&row->hosts, arena, alone->hosts.v[0]);
	strv_push(&row->addresses, arena, alone->addresses.v[0]);
	count(row, alone->first);
}

static struct row *push(
	struct rows *rows, const struct row *row, struct arena *arena)
{
	struct row *new = ARENA_PUSH(arena, rows->v, rows->n, rows->cap);

	*new = *row;
	new->order = rows->n - 1;
	return new;
}

/* Nodes of a partition follow each other: the last rows first. A row has a node
 * once, however many of its partitions lead there. */
static void add_node(struct rows *rows, const struct row *alone,
	const struct options *o, const struct format *format,
	struct arena *arena, struct arena *scratch)
{
	for (size_t i = rows->n; i-- && !o->by_node;) {
		struct row *row = &rows->v[i];

		arena_reset(scratch);
		if (!fits(row, alone, o, format, scratch))
			continue;
		if (row->partition == alone->partition ||
			!strv_has(&row->names, alone->first->conf->name))
			merge(row, alone, arena);
		return;
	}
	push(rows, alone, arena);
}

static void add_partition(struct rows *rows, const struct options *o,
	const struct format *format, const struct machine_partition *p,
	struct arena *arena, struct arena *scratch)
{
	for (size_t i = 0; i < p->n_nodes; i++)
		if (passes(o, p->nodes[i])) {
			struct row alone = row_of(p, p->nodes[i], arena);

			add_node(rows, &alone, o, format, arena, scratch);
		}
}

void sinfo_rows(struct rows *rows, const struct options *o,
	const struct format *format, const struct machine *machine,
	struct arena *arena)
{
	struct arena scratch;

	arena_init(&scratch);
	for (size_t i = 0; i < machine->n_partitions; i++) {
		const struct machine_partition *p = &machine->partitions[i];
		const struct row empty = {
			.machine = machine, .partition = p, .node_text = ""};

		if (is_shown(o, p) && !o->by_node &&
			format_has(format, TYPE_NAME))
			push(rows, &empty, arena);
	}
	for (size_t i = 0; i < machine->n_partitions; i++)
		if (is_shown(o, &machine->partitions[i]) &&
			!machine->nodes_private)
			add_partition(rows, o, format, &machine->partitions[i],
				arena, &scratch);
	for (size_t i = 0; i < rows->n; i++)
		rows->v[i].node_text = hostlist_fold(&rows->v[i].names, arena);
	arena_release(&scratch);
}
