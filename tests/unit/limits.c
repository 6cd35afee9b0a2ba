/*
 * Limits: which one wins, every kind with its reason, submissions, and every
 * name in src/common/job_state_reason.c of Slurm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fair/limits.h"
#include "common/table/assoc.h"
#include "common/table/qos.h"
#include "common/text/reason.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

enum { GPU = 1001, LICENSE, BB };

static const struct tres tres[] = {
	{TRES_CPU, "cpu", ""},
	{TRES_MEM, "mem", ""},
	{TRES_ENERGY, "energy", ""},
	{TRES_NODE, "node", ""},
	{TRES_BILLING, "billing", ""},
	{TRES_VMEM, "vmem", ""},
	{GPU, "gres", "gpu"},
	{LICENSE, "license", "licA"},
	{BB, "bb", "cray"},
};
static const struct tres_catalog catalog = {tres, LENGTH(tres)};

/* Partition QOS, job QOS, association, account, root. */
enum { PART, QOS, USER, LAB, ROOT, LEVELS };
static struct limit_level levels[LEVELS];
static struct limit_usage usage[LEVELS], by_user[2], by_account[2];
static struct limit_chain chain;
static struct tres_list asked;
static struct limit_job job;

static int reset(void **state)
{
	arena_reset(&arena);
	memset(usage, 0, sizeof(usage));
	memset(by_user, 0, sizeof(by_user));
	memset(by_account, 0, sizeof(by_account));
	for (size_t i = 0; i < LEVELS; i++) {
		limit_level_init(&levels[i]);
		levels[i].all = &usage[i];
		levels[i].qos = i <= QOS;
	}
	for (size_t i = 0; i < 2; i++) {
		levels[i].user = &by_user[i];
		levels[i].account = &by_account[i];
	}
	chain = (struct limit_chain){
		.levels = levels,
		.n = LEVELS,
		.n_qos = 2,
		.usage_factor = 1,
		.default_time = NO_VAL,
		.max_time = INFINITE,
		.catalog = &catalog,
	};
	asked = (struct tres_list){0};
	tres_list_set(&asked, &arena, TRES_CPU, 5);
	tres_list_set(&asked, &arena, TRES_MEM, 1000);
	tres_list_set(&asked, &arena, TRES_NODE, 1);
	tres_list_set(&asked, &arena, GPU, 2);
	job = (struct limit_job){.tres = &asked, .time_limit = 20, .tasks = 1};
	return 0;
}

static void limit(int level, enum limit_tres kind, uint32_t id, uint64_t count)
{
	tres_list_set(&levels[level].tres[kind], &arena, id, count);
}

static void starts(const char *reason)
{
	assert_string_equal(reason_name(limits_start(&chain, &job)), reason);
}

static void submits(const char *reason)
{
	assert_string_equal(reason_name(limits_submit(&chain, &job)), reason);
}

/* ---- which wins ----------------------------------------------------------*/

static void nothing_is_no_limit(void **state)
{
	starts("None");
	submits("None");
	chain.n = chain.n_qos = 0;
	starts("None");
}

/* Partition QOS cpu=6, job QOS cpu=4, association cpu=3. */
static void observed_precedence(void **state)
{
	struct limit_level swap;

	limit(PART, LIMIT_PJ, TRES_CPU, 6);
	limit(QOS, LIMIT_PJ, TRES_CPU, 4);
	limit(USER, LIMIT_PJ, TRES_CPU, 3);
	starts("None");	     /* 6 counts */
	swap = levels[PART]; /* OverPartQOS */
	levels[PART] = levels[QOS];
	levels[QOS] = swap;
	starts("QOSMaxCpuPerJobLimit");
	tres_list_set(&asked, &arena, TRES_CPU, 4);
	chain.levels = &levels[PART]; /* without the partition's */
	levels[QOS].tres[LIMIT_PJ] = (struct tres_list){0};
	starts("None"); /* 4 hides 3 */
	levels[PART].tres[LIMIT_PJ] = (struct tres_list){0};
	starts("AssocMaxCpuPerJobLimit");
}

/* Of nodes the least limit counts that no QOS hides. */
static void most_nodes(void **state)
{
	assert_int_equal(limits_most_nodes(&chain), INFINITE);
	limit(USER, LIMIT_PJ, TRES_NODE, 3);
	limit(USER, LIMIT_GRP, TRES_NODE, 5);
	assert_int_equal(limits_most_nodes(&chain), 3);
	limit(QOS, LIMIT_PJ, TRES_NODE, 8);
	assert_int_equal(limits_most_nodes(&chain), 5);
	limit(QOS, LIMIT_PU, TRES_NODE, 2);
	assert_int_equal(limits_most_nodes(&chain), 2);
}

