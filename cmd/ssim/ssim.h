/*
 * What the parts of ssim share: its options, the trace, the replays of it and
 * what is printed, written and drawn of them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "common/sim/compare.h"
#include "common/sim/metrics.h"
#include "common/sim/simulate.h"
#include "common/sim/simulate_slurm.h"
#include "common/sim/trace.h"
#include "common/table/json.h"
#include "common/table/grid.h"
#include "db/entity/site.h"
#include "db/view/trace.h"
#include "db/whatif/whatif.h"

/* What --svg draws. */
enum picture_kind { PICTURE_CURVES, PICTURE_GANTT, PICTURE_WAITS, PICTURES };

struct options {
	struct strv policies, confs, what_ifs;
	const char *file; /* "-": standard input; NULL: the store */
	uint32_t procs; /* 0: what the trace says */
	uint32_t nodes, cpus_per_node;
	struct sim_options sim;
	struct trace_rules rules;
	const char *from, *until; /* the window as typed */
	/* What is written beside the report. */
	const char *starts, *svg[PICTURES];
	const char *svg_usual; /* of --svg=FILE: which is not said */
	bool no_report; /* standard output has a picture */
	const char *compare; /* groups of jobs; NULL: metrics */
	const char *show;	       /* FROM,UNTIL of the pictures as typed */
	int64_t show_from, show_until; /* of the trace's time; 0: all */
	/* How the report looks. */
	const char *format;
	bool by_policy, heading, quiet;
	enum table_mode mode;
	enum json_form form;
};

/* How a site is run: a slurm.conf, and hypothetical changes of the store. */
struct variant {
	const char *label;    /* "": the only one, or as it is */
	const char *path;     /* of its slurm.conf; NULL: the site's */
	const char *changes;  /* of --what-if; NULL: none */
	struct site site;     /* without a file: with that slurm.conf */
	struct whatif whatif; /* where there are changes */
	bool tried;	      /* whatif is open */
	struct conf conf;
	struct store_policy policy; /* without a file */
	uint32_t procs;
	bool machine_known;
	struct sim_machine machine; /* of slurm */
	struct tres_weights weights;
};

/* One policy with its parameters over the trace. */
struct replay {
	const struct session *session; /* once all are made */
	const char *label;
	struct variant *variant;
	const struct sim_policy *policy;
	struct strv words; /* parameters of slurm, each a list of them */
	bool cores, skip_same_shape;
	struct sim_options sim;
	struct sim_result result;
	struct metrics metrics;
	uint64_t rows, jobs, procs; /* of the trace */
};

struct session {
	struct options options;
	struct trace trace;
	const char *source;	 /* of the trace, for people */
	struct strv queues;	 /* their names by number, as far as known */
	struct site site;	 /* without a file */
	struct store_trace past; /* its names are NULL with a file */
	struct variant *variants;
	size_t n_variants;
	struct replay *replays;
	size_t n, cap;
	struct arena arena;
	struct err err;
};

/* Fills the options from the command line; may end the program. */
void ssim_options(struct session *, int argc, char **argv);

/* Prints the names of the report's fields, a line each. */
void print_helpformat(void *options);
void offer_own_columns(struct completion *);

/* An SWF file into session->trace. */
int read_swf(struct session *);

/* The store's own history into session->trace: who and where by numbers, whose
 * names are in session->past.names. */
int read_store(struct session *);
void close_store(struct session *);

/* After the header, or the first job: --start, --end, --show. */
int set_window(struct session *);

/* Fills session->variants from --conf and --what-if; what they are is read
 * later. */
int make_variants(struct session *);

/* Fills session->replays from --policy. */
int make_replays(struct session *);

/* Adds a remark about words of SchedulerParameters that change nothing here. */
void remark_not_simulated(
	const char *parameters, struct strv *remarks, struct arena *);

/* Says in one line what jobs asked for that their replays do not have. */
void warn_not_simulated(const struct session *);

/* ---- the machine ---------------------------------------------------------*/

/* The slurm.conf of a replay of a file. */
int load_conf(struct session *, struct variant *);

/* Processors by the options, or by the slurm.conf files: of the smallest
 * machine, because every job must run on each. 0: take them from the trace; -1
 * with err. */
int64_t machine_procs(struct session *);

/* After the trace was read: nodes and rules of the replays under slurm. */
int prepare_slurm(struct session *);

/* ---- output --------------------------------------------------------------*/

/* Ends the program where --format names an unknown field. */
void check_format(struct session *);
void print_report(struct session *);

/* Starts the grid with the fields of --format, else those with one of the marks
 * `usual`, those without one of `unusual` (0: none), or for machines all. Ends
 * the program at an unknown one, of `whose`. */
void choose_fields(struct session *, struct grid *, const struct members *,
	unsigned usual, unsigned unusual, const char *whose);

/* The `n` records, each of `size` bytes, as a table whose columns are as wide
 * as their contents, up to `widest`; or as a document. */
void print_rows(const struct session *, struct grid *, const void *records,
	size_t size, size_t n, int widest);
void print_document(struct session *, const struct grid *, const char *name,
	const void *records, size_t size, size_t n);

/* ---- who waits longer: --compare, --svg=waits: ---------------------------*/

/* A group of jobs under one replay, against the first one. */
struct group_score {
	const char *by, *group;
	const struct replay *replay;
	bool first; /* this is the first */
	struct compare_group is;
};

struct comparisons {
	struct group_score *v; /* by group, in each by replay */
	size_t n, cap;
};

/* The groups that --compare names; false in err where one is unknown. */
int check_compare(struct session *);

void print_comparison(struct session *);
void print_compare_helpformat(void);
void draw_waits(struct session *, FILE *out, struct arena *);

int write_starts(struct session *);

/* --svg. */
int draw_pictures(struct session *);

/* "7", or the name where the trace has names. */
const char *user_name(const struct session *, uint32_t user, struct arena *);
