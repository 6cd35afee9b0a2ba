/*
 * Jobs in the store (db/job/job.h): columns that nobody writes have the values a
 * job begins with, which job_bulk_insert relies on; rows that come in groups
 * are those that come one by one.
 */
#include <string.h>

#include "db/job/job_bulk.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000, DAY = 86400 };

static int setup(void **state)
{
	static struct store_fixture f;

	store_fixture_open(&f, T0);
	*state = &f;
	return 0;
}

/* All columns of all jobs or steps but keys of jobs, as text. */
static const char *rows_of(struct store_fixture *f, const char *table)
{
	const char *columns = "''", *text = "";
	struct query q;

	ok(f, query_open_text(&q, &f->store,
		      arena_printf(&f->arena,
			      "SELECT name FROM pragma_table_info('%s')"
			      " WHERE name <> 'key'",
			      table)));
	while (query_row(&q))
		columns = arena_printf(&f->arena, "%s || '|' || quote(\"%s\")",
			columns, query_text(&q, 0));
	ok(f, query_close(&q));
	ok(f, query_open_text(&q, &f->store,
		      arena_printf(&f->arena,
			      "SELECT %s FROM %s ORDER BY id", columns,
			      table)));
	while (query_row(&q))
		text = arena_printf(
			&f->arena, "%s%s\n", text, query_text(&q, 0));
	ok(f, query_close(&q));
	return text;
}

static const char *all_rows(struct store_fixture *f)
{
	return rows_of(f, "job");
}

static const char *forget_rows(struct store_fixture *f)
{
	const char *rows = all_rows(f);

	ok(f, store_exec(&f->store, "DELETE FROM job"));
	return rows;
}

static void test_blank(void **state)
{
	struct store_fixture *f = *state;
	const char *wanted;
	struct job job;

	job_init(&job);
	job.cluster = f->cluster;
	job.id = 7;
	job.submit = T0;
	save_job(f, &job);
	wanted = forget_rows(f);
	ok(f, store_exec(&f->store,
		      "INSERT INTO job (cluster, id, submit, modified)"
		      " SELECT id, 7, 1760000000, 1760000000 FROM cluster"));
	assert_string_equal(all_rows(f), wanted);
}

/* Every third job has what the others have not. */
static void make_jobs(struct store_fixture *f, struct job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct job *job = &jobs[i];

		job_init(job);
		job->cluster = f->cluster;
		job->id = (uint32_t)(i + 1);
		job->submit = T0 + (int64_t)i;
		job->user = i % 2 ? "ann" : "bob";
		tres_list_set(&job->tres_req, &f->arena, TRES_CPU, i + 1);
		if (i % 3)
			continue;
		job->comment = "a third";
		job->time_limit = i % 2 ? INFINITE : 60;
		job->mem_req = 1000 * i;
		job->billing = 0.5 * (double)i;
		job->cpus_req = (uint32_t)i;
		job->start = job->submit + 10;
		job->end = job->submit + 500;
	}
}

static void in_groups(
	struct store_fixture *f, struct job *jobs, size_t n, size_t group)
{
	struct job_bulk *bulk = job_bulk_open(&f->store, &f->policy);

	assert_non_null(bulk);
	ok(f, job_bulk_prepare(bulk, true));
	ok(f, job_bulk_begin(bulk));
	for (size_t i = 0; i < n; i += group) {
		size_t size = n - i < group ? n - i : group;
		struct job *list[8];

		for (size_t k = 0; k < size; k++)
			list[k] = &jobs[i + k];
		ok(f, job_bulk_insert(bulk, list, size));
		for (size_t k = 0; k < size; k++)
			assert_true(list[k]->key == (int64_t)(i + k + 1));
	}
	ok(f, job_bulk_commit(bulk));
	ok(f, job_bulk_finish(bulk));
	job_bulk_close(bulk);
}

static void test_groups(void **state)
{
	struct store_fixture *f = *state;
	struct job jobs[20];
	const char *wanted;

	make_jobs(f, jobs, 20);
	ok(f, store_begin_bulk(&f->store));
	for (size_t i = 0; i < 20; i++)
		ok(f, job_save(&f->store, &f->policy, &jobs[i]));
	ok(f, store_commit_bulk(&f->store));
	wanted = forget_rows(f);
	for (size_t group = 1; group <= 8; group++) {
		make_jobs(f, jobs, 20);
		in_groups(f, jobs, 20, group);
		assert_string_equal(forget_rows(f), wanted);
	}
}

/* What is on record, or stands twice in the group, is for job_bulk_replace. */
static void test_known(void **state)
{
	struct store_fixture *f = *state;
	struct job jobs[6], *list[6];
	struct job_bulk *bulk = job_bulk_open(&f->store, &f->policy);

	assert_non_null(bulk);
	make_jobs(f, jobs, 6);
	for (size_t i = 0; i < 6; i++)
		list[i] = &jobs[i];
	ok(f, job_bulk_begin(bulk));
	ok(f, job_bulk_insert(bulk, &list[2], 1));
	jobs[5] = jobs[4];
	jobs[5].name = "later";
	ok(f, job_bulk_insert(bulk, list, 6));
	assert_int_equal(jobs[0].key, 2);
	assert_int_equal(jobs[1].key, 3);
	assert_int_equal(jobs[2].key, 0);
	assert_int_equal(jobs[3].key, 4);
	assert_int_equal(jobs[4].key, 5);
	assert_int_equal(jobs[5].key, 0);
	assert_int_equal(job_bulk_replace(bulk, &jobs[2]), JOB_SAME);
	assert_int_equal(job_bulk_replace(bulk, &jobs[5]), JOB_CHANGED);
	assert_int_equal(jobs[2].key, 1);
	assert_int_equal(jobs[5].key, 5);
	ok(f, job_bulk_commit(bulk));
	job_bulk_close(bulk);
}

/* What only the second group has, and what no step has. */
static void test_steps(void **state)
{
	struct store_fixture *f = *state;
	struct step steps[3], *list[3];
	struct job_bulk *bulk;
	const char *wanted;
	struct job job;

	make_jobs(f, &job, 1);
	save_job(f, &job);
	for (int i = 0; i < 3; i++) {
		list[i] = &steps[i];
		step_init(list[i]);
		steps[i].job = job.key;
		steps[i].id = i;
	}
	steps[2].task_dist = "Cyclic";
	steps[2].tasks = 4;
	steps[2].nodes = 0;
	steps[2].name = "calc";
	for (int i = 0; i < 3; i++)
		ok(f, step_save(&f->store, list[i]));
	wanted = rows_of(f, "step");
	ok(f, store_exec(&f->store, "DELETE FROM step"));
	bulk = job_bulk_open(&f->store, &f->policy);
	assert_non_null(bulk);
	ok(f, job_bulk_begin(bulk));
	ok(f, job_bulk_steps(bulk, list, 1));
	ok(f, job_bulk_steps(bulk, list + 1, 2));
	/* Once more, with what the first had not. */
	steps[0].name = "other";
	ok(f, job_bulk_steps(bulk, list, 1));
	steps[0].name = "";
	ok(f, job_bulk_steps(bulk, list, 1));
	ok(f, job_bulk_commit(bulk));
	job_bulk_close(bulk);
	assert_string_equal(rows_of(f, "step"), wanted);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(test_blank, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(test_groups, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(test_known, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(test_steps, setup, store_fixture_teardown))
