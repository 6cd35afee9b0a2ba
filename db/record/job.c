/*
 * srecord job: adds or updates one job's record. What is not given keeps its
 * value, or in a new record gets its default.
 */
#include "db/record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/fair/priority.h"
#include "common/text/hostlist.h"
#include "common/text/reason.h"
#include "db/job/job.h"
#include "db/store/txn.h"

#define F(...) WORD_ROW(job_facts, __VA_ARGS__)
#define W(names, type, member, help) F(names, type, member, NULL, help)

/* clang-format off */
const struct word_row job_words[] = {
	W("id:2 jobid:5", JOB, id, "its number; without one it is new"),
	W("user:4", USER, user, "who runs it"),
	W("account:4 acct:4", ACCOUNT, account, "default: the user's"),
	W("cluster:7", CLUSTER, cluster, "default: this one"),
	W("partition:4", PARTITION, partition, "one, or a list while it waits; default: that of slurm.conf"),
	W("qos:3", QOS, qos, "one, or a list; default: the association's"),
	F("name:4 jobname:7", TEXT, name, "name", "job name"),
	F("wckey:5", WCKEY, wckey, "wckey", "workload key"),
	W("cpus:3", AMOUNT, cpus, "in all; default 1, at least one on each node"),
	W("nodes:5", AMOUNT, nodes, "how many; default 1"),
	W("mem:3", MIB, mem, "memory in all: MiB, or with K M G T P"),
	F("max_nodes:8 maxnodes:8", AMOUNT, nodes_max, "nodes_max", "at most; default: nodes=, or one for each task"),
	F("tasks:5 ntasks:6", AMOUNT, tasks, "tasks", "how many; default: one for each CPU"),
	F("cpus_per_task:8", AMOUNT, cpus_per_task, "cpus_per_task", "CPUs that must lie on one node; default 1"),
	F("tasks_per_node:9 ntasks_per_node:10", AMOUNT, tasks_per_node, "tasks_per_node", "tasks on each node"),
	F("mem_per_node:8", MIB_ON, mem_on, "mem_on", "memory on each node; of a job that runs, in the order of its nodes: 4G,1G(x2)"),
	W("mem_per_cpu:8", MIB, mem_per_cpu, "memory of each CPU"),
	F("cpus_per_node:8", CPUS_ON, cpus_on, "cpus_on", "CPUs it has, in the order of its nodes: 10,1(x2)"),
	F("required_nodes:8 reqnodes:8", HOSTS, nodes_wanted, "nodes_wanted", "nodes it must get"),
	F("excluded_nodes:8 excnodes:8", HOSTS, nodes_excluded, "nodes_excluded", "nodes it must not get"),
	W("gpus:4", COUNT, gpus, "in all"),
	F("gpus_per_task:8", AMOUNT, gpus_per_task, "gpus_per_task", "GPUs of each task"),
	F("gpus_per_socket:8", AMOUNT, gpus_per_socket, "gpus_per_socket", "GPUs on each socket"),
	F("gres:4", TEXT, gres, "gres", "on each node: gpu:2,gpu:a100:1"),
	F("licenses:7", TEXT, licenses, "licenses", "licA:2,licB"),
	W("tres:4", TRES, tres, "any of it as cpu=4,mem=8G,...; billing=N sets the price"),
	W("alloctres:9", TRES, alloc_tres, "what it was given, where that differs"),
	F("timelimit:5 time:4", MINUTES, time_limit, "time_limit", "minutes or [D-]HH:MM:SS; default: the partition's"),
	F("timemin:7", MINUTES, time_min, "time_min", "least time limit it accepts"),
	W("submit:6", PAST, submit, "when it was submitted; default now"),
	W("eligible:8", AHEAD, eligible, "when it could first start"),
	F("begin:5", AHEAD, begin, "begin", "not before"),
	F("start:5", PAST, start, "start", "when it started"),
	W("end:3", PAST, end, "when it ended"),
	W("state:5", STATE, state, "default: by what is known of it"),
	F("nodelist:8", HOSTS, nodelist, "nodelist", "where it runs or ran"),
	F("exit:4 exitcode:8", EXIT, exit, "exit_code", "exit code, CODE or CODE:SIGNAL"),
	F("derivedexit:11", EXIT, derived_exit, "derived_ec", "highest exit code of its steps"),
	W("cputime:7", CPU_TIME, cputime, "user CPU time of its batch step"),
	W("systime:7", CPU_TIME, systime, "system CPU time of its batch step"),
	W("maxrss:6", BYTES, maxrss, "largest memory of its batch step: KiB, or with K M G T P"),
	W("suspended:9", SECONDS, suspended, "how long it was suspended"),
	F("hold:4", HOLD, hold, "hold", "1 or user, 2 or admin; 0 releases"),
	W("dependency:10", TEXT, dependency, "what it waits for; none: nothing"),
	F("nice:4", SIGNED, nice, "nice", "lowers its priority"),
	F("priority:8", COUNT, priority, "priority", "set by hand"),
	F("lastpriority:12", COUNT, last_priority, "last_priority", "what its priority came to last"),
	F("site:4 sitefactor:10", SIGNED, site, "site_factor", "raises its priority"),
	F("reason:6", TEXT, reason, "reason", "why it waits"),
	W("killed_by:9", TEXT, killed_by, "who cancelled it"),
	F("array_job:9", AMOUNT, array_job, "array_job", "the number of its job array"),
	F("array_task:10", COUNT, array_task, "array_task", "its index in the array"),
	F("array:5", ARRAY, array, "array_tasks", "indexes still waiting: 1-100%10"),
	F("het_job:7", AMOUNT, het_job, "het_job", "the first job of its heterogeneous job"),
	F("het_offset:10", COUNT, het_offset, "het_offset", "its place in that"),
	F("constraints:11", TEXT, constraints, "constraints", "node features"),
	F("reservation:11", TEXT, reservation, "reservation", "reservation it runs in"),
	F("exclusive:9", COUNT, exclusive, "exclusive", "1: nodes of its own"),
	F("restarts:8", COUNT, restarts, "restarts", "how often it was requeued"),
	F("failed_node:11", TEXT, failed_node, "failed_node", "node whose failure ended it"),
	F("workdir:7", TEXT, work_dir, "work_dir", "working directory"),
	F("submitline:10", TEXT, submit_line, "submit_line", "the command that submitted it"),
	F("container:9", TEXT, container, "container", "path of its container"),
	F("stdin:5", TEXT, std_in, "std_in", "file it reads, with its patterns"),
	F("stdout:6", TEXT, std_out, "std_out", "file its output goes to"),
	F("stderr:6", TEXT, std_err, "std_err", "file its errors go to"),
	F("flags:5", FLAGS, flags, "flags", "how it was started: SchedMain,StartReceived"),
	F("comment:7", TEXT, comment, "comment", "the job's own comment"),
	F("admincomment:12", TEXT, admin_comment, "admin_comment", "the administrator's"),
	F("systemcomment:13", TEXT, system_comment, "system_comment", "the system's"),
	F("extra:5", TEXT, extra, "extra", "free text"),
	{NULL, WORD_TEXT, 0, NULL, NULL},
};
/* clang-format on */

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

