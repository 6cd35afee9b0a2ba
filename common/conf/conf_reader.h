/*
 * What the parts of the slurm.conf reader share while they read. Only they
 * include this header.
 */
#ifndef BURSAR_CONF_READER_H
#define BURSAR_CONF_READER_H

#include "common/conf/conf.h"
#include "common/conf/conf_key.h"

/* One NodeName line: what its nodes have in common. */
struct node_line {
	uint16_t cpus, boards, sockets, sockets_per_board, cores, threads;
	uint64_t real_memory;
	const char *gres, *state;
	struct strv features;
	uint32_t weight, tmp_disk;
	const char *port;	    /* or NULL */
	const char *address, *host; /* host lists, or NULL */
};

/* One PartitionName line: the partition, and what settles at its end. */
struct partition_line {
	struct conf_partition partition;
	uint16_t priority; /* NO_VAL16 when absent */
};

struct nodeset {
	const char *name, *nodes, *feature; /* the latter two or NULL */
	struct strv members;
};

struct conf_reader {
	struct conf conf;
	struct arena *arena;
	struct err *err;
	size_t cap_nodes, cap_partitions, cap_licenses;
	bool reset_given; /* PriorityUsageResetPeriod is there */
	struct node_line node_defaults;
	struct partition_line partition_defaults;
	struct nodeset *sets;
	size_t n_sets, cap_sets;
	size_t expanded; /* names that came out of host lists so far */
};

#define CONF_AT(member) offsetof(struct conf_reader, conf.member)

/* The rows of the Priority... keywords; records are struct conf_reader. */
extern const struct conf_key conf_policy_keys[];
extern const size_t conf_policy_n_keys;
void conf_policy_defaults(struct policy *);
int conf_policy_finish(struct conf_reader *);

/* NodeName, NodeSet and PartitionName lines. */
void conf_nodes_start(struct conf_reader *);
int conf_node_line(struct conf_reader *, const struct conf_line *);
int conf_nodeset_line(struct conf_reader *, const struct conf_line *);

void conf_partitions_start(struct conf_reader *);
int conf_partition_line(struct conf_reader *, const struct conf_line *);

/* Resolves the nodes of the partitions, once all lines are read. */
int conf_partitions_finish(struct conf_reader *);

/* hostlist_expand with a limit on what one configuration may hold; the error
 * names the place. */
int conf_expand(struct conf_reader *, const char *text,
	const struct conf_pair *, struct strv *names);

/* Adds to `list`, one of conf.warnings and conf.remarks. */
void conf_say(struct conf_reader *, struct strv *list, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
