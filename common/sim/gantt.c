/*
 * Where jobs lie; see gantt.h.
 */
#include "common/sim/gantt.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/memory.h"

/* ---- free processors -----------------------------------------------------*/

struct procs_range {
	uint32_t low, high;
};

/* Ascending, apart from each other. */
struct ranges {
	struct procs_range *v;
	size_t n, cap;
};

static void insert(struct ranges *free, size_t i, struct procs_range range)
{
	size_t behind = free->n - i;

	*MEMORY_PUSH(free->v, free->n, free->cap) = range;
	memmove(free->v + i + 1, free->v + i, behind * sizeof(*free->v));
	free->v[i] = range;
}

static void cut_out(struct ranges *free, size_t i)
{
	free->n--;
	memmove(free->v + i, free->v + i + 1, (free->n - i) * sizeof(*free->v));
}

/* Up to `want` from the beginning of a range. */
static struct procs_range take(struct ranges *free, size_t i, uint32_t want)
{
	struct procs_range taken = free->v[i];

	if (taken.high - taken.low > want)
		taken.high = taken.low + want;
	free->v[i].low = taken.high;
	if (free->v[i].low == free->v[i].high)
		cut_out(free, i);
	return taken;
}

static void give(struct ranges *free, struct procs_range range)
{
	size_t i = 0;

	while (i < free->n && free->v[i].low < range.low)
		i++;
	if (i && free->v[i - 1].high == range.low) {
		free->v[--i].high = range.high;
	} else {
		insert(free, i, range);
	}
	if (i + 1 < free->n && free->v[i].high == free->v[i + 1].low) {
		free->v[i].high = free->v[i + 1].high;
		cut_out(free, i + 1);
	}
}

/* ---- pieces --------------------------------------------------------------*/

static void push(struct gantt *gantt, struct gantt_piece piece)
{
	*MEMORY_PUSH(gantt->v, gantt->n, gantt->cap) = piece;
}

static void place(struct gantt *gantt, struct ranges *free,
	const struct sim_stretch *run, uint32_t procs)
{
	uint32_t left = procs;
	size_t i = 0;

	while (i < free->n && free->v[i].high - free->v[i].low < left)
		i++;
	if (i == free->n)
		i = 0;
	while (left) {
		struct procs_range range;

		if (!free->n)
			BUG("more runs than there is");
		range = take(free, i, left);
		left -= range.high - range.low;
		push(gantt, (struct gantt_piece){run->from, run->until,
				    range.low, range.high, run->job});
		i = 0;
	}
}

/* ---- the order of things -------------------------------------------------*/

