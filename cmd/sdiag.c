/*
 * sdiag: scheduling statistics in the words of Slurm's program of that name, as
 * far as the store and a pass made now know them: what happened to jobs since
 * midnight (UTC), where slurmctld begins anew, and what the pass does. What only
 * a running slurmctld could count has no line. Nothing is written.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/stopwatch.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/array_tasks.h"
#include "common/text/jobstate.h"
#include "common/text/timespec.h"
#include "db/job/complete.h"
#include "db/view/plan.h"
#include "db/viewer/viewer.h"

struct options {
	enum json_form form;
	struct option_clusters clusters;
};

/* clang-format off */
static const char usage_text[] = "Usage: sdiag [-M cluster] [-aritT]\n";

static const char help_head[] =
"Usage: sdiag [OPTIONS]\n"
"Statistics of jobs since midnight (UTC) and of a scheduling pass made now.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"Options:", "cluster json,yaml all sort-by-id sort-by-time sort-by-time2 no-trunc reset offline help,usage version"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 26, NULL};
/* clang-format on */

static _Noreturn void refuse_reset(
	void *options, const struct option_row *row, const char *arg)
{
	(void)options, (void)row, (void)arg;
	cli_fatal("--reset: there is no controller here whose statistics could "
		  "be reset");
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"all", 'a', no_argument, option_nothing,
		.help = "taken as in Slurm"},
	OPTION_HELP('h', "print this"),
	{"reset", 'r', no_argument, refuse_reset,
		.help = "refused: nothing is counted here"},
	{"sort-by-id", 'i', no_argument, option_nothing,
		.help = "taken as in Slurm"},
	{"cluster", 'M', required_argument, option_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS, .env = "SLURM_CLUSTERS",
		.arg = "NAME", .help = "of this cluster"},
	{"clusters", 'M', required_argument, option_clusters, .offset = AT(clusters)},
	{"no-trunc", 0, no_argument, option_nothing,
		.help = "taken as in Slurm"},
	{"sort-by-time", 't', no_argument, option_nothing,
		.help = "taken as in Slurm"},
	{"sort-by-time2", 'T', no_argument, option_nothing,
		.help = "taken as in Slurm"},
	OPTION_OFFLINE,
	{"usage", 0, no_argument, option_print, .text = usage_text},
	OPTION_VERSION("print the version"),
	OPTION_JSON("a document in Slurm's layout"),
	{.take = NULL},
};
/* clang-format on */

/* ---- numbers -------------------------------------------------------------*/

struct diagnosis {
	int64_t now, since;
	/* Tasks of arrays are jobs. */
	uint64_t submitted, started, completed, canceled, failed;
	uint64_t pending, running, backfilled;
	uint64_t main_usec, backfill_usec, queue;
	struct backfill_report report;
};

static bool is_one_of(const struct job *job, unsigned states)
{
	return (JOB_STATE_BIT(job->state) & states) != 0;
}

static int count(const struct job *job, void *arg)
{
	const unsigned broken = JOB_STATE_BIT(JOB_NODE_FAIL) |
				JOB_STATE_BIT(JOB_BOOT_FAIL);
	const unsigned canceled = JOB_STATE_BIT(JOB_CANCELLED);
	struct diagnosis *d = arg;
	uint64_t n = array_tasks_count(job->array_tasks);
	bool began = job->start >= d->since && job->start <= d->now;
	bool ended = job->end >= d->since && job->end <= d->now;

	d->pending += job_state_pending(job->state) ? n : 0;
	d->running += !job->end && job_state_started(job->state);
	d->submitted += job->submit >= d->since ? n : 0;
	d->started += began;
	d->backfilled += began && (job->flags & JOB_FLAG_BACKFILL);
	d->canceled += ended && is_one_of(job, canceled);
	d->failed += ended && is_one_of(job, broken);
	d->completed += ended && !is_one_of(job, broken | canceled);
	return 0;
}

/* "Mon Nov 23 17:57:48 2026 (1795456668)" */
static const char *time_text(int64_t at, struct arena *arena)
{
	return arena_printf(arena, "%s (%" PRId64 ")",
		time_format(arena, at, "%a %b %d %T %Y", at), at);
}

#define GET(name, expression) GETTER(name, struct diagnosis, expression)
GET(now_text, of_text(time_text(row->now, arena)))
GET(since_text, of_text(time_text(row->since, arena)))
GET(now, of_limit((uint64_t)row->now))
GET(since, of_limit((uint64_t)row->since))
GET(jobs, of_uint(row->report.jobs))
GET(tested, of_uint(row->report.tested))
GET(records, of_uint(row->report.records))

/* clang-format off */
#define TITLE(text) {.heading = (text)}
#define COUNT(member_) .type = MEMBER_COUNT64, .offset = offsetof(struct diagnosis, member_)
#define LINE "*******************************************************"

