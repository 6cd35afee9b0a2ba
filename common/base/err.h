/*
 * An error on its way from a library function to the command that prints it.
 *
 * Library code (common, db) never prints and never exits: it fills a struct
 * err and returns -1. The text is one sentence without the program's name
 * that says what was wrong, where, and what to do; the word at fault is in it.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum err_kind {
	ERR_NONE,
	ERR_USAGE,	/* a word, a value or a file of the caller is bad */
	ERR_DENIED,	/* the caller may not do this */
	ERR_STORE,	/* the store cannot be read or written */
	ERR_SYSTEM,	/* the operating system refused */
	ERR_AGAIN,	/* another process was faster: nothing was changed, the
			 * caller may try again */
};

/* What was wrong, where a caller acts on it; all of them are ERR_USAGE. */
enum err_code {
	ERR_OTHER,	/* whatever no caller asks for */
	ERR_NO_NUMBER,	/* a value is not a number, or out of range */
	ERR_NO_DAY,	/* a day that its month does not have */
	ERR_NO_TRES,	/* a TRES that is not known */
	ERR_NO_QOS,	/* a default QOS that is not known */
	ERR_CONFLICT,	/* words of one line that exclude each other */
	ERR_PLACED,	/* of a file: the text says where in it */
	ERR_MISPLACED,	/* the same, and the line needs another one before it */
	ERR_FATAL,	/* of a file: Slurm reads no further */
};

struct err {
	enum err_kind kind;
	enum err_code code;
	char text[1024]; /* cut when too long; "" when no error is set */
};

/* What a function returns in the end: -1 if any of its steps failed, else 0. */
static inline int any_failed(bool any)
{
	return any ? -1 : 0;
}

/* Replaces kind and text; the format is printf's. Returns -1. */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with ERR_USAGE and a code, which is ERR_OTHER otherwise. */
int err_usage(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* vsnprintf() for messages: if the format has no newline, newlines in the
 * result came from an argument (a name, a typed word) and become spaces. The
 * format "%s" hands on a finished message, which stays as it is. */
void err_vprint(char *text, size_t size, const char *fmt, va_list)
	__attribute__((format(printf, 3, 0)));

/* Puts the printed prefix and ": " in front of the text. Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* For a mistake in our own code: prints file, line and message to standard
 * error, then abort(). */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