/* One size says what it asks for on each node, more what it has on them. */
static void take_memory(const struct job_facts *facts, struct job *job)
{
	if (facts->mem_per_cpu.given) {
		job->mem_per_cpu = (uint64_t)facts->mem_per_cpu.v;
		job->mem_per_node = 0;
	}
	if (!facts->mem_on || facts->mem_on[strcspn(facts->mem_on, ",(")])
		return;
	job->mem_per_node = strtoull(facts->mem_on, NULL, 10);
	job->mem_per_cpu = 0;
}

/* ---- which record ------------------------------------------------------- */

static int64_t least(int64_t a, const struct number *b)
{
	return b->given && b->v < a ? b->v : a;
}

static int new_record(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	int64_t cluster = job->cluster;

	job_init(job);
	job->cluster = cluster;
	job->id = facts->id.given ? (uint32_t)facts->id.v
				  : job_next_id(s->store, cluster);
	if (!job->id)
		return -1;
	job->submit =
		facts->submit.given
			? facts->submit.v
			: least(least(s->site->now, &facts->start), &facts->end);
	return 0;
}

/* 1: the record exists, 0: it is new. An unknown submit time makes a new
 * submission with that job id. */
static int find_record(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	int64_t submit = facts->submit.given ? facts->submit.v : 0;
	int found = 0;

	job->cluster = find_cluster(s, facts->cluster);
	if (job->cluster <= 0)
		return -1;
	if (facts->id.given)
		found = job_find(s->store, job->cluster, (uint32_t)facts->id.v,
			submit, &s->arena, job);
	if (found)
		return found;
	return new_record(s, facts, job);
}

