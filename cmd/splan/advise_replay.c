/*
 * splan --advise: the last jobs of the history once more, under the parameters
 * and limits as they are and as advised.
 */
#include "cmd/splan/advise.h"
#include "common/base/numbers.h"
#include "common/fair/billing.h"
#include "common/sim/simulate_slurm.h"
#include "db/view/trace.h"

/* One of the two. */
struct advise_replay {
	struct advising *a;
	const struct sched_params *params;
	bool advised;
	struct trace trace;
	struct store_trace from;
	struct store_policy site;
	struct sim_slurm slurm;
	struct tres_weights weights;
};

static int64_t advised_limit(const struct past_part *part,
	const struct job *job, const struct trace_job *record)
{
	int64_t limit = record->limit;

	if (job->time_limit == NO_VAL && part->default_time)
		limit = (int64_t)part->default_time * 60;
	if (part->max_time && part->max_time < NO_VAL &&
		limit > (int64_t)part->max_time * 60)
		limit = (int64_t)part->max_time * 60;
	/* Who runs longer than that has to ask for it. */
	return limit > record->run ? limit : record->run;
}

static void change(void *arg, const struct job *job, uint32_t place)
{
	struct advise_replay *r = arg;
	const struct conf *conf = &r->a->site->conf;
	const struct conf_partition *p =
		conf_partition_by_name(conf, job->partition);
	struct trace_job *record = &r->trace.jobs[place];

	if (p)
		record->limit = advised_limit(
			&r->a->past.parts[p - conf->partitions], job, record);
}

static int prepare(struct advise_replay *r)
{
	struct advising *a = r->a;
	const struct conf *conf = &a->site->conf;
	uint64_t procs = 0;

	for (size_t i = 0; i < conf->n_nodes; i++)
		procs += conf->nodes[i].cpus;
	r->site = (struct store_policy){
		.of = &r->from,
		.site = a->site,
		.conf = conf,
		.arena = &a->arena,
	};
	if (store_trace_read(&r->from) || store_policy_read(&r->site))
		return -1;
	store_trace_finish(
		&r->from, procs < INT32_MAX ? (uint32_t)procs : INT32_MAX);
	if (sim_machine_of_conf(&r->slurm.machine, conf, &r->trace.queues,
		    names_of(r->from.names, NAME_PARTITION), &a->arena,
		    a->err) ||
		tres_weights_parse(conf->policy.weights.tres,
			&a->site->store.tres, &a->arena, &r->weights, a->err))
		return -1;
	r->slurm.policy = &conf->policy;
	r->slurm.tres_weights = &r->weights;
	store_policy_use(&r->site, &r->slurm);
	r->slurm.backfill.params = *r->params;
	return 0;
}

static int run(struct advise_replay *r, struct metrics *metrics)
{
	const struct sim_options options = {
		.test_cost = r->a->pace.test,
		.policy = &r->slurm,
	};
	struct sim_result result;

	if (prepare(r) || simulate(&r->trace, &sim_slurm_policy, &options,
				  &result, r->a->err))
		return -1;
	metrics_compute(&r->trace, &result, metrics);
	sim_result_release(&result);
	r->a->replayed_jobs = r->trace.n;
	return 0;
}

static int replay(struct advising *a, const struct sched_params *params,
	bool advised, int64_t since, struct metrics *metrics)
{
	enum { YEAR = 365 * 24 * 3600 };
	/* Both do the same work: nothing is cut short. */
	const struct trace_rules rules = {
		.over = TRACE_RAISE,
		.missing = TRACE_GIVE,
		.limit_given = YEAR,
	};
	struct advise_replay r = {.a = a, .params = params, .advised = advised};
	int status;

	r.from = (struct store_trace){
		.site = a->site,
		.arena = &a->arena,
		.err = a->err,
		.trace = &r.trace,
		.from = since,
		.each = advised ? change : NULL,
		.arg = &r,
	};
	trace_init(&r.trace, &rules);
	status = run(&r, metrics);
	trace_release(&r.trace);
	return status;
}

/* ---- what it says --------------------------------------------------------*/

/* More than a hundredth less, or more? */
static int compare(double before, double after)
{
	if (after < before * 0.99)
		return -1;
	return after > before * 1.01;
}

/* Of waits and slowdowns: -1 better, 1 worse, 0 neither; 2: as one takes it. */
static int compare_worlds(const struct metrics *a, const struct metrics *b)
{
	int wait = compare(a->wait.mean, b->wait.mean);
	int slowdown =
		compare(a->bounded_slowdown.mean, b->bounded_slowdown.mean);

	if (wait * slowdown < 0)
		return 2;
	return wait ? wait : slowdown;
}

static const char *judge_against(const struct metrics *worlds)
{
	if (compare_worlds(&worlds[WORLD_NOW], &worlds[WORLD_LIMITS]) < 0)
		return "The replay speaks against the parameters, but backs "
		       "the time limits: change those alone.";
	if (compare_worlds(&worlds[WORLD_NOW], &worlds[WORLD_PARAMETERS]) < 0)
		return "The replay speaks against the time limits, but backs "
		       "the parameters: change those alone.";
	return "The replay speaks against the advice: jobs wait longer on "
	       "average. A longer window keeps\n  nodes for large jobs, at "
	       "the cost of small ones, and the limits users ask for decide "
	       "how much.\n  Before you change anything try other values: "
	       "ssim --policy=slurm:bf_window=1440\n"
	       "  --policy=slurm:bf_window=4320";
}

static const char *judge(const struct metrics *worlds)
{
	const struct metrics *now = &worlds[WORLD_NOW];
	const struct metrics *both = &worlds[WORLD_BOTH];

	if (now->wait.mean < 1 && both->wait.mean < 1)
		return "Hardly a job waited: no parameter could have made it "
		       "better.";
	switch (compare_worlds(now, both)) {
	case 0:
		return "In the replay it makes no difference worth speaking "
		       "of.";
	case -1:
		return "The replay backs the advice: jobs wait less.";
	case 1:
		return judge_against(worlds);
	default:
		return "The replay is undecided: what short jobs gain long "
		       "ones lose, or the other way round.";
	}
}

static int replay_worlds(struct advising *a, int64_t since)
{
	for (int w = 0; w < WORLDS; w++) {
		bool limits = w == WORLD_LIMITS || w == WORLD_BOTH;
		bool params = w == WORLD_PARAMETERS || w == WORLD_BOTH;

		if (replay(a, params ? &a->better : &a->params, limits, since,
			    &a->worlds[w]))
			return -1;
	}
	return 0;
}

int advise_replay(struct advising *a)
{
	size_t jobs =
		a->given.jobs >= 0 ? (size_t)a->given.jobs : ADVISE_REPLAYED;
	int64_t since;

	if (!a->site->conf.n_nodes || !a->site->conf.n_partitions)
		a->verdict = "No replay: slurm.conf has no nodes or no "
			     "partitions.";
	else if (!jobs)
		a->verdict = "No replay: jobs=0.";
	else if (a->past.jobs < ADVISE_LEAST)
		a->verdict = "No replay: the history is too short.";
	if (a->verdict)
		return 0;
	since = store_trace_since(a->site, jobs);
	if (since < 0 || replay_worlds(a, since))
		return -1;
	a->replayed = true;
	a->verdict = judge(a->worlds);
	return 0;
}
