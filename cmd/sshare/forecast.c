/*
 * sshare --forecast: when the fair-share of a user passes given values, should
 * it run nothing from now on while all others keep the usage they have; as a
 * table, for machines, as a plot in the terminal, as an SVG picture.
 */
#include "cmd/sshare/sshare.h"

#include <math.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/draw/plot.h"
#include "common/draw/svg.h"
#include "common/fair/explain.h"
#include "common/text/timespec.h"
#include "db/entity/lease.h"
#include "db/entity/privacy.h"
#include "db/view/plan.h"

enum { MAX_VALUES = 16, MOMENTS = 72, HALF_LIVES = 4, WEEK = 7 * 86400,
	MOST_AREAS = 3 /* more are a line each */ };

/* The fair-share of a user over the time of a picture. */
struct curve {
	const char *user, *name;
	const char *passes; /* "0.5 at 2026-11-22T10:00:00, 0.75 never" */
	struct plot_series series;
	double at_best;
};

struct forecast {
	struct session *s;
	double values[MAX_VALUES];
	const char *texts[MAX_VALUES];
	size_t n;
	/* Of a plot or a picture. */
	int64_t to;
	size_t moments;
	struct curve *curves;
	size_t n_curves, cap_curves;
	struct arena *arena;
	const char *drawn; /* the cluster of pictures */
	/* Shares that leases restore in between, on the present cluster. */
	int64_t cluster;
	struct explain_laters later;
	/* What becomes of its jobs that wait; not at another time. */
	struct plan plan;
	struct first_job *firsts;
	struct privacy jobs;
};

static int add_value(struct forecast *f, const char *text)
{
	const char *end;
	double value;

	if (real_read(text, &value, &end) || *end || value <= 0 || value > 1)
		return -1;
	f->texts[f->n] = text;
	f->values[f->n++] = value;
	return 0;
}

static void read_values(struct forecast *f)
{
	const char *text = f->s->options.forecast_text;
	struct strv words = {0};

	strv_split(&words, &f->s->site.arena, text ? text : "0.25,0.5,0.75");
	if (words.n > MAX_VALUES)
		cli_fatal("--forecast takes at most %d values", MAX_VALUES);
	for (size_t i = 0; i < words.n; i++)
		if (add_value(f, words.v[i]))
			cli_fatal("--forecast: '%s' is no fair-share above 0 "
				  "and up to 1",
				words.v[i]);
}

/* When it passes the value: a time, "now", or "never". */
static const char *when_text(const struct forecast *f, int64_t seconds)
{
	struct session *s = f->s;

	if (!seconds)
		return "now";
	if (seconds == EXPLAIN_NEVER)
		return "never";
	return time_format(
		&s->scratch, s->at + seconds, s->site.time_format, s->site.now);
}

static int64_t seconds_to(
	const struct forecast *f, const struct row *row, size_t i)
{
	return explain_when(row->shares->nodes, row->shares->n,
		f->s->policy, row->index, f->values[i], &f->later);
}

/* ---- jobs that wait --------------------------------------------------------*/

/* The job of an association that starts first, of those that wait. */
struct first_job {
	int64_t assoc;
	struct verdict verdict;
	UT_hash_handle hh;
};

/* The sooner of two; without a time the kinds are in that order. */
static bool is_sooner(const struct verdict *a, const struct verdict *b)
{
	if (a->start && b->start)
		return a->start < b->start;
	return a->when < b->when;
}

static void note_job(struct forecast *f, const struct sched_job *waiting)
{
	const struct job *job = waiting->record;
	struct verdict v = verdict_of(&f->plan.schedule, waiting);
	struct first_job *first;

	HASH_FIND(hh, f->firsts, &job->assoc, sizeof(job->assoc), first);
	if (!first) {
		first = arena_alloc(f->arena, sizeof(*first));
		*first = (struct first_job){.assoc = job->assoc, .verdict = v};
		HASH_ADD(hh, f->firsts, assoc, sizeof(first->assoc), first);
	} else if (is_sooner(&v, &first->verdict)) {
		first->verdict = v;
	}
}

static void plan_jobs(struct forecast *f, const struct shares *shares)
{
	struct session *s = f->s;

	HASH_CLEAR(hh, f->firsts);
	if (s->at != s->site.now || s->store != &s->site.store)
		return;
	if (privacy_open(&f->jobs, &s->site, PRIVATE_JOBS, f->arena) ||
		plan_make(&f->plan, &s->site, shares->cluster, s->at, NULL,
			f->arena))
		cli_die(s->site.store.err);
	plan_backfill(&f->plan);
	for (size_t i = 0; i < f->plan.schedule.n_jobs; i++)
		note_job(f, &f->plan.schedule.jobs[i]);
}

