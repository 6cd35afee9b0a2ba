/*
 * "Did you mean": a word or a name that does not exist, and the nearest that
 * does, as one line on standard error behind Slurm's own message.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/words.h"

void suggest_verb(const char *word);
void suggest_entity(enum verb, const char *word);

/* The names that a command asked for are kept until it is known how it ended. */
extern const struct session_hints suggest_hints;

/* Of the names that were kept: for those the store does not have, the nearest that
 * it has. */
void suggest_names(struct session *);
