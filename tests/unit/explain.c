/*
 * Explanations (common/fair/explain.h): every claim on random trees is computed a
 * second time, by the slow and obvious way. Usage is in
 * even whole numbers, so that sums and halves are exact. Chance is seeded.
 */
#include <math.h>
#include <string.h>

#include "common/fair/explain.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"

enum { NODES = 40, TREES = 150 };

/* ---- the slow way --------------------------------------------------------*/

struct tree {
	struct fs_node v[NODES]; /* only the input members are looked at */
	uint32_t n;
	enum fairshare_algorithm algorithm;
};

static bool marked(const struct tree *t, uint32_t i)
{
	return i && t->v[i].shares_raw == SHARES_PARENT;
}

static uint32_t above(const struct tree *t, uint32_t i)
{
	do
		i = t->v[i].parent;
	while (marked(t, i));
	return i;
}

static bool is_below(const struct tree *t, uint32_t i, uint32_t top)
{
	while (i != top && i)
		i = t->v[i].parent;
	return i == top;
}

static long double used(const struct tree *t, uint32_t top)
{
	long double sum = 0;

	for (uint32_t i = 0; i < t->n; i++)
		if (is_below(t, i, top))
			sum += t->v[i].usage_own;
	return sum;
}

static double level_shares(const struct tree *t, uint32_t i)
{
	double sum = 0;

	for (uint32_t j = 1; j < t->n; j++)
		if (above(t, j) == above(t, i) && !marked(t, j))
			sum += t->v[j].shares_raw;
	return sum;
}

static double part(const struct tree *t, uint32_t i)
{
	double level = level_shares(t, i);

	return level > 0 ? t->v[i].shares_raw / level : 0;
}

static long double level_fs(const struct tree *t, uint32_t i)
{
	long double all = used(t, above(t, i)), own = used(t, i);

	if (marked(t, i))
		return t->v[i].is_user ? HUGE_VALL : NO_VAL;
	if (!(part(t, i) > 0))
		return 0;
	if (!(own > 0))
		return HUGE_VALL;
	return part(t, i) / (own < all ? own / all : 1);
}

/* Does i go before j, of the same level? */
static bool goes_before(const struct tree *t, uint32_t i, uint32_t j)
{
	long double x = level_fs(t, i), y = level_fs(t, j);

	if (x > y || x < y)
		return x > y;
	if (t->v[i].is_user != t->v[j].is_user)
		return t->v[i].is_user;
	return i < j;
}

struct visit {
	uint32_t users, next, rank;
	double factor[NODES];
};

static uint32_t first_left(const struct tree *t, uint32_t x, const bool *seen)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < t->n; i++)
		if (above(t, i) == x && !seen[i] &&
			(!best || goes_before(t, i, best)))
			best = i;
	return best;
}

static void visit(const struct tree *t, uint32_t x, bool tied, struct visit *v)
{
	bool seen[NODES] = {false};
	long double before = 0;
	uint32_t i;

	for (bool first = true; (i = first_left(t, x, seen)); first = false) {
		long double now = level_fs(t, i);

		if (!first)
			tied = !(now < before) && !(now > before);
		before = now;
		seen[i] = true;
		if (!t->v[i].is_user) {
			visit(t, i, tied, v);
			continue;
		}
		if (!tied)
			v->rank = v->next;
		v->next--;
		v->factor[i] = (double)v->rank / v->users;
	}
}

static long double norm_shares(const struct tree *t, uint32_t i)
{
	double s = 1;

	if (marked(t, i))
		return norm_shares(t, above(t, i));
	for (; i; i = above(t, i))
		s *= part(t, i);
	return s;
}

static long double norm_usage(const struct tree *t, uint32_t i)
{
	long double all = used(t, 0);

	return all > 0 ? used(t, i) / all : 0;
}

static long double effective(const struct tree *t, uint32_t i);

