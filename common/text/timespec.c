/*
 * Times and durations as text. Pure: `now` comes in, only the zone is the
 * process's own. Follows Slurm's src/common/parse_time.c.
 *
 * A date or a clock time that is given twice is refused, where Slurm takes
 * the last one, and so is a day that the month does not have, which runs on
 * into the next one there: such a record would be of another day.
 */
#include "common/text/timespec.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, WEEK = 7 * DAY };

enum { NO_YEAR = INT_MIN };

/* --- the local clock --------------------------------------------------- */

/* How far clocks are put back and on. */
static const time_t shifts[] = {3600, 1800, 7200};
enum { SHIFTS = sizeof(shifts) / sizeof(*shifts) };

/* What the local clock shows, counted in seconds as if it never changed. */
static time_t shown(time_t when)
{
	struct tm tm;

	return localtime_r(&when, &tm) ? when + tm.tm_gmtoff : when;
}

time_t time_local(const struct tm *want)
{
	struct tm tm = *want, plain = *want;
	time_t wanted = timegm(&plain), when, found;

	tm.tm_isdst = -1;
	when = mktime(&tm);
	if (when == (time_t)-1)
		return when;
	found = shown(when);
	if (found < wanted)
		return when + (wanted - found);
	for (int i = 0; i < SHIFTS; i++)
		if (shown(when - shifts[i]) == found)
			return when - shifts[i];
	return when;
}

time_t time_again(time_t when)
{
	for (int i = 0; i < SHIFTS; i++)
		if (shown(when + shifts[i]) == shown(when))
			return when + shifts[i];
	return 0;
}

/* --- points in time ---------------------------------------------------- */

/* A time under construction, and how far the text has been read. */
struct moment {
	const char *text;
	size_t pos;
	time_t now;
	struct tm today;
	bool has_now, has_date, has_clock, has_year;
	time_t exact;	      /* now +- something, when has_now */
	int year, month, day; /* as in struct tm */
	int hour, minute, second;
	int days; /* of the month; 0, or it has not so many as the date says */
};

static int set_date(struct moment *m, int year, int month, int day)
{
	if (m->has_date)
		return -1;
	m->has_date = true;
	m->has_year = year != NO_YEAR;
	m->year = year;
	m->month = month;
	m->day = day;
	return 0;
}

static int set_clock(struct moment *m, int hour, int minute, int second)
{
	if (m->has_clock)
		return -1;
	m->has_clock = true;
	m->hour = hour;
	m->minute = minute;
	m->second = second;
	return 0;
}

static int set_date_of(struct moment *m, time_t when)
{
	struct tm tm;

	if (!localtime_r(&when, &tm))
		return -1;
	return set_date(m, tm.tm_year, tm.tm_mon, tm.tm_mday);
}

static bool digit_at(const struct moment *m, size_t pos)
{
	return isdigit((unsigned char)m->text[pos]);
}

/* Between `least` and two digits; m->pos moves behind them. */
static int read_number(struct moment *m, int least, int low, int high)
{
	size_t start = m->pos;
	int value = 0, n = 0;

	while (n < 2 && digit_at(m, m->pos)) {
		value = value * 10 + (m->text[m->pos++] - '0');
		n++;
	}
	if (n < least)
		return -1;
	if (value < low || value > high) {
		m->pos = start;
		return -1;
	}
	return value;
}

static bool skip_char(struct moment *m, const char *set)
{
	if (!m->text[m->pos] || !strchr(set, m->text[m->pos]))
		return false;
	m->pos++;
	return true;
}

static void skip_blanks(struct moment *m)
{
	while (isspace((unsigned char)m->text[m->pos]))
		m->pos++;
}

static bool skip_word(struct moment *m, const char *word)
{
	size_t n = strlen(word);

	if (strncasecmp(m->text + m->pos, word, n))
		return false;
	m->pos += n;
	return true;
}

