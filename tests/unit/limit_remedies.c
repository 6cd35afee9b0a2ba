/*
 * Every limit that can keep a job waiting, set so that it does: the verdict names
 * it and whose it is, and each remedy (db/whatif/remedies.h), made in a what-if,
 * starts the job when it says, while one unit less of it does not. Limits are set
 * in sacctmgr's words.
 */
#include <stdlib.h>
#include <string.h>

#include "common/fair/decay.h"
#include "common/text/jobstate.h"
#include "common/text/reason.h"
#include "db/entity/qos.h"
#include "db/store/query.h"
#include "db/whatif/remedies.h"
#include "db/whatif/whatif.h"
#include "tests/unit/unit.h"
#include "tests/unit/session_fixture.h"

enum { NOW = 1780000000, RUNS = 1, ENDED, WAITS };

static struct session_fixture f;
static int64_t user;
static uint32_t q;
static size_t by_limit, by_user;

static void done(int rc)
{
	if (rc)
		fail_msg("%s", f.s.err.text);
}

static const char *const lines[] = {"ClusterName=t",
	"AccountingStorageEnforce=limits,qos", "PriorityType=priority/multifactor",
	"SelectTypeParameters=CR_Core_Memory",
	"NodeName=n[1-4] CPUs=16 RealMemory=16000",
	"PartitionName=a Nodes=n[1-4] Default=YES",
	"PartitionName=p Nodes=n[1-4] QOS=q"};

static void change(const char *words)
{
	char *text = strdup(words);

	if (!session_do(&f, text))
		fail_msg("%s: %s", words, f.s.err.text);
	free(text);
}

static int setup(void **state)
{
	struct strv conf = {0};

	session_fixture_open(&f, NOW);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		strv_push(&conf, &f.t.arena, lines[i]);
	done(conf_load_with(
			 &f.s.site.conf, NULL, &conf, &f.t.arena, &f.s.err));
	f.s.site.cluster = "t";
	add_assoc(&f.t, "root", "top", "");
	add_assoc(&f.t, "top", "lab", "");
	user = add_assoc(&f.t, "lab", "lab", "ann");
	change("add qos q");
	change("modify account top set qos=normal,q");
	q = qos_by_name(&f.t.store.qos, "q")->id;
	return 0;
}

static int teardown(void **state)
{
	session_fixture_close(&f);
	return 0;
}

/* ---- limits --------------------------------------------------------------*/

/* With this value it holds back the job of make_queue(). */
static const struct limit_set {
	const char *word, *value;
	bool of_qos, of_assoc, of_parent;
} limits[] = {
	{"GrpJobs", "1", true, true, true},
	{"GrpWall", "60", true, true, true},
	{"MaxJobs", "1", false, true, false},
	{"MaxJobsPerAccount", "1", true, false, false},
	{"MaxJobsPerUser", "1", true, false, false},
	{"MaxWall", "20", true, true, false},
	{"GrpTRES", "cpu=7", true, true, true},
	{"GrpTRES", "mem=1750", true, true, true},
	{"GrpTRESMins", "cpu=200", true, true, true},
	{"GrpTRESRunMins", "cpu=300", true, true, true},
	{"MaxTRES", "cpu=3", true, true, false},
	{"MaxTRES", "mem=750", true, true, false},
	{"MaxTRES", "node=0", true, true, false},
	{"MaxTRES", "billing=2", true, true, false},
	{"MaxTRESPerNode", "cpu=3", true, true, false},
	{"MaxTRESMins", "cpu=100", true, true, false},
	{"MaxTRESPerAccount", "cpu=7", true, false, false},
	{"MaxTRESPerAccount", "mem=1750", true, false, false},
	{"MaxTRESPerUser", "cpu=7", true, false, false},
	{"MaxTRESRunMinsPerAccount", "cpu=300", true, false, false},
	{"MaxTRESRunMinsPerUser", "cpu=300", true, false, false},
	{"MinTRES", "cpu=5", true, false, false},
};

/* ---- the queue -----------------------------------------------------------*/

static void ask(struct job *job, uint32_t id, const char *part, uint32_t qos)
{
	job_init(job);
	job->cluster = f.t.cluster;
	job->id = id;
	job->user = "ann";
	job->account = "lab";
	job->assoc = user;
	job->qos = qos;
	job->part_qos = strcmp(part, "p") ? 0 : q;
	job->name = "x";
	job->partition = part;
	job->submit = job->eligible = NOW - 5000;
	job->nodes_req = job->nodes_max = 1;
	job->cpus_req = 4;
	job->mem_req = 1000;
	job->time_limit = 30;
	tres_list_set(&job->tres_req, &f.s.arena, TRES_CPU, 4);
	tres_list_set(&job->tres_req, &f.s.arena, TRES_MEM, 1000);
	tres_list_set(&job->tres_req, &f.s.arena, TRES_NODE, 1);
	tres_list_set(&job->tres_req, &f.s.arena, TRES_BILLING, 4);
}

