/*
 * seff: how well a job used its cores and its memory (Slurm's contribs/seff);
 * for a user's last jobs where both were wasted; and what to ask for next time.
 */
#include "cmd/seff/seff.h"

#include <stdio.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "db/entity/cluster.h"
#include "db/viewer/viewer.h"

/* ---- one job -------------------------------------------------------------*/

struct jobs_answered {
	struct session *session;
	bool listed; /* not as lines */
	bool found, apart;
};

static void answer_lines(
	struct jobs_answered *answer, const struct job_report *report)
{
	struct session *s = answer->session;

	if (answer->apart)
		putchar('\n');
	else
		cli_pager();
	answer->apart = true;
	print_report(report, s->site.cluster, s->options.debug, &s->scratch);
	if (job_state_pending(report->job->state))
		show_wait(s, report->job);
	else if (s->options.suggest)
		show_suggestion(s, report);
}

static void answer_waiting_array(struct session *s, uint32_t id)
{
	fflush(stdout);
	fprintf(stderr, "Badly formatted array jobid %u with task_id = -2\n",
		id);
	s->status = SEFF_BAD_ARRAY;
}

/* Of an array Slurm looks at the first task; a table has room for all. Those
 * that wait come last. */
static int answer_job(struct history_row *row, void *arg)
{
	struct jobs_answered *answer = arg;
	struct session *s = answer->session;
	const struct job *job = &row->job;
	bool first = !answer->found;
	struct job_report report;

	answer->found = true;
	if (job->array_job && job->array_task == NO_VAL) {
		if (first)
			answer_waiting_array(s, job->array_job);
		return 1;
	}
	report = report_of(row, s);
	if (!answer->listed) {
		answer_lines(answer, &report);
		return 1;
	}
	printout_row(&s->out, &report);
	return !job->array_job;
}

static void answer_number(struct jobs_answered *answer, const char *text)
{
	struct session *s = answer->session;
	struct history_cond cond = s->cond;
	struct history_ref ref;

	answer->found = false;
	if (!read_job(text, &ref)) {
		cond.refs = &ref;
		cond.n_refs = 1;
		cond.until = s->options.now + 1;
		cond.steps = true;
		if (history_each(&s->site.store, &cond, &s->scratch, answer_job,
			    answer) < 0)
			cli_die(&s->err);
	}
	if (answer->found)
		return;
	if (s->options.jobs.n == 1)
		cli_say_error("Job not found.");
	else
		cli_say_error("Job not found: %s", text);
	s->status = SEFF_NOT_FOUND;
}

void show_jobs(struct session *s)
{
	struct jobs_answered answer = {
		.session = s, .listed = wants_listing(&s->options)};

	if (answer.listed)
		listing_begin(s, &report_members, "jobs");
	for (size_t i = 0; i < s->options.jobs.n; i++)
		answer_number(&answer, s->options.jobs.v[i]);
	printout_end(&s->out, NULL);
}

/* ---- all -----------------------------------------------------------------*/

static void prepare(struct session *s)
{
	const struct tres *gpu = tres_by_name(&s->site.store.tres, "gres/gpu");

	s->gpu = gpu ? gpu->id : 0;
	s->cluster = cluster_key(&s->site.store, s->site.cluster);
	if (s->cluster < 0)
		cli_die(&s->err);
	s->cond.clusters = &s->cluster;
	s->cond.n_clusters = 1;
	if (history_privacy(&s->cond, &s->site, &s->site.arena))
		cli_die(&s->err);
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;
	bool began;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.scratch);
	seff_options(&s.options, &arena, argc, argv);
	viewer_open(&s.site, false, &s.err);
	if (history_prepare(&s.site.store))
		cli_die(&s.err);
	prepare(&s);
	began = store_begin_read(&s.site.store);
	if (s.options.waste)
		show_wasters(&s);
	else if (s.options.user)
		show_waste(&s);
	else
		show_jobs(&s);
	store_end_read(&s.site.store, began);
	site_close(&s.site);
	arena_release(&s.scratch);
	arena_release(&arena);
	return s.status;
}
