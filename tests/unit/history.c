/*
 * Reports on a big store: what is asked for is found by an index, never by
 * reading all jobs (db/job/history.h).
 */
#include <string.h>

#include "common/base/numbers.h"
#include "db/job/history.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000 };

static int setup(void **state)
{
	static struct store_fixture f;

	store_fixture_open(&f, T0);
	/* A job before every window: without one nothing need be searched. */
	ok(&f, store_exec(&f.store, "INSERT INTO job (cluster, id, submit,"
				    " modified) VALUES (1, 1, 5, 5)"));
	*state = &f;
	return 0;
}

/* The plan has the step, and no table of jobs is read from end to end. */
static void plans(struct store_fixture *f, const struct history_cond *cond,
	const char *step)
{
	struct strv lines = {0};
	bool found = false;

	ok(f, history_explain(&f->store, cond, &f->arena, &lines));
	for (size_t i = 0; i < lines.n; i++) {
		const char *line = lines.v[i];

		if (!strncmp(line, "SCAN j", 6) ||
			!strncmp(line, "SCAN t", 6) ||
			!strncmp(line, "SCAN n", 6))
			fail_msg("%s", line);
		found |= strstr(line, step) != NULL;
	}
	if (!found)
		fail_msg("no step '%s' in\n%s", step,
			strv_join(&lines, "\n", &f->arena));
}

static struct history_cond week(struct store_fixture *f)
{
	return (struct history_cond){
		.clusters = &f->cluster,
		.n_clusters = 1,
		.from = T0 - 7 * 86400,
		.until = T0,
	};
}

static void test_user(void **state)
{
	struct store_fixture *f = *state;
	struct history_cond cond = week(f);

	strv_push(&cond.users, &f->arena, "amy");
	plans(f, &cond, "j USING INDEX job_assoc (assoc=? AND end>?");
	plans(f, &cond, "j USING INDEX job_assoc (assoc=? AND end=? AND eli");
	plans(f, &cond, "j USING INDEX job_user (user=? AND end>?");
	plans(f, &cond, "j USING INDEX job_user (user=? AND end=? AND eli");
	plans(f, &cond, "assoc_user (user=?)");
	cond.states = JOB_STATE_BIT(JOB_FAILED);
	plans(f, &cond, "job_assoc (assoc=? AND end>? AND end<?");
	cond.duplicates = true;
	plans(f, &cond, "job_assoc (assoc=? AND end>? AND end<?");
}

static void test_account(void **state)
{
	struct store_fixture *f = *state;
	struct history_cond cond = week(f);

	strv_push(&cond.accounts, &f->arena, "phys");
	plans(f, &cond, "j USING INDEX job_assoc (assoc=? AND end>?");
	plans(f, &cond, "j USING INDEX job_account (account=? AND end>?");
	plans(f, &cond, "(account=?)");
}

static void test_everybody(void **state)
{
	struct store_fixture *f = *state;
	struct history_cond cond = week(f);

	plans(f, &cond, "j USING INDEX job_end (end>?");
	cond.states = JOB_STATE_BIT(JOB_RUNNING);
	plans(f, &cond, "j USING INDEX job_end (end>?");
	cond.n_clusters = 0;
	plans(f, &cond, "j USING INDEX job_end (end>?");
}

static void test_numbers(void **state)
{
	struct store_fixture *f = *state;
	struct history_cond cond = week(f);
	struct history_ref refs[] = {
		{.id = 7,
			.task = NO_VAL,
			.offset = NO_VAL,
			.step = HISTORY_ALL},
		{.id = 7, .task = 1, .offset = NO_VAL, .step = HISTORY_ALL},
		{.id = 7, .task = NO_VAL, .offset = 1, .step = HISTORY_ALL},
		{.sluid = 5,
			.task = NO_VAL,
			.offset = NO_VAL,
			.step = HISTORY_ALL},
	};

	cond.refs = refs;
	cond.n_refs = 4;
	cond.whole_het = true;
	plans(f, &cond, "SEARCH j USING INTEGER PRIMARY KEY");
	plans(f, &cond, "(cluster=? AND id=?)");
	plans(f, &cond, "job_array (cluster=? AND array_job=?)");
	plans(f, &cond, "job_het (cluster=? AND het_job=?)");
	plans(f, &cond, "job_submit (submit=?)");
}

/* All there is comes in order of the index: the sorter has little to do. */
static void test_everything(void **state)
{
	struct store_fixture *f = *state;
	struct history_cond cond = week(f);
	struct strv lines = {0};
	char *plan;

	cond.from = 0;
	ok(f, history_explain(&f->store, &cond, &f->arena, &lines));
	plan = strv_join(&lines, "\n", &f->arena);
	if (!strstr(plan, "USING INDEX job_submit") ||
		!strstr(plan, "PART OF ORDER BY"))
		fail_msg("%s", plan);
}

RUN_TESTS(setup, store_fixture_teardown,
	cmocka_unit_test(test_user),
	cmocka_unit_test(test_account),
	cmocka_unit_test(test_everybody),
	cmocka_unit_test(test_numbers),
	cmocka_unit_test(test_everything))