/* Max limits are inherited: those of an account give way to the user's own. */
static void most_nodes_of_own(void **state)
{
	limit(USER, LIMIT_PJ, TRES_NODE, 8);
	limit(LAB, LIMIT_PJ, TRES_NODE, 3);
	assert_int_equal(limits_most_nodes(&chain), 8);
	limit(ROOT, LIMIT_GRP, TRES_NODE, 4);
	assert_int_equal(limits_most_nodes(&chain), 4);
}

static void hidden_by_tres(void **state)
{
	limit(QOS, LIMIT_PJ, TRES_CPU, 100);
	limit(USER, LIMIT_PJ, TRES_CPU, 1);
	limit(USER, LIMIT_PJ, GPU, 1);
	starts("AssocMaxGRESPerJob");
}

/* A limit from above is told with the level it was set on, with what is in use
 * there whatever round finds it, and with what is asked for. */
static void breach_tells_where_and_how_much(void **state)
{
	struct limit_breach breach;

	limit(USER, LIMIT_PJ, TRES_CPU, 4);
	tres_list_set(&levels[USER].tres_up[LIMIT_PJ], &arena, TRES_CPU, 1);
	limits_start_breach(&chain, &job, &breach);
	assert_ptr_equal(breach.level, &levels[USER]);
	assert_ptr_equal(breach.set_on, &levels[LAB]);
	assert_int_equal(breach.asked, 5);
	assert_false(breach.shared);
	assert_int_equal(limits_in_use(&chain, &breach), 0);
	levels[USER].tres[LIMIT_PJ] = (struct tres_list){0};

	limit(LAB, LIMIT_GRP_RUN_MINS, TRES_CPU, 60);
	tres_list_set(&usage[LAB].run_secs, &arena, TRES_CPU, 90 * 60 + 59);
	limits_start_breach(&chain, &job, &breach);
	assert_ptr_equal(breach.set_on, &levels[LAB]);
	assert_int_equal(breach.asked, 5 * 20);
	assert_true(breach.shared && breach.lasting);
	assert_int_equal(limits_in_use(&chain, &breach), 90);
	levels[LAB].tres[LIMIT_GRP_RUN_MINS] = (struct tres_list){0};

	levels[USER].number[LIMIT_MAX_JOBS] = 3;
	levels[USER].number_up[LIMIT_MAX_JOBS] = 2;
	usage[USER].jobs = 3;
	limits_start_breach(&chain, &job, &breach);
	assert_ptr_equal(breach.set_on, &levels[ROOT]);
	assert_false(breach.lasting);
	assert_int_equal(limits_in_use(&chain, &breach), 3);
}

/* A stricter account above still blocks; Max limits do not come from there. */
static void groups_of_ancestors(void **state)
{
	limit(USER, LIMIT_GRP, TRES_CPU, 50);
	limit(ROOT, LIMIT_GRP, TRES_CPU, 8);
	limit(ROOT, LIMIT_PJ, TRES_CPU, 1);
	starts("None");
	tres_list_set(&usage[ROOT].tres, &arena, TRES_CPU, 4);
	starts("AssocGrpCpuLimit");
	limit(PART, LIMIT_GRP, TRES_CPU, 100);
	starts("None");
}

static void either_hides_max_jobs(void **state)
{
	levels[USER].number[LIMIT_MAX_JOBS] = 1;
	usage[USER].jobs = 1;
	starts("AssocMaxJobsLimit");
	levels[QOS].number[LIMIT_MAX_JOBS_PA] = 9;
	starts("None");
}

static void limit_factor_stretches(void **state)
{
	limit(USER, LIMIT_PJ, TRES_CPU, 3);
	starts("AssocMaxCpuPerJobLimit");
	chain.limit_factor = 2;
	starts("None");
	limit(QOS, LIMIT_PJ, TRES_CPU, 3);
	starts("QOSMaxCpuPerJobLimit");
}

/* What never goes away is said first. */
static void lasting_first(void **state)
{
	levels[USER].number[LIMIT_MAX_JOBS] = 1;
	usage[USER].jobs = 1;
	limit(USER, LIMIT_PJ, TRES_CPU, 4);
	starts("AssocMaxCpuPerJobLimit");
}

static void threshold(void **state)
{
	chain.below_threshold = true;
	starts("QOSUsageThreshold");
}

/* ---- every kind ----------------------------------------------------------*/

