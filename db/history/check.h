/*
 * Checks of the whole store, one row each: integrity of the file and of
 * references between rows, rules that Bursar relies on, and settings that an
 * administrator hardly meant. None of them changes anything or blocks others.
 */
#ifndef BURSAR_DB_CHECK_H
#define BURSAR_DB_CHECK_H

#include <stdbool.h>

#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "db/store/store.h"

/* Something that is wrong. */
struct finding {
	const char *text;
	struct strv words; /* of the sacctmgr command that mends it */
	const char *mends; /* or what else mends it; NULL: see the check's own */
	bool safe; /* rights are the same after the command */
};

struct findings {
	struct finding *v;
	size_t n, cap;
};

/* What a check looks at, and where its findings go. */
struct checking {
	struct store *store;
	const struct conf *conf;
	const struct conf_dbd *dbd;
	struct arena *arena;
	struct findings *found;
};

struct check {
	const char *name;
	const char *what; /* it looks at */
	const char *mends; /* what the administrator does about a finding */
	/* Gives a sentence for each finding, and where there is one the words
	 * of a command, with char(31) between them, and whether it is safe; */
	const char *sql;
	/* or a function adds the findings. */
	int (*run)(struct checking *);
};

extern const struct check checks[];
extern const size_t n_checks;

/* Adds what is wrong, at most CHECK_MOST and one that says that there are
 * more. A store too damaged to be read is a finding too. */
enum { CHECK_MOST = 100 };
int check_run(const struct check *, struct checking *);

#endif
