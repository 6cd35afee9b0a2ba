/*
 * Words for each change, and the plan under it; see remedies.h.
 */
#include "db/whatif/remedies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/text/timespec.h"
#include "db/entity/assoc.h"
#include "db/entity/cluster.h"
#include "db/record/record.h"
#include "db/whatif/whatif.h"

/* Halvings of a bisection by passes that are quick, and that are slow. */
enum { HALVINGS = 14, SLOW_HALVINGS = 4, SLOW = 100000 };

/* One change planned. */
struct planned_change {
	struct remedy remedy;
	struct plan_outcome then;
};

struct trying {
	struct remedies *r;
	const struct job *job; /* as it is */
	uint64_t gpus;	       /* of the form in which they were asked for */
	struct strv choices[REMEDY_KINDS];
	struct limit_breach breach;
	struct planned_change *v;
	size_t n, cap;
	struct arena scratch;
	struct err *err;
};

/* ---- words ---------------------------------------------------------------*/

#define SAY(...) arena_printf(t->r->arena, __VA_ARGS__)

static const char *say_minutes(const struct trying *t, uint64_t minutes)
{
	return minutes >= INFINITE
		       ? "UNLIMITED"
		       : duration_format(t->r->arena, minutes * 60);
}

static const char *say_mib(const struct trying *t, const char *word, uint64_t mib)
{
	return mib % 1024 ? SAY("%s=%" PRIu64 "M", word, mib)
			  : SAY("%s=%" PRIu64 "G", word, mib / 1024);
}

static uint64_t share(uint64_t amount, uint64_t from, uint64_t to)
{
	return (amount * to + from - 1) / from;
}

/* By the CPU or the node where it asked so. */
static const char *memory_word(const struct job *job)
{
	if (job->mem_per_cpu)
		return "mem_per_cpu";
	return job->mem_per_node ? "mem_per_node" : "mem";
}

/* The entry of "shard:2,gpu:a100:4" that is about GPUs; NULL where there is none
 * or several. *count: how many, each being on every node. */
static const char *gpu_entry(const char *gres, size_t *len, uint64_t *count)
{
	const char *found = NULL, *entry = gres;

	for (; *entry; entry += strcspn(entry, ","), entry += *entry == ',') {
		const char *name = entry, *end = entry + strcspn(entry, ",");
		const char *last;

		if (!strncasecmp(name, "gres", 4) && strchr("/:", name[4]))
			name += 5;
		if (strncasecmp(name, "gpu", 3) || !strchr(":,", name[3]))
			continue;
		if (found)
			return NULL;
		found = entry;
		for (last = end; last > name && last[-1] != ':'; last--)
			;
		*count = 1;
		*len = (size_t)(end - entry);
		if (last > name && *last >= '0' && *last <= '9') {
			*count = strtoull(last, NULL, 10);
			*len = (size_t)(last - 1 - entry);
		}
	}
	return found;
}

static uint64_t gpus_of(const struct trying *t)
{
	const struct job *job = t->job;
	const struct tres *gpu =
		tres_by_name(&t->r->plan->site->store.tres, "gres/gpu");
	uint64_t count = 0;
	size_t len;

	if (*job->gres)
		return gpu_entry(job->gres, &len, &count) ? count : 0;
	if (gpu && !job->gpus_per_task)
		count = tres_list_get(&job->tres_req, gpu->id);
	return count < NO_VAL64 ? count : 0;
}

static const char *say_gpus(const struct trying *t, uint64_t count)
{
	const char *gres = t->job->gres, *entry, *rest;
	uint64_t now;
	size_t len = 0;

	if (!*gres)
		return SAY("gpus=%" PRIu64, count);
	entry = gpu_entry(gres, &len, &now);
	rest = entry + strcspn(entry, ",");
	return SAY("gres=%.*s:%" PRIu64 "%s", (int)(entry - gres + (int)len),
		gres, count, rest);
}

/* What follows its CPUs: tasks of as many CPUs, memory of each. */
static const char *say_cpus(
	const struct trying *t, uint64_t cpus, uint64_t nodes)
{
	const struct job *job = t->job;
	uint64_t each = job->cpus_per_task ? job->cpus_per_task : 1;
	const char *text = SAY("cpus=%" PRIu64, cpus);

	if (job->tasks && job->tasks * each == job->cpus_req)
		text = SAY("%s tasks=%" PRIu64, text, cpus / each);
	if (job->tasks_per_node)
		text = SAY("%s tasks_per_node=%" PRIu64, text,
			share(job->tasks_per_node, job->cpus_req,
				cpus * job->nodes_req / nodes));
	return job->mem_per_cpu
		       ? SAY("%s %s", text,
				 say_mib(t, "mem_per_cpu", job->mem_per_cpu))
		       : text;
}

