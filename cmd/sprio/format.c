/*
 * sprio's formats: `%[.][width]letter` with text between (spec/priority.md
 * 7.3). A value that is wider than its column loses its end.
 */
#include "cmd/sprio/sprio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/table/json.h"
#include "common/table/table.h"

enum { MAX_WIDTH = 100000 };

static size_t read_width(const char **text)
{
	size_t width = 0;

	for (; **text >= '0' && **text <= '9'; ++*text)
		if (width < MAX_WIDTH)
			width = width * 10 + (size_t)(**text - '0');
	return width < MAX_WIDTH ? width : MAX_WIDTH;
}

/* One piece of text between two `%`. */
static void add_piece(
	struct format *format, const char *text, struct arena *arena)
{
	struct piece piece = {0};

	piece.right = *text == '.';
	text += piece.right;
	piece.width = read_width(&text);
	piece.letter = letter_find(*text);
	if (!piece.letter) {
		cli_error("Invalid job format specification: %.1s", text);
		return;
	}
	piece.suffix = text + 1;
	*ARENA_PUSH(arena, format->v, format->n, format->cap) = piece;
}

void format_read(struct format *format, const char *text, struct arena *arena)
{
	size_t len = strcspn(text, "%");

	*format = (struct format){.prefix = arena_strndup(arena, text, len)};
	while (text += len, *text) {
		len = strcspn(++text, "%");
		if (len)
			add_piece(
				format, arena_strndup(arena, text, len), arena);
	}
}

bool format_has(const struct format *format, char letter)
{
	for (size_t i = 0; i < format->n; i++)
		if (format->v[i].letter->letter == letter)
			return true;
	return false;
}

/* ---- default formats -----------------------------------------------------*/

/* A column of a default format, and whether it is shown. */
struct item {
	const char *text;
	bool on;
};

static const char *join(const struct item *items, size_t n, struct arena *arena)
{
	struct strv words = {0};

	for (size_t i = 0; i < n; i++)
		if (items[i].on)
			strv_push(&words, arena, items[i].text);
	return strv_join(&words, " ", arena);
}

static const char *long_points =
	"%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n "
	"%.10Q %.11N %.20T";
static const char *long_factors =
	"%.15i %9r %.8u %.8o %10y %10a %10b %10f %10j %10p %10n %10q %20t";

const char *format_default(const struct options *options,
	const struct policy *policy, struct arena *arena)
{
	const struct priority_weights *w = &policy->weights;
	bool norm = options->normalized;
	const struct item items[] = {
		{"%.15i", true},
		{"%9r", true},
		{"%.8c", options->clusters.sibling && !options->clusters.local},
		{"%.8u", options->users.text != NULL},
		{norm ? "%10y" : "%.10Y", true},
		{"%.10S", !norm},
		{norm ? "%10a" : "%.10A", w->age != 0},
		{norm ? "%10b" : "%.10B", w->assoc != 0},
		{norm ? "%10f" : "%.10F", w->fairshare != 0},
		{norm ? "%10j" : "%.10J", w->job_size != 0},
		{norm ? "%10p" : "%.10P", w->partition != 0},
		{norm ? "%10q" : "%.10Q", w->qos != 0},
		{norm ? "%20t" : "%.20T", w->tres != NULL},
	};

	if (options->long_list)
		return norm ? long_factors : long_points;
	return join(items, sizeof(items) / sizeof(*items), arena);
}

size_t format_width(const struct format *format)
{
	size_t width = strlen(format->prefix);

	for (size_t i = 0; i < format->n; i++)
		width += format->v[i].width + strlen(format->v[i].suffix);
	return width;
}

/* ---- lines ---------------------------------------------------------------*/

static void print_cell(const struct piece *piece, const char *raw)
{
	int width = (int)piece->width;
	struct arena arena;
	const char *text;

	arena_init(&arena);
	text = utf8_visible(&arena, raw);
	table_pad(stdout, text, piece->right ? width : -width,
		width ? piece->width : SIZE_MAX);
	fputs_unlocked(piece->suffix, stdout);
	arena_release(&arena);
}

static void print_piece(
	const struct format *format, size_t i, const char *text, bool csv)
{
	if (!csv) {
		print_cell(&format->v[i], text);
		return;
	}
	if (i)
		putchar(',');
	table_csv_cell(stdout, text);
}

void format_heading(const struct format *format, bool csv)
{
	if (!csv)
		fputs(format->prefix, stdout);
	for (size_t i = 0; i < format->n; i++) {
		const struct member *letter = format->v[i].letter;

		print_piece(
			format, i, csv ? letter->names : letter->heading, csv);
	}
	putchar('\n');
}

static const char *cell_text(
	const struct member *letter, const struct row *row, struct arena *arena)
{
	static const struct value_style plain;
	struct value value;

	if (!row->prio && letter->constant)
		return letter->constant;
	value = member_value(letter, row, arena);
	return value_text(&value, &plain, arena);
}

void format_row(const struct format *format, const struct row *row, bool csv,
	struct arena *scratch)
{
	if (!csv)
		fputs(format->prefix, stdout);
	for (size_t i = 0; i < format->n; i++)
		print_piece(format, i,
			cell_text(format->v[i].letter, row, scratch), csv);
	putchar('\n');
}

struct json_object *format_record(
	const struct format *format, const struct row *row, struct arena *arena)
{
	struct json_object *record = json_record();

	for (size_t i = 0; i < format->n; i++)
		json_put_flat(record, format->v[i].letter, row, arena, row->tres);
	return record;
}
