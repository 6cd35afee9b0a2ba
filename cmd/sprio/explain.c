/*
 * sprio --explain: which jobs are just ahead of a job and why it is pending, as
 * far as the caller may see it (Slurm's
 * src/plugins/priority/multifactor/priority_multifactor.c).
 */
#include "cmd/sprio/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/bisect.h"
#include "common/base/privilege.h"
#include "common/cli/cli.h"
#include "common/text/reason.h"
#include "common/text/sluid.h"
#include "common/text/timespec.h"

enum { AHEAD = 5 }; /* how many jobs before it are shown */

struct jobs_telling {
	struct explained now;
	const struct privacy *privacy;
	const struct jobprio_row **line; /* of all jobs that wait, in order */
	size_t n_line;
	size_t told; /* jobs */
	bool remedies; /* what would help is told, too */
};

/* ---- jobs ahead ---------------------------------------------------------- */

bool sprio_goes_before(const struct jobprio_row *a, const struct jobprio_row *b)
{
	if (a->result.priority != b->result.priority)
		return a->result.priority > b->result.priority;
	if (a->job->submit != b->job->submit)
		return a->job->submit < b->job->submit;
	return a->job->id < b->job->id;
}

/* By partition, then the job that comes first. */
static int compare_rows(const void *a, const void *b)
{
	const struct jobprio_row *const *x = a, *const *y = b;
	int order = strcmp((*x)->partition, (*y)->partition);

	return order ? order
		     : sprio_goes_before(*y, *x) - sprio_goes_before(*x, *y);
}

/* The most that anything gives the other before this one, so far. */
struct lead {
	const char *name;
	double most;
};

static void compare_points(struct lead *lead, const char *name, double more)
{
	if (more > lead->most)
		*lead = (struct lead){name, more};
}

static const char *main_reason(
	const struct jobprio_row *other, const struct jobprio_row *row)
{
	const struct priority_result *a = &other->result, *b = &row->result;
	struct lead lead = {"submitted earlier", 0};

	if (a->direct || b->direct)
		return a->direct ? "set by hand" : "this one is set by hand";
	if (a->priority == b->priority)
		return lead.name;
	compare_points(
		&lead, "what it asks for (TRES)", a->tres_sum - b->tres_sum);
	for (size_t i = 0; i < PRIORITY_FACTORS; i++) {
		const struct explain_factor *factor = &explain_factors[i];
		enum priority_factor f = factor->factor;

		compare_points(&lead, factor->name, a->term[f] - b->term[f]);
	}
	compare_points(&lead, "site factor", a->site - b->site);
	compare_points(&lead, "nice", (double)b->nice - a->nice);
	return lead.name;
}

/* In the line: where the row's partition begins, where the row has its place,
 * what follows the partition. */
enum edge { BEGIN, ROW, BEHIND };

static bool is_before(const struct jobprio_row *other,
	const struct jobprio_row *row, enum edge edge)
{
	int order = strcmp(other->partition, row->partition);

	if (order || edge == BEGIN)
		return order < 0;
	return edge == BEHIND || sprio_goes_before(other, row);
}

static size_t find_in_line(const struct jobs_telling *t,
	const struct jobprio_row *row, enum edge edge)
{
	size_t low = 0, high = t->n_line;

	BISECT(low, high, at, is_before(t->line[at], row, edge));
	return low;
}

static void add_ahead(struct ahead *ahead, const struct jobs_telling *t,
	const struct jobprio_row *other, const struct jobprio_row *row)
{
	*ahead = (struct ahead){.priority = other->result.priority,
		.more = (int64_t)other->result.priority - row->result.priority,
		.mostly_by = main_reason(other, row)};
	if (!sprio_may_see(t->privacy, other->job))
		return;
	ahead->id = other->job->id;
	ahead->user = other->job->user;
	ahead->account = other->job->account;
}

/* A job that asks for several QOS has as many rows in the line; none is before
 * another. */