/* AM and PM belong to hours 0..12 (12 AM is midnight). */
static int read_half_of_day(struct moment *m, int *hour)
{
	size_t start = m->pos;
	bool pm;

	skip_blanks(m);
	pm = skip_word(m, "pm");
	if (!pm && !skip_word(m, "am")) {
		m->pos = start;
		return 0;
	}
	if (*hour > 12) {
		m->pos -= 2;
		return -1;
	}
	*hour = *hour % 12 + (pm ? 12 : 0);
	return 0;
}

/* HH:MM[:SS] [AM|PM] */
static int read_clock(struct moment *m)
{
	int hour = read_number(m, 1, 0, 23), minute, second = 0;

	if (hour < 0 || !skip_char(m, ":"))
		return -1;
	minute = read_number(m, 2, 0, 59);
	if (minute >= 0 && skip_char(m, ":"))
		second = read_number(m, 2, 0, 59);
	if (minute < 0 || second < 0 || read_half_of_day(m, &hour))
		return -1;
	return set_clock(m, hour, minute, second);
}

/* YYYY-MM-DD */
static int read_iso_date(struct moment *m)
{
	int century = read_number(m, 2, 0, 99);
	int year = read_number(m, 2, 0, 99);
	int month, day;

	if (century < 0 || year < 0)
		return -1;
	m->pos++;
	month = read_number(m, 2, 1, 12);
	if (month < 0)
		return -1;
	m->pos++;
	day = read_number(m, 1, 1, 31);
	if (day < 0)
		return -1;
	return set_date(m, century * 100 + year - 1900, month - 1, day);
}

/* MMDD[YY], MM/DD[/YY], MM.DD[.YY] */
static int read_short_date(struct moment *m)
{
	int month = read_number(m, 1, 1, 12), day, year = NO_YEAR;

	if (month < 0)
		return -1;
	skip_char(m, "./");
	day = read_number(m, 1, 1, 31);
	if (day < 0)
		return -1;
	if (digit_at(m, m->pos) || skip_char(m, "./")) {
		year = read_number(m, 2, 0, 99);
		if (year < 0)
			return -1;
		year += 100;
	}
	return set_date(m, year, month - 1, day);
}

static bool iso_date_at(const struct moment *m)
{
	const char *p = m->text + m->pos;

	return strnlen(p, 8) == 8 && p[4] == '-' && p[7] == '-';
}

static int read_digits(struct moment *m)
{
	if (m->text[m->pos + 1] == ':' ||
		(digit_at(m, m->pos + 1) && m->text[m->pos + 2] == ':'))
		return read_clock(m);
	return iso_date_at(m) ? read_iso_date(m) : read_short_date(m);
}

static const struct {
	const char *name;
	long seconds;
} units[] = {
	{"seconds", 1},
	{"second", 1},
	{"minutes", MINUTE},
	{"minute", MINUTE},
	{"hours", HOUR},
	{"hour", HOUR},
	{"days", DAY},
	{"day", DAY},
	{"weeks", WEEK},
	{"week", WEEK},
};

static long read_unit(struct moment *m)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (skip_word(m, units[i].name))
			return units[i].seconds;
	return 1;
}

/* What follows the sign in `now+2hours`. Errors point at the last byte that
 * was good, as Slurm does. */
static int read_delta(struct moment *m, bool back)
{
	size_t sign = m->pos - 1;
	long count = 0, delta;

	skip_blanks(m);
	if (!digit_at(m, m->pos)) {
		m->pos = m->text[m->pos] ? m->pos - 1 : sign;
		return -1;
	}
	for (; digit_at(m, m->pos); m->pos++)
		if (__builtin_mul_overflow(count, 10L, &count) ||
			__builtin_add_overflow(
				count, m->text[m->pos] - '0', &count))
			return -1;
	skip_blanks(m);
	if (__builtin_mul_overflow(count, read_unit(m), &delta))
		return -1;
	if (back)
		return __builtin_sub_overflow(m->now, delta, &m->exact) ? -1
									: 0;
	return __builtin_add_overflow(m->now, delta, &m->exact) ? -1 : 0;
}

