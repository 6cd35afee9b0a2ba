/*
 * RawUsage as Slurm has it. Slurm's program decays on a grid and forgets what
 * was before its state file; what it says now is what the site's users see.
 */
#include "cmd/srecord/sync/sync.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/entity/assoc.h"
#include "db/usage/usage.h"

/* An association of ours and what Slurm says of it. */
struct charged {
	const struct assoc *assoc;
	double raw;   /* that of those below included; negative: not known */
	double below; /* of the children */
};

struct all_charged {
	struct charged *v; /* by account, user, partition */
	struct charged **by_id;
	size_t n;
	uint64_t changed_before; /* sync->changed */
};

static int by_name(const void *a, const void *b)
{
	const struct assoc *x = ((const struct charged *)a)->assoc;
	const struct assoc *y = ((const struct charged *)b)->assoc;
	int order = strcmp(x->account, y->account);

	if (!order)
		order = strcasecmp(x->user, y->user);
	return order ? order : strcmp(x->partition, y->partition);
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = (*(struct charged *const *)a)->assoc->id;
	uint32_t y = (*(struct charged *const *)b)->assoc->id;

	return (x > y) - (x < y);
}

static struct charged *find_id(const struct all_charged *all, uint32_t id)
{
	const struct assoc wanted = {.id = id};
	struct charged one = {.assoc = &wanted}, *p = &one, **found;

	found = bsearch(&p, all->by_id, all->n, sizeof(p), by_id);
	return found ? *found : NULL;
}

static int load(struct sync *sync, struct all_charged *all)
{
	struct assoc_cond cond = {.without_limits = true};
	struct assoc_list list = {0};

	strv_push(&cond.clusters, &sync->arena, sync->cluster);
	if (assoc_list(sync->s->store, &cond, &sync->arena, &list))
		return -1;
	all->n = list.n;
	all->v = arena_alloc(&sync->arena, (list.n + 1) * sizeof(*all->v));
	all->by_id =
		arena_alloc(&sync->arena, (list.n + 1) * sizeof(*all->by_id));
	for (size_t i = 0; i < list.n; i++)
		all->v[i] = (struct charged){list.v[i], -1, 0};
	qsort(all->v, all->n, sizeof(*all->v), by_name);
	for (size_t i = 0; i < list.n; i++)
		all->by_id[i] = &all->v[i];
	qsort(all->by_id, all->n, sizeof(*all->by_id), by_id);
	return 0;
}

/* account, user, partition, rawusage */
static void take_usage(
	const struct all_charged *all, const char *const *values)
{
	const struct assoc wanted = {.account = values[0],
		.user = values[1],
		.partition = values[2]};
	struct charged one = {.assoc = &wanted}, *found, *parent;

	found = bsearch(&one, all->v, all->n, sizeof(one), by_name);
	if (!found)
		return;
	found->raw = strtod(values[3], NULL);
	parent = find_id(all, found->assoc->parent_id);
	if (parent)
		parent->below += found->raw;
}

/* By how much both may differ: sshare prints whole numbers, which slurmctld reckons
 * once a period, and here usage decays and running jobs use all the time. */
static double slack(const struct policy *policy, double own,
	long double ours_now, long double ours_later)
{
	double left = policy->half_life
			      ? exp2(-(double)policy->calc_period /
					policy->half_life)
			      : 1;

	return 1 + own * (1 - left) +
	       fmax(0, (double)(ours_later - ours_now * left));
}

/* What a row has beyond its children is that of removed associations. */
static int set_usage(void *arg)
{
	struct sync *sync = arg;
	struct store *store = sync->s->store;
	const struct policy *policy = &sync->s->site->conf.policy;
	const int64_t now = sync->s->site->now;
	const struct all_charged *all = sync->of_part;
	struct usage_list usage = {0}, later = {0};

	if (usage_read(store, policy, sync->cluster_key, now, false,
		    &sync->arena, &usage) ||
		usage_read(store, policy, sync->cluster_key,
			now + policy->calc_period, false, &sync->arena,
			&later))
		return -1;
	sync->changed = all->changed_before;
	for (size_t i = 0; i < all->n; i++) {
		const struct charged *c = &all->v[i];
		double own = fmax(0, c->raw - c->below);
		long double ours = usage_of(&usage, c->assoc->key)->raw;
		long double then = usage_of(&later, c->assoc->key)->raw;

		if (c->raw < 0 || fabsl(ours - own) <=
					  slack(policy, own, ours, then))
			continue;
		if (usage_set_raw(store, policy, c->assoc->key, own))
			return -1;
		sync->changed++;
	}
	return 0;
}

/* The file says what an association has by itself, as it was then. */
static int take_own(struct sync *sync, uint32_t id, double raw, double decay)
{
	const struct all_charged *all = sync->of_part;
	struct charged *found = find_id(all, id);

	if (found)
		found->raw = raw * decay;
	return 0;
}

static int ask_usage(struct sync *sync, const struct all_charged *all)
{
	struct sync_rows rows = {0};

	if (sync->words.assoc_usage)
		return sync_assoc_usage(sync, take_own);
	if (sync->source->usage && sync->source->usage(sync, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		take_usage(all, rows.v[i]);
	return 0;
}

int sync_usage(struct sync *sync)
{
	struct all_charged all = {.changed_before = sync->changed};

	sync->of_part = &all;
	if (load(sync, &all) || ask_usage(sync, &all))
		return -1;
	return store_change_bulk(sync->s->store, set_usage, sync);
}
