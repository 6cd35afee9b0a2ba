/*
 * srecord sync: copies what a running Slurm knows into the store, repeatedly. A
 * source gives rows of text, as `sacctmgr show` prints them or as slurm_acct_db
 * has them; they are stored through the same functions as everything else.
 *
 * Slurm is only read. Every part can be repeated: rows that come twice change
 * nothing, and the progress of jobs is kept in the store (meta).
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "cmd/srecord/import.h"
#include "db/record/record.h"

struct sync;
struct sync_source;

/* As typed: srecord sync KEY=VALUE... */
struct sync_words {
	const char *from;	 /* "slurm", "mysql[://...]", NULL: either */
	const char *bin;	 /* folder of Slurm's commands, or NULL */
	const char *conf;	 /* Slurm's slurm.conf; NULL: SLURM_CONF's */
	const char *cluster;	 /* NULL: ClusterName */
	const char *passfile;	 /* its first line is the password */
	const char *assoc_usage; /* the controller's state file */
	struct number start;	 /* no jobs that ended before */
	struct number timeout;	 /* seconds a command may be silent */
};

struct sync_options {
	bool verify, report;
	bool end; /* no round: the store may be changed by hand again */
	int64_t follow; /* seconds between two rounds; 0: one round */
};

/* What a column holds, and so how slurm_acct_db's value becomes the text that
 * sacctmgr shows. */
enum sync_type {
	SYNC_PLAIN,
	SYNC_TRES,	/* 1=4,2=8000 there, cpu=4,mem=8000M here */
	SYNC_QOS,	/* 2 there: the name */
	SYNC_QOS_LIST,	/* ,1,+2, there: normal,+high */
};

struct sync_column {
	const char *field;  /* of sacctmgr show; NULL: not shown */
	const char *column; /* of the database's table: a name, or an
			       expression; NULL: not there */
	enum sync_type type;
};

/* Time once more, the first column: a free text before it ends there. */
#define SYNC_AGAIN "TimeStamp"

/* Rows of one kind. */
struct sync_table {
	const char *what;   /* in messages: "associations" */
	const char *show;   /* words of sacctmgr show; NULL: not available */
	const char *tables; /* the text after FROM; {c} is the cluster */
	const struct sync_column *columns;
	size_t n;
	/* Only those changed or alive since then: what is said to sacctmgr, and
	 * the condition in SQL; {t} is the time. */
	const char *show_since, *sql_since;
};

/* What the source gave, kept for the round: of each row a text for each column,
 * "" when empty. */
struct sync_rows {
	const char ***v;
	size_t n, cap;
};

struct sync {
	struct recording *s;
	struct sync_words words;
	const struct sync_source *source;
	void *of_source; /* what the source keeps for itself */
	const char *cluster;
	int64_t cluster_key;
	int64_t now;	    /* by the source's clock, before anything was read */
	struct arena arena; /* of the round */
	bool report;	    /* what differs is printed */
	bool ahead;	    /* what is asked is only announced */
	uint64_t changed;   /* records that were not so */
	struct import_counts jobs;
	void *of_part; /* what a part keeps for itself */
};

/* Where the facts come from. Each function gives 0, or -1 with s->err, which
 * names the host or command at fault. From `queue` on NULL: there is nothing. */
struct sync_source {
	const char *name;
	/* Does it answer? Sets `now`; checks that it has the cluster. */
	int (*open)(struct sync *);
	int (*rows)(struct sync *, const struct sync_table *, int64_t since,
		struct sync_rows *);
	/* These rows will be asked for: what takes time may begin. Or NULL. */
	void (*ahead)(struct sync *, const struct sync_table *, int64_t since);
	/* Jobs with their steps that changed since then; may keep its own
	 * position for a run that was ended. */
	int (*jobs)(struct sync *, int64_t since);
	/* Jobs that wait or run, with what only the controller knows. */
	int (*queue)(struct sync *);
	/* RawUsage, that of those below included, and Account, User, Partition
	 * of every association of the tree. */
	int (*usage)(struct sync *, struct sync_rows *);
	void (*close)(struct sync *);
};

