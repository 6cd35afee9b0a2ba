/*
 * An error on its way from a library function to the command that prints it.
 *
 * Library code (common, db) never prints and never exits: it fills a struct
 * err and returns -1. The text is one sentence without the program's name
 * that says what was wrong, where, and what to do; the word at fault is in it.
 */
#ifndef BURSAR_ERR_H
#define BURSAR_ERR_H

#include <stdarg.h>
#include <stddef.h>

enum err_kind {
	ERR_NONE,
	ERR_USAGE,	/* a word, a value or a file of the caller is bad */
	ERR_DENIED,	/* the caller may not do this */
	ERR_STORE,	/* the store cannot be read or written */
	ERR_SYSTEM,	/* the operating system refused */
	ERR_AGAIN,	/* another was faster: nothing was done, do it again */
};

struct err {
	enum err_kind kind;
	char text[1024]; /* cut, never overrun; "" when no error is set */
};

/* Sets kind and text (printf-like; replaces what was there). Returns -1. */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As vsnprintf(), of a message: its lines end only where those of the format do.
 * Other ends of lines came from a name or a word, and become spaces. What is
 * handed on with "%s" alone stays as it is. */
void err_vprint(char *text, size_t size, const char *fmt, va_list)
	__attribute__((format(printf, 3, 0)));

/* Puts "<printf-like prefix>: " in front of the text. Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A mistake of our own: says where and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