static int by_time(const void *x, const void *y)
{
	const struct sim_stretch *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

/* A job that stopped and ran on has several. */
static struct sim_stretch *order(
	const struct trace *trace, const struct sim_result *result, size_t *n)
{
	const struct sim_broken *broken = &result->broken;
	struct sim_stretch *order = memory_resize(
		NULL, trace->n + broken->n + 1, sizeof(*order));

	*n = 0;
	for (size_t i = 0; i < trace->n; i++)
		if (result->start[i] != SIM_NEVER)
			order[(*n)++] = (struct sim_stretch){(uint32_t)i,
				sim_last(result, i), sim_end(trace, result, i)};
	for (size_t i = 0; i < broken->n; i++)
		order[(*n)++] = broken->stretches[i];
	qsort(order, *n, sizeof(*order), by_time);
	return order;
}

void gantt_make(struct gantt *gantt, const struct trace *trace,
	const struct sim_result *result)
{
	struct ranges free_ones = {0};
	struct sim_events running = {0}; /* ends of pieces */
	size_t n, held = 0;
	struct sim_stretch *jobs = order(trace, result, &n);

	*gantt = (struct gantt){.procs = trace->procs};
	insert(&free_ones, 0, (struct procs_range){0, trace->procs});
	for (size_t i = 0; i < n; i++) {
		while (running.n && running.v[0].at <= jobs[i].from) {
			const struct gantt_piece *p =
				&gantt->v[sim_event_pop(&running).job];

			give(&free_ones, (struct procs_range){p->low, p->high});
		}
		place(gantt, &free_ones, &jobs[i],
			trace->jobs[jobs[i].job].procs);
		for (; held < gantt->n; held++)
			sim_event_push(&running,
				(struct sim_event){gantt->v[held].until,
					(uint32_t)held, 0});
	}
	free(jobs);
	free(free_ones.v);
	free(running.v);
}

void gantt_release(struct gantt *gantt)
{
	free(gantt->v);
	*gantt = (struct gantt){0};
}

/* ---- coarser -------------------------------------------------------------*/

/* Cells hold the group + 1; 0: idle. */
struct raster {
	uint32_t *cells;
	size_t columns, rows;
};

static size_t clamp(double at, size_t most)
{
	return at <= 0 ? 0 : at >= (double)most ? most : (size_t)at;
}

/* The first sample at or behind `at`, where samples lie in the middle. */
static size_t first_behind(double at, double width, size_t most)
{
	double place = at / width - 0.5;
	size_t i = clamp(place, most);

	return i < most && (double)i < place ? i + 1 : i;
}

static void fill(struct raster *raster, const struct gantt_piece *piece,
	uint32_t group, int64_t from, double step, double height)
{
	size_t left = first_behind(
		(double)(piece->from - from), step, raster->columns);
	size_t right = first_behind(
		(double)(piece->until - from), step, raster->columns);
	size_t bottom = first_behind(piece->low, height, raster->rows);
	size_t top = first_behind(piece->high, height, raster->rows);

	for (size_t r = bottom; r < top; r++)
		for (size_t c = left; c < right; c++)
			raster->cells[r * raster->columns + c] = group + 1;
}

/* Is the row [left, right) all of that? */
static bool all_of(const struct raster *raster, size_t row, size_t left,
	size_t right, uint32_t value)
{
	const uint32_t *cells = raster->cells + row * raster->columns;

	for (size_t c = left; c < right; c++)
		if (cells[c] != value)
			return false;
	return true;
}

/* The largest box to the right and then up; its cells become idle. */
static struct gantt_piece cut_box(
	struct raster *raster, size_t row, size_t left)
{
	size_t columns = raster->columns, right = left, top = row;
	uint32_t value = raster->cells[row * columns + left];

	while (right < columns && raster->cells[row * columns + right] == value)
		right++;
	for (; top < raster->rows && all_of(raster, top, left, right, value);
		top++)
		memset(raster->cells + top * columns + left, 0,
			(right - left) * sizeof(*raster->cells));
	return (struct gantt_piece){(int64_t)left, (int64_t)right,
		(uint32_t)row, (uint32_t)top, value - 1};
}

void gantt_sample(const struct gantt *gantt, const uint32_t *group_of,
	size_t columns, size_t rows, int64_t from, int64_t until,
	struct gantt *coarse)
{
	struct raster raster = {NULL, columns, rows};
	double step = (double)(until - from) / (double)columns, height;

	if (rows > gantt->procs)
		raster.rows = gantt->procs;
	height = (double)gantt->procs / (double)raster.rows;
	raster.cells =
		memory_zeroed(columns * raster.rows, sizeof(*raster.cells));
	*coarse = (struct gantt){0};
	for (size_t i = 0; i < gantt->n; i++)
		fill(&raster, &gantt->v[i], group_of[gantt->v[i].job], from,
			step, height);
	for (size_t r = 0; r < raster.rows; r++)
		for (size_t c = 0; c < columns; c++) {
			struct gantt_piece p;

			if (!raster.cells[r * columns + c])
				continue;
			p = cut_box(&raster, r, c);
			p.from = from + (int64_t)((double)p.from * step);
			p.until = from + (int64_t)((double)p.until * step);
			p.low = (uint32_t)(p.low * height);
			p.high = (uint32_t)(p.high * height);
			push(coarse, p);
		}
	free(raster.cells);
}
