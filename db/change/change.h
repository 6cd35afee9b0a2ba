/*
 * Changes as operations: what add, modify and delete of accounts, users, QOS,
 * clusters, coordinators, federations, resources and jobs do to a store, with
 * the checks before and the log behind it, for sacctmgr and for those who try
 * something (db/whatif). spec/sacctmgr.md 1, 2, 5, 7.
 *
 * An operation has three parts. - Its words become a struct request, by the
 * vocabulary of the entity
 *    (parse_words).
 * - A plan (struct change) is run inside a transaction. It looks at who may,
 *    at what is there, changes the store, writes its entries of the log and
 *    lists what it did (db/change/effect.h). Run again on the same store it
 *    does the same: it keeps nothing of an earlier run.
 * - The caller decides what becomes of that: hooks.run begins the transaction,
 *    has the plan run (change_try), looks at its outcome (the effects, and
 *    every row it added, changed or took away, as one changeset), and commits
 *    or rolls back. sacctmgr prints the effects and asks between two runs; a
 *    what-if commits to a store of its own; a dry run rolls back, an undo
 *    inverts the changeset that the log keeps.
 *
 * Nothing here prints, asks, or ends the program: what is to be said goes to
 * the hooks of the session. A program that keeps more for a command has a
 * struct that begins with the session.
 */
#ifndef BURSAR_DB_CHANGE_H
#define BURSAR_DB_CHANGE_H

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/base/words.h"
#include "common/table/attr.h"
#include "common/table/fields.h"
#include "db/change/effect.h"
#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/cluster.h"
#include "db/entity/names.h"
#include "db/entity/qos.h"
#include "db/entity/site.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/store/txn.h"

struct session;
struct vocabulary;
struct where_word;

enum plan_result {
	PLAN_REFUSED = -2, /* as failed, and the effects are not told */
	PLAN_FAILED = -1,  /* messages are out; nothing is kept; status 1 */
	PLAN_UNCHANGED,	   /* there was nothing to change; status 1 */
	PLAN_NOTHING,	   /* nothing to commit, status unchanged */
	PLAN_CHANGED,	   /* ask, then commit */
};

/* Makes the changes and lists their effects. */
struct change {
	enum plan_result (*plan)(struct session *, void *arg);
	void *arg;
};

enum say {
	SAY_LINE,
	SAY_NAMED,  /* the program's name belongs in front */
	SAY_OUTPUT, /* where Slurm has it on standard output */
};

/* What the caller of an operation does for it. */
struct session_hooks {
	/* A line of complaint. */
	void (*say)(struct session *, const char *line, enum say);
	/* An effect that belongs to no plan, or to none yet: shown at once. */
	void (*tell)(struct session *, const struct effect *);
	/* A question besides that of every change; true for yes. */
	bool (*ask)(struct session *, const char *question);
	/* Runs the plan and commits it or not. 0: done as the caller wants,
	 * even if that is nothing; -1. */
	int (*run)(struct session *, const struct change *);
};

/*
 * What can be said behind a complaint about words, for people: what else might
 * have been meant. A member that is NULL says nothing.
 */
struct session_hints {
	void (*where)(struct session *, const struct vocabulary *,
		const struct word *);
	void (*set)(struct session *, const struct vocabulary *,
		const struct word *, bool modify);
	void (*flag)(struct session *, const char *text, const char *all);
	void (*qos)(struct session *, const char *text);
	/* Names from `from` on were asked for in a condition, or beside what is
	 * added. */
	void (*named)(struct session *, const struct where_word *,
		const struct strv *names, size_t from);
	void (*beside)(struct session *, const struct vocabulary *,
		const struct word *, const struct strv *names, size_t from);
	/* Names that something is set to. */
	void (*set_to)(struct session *, const struct member *,
		const struct strv *names);
	/* Every record of the kind is about to be asked about. */
	void (*all)(struct session *, enum name_kind);
};

/* On which site something is changed, and by whom. */
struct session {
	const struct session_hooks *hooks;
	const struct session_hints *hints; /* or NULL */
	struct site site;
	struct store *store; /* &site.store; NULL: none is open */
	struct arena arena;  /* of the command being carried out */
	struct err err;
	struct effects effects; /* of the plan that runs */
	bool planning;		/* one does */
	bool untold;		/* its effects are not collected */
	bool in_parts; /* an operation is one of several: what does not fit in
			  between may fit in the end */
	bool immediate; /* every question is answered with yes, unasked */
	int status;	/* sticky: the first failure makes it 1 */
	const char *command; /* the whole line, for the log */
	int64_t until; /* what the command sets holds until then; 0: for good */
	bool for_people;     /* messages need not be Slurm's */
};

