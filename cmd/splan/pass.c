/*
 * Both passes over the queue in the store (spec/backfill.md 2, 3.5), under the
 * policy asked for.
 */
#include "cmd/splan/splan.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/base/stopwatch.h"
#include "common/text/timespec.h"

/* Every job gets a start, however far, as by conservative backfill. */
static void look_far(struct backfill *b)
{
	struct sched_params *params = &b->params;

	b->policy = BACKFILL_CONSERVATIVE;
	params->bf_max_job_test = params->bf_node_space_size = 1000000;
	params->bf_max_job_part = params->bf_max_job_user = 0;
	params->bf_max_job_user_part = params->bf_max_job_assoc = 0;
	params->bf_max_job_start = params->bf_job_part_count_reserve = 0;
	params->bf_min_age_reserve = params->bf_min_prio_reserve = 0;
}

/* The pass reads a snapshot and blocks no one: there is nothing to yield. */
static int64_t elapsed(void *arg)
{
	const struct planned *p = arg;

	return stopwatch_usec() - p->began;
}

static int moment(struct planned *p, const struct site *site,
	const struct options *options, struct err *err)
{
	time_t when = site->now;

	if (options->at_text &&
		time_parse(options->at_text, site->now, true, &when, err))
		return err_prefix(err, "--at");
	p->at = when;
	return 0;
}

bool splan_plans(const struct options *options)
{
	return options->start || options->record ||
	       (!options->over && !options->parameters);
}

int splan_make(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	const struct plan_how how = {p->change, options->policy};
	struct backfill *b = &p->plan.backfill;

	arena_reset(&p->arena);
	if (moment(p, site, options, err) ||
		plan_make(&p->plan, site, site->cluster, p->at, &how,
			&p->arena))
		return -1;
	b->cores = options->granularity && *options->granularity == 'c';
	b->skip_same_shape = options->skip_same_shape;
	p->tables = NULL;
	b->arg = p;
	b->watch = options->table ? collect_table : NULL;
	b->elapsed = p->far ? NULL : elapsed;
	if (p->far)
		look_far(b);
	if (!splan_plans(options))
		return 0;
	p->began = stopwatch_usec();
	plan_backfill(&p->plan);
	p->took = stopwatch_usec() - p->began;
	return 0;
}
