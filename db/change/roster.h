/*
 * What a cluster has, or should have: its QOS, accounts, associations and users
 * as records of texts, for `dump format=yaml`, `diff` and `apply`. One is read
 * from the store, one from a file; both write a value the same way, so that
 * only real differences show.
 *
 * A value that a new record would have is left out (struct told), and so are
 * values inherited from an account above.
 */
#ifndef BURSAR_DB_ROSTER_H
#define BURSAR_DB_ROSTER_H

#include "common/table/tree.h"
#include "db/change/change.h"

enum roster_kind {
	ROSTER_CLUSTER,
	ROSTER_QOS,
	ROSTER_ACCOUNT, /* parents before children; root first */
	ROSTER_ROW,	/* a user in an account, perhaps for one partition */
	ROSTER_USER,	/* users with such rows */
	ROSTER_KINDS,
};

enum fact_type {
	FACT_MEMBER, /* of associations or QOS, set by a word */
	FACT_PARENT,
	FACT_DESCRIPTION, /* of an account */
	FACT_ORGANIZATION,
	FACT_FLAGS,
	FACT_CLASSIFICATION,
	FACT_DEFAULT_ACCOUNT,
	FACT_ADMIN_LEVEL,
	FACT_DEFAULT_WCKEY,
	FACT_COORDINATOR, /* names that can be added and taken away */
	FACT_WCKEYS,
};

/* One thing that can be said of a kind of record. */
struct fact {
	enum fact_type type;
	const char *name;	     /* in the file */
	const struct member *member; /* FACT_MEMBER */
	const struct members *table; /* it is a row of */
	char word[64];		     /* behind SET */
};

struct facts {
	struct fact *v;
	size_t n, cap;
};

/* In the order in which they are told. */
const struct facts *roster_facts(enum roster_kind);

/* By its name in the file, ignoring case; NULL: none. */
const struct fact *roster_fact(enum roster_kind, const char *name);

struct told {
	const struct fact *fact;
	const char *text;
};

struct entry {
	enum roster_kind kind;
	const char *name;      /* cluster, QOS, account or user */
	const char *account;   /* of a row */
	const char *partition; /* of a row */
	int line;	       /* of the file; 0: from the store */
	struct told *v;	       /* in the order of facts */
	size_t n, cap;
	const char *first; /* of a user: the first account of the file */
	bool several;	   /* and there are others */
	bool seen, leaves;
	bool erased;	     /* is not found any more */
	struct entry *other; /* rows of a user, while they are put together */
};

struct entry_list {
	struct entry **v;
	size_t n, cap;
};

struct roster_slot {
	uint64_t hash;
	struct entry *entry;
};

struct roster {
	const char *cluster;
	bool has[ROSTER_KINDS]; /* the file speaks of such */
	struct entry_list of[ROSTER_KINDS];
	/* Every entry by what it is called: a table that is half empty. (A chain
	 * of uthash is a miss of the cache an entry: half the time of a diff.) */
	struct roster_slot *slots;
	size_t n_slots, used;
};

/* What is said, or NULL. */
const char *entry_text(const struct entry *, enum fact_type);

/* Says it, or takes it back (NULL); in its place. */
void entry_tell(
	struct entry *, const struct fact *, const char *text, struct arena *);

/* "user ann in lab, partition debug" */
const char *entry_title(const struct entry *, struct arena *);

struct entry *roster_find(struct session *, const struct roster *,
	enum roster_kind,
	const char *name, const char *account, const char *partition);

/* A new one; NULL when one has that name already. */
struct entry *roster_add(struct session *, struct roster *, enum roster_kind,
	const char *name, const char *account, const char *partition);

/* The defaults of an account. */
const char *roster_default(
	const struct fact *, const struct entry *, struct arena *);

/* The value of a member as text, NULL where it is that of a new record. */
const char *fact_text(struct session *, const struct fact *, const void *record);

/* The same of what was typed. -1 with session->err. */
int fact_read(struct session *, const struct fact *, const struct qos_catalog *,
	const char *typed, const char **text);

/* Of the accounts that a user coordinates those in one of the rosters: the
 * others belong to other clusters. NULL: none. */
const char *roster_coordinated(struct session *, const char *accounts,
	const struct roster *, const struct roster *);

/* What the store has. -1 with session->err. */
int roster_load(struct session *, const char *cluster, struct roster *);

/*
 * What a file says (`text` of `size` bytes), and what the store has of that
 * cluster: a user whose default the file does not name keeps it. -1 with
 * session->err, which begins with the line at fault.
 */
int roster_read(struct session *, const char *text, size_t size,
	struct roster *store, struct roster *file);

/*
 * The store's roster as the groups of the machine would make it, by a mapping
 * of groups to accounts (man/sacctmgr.1). A user who has left the groups is
 * quarantined and listed, or deleted (`erase`).
 */
int roster_directory(struct session *, const char *text, size_t size,
	bool erase, struct roster *store, struct roster *wanted,
	struct strv *quarantined);

/* An error about a line of a file; gives -1. */
int roster_bad(struct session *, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The session's error as a part of another: a copy without blanks before it. */
const char *roster_complaint(struct session *);

/* As a document, for writing. */
const struct tree *roster_document(struct session *, struct roster *);

/* Gives the index back; what is in the arena stays. */
void roster_release(struct roster *);

/* ---- differences ---------------------------------------------------------*/

enum difference_kind { DIFFERENCE_ADDED, DIFFERENCE_CHANGED, DIFFERENCE_REMOVED };

struct changed_fact {
	const struct fact *fact;
	const char *was, *is; /* NULL: as in a new record */
};

struct difference {
	enum difference_kind what;
	struct entry *entry; /* of the file; REMOVED: of the store */
	struct changed_fact *v;
	size_t n, cap;
};

struct differences {
	struct difference *v;
	size_t n, cap;
	size_t removed;	   /* of these */
	size_t kept;	   /* records and names that only `prune` takes away */
};

/* What would make the store as the file says, in the order of the file. Without
 * `prune` nothing is deleted. */
void roster_compare(struct session *, struct roster *store, struct roster *file,
	bool prune, struct differences *);

/* Makes them, in the open transaction, through the operations (change.h).
 * -1: one was refused; which and why was said. `lost` gets those whose default
 * QOS is not among their QOS then, where QOS were to be changed: "line 7: user
 * ann, account lab: ..." */
int roster_apply(struct session *, struct roster *store, struct roster *file,
	const struct differences *, struct strv *lost);

#endif
