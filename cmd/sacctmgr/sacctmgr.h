/*
 * What the parts of sacctmgr share: the session, the vocabularies, listings,
 * and changes with their question (Slurm's src/sacctmgr).
 *
 * One file for each entity; each offers the verbs it has through a struct
 * entity, and sacctmgr.c finds it by name.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "cmd/sacctmgr/output.h"
#include "cmd/sacctmgr/report.h"
#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/table/grid.h"
#include "common/table/json.h"
#include "common/table/member.h"
#include "db/change/change.h"

/* ---- the program ---------------------------------------------------------*/

struct options {
	bool immediate, quiet, readonly, with_assoc, oneliner;
	bool heading;
	bool dry_run; /* nothing is committed */
	bool fix;     /* check: what is safe is carried out */
	bool queue;   /* a change that the log cannot take now waits */
	int verbose;
	enum table_mode mode;
	enum json_form form; /* not JSON_NONE: machine output of listings */
};

struct program {
	struct session session; /* first: the hooks are given this */
	struct options opt;
	FILE *out; /* standard output, or a report being kept */
	const struct verb_word *verb;  /* of the command */
	const struct entity *showing;  /* by `show`; NULL: another verb */
	const struct entity *entity;   /* the command is about, or NULL */
	struct strv named[STORED_NAMES]; /* what it asked for, see suggest.h */
	/* What ensure and absent end with, by whether anything was changed; NULL
	 * of other commands. */
	const char *const *last_lines;
	/* For --queue: the words of the command, whether it has changed
	 * something, and whether it waits. */
	char **words;
	int n_words;
	bool changed, waits;
	char **argv;
	int argc;
	bool interactive;
	bool warned; /* of what is odd in the configuration */
	bool leave;  /* exit, quit */
};

static inline struct program *program(const struct session *s)
{
	return (struct program *)s;
}

static inline struct options *options(const struct session *s)
{
	return &program(s)->opt;
}

static inline FILE *output(const struct session *s)
{
	return program(s)->out;
}

/* ---- listings ------------------------------------------------------------*/

/* A record and the table that knows its members. */
struct record_part {
	const struct members *members;
	const void *row;
};

enum { ENTITY_COLUMNS = 4 };

/* With --json and --yaml a row becomes a record, see struct entity; with
 * --ndjson a line of the columns that were chosen. */
struct listing {
	struct session *session;
	const struct strv *format;     /* the columns asked for; or NULL */
	const struct members *fields;  /* the names of columns */
	/* What knows the members of the records in a row. */
	const struct members *columns[ENTITY_COLUMNS];
	size_t parts;
	bool open;
	struct grid grid; /* of the columns that were chosen */
	struct document document;
	struct arena scratch;
	const struct member **resolved; /* n for each part */
	size_t n;
};

/* A listing whose rows are records of one kind. */
void listing_init(
	struct listing *, struct session *, const struct members *);

/* Chooses the columns and prints their headings; what would stop the listing
 * comes before. An unknown field ends the program, as in Slurm. */
void listing_open(struct listing *, const char *default_format);

/* The columns of QOS that follow the name. */
#define QOS_FORMAT                                                             \
	"Prio,GraceT,Preempt,PreemptE,PreemptM,Flags%40,UsageThres,"           \
	"UsageFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJ,GrpS,GrpW,"       \
	"MaxTRES,MaxTRESPerN,MaxTRESMins,MaxW,MaxTRESPerUser,MaxJobsPU,"       \
	"MaxSubmitJobsPU,MaxTRESPerAcct,MaxTRESRunMinsPerAcct%22,"             \
	"MaxTRESRunMinsPerUser%22,MaxJobsPA,MaxSubmitJobsPA,MinTRES"

/* Forgets columns that no part fills: they print nothing, not even blanks. */
void listing_drop_foreign(struct listing *);

/* Prints a row: a record for each part. Without one (NULL, or left out) its
 * columns stay blank. */
#define listing_row(l, ...)                                                    \
	listing_row_of(l, (const void *const[ENTITY_COLUMNS]){__VA_ARGS__})
void listing_row_of(struct listing *, const void *const *records);

void listing_close(struct listing *);

/* Opens the store for what is to be done with it, unless it is open for that.
 * -1 with session->err. */
int session_open(struct session *, enum store_mode);

