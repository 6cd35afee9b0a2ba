/*
 * The store: one SQLite file with everything Bursar knows. Only commands that
 * add something create it, only commands that change something migrate it (enum
 * store_mode); a newer one is refused.
 *
 * Changes go first into a file beside it (SQLite's write-ahead log, the WAL),
 * which stays when the last program closes it: readers never block a writer,
 * and reading needs no right on the folder (man/bursar-store.5).
 *
 * There are three other logs: the undo log (table `change`) with the changeset
 * of every change, the transaction log (`txn`, `txn_pack`) that `sacctmgr list
 * transactions` shows, and the shared log (db/shared) of several hosts.
 *
 * Functions that return int: 0, or -1 with the store's error set (store->err),
 * unless stated otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/table/attr.h"
#include "common/text/tres.h"

struct sqlite3;
struct sqlite3_session;
struct cached_stmt;
struct changeset_packing;
struct bulk_insert;
struct lease_state;

struct store;

/* What an entry of the shared log (db/shared) holds; several hosts share it, each
 * with a replica of the store. */
enum shared_kind {
	SHARED_CHANGE = 1, /* a changeset */
	SHARED_MIGRATION,  /* nothing: the steps of migrations.h */
	SHARED_WHOLE,	   /* a whole store replaced the previous one */
	SHARED_PURGE, /* a changeset, and the roll-ups of what it takes away */
	SHARED_ALTERED, /* nothing: the replica of the host that is named by the
			   command was changed past the log */
};

/* So long a change waits for other hosts that hold the shared log. */
enum { BEGIN_SECONDS = 30 };

/* So many records are committed together where others share the log: they wait for
 * that, and take a fifth of a second to take it in. */
enum { SHARED_RECORDS = 2000 };

/*
 * A log of which this store is a replica (db/shared): what a transaction has to do
 * there beside what it does here. Each gives 0, or -1 with the store's error.
 */
struct shared_calls {
	/* Outside of a transaction: applies the log's new entries. Where the log
	 * cannot be reached the store stays as it is, read-only
	 * (store_refuse). */
	int (*refresh)(struct store *);
	/* Inside of one: locks the log, applies its new entries, begins to
	 * record. 1: try again after a refresh; the error that is set is to be
	 * told if that does not help. */
	int (*begin)(struct store *, enum shared_kind);
	/* Writes what was recorded as an entry, and commits it in the log. */
	int (*commit)(struct store *, const char *command);
	void (*rollback)(struct store *);
	/* Outside of one: others of this host are before us, so that we wait. */
	void (*waits)(struct store *);
	/* Called after the commit in the store; `failed`: it did not succeed. */
	void (*ended)(struct store *, bool failed);
	/* SQLite says that the file is damaged. */
	void (*damaged)(struct store *);
};

/* What a command is going to do with the store. */
enum store_mode {
	STORE_NONE,   /* nothing: it is not opened */
	STORE_READ,   /* the file is neither created nor migrated: an older one
			 is read as if it were migrated */
	STORE_WRITE,  /* the file must exist; it is migrated */
	STORE_CREATE, /* the file is created when it does not exist */
};

/* What a new store is filled with, and who the caller is. */
struct store_options {
	const char *path;
	const char *cluster;	   /* registered in a new store */
	const struct strv *tres;   /* AccountingStorageTRES, lower case */
	const char *default_qos;   /* comma list for new clusters; "normal" */
	const char *actor;	   /* for the transaction log */
	int64_t now;
	enum store_mode mode;
	bool need_write; /* refuse at once when it cannot be written */
	bool own; /* the site's store, opened with the rights the program was
		     installed with (db/file/files.h); else the caller's */
	struct shared_calls *shared_log; /* of which it is a replica; or NULL */
	/* Fills a new store, in the transaction that makes it; or NULL. */
	int (*fill)(struct store *, const struct store_options *);
};

/* Rows that the open transaction adds beside SQLite's session
 * (db/rows/bulk_insert.h): what becomes of them with it. */
enum { MOST_ADDED = 2 }; /* tables */
struct store_added {
	/* Writes those that wait, for a statement that is to see them: 0, or
	 * -1 with the store's error. */
	int (*write)(struct store *);
	/* Their parts of the changeset, in order: how many there are. */
	size_t (*parts)(
		const struct store *, struct changeset_packing *[MOST_ADDED]);
	bool (*any)(const struct store *);
	void (*drop)(struct store *); /* with the transaction */
};

