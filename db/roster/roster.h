/*
 * Rosters: the QOS, accounts, associations and users that a cluster has, or
 * should have, as records of texts, for `dump format=yaml`, `diff` and `apply`.
 * One roster is read from the store, one from a file; both write a value the
 * same way, so that only real differences show.
 *
 * A value that a new record would have is left out (struct entry_value), and so
 * are values inherited from an account above.
 */
#pragma once

#include <stdio.h>

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

enum property_type {
	PROPERTY_MEMBER, /* of associations or QOS, set by a word */
	PROPERTY_PARENT,
	PROPERTY_DESCRIPTION, /* of an account */
	PROPERTY_ORGANIZATION,
	PROPERTY_FLAGS,
	PROPERTY_CLASSIFICATION,
	PROPERTY_DEFAULT_ACCOUNT,
	PROPERTY_ADMIN_LEVEL,
	PROPERTY_DEFAULT_WCKEY,
	PROPERTY_COORDINATOR, /* names that can be added and taken away */
	PROPERTY_WCKEYS,
	PROPERTY_PARTITION, /* a word of flat files: part of a row's name */
};

/* One property that a kind of record can have. */
struct property {
	enum property_type type;
	const char *name;	     /* in the file */
	const struct member *member; /* PROPERTY_MEMBER */
	const struct members *table; /* it is a row of */
	char word[64];		     /* behind SET */
};

struct properties {
	struct property *v;
	size_t n, cap;
};

/* The properties of a kind of record, in the order in which files list them. */
const struct properties *roster_properties(enum roster_kind);

/* The property of that name in the file, ignoring case; NULL: none. */
const struct property *roster_property(enum roster_kind, const char *name);

/* The one of that type, which is not PROPERTY_MEMBER; NULL: none. */
const struct property *roster_property_of(enum roster_kind, enum property_type);

/* The PROPERTY_MEMBER of that member; NULL: none. */
const struct property *roster_property_of_member(
	enum roster_kind, const struct member *);

/* A property of an entry, with its value as text; of a flat file or a line of
 * words also as it was typed. */
struct entry_value {
	const struct property *property;
	const char *text;
	const struct setting *set;
};

/* There may be millions: small. */
struct entry {
	const char *name;      /* cluster, QOS, account or user */
	const char *account;   /* of a row; of a user: the first of the file */
	const char *partition; /* of a row */
	struct entry_value *v; /* in the order of properties; see entry_share */
	struct entry *other; /* the next row of the user; of a user: the first */
	union {
		/* Of an account or a row: as roster_load read it; of an account
		 * to which rows are added, as it is then (`row_read`). */
		struct assoc *row;
		/* Of a row of a file: the user. */
		struct entry *user;
		/* While rows are added: of a user the name in the store. */
		const char *stored;
	};
	uint32_t hash;
	int line; /* of the file; 0: from the store */
	uint16_t n, cap;
	enum roster_kind kind : 8;
	bool several : 1; /* the user has rows in other accounts too */
	bool seen : 1;	 /* the other roster, or the directory, has it too */
	bool leaves : 1; /* it is to be removed */
	bool erased : 1; /* roster_find ignores it */
	bool abroad : 1; /* an account of other clusters only */
	/* While rows are added: the user's record is new, and was added; a row
	 * is the default. */
	bool row_read : 1, comes : 1, came : 1, has_default : 1;
};

struct entry_list {
	struct entry **v;
	size_t n, cap;
};

struct roster_names {
	struct strv qos, accounts, users;
	bool rows_alone; /* nothing but their associations */
};

struct roster {
	const char *cluster;
	bool has[ROSTER_KINDS]; /* the file lists records of that kind */
	bool at_least; /* of a file: what it does not say stays as it is */
	/* Of a line of words: what is given with `set` is set so, be it there or
	 * not, and all that is set of a record is right at once. */
	bool line;
	int wrong; /* of a file that could not be applied: the line */
	bool all; /* of a store: accounts and users of other clusters, too */
	/* Of a store: no others, and no coordinators; or NULL. */
	const struct roster_names *only;
	struct entry_list of[ROSTER_KINDS];
	/* Hash table of all entries by name, at least half of it empty: their
	 * addresses, with some bits of the hash in the lowest ones. (With
	 * uthash each step along a chain is a cache miss: half the time of a
	 * diff.) */
	uintptr_t *slots;
	size_t n_slots, used;
};