/* NULL: none waits that the caller may see. */
static const struct verdict *first_start(
	const struct forecast *f, const struct row *row)
{
	const struct share *share = &row->shares->v[row->index];
	const struct first_job *first;

	HASH_FIND(hh, f->firsts, &share->key, sizeof(share->key), first);
	return first && privacy_allows(&f->jobs, share->user, share->account)
		       ? &first->verdict
		       : NULL;
}

static const char *start_text(const struct forecast *f, const struct row *row)
{
	const struct verdict *v = first_start(f, row);

	if (!v)
		return "";
	if (v->when == VERDICT_NEVER)
		return "never";
	return v->start ? when_text(f, v->start - f->s->at) : "unknown";
}

/* ---- tables and documents --------------------------------------------------*/

static void print_forecast(const struct forecast *f, const struct row *row)
{
	const struct share *share = &row->shares->v[row->index];
	const struct fs_node *node = &row->shares->nodes[row->index];
	struct value values[MAX_VALUES + 5] = {
		{VALUE_TEXT, {.text = share->account}},
		{VALUE_TEXT, {.text = share->user}},
		{VALUE_REAL, {.real = node->fairshare}},
	};

	for (size_t i = 0; i < f->n; i++)
		values[3 + i] = (struct value){VALUE_TEXT,
			{.text = when_text(f, seconds_to(f, row, i))}};
	values[3 + f->n] = (struct value){VALUE_REAL,
		{.real = explain_at_best(row->shares->nodes,
			 row->shares->n, f->s->policy, row->index, &f->later)}};
	values[4 + f->n] =
		(struct value){VALUE_TEXT, {.text = start_text(f, row)}};
	table_row(&f->s->grid.table, values);
}

static void write_forecast(const struct forecast *f, const struct row *row)
{
	const struct share *share = &row->shares->v[row->index];
	struct json_object *record = json_record();
	const struct verdict *first = first_start(f, row);

	json_put_text(record, "cluster", row->shares->cluster);
	json_put_text(record, "account", share->account);
	json_put_text(record, "user", share->user);
	json_put_text(record, "partition", share->partition);
	json_put_real(
		record, "fairshare", row->shares->nodes[row->index].fairshare);
	json_append(record, "passes", NULL);
	for (size_t i = 0; i < f->n; i++) {
		struct json_object *passing = json_record();
		int64_t seconds = seconds_to(f, row, i);
		struct value time = {VALUE_LIMIT, {.number = INFINITE64}};

		if (seconds != EXPLAIN_NEVER)
			time.number = (uint64_t)(f->s->at + seconds);
		json_put_real(passing, "value", f->values[i]);
		json_put(passing, "time", &time, NULL);
		json_append(record, "passes", passing);
	}
	json_put_real(record, "at_best",
		explain_at_best(row->shares->nodes, row->shares->n,
			f->s->policy, row->index, &f->later));
	if (first) {
		json_put_text(record, "next_start",
			verdict_start_text(first, f->s->site.time_format,
				f->s->site.now, f->arena));
		json_put_int(record, "next_job",
			((const struct job *)first->job->record)->id);
	}
	json_write(&f->s->doc, record);
}

/* ---- plots and pictures ----------------------------------------------------*/

static bool is_drawn(const struct options *options)
{
	return options->plot || options->svg;
}

/* By then a sixteenth of its usage still counts: little changes later. */
static void choose_end(struct forecast *f)
{
	const struct session *s = f->s;
	size_t width = cli_width();
	int64_t half_life = (int64_t)s->policy->half_life;

	f->to = s->options.end_text
		? option_time_of("--end", s->options.end_text,
			  s->site.now)
		: s->at + (half_life ? half_life * HALF_LIVES : WEEK);
	if (f->to <= s->at)
		cli_fatal("--end must lie after the forecast begins");
	f->moments = s->options.plot && width ? sshare_plot_width(width)
					      : MOMENTS;
}

static const char *passes_text(const struct forecast *f, const struct row *row)
{
	const char *text = "";

	for (size_t i = 0; i < f->n; i++) {
		int64_t seconds = seconds_to(f, row, i);

		text = arena_printf(f->arena, "%s%s%s %s%s", text,
			i ? ", " : "", f->texts[i],
			seconds && seconds != EXPLAIN_NEVER ? "at " : "",
			when_text(f, seconds));
	}
	return text;
}