static const struct {
	int level;
	enum limit_number kind;
	uint32_t limit;
	const char *reason;
	bool submit;
} numbers[] = {
	{PART, LIMIT_GRP_JOBS, 7, "QOSGrpJobsLimit", false},
	{QOS, LIMIT_GRP_WALL, 7, "QOSGrpWallLimit", false},
	{QOS, LIMIT_MAX_JOBS_PA, 7, "MaxJobsPerAccount", false},
	{QOS, LIMIT_MAX_JOBS_PU, 7, "QOSMaxJobsPerUserLimit", false},
	{QOS, LIMIT_MAX_WALL, 19, "QOSMaxWallDurationPerJobLimit", false},
	{LAB, LIMIT_GRP_JOBS, 7, "AssocGrpJobsLimit", false},
	{ROOT, LIMIT_GRP_WALL, 7, "AssocGrpWallLimit", false},
	{USER, LIMIT_MAX_JOBS, 7, "AssocMaxJobsLimit", false},
	{USER, LIMIT_MAX_WALL, 19, "AssocMaxWallDurationPerJobLimit", false},
	{QOS, LIMIT_GRP_SUBMIT, 7, "QOSGrpSubmitJobsLimit", true},
	{QOS, LIMIT_MAX_SUBMIT_PA, 7, "MaxSubmitJobsPerAccount", true},
	{QOS, LIMIT_MAX_SUBMIT_PU, 7, "QOSMaxSubmitJobPerUserLimit", true},
	{LAB, LIMIT_GRP_SUBMIT, 7, "AssocGrpSubmitJobsLimit", true},
	{USER, LIMIT_MAX_SUBMIT, 7, "AssocMaxSubmitJobLimit", true},
};

/* Everywhere 7 jobs run and 7 minutes were used. */
static void fill_usage(void)
{
	struct limit_usage *const all[] = {&usage[PART], &usage[QOS],
		&usage[USER], &usage[LAB], &usage[ROOT], &by_user[0],
		&by_user[1], &by_account[0], &by_account[1]};

	for (size_t i = 0; i < LENGTH(all); i++) {
		all[i]->jobs = all[i]->submit = 7;
		all[i]->wall = 7 * 60 + 59;
		for (size_t t = 0; t < asked.n; t++) {
			uint32_t id = asked.v[t].id;

			tres_list_set(&all[i]->tres, &arena, id, 100);
			tres_list_set(&all[i]->run_secs, &arena, id, 6000);
			tres_list_set(&all[i]->used_secs, &arena, id, 6059);
		}
	}
}

/* At the limit it blocks, one above it does not. */
static void every_number(void **state)
{
	for (size_t i = 0; i < LENGTH(numbers); i++) {
		uint32_t *number;

		reset(state);
		fill_usage();
		number = &levels[numbers[i].level].number[numbers[i].kind];
		*number = numbers[i].limit;
		if (numbers[i].submit)
			submits(numbers[i].reason);
		else
			starts(numbers[i].reason);
		++*number;
		if (numbers[i].submit)
			submits("None");
		else
			starts("None");
	}
}

/* What is broken refuses a job at once only where its row says so; under
 * DenyOnLimit what it asks for does, too. */
static void submission(const char *reason, bool refuses, bool asked_for)
{
	chain.deny = false;
	submits(refuses ? reason : "None");
	chain.deny = true;
	submits(refuses || asked_for ? reason : "None");
	chain.deny = false;
}

static void numbers_at_submission(void **state)
{
	bool seen[LIMIT_NUMBERS] = {false};

	for (size_t i = 0; i < LENGTH(numbers); i++) {
		uint32_t *number;
		bool wall = numbers[i].kind == LIMIT_MAX_WALL ||
			    numbers[i].kind == LIMIT_GRP_WALL;

		reset(state);
		fill_usage();
		number = &levels[numbers[i].level].number[numbers[i].kind];
		*number = numbers[i].limit;
		submission(numbers[i].reason, numbers[i].submit, wall);
		seen[numbers[i].kind] = true;
	}
	for (int kind = 0; kind < LIMIT_NUMBERS; kind++)
		if (!seen[kind])
			fail_msg("limit %d has no row among the numbers here",
				kind);
}

