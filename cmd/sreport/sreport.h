/*
 * What the parts of sreport share: its options, one report on its way, and the
 * rows it prints (Slurm's src/sreport).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/words.h"
#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/cli/options.h"
#include "common/table/complete.h"
#include "common/table/grid.h"
#include "common/table/json.h"
#include "db/entity/names.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/rollup/rollup.h"

/* ---- options ------------------------------------------------------------ */

enum time_unit { UNIT_SECONDS, UNIT_MINUTES, UNIT_HOURS };

struct time_style {
	enum time_unit unit;
	bool number, percent; /* of both: N(P%) */
};

struct options {
	struct arena *arena;
	bool all_clusters, local, federation;
	const char *clusters; /* -M, as typed */
	const char *tres;     /* -T, as typed; NULL: cpu */
	const char *time;     /* title: "Minutes" */
	const char *svg;      /* file for a picture, or NULL */
	bool openmetrics;
	struct time_style style;
	bool by_name; /* -s Name */
	bool heading;
	enum table_mode mode;
	enum json_form form;
	bool quiet;
	int verbose;
	bool failed; /* something was wrong: exit with 1 */
	bool leave; /* the session */
};

/* Fills the options; returns the index of the first argument that is not an
 * option. */
int sreport_options(struct options *, struct arena *, int argc, char **argv);

#define TIME_WORDS "Seconds Minutes Hours Percent SecPer MinPer HourPer"
#define SORT_WORDS "Name Time"

/* -t and -s, and what an interactive session says instead. Complains about
 * an unknown word. */
void take_unit(void *options, const struct option_row *, const char *word);
void take_sort(void *options, const struct option_row *, const char *word);

/* ---- a session ---------------------------------------------------------- */

struct session {
	struct options options;
	struct site site;
	struct err err;
	struct arena arena;   /* of one report */
	struct arena scratch; /* of one row */
	bool interactive;
};

