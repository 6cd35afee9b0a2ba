/*
 * The report: what was replayed, and the metrics of every replay side by side.
 * One row of the table below is one field, for people and for machines.
 */
#include "cmd/ssim/ssim.h"
#include "common/table/flat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"

/* Marks of a member. */
enum {
	/* What was replayed; it stands above the table when it is the same for
	 * all. */
	CONTEXT = MEMBER_OWN_MARK,
	BRIEF = MEMBER_OWN_MARK << 1, /* in a line for each policy */
	ASIDE = MEMBER_OWN_MARK << 2, /* only when asked for, and for machines */
};

enum { WIDEST = 60 }; /* of a column */

/* ---- texts ---------------------------------------------------------------*/

static const char *list_counts(const struct session *s, enum trace_why from,
	enum trace_why until, struct arena *arena)
{
	const char *text = "";

	for (enum trace_why why = from; why < until; why++)
		if (s->trace.counts[why].n)
			text = arena_printf(arena, "%s%s%" PRIu64 " %s", text,
				*text ? ", " : "", s->trace.counts[why].n,
				trace_why_text(why));
	return *text ? text : "none";
}

static const char *left_out(const struct session *s, struct arena *arena)
{
	return list_counts(s, TRACE_NO_SUBMIT, TRACE_OVER_LIMIT, arena);
}

static const char *changed(const struct session *s, struct arena *arena)
{
	const char *text = list_counts(s, TRACE_OVER_LIMIT, TRACE_WHYS, arena);

	if (s->trace.counts[TRACE_OVER_LIMIT].n)
		text = arena_printf(arena, "%s (%s)", text,
			s->trace.rules.over == TRACE_CUT ? "run cut to it"
							 : "it was raised");
	return text;
}

/* With the time where it is known, else seconds since the trace began. */
static const char *moment(
	const struct session *s, int64_t at, struct arena *arena)
{
	if (!s->trace.start)
		return arena_printf(arena, "%" PRId64, at);
	return time_format(arena, (time_t)(s->trace.start + at), NULL, 0);
}

static const char *estimates_text(const struct sim_options *sim, struct arena *arena)
{
	static const char *const words[] = {"user", "perfect", "double"};

	if (sim->predict == PREDICT_LAST2)
		return "last2";
	if (sim->predict == PREDICT_QUANTILE)
		return arena_printf(arena, "quantile:%g", sim->quantile);
	if (sim->estimates == SIM_RANDOM)
		return arena_printf(arena, "random:%g", sim->factor);
	return words[sim->estimates];
}

/* ---- members -------------------------------------------------------------*/

#define GET(name, expression) GETTER(name, struct replay, expression)
GET(policy, of_text(row->label))
GET(trace, of_text(basename(row->session->source)))
GET(left_out, of_text(left_out(row->session, arena)))
GET(changed, of_text(changed(row->session, arena)))
GET(from, of_text(moment(row->session, row->metrics.from, arena)))
GET(until, of_text(moment(row->session, row->metrics.until, arena)))
GET(estimates, of_text(estimates_text(&row->sim, arena)))

GET(number, of_fixed(member_raw(m, row, arena).real, m->arg))

#define REAL(member, decimals) .get = get_number, .arg = (decimals), \
	.type = MEMBER_REAL, .offset = offsetof(struct replay, member)
#define COUNT(member) .type = MEMBER_COUNT64, \
	.offset = offsetof(struct replay, member)
#define FIELD(name, json, width, help) SHOWN(name, name, width, json, help)
#define SPREAD(name, json, what, member, width, mark) \
	{FIELD("Mean" name, "mean_" json, width, "mean " what), \
		REAL(metrics.member.mean, 2), .marks = mark}, \
	{FIELD("Median" name, "median_" json, width, "median of the " what), \
		REAL(metrics.member.median, 2)}, \
	{FIELD("P95" name, "p95_" json, width, "95th percentile of the " what), \
		REAL(metrics.member.p95, 2), .marks = mark, .fit.rank = 3}, \
	{FIELD("Max" name, "max_" json, width, "highest " what), \
		REAL(metrics.member.max, 2)}

