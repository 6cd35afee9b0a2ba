/*
 * Checks of the whole store, one row each: integrity of the file and of
 * references between rows, rules that Bursar relies on, and settings that an
 * administrator probably did not intend. None of them changes anything or
 * blocks others.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "db/store/store.h"

/* One thing that is wrong. */
struct finding {
	const char *text; /* a sentence */
	struct strv words; /* of the sacctmgr command that mends it; empty:
			      none does */
	const char *remedy; /* what else mends it; NULL: check.remedy */
	bool safe; /* the command changes nobody's rights */
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
	const char *what; /* what holds when nothing is found */
	const char *remedy; /* what the administrator does about a finding */
	/* A query with a row for each finding: the sentence, and optionally the
	 * words of the command, char(31) between them, and whether it is
	 * safe. */
	const char *sql;
	/* Where `sql` is NULL: adds the findings; 0, or -1 with the store's
	 * error. */
	int (*run)(struct checking *);
};

extern const struct check checks[];
extern const size_t n_checks;

/* Runs the check and adds its findings. When the list gets longer than
 * CHECK_MOST it ends with a finding that says that there are more. A store too
 * damaged to be read is a finding too. 0, or -1 with the store's error. */
enum { CHECK_MOST = 100 };
int check_run(const struct check *, struct checking *);
