/*
 * Fair share: worked examples digit for digit, a
 * second and naive Fair Tree to compare with, properties on random trees.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/fair/fairshare.h"
#include "tests/unit/unit.h"

enum { MAX_NODES = 3000 };

static const enum fairshare_algorithm all_algorithms[] = {
	FAIRSHARE_FAIR_TREE,
	FAIRSHARE_CLASSIC,
	FAIRSHARE_DEPTH_OBLIVIOUS,
};

/* One line of an example. `up`: the name of the account above. */
struct row {
	const char *name, *up;
	uint32_t shares;
	bool is_user;
	double usage;
	/* Six digits each as sshare prints them; NULL: not in the table. */
	const char *s, *ue, *level_fs, *f;
};

static uint32_t find(const struct row *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].name, name))
			return (uint32_t)i;
	fail_msg("no row %s", name);
	return 0;
}

static void load(struct fs_node *nodes, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		nodes[i] = (struct fs_node){
			.parent = i ? find(rows, n, rows[i].up) : FS_NO_PARENT,
			.shares_raw = rows[i].shares,
			.is_user = rows[i].is_user,
			.usage_own = rows[i].usage,
		};
}

static uint32_t compute(struct fs_node *nodes, size_t n,
	enum fairshare_algorithm algorithm, uint16_t dampening)
{
	struct arena scratch;
	uint32_t users;

	arena_init(&scratch);
	users = fairshare_compute(nodes, n, algorithm, dampening, &scratch);
	arena_release(&scratch);
	return users;
}

static void expect(
	const char *name, const char *what, long double got, const char *want)
{
	char text[64];

	if (!want)
		return;
	snprintf(text, sizeof(text), "%.6Lf", got);
	if (strcmp(text, want))
		fail_msg("%s: %s is %s, want %s", name, what, text, want);
}

static void check_rows(const struct row *rows, size_t n,
	enum fairshare_algorithm algorithm, uint16_t dampening)
{
	struct fs_node nodes[32];

	assert_true(n <= LENGTH(nodes));
	load(nodes, rows, n);
	compute(nodes, n, algorithm, dampening);
	for (size_t i = 0; i < n; i++) {
		const struct row *r = &rows[i];

		expect(r->name, "S", nodes[i].shares_norm, r->s);
		expect(r->name, "UE", nodes[i].usage_efctv, r->ue);
		expect(r->name, "LevelFS", nodes[i].level_fs, r->level_fs);
		expect(r->name, "F", nodes[i].fairshare, r->f);
	}
}

#define USER true
#define ACCOUNT false
#define PARENT SHARES_PARENT
#define NOT_SHOWN "4294967294.000000"

static void fair_tree_with_ties(void **state)
{
	static const struct row rows[] = {
		{"root", NULL, 1, ACCOUNT, 0, "0.000000", "1.000000", NOT_SHOWN,
			"0.000000"},
		{"root/root", "root", 0, USER, 0, "0.000000", "0.000000",
			"0.000000", "0.100000"},
		{"u1", "root", 1, USER, 100, "0.166667", "0.294118", "0.566667",
			"0.600000"},
		{"acca", "root", 1, ACCOUNT, 0, "0.166667", "0.294118",
			"0.566667", NULL},
		{"a1", "acca", 3, USER, 50, "0.750000", "0.500000", "1.500000",
			"0.600000"},
		{"a2", "acca", 1, USER, 50, "0.250000", "0.500000", "0.500000",
			"0.400000"},
		{"accb", "root", 1, ACCOUNT, 0, "0.166667", "0.294118",
			"0.566667", NULL},
		{"b1", "accb", 2, USER, 50, "0.500000", "0.500000", "1.000000",
			"0.400000"},
		{"b2", "accb", 2, USER, 50, "0.500000", "0.500000", "1.000000",
			"0.400000"},
		{"accc", "root", PARENT, ACCOUNT, 0, "0.000000", "0.029412",
			NOT_SHOWN, NULL},
		{"c1", "accc", 1, USER, 10, "0.166667", "0.029412", "5.666667",
			"0.900000"},
		{"c2", "accc", PARENT, USER, 0, "0.000000", "0.000000", "inf",
			"1.000000"},
		{"accd", "root", 2, ACCOUNT, 0, "0.333333", "0.088235",
			"3.777778", NULL},
		{"d1", "accd", PARENT, USER, 0, "0.333333", "0.000000", "inf",
			"0.800000"},
		{"d2", "accd", 1, USER, 30, "1.000000", "1.000000", "1.000000",
			"0.700000"},
	};

	check_rows(rows, LENGTH(rows), FAIRSHARE_FAIR_TREE, 1);
}

