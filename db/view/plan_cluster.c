/*
 * The cluster in the terms of the passes: nodes and partitions from slurm.conf,
 * what is down and reserved from the store. Part of db/view/plan.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Hash tables live and die with the arena of the plan. */
#define uthash_malloc(size) arena_alloc(plan->arena, (size))
#define uthash_free(memory, size) ((void)(memory))

#include "common/base/bits.h"
#include "common/base/hash.h"
#include "common/plan/schedule_conf.h"
#include "db/entity/user.h"
#include "db/view/plan_request.h"

/* ---- nodes ---------------------------------------------------------------*/

void plan_load_nodes(struct plan *plan)
{
	const struct conf *conf = &plan->site->conf;
	struct schedule *s = &plan->schedule;

	s->n_nodes = conf->n_nodes;
	s->nodes = arena_array(plan->arena, s->n_nodes, sizeof(*s->nodes));
	for (size_t i = 0; i < s->n_nodes; i++) {
		const struct conf_node *from = &conf->nodes[i];
		struct sched_node *node = &s->nodes[i];

		node->name = from->name;
		node->cpus = from->cpus;
		node->mem = conf->memory_consumable ? from->real_memory : 0;
		node->down = conf_node_is_down(from);
		node->weight = from->weight;
		node->gres = arena_array(
			plan->arena, s->n_gres + 1, sizeof(*node->gres));
		node->gres_used = arena_array(
			plan->arena, s->n_gres + 1, sizeof(*node->gres_used));
		plan_node_gres(plan, from, node->gres);
		if (node->cpus > plan->largest_cpus)
			plan->largest_cpus = node->cpus;
		if (node->mem > plan->largest_mem)
			plan->largest_mem = node->mem;
	}
}

void plan_add_nodes(struct plan *plan, const char *hostlist, uint64_t *set)
{
	const struct conf_places places = conf_nodes_listed(
		&plan->site->conf, hostlist, plan->arena);

	for (size_t i = 0; i < places.n; i++)
		bits_set(set, places.v[i]);
}

int plan_load_events(struct plan *plan)
{
	struct event_cond cond = {.cluster = plan->prio.cluster,
		.only_nodes = true,
		.open = true};
	const struct event_list *list = &plan->events;

	if (event_load(&plan->site->store, &cond, plan->arena, &plan->events))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		const struct conf *conf = &plan->site->conf;
		const struct conf_node *node =
			conf_node_by_name(conf, list->v[i].node);

		if (node && list->v[i].start <= plan->at)
			plan->schedule.nodes[node - conf->nodes].down = true;
	}
	return 0;
}

/* ---- partitions ----------------------------------------------------------*/

void plan_load_partitions(struct plan *plan)
{
	const struct conf *conf = &plan->site->conf;
	struct schedule *s = &plan->schedule;

	s->n_partitions = conf->n_partitions;
	s->partitions = arena_array(
		plan->arena, s->n_partitions, sizeof(*s->partitions));
	for (size_t i = 0; i < s->n_partitions; i++)
		schedule_partition_of(conf, &conf->partitions[i],
			&s->partitions[i], plan->arena);
}

/* ---- features ------------------------------------------------------------*/

/* A word of "a&b|c" that the node has. */
static bool has_feature(
	const struct conf_node *node, const char *word, size_t len)
{
	for (size_t i = 0; i < node->features.n; i++)
		if (strlen(node->features.v[i]) == len &&
			!strncasecmp(node->features.v[i], word, len))
			return true;
	return false;
}

/* Of the alternatives one must hold; of its words all. Counts ("a*2") and
 * brackets say how nodes are mixed: each of them may be any that is named. */
static bool satisfies(const struct conf_node *node, const char *text)
{
	bool all = true;

	for (;;) {
		size_t len = strcspn(text, "&|,*:[]()");

		if (len)
			all = all && has_feature(node, text, len);
		text += len;
		if (*text == '*' || *text == ':')
			text += 1 + strspn(text + 1, "0123456789");
		else if (*text == '|' || !*text) {
			if (all || !*text)
				return all;
			all = true;
			text++;
		} else {
			text++;
		}
	}
}

struct features {
	const char *text;
	const uint64_t *nodes;
	UT_hash_handle hh;
};

const uint64_t *plan_features(struct plan *plan, const char *text)
{
	const struct conf *conf = &plan->site->conf;
	struct features *found;
	uint64_t *nodes;

	if (!*text)
		return NULL;
	HASH_FIND_STR(plan->features, text, found);
	if (found)
		return found->nodes;
	nodes = arena_array(
		plan->arena, bits_words(conf->n_nodes), sizeof(*nodes));
	for (size_t i = 0; i < conf->n_nodes; i++)
		if (satisfies(&conf->nodes[i], text))
			bits_set(nodes, i);
	found = arena_alloc(plan->arena, sizeof(*found));
	found->text = text;
	found->nodes = nodes;
	HASH_ADD_KEYPTR(hh, plan->features, text, strlen(text), found);
	return nodes;
}

/* ---- reservations --------------------------------------------------------*/

int plan_load_reservations(struct plan *plan, const char *cluster)
{
	struct reservation_cond cond = {
		.from = plan->at, .clusters = STRV_ONE(cluster)};
	const struct reservation_list *list = &plan->reservations;
	struct schedule *s = &plan->schedule;
	struct sched_reservation *made;
	const int64_t far = plan->at + 365 * 86400; /* an open one, in Slurm */

	if (reservation_list(&plan->site->store, &cond, plan->arena,
		    &plan->reservations))
		return -1;
	made = arena_array(plan->arena, list->n, sizeof(*made));
	for (size_t i = 0; i < list->n; i++) {
		const struct reservation *from = &list->v[i];
		uint64_t *nodes = arena_array(
			plan->arena, bits_words(s->n_nodes), sizeof(*nodes));

		plan_add_nodes(plan, from->nodes, nodes);
		made[i] = (struct sched_reservation){
			from->start, from->end ? from->end : far, nodes};
	}
	s->reservations = made;
	s->n_reservations = list->n;
	return 0;
}

uint32_t plan_reservation(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->schedule.n_reservations; i++)
		if (!strcmp(plan->reservations.v[i].name, name))
			return (uint32_t)i + 1;
	return 0;
}

/* ---- names as numbers ----------------------------------------------------*/

struct plan_name {
	const char *name;
	uint32_t number;
	UT_hash_handle hh;
};

uint32_t plan_number(
	struct plan *plan, struct plan_name **names, const char *name)
{
	struct plan_name *found;

	HASH_FIND_STR(*names, name, found);
	if (found)
		return found->number;
	found = arena_alloc(plan->arena, sizeof(*found));
	found->name = name;
	found->number = HASH_COUNT(*names);
	HASH_ADD_KEYPTR(hh, *names, name, strlen(name), found);
	return found->number;
}

bool plan_is_outside(struct plan *plan, const struct conf_partition *p,
	const char *user)
{
	struct plan_name *known;
	const char *key;

	if (!p->allow_groups.n || !strcmp(user, "root") ||
		!strcmp(user, plan->site->conf.slurm_user))
		return false;
	key = arena_printf(plan->arena, "%s %s", user, p->name);
	HASH_FIND_STR(plan->outside, key, known);
	if (!known) {
		known = arena_alloc(plan->arena, sizeof(*known));
		known->name = key;
		known->number = user_is_outside(user, &p->allow_groups);
		HASH_ADD_KEYPTR(hh, plan->outside, key, strlen(key), known);
	}
	return known->number;
}
