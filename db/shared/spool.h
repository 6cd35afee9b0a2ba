/*
 * Facts that wait for the log, in a folder beside the replica, a file each
 * (man/bursar-hosts.7): those of programs that wait for their turn, and those that
 * were kept because no server answered. Whoever holds the folder carries out all
 * of them in one transaction (db/deliver) and answers each.
 *
 * A file that is kept was synced. Before a transaction is committed the file
 * `batch` says by which entry of the log, and what the answers are: who finds it
 * after the program was killed asks the log, so that none is carried out twice.
 *
 * Functions that return int: 0, or -1 with err set.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/arena.h"
#include "common/base/err.h"

struct shared_log;

struct spool {
	char path[PATH_MAX];
	int held; /* descriptor of the folder while it is held; -1 */
};

struct spool_answer {
	bool refused;
	uint32_t id; /* of a new job; 0 */
	char why[1024]; /* it was refused */
};

/* A fact or a change: when and by whom, and its words, "job", "id=7", ... */
struct spool_fact {
	char name[80]; /* of the file; the order of names is that of times */
	int64_t time; /* epoch seconds */
	uid_t uid;
	const char *user;
	char **words;
	int n;
	struct spool_answer answer;
};

struct spool_facts {
	struct spool_fact *v;
	size_t n, cap;
};

/* The spool of a replica; false: there is none with --offline. */
bool spool_find(struct spool *, const struct shared_log *);

/* Holds the folder, which is made; `wait` seconds at most for others that hold
 * it. 1: others hold it. -1: it cannot be made, or not be opened. */
int spool_hold(struct spool *, unsigned wait, struct err *);
void spool_release(struct spool *);

/* Is anything in it? Also when it is not held. */
bool spool_waits(const struct spool *);

/* Puts a fact there, and waits for its answer: *fd is its file, locked. */
int spool_put(const struct spool *, struct spool_fact *, int *fd, struct err *);

/* Was it answered? */
bool spool_answered(int fd, struct spool_answer *);

/* It stays there without anybody who waits: on disk, whatever happens. */
int spool_keep(const struct spool *, int fd, struct err *);

/* Both, for a fact that nobody waits for. The folder is made. */
int spool_leave(struct spool *, struct spool_fact *, struct err *);

/* As if it had never been put. */
void spool_forget(const struct spool *, const struct spool_fact *);

/* Those that wait, or those that were refused, by name, at most so many; memory is
 * the arena's. */
void spool_list(const struct spool *, bool refused, size_t most, struct arena *,
	struct spool_facts *);

/* How many. */
size_t spool_count(const struct spool *, bool refused);

/* Gives the fact its answer and takes it away. One that was refused while nobody
 * waits is kept among the refused: true. */
bool spool_answer(const struct spool *, const struct spool_fact *);

/* Removes those that were refused. */
void spool_drop(const struct spool *);

/* What is about to be committed: the facts with their answers, by the entry of the
 * log with that token and number. On disk when it returns. */
int spool_batch_write(const struct spool *, const char *token, int64_t number,
	const struct spool_facts *, struct err *);

/* What was: of those that still wait, with the answers; none: n is 0. */
void spool_batch_read(const struct spool *, struct arena *, char token[33],
	int64_t *number, struct spool_facts *);
