/*
 * splan --advise: what it says, for people and for machines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmd/splan/advise.h"
#include "common/text/timespec.h"

/* ---- slurm.conf ----------------------------------------------------------*/

static bool is_advised(const struct advising *a, const char *name, size_t len)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].change && strlen(a->v[i].name) == len &&
			!strncasecmp(a->v[i].name, name, len))
			return true;
	return false;
}

/* What the site has, without what is advised otherwise, and then that. */
static const char *parameters_line(struct advising *a)
{
	const char *now = a->site->conf.scheduler_parameters;
	struct strv old = {0}, words = {0};

	if (now && *now)
		strv_split(&old, &a->arena, now);
	for (size_t i = 0; i < old.n; i++)
		if (!is_advised(a, old.v[i], strcspn(old.v[i], "=")))
			strv_push(&words, &a->arena, old.v[i]);
	for (size_t i = 0; i < a->n; i++) {
		const struct advice *v = &a->v[i];
		const struct sched_param *row =
			sched_param_find(v->name, strlen(v->name));

		if (!row || !v->change)
			continue;
		strv_push(&words, &a->arena,
			row->kind == PARAM_FLAG
				? v->name
				: arena_printf(&a->arena, "%s=%s", v->name,
					  v->advised));
	}
	return arena_printf(&a->arena, "SchedulerParameters=%s",
		strv_join(&words, ",", &a->arena));
}

static const char *partition_line(
	struct advising *a, const struct past_part *part)
{
	const char *more = "";

	if (!part->max_time)
		return NULL;
	if (part->default_time != part->conf->default_time)
		more = arena_printf(&a->arena, " DefaultTime=%s",
			advise_minutes(part->default_time, &a->arena));
	if (part->max_time != part->conf->max_time)
		more = arena_printf(&a->arena, "%s MaxTime=%s", more,
			advise_minutes(part->max_time, &a->arena));
	return *more ? arena_printf(&a->arena, "PartitionName=%s%s",
			       part->conf->name, more)
		     : NULL;
}

/* The lines of slurm.conf that would do it. */
static void conf_lines(struct advising *a, struct strv *lines)
{
	bool any = false;

	for (size_t i = 0; i < a->n; i++)
		any |= a->v[i].change &&
		       sched_param_find(a->v[i].name, strlen(a->v[i].name));
	if (any)
		strv_push(lines, &a->arena, parameters_line(a));
	for (size_t i = 0; i < a->site->conf.n_partitions; i++) {
		const char *line = partition_line(a, &a->past.parts[i]);

		if (line)
			strv_push(lines, &a->arena, line);
	}
}

/* ---- rows ----------------------------------------------------------------*/

static struct value known_text(const char *text)
{
	return text ? of_text(text) : no_value();
}

static const char *what_to_do(const struct advice *v)
{
	if (!v->advised)
		return "unknown";
	return v->change ? "change" : "keep";
}

#define GET(name, expression) GETTER(name, struct advice, known_text(expression))
GET(name, row->name)
GET(current, row->current)
GET(advised, row->advised)
GET(unit, row->unit)
GET(do, what_to_do(row))
GET(why, row->why)

/* clang-format off */
static const struct member advice_rows[] = {
	{SHOWN("Parameter", "Parameter", -22, "parameter", NULL), .get = get_name},
	{SHOWN("Current", "Current", 11, "current", NULL), .get = get_current},
	{SHOWN("Advised", "Advised", 11, "advised", NULL), .get = get_advised},
	{SHOWN("Unit", "Unit", -7, "unit", NULL), .fit.rank = 3, .get = get_unit},
	{SHOWN("Do", "Do", -7, "do", NULL), .fit.rank = 2, .get = get_do},
	{SHOWN("Why", "Why", -72, "why", NULL), .fit = {1, 32}, .get = get_why},
};
/* clang-format on */
static const struct members advice_members = MEMBERS(advice_rows);

/* ---- the replay ----------------------------------------------------------*/

enum figure_kind { FIGURE_SECONDS, FIGURE_NUMBER, FIGURE_SHARE };

static const struct {
	const char *name, *json;
	enum figure_kind kind;
	size_t offset;
} figures[] = {
#define AT(member) offsetof(struct metrics, member)
	{"mean wait", "mean_wait", FIGURE_SECONDS, AT(wait.mean)},
	{"95 % wait less than", "p95_wait", FIGURE_SECONDS, AT(wait.p95)},
	{"longest wait", "max_wait", FIGURE_SECONDS, AT(wait.max)},
	{"mean bounded slowdown", "mean_bounded_slowdown", FIGURE_NUMBER,
		AT(bounded_slowdown.mean)},
	{"utilization", "utilization", FIGURE_SHARE, AT(utilization)},
#undef AT
};

enum { FIGURES = sizeof(figures) / sizeof(*figures) };

static double figure_of(const struct metrics *m, size_t i)
{
	return *(const double *)(const void *)((const char *)m +
					       figures[i].offset);
}

static const char *figure_text(
	struct advising *a, const struct metrics *m, size_t i)
{
	double v = figure_of(m, i);

