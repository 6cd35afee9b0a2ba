/*
 * One store on many hosts (man/bursar-hosts.7): the truth is an ordered log of
 * changesets in MariaDB, and every host has a replica, which is a store like any
 * other and answers every question. What goes to the log and comes from it goes
 * through the calls of `struct store_log` (db/store/store.h); what else there is
 * to do with a log is here.
 */
#ifndef BURSAR_LOG_H
#define BURSAR_LOG_H

#include "common/conf/conf.h"
#include "db/store/store.h"

struct log;

/* Does slurmdbd.conf say that the store is a replica of a log? */
bool log_wanted(const struct conf_dbd *);

/* From the words of slurmdbd.conf; it is not asked yet. `offline`: it never is,
 * and nothing can be changed. The log lives in the arena. */
int log_find(struct log **, const struct conf_dbd *, bool offline,
	const char *cluster, struct arena *, struct err *);
void log_close(struct log *);

const char *log_replica(const struct log *);

/* As store_open of the replica, which is made when it is not there, and again
 * when it is damaged; a log is begun where one came to add something. */
int log_open_store(struct log *, struct store *, const struct store_options *,
	struct err *);

/* What is new, once more: for long sessions. */
int log_refresh(struct store *);

/* Replaces everything, for all hosts, by a store's file, or begins the log with
 * it if there is none yet. The file was checked. */
int log_restore(struct log *, const char *path, const char *actor,
	const char *command, struct err *);

/* ---- what it says of itself ---------------------------------------------- */

struct log_host {
	const char *name, *why, *version; /* why "": it answers */
	double ms;
};

struct log_snapshot {
	int64_t number, time, size;
};

struct log_status {
	const char *database, *site;
	struct log_host *hosts;
	size_t n_hosts;
	bool asked; /* one host answered: what follows of the log is known */
	int64_t head, first, entries, bytes;
	struct log_snapshot *snapshots;
	size_t n_snapshots, cap_snapshots;
	int64_t position; /* of the replica */
	int64_t behind;	  /* so many entries */
	int64_t age; /* seconds since a program of this host asked it, or -1 */
};

int log_status_read(
	struct log *, struct store *, struct arena *, struct log_status *);

#endif
