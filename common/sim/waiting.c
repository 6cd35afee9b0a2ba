/*
 * The jobs that wait; see waiting.h.
 */
#include "common/sim/waiting.h"

#include <stdlib.h>

#include "common/base/memory.h"

enum { BLOCK = 64, FIRST_ROOM = 1024 };

void waiting_init(struct waiting *w)
{
	*w = (struct waiting){0};
}

void waiting_release(struct waiting *w)
{
	free(w->job);
	free(w->procs);
	free(w->length);
	free(w->start);
	free(w->least_procs);
	free(w->least_length);
	free(w->living);
	*w = (struct waiting){0};
}

static void grow(struct waiting *w)
{
	w->cap = w->cap ? w->cap * 2 : FIRST_ROOM;
	w->job = memory_resize(w->job, w->cap, sizeof(*w->job));
	w->procs = memory_resize(w->procs, w->cap, sizeof(*w->procs));
	w->length = memory_resize(w->length, w->cap, sizeof(*w->length));
	w->start = memory_resize(w->start, w->cap, sizeof(*w->start));
	w->least_procs = memory_resize(
		w->least_procs, w->cap / BLOCK, sizeof(*w->least_procs));
	w->least_length = memory_resize(
		w->least_length, w->cap / BLOCK, sizeof(*w->least_length));
	w->living =
		memory_resize(w->living, w->cap / BLOCK, sizeof(*w->living));
}

/* The index `to` holds what `from` held. */
static void put(struct waiting *w, size_t to, size_t from)
{
	size_t block = to / BLOCK;

	w->job[to] = w->job[from];
	w->procs[to] = w->procs[from];
	w->length[to] = w->length[from];
	w->start[to] = w->start[from];
	if (to % BLOCK == 0) {
		w->least_procs[block] = WAITING_HOLE;
		w->least_length[block] = INT64_MAX;
		w->living[block] = 0;
	}
	if (w->procs[to] < w->least_procs[block])
		w->least_procs[block] = w->procs[to];
	if (w->length[to] < w->least_length[block])
		w->least_length[block] = w->length[to];
	w->living[block]++;
}

size_t waiting_push(
	struct waiting *w, uint32_t job, uint32_t procs, int64_t length)
{
	size_t index = w->n;

	if (w->n == w->cap)
		grow(w);
	w->job[index] = job;
	w->procs[index] = procs;
	w->length[index] = length;
	w->start[index] = INT64_MAX;
	put(w, index, index);
	w->n++;
	w->alive++;
	return index;
}

void waiting_remove(struct waiting *w, size_t index)
{
	w->procs[index] = WAITING_HOLE;
	w->length[index] = INT64_MAX;
	w->alive--;
	w->living[index / BLOCK]--;
	while (w->head < w->n && w->procs[w->head] == WAITING_HOLE)
		w->head++;
}

bool waiting_tidy(struct waiting *w)
{
	size_t to = 0;

	if (w->n < 2 * w->alive + BLOCK)
		return false;
	for (size_t i = w->head; i < w->n; i++)
		if (w->procs[i] != WAITING_HOLE)
			put(w, to++, i);
	w->head = 0;
	w->n = to;
	return true;
}

/* Raises the marks of a block to what is still there. */
static void measure(struct waiting *w, size_t block)
{
	size_t from = block * BLOCK, end = from + BLOCK;
	uint32_t procs = WAITING_HOLE;
	int64_t length = INT64_MAX;

	for (size_t i = from; i < end && i < w->n; i++) {
		procs = w->procs[i] < procs ? w->procs[i] : procs;
		length = w->length[i] < length ? w->length[i] : length;
	}
	w->least_procs[block] = procs;
	w->least_length[block] = length;
}

/* Jobs in indexes from .. end - 1 of a block. */
static uint32_t count(const struct waiting *w, size_t from, size_t end)
{
	uint32_t n = 0;

	if (from % BLOCK == 0)
		return w->living[from / BLOCK];
	for (; from < end; from++)
		n += w->procs[from] != WAITING_HOLE;
	return n;
}

/* The block cannot contain a match. */
static bool hopeless(const struct waiting *w, size_t block, uint32_t procs,
	int64_t length, uint32_t extra)
{
	return w->least_procs[block] > procs ||
	       (w->least_procs[block] > extra &&
		       w->least_length[block] > length);
}

size_t waiting_find(struct waiting *w, size_t index, uint32_t procs,
	int64_t length, uint32_t extra, uint64_t *passed)
{
	while (index < w->n) {
		size_t block = index / BLOCK, end = (block + 1) * BLOCK;

		if (end > w->n)
			end = w->n;
		if (hopeless(w, block, procs, length, extra)) {
			*passed += count(w, index, end);
			index = end;
			continue;
		}
		for (; index < end; index++) {
			*passed += w->procs[index] != WAITING_HOLE;
			if (w->procs[index] <= procs &&
				(w->length[index] <= length ||
					w->procs[index] <= extra))
				return index;
		}
		measure(w, block);
	}
	return w->n;
}
