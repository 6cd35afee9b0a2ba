/* TRES: look-ups, lists, the text form in and out. */
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/tres.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static const struct tres known[] = {
	{TRES_CPU, "cpu", ""},
	{TRES_MEM, "mem", ""},
	{TRES_ENERGY, "energy", ""},
	{TRES_NODE, "node", ""},
	{TRES_BILLING, "billing", NULL},
	{TRES_FS_DISK, "fs", "disk"},
	{TRES_VMEM, "vmem", ""},
	{TRES_PAGES, "pages", ""},
	{1001, "gres", "gpu"},
	{1002, "gres", "gpumem"},
	{1003, "gres", "gpu:a100"},
	{1004, "bb", "burst"},
	{1005, "license", "matlab"},
};
static const struct tres_catalog catalog = {
	known, sizeof(known) / sizeof(*known)};

static void test_lookup(void **state)
{
	assert_string_equal(tres_by_id(&catalog, 1003)->name, "gpu:a100");
	assert_null(tres_by_id(&catalog, 99));
	assert_null(tres_by_id(&catalog, 0));
	assert_null(tres_by_id(&catalog, UINT32_MAX));
	assert_int_equal(tres_by_name(&catalog, "GRES/Gpu")->id, 1001);
	assert_int_equal(tres_by_name(&catalog, "Billing")->id, TRES_BILLING);
	assert_int_equal(tres_by_name(&catalog, "mem")->id, TRES_MEM);
	assert_null(tres_by_name(&catalog, "gres"));
	assert_null(tres_by_name(&catalog, "cpu/"));
	assert_null(tres_by_name(&catalog, "cp"));
	assert_null(tres_by_name(&catalog, ""));
	assert_string_equal(tres_full_name(&known[5], &arena), "fs/disk");
	assert_string_equal(tres_full_name(&known[4], &arena), "billing");
}

static void test_list(void **state)
{
	struct tres_list list = {0};

	assert_true(tres_list_get(&list, TRES_CPU) == NO_VAL64);
	tres_list_remove(&list, TRES_CPU);
	for (uint32_t id = 20; id > 0; id--)
		tres_list_set(&list, &arena, id * 7 % 23, id);
	tres_list_set(&list, &arena, 7, 100);
	for (size_t i = 1; i < list.n; i++)
		assert_true(list.v[i - 1].id < list.v[i].id);
	assert_int_equal(list.n, 20);
	assert_true(tres_list_get(&list, 7) == 100);
	tres_list_remove(&list, 7);
	assert_true(tres_list_get(&list, 7) == NO_VAL64);
	assert_int_equal(list.n, 19);
}

/* The text form of `text` after reading it. */
static const char *echo(const char *text, unsigned styles)
{
	struct tres_list list = {0};
	struct err err = {0};

	if (tres_list_parse(text, &catalog, &arena, &list, &err))
		return arena_strdup(&arena, err.text);
	return tres_list_format(&list, &catalog, styles, &arena);
}

