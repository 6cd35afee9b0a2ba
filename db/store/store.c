/*
 * Opening, creating, migrating and changing the store. The
 * hardening of the connection follows SQLite's own advice for files of others
 * (sqlite.org/security.html).
 */
#include "db/store/store.h"
#include "db/store/changeset.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/privilege.h"
#include "common/base/stopwatch.h"
#include "db/file/files.h"
#include "db/file/pages.h"
#include "db/store/jobindex.h"
#include "db/store/migrations.h"
#include "db/store/query.h"
#include "db/file/queue.h"
#include "db/file/reason.h"
#include "db/file/sidefiles.h"
#include "db/store/txnpack.h"

enum { APPLICATION_ID = 0x42727372 }; /* "Brsr" */
enum { BUSY_MS = 20000, WAIT_MS = 20 };
enum { OLDER = 1 }; /* of check_version: to be migrated in memory */
enum { REPLICA_VERSION = 14 }; /* has the table of that */
enum { AGAIN_MS = 50, AGAIN_STEPS = 8, AGAIN_TRIES = 40 };

#define MOST_IN_MEMORY (INT64_C(1) << 30)

/* One who reads does not care who else writes, and the other way round. */
static int fail_busy(struct store *store, bool reading)
{
	char holder[160];

	sidefiles_holder(store->path, reading, holder, sizeof(holder));
	return err_set(store->err, ERR_STORE,
		"%s could not be %s for %d seconds: %s %s", store->path,
		reading ? "read" : "written", BUSY_MS / 1000, holder,
		reading ? "holds it" : "is writing");
}

int store_fail_write(struct store *store)
{
	if (store_files_access(store->path, W_OK) && errno == EROFS)
		return err_set(store->err, ERR_STORE,
			"%s is on a read-only file system: it cannot be written",
			store->path);
	return err_set(store->err, ERR_DENIED,
		"%s cannot be written by you: ask its owner or an "
		"administrator",
		store->path);
}

int store_fail(struct store *store, const char *doing)
{
	int rc = sqlite3_errcode(store->db);

	if (store->shared_log && (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB))
		store->shared_log->damaged(store);
	if (rc == SQLITE_READONLY)
		return store_fail_write(store);
	if (rc == SQLITE_NOTADB)
		return err_set(store->err, ERR_STORE,
			"%s is not a Bursar store (not a database)",
			store->path);
	if (rc == SQLITE_BUSY)
		return fail_busy(store, true);
	return reason_set(store->err, store->db,
		sqlite3_extended_errcode(store->db), "%s: %s", store->path,
		doing);
}

static int64_t pragma_int(struct store *store, const char *sql, int *failed)
{
	struct query q;
	int64_t value = 0;

	if (query_open(&q, store, sql)) {
		*failed = 1;
		return 0;
	}
	if (query_number(&q, &value))
		*failed = 1;
	return value;
}

int store_sort_in_memory(struct store *store)
{
	return store_exec(store, "PRAGMA cache_size = -65536;"
				 "PRAGMA temp_store = memory;");
}

/* Not of one that keeps changes in memory: they would have to go elsewhere. */
int store_read_once(struct store *store, bool once)
{
	if (store->is_private || store->session)
		return 0;
	return store_exec(store, once ? "PRAGMA cache_size = -2048"
				      : "PRAGMA cache_size = -65536");
}

int store_sort_in_files(struct store *store, int cache)
{
	char sql[128];

	sqlite3_snprintf(sizeof(sql), sql,
		"PRAGMA cache_size = -%d;"
		"PRAGMA temp_store = file;",
		cache);
	return store_exec(store, sql);
}

static int harden(struct store *store)
{
	sqlite3 *db = store->db;

	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	pages_show_wait(db);
	return any_failed(store_exec(store, "PRAGMA synchronous = FULL;"
					    "PRAGMA cell_size_check = ON") ||
			  txnpack_open(store) || store_sort_in_memory(store));
}

int store_file_version(struct store *store, int64_t *version)
{
	int failed = 0;

	*version = pragma_int(store, "PRAGMA user_version", &failed);
	return failed ? -1 : 0;
}

/* Runs the steps the file lacks. A new one is filled after the last of them:
 * what it is filled with has every column. */
