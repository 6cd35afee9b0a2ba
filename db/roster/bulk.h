/*
 * Associations and users that are new, added one after the other: by the
 * thousand where the store has none that would come back to life.
 */
#ifndef BURSAR_ROSTER_BULK_H
#define BURSAR_ROSTER_BULK_H

#include "db/change/operations.h"

struct bulk {
	struct session *s;
	const char *cluster;
	int64_t cluster_key;
	uint32_t next_id; /* of rows; 0: the store may have had one of the name */
	int64_t checked;  /* see op_add_user_row */
	bool inserts_in_bulk; /* db/rows/bulk_insert.h */
};

/* From here to the end: no user or row that is added is changed again in the
 * same change (`adds_only`); `count`: how many rows come. 0, or -1 with
 * session->err, as for the others. */
int bulk_begin(struct bulk *, struct session *, const char *cluster,
	size_t count, bool adds_only);
/* Adds the row, whose cluster and id are filled in. Returns its key. */
int64_t bulk_add(struct bulk *, struct assoc_new *);
int bulk_end(struct bulk *);

#endif
