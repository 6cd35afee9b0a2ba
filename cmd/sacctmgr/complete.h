/*
 * Completion: the words that may follow on a command line, for sacctmgr's shell
 * and, through `sacctmgr --complete -- WORD...`, for bash, zsh and fish.
 */
#ifndef BURSAR_SACCTMGR_COMPLETE_H
#define BURSAR_SACCTMGR_COMPLETE_H

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/words.h"
#include "db/entity/names.h"

/*
 * The words that the last of `words` could become: each begins exactly with
 * what was typed; sorted, without duplicates. The words before it say what is
 * expected; options among them are passed over. A candidate that ends with `=`
 * wants a value. The session's store may be NULL: no names then.
 */
void complete_words(struct session *, char **words, int n, struct arena *,
	struct strv *candidates);

/* Which entity's names are the values of a condition, of a word of an add?
 * False: of none in the store. */
bool where_kind(const struct entity *, const struct where_word *,
	enum name_kind *kind);
bool set_kind(const struct member *, enum name_kind *kind);
bool add_kind(struct session *, const struct vocabulary *, const struct word *,
	enum name_kind *kind);

/* Prints the candidates, one a line. Opens the store itself, never makes one,
 * and is silent when something is wrong with it. */
void complete_print(char **words, int n);

#endif
