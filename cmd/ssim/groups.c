/*
 * Who waits longer than under the first replay, and who shorter: --compare by
 * account, user, QOS, partition or size of job, and its picture, --svg=waits:.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/draw/svg.h"

enum { MOST_GROUPS = 24, MOST_BARS_EACH = 6 }; /* of a picture */

/* ---- groups --------------------------------------------------------------*/

/* Jobs with the same number are in the same group. */
struct grouping {
	const char *name;
	bool by_number; /* groups are in its order, else in that of names */
	int64_t (*number)(const struct session *, const struct grouping *,
		const struct trace_job *);
	const char *(*text)(const struct session *, const struct grouping *,
		int64_t number, struct arena *);
	/* Of indexes in names of the trace: where both are, and whose names. */
	size_t index, names;
	enum name_kind kind;
};

static int64_t index_of(const struct session *s, const struct grouping *g,
	const struct trace_job *job)
{
	uint32_t index;

	(void)s;
	memcpy(&index, (const char *)job + g->index, sizeof(index));
	return index;
}

static const char *text_of_index(const struct session *s,
	const struct grouping *g, int64_t index, struct arena *arena)
{
	const struct trace_names *names = (const void *)(
		(const char *)&s->trace + g->names);
	int64_t number = names->numbers[index];
	static const struct strv unknown;
	const struct strv *texts =
		s->past.names ? names_of(s->past.names, g->kind) : &unknown;

	if (g->kind == NAME_PARTITION)
		texts = &s->queues;
	if (number >= 0 && (size_t)number < texts->n && *texts->v[number])
		return texts->v[number];
	return number < 0 ? "none" : arena_printf(arena, "%" PRId64, number);
}

static int64_t qos_of(const struct session *s, const struct grouping *g,
	const struct trace_job *job)
{
	(void)g;
	return s->past.names ? store_trace_kind(&s->past, job->tag).qos : 0;
}

static const char *qos_text(const struct session *s, const struct grouping *g,
	int64_t number, struct arena *arena)
{
	const struct qos_name *qos =
		number ? qos_by_id(&s->site.store.qos, (uint32_t)number) : NULL;

	(void)g;
	(void)arena;
	return qos ? qos->name : "none";
}

/* 1, 2, 3 - 4, 5 - 8, ... processors: the largest of each. */
static int64_t size_of(const struct session *s, const struct grouping *g,
	const struct trace_job *job)
{
	int64_t most = 1;

	(void)s;
	(void)g;
	while (most < job->procs)
		most *= 2;
	return most;
}

static const char *size_text(const struct session *s, const struct grouping *g,
	int64_t number, struct arena *arena)
{
	(void)g;
	(void)s;
	if (number <= 2)
		return arena_printf(arena, "%" PRId64, number);
	return arena_printf(
		arena, "%" PRId64 "-%" PRId64, number / 2 + 1, number);
}

static int64_t all_of(const struct session *s, const struct grouping *g,
	const struct trace_job *job)
{
	(void)g;
	(void)s;
	(void)job;
	return 0;
}

static const char *all_text(const struct session *s, const struct grouping *g,
	int64_t number, struct arena *arena)
{
	(void)g;
	(void)s;
	(void)number;
	(void)arena;
	return "all";
}

#define INDEX(index, names, kind) index_of, text_of_index,                     \
	offsetof(struct trace_job, index), offsetof(struct trace, names), kind

/* The last comes behind those that were asked for. */
static const struct grouping groupings[] = {
	{"account", false, INDEX(group, groups, NAME_ACCOUNT)},
	{"user", false, INDEX(user, users, NAME_USER)},
	{"qos", false, qos_of, qos_text, 0, 0, 0},
	{"partition", false, INDEX(queue, queues, NAME_PARTITION)},
	{"size", true, size_of, size_text, 0, 0, 0},
	{"all", true, all_of, all_text, 0, 0, 0},
};

enum { GROUPINGS = sizeof(groupings) / sizeof(*groupings) };

