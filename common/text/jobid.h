/*
 * Ids of jobs as people type them (spec/reporting.md 7, priority.md 7.1).
 */
#ifndef BURSAR_JOBID_H
#define BURSAR_JOBID_H

#include <stdbool.h>
#include <stdint.h>

/* One job: by number (and task), or by its SLUID where that is not 0. */
struct job_id {
	uint32_t id, task; /* task NO_VAL: none was named */
	uint64_t sluid;
};

/*
 * Reads `9`, `9_1` (a task), `4+1` (a part of a heterogeneous job: the id is
 * then the sum) or, where that is the whole text, a SLUID. Returns the text
 * after it; NULL when the text does not begin with a job id.
 */
const char *job_id_read(const char *text, struct job_id *);

/* The same of a whole text. */
bool job_id_parse(const char *text, struct job_id *);

#endif
