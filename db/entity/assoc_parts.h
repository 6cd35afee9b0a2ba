/*
 * What the files that read associations (assoc_read.c) and write them (assoc.c)
 * share.
 */
#pragma once

#include "db/entity/limits_rows.h"

/* SQL: the lineage `low` is `top` or below it; lineages end with a slash. A
 * range, which the index answers; substr() or LIKE would read every row. */
#define LINEAGE_BELOW(low, top)                                     \
	low " >= " top " AND " low " < substr(" top ", 1, length(" top \
	    ") - 1) || '0'"