	if (figures[i].kind == FIGURE_SECONDS)
		return duration_format(&a->arena, (uint64_t)(v + 0.5));
	if (figures[i].kind == FIGURE_SHARE)
		return arena_printf(&a->arena, "%.1f %%", v * 100);
	return arena_printf(&a->arena, "%.2f", v);
}

static const struct {
	const char *heading, *json;
} worlds[WORLDS] = {
	[WORLD_NOW] = {"Current", "current"},
	[WORLD_PARAMETERS] = {"Parameters", "parameters"},
	[WORLD_LIMITS] = {"Time limits", "time_limits"},
	[WORLD_BOTH] = {"Advised", "advised"},
};

static void tell_worlds(struct advising *a)
{
	printf("  the last %zu jobs that ran, replayed: as things are, with "
	       "the parameters advised, with the\n  time limits advised, with "
	       "both\n\n  %-22s",
		a->replayed_jobs, "");
	for (int w = 0; w < WORLDS; w++)
		printf(" %12s", worlds[w].heading);
	putchar('\n');
	for (size_t i = 0; i < FIGURES; i++) {
		printf("  %-22s", figures[i].name);
		for (int w = 0; w < WORLDS; w++)
			printf(" %12s", figure_text(a, &a->worlds[w], i));
		putchar('\n');
	}
	putchar('\n');
}

static void tell_replay(struct advising *a)
{
	puts("\nWhat it would have brought");
	if (a->replayed)
		tell_worlds(a);
	printf("  %s\n", a->verdict);
}

/* ---- the rest for people -------------------------------------------------*/

static void tell_past(struct advising *a)
{
	const struct past_jobs *past = &a->past;
	const char *form = a->site->time_format;
	int64_t now = a->site->now;

	if (!past->jobs) {
		printf("Cluster %s has no history: no job has run yet.\n",
			a->site->cluster);
		return;
	}
	printf("Cluster %s: %zu jobs that ran from %s to %s\n",
		a->site->cluster, past->jobs,
		time_format(&a->arena, (time_t)past->first, form, (time_t)now),
		time_format(&a->arena, (time_t)past->last, form, (time_t)now));
	if (past->jobs < ADVISE_LEAST)
		printf("That is too little history: only what needs none is "
		       "advised with fewer than %d jobs.\n",
			ADVISE_LEAST);
}

static void tell_conf(struct advising *a)
{
	struct strv lines = {0};

	conf_lines(a, &lines);
	if (!lines.n)
		return;
	puts("\nIn slurm.conf (of a partition only what changes)");
	for (size_t i = 0; i < lines.n; i++)
		printf("  %s\n", lines.v[i]);
}

static void tell_lines(struct advising *a)
{
	const char *about = "";

	if (a->n_lines)
		puts("\nHow the advice comes about");
	for (size_t i = 0; i < a->n_lines; i++) {
		if (strcmp(about, a->lines[i].about))
			printf("  %s\n", a->lines[i].about);
		about = a->lines[i].about;
		printf("    %s\n", a->lines[i].text);
	}
}

/* ---- documents -----------------------------------------------------------*/

static struct json_object *replay_record(const struct metrics *m)
{
	struct json_object *record = json_record();

	for (size_t i = 0; i < FIGURES; i++)
		json_put_real(record, figures[i].json, figure_of(m, i));
	return record;
}

static struct json_object *beside(struct advising *a)
{
	struct json_object *record = json_record();
	struct strv lines = {0};

	json_put_int(record, "history/jobs", (int64_t)a->past.jobs);
	json_put_int(record, "history/first", a->past.first);
	json_put_int(record, "history/last", a->past.last);
	json_put_int(record, "history/longest_queue", (int64_t)a->past.deepest);
	json_append(record, "arithmetic", NULL);
	for (size_t i = 0; i < a->n_lines; i++) {
		struct json_object *line = json_record();

		json_put_text(line, "about", a->lines[i].about);
		json_put_text(line, "line", a->lines[i].text);
		json_append(record, "arithmetic", line);
	}
	conf_lines(a, &lines);
	json_put_text(record, "slurm_conf", strv_join(&lines, "\n", &a->arena));
	json_put_int(record, "replay/jobs", (int64_t)a->replayed_jobs);
	for (int w = 0; a->replayed && w < WORLDS; w++)
		json_put_object(record,
			arena_printf(&a->arena, "replay/%s", worlds[w].json),
			replay_record(&a->worlds[w]));
	json_put_text(record, "replay/verdict", a->verdict);
	return record;
}

/* ---- all -----------------------------------------------------------------*/

void print_advice(struct advising *a)
{
	const struct options *o = a->options;
	bool people = !o->form && o->mode == TABLE_FIXED;
	struct splan_rows rows = {.list = "advice",
		.members = &advice_members,
		.v = a->v,
		.n = a->n,
		.size = sizeof(*a->v),
		.beside = o->form ? beside(a) : NULL};

	if (people) {
		tell_past(a);
		putchar('\n');
	}
	splan_print_rows(a->p, o, &rows);
	if (!people)
		return;
	tell_conf(a);
	tell_replay(a);
	tell_lines(a);
}
