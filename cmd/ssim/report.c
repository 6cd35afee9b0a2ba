/*
 * The report: what was replayed, and the metrics of every replay side by side.
 * One row of the table below is one field, for people and for machines.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"

struct field {
	const char *names; /* see common/base/words.h */
	const char *json;
	int width; /* of its column under --by=policy */
	const char *help;
	/* What was replayed; it stands above the table when it is the same for
	 * all. */
	bool context;
	bool brief; /* in a line for each policy */
	bool aside; /* only when asked for, and for machines */
	/* One of these. */
	const char *(*text)(
		const struct session *, const struct replay *, struct arena *);
	size_t real; /* offset in struct replay, + 1 */
	size_t count;
	int decimals;
};

/* ---- texts ---------------------------------------------------------------*/

static const char *get_policy(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	(void)s;
	(void)arena;
	return replay->label;
}

static const char *get_trace(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	const char *slash = strrchr(s->source, '/');

	(void)replay;
	(void)arena;
	return slash && slash[1] ? slash + 1 : s->source;
}

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

static const char *get_left_out(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	(void)replay;
	return list_counts(s, TRACE_NO_SUBMIT, TRACE_OVER_LIMIT, arena);
}

static const char *get_changed(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	const char *text = list_counts(s, TRACE_OVER_LIMIT, TRACE_WHYS, arena);

	(void)replay;
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

static const char *get_from(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	return moment(s, replay->metrics.from, arena);
}

static const char *get_until(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	return moment(s, replay->metrics.until, arena);
}

const char *estimates_text(const struct sim_options *sim, struct arena *arena)
{
	static const char *const words[] = {"user", "perfect", "double"};

	if (sim->predict == SIM_PREDICT_LAST2)
		return "last2";
	if (sim->predict == SIM_PREDICT_QUANTILE)
		return arena_printf(arena, "quantile:%g", sim->quantile);
	if (sim->estimates == SIM_RANDOM)
		return arena_printf(arena, "random:%g", sim->factor);
	return words[sim->estimates];
}

static const char *get_estimates(const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	(void)s;
	return estimates_text(&replay->sim, arena);
}

/* ---- the fields ----------------------------------------------------------*/

#define REAL(member) .real = offsetof(struct replay, member) + 1
#define COUNT(member) .count = offsetof(struct replay, member) + 1
#define SPREAD(name, json, what, member, width, shown)                         \
	{"Mean" name, "mean_" json, width, "mean " what, .brief = shown,       \
		REAL(metrics.member.mean), .decimals = 2},                     \
		{"Median" name, "median_" json, width, "median of the " what,  \
			REAL(metrics.member.median), .decimals = 2},           \
		{"P95" name, "p95_" json, width,                               \
			"95th percentile of the " what, .brief = shown,        \
			REAL(metrics.member.p95), .decimals = 2},              \
	{                                                                      \
		"Max" name, "max_" json, width, "highest " what,               \
			REAL(metrics.member.max), .decimals = 2                \
	}

/* clang-format off */
static const struct field fields[] = {
	{"Policy", "policy", -14, "policy and what was swept", .brief = true, .text = get_policy},
	{"Trace", "trace", -20, "what was replayed", .context = true, .text = get_trace},
	{"Rows", "rows", 9, "jobs in the trace", .context = true, COUNT(rows)},
	{"Jobs", "jobs", 9, "jobs that were replayed", .context = true, COUNT(jobs)},
	{"LeftOut", "left_out", -24, "jobs that were not, and why", .context = true, .text = get_left_out},
	{"Changed", "changed", -24, "jobs that were changed, and why", .context = true, .text = get_changed},
	{"Procs", "processors", 9, "processors of the machine", .context = true, COUNT(procs)},
	{"From", "from", -19, "first submission", .context = true, .text = get_from},
	{"Estimates", "estimates", -13, "what the scheduler believed of run times", .context = true, .text = get_estimates},
	{"TestCost", "test_cost", 9, "seconds that looking at a job takes", .context = true, REAL(sim.test_cost), .decimals = 3},
	{"Seed", "seed", 9, "of what is random", .context = true, COUNT(sim.seed)},
	{"Shaken", "shaken", 9, "seconds by which submissions were moved at most", .context = true, COUNT(shaken)},
	{"Until", "until", -19, "last end", .aside = true, .text = get_until},
	{"Makespan", "makespan", 11, "seconds from the first submission to the last end", .brief = true, REAL(metrics.makespan)},
	{"Utilization", "utilization", 11, "processor seconds used of those there were", .brief = true, REAL(metrics.utilization), .decimals = 4},
	{"LossOfCapacity", "loss_of_capacity", 14, "processor seconds idle while a job waits that would fit, of those there were", .brief = true, REAL(metrics.loss_of_capacity), .decimals = 4},
	SPREAD("Wait", "wait", "wait, seconds", wait, 11, true),
	SPREAD("Response", "response", "wait and run, seconds", response, 14, false),
	SPREAD("Slowdown", "slowdown", "(wait + run) / run", slowdown, 14, false),
	SPREAD("Bounded", "bounded_slowdown", "slowdown, runs of less than 10 s counted as 10 s", bounded_slowdown, 13, true),
	SPREAD("PerProc", "per_processor_slowdown", "bounded slowdown by processors", proc_slowdown, 13, false),
	{"UserSpread", "user_spread", 10, "standard deviation of the users' mean bounded slowdowns over their mean", REAL(metrics.user_spread), .decimals = 4},
	{"Overtaken", "overtaken", 9, "jobs that a later submission started before", COUNT(metrics.overtaken)},
	{"Late", "late", 9, "jobs that started later than first promised", COUNT(metrics.late)},
	{"LateMost", "late_most", 9, "by how many seconds at most", REAL(metrics.late_most)},
	{"MeanQueue", "mean_queue", 9, "jobs waiting, mean over time", REAL(metrics.mean_queue), .decimals = 2},
	{"NeverStarted", "never_started", 12, "jobs that could not start", COUNT(metrics.waiting)},
	{"Accuracy", "accuracy", 9, "mean of run / limit", REAL(metrics.accuracy), .decimals = 4},
	{"Passes", "passes", 9, "scheduling passes", COUNT(metrics.work.passes)},
	{"Tests", "tests", 11, "jobs looked at in them", COUNT(metrics.work.tests)},
	{"MostTests", "most_tests", 9, "in one pass", COUNT(metrics.work.largest)},
	{"Steps", "steps", 9, "most steps of the plan's profile or table", COUNT(metrics.work.steps)},
	{"Busy", "busy", 11, "seconds the scheduler worked, by TestCost", REAL(metrics.work.seconds), .decimals = 1},
};
/* clang-format on */

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

void print_helpformat(void)
{
	for (size_t i = 0; i < FIELDS; i++)
		printf("%-16s %s\n", fields[i].names, fields[i].help);
}

/* The first is always the policy. */
struct choice {
	const struct field *v[FIELDS + 64];
	size_t n;
};

static const struct field *find_field(const char *name)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (!strcasecmp(fields[i].names, name))
			return &fields[i];
	return NULL;
}

