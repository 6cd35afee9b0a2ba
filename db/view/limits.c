#include "db/view/limits.h"

#include <stdlib.h>
#include "common/base/numbers.h"
#include "common/conf/totals.h"
#include "common/table/assoc.h"
#include "db/entity/assoc_parts.h"
#include "db/entity/qos.h"
#include "db/rows/members.h"
#include "db/view/limits_usage.h"

/* ---- QOS -----------------------------------------------------------------*/

/* Percentages become counts. */
static void make_absolute(
	struct limits *limits, struct tres_list *list, struct tres_list *total)
{
	struct tres_list counts = {0};

	for (size_t i = 0; i < list->n; i++) {
		uint64_t all = tres_list_get(total, list->v[i].id);
		uint64_t percent = list->v[i].count;

		if (percent >= NO_VAL64 || all >= NO_VAL64)
			continue;
		if (percent > 100)
			percent = 100;
		tres_list_set(&counts, limits->arena, list->v[i].id,
			percent * all / 100);
	}
	*list = counts;
}

static void level_of_qos(struct limits *limits, struct limits_qos *q,
	const struct conf_partition *partition)
{
	struct tres_list part_total = {0}, *total = &limits->total;

	limit_level_init(&q->level);
	q->level.qos = true;
	q->level.no_decay = q->qos->flags & QOS_NO_DECAY;
	q->level.name = arena_printf(limits->arena, "QOS %s", q->qos->name);
	q->level.key = q->qos->id;
	limit_level_of_qos(&q->level, q->qos);
	if (!(q->qos->flags & QOS_RELATIVE))
		return;
	if (partition) {
		totals_of(&part_total, limits->conf, partition,
			&limits->store->tres, limits->arena);
		total = &part_total;
	}
	for (int kind = 0; kind < LIMIT_TRES_LISTS; kind++)
		make_absolute(limits, &q->level.tres[kind], total);
}

static int load_qos(struct limits *limits, const struct qos_list *given)
{
	const struct qos_cond all = {0};
	struct qos_list list;

	if (!given && qos_list(limits->store, &all, limits->arena, &list))
		return -1;
	if (given)
		list = *given;
	for (size_t i = 0; i < list.n; i++) {
		struct limits_qos *q = arena_alloc(limits->arena, sizeof(*q));

		q->id = list.v[i]->id;
		q->qos = list.v[i];
		level_of_qos(limits, q,
			conf_partition_with_qos(limits->conf, q->qos->name, 0));
		limits_usage_init(limits, &q->level, LIMIT_GRP, &q->usage);
		q->level.all = &q->usage;
		HASH_ADD(hh, limits->qos, id, sizeof(q->id), q);
	}
	return 0;
}

struct limits_qos *limits_find_qos(struct limits *limits, uint32_t id)
{
	struct limits_qos *q = NULL;

	if (id)
		HASH_FIND(hh, limits->qos, &id, sizeof(id), q);
	return q;
}

/* ---- associations --------------------------------------------------------*/

static const char *assoc_name(
	struct limits *limits, const char *account, const char *user)
{
	if (!*user)
		return arena_printf(limits->arena, "account %s", account);
	return arena_printf(
		limits->arena, "user %s in account %s", user, account);
}

/* 1: read, 0: there is none (any more), -1. */
static int read_assoc(
	struct limits *limits, struct limits_assoc *assoc, int64_t *parent)
{
	struct assoc row;
	struct query q;
	int found;

	if (query_open_members(&q, limits->store, &assoc_members,
		    "SELECT {a.columns} FROM assoc a"
		    " JOIN cluster c ON c.id = a.cluster"
		    " WHERE a.key = :key AND NOT a.deleted"))
		return -1;
	query_bind_int(&q, ":key", assoc->key);
	found = query_row(&q);
	if (found) {
		assoc_init(&row);
		members_read(&q, 0, &row, &assoc_members, limits->arena);
		*parent = row.parent_key;
		assoc->level.key = assoc->key;
		assoc->level.name = assoc_name(limits, row.account, row.user);
	}
	if (query_close(&q))
		return -1;
	if (!found)
		return 0;
	if (limits_rows_read(limits->store, &assoc_limits, assoc->key,
		    row.tres, ASSOC_TRES_KINDS, limits->arena))
		return -1;
	limit_level_of_assoc(&assoc->level, &row);
	return 1;
}

static int load_assoc(
	struct limits *limits, int64_t key, struct limits_assoc **found)
{
	struct limits_assoc *assoc = arena_alloc(limits->arena, sizeof(*assoc));
	int64_t parent = 0;
	int there;

	assoc->key = key;
	limit_level_init(&assoc->level);
	HASH_ADD(hh, limits->assocs, key, sizeof(assoc->key), assoc);
	there = read_assoc(limits, assoc, &parent);
	assoc->reading = true;
	if (there < 0 ||
		(parent && limits_find_assoc(limits, parent, &assoc->parent)))
		return -1;
	assoc->reading = false;
	assoc->gone = !there;
	if (assoc->parent && assoc->parent->gone)
		assoc->parent = NULL;
	if (assoc->parent)
		limit_level_inherit(&assoc->level, &assoc->parent->level,
			limits->arena);
	limits_usage_init(limits, &assoc->level, LIMIT_GRP, &assoc->usage);
	assoc->level.all = &assoc->usage;
	*found = assoc;
	return 0;
}

