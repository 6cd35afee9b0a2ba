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

enum { STEP = 10000 };

static void (*shower)(const char *, int64_t, int64_t, int64_t);
static int64_t patience;
static int64_t began; /* 0: nothing has */

/* What was told last, and what of it was shown. */
static struct {
	const char *what, *shown;
	int64_t done, all, step; /* percent, or ten thousands */
} now;

void progress_to(void (*show)(const char *what, int64_t done, int64_t all,
			 int64_t left),
	int64_t microseconds)
{
	shower = show;
	patience = microseconds;
}

void progress(const char *what, int64_t done, int64_t all)
{
	now.what = what;
	now.done = done < all || !all ? done : all;
	now.all = all;
	progress_wait();
}

void progress_wait(void)
{
	int64_t step = now.all ? now.done * 100 / now.all : now.done / STEP;
	int64_t took;

	if (!shower || !now.what || (now.what == now.shown && now.step == step))
		return;
	if (!began)
		began = stopwatch_usec();
	took = stopwatch_usec() - began;
	if (took < patience)
		return;
	now.shown = now.what;
	now.step = step;
	shower(now.what, now.done, now.all,
		now.done ? took / now.done * (now.all - now.done) / 1000000 : 0);
}

void progress_end(void)
{
	if (now.shown)
		shower(NULL, 0, 0, 0);
	now.what = now.shown = NULL;
	began = 0;
}