static void ties_are_told(void **state)
{
	static const struct row rows[] = {
		{"root", NULL, 1, ACCOUNT, 0, NULL, NULL, NULL, NULL},
		{"u1", "root", 1, USER, 100, NULL, NULL, NULL, NULL},
		{"a", "root", 1, ACCOUNT, 0, NULL, NULL, NULL, NULL},
		{"a1", "a", 3, USER, 50, NULL, NULL, NULL, NULL},
		{"a2", "a", 1, USER, 50, NULL, NULL, NULL, NULL},
	};
	static const struct {
		bool tied;
		uint32_t rank, visit;
	} want[] = {{0, 0, 0}, {0, 3, 1}, {1, 0, 2}, {1, 3, 3}, {0, 1, 4}};
	struct fs_node nodes[LENGTH(rows)];

	load(nodes, rows, LENGTH(rows));
	assert_int_equal(
		compute(nodes, LENGTH(rows), FAIRSHARE_FAIR_TREE, 1), 3);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(nodes[i].tied, want[i].tied);
		assert_int_equal(nodes[i].rank, want[i].rank);
		assert_int_equal(nodes[i].visit, want[i].visit);
	}
}

/* `none`, empty and best below `low`, ties with `some`: s1 takes the rank of
 * t1, who stands above all of `low`. */
static void empty_account_passes_its_tie_on(void **state)
{
	static const struct row rows[] = {
		{"root", NULL, 1, ACCOUNT, 0, NULL, NULL, NULL, NULL},
		{"third", "root", 1, USER, 0, NULL, NULL, "inf", "1.000000"},
		{"low", "root", 1, ACCOUNT, 0, NULL, NULL, "0.370370", NULL},
		{"used", "low", 1, USER, 90, NULL, NULL, "0.333333",
			"0.250000"},
		{"none", "low", 1, ACCOUNT, 0, NULL, NULL, "inf", NULL},
		{"some", "low", 1, ACCOUNT, 0, NULL, NULL, "inf", NULL},
		{"s1", "some", 1, USER, 0, NULL, NULL, "inf", "0.750000"},
		{"top", "root", 1, ACCOUNT, 0, NULL, NULL, "3.333333", NULL},
		{"t1", "top", 1, USER, 10, NULL, NULL, "1.000000", "0.750000"},
	};

	check_rows(rows, LENGTH(rows), FAIRSHARE_FAIR_TREE, 1);
}

/* The tree of spec 3.2; user root has `root_shares`. */
#define CLASSIC_TREE(root_shares, ...)                                         \
	{"root", NULL, 1, ACCOUNT, 0, NULL, NULL, NULL, NULL},                 \
	{                                                                      \
		"root/root", "root", root_shares, USER, 0, __VA_ARGS__         \
	}

static void fair_tree_of_the_classic_example(void **state)
{
	static const struct row rows[] = {
		CLASSIC_TREE(1, NULL, NULL, "inf", "1.000000"),
		{"A", "root", 40, ACCOUNT, 0, NULL, NULL, "0.880088", NULL},
		{"B", "A", 30, ACCOUNT, 0, NULL, NULL, "1.687500", NULL},
		{"user1", "B", 1, USER, 20, NULL, NULL, "1.000000", "0.571429"},
		{"C", "A", 10, ACCOUNT, 0, NULL, NULL, "0.450000", NULL},
		{"user2", "C", 1, USER, 25, NULL, NULL, "0.500000", "0.285714"},
		{"user3", "C", 1, USER, 0, NULL, NULL, "inf", "0.428571"},
		{"D", "root", 60, ACCOUNT, 0, NULL, NULL, "2.376238", NULL},
		{"E", "D", 25, ACCOUNT, 0, NULL, NULL, "0.416667", NULL},
		{"user4", "E", 1, USER, 25, NULL, NULL, "1.000000", "0.714286"},
		{"F", "D", 35, ACCOUNT, 0, NULL, NULL, "inf", NULL},
		{"user5", "F", 1, USER, 0, NULL, NULL, "inf", "0.857143"},
		{"G", "root", 0, ACCOUNT, 0, NULL, NULL, "0.000000", NULL},
		{"user6", "G", 0, USER, 30, NULL, NULL, "0.000000", "0.142857"},
	};

	check_rows(rows, LENGTH(rows), FAIRSHARE_FAIR_TREE, 1);
}

