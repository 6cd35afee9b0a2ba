/*
 * What the backfill pass did, and what --granularity=core and --skip-same-shape
 * made of it: the same queue is planned once more without them.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>

/* One row is one number, in words and documents. */
#define COUNT(name)                                                            \
	{                                                                      \
#name, offsetof(struct backfill_report, name)                  \
	}

static const struct {
	const char *name;
	size_t offset;
} counts[] = {
	COUNT(jobs),
	COUNT(tested),
	COUNT(tests),
	COUNT(started),
	COUNT(reserved),
	COUNT(same_shape),
	COUNT(records),
};

#define EFFECT(name, member)                                                   \
	{                                                                      \
#name, offsetof(struct option_effect, member)                  \
	}

static const struct {
	const char *name;
	size_t offset;
} effects[] = {
	EFFECT(tests, tests),
	EFFECT(earlier, earlier),
	EFFECT(later, later),
	EFFECT(found, found),
	EFFECT(lost, lost),
	EFFECT(seconds, seconds),
};

enum {
	COUNTS = sizeof(counts) / sizeof(counts[0]),
	EFFECTS = sizeof(effects) / sizeof(effects[0]),
};

static size_t count_of(const struct planned *p, size_t i)
{
	return *(const size_t *)((const char *)&p->backfill.report +
				 counts[i].offset);
}

static int64_t effect_of(const struct planned *p, size_t i)
{
	return *(const int64_t *)((const char *)&p->effect + effects[i].offset);
}

/* ---- the effect ----------------------------------------------------------*/

/* When the job starts or is expected to; 0: unknown. */
static int64_t start_of(const struct planned *p, size_t i)
{
	const struct sched_job *job = &p->plan.schedule.jobs[i];
	const struct sched_plan *plan = plan_expected(job);

	if (job->n_starts)
		return p->at;
	return plan ? plan->start : 0;
}

static void compare(struct option_effect *effect, const struct planned *p,
	const struct planned *base)
{
	effect->tests = (int64_t)p->backfill.report.tests -
			(int64_t)base->backfill.report.tests;
	for (size_t i = 0; i < p->plan.schedule.n_jobs; i++) {
		int64_t with = start_of(p, i), without = start_of(base, i);

		effect->found += with && !without;
		effect->lost += !with && without;
		if (!with || !without)
			continue;
		effect->earlier += with < without;
		effect->later += with > without;
		effect->seconds += with - without;
	}
}

int splan_measure_effect(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	struct options plain = *options;
	struct planned base = {0};
	int status;

	p->effect = (struct option_effect){0};
	p->effect.known = p->backfill.cores || p->backfill.skip_same_shape;
	if (!p->effect.known)
		return 0;
	plain.granularity = NULL;
	plain.skip_same_shape = plain.table = false;
	arena_init(&base.arena);
	arena_init(&base.scratch);
	status = splan_make(&base, site, &plain, err);
	if (!status && base.plan.schedule.n_jobs == p->plan.schedule.n_jobs)
		compare(&p->effect, p, &base);
	arena_release(&base.scratch);
	arena_release(&base.arena);
	return status;
}

/* ---- printing ------------------------------------------------------------*/

void print_statistics(const struct planned *p)
{
	printf("\npolicy=%s exit='%s'",
		backfill_policy_name(p->backfill.policy),
		backfill_exit_name(p->backfill.report.exit));
	for (size_t i = 0; i < COUNTS; i++)
		printf(" %s=%zu", counts[i].name, count_of(p, i));
	putchar('\n');
	if (!p->effect.known)
		return;
	fputs("effect:", stdout);
	for (size_t i = 0; i < EFFECTS; i++)
		printf(" %s=%+" PRId64, effects[i].name, effect_of(p, i));
	putchar('\n');
}

struct json_object *splan_statistics(const struct planned *p)
{
	struct json_object *beside = json_record();
	char path[64];

	json_put_text(beside, "backfill/policy",
		backfill_policy_name(p->backfill.policy));
	json_put_text(beside, "backfill/exit",
		backfill_exit_name(p->backfill.report.exit));
	for (size_t i = 0; i < COUNTS; i++) {
		snprintf(path, sizeof(path), "backfill/%s", counts[i].name);
		json_put_int(beside, path, (int64_t)count_of(p, i));
	}
	for (size_t i = 0; p->effect.known && i < EFFECTS; i++) {
		snprintf(path, sizeof(path), "backfill/effect/%s",
			effects[i].name);
		json_put_int(beside, path, effect_of(p, i));
	}
	return beside;
}