/* ---- words ---------------------------------------------------------------*/

/*
 * Everything a WHERE clause can say, for every entity; each entity's table
 * says which words set which member.
 */
struct conds {
	struct strv format;
	struct assoc_cond assoc;
	struct strv names; /* of the entity itself; see also assoc.accounts */
	struct strv descriptions, organizations;
	struct strv classifications, federations, rpc_versions, flags;
	struct strv ids, types, servers, server_types, allowed;
	struct strv default_accounts, default_wckeys, wckeys;
	struct strv actors, actions, states, reasons, nodes, events;
	struct strv admin_level, preempt_mode, start, end, cond_flags;
	struct strv min_cpus, max_cpus, extra, instance_ids, instance_types;
	bool with_assoc, with_coordinators, with_deleted, with_fed;
	bool with_clusters, with_assoc_info, tree, without_limits;
	bool all_clusters, all_time;
	/* Limits in force, for jobs of that QOS (an id) and partition; who set
	 * what; what holds until a time. */
	bool with_effective, with_blame, with_leases;
	struct strv job_qos, job_partition;
	/* What kinds of conditions were given. */
	bool record_given, assoc_given, wckey_given;
};

enum where_kind {
	WHERE_LIST,	 /* a comma list at `offset`, lower-cased */
	WHERE_LIST_CASE, /* the same, case kept */
	WHERE_SWITCH,	 /* a bare word sets the bool at `offset` */
	WHERE_QOS,	 /* QOS names, kept as ids */
	WHERE_IDS,	 /* integers */
	WHERE_FORMAT,	 /* format= */
};

enum where_group { GROUP_NONE, GROUP_RECORD, GROUP_ASSOC, GROUP_WCKEY };

struct where_word {
	const char *names;
	enum where_kind kind;
	size_t offset;
	enum where_group group;
	const char *help;
};

/* Names that keep their case where slurmdbd.conf says so (Parameters=). */
enum names_kind { NAMES_PLAIN, NAMES_USER, NAMES_RESOURCE };

/* How an entity's words are read and how its complaints sound. */
struct vocabulary {
	/* WHERE words: tables looked at in order; end with a NULL pointer, each
	 * with NULL names. */
	const struct where_word *where[4];
	size_t bare; /* where a bare word goes: offset of a list */
	enum where_kind bare_kind;
	enum where_group bare_group;
	const char *unknown_where; /* second line after "Unknown condition" */
	const char *id_label; /* of a bad number among ids; NULL: AssocId */
	/* What can be set: tables looked at in order; end with a NULL pointer. */
	const struct members *set[4];
	bool set_errors_on_stdout;
	const char *flag_kind;	/* "QOS": how a bad flag is told; or NULL */
	bool bare_set_is_name;	/* add: bare words are names */
	bool drop_names_in_set; /* qos: Name= in modify is ignored */
	/* What is set, or added, may hold until= a time or for= one. */
	bool leases, leases_in_add;
	const char *name_words; /* words that name the thing in add */
	enum names_kind names;	/* what is named in add */
};

/* Words of the association conditions (group A). */
extern const struct where_word assoc_where_words[];
/* What an account or a user can be shown with. */
extern const struct where_word record_where_words[];
/* The rows that choose what is told of settings, at the head of a table. */
#define SETTING_WHERE_WORDS                                                    \
	{"WithEffective:5", WHERE_SWITCH,                                      \
		offsetof(struct conds, with_effective), GROUP_NONE,            \
		"the limits in force, where each is from, and what is used"},  \
	{"WithLeases:5", WHERE_SWITCH, offsetof(struct conds, with_leases),    \
		GROUP_NONE, "what holds until a time, and what comes then"},   \
	{                                                                      \
		"WithBlame:5", WHERE_SWITCH,                                   \
			offsetof(struct conds, with_blame), GROUP_NONE,        \
			"who set what, when, by which command"                 \
	}
#define JOB_WHERE_WORDS                                                        \
	{"JobQOS:4", WHERE_QOS, offsetof(struct conds, job_qos), GROUP_NONE,   \
		"with WithEffective: of jobs in this QOS"},                    \
	{                                                                      \
		"JobPartition:4", WHERE_LIST_CASE,                             \
			offsetof(struct conds, job_partition), GROUP_NONE,     \
			"with WithEffective: of jobs in this partition"        \
	}

