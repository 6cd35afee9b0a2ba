/*
 * --starts: when each job started, as CSV (a column for each replay) or as an
 * SWF trace of one.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/outfile.h"

static void write_csv(const struct session *s, FILE *out)
{
	fputs("job_id", out);
	for (size_t r = 0; r < s->n; r++) {
		fputc(',', out);
		table_csv_cell(
			out, s->n > 1 ? s->replays[r].label : "start_time");
	}
	fputc('\n', out);
	for (size_t i = 0; i < s->trace.n; i++) {
		fprintf(out, "%" PRId64, s->trace.jobs[i].id);
		for (size_t r = 0; r < s->n; r++) {
			int64_t start = s->replays[r].result.start[i];

			fputc(',', out);
			if (start != SIM_NEVER)
				fprintf(out, "%" PRId64, start);
		}
		fputc('\n', out);
	}
}

static void write_header(const struct session *s, FILE *out)
{
	fprintf(out,
		"; Version: 2.2\n"
		"; MaxJobs: %zu\n"
		"; MaxProcs: %" PRIu32 "\n",
		s->trace.n, s->trace.procs);
	if (s->trace.start)
		fprintf(out, "; UnixStartTime: %" PRId64 "\n", s->trace.start);
	fprintf(out, "; Note: replayed by ssim under %s\n",
		s->replays[0].label);
}

static int64_t number_of(const struct trace_names *names, uint32_t place)
{
	return names->numbers[place];
}

static void write_swf(const struct session *s, FILE *out)
{
	const struct trace *t = &s->trace;

	write_header(s, out);
	for (size_t i = 0; i < t->n; i++) {
		const struct trace_job *job = &t->jobs[i];
		int64_t start = s->replays[0].result.start[i];
		bool never = start == SIM_NEVER;

		fprintf(out,
			"%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			" %" PRIu32 " -1 -1 %" PRIu32 " %" PRId64 " -1 %" PRId32
			" %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			" -1 -1 -1\n",
			job->id, job->submit, never ? -1 : start - job->submit,
			never ? -1 : sim_ran(t, &s->replays[0].result, i),
			job->procs, job->procs,
			job->limit, job->status,
			number_of(&t->users, job->user),
			number_of(&t->groups, job->group),
			number_of(&t->names, job->name),
			number_of(&t->queues, job->queue));
	}
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && !strcmp(text + len - n, end);
}

int write_starts(struct session *s)
{
	const char *name = s->options.starts;
	bool swf = ends_with(name, ".swf");
	struct outfile out;

	if (!swf && !ends_with(name, ".csv"))
		return err_set(&s->err, ERR_USAGE,
			"--starts: '%s' ends neither with .csv nor with .swf",
			name);
	if (swf && s->n > 1)
		return err_set(&s->err, ERR_USAGE,
			"--starts: an SWF file holds one replay, this makes "
			"%zu; choose one --policy, or write CSV",
			s->n);
	if (outfile_open(&out, name, OUTFILE_REPLACE, &s->err))
		return -1;
	if (swf)
		write_swf(s, out.file);
	else
		write_csv(s, out.file);
	return outfile_close(&out, &s->err);
}
