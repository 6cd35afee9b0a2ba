#include "common/text/span.h"

#include <inttypes.h>
#include <time.h>

enum { DAY = 86400, STRIDE = 28 * DAY };

/* ---- the clock ---------------------------------------------------------- */

/* Seconds the local clock is ahead of UTC. */
static int64_t ahead_at(int64_t when)
{
	time_t t = (time_t)when;
	struct tm tm;

	return localtime_r(&t, &tm) ? tm.tm_gmtoff : 0;
}

/* What it shows, counted as if it were UTC. */
static int64_t shown(int64_t when)
{
	return when + ahead_at(when);
}

/* When the clock is set next, `until` at the latest. At most a stride may lie
 * between: what is set on and back within is not seen. */
static int64_t clock_change(int64_t from, int64_t until)
{
	const int64_t ahead = ahead_at(from);

	if (ahead_at(until) == ahead)
		return until;
	while (until - from > 1) {
		int64_t middle = from + (until - from) / 2;

		if (ahead_at(middle) == ahead)
			from = middle;
		else
			until = middle;
	}
	return until;
}

/* The first moment the clock shows this or more: it may be set on over it,
 * and show it twice. */
static int64_t first_showing(int64_t clock)
{
	int64_t at = clock - DAY;

	while (shown(at) < clock)
		at = clock_change(at, clock - ahead_at(at));
	return at;
}

/* ---- hours -------------------------------------------------------------- */

static int64_t past_hour(int64_t when)
{
	int64_t past = shown(when) % SPAN_HOUR_MOST;

	return past < 0 ? past + SPAN_HOUR_MOST : past;
}

static int64_t hour_floor(int64_t when)
{
	int64_t full = when - past_hour(when);

	return ahead_at(full) == ahead_at(when) ? full
						: clock_change(full, when);
}

static int64_t hour_next(int64_t start)
{
	return clock_change(start, start - past_hour(start) + SPAN_HOUR_MOST);
}

/* ---- days and months ---------------------------------------------------- */

/* Where the date begins that the clock shows at `when`, or one `later`. */
static int64_t date_begin(int64_t when, enum span span, int later)
{
	time_t clock = (time_t)shown(when);
	struct tm tm;

	gmtime_r(&clock, &tm);
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	if (span == SPAN_MONTH) {
		tm.tm_mday = 1;
		tm.tm_mon += later;
	} else {
		tm.tm_mday += later;
	}
	return first_showing(timegm(&tm));
}

int64_t span_next(int64_t start, enum span span)
{
	return span == SPAN_HOUR ? hour_next(start)
				 : date_begin(start, span, 1);
}

/* A clock that is set back over midnight shows yesterday's date again. */
int64_t span_floor(int64_t when, enum span span)
{
	int64_t start, next;

	if (span == SPAN_HOUR)
		return hour_floor(when);
	start = date_begin(when, span, 0);
	while ((next = span_next(start, span)) <= when)
		start = next;
	return start;
}

int64_t span_ceil(int64_t when, enum span span)
{
	int64_t start = span_floor(when, span);

	return start == when ? start : span_next(start, span);
}

enum span span_of_window(int64_t start, int64_t end, int64_t now)
{
	if (span_floor(start, SPAN_DAY) != start ||
		span_floor(end, SPAN_DAY) != end || end - start < DAY ||
		end > now)
		return SPAN_HOUR;
	if (span_floor(start, SPAN_MONTH) == start &&
		span_floor(end, SPAN_MONTH) == end && end - start > DAY)
		return SPAN_MONTH;
	return SPAN_DAY;
}

/* ---- its name ----------------------------------------------------------- */

/* FNV-1a, a number at a time. */
static uint64_t hash(uint64_t h, int64_t number)
{
	return (h ^ (uint64_t)number) * 1099511628211u;
}

char *calendar_name(struct arena *arena, int64_t until)
{
	int64_t ahead = ahead_at(0);
	uint64_t h = hash(14695981039346656037u, ahead);
	int changes = 0;

	for (int64_t at = 0; at < until;) {
		int64_t next = at + STRIDE < until ? at + STRIDE : until;

		at = clock_change(at, next);
		if (ahead_at(at) == ahead)
			continue;
		ahead = ahead_at(at);
		h = hash(hash(h, at), ahead);
		changes++;
	}
	return arena_printf(arena, "%d:%016" PRIx64, changes, h);
}
