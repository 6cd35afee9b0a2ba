/*
 * Where hours, days and months of the local clock begin, found in the plainest
 * way: by looking at the clock every minute, or half minute.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "common/text/span.h"

enum { GRID_MOST = 8000 };

struct clock_grid {
	int64_t v[GRID_MOST];
	size_t n;
};

static inline void set_zone(const char *name)
{
	setenv("TZ", name, 1);
	tzset();
}

static inline struct tm clock_at(int64_t when)
{
	time_t t = (time_t)when;
	struct tm tm;

	localtime_r(&t, &tm);
	return tm;
}

/* A number that grows from one month, or day, to the next. */
static inline int clock_date(const struct tm *tm, enum span span)
{
	return tm->tm_year * 10000 + tm->tm_mon * 100 +
	       (span == SPAN_DAY ? tm->tm_mday : 0);
}

/* Hours: at a full one and where the clock is set. */
static inline void clock_hours(
	struct clock_grid *g, int64_t from, int64_t until)
{
	long ahead = clock_at(from - 1).tm_gmtoff;
	int step = ahead % 60 ? 30 : 60;

	g->n = 0;
	for (int64_t t = from; t < until && g->n < GRID_MOST; t += step) {
		struct tm tm = clock_at(t);

		if (tm.tm_gmtoff != ahead || (!tm.tm_min && !tm.tm_sec))
			g->v[g->n++] = t;
		ahead = tm.tm_gmtoff;
	}
}

/* Those of them at which it shows a date for the first time. */
static inline void clock_dates(
	struct clock_grid *g, const struct clock_grid *hours, enum span span)
{
	int latest = 0;

	g->n = 0;
	for (size_t i = 0; i < hours->n; i++) {
		struct tm tm = clock_at(hours->v[i]);
		int date = clock_date(&tm, span);

		if (latest && date > latest)
			g->v[g->n++] = hours->v[i];
		if (date > latest)
			latest = date;
	}
}
