/*
 * ssim: replays a trace under one or several scheduling policies and compares
 * what they were worth.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/notice.h"
#include "common/cli/cli.h"
#include "common/text/reason.h"

/* What was left out or changed without being asked for. */
static void warn(const struct session *s)
{
	static const enum trace_why told[] = {
		TRACE_TOO_LARGE, TRACE_UNORDERED, TRACE_NO_LIMIT};
	const struct trace *trace = &s->trace;

	if (s->options.quiet)
		return;
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
		const struct trace_count *count = &trace->counts[told[i]];

		if (count->n)
			fprintf(stderr,
				"ssim: warning: %s: %s: %" PRIu64 " %s, the "
				"first is job %" PRId64 "\n",
				s->source, trace_why_text(told[i]), count->n,
				count->n > 1 ? "jobs" : "job", count->first);
	}
}

static void warn_left(const struct session *s, const struct replay *replay)
{
	const struct sim_result *result = &replay->result;

	if (replay->metrics.waiting && !s->options.quiet)
		fprintf(stderr,
			"ssim: warning: %s: %" PRIu64
			" %s never started; job %" PRId64 ": %s\n",
			replay->label, replay->metrics.waiting,
			replay->metrics.waiting > 1 ? "jobs" : "job",
			s->trace.jobs[result->left].id,
			reason_name(result->left_reason));
}

static int check(struct session *s)
{
	if (s->trace.n)
		return 0;
	return err_set(&s->err, ERR_USAGE,
		"%s: none of %" PRIu64 " jobs can be replayed%s", s->source,
		s->trace.rows,
		s->trace.counts[TRACE_NO_LIMIT].n
			? "; for those without a time limit see --missing-limit"
			: "");
}

/* ---- replays -------------------------------------------------------------*/

struct replay_progress {
	const struct session *s;
	const struct replay *replay;
};

static void show(void *arg, size_t done)
{
	const struct replay_progress *p = arg;

	progress(p->replay->label, (int64_t)done, (int64_t)p->s->trace.n);
}

static int run(struct session *s, struct replay *replay)
{
	struct replay_progress shown = {s, replay};
	struct trace trace = s->trace;

	replay->sim.progress = show;
	replay->sim.progress_arg = &shown;
	trace.procs = replay->variant->procs;
	if (simulate(&trace, replay->policy, &replay->sim, &replay->result,
		    &s->err))
		return -1;
	metrics_compute(&trace, &replay->result, &replay->metrics);
	replay->rows = s->trace.rows;
	replay->jobs = s->trace.n;
	replay->procs = trace.procs;
	progress_end();
	warn_left(s, replay);
	return 0;
}

/* ---- what-if -------------------------------------------------------------*/

static bool same_starts(
	const struct session *s, const struct replay *a, const struct replay *b)
{
	return !memcmp(a->result.start, b->result.start,
		s->trace.n * sizeof(*a->result.start));
}

/* The replay of the same policy without the changes comes first. */
static bool change_matters(const struct session *s, const struct variant *v)
{
	const struct replay *before = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct replay *replay = &s->replays[i];

		if (replay->policy == &sim_slurm_policy &&
			!replay->variant->changes)
			before = replay;
		else if (replay->variant == v && before &&
			 !same_starts(s, before, replay))
			return true;
	}
	return false;
}

static void warn_changes(const struct session *s)
{
	for (size_t i = 0; i < s->n_variants && !s->options.quiet; i++) {
		const struct variant *v = &s->variants[i];

		if (v->changes && !change_matters(s, v))
			fprintf(stderr,
				"ssim: warning: --what-if='%s' changes no "
				"start\n",
				v->changes);
	}
}

/* ---- all -----------------------------------------------------------------*/

static int read_trace(struct session *s)
{
	if (!s->options.file)
		return read_store(s);
	for (size_t i = 0; i < s->n_variants; i++)
		if (load_conf(s, &s->variants[i]))
			return -1;
	return read_swf(s);
}

static int work(struct session *s)
{
	if (check_compare(s))
		return -1;
	check_format(s);
	progress("reading the jobs", 0, 0);
	if (make_variants(s) || make_replays(s) || read_trace(s))
		return -1;
	progress_end();
	warn(s);
	if (check(s))
		return -1;
	if (prepare_slurm(s))
		return -1;
	warn_not_simulated(s);
	for (size_t i = 0; i < s->n; i++)
		if (run(s, &s->replays[i]))
			return -1;
	for (size_t i = 0; i < s->n; i++)
		s->replays[i].session = s;
	warn_changes(s);
	if (s->options.starts && write_starts(s))
		return -1;
	return draw_pictures(s);
}

int main(int argc, char **argv)
{
	struct session s = {0};

	cli_init(argv[0]);
	arena_init(&s.arena);
	ssim_options(&s, argc, argv);
	cli_progress(s.options.quiet);
	trace_init(&s.trace, &s.options.rules);
	if (work(&s))
		cli_die(&s.err);
	if (!s.options.no_report)
		(s.options.compare ? print_comparison : print_report)(&s);
	for (size_t i = 0; i < s.n; i++)
		sim_result_release(&s.replays[i].result);
	trace_release(&s.trace);
	close_store(&s);
	arena_release(&s.arena);
	return 0;
}