/* ---- states and times --------------------------------------------------- */

/* What else a state that is a flag says of a job. */
static const struct {
	uint32_t flag, base;
} flag_bases[] = {
	{JOB_COMPLETING, JOB_COMPLETED},
	{JOB_CONFIGURING, JOB_RUNNING},
	{JOB_RESIZING, JOB_COMPLETED},
	{JOB_REQUEUED, JOB_CANCELLED},
	{JOB_REVOKED, JOB_CANCELLED},
	{JOB_STOPPED, JOB_RUNNING},
	{JOB_SIGNALING, JOB_RUNNING},
	{JOB_STAGE_OUT, JOB_COMPLETED},
	{JOB_LAUNCH_FAILED, JOB_FAILED},
};

uint32_t job_full_state(uint32_t state)
{
	for (size_t i = 0; i < LENGTH(flag_bases); i++)
		if (flag_bases[i].flag == state)
			return state | flag_bases[i].base;
	return state;
}

/* What times and the exit code say. */
static uint32_t derived_state(
	const struct job_facts *facts, const struct job *job)
{
	if (facts->end.given && job_state_finished(job->state) && job->end)
		return job->state;
	if (facts->end.given && !job->start)
		return JOB_CANCELLED;
	if (facts->end.given)
		return job->exit_code ? JOB_FAILED : JOB_COMPLETED;
	if (facts->start.given && job_state_pending(job->state))
		return JOB_RUNNING;
	return job->state;
}

static int conflict(struct recording *s, const struct job *job, const char *why)
{
	return err_set(&s->err, ERR_USAGE, "job %" PRIu32 ": state %s %s",
		job->id, job_state_word(job->state), why);
}

static int enter_pending(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	if (facts->start.given || facts->end.given)
		return conflict(s, job,
			"and a start or end time exclude each "
			"other");
	if (job->start)
		job->restarts++;
	if (job->start || job->end)
		job->eligible = job->accrue = 0;
	job->start = job->end = job->suspended = 0;
	if (!facts->nodelist)
		job->nodelist = "";
	return 0;
}

static int enter_started(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	if (facts->end.given)
		return conflict(s, job, "and an end time exclude each other");
	if (!job->start)
		job->start = s->site->now;
	if (job->start > s->site->now)
		return conflict(s, job, "but start is in the future");
	job->end = 0;
	return 0;
}

/* These cannot be reached without running. */
static bool must_have_run(uint32_t state)
{
	uint32_t base = state & JOB_BASE_MASK;

	return base == JOB_COMPLETED || base == JOB_TIMEOUT ||
	       base == JOB_OUT_OF_MEMORY;
}

static int enter_finished(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	if (!job->end)
		job->end = s->site->now;
	if (!job->start && must_have_run(job->state))
		return conflict(s, job, "but it never started: give start=");
	if (facts->killed_by)
		job->killed_by = uid_text(&s->arena, facts->killed_by);
	return 0;
}

/* Time spent suspended adds up when it goes on or ends. */
static void count_suspension(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	bool suspended = (job->state & JOB_BASE_MASK) == JOB_SUSPENDED;
	int64_t until = job->end ? job->end : s->site->now;

	if (suspended && !job->suspended_since)
		job->suspended_since = s->site->now;
	if (!suspended && job->suspended_since) {
		if (until > job->suspended_since)
			job->suspended += until - job->suspended_since;
		job->suspended_since = 0;
	}
	if (facts->suspended.given)
		job->suspended = facts->suspended.v;
}

static int settle_state(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	int rc;

	job->state = facts->state.given
			     ? job_full_state((uint32_t)facts->state.v)
			     : derived_state(facts, job);
	if (facts->end.given)
		job->end = facts->end.v;
	if (job_state_pending(job->state))
		rc = enter_pending(s, facts, job);
	else if (job_state_started(job->state))
		rc = enter_started(s, facts, job);
	else
		rc = enter_finished(s, facts, job);
	count_suspension(s, facts, job);
	return rc;
}

static int before(struct recording *s, const struct job *job, const char *what,
	const char *other)
{
	return err_set(&s->err, ERR_USAGE,
		"job %" PRIu32 ": %s is before its %s%s", job->id, what, other,
		!strcmp(other, "submission")
			? ": for a new submission give submit="
			: "");
}

