/*
 * Dry runs in words and as a record; see dry_run.h.
 */
#include <inttypes.h>

#include "db/whatif/dry_run.h"

static void write_counts(const struct dry_run *d, FILE *out)
{
	static const char *const signs = "+~-";

	for (size_t i = 0; i < d->counts.n; i++) {
		const struct change_count *c = &d->counts.v[i];
		const uint64_t n[] = {c->added, c->changed, c->removed};

		for (size_t k = 0; k < 3; k++)
			if (n[k])
				fprintf(out, "  %c %" PRIu64 " %s\n", signs[k],
					n[k], c->kind);
	}
}

static void write_rows(const struct dry_run *d, FILE *out)
{
	size_t shown = d->rows.n < DRY_RUN_SHOWN ? d->rows.n : DRY_RUN_SHOWN;

	if (!d->counted) {
		fprintf(out, " Rows: %zu\n", d->rows.n);
	} else {
		fprintf(out, " Rows: %" PRIu64 "\n", d->counts.all);
		write_counts(d, out);
		if (shown)
			fputs(" Of these\n", out);
	}
	for (size_t i = 0; i < shown; i++)
		fprintf(out, "  %s\n", d->rows.v[i]);
	if (d->rows.n > shown)
		fprintf(out, "  and %zu rows more\n", d->rows.n - shown);
}

static void write_jobs_of(const struct dry_run *d, FILE *out)
{
	if (!d->jobs.n)
		return;
	fprintf(out, " Accounts and users with other jobs: %zu\n", d->jobs.n);
	for (size_t i = 0; i < d->jobs.n && i < DRY_RUN_SHOWN; i++) {
		const struct change_jobs *j = &d->jobs.v[i];

		fprintf(out,
			"  A = %-10s U = %-9s Jobs + %" PRIu64 " ~ %" PRIu64
			" - %" PRIu64 "  CPU hours %+.1f\n",
			j->account, j->user, j->added, j->changed, j->removed,
			j->cpu_seconds / 3600);
	}
	if (d->jobs.n > DRY_RUN_SHOWN)
		fprintf(out, "  and %zu more\n", d->jobs.n - DRY_RUN_SHOWN);
}

void dry_run_write(const struct dry_run *d, const char *report, FILE *out)
{
	fprintf(out, "%s Dry run: nothing is changed\n", report);
	write_rows(d, out);
	write_jobs_of(d, out);
	fprintf(out, " Fair-share factors that move by %g or more: %zu\n",
		dry_run_threshold, d->moved.n);
	for (size_t i = 0; i < d->moved.n && i < DRY_RUN_SHOWN; i++)
		fprintf(out, "  C = %-10s A = %-10s U = %-9s %f -> %f\n",
			d->moved.v[i].cluster, d->moved.v[i].account,
			d->moved.v[i].user, d->moved.v[i].was,
			d->moved.v[i].is);
	fprintf(out, " Jobs that would wait for another reason, or be over a "
		     "limit: %zu\n",
		d->waiting.n);
	for (size_t i = 0; i < d->waiting.n && i < DRY_RUN_SHOWN; i++)
		fprintf(out, "  JobID = %-10" PRIu32 " U = %-9s %s -> %s\n",
			d->waiting.v[i].id, d->waiting.v[i].user,
			d->waiting.v[i].was, d->waiting.v[i].is);
}

static struct json_object *told_row(const char *line)
{
	struct json_object *row = json_record();

	json_put_text(row, "change",
		*line == '+'   ? "added"
		: *line == '-' ? "removed"
			       : "changed");
	json_put_text(row, "row", line + 2);
	return row;
}

static struct json_object *told_count(const struct change_count *c)
{
	struct json_object *row = json_record();

	json_put_text(row, "kind", c->kind);
	json_put_int(row, "added", (int64_t)c->added);
	json_put_int(row, "changed", (int64_t)c->changed);
	json_put_int(row, "removed", (int64_t)c->removed);
	return row;
}

static struct json_object *told_jobs_of(const struct change_jobs *j)
{
	struct json_object *row = json_record();

	json_put_text(row, "account", j->account);
	json_put_text(row, "user", j->user);
	json_put_int(row, "added", (int64_t)j->added);
	json_put_int(row, "changed", (int64_t)j->changed);
	json_put_int(row, "removed", (int64_t)j->removed);
	json_put_real(row, "cpu_seconds", j->cpu_seconds);
	return row;
}

static struct json_object *told_share(const struct dry_run_share *m)
{
	struct json_object *row = json_record();

	json_put_text(row, "cluster", m->cluster);
	json_put_text(row, "account", m->account);
	json_put_text(row, "user", m->user);
	json_put_real(row, "before", m->was);
	json_put_real(row, "after", m->is);
	return row;
}

static struct json_object *told_job(const struct dry_run_job *w)
{
	struct json_object *row = json_record();

	json_put_int(row, "job_id", w->id);
	json_put_text(row, "user", w->user);
	json_put_text(row, "before", w->was);
	json_put_text(row, "after", w->is);
	return row;
}

struct json_object *dry_run_record(const struct dry_run *d, const char *report)
{
	struct json_object *record = json_record();

	json_put_text(record, "report", report);
	for (size_t i = 0; i < d->counts.n; i++)
		json_append(record, "counts", told_count(&d->counts.v[i]));
	for (size_t i = 0; i < d->rows.n; i++)
		if (*d->rows.v[i])
			json_append(record, "rows", told_row(d->rows.v[i]));
	for (size_t i = 0; i < d->jobs.n; i++)
		json_append(record, "jobs_of", told_jobs_of(&d->jobs.v[i]));
	for (size_t i = 0; i < d->moved.n; i++)
		json_append(record, "fairshare", told_share(&d->moved.v[i]));
	for (size_t i = 0; i < d->waiting.n; i++)
		json_append(record, "jobs", told_job(&d->waiting.v[i]));
	return record;
}
