/*
 * Numbers over time as pictures of Unicode blocks, or in ASCII: a line of eighths, an area
 * with axes; and the ticks that an axis of time or of numbers has (common/draw/svg.h
 * uses them too). Pure but for the local time zone; text is the arena's.
 */
#ifndef BURSAR_PLOT_H
#define BURSAR_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"

/* One value for each of `n` moments; NaN: nothing is known. */
struct plot_series {
	const double *v;
	size_t n;
};

/* Lowest and highest known value; 0 and 0 when no value is known. */
void plot_range(const struct plot_series *, double *low, double *high);

/* `n` blocks from ▁ (low or less) to █ (high), in ASCII from _ to #; a blank
 * for NaN. */
const char *plot_spark(const struct plot_series *, double low, double high,
	bool ascii, struct arena *);

/* Seconds between moments so that at most `most` lie between the two: a minute,
 * an hour, six, a day ... */
int64_t plot_step(int64_t from, int64_t to, size_t most);

/* Local times of full steps with their labels, "14:00" or "Nov 20". */
struct plot_tick {
	double at; /* seconds, or the number */
	const char *label;
};

struct plot_ticks {
	struct plot_tick *v;
	size_t n, cap;
};

void plot_time_ticks(struct plot_ticks *, int64_t from, int64_t to, size_t most,
	struct arena *);

/* Round numbers from 0 to at least `high` (at most `most` steps), with labels
 * as 2.5M; the last is the top of the axis. */
void plot_number_ticks(
	struct plot_ticks *, double high, size_t most, struct arena *);

/* A number in few letters: 0.125, 37, 1.25M. */
const char *plot_number(double, struct arena *);

/*
 * An area of `rows` lines from 0 to `high`, with numbers at the left and times
 * below. `colour`: an SGR parameter as "32", or NULL for none. Each line is a
 * word of `lines`.
 */
struct plot_area {
	struct plot_series series;
	int64_t from, to;
	double high;
	size_t rows;
	const char *colour;
	bool ascii; /* nothing but ASCII */
};

void plot_draw(const struct plot_area *, struct strv *lines, struct arena *);

#endif
