/*
 * What a job asks for and what it has: TRES lists, memory, limits, and what a
 * second of it costs.
 */
#include "db/record/record.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/fair/billing.h"
#include "common/text/hostlist.h"
#include "db/entity/qos.h"

/* ---- gres and licenses: "gpu:a100:2,shard" and "licA:2,licB" --------------
 */

/* One entry: a name, perhaps a type, and a count that is 1 unless said. */
struct gres_asked {
	char *name, *type;
	uint64_t count;
};

static int read_entry(struct recording *s, const char *asked, bool typed,
	struct gres_asked *entry)
{
	char *text = arena_strdup(&s->arena, asked), *end;
	char *count = strrchr(text, typed ? ':' : '=');

	if (!count)
		count = strpbrk(text, ":=");
	*entry = (struct gres_asked){.name = text, .count = 1};
	if (count && count[1] >= '0' && count[1] <= '9') {
		entry->count = strtoull(count + 1, &end, 10);
		if (*end || entry->count >= NO_VAL)
			return -1;
		*count = '\0';
	}
	entry->type = typed ? strchr(text, ':') : NULL;
	if (entry->type)
		*entry->type++ = '\0';
	/* "gpu:-1" is no type of GPUs. */
	return *text && (!entry->type || isalpha((unsigned char)*entry->type))
		       ? 0
		       : -1;
}

static void add_count(
	struct recording *s, struct tres_list *list, uint32_t id, uint64_t count)
{
	uint64_t now = tres_list_get(list, id);

	tres_list_set(list, &s->arena, id, (now < NO_VAL64 ? now : 0) + count);
}

/* Takes every TRES of a type out of the list. */
static void drop_type(
	struct recording *s, struct tres_list *list, const char *type)
{
	for (size_t i = 0; i < s->store->tres.n; i++)
		if (!strcmp(s->store->tres.v[i].type, type))
			tres_list_remove(list, s->store->tres.v[i].id);
}

static bool knows_gres(struct recording *s, const char *name)
{
	return strv_has_nocase(&s->site->conf.gres_types, name) ||
	       tres_by_name(&s->store->tres,
		       arena_printf(&s->arena, "gres/%s", name));
}

static int add_gres(
	struct recording *s, struct tres_list *list, const char *text,
	uint64_t nodes)
{
	struct gres_asked entry;
	const struct tres *tres;

	if (!strncasecmp(text, "gres/", 5) || !strncasecmp(text, "gres:", 5))
		text += 5;
	if (read_entry(s, text, true, &entry) || !knows_gres(s, entry.name))
		return err_set(&s->err, ERR_USAGE,
			"Invalid generic resource (gres) specification: '%s' "
			"(GresTypes of slurm.conf lists the names)",
			text);
	tres = tres_by_name(&s->store->tres,
		arena_printf(&s->arena, "gres/%s", entry.name));
	if (tres)
		add_count(s, list, tres->id, entry.count * nodes);
	if (!entry.type)
		return 0;
	tres = tres_by_name(&s->store->tres,
		arena_printf(&s->arena, "gres/%s:%s", entry.name, entry.type));
	if (tres)
		add_count(s, list, tres->id, entry.count * nodes);
	return 0;
}

static bool knows_license(struct recording *s, const char *name)
{
	const struct conf *conf = &s->site->conf;

	for (size_t i = 0; i < conf->n_licenses; i++)
		if (!strcmp(conf->licenses[i].name, name))
			return true;
	return false;
}

static int add_license(
	struct recording *s, struct tres_list *list, const char *text)
{
	struct gres_asked entry;
	const struct tres *tres = NULL;

	if (!read_entry(s, text, false, &entry))
		tres = tres_by_name(&s->store->tres,
			arena_printf(&s->arena, "license/%s", entry.name));
	if (!entry.name || !*entry.name ||
		(!tres && !knows_license(s, entry.name)))
		return err_set(&s->err, ERR_USAGE,
			"Invalid license specification: '%s' (Licenses of "
			"slurm.conf lists the names)",
			text);
	if (tres)
		add_count(s, list, tres->id, entry.count);
	return 0;
}

