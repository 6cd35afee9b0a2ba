/*
 * What the core makes of a cluster without a store: what its nodes have, the
 * association tree row by row, the priorities of a job in its partitions and
 * QOS, and whose rows a caller sees.
 */
#include <string.h>

#include "common/base/numbers.h"
#include "common/conf/privacy.h"
#include "common/conf/totals.h"
#include "common/fair/jobprio.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

enum { NOW = 1700000000, GPU = 1001, A100 = 1002, MATLAB = 1003 };

static struct tres known[] = {
	{TRES_CPU, "cpu", ""},
	{TRES_MEM, "mem", ""},
	{TRES_NODE, "node", ""},
	{TRES_BILLING, "billing", ""},
	{GPU, "gres", "gpu"},
	{A100, "gres", "gpu:a100"},
	{MATLAB, "license", "matlab"},
};
static const struct tres_catalog catalog = {
	known, sizeof(known) / sizeof(*known)};

static struct conf conf_of_lines(const char *const *lines)
{
	struct strv more = {0};
	struct conf conf;
	struct err err;

	for (; *lines; lines++)
		strv_push(&more, &arena, *lines);
	if (conf_load_with(&conf, NULL, &more, &arena, &err))
		fail_msg("%s", err.text);
	return conf;
}

static struct conf two_partitions(void)
{
	static const char *const lines[] = {
		"PriorityType=priority/multifactor",
		"PriorityWeightPartition=1000",
		"PriorityWeightQOS=100",
		"GresTypes=gpu",
		"Licenses=matlab:5,Upper:2",
		"NodeName=n[1-2] CPUs=4 RealMemory=1000 Gres=gpu:a100:2",
		"NodeName=n3 CPUs=8",
		"PartitionName=low Nodes=n[1-3] PriorityJobFactor=1 PriorityTier=1",
		"PartitionName=high Nodes=n[1-2] PriorityJobFactor=2 "
		"PriorityTier=5",
		NULL,
	};

	return conf_of_lines(lines);
}

static void nodes_have(void **state)
{
	struct conf conf = two_partitions();
	struct tres_list all = {0}, high = {0};

	totals_of(&all, &conf, NULL, &catalog, &arena);
	totals_of(&high, &conf, conf_partition_by_name(&conf, "high"),
		&catalog, &arena);
	assert_int_equal(tres_list_get(&all, TRES_CPU), 16);
	assert_int_equal(tres_list_get(&all, TRES_NODE), 3);
	assert_int_equal(tres_list_get(&high, TRES_CPU), 8);
	assert_int_equal(tres_list_get(&high, TRES_MEM), 2000);
	assert_int_equal(tres_list_get(&high, TRES_NODE), 2);
	assert_int_equal(tres_list_get(&high, GPU), 4);
	assert_int_equal(tres_list_get(&high, A100), 4);
	assert_int_equal(tres_list_get(&high, MATLAB), 5);
}

/* root - a (50) - ann, ben; root - b, which has a priority of its own. */
static struct shares small_tree(const struct policy *policy)
{
	static const struct share_row rows[] = {
		{1, 0, 1, 1, INFINITE, "/"},
		{2, 1, 2, 3, INFINITE, "/a/"},
		{3, 2, 3, 1, INFINITE, "/a/0-ann/"},
		{4, 2, 4, 1, 7, "/a/0-ben/"},
		{5, 1, 5, 1, 50, "/b/"},
		{6, 5, 6, 1, INFINITE, "/b/0-ann/"},
	};
	struct shares shares = {.cluster = "c", .cluster_key = 1};
	struct shares_tree tree;

	shares_begin(&tree, &shares, 6, &arena);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		shares_add(&tree, &rows[i]);
	shares.tree.usage_own[2] = 30;
	shares.tree.usage_own[3] = 10;
	shares.tree.usage_own[5] = 5;
	shares_finish(&shares, policy, &arena);
	return shares;
}