static const struct grouping *find_grouping(const char *name)
{
	for (size_t i = 0; i < GROUPINGS; i++)
		if (!strcmp(groupings[i].name, name))
			return &groupings[i];
	return NULL;
}

static void named(const struct session *s, struct strv *names,
	struct arena *arena)
{
	const char *text = s->options.compare;

	strv_split(names, arena, text ? text : "account,size");
}

int check_compare(struct session *s)
{
	struct strv names = {0};

	if (!s->options.compare)
		return 0;
	named(s, &names, &s->arena);
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.v[i];

		if (!find_grouping(name))
			return err_set(&s->err, ERR_USAGE,
				"--compare: unknown word '%s'; expected "
				"account, user, qos, partition, size or all",
				name);
		if (s->options.file && !strcmp(name, "qos"))
			return err_set(&s->err, ERR_USAGE,
				"--compare: jobs of a FILE have no QOS");
	}
	return names.n ? 0
		       : err_set(&s->err, ERR_USAGE, "--compare: no groups");
}

/* ---- comparing -----------------------------------------------------------*/

struct group {
	int64_t number;
	const char *text;
	uint32_t index; /* among all, as they were found */
};

struct groups {
	const struct grouping *grouping;
	struct group *v; /* in the order of the table */
	size_t n, cap;
	uint32_t *of; /* each job */
};

