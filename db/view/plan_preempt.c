/*
 * Preemption as slurm.conf and the QOS have it (spec/backfill.md 5.4), in the
 * terms of the passes: the rules, how and when each running job makes way, whom
 * a waiting one may push aside. Part of db/view/plan.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/plan/preempt.h"
#include "common/text/timespec.h"
#include "db/entity/qos.h"
#include "db/view/plan_request.h"

struct plan_preempt {
	uint32_t mode;	 /* PreemptMode, enum preempt_mode, or-ed */
	uint32_t exempt; /* PreemptExemptTime, seconds */
	struct qos_list qos;
	const uint32_t **pushes; /* of each QOS: those it lists, 0 ends */
};

/* ---- words of slurm.conf -------------------------------------------------*/

static void remark(struct plan *plan, const char *key, const char *text)
{
	const char *said =
		arena_printf(plan->arena, "%s: '%s' is not known", key, text);

	if (!strv_has(&plan->preempt_remarks, said))
		strv_push(&plan->preempt_remarks, plan->arena, said);
}

static enum preempt_by type_of(struct plan *plan)
{
	static const struct {
		const char *name;
		enum preempt_by by;
	} types[] = {
		{"preempt/none", PREEMPT_BY_NOTHING},
		{"preempt/qos", PREEMPT_BY_QOS},
		{"preempt/partition_prio", PREEMPT_BY_TIER},
	};
	const char *type = plan->site->conf.preempt_type;

	if (!type)
		return PREEMPT_BY_NOTHING;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcasecmp(types[i].name, type))
			return types[i].by;
	remark(plan, "PreemptType", type);
	return PREEMPT_BY_NOTHING;
}

static bool mode_bit(const char *word, size_t len, uint32_t *bits)
{
	for (const struct flag_word *f = preempt_mode_words; f->names; f++)
		if (strcspn(f->names, ":") == len &&
			!strncasecmp(f->names, word, len)) {
			*bits |= f->value;
			return true;
		}
	return false;
}

static uint32_t mode_bits(struct plan *plan, const char *text)
{
	uint32_t bits = 0;

	for (const char *word = text; word && *word;) {
		size_t len = strcspn(word, ",");

		if (len && !mode_bit(word, len, &bits))
			remark(plan, "PreemptMode", text);
		word += len + (word[len] == ',');
	}
	return bits;
}

/* The number behind "name="; false: the word is not there. */
static bool find_word(const char *list, const char *name, uint32_t *number)
{
	size_t len = strlen(name);

	for (const char *word = list; word && *word;) {
		size_t n = strcspn(word, ",");

		if (n >= len && !strncasecmp(word, name, len) &&
			(n == len || word[len] == '=')) {
			if (word[len] == '=')
				*number = (uint32_t)strtoul(
					word + len + 1, NULL, 10);
			return true;
		}
		word += n + (word[n] == ',');
	}
	return false;
}

static struct preempt_rules rules_of(struct plan *plan)
{
	const struct conf *conf = &plan->site->conf;
	const char *list = conf_pairs_get(&conf->all, "PreemptParameters");
	struct preempt_rules rules = {.reorder_count = 1};
	uint32_t unused;

	rules.by = type_of(plan);
	rules.youngest_first = find_word(list, "youngest_first", &unused) ||
			       find_word(conf->scheduler_parameters,
				       "preempt_youngest_first", &unused);
	rules.strict_order = find_word(list, "strict_order", &unused) ||
			     find_word(conf->scheduler_parameters,
				     "preempt_strict_order", &unused);
	rules.reclaim_licenses = find_word(list, "reclaim_licenses", &unused);
	if (!find_word(list, "reorder_count", &rules.reorder_count))
		(void)find_word(conf->scheduler_parameters,
			"preempt_reorder_count", &rules.reorder_count);
	(void)find_word(
		list, "min_exempt_priority", &rules.min_exempt_priority);
	return rules;
}

static uint32_t global_exempt(struct plan *plan)
{
	const char *text = plan->site->conf.preempt_exempt_time;
	struct err unused;
	uint32_t seconds;

	if (!text)
		return 0;
	if (!seconds_parse(text, &seconds, &unused))
		return seconds < NO_VAL ? seconds : 0;
	remark(plan, "PreemptExemptTime", text);
	return 0;
}

/* ---- QOS -----------------------------------------------------------------*/

static const struct qos *find_qos(const struct plan_preempt *p, uint32_t id)
{
	for (size_t i = 0; id && i < p->qos.n; i++)
		if (p->qos.v[i]->id == id)
			return p->qos.v[i];
	return NULL;
}

static const uint32_t *pushes_of(struct plan *plan, const struct qos *qos)
{
	uint32_t *ids =
		arena_array(plan->arena, qos->preempt.n + 1, sizeof(*ids));
	size_t n = 0;

	for (size_t i = 0; i < qos->preempt.n; i++) {
		const struct qos_name *found =
			qos_by_name(&plan->site->store.qos, qos->preempt.v[i]);

		if (found)
			ids[n++] = found->id;
	}
	return ids;
}

