/*
 * Node states: Slurm's numbers, words and abbreviations. A state is a base
 * state (the low four bits) with flags or-ed onto it.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"

enum node_state {
	NODE_UNKNOWN,
	NODE_DOWN,
	NODE_IDLE,
	NODE_ALLOCATED,
	NODE_ERROR,
	NODE_MIXED,
	NODE_FUTURE,
	NODE_BASE_STATES, /* number of base states */
	NODE_BASE_MASK = 0xf,

	NODE_RESERVED = 1 << 5,
	NODE_CLOUD = 1 << 7,
	NODE_DRAIN = 1 << 9,
	NODE_COMPLETING = 1 << 10,
	NODE_NO_RESPOND = 1 << 11,
	NODE_POWERED_DOWN = 1 << 12,
	NODE_FAIL = 1 << 13,
	NODE_POWERING_UP = 1 << 14,
	NODE_MAINT = 1 << 15,
	NODE_REBOOT_REQUESTED = 1 << 16,
	NODE_POWERING_DOWN = 1 << 18,
	NODE_REBOOT_ISSUED = 1 << 20,
	NODE_PLANNED = 1 << 21,
	NODE_POWER_DOWN = 1 << 23,
	NODE_DYNAMIC_NORM = 1 << 26,
};

/* All states, base states first in order of their numbers; ends with a NULL
 * word. */
struct node_state_word {
	uint32_t state;
	const char *word, *code; /* "ALLOCATED", "ALLOC" */
};
extern const struct node_state_word node_state_words[];

/* The word that sinfo prints for a base state with its flags (`DRAINED`,
 * `DRAINING*`, `IDLE~`), and its abbreviation (`DRAIN`, `DRNG*`). */
const char *node_state_word(uint32_t state, struct arena *);
const char *node_state_code(uint32_t state, struct arena *);

/* The base state and every flag: "IDLE+DRAIN". */
const char *node_state_complete(uint32_t state, struct arena *);

/* Appends the same as single words: "IDLE", "DRAIN". */
void node_state_list(uint32_t state, struct arena *, struct strv *words);

/* NODE_DRAIN is set, and the node is ALLOCATED, MIXED, ERROR or COMPLETING
 * (draining), or is none of these (drained). */
int node_state_drained(uint32_t state);
int node_state_draining(uint32_t state);

/*
 * Returns `state` with the words and marks of a record's state text added
 * ("DOWN*", "IDLE+DRAIN", "maint"); unknown words add nothing. Of base states
 * only those in which no job can start (DOWN, ERROR, FUTURE) replace that of
 * `state`; others change nothing.
 */
uint32_t node_state_add(uint32_t state, const char *text);

/*
 * Reads a state as sinfo -t takes it: a base state or flag, its abbreviation,
 * or the beginning of either, in any case. DRAINED gives NODE_DRAIN |
 * NODE_IDLE, DRAINING NODE_DRAIN | NODE_ALLOCATED. Returns 0; -1 for anything
 * else.
 */
int node_state_parse(const char *text, uint32_t *state);
