/*
 * NodeName and NodeSet lines of slurm.conf. How many CPUs a node has when
 * the line says it only in part follows Slurm's own inference.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/conf/conf_reader.h"
#include "common/text/hostlist.h"

enum { EXPANDED_MAX = 1000000 };

#define LINE_AT(member) offsetof(struct node_line, member)

static const struct conf_key node_keys[] = {
	{"CPUs", conf_set_uint16, LINE_AT(cpus)},
	{"Procs", conf_set_uint16, LINE_AT(cpus)},
	{"Boards", conf_set_uint16, LINE_AT(boards)},
	{"Sockets", conf_set_uint16, LINE_AT(sockets)},
	{"SocketsPerBoard", conf_set_uint16, LINE_AT(sockets_per_board)},
	{"CoresPerSocket", conf_set_uint16, LINE_AT(cores)},
	{"ThreadsPerCore", conf_set_uint16, LINE_AT(threads)},
	{"RealMemory", conf_set_uint64, LINE_AT(real_memory)},
	{"Gres", conf_set_text, LINE_AT(gres)},
	{"Feature", conf_set_words, LINE_AT(features)},
	{"Features", conf_set_words, LINE_AT(features)},
	{"State", conf_set_text, LINE_AT(state)},
	{"Weight", conf_set_uint32, LINE_AT(weight)},
	{"TmpDisk", conf_set_uint32, LINE_AT(tmp_disk)},
	{"Port", conf_set_text, LINE_AT(port)},
	{"NodeAddr", conf_set_text, LINE_AT(address)},
	{"NodeHostname", conf_set_text, LINE_AT(host)},
};

void conf_nodes_start(struct conf_reader *reader)
{
	reader->node_defaults = (struct node_line){
		.cpus = NO_VAL16,
		.boards = 1,
		.sockets = NO_VAL16,
		.sockets_per_board = NO_VAL16,
		.cores = 1,
		.threads = 1,
		.real_memory = 1,
		.weight = 1,
	};
}

int conf_expand(struct conf_reader *reader, const char *text,
	const struct conf_pair *at, struct strv *names)
{
	size_t before = names->n;

	if (hostlist_expand(text, reader->arena, names, reader->err))
		return conf_err_at(reader->err, at->file, at->line);
	reader->expanded += names->n - before;
	if (reader->expanded <= EXPANDED_MAX)
		return 0;
	err_set(reader->err, ERR_USAGE,
		"more than %d node names in all, with \"%s\"", EXPANDED_MAX,
		text);
	return conf_err_at(reader->err, at->file, at->line);
}

/* --- Gres -------------------------------------------------------------- */

static int bad_gres(struct conf_reader *reader, const char *text)
{
	return err_set(
		reader->err, ERR_USAGE, "Bad GRES configuration: %s", text);
}

/* `4`, `16G`; -1 when it is neither. */
static int gres_count(const char *text, uint64_t *count)
{
	static const char units[] = "KMGTP";
	char *end;
	const char *unit;

	*count = strtoull(text, &end, 10);
	if (strspn(text, "0123456789") > 18)
		return -1;
	if (!*end)
		return 0;
	unit = strchr(units, toupper((unsigned char)*end));
	if (!unit || (end[1] && strcasecmp(end + 1, "B") &&
			     strcasecmp(end + 1, "iB")))
		return -1;
	for (; unit >= units; unit--)
		if (__builtin_mul_overflow(*count, (uint64_t)1024, count))
			return -1;
	return *count > INT64_MAX ? -1 : 0;
}

/* `name[:type][:no_consume][:count][(S:0-1)]`; `text` is cut to pieces. */
static int read_gres(
	struct conf_reader *reader, char *text, struct conf_gres *gres)
{
	char *whole = arena_strdup(reader->arena, text), *part;

	text[strcspn(text, "(")] = '\0';
	gres->name = strsep(&text, ":");
	gres->count = 1;
	if (!*gres->name)
		return bad_gres(reader, whole);
	while ((part = strsep(&text, ":"))) {
		bool counted = isdigit((unsigned char)*part) && !text;

		if (counted ? gres_count(part, &gres->count) : !*part)
			return bad_gres(reader, whole);
		if (!counted && strcasecmp(part, "no_consume"))
			gres->type = part;
	}
	return 0;
}

/* The end of the element at `text`: a comma outside parentheses. */
static char *element_end(char *text)
{
	bool inside = false;

	for (; *text && (inside || *text != ','); text++)
		inside = *text == '(' || (inside && *text != ')');
	return text;
}

static int read_gres_list(
	struct conf_reader *reader, const char *list, struct conf_node *node)
{
	char *text = arena_strdup(reader->arena, list), *end;
	struct conf_gres *v = NULL;
	size_t n = 0, cap = 0;
	bool more = text;

	for (; more; text = end + 1) {
		end = element_end(text);
		more = *end;
		*end = '\0';
		text += strspn(text, " \t");
		if (*text && read_gres(reader, text,
				     ARENA_PUSH(reader->arena, v, n, cap)))
			return -1;
	}
	node->gres = v;
	node->n_gres = n;
	return 0;
}

/* --- NodeName ---------------------------------------------------------- */

static uint32_t at_least_one(uint16_t n)
{
	return n ? n : 1;
}