/* What the entry has of the property; NULL: nothing. */
const struct entry_value *entry_find(
	const struct entry *, const struct property *);

/* The text of the entry's property of that type; NULL: it has none. */
const char *entry_text(const struct entry *, enum property_type);

/* The same of one property. */
const char *entry_text_of(const struct entry *, const struct property *);

/* Sets the text of a property, or removes the property (NULL); keeps the order.
 */
void entry_set(struct entry *, const struct property *, const char *text,
	struct arena *);

void entry_set_of(
	struct entry *, enum property_type, const char *text, struct arena *);

/* The same with a text that may be NULL: the value of a new record. */
void entry_put(struct entry *, const struct entry_value *, struct arena *);

/* Gives the entry the properties of another, which both have in memory once
 * until something is set of one of them. */
void entry_share(struct entry *, struct entry *from);

/* "user ann in lab, partition debug" */
const char *entry_title(const struct entry *, struct arena *);

/* The entry of that name, which is no ROSTER_ROW; NULL: none. */
struct entry *roster_find(
	const struct roster *, enum roster_kind, const char *name);

/* The entry of the same kind and names, whatever roster that one is of. */
struct entry *roster_find_like(const struct roster *, const struct entry *);

/* Adds an entry; NULL when one has that name already. Account and partition are
 * those of a ROSTER_ROW, "" otherwise. */
struct entry *roster_add(struct session *, struct roster *, enum roster_kind,
	const char *name, const char *account, const char *partition);

/* The user whose row it is, added with the first one. */
struct entry *roster_user(struct session *, struct roster *, struct entry *row);

/* The text that a property has in a new record: description and organization of
 * an account, description of a QOS; NULL: no default. */
const char *roster_default(
	const struct property *, const struct entry *, struct arena *);

/* The value of a member as text, NULL where it is that of a new record. */
const char *property_text(
	struct session *, const struct property *, const void *record);

/* A setting as property_text gives it of a new record that has it. */
const char *property_of_setting(struct session *, const struct property *,
	const struct setting *, const struct qos_catalog *);

/* What becomes of the value of a member when that is set; NULL: that of a new
 * record. */
const char *property_after(struct session *, const struct property *,
	const struct setting *, const char *was);

/* The same of a list of QOS; `longer`: one without signs is added to what there
 * is. */
const char *qos_after(struct session *, const struct property *,
	const struct strv *set, const char *was, bool longer);

/* Are two values the same? Either may be NULL. */
bool property_is_same(const struct property *, const char *was, const char *is);

/* A new record, of the table that the member is of. */
const void *property_blank(const struct property *);

/* What the text of a member says, to be set. -1 with session->err. */
int property_setting(struct session *, const struct property *,
	const struct qos_catalog *, const char *text, struct settings *);

/* What the entry says of members, as settings of a record that has them; all
 * QOS it names are in the store. -1 with session->err. */
int entry_settings(struct session *, const struct entry *, struct settings *);

/* Reads a typed value and gives it in the form of property_text. -1 with
 * session->err. */
int property_read(struct session *, const struct property *,
	const struct qos_catalog *, const char *typed, const char **text);

/* A text without its quotes; names in order, with commas, NULL when there are
 * none: as entries have them. */
const char *roster_plain(struct session *, const char *text);
const char *roster_names(struct session *, const struct strv *);

/* The names of a comma list that are not in the other, and those of both, as
 * entries have them; either may be NULL. */
struct strv roster_beyond(
	struct session *, const char *list, const char *other);
const char *roster_united(
	struct session *, const char *list, const char *other);

/* Is the name one of a comma list, which may be NULL? */
bool roster_among(struct session *, const char *list, const char *name);

/* Has the user a row in the account, in the same roster of a file? */
bool entry_has_row(const struct entry *user, const char *account);

/* Does the list of QOS, or a name of it, begin with `+` or `-`? NULL does not. */
bool qos_has_sign(const char *list);

/* Of the accounts that a user coordinates (a comma list), those in one of the
 * two rosters: the others belong to other clusters. NULL: none. */