static void classic_example(void **state)
{
	static const struct row rows[] = {
		CLASSIC_TREE(0, "0.000000", "0.000000", NULL, "0.000000"),
		{"A", "root", 40, ACCOUNT, 0, "0.400000", "0.450000", NULL,
			NULL},
		{"B", "A", 30, ACCOUNT, 0, "0.300000", "0.387500", NULL, NULL},
		{"user1", "B", 1, USER, 20, "0.300000", "0.387500", NULL,
			"0.408479"},
		{"C", "A", 10, ACCOUNT, 0, "0.100000", "0.300000", NULL, NULL},
		{"user2", "C", 1, USER, 25, "0.050000", "0.275000", NULL,
			"0.022097"},
		{"user3", "C", 1, USER, 0, "0.050000", "0.150000", NULL,
			"0.125000"},
		{"D", "root", 60, ACCOUNT, 0, "0.600000", "0.250000", NULL,
			NULL},
		{"E", "D", 25, ACCOUNT, 0, "0.250000", "0.250000", NULL, NULL},
		{"user4", "E", 1, USER, 25, "0.250000", "0.250000", NULL,
			"0.500000"},
		{"F", "D", 35, ACCOUNT, 0, "0.350000", "0.145833", NULL, NULL},
		{"user5", "F", 1, USER, 0, "0.350000", "0.145833", NULL,
			"0.749154"},
		{"G", "root", 0, ACCOUNT, 0, "0.000000", "0.300000", NULL,
			NULL},
		{"user6", "G", 0, USER, 30, "0.000000", "0.300000", NULL,
			"0.000000"},
	};
	static const char *const dampened[LENGTH(rows)] = {
		[4] = "0.836053",
		[6] = "0.466516",
		[7] = "0.659754",
		[10] = "0.870551",
		[12] = "0.943874",
		[14] = "0.000000",
	};
	struct fs_node nodes[LENGTH(rows)];

	assert_int_equal(LENGTH(rows), 15);
	check_rows(rows, LENGTH(rows), FAIRSHARE_CLASSIC, 1);
	load(nodes, rows, LENGTH(rows));
	compute(nodes, LENGTH(rows), FAIRSHARE_CLASSIC, 5);
	for (size_t i = 0; i < LENGTH(rows); i++)
		expect(rows[i].name, "F (d=5)", nodes[i].fairshare,
			dampened[i]);
}

static void depth_oblivious_example(void **state)
{
	static const struct row rows[] = {
		CLASSIC_TREE(0, NULL, NULL, NULL, NULL),
		{"A", "root", 40, ACCOUNT, 0, NULL, "0.450000", NULL, NULL},
		{"B", "A", 30, ACCOUNT, 0, NULL, "0.228848", NULL, NULL},
		{"user1", "B", 1, USER, 20, NULL, "0.228848", NULL, "0.589340"},
		{"C", "A", 10, ACCOUNT, 0, NULL, "0.250000", NULL, NULL},
		{"user2", "C", 1, USER, 25, NULL, "0.250000", NULL, "0.031250"},
		{"user3", "C", 1, USER, 0, NULL, "0.000000", NULL, "1.000000"},
		{"D", "root", 60, ACCOUNT, 0, NULL, "0.250000", NULL, NULL},
		{"E", "D", 25, ACCOUNT, 0, NULL, "0.108790", NULL, NULL},
		{"user4", "E", 1, USER, 25, NULL, "0.108790", NULL, "0.739613"},
		{"F", "D", 35, ACCOUNT, 0, NULL, "0.000000", NULL, NULL},
		{"user5", "F", 1, USER, 0, NULL, "0.000000", NULL, "1.000000"},
		{"G", "root", 0, ACCOUNT, 0, NULL, "0.300000", NULL, NULL},
		{"user6", "G", 0, USER, 30, NULL, "0.300000", NULL, "0.000000"},
	};
	static const struct {
		const char *name, *rp, *rl, *k;
	} terms[] = {
		{"B", "1.125000", "0.592593", "0.742489"},
		{"user1", "0.762828", "1.000000", "1.000000"},
		{"C", "1.125000", "2.222222", "1.000000"},
		{"user2", "2.500000", "2.000000", "1.000000"},
		{"E", "0.416667", "2.400000", "0.049600"},
		{"user4", "0.435158", "1.000000", "1.000000"},
	};
	struct fs_node nodes[LENGTH(rows)];

	check_rows(rows, LENGTH(rows), FAIRSHARE_DEPTH_OBLIVIOUS, 1);
	load(nodes, rows, LENGTH(rows));
	compute(nodes, LENGTH(rows), FAIRSHARE_DEPTH_OBLIVIOUS, 1);
	for (size_t i = 0; i < LENGTH(terms); i++) {
		size_t at = find(rows, LENGTH(rows), terms[i].name);
		struct fs_oblivious o = fairshare_oblivious(nodes, at);

		assert_true(o.applies);
		expect(terms[i].name, "Rp", o.ratio_p, terms[i].rp);
		expect(terms[i].name, "rl", o.ratio_l, terms[i].rl);
		expect(terms[i].name, "k", o.k, terms[i].k);
	}
	assert_false(fairshare_oblivious(nodes, 0).applies);
	assert_false(fairshare_oblivious(nodes, 2).applies);
	assert_false(fairshare_oblivious(nodes, 7).applies);
}

