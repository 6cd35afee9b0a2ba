/*
 * Limits in the simulation of Slurm: what is in use, and what was used up in
 * minutes. Both are counted from the jobs of the trace alone. Part of
 * simulate_slurm_state.h. Pure.
 *
 * Usage that lasts decays as it does everywhere (common/fair/decay.h), but is
 * looked at as slurmctld does: every PriorityCalcPeriod.
 */
#include <string.h>

#include "common/base/memory.h"
#include "common/fair/decay.h"
#include "common/sim/simulate_slurm_state.h"

enum { COUNTED = 3 }; /* CPUs, nodes, billing */

/* What jobs that ran have used under a limit on minutes; seconds, true for
 * `since`. */
struct slurm_ledger {
	struct limit_usage *usage; /* where it is told */
	bool lasts;		   /* QOS with NoDecay */
	long double seconds[COUNTED], wall;
	int64_t since;
	long double now[COUNTED], wall_now; /* with those that run */
};

static const uint32_t counted_tres[COUNTED] = {
	TRES_CPU, TRES_NODE, TRES_BILLING};

/* ---- chains --------------------------------------------------------------*/

/* Does it depend on what was used, or on what running jobs may use yet? */
static bool uses_up(const struct limit_level *level)
{
	return level->tres[LIMIT_GRP_MINS].n ||
	       limit_is_set(level->number[LIMIT_GRP_WALL]);
}

static bool runs_down(const struct limit_level *level)
{
	return level->tres[LIMIT_GRP_RUN_MINS].n ||
	       level->tres[LIMIT_RUN_MINS_PA].n ||
	       level->tres[LIMIT_RUN_MINS_PU].n;
}

static struct slurm_ledger *ledger_of(
	const struct slurm *slurm, const struct limit_level *level)
{
	for (size_t i = 0; i < slurm->n_ledgers; i++)
		if (slurm->ledgers[i].usage == level->all)
			return &slurm->ledgers[i];
	return NULL;
}

static void open_level(struct slurm *slurm, const struct limit_level *level)
{
	slurm->timed |= runs_down(level);
	if (!uses_up(level) || !level->all || ledger_of(slurm, level))
		return;
	slurm->timed = true;
	*ARENA_PUSH(&slurm->lasting, slurm->ledgers, slurm->n_ledgers,
		slurm->cap_ledgers) = (struct slurm_ledger){
		.usage = level->all,
		.lasts = level->no_decay,
		.since = slurm->base,
	};
}

static struct limit_chain *chain_of(const struct slurm *slurm, uint32_t job)
{
	return slurm_kind_of(slurm, job)->limits;
}

/* A chain that is new has counted nothing yet; its levels may be those of
 * others, which have. */
struct limit_chain *slurm_limits_of(struct slurm *slurm, uint32_t job)
{
	struct limit_chain *chain = chain_of(slurm, job);

	for (size_t i = 0; chain && i < slurm->n_chains; i++)
		if (slurm->chains[i] == chain)
			return chain;
	if (!chain)
		return NULL;
	*ARENA_PUSH(&slurm->lasting, slurm->chains, slurm->n_chains,
		slurm->cap_chains) = chain;
	for (size_t i = 0; i < chain->n; i++)
		open_level(slurm, &chain->levels[i]);
	slurm->recount = true;
	return chain;
}

/* ---- what was used -------------------------------------------------------*/

static double half_life_of(
	const struct slurm *slurm, const struct slurm_ledger *ledger)
{
	return ledger->lasts ? 0 : slurm->context.policy->half_life;
}

static long double decayed(const struct slurm *slurm,
	const struct slurm_ledger *ledger, long double seconds, int64_t at)
{
	if (!ledger->lasts && ledger->since < slurm->reset)
		return 0;
	return decay_carry(seconds, (time_t)ledger->since, (time_t)at,
		half_life_of(slurm, ledger));
}

static void carry(
	const struct slurm *slurm, struct slurm_ledger *ledger, int64_t at)
{
	for (size_t t = 0; t < COUNTED; t++)
		ledger->seconds[t] =
			decayed(slurm, ledger, ledger->seconds[t], at);
	ledger->wall = decayed(slurm, ledger, ledger->wall, at);
	ledger->since = at;
}

