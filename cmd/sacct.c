/*
 * sacct: jobs and steps that ran, wait or run (Slurm's src/sacct). Options are
 * in cmd/sacct/options.c, which jobs in select.c, what a line says in row.c and
 * fields.c, machine output in record.c.
 */
#include "cmd/sacct/sacct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/array_tasks.h"
#include "common/text/timespec.h"
#include "db/viewer/viewer.h"

struct session {
	struct options options;
	struct site site;
	struct selection selection;
	struct columns columns;
	struct records records;
	struct context context;
	struct json_doc doc;
	bool found; /* a job at least */
	struct arena scratch;
	struct err err;
};

/* ---- lines ---------------------------------------------------------------*/

/* A time that does not fit its column is a row of #. */
static struct value fit_time(
	const struct session *s, struct value value, int width)
{
	size_t max = (size_t)abs(width);
	char *text;

	if (!max && s->columns.grid.table.mode == TABLE_FIXED &&
		value_may_cut(&value))
		return of_text("");
	if (value.type != VALUE_TIME ||
		s->columns.grid.table.mode != TABLE_FIXED)
		return value;
	text = time_format(s->context.arena, (time_t)value.number,
		s->site.time_format, (time_t)s->site.now);
	if (strlen(text) > max) {
		text = arena_alloc(s->context.arena, max + 1);
		memset(text, '#', max);
	}
	return (struct value){VALUE_TEXT, {.text = text}};
}

static void print_line(struct session *s, const struct row *row)
{
	const struct table *table = &s->columns.grid.table;
	struct value *values =
		arena_array(&s->scratch, table->n, sizeof(*values));

	for (size_t i = 0; i < table->n; i++)
		values[i] = fit_time(s, column_value(&s->columns, i, row),
			table->columns[i].width);
	table_row(table, values);
}

/* --array: each waiting task of "1-9:2,12%4" on a line of its own. */
static void print_tasks(struct session *s, struct row row)
{
	const char *text = row.tasks;
	struct task_run run;

	row.tasks = "";
	while (task_run_next(&text, &run))
		for (; run.first <= run.last && run.step;
			run.first += run.step) {
			row.task = (uint32_t)run.first;
			print_line(s, &row);
		}
}

static int print_job(struct history_row *record, void *arg)
{
	struct session *s = arg;
	struct row job = row_of_job(&s->context, record);

	s->found = true;
	if (record->whole && s->options.array_tasks && *job.tasks)
		print_tasks(s, job);
	else if (record->whole)
		print_line(s, &job);
	for (size_t i = 0; i < record->steps.n; i++) {
		struct row step = row_of_step(&job, &record->steps.v[i]);

		print_line(s, &step);
	}
	return 0;
}

/* Scripts and environments are not kept in the store. */
static int print_script(struct history_row *record, void *arg)
{
	struct session *s = arg;
	struct row job = row_of_job(&s->context, record);
	static const char rule[] = "----------------------------------------"
				   "----------------------------------------";

	if (s->options.heading && s->options.script)
		printf("Batch Script for %s\n%s\n", row_job_id(&job), rule);
	else if (s->options.heading)
		printf("Environment used for %s (must be batch to display)\n"
		       "%s\n",
			row_job_id(&job), rule);
	puts("NONE");
	return 0;
}

static int write_job(struct history_row *record, void *arg)
{
	struct session *s = arg;
	struct row job = row_of_job(&s->context, record);

	json_write(&s->doc, job_record(&s->records, &job));
	return 0;
}

/* --ndjson with -o: the chosen columns, steps too. */
static void write_flat(struct session *s, const struct row *row)
{
	const struct grid *grid = &s->columns.grid;
	struct json_object *record = json_record();

	for (size_t i = 0; i < grid->table.n; i++)
		column_record(&s->columns, i, row, record);
	json_write(&s->doc, record);
}

static int write_lines(struct history_row *record, void *arg)
{
	struct session *s = arg;
	struct row job = row_of_job(&s->context, record);

	if (record->whole)
		write_flat(s, &job);
	for (size_t i = 0; i < record->steps.n; i++) {
		struct row step = row_of_step(&job, &record->steps.v[i]);

		write_flat(s, &step);
	}
	return 0;
}

static bool is_flat(const struct options *o)
{
	return o->form == JSON_LINES &&
	       (o->format || o->brief || o->long_list);
}

static void each_job(
	struct session *s, int (*each)(struct history_row *, void *arg))
{
	bool began = store_begin_read(&s->site.store);

	if (history_each(
		    &s->site.store, &s->selection.cond, &s->scratch, each, s))
		cli_die(&s->err);
	store_end_read(&s->site.store, began);
}

/* ---- all -----------------------------------------------------------------*/

static void prepare(struct session *s)
{
	struct table *table = &s->columns.grid.table;

	sacct_columns(&s->columns, &s->site.arena);
	sacct_choose(&s->columns.grid, &s->options);
	table->mode = s->options.mode;
	table->heading = s->options.heading;
	table->delimiter = s->options.delimiter;
	table->style = site_style(&s->site);
	table->scratch = &s->scratch;
	sacct_select(&s->selection, &s->options, &s->site);
	s->selection.cond.plain_steps = !columns_show_used(&s->columns) &&
					(!s->options.form || is_flat(&s->options));
	s->context = (struct context){
		.store = &s->site.store,
		.selection = &s->selection,
		.options = &s->options,
		.arena = &s->scratch,
		.now = s->options.now,
	};
}

static void print_document(struct session *s)
{
	sacct_records(&s->records, &s->site.arena);
	json_begin(&s->doc, stdout, s->options.form, "jobs");
	each_job(s, is_flat(&s->options) ? write_lines : write_job);
	cli_end_document(&s->doc, NULL);
}

static void print_all(struct session *s)
{
	if (s->options.form) {
		print_document(s);
		return;
	}
	if (s->options.script || s->options.environment) {
		each_job(s, print_script);
		return;
	}
	cli_pager();
	grid_heading(&s->columns.grid);
	each_job(s, print_job);
	if (!s->found && s->options.states.n && s->options.from &&
		!s->options.until)
		cli_hint("with -s and without -E jobs are listed that were in "
			 "one of these states at the very time of -S; add "
			 "-E now");
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.scratch);
	sacct_options(&s.options, &arena, argc, argv);
	viewer_open(&s.site, false, &s.err);
	s.site.now = s.options.now; /* what "today" was for the window */
	if (history_prepare(&s.site.store))
		cli_die(&s.err);
	prepare(&s);
	print_all(&s);
	site_close(&s.site);
	arena_release(&s.scratch);
	arena_release(&arena);
	return 0;
}