/* One runs for another 59 minutes, one has ended after an hour, one waits for
 * which there is room: 4 CPUs each. */
static void make_queue(const char *part, uint32_t qos)
{
	struct job job;

	done(store_begin_bulk(&f.t.store));
	for (uint32_t id = RUNS; id <= WAITS; id++) {
		ask(&job, id, part, qos);
		if (id != WAITS) {
			job.state = id == RUNS ? JOB_RUNNING : JOB_COMPLETED;
			job.start = id == RUNS ? NOW - 60 : NOW - 3600;
			job.end = id == RUNS ? 0 : NOW;
			job.nodelist = "n1";
			job.nodes_alloc = 1;
			job.wall_limit = job.time_limit = 60;
			job.tres_alloc = job.tres_req;
		}
		done(job_save(&f.t.store, &f.t.policy, &job));
	}
	done(store_commit_bulk(&f.t.store));
}

/* ---- a remedy ------------------------------------------------------------*/

/* When the job starts once that was done; 0: it is refused, or unknown. */
static int64_t start_of(const struct remedied *r, const char *words)
{
	struct strv changes = {0};
	struct whatif what;
	struct plan plan;
	struct plan_outcome out = {0};
	const struct sched_job *job;

	if (r->kind == REMEDY_LIMIT)
		strv_push(&changes, &f.s.arena, words);
	else
		strv_printf(&changes, &f.s.arena, "job id=%d %s", WAITS, words);
	if (whatif_open(&what, &f.s.site, &changes, NOW, false, &f.s.err))
		return 0;
	done(plan_make(&plan, &what.site, "t", NOW, NULL, &f.s.arena));
	plan_backfill(&plan);
	for (size_t i = 0; i < plan.schedule.n_jobs; i++) {
		job = &plan.schedule.jobs[i];
		if (((const struct job *)job->record)->id == WAITS)
			done(plan_outcome(&plan, job, NULL, &f.s.arena, &out));
	}
	whatif_close(&what);
	return out.start;
}

/* The same change with the number at its end one nearer to what it is now. */
static const char *less(const struct remedied *r)
{
	const char *number = r->words + strlen(r->words);
	uint64_t was;
	bool more;

	if (strchr(r->words, ':') || strchr(r->words, ' ') != strrchr(r->words, ' '))
		number = r->words + strlen(r->words); /* minutes, or a limit */
	while (number > r->words && number[-1] != '=')
		number--;
	was = strtoull(strrchr(r->instead, '=') + 1, NULL, 10);
	more = r->kind == REMEDY_LIMIT && r->value > was;
	return arena_printf(&f.s.arena, "%.*s%llu%s",
		(int)(number - r->words), r->words,
		(unsigned long long)(more ? r->value - 1 : r->value + 1),
		strstr(number, "M") || r->kind == REMEDY_MEM ? "M" : "");
}

static void check(const struct limit_set *set, const struct remedied *r)
{
	int64_t start = start_of(r, r->words), before;

	if (start != r->then->start)
		fail_msg("%s=%s, %s: starts at %lld, not %lld", set->word,
			set->value, r->words, (long long)start,
			(long long)r->then->start);
	*(r->kind == REMEDY_LIMIT ? &by_limit : &by_user) += 1;
	if (r->kind >= REMEDY_PARTITION || r->kind == REMEDY_NODES)
		return;
	before = start_of(r, less(r));
	if (before && before <= start)
		fail_msg("%s=%s, %s: so does %s", set->word, set->value,
			r->words, less(r));
}

/* ---- a limit -------------------------------------------------------------*/

static void make_plan(struct plan *plan, struct remedies *r)
{
	/* Each what-if would read what the log of the file has. */
	done(store_exec(&f.t.store, "PRAGMA wal_checkpoint(TRUNCATE)"));
	f.s.site.store = f.t.store;
	done(plan_make(plan, &f.s.site, "t", NOW, NULL, &f.s.arena));
	plan_backfill(plan);
	assert_int_equal(plan->schedule.n_jobs, 1);
	r->plan = plan;
	r->job = plan->schedule.jobs;
	done(plan_outcome(plan, r->job, NULL, &f.s.arena, &r->now));
	done(remedies_try(r, &f.s.err));
}

