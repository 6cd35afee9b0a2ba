/*
 * The store: one SQLite file with everything Bursar knows (DESIGN.md, "The
 * store"). Only commands that add something create it, only commands that
 * change something migrate it (enum store_mode); a newer one is refused.
 *
 * Changes go first into a log beside it (SQLite's WAL), which stays when the
 * last program closes it: readers never block a writer, and reading needs no
 * right on the folder (man/bursar-store.5).
 */
#ifndef BURSAR_STORE_H
#define BURSAR_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/table/attr.h"
#include "common/text/tres.h"
#include "db/store/fresh.h"

struct sqlite3;
struct sqlite3_session;
struct cached_stmt;
struct policy;

struct store;

/* What an entry of a log that several hosts share holds. */
enum log_kind {
	LOG_CHANGE = 1, /* a changeset */
	LOG_MIGRATION,	/* nothing: the steps of migrations.h */
	LOG_WHOLE,	/* a whole store replaced the previous one */
	LOG_PURGE,	/* a changeset, and the roll-ups of what it takes away */
	LOG_ALTERED,	/* nothing: the replica of the host that is named by the
			   command was changed past the log */
};

/*
 * A log of which this store is a replica (db/log): what a transaction has to do
 * there beside what it does here. Each gives 0, or -1 with the store's error.
 */
struct store_log {
	/* Outside of a transaction: takes in what is new. Where it cannot be
	 * asked the store stays as it is, for reading alone (store_refuse). */
	int (*refresh)(struct store *);
	/* Inside of one: holds the log, takes in what is new, begins to record.
	 * 1, with an error to be told should it go on so: once more, after a
	 * refresh. */
	int (*begin)(struct store *, enum log_kind);
	/* What was recorded becomes an entry, and is committed there. */
	int (*commit)(struct store *, const char *command);
	void (*rollback)(struct store *);
	/* The same is committed here; `failed`: it could not be. */
	void (*ended)(struct store *, bool failed);
	/* SQLite says that the file is damaged. */
	void (*damaged)(struct store *);
};

/* What a command is going to do with the store. */
enum store_mode {
	STORE_NONE,   /* nothing: it is not opened */
	STORE_READ,   /* the file is neither made nor migrated: an older one is
			 read as the migrated one it would be */
	STORE_WRITE,  /* it must be there; it is migrated */
	STORE_CREATE, /* it is made when it is not there */
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
	bool own; /* the site's, opened with the rights the program was
		     installed with (db/store/files.h); others with the caller's */
	/* Puts back what held until a time that has passed (db/entity/lease.h):
	 * for good and with its entries in the log, or in memory. Or NULL. */
	int (*leases)(struct store *, const struct policy *, bool for_good);
	const struct policy *policy; /* that it needs */
	struct store_log *log; /* it is a replica of that; or NULL */
	/* Fills a new store, in the transaction that makes it; or NULL. */
	int (*fill)(struct store *, const struct store_options *);
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
	bool own;	 /* opened as the site's (db/store/files.h) */
	bool is_copy;	 /* of the files, for a caller who may only read */
	bool is_private; /* what is changed stays in memory (overlay.h) */
	struct store_log *log;	 /* it is a replica of that; or NULL */
	bool shared;		 /* the open transaction is the log's too */
	bool taken_in;		 /* ... and began with changes of others */
	int64_t times_taken;	 /* how often it took in changes of others */
	bool is_replica;	 /* of some log, asked or not */
	const char *refusal;	 /* why it is read_only, where that is known */
	const char *command;	 /* of what no store_commit names; or NULL */
	int (*leases)(struct store *, const struct policy *, bool for_good);
	const struct policy *policy;
	bool settling;	   /* it is at that */
	bool leases_over;  /* some were, and are put back in memory only */
	int64_t until;	   /* of the open transaction: what it sets holds until
			      then; 0: for good */
	int has_leases;	   /* of the open transaction; -1: not looked yet */
	int64_t first_txn; /* of the open transaction */
	bool log_empty;	   /* it is logged though no row is another */
	int64_t change;	   /* of the open transaction, see store_log_ahead; 0 */
	struct fresh fresh;
	struct txn_pending pending;
	struct tres_catalog tres;
	struct qos_catalog qos;
	/* As they were when the open transaction began: store_rollback puts
	 * them back. */
	struct tres_catalog tres_before;
	struct qos_catalog qos_before;
};

int store_open(struct store *, const struct store_options *, struct err *);
void store_close(struct store *);