static const struct {
	int level;
	enum limit_tres kind;
	uint64_t most; /* the least limit that lets the job through */
	const char *reason;
} lists[] = {
	{QOS, LIMIT_GRP, 105, "QOSGrpCpuLimit"},
	{QOS, LIMIT_GRP_MINS, 101, "QOSGrpCPUMinutesLimit"},
	{QOS, LIMIT_GRP_RUN_MINS, 200, "QOSGrpCPURunMinutesLimit"},
	{QOS, LIMIT_PJ, 5, "QOSMaxCpuPerJobLimit"},
	{QOS, LIMIT_PN, 5, "QOSMaxCpuPerNode"},
	{QOS, LIMIT_MINS_PJ, 100, "QOSMaxCpuMinutesPerJobLimit"},
	{QOS, LIMIT_PA, 105, "MaxCpuPerAccount"},
	{QOS, LIMIT_PU, 105, "QOSMaxCpuPerUserLimit"},
	{QOS, LIMIT_RUN_MINS_PA, 200, "MaxCpuRunMinsPerAccount"},
	{QOS, LIMIT_RUN_MINS_PU, 200, "MaxCpuRunMinsPerUser"},
	{LAB, LIMIT_GRP, 105, "AssocGrpCpuLimit"},
	{ROOT, LIMIT_GRP_MINS, 101, "AssocGrpCPUMinutesLimit"},
	{USER, LIMIT_GRP_RUN_MINS, 200, "AssocGrpCPURunMinutesLimit"},
	{USER, LIMIT_PJ, 5, "AssocMaxCpuPerJobLimit"},
	{USER, LIMIT_PN, 5, "AssocMaxCpuPerNode"},
	{USER, LIMIT_MINS_PJ, 100, "AssocMaxCpuMinutesPerJobLimit"},
};

static void every_list(void **state)
{
	for (size_t i = 0; i < LENGTH(lists); i++) {
		reset(state);
		fill_usage();
		limit(lists[i].level, lists[i].kind, TRES_CPU, lists[i].most);
		starts("None");
		limit(lists[i].level, lists[i].kind, TRES_CPU,
			lists[i].most - 1);
		starts(lists[i].reason);
	}
}

static void lists_at_submission(void **state)
{
	bool seen[LIMIT_TRES_LISTS] = {[LIMIT_MIN_PJ] = true};

	for (size_t i = 0; i < LENGTH(lists); i++) {
		reset(state);
		limit(lists[i].level, lists[i].kind, TRES_CPU, 1);
		submission(lists[i].reason, false, true);
		seen[lists[i].kind] = true;
	}
	reset(state);
	limit(QOS, LIMIT_MIN_PJ, TRES_CPU, 6);
	submission("QOSMinCpuNotSatisfied", false, true);
	for (int kind = 0; kind < LIMIT_TRES_LISTS; kind++)
		if (!seen[kind])
			fail_msg("list %d has no row among the lists here",
				kind);
}

/* Gives every member that can be set a value of its own. */
static void set_all(const struct members *members, void *record)
{
	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];
		char *at = (char *)record + m->offset;
		uint32_t number = 1000 + (uint32_t)i;

		if (m->type == MEMBER_LIMIT || m->type == MEMBER_MINUTES)
			memcpy(at, &number, sizeof(number));
		else if (m->type == MEMBER_TRES && !m->get)
			tres_list_set((struct tres_list *)(void *)at, &arena,
				TRES_CPU, number);
	}
}

struct taken {
	const struct members *members;
	const void *record;
	size_t n;
};

/* The limit is that of the member which its word sets in sacctmgr. */
static void takes(void *arg, const struct limit_breach *breach)
{
	struct taken *taken = arg;
	const struct member *m = settings_word(
		taken->members, breach->word, strlen(breach->word), false);
	const char *at = (const char *)taken->record + m->offset;
	struct tres_list list;
	uint32_t number;

	if (breach->tres) {
		memcpy(&list, at, sizeof(list));
		number = (uint32_t)tres_list_get(&list, breach->tres);
	} else {
		memcpy(&number, at, sizeof(number));
	}
	if (number != breach->limit)
		fail_msg("%s is %u, not %u", breach->word, number,
			(unsigned)breach->limit);
	taken->n++;
}

