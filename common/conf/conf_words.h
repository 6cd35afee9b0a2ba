/*
 * Finds unknown words in slurm.conf, for `sacctmgr check` and hints: keywords that Slurm
 * does not have, and words that PriorityFlags and PrivateData do not know.
 * Slurm refuses to start with some of them; Bursar's programs ignore them (see
 * conf.h).
 */
#pragma once

#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/err.h"

/* An unknown word, and where it is. */
struct conf_strange {
	const char *file;
	int line;
	const char *word, *nearest; /* nearest: the known word that may have
				     * been meant, or NULL */
};

struct conf_strange_list {
	struct conf_strange *v;
	size_t n, cap;
};

/* Fills the list, in the arena, from slurm.conf at `path` and the files it
 * includes. Returns 0; -1 with err: conf_lex_file cannot read them. */
int conf_strange_words(const char *path, struct arena *,
	struct conf_strange_list *, struct err *);

/* The keyword of Slurm that was nearly written, in a line that begins with the
 * keyword `first`; NULL: the word is one, or none is so near that it must have
 * been meant. In the arena. */
const char *conf_word_meant(
	const char *first, const char *word, struct arena *);
