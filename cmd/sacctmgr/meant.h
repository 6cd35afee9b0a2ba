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
void meant_where(const struct vocabulary *, const struct word *);
void meant_set(struct session *, const struct vocabulary *, const struct word *,
	bool modify);
/* Of a comma list, maybe with signs and quotes, the first that is none of `all`. */
void meant_one_of(const char *text, const char *all);
void meant_qos(struct session *, const char *text);

/* Names a command asked for: kept until it is known how it ended. */
void meant_keep(struct session *, enum name_kind, const struct strv *names,
	size_t from);

/* Says of those kept and of none in the store what else was meant. */
void meant_names(struct session *);

#endif
