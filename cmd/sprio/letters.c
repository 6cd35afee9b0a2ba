/*
 * The letters of sprio's format (spec/priority.md 7.3): one row gives heading,
 * column name, value, weight, what to sort by and help.
 */
#include "cmd/sprio/sprio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/text/sluid.h"

#define RESULT(row) (&(row)->prio->result)
#define UNUSED(x) (void)(x)

/* ---- names ---------------------------------------------------------------*/

static const char *sort_user(const struct row *row)
{
	return row->prio->job->user;
}

static const char *sort_account(const struct row *row)
{
	return row->prio->job->account;
}

static const char *sort_partition(const struct row *row)
{
	return row->prio->partition;
}

/* Slurm's way of printing what is not there. */
static const char *sort_qos(const struct row *row)
{
	return row->prio->qos ? row->prio->qos : "(null)";
}

static const char *sort_cluster(const struct row *row)
{
	return row->federated ? row->cluster : "(null)";
}

static const char *get_name(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(l);
	return letter->sort_text(row);
}

static const char *get_job_id(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(letter);
	return arena_printf(l->scratch, "%u", row->prio->job->id);
}

static const char *get_sluid(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	const struct job *job = row->prio->job;
	char *buf = arena_alloc(l->scratch, SLUID_SIZE);

	UNUSED(letter);
	return sluid_text(
		sluid_make(row->cluster_key, job->id, job->submit), buf);
}

static const char *get_reason(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(l);
	UNUSED(letter);
	return row->reason;
}

static double sort_job_id(const struct row *row, const struct letter *letter)
{
	UNUSED(letter);
	return row->prio->job->id;
}

/* ---- numbers -------------------------------------------------------------*/

static double whole_priority(const struct row *row)
{
	const struct priority_result *result = RESULT(row);

	if (result->direct)
		return result->priority;
	return result->sum >= 1 ? result->sum : 1;
}

static double sort_priority(const struct row *row, const struct letter *letter)
{
	UNUSED(letter);
	return whole_priority(row);
}

/* The sum as it came out, not the one that is stored. */
static const char *get_priority(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	double priority = trunc(whole_priority(row));

	UNUSED(letter);
	return arena_printf(l->scratch, "%.0f", priority);
}

static const char *get_priority_norm(const struct listing *l,
	const struct row *row, const struct letter *letter)
{
	double priority = whole_priority(row);

	UNUSED(letter);
	if (!RESULT(row)->direct)
		priority /= (double)UINT32_MAX;
	return arena_printf(l->scratch, "%16.14f", priority);
}

static double sort_term(const struct row *row, const struct letter *letter)
{
	return RESULT(row)->term[letter->factor];
}

static const char *get_term(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	return arena_printf(
		l->scratch, "%.0f", RESULT(row)->term[letter->factor]);
}

static const char *get_factor(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	const struct priority_result *result = RESULT(row);
	uint32_t weight = result->weight[letter->factor];

	if (result->direct)
		return "0";
	return arena_printf(l->scratch, "%.7f",
		weight ? result->term[letter->factor] / weight : 0.0);
}

static const char *get_site(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(letter);
	return arena_printf(l->scratch, "%d", RESULT(row)->site);
}

static const char *get_nice(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(letter);
	return arena_printf(l->scratch, "%d", RESULT(row)->nice);
}

static double sort_nice(const struct row *row, const struct letter *letter)
{
	UNUSED(letter);
	return RESULT(row)->nice;
}

/* ---- TRES ----------------------------------------------------------------*/

static double sort_tres(const struct row *row, const struct letter *letter)
{
	UNUSED(letter);
	return RESULT(row)->tres_sum;
}

/* `name=value` of every term that is not 0. */
static const char *tres_text(
	const struct listing *l, const struct row *row, bool norm)
{
	const struct priority_result *result = RESULT(row);
	struct strv words = {0};

	for (size_t i = 0; i < result->n_tres; i++) {
		const struct priority_tres *t = &result->tres[i];
		const struct tres *tres = tres_by_id(l->tres, t->id);

		if (t->term != 0 && tres)
			strv_push(&words, l->scratch,
				arena_printf(l->scratch, "%s=%.*f",
					tres_full_name(tres, l->scratch),
					norm ? 2 : 0,
					norm ? t->term / t->weight : t->term));
	}
	return strv_join(&words, ",", l->scratch);
}

static const char *get_tres(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(letter);
	return tres_text(l, row, false);
}

static const char *get_tres_norm(const struct listing *l, const struct row *row,
	const struct letter *letter)
{
	UNUSED(letter);
	return tres_text(l, row, true);
}

/* ---- the Weights row -----------------------------------------------------*/

static const char *weight_nothing(
	const struct listing *l, const struct letter *letter)
{
	UNUSED(l);
	UNUSED(letter);
	return "";
}