/* Spec 3.4: one tree with marks on both levels, three tables. */
static void marks_fair_tree(void **state)
{
	static const struct row rows[] = {
		{"root", NULL, 1, ACCOUNT, 0, "0.000000", "1.000000", NULL,
			NULL},
		{"root/root", "root", 0, USER, 0, "0.000000", "0.000000",
			"0.000000", "0.125000"},
		{"u1", "root", PARENT, USER, 25, "0.000000", "0.125000", "inf",
			"1.000000"},
		{"p", "root", 10, ACCOUNT, 0, "0.222222", "0.300000",
			"0.740741", NULL},
		{"b1", "p", 3, USER, 30, "0.750000", "0.500000", "1.500000",
			"0.500000"},
		{"q", "p", PARENT, ACCOUNT, 0, "0.222222", "0.500000",
			NOT_SHOWN, NULL},
		{"a1", "q", 1, USER, 10, "0.250000", "0.166667", "1.500000",
			"0.500000"},
		{"a2", "q", PARENT, USER, 20, "0.222222", "0.333333", "inf",
			"0.625000"},
		{"r", "root", 30, ACCOUNT, 0, "0.666667", "0.200000",
			"3.333333", NULL},
		{"b2", "r", 1, USER, 40, "1.000000", "1.000000", "1.000000",
			"0.750000"},
		{"s", "root", PARENT, ACCOUNT, 0, "0.000000", "0.375000",
			NOT_SHOWN, NULL},
		{"c1", "s", 5, USER, 50, "0.111111", "0.250000", "0.444444",
			"0.250000"},
		{"c2", "s", PARENT, USER, 25, "0.000000", "0.125000", "inf",
			"1.000000"},
	};

	check_rows(rows, LENGTH(rows), FAIRSHARE_FAIR_TREE, 1);
}

static void marks_classic(void **state)
{
	static const struct row rows[] = {
		{"root", NULL, 1, ACCOUNT, 0, "1.000000", "1.000000", NULL,
			NULL},
		{"root/root", "root", 0, USER, 0, "0.000000", "0.000000", NULL,
			"0.000000"},
		{"u1", "root", PARENT, USER, 25, "1.000000", "0.125000", NULL,
			"0.500000"},
		{"p", "root", 10, ACCOUNT, 0, "0.222222", "0.300000", NULL,
			NULL},
		{"b1", "p", 3, USER, 30, "0.166667", "0.262500", NULL,
			"0.335643"},
		{"q", "p", PARENT, ACCOUNT, 0, "0.222222", "0.300000", NULL,
			NULL},
		{"a1", "q", 1, USER, 10, "0.055556", "0.112500", NULL,
			"0.245705"},
		{"a2", "q", PARENT, USER, 20, "0.222222", "0.300000", NULL,
			"0.392292"},
		{"r", "root", 30, ACCOUNT, 0, "0.666667", "0.200000", NULL,
			NULL},
		{"b2", "r", 1, USER, 40, "0.666667", "0.200000", NULL,
			"0.812252"},
		{"s", "root", PARENT, ACCOUNT, 0, "1.000000", "0.375000", NULL,
			NULL},
		{"c1", "s", 5, USER, 50, "0.111111", "0.250000", NULL,
			"0.210224"},
		{"c2", "s", PARENT, USER, 25, "1.000000", "0.125000", NULL,
			"0.500000"},
	};

	check_rows(rows, LENGTH(rows), FAIRSHARE_CLASSIC, 1);
}

