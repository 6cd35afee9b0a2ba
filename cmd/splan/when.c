/*
 * splan --when: when a job would start if it were submitted now, where, and
 * what another time limit or size would change. The job is submitted in a copy
 * of the store (db/whatif/whatif.h), and both passes are made for each variant of it;
 * the store itself is only read.
 */
#include "cmd/splan/when.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/text/reason.h"
#include "db/entity/cluster.h"
#include "db/whatif/whatif.h"

/* Passes that look for the longest limit: of quick ones, of slow ones. */
enum { HALVINGS = 12, SLOW_HALVINGS = 4, SLOW = 100000 };

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
			"--when: job %s does not wait, it is %s", number,
			job_state_word(job.state));
	w->id = (uint32_t)id;
	w->key = job.key;
	return 0;
}

/* ---- one variant ---------------------------------------------------------*/

static void set_part(struct tres_list *list, struct arena *arena, uint32_t id,
	uint64_t from, uint64_t to)
{
	uint64_t count = tres_list_get(list, id);

	if (count < NO_VAL64)
		tres_list_set(list, arena, id, (count * to + from - 1) / from);
}

/* Memory and gres go with the nodes. */
static void resize(
	struct job *job, struct arena *arena, const struct advise_variant *v)
{
	uint32_t nodes = job->nodes_req ? job->nodes_req : 1;

	for (size_t i = 0; i < job->tres_req.n; i++)
		if (job->tres_req.v[i].id != TRES_CPU)
			set_part(&job->tres_req, arena, job->tres_req.v[i].id,
				nodes, v->nodes);
	if (job->mem_req < NO_VAL64)
		job->mem_req = (job->mem_req * v->nodes + nodes - 1) / nodes;
	tres_list_set(&job->tres_req, arena, TRES_CPU, v->cpus);
	tres_list_set(&job->tres_req, arena, TRES_NODE, v->nodes);
	job->nodes_max = job->nodes_max == job->nodes_req ? v->nodes : 0;
	job->cpus_req = v->cpus;
	job->nodes_req = v->nodes;
	job->tasks = job->tasks_per_node = 0;
}

static void apply(struct job *job, struct arena *arena, const void *arg)
{
	const struct advise_variant *v = arg;

	if (v->kind == ADVISE_TIME)
		job->time_limit = v->minutes;
	if (v->kind == ADVISE_TIME && job->time_min < NO_VAL &&
		job->time_min > v->minutes)
		job->time_min = v->minutes;
	if (v->kind == ADVISE_SIZE)
		resize(job, arena, v);
}

static const struct sched_job *find(const struct when *w)
{
	const struct plan *plan = &w->p->plan;

	for (size_t i = 0; i < plan->jobs.n; i++)
		if (plan->jobs.v[i].key == w->key)
			return plan_find(plan, &plan->jobs.v[i]);
	return NULL;
}

static void read_outcome(struct when *w, const struct sched_job *job,
	struct variant_outcome *out)
{
	const struct sched_plan *plan = verdict_plan(job);
	const struct sched_start *start = job->starts;

	*out = (struct variant_outcome){.nodelist = "", .reason = job->reason};
	if (job->n_starts) {
		out->start = w->p->at;
		out->nodelist = plan_nodelist(
			&w->p->plan, start->nodes, start->n_nodes, &w->arena);
		out->reason = REASON_NONE;
	} else if (plan) {
		out->start = plan->start;
		out->nodelist = plan_nodelist(
			&w->p->plan, plan->nodes, plan->n_nodes, &w->arena);
		out->far = !plan->reserved;
	}
}

/* Makes the passes with the variant in the queue; NULL with err. */
static const struct sched_job *plan_variant(
	struct when *w, const struct advise_variant *v, bool far)
{
	const struct plan_change change = {w->key, apply, v};
	const struct sched_job *job;
	int status;

	w->p->change = &change;
	w->p->far = far;
	status = splan_make(w->p, w->site, w->options, w->err);
	w->p->change = NULL;
	if (status)
		return NULL;
	job = find(w);
	if (!job)
		err_set(w->err, ERR_USAGE,
			"--when: a job that is submitted now waits: start=, "
			"end= and state= have no place here");
	return job;
}

