/*
 * Any trace under any policy: the machine is never overfilled, everybody
 * starts, and a promise that did not rest on a wrong prediction is kept. The
 * input is the machine, what the planner believes, and five bytes a job.
 */
#include "tests/fuzz/fuzz.h"

#include "common/conf/conf.h"
#include "common/sim/metrics.h"
#include "common/sim/simulate_slurm.h"

enum { HEAD = 4, JOB = 5, MOST = 40 };

static void add(struct trace *trace, const uint8_t *b, int64_t *submit)
{
	struct swf_job row;
	struct err err;

	for (int i = 0; i < SWF_FIELDS; i++)
		row.v[i] = -1;
	*submit += b[0] < 128 ? b[0] : (b[0] - 127) * 60;
	row.v[SWF_ID] = (int64_t)trace->rows + 1;
	row.v[SWF_SUBMIT] = *submit;
	row.v[SWF_RUN] = b[1] < 128 ? b[1] : (b[1] - 127) * 97;
	row.v[SWF_REQ_PROCS] = b[2];
	row.v[SWF_REQ_TIME] = row.v[SWF_RUN] + b[3] * b[3] / 4;
	row.v[SWF_USER] = b[4] & 7;
	row.v[SWF_GROUP] = b[4] >> 6;
	row.v[SWF_EXECUTABLE] = b[4] >> 4 & 3;
	CHECK(!trace_add(trace, &row, &err));
}

static void check(const struct trace *trace, const struct sim_result *result,
	bool promises)
{
	struct metrics m;

	for (size_t i = 0; i < trace->n; i++) {
		int64_t at = result->start[i], used = 0;

		CHECK(at != SIM_NEVER && at >= trace->jobs[i].submit);
		CHECK(!promises || at <= result->promise[i]);
		for (size_t k = 0; k < trace->n; k++)
			if (result->start[k] <= at &&
				at < result->start[k] + trace->jobs[k].run)
				used += trace->jobs[k].procs;
		CHECK(used <= trace->procs);
	}
	metrics_compute(trace, result, &m);
	CHECK(m.utilization >= 0 && m.utilization <= 1);
	CHECK(m.loss_of_capacity >= 0 && m.loss_of_capacity <= 1);
}

static void run(const struct trace *trace, const struct sim_policy *policy,
	const struct sim_options *options, bool promises)
{
	struct sim_result result;
	struct err err;

	CHECK(!simulate(trace, policy, options, &result, &err));
	check(trace, &result, promises);
	sim_result_release(&result);
}

static void run_slurm(const struct trace *trace, struct sim_options *options,
	const uint8_t *b)
{
	struct conf conf;
	struct sim_slurm slurm = {.policy = &conf.policy};
	struct sched_params *params = &slurm.backfill.params;
	struct arena arena;

	arena_init(&arena);
	conf_defaults(&conf);
	conf.policy.weights.fairshare = b[3] & 1 ? 1000 : 0;
	conf.policy.weights.age = b[3] & 2 ? 1000 : 0;
	sched_params_init(params);
	if (b[3] & 4)
		params->bf_max_job_test = 3;
	params->bf_continue = b[3] >> 3 & 1;
	params->bf_interval = b[3] & 16 ? 5 : 30;
	params->bf_window = b[3] & 32 ? 10 : 1440;
	slurm.backfill.cores = b[3] & 64;
	sched_params_complete(params, NULL, &arena);
	sim_machine_plain(&slurm.machine, trace->procs, 1, &arena);
	options->policy = &slurm;
	run(trace, &sim_slurm_policy, options, false);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sim_policy *const policies[] = {
		&sim_fcfs, &sim_easy, &sim_sjbf, &sim_conservative};
	struct trace_rules rules = {0};
	struct trace trace;
	struct sim_options options = {.factor = 3, .quantile = 0.9};
	int64_t submit = 0;

	if (size < HEAD)
		return 0;
	options.estimates = (enum sim_estimates)(data[1] & 3);
	options.predict = (enum predict_method)((data[1] >> 2 & 3) % 3);
	options.test_cost = data[2] < 200 ? 0 : (data[2] - 199) / 7.0;
	trace_init(&trace, &rules);
	for (size_t i = 0; i < MOST && HEAD + (i + 1) * JOB <= size; i++)
		add(&trace, data + HEAD + i * JOB, &submit);
	trace_finish(&trace, 1u + data[0] % 64);
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
		run(&trace, policies[i], &options,
			!options.predict && options.test_cost == 0);
	run_slurm(&trace, &options, data);
	trace_release(&trace);
	return 0;
}
