/*
 * sinfo's formats: `%[.][width]letter` with text between for -o,
 * `type[:[.][width][suffix]]` for -O. What is unknown is complained about and
 * leaves its text.
 */
#include "cmd/sinfo/sinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/nearest.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "common/table/grid.h"
#include "common/table/table.h"

enum { MAX_WIDTH = 100000, LONG_WIDTH = 20, LEAST_NAMES = 9 };

static int clamp(long width)
{
	if (width > MAX_WIDTH)
		return MAX_WIDTH;
	return width < 0 ? 0 : (int)width;
}

static void push(
	struct format *format, const struct piece *piece, struct arena *arena)
{
	*ARENA_PUSH(arena, format->v, format->n, format->cap) = *piece;
	format->asks_partition |=
		piece->type && (piece->type->marks & TYPE_NAME);
}

/* ---- -o ------------------------------------------------------------------*/

static void add_letter(
	struct format *format, const char *text, struct arena *arena)
{
	struct piece piece = {.right = *text == '.'};
	char *end = (char *)text + piece.right;

	if (*end >= '0' && *end <= '9')
		piece.width = clamp(strtol(end, &end, 10));
	piece.type = type_by_letter(*end);
	if (piece.type) {
		piece.suffix = end + 1;
	} else {
		fprintf(stderr, "Invalid node format specification: %.1s\n",
			end);
		piece.suffix = arena_printf(arena, "%%%s", text);
	}
	push(format, &piece, arena);
}

/* Every letter there is, with bars between. */
static void add_all(struct format *format, struct arena *arena)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (size_t i = 0; letters[i]; i++) {
		struct piece piece = {.type = type_by_letter(letters[i])};

		piece.suffix = letters[i + 1] ? "|" : "";
		if (piece.type)
			push(format, &piece, arena);
	}
}

void format_read(struct format *format, const char *text, struct arena *arena)
{
	size_t len = strcspn(text, "%");

	*format = (struct format){.prefix = arena_strndup(arena, text, len)};
	if (!strcasecmp(text, "%all")) {
		add_all(format, arena);
		return;
	}
	while (text += len, *text) {
		len = strcspn(++text, "%");
		if (len)
			add_letter(format, arena_strndup(arena, text, len),
				arena);
	}
}

/* ---- -O ------------------------------------------------------------------*/

static void add_type(struct format *format, char *word, struct arena *arena)
{
	struct piece piece = {.width = LONG_WIDTH};
	char *colon = strchr(word, ':'), *end;
	struct nearest nearest;

	if (colon) {
		*colon++ = '\0';
		piece.right = *colon == '.';
		piece.width = clamp(strtol(colon + piece.right, &end, 10));
		piece.suffix = end;
	}
	piece.type = type_by_name(word);
	if (!piece.type) {
		cli_error("Invalid job format specification: %s", word);
		grid_nearest(&sinfo_types, word, &nearest);
		cli_did_you_mean(&nearest);
	}
	push(format, &piece, arena);
}

void format_read_long(
	struct format *format, const char *text, struct arena *arena)
{
	*format = (struct format){.prefix = ""};
	if (!strcasecmp(text, "all")) {
		add_all(format, arena);
		return;
	}
	while (*text) {
		size_t len = strcspn(text, ",");

		if (len)
			add_type(format, arena_strndup(arena, text, len),
				arena);
		text += len + (text[len] == ',');
	}
}

/* ---- lines ---------------------------------------------------------------*/

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

		if (piece->type && (piece->type->marks & TYPE_NAME))
			piece->width = (int)longest_name(rows);
		if (by_node && (piece->type->marks & TYPE_NAMES))
			piece->width = (int)longest_nodes(rows);
	}
}

static void print_cell(
	const struct piece *piece, const char *raw, bool heading)
{
	int width = piece->width;
	struct arena arena;
	const char *text;
	bool cut = !piece->right || !heading ||
		   !(piece->type->marks & TYPE_WHOLE_HEADING);

	arena_init(&arena);
	text = utf8_visible(&arena, raw);
	if (width > 0)
		printf("%*.*s", piece->right ? width : -width,
			cut ? width : MAX_WIDTH, text);
	else
		fputs(text, stdout);
	arena_release(&arena);
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

static void print_csv(const struct format *format, const char *const *texts)
{
	const char *comma = "";

	for (size_t i = 0; i < format->n; i++) {
		if (!format->v[i].type)
			continue;
		fputs(comma, stdout);
		comma = ",";
		table_csv_cell(stdout, texts[i]);
	}
}

static void print_pieces(
	const struct format *format, const char *const *texts, bool heading)
{
	fputs(format->prefix, stdout);
	for (size_t i = 0; i < format->n; i++) {
		const struct piece *piece = &format->v[i];

		if (piece->type)
			print_cell(piece, texts[i], heading);
		if (piece->suffix)
			fputs(piece->suffix, stdout);
	}
}

/* As in the table, with nothing for what is not known, and names plain. */
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

struct json_object *format_record(
	const struct format *format, const struct row *row, struct arena *arena)
{
	struct json_object *record = json_record();

	for (size_t i = 0; i < format->n; i++)
		if (format->v[i].type)
			json_put_flat(record, format->v[i].type, row, arena,
				&row->machine->site->store.tres);
	return record;
}

void format_print(const struct format *format, const struct row *row, bool csv,
	struct arena *scratch)
{
	const char **texts = arena_array(scratch, format->n, sizeof(*texts));

	for (size_t i = 0; i < format->n; i++) {
		const struct piece *piece = &format->v[i];

		if (piece->type && csv)
			texts[i] = row ? csv_text(piece, row, scratch)
				       : member_key(piece->type, scratch);
		else if (piece->type)
			texts[i] = row ? cell_text(piece, row, scratch)
				       : piece->type->heading;
	}
	if (csv)
		print_csv(format, texts);
	else
		print_pieces(format, texts, !row);
	putchar('\n');
}
