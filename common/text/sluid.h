/*
 * SLUIDs of jobs: a number of 64 bits, written as `s` and 13 characters
 * (Slurm's src/common/sluid.c). Slurm's controller assigns them; here they are
 * computed from cluster, job id and submit time, so that they never change and
 * need no storage.
 */
#pragma once

#include <stdint.h>

enum { SLUID_SIZE = 15 }; /* bytes of the text, with its NUL */

/* The SLUID of a job: `cluster` is the key of the cluster's row in the store,
 * `submit` the submit time in epoch seconds. Never 0 for a real submit time. */
uint64_t sluid_make(int64_t cluster, uint32_t id, int64_t submit);

/* Writes its text to a buffer of SLUID_SIZE bytes and returns the buffer. */
const char *sluid_text(uint64_t sluid, char *buf);

/* The number of a SLUID in upper or lower case; 0: the text is not a SLUID. */
uint64_t sluid_parse(const char *text);
