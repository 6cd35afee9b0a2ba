#include "common/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void err_keep_lines(char *text, const char *format)
{
	if (!strchr(format, '\n') && strcmp(format, "%s") != 0)
		while ((text = strchr(text, '\n')))
			*text = ' ';
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err_keep_lines(err->text, fmt);
	err->kind = kind;
	return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char prefix[sizeof(err->text)];
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(prefix, sizeof(prefix), fmt, ap);
	va_end(ap);
	memcpy(text, err->text, sizeof(text));
	if (snprintf(err->text, sizeof(err->text), "%s: %s", prefix, text) < 0)
		err->text[0] = '\0';
	return -1;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "BUG: %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