static int check_times(struct recording *s, const struct job *job)
{
	if (job->start && job->start < job->submit)
		return before(s, job, "start", "submission");
	if (job->end && job->end < job->submit)
		return before(s, job, "end", "submission");
	if (job->start && job->end && job->end < job->start)
		return before(s, job, "end", "start");
	if (job->end && job->start && job->suspended > job->end - job->start)
		return err_set(&s->err, ERR_USAGE,
			"job %" PRIu32 ": suspended for longer than it ran",
			job->id);
	if (job->end > s->site->now || job->submit > s->site->now)
		return err_set(&s->err, ERR_USAGE,
			"job %" PRIu32 ": %s is in the future", job->id,
			job->submit > s->site->now ? "submit" : "end");
	return 0;
}

/* ---- waiting -------------------------------------- */

/* What only a controller knows is true until it says otherwise, or the job is let
 * go. */
static const char *wait_reason(struct recording *s,
	const struct job_facts *facts, const struct job *job)
{
	if (!facts->hold.given && reason_recorded(job->reason))
		return job->reason;
	if (job->hold == HOLD_ADMIN)
		return "JobHeldAdmin";
	if (job->hold == HOLD_USER)
		return "JobHeldUser";
	if (*job->dependency)
		return "Dependency";
	if (job->begin > s->site->now)
		return "BeginTime";
	return "None";
}

/* When a job that nothing holds back could start: with its submission, when it
 * asked to, or now that it was let go. */
static int64_t eligible_time(
	struct recording *s, const struct job *job, bool is_new)
{
	int64_t free = is_new ? job->submit : s->site->now;

	if (job->start || job->end)
		free = job->submit;
	return job->begin > free ? job->begin : free;
}

static void settle_eligible(struct recording *s, const struct job_facts *facts,
	struct job *job, bool is_new)
{
	bool waits = !job->start && !job->end;
	bool blocked = waits && (job->hold || *job->dependency);

	if (facts->eligible.given)
		job->eligible = facts->eligible.v;
	else if (blocked)
		job->eligible = 0;
	else if (!job->eligible || (facts->begin.given && waits))
		job->eligible = eligible_time(s, job, is_new);
	if (job->start && job->eligible > job->start)
		job->eligible = job->start;
}

static void settle_accrue(struct recording *s, struct job *job)
{
	const struct conf *conf = &s->site->conf;
	struct accrue accrue = {
		.submit = job->submit,
		.begin = job->eligible,
		.previous = job->accrue,
		.held = job->hold,
		.dependent = *job->dependency,
		.enforced = conf->enforce & ENFORCE_LIMITS,
	};

	job->accrue = priority_accrue(&accrue, conf->policy.flags, s->site->now);
}

/* A reason that is a hold holds the job. */
static void settle_hold(const struct job_facts *facts, struct job *job)
{
	unsigned reason = reason_by_name(facts->reason ? facts->reason : "");

	if (job->start)
		job->hold = HOLD_NONE;
	else if (reason == REASON_HELD_ADMIN && !facts->hold.given)
		job->hold = HOLD_ADMIN;
	else if (reason_is_hold(reason) && !facts->hold.given && !job->hold)
		job->hold = HOLD_USER;
}

static void settle_waiting(struct recording *s, const struct job_facts *facts,
	struct job *job, bool is_new)
{
	if (facts->dependency)
		job->dependency = strcmp(facts->dependency, "none")
					  ? facts->dependency
					  : "";
	settle_hold(facts, job);
	settle_eligible(s, facts, job, is_new);
	settle_accrue(s, job);
	if (job_state_pending(job->state) && !facts->reason)
		job->reason = wait_reason(s, facts, job);
}

/* ---- the batch step ------------------------------------------------------ */

static void batch_tres(
	struct recording *s, const struct job *job, struct step *step)
{
	static const uint32_t ids[] = {TRES_CPU, TRES_MEM};

	step->tres_alloc = (struct tres_list){0};
	for (size_t i = 0; i < LENGTH(ids); i++) {
		uint64_t count = tres_list_get(&job->tres_alloc, ids[i]);

		if (count < NO_VAL64)
			tres_list_set(
				&step->tres_alloc, &s->arena, ids[i], count);
	}
	tres_list_set(&step->tres_alloc, &s->arena, TRES_NODE, 1);
}