/* Entries of the transaction log that are to be written as one
 * (db/store/txnpack.h). */
struct txn_pending {
	char *v;
	size_t size, cap;
	int n;
	int64_t first; /* the number of the first; 0: not known yet */
};

struct store {
	struct sqlite3 *db;
	struct sqlite3 *guard; /* of a private one: the connection that holds the snapshot below */
	struct sqlite3_session *session; /* records changes, or NULL */
	struct sqlite3_session *watch;	 /* see store_watch */
	struct cached_stmt *cache;
	struct err *err; /* where database errors go */
	struct arena arena; /* lives as long as the store */
	const char *path;
	const char *actor;
	const char *default_qos;
	int64_t now;
	bool read_only;
	bool is_new;	 /* begun by this opening */
	bool own;	 /* opened as the site's (db/file/files.h) */
	bool is_copy;	 /* of the files, for a caller who may only read */
	bool is_private; /* what is changed stays in memory (overlay.h) */
	bool is_past;	 /* it shows `now`, at which nothing later was known */
	struct shared_calls *shared_log; /* of which it is a replica; or NULL */
	bool shared;		 /* the open transaction is also one of it */
	bool taken_in;		 /* ... and began by applying others' changes */
	int64_t times_taken;	 /* how often it took in changes of others */
	bool is_replica; /* of some shared log, even where that is NULL */
	int place;		 /* of the open transaction, in the line of those
				    who write (db/file/queue.h); or 0 */
	bool tidies;		 /* empties the WAL when it is closed */
	const char *refusal;	 /* why it is read_only, where that is known */
	const char *command;	 /* for entries without a store_commit; or NULL */
	int64_t transactions; /* begun so far */
	struct lease_state *leases; /* of db/entity/lease.c; or NULL */
	int64_t first_txn; /* of the open transaction */
	bool keep_empty;   /* write the change even if no row changed */
	int64_t change; /* of the open transaction, see store_change_ahead; 0 */
	const struct store_added *added; /* or NULL */
	struct bulk_insert *bulk_insert; /* where they are; or NULL */
	bool packs; /* entries of the transaction log wait as `pending` */
	bool unlogged; /* none are written: they come with what is changed */
	struct txn_pending pending;
	struct tres_catalog tres;
	struct qos_catalog qos;
	/* As they were when the open transaction began: store_rollback puts
	 * them back. */
	struct tres_catalog tres_before;
	struct qos_catalog qos_before;
};

/* A record younger than this (seconds) is erased when it is removed; an older one
 * is marked deleted (store_remove in db/store/query.h). */
enum { YOUNG = 24 * 3600 };
static inline bool is_young(const struct store *store, int64_t created)
{
	return store->now - created < YOUNG;
}

/* Opens the store as the options say. -1 with err, which the store keeps for
 * later errors. */
int store_open(struct store *, const struct store_options *, struct err *);
void store_close(struct store *);

/* As store_open, with mode STORE_READ, and laid over the file: what is changed
 * stays in memory. */
int store_open_over(
	struct store *, const struct store_options *, struct err *);

/*
 * Opens the store of `from` once more, as `copy`, to be changed in memory only:
 * no other process sees the changes, and closing it drops them. It shows the
 * state as of now, whatever others write later. Memory grows with what is
 * changed, not with the store; the right to read is enough. -1 with the error
 * of `from`.
 */
int store_open_private(struct store *copy, struct store *from);

/* Is there a store at the path? An empty file does not count. */
bool store_is_there(const char *path);

/*
 * A change: everything between begin and commit happens together or not at
 * all, and its old and new values are kept in the undo log. `command` is
 * what the user typed.
 */
int store_begin(struct store *);
int store_commit(struct store *, const char *command);
void store_rollback(struct store *);

/* For an open transaction that will write many entries of the transaction log:
 * they get the number of the change as they are written, not at the commit. */
int store_change_ahead(struct store *);

/* A transaction that is not recorded for undo: jobs, steps, events.
 * store_rollback rolls it back too. */
