/*
 * What the parts of `srecord import` share: the lines of a file, what is read
 * from one, and the way into the store.
 *
 * A row that is refused leaves nothing behind and the rest goes on; rows are
 * committed in batches. Memory is flat: nothing is kept of a row but who it
 * belonged to.
 */
#pragma once

#include "common/base/outfile.h"
#include "common/cli/source.h"
#include "cmd/srecord/sacctline.h"
#include "common/text/swf.h"
#include "db/job/job_bulk.h"
#include "db/record/record.h"

/* Ascending once they have been sorted. */
struct ids {
	struct arena *arena;
	uint32_t *v;
	size_t n, cap;
};
void ids_sort(struct ids *);
bool ids_have(const struct ids *, uint32_t id);

struct import_options {
	bool create;	     /* add missing users and accounts */
	bool duplicates;     /* another start is a requeue */
	bool only_open;	     /* jobs that have ended are passed over */
	bool quiet;	     /* no summary, no progress, no log */
	bool numbers;	     /* of associations and QOS are those of the store */
	bool to_end;	     /* a pipe is read to its end before there is a lock */
	/* Ids of the jobs of a list; those of another one only add to what is known
	 * of these. Each NULL: not asked for. */
	struct ids *listed;
	const struct ids *known;
	const char *rejects; /* file for lines refused, or NULL */
	bool dry_run;	     /* the store is private: no file is written */
	const char *form;    /* then: "--json" or another option, or NULL */
};

/* Another program carried it out, and said what is to be said. */
enum { IMPORT_TOLD = 2 };

/* In transactions of its own. 1: some lines were refused. Or IMPORT_TOLD. */
int record_import(struct recording *, const struct import_options *, char **words,
	int n);

/* ---- a row --------------------------------------------------------------- */

/* What a line says. Texts and lists live as long as the line's block. */
struct import_row {
	struct job job;	  /* key, cluster, assoc, qos, charge are filled in */
	struct step step; /* of a step's row */
	struct sacct_id id, raw_id;
	const char *cluster, *qos, *user_id;
	const struct swf_header *trace; /* of the first row of one */
	const char *owner_key;		/* shared by all that have the same */
	size_t owner_len;
	unsigned owner_hash;
	struct number elapsed; /* seconds */
	uint32_t assoc_id, qos_id; /* where the rows came from; 0: not known */
	struct number alloc_cpus, alloc_nodes;
	struct number user_cpu, system_cpu, total_cpu; /* microseconds */
	uint64_t max_rss;      /* of the job's own line; NO_VAL64 */
	uint64_t unknown_tres; /* mentions */
	char mem_per;	       /* mem_req is per node 'n' or cpu 'c' */
	/* Where tasks ran, by name: places in the node list of the step. */
	struct used_node {
		const char *node;
		enum step_use list;
		uint32_t tres;
		struct used_node *next;
	} *used_nodes;
	bool has_state;
	bool is_step;
	bool too_late; /* for reports: records of its time were purged */
};

void import_row_init(struct import_row *);

/* ---- reading: a thread of its own does it, without the store --------------*/

struct known_tres; /* lists by their text */

struct import_reader {
	struct err *err;
	struct arena *scratch; /* of the rows being read */
	struct arena keep;     /* as long as the import */
	struct arena lists;
	struct known_tres *tres;
	struct tres_catalog catalog;
	struct sacct_clock clock;
	time_t now;
	uint64_t tamed; /* texts with what no text may hold */
	void *format; /* what the format keeps for itself */
	bool unreadable; /* none of the file can be, not at a later try either */
};

/* What came of a line. */
enum import_found {
	FOUND_ROW,
	FOUND_NOTHING, /* a header, a comment, a blank line */
	FOUND_PASSED,  /* it is left out, and counted: import_passed */
};

/* FOUND_PASSED, with the reason. */
int import_passed(struct import_reader *, const char *reason);

/* A TRES text; TRES that are not known here are left out and counted. */
int import_tres(struct import_reader *, const char *text, struct tres_list *,
	uint64_t *unknown);
void import_forget_tres(struct import_reader *);

/* Rows of the same names have the same key; part of import_settle. */
int import_owner_key(struct import_reader *, struct import_row *);

/* What is missing of a job is concluded from the rest. -1: refused. */
int import_settle(struct import_reader *, struct import_row *);