/* All sockets of the node, when `cpus` (0: not given) are known or not. */
static uint32_t count_sockets(const struct node_line *line, uint32_t cpus)
{
	uint32_t boards = at_least_one(line->boards);
	uint32_t per_socket =
		at_least_one(line->cores) * at_least_one(line->threads);

	if (line->sockets_per_board != NO_VAL16)
		return boards * at_least_one(line->sockets_per_board);
	if (line->sockets != NO_VAL16)
		return at_least_one(line->sockets);
	if (cpus >= per_socket && cpus % per_socket == 0)
		return cpus / per_socket;
	return boards;
}

/* CPUs must count sockets, cores or threads; another number is dropped. */
static int count_cpus(struct conf_reader *reader, const struct node_line *line,
	struct conf_node *node)
{
	uint32_t cpus = line->cpus == NO_VAL16 ? 0 : at_least_one(line->cpus);
	uint64_t cores, threads;

	node->sockets = count_sockets(line, cpus);
	node->cores = at_least_one(line->cores);
	node->threads = at_least_one(line->threads);
	cores = (uint64_t)node->sockets * node->cores;
	if (__builtin_mul_overflow(cores, node->threads, &threads) ||
		threads > UINT16_MAX)
		return err_set(reader->err, ERR_USAGE,
			"more than %d CPUs in a node", UINT16_MAX);
	if (cpus != node->sockets && cpus != cores)
		cpus = (uint32_t)threads;
	node->cpus = cpus;
	return 0;
}

static int node_from_line(struct conf_reader *reader,
	const struct node_line *line, struct conf_node *node)
{
	*node = (struct conf_node){
		.real_memory = line->real_memory,
		.features = line->features,
		.state = line->state ? line->state : "UNKNOWN",
		.weight = line->weight,
		.boards = at_least_one(line->boards),
		.tmp_disk = line->tmp_disk,
		.port = line->port,
		.gres_text = line->gres,
	};
	if (count_cpus(reader, line, node))
		return -1;
	return read_gres_list(reader, line->gres, node);
}

/* A node that is defined again is what its last line says. */
static void put_node(struct conf_reader *reader, const char *name,
	const struct conf_node *node, const struct conf_pair *at)
{
	struct conf *conf = &reader->conf;
	size_t index;

	if (conf_index_find(&conf->node_index, name, &index)) {
		conf_say(reader, &conf->remarks,
			"%s:%d: node %s is defined again", at->file, at->line,
			name);
	} else {
		index = conf->n_nodes;
		(void)ARENA_PUSH(reader->arena, conf->nodes, conf->n_nodes,
			reader->cap_nodes);
		conf_index_add(&conf->node_index, reader->arena, name, index);
	}
	conf->nodes[index] = *node;
	conf->nodes[index].name = name;
}

/* Addresses are in the order of the nodes. Text that is not a host list (an
 * IPv6 address) is a single name. */
static void name_list(
	struct conf_reader *reader, const char *text, struct strv *names)
{
	struct err unused;

	if (text && hostlist_expand(text, reader->arena, names, &unused)) {
		*names = (struct strv){0};
		strv_push(names, reader->arena, text);
	}
}

/* Where they are fewer, the last one is that of all that follow. */
static const char *name_of(
	const struct strv *names, size_t index, const char *otherwise)
{
	if (!names->n)
		return otherwise;
	return names->v[index < names->n ? index : names->n - 1];
}

static int put_nodes(struct conf_reader *reader, const struct conf_pair *first,
	const struct node_line *line)
{
	struct conf_node node;
	struct strv names = {0}, addresses = {0}, hosts = {0};

	if (!strcasecmp(first->value, "ALL")) {
		err_set(reader->err, ERR_USAGE,
			"'%s' is a reserved word disallowed for use with "
			"NodeName",
			first->value);
		return conf_err_at(reader->err, first->file, first->line);
	}
	if (node_from_line(reader, line, &node))
		return conf_err_at(reader->err, first->file, first->line);
	if (conf_expand(reader, first->value, first, &names))
		return -1;
	name_list(reader, line->address, &addresses);
	name_list(reader, line->host, &hosts);
	for (size_t i = 0; i < names.n; i++) {
		node.host = name_of(&hosts, i, names.v[i]);
		node.address = name_of(&addresses, i, node.host);
		put_node(reader, names.v[i], &node, first);
	}
	return 0;
}

int conf_node_line(struct conf_reader *reader, const struct conf_line *text)
{
	const struct conf_pair *first = &text->pairs.v[0];
	struct node_line line = reader->node_defaults;

	for (size_t i = 1; i < text->pairs.n; i++)
		if (conf_take(reader, text, i, node_keys,
			    sizeof(node_keys) / sizeof(*node_keys), &line) < 0)
			return -1;
	if (strcasecmp(first->value, "DEFAULT"))
		return put_nodes(reader, first, &line);
	reader->node_defaults = line;
	return 0;
}

/* --- NodeSet ----------------------------------------------------------- */

int conf_nodeset_line(struct conf_reader *reader, const struct conf_line *text)
{
	const struct conf_pair *first = &text->pairs.v[0];
	struct nodeset *set = ARENA_PUSH(
		reader->arena, reader->sets, reader->n_sets, reader->cap_sets);

	set->name = first->value;
	set->nodes = conf_pairs_get(&text->pairs, "Nodes");
	set->feature = conf_pairs_get(&text->pairs, "Feature");
	if (!set->nodes)
		return 0;
	return conf_expand(reader, set->nodes, first, &set->members);
}
