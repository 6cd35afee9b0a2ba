/*
 * Reading ahead: a thread parses lines while the one that owns the store writes
 * what was read before. They share a few blocks, so that memory stays flat; a
 * block belongs to one of the two at any time. The thread knows nothing of the
 * store.
 */
#include "cmd/srecord/import.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/memory.h"

/* Blocks that fit a processor's own cache are faster than large ones. To wake
 * a thread costs as much as a block, so one that waits for room sleeps until
 * there is room for several. */
enum { BLOCKS = 16, ROOM = 8, MOST_ITEMS = 125, MOST_BYTES = 1 << 18 };

struct import_pipe {
	struct source *source;
	struct import_reader *reader;
	import_read *read;
	import_continues *continues; /* NULL: a record is a line */
	struct {
		char *text; /* lines of a record that may go on */
		size_t len, cap;
		uint64_t first; /* its line */
		bool any, too_long;
	} held;
	uint64_t last; /* line of what was read from */
	uint64_t every, done;
	struct import_block blocks[BLOCKS];
	struct err err;	 /* of the line at hand */
	struct err stop; /* why reading ended, if not with the file */

	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t room, work;
	size_t filled, taken; /* blocks so far */
	bool at_end, quit;
};

/* ---- a line ---------------------------------------------------------------*/

static int read_line(struct import_pipe *pipe, const char *line, size_t len,
	struct import_row *row)
{
	struct import_reader *reader = pipe->reader;
	char *copy;

	if (source_copy(pipe->source, reader->scratch, line, len, &copy,
		    reader->err))
		return -1;
	return pipe->read(reader, copy, len, row);
}

static void read_item(struct import_pipe *pipe, struct import_block *block,
	uint64_t number, const char *line, size_t len)
{
	struct import_item *item = &block->items[block->n++];

	item->line = number;
	item->text = arena_strndup(&block->arena, line, len);
	item->len = len;
	item->refusal = NULL;
	item->found = read_line(pipe, line, len, &item->row);
	if (item->found >= 0 && item->found != FOUND_PASSED)
		return;
	item->kind = pipe->err.kind;
	item->refusal = arena_strdup(&block->arena, pipe->err.text);
}

/* Lines that were committed by an earlier run still say what columns there
 * are: the first ones, and the comments of SWF. */
static bool was_done(const struct import_pipe *pipe, const char *line)
{
	uint64_t at = pipe->source->line;

	return at <= pipe->done && at > 1 && *line != ';';
}

/* ---- a record of several lines --------------------------------------------*/

static void hold(struct import_pipe *pipe, const char *line, size_t len)
{
	size_t need = pipe->held.len + len + 2;

	if (need > pipe->held.cap) {
		pipe->held.cap = need * 2;
		pipe->held.text = memory_resize(
			pipe->held.text, pipe->held.cap, sizeof(char));
	}
	if (pipe->held.any)
		pipe->held.text[pipe->held.len++] = '\n';
	else
		pipe->held.first = pipe->source->line;
	memcpy(pipe->held.text + pipe->held.len, line, len);
	pipe->held.len += len;
	pipe->held.text[pipe->held.len] = '\0';
	pipe->held.too_long |= pipe->source->too_long;
	pipe->held.any = true;
}

/* The record held back, of lines before the one just read. */
static void read_held(
	struct import_pipe *pipe, struct import_block *block, uint64_t last)
{
	bool too_long = pipe->source->too_long;

	while (pipe->held.len && pipe->held.text[pipe->held.len - 1] == '\n')
		pipe->held.text[--pipe->held.len] = '\0';
	pipe->source->too_long = pipe->held.too_long;
	read_item(pipe, block, pipe->held.first, pipe->held.text,
		pipe->held.len);
	pipe->source->too_long = too_long;
	pipe->last = last;
	pipe->held.any = pipe->held.too_long = false;
	pipe->held.len = 0;
}

static bool goes_on(struct import_pipe *pipe, const char *line)
{
	return pipe->held.any && pipe->held.len < MOST_BYTES &&
	       pipe->continues(pipe->reader, pipe->held.text, line);
}

/* A line; what is read is one that cannot go on. */
static void take_line(struct import_pipe *pipe, struct import_block *block,
	const char *line, size_t len)
{
	uint64_t number = pipe->source->line;

	if (!pipe->continues) {
		read_item(pipe, block, number, line, len);
		pipe->last = number;
		return;
	}
	if (pipe->held.any && !goes_on(pipe, line))
		read_held(pipe, block, number - 1);
	hold(pipe, line, len);
}

/* ---- a block --------------------------------------------------------------*/

/* 1 while there may be more. */
static int fill(struct import_pipe *pipe, struct import_block *block)
{
	uint64_t batch = pipe->last / pipe->every;
	size_t bytes = 0, len;
	char *line;
	int more = 1;

	arena_reset(&block->arena);
	pipe->reader->scratch = &block->arena;
	block->n = 0;
	while (block->n < MOST_ITEMS && bytes < MOST_BYTES &&
		pipe->last / pipe->every == batch) {
		more = source_line(pipe->source, &line, &len, &pipe->stop);
		if (more <= 0)
			break;
		if (was_done(pipe, line)) {
			pipe->last = pipe->source->line;
			continue;
		}
		take_line(pipe, block, line, len);
		bytes += len;
	}
	if (more <= 0 && pipe->held.any)
		read_held(pipe, block, pipe->source->line);
	block->line = pipe->last;
	block->at = gzoffset(pipe->source->gz);
	return more;
}

