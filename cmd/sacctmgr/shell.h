/*
 * The interactive session (Slurm's src/sacctmgr/sacctmgr.c): lines of a
 * terminal through libedit, lines of a pipe through input.h.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"

/* Reads lines until exit, quit or the end of input. */
void run_shell(struct session *);

/* Carries out one command; messages are out, session->status is set. */
void run_command(struct session *, char **words, int n);
