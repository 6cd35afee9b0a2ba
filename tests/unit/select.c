/*
 * Which nodes a job gets of those that have room, rule by rule.
 */
#include <string.h>

#include "common/select/select.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"

enum { NODES = 8 };

/* CPUs of the nodes that could be had, 0: none. */
struct nodes {
	uint32_t cpus[NODES];
	uint32_t size[NODES]; /* 0: 16 */
	uint32_t weight[NODES];
	uint64_t gpus[NODES];
	bool busy[NODES], required[NODES];
};

struct asked {
	struct select_job job;
	struct select_range range;
	enum select_rule rule;
};

static size_t fill(const struct nodes *from, struct select_node *nodes)
{
	size_t n = 0;

	for (uint32_t i = 0; i < NODES; i++) {
		if (!from->cpus[i])
			continue;
		nodes[n++] = (struct select_node){
			.index = i,
			.cpus = from->cpus[i],
			.free = from->cpus[i],
			.size = from->size[i] ? from->size[i] : 16,
			.weight = from->weight[i],
			.gpus = from->gpus[i],
			.idle = !from->busy[i],
			.required = from->required[i],
		};
	}
	return n;
}

/* What the job gets: CPUs of each node; false: nothing. */
static bool get(struct asked asked, const struct nodes *from, uint32_t *got)
{
	struct select_node nodes[NODES], chosen[NODES];
	size_t n = fill(from, nodes), kept = 0;

	memset(got, 0, NODES * sizeof(*got));
	if (!asked.job.cpus_per_task)
		asked.job.cpus_per_task = 1;
	if (!select_nodes(&asked.job, &asked.range, asked.rule, nodes, n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (nodes[i].got)
			chosen[kept++] = nodes[i];
	select_lay_out(&asked.job, chosen, kept);
	for (size_t i = 0; i < kept; i++)
		got[chosen[i].index] = chosen[i].got;
	return true;
}

#define GETS(asked, from, ...)                                                 \
	do {                                                                   \
		const uint32_t wanted[NODES] = {__VA_ARGS__};                  \
		uint32_t got[NODES];                                           \
		assert_true(get(asked, from, got));                            \
		assert_memory_equal(got, wanted, sizeof(got));                 \
	} while (0)

#define GETS_NOTHING(asked, from)                                              \
	do {                                                                   \
		uint32_t got[NODES];                                           \
		assert_false(get(asked, from, got));                           \
	} while (0)

static struct asked exactly(uint32_t nodes, uint32_t tasks)
{
	return (struct asked){
		.job = {.cpus = tasks, .tasks = tasks, .most_asked = nodes},
		.range = {nodes, nodes, nodes}};
}

static struct asked tasks_only(uint32_t tasks)
{
	return (struct asked){
		.job = {.cpus = tasks, .tasks = tasks, .most_asked = tasks},
		.range = {1, tasks, 1}};
}

/* -N3 -n12: a CPU for each further node is kept. */
static void test_layout(void **state)
{
	struct nodes all = {.cpus = {16, 16, 16}};
	struct nodes part = {.cpus = {6, 13, 16}};

	GETS(exactly(3, 12), &all, 10, 1, 1);
	GETS(exactly(2, 18), &all, 16, 2);
	GETS(exactly(3, 30), &part, 6, 13, 11);
	GETS_NOTHING(exactly(3, 36), &part);
}

/* -n without -N takes pieces of nodes, but rather one node. */
static void test_pieces(void **state)
{
	struct nodes halves = {.cpus = {8, 8, 8}};
	struct nodes one = {.cpus = {8, 12, 16}};

	GETS(tasks_only(24), &halves, 8, 8, 8);
	GETS_NOTHING(tasks_only(25), &halves);
	GETS(tasks_only(12), &one, 0, 12);
	GETS(tasks_only(13), &one, 0, 0, 13);
	GETS(tasks_only(30), &one, 8, 12, 10);
	GETS_NOTHING(exactly(1, 12), &halves);
}

/* One node: the first that does, not the tightest. */
static void test_one(void **state)
{
	struct nodes nodes = {.cpus = {16, 12, 16}};
	struct nodes heavy = {.cpus = {16, 16, 16}, .weight = {5, 3, 3}};

	GETS(exactly(1, 12), &nodes, 12);
	GETS(exactly(1, 12), &heavy, 0, 12);
}

/* Of runs of nodes the one that fits best, or the largest. */
static void test_consecutive(void **state)
{
	struct nodes runs = {.cpus = {16, 16, 16, 0, 16, 16, 0, 16}};

	GETS(exactly(2, 32), &runs, 0, 0, 0, 0, 16, 16);
	GETS(exactly(3, 48), &runs, 16, 16, 16);
	GETS(exactly(4, 64), &runs, 16, 16, 16, 0, 0, 0, 0, 16);
	GETS(exactly(5, 80), &runs, 16, 16, 16, 0, 16, 16);
}

static void test_weights(void **state)
{
	struct nodes nodes = {.cpus = {8, 8, 16, 16, 32},
		.size = {8, 8, 16, 16, 32},
		.weight = {9, 9, 1, 1, 5}};

	GETS(tasks_only(32), &nodes, 0, 0, 16, 16);
	GETS(tasks_only(40), &nodes, 0, 0, 16, 16, 8);
}

/* Small nodes go when with them the most nodes would not do. */
static void test_most(void **state)
{
	struct nodes nodes = {.cpus = {2, 2, 10, 0, 16, 16}};
	struct asked two = exactly(2, 26);

	GETS(two, &nodes, 0, 0, 0, 0, 16, 10);
	two.job.cpus = two.job.tasks = 33;
	GETS_NOTHING(two, &nodes);
}

/* -N1-3 wants three, takes fewer. */
static void test_range(void **state)
{
	struct asked asked = {.job = {.cpus = 4, .tasks = 4, .most_asked = 3},
		.range = {2, 3, 3}};
	struct nodes two = {.cpus = {0, 16, 16}},
		     three = {.cpus = {16, 16, 16}};

	GETS(asked, &two, 0, 3, 1);
	GETS(asked, &three, 2, 1, 1);
}

static void test_required(void **state)
{
	struct nodes nodes = {
		.cpus = {16, 16, 0, 16, 16, 16}, .required = {[4] = true}};

	GETS(exactly(1, 4), &nodes, 0, 0, 0, 0, 4);
	GETS(exactly(2, 32), &nodes, 0, 0, 0, 0, 16, 16);
	GETS(exactly(3, 48), &nodes, 0, 0, 0, 16, 16, 16);
}

static void test_tasks_per_node(void **state)
{
	struct asked asked = exactly(2, 12);
	struct nodes nodes = {.cpus = {5, 8, 0, 6, 16}};

	asked.job.tasks_per_node = 6;
	GETS(asked, &nodes, 0, 0, 0, 6, 6);
}

static void test_other_rules(void **state)
{
	struct asked asked = tasks_only(10);
	struct nodes nodes = {.cpus = {4, 12, 6, 16},
		.size = {4, 16, 16, 32},
		.busy = {false, true, false, true}};

	asked.rule = SELECT_BUSY;
	GETS(asked, &nodes, 0, 10);
	asked.rule = SELECT_LAST;
	GETS(asked, &nodes, 0, 0, 0, 10);
}

/* Nodes of equal size: of the emptiest no more is counted than the last one
 * could give, so that two are taken for what lies on one. */
static void test_least_loaded(void **state)
{
	struct asked asked = tasks_only(16);
	struct nodes nodes = {.cpus = {4, 16, 8}};
	struct nodes light = {.cpus = {4, 16, 16}, .weight = {1, 2, 2}};

	asked.rule = SELECT_LEAST_LOADED;
	GETS(asked, &nodes, 0, 15, 1);
	GETS(asked, &light, 4, 12);
	asked.job.cpus = asked.job.tasks = 29;
	GETS_NOTHING(asked, &nodes);
}

/* GPUs of the whole job lie wherever there are some. */
static void test_gpus(void **state)
{
	struct asked asked = tasks_only(4);
	struct nodes nodes = {.cpus = {16, 16, 16, 16}, .gpus = {1, 1, 2, 2}};

	asked.job.gpus = 3;
	GETS(asked, &nodes, 2, 1, 1);
	asked.job.gpus = 7;
	GETS_NOTHING(asked, &nodes);
}

/* ---- what a node could give ----------------------------------------------*/

static void test_room(void **state)
{
	struct select_left left = {.cpus = 16,
		.most = UINT32_MAX,
		.mem = 1000,
		.empty = true};
	struct select_job job = {.cpus = 24, .tasks = 24, .cpus_per_task = 1};

	assert_int_equal(select_room(&job, &left), 16);
	job.cpus_per_task = 3;
	assert_int_equal(select_room(&job, &left), 15);
	job.mem = 100;
	job.mem_of_cpu = true;
	assert_int_equal(select_room(&job, &left), 9);
	job.mem_of_cpu = false;
	job.mem = 1001;
	assert_int_equal(select_room(&job, &left), 0);
	job.mem = 1000;
	job.tasks_per_node = 6;
	assert_int_equal(select_room(&job, &left), 0);
	job.tasks_per_node = 5;
	assert_int_equal(select_room(&job, &left), 15);
}

/* MaxCPUsPerNode counts what jobs of the partition have there. */
static void test_room_of_partition(void **state)
{
	struct select_left left = {.cpus = 10,
		.cpus_of_partition = 4,
		.most = 6,
		.mem = UINT64_MAX};
	struct select_job job = {.cpus = 24, .tasks = 24, .cpus_per_task = 1};

	assert_int_equal(select_room(&job, &left), 2);
	left.cpus_of_partition = 6;
	assert_int_equal(select_room(&job, &left), 0);
	left.most = UINT32_MAX;
	assert_int_equal(select_room(&job, &left), 10);
	job.whole = true;
	assert_int_equal(select_room(&job, &left), 0);
	left.empty = true;
	assert_int_equal(select_room(&job, &left), 10);
	job.most_asked = 1;
	assert_int_equal(select_room(&job, &left), 0);
}

/* ---- random ones, by trying every set of nodes ---------------------------*/

static size_t count_of(unsigned set)
{
	return (size_t)__builtin_popcount(set);
}

/* Does any set of nodes do, however it is found? */
static bool any_does(const struct asked *asked, const struct nodes *from)
{
	for (unsigned set = 1; set < 1u << NODES; set++) {
		uint32_t cpus = 0;
		bool all = count_of(set) >= asked->range.least &&
			   count_of(set) <= asked->range.most;

		for (size_t i = 0; i < NODES; i++) {
			if (set >> i & 1)
				cpus += from->cpus[i];
			all &= !(set >> i & 1) || from->cpus[i];
			all &= !from->required[i] || set >> i & 1;
		}
		if (all && cpus >= asked->job.cpus)
			return true;
	}
	return false;
}

static void check(const struct asked *asked, const struct nodes *from)
{
	uint32_t got[NODES], cpus = 0, nodes = 0;
	bool found = get(*asked, from, got);

	assert_int_equal(found, any_does(asked, from));
	for (size_t i = 0; i < NODES; i++) {
		assert_true(got[i] <= from->cpus[i]);
		assert_true(!found || !from->required[i] || got[i]);
		cpus += got[i];
		nodes += got[i] > 0;
	}
	assert_true(!found || cpus == asked->job.cpus);
	assert_true(!found || (nodes >= asked->range.least &&
				      nodes <= asked->range.most));
}

/* What is found is right, and what is not found is nowhere. */
static void test_random(void **state)
{
	seed = 1;
	for (int round = 0; round < 20000; round++) {
		struct nodes nodes = {0};
		uint32_t least = 1 + chance(3), more = chance(4), tasks;
		struct asked asked;

		for (size_t i = 0; i < NODES; i++) {
			nodes.cpus[i] = chance(3) ? chance(17) : 0;
			nodes.weight[i] = chance(3) ? 1 : chance(3);
		}
		tasks = least + chance(60);
		asked = (struct asked){.job = {.cpus = tasks,
					       .tasks = tasks,
					       .most_asked = least + more},
			.range = {least, least + more, least}};
		if (!chance(4)) {
			size_t named = chance(NODES);

			nodes.required[named] = nodes.cpus[named] > 0;
		}
		check(&asked, &nodes);
	}
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_layout),
	cmocka_unit_test(test_pieces),
	cmocka_unit_test(test_one),
	cmocka_unit_test(test_consecutive),
	cmocka_unit_test(test_weights),
	cmocka_unit_test(test_most),
	cmocka_unit_test(test_range),
	cmocka_unit_test(test_required),
	cmocka_unit_test(test_tasks_per_node),
	cmocka_unit_test(test_other_rules),
	cmocka_unit_test(test_least_loaded),
	cmocka_unit_test(test_gpus),
	cmocka_unit_test(test_random),
	cmocka_unit_test(test_room),
	cmocka_unit_test(test_room_of_partition))