/* clang-format off */
static const struct member rows[] = {
	{FIELD("Policy", "policy", -14, "policy, and how the site is run"), .fit.least = 20, .get = get_policy, .marks = BRIEF},
	{FIELD("Trace", "trace", -20, "what was replayed"), .get = get_trace, .marks = CONTEXT},
	{FIELD("Rows", "rows", 9, "jobs in the trace"), COUNT(rows), .marks = CONTEXT},
	{FIELD("Jobs", "jobs", 9, "jobs that were replayed"), COUNT(jobs), .marks = CONTEXT},
	{FIELD("LeftOut", "left_out", -24, "jobs that were not, and why"), .get = get_left_out, .marks = CONTEXT},
	{FIELD("Changed", "changed", -24, "jobs that were changed, and why"), .get = get_changed, .marks = CONTEXT},
	{FIELD("Procs", "processors", 9, "processors of the machine"), COUNT(procs), .marks = CONTEXT},
	{FIELD("From", "from", -19, "first submission"), .get = get_from, .marks = CONTEXT},
	{FIELD("Estimates", "estimates", -13, "what the scheduler believed of run times"), .get = get_estimates, .marks = CONTEXT},
	{FIELD("TestCost", "test_cost", 9, "seconds that looking at a job takes"), REAL(sim.test_cost, 3), .marks = CONTEXT},
	{FIELD("Seed", "seed", 9, "of what is random"), COUNT(sim.seed), .marks = CONTEXT},
	{FIELD("Until", "until", -19, "last end"), .get = get_until, .marks = ASIDE},
	{FIELD("Makespan", "makespan", 11, "seconds from the first submission to the last end"), .fit.rank = 5, REAL(metrics.makespan, 0), .marks = BRIEF},
	{FIELD("Utilization", "utilization", 11, "processor seconds used of those there were"), REAL(metrics.utilization, 4), .marks = BRIEF},
	{FIELD("LossOfCapacity", "loss_of_capacity", 14, "processor seconds idle while a job waits that would fit, of those there were"), .fit.rank = 4, REAL(metrics.loss_of_capacity, 4), .marks = BRIEF},
	SPREAD("Wait", "wait", "wait, seconds", wait, 11, BRIEF),
	SPREAD("Response", "response", "wait and run, seconds", response, 14, 0),
	SPREAD("Slowdown", "slowdown", "(wait + run) / run", slowdown, 14, 0),
	SPREAD("Bounded", "bounded_slowdown", "slowdown, runs of less than 10 s counted as 10 s", bounded_slowdown, 13, BRIEF),
	SPREAD("PerProc", "per_processor_slowdown", "bounded slowdown by processors", proc_slowdown, 13, 0),
	{FIELD("UserSpread", "user_spread", 10, "standard deviation of the users' mean bounded slowdowns over their mean"), REAL(metrics.user_spread, 4)},
	{FIELD("Overtaken", "overtaken", 9, "jobs that a later submission started before"), COUNT(metrics.overtaken)},
	{FIELD("Late", "late", 9, "jobs that started later than first promised"), COUNT(metrics.late)},
	{FIELD("LateMost", "late_most", 9, "by how many seconds at most"), REAL(metrics.late_most, 0)},
	{FIELD("MeanQueue", "mean_queue", 9, "jobs waiting, mean over time"), REAL(metrics.mean_queue, 2)},
	{FIELD("NeverStarted", "never_started", 12, "jobs that could not start"), COUNT(metrics.waiting)},
	{FIELD("Requeued", "requeued", 9, "times that jobs were preempted and requeued"), COUNT(metrics.requeued)},
	{FIELD("Suspended", "suspended", 9, "times that jobs were preempted and suspended"), COUNT(metrics.suspended)},
	{FIELD("Cancelled", "cancelled", 9, "jobs that were preempted and cancelled"), COUNT(metrics.preempted)},
	{FIELD("Limited", "limited", 9, "jobs that were ended by a limit on minutes"), COUNT(metrics.limited)},
	{FIELD("Lost", "lost", 11, "processor seconds of runs that began anew"), REAL(metrics.lost, 0)},
	{FIELD("Accuracy", "accuracy", 9, "mean of run / limit"), REAL(metrics.accuracy, 4)},
	{FIELD("Passes", "passes", 9, "scheduling passes"), COUNT(metrics.work.passes)},
	{FIELD("Tests", "tests", 11, "jobs looked at in them"), COUNT(metrics.work.tests)},
	{FIELD("MostTests", "most_tests", 9, "in one pass"), COUNT(metrics.work.largest)},
	{FIELD("Steps", "steps", 9, "most steps of the plan's profile or table"), COUNT(metrics.work.steps)},
	{FIELD("Busy", "busy", 11, "seconds the scheduler worked, by TestCost"), REAL(metrics.work.seconds, 1)},
};
/* clang-format on */

