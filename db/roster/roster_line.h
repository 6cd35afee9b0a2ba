/*
 * A line of words as rosters.
 */
#pragma once

#include "db/roster/roster.h"

/* Is given two rosters of a cluster (of QOS: of none, ""): what the store has of
 * what a line names, and what the line wants. -1: that was refused. */
typedef int roster_pair(
	void *arg, struct roster *store, struct roster *wanted);

/*
 * What `add` of an account, a QOS or a user would read, as what shall be there
 * at least: for cluster after cluster the rosters are made and given to `each`,
 * which makes it so before the next ones are read. A cluster that is not named
 * is any: what is on one of them is not wanted on others. -1 with session->err,
 * or as `each` gives.
 */
int roster_read_line(struct session *, enum roster_kind,
	const struct request *, roster_pair *each, void *arg);