static int add_gres_list(struct recording *s, const char *text,
	struct tres_list *list, uint64_t nodes)
{
	struct strv entries = {0};

	drop_type(s, list, "gres");
	strv_split(&entries, &s->arena, text);
	for (size_t i = 0; i < entries.n; i++)
		if (add_gres(s, list, entries.v[i], nodes))
			return -1;
	return 0;
}

static int add_license_list(
	struct recording *s, const char *text, struct tres_list *list)
{
	struct strv entries = {0};

	drop_type(s, list, "license");
	strv_split(&entries, &s->arena, text);
	for (size_t i = 0; i < entries.n; i++)
		if (add_license(s, list, entries.v[i]))
			return -1;
	return 0;
}

/* How many of a license the words "licA:2,licB" ask for. */
static uint64_t licenses_asked(
	struct recording *s, const char *text, const char *name)
{
	struct strv entries = {0};
	uint64_t asked = 0;

	strv_split(&entries, &s->arena, text);
	for (size_t i = 0; i < entries.n; i++) {
		struct gres_asked entry;

		if (!read_entry(s, entries.v[i], false, &entry) &&
			!strcmp(entry.name, name))
			asked += entry.count;
	}
	return asked;
}

/* Are there as many as it asks for? */
static int check_licenses(
	struct recording *s, const struct job *job, const struct tres_list *list)
{
	const struct conf *conf = &s->site->conf;

	for (size_t i = 0; i < conf->n_licenses; i++) {
		const struct conf_license *license = &conf->licenses[i];
		const struct tres *tres = tres_by_name(&s->store->tres,
			arena_printf(&s->arena, "license/%s", license->name));
		uint64_t asked = tres ? tres_list_get(list, tres->id)
				      : licenses_asked(s, job->licenses,
						license->name);

		if (asked > license->count && asked < NO_VAL64)
			return err_set(&s->err, ERR_USAGE,
				"Invalid license specification: %" PRIu64
				" of %s, and Licenses of slurm.conf has %u",
				asked, license->name, license->count);
	}
	return 0;
}

static int add_gpus(struct recording *s, int64_t count, struct tres_list *list)
{
	const struct tres *tres = tres_by_name(&s->store->tres, "gres/gpu");

	if (!tres && !knows_gres(s, "gpu"))
		return err_set(&s->err, ERR_USAGE,
			"gpus: there are none here: slurm.conf has no "
			"GresTypes=gpu and no AccountingStorageTRES=gres/gpu");
	if (tres)
		tres_list_set(list, &s->arena, tres->id, (uint64_t)count);
	return 0;
}

/* ---- the request -------------------------------------------------------- */

static bool has(const struct tres_list *list, uint32_t id)
{
	return tres_list_get(list, id) < NO_VAL64;
}

static void put_number(struct recording *s, struct tres_list *list, uint32_t id,
	const struct number *number)
{
	if (number->given)
		tres_list_set(list, &s->arena, id, (uint64_t)number->v);
}

/* MiB of the node it runs on, or of the first it might run on. */
static uint64_t node_memory(struct recording *s, const struct job *job,
	const struct conf_partition *partition)
{
	const struct conf_node *node = conf_node_by_name(
		&s->site->conf, hostlist_first(job->nodelist, &s->arena));

	if (!node && partition && partition->nodes.n)
		node = conf_node_by_name(&s->site->conf, partition->nodes.v[0]);
	return node ? node->real_memory : 0;
}

/* What a job gets that asks for no memory where memory is handed out: what the
 * partition says, else whole nodes. */
static uint64_t default_memory(struct recording *s, const struct job *job,
	const struct conf_partition *partition, uint64_t cpus, uint64_t nodes)
{
	const struct conf *conf = &s->site->conf;
	uint64_t per_cpu =
		partition ? partition->def_mem_per_cpu : conf->def_mem_per_cpu;
	uint64_t per_node = partition ? partition->def_mem_per_node
				      : conf->def_mem_per_node;

	if (!conf->memory_consumable)
		return 0;
	if (per_cpu)
		return per_cpu * cpus;
	if (per_node)
		return per_node * nodes;
	return node_memory(s, job, partition) * nodes;
}

