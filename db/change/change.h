/*
 * Changes as operations: what add, modify and delete of accounts, users, QOS,
 * clusters, coordinators, federations, resources and jobs do to a store: checks
 * of rights and values, the change, its entries in the transaction log. For
 * sacctmgr and for what-if (db/whatif).
 *
 * An operation has three parts:
 *
 * - Words: parse_words reads them into a struct request, by the vocabulary of
 *    the entity.
 * - The plan (struct change), which is run inside a transaction. It checks the
 *    caller's rights, reads the store, changes it, writes entries of the
 *    transaction log and lists what it did (db/change/effect.h). It keeps
 *    nothing of an earlier run: run again on the same store it does the same.
 * - The decision, which is the caller's: hooks.run begins the transaction,
 *    has the plan run (change_try), looks at its outcome (the effects, and
 *    every row it added, changed or took away, as one changeset), and commits
 *    or rolls back. sacctmgr prints the effects and asks between two runs; a
 *    what-if commits to a store of its own; a dry run rolls back, an undo
 *    inverts the changeset that the log keeps.
 *
 * Nothing here prints, asks, or ends the program: messages and questions go to
 * the hooks of the session. A program that keeps more for each command has a
 * struct whose first member is the session.
 *
 * Functions that return int, unless stated otherwise: 0, or -1 with
 * session->err set, or with the messages already given to hooks.say.
 */
#pragma once

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
#include "db/entity/reservation.h"
#include "db/entity/resource.h"
#include "db/entity/site.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/store/txn.h"

struct session;
struct vocabulary;
struct where_word;

enum plan_result {
	PLAN_REFUSED = -2, /* as PLAN_FAILED, and no effect is shown */
	PLAN_FAILED = -1,  /* messages were printed; rolled back; status 1 */
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
	SAY_NAMED,  /* with the program's name in front */
	SAY_OUTPUT, /* Slurm prints this one on standard output */
};

/* What the caller of an operation does for it. */
struct session_hooks {
	/* A line of complaint. */
	void (*say)(struct session *, const char *line, enum say);
	/* Shows an effect that happens outside of a plan. NULL: nobody sees
	 * it. */
	void (*tell)(struct session *, const struct effect *);
	/* Asks a question, other than the one before each commit; true: yes.
	 * NULL: always yes. */
	bool (*ask)(struct session *, const char *question);
	/* Runs the plan and commits or rolls back. 0: as the caller wanted,
	 * which may be no change; -1: it failed. */
	int (*run)(struct session *, const struct change *);
	void *arg; /* the caller's own: the functions find it here */
};

/*
 * Called after a complaint about words, to tell people what they may have meant
 * instead. Any of them may be NULL.
 */
struct session_hints {
	void (*where)(struct session *, const struct vocabulary *,
		const struct word *);
	void (*set)(struct session *, const struct vocabulary *,
		const struct word *, bool modify);
	void (*flag)(struct session *, const char *text, const char *all);
	void (*qos)(struct session *, const char *text);
	void (*value)(struct session *, const struct member *, const char *text);
	/* The names from index `from` on were given in a condition (named), or
	 * in an add beside what is added (beside). */
	void (*named)(struct session *, const struct where_word *,
		const struct strv *names, size_t from);
	void (*beside)(struct session *, const struct vocabulary *,
		const struct word *, const struct strv *names, size_t from);
	/* The names that a member is set to. */
	void (*set_to)(struct session *, const struct member *,
		const struct strv *names);
	/* The next question is whether every record of the kind is meant. */
	void (*all)(struct session *, enum value_source);
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
	bool planning;		/* a plan is running */
	uint32_t level; /* in a plan: the caller's enum admin_level, or 0 */
	bool silent;	/* effects are dropped */
	bool in_parts; /* the operation is one of several: a default that is not
			  valid yet may be valid after the last one */
	bool done_elsewhere; /* another system has done it: nothing here keeps
				it from being so, and the caller may */
	bool immediate; /* -i: the answer to every question is yes, unasked */
	int status;	/* exit status: the first failure sets 1 for good */
	const char *command; /* the whole line, for the log */
	int64_t until; /* epoch seconds, when what the command sets ends; 0:
			  never */
	bool for_people;     /* messages may differ from Slurm's */
};

