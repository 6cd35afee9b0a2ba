/*
 * The data as tables without any art, for where no script runs: the first rows
 * of each, as the programs had them.
 */
#include <string.h>

#include "cmd/spage/spage.h"
#include "common/text/timespec.h"

enum { MOST_ROWS = 200 };

static void write_cell(
	struct page *p, const char *name, struct json_object *value)
{
	size_t len = strlen(name);
	time_t when = len > 5 && !strcmp(name + len - 5, "_time")
			      ? (time_t)json_object_get_int64(value)
			      : 0;

	fputs("<td>", p->out);
	if (when)
		html_text(p->out, time_format(&p->arena, when, NULL, p->now));
	else if (json_object_is_type(value, json_type_string))
		html_text(p->out, json_object_get_string(value));
	else if (value)
		html_text(p->out, record_json(value));
}

/* The names, or the values. */
static void write_row(struct page *p, const char *line, bool names)
{
	struct json_object *record = json_tokener_parse(line);

	/* Where explanations are is for the script. */
	json_object_object_del(record, "why");
	fputs("<tr>", p->out);
	json_object_object_foreach(record, name, value) {
		if (names)
			fprintf(p->out, "<th scope=col>%s", name);
		else
			write_cell(p, name, value);
	}
	putc('\n', p->out);
	json_object_put(record);
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
