/*
 * The queue of a cluster, line by line, as squeue and scontrol show it: jobs
 * that wait or run, and those that ended a moment ago, with the reason and the
 * priority computed now; and as Slurm's job records
 * (data_parser/v0.0.45).
 */
#ifndef BURSAR_DB_QUEUE_H
#define BURSAR_DB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/table/json.h"
#include "db/entity/site.h"
#include "db/job/expected.h"
#include "db/job/job.h"
#include "db/view/plan.h"

/* One cluster's jobs and what is computed of them. */
struct queue {
	const char *cluster;
	int64_t key;
	struct site *site;
	bool no_convert; /* amounts in MiB */
	struct plan plan;
	struct expected_list expected; /* of the last plan */
	struct job_list ended; /* a moment ago, where they are asked for */
};

struct queue_row {
	const struct job *job;
	const struct step *step; /* of it; NULL: the job itself */
	struct queue *queue;
	const char *partition;
	uint32_t priority;
	uint16_t tier;	   /* only with -P */
	uint32_t task;	   /* of an array; NO_VAL */
	const char *tasks; /* of an array that waits; "" */
	size_t order;
};

/* What Slurm prints for a missing value. */
extern const char none_text[];

/* Jobs that wait or run, their reasons and priorities: queue->plan.jobs. */
int queue_open(
	struct queue *, struct site *, const char *cluster, struct arena *);

/* Those that ended a moment ago. */
int queue_load_ended(struct queue *, struct arena *);

/* The highest of its partitions and QOS; 0: held. */
uint32_t queue_priority(const struct queue *, const struct job *);

int64_t queue_start(const struct queue_row *); /* 0: unknown */
int64_t queue_end(const struct queue_row *);
bool queue_starts_now(const struct queue_row *); /* a scheduling pass starts it */
int64_t queue_accrue(const struct queue_row *);
int64_t queue_used(const struct queue_row *); /* seconds */
uint32_t queue_limit(const struct queue_row *); /* minutes; INFINITE, NO_VAL */
/* What it has or, before it starts, asks for. */
const struct tres_list *queue_tres(const struct queue_row *);
uint32_t queue_cpus(const struct queue_row *);
uint32_t queue_nodes(const struct queue_row *);
uint64_t queue_memory(const struct queue_row *); /* MiB on each node */
const char *queue_reason(const struct queue_row *);
const char *queue_description(const struct queue_row *); /* more about it, or NULL */
const char *queue_qos(const struct queue_row *);
const char *queue_host(const struct queue_row *, struct arena *); /* or "" */
const char *queue_sched_nodes(const struct queue_row *);	   /* or "" */
const char *queue_sluid(const struct queue_row *, struct arena *);
const char *queue_job_id(const struct queue_row *, struct arena *);
uint32_t queue_assoc(const struct queue_row *); /* its number; 0: gone */

/* ---- for machines --------------------------------------------------------*/

/* Members of Slurm's records that the store does not keep, with what slurmctld
 * sends where the request has not set them. */
void queue_put_unasked(struct json_object *, const struct tres_catalog *);

/* The whole record. */
struct json_object *queue_record(const struct queue_row *, struct arena *);

/* Members that identify the line; those that a change elsewhere can move. */
void queue_put_identity(struct json_object *, const struct queue_row *, struct arena *);
void queue_put_moving(struct json_object *, const struct queue_row *, struct arena *);

#endif
