/*
 * Usage of one cluster on its way to rows: the associations as a tree, and
 * what each used (cmd/sreport/usage.c).
 */
#pragma once

#include "cmd/sreport/sreport.h"

#define NO_NODE ((size_t)-1)

struct tree_node {
	struct rollup_assoc assoc;
	size_t parent; /* index of the account above */
};

struct key_index {
	int64_t key;
	size_t index;
};

struct tree_usage {
	const struct report_cluster *cluster;
	struct rollup_report report;
	struct tree_node *nodes; /* depth first, users before sub-accounts */
	size_t n;
	struct key_index *keys; /* ascending */
};

/* Whose rows the caller may see; `of`: PRIVATE_USAGE, PRIVATE_JOBS. */
struct privacy privacy_of(struct report_run *, unsigned of);

/* Reads all of it; ends the program when the store cannot be read. */
void tree_usage_read(struct report_run *, const struct report_cluster *,
	struct tree_usage *);

/* The associations alone. */
void tree_read(struct report_run *, const struct report_cluster *,
	struct tree_usage *);

bool usage_is_empty(const struct tree_usage *);
bool is_account(const struct tree_node *);

/* The node of an association, or NO_NODE. */
size_t usage_index(const struct tree_usage *, int64_t key);

/* ---- amounts ------------------------------------------------------------ */

int64_t amount_of(
	const struct rollup_report *, const int64_t *secs, uint32_t tres);
int64_t *new_secs(const struct tree_usage *, struct arena *);
void add_secs(const struct rollup_report *, int64_t *to, const int64_t *from);

/* Adds a row like this one for each TRES asked for. */
void add_rows(struct report_run *, struct rows *, const struct tree_usage *,
	const struct row *like, const int64_t *secs);

/* In a federation: merges rows that are alike. If `most` is not 0, sorts them
 * by use again, largest first, and keeps at most so many. */
void merge_rows(struct report_run *, struct rows *, size_t most);

/* ---- widths of Used and Energy ------------------------------------------ */

struct widths {
	int64_t used, energy;
};

/* `secs` of the first row of the cluster, NULL without rows. */
void note_width(const struct report_run *, const struct tree_usage *,
	const int64_t *secs, struct widths *);
void set_widths(struct report_run *, const struct widths *);

/* ---- names -------------------------------------------------------------- */

const char *qos_text(struct report_run *, uint32_t id); /* "" for 0 */
