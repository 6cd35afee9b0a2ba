/*
 * Reading ahead: a thread takes lines to pieces while the one that owns the
 * store writes what was read before. What they share are blocks, a few of them,
 * so that memory stays flat; a block belongs to one of the two at any time. The
 * thread knows nothing of the store.
 */
#include "cmd/srecord/import.h"

#include <pthread.h>
#include <stdlib.h>

/* Blocks that fit a processor's own cache are faster than large ones. To wake
 * a thread costs as much as a block, so one that waits for room sleeps until
 * there is room for several. */
enum { BLOCKS = 16, ROOM = 8, MOST_ITEMS = 125, MOST_BYTES = 1 << 18 };

struct import_pipe {
	struct source *source;
	struct import_reader *reader;
	int (*read)(struct import_reader *, char *line, size_t len,
		struct import_row *);
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

/* ---- a line ---------------------------------------------------------------
 */

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
	const char *line, size_t len)
{
	struct import_item *item = &block->items[block->n++];

	item->line = pipe->source->line;
	item->text = arena_strndup(&block->arena, line, len);
	item->len = len;
	item->refusal = NULL;
	item->found = read_line(pipe, line, len, &item->row);
	if (item->found >= 0)
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

/* ---- a block ---------------------------------------------------------------
 */

/* 1 while there may be more. */
static int fill(struct import_pipe *pipe, struct import_block *block)
{
	size_t bytes = 0, len;
	char *line;
	int more = 1;

	arena_reset(&block->arena);
	pipe->reader->scratch = &block->arena;
	block->n = 0;
	while (block->n < MOST_ITEMS && bytes < MOST_BYTES) {
		more = source_line(pipe->source, &line, &len, &pipe->stop);
		if (more <= 0)
			break;
		if (was_done(pipe, line))
			continue;
		read_item(pipe, block, line, len);
		bytes += len;
		if (pipe->source->line % pipe->every == 0)
			break;
	}
	block->line = pipe->source->line;
	block->at = gzoffset(pipe->source->gz);
	return more;
}

/* ---- the thread ------------------------------------------------------------
 */

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
	if (full(pipe) == 1 || at_end)
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

/* ---- the other side --------------------------------------------------------
 */

struct import_pipe *import_pipe_open(
	struct import *im, import_read *read, uint64_t every)
{
	struct import_pipe *pipe = calloc(1, sizeof(*pipe));
	struct import_row row;

	if (!pipe)
		BUG("no memory");
	pipe->source = &im->source;
	pipe->reader = &im->reader;
	pipe->read = read;
	pipe->every = every;
	pipe->done = im->done;
	pipe->reader->err = &pipe->err;
	for (size_t i = 0; i < BLOCKS; i++) {
		arena_init(&pipe->blocks[i].arena);
		pipe->blocks[i].items =
			calloc(MOST_ITEMS, sizeof(struct import_item));
		if (!pipe->blocks[i].items)
			BUG("no memory");
	}
	import_row_init(&row); /* makes what it copies before there are two */
	pthread_mutex_init(&pipe->lock, NULL);
	pthread_cond_init(&pipe->room, NULL);
	pthread_cond_init(&pipe->work, NULL);
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
	free(pipe);
}
