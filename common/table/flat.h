/*
 * Flat data, as --csv and --ndjson with -o give it (man/bursar-output.7): the
 * same thing has the same key in all programs, in lower_snake_case, and a value
 * that needs no taking apart.
 */
#ifndef BURSAR_FLAT_H
#define BURSAR_FLAT_H

#include "common/base/arena.h"
#include "common/table/member.h"

/* Of a name or a heading: "JobID" and "JOBID" are job_id, "Login" is user. */
const char *flat_key(const char *name, struct arena *);

/* Its own key, or made of its path in JSON, name or heading. */
const char *member_key(const struct member *, struct arena *);

/* What is printed, or the number behind it; nothing for "N/A" and the like. */
struct value member_plain(
	const struct member *, const void *record, struct arena *);

#endif