/* What of the stretch that runs now counts there, per unit of a TRES. */
static long double worth(const struct slurm *slurm,
	const struct slurm_ledger *ledger, const struct limit_chain *chain,
	uint32_t job)
{
	int64_t start = slurm_last_began(slurm, job), now = slurm->s.now;

	if (!ledger->lasts && start < slurm->reset)
		start = slurm->reset;
	if (start >= now || slurm_is_suspended(slurm, job))
		return 0;
	return decay_integral(chain->usage_factor, (time_t)start, (time_t)now,
		(time_t)now, half_life_of(slurm, ledger));
}

static uint64_t count_of(const struct slurm_run *run, size_t t)
{
	return counted_tres[t] == TRES_NODE ? run->n_nodes : run->cpus;
}

void slurm_limits_ran(struct slurm *slurm, const struct slurm_run *run)
{
	uint32_t job = run->job.id - 1;
	struct limit_chain *chain =
		slurm->n_ledgers ? chain_of(slurm, job) : NULL;

	for (size_t i = 0; chain && i < chain->n; i++) {
		struct slurm_ledger *ledger =
			ledger_of(slurm, &chain->levels[i]);
		long double seconds;

		if (!ledger)
			continue;
		seconds = worth(slurm, ledger, chain, job);
		carry(slurm, ledger, slurm->s.now);
		for (size_t t = 0; t < COUNTED; t++)
			ledger->seconds[t] +=
				seconds * (long double)count_of(run, t);
		ledger->wall += seconds;
	}
}

/* With what running jobs have used so far. */
static void carry_all(struct slurm *slurm)
{
	for (size_t i = 0; i < slurm->n_ledgers; i++) {
		struct slurm_ledger *ledger = &slurm->ledgers[i];

		carry(slurm, ledger, slurm->s.now);
		memcpy(ledger->now, ledger->seconds, sizeof(ledger->now));
		ledger->wall_now = ledger->wall;
	}
}

static void add_running(struct slurm *slurm, const struct sched_running *r,
	const struct limit_chain *chain)
{
	const struct slurm_run *run = slurm_run_of(r->job);

	for (size_t i = 0; slurm->n_ledgers && i < chain->n; i++) {
		struct slurm_ledger *ledger =
			ledger_of(slurm, &chain->levels[i]);
		long double seconds;

		if (!ledger)
			continue;
		seconds = worth(slurm, ledger, chain, slurm_job_of(r));
		for (size_t t = 0; t < COUNTED; t++)
			ledger->now[t] +=
				seconds * (long double)count_of(run, t);
		ledger->wall_now += seconds;
	}
}

/* Rounding may leave a speck below a full second. */
static uint64_t whole(long double seconds)
{
	return (uint64_t)(seconds + 1e-6L);
}

static void tell_ledgers(struct slurm *slurm)
{
	for (size_t i = 0; i < slurm->n_ledgers; i++) {
		struct slurm_ledger *ledger = &slurm->ledgers[i];
		struct limit_usage *usage = ledger->usage;

		usage->wall = whole(ledger->wall_now);
		for (size_t t = 0; t < COUNTED; t++)
			if (whole(ledger->now[t]))
				tres_list_set(&usage->used_secs, &slurm->usage,
					counted_tres[t], whole(ledger->now[t]));
	}
}

/* ---- what is in use ------------------------------------------------------*/

static void clear(struct limit_usage *usage)
{
	if (usage)
		*usage = (struct limit_usage){0};
}

static void clear_chain(const struct limit_chain *chain)
{
	for (size_t i = 0; i < chain->n; i++) {
		clear(chain->levels[i].all);
		clear(chain->levels[i].user);
		clear(chain->levels[i].account);
	}
}

/* As the limits see a running job. */
struct running_job {
	struct tres_count counts[COUNTED];
	struct tres_list tres;
	struct limit_job job;
	uint64_t seconds; /* it has run */
};

static void describe(const struct slurm *slurm, const struct sched_running *r,
	struct running_job *out)
{
	uint32_t job = slurm_job_of(r);

	for (size_t t = 0; t < COUNTED; t++)
		out->counts[t] = (struct tres_count){
			counted_tres[t],
			count_of(slurm_run_of(r->job), t)};
	out->tres = (struct tres_list){out->counts, COUNTED, COUNTED};
	out->job = (struct limit_job){
		.tres = &out->tres,
		.time_limit = slurm_minutes(slurm->sim->trace->jobs[job].limit),
		.tasks = 1,
		.nodes = r->start.nodes,
		.n_nodes = r->start.n_nodes,
	};
	out->seconds = (uint64_t)larger(0, sim_lasted(slurm->sim, job));
}