static void find_place(struct queued_line *line, const struct jobs_telling *t,
	const struct jobprio_rows *mine)
{
	const struct jobprio_row *row = line->prio;
	size_t begin = find_in_line(t, row, BEGIN);
	size_t at = find_in_line(t, row, ROW);
	struct ahead *v = arena_array(t->now.arena, AHEAD, sizeof(*v));

	line->place = at - begin + 1;
	line->of = find_in_line(t, row, BEHIND) - begin + 1;
	for (size_t i = 0; i < mine->n; i++)
		if (!strcmp(mine->v[i].partition, row->partition)) {
			line->place -= sprio_goes_before(&mine->v[i], row);
			line->of--;
		}
	while (at > begin && line->n < AHEAD)
		if (t->line[--at]->job != row->job)
			add_ahead(&v[AHEAD - ++line->n], t, t->line[at], row);
	line->ahead = v + AHEAD - line->n;
}

/* ---- what it waits for ---------------------------------------------------*/

static void add(struct waits *waits, const char *text, const char *reason)
{
	waits->v[waits->n++] =
		(struct wait_told){.text = text, .reason = reason};
}

static const char *limit_value(const struct explained *e,
	const struct limit_breach *breach, uint64_t amount)
{
	return limits_value(breach, amount, e->prio->tres, e->arena);
}

/* What limits such jobs before the pass starts any; NULL: nothing. */
static const struct limit_chain *chain_now(const struct explained *e,
	const struct sched_choice *choice, const struct qos **qos)
{
	struct site *site = e->site;
	const struct limits_of of = {e->job->assoc, choice->qos,
		conf_partition_by_name(&site->conf, choice->partition->name),
		e->job->user, e->job->account};
	bool began = store_begin_read(&site->store);
	struct limit_chain *chain = NULL;
	struct limits limits;

	if (limits_open(&limits, site, e->prio->cluster, e->plan->at,
		    LIMITS_RUNNING, &e->prio->qos, e->arena) ||
		limits_chain(&limits, &of, &chain, qos) < 0)
		cli_die(site->store.err);
	store_end_read(&site->store, began);
	return chain;
}

static void add_threshold(struct wait_told *wait, const struct explained *e,
	const struct sched_job *found)
{
	uint32_t index = shares_find(e->prio->index, e->job->assoc);
	const struct qos *qos = NULL;

	if (found->n_choices)
		chain_now(e, &found->choices[0], &qos);
	if (qos && index != UINT32_MAX)
		wait->text = arena_printf(e->arena,
			"its fair-share to rise: it is %.6f, below "
			"UsageThreshold=%g of QOS %s",
			shares_factor(&e->prio->shares, index),
			qos->usage_thres, qos->name);
}

static void add_use(struct wait_told *wait, const struct explained *e)
{
	const struct limit_breach *limit = &e->verdict.limit;
	const struct limit_chain *chain;
	const struct qos *qos;
	uint64_t now, soon;

	if (limit->minutes || limit->tres)
		wait->asked = limit_value(e, limit, limit->asked);
	if (!limit->shared)
		return;
	chain = chain_now(e, e->verdict.limited, &qos);
	now = chain ? limits_in_use(chain, limit) : 0;
	soon = limits_in_use(e->verdict.limited->limits, limit);
	wait->in_use = limit_value(e, limit, now);
	if (soon > now)
		wait->soon = limit_value(e, limit, soon);
}

/* Which limit it is, where it is set, and how much of it is left; of whom the
 * caller may not list only that. */
static void add_limit(struct wait_told *wait, const struct explained *e)
{
	const struct limit_breach *limit = &e->verdict.limit;

	wait->limit = limit->word;
	wait->value = limit_value(e, limit, limit->limit);
	wait->owner = limit->set_on->name;
	if (privacy_hides_text(&e->names, &e->site->store, wait->owner, "",
		    e->arena)) {
		wait->owner = "an account above";
		return;
	}
	if (limit->set_on != limit->level)
		wait->heir = limit->level->name;
	add_use(wait, e);
}

