/*
 * Is all of it right? Checks of the whole store, one row each: what SQLite and
 * the references between rows say, and what Bursar takes for granted. None of
 * them changes anything or stops others.
 */
#ifndef BURSAR_DB_CHECK_H
#define BURSAR_DB_CHECK_H

#include "common/conf/policy.h"
#include "db/store/store.h"

struct check {
	const char *name;
	const char *what; /* that it looks at */
	const char *mends; /* what the administrator does about a finding */
	/* Gives a sentence for each finding; */
	const char *sql;
	/* or pushes them. */
	int (*run)(struct store *, const struct policy *, struct arena *,
		struct strv *found);
};

extern const struct check checks[];
extern const size_t n_checks;

/* Pushes a sentence for each thing that is wrong, at most CHECK_MOST and one
 * that says that there are more. A store so damaged that it cannot be asked is
 * a finding too. */
enum { CHECK_MOST = 100 };
int check_run(struct store *, const struct check *, const struct policy *,
	struct arena *, struct strv *found);

#endif
