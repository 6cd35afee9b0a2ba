/*
 * Compares Slurm's values of a record's settable members with the store's:
 * gives the settings that turn the store's into Slurm's. Values are compared as
 * text: both are read by the rules of sacctmgr and written again.
 */
#ifndef BURSAR_SRECORD_SYNC_WANTED_H
#define BURSAR_SRECORD_SYNC_WANTED_H

#include "cmd/srecord/sync/sync.h"
#include "common/table/assoc.h"
#include "common/table/attr.h"
#include "common/table/qos.h"

/* A kind of record. */
struct wanted_kind {
	const struct members *members;
	size_t size;
	void (*init)(void *record);
	struct tres_list *(*tres)(void *record, const struct member *);
	/* The names of its list of QOS, with signs. */
	const struct strv *(*list)(const void *record);
};

extern const struct wanted_kind wanted_of_assoc, wanted_of_qos;

enum { WANTED_COLUMNS = 64 };

/* The settable members behind some fixed columns. */
struct wanted_columns {
	struct sync_column columns[WANTED_COLUMNS];
	const struct member *members[WANTED_COLUMNS]; /* NULL: fixed */
	size_t n;
};

/* Fills the columns and makes them those of the table. */
void wanted_columns(const struct wanted_kind *,
	const struct sync_column *fixed, size_t n_fixed,
	struct wanted_columns *, struct sync_table *, struct arena *);

/* One setting, from the text that sacctmgr takes. */
int wanted_setting(struct sync *, const struct wanted_kind *,
	const struct member *, const char *text, struct settings *);

/* Those of a row that differ from the record. */
int wanted_settings(struct sync *, const struct wanted_kind *,
	const struct wanted_columns *, const char *const *values, void *record,
	struct settings *);

#endif