static int read_now(struct moment *m)
{
	if (m->has_now || m->has_date || m->has_clock)
		return -1;
	m->has_now = true;
	m->exact = m->now;
	skip_blanks(m);
	if (skip_char(m, "+"))
		return read_delta(m, false);
	if (skip_char(m, "-"))
		return read_delta(m, true);
	return m->text[m->pos] ? -1 : 0;
}

static int read_today(struct moment *m)
{
	return set_date_of(m, m->now);
}

static int read_tomorrow(struct moment *m)
{
	return set_date_of(m, m->now + DAY);
}

static const struct {
	const char *name;
	int (*read)(struct moment *);
	int hour;
} named[] = {
	{"today", read_today, 0},
	{"tomorrow", read_tomorrow, 0},
	{"now", read_now, 0},
	{"midnight", NULL, 0},
	{"elevenses", NULL, 11},
	{"noon", NULL, 12},
	{"fika", NULL, 15},
	{"teatime", NULL, 16},
};

static int find_name(const struct moment *m)
{
	for (int i = 0; i < (int)(sizeof(named) / sizeof(*named)); i++)
		if (!strncasecmp(m->text + m->pos, named[i].name,
			    strlen(named[i].name)))
			return i;
	return -1;
}

/* One word, date or clock time. */
static int read_part(struct moment *m)
{
	int i;

	if (digit_at(m, m->pos))
		return read_digits(m);
	i = find_name(m);
	if (i < 0)
		return -1;
	m->pos += strlen(named[i].name);
	if (named[i].read)
		return named[i].read(m);
	return set_clock(m, named[i].hour, 0, 0);
}

/* Parts are separated by blanks, `-` or `T` (which may also begin a name), or
 * by nothing. */
static int read_parts(struct moment *m)
{
	skip_blanks(m);
	do {
		if (read_part(m))
			return -1;
		while (find_name(m) < 0 && skip_char(m, "-T \t\r\n"))
			;
	} while (m->text[m->pos]);
	return strchr("-T", m->text[m->pos - 1]) ? -1 : 0;
}

/* A bare clock time is the next such moment, or (past) that of today. */
static void choose_day(struct moment *m, bool past)
{
	int minutes = m->hour * 60 + m->minute;
	int passed = m->today.tm_hour * 60 + m->today.tm_min;

	if (past || minutes > passed)
		read_today(m);
	else
		read_tomorrow(m);
}

/* A date without a year is the next such date, or (past) one of the twelve
 * months that end with this one. */
static void choose_year(struct moment *m, bool past)
{
	const struct tm *now = &m->today;
	int then[] = {m->month, m->day, m->hour, m->minute};
	int here[] = {now->tm_mon, now->tm_mday, now->tm_hour, now->tm_min};
	int order = 0;

	for (int i = 0; i < 4 && !order; i++)
		order = then[i] - here[i];
	m->year = now->tm_year;
	if (past && m->month > now->tm_mon)
		m->year--;
	else if (!past && order <= 0)
		m->year++;
}

static int days_of(int year, int month)
{
	struct tm last = {.tm_year = year, .tm_mon = month + 1};

	timegm(&last); /* the day before the first of the next month */
	return last.tm_mday;
}

static int moment_finish(struct moment *m, bool past, time_t *out)
{
	struct tm tm = {0};
	time_t when;

	if (m->has_now && !m->has_date && !m->has_clock) {
		*out = m->exact;
		return 0;
	}
	if (m->has_now && !m->has_date)
		set_date_of(m, m->exact);
	if (!m->has_date)
		choose_day(m, past);
	if (!m->has_year)
		choose_year(m, past);
	if (m->day > days_of(m->year, m->month)) {
		m->days = days_of(m->year, m->month);
		return -1;
	}
	tm.tm_year = m->year;
	tm.tm_mon = m->month;
	tm.tm_mday = m->day;
	tm.tm_hour = m->hour;
	tm.tm_min = m->minute;
	tm.tm_sec = m->second;
	when = time_local(&tm);
	if (when == (time_t)-1)
		return -1;
	*out = when;
	return 0;
}

