/*
 * srecord node, srecord cluster: nodes that are down, nodes that register
 * themselves, and how large the cluster is from a time on.
 */
#include "db/record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text/hostlist.h"
#include "db/entity/capacity.h"
#include "db/entity/event.h"
#include "db/entity/node.h"
#include "db/store/txn.h"

struct event_facts {
	struct number start, end;
	const char *cluster, *nodes, *state, *reason, *user, *extra;
	const char *instance_id, *instance_type;
	struct tres_list tres;
	struct number cpus, boards, sockets, cores, threads, memory, disk;
	struct number weight;
	const char *gres, *features, *address;
};

#define F(...) WORD_ROW(event_facts, __VA_ARGS__)
#define W(names, type, member, help) F(names, type, member, NULL, help)

/* clang-format off */
const struct word_row node_words[] = {
	W("node:4 nodes:5 nodename:8 name:4", HOSTS, nodes, "one, or a host list"),
	W("state:5", TEXT, state, "down, drain, fail ...; up ends what was; gone"),
	W("start:5", PAST, start, "since when; default now"),
	W("end:3", PAST, end, "until when; default: still so"),
	F("reason:6", TEXT, reason, "reason", "why"),
	F("user:4", USER, user, "user", "who said so; default: you"),
	W("tres:4", TRES, tres, "what each node has; default: by slurm.conf"),
	W("cpus:4", AMOUNT, cpus, "CPUs of each that registers itself"),
	W("memory:3 realmemory:5", MIB, memory, "its memory"),
	W("gres:4", TEXT, gres, "its generic resources: gpu:a100:4"),
	W("features:4", TEXT, features, "its features, that a NodeSet may name"),
	W("sockets:7", AMOUNT, sockets, "its sockets"),
	W("corespersocket:5", AMOUNT, cores, "cores of a socket; default 1"),
	W("threadspercore:6", AMOUNT, threads, "threads of a core; default 1"),
	W("boards:6", AMOUNT, boards, "its boards; default 1"),
	W("weight:6", COUNT, weight, "its weight; default 1"),
	W("tmpdisk:3", COUNT, disk, "MiB of its local disk"),
	W("address:4 nodeaddr:8", TEXT, address, "its address; default: its name"),
	W("cluster:7", CLUSTER, cluster, "default: this one"),
	F("extra:5", TEXT, extra, "extra", "free text"),
	F("instanceid:10", TEXT, instance_id, "instance_id", "cloud instance"),
	F("instancetype:12", TEXT, instance_type, "instance_type", "type of cloud instance"),
	{NULL, WORD_TEXT, 0, NULL, NULL},
};

const struct word_row cluster_words[] = {
	F("tres:4", TRES, tres, "tres", "what it has; default: the nodes of slurm.conf"),
	F("nodes:5", HOSTS, nodes, "nodes", "host list; default: the nodes of slurm.conf"),
	W("start:5", PAST, start, "since when; default now"),
	W("cluster:7 name:4", CLUSTER, cluster, "default: this one"),
	{NULL, WORD_TEXT, 0, NULL, NULL},
};

/* NULL: the node works. */
static const struct {
	const char *word, *state;
} node_states[] = {
	{"down", "DOWN"}, {"drain", "DRAIN"}, {"drained", "DRAIN"},
	{"draining", "DRAIN"}, {"fail", "FAIL"}, {"error", "ERROR"},
	{"unknown", "UNKNOWN"}, {"future", "FUTURE"}, {"maint", "MAINT"},
	{"powered_down", "POWERED_DOWN"},
	{"up", NULL}, {"idle", NULL}, {"resume", NULL},
};
/* clang-format on */

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

static int find_state(struct recording *s, const char *word, const char **state)
{
	for (size_t i = 0; word && i < LENGTH(node_states); i++) {
		if (strcasecmp(node_states[i].word, word))
			continue;
		*state = node_states[i].state;
		return 0;
	}
	if (!word)
		return err_set(&s->err, ERR_USAGE,
			"state= is missing: down, drain, ... or up");
	return err_set(&s->err, ERR_USAGE,
		"state: '%s' is not a node state: down, drain, fail, error, "
		"unknown, future, maint, powered_down, or up",
		word);
}

/* ---- node ---------------------------------------------------------------- */

int check_known_node(struct recording *s, const char *cluster,
	const char *word, const char *node, const char *advice)
{
	const struct conf *conf = &s->site->conf;
	int found = node_is_known(
		s->site, cluster ? cluster : s->site->cluster, node);

	if (found)
		return found < 0 ? -1 : 0;
	nearest_init(&s->nearest, node, strlen(node));
	for (size_t i = 0; i < conf->n_nodes; i++)
		nearest_try(&s->nearest, conf->nodes[i].name,
			strlen(conf->nodes[i].name));
	return err_set(&s->err, ERR_USAGE, "%s: '%s' is not in slurm.conf (%s)",
		word, node, advice);
}

