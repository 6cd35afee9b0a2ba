/*
 * What no pass can mend: partitions without nodes, jobs that fit nowhere. One
 * sentence each on standard error, beside the plan of the rest.
 */
#include <string.h>
#include <strings.h>

#include "cmd/splan/splan.h"

#include "common/cli/cli.h"
#include "common/conf/conf_lex.h"

enum { MOST = 10 }; /* jobs that are named */

/* ---- partitions ----------------------------------------------------------*/

static void remark_unknown_nodes(
	const struct conf *conf, const struct conf_partition *p)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->nodes.n; i++) {
		if (conf_node_by_name(conf, p->nodes.v[i]))
			continue;
		if (!n++)
			first = p->nodes.v[i];
	}
	if (n == 1)
		cli_error("partition %s: '%s' is not a node of slurm.conf",
			p->name, first);
	else if (n)
		cli_error("partition %s: '%s' and %zu more are not nodes of "
			  "slurm.conf",
			p->name, first, n - 1);
}

static bool is_wanted(const struct schedule *s, const struct sched_partition *p)
{
	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t c = 0; c < s->jobs[i].n_choices; c++)
			if (s->jobs[i].choices[c].partition == p)
				return true;
	return false;
}

static void remark_partition(
	const struct schedule *s, const struct sched_partition *p)
{
	if ((p->n_nodes && p->max_time) || !is_wanted(s, p))
		return;
	if (!p->n_nodes)
		cli_error("partition %s has no nodes; its jobs can never start",
			p->name);
	else
		cli_error("partition %s: MaxTime=0 lets no job run", p->name);
}

/* ---- jobs ----------------------------------------------------------------*/

static const struct conf_license *too_many_licenses(
	const struct plan *plan, const struct sched_job *job)
{
	const struct schedule *s = &plan->schedule;

	for (size_t i = 0; job->licenses && i < s->n_licenses; i++)
		if (job->licenses[i] > s->licenses[i])
			return &plan->site->conf.licenses[i];
	return NULL;
}

/* True: there was something to say. */
static bool remark_job(struct plan *plan, const struct sched_job *job)
{
	const char *id = splan_job_id(job, plan->arena);
	const struct conf_license *license = too_many_licenses(plan, job);
	const char *misfit = verdict_misfit(&plan->schedule, job, plan->arena);

	if (misfit)
		cli_error("job %s %s", id, misfit);
	else if (license)
		cli_error("job %s asks for more of license %s than there are",
			id, license->name);
	else
		return false;
	return true;
}

/* ---- what no plan here looks at (splan.1, NODES) -------------------------*/

#define AT_SUBMISSION ", only when a job is submitted"

static void ignored_partition(const struct conf_partition *p)
{
	const struct {
		bool set;
		const char *word, *where;
	} words[] = {
		{p->req_resv, "ReqResv", AT_SUBMISSION},
		{p->root_only, "RootOnly", AT_SUBMISSION},
		{p->max_mem_per_cpu, "MaxMemPerCPU", AT_SUBMISSION},
		{p->max_mem_per_node, "MaxMemPerNode", AT_SUBMISSION},
		{p->share_force && p->max_share > 1, "OverSubscribe=FORCE", ""},
	};

	for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
		if (words[w].set)
			cli_error("partition %s: %s is ignored by "
				  "the plan%s",
				p->name, words[w].word, words[w].where);
}

/* The first node of threads, where they are not CPUs of their own. */
static void ignored_threads(const struct conf *conf)
{
	const char *by = conf->select_type_parameters;

	if (!by || (!strcasestr(by, "CR_Core") && !strcasestr(by, "CR_Socket")))
		return;
	for (size_t i = 0; i < conf->n_nodes; i++)
		if (conf->nodes[i].threads > 1) {
			cli_error("node %s: ThreadsPerCore is ignored by the plan: "
				  "it allocates single CPUs",
				conf->nodes[i].name);
			return;
		}
	if (strcasestr(by, "CR_Socket"))
		cli_error("CR_Socket is ignored by the plan: it "
			  "allocates single CPUs");
}

static void ignored_topology(const struct conf *conf)
{
	const char *plugin = conf_pairs_get(&conf->all, "TopologyPlugin");

	if (plugin && strcasecmp(plugin, "topology/flat") &&
		strcasecmp(plugin, "topology/default"))
		cli_error("TopologyPlugin=%s is ignored by the plan",
			plugin);
}

static void ignored_job(const struct planned *p, const struct sched_job *job)
{
	const struct job *record = job->record;

	if (splan_shows(p, record) && strpbrk(record->constraints, "*"))
		cli_error("job %s: the number of nodes that it wants of each "
			  "feature is ignored by the plan",
			splan_job_id(job, p->plan.arena));
}

void print_ignored_words(const struct planned *p)
{
	const struct plan *plan = &p->plan;
	const struct conf *conf = &plan->site->conf;

	for (size_t i = 0; i < conf->n_partitions; i++)
		ignored_partition(&conf->partitions[i]);
	ignored_threads(conf);
	ignored_topology(conf);
	for (size_t i = 0; i < plan->schedule.n_jobs; i++)
		ignored_job(p, &plan->schedule.jobs[i]);
}

/* ---- all -----------------------------------------------------------------*/

void print_remarks(struct planned *p)
{
	struct plan *plan = &p->plan;
	const struct conf *conf = &plan->site->conf;
	const struct schedule *s = &plan->schedule;
	size_t named = 0;

	for (size_t i = 0; i < conf->n_partitions; i++)
		remark_unknown_nodes(conf, &conf->partitions[i]);
	for (size_t i = 0; i < s->n_partitions; i++)
		remark_partition(s, &s->partitions[i]);
	for (size_t i = 0; i < s->n_jobs && named < MOST; i++)
		named += !s->jobs[i].waits &&
			 splan_shows(p, s->jobs[i].record) &&
			 remark_job(plan, &s->jobs[i]);
	if (named == MOST)
		cli_error("there may be more jobs like these");
}
