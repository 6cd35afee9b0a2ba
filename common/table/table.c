#include "common/table/table.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/table/flat.h"

void table_pad(FILE *out, const char *text, int width, size_t most)
{
	size_t len = strnlen(text, most), room = (size_t)abs(width);
	size_t blanks = len < room ? room - len : 0;

	for (size_t i = width > 0 ? blanks : 0; i > 0; i--)
		putc_unlocked(' ', out);
	fwrite_unlocked(text, 1, len, out);
	for (size_t i = width < 0 ? blanks : 0; i > 0; i--)
		putc_unlocked(' ', out);
}

static void put_cell(FILE *out, const char *text, int width, size_t most)
{
	table_pad(out, text, width, most);
	putc_unlocked(' ', out);
}

/* What a cell must not hold without quotes; of control characters only the
 * ends of lines are in RFC 4180, but readers trip over others too. */
static bool needs_quotes(const char *text)
{
	for (; *text; text++)
		if (*text == ',' || *text == '"' || *text == 127 ||
			(unsigned char)*text < ' ')
			return true;
	return false;
}

/* Text that a spreadsheet would take for a formula; numbers are not. */
static bool is_formula(const char *text)
{
	char *end;

	if (!*text || !strchr("=+-@\t\r", *text))
		return false;
	(void)strtod(text, &end);
	return end == text || *end;
}

static bool formulas_quoted;

void table_csv_safe(void)
{
	formulas_quoted = true;
}

static void put_repaired(FILE *out, const char *text)
{
	struct arena arena;

	arena_init(&arena);
	table_csv_cell(out, utf8_repair(&arena, text));
	arena_release(&arena);
}

void table_csv_cell(FILE *out, const char *text)
{
	if (!utf8_valid(text)) {
		put_repaired(out, text);
		return;
	}
	if (!needs_quotes(text)) {
		if (formulas_quoted && is_formula(text))
			fputc('\'', out);
		fputs(text, out);
		return;
	}
	fputc('"', out);
	if (formulas_quoted && is_formula(text))
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* A cell of the modes that do not pad. */
static void put_delimited(const struct table *table, size_t i, const char *text)
{
	bool last = i + 1 == table->n;

	if (table->mode == TABLE_CSV) {
		table_csv_cell(table->out, text);
		if (!last)
			fputc(',', table->out);
		return;
	}
	if (*text)
		fputs_unlocked(
			utf8_visible(table->scratch, text), table->out);
	if (last && table->mode != TABLE_PARSABLE)
		return;
	if (*table->delimiter && !table->delimiter[1])
		putc_unlocked(*table->delimiter, table->out);
	else
		fputs_unlocked(table->delimiter, table->out);
}

/* Text of a fixed cell: at most |width| bytes, the last a `+` when cut. */
static const char *cut(const struct table *table, const char *text, int width)
{
	size_t max = (size_t)abs(width);
	char *copy;

	if (strlen(text) <= max || !max)
		return text;
	copy = arena_strndup(table->scratch, text, max);
	copy[max - 1] = '+';
	return copy;
}

/* A number that does not fit is written with an exponent. */
static const char *fit_real(
	const struct table *table, const struct value *value, const char *text,
	int width)
{
	int max = abs(width);

	if (!*text || (int)strlen(text) <= max)
		return text;
	return arena_printf(table->scratch, "%.*e", max < 6 ? 6 : max - 6,
		value->real);
}

size_t table_width(const struct table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < table->n; i++)
		if (!table->columns[i].left_out)
			width += (size_t)abs(table->columns[i].width) + 1;
	return width;
}

/* By how much the column may be cut. */
static int slack(const struct table_column *c)
{
	int more = abs(c->width) - c->fit.least;

	return !c->left_out && c->fit.least && more > 0 ? more : 0;
}

/* Leaves out the column of the highest rank, of several the last. */
static bool leave_one_out(struct table *table)
{
	struct table_column *found = NULL;

	for (struct table_column *c = table->columns;
		c < table->columns + table->n; c++)
		if (!c->left_out && c->fit.rank &&
			(!found || c->fit.rank >= found->fit.rank))
			found = c;
	if (found)
		found->left_out = true;
	return found != NULL;
}

size_t table_fit(struct table *table, size_t room)
{
	size_t n = 0;
	int over, most;

	do {
		over = (int)table_width(table) - (int)room;
		most = 0;
		for (size_t i = 0; i < table->n; i++)
			most += slack(&table->columns[i]);
	} while (over > most && leave_one_out(table) && ++n);
	for (size_t i = table->n; i-- > 0 && over > 0;) {
		struct table_column *c = &table->columns[i];
		int less = slack(c) < over ? slack(c) : over;

		c->width += c->width < 0 ? less : -less;
		over -= less;
	}
	return n;
}

static const char *heading_of(
	const struct table *table, const struct table_column *column)
{
	return table->mode == TABLE_CSV
		       ? flat_key(column->heading, table->scratch)
		       : column->heading;
}

void table_heading(const struct table *table)
{
	if (!table->heading)
		return;
	for (size_t i = 0; i < table->n; i++) {
		const struct table_column *column = &table->columns[i];

		if (column->left_out)
			continue;
		if (table->mode == TABLE_FIXED)
			put_cell(table->out, column->heading, column->width,
				(size_t)abs(column->width));
		else
			put_delimited(table, i, heading_of(table, column));
	}
	fputc('\n', table->out);
	if (table->mode != TABLE_FIXED)
		return;
	for (size_t i = 0; i < table->n; i++) {
		if (table->columns[i].left_out)
			continue;
		for (int j = 0; j < abs(table->columns[i].width); j++)
			fputc('-', table->out);
		fputc(' ', table->out);
	}
	fputc('\n', table->out);
}

void table_row(const struct table *table, const struct value *values)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct value *value = &values[i];
		int width = table->columns[i].width;
		const char *text;

		if (table->columns[i].left_out)
			continue;
		text = value_text(value, &table->style, table->scratch);
		if (table->mode != TABLE_FIXED) {
			put_delimited(table, i, text);
			continue;
		}
		text = utf8_visible(table->scratch, text);
		if (value_may_cut(value))
			text = cut(table, text, width);
		else if (value->type == VALUE_REAL)
			text = fit_real(table, value, text, width);
		put_cell(table->out, text, width, SIZE_MAX);
	}
	fputc('\n', table->out);
}
