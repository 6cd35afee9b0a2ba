/*
 * What the parts of db/log share.
 *
 *   conf.c      the words of slurmdbd.conf
 *   driver.c    libmariadb
 *   link.c      the way to the database
 *   tables.c    the tables there, and the head: how far the log is
 *   entry.c     one entry: read, checked, written
 *   take.c      taking in what is new
 *   apply.c     one entry into the replica
 *   change.c    a change: begun, committed, looked for after a lost answer
 *   purge.c     what a purge has to say of roll-ups
 *   replica.c   the replica's file and what lies beside it
 *   snapshot.c  whole stores in the log
 */
#ifndef BURSAR_LOG_PARTS_H
#define BURSAR_LOG_PARTS_H

#include "db/log/link.h"
#include "db/log/log.h"

struct sqlite3_session;

/* What to do about a log that is damaged. */
#define MENDED_BY                                                              \
	"'sacctmgr restore FILE' with a backup, or with a 'sacctmgr --offline " \
	"backup FILE' of the newest replica, mends it"

enum {
	LOG_FORMAT = 1,
	TOKEN = 33, /* with its NUL */
	READ_SECONDS = 5,
	CHANGE_SECONDS = 10,
	CLOCK_SECONDS = 60, /* clocks may differ by this */
	RETRY_SECONDS = 10, /* reads do not ask a log sooner that was not there */
	MOVED_SECONDS = 60, /* nor any program the first host, where another is */
};

/* The head row. */
struct head {
	bool begun; /* there is one */
	char site[TOKEN];
	int64_t format, number, checksum, version, first;
	int64_t snapshot, snapshot_size; /* the newest */
	int64_t bytes;			 /* of entries behind that */
	int64_t snapshotting;		 /* when a process began to write one */
	int64_t now;			 /* the server's clock */
};

/* The row of the replica. */
struct mark {
	bool found;
	char site[TOKEN];
	int64_t position, checksum;
};

struct entry {
	int64_t number, time, kind, version, size, pieces, checksum;
	const char *token, *host, *actor, *command;
	void *data; /* as it is kept: changeset_pack */
	size_t got; /* bytes of it that were read */
};

struct entries {
	struct entry *v;
	size_t n, cap;
};

struct log {
	struct store_log calls; /* the first: a store's log is one of these */
	struct link link;
	struct arena *arena;
	const char *path, *conf, *cluster;
	int64_t poll, snapshot_entries;
	bool offline;
	uint64_t file; /* which the replica was when it was opened */
	bool fresh;  /* the replica was made just now */
	bool reads;  /* this program came to look, not to change */
	struct head head;
	struct mark mark;
	struct sqlite3_session *session; /* of the open transaction */
	enum log_kind kind;
	bool holds; /* a transaction is open there */
	int lost;   /* changes that others were faster with, of this program */
	char token[TOKEN];
	bool due; /* a snapshot, after the commit */
	bool fits; /* the entry being taken in */
	bool spoiled;
	char spoiled_by[200], aside_for[200];
	const char *aside; /* where the replica of before is, or NULL */
	bool unfit; /* an entry did not fit a replica that was right */
	const char *unfit_text;
	bool altered; /* it is this host that wrote one */
	char altered_host[256]; /* that wrote it */
	char reasons[512];
};

static inline struct log *log_of(const struct store *store)
{
	return (struct log *)store->log;
}

/* conf.c */
extern const struct store_log log_calls;

/* tables.c: the head; `lock`: held until the transaction that is begun ends.
 * Where nothing is begun `begun` is false, if the database is fit for a log. */
int head_read(struct log *, bool lock);
/* Is it the replica's log, and one that this program knows? */
int head_check(struct log *, const struct mark *);
/* "the clock of this host (NAME) is 75 seconds behind that of HOST", as of the
 * head that was read; NULL: they agree. */
