/*
 * scontrol show topology: switches or blocks of the topology.conf beside
 * slurm.conf, where TopologyPlugin names one, in the form of Slurm 26.05
 * (topology/tree, topology/block). Nothing else here looks at them.
 */
#include "cmd/scontrol/scontrol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/conf/conf_lex.h"
#include "common/text/hostlist.h"

/* A switch or a block. */
struct topology_unit {
	const char *name, *children;
	uint32_t level;
	uint64_t speed;
	struct strv nodes; /* of all below it */
};

struct topology {
	bool blocks;
	struct topology_unit *v;
	size_t n, cap;
};

static const char *plugin_of(const struct session *s)
{
	const char *plugin = conf_pairs_get(&s->site.conf.all, "TopologyPlugin");

	return plugin ? plugin : "topology/flat";
}

static void add_unit(struct session *s, struct topology *t,
	const struct conf_pairs *pairs)
{
	const char *nodes = conf_pairs_get(pairs, "Nodes");
	const char *speed = conf_pairs_get(pairs, "LinkSpeed");

	if (strcasecmp(pairs->v[0].key, t->blocks ? "BlockName" : "SwitchName"))
		return;
	*ARENA_PUSH(s->arena, t->v, t->n, t->cap) = (struct topology_unit){
		.name = pairs->v[0].value,
		.children = conf_pairs_get(pairs, "Switches"),
		.speed = speed ? strtoull(speed, NULL, 10) : 1,
		.nodes = hostlist_names(nodes ? nodes : "", s->arena)};
}

/* A switch has the nodes of those below it, and is one level above the highest
 * of them. `depth`: a file where one is below itself ends. */
static void fill(struct session *s, struct topology *t, struct topology_unit *u,
	size_t depth)
{
	struct strv names = hostlist_names(
		u->children && !u->level && depth ? u->children : "", s->arena);

	for (size_t i = 0; i < t->n; i++) {
		struct topology_unit *below = &t->v[i];

		if (!strv_has(&names, below->name))
			continue;
		fill(s, t, below, depth - 1);
		if (u->level <= below->level)
			u->level = below->level + 1;
		for (size_t n = 0; n < below->nodes.n; n++)
			strv_push(&u->nodes, s->arena, below->nodes.v[n]);
	}
}

static void load(struct session *s, struct topology *t)
{
	const char *conf = s->site.conf.path ? s->site.conf.path : "";
	const char *slash = strrchr(conf, '/');
	struct conf_lines lines = {0};

	t->blocks = !strcasecmp(plugin_of(s), "topology/block");
	if (conf_lex_file(arena_printf(s->arena, "%.*stopology.conf",
				  slash ? (int)(slash - conf) + 1 : 0, conf),
		    s->arena, &lines, &s->err))
		cli_die(&s->err);
	for (size_t i = 0; i < lines.n; i++)
		add_unit(s, t, &lines.v[i].pairs);
	for (size_t i = 0; i < t->n; i++)
		fill(s, t, &t->v[i], t->n);
}

/* ---- printing ------------------------------------------------------------*/

static void print_unit(
	struct session *s, const struct topology *t, const struct topology_unit *u)
{
	if (t->blocks)
		printf("BlockName=%s BlockIndex=%zu", u->name, (size_t)(u - t->v));
	else
		printf("SwitchName=%s Level=%" PRIu32 " LinkSpeed=%" PRIu64,
			u->name, u->level, u->speed);
	if (u->nodes.n)
		printf(" Nodes=%s", hostlist_fold(&u->nodes, s->arena));
	if (t->blocks)
		printf(" BlockSize=%zu", u->nodes.n);
	else if (u->children)
		printf(" Switches=%s", u->children);
	putchar('\n');
}

/* Has it all of the nodes? */
static bool has_all(const struct topology_unit *u, const struct strv *nodes)
{
	for (size_t i = 0; i < nodes->n; i++)
		if (!strv_has(&u->nodes, nodes->v[i]))
			return false;
	return true;
}

static void print_units(struct session *s, const struct topology *t,
	const char *nodes, const char *unit)
{
	struct strv names = hostlist_names(nodes, s->arena);
	bool any = false;

	for (size_t i = 0; i < t->n; i++) {
		const struct topology_unit *u = &t->v[i];

		if ((*unit && strcmp(u->name, unit)) || !has_all(u, &names))
			continue;
		print_unit(s, t, u);
		any = true;
	}
	if (!any && (*unit || *nodes))
		cli_error("Topology information contains no %s%s%s%s%s",
			t->blocks ? "block" : "switch", *unit ? " named " : "",
			unit, *nodes ? " with nodes " : "", nodes);
	else if (!any)
		cli_error("No topology information available");
}

static const char *value_of(const char *word, const char *names)
{
	const char *equals = strchr(word, '=');

	return equals && words_match(names, word, (size_t)(equals - word))
		       ? equals + 1
		       : NULL;
}

void show_topology(struct session *s, const char *name)
{
	const char *nodes = "", *unit = "";
	struct topology t = {0};

	(void)name;
	for (int i = 0; i < s->n_words; i++) {
		const char *of = value_of(s->words[i], "nodes:1");
		const char *named = value_of(
			s->words[i], "switch:1 block:1 ring:1 unit:1");

		if (!of && !named && strchr(s->words[i], '=')) {
			cli_say_error("Unknown argument %s", s->words[i]);
			return;
		}
		nodes = of ? of : nodes;
		unit = named ? named : unit;
	}
	scontrol_load(s);
	if (!strcasecmp(plugin_of(s), "topology/tree") ||
		!strcasecmp(plugin_of(s), "topology/block")) {
		load(s, &t);
		print_units(s, &t, nodes, unit);
	} else if (strcasecmp(plugin_of(s), "topology/flat")) {
		cli_error("show topology: only a controller knows this of %s, "
			  "and none is here", plugin_of(s));
		s->status = 1;
	}
}
