/*
 * The state of a `load`: what the store had, and what the file brings new; and
 * what the parts of it offer each other.
 */
#ifndef BURSAR_SACCTMGR_LOADING_H
#define BURSAR_SACCTMGR_LOADING_H

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/hash.h"
#include "db/roster/bulk.h"
#include "db/roster/flatfile.h"

struct new_qos {
	struct flat_line line;
	const char *name;
	bool is_new;
	struct settings set; /* of the line */
};

struct new_account {
	const char *name, *description, *organization;
};

struct new_user {
	const char *name, *default_account;
	const struct flat_record *options;
};

struct new_assoc {
	const char *account, *user;
	const struct flat_record *options;
	struct known_row *parent, *self; /* self: of accounts alone */
	struct known_user *owner;	 /* NULL: a row of the account */
	size_t older; /* new row of the same user, 1 is the first; 0: none */
};

/* Lists of what is new grow in place, and are freed: they may be long. */
struct new_assoc_list {
	struct new_assoc *v;
	size_t n, cap;
};

/* An association row of the cluster by name: those of the store, and new ones of
 * accounts. */
struct known_row {
	const char *name; /* account, user, partition, with newlines between */
	struct assoc *row;
	bool is_new;
	bool seen; /* in the file; later lines of the same name do nothing */
	UT_hash_handle hh;
};

struct known_user {
	const char *name;
	const struct user *record; /* NULL: new */
	const char *default_account; /* what the file wants */
	size_t newest;	  /* new row, see new_assoc.older */
	bool has_default; /* a new row became it */
	bool seen;
	UT_hash_handle hh;
};

struct known_account {
	const char *name;
	const struct account *record; /* NULL: new */
	bool seen;
	UT_hash_handle hh;
};

struct loading {
	struct session *s;
	char *text; /* of the file */
	const char *cluster_given; /* cluster=, overrides the file */
	bool clean, clean_accounts, clean_users, clean_qos;

	const char *cluster;
	bool cluster_seen;
	const char *parent;
	struct known_row *parent_row;
	int number; /* line being read */
	struct bulk bulk; /* what is new */
	bool changed, qos_changed;

	struct known_row *rows;
	struct known_user *known_users;
	struct known_account *known_accounts;
	struct flat_known options; /* of users */
	struct arena line;	   /* what the line being read alone needs */

	struct {
		struct new_qos *v;
		size_t n, cap;
	} qos;
	struct {
		struct new_account *v;
		size_t n, cap;
	} accounts;
	struct {
		struct new_user *v;
		size_t n, cap;
	} users;
	struct new_assoc_list account_rows, user_rows;
};

/* ---- what the store has: load_known.c ------------------------------------*/

int load_read_users(struct loading *);
int load_read_accounts(struct loading *);
int load_read_rows(struct loading *);

/* NULL when there is none of that name. Case of users is ignored. */
struct known_row *load_find_row(struct loading *, const char *account,
	const char *user, const char *partition);
struct known_user *load_find_user(struct loading *, const char *name);
struct known_account *load_find_account(struct loading *, const char *name);

struct known_row *load_remember_row(struct loading *, struct assoc *, bool new);
/* A NULL record: new. */
struct known_user *load_remember_user(
	struct loading *, const char *name, const struct user *record);
struct known_account *load_remember_account(
	struct loading *, const char *name, const struct account *record);

/* ---- what changes: load_changes.c ----------------------------------------*/

/* One line of the report: "Changed X for TYPE NAME OLD -> NEW". */
void load_change_line(struct loading *, const char *label, const char *type,
	const char *name, const char *old, const char *new);

/* Does the setting differ from the record? Then it is told. */
bool load_differs(struct loading *, const void *record, const struct setting *,
	const char *type, const char *name);

/* The settings in the order in which changes are told. */
struct settings load_in_order(struct loading *, const struct settings *);

/* Tells and writes what the settings change in an association row. */
int load_update_row(struct loading *, struct assoc *, const struct settings *,
	const char *type, const char *name);

/* The words of a list in order, with commas. */
const char *load_sorted(struct session *, const struct strv *);

/* ---- what is new: load_tables.c ------------------------------------------*/

void load_dashes(struct session *, int n);
void load_print_accounts(struct loading *);
void load_print_users(struct loading *);
/* `first`: the columns before the limits. */
void load_print_assocs(struct loading *, const struct new_assoc *, size_t n,
	const char *first);

/* ---- lines of the file ---------------------------------------------------*/

/* All QOS lines (load_qos.c), then the cluster's (load_cluster.c). */
int load_qos(struct loading *);
int load_cluster_line(struct loading *, const struct flat_line *);

/* load_lines.c */
uint32_t load_admin_level(const struct new_user *);
const char *load_partition(const struct new_assoc *);
int load_account_line(struct loading *, const struct flat_record *);
int load_user_line(struct loading *, const struct flat_record *);
int load_add_coordinators(struct loading *, const char *user,
	const struct strv *accounts, bool tell);
int load_add_wckeys(struct loading *, const char *user, const struct strv *keys,
	const char *default_key, bool tell);
/* Tells what is wrong with the line; which one it is becomes the complaint. */
int load_bad_line(struct loading *, const char *prefix);

/* ---- the end: load_write.c -----------------------------------------------*/

/* Prints the tables of what is new, and writes it. */
int load_write(struct loading *);

#endif
