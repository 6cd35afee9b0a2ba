/*
 * Why jobs wait (common/plan/verdict.h), on random queues of a small cluster with
 * limits, holds, begin times, dependencies, arrays, reservations, recorded reasons
 * and several partitions: what squeue
 * finds, which makes the backfill pass only where it may say otherwise, is what
 * is found after it, as splan and sprio --explain have it; a limit that is named
 * is one that forbids the start; and a dry run lists those whose answer a change
 * moves, and no others. Chance is seeded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/jobstate.h"
#include "common/text/reason.h"
#include "db/store/query.h"
#include "db/view/queue.h"
#include "db/whatif/dry_run.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/session_fixture.h"

enum { NOW = 1780000000, QUEUES = 1000, JOBS = 14, USERS = 4, RUNS_OF = 50 };

static struct session_fixture f;
static int64_t users[USERS];
static size_t seen[REASON_TRES + 1];
static size_t waited, behind, named, never, listed;

static void done(int rc)
{
	if (rc)
		fail_msg("%s", f.s.err.text);
}

static const char *const lines[] = {"ClusterName=t",
	"AccountingStorageEnforce=limits,qos", "PriorityWeightFairshare=1000",
	"PriorityType=priority/multifactor", "PriorityWeightQOS=1000",
	"SelectTypeParameters=CR_Core_Memory",
	"NodeName=n[1-3] CPUs=8 RealMemory=8000",
	"PartitionName=a Nodes=n[1-2] Default=YES MaxTime=600",
	"PartitionName=b Nodes=n[2-3] MaxTime=60 PriorityTier=2",
	"PartitionName=c Nodes=n3 MaxNodes=1"};

static int setup(void **state)
{
	struct strv conf = {0};

	seed = 33;
	session_fixture_open(&f, NOW);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		strv_push(&conf, &f.t.arena, lines[i]);
	done(conf_load_with(
			 &f.s.site.conf, NULL, &conf, &f.t.arena, &f.s.err));
	f.s.site.cluster = "t";
	add_assoc(&f.t, "root", "lab", "");
	add_users(&f.t, "lab", users, 0, USERS);
	done(store_exec(&f.t.store, "INSERT INTO qos (name, description, created, modified)"
			 " VALUES ('q', '', 0, 0)"));
	done(store_load_catalogs(&f.t.store));
	done(store_exec(&f.t.store,
			 "INSERT INTO reservation (cluster, id, name, start,"
			 " end, nodes) SELECT id, 1, 'now', 1779999900,"
			 " 1780003000, 'n1' FROM cluster UNION"
			 " SELECT id, 2, 'soon', 1780001800, 1780009000, 'n2'"
			 " FROM cluster UNION SELECT id, 3, 'short', 1779999990,"
			 " 1780000030, 'n3' FROM cluster"));
	return 0;
}

static int teardown(void **state)
{
	session_fixture_close(&f);
	return 0;
}

/* ---- a queue -------------------------------------------------------------*/

static const char *one_of(const char *const *v, uint32_t n)
{
	return v[chance(n)];
}

static void ask(struct job *job, uint32_t id)
{
	static const char *const parts[] = {
		"a", "b", "c", "a,b", "b,c", "a,b,c"};
	static const char *const names[] = {"u0", "u1", "u2", "u3"};
	static const char *const depends[] = {
		"", "", "", "", "", "", "afterany:1", "afterok:99", "singleton"};
	static const char *const recorded[16] = {"", "", "", "", "", "", "",
		"Priority", "Resources", "None", "NodeDown", "AssocGrpCpuLimit",
		"Foo", "Cleaning", "JobHoldMaxRequeue", "BadConstraints"};
	static const char *const reservations[12] = {
		"", "", "", "", "", "", "", "", "now", "soon", "short", "gone"};
	static const char *const arrays[] = {"1-3", "1-6%2", "5"};
	uint32_t who = chance(USERS);

	job_init(job);
	job->cluster = f.t.cluster;
	job->id = id;
	job->user = names[who];
	job->account = "lab";
	job->assoc = users[who];
	job->qos = 1 + chance(2);
	job->name = "x";
	job->partition = one_of(parts, 6);
	job->submit = job->eligible = NOW - 5000 + id;
	job->nodes_req = job->nodes_max = 1 + chance(2) * chance(2);
	job->cpus_req = job->nodes_req * (1 + chance(8));
	job->time_limit = 10 + chance(90);
	job->time_min = chance(6) ? NO_VAL : 5;
	job->hold = chance(12) ? HOLD_NONE : HOLD_USER;
	job->reason = one_of(recorded, 16);
	job->reservation = one_of(reservations, 12);
	job->dependency = one_of(depends, 9);
	if (!chance(6)) {
		job->array_job = chance(2) ? id : RUNS_OF;
		job->array_tasks = one_of(arrays, 3);
	}
	if (!chance(12))
		job->begin = job->eligible = NOW + 600;
	tres_list_set(&job->tres_req, &f.s.arena, TRES_CPU, job->cpus_req);
	tres_list_set(&job->tres_req, &f.s.arena, TRES_NODE, job->nodes_req);
}