/*
 * The same store again, to be changed in memory only: no other process sees the
 * changes, and they are gone when it is closed. It keeps showing the present
 * state; its cost grows with what is changed, not with the store. The right to
 * read is enough. -1 with the error of `from`.
 */
int store_open_private(struct store *copy, struct store *from);

/* 1: a lease has ended and its value has not been put back yet; 0, -1. */
int store_leases_due(struct store *);

/* Is there a store at the path? An empty file does not count. */
bool store_is_there(const char *path);

/*
 * A change: everything between begin and commit happens together or not at
 * all, and its old and new values are kept in the log for undo. `command` is
 * what the user typed.
 */
int store_begin(struct store *);
int store_commit(struct store *, const char *command);
void store_rollback(struct store *);

/* The open transaction is going to be logged, with many entries: they are written
 * with the number of the change at once, not at the commit. */
int store_log_ahead(struct store *);

/* The same without a record for undo: jobs, steps, events. store_rollback
 * takes either back. */
int store_begin_bulk(struct store *);
int store_commit_bulk(struct store *);

/* The same for what every replica computes for itself (roll-ups): never in a
 * log. */
int store_begin_own(struct store *);

/* The same for what takes records away of which roll-ups tell from then on: in a
 * log these go with it. */
int store_begin_purge(struct store *);

/* An entry of that kind without a changeset. */
int store_note_kind(struct store *, enum log_kind, const char *command);

/* After a commit that failed: was that only because another host was faster, so
 * that all of it is to be done again? Waits a moment. `*tries` begins with 0. */
bool store_again(struct store *, int *tries);

/* Runs `run` in a transaction (store_begin_bulk): commits, or rolls back when it
 * returns -1. Retried when the commit conflicts with one of another host. */
int store_change_bulk(struct store *, int (*run)(void *arg), void *arg);

/* From now on it is read-only, and beginning a change fails with this message;
 * NULL lifts that. */
void store_refuse(struct store *, const char *why);

/* In an open transaction: runs the migrations up to that version. */
int store_migrate_to(struct store *, int64_t version);

/* The version of the file that is open. */
int store_file_version(struct store *, int64_t *version);

/* A part of a transaction that may be taken back by itself. */
int store_part_begin(struct store *);
int store_part_end(struct store *, bool keep);

/* Outside a transaction. With `true`, references between rows are not checked:
 * for a caller that has looked them up itself and notices other writers. False:
 * everything as before, triggers too. */
int store_trust_bulk(struct store *, bool trusted);

/* In an open transaction: switches the check of references between rows, for a
 * caller that has checked them itself. No earlier violation may be pending. */
int store_references(struct store *, bool looked_for);

/* Do triggers of this connection fire? */
int store_triggers(struct store *, bool fire);

/* Outside of a transaction. What is large is sorted in files, and memory stays
 * flat: a few times the cache's KiB. A program begins with everything in
 * memory. */
int store_work_in_files(struct store *, int cache);

/* For building indexes: pieces that fit a processor's own cache are sorted
 * faster than large ones, and the sorter takes pieces of the cache's size. */
enum { SORT_CACHE = 1024 };

int store_work_in_memory(struct store *);

/* What is read next is read from end to end, and not again soon: few pages of it
 * are kept, until this is told to be over. */
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

/* From now on every change of the tables that `is_recorded` gives 1 for goes into
 * the session, which is the caller's to delete. */
int store_record(struct store *, struct sqlite3_session **,
	int (*is_recorded)(void *context, const char *table));

/* From now on what is committed to a store of one's own (store_open_private) is
 * recorded, records of jobs, steps and nodes too; store_watched gives it as one
 * changeset and ends that. */
int store_watch(struct store *);
int store_watched(struct store *, void **blob, int *size);

/* The same changeset of two stores: what makes of `from` what `to` is, which is
 * a store of one's own. -1 with the error of `to`. */
int store_differences(
	struct store *from, struct store *to, void **blob, int *size);

/* Does the changeset touch the table? */
bool store_watches(const char *table);

/* A read snapshot over several queries, and one file lock instead of one for
 * each. Inside of a transaction it does nothing; true when it began one, which
 * the end is to be told. */
bool store_begin_read(struct store *);
void store_end_read(struct store *, bool began);

/* Reads tres and qos again after they changed. */
int store_load_catalogs(struct store *);

/* What says in a file that it is a store, and the newest version of it that is
 * known here. */
#define STORE_APPLICATION_ID "1114796914"
int store_schema_version(void);

/* Sets the store's error from SQLite's. Returns -1. */
int store_fail(struct store *, const char *doing);

#endif
