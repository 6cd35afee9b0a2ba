/*
 * Who may record what (bursar-store(5)): root, SlurmUser, operators and
 * administrators everything; others their own jobs, where slurmdbd.conf has
 * AllowOwnJobRecords. What was changed by hand is in the transaction log.
 */
#include "db/record/record.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "db/entity/privacy.h"
#include "db/entity/user.h"
#include "db/store/txn.h"
#include "db/rows/members.h"

int rights_check(struct recording *s, const char *fact)
{
	bool own = s->site->dbd.allow_own_jobs;

	if (rights_level(s->site, &s->site->arena) >= ADMIN_OPERATOR)
		return 0;
	if (own && !strcmp(fact, "job")) {
		s->only_own = true;
		return 0;
	}
	return err_set(&s->err, ERR_DENIED,
		"%s is for root, SlurmUser, operators and administrators%s",
		fact,
		strcmp(fact, "job") ? ""
				    : " (slurmdbd.conf has no "
				      "AllowOwnJobRecords=yes)");
}

/* ---- jobs of one's own ---------------------------------------------------*/

static int denied(struct recording *s, const struct job *job, const char *why)
{
	return err_set(&s->err, ERR_DENIED, "job %" PRIu32 ": %s", job->id, why);
}

static bool is_own(const struct recording *s, const struct job *job)
{
	return !strcasecmp(job->user, s->site->caller.name);
}

/* A key that only an operator may give; NULL: none. */
static const char *reserved_key(
	const struct job_facts *facts, const struct job *before)
{
	if (facts->priority.given || facts->last_priority.given)
		return "priority is for operators and administrators";
	if (facts->site.given)
		return "site is for operators and administrators";
	if (facts->nice.given && facts->nice.v < 0)
		return "only operators and administrators take nice below 0";
	if (facts->admin_comment || facts->system_comment)
		return "that comment is for operators and administrators";
	if (facts->hold.given && (facts->hold.v == HOLD_ADMIN ||
					 (before && before->hold == HOLD_ADMIN)))
		return "that hold is for operators and administrators";
	return NULL;
}

int rights_own_job(struct recording *s, const struct job_facts *facts,
	const struct job *job, const struct job *before)
{
	const char *reserved;

	if (!s->only_own)
		return 0;
	if (!is_own(s, job) || (before && !is_own(s, before)))
		return denied(s, before ? before : job, "it is not yours");
	if (!job->assoc)
		return denied(s, job, "you are not in that account");
	reserved = reserved_key(facts, before);
	return reserved ? denied(s, job, reserved) : 0;
}

/* ---- the log -------------------------------------------------------------*/

void log_fact(struct recording *s, uint32_t action, const char *cluster,
	const char *name)
{
	s->log.action = action;
	s->log.cluster = cluster ? cluster : s->site->cluster;
	s->log.name = name;
}

/* Another's words about a job, or what contradicts the record of it: not what
 * goes on with a job from its submission to its end. */
bool job_is_corrected(const struct recording *s, const struct job_facts *facts,
	const struct job *before, const struct job *now)
{
	if (facts->killed_by && !is_own(s, now) && !s->site->caller.super)
		return true;
	return (before->end && !members_same(before, now, &job_members)) ||
	       (before->start && now->start && before->start != now->start) ||
	       strcmp(before->user, now->user) ||
	       strcmp(before->account, now->account);
}

int write_log(struct recording *s, char **words, int n)
{
	struct strv list = {0};

	if (!s->log.action)
		return 0;
	for (int i = 0; i < n; i++)
		strv_push(&list, &s->arena, words[i]);
	return txn_add(s->store, s->log.action, s->log.cluster, s->log.name,
		strv_join(&list, ", ", &s->arena));
}