const char *clock_wrong(struct log *);
/* -1, with the error: `what` of it is `there`, and `here` is all that is known. */
int log_is_newer(struct log *, const char *what, int64_t there, int64_t here);
int tables_make(struct log *);
/* No tables but ours. */
int tables_check(struct log *);

/* entry.c */
int entries_read(struct log *, int64_t after, int64_t upto, struct arena *,
	struct entries *);
int64_t entry_checksum(const char *site, int64_t before, const struct entry *);
int entry_write(struct log *, const struct entry *);
/* Ends a packet that changes the head: only if the row of that token is there,
 * which was written in the same transaction to the table `what`. LINK_AGAIN. */
int head_write(struct log *, FILE *sql, char **text, size_t *size,
	const char *what, const char *token);
/* A part of an entry or a snapshot, from 1; `each` gets its one row. */
int piece_read(struct log *, const char *token, int64_t part,
	int (*each)(const struct link_row *, void *arg), void *arg);
int piece_write(struct log *, const char *token, int64_t part,
	const void *data, size_t size);
void token_make(char token[TOKEN]);
const char *host_name(void);

/* apply.c: what does not fit spoils the replica, which is made again from the
 * newest snapshot; one that was just made takes what fits. */
int entry_apply(struct log *, struct store *, const struct entry *);
int entry_apply_purge(struct log *, struct store *, const struct entry *);
int entry_damaged(struct log *, const struct entry *, const char *why);

/* take.c */
int take_refresh(struct store *);
int mark_read(struct store *, struct mark *);
int mark_set(struct store *, int64_t position, int64_t checksum);
/* Applies those that follow the mark, in the open transaction. 1: there are some
 * that do not go into one. */
int take_entries(struct log *, struct store *, const struct entries *);
/* It is for reading alone; says how old it is. */
void take_stale(struct log *, struct store *, const char *why);
/* Adds an entry that tells log->altered_host to make its replica again, unless
 * another host has. A store that is older than the program is laid over another,
 * without the log, and only says it. */
void take_report(struct log *, struct store *);
/* Text of "the log cannot be asked (...)", in log->reasons. */
const char *log_unasked(struct log *);

/* change.c */
int change_begin(struct store *, enum log_kind);
int change_commit(struct store *, const char *command);
void change_rollback(struct store *);
void change_ended(struct store *, bool failed);

/* purge.c */
/* Records all roll-ups, when everything else is recorded. */
int purge_rollups(struct store *, struct sqlite3_session *);
void purge_ended(struct store *);
/* Removes them, for those of a purge that follow. */
int purge_forget(struct store *);

/* replica.c: beside the replica: when the log was asked, and when in vain. */
struct asked {
	int64_t asked, failed;
	unsigned host; /* that answered, another than the first... */
	int64_t moved; /* ...since then */
	bool spoiled;  /* the replica is to be made again */
};
void asked_read(const struct log *, struct asked *);
void asked_write(const struct log *, const struct asked *);
void replica_spoiled(struct store *);
/* The host that was asked does not answer any more: the next one is, by other
 * programs of this host too. */
void host_lost(struct log *);
/* Another program has found that out of the host this one has. */
void host_check(struct log *);
/* Which host is to be tried first. */
size_t host_first(const struct log *, const struct asked *);
/* 5400, "90 minutes" */
const char *age_text(int64_t seconds, char *text, size_t size);
/* A store's file with what is beside it. */
void files_remove(const char *path);
int files_move(const char *path, const char *to);
/* May this program make whole files for the replica? In one with rights of its
 * own they would be the caller's. */
bool replica_may_make(void);

/* snapshot.c */
/* Puts the newest one, or that of the token, in place of all that is in the
 * replica, outside of a transaction; sets the mark. */
int snapshot_load(struct log *, struct store *, const char *token);
int snapshot_begin_log(struct log *, const char *file);
int snapshot_whole(struct log *, const char *file, const char *actor,
	const char *command);
void snapshot_write(struct log *, struct store *);

#endif
