/*
 * Flat data, the form of --csv and of --ndjson with -o (man/bursar-output.7):
 * pairs of key and value. The same thing has the same key in all programs, in
 * lower_snake_case, and values are single numbers or texts.
 */
#pragma once

#include "common/base/arena.h"
#include "common/table/member.h"

/* The key made of a name or a heading: "JobID" and "JOBID" give job_id, "Login"
 * gives user. In the arena, or a constant. */
const char *flat_key(const char *name, struct arena *);

/* The member's own `key`; without one, made of its path in JSON (one without
 * slashes), else of its first name, else of its heading. */
const char *member_key(const struct member *, struct arena *);

/* The value for machines: by the member's `plain` getter; without one what is
 * printed, and VALUE_NONE for "N/A", "n/a", "NA" and "(null)". */
struct value member_plain(
	const struct member *, const void *record, struct arena *);
