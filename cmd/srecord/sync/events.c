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
enum { FIRST = 1000000, OVERLAP = 3600, MOST_WORDS = 16 };

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
static const char *const event_keys[] = {"node", "start", "end", "state",
	"user", "tres", "nodes", "reason"};

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
static const char *const reservation_keys[] = {"name", "id", "start", "end",
	"nodes", "tres", "associations", "unusedwall", "flags"};

static const struct sync_column transaction_columns[] = {
	{"Time", UTS("t.timestamp"), SYNC_PLAIN},
	{"Action", "action", SYNC_PLAIN},
	{"Actor", "actor", SYNC_PLAIN},
	{"Where", "name", SYNC_PLAIN},
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

/* IDLE+DRAIN drains; DOWN* does not answer and is down. */
static const char *state_word(struct sync *sync, const char *state)
{
	if (strstr(state, "DRAIN"))
		return "drain";
	return arena_printf(&sync->arena, "%.*s",
		(int)strcspn(state, "+*$%@#~!-^ "), state);
}

/* What has no value here: Unknown, None; root(0) is root. */
static const char *plain(
	struct sync *sync, const char *key, const char *value)
{
	if (!strcmp(value, "Unknown") || !strcmp(value, "None"))
		return "";
	if (!strcmp(key, "state"))
		return state_word(sync, value);
	if (!strcmp(key, "user"))
		return arena_printf(&sync->arena, "%.*s",
			(int)strcspn(value, "("), value);
	return value;
}

static int make_words(struct sync *sync, const char *const *keys, size_t n,
	const char *const *values, char **words)
{
	int made = 0;

	words[made++] = arena_printf(&sync->arena, "cluster=%s", sync->cluster);
	for (size_t i = 0; i < n; i++) {
		const char *value = plain(sync, keys[i], values[i]);

		if (*value)
			words[made++] = arena_printf(
				&sync->arena, "%s=%s", keys[i], value);
	}
	return made;
}

static int without(char **words, int n, const char *key)
{
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (strncmp(words[i], key, strlen(key)))
			words[kept++] = words[i];
	return kept;
}

/* A fact that we refuse is counted; the rest goes on. */
static int record(struct sync *sync,
	int (*fact)(struct recording *, char **, int), char **words, int n)
{
	if (!fact(sync->s, words, n))
		return 0;
	if (sync->s->err.kind != ERR_USAGE)
		return -1;
	sync->jobs.refused++;
	return 0;
}

static int take_event(struct sync *sync, const char *const *values)
{
	char *words[MOST_WORDS];
	int n = make_words(
		sync, event_keys, LENGTH(event_keys), values, words);

	if (*values[0])
		return record(sync, record_node, words,
			without(words, n, "nodes="));
	/* A capacity is true until the next one. */
	n = without(words, n, "end=");
	n = without(words, n, "state=");
	n = without(words, n, "reason=");
	n = without(words, n, "user=");
	return record(sync, record_cluster, words, n);
}

static int take_reservation(struct sync *sync, const char *const *values)
{
	char *words[MOST_WORDS];

	return record(sync, record_reservation, words,
		make_words(sync, reservation_keys, LENGTH(reservation_keys),
			values, words));
}

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
	rc = txn_add(store, action, "", values[3], values[4]);
	store->now = now;
	store->actor = actor;
	return rc;
}

/* ---- parts ---------------------------------------------------------------*/

struct taking {
	struct sync *sync;
	const struct sync_table *table;
	int64_t since;
	int (*each)(struct sync *, const char *const *values);
	struct sync_rows rows;
	uint64_t changed, refused; /* before it */
};

static int take_rows(void *arg)
{
	const struct taking *t = arg;
	struct sync *sync = t->sync;

	sync->changed = t->changed;
	sync->jobs.refused = t->refused;
	if (t->table == &transactions && txn_forget(sync->s->store, t->since))
		return -1;
	for (size_t i = 0; i < t->rows.n; i++)
		if (t->each(sync, t->rows.v[i]))
			return -1;
	return 0;
}

static int take_table(struct sync *sync, const struct sync_table *table,
	int64_t since, int (*each)(struct sync *, const char *const *))
{
	struct taking t = {.sync = sync,
		.table = table,
		.since = since,
		.each = each,
		.changed = sync->changed,
		.refused = sync->jobs.refused};

	return sync_ask(sync, table, since, &t.rows) ||
			       store_change_bulk(
				       sync->s->store, take_rows, &t)
		       ? -1
		       : 0;
}

int sync_events(struct sync *sync)
{
	int64_t since = 0;

	if (sync_position(sync, "events", &since))
		return -1;
	since = since - OVERLAP > FIRST ? since - OVERLAP : FIRST;
	if (take_table(sync, &events, since, take_event) ||
		take_table(sync, &reservations, since, take_reservation) ||
		take_table(sync, &transactions, since, take_transaction))
		return -1;
	return sync_note_position(sync, "events", sync->now);
}
