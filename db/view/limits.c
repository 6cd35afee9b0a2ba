#include "db/view/limits.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/conf/totals.h"
#include "common/table/assoc.h"
#include "db/entity/qos.h"
#include "db/store/members.h"
#include "db/view/limits_usage.h"

/* A member of struct qos or struct assoc that is a limit. */
struct number {
	enum limit_number kind;
	size_t offset;
};

static void set_numbers(struct limit_level *level, const struct number *numbers,
	size_t n, const void *record)
{
	for (size_t i = 0; i < n; i++)
		memcpy(&level->number[numbers[i].kind],
			(const char *)record + numbers[i].offset,
			sizeof(uint32_t));
}

/* ---- QOS -----------------------------------------------------------------*/

static const struct number qos_numbers[] = {
#define N(number, member)                                                      \
	{                                                                      \
		LIMIT_##number, offsetof(struct qos, member)                   \
	}
	N(GRP_JOBS, grp_jobs),
	N(GRP_SUBMIT, grp_submit_jobs),
	N(GRP_WALL, grp_wall),
	N(MAX_JOBS_PA, max_jobs_pa),
	N(MAX_JOBS_PU, max_jobs_pu),
	N(MAX_SUBMIT_PA, max_submit_jobs_pa),
	N(MAX_SUBMIT_PU, max_submit_jobs_pu),
	N(MAX_WALL, max_wall_pj),
#undef N
};

static const enum limit_tres qos_lists[QOS_TRES_KINDS] = {
	[QOS_GRP_TRES] = LIMIT_GRP,
	[QOS_GRP_TRES_MINS] = LIMIT_GRP_MINS,
	[QOS_GRP_TRES_RUN_MINS] = LIMIT_GRP_RUN_MINS,
	[QOS_MAX_TRES_PA] = LIMIT_PA,
	[QOS_MAX_TRES_PJ] = LIMIT_PJ,
	[QOS_MAX_TRES_PN] = LIMIT_PN,
	[QOS_MAX_TRES_PU] = LIMIT_PU,
	[QOS_MAX_TRES_MINS_PJ] = LIMIT_MINS_PJ,
	[QOS_MAX_TRES_RUN_MINS_PA] = LIMIT_RUN_MINS_PA,
	[QOS_MAX_TRES_RUN_MINS_PU] = LIMIT_RUN_MINS_PU,
	[QOS_MIN_TRES_PJ] = LIMIT_MIN_PJ,
};

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

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
	set_numbers(&q->level, qos_numbers, LENGTH(qos_numbers), q->qos);
	if (q->qos->flags & QOS_RELATIVE && partition) {
		totals_of(&part_total, limits->conf, partition,
			&limits->store->tres, limits->arena);
		total = &part_total;
	}
	for (int kind = 0; kind < QOS_TRES_KINDS; kind++) {
		struct tres_list *list = &q->level.tres[qos_lists[kind]];

		*list = q->qos->tres[kind];
		if (q->qos->flags & QOS_RELATIVE)
			make_absolute(limits, list, total);
	}
}

static int load_qos(struct limits *limits)
{
	struct qos_cond cond = {0};
	struct qos_list list = {0};

	if (qos_list(limits->store, &cond, limits->arena, &list))
		return -1;
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

static const struct number assoc_numbers[] = {
#define N(number, member)                                                      \
	{                                                                      \
		LIMIT_##number, offsetof(struct assoc, member)                 \
	}
	N(GRP_JOBS, grp_jobs),
	N(GRP_SUBMIT, grp_submit_jobs),
	N(GRP_WALL, grp_wall),
	N(MAX_JOBS, max_jobs),
	N(MAX_SUBMIT, max_submit_jobs),
	N(MAX_WALL, max_wall_pj),
#undef N
};

static const struct {
	enum assoc_tres kind;
	enum limit_tres list;
	bool inherited;
} assoc_lists[] = {
	{ASSOC_GRP_TRES, LIMIT_GRP, false},
	{ASSOC_GRP_TRES_MINS, LIMIT_GRP_MINS, false},
	{ASSOC_GRP_TRES_RUN_MINS, LIMIT_GRP_RUN_MINS, false},
	{ASSOC_MAX_TRES_PJ, LIMIT_PJ, true},
	{ASSOC_MAX_TRES_PN, LIMIT_PN, true},
	{ASSOC_MAX_TRES_MINS_PJ, LIMIT_MINS_PJ, true},
};

static int read_lists(struct limits *limits, struct limits_assoc *assoc)
{
	struct query q;

	if (query_open(&q, limits->store,
		    "SELECT kind, tres, count FROM assoc_tres"
		    " WHERE assoc = :key"))
		return -1;
	query_bind_int(&q, ":key", assoc->key);
	while (query_row(&q))
		for (size_t i = 0; i < LENGTH(assoc_lists); i++)
			if (query_int(&q, 0) == assoc_lists[i].kind)
				tres_list_set(
					&assoc->level.tres[assoc_lists[i].list],
					limits->arena,
					(uint32_t)query_int(&q, 1),
					(uint64_t)query_int(&q, 2));
	return query_close(&q);
}

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
		set_numbers(&assoc->level, assoc_numbers,
			LENGTH(assoc_numbers), &row);
	}
	return query_close(&q) ? -1 : found;
}

