/*
 * splan --over-limits: running jobs that have reached a limit for which a
 * controller would end them (spec/priority.md 8.3). Nobody ends them here: the
 * list is for who does.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>

#include "common/cli/cli.h"
#include "common/table/table.h"
#include "common/text/jobstate.h"
#include "common/text/reason.h"

struct over {
	const struct job *job;
	const char *reason;
};

static const char *job_number(const struct job *job, struct arena *arena)
{
	if (job->array_job)
		return arena_printf(arena, "%" PRIu32 "_%" PRIu32,
			job->array_job, job->array_task);
	return arena_printf(arena, "%" PRIu32, job->id);
}

static int64_t ran(const struct plan *plan, const struct job *job)
{
	int64_t until = job->suspended_since ? job->suspended_since : plan->at;

	return until - job->start - job->suspended;
}

/* ---- which ---------------------------------------------------------------*/

static unsigned reached(struct plan *plan, const struct job *job)
{
	struct limits_of of = {job->assoc, job->qos,
		conf_partition_by_name(&plan->site->conf, job->partition),
		job->user, job->account};
	struct limit_job in = {.tres = &job->tres_alloc,
		.time_limit = job->time_limit,
		.tasks = 1};
	struct limit_chain *chain;
	const struct qos *qos;
	int found = limits_chain(&plan->limits, &of, &chain, &qos);

	if (found < 0)
		cli_die(plan->site->store.err);
	return found ? limits_reached(chain, &in, (uint64_t)ran(plan, job))
		     : REASON_NONE;
}

struct overs {
	struct over *v;
	size_t n, cap;
};

static void find(struct plan *plan, struct overs *overs)
{
	if (!(plan->site->conf.enforce & ENFORCE_LIMITS))
		return;
	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *job = &plan->jobs.v[i];
		unsigned reason = REASON_NONE;

		if (job->start && !job_state_pending(job->state))
			reason = reached(plan, job);
		if (reason)
			*ARENA_PUSH(
				plan->arena, overs->v, overs->n, overs->cap) =
				(struct over){job, reason_name(reason)};
	}
}

/* ---- printing ------------------------------------------------------------*/

enum { JOB_ID, PARTITION, USER, ACCOUNT, START, REASON, COLUMNS };

static struct value text_value(const char *text)
{
	return (struct value){.type = VALUE_TEXT, .text = text};
}

static void get_over(
	const void *arg, size_t row, struct value *values, struct arena *arena)
{
	const struct overs *overs = arg;
	const struct job *job = overs->v[row].job;

	values[JOB_ID] = text_value(job_number(job, arena));
	values[PARTITION] = text_value(job->partition);
	values[USER] = text_value(job->user);
	values[ACCOUNT] = text_value(job->account);
	values[START] = (struct value){
		.type = VALUE_TIME, .number = (uint64_t)job->start};
	values[REASON] = text_value(overs->v[row].reason);
}

void print_over(
	struct planned *p, const struct options *options, struct err *err)
{
	static struct table_column columns[COLUMNS] = {
		[JOB_ID] = {"JobID", 12},
		[PARTITION] = {"Partition", 9},
		[USER] = {"User", 8},
		[ACCOUNT] = {"Account", 10},
		[START] = {"StartTime", 19},
		[REASON] = {"Reason", -30},
	};
	static const char *const names[COLUMNS] = {
		[JOB_ID] = "job_id",
		[PARTITION] = "partition",
		[USER] = "user",
		[ACCOUNT] = "account",
		[START] = "start_time",
		[REASON] = "reason",
	};
	struct overs overs = {0};
	struct splan_rows rows = {.list = "jobs",
		.columns = columns,
		.names = names,
		.n_columns = COLUMNS,
		.get = get_over,
		.arg = &overs};

	find(&p->plan, &overs);
	rows.n = overs.n;
	splan_print_rows(p, options, &rows, err);
}
