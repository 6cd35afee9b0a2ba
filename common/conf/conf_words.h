/*
 * Words in slurm.conf that mean nothing: no keyword of Slurm's, or no word of
 * the lists that are looked at here. Slurm refuses to start with some of them;
 * a program of ours reads the file as it is (see conf.h), and `sacctmgr check`
 * tells.
 */
#ifndef BURSAR_CONF_WORDS_H
#define BURSAR_CONF_WORDS_H

#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/err.h"

struct conf_strange {
	const char *file;
	int line;
	const char *word, *nearest; /* what might have been meant, or NULL */
};

struct conf_strange_list {
	struct conf_strange *v;
	size_t n, cap;
};

/* -1: the file cannot be read. */
int conf_strange_words(const char *path, struct arena *,
	struct conf_strange_list *, struct err *);

#endif
