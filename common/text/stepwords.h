/*
 * Words for what srun was asked for: the frequency of CPUs and how tasks are spread
 * over nodes, sockets and cores. The numbers are those of Slurm (slurm.h), which
 * slurm_acct_db and documents have; the words those of sacct. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"

/* "Low", "Performance", "2.50M" (kHz by thousands), "0"; "Unknown": not asked for. A
 * constant, or in the arena. */
const char *cpu_freq_text(uint32_t freq, struct arena *);

/* Reads such a word, or a number as slurm_acct_db has it. 0, or -1. */
int cpu_freq_parse(const char *text, uint32_t *freq);

/* "Block", "CCyclic,Pack" ...; "Unknown". In the arena. */
const char *task_dist_text(uint32_t dist, struct arena *);
