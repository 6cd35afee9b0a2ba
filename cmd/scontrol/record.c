/*
 * Records as scontrol prints them: lines of key=value, or one long line.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>

#include "common/base/utf8.h"
#include "common/cli/cli.h"

struct value some_text(const char *text)
{
	return text && *text ? of_text(text) : no_value();
}

const char *or_null_text(const char *text)
{
	return text && *text ? text : "(null)";
}

void scontrol_fields(struct session *s, const struct members *members,
	const void *record, const char *line)
{
	const struct value_style style = site_style(&s->site);
	bool began = false, new_line = false;

	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];
		struct value value;

		new_line |= (m->marks & SHOWN_LINE) != 0;
		if ((m->marks & SHOWN_DETAIL) && !s->details)
			continue;
		value = m->constant ? of_text(m->constant)
				    : member_value(m, record, &s->scratch);
		if (value.type == VALUE_NONE)
			continue;
		if (began)
			fputs(new_line && !s->one_line ? line : " ", stdout);
		began = true;
		new_line = false;
		printf("%s=%s", m->names,
			utf8_visible(&s->scratch,
				value_text(&value, &style, &s->scratch)));
	}
	arena_reset(&s->scratch);
}

void scontrol_record(
	struct session *s, const struct members *members, const void *record)
{
	scontrol_fields(s, members, record, "\n   ");
	fputs(s->one_line ? "\n" : "\n\n", stdout);
}

void scontrol_show(struct session *s, struct json_doc *doc,
	const struct members *shown, const struct members *documented,
	const void *of)
{
	struct json_object *record;

	if (!doc) {
		scontrol_record(s, shown, of);
		return;
	}
	record = json_record();
	json_put_members(
		record, documented, of, &s->scratch, &s->site.store.tres);
	json_write(doc, record);
}

struct json_doc *scontrol_begin(
	struct session *s, struct json_doc *doc, const char *name)
{
	if (!s->form)
		return NULL;
	json_begin(doc, stdout, s->form, name);
	return doc;
}

void scontrol_end(
	struct session *s, struct json_doc *doc, struct json_object *beside)
{
	const struct value now = of_limit((uint64_t)s->site.now);

	if (!doc)
		return;
	if (!beside)
		beside = json_record();
	json_put(beside, "last_update", &now, &s->site.store.tres);
	cli_end_document(doc, beside);
}

void scontrol_missing(struct session *s, const char *kind, const char *name)
{
	if (s->form)
		json_note_error(cli_name(),
			arena_printf(s->arena, "%s %s not found", kind, name));
	else if (!s->quiet)
		printf("%s %s not found\n", kind, name);
	s->status = 1;
}
