/*
 * srecord step: one step of a job that is on record.
 */
#include "db/record/record.h"

#include <inttypes.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"

struct step_facts {
	struct number job, submit, step, cpus, nodes, tasks, mem, gpus;
	struct number start, end, state, exit, time_limit;
	struct number cputime, systime, cpu_freq, energy;
	struct number maxrss, averss, maxvmem, avevmem, maxread, averead;
	struct number maxwrite, avewrite, maxpages, avepages, mincpu, avecpu;
	struct number maxrss_task, mincpu_task, maxgpu;
	const char *cluster, *name, *nodelist, *dist, *maxrss_node;
	const char *mincpu_node, *killed_by, *submit_line;
	struct tres_list tres;
};

#define F(...) WORD_ROW(step_facts, __VA_ARGS__)
#define W(names, type, member, help) F(names, type, member, NULL, help)

/* clang-format off */
const struct word_row step_words[] = {
	W("job:3 jobid:5", JOB, job, "the job's number"),
	W("step:4", STEP, step, "batch, extern, interactive or a number"),
	W("cluster:7", CLUSTER, cluster, "default: this one"),
	W("submit:6", PAST, submit, "of the job, where its number was used again; default: the newest"),
	F("name:4", TEXT, name, "name", "default: the step's word"),
	W("cpus:3", AMOUNT, cpus, "default: the job's"),
	W("nodes:5", AMOUNT, nodes, "default: as many as nodelist names, or 1"),
	F("nodelist:8", HOSTS, nodelist, "nodelist", "default: the job's; batch: its first node"),
	W("mem:3", MIB, mem, "memory: MiB, or with K M G T P"),
	W("gpus:4", COUNT, gpus, "in all"),
	W("tres:4", TRES, tres, "any of it as cpu=4,mem=8G,..."),
	F("tasks:5 ntasks:6", AMOUNT, tasks, "tasks", "default 1"),
	F("start:5", PAST, start, "start", "default: the job's"),
	F("end:3", PAST, end, "end", "default: still running, or with the job"),
	W("state:5", STATE, state, "default: by what is known of it"),
	F("exit:4 exitcode:8", EXIT, exit, "exit_code", "exit code, CODE or CODE:SIGNAL"),
	F("timelimit:5 time:4", MINUTES, time_limit, "time_limit", "minutes or [D-]HH:MM:SS"),
	F("cputime:7", CPU_TIME, cputime, "user_usec", "user CPU time, all tasks together"),
	F("systime:7", CPU_TIME, systime, "sys_usec", "system CPU time, all tasks together"),
	W("maxrss:6", BYTES, maxrss, "largest memory of a task: KiB, or with K M G T P"),
	W("averss:6", BYTES, averss, "mean memory of a task"),
	W("maxrss_node:11", TEXT, maxrss_node, "where the largest ran"),
	W("maxrss_task:11", COUNT, maxrss_task, "which it was"),
	W("maxvmsize:9", BYTES, maxvmem, "largest virtual memory of a task"),
	W("avevmsize:9", BYTES, avevmem, "mean virtual memory of a task"),
	W("maxdiskread:11", BYTES, maxread, "most a task read"),
	W("avediskread:11", BYTES, averead, "mean a task read"),
	W("maxdiskwrite:12", BYTES, maxwrite, "most a task wrote"),
	W("avediskwrite:12", BYTES, avewrite, "mean a task wrote"),
	W("maxpages:8", COUNT, maxpages, "most page faults of a task"),
	W("avepages:8", COUNT, avepages, "mean page faults of a task"),
	W("mincpu:6", CPU_MS, mincpu, "least CPU time of a task"),
	W("avecpu:6", CPU_MS, avecpu, "mean CPU time of a task"),
	W("mincpu_node:11", TEXT, mincpu_node, "where that task ran"),
	W("mincpu_task:11", COUNT, mincpu_task, "which it was"),
	W("maxgpuutil:10", COUNT, maxgpu, "percent of one GPU that the busiest task used at most"),
	F("avecpufreq:10", COUNT, cpu_freq, "cpu_freq", "mean CPU frequency in kHz"),
	F("energy:6", COUNT, energy, "energy", "joules"),
	F("layout:6", TEXT, dist, "task_dist", "how tasks were spread: Block, Cyclic, ..."),
	W("killed_by:9", TEXT, killed_by, "who cancelled it"),
	F("submitline:10", TEXT, submit_line, "submit_line", "the command that started it"),
	{NULL, WORD_TEXT, 0, NULL, NULL},
};
/* clang-format on */