static void marks_depth_oblivious(void **state)
{
	static const struct row rows[] = {
		{"root", NULL, 1, ACCOUNT, 0, NULL, "1.000000", NULL, NULL},
		{"root/root", "root", 0, USER, 0, NULL, "0.000000", NULL,
			"0.000000"},
		{"u1", "root", PARENT, USER, 25, NULL, "0.125000", NULL,
			"0.500000"},
		{"p", "root", 10, ACCOUNT, 0, NULL, "0.300000", NULL, NULL},
		{"b1", "p", 3, USER, 30, NULL, "0.225000", NULL, "0.392292"},
		{"q", "p", PARENT, ACCOUNT, 0, NULL, "0.300000", NULL, NULL},
		{"a1", "q", 1, USER, 10, NULL, "0.075000", NULL, "0.392292"},
		{"a2", "q", PARENT, USER, 20, NULL, "0.300000", NULL,
			"0.392292"},
		{"r", "root", 30, ACCOUNT, 0, NULL, "0.200000", NULL, NULL},
		{"b2", "r", 1, USER, 40, NULL, "0.200000", NULL, "0.812252"},
		{"s", "root", PARENT, ACCOUNT, 0, NULL, "0.375000", NULL, NULL},
		{"c1", "s", 5, USER, 50, NULL, "0.250000", NULL, "0.210224"},
		{"c2", "s", PARENT, USER, 25, NULL, "0.125000", NULL,
			"0.500000"},
	};
	struct fs_node nodes[LENGTH(rows)];

	check_rows(rows, LENGTH(rows), FAIRSHARE_DEPTH_OBLIVIOUS, 1);
	load(nodes, rows, LENGTH(rows));
	compute(nodes, LENGTH(rows), FAIRSHARE_DEPTH_OBLIVIOUS, 1);
	assert_int_equal(nodes[2].level, 45); /* u1, marked, has it too */
	assert_int_equal(nodes[6].level, 4);
	assert_int_equal(nodes[6].fs_parent, 3);
	assert_int_equal(nodes[0].level, NO_VAL);
	assert_true(nodes[0].usage_norm == NO_VAL);
}

/* --- Edges --- */

/* Equal as fractions, different in the last bit: no tie (spec 0). */
static void ties_are_exact(void **state)
{
	struct fs_node nodes[] = {
		{.parent = FS_NO_PARENT, .shares_raw = 1},
		{.shares_raw = 40, .is_user = true, .usage_own = 20},
		{.shares_raw = 50, .is_user = true, .usage_own = 25},
		{.shares_raw = 80, .is_user = true, .usage_own = 65},
	};

	compute(nodes, LENGTH(nodes), FAIRSHARE_FAIR_TREE, 1);
	expect("40", "LevelFS", nodes[1].level_fs, "1.294118");
	expect("50", "LevelFS", nodes[2].level_fs, "1.294118");
	if (sizeof(long double) > sizeof(double))
		assert_true(nodes[1].level_fs != nodes[2].level_fs);
	assert_int_not_equal(nodes[1].rank, nodes[2].rank);
}

static void nothing_and_root_alone(void **state)
{
	struct fs_node root = {.parent = FS_NO_PARENT, .shares_raw = 1};

	for (size_t a = 0; a < LENGTH(all_algorithms); a++) {
		assert_int_equal(compute(NULL, 0, all_algorithms[a], 1), 0);
		assert_int_equal(compute(&root, 1, all_algorithms[a], 1), 0);
		assert_true(root.usage_efctv == 1);
		assert_true(root.usage_raw == 0);
	}
}

