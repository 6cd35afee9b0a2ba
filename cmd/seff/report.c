/*
 * What seff says of one job (Slurm's contribs/seff).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/seff/seff.h"
#include "common/base/numbers.h"

static uint64_t elapsed_of(const struct job *job, int64_t now)
{
	int64_t end = job->end ? job->end : now;

	return job->start ? (uint64_t)larger(0,
				    end - job->start - job_suspended(job, now))
			  : 0;
}

static uint64_t mem_of(const struct step *step, enum step_use list)
{
	return tres_list_get(&step->used[list], TRES_MEM);
}

static const struct efficiency_step *steps_of(
	const struct step_list *steps, struct arena *arena)
{
	struct efficiency_step *v =
		arena_array(arena, steps->n + 1, sizeof(*v));

	for (size_t i = 0; i < steps->n; i++) {
		const struct step *step = &steps->v[i];

		v[i] = (struct efficiency_step){
			.cpu_usec = step->user_usec + step->sys_usec,
			.tot_mem = mem_of(step, STEP_IN_TOT),
			.max_mem = mem_of(step, STEP_IN_MAX),
			.ave_mem = mem_of(step, STEP_IN_AVE),
			.tasks = step->tasks,
		};
	}
	return v;
}

static bool knows_mem(const struct step_list *steps)
{
	for (size_t i = 0; i < steps->n; i++)
		if (mem_of(&steps->v[i], STEP_IN_MAX) != NO_VAL64 ||
			mem_of(&steps->v[i], STEP_IN_TOT) != NO_VAL64)
			return true;
	return false;
}

/* No process runs without any CPU time: nobody measured these steps. */
static bool knows_cpu(const struct step_list *steps)
{
	for (size_t i = 0; i < steps->n; i++)
		if (steps->v[i].user_usec || steps->v[i].sys_usec)
			return true;
	return false;
}

/* Of the step that used most: all its tasks as much as the busiest, at most. */
static double gpus_used(const struct step_list *steps, const struct tres *util)
{
	double most = NAN;

	for (size_t i = 0; i < steps->n; i++) {
		const struct step *step = &steps->v[i];
		uint64_t max = util ? tres_list_get(&step->used[STEP_IN_MAX],
					      util->id)
				    : NO_VAL64;

		if (max != NO_VAL64)
			most = fmax(most,
				(double)max / 100 * fmax(step->tasks, 1));
	}
	return most;
}

struct job_report report_of(const struct history_row *row, struct session *s)
{
	struct arena *arena = &s->scratch;
	const struct job *job = &row->job;
	struct efficiency_job facts = {
		.elapsed = elapsed_of(job, s->options.now),
		.cpus = tres_list_get(&job->tres_alloc, TRES_CPU),
		.nodes = job->nodes_alloc,
		.mem = tres_list_get(&job->tres_alloc, TRES_MEM),
		.mem_per_cpu = job->mem_per_cpu > 0,
		.steps = steps_of(&row->steps, arena),
		.n_steps = row->steps.n,
	};

	return (struct job_report){
		.job = job,
		.e = efficiency_of(&facts),
		.elapsed = facts.elapsed,
		.gpus = s->gpu ? tres_list_count(&job->tres_alloc, s->gpu) : 0,
		.gpus_used = gpus_used(&row->steps,
			tres_by_name(&s->site.store.tres, "gres/gpuutil")),
		.knows_cpu = knows_cpu(&row->steps),
		.knows_mem = knows_mem(&row->steps),
		.id = job_shown_id(
			job, job->array_tasks, job->array_task, arena),
		.group = job_group(job, arena),
	};
}

/* ---- lines ---------------------------------------------------------------*/

static uint64_t asked_kib(const struct job *job)
{
	uint64_t mem = tres_list_get(&job->tres_req, TRES_MEM);

	return mem < NO_VAL64 ? mem * 1024 : 0;
}

