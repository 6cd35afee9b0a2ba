/*
 * What the text and the document of sprio --explain share: everything that is
 * claimed is worked out in explain.c.
 */
#ifndef BURSAR_SPRIO_EXPLAIN_H
#define BURSAR_SPRIO_EXPLAIN_H

#include "cmd/sprio/sprio.h"
#include "db/view/plan.h"

/* One explanation while it is being written. */
struct telling {
	struct site *site;
	const char *cluster;
	const struct plan *plan;
	const struct jobprio *prio; /* the plan's */
	const struct job *job;
	struct jobprio_rows mine;   /* of the job */
	struct jobprio_rows others; /* of every job that competes */
	const struct jobprio_row **line; /* those that wait, in order */
	size_t n_line;
	const struct privacy *privacy;
	struct arena *arena; /* for the time this job is told */
	struct arena *site_arena;
	size_t told; /* jobs */
};

/* The line of a partition, as far as it stands before the job. */
struct place {
	size_t of;			  /* jobs in line, with this one */
	const struct jobprio_row **ahead; /* first in line first */
	size_t n;
};

struct place explain_place(const struct telling *, const struct jobprio_row *);

/* From here on those ahead are told; the last is just ahead. */
size_t explain_first_shown(const struct place *);

/* The factor in which the other is furthest ahead. */
const char *explain_main_reason(
	const struct jobprio_row *other, const struct jobprio_row *row);

struct wait {
	const char *text;   /* for its user */
	const char *reason; /* Slurm's name */
	/* The limit that decides, as sacctmgr shows it: its keyword, its value,
	 * and what it is set on; NULL: none. */
	const char *limit, *value, *owner;
	const char *heir; /* the association that has it from there; NULL */
	/* What the job asks for; what is in use now and, if more, with every
	 * job that can start now; NULL: not counted. */
	const char *asked, *in_use, *soon;
};

struct waits {
	struct wait v[5];
	size_t n;
	bool starts_now; /* it waits for nothing */
};

struct waits explain_waits(const struct telling *);

/* The same as a record of a document. */
struct json_object *explain_record(const struct telling *);

#endif
