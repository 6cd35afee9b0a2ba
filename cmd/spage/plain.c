/*
 * The data as tables without any art, for where no script runs: the first rows
 * of each, as the programs had them.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"
#include "common/text/timespec.h"

enum { MOST_ROWS = 200 };

static void write_cell(struct page *p, struct member_text m)
{
	const char *word = member_word(m, &p->arena);
	bool time = m.name_len > 5 && !strncmp(m.name + m.name_len - 5, "_time", 5);
	time_t when = (time_t)strtoll(word, NULL, 10);

	html_text(p->out, time && when
				  ? time_format(&p->arena, when, NULL, p->now)
				  : word);
}

/* The names, or the values. */
static void write_row(struct page *p, const char *record, bool names)
{
	struct member_text m;

	fputs("<tr>", p->out);
	while (member_next(&record, &m)) {
		/* Where explanations are is for the script. */
		if (!strncmp(m.name, "why\"", 4))
			continue;
		fputs(names ? "<th scope=col>" : "<td>", p->out);
		if (names)
			fprintf(p->out, "%.*s", (int)m.name_len, m.name);
		else
			write_cell(p, m);
	}
	putc('\n', p->out);
}

void plain_table(struct page *p, const char *title, const struct strv *records,
	const char *command)
{
	fprintf(p->out, "<h2>%s</h2>\n", title);
	if (!records->n) {
		fputs("<p>None.</p>\n", p->out);
		return;
	}
	fputs("<div class=wide><table>\n<thead>\n", p->out);
	write_row(p, records->v[0], true);
	fputs("<tbody>\n", p->out);
	for (size_t i = 0; i < records->n && i < MOST_ROWS; i++)
		write_row(p, records->v[i], false);
	fputs("</table></div>\n", p->out);
	if (records->n > MOST_ROWS)
		fprintf(p->out, "<p>%zu more: with a script, or %s</p>\n",
			records->n - MOST_ROWS, command);
}
