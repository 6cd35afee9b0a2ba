/*
 * What a site's policy makes of the jobs of its own history: the association
 * tree, limits and QOS as a simulation wants them; see trace.h.
 */
#include <string.h>

/* Hash tables live and die with the arena of the policy. */
#define uthash_malloc(size) arena_alloc(p->arena, (size))
#define uthash_free(memory, size) ((void)(memory))

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "db/entity/cluster.h"
#include "db/entity/qos.h"
#include "db/view/limits.h"
#include "db/view/preempt_site.h"
#include "db/view/shares.h"
#include "db/view/trace.h"

/* ---- the association tree ------------------------------------------------*/

struct leaf {
	const char *key; /* account/user */
	uint32_t index;
	UT_hash_handle hh;
};

struct policy_tree {
	const struct store_trace *of;
	struct leaf *leaves;
};

static const char *key_of(
	const char *account, const char *user, struct arena *arena)
{
	return arena_printf(arena, "%s/%s", account, user);
}

static uint32_t find_leaf(const void *arg, uint32_t group, uint32_t user)
{
	const struct policy_tree *tree = arg;
	const struct store_trace *s = tree->of;
	SCRATCH_ARENA(scratch);
	const char *key;
	struct leaf *leaf;

	key = key_of(name_of(s->names, NAME_ACCOUNT,
			     s->trace->groups.numbers[group]),
		name_of(s->names, NAME_USER, s->trace->users.numbers[user]),
		&scratch);
	HASH_FIND_STR(tree->leaves, key, leaf);
	return leaf ? leaf->index : UINT32_MAX;
}

/* The first of a user in an account counts, of whatever partition. */
static void find_leaves(struct store_policy *p, const struct shares *shares,
	struct policy_tree *tree)
{
	for (uint32_t i = 0; i < shares->n; i++) {
		const struct share *share = &shares->v[i];
		struct leaf *leaf, *known;

		if (!shares_is_user(shares, i))
			continue;
		leaf = arena_alloc(p->arena, sizeof(*leaf));
		leaf->key = key_of(share->account, share->user, p->arena);
		leaf->index = i;
		HASH_FIND_STR(tree->leaves, leaf->key, known);
		if (!known)
			HASH_ADD_KEYPTR(hh, tree->leaves, leaf->key,
				strlen(leaf->key), leaf);
	}
}

static int read_tree(struct store_policy *p, struct shares *shares)
{
	struct policy_tree *tree = arena_alloc(p->arena, sizeof(*tree));

	if (shares_load(&p->site->store, &p->conf->policy, p->site->cluster,
		    p->site->now, SHARES_NODES, p->arena, shares))
		return -1;
	tree->of = p->of;
	find_leaves(p, shares, tree);
	p->tree = (struct sim_tree){shares->nodes, shares->n, find_leaf, tree};
	p->max_assoc_priority = shares->max_priority;
	return 0;
}

/* ---- limits and QOS ------------------------------------------------------*/

struct limits_reading {
	struct store_policy *p;
	struct shares shares;
	struct shares_index *index;
	struct limits limits;
	struct preempt_site preempt;
};

static const struct conf_partition *partition_of(
	const struct store_policy *p, const char *name)
{
	const struct conf_partition *found =
		conf_partition_by_name(p->conf, name);

	return found ? found : conf_default_partition(p->conf);
}

static void preempt_of(struct limits_reading *r, const struct conf_partition *partition,
	struct sim_kind *kind)
{
	struct preempt_way way;

	if (!r->preempt.rules.by)
		return;
	way = preempt_site_way(&r->preempt, kind->qos, partition);
	kind->how = way.how;
	kind->exempt_time = way.exempt_time;
	kind->grace_time = way.grace_time;
}

static uint32_t assoc_priority(const struct limits_reading *r, int64_t assoc)
{
	uint32_t index = shares_find(r->index, assoc);

	if (!assoc || index == UINT32_MAX)
		return NO_VAL;
	return r->shares.v[index].priority;
}

static int read_kind(struct limits_reading *r, uint32_t tag)
{
	struct store_policy *p = r->p;
	struct store_kind from = store_trace_kind(p->of, tag);
	struct sim_kind *kind = &p->kinds[tag - 1];
	const struct limits_of of = {
		.assoc = from.assoc,
		.qos = from.qos,
		.partition = partition_of(p, from.partition),
		.user = from.user,
		.account = from.account,
	};
	const struct qos *qos = NULL;
	struct limit_chain *chain = NULL;

	if (limits_chain(&r->limits, &of, &chain, &qos) < 0)
		return -1;
	*kind = (struct sim_kind){
		.limits = p->conf->enforce & ENFORCE_LIMITS ? chain : NULL,
		.qos = qos ? from.qos : 0,
		.assoc_priority = assoc_priority(r, from.assoc),
		.usage_factor = 1,
		.may = preempt_site_rights(&r->preempt, qos),
	};
	if (qos) {
		kind->qos_priority = known_or_0(qos->priority);
		if (qos->usage_factor >= 0 && qos->usage_factor < NO_VAL)
			kind->usage_factor = qos->usage_factor;
	}
	preempt_of(r, of.partition, kind);
	return 0;
}

/* As they are at the time of the site; limits only where slurm.conf enforces
 * them. */
static int read_kinds(struct limits_reading *r)
{
	struct store_policy *p = r->p;
	size_t n = store_trace_kinds(p->of);
	struct store *store = &p->site->store;
	int64_t cluster = cluster_key(store, p->site->cluster);
	const struct qos_cond all = {0};
	struct qos_list qos;

	if (qos_list(store, &all, p->arena, &qos))
		return -1;
	for (size_t i = 0; i < qos.n; i++)
		p->max_qos_priority = (uint32_t)larger(p->max_qos_priority,
			known_or_0(qos.v[i]->priority));
	preempt_site_open(&r->preempt, store, p->conf, &qos, &p->remarks,
		p->arena);
	p->preempt = r->preempt.rules;
	p->kinds = arena_array(p->arena, n + 1, sizeof(*p->kinds));
	if (n && limits_open(&r->limits, p->site, cluster, p->site->now,
			 LIMITS_SUBMITTED, &qos, p->arena))
		return -1;
	r->index = shares_index(&r->shares, p->arena);
	for (uint32_t tag = 1; tag <= n; tag++)
		if (read_kind(r, tag))
			return -1;
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

int store_policy_read(struct store_policy *p)
{
	struct limits_reading r = {.p = p};

	return read_tree(p, &r.shares) || read_kinds(&r) ? -1 : 0;
}

/* ---- for simulations -----------------------------------------------------*/

void store_policy_use(const struct store_policy *p, struct sim_slurm *slurm)
{
	slurm->tree = &p->tree;
	slurm->kinds = p->kinds;
	slurm->max_qos_priority = p->max_qos_priority;
	slurm->max_assoc_priority = p->max_assoc_priority;
	slurm->preempt = p->preempt;
}
