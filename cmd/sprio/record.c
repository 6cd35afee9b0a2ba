/*
 * A row of sprio for machines. Slurm has no such output: a job in one partition
 * under one QOS is one record, each factor with its weight and its points.
 */
#include "cmd/sprio/sprio.h"

/* One TRES of the sum. */
struct tres_term {
	const struct priority_tres *t;
	const struct tres *tres; /* NULL: gone */
};

#define TERM(name, expression) GETTER(name, struct tres_term, expression)
TERM(tres_type, of_text(row->tres ? row->tres->type : ""))
TERM(tres_name, of_text(row->tres ? row->tres->name : ""))
TERM(tres_id, of_uint(row->t->id))
TERM(tres_weight, of_fixed(row->t->weight, 6))
TERM(tres_factor, of_fixed(row->t->factor, 6))
TERM(tres_term, of_fixed(row->t->term, 6))

static const struct member term_rows[] = {
	{.json = "type", .get = get_tres_type},
	{.json = "name", .get = get_tres_name},
	{.json = "id", .get = get_tres_id},
	{.json = "weight", .get = get_tres_weight},
	{.json = "factor", .get = get_tres_factor},
	{.json = "points", .get = get_tres_term},
};
static const struct members term_members = MEMBERS(term_rows);

static struct value terms_of(const struct row *row, struct arena *arena)
{
	const struct priority_result *result = &row->prio->result;
	size_t n = result->n_tres;
	struct tres_term *terms = arena_array(arena, n, sizeof(*terms));
	const void **v = arena_array(arena, n, sizeof(*v));
	struct value_records *list = arena_alloc(arena, sizeof(*list));

	for (size_t i = 0; i < n; i++) {
		const struct priority_tres *t = &result->tres[i];

		terms[i] = (struct tres_term){t, tres_by_id(row->tres, t->id)};
		v[i] = &terms[i];
	}
	*list = (struct value_records){&term_members, v, n};
	return (struct value){VALUE_RECORDS, {.records = list}};
}

#define RESULT(row) (&(row)->prio->result)
#define GET(name, expression) GETTER(name, struct row, expression)
GET(job_id, of_uint(row->prio->job->id))
GET(sluid, of_text(row_sluid(row, arena)))
GET(cluster, of_text(row->cluster))
GET(partition, of_text(row->prio->partition))
GET(user, of_text(row->prio->job->user))
GET(account, of_text(row->prio->job->account))
GET(qos, of_text(row->prio->qos))
GET(priority, of_uint(RESULT(row)->priority))
GET(by_hand, of_bool(RESULT(row)->direct))
GET(sum, of_fixed(RESULT(row)->sum, 6))
GET(weight, of_fixed(RESULT(row)->weight[m->arg], 6))
GET(factor, of_fixed(RESULT(row)->factor[m->arg], 6))
GET(points, of_fixed(RESULT(row)->term[m->arg], 6))
GET(terms, terms_of(row, arena))
GET(site, of_int(RESULT(row)->site))
GET(nice, of_int(RESULT(row)->nice))

#define FACTOR(name, which) \
	{.json = "factors/" name "/weight", .get = get_weight, .arg = which}, \
	{.json = "factors/" name "/factor", .get = get_factor, .arg = which}, \
	{.json = "factors/" name "/points", .get = get_points, .arg = which}

static const struct member identity_rows[] = {
	{.json = "job_id", .get = get_job_id},
	{.json = "sluid", .get = get_sluid},
	{.json = "cluster", .get = get_cluster},
	{.json = "partition", .get = get_partition},
	{.json = "user", .get = get_user},
	{.json = "account", .get = get_account},
	{.json = "qos", .get = get_qos},
	{.json = "priority", .get = get_priority},
};
static const struct member result_rows[] = {
	{.json = "set_by_hand", .get = get_by_hand},
	{.json = "sum", .get = get_sum},
	FACTOR("age", FACTOR_AGE),
	FACTOR("association", FACTOR_ASSOC),
	FACTOR("fairshare", FACTOR_FAIRSHARE),
	FACTOR("job_size", FACTOR_JOB_SIZE),
	FACTOR("partition", FACTOR_PARTITION),
	FACTOR("qos", FACTOR_QOS),
	{.json = "tres", .get = get_terms},
	{.json = "site", .get = get_site},
	{.json = "nice", .get = get_nice},
};
static const struct members identity = MEMBERS(identity_rows);
static const struct members result = MEMBERS(result_rows);

struct json_object *row_record(const void *of, struct arena *arena)
{
	const struct row *row = of;
	struct json_object *record = json_record();

	json_put_members(record, &identity, row, arena, row->tres);
	if (row->reason) /* told apart in --explain */
		json_put_text(record, "reason", row->reason);
	json_put_members(record, &result, row, arena, row->tres);
	return record;
}

struct json_object *weights_record(const struct policy *policy)
{
	const struct priority_weights *w = &policy->weights;
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
