/*
 * The SLUID of a job: `s` and 13 characters (spec/priority.md 7.3, reporting.md
 * 3). Slurm hands them out; here they are derived from the submission's record,
 * so that they never change and need no storage.
 */
#ifndef BURSAR_SLUID_H
#define BURSAR_SLUID_H

#include <stdint.h>

enum { SLUID_SIZE = 15 }; /* with the end of the string */

/* Of the job with that id and submit time on the cluster (its key). Never 0. */
uint64_t sluid_make(int64_t cluster, uint32_t id, int64_t submit);

/* As text, into a buffer of SLUID_SIZE bytes; gives the buffer. */
const char *sluid_text(uint64_t sluid, char *buf);

/* The number of a SLUID, upper or lower case; 0 when the text is not one. */
uint64_t sluid_parse(const char *text);

#endif