/* Nodes that are no longer in slurm.conf were down, too: what is over, what
 * comes with the node's TRES, and what is on record already is believed. */
static int check_node(struct recording *s, const struct event_facts *facts,
	const struct event *event)
{
	if (facts->end.given || facts->tres.n)
		return 0;
	return check_known_node(s, facts->cluster, "node", event->node,
		"of one that was retired say end= or tres=");
}

static int set_node(struct recording *s, const struct event_facts *facts,
	struct event *event, bool up)
{
	const struct conf_node *node =
		conf_node_by_name(&s->site->conf, event->node);

	if (up)
		return any_failed(event_end_node(s->store, event->cluster,
					  event->node, event->start) < 0);
	event->tres = facts->tres;
	if (!facts->tres.n && node &&
		capacity_of_nodes(
			s->site, &node, 1, &s->arena, &event->tres))
		return -1;
	if (!facts->tres.n && !node)
		tres_list_set(&event->tres, &s->arena, TRES_NODE, 1);
	return event_add_node(s->store, event);
}

static int node_times(struct recording *s, const struct event_facts *facts,
	struct event *event, bool up)
{
	event->start = facts->start.given ? facts->start.v : s->site->now;
	event->end = facts->end.given ? facts->end.v : 0;
	if (up && facts->end.given)
		return err_set(&s->err, ERR_USAGE,
			"state=up and end= exclude each other: start= says "
			"since when it is up");
	if (event->end && event->end <= event->start)
		return err_set(
			&s->err, ERR_USAGE, "node: end is not after its start");
	return 0;
}

/* ---- nodes that register themselves ---------------------------------------*/

static void add_number(struct recording *s, struct strv *words, const char *key,
	const struct number *given, const uint64_t *before)
{
	if (given->given || before)
		strv_printf(words, &s->arena, "%s=%" PRId64, key,
			given->given ? given->v : (int64_t)*before);
}

/* How many CPUs and how they lie is one thing. */
static void add_cpus(struct recording *s, const struct event_facts *facts,
	const struct conf_node *before, struct strv *words)
{
	const struct {
		const char *key;
		const struct number *given;
		uint64_t before;
	} keys[] = {
		{"CPUs", &facts->cpus, before ? before->cpus : 0},
		{"Boards", &facts->boards, before ? before->boards : 0},
		{"Sockets", &facts->sockets, before ? before->sockets : 0},
		{"CoresPerSocket", &facts->cores, before ? before->cores : 0},
		{"ThreadsPerCore", &facts->threads,
			before ? before->threads : 0},
	};
	bool keep = before != NULL;

	for (size_t i = 0; i < LENGTH(keys); i++)
		keep = keep && !keys[i].given->given;
	for (size_t i = 0; i < LENGTH(keys); i++)
		add_number(s, words, keys[i].key, keys[i].given,
			keep ? &keys[i].before : NULL);
}

/* What slurm.conf could not say in a line of its own. */
static int add_text(struct recording *s, struct strv *words, const char *key,
	const char *given, const char *before)
{
	const char *text = given ? given : before;

	if (!text || !*text)
		return 0;
	if (text[strcspn(text, " \t\n\r\"'#\\\f\v")])
		return err_set(&s->err, ERR_USAGE,
			"%s: '%s' holds blanks, quotes, # or \\", key, text);
	strv_printf(words, &s->arena, "%s=%s", key, text);
	return 0;
}

/* As a line of slurm.conf; what is not mentioned stays as in `before` (NULL: a
 * new node). */
static int read_node(struct recording *s, const struct event_facts *facts,
	const char *name, const struct conf_node *before, struct conf_node *node)
{
	struct strv words = {0}, lines = {0};
	struct conf conf;
	uint64_t disk = before ? before->tmp_disk : 0;
	uint64_t weight = before ? before->weight : 0;

	strv_printf(&words, &s->arena, "NodeName=%s", name);
	add_cpus(s, facts, before, &words);
	add_number(s, &words, "RealMemory", &facts->memory,
		before ? &before->real_memory : NULL);
	add_number(s, &words, "TmpDisk", &facts->disk, before ? &disk : NULL);
	add_number(s, &words, "Weight", &facts->weight, before ? &weight : NULL);
	if (add_text(s, &words, "Gres", facts->gres,
		    before ? before->gres_text : NULL) ||
		add_text(s, &words, "Feature", facts->features,
			before ? strv_join(&before->features, ",", &s->arena)
			       : NULL) ||
		add_text(s, &words, "NodeAddr", facts->address,
			before ? before->address : NULL))
		return -1;
	strv_push(&lines, &s->arena, strv_join(&words, " ", &s->arena));
	if (conf_load_with(&conf, NULL, &lines, &s->arena, &s->err))
		return -1;
	*node = conf.nodes[0];
	return 0;
}

