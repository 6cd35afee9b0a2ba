/*
 * Dependencies of waiting jobs: `afterok:5:6,afterany:7`, every one of them, or
 * `afterok:5?afterok:6`, any; `singleton`. Judged by what the store knows of
 * the jobs named; of an array every task counts.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/reason.h"
#include "db/view/plan_request.h"

enum dependence { MET, OPEN, NEVER };

static bool went_well(const struct job *job)
{
	return (job->state & JOB_BASE_MASK) == JOB_COMPLETED;
}

static enum dependence judge_after(
	const struct plan *plan, const struct job *job, long delay)
{
	if (job->end && !job->start)
		return MET;
	return job->start && job->start + delay * 60 <= plan->at ? MET : OPEN;
}

static enum dependence judge_any(
	const struct plan *plan, const struct job *job, long delay)
{
	(void)plan;
	(void)delay;
	return job->end ? MET : OPEN;
}

static enum dependence judge_ok(
	const struct plan *plan, const struct job *job, long delay)
{
	if (job->end && !went_well(job))
		return NEVER;
	return judge_any(plan, job, delay);
}

static enum dependence judge_not_ok(
	const struct plan *plan, const struct job *job, long delay)
{
	if (job->end && went_well(job))
		return NEVER;
	return judge_any(plan, job, delay);
}

static const struct {
	const char *word;
	enum dependence (*judge)(
		const struct plan *, const struct job *, long delay);
	enum dependence unknown; /* of a job no longer known */
} kinds[] = {
	{"after", judge_after, MET},
	{"afterany", judge_any, MET},
	{"afterok", judge_ok, NEVER},
	{"afternotok", judge_not_ok, NEVER},
	{"aftercorr", judge_ok, NEVER},
	{"afterburstbuffer", judge_any, MET},
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static enum dependence worse(enum dependence a, enum dependence b)
{
	return a > b ? a : b;
}

/* One `ID` or `ID+MINUTES`. */
static enum dependence judge_id(
	struct plan *plan, size_t kind, uint32_t id, long delay)
{
	struct job_ref ref = {id, NO_VAL};
	struct job_cond cond = {
		.cluster = plan->prio.cluster, .ids = &ref, .n_ids = 1};
	struct job_list list = {0};
	enum dependence all = MET;

	if (job_load(&plan->site->store, &cond, plan->arena, &list))
		return OPEN;
	for (size_t i = 0; i < list.n; i++)
		all = worse(all, kinds[kind].judge(plan, &list.v[i], delay));
	return list.n ? all : kinds[kind].unknown;
}

/* No other job of that name and user that came before is there any more. */
static enum dependence judge_singleton(
	const struct plan *plan, const struct job *job)
{
	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *other = &plan->jobs.v[i];

		if (other != job && other->id < job->id &&
			!strcmp(other->name, job->name) &&
			!strcmp(other->user, job->user))
			return OPEN;
	}
	return MET;
}

static enum dependence judge_ids(struct plan *plan, size_t kind, const char *ids)
{
	enum dependence all = MET;

	while (*ids == ':') {
		char *end;
		unsigned long id = strtoul(ids + 1, &end, 10);
		long delay = *end == '+' ? strtol(end + 1, &end, 10) : 0;

		all = worse(all, judge_id(plan, kind, (uint32_t)id, delay));
		ids = end + strcspn(end, ":");
	}
	return all;
}

/* An unknown word keeps the job pending until it is removed. */
static enum dependence judge_word(
	struct plan *plan, const struct job *job, const char *word)
{
	size_t len = strcspn(word, ":(");

	if (len == strlen("singleton") && !strncmp(word, "singleton", len))
		return judge_singleton(plan, job);
	for (size_t i = 0; i < KINDS; i++)
		if (strlen(kinds[i].word) == len && word[len] == ':' &&
			!strncmp(word, kinds[i].word, len))
			return judge_ids(plan, i, word + len);
	return OPEN;
}

unsigned plan_dependency(struct plan *plan, const struct job *job)
{
	static const unsigned reasons[] = {[MET] = REASON_NONE,
		[OPEN] = REASON_DEPENDENCY,
		[NEVER] = REASON_DEPENDENCY_NEVER};
	bool any = strchr(job->dependency, '?') != NULL;
	enum dependence all = any ? NEVER : MET;
	const char *text = job->dependency;

	while (*text) {
		size_t len = strcspn(text, ",?");
		enum dependence one = judge_word(
			plan, job, arena_strndup(plan->arena, text, len));

		if (any)
			all = one < all ? one : all;
		else
			all = worse(all, one);
		text += len + (text[len] != '\0');
	}
	return reasons[all];
}
