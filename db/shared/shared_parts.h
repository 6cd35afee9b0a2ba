/*
 * What the parts of db/shared share:
 *
 *   conf.c      the words of slurmdbd.conf
 *   driver.c    libmariadb
 *   link.c      the connection to the database
 *   tables.c    the tables there, and the head: how far the log is
 *   entry.c     one entry: read, checked, written
 *   take.c      taking in what is new
 *   apply.c     one entry into the replica
 *   state.c     what the rows of the replica come to
 *   change.c    a change: begun, committed, looked for after a lost answer
 *   purge.c     the roll-ups that go into the log with a purge
 *   replica.c   the replica's file and what lies beside it
 *   snapshot.c  whole stores in the log
 *   status.c    shared_status_read and shared_restore
 *
 * "Held": the head row is locked, in a transaction on the server, so that no
 * other host can add an entry. Functions that return int: 0, or -1 with
 * link.err, which is the store's, unless they say otherwise.
 */
#pragma once

#include "db/shared/link.h"
#include "db/shared/shared.h"

struct sqlite3_session;

/* What becomes of a log that is damaged. */
#define MENDED_BY                                                              \
	"a host that is past it helps this one with its next snapshot; where " \
	"none is, 'sacctmgr restore FILE' with a backup does"

enum {
	LOG_FORMAT = 1,
	TOKEN = 33, /* 32 hexadecimal digits and NUL */
	/* How long an answer may take, for programs that read and that change: */
	READ_SECONDS = 5,
	CHANGE_SECONDS = 10,
	/* How many seconds they wait for a connection where all are taken: */
	READ_PATIENCE = 1,
	CHANGE_PATIENCE = 5,
	CLOCK_SECONDS = 60, /* clocks may differ by this */
	/* After a failure readers do not ask the log for this long, or for this many
	 * seconds for each second that the failure took: */
	RETRY_SECONDS = 10,
	RETRY_PER_SECOND = 20,
	/* A reader begins no further entry after this time; an entry of more bytes
	 * it leaves to programs that change something: */
	TAKE_USEC = 500000,
	READER_BYTES = 1 << 19,
	MOVED_SECONDS = 60, /* the host that took over is tried first for so long */
};

/* The row of bursar_head. */
struct head {
	bool begun; /* there is one */
	char site[TOKEN]; /* a random name, made with the log */
	/* number, checksum: of the last entry; version: of the store's schema;
	 * first: number of the first entry that is still there. */
	int64_t format, number, checksum, version, first;
	int64_t snapshot, snapshot_size; /* of the newest: number, bytes */
	int64_t bytes;			 /* of entries after that */
	int64_t snapshotting;		 /* when a process began to write one */
	int64_t now;			 /* the server's clock */
};

/* The row of the replica's table `replica`: the log it is of, and the last
 * entry it has taken in. */
struct mark {
	bool found;
	char site[TOKEN];
	int64_t position, checksum;
};

/* What the rows of a replica come to (state.c), as of its mark. */
#define STATE_END "\x7f" /* behind all tables */
enum { STATE_EVERY = 1000 };
struct state {
	bool known;
	uint64_t sum, seen; /* of all, of those read so far: */
	char table[64];	    /* up to this table, */
	int64_t key;	    /* and the first column of its key; INT64_MAX: all */
};

/* A row of bursar_log. kind: enum shared_kind; version: of the schema that it
 * was made with; size: bytes of `data`; pieces: rows of bursar_piece with what
 * does not fit the row. */
struct shared_entry {
	int64_t number, time, kind, version, size, pieces, checksum;
	const char *token, *host, *actor, *command;
	void *data; /* the changeset, packed (changeset_pack) */
	size_t got; /* bytes of it that were read */
	const char *also, *also_head; /* SQL that is committed with it: a statement
					 and ";", more of what the head is set
					 to after ","; or NULL */
};

struct shared_entries {
	struct shared_entry *v;
	size_t n, cap;
};

struct shared_log {
	struct shared_calls
		calls; /* first: store->shared_log points here (shared_of) */
	struct link link;
	struct arena *arena;
	const char *path, *conf, *cluster; /* paths of replica, slurmdbd.conf */
	/* PollInterval: seconds until readers ask again. SnapshotEntries: most
	 * entries between two snapshots. */
	int64_t poll, snapshot_entries;
	bool offline;
	uint64_t file; /* replica_file when it was opened */
	bool fresh;  /* the replica was made by this program */
	bool reads;  /* this program reads only */
	int64_t until; /* stopwatch_usec() for taking in; 0: all is taken in */
	int64_t taken_time; /* of the last entry that was taken in */
	bool writes; /* ... and this one only writes */
	struct head head;
	struct mark mark;
	struct state state;
	/* The open transaction: */
	struct sqlite3_session *session; /* records its changes */
	enum shared_kind kind;
	bool holds; /* the log is held */
	int lost;   /* how often other hosts were faster in this program */
	char token[TOKEN]; /* of the entry being written */
	bool planned;	   /* ... which was reported */
	int64_t unsettled; /* its number, where its commit was not answered */
	bool fits; /* the entry being taken in fits the rows of the replica */
	/* A replica that is wrong and is to be made again: */
	bool spoiled;
	char spoiled_by[200], aside_for[200]; /* why; why it was set aside */
	const char *aside; /* the path it was set aside as, or NULL */
	bool went_back; /* it has what the log, which was put back, has not */
	int64_t damaged_entry; /* its number, if that stopped taking in; or 0 */
	/* An entry that does not fit a replica that is right, because the
	 * replica of the host that wrote it was changed past the log: */
	bool unfit;
	const char *unfit_text; /* what people are told */
	bool altered; /* this host wrote it, or differs by itself */
	char altered_host[256]; /* the host that wrote it; "": none */
	char reasons[512]; /* see shared_unasked */
};