/* ---- words ---------------------------------------------------------------*/

/*
 * Everything a WHERE clause can say, for every entity; each entity's table
 * says which words set which member.
 */
struct conds {
	struct strv format;
	/* As the entity's list takes them. Names of accounts and users are in
	 * `assoc`. */
	struct assoc_cond assoc;
	struct account_cond account;
	struct cluster_cond cluster;
	struct qos_cond qos;
	struct reservation_cond reservation;
	struct resource_cond resource;
	struct txn_cond txn;
	struct user_cond user;
	struct wckey_cond wckey;
	/* Of the other entities, and what is read once more. */
	struct strv names, flags, ids, types, wckeys;
	struct strv actions, states, reasons, nodes, events;
	struct strv admin_level, preempt_mode, start, end, cond_flags;
	struct strv min_cpus, max_cpus, extra, instance_ids, instance_types;
	bool with_assoc, with_coordinators, with_deleted, with_fed;
	bool with_clusters, tree, without_limits;
	bool all_clusters, all_time;
	/* Show the limits in force (for jobs of job_qos, an id, and
	 * job_partition); who set what; what is set until a time only. */
	bool with_effective, with_blame, with_leases;
	struct strv job_qos, job_partition;
	/* What kinds of conditions were given. */
	bool record_given, assoc_given, wckey_given;
};

/* Where the values of a word go. */
#define COND(member) offsetof(struct conds, member)

enum where_kind {
	WHERE_LIST,	 /* a comma list at `offset`, lower-cased */
	WHERE_LIST_CASE, /* a comma list at `offset`, case kept */
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
	enum value_source source; /* of its values */
};

/* A word of an add that names what is added (offset of `names` in struct
 * request), or where. */
struct add_word {
	const char *names;
	size_t offset;		  /* of a list of struct request */
	enum value_source source; /* of its values */
};

/* Which names: those of users and resources keep their case where Parameters=
 * of slurmdbd.conf says so. */
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
	const char *id_label; /* names ids in complaints; NULL: AssocId */
	/* What can be set: tables looked at in order; end with a NULL pointer. */
	const struct members *set[4];
	bool set_errors_on_stdout;
	const char *flag_kind;	/* "QOS", said of a bad flag; or NULL */
	bool bare_set_is_name;	/* add: bare words are names */
	bool drop_names_in_set; /* qos: Name= in modify is ignored */
	/* Until= (a time) and For= (a duration) are allowed: in modify, in add. */
	bool leases, leases_in_add;
	const struct add_word *name_words; /* end with NULL names; or NULL */
	enum names_kind names;	/* which names those are */
};

/* Words of the association conditions (group A). */
extern const struct where_word assoc_where_words[];
/* What a listing of accounts or users can show besides (WithAssoc ...). */
extern const struct where_word record_where_words[];
/* Rows for the head of a table: what a listing tells of settings. */
#define SETTING_WHERE_WORDS                                                    \
	{"WithEffective:5", WHERE_SWITCH,				       \
		COND(with_effective), GROUP_NONE,	       \
		"the limits in force, where each is from, and what is used",   \
		FROM_NOTHING},						       \
	{"WithLeases:5", WHERE_SWITCH, COND(with_leases),    \
		GROUP_NONE, "what holds until a time, and what comes then",    \
		FROM_NOTHING},						       \
	{								       \
		"WithBlame:5", WHERE_SWITCH,				       \
			COND(with_blame), GROUP_NONE,	       \
			"who set what, when, by which command", FROM_NOTHING   \
	}
#define JOB_WHERE_WORDS                                                        \
	{"JobQOS:4", WHERE_QOS, COND(job_qos), GROUP_NONE,   \
		"with WithEffective: of jobs in this QOS", FROM_QOS},	       \
	{								       \
		"JobPartition:4", WHERE_LIST_CASE,			       \
			COND(job_partition), GROUP_NONE,     \
			"with WithEffective: of jobs in this partition",       \
			FROM_PARTITIONS					       \
	}

