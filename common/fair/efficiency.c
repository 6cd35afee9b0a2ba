#include "common/fair/efficiency.h"

#include <inttypes.h>
#include <math.h>

#include "common/base/numbers.h"

static uint64_t at_least_1(uint64_t n)
{
	return n && n < NO_VAL64 ? n : 1;
}

static double percent(double part, double whole)
{
	return whole > 0 ? part / whole * 100 : 0;
}

/* The sum over the tasks of a step in bytes: as measured, else from the mean,
 * else from the largest, which is too much. */
static double memory_of(const struct efficiency_step *step, bool *estimated)
{
	double tasks = (double)at_least_1(step->tasks);

	*estimated = false;
	if (step->tot_mem < NO_VAL64)
		return (double)step->tot_mem;
	if (step->ave_mem < NO_VAL64)
		return (double)step->ave_mem * tasks;
	if (step->max_mem >= NO_VAL64)
		return 0;
	*estimated = step->tasks > 1;
	return (double)step->max_mem * tasks;
}

static double spread_of(const struct efficiency_step *step)
{
	if (step->max_mem >= NO_VAL64 || step->ave_mem >= NO_VAL64 ||
		!step->ave_mem || step->max_mem <= step->ave_mem)
		return 0;
	return (double)step->max_mem / (double)step->ave_mem * 100;
}

/* The step with the largest sum speaks for the job. */
static void use_memory(struct efficiency *e, const struct efficiency_job *job)
{
	for (size_t i = 0; i < job->n_steps; i++) {
		bool estimated;
		double kib = memory_of(&job->steps[i], &estimated) / 1024;

		if (kib <= e->mem_used)
			continue;
		e->mem_used = kib;
		e->mem_estimated = estimated;
		e->spread = spread_of(&job->steps[i]);
	}
}

struct efficiency efficiency_of(const struct efficiency_job *job)
{
	struct efficiency e = {
		.cpus = at_least_1(job->cpus),
		.nodes = at_least_1(job->nodes),
	};
	uint64_t usec = 0;

	for (size_t i = 0; i < job->n_steps; i++)
		usec += job->steps[i].cpu_usec;
	e.cpu_used = (usec + 500000) / 1000000;
	e.core_wall = job->elapsed * e.cpus;
	e.cpu_percent = percent((double)e.cpu_used, (double)e.core_wall);
	use_memory(&e, job);
	e.mem_given = job->mem < NO_VAL64 ? (double)job->mem * 1024 : 0;
	e.mem_percent = percent(e.mem_used, e.mem_given);
	e.mem_share =
		e.mem_given / (double)(job->mem_per_cpu ? e.cpus : e.nodes);
	return e;
}

int efficiency_by_need(const void *a, const void *b)
{
	const struct efficiency_need *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->at_least - y->at_least;
}

/* The part of those before that is still left behind number i. */
static double survives(const struct efficiency_need *sorted, size_t n, size_t i)
{
	return sorted[i].at_least ? 1 : 1 - 1 / (double)(n - i);
}

double efficiency_quantile(
	const struct efficiency_need *sorted, size_t n, double share)
{
	double above = 1;

	for (size_t i = 0; i < n; i++) {
		above *= survives(sorted, n, i);
		if (!sorted[i].at_least && above <= 1 - share + 1e-9)
			return sorted[i].value;
	}
	return n ? (double)INFINITY : 0;
}

double efficiency_above(
	const struct efficiency_need *sorted, size_t n, double limit)
{
	double above = n ? 1 : 0;

	for (size_t i = 0; i < n && sorted[i].value <= limit; i++)
		above *= survives(sorted, n, i);
	return above;
}

char *efficiency_time(struct arena *arena, uint64_t seconds)
{
	uint64_t days = seconds / 86400;
	char *clock =
		arena_printf(arena, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
			seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);

	return days ? arena_printf(arena, "%" PRIu64 "-%s", days, clock)
		    : clock;
}

char *efficiency_size(struct arena *arena, double kib)
{
	static const char suffixes[] = "KMGTPE";
	int unit = 0;

	if (!(kib > 0))
		return arena_strdup(arena, "0.00 MB");
	while (kib >= 1024 && suffixes[unit + 1]) {
		kib /= 1024;
		unit++;
	}
	return arena_printf(arena, "%.2f %cB", kib, suffixes[unit]);
}