/* What its tasks need; at least one on each node. */
static uint64_t cpus_of_tasks(const struct job *job, uint64_t nodes)
{
	uint64_t each = job->cpus_per_task ? job->cpus_per_task : 1;
	uint64_t tasks = job->tasks;

	if (!tasks)
		tasks = nodes * (job->tasks_per_node ? job->tasks_per_node : 1);
	return tasks * each;
}

/* Memory in all, where the request names it for each node or CPU. */
static void put_memory_of_parts(struct recording *s,
	const struct job_facts *facts, const struct job *job,
	struct tres_list *list)
{
	uint64_t mib = 0;

	if (facts->mem_per_cpu.given)
		mib = job->mem_per_cpu * tres_list_get(list, TRES_CPU);
	else if (facts->mem_on && !has(list, TRES_MEM))
		mib = job->mem_per_node * tres_list_get(list, TRES_NODE);
	if (mib)
		tres_list_set(list, &s->arena, TRES_MEM, mib);
}

static void request_counts(struct recording *s, const struct job_facts *facts,
	struct job *job, struct tres_list *list)
{
	size_t listed = facts->nodelist
				? hostlist_names(job->nodelist, &s->arena).n
				: 0;
	uint64_t nodes;

	put_number(s, list, TRES_NODE, &facts->nodes);
	if (!has(list, TRES_NODE))
		tres_list_set(list, &s->arena, TRES_NODE, listed ? listed : 1);
	nodes = tres_list_get(list, TRES_NODE);
	put_number(s, list, TRES_CPU, &facts->cpus);
	if (!has(list, TRES_CPU))
		tres_list_set(list, &s->arena, TRES_CPU,
			cpus_of_tasks(job, nodes));
	put_number(s, list, TRES_MEM, &facts->mem);
	if (!facts->mem.given)
		put_memory_of_parts(s, facts, job, list);
	if (has(list, TRES_MEM) &&
		(facts->mem.given || has(&facts->tres, TRES_MEM) ||
			facts->mem_on || facts->mem_per_cpu.given))
		job->mem_req = tres_list_get(list, TRES_MEM);
	job->cpus_req = (uint32_t)tres_list_get(list, TRES_CPU);
	job->nodes_req = (uint32_t)nodes;
	/* Are its nodes a maximum, too, as those of `sbatch -N`? Not where
	 * its number and submission are given: that job is known elsewhere,
	 * and squeue says 1 of jobs that asked for no nodes, too. One that
	 * runs may have got more than it asked for. */
	if (facts->nodes.given && !facts->nodes_max.given && !job->start &&
		!(facts->id.given && facts->submit.given))
		job->nodes_max = job->nodes_req;
}

static uint64_t up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* By the CPU: each task takes as many more CPUs as it takes for its memory. */
static uint64_t more_for_cpus(struct job *job, uint64_t cpus, uint64_t most)
{
	uint64_t times = up(job->mem_per_cpu, most);

	if (times <= 1)
		return cpus;
	job->mem_per_cpu = up(job->mem_per_cpu, times);
	job->cpus_per_task = (uint32_t)((job->cpus_per_task
							? job->cpus_per_task
							: 1) *
					times);
	return cpus * times;
}

/* By the node: it has as many CPUs as its memory takes, shared out to its tasks
 * evenly. */
static uint64_t more_for_nodes(
	struct job *job, uint64_t cpus, uint64_t nodes, uint64_t most)
{
	uint64_t least = up(up(job->mem_req, nodes), most) * nodes;
	uint64_t tasks = job->tasks;

	if (!tasks)
		tasks = nodes * job->tasks_per_node;
	if (least <= cpus)
		return cpus;
	if (!tasks)
		return least;
	job->cpus_per_task = (uint32_t)up(least, tasks);
	return job->cpus_per_task * tasks;
}

