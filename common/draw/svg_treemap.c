/*
 * SVG: a treemap, areas within areas as large as amounts; see svg.h. Areas are
 * laid out as squares as can be: rows along the shorter side, each filled while
 * that makes its areas squarer.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/draw/svg.h"
#include "common/draw/svg_pen.h"

enum {
	TOP = 68,
	HEIGHT = 540,
	HEAD = 19, /* the name of an area that has areas in it */
	EDGE = 2,  /* around these */
	LEAST = 2, /* pixels of a side that is still drawn */
	LINE = 15,
	SMALL = 1800, /* square pixels that hold no name */
	NAMED = 12,  /* of the small ones, when pointed at */
};

struct box {
	double x, y, width, height;
};

/* Children of a tile: places [first, first + n) of `order`. */
struct children {
	size_t first, n;
};

struct item {
	size_t tile, parent;
	double amount;
};

struct map {
	const struct svg_treemap *source;
	struct item *order;  /* by parent, largest first */
	struct children *of; /* by tile; the last: of SVG_TOP */
	FILE *out;
	struct arena *arena;
};

/* ---- the tree
 * ------------------------------------------------------------- */

static int by_parent(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->amount < y->amount || x->amount > y->amount)
		return x->amount > y->amount ? -1 : 1;
	return x->tile < y->tile ? -1 : x->tile > y->tile;
}

static void sort_tiles(struct map *map)
{
	const struct svg_treemap *source = map->source;
	size_t n = 0;

	map->of = arena_array(map->arena, source->n + 1, sizeof(*map->of));
	map->order =
		arena_array(map->arena, source->n + 1, sizeof(*map->order));
	for (size_t i = 0; i < source->n; i++) {
		const struct svg_tile *tile = &source->tiles[i];
		size_t parent =
			tile->parent == SVG_TOP ? source->n : tile->parent;

		if (tile->amount > 0)
			map->order[n++] =
				(struct item){i, parent, tile->amount};
	}
	if (n)
		qsort(map->order, n, sizeof(*map->order), by_parent);
	for (size_t i = 0; i < n; i++) {
		struct children *of = &map->of[map->order[i].parent];

		if (!of->n++)
			of->first = i;
	}
}

/* ---- layout --------------------------------------------------------------*/

/* The worst ratio of sides in a row of that sum along that side. */
static double worst(double sum, double least, double most, double side)
{
	return fmax(side * side * most / (sum * sum),
		sum * sum / (side * side * least));
}

/* How many of the items, largest first, make the squarest row. */
static size_t row_length(const struct item *items, size_t n, double scale,
	double side, double *sum)
{
	double best = INFINITY, most = items[0].amount * scale;

	*sum = 0;
	for (size_t i = 0; i < n; i++) {
		double area = items[i].amount * scale;
		double ratio = worst(*sum + area, area, most, side);

		if (ratio > best)
			return i;
		best = ratio;
		*sum += area;
	}
	return n;
}

/* Cuts a strip for the row off the box; items lie along it. */
static struct box cut_row(struct box *box, double area)
{
	struct box row = *box;

	if (box->width >= box->height) {
		row.width = area / box->height;
		box->x += row.width;
		box->width -= row.width;
	} else {
		row.height = area / box->width;
		box->y += row.height;
		box->height -= row.height;
	}
	return row;
}

static struct box cut_item(struct box *row, bool upright, double part)
{
	struct box item = *row;

	if (upright) {
		item.height = row->height * part;
		row->y += item.height;
		row->height -= item.height;
	} else {
		item.width = row->width * part;
		row->x += item.width;
		row->width -= item.width;
	}
	return item;
}

/* ---- what is too small ---------------------------------------------------*/

/* Of items of areas that fall, how many hold a name; all when one is left. */
static size_t readable(const struct item *items, size_t n, double scale)
{
	size_t large = n;

	while (large && items[large - 1].amount * scale < SMALL)
		large--;
	return n - large > 1 ? large : n;
}

static const char *names_of(
	const struct map *map, const struct item *items, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n && i < NAMED; i++) {
		const struct svg_tile *tile = &map->source->tiles[items[i].tile];

		text = arena_printf(map->arena, "%s%s%s: %s", text,
			i ? ", " : "", tile->name, tile->text);
	}
	return n > NAMED ? arena_printf(map->arena, "%s, ...", text) : text;
}

/* All of them in one area. */
static void draw_others(
	struct map *map, const struct item *items, size_t n, struct box box)
{
	const char *name = arena_printf(map->arena, "%zu others", n);
	const char *fits = pen_text_width(name) <= box.width - 8
				   ? name
				   : arena_printf(map->arena, "+%zu", n);

	if (box.width < LEAST || box.height < LEAST)
		return;
	pen_box(map->out, box.x, box.y, box.width, box.height, "tile neutral",
		arena_printf(map->arena, "%s: %s", name,
			names_of(map, items, n)));
	if (pen_text_width(fits) <= box.width - 6 && box.height >= LINE)
		pen_label(map->out, box.x + 5, box.y + 14, "onneutral", fits);
}

