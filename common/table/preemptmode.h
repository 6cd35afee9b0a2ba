/*
 * How a QOS gives way: the words of PreemptMode (slurm.conf(5), sacctmgr(1)).
 */
#pragma once

#include <stdint.h>

#include "common/table/attr.h"

enum preempt_mode {
	PREEMPT_OFF = 0, /* the cluster's PreemptMode holds */
	PREEMPT_SUSPEND = 1 << 0,
	PREEMPT_REQUEUE = 1 << 1,
	PREEMPT_CANCEL = 1 << 2,
	PREEMPT_GANG = 1 << 3,
	PREEMPT_WITHIN = 1 << 4,
	PREEMPT_PRIORITY = 1 << 5,
	PREEMPT_CLUSTER = 1 << 6, /* means the same as PREEMPT_OFF */
};

/* The words, which are typed in full, in any case; in the order in which JSON
 * lists them. */
extern const struct flag_word preempt_mode_words[];

/* Reads one of off, cluster, suspend, requeue, cancel, with additions:
 * "gang,suspend". 0, or -1: an unknown word, or words that exclude each other. */
int preempt_mode_parse(const char *text, uint32_t *mode);

/* The mode as text, additions first; "cluster" when no other mode is set. In
 * the arena. */
const char *preempt_mode_text(uint32_t mode, struct arena *);
