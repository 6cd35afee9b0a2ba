/*
 * sprio --explain in words for a user who has never read the manual: where the
 * priority comes from, who is ahead, what the job waits for.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/sprio/explain.h"
#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"

/* ---- where the numbers come from -----------------------------------------*/

static const char *of_most(const struct explained *e, const char *what,
	double factor, uint32_t most, bool raw)
{
	if (raw)
		return arena_printf(e->arena, "%s %.0f", what, factor);
	return arena_printf(
		e->arena, "%s %.0f of at most %u", what, factor * most, most);
}

static const char *why_age(
	const struct explained *e, const struct jobprio_row *row)
{
	uint32_t most = e->site->conf.policy.max_age;
	double factor = row->result.factor[FACTOR_AGE];

	if (!jobprio_accrue(e->prio, e->job))
		return "none yet: MaxJobsAccrue or GrpJobsAccrue jobs accrue "
		       "age already";
	if (factor >= 1)
		return arena_printf(e->arena, "has waited %s or longer",
			duration_format(e->arena, most));
	return arena_printf(e->arena, "has waited %s, counts up to %s",
		duration_format(e->arena, (uint64_t)(factor * most + 0.5)),
		duration_format(e->arena, most));
}

static const char *why_assoc(
	const struct explained *e, const struct jobprio_row *row)
{
	return of_most(e, "priority of the association",
		row->result.factor[FACTOR_ASSOC],
		e->prio->context.max_assoc_priority,
		e->site->conf.policy.flags & PRIO_NO_NORMAL_ASSOC);
}

static const char *why_fairshare(
	const struct explained *e, const struct jobprio_row *row)
{
	(void)row;
	if (!e->job->assoc)
		return "no association";
	return arena_printf(e->arena, "sshare --explain -u %s -A %s",
		e->job->user, e->job->account);
}

static const char *why_job_size(
	const struct explained *e, const struct jobprio_row *row)
{
	const struct policy *policy = &e->site->conf.policy;

	(void)row;
	return arena_printf(e->arena, "%u of %u nodes, %u of %u CPUs%s%s",
		job_least_nodes(e->job), e->prio->context.nodes,
		e->job->cpus_req, e->prio->context.cpus,
		policy->flags & PRIO_SMALL_RELATIVE_TO_TIME ? ", by time limit"
							    : "",
		policy->favor_small ? ", small is good" : "");
}

static const char *why_partition(
	const struct explained *e, const struct jobprio_row *row)
{
	return of_most(e, "PriorityJobFactor",
		row->result.factor[FACTOR_PARTITION],
		e->prio->context.max_partition_factor,
		e->site->conf.policy.flags & PRIO_NO_NORMAL_PART);
}

static const char *why_qos(
	const struct explained *e, const struct jobprio_row *row)
{
	return of_most(e, "priority of the QOS", row->result.factor[FACTOR_QOS],
		e->prio->context.max_qos_priority,
		e->site->conf.policy.flags & PRIO_NO_NORMAL_QOS);
}

/* In the order in which they are told. */
const struct explain_factor explain_factors[PRIORITY_FACTORS] = {
	{FACTOR_FAIRSHARE, "fair-share", why_fairshare},
	{FACTOR_AGE, "age", why_age},
	{FACTOR_QOS, "QOS", why_qos},
	{FACTOR_PARTITION, "partition", why_partition},
	{FACTOR_JOB_SIZE, "job size", why_job_size},
	{FACTOR_ASSOC, "association", why_assoc},
};

/* ---- the sum -------------------------------------------------------------*/

static void tell_line(const char *name, double weight, double factor,
	double points, const char *why)
{
	size_t room = cli_width();
	int used = printf("  %-15s %10.0f  x  %.6f  = %12.2f", name,
		no_minus_zero(weight, 0), no_minus_zero(factor, 6),
		no_minus_zero(points, 2));
	bool fits = !room || (size_t)used + 2 + strlen(why) <= room;

	printf("%s  %s\n", fits ? "" : "\n    ", why);
}

static void tell_addend(const char *name, double points, const char *why)
{
	if (points < 0 || points > 0)
		printf("  %-42s %12.2f  %s\n", name, points, why);
}

static void tell_tres(const struct explained *e, const struct jobprio_row *row)
{
	bool raw = e->site->conf.policy.flags & PRIO_NO_NORMAL_TRES;

	for (size_t i = 0; i < row->result.n_tres; i++) {
		const struct priority_tres *part = &row->result.tres[i];
		const struct tres *tres = tres_by_id(e->prio->tres, part->id);

		if (tres && (part->term < 0 || part->term > 0))
			tell_line(tres_full_name(tres, e->arena), part->weight,
				part->factor, part->term,
				raw ? "as many as asked for"
				    : "part of what the partition has");
	}
}

/* Weights of 0 are worth knowing, too. */
static void tell_unweighted(const struct jobprio_row *row)
{
	const char *between = "  Without weight here: ";

	for (size_t i = 0; i < PRIORITY_FACTORS; i++) {
		if (row->result.weight[explain_factors[i].factor])
			continue;
		printf("%s%s", between, explain_factors[i].name);
		between = ", ";
	}
	if (*between == ',')
		putchar('\n');
}

