/*
 * A row of sprio for machines. Slurm has no such output: a job in one partition
 * under one QOS is one record, each factor with its weight and its points.
 */
#include "cmd/sprio/sprio.h"

#include <stdio.h>

#include "common/text/sluid.h"

static const char *const factor_names[PRIORITY_FACTORS] = {
	[FACTOR_AGE] = "age",
	[FACTOR_ASSOC] = "association",
	[FACTOR_FAIRSHARE] = "fairshare",
	[FACTOR_JOB_SIZE] = "job_size",
	[FACTOR_PARTITION] = "partition",
	[FACTOR_QOS] = "qos",
};

static void put_identity(struct json_object *record, const struct row *row)
{
	const struct job *job = row->prio->job;
	char sluid[SLUID_SIZE];

	json_put_int(record, "job_id", job->id);
	json_put_text(record, "sluid",
		sluid_text(sluid_make(row->cluster_key, job->id, job->submit),
			sluid));
	json_put_text(record, "cluster", row->cluster);
	json_put_text(record, "partition", row->prio->partition);
	json_put_text(record, "user", job->user);
	json_put_text(record, "account", job->account);
	json_put_text(record, "qos", row->prio->qos);
}

static void put_factor(struct json_object *record, const char *name,
	double weight, double factor, double points)
{
	struct {
		const char *name;
		double number;
	} members[] = {
		{"weight", weight}, {"factor", factor}, {"points", points}};
	char path[64];

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		snprintf(path, sizeof(path), "factors/%s/%s", name,
			members[i].name);
		json_put_real(record, path, members[i].number);
	}
}

static void put_factors(
	struct json_object *record, const struct priority_result *result)
{
	for (size_t i = 0; i < PRIORITY_FACTORS; i++)
		put_factor(record, factor_names[i], result->weight[i],
			result->factor[i], result->term[i]);
}

static void put_tres(struct json_object *record, const struct listing *l,
	const struct priority_result *result)
{
	json_append(record, "tres", NULL);
	for (size_t i = 0; i < result->n_tres; i++) {
		const struct priority_tres *t = &result->tres[i];
		const struct tres *tres = tres_by_id(l->tres, t->id);
		struct json_object *factor = json_record();

		json_put_text(factor, "type", tres ? tres->type : "");
		json_put_text(factor, "name", tres ? tres->name : "");
		json_put_int(factor, "id", t->id);
		json_put_real(factor, "weight", t->weight);
		json_put_real(factor, "factor", t->factor);
		json_put_real(factor, "points", t->term);
		json_append(record, "tres", factor);
	}
}

struct json_object *row_record(const struct listing *l, const struct row *row)
{
	const struct priority_result *result = &row->prio->result;
	struct value direct = {VALUE_BOOL, {.number = result->direct}};
	struct json_object *record = json_record();

	put_identity(record, row);
	json_put_int(record, "priority", result->priority);
	if (row->reason) /* told apart in --explain */
		json_put_text(record, "reason", row->reason);
	json_put(record, "set_by_hand", &direct, l->tres);
	json_put_real(record, "sum", result->sum);
	put_factors(record, result);
	put_tres(record, l, result);
	json_put_int(record, "site", result->site);
	json_put_int(record, "nice", result->nice);
	return record;
}

struct json_object *weights_record(const struct listing *l)
{
	const struct priority_weights *w = &l->policy->weights;
	struct json_object *record = json_record();

	json_put_int(record, "weights/age", w->age);
	json_put_int(record, "weights/association", w->assoc);
	json_put_int(record, "weights/fairshare", w->fairshare);
	json_put_int(record, "weights/job_size", w->job_size);
	json_put_int(record, "weights/partition", w->partition);
	json_put_int(record, "weights/qos", w->qos);
	json_put_text(record, "weights/tres", w->tres);
	return record;
}