static void add_curve(struct forecast *f, const struct row *row)
{
	const struct share *share = &row->shares->v[row->index];
	struct curve *curve =
		ARENA_PUSH(f->arena, f->curves, f->n_curves, f->cap_curves);
	double *v = arena_array(f->arena, f->moments, sizeof(*v));

	for (size_t i = 0; i < f->moments; i++)
		v[i] = explain_after(row->shares->nodes, row->shares->n,
			f->s->policy, row->index,
			(int64_t)((long double)(f->to - f->s->at) * i /
				  (f->moments - 1)),
			&f->later);
	curve->user = arena_strdup(f->arena, share->user);
	curve->name = arena_printf(f->arena, "%s in %s%s%s", share->user,
		share->account, *share->partition ? ", " : "",
		share->partition);
	curve->passes = passes_text(f, row);
	curve->series = (struct plot_series){v, f->moments};
	curve->at_best = explain_at_best(row->shares->nodes,
		row->shares->n, f->s->policy, row->index, &f->later);
}

static const char *span_text(const struct forecast *f)
{
	struct session *s = f->s;

	return arena_printf(f->arena, "%s to %s",
		time_format(f->arena, s->at, s->site.time_format, s->site.now),
		time_format(
			f->arena, f->to, s->site.time_format, s->site.now));
}

static void print_areas(const struct forecast *f)
{
	for (size_t i = 0; i < f->n_curves; i++) {
		const struct curve *curve = &f->curves[i];
		const struct plot_area area = {
			.series = curve->series,
			.from = f->s->at,
			.to = f->to,
			.high = 1,
			.colour = "36",
		};

		if (i)
			puts("");
		printf("%s: fair-share %.6f, at best %.6f; passes %s\n",
			curve->name, curve->series.v[0], curve->at_best,
			curve->passes);
		sshare_plot(&area, f->arena);
	}
}

/* Many at a glance. */
static void print_lines(const struct forecast *f)
{
	int width = 0;

	printf("Fair-share (0 to 1) of those who run nothing, %s, and at best\n",
		span_text(f));
	for (size_t i = 0; i < f->n_curves; i++)
		if ((int)strlen(f->curves[i].name) > width)
			width = (int)strlen(f->curves[i].name);
	for (size_t i = 0; i < f->n_curves; i++)
		printf("%-*s %s %.6f\n", width, f->curves[i].name,
			plot_spark(&f->curves[i].series, 0, 1, !cli_utf8(),
				f->arena),
			f->curves[i].at_best);
}

static void draw(const void *forecast, FILE *out)
{
	static const struct svg_panel panel = {"Fair-share", 1};
	const struct forecast *f = forecast;
	size_t n = sshare_lines(f->s, f->n_curves);
	struct svg_line *lines = arena_array(f->arena, n + 1, sizeof(*lines));
	size_t *places = arena_array(f->arena, n + 1, sizeof(*places));
	double *keys = arena_array(f->arena, f->n_curves, sizeof(*keys));
	struct svg_book users, accounts;
	const struct svg_chart chart = {
		.title = "Fair-share of those who run nothing",
		.subtitle = arena_printf(f->arena, "%s%s", span_text(f),
			n < f->n_curves ? ", those with the least" : ""),
		.from = f->s->at,
		.to = f->to,
		.panels = &panel,
		.n_panels = 1,
		.lines = lines,
		.n_lines = n,
	};

	for (size_t i = 0; i < f->n_curves; i++)
		keys[i] = f->curves[i].series.n ? -f->curves[i].series.v[0] : NAN;
	sshare_largest(keys, f->n_curves, n, places, f->arena);
	sshare_books(f->s, f->drawn, f->arena, &users, &accounts);
	for (size_t i = 0; i < n; i++)
		lines[i] = (struct svg_line){f->curves[places[i]].name,
			&f->curves[places[i]].series,
			svg_colour(&users, f->curves[places[i]].user)};
	svg_draw(&chart, out, f->arena);
}

static void draw_all(const struct forecast *f)
{
	const struct options *options = &f->s->options;

	if (options->svg && f->n_curves)
		sshare_write_svg(options->svg, draw, f);
	if (options->form || !options->plot || !f->n_curves)
		return;
	if (f->n_curves > MOST_AREAS)
		print_lines(f);
	else
		print_areas(f);
}

/* ---- leases ----------------------------------------------------------------*/

/* The last that was set before the n-th of the owner's shares. */
static const struct lease *lease_below(
	const struct lease_list *list, int64_t owner, int64_t n)
{
	const struct lease *found = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct lease *l = &list->v[i];

		if (l->kind == LEASE_ASSOC && l->owner == owner && l->n < n &&
			!strcmp(l->field, "shares") &&
			(!found || l->n > found->n))
			found = l;
	}
	return found;
}

