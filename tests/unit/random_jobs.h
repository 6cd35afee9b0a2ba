/*
 * Jobs that have ended, for tests with operations at random. Include after
 * session_fixture.h and seeded.h.
 */
#pragma once

#include "common/text/jobstate.h"

/* `n` jobs with numbers from `next_id` on, of up to an hour, each by a user who
 * exists; they started within 20 hours before `latest`. Billing is 1 and up to
 * 100 times `billing_step` more. */
static inline void run_random_jobs(struct session_fixture *f, unsigned n,
	uint32_t *next_id, int64_t latest, double billing_step)
{
	static struct tres_count counts[] = {{TRES_CPU, 4}, {TRES_MEM, 2000}};
	static const struct tres_list alloc = {counts, 2, 2};
	const struct assoc_cond cond = {.only_users = true};
	struct assoc_list rows;

	ok(&f->t, assoc_list(&f->t.store, &cond, &f->s.arena, &rows));
	for (unsigned i = 0; i < n; i++) {
		struct job job;

		job_init(&job);
		job.cluster = f->t.cluster;
		job.id = (*next_id)++;
		job.submit = job.eligible = job.start =
			latest - (int64_t)chance(20 * 3600);
		job.end = job.start + 1 + (int64_t)chance(3600);
		job.state = JOB_COMPLETED;
		job.assoc = rows.v[chance((uint32_t)rows.n)]->key;
		job.billing = 1 + chance(100) * billing_step;
		job.usage_factor = 1;
		job.tres_alloc = alloc;
		save_job(&f->t, &job);
	}
}
