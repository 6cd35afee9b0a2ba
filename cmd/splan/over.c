/*
 * splan --over-limits: running jobs that have reached a limit for which a
 * controller would end them (Slurm's src/slurmctld/acct_policy.c,
 * acct_policy_job_time_out()). They are not ended here: the list is for
 * whatever ends them.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>

#include "common/cli/cli.h"
#include "common/text/reason.h"

struct over {
	const struct job *job;
	const char *reason;
};

static const char *job_number(const struct job *job, struct arena *arena)
{
	if (job->array_job)
		return arena_printf(arena, "%" PRIu32 "_%" PRIu32,
			job->array_job, job->array_task);
	return arena_printf(arena, "%" PRIu32, job->id);
}

/* ---- which ---------------------------------------------------------------*/

struct overs {
	struct over *v;
	size_t n, cap;
};

static void find(struct planned *p, struct overs *overs)
{
	struct plan *plan = &p->plan;

	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *job = &plan->jobs.v[i];
		unsigned reason = REASON_NONE;

		if (splan_shows(p, job) && plan_reached(plan, job, &reason))
			cli_die(plan->site->store.err);
		if (reason)
			*ARENA_PUSH(
				plan->arena, overs->v, overs->n, overs->cap) =
				(struct over){job, reason_name(reason)};
	}
}

/* ---- printing ------------------------------------------------------------*/

#define GET(name, expression) GETTER(name, struct over, expression)
GET(id, of_text(job_number(row->job, arena)))
GET(number, of_uint(row->job->id))
GET(partition, of_text(row->job->partition))
GET(user, of_text(row->job->user))
GET(account, of_text(row->job->account))
GET(start, of_time(row->job->start))
GET(reason, of_text(row->reason))

/* clang-format off */
static const struct member over_rows[] = {
	{SHOWN("JobID", "JobID", 12, "job_id", NULL), .get = get_id,
		.plain = get_number, .also = "job"},
	{SHOWN("Partition", "Partition", 9, "partition", NULL), .fit.rank = 3, .get = get_partition},
	{SHOWN("User", "User", 8, "user", NULL), .get = get_user},
	{SHOWN("Account", "Account", 10, "account", NULL), .fit.rank = 2, .get = get_account},
	{SHOWN("StartTime", "StartTime", 19, "start_time", NULL), .get = get_start},
	{SHOWN("Reason", "Reason", -30, "reason", NULL), .fit = {1, 16}, .get = get_reason},
};
/* clang-format on */
static const struct members over_members = MEMBERS(over_rows);

void print_over(struct planned *p, const struct options *options)
{
	struct splan_rows rows = {.list = "jobs",
		.members = &over_members,
		.size = sizeof(struct over)};
	struct overs overs = {0};

	find(p, &overs);
	rows.v = overs.v;
	rows.n = overs.n;
	splan_print_rows(p, options, &rows);
}
