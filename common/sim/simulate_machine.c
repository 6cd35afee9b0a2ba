/*
 * The machine of a simulation as a slurm.conf has it: part of simulate_slurm.h.
 */
#include "common/conf/conf.h"
#include "common/plan/schedule_conf.h"
#include "common/sim/simulate_slurm.h"
#include "common/text/reason.h"

uint64_t sim_machine_cpus(const struct conf *conf)
{
	uint64_t cpus = 0;

	for (size_t i = 0; i < conf->n_nodes; i++)
		if (!conf_node_is_down(&conf->nodes[i]))
			cpus += conf->nodes[i].cpus;
	return cpus;
}

static void make_nodes(struct sim_machine *machine, const struct conf *conf,
	struct arena *arena)
{
	struct sched_node *nodes =
		arena_array(arena, conf->n_nodes, sizeof(*nodes));

	for (size_t i = 0; i < conf->n_nodes; i++)
		nodes[i] = (struct sched_node){
			.name = conf->nodes[i].name,
			.cpus = conf->nodes[i].cpus,
			.down = conf_node_is_down(&conf->nodes[i]),
		};
	machine->nodes = nodes;
	machine->n_nodes = conf->n_nodes;
}

/* Nothing is submitted to a partition that is not up. */
static void make_partition(const struct conf *conf,
	const struct conf_partition *from, struct sched_partition *to,
	struct arena *arena)
{
	schedule_partition_of(conf, from, to, arena);
	to->refuses = from->state == PARTITION_UP ? REASON_NONE
						  : REASON_PARTITION_DOWN;
}

static const struct conf_partition *partition_of(const struct conf *conf,
	const struct strv *names, int64_t number)
{
	const struct conf_partition *p = NULL;

	if (number >= 0 && (size_t)number < names->n)
		p = conf_partition_by_name(conf, names->v[number]);
	if (!p)
		p = conf_default_partition(conf);
	return p ? p : conf->partitions;
}

static void map_queues(struct sim_machine *machine, const struct conf *conf,
	const struct trace_names *queues, const struct strv *names,
	struct arena *arena)
{
	uint32_t *to = arena_array(arena, queues->n + 1, sizeof(*to));

	for (size_t i = 0; i < queues->n; i++)
		to[i] = (uint32_t)(partition_of(conf, names,
					   queues->numbers[i]) -
				   conf->partitions);
	machine->partition_of = to;
}

int sim_machine_of_conf(struct sim_machine *machine, const struct conf *conf,
	const struct trace_names *queues, const struct strv *names,
	struct arena *arena, struct err *err)
{
	size_t n = conf->n_partitions;
	struct sched_partition *to = arena_array(arena, n, sizeof(*to));
	uint16_t *factors = arena_array(arena, n, sizeof(*factors));

	if (!n)
		return err_set(
			err, ERR_USAGE, "%s has no PartitionName", conf->path);
	make_nodes(machine, conf, arena);
	for (size_t i = 0; i < n; i++) {
		make_partition(conf, &conf->partitions[i], &to[i], arena);
		factors[i] = conf->partitions[i].priority_job_factor;
	}
	machine->partitions = to;
	machine->job_factors = factors;
	machine->n_partitions = n;
	map_queues(machine, conf, queues, names, arena);
	return 0;
}
