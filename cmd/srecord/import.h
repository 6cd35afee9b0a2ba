/*
 * What the parts of `srecord import` share: the lines of a file, what is read
 * from one, and the way into the store.
 *
 * A row that is refused leaves nothing behind and the rest goes on; rows are
 * committed in batches. Memory is flat: nothing is kept of a row but who it
 * belonged to.
 */
#ifndef BURSAR_SRECORD_IMPORT_H
#define BURSAR_SRECORD_IMPORT_H

#include <stdio.h>

#include "cmd/srecord/srecord.h"
#include "common/sacctline.h"
#include "common/source.h"
#include "common/swf.h"

/* ---- a row --------------------------------------------------------------- */

/* What a line says. Texts and lists are valid until the next line. */
struct import_row {
	struct job job;	  /* key, cluster, assoc, qos, charge are filled in */
	struct step step; /* of a step's row */
	struct sacct_id id, raw_id;
	const char *cluster, *qos, *user_id;
	struct number elapsed;	    /* seconds */
	struct number alloc_cpus, alloc_nodes;
	struct number user_cpu, system_cpu, total_cpu; /* microseconds */
	uint64_t max_rss;	    /* of the job's own line; NO_VAL64 */
	char mem_per;		    /* mem_req is per node 'n' or cpu 'c' */
	bool has_state;
};

void import_row_init(struct import_row *);

/* ---- the import ---------------------------------------------------------- */

struct known_owner; /* who jobs belong to, looked up once */
struct known_tres;

struct import {
	struct session *s;
	struct import_options options;
	struct source source;
	struct job_bulk *bulk;
	FILE *rejects;
	struct arena keep;    /* names and lists that come again */
	struct arena scratch; /* of the row */
	struct sacct_clock clock;
	struct known_owner *owners, *owner;
	struct known_tres *tres;
	const char *last_cluster;
	int64_t last_cluster_key;
	int64_t last_job; /* key of the job a step may follow; 0 */
	int64_t checked_job; /* its steps are real */
	struct job last;  /* its numbers and times; texts are gone */
	void *format;	  /* what the format keeps for itself */
	uint64_t committed; /* lines */
	int64_t others;	  /* see meta_others */
	uint64_t done;	  /* lines that an earlier run has committed */

	const char *unit; /* what is counted: "line", "job" */
	uint64_t events;
	uint64_t jobs, steps, added, changed, same, passed, refused;
	uint64_t nobody;      /* jobs without association */
	uint64_t created;     /* users, accounts, associations, QOS, clusters */
	uint64_t unknown_tres; /* mentions */
};

/* A job's or a step's row into the store: -1 with s->err; ERR_USAGE: refused. */
int import_job(struct import *, struct import_row *);
int import_step(struct import *, struct import_row *);

/* Forgets what was looked up: after a transaction others may have written. */
void import_forget(struct import *);

/* Who the row belongs to, what it may be charged with. */
int import_owner(struct import *, struct import_row *);

/* A TRES text; TRES that are not known here are left out and counted. */
int import_tres(struct import *, const char *text, struct tres_list *);

/* ---- formats ------------------------------------------------------------- */

/* A value of one column, by the name sacct gives it. `column` comes from
 * import_column and may be NULL: the value is passed over. */
struct import_column;
const struct import_column *import_column(const char *name);
int import_value(struct import *, const struct import_column *,
	const char *text, struct import_row *);

/* After all columns: a job or a step. */
int import_sacct_row(struct import *, struct import_row *);

/* Each reads one line: 0, or -1 with s->err. `begin` gets the format ready. */
int import_sacct_begin(struct import *);
int import_sacct_line(struct import *, char *line, size_t len);
int import_swf_begin(struct import *);
int import_swf_line(struct import *, char *line, size_t len);
int import_event_begin(struct import *);
int import_event_line(struct import *, char *line, size_t len);

/* The whole file, calling import_item for each piece. */
int import_json(struct import *);
int import_dump(struct import *, const char *path);

/* What became of a line (or of the n-th record): refusals are reported, and a
 * batch that is full is committed. -1 when the import cannot go on. */
int import_item(struct import *, int rc, const char *text, size_t len);

#endif