static int choose(struct session *s, struct choice *choice)
{
	struct strv names = {0};
	bool machine = s->options.form || s->options.mode != TABLE_FIXED;
	bool all = !s->options.by_policy;

	choice->n = 0;
	if (s->options.format)
		strv_split(&names, &s->arena, s->options.format);
	if (names.n > sizeof(choice->v) / sizeof(*choice->v) - 1)
		return err_set(&s->err, ERR_USAGE, "--format: too many fields");
	for (size_t i = 0; i < names.n; i++) {
		const struct field *field = find_field(names.v[i]);

		if (!field)
			return err_set(&s->err, ERR_USAGE,
				"--format: '%s' is no field; see --helpformat",
				names.v[i]);
		choice->v[choice->n++] = field;
	}
	for (size_t i = 0; !s->options.format && i < FIELDS; i++)
		if (fields[i].brief || fields[i].context ||
			(all && !fields[i].aside) || machine)
			choice->v[choice->n++] = &fields[i];
	return 0;
}

int check_format(struct session *s)
{
	struct choice choice;

	return choose(s, &choice);
}

/* ---- values --------------------------------------------------------------*/

static double real_of(const struct field *field, const struct replay *replay)
{
	double real;

	memcpy(&real, (const char *)replay + field->real - 1, sizeof(real));
	return real;
}

static uint64_t count_of(const struct field *field, const struct replay *replay)
{
	uint64_t count;

	memcpy(&count, (const char *)replay + field->count - 1, sizeof(count));
	return count;
}

static const char *text_of(const struct field *field, const struct session *s,
	const struct replay *replay, struct arena *arena)
{
	if (field->text)
		return field->text(s, replay, arena);
	if (field->count)
		return arena_printf(arena, "%" PRIu64, count_of(field, replay));
	return arena_printf(
		arena, "%.*f", field->decimals, real_of(field, replay));
}

static bool same_for_all(
	const struct field *field, const struct session *s, struct arena *arena)
{
	const char *first = text_of(field, s, &s->replays[0], arena);

	for (size_t i = 1; i < s->n; i++)
		if (strcmp(first, text_of(field, s, &s->replays[i], arena)))
			return false;
	return true;
}

/* ---- tables --------------------------------------------------------------*/

static struct value text_value(const char *text)
{
	return (struct value){.type = VALUE_TEXT, .text = text};
}

/* Options that were not used need not be told of; the seed is. */
static bool is_zero(const struct field *field, const struct replay *replay)
{
	if (field->real)
		return real_of(field, replay) == 0;
	return field->count && !count_of(field, replay) &&
	       strcmp(field->json, "seed");
}

