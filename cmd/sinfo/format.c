/*
 * A line of sinfo: the values for the pieces of its format
 * (common/cli/format.h).
 */
#include "cmd/sinfo/sinfo.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/table/flat.h"

enum { LEAST_NAMES = 9 };

static size_t longest_name(const struct rows *rows)
{
	size_t most = LEAST_NAMES;

	for (size_t i = 0; i < rows->n; i++) {
		const struct conf_partition *p = rows->v[i].partition->conf;
		size_t len = strlen(p->name) + p->is_default;

		if (len > most)
			most = len;
	}
	return most;
}

static size_t longest_nodes(const struct rows *rows)
{
	size_t most = LEAST_NAMES;

	for (size_t i = 0; i < rows->n; i++) {
		size_t len = strlen(rows->v[i].node_text);

		if (len > most)
			most = len;
	}
	return most;
}

void format_fit(struct format *format, const struct rows *rows)
{
	bool by_node = format->n && format->v[0].type &&
		       (format->v[0].type->marks & TYPE_NAMES);

	for (size_t i = 0; i < format->n; i++) {
		struct piece *piece = &format->v[i];

		if (!piece->type)
			continue;
		if (piece->type->marks & TYPE_NAME)
			piece->width = (int)longest_name(rows);
		if (by_node && (piece->type->marks & TYPE_NAMES))
			piece->width = (int)longest_nodes(rows);
	}
}

/* The default partition keeps its mark where the name is cut. */
static const char *cell_text(
	const struct piece *piece, const struct row *row, struct arena *scratch)
{
	const struct value_style style = {.tres = NULL};
	struct value value;
	const char *text;
	size_t len;

	if (piece->type->constant)
		return piece->type->constant;
	value = member_value(piece->type, row, scratch);
	text = value_text(&value, &style, scratch);
	len = strlen(text);
	if ((piece->type->marks & TYPE_NAME) && piece->width > 0 &&
		len > (size_t)piece->width && text[len - 1] == '*')
		return arena_printf(
			scratch, "%.*s*", piece->width - 1, text);
	return text;
}

/* As in the table, but empty for unknown values, and with plain names. */
static const char *csv_text(
	const struct piece *piece, const struct row *row, struct arena *scratch)
{
	const struct piece whole = {.type = piece->type};
	struct value plain = member_plain(piece->type, row, scratch);

	if (plain.type == VALUE_TEXT)
		return plain.text;
	if (plain.type == VALUE_NONE ||
		(plain.type == VALUE_TIME && !plain.number) ||
		(plain.type == VALUE_LIMIT && plain.number >= INFINITE))
		return "";
	return cell_text(&whole, row, scratch);
}

static const char *text_of(const struct piece *piece, const void *row, bool csv,
	struct arena *scratch)
{
	return csv ? csv_text(piece, row, scratch)
		   : cell_text(piece, row, scratch);
}

void sinfo_format_read(
	struct format *format, const struct options *o, struct arena *arena)
{
	const struct format_types types = {
		.members = &sinfo_types,
		.kind = "node",
		.kind_long = "job", /* as Slurm has it */
		.bare = true,
		.plurals = true,
		.has_all = true,
		.heading = o->heading,
		.csv = o->csv,
		.cell = text_of,
		.whole_headings = TYPE_WHOLE_HEADING,
	};

	format_read(format, &types, o->format_text, o->format_long, arena);
}
