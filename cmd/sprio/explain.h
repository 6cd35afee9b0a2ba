/*
 * sprio --explain: what there is to say of a job that waits. explain.c finds it
 * out, and what of it the caller may see; the text and the document only write
 * it down.
 */
#pragma once

#include "cmd/sprio/sprio.h"
#include "db/view/plan.h"
#include "db/whatif/remedies.h"

/* A job just ahead. */
struct ahead {
	uint32_t id;
	const char *user, *account; /* NULL: the caller may not see whose */
	uint32_t priority;
	int64_t more;	       /* than this job's */
	const char *mostly_by; /* the factor in which it is furthest ahead */
};

/* The job in one partition under one QOS. */
struct queued_line {
	struct jobprio_row *prio;
	size_t place, of; /* in line for the partition; 0: it is in none */
	const struct ahead *ahead; /* the last is just ahead of it */
	size_t n;
};

struct wait_told {
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
	struct wait_told v[5];
	size_t n;
};

struct explained {
	struct site *site;
	const char *cluster;
	struct plan *plan;
	const struct jobprio *prio; /* the plan's */
	struct arena *arena;	    /* of this job */
	const struct job *job;
	struct queued_line *lines;
	size_t n;
	struct verdict verdict;
	struct remedies remedies; /* .arena NULL: none were looked for */
	struct waits waits;
	struct privacy names; /* whose limit may be named */
};

/* In the order in which they are told. */
extern const struct explain_factor {
	enum priority_factor factor;
	const char *name;
	/* How the job came by it. */
	const char *(*why)(
		const struct explained *, const struct jobprio_row *);
} explain_factors[PRIORITY_FACTORS];

void explain_text(const struct explained *);
struct json_object *explain_record(const struct explained *);
