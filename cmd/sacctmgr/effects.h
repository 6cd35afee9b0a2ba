/*
 * Effects of operations in Slurm's words.
 */
#ifndef BURSAR_SACCTMGR_EFFECTS_H
#define BURSAR_SACCTMGR_EFFECTS_H

#include "cmd/sacctmgr/sacctmgr.h"

/* Onto output(session). */
void effects_print(struct session *, const struct effects *);

#endif
