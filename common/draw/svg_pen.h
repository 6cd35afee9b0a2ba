/*
 * Writes the SVG elements (texts, lines, boxes) of all pictures of
 * common/draw/svg.h; private to them. Coordinates are pixels from the top left.
 *
 * Colours come from one palette, which the page of spage has, too; all follow
 * the reader's light or dark mode.
 */
#pragma once

#include <stdio.h>

#include "common/base/arena.h"

enum { PEN_WIDTH = 960, PEN_MARGIN = 24 };

/* Begins the document, PEN_WIDTH wide, with title and subtitle; pen_end ends
 * it. */
void pen_begin(FILE *, double height, const char *title, const char *subtitle);
void pen_end(FILE *);

/* Writes a text with XML's special characters escaped, without control
 * characters. */
void pen_text(FILE *, const char *text);

/* Text at (x, y), with a CSS class: title, subtitle, panel, number (ends at x),
 * time (centred at x), name, note; on a box of class part0, part1 ...: on. */
void pen_label(FILE *, double x, double y, const char *class, const char *text);

/* A straight line of class grid, axis or mark. */
void pen_rule(
	FILE *, double x1, double y1, double x2, double y2, const char *class);

/* A box of class part0, part1 ... or neutral, whose top left corner is (x, y).
 * `tip`: its tooltip; NULL: none. */
void pen_box(FILE *, double x, double y, double width, double height,
	const char *class, const char *tip);

/* The class of a colour, such as "part3"; "neutral" for SVG_NEUTRAL. */
const char *pen_part(int colour, struct arena *);

/* Writes "nothing", centred at x: for an empty panel. */
void pen_nothing(FILE *, double x, double y);

/* pen_text_width: about how many pixels wide the text is in a font of 12
 * pixels. pen_fit: the text, or as much of it as fits into `width` pixels with
 * `…` after it; "" if less than 4 characters fit. */
double pen_text_width(const char *text);
const char *pen_fit(const char *text, double width, struct arena *);