static const char *weight_title(
	const struct listing *l, const struct letter *letter)
{
	UNUSED(l);
	UNUSED(letter);
	return "Weights";
}

static const char *weight_one(
	const struct listing *l, const struct letter *letter)
{
	UNUSED(l);
	UNUSED(letter);
	return "1";
}

static const char *weight_factor(
	const struct listing *l, const struct letter *letter)
{
	const struct priority_weights *w = &l->policy->weights;
	const uint32_t weights[PRIORITY_FACTORS] = {
		[FACTOR_AGE] = w->age,
		[FACTOR_ASSOC] = w->assoc,
		[FACTOR_FAIRSHARE] = w->fairshare,
		[FACTOR_JOB_SIZE] = w->job_size,
		[FACTOR_PARTITION] = w->partition,
		[FACTOR_QOS] = w->qos,
	};

	return arena_printf(l->scratch, "%u", weights[letter->factor]);
}

static const char *weight_tres(
	const struct listing *l, const struct letter *letter)
{
	UNUSED(letter);
	return l->policy->weights.tres ? l->policy->weights.tres : "";
}

/* ---- the table -----------------------------------------------------------*/

/* A pair: the factor itself, and the points it gives. */
#define FACTOR(small, big, heading, name, factor, help)                        \
	{small, heading, name "_factor", get_factor, weight_factor, factor,    \
		NULL, sort_term, help " (factor)"},                            \
	{                                                                      \
		big, heading, name, get_term, weight_factor, factor, NULL,     \
			sort_term, help " (points)"                            \
	}
#define NAME(letter, heading, name, sort, help)                                \
	{                                                                      \
		letter, heading, name, get_name, weight_nothing, 0, sort,      \
			NULL, help                                             \
	}

/* clang-format off */
const struct letter sprio_letters[LETTERS] = {
	FACTOR('a', 'A', "AGE", "age", FACTOR_AGE, "time waited"),
	/* In -S, unlike the other pairs, only this one is missing. */
	{'b', "ASSOC", "assoc_factor", get_factor, weight_factor, FACTOR_ASSOC,
		NULL, NULL, "priority of the association (factor)"},
	{'B', "ASSOC", "assoc", get_term, weight_factor, FACTOR_ASSOC,
		NULL, NULL, "priority of the association (points)"},
	NAME('c', "CLUSTER", "cluster", sort_cluster, "cluster"),
	FACTOR('f', 'F', "FAIRSHARE", "fairshare", FACTOR_FAIRSHARE, "fair share"),
	{'i', "JOBID", "job_id", get_job_id, weight_title, 0,
		NULL, sort_job_id, "job id"},
	FACTOR('j', 'J', "JOBSIZE", "job_size", FACTOR_JOB_SIZE, "size of the job"),
	NAME('n', "QOSNAME", "qos_name", sort_qos, "QOS"),
	{'N', "NICE", "nice", get_nice, weight_nothing, 0,
		NULL, sort_nice, "nice"},
	NAME('o', "ACCOUNT", "account", sort_account, "account"),
	FACTOR('p', 'P', "PARTITION", "partition", FACTOR_PARTITION,
		"PriorityJobFactor of the partition"),
	NAME('r', "PARTITION", "partition_name", sort_partition, "partition"),
	{'S', "SITE", "site", get_site, weight_one, 0,
		NULL, NULL, "site factor"},
	FACTOR('q', 'Q', "QOS", "qos", FACTOR_QOS, "priority of the QOS"),
	{'s', "SLUID", "sluid", get_sluid, weight_nothing, 0,
		NULL, NULL, "SLUID of the job"},
	NAME('u', "USER", "user", sort_user, "user"),
	{'y', "PRIORITY", "priority_factor", get_priority_norm, weight_nothing,
		0, NULL, sort_priority, "priority by 4294967295"},
	{'Y', "PRIORITY", "priority", get_priority, weight_nothing, 0,
		NULL, sort_priority, "priority"},
	{'t', "TRES", "tres_factor", get_tres_norm, weight_nothing, 0,
		NULL, sort_tres, "TRES (factors)"},
	{'T', "TRES", "tres", get_tres, weight_tres, 0,
		NULL, sort_tres, "TRES (points)"},
	/* Not in Slurm, nor in its --helpformat. */
	{'R', "REASON", "reason", get_reason, weight_nothing, 0,
		NULL, NULL, "why the job waits"},
};
/* clang-format on */

const struct letter *letter_find(char c)
{
	for (size_t i = 0; i < LETTERS; i++)
		if (sprio_letters[i].letter == c)
			return &sprio_letters[i];
	return NULL;
}

void print_letters(void)
{
	for (size_t i = 0; i < SLURM_LETTERS; i++) {
		if (i && i % 8 == 0)
			putchar('\n');
		printf("%%%-5c", sprio_letters[i].letter);
	}
	putchar('\n');
}
