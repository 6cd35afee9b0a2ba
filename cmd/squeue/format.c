/*
 * squeue's formats: `%[.][width]letter` with text between for -o,
 * `type[:[.][width][suffix]]` for -O. What is unknown is complained about and
 * leaves its text.
 */
#include "cmd/squeue/squeue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "common/table/json.h"
#include "common/table/table.h"

enum { MAX_WIDTH = 100000, LONG_WIDTH = 20 };

static int clamp(long width)
{
	if (width > MAX_WIDTH)
		return MAX_WIDTH;
	return width < -1 ? -1 : (int)width;
}

/* ---- -o ------------------------------------------------------------------*/

static const char *kind_of(bool steps)
{
	return steps ? "job step" : "job";
}

static void add_letter(struct format *format, const char *text, bool steps,
	struct arena *arena)
{
	struct piece piece = {.right = *text == '.'};
	const char *at = text + piece.right;
	char *end = (char *)at;

	if (*at >= '0' && *at <= '9')
		piece.width = clamp(strtol(at, &end, 10));
	piece.type = type_by_letter(*end, steps);
	if (piece.type) {
		piece.suffix = end + 1;
	} else {
		cli_error("Invalid %s format specification: %.1s",
			kind_of(steps), end);
		piece.suffix = arena_printf(arena, "%%%s", text);
	}
	*ARENA_PUSH(arena, format->v, format->n, format->cap) = piece;
}

/* Every letter there is, with bars between. */
static void add_all(struct format *format, bool steps, struct arena *arena)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (size_t i = 0; letters[i]; i++) {
		struct piece piece = {
			.type = type_by_letter(letters[i], steps)};

		piece.suffix = letters[i + 1] ? "|" : "";
		if (piece.type)
			*ARENA_PUSH(arena, format->v, format->n, format->cap) =
				piece;
	}
}

void format_read(struct format *format, const char *text, bool steps,
	struct arena *arena)
{
	size_t len = strcspn(text, "%");

	*format = (struct format){.prefix = arena_strndup(arena, text, len)};
	if (!strcasecmp(text, "%all")) {
		add_all(format, steps, arena);
		return;
	}
	while (text += len, *text) {
		len = strcspn(++text, "%");
		if (len)
			add_letter(format, arena_strndup(arena, text, len),
				steps, arena);
	}
}

/* Slurm's line, then what was meant. */
static void bad_type(const char *word, bool steps)
{
	struct nearest nearest;

	cli_error("Invalid %s format specification: %s", kind_of(steps), word);
	type_nearest(word, steps, &nearest);
	/* Slurm leaves a plural alone: `features`. */
	if (!nearest_is_plural(&nearest))
		cli_did_you_mean(&nearest);
}

/* ---- -O ------------------------------------------------------------------*/

static void add_type(
	struct format *format, char *word, bool steps, struct arena *arena)
{
	struct piece piece = {.width = LONG_WIDTH};
	char *colon = strchr(word, ':'), *end;

	if (colon) {
		*colon++ = '\0';
		piece.right = *colon == '.';
		piece.width = clamp(strtol(colon + piece.right, &end, 10));
		piece.suffix = end;
	}
	piece.type = type_by_name(word, steps);
	if (!piece.type)
		bad_type(word, steps);
	*ARENA_PUSH(arena, format->v, format->n, format->cap) = piece;
}

void format_read_long(struct format *format, const char *text, bool steps,
	struct arena *arena)
{
	*format = (struct format){.prefix = ""};
	while (*text) {
		size_t len = strcspn(text, ",");

		if (len)
			add_type(format, arena_strndup(arena, text, len), steps,
				arena);
		text += len + (text[len] == ',');
	}
}

/* ---- lines ---------------------------------------------------------------*/

/* A width below 0: as long as it is and a blank, as Slurm has it. */
static void print_cell(
	const struct piece *piece, const char *raw, enum whole what)
{
	int width = piece->width;
	struct arena arena;
	const char *text;
	bool cut = !piece->right || !(piece->type->marks & what);

	arena_init(&arena);
	text = utf8_visible(&arena, raw);
	if (width > 0)
		printf("%*.*s", piece->right ? width : -width,
			cut ? width : MAX_WIDTH, text);
	else
		printf("%s%s", text, width < 0 ? " " : "");
	arena_release(&arena);
}

static void print_pieces(
	const struct format *format, const char *const *texts, enum whole what)
{
	fputs(format->prefix, stdout);
	for (size_t i = 0; i < format->n; i++) {
		const struct piece *piece = &format->v[i];

		if (piece->type)
			print_cell(piece, texts[i], what);
		if (piece->suffix)
			fputs(piece->suffix, stdout);
	}
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

void format_line(const struct format *format, const char *const *texts,
	enum whole what, bool csv)
{
	if (csv)
		print_csv(format, texts);
	else
		print_pieces(format, texts, what);
	putchar('\n');
}

/* A blank where there is nothing; machines trip over "N/A" for a time. */
static const char *flat_text(
	const struct member *type, const struct queue_row *row, struct arena *arena)
{
	struct value value = member_value(type, row, arena);

	return value.type == VALUE_TIME && !value.number
		       ? ""
		       : cell_text(type, row, arena);
}

void format_print(const struct format *format, const struct queue_row *row, bool csv,
	struct arena *scratch)
{
	const char **texts = arena_array(scratch, format->n, sizeof(*texts));

	for (size_t i = 0; i < format->n; i++) {
		const struct member *type = format->v[i].type;

		if (type && csv)
			texts[i] = row ? flat_text(type, row, scratch)
				       : member_key(type, scratch);
		else if (type)
			texts[i] = row ? cell_text(type, row, scratch)
				       : type->heading;
	}
	format_line(format, texts, row ? WHOLE_VALUE : WHOLE_HEADING, csv);
}

struct json_object *format_record(
	const struct format *format, const struct queue_row *row, struct arena *arena)
{
	struct json_object *record = json_record();

	for (size_t i = 0; i < format->n; i++)
		if (format->v[i].type)
			json_put_flat(record, format->v[i].type, row, arena,
				&row->queue->site->store.tres);
	return record;
}
