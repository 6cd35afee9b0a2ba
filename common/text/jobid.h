/*
 * Reads job ids as users type them (Slurm's src/common/slurm_protocol_defs.c,
 * unfmt_job_id_string()).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Names one job: by its SLUID if that is not 0, else by number and task. */
struct job_id {
	uint32_t id, task; /* task NO_VAL: no task was given */
	uint64_t sluid;
};

/*
 * Reads the job id that the text begins with: `9`, `9_1` (a task of an array),
 * `4+1` (a part of a heterogeneous job: id is the sum), or a SLUID if that is
 * the whole text. Returns the text after the id; NULL: the text does not begin
 * with a job id.
 */
const char *job_id_read(const char *text, struct job_id *);

/* The same; false also when there is text after the job id. */
bool job_id_parse(const char *text, struct job_id *);