/* In the order of Slurm: what has a heading is a line between. */
static const struct member rows[] = {
	TITLE(LINE),
	{.names = "sdiag output at ", .get = get_now_text},
	{.json = "req_time", .get = get_now},
	{.names = "Data since      ", .get = get_since_text},
	{.json = "req_time_start", .get = get_since},
	TITLE(LINE "\n"),
	{.names = "Jobs submitted: ", .json = "jobs_submitted", COUNT(submitted)},
	{.names = "Jobs started:   ", .json = "jobs_started", COUNT(started)},
	{.names = "Jobs completed: ", .json = "jobs_completed", COUNT(completed)},
	{.names = "Jobs canceled:  ", .json = "jobs_canceled", COUNT(canceled)},
	{.names = "Jobs failed:    ", .json = "jobs_failed", COUNT(failed)},
	TITLE(""),
	{.names = "Job states ts:  ", .get = get_now_text},
	{.json = "job_states_ts", .get = get_now},
	{.names = "Jobs pending:   ", .json = "jobs_pending", COUNT(pending)},
	{.names = "Jobs running:   ", .json = "jobs_running", COUNT(running)},
	TITLE("\nMain schedule statistics (microseconds):"),
	{.names = "\tLast cycle:   ", .json = "schedule_cycle_last", COUNT(main_usec)},
	{.names = "\tLast queue length: ", .json = "schedule_queue_length", COUNT(queue)},
	TITLE("\nBackfilling stats"),
	{.names = "\tTotal backfilled jobs (since last stats cycle start): ",
		.json = "bf_last_backfilled_jobs", COUNT(backfilled)},
	{.names = "\tLast cycle when: ", .get = get_now_text},
	{.json = "bf_when_last_cycle", .get = get_now},
	{.names = "\tLast cycle: ", .json = "bf_cycle_last", COUNT(backfill_usec)},
	{.names = "\tLast depth cycle: ", .json = "bf_last_depth", .get = get_jobs},
	{.names = "\tLast depth cycle (try sched): ", .json = "bf_last_depth_try", .get = get_tested},
	{.names = "\tLast queue length: ", .json = "bf_queue_len", COUNT(queue)},
	{.names = "\tLast table size: ", .json = "bf_table_size", .get = get_records},
};
/* clang-format on */
static const struct members lines = MEMBERS(rows);

/* ---- all -----------------------------------------------------------------*/

static int gather(struct site *site, struct diagnosis *d, struct arena *arena)
{
	struct arena scratch;
	struct plan plan;
	struct job_cond cond = {.from = d->since};
	int64_t began = stopwatch_usec();
	int failed;

	if (plan_make(&plan, site, site->cluster, d->now, NULL, arena))
		return -1;
	d->main_usec = (uint64_t)(stopwatch_usec() - began);
	d->queue = plan.schedule.n_jobs;
	began = stopwatch_usec();
	plan_backfill(&plan);
	d->backfill_usec = (uint64_t)(stopwatch_usec() - began);
	d->report = plan.backfill.report;
	cond.cluster = plan.prio.shares.cluster_key;
	arena_init(&scratch);
	failed = job_each(&site->store, &cond, &scratch, count, d);
	arena_release(&scratch);
	return failed;
}

static void print_text(const struct site *site, const struct diagnosis *d,
	struct arena *arena)
{
	const struct value_style style = site_style(site);

	for (size_t i = 0; i < lines.n; i++) {
		const struct member *m = &lines.v[i];
		struct value value;

		if (m->heading)
			puts(m->heading);
		if (!m->names)
			continue;
		value = member_value(m, d, arena);
		printf("%s%s\n", m->names, value_text(&value, &style, arena));
	}
	printf("\nBackfill exit\n\t%s: 1\n", backfill_exit_name(d->report.exit));
}

static void print_document(struct site *site, const struct diagnosis *d,
	enum json_form form, struct arena *arena)
{
	struct json_object *statistics = json_record();
	struct json_doc doc;

	json_put_members(statistics, &lines, d, arena, &site->store.tres);
	json_begin(&doc, stdout, form, "statistics/rpcs_by_message_type");
	cli_end_document(&doc, statistics);
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct diagnosis d = {0};
	struct site site;
	struct err err = {0};

	cli_init(argv[0]);
	if (options_read(option_rows, &options, argc, argv) < argc)
		cli_fatal("Too many arguments: %s", argv[optind]);
	viewer_open(&site, false, &err);
	viewer_own_cluster(&site, &options.clusters);
	d.now = site.now;
	d.since = d.now - d.now % 86400;
	if (gather(&site, &d, &site.arena))
		cli_die(&err);
	if (options.form)
		print_document(&site, &d, options.form, &site.arena);
	else
		print_text(&site, &d, &site.arena);
	site_close(&site);
	return 0;
}