/* CPUs, memory and generic resources go with the nodes. */
static const char *say_nodes(const struct trying *t, uint64_t nodes)
{
	const struct job *job = t->job;
	uint64_t from = job->nodes_req;
	const char *text = SAY("nodes=%" PRIu64 "%s %s", nodes,
		job->nodes_max > from ? SAY(" max_nodes=%" PRIu64, nodes) : "",
		say_cpus(t, share(job->cpus_req, from, nodes), nodes));

	if (job->mem_per_node)
		text = SAY("%s %s", text,
			say_mib(t, "mem_per_node", job->mem_per_node));
	if (!job->mem_per_cpu && !job->mem_per_node && job->mem_req < NO_VAL64)
		text = SAY("%s %s", text,
			say_mib(t, "mem", share(job->mem_req, from, nodes)));
	if (t->gpus)
		text = SAY("%s %s", text,
			say_gpus(t, *job->gres ? t->gpus
					       : share(t->gpus, from, nodes)));
	return text;
}

static const char *say_limit(const struct trying *t, uint64_t amount)
{
	const struct limit_breach *b = &t->breach;
	struct tres_list one = {0};

	if (b->minutes)
		return SAY("%s=%s", b->word, say_minutes(t, amount));
	if (!b->tres)
		return SAY("%s=%" PRIu64, b->word, amount);
	tres_list_set(&one, t->r->arena, b->tres, amount);
	return SAY("%s=%s", b->word,
		tres_list_format(&one, &t->r->plan->site->store.tres, 0,
			t->r->arena));
}

static const char *say_time(const struct trying *t, uint64_t minutes)
{
	const char *limit = say_minutes(t, minutes);
	bool least = t->job->time_min < NO_VAL && t->job->time_min > minutes;

	return least ? SAY("time=%s timemin=%s", limit, limit)
		     : SAY("time=%s", limit);
}

static const char *say_mem(const struct trying *t, uint64_t mib)
{
	return say_mib(t, memory_word(t->job), mib);
}

static const char *say_only_cpus(const struct trying *t, uint64_t cpus)
{
	return say_cpus(t, cpus, t->job->nodes_req);
}

/* What srecord is to be told of the job; of a limit, behind `set`. */
static const char *say(
	const struct trying *t, enum remedy_kind kind, uint64_t value)
{
	static const char *(*const amounts[])(
		const struct trying *, uint64_t value) = {
		[REMEDY_TIME] = say_time,
		[REMEDY_MEM] = say_mem,
		[REMEDY_CPUS] = say_only_cpus,
		[REMEDY_GPUS] = say_gpus,
		[REMEDY_NODES] = say_nodes,
		[REMEDY_LIMIT] = say_limit,
	};
	static const char *const words[] = {
		[REMEDY_PARTITION] = "partition",
		[REMEDY_QOS] = "qos",
		[REMEDY_ACCOUNT] = "account",
	};

	if (kind < REMEDY_AMOUNTS)
		return amounts[kind](t, value);
	return SAY("%s=%s", words[kind], t->choices[kind].v[value]);
}

/* Whose limit it is, as sacctmgr takes it. */
static const char *say_owner(const struct trying *t)
{
	const struct plan *plan = t->r->plan;
	const struct limit_level *level = t->breach.set_on;
	const struct share *owner;
	const struct qos_name *qos;
	const char *where = "";
	struct strv clusters = {0};
	uint32_t index;

	if (level->qos) {
		qos = qos_by_id(&plan->site->store.qos, (uint32_t)level->key);
		return qos ? SAY("modify qos %s set", qos->name) : NULL;
	}
	index = shares_find(plan->prio.index, level->key);
	if (index == UINT32_MAX ||
		cluster_names(&plan->site->store, t->r->arena, &clusters))
		return NULL;
	owner = &plan->prio.shares.v[index];
	if (*owner->user)
		where = SAY(" where account=%s%s%s", owner->account,
			*owner->partition ? " partition=" : "",
			owner->partition);
	if (clusters.n > 1)
		where = SAY("%s%s cluster=%s", where, *where ? "" : " where",
			plan->cluster);
	return SAY("modify %s %s%s set", *owner->user ? "user" : "account",
		*owner->user ? owner->user : owner->account, where);
}

/* All of what is to be typed. */
static const char *say_all(const struct trying *t, const struct remedy *r)
{
	const char *text = say(t, r->kind, r->value);

	return r->kind == REMEDY_LIMIT ? SAY("%s %s", say_owner(t), text)
				       : text;
}

/* ---- plans ---------------------------------------------------------------*/

