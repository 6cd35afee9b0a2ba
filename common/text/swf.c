/*
 * Reading SWF lines; see swf.h.
 */
#include "common/text/swf.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_QUEUES = 1000 };

static const int64_t most = INT64_C(1) << 53;

static const char *skip_blanks(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

/* A number, perhaps with a fraction. Returns the text after it; NULL when it is
 * not a number. */
static const char *read_number(const char *text, int64_t *number)
{
	int64_t sum = 0, sign = 1;

	if (*text == '-') {
		sign = -1;
		text++;
	}
	if (*text < '0' || *text > '9')
		return NULL;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (sum > most / 10)
			return NULL;
		sum = sum * 10 + (*text - '0');
	}
	if (*text == '.')
		text++;
	while (*text >= '0' && *text <= '9')
		text++;
	*number = sign * sum;
	return *text && *text != ' ' && *text != '\t' ? NULL : text;
}

/* ---- header ------------------------------------------------------------- */

/* What is not a number counts as not given. */
static int64_t header_number(const char *text)
{
	int64_t number;

	return read_number(text, &number) && number > 0 ? number : 0;
}

/* "0  interactive (up to an hour)": a number and a name. */
static void read_queue(
	struct swf_header *h, const char *text, struct arena *arena)
{
	char *end;
	long number = strtol(text, &end, 10);
	const char *name = skip_blanks(end);

	if (end == text || number < 0 || number > MOST_QUEUES)
		return;
	while (h->queues.n <= (size_t)number)
		strv_push(&h->queues, arena, "");
	h->queues.v[number] = arena_strndup(
		arena, name, strspn(name, "abcdefghijklmnopqrstuvwxyz"
					  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_-."));
}

static const struct {
	const char *keyword;
	size_t number; /* offset */
} numbers[] = {
	{"UnixStartTime", offsetof(struct swf_header, start)},
	{"MaxProcs", offsetof(struct swf_header, procs)},
	{"MaxNodes", offsetof(struct swf_header, nodes)},
};

static bool is_keyword(const char *text, size_t len, const char *keyword)
{
	return strlen(keyword) == len && !strncmp(keyword, text, len);
}

static void read_comment(
	const char *text, struct swf_header *header, struct arena *arena)
{
	const char *value;
	size_t len;

	text = skip_blanks(text);
	len = strcspn(text, ": \t");
	if (text[len] != ':')
		return;
	value = skip_blanks(text + len + 1);
	if (is_keyword(text, len, "Queue"))
		read_queue(header, value, arena);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (is_keyword(text, len, numbers[i].keyword))
			*(int64_t *)(void *)((char *)header + numbers[i].number) =
				header_number(value);
}

/* ---- jobs --------------------------------------------------------------- */

static int bad_number(const char *text, int field, struct err *err)
{
	return err_set(err, ERR_USAGE, "field %d: '%.*s' is not a number",
		field + 1, (int)strcspn(text, " \t"), text);
}

int swf_line(const char *line, struct swf_header *header, struct arena *arena,
	struct swf_job *job, struct err *err)
{
	int n = 0;

	line = skip_blanks(line);
	if (*line == ';')
		read_comment(line + 1, header, arena);
	if (!*line || *line == ';')
		return 0;
	for (; *line; line = skip_blanks(line)) {
		const char *end;

		if (n == SWF_FIELDS)
			break; /* some archives put notes of their own behind */
		end = read_number(line, &job->v[n]);
		if (!end)
			return bad_number(line, n, err);
		line = end;
		n++;
	}
	if (n < SWF_FIELDS)
		return err_set(err, ERR_USAGE, "%d fields instead of 18", n);
	return 1;
}