static void tell_sum(const struct explained *e, const struct jobprio_row *row)
{
	const struct priority_result *r = &row->result;

	printf("  %-15s %10s     %-8s  %13s\n", "factor", "weight", "0 to 1",
		"points");
	for (size_t i = 0; i < PRIORITY_FACTORS; i++) {
		const struct explain_factor *factor = &explain_factors[i];
		enum priority_factor f = factor->factor;

		if (r->weight[f])
			tell_line(factor->name, r->weight[f], r->factor[f],
				r->term[f], factor->why(e, row));
	}
	tell_tres(e, row);
	tell_addend("site factor", r->site, "set by the site");
	tell_addend("nice", -(double)r->nice, "asked for by --nice");
	printf("  %-42s %12.2f  -> priority %u%s\n", "sum", r->sum, r->priority,
		r->overflow  ? " (no more fits)"
		: r->sum < 1 ? " (the minimum)"
			     : "");
	tell_unweighted(row);
}

static void tell_formula(
	const struct explained *e, const struct jobprio_row *row)
{
	printf("\nIn partition %s under QOS %s: priority %u\n", row->partition,
		row->qos ? utf8_visible(e->arena, row->qos) : "(unknown)",
		row->result.priority);
	if (row->result.direct && e->job->hold == HOLD_NONE &&
		row->result.priority)
		puts("  set by hand; no factor counts until it is set back");
	else if (row->result.direct)
		puts("  held jobs have priority 0; no factor counts");
	else
		tell_sum(e, row);
}

/* ---- all -----------------------------------------------------------------*/

static void tell_ahead(const struct ahead *ahead)
{
	printf("  %10u  %-12s %-12s %10u  %+11.0f  %s\n", ahead->id,
		ahead->user ? ahead->user : "(private)",
		ahead->user ? ahead->account : "", ahead->priority,
		(double)ahead->more, ahead->mostly_by);
}

static void tell_place(const struct queued_line *line)
{
	printf("\nIn line for partition %s: place %zu of %zu\n",
		line->prio->partition, line->place, line->of);
	if (line->n)
		printf("Just ahead of it:\n  %10s  %-12s %-12s %10s  %11s  "
		       "%s\n",
			"job", "user", "account", "priority", "more",
			"mostly by");
	for (size_t i = 0; i < line->n; i++)
		tell_ahead(&line->ahead[i]);
}

static void tell_limit(const struct wait_told *wait)
{
	printf("  the limit: %s=%s of %s", wait->limit, wait->value,
		wait->owner);
	if (wait->heir)
		printf(", inherited by %s", wait->heir);
	putchar('\n');
	if (wait->in_use)
		printf("  in use: %s", wait->in_use);
	if (wait->soon)
		printf("; with what can start now: %s", wait->soon);
	if (wait->asked)
		printf("%s this job asks for %s", wait->in_use ? ";" : " ",
			wait->asked);
	if (wait->in_use || wait->asked)
		putchar('\n');
}

static void tell_waits(const struct explained *e)
{
	const struct waits *waits = &e->waits;

	printf("\nWhat it waits for, since %s:\n",
		time_format(e->arena, e->verdict.since, NULL, e->site->now));
	for (size_t i = 0; i < waits->n; i++) {
		const struct wait_told *wait = &waits->v[i];

		printf(e->verdict.when == VERDICT_NOW ? "  %s\n" : "  %s (%s)\n",
			wait->text, utf8_visible(e->arena, wait->reason));
		if (wait->limit)
			tell_limit(wait);
	}
}

/* A limit that lets it start is for an administrator to change. */
static void tell_remedies(const struct explained *e)
{
	const struct remedies *r = &e->remedies;

	if (!r->plans)
		return;
	puts("\nWhat would help:");
	for (size_t i = 0; i < r->n; i++)
		printf("  %-30s %s\n", r->v[i].words,
			r->v[i].then->start <= e->site->now
				? "now"
				: time_format(e->arena, r->v[i].then->start,
					  NULL, e->site->now));
	if (!r->n)
		puts("  nothing that was tried: less time, memory, CPUs, GPUs "
		     "or nodes, another\n  partition, QOS or account");
}

void explain_text(const struct explained *e)
{
	const struct job *job = e->job;
	const char *told = ""; /* the partition */

	printf("Job %u of %s in account %s, submitted %s\n", job->id, job->user,
		job->account,
		time_format(e->arena, job->submit, NULL, e->site->now));
	for (size_t i = 0; i < e->n; i++)
		tell_formula(e, e->lines[i].prio);
	for (size_t i = 0; i < e->n; i++) {
		const struct queued_line *line = &e->lines[i];

		if (line->of && strcmp(told, line->prio->partition) != 0)
			tell_place(line);
		told = line->prio->partition;
	}
	tell_waits(e);
	printf("\nWhen it starts:\n  %s\n",
		verdict_start_text(
			&e->verdict, NULL, e->site->now, e->arena));
	tell_remedies(e);
}