/* A refusal is an answer: there is no start. */
static int make_change(struct trying *t, const struct remedy *r,
	struct whatif *what, bool *made)
{
	struct strv changes = {0};
	struct err err = {0};
	const char *words = t->r->words;

	if (!words)
		words = SAY("id=%" PRIu32, t->job->id);
	if (r->kind == REMEDY_LIMIT) {
		strv_push(&changes, t->r->arena, say_all(t, r));
		strv_printf(&changes, t->r->arena, "job %s", words);
	} else {
		strv_printf(&changes, t->r->arena, "job %s %s", words,
			say_all(t, r));
	}
	*made = !whatif_open(
		what, t->r->site, &changes, t->r->plan->at, false, &err);
	if (*made || err.kind == ERR_USAGE || err.kind == ERR_DENIED)
		return 0;
	*t->err = err;
	return -1;
}

static int plan_change(struct trying *t, struct whatif *what, bool *waits,
	struct plan_outcome *then)
{
	const struct plan *old = t->r->plan;
	int64_t key = t->job->key;
	const struct sched_job *job;
	struct plan plan;

	if ((t->r->is_new && job_newest_key(&what->site.store, &key)) ||
		plan_make(&plan, &what->site, old->cluster, old->at, &t->r->how,
			&t->scratch))
		return -1;
	t->r->plans++;
	plan_backfill(&plan);
	job = plan_find_key(&plan, key);
	*waits = job != NULL;
	return job ? plan_outcome(&plan, job, &t->r->how, &t->scratch, then)
		   : 0;
}

/* See struct remedy_ask. */
static int try_change(void *arg, const struct remedy *r, int64_t *start)
{
	struct trying *t = arg;
	struct plan_outcome then = {0};
	struct whatif what;
	bool made, waits = false;
	int status;

	arena_reset(&t->scratch);
	if (make_change(t, r, &what, &made))
		return -1;
	if (!made)
		return 0;
	status = plan_change(t, &what, &waits, &then);
	if (!status && waits) {
		then.nodelist = arena_strdup(
			t->r->arena, then.nodelist ? then.nodelist : "");
		*ARENA_PUSH(t->r->arena, t->v, t->n, t->cap) =
			(struct planned_change){*r, then};
		*start = then.start;
	} else if (status && t->err != what.site.store.err) {
		*t->err = *what.site.store.err;
	}
	whatif_close(&what);
	return status;
}

/* ---- what there is to try ------------------------------------------------*/

static void range_of_cpus(const struct trying *t, struct remedy_range *range)
{
	const struct job *job = t->job;
	uint64_t each = job->cpus_per_task ? job->cpus_per_task : 1;

	if (job->tasks_per_node)
		each *= job->nodes_req;
	*range = remedy_less(REMEDY_CPUS, job->cpus_req,
		each > job->nodes_req ? each : job->nodes_req);
	/* Whole tasks. */
	if (!range->step || each == 1)
		return;
	range->step = each;
	range->furthest = share(range->furthest, each, 1) * each;
	range->middle = share(range->middle, each, 1) * each;
	if (range->furthest >= range->asked)
		range->step = 0;
}

static uint64_t memory_of(const struct trying *t)
{
	const struct job *job = t->job;

	if (!t->r->job->mem)
		return 0;
	if (job->mem_per_cpu)
		return job->mem_per_cpu;
	return job->mem_per_node ? job->mem_per_node : t->r->job->mem;
}

/* What is used of the limit, and what the job would add, is enough. */
static void range_of_limit(struct trying *t, struct remedy_range *range)
{
	const struct verdict v =
		verdict_of(&t->r->plan->schedule, t->r->job);
	uint64_t limit = v.limit.limit, most;

	t->breach = v.limit;
	if (!v.limited || !say_owner(t))
		return;
	most = limits_in_use(v.limited->limits, &v.limit) + v.limit.asked;
	if (most <= limit)
		return;
	range->asked = limit;
	range->step = (most - limit) / 4096 + 1;
	range->furthest = share(most, range->step, 1) * range->step;
	range->middle = range->furthest;
}

/* Partitions it does not ask for, and may enter. */
static void list_partitions(struct trying *t)
{
	const struct conf *conf = &t->r->plan->site->conf;
	struct strv own = {0};

	strv_split(&own, t->r->arena, t->job->partition);
	for (size_t i = 0; i < conf->n_partitions; i++)
		if (conf->partitions[i].state == PARTITION_UP &&
			!strv_has(&own, conf->partitions[i].name) &&
			record_may_enter(conf, t->job, &conf->partitions[i]))
			strv_push(&t->choices[REMEDY_PARTITION], t->r->arena,
				conf->partitions[i].name);
}

