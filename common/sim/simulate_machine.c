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

int sim_machine_of_conf(struct sim_machine *machine, const struct conf *conf,
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
	return 0;
}