static int migrate(struct store *store, const struct store_options *options)
{
	int64_t from;

	if (store_file_version(store, &from) ||
		schema_migrate(store, schema_version()))
		return -1;
	store->is_new = from == 0 && options->fill;
	return store->is_new ? options->fill(store, options) : 0;
}

/*
 * A write-ahead log (WAL), so that readers never block a writer: see
 * man/bursar-store.5. A file without one (a backup, a new store) can be
 * switched only while no other process has it open.
 */
static int begin_wal(struct store *store)
{
	for (int waited = 0;; waited += WAIT_MS) {
		int rc = sqlite3_exec(store->db, "PRAGMA journal_mode = wal",
			NULL, NULL, NULL);

		if (rc == SQLITE_OK)
			return 0;
		if (rc != SQLITE_BUSY || waited >= BUSY_MS)
			return store_fail(store, "its log cannot be begun");
		sqlite3_sleep(WAIT_MS);
	}
}

static int begin_kind(struct store *, enum shared_kind);
static int commit(struct store *, const char *command);

/* Under the write lock: another program may have been faster. */
static int migrate_once(
	struct store *store, const struct store_options *options)
{
	if (begin_kind(store, SHARED_MIGRATION))
		return -1;
	if (!migrate(store, options) &&
		!store_exec(store, "PRAGMA application_id = " STORE_APPLICATION_ID))
		return commit(store, "migration");
	store_rollback(store);
	return -1;
}

/* A new file has large pages: rows of jobs are long, and there are many. */
static int create_or_migrate(
	struct store *store, const struct store_options *options)
{
	int tries = 0, rc;

	if (store->refusal)
		return err_set(store->err, ERR_STORE, "%s", store->refusal);
	if (store->read_only)
		return err_set(store->err, ERR_DENIED,
			"%s is of an older version: its owner migrates it "
			"with 'sacctmgr ping'",
			store->path);
	if (!store->is_private &&
		(store_sort_in_files(store, SORT_CACHE) ||
			store_exec(store, "PRAGMA page_size = 16384") ||
			begin_wal(store)))
		return -1;
	do
		rc = migrate_once(store, options);
	while (rc && store_again(store, &tries));
	return rc || store_sort_in_memory(store) ? -1 : 0;
}

/* Too large to be migrated in memory, for every look at it. */
static bool is_large(const struct store *store)
{
	struct stat st;

	return !store_files_stat(store->path, &st) &&
	       st.st_size > MOST_IN_MEMORY;
}

/* A view in place of a table, or a foreign trigger, could run any SQL with
 * every statement, and without end. */
static int check_schema(struct store *store)
{
	char strange[160] = "", *name;
	struct query q;
	int rc = query_open(&q, store,
		"SELECT type || ' ' || name FROM sqlite_schema"
		" WHERE type >= 'trigger' -- and 'view'");

	if (rc)
		return rc;
	while (!*strange && query_row(&q))
		if (!schema_knows(query_text(&q, 0)))
			snprintf(strange, sizeof(strange), "%s",
				query_text(&q, 0));
	if (query_close(&q))
		return -1;
	if (!*strange)
		return 0;
	name = strchr(strange, ' ');
	*name++ = '\0';
	return err_set(store->err, ERR_STORE,
		"%s has a %s '%s' that Bursar did not make: drop it, or "
		"'sacctmgr restore' a backup",
		store->path, strange, name);
}

/* Is it a store, and one that this program knows? */
static int check_owner(struct store *store)
{
	int failed = 0;
	int64_t version = pragma_int(store, "PRAGMA user_version", &failed);
	int64_t owner = pragma_int(store, "PRAGMA application_id", &failed);
	bool foreign = owner != APPLICATION_ID &&
		       pragma_int(store, "SELECT count(*) FROM sqlite_schema",
			       &failed);

	if (failed)
		return -1;
	if (foreign)
		return err_set(store->err, ERR_STORE,
			"%s is a database of another program, not a Bursar "
			"store",
			store->path);
	if (version > schema_version())
		return err_set(store->err, ERR_STORE,
			"%s was written by a newer Bursar (schema %d, this "
			"one knows %d): use that version",
			store->path, (int)version, schema_version());
	if (check_schema(store))
		return -1;
	store->is_replica =
		version >= REPLICA_VERSION &&
		pragma_int(store, "SELECT count(*) FROM replica", &failed);
	return failed ? -1 : 0;
}

