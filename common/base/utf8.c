#include "common/base/utf8.h"

#include <stddef.h>
#include <string.h>

static bool is_tail(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* The bounds of the second byte after a first one: they keep out overlong
 * forms, surrogates and what lies above U+10FFFF. */
static bool is_second(unsigned char first, unsigned char byte)
{
	if (first == 0xe0)
		return byte >= 0xa0 && byte <= 0xbf;
	if (first == 0xed)
		return byte >= 0x80 && byte <= 0x9f;
	if (first == 0xf0)
		return byte >= 0x90 && byte <= 0xbf;
	if (first == 0xf4)
		return byte >= 0x80 && byte <= 0x8f;
	return is_tail(byte);
}

/* How many bytes the character has; 0: not a valid character. */
static size_t character(const char *text)
{
	const unsigned char *b = (const unsigned char *)text;
	size_t len = *b >= 0xf0 ? 4 : *b >= 0xe0 ? 3 : 2;

	if (*b < 0x80)
		return 1;
	if (*b < 0xc2 || *b > 0xf4 || !is_second(b[0], b[1]))
		return 0;
	for (size_t i = 2; i < len; i++)
		if (!is_tail(b[i]))
			return 0;
	return len;
}

bool utf8_valid(const char *text)
{
	while (*text) {
		size_t len = character(text);

		if (!len)
			return false;
		text += len;
	}
	return true;
}

/* C0, DEL, and C1 as UTF-8 has it. */
static bool is_control(const unsigned char *b)
{
	return *b < 0x20 || *b == 0x7f || (b[0] == 0xc2 && b[1] < 0xa0);
}

/* Most texts are ASCII alone. */
static const char *skip_ascii(const char *text)
{
	while (*text >= 0x20 && *text < 0x7f)
		text++;
	return text;
}

bool utf8_clean(const char *text)
{
	while (*(text = skip_ascii(text))) {
		size_t len = character(text);

		if (!len || is_control((const unsigned char *)text))
			return false;
		text += len;
	}
	return true;
}

const char *utf8_repair(struct arena *arena, const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *copy, *out;

	if (utf8_valid(text))
		return text;
	copy = out = arena_array(arena, strlen(text) + 1, 3);
	while (*text) {
		size_t len = character(text);

		memcpy(out, len ? text : replacement, len ? len : 3);
		out += len ? len : 3;
		text += len ? len : 1;
	}
	return copy;
}

const char *utf8_visible(struct arena *arena, const char *text)
{
	static const char digits[] = "0123456789abcdef";
	char *copy, *out;

	if (utf8_clean(text))
		return text;
	copy = out = arena_array(arena, strlen(text) + 1, 4);
	while (*text) {
		const unsigned char *b = (const unsigned char *)text;
		size_t len = character(text);
		bool hidden = !len || is_control(b);

		len = len ? len : 1;
		for (size_t i = 0; i < len; i++, text++) {
			if (!hidden) {
				*out++ = *text;
				continue;
			}
			*out++ = '\\';
			*out++ = 'x';
			*out++ = digits[b[i] >> 4];
			*out++ = digits[b[i] & 15];
		}
	}
	return copy;
}

const char *utf8_tame(struct arena *arena, const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *copy, *out;

	if (utf8_clean(text))
		return text;
	copy = out = arena_array(arena, strlen(text) + 1, 3);
	while (*text) {
		size_t len = character(text);

		if (strchr("\t\n\v\f\r", *text)) {
			*out++ = ' ';
		} else if (!len || is_control((const unsigned char *)text)) {
			memcpy(out, replacement, 3);
			out += 3;
		} else {
			memcpy(out, text, len);
			out += len;
		}
		text += len ? len : 1;
	}
	return copy;
}
