/*
 * The state of a `load`: what the store had, and what the file brings new.
 */
#ifndef BURSAR_SACCTMGR_LOADING_H
#define BURSAR_SACCTMGR_LOADING_H

#include <uthash.h>

#include "cmd/sacctmgr/flatfile.h"

struct new_qos {
	struct flat_line line;
	const char *name;
	bool is_new;
};

struct new_account {
	const char *name, *description, *organization;
};

struct new_user {
	const char *name, *default_account, *default_wckey, *admin_text;
	uint32_t admin_level;
	struct strv coordinators, wckeys;
};

struct new_assoc {
	struct assoc shown; /* as the tables print it */
	struct settings set;
};

struct new_assoc_list {
	struct new_assoc *v;
	size_t n, cap;
};

/* An association row of the cluster, in the store or new, by name. */
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
	int64_t cluster_key;
	bool cluster_seen;
	const char *parent;
	int number; /* line being read */
	bool changed;

	struct known_row *rows;
	struct known_user *known_users;
	struct known_account *known_accounts;

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

#endif