/* Until when what is set, or added, holds: words beside the settings. */
#define UNTIL_WORDS "Until:5"
#define FOR_WORDS "For:3"
static inline bool takes_until(const struct vocabulary *v, bool modify)
{
	return modify ? v->leases : v->leases_in_add;
}

/* The first row that the word matches: switches take bare words only, the
 * others want a value. */
const struct where_word *where_find(
	const struct vocabulary *, const struct word *);

/* One parsed command. */
struct request {
	struct conds where;
	struct settings set;
	/* add: what is to be added */
	struct strv names, accounts, users, clusters, partitions, wckeys;
	bool set_given;
	bool failed;	   /* a word was bad; messages are out */
	bool nothing_left; /* the only setting was a bad number */
};

/* A name for a record: UTF-8, no control characters, not too long. */
int check_name(struct session *, const char *name);

/* A new name as it is kept: in lower case, unless the site keeps the case. */
const char *name_case(struct session *, enum names_kind, const char *name);

enum parse_mode { PARSE_WHERE, PARSE_SET };

/* Reads words until the end. In `modify` both modes occur; `set` and `where`
 * switch. Bad words are complained about and mark the request failed. */
void parse_words(struct session *, const struct vocabulary *,
	enum parse_mode first, bool modify, char **words, int n,
	struct request *);

/* The last of the words as a moment (Start=, End=); 0 without one. -1 with
 * session->err. */
int read_time(struct session *, const struct strv *words, int64_t *when);

/* ---- changes -------------------------------------------------------------*/

/* Appends an effect to those of the plan; outside a plan it is shown at
 * once. */
void effect(struct session *, struct effect);
/* One that a name says all of, or none. */
void effect_named(struct session *, enum verb, enum effect_kind,
	enum effect_on, const char *name);
/* Of an association; `of`: what the command names. */
void effect_assoc(struct session *, enum verb, enum effect_kind,
	enum effect_on of, const struct assoc *);
/* A new row. Returns 0. */
int effect_new_assoc(
	struct session *, enum effect_on of, const struct assoc_new *);

/* What one run of a plan came to; free with outcome_free. */
struct outcome {
	enum plan_result result;
	struct effects effects;
	void *changes; /* the rows as a changeset; only when it is kept */
	int size;
};

/* Runs the plan in a transaction that stays open, and keeps its changeset if
 * asked to. -1: no transaction is open, and the error was reported. */
int change_try(struct session *, const struct change *, bool keep_changes,
	struct outcome *);
void outcome_free(struct outcome *);

/* To the hook that decides. */
int change_run(struct session *,
	enum plan_result (*plan)(struct session *, void *), void *arg);

/* The changes of one command. With -i all are kept or none; otherwise each has
 * its question, as in Slurm, up to the first that fails. */
int changes_run(struct session *, const struct change *, size_t n);

/* `delete` of the records that the words choose; without conditions none. */
int delete_records(struct session *, const struct vocabulary *, char **words,
	int n, enum plan_result (*plan)(struct session *, void *request));

/* Asks as the hook does; true for yes. With -i yes at once and silently. */
bool prompt(struct session *, const char *question);

/* For a modify without conditions: is every record meant? Says how many there
 * are; of jobs (NAME_KINDS) nothing. No is told as an effect. */
bool confirm_all(struct session *, enum name_kind);

/* Are conditions of associations given without `withassoc`, and is nothing
 * wanted then? */
bool assoc_conds_unwanted(struct session *, const struct conds *);

/* "(name='a' || name='b')": what a change was done to, as the log has it. */
const char *names_where(struct session *, const struct strv *names);

/* ---- complaints ----------------------------------------------------------*/