/* A line on standard error; the exit status will be 1. */
void complain(struct session *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Carries out one command; `words` may be changed. */
void run_command(struct session *, int n, char **words);

/* The state of the moment for a monitoring system. */
void print_openmetrics(struct session *);

/* Reads commands until exit or the end of input. */
void run_shell(struct session *);

void print_help(void *options);

/* The columns of every class. */
void print_columns(void *options);

/* ---- what is asked for -------------------------------------------------- */

enum report_class { CLASS_CLUSTER, CLASS_JOB, CLASS_RESERVATION, CLASS_USER };

struct conditions {
	struct strv clusters, accounts, users, wckeys, qos, format;
	struct strv partitions, assocs, gids, grouping, nodes, names, ids;
	struct strv flags, jobs;
	bool all_clusters, tree, with_qos;
	bool as_parent, job_count, flat, individual, group;
	int64_t start, end; /* 0: not given */
	int64_t top;	    /* negative: no limit */
};

struct report_run;

/* What the rows of a report are of, where a function makes several. */
enum report_by { BY_ACCOUNT, BY_QOS, BY_USE, BY_WCKEY, BY_USER_WCKEY, BY_BOTH };

/* A kind of report (a row of the table in reports.c). */
struct report {
	const char *name;
	enum report_class class;
	const char *title; /* "Cluster/Account/User Utilization" */
	unsigned words;	   /* which conditions: WORDS_... */
	const char *format, *tres_format; /* default columns; with -T */
	void (*run)(struct report_run *);
	enum report_by by;
	bool seconds; /* the title tells the length */
	/* The amounts it has, by bit, and FILLS_QOS; its other columns are
	 * blank, as in Slurm. */
	unsigned fills;
};

enum {
	WORDS_ASSOC = 1,
	WORDS_WCKEY = 2,
	WORDS_CLUSTER = 4,
	WORDS_JOB = 8,
	WORDS_RESERVATION = 16,
	WORDS_USER = 32,
};

/* A cluster that is reported on. */
struct report_cluster {
	int64_t key;
	const char *name;
};

struct report_clusters {
	struct report_cluster *v;
	size_t n, cap;
};

/* One of the TRES asked for. */
struct report_tres {
	uint32_t id;
	const char *name; /* "gres/gpu" */
};

struct output;

struct report_run {
	struct session *session;
	const struct report *report;
	struct conditions cond;
	int64_t start, end;
	struct report_clusters clusters;
	const char *federation; /* rows of all clusters are added up; or NULL */
	struct report_tres *tres;
	size_t n_tres, cap_tres;
	bool has_partitions; /* Top: some association is of a partition */
	const char *unknown; /* a cluster of unknown capacity that was used */
	bool bad_format; /* a field of format= is unknown */
	struct output *output;
	bool picture_hours; /* amounts of a picture in hours, with K and M */
};

/* Reads the words into the conditions; reports unknown ones. */
void read_conditions(struct report_run *, int n, char **words);

/* The window of 4.8. */
void set_window(struct report_run *);

/* Which clusters and TRES. -1: complained. */
int choose_clusters(struct report_run *);
int choose_tres(struct report_run *);
void choose_all_tres(struct report_run *);

/* Adds the names of the nodes that were asked for. */
void expand_nodes(struct report_run *, struct strv *names);

/* ---- rows --------------------------------------------------------------- */

/* Amounts of a row in TRES-seconds; which ones depends on the report. */
enum amount {
	AMOUNT_USED,
	AMOUNT_ENERGY,
	AMOUNT_ALLOCATED,
	AMOUNT_DOWN,
	AMOUNT_PLANNED_DOWN,
	AMOUNT_IDLE,
	AMOUNT_PLANNED,
	AMOUNT_OVER,
	AMOUNT_REPORTED,
	AMOUNT_TOTAL, /* of job sizes: seconds, or jobs */
	AMOUNTS,
};

enum { FILLS_QOS = 1 << AMOUNTS };

struct row {
	const char *cluster, *account, *login, *partition, *qos, *wckey;
	unsigned indent; /* of the account */
	uint32_t qos_id;
	const char *tres;
	int64_t count;
	int64_t amounts[AMOUNTS];
	int64_t whole[AMOUNTS]; /* what 100% is */
	/* reservations */
	const char *name, *flags, *nodes, *assocs;
	uint32_t id;
	int64_t start, end, total_time, tres_time;
	/* job sizes, one for each group */
	const int64_t *groups;
};

struct rows {
	struct row *v;
	size_t n, cap;
};

/* ---- columns and output ------------------------------------------------- */

enum column_kind {
	COLUMN_PLAIN,
	COLUMN_AMOUNT, /* in the unit of -t */
	COLUMN_GROUP,  /* of job sizes */
	COLUMN_SHARE,  /* "% of cluster" */
};

struct report_field {
	struct member member; /* of struct row */
	int per_width;	      /* in N(P%) formats; 0: the same */
	enum column_kind kind;
	enum amount amount;
};

/* Whether a report has something to put there. */
bool field_is_filled(const struct report *, const struct report_field *);

/* The fields of a class; their number in *n. */
const struct report_field *class_fields(enum report_class, int *n);

struct report_column {
	const struct report_field *field;
	size_t group; /* COLUMN_GROUP */
};

struct output {
	struct report_column *columns;
	struct table_column *heads;
	size_t n, cap_columns, cap_heads;
};

/* The columns of Format=, or else the report's own. */
void choose_columns(struct report_run *);

/* One column for each group of job sizes, and the two that follow. */
void add_group_columns(struct report_run *, char *const *headings,
	const int *widths, size_t n);

/* The width that Slurm gives a usage column whose largest value is this. */
void widen(struct report_run *, enum amount, int64_t most);

/* Title, heading, rows; or the document. */
void print_rows(struct report_run *, const struct rows *);

/* The text of an amount in the style of -t. */
const char *amount_text(const struct time_style *, int64_t amount,
	int64_t whole, struct arena *);

/* First part of the GECOS field; "" where the user is not known here. */
const char *proper_name(const char *login, struct arena *);

/* At the end of a report: what was read for proper_name goes. */
void forget_names(void);

/* ---- the reports -------------------------------------------------------- */

void report_assocs(struct report_run *); /* AccountUtilizationByUser, ByQOS */
/* UserUtilizationByAccount, TopUsage, the two by wckey */
void report_people(struct report_run *);
void report_cluster(struct report_run *); /* Utilization */
void report_sizes(struct report_run *);
void report_reservations(struct report_run *);

/* Seconds the job ran from `from` to `until`, known suspensions taken off. */
int64_t seconds_within(
	struct session *, const struct job *, int64_t from, int64_t until);

/* What a cluster used in the window, brought up to date first. */
void load_usage(struct report_run *, const struct report_cluster *,
	struct rollup_report *);

/* ---- pictures ----------------------------------------------------------- */

/* Draws the rows into options.svg. */
void draw_rows(struct report_run *, const struct rows *);

/* ---- completion ----------------------------------------------------------*/

/* Offers what the last of the words could become; there are no options among
 * them. */
void sreport_complete(struct completion *, char **words, int n);

/* The words behind the name of a report. */
void offer_conditions(struct completion *, const struct report *);