const char *roster_coordinated(struct session *, const char *accounts,
	const struct roster *, const struct roster *);

/* Makes the roster of what the store has of the cluster. -1 with session->err. */
int roster_load(struct session *, const char *cluster, struct roster *);

/* The same with all accounts and users there are, of whatever cluster, and of a
 * cluster that is not there (yet). */
int roster_load_all(struct session *, const char *cluster, struct roster *);

/* The same with no other QOS, accounts and users than those named, nor their
 * associations: of an account its own alone, of a user all. */
int roster_load_some(struct session *, const char *cluster,
	const struct roster_names *, struct roster *);

/* Adds to the roster of a cluster what the store says of users beside their
 * rows. */
int roster_load_users(struct session *, struct roster *);

/*
 * Makes two rosters: `file` of a file (`text` of `size` bytes), which is YAML,
 * JSON or a flat file, and `store` of what the store has of the cluster that the
 * file names. A user whose default account the file does not name keeps the one
 * in the store. With `prune` a QOS that the file does not list, and something in
 * it has, is an error. -1 with session->err, which begins with the line at fault.
 */
int roster_read(struct session *, const char *text, size_t size, bool prune,
	struct roster *store, struct roster *file);

/* Makes the rosters of two files, without any store. -1 with session->err, and
 * which of both it is about. */
struct roster_text {
	const char *path;
	char *text;
	size_t size;
};
int roster_read_two(struct session *, const struct roster_text *texts,
	struct roster *one, struct roster *other, size_t *bad);

/*
 * Makes two rosters: `store` of what the store has, and `wanted`, the same with
 * the users that the machine's groups have, by a mapping of groups to accounts
 * (`text` of `size` bytes, man/sacctmgr.1). A user who has left the groups is
 * quarantined and listed in `quarantined`, or with `erase` deleted. -1 with
 * session->err.
 */
int roster_directory(struct session *, const char *text, size_t size,
	bool erase, struct roster *store, struct roster *wanted,
	struct strv *quarantined);

/* Sets session->err to an error about a line of the file. Returns -1. */
int roster_bad(struct session *, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The text of session->err without leading blanks, copied, to be put into
 * another error. */
const char *roster_complaint(struct session *);

/* The roster as a document for tree_write. */
const struct tree *roster_document(struct session *, struct roster *);

/* Frees what does not lie in the session's arena, as the entries do. */
void roster_release(struct roster *);

/* ---- differences ---------------------------------------------------------*/

enum difference_kind { DIFFERENCE_ADDED, DIFFERENCE_CHANGED, DIFFERENCE_REMOVED };

struct changed_property {
	const struct property *property;
	const char *was, *is; /* in the store, in the file; NULL: the default */
};

struct difference {
	struct entry *entry; /* of the file; REMOVED: of the store */
	struct changed_property *v;
	uint32_t n;
	enum difference_kind what;
};

struct differences {
	struct difference *v;
	size_t n, cap;
	size_t removed;	   /* how many of these are removals */
	size_t kept;	   /* records and names that only `prune` takes away */
};

/* Lists the changes that would make the store as the file says, in the order of
 * the file. Without `prune` nothing is deleted. */
void roster_compare(struct session *, struct roster *store, struct roster *file,
	bool prune, struct differences *);

/* Writes them as text, "@@ user ann in lab @@", "-Fairshare: 1", "+Fairshare: 5",
 * below what the two rosters are called; with colours for a terminal. */
void differences_write(const struct differences *, const char *was,
	const char *is, FILE *, bool colour, struct arena *);

/* One as a record of JSON. */
struct json_object *difference_record(const struct difference *);

/* Makes the changes of `differences` in the open transaction, through the
 * operations of db/change. 0; -1: one was refused, and it was said which and
 * why. Where QOS were changed, `lost` gets a line for each association of the
 * cluster whose default QOS is no longer in its QOS list: "line 7: user ann in
 * lab: ..." */
int roster_apply(struct session *, struct roster *store, struct roster *file,
	const struct differences *, struct strv *lost);

/* Deletes in the open transaction what the words of a `delete` choose. *any:
 * was there any? 0; -1: it was refused, and the reason was reported. */
int roster_erase(struct session *, const struct changeable *, struct request *,
	bool *any);
