/*
 * The arithmetic of advice: which scheduler parameters and time limits a
 * history asks for. Pure: numbers in, numbers out.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* ---- depth ---------------------------------------------------------------*/

/* Seconds, as measured or given. */
struct advise_pace {
	double test,
		reject;	    /* of one job: with a full test of nodes, without */
	double cycle;	    /* bf_max_time */
	double hold, sleep; /* bf_yield_interval, bf_yield_sleep */
	unsigned partitions;
};

struct advise_depth {
	double mean;	   /* seconds a job */
	double work;	   /* seconds of a cycle that are not slept */
	double jobs;	   /* work / mean */
	double partition;  /* jobs / partitions */
	double full_tests; /* work / test */
};

/* How many jobs a backfill cycle can look at. All members of the pace must be
 * above 0, but sleep and reject may be 0. */
void advise_depth(const struct advise_pace *, struct advise_depth *);

/* The number rounded down, where 2.9999999999999 counts as 3. */
int64_t advise_whole(double);

/* ---- windows and limits --------------------------------------------------*/

/* The bf_window, in minutes, that holds a time limit of so many minutes: whole
 * days, 1 to 30. */
int64_t advise_window(uint32_t longest_minutes);

/*
 * bf_resolution in seconds that keeps the window in 1440 steps, or 720 with
 * 1000 nodes or more, and lies on a round number; no more than half of the
 * median limit, so that short jobs can still be backfilled.
 */
int64_t advise_resolution(
	int64_t window_minutes, size_t nodes, uint32_t median_limit_minutes);

/* The next round time limit, in minutes: 1 2 5 10 15 20 30 minutes, 1 2 3 4 6 8
 * 12 hours, then whole days. */
uint32_t advise_round_limit(int64_t seconds);

/* ---- numbers of a history ------------------------------------------------*/

/* The quantile q (0 to 1) of the n numbers, by nearest rank; 0 when n is 0.
 * Changes the order of v. */
int64_t advise_quantile(int64_t *v, size_t n, double q);

/* The most spans [from, to) that overlap at one moment; sorts both. */
size_t advise_deepest(int64_t *from, int64_t *to, size_t n);

/* The most moments within `span` seconds of each other; sorts them. */
size_t advise_busiest(int64_t *moments, size_t n, int64_t span);

/* `jobs` and a quarter more, rounded up to two digits: 123 gives 160. */
int64_t advise_round_count(int64_t jobs);
