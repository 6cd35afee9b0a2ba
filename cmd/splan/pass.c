/*
 * Both passes over the queue in the store, under the policy asked for.
 */
#include "cmd/splan/splan.h"

#include <string.h>
#include <time.h>

#include "common/base/stopwatch.h"
#include "common/text/timespec.h"

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

struct plan_how splan_how(const struct options *o)
{
	return (struct plan_how){.policy = o->policy,
		.cores = o->granularity && *o->granularity == 'c',
		.skip_same_shape = o->skip_same_shape};
}

int splan_make(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	const struct plan_how how = splan_how(options);
	struct backfill *b = &p->plan.backfill;

	arena_reset(&p->arena);
	if (moment(p, site, options, err) ||
		plan_make(&p->plan, site, site->cluster, p->at, &how,
			&p->arena))
		return -1;
	p->tables = NULL;
	b->arg = p;
	b->watch = options->table ? collect_table : NULL;
	b->elapsed = elapsed;
	if (!splan_plans(options))
		return 0;
	p->began = stopwatch_usec();
	plan_backfill(&p->plan);
	p->took = stopwatch_usec() - p->began;
	return 0;
}
