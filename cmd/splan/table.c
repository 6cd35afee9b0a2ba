/*
 * splan --table: the node-space table behind every change of it, and
 * splan --parameters: what decides about it.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/bits.h"
#include "common/cli/cli.h"
#include "common/table/table.h"
#include "common/text/hostlist.h"

/* One record at one of the changes. */
struct table_line {
	const char *job;  /* "" at the start of the pass */
	const char *what; /* what happened, for people */
	int64_t begin, end;
	const char *nodes;
};

struct table_state {
	struct table_line *v;
	size_t n, cap;
};

/* ---- collecting ----------------------------------------------------------*/

static const char *set_text(const struct plan *plan, const uint64_t *set)
{
	struct strv names = {0};

	for (size_t i = 0; i < plan->schedule.n_nodes; i++)
		if (bits_has(set, i))
			strv_push(&names, plan->arena,
				plan->schedule.nodes[i].name);
	return hostlist_fold(&names, plan->arena);
}

static const char *describe(struct planned *p, const struct sched_job *job,
	const struct sched_plan *plan)
{
	struct value_style style = site_style(p->plan.site);
	struct value when = {VALUE_TIME, {.number = (uint64_t)plan->start}};

	return arena_printf(&p->arena, "job %s %s %s on %s",
		splan_job_id(job, &p->arena),
		plan->start <= p->at ? "starts" : "is expected",
		value_text(&when, &style, &p->arena),
		plan_nodelist(&p->plan, plan->nodes, plan->n_nodes, &p->arena));
}

void collect_table(void *planned, const struct nodespace *ns,
	const struct sched_job *job, const struct sched_plan *plan)
{
	struct planned *p = planned;
	struct table_line line = {"", "start of the pass", 0, 0, NULL};
	uint32_t place = 0;

	if (!p->tables)
		p->tables = arena_alloc(&p->arena, sizeof(*p->tables));
	if (job) {
		line.job = splan_job_id(job, &p->arena);
		line.what = describe(p, job, plan);
	}
	do {
		const struct ns_record *r = &ns->v[place];

		line.begin = r->begin;
		line.end = r->end;
		line.nodes = set_text(&p->plan, r->avail);
		*ARENA_PUSH(&p->arena, p->tables->v, p->tables->n,
			p->tables->cap) = line;
		place = r->next;
	} while (place);
}

/* ---- printing rows -------------------------------------------------------*/

struct table splan_table(const struct planned *p, const struct options *options,
	struct arena *scratch)
{
	return (struct table){
		.out = stdout,
		.mode = options->mode,
		.heading = options->heading,
		.delimiter = "|",
		.style = site_style(p->plan.site),
		.scratch = scratch,
	};
}

static void print_rows(struct planned *p, const struct options *options,
	const struct splan_rows *rows, struct arena *scratch)
{
	struct value values[SPLAN_COLUMNS];
	bool titles = rows->title && options->mode == TABLE_FIXED;
	struct table table = splan_table(p, options, scratch);

	table.columns = rows->columns + titles;
	table.n = rows->n_columns - titles;
	if (!titles)
		table_heading(&table);
	for (size_t i = 0; i < rows->n; i++) {
		const char *title = titles ? rows->title(p, i) : NULL;

		arena_reset(scratch);
		if (title) {
			printf("%s%s\n", i ? "\n" : "", title);
			table_heading(&table);
		}
		rows->get(rows->arg ? rows->arg : p, i, values, scratch);
		table_row(&table, values + titles);
	}
}

static void print_rows_document(struct planned *p,
	const struct options *options, const struct splan_rows *rows,
	struct arena *scratch, struct err *err)
{
	const struct site *site = p->plan.site;
	struct json_meta meta = {
		options->argv, options->argc, site->cluster, site->caller.name};
	struct value values[SPLAN_COLUMNS];
	struct json_doc doc;

	json_begin(&doc, stdout, options->form, rows->list);
	for (size_t i = 0; i < rows->n; i++) {
		struct json_object *record = json_record();

		arena_reset(scratch);
		rows->get(rows->arg ? rows->arg : p, i, values, scratch);
		for (size_t c = 0; c < rows->n_columns; c++)
			json_put_plain(record, rows->names[c], &values[c],
				&site->store.tres);
		json_write(&doc, record);
	}
	if (json_end(&doc, rows->beside, &meta, err))
		cli_die(err);
}