/* What the scheduling passes say of it. */
static void add_reason(struct waits *waits, const struct explained *e,
	const struct sched_job *found)
{
	const struct verdict *v = &e->verdict;
	struct wait_told *wait = &waits->v[waits->n];

	if (v->reason == REASON_DEPENDENCY)
		return; /* told in words of its own */
	add(waits, verdict_help(v, e->arena), plan_reason(e->plan, e->job));
	if (v->reason == REASON_QOS_USAGE_THRESHOLD)
		add_threshold(wait, e, found);
	else if (v->limited)
		add_limit(wait, e);
}

static struct waits waits_of(
	const struct explained *e, const struct sched_job *found)
{
	const struct job *job = e->job;
	struct waits waits = {.n = 0};

	if (reason_is_hold(e->verdict.reason))
		add(&waits, reason_help(e->verdict.reason, e->arena),
			reason_name(e->verdict.reason));
	if (*job->dependency)
		add(&waits,
			arena_printf(e->arena, "other jobs: dependency %s",
				job->dependency),
			e->verdict.reason == REASON_DEPENDENCY_NEVER
				? "DependencyNeverSatisfied"
				: "Dependency");
	if (job->eligible > e->site->now)
		add(&waits,
			arena_printf(e->arena, "its begin time, %s",
				time_format(e->arena, job->eligible, NULL,
					e->site->now)),
			"BeginTime");
	if (found && !reason_is_hold(e->verdict.reason) &&
		jobprio_listed(e->prio, job))
		add_reason(&waits, e, found);
	return waits;
}

/* ---- what would help -----------------------------------------------------*/

/* Some hundred plans are made for it: of more jobs they take many seconds. */
enum { MOST_JOBS = 1000 };

/* Also when it starts where the scheduler does not look so far. */
static void look_for_remedies(struct explained *e, const struct sched_job *found)
{
	struct verdict *v = &e->verdict;
	struct remedies *r = &e->remedies;

	*r = (struct remedies){.site = e->site,
		.plan = e->plan,
		.job = found,
		.arena = e->arena};
	if (plan_outcome(e->plan, found, &r->how, e->arena, &r->now) ||
		(e->plan->jobs.n <= MOST_JOBS &&
			remedies_try(r, e->site->store.err)))
		cli_die(e->site->store.err);
	if (e->plan->jobs.n > MOST_JOBS) {
		r->arena = NULL;
		cli_hint("splan --when=id=%" PRIu32 " says what would help",
			e->job->id);
	}
	if (v->when != VERDICT_BEYOND || !r->now.start)
		return;
	v->when = VERDICT_NOT_BEFORE;
	v->start = r->now.start;
}

/* ---- all -----------------------------------------------------------------*/

static bool is_meant(const struct jobs_telling *t, const struct job_id *wanted,
	const struct job *job)
{
	if (wanted->sluid)
		return wanted->sluid ==
		       sluid_make(t->now.prio->cluster, job->id, job->submit);
	return wanted->id == job->id ||
	       (job->array_job && wanted->id == job->array_job);
}

static const struct job *find_job(
	const struct jobs_telling *t, const struct job_id *wanted)
{
	const struct job_list *jobs = &t->now.plan->jobs;

	for (size_t i = 0; i < jobs->n; i++)
		if (is_meant(t, wanted, &jobs->v[i]) &&
			sprio_may_see(t->privacy, &jobs->v[i]))
			return &jobs->v[i];
	return NULL;
}

/* The rows of every pending job. */
static void collect(struct jobs_telling *t, struct arena *arena)
{
	const struct job_list *jobs = &t->now.plan->jobs;
	struct jobprio_rows rows = {0};

	for (size_t i = 0; i < jobs->n; i++)
		if (jobprio_listed(t->now.prio, &jobs->v[i]) &&
			job_state_pending(jobs->v[i].state))
			jobprio_rows(t->now.prio, &jobs->v[i], arena, &rows);
	t->n_line = rows.n;
	t->line = arena_array(arena, rows.n, sizeof(*t->line));
	for (size_t i = 0; i < rows.n; i++)
		t->line[i] = &rows.v[i];
	if (rows.n)
		qsort(t->line, rows.n, sizeof(*t->line), compare_rows);
}

