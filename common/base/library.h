/*
 * Functions of a shared library that is loaded when it is needed and not
 * before: commands that do without it do not pay for that.
 *
 *	#define FUNCTIONS(X) X(el_init) X(el_gets)
 *	static struct { FUNCTIONS(LIBRARY_MEMBER) } lib;
 *	#define NAME(name) LIBRARY_FUNCTION(lib, name)
 *	static const struct library_function functions[] = {FUNCTIONS(NAME)};
 */
#ifndef BURSAR_LIBRARY_H
#define BURSAR_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_function {
	const char *name;
	size_t offset; /* of its pointer in the table */
};

#define LIBRARY_MEMBER(name) __typeof__(&(name)) name;
#define LIBRARY_FUNCTION(table, name)                                          \
	{#name, offsetof(__typeof__(table), name)},

/* Fills the table from the first of these libraries (up to NULL) that has all
 * the functions, and keeps that open. False when none has. */
bool library_load(const char *const *libraries,
	const struct library_function *functions, size_t n, void *table);

#endif
