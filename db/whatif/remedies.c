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
#include "db/entity/privacy.h"
#include "db/record/record.h"
#include "db/whatif/whatif.h"

/* Halvings of a bisection by passes that are quick, and by those of so many jobs
 * that they take a tenth of a second or so. */
enum { HALVINGS = 14, SLOW_HALVINGS = 4, SLOW = 5000 };

struct trying {
	struct remedies *r;
	const struct job *job; /* as it is */
	uint64_t gpus;	       /* of the form in which they were asked for */
	struct strv choices[REMEDY_KINDS];
	struct limit_breach breach;
	const char *owner; /* of the limit, as sacctmgr takes it */
	struct privacy privacy;
	struct arena scratch;
	struct err *err;
};

/* ---- words ---------------------------------------------------------------*/

#define SAY(...) arena_printf(t->r->arena, __VA_ARGS__)

static const char *say_time(const struct trying *t, uint64_t minutes)
{
	const char *limit = minutes >= INFINITE
				    ? "UNLIMITED"
				    : duration_format(t->r->arena, minutes * 60);
	bool least = t->job->time_min < NO_VAL && t->job->time_min > minutes;

	return least ? SAY("time=%s timemin=%s", limit, limit)
		     : SAY("time=%s", limit);
}

/* As it was asked for: by the CPU, by the node, or in all. */
static const char *say_mem(const struct trying *t, uint64_t mib)
{
	const char *word = t->job->mem_per_cpu	  ? "mem_per_cpu"
			   : t->job->mem_per_node ? "mem_per_node"
						  : "mem";

	return SAY("%s=%" PRIu64 "%s", word, mib % 1024 ? mib : mib / 1024,
		mib % 1024 ? "M" : "G");
}

static uint64_t share(uint64_t amount, uint64_t from, uint64_t to)
{
	return (amount * to + from - 1) / from;
}

/* Where the name of GPUs in "gres/gpu:a100:4" ends and their number begins; 0:
 * the word is about others. *count: how many. */
static size_t gpu_name(const char *word, uint64_t *count)
{
	const char *name = word + (strncasecmp(word, "gres", 4) ? 0 : 5);
	const char *last = strrchr(name, ':');
	char *end = NULL;

	if (strncasecmp(name, "gpu", 3) || (name[3] && name[3] != ':'))
		return 0;
	*count = last ? strtoull(last + 1, &end, 10) : 0;
	if (*count && !*end)
		return (size_t)(last - word);
	*count = 1;
	return strlen(word);
}

/* Its gres with so many GPUs instead of those there. *had: how many these are, 0
 * where they stand in several words. */
static const char *with_gpus(
	const struct trying *t, uint64_t count, uint64_t *had)
{
	struct strv words = {0}, out = {0};
	size_t found = 0;

	*had = 0;
	strv_split(&words, t->r->arena, t->job->gres);
	for (size_t i = 0; i < words.n; i++) {
		size_t len = gpu_name(words.v[i], had);

		found += len != 0;
		if (len)
			strv_printf(&out, t->r->arena, "%.*s:%" PRIu64,
				(int)len, words.v[i], count);
		else
			strv_push(&out, t->r->arena, words.v[i]);
	}
	*had = found == 1 ? *had : 0;
	return strv_join(&out, ",", t->r->arena);
}

static const char *say_gpus(const struct trying *t, uint64_t count)
{
	uint64_t had;

	if (t->job->gpus_per_task)
		return SAY("gpus_per_task=%" PRIu64, count);
	return *t->job->gres ? SAY("gres=%s", with_gpus(t, count, &had))
			     : SAY("gpus=%" PRIu64, count);
}

/* For each task or on each node where it says so, else in all. */
static uint64_t gpus_of(const struct trying *t)
{
	const struct tres *gpu =
		tres_by_name(&t->r->plan->site->store.tres, "gres/gpu");
	uint64_t count = 0;

	if (t->job->gpus_per_task)
		count = t->job->gpus_per_task;
	else if (*t->job->gres)
		with_gpus(t, 0, &count);
	else if (gpu)
		count = tres_list_get(&t->job->tres_req, gpu->id);
	return count < NO_VAL64 ? count : 0;
}

static uint64_t task_cpus(const struct job *job)
{
	return job->cpus_per_task ? job->cpus_per_task : 1;
}