/* MaxNodeCount of slurm.conf holds for those that are in no file, too. */
static int check_count(struct recording *s, const struct strv *names)
{
	const struct conf *conf = &s->site->conf;
	const char *text = conf_pairs_get(&conf->all, "MaxNodeCount");
	size_t most = text ? strtoull(text, NULL, 10) : 0, more = 0;

	for (size_t i = 0; i < names->n; i++)
		more += !conf_node_by_name(conf, names->v[i]);
	if (!most || conf->n_nodes + more <= most)
		return 0;
	return err_set(&s->err, ERR_USAGE,
		"MaxNodeCount=%zu in slurm.conf: there would be %zu nodes", most,
		conf->n_nodes + more);
}

static int register_nodes(struct recording *s, const struct event_facts *facts,
	int64_t cluster, const struct strv *names)
{
	/* What slurm.conf says is of this cluster only. */
	bool own = !facts->cluster || !strcmp(facts->cluster, s->site->cluster);
	struct conf_node node;

	if (own && check_count(s, names))
		return -1;
	for (size_t i = 0; i < names->n; i++) {
		const struct conf_node *known =
			own ? conf_node_by_name(&s->site->conf, names->v[i])
			    : NULL;

		if (known && !node_is_registered(known))
			return err_set(&s->err, ERR_USAGE,
				"node %s is described in slurm.conf: change it there",
				names->v[i]);
		if (read_node(s, facts, names->v[i], known, &node) ||
			node_register(s->store, cluster, &node) < 0)
			return -1;
	}
	return 0;
}

static int forget_nodes(struct recording *s, int64_t cluster, int64_t when,
	const struct strv *names)
{
	for (size_t i = 0; i < names->n; i++) {
		int found = node_forget(s->store, cluster, names->v[i]);

		if (!found)
			return err_set(&s->err, ERR_USAGE,
				"%s did not register itself: only such a node "
				"can be gone",
				names->v[i]);
		if (found < 0 || event_end_node(s->store, cluster, names->v[i],
					 when) < 0)
			return -1;
	}
	return 0;
}

/* ---- all of it ------------------------------------------------------------*/

static int record_state(struct recording *s, const struct event_facts *facts,
	int64_t cluster, const struct strv *names)
{
	const char *state = NULL;
	struct event event;

	event_init(&event);
	if (find_state(s, facts->state, &state) ||
		node_times(s, facts, &event, !state))
		return -1;
	event.cluster = cluster;
	event.state = state ? state : "";
	event.user = s->site->caller.name;
	take_facts(node_words, facts, &event_members, &event);
	for (size_t i = 0; i < names->n; i++) {
		event.node = names->v[i];
		if (check_node(s, facts, &event) ||
			set_node(s, facts, &event, !state))
			return -1;
	}
	return 0;
}

int record_node(struct recording *s, char **words, int n)
{
	struct event_facts facts = {0};
	struct strv names = {0};
	bool has;
	int64_t cluster;

	if (read_words(s, node_words, words, n, &facts))
		return -1;
	if (!facts.nodes)
		return err_set(&s->err, ERR_USAGE, "node= is missing");
	has = facts.cpus.given || facts.boards.given || facts.sockets.given ||
	      facts.cores.given || facts.threads.given || facts.memory.given ||
	      facts.disk.given || facts.weight.given || facts.gres ||
	      facts.features || facts.address;
	cluster = find_cluster(s, facts.cluster);
	if (cluster <= 0 ||
		hostlist_expand(facts.nodes, &s->arena, &names, &s->err))
		return -1;
	log_fact(s, TXN_NODE_STATE, facts.cluster, facts.nodes);
	/* Removes a node that registered itself. */
	if (facts.state && !strcasecmp(facts.state, "gone"))
		return forget_nodes(s, cluster,
			facts.start.given ? facts.start.v : s->site->now,
			&names);
	if (has && register_nodes(s, &facts, cluster, &names))
		return -1;
	return has && !facts.state
		       ? 0
		       : record_state(s, &facts, cluster, &names);
}

/* ---- cluster ------------------------------------------------------------- */

int record_cluster(struct recording *s, char **words, int n)
{
	struct event_facts facts = {0};
	struct event event;

	event_init(&event);
	if (read_words(s, cluster_words, words, n, &facts))
		return -1;
	event.cluster = find_cluster(s, facts.cluster);
	if (event.cluster <= 0)
		return -1;
	event.start = facts.start.given ? facts.start.v : s->site->now;
	event.reason = "Cluster Registered TRES";
	take_facts(cluster_words, &facts, &event_members, &event);
	if (capacity_configured(s->site, &event, &s->arena))
		return -1;
	if (!event.tres.n)
		return err_set(&s->err, ERR_USAGE,
			"cluster: give tres=, slurm.conf has no nodes");
	log_fact(s, TXN_CLUSTER_TRES, facts.cluster,
		facts.cluster ? facts.cluster : s->site->cluster);
	return event_add_cluster(s->store, &event);
}
