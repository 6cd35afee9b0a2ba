/*
 * The queue of a cluster, line by line, as squeue and scontrol show it: pending
 * and running jobs, and jobs that ended a moment ago, with the reason and the
 * priority computed now; also as Slurm's JSON job records
 * (data_parser/v0.0.45). Functions that return int: 0, or -1 with the store's
 * error. Times are epoch seconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/table/json.h"
#include "db/entity/site.h"
#include "db/job/noted.h"
#include "db/job/job.h"
#include "db/view/plan.h"

/* One cluster's jobs and what is computed for them. */
struct queue {
	const char *cluster;
	int64_t key;
	struct site *site;
	bool no_convert; /* amounts are printed in MiB (--noconvert) */
	bool expand;	 /* patterns of files are filled in */
	struct members members; /* of its rows in JSON: queue_members */
	struct plan plan;
	struct expected_list expected; /* loaded by the caller (expected.h) */
	struct job_list ended; /* see queue_load_ended */
	uint32_t *largest_cpus; /* by partition; 0: not looked at yet */
};

struct queue_row {
	const struct job *job;
	const struct step *step; /* of it; NULL: the job itself */
	struct queue *queue;
	const char *partition;
	uint32_t priority;
	uint16_t tier;	   /* of the partition, only with -P */
	uint32_t task;	   /* of an array; NO_VAL: none */
	const char *tasks; /* of a pending array, "1-4"; "": none */
	size_t order;
};

/* What Slurm prints for a missing value. */
extern const char none_text[];

/* Loads the pending and running jobs (queue->plan.jobs) and makes the
 * scheduling pass at site->now, for reasons and priorities. Memory is the
 * arena's. */
int queue_open(
	struct queue *, struct site *, const char *cluster, struct arena *);

/* Loads the jobs that ended within MinJobAge into queue->ended. */
int queue_load_ended(struct queue *, struct arena *);

/* The job's highest priority over its partitions and QOS; 0: held. Of one that
 * has started, what it came to last, where that is known. */
uint32_t queue_priority(const struct queue *, const struct job *);

/* ---- of a row; text is in the arena, where one is given ------------------ */

/* When it started; of a pending job, when the last recorded plan expects it to,
 * else its begin time; 0: unknown. */
int64_t queue_start(const struct queue_row *);
int64_t queue_end(const struct queue_row *); /* 0: unknown, or no limit */
bool queue_starts_now(const struct queue_row *); /* the pass starts it */
int64_t queue_accrue(const struct queue_row *);	 /* from when it accrues age */
int64_t queue_used(const struct queue_row *); /* seconds */
uint32_t queue_limit(const struct queue_row *); /* minutes; INFINITE, NO_VAL */
/* What the job holds or, before it starts, asks for. */
const struct tres_list *queue_tres(const struct queue_row *);
uint32_t queue_cpus(const struct queue_row *);
/* Of a job that waits as many as its tasks need of the largest node, at least. */
uint32_t queue_nodes(const struct queue_row *);
uint32_t queue_tasks(const struct queue_row *);
/* MiB for each CPU if it asked so, else on each node. */
uint64_t queue_memory(const struct queue_row *);
uint32_t queue_least_cpus(const struct queue_row *); /* on each node */
const char *queue_gres(const struct queue_row *, struct arena *); /* or "" */
const char *queue_gpus(uint32_t each, struct arena *); /* of tasks ..., or "" */
bool queue_shares(const struct queue_row *); /* its nodes, with others */
int64_t queue_preempted(const struct queue_row *); /* when it was warned; 0 */
const char *queue_reason(const struct queue_row *); /* one word */
const char *queue_description(const struct queue_row *); /* plan_description */
const char *queue_qos(const struct queue_row *); /* or none_text */
/* The first node of a started job, or "". */
const char *queue_host(const struct queue_row *, struct arena *);
/* The nodes where the last plan expects a pending job, or "". */
const char *queue_sched_nodes(const struct queue_row *);
const char *queue_sluid(const struct queue_row *, struct arena *);
const char *queue_job_id(const struct queue_row *, struct arena *);
uint32_t queue_assoc(const struct queue_row *); /* its id; 0: gone */

/* ---- as JSON -------------------------------------------------------------*/

/* The members of struct queue_row that every record begins with. */
struct members queue_members(struct arena *);

/* The whole record, in the arena. */
struct json_object *queue_record(const void *queue_row, struct arena *);

/* Add the members that identify the job, and those that a change elsewhere can
 * change (priority, reason, expected start ...). */
void queue_put_identity(struct json_object *, const struct queue_row *, struct arena *);
void queue_put_moving(struct json_object *, const struct queue_row *, struct arena *);