static void tree_of_rows(void **state)
{
	struct conf conf = two_partitions();
	struct shares shares = small_tree(&conf.policy);
	struct shares_index *index = shares_index(&shares, &arena);

	assert_int_equal(shares.n, 6);
	assert_int_equal(shares.users, 3);
	assert_int_equal(shares.max_priority, 50);
	assert_int_equal(shares.usage_raw[0], 45);
	assert_int_equal(shares.usage_raw[1], 40);
	assert_int_equal(shares.tree.parent[5], 4);
	assert_int_equal(shares.v[5].priority, 50); /* its account's */
	assert_true(shares.v[2].priority == INFINITE);
	assert_ptr_equal(shares.v[2].account, shares.v[1].account);
	assert_int_equal(shares_find(index, 4), 3);
	assert_true(shares_find(index, 9) == UINT32_MAX);
}

static struct jobprio prepared(struct conf *conf)
{
	static struct qos five = {.id = 1, .name = "five", .priority = 5};
	static struct qos ten = {.id = 2, .name = "ten", .priority = 10};
	static struct qos *qos[] = {&five, &ten};
	struct jobprio prio = {
		.context = {.policy = &conf->policy, .now = NOW},
		.conf = conf,
		.tres = &catalog,
		.shares = small_tree(&conf->policy),
		.qos = {qos, 2, 2},
	};
	struct err err;

	if (jobprio_prepare(&prio, &arena, &err))
		fail_msg("%s", err.text);
	return prio;
}

static struct job pending(void)
{
	struct job job;

	job_init(&job);
	job.id = 1;
	job.submit = job.eligible = NOW - 60;
	job.assoc = 3;
	job.user = "ann";
	job.account = "a";
	job.partition = "low,high";
	job.qos_req = "five,ten";
	return job;
}

static void rows_of_a_job(void **state)
{
	static const struct {
		const char *partition, *qos;
		uint32_t priority;
	} want[] = {
		{"high", "ten", 1100},
		{"high", "five", 1050},
		{"low", "ten", 600},
		{"low", "five", 550},
	};
	struct conf conf = two_partitions();
	struct jobprio prio = prepared(&conf);
	struct job job = pending();
	struct jobprio_rows rows = {0};

	assert_int_equal(prio.context.cpus, 16);
	jobprio_rows(&prio, &job, &arena, &rows);
	assert_int_equal(rows.n, 4);
	for (size_t i = 0; i < rows.n; i++) {
		assert_string_equal(rows.v[i].partition, want[i].partition);
		assert_string_equal(rows.v[i].qos, want[i].qos);
		assert_int_equal(
			rows.v[i].result.priority, want[i].priority);
	}
	assert_int_equal(jobprio_highest(&prio, &job, &arena), 1100);
}

static void which_jobs_compete(void **state)
{
	struct conf conf = two_partitions();
	struct jobprio prio = prepared(&conf);
	struct job job = pending();

	assert_true(jobprio_listed(&prio, &job));
	job.eligible = NOW + 1;
	assert_false(jobprio_listed(&prio, &job));
	job.eligible = NOW;
	job.hold = HOLD_USER;
	assert_false(jobprio_listed(&prio, &job));
	assert_int_equal(jobprio_highest(&prio, &job, &arena), 0);
}

static void rows_a_caller_sees(void **state)
{
	struct privacy open = {0}, privacy;
	struct strv accounts = {0}, words = {0};

	strv_push(&accounts, &arena, "bio");
	privacy_restrict(&privacy, "ann", &accounts, &arena);
	assert_true(privacy_allows(&open, "ben", "phys"));
	assert_true(privacy_allows(&privacy, "Ann", "phys"));
	assert_true(privacy_allows(&privacy, "ben", "BIO"));
	assert_false(privacy_allows(&privacy, "ben", "phys"));
	privacy_foreign_words(&privacy, "job 12 of ben (bio), ann: typed.",
		"typed", &arena, &words);
	assert_string_equal(strv_join(&words, " ", &arena), "job 12 of ben");
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(nodes_have),
	cmocka_unit_test(tree_of_rows),
	cmocka_unit_test(rows_of_a_job),
	cmocka_unit_test(which_jobs_compete),
	cmocka_unit_test(rows_a_caller_sees))
