/*
 * What the parts of squeue share: its options, its rows and its columns
 * (Slurm's src/squeue).
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
#include "common/text/jobid.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/job/noted.h"
#include "db/job/job.h"
#include "db/view/plan.h"
#include "db/view/queue.h"

struct options {
	struct arena *arena;
	bool heading, long_list, start, array, priority, all;
	bool me, not_me, only_state, no_convert, expand;
	int verbose;
	const char *format_text, *format_long; /* -o, -O; NULL */
	const char *sort, *reservation;
	struct option_clusters clusters;
	struct option_list accounts, users, partitions, qos, names, licenses;
	struct option_list nodes;
	struct option_jobs jobs;
	bool step_flag; /* steps, not jobs */
	const char *steps_text;
	struct step_ref *steps;
	size_t n_steps, cap_steps;
	const char *states_text;
	bool all_states;
	uint32_t *states;
	size_t n_states, cap_states;
	uint32_t over, under; /* seconds it has run; 0: not asked */
	int iterate;	      /* seconds; 0: once */
	bool csv;
	bool format_asked; /* by -o or -O */
	enum json_form form;
	struct strv what_if; /* as typed */
};

/* Fills the options from environment and command line; may end the program. */
void squeue_options(struct options *, struct arena *, int argc, char **argv);

/* ---- rows ----------------------------------------------------------------*/

struct rows {
	struct queue_row *v;
	size_t n, cap;
};

/* The jobs of the cluster that were asked for and the caller may see. 1: done;
 * 0: the one job asked for is not there; -1. */
int squeue_load(struct rows *, struct queue *, const struct options *,
	struct site *, const struct privacy *, const char *cluster,
	struct arena *);

/* The steps of these jobs that run and were asked for take their place. */
int squeue_steps(struct rows *, const struct options *, struct arena *);

/* ---- columns -------------------------------------------------------------*/

/* Marks of a type: what of it is never cut, right-justified. */
enum whole {
	WHOLE_VALUE = MEMBER_OWN_MARK,
	WHOLE_HEADING = MEMBER_OWN_MARK << 1,
};

/* Types of -O with their letters in -o are members of struct queue_row. */
extern const struct members squeue_step_types;

/* Before the functions below: puts the table of jobs' types together. */
void squeue_types_open(struct arena *);

/* How it looks. */
const char *cell_text(
	const struct member *type, const struct queue_row *, struct arena *);

/* Of jobs, or of steps. */
const struct members *squeue_types(bool steps);

/* ---- formats -------------------------------------------------------------*/

/* Takes the options' format apart; complains about what is unknown. */
void squeue_format_read(
	struct format *, const struct options *, struct arena *);

/* ---- order and machine output --------------------------------------------*/

/* By the keys, as "P,t,-p"; an unknown letter ends the program. */
void sort_rows(struct rows *, const char *keys);

/* ---- a look at the queue -------------------------------------------------*/

struct session {
	struct options options;
	struct site site;
	struct privacy privacy;
	struct strv clusters;
	struct format format;
	struct printout out;
	struct arena scratch;
	struct err err;
	int status;
};

/* Reports that the one job asked for is not there and sets the status. */
void session_no_job(struct session *);

/* A line for each cluster that was named; not for machines. */
bool session_titles(const struct session *);

/* --what-if: what is shown, before and after, and the difference. */
void squeue_whatif(struct session *);
