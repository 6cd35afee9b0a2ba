/* What tests/torture/faults.c writes down and tests/torture/power.c plays. */
#pragma once

#include <stdint.h>

enum trace_op {
	TRACE_CREATE,
	TRACE_WRITE,
	TRACE_CONTENT, /* all of the file, as it is now */
	TRACE_TRUNCATE, /* to `offset` bytes */
	TRACE_SYNC,
	TRACE_SYNC_FOLDER,
	TRACE_UNLINK,
	TRACE_RENAME, /* to `other` */
	TRACE_SAID, /* a command was acknowledged; `offset`: which */
};

/* Followed by the path, the other path and the bytes. */
struct trace_record {
	uint32_t op, path, other, unused;
	int64_t offset;
	uint64_t bytes;
};
