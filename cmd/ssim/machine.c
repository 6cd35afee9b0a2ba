/*
 * The machine and the rules of --policy=slurm: nodes that the trace's
 * processors make, or those of a slurm.conf; priorities and scheduler
 * parameters of a slurm.conf, else the defaults.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/reason.h"

/* ---- the configuration ---------------------------------------------------*/

/* --conf, else SLURM_CONF where it is set; no other file is looked for. */
int load_conf(struct session *s)
{
	const char *path = s->options.conf;

	if (!path)
		path = secure_getenv("SLURM_CONF");
	if (!path || !*path) {
		conf_defaults(&s->conf);
		return 0;
	}
	if (conf_load_with(&s->conf, path, &s->site.registered, &s->arena,
		    &s->err))
		return -1;
	if (s->options.conf && !s->conf.n_nodes)
		return err_set(&s->err, ERR_USAGE, "%s has no NodeName", path);
	return 0;
}

/* Is the machine that of a configuration? What the options say wins. */
static bool has_machine(const struct session *s)
{
	const struct options *o = &s->options;

	if (o->procs || o->nodes || o->cpus_per_node)
		return false;
	return o->conf || (!o->file && s->conf.n_nodes);
}

/* ---- nodes of a configuration --------------------------------------------*/

/* A queue of the trace is the partition of its name, else the default one. */
static void map_queues(struct session *s)
{
	const struct conf *conf = &s->conf;
	const struct conf_partition *other = conf_default_partition(conf);
	const struct trace_names *queues = &s->trace.queues;
	uint32_t *to = arena_array(&s->arena, queues->n + 1, sizeof(*to));

	for (size_t i = 0; i < queues->n; i++) {
		int64_t number = queues->numbers[i];
		const struct conf_partition *p = NULL;

		if (s->past.names)
			p = conf_partition_by_name(conf,
				name_of(s->past.names, NAME_PARTITION, number));
		else if (number >= 0 && (size_t)number < s->queues.n)
			p = conf_partition_by_name(conf, s->queues.v[number]);
		if (!p)
			p = other ? other : conf->partitions;
		to[i] = (uint32_t)(p - conf->partitions);
	}
	s->machine.partition_of = to;
}

static int machine_of_conf(struct session *s)
{
	if (sim_machine_of_conf(&s->machine, &s->conf, &s->arena, &s->err))
		return -1;
	map_queues(s);
	return 0;
}

/* ---- nodes of a number ---------------------------------------------------*/

enum { MOST_NODES = 1 << 17 };

/* As even as they go: the first get what is over. */
static int machine_of_procs(struct session *s)
{
	uint32_t procs = s->trace.procs, n = s->options.nodes;
	struct sched_node *nodes;

	if (!n && s->options.cpus_per_node)
		n = (procs + s->options.cpus_per_node - 1) /
		    s->options.cpus_per_node;
	if (!n || n > procs)
		n = procs;
	if (n > MOST_NODES)
		return err_set(&s->err, ERR_USAGE,
			"%" PRIu32 " nodes are too many for slurm; give "
			"--cpus-per-node",
			n);
	sim_machine_plain(&s->machine, n, procs / n, &s->arena);
	nodes = arena_array(&s->arena, n, sizeof(*nodes));
	memcpy(nodes, s->machine.nodes, n * sizeof(*nodes));
	for (uint32_t i = 0; i < procs % n; i++)
		nodes[i].cpus++;
	s->machine.nodes = nodes;
	return 0;
}

/* Processors that the options say; 0: the trace has to. */
int64_t machine_procs(const struct session *s)
{
	const struct options *o = &s->options;

	if (o->procs)
		return o->procs;
	if (o->nodes && o->cpus_per_node)
		return (int64_t)o->nodes * o->cpus_per_node;
	return has_machine(s) ? (int64_t)sim_machine_cpus(&s->conf) : 0;
}

/* ---- rules ---------------------------------------------------------------*/

static void tell(const struct session *s, const struct strv *remarks)
{
	for (size_t i = 0; !s->options.quiet && i < remarks->n; i++)
		fprintf(stderr, "ssim: warning: %s\n", remarks->v[i]);
}

/* What a trace knows, and what the site counts beside it: jobs have none. */
static const struct tres_catalog *make_catalog(struct session *s)
{
	static const char *const fixed[] = {"cpu", "mem", "energy", "node",
		"billing", "fs/disk", "vmem", "pages"};
	enum { FIXED = sizeof(fixed) / sizeof(*fixed) };
	const struct strv *more = &s->conf.tres;
	struct tres *v = arena_array(&s->arena, FIXED + more->n, sizeof(*v));
	struct tres_catalog *catalog = arena_alloc(&s->arena, sizeof(*catalog));

	for (size_t i = 0; i < FIXED + more->n; i++) {
		const char *text = i < FIXED ? fixed[i] : more->v[i - FIXED];
		size_t len = strcspn(text, "/");

		v[i].id = (uint32_t)(i < FIXED ? i + 1 : TRES_FIRST_SITE + i);
		v[i].type = arena_strndup(&s->arena, text, len);
		v[i].name = text[len] ? text + len + 1 : "";
	}
	*catalog = (struct tres_catalog){v, FIXED + more->n};
	return catalog;
}

static int read_weights(struct session *s)
{
	const char *text = s->conf.policy.weights.tres;

	if (tres_weights_parse(
		    text, make_catalog(s), &s->arena, &s->weights, &s->err))
		return err_prefix(&s->err, "PriorityWeightTRES='%s'", text);
	return 0;
}

/* SchedulerParameters, and over them what the policy says. */
static int make_rules(struct session *s, struct replay *replay)
{
	struct sim_slurm *slurm = arena_alloc(&s->arena, sizeof(*slurm));
	struct strv remarks = {0};

	if (!s->remarked)
		remark_not_simulated(
			s->conf.scheduler_parameters, &remarks, &s->arena);
	s->remarked = true;
	slurm->policy = &s->conf.policy;
	slurm->tres_weights = &s->weights;
	slurm->machine = s->machine;
	slurm->tree = s->past.tree;
	slurm->limits = s->past.chains ? store_trace_limits : NULL;
	slurm->arg = &s->past;
	sched_params_parse(&slurm->backfill.params,
		s->conf.scheduler_parameters, &remarks, &s->arena);
	for (size_t i = 0; i < replay->words.n; i++) {
		const char *text =
			arena_printf(&s->arena, "slurm:%s", replay->words.v[i]);

		if (backfill_policy_parse(&slurm->backfill, text, &s->err))
			return err_prefix(&s->err, "%s", replay->label);
	}
	slurm->backfill.cores = replay->cores;
	slurm->backfill.skip_same_shape = replay->skip_same_shape;
	sched_params_complete(&slurm->backfill.params, &remarks, &s->arena);
	tell(s, &remarks);
	replay->sim.policy = slurm;
	return 0;
}

int prepare_slurm(struct session *s)
{
	bool wanted = false;

	for (size_t i = 0; i < s->n; i++)
		wanted |= s->replays[i].policy == &sim_slurm_policy;
	if (!wanted)
		return 0;
	if (read_weights(s))
		return -1;
	if (has_machine(s) ? machine_of_conf(s) : machine_of_procs(s))
		return -1;
	for (size_t i = 0; i < s->n; i++)
		if (s->replays[i].policy == &sim_slurm_policy &&
			make_rules(s, &s->replays[i]))
			return -1;
	return 0;
}
