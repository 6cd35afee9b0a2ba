/*
 * Jobs and what they wasted, as a table or for machines: one row of a table
 * gives a column's heading, width and how to get it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cmd/seff/seff.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"

static double gib(double kib)
{
	return kib / (1024.0 * 1024);
}

/* Core hours that were given and not used. */
static double cpu_lost(const struct report *r)
{
	double lost = (double)r->e.core_wall - (double)r->e.cpu_used;

	if (!r->knows_cpu)
		return NAN;
	return lost > 0 ? lost / 3600 : 0;
}

/* GiB hours, by the peak. */
static double mem_lost(const struct report *r)
{
	double lost = gib(r->e.mem_given - r->e.mem_used);

	if (!r->knows_mem)
		return NAN;
	return lost > 0 ? lost * (double)r->elapsed / 3600 : 0;
}

double lost_of(const struct report *r)
{
	return r->knows_cpu ? cpu_lost(r) : -1;
}

static double time_part(const struct report *r)
{
	uint32_t limit = r->job->wall_limit;

	if (!limit || limit == NO_VAL || limit == INFINITE)
		return NAN;
	return (double)r->elapsed / limit / 60 * 100;
}

static double cpus(const struct report *r)
{
	return (double)r->e.cpus;
}

static double elapsed(const struct report *r)
{
	return (double)r->elapsed;
}

static double cpu_part(const struct report *r)
{
	return r->knows_cpu ? r->e.cpu_percent : NAN;
}

static double mem_given(const struct report *r)
{
	return gib(r->e.mem_given);
}

static double mem_part(const struct report *r)
{
	return r->knows_mem ? r->e.mem_percent : NAN;
}

static const char *id_text(const struct report *r, struct arena *arena)
{
	(void)arena;
	return r->id;
}

static const char *name_text(const struct report *r, struct arena *arena)
{
	(void)arena;
	return r->job->name;
}

static const char *state_text(const struct report *r, struct arena *arena)
{
	(void)arena;
	return job_state_word(r->job->state);
}

static const char *elapsed_text(const struct report *r, struct arena *arena)
{
	return efficiency_time(arena, r->elapsed);
}

/* A number is shown as text where there is one; machines take the number. */
/* clang-format off */
static const struct seff_field {
	const char *name;
	int width; /* negative: left-justified */
	const char *json;
	const char *(*text)(const struct report *, struct arena *);
	double (*number)(const struct report *); /* NAN: none */
	int digits;
} fields[] = {
	{"JobID", -12, "job_id", id_text, NULL, 0},
	{"JobName", 12, "name", name_text, NULL, 0},
	{"State", 10, "state", state_text, NULL, 0},
	{"CPUs", 6, "cpus", NULL, cpus, 0},
	{"Elapsed", 11, "elapsed_seconds", elapsed_text, elapsed, 0},
	{"Time%", 6, "time_limit_percent", NULL, time_part, 1},
	{"CPU%", 6, "cpu_percent", NULL, cpu_part, 1},
	{"CPUhLost", 9, "cpu_hours_lost", NULL, cpu_lost, 2},
	{"MemGiB", 8, "memory_gib", NULL, mem_given, 2},
	{"Mem%", 6, "memory_percent", NULL, mem_part, 1},
	{"GiBhLost", 9, "memory_gib_hours_lost", NULL, mem_lost, 2},
};
/* clang-format on */

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

static struct table_column heads[FIELDS];

bool wants_listing(const struct options *options)
{
	return options->user || options->form || options->mode != TABLE_FIXED;
}

void listing_begin(struct listing *l, struct session *s, struct arena *scratch)
{
	for (int i = 0; i < FIELDS; i++)
		heads[i] =
			(struct table_column){fields[i].name, fields[i].width};
	*l = (struct listing){.session = s, .arena = scratch};
	l->table = (struct table){
		.out = stdout,
		.mode = s->options.mode,
		.heading = s->options.heading,
		.delimiter = "|",
		.style = site_style(&s->site),
		.scratch = scratch,
		.columns = heads,
		.n = FIELDS,
	};
	if (s->options.form)
		json_begin(&l->doc, stdout, s->options.form, "jobs");
	else
		table_heading(&l->table);
}

static struct value cell(
	const struct seff_field *field, const struct report *r, struct arena *a)
{
	double n = field->text ? 0 : field->number(r);
	const char *text = field->text ? field->text(r, a)
			   : isfinite(n)
				   ? arena_printf(a, "%.*f", field->digits, n)
				   : "";

	return (struct value){VALUE_TEXT, {.text = text}};
}

static struct json_object *record_of(const struct report *r, struct arena *a)
{
	struct json_object *record = json_record();
	struct value none = {.type = VALUE_NONE};

	for (int i = 0; i < FIELDS; i++) {
		double n = fields[i].number ? fields[i].number(r) : 0;

		if (!fields[i].number)
			json_put_text(
				record, fields[i].json, fields[i].text(r, a));
		else if (isfinite(n) && !fields[i].digits)
			json_put_int(record, fields[i].json, (int64_t)n);
		else if (isfinite(n))
			json_put_real(record, fields[i].json, n);
		else
			json_put_plain(record, fields[i].json, &none, NULL);
	}
	return record;
}

void listing_row(struct listing *l, const struct report *r)
{
	struct value values[FIELDS];

	if (l->session->options.form) {
		json_write(&l->doc, record_of(r, l->arena));
		return;
	}
	for (int i = 0; i < FIELDS; i++)
		values[i] = cell(&fields[i], r, l->arena);
	table_row(&l->table, values);
}

void listing_end(struct listing *l, int argc, char **argv)
{
	struct session *s = l->session;
	struct json_meta meta = {
		argv, argc, s->site.cluster, s->site.caller.name};

	if (s->options.form && json_end(&l->doc, NULL, &meta, &s->err))
		cli_die(&s->err);
}
