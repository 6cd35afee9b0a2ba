/*
 * A row that was read becomes a job or a step of the store: what is missing is
 * concluded, what cannot be is refused.
 */
#include "cmd/srecord/import.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "common/text/reason.h"
#include "common/text/timespec.h"

void import_row_init(struct import_row *row)
{
	static struct import_row blank;
	static bool made;

	if (!made) {
		job_init(&blank.job);
		step_init(&blank.step);
		blank.cluster = blank.qos = blank.user_id = "";
		blank.max_rss = NO_VAL64;
		made = true;
	}
	*row = blank;
}

static int refuse(struct import_reader *r, const char *why)
{
	return err_set(r->err, ERR_USAGE, "%s", why);
}

/* ---- times --------------------------------------------------------------- */

static int64_t first_known(const struct job *job)
{
	if (job->eligible)
		return job->eligible;
	return job->start ? job->start : job->end;
}

/* When summer ends the local clock shows an hour twice; a time in it was read
 * as the first. What came before, and how long the job ran, say which it was.
 */
static void mend_start(struct job *job)
{
	int64_t again;

	if (!job->start || job->start >= job->submit)
		return;
	again = time_again(job->start);
	if (again && again >= job->submit)
		job->start = again;
}

static void mend_clock(const struct import_row *row, struct job *job)
{
	int64_t ran = row->elapsed.v + job->suspended, start, end;

	mend_start(job);
	if (!job->start || !job->end ||
		(row->elapsed.given ? job->end - job->start == ran
				    : job->end >= job->start))
		return;
	start = time_again(job->start);
	end = time_again(job->end);
	if (end && (row->elapsed.given ? end - job->start == ran
				       : end >= job->start))
		job->end = end;
	else if (start && job->end - start == ran)
		job->start = start;
	else if (job->end < job->start && job->end + 3600 - job->start == ran)
		job->end += 3600; /* times of another zone */
}

static int started(struct import_reader *r, struct job *job)
{
	if (!job->start)
		return refuse(r, "it runs, but there is no start");
	job->end = 0;
	return 0;
}

static int finished(
	struct import_reader *r, const struct import_row *row, struct job *job)
{
	uint32_t base = job->state & JOB_BASE_MASK;

	if (!job->end && job->start && row->elapsed.given)
		job->end = job->start + row->elapsed.v + job->suspended;
	if (!job->end)
		return refuse(r, "it has ended, but there is no end");
	if (!job->start && (base == JOB_COMPLETED || base == JOB_TIMEOUT))
		return refuse(r, "it ran, but there is no start");
	return 0;
}

/* What Slurm says of a job that is held: priority 0, and by whom. The database has
 * the reason before the present one: a job that was released keeps it there. */
static void settle_hold(struct job *job)
{
	unsigned reason = reason_by_name(job->reason);
	bool released = job->last_priority != NO_VAL && job->eligible;

	if (job->last_priority && (released || !reason_is_hold(reason)))
		return;
	job->hold = reason == REASON_HELD_ADMIN ? HOLD_ADMIN : HOLD_USER;
	job->last_priority = NO_VAL;
	job->eligible = 0;
}

/* It ended before it got nodes: Slurm has a start all the same. */
static bool got_nothing(const struct import_row *row)
{
	const struct job *job = &row->job;

	return job->start && job->start == job->end && row->alloc_nodes.given &&
	       (row->alloc_nodes.v <= 0 ||
		       (job->state & JOB_BASE_MASK) == JOB_CANCELLED) &&
	       !*job->nodelist && !job->tres_alloc.n;
}

static int settle_times(
	struct import_reader *r, const struct import_row *row, struct job *job)
{
	if (job_state_pending(job->state)) {
		job->start = job->end = 0;
		settle_hold(job);
		if (job->eligible > r->now)
			job->begin = job->eligible;
	} else if (job_state_started(job->state) ? started(r, job)
						 : finished(r, row, job)) {
		return -1;
	}
	if (!job->submit)
		job->submit = first_known(job);
	if (!job->submit)
		return refuse(r, "no submit time");
	mend_clock(row, job);
	if (job->start && job->start < job->submit)
		return refuse(r, "start is before submit");
	if (job->end && job->start && job->end < job->start)
		return refuse(r, "end is before start");
	if (job->end && job->end < job->submit)
		return refuse(r, "end is before submit");
	if (!job->eligible && (job->start || job->end))
		job->eligible = job->submit;
	if (job->start && job->eligible > job->start && !got_nothing(row))
		job->eligible = job->start;
	if (job->start && job->end && job->suspended > job->end - job->start)
		return refuse(r, "suspended for longer than it ran");
	job->accrue = job->begin ? 0 : job->eligible;
	return 0;
}