int limits_find_assoc(
	struct limits *limits, int64_t key, struct limits_assoc **found)
{
	HASH_FIND(hh, limits->assocs, &key, sizeof(key), *found);
	if (*found && (*found)->reading)
		return err_set(limits->store->err, ERR_STORE,
			"%s is damaged: an association is above itself",
			limits->store->path);
	return *found ? 0 : load_assoc(limits, key, found);
}

/* ---- chains --------------------------------------------------------------*/

struct chain_key {
	int64_t assoc;
	const struct conf_partition *partition;
	uint32_t qos;
	uint32_t padding;
};

struct limits_chain {
	struct chain_key key;
	struct limit_chain chain;
	UT_hash_handle hh;
};

static void add_qos_level(struct limits *limits, struct limit_chain *chain,
	struct limits_qos *q, const struct limits_of *of)
{
	struct limit_level *level = &chain->levels[chain->n++];

	*level = q->level;
	level->user = limits_usage_of(limits, q, WHOSE_USER, of->user);
	level->account = limits_usage_of(limits, q, WHOSE_ACCOUNT, of->account);
	chain->n_qos = chain->n;
	chain->deny |= (q->qos->flags & QOS_DENY_ON_LIMIT) != 0;
	if (!(chain->limit_factor > 0) && q->qos->limit_factor < NO_VAL)
		chain->limit_factor = q->qos->limit_factor;
}

static void add_qos_levels(struct limits *limits, struct limit_chain *chain,
	const struct limits_of *of)
{
	const struct qos_name *name =
		of->partition && of->partition->qos
			? qos_by_name(&limits->store->qos, of->partition->qos)
			: NULL;
	struct limits_qos *part =
		name ? limits_find_qos(limits, name->id) : NULL;
	struct limits_qos *own = limits_find_qos(limits, of->qos);
	bool over = own && (own->qos->flags & QOS_OVER_PART_QOS);
	struct limits_qos *const order[] = {
		over ? own : part, over ? part : own};

	for (size_t i = 0; i < 2; i++)
		if (order[i] && (!i || order[0] != order[1]))
			add_qos_level(limits, chain, order[i], of);
	chain->deny |= !chain->n_qos;
	chain->usage_factor = 1;
	if (!own)
		return;
	if (own->qos->usage_factor >= 0 && own->qos->usage_factor < NO_VAL)
		chain->usage_factor = own->qos->usage_factor;
	chain->usage_factor_safe = own->qos->flags & QOS_USAGE_FACTOR_SAFE;
}

static size_t depth_of(const struct limits_assoc *assoc)
{
	size_t n = 0;

	for (; assoc; assoc = assoc->parent)
		n++;
	return n;
}

static void fill_chain(struct limits *limits, struct limit_chain *chain,
	const struct limits_assoc *assoc, const struct limits_of *of)
{
	chain->catalog = &limits->store->tres;
	chain->safe = limits->conf->enforce & ENFORCE_SAFE;
	chain->policy = &limits->conf->policy;
	chain->default_time = chain->max_time = NO_VAL;
	if (of->partition) {
		chain->default_time = of->partition->default_time;
		chain->max_time = of->partition->max_time;
	}
	chain->levels = arena_array(
		limits->arena, 2 + depth_of(assoc), sizeof(*chain->levels));
	add_qos_levels(limits, chain, of);
	for (; assoc; assoc = assoc->parent)
		chain->levels[chain->n++] = assoc->level;
}

int limits_chain(struct limits *limits, const struct limits_of *of,
	struct limit_chain **chain, const struct qos **qos)
{
	struct limits_qos *own = limits_find_qos(limits, of->qos);
	struct limits_assoc *assoc = NULL;
	struct limits_chain *found = NULL;
	struct chain_key key = {of->assoc, of->partition, of->qos, 0};

	*qos = own ? own->qos : NULL;
	if (of->assoc && limits_find_assoc(limits, of->assoc, &assoc))
		return -1;
	if (!assoc || assoc->gone)
		return 0;
	HASH_FIND(hh, limits->chains, &key, sizeof(key), found);
	if (!found) {
		found = arena_alloc(limits->arena, sizeof(*found));
		found->key = key;
		fill_chain(limits, &found->chain, assoc, of);
		HASH_ADD(hh, limits->chains, key, sizeof(key), found);
	}
	*chain = &found->chain;
	return 1;
}

int limits_of_assoc(
	struct limits *limits, int64_t key, const struct limit_level **level)
{
	struct limits_assoc *assoc;

	*level = NULL;
	if (limits_find_assoc(limits, key, &assoc))
		return -1;
	if (!assoc->gone)
		*level = &assoc->level;
	return 0;
}

const struct limit_level *limits_of_qos(struct limits *limits, uint32_t id)
{
	const struct limits_qos *q = limits_find_qos(limits, id);

	return q ? &q->level : NULL;
}

/* ---- all -----------------------------------------------------------------*/

int limits_open(struct limits *limits, struct site *site, int64_t cluster,
	int64_t at, enum limits_detail detail, const struct qos_list *qos,
	struct arena *arena)
{
	*limits = (struct limits){
		.store = &site->store,
		.conf = &site->conf,
		.arena = arena,
		.cluster = cluster,
		.at = at,
		.detail = detail,
	};
	totals_of(&limits->total, limits->conf, NULL, &limits->store->tres,
		arena);
	if (load_qos(limits, qos) ||
		(detail != LIMITS_RUNNING && limits_read_submitted(limits)))
		return -1;
	if (detail >= LIMITS_RUNNING && limits_read_running(limits))
		return -1;
	return detail == LIMITS_SHOWN ? limits_read_accruing(limits) : 0;
}
