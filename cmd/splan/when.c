/*
 * splan --when: when a job would start if it were submitted now, where, and
 * what would bring it an earlier start (db/whatif/remedies.h). The job is
 * submitted in a copy of the store (db/whatif/whatif.h); the store itself is only
 * read.
 */
#include "cmd/splan/when.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "db/entity/cluster.h"
#include "db/whatif/whatif.h"

/* ---- words ---------------------------------------------------------------*/

/* What follows NAME= in "... NAME=value ..."; NULL: not there. */
static const char *value_of(
	const char *words, const char *name, struct arena *arena)
{
	size_t len = strlen(name);

	for (const char *w = words; *w; w += strcspn(w, " \t\n")) {
		w += strspn(w, " \t\n");
		if (!strncasecmp(w, name, len) && w[len] == '=')
			return arena_strndup(arena, w + len + 1,
				strcspn(w, " \t\n") - len - 1);
	}
	return NULL;
}

/* A job that waits already, and that the caller may see. */
static int check_known(struct when *w, struct site *site, const char *number)
{
	struct job job;
	char *end;
	unsigned long id = strtoul(number, &end, 10);
	int found = 0;

	if (end == number || *end || !id || id >= NO_VAL)
		return err_set(w->err, ERR_USAGE,
			"--when: id: '%s' is not the number of a job", number);
	found = job_find(&site->store, cluster_key(&site->store, site->cluster),
		(uint32_t)id, 0, &w->arena, &job);
	if (found < 0)
		return -1;
	if (!found || !splan_shows(w->p, &job))
		return err_set(w->err, ERR_USAGE, "--when: there is no job %s",
			number);
	if (!job_state_pending(job.state))
		return err_set(w->err, ERR_USAGE,
			"--when: job %s is not waiting: it is %s", number,
			job_state_word(job.state));
	w->id = (uint32_t)id;
	w->key = job.key;
	return 0;
}

/* ---- the job as asked for ------------------------------------------------*/

static bool earlier(const struct sched_job *a, const struct sched_job *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

/* Is the other one looked at first, in the partition of the choice? */
static bool comes_first(const struct sched_job *other,
	const struct sched_job *job, const struct sched_choice *choice)
{
	for (size_t i = 0; !other->waits && i < other->n_choices; i++) {
		const struct sched_choice *c = &other->choices[i];

		if (other != job && c->partition == choice->partition &&
			(c->priority > choice->priority ||
				(c->priority == choice->priority &&
					earlier(other, job))))
			return true;
	}
	return false;
}

/* CPUs in use there before the passes started anything. */
static uint32_t used_before(
	const struct schedule *s, const struct sched_node *node)
{
	uint32_t cpus = 0;

	for (size_t i = 0; i < node->jobs; i++) {
		const struct sched_share *share = &node->shares[i];
		const struct sched_running *r = &s->running[share->running];

		if (r->job >= s->jobs && r->job < s->jobs + s->n_jobs)
			continue;
		cpus += r->start.whole ? node->cpus : share->cpus;
	}
	return cpus < node->cpus ? cpus : node->cpus;
}

static void look_around(struct when *w, const struct sched_job *job,
	const struct sched_choice *choice)
{
	const struct schedule *s = &w->p->plan.schedule;
	struct around *a = &w->around;

	a->partition = arena_strdup(&w->arena, choice->partition->name);
	a->priority = choice->priority;
	a->nodes = choice->partition->n_nodes;
	for (size_t i = 0; i < a->nodes; i++) {
		const struct sched_node *node =
			&s->nodes[choice->partition->nodes[i]];
		uint32_t used = used_before(s, node);

		a->down += node->down;
		if (node->down)
			continue;
		a->idle += !used;
		a->cpus += node->cpus;
		a->free += node->cpus - used;
	}
	for (size_t i = 0; i < s->n_jobs; i++)
		a->before += comes_first(&s->jobs[i], job, choice);
}

static const struct sched_choice *choice_of(const struct sched_job *job)
{
	const struct sched_plan *plan = verdict_plan(job);

	if (job->n_starts)
		return job->starts->choice;
	return plan ? plan->choice : job->choices;
}

/* What it is in the planner's terms. */
static void see(struct when *w, const struct sched_job *job)
{
	const struct verdict v = verdict_of(&w->p->plan.schedule, job);
	const struct job *record = job->record;

	w->user = arena_strdup(&w->arena, record->user);
	w->account = arena_strdup(&w->arena, record->account);
	w->around.partition = arena_strdup(&w->arena, record->partition);
	w->begin = record->begin > w->p->at ? record->begin : 0;
	w->own_limit = record->time_limit != NO_VAL;
	w->help = verdict_help(&v, &w->arena);
	w->start = verdict_start_text(&v, NULL, w->p->at, &w->arena);
	if (job->n_choices)
		look_around(w, job, choice_of(job));
}

static int try_all(struct when *w, struct site *site)
{
	struct remedies *r = &w->found;
	const struct sched_job *job;

	if (splan_make(w->p, w->site, w->options, w->err))
		return -1;
	job = plan_find_key(&w->p->plan, w->key);
	if (!job)
		return err_set(w->err, ERR_USAGE,
			"--when: start=, end= and state= are for jobs that "
			"have started, not for one to be submitted");
	see(w, job);
	*r = (struct remedies){.site = site,
		.plan = &w->p->plan,
		.job = job,
		.words = w->words,
		.is_new = !w->id,
		.how = splan_how(w->options),
		.arena = &w->arena};
	return plan_outcome(r->plan, job, &r->how, r->arena, &r->now) ||
			       remedies_try(r, w->err)
		       ? -1
		       : 0;
}

/* ---- all -----------------------------------------------------------------*/

static int submit(struct when *w, struct site *site, struct whatif *what)
{
	const char *words = w->options->when, *number, *defaults = "";
	int64_t newest;

	words += strspn(words, " \t\n");
	if (!strncasecmp(words, "job ", 4))
		words += 4;
	number = value_of(words, "id", &w->arena);
	if (!number)
		number = value_of(words, "jobid", &w->arena);
	if (number && check_known(w, site, number))
		return -1;
	if (!number && !value_of(words, "user", &w->arena))
		defaults =
			arena_printf(&w->arena, "user=%s", site->caller.name);
	w->words = arena_printf(&w->arena, "%s %s", defaults, words);
	if (whatif_submit(
		    what, site, "--when", defaults, words, &newest, w->err))
		return -1;
	if (!number)
		w->key = newest;
	return 0;
}

static int check_site(struct when *w, const struct site *site)
{
	const struct conf *conf = &site->conf;

	if (conf->n_nodes && conf->n_partitions)
		return 0;
	return err_set(w->err, ERR_USAGE,
		"--when: %s has no %s line: nothing can be planned",
		conf->path ? conf->path : "the configuration",
		conf->n_nodes ? "PartitionName" : "NodeName");
}

int splan_when(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	struct when w = {.p = p, .options = options, .err = err};
	struct whatif what;
	int status;

	arena_init(&w.arena);
	if (check_site(&w, site) || submit(&w, site, &what)) {
		arena_release(&w.arena);
		return -1;
	}
	w.site = &what.site;
	status = try_all(&w, site);
	if (!status)
		print_when(&w);
	whatif_close(&what);
	arena_release(&w.arena);
	return status;
}
