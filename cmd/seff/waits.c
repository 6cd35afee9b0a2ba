/*
 * seff of a job that waits: what for, and when it starts
 * (common/plan/verdict.h). What would help says sprio --explain.
 */
#include <stdio.h>

#include "cmd/seff/seff.h"
#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "db/view/plan.h"

/* Made once, however many jobs are asked about. */
static struct plan *plan_of(struct session *s)
{
	struct arena *arena = &s->site.arena;

	if (s->plan)
		return s->plan;
	s->plan = arena_alloc(arena, sizeof(*s->plan));
	if (plan_make(s->plan, &s->site, s->site.cluster, s->site.now, NULL,
		    arena))
		cli_die(&s->err);
	plan_backfill(s->plan);
	return s->plan;
}

void show_wait(struct session *s, const struct job *job)
{
	struct plan *plan = plan_of(s);
	const struct sched_job *found = plan_find_key(plan, job->key);
	struct verdict v;

	if (!found)
		return;
	v = verdict_of(&plan->schedule, found);
	printf("It waits for %s (%s).\nIt starts %s.\n",
		verdict_help(&v, &s->scratch), utf8_visible(&s->scratch,
			plan_reason_word(plan, found->record)),
		verdict_start_text(&v, NULL, s->site.now, &s->scratch));
}