static int by_number(const void *x, const void *y)
{
	const struct group *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

static int by_text(const void *x, const void *y)
{
	const struct group *a = x, *b = y;
	int order = strverscmp(a->text, b->text);

	return order ? order : by_number(x, y);
}

struct numbered {
	int64_t number;
	uint32_t job;
};

static int by_number_then_job(const void *x, const void *y)
{
	const struct numbered *a = x, *b = y;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void find_groups(
	const struct session *s, struct groups *groups, struct arena *arena)
{
	const struct grouping *g = groups->grouping;
	const struct trace *t = &s->trace;
	struct numbered *jobs = arena_array(arena, t->n + 1, sizeof(*jobs));

	groups->of = arena_array(arena, t->n + 1, sizeof(*groups->of));
	for (size_t i = 0; i < t->n; i++)
		jobs[i] = (struct numbered){
			g->number(s, g, &t->jobs[i]), (uint32_t)i};
	qsort(jobs, t->n, sizeof(*jobs), by_number_then_job);
	for (size_t i = 0; i < t->n; i++) {
		struct group group = {.number = jobs[i].number,
			.index = (uint32_t)groups->n};

		if (!i || jobs[i].number != jobs[i - 1].number) {
			group.text = g->text(s, g, group.number, arena);
			*ARENA_PUSH(arena, groups->v, groups->n, groups->cap) =
				group;
		}
		groups->of[jobs[i].job] = (uint32_t)groups->n - 1;
	}
	if (groups->v)
		qsort(groups->v, groups->n, sizeof(*groups->v),
			g->by_number ? by_number : by_text);
}

static void compare(struct session *s, const struct grouping *grouping,
	struct comparisons *out, struct arena *arena)
{
	struct groups groups = {.grouping = grouping};
	struct compare_group *is;

	find_groups(s, &groups, arena);
	is = arena_array(arena, groups.n * s->n + 1, sizeof(*is));
	for (size_t r = 0; r < s->n; r++)
		compare_groups(&s->trace, &s->replays[0].result,
			&s->replays[r].result, groups.of, groups.n,
			is + r * groups.n);
	for (size_t g = 0; g < groups.n; g++)
		for (size_t r = 0; r < s->n; r++)
			*ARENA_PUSH(arena, out->v, out->n, out->cap) =
				(struct group_score){grouping->name,
					groups.v[g].text, &s->replays[r], !r,
					is[r * groups.n + groups.v[g].index]};
}

/* All of them, and all jobs together at the end. */
static void make_comparisons(
	struct session *s, struct comparisons *out, struct arena *arena)
{
	struct strv names = {0};
	bool all = false;

	*out = (struct comparisons){0};
	named(s, &names, arena);
	for (size_t i = 0; i < names.n; i++) {
		compare(s, find_grouping(names.v[i]), out, arena);
		all |= !strcmp(names.v[i], "all");
	}
	if (!all)
		compare(s, find_grouping("all"), out, arena);
}

/* ---- fields --------------------------------------------------------------*/

/* Marks of a member. */
enum {
	BRIEF = MEMBER_OWN_MARK,
	/* Against the first replay: it has nothing to be compared with. */
	AGAINST = MEMBER_OWN_MARK << 1,
};

#define RAW member_raw(m, row, arena)
GETTER(number, struct group_score,
	m->marks & AGAINST && (row->first || !row->is.both)
		? no_value()
		: of_fixed(RAW.real, m->arg))
GETTER(count, struct group_score,
	m->marks & AGAINST && row->first ? no_value() : RAW)
GETTER(policy, struct group_score, of_text(row->replay->label))
GETTER(hours, struct group_score, of_fixed(row->is.work / 3600, 1))

#define TEXT(member)                                                           \
	.type = MEMBER_TEXT, .offset = offsetof(struct group_score, member)
#define REAL(member, decimals)                                                 \
	.get = get_number, .arg = (decimals), .type = MEMBER_REAL,             \
	.offset = offsetof(struct group_score, is.member)
#define COUNT(member)                                                          \
	.get = get_count, .type = MEMBER_COUNT64,                              \
	.offset = offsetof(struct group_score, is.member)
#define FIELD(name, json, width, help) SHOWN(name, name, width, json, help)

/* clang-format off */
static const struct member rows[] = {
	{FIELD("By", "by", -9, "what the group has in common"), TEXT(by), .marks = BRIEF},
	{FIELD("Group", "group", -12, "account, user, QOS, partition or processors"), TEXT(group), .marks = BRIEF},
	{FIELD("Policy", "policy", -14, "policy, slurm.conf and changes"), .fit.least = 20, .get = get_policy, .marks = BRIEF},
	{FIELD("Jobs", "jobs", 8, "that started"), .fit.rank = 4, COUNT(jobs), .marks = BRIEF},
	{FIELD("Hours", "processor_hours", 11, "processor hours they ran"), .get = get_hours},
	{FIELD("MeanWait", "mean_wait", 11, "mean wait, seconds"), REAL(wait.mean, 2), .marks = BRIEF},
	{FIELD("MedianWait", "median_wait", 11, "median of the waits"), REAL(wait.median, 2)},
	{FIELD("P95Wait", "p95_wait", 11, "95th percentile of the waits"), .fit.rank = 3, REAL(wait.p95, 2), .marks = BRIEF},
	{FIELD("MaxWait", "max_wait", 11, "longest wait"), REAL(wait.max, 2)},
	{FIELD("Change", "change", 11, "mean change of the wait against the first replay"), REAL(change, 2), .marks = BRIEF | AGAINST},
	{FIELD("Longer", "longer", 8, "jobs that wait longer than there"), .fit.rank = 1, COUNT(longer), .marks = BRIEF | AGAINST},
	{FIELD("Shorter", "shorter", 8, "jobs that wait shorter"), .fit.rank = 2, COUNT(shorter), .marks = BRIEF | AGAINST},
	{FIELD("MostLonger", "most_longer", 10, "by how much at most"), REAL(most_longer, 0), .marks = AGAINST},
	{FIELD("MostShorter", "most_shorter", 11, "by how much at most"), REAL(most_shorter, 0), .marks = AGAINST},
	{FIELD("MeanBounded", "mean_bounded_slowdown", 11, "mean slowdown, runs of less than 10 s counted as 10 s"), REAL(bounded, 2)},
	{FIELD("Preempted", "preempted", 9, "times that they had to stop for others"), COUNT(preempted)},
	{FIELD("Cut", "cut", 8, "jobs that were ended early, for others or by a limit"), COUNT(cut)},
	{FIELD("NeverStarted", "never_started", 12, "jobs that could not start"), .fit.rank = 5, COUNT(waiting), .marks = BRIEF},
};
/* clang-format on */

static const struct members comparison_members = MEMBERS(rows);

void print_compare_helpformat(void)
{
	grid_print_help(stdout, &comparison_members, 16);
}

/* ---- for people ----------------------------------------------------------*/

/* A group: the row of the first replay, and what another changed most. */
struct moved_group {
	const struct group_score *first;
	double change;
	size_t kind; /* the first group of --compare's word */
};

static int by_change(const void *x, const void *y)
{
	const struct moved_group *a = x, *b = y;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->change < b->change || a->change > b->change)
		return a->change > b->change ? -1 : 1;
	return a->first < b->first ? -1 : 1;
}

/* Did the row's replay change anything for the group, which is not `all`? */
static bool is_moved(
	const struct group_score *row, const struct group_score *first)
{
	return row->is.longer || row->is.shorter ||
	       row->is.jobs != first->is.jobs ||
	       row->is.preempted != first->is.preempted ||
	       row->is.cut != first->is.cut ||
	       row->by == groupings[GROUPINGS - 1].name;
}

/* Jobs that start no more are worst. */
static double change_of(
	const struct group_score *row, const struct group_score *first)
{
	return row->is.jobs < first->is.jobs ? INFINITY : row->is.change;
}

/* Those who would wait longer go first in each kind of group, and what stays as
 * it was is left out. */
static void keep_moved(struct session *s, struct comparisons *all)
{
	size_t n = all->n / s->n;
	struct moved_group *v = arena_array(&s->arena, n + 1, sizeof(*v));
	struct comparisons kept = {0};

	for (size_t g = 0; g < n; g++) {
		const struct group_score *first = all->v + g * s->n;
		bool same = g && first->by == first[-1].by;

		v[g] = (struct moved_group){first, 0, same ? v[g - 1].kind : g};
		for (size_t r = 1; r < s->n; r++) {
			double change = change_of(&first[r], first);

			if (fabs(change) > fabs(v[g].change))
				v[g].change = change;
		}
	}
	qsort(v, n, sizeof(*v), by_change);
	for (size_t g = 0; g < n; g++)
		for (size_t r = 1, told = 0; r < s->n; r++) {
			const struct group_score *first = v[g].first;

			if (!is_moved(&first[r], first))
				continue;
			if (!told++)
				*ARENA_PUSH(&s->arena, kept.v, kept.n,
					kept.cap) = *first;
			*ARENA_PUSH(&s->arena, kept.v, kept.n, kept.cap) =
				first[r];
		}
	*all = kept;
}

/* ---- the table -----------------------------------------------------------*/

void print_comparison(struct session *s)
{
	const struct options *o = &s->options;
	bool people = !o->form && o->mode == TABLE_FIXED;
	struct comparisons all;
	struct grid grid;

	choose_fields(s, &grid, &comparison_members, BRIEF, 0, " of --compare");
	make_comparisons(s, &all, &s->arena);
	if (people && s->n > 1)
		keep_moved(s, &all);
	if (s->options.form) {
		print_document(
			s, &grid, "groups", all.v, sizeof(*all.v), all.n);
		return;
	}
	if (people && !o->format) {
		print_report(s);
		putchar('\n');
	}
	print_rows(s, &grid, all.v, sizeof(*all.v), all.n, INT_MAX);
}

/* ---- the picture ---------------------------------------------------------*/

/* In few letters: "90.0 s", "45.0 min", "7.2 h", "3.4 d". */
static const char *short_time(double seconds, struct arena *arena)
{
	static const struct {
		double from, unit;
		const char *name;
	} units[] = {
		{96 * 3600, 24 * 3600, "d"},
		{2 * 3600, 3600, "h"},
		{120, 60, "min"},
		{0, 1, "s"},
	};
	size_t i = 0;

	while (seconds < units[i].from)
		i++;
	return arena_printf(
		arena, "%.1f %s", seconds / units[i].unit, units[i].name);
}

static const char *change_text(const struct group_score *c, struct arena *arena)
{
	const char *wait = short_time(c->is.wait.mean, arena);
	double change = c->is.change;

	if (c->first || !c->is.both)
		return wait;
	return arena_printf(arena, "%s (%s%s)", wait, change < 0 ? "-" : "+",
		short_time(change < 0 ? -change : change, arena));
}

static struct svg_bar make_bar(const struct group_score *c, size_t replay,
	size_t n, struct arena *arena)
{
	double *parts = arena_array(arena, n, sizeof(*parts));
	const char *label = arena_printf(arena, "%s%s%s", c->by,
		strcmp(c->by, c->group) ? " " : "",
		strcmp(c->by, c->group) ? c->group : "");

	parts[replay] = c->is.wait.mean;
	return (struct svg_bar){
		.label = replay ? "" : label,
		.text = change_text(c, arena),
		.tip = arena_printf(arena,
			"%s, %s: mean wait %s, %" PRIu64 " jobs", label,
			c->replay->label, change_text(c, arena), c->is.jobs),
		.parts = parts,
	};
}

static bool waits_nowhere(const struct group_score *c, size_t replays)
{
	for (size_t r = 0; r < replays; r++)
		if (c[r].is.wait.mean > 0)
			return false;
	return true;
}

/* A bar for each replay, of groups that wait. Gives how many groups do not. */
static size_t make_bars(const struct comparisons *all, size_t replays,
	struct svg_bars *picture, struct svg_bar *bars, struct arena *arena)
{
	size_t idle = 0;

	for (size_t i = 0; i < all->n; i += replays) {
		if (waits_nowhere(&all->v[i], replays)) {
			idle++;
			continue;
		}
		for (size_t r = 0; r < picture->n_parts; r++) {
			struct svg_bar *bar = &bars[picture->n_bars++];

			*bar = make_bar(
				&all->v[i + r], r, picture->n_parts, arena);
			bar->apart = !r;
		}
	}
	return idle;
}

static double most_of(const struct group_score *c, size_t replays)
{
	double most = 0;

	for (size_t r = 0; r < replays; r++)
		most = c[r].is.work > most ? c[r].is.work : most;
	return most;
}

/* Those that use the machine most, in their order. */
static size_t keep_largest(
	struct comparisons *all, size_t replays, struct arena *arena)
{
	size_t groups = all->n / replays, kept = 0;
	double *work = arena_array(arena, groups + 1, sizeof(*work));

	for (size_t g = 0; g < groups; g++)
		work[g] = most_of(&all->v[g * replays], replays);
	for (size_t g = 0; g < groups; g++) {
		size_t larger = 0;

		for (size_t other = 0; other < groups; other++)
			larger += work[other] > work[g] ||
				  (work[other] == work[g] && other < g);
		if (larger < MOST_GROUPS)
			memmove(&all->v[kept++ * replays], &all->v[g * replays],
				replays * sizeof(*all->v));
	}
	all->n = kept * replays;
	return groups - kept;
}

void draw_waits(struct session *s, FILE *out, struct arena *arena)
{
	size_t shown = s->n < MOST_BARS_EACH ? s->n : MOST_BARS_EACH, left, idle;
	struct svg_part *parts = arena_array(arena, shown, sizeof(*parts));
	struct comparisons all;
	const char *names[MOST_BARS_EACH];
	struct svg_book book;
	struct svg_bar *bars;
	struct svg_bars picture = {
		.title = "How long jobs wait",
		.subtitle = "Mean wait, and its change against the first",
		.note = "",
		.parts = parts,
		.n_parts = shown,
	};

	make_comparisons(s, &all, arena);
	left = keep_largest(&all, s->n, arena);
	for (size_t r = 0; r < shown; r++)
		names[r] = s->replays[r].label;
	svg_book(&book, names, shown);
	for (size_t r = 0; r < shown; r++)
		parts[r] = (struct svg_part){
			names[r], svg_colour(&book, names[r])};
	bars = arena_array(arena, all.n + 1, sizeof(*bars));
	picture.bars = bars;
	idle = make_bars(&all, s->n, &picture, bars, arena);
	if (left || idle)
		picture.note = arena_printf(arena,
			"Not shown: %zu groups that used less, %zu in which "
			"nobody waits",
			left, idle);
	svg_draw_bars(&picture, out, arena);
}
