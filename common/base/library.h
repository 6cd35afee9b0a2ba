/*
 * Loads a shared library only when its functions are needed, so that commands
 * that do not use it need not load it. A table (a struct of function pointers,
 * here `lib`) is declared from a list of the functions, then filled:
 *
 *	#define FUNCTIONS(X) X(el_init) X(el_gets)
 *	static struct { FUNCTIONS(LIBRARY_MEMBER) } lib;
 *	#define NAME(name) LIBRARY_FUNCTION(lib, name)
 *	static const struct library_function functions[] = {FUNCTIONS(NAME)};
 *
 * After library_load, a call is lib.el_gets(...).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct library_function {
	const char *name;
	size_t offset; /* of its pointer in the table, in bytes */
};

#define LIBRARY_MEMBER(name) __typeof__(&(name)) name;
#define LIBRARY_FUNCTION(table, name)                                          \
	{#name, offsetof(__typeof__(table), name)},

/* Fills the table with the `n` functions, from the first of the libraries
 * (names for dlopen(); NULL ends the list) that has all of them. That library
 * stays open. False: none has them all, and the table must not be used. */
bool library_load(const char *const *libraries,
	const struct library_function *functions, size_t n, void *table);