/* It counts with what it may use yet. */
static void count_level(struct slurm *slurm, const struct limit_chain *chain,
	const struct limit_level *level, const struct running_job *r)
{
	uint64_t most = (uint64_t)limits_wall(chain, &r->job) * 60;
	uint64_t left = most > r->seconds ? most - r->seconds : 0;
	struct limit_usage *const all[] = {
		level->all, level->user, level->account};

	for (size_t u = 0; u < sizeof(all) / sizeof(*all); u++)
		if (all[u])
			limit_usage_add(all[u], &r->job, left,
				chain->usage_factor, &slurm->usage);
}

static void count_running(struct slurm *slurm, const struct sched_running *r)
{
	struct limit_chain *chain = chain_of(slurm, slurm_job_of(r));
	struct running_job job;

	if (!chain)
		return;
	describe(slurm, r, &job);
	for (size_t i = 0; i < chain->n; i++)
		count_level(slurm, chain, &chain->levels[i], &job);
	add_running(slurm, r, chain);
}

/* All again: a single job cannot be taken out. */
static void count_all(struct slurm *slurm)
{
	if (!slurm->n_chains)
		return;
	arena_reset(&slurm->usage);
	for (size_t i = 0; i < slurm->n_chains; i++)
		clear_chain(slurm->chains[i]);
	carry_all(slurm);
	for (size_t i = 0; i < slurm->s.n_running; i++)
		count_running(slurm, &slurm->s.running[i]);
	tell_ledgers(slurm);
	slurm->recount = false;
}

/* ---- limits that are reached ---------------------------------------------*/

static bool has_reached(struct slurm *slurm, const struct sched_running *r)
{
	struct limit_chain *chain = chain_of(slurm, slurm_job_of(r));
	struct running_job job;

	if (!chain || slurm_is_suspended(slurm, slurm_job_of(r)))
		return false;
	describe(slurm, r, &job);
	return limits_reached(chain, &job.job, job.seconds) != 0;
}

static void end_reached(struct slurm *slurm)
{
	struct schedule *s = &slurm->s;

	for (size_t i = 0; i < s->n_running;) {
		uint32_t job = slurm_job_of(&s->running[i]);

		if (!has_reached(slurm, &s->running[i])) {
			i++;
			continue;
		}
		slurm_stretch_over(slurm, slurm_run_of(s->running[i].job));
		schedule_end(s, i);
		sim_cut(slurm->sim, job, true);
	}
}

static void look_for_reset(struct slurm *slurm)
{
	int64_t now = slurm->s.now, last;

	if (slurm->counted < 0)
		return;
	last = (int64_t)usage_reset_last(slurm->context.policy->reset,
		(time_t)slurm->counted, (time_t)now);
	if (last > slurm->counted)
		slurm->reset = last;
}

void slurm_limits_count(struct slurm *slurm)
{
	int64_t now = slurm->s.now;
	bool due = slurm->timed &&
		   now >= slurm->counted + slurm->context.policy->calc_period;

	if (due) {
		look_for_reset(slurm);
		slurm->counted = now;
		slurm->changed = true;
	}
	if (due || slurm->recount)
		count_all(slurm);
	if (!due || !slurm->n_ledgers)
		return;
	end_reached(slurm);
	if (slurm->recount)
		count_all(slurm);
}

/* Is there usage that will decay or be reset? */
static bool decays(const struct slurm *slurm)
{
	const struct policy *policy = slurm->context.policy;

	if (!policy->half_life && !policy->reset)
		return false;
	for (size_t i = 0; i < slurm->n_ledgers; i++) {
		const struct slurm_ledger *ledger = &slurm->ledgers[i];

		if (!ledger->lasts &&
			(ledger->wall >= 60 || ledger->seconds[0] >= 60))
			return true;
	}
	return false;
}

int64_t slurm_limits_wake(const struct slurm *slurm)
{
	const struct schedule *s = &slurm->s;

	if (!slurm->timed ||
		!(s->n_running || (s->n_jobs && decays(slurm))))
		return SIM_NEVER;
	return slurm->counted + slurm->context.policy->calc_period -
	       slurm->base;
}

void slurm_limits_close(struct slurm *slurm)
{
	for (size_t i = 0; i < slurm->n_chains; i++)
		clear_chain(slurm->chains[i]);
}