/* ---- what it asked for and had ------------------------------------------- */

static uint64_t count_or(
	const struct tres_list *list, uint32_t id, uint64_t otherwise)
{
	uint64_t count = tres_list_get(list, id);

	return count < NO_VAL64 ? count : otherwise;
}

static void put_missing(struct arena *arena, struct tres_list *list,
	uint32_t id, uint64_t count)
{
	if (count && tres_list_get(list, id) >= NO_VAL64)
		tres_list_set(list, arena, id, count);
}

/* Columns of their own come before the lists, the lists before a guess. */
static void settle_request(
	struct import_reader *r, const struct import_row *row, struct job *job)
{
	struct tres_list *req = &job->tres_req;

	if (job->cpus_req == NO_VAL)
		job->cpus_req = (uint32_t)count_or(req, TRES_CPU,
			row->alloc_cpus.v > 0
				? (uint64_t)row->alloc_cpus.v
				: count_or(&job->tres_alloc, TRES_CPU, 1));
	if (job->nodes_req == NO_VAL)
		job->nodes_req = (uint32_t)count_or(req, TRES_NODE,
			row->alloc_nodes.v > 0 ? (uint64_t)row->alloc_nodes.v
					       : 1);
	if (job->mem_req != NO_VAL64 && row->mem_per)
		job->mem_req *=
			row->mem_per == 'n' ? job->nodes_req : job->cpus_req;
	if (job->mem_req == NO_VAL64)
		job->mem_req = tres_list_get(req, TRES_MEM);
	put_missing(r->scratch, req, TRES_CPU, job->cpus_req);
	put_missing(r->scratch, req, TRES_NODE, job->nodes_req);
	if (job->mem_req != NO_VAL64)
		put_missing(r->scratch, req, TRES_MEM, job->mem_req);
}

static void settle_allocation(
	struct import_reader *r, const struct import_row *row, struct job *job)
{
	struct tres_list *list = &job->tres_alloc;
	uint64_t nodes =
		row->alloc_nodes.v > 0 ? (uint64_t)row->alloc_nodes.v : 0;
	bool given = list->n > 0; /* a site need not hand out memory */

	if (!job->start || got_nothing(row)) {
		*list = (struct tres_list){0};
		return;
	}
	if (!nodes)
		nodes = count_or(list, TRES_NODE, 0);
	if (!nodes)
		nodes = hostlist_names(job->nodelist, r->scratch).n;
	if (!nodes)
		nodes = job->nodes_req;
	job->nodes_alloc = (uint32_t)nodes;
	put_missing(r->scratch, list, TRES_CPU,
		row->alloc_cpus.v > 0 ? (uint64_t)row->alloc_cpus.v
				      : job->cpus_req);
	put_missing(r->scratch, list, TRES_NODE, nodes);
	if (!given && job->mem_req != NO_VAL64)
		put_missing(r->scratch, list, TRES_MEM, job->mem_req);
}

/* ---- all that needs no store ----------------------------------------------*/

/* Other exporters may write a name there. A job without an association has only
 * the number: its user is whose that is here, as in Slurm's sacct. */
static void settle_user(
	struct import_reader *r, const struct import_row *row, struct job *job)
{
	const char *text = row->user_id;
	const struct passwd *pw = NULL;
	char *end;
	unsigned long uid = strtoul(text, &end, 10);

	if (*text >= '0' && *text <= '9' && !*end && uid < NO_VAL) {
		job->uid = (uint32_t)uid;
		pw = *job->user ? NULL : getpwuid(job->uid);
	}
	if (!*job->user)
		job->user = pw ? arena_strdup(r->scratch, pw->pw_name) : text;
}

