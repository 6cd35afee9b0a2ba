/*
 * sinfo -S: keys from the left; rows equal in all of them keep their order.
 */
#include "cmd/sinfo/sinfo.h"

#include <string.h>

#include "common/table/sort.h"

/* ---- what is compared ----------------------------------------------------*/

#define PARTITION row->partition->conf
#define GET(name, expression) GETTER(name, struct row, expression)
GET(place, of_uint(row->partition->index))
GET(name, of_text(PARTITION->name))
GET(state, of_uint(row->first ? row->first->state : 0))
GET(available, of_uint(PARTITION->state))
GET(nodes_ai, of_uint((uint64_t)row->alloc << 32 | row->idle))
GET(cpus, of_uint(row->cpus.least))
GET(disk, of_uint(row->disk.least))
GET(nodes, of_uint(row->total))
GET(since, of_uint(row->first ? (uint64_t)row->first->reason_time : 0))
GET(time, of_uint(PARTITION->max_time))
GET(memory, of_uint(row->memory.least))
GET(names, of_text(row->names.n ? row->names.v[0] : ""))
GET(hosts, of_text(row->hosts.n ? row->hosts.v[0] : ""))
GET(address, of_text(row->addresses.n ? row->addresses.v[0] : ""))
GET(tier, of_uint(PARTITION->priority_tier))
GET(factor, of_uint(PARTITION->priority_job_factor))
GET(root, of_uint(PARTITION->root_only))
GET(size, of_uint((uint64_t)PARTITION->min_nodes << 32 | PARTITION->max_nodes))
GET(weight, of_uint(row->weight.least))
GET(sockets, of_uint(row->sockets.least))
GET(cores, of_uint(row->cores.least))
GET(threads, of_uint(row->threads.least))
GET(sct, of_uint(row->sockets.least << 32 | row->cores.least << 16 |
		 row->threads.least))

static const struct member own[] = {
	{.letter = 'a', .get = get_available},
	{.letter = 'A', .get = get_nodes_ai},
	{.letter = 'c', .get = get_cpus},
	{.letter = 'd', .get = get_disk},
	{.letter = 'D', .get = get_nodes},
	{.letter = 'F', .get = get_nodes_ai},
	{.letter = 'H', .get = get_since},
	{.letter = 'l', .get = get_time},
	{.letter = 'm', .get = get_memory},
	{.letter = 'n', .get = get_hosts},
	{.letter = 'N', .get = get_names},
	{.letter = 'o', .get = get_address},
	{.letter = 'p', .get = get_tier},
	{.letter = 'P', .get = get_name},
	{.letter = 'r', .get = get_root},
	{.letter = 'R', .get = get_name},
	{.letter = 's', .get = get_size},
	{.letter = 'S', .get = get_factor},
	{.letter = 't', .get = get_state},
	{.letter = 'T', .get = get_state},
	{.letter = 'w', .get = get_weight},
	{.letter = 'X', .get = get_sockets},
	{.letter = 'Y', .get = get_cores},
	{.letter = 'z', .get = get_sct},
	{.letter = 'Z', .get = get_threads},
};
static const struct member by_place = {.get = get_place};

static const struct sorting_letters letters = {
	MEMBERS(own), &sinfo_types, "bEfghMuUV"};

void sinfo_sort(struct rows *rows, const char *text)
{
	struct sorting by = {.order = offsetof(struct row, order),
		.texts = strverscmp};

	for (const char *c = text; *c; c++) {
		char before = c > text ? c[-1] : ',';
		bool place = before == '#' && (*c == 'P' || *c == 'R');

		sorting_add(&by,
			place ? &by_place : sorting_letter(&letters, *c),
			before == '-');
	}
	sorting_run(&by, rows->v, rows->n, sizeof(*rows->v));
}
