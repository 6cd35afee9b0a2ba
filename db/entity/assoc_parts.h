/*
 * What the files that read associations (assoc_read.c) and write them (assoc.c)
 * share.
 */
#ifndef BURSAR_DB_ASSOC_PARTS_H
#define BURSAR_DB_ASSOC_PARTS_H

#include "db/entity/limits_rows.h"

extern const struct tres_table assoc_tres_rows;

/* The lineage `low` is or is below `top`, which ends with a slash: a range of
 * the index, where a comparison of its first letters would walk all of it. */
#define LINEAGE_BELOW(low, top)                                     \
	low " >= " top " AND " low " < substr(" top ", 1, length(" top \
	    ") - 1) || '0'"

#endif
