/*
 * Node states: Slurm's numbers, words and abbreviations. A state is a base
 * state (the low four bits) with flags or-ed onto it.
 */
#ifndef BURSAR_NODESTATE_H
#define BURSAR_NODESTATE_H

#include <stddef.h>
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
	NODE_BASE_STATES, /* how many */
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

/* Base states first; ends with a NULL word. */
struct node_state_word {
	uint32_t state;
	const char *word, *code; /* "ALLOCATED", "ALLOC" */
};
extern const struct node_state_word node_state_words[];

/* The word for people: a base state and flags together, as `DRAINED`,
 * `DRAINING*`, `IDLE~`; the same abbreviated, `DRAIN`, `DRNG*`. */
const char *node_state_word(uint32_t state, struct arena *);
const char *node_state_code(uint32_t state, struct arena *);

/* The base state and every flag: "IDLE+DRAIN". */
const char *node_state_complete(uint32_t state, struct arena *);

/* The same as words of their own. */
void node_state_list(uint32_t state, struct arena *, struct strv *words);

/* Does it count as drained (nothing runs there), as draining? */
int node_state_drained(uint32_t state);
int node_state_draining(uint32_t state);

/*
 * Puts what a record says of a node ("DOWN*", "IDLE+DRAIN", "maint") onto
 * `state`; an unknown word adds nothing. A base state in which no job can start
 * (DOWN) replaces the base state.
 */
uint32_t node_state_add(uint32_t state, const char *text);

/*
 * What sinfo -t takes: a state or the beginning of one, of its abbreviation, of
 * a flag. DRAINED is NODE_DRAIN with NODE_IDLE, DRAINING with NODE_ALLOCATED.
 * -1 for anything else.
 */
int node_state_parse(const char *text, uint32_t *state);

#endif