static void run(struct job *job, uint32_t node)
{
	static const char *const nodes[] = {"n1", "n2", "n3"};

	job->state = JOB_RUNNING;
	job->partition = node == 2 ? "c" : "a";
	job->reservation = job->reason = job->dependency = job->array_tasks = "";
	job->array_job = RUNS_OF;
	job->array_task = node + 10;
	job->nodelist = nodes[node];
	job->nodes_alloc = job->nodes_req = 1;
	job->cpus_req = 1 + chance(8);
	job->start = NOW - 60;
	job->wall_limit = job->time_limit;
	tres_list_set(&job->tres_req, &f.s.arena, TRES_CPU, job->cpus_req);
	tres_list_set(&job->tres_req, &f.s.arena, TRES_NODE, 1);
	job->tres_alloc = job->tres_req;
}

static const struct {
	const char *before;
	unsigned unit;
	const char *behind;
} limits[] = {
	{"UPDATE assoc SET max_jobs = ", 1, " WHERE user = 'u1'"},
	{"UPDATE assoc SET grp_jobs = ", 1,
		" WHERE account = 'lab' AND user = ''"},
	{"UPDATE qos SET max_jobs_pu = ", 1, " WHERE name = 'q'"},
	{"UPDATE qos SET max_wall_pj = ", 20, " WHERE name = 'q'"},
	{"UPDATE assoc SET max_wall_pj = ", 20, " WHERE user = 'u2'"},
	/* CPUs: GrpTRES, GrpTRESRunMins, MaxTRES, MaxTRESPerUser, MinTRES */
	{"INSERT OR REPLACE INTO assoc_tres SELECT key, 0, 1, ", 8,
		" FROM assoc WHERE account = 'lab' AND user = ''"},
	{"INSERT OR REPLACE INTO assoc_tres SELECT key, 2, 1, ", 400,
		" FROM assoc WHERE account = 'lab' AND user = ''"},
	{"INSERT OR REPLACE INTO assoc_tres SELECT key, 3, 1, ", 2,
		" FROM assoc WHERE user = 'u3'"},
	{"INSERT OR REPLACE INTO qos_tres SELECT id, 6, 1, ", 4,
		" FROM qos WHERE name = 'q'"},
	{"INSERT OR REPLACE INTO qos_tres SELECT id, 10, 1, ", 2,
		" FROM qos WHERE name = 'q'"},
};

static void limit(struct store *store)
{
	uint32_t i = chance(sizeof(limits) / sizeof(*limits));
	char sql[160];

	snprintf(sql, sizeof(sql), "%s%u%s", limits[i].before,
		chance(4) * limits[i].unit, limits[i].behind);
	done(store_exec(store, sql));
}

static void make_queue(void)
{
	done(store_begin_bulk(&f.t.store));
	done(store_exec(&f.t.store, "DELETE FROM job; DELETE FROM assoc_tres;"
				    "DELETE FROM qos_tres"));
	done(store_exec(&f.t.store,
			 "UPDATE assoc SET max_jobs = NULL, grp_jobs = NULL,"
			 " max_wall_pj = NULL"));
	done(store_exec(&f.t.store,
			 "UPDATE qos SET max_jobs_pu = NULL, max_wall_pj = NULL"));
	for (uint32_t i = chance(4); i > 0; i--)
		limit(&f.t.store);
	for (uint32_t id = 1; id <= JOBS; id++) {
		struct job job;

		ask(&job, id);
		if (id <= 3)
			run(&job, id - 1);
		done(job_save(&f.t.store, &f.t.policy, &job));
	}
	done(store_commit_bulk(&f.t.store));
}

/* ---- the answers ---------------------------------------------------------*/