static long double oblivious(const struct tree *t, uint32_t i)
{
	uint32_t p = above(t, i);
	long double u = norm_usage(t, i), sum = 0, rp, rl, k = 1;

	for (uint32_t j = 1; j < t->n; j++)
		if (above(t, j) == p && !marked(t, j))
			sum += norm_usage(t, j);
	if (!(norm_shares(t, i) > 0) || !(norm_shares(t, p) > 0) || !(u > 0) ||
		!(effective(t, p) > 0))
		return u;
	rp = effective(t, p) / norm_shares(t, p);
	rl = u / norm_shares(t, i) / (sum / norm_shares(t, p));
	if (logl(rp) * logl(rl) < 0)
		k = 1 / (1 + powl(5 * logl(rp), 2));
	return rp * powl(rl, k) * norm_shares(t, i);
}

static long double effective(const struct tree *t, uint32_t i)
{
	uint32_t p = i ? above(t, i) : 0;
	long double u = norm_usage(t, i);

	if (!i)
		return 1;
	if (!p)
		return u;
	if (marked(t, i))
		return effective(t, p);
	if (t->algorithm == FAIRSHARE_DEPTH_OBLIVIOUS)
		return oblivious(t, i);
	if (!(level_shares(t, i) > 0))
		return effective(t, p);
	return u + (effective(t, p) - u) * part(t, i);
}

static void factors(const struct tree *t, double *factor)
{
	struct visit v = {0};

	for (uint32_t i = 0; i < t->n; i++)
		v.users += t->v[i].is_user;
	v.next = v.rank = v.users;
	if (t->algorithm == FAIRSHARE_FAIR_TREE)
		visit(t, 0, false, &v);
	else
		for (uint32_t i = 1; i < t->n; i++) {
			uint32_t g = marked(t, i) ? above(t, i) : i;
			long double s = norm_shares(t, g);

			v.factor[i] =
				s > 0 ? (double)exp2l(-effective(t, g) / s) : 0;
		}
	memcpy(factor, v.factor, sizeof(v.factor));
}

/* ---- random trees --------------------------------------------------------*/

static uint32_t random_shares(void)
{
	static const uint32_t odd[] = {0, SHARES_PARENT, SHARES_PARENT - 1};

	return chance(8) ? 1 + chance(5) : odd[chance(3)];
}

static void grow(struct tree *t)
{
	uint32_t accounts[NODES] = {0}, n_accounts = 1;

	t->n = 2 + chance(NODES - 2);
	t->algorithm = (enum fairshare_algorithm)chance(3);
	t->v[0] = (struct fs_node){.parent = FS_NO_PARENT, .shares_raw = 1};
	for (uint32_t i = 1; i < t->n; i++) {
		t->v[i] =
			(struct fs_node){.parent = accounts[chance(n_accounts)],
				.shares_raw = random_shares(),
				.is_user = chance(3) > 0};
		if (!t->v[i].is_user)
			accounts[n_accounts++] = i;
		/* Accounts keep what users had who are deleted. */
		if (chance(4) > (t->v[i].is_user ? 0 : 2))
			t->v[i].usage_own = 2 * (1 + chance(6)) * 1024;
	}
}

/* ---- claims --------------------------------------------------------------*/

static void check_near(double got, double want, const struct tree *t)
{
	double slack = t->algorithm == FAIRSHARE_FAIR_TREE ? 0 : 1e-9;

	if (!(fabs(got - want) <= slack))
		fail_msg("%.15f, want %.15f (algorithm %d)", got, want,
			t->algorithm);
}

static void check_level(const struct tree *t, const struct explain_level *level)
{
	uint32_t ahead = 0, equal = 0, n = 0;
	bool seen[NODES] = {false};

	for (uint32_t i = 1; i < t->n; i++) {
		if (above(t, i) != above(t, level->node))
			continue;
		n++;
		ahead += level_fs(t, i) > level_fs(t, level->node);
		equal += i != level->node &&
			 level_fs(t, i) == level_fs(t, level->node);
	}
	assert_int_equal(level->n, n);
	for (size_t i = 0; i < level->n; i++) {
		assert_int_equal(
			above(t, level->order[i]), above(t, level->node));
		assert_false(seen[level->order[i]]);
		seen[level->order[i]] = true;
	}
	if (t->algorithm != FAIRSHARE_FAIR_TREE)
		return;
	assert_int_equal(level->ahead, ahead);
	assert_int_equal(level->equal, equal);
	for (size_t i = 1; i < level->n; i++)
		assert_true(
			goes_before(t, level->order[i - 1], level->order[i]));
}

