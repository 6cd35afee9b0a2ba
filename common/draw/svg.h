/*
 * SVG pictures: lines over time, columns over time, bars, a Gantt
 * chart, a treemap. They write
 * to the stream they are given and nothing else; names may hold anything,
 * errors of the stream show in ferror(out). Paper and ink follow the reader's
 * light or dark mode.
 */
#ifndef BURSAR_SVG_H
#define BURSAR_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/draw/plot.h"

/* ---- lines: panels below each other with a common axis of time ----------- */

/* A name for the legend, and a line in each panel. */
struct svg_line {
	const char *name;
	struct plot_series *panels; /* as many as the chart has */
};

struct svg_panel {
	const char *title;
	double high; /* of the axis; 0: from the values */
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

void svg_draw(const struct svg_chart *, FILE *out, struct arena *);

/* ---- what bars and columns are made of ------------------------------------
 */

#define SVG_NEUTRAL (-1)

struct svg_part {
	const char *name; /* for the legend */
	int colour;	  /* from 0 on, or SVG_NEUTRAL */
};

/* ---- columns: what became of a whole, period by period --------------------
 */

struct svg_column {
	int64_t from, to;
	const double *parts; /* from the bottom; drawn as shares of their sum */
};

struct svg_column_panel {
	const char *title;
	const struct svg_column *columns;
	size_t n;
};

struct svg_columns {
	const char *title, *subtitle;
	int64_t from, to;
	const struct svg_part *parts; /* with their share in the legend */
	size_t n_parts;
	const struct svg_column_panel *panels;
	size_t n_panels;
};

void svg_draw_columns(const struct svg_columns *, FILE *out, struct arena *);

/* ---- bars: lying, one below the other --------------------------------------
 */

struct svg_bar {
	const char *label, *text; /* left of it, behind it */
	const char *tip;	  /* NULL: the label beside it */
	const double *parts;	  /* from the left, all on one scale */
};

struct svg_bars {
	const char *title, *subtitle;
	const char *note; /* below; "" */
	const struct svg_part *parts;
	size_t n_parts; /* one: no legend */
	const struct svg_bar *bars;
	size_t n_bars;
};

void svg_draw_bars(const struct svg_bars *, FILE *out, struct arena *);

/* ---- a Gantt chart: who holds which processors when -----------------------
 */

struct svg_held {
	int64_t from, to;
	double low, high; /* processors */
	int colour;	  /* from 0 on, or SVG_NEUTRAL */
	const char *name; /* written on it where it fits; NULL: nothing */
	const char *tip;  /* NULL: nothing */
};

struct svg_gantt_panel {
	const char *title;
	const struct svg_held *held;
	size_t n;
};

struct svg_gantt {
	const char *title, *subtitle;
	int64_t from, to;
	double high; /* processors in all */
	const char *unit; /* "processors" */
	bool apart; /* a seam around each */
	const struct svg_part *parts; /* the legend */
	size_t n_parts;
	const struct svg_gantt_panel *panels; /* below each other */
	size_t n_panels;
};

void svg_draw_gantt(const struct svg_gantt *, FILE *out, struct arena *);

/* ---- a treemap: areas within areas ----------------------------------------
 */

#define SVG_TOP ((size_t)-1)

struct svg_tile {
	const char *name, *text; /* text: its amount */
	double amount;
	size_t parent; /* comes before it; or SVG_TOP */
};

struct svg_treemap {
	const char *title, *subtitle;
	const struct svg_tile *tiles;
	size_t n;
};

void svg_draw_treemap(const struct svg_treemap *, FILE *out, struct arena *);

#endif
