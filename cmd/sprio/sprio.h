/*
 * What the parts of sprio share: its options, its letters and its rows (Slurm's
 * src/sprio).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/cli/printout.h"
#include "common/cli/options.h"
#include "common/text/jobid.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/view/shares.h"

struct options {
	struct arena *arena;
	bool heading, long_list, normalized, weights;
	int verbose;
	const char *format_text, *sort; /* as typed; NULL: not given */
	struct option_clusters clusters;
	struct option_jobs jobs;
	struct option_list partitions, users;
	bool csv;
	enum json_form form;
	const char *explain_text; /* --explain, as typed, or NULL */
	struct job_id explain;
	bool explain_all; /* every job that waits */
	const char *at_text; /* --at, or NULL */
	struct strv what_if; /* as typed */
	bool with_reasons;   /* a scheduling pass is to be made for rows */
};

/* Fills the options from environment and command line; may end the program. */
void sprio_options(struct options *, struct arena *, int argc, char **argv);

/* ---- rows ----------------------------------------------------------------*/

struct row {
	const struct policy *policy;
	const struct tres_catalog *tres;
	struct jobprio_row *prio; /* NULL: the Weights row */
	const char *cluster;
	int64_t cluster_key;
	bool federated;	    /* the cluster's name is shown */
	const char *reason; /* why it waits; "": not asked, or it runs */
	size_t order;	    /* as it came, for equal keys */
};

struct rows {
	struct row *v;
	size_t n, cap;
	bool any; /* were there jobs before the filter? */
};

bool sprio_may_see(const struct privacy *, const struct job *);

/* Is the row among those asked for? */
bool sprio_wanted(const struct options *, const struct row *);

/* Appends the rows of the cluster that the caller may see and asked for. Returns
 * 0, or -1 with the store's err set. */
int sprio_load(struct rows *, const struct options *, struct site *,
	const struct privacy *, const char *cluster, bool federated,
	struct arena *);

/* ---- letters -------------------------------------------------------------*/

/* Mark of a letter: it needs a scheduling pass. */
enum { LETTER_OF_PLAN = MEMBER_OWN_MARK };

/* Of a struct row; `constant` is what the Weights row shows, whose getters are
 * given a row without `prio`. */
extern const struct members sprio_letters;

const char *row_sluid(const struct row *, struct arena *);
double row_priority(const struct row *); /* not cut to an integer */

/* Takes the options' format apart, or makes that of the mode (spec 7.3);
 * complains about unknown letters. */
void sprio_format_read(struct format *, const struct options *,
	const struct policy *, struct arena *);

/* ---- sorting -------------------------------------------------------------*/

/* Sorts by the keys, as "i" or "-Y,u"; an unknown letter ends the program. */
void sort_rows(struct rows *, const char *keys);

/* ---- why ------------------------------------------------------------------*/

/* Explains the priority of options->explain; gives the exit status. Errors of
 * the store end the program. */
int sprio_explain(const struct options *, struct site *, const struct privacy *,
	const char *cluster, struct arena *);

/* Does a go before b in the line of a partition? Higher priority, earlier
 * submission, lower id. */
bool sprio_goes_before(
	const struct jobprio_row *a, const struct jobprio_row *b);

/* --what-if: before, after and the difference for every row asked for; gives
 * the exit status. */
int sprio_whatif(const struct options *, struct site *, struct site *now,
	const struct privacy *, const char *cluster);

/* ---- machine output ------------------------------------------------------*/

struct json_object *row_record(const void *row, struct arena *);
struct json_object *weights_record(const struct policy *);
