/*
 * Ids of jobs as people type them.
 */

#include "common/base/numbers.h"
#include "common/text/jobid.h"
#include "common/text/sluid.h"
#include "tests/unit/unit.h"

static void test_numbers(void **state)
{
	struct job_id job;

	assert_true(job_id_parse("9", &job));
	assert_int_equal(job.id, 9);
	assert_int_equal(job.task, NO_VAL);
	assert_int_equal(job.sluid, 0);
	assert_true(job_id_parse("9_1", &job));
	assert_int_equal(job.id, 9);
	assert_int_equal(job.task, 1);
	assert_true(job_id_parse("4+1", &job));
	assert_int_equal(job.id, 5);
	assert_int_equal(job.task, NO_VAL);
}

static void test_sluid(void **state)
{
	char text[SLUID_SIZE];
	struct job_id job;

	assert_true(
		job_id_parse(sluid_text(sluid_make(1, 9, 100), text), &job));
	assert_int_equal(job.sluid, sluid_make(1, 9, 100));
}

static void test_no_jobs(void **state)
{
	static const char *const texts[] = {"", "0", "x", "-1", " 9", "9_",
		"9_x", "9+", "9.0", "9 ", "4294967294", "99999999999999999999"};
	struct job_id job;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(job_id_parse(texts[i], &job));
}

static void test_what_follows(void **state)
{
	struct job_id job;

	assert_string_equal(job_id_read("9.batch", &job), ".batch");
	assert_string_equal(job_id_read("9_1.0", &job), ".0");
	assert_null(job_id_read(".0", &job));
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_numbers),
	cmocka_unit_test(test_sluid),
	cmocka_unit_test(test_no_jobs),
	cmocka_unit_test(test_what_follows))
