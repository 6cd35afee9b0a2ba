/*
 * scontrol show steps: the steps of running jobs that have not ended, in the form
 * of Slurm 26.05 (scontrol/info_job.c). What a step does not have of its own is
 * that of its job.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/jobid.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"
#include "common/text/timespec.h"
#include "db/entity/cluster.h"
#include "db/entity/privacy.h"
#include "db/job/job.h"

struct shown_step {
	const struct session *session;
	const struct job *job;
	const struct step *step;
};

static const char *id_text(const struct shown_step *row, struct arena *arena)
{
	const struct job *job = row->job;
	const char *step = step_id_text(row->step->id, arena);

	return job->array_job ? arena_printf(arena, "%u_%u.%s", job->array_job,
					job->array_task, step)
			      : arena_printf(arena, "%u.%s", job->id, step);
}

static const char *limit_text(uint32_t minutes, struct arena *arena)
{
	return limit_is_set(minutes)
		       ? duration_format(arena, (uint64_t)minutes * 60)
		       : "UNLIMITED";
}

static const char *nodes_of(const struct shown_step *row)
{
	return *row->step->nodelist ? row->step->nodelist : row->job->nodelist;
}

#define S row->step
#define GET(name, expression) GETTER(name, struct shown_step, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
TEXT(id, id_text(row, arena))
GET(uid, of_uint(row->job->uid))
TEXT(limit, limit_text(S->time_limit, arena))
TEXT(sluid, sluid_text(sluid_make(row->job->cluster, row->job->id,
			       row->job->submit), arena_alloc(arena, SLUID_SIZE)))
TEXT(state, job_state_word(S->state))
TEXT(nodes, nodes_of(row))
GET(n_nodes, of_uint(hostlist_names(nodes_of(row), arena).n))
GET(cpus, of_uint(tres_list_count(&S->tres_alloc, TRES_CPU)))
TEXT(tres, or_null_text(tres_list_format(&S->tres_alloc,
		   &row->session->site.store.tres, TRES_BY_ID, arena)))
GET(layout, strcmp(S->task_dist, "Unknown") ? some_text(S->task_dist) : no_value())

#define OF(pointer, type, member)                                              \
	THROUGH(struct shown_step, pointer, MEMBER_##type, struct pointer, member)
#define LINE .marks = SHOWN_LINE

static const struct member rows[] = {
	{.names = "StepId", .get = get_id},
	{.names = "UserId", .get = get_uid},
	{.names = "StartTime", OF(step, TIME, start)},
	{.names = "TimeLimit", .get = get_limit},
	{.names = "SLUID", .get = get_sluid, .marks = SHOWN_LINE | SHOWN_DETAIL},
	{.names = "State", .get = get_state, LINE},
	{.names = "Partition", OF(job, TEXT, partition)},
	{.names = "NodeList", .get = get_nodes},
	{.names = "Nodes", .get = get_n_nodes, LINE},
	{.names = "CPUs", .get = get_cpus},
	{.names = "Tasks", OF(step, COUNT, tasks)},
	{.names = "Name", OF(step, TEXT, name)},
	{.names = "Network", .constant = "(null)"},
	{.names = "TRES", .get = get_tres, LINE},
	{.names = "ResvPorts", .constant = "(null)", LINE},
	{.names = "CPUFreqReq", .constant = "Default", LINE},
	{.names = "Dist", .get = get_layout},
	{.names = "SrunHost:Pid", .constant = "(null):0", LINE},
};
static const struct members shown = MEMBERS(rows);

static size_t show_of(
	struct session *s, const struct job *job, const struct step_ref *asked)
{
	struct step_list list;
	size_t n = 0;

	if (step_load(&s->site.store, job->key, s->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < list.n; i++) {
		const struct shown_step row = {s, job, &list.v[i]};

		if (row.step->end ||
			(asked && !step_ref_has(asked, job, row.step->id)))
			continue;
		scontrol_record(s, &shown, &row);
		n++;
	}
	return n;
}

static void missing(struct session *s, const char *name)
{
	s->status = name ? 1 : 0;
	if (s->quiet)
		return;
	if (name)
		printf("Job step %s%s not found\n", name,
			strchr(name, '.') ? "" : ".");
	else
		puts("No job steps in the system");
}

void show_steps(struct session *s, const char *name)
{
	struct job_cond cond = {.open = true};
	struct step_ref asked;
	struct job_list jobs;
	struct privacy privacy;
	size_t n = 0;

	scontrol_open(s);
	if (name && !step_ref_parse(name, &asked, s->arena)) {
		s->status = 1;
		if (!s->quiet)
			puts("No job steps found");
		return;
	}
	cond.cluster = cluster_key(&s->site.store, s->site.cluster);
	if (cond.cluster < 0 ||
		privacy_open(&privacy, &s->site, PRIVATE_JOBS, s->arena) ||
		job_load(&s->site.store, &cond, s->arena, &jobs))
		cli_die(&s->err);
	for (size_t i = 0; i < jobs.n; i++)
		if (job_state_started(jobs.v[i].state) &&
			(!name || step_ref_is_of(&asked, &jobs.v[i])) &&
			privacy_allows(
				&privacy, jobs.v[i].user, jobs.v[i].account))
			n += show_of(s, &jobs.v[i], name ? &asked : NULL);
	if (!n)
		missing(s, name);
}
