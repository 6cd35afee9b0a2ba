/*
 * Why SQLite could not do something, in words for who uses the programs. The
 * only place where what it answers becomes a message: its own sentences are for
 * programmers.
 */
#pragma once

#include "common/base/err.h"

struct sqlite3;

/* Sets the error to the printed text, ": " and the reason of the result code
 * `rc`. `db`: the connection that failed, which may know more; or NULL. Returns
 * -1. */
int reason_set(struct err *, struct sqlite3 *db, int rc, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* What SQLite's `integrity_check` has found of at most so many: a SELECT of one
 * column, no row for a sound file. */
#define REASON_DAMAGES(most) \
	"SELECT DISTINCT CASE WHEN instr(found, ' index ')" \
	" THEN 'the index ' || substr(found, instr(found, ' index ') + 7) ||" \
	"  ' differs from its table'" \
	" WHEN instr(found, ' value in ')" \
	" THEN 'a value is missing or of another kind: ' ||" \
	"  substr(found, instr(found, ' value in ') + 10)" \
	" WHEN instr(found, 'error code=7') THEN found" \
	" ELSE 'pages of the file do not belong together' END" \
	" FROM (SELECT integrity_check AS found" \
	"  FROM pragma_integrity_check(" #most ")) WHERE found <> 'ok'"
