/*
 * What jobs ask for in the terms of the pass: kinds of gres ("gpu" and
 * "gpu:a100" are counted apart) and licenses as arrays of amounts.
 */
#include "db/view/plan_request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"

/* ---- kinds ---------------------------------------------------------------*/

static size_t find_kind(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->schedule.n_gres; i++)
		if (!strcasecmp(plan->gres[i], name))
			return i;
	return SIZE_MAX;
}

static void add_kind(struct plan *plan, const char *name, size_t *cap)
{
	if (find_kind(plan, name) == SIZE_MAX)
		*ARENA_PUSH(plan->arena, plan->gres, plan->schedule.n_gres,
			*cap) = name;
}

static const char *typed_name(
	const struct plan *plan, const struct conf_gres *gres)
{
	return arena_printf(plan->arena, "%s:%s", gres->name, gres->type);
}

void plan_kinds(struct plan *plan)
{
	const struct conf *conf = &plan->site->conf;
	struct schedule *s = &plan->schedule;
	uint64_t *counts;
	size_t cap = 0;

	for (size_t i = 0; i < conf->n_nodes; i++)
		for (size_t g = 0; g < conf->nodes[i].n_gres; g++) {
			const struct conf_gres *gres = &conf->nodes[i].gres[g];

			add_kind(plan, gres->name, &cap);
			if (gres->type)
				add_kind(plan, typed_name(plan, gres), &cap);
		}
	s->n_licenses = conf->n_licenses;
	counts = arena_array(plan->arena, s->n_licenses, sizeof(*counts));
	for (size_t i = 0; i < s->n_licenses; i++)
		counts[i] = conf->licenses[i].count;
	s->licenses = counts;
	s->licenses_used = arena_array(
		plan->arena, s->n_licenses, sizeof(*s->licenses_used));
}

void plan_node_gres(
	const struct plan *plan, const struct conf_node *node, uint64_t *gres)
{
	for (size_t g = 0; g < node->n_gres; g++) {
		const struct conf_gres *from = &node->gres[g];

		gres[find_kind(plan, from->name)] += from->count;
		if (from->type)
			gres[find_kind(plan, typed_name(plan, from))] +=
				from->count;
	}
}

/* ---- requests ------------------------------------------------------------*/

/* Cuts the count, 1 unless said, from "gpu:a100:2" or "licA=2". */
static uint64_t cut_count(char *text)
{
	char *sep = strrchr(text, ':'), *end;
	unsigned long long count;

	if (!sep)
		sep = strrchr(text, '=');
	if (!sep || sep[1] < '0' || sep[1] > '9')
		return 1;
	count = strtoull(sep + 1, &end, 10);
	*sep = '\0';
	return count;
}

static void add_gres(
	const struct plan *plan, char *text, uint64_t nodes, uint64_t *amounts)
{
	uint64_t count;
	size_t kind;
	char *colon;

	if (!strncasecmp(text, "gres/", 5) || !strncasecmp(text, "gres:", 5))
		text += 5;
	count = cut_count(text) * nodes;
	kind = find_kind(plan, text);
	if (kind != SIZE_MAX)
		amounts[kind] += count;
	colon = strchr(text, ':');
	if (!colon)
		return;
	*colon = '\0';
	kind = find_kind(plan, text);
	if (kind != SIZE_MAX)
		amounts[kind] += count;
}

/* What the TRES say where they say more: gpus of the whole job. */
static void add_tres(const struct plan *plan, const struct tres_list *tres,
	uint64_t *amounts)
{
	const struct tres_catalog *catalog = &plan->site->store.tres;

	for (size_t i = 0; i < tres->n; i++) {
		const struct tres *t = tres_by_id(catalog, tres->v[i].id);
		size_t kind;

		if (!t || strcmp(t->type, "gres"))
			continue;
		kind = find_kind(plan, t->name);
		if (kind != SIZE_MAX && tres->v[i].count < NO_VAL64 &&
			tres->v[i].count > amounts[kind])
			amounts[kind] = tres->v[i].count;
	}
}

static void add_words(const struct plan *plan, const struct job *job,
	uint64_t nodes, uint64_t *amounts)
{
	struct strv words = {0};

	if (*job->gres)
		strv_split(&words, plan->arena, job->gres);
	for (size_t i = 0; i < words.n; i++)
		add_gres(plan, words.v[i], nodes, amounts);
}

static const uint64_t *per_node(const struct plan *plan, const struct job *job)
{
	uint64_t *amounts = arena_array(
		plan->arena, plan->schedule.n_gres, sizeof(*amounts));

	add_words(plan, job, 1, amounts);
	return amounts;
}

static const uint64_t *gres_of(const struct plan *plan, const struct job *job,
	const struct tres_list *tres, uint64_t nodes)
{
	uint64_t *amounts;

	if (!plan->schedule.n_gres)
		return NULL;
	amounts = arena_array(
		plan->arena, plan->schedule.n_gres, sizeof(*amounts));
	add_words(plan, job, nodes, amounts);
	add_tres(plan, tres, amounts);
	return amounts;
}