static int find_job(
	struct recording *s, const struct step_facts *facts, struct job *job)
{
	int64_t cluster = find_cluster(s, facts->cluster);
	int found;

	if (!facts->job.given || !facts->step.given)
		return err_set(
			&s->err, ERR_USAGE, "a step needs job= and step=");
	if (cluster <= 0)
		return -1;
	found = job_find(s->store, cluster, (uint32_t)facts->job.v,
		facts->submit.given ? facts->submit.v : 0, &s->arena, job);
	if (!found)
		return err_set(&s->err, ERR_USAGE,
			"job %" PRId64 " is not on record: record it first",
			facts->job.v);
	if (found > 0 && !job->start)
		return err_set(&s->err, ERR_USAGE,
			"job %" PRId64 " has not started: a step needs a job "
			"that runs or ran",
			facts->job.v);
	return found < 0 ? -1 : 0;
}

static void new_step(struct recording *s, const struct step_facts *facts,
	const struct job *job, struct step *step)
{
	uint64_t cpus = tres_list_get(&job->tres_alloc, TRES_CPU);

	step_init(step);
	step->job = job->key;
	step->id = (int32_t)facts->step.v;
	step->name = step_id_text(step->id, &s->arena);
	step->start = job->start;
	step->nodelist = job->nodelist;
	step->nodes = job->nodes_alloc;
	tres_list_set(&step->tres_alloc, &s->arena, TRES_CPU,
		cpus < NO_VAL64 ? cpus : 1);
	tres_list_set(&step->tres_alloc, &s->arena, TRES_MEM, 0);
}

static void set_where(struct recording *s, const struct step_facts *facts,
	struct step *step, bool is_new)
{
	if (facts->nodelist) {
		step->nodes = (uint32_t)hostlist_names(
			facts->nodelist, &s->arena).n;
	} else if (is_new && step->id == STEP_BATCH) {
		step->nodes = 1;
		step->nodelist = hostlist_first(step->nodelist, &s->arena);
	}
	if (facts->nodes.given)
		step->nodes = (uint32_t)facts->nodes.v;
}

static void set_tres(
	struct recording *s, const struct step_facts *facts, struct step *step)
{
	const struct tres *gpu = tres_by_name(&s->store->tres, "gres/gpu");
	struct tres_list *list = &step->tres_alloc;

	tres_list_set(list, &s->arena, TRES_NODE, step->nodes);
	for (size_t i = 0; i < facts->tres.n; i++)
		tres_list_set(list, &s->arena, facts->tres.v[i].id,
			facts->tres.v[i].count);
	if (facts->cpus.given)
		tres_list_set(
			list, &s->arena, TRES_CPU, (uint64_t)facts->cpus.v);
	if (facts->mem.given)
		tres_list_set(
			list, &s->arena, TRES_MEM, (uint64_t)facts->mem.v);
	if (facts->gpus.given && gpu)
		tres_list_set(
			list, &s->arena, gpu->id, (uint64_t)facts->gpus.v);
}

