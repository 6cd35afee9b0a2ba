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
		return (c < ' ' && c != '\n') || c == 127 ? " " : NULL;
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

void html_cell(FILE *out, const char *text)
{
	fputs("<td>", out);
	html_text(out, text);
}

void html_number(FILE *out, const char *shown, double sorts)
{
	fprintf(out, "<td class=n data-v=\"%.10g\">", sorts);
	html_text(out, shown);
}

void html_bar(FILE *out, const char *class, double part, const char *words)
{
	double width = part < 0 ? 0 : part > 1 ? 1 : part;

	fprintf(out, "<span class=\"bar %s\" role=img aria-label=\"", class);
	html_text(out, words);
	fprintf(out, "\"><i style=\"width:%.1f%%\"></i></span>", width * 100);
}

void html_why(FILE *out, const char *label, const char *text, int columns)
{
	if (!text)
		return;
	fprintf(out,
		"<tr class=why><td colspan=%d><details><summary "
		"aria-label=\"",
		columns);
	html_text(out, label);
	fputs("\"></summary><pre>", out);
	html_text(out, text);
	fputs("</pre></details>\n", out);
}

void html_missing(FILE *out, const struct answer *answer, const char *nothing)
{
	fputs("<p class=none>", out);
	html_text(out, answer->error ? answer->error : nothing);
	fputs("</p>\n", out);
}
