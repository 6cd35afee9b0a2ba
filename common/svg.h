/*
 * Numbers over time as an SVG picture: panels below each other with a common
 * axis of time, a line for each series, a legend. Writes to the stream it is
 * given and nothing else.
 */
#ifndef BURSAR_SVG_H
#define BURSAR_SVG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/arena.h"
#include "common/plot.h"

/* A name for the legend, and a line in each panel. */
struct svg_line {
	const char *name;
	struct plot_series *panels; /* as many as the chart has */
};

struct svg_panel {
	const char *title;
	double high; /* of the axis; 0: as the values ask */
};

struct svg_chart {
	const char *title, *subtitle;
	int64_t from, to; /* seconds; moments lie evenly between */
	int64_t mark;	  /* a moment to mark ("now"), or 0 */
	const struct svg_panel *panels;
	size_t n_panels;
	const struct svg_line *lines;
	size_t n_lines;
};

/* Names may hold anything. Errors of the stream show in ferror(out). */
void svg_draw(const struct svg_chart *, FILE *out, struct arena *);

#endif
