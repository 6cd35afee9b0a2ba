/*
 * Jobs and what they wasted, as a table or for machines.
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
static double cpu_lost(const struct job_report *r)
{
	double lost = (double)r->e.core_wall - (double)r->e.cpu_used;

	if (!r->knows_cpu)
		return NAN;
	return lost > 0 ? lost / 3600 : 0;
}

/* GiB hours, by the peak. */
static double mem_lost(const struct job_report *r)
{
	double lost = gib(r->e.mem_given - r->e.mem_used);

	if (!r->knows_mem)
		return NAN;
	return lost > 0 ? lost * (double)r->elapsed / 3600 : 0;
}

double lost_of(const struct job_report *r)
{
	return r->knows_cpu ? cpu_lost(r) : -1;
}

static double time_part(const struct job_report *r)
{
	uint32_t limit = r->job->wall_limit;

	if (!limit || limit == NO_VAL || limit == INFINITE)
		return NAN;
	return (double)r->elapsed / limit / 60 * 100;
}

#define GET(name, expression) GETTER(name, struct job_report, expression)
GET(id, of_text(row->id))
GET(number, of_uint(row->job->id))
GET(name, of_text(row->job->name))
GET(state, of_text(job_state_word(row->job->state)))
GET(cpus, of_uint(row->e.cpus))
GET(seconds, of_uint((uint64_t)row->elapsed))
GET(elapsed, of_text(efficiency_time(arena, row->elapsed)))
GET(time_part, of_fixed(time_part(row), 1))
GET(cpu_part, of_fixed(row->knows_cpu ? row->e.cpu_percent : NAN, 1))
GET(cpu_lost, of_fixed(cpu_lost(row), 2))
GET(mem_given, of_fixed(gib(row->e.mem_given), 2))
GET(mem_part, of_fixed(row->knows_mem ? row->e.mem_percent : NAN, 1))
GET(mem_lost, of_fixed(mem_lost(row), 2))

/* clang-format off */
static const struct member rows[] = {
	{SHOWN("JobID", "JobID", -12, "job_id", "job"), .get = get_id,
		.plain = get_number, .also = "job"},
	{SHOWN("JobName", "JobName", 12, "name", "its name"), .fit.rank = 3, .get = get_name},
	{SHOWN("State", "State", 10, "state", "its state"), .fit.rank = 5, .get = get_state},
	{SHOWN("CPUs", "CPUs", 6, "cpus", "CPUs it was given"), .get = get_cpus},
	{SHOWN("Elapsed", "Elapsed", 11, "elapsed", "run time"), .fit.rank = 4, .get = get_elapsed,
		.plain = get_seconds},
	{SHOWN("Time%", "Time%", 6, "time_limit_percent", "run time by time limit"), .fit.rank = 2, .get = get_time_part},
	{SHOWN("CPU%", "CPU%", 6, "cpu_percent", "CPU time by what was given"), .get = get_cpu_part},
	{SHOWN("CPUhLost", "CPUhLost", 9, "cpu_hours_lost", "core hours not used"), .get = get_cpu_lost},
	{SHOWN("MemGiB", "MemGiB", 8, "memory_gib", "memory it was given"), .fit.rank = 6, .get = get_mem_given},
	{SHOWN("Mem%", "Mem%", 6, "memory_percent", "peak memory by what was given"), .get = get_mem_part},
	{SHOWN("GiBhLost", "GiBhLost", 9, "memory_gib_hours_lost", "GiB hours above the peak"), .get = get_mem_lost},
};
/* clang-format on */
static const struct members members = MEMBERS(rows);

void print_columns(void *options)
{
	(void)options;
	grid_print_help(stdout, &members, 12);
}

bool wants_listing(const struct options *options)
{
	return options->user || options->form || options->mode != TABLE_FIXED;
}

void listing_begin(struct session *s)
{
	grid_init(&s->grid, &members, s->options.arena);
	s->grid.table.mode = s->options.mode;
	s->grid.table.heading = s->options.heading;
	s->grid.table.style = site_style(&s->site);
	s->grid.table.scratch = &s->scratch;
	grid_add_all(&s->grid);
	cli_fit(&s->grid.table);
	s->out = (struct printout){
		.grid = &s->grid,
		.form = s->options.form,
		.list = "jobs",
		.scratch = &s->scratch,
	};
	if (!s->options.form)
		cli_pager();
	printout_begin(&s->out);
}