static const struct members replay_members = MEMBERS(rows);

void offer_own_columns(struct completion *c)
{
	offer_columns(c, &replay_members);
}

void print_helpformat(void *options)
{
	if (((struct options *)options)->compare)
		print_compare_helpformat();
	else
		grid_print_help(stdout, &replay_members, 16);
}

void choose_fields(struct session *s, struct grid *grid,
	const struct members *members, unsigned usual, unsigned unusual,
	const char *whose)
{
	const struct options *o = &s->options;
	bool machine = o->form || o->mode != TABLE_FIXED;
	struct strv names = {0};

	grid_init(grid, members, &s->arena);
	grid->table.mode = o->mode;
	grid->table.heading = o->heading;
	grid->table.scratch = &s->arena;
	if (o->format)
		strv_split(&names, &s->arena, o->format);
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.v[i];

		if (*name && !grid_choose(grid, name))
			continue;
		cli_error("--format: '%s' is not a field%s; see --helpformat",
			name, whose);
		cli_did_you_mean_member(members, name);
		exit(1);
	}
	for (size_t i = 0; !o->format && i < members->n; i++) {
		unsigned marks = members->v[i].marks;

		if (machine || marks & usual || (unusual && !(marks & unusual)))
			grid_add(grid, &members->v[i]);
	}
}

static void choose(struct session *s, struct grid *grid)
{
	choose_fields(s, grid, &replay_members, BRIEF | CONTEXT,
		s->options.by_policy || s->options.compare ? 0 : ASIDE, "");
}

void check_format(struct session *s)
{
	struct grid grid;

	if (!s->options.compare)
		choose(s, &grid);
}

/* ---- values --------------------------------------------------------------*/

static const char *field_text(
	const struct member *field, const void *row, struct arena *arena)
{
	static const struct value_style plain;
	struct value value = member_value(field, row, arena);

	return value_text(&value, &plain, arena);
}

static bool same_for_all(const struct member *field, const struct session *s,
	struct arena *arena)
{
	const char *first = field_text(field, &s->replays[0], arena);

	for (size_t i = 1; i < s->n; i++)
		if (strcmp(first, field_text(field, &s->replays[i], arena)))
			return false;
	return true;
}

/* ---- tables --------------------------------------------------------------*/

/* Options that were not used need not be told of; the seed is. */
static bool is_zero(const struct member *field, const struct replay *replay)
{
	struct value value;

	if (field->get && field->get != get_number)
		return false;
	value = member_value(field, replay, NULL);
	return field->get ? value.real == 0
			  : !value.number && strcmp(field->json, "seed") != 0;
}

static bool is_above(
	const struct member *field, const struct session *s, struct arena *arena)
{
	return field->marks & CONTEXT && s->options.mode == TABLE_FIXED &&
	       !s->options.format && same_for_all(field, s, arena);
}

/* What is the same for all replays, above a table. */
static void print_replayed(struct session *s)
{
	if (s->options.mode != TABLE_FIXED || s->options.format ||
		!s->options.heading)
		return;
	for (size_t i = 0; i < replay_members.n; i++)
		if (is_above(&rows[i], s, &s->arena) &&
			!is_zero(&rows[i], &s->replays[0]))
			printf("%-10s %s\n", rows[i].names,
				field_text(
					&rows[i], &s->replays[0], &s->arena));
	putchar('\n');
}