static void check_verdict(const struct plan *plan, const struct sched_job *job)
{
	struct verdict v = verdict_of(&plan->schedule, job);

	assert_true((v.when == VERDICT_NOW) == (job->n_starts > 0));
	assert_true(v.reason != REASON_RECORDED || v.when == VERDICT_OPEN);
	assert_true(!job->waits || !job->n_starts);
	seen[v.reason < REASON_TRES ? v.reason : REASON_TRES]++;
	assert_true(!v.start == (v.when > VERDICT_NOT_BEFORE));
	assert_true(!v.limited || reason_is_limit(v.reason));
	if (v.when == VERDICT_NEVER)
		assert_memory_equal(
			verdict_help(&v, plan->arena), "a change", 8);
	named += v.limited != NULL;
	never += v.when == VERDICT_NEVER;
	behind += job->main_reason == REASON_PRIORITY && v.limited;
}

static void check_queue(struct arena *arena)
{
	struct queue queue;
	struct plan full;

	done(queue_open(&queue, &f.s.site, "t", arena));
	done(plan_make(&full, &f.s.site, "t", NOW, NULL, arena));
	plan_backfill(&full);
	for (size_t i = 0; i < full.jobs.n; i++) {
		const struct sched_job *job =
			plan_find(&full, &full.jobs.v[i]);
		const struct queue_row row = {
			.queue = &queue, .job = &queue.plan.jobs.v[i]};

		if (!job)
			continue;
		assert_string_equal(queue_reason(&row),
			plan_reason_word(&full, &full.jobs.v[i]));
		assert_string_not_equal(queue_reason(&row), "None");
		check_verdict(&full, job);
		waited++;
	}
}

/* ---- a dry run -----------------------------------------------------------*/

/* What it says of a job: why it waits, or nothing of one that starts. */
static const char *answer(struct plan *plan, size_t i)
{
	const struct sched_job *job = plan_find(plan, &plan->jobs.v[i]);

	if (!job || job->n_starts)
		return job ? "starts now" : "RUNNING";
	return plan_reason_word(plan, &plan->jobs.v[i]);
}

static void check_dry_run(struct arena *arena)
{
	struct site after = f.s.site;
	struct dry_run d;
	struct plan was, is;
	size_t told = 0;

	f.s.site.store = f.t.store;
	done(store_open_private(&after.store, &f.s.site.store));
	after.store.now = f.t.store.now;
	after.store.err = &f.s.err;
	limit(&after.store);
	done(plan_make(&was, &f.s.site, "t", NOW, NULL, arena));
	done(plan_make(&is, &after, "t", NOW, NULL, arena));
	plan_backfill(&was);
	plan_backfill(&is);
	done(dry_run_compare(&d, &f.s.site, &after, NULL, 0, DRY_RUN_ALL,
			 arena));
	for (size_t i = 0; i < was.jobs.n; i++) {
		const char *before = answer(&was, i), *now = answer(&is, i);

		if (!strcmp(before, now))
			continue;
		assert_true(told < d.waiting.n);
		assert_int_equal(d.waiting.v[told].id, was.jobs.v[i].id);
		assert_string_equal(d.waiting.v[told].was, before);
		assert_string_equal(d.waiting.v[told++].is, now);
	}
	assert_int_equal(told, d.waiting.n);
	listed += told;
	store_close(&after.store);
}

static void agree(void **state)
{
	static const unsigned expected[] = {REASON_PRIORITY, REASON_RESOURCES,
		REASON_DEPENDENCY, REASON_DEPENDENCY_NEVER, REASON_HELD_USER,
		REASON_BEGIN_TIME, REASON_ARRAY_TASK_LIMIT, REASON_RESERVATION,
		REASON_MAX_REQUEUE, REASON_BAD_CONSTRAINTS, REASON_CLEANING,
		REASON_RECORDED, REASON_PARTITION_NODE_LIMIT,
		REASON_PARTITION_TIME_LIMIT, REASON_ASSOC_MAX_JOBS,
		REASON_ASSOC_GRP_JOBS, REASON_QOS_MAX_JOBS_PU,
		REASON_QOS_MAX_WALL, REASON_ASSOC_MAX_WALL, REASON_TRES};
	const char *text = getenv("BURSAR_QUEUES"); /* thousands, by hand */
	size_t queues = text ? strtoul(text, NULL, 10) : QUEUES;
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < queues; i++) {
		make_queue();
		f.s.site.store = f.t.store;
		check_queue(&arena);
		if (i % 10 == 0)
			check_dry_run(&arena);
		arena_reset(&arena);
		arena_reset(&f.s.arena);
	}
	arena_release(&arena);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (!seen[expected[i]])
			fail_msg("no job waited for %s",
				reason_name(expected[i]));
	print_message("%zu waited, %zu limits, %zu of them behind others, "
		      "%zu never, %zu listed\n",
		waited, named, behind, never, listed);
	assert_true(named > queues && behind > queues / 10 &&
		    never > queues && listed > queues / 10);
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(agree))
