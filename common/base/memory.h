/*
 * Memory outside any arena: arrays that grow to millions of elements, each
 * released by free(). When memory runs out the program ends, because no caller
 * could do better.
 */
#ifndef BURSAR_MEMORY_H
#define BURSAR_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* Says that so many bytes (0: not known) are not to be had, and ends the program
 * by abort(). memory_when_out() sets another end, for when all that was asked
 * for is done already; it must not return. */
_Noreturn void memory_out(size_t wanted);
void memory_when_out(void (*end)(void));

/* Zeroed, for `n` things of `size` bytes; never NULL, also where n is 0. */
void *memory_zeroed(size_t n, size_t size);

/* As realloc() does: what is new is not zeroed. */
void *memory_resize(void *v, size_t n, size_t size);

/* Growing arrays, like those of an arena: `v` of `n` elements with room for
 * `cap`. PUSH yields a pointer to the new element, which is not zeroed. */
void *memory_grow(void *v, size_t n, size_t *cap, size_t size);
#define MEMORY_PUSH(v, n, cap)                                                 \
	((v) = memory_grow((v), (n), &(cap), sizeof(*(v))), &(v)[(n)++])

/* Text that grows: appends bytes to *v of *n bytes, with room for *cap; there is
 * always a NUL behind them. NULL, 0, 0 is the empty one. */
void memory_append(
	char **v, size_t *n, size_t *cap, const void *bytes, size_t size);

/* As open_memstream(), which drops in silence what it finds no memory for: the
 * stream writes into *text, which is whole, with a NUL behind its *size bytes,
 * after fflush() and fclose(); free() it. */
FILE *memory_stream(char **text, size_t *size);

#endif