/* Why a job that is not waiting cannot be explained. */
static int refuse(struct jobs_telling *t, const struct options *options)
{
	struct job job;
	int found = 0;

	if (options->explain.id)
		found = job_find(&t->now.site->store, t->now.prio->cluster,
			options->explain.id, 0, t->now.arena, &job);
	if (found < 0)
		cli_die(t->now.site->store.err);
	if (found && sprio_may_see(t->privacy, &job))
		cli_error("Job %s is not waiting: it is %s",
			options->explain_text, job_state_word(job.state));
	else
		cli_error("No job %s here", options->explain_text);
	return 1;
}

/* Tells of the next job, and forgets what that took. */
static void explain_job(struct jobs_telling *t, struct json_doc *doc)
{
	struct explained *e = &t->now;
	const struct sched_job *found = plan_find(e->plan, e->job);
	struct jobprio_rows mine = {0};

	jobprio_rows(e->prio, e->job, e->arena, &mine);
	e->n = mine.n;
	e->lines = arena_array(e->arena, e->n, sizeof(*e->lines));
	for (size_t i = 0; i < e->n; i++) {
		e->lines[i] = (struct queued_line){.prio = &mine.v[i]};
		if (jobprio_listed(e->prio, e->job))
			find_place(&e->lines[i], t, &mine);
	}
	e->verdict = (struct verdict){
		.when = VERDICT_OPEN, .since = e->job->submit};
	if (found)
		e->verdict = verdict_of(&e->plan->schedule, found);
	e->remedies = (struct remedies){.arena = NULL};
	if (t->remedies && found && !found->waits && !found->n_starts)
		look_for_remedies(e, found);
	e->waits = waits_of(e, found);
	if (doc) {
		json_write(doc, explain_record(e));
	} else {
		if (t->told++)
			puts("");
		explain_text(e);
	}
	arena_reset(e->arena);
}

static void explain_all(struct jobs_telling *t, struct json_doc *doc)
{
	const struct job_list *jobs = &t->now.plan->jobs;

	for (size_t i = 0; i < jobs->n; i++) {
		t->now.job = &jobs->v[i];
		if (job_state_pending(jobs->v[i].state) &&
			sprio_may_see(t->privacy, &jobs->v[i]))
			explain_job(t, doc);
	}
}

int sprio_explain(const struct options *options, struct site *site,
	const struct privacy *privacy, const char *cluster, struct arena *arena)
{
	void (*explain)(struct jobs_telling *, struct json_doc *) =
		options->explain_all ? explain_all : explain_job;
	struct plan plan;
	struct arena scratch;
	struct json_doc doc;
	struct jobs_telling t = {.privacy = privacy,
		.remedies = !options->explain_all && !options->at_text &&
			    !privilege_guards(),
		.now = {.site = site,
			.cluster = cluster,
			.plan = &plan,
			.prio = &plan.prio,
			.arena = &scratch}};

	if (privacy_open(&t.now.names, site, PRIVATE_NAMES, arena) ||
		plan_make(&plan, site, cluster, site->now, NULL, arena))
		cli_die(site->store.err);
	plan_backfill(&plan);
	arena_init(&scratch);
	if (!options->explain_all) {
		t.now.job = find_job(&t, &options->explain);
		if (!t.now.job || !job_state_pending(t.now.job->state))
			return refuse(&t, options);
	}
	collect(&t, arena);
	if (options->form) {
		json_begin(&doc, stdout, options->form, "explanations");
		explain(&t, &doc);
		cli_end_document(&doc, NULL);
	} else {
		explain(&t, NULL);
	}
	arena_release(&scratch);
	return 0;
}
