#include "common/base/notice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/stopwatch.h"

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

/* ---- how far it is -------------------------------------------------------*/

enum { PATIENCE = 500000 }; /* microseconds */

static void (*shower)(const char *, int);
static int64_t began; /* 0: nothing has */
static int shown = -1; /* percent */

void progress_to(void (*show)(const char *what, int percent))
{
	shower = show;
}

void progress(const char *what, int64_t done, int64_t all)
{
	int percent;

	if (!shower)
		return;
	percent = done < all ? (int)(done * 100 / all) : 100;
	if (!began)
		began = stopwatch_usec();
	if (percent == shown || stopwatch_usec() - began < PATIENCE)
		return;
	shown = percent;
	shower(what, percent);
}

void progress_end(void)
{
	if (shown >= 0)
		shower(NULL, 0);
	shown = -1;
	began = 0;
}
