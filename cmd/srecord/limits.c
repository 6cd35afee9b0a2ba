/*
 * What a submission is refused for: limits of QOS and associations, and QOS
 * that ask for a reservation (spec/priority.md 8.3). Only where slurm.conf
 * enforces them, and only for a new job that waits: what has happened is
 * written down as it was.
 */
#include "cmd/srecord/srecord.h"

#include "common/limits.h"
#include "common/numbers.h"
#include "common/reason.h"
#include "db/limits.h"
#include "db/limits_usage.h"

#define POLICY                                                                 \
	"Job violates accounting/QOS policy (job submit limit, user's size "   \
	"and/or time limits)"

static int refused(struct session *s, const struct limit_chain *chain,
	const struct job *job)
{
	struct limit_job in = {
		.tres = &job->tres_req,
		.time_limit = job->time_limit,
		.tasks = job_array_count(job->array_tasks),
	};
	unsigned reason = limits_submit(chain, &in);

	return reason ? err_set(&s->err, ERR_USAGE, "%s: " POLICY,
				reason_name(reason))
		      : 0;
}

static int check_qos(
	struct session *s, const struct job *job, const struct qos *qos)
{
	if (!qos)
		return 0;
	if ((qos->flags & QOS_REQUIRES_RESERVATION) && !*job->reservation)
		return err_set(&s->err, ERR_USAGE,
			"Invalid qos specification: QOS %s can only be used "
			"in a reservation: give reservation=",
			qos->name);
	if ((qos->flags & QOS_RELATIVE) &&
		limits_qos_of_partition(&s->site.conf, qos->name))
		return err_set(&s->err, ERR_USAGE,
			"Invalid qos specification: QOS %s is relative and a "
			"partition's, so no job's",
			qos->name);
	return 0;
}

int job_limits(struct session *s, const struct job *job)
{
	unsigned enforce = s->site.conf.enforce;
	struct limits limits;
	struct limits_of of = {job->assoc, job->qos, job_partition(s, job),
		job->user, job->account};
	struct limit_chain *chain;
	const struct qos *qos;
	int found;

	if (!job_state_pending(job->state) ||
		!(enforce & (ENFORCE_LIMITS | ENFORCE_QOS)))
		return 0;
	if (limits_open(&limits, &s->site, job->cluster, s->site.now,
		    LIMITS_SUBMITTED, &s->arena))
		return -1;
	found = limits_chain(&limits, &of, &chain, &qos);
	if (found < 0 || check_qos(s, job, qos))
		return -1;
	return found && (enforce & ENFORCE_LIMITS) ? refused(s, chain, job) : 0;
}
