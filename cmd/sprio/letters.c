/*
 * The letters of sprio's format (Slurm's src/sprio/print.c): one row gives
 * heading, name of the column, value, what the Weights row shows, and help.
 */
#include "cmd/sprio/sprio.h"

#include <math.h>

#include "common/text/sluid.h"

#define RESULT(row) (&(row)->prio->result)

/* ---- values --------------------------------------------------------------*/

const char *row_sluid(const struct row *row, struct arena *arena)
{
	const struct job *job = row->prio->job;

	return sluid_text(sluid_make(row->cluster_key, job->id, job->submit),
		arena_alloc(arena, SLUID_SIZE));
}

double row_priority(const struct row *row)
{
	const struct priority_result *result = RESULT(row);

	if (result->direct)
		return result->priority;
	return result->sum >= 1 ? result->sum : 1;
}

static double priority_norm(const struct row *row)
{
	double priority = row_priority(row);

	return RESULT(row)->direct ? priority : priority / (double)UINT32_MAX;
}

static uint32_t factor_weight(const struct policy *policy, uint32_t factor)
{
	const struct priority_weights *w = &policy->weights;
	const uint32_t weights[PRIORITY_FACTORS] = {
		[FACTOR_AGE] = w->age,
		[FACTOR_ASSOC] = w->assoc,
		[FACTOR_FAIRSHARE] = w->fairshare,
		[FACTOR_JOB_SIZE] = w->job_size,
		[FACTOR_PARTITION] = w->partition,
		[FACTOR_QOS] = w->qos,
	};

	return weights[factor];
}

static struct value points_of(const struct row *row, uint32_t factor)
{
	if (!row->prio)
		return of_uint(factor_weight(row->policy, factor));
	return of_fixed(RESULT(row)->term[factor], 0);
}

static struct value factor_of(const struct row *row, uint32_t factor)
{
	const struct priority_result *result = row->prio ? RESULT(row) : NULL;
	uint32_t weight = result ? result->weight[factor] : 0;

	if (!result)
		return of_uint(factor_weight(row->policy, factor));
	if (result->direct)
		return of_text("0");
	return of_fixed(weight ? result->term[factor] / weight : 0, 7);
}

/* `name=value` of every term that is not 0. */
static const char *tres_terms(
	const struct row *row, bool norm, struct arena *arena)
{
	const struct priority_result *result = RESULT(row);
	struct strv words = {0};

	for (size_t i = 0; i < result->n_tres; i++) {
		const struct priority_tres *t = &result->tres[i];
		const struct tres *tres = tres_by_id(row->tres, t->id);

		if (t->term != 0 && tres)
			strv_printf(&words, arena, "%s=%.*f",
				tres_full_name(tres, arena),
				norm ? 2 : 0,
				norm ? t->term / t->weight : t->term);
	}
	return strv_join(&words, ",", arena);
}

static const char *tres_points(const struct row *row, struct arena *arena)
{
	const char *weights = row->policy->weights.tres;

	if (row->prio)
		return tres_terms(row, false, arena);
	return weights ? weights : "";
}

#define GET(name, expression) GETTER(name, struct row, expression)
GET(user, of_text(row->prio->job->user))
GET(account, of_text(row->prio->job->account))
GET(partition, of_text(row->prio->partition))
/* What Slurm prints for a missing value. */
GET(qos, of_text(row->prio->qos ? row->prio->qos : "(null)"))
GET(cluster, of_text(row->federated ? row->cluster : "(null)"))
GET(job_id, of_uint(row->prio->job->id))
GET(sluid, of_text(row_sluid(row, arena)))
GET(reason, of_text(row->reason))
/* The computed sum, not the stored priority. */
GET(priority, of_fixed(trunc(row_priority(row)), 0))
GET(priority_norm,
	of_text(arena_printf(arena, "%16.14f", priority_norm(row))))
GET(priority_real, of_real(priority_norm(row)))
GET(points, points_of(row, m->arg))
GET(factor, factor_of(row, m->arg))
GET(site, of_int(RESULT(row)->site))
GET(nice, of_int(RESULT(row)->nice))
GET(tres_points, of_text(tres_points(row, arena)))
GET(tres_factors, of_text(tres_terms(row, true, arena)))

/* ---- the table -----------------------------------------------------------*/

/* `constant` is what the Weights row shows. */
#define LETTER(in_o, heading_, name, getter, help_) \
	.letter = (in_o), .heading = (heading_), .names = (name), \
	.get = get_##getter, .help = (help_)
#define PLAIN(in_o, heading, name, getter, help) \
	{LETTER(in_o, heading, name, getter, help), .constant = ""}
/* A pair: the factor itself, and the points it gives. */
#define FACTOR(small, big, heading, name, which, help) \
	{LETTER(small, heading, name "_factor", factor, help " (factor)"), \
		.arg = (which)}, \
	{LETTER(big, heading, name "_points", points, help " (points)"), \
		.arg = (which)}

/* clang-format off */
static const struct member letters[] = {
	FACTOR('a', 'A', "AGE", "age", FACTOR_AGE, "time waited"),
	FACTOR('b', 'B', "ASSOC", "assoc", FACTOR_ASSOC, "priority of the association"),
	PLAIN('c', "CLUSTER", "cluster", cluster, "cluster"),
	FACTOR('f', 'F', "FAIRSHARE", "fairshare", FACTOR_FAIRSHARE, "fair share"),
	{LETTER('i', "JOBID", "job_id", job_id, "job id"), .constant = "Weights"},
	FACTOR('j', 'J', "JOBSIZE", "job_size", FACTOR_JOB_SIZE, "size of the job"),
	PLAIN('n', "QOSNAME", "qos", qos, "QOS"),
	PLAIN('N', "NICE", "nice", nice, "nice"),
	PLAIN('o', "ACCOUNT", "account", account, "account"),
	FACTOR('p', 'P', "PARTITION", "partition", FACTOR_PARTITION,
		"PriorityJobFactor of the partition"),
	PLAIN('r', "PARTITION", "partition", partition, "partition"),
	{LETTER('S', "SITE", "site", site, "site factor"), .constant = "1"},
	FACTOR('q', 'Q', "QOS", "qos", FACTOR_QOS, "priority of the QOS"),
	PLAIN('s', "SLUID", "sluid", sluid, "SLUID of the job"),
	PLAIN('u', "USER", "user", user, "user"),
	{LETTER('y', "PRIORITY", "priority_normalized", priority_norm,
		"priority by 4294967295"),
		.constant = "", .plain = get_priority_real},
	PLAIN('Y', "PRIORITY", "priority", priority, "priority"),
	PLAIN('t', "TRES", "tres_factors", tres_factors, "TRES (factors)"),
	{LETTER('T', "TRES", "tres_points", tres_points, "TRES (points)")},
	/* Not in Slurm, nor in its --helpformat. */
	{LETTER('R', "REASON", "reason", reason, "why the job waits"),
		.constant = "", .marks = MEMBER_HIDDEN | MEMBER_OURS | LETTER_OF_PLAN},
};
/* clang-format on */

const struct members sprio_letters = MEMBERS(letters);
