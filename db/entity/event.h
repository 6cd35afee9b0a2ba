/*
 * Events: a node that was down, and the capacity of the cluster from a time on.
 *
 * Functions that return int: 0, or -1 with store->err set, unless they say
 * otherwise. Functions that write expect an open transaction. Times are epoch
 * seconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/member.h"
#include "common/text/tres.h"
#include "db/store/store.h"

struct event {
	int64_t id;
	int64_t cluster;    /* key */
	const char *node;   /* "" for the cluster's capacity */
	int64_t start, end; /* end 0: it goes on */
	const char *state;  /* "DOWN", "DRAIN"; "" for the cluster */
	const char *reason, *user;
	struct tres_list tres;
	const char *nodes; /* of a capacity: the cluster's nodes, a host list */
	const char *extra, *instance_id, *instance_type;
};

/* The members of struct event that are stored. */
extern const struct members event_members;

/* Zeroes it; texts become "". */
void event_init(struct event *);

/* Records that a node is down, drained ... from event->start on (to
 * event->end). An open event of the node that began earlier ends at
 * event->start; an event of the same node and start is replaced. */
int event_add_node(struct store *, const struct event *);

/* Records that the node is up: its open event, if any, ends at `end`. 1: there
 * was one, 0: none, -1. */
int event_end_node(
	struct store *, int64_t cluster, const char *node, int64_t end);

/* Records the cluster's capacity (nodes, tres) from event->start on: the
 * capacity before it ends there, and this one ends where a later recorded one
 * begins. Without a later one it goes into the cluster's record too. Later ones
 * that were assumed are forgotten. */
int event_add_cluster(struct store *, const struct event *);

/* The reason of a capacity that is the site's configuration, not a record. */
#define EVENT_ASSUMED "Assumed from slurm.conf"

bool event_is_assumed(const struct event *);

/* Records the newest capacity, an assumed one; with an id of event_load, only
 * that this one began at event->start. */
int event_assume(struct store *, const struct event *);

struct event_cond {
	int64_t cluster;   /* key; 0: any */
	struct strv nodes; /* names */
	bool only_nodes, only_cluster;
	bool open;	     /* only events that began after `from` and go on;
				`until` does not count */
	bool by_node;	     /* in order of cluster, node, start */
	int64_t from, until; /* overlapping [from, until); 0: open */
};

struct event_list {
	struct event *v;
	size_t n, cap;
};

/* Events in order of cluster, start, node unless the condition says otherwise;
 * in the arena. */
int event_load(struct store *, const struct event_cond *, struct arena *,
	struct event_list *);
