/*
 * Arenas: memory that is released all at once. A command has one arena, a
 * loop that streams rows has a scratch arena per row. No allocation fails: when
 * memory runs out, memory_out() (common/base/memory.h) ends the program.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *head;
};

/* Makes the arena empty, without any block. */
void arena_init(struct arena *arena);

/* Empties the arena for reuse and keeps its newest block. Every pointer that
 * came from it is invalid from now on. */
void arena_reset(struct arena *arena);

/* Frees all memory of the arena, which is then empty and can be used again. */
void arena_release(struct arena *arena);

/* Among the declarations of a block: an arena that is released where the block
 * ends, after what `return` gives has been computed. */
#define SCRATCH_ARENA(name)                                                    \
	__attribute__((cleanup(arena_release))) struct arena name = {0}

/* Returns `size` zeroed bytes, aligned for any type; never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* Returns an array of `n` zeroed elements of `size` bytes each. A product that
 * overflows size_t counts as out of memory. */
void *arena_array(struct arena *arena, size_t n, size_t size);

/* Copies of `text`, or of at most its first `n` bytes; a NULL text gives NULL.
 */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t n);

/* The printed text, as long as it needs to be. */
char *arena_printf(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/*
 * Growing arrays in an arena: `v` has `n` elements and room for `cap`.
 * arena_grow returns `v` if there is room for one more, else a larger copy, and
 * then updates *cap; the old array stays in the arena until that is released.
 * ARENA_PUSH adds one zeroed element, counts it in `n`, and yields a pointer to
 * it. It evaluates its arguments more than once.
 */
void *arena_grow(struct arena *arena, void *v, size_t n, size_t *cap,
	size_t size);
#define ARENA_PUSH(arena, v, n, cap)                                           \
	((v) = (n) < (cap) ? (v)                                               \
			   : arena_grow((arena), (v), (n), &(cap),             \
				     sizeof(*(v))),                            \
		&(v)[(n)++])
