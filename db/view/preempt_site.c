/*
 * Preemption as slurm.conf and the QOS have it; see preempt_site.h.
 */
#include "db/view/preempt_site.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/text/timespec.h"

/* ---- words of slurm.conf -------------------------------------------------*/

static void remark(struct preempt_site *p, const char *key, const char *text)
{
	const char *said =
		arena_printf(p->arena, "%s: '%s' is not known", key, text);

	if (!strv_has(p->remarks, said))
		strv_push(p->remarks, p->arena, said);
}

static enum preempt_by type_of(struct preempt_site *p)
{
	static const struct {
		const char *name;
		enum preempt_by by;
	} types[] = {
		{"preempt/none", PREEMPT_BY_NOTHING},
		{"preempt/qos", PREEMPT_BY_QOS},
		{"preempt/partition_prio", PREEMPT_BY_TIER},
	};
	const char *type = p->conf->preempt_type;

	if (!type)
		return PREEMPT_BY_NOTHING;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcasecmp(types[i].name, type))
			return types[i].by;
	remark(p, "PreemptType", type);
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

static uint32_t mode_bits(struct preempt_site *p, const char *text)
{
	uint32_t bits = 0;

	for (const char *word = text; word && *word;) {
		size_t len = strcspn(word, ",");

		if (len && !mode_bit(word, len, &bits))
			remark(p, "PreemptMode", text);
		word += len + (word[len] == ',');
	}
	return bits;
}

/* The number after "name="; false when the word is missing. */
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

static struct preempt_rules rules_of(struct preempt_site *p)
{
	const struct conf *conf = p->conf;
	const char *list = conf_pairs_get(&conf->all, "PreemptParameters");
	struct preempt_rules rules = {.reorder_count = 1};
	uint32_t unused;

	rules.by = type_of(p);
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

static uint32_t global_exempt(struct preempt_site *p)
{
	const char *text = p->conf->preempt_exempt_time;
	struct err unused;
	uint32_t seconds;

	if (!text)
		return 0;
	if (!seconds_parse(text, &seconds, &unused))
		return known_or_0(seconds);
	remark(p, "PreemptExemptTime", text);
	return 0;
}

/* ---- QOS -----------------------------------------------------------------*/

static size_t find_qos(const struct preempt_site *p, uint32_t id)
{
	size_t i = 0;

	while (i < p->qos.n && (!id || p->qos.v[i]->id != id))
		i++;
	return i;
}

static const struct qos *qos_of(const struct preempt_site *p, uint32_t id)
{
	size_t i = find_qos(p, id);

	return i < p->qos.n ? p->qos.v[i] : NULL;
}

static const uint32_t *pushes_of(
	const struct preempt_site *p, const struct qos *qos)
{
	uint32_t *ids = arena_array(p->arena, qos->preempt.n + 1, sizeof(*ids));
	size_t n = 0;

	for (size_t i = 0; i < qos->preempt.n; i++) {
		const struct qos_name *found =
			qos_by_name(&p->store->qos, qos->preempt.v[i]);

		if (found)
			ids[n++] = found->id;
	}
	return ids;
}

void preempt_site_open(struct preempt_site *p, struct store *store,
	const struct conf *conf, const struct qos_list *qos,
	struct strv *remarks, struct arena *arena)
{
	*p = (struct preempt_site){.store = store,
		.conf = conf,
		.remarks = remarks,
		.arena = arena};
	p->rules = rules_of(p);
	if (!p->rules.by)
		return;
	p->mode = mode_bits(p, conf->preempt_mode);
	p->exempt = global_exempt(p);
	p->qos = *qos;
	p->pushes = arena_array(arena, p->qos.n + 1, sizeof(const uint32_t *));
	for (size_t i = 0; i < p->qos.n; i++)
		p->pushes[i] = pushes_of(p, p->qos.v[i]);
}

struct sched_rights preempt_site_rights(
	const struct preempt_site *p, const struct qos *qos)
{
	size_t i = p && qos ? find_qos(p, qos->id) : 0;
	struct sched_rights may = {0};
	uint32_t mode;

	if (!qos)
		return may;
	may.any_time = qos->flags & QOS_PARTITION_TIME_LIMIT;
	may.any_min_nodes = qos->flags & QOS_PARTITION_MIN_NODES;
	may.any_max_nodes = qos->flags & QOS_PARTITION_MAX_NODES;
	may.no_reserve = qos->flags & QOS_NO_RESERVE;
	if (qos->min_prio_thresh < NO_VAL)
		may.reserve_priority = qos->min_prio_thresh;
	if (!p || i == p->qos.n)
		return may;
	mode = p->mode | qos->preempt_mode;
	may.preempts = p->pushes[i];
	may.preempts_own = mode & PREEMPT_WITHIN;
	may.preempts_lower = mode & PREEMPT_PRIORITY;
	return may;
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
static enum preempted_how how_of(struct preempt_site *p, const struct qos *qos,
	const struct conf_partition *partition)
{
	bool by_tier = p->rules.by == PREEMPT_BY_TIER;
	enum preempted_how how = PREEMPTED_NEVER;

	if (by_tier && partition && partition->preempt_mode)
		return how_of_bits(mode_bits(p, partition->preempt_mode));
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
static uint32_t exempt_time(const struct preempt_site *p, const struct qos *qos,
	const struct conf_partition *partition)
{
	const struct qos_name *name =
		partition && partition->qos
			? qos_by_name(&p->store->qos, partition->qos)
			: NULL;
	const struct qos *first = name ? qos_of(p, name->id) : NULL;
	const struct qos *second = qos;

	if (qos && qos->flags & QOS_OVER_PART_QOS) {
		second = first;
		first = qos;
	}
	if (set(first))
		return first->preempt_exempt_time;
	return set(second) ? second->preempt_exempt_time : p->exempt;
}

static uint32_t grace_time(const struct preempt_site *p, enum preempted_how how,
	const struct qos *qos, const struct conf_partition *partition)
{
	uint32_t grace = qos ? qos->grace_time : 0;

	if (p->rules.by == PREEMPT_BY_TIER)
		grace = partition ? partition->grace_time : 0;
	return how == PREEMPTED_SUSPEND ? 0 : known_or_0(grace);
}

struct preempt_way preempt_site_way(struct preempt_site *p, uint32_t id,
	const struct conf_partition *partition)
{
	const struct qos *qos = qos_of(p, id);
	struct preempt_way way = {.how = how_of(p, qos, partition)};

	way.exempt_time = exempt_time(p, qos, partition);
	way.grace_time = grace_time(p, way.how, qos, partition);
	way.qos_priority = qos ? qos->priority : 0;
	return way;
}
