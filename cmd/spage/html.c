/*
 * HTML in small pieces. Every text that is not ours goes through html_text.
 */
#include "cmd/spage/spage.h"

static const char *escaped(unsigned char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return c < ' ' || c == 127 ? " " : NULL;
	}
}

void html_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		const char *instead = escaped((unsigned char)*text);

		if (instead)
			fputs(instead, out);
		else
			putc(*text, out);
	}
}
