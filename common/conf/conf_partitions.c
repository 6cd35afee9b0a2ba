/*
 * PartitionName lines of slurm.conf (slurm.conf(5)).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/conf/conf_reader.h"

/* --- values ------------------------------------------------------------ */

static int set_state(const struct conf_assign *assign)
{
	static const char *const words[] = {
		[PARTITION_UP] = "UP",
		[PARTITION_DOWN] = "DOWN",
		[PARTITION_DRAIN] = "DRAIN",
		[PARTITION_INACTIVE] = "INACTIVE",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncasecmp(assign->value, words[i], strlen(words[i]))) {
			*(enum partition_state *)assign->member =
				(enum partition_state)i;
			return 0;
		}
	return conf_bad_value(assign);
}

/* What follows YES or FORCE: nothing (4 jobs share a node) or `:n`, where what
 * is not a number is 0. A number below `least` means NO, as in Slurm. */
static int read_share(const char *text, uint16_t least, bool force,
	struct conf_partition *partition)
{
	long n = 4;

	if (*text && *text != ':')
		return -1;
	if (*text)
		n = strtol(text + 1, NULL, 10);
	if (n > INT16_MAX)
		n = INT16_MAX;
	partition->share_force = force && n >= least;
	partition->max_share = n >= least ? (uint16_t)n : 1;
	return 0;
}

static int set_share(const struct conf_assign *assign)
{
	struct partition_line *line = assign->record;
	const char *text = assign->value;
	bool no = !strcasecmp(text, "NO");

	if (no || !strcasecmp(text, "EXCLUSIVE")) {
		line->partition.max_share = no;
		line->partition.share_force = false;
		return 0;
	}
	if (!strncasecmp(text, "YES", 3) &&
		!read_share(text + 3, 2, false, &line->partition))
		return 0;
	if (!strncasecmp(text, "FORCE", 5) &&
		!read_share(text + 5, 1, true, &line->partition))
		return 0;
	return err_set(assign->err, ERR_USAGE,
		"Bad value \"%s\" for OverSubscribe (use NO, YES, FORCE)",
		text);
}

/* Exclusive=NO|NODE|USER|TOPO; TOPO implies NODE. */
static int set_exclusive(const struct conf_assign *assign)
{
	struct partition_line *line = assign->record;
	struct conf_partition *partition = &line->partition;
	const char *text = assign->value;
	bool no = !strcasecmp(text, "NO") || !strcasecmp(text, "NONE");
	bool node = !strcasecmp(text, "NODE");
	bool user = !strcasecmp(text, "USER");
	bool topo = !strcasecmp(text, "TOPO");

	if (!no && !node && !user && !topo)
		return err_set(assign->err, ERR_USAGE,
			"Bad value \"%s\" for Exclusive= (use NO, NODE, USER, "
			"TOPO)",
			text);
	partition->exclusive_user = user;
	partition->exclusive_topo = topo;
	if (node || topo)
		partition->max_share = 0;
	else if (no && !partition->max_share)
		partition->max_share = 1;
	return 0;
}

#define LINE_AT(member) offsetof(struct partition_line, partition.member)

