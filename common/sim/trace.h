/*
 * A trace in memory: who asked for what when, and how long it ran; made from
 * rows of an SWF file or of any history, under rules that say what is left out.
 * Pure: rows in, jobs out. Times are seconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/text/swf.h"

/* What a job asked for that no policy simulates. */
enum trace_ask { TRACE_MEMORY = 1, TRACE_GRES = 2, TRACE_LICENSES = 4 };

struct trace_job {
	int64_t id;
	int64_t submit; /* since trace->start */
	int64_t run;	/* never longer than the limit */
	int64_t limit;	/* asked for by the user */
	uint32_t procs;
	uint32_t user, group, name, queue; /* indexes in the trace's names */
	int16_t status;			   /* as SWF has it */
	uint16_t asks;			   /* enum trace_ask */
	uint32_t nodes; /* as many at least; 0: not asked for */
	uint32_t tag;	/* its kind, from 1; 0: none is known */
};

/* What is left out, or changed, and why. */
enum trace_why {
	TRACE_NO_SUBMIT, /* left out */
	TRACE_NO_RUN,
	TRACE_NO_LIMIT,
	TRACE_NO_PROCS,
	TRACE_TOO_LARGE,
	TRACE_ABSURD, /* a time of thousands of years */
	TRACE_PART,   /* of a job whose whole has a line of its own */
	TRACE_CANCELLED,
	TRACE_OUTSIDE,	   /* of the window */
	TRACE_OVER_LIMIT,  /* stays; ran longer than its limit */
	TRACE_GIVEN_LIMIT, /* stays; had none */
	TRACE_UNORDERED,   /* stays; its line came after a later job's */
	TRACE_WHYS,
};

struct trace_count {
	uint64_t n;
	int64_t first; /* id of the first of them */
};

/* What to do with a job that ran longer than its limit. */
enum trace_over { TRACE_CUT, TRACE_RAISE };

/* What to do with a job that has no limit. */
enum trace_missing { TRACE_DROP, TRACE_AS_RUN, TRACE_GIVE };

struct trace_rules {
	enum trace_over over;	    /* run := limit, or limit := run */
	enum trace_missing missing; /* limit := run, or := limit_given */
	int64_t limit_given;
	bool drop_cancelled;
	int64_t from, until; /* submitted in [from, until); 0, 0: all */
};

/* Numbers as a trace has them, each with a small index. -1: unknown. */
struct trace_names {
	int64_t *numbers; /* by index */
	size_t n, cap;
	uint32_t *slots; /* a hash table of indexes + 1 */
	size_t n_slots;
};

struct trace {
	struct trace_rules rules;
	struct trace_job *jobs; /* by submit, then as they came */
	size_t n, cap;
	int64_t start;	/* seconds since 1970; 0: unknown */
	uint32_t procs; /* of the machine */
	uint64_t rows;	/* jobs that were seen */
	struct trace_count counts[TRACE_WHYS];
	struct trace_names users, groups, names, queues;
};

/* The rules of the reference figures are those with all members 0. */
void trace_init(struct trace *, const struct trace_rules *);
void trace_release(struct trace *);

/* Adds a row, or counts why it is left out. Returns 0, or -1 with err when
 * there are too many jobs (ERR_USAGE). */
int trace_add(struct trace *, const struct swf_job *, struct err *);

/*
 * After the last row: sorts what came out of order, leaves out what is larger
 * than the machine of `procs` processors.
 */
void trace_finish(struct trace *, uint32_t procs);

/* The reason in words, such as "larger than the machine". */
const char *trace_why_text(enum trace_why);
