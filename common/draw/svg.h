/*
 * Draws pictures in SVG: lines over time, columns over time, bars, a Gantt
 * chart, the plan. Each function writes a whole document to `out`; the caller
 * checks ferror(out). Texts may hold any characters: they are escaped.
 * Background and text colours follow the reader's light or dark mode.
 *
 * Times are epoch seconds. The arena is for temporary memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/draw/plot.h"

/* ---- colours -------------------------------------------------------------- */

/* The palette as variables of CSS: --c0, --c1 ..., and --on for what is written
 * on them. */
void svg_palette(FILE *);

enum { SVG_COLOURS = 12 };

/* Who chooses a colour before all others; no two of them have the same. */
struct svg_book {
	const char *names[SVG_COLOURS];
	int colours[SVG_COLOURS];
	size_t n;
};

/* The first names of a list: each has the colour that comes of the name itself,
 * unless one before it has that; then it is the next one that is nobody's. Of
 * users and accounts those with most usage come first, in each program
 * (shares_most_used). */
void svg_book(struct svg_book *, const char *const *names, size_t n);

/* The colour of a name: that of the book, else what comes of the name itself. */
int svg_colour(const struct svg_book *, const char *name);

/* ---- lines: panels below each other with a common axis of time ---------- */

/* A name in the legend, with one line in each panel. */
struct svg_line {
	const char *name;
	struct plot_series *panels; /* n_panels of the chart */
	int colour;
};

struct svg_panel {
	const char *title;
	double high; /* top of the axis; 0: the highest value */
};

struct svg_chart {
	const char *title, *subtitle;
	int64_t from, to; /* times of the first and the last value */
	int64_t mark;	  /* time to mark as "now", or 0 */
	const struct svg_panel *panels;
	size_t n_panels;
	const struct svg_line *lines;
	size_t n_lines;
};

/* Draws the panels below each other, names at the lines' ends. Lines that run
 * where others do are wider and lie below these. */
void svg_draw(const struct svg_chart *, FILE *out, struct arena *);

/* ---- what bars and columns are made of ---------------------------------- */

#define SVG_NEUTRAL (-1) /* grey */

/* A part of every bar or column: its name in the legend, and its colour. */
struct svg_part {
	const char *name;
	int colour; /* 0, 1 ... (repeats after SVG_COLOURS), or SVG_NEUTRAL */
};

/* ---- columns: the shares of parts in a whole, per period ---------------- */

/* A column as wide as its period. */
struct svg_column {
	int64_t from, to;
	const double *parts; /* n_parts, from the bottom; only shares count */
};

struct svg_column_panel {
	const char *title;
	const struct svg_column *columns;
	size_t n;
};

struct svg_columns {
	const char *title, *subtitle;
	int64_t from, to;
	const struct svg_part *parts;
	size_t n_parts;
	const struct svg_column_panel *panels; /* below each other */
	size_t n_panels;
};

/* All columns have the same height, 100%: their parts are all the capacity there
 * was. The legend of a panel has the share of each part in all its columns;
 * without any capacity the panel says so, and has no shares. */
void svg_draw_columns(const struct svg_columns *, FILE *out, struct arena *);

/* ---- horizontal bars, one below the other ------------------------------- */

struct svg_bar {
	const char *label, *text; /* left of the bar, right of the bar */
	const char *tip;	  /* tooltip; NULL: label, part and text */
	const double *parts;	  /* n_parts lengths, from the left */
	bool apart;		  /* a little away from the one above */
};

struct svg_bars {
	const char *title, *subtitle;
	const char *note; /* below the bars; "" for none */
	const struct svg_part *parts;
	size_t n_parts; /* with one part there is no legend */
	const struct svg_bar *bars;
	size_t n_bars;
};

/* The longest bar fills the width; the others have the same scale. */
void svg_draw_bars(const struct svg_bars *, FILE *out, struct arena *);

/* ---- a Gantt chart: who holds which processors when --------------------- */

/* A rectangle: processors held by a job for some time. */
struct svg_held {
	int64_t from, to;
	double low, high; /* processors: bottom and top of the rectangle */
	int colour;	  /* as in struct svg_part */
	const char *name; /* printed on it where it fits; NULL: none */
	const char *tip;  /* tooltip; NULL: none */
};

struct svg_gantt_panel {
	const char *title;
	const struct svg_held *held;
	size_t n;
};

struct svg_gantt {
	const char *title, *subtitle;
	int64_t from, to;
	double high; /* top of the axis: all processors; above 0 */
	bool apart; /* draw a thin line around each rectangle */
	const struct svg_part *parts; /* of the legend */
	size_t n_parts;
	const struct svg_gantt_panel *panels; /* below each other */
	size_t n_panels;
};

void svg_draw_gantt(const struct svg_gantt *, FILE *out, struct arena *);

/* ---- the plan: which nodes a job has or is promised, and when ----------- */

struct svg_plan_bar {
	int64_t from, to;
	const char *name; /* on the bar, as much of it as fits */
	const char *tip;
	const char *group;	/* its colour is that of the book */
	bool planned;		/* drawn paler */
	const uint32_t *nodes; /* indexes */
	size_t n;
};

struct svg_plan {
	const char *title, *subtitle;
	const char *note; /* below the nodes; "" for none */
	int64_t from, to;
	const char *const *nodes; /* names */
	size_t n_nodes;
	const struct svg_book *book;
	const struct svg_plan_bar *bars; /* by their begin */
	size_t n_bars;
};

/* A row for each node with bars, one for nodes whose bars are the same. */
void svg_draw_plan(const struct svg_plan *, FILE *out, struct arena *);