static void members_are_limits(void **state)
{
	struct qos qos;
	struct assoc assoc;
	struct taken of_qos = {&qos_members, &qos, 0};
	struct taken of_assoc = {&assoc_members, &assoc, 0};

	qos_init(&qos);
	set_all(&qos_members, &qos);
	limit_level_of_qos(&levels[QOS], &qos);
	chain.levels = &levels[QOS];
	chain.n = chain.n_qos = 1;
	limits_each(&chain, takes, &of_qos);
	assert_int_equal(of_qos.n, LIMIT_NUMBERS + LIMIT_TRES_LISTS - 2);
	assoc_init(&assoc);
	set_all(&assoc_members, &assoc);
	limit_level_of_assoc(&levels[USER], &assoc);
	chain.levels = &levels[USER];
	chain.n_qos = 0;
	limits_each(&chain, takes, &of_assoc);
	assert_int_equal(of_assoc.n, 12);
	/* Without own values it has those of the level above, but for Grp*. */
	limit_level_init(&levels[LAB]);
	limit_level_inherit(&levels[LAB], &levels[USER], &arena);
	chain.levels = &levels[LAB];
	of_assoc.n = 0;
	limits_each(&chain, takes, &of_assoc);
	assert_int_equal(of_assoc.n, 6);
}

static void least_amounts(void **state)
{
	limit(QOS, LIMIT_MIN_PJ, TRES_CPU, 5);
	starts("None");
	limit(QOS, LIMIT_MIN_PJ, TRES_CPU, 6);
	starts("QOSMinCpuNotSatisfied");
	levels[QOS].tres[LIMIT_MIN_PJ] = (struct tres_list){0};
	limit(QOS, LIMIT_MIN_PJ, LICENSE, 1);
	starts("QOSMinLicense");
}

/* `safe` counts what the job and the running ones may use yet. */
static const struct {
	int level;
	enum limit_tres kind;
	uint64_t reached; /* by the job itself, or by all */
	const char *reason;
} reached[] = {
	{QOS, LIMIT_GRP_MINS, 6059 / 60, "QOSGrpCPUMinutesLimit"},
	{PART, LIMIT_MINS_PJ, 40, "QOSMaxCpuMinutesPerJobLimit"},
	{LAB, LIMIT_GRP_MINS, 6059 / 60, "AssocGrpCPUMinutesLimit"},
	{USER, LIMIT_MINS_PJ, 40, "AssocMaxCpuMinutesPerJobLimit"},
};

static void reaches(const char *reason)
{
	static struct tres_count counts[] = {{TRES_CPU, 4}};
	static const struct tres_list used = {counts, 1, 1};
	const struct limit_job running = {.tres = &used, .tasks = 1};

	assert_string_equal(
		reason_name(limits_reached(&chain, &running, 10 * 60)), reason);
}

/* Of a running job: at the limit it is to be ended, below it may go on. */
static void reached_limits(void **state)
{
	for (size_t i = 0; i < LENGTH(reached); i++) {
		struct tres_list *list;

		reset(state);
		fill_usage();
		list = &levels[reached[i].level].tres[reached[i].kind];
		tres_list_set(list, &arena, TRES_CPU, reached[i].reached);
		reaches(reached[i].reason);
		chain.safe = true;
		reaches("None");
		chain.safe = false;
		tres_list_set(list, &arena, TRES_CPU, reached[i].reached + 1);
		reaches("None");
	}
	reset(state);
	fill_usage();
	levels[LAB].number[LIMIT_GRP_WALL] = 7;
	reaches("AssocGrpWallLimit");
	levels[LAB].number[LIMIT_GRP_WALL] = INFINITE;
	levels[ROOT].number[LIMIT_GRP_WALL] = 7;
	reaches("None");
}

static void safe_limits(void **state)
{
	fill_usage();
	limit(LAB, LIMIT_GRP_MINS, TRES_CPU, 300);
	starts("None");
	chain.safe = true;
	starts("None"); /* 100 + 100 of 300 - 100 */
	limit(LAB, LIMIT_GRP_MINS, TRES_CPU, 299);
	starts("AssocGrpCPUMinutesLimit");
}

static void usage_factor(void **state)
{
	fill_usage();
	limit(QOS, LIMIT_MINS_PJ, TRES_CPU, 100);
	chain.usage_factor = 2;
	starts("None");
	chain.usage_factor_safe = true;
	starts("QOSMaxCpuMinutesPerJobLimit");
	reset(state);
	fill_usage();
	limit(QOS, LIMIT_GRP_MINS, TRES_CPU, 50);
	starts("QOSGrpCPUMinutesLimit");
	chain.usage_factor = 0;
	starts("None");
}

/* Nodes the group has already are not counted twice. */
static void shared_nodes(void **state)
{
	uint32_t running[4] = {0, 3, 0, 0};
	const uint32_t nodes[] = {0, 1};

	usage[LAB].node_jobs = running;
	tres_list_set(&usage[LAB].tres, &arena, TRES_NODE, 1);
	tres_list_set(&asked, &arena, TRES_NODE, 2);
	limit(LAB, LIMIT_GRP, TRES_NODE, 2);
	starts("AssocGrpNodeLimit");
	job.anywhere = true;
	starts("None");
	job.anywhere = false;
	job.nodes = nodes;
	job.n_nodes = 2;
	starts("None");
	limits_begin(&chain, &job, &arena);
	assert_int_equal(tres_list_get(&usage[LAB].tres, TRES_NODE), 2);
	assert_int_equal(running[0], 1);
	assert_int_equal(running[1], 4);
}

