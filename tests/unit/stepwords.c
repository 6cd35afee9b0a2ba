/*
 * What srun was asked for (common/text/stepwords.h): words and numbers as Slurm has
 * them; and what a step used where it was only told a part of it (step_used).
 */

#include "common/base/numbers.h"
#include "common/table/job.h"
#include "common/text/stepwords.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void frequencies(void **state)
{
	static const struct {
		const char *text;
		uint32_t freq;
	} cases[] = {{"0", 0}, {"Unknown", NO_VAL}, {"Low", 0x80000001},
		{"Highm1", 0x80000004}, {"Performance", 0x82000000},
		{"SchedUtil", 0x80400000}, {"800K", 800}, {"2M", 2000},
		{"2.60M", 2600}, {"2.40G", 2400000}};
	static const char *const bad[] = {"", "x", "-1", "2.4Q", "2GG", "9000000G"};
	uint32_t freq;

	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_string_equal(
			cpu_freq_text(cases[i].freq, &arena), cases[i].text);
		assert_int_equal(cpu_freq_parse(cases[i].text, &freq), 0);
		assert_int_equal(freq, cases[i].freq);
	}
	assert_string_equal(cpu_freq_text(0x80000009, &arena), "Unknown");
	assert_int_equal(cpu_freq_parse("2147483652", &freq), 0);
	assert_int_equal(freq, 0x80000004);
	for (size_t i = 0; i < LENGTH(bad); i++)
		assert_int_equal(cpu_freq_parse(bad[i], &freq), -1);
}

static void layouts(void **state)
{
	static const struct {
		uint32_t dist;
		const char *text;
	} cases[] = {{0, "Unknown"}, {1, "Cyclic"}, {2, "Block"},
		{3, "arbitrary task distribution"}, {4, "Plane"},
		{0x2000, "Unknown"}, {0x11, "CCyclic"}, {0x21, "CBlock"},
		{0x31, "CFCyclic"}, {0x12, "BCyclic"}, {0x22, "BBlock"},
		{0x32, "BFCyclic"}, {0x111, "CCyclicCyclic"},
		{0x311, "CCyclicFCyclic"}, {0x321, "CCyclicFCyclic"},
		{0x232, "BFCyclicBlock"}, {0x800022, "BBlock,Pack"},
		{0x400002, "Block,NoPack"}, {0x402000, "Unknown,NoPack"}};

	for (size_t i = 0; i < LENGTH(cases); i++)
		assert_string_equal(
			task_dist_text(cases[i].dist, &arena), cases[i].text);
}

static uint64_t used(const struct step *step, enum step_use list, uint32_t tres)
{
	const struct tres_list all = step_used(step, list, &arena);

	return tres_list_get(&all, tres);
}

static void parts_of_what_was_used(void **state)
{
	struct step step;

	step_init(&step);
	step.user_usec = 7000000;
	tres_list_set(&step.used[STEP_IN_MAX], &arena, TRES_MEM, 50);
	tres_list_set(&step.used[STEP_OUT_MAX], &arena, TRES_FS_DISK, 9);
	tres_list_set(&step.used[STEP_IN_MIN], &arena, TRES_CPU, 6000);
	/* Of one task they are all the same. */
	assert_int_equal(used(&step, STEP_IN_AVE, TRES_MEM), 50);
	assert_int_equal(used(&step, STEP_IN_MIN, TRES_MEM), 50);
	assert_int_equal(used(&step, STEP_IN_TOT, TRES_MEM), 50);
	assert_int_equal(used(&step, STEP_OUT_TOT, TRES_FS_DISK), 9);
	assert_int_equal(used(&step, STEP_IN_MAX, TRES_CPU), 6000);
	assert_int_equal(used(&step, STEP_IN_TOT, TRES_CPU), 7000);
	/* Of more the maximum says nothing about the others. */
	step.tasks = 3;
	assert_int_equal(used(&step, STEP_IN_AVE, TRES_MEM), NO_VAL64);
	assert_int_equal(used(&step, STEP_IN_TOT, TRES_MEM), NO_VAL64);
	tres_list_set(&step.used[STEP_IN_AVE], &arena, TRES_MEM, 40);
	assert_int_equal(used(&step, STEP_IN_TOT, TRES_MEM), 120);
	/* Who says the total says all. */
	tres_list_set(&step.used[STEP_IN_TOT], &arena, TRES_MEM, 90);
	assert_int_equal(used(&step, STEP_IN_TOT, TRES_MEM), 90);
	assert_int_equal(used(&step, STEP_IN_TOT, TRES_CPU), NO_VAL64);
	assert_int_equal(used(&step, STEP_IN_MAX, TRES_CPU), NO_VAL64);
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(frequencies),
	cmocka_unit_test(layouts),
	cmocka_unit_test(parts_of_what_was_used))