static void dampening_zero_is_a_limit(void **state)
{
	assert_true(fairshare_factor(0, 0.5, 0) == 1);
	assert_true(fairshare_factor(0.1L, 0.5, 0) == 0);
	assert_true(fairshare_factor(0.1L, 0, 0) == 0);
	assert_true(fairshare_factor(0, 0, 1) == 0);
	assert_true(fairshare_factor(1, 1e-300, 1) == 0);
	assert_true(fairshare_factor(0.5L, 0.5, 1) == 0.5);
}

/* No usage anywhere, bad usage: 0, and nothing becomes NaN. */
static void bad_usage_counts_as_none(void **state)
{
	static const long double bad[] = {0, -5, NAN, HUGE_VALL, -HUGE_VALL};

	for (size_t i = 0; i < LENGTH(bad) * LENGTH(all_algorithms); i++) {
		struct fs_node nodes[] = {
			{.parent = FS_NO_PARENT, .shares_raw = SHARES_PARENT},
			{.shares_raw = 1, .is_user = true},
			{.shares_raw = 0, .is_user = true},
		};

		nodes[1].usage_own = bad[i % LENGTH(bad)];
		compute(nodes, LENGTH(nodes), all_algorithms[i / LENGTH(bad)],
			0);
		for (size_t j = 0; j < LENGTH(nodes); j++)
			assert_true(nodes[j].usage_raw == 0);
		assert_true(nodes[1].usage_norm == 0);
		assert_true(nodes[1].fairshare == 1);
		assert_true(nodes[1].shares_norm == 1);
	}
}

static void a_level_beyond_32_bits(void **state)
{
	struct fs_node nodes[5] = {{.parent = FS_NO_PARENT, .shares_raw = 1}};

	for (size_t i = 1; i < LENGTH(nodes); i++)
		nodes[i] = (struct fs_node){
			.shares_raw = SHARES_PARENT - 1, .is_user = true};
	compute(nodes, LENGTH(nodes), FAIRSHARE_CLASSIC, 1);
	assert_true(nodes[1].shares_norm == 0.25);
}

/* --- Properties --- */

struct rng {
	uint64_t state;
};

static uint32_t rnd(struct rng *rng, uint32_t below)
{
	rng->state ^= rng->state << 13;
	rng->state ^= rng->state >> 7;
	rng->state ^= rng->state << 17;
	return (uint32_t)((rng->state * 0x2545f4914f6cdd1dULL) >> 32) % below;
}

static uint32_t random_shares(struct rng *rng)
{
	switch (rnd(rng, 8)) {
	case 0:
		return 0;
	case 1:
		return SHARES_PARENT;
	case 2:
		return rnd(rng, 1000000);
	default:
		return 1 + rnd(rng, 4); /* small: ties */
	}
}

static size_t random_tree(struct rng *rng, struct fs_node *nodes)
{
	size_t n = 1 + rnd(rng, rnd(rng, 4) ? 60 : MAX_NODES - 1);
	uint32_t spread = 1 + rnd(rng, 50);

	nodes[0] = (struct fs_node){.parent = FS_NO_PARENT, .shares_raw = 1};
	for (uint32_t i = 1; i < n; i++) {
		uint32_t back = 1 + rnd(rng, spread < i ? spread : i);

		nodes[i] = (struct fs_node){
			.parent = i - back,
			.shares_raw = random_shares(rng),
			.is_user = rnd(rng, 2),
			.usage_own = rnd(rng, 2) ? rnd(rng, 5) : 0,
		};
		while (nodes[nodes[i].parent].is_user)
			nodes[i].parent = nodes[nodes[i].parent].parent;
	}
	return n;
}

static void check_bounds(const struct fs_node *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fs_node *x = &nodes[i];

		assert_true(x->fairshare >= 0 && x->fairshare <= 1);
		assert_true(x->shares_norm >= 0 && x->shares_norm <= 1);
		assert_true(x->usage_efctv >= 0 && x->usage_efctv < 1.000001L);
		assert_true(x->level_fs >= 0);
		assert_true(!i || (x->usage_norm >= 0 && x->usage_norm <= 1));
	}
}

/* Usage is whole numbers here, so the sums are exact. */
static void check_sums(const struct fs_node *nodes, size_t n)
{
	long double *below = test_calloc(n, sizeof(*below));

	for (size_t i = 1; i < n; i++)
		below[nodes[i].parent] += nodes[i].usage_raw;
	for (size_t i = 0; i < n; i++)
		assert_true(
			nodes[i].usage_raw == nodes[i].usage_own + below[i]);
	test_free(below);
}