static const uint64_t *licenses_of(
	const struct plan *plan, const struct job *job)
{
	const struct conf *conf = &plan->site->conf;
	struct strv words = {0};
	uint64_t *amounts;

	if (!conf->n_licenses || !*job->licenses)
		return NULL;
	amounts = arena_array(plan->arena, conf->n_licenses, sizeof(*amounts));
	strv_split(&words, plan->arena, job->licenses);
	for (size_t i = 0; i < words.n; i++) {
		uint64_t count = cut_count(words.v[i]);

		for (size_t l = 0; l < conf->n_licenses; l++)
			if (!strcmp(conf->licenses[l].name, words.v[i]))
				amounts[l] += count;
	}
	return amounts;
}

static uint64_t count_or(
	const struct tres_list *tres, uint32_t id, uint64_t otherwise)
{
	uint64_t count = tres_list_get(tres, id);

	return count < NO_VAL64 ? count : otherwise;
}

/* ---- how it may lie on nodes ---------------------------------------------*/

/* GPUs of the whole job or of its tasks. Without a request per node, the total
 * may be spread over any nodes. */
static void settle_gpus(
	const struct plan *plan, const struct job *job, struct sched_job *out)
{
	size_t kind = find_kind(plan, "gpu");

	if (!out->gres)
		return;
	if (*job->gres)
		out->gres_node = per_node(plan, job);
	if (kind == SIZE_MAX || *job->gres)
		return;
	out->gres_kind = (uint32_t)kind;
	if (job->gpus_per_task)
		out->gres_task = job->gpus_per_task;
	else
		out->gres_job = out->gres[kind];
}

/* Memory in all was asked for by the node; where no node has so much, by the
 * CPU. */
static void settle_memory(
	const struct plan *plan, const struct job *job, struct sched_job *out)
{
	if (!out->mem)
		return;
	out->mem_per_cpu = job->mem_per_cpu;
	out->mem_per_node = job->mem_per_node;
	if (out->mem_per_cpu || out->mem_per_node)
		return;
	out->mem_per_node = (out->mem + out->nodes - 1) / out->nodes;
	if (out->mem_per_node <= plan->largest_mem || !out->cpus)
		return;
	out->mem_per_node = 0;
	out->mem_per_cpu = (out->mem + out->cpus - 1) / out->cpus;
}

bool plan_shape_unsaid(const struct job *job)
{
	return !job->tasks && !job->tasks_per_node &&
	       (!job->nodes_max || job->nodes_max == job->nodes_req);
}

static void settle_tasks(
	const struct plan *plan, const struct job *job, struct sched_job *out)
{
	uint32_t tasks = job->tasks, each = job->cpus_per_task;

	if (!each)
		each = tasks && out->cpus % tasks == 0 ? out->cpus / tasks : 1;
	if (!each)
		each = 1;
	if (!tasks)
		tasks = out->cpus / each;
	out->cpus_per_task = each;
	out->tasks_asked = tasks ? tasks : 1;
	out->tasks_per_node = job->tasks_per_node;
	if (plan_shape_unsaid(job) && plan->by_node && out->nodes > 1 &&
		out->tasks_asked % out->nodes == 0)
		out->tasks_per_node = out->tasks_asked / out->nodes;
}

/* One node that was asked for may be as many as there are tasks: Slurm writes
 * both the same way. */
static void settle_nodes(
	const struct plan *plan, const struct job *job, struct sched_job *out)
{
	bool exact = out->nodes > 1 || plan_asked_one_node(plan, job) ||
		     (plan_shape_unsaid(job) && plan->by_node &&
			     out->cpus <= plan->largest_cpus);

	out->most_nodes = job->nodes_max;
	if (!out->most_nodes)
		out->most_nodes = exact ? out->nodes : out->tasks_asked;
	out->any_nodes = out->nodes < out->most_nodes &&
			 out->most_nodes == out->tasks_asked;
}

void plan_request(struct plan *plan, const struct job *job,
	const struct tres_list *tres, struct sched_job *out)
{
	out->cpus = (uint32_t)count_or(tres, TRES_CPU, job->cpus_req);
	out->nodes = (uint32_t)count_or(tres, TRES_NODE, job->nodes_req);
	if (!out->nodes)
		out->nodes = 1;
	out->mem = plan->site->conf.memory_consumable
			   ? count_or(tres, TRES_MEM, 0)
			   : 0;
	out->gres = gres_of(plan, job, tres, out->nodes);
	out->licenses = licenses_of(plan, job);
	settle_gpus(plan, job, out);
	settle_memory(plan, job, out);
	settle_tasks(plan, job, out);
	settle_nodes(plan, job, out);
}
