/*
 * Job states: Slurm's numbers, words and short codes (Slurm's
 * src/common/slurm_protocol_defs.c). A state is a base state (the low byte)
 * with flags or-ed onto it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum job_state {
	JOB_PENDING = 0,
	JOB_RUNNING = 1,
	JOB_SUSPENDED = 2,
	JOB_COMPLETED = 3,
	JOB_CANCELLED = 4,
	JOB_FAILED = 5,
	JOB_TIMEOUT = 6,
	JOB_NODE_FAIL = 7,
	JOB_PREEMPTED = 8,
	JOB_BOOT_FAIL = 9,
	JOB_DEADLINE = 10,
	JOB_OUT_OF_MEMORY = 11,
	JOB_BASE_STATES = 12, /* number of base states */
	JOB_BASE_MASK = 0xff,

	JOB_LAUNCH_FAILED = 0x100,
	JOB_REQUEUED = 0x400,
	JOB_REQUEUE_HOLD = 0x800,
	JOB_SPECIAL_EXIT = 0x1000,
	JOB_RESIZING = 0x2000,
	JOB_CONFIGURING = 0x4000,
	JOB_COMPLETING = 0x8000,
	JOB_STOPPED = 0x10000,
	JOB_REVOKED = 0x80000,
	JOB_REQUEUE_FED = 0x100000,
	JOB_RESV_DEL_HOLD = 0x200000,
	JOB_SIGNALING = 0x400000,
	JOB_STAGE_OUT = 0x800000,
};

struct job_state_word {
	uint32_t state;	  /* one base state, or one flag */
	const char *word; /* "COMPLETED" */
	const char *code; /* "CD" */
};

/* All states, base states first; ends with a NULL word. */
extern const struct job_state_word job_state_words[];

/* The word and the short code that commands print for a state: that of a flag if
 * one is set, else of the base state. "?" for an unknown base state. */
const char *job_state_word(uint32_t state);
const char *job_state_code(uint32_t state);

/* Reads a word or a code in any case. Returns 0, or -1 if there is no such
 * state. */
int job_state_parse(const char *text, uint32_t *state);

/* Questions about the base state; flags do not count. Started: running or
 * suspended. Finished: all after that. */
bool job_state_pending(uint32_t state);
bool job_state_started(uint32_t state);
bool job_state_finished(uint32_t state);

/* ---- flags of a job: how it came to start -------------------------------- */

/* Bit i of the flags has the word job_flag_words[i]: SchedNotSet, SchedSubmit,
 * SchedMain, SchedBackfill, StartReceived. */
enum {
	JOB_FLAG_BACKFILL = 1 << 3,
	JOB_FLAG_START_RECEIVED = 1 << 4,
	JOB_FLAGS = 5
};

extern const char *const job_flag_words[JOB_FLAGS];

/* The same as documents have them: NOT_SET, STARTED_ON_SUBMIT ... */
extern const char *const job_flag_names[JOB_FLAGS];

/* The flag (one bit) of a word of `len` bytes, any case; 0 for an unknown word.
 */
uint32_t job_flag_parse(const char *text, size_t len);