/* Messages on standard error, every change shown and asked about. */
extern const struct session_hooks ask_hooks;

/* "12months", "30days", "6hours" (with `units`), "12" months: the moment before
 * which records are too old. -1 with session->err. */
int read_purge(
	struct session *, const char *text, bool units, int64_t *before);

/* --queue: leaves the command, which could not be carried out for the reason in
 * session->err, in the spool, and says so. -1 with session->err: it cannot wait. */
int queue_change(struct session *);

/* After a change that was committed: the oldest of the log go, if
 * slurmdbd.conf says so. */
void prune_log(struct session *);

/* What is written to output(session) from report_hold on is held back, until
 * report_text gives it; the caller frees that. */
struct held_output {
	FILE *out;
	char *text;
	size_t size;
};

void report_hold(struct session *, struct held_output *);
char *report_text(struct session *, struct held_output *);

/* change_try, and what the plan wrote and its effects; report_free() it, also
 * after -1, which is with session->err. */
int change_try_told(struct session *, const struct change *, bool keep_changes,
	struct outcome *, struct kept_report *);

/* On standard error: how many records a question about all of them is about. */
void say_count(struct session *, enum value_source);

/* ---- entities ------------------------------------------------------------*/

struct entity {
	const char *names; /* in show; NULL: it is not shown */
	/* Opens the listing and prints its rows. -1: it failed, which was
	 * reported; what was opened is closed either way. */
	int (*rows)(struct session *, struct request *, struct listing *);
	/* Where `show` has more to do; NULL: it only lists. */
	int (*show)(struct session *, char **words, int n);
	const struct changeable *changes; /* or NULL: it is only shown, */
	const struct vocabulary *vocabulary; /* with these words */
	/* The columns that listings fill, and their names where these are the
	 * entity's own. */
	const struct members *columns[ENTITY_COLUMNS];
	const struct members *fields;
	/* The list of records in Slurm's documents; they have the members that
	 * the tables name a path for. NULL: Slurm has none; the list is named
	 * after the entity, and every column is a member. */
	const char *document;
	const char *help;
};

/* The words that the verb takes. */
const struct vocabulary *entity_words(const struct entity *, enum verb);

/* `show`: reads the words and lists what they choose. */
int entity_show(
	struct session *, const struct entity *, char **words, int n);

/* The listing alone, for words that were read. */
int entity_list(
	struct session *, const struct entity *, struct request *);

/* Every column that a listing of the entity can have: the shared ones it fills
 * in their order, then its own. */
void entity_fields(const struct entity *,
	void (*each)(const struct member *field, void *arg), void *arg);

extern const struct entity account_entity, assoc_entity, cluster_entity,
	configuration_entity, coordinator_entity, event_entity,
	federation_entity, instance_entity, job_entity, problem_entity,
	qos_entity, reservation_entity, resource_entity, runaway_entity,
	stats_entity, tres_entity, txn_entity, user_entity, wckey_entity;

/* Verbs without an entity. */
/* Who may do what is done with a whole cluster: "dump cluster"? Else that is
 * reported. */
bool may_do(struct session *, const char *what);
/* A word of both that may come once; else it is said what it is already. */
void take_once(struct session *, const char **to, const char *value,
	const char *already);
#define ONE_CLUSTER "Can only do one cluster at a time.  Already doing"
int dump_command(struct session *, char **words, int n);
int load_command(struct session *, char **words, int n);
int archive_command(struct session *, char **words, int n);
int backup_command(struct session *, char **words, int n);
int restore_command(struct session *, char **words, int n);
/* restore, when the store cannot be opened; session->err says why. */
int restore_over_damage(struct session *, char **words, int n);
int check_command(struct session *, char **words, int n);
int clear_command(struct session *, char **words, int n);
int ping_command(struct session *, char **words, int n);
void ping_down(struct session *); /* no store can be opened */
int rebuild_command(struct session *, char **words, int n);
int reconfigure_command(struct session *, char **words, int n);
int rollup_command(struct session *, char **words, int n);
int redo_command(struct session *, char **words, int n);
int ensure_command(struct session *, char **words, int n);
int absent_command(struct session *, char **words, int n);
int diff_command(struct session *, char **words, int n);
int apply_command(struct session *, char **words, int n);
int undo_command(struct session *, char **words, int n);
int shutdown_command(struct session *, char **words, int n);