extern const struct sync_source sync_from_slurm;

/* The folder of Slurm's commands: bin=, else the first folder of PATH with a
 * sacctmgr that is not ours. NULL: not found. */
const char *sync_slurm_folder(struct sync *);

#ifdef HAVE_MARIADB
extern const struct sync_source sync_from_mysql;
#endif

/* ---- commands: command.c -------------------------------------------------*/

/* A program that runs and what it prints, arriving through a pipe. */
struct child_command {
	char *const *argv; /* argv[0] is its path */
	const char *name;  /* in messages: "sacct" */
	const char *time_format; /* SLURM_TIME_FORMAT; NULL: standard */
	const char *conf;  /* SLURM_CONF; NULL: ours */
	int64_t timeout;   /* seconds of silence */
	int fd;		   /* what it prints */
	int from, to;	   /* ends of two pipes, between which a thread is */
	pid_t child;
	pthread_t relay;
	bool timed_out, started;
	bool cut; /* its reader took no more */
	FILE *errors; /* what it says on standard error */
};

int command_start(struct child_command *, struct err *);

/* Waits for its end. -1: it failed, was killed for its silence, or `rc` is not
 * 0 (err is then set already). */
int command_end(struct child_command *, int rc, struct err *);

/* All that it prints, in the arena; it may have been started already. */
int command_text(
	struct child_command *, struct arena *, char **text, struct err *);

/* ---- rows: rows.c --------------------------------------------------------*/

/* Lets `ask` ask twice: the first time that all begins at once. */
int sync_ask_all(struct sync *, int (*ask)(struct sync *, void *), void *);

/* Asks the source before the store is held: others may change it meanwhile, and
 * a change that is to be made again does not ask again. */
int sync_ask(struct sync *, const struct sync_table *, int64_t since,
	struct sync_rows *);

/* Adds a row, to be filled with texts that last as long as the round. */
const char **sync_row(struct sync *, struct sync_rows *, size_t columns);

/* ---- putting it in -------------------------------------------------------*/

/* What a function of db/entity/mirror.h gave. 0 or -1. */
int sync_count(struct sync *, int done);

/* entities.c: TRES, QOS, accounts, users, coordinators, associations, wckeys,
 * and what shared.c has, in one transaction. Or they are only compared; then 1:
 * something differs. `report`: what differs is printed. */
int sync_entities(struct sync *, bool apply, bool report);

/* shared.c: federations, resources and what of them the cluster may use. */
struct sync_shared {
	struct sync_rows federations, members, resources, shares;
};
int sync_shared_ask(struct sync *, struct sync_shared *);
int sync_shared(struct sync *, const struct sync_shared *);

/* events.c: node events, capacity, reservations, transactions. */
int sync_events(struct sync *);

/* usage.c: RawUsage as Slurm has it, where ours differs. */
int sync_usage(struct sync *);

/* assoc_usage.c: what the controller's state file of that name says. `each` gets
 * the number of an association, its own RawUsage at the time the file was
 * written, and how much of it has decayed since (1: nothing). */
int sync_assoc_usage(struct sync *,
	int (*each)(struct sync *, uint32_t id, double raw, double decay));

/* verify.c: compares what both compute, and prints it. 1: something differs. */
int sync_verify(struct sync *);

/* How far an earlier sync came with `what`; stays as it is when never. */
int sync_position(struct sync *, const char *what, int64_t *position);
int sync_set_position(struct sync *, const char *what, int64_t position);
/* The same as a change of its own, outside of a transaction. */
int sync_note_position(struct sync *, const char *what, int64_t position);

/* "{c}" in the text is the cluster, "{t}" the time. */
const char *sync_fill(struct sync *, const char *text, int64_t time);

extern const struct word_row sync_words[];

/* Something of Slurm's could not be taken over, and was listed. */
enum { SYNC_LEFT = 2 };

/* srecord sync KEY=VALUE... 1: with --verify, something differs; or SYNC_LEFT. */
int record_sync(
	struct recording *, const struct sync_options *, char **words, int n);
