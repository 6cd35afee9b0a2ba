/*
 * The choice of nodes against a slow one of its own (slow_select.h), on random
 * nodes with gaps, weights, GPUs and nodes that were named, random requests,
 * ranges and every rule: the same nodes, as many CPUs on each.
 */
#include <stdlib.h>
#include <string.h>

#include "slow_select.h"
#include "tests/unit/unit.h"

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static bool one_in(uint32_t n)
{
	return below(n) == 0;
}

static size_t random_nodes(struct select_node *nodes)
{
	size_t n = 1 + below(one_in(4) ? SLOW_NODES : 12);
	bool equal = one_in(3), weights = one_in(3), gpus = one_in(3);
	bool named = one_in(5);
	uint32_t place = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t size = equal ? 8 : 1 + below(16);

		place += one_in(4) ? 2 + below(3) : 1;
		nodes[i] = (struct select_node){
			.index = place,
			.size = size,
			.free = size,
			.weight = weights ? below(3) : 0,
			.gpus = gpus ? below(4) : 0,
			.required = named && one_in(5),
			.free_at = below(4),
		};
		nodes[i].idle = one_in(2);
		if (!nodes[i].idle)
			nodes[i].free = 1 + below(size);
		nodes[i].cpus =
			one_in(4) ? 1 + below(nodes[i].free) : nodes[i].free;
	}
	return n;
}

static void random_job(struct select_job *job, struct select_range *range)
{
	uint32_t least = 1 + below(one_in(3) ? 8 : 3);
	uint32_t most = one_in(3) ? least : least + below(12);

	*job = (struct select_job){
		.tasks = 1 + below(one_in(4) ? 100 : 16),
		.cpus_per_task = one_in(3) ? 1 + below(4) : 1,
		.tasks_per_node = one_in(5) ? 1 + below(4) : 0,
		.most_asked = one_in(2) ? most : 0,
		.whole = one_in(5),
		.gpus = one_in(4) ? 1 + below(8) : 0,
	};
	job->cpus = job->tasks * job->cpus_per_task;
	*range = (struct select_range){
		least, one_in(4) ? UINT32_MAX : most, one_in(2) ? most : least};
}

static void same_choice(void **state)
{
	static const enum select_rule rules[] = {SELECT_CONSECUTIVE,
		SELECT_CONSECUTIVE, SELECT_LEAST_LOADED, SELECT_LAST,
		SELECT_BUSY, SELECT_LOWEST, SELECT_FREE_LAST};
	const char *cases = getenv("CASES");
	uint32_t n_cases = cases ? (uint32_t)strtoul(cases, NULL, 10) : 20000;
	size_t found = 0;

	for (uint32_t which = 1; which <= n_cases; which++) {
		struct select_node nodes[SLOW_NODES], slow[SLOW_NODES];
		struct select_job job;
		struct select_range range;
		enum select_rule rule = rules[which % 7];
		bool any, slowly;
		size_t n;

		seed = which;
		n = random_nodes(nodes);
		random_job(&job, &range);
		memcpy(slow, nodes, sizeof(slow));
		any = select_nodes(&job, &range, rule, nodes, n);
		slowly = slow_select(&job, &range, rule, slow, n);
		if (any != slowly)
			fail_msg("%u, rule %d: %d, slowly %d", which, (int)rule,
				any, slowly);
		if (!any)
			continue;
		found++;
		for (size_t i = 0; i < n; i++)
			if (!nodes[i].got != !slow[i].got)
				fail_msg("%u, rule %d: node %zu: %u, slowly %u",
					which, (int)rule, i, nodes[i].got,
					slow[i].got);
		memcpy(nodes, slow, sizeof(slow));
		select_lay_out(&job, nodes, n);
		slow_lay_out(&job, slow, n);
		for (size_t i = 0; i < n; i++)
			if (nodes[i].got != slow[i].got)
				fail_msg("%u: node %zu has %u, slowly %u",
					which, i, nodes[i].got, slow[i].got);
	}
	assert_in_range(found, n_cases / 5, n_cases);
}

static void same_room(void **state)
{
	for (seed = 1; seed < 20000; seed += 7) {
		uint32_t start = seed;
		struct select_range range;
		struct select_job job;
		struct select_left left;
		uint32_t fast, slow;

		random_job(&job, &range);
		job.mem_of_cpu = one_in(2);
		job.mem = one_in(2) ? below(40) : 0;
		job.per_task = one_in(4) ? 1 + below(2) : 0;
		left = (struct select_left){
			.cpus = below(17),
			.cpus_of_partition = below(8),
			.most = one_in(2) ? UINT32_MAX : below(12),
			.mem = one_in(3) ? UINT64_MAX : below(100),
			.gpus = below(6),
			.empty = one_in(2),
		};
		fast = select_room(&job, &left);
		slow = slow_room(&job, &left);
		if (fast != slow)
			fail_msg("%u: %u, slowly %u", start, fast, slow);
		seed = start;
	}
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(same_room),
	cmocka_unit_test(same_choice))