static inline struct shared_log *shared_of(const struct store *store)
{
	return (struct shared_log *)store->shared_log;
}

/* tables.c */
/* Reads log->head. `lock`: begins a transaction on the server and holds the log
 * until that ends. In a database without a log `begun` is false; one with
 * tables of other programs is an error. */
int head_read(struct shared_log *, bool lock);
/* Checks that the head is of a log, that this program knows its version, and
 * that it is the log of the mark (NULL: any). */
int head_check(struct shared_log *, const struct mark *);
/* "the clock of this host (NAME) is 75 seconds behind that of HOST", as of the
 * head that was read, in log->arena; NULL: they agree. */
const char *clock_wrong(struct shared_log *);
/* Sets the error that `what` ("schema") of the log is `there`, while this
 * program knows no more than `here`. Always -1. */
int shared_is_newer(
	struct shared_log *, const char *what, int64_t there, int64_t here);
/* Makes the tables of a log, after tables_check. */
int tables_make(struct shared_log *);
/* Checks that the database has no tables of other programs. */
int tables_check(struct shared_log *);

/* entry.c */
/* Reads the first 100 entries with after < number <= upto, in the arena. */
int entries_read(struct shared_log *, int64_t after, int64_t upto,
	struct arena *, struct shared_entries *);
/* The checksum of an entry; `before`: that of the entry before it. */
int64_t entry_checksum(
	const char *site, int64_t before, const struct shared_entry *);
/* The log's checksum at entry `number`, which may be pruned. 1; 0: it is not
 * known any more, or there never was one; -1. */
int chain_find(struct shared_log *, int64_t number, int64_t *checksum);
/* Takes the oldest entries, up to `upto`, out of the log, some at a time, and
 * keeps their checksums. *more: how many were taken; 0: none was left. */
int chain_fold(struct shared_log *, int64_t upto, int64_t *more);
/* While the log is held: writes the entry, sets the head to it, and commits; -1
 * as that of head_commit. */
int entry_commit(struct shared_log *, const struct shared_entry *);
/* Completes and runs the SQL in the stream, which ends with an UPDATE of the
 * head without WHERE: that changes it only if the table `what` has the row of
 * the token, written in the same transaction, and commits both, in one round trip.
 * -1 with LINK_LOST: it is not known whether they are there; LINK_AGAIN: they are
 * not, and the transaction has ended; else they are not. */
int head_commit(struct shared_log *, FILE *sql, char **text, size_t *size,
	const char *what, const char *token);
/* A part (from 1) of an entry or a snapshot; `each` gets its one row, whose
 * only column is the data. */
int piece_read(struct shared_log *, const char *token, int64_t part,
	int (*each)(const struct link_row *, void *arg), void *arg);
int piece_write(struct shared_log *, const char *token, int64_t part,
	const void *data, size_t size);
/* Fills in 128 random bits as hexadecimal digits. */
void token_make(char token[TOKEN]);
/* This host's name, in static memory. */
const char *host_name(void);

/* apply.c */
/* Carries out an entry in the replica, in the open transaction. If a row is not
 * as the entry expects, the replica is spoiled (-1), to be made again from the
 * newest snapshot; a replica that was just made takes what fits. */
int entry_apply(
	struct shared_log *, struct store *, const struct shared_entry *);
int entry_apply_purge(
	struct shared_log *, struct store *, const struct shared_entry *);
/* Sets the error that the entry is damaged. Always -1. */
int entry_damaged(
	struct shared_log *, const struct shared_entry *, const char *why);

/* state.c */
/* Does the log have the table, or is it each replica's own? */
bool state_has(const char *table);
/* In the open transaction, before the mark is moved: reads log->state; moves it
 * by a changeset; reads some rows more and writes it as of an entry. */
