/*
 * What the parts of splan share: its options, the rows it prints, and writing
 * down what the passes found.
 */
#pragma once

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/plan/backfill.h"
#include "common/table/grid.h"
#include "common/table/json.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/view/plan.h"

struct options {
	bool start, record, table, parameters, over, statistics;
	bool heading;
	enum table_mode mode;
	enum json_form form;
	const char *policy, *at_text, *granularity, *format;
	const char *svg; /* a file for the picture; NULL */
	const char *when, *advise; /* what to look into; "": nothing said */
	bool skip_same_shape;
};

/* Fills the options from the command line; may end the program. */
void splan_options(struct options *, int argc, char **argv);

/* ---- the passes ----------------------------------------------------------*/

/* What --granularity=core and --skip-same-shape change: tests of nodes, jobs
 * that start earlier, later, that found a time or lost it, seconds in all. */
struct option_effect {
	bool known;
	int64_t tests, earlier, later, found, lost, seconds;
};

/* One cluster, planned. */
struct planned {
	struct plan plan;
	int64_t at;	 /* the moment of the passes */
	int64_t began;	 /* microseconds of the clock */
	int64_t took;	 /* microseconds, the backfill pass */
	int64_t version; /* of the store, before it was read */
	struct option_effect effect;
	struct table_state *tables;
	/* Prints the result of the pass before it is committed: a job started
	 * without notice would be worse than one not started. -1. */
	int (*tell)(struct planned *, const struct options *, struct err *);
	char *told; /* all of it, and of that what is still to be printed; NULL */
	const char *rest;
	struct privacy privacy; /* whose jobs are shown */
	struct arena arena;
};

/* Does anything asked for need the backfill pass? */
bool splan_plans(const struct options *);

/* As the options ask for. */
struct plan_how splan_how(const struct options *);

/* Reads queue and cluster and makes the passes; -1. */
int splan_make(
	struct planned *, struct site *, const struct options *, struct err *);

/* Fills p->effect by planning again without those options; -1. */
int splan_measure_effect(
	struct planned *, struct site *, const struct options *, struct err *);

/* ---- writing -------------------------------------------------------------*/

/* 1: done; 0: others have written, and it must be planned again; -1. With
 * `insist` it goes on with what still holds. */
int splan_write(
	struct planned *, const struct options *, bool insist, struct err *);

/* A number that changes when another process writes; -1 on errors. */
int64_t splan_data_version(struct store *);

/* ---- printing ------------------------------------------------------------*/

/* One line for each job that waited, in the order of the queue. */
void print_plan(struct planned *, const struct options *);

/* The same as a picture, into the file of --svg. */
void print_picture(struct planned *, const struct options *);

/* What the pass did: a line or two, or members beside the list of jobs. */
void print_statistics(const struct planned *);
struct json_object *splan_statistics(const struct planned *);

/* The fields of those lines, with what they say. */
void print_helpformat(void *options);
void offer_own_columns(struct completion *);

/* Ends the program at an unknown field. */
void check_fields(const char *format);

/* What keeps partitions or jobs from running for good, on standard error. */
void print_remarks(struct planned *);

/* Names the words of partitions that the plan does not look at. */
void print_ignored_words(const struct planned *);

/* The node-space table behind every change: collected while the pass runs,
 * then printed. */
void collect_table(void *planned, const struct nodespace *,
	const struct sched_job *, const struct sched_plan *);
void print_tables(struct planned *, const struct options *);

/* SchedulerParameters as they are in effect. */
void print_parameters(struct planned *, const struct options *);

/* Rows of any kind, one behind the other in memory. */
struct splan_rows {
	const char *list; /* in JSON */
	const struct members *members;
	const char *columns; /* names of members; NULL: all */
	const void *v;
	size_t n, size; /* of one */
	/* The line above the row where a new block begins; NULL: none. A table
	 * with such lines does not show the first member. */
	const char *(*title)(const void *row, bool first);
	struct json_object *beside; /* the list, in documents; NULL */
};

void splan_print_rows(struct planned *, const struct options *,
	const struct splan_rows *);

/* Columns by their names; the program ends at an unknown one. */
void splan_choose(struct grid *, const char *names);

/* "60", "off", "max". */
const char *splan_parameter_text(
	const struct sched_param *, int64_t value, struct arena *);

/* ---- advice --------------------------------------------------------------*/

/* When a job not yet submitted would start. -1. */
int splan_when(
	struct planned *, struct site *, const struct options *, struct err *);

/* What the history says about parameters and time limits. -1. */
int splan_advise(
	struct planned *, struct site *, const struct options *, struct err *);

/* One line for each running job that has reached a limit. */
void print_over(struct planned *, const struct options *);

/* May the caller see this job? What is planned is planned for all. */
bool splan_shows(const struct planned *, const struct job *);

/* A job's number as squeue has it. */
const char *splan_job_id(const struct sched_job *, struct arena *);
