/*
 * A listing as lines or as a document; see printout.h.
 */
#include "common/cli/printout.h"

#include "common/cli/cli.h"

void printout_begin(struct printout *out)
{
	if (out->form)
		json_begin(&out->doc, stdout, out->form, out->list);
	else if (out->format)
		format_heading(out->format, out->scratch);
	else
		grid_heading(out->pairs ? &out->pairs->grid : out->grid);
}

static struct json_object *record_of(struct printout *out, const void *row)
{
	struct json_object *record;

	if (out->flat && out->format)
		return format_record(
			out->format, row, out->catalog, out->scratch);
	if (out->record && !out->flat)
		return out->record(row, out->scratch);
	record = json_record();
	if (out->flat)
		grid_record(out->grid, row, out->catalog, record);
	else
		json_put_members_plain(record, out->grid->members, row,
			out->scratch, out->catalog);
	return record;
}

void printout_row(struct printout *out, const void *row)
{
	if (out->form)
		json_write(&out->doc, record_of(out, row));
	else if (out->format)
		format_row(out->format, row, out->scratch);
	else if (out->pairs)
		pairs_print(out->pairs, row);
	else
		grid_row(out->grid, row);
}

void printout_rows(
	struct printout *out, const void *rows, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		arena_reset(out->scratch);
		printout_row(out, (const char *)rows + i * size);
	}
}

void printout_end(struct printout *out, struct json_object *beside)
{
	if (out->form)
		cli_end_document(&out->doc, beside);
}
