/*
 * Formats of letters and types; see format.h.
 */
#include "common/cli/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/nearest.h"
#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "common/table/grid.h"
#include "common/table/json.h"
#include "common/table/table.h"

enum { MAX_WIDTH = 100000, LONG_WIDTH = 20 };

/* ---- types ---------------------------------------------------------------*/

const struct member *type_by_name(const struct members *types, const char *name)
{
	for (size_t i = 0; i < types->n; i++)
		if (!strcasecmp(types->v[i].names, name))
			return &types->v[i];
	return NULL;
}

void print_letters(const struct members *types)
{
	size_t n = 0;

	for (const struct member *m = types->v; m < types->v + types->n; m++)
		if (m->letter && !(m->marks & MEMBER_HIDDEN))
			printf("%s%%%-5c", n && n % 8 == 0 ? "\n" : "",
				m->letter),
				n++;
	putchar('\n');
}

void print_types(const struct members *types)
{
	size_t n = 0;

	for (const struct member *m = types->v; m < types->v + types->n; m++)
		if (!(m->marks & MEMBER_HIDDEN))
			printf("%s%-20s", n && n % 4 == 0 ? "\n" : "",
				m->names),
				n++;
	putchar('\n');
}

/* ---- reading -------------------------------------------------------------*/

static int clamp(const struct format_types *types, long width)
{
	if (width > MAX_WIDTH)
		return MAX_WIDTH;
	return width < types->least ? types->least : (int)width;
}

static void push(
	struct format *format, struct arena *arena, const struct piece *piece)
{
	*ARENA_PUSH(arena, format->v, format->n, format->cap) = *piece;
}

static void bad_letter(const struct format_types *types, const char *letter)
{
	if (types->bare)
		fprintf(stderr, "Invalid %s format specification: %.1s\n",
			types->kind, letter);
	else
		cli_error("Invalid %s format specification: %.1s", types->kind,
			letter);
}

static void add_letter(
	struct format *format, const char *text, struct arena *arena)
{
	const struct format_types *types = &format->types;
	struct piece piece = {.right = *text == '.'};
	char *end = (char *)(text + piece.right);

	if (*end >= '0' && *end <= '9')
		piece.width = clamp(types, strtol(end, &end, 10));
	piece.type = members_by_letter(types->members, *end);
	if (piece.type) {
		piece.suffix = end + 1;
	} else {
		bad_letter(types, end);
		if (types->letters_only)
			return;
		piece.suffix = arena_printf(arena, "%%%s", text);
	}
	push(format, arena, &piece);
}

/* Every letter there is, with bars between. */
static void add_all(struct format *format, struct arena *arena)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (size_t i = 0; letters[i]; i++) {
		struct piece piece = {
			.type = members_by_letter(
				format->types.members, letters[i])};

		piece.suffix = letters[i + 1] ? "|" : "";
		if (piece.type)
			push(format, arena, &piece);
	}
}

static void read_letters(
	struct format *format, const char *text, struct arena *arena)
{
	size_t len = strcspn(text, "%");

