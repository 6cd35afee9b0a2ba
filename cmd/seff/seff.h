/*
 * What the parts of seff share.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/cli/printout.h"
#include "common/fair/efficiency.h"
#include "common/table/complete.h"
#include "db/entity/site.h"
#include "db/job/history.h"

struct options {
	struct arena *arena;
	struct strv jobs;
	const char *user; /* -u: a table instead of jobs */
	double quantile;  /* of --suggest, 0 to 1 */
	int64_t now, from, until;
	bool debug, suggest, waste, heading;
	enum table_mode mode;
	enum json_form form;
};

void seff_options(struct options *, struct arena *, int argc, char **argv);

/* The last week where -S and -E, or the words behind --waste, do not say else. */
void seff_window(struct options *);

struct session {
	struct options options;
	struct site site;
	struct plan *plan; /* db/view/plan.h, once a job that waits was asked for */
	int64_t cluster;	  /* key */
	uint32_t gpu;		  /* id of the TRES; 0: there is none */
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
	uint64_t elapsed, gpus;
	double gpus_used; /* at once, at most; NAN: unknown */
	bool knows_cpu, knows_mem; /* some step says what it used */
	const char *id;		   /* 210_2 */
	const char *group;
};

/* In the arena but for the job, which the row keeps. */
struct job_report report_of(const struct history_row *, struct session *);

/* What a job asks for, and what it may leave unused. */
enum loss_kind { LOSS_CPU, LOSS_MEM, LOSS_GPU, LOSS_TIME, LOSSES };

/* Hours of cores, GiB and GPUs (both by the peak), and of the time limit; NAN where it is
 * not known what was used, or needed. */
struct loss {
	double given, lost;
};
struct loss loss_of(const struct job_report *, enum loss_kind);

/* Slurm's lines; with `debug` the raw numbers first. */
void print_report(const struct job_report *, const char *cluster, bool debug,
	struct arena *);

/* 0 with the reference of a typed job number; -1: not a job number. */
int read_job(const char *text, struct history_ref *);

/* Each job of the options, as lines or as a table. */
void show_jobs(struct session *);

/* The jobs of a user that ended in the window: what they wasted. */
void show_waste(struct session *);

/* The jobs of the window that ended and that the caller may see. */
struct history_cond ended_jobs(const struct session *);

/* Who asked for what was not used: the groups of --waste. */
void show_wasters(struct session *);
void print_waster_columns(void);
/* The words behind --waste that begin as what is typed. */
void offer_waste_words(struct completion *);

/* What like jobs needed: cores, MiB, GPUs, minutes. Zeroed: none yet. */
struct sample {
	struct needs {
		struct efficiency_need *v;
		size_t n, cap, stopped;
	} of[LOSSES];
};
void sample_take(struct sample *, const struct job_report *, struct arena *);
/* When all are taken: what is enough for that share of the jobs, and of memory and
 * time, which kill, a tenth more. 0: none of them tells, INFINITY: only such could
 * tell as ran into a limit. */
double sample_limit(struct sample *, enum loss_kind, double share);

/* What to ask for next time, by the jobs that were like it. */
void show_suggestion(struct session *, const struct job_report *);
void show_wait(struct session *, const struct job *);

/* Begins a listing of those members, or of reports, `out`, as the options want it.
 */
void listing_begin(struct session *, const struct members *, const char *list);
extern const struct members report_members;
/* The columns of a listing. */
void print_columns(void *options);

bool wants_listing(const struct options *);