void splan_print_rows(struct planned *p, const struct options *options,
	const struct splan_rows *rows, struct err *err)
{
	struct arena scratch;

	arena_init(&scratch);
	if (options->form)
		print_rows_document(p, options, rows, &scratch, err);
	else
		print_rows(p, options, rows, &scratch);
	arena_release(&scratch);
}

/* ---- the tables ----------------------------------------------------------*/

static void get_record(
	const void *arg, size_t row, struct value *values, struct arena *arena)
{
	const struct planned *p = arg;
	const struct table_line *line = &p->tables->v[row];

	(void)arena;
	values[0] = (struct value){VALUE_TEXT, {.text = line->job}};
	values[1] =
		(struct value){VALUE_TIME, {.number = (uint64_t)line->begin}};
	values[2] = (struct value){VALUE_TIME, {.number = (uint64_t)line->end}};
	values[3] = (struct value){VALUE_TEXT, {.text = line->nodes}};
}

static const char *block_title(const struct planned *p, size_t row)
{
	const struct table_line *line = &p->tables->v[row];

	return !row || line[-1].what != line->what ? line->what : NULL;
}

void print_tables(
	struct planned *p, const struct options *options, struct err *err)
{
	static struct table_column columns[] = {
		{"Job", 12}, {"Begin", 19}, {"End", 19}, {"Nodes", -30}};
	static const char *const names[] = {"job", "begin", "end", "nodes"};
	struct splan_rows rows = {"tables", columns, names, 4,
		p->tables ? p->tables->n : 0, get_record, block_title, NULL,
		NULL};

	splan_print_rows(p, options, &rows, err);
}

/* ---- parameters ----------------------------------------------------------*/

const char *splan_parameter_text(
	const struct sched_param *row, int64_t value, struct arena *arena)
{
	static const char *const hetjob[] = {"off", "min", "avg", "max"};

	if (row->kind == PARAM_HETJOB_PRIO)
		return hetjob[value];
	if (row->kind == PARAM_FLAG)
		return value ? "on" : "off";
	if (row->or_off && value == -1)
		return "off";
	return arena_printf(arena, "%" PRId64, value);
}

static const char *range(const struct sched_param *row, struct arena *arena)
{
	return row->kind == PARAM_NUMBER
		       ? arena_printf(arena, "%" PRId64 "-%" PRId64, row->low,
				 row->high)
		       : "";
}

static void get_parameter(
	const void *arg, size_t i, struct value *values, struct arena *arena)
{
	const struct planned *p = arg;
	static const char *const uses[] = {
		[PARAM_PLANS] = "plan",
		[PARAM_PACES] = "pace",
		[PARAM_UNUSED] = "none",
	};
	const struct sched_param *row = &sched_param_rows[i];
	struct sched_params initial, in_effect = p->backfill.params;
	const char *texts[7];

	sched_params_init(&initial);
	sched_params_complete(&initial, NULL, arena);
	texts[0] = row->name;
	texts[1] = splan_parameter_text(
		row, *sched_param_member(&in_effect, row), arena);
	texts[2] = splan_parameter_text(
		row, *sched_param_member(&initial, row), arena);
	texts[3] = range(row, arena);
	texts[4] = row->unit;
	texts[5] = uses[row->use];
	texts[6] = row->help;
	for (size_t c = 0; c < 7; c++)
		values[c] = (struct value){VALUE_TEXT, {.text = texts[c]}};
}

void print_parameters(
	struct planned *p, const struct options *options, struct err *err)
{
	static struct table_column columns[] = {{"Parameter", -26},
		{"Value", 10}, {"Default", 10}, {"Range", 14}, {"Unit", -8},
		{"Use", -4}, {"Meaning", -80}};
	static const char *const names[] = {"parameter", "value", "default",
		"range", "unit", "use", "meaning"};
	struct splan_rows rows = {"parameters", columns, names, 7,
		sched_param_count, get_parameter, NULL, NULL, NULL};

	splan_print_rows(p, options, &rows, err);
}