static void amounts_per_node(void **state)
{
	limit(QOS, LIMIT_PN, TRES_CPU, 4);
	tres_list_set(&asked, &arena, TRES_NODE, 2);
	tres_list_set(&asked, &arena, TRES_CPU, 8);
	starts("None");
	tres_list_set(&asked, &arena, TRES_CPU, 10);
	starts("QOSMaxCpuPerNode");
}

/* ---- submissions ---------------------------------------------------------*/

static void sizes_only_with_deny(void **state)
{
	limit(USER, LIMIT_GRP, TRES_CPU, 4);
	submits("None");
	chain.deny = true;
	submits("AssocGrpCpuLimit");
	limit(QOS, LIMIT_PU, TRES_CPU, 4);
	submits("QOSMaxCpuPerUserLimit");
	levels[QOS].number[LIMIT_MAX_WALL] = 19;
	levels[QOS].tres[LIMIT_PU] = (struct tres_list){0};
	submits("QOSMaxWallDurationPerJobLimit");
}

static void too_little(void **state)
{
	limit(QOS, LIMIT_MIN_PJ, TRES_CPU, 5);
	chain.deny = true;
	submits("None");
	limit(QOS, LIMIT_MIN_PJ, TRES_CPU, 6);
	submits("QOSMinCpuNotSatisfied");
}

static void tasks_count(void **state)
{
	levels[USER].number[LIMIT_MAX_SUBMIT] = 10;
	job.tasks = 10;
	submits("None");
	job.tasks = 11;
	submits("AssocMaxSubmitJobLimit");
}

/* ---- time ----------------------------------------------------------------*/

static uint32_t wall(uint32_t time_limit)
{
	job.time_limit = time_limit;
	return limits_wall(&chain, &job);
}

static void time_of_a_job(void **state)
{
	assert_int_equal(wall(20), 20);
	assert_int_equal(wall(NO_VAL), INFINITE);
	chain.max_time = 600;
	assert_int_equal(wall(NO_VAL), 600);
	levels[USER].number[LIMIT_MAX_WALL] = 90;
	assert_int_equal(wall(NO_VAL), 90);
	levels[QOS].number[LIMIT_MAX_WALL] = 120;
	assert_int_equal(wall(NO_VAL), 120);
	chain.default_time = 60;
	assert_int_equal(wall(NO_VAL), 60);
	starts("None");
	levels[QOS].number[LIMIT_MAX_WALL] = 30;
	starts("QOSMaxWallDurationPerJobLimit");
	levels[QOS].number[LIMIT_MAX_WALL] = 0;
	chain.default_time = NO_VAL;
	assert_int_equal(wall(NO_VAL), 600);
	starts("QOSMaxWallDurationPerJobLimit");
}

static void time_of_a_job_from_groups(void **state)
{
	levels[LAB].number[LIMIT_GRP_WALL] = 500;
	assert_int_equal(wall(NO_VAL), 500);
	levels[USER].number[LIMIT_MAX_WALL] = 90;
	assert_int_equal(wall(NO_VAL), 90);
	levels[USER].number[LIMIT_MAX_WALL] = 600;
	assert_int_equal(wall(NO_VAL), 600);
	chain.deny = true;
	assert_int_equal(wall(NO_VAL), 500);
	limit(LAB, LIMIT_GRP_MINS, TRES_CPU, 400);
	assert_int_equal(wall(NO_VAL), 400 / tres_list_get(&asked, TRES_CPU));
	submits("None");
	chain.deny = false;
	assert_int_equal(wall(NO_VAL), 600);
	levels[QOS].number[LIMIT_GRP_WALL] = 700;
	assert_int_equal(wall(NO_VAL), 700);
}

/* ---- properties ----------------------------------------------------------*/

/* However many jobs begin, one after the other as limits allow, no limit is
 * ever exceeded. */
