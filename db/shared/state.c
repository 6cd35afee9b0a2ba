/*
 * What the rows of a replica come to, as a number of 64 bits: the sum over all
 * columns of all rows of the tables that the log is of. Each change moves it by
 * what it changes and by nothing else, so it is never reckoned whole; and with
 * each change some rows are read, so that after a while all were: these must come
 * to the same, or the replica is not what the log made of it.
 *
 * Beside the mark, in a table of replicas alone: the sum as of an entry, the sum
 * of the rows read so far, and behind which row they end. Where the entry is not
 * that of the mark (another program applied one, or all was replaced) the sum is
 * unknown until all rows were read.
 */
#include "db/store/changeset.h"

#include <limits.h>
#include <string.h>

#include "common/base/chance.h"
#include "db/shared/shared_parts.h"
#include "db/store/query.h"

enum { READ_AT_ONCE = 100 };

/* ---- sums ----------------------------------------------------------------*/

static uint64_t of_bytes(uint64_t sum, const void *bytes, int size)
{
	const unsigned char *at = bytes;
	uint64_t word;

	for (; size > 0; at += 8, size -= 8) {
		word = 0;
		memcpy(&word, at, size < 8 ? (size_t)size : 8);
		sum = chance_mix(sum ^ word) + (uint64_t)size;
	}
	return sum;
}

/* 0 for NULL. A number counts the same however it is stored. */
static uint64_t of_value(uint64_t seed, sqlite3_value *value)
{
	int type = value ? sqlite3_value_type(value) : SQLITE_NULL;
	double real;
	uint64_t bits;

	switch (type) {
	case SQLITE_NULL:
		return 0;
	case SQLITE_INTEGER:
		real = (double)sqlite3_value_int64(value);
		bits = (uint64_t)sqlite3_value_int64(value);
		break;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(value);
		memcpy(&bits, &real, sizeof(bits));
		if (real > -1e15 && real < 1e15 &&
			real == (double)(int64_t)real)
			bits = (uint64_t)(int64_t)real;
		break;
	default:
		return chance_mix(of_bytes(seed + (uint64_t)type,
			sqlite3_value_blob(value), sqlite3_value_bytes(value)));
	}
	return chance_mix(chance_mix(seed) ^ bits);
}

/* A row by its table and key. */
static uint64_t of_key(const char *table, const unsigned char *key, int n,
	sqlite3_value *const *values)
{
	uint64_t sum = of_bytes(1, table, (int)strlen(table));

	for (int i = 0; i < n; i++)
		if (key[i])
			sum = of_value(sum, values[i]);
	return sum;
}

static uint64_t of_column(uint64_t row, int column, sqlite3_value *value)
{
	return of_value(row + (uint64_t)column, value);
}

/* ---- changes -------------------------------------------------------------*/

enum { MOST_COLUMNS = 128 };

bool state_has(const char *table)
{
	return strncmp(table, "rollup", 6) && strncmp(table, "sqlite_", 7) &&
	       strncmp(table, "replica", 7);
}

/* Is the row, of this key in its first column, among those that were read? */
static bool was_read(const struct state *s, const char *table, sqlite3_value *key)
{
	int order = strcmp(table, s->table);
	int64_t at = sqlite3_value_type(key) == SQLITE_INTEGER
			     ? sqlite3_value_int64(key)
			     : INT64_MAX;

	return order < 0 || (!order && at <= s->key);
}

static void move(struct state *s, bool read, uint64_t by)
{
	s->sum += by;
	if (read)
		s->seen += by;
}

static int one_change(
	void *arg, const char *table, int op, sqlite3_changeset_iter *at)
{
	sqlite3_value *is[MOST_COLUMNS], *was[MOST_COLUMNS];
	struct state *s = arg;
	unsigned char *key;
	uint64_t row, by = 0;
	int n, first = 0;

	sqlite3changeset_pk(at, &key, &n);
	if (!state_has(table) || n > MOST_COLUMNS)
		return 0;
	for (int i = 0; i < n; i++) {
		is[i] = op == SQLITE_DELETE ? NULL : op_new(at, i);
		was[i] = op == SQLITE_INSERT ? NULL : op_old(at, i);
	}
	while (!key[first])
		first++;
	row = of_key(table, key, n, op == SQLITE_INSERT ? is : was);
	for (int i = 0; i < n; i++)
		if (op != SQLITE_UPDATE || is[i])
			by += of_column(row, i, is[i]) -
			      of_column(row, i, was[i]);
	move(s, was_read(s, table, op == SQLITE_INSERT ? is[first] : was[first]),
		by);
	return 0;
}