/*
 * Where MaxMemPerCPU allows a CPU less memory than the job asks for it gets more
 * CPUs, whatever EnforcePartLimits says. Of a job that is waiting: what one that
 * runs has is known.
 */
static void raise_cpus(struct recording *s, const struct job_facts *facts,
	struct job *job, const struct conf_partition *partition,
	struct tres_list *list)
{
	uint64_t most = partition ? partition->max_mem_per_cpu
				  : s->site->conf.max_mem_per_cpu;
	uint64_t cpus = job->cpus_req;

	if (!most || job->start || job->mem_req == NO_VAL64 ||
		!(facts->mem.given || facts->mem_on ||
			facts->mem_per_cpu.given || has(&facts->tres, TRES_MEM)))
		return;
	cpus = facts->mem_per_cpu.given
		       ? more_for_cpus(job, cpus, most)
		       : more_for_nodes(job, cpus, job->nodes_req, most);
	if (cpus == job->cpus_req || cpus >= NO_VAL)
		return;
	job->cpus_req = (uint32_t)cpus;
	tres_list_set(list, &s->arena, TRES_CPU, cpus);
}

static void request_memory(struct recording *s, struct job *job,
	const struct conf_partition *partition, struct tres_list *list)
{
	uint64_t mib;

	if (job->mem_req != NO_VAL64)
		return;
	mib = default_memory(s, job, partition, job->cpus_req, job->nodes_req);
	tres_list_remove(list, TRES_MEM);
	if (mib)
		tres_list_set(list, &s->arena, TRES_MEM, mib);
}

static int request_list(struct recording *s, const struct job_facts *facts,
	struct job *job, const struct conf_partition *partition,
	struct tres_list *list)
{
	*list = tres_list_copy(&job->tres_req, &s->arena);
	tres_list_remove(list, TRES_BILLING);
	for (size_t i = 0; i < facts->tres.n; i++)
		tres_list_set(list, &s->arena, facts->tres.v[i].id,
			facts->tres.v[i].count);
	request_counts(s, facts, job, list);
	raise_cpus(s, facts, job, partition, list);
	if (facts->gres && add_gres_list(s, facts->gres, list, job->nodes_req))
		return -1;
	if (facts->gpus.given && add_gpus(s, facts->gpus.v, list))
		return -1;
	if (facts->licenses && add_license_list(s, facts->licenses, list))
		return -1;
	if (!job_is_past(job) && (facts->licenses || facts->tres.n) &&
		check_licenses(s, job, list))
		return -1;
	request_memory(s, job, partition, list);
	return 0;
}

/* ---- billing ------------------------------------------------------------ */

/* Puts what it costs into the list. */
static int price(struct recording *s, const struct conf_partition *partition,
	struct tres_list *list, double *billing)
{
	const char *text = partition ? partition->billing_weights : NULL;
	struct tres_weights weights = {0};

	if (tres_weights_parse(
		    text, &s->store->tres, &s->arena, &weights, &s->err))
		return err_prefix(&s->err,
			"%s:%d: TRESBillingWeights of "
			"partition %s",
			partition->file, partition->line, partition->name);
	*billing = billing_put(s->site->conf.policy.billing, &weights, list,
		&s->store->tres, &s->arena);
	return 0;
}

/* Puts the billing TRES into the list: as said, else as computed. */
static int put_billing(struct recording *s,
	const struct conf_partition *partition, const struct tres_list *said,
	struct tres_list *list, double *billing)
{
	uint64_t count = tres_list_get(said, TRES_BILLING);

	if (count >= NO_VAL64)
		return price(s, partition, list, billing);
	*billing = (double)count;
	tres_list_remove(list, TRES_BILLING);
	if (count)
		tres_list_set(list, &s->arena, TRES_BILLING, count);
	return 0;
}

/* ---- the allocation ----------------------------------------------------- */

static bool same_but_billing(
	const struct tres_list *a, const struct tres_list *b)
{
	size_t n = a->n - has(a, TRES_BILLING);

	if (n != b->n - has(b, TRES_BILLING))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].id != TRES_BILLING &&
			tres_list_get(b, a->v[i].id) != a->v[i].count)
			return false;
	return true;
}

