/*
 * A log that several hosts share, as `ping` and `show stats` print it.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"
#include "db/shared/shared.h"

/* Asks every host; complains when the replica cannot be read. */
int hosts_read(struct session *, struct shared_status *);

/* A line for each host, and how far log and replica are. */
void hosts_print(struct session *, const struct shared_status *);

/* A part of the statistics. */
void hosts_stats(struct session *, const struct shared_status *);

/* Adds all of it to a record, as `log`; returns the record. */
struct json_object *hosts_put(
	struct json_object *record, const struct shared_status *);