static void check_real(long double got, long double want)
{
	if (isinf(want) && isinf(got))
		return;
	if (!(fabsl(got - want) <= 1e-9L * (1 + fabsl(want))))
		fail_msg("%.15Lf, want %.15Lf", got, want);
}

/* The numbers that are told of a level come from its node. */
static void check_tree_numbers(
	const struct tree *t, const struct fs_node *node, uint32_t i)
{
	long double all = used(t, above(t, i));

	if (!marked(t, i))
		check_real(node->shares_norm, part(t, i));
	check_real(node->usage_efctv, all > 0 ? used(t, i) / all : 0);
	if (!marked(t, i) || node->is_user)
		check_real(node->level_fs, level_fs(t, i));
}

static void check_oblivious(const struct tree *t, const struct fs_node *node,
	const struct explain_level *level)
{
	const struct fs_oblivious *o = &level->oblivious;
	uint32_t p = above(t, level->node);

	if (!o->applies)
		return;
	check_real(o->ratio_p, effective(t, p) / norm_shares(t, p));
	check_real(node->usage_efctv, (long double)o->ratio_p *
					      powl(o->ratio_l, o->k) *
					      node->shares_norm);
}

static void check_numbers(const struct tree *t, const struct fs_node *nodes,
	const struct explain_level *level)
{
	uint32_t i = level->node;
	const struct fs_node *node = &nodes[i];

	if (!marked(t, i)) {
		assert_int_equal(node->shares_raw, t->v[i].shares_raw);
		assert_true((double)node->level == level_shares(t, i));
	}
	if (t->algorithm == FAIRSHARE_FAIR_TREE) {
		check_tree_numbers(t, node, i);
		return;
	}
	check_real(node->shares_norm, norm_shares(t, i));
	check_real(node->usage_norm, norm_usage(t, i));
	check_real(node->usage_efctv, effective(t, i));
	if (t->algorithm == FAIRSHARE_DEPTH_OBLIVIOUS)
		check_oblivious(t, node, level);
}

static void check_change(const struct tree *t, uint32_t user,
	const struct explain_change *change)
{
	struct tree other = *t;
	double factor[NODES];

	assert_true(is_below(t, user, change->node));
	if (change->kind == EXPLAIN_MORE_SHARES) {
		uint32_t shares = t->v[change->node].shares_raw;

		assert_int_equal(change->shares, shares ? 2 * shares : 1);
		other.v[change->node].shares_raw = change->shares;
	} else {
		for (uint32_t i = 0; i < t->n; i++)
			if (is_below(t, i, change->node))
				other.v[i].usage_own /= 2;
	}
	factors(&other, factor);
	check_near(change->fairshare, factor[user], t);
}

static void check_best(const struct explain *why, double now)
{
	double best = why->best < why->n_changes
			      ? why->changes[why->best].fairshare
			      : now;

	if (why->best < why->n_changes)
		assert_true(best > now);
	for (size_t i = 0; i < why->n_changes; i++)
		assert_true(why->changes[i].fairshare <= best);
}

