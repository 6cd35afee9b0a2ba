/*
 * The data as tables without any art, for where no script runs: the first rows
 * of each, as the programs had them.
 */
#include <string.h>

#include "cmd/spage/spage.h"

enum { MOST_ROWS = 200 };

static void write_cells(struct page *p, char *const *cells, size_t n,
	const char *mark)
{
	fputs("<tr>", p->out);
	for (size_t i = 0; i < n; i++) {
		fputs(mark, p->out);
		html_text(p->out, cells[i]);
	}
	putc('\n', p->out);
}

void plain_table(struct page *p, const char *title, const struct rows *rows,
	const char *command)
{
	size_t n = rows->n_heads;

	/* Where explanations are is for the script. */
	n -= n && !strcmp(rows->heads[n - 1], "why");
	fprintf(p->out, "<h2>%s</h2>\n", title);
	if (!rows->n) {
		fputs("<p>None.</p>\n", p->out);
		return;
	}
	fputs("<div class=wide><table>\n<thead>\n", p->out);
	write_cells(p, rows->heads, n, "<th scope=col>");
	fputs("<tbody>\n", p->out);
	for (size_t i = 0; i < rows->n && i < MOST_ROWS; i++)
		write_cells(p, rows->v[i], n, "<td>");
	fputs("</table></div>\n", p->out);
	if (rows->n > MOST_ROWS)
		fprintf(p->out, "<p>%zu more: with a script, or %s</p>\n",
			rows->n - MOST_ROWS, command);
}