/* A value of one column, by the name sacct gives it. `column` comes from
 * import_column and may be NULL: the value is passed over. */
struct import_column;
const struct import_column *import_column(const char *name);
const struct import_column *import_fact(const struct member *);
void import_columns_open(void); /* before the first of them is asked for */
int import_value(struct import_reader *, const struct import_column *,
	const char *text, struct import_row *);

/* After all columns: which job, which step; a job is settled. */
int import_sacct_row(struct import_reader *, struct import_row *);

/* Each reads one line (import_read); `begin` gets the format ready. */
void import_sacct_begin(struct import_reader *);
int import_sacct_line(
	struct import_reader *, char *line, size_t len, struct import_row *);
void import_swf_begin(struct import_reader *);
int import_swf_line(
	struct import_reader *, char *line, size_t len, struct import_row *);

/* ---- the import ---------------------------------------------------------- */

enum { REASONS = 20, REASON_SIZE = 160 };

/* Jobs and other records that came out otherwise than they should: why, and which.
 * Texts are in the arena. */
struct import_left {
	struct arena *arena;
	struct left_reason {
		const char *text;
		struct strv which;
	} *v;
	size_t n, cap;
};

void import_leave(struct import_left *, const char *reason, const char *which);

/* Why lines are not in the store, and how many. */
struct import_reason {
	char text[REASON_SIZE];
	uint64_t count;
};

/* What came of lines so far. */
struct import_tally {
	uint64_t jobs, steps, nodes, events, added, changed, same, passed, refused;
	uint64_t nobody;  /* jobs without association */
	uint64_t late;	  /* jobs that reports leave out: see rollup_keep */
	uint64_t created; /* users, accounts, associations, QOS, clusters */
	uint64_t unknown_tres; /* mentions */
	struct import_reason reasons[REASONS];
	size_t n_reasons;
	uint64_t other_reasons;
};

struct known_owner; /* who jobs belong to, looked up once */

struct import {
	struct recording *s;
	struct import_options options;
	const char *path; /* as typed */
	struct source source;
	struct import_reader reader;
	struct job_bulk *bulk;
	struct outfile rejects; /* file NULL: none */
	struct arena keep;    /* names that come again */
	struct arena scratch; /* of what is being put into the store */
	struct known_owner *owners;
	const char *last_cluster;
	int64_t last_cluster_key;
	uint32_t last_qos; /* 0: none */
	double last_factor;
	int64_t last_job;    /* key of the job a step may follow; 0 */
	int64_t checked_job; /* its steps are real */
	int64_t new_job;     /* it has no steps in the store yet */
	struct {
		struct step **v;
		size_t n, cap;
	} queue; /* steps to be written, in `scratch` */
	struct job last;     /* its numbers and times; texts are gone */
	uint64_t line;	     /* the one at hand */
	int64_t at;	     /* bytes of the file read up to there */
	uint64_t committed;  /* lines */
	int64_t others;	     /* see meta_others */
	uint64_t done;	     /* lines that are in the store already */

	const char *unit; /* what is counted: "line", "job" */
	struct conf_index known_nodes; /* counted already; in `keep` */
	struct import_tally count;
	struct import_left *left; /* or NULL */
	/* For a batch that is put in again, where another host was faster: */
	struct import_tally committed_count;
	uint64_t batch; /* lines of one */
	uint64_t batches;
	uint64_t told;	/* the last line of which something was said */
	int tries;
	void *of_whole; /* for what import_whole calls */
};

/* A line and what was read from it. */
struct import_item {
	uint64_t line;
	const char *text; /* as in the file */
	size_t len;
	int found;	     /* enum import_found, -1: refused */
	enum err_kind kind;  /* then; ERR_USAGE: the rest goes on */
	const char *refusal; /* why, of one left out too */
	struct import_row row;
};

/* What became of an item: 0, or -1 with s->err. Gives -1 to end all. */
typedef int import_told(struct import *, const struct import_item *, int rc);

/* Items into the store, in their order. -1 with s->err: it failed. */
int import_items(
	struct import *, struct import_item *, size_t n, import_told *);

/* One row by itself; ERR_USAGE in s->err: refused. */
int import_one(struct import *, struct import_row *);

/* A step behind its job. */
int import_step(struct import *, struct import_row *);

/* What import_step and import_saved have put off. Before `scratch` is reset. */
int import_write_steps(struct import *);