/* A line on standard error as it is; sets the status. */
void complain(struct session *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same as an error of the program; the status stays. */
void complain_named(struct session *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* 0 when the modify sets something; else complains, -1. */
int require_set(struct session *, const struct request *);

/* Of a modify of accounts or users: their records are chosen by conditions of
 * records, their associations by those of associations or by `names`. Else
 * complains, -1. */
int check_where(struct session *, const struct conds *,
	const struct strv *names, bool records, bool rows);

/* For a delete without conditions: complains, -1. */
int refuse_all(struct session *);

/* session->err with the program's name (or as it is); sets the status. -1. */
int complain_err(struct session *);

/* The same, and the plan fails. */
enum plan_result plan_failed(struct session *);

/* " Error with request: TEXT" */
void complain_request(struct session *, const char *text);

/* ---- rights
 * --------------------------------------------------------------- */

/* True when the caller is an operator or above (uid 0 and SlurmUser are
 * administrators). */
bool is_operator(struct session *);
bool is_administrator(struct session *);
/* True when the caller coordinates the account or one above it. */
bool is_coordinator(struct session *, const char *account);
bool is_any_coordinator(struct session *);
/* May the caller give out the QOS that are set? A coordinator only those the
 * account has on the cluster, and none by sign, as slurmdbd compares them. */
bool may_give_qos(struct session *, const char *cluster, const char *account,
	const struct settings *);
/* Is any of `what` (enum conf_private) private, and the caller a stranger? */
bool private_hides(struct session *, unsigned what);
/* "You may not": both lines of a refusal. */
void complain_denied(struct session *);
/* The same, and the plan fails. */
enum plan_result plan_denied(struct session *);

/* ---- association helpers shared by account, user, cluster ----------------*/

/* The settings that belong to association rows. */
struct settings assoc_settings(struct session *, const struct settings *);

/* To modify the rows that the condition selects, `of` what the command names:
 * accounts, users or clusters. The request lives as long as the change. */
struct change modify_assocs(
	struct session *, const struct request *, enum effect_on of);

/* RawUsage= of associations. */
int modify_raw_usage(struct session *, const struct request *, double value);

/* RawUsage= of QOS. */
int modify_qos_usage(struct session *, const struct qos_list *,
	const struct request *, double value);

/*
 * Of clusters to be put into a federation ("": a new one) or, with a `-` in
 * front, taken out of it: leaves in the list those that change anything, tells
 * of the others and of clusters in other federations (`elsewhere`). -1: one
 * does not exist.
 */
int federation_sift(struct session *, struct strv *clusters,
	const char *federation, bool *elsewhere);

/* Reports follow the order in which the clusters were typed. */
void order_by_clusters(
	struct session *, struct assoc_list *, const struct strv *clusters);

/* The clusters of the rows, in their order, each once. */
void assoc_clusters(
	struct session *, const struct assoc_list *, struct strv *clusters);

/* "id_assoc=1 || id_assoc=2", the numbers `quoted` or not, of the rows on the
 * cluster: for the log, where they mean nothing without it. */
const char *assoc_ids(struct session *, const struct assoc_list *,
	const char *cluster, bool quoted);

/* Names of the clusters a command is about: those given, or all. */
int chosen_clusters(
	struct session *, const struct strv *given, struct strv *clusters);

/* ---- operations ----------------------------------------------------------*/

/* What an operation's words can name, and what each verb does about it. */
struct changeable {
	const char *names[VERBS]; /* NULL: the entity lacks the verb */
	int (*run[VERBS])(struct session *, char **words, int n);
};

extern const struct changeable account_changes, cluster_changes,
	coordinator_changes, federation_changes, job_changes, qos_changes,
	resource_changes, user_changes;

/* The operation that these words are about: the entity's name and what follows.
 * -1: it was refused, and why was said. */
int change_words(struct session *, enum verb, char **words, int n);

extern const struct vocabulary account_vocabulary, cluster_vocabulary,
	coordinator_vocabulary, federation_vocabulary, job_vocabulary,
	qos_vocabulary, resource_vocabulary, resource_add_vocabulary;

/* Which records the conditions choose; with session->err or messages, -1. */
struct account_cond;
struct qos_cond;
struct resource_cond;
int account_cond_of(
	struct session *, const struct request *, struct account_cond *);
int qos_cond_of(struct session *, const struct request *, struct qos_cond *);
struct cluster_cond cluster_cond_of(const struct request *);
struct resource_cond resource_cond_of(const struct request *);

/* What is set in a cluster's record; NULL: not set. */
enum cluster_attr {
	CLUSTER_ATTR_CLASSIFICATION,
	CLUSTER_ATTR_FEATURES,
	CLUSTER_ATTR_FEDERATION,
	CLUSTER_ATTR_FED_STATE,
	CLUSTER_ATTRS,
};

struct cluster_settings {
	const struct setting *class, *features, *federation, *state;
};

struct cluster_settings cluster_settings(const struct settings *);

/* The state of a cluster in its federation as Slurm numbers it; 0: unknown. */
uint32_t fed_state_parse(const char *text);

/* Are these clusters known? Else says which are not, -1. */
int resource_check_clusters(struct session *, const struct strv *clusters);

#endif
