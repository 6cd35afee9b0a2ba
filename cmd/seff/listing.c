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

static bool has_limit(const struct job *job)
{
	return known_or_0(job->wall_limit) > 0;
}

/* A job that failed or was cancelled does not tell how long it needs. */
static bool knows_time(const struct job *job)
{
	uint32_t state = job->state & JOB_BASE_MASK;

	return has_limit(job) &&
	       (state == JOB_COMPLETED || state == JOB_TIMEOUT);
}

struct loss loss_of(const struct job_report *r, enum loss_kind kind)
{
	double hours = (double)r->elapsed / 3600, given = NAN, used = 0;

	if (kind == LOSS_CPU && r->knows_cpu) {
		given = (double)r->e.core_wall / 3600;
		used = (double)r->e.cpu_used / 3600;
	} else if (kind == LOSS_MEM && r->knows_mem) {
		given = gib(r->e.mem_given) * hours;
		used = gib(r->e.mem_used) * hours;
	} else if (kind == LOSS_GPU && r->gpus && !isnan(r->gpus_used)) {
		given = (double)r->gpus * hours;
		used = r->gpus_used * hours;
	} else if (kind == LOSS_TIME && knows_time(r->job)) {
		given = (double)r->job->wall_limit / 60;
		used = hours;
	}
	return (struct loss){given, given < used ? 0 : given - used};
}

static double time_part(const struct job_report *r)
{
	return has_limit(r->job)
		       ? (double)r->elapsed / r->job->wall_limit / 60 * 100
		       : NAN;
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
GET(cpu_lost, of_fixed(loss_of(row, LOSS_CPU).lost, 2))
GET(mem_given, of_fixed(gib(row->e.mem_given), 2))
GET(mem_part, of_fixed(row->knows_mem ? row->e.mem_percent : NAN, 1))
GET(mem_lost, of_fixed(loss_of(row, LOSS_MEM).lost, 2))

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
const struct members report_members = MEMBERS(rows);

void print_columns(void *options)
{
	if (((struct options *)options)->waste)
		print_waster_columns();
	else
		grid_print_help(stdout, &report_members, 12);
}

bool wants_listing(const struct options *options)
{
	return options->user || options->waste || options->form ||
	       options->mode != TABLE_FIXED;
}

void listing_begin(
	struct session *s, const struct members *members, const char *list)
{
	grid_init(&s->grid, members, s->options.arena);
	s->grid.table.mode = s->options.mode;
	s->grid.table.heading = s->options.heading;
	s->grid.table.style = site_style(&s->site);
	s->grid.table.scratch = &s->scratch;
	grid_add_all(&s->grid);
	cli_fit(&s->grid.table);
	s->out = (struct printout){
		.grid = &s->grid,
		.form = s->options.form,
		.list = list,
		.scratch = &s->scratch,
	};
	if (!s->options.form)
		cli_pager();
	printout_begin(&s->out);
}