int store_begin_bulk(struct store *);
int store_commit_bulk(struct store *);

/* As store_begin_bulk, for what every replica computes for itself (roll-ups):
 * it is never written to the shared log. */
int store_begin_local(struct store *);

/* As store_begin_bulk, for a purge: of the records it deletes only the roll-ups
 * remain, which therefore go into the shared log with it (SHARED_PURGE). */
int store_begin_purge(struct store *);

/* Writes an entry of that kind, without a changeset, to the shared log. */
int store_note_kind(struct store *, enum shared_kind, const char *command);

/* After a failed commit: true when another host committed first and the whole
 * transaction should be tried again; waits a moment before. The caller sets
 * `*tries` to 0 before the first try. */
bool store_again(struct store *, int *tries);

/* Runs `run` in a transaction (store_begin_bulk): commits, or rolls back when
 * it returns -1. Retried when the commit conflicts with one of another host. */
int store_change_bulk(struct store *, int (*run)(void *arg), void *arg);

/* Makes the store read-only: beginning a change fails with this message. NULL
 * lifts that. */
void store_refuse(struct store *, const char *why);

/* The version of the file that is open. */
int store_file_version(struct store *, int64_t *version);

/* A part of a transaction (a savepoint); with `keep` false its end rolls back
 * that part alone. */
int store_part_begin(struct store *);
int store_part_end(struct store *, bool keep);

/* Switches the check of foreign keys for this connection: off for a caller that
 * has looked the rows up itself and notices other writers. In an open
 * transaction no earlier violation may be pending. 0, or -1 with store->err. */
int store_check_foreign_keys(struct store *, bool on);

/* Switches the triggers for this connection. 0, or -1 with store->err. */
int store_triggers(struct store *, bool fire);

/* Outside of a transaction: sorts and temporary tables use files from now on,
 * so that memory stays at a few times `cache` KiB. The default is memory
 * (store_sort_in_memory). */
int store_sort_in_files(struct store *, int cache);

/* For building indexes: pieces that fit a processor's own cache are sorted
 * faster than large ones, and the sorter takes pieces of the cache's size. */
enum { SORT_CACHE = 1024 };

int store_sort_in_memory(struct store *);

/* `once` true: what is read from now on is read from end to end, and not again
 * soon, so few pages are kept in the cache; false ends that. */
int store_read_once(struct store *, bool once);

/* The key of the row inserted last. (RETURNING would say it too, and costs a
 * savepoint and a temporary table a row.) */
int64_t store_last_key(struct store *);

/* Did anything change since store_begin? */
bool store_changed(struct store *);

/* The changes since store_begin as one blob (sqlite3session changeset);
 * free with store_changeset_free. */
int store_changeset(struct store *, void **blob, int *size);
void store_changeset_free(void *blob);

/* Records from now on every change of the tables for which `is_recorded`
 * returns 1 in a new session; the caller deletes it. */
int store_record(struct store *, struct sqlite3_session **,
	int (*is_recorded)(void *context, const char *table));

/* Records from now on what is committed to a private store
 * (store_open_private), jobs, steps and nodes too; store_watched gives it as
 * one changeset of `size` bytes, to be freed with store_changeset_free, and
 * ends the recording. */
int store_watch(struct store *);
int store_watched(struct store *, void **blob, int *size);

/* The changeset that turns `from` into `to`, a private store; free it with
 * store_changeset_free. -1 with the error of `to`. */
int store_differences(
	struct store *from, struct store *to, void **blob, int *size);

/* Does the changeset touch the table? */
bool store_watches(const char *table);

/* Begins a read transaction, so that several queries see one state and take one
 * file lock. Inside of a transaction it does nothing. Returns whether it began
 * one; give that to store_end_read. */
bool store_begin_read(struct store *);
void store_end_read(struct store *, bool began);

/* Reads tres and qos again after they changed. */
int store_load_catalogs(struct store *);

/* SQLite's application_id of a store, and the newest schema version that this
 * program knows. */
#define STORE_APPLICATION_ID "1114796914"
int store_schema_version(void);

/* Sets the store's error from SQLite's. Returns -1. */
int store_fail(struct store *, const char *doing);

/* Says why the store cannot be written: the file system, or no right to. -1. */
int store_fail_write(struct store *);
