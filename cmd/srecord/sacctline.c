/*
 * Splitting and reading a line of sacct; see sacctline.h.
 */
#include "cmd/srecord/sacctline.h"

#include <string.h>
#include <strings.h>

#include "common/text/timespec.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool in_name(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* ---- fields ------------------------------------------------------------- */

size_t sacct_delimiter(const char *header, char *delimiter, size_t size)
{
	size_t n = 0;

	while (in_name(*header))
		header++;
	while (header[n] && !in_name(header[n]))
		n++;
	if (!header[n])
		n = *header ? 1 : 0; /* one name and what sacct -p puts behind */
	if (n >= size)
		n = 0;
	memcpy(delimiter, header, n);
	delimiter[n] = '\0';
	return n;
}

static char *next_delimiter(const char *text, const char *delimiter)
{
	return delimiter[1] ? strstr(text, delimiter)
			    : strchr(text, *delimiter);
}

size_t sacct_count(const char *line, const char *delimiter)
{
	size_t n = 1, width = strlen(delimiter);

	while (width && (line = next_delimiter(line, delimiter))) {
		line += width;
		n++;
	}
	return n;
}

size_t sacct_split(char *line, const char *delimiter, char **fields, size_t max)
{
	size_t n = 0, width = strlen(delimiter);

	while (line) {
		char *end = width ? next_delimiter(line, delimiter) : NULL;

		if (n < max)
			fields[n] = line;
		n++;
		if (end)
			*end = '\0';
		line = end ? end + width : NULL;
	}
	return n;
}

void sacct_unsplit(char *line, const char *delimiter, size_t n)
{
	for (; n > 1; n--) {
		line += strlen(line);
		*line++ = *delimiter;
	}
}

void sacct_join(char **fields, size_t n, size_t at, size_t surplus,
	const char *delimiter)
{
	size_t width = strlen(delimiter);

	for (size_t i = 1; i <= surplus; i++)
		memcpy(fields[at + i] - width, delimiter, width);
	for (size_t i = at + 1; i < n; i++)
		fields[i] = fields[i + surplus];
}

/* ---- numbers ------------------------------------------------------------ */

/* Skips up to `most` digits; NULL when there are none or more. */
static const char *digits(const char *text, uint64_t most, uint64_t *number)
{
	uint64_t sum = 0;

	if (!is_digit(*text))
		return NULL;
	for (; is_digit(*text); text++) {
		uint64_t digit = (uint64_t)(*text - '0');

		if (digit > most || sum > (most - digit) / 10)
			return NULL;
		sum = sum * 10 + digit;
	}
	*number = sum;
	return text;
}

int sacct_number(const char *text, uint64_t most, uint64_t *number)
{
	const char *end = digits(text, most, number);

	return end && !*end ? 0 : -1;
}

/* Millionths behind a point; further digits are dropped. */
static const char *fraction(const char *text, int64_t *millionths)
{
	int64_t unit = 100000;

	*millionths = 0;
	if (*text != '.')
		return text;
	if (!is_digit(*++text))
		return NULL;
	for (; is_digit(*text); text++, unit /= 10)
		*millionths += (*text - '0') * unit;
	return text;
}

int sacct_duration(const char *text, int64_t *usec)
{
	uint64_t days = 0, part = 0, seconds = 0;
	const char *end = digits(text, 1000000000000, &part);
	bool colon = false;
	int64_t micro;

	if (end && *end == '-') {
		days = part;
		end = digits(end + 1, 1000000, &part);
		colon = end && *end == ':';
		if (days > 1000000 || !colon)
			return -1;
	}
	while (end) {
		seconds = seconds * 60 + part;
		if (*end != ':')
			break;
		if (seconds > 1000000000000)
			return -1;
		end = digits(end + 1, 1000000, &part);
	}
	end = end ? fraction(end, &micro) : NULL;
	if (!end || *end || seconds > 1000000000000)
		return -1;
	*usec = (int64_t)(days * 86400 + seconds) * 1000000 + micro;
	return 0;
}

/* How many bits a suffix shifts by; -1 for an unknown one. */
static int suffix_bits(char c)
{
	static const char suffixes[] = "KMGTP";
	const char *found = c ? strchr(suffixes, c >= 'a' ? c - 32 : c) : NULL;

	return found ? 10 * (int)(found - suffixes + 1) : -1;
}

