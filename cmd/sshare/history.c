/*
 * sshare --history: usage and fair-share of users and usage of accounts over
 * time, as a table, for machines, as a plot in the terminal, as an SVG picture.
 * What was comes from the log and the job records, what will be from decay
 * (db/past/past.h). Accounts have a fair-share where the formula gives them one.
 */
#include "cmd/sshare/sshare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/draw/plot.h"
#include "common/draw/svg.h"
#include "common/text/timespec.h"

enum { MOMENTS = 72, WEEK = 7 * 86400 };

/* What is followed; the panels of the pictures. */
enum { FACTOR, USAGE, EFFECTIVE, TRACKS };

/* One association. */
struct track {
	int64_t key;
	bool is_user;
	const char *account, *user, *partition, *name;
	struct plot_series series[TRACKS];
};

struct history {
	struct session *s;
	const char *cluster;
	int64_t from, to;
	size_t n; /* moments */
	struct track *v;
	size_t n_tracks, cap_tracks;
	struct arena *arena;
};

/* ---- collecting ----------------------------------------------------------*/

static int64_t moment(const struct history *h, size_t i)
{
	return h->from +
	       (int64_t)((long double)(h->to - h->from) * i / (h->n - 1));
}

static void choose_moments(struct history *h)
{
	const struct session *s = h->s;
	const char *start = s->options.start_text, *end = s->options.end_text;
	size_t width = cli_width();
	int64_t step;

	h->to = end ? option_time_of("--end", end, s->site.now) : s->site.now;
	h->from = start ? option_time_of("--start", start, s->site.now)
			: h->to - WEEK;
	if (h->from >= h->to)
		cli_fatal("--start must lie before --end");
	step = plot_step(h->from, h->to, MOMENTS);
	h->n = (size_t)((h->to - h->from + step - 1) / step) + 1;
	/* On a terminal a plot is as wide as that. */
	if (s->options.plot && width)
		h->n = sshare_plot_width(width);
}

static double *unknown(const struct history *h)
{
	double *v = arena_array(h->arena, h->n, sizeof(*v));

	for (size_t i = 0; i < h->n; i++)
		v[i] = NAN;
	return v;
}

static void add_track(const struct row *row, struct history *h)
{
	const struct share *share = &row->shares->v[row->index];
	struct track *track =
		ARENA_PUSH(h->arena, h->v, h->n_tracks, h->cap_tracks);

	track->key = share->key;
	track->account = arena_strdup(h->arena, share->account);
	track->user = arena_strdup(h->arena, share->user);
	track->partition = arena_strdup(h->arena, share->partition);
	track->is_user = shares_is_user(row->shares, row->index);
	track->name =
		track->is_user
			? arena_printf(h->arena, "%s in %s%s%s", share->user,
				  share->account, *share->partition ? ", " : "",
				  share->partition)
			: arena_printf(h->arena, "account %s", share->account);
	for (int i = 0; i < TRACKS; i++)
		track->series[i] = (struct plot_series){unknown(h), h->n};
}

/* Accounts are compared with all users, not with a selection. */
static void choose_track(const struct row *row, void *session)
{
	struct session *s = session;

	if (shares_is_user(row->shares, row->index) || s->filter.every_user)
		add_track(row, s->history);
}

/* Fair Tree has no factor for accounts, and the root has no siblings. */
static bool has_factor(const struct shares *shares, uint32_t place,
	enum fairshare_algorithm algorithm)
{
	return shares_is_user(shares, place) ||
	       (algorithm != FAIRSHARE_FAIR_TREE && place);
}

static void note(struct history *h, const struct shares *shares, size_t i,
	struct arena *arena)
{
	struct shares_index *index = shares_index(shares, arena);

	for (size_t t = 0; t < h->n_tracks; t++) {
		uint32_t place = shares_find(index, h->v[t].key);
		const struct plot_series *series = h->v[t].series;

		if (place == UINT32_MAX)
			continue;
		if (has_factor(shares, place, h->s->policy->algorithm))
			((double *)(uintptr_t)series[FACTOR].v)[i] =
				shares_factor(shares, place);
		((double *)(uintptr_t)series[USAGE].v)[i] =
			(double)shares->usage_raw[place];
		((double *)(uintptr_t)series[EFFECTIVE].v)[i] =
			(double)shares_node(shares, place).usage_efctv;
	}
}

static void collect(struct history *h)
{
	struct session *s = h->s;
	struct past past;

	if (past_open(&past, &s->site.store, s->policy, false, false))
		cli_die(&s->err);
	for (size_t i = 0; i < h->n; i++) {
		struct shares shares;
		struct arena arena;

		arena_init(&arena);
		if (past_move(&past, moment(h, i)) ||
			shares_load(past.store, s->policy, h->cluster,
				moment(h, i), 0, &arena, &shares))
			cli_die(&s->err);
		note(h, &shares, i, &arena);
		arena_release(&arena);
	}
	past_close(&past);
}

/* ---- as a table, for machines --------------------------------------------*/

