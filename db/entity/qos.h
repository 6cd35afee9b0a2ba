/*
 * QOS in the store (spec/sacctmgr.md 3.10).
 */
#ifndef BURSAR_DB_QOS_H
#define BURSAR_DB_QOS_H

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/qos.h"
#include "db/store/store.h"

struct qos_list {
	struct qos **v;
	size_t n, cap;
};

struct qos_cond {
	struct strv names, descriptions, ids;
	uint32_t preempt_modes; /* any of these; PREEMPT_CLUSTER: off; 0: any mode */
	bool with_deleted;
};

/* In id order. */
int qos_list(struct store *, const struct qos_cond *, struct arena *,
	struct qos_list *);

/* The QOS of that id, in the arena; NULL when there is none. */
int qos_load(struct store *, uint32_t id, struct arena *, const struct qos **);

/* The name of a QOS, of a deleted one too; "" when there is none. */
int qos_name(struct store *, uint32_t id, struct arena *, const char **name);

/* The UsageFactor of the QOS; 1 where it has none, or there is no such QOS. */
int qos_usage_factor(
	struct store *, uint32_t id, struct arena *, double *factor);

/* Inserts or revives; reads the store's QOS catalogue again. */
int qos_add(struct store *, const char *name, const struct settings *,
	struct arena *);

/* Writes the settings (not RawUsage). A preemption loop is refused. */
int qos_update(struct store *, const struct qos *, const struct settings *,
	struct arena *);

/* Takes it from all association lists and preemption lists, then erases or
 * marks it; reads the catalogue again. */
int qos_remove(struct store *, const struct qos *);

#endif