/* Fair Tree once more, as naive as the spec's words. */
struct naive {
	const struct fs_node *nodes;
	size_t n;
	uint32_t rank, next;
	uint32_t *ranks;
};

static bool stands_before(const struct fs_node *a, const struct fs_node *b)
{
	if (a->level_fs != b->level_fs)
		return a->level_fs > b->level_fs;
	return a->is_user && !b->is_user;
}

static void naive_walk(struct naive *w, uint32_t account, bool tied)
{
	uint32_t *v = test_calloc(w->n, sizeof(*v));
	size_t n = 0;

	for (uint32_t i = 1; i < w->n; i++) {
		size_t at = n;

		if (w->nodes[i].fs_parent != account)
			continue;
		for (; at && stands_before(&w->nodes[i], &w->nodes[v[at - 1]]);
			at--)
			v[at] = v[at - 1];
		v[at] = i;
		n++;
	}
	for (size_t i = 0; i < n; i++) {
		const struct fs_node *node = &w->nodes[v[i]];

		if (i)
			tied = node->level_fs == w->nodes[v[i - 1]].level_fs;
		if (!node->is_user) {
			naive_walk(w, v[i], tied);
			continue;
		}
		if (!tied)
			w->rank = w->next;
		w->ranks[v[i]] = w->rank;
		w->next--;
	}
	test_free(v);
}

static void check_ranks(const struct fs_node *nodes, size_t n, uint32_t users)
{
	struct naive w = {.nodes = nodes, .n = n, .rank = users, .next = users};

	w.ranks = test_calloc(n, sizeof(*w.ranks));
	naive_walk(&w, 0, false);
	assert_int_equal(w.next, 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(nodes[i].rank, w.ranks[i]);
		if (nodes[i].is_user)
			assert_true(nodes[i].fairshare ==
				    (double)w.ranks[i] / users);
	}
	test_free(w.ranks);
}

/* Ranks never rise along the walk, and a level is walked best first. */
static void check_level_order(const struct fs_node *nodes, size_t n)
{
	uint32_t *walk = test_calloc(n + 1, sizeof(*walk));
	uint32_t *last = test_calloc(n, sizeof(*last));
	uint32_t rank = UINT32_MAX;

	for (uint32_t i = 1; i < n; i++) {
		assert_int_equal(walk[nodes[i].visit], 0);
		walk[nodes[i].visit] = i;
	}
	for (size_t v = 1; v < n; v++) {
		const struct fs_node *x = &nodes[walk[v]];
		uint32_t before = last[x->fs_parent];

		if (before)
			assert_true(x->level_fs <= nodes[before].level_fs);
		last[x->fs_parent] = walk[v];
		if (x->is_user) {
			assert_true(x->rank <= rank);
			rank = x->rank;
		}
	}
	test_free(walk);
	test_free(last);
}

static void random_trees(void **state)
{
	static struct fs_node nodes[MAX_NODES];
	struct rng rng = {.state = 20260731};

	for (int round = 0; round < 300; round++) {
		size_t n = random_tree(&rng, nodes);

		for (size_t a = 0; a < LENGTH(all_algorithms); a++) {
			uint16_t d = (uint16_t)rnd(&rng, 4);
			uint32_t users =
				compute(nodes, n, all_algorithms[a], d);

			check_bounds(nodes, n);
			check_sums(nodes, n);
			if (all_algorithms[a] != FAIRSHARE_FAIR_TREE)
				continue;
			check_ranks(nodes, n, users);
			check_level_order(nodes, n);
		}
	}
}

static void scale_level(
	struct fs_node *nodes, size_t n, uint32_t level, uint32_t factor)
{
	for (size_t i = 1; i < n; i++)
		if (nodes[i].fs_parent == level && !fs_is_marked(&nodes[i]))
			nodes[i].shares_raw *= factor;
}

