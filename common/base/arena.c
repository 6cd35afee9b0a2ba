#include "common/base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/base/memory.h"

enum { BLOCK_SIZE = 64 * 1024, LARGE_PAGE = 2 * 1024 * 1024 };

/* AddressSanitizer is told what is not allocated, and there is a gap behind what
 * is: reading past the end of an array is found in arenas, too. */
#if defined(__SANITIZE_ADDRESS__)
#define GUARDED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARDED
#endif
#endif
#ifdef GUARDED
#include <sanitizer/asan_interface.h>
enum { GAP = alignof(max_align_t) };
#else
enum { GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	alignas(max_align_t) unsigned char data[];
};

void arena_init(struct arena *arena)
{
	arena->head = NULL;
}

/* Of what is large only that counts which is written to: calloc() takes fresh
 * pages, which are zero. The tree of a large site, say, is in few large pages
 * where the kernel has them, so that it is not asked for each 4 KiB. */
static void *large_memory(size_t size)
{
	char *memory = calloc(1, size);
	uintptr_t at = (uintptr_t)memory;
	size_t begin = (LARGE_PAGE - at % LARGE_PAGE) % LARGE_PAGE;

	if (memory && size >= 2 * LARGE_PAGE)
		madvise(memory + begin,
			(size - begin) / LARGE_PAGE * LARGE_PAGE,
			MADV_HUGEPAGE);
	return memory;
}

static struct arena_block *block_new(size_t size, struct arena_block *next)
{
	struct arena_block *block;

	if (size > SIZE_MAX - sizeof(*block))
		memory_out(size);
	block = size > BLOCK_SIZE ? large_memory(sizeof(*block) + size)
				  : malloc(sizeof(*block) + size);
	if (!block)
		memory_out(size);
	block->next = next;
	block->size = size;
	block->used = 0;
	ASAN_POISON_MEMORY_REGION(block->data, size);
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t rounded, align = alignof(max_align_t);
	struct arena_block *block = arena->head;
	bool zeroed = false;
	void *p;

	if (size > SIZE_MAX - align - GAP)
		memory_out(size);
	rounded = (size + GAP + align - 1) / align * align;
	if (!block || block->size - block->used < rounded) {
		size_t want = rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE;

		block = arena->head = block_new(want, arena->head);
		zeroed = want > BLOCK_SIZE;
	}
	p = block->data + block->used;
	block->used += rounded;
	ASAN_UNPOISON_MEMORY_REGION(p, size);
	if (!zeroed)
		memset(p, 0, size);
	return p;
}

static void free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
}

void arena_reset(struct arena *arena)
{
	if (!arena->head)
		return;
	free_blocks(arena->head->next);
	arena->head->next = NULL;
	arena->head->used = 0;
	ASAN_POISON_MEMORY_REGION(arena->head->data, arena->head->size);
}

void arena_release(struct arena *arena)
{
	free_blocks(arena->head);
	arena->head = NULL;
}

void *arena_array(struct arena *arena, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		memory_out(n);
	return arena_alloc(arena, n * size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t n)
{
	char *copy;

	if (!text)
		return NULL;
	n = strnlen(text, n);
	copy = arena_alloc(arena, n + 1);
	memcpy(copy, text, n);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

char *arena_vprintf(struct arena *arena, const char *fmt, va_list ap)
{
	char first[256]; /* most fit */
	va_list again;
	char *text;
	int n;

	va_copy(again, ap);
	n = vsnprintf(first, sizeof(first), fmt, again);
	va_end(again);
	if (n < 0)
		return arena_strdup(arena, "");
	text = arena_alloc(arena, (size_t)n + 1);
	if ((size_t)n < sizeof(first))
		memcpy(text, first, (size_t)n);
	else
		vsnprintf(text, (size_t)n + 1, fmt, ap);
	return text;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(arena, fmt, ap);
	va_end(ap);
	return text;
}

void *arena_grow(
	struct arena *arena, void *v, size_t n, size_t *cap, size_t size)
{
	void *grown;

	if (n < *cap)
		return v;
	/* Of what is large there is mostly one. */
	*cap = *cap ? *cap * 2 : size > 64 ? 2 : 8;
	grown = arena_array(arena, *cap, size);
	if (n)
		memcpy(grown, v, n * size);
	return grown;
}