/* Words beside the settings that limit how long they hold. */
#define UNTIL_WORDS "Until:5"
#define FOR_WORDS "For:3"
static inline bool takes_until(const struct vocabulary *v, bool modify)
{
	return modify ? v->leases : v->leases_in_add;
}

/* The first row that the word matches, or NULL: switches match bare words only,
 * all others a word with a value. */
const struct where_word *where_find(
	const struct vocabulary *, const struct word *);

/* Where words without a condition come from: as the values of the condition
 * that has the same list. */
enum value_source where_bare(const struct vocabulary *);

/* The row that the word sets, and its table; NULL: none. */
const struct member *set_find(const struct vocabulary *, const struct word *,
	bool add, const struct members **table);

/* The row of name_words that the word matches, or NULL. */
const struct add_word *add_word_find(
	const struct vocabulary *, const struct word *);

/* One parsed command. */
struct request {
	int n; /* of how many words it was made */
	struct conds where;
	struct settings set;
	/* add: what is to be added */
	struct strv names, accounts, users, clusters, partitions, wckeys;
	struct strv named_accounts; /* not by DefaultAccount= alone */
	bool set_given;
	bool failed;	   /* a word was bad; messages were printed */
	bool nothing_left; /* the only setting was a bad number */
};

/* Checks a name for a record: UTF-8, no control characters, not too long. */
int check_name(struct session *, const char *name);
/* The same for NewName=, which must not be empty nor a list. */
int check_new_name(struct session *, const char *name);

/* A new name as the store keeps it: in lower case, unless the site keeps the
 * case of such names. */
const char *name_case(struct session *, enum names_kind, const char *name);

enum parse_mode { PARSE_WHERE, PARSE_SET };

/* Reads the `n` words into `request`, beginning in mode `first`; in a modify
 * the words `set` and `where` switch the mode. For a bad word it complains and
 * sets request->failed. */
void parse_words(struct session *, const struct vocabulary *,
	enum parse_mode first, bool modify, char **words, int n,
	struct request *);

/* Can all of the settings hold until session->until, where that is given? Else
 * says which cannot, -1. */
int require_leasable(struct session *, const struct settings *);

/* Reads the last of the words as a time (Start=, End=) in epoch seconds; no
 * words: 0. -1 with session->err. */
int read_time(struct session *, const struct strv *words, int64_t *when);

/* ---- changes -------------------------------------------------------------*/

/* Appends an effect to the list of the running plan; outside of a plan it is
 * shown at once (hooks.tell). With session->silent it is dropped. */
void effect(struct session *, struct effect);
/* An effect on a record that has no more to tell than its name; NULL: on none
 * in particular (EFFECT_BEGUN, EFFECT_NOTHING). */
void effect_named(struct session *, enum verb, enum effect_kind,
	enum effect_on, const char *name);
/* An effect on an association; `of`: what the command named (ON_ACCOUNT,
 * ON_USER ...). */
void effect_assoc(struct session *, enum verb, enum effect_kind,
	enum effect_on of, const struct assoc *);
/* The effect that this association was added (VERB_ADD, EFFECT_DONE). Always
 * 0. */
int effect_new_assoc(
	struct session *, enum effect_on of, const struct assoc_new *);

/* The result of one run of a plan; free with outcome_free. */
struct outcome {
	enum plan_result result;
	struct effects effects;
	void *changes; /* the rows as a changeset, if asked for; or NULL */
	int size;      /* of `changes`, in bytes */
};

/* Begins a transaction, runs the plan and leaves the transaction open: the
 * caller commits or rolls back. `keep_changes`: the outcome gets the
 * changeset. -1 with session->err: no transaction could be begun. */
int change_try(struct session *, const struct change *, bool keep_changes,
	struct outcome *);
void outcome_free(struct outcome *);

