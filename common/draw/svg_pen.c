#include "common/draw/svg_pen.h"

#include <string.h>

#include "common/draw/svg.h"

enum { LETTER = 7 }; /* pixels, wide ones */

/* The paint, and the ink that is read on it. */
static const struct {
	const char *paint, *ink;
} colours[PEN_COLOURS] = {
	{"#0072b2", "#fff"},
	{"#d55e00", "#fff"},
	{"#009e73", "#fff"},
	{"#cc79a7", "#111"},
	{"#e69f00", "#111"},
	{"#56b4e9", "#111"},
	{"#7a5195", "#fff"},
	{"#5c6570", "#fff"},
};

static const char style[] =
	"text { font-family: 'DejaVu Sans', Helvetica, Arial, sans-serif; "
	"font-size: 12px; fill: #444 }\n"
	".title { font-size: 18px; font-weight: bold; fill: #111 }\n"
	".panel { font-size: 13px; font-weight: bold; fill: #222 }\n"
	".number { text-anchor: end }\n"
	".time { text-anchor: middle }\n"
	".note { font-size: 11px; fill: #777 }\n"
	".paper { fill: #fff }\n"
	".neutral { fill: #dfe3e8 }\n"
	".onneutral { fill: #222 }\n"
	".tile { stroke: #fff; stroke-width: 1 }\n"
	".grid { stroke: #e4e4e4 }\n"
	".axis { stroke: #777 }\n"
	".mark { stroke: #888; stroke-dasharray: 4 3 }\n"
	".line { fill: none; stroke-width: 2; stroke-linejoin: round; "
	"stroke-linecap: round }\n";

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
				 "}\n";

const char *pen_colour(size_t i)
{
	return colours[i % PEN_COLOURS].paint;
}

const char *pen_part(int colour, struct arena *arena)
{
	if (colour < 0)
		return "neutral";
	return arena_printf(arena, "part%d", colour % PEN_COLOURS);
}

void pen_begin(
	FILE *out, double height, const char *title, const char *subtitle)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n<style>\n%s",
		PEN_WIDTH, height, PEN_WIDTH, height, style);
	for (int i = 0; i < PEN_COLOURS; i++)
		fprintf(out, ".part%d { fill: %s }\n", i, colours[i].paint);
	fputs(dark_style, out);
	for (int i = 0; i < PEN_COLOURS; i++)
		fprintf(out, ".on%d { fill: %s }\n", i, colours[i].ink);
	fputs("</style>\n"
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

const char *pen_number(double number, struct arena *arena)
{
	char *text = arena_strdup(arena, plot_number(number, arena));
	char *thousands = strchr(text, 'k');

	if (thousands)
		*thousands = 'K';
	return text;
}

void pen_no_usage(FILE *out, double x, double y)
{
	pen_label(out, x, y, "time", "no usage");
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