static void check_user(const struct tree *t, const struct explain *why,
	const double *factor, const struct fs_node *nodes)
{
	uint32_t node = why->user, ahead = 0, equal = 0, users = 0;

	for (size_t k = why->n_levels; k-- > 0; node = above(t, node)) {
		assert_int_equal(why->levels[k].node, node);
		check_level(t, &why->levels[k]);
		check_numbers(t, nodes, &why->levels[k]);
	}
	assert_int_equal(node, 0);
	check_near(nodes[why->user].fairshare, factor[why->user], t);
	for (uint32_t i = 1; i < t->n; i++) {
		users += t->v[i].is_user;
		if (!t->v[i].is_user || i == why->user)
			continue;
		ahead += nodes[i].fairshare > nodes[why->user].fairshare;
		equal += nodes[i].fairshare == nodes[why->user].fairshare;
	}
	assert_int_equal(why->users, users);
	assert_int_equal(why->ahead, ahead);
	assert_int_equal(why->equal, equal);
	for (size_t i = 0; i < why->n_changes; i++)
		check_change(t, why->user, &why->changes[i]);
	check_best(why, nodes[why->user].fairshare);
}

static double factor_left(const struct tree *t, const struct fs_node *nodes,
	uint32_t user, long double left)
{
	struct fs_node copy[NODES];
	struct arena arena;

	arena_init(&arena);
	memcpy(copy, nodes, sizeof(copy));
	copy[user].usage_own *= left;
	fairshare_compute(copy, t->n, t->algorithm, 1, &arena);
	arena_release(&arena);
	return copy[user].fairshare;
}

/* At that second the value is passed, a second before it was not. */
static void check_when(const struct tree *t, const struct fs_node *nodes,
	const struct policy *policy, uint32_t user)
{
	const struct explain_laters unchanged = {0};
	double value = (1 + chance(20)) / 20.0;
	int64_t when =
		explain_when(nodes, t->n, policy, user, value, &unchanged);
	long double h = policy->half_life;

	if (!when) {
		assert_true(nodes[user].fairshare >= value);
		return;
	}
	assert_true(nodes[user].fairshare < value);
	if (when == EXPLAIN_NEVER) {
		assert_true(factor_left(t, nodes, user, 1e-300L) < value);
		return;
	}
	assert_true(factor_left(t, nodes, user, exp2l(-when / h)) >= value);
	if (when > 1)
		assert_true(factor_left(t, nodes, user,
				    exp2l(-(when - 1) / h)) < value);
}

static void claims_hold_on_random_trees(void **state)
{
	seed = 20261120;
	for (int round = 0; round < TREES; round++) {
		struct tree t;
		struct fs_node nodes[NODES];
		struct policy policy = {.dampening = 1, .half_life = 604800};
		struct explain_memory memory = {0};
		double factor[NODES];
		struct arena arena;

		grow(&t);
		policy.algorithm = t.algorithm;
		memcpy(nodes, t.v, sizeof(nodes));
		arena_init(&arena);
		fairshare_compute(nodes, t.n, t.algorithm, 1, &arena);
		factors(&t, factor);
		for (uint32_t i = 1; i < t.n; i++) {
			struct explain why;

			if (!t.v[i].is_user)
				continue;
			explain_user(nodes, t.n, &policy, i, &memory, &arena,
				&why);
			check_user(&t, &why, factor, nodes);
			check_when(&t, nodes, &policy, i);
		}
		explain_memory_release(&memory);
		arena_release(&arena);
	}
}

/* Alone in the tree nothing can be better than it is. */
static void nothing_helps_the_only_one(void **state)
{
	struct fs_node nodes[] = {
		{.parent = FS_NO_PARENT, .shares_raw = 1},
		{.parent = 0,
			.shares_raw = 3,
			.is_user = true,
			.usage_own = 10},
	};
	struct policy policy = {.dampening = 1};
	struct arena arena;
	struct explain why;

	arena_init(&arena);
	fairshare_compute(nodes, 2, policy.algorithm, 1, &arena);
	explain_user(nodes, 2, &policy, 1, NULL, &arena, &why);
	assert_int_equal(why.n_changes, 2);
	assert_int_equal(why.best, 2);
	assert_int_equal(why.ahead + why.equal, 0);
	arena_release(&arena);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(claims_hold_on_random_trees),
	cmocka_unit_test(nothing_helps_the_only_one))
