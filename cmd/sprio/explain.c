/*
 * sprio --explain: where the priority of one job comes from, which jobs are
 * just ahead of it and why it is pending, in words for a user who has never
 * read the manual (spec/priority.md 4).
 */
#include "cmd/sprio/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/cli/cli.h"
#include "common/text/reason.h"
#include "common/text/sluid.h"
#include "common/text/timespec.h"

enum { AHEAD = 5 }; /* how many jobs before it are shown */

/* ---- where the numbers come from -----------------------------------------*/

static const char *of_most(const struct telling *t, const char *what,
	double factor, uint32_t most, bool raw)
{
	if (raw)
		return arena_printf(t->arena, "%s %.0f", what, factor);
	return arena_printf(
		t->arena, "%s %.0f of at most %u", what, factor * most, most);
}

static const char *why_age(
	const struct telling *t, const struct jobprio_row *row)
{
	uint32_t most = t->site->conf.policy.max_age;
	double factor = row->result.factor[FACTOR_AGE];

	if (!jobprio_accrue(t->prio, t->job))
		return "none yet: as many jobs gather age as MaxJobsAccrue or "
		       "GrpJobsAccrue let";
	if (factor >= 1)
		return arena_printf(t->arena, "has waited %s or longer",
			duration_format(t->arena, most));
	return arena_printf(t->arena, "has waited %s, counts up to %s",
		duration_format(t->arena, (uint64_t)(factor * most + 0.5)),
		duration_format(t->arena, most));
}

static const char *why_assoc(
	const struct telling *t, const struct jobprio_row *row)
{
	return of_most(t, "priority of the association",
		row->result.factor[FACTOR_ASSOC],
		t->prio->context.max_assoc_priority,
		t->site->conf.policy.flags & PRIO_NO_NORMAL_ASSOC);
}

static const char *why_fairshare(
	const struct telling *t, const struct jobprio_row *row)
{
	(void)row;
	if (!t->job->assoc)
		return "no association";
	return arena_printf(t->arena, "sshare --explain -u %s -A %s",
		t->job->user, t->job->account);
}

static const char *why_job_size(
	const struct telling *t, const struct jobprio_row *row)
{
	const struct policy *policy = &t->site->conf.policy;

	(void)row;
	return arena_printf(t->arena, "%u of %u nodes, %u of %u CPUs%s%s",
		job_least_nodes(t->job), t->prio->context.nodes,
		t->job->cpus_req, t->prio->context.cpus,
		policy->flags & PRIO_SMALL_RELATIVE_TO_TIME ? ", by time limit"
							    : "",
		policy->favor_small ? ", small is good" : "");
}

static const char *why_partition(
	const struct telling *t, const struct jobprio_row *row)
{
	return of_most(t, "PriorityJobFactor",
		row->result.factor[FACTOR_PARTITION],
		t->prio->context.max_partition_factor,
		t->site->conf.policy.flags & PRIO_NO_NORMAL_PART);
}

static const char *why_qos(
	const struct telling *t, const struct jobprio_row *row)
{
	return of_most(t, "priority of the QOS", row->result.factor[FACTOR_QOS],
		t->prio->context.max_qos_priority,
		t->site->conf.policy.flags & PRIO_NO_NORMAL_QOS);
}

/* In the order in which they are told. */
static const struct factor {
	enum priority_factor factor;
	const char *name, *weight;
	const char *(*why)(const struct telling *, const struct jobprio_row *);
} factors[PRIORITY_FACTORS] = {
	{FACTOR_FAIRSHARE, "fair-share", "PriorityWeightFairshare",
		why_fairshare},
	{FACTOR_AGE, "age", "PriorityWeightAge", why_age},
	{FACTOR_QOS, "QOS", "PriorityWeightQOS", why_qos},
	{FACTOR_PARTITION, "partition", "PriorityWeightPartition",
		why_partition},
	{FACTOR_JOB_SIZE, "job size", "PriorityWeightJobSize", why_job_size},
	{FACTOR_ASSOC, "association", "PriorityWeightAssoc", why_assoc},
};

/* ---- the sum -------------------------------------------------------------*/

static void tell_line(const char *name, double weight, double factor,
	double points, const char *why)
{
	printf("  %-15s %10.0f  x  %.6f  = %12.2f  %s\n", name,
		no_minus_zero(weight, 0), no_minus_zero(factor, 6),
		no_minus_zero(points, 2), why);
}