static const char *time_text(const struct history *h, int64_t at)
{
	return time_format(
		&h->s->scratch, at, h->s->site.time_format, h->s->site.now);
}

/* A track at one of the moments. */
struct point {
	const struct history *h;
	const struct track *track;
	size_t i;
};

static double of_series(const struct point *point, int which)
{
	return point->track->series[which].v[point->i];
}

/* Blank for rows without one; JSON then has no member. */
static struct value factor_of(const struct point *point)
{
	double factor = of_series(point, FACTOR);

	return isfinite(factor) ? of_real(factor) : no_value();
}

#define GET(name, expression) GETTER(name, struct point, expression)
GET(moment, of_text(time_text(row->h, moment(row->h, row->i))))
GET(seconds, of_int(moment(row->h, row->i)))
GET(cluster, of_text(row->h->cluster))
GET(account, of_text(row->track->account))
GET(user, of_text(row->track->user))
GET(partition, of_text(row->track->partition))
GET(whole_usage, of_uint((uint64_t)of_series(row, USAGE)))
GET(effective, of_real(of_series(row, EFFECTIVE)))
GET(factor, factor_of(row))
GET(plain_usage, of_fixed(of_series(row, USAGE), 6))
GET(plain_effective, of_fixed(of_series(row, EFFECTIVE), 6))

/* clang-format off */
static const struct member point_rows[] = {
	{SHOWN("Time", "Time", 19, NULL, NULL), .get = get_moment},
	{.json = "time", .get = get_seconds},
	{.json = "cluster", .get = get_cluster},
	{SHOWN("Account", "Account", -20, "account", NULL), .fit.least = 12, .get = get_account},
	{SHOWN("User", "User", 10, "user", NULL), .get = get_user},
	{SHOWN("Partition", "Partition", 12, "partition", NULL), .fit.rank = 2, .get = get_partition},
	{SHOWN("RawUsage", "RawUsage", 11, NULL, NULL), .get = get_whole_usage},
	{SHOWN("EffectvUsage", "EffectvUsage", 13, NULL, NULL), .fit.rank = 1, .get = get_effective},
	{SHOWN("FairShare", "FairShare", 10, NULL, NULL), .get = get_factor},
	{.json = "usage", .get = get_plain_usage},
	{.json = "effective_usage", .get = get_plain_effective},
};
/* clang-format on */
static const struct members point_members = MEMBERS(point_rows);

static struct json_object *point_record(const void *point, struct arena *arena)
{
	struct json_object *record = json_record();
	double factor = of_series(point, FACTOR);

	json_put_members(record, &point_members, point, arena, NULL);
	if (isfinite(factor))
		json_put_real(record, "fairshare", factor);
	return record;
}

static void print_table(const struct history *h)
{
	struct session *s = h->s;

	grid_restart(&s->grid, &point_members);
	grid_add_all(&s->grid);
	cli_fit(&s->grid.table);
	s->out.list = "history";
	s->out.record = point_record;
	s->out.flat = false;
	printout_begin(&s->out);
	for (size_t t = 0; t < h->n_tracks; t++)
		for (size_t i = 0; i < h->n; i++) {
			const struct point point = {h, &h->v[t], i};

			arena_reset(&s->scratch);
			if (isfinite(of_series(&point, USAGE)))
				printout_row(&s->out, &point);
		}
	printout_end(&s->out, NULL);
}

/* ---- in the terminal -----------------------------------------------------*/

static void plot_track(const struct history *h, const struct track *track,
	int which, double high, const char *colour)
{
	const struct plot_area area = {
		.series = track->series[which],
		.from = h->from,
		.to = h->to,
		.high = high,
		.colour = colour,
	};

	sshare_plot(&area, &h->s->scratch);
}

static double last_known(const struct plot_series *series)
{
	for (size_t i = series->n; i-- > 0;)
		if (isfinite(series->v[i]))
			return series->v[i];
	return 0;
}

static bool known(const struct plot_series *series)
{
	for (size_t i = 0; i < series->n; i++)
		if (isfinite(series->v[i]))
			return true;
	return false;
}

static void print_factor(const struct history *h, const struct track *track)
{
	double low, high;

	plot_range(&track->series[FACTOR], &low, &high);
	printf("%s: fair-share %.6f at the end, between %.6f and %.6f\n",
		track->name, last_known(&track->series[FACTOR]), low, high);
	plot_track(h, track, FACTOR, 1, "36");
}

static void print_track(const struct history *h, const struct track *track)
{
	bool factor = known(&track->series[FACTOR]);
	double low, high;
	struct plot_ticks ticks;

	arena_reset(&h->s->scratch);
	if (factor)
		print_factor(h, track);
	plot_range(&track->series[USAGE], &low, &high);
	printf("%s%susage, %s billed seconds at the end\n",
		factor ? "" : track->name, factor ? "" : ": ",
		plot_number(last_known(&track->series[USAGE]), &h->s->scratch));
	plot_number_ticks(&ticks, high, 4, &h->s->scratch);
	plot_track(h, track, USAGE, ticks.v[ticks.n - 1].at, "33");
}

