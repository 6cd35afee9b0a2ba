/*
 * Memory outside arenas, for arrays that grow to millions of elements; the
 * caller releases it with free(). When memory runs out, memory_out() ends the
 * program, because no caller could do better: nothing here returns NULL.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Prints "out of memory", with the number of bytes wanted (0: not known), to
 * standard error and ends the program by abort(). memory_when_out() sets a
 * function to call in place of abort(), for a program that has already done all
 * that was asked of it; the function must not return. */
_Noreturn void memory_out(size_t wanted);
void memory_when_out(void (*end)(void));

/* Zeroed memory for `n` elements of `size` bytes each; not NULL for n = 0
 * either. */
void *memory_zeroed(size_t n, size_t size);

/* realloc() to `n` elements of `size` bytes each; added elements are not
 * zeroed. */
void *memory_resize(void *v, size_t n, size_t size);

/* Growing arrays, as in common/base/arena.h: `v` has `n` elements and room for
 * `cap`; memory_grow returns the array, moved if it had to grow. MEMORY_PUSH
 * adds an element, which is not zeroed, and yields a pointer to it. It
 * evaluates its arguments more than once. */
void *memory_grow(void *v, size_t n, size_t *cap, size_t size);
#define MEMORY_PUSH(v, n, cap)                                                 \
	((v) = memory_grow((v), (n), &(cap), sizeof(*(v))), &(v)[(n)++])

/* Growing text: appends `size` bytes to the *n bytes of *v, which has room for
 * *cap, and puts a NUL after them (not counted in *n). Start with NULL, 0, 0.
 */
void memory_append(
	char **v, size_t *n, size_t *cap, const void *bytes, size_t size);

/* Like open_memstream(), which silently loses output when memory runs out. The
 * stream writes to *text: *size bytes and a NUL after them, up to date after
 * fflush() or fclose(). The caller closes the stream, then frees *text. */
FILE *memory_stream(char **text, size_t *size);
