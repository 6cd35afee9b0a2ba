/*
 * One store on many hosts (man/bursar-hosts.7): an ordered log of changesets in
 * MariaDB decides what the store holds, and every host has a replica, which is
 * a store like any other and is all that readers need. Changes go to the log
 * and come from it through the calls of `struct shared_calls` (db/store/store.h);
 * what else programs do with a log is here.
 *
 * Functions that return int: 0, or -1 with err (store->err) set.
 */
#pragma once

#include "common/conf/conf.h"
#include "db/store/store.h"

struct shared_log;

/* Does slurmdbd.conf say that the store is a replica of a log? */
bool shared_wanted(const struct conf_dbd *);

/* Sets up the log from the words of slurmdbd.conf, without asking the database
 * yet. `offline`: it is never asked, and nothing can be changed. `cluster`: the
 * site's ClusterName. The log lives in the arena. */
int shared_find(struct shared_log **, const struct conf_dbd *, bool offline,
	const char *cluster, struct arena *, struct err *);

/* Disconnects; NULL is allowed. */
void shared_close(struct shared_log *);

/* The path of the replica's file. */
const char *shared_replica(const struct shared_log *);

/* Opens the replica as store_open opens a store. A replica that is missing or
 * damaged is made from the log; with STORE_CREATE an empty database gets a new
 * log. */
int shared_open_store(struct shared_log *, struct store *,
	const struct store_options *, struct err *);

/* Takes in what is new in the log, between commands of a long session; does
 * nothing without a log. */
int shared_refresh(struct store *);

/* Writes a snapshot of the replica and prunes the log, if that is due; does
 * nothing without a log. It takes as long as a copy of the store, so it is for
 * programs that nobody waits for. */
int shared_tend(struct store *);

/* Replaces everything, for all hosts, by a store's file that backup_check has
 * passed, or begins the log with it if there is none yet. */
int shared_restore(struct shared_log *, const char *path, const char *actor,
	const char *command, struct err *);

/* For a change that can wait in the spool: NULL when the log is to be asked now, or
 * the reason why not. A program of this host has asked it in vain since the time
 * `since` (epoch seconds), or has just waited long for nothing. */
const char *shared_is_down(struct shared_log *, int64_t since);

/* ---- which entry a change is ----------------------------------------------*/

/* In an open change: the token and the number of the entry that it will be in the log,
 * to be written down before the commit. */
void shared_plan(struct store *, char token[33], int64_t *number);

/* After a commit that failed. True: whether the entry of that token and number is in
 * the log is not known. False: it is not there. */
bool shared_unsettled(const struct store *, char token[33], int64_t *number);

/* In an open change: is that entry in the log? SHARED_UNKNOWN: the log no longer has
 * entries of that number, which were pruned behind a snapshot. -1 with the store's
 * error. */
enum { SHARED_NOT_THERE, SHARED_THERE, SHARED_UNKNOWN };
int shared_look(struct store *, const char *token, int64_t number);

/* ---- its status ---------------------------------------------------------- */

struct shared_host {
	const char *name, *why, *version; /* why it does not answer; "": it
					     does */
	double ms; /* milliseconds to connect */
};

struct shared_snapshot {
	int64_t number, time, size; /* of the last entry in it; epoch seconds;
				       bytes */
};

struct shared_status {
	const char *database, *site;
	struct shared_host *hosts;
	size_t n_hosts;
	bool asked; /* a host answered: `site`, the next members and `behind`
		       are known */
	/* Numbers of the last and the first entry; how many there are. */
	int64_t head, first, entries, bytes;
	struct shared_snapshot *snapshots; /* by number */
	size_t n_snapshots, cap_snapshots;
	int64_t position; /* the last entry that the replica has taken in */
	int64_t behind;	  /* entries that it has not */
	int64_t waiting, refused; /* facts in the spool */
	const char *error; /* the last one; NULL: none is known */
	int64_t error_age; /* seconds since then */
	int64_t age; /* seconds since a program of this host asked the log; -1:
			unknown */
};

/* Asks every host for itself. What they answer is in the status: only an error
 * of the replica is one here. Memory is the arena's. */
int shared_status_read(struct shared_log *, struct store *, struct arena *,
	struct shared_status *);