/* ---- the thread -----------------------------------------------------------*/

static size_t full(const struct import_pipe *pipe)
{
	return pipe->filled - pipe->taken;
}

/* False: it is to end. */
static bool wait_for_room(struct import_pipe *pipe)
{
	bool go_on;

	pthread_mutex_lock(&pipe->lock);
	if (full(pipe) == BLOCKS)
		while (!pipe->quit && full(pipe) > BLOCKS - ROOM)
			pthread_cond_wait(&pipe->room, &pipe->lock);
	go_on = !pipe->quit;
	pthread_mutex_unlock(&pipe->lock);
	return go_on;
}

static void hand_over(struct import_pipe *pipe, bool at_end)
{
	pthread_mutex_lock(&pipe->lock);
	pipe->filled++;
	pipe->at_end = at_end;
	if (full(pipe) <= 2 || at_end)
		pthread_cond_signal(&pipe->work);
	pthread_mutex_unlock(&pipe->lock);
}

static void *read_all(void *arg)
{
	struct import_pipe *pipe = arg;
	int more = 1;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	while (more > 0 && wait_for_room(pipe)) {
		more = fill(pipe, &pipe->blocks[pipe->filled % BLOCKS]);
		hand_over(pipe, more <= 0);
	}
	return NULL;
}

/* ---- the other side -------------------------------------------------------*/

struct import_pipe *import_pipe_open(
	struct import *im, import_read *read, import_continues *continues,
	uint64_t every)
{
	struct import_pipe *pipe = calloc(1, sizeof(*pipe));
	pthread_condattr_t of_work;
	struct import_row row;

	if (!pipe)
		memory_out(0);
	pipe->source = &im->source;
	pipe->reader = &im->reader;
	pipe->read = read;
	pipe->continues = continues;
	pipe->every = every;
	pipe->done = im->done;
	pipe->reader->err = &pipe->err;
	for (size_t i = 0; i < BLOCKS; i++) {
		arena_init(&pipe->blocks[i].arena);
		pipe->blocks[i].items =
			calloc(MOST_ITEMS, sizeof(struct import_item));
		if (!pipe->blocks[i].items)
			memory_out(0);
	}
	import_row_init(&row); /* makes what it copies before there are two */
	pthread_mutex_init(&pipe->lock, NULL);
	pthread_cond_init(&pipe->room, NULL);
	pthread_condattr_init(&of_work);
	pthread_condattr_setclock(&of_work, CLOCK_MONOTONIC);
	pthread_cond_init(&pipe->work, &of_work);
	pthread_condattr_destroy(&of_work);
	if (pthread_create(&pipe->thread, NULL, read_all, pipe))
		BUG("no thread");
	return pipe;
}

static void give_back(struct import_pipe *pipe)
{
	pipe->taken++;
	if (full(pipe) == BLOCKS - ROOM)
		pthread_cond_signal(&pipe->room);
}

int import_pipe_next(struct import_pipe *pipe, struct import_block **block)
{
	bool there;

	pthread_mutex_lock(&pipe->lock);
	if (*block)
		give_back(pipe);
	while (!full(pipe) && !pipe->at_end)
		pthread_cond_wait(&pipe->work, &pipe->lock);
	there = full(pipe);
	pthread_mutex_unlock(&pipe->lock);
	*block = there ? &pipe->blocks[pipe->taken % BLOCKS] : NULL;
	if (there)
		return 1;
	return pipe->stop.kind != ERR_NONE ? -1 : 0;
}

bool import_pipe_is_slow(
	struct import_pipe *pipe, const struct import_block *block)
{
	size_t held = block ? 1 : 0;
	struct timespec until;
	bool slow;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	pthread_mutex_lock(&pipe->lock);
	while (full(pipe) <= held && !pipe->at_end)
		if (pthread_cond_timedwait(&pipe->work, &pipe->lock, &until))
			break;
	slow = full(pipe) <= held && !pipe->at_end;
	pthread_mutex_unlock(&pipe->lock);
	return slow;
}

const struct err *import_pipe_error(const struct import_pipe *pipe)
{
	return &pipe->stop;
}

/* It may wait for bytes that never come (import_source.c). */
void import_pipe_close(struct import_pipe *pipe)
{
	pthread_mutex_lock(&pipe->lock);
	pipe->quit = true;
	pthread_cond_signal(&pipe->room);
	pthread_mutex_unlock(&pipe->lock);
	pthread_cancel(pipe->thread);
	pthread_join(pipe->thread, NULL);
	for (size_t i = 0; i < BLOCKS; i++) {
		arena_release(&pipe->blocks[i].arena);
		free(pipe->blocks[i].items);
	}
	pthread_cond_destroy(&pipe->room);
	pthread_cond_destroy(&pipe->work);
	pthread_mutex_destroy(&pipe->lock);
	free(pipe->held.text);
	free(pipe);
}