int state_change(struct shared_log *log, struct store *store, const void *blob,
	int size)
{
	return changeset_each(store, blob, size, one_change, &log->state);
}

void state_forget(struct shared_log *log)
{
	log->state = (struct state){.known = false, .table = ""};
}

/* ---- rows ----------------------------------------------------------------*/

/* The first table behind that of `s`, or that itself. */
static int next_table(struct store *store, struct state *s, bool behind)
{
	struct query q;
	bool found = false;

	if (query_open(&q, store,
		    "SELECT name FROM sqlite_schema WHERE type = 'table'"
		    " AND name >= :name ORDER BY name"))
		return -1;
	query_bind_text(&q, ":name", s->table);
	while (!found && query_row(&q)) {
		const char *name = query_text(&q, 0);
		bool same = !strcmp(name, s->table);

		if (!state_has(name) || (same && behind))
			continue;
		found = true;
		if (!same)
			s->key = INT64_MIN;
		snprintf(s->table, sizeof(s->table), "%s", name);
	}
	if (query_close(&q))
		return -1;
	if (!found)
		snprintf(s->table, sizeof(s->table), "%s", STATE_END);
	return 0;
}

/* The columns of the key; `first`: the name of its first one, which is a number
 * or, where it is not, "". */
static int read_key(struct store *store, const char *table, unsigned char *key,
	char *first, size_t size)
{
	struct query q;
	bool some = false;

	*first = '\0';
	if (query_open(&q, store,
		    "SELECT cid, name, type, pk FROM pragma_table_info(:table)"))
		return -1;
	query_bind_text(&q, ":table", table);
	while (query_row(&q)) {
		int64_t column = query_int(&q, 0);

		if (column >= MOST_COLUMNS)
			continue;
		key[column] = query_int(&q, 3) != 0;
		if (key[column] && !some && !strcmp(query_text(&q, 2), "INTEGER"))
			snprintf(first, size, "%s", query_text(&q, 1));
		some |= key[column];
	}
	return query_close(&q);
}

/* Rows with one value in the first column of their key are read together. */
static int read_rows(struct store *store, struct state *s, int *left)
{
	sqlite3_value *values[MOST_COLUMNS];
	unsigned char key[MOST_COLUMNS] = {0};
	sqlite3_stmt *stmt = NULL;
	char first[64], *sql;
	bool more = false;
	int rc, at = 0;

	if (read_key(store, s->table, key, first, sizeof(first)))
		return -1;
	while (!key[at])
		at++;
	sql = *first ? sqlite3_mprintf("SELECT * FROM \"%w\" WHERE \"%w\" > %lld"
				       " ORDER BY \"%w\"",
			       s->table, first, (long long)s->key, first)
		     : sqlite3_mprintf("SELECT * FROM \"%w\"", s->table);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);
	sqlite3_free(sql);
	while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		int64_t number = sqlite3_column_int64(stmt, at);
		int n = sqlite3_column_count(stmt);
		uint64_t row;

		if (*first && *left <= 0 && number != s->key) {
			more = true;
			break;
		}
		for (int i = 0; i < n; i++)
			values[i] = sqlite3_column_value(stmt, i);
		row = of_key(s->table, key, n, values);
		for (int i = 0; i < n; i++)
			s->seen += of_column(row, i, values[i]);
		s->key = number;
		--*left;
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
		return store_fail(store, "rows cannot be read");
	if (!more)
		s->key = INT64_MAX;
	return 0;
}

/* Reads so many rows. At the end the sum is compared by state_differs before all
 * begins again. */
static int look_at_rows(struct store *store, struct state *s, int left)
{
	if (!strcmp(s->table, STATE_END)) {
		s->known = true;
		s->sum = s->seen;
		s->seen = 0;
		*s->table = '\0';
	}
	while (left > 0 && strcmp(s->table, STATE_END)) {
		if (next_table(store, s, *s->table && s->key == INT64_MAX) ||
			(strcmp(s->table, STATE_END) &&
				read_rows(store, s, &left)))
			return -1;
	}
	return 0;
}

