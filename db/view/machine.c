#include "db/view/machine.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/text/hostlist.h"
#include "common/text/jobstate.h"

/* ---- nodes ---------------------------------------------------------------*/

static struct machine_node *find_node(
	const struct machine *machine, const char *name)
{
	const struct conf *conf = &machine->site->conf;
	const struct conf_node *node = conf_node_by_name(conf, name);

	return node ? &machine->nodes[node - conf->nodes] : NULL;
}

const struct machine_node *machine_node(
	const struct machine *machine, const char *name)
{
	return find_node(machine, name);
}

/* Of each kind that slurm.conf gives the node, as far as the plan tells. */
static const char *gres_used(const struct machine *machine, size_t index,
	struct arena *arena)
{
	const struct conf_node *conf = &machine->site->conf.nodes[index];
	const struct schedule *s = &machine->plan.schedule;
	struct strv words = {0};

	for (size_t g = 0; g < conf->n_gres; g++) {
		const struct conf_gres *gres = &conf->gres[g];
		const char *name = gres->type ? arena_printf(arena, "%s:%s",
							gres->name, gres->type)
					      : gres->name;
		uint64_t used = 0;

		for (size_t k = 0; k < s->n_gres; k++)
			if (!strcasecmp(machine->plan.gres[k], name))
				used = s->nodes[index].gres_used[k];
		strv_push(&words, arena,
			arena_printf(arena, "%s%s%s:%" PRIu64, gres->name,
				gres && gres->type ? ":" : "",
				gres && gres->type ? gres->type : "", used));
	}
	return strv_join(&words, ",", arena);
}

static void make_nodes(struct machine *machine, struct arena *arena)
{
	const struct conf *conf = &machine->site->conf;

	machine->n_nodes = conf->n_nodes;
	machine->nodes = arena_array(
		arena, conf->n_nodes, sizeof(*machine->nodes));
	for (size_t i = 0; i < conf->n_nodes; i++)
		machine->nodes[i] = (struct machine_node){
			.machine = machine,
			.conf = &conf->nodes[i],
			.state = node_state_add(
				NODE_IDLE, conf->nodes[i].state),
			.gres_used = gres_used(machine, i, arena),
			.reason = "",
			.reason_user = "",
			.reservation = "",
			.comment = "",
			.extra = "",
			.instance_id = "",
			.instance_type = "",
		};
}

static void add_events(struct machine *machine)
{
	const struct event_list *list = &machine->plan.events;

	for (size_t i = 0; i < list->n; i++) {
		const struct event *event = &list->v[i];
		struct machine_node *node = find_node(machine, event->node);

		if (!node || event->start > machine->site->now)
			continue;
		node->state = node_state_add(node->state, event->state);
		node->reason = event->reason;
		node->reason_user = event->user;
		node->reason_time = event->start;
		node->extra = event->extra;
		node->instance_id = event->instance_id;
		node->instance_type = event->instance_type;
	}
}

static void add_reservation(struct machine *machine,
	const struct reservation *reservation, struct arena *arena)
{
	bool maintenance = strcasestr(reservation->flags, "MAINT");
	struct strv names;

	if (reservation->start > machine->site->now ||
		(reservation->end && reservation->end <= machine->site->now))
		return;
	names = hostlist_names(reservation->nodes, arena);
	for (size_t i = 0; i < names.n; i++) {
		struct machine_node *node = find_node(machine, names.v[i]);

		if (!node)
			continue;
		node->state |= NODE_RESERVED;
		if (maintenance)
			node->state |= NODE_MAINT;
		node->reservation = reservation->name;
	}
}

/* ---- what runs there -----------------------------------------------------*/

/* A suspended job has its memory only. */
static void add_job(struct machine *machine, size_t i, struct arena *arena)
{
	const struct job *job = &machine->plan.jobs.v[i];
	bool runs = (job->state & JOB_BASE_MASK) == JOB_RUNNING;
	struct strv names;
	const struct plan_layout *layout = &machine->plan.layouts[i];

	if (!job_state_started(job->state))
		return;
	names = hostlist_names(job->nodelist, arena);
	for (size_t k = 0; k < names.n; k++) {
		struct machine_node *node = find_node(machine, names.v[k]);

		if (!node)
			continue;
		if (job->state & JOB_COMPLETING)
			node->state |= NODE_COMPLETING;
		if (layout->n != names.n)
			continue;
		node->cpus_alloc += runs ? layout->cpus[k] : 0;
		node->mem_alloc += layout->mem[k];
	}
}

