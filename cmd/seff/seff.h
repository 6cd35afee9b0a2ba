/*
 * What the parts of seff share (spec/reporting.md 6).
 */
#ifndef BURSAR_SEFF_H
#define BURSAR_SEFF_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/cli/printout.h"
#include "common/fair/efficiency.h"
#include "db/entity/site.h"
#include "db/job/history.h"

struct options {
	struct arena *arena;
	struct strv jobs;
	const char *user; /* -u: a table instead of jobs */
	double quantile;  /* of --suggest, 0 to 1 */
	int64_t now, from, until;
	bool debug, suggest, heading;
	enum table_mode mode;
	enum json_form form;
};

void seff_options(struct options *, struct arena *, int argc, char **argv);

struct session {
	struct options options;
	struct site site;
	int64_t cluster;	  /* key */
	struct history_cond cond; /* what the caller may see */
	struct grid grid; /* of a listing */
	struct printout out;
	struct arena scratch;
	struct err err;
	int status; /* of the program */
};

enum { SEFF_USAGE = 1, SEFF_NOT_FOUND = 2, SEFF_BAD_ARRAY = 3 };

/* One job with what it used. */
struct job_report {
	const struct job *job;
	struct efficiency e;
	uint64_t elapsed;
	bool knows_cpu, knows_mem; /* some step says what it used */
	const char *id;		   /* 210_2 */
	const char *group;
};

/* In the arena but for the job, which the row keeps. */
struct job_report report_of(
	const struct history_row *, int64_t now, struct arena *);

/* Slurm's lines; with `debug` the raw numbers first. */
void print_report(const struct job_report *, const char *cluster, bool debug,
	struct arena *);

/* 0 with the reference of a typed job number; -1: not a job number. */
int read_job(const char *text, struct history_ref *);

/* Each job of the options, as lines or as a table. */
void show_jobs(struct session *);

/* The jobs of a user that ended in the window: what they wasted. */
void show_waste(struct session *);

/* What to ask for next time, by the jobs that were like it. */
void show_suggestion(struct session *, const struct job_report *);

/* Begins a listing of reports, `out`, as the options want it. */
void listing_begin(struct session *);
/* Core hours lost, -1 where unknown: the order of the table. */
double lost_of(const struct job_report *);
/* The columns of a listing. */
void print_columns(void *options);

bool wants_listing(const struct options *);

#endif
