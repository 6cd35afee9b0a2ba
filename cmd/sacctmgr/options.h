/*
 * The options of sacctmgr (Slurm's src/sacctmgr/sacctmgr.c).
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"

/* Reads the command line; leaves the program for --help and the like, and at a
 * bad option. Returns the index of the first word that is not an option. */
int sacctmgr_options(struct options *, int argc, char **argv);