/* Seconds since the epoch: uts1700000000, @1700000000, or so many digits that
 * they are no date. */
static const char *epoch_of(const char *text)
{
	enum { MOST_DATE = 8 };

	if (!strncasecmp(text, "uts", 3))
		return text + 3;
	if (*text == '@')
		return text + 1;
	return strspn(text, "0123456789") > MOST_DATE &&
			       !text[strspn(text, "0123456789")]
		       ? text
		       : NULL;
}

static int read_epoch(const char *digits, time_t *out)
{
	long long value = 0;

	for (; isdigit((unsigned char)*digits); digits++)
		if (__builtin_mul_overflow(value, 10LL, &value) ||
			__builtin_add_overflow(value, *digits - '0', &value))
			return -1;
	digits += strspn(digits, "\r\n");
	if (*digits || value < 1000000)
		return -1;
	*out = (time_t)value;
	return 0;
}

/* The end of the year 9999: later ones are written with more digits. */
#define LAST_TIME INT64_C(253402300799)

int time_parse(
	const char *text, time_t now, bool past, time_t *out, struct err *err)
{
	struct moment m = {.text = text, .now = now};
	const char *epoch = epoch_of(text);
	time_t when = 0;
	int status;

	if (epoch)
		status = read_epoch(epoch, &when);
	else if (!localtime_r(&now, &m.today))
		status = -1;
	else
		status = read_parts(&m) || moment_finish(&m, past, &when);
	if (m.days)
		return err_usage(err, ERR_NO_DAY,
			"Invalid time specification (pos=%zu): %s: month %d of "
			"%d has %d days",
			m.pos, text, m.month + 1, m.year + 1900, m.days);
	if (status || when > LAST_TIME)
		return err_set(err, ERR_USAGE,
			"Invalid time specification (pos=%zu): %s", m.pos,
			text);
	*out = when;
	return 0;
}

/* --- durations --------------------------------------------------------- */

/* `1-2:3:4` as its numbers; the count of numbers, or -1. */
static int split_duration(const char *text, uint64_t part[4], bool *days)
{
	int n = 0;

	*days = false;
	for (;;) {
		if (!isdigit((unsigned char)*text))
			return -1;
		part[n] = 0;
		for (; isdigit((unsigned char)*text); text++) {
			part[n] = part[n] * 10 + (uint64_t)(*text - '0');
			if (part[n] > UINT32_MAX)
				return -1;
		}
		n++;
		if (!*text)
			return n;
		if (*text == '-' && n == 1)
			*days = true;
		else if (*text != ':' || n == (*days ? 4 : 3))
			return -1;
		text++;
	}
}

/* -1 when the text is not a duration; INFINITE64 for UNLIMITED. */
static int read_duration(const char *text, uint64_t *seconds)
{
	/* What the parts count, by [days given][number of parts]. */
	static const uint64_t worth[2][5][4] = {
		{{0}, {MINUTE}, {MINUTE, 1}, {HOUR, MINUTE, 1}, {0}},
		{{0}, {0}, {DAY, HOUR}, {DAY, HOUR, MINUTE},
			{DAY, HOUR, MINUTE, 1}},
	};
	uint64_t part[4];
	bool days;
	int n;

	*seconds = INFINITE64;
	if (!strcmp(text, "-1") || !strcasecmp(text, "INFINITE") ||
		!strcasecmp(text, "UNLIMITED"))
		return 0;
	n = split_duration(text, part, &days);
	if (n < 0)
		return -1;
	*seconds = 0;
	for (int i = 0; i < n; i++)
		*seconds += part[i] * worth[days][n][i];
	return 0;
}

static int bad_duration(const char *text, struct err *err)
{
	return err_set(err, ERR_USAGE, "Invalid time value: %s", text);
}

