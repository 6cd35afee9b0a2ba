/*
 * Events and cloud instances: show (Slurm's src/sacctmgr/event_functions.c,
 * instance_functions.c). Both come from the event rows: a node that was down,
 * and the capacity of a cluster.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/private.h"
#include "common/base/numbers.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/span.h"
#include "db/entity/event.h"

/* clang-format off */
static const struct where_word event_words[] = {
	{"all_clusters:5", WHERE_SWITCH, COND(all_clusters), GROUP_NONE, "not only this cluster", FROM_NOTHING},
	{"all_time:5", WHERE_SWITCH, COND(all_time), GROUP_NONE, "not only since yesterday", FROM_NOTHING},
	{"Events:1", WHERE_LIST, COND(events), GROUP_RECORD, "Node, Cluster", FROM_NOTHING},
	{"Clusters:2", WHERE_LIST, COND(assoc.clusters), GROUP_RECORD, "clusters; default: this one", FROM_CLUSTERS},
	{"CondFlags:2", WHERE_LIST, COND(cond_flags), GROUP_RECORD, "Open: those that have not ended", FROM_NOTHING},
	{"End:1", WHERE_LIST_CASE, COND(end), GROUP_RECORD, "before this time", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"MinCpus:2", WHERE_LIST, COND(min_cpus), GROUP_RECORD, "at least so many CPUs", FROM_NOTHING},
	{"MaxCpus:2", WHERE_LIST, COND(max_cpus), GROUP_RECORD, "at most so many CPUs", FROM_NOTHING},
	{"Nodes:1", WHERE_LIST_CASE, COND(nodes), GROUP_RECORD, "nodes, a host list", FROM_NOTHING},
	{"Reason:1", WHERE_LIST, COND(reasons), GROUP_RECORD, "part of the reason", FROM_NOTHING},
	{"Start:4", WHERE_LIST_CASE, COND(start), GROUP_RECORD, "from this time on; default: yesterday", FROM_NOTHING},
	{"States:4", WHERE_LIST, COND(states), GROUP_RECORD, "node states", FROM_NOTHING},
	{"User:1", WHERE_LIST_CASE, COND(assoc.users), GROUP_RECORD, "who gave the reason", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

static const struct where_word instance_words[] = {
	{"Clusters:2", WHERE_LIST, COND(assoc.clusters), GROUP_RECORD, "clusters; default: this one", FROM_CLUSTERS},
	{"End:2", WHERE_LIST_CASE, COND(end), GROUP_RECORD, "before this time", FROM_NOTHING},
	{"Extra:2", WHERE_LIST_CASE, COND(extra), GROUP_RECORD, "free text", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"InstanceId:9", WHERE_LIST_CASE, COND(instance_ids), GROUP_RECORD, "instances", FROM_NOTHING},
	{"InstanceType:9", WHERE_LIST_CASE, COND(instance_types), GROUP_RECORD, "types of instance", FROM_NOTHING},
	{"Nodes:1", WHERE_LIST_CASE, COND(nodes), GROUP_RECORD, "nodes, a host list", FROM_NOTHING},
	{"Start:4", WHERE_LIST_CASE, COND(start), GROUP_RECORD, "from this time on; default: yesterday", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

/* State words that States= takes, what the store calls them, Slurm's number. */
static const struct {
	const char *names, *state;
	uint32_t raw;
} node_states[] = {
	{"DRAIN:3", "DRAIN", 1 << 9},
	{"FAIL:3", "FAIL", 1 << 12},
	{"UNKNOWN:3", "UNKNOWN", 0},
	{"DOWN:3", "DOWN", 1},
	{"IDLE:3", "IDLE", 2},
	{"ALLOCATED:3", "ALLOCATED", 3},
	{"ERROR:3 ?:1", "ERROR", 4},
	{"MIXED:3", "MIXED", 5},
	{"FUTURE:3", "FUTURE", 6},
	{"MAINT:3", "MAINT", 1 << 7},
	{"POWERED_DOWN:3", "POWERED_DOWN", 1 << 14},
};
/* clang-format on */

enum { NODE_STATES = sizeof(node_states) / sizeof(*node_states) };

enum event_kind { EVENT_ANY, EVENT_CLUSTER, EVENT_NODE };

/* An event as it is listed. */
struct event_row {
	struct event event;
	const char *cluster;
	int64_t now;
};

static bool of_node(const struct event_row *row)
{
	return *row->event.node;
}

static uint64_t cpus_of(const struct event *event)
{
	uint64_t cpus = tres_list_get(&event->tres, TRES_CPU);

	return cpus == NO_VAL64 ? 0 : cpus;
}

static uint32_t state_number(const char *state)
{
	for (size_t i = 0; i < NODE_STATES; i++)
		if (!strncasecmp(node_states[i].state, state,
			    strlen(node_states[i].state)))
			return node_states[i].raw;
	return 0;
}

static uint32_t duration(const struct event_row *row)
{
	const struct event *e = &row->event;
	int64_t end = e->end ? e->end : row->now;

	return end > e->start ? (uint32_t)(end - e->start) : 0;
}

/* clang-format off */
GETTER(cpus, struct event_row, of_text(arena_printf(arena, "%llu", (unsigned long long)cpus_of(&row->event))))
GETTER(duration, struct event_row, of_seconds(duration(row)))
GETTER(kind, struct event_row, of_text(of_node(row) ? "Node" : "Cluster"))
GETTER(kind_raw, struct event_row, of_uint(of_node(row) ? EVENT_NODE : EVENT_CLUSTER))
GETTER(state, struct event_row, of_text(of_node(row) ? row->event.state : ""))
GETTER(state_raw, struct event_row, of_uint(of_node(row) ? state_number(row->event.state) : 0))
GETTER(user, struct event_row, of_text(of_node(row) ? user_with_number(row->event.user, arena) : ""))
GETTER(user_name, struct event_row, of_text(of_node(row) ? row->event.user : ""))

#define E(field, json_, type_, member) \
	{HEAD_##field, .json = (json_), .type = MEMBER_##type_, .offset = offsetof(struct event_row, member)}
static const struct member event_rows[] = {
	E(CLUSTER, NULL, TEXT, cluster),
	E(CLUSTER_NODES, NULL, TEXT, event.nodes),
	{HEAD_CPU_COUNT, .get = get_cpus},
	{HEAD_DURATION, .get = get_duration},
	{HEAD_EVENT, .get = get_kind},
	{HEAD_EVENT_RAW, .get = get_kind_raw},
	E(NODE_NAME, NULL, TEXT, event.node),
	E(REASON, NULL, TEXT, event.reason),
	{HEAD_STATE, .get = get_state},
	{HEAD_STATE_RAW, .get = get_state_raw},
	E(TIME_END, NULL, TIME, event.end),
	E(TIME_START, NULL, TIME, event.start),
	E(TRES, NULL, TRES, event.tres),
	{HEAD_USER, .get = get_user, .plain = get_user_name},
};
static const struct members event_columns = MEMBERS(event_rows);

static const struct member instance_rows[] = {
	E(CLUSTER, "cluster", TEXT, cluster),
	{HEAD_DURATION, .get = get_duration},
	E(EXTRA, "extra", TEXT, event.extra),
	E(INSTANCE_ID, "instance_id", TEXT, event.instance_id),
	E(INSTANCE_TYPE, "instance_type", TEXT, event.instance_type),
	E(NODE_NAME, "node_name", TEXT, event.node),
	E(TIME_END, "time/time_end", TIME, event.end),
	E(TIME_START, "time/time_start", TIME, event.start),
};
static const struct members instance_columns = MEMBERS(instance_rows);
/* clang-format on */

/* What is asked for, read. */
struct event_query {
	const struct conds *where;
	enum event_kind kind;
	struct event_cond cond;
	struct strv clusters, states, users;
	uint32_t min_cpus, max_cpus; /* NO_VAL: any */
	bool instances;
};

/* ---- conditions ----------------------------------------------------------*/

static int read_kinds(
	struct session *s, const struct strv *words, enum event_kind *kind)
{
	bool node = false, cluster = false;

	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->v[i];

		if (words_match("Node:1", word, strlen(word))) {
			node = true;
		} else if (words_match("Cluster:1", word, strlen(word))) {
			cluster = true;
		} else {
			return complain(s,
				" Unknown event type: '%s'  Valid events are "
				"Cluster and Node.",
				word);
		}
	}
	*kind = node == cluster ? EVENT_ANY : node ? EVENT_NODE : EVENT_CLUSTER;
	return 0;
}

static int bad_state(struct session *s, const char *word)
{
	return complain(s,
		"Invalid state: %s\nValid node states are: DRAIN FAIL UNKNOWN "
		"DOWN IDLE ALLOCATED ? MIXED FUTURE \n"
		"sacctmgr: fatal: unrecognized job state value",
		word);
}

static int read_states(
	struct session *s, const struct strv *words, struct strv *states)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *state = NULL;

		for (size_t j = 0; !state && j < NODE_STATES; j++)
			if (words_match(node_states[j].names, words->v[i],
				    strlen(words->v[i])))
				state = node_states[j].state;
		if (!state)
			return bad_state(s, words->v[i]);
		strv_push(states, &s->arena, state);
	}
	return 0;
}

static int read_flags(struct session *s, const struct strv *words, bool *open)
{
	for (size_t i = 0; i < words->n; i++) {
		if (strcasecmp(words->v[i], "open")) {
			cli_error("Unknown condition flag %s", words->v[i]);
			s->status = 1;
			return -1;
		}
		*open = true;
	}
	return 0;
}

static int read_cpus(struct session *s, const struct strv *words,
	const char *name, uint32_t *cpus)
{
	*cpus = NO_VAL;
	if (!words->n)
		return 0;
	if (!uint_parse(words->v[words->n - 1], cpus) && *cpus < NO_VAL)
		return 0;
	cli_error("Invalid value for %s (%s)", name, words->v[words->n - 1]);
	s->status = 1;
	return -1;
}

/* The user with that name or number, or NULL. */
static const struct passwd *find_user(const char *word)
{
	const struct passwd *pw = getpwnam(word);
	char *end;
	unsigned long uid = strtoul(word, &end, 10);

	if (pw || *word < '0' || *word > '9' || *end || uid >= NO_VAL)
		return pw;
	return getpwuid((uid_t)uid);
}

static int read_users(
	struct session *s, const struct strv *words, struct strv *users)
{
	for (size_t i = 0; i < words->n; i++) {
		const struct passwd *pw = find_user(words->v[i]);

		if (!pw) {
			cli_error("Invalid user id: %s", words->v[i]);
			s->status = 1;
			return -1;
		}
		strv_push(users, &s->arena, pw->pw_name);
	}
	return 0;
}

static int read_nodes(
	struct session *s, const struct strv *words, struct strv *nodes)
{
	for (size_t i = 0; i < words->n; i++)
		if (hostlist_expand(
			    words->v[i], &s->arena, nodes, &s->err))
			return complain_err(s);
	return 0;
}

/* An event that ends just at the start still counts, hence the second less. */
static int read_period(struct session *s, const struct conds *where,
	struct event_cond *cond)
{
	if (read_time(s, &where->start, &cond->from) ||
		read_time(s, &where->end, &cond->until))
		return complain_err(s);
	if (!cond->from && !where->all_time)
		cond->from = where->states.n
			? s->site.now
			: span_floor(span_floor(s->site.now, SPAN_DAY) - 1, SPAN_DAY);
	if (cond->from && !cond->until)
		cond->until = s->site.now + 1;
	if (cond->from)
		cond->from--;
	return 0;
}

static int choose_clusters(struct session *s, const struct conds *where,
	struct strv *clusters)
{
	if (where->assoc.clusters.n || where->all_clusters)
		return chosen_clusters(s, &where->assoc.clusters, clusters);
	strv_push(clusters, &s->arena, s->site.cluster);
	return 0;
}

static int read_wanted(struct session *s, struct event_query *wanted)
{
	const struct conds *where = wanted->where;

	if (read_kinds(s, &where->events, &wanted->kind) ||
		read_states(s, &where->states, &wanted->states) ||
		read_flags(s, &where->cond_flags, &wanted->cond.open) ||
		read_cpus(s, &where->min_cpus, "MinCpus", &wanted->min_cpus) ||
		read_cpus(s, &where->max_cpus, "MaxCpus", &wanted->max_cpus) ||
		read_users(s, &where->assoc.users, &wanted->users) ||
		read_nodes(s, &where->nodes, &wanted->cond.nodes) ||
		read_period(s, where, &wanted->cond))
		return -1;
	if (choose_clusters(s, where, &wanted->clusters))
		return complain_err(s);
	if (wanted->states.n || wanted->users.n || wanted->instances)
		wanted->kind = EVENT_NODE;
	wanted->cond.by_node = true;
	wanted->cond.only_nodes = wanted->kind == EVENT_NODE;
	wanted->cond.only_cluster = wanted->kind == EVENT_CLUSTER;
	return 0;
}

/* ---- matching ------------------------------------------------------------*/

/* Does the text hold one of the words? No words: yes. */
static bool holds_one_of(const struct strv *words, const char *text)
{
	for (size_t i = 0; i < words->n; i++)
		if (strcasestr(text, words->v[i]))
			return true;
	return !words->n;
}

static bool is_one_of(const struct strv *words, const char *text)
{
	return !words->n || strv_has(words, text);
}

static bool cpus_fit(const struct event_query *wanted, const struct event *event)
{
	uint64_t cpus = cpus_of(event);

	return (wanted->min_cpus == NO_VAL || cpus >= wanted->min_cpus) &&
		(wanted->max_cpus == NO_VAL || cpus <= wanted->max_cpus);
}

static bool is_instance(const struct event *event)
{
	return *event->instance_id || *event->instance_type || *event->extra;
}

static bool is_wanted(const struct event_query *wanted, const struct event *event)
{
	const struct conds *where = wanted->where;

	return (!wanted->instances || is_instance(event)) &&
		cpus_fit(wanted, event) &&
		holds_one_of(&wanted->states, event->state) &&
		holds_one_of(&where->reasons, event->reason) &&
		is_one_of(&wanted->users, event->user) &&
		is_one_of(&where->extra, event->extra) &&
		is_one_of(&where->instance_ids, event->instance_id) &&
		is_one_of(&where->instance_types, event->instance_type);
}

/* ---- rows ----------------------------------------------------------------*/

static int list_cluster(struct session *s, struct listing *l,
	struct event_query *wanted, const char *cluster)
{
	struct event_list list;

	wanted->cond.cluster = cluster_key(s->store, cluster);
	if (wanted->cond.cluster <= 0)
		return wanted->cond.cluster < 0 ? -1 : 0;
	if (event_load(s->store, &wanted->cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct event_row row = {
			list.v[i], cluster, s->site.now};

		if (is_wanted(wanted, &list.v[i]))
			listing_row(l, &row);
	}
	return 0;
}

/* Of instances, or of all events. */
static int list_events(struct session *s, const struct conds *where,
	struct listing *l, bool instances)
{
	struct event_query wanted = {.where = where, .instances = instances};
	const char *format = "Cluster,NodeName,TimeStart,TimeEnd,State,Reason,"
			     "User";

	if (read_wanted(s, &wanted) ||
		private_refuse(s, PRIVATE_EVENTS, NULL))
		return -1;
	if (instances)
		format = "Cluster,NodeName,TimeStart,TimeEnd,InstanceId,"
			 "InstanceType,Extra";
	else if (wanted.kind == EVENT_CLUSTER)
		format = "Cluster,TRES,TimeStart,TimeEnd,ClusterNodes";
	listing_open(l, format);
	for (size_t i = 0; i < wanted.clusters.n; i++)
		if (list_cluster(s, l, &wanted, wanted.clusters.v[i]))
			return complain_err(s);
	return 0;
}

/* ---- the two entities ----------------------------------------------------*/

static const struct vocabulary event_vocabulary = {
	.where = {event_words},
	.bare = COND(events),
	.bare_group = GROUP_RECORD,
};

static int rows_of_events(
	struct session *s, struct request *r, struct listing *l)
{
	r->where.all_clusters |= !r->n; /* the plain listing: of all of them */
	return list_events(s, &r->where, l, false);
}

const struct entity event_entity = {
	.names = "Events:1",
	.rows = rows_of_events,
	.vocabulary = &event_vocabulary,
	.columns = {&event_columns},
	.help = "nodes that were down, capacity of clusters",
};

static const struct vocabulary instance_vocabulary = {
	.where = {instance_words},
	.bare = COND(nodes),
	.bare_group = GROUP_RECORD,
};

static int rows_of_instances(
	struct session *s, struct request *r, struct listing *l)
{
	return list_events(s, &r->where, l, true);
}

const struct entity instance_entity = {
	.names = "Instances:1",
	.rows = rows_of_instances,
	.vocabulary = &instance_vocabulary,
	.columns = {&instance_columns},
	.document = "instances",
	.help = "cloud instances that nodes ran as",
};
