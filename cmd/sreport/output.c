/*
 * How a report looks: title, table, or a document for machines (Slurm's
 * src/sreport/cluster_reports.c).
 */
#include "cmd/sreport/sreport.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "common/text/timespec.h"

static const int64_t unit_seconds[] = {
	[UNIT_SECONDS] = 1, [UNIT_MINUTES] = 60, [UNIT_HOURS] = 3600};

/* Of an unknown whole: not a number. */
static double percent_of(int64_t amount, int64_t whole)
{
	if (!whole)
		return amount ? NAN : 0;
	return (double)amount / (double)whole * 100;
}

/* Whole seconds stay whole; other units are rounded to even. */
static const char *number_text(
	const struct time_style *style, int64_t amount, struct arena *arena)
{
	if (style->unit == UNIT_SECONDS)
		return arena_printf(arena, "%" PRId64, amount);
	return arena_printf(arena, "%.0f",
		(double)amount / (double)unit_seconds[style->unit]);
}

const char *amount_text(const struct time_style *style, int64_t amount,
	int64_t whole, struct arena *arena)
{
	double percent = percent_of(amount, whole);

	if (!style->percent || (style->number && isnan(percent)))
		return number_text(style, amount, arena);
	if (isnan(percent))
		return "";
	if (!style->number)
		return arena_printf(arena, "%.2f%%", percent);
	return arena_printf(arena, "%s(%.2f%%)",
		number_text(style, amount, arena), percent);
}

/* ---- title -------------------------------------------------------------- */

static const char *moment(const struct report_run *r, int64_t when)
{
	const struct site *site = &r->session->site;

	return time_format(&r->session->scratch, (time_t)when,
		site->time_format, (time_t)site->now);
}

/* "Job Sizes 2026-10-01T00:00:00 - 2026-10-04T23:59:59 (345600 secs)" */
static const char *title_of(const struct report_run *r)
{
	struct arena *arena = &r->session->scratch;
	const char *top = "", *length = "";

	if (r->report->class == CLASS_USER)
		top = r->cond.top < 0 ? "Top ALL "
				      : arena_printf(arena, "Top %" PRId64 " ",
						r->cond.top);
	if (r->report->seconds)
		length = arena_printf(
			arena, " (%" PRId64 " secs)", r->end - r->start);
	return arena_printf(arena, "%s%s %s - %s%s", top, r->report->title,
		moment(r, r->start), moment(r, r->end - 1), length);
}

static const char *usage_unit(const struct report_run *r)
{
	const struct options *o = &r->session->options;
	bool tres = o->tres || r->report->class == CLASS_RESERVATION;

	if (!o->style.number)
		return o->time;
	return arena_printf(
		&r->session->scratch, "%s %s", tres ? "TRES" : "CPU", o->time);
}

static void print_unit(const struct report_run *r)
{
	const struct options *o = &r->session->options;

	if (r->report->class != CLASS_JOB) {
		printf("Usage reported in %s\n", usage_unit(r));
		return;
	}
	if (o->tres)
		printf("TRES type is %.*s\n", (int)strcspn(o->tres, ","),
			o->tres);
	if (r->cond.job_count)
		puts("Units are in number of jobs ran");
	else
		printf("Time reported in %s\n", o->time);
}

static void print_title(const struct report_run *r)
{
	static const char line[] = "----------------------------------------"
				   "----------------------------------------";

	puts(line);
	puts(title_of(r));
	print_unit(r);
	puts(line);
}

/* ---- the table ---------------------------------------------------------- */

/* Job counts are counts in any unit. */
static const char *group_text(const struct report_run *r, const struct row *row,
	size_t group, struct arena *arena)
{
	if (r->cond.job_count)
		return arena_printf(arena, "%" PRId64, row->groups[group]);
	return amount_text(&r->session->options.style, row->groups[group],
		row->amounts[AMOUNT_TOTAL], arena);
}

/* Groups are parts of the row's total, so that is all of it. */
static const char *total_text(
	const struct report_run *r, const struct row *row, struct arena *arena)
{
	int64_t total = row->amounts[AMOUNT_TOTAL];

	if (r->cond.job_count)
		return arena_printf(arena, "%" PRId64, total);
	return amount_text(&r->session->options.style, total, total, arena);
}

static const char *cell_text(const struct report_run *r, const struct row *row,
	const struct report_column *column, struct arena *arena)
{
	enum amount a = column->field->amount;

	if (column->field->kind == COLUMN_GROUP)
		return group_text(r, row, column->group, arena);
	if (column->field->kind == COLUMN_SHARE)
		return arena_printf(arena, "%.2f%%",
			percent_of(row->amounts[a], row->whole[a]));
	if (a == AMOUNT_TOTAL)
		return total_text(r, row, arena);
	return amount_text(&r->session->options.style, row->amounts[a],
		row->whole[a], arena);
}

static void cell(const struct report_run *r, const struct row *row,
	const struct report_column *column, struct arena *arena,
	struct value *value)
{
	if (!field_is_filled(r->report, column->field)) {
		value->type = VALUE_NONE;
		return;
	}
	if (column->field->member.get) {
		*value = member_value(&column->field->member, row, arena);
		return;
	}
	value->type = VALUE_TEXT;
	value->text = cell_text(r, row, column, arena);
}