static void never_exceeded(void **state)
{
	for (unsigned seed = 1; seed <= 200; seed++) {
		uint64_t most_cpus, most_jobs;

		reset(state);
		srand(seed);
		most_cpus = (uint64_t)rand() % 60;
		most_jobs = (uint64_t)rand() % 8;
		limit(LAB, LIMIT_GRP, TRES_CPU, most_cpus);
		limit(QOS, LIMIT_PU, TRES_CPU, most_cpus / 2);
		levels[USER].number[LIMIT_MAX_JOBS] = (uint32_t)most_jobs;
		for (int i = 0; i < 30; i++) {
			tres_list_set(&asked, &arena, TRES_CPU,
				1 + (uint64_t)rand() % 12);
			if (!limits_start(&chain, &job))
				limits_begin(&chain, &job, &arena);
		}
		assert_true(usage[USER].jobs <= most_jobs);
		if (!usage[USER].jobs)
			continue;
		assert_true(
			tres_list_get(&usage[LAB].tres, TRES_CPU) <= most_cpus);
		assert_true(tres_list_get(&by_user[QOS].tres, TRES_CPU) <=
			    most_cpus / 2);
	}
}

/* ---- names ---------------------------------------------------------------*/

static const struct {
	enum reason_tres kind;
	uint32_t tres;
	const char *name;
} names[] = {
	{REASON_ASSOC_GRP, TRES_MEM, "AssocGrpMemLimit"},
	{REASON_ASSOC_GRP, TRES_NODE, "AssocGrpNodeLimit"},
	{REASON_ASSOC_GRP, TRES_BILLING, "AssocGrpBilling"},
	{REASON_ASSOC_GRP, TRES_ENERGY, "AssocGrpEnergy"},
	{REASON_ASSOC_GRP, GPU, "AssocGrpGRES"},
	{REASON_ASSOC_GRP, LICENSE, "AssocGrpLicense"},
	{REASON_ASSOC_GRP, BB, "AssocGrpBB"},
	{REASON_ASSOC_GRP, TRES_VMEM, "AssocGrpUnknown"},
	{REASON_ASSOC_GRP_MINS, TRES_MEM, "AssocGrpMemMinutes"},
	{REASON_ASSOC_GRP_MINS, GPU, "AssocGrpGRESMinutes"},
	{REASON_ASSOC_GRP_RUN_MINS, TRES_NODE, "AssocGrpNodeRunMinutes"},
	{REASON_ASSOC_GRP_RUN_MINS, LICENSE, "AssocGrpLicenseRunMinutes"},
	{REASON_ASSOC_MAX_PJ, TRES_MEM, "AssocMaxMemPerJob"},
	{REASON_ASSOC_MAX_PJ, TRES_NODE, "AssocMaxNodePerJobLimit"},
	{REASON_ASSOC_MAX_PN, TRES_NODE, "AssocMaxUnknownPerNode"},
	{REASON_ASSOC_MAX_PN, LICENSE, "AssocMaxUnknownPerNode"},
	{REASON_ASSOC_MAX_PN, GPU, "AssocMaxGRESPerNode"},
	{REASON_ASSOC_MAX_MINS_PJ, TRES_MEM, "AssocMaxMemMinutesPerJob"},
	{REASON_QOS_GRP, TRES_MEM, "QOSGrpMemLimit"},
	{REASON_QOS_GRP_MINS, TRES_MEM, "QOSGrpMemoryMinutes"},
	{REASON_QOS_GRP_RUN_MINS, TRES_MEM, "QOSGrpMemoryRunMinutes"},
	{REASON_QOS_MAX_PJ, TRES_MEM, "QOSMaxMemoryPerJob"},
	{REASON_QOS_MAX_PJ, GPU, "QOSMaxGRESPerJob"},
	{REASON_QOS_MAX_PN, TRES_MEM, "QOSMaxMemoryPerNode"},
	{REASON_QOS_MAX_PN, TRES_NODE, "QOSMaxUnknownPerNode"},
	{REASON_QOS_MAX_PU, TRES_NODE, "QOSMaxNodePerUserLimit"},
	{REASON_QOS_MAX_PU, TRES_MEM, "QOSMaxMemoryPerUser"},
	{REASON_QOS_MAX_PA, TRES_MEM, "MaxMemoryPerAccount"},
	{REASON_QOS_MAX_PA, TRES_VMEM, "MaxUnknownPerAccount"},
	{REASON_QOS_MAX_MINS_PJ, TRES_MEM, "QOSMaxMemoryMinutesPerJob"},
	{REASON_QOS_MAX_MINS_PJ, BB, "AssocMaxBBMinutesPerJob"},
	{REASON_QOS_MAX_RUN_MINS_PA, TRES_MEM, "MaxMemoryRunMinsPerAccount"},
	{REASON_QOS_MAX_RUN_MINS_PU, GPU, "MaxGRESRunMinsPerUser"},
	{REASON_QOS_MIN_PJ, TRES_MEM, "QOSMinMemory"},
	{REASON_QOS_MIN_PJ, TRES_NODE, "QOSMinNode"},
};