static void leave_out_above(
	const struct session *s, struct grid *grid, struct arena *arena)
{
	size_t kept = 0;

	for (size_t i = 0; i < grid->table.n; i++) {
		if (is_above(grid->columns[i], s, arena))
			continue;
		grid->columns[kept] = grid->columns[i];
		grid->table.columns[kept++] = grid->table.columns[i];
	}
	grid->table.n = kept;
}

/* As wide as its contents, up to a limit. */
static int widen(int width, const char *text, int widest)
{
	int len = (int)strlen(text), sign = width < 0 ? -1 : 1;

	if (len > widest)
		len = widest;
	return len > width * sign ? len * sign : width;
}

void print_rows(const struct session *s, struct grid *grid, const void *all,
	size_t size, size_t n, int widest)
{
	struct table *table = &grid->table;

	for (size_t c = 0; c < table->n; c++) {
		int *width = &table->columns[c].width;

		*width = widen(*width, table->columns[c].heading, widest);
		for (size_t i = 0; i < n; i++)
			*width = widen(*width,
				field_text(grid->columns[c],
					(const char *)all + i * size,
					table->scratch),
				widest);
	}
	if (!s->options.format)
		cli_fit(table);
	cli_pager();
	grid_heading(grid);
	for (size_t i = 0; i < n; i++)
		grid_row(grid, (const char *)all + i * size);
}

/* The policy's row is the heading here. */
static void print_by_metric(const struct session *s, const struct grid *grid)
{
	enum { NARROW = 12, NAME = -16 };
	struct arena *arena = grid->table.scratch;
	size_t n = s->n + 1, fields = grid->table.n;
	struct table_column *columns = arena_array(arena, n, sizeof(*columns));
	struct value *values = arena_array(arena, fields * n, sizeof(*values));
	struct table table = grid->table;

	table.columns = columns;
	table.n = n;
	columns[0] = (struct table_column){.heading = "Metric", .width = NAME};
	for (size_t i = 0; i < s->n; i++)
		columns[i + 1] = (struct table_column){
			.heading = s->replays[i].label,
			.width = widen(NARROW, s->replays[i].label, WIDEST)};
	for (size_t c = 0; c < fields; c++) {
		values[c * n] = of_text(grid->columns[c]->names);
		for (size_t i = 0; i < s->n; i++) {
			const char *text = field_text(
				grid->columns[c], &s->replays[i], arena);

			values[c * n + i + 1] = of_text(text);
			columns[i + 1].width =
				widen(columns[i + 1].width, text, WIDEST);
		}
	}
	cli_pager();
	table_heading(&table);
	for (size_t c = 0; c < fields; c++)
		if (grid->columns[c] != &rows[0])
			table_row(&table, values + c * n);
}

/* ---- documents -----------------------------------------------------------*/

void print_document(struct session *s, const struct grid *grid,
	const char *name, const void *all, size_t size, size_t n)
{
	struct json_doc doc;

	json_begin(&doc, stdout, s->options.form, name);
	for (size_t i = 0; i < n; i++) {
		struct json_object *record = json_record();

		for (size_t c = 0; c < grid->table.n; c++)
			json_put_members(record,
				&(struct members){grid->columns[c], 1},
				(const char *)all + i * size,
				grid->table.scratch, NULL);
		json_write(&doc, record);
	}
	cli_end_document(&doc, NULL);
}

void print_report(struct session *s)
{
	struct grid grid;

	choose(s, &grid);
	if (s->options.form) {
		print_document(s, &grid, "replays", s->replays,
			sizeof(*s->replays), s->n);
		return;
	}
	print_replayed(s);
	leave_out_above(s, &grid, &s->arena);
	if (s->options.by_policy)
		print_rows(s, &grid, s->replays, sizeof(*s->replays), s->n, WIDEST);
	else
		print_by_metric(s, &grid);
}