/* Words for one TRES of a list. */
static const struct {
	size_t fact;
	enum step_use list;
	uint32_t tres;
} parts[] = {
#define PART(member, list, tres)                                               \
	{                                                                      \
		offsetof(struct step_facts, member), STEP_##list, TRES_##tres  \
	}
	PART(maxrss, IN_MAX, MEM),
	PART(averss, IN_AVE, MEM),
	PART(maxrss_task, IN_MAX_TASK, MEM),
	PART(maxvmem, IN_MAX, VMEM),
	PART(avevmem, IN_AVE, VMEM),
	PART(maxread, IN_MAX, FS_DISK),
	PART(averead, IN_AVE, FS_DISK),
	PART(maxwrite, OUT_MAX, FS_DISK),
	PART(avewrite, OUT_AVE, FS_DISK),
	PART(maxpages, IN_MAX, PAGES),
	PART(avepages, IN_AVE, PAGES),
	PART(mincpu, IN_MIN, CPU),
	PART(avecpu, IN_AVE, CPU),
	PART(mincpu_task, IN_MIN_TASK, CPU),
#undef PART
};

static int set_node(struct recording *s, struct step *step, const char *name,
	enum step_use list, uint32_t tres)
{
	uint64_t place;

	if (!name)
		return 0;
	if (!hostlist_place(step->nodelist, name, &s->arena, &place))
		return err_set(&s->err, ERR_USAGE,
			"node %s is none of the step's (%s)", name,
			step->nodelist);
	tres_list_set(&step->used[list], &s->arena, tres, place);
	return 0;
}

static int set_used(
	struct recording *s, const struct step_facts *facts, struct step *step)
{
	const struct tres *util = tres_by_name(&s->store->tres, "gres/gpuutil");

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct number *n = (const void *)((const char *)facts +
							parts[i].fact);

		if (n->given)
			tres_list_set(&step->used[parts[i].list], &s->arena,
				parts[i].tres, (uint64_t)n->v);
	}
	if (facts->maxgpu.given && !util)
		return err_set(&s->err, ERR_USAGE,
			"maxgpuutil: there is no TRES gres/gpuutil; "
			"AccountingStorageTRES=gres/gpu brings it");
	if (facts->maxgpu.given)
		tres_list_set(&step->used[STEP_IN_MAX], &s->arena, util->id,
			(uint64_t)facts->maxgpu.v);
	return any_failed(set_node(s, step, facts->maxrss_node,
				  STEP_IN_MAX_NODE, TRES_MEM) ||
			  set_node(s, step, facts->mincpu_node,
				  STEP_IN_MIN_NODE, TRES_CPU));
}

static int set_state(struct recording *s, const struct step_facts *facts,
	const struct job *job, struct step *step)
{
	if (facts->state.given)
		step->state = (uint32_t)facts->state.v;
	else if (facts->end.given)
		step->state = step->exit_code ? JOB_FAILED : JOB_COMPLETED;
	else if (!step->end)
		step->state = job->state;
	if (job_state_finished(step->state) && !step->end)
		step->end = job->end ? job->end : s->site->now;
	if (step->start < job->start)
		return err_set(&s->err, ERR_USAGE,
			"step: start is before that of job %" PRIu32, job->id);
	if (step->end && step->end < step->start)
		return err_set(
			&s->err, ERR_USAGE, "step: end is before its start");
	return 0;
}

int record_step(struct recording *s, char **words, int n)
{
	struct step_facts facts = {0};
	struct step step;
	struct job job;
	int found;

	if (read_words(s, step_words, words, n, &facts) ||
		find_job(s, &facts, &job))
		return -1;
	found = step_find(
		s->store, job.key, (int32_t)facts.step.v, &s->arena, &step);
	if (found < 0)
		return -1;
	if (!found)
		new_step(s, &facts, &job, &step);
	take_facts(step_words, &facts, &step_members, &step);
	if (facts.killed_by)
		step.killed_by = uid_text(&s->arena, facts.killed_by);
	set_where(s, &facts, &step, !found);
	if (set_used(s, &facts, &step) || set_state(s, &facts, &job, &step))
		return -1;
	set_tres(s, &facts, &step);
	return step_save(s->store, &step);
}