int import_settle(struct import_reader *r, struct import_row *row)
{
	struct job *job = &row->job;

	if (!job->id)
		return refuse(r, "no job id");
	if (!strcmp(job->reservation_req, job->reservation))
		job->reservation_req = "";
	settle_user(r, row, job);
	if (!row->has_state && job->end)
		job->state = job->exit_code ? JOB_FAILED : JOB_COMPLETED;
	else if (!row->has_state && job->start)
		job->state = JOB_RUNNING;
	if (settle_times(r, row, job))
		return -1;
	settle_request(r, row, job);
	settle_allocation(r, row, job);
	return import_owner_key(r, row);
}

/* ---- a job --------------------------------------------------------------- */

/* It must stay where it is until then. */
static void queue_step(struct import *im, struct step *step)
{
	*ARENA_PUSH(&im->scratch, im->queue.v, im->queue.n, im->queue.cap) =
		step;
}

int import_write_steps(struct import *im)
{
	int rc = job_bulk_steps(im->bulk, im->queue.v, im->queue.n);

	memset(&im->queue, 0, sizeof(im->queue));
	im->new_job = 0;
	return rc;
}

/* Real steps say more than the job's own line. */
static int has_steps(struct import *im, const struct job *job, bool *has_some)
{
	struct step_list list;

	if (import_write_steps(im) ||
		step_load(im->s->store, job->key, &im->scratch, &list))
		return -1;
	*has_some = false;
	for (size_t i = 0; i < list.n; i++)
		*has_some = *has_some || list.v[i].tasks;
	return 0;
}

static void put_most_memory(
	struct import *im, const struct import_row *row, struct step *step)
{
	if (row->max_rss != NO_VAL64)
		tres_list_set(&step->used[STEP_IN_MAX], &im->scratch, TRES_MEM,
			row->max_rss);
}

/* CPU time of the job's own line: a batch step without tasks, which the first
 * real step takes away again. */
static void own_step(struct import *im, const struct import_row *row)
{
	const struct job *job = &row->job;
	struct step *step;
	int64_t user = row->user_cpu.v;

	if (!row->user_cpu.given && row->total_cpu.given)
		user = row->total_cpu.v - row->system_cpu.v;
	if (!job->start || (user <= 0 && row->system_cpu.v <= 0 &&
				   row->max_rss == NO_VAL64))
		return;
	step = arena_alloc(&im->scratch, sizeof(*step));
	step_init(step);
	step->job = job->key;
	step->id = STEP_BATCH;
	step->name = "batch";
	step->tasks = 0;
	step->state = job->state;
	step->exit_code = job->exit_code;
	step->start = job->start;
	step->end = job->end;
	step->nodelist = job->nodelist;
	step->nodes = job->nodes_alloc;
	step->user_usec = user > 0 ? (uint64_t)user : 0;
	step->sys_usec = (uint64_t)row->system_cpu.v;
	put_most_memory(im, row, step);
	step->tres_alloc = job->tres_alloc;
	queue_step(im, step);
}

static int save_own_step(
	struct import *im, const struct import_row *row, int saved)
{
	bool real = false;

	if (saved == JOB_SAME)
		return 0;
	if (saved == JOB_CHANGED && has_steps(im, &row->job, &real))
		return -1;
	if (!real)
		own_step(im, row);
	return 0;
}

/* Its own submit time is when it could run. */
int import_requeue(struct import *im, struct job *job)
{
	struct job old;
	int found = job_find(im->s->store, job->cluster, job->id, job->submit,
		&im->scratch, &old);

	if (found > 0 && old.start && job->start && old.start != job->start)
		job->submit = job->eligible > job->submit ? job->eligible
							  : job->start;
	return found < 0 ? -1 : 0;
}

int import_saved(struct import *im, struct import_row *row, int saved)
{
	if (saved == JOB_ADDED)
		im->new_job = row->job.key;
	if (save_own_step(im, row, saved))
		return -1;
	im->count.added += saved == JOB_ADDED;
	im->count.changed += saved == JOB_CHANGED;
	im->count.same += saved == JOB_SAME;
	im->count.late += row->too_late && saved != JOB_SAME;
	im->count.jobs++;
	im->last_job = row->job.key;
	im->last = row->job;
	return 0;
}

/* ---- a step -------------------------------------------------------------- */

/* The job of a step that does not follow its job: the newest with that id that
 * had started by then. */