	format->prefix = arena_strndup(arena, text, len);
	if (!format->types.letters_only && !strcasecmp(text, "%all")) {
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

/* Slurm's line, then what was meant. Slurm leaves a plural alone: `features`. */
static void bad_type(const struct format_types *types, const char *word)
{
	struct nearest nearest;

	cli_error("Invalid %s format specification: %s", types->kind_long,
		word);
	grid_nearest(types->members, word, &nearest);
	if (types->plurals || !nearest_is_plural(&nearest))
		cli_did_you_mean(&nearest);
}

static void add_type(struct format *format, char *word, struct arena *arena)
{
	const struct format_types *types = &format->types;
	struct piece piece = {.width = LONG_WIDTH};
	char *colon = strchr(word, ':'), *end;

	if (colon) {
		*colon++ = '\0';
		piece.right = *colon == '.';
		piece.width = clamp(types, strtol(colon + piece.right, &end, 10));
		piece.suffix = end;
	}
	piece.type = type_by_name(types->members, word);
	if (!piece.type)
		bad_type(types, word);
	push(format, arena, &piece);
}

static void read_names(
	struct format *format, const char *text, struct arena *arena)
{
	format->prefix = "";
	if (format->types.has_all && !strcasecmp(text, "all")) {
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

void format_read(struct format *format, const struct format_types *types,
	const char *letters, const char *names, struct arena *arena)
{
	*format = (struct format){.types = *types};
	if (names)
		read_names(format, names, arena);
	else
		read_letters(format, letters, arena);
}

/* ---- what is in it -------------------------------------------------------*/

size_t format_width(const struct format *format)
{
	size_t width = strlen(format->prefix);

	for (size_t i = 0; i < format->n; i++) {
		const struct piece *piece = &format->v[i];

		width += piece->width > 0 ? (size_t)piece->width : 0;
		width += piece->suffix ? strlen(piece->suffix) : 0;
	}
	return width;
}

void format_narrow(struct format *format, struct arena *arena)
{
	struct table table = {
		.mode = format->types.csv ? TABLE_CSV : TABLE_FIXED,
		.columns = arena_array(
			arena, format->n, sizeof(*table.columns)),
		.n = format->n};
	size_t kept = 0;

	for (size_t i = 0; i < format->n; i++) {
		table.columns[i].width = format->v[i].width;
		table.columns[i].fit = format->v[i].type->fit;
	}
	cli_fit(&table);
	for (size_t i = 0; i < format->n; i++)
		if (!table.columns[i].left_out)
			format->v[kept++] = format->v[i];
	format->n = kept;
}

bool format_has(const struct format *format, unsigned marks)
{
	for (size_t i = 0; i < format->n; i++)
		if (format->v[i].type && format->v[i].type->marks & marks)
			return true;
	return false;
}

/* ---- lines ---------------------------------------------------------------*/

/* A width below 0: unpadded, then a blank, as Slurm prints it. */
static void print_cell(
	const struct piece *piece, const char *raw, unsigned whole)
{
	bool cut = !piece->right || !(piece->type->marks & whole);
	int width = piece->width;
	struct arena arena;
	const char *text;

	arena_init(&arena);
	text = utf8_visible(&arena, raw);
	if (width > 0)
		table_pad(stdout, text, piece->right ? width : -width,
			cut ? (size_t)width : MAX_WIDTH);
	else
		printf("%s%s", text, width < 0 ? " " : "");
	arena_release(&arena);
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
	const struct format *format, const char *const *texts, unsigned whole)
{
	fputs(format->prefix, stdout);
	for (size_t i = 0; i < format->n; i++) {
		const struct piece *piece = &format->v[i];

		if (piece->type)
			print_cell(piece, texts[i], whole);
		if (piece->suffix)
			fputs(piece->suffix, stdout);
	}
}

static void print_line(
	const struct format *format, const char *const *texts, unsigned whole)
{
	if (format->types.csv)
		print_csv(format, texts);
	else
		print_pieces(format, texts, whole);
	putchar('\n');
}

void format_heading(const struct format *format, struct arena *scratch)
{
	const char **texts;

	if (!format->types.heading)
		return;
	texts = arena_array(scratch, format->n, sizeof(*texts));
	for (size_t i = 0; i < format->n; i++) {
		const struct member *type = format->v[i].type;

		if (type)
			texts[i] = format->types.csv ? member_key(type, scratch)
					       : type->heading;
	}
	print_line(format, texts, format->types.whole_headings);
}

void format_row(
	const struct format *format, const void *row, struct arena *scratch)
{
	const char **texts = arena_array(scratch, format->n, sizeof(*texts));

	for (size_t i = 0; i < format->n; i++)
		if (format->v[i].type)
			texts[i] = format->types.cell(
				&format->v[i], row, format->types.csv, scratch);
	print_line(format, texts, format->types.whole_values);
}

struct json_object *format_record(const struct format *format, const void *row,
	const struct tres_catalog *catalog, struct arena *arena)
{
	struct json_object *record = json_record();

	for (size_t i = 0; i < format->n; i++)
		if (format->v[i].type)
			json_put_flat(record, format->v[i].type, row, arena,
				catalog);
	return record;
}