static void inherit_number(struct limit_level *level,
	const struct limit_level *above, enum limit_number kind)
{
	if (level->number[kind] != INFINITE || above->number[kind] == INFINITE)
		return;
	level->number[kind] = above->number[kind];
	level->number_up[kind] = (uint16_t)(above->number_up[kind] + 1);
}

static void inherit_list(struct limits *limits, struct limit_level *level,
	const struct limit_level *above, enum limit_tres kind)
{
	const struct tres_list *from = &above->tres[kind];

	for (size_t t = 0; t < from->n; t++) {
		uint32_t id = from->v[t].id;
		uint64_t up = tres_list_get(&above->tres_up[kind], id);

		if (tres_list_get(&level->tres[kind], id) != NO_VAL64)
			continue;
		tres_list_set(&level->tres[kind], limits->arena, id,
			from->v[t].count);
		tres_list_set(&level->tres_up[kind], limits->arena, id,
			up == NO_VAL64 ? 1 : up + 1);
	}
}

/* Max limits come from the nearest that sets them, per TRES. */
static void inherit(struct limits *limits, struct limits_assoc *assoc)
{
	const struct limit_level *above = &assoc->parent->level;

	for (size_t i = 0; i < LENGTH(assoc_numbers); i++)
		if (member_at(&assoc_members, assoc_numbers[i].offset)->marks &
			MEMBER_INHERITED)
			inherit_number(&assoc->level, above,
				assoc_numbers[i].kind);
	for (size_t i = 0; i < LENGTH(assoc_lists); i++)
		if (assoc_lists[i].inherited)
			inherit_list(limits, &assoc->level, above,
				assoc_lists[i].list);
}

static int load_assoc(
	struct limits *limits, int64_t key, struct limits_assoc **found)
{
	struct limits_assoc *assoc = arena_alloc(limits->arena, sizeof(*assoc));
	int64_t parent = 0;
	int there;

	assoc->key = key;
	limit_level_init(&assoc->level);
	there = read_assoc(limits, assoc, &parent);
	if (there < 0 || (there && read_lists(limits, assoc)) ||
		(parent && limits_find_assoc(limits, parent, &assoc->parent)))
		return -1;
	assoc->gone = !there;
	if (assoc->parent && assoc->parent->gone)
		assoc->parent = NULL;
	if (assoc->parent)
		inherit(limits, assoc);
	limits_usage_init(limits, &assoc->level, LIMIT_GRP, &assoc->usage);
	assoc->level.all = &assoc->usage;
	HASH_ADD(hh, limits->assocs, key, sizeof(assoc->key), assoc);
	*found = assoc;
	return 0;
}

int limits_find_assoc(
	struct limits *limits, int64_t key, struct limits_assoc **found)
{
	HASH_FIND(hh, limits->assocs, &key, sizeof(key), *found);
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

/* ---- all -----------------------------------------------------------------*/

int limits_open(struct limits *limits, struct site *site, int64_t cluster,
	int64_t at, enum limits_detail detail, struct arena *arena)
{
	*limits = (struct limits){
		.store = &site->store,
		.conf = &site->conf,
		.arena = arena,
		.cluster = cluster,
		.at = at,
	};
	totals_of(&limits->total, limits->conf, NULL, &limits->store->tres,
		arena);
	if (load_qos(limits) || limits_read_submitted(limits))
		return -1;
	return detail == LIMITS_RUNNING ? limits_read_running(limits) : 0;
}