int plan_load_preempt(struct plan *plan)
{
	struct plan_preempt *p = arena_alloc(plan->arena, sizeof(*p));
	struct qos_cond all = {0};
	struct store *store = &plan->site->store;

	plan->schedule.preempt = rules_of(plan);
	if (!plan->schedule.preempt.by)
		return 0;
	*p = (struct plan_preempt){
		.mode = mode_bits(plan, plan->site->conf.preempt_mode),
		.exempt = global_exempt(plan)};
	if (qos_list(store, &all, plan->arena, &p->qos) ||
		preemption_load(store, plan->prio.cluster, plan->arena,
			&plan->preemptions))
		return -1;
	p->pushes = arena_array(
		plan->arena, p->qos.n + 1, sizeof(const uint32_t *));
	for (size_t i = 0; i < p->qos.n; i++)
		p->pushes[i] = pushes_of(plan, p->qos.v[i]);
	plan->preempt = p;
	return 0;
}

void plan_preempt_choice(const struct plan *plan, struct sched_choice *choice)
{
	const struct plan_preempt *p = plan->preempt;
	uint32_t mode;

	for (size_t i = 0; p && i < p->qos.n; i++) {
		if (p->qos.v[i]->id != choice->qos)
			continue;
		mode = p->mode | p->qos.v[i]->preempt_mode;
		choice->preempts = p->pushes[i];
		choice->preempts_own = mode & PREEMPT_WITHIN;
		choice->preempts_lower = mode & PREEMPT_PRIORITY;
	}
}

/* ---- running jobs --------------------------------------------------------*/

static enum preempted_how how_of_bits(uint32_t mode)
{
	if (mode & PREEMPT_CANCEL)
		return PREEMPTED_CANCEL;
	if (mode & PREEMPT_REQUEUE)
		return PREEMPTED_REQUEUE;
	return mode & PREEMPT_SUSPEND ? PREEMPTED_SUSPEND : PREEMPTED_NEVER;
}

/* Its QOS or partition says how, else the cluster. */
static enum preempted_how how_of(struct plan *plan, const struct job *job,
	const struct qos *qos, const struct conf_partition *partition)
{
	const struct plan_preempt *p = plan->preempt;
	bool by_tier = plan->schedule.preempt.by == PREEMPT_BY_TIER;
	enum preempted_how how = PREEMPTED_NEVER;

	if (job->het_job)
		return PREEMPTED_NEVER;
	if (by_tier && partition && partition->preempt_mode)
		return how_of_bits(mode_bits(plan, partition->preempt_mode));
	if (!by_tier && qos)
		how = how_of_bits(qos->preempt_mode);
	return how ? how : how_of_bits(p->mode);
}

static bool set(const struct qos *qos)
{
	return qos && qos->preempt_exempt_time < NO_VAL;
}

/* Its partition's QOS before its own, unless that says otherwise; then the
 * site. */
static uint32_t exempt_time(const struct plan *plan, const struct qos *qos,
	const struct conf_partition *partition)
{
	const struct plan_preempt *p = plan->preempt;
	const struct qos_name *name =
		partition && partition->qos
			? qos_by_name(&plan->site->store.qos, partition->qos)
			: NULL;
	const struct qos *first = name ? find_qos(p, name->id) : NULL;
	const struct qos *second = qos;

	if (qos && qos->flags & QOS_OVER_PART_QOS) {
		second = first;
		first = qos;
	}
	if (set(first))
		return first->preempt_exempt_time;
	return set(second) ? second->preempt_exempt_time : p->exempt;
}

static uint32_t grace_time(const struct plan *plan, enum preempted_how how,
	const struct qos *qos, const struct conf_partition *partition)
{
	uint32_t grace = qos ? qos->grace_time : 0;

	if (plan->schedule.preempt.by == PREEMPT_BY_TIER)
		grace = partition ? partition->grace_time : 0;
	return how == PREEMPTED_SUSPEND || grace >= NO_VAL ? 0 : grace;
}

static uint32_t priority_of(const struct plan *plan, const struct job *job)
{
	if (job->priority < NO_VAL)
		return job->priority;
	if (job->last_priority < NO_VAL)
		return job->last_priority;
	return jobprio_highest(&plan->prio, job, plan->arena);
}

void plan_preempt_running(
	struct plan *plan, const struct job *job, struct sched_running *r)
{
	const struct conf_partition *partition =
		conf_partition_by_name(&plan->site->conf, job->partition);
	const struct preemption *noted;
	const struct qos *qos;

	if (!plan->preempt)
		return;
	qos = find_qos(plan->preempt, job->qos);
	noted = preemption_find(&plan->preemptions, job->key);
	r->how = how_of(plan, job, qos, partition);
	if (!r->how)
		return;
	r->exempt_until =
		job->start + job->suspended + exempt_time(plan, qos, partition);
	r->gone = plan->at + grace_time(plan, r->how, qos, partition);
	r->warned = noted;
	if (noted && noted->due < r->gone)
		r->gone = noted->due > plan->at ? noted->due : plan->at;
	r->qos_priority = qos ? qos->priority : 0;
	r->priority = priority_of(plan, job);
}

/* ---- suspended jobs ------------------------------------------------------*/

bool plan_suspended(const struct plan *plan, const struct job *job)
{
	return (job->state & JOB_BASE_MASK) == JOB_SUSPENDED &&
	       preemption_find(&plan->preemptions, job->key);
}

void plan_resume(struct plan *plan, struct sched_running *r)
{
	bool room = preempt_has_room(&plan->schedule, r, plan->arena);

	r->how = PREEMPTED_NEVER;
	schedule_run(&plan->schedule, r, plan->arena);
	if (room)
		*ARENA_PUSH(plan->arena, plan->resumes, plan->n_resumes,
			plan->cap_resumes) = r->job;
	else
		schedule_suspend(&plan->schedule, plan->schedule.n_running - 1);
}