/* ---- what is kept --------------------------------------------------------*/

static int state_load(struct shared_log *log, struct store *store)
{
	struct state *s = &log->state;
	struct query q;

	state_forget(log);
	if (query_open(&q, store,
			"SELECT sum, sum IS NOT NULL, seen, name, key"
			" FROM replica_state JOIN replica USING (site, position)"))
		return -1;
	if (query_row(&q)) {
		s->sum = (uint64_t)query_int(&q, 0);
		s->known = query_int(&q, 1);
		s->seen = (uint64_t)query_int(&q, 2);
		snprintf(s->table, sizeof(s->table), "%s", query_text(&q, 3));
		s->key = query_int(&q, 4);
	}
	return query_close(&q);
}

static int make_table(struct store *store)
{
	return store_exec(store,
		"CREATE TABLE IF NOT EXISTS replica_state ("
		" one INTEGER PRIMARY KEY CHECK (one = 1),"
		" site TEXT NOT NULL, position INTEGER NOT NULL,"
		" sum INTEGER, seen INTEGER NOT NULL,"
		" name TEXT NOT NULL, key INTEGER NOT NULL) STRICT");
}

int state_read(struct shared_log *log, struct store *store)
{
	return make_table(store) || state_load(log, store) ? -1 : 0;
}

int state_begin(struct store *store)
{
	struct state whole = {.table = ""};

	return make_table(store) || look_at_rows(store, &whole, INT_MAX) ||
			       store_run(store,
				       "INSERT OR REPLACE INTO replica_state"
				       " VALUES (1, '', -1, :sum, 0, '', 0)",
				       bind_int(":sum", (int64_t)whole.seen))
		       ? -1
		       : 0;
}

int state_write(struct shared_log *log, struct store *store, int64_t position)
{
	const struct state *s = &log->state;

	if (look_at_rows(store, &log->state, READ_AT_ONCE))
		return -1;
	return store_run(store,
		"INSERT OR REPLACE INTO replica_state"
		" SELECT 1, site, :position, iif(:known, :sum, NULL), :seen,"
		" :name, :key FROM replica",
		bind_int(":position", position), bind_int(":known", s->known),
		bind_int(":sum", (int64_t)s->sum),
		bind_int(":seen", (int64_t)s->seen), bind_text(":name", s->table),
		bind_int(":key", s->key));
}

int state_check(struct shared_log *log, struct store *store)
{
	struct state whole = {.table = ""};

	if (state_load(log, store) || look_at_rows(store, &whole, INT_MAX))
		return -1;
	if (!log->state.known || whole.seen == log->state.sum)
		return 0;
	replica_damaged(store);
	return state_spoiled(log);
}

/* ---- as others have it ---------------------------------------------------*/

#define STATES "state"

/* The sum as of that entry, for the others. */
int state_tell(struct shared_log *log, int64_t number)
{
	uint64_t sum = log->state.sum;

	return number % STATE_EVERY || !log->state.known
		       ? 0
		       : piece_write(log, STATES, number, &sum, sizeof(sum));
}

static int take_sum(const struct link_row *row, void *arg)
{
	if (row->sizes[0] == sizeof(uint64_t))
		memcpy(arg, row->v[0], sizeof(uint64_t));
	return 0;
}

/* One that was just made from a snapshot is right. */
int state_compare(struct shared_log *log, int64_t number)
{
	uint64_t sum = log->state.sum;

	if (number % STATE_EVERY || !log->state.known)
		return 0;
	if (piece_read(log, STATES, number, take_sum, &sum))
		return -1;
	if (sum == log->state.sum)
		return 0;
	if (log->fresh) {
		state_forget(log);
		return 0;
	}
	return state_spoiled(log);
}

int state_spoiled(struct shared_log *log)
{
	log->altered = true;
	return replica_spoil(log, "its rows are not what the log made of them");
}

bool state_differs(struct store *store)
{
	int64_t differs = 0;
	struct err kept = *store->err;

	if (store_number(store,
		    "SELECT count(*) FROM replica_state"
		    " JOIN replica USING (site, position)"
		    " WHERE name = '" STATE_END "' AND sum <> seen",
		    &differs))
		*store->err = kept; /* it has no such table yet */
	return differs;
}
