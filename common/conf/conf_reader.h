/*
 * What the files of the slurm.conf reader (conf*.c) share; only they include
 * it. Functions that return int: 0, or -1 with reader->err set.
 */
#pragma once

#include "common/conf/conf.h"
#include "common/conf/conf_key.h"

/* A NodeName line: what its nodes have in common. NO_VAL16: not given. */
struct node_line {
	uint16_t cpus, boards, sockets, sockets_per_board, cores, threads;
	uint64_t real_memory;
	const char *gres, *state;
	struct strv features;
	uint32_t weight, tmp_disk;
	const char *port;	    /* or NULL */
	const char *address, *host; /* host lists, or NULL */
};

/* A PartitionName line: the partition, and Priority, which sets two of its
 * members at the end of the line. */
struct partition_line {
	struct conf_partition partition;
	uint16_t priority; /* NO_VAL16 when absent */
};

struct nodeset {
	const char *name, *nodes, *feature; /* the latter two may be NULL */
	struct strv members; /* names in `nodes`, without those by feature */
};

struct conf_reader {
	struct conf conf;
	struct arena *arena;
	struct err *err;
	size_t cap_nodes, cap_partitions, cap_licenses;
	bool reset_given; /* the file has PriorityUsageResetPeriod */
	struct node_line node_defaults; /* by NodeName=DEFAULT */
	struct partition_line partition_defaults; /* by PartitionName=DEFAULT */
	struct nodeset *sets;
	size_t n_sets, cap_sets;
	size_t expanded; /* names expanded from host lists so far */
};

/* The offset of a member of struct conf in struct conf_reader. */
#define CONF_AT(member) offsetof(struct conf_reader, conf.member)

/* conf_assign of the line's pair i; a key that Slurm does not have and that is
 * nearly one it has is noted in conf.hints. */
int conf_take(struct conf_reader *, const struct conf_line *, size_t i,
	const struct conf_key *, size_t n, void *record);

/* The rows of the Priority... keywords; their record is a struct conf_reader.
 */
extern const struct conf_key conf_policy_keys[];
extern const size_t conf_policy_n_keys;

/* The policy of a slurm.conf without Priority... keywords. */
void conf_policy_defaults(struct policy *);

/* Checks the policy when all lines are read: -1 if usage would neither decay
 * nor be reset; a warning if the weights may overflow. */
int conf_policy_finish(struct conf_reader *);

/* NodeName and NodeSet lines. conf_nodes_start sets the defaults. */
void conf_nodes_start(struct conf_reader *);
int conf_node_line(struct conf_reader *, const struct conf_line *);
int conf_nodeset_line(struct conf_reader *, const struct conf_line *);

/* PartitionName lines. conf_partitions_start sets the defaults. */
void conf_partitions_start(struct conf_reader *);
int conf_partition_line(struct conf_reader *, const struct conf_line *);

/* When all lines are read: resolves the nodes of the partitions and lets them
 * inherit the global memory defaults. */
int conf_partitions_finish(struct conf_reader *);

/* hostlist_expand, limited to 1,000,000 names in a configuration. An error
 * names the file and line of the pair. */
int conf_expand(struct conf_reader *, const char *text,
	const struct conf_pair *, struct strv *names);

/* Appends a printed message to `list`: conf.warnings or conf.remarks. */
void conf_say(struct conf_reader *, struct strv *list, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