int state_read(struct shared_log *, struct store *);
int state_change(struct shared_log *, struct store *, const void *blob, int size);
int state_write(struct shared_log *, struct store *, int64_t position);
/* Of a store that is to be a snapshot, whose entry has no number yet. */
int state_begin(struct store *);
/* It is unknown from now on, until all rows were read. */
void state_forget(struct shared_log *);
/* All rows were read and come to something else? */
bool state_differs(struct store *);
/* In a read transaction: reads all rows now. */
int state_check(struct shared_log *, struct store *);
/* Every STATE_EVERY entries: tells the others; compares with what was told. */
int state_tell(struct shared_log *, int64_t number);
int state_compare(struct shared_log *, int64_t number);
/* The replica is to be made again for this. Always -1. */
int state_spoiled(struct shared_log *);

/* take.c */
int take_refresh(struct store *); /* store_log.refresh */
/* The mark of the replica; `found` is false if the store is none. */
int mark_read(struct store *, struct mark *);
int mark_set(struct store *, int64_t position, int64_t checksum);
/* Carries out the entries that follow log->mark, in the open transaction, and
 * moves the mark. 1: the next entry is of a kind that does not go into a
 * transaction (SHARED_WHOLE, or an unknown one). */
int take_entries(
	struct shared_log *, struct store *, const struct shared_entries *);
/* If log->altered_host is set: tells the user, and adds an entry that makes
 * that host make its replica again, unless the store is read-only or has no
 * log. */
void take_report(struct shared_log *, struct store *);
/* "the log cannot be asked (db1: ...)", in log->reasons. */
const char *shared_unasked(struct shared_log *);

/* change.c: store_log.begin, commit, rollback, waits, ended. */
/* entry_commit, and what has become of it where that was not answered; -1 with
 * LINK_AGAIN and ERR_AGAIN: nothing, try again. */
int change_settle(struct shared_log *, const struct shared_entry *);
int change_begin(struct store *, enum shared_kind);
int change_commit(struct store *, const char *command);
void change_rollback(struct store *);
void change_waits(struct store *);
void change_ended(struct store *, bool failed);

/* purge.c */
/* Adds all roll-ups to the session as new rows; after all other changes. */
int purge_rollups(struct store *, struct sqlite3_session *);
/* After the transaction with purge_rollups. */
void purge_ended(struct store *);
/* Deletes all roll-ups, before those of a purge's entry are taken in. */
int purge_forget(struct store *);

/* replica.c */
/* The small file beside the replica, which programs of this host share: when
 * the log was asked with success, when in vain. */
struct last_asked {
	int64_t asked, failed; /* epoch seconds; 0: never */
	unsigned host; /* index of the host that answered last */
	int64_t moved; /* when another than the first took over */
	uint64_t spoiled; /* the replica_file that is to be made again; 0 */
	int64_t wait;  /* seconds from `failed` on: readers do not ask */
	int64_t erred; /* when it was last asked in vain; 0: never */
	char why[600]; /* what was wrong then */
};
void asked_read(const struct shared_log *, struct last_asked *);
void asked_write(const struct shared_log *, const struct last_asked *);
/* The replica is to be made again, for that reason. Always -1. */
int replica_spoil(struct shared_log *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void replica_damaged(struct store *); /* store_log.damaged: by the next program */
/* Which file it is (its inode), another one after it was made again; 0: none. */
uint64_t replica_file(const struct shared_log *);
/* The host in use does not answer any more: disconnects, and notes for all
 * programs of this host that the next one is to be tried first. */
void host_lost(struct shared_log *);
/* The index of the host to be tried first. */
size_t host_first(const struct shared_log *, const struct last_asked *);
/* Writes 5400 as "90 minutes" to `text`, and returns it. */
const char *age_text(int64_t seconds, char *text, size_t size);
/* Removes or renames a store's file and those beside it (-wal, -shm, -journal).
 * files_move sets no error. */
void files_remove(const char *path);
int files_move(const char *path, const char *to);
/* May this program make files for the replica? Not one with rights of its own
 * for a caller other than root: they would be the caller's. */
bool replica_may_make(void);
/* Sets the error for one that may not. Always -1. */
int replica_denied(const struct shared_log *);
/* The descriptor of the lock of those who make a replica, or fill it from a
 * snapshot; -1. */
int replica_lock(const struct shared_log *);
/* Puts a new file in its place; what is there is set aside if it is spoiled. */
int replica_place(struct shared_log *, const char *path);

/* snapshot.c */
/* Replaces all of the replica (store NULL: makes its file) by the newest
 * snapshot, or that of the token, outside of a transaction; sets log->mark. */
int snapshot_load(struct shared_log *, struct store *, const char *token);
/* The file becomes no replica of any log, but a store of its own. */
int snapshot_unmark(struct shared_log *, const char *file);
/* Begins a log with the store in the file, which becomes no replica of any log.
 * 0 also when another host has just begun one: then that is the log. */
int snapshot_begin_log(struct shared_log *, const char *file);
/* Replaces everything, for all hosts, by the store in the file
 * (shared_restore). */
int snapshot_whole(struct shared_log *, const char *file, const char *actor,
	const char *command);
/* Is a snapshot to be written, as of that head? */
bool snapshot_is_due(const struct head *, int64_t most_entries);
/* Begins a program that writes it (shared_tend). */
void snapshot_begin_tending(void);
