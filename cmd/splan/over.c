/*
 * splan --over-limits: running jobs that have reached a limit for which a
 * controller would end them (spec/priority.md 8.3). Nobody ends them here: the
 * list is for who does.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/cli.h"
#include "common/jobstate.h"
#include "common/numbers.h"
#include "common/reason.h"
#include "common/table.h"

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

enum { JOB_ID, PARTITION, USER, ACCOUNT, START, REASON, COLUMNS };

static const struct {
	struct table_column column;
	const char *name; /* in JSON */
} columns[COLUMNS] = {
	[JOB_ID] = {{"JobID", 12}, "job_id"},
	[PARTITION] = {{"Partition", 9}, "partition"},
	[USER] = {{"User", 8}, "user"},
	[ACCOUNT] = {{"Account", 10}, "account"},
	[START] = {{"StartTime", 19}, "start_time"},
	[REASON] = {{"Reason", -30}, "reason"},
};

static struct value text_value(const char *text)
{
	return (struct value){.type = VALUE_TEXT, .text = text};
}

static void get_values(
	const struct over *over, struct arena *arena, struct value *values)
{
	const struct job *job = over->job;

	values[JOB_ID] = text_value(job_number(job, arena));
	values[PARTITION] = text_value(job->partition);
	values[USER] = text_value(job->user);
	values[ACCOUNT] = text_value(job->account);
	values[START] = (struct value){
		.type = VALUE_TIME, .number = (uint64_t)job->start};
	values[REASON] = text_value(over->reason);
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

static void print_table(const struct plan *plan, const struct options *options,
	const struct overs *overs)
{
	struct table_column heads[COLUMNS];
	struct value values[COLUMNS];
	struct table table = {
		.out = stdout,
		.mode = options->mode,
		.heading = options->heading,
		.delimiter = "|",
		.style = site_style(plan->site),
		.scratch = plan->arena,
		.columns = heads,
		.n = COLUMNS,
	};

	for (size_t c = 0; c < COLUMNS; c++)
		heads[c] = columns[c].column;
	table_heading(&table);
	for (size_t i = 0; i < overs->n; i++) {
		get_values(&overs->v[i], plan->arena, values);
		table_row(&table, values);
	}
}

static void print_document(const struct plan *plan,
	const struct options *options, const struct overs *overs,
	const struct json_meta *meta, struct err *err)
{
	struct value values[COLUMNS];
	struct json_doc doc;

	json_begin(&doc, stdout, options->form, "jobs");
	for (size_t i = 0; i < overs->n; i++) {
		struct json_object *record = json_record();

		get_values(&overs->v[i], plan->arena, values);
		for (size_t c = 0; c < COLUMNS; c++)
			json_put_plain(record, columns[c].name, &values[c],
				&plan->site->store.tres);
		json_write(&doc, record);
	}
	if (json_end(&doc, NULL, meta, err))
		cli_die(err);
}

void print_over(struct plan *plan, const struct options *options, int argc,
	char **argv, struct err *err)
{
	struct json_meta meta = {
		argv, argc, plan->site->cluster, plan->site->caller.name};
	struct overs overs = {0};

	find(plan, &overs);
	if (options->form)
		print_document(plan, options, &overs, &meta, err);
	else
		print_table(plan, options, &overs);
}
