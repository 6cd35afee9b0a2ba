/*
 * Events: a node that was down, and the capacity of the cluster from a time on
 * (spec/reporting.md 8 and 5, spec/sacctmgr.md 3.8).
 *
 * Functions that write expect an open transaction.
 */
#ifndef BURSAR_DB_EVENT_H
#define BURSAR_DB_EVENT_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/text/tres.h"
#include "db/store/store.h"

struct event {
	int64_t id;
	int64_t cluster;    /* key */
	const char *node;   /* "" for the cluster's capacity */
	int64_t start, end; /* end 0: still so */
	const char *state;  /* "DOWN", "DRAIN"; "" for the cluster */
	const char *reason, *user;
	struct tres_list tres;
	const char *nodes; /* of the cluster: host list */
	const char *extra, *instance_id, *instance_type;
};

void event_init(struct event *);

/* A node is down, drained ... from event->start on (to event->end). An open
 * event of the node ends there; the same node and start is replaced. */
int event_add_node(struct store *, const struct event *);

/* The node is up: its open event, if any, ends. Gives 1 when there was one. */
int event_end_node(
	struct store *, int64_t cluster, const char *node, int64_t end);

/* Records the cluster's capacity from event->start on: the previous one ends
 * there, and this one ends where a later recorded one begins. The cluster's own
 * record gets the newest. */
int event_add_cluster(struct store *, const struct event *);

struct event_cond {
	int64_t cluster;   /* key; 0: any */
	struct strv nodes; /* names */
	bool only_nodes, only_cluster;
	bool open;	     /* only those that began after `from` and go on */
	bool by_node;	     /* in order of cluster, node, start */
	int64_t from, until; /* overlapping [from, until); 0: open */
};

struct event_list {
	struct event *v;
	size_t n, cap;
};

/* In order of cluster, start, node unless the condition says otherwise. */
int event_load(struct store *, const struct event_cond *, struct arena *,
	struct event_list *);

#endif