/* Tasks go with their CPUs; so does memory that was asked for by the CPU. */
static const char *say_cpus(const struct trying *t, uint64_t cpus)
{
	const char *text = SAY("cpus=%" PRIu64, cpus);

	if (t->job->tasks)
		text = SAY("%s tasks=%" PRIu64, text, cpus / task_cpus(t->job));
	return t->job->mem_per_cpu
		       ? SAY("%s %s", text, say_mem(t, t->job->mem_per_cpu))
		       : text;
}

/* CPUs, memory and generic resources go with the nodes. */
static const char *say_nodes(const struct trying *t, uint64_t nodes)
{
	const struct job *job = t->job;
	uint64_t from = job->nodes_req, mem = job->mem_per_node;
	const char *text = SAY("nodes=%" PRIu64 " %s", nodes,
		say_cpus(t, share(job->cpus_req, from, nodes)));

	if (job->nodes_max > from)
		text = SAY("%s max_nodes=%" PRIu64, text, nodes);
	if (!mem && !job->mem_per_cpu && job->mem_req < NO_VAL64)
		mem = share(job->mem_req, from, nodes);
	if (mem)
		text = SAY("%s %s", text, say_mem(t, mem));
	if (t->gpus)
		text = SAY("%s %s", text,
			say_gpus(t, *job->gres || job->gpus_per_task
					    ? t->gpus
					    : share(t->gpus, from, nodes)));
	return text;
}

static const char *say_limit(const struct trying *t, uint64_t amount)
{
	return SAY("%s=%s", t->breach.word,
		limits_value(&t->breach, amount,
			&t->r->plan->site->store.tres, t->r->arena));
}