/* Shares are relative: a level may be counted in any unit. */
static void shares_of_a_level_scale(void **state)
{
	static struct fs_node nodes[MAX_NODES], scaled[MAX_NODES];
	struct rng rng = {.state = 4711};

	for (int round = 0; round < 200; round++) {
		size_t n = random_tree(&rng, nodes);
		enum fairshare_algorithm algorithm = all_algorithms[round % 3];

		compute(nodes, n, algorithm, 1);
		memcpy(scaled, nodes, sizeof(nodes));
		scale_level(
			scaled, n, rnd(&rng, (uint32_t)n), 2 + rnd(&rng, 99));
		compute(scaled, n, algorithm, 1);
		for (size_t i = 0; i < n; i++) {
			assert_true(
				nodes[i].shares_norm == scaled[i].shares_norm);
			assert_int_equal(nodes[i].rank, scaled[i].rank);
			assert_true(fabs(nodes[i].fairshare -
					    scaled[i].fairshare) < 1e-12);
		}
	}
}

/* Using more never helps, using nothing never hurts (classic, one level). */
static void more_usage_means_less(void **state)
{
	double last = 2;

	for (int usage = 0; usage < 100; usage++) {
		struct fs_node nodes[] = {
			{.parent = FS_NO_PARENT, .shares_raw = 1},
			{.shares_raw = 1, .is_user = true, .usage_own = usage},
			{.shares_raw = 2, .is_user = true, .usage_own = 50},
		};

		compute(nodes, LENGTH(nodes), FAIRSHARE_CLASSIC, 1);
		assert_true(nodes[1].fairshare < last);
		last = nodes[1].fairshare;
	}
}

/* --- Size --- */

static void deep_chain(void **state)
{
	enum { LEVELS = 10000, NODES = 2 * LEVELS + 1 };
	struct fs_node *nodes = test_calloc(NODES, sizeof(*nodes));
	uint32_t account = 0, users;

	nodes[0] = (struct fs_node){.parent = FS_NO_PARENT, .shares_raw = 1};
	for (uint32_t i = 1; i < NODES; i++) {
		nodes[i] = (struct fs_node){
			.parent = account,
			.shares_raw = i % 7 ? 1 : SHARES_PARENT,
			.is_user = i % 2,
			.usage_own = i % 2,
		};
		if (!nodes[i].is_user)
			account = i;
	}
	for (size_t a = 0; a < LENGTH(all_algorithms); a++) {
		users = compute(nodes, NODES, all_algorithms[a], 1);
		assert_int_equal(users, LEVELS);
		assert_true(nodes[0].usage_raw == LEVELS);
		check_bounds(nodes, NODES);
		if (all_algorithms[a] == FAIRSHARE_FAIR_TREE)
			check_level_order(nodes, NODES);
	}
	test_free(nodes);
}

static void wide_level(void **state)
{
	enum { USERS = 100000 };
	struct fs_node *nodes = test_calloc(USERS + 1, sizeof(*nodes));
	struct rng rng = {.state = 99};

	nodes[0] = (struct fs_node){.parent = FS_NO_PARENT, .shares_raw = 1};
	for (uint32_t i = 1; i <= USERS; i++)
		nodes[i] = (struct fs_node){
			.shares_raw = 1,
			.is_user = true,
			.usage_own = 1 + rnd(&rng, 1000000),
		};
	for (size_t a = 0; a < LENGTH(all_algorithms); a++) {
		assert_int_equal(
			compute(nodes, USERS + 1, all_algorithms[a], 1), USERS);
		check_bounds(nodes, USERS + 1);
		if (all_algorithms[a] == FAIRSHARE_FAIR_TREE)
			check_level_order(nodes, USERS + 1);
	}
	test_free(nodes);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(fair_tree_with_ties),
	cmocka_unit_test(ties_are_told),
	cmocka_unit_test(empty_account_passes_its_tie_on),
	cmocka_unit_test(fair_tree_of_the_classic_example),
	cmocka_unit_test(classic_example),
	cmocka_unit_test(depth_oblivious_example),
	cmocka_unit_test(marks_fair_tree),
	cmocka_unit_test(marks_classic),
	cmocka_unit_test(marks_depth_oblivious),
	cmocka_unit_test(ties_are_exact),
	cmocka_unit_test(nothing_and_root_alone),
	cmocka_unit_test(dampening_zero_is_a_limit),
	cmocka_unit_test(bad_usage_counts_as_none),
	cmocka_unit_test(a_level_beyond_32_bits),
	cmocka_unit_test(random_trees),
	cmocka_unit_test(shares_of_a_level_scale),
	cmocka_unit_test(more_usage_means_less),
	cmocka_unit_test(deep_chain),
	cmocka_unit_test(wide_level))
