#include "common/base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void err_vprint(char *text, size_t size, const char *fmt, va_list ap)
{
	vsnprintf(text, size, fmt, ap);
	if (!strchr(fmt, '\n') && strcmp(fmt, "%s") != 0)
		while ((text = strchr(text, '\n')))
			*text = ' ';
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vprint(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->kind = kind;
	err->code = ERR_OTHER;
	return -1;
}

int err_usage(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vprint(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->kind = ERR_USAGE;
	err->code = code;
	return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char prefix[sizeof(err->text)];
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	err_vprint(prefix, sizeof(prefix), fmt, ap);
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