static void hold_back(const struct limit_set *set, const char *owner,
	const char *name)
{
	struct remedies r = {.site = &f.s.site, .arena = &f.s.arena};
	struct verdict v;
	struct plan plan;
	size_t limits_told = 0;

	change(arena_printf(&f.s.arena, "modify %s set %s=%s", owner, set->word,
		set->value));
	make_plan(&plan, &r);
	v = verdict_of(&plan.schedule, r.job);
	if (!v.limited || strcmp(v.limit.word, set->word) ||
		strcmp(v.limit.set_on->name, name))
		fail_msg("%s of %s: %s", set->word, owner,
			reason_name(v.reason));
	assert_int_not_equal(v.when, VERDICT_NOW);
	for (size_t i = 0; i < r.n; i++) {
		limits_told += r.v[i].kind == REMEDY_LIMIT;
		check(set, &r.v[i]);
	}
	if (!limits_told)
		fail_msg("%s=%s of %s: nothing helps", set->word, set->value,
			owner);
	change(arena_printf(&f.s.arena, "modify %s set %s=%.*s-1", owner,
		set->word, (int)strcspn(set->value, "0123456789"), set->value));
	arena_reset(&f.s.arena);
}

static void every_limit(void **state)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const struct limit_set *set = &limits[i];

		/* The job's QOS and that of its partition, the user's own
		 * and the account's, by turns. */
		make_queue(i % 2 ? "p" : "a", i % 2 ? 1 : q);
		if (set->of_qos)
			hold_back(set, "qos where name=q", "QOS q");
		make_queue("a", 1);
		if (set->of_assoc && i % 2)
			hold_back(set, "user where name=ann",
				"user ann in account lab");
		else if (set->of_assoc)
			hold_back(set, "account where name=lab", "account lab");
		if (set->of_parent)
			hold_back(set, "account where name=top", "account top");
	}
	print_message("%zu of limits, %zu of the user\n", by_limit, by_user);
	assert_true(by_limit > 40 && by_user > 50);
}

/* Under AccountingStorageEnforce=safe what jobs may use yet counts, too. */
static void safe(void **state)
{
	static const struct limit_set sets[] = {
		{"GrpTRESMins", "cpu=500", false, true, false},
		{"GrpWall", "80", false, true, false}};

	make_queue("a", q);
	f.s.site.conf.enforce |= ENFORCE_SAFE;
	for (size_t i = 0; i < 2; i++)
		hold_back(&sets[i], "account where name=lab", "account lab");
	f.s.site.conf.enforce &= ~(unsigned)ENFORCE_SAFE;
}

/* What is set, not what comes of it by LimitFactor. */
static void limit_factor(void **state)
{
	static const struct limit_set set = {
		"GrpTRES", "cpu=3", false, true, false};

	change("modify qos where name=q set limitfactor=0.5");
	make_queue("a", q);
	hold_back(&set, "account where name=lab", "account lab");
	change("modify qos where name=q set limitfactor=-1");
}

/* A percentage is not raised to an amount. */
static void relative(void **state)
{
	struct remedies r = {.site = &f.s.site, .arena = &f.s.arena};
	struct plan plan;

	change("modify qos where name=q set flags=relative grptres=cpu=10");
	make_queue("a", q);
	make_plan(&plan, &r);
	assert_true(r.n > 0);
	for (size_t i = 0; i < r.n; i++)
		assert_int_not_equal(r.v[i].kind, REMEDY_LIMIT);
	change("modify qos where name=q set flags-=relative grptres=cpu=-1");
}

/* ---- what else a change mends --------------------------------------------*/

static const struct {
	const char *partition;
	uint32_t nodes, cpus, minutes;
	const char *reason;
	enum remedy_kind kind;
	const char *words;
} others[] = {
	{"short", 1, 4, 30, "PartitionTimeLimit", REMEDY_TIME,
		"time=00:20:00"},
	{"few", 2, 4, 30, "PartitionNodeLimit", REMEDY_NODES, "nodes=1 cpus=2 mem=500M"},
	{"a", 1, 20, 30, "PartitionConfig", REMEDY_CPUS, "cpus=16"},
	{"down", 1, 4, 30, "PartitionDown", REMEDY_PARTITION, "partition=a"},
	{"off", 1, 4, 30, "PartitionInactive", REMEDY_PARTITION, "partition=a"},
	{"deaf", 1, 4, 30, "QOSNotAllowed", REMEDY_QOS, "qos=q"},
	{"deaf", 1, 4, 30, "QOSNotAllowed", REMEDY_PARTITION, "partition=a"},
	{"fast", 1, 4, 30, "Resources", REMEDY_PARTITION, "partition=a"},
};