/* A job that is in the store now; `saved`: enum job_saved. */
int import_saved(struct import *, struct import_row *, int saved);

/* How large the machine of a trace was, in front of its first job. */
int import_capacity(struct import *, const struct swf_header *);

/* A requeue that kept its submit time becomes a job of its own. */
int import_requeue(struct import *, struct job *);

/* Forgets what was looked up: after a transaction others may have written. */
void import_forget(struct import *);

/* The same when they are many: no job that is not written yet may have been settled
 * by them. */
void import_forget_many(struct import *);

/* Who the row belongs to, what it may be charged with. */
int import_owner(struct import *, struct import_row *);

/* A record of `scontrol show node --json`, a row of `sinfo --json`. */
struct json_object;
int import_node(struct import *, struct json_object *);

/* ---- for srecord sync ----------------------------------------------------- */

/* What came of several imports together. */
struct import_counts {
	uint64_t jobs, added, changed, steps, events, refused;
	struct import_left left;
};

/* A file of that format; counts are added to. 1: some lines were refused. */
int import_path(struct recording *, const struct import_options *,
	const char *format, const char *path, struct import_counts *);

/* What is in no file: `whole` puts it in with import_one and import_done, and
 * finds `arg` in im->of_whole. */
int import_whole(struct recording *, const struct import_options *,
	int (*whole)(struct import *), void *arg, struct import_counts *);

/* Items that `whole` has read, as so many lines. A batch that is full is
 * committed. -1 when the import cannot go on. */
int import_put(struct import *, struct import_item *, size_t n);

/* ---- reading ahead --------------------------------------------------------*/

/* The lines of some 500 rows. */
struct import_block {
	struct import_item *items;
	size_t n;
	struct arena arena; /* all that the items point to */
	int64_t at;	    /* bytes of the file read */
	uint64_t line;	    /* the last one */
};

/* Does the line go on with the record that `held` began? A free text may hold
 * newlines. */
typedef bool import_continues(
	struct import_reader *, const char *held, const char *line);
import_continues import_sacct_continues;

struct import_pipe; /* a thread that reads blocks ahead, a few at most */

/* Reads a line, which it may take to pieces: enum import_found, or -1 with the
 * reason. */
typedef int import_read(
	struct import_reader *, char *line, size_t len, struct import_row *);

/* `read` is called in another thread for every line after the first `done`:
 * reader and source belong to that thread until the pipe is closed. Blocks end
 * where the number of a line is a multiple of `every`. */
struct import_pipe *import_pipe_open(
	struct import *, import_read *read, import_continues *, uint64_t every);

/* The next block, valid until the next call; *block is NULL at first. 1, 0 at
 * the end, -1: import_pipe_error says why. */
int import_pipe_next(struct import_pipe *, struct import_block **block);

/* Has there been no block after this one for a second? */
bool import_pipe_is_slow(
	struct import_pipe *, const struct import_block *block);
const struct err *import_pipe_error(const struct import_pipe *);
void import_pipe_close(struct import_pipe *);

/* ---- other formats --------------------------------------------------------*/

/* Columns as `sacctmgr show event` and `show reservation` name them. */
enum { SHOWN_COLUMNS = 32 };
struct shown_columns {
	const char *keys[SHOWN_COLUMNS]; /* of srecord; NULL: passed over */
	size_t n;
};
void shown_column(struct shown_columns *, const char *name, struct arena *);

/* Records what such a row says of a node, a capacity or a reservation; of the
 * cluster unless that is NULL. -1 with s->err. */
int shown_record(struct recording *, const struct shown_columns *,
	const char *cluster, const char *const *values, struct arena *);

/* The whole file, calling import_done for each piece. */
int import_event(struct import *);
int import_json(struct import *);

/* "a/b": the member b of the member a, or NULL. */
struct json_object *import_find(struct json_object *, const char *path);

/* `sacctmgr load` or `sacctmgr apply` carries it out. */
int import_dump(struct import *, const char *verb, const char *path);

/* Another store; import_dump has brought in what is not its jobs. */
bool import_store_looks(const char *text);
int import_store(struct import *);

/* What became of a line (or of the n-th record): refusals are reported, and a
 * batch that is full is committed. -1 when the import cannot go on. */
int import_done(struct import *, int rc, const char *text, size_t len);
