/*
 * JSON as text; see json_text.h.
 */
#include "common/table/json_text.h"

#include <inttypes.h>
#include <string.h>

void json_text_indent(const struct json_text *t, size_t level)
{
	if (!t->pretty)
		return;
	putc_unlocked('\n', t->out);
	for (size_t i = 0; i < level; i++)
		fwrite_unlocked("  ", 1, 2, t->out);
}

/* The letter after the backslash; 0 when the character needs no escape. */
static char escape_of(const struct json_text *t, unsigned char c)
{
	static const char from[] = "\b\n\r\t\f\"\\/", to[] = "bnrtf\"\\/";
	const char *at = c ? strchr(from, c) : NULL;

	if (!at || (c == '/' && t->plain_slashes))
		return 0;
	return to[at - from];
}

/* How many bytes at the beginning stand for themselves. */
static size_t plain_bytes(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && (unsigned char)text[i] >= ' ' && text[i] != '"' &&
		text[i] != '\\' && text[i] != '/')
		i++;
	return i;
}

static void write_string(const struct json_text *t, const char *text, size_t n)
{
	putc_unlocked('"', t->out);
	for (size_t i = 0; i < n; i++) {
		size_t plain = plain_bytes(text + i, n - i);
		unsigned char c;
		char escape;

		fwrite_unlocked(text + i, 1, plain, t->out);
		i += plain;
		if (i == n)
			break;
		c = (unsigned char)text[i];
		escape = escape_of(t, c);
		if (escape)
			fprintf(t->out, "\\%c", escape);
		else if (c < ' ')
			fprintf(t->out, "\\u%04x", c);
		else
			putc_unlocked(c, t->out);
	}
	putc_unlocked('"', t->out);
}

static void write_object(
	const struct json_text *t, struct json_object *object, size_t level)
{
	bool first = true;

	putc_unlocked('{', t->out);
	json_object_object_foreach(object, name, value)
	{
		if (!first)
			putc_unlocked(',', t->out);
		first = false;
		json_text_indent(t, level + 1);
		write_string(t, name, strlen(name));
		fputs_unlocked(t->pretty ? ": " : ":", t->out);
		json_text(t, value, level + 1);
	}
	json_text_indent(t, level);
	putc_unlocked('}', t->out);
}

static void write_array(
	const struct json_text *t, struct json_object *array, size_t level)
{
	size_t n = json_object_array_length(array);

	putc_unlocked('[', t->out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc_unlocked(',', t->out);
		json_text_indent(t, level + 1);
		json_text(t, json_object_array_get_idx(array, i), level + 1);
	}
	json_text_indent(t, level);
	putc_unlocked(']', t->out);
}

void json_text(
	const struct json_text *t, struct json_object *value, size_t level)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		fputs_unlocked("null", t->out);
		return;
	case json_type_boolean:
		fputs_unlocked(json_object_get_boolean(value) ? "true" : "false",
			t->out);
		return;
	case json_type_int:
		fprintf(t->out, "%" PRId64, json_object_get_int64(value));
		return;
	case json_type_double:
		fputs_unlocked(json_object_get_userdata(value), t->out);
		return;
	case json_type_string:
		write_string(t, json_object_get_string(value),
			(size_t)json_object_get_string_len(value));
		return;
	case json_type_object:
		write_object(t, value, level);
		return;
	case json_type_array:
		write_array(t, value, level);
		return;
	}
}