/* What is the same for all stands above; the rest is left in `choice`. */
static void print_context(
	const struct session *s, struct choice *choice, struct arena *arena)
{
	size_t kept = 0;

	if (s->options.mode != TABLE_FIXED || s->options.format)
		return;
	for (size_t i = 0; i < choice->n; i++) {
		const struct field *field = choice->v[i];

		if (!field->context || !same_for_all(field, s, arena))
			choice->v[kept++] = field;
		else if (s->options.heading && !is_zero(field, &s->replays[0]))
			printf("%-10s %s\n", field->names,
				text_of(field, s, &s->replays[0], arena));
	}
	choice->n = kept;
	if (s->options.heading)
		putchar('\n');
}

static struct table make_table(const struct session *s,
	struct table_column *columns, size_t n, struct arena *scratch)
{
	return (struct table){
		.out = stdout,
		.mode = s->options.mode,
		.heading = s->options.heading,
		.delimiter = "|",
		.scratch = scratch,
		.columns = columns,
		.n = n,
	};
}

/* As wide as what stands in it, to a limit. */
static int widen(int width, const char *text)
{
	enum { WIDEST = 60 };
	int len = (int)strlen(text), sign = width < 0 ? -1 : 1;

	if (len > WIDEST)
		len = WIDEST;
	return len > width * sign ? len * sign : width;
}

static void print_by_policy(const struct session *s,
	const struct choice *choice, struct arena *scratch)
{
	size_t n = choice->n;
	struct table_column *columns =
		arena_array(scratch, n, sizeof(*columns));
	struct value *values = arena_array(scratch, n * s->n, sizeof(*values));
	struct table table = make_table(s, columns, n, scratch);

	for (size_t c = 0; c < n; c++) {
		const struct field *field = choice->v[c];

		columns[c] = (struct table_column){
			field->names, widen(field->width, field->names)};
		for (size_t i = 0; i < s->n; i++) {
			const char *text =
				text_of(field, s, &s->replays[i], scratch);

			values[i * n + c] = text_value(text);
			columns[c].width = widen(columns[c].width, text);
		}
	}
	table_heading(&table);
	for (size_t i = 0; i < s->n; i++)
		table_row(&table, values + i * n);
}

/* The policy's row is the heading here. */
static void print_by_metric(const struct session *s,
	const struct choice *choice, struct arena *scratch)
{
	enum { NARROW = 12, NAME = -16 };
	size_t n = s->n + 1;
	struct table_column *columns =
		arena_array(scratch, n, sizeof(*columns));
	struct value *values =
		arena_array(scratch, choice->n * n, sizeof(*values));
	struct table table = make_table(s, columns, n, scratch);

	columns[0] = (struct table_column){"Metric", NAME};
	for (size_t i = 0; i < s->n; i++)
		columns[i + 1] = (struct table_column){s->replays[i].label,
			widen(NARROW, s->replays[i].label)};
	for (size_t c = 0; c < choice->n; c++) {
		values[c * n] = text_value(choice->v[c]->names);
		for (size_t i = 0; i < s->n; i++) {
			const char *text = text_of(
				choice->v[c], s, &s->replays[i], scratch);

			values[c * n + i + 1] = text_value(text);
			columns[i + 1].width =
				widen(columns[i + 1].width, text);
		}
	}
	table_heading(&table);
	for (size_t c = 0; c < choice->n; c++)
		if (choice->v[c]->text != get_policy)
			table_row(&table, values + c * n);
}

/* ---- documents -----------------------------------------------------------*/

static void put_field(struct json_object *record, const struct field *field,
	const struct session *s, const struct replay *replay,
	struct arena *arena)
{
	if (field->count)
		json_put_int(
			record, field->json, (int64_t)count_of(field, replay));
	else if (field->real)
		json_put_real(record, field->json, real_of(field, replay));
	else
		json_put_text(
			record, field->json, text_of(field, s, replay, arena));
}

static void print_document(
	struct session *s, const struct choice *choice, struct arena *scratch)
{
	struct json_meta meta = {s->argv, s->argc, "", ""};
	struct json_doc doc;

	json_begin(&doc, stdout, s->options.form, "replays");
	for (size_t i = 0; i < s->n; i++) {
		struct json_object *record = json_record();

		for (size_t c = 0; c < choice->n; c++)
			put_field(record, choice->v[c], s, &s->replays[i],
				scratch);
		json_write(&doc, record);
	}
	if (json_end(&doc, NULL, &meta, &s->err))
		cli_die(&s->err);
}

void print_report(struct session *s)
{
	struct arena scratch;
	struct choice choice;

	arena_init(&scratch);
	if (choose(s, &choice))
		cli_die(&s->err);
	if (s->options.form) {
		print_document(s, &choice, &scratch);
	} else {
		print_context(s, &choice, &scratch);
		if (s->options.by_policy)
			print_by_policy(s, &choice, &scratch);
		else
			print_by_metric(s, &choice, &scratch);
	}
	arena_release(&scratch);
}
