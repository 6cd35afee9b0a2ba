#include "common/draw/svg_pen.h"

#include <stdbool.h>
#include <string.h>

#include "common/draw/svg.h"

enum { LETTER = 7 }; /* pixels, wide ones */

/* On white, read with white on it; on black, read with black on it. */
static const struct {
	const char *light, *dark;
} colours[SVG_COLOURS] = {
	{"#1f6fb5", "#5aa9e6"}, /* blue */
	{"#b8520a", "#f0883e"}, /* orange */
	{"#1a7a58", "#3fb68b"}, /* green */
	{"#b03a86", "#e07bbd"}, /* pink */
	{"#856200", "#d9b13b"}, /* gold */
	{"#0b7584", "#4fc3cf"}, /* teal */
	{"#6f4bb2", "#a98be8"}, /* purple */
	{"#c2333d", "#f0727a"}, /* red */
	{"#557216", "#a3c14a"}, /* olive */
	{"#85543a", "#c99a78"}, /* brown */
	{"#4257c9", "#8896f0"}, /* indigo */
	{"#93369e", "#cf86dd"}, /* violet */
};

static const char style[] =
	"text { font-family: 'DejaVu Sans', Helvetica, Arial, sans-serif; "
	"font-size: 12px; fill: #444 }\n"
	".title { font-size: 18px; font-weight: bold; fill: #111 }\n"
	".panel { font-size: 13px; font-weight: bold; fill: #222 }\n"
	".number { text-anchor: end }\n"
	".time { text-anchor: middle }\n"
	".note { font-size: 11px; fill: #666 }\n"
	".paper { fill: #fff }\n"
	".neutral { fill: #dfe3e8 }\n"
	".onneutral { fill: #222 }\n"
	".tile { stroke: #fff; stroke-width: 1 }\n"
	".grid { stroke: #e4e4e4 }\n"
	".axis { stroke: #777 }\n"
	".mark { stroke: #888; stroke-dasharray: 4 3 }\n"
	".line { fill: none; stroke-width: 2; stroke-linejoin: round; "
	"stroke-linecap: round }\n"
	".on { fill: #fff }\n";

static const char dark_style[] = "@media (prefers-color-scheme: dark) {\n"
				 "text { fill: #c9d1d9 }\n"
				 ".title, .panel { fill: #f0f3f6 }\n"
				 ".note { fill: #8b949e }\n"
				 ".paper { fill: #0d1117 }\n"
				 ".neutral { fill: #30363d }\n"
				 ".onneutral { fill: #e6edf3 }\n"
				 ".tile { stroke: #0d1117 }\n"
				 ".grid { stroke: #262c36 }\n"
				 ".axis { stroke: #8b949e }\n"
				 ".on { fill: #10151b }\n";

static const char *paint_of(size_t i, bool dark)
{
	return dark ? colours[i].dark : colours[i].light;
}

void svg_palette(FILE *out)
{
	for (int dark = 0; dark <= 1; dark++) {
		fputs(dark ? "@media (prefers-color-scheme: dark) { :root {"
			   : ":root {",
			out);
		for (size_t i = 0; i < SVG_COLOURS; i++)
			fprintf(out, " --c%zu: %s;", i, paint_of(i, dark));
		fputs(dark ? " --on: #10151b } }\n" : " --on: #fff }\n", out);
	}
}

/* FNV-1a, its bits mixed: names that are much alike differ. */
static size_t colour_of(const char *name)
{
	uint32_t hash = 2166136261;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619;
	hash = (hash ^ hash >> 16) * 0x85ebca6b;
	return (hash ^ hash >> 13) % SVG_COLOURS;
}

void svg_book(struct svg_book *book, const char *const *names, size_t n)
{
	bool taken[SVG_COLOURS] = {false};

	*book = (struct svg_book){.n = n < SVG_COLOURS ? n : SVG_COLOURS};
	for (size_t i = 0; i < book->n; i++) {
		size_t own = colour_of(names[i]);

		book->names[i] = names[i];
		book->colours[i] = taken[own] ? SVG_NEUTRAL : (int)own;
		taken[own] = true;
	}
	for (size_t i = 0; i < book->n; i++) {
		size_t colour = colour_of(names[i]);

		if (book->colours[i] != SVG_NEUTRAL)
			continue;
		while (taken[colour])
			colour = (colour + 1) % SVG_COLOURS;
		taken[colour] = true;
		book->colours[i] = (int)colour;
	}
}

int svg_colour(const struct svg_book *book, const char *name)
{
	for (size_t i = 0; i < book->n; i++)
		if (!strcmp(book->names[i], name))
			return book->colours[i];
	return (int)colour_of(name);
}

const char *pen_part(int colour, struct arena *arena)
{
	if (colour < 0)
		return "neutral";
	return arena_printf(arena, "part%d", colour % SVG_COLOURS);
}

static void write_colours(FILE *out, bool dark)
{
	for (size_t i = 0; i < SVG_COLOURS; i++)
		fprintf(out, ".part%zu { fill: %s } .line%zu { stroke: %s }\n",
			i, paint_of(i, dark), i, paint_of(i, dark));
}

void pen_begin(
	FILE *out, double height, const char *title, const char *subtitle)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n<style>\n%s",
		PEN_WIDTH, height, PEN_WIDTH, height, style);
	write_colours(out, false);
	fputs(dark_style, out);
	write_colours(out, true);
	fputs("}\n</style>\n"
	      "<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n",
		out);
	pen_label(out, PEN_MARGIN, 32, "title", title);
	pen_label(out, PEN_MARGIN, 51, "subtitle", subtitle);
}

void pen_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void pen_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else if ((unsigned char)*text >= ' ')
			fputc(*text, out);
	}
}

void pen_label(
	FILE *out, double x, double y, const char *class, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	pen_text(out, text);
	fputs("</text>\n", out);
}

void pen_rule(FILE *out, double x1, double y1, double x2, double y2,
	const char *class)
{
	fprintf(out,
		"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
		"class=\"%s\"/>\n",
		x1, y1, x2, y2, class);
}

void pen_box(FILE *out, double x, double y, double width, double height,
	const char *class, const char *tip)
{
	fprintf(out,
		"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		"class=\"%s\"",
		x, y, width, height, class);
	if (!tip) {
		fputs("/>\n", out);
		return;
	}
	fputs("><title>", out);
	pen_text(out, tip);
	fputs("</title></rect>\n", out);
}

void pen_nothing(FILE *out, double x, double y)
{
	pen_label(out, x, y, "time", "nothing");
}

/* ---- widths --------------------------------------------------------------*/

static size_t letters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

double pen_text_width(const char *text)
{
	return LETTER * (double)letters(text);
}

const char *pen_fit(const char *text, double width, struct arena *arena)
{
	size_t room = width > 0 ? (size_t)(width / LETTER) : 0;
	size_t n = 0;

	if (letters(text) <= room)
		return text;
	if (room < 4)
		return "";
	for (size_t left = room - 1; text[n] && left; left--)
		do
			n++;
		while ((text[n] & 0xc0) == 0x80);
	return arena_printf(arena, "%.*s…", (int)n, text);
}