static void tell_addend(const char *name, double points, const char *why)
{
	if (points < 0 || points > 0)
		printf("  %-42s %12.2f  %s\n", name, points, why);
}

static void tell_tres(const struct telling *t, const struct jobprio_row *row)
{
	bool raw = t->site->conf.policy.flags & PRIO_NO_NORMAL_TRES;

	for (size_t i = 0; i < row->result.n_tres; i++) {
		const struct priority_tres *part = &row->result.tres[i];
		const struct tres *tres = tres_by_id(t->prio->tres, part->id);

		if (tres && (part->term < 0 || part->term > 0))
			tell_line(tres_full_name(tres, t->arena), part->weight,
				part->factor, part->term,
				raw ? "as many as asked for"
				    : "part of what the partition has");
	}
}

/* Weights of 0 are worth knowing, too. */
static void tell_unweighted(const struct jobprio_row *row)
{
	const char *between = "  Without weight here: ";

	for (size_t i = 0; i < PRIORITY_FACTORS; i++) {
		if (row->result.weight[factors[i].factor])
			continue;
		printf("%s%s", between, factors[i].name);
		between = ", ";
	}
	if (*between == ',')
		putchar('\n');
}

static void tell_sum(const struct telling *t, const struct jobprio_row *row)
{
	const struct priority_result *r = &row->result;

	printf("  %-15s %10s     %-8s  %13s\n", "factor", "weight", "0 to 1",
		"points");
	for (size_t i = 0; i < PRIORITY_FACTORS; i++) {
		enum priority_factor f = factors[i].factor;

		if (r->weight[f])
			tell_line(factors[i].name, r->weight[f], r->factor[f],
				r->term[f], factors[i].why(t, row));
	}
	tell_tres(t, row);
	tell_addend("site factor", r->site, "set by the site");
	tell_addend("nice", -(double)r->nice, "asked for by --nice");
	printf("  %-42s %12.2f  -> priority %u%s\n", "sum", r->sum, r->priority,
		r->overflow  ? " (no more fits)"
		: r->sum < 1 ? " (the least)"
			     : "");
	tell_unweighted(row);
}

static void tell_formula(const struct telling *t, const struct jobprio_row *row)
{
	printf("\nIn partition %s under QOS %s: priority %u\n", row->partition,
		row->qos ? utf8_visible(t->arena, row->qos) : "(unknown)",
		row->result.priority);
	if (row->result.direct && t->job->hold == HOLD_NONE &&
		row->result.priority)
		puts("  set by hand; no factor counts until it is set back");
	else if (row->result.direct)
		puts("  held jobs have priority 0; no factor counts");
	else
		tell_sum(t, row);
}

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

const char *explain_main_reason(
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
		enum priority_factor f = factors[i].factor;

		compare_points(&lead, factors[i].name, a->term[f] - b->term[f]);
	}
	compare_points(&lead, "site factor", a->site - b->site);
	compare_points(&lead, "nice", (double)b->nice - a->nice);
	return lead.name;
}

static void tell_other(const struct telling *t, const struct jobprio_row *other,
	const struct jobprio_row *row)
{
	bool shown = sprio_may_see(t->privacy, other->job);
	double more = (double)other->result.priority - row->result.priority;

	printf("  %10u  %-12s %-12s %10u  %+11.0f  %s\n",
		shown ? other->job->id : 0,
		shown ? other->job->user : "(private)",
		shown ? other->job->account : "", other->result.priority, more,
		explain_main_reason(other, row));
}

/* In the line: where the row's partition begins, where the row has its place,
 * what follows the partition. */
enum edge { BEGIN, ROW, BEHIND };

