/*
 * What the parts of splan share: its options, the rows it prints, and starting
 * what the pass found.
 */
#ifndef BURSAR_SPLAN_H
#define BURSAR_SPLAN_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/json.h"
#include "db/plan.h"
#include "db/site.h"

struct options {
	bool start, over, heading, csv;
	enum json_form form;
};

/* Fills the options from the command line; may end the program. */
void splan_options(struct options *, int argc, char **argv);

/* Starts in the store what the plan says, in the transaction that is open. */
int start_jobs(struct plan *, struct arena *scratch, struct err *);

/* One line for each job that waited, in the order of the queue. */
void print_plan(const struct plan *, const struct options *, int argc,
	char **argv, struct err *);

/* One line for each running job that has reached a limit. */
void print_over(struct plan *, const struct options *, int argc, char **argv,
	struct err *);

#endif
