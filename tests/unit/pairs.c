/*
 * common/table/pairs.h: which rows are the same, in which order they are told,
 * and what is subtracted.
 */
#include <string.h>

#include "common/table/pairs.h"
#include "tests/unit/unit.h"

struct thing {
	int key, amount;
	int64_t when;
};

GETTER(amount, struct thing,
	row->amount < 0 ? of_text("none") : of_uint((uint64_t)row->amount))
GETTER(when, struct thing, of_time(row->when))

static const struct member amount = {.names = "Amount",
	.get = get_amount,
	.marks = MEMBER_MOVES | MEMBER_SUBTRACTED};
static const struct member when = {.names = "When",
	.get = get_when,
	.marks = MEMBER_MOVES | MEMBER_SUBTRACTED};

static int by_key(const void *a, const void *b)
{
	const struct thing *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* "-5 3=3 +4": gone, there on both sides, new. */
static const char *told(const struct pairs *pairs, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < pairs->n; i++) {
		const struct thing *a = pairs->v[i].before;
		const struct thing *b = pairs->v[i].after;
		const char *space = *text ? " " : "";

		if (a && b)
			text = arena_printf(arena, "%s%s%d=%d", text, space,
				a->key, b->key);
		else
			text = arena_printf(arena, "%s%s%c%d", text, space,
				a ? '-' : '+', a ? a->key : b->key);
	}
	return text;
}

static void rows_in_order(void **state)
{
	static const struct thing old[] = {{.key = 5}, {.key = 3}, {.key = 1}};
	static const struct thing new[] = {
		{.key = 1}, {.key = 4}, {.key = 3}, {.key = 2}};
	const struct side before = {old, 3, sizeof(*old)};
	const struct side after = {new, 4, sizeof(*new)};
	const struct side none = {NULL, 0, sizeof(*old)};
	struct pairs pairs;
	struct arena arena;

	arena_init(&arena);
	pairs_match(&pairs, &before, &after, by_key, &arena);
	assert_string_equal(told(&pairs, &arena), "1=1 +2 3=3 +4 -5");
	pairs_in_order(&pairs, &before, &after, &arena);
	assert_string_equal(told(&pairs, &arena), "-5 1=1 +4 3=3 +2");
	pairs_match(&pairs, &before, &none, by_key, &arena);
	pairs_in_order(&pairs, &before, &none, &arena);
	assert_string_equal(told(&pairs, &arena), "-5 -3 -1");
	pairs_match(&pairs, &none, &none, by_key, &arena);
	assert_int_equal(pairs.n, 0);
	arena_release(&arena);
}

static void differences(void **state)
{
	static const struct thing a = {1, 7, 1000}, b = {1, 5, 1600};
	static const struct thing blank = {1, -1, 0};
	const struct pair pair = {&a, &b}, gone = {&a, NULL};
	const struct pair same = {&a, &a}, words = {&a, &blank};
	struct arena arena;

	arena_init(&arena);
	assert_string_equal(pair_difference(&pair, &amount, true, &arena), "-2");
	assert_string_equal(
		pair_difference(&pair, &when, true, &arena), "+00:10:00");
	assert_string_equal(pair_difference(&same, &amount, false, &arena), "+0");
	assert_string_equal(pair_difference(&same, &amount, true, &arena), "");
	assert_string_equal(pair_difference(&gone, &amount, false, &arena), "");
	assert_string_equal(pair_difference(&words, &amount, false, &arena), "");
	assert_string_equal(pair_difference(&words, &when, false, &arena), "");
	assert_ptr_equal(pair_side(&gone, &amount, PART_AFTER), NULL);
	assert_ptr_equal(pair_row(&gone), &a);
	arena_release(&arena);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(rows_in_order),
	cmocka_unit_test(differences))
