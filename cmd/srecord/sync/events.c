/*
 * Node events, capacity, reservations and the transaction log of Slurm. Each
 * becomes the fact that srecord itself would record.
 */
#include "cmd/srecord/sync/sync.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/timespec.h"
#include "db/store/txn.h"

/* sacctmgr takes no earlier time. */
enum { FIRST = 1000000, OVERLAP = 3600 };

/* ---- the tables ----------------------------------------------------------*/

/* clang-format off */
#define UTS(column) "IF(" column " > 0, CONCAT('uts', " column "), '')"

static const struct sync_column event_columns[] = {
	{"NodeName", "node_name", SYNC_PLAIN},
	{"TimeStart", UTS("t.time_start"), SYNC_PLAIN},
	{"TimeEnd", UTS("t.time_end"), SYNC_PLAIN},
	{"State", "CASE WHEN t.node_name = '' THEN '' WHEN t.state & 0x200 THEN 'DRAIN'"
		" WHEN t.state & 0x800 THEN 'FAIL' WHEN t.state & 0xf = 6 THEN 'FUTURE'"
		" WHEN t.state & 0xf = 4 THEN 'ERROR' WHEN t.state & 0x20 THEN 'MAINT'"
		" WHEN t.state & 0xf = 1 THEN 'DOWN' ELSE 'UNKNOWN' END", SYNC_PLAIN},
	{"User", NULL, SYNC_PLAIN},
	{"TRES", "tres", SYNC_TRES},
	{"ClusterNodes", "cluster_nodes", SYNC_PLAIN},
	{"Reason", "reason", SYNC_PLAIN},
};

static const struct sync_column reservation_columns[] = {
	{"Name", "resv_name", SYNC_PLAIN},
	{"ID", "id_resv", SYNC_PLAIN},
	{"TimeStart", UTS("t.time_start"), SYNC_PLAIN},
	{"TimeEnd", UTS("t.time_end"), SYNC_PLAIN},
	{"NodeNames", "nodelist", SYNC_PLAIN},
	{"TRES", "tres", SYNC_TRES},
	{"Associations", "assoclist", SYNC_PLAIN},
	{"UnusedWall", "FLOOR(t.unused_wall)", SYNC_PLAIN},
	{"Flags", "CONCAT_WS(',', IF(t.flags & 0x1, 'MAINT', NULL), IF(t.flags & 0x4, 'DAILY', NULL),"
		" IF(t.flags & 0x10, 'WEEKLY', NULL), IF(t.flags & 0x40, 'IGNORE_JOBS', NULL),"
		" IF(t.flags & 0x100, 'ANY_NODES', NULL), IF(t.flags & 0x4000, 'OVERLAP', NULL),"
		" IF(t.flags & 0x8000, 'SPEC_NODES', NULL))", SYNC_PLAIN},
};

static const struct sync_column transaction_columns[] = {
	{"Time", UTS("t.timestamp"), SYNC_PLAIN},
	{"Action", "action", SYNC_PLAIN},
	{"Actor", "actor", SYNC_PLAIN},
	{"Where", "name", SYNC_PLAIN}, /* (name='a' || name='b') */
	{SYNC_AGAIN, NULL, SYNC_PLAIN},
	{"Info", "info", SYNC_PLAIN},
};
/* clang-format on */

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

static const struct sync_table events = {"event", "event clusters={c}",
	"`{c}_event_table` t WHERE TRUE", event_columns,
	LENGTH(event_columns), "start=uts{t}",
	"(t.time_end = 0 OR t.time_end >= {t}) ORDER BY t.time_start"};

static const struct sync_table reservations = {"reservation",
	"reservation clusters={c}", "`{c}_resv_table` t WHERE t.deleted = 0",
	reservation_columns, LENGTH(reservation_columns),
	"start=uts{t} end=now+3650days",
	"(t.time_end = 0 OR t.time_end >= {t}) ORDER BY t.time_start"};

static const struct sync_table transactions = {"transactions", "transactions",
	"txn_table t WHERE TRUE", transaction_columns,
	LENGTH(transaction_columns), "start=uts{t}",
	"t.timestamp >= {t} ORDER BY t.timestamp, t.id"};

/* ---- rows ----------------------------------------------------------------*/

/* Its time and actor are Slurm's. */
static int take_transaction(struct sync *sync, const char *const *values)
{
	struct store *store = sync->s->store;
	const char *actor = store->actor;
	int64_t now = store->now;
	uint32_t action = isdigit((unsigned char)*values[1])
		? (uint32_t)strtoul(values[1], NULL, 10)
		: txn_action_parse(values[1]);
	time_t when;
	int rc;

	if (time_parse(values[0], now, true, &when, &sync->s->err))
		return -1;
	store->now = when;
	store->actor = values[2];
	rc = txn_add(store, action, "", values[3], values[5]);
	store->now = now;
	store->actor = actor;
	return rc;
}

/* ---- parts ---------------------------------------------------------------*/

struct taking {
	struct sync *sync;
	const struct sync_table *table;
	int64_t since;
	struct sync_rows rows;
	struct shown_columns columns;
	uint64_t changed, refused; /* before it */
};

/* A fact that we refuse is counted; the rest goes on. */
static int take_fact(const struct taking *t, const char *const *values)
{
	struct sync *sync = t->sync;

	if (!shown_record(sync->s, &t->columns, sync->cluster, values,
		    &sync->arena))
		return 0;
	if (sync->s->err.kind != ERR_USAGE)
		return -1;
	sync->jobs.refused++;
	import_leave(&sync->jobs.left, sync->s->err.text,
		arena_printf(&sync->arena, "%s %s", t->table->what, values[0]));
	return 0;
}

static int take_rows(void *arg)
{
	const struct taking *t = arg;
	struct sync *sync = t->sync;
	const bool log = t->table == &transactions;

	sync->changed = t->changed;
	sync->jobs.refused = t->refused;
	if (log && txn_forget(sync->s->store, t->since))
		return -1;
	for (size_t i = 0; i < t->rows.n; i++)
		if (log ? take_transaction(sync, t->rows.v[i])
			: take_fact(t, t->rows.v[i]))
			return -1;
	return 0;
}

static int take_table(
	struct sync *sync, const struct sync_table *table, int64_t since)
{
	struct taking t = {.sync = sync,
		.table = table,
		.since = since,
		.changed = sync->changed,
		.refused = sync->jobs.refused};

	if (sync->ahead)
		return sync_ask(sync, table, since, &t.rows);
	for (size_t i = 0; i < table->n; i++)
		shown_column(&t.columns, table->columns[i].field, &sync->arena);
	return sync_ask(sync, table, since, &t.rows) ||
			       store_change_bulk(
				       sync->s->store, take_rows, &t)
		       ? -1
		       : 0;
}

static int take_all(struct sync *sync, void *since)
{
	const int64_t *from = since;

	return take_table(sync, &events, *from) ||
			       take_table(sync, &reservations, *from) ||
			       take_table(sync, &transactions, *from)
		       ? -1
		       : 0;
}

int sync_events(struct sync *sync)
{
	int64_t since = 0;

	if (sync_position(sync, "events", &since))
		return -1;
	since = since - OVERLAP > FIRST ? since - OVERLAP : FIRST;
	if (sync_ask_all(sync, take_all, &since))
		return -1;
	return sync_note_position(sync, "events", sync->now);
}
