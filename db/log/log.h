/*
 * One store on many hosts (man/bursar-hosts.7): an ordered log of changesets in
 * MariaDB decides what the store holds, and every host has a replica, which is
 * a store like any other and is all that readers need. Changes go to the log
 * and come from it through the calls of `struct store_log` (db/store/store.h);
 * what else programs do with a log is here.
 *
 * Functions that return int: 0, or -1 with err (store->err) set.
 */
#ifndef BURSAR_LOG_H
#define BURSAR_LOG_H

#include "common/conf/conf.h"
#include "db/store/store.h"

struct log;

/* Does slurmdbd.conf say that the store is a replica of a log? */
bool log_wanted(const struct conf_dbd *);

/* Sets up the log from the words of slurmdbd.conf, without asking the database
 * yet. `offline`: it is never asked, and nothing can be changed. `cluster`: the
 * site's ClusterName. The log lives in the arena. */
int log_find(struct log **, const struct conf_dbd *, bool offline,
	const char *cluster, struct arena *, struct err *);

/* Disconnects; NULL is allowed. */
void log_close(struct log *);

/* The path of the replica's file. */
const char *log_replica(const struct log *);

/* Opens the replica as store_open opens a store. A replica that is missing or
 * damaged is made from the log; with STORE_CREATE an empty database gets a new
 * log. */
int log_open_store(struct log *, struct store *, const struct store_options *,
	struct err *);

/* Takes in what is new in the log, between commands of a long session; does
 * nothing without a log. */
int log_refresh(struct store *);

/* Replaces everything, for all hosts, by a store's file that backup_check has
 * passed, or begins the log with it if there is none yet. */
int log_restore(struct log *, const char *path, const char *actor,
	const char *command, struct err *);

/* ---- its status ---------------------------------------------------------- */

struct log_host {
	const char *name, *why, *version; /* why it does not answer; "": it
					     does */
	double ms; /* milliseconds to connect */
};

struct log_snapshot {
	int64_t number, time, size; /* of the last entry in it; epoch seconds;
				       bytes */
};

struct log_status {
	const char *database, *site;
	struct log_host *hosts;
	size_t n_hosts;
	bool asked; /* a host answered: `site`, the next members and `behind`
		       are known */
	/* Numbers of the last and the first entry; how many there are. */
	int64_t head, first, entries, bytes;
	struct log_snapshot *snapshots; /* by number */
	size_t n_snapshots, cap_snapshots;
	int64_t position; /* the last entry that the replica has taken in */
	int64_t behind;	  /* entries that it has not */
	int64_t age; /* seconds since a program of this host asked the log; -1:
			unknown */
};

/* Asks every host for itself. What they answer is in the status: only an error
 * of the replica is one here. Memory is the arena's. */
int log_status_read(
	struct log *, struct store *, struct arena *, struct log_status *);

#endif