static void test_text(void **state)
{
	static const char *const cases[][2] = {
		{"cpu=10,mem=5G,gres/gpu=2", "cpu=10,gres/gpu=2,mem=5G"},
		{"CPU=1, Mem=1000 ,node=2", "cpu=1,mem=1000M,node=2"},
		{",cpu=1", "cpu=1"},
		{"1=4,2=2048", "cpu=4,mem=2G"},
		{"cpu=1,cpu=7", "cpu=7"},
		{"mem=2T", "mem=2T"},
		{"mem=64000", "mem=62.50G"},
		{"mem=1500", "mem=1500M"},
		{"mem=512K", "mem=1M"},
		{"mem=3072K", "mem=3M"},
		{"mem=0", "mem=0"},
		{"mem=1573376", "mem=1536.50G"},
		{"mem=8388608T", "mem=8192P"},
		{"mem=10GB,vmem=2KiB", "mem=10G,vmem=2048"},
		{"energy=1k,pages=1m", "energy=1024,pages=1048576"},
		{"bb/burst=1G", "bb/burst=1G"},
		{"gres/gpumem=1024", "gres/gpumem=1G"},
		{"gres/gpu:a100=2,license/matlab=3",
			"gres/gpu:a100=2,license/matlab=3"},
		{"cpu=9223372036854775807", "cpu=9223372036854775807"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(echo(cases[i][0], 0), cases[i][1]);
	assert_string_equal(
		echo("node=2,mem=1G", TRES_RAW_MEM), "mem=1024,node=2");
	assert_string_equal(echo("node=2,gres/gpu=1,cpu=1", TRES_BY_ID),
		"cpu=1,node=2,gres/gpu=1");
}

static void test_refused(void **state)
{
	static const char *const cases[][2] = {
		{"", "no TRES id found for "},
		{"cpu", "no TRES id found for cpu"},
		{"cpu=1,", "no TRES id found for "},
		{"=5", "no TRES id found for =5"},
		{"bogus=3", "no TRES known by type bogus"},
		{"+=3", "no TRES known by type "},
		{"gres=3",
			"no TRES known by type gres; did you mean gres/gpu?"},
		{"gpu=3", "no TRES known by type gpu; did you mean gres/gpu?"},
		{"gpu:h100=3", "no TRES known by type gpu:h100; did you mean "
			       "gres/gpu:h100?"},
		{"matlab=3", "no TRES known by type matlab; did you mean "
			     "license/matlab?"},
		{"gres/gqu=3",
			"no TRES known by type gres/gqu; did you mean "
			"gres/gpu?"},
		{"cpus=3", "no TRES known by type cpus; did you mean cpu?"},
		{"99=3", "no TRES known by id 99"},
		{"4294967297=3", "no TRES known by id 4294967297"},
		{"99999999999999999999=3",
			"no TRES known by id 99999999999999999999"},
		{"1x=3", "no TRES known by id 1x"},
		{"cpu=", "no value given for TRES cpu"},
		{"gres/gpu=", "no value given for TRES gres/gpu"},
		{"cpu=abc", "Invalid unit type 'a'. Possible options are "
			    "'KMGTP'"},
		{"cpu=4x", "Invalid unit type 'x'. Possible options are "
			   "'KMGTP'"},
		{"cpu=4Gx", "Invalid unit type 'Gx'. Possible options are "
			    "'KMGTP'"},
		{"cpu=1.5", "Invalid unit type '.'. Possible options are "
			    "'KMGTP'"},
		{"cpu=k", "'k' is not a TRES count"},
		{"cpu=-5", "'-5' is not a TRES count"},
		{"cpu= 5", "' 5' is not a TRES count"},
		{"cpu=9223372036854775808",
			"Number too large: 9223372036854775808"},
		{"cpu=9000P", "Number too large: 9000P"},
		{"cpu+=1", "only plain counts may stand in 'cpu+=1'"},
		{"cpu=-1", "only plain counts may stand in 'cpu=-1'"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(echo(cases[i][0], 0), cases[i][1]);
}

static const char *edited(const char *start, const char *change)
{
	struct tres_list list = {0};
	struct tres_edits edits = {0};
	struct err err = {0};

	if (tres_list_parse(start, &catalog, &arena, &list, &err) ||
		tres_edits_parse(change, &catalog, &arena, &edits, &err))
		return arena_strdup(&arena, err.text);
	tres_list_apply(&list, &arena, &edits);
	return tres_list_format(&list, &catalog, 0, &arena);
}

static void test_edits(void **state)
{
	static const char *const cases[][3] = {
		{"cpu=4,node=2", "cpu+=4", "cpu=8,node=2"},
		{"cpu=4,mem=4G", "mem-=2G,node=1", "cpu=4,mem=2G,node=1"},
		{"cpu=4", "cpu-=5", "cpu=0"},
		{"cpu=4", "node-=5", "cpu=4,node=0"},
		{"cpu=4", "node+=5", "cpu=4,node=5"},
		{"cpu=4,node=1", "cpu=-1", "node=1"},
		{"cpu=4", "node=-1", "cpu=4"},
		{"cpu=4", "cpu=-1,cpu+=2", "cpu=6"}, /* the last one counts */
		{"cpu=9223372036854775807", "cpu+=10",
			"cpu=9223372036854775807"},
		{"cpu=4", "cpu+=-1", "'-1' is not a TRES count"},
		{"cpu=4", "cpu-=", "no value given for TRES cpu"},
		{"cpu=4", "1+=3", "cpu=7"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(
			edited(cases[i][0], cases[i][1]), cases[i][2]);
}

static void test_special_counts(void **state)
{
	struct tres_list list = {0};

	assert_string_equal(tres_list_format(&list, &catalog, 0, &arena), "");
	tres_list_set(&list, &arena, TRES_CPU, INFINITE64);
	tres_list_set(&list, &arena, TRES_MEM, NO_VAL64);
	tres_list_set(&list, &arena, 77, 1);
	assert_string_equal(tres_list_format(&list, &catalog, 0, &arena), "");
	assert_string_equal(
		tres_list_format(&list, &catalog, TRES_NONE_WORD, &arena),
		"cpu=NONE");
}

/* What is printed reads back as the same list. */
static void test_round_trip(void **state)
{
	srand(3);
	for (int round = 0; round < 5000; round++) {
		struct tres_list list = {0}, again = {0};
		struct err err;
		char *text;

		for (int i = 0; i <= rand() % 6; i++) {
			const struct tres *t =
				&known[(size_t)rand() % catalog.n];
			uint64_t count = (uint64_t)rand() << (rand() % 20);

			tres_list_set(&list, &arena, t->id, count);
		}
		text = tres_list_format(&list, &catalog, TRES_RAW_MEM, &arena);
		assert_int_equal(
			tres_list_parse(text, &catalog, &arena, &again, &err),
			0);
		assert_true(tres_list_same(&list, &again));
		tres_list_set(&again, &arena, TRES_CPU,
			tres_list_get(&list, TRES_CPU) + 1);
		assert_false(tres_list_same(&list, &again));
		arena_reset(&arena);
	}
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_teardown(test_lookup, teardown),
	cmocka_unit_test_teardown(test_list, teardown),
	cmocka_unit_test_teardown(test_text, teardown),
	cmocka_unit_test_teardown(test_refused, teardown),
	cmocka_unit_test_teardown(test_edits, teardown),
	cmocka_unit_test_teardown(test_special_counts, teardown),
	cmocka_unit_test_teardown(test_round_trip, teardown))
