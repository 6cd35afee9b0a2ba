/*
 * What the parts of splan --advise share: what was given, what the history
 * says, what is advised, and what a replay makes of it.
 */
#pragma once

#include "cmd/splan/splan.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "common/plan/advise.h"
#include "common/sim/metrics.h"

/* Jobs that figures are made of at least; that are looked at at most; that are
 * replayed unless said. */
enum { ADVISE_LEAST = 30, ADVISE_MOST = 20000, ADVISE_REPLAYED = 3000 };

/* Replays: as things are, with the parameters advised, with the limits, with
 * both. */
enum advise_world {
	WORLD_NOW,
	WORLD_PARAMETERS,
	WORLD_LIMITS,
	WORLD_BOTH,
	WORLDS
};

/* Of --advise=...; negative: not given. */
struct given {
	double test, reject, cycle, hold, sleep, partitions, jobs;
};

/* Jobs that ran in one partition. */
struct past_part {
	const struct conf_partition *conf;
	int64_t *elapsed, *bare; /* seconds; bare: no limit of their own */
	size_t n, cap, n_bare, cap_bare;
	int64_t *limits; /* seconds, of those that had one */
	size_t n_limits, cap_limits;
	size_t timeouts;
	int64_t longest; /* seconds it ran */
	double used;	 /* sum of elapsed / limit */
	/* Comes out. */
	uint32_t default_time, max_time; /* minutes; 0: no advice */
};

struct past_jobs {
	size_t jobs; /* that ran */
	int64_t first, last;
	struct past_part *parts; /* as in the configuration */
	uint32_t longest_limit;	 /* minutes */
	uint32_t longest_id;
	size_t unlimited;
	size_t gone;	    /* ran in partitions that are not there any more */
	int64_t *limits;    /* minutes */
	int64_t *from, *to; /* waiting */
	int64_t *moments;   /* of submissions, starts, ends */
	size_t n_limits, cap_limits, cap_from, cap_to, n_moments, cap_moments;
	size_t deepest, busiest; /* jobs waiting; events in an hour */
};

/* One line of the advice. */
struct advice {
	const char *name, *current, *advised; /* NULL: no advice */
	const char *unit, *why;
	bool change;
};

struct advice_line {
	const char *about, *text;
};

struct advising {
	struct planned *p;
	const struct options *options;
	struct site *site;
	struct err *err;
	struct arena arena;
	struct given given;
	struct sched_params params; /* in effect */
	struct sched_params better; /* as advised */
	struct past_jobs past;
	size_t tested;	/* jobs, when a pass was timed */
	size_t waiting; /* jobs that could start now */
	struct advise_pace pace;
	struct advice *v;
	size_t n, cap;
	struct advice_line *lines;
	size_t n_lines, cap_lines;
	bool replayed;
	struct metrics worlds[WORLDS];
	size_t replayed_jobs;
	const char *verdict;
};

/* The last jobs of the history. -1. */
int advise_read(struct advising *);

/* Lines, rows, and the better parameters. -1. */
int advise_reckon(struct advising *);

/* Replays the last jobs as things are and as advised. -1. */
int advise_replay(struct advising *);

void print_advice(struct advising *);

/* Minutes as slurm.conf takes them. */
const char *advise_minutes(uint32_t minutes, struct arena *);