static void settle(struct machine_node *node)
{
	uint32_t base = node->state & NODE_BASE_MASK;

	if (node->cpus_alloc > node->conf->cpus)
		node->cpus_alloc = node->conf->cpus;
	if (base != NODE_IDLE || !node->cpus_alloc)
		return;
	node->state &= ~(uint32_t)NODE_BASE_MASK;
	node->state |= node->cpus_alloc < node->conf->cpus ? NODE_MIXED
							   : NODE_ALLOCATED;
}

/* ---- partitions ----------------------------------------------------------*/

static void add_partition(struct machine *machine, size_t index,
	struct arena *arena)
{
	struct machine_partition *p = &machine->partitions[index];

	p->machine = machine;
	p->conf = &machine->site->conf.partitions[index];
	p->index = index;
	p->nodes = arena_array(arena, p->conf->nodes.n, sizeof(*p->nodes));
	p->node_text = hostlist_fold(&p->conf->nodes, arena);
	for (size_t i = 0; i < p->conf->nodes.n; i++) {
		struct machine_node *node =
			find_node(machine, p->conf->nodes.v[i]);

		if (!node)
			continue;
		p->nodes[p->n_nodes++] = node;
		p->cpus += node->conf->cpus;
		strv_push(&node->partitions, arena, p->conf->name);
	}
}

const struct machine_partition *machine_partition(
	const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->n_partitions; i++)
		if (!strcmp(machine->partitions[i].conf->name, name))
			return &machine->partitions[i];
	return NULL;
}

/* ---- which are shown ----------------------------------------------------- */

/* Reservations are those of their associations; without knowing whose they are
 * others see none. */
static int hide(struct machine *machine, struct arena *arena)
{
	struct privacy nodes, partitions, reservations, events;
	struct site *site = machine->site;

	if (privacy_open(&nodes, site, PRIVATE_NODES, arena) ||
		privacy_open(&partitions, site, PRIVATE_PARTITIONS, arena) ||
		privacy_open(&reservations, site, PRIVATE_RESERVATIONS, arena) ||
		privacy_open(&events, site, PRIVATE_EVENTS, arena))
		return -1;
	machine->nodes_private = nodes.on;
	for (size_t i = 0; i < machine->n_partitions; i++) {
		struct machine_partition *p = &machine->partitions[i];

		p->allowed = !partitions.on;
		p->shown = p->allowed && !p->conf->hidden;
	}
	if (nodes.on)
		machine->n_nodes = 0;
	if (reservations.on)
		machine->plan.reservations.n = 0;
	for (size_t i = 0; i < machine->n_nodes; i++) {
		struct machine_node *node = &machine->nodes[i];

		if (reservations.on)
			node->reservation = "";
		if (events.on)
			node->reason = node->reason_user = "";
	}
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

int machine_load(struct machine *machine, struct site *site,
	const char *cluster, struct arena *arena)
{
	*machine = (struct machine){.site = site, .cluster = cluster};
	if (strcmp(cluster, site->cluster))
		return err_set(site->store.err, ERR_USAGE,
			"nothing is known of the nodes of cluster %s: %s "
			"describes %s",
			cluster, site->conf.path, site->cluster);
	if (plan_look(&machine->plan, site, cluster, site->now, arena))
		return -1;
	make_nodes(machine, arena);
	add_events(machine);
	for (size_t i = 0; i < machine->plan.reservations.n; i++)
		add_reservation(
			machine, &machine->plan.reservations.v[i], arena);
	for (size_t i = 0; i < machine->plan.jobs.n; i++)
		add_job(machine, i, arena);
	for (size_t i = 0; i < machine->n_nodes; i++)
		settle(&machine->nodes[i]);
	machine->n_partitions = machine->site->conf.n_partitions;
	machine->partitions = arena_array(
		arena, machine->n_partitions, sizeof(*machine->partitions));
	for (size_t i = 0; i < machine->n_partitions; i++)
		add_partition(machine, i, arena);
	return hide(machine, arena);
}