/* Many at a glance: a line each. */
static void print_spark(const struct history *h, const struct track *track,
	int which, int width)
{
	const struct plot_series *series = &track->series[which];
	double low, high;

	arena_reset(&h->s->scratch);
	plot_range(series, &low, &high);
	printf("%-*s %s ", width, track->name,
		plot_spark(series, 0, which == FACTOR ? 1 : high,
			!cli_utf8(), &h->s->scratch));
	if (which == FACTOR)
		printf("%.6f\n", last_known(series));
	else
		printf("%s\n", plot_number(last_known(series), &h->s->scratch));
}

/* Fair-share of rows that have one, usage of the others. */
static void print_sparks(const struct history *h)
{
	static const char *const titles[] = {
		[FACTOR] = "Fair-share (0 to 1)",
		[USAGE] = "Usage (billed seconds, 0 to its most)",
	};
	int width = 4;

	for (size_t t = 0; t < h->n_tracks; t++)
		if ((int)strlen(h->v[t].name) > width)
			width = (int)strlen(h->v[t].name);
	for (int which = FACTOR; which <= USAGE; which++) {
		bool begun = false;

		for (size_t t = 0; t < h->n_tracks; t++) {
			bool factor = known(&h->v[t].series[FACTOR]);

			if (factor != (which == FACTOR))
				continue;
			if (!begun)
				printf("%s from %s to %s\n", titles[which],
					time_text(h, h->from),
					time_text(h, h->to));
			begun = true;
			print_spark(h, &h->v[t], which, width);
		}
	}
}

static void print_plots(const struct history *h)
{
	if (h->n_tracks > 3) {
		print_sparks(h);
		return;
	}
	for (size_t t = 0; t < h->n_tracks; t++) {
		if (t)
			puts("");
		print_track(h, &h->v[t]);
	}
}

/* ---- as a picture --------------------------------------------------------*/

static bool any_factor(const struct history *h)
{
	for (size_t t = 0; t < h->n_tracks; t++)
		if (known(&h->v[t].series[FACTOR]))
			return true;
	return false;
}

static void draw(const void *history, FILE *out)
{
	const struct history *h = history;
	static const struct svg_panel panels[] = {
		{"Fair-share", 1}, {"Usage (billed seconds, decayed)", 0}};
	size_t first = any_factor(h) ? FACTOR : USAGE;
	size_t n = sshare_lines(h->s, h->n_tracks);
	struct svg_line *lines = arena_array(h->arena, n, sizeof(*lines));
	size_t *places = arena_array(h->arena, n + 1, sizeof(*places));
	double *keys = arena_array(h->arena, h->n_tracks, sizeof(*keys));
	struct svg_book users, accounts;
	struct svg_chart chart = {
		.title = arena_printf(h->arena,
			first == FACTOR ? "Fair-share and usage on %s"
					: "Usage on %s",
			h->cluster),
		.subtitle = arena_printf(h->arena, "%s to %s%s",
			time_text(h, h->from), time_text(h, h->to),
			n < h->n_tracks ? ", those who moved most" : ""),
		.from = h->from,
		.to = h->to,
		.mark = h->s->site.now,
		.panels = panels + first,
		.n_panels = 2 - first,
		.lines = lines,
		.n_lines = n,
	};

	for (size_t i = 0; i < h->n_tracks; i++) {
		double low;

		plot_range(&h->v[i].series[USAGE], &low, &keys[i]);
		keys[i] -= low;
	}
	sshare_largest(keys, h->n_tracks, n, places, h->arena);
	sshare_books(h->s, h->cluster, h->arena, &users, &accounts);
	for (size_t i = 0; i < n; i++) {
		struct track *track = &h->v[places[i]];

		lines[i] = (struct svg_line){track->name, track->series + first,
			track->is_user ? svg_colour(&users, track->user)
				       : svg_colour(&accounts, track->account)};
	}
	svg_draw(&chart, out, h->arena);
}

/* ---- all -----------------------------------------------------------------*/

static void show(const struct history *h)
{
	const struct options *options = &h->s->options;

	if (options->svg)
		sshare_write_svg(options->svg, draw, h);
	if (options->plot && !options->form)
		print_plots(h);
	else if (options->form || !options->svg)
		print_table(h);
}

int sshare_history(struct session *s, const struct strv *clusters)
{
	struct arena arena;
	struct history h = {.s = s, .cluster = clusters->v[0], .arena = &arena};

	if (clusters->n > 1)
		cli_fatal("--history shows one cluster at a time");
	if (s->options.accounts.n && !s->options.users.n)
		s->filter.every_user = true;
	arena_init(&arena);
	choose_moments(&h);
	s->history = &h;
	session_list(s, h.cluster, 0, choose_track);
	if (!h.n_tracks && !s->options.form)
		return sshare_nobody(s);
	collect(&h);
	show(&h);
	arena_release(&arena);
	return 0;
}