/* Gives the plan to hooks.run, and returns what that does. */
int change_run(struct session *,
	enum plan_result (*plan)(struct session *, void *), void *arg);

/* Runs the `n` changes of one command. With -i they are one transaction: all
 * are kept or none. Otherwise, as in Slurm, each is asked about and committed
 * by itself, up to the first that fails. */
int changes_run(struct session *, const struct change *, size_t n);

/* Runs the plan of a `delete` for the request; without a condition on records
 * it refuses (refuse_all). */
int delete_records(struct session *, struct request *,
	enum plan_result (*plan)(struct session *, void *request));

/* Asks through hooks.ask; true: yes. With -i yes, without asking. */
bool prompt(struct session *, const char *question);

/* For a modify without conditions: asks whether every record is meant, after
 * hints->all of that kind (of jobs: FROM_NOTHING). The answer no gives
 * EFFECT_ABORTED and false. */
bool confirm_all(struct session *, enum value_source);

/* Were conditions on associations given without `withassoc`, and does the user,
 * when asked, not want to go on? That gives EFFECT_ABORTED. */
bool assoc_conds_unwanted(struct session *, const struct conds *);

/* "(name='a' || name='b')": which records were changed, as Slurm's transaction
 * log says it. In the session's arena. */
const char *names_where(struct session *, const struct strv *names);

/* ---- complaints ----------------------------------------------------------*/

/* A function that fails says why with one of these, and returns what they do: -1. */

