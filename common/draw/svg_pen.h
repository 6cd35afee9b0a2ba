/*
 * The strokes that all pictures of common/draw/svg.h are made of. Private to them.
 *
 * Colours are those of Okabe and Ito, which the colour-blind can tell apart;
 * everything but the data (background, text, grid) follows the reader's light
 * or dark mode.
 */
#ifndef BURSAR_SVG_PEN_H
#define BURSAR_SVG_PEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"

enum { PEN_WIDTH = 960, PEN_MARGIN = 24, PEN_COLOURS = 8 };

/* The document with its title; pen_end closes it. */
void pen_begin(FILE *, double height, const char *title, const char *subtitle);
void pen_end(FILE *);

/* Text with what XML reserves escaped. */
void pen_text(FILE *, const char *text);

/* Classes: title, subtitle, panel, number (ends at x), time (about x), name,
 * note; on tiles: on0, on1 ... as the colours. */
void pen_label(FILE *, double x, double y, const char *class, const char *text);

/* Classes: grid, axis, mark. */
void pen_rule(
	FILE *, double x1, double y1, double x2, double y2, const char *class);

/* A box of class part0, part1 ... or neutral; `tip` is shown by viewers that
 * can, NULL: nothing. */
void pen_box(FILE *, double x, double y, double width, double height,
	const char *class, const char *tip);

/* "part3"; SVG_NEUTRAL gives "neutral". */
const char *pen_part(int colour, struct arena *);

const char *pen_colour(size_t i);

/* A number in few letters: 950, 12.5K, 3M. */
const char *pen_number(double, struct arena *);

/* Below the middle of an empty panel. */
void pen_no_usage(FILE *, double x, double y);

/* About how wide the text is at 12 pixels; as much of it as fits, "" when
 * hardly any does. */
double pen_text_width(const char *text);
const char *pen_fit(const char *text, double width, struct arena *);

#endif