static const struct conf_key partition_keys[] = {
	{"Nodes", conf_set_text, LINE_AT(nodes_text)},
	{"Default", conf_set_bool, LINE_AT(is_default)},
	{"Hidden", conf_set_bool, LINE_AT(hidden)},
	{"RootOnly", conf_set_bool, LINE_AT(root_only)},
	{"ReqResv", conf_set_bool, LINE_AT(req_resv)},
	{"LLN", conf_set_bool, LINE_AT(lln)},
	{"ExclusiveUser", conf_set_bool, LINE_AT(exclusive_user)},
	{"ExclusiveTopo", conf_set_bool, LINE_AT(exclusive_topo)},
	{"Exclusive", set_exclusive, 0},
	{"State", set_state, LINE_AT(state)},
	{"MaxTime", conf_set_minutes, LINE_AT(max_time)},
	{"DefaultTime", conf_set_minutes, LINE_AT(default_time)},
	{"OverTimeLimit", conf_set_any_minutes16, LINE_AT(over_time_limit)},
	{"GraceTime", conf_set_uint32, LINE_AT(grace_time)},
	{"MinNodes", conf_set_uint32, LINE_AT(min_nodes)},
	{"MaxNodes", conf_set_uint32, LINE_AT(max_nodes)},
	{"MaxCPUsPerNode", conf_set_uint32, LINE_AT(max_cpus_per_node)},
	{"Priority", conf_set_uint16,
		offsetof(struct partition_line, priority)},
	{"PriorityJobFactor", conf_set_uint16, LINE_AT(priority_job_factor)},
	{"PriorityTier", conf_set_uint16, LINE_AT(priority_tier)},
	{"TRESBillingWeights", conf_set_text, LINE_AT(billing_weights)},
	{"QOS", conf_set_text, LINE_AT(qos)},
	{"PreemptMode", conf_set_text, LINE_AT(preempt_mode)},
	{"OverSubscribe", set_share, 0},
	{"Shared", set_share, 0},
	{"DefMemPerCPU", conf_set_uint64, LINE_AT(def_mem_per_cpu)},
	{"DefMemPerNode", conf_set_uint64, LINE_AT(def_mem_per_node)},
	{"MaxMemPerCPU", conf_set_uint64, LINE_AT(max_mem_per_cpu)},
	{"MaxMemPerNode", conf_set_uint64, LINE_AT(max_mem_per_node)},
	{"AllowAccounts", conf_set_names, LINE_AT(allow_accounts)},
	{"DenyAccounts", conf_set_lower_words, LINE_AT(deny_accounts)},
	{"AllowQos", conf_set_names, LINE_AT(allow_qos)},
	{"DenyQos", conf_set_lower_words, LINE_AT(deny_qos)},
	{"AllowGroups", conf_set_words, LINE_AT(allow_groups)},
	{"AllocNodes", conf_set_text, LINE_AT(alloc_nodes)},
	{"Alternate", conf_set_text, LINE_AT(alternate)},
	{"JobDefaults", conf_set_text, LINE_AT(job_defaults)},
	{"SelectTypeParameters", conf_set_text, LINE_AT(select)},
	{"DisableRootJobs", conf_set_bool, LINE_AT(no_root)},
	{"MaxCPUsPerSocket", conf_set_uint32, LINE_AT(max_cpus_per_socket)},
};

void conf_partitions_start(struct conf_reader *reader)
{
	reader->partition_defaults = (struct partition_line){
		.partition =
			{
				.state = PARTITION_UP,
				.max_time = INFINITE,
				.default_time = NO_VAL,
				.over_time_limit = NO_VAL,
				.max_nodes = INFINITE,
				.max_cpus_per_node = INFINITE,
				.max_cpus_per_socket = INFINITE,
				.priority_job_factor = 1,
				.priority_tier = 1,
				.max_share = 1,
			},
		.priority = NO_VAL16,
	};
}

/* --- what follows from the values -------------------------------------- */

static void prefer_allow(struct conf_reader *reader, const struct strv *allow,
	struct strv *deny, const char *what)
{
	if (!allow->n || !deny->n)
		return;
	*deny = (struct strv){0};
	conf_say(reader, &reader->conf.warnings,
		"Both Allow%s and Deny%s are defined, Deny%s will be ignored",
		what, what, what);
}

/* Of a pair of memory values that of the whole node wins. */
static void prefer_node(struct conf_reader *reader, const uint64_t *per_node,
	uint64_t *per_cpu, const char *which)
{
	if (!*per_node || !*per_cpu)
		return;
	*per_cpu = 0;
	conf_say(reader, &reader->conf.warnings,
		"%sMemPerCPU ignored, since it's mutually exclusive with "
		"%sMemPerNode",
		which, which);
}

static void settle(struct conf_reader *reader, struct partition_line *line)
{
	struct conf_partition *p = &line->partition;

	if (line->priority != NO_VAL16)
		p->priority_job_factor = p->priority_tier = line->priority;
	prefer_allow(reader, &p->allow_accounts, &p->deny_accounts, "Accounts");
	prefer_allow(reader, &p->allow_qos, &p->deny_qos, "Qos");
	prefer_node(reader, &p->def_mem_per_node, &p->def_mem_per_cpu, "Def");
	prefer_node(reader, &p->max_mem_per_node, &p->max_mem_per_cpu, "Max");
	if (p->allow_groups.n == 1 && strv_has_nocase(&p->allow_groups, "ALL"))
		p->allow_groups = (struct strv){0};
}

/* A partition keeps what its first line says. */
static void put_partition(struct conf_reader *reader,
	const struct partition_line *line, const struct conf_pair *at)
{
	struct conf *conf = &reader->conf;
	struct conf_partition *partition;

	if (conf_index_find(&conf->partition_index, at->value, NULL)) {
		conf_say(reader, &conf->remarks,
			"%s:%d: partition %s is there already, line ignored",
			at->file, at->line, at->value);
		return;
	}
	conf_index_add(&conf->partition_index, reader->arena, at->value,
		conf->n_partitions);
	for (size_t i = 0; line->partition.is_default && i < conf->n_partitions;
		i++)
		conf->partitions[i].is_default = false;
	partition = ARENA_PUSH(reader->arena, conf->partitions,
		conf->n_partitions, reader->cap_partitions);
	*partition = line->partition;
	partition->name = at->value;
	partition->file = at->file;
	partition->line = at->line;
}

