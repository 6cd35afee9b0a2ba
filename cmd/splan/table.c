/*
 * splan --table: the node-space table behind every change of it, and
 * splan --parameters: what decides about it.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/bits.h"
#include "common/cli/cli.h"
#include "common/cli/printout.h"
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

static const char *shown_name(struct planned *p, const struct sched_job *job)
{
	if (!splan_shows(p, job->record))
		return "another's job";
	return arena_printf(
		&p->arena, "job %s", splan_job_id(job, &p->arena));
}

static const char *describe(struct planned *p, const struct sched_job *job,
	const struct sched_plan *plan)
{
	struct value_style style = site_style(p->plan.site);
	struct value when = {VALUE_TIME, {.number = (uint64_t)plan->start}};

	return arena_printf(&p->arena, "%s %s %s on %s", shown_name(p, job),
		plan->start <= p->at ? "starts" : "is expected",
		value_text(&when, &style, &p->arena),
		plan_nodelist(&p->plan, plan->nodes, plan->n_nodes, &p->arena));
}

void collect_table(void *planned, const struct nodespace *ns,
	const struct sched_job *job, const struct sched_plan *plan)
{
	struct planned *p = planned;
	struct table_line line = {"", "start of the pass", 0, 0, NULL};
	uint32_t index = 0;

	if (!p->tables)
		p->tables = arena_alloc(&p->arena, sizeof(*p->tables));
	if (job) {
		line.job = splan_shows(p, job->record)
				   ? splan_job_id(job, &p->arena)
				   : "";
		line.what = describe(p, job, plan);
	}
	do {
		const struct ns_record *r = &ns->v[index];

		line.begin = r->begin;
		line.end = r->end;
		line.nodes = set_text(&p->plan, r->avail);
		*ARENA_PUSH(&p->arena, p->tables->v, p->tables->n,
			p->tables->cap) = line;
		index = r->next;
	} while (index);
}

/* ---- printing rows -------------------------------------------------------*/

void splan_choose(struct grid *grid, const char *text)
{
	struct strv words = {0};

	strv_split(&words, grid->arena, text);
	for (size_t i = 0; i < words.n; i++)
		if (grid_choose(grid, words.v[i])) {
			cli_error("Unknown field '%s'; --helpformat lists them",
				words.v[i]);
			cli_did_you_mean_member(grid->members, words.v[i]);
			exit(1);
		}
}

static void open_grid(struct grid *grid, const struct planned *p,
	const struct options *options, const struct splan_rows *rows,
	bool titles)
{
	grid_init(grid, rows->members, p->plan.arena);
	grid->table.mode = options->mode;
	grid->table.heading = options->heading;
	grid->table.style = site_style(p->plan.site);
	if (rows->columns)
		splan_choose(grid, rows->columns);
	for (size_t c = titles; !rows->columns && c < rows->members->n; c++)
		grid_add(grid, &rows->members->v[c]);
	if (!options->format)
		cli_fit(&grid->table);
}

void splan_print_rows(struct planned *p, const struct options *options,
	const struct splan_rows *rows)
{
	bool titles = rows->title && !options->form &&
		      options->mode == TABLE_FIXED;
	struct grid grid;
	struct arena scratch;
	struct printout out = {
		.grid = &grid,
		.form = options->form,
		.list = rows->list,
		.flat = options->form == JSON_LINES && options->format &&
			rows->columns,
		.catalog = &p->plan.site->store.tres,
		.scratch = &scratch,
	};
	const char *row = rows->v, *title;

	arena_init(&scratch);
	open_grid(&grid, p, options, rows, titles);
	grid.table.scratch = &scratch;
	if (!titles)
		printout_begin(&out);
	for (size_t i = 0; i < rows->n; i++, row += rows->size) {
		arena_reset(&scratch);
		title = titles ? rows->title(row, !i) : NULL;
		if (title) {
			printf("%s%s\n", i ? "\n" : "", title);
			printout_begin(&out);
		}
		printout_row(&out, row);
	}
	printout_end(&out, rows->beside);
	arena_release(&scratch);
}

/* ---- the tables ----------------------------------------------------------*/

#define AT(member) .offset = offsetof(struct table_line, member)
static const struct member line_rows[] = {
	{NULL, MEMBER_TEXT, AT(job), SHOWN("Job", "Job", 12, "job", NULL)},
	{NULL, MEMBER_TIME, AT(begin),
		SHOWN("Begin", "Begin", 19, "begin", NULL)},
	{NULL, MEMBER_TIME, AT(end), SHOWN("End", "End", 19, "end", NULL)},
	{NULL, MEMBER_TEXT, AT(nodes),
		SHOWN("Nodes", "Nodes", -30, "nodes", NULL)},
};
#undef AT
static const struct members line_members = MEMBERS(line_rows);

static const char *block_title(const void *row, bool first)
{
	const struct table_line *line = row;

	return first || line[-1].what != line->what ? line->what : NULL;
}

void print_tables(struct planned *p, const struct options *options)
{
	struct splan_rows rows = {
		.list = "tables",
		.members = &line_members,
		.v = p->tables ? p->tables->v : NULL,
		.n = p->tables ? p->tables->n : 0,
		.size = sizeof(struct table_line),
		.title = block_title,
	};

	splan_print_rows(p, options, &rows);
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

/* One parameter with its values as text. */
struct parameter {
	const struct sched_param *row;
	const char *value, *initial, *range;
};

static const char *const uses[] = {
	[PARAM_PLANS] = "plan",
	[PARAM_PACES] = "pace",
	[PARAM_UNUSED] = "none",
};

#define GET(name, expression) GETTER(name, struct parameter, of_text(expression))
GET(name, row->row->name)
GET(value, row->value)
GET(initial, row->initial)
GET(range, row->range)
GET(unit, row->row->unit)
GET(use, uses[row->row->use])
GET(help, row->row->help)

/* clang-format off */
static const struct member parameter_rows[] = {
	{SHOWN("Parameter", "Parameter", -26, "parameter", NULL), .get = get_name},
	{SHOWN("Value", "Value", 10, "value", NULL), .get = get_value},
	{SHOWN("Default", "Default", 10, "default", NULL), .get = get_initial},
	{SHOWN("Range", "Range", 14, "range", NULL), .fit.rank = 3, .get = get_range},
	{SHOWN("Unit", "Unit", -8, "unit", NULL), .fit.rank = 2, .get = get_unit},
	{SHOWN("Use", "Use", -4, "use", NULL), .fit.rank = 4, .get = get_use},
	{SHOWN("Meaning", "Meaning", -80, "meaning", NULL), .fit = {1, 24}, .get = get_help},
};
/* clang-format on */
static const struct members parameter_members = MEMBERS(parameter_rows);

void print_parameters(struct planned *p, const struct options *options)
{
	struct parameter *v =
		arena_array(&p->arena, sched_param_count, sizeof(*v));
	struct sched_params initial, now = p->plan.backfill.params;
	struct splan_rows rows = {
		.list = "parameters",
		.members = &parameter_members,
		.v = v,
		.n = sched_param_count,
		.size = sizeof(*v),
	};

	sched_params_init(&initial);
	sched_params_complete(&initial, NULL, &p->arena);
	for (size_t i = 0; i < rows.n; i++) {
		const struct sched_param *row = &sched_param_rows[i];

		v[i] = (struct parameter){row,
			splan_parameter_text(row,
				*sched_param_member(&now, row), &p->arena),
			splan_parameter_text(row,
				*sched_param_member(&initial, row), &p->arena),
			range(row, &p->arena)};
	}
	splan_print_rows(p, options, &rows);
}
