/*
 * seff --suggest of a job that waits: what for, and when it starts
 * (common/plan/verdict.h). What would help says sprio --explain.
 */
#include <stdio.h>

#include "cmd/seff/seff.h"
#include "common/cli/cli.h"
#include "common/text/reason.h"
#include "db/view/plan.h"

void show_wait(struct session *s, const struct job *job)
{
	const struct sched_job *found;
	struct verdict v;
	struct plan plan;

	if (plan_make(&plan, &s->site, s->site.cluster, s->site.now, NULL,
		    &s->scratch))
		cli_die(&s->err);
	plan_backfill(&plan);
	found = plan_find_key(&plan, job->key);
	if (!found)
		return;
	v = plan_verdict(&plan, found);
	printf("It waits for %s (%s).\nIt starts %s.\n",
		verdict_help(&v, &s->scratch), reason_word(v.reason),
		verdict_start_text(&v, NULL, s->site.now, &s->scratch));
}