static int check_version(
	struct store *store, const struct store_options *options)
{
	int64_t version;

	if (check_owner(store) ||
		(store->shared_log && store->shared_log->refresh(store)) ||
		store_file_version(store, &version))
		return -1;
	if (store->refusal && options->need_write)
		return err_set(store->err, ERR_STORE, "%s", store->refusal);
	if (version == schema_version())
		return 0;
	if (options->mode != STORE_READ || store->is_private)
		return create_or_migrate(store, options);
	if (is_large(store))
		return err_set(store->err, ERR_STORE,
			"%s is of an older version and too large to be read "
			"as it is: its owner migrates it with 'sacctmgr ping'",
			store->path);
	return OLDER;
}

static int open_as(
	struct store *store, const char *path, int flags, bool own)
{
	int rc = store_files_open(path, &store->db,
		flags | SQLITE_OPEN_NOMUTEX, own, store->is_private);

	if (rc != SQLITE_OK)
		return reason_set(store->err, store->db, rc,
			"the store %s cannot be opened", store->path);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	return 0;
}

/* The WAL and its index stay when the last program closes them, because a
 * process that may only read could not create them. SQLite would empty the WAL
 * then, with a lock that keeps everybody out, also for one who has only read:
 * empty_wal() does it. */
static void keep_wal(struct store *store)
{
	int on = 1;

	sqlite3_db_config(
		store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);

	sqlite3_file_control(
		store->db, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	sqlite3_exec(store->db, "PRAGMA journal_size_limit = 16777216", NULL,
		NULL, NULL);
}

/* 1: what is beside the store cannot be read, or not made; or there is no room
 * for its index. -1: somebody keeps everybody out. */
static int lacks_wal(struct store *store)
{
	if (sidefiles_wal_is_bare(store->path))
		return 1;
	switch (sqlite3_exec(
		store->db, "PRAGMA schema_version", NULL, NULL, NULL)) {
	case SQLITE_BUSY:
		return fail_busy(store, true);
	case SQLITE_IOERR:
		return sqlite3_extended_errcode(store->db) ==
		       SQLITE_IOERR_SHMSIZE;
	case SQLITE_CANTOPEN:
	case SQLITE_PROTOCOL:
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return 1;
	default:
		return 0;
	}
}

/* As SQLite takes it in a URI. */
static const char *uri_path(const char *path, struct arena *arena)
{
	char *uri = arena_alloc(arena, strlen(path) * 3 + 1), *to = uri;

	for (; *path; path++)
		if (strchr("%?#", *path))
			to += snprintf(to, 4, "%%%02x", (unsigned)*path);
		else
			*to++ = *path;
	*to = '\0';
	return uri;
}

/* For a caller who may only read the store. */
static int open_copy(struct store *store)
{
	char *copy;
	int status;

	sqlite3_close(store->db);
	store->db = NULL;
	if (sidefiles_copy(store->path, &copy, store->err))
		return -1;
	status = open_as(store, copy, SQLITE_OPEN_READWRITE, false) ||
		 store_exec(store, "PRAGMA schema_version");
	sidefiles_remove_copy(copy);
	store->read_only = store->is_copy = true;
	return status ? -1 : 0;
}

/* An ordinary user may stop a program of his while it holds a lock. One that has
 * rights of its own and only reads gets no file in which it could hold one that
 * keeps others out. Not where there are no such files yet. */
static bool only_looks(
	const struct store *store, const struct store_options *options)
{
	return options->mode == STORE_READ && options->own &&
	       !options->shared_log && !store->is_private &&
	       privilege_guards() && sidefiles_wal_is_there(store->path);
}

static int open_to_look(struct store *store)
{
	const char *name = arena_printf(&store->arena,
		"file:%s?readonly_shm=1", uri_path(store->path, &store->arena));
	int lacking;

	if (open_as(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, true))
		return -1;
	lacking = lacks_wal(store);
	store->read_only = true;
	if (lacking <= 0)
		return lacking;
	sqlite3_close(store->db);
	store->db = NULL;
	return 1;
}

static int open_flags(
	const struct store *store, const struct store_options *options)
{
	if (!store_files_access(store->path, W_OK) || errno == ENOENT)
		return options->mode == STORE_CREATE
			       ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
			       : SQLITE_OPEN_READWRITE;
	return SQLITE_OPEN_READONLY;
}

static int open_file(struct store *store, const struct store_options *options)
{
	int flags = store->is_private ? SQLITE_OPEN_READWRITE
				      : open_flags(store, options);
	int lacking;

	if (sidefiles_check_place(store->path, store->err))
		return -1;
	if (only_looks(store, options) && (lacking = open_to_look(store)) <= 0)
		return lacking;
	if (open_as(store, store->path, flags, store->own))
		return -1;
	if (store->is_private)
		return 0;
	keep_wal(store);
	store->read_only = sqlite3_db_readonly(store->db, "main") == 1;
	if (store->read_only && options->need_write)
		return store_fail_write(store);
	lacking = lacks_wal(store);
	if (lacking < 0)
		return -1;
	if (lacking && !store_files_access(store->path, R_OK))
		return open_copy(store);
	sidefiles_follow(store->path);
	return 0;
}

static void init(struct store *store, const struct store_options *options,
	bool is_private, struct err *err)
{
	*store = (struct store){.err = err,
		.actor = options->actor,
		.now = options->now,
		.default_qos = options->default_qos,
		.own = options->own,
		.tidies = options->mode != STORE_READ,
		.is_private = is_private};
	store->path = arena_strdup(&store->arena, options->path);
}

/* As it is after a look at its version; OLDER: it is not open, and is to be
 * opened privately. */
static int open_one(struct store *store, const struct store_options *options,
	bool is_private, struct err *err)
{
	int rc;

	init(store, options, is_private, err);
	store->shared_log = is_private ? NULL : options->shared_log;
	/* Nothing of it reaches a disk: neither the journal nor what is
	 * sorted. */
	rc = open_file(store, options) || harden(store) ||
			     (is_private &&
				     store_exec(store,
					     "PRAGMA journal_mode = memory;"
					     "PRAGMA synchronous = off;"))
		     ? -1
		     : check_version(store, options);
	if (!rc && (store_load_catalogs(store) ||
			   (!store->read_only && !is_private &&
				   ((options->mode != STORE_READ &&
					    begin_wal(store)) ||
					   job_index_heal(store)))))
		rc = -1;
	if (rc)
		store_close(store);
	return rc;
}

/* A read of the file as it is now, for as long as it is laid over. */
static int open_guard(struct store *guard, const struct store_options *options,
	struct err *err)
{
	static const char begin[] = "BEGIN; SELECT count(*) FROM sqlite_schema";

	init(guard, options, false, err);
	if (!open_file(guard, options) && !harden(guard) &&
		!store_exec(guard, begin))
		return 0;
	store_close(guard);
	return -1;
}

/* One who had to take a copy of the files already has a private one. */
static int make_private(
	struct store *store, const struct store_options *options)
{
	store->is_private = true;
	store->read_only = false;
	if (!store_exec(store, "COMMIT") && !check_version(store, options) &&
		!store_load_catalogs(store))
		return 0;
	store_close(store);
	return -1;
}

int store_open_over(struct store *store, const struct store_options *options,
	struct err *err)
{
	struct store guard;

	if (open_guard(&guard, options, err))
		return -1;
	if (guard.is_copy) {
		*store = guard;
		return make_private(store, options);
	}
	if (open_one(store, options, true, err)) {
		store_close(&guard);
		return -1;
	}
	store->guard = guard.db;
	guard.db = NULL;
	store_close(&guard);
	return 0;
}

int store_open(struct store *store, const struct store_options *options,
	struct err *err)
{
	int rc;

	/* SQLite's memory statistics are not used, and each allocation would
	 * take a lock for them. Fails harmlessly when a store was open
	 * before. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	rc = open_one(store, options, false, err);
	if (rc != OLDER)
		return rc;
	rc = store_open_over(store, options, err);
	if (!rc)
		store->read_only = true;
	return rc;
}

int store_open_private(struct store *copy, struct store *from)
{
	struct store_options options = {.path = from->path,
		.default_qos = from->default_qos,
		.actor = from->actor,
		.now = from->now,
		.own = from->own,
		.mode = STORE_READ};

	return store_open_over(copy, &options, from->err);
}

bool store_is_there(const char *path)
{
	struct stat st;

	if (store_files_stat(path, &st))
		return errno != ENOENT;
	return !S_ISREG(st.st_mode) || st.st_size > 0;
}

static void leave_line(struct store *store)
{
	queue_leave(store->place);
	store->place = 0;
}

/* One who wrote leaves the store in its file alone, unless somebody is about to
 * write. Nobody is waited for: readers of an earlier state leave the WAL as it
 * is, for the next one who writes. */
static void empty_wal(struct store *store)
{
	int place;

	if (!store->db || store->read_only || store->is_private ||
		(!store->tidies && !sqlite3_total_changes(store->db)))
		return;
	place = queue_enter_alone(store->path);
	if (!place)
		return;
	sqlite3_busy_timeout(store->db, 0);
	sqlite3_wal_checkpoint_v2(store->db, "main",
		SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	queue_leave(place);
}

static bool any_added(const struct store *store)
{
	return store->added && store->added->any(store);
}

static void drop_added(struct store *store)
{
	if (store->added)
		store->added->drop(store);
}

void store_close(struct store *store)
{
	if (store->session)
		sqlite3session_delete(store->session);
	if (store->watch)
		sqlite3session_delete(store->watch);
	store->watch = NULL;
	query_cache_release(store);
	drop_added(store);
	txnpack_drop(store);
	empty_wal(store);
	sqlite3_close(store->db);
	leave_line(store);
	sqlite3_close(store->guard);
	store->db = store->guard = NULL;
	store->session = NULL;
	arena_release(&store->arena);
}

/* The undo log itself, and what is computed, is not part of a change. */
static int recorded_table(void *context, const char *table)
{
	static const char *const left_out[] = {
		"change", "txn", "txn_pack", "meta", "step", "event", "decay",
		"replica", "replica_state"};

	(void)context;
	return !STR_AMONG(table, left_out) && strncmp(table, "rollup", 6) != 0;
}

/* Computed tables are not part of the change. */
bool store_watches(const char *table)
{
	return recorded_table(NULL, table) || !strcmp(table, "step") ||
	       !strcmp(table, "event");
}

static int watched_table(void *context, const char *table)
{
	(void)context;
	return store_watches(table);
}

int store_record(struct store *store, sqlite3_session **session,
	int (*is_recorded)(void *context, const char *table))
{
	if (sqlite3session_create(store->db, "main", session) != SQLITE_OK ||
		sqlite3session_attach(*session, NULL) != SQLITE_OK)
		return store_fail(store, "changes cannot be recorded");
	sqlite3session_table_filter(*session, is_recorded, NULL);
	return 0;
}

int store_watch(struct store *store)
{
	return store_record(store, &store->watch, watched_table);
}

int store_watched(struct store *store, void **blob, int *size)
{
	int rc = sqlite3session_changeset(store->watch, size, blob);

	sqlite3session_delete(store->watch);
	store->watch = NULL;
	return rc == SQLITE_OK ? 0
			       : store_fail(store, "changes cannot be recorded");
}

/* Why the store is read-only. */
static int refuse(struct store *store)
{
	if (store->refusal)
		return err_set(store->err, ERR_STORE, "%s", store->refusal);
	if (store->is_private)
		return err_set(store->err, ERR_STORE,
			"%s is of an older version: its owner migrates it "
			"with 'sacctmgr ping'",
			store->path);
	return store_fail_write(store);
}

void store_refuse(struct store *store, const char *why)
{
	if (why || store->refusal)
		store->read_only = why;
	store->refusal = why ? arena_strdup(&store->arena, why) : NULL;
}

/* Those before us, and one who does not stand in line, together no longer than
 * the time promised. */
static int begin_in_turn(struct store *store)
{
	int left = BUSY_MS, rc;

	if (store->shared_log) {
		store->place = queue_enter_alone(store->path);
		if (!store->place)
			store->shared_log->waits(store);
	}
	if (!store->is_private && !store->place)
		store->place = queue_enter(store->path, &left);
	if (left < BUSY_MS)
		sqlite3_busy_timeout(store->db, left);
	rc = sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (left < BUSY_MS)
		sqlite3_busy_timeout(store->db, BUSY_MS);
	if (rc == SQLITE_BUSY)
		fail_busy(store, false);
	else if (sqlite3_get_autocommit(store->db))
		store_fail(store, "a change cannot be begun");
	else
		return 0;
	leave_line(store);
	return -1;
}

static int begin_here(struct store *store)
{
	if (begin_in_turn(store))
		return -1;
	store->transactions++;
	store->change = 0;
	drop_added(store);
	txnpack_drop(store);
	store->shared = store->taken_in = false;
	store->tres_before = store->tres;
	store->qos_before = store->qos;
	return 0;
}

/* Here first, then there: never the other way round, or two programs of a host
 * would wait for each other. */
static int begin_both(struct store *store, enum shared_kind kind)
{
	int64_t until = stopwatch_usec() + BEGIN_SECONDS * INT64_C(1000000);
	int rc;

	do {
		if (begin_here(store))
			return -1;
		store->shared = true;
		rc = store->shared_log->begin(store, kind);
		if (!rc && store->taken_in)
			rc = store_load_catalogs(store);
		if (!rc)
			return 0;
		store_rollback(store);
		if (rc < 0 || store->shared_log->refresh(store))
			return -1;
	} while (!store->refusal && stopwatch_usec() < until);
	if (store->refusal)
		return refuse(store);
	if (store->err->kind != ERR_AGAIN)
		err_set(store->err, ERR_STORE,
			"other hosts keep the log: nothing was done, try again");
	store->err->kind = ERR_STORE;
	return -1;
}

static int begin_kind(struct store *store, enum shared_kind kind)
{
	if (store->refusal && store->shared_log &&
		store->shared_log->refresh(store))
		return -1;
	if (store->read_only)
		return refuse(store);
	if (!store->shared_log && store->is_replica && !store->is_private)
		return err_set(store->err, ERR_STORE,
			"%s is a replica of a log: it is changed by way of "
			"slurmdbd.conf; 'sacctmgr backup FILE' makes a store "
			"of its own of it",
			store->path);
	return store->shared_log ? begin_both(store, kind) : begin_here(store);
}

int store_begin_bulk(struct store *store)
{
	return begin_kind(store, SHARED_CHANGE);
}

int store_begin_purge(struct store *store)
{
	return begin_kind(store, SHARED_PURGE);
}

int store_begin_local(struct store *store)
{
	return store->read_only ? refuse(store) : begin_here(store);
}

/* Written, but the disk did not say that it has it: the next program may find it
 * in the WAL, or not. */
static int commit_here(struct store *store)
{
	char text[sizeof(store->err->text)];

	if (!store_exec(store, "COMMIT")) {
		leave_line(store);
		return 0;
	}
	switch (sqlite3_extended_errcode(store->db)) {
	case SQLITE_IOERR_FSYNC:
	case SQLITE_IOERR_DIR_FSYNC:
		memcpy(text, store->err->text, sizeof(text));
		err_set(store->err, ERR_STORE,
			"%s; the change may have been made all the same: look "
			"before you repeat it",
			text);
	}
	return -1;
}

/* What is committed in the shared log is done: where it could not be committed here
 * too, the replica takes it in later. */
static int commit(struct store *store, const char *command)
{
	bool shared = store->shared;
	int rc;

	if (shared && store->shared_log->commit(store, command)) {
		store_rollback(store);
		return -1;
	}
	store->shared = false;
	rc = commit_here(store);
	if (rc)
		store_rollback(store);
	if (shared)
		store->shared_log->ended(store, rc != 0);
	return shared ? 0 : rc;
}

int store_commit_bulk(struct store *store)
{
	return commit(store, store->command);
}

bool store_again(struct store *store, int *tries)
{
	unsigned chance;

	if (store->err->kind != ERR_AGAIN || ++*tries > AGAIN_TRIES)
		return false;
	sqlite3_randomness(sizeof(chance), &chance);
	sqlite3_sleep(1 + (int)(chance % AGAIN_MS) *
				  (*tries < AGAIN_STEPS ? *tries : AGAIN_STEPS));
	return true;
}

int store_note_kind(
	struct store *store, enum shared_kind kind, const char *command)
{
	int tries = 0, rc;

	do {
		rc = begin_kind(store, kind) || commit(store, command) ? -1 : 0;
	} while (rc && store_again(store, &tries));
	return rc;
}

static int change_once(struct store *store, int (*run)(void *arg), void *arg)
{
	if (store_begin_bulk(store))
		return -1;
	if (!run(arg))
		return store_commit_bulk(store);
	store_rollback(store);
	return -1;
}

int store_change_bulk(struct store *store, int (*run)(void *arg), void *arg)
{
	int tries = 0, rc;

	do
		rc = change_once(store, run, arg);
	while (rc && store_again(store, &tries));
	return rc;
}

int store_triggers(struct store *store, bool fire)
{
	if (sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER,
		    (int)fire, NULL) != SQLITE_OK)
		return store_fail(store, "triggers cannot be set");
	return 0;
}

int store_check_foreign_keys(struct store *store, bool on)
{
	if (sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, (int)on,
		    NULL) != SQLITE_OK)
		return store_fail(
			store, "the check of foreign keys cannot be set");
	return 0;
}

int store_begin(struct store *store)
{
	int failed = 0;

	store->keep_empty = false;
	if (store_begin_bulk(store))
		return -1;
	store->first_txn =
		1 + pragma_int(store, "SELECT max(id) FROM txn", &failed);
	if (failed || store_record(store, &store->session, recorded_table)) {
		store_rollback(store);
		return -1;
	}
	return 0;
}

void store_rollback(struct store *store)
{
	int rc;

	if (store->session)
		sqlite3session_delete(store->session);
	store->session = NULL;
	drop_added(store);
	if (store->shared)
		store->shared_log->rollback(store);
	store->shared = false;
	rc = sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	leave_line(store);
	if (rc != SQLITE_OK)
		return;
	store->tres = store->tres_before;
	store->qos = store->qos_before;
}

static int part(struct store *store, const char *sql)
{
	struct query q;

	return query_open(&q, store, sql) ? -1 : query_run(&q);
}

int store_part_begin(struct store *store)
{
	return part(store, "SAVEPOINT part");
}

/* The catalogues still hold names added before the roll-back: read them
 * again. */
int store_part_end(struct store *store, bool keep)
{
	if (!keep && part(store, "ROLLBACK TO part"))
		return -1;
	if (part(store, "RELEASE part"))
		return -1;
	return keep ? 0 : store_load_catalogs(store);
}

int64_t store_last_key(struct store *store)
{
	return sqlite3_last_insert_rowid(store->db);
}

bool store_changed(struct store *store)
{
	return store->session && (!sqlite3session_isempty(store->session) ||
					 any_added(store));
}

/* What SQLite has recorded: all but rows that are only added. */
static int recorded(struct store *store, void **blob, int *size)
{
	return sqlite3session_changeset(store->session, size, blob) == SQLITE_OK
		       ? 0
		       : store_fail(store, "changes cannot be recorded");
}

/* The changeset as the undo log keeps it. Rows that are only added, which may be
 * many, are packed already. */
static int pack(struct store *store, void **kept, int *size)
{
	struct changeset_packing *parts[1 + MOST_ADDED];
	void *blob;
	int n;

	if ((store->added && store->added->write(store)) ||
		recorded(store, &blob, &n))
		return -1;
	if (any_added(store)) {
		parts[0] = changeset_pack_begin();
		changeset_pack_piece(parts[0], blob, (size_t)n);
		*kept = changeset_pack_join(
			parts, 1 + store->added->parts(store, parts + 1), size);
		changeset_pack_drop(parts[0]);
	} else {
		*kept = changeset_pack(n ? blob : "", n, size);
	}
	sqlite3_free(blob);
	return *kept ? 0
		     : err_set(store->err, ERR_STORE,
			       "the change is too large: do it in parts");
}

int store_changeset(struct store *store, void **blob, int *size)
{
	void *kept, *whole;
	int n;

	if (!any_added(store))
		return recorded(store, blob, size);
	if (pack(store, &kept, &n))
		return -1;
	whole = changeset_unpack(kept, n, size, store->err);
	free(kept);
	*blob = whole ? sqlite3_malloc(*size + 1) : NULL;
	if (*blob)
		memcpy(*blob, whole, (size_t)*size);
	else if (whole)
		BUG("no memory");
	free(whole);
	return *blob ? 0 : -1;
}

void store_changeset_free(void *blob)
{
	sqlite3_free(blob);
}

int store_change_ahead(struct store *store)
{
	if (store_run(store,
		    "INSERT INTO change (time, actor, command, changeset)"
		    " VALUES (:time, :actor, '', zeroblob(0))",
		    bind_int(":time", store->now),
		    bind_text(":actor", store->actor)))
		return -1;
	store->change = store_last_key(store);
	return 0;
}

/* Its row is there where it was logged ahead. */
static int write_change(
	struct store *store, const char *command, const void *kept, int size)
{
	struct query q;

	if (query_open(&q, store,
		    store->change
			    ? "UPDATE change SET command = :command,"
			      " changeset = :changeset WHERE id = :change"
			    : "INSERT INTO change"
			      " (time, actor, command, changeset)"
			      " VALUES (:time, :actor, :command, :changeset)"))
		return -1;
	query_bind_text(&q, ":command", command);
	query_bind_blob(&q, ":changeset", kept, size);
	if (store->change) {
		query_bind_int(&q, ":change", store->change);
	} else {
		query_bind_int(&q, ":time", store->now);
		query_bind_text(&q, ":actor", store->actor);
	}
	if (query_run(&q))
		return -1;
	if (!store->change)
		store->change = store_last_key(store);
	return 0;
}

static int keep_change(struct store *store, const char *command)
{
	void *kept = NULL;
	int size = 0, rc;

	if (pack(store, &kept, &size))
		return -1;
	rc = write_change(store, command, kept, size);
	free(kept);
	return rc ? -1
		  : store_run(store,
			    "UPDATE txn SET change = :change"
			    " WHERE id >= :first AND change IS NULL",
			    bind_int(":change", store->change),
			    bind_int(":first", store->first_txn));
}

int store_commit(struct store *store, const char *command)
{
	if ((store_changed(store) || store->keep_empty || store->change) &&
		keep_change(store, command)) {
		store_rollback(store);
		return -1;
	}
	sqlite3session_delete(store->session);
	store->session = NULL;
	store->change = 0; /* it is not open any longer */
	return commit(store, command);
}

bool store_begin_read(struct store *store)
{
	return sqlite3_get_autocommit(store->db) &&
	       sqlite3_exec(store->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

void store_end_read(struct store *store, bool began)
{
	if (began)
		sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
}

static int load_tres(struct store *store)
{
	struct query q;
	struct tres *v = NULL;
	size_t n = 0, cap = 0;

	if (query_open(&q, store,
		    "SELECT id, type, name FROM tres WHERE NOT deleted"
		    " ORDER BY id"))
		return -1;
	while (query_row(&q)) {
		struct tres *t = ARENA_PUSH(&store->arena, v, n, cap);

		t->id = (uint32_t)query_int(&q, 0);
		t->type = query_strdup(&q, 1, &store->arena);
		t->name = query_strdup(&q, 2, &store->arena);
	}
	if (query_close(&q))
		return -1;
	store->tres = (struct tres_catalog){v, n};
	return 0;
}

static int load_qos(struct store *store)
{
	struct query q;
	struct qos_name *v = NULL;
	size_t n = 0, cap = 0;

	if (query_open(&q, store,
		    "SELECT id, name FROM qos WHERE NOT deleted ORDER BY id"))
		return -1;
	while (query_row(&q)) {
		struct qos_name *qos = ARENA_PUSH(&store->arena, v, n, cap);

		qos->id = (uint32_t)query_int(&q, 0);
		qos->name = query_strdup(&q, 1, &store->arena);
	}
	if (query_close(&q))
		return -1;
	store->qos = (struct qos_catalog){v, n};
	return 0;
}

int store_schema_version(void)
{
	return schema_version();
}

int store_load_catalogs(struct store *store)
{
	return load_tres(store) || load_qos(store) ? -1 : 0;
}