/* What the owner has at the end of that lease. */
static uint32_t shares_then(const struct lease_list *list,
	const struct lease *end, uint32_t now)
{
	const struct lease *l = lease_below(list, end->owner, INT64_MAX);

	for (; l && l->until <= end->until;
		l = lease_below(list, end->owner, l->n))
		now = (uint32_t)l->number;
	return now;
}

static bool find_node(
	const struct shares *shares, int64_t key, uint32_t *node)
{
	for (*node = 0; *node < shares->n; ++*node)
		if (shares->v[*node].key == key)
			return true;
	return false;
}

/* Shares that leases restore; a user who goes has none from then on. */
static void read_later(struct forecast *f, const struct shares *shares)
{
	struct session *s = f->s;
	struct lease_list list;
	uint32_t node;

	f->cluster = shares->cluster_key;
	f->later = (struct explain_laters){0};
	if (lease_read(s->store, INT64_MAX, f->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < list.n; i++) {
		const struct lease *l = &list.v[i];
		bool goes = l->kind == LEASE_ASSOC_ROW;

		if (l->until <= s->at ||
			(!goes && (l->kind != LEASE_ASSOC ||
					  strcmp(l->field, "shares") != 0)) ||
			!find_node(shares, l->owner, &node))
			continue;
		*ARENA_PUSH(f->arena, f->later.v, f->later.n, f->later.cap) =
			(struct explain_later){l->until - s->at, node,
				goes ? 0
				     : shares_then(&list, l,
					       shares->nodes[node].shares_raw)};
	}
}

/* ---- all -------------------------------------------------------------------*/

static void tell_row(const struct row *row, void *session)
{
	struct session *s = session;

	if (!row->shares->nodes[row->index].is_user)
		return;
	if (s->forecast->cluster != row->shares->cluster_key) {
		read_later(s->forecast, row->shares);
		if (!is_drawn(&s->options))
			plan_jobs(s->forecast, row->shares);
	}
	if (is_drawn(&s->options))
		add_curve(s->forecast, row);
	if (s->options.form)
		write_forecast(s->forecast, row);
	else if (!is_drawn(&s->options))
		print_forecast(s->forecast, row);
	s->told++;
}

static void set_columns(struct forecast *f)
{
	struct arena *arena = &f->s->site.arena;
	struct table *table = &f->s->grid.table;

	table->n = f->n + 5;
	table->columns = arena_array(arena, table->n, sizeof(*table->columns));
	table->columns[0] = (struct table_column){
		.heading = "Account", .width = -20, .fit.least = 10};
	table->columns[1] =
		(struct table_column){.heading = "User", .width = 10};
	table->columns[2] = (struct table_column){
		.heading = "FairShare", .width = 10, .fit.rank = 1};
	for (size_t i = 0; i < f->n; i++)
		table->columns[3 + i] = (struct table_column){
			.heading = arena_printf(arena, "Passes%s", f->texts[i]),
			.width = 19,
			.fit.rank = 2};
	table->columns[3 + f->n] = (struct table_column){
		.heading = "AtBest", .width = 10, .fit.rank = 3};
	table->columns[4 + f->n] = (struct table_column){
		.heading = "NextStart", .width = 19, .fit.rank = 1};
	cli_fit(table);
}

int sshare_forecast(struct session *s, const struct strv *clusters)
{
	struct forecast f = {
		.s = s, .arena = &s->site.arena, .drawn = clusters->v[0]};

	if (s->options.start_text)
		cli_fatal("--forecast begins now, or --at: it has no --start");
	if (s->options.end_text && !is_drawn(&s->options))
		cli_fatal("--forecast has --end with --plot or --svg alone");
	if (is_drawn(&s->options) && clusters->n > 1)
		cli_fatal("--forecast draws one cluster at a time");
	if (s->options.accounts.n && !s->options.users.n)
		s->filter.every_user = true;
	read_values(&f);
	choose_end(&f);
	s->forecast = &f;
	set_columns(&f);
	if (s->options.form)
		json_begin(&s->doc, stdout, s->options.form, "forecasts");
	else if (!is_drawn(&s->options))
		table_heading(&s->grid.table);
	for (size_t i = 0; i < clusters->n; i++)
		session_list(s, clusters->v[i], SHARES_NODES, tell_row);
	draw_all(&f);
	HASH_CLEAR(hh, f.firsts);
	if (s->options.form)
		cli_end_document(&s->doc, NULL);
	return s->told || s->options.form ? 0 : sshare_nobody(s);
}