static void more_partitions(void)
{
	static const char *const more[] = {
		"PartitionName=short Nodes=n[1-4] MaxTime=20",
		"PartitionName=few Nodes=n[1-4] MaxNodes=1",
		"PartitionName=down Nodes=n[1-4] State=DOWN",
		"PartitionName=off Nodes=n[1-4] State=INACTIVE",
		"PartitionName=deaf Nodes=n[1-4] DenyQOS=normal",
		"PartitionName=fast Nodes=n1 ExclusiveUser=NO "
		"OverSubscribe=EXCLUSIVE"};
	struct strv conf = {0};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		strv_push(&conf, &f.t.arena, lines[i]);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		strv_push(&conf, &f.t.arena, more[i]);
	done(conf_load_with(
			 &f.s.site.conf, NULL, &conf, &f.t.arena, &f.s.err));
}

static void save_waiting(size_t i)
{
	struct job job;

	ask(&job, WAITS, others[i].partition, 1);
	job.nodes_req = job.nodes_max = others[i].nodes;
	job.cpus_req = others[i].cpus;
	job.time_limit = others[i].minutes;
	tres_list_set(&job.tres_req, &f.s.arena, TRES_CPU, job.cpus_req);
	tres_list_set(&job.tres_req, &f.s.arena, TRES_NODE, job.nodes_req);
	save_job(&f.t, &job);
}

static void other_reasons(void **state)
{
	more_partitions();
	make_queue("a", 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		const struct limit_set set = {
			others[i].partition, others[i].reason, 0, 0, 0};
		struct remedies r = {.site = &f.s.site, .arena = &f.s.arena};
		struct plan plan;
		bool told = false;

		save_waiting(i);
		make_plan(&plan, &r);
		assert_string_equal(
			plan_reason(&plan, r.job->record), others[i].reason);
		for (size_t k = 0; k < r.n; k++) {
			check(&set, &r.v[k]);
			told |= r.v[k].kind == others[i].kind &&
				!strcmp(r.v[k].words, others[i].words);
		}
		if (!told)
			fail_msg("%s: %s is not told", others[i].reason,
				others[i].words);
		arena_reset(&f.s.arena);
	}
}

/* ---- limits on what was used ---------------------------------------------*/

static struct verdict verdict_at(struct plan *plan, int64_t at)
{
	done(plan_make(plan, &f.s.site, "t", at, NULL, &f.s.arena));
	plan_backfill(plan);
	return verdict_of(&plan->schedule, plan->schedule.jobs);
}

/* Not before usage has decayed below it, and soon after: what was used is known
 * in whole seconds. */
static void decays(const char *owner, const char *limit)
{
	struct verdict v;
	struct plan plan;

	change(arena_printf(&f.s.arena, "modify %s set %s", owner, limit));
	f.s.site.store = f.t.store;
	v = verdict_at(&plan, NOW);
	if (v.when != VERDICT_NOT_BEFORE || v.start <= NOW)
		fail_msg("%s of %s: %s", limit, owner, reason_name(v.reason));
	assert_null(v.plan);
	assert_non_null(strstr(verdict_start_text(&v, NULL, NOW, &f.s.arena),
		": usage will have decayed then, if none is added"));
	assert_int_equal(verdict_at(&plan, v.start + 300).when, VERDICT_NOW);
	assert_int_equal(
		verdict_at(&plan, v.start - 2).when, VERDICT_NOT_BEFORE);
}

static void used_decays(void **state)
{
	struct verdict v;
	struct plan plan;

	make_queue("a", q);
	done(store_exec(&f.t.store, "DELETE FROM job WHERE id = 1"));
	decays("account where name=lab", "GrpTRESMins=cpu=200");
	decays("account where name=lab", "GrpTRESMins=cpu=-1 GrpWall=50");
	f.s.site.conf.enforce |= ENFORCE_SAFE;
	decays("account where name=lab", "GrpWall=70");
	decays("account where name=lab", "GrpWall=31");
	f.s.site.conf.policy.reset = RESET_DAILY;
	assert_int_equal(verdict_at(&plan, NOW).start,
		usage_reset_next(RESET_DAILY, NOW));
	f.s.site.conf.policy.reset = RESET_NONE;
	f.s.site.conf.enforce &= ~(unsigned)ENFORCE_SAFE;
	change("modify account where name=lab set GrpWall=-1");
	decays("qos where name=q", "GrpTRESMins=cpu=100");
	change("modify qos where name=q set flags=nodecay");
	f.s.site.store = f.t.store;
	v = verdict_at(&plan, NOW);
	assert_int_equal(v.when, VERDICT_NEVER);
	assert_string_equal(
		verdict_help(&v, &f.s.arena),
		"a change: what was used does not decay so far");
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(every_limit),
	cmocka_unit_test(safe),
	cmocka_unit_test(limit_factor),
	cmocka_unit_test(relative),
	cmocka_unit_test(used_decays),
	cmocka_unit_test(other_reasons))
