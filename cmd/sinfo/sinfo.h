/*
 * What the parts of sinfo share: its options, its rows and its columns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/cli/printout.h"
#include "common/cli/options.h"
#include "db/view/machine.h"

/* A state of -t; ~ or ! before it: not in it. */
struct state_asked {
	uint32_t state;
	bool not;
};

struct options {
	struct arena *arena;
	bool heading, all, dead, exact, future, long_list, by_node, reasons;
	bool responding, summary, reservations, no_convert;
	int verbose, iterate;
	const char *format_text, *format_long, *sort;
	bool own_format; /* none was asked for */
	bool format_asked; /* on the command line */
	const char *states_text;
	struct option_list partitions, nodes;
	struct option_clusters clusters;
	struct state_asked *states;
	size_t n_states, cap_states;
	bool any_state, every_state; /* -t all; a+b */
	bool csv;
	enum json_form form;
};

/* Fills the options from environment and command line; may end the program. */
void sinfo_options(struct options *, struct arena *, int argc, char **argv);

/* ---- rows ----------------------------------------------------------------*/

struct value_range {
	uint64_t least, most;
};

/* Nodes that look alike in all that is asked for. */
struct row {
	const struct machine *machine;
	const struct machine_partition *partition;
	const struct machine_node *first; /* NULL: it has none */
	struct strv names, hosts, addresses;
	uint32_t alloc, idle, other, total; /* nodes */
	uint32_t cpus_alloc, cpus_idle, cpus_other, cpus_total;
	struct value_range cpus, sockets, cores, threads, disk, memory, weight;
	uint64_t mem_alloc; /* of the last */
	const char *node_text; /* folded names */
	size_t order;
};

struct rows {
	struct row *v;
	size_t n, cap;
};

/* Rows of the nodes and partitions that were asked for. */
void sinfo_rows(struct rows *, const struct options *, const struct format *,
	const struct machine *, struct arena *);

/* By the keys, as "#P,-t"; letters that are no key are passed over. */
void sinfo_sort(struct rows *, const char *keys);

/* ---- columns -------------------------------------------------------------*/

/* Marks of a type. */
enum {
	TYPE_NODE = MEMBER_OWN_MARK, /* nodes that differ in it are apart */
	TYPE_PARTITION = MEMBER_OWN_MARK << 1, /* partitions that do */
	TYPE_SIZE = MEMBER_OWN_MARK << 2,      /* nodes, with -e */
	TYPE_NAMES = MEMBER_OWN_MARK << 3,     /* as wide as the longest */
	TYPE_NAME = MEMBER_OWN_MARK << 4,      /* the partition's, likewise */
	TYPE_WHOLE_HEADING = MEMBER_OWN_MARK << 5,
};

extern const struct members sinfo_types;

/* Takes the options' format apart; complains about what is unknown. */
void sinfo_format_read(
	struct format *, const struct options *, struct arena *);

/* Widens what shows names to the longest of them. */
void format_fit(struct format *, const struct rows *);

/* The row as a member of Slurm's `sinfo` list. */
struct json_object *row_record(const void *row, struct arena *);
