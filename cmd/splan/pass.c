/*
 * Both passes over the queue in the store (spec/backfill.md 2, 3.5), under the
 * policy asked for.
 */
#include "cmd/splan/splan.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/text/timespec.h"

static bool is_builtin(const struct conf *conf)
{
	return conf->scheduler_type &&
	       !strcasecmp(conf->scheduler_type, "sched/builtin");
}

static int set_policy(
	struct planned *p, const struct options *options, struct err *err)
{
	struct backfill *b = &p->backfill;

	*b = (struct backfill){.params = p->plan.params};
	if (options->policy) {
		if (backfill_policy_parse(b, options->policy, err))
			return err_prefix(err, "--policy");
		sched_params_complete(&b->params, &p->plan.remarks, &p->arena);
	} else if (is_builtin(&p->plan.site->conf)) {
		b->policy = BACKFILL_FCFS;
	}
	/* Textbook policies spread jobs evenly over the first that fit. */
	if (options->policy && b->policy != BACKFILL_SLURM)
		p->plan.schedule.by_slurm = false;
	b->cores = options->granularity && *options->granularity == 'c';
	b->skip_same_shape = options->skip_same_shape;
	return 0;
}

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

int64_t splan_microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* The pass reads a snapshot and blocks no one: there is nothing to yield. */
static int64_t elapsed(void *arg)
{
	const struct planned *p = arg;

	return splan_microseconds() - p->began;
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
	arena_reset(&p->arena);
	arena_reset(&p->scratch);
	if (moment(p, site, options, err) ||
		plan_make_changed(&p->plan, site, site->cluster, p->at,
			p->change, &p->arena) ||
		set_policy(p, options, err))
		return -1;
	p->tables = NULL;
	p->backfill.arg = p;
	p->backfill.watch = options->table ? collect_table : NULL;
	p->backfill.elapsed = p->far ? NULL : elapsed;
	if (p->far)
		look_far(&p->backfill);
	if (!splan_plans(options))
		return 0;
	p->began = splan_microseconds();
	backfill_pass(&p->plan.schedule, &p->backfill, &p->arena, &p->scratch);
	p->took = splan_microseconds() - p->began;
	return 0;
}
