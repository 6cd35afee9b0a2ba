/*
 * SWF traces (cs.huji.ac.il/labs/parallel/workload/swf.html). Users and groups
 * are numbers there: user 7 of group 2 becomes user u7 of account g2; a queue
 * its partition, by the name the header gives it.
 */
#include "cmd/srecord/import.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/numbers.h"
#include "db/entity/event.h"

enum { SWF_FAILED = 0, SWF_COMPLETED = 1, SWF_PARTIAL = 2, SWF_CANCELLED = 5 };

struct swf_import {
	struct swf_header header;
	struct arena *arena;
	bool begun; /* the first job was seen */
};

void import_swf_begin(struct import_reader *r)
{
	struct swf_import *trace = arena_alloc(&r->keep, sizeof(*trace));

	trace->arena = &r->keep;
	r->format = trace;
}

static const char *numbered(
	struct import_reader *r, const char *prefix, int64_t number)
{
	if (number < 0)
		return "unknown";
	return arena_printf(r->scratch, "%s%" PRId64, prefix, number);
}

static const char *queue_name(struct import_reader *r,
	const struct swf_header *header, int64_t number)
{
	if (number < 0)
		return "";
	if ((size_t)number < header->queues.n && *header->queues.v[number])
		return header->queues.v[number];
	return numbered(r, "q", number);
}

static uint32_t state_of(const struct swf_job *swf)
{
	if (swf->v[SWF_STATUS] == SWF_CANCELLED)
		return JOB_CANCELLED;
	return swf->v[SWF_STATUS] == SWF_FAILED ? JOB_FAILED : JOB_COMPLETED;
}

/* A cancelled job without a run time, or without a wait and a run, never ran.
 * Where no waits are known, a job starts with its submission. */
static int put_times(struct import_reader *r, const struct swf_header *header,
	const struct swf_job *swf, struct job *job)
{
	int64_t wait = swf->v[SWF_WAIT] > 0 ? swf->v[SWF_WAIT] : 0;
	int64_t run = swf->v[SWF_RUN];
	bool never = job->state == JOB_CANCELLED &&
		     (run < 0 || (run == 0 && swf->v[SWF_WAIT] < 0));

	if (swf->v[SWF_SUBMIT] < 0)
		return err_set(r->err, ERR_USAGE, "no submit time");
	if (run < 0 && !never)
		return err_set(r->err, ERR_USAGE, "no run time");
	/* 0 means unknown in the store */
	job->submit = (header->start ? header->start : 1) + swf->v[SWF_SUBMIT];
	job->start = never ? 0 : job->submit + wait;
	job->end = job->submit + wait + (never ? 0 : run);
	return 0;
}

static int put_size(struct import_reader *r, const struct swf_job *swf,
	struct import_row *row)
{
	int64_t used = swf->v[SWF_PROCS], asked = swf->v[SWF_REQ_PROCS];
	int64_t most = NO_VAL - 1;

	if (used <= 0)
		used = asked;
	if (asked <= 0)
		asked = used;
	if (asked <= 0 && row->job.start)
		return err_set(r->err, ERR_USAGE, "no processor count");
	if (asked > most || used > most)
		return err_set(r->err, ERR_USAGE, "too many processors");
	row->job.cpus_req = asked > 0 ? (uint32_t)asked : 1;
	row->alloc_cpus = (struct number){true, used};
	if (swf->v[SWF_REQ_MEM] > 0)
		row->job.mem_req = (uint64_t)swf->v[SWF_REQ_MEM] *
				   row->job.cpus_req / 1024;
	if (swf->v[SWF_REQ_TIME] > 0)
		row->job.time_limit =
			(uint32_t)((swf->v[SWF_REQ_TIME] + 59) / 60);
	return 0;
}

/* Means of each processor there, of all of them here. */
static void put_used(const struct swf_job *swf, struct import_row *row)
{
	int64_t cpus = row->alloc_cpus.v;

	if (swf->v[SWF_CPU] > 0 && swf->v[SWF_CPU] < 1000000000)
		row->total_cpu =
			(struct number){true, swf->v[SWF_CPU] * cpus * 1000000};
	if (swf->v[SWF_MEM] > 0)
		row->max_rss = (uint64_t)swf->v[SWF_MEM] * 1024;
}

static int put_job(struct import_reader *r, const struct swf_job *swf,
	struct import_row *row)
{
	const struct swf_import *trace = r->format;
	struct job *job = &row->job;

	if (swf->v[SWF_ID] <= 0 || swf->v[SWF_ID] >= NO_VAL)
		return err_set(r->err, ERR_USAGE, "no job number");
	job->id = (uint32_t)swf->v[SWF_ID];
	job->state = state_of(swf);
	row->has_state = true;
	job->exit_code = job->state == JOB_FAILED ? 1 << 8 : 0;
	job->user = numbered(r, "u", swf->v[SWF_USER]);
	job->account = numbered(r, "g", swf->v[SWF_GROUP]);
	job->partition = queue_name(r, &trace->header, swf->v[SWF_QUEUE]);
	if (swf->v[SWF_EXECUTABLE] >= 0)
		job->name = numbered(r, "app", swf->v[SWF_EXECUTABLE]);
	if (put_times(r, &trace->header, swf, job) || put_size(r, swf, row))
		return -1;
	put_used(swf, row);
	return 0;
}

int import_swf_line(
	struct import_reader *r, char *line, size_t len, struct import_row *row)
{
	struct swf_import *trace = r->format;
	struct swf_job swf;
	int found = swf_line(line, &trace->header, trace->arena, &swf, r->err);

	(void)len;
	if (found <= 0)
		return found ? -1 : FOUND_NOTHING;
	/* The parts of a job whose whole has a line of its own. */
	if (swf.v[SWF_STATUS] >= SWF_PARTIAL &&
		swf.v[SWF_STATUS] < SWF_CANCELLED)
		return import_passed(
			r, "a part of a job whose whole has a line of its own");
	import_row_init(row);
	if (put_job(r, &swf, row) || import_settle(r, row))
		return -1;
	if (!trace->begun)
		row->trace = &trace->header;
	trace->begun = true;
	return FOUND_ROW;
}

/* ---- how large the machine was ------------------------------------------- */

static void put_count(
	struct import *im, struct event *event, uint32_t id, int64_t count)
{
	if (count > 0 && count < NO_VAL)
		tres_list_set(&event->tres, &im->scratch, id, (uint64_t)count);
}

/* From the begin of the trace on the cluster has the processors the header
 * tells, unless the store knows better. */
int import_capacity(struct import *im, const struct swf_header *header)
{
	struct event_cond cond = {.only_cluster = true};
	struct event_list known = {0};
	struct event event;

	if (!im->options.create || header->procs <= 0)
		return 0;
	cond.cluster = find_cluster(im->s, NULL);
	if (cond.cluster <= 0 ||
		event_load(im->s->store, &cond, &im->scratch, &known))
		return -1;
	for (size_t i = 0; i < known.n; i++)
		if (!event_is_assumed(&known.v[i]))
			return 0;
	event_init(&event);
	event.cluster = cond.cluster;
	event.start = header->start ? header->start : 1;
	event.reason = "Cluster Registered TRES";
	put_count(im, &event, TRES_CPU, header->procs);
	put_count(im, &event, TRES_NODE, header->nodes);
	put_count(im, &event, TRES_BILLING, header->procs);
	if (event_add_cluster(im->s->store, &event))
		return -1;
	im->count.events++;
	return 0;
}