/* What the scheduler keeps no nodes for is planned without its bounds, with
 * everybody in front of it; the reason is the scheduler's. */
static int try_variant(struct when *w, const struct advise_variant *v,
	struct variant_outcome *out,
	void (*see)(struct when *, const struct sched_job *))
{
	const struct sched_job *job = plan_variant(w, v, false);
	const struct sched_plan *plan;
	struct variant_outcome far;

	if (!job)
		return -1;
	if (see)
		see(w, job);
	read_outcome(w, job, out);
	plan = verdict_plan(job);
	if (job->n_starts || (plan && plan->reserved) || job->waits)
		return 0;
	job = plan_variant(w, v, true);
	if (!job)
		return -1;
	read_outcome(w, job, &far);
	far.reason = out->reason;
	if (far.start)
		*out = far;
	out->far = out->start != 0;
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

/* What its partition gives a job that asks for no limit; without a choice. */
static uint32_t usual_minutes(const struct when *w, const char *partition)
{
	return conf_minutes(
		conf_partition_by_name(&w->site->conf, partition), NO_VAL);
}

/* The first look: what it is in the planner's terms. */
static void see(struct when *w, const struct sched_job *job)
{
	const struct job *record = job->record;
	const struct sched_plan *plan = verdict_plan(job);
	const struct sched_choice *choice = job->choices;
	uint32_t minutes = job->time_limit;

	w->user = arena_strdup(&w->arena, record->user);
	w->account = arena_strdup(&w->arena, record->account);
	w->around.partition = arena_strdup(&w->arena, record->partition);
	w->begin = record->begin > w->p->at ? record->begin : 0;
	w->own_limit = record->time_limit != NO_VAL;
	if (plan)
		choice = plan->choice;
	if (job->n_starts)
		choice = job->starts->choice;
	if (!w->own_limit)
		minutes = usual_minutes(w, record->partition);
	if (job->n_choices) {
		if (!w->own_limit)
			minutes =
				(uint32_t)(schedule_seconds(job, choice) / 60);
		look_around(w, job, choice);
	}
	w->n = advise_variants(minutes, job->nodes, job->cpus, w->v);
	/* Nothing to gain, or nothing that another size would change. */
	if (job->n_starts || job->waits)
		w->n = 1;
}

/* ---- all variants --------------------------------------------------------*/

/* Starts closer than that are the same. */
static int64_t grain(const struct when *w)
{
	int64_t resolution = w->p->plan.backfill.params.bf_resolution;

	return resolution > 60 ? resolution : 60;
}

/* Where a shorter limit is best: how long may it be? */
static int find_enough(struct when *w)
{
	struct advise_variant v = w->v[w->best];
	int most = w->p->took < SLOW ? HALVINGS : SLOW_HALVINGS;
	uint32_t good = v.minutes, bad;
	int64_t wanted = w->out[w->best].start + grain(w);
	struct variant_outcome out;

	w->enough = good;
	if (v.kind != ADVISE_TIME || w->v[w->best - 1].minutes >= NO_VAL)
		return 0;
	bad = w->v[w->best - 1].minutes;
	for (int i = 0; i < most && bad - good > 1; i++) {
		v.minutes = good + (bad - good) / 2;
		if (try_variant(w, &v, &out, NULL))
			return -1;
		if (out.start && out.start <= wanted)
			good = v.minutes;
		else
			bad = v.minutes;
	}
	w->enough = good;
	return 0;
}

static int try_all(struct when *w)
{
	const struct advise_variant as_asked = {.kind = ADVISE_AS_ASKED};

	if (try_variant(w, &as_asked, &w->out[0], see))
		return -1;
	for (size_t i = 1; i < w->n; i++)
		if (try_variant(w, &w->v[i], &w->out[i], NULL))
			return -1;
	for (size_t i = 0; i < w->n; i++)
		w->v[i].start = w->out[i].start;
	w->best = advise_best(w->v, w->n, grain(w));
	return w->best ? find_enough(w) : 0;
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
	status = try_all(&w);
	if (!status)
		print_when(&w);
	whatif_close(&what);
	arena_release(&w.arena);
	return status;
}