int conf_partition_line(
	struct conf_reader *reader, const struct conf_line *text)
{
	const struct conf_pair *first = &text->pairs.v[0];
	struct partition_line line = reader->partition_defaults;

	for (size_t i = 1; i < text->pairs.n; i++)
		if (conf_take(reader, text, i, partition_keys,
			    sizeof(partition_keys) / sizeof(*partition_keys),
			    &line) < 0)
			return -1;
	if (!strcasecmp(first->value, "DEFAULT")) {
		reader->partition_defaults = line;
		return 0;
	}
	settle(reader, &line);
	put_partition(reader, &line, first);
	return 0;
}

/* --- nodes ------------------------------------------------------------- */

/* The names a partition has so far, each once. */
struct collection {
	struct conf_reader *reader;
	struct strv names;
	struct conf_index seen;
};

static void collect(struct collection *all, const char *name)
{
	struct strv *names = &all->names;
	struct arena *arena = all->reader->arena;

	if (conf_index_find(&all->seen, name, NULL))
		return;
	conf_index_add(&all->seen, arena, name, names->n);
	/* A copy of the pointer will do: names are never changed. */
	*ARENA_PUSH(arena, names->v, names->n, names->cap) =
		(char *)(uintptr_t)name;
}

static void collect_nodes(struct collection *all, const char *feature)
{
	const struct conf *conf = &all->reader->conf;

	for (size_t i = 0; i < conf->n_nodes; i++)
		if (!feature || strv_has(&conf->nodes[i].features, feature))
			collect(all, conf->nodes[i].name);
}

/* Every set of that name: the union of its nodes and its feature's. */
static bool collect_sets(struct collection *all, const char *name)
{
	const struct conf_reader *reader = all->reader;
	bool found = false;

	for (size_t i = 0; i < reader->n_sets; i++) {
		const struct nodeset *set = &reader->sets[i];

		if (strcmp(set->name, name))
			continue;
		found = true;
		for (size_t j = 0; j < set->members.n; j++)
			collect(all, set->members.v[j]);
		if (set->feature)
			collect_nodes(all, set->feature);
	}
	return found;
}

static void collect_name(struct collection *all, const char *name)
{
	if (!strcasecmp(name, "ALL"))
		collect_nodes(all, NULL);
	else if (conf_index_find(&all->reader->conf.node_index, name, NULL) ||
		 !collect_sets(all, name))
		collect(all, name);
}

/* Partitions often name the same nodes. */
static const struct conf_partition *find_twin(
	const struct conf *conf, const struct conf_partition *partition)
{
	const struct conf_partition *p = conf->partitions;

	for (; p < partition; p++)
		if (p->nodes_text &&
			!strcmp(p->nodes_text, partition->nodes_text))
			return p;
	return NULL;
}

static int resolve_nodes(
	struct conf_reader *reader, struct conf_partition *partition)
{
	struct conf_pair at = {
		.file = partition->file, .line = partition->line};
	const struct conf_partition *twin;
	struct collection all = {.reader = reader};
	struct strv typed = {0};

	if (!partition->nodes_text)
		return 0;
	twin = find_twin(&reader->conf, partition);
	if (twin) {
		partition->nodes = twin->nodes;
		return 0;
	}
	if (conf_expand(reader, partition->nodes_text, &at, &typed))
		return -1;
	for (size_t i = 0; i < typed.n; i++)
		collect_name(&all, typed.v[i]);
	partition->nodes = all.names;
	return 0;
}

static void inherit_memory(const struct conf *conf, struct conf_partition *p)
{
	if (!p->def_mem_per_cpu && !p->def_mem_per_node) {
		p->def_mem_per_cpu = conf->def_mem_per_cpu;
		p->def_mem_per_node = conf->def_mem_per_node;
	}
	if (!p->max_mem_per_cpu && !p->max_mem_per_node) {
		p->max_mem_per_cpu = conf->max_mem_per_cpu;
		p->max_mem_per_node = conf->max_mem_per_node;
	}
}

int conf_partitions_finish(struct conf_reader *reader)
{
	struct conf *conf = &reader->conf;

	prefer_node(
		reader, &conf->def_mem_per_node, &conf->def_mem_per_cpu, "Def");
	prefer_node(
		reader, &conf->max_mem_per_node, &conf->max_mem_per_cpu, "Max");
	for (size_t i = 0; i < conf->n_partitions; i++) {
		if (resolve_nodes(reader, &conf->partitions[i]))
			return -1;
		inherit_memory(conf, &conf->partitions[i]);
	}
	return 0;
}