/* ---- drawing -------------------------------------------------------------*/

static void draw_item(struct map *map, const struct item *item, struct box box,
	int colour, int depth);

static void draw_items(struct map *map, const struct children *of,
	struct box box, int colour, int depth)
{
	const struct item *items = &map->order[of->first];
	double whole = 0, scale;
	size_t large;

	for (size_t i = 0; i < of->n; i++)
		whole += items[i].amount;
	scale = box.width * box.height / whole;
	large = readable(items, of->n, scale);
	for (size_t i = 0; i < large;) {
		bool upright = box.width >= box.height;
		double side = upright ? box.height : box.width, area;
		size_t n = row_length(&items[i], large - i, scale, side, &area);
		struct box row = cut_row(&box, area);

		for (double left = area; n; n--, i++) {
			double part = items[i].amount * scale;

			draw_item(map, &items[i],
				cut_item(&row, upright, fmin(part / left, 1)),
				depth ? colour : (int)i, depth);
			left -= part;
		}
	}
	if (large < of->n) /* in what is left */
		draw_others(map, &items[large], of->n - large, box);
}

/* Only the largest have a colour: that of the rest would mean nothing. */
static int own_colour(int place)
{
	return place < PEN_COLOURS - 1 ? place : SVG_NEUTRAL;
}

static const char *ink(int colour, struct arena *arena)
{
	return colour < 0 ? "onneutral" : arena_printf(arena, "on%d", colour);
}

static void write_in(struct map *map, const struct svg_tile *tile,
	struct box box, int colour, bool head)
{
	const char *class = ink(own_colour(colour), map->arena);
	const char *name = pen_fit(tile->name, box.width - 8, map->arena);
	const char *text = tile->text;
	double free = box.width - 8 - pen_text_width(name);

	if (!*name || box.height < LINE)
		return;
	pen_label(map->out, box.x + 5, box.y + 14, class, name);
	if (head) {
		if (pen_text_width(text) + 14 <= free)
			pen_label(map->out,
				box.x + 5 + pen_text_width(name) + 14,
				box.y + 14, class, text);
	} else if (box.height >= 2 * LINE + 4 &&
		   pen_text_width(text) <= box.width - 8) {
		pen_label(map->out, box.x + 5, box.y + 14 + LINE, class, text);
	}
}

/* A tile with one user is not subdivided: "phys / amy". */
static const struct svg_tile *only_one(
	const struct map *map, const struct item *item)
{
	const struct children *of = &map->of[item->tile];
	const struct item *one = &map->order[of->first];

	if (of->n != 1 || map->of[one->tile].n ||
		one->amount < item->amount * 0.999)
		return NULL;
	return &map->source->tiles[one->tile];
}

static bool has_room(struct box box)
{
	return box.width > 40 && box.height > HEAD + 14;
}

static struct box inner(struct box box)
{
	return (struct box){box.x + EDGE, box.y + HEAD, box.width - 2 * EDGE,
		box.height - HEAD - EDGE};
}

static void draw_item(struct map *map, const struct item *item, struct box box,
	int colour, int depth)
{
	struct svg_tile tile = map->source->tiles[item->tile];
	const struct children *of = &map->of[item->tile];
	const struct svg_tile *one = only_one(map, item);
	bool nested = of->n > 0 && !one && has_room(box);
	const char *tip;

	if (one)
		tile.name = arena_printf(
			map->arena, "%s / %s", tile.name, one->name);
	tip = arena_printf(map->arena, "%s: %s", tile.name, tile.text);
	if (box.width < LEAST || box.height < LEAST)
		return;
	pen_box(map->out, box.x, box.y, box.width, box.height,
		arena_printf(map->arena, "tile %s",
			pen_part(own_colour(colour), map->arena)),
		tip);
	if (nested && depth)
		pen_box(map->out, box.x, box.y, box.width, box.height, "shade",
			NULL);
	write_in(map, &tile, box, colour, nested);
	if (nested)
		draw_items(map, of, inner(box), colour, depth + 1);
}

void svg_draw_treemap(
	const struct svg_treemap *source, FILE *out, struct arena *arena)
{
	struct map map = {.source = source, .out = out, .arena = arena};
	struct box box = {PEN_MARGIN, TOP, PEN_WIDTH - 2 * PEN_MARGIN, HEIGHT};
	const struct children *top;

	sort_tiles(&map);
	top = &map.of[source->n];
	pen_begin(out, TOP + HEIGHT + PEN_MARGIN, source->title,
		source->subtitle);
	pen_box(out, box.x, box.y, box.width, box.height, "neutral", NULL);
	if (top->n)
		draw_items(&map, top, box, 0, 0);
	else
		pen_no_usage(out, PEN_WIDTH / 2.0, TOP + HEIGHT / 2.0);
	pen_end(out);
}