/* What srecord is to be told of the job; of a limit, behind `set`. */
static const char *say(
	const struct trying *t, enum remedy_kind kind, uint64_t value)
{
	static const char *(*const amounts[])(
		const struct trying *, uint64_t value) = {
		[REMEDY_TIME] = say_time,
		[REMEDY_MEM] = say_mem,
		[REMEDY_CPUS] = say_cpus,
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

/* Whose limit it is, as sacctmgr takes it; NULL: nobody's, or a percentage. */
static const char *say_owner(const struct trying *t)
{
	const struct plan *plan = t->r->plan;
	const struct limit_level *level = t->breach.set_on;
	const struct share *owner;
	const struct qos *qos;
	const char *where = "";
	struct strv clusters = {0};
	uint32_t index;

	for (size_t i = 0; level->qos && i < plan->prio.qos.n; i++) {
		qos = plan->prio.qos.v[i];
		if (qos->id == level->key)
			return (qos->flags & QOS_RELATIVE) && t->breach.tres
				       ? NULL
				       : SAY("modify qos %s set", qos->name);
	}
	if (level->qos)
		return NULL;
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

	return r->kind == REMEDY_LIMIT ? SAY("%s %s", t->owner, text) : text;
}

/* ---- plans ---------------------------------------------------------------*/

/* A refusal is an answer: there is no start. */
static int make_change(struct trying *t, const struct remedy *r,
	struct whatif *what, bool *made)
{
	const char *words = t->r->words, *text = say_all(t, r);
	struct strv changes = {0};
	struct err err = {.kind = ERR_DENIED};

	if (!words)
		words = SAY("id=%" PRIu32, t->job->id);
	if (r->kind == REMEDY_LIMIT)
		strv_push(&changes, t->r->arena, text);
	strv_printf(&changes, t->r->arena, "job %s %s", words,
		r->kind == REMEDY_LIMIT ? "" : text);
	*made = !privacy_hides_text(&t->privacy, &t->r->site->store, text,
			words, &t->scratch) &&
		!whatif_open(what, t->r->site, &changes, t->r->plan->at, false,
			&err);
	if (*made || err.kind == ERR_USAGE || err.kind == ERR_DENIED)
		return 0;
	*t->err = err;
	return -1;
}

static int plan_change(
	struct trying *t, struct whatif *what, struct plan_outcome *then)
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
	if (job && plan_outcome(&plan, job, &t->r->how, &t->scratch, then))
		return -1;
	then->nodelist =
		arena_strdup(t->r->arena, then->start ? then->nodelist : "");
	return 0;
}

/* See struct remedy_ask. */
static int try_change(void *arg, struct remedy *r)
{
	struct trying *t = arg;
	struct plan_outcome *then = arena_alloc(t->r->arena, sizeof(*then));
	struct whatif what;
	bool made;
	int status;

	arena_reset(&t->scratch);
	*then = (struct plan_outcome){0};
	if (make_change(t, r, &what, &made))
		return -1;
	if (!made)
		return 0;
	status = plan_change(t, &what, then);
	if (status && t->err != what.site.store.err)
		*t->err = *what.site.store.err;
	whatif_close(&what);
	r->start = then->start;
	r->then = then;
	return status;
}

/* ---- what there is to try ------------------------------------------------*/

/* Whole tasks, one on each node. */
static struct remedy_range range_of_cpus(const struct job *job)
{
	uint64_t each = task_cpus(job), nodes = job->nodes_req;
	struct remedy_range range = remedy_less(REMEDY_CPUS,
		job->cpus_req / each, share(nodes, each, 1));

	range.asked *= each;
	range.middle *= each;
	range.furthest *= each;
	range.step *= job->tasks_per_node ? 0 : each;
	return range;
}

static uint64_t memory_of(const struct trying *t)
{
	const struct job *job = t->job;

	if (!t->r->job->mem || job->mem_per_cpu)
		return t->r->job->mem ? job->mem_per_cpu : 0;
	return job->mem_per_node ? job->mem_per_node : t->r->job->mem;
}

/* What is used of the limit, and what the job would add, is enough; of a least
 * amount, what it asks for. */
static void range_of_limit(struct trying *t, struct remedy_range *range)
{
	const struct verdict v =
		verdict_of(&t->r->plan->schedule, t->r->job);
	const struct limit_chain *chain;
	uint64_t limit = v.limit.limit, bad = v.limit.set, used, most;

	t->breach = v.limit;
	t->owner = v.limited ? say_owner(t) : NULL;
	if (!t->owner)
		return;
	chain = v.limited->limits;
	used = limits_in_use(chain, &v.limit);
	most = used + v.limit.asked;
	if (v.decays)
		most = chain->safe ? most + limits_to_come(chain, &v.limit)
				   : used + 1;
	if (most == limit || (most < limit && v.limit.shared))
		return;
	if (bad != limit)
		most = (uint64_t)((double)most / chain->limit_factor) + 1;
	else if (v.limit.shared && used > bad)
		bad = used;
	range->asked = bad;
	range->step = (most > bad ? most - bad : bad - most) / 4096 + 1;
	range->furthest = most > bad ? share(most, range->step, 1)
				     : most / range->step;
	range->furthest *= range->step;
	range->middle = range->furthest;
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
	struct assoc_cond cond = {.only_users = true,
		.clusters = STRV_ONE(plan->cluster),
		.users = STRV_ONE(t->job->user)};
	struct assoc_list list = {0};

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
	ranges[REMEDY_CPUS] = range_of_cpus(job);
	range_of_limit(t, &ranges[REMEDY_LIMIT]);
	record_other_partitions(&t->r->plan->site->conf, job, t->r->arena,
		&t->choices[REMEDY_PARTITION]);
	if (list_others(t))
		return -1;
	for (int kind = REMEDY_AMOUNTS; kind < REMEDY_KINDS; kind++) {
		ask->choices[kind] = t->choices[kind].n;
		strv_push(&t->choices[kind], t->r->arena, own[kind]);
	}
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

static int search(struct trying *t, struct remedy_ask *ask)
{
	struct remedies *r = t->r;
	struct remedy found[REMEDY_MOST];

	if (privacy_open(&t->privacy, r->site, PRIVATE_NAMES, r->arena) ||
		prepare(t, ask) || remedies_find(ask, found, &r->n))
		return -1;
	r->best = remedies_best(found, r->n, ask->grain);
	r->v = arena_array(r->arena, r->n, sizeof(*r->v));
	for (size_t i = 0; i < r->n; i++) {
		enum remedy_kind kind = found[i].kind;
		/* Behind the choices stands its own. */
		uint64_t own = kind == REMEDY_LIMIT ? t->breach.set
			       : kind < REMEDY_AMOUNTS
				       ? ask->ranges[kind].asked
				       : t->choices[kind].n - 1;

		r->v[i] = (struct remedied){kind, found[i].value,
			say_all(t, &found[i]), say(t, kind, own),
			found[i].then};
	}
	return 0;
}

int remedies_try(struct remedies *r, struct err *err)
{
	struct trying t = {.r = r, .job = r->job->record, .err = err};
	struct remedy_ask ask = {.start = r->now.start,
		.grain = larger(60, r->plan->backfill.params.bf_resolution),
		.halvings = r->plan->jobs.n < SLOW ? HALVINGS : SLOW_HALVINGS,
		.plan = try_change,
		.arg = &t};
	int status;

	r->n = r->best = r->plans = 0;
	if (r->job->waits || (r->now.start && r->now.start <= r->plan->at &&
				     !r->now.far))
		return 0;
	status = search(&t, &ask);
	arena_release(&t.scratch);
	return status;
}
