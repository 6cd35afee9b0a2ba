/*
 * Effects of operations in Slurm's words.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"

/* Onto output(session). */
void effects_print(struct session *, const struct effects *);
