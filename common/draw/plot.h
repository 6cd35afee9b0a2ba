/*
 * Draws numbers over time as text, in Unicode blocks or in ASCII: a sparkline
 * (one line of blocks in eighths of their height), and an area with axes. Also
 * computes the ticks of an axis of time or of numbers, for common/draw/svg.h
 * too. Times are epoch seconds. Pure, but for the local time zone; all texts
 * are in the arena.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"

/* One value for each of `n` evenly spaced times; NaN: unknown. */
struct plot_series {
	const double *v;
	size_t n;
};

/* The lowest and the highest known value; 0 and 0 if none is known. */
void plot_range(const struct plot_series *, double *low, double *high);

/* A sparkline: one block per value, from ▁ (low or less) to █ (high or more),
 * in ASCII from _ to #; a blank for NaN. */
const char *plot_spark(const struct plot_series *, double low, double high,
	bool ascii, struct arena *);

/* The smallest step in seconds (1, 10, a minute, ... an hour, ... a day, ...
 * years) of which at most `most` fit between `from` and `to`. `most` is at
 * least 1. */
int64_t plot_step(int64_t from, int64_t to, size_t most);

/* A tick of an axis. */
struct plot_tick {
	double at; /* epoch seconds, or the number */
	const char *label;
};

struct plot_ticks {
	struct plot_tick *v;
	size_t n, cap;
};

/* Ticks at full steps of the local clock in [from, to], by plot_step;
 * beginnings of months for long steps. Labels such as "14:00" or "Nov 20". */
void plot_time_ticks(struct plot_ticks *, int64_t from, int64_t to, size_t most,
	struct arena *);

/* Ticks at round numbers from 0 to at least `high`, in at most `most` steps,
 * with labels such as "2.5M"; the last tick is the top of the axis. */
void plot_number_ticks(
	struct plot_ticks *, double high, size_t most, struct arena *);

/* A number with three significant digits: "0.125", "37", "1.25M"; "" for NaN
 * and infinity. */
const char *plot_number(double, struct arena *);

/* An area under the values, with numbers at the left and times below. */
struct plot_area {
	struct plot_series series; /* a column for each value */
	int64_t from, to; /* times of the first and the last column */
	double high; /* the top; the bottom is 0 */
	size_t rows; /* lines of the area, without the axis */
	const char *colour; /* SGR parameter such as "32"; NULL: none */
	bool ascii; /* nothing but ASCII */
};

/* Appends the lines of the picture, without newlines, to `lines`. */
void plot_draw(const struct plot_area *, struct strv *lines, struct arena *);
