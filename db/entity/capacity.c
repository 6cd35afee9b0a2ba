/*
 * What the nodes of slurm.conf have; see capacity.h.
 */
#include "db/entity/capacity.h"

#include <string.h>

#include "common/conf/totals.h"
#include "common/fair/billing.h"
#include "common/text/hostlist.h"
#include "db/entity/cluster.h"
#include "db/rows/members.h"
#include "db/store/query.h"

/* What all of a node would cost in the partition; that counts for the node if
 * it is more than in those before. */
static int raise_billings(struct site *site,
	const struct conf_partition *partition, struct arena *arena,
	double *billings)
{
	const struct conf *conf = &site->conf;
	const struct tres_catalog *catalog = &site->store.tres;
	struct tres_weights weights = {0};

	if (!partition->billing_weights)
		return 0;
	if (tres_weights_parse(partition->billing_weights, catalog, arena,
		    &weights, site->store.err))
		return err_prefix(site->store.err, "%s:%d: partition %s",
			partition->file, partition->line, partition->name);
	for (size_t i = 0; i < partition->nodes.n; i++) {
		const struct conf_node *node =
			conf_node_by_name(conf, partition->nodes.v[i]);
		struct tres_list list = {0};
		double billing;

		if (!node)
			continue;
		totals_add_node(&list, node, catalog, arena);
		billing = billing_compute(
			conf->policy.billing, &weights, &list, catalog);
		if (billing > billings[node - conf->nodes])
			billings[node - conf->nodes] = billing;
	}
	return 0;
}

/* Where no partition has weights jobs are billed their CPUs. */
int capacity_of_nodes(struct site *site, const struct conf_node *const *nodes,
	size_t n, struct arena *arena, struct tres_list *list)
{
	const struct conf *conf = &site->conf;
	double *billings = arena_array(arena, conf->n_nodes, sizeof(*billings));

	for (size_t i = 0; i < conf->n_partitions; i++)
		if (raise_billings(
			    site, &conf->partitions[i], arena, billings))
			return -1;
	for (size_t i = 0; i < n; i++) {
		double billing = billings[nodes[i] - conf->nodes];

		totals_add_node(list, nodes[i], &site->store.tres, arena);
		tres_list_add(list, arena, TRES_NODE, 1);
		tres_list_add(list, arena, TRES_BILLING,
			billing > 0 ? billing_truncate(billing)
				    : nodes[i]->cpus);
	}
	return 0;
}

int capacity_configured(
	struct site *site, struct event *event, struct arena *arena)
{
	const struct conf *conf = &site->conf;
	const struct conf_node **nodes =
		arena_array(arena, conf->n_nodes, sizeof(*nodes));
	struct strv names = {0};

	for (size_t i = 0; i < conf->n_nodes; i++) {
		nodes[i] = &conf->nodes[i];
		strv_push(&names, arena, nodes[i]->name);
	}
	if (!*event->nodes)
		event->nodes = hostlist_fold(&names, arena);
	return event->tres.n ? 0
			     : capacity_of_nodes(site, nodes, conf->n_nodes,
				       arena, &event->tres);
}

/* ---- assumed ------------------------------------------------------------- */

/* What decides about the assumed capacity. */
struct capacity_known {
	int64_t cluster;	      /* key; 0: the store does not have it */
	int64_t job;		      /* when the first job came; 0: none did */
	const struct event *first, *newest; /* capacity; NULL: none */
};

static int find_known(
	struct site *site, struct arena *arena, struct capacity_known *known)
{
	struct event_cond cond = {.only_cluster = true};
	struct event_list list;

	*known = (struct capacity_known){0};
	known->cluster = cond.cluster = cluster_key(&site->store, site->cluster);
	if (known->cluster <= 0)
		return known->cluster ? -1 : 0;
	/* Through the index of submits, which ends with the first row. */
	if (event_load(&site->store, &cond, arena, &list) ||
		store_ask(&site->store,
			"SELECT min(submit, coalesce(eligible, submit),"
			" coalesce(start, submit)) FROM job"
			" WHERE +cluster = :cluster ORDER BY submit LIMIT 1",
			&known->job, bind_int(":cluster", known->cluster)))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (*list.v[i].state) /* the controller was down */
			continue;
		if (!known->first)
			known->first = &list.v[i];
		known->newest = &list.v[i];
	}
	return 0;
}

int capacity_is_missing(struct site *site)
{
	struct capacity_known known;
	SCRATCH_ARENA(arena);
	int rc = find_known(site, &arena, &known);

	return rc ? -1 : known.job && !known.newest && site->conf.n_nodes;
}

/* Sets what is to be recorded. 1; 0: nothing; -1. */
static int find_change(struct site *site, const struct capacity_known *known,
	struct arena *arena, struct event *event)
{
	const struct event *newest = known->newest;

	event_init(event);
	event->cluster = known->cluster;
	event->reason = EVENT_ASSUMED;
	if (!known->job || !site->conf.n_nodes ||
		(newest && !event_is_assumed(newest)))
		return 0;
	/* Weights that cannot be read are for `sacctmgr check` to name. */
	if (capacity_configured(site, event, arena))
		return site->store.err->kind == ERR_USAGE ? 0 : -1;
	event->start = newest ? site->store.now : known->job;
	if (!newest || strcmp(tres_pack(&newest->tres, arena),
			       tres_pack(&event->tres, arena)) != 0)
		return 1;
	if (!event_is_assumed(known->first) || known->first->start <= known->job)
		return 0;
	*event = *known->first;
	event->start = known->job;
	return 1;
}

int capacity_assume(struct site *site)
{
	SCRATCH_ARENA(arena);
	struct capacity_known known;
	struct event event;
	int rc;

	if (site->store.read_only)
		return 0;
	if (find_known(site, &arena, &known))
		return -1;
	rc = find_change(site, &known, &arena, &event);
	if (rc <= 0)
		return rc;
	if (store_begin_bulk(&site->store))
		return -1;
	if (!event_assume(&site->store, &event))
		return store_commit_bulk(&site->store);
	store_rollback(&site->store);
	return -1;
}
