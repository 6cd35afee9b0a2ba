/*
 * "Did you mean": a word or a name that does not exist, and the nearest that
 * does, as one line on standard error behind Slurm's own message.
 */
#ifndef BURSAR_SACCTMGR_MEANT_H
#define BURSAR_SACCTMGR_MEANT_H

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/words.h"
#include "db/entity/names.h"

void meant_verb(const char *word);
void meant_entity(enum verb, const char *word);

/* What the words of operations tell of: names a command asked for are kept until
 * it is known how it ended. */
extern const struct session_hints meant_hints;

/* Says of those kept and of none in the store what else was meant. */
void meant_names(struct session *);

#endif