static size_t find_in_line(const struct telling *t,
	const struct jobprio_row *row, enum edge edge)
{
	size_t low = 0, high = t->n_line;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct jobprio_row *other = t->line[middle];
		int order = strcmp(other->partition, row->partition);

		if (!order && edge != BEGIN)
			order = edge == BEHIND || sprio_goes_before(other, row)
					? -1
					: 1;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A job that asks for several QOS has as many rows; none is before another. */
static struct place without_own(const struct place *with, size_t behind,
	const struct jobprio_row *row, struct arena *arena)
{
	struct place place = {.of = 1,
		.ahead = arena_array(arena, with->n, sizeof(*place.ahead))};

	for (size_t i = 0; i < behind; i++) {
		if (with->ahead[i]->job->id == row->job->id)
			continue;
		place.of++;
		if (i < with->n)
			place.ahead[place.n++] = with->ahead[i];
	}
	return place;
}

struct place explain_place(
	const struct telling *t, const struct jobprio_row *row)
{
	size_t begin = find_in_line(t, row, BEGIN);
	size_t behind = find_in_line(t, row, BEHIND) - begin;
	struct place place = {.of = behind,
		.ahead = t->line + begin,
		.n = find_in_line(t, row, ROW) - begin};

	return t->mine.n == 1 ? place
			      : without_own(&place, behind, row, t->arena);
}

size_t explain_first_shown(const struct place *place)
{
	return place->n > AHEAD ? place->n - AHEAD : 0;
}

static void tell_place(const struct telling *t, const struct jobprio_row *row)
{
	struct place place = explain_place(t, row);

	printf("\nIn line for partition %s: place %zu of %zu\n", row->partition,
		place.n + 1, place.of);
	if (!place.n)
		return;
	printf("Just ahead of it:\n  %10s  %-12s %-12s %10s  %11s  %s\n", "job",
		"user", "account", "priority", "more", "mostly by");
	for (size_t i = explain_first_shown(&place); i < place.n; i++)
		tell_other(t, place.ahead[i], row);
}

/* ---- what it waits for ---------------------------------------------------*/

static const char *when(const struct telling *t, int64_t time)
{
	return time_format(t->arena, time, NULL, t->site->now);
}

static void add(struct waits *waits, const char *text, const char *reason)
{
	waits->v[waits->n++] = (struct wait){.text = text, .reason = reason};
}

/* An amount as the limit's value is written. */
static const char *limit_value(const struct telling *t,
	const struct limit_breach *breach, uint64_t amount)
{
	struct tres_list one = {0};

	if (breach->minutes && amount >= INFINITE)
		return "UNLIMITED";
	if (breach->minutes)
		return duration_format(t->arena, amount * 60);
	if (!breach->tres)
		return arena_printf(t->arena, "%" PRIu64, amount);
	tres_list_set(&one, t->arena, breach->tres, amount);
	return tres_list_format(&one, t->prio->tres, TRES_BY_ID, t->arena);
}

/* What limits such jobs before the pass starts any; NULL: nothing. */
static const struct limit_chain *chain_now(const struct telling *t,
	const struct sched_choice *choice, const struct qos **qos)
{
	struct site *site = t->site;
	const struct limits_of of = {t->job->assoc, choice->qos,
		conf_partition_by_name(&site->conf, choice->partition->name),
		t->job->user, t->job->account};
	bool began = store_begin_read(&site->store);
	struct limit_chain *chain = NULL;
	struct limits limits;

	if (limits_open(&limits, site, t->prio->cluster, t->plan->at,
		    LIMITS_RUNNING, t->arena) ||
		limits_chain(&limits, &of, &chain, qos) < 0)
		cli_die(site->store.err);
	store_end_read(&site->store, began);
	return chain;
}

static uint64_t in_use_now(const struct telling *t,
	const struct sched_choice *choice, const struct limit_breach *breach)
{
	const struct qos *qos;
	const struct limit_chain *chain = chain_now(t, choice, &qos);

	return chain ? limits_in_use(chain, breach) : 0;
}

static void add_threshold(struct wait *wait, const struct telling *t,
	const struct sched_job *found)
{
	uint32_t index = shares_find(t->prio->index, t->job->assoc);
	const struct qos *qos = NULL;

	if (found->n_choices)
		chain_now(t, &found->choices[0], &qos);
	if (qos && index != UINT32_MAX)
		wait->text = arena_printf(t->arena,
			"its fair-share to rise: it is %.6f, below "
			"UsageThreshold=%g of QOS %s",
			shares_factor(&t->prio->shares, index),
			qos->usage_thres, qos->name);
}

static void add_use(struct wait *wait, const struct telling *t,
	const struct sched_choice *choice, const struct limit_breach *breach)
{
	uint64_t now, soon;

	if (breach->minutes || breach->tres)
		wait->asked = limit_value(t, breach, breach->asked);
	if (!breach->shared)
		return;
	now = in_use_now(t, choice, breach);
	soon = limits_in_use(choice->limits, breach);
	wait->in_use = limit_value(t, breach, now);
	if (soon > now)
		wait->soon = limit_value(t, breach, soon);
}

/* Which limit it is, where it is set, and how much of it is left. */
static void add_limit(struct wait *wait, const struct telling *t,
	const struct sched_job *found)
{
	for (size_t i = 0; i < found->n_choices; i++) {
		const struct sched_choice *choice = &found->choices[i];
		const struct limit_job job = {.tres = choice->tres,
			.time_limit = found->time_limit,
			.tasks = 1};
		struct limit_breach breach;

		if (!choice->limits ||
			limits_start_breach(choice->limits, &job, &breach) !=
				found->reason ||
			!breach.level)
			continue;
		/* The reason has one name for both. */
		if (breach.shared && breach.lasting)
			wait->text = "a change: the limit would not let it "
				     "start if nothing else ran, either";
		wait->limit = breach.word;
		wait->value = limit_value(t, &breach, breach.limit);
		wait->owner = breach.set_on->name;
		if (breach.set_on != breach.level)
			wait->heir = breach.level->name;
		add_use(wait, t, choice, &breach);
		return;
	}
}

/* What a scheduling pass says of it. */
static void add_reason(struct waits *waits, const struct telling *t,
	const struct sched_job *found)
{
	unsigned reason = found->reason;

	if (reason == REASON_DEPENDENCY)
		return; /* told in words of its own */
	waits->starts_now = found->n_starts != 0;
	if (waits->starts_now) {
		add(waits, "nothing: there is room for it now", "None");
		return;
	}
	add(waits, reason_help(reason, t->arena), reason_name(reason));
	if (reason == REASON_QOS_USAGE_THRESHOLD)
		add_threshold(&waits->v[waits->n - 1], t, found);
	else
		add_limit(&waits->v[waits->n - 1], t, found);
}

struct waits explain_waits(const struct telling *t)
{
	const struct job *job = t->job;
	const struct sched_job *found = plan_find(t->plan, job);
	struct waits waits = {.n = 0};

	if (job->hold == HOLD_USER)
		add(&waits, reason_help(REASON_HELD_USER, t->arena),
			"JobHeldUser");
	if (job->hold == HOLD_ADMIN || (!job->hold && !job->priority))
		add(&waits, reason_help(REASON_HELD_ADMIN, t->arena),
			"JobHeldAdmin");
	if (*job->dependency)
		add(&waits,
			arena_printf(t->arena, "other jobs: dependency %s",
				job->dependency),
			found && found->reason == REASON_DEPENDENCY_NEVER
				? "DependencyNeverSatisfied"
				: "Dependency");
	if (job->eligible > t->site->now)
		add(&waits,
			arena_printf(t->arena, "its begin time, %s",
				when(t, job->eligible)),
			"BeginTime");
	if (found && jobprio_listed(t->prio, job))
		add_reason(&waits, t, found);
	return waits;
}

static void tell_limit(const struct wait *wait)
{
	printf("  the limit: %s=%s of %s", wait->limit, wait->value,
		wait->owner);
	if (wait->heir)
		printf(", inherited by %s", wait->heir);
	puts("");
	if (wait->in_use)
		printf("  in use: %s", wait->in_use);
	if (wait->soon)
		printf("; with what can start now: %s", wait->soon);
	if (wait->asked)
		printf("%s this job asks for %s", wait->in_use ? ";" : " ",
			wait->asked);
	if (wait->in_use || wait->asked)
		puts("");
}

static void tell_waiting(const struct telling *t)
{
	struct waits waits = explain_waits(t);

	puts("\nWhat it waits for:");
	for (size_t i = 0; i < waits.n; i++) {
		const struct wait *wait = &waits.v[i];

		printf(waits.starts_now ? "  %s\n" : "  %s (%s)\n", wait->text,
			wait->reason);
		if (wait->limit)
			tell_limit(wait);
	}
}

/* ---- all -----------------------------------------------------------------*/

static bool is_meant(const struct telling *t, const struct job_id *wanted,
	const struct job *job)
{
	if (wanted->sluid)
		return wanted->sluid ==
		       sluid_make(t->prio->cluster, job->id, job->submit);
	return wanted->id == job->id ||
	       (job->array_job && wanted->id == job->array_job);
}

static const struct job *find_job(
	const struct telling *t, const struct job_id *wanted)
{
	const struct job_list *jobs = &t->plan->jobs;

	for (size_t i = 0; i < jobs->n; i++)
		if (is_meant(t, wanted, &jobs->v[i]) &&
			sprio_may_see(t->privacy, &jobs->v[i]))
			return &jobs->v[i];
	return NULL;
}

/* The rows of every pending job. */
static void collect(struct telling *t, const struct job_list *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (jobprio_listed(t->prio, &jobs->v[i]))
			jobprio_rows(t->prio, &jobs->v[i], t->site_arena,
				&t->others);
	t->line = arena_array(
		t->site_arena, t->others.n, sizeof(*t->line));
	for (size_t i = 0; i < t->others.n; i++)
		if (job_state_pending(t->others.v[i].job->state))
			t->line[t->n_line++] = &t->others.v[i];
	if (t->n_line)
		qsort(t->line, t->n_line, sizeof(*t->line), compare_rows);
}

static void tell(struct telling *t)
{
	const struct job *job = t->job;

	printf("Job %u of %s in account %s, submitted %s\n", job->id, job->user,
		job->account, when(t, job->submit));
	for (size_t i = 0; i < t->mine.n; i++)
		tell_formula(t, &t->mine.v[i]);
	for (size_t i = 0; i < t->mine.n; i++)
		if (jobprio_listed(t->prio, job) &&
			(!i || strcmp(t->mine.v[i - 1].partition,
				       t->mine.v[i].partition)))
			tell_place(t, &t->mine.v[i]);
	tell_waiting(t);
}

/* Why a job that is not waiting cannot be explained. */
static int refuse(struct telling *t, const struct options *options)
{
	struct job job;
	int found = 0;

	if (options->explain.id)
		found = job_find(&t->site->store, t->prio->cluster,
			options->explain.id, 0, t->arena, &job);
	if (found < 0)
		cli_die(t->site->store.err);
	if (found && sprio_may_see(t->privacy, &job))
		cli_error("Job %s is not waiting: it is %s",
			options->explain_text, job_state_word(job.state));
	else
		cli_error("No job %s here", options->explain_text);
	return 1;
}

/* Tells of the next job, and forgets what that took. */
static void explain_job(struct telling *t, struct json_doc *doc)
{
	t->mine = (struct jobprio_rows){0};
	jobprio_rows(t->prio, t->job, t->arena, &t->mine);
	if (doc) {
		json_write(doc, explain_record(t));
	} else {
		if (t->told)
			puts("");
		tell(t);
	}
	t->told++;
	arena_reset(t->arena);
}

static void explain_all(struct telling *t, struct json_doc *doc)
{
	const struct job_list *jobs = &t->plan->jobs;

	for (size_t i = 0; i < jobs->n; i++) {
		t->job = &jobs->v[i];
		if (job_state_pending(t->job->state) &&
			sprio_may_see(t->privacy, t->job))
			explain_job(t, doc);
	}
}

static void explain_chosen(struct telling *t, struct json_doc *doc, bool all)
{
	if (all)
		explain_all(t, doc);
	else
		explain_job(t, doc);
}

static void explain_document(struct telling *t, const struct options *options)
{
	struct json_doc doc;

	json_begin(&doc, stdout, options->form, "explanations");
	explain_chosen(t, &doc, options->explain_all);
	cli_end_document(&doc, NULL);
}

int sprio_explain(const struct options *options, struct site *site,
	const struct privacy *privacy, const char *cluster,
	struct arena *arena)
{
	struct plan plan;
	struct arena scratch;
	struct telling t = {.site = site,
		.cluster = cluster,
		.plan = &plan,
		.prio = &plan.prio,
		.privacy = privacy,
		.site_arena = arena,
		.arena = &scratch};

	if (plan_make(&plan, site, cluster, site->now, arena))
		cli_die(site->store.err);
	arena_init(&scratch);
	if (!options->explain_all) {
		t.job = find_job(&t, &options->explain);
		if (!t.job || !job_state_pending(t.job->state))
			return refuse(&t, options);
	}
	collect(&t, &plan.jobs);
	if (options->form)
		explain_document(&t, options);
	else
		explain_chosen(&t, NULL, options->explain_all);
	if (!options->explain_all)
		cli_hint("splan --when=id=%" PRIu32 " says when it starts and "
			 "what would bring it earlier",
			t.job->id);
	arena_release(&scratch);
	return 0;
}
