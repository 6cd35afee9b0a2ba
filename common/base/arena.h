/*
 * Memory that is given back all at once: one arena per command, a scratch
 * arena per row in streaming loops. Nothing here returns NULL: running out of
 * memory ends the program (see arena_alloc).
 */
#ifndef BURSAR_ARENA_H
#define BURSAR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *head;
};

void arena_init(struct arena *arena);

/* Keeps the newest block for reuse; every pointer handed out becomes stale. */
void arena_reset(struct arena *arena);

void arena_release(struct arena *arena);

/* `size` zeroed bytes, aligned for any type. Out of memory: a line on stderr
 * and abort(), because no caller could do better. */
void *arena_alloc(struct arena *arena, size_t size);

/* An array of `n` zeroed elements of `size` bytes; overflow is checked. */
void *arena_array(struct arena *arena, size_t n, size_t size);

/* Copies of text; a NULL text gives NULL. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t n);

char *arena_printf(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/*
 * Growing arrays: `v` of `n` elements with room for `cap`, in an arena (the
 * old copy stays until the arena goes). PUSH yields a pointer to the new,
 * zeroed element.
 */
void *arena_grow(struct arena *arena, void *v, size_t n, size_t *cap,
	size_t size);
#define ARENA_PUSH(arena, v, n, cap)                                           \
	((v) = (n) < (cap) ? (v)                                               \
			   : arena_grow((arena), (v), (n), &(cap),             \
				     sizeof(*(v))),                            \
		&(v)[(n)++])

#endif