/* The charge of a run that was recorded before stays what it was, whatever
 * the weights are by now. */
static bool charge_stays(const struct job_facts *facts, const struct job *job,
	const struct job *before)
{
	return before && before->start && before->qos == job->qos &&
	       !strcmp(before->partition, job->partition) &&
	       !has(&facts->tres, TRES_BILLING) &&
	       !has(&facts->alloc_tres, TRES_BILLING) &&
	       same_but_billing(&before->tres_alloc, &job->tres_alloc);
}

/* What it was given: what it asked for, on the nodes it ran on, unless the
 * allocation is known. */
static int allocate(struct recording *s, const struct job_facts *facts,
	struct job *job, const struct job *before,
	const struct conf_partition *partition)
{
	const struct tres_list *said = &facts->alloc_tres;
	uint32_t nodes =
		(uint32_t)hostlist_names(job->nodelist, &s->arena).n;

	if (!has(said, TRES_BILLING))
		said = &facts->tres;
	job->nodes_alloc = nodes ? nodes : job->nodes_req;
	job->tres_alloc = tres_list_copy(&job->tres_req, &s->arena);
	tres_list_set(&job->tres_alloc, &s->arena, TRES_NODE, job->nodes_alloc);
	for (size_t i = 0; i < facts->alloc_tres.n; i++)
		tres_list_set(&job->tres_alloc, &s->arena,
			facts->alloc_tres.v[i].id,
			facts->alloc_tres.v[i].count);
	if (charge_stays(facts, job, before)) {
		job->tres_alloc = tres_list_copy(&before->tres_alloc, &s->arena);
		return 0;
	}
	if (put_billing(s, partition, said, &job->tres_alloc, &job->billing))
		return -1;
	return qos_usage_factor(
		s->store, job->qos, &s->arena, &job->usage_factor);
}

/* The partition whose weights tell the price. A run on hosts that slurm.conf
 * does not give to the partition was on another machine or at another time:
 * today's weights say nothing of it, and its CPUs are its price. */
static const struct conf_partition *priced_by(struct recording *s,
	const struct job *job, const struct conf_partition *partition)
{
	if (!partition || !job->start || !*job->nodelist ||
		hostlist_meets(job->nodelist, &partition->nodes, &s->arena))
		return partition;
	return NULL;
}

/* Is it another's job now, or elsewhere? */
static bool moves(const struct job_facts *facts)
{
	return facts->partition || facts->qos || facts->account || facts->user;
}

/* Does anything here change what it asks for, has or costs? */
static bool asks(const struct job_facts *facts)
{
	return facts->cpus.given || facts->nodes.given || facts->mem.given ||
	       facts->tasks.given || facts->cpus_per_task.given ||
	       facts->tasks_per_node.given || facts->mem_on ||
	       facts->mem_per_cpu.given ||
	       facts->gpus.given || facts->gres || facts->licenses ||
	       facts->nodelist || moves(facts) || facts->tres.n ||
	       facts->alloc_tres.n;
}

int job_request(struct recording *s, const struct job_facts *facts,
	struct job *job, const struct job *before)
{
	const struct conf_partition *partition = job_partition(s, job);
	const struct conf_partition *priced = priced_by(s, job, partition);
	struct tres_list list;
	double billing;

	if (!before || facts->time_limit.given || moves(facts))
		job->wall_limit = conf_minutes(partition, job->time_limit);
	if (before && !before->start == !job->start && !asks(facts))
		return 0;
	if (request_list(s, facts, job, partition, &list) ||
		put_billing(s, priced, &facts->tres, &list, &billing))
		return -1;
	job->tres_req = list;
	if (job->start)
		return allocate(s, facts, job, before, priced);
	job->tres_alloc = (struct tres_list){0};
	job->nodes_alloc = 0;
	job->billing = billing;
	return qos_usage_factor(
		s->store, job->qos, &s->arena, &job->usage_factor);
}
