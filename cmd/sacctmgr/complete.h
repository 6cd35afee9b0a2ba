/*
 * Completion: the words that may follow on a command line, for sacctmgr's shell
 * and, through `sacctmgr --complete -- WORD...`, for bash, zsh and fish.
 */
#pragma once

#include "common/table/complete.h"

/* Offers what the last of the `n` words could become; those before it say what
 * is expected. There are no options among them. */
void sacctmgr_complete(struct completion *, char **words, int n);
