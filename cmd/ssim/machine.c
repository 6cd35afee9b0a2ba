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

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/reason.h"

/* ---- the configuration ---------------------------------------------------*/

/* --conf, else SLURM_CONF where it is set; no other file is looked for. */
int load_conf(struct session *s, struct variant *v)
{
	const char *path = v->path;

	if (!path)
		path = secure_getenv("SLURM_CONF");
	if (!path || !*path) {
		conf_defaults(&v->conf);
		return 0;
	}
	return conf_load_with(
		&v->conf, path, &s->site.registered, &s->arena, &s->err);
}

/* Is the machine that of a configuration? What the options say wins. */
static bool has_machine(const struct session *s, const struct variant *v)
{
	const struct options *o = &s->options;

	if (o->procs || o->nodes || o->cpus_per_node)
		return false;
	return v->path || (!o->file && v->conf.n_nodes);
}

/* ---- nodes of a number ---------------------------------------------------*/

enum { MOST_NODES = 1 << 17 };

/* As evenly as possible: the first ones get the remainder. */
static int machine_of_procs(struct session *s, struct variant *v)
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
	sim_machine_plain(&v->machine, n, procs / n, &s->arena);
	nodes = arena_array(&s->arena, n, sizeof(*nodes));
	memcpy(nodes, v->machine.nodes, n * sizeof(*nodes));
	for (uint32_t i = 0; i < procs % n; i++)
		nodes[i].cpus++;
	v->machine.nodes = nodes;
	return 0;
}

/* 0: unknown. */
static int64_t procs_of(const struct session *s, const struct variant *v)
{
	const struct options *o = &s->options;

	if (o->procs)
		return o->procs;
	if (o->nodes && o->cpus_per_node)
		return (int64_t)o->nodes * o->cpus_per_node;
	return has_machine(s, v) ? (int64_t)sim_machine_cpus(&v->conf) : 0;
}

int64_t machine_procs(struct session *s)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < s->n_variants; i++) {
		struct variant *v = &s->variants[i];
		int64_t procs = procs_of(s, v);

		if (v->path && !v->conf.n_nodes)
			return err_set(&s->err, ERR_USAGE, "%s has no NodeName",
				v->path);
		if (procs > INT32_MAX)
			return err_set(&s->err, ERR_USAGE,
				"%" PRId64 " processors are too many", procs);
		v->procs = (uint32_t)procs;
		least = smaller(least, procs);
	}
	return least;
}

/* ---- rules ---------------------------------------------------------------*/

static void tell(const struct session *s, const struct strv *remarks)
{
	for (size_t i = 0; !s->options.quiet && i < remarks->n; i++)
		fprintf(stderr, "ssim: warning: %s\n", remarks->v[i]);
}

/* What a trace knows, and what the site counts beside it: jobs have none. */
static const struct tres_catalog *make_catalog(
	struct session *s, const struct variant *of)
{
	static const char *const fixed[] = {"cpu", "mem", "energy", "node",
		"billing", "fs/disk", "vmem", "pages"};
	enum { FIXED = sizeof(fixed) / sizeof(*fixed) };
	const struct strv *more = &of->conf.tres;
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

static int read_weights(struct session *s, struct variant *v)
{
	const char *text = v->conf.policy.weights.tres;

	if (tres_weights_parse(text, make_catalog(s, v), &s->arena, &v->weights,
		    &s->err))
		return err_prefix(&s->err, "PriorityWeightTRES='%s'", text);
	return 0;
}

/* SchedulerParameters, and over them what the policy says. */
static int make_rules(struct session *s, struct replay *replay)
{
	struct variant *v = replay->variant;
	struct sim_slurm *slurm = arena_alloc(&s->arena, sizeof(*slurm));
	const char *policy = arena_printf(&s->arena, "slurm:%s",
		strv_join(&replay->words, ",", &s->arena));
	struct strv remarks = {0};

	*slurm = (struct sim_slurm){
		.policy = &v->conf.policy,
		.tres_weights = &v->weights,
		.machine = v->machine,
	};
	if (s->past.names)
		store_policy_use(&v->policy, slurm);
	if (backfill_read(&slurm->backfill, &v->conf, policy, &remarks,
		    &s->arena, &s->err))
		return err_prefix(&s->err, "%s", replay->label);
	slurm->backfill.cores = replay->cores;
	slurm->backfill.skip_same_shape = replay->skip_same_shape;
	tell(s, &remarks);
	replay->sim.policy = slurm;
	return 0;
}

/* With its first replay. */
static int make_machine(struct session *s, struct variant *v)
{
	struct strv remarks = {0};

	if (v->machine_known)
		return 0;
	v->machine_known = true;
	if (!v->changes)
		remark_not_simulated(
			v->conf.scheduler_parameters, &remarks, &s->arena);
	tell(s, &remarks);
	if (!v->changes)
		tell(s, &v->policy.remarks);
	if (read_weights(s, v))
		return -1;
	if (!has_machine(s, v))
		return machine_of_procs(s, v);
	return sim_machine_of_conf(&v->machine, &v->conf, &s->trace.queues,
		&s->queues, &s->arena, &s->err);
}

int prepare_slurm(struct session *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct replay *replay = &s->replays[i];

		if (!replay->variant->procs)
			replay->variant->procs = s->trace.procs;
		if (replay->policy == &sim_slurm_policy &&
			(make_machine(s, replay->variant) ||
				make_rules(s, replay)))
			return -1;
	}
	return 0;
}
