/*
 * What a submission is refused for: limits of QOS and associations, QOS that
 * require a reservation, and wckeys, each where AccountingStorageEnforce says
 * so; and more nodes, memory or licenses than the partition has. Only a new
 * pending job is refused: one that has run is recorded as it was.
 */
#include "db/record/record.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/fair/limits.h"
#include "common/text/array_tasks.h"
#include "common/text/reason.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/view/limits.h"
#include "db/view/plan.h"

#define POLICY                                                                 \
	"Job violates accounting/QOS policy (job submit limit, user's size "   \
	"and/or time limits)"

static int refused(
	struct recording *s, const struct limit_chain *chain, struct job *job)
{
	struct limit_job in = {
		.tres = &job->tres_req,
		.time_limit = job->time_limit,
		.tasks = array_tasks_count(job->array_tasks),
	};
	unsigned reason = limits_submit(chain, &in);

	if (job->time_limit == NO_VAL)
		job->wall_limit = limits_wall(chain, &in);
	return reason ? err_set(&s->err, ERR_USAGE, "%s: " POLICY,
				reason_name(reason))
		      : 0;
}

static int check_qos(
	struct recording *s, const struct job *job, const struct qos *qos)
{
	if (!qos)
		return 0;
	if ((qos->flags & QOS_REQUIRES_RESERVATION) && !*job->reservation)
		return err_set(&s->err, ERR_USAGE,
			"Invalid qos specification: QOS %s can only be used "
			"in a reservation: give reservation=",
			qos->name);
	if ((qos->flags & QOS_RELATIVE) &&
		conf_partition_with_qos(&s->site->conf, qos->name, 0))
		return err_set(&s->err, ERR_USAGE,
			"Invalid qos specification: QOS %s is relative and a "
			"partition's, so no job's",
			qos->name);
	return 0;
}

static int check_policy(struct recording *s, struct job *job)
{
	unsigned enforce = s->site->conf.enforce;
	struct limits limits;
	struct limits_of of = {job->assoc, job->qos, job_partition(s, job),
		job->user, job->account};
	struct limit_chain *chain;
	const struct qos *qos;
	int found;

	if (!(enforce & (ENFORCE_LIMITS | ENFORCE_QOS)))
		return 0;
	if (limits_open(&limits, s->site, job->cluster, s->site->now,
		    LIMITS_SUBMITTED, NULL, &s->arena))
		return -1;
	found = limits_chain(&limits, &of, &chain, &qos);
	if (found < 0 || check_qos(s, job, qos))
		return -1;
	return found && (enforce & ENFORCE_LIMITS) ? refused(s, chain, job) : 0;
}

/* ---- what the store has -------------------------------------------------- */

/* Another partition whose nodes have it, in the words of the refusal. */
static const char *find_elsewhere(struct recording *s, const struct job *job)
{
	struct job moved = *job;
	struct strv others = {0};
	const char *found;

	moved.tres_req = tres_list_copy(&job->tres_req, &s->arena);
	if (job->mem_req == NO_VAL64) /* it is that partition's default */
		tres_list_remove(&moved.tres_req, TRES_MEM);
	record_other_partitions(&s->site->conf, job, &s->arena, &others);
	found = plan_possible(s->site, &moved, &others, false, &s->arena);
	return found ? arena_printf(&s->arena,
			       "those of partition %s have: partition=%s",
			       found, found)
		     : "NodeName of slurm.conf says what they have";
}

/* A held one is looked at when it is let go, and nothing is known of partitions
 * that slurm.conf does not have. */
static int check_nodes(struct recording *s, const struct job *job)
{
	const struct conf *conf = &s->site->conf;
	struct strv own = {0};
	bool known = false;

	strv_split(&own, &s->arena, job->partition);
	for (size_t i = 0; i < own.n; i++)
		known |= conf_partition_by_name(conf, own.v[i]) != NULL;
	if (job->hold || !known ||
		plan_possible(s->site, job, &own, true, &s->arena))
		return 0;
	return err_set(&s->err, ERR_USAGE,
		"Requested node configuration is not available: no nodes of "
		"partition %s have what it asks for together (%s)",
		job->partition, find_elsewhere(s, job));
}

/* ---- workload keys -------------------------------------------------------*/

static const struct wckey *find_wckey(
	const struct wckey_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (*name ? !strcmp(list->v[i].name, name)
			  : list->v[i].is_default)
			return &list->v[i];
	return NULL;
}

static int bad_wckey(struct recording *s, const struct job *job)
{
	if (!*job->wckey)
		return err_set(&s->err, ERR_USAGE,
			"Invalid wckey specification: user %s has no default "
			"wckey: give wckey=",
			job->user);
	return err_set(&s->err, ERR_USAGE,
		"Invalid wckey specification: user %s has no wckey %s: add it "
		"with 'sacctmgr add user %s wckey=%s'",
		job->user, job->wckey, job->user, job->wckey);
}

/* Its own, else the user's default, marked as not asked for. */
static int settle_wckey(struct recording *s, const char *cluster, struct job *job)
{
	const struct conf *conf = &s->site->conf;
	struct wckey_cond cond = {
		.clusters = STRV_ONE(cluster), .users = STRV_ONE(job->user)};
	struct wckey_list list = {0};
	const struct wckey *found;

	if (!conf->track_wckey)
		return 0;
	if (wckey_list(s->store, &cond, &s->arena, &list))
		return -1;
	found = find_wckey(&list, job->wckey);
	if (!found && (conf->enforce & ENFORCE_WCKEYS))
		return bad_wckey(s, job);
	if (!*job->wckey)
		job->wckey = arena_printf(
			&s->arena, "*%s", found ? found->name : "");
	return 0;
}

int job_limits(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	const char *cluster = facts->cluster ? facts->cluster : s->site->cluster;

	if (!job_state_pending(job->state))
		return 0;
	return any_failed(job_part_limits(s, cluster, job) ||
			  settle_wckey(s, cluster, job) ||
			  check_policy(s, job) || check_nodes(s, job));
}