/* Says a line as it is, and sets session->status to 1. */
int complain(struct session *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Says a line with the program's name in front; session->status is not
 * changed. */
int complain_named(struct session *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* 0 when the modify sets something; else complains, -1. */
int require_set(struct session *, const struct request *);

/* 0 when the add names what is to be added; else complains, -1. */
int require_names(struct session *, const struct request *, const char *what);

/* For a modify of accounts or users. `records`: it sets members of their
 * records; that needs a condition on records when there is one on
 * associations. `rows`: it sets members of associations; that needs a
 * condition on associations, or `names`, when there is one on records. Else
 * complains, -1. */
int check_where(struct session *, const struct conds *,
	const struct strv *names, bool records, bool rows);

/* Complains that a delete has no conditions. */
int refuse_all(struct session *);

/* Says session->err with the program's name in front (as it is, where the text
 * begins with a blank), and sets session->status to 1. */
int complain_err(struct session *);

/* complain_err for a plan: returns PLAN_FAILED. */
enum plan_result plan_failed(struct session *);

/* Complains " Error with request: TEXT". */
int complain_request(struct session *, const char *text);

/* The effect that there is no such record. Returns PLAN_FAILED. */
enum plan_result plan_nothing(struct session *, enum verb, enum effect_on);

/* Complains " Problem adding WHAT: WHY" ("clusters"). Returns PLAN_FAILED. */
enum plan_result plan_not_added(
	struct session *, const char *what, const char *why);

/* ---- rights --------------------------------------------------------------*/

/* True when the caller is an operator or above (uid 0 and SlurmUser are
 * administrators). */
bool is_operator(struct session *);
bool is_administrator(struct session *);
/* The accounts that the caller coordinates, and all below them. */
struct strv coordinated(struct session *);
bool is_coordinator(struct session *, const char *account);
/* May the caller, who is no operator, give out the QOS that are set? A coordinator may give only
 * those the account has on the cluster, and none with a sign: slurmdbd
 * compares the text, signs and all. */
bool may_give_qos(struct session *, const char *cluster, const char *account,
	const struct settings *);
/* Is any of `what` (bits of enum conf_private) in PrivateData, and the caller
 * no operator? */
bool private_hides(struct session *, unsigned what);
/* Says the two lines with which Slurm denies a privilege. */
int complain_denied(struct session *);
/* complain_denied for a plan: returns PLAN_FAILED. */
enum plan_result plan_denied(struct session *);

/* ---- association helpers shared by account, user, cluster ----------------*/

/* Those of the settings that set members of associations. */
struct settings assoc_settings(struct session *, const struct settings *);

/* The change that modifies the associations which the request's conditions
 * select; `of`: what the command names, accounts, users or clusters. The
 * request must live as long as the change. */
struct change modify_assocs(
	struct session *, const struct request *, enum effect_on of);

/* modify ... set RawUsage= of associations: asks, then resets their usage. */
int modify_raw_usage(struct session *, const struct request *, double value);

/* modify qos set RawUsage=: asks, then sets the usage of the QOS. */
int modify_qos_usage(struct session *, const struct request *, double value);

/*
 * `clusters` are to be put into a federation ("": a new one) or, with a `-` in
 * front, taken out of it. Keeps in the list those for which that changes
 * anything, and says a line about each of the others and about each that is in
 * another federation; `*elsewhere`: there is one of these. -1: a cluster does
 * not exist.
 */
int federation_sift(struct session *, struct strv *clusters,
	const char *federation, bool *elsewhere);

/* Sorts the rows by cluster, in the order in which the clusters were typed. */
void order_by_clusters(
	struct session *, struct assoc_list *, const struct strv *clusters);

/* Logs what was done to the rows, an entry for each of their clusters, which
 * number them; "" tells nothing more. */
int log_assocs(struct session *, enum txn_action, const struct assoc_list *,
	const char *info);

/* Complains of a row with that default QOS: a line. */
void complain_default_qos(
	struct session *, const char *qos, const struct assoc *);

/* Appends to `clusters` the names a command is about: those given, or all. */
int chosen_clusters(
	struct session *, const struct strv *given, struct strv *clusters);

/* ---- operations ----------------------------------------------------------*/

/* For each verb the words that name an entity, and the operation. */
struct changeable {
	const char *names[VERBS]; /* NULL: the entity lacks the verb */
	const struct vocabulary *words;
	const struct vocabulary *add_words; /* of add, where they differ */
	/* With the words read; request->failed: one of them was bad. */
	int (*run[VERBS])(struct session *, struct request *);
};

/* The words that the verb takes. */
const struct vocabulary *change_vocabulary(
	const struct changeable *, enum verb);

/* Reads what follows the entity and runs the operation. -1: refused, and the
 * reason was reported. */
int change_entity(struct session *, const struct changeable *, enum verb,
	char **words, int n);

extern const struct changeable account_changes, cluster_changes,
	coordinator_changes, federation_changes, job_changes, qos_changes,
	resource_changes, user_changes;

/* Runs the operation that the words ask for: the name of an entity, then what
 * follows the verb in sacctmgr. -1: refused, and the reason was reported. */
int change_words(struct session *, enum verb, char **words, int n);

/* add, modify, delete, or another word for one of them; VERBS: it is none. */
enum verb change_verb(const char *word);

/* An operation that nobody is asked about, and nothing is shown of. */
struct unasked {
	const char *command; /* for the log */
	/* Called before the commit, and may keep it from being made: -1 with the
	 * store's error; or NULL. */
	int (*before_commit)(void *arg);
	void *arg;
	bool failed;   /* for a reason that is not the command's */
	char why[600]; /* a line */
};

/* Carries it out, by its words as change_words has them, in a transaction of its
 * own, with the rights of the site's caller. -1: refused, and `why` says so, or the
 * store failed (`failed`), which has its error then. */
int change_unasked(struct site *, struct unasked *, enum verb, char **words,
	int n);

/* The conditions of a request in the form that the entity's lists take. -1: one
 * of them was bad, and the reason was reported. */
int account_cond_of(
	struct session *, const struct request *, struct account_cond *);
int qos_cond_of(struct session *, const struct request *, struct qos_cond *);

/* The conditions on clusters: unknown classifications are refused, and any
 * flag, as none has one: -1, which was reported. */
int cluster_check_where(struct session *, struct request *);

/* The state of a cluster in its federation by Slurm's number; 0: unknown word. */
uint32_t fed_state_parse(const char *text);

/* 0 when all the clusters exist; else says which do not, -1. */
int resource_check_clusters(struct session *, const struct strv *clusters);
