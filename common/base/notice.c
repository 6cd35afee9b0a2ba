#include "common/base/notice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 1024, KEPT = 8 };

static void (*printer)(const char *);
static char said[KEPT][LENGTH];
static size_t n_said;

void notice_to(void (*say)(const char *sentence))
{
	printer = say;
}

void notice(const char *fmt, ...)
{
	char text[LENGTH];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < n_said && i < KEPT; i++)
		if (!strcmp(said[i], text))
			return;
	memcpy(said[n_said++ % KEPT], text, sizeof(text));
	if (printer)
		printer(text);
}