int minutes_parse(const char *text, uint32_t *minutes, struct err *err)
{
	uint64_t seconds;

	if (read_duration(text, &seconds))
		return bad_duration(text, err);
	if (seconds == INFINITE64) {
		*minutes = INFINITE;
		return 0;
	}
	seconds = (seconds + MINUTE - 1) / MINUTE;
	if (seconds >= NO_VAL)
		return bad_duration(text, err);
	*minutes = (uint32_t)seconds;
	return 0;
}

int seconds_parse(const char *text, uint32_t *seconds, struct err *err)
{
	uint64_t value;

	if (read_duration(text, &value))
		return bad_duration(text, err);
	if (value == INFINITE64) {
		*seconds = INFINITE;
		return 0;
	}
	if (value >= NO_VAL)
		return bad_duration(text, err);
	*seconds = (uint32_t)value;
	return 0;
}

char *duration_format(struct arena *arena, uint64_t seconds)
{
	unsigned long long days = seconds / DAY;
	unsigned hours = (unsigned)(seconds / HOUR % 24);
	unsigned minutes = (unsigned)(seconds / MINUTE % 60);
	unsigned rest = (unsigned)(seconds % 60);

	if (seconds == INFINITE || seconds == INFINITE64)
		return arena_strdup(arena, "UNLIMITED");
	if (seconds > INT64_MAX) /* a difference that came out negative */
		return arena_strdup(arena, "INVALID");
	if (days)
		return arena_printf(arena, "%llu-%02u:%02u:%02u", days, hours,
			minutes, rest);
	return arena_printf(arena, "%02u:%02u:%02u", hours, minutes, rest);
}

char *duration_short(struct arena *arena, uint64_t seconds)
{
	unsigned minutes = (unsigned)(seconds / MINUTE % 60);
	unsigned rest = (unsigned)(seconds % 60);

	if (seconds >= DAY)
		return duration_format(arena, seconds);
	if (seconds >= HOUR)
		return arena_printf(arena, "%u:%02u:%02u",
			(unsigned)(seconds / HOUR), minutes, rest);
	return arena_printf(arena, "%u:%02u", minutes, rest);
}

/* --- printing a point in time ------------------------------------------ */

/* Days since some fixed day, of a local date. */
static long day_number(const struct tm *tm)
{
	long year = tm->tm_year + 1900L - 1;

	return year * 365 + year / 4 - year / 100 + year / 400 + tm->tm_yday;
}

static const char *relative_pattern(const struct tm *when, time_t now)
{
	struct tm today;
	long distance;

	if (!localtime_r(&now, &today))
		return "%FT%T";
	distance = day_number(when) - day_number(&today);
	if (distance == -1)
		return "Ystday %H:%M";
	if (distance == 0)
		return "%H:%M:%S";
	if (distance == 1)
		return "Tomorr %H:%M";
	if (labs(distance) > 365)
		return "%-d %b %Y";
	if (distance < 0 || distance > 6)
		return "%-d %b %H:%M";
	return "%a %H:%M";
}

static const char *pattern_of(
	const char *style, const struct tm *tm, time_t now)
{
	enum { PATTERN_MAX = 31 };

	if (!style)
		return "%FT%T";
	if (!strcmp(style, "relative"))
		return relative_pattern(tm, now);
	if (strchr(style, '%') && strlen(style) <= PATTERN_MAX)
		return style;
	return "%FT%T"; /* "standard", "", and anything that is not a pattern */
}

char *time_format(
	struct arena *arena, time_t when, const char *style, time_t now)
{
	char text[256];
	struct tm tm;

	if (when == 0 || when == (time_t)INFINITE)
		return arena_strdup(arena, "Unknown");
	if (when == (time_t)NO_VAL)
		return arena_strdup(arena, "None");
	if (!localtime_r(&when, &tm))
		return arena_strdup(arena, "Unknown");
		/* The pattern is the user's by contract; no compiler can check
		 * it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (!strftime(text, sizeof(text), pattern_of(style, &tm, now), &tm)) {
#pragma GCC diagnostic pop
		memset(text, '#', sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
	}
	return arena_strdup(arena, text);
}
