/*
 * Reads the Standard Workload Format, version 2.2, of the Parallel Workloads
 * Archive (cs.huji.ac.il/labs/parallel/workload/swf.html): one job per line, 18
 * numbers, -1 for unknown. Pure: lines in, numbers out.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

enum swf_field {
	SWF_ID,
	SWF_SUBMIT, /* seconds since the start of the log */
	SWF_WAIT, /* seconds */
	SWF_RUN, /* seconds */
	SWF_PROCS,
	SWF_CPU, /* CPU time in seconds, mean of all processors */
	SWF_MEM, /* KiB per processor */
	SWF_REQ_PROCS,
	SWF_REQ_TIME, /* seconds */
	SWF_REQ_MEM, /* KiB per processor */
	SWF_STATUS,
	SWF_USER,
	SWF_GROUP,
	SWF_EXECUTABLE,
	SWF_QUEUE,
	SWF_PARTITION,
	SWF_AFTER, /* number of the job it depends on */
	SWF_THINK, /* seconds between the end of that job and the submit */
	SWF_FIELDS, /* number of fields */
};

/* The fields of a line, by enum swf_field; decimals are dropped. */
struct swf_job {
	int64_t v[SWF_FIELDS];
};

/* What the comments before the jobs say. */
struct swf_header {
	int64_t start; /* UnixStartTime, epoch seconds; 0: not given */
	int64_t procs; /* MaxProcs; 0: not given */
	int64_t nodes; /* MaxNodes; 0: not given */
	struct strv queues; /* names by queue number, "" if unknown */
};

/* Reads a line. Returns 1: a job, in *job; 0: a blank line or a comment, whose
 * UnixStartTime, MaxProcs, MaxNodes or Queue goes into the header; -1: neither,
 * err (ERR_USAGE) says why, without a line number. */
int swf_line(const char *line, struct swf_header *, struct arena *,
	struct swf_job *, struct err *);
