/*
 * What the parts of sacct share: options, rows, fields (Slurm's src/sacct).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/table/grid.h"
#include "common/table/json.h"
#include "common/text/value.h"
#include "db/entity/site.h"
#include "db/job/history.h"

/* ---- units (spec 1.3) ----------------------------------------------------*/

enum unit { UNIT_NONE, UNIT_KILO, UNIT_MEGA, UNIT_GIGA, UNIT_TERA, UNIT_PETA };

struct units {
	int forced; /* enum unit of --units; -1: as it comes */
	bool keep;  /* --noconvert */
};

/* 0 with the unit of a letter in either case; -1: no such letter. */
int unit_parse(const char *text, int *unit);

/* A number counted in `base`, with the suffix of its unit, as memory is
 * shown: larger units only while nothing is lost. */
const char *unit_text(
	double number, enum unit base, const struct units *, struct arena *);

/* The same by thousands, whatever is lost: joules, hertz. */
const char *unit_text_decimal(
	double number, enum unit base, const struct units *, struct arena *);

/* TRES as `cpu=4,mem=2G`; with `usage` as what was used: CPU in milliseconds,
 * the rest in bytes. */
const char *unit_tres(const struct tres_list *, const struct tres_catalog *,
	bool usage, const struct units *, struct arena *);

/* ---- options -------------------------------------------------------------*/

struct options {
	struct arena *arena;
	int64_t now;
	/* what */
	struct strv users, groups, accounts, clusters, partitions, qos, wckeys;
	struct strv assocs, jobs, names, states, reasons, constraints, flags;
	const char *nodes, *clusters_text, *nodes_count, *cpus_count;
	uint32_t limit_min, limit_max;
	int64_t from, until; /* 0: not given */
	bool all_users, all_clusters, federation, local;
	bool truncate, allocations, duplicates, array_tasks;
	bool whole_het, leader_only;
	/* how */
	bool brief, long_list, script, environment, completion, local_uid,
		expand;
	bool heading;
	const char *format, *delimiter;
	enum table_mode mode;
	enum json_form form;
	struct units units;
	int verbose;
};

/* Fills the options from the command line; may end the program. */
void sacct_options(struct options *, struct arena *, int argc, char **argv);

/* ---- which jobs ----------------------------------------------------------*/

struct cluster_name {
	int64_t key;
	const char *name;
};

struct selection {
	struct history_cond cond;
	struct cluster_name *clusters;
	int64_t *keys;
	size_t n_clusters;
	bool only_pending;
};

/* Makes a condition of the options; what is wrong in them ends the program. */
void sacct_select(struct selection *, struct options *, struct site *);

/* ---- rows ----------------------------------------------------------------*/

/* What getters need beside the record. */
struct context {
	struct store *store;
	const struct selection *selection;
	const struct options *options;
	struct arena *arena; /* scratch, of the row */
	int64_t now;
};

/* One line: of a job, or of a step of it. */
struct row {
	const struct context *context;
	const struct job *job;
	const struct step *step; /* NULL: the job's own */
	const struct step_list *steps;
	int64_t start, end;	    /* as -T clips them; NO_VAL: never */
	int64_t elapsed, suspended; /* seconds */
	uint32_t state;
	uint64_t user_usec, sys_usec;
	uint32_t task;	   /* of the array; NO_VAL: none */
	const char *tasks; /* that wait together; "" */
};

struct row row_of_job(const struct context *, const struct history_row *);
struct row row_of_step(const struct row *job, const struct step *);

const char *row_cluster(const struct row *);
const char *row_job_id(const struct row *); /* 210_2, 5+1, 201.batch */
const char *row_raw_id(const struct row *); /* 211, 201.batch */
const char *row_state(const struct row *);  /* CANCELLED by 0 */
const char *row_sluid(const struct row *);
const char *row_qos(const struct row *);
const char *row_nodelist(const struct row *);
/* Of a step, the one at that place of its nodes; "": none. */
const char *row_node(const struct row *, uint64_t place);
/* StdOut and the like, as it is shown. */
const char *row_file(const struct row *, const char *name);
struct history_assoc row_assoc(const struct row *);
uint64_t row_planned(const struct row *); /* seconds */
uint32_t row_reservation(const struct row *); /* 0: none known */
uint32_t row_priority(const struct row *); /* NO_VAL: unknown */

/* A record of the store that cannot be read ends the program. */
_Noreturn void row_fail(const struct context *);

/* ---- fields --------------------------------------------------------------*/

/* Chosen columns; for lines of jobs the members of `all`, for those of steps
 * those of `steps` in the same places. */
struct columns {
	struct members all;
	const struct member *steps;
	struct grid grid;
};

/* None chosen yet. */
void sacct_columns(struct columns *, struct arena *);

/* Chooses those of the options; an unknown field ends the program. */
void sacct_choose(struct grid *, const struct options *);

/* Is one of them of what steps used? */
bool columns_show_used(const struct columns *);

/* The value of a column in a row. */
struct value column_value(const struct columns *, size_t i, const struct row *);

/* The same as a member of flat data (common/table/flat.h). */
void column_record(const struct columns *, size_t i, const struct row *,
	struct json_object *record);

/* ---- machine output ------------------------------------------------------*/

/* The members of Slurm's records of jobs and steps (spec 3.7). */
struct records {
	struct members job, step;
};

void sacct_records(struct records *, struct arena *);

/* A job with its steps. */
struct json_object *job_record(const struct records *, const struct row *);