static void print_debug(const struct job_report *r, const char *cluster)
{
	const struct job *job = r->job;

	printf("Slurm data: JobID ArrayJobID User Group State Clustername "
	       "Ncpus Nnodes Ntasks Reqmem PerNode Cput Walltime Mem "
	       "ExitStatus\n");
	printf("Slurm data: %" PRIu32 " %s %s %s %s %s %" PRIu64 " %" PRIu64
	       " %" PRIu64 " 1 %" PRIu64 " %" PRIu64 " %.15g %" PRIu32 "\n\n",
		job->id, job->array_job ? r->id : "", job->user, r->group,
		job_state_word(job->state), cluster, r->e.cpus, r->e.nodes,
		asked_kib(job), r->e.cpu_used, r->elapsed, r->e.mem_used,
		job->exit_code >> 8);
}

static void print_who(const struct job_report *r, const char *cluster)
{
	const struct job *job = r->job;
	const char *state = job_state_word(job->state);
	bool open = !strcmp(state, "PENDING") || !strcmp(state, "RUNNING");

	printf("Job ID: %" PRIu32 "\n", job->id);
	if (job->array_job)
		printf("Array Job ID: %s\n", r->id);
	printf("Cluster: %s\nUser/Group: %s/%s\n", cluster, job->user,
		r->group);
	if (open)
		printf("State: %s\n", state);
	else
		printf("State: %s (exit code %" PRIu32 ")\n", state,
			job->exit_code >> 8);
	if (r->e.cpus == 1)
		printf("Cores: 1\n");
	else
		printf("Nodes: %" PRIu64 "\nCores per node: %" PRIu64 "\n",
			r->e.nodes, r->e.cpus / r->e.nodes);
}

static void print_use(const struct job_report *r, struct arena *arena)
{
	const struct efficiency *e = &r->e;

	printf("CPU Utilized: %s\n", efficiency_time(arena, e->cpu_used));
	printf("CPU Efficiency: %.2f%% of %s core-walltime\n", e->cpu_percent,
		efficiency_time(arena, e->core_wall));
	printf("Job Wall-clock time: %s\n", efficiency_time(arena, r->elapsed));
	printf("Memory Utilized: %s%s\n", efficiency_size(arena, e->mem_used),
		e->mem_estimated ? " (estimated maximum)" : "");
	printf("Memory Efficiency: %.2f%% of %s (%s/%s)\n", e->mem_percent,
		efficiency_size(arena, e->mem_given),
		efficiency_size(arena, e->mem_share),
		r->job->mem_per_cpu ? "core" : "node");
	if (e->spread > 0)
		printf("The task which had the largest memory consumption "
		       "differs by %.2f%% from the average task max memory "
		       "consumption\n",
			e->spread);
}

void print_report(const struct job_report *r, const char *cluster, bool debug,
	struct arena *arena)
{
	const char *state = job_state_word(r->job->state);

	if (debug)
		print_debug(r, cluster);
	print_who(r, cluster);
	if (!strcmp(state, "PENDING")) {
		printf("Efficiency not available for jobs in the PENDING "
		       "state.\n");
		return;
	}
	print_use(r, arena);
	if (!strcmp(state, "RUNNING"))
		printf("WARNING: Efficiency statistics can only be obtained "
		       "after the job has ended as seff tool is based on the "
		       "accounting database data.\n");
}

/* ---- numbers -------------------------------------------------------------*/

int read_job(const char *text, struct history_ref *ref)
{
	*ref = (struct history_ref){
		.task = NO_VAL, .offset = NO_VAL, .step = HISTORY_ALL};
	if (number_read(text, &ref->id, &text) || !ref->id)
		return -1;
	if (*text == '_' && number_read(text + 1, &ref->task, &text))
		return -1;
	ref->last = ref->task;
	ref->every = 1;
	if (*text == '+' && number_read(text + 1, &ref->offset, &text))
		return -1;
	return *text ? -1 : 0;
}
