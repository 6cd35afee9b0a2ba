/*
 * QOS in the store (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_qos.c).
 *
 * Functions return 0, or -1 with store->err set. Results are in the arena.
 * Functions that write expect store_begin() to have been called; "the
 * catalogue" is store->qos, the names and ids of all QOS.
 */
#pragma once

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "common/table/qos.h"
#include "db/store/store.h"

/* Which QOS. An empty list means any. */
struct qos_cond {
	struct strv names, descriptions, ids; /* `names` may be ids too */
	uint32_t preempt_modes; /* QOS with any of these bits; PREEMPT_CLUSTER:
				   without a mode of its own; 0: all QOS */
	bool with_deleted;
};

/* QOS in order of their ids. */
int qos_list(struct store *, const struct qos_cond *, struct arena *,
	struct qos_list *);

/* The QOS of that id; NULL when there is none or it is deleted. */
int qos_load(struct store *, uint32_t id, struct arena *, const struct qos **);

/* The id of that with the highest priority of those names, the first of equals;
 * unchanged where there is none. */
int qos_highest(struct store *, const struct strv *names, struct arena *,
	uint32_t *id);

/* The name of a QOS, of a deleted one too; "" for 0, "Unknown" when its record is
 * gone. */
int qos_name(struct store *, uint32_t id, struct arena *, const char **name);

/* Is there such a QOS, or a deleted one? 1, 0, -1. */
int qos_has_been(struct store *, uint32_t id);

/* The UsageFactor of the QOS; 1 where it has none, or there is no such QOS. */
int qos_usage_factor(
	struct store *, uint32_t id, struct arena *, double *factor);

/* What is wrong with relative QOS of the list in slurm.conf: of several partitions
 * that have one, its percentages are those of the first. */
void qos_remarks(const struct qos_list *, const struct conf *, struct arena *,
	struct strv *remarks);

/* Inserts the QOS, or revives the deleted one with fresh values, with these
 * settings; reads the catalogue again. */
int qos_add(struct store *, const char *name, const struct settings *,
	struct arena *);

/* Writes the settings, except RawUsage. Until when they hold follows
 * lease_until (db/entity/lease.h). A QOS that would preempt itself, directly
 * or through others, is an error (ERR_USAGE). */
int qos_update(struct store *, const struct qos *, const struct settings *,
	struct arena *);

/* Takes the QOS from the lists of associations and preemption, with its usage,
 * limits of TRES and leases. Then erases it, when it is younger than a day and
 * no job has it, else marks it deleted; reads the catalogue again. */
int qos_remove(struct store *, const struct qos *);