int sacct_size(const char *text, uint64_t bare, uint64_t *bytes, char *per)
{
	uint64_t whole, unit = bare;
	const char *end = digits(text, UINT64_C(1) << 62, &whole);
	int64_t millionths;
	double all;
	int bits;

	end = end ? fraction(end, &millionths) : NULL;
	if (!end)
		return -1;
	bits = suffix_bits(*end);
	if (bits > 0) {
		unit = UINT64_C(1) << bits;
		end++;
	}
	*per = *end == 'n' || *end == 'c' ? *end++ : '\0';
	all = ((double)whole + (double)millionths / 1e6) * (double)unit;
	if (*end || all > 9e18)
		return -1;
	*bytes = millionths ? (uint64_t)all : whole * unit;
	return 0;
}

int sacct_exit(const char *text, uint32_t *status)
{
	uint64_t code, signal = 0;
	const char *end = digits(text, 255, &code);

	if (end && *end == ':')
		end = digits(end + 1, 127, &signal);
	if (!end || *end)
		return -1;
	*status = (uint32_t)(code << 8 | signal);
	return 0;
}

/* ---- job ids ------------------------------------------------------------ */

static const char *small(const char *text, uint32_t *number)
{
	uint64_t value = 0;
	const char *end = digits(text, UINT32_MAX - 2, &value);

	*number = (uint32_t)value;
	return end;
}

/* "[1-5%2]": the text between the brackets. */
static char *bracket(char *text, struct sacct_id *id)
{
	char *end = strchr(text, ']');

	if (!end)
		return NULL;
	*end = '\0';
	id->tasks = text + 1;
	return end + 1;
}

int sacct_id_parse(char *text, struct sacct_id *id)
{
	const char *end;
	char *step;

	*id = (struct sacct_id){0};
	end = small(text, &id->job);
	if (end && end[0] == '_' && end[1] == '[') {
		end = bracket(text + (end + 1 - text), id);
	} else if (end && *end == '_') {
		id->has_task = true;
		end = small(end + 1, &id->task);
	} else if (end && *end == '+') {
		id->has_het = true;
		end = small(end + 1, &id->het);
	}
	if (!end || !id->job || (*end && *end != '.'))
		return -1;
	step = text + (end - text);
	if (*step && !step[1])
		return -1;
	id->step = *step ? step + 1 : NULL;
	return 0;
}

/* ---- times -------------------------------------------------------------- */

/* Two digits up to `most`, or -1. */
static int two(const char *text, int most)
{
	int value;

	if (!is_digit(text[0]) || !is_digit(text[1]))
		return -1;
	value = (text[0] - '0') * 10 + text[1] - '0';
	return value <= most ? value : -1;
}

static int64_t hour_start(struct sacct_clock *clock, int year, int month,
	int day, int hour)
{
	uint32_t name = (uint32_t)(((year * 13 + month) * 32 + day) * 24 + hour);
	size_t slot = name % (sizeof(clock->known) / sizeof(clock->known[0]));
	struct tm tm = {.tm_year = year - 1900, .tm_mon = month - 1,
		.tm_mday = day, .tm_hour = hour};

	if (clock->known[slot].hour != name) {
		clock->known[slot].hour = name;
		clock->known[slot].start = time_local(&tm);
	}
	return clock->known[slot].start;
}

static int iso_time(struct sacct_clock *clock, const char *text, int64_t *when)
{
	int century = two(text, 99), year = century < 0 ? -1 : two(text + 2, 99);
	int month, day, hour, minute, second;

	if (year < 0 || century < 19 || text[4] != '-')
		return -1;
	month = two(text + 5, 12);
	day = month < 1 || text[7] != '-' ? -1 : two(text + 8, 31);
	hour = day < 1 || text[10] != 'T' ? -1 : two(text + 11, 23);
	minute = hour < 0 || text[13] != ':' ? -1 : two(text + 14, 59);
	second = minute < 0 || text[16] != ':' ? -1 : two(text + 17, 60);
	if (second < 0 || text[19])
		return -1;
	*when = hour_start(clock, century * 100 + year, month, day, hour) +
		minute * 60 + second;
	return *when < 0 ? -1 : 0;
}

int sacct_time(struct sacct_clock *clock, const char *text, int64_t *when)
{
	uint64_t seconds;

	*when = 0;
	if (!*text || !strcasecmp(text, "Unknown") || !strcasecmp(text, "None"))
		return 0;
	if (is_digit(text[0]) && is_digit(text[1]) && is_digit(text[2]) &&
		is_digit(text[3]) && text[4] == '-')
		return iso_time(clock, text, when);
	if (sacct_number(text, 99999999999, &seconds))
		return -1;
	*when = (int64_t)seconds;
	return 0;
}