static int find_job(struct import *im, const struct import_row *row)
{
	struct recording *s = im->s;
	int64_t cluster;
	int found;

	if (im->last_job && im->last.id == row->job.id)
		return 0;
	cluster = find_cluster(s, *row->cluster ? row->cluster : NULL);
	if (cluster <= 0)
		return -1;
	found = job_find_run(s->store, cluster, row->job.id, row->step.start,
		&im->scratch, &im->last);
	im->last_job = found > 0 ? im->last.key : 0;
	if (!found)
		return err_set(&s->err, ERR_USAGE,
			"a step of job %" PRIu32 ", which is not on record",
			row->job.id);
	return found < 0 ? -1 : 0;
}

/* Of a new job it can only be what was put off last. */
static void drop_own_step(struct import *im)
{
	const struct step *last;

	if (!im->queue.n)
		return;
	last = im->queue.v[im->queue.n - 1];
	im->queue.n -= last->job == im->last_job && !last->tasks;
}

static int forget_own_step(struct import *im)
{
	struct step step;
	int found;

	if (im->checked_job == im->last_job)
		return 0;
	im->checked_job = im->last_job;
	if (im->new_job == im->last_job) {
		drop_own_step(im);
		return 0;
	}
	if (import_write_steps(im))
		return -1;
	found = step_find(
		im->s->store, im->last_job, STEP_BATCH, &im->scratch, &step);
	if (found <= 0 || step.tasks)
		return found < 0 ? -1 : 0;
	return step_remove(im->s->store, im->last_job, STEP_BATCH);
}

static int step_times(
	struct import *im, const struct import_row *row, struct step *step)
{
	if (!step->start)
		step->start = im->last.start;
	if (!step->end && step->start && row->elapsed.given &&
		job_state_finished(step->state))
		step->end = step->start + row->elapsed.v;
	if (job_state_finished(step->state) && !step->end)
		step->end = im->last.end;
	if (step->end && step->end < step->start)
		return err_set(&im->s->err, ERR_USAGE,
			"a step's end is before its start");
	return 0;
}

/* Where the tasks with the extremes ran. */
static void put_nodes(
	struct import *im, const struct import_row *row, struct step *step)
{
	for (const struct used_node *n = row->used_nodes; n; n = n->next) {
		uint64_t place;

		if (hostlist_place(step->nodelist, n->node, &im->scratch, &place))
			tres_list_set(&step->used[n->list], &im->scratch,
				n->tres, place);
	}
}

int import_step(struct import *im, struct import_row *row)
{
	struct step *step = &row->step;
	const struct tres_list *alloc = &row->job.tres_alloc;

	step->state = row->job.state;
	step->exit_code = row->job.exit_code;
	step->start = row->job.start;
	step->end = row->job.end;
	step->name = *row->job.name ? row->job.name : row->id.step;
	step->nodelist = row->job.nodelist;
	step->killed_by = row->job.killed_by;
	step->submit_line = row->job.submit_line;
	step->time_limit = row->job.time_limit;
	step->container = row->job.container;
	step->work_dir = row->job.work_dir;
	step->std_in = row->job.std_in;
	step->std_out = row->job.std_out;
	step->std_err = row->job.std_err;
	if (find_job(im, row) || step_times(im, row, step) ||
		forget_own_step(im))
		return -1;
	step->job = im->last_job;
	step->tres_alloc = *alloc;
	if (row->alloc_cpus.given)
		put_missing(&im->scratch, &step->tres_alloc, TRES_CPU,
			(uint64_t)row->alloc_cpus.v);
	step->nodes = (uint32_t)(row->alloc_nodes.given
					 ? (uint64_t)row->alloc_nodes.v
					 : count_or(alloc, TRES_NODE, 1));
	put_missing(&im->scratch, &step->tres_alloc, TRES_NODE, step->nodes);
	if (row->system_cpu.given)
		step->sys_usec = (uint64_t)row->system_cpu.v;
	if (row->user_cpu.given)
		step->user_usec = (uint64_t)row->user_cpu.v;
	else if (row->total_cpu.v > row->system_cpu.v)
		step->user_usec =
			(uint64_t)(row->total_cpu.v - row->system_cpu.v);
	put_most_memory(im, row, step);
	put_nodes(im, row, step);
	im->count.steps++;
	queue_step(im, step);
	return 0;
}
