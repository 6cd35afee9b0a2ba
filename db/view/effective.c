#include "db/view/effective.h"

#include "db/job/accrue.h"
#include "db/view/limits_usage.h"

struct gathering {
	struct limits *limits;
	const struct limit_chain *chain;
	const struct qos *own; /* of the jobs, or NULL */
	bool of_account;       /* not of a user */
	bool of_qos;	       /* not of anybody */
	struct effective_list *list;
};

static const char *origin_of(
	const struct gathering *g, const struct limit_level *level)
{
	if (!level->qos || g->of_qos ||
		(g->own && level->key == (int64_t)g->own->id))
		return level->name;
	return arena_printf(g->limits->arena, "partition %s", level->name);
}

static void gather(void *arg, const struct limit_breach *breach)
{
	struct gathering *g = arg;
	struct effective *e = ARENA_PUSH(
		g->limits->arena, g->list->v, g->list->n, g->list->cap);

	*e = (struct effective){
		.word = breach->word,
		.tres = breach->tres,
		.minutes = breach->minutes,
		.limit = breach->limit,
		.used = limits_in_use(g->chain, breach),
		.to_come = limits_to_come(g->chain, breach),
		.has_used = breach->shared &&
			    !(g->of_account && !breach->group) &&
			    !(g->of_qos && breach->of_one),
		.origin = origin_of(g, breach->set_on),
		.of_qos = breach->set_on->qos,
		.key = breach->set_on->key,
	};
}

/* Those on waiting jobs that accrue age, which have rules of their own. */
static int gather_accrue(
	struct gathering *g, const struct limits_of *of, bool of_user)
{
	struct limits *limits = g->limits;
	struct accrue_limit found[ACCRUE_MOST];
	size_t n;

	if (!limits->accrue_known &&
		accrue_load(limits->store, limits->cluster, limits->at,
			limits->arena, &limits->accrue))
		return -1;
	limits->accrue_known = true;
	n = accrue_limits(limits->accrue, of->assoc, of->qos, of->user, of->account,
		limits->at, found);
	for (size_t i = 0; i < n; i++) {
		const struct accrue_limit *a = &found[i];
		struct limits_qos *qos = NULL;
		struct limits_assoc *assoc = NULL;

		if (a->of_qos)
			qos = limits_find_qos(limits, (uint32_t)a->key);
		else if (limits_find_assoc(limits, a->key, &assoc))
			return -1;
		*ARENA_PUSH(limits->arena, g->list->v, g->list->n,
			g->list->cap) = (struct effective){
			.word = a->word,
			.limit = a->limit,
			.used = a->used,
			.to_come = NO_VAL64,
			.has_used = of_user || *a->word == 'G',
			.origin = qos	  ? qos->level.name
				  : assoc ? assoc->level.name
					  : "",
			.of_qos = a->of_qos,
			.key = a->key,
		};
	}
	return 0;
}

int effective_of_assoc(struct limits *limits, const struct assoc *assoc,
	uint32_t qos, const struct conf_partition *partition,
	struct effective_list *list)
{
	const struct limits_of of = {.assoc = assoc->key,
		.qos = *assoc->user ? qos : 0,
		.partition = *assoc->user ? partition : NULL,
		.user = assoc->user,
		.account = assoc->account};
	struct gathering g = {.limits = limits,
		.of_account = !*assoc->user,
		.list = list};
	struct limit_chain *chain;
	int found = limits_chain(limits, &of, &chain, &g.own);

	*list = (struct effective_list){0};
	if (found <= 0)
		return found;
	g.chain = chain;
	limits_each(chain, gather, &g);
	return gather_accrue(&g, &of, *assoc->user);
}

int effective_of_qos(
	struct limits *limits, uint32_t qos, struct effective_list *list)
{
	struct limits_qos *q = limits_find_qos(limits, qos);
	const struct limits_of of = {.qos = qos, .user = "", .account = ""};
	struct limit_chain chain = {.n = 1, .n_qos = 1};
	struct gathering g = {.limits = limits,
		.chain = &chain,
		.of_qos = true,
		.list = list};

	*list = (struct effective_list){0};
	if (!q)
		return 0;
	chain.levels = &q->level;
	limits_each(&chain, gather, &g);
	return gather_accrue(&g, &of, false);
}