static void every_name(void **state)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		assert_string_equal(reason_name(reason_of_tres(names[i].kind,
					    names[i].tres, &catalog)),
			names[i].name);
	for (unsigned r = 0; r < REASON_TRES + REASON_TRES_KINDS * 9; r++)
		assert_true(*reason_name(r));
	assert_string_equal(reason_name(UINT32_MAX), "None");
	assert_int_equal(reason_by_name("NoSuchReason"), REASON_NONE);
	/* All that Slurm 26.05 has are told in words. */
	for (const char *const *word = reason_words; *word; word++)
		assert_string_equal(
			reason_name(reason_by_name(*word)), *word);
	assert_string_equal(reason_by_number(0), "None");
	assert_string_equal(reason_by_number(33), "RaisedSignal");
	assert_string_equal(reason_by_number(34), "");
	assert_string_equal(reason_by_number(35), "Cleaning");
	assert_string_equal(reason_by_number(78), "AssocGrpUnknown");
	assert_string_equal(reason_by_number(220), "MpiPortsBusy");
	assert_string_equal(reason_by_number(221), "");
	assert_string_equal(reason_word(REASON_NODES_DOWN), "Resources");
	assert_false(reason_is_limit(REASON_PRIORITY));
	assert_true(reason_is_limit(REASON_QOS_GRP_JOBS));
}

#define TEST(f) cmocka_unit_test_setup(f, reset)

/* ---- limits in force -----------------------------------------------------*/

struct told {
	char text[400];
};

static void tell(void *arg, const struct limit_breach *breach)
{
	struct told *told = arg;
	size_t len = strlen(told->text);

	snprintf(told->text + len, sizeof(told->text) - len,
		"%s %u %llu at %zu of %zu; ", breach->word,
		(unsigned)breach->tres, (unsigned long long)breach->limit,
		breach->at, (size_t)(breach->set_on - levels));
}

static void each_that_holds(void **state)
{
	struct told told = {""};

	levels[QOS].number[LIMIT_MAX_JOBS_PU] = 3;
	tres_list_set(&levels[QOS].tres[LIMIT_PJ], &arena, TRES_CPU, 4);
	levels[USER].number[LIMIT_MAX_JOBS] = 9; /* hidden */
	levels[USER].number[LIMIT_MAX_WALL] = 60;
	levels[USER].number_up[LIMIT_MAX_WALL] = 2;
	tres_list_set(&levels[USER].tres[LIMIT_PJ], &arena, TRES_CPU, 8);
	tres_list_set(&levels[USER].tres[LIMIT_PJ], &arena, TRES_NODE, 2);
	levels[LAB].number[LIMIT_MAX_WALL] = 60; /* of jobs of its own */
	levels[LAB].number[LIMIT_GRP_JOBS] = 7;
	chain.limit_factor = 2;
	limits_each(&chain, tell, &told);
	assert_string_equal(told.text,
		"MaxJobsPerUser 0 3 at 1 of 1; MaxTRES 1 4 at 1 of 1; "
		"MaxWall 0 60 at 2 of 4; MaxTRES 4 4 at 2 of 2; "
		"GrpJobs 0 7 at 3 of 3; ");
}

RUN_TESTS(setup, teardown,
	TEST(nothing_is_no_limit),
	TEST(observed_precedence),
	TEST(most_nodes),
	TEST(most_nodes_of_own),
	TEST(hidden_by_tres),
	TEST(breach_tells_where_and_how_much),
	TEST(each_that_holds),
	TEST(groups_of_ancestors),
	TEST(either_hides_max_jobs),
	TEST(limit_factor_stretches),
	TEST(lasting_first),
	TEST(threshold),
	TEST(every_number),
	TEST(every_list),
	TEST(numbers_at_submission),
	TEST(lists_at_submission),
	TEST(members_are_limits),
	TEST(least_amounts),
	TEST(reached_limits),
	TEST(safe_limits),
	TEST(usage_factor),
	TEST(shared_nodes),
	TEST(amounts_per_node),
	TEST(sizes_only_with_deny),
	TEST(too_little),
	TEST(tasks_count),
	TEST(time_of_a_job),
	TEST(time_of_a_job_from_groups),
	TEST(never_exceeded),
	TEST(every_name))
