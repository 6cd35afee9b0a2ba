/*
 * What the backfill pass did, and what --granularity=core and --skip-same-shape
 * made of it: the same queue is planned once more without them.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>

/* One row is one number, in words and documents. */
#define COUNT(name) {#name, MEMBER_COUNT64, .json = "backfill/" #name, \
	.offset = offsetof(struct planned, plan.backfill.report.name)}
#define EFFECT(name) {#name, MEMBER_INT, .json = "backfill/effect/" #name, \
	.offset = offsetof(struct planned, effect.name)}

static const struct member count_rows[] = {
	COUNT(jobs),
	COUNT(tested),
	COUNT(tests),
	COUNT(started),
	COUNT(reserved),
	COUNT(same_shape),
	COUNT(records),
};
static const struct member effect_rows[] = {
	EFFECT(tests),
	EFFECT(earlier),
	EFFECT(later),
	EFFECT(found),
	EFFECT(lost),
	EFFECT(seconds),
};
static const struct members counts = MEMBERS(count_rows);
static const struct members effects = MEMBERS(effect_rows);

/* ---- the effect ----------------------------------------------------------*/

/* When the job starts or is expected to; 0: unknown. */
static int64_t start_of(const struct planned *p, size_t i)
{
	const struct sched_job *job = &p->plan.schedule.jobs[i];
	const struct sched_plan *plan = verdict_plan(job);

	if (job->n_starts)
		return p->at;
	return plan ? plan->start : 0;
}

static void compare(struct option_effect *effect, const struct planned *p,
	const struct planned *base)
{
	effect->tests = (int64_t)p->plan.backfill.report.tests -
			(int64_t)base->plan.backfill.report.tests;
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
	p->effect.known = p->plan.backfill.cores || p->plan.backfill.skip_same_shape;
	if (!p->effect.known)
		return 0;
	plain.granularity = NULL;
	plain.skip_same_shape = plain.table = false;
	arena_init(&base.arena);
	status = splan_make(&base, site, &plain, err);
	if (!status && base.plan.schedule.n_jobs == p->plan.schedule.n_jobs)
		compare(&p->effect, p, &base);
	arena_release(&base.arena);
	return status;
}

/* ---- printing ------------------------------------------------------------*/

static void print_numbers(
	const struct planned *p, const struct members *numbers, const char *sign)
{
	for (size_t i = 0; i < numbers->n; i++) {
		const struct member *m = &numbers->v[i];
		int64_t n = (int64_t)member_value(m, p, NULL).number;

		printf(" %s=%s%" PRId64, m->column, n < 0 ? "" : sign, n);
	}
	putchar('\n');
}

void print_statistics(const struct planned *p)
{
	printf("\npolicy=%s exit='%s'",
		backfill_policy_name(p->plan.backfill.policy),
		backfill_exit_name(p->plan.backfill.report.exit));
	print_numbers(p, &counts, "");
	if (!p->effect.known)
		return;
	fputs("effect:", stdout);
	print_numbers(p, &effects, "+");
}

struct json_object *splan_statistics(const struct planned *p)
{
	struct json_object *beside = json_record();

	json_put_text(beside, "backfill/policy",
		backfill_policy_name(p->plan.backfill.policy));
	json_put_text(beside, "backfill/exit",
		backfill_exit_name(p->plan.backfill.report.exit));
	json_put_members(beside, &counts, p, NULL, NULL);
	if (p->effect.known)
		json_put_members(beside, &effects, p, NULL, NULL);
	return beside;
}