/* QOS that its association has. */
static void list_qos(struct trying *t, const struct assoc *assoc)
{
	const struct qos_list *all = &t->r->plan->prio.qos;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i]->id != t->job->qos &&
			assoc_has_qos(assoc, all->v[i]->id))
			strv_push(&t->choices[REMEDY_QOS], t->r->arena,
				all->v[i]->name);
}

/* Accounts of its user; one that waits keeps its QOS there. */
static int list_others(struct trying *t)
{
	const struct plan *plan = t->r->plan;
	struct assoc_cond cond = {.only_users = true};
	struct assoc_list list = {0};

	strv_push(&cond.clusters, t->r->arena, plan->cluster);
	strv_push(&cond.users, t->r->arena, t->job->user);
	if (assoc_list(&plan->site->store, &cond, t->r->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct assoc *a = list.v[i];
		struct strv *accounts = &t->choices[REMEDY_ACCOUNT];

		if (a->key == t->job->assoc)
			list_qos(t, a);
		if (strcmp(a->account, t->job->account) &&
			!strv_has(accounts, a->account) &&
			(t->r->is_new || assoc_has_qos(a, t->job->qos)))
			strv_push(accounts, t->r->arena, a->account);
	}
	return 0;
}

static int prepare(struct trying *t, struct remedy_ask *ask)
{
	const struct job *job = t->job;
	struct remedy_range *ranges = ask->ranges;
	const struct qos_name *qos =
		qos_by_id(&t->r->plan->site->store.qos, job->qos);
	const char *const own[] = {[REMEDY_PARTITION] = job->partition,
		[REMEDY_QOS] = qos ? qos->name : "",
		[REMEDY_ACCOUNT] = job->account};

	t->gpus = gpus_of(t);
	ranges[REMEDY_TIME] =
		remedy_less(REMEDY_TIME, t->r->now.minutes, 1);
	ranges[REMEDY_MEM] = remedy_less(REMEDY_MEM, memory_of(t), 1);
	ranges[REMEDY_GPUS] = remedy_less(REMEDY_GPUS, t->gpus, 1);
	if (!*job->nodes_wanted)
		ranges[REMEDY_NODES] =
			remedy_less(REMEDY_NODES, job->nodes_req, 1);
	range_of_cpus(t, &ranges[REMEDY_CPUS]);
	range_of_limit(t, &ranges[REMEDY_LIMIT]);
	list_partitions(t);
	if (list_others(t))
		return -1;
	for (int kind = REMEDY_AMOUNTS; kind < REMEDY_KINDS; kind++) {
		ask->choices[kind] = t->choices[kind].n;
		strv_push(&t->choices[kind], t->r->arena, own[kind]);
	}
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

int64_t remedies_grain(const struct plan *plan)
{
	int64_t resolution = plan->backfill.params.bf_resolution;

	return resolution > 60 ? resolution : 60;
}

static const struct plan_outcome *outcome_of(
	const struct trying *t, const struct remedy *r)
{
	size_t i = t->n;

	while (i && (t->v[i - 1].remedy.kind != r->kind ||
			    t->v[i - 1].remedy.value != r->value))
		i--;
	return &t->v[i - 1].then;
}

/* What it asks for itself is behind the choices. */
static uint64_t asked_value(const struct trying *t,
	const struct remedy_ask *ask, enum remedy_kind kind)
{
	return kind < REMEDY_AMOUNTS ? ask->ranges[kind].asked
				     : t->choices[kind].n - 1;
}

static int search(struct trying *t, struct remedy_ask *ask)
{
	struct remedies *r = t->r;
	struct remedy found[REMEDY_MOST];

	if (prepare(t, ask) || remedies_find(ask, found, &r->n))
		return -1;
	r->best = remedies_best(found, r->n, ask->grain);
	r->v = arena_array(r->arena, r->n, sizeof(*r->v));
	for (size_t i = 0; i < r->n; i++)
		r->v[i] = (struct remedied){found[i], say_all(t, &found[i]),
			say(t, found[i].kind, asked_value(t, ask, found[i].kind)),
			*outcome_of(t, &found[i])};
	return 0;
}

int remedies_try(struct remedies *r, struct err *err)
{
	struct trying t = {.r = r, .job = r->job->record, .err = err};
	struct remedy_ask ask = {.start = r->now.start,
		.grain = remedies_grain(r->plan),
		.halvings = r->took < SLOW ? HALVINGS : SLOW_HALVINGS,
		.plan = try_change,
		.arg = &t};
	int status;

	r->n = r->best = r->plans = 0;
	if (r->job->waits || (r->now.start && r->now.start <= r->plan->at &&
				     !r->now.far))
		return 0;
	arena_init(&t.scratch);
	status = search(&t, &ask);
	arena_release(&t.scratch);
	return status;
}
