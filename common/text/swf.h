/*
 * The Standard Workload Format, version 2.2, of the Parallel Workloads Archive
 * (spec/reporting.md 10): one job a line, 18 numbers, -1 where nothing is known.
 * Pure: lines in, numbers out.
 */
#ifndef BURSAR_SWF_H
#define BURSAR_SWF_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

enum swf_field {
	SWF_ID,
	SWF_SUBMIT, /* seconds since the start of the log */
	SWF_WAIT,
	SWF_RUN,
	SWF_PROCS,
	SWF_CPU, /* seconds, mean of each processor */
	SWF_MEM, /* KiB, of each processor */
	SWF_REQ_PROCS,
	SWF_REQ_TIME,
	SWF_REQ_MEM,
	SWF_STATUS,
	SWF_USER,
	SWF_GROUP,
	SWF_EXECUTABLE,
	SWF_QUEUE,
	SWF_PARTITION,
	SWF_AFTER,
	SWF_THINK,
	SWF_FIELDS,
};

/* The part of a fraction behind the point is dropped. */
struct swf_job {
	int64_t v[SWF_FIELDS];
};

/* What the comments in front of the jobs say. */
struct swf_header {
	int64_t start; /* UnixStartTime; 0: not said */
	int64_t procs; /* MaxProcs; 0 */
	int64_t nodes; /* MaxNodes; 0 */
	struct strv queues; /* names by number, "" where unknown */
};

/* 1: a job; 0: a comment (taken into the header when it has a keyword that
 * counts) or a blank line; -1 with a reason. */
int swf_line(const char *line, struct swf_header *, struct arena *,
	struct swf_job *, struct err *);

#endif