/* A step that is there follows its job to the end. */
static int save_batch(
	struct recording *s, const struct job_facts *facts, const struct job *job)
{
	bool given = facts->cputime.given || facts->systime.given ||
		     facts->maxrss.given;
	struct step step;
	int found = step_find(s->store, job->key, STEP_BATCH, &s->arena, &step);

	if (found < 0 || !given || !job->start)
		return found < 0 ? -1 : 0;
	if (!found)
		step_init(&step);
	step.job = job->key;
	step.id = STEP_BATCH;
	step.name = "batch";
	step.state = job->state;
	step.exit_code = job->exit_code;
	step.start = job->start;
	step.end = job->end;
	step.nodelist = hostlist_first(job->nodelist, &s->arena);
	if (facts->cputime.given)
		step.user_usec = (uint64_t)facts->cputime.v;
	if (facts->systime.given)
		step.sys_usec = (uint64_t)facts->systime.v;
	if (facts->maxrss.given) {
		const uint64_t most = (uint64_t)facts->maxrss.v;

		tres_list_set(&step.used[STEP_IN_MAX], &s->arena, TRES_MEM, most);
		tres_list_set(&step.used[STEP_IN_AVE], &s->arena, TRES_MEM, most);
	}
	batch_tres(s, job, &step);
	return step_save(s->store, &step);
}

/* ---- all ---------------------------------------------------------------- */

static int check_facts(struct recording *s, const struct job_facts *facts)
{
	if (facts->nodelist && !*hostlist_first(facts->nodelist, &s->arena))
		return err_set(&s->err, ERR_USAGE, "nodelist names no node");
	if (!facts->start.given && !facts->state.given && !facts->end.given)
		return 0;
	if (facts->hold.given && facts->hold.v && facts->start.given)
		return err_set(&s->err, ERR_USAGE,
			"hold and start exclude each other");
	return 0;
}

/* A job that has ended, or that started before slurm.conf was changed last, may
 * have nodes that are gone from it by now. */
static int check_nodes(struct recording *s, const struct job_facts *facts,
	const struct job *job)
{
	const struct {
		const char *word, *hosts;
	} lists[] = {
		{"nodelist", facts->nodelist},
		{"required_nodes", facts->nodes_wanted},
		{"excluded_nodes", facts->nodes_excluded},
	};

	if (job_is_past(job) ||
		(job->start && job->start < s->site->conf.policy.since))
		return 0;
	for (size_t i = 0; i < LENGTH(lists); i++) {
		struct strv names = hostlist_names(
			lists[i].hosts ? lists[i].hosts : "", &s->arena);

		for (size_t k = 0; k < names.n; k++)
			if (check_known_node(s, facts->cluster,
				    lists[i].word, names.v[k],
				    "of a job that has ended say end=, too"))
				return -1;
	}
	return 0;
}

int record_job(struct recording *s, char **words, int n)
{
	struct job_facts facts = {0};
	struct job job = {0}, old;
	int found;

	if (read_words(s, job_words, words, n, &facts) ||
		check_facts(s, &facts))
		return -1;
	found = find_record(s, &facts, &job);
	if (found < 0)
		return -1;
	old = job;
	take_facts(job_words, &facts, &job_members, &job);
	take_memory(&facts, &job);
	/* Tasks that leave the array are known by its number. */
	if (*job.array_tasks && !job.array_job)
		job.array_job = job.id;
	if (settle_state(s, &facts, &job) || check_times(s, &job) ||
		check_nodes(s, &facts, &job) ||
		job_owner(s, &facts, &job, !found) ||
		job_request(s, &facts, &job, found ? &old : NULL) ||
		(!found && job_limits(s, &facts, &job)))
		return -1;
	settle_waiting(s, &facts, &job, !found);
	if (rights_own_job(s, &facts, &job, found ? &old : NULL))
		return -1;
	if (found && job_is_corrected(s, &facts, &old, &job))
		log_fact(s, TXN_MODIFY_JOB, facts.cluster,
			arena_printf(&s->arena, "%" PRIu32, job.id));
	if (job_save(s->store, &s->site->conf.policy, &job) ||
		save_batch(s, &facts, &job))
		return -1;
	s->new_id = facts.id.given ? 0 : job.id;
	return 0;
}