static void print_table(struct report_run *r, const struct rows *rows)
{
	struct session *s = r->session;
	struct table table = {.out = stdout,
		.mode = s->options.mode,
		.heading = s->options.heading,
		.delimiter = "|",
		.style = site_style(&s->site),
		.scratch = &s->scratch,
		.columns = r->output->heads,
		.n = r->output->n};

	if (!s->interactive)
		cli_pager();
	if (s->options.heading && s->options.mode != TABLE_CSV)
		print_title(r);
	table_heading(&table);
	for (size_t i = 0; i < rows->n; i++) {
		struct value *values;

		arena_reset(&s->scratch);
		values = arena_array(&s->scratch, table.n + 1, sizeof(*values));
		for (size_t c = 0; c < table.n; c++)
			cell(r, &rows->v[i], &r->output->columns[c],
				&s->scratch, &values[c]);
		table_row(&table, values);
	}
}

/* ---- documents ---------------------------------------------------------- */

static void put_group(const struct report_run *r, struct json_object *record,
	const struct row *row, size_t i)
{
	struct json_object *group = json_record();

	json_put_text(group, "name", r->output->heads[i].heading);
	json_put_int(group, r->cond.job_count ? "jobs" : "seconds",
		row->groups[r->output->columns[i].group]);
	json_append(record, "groups", group);
}

static void put_percent(struct json_object *record, const char *name,
	int64_t amount, int64_t whole)
{
	double percent = percent_of(amount, whole);

	if (isnan(percent))
		json_put_object(record, name, NULL);
	else
		json_put_real(record, name, round(percent * 10000) / 10000);
}

/* Amounts in seconds whatever the unit of the table, and their share. */
static void put_member(const struct report_run *r, struct json_object *record,
	const struct row *row, size_t i, struct arena *arena)
{
	const struct report_column *column = &r->output->columns[i];
	const struct report_field *f = column->field;
	const char *name = flat_key(f->member.heading, arena);
	struct value value = {0};

	if (!field_is_filled(r->report, f)) {
		value.type = VALUE_NONE;
		json_put_plain(
			record, name, &value, &r->session->site.store.tres);
	} else if (f->kind == COLUMN_GROUP) {
		put_group(r, record, row, i);
	} else if (f->kind == COLUMN_SHARE) {
		put_percent(record, "percent_of_cluster",
			row->amounts[f->amount], row->whole[f->amount]);
	} else if (f->kind == COLUMN_AMOUNT) {
		json_put_int(record, name, row->amounts[f->amount]);
		if (f->amount != AMOUNT_TOTAL)
			put_percent(record,
				arena_printf(arena, "%s_percent", name),
				row->amounts[f->amount], row->whole[f->amount]);
	} else {
		value = member_value(&f->member, row, arena);
		json_put_plain(
			record, name, &value, &r->session->site.store.tres);
	}
}

static void write_row(
	const struct report_run *r, struct json_doc *doc, const struct row *row)
{
	struct arena *scratch = &r->session->scratch;
	struct json_object *record = json_record();
	struct row flat = *row;

	arena_reset(scratch);
	flat.indent = 0;
	for (size_t i = 0; i < r->output->n; i++)
		put_member(r, record, &flat, i, scratch);
	json_write(doc, record);
}

static void write_document(struct report_run *r, const struct rows *rows)
{
	struct session *s = r->session;
	struct json_object *beside = json_record();
	struct json_doc doc;

	json_put_text(beside, "report/name", r->report->name);
	json_put_text(beside, "report/title", title_of(r));
	json_put_int(beside, "report/start", r->start);
	json_put_int(beside, "report/end", r->end);
	json_begin(&doc, stdout, s->options.form, "rows");
	for (size_t i = 0; i < rows->n; i++)
		write_row(r, &doc, &rows->v[i]);
	cli_end_document(&doc, beside);
}

/* Once a report, where it matters. */
static void say_unknown(const struct report_run *r, const struct rows *rows)
{
	const char *cluster = r->unknown, *what = "";

	for (size_t i = 0; !cluster && i < rows->n; i++) {
		const struct row *row = &rows->v[i];

		if (!isnan(percent_of(row->amounts[AMOUNT_USED],
			    row->whole[AMOUNT_USED])))
			continue;
		cluster = row->cluster;
		what = row->tres;
	}
	if (!cluster || (!r->session->options.style.percent &&
				r->report->run != report_cluster))
		return;
	cli_warning("the size of cluster '%s'%s%s is not recorded: no percentage; "
		    "\"srecord cluster tres=... start=...\" records it",
		cluster, *what ? " in " : "", what);
}

void print_rows(struct report_run *r, const struct rows *rows)
{
	say_unknown(r, rows);
	if (r->session->options.svg) {
		if (!r->bad_format)
			draw_rows(r, rows);
	} else if (r->session->options.form)
		write_document(r, rows);
	else
		print_table(r, rows);
}
