/*
 * The association: one account, or one user in an account, on one cluster, with
 * its shares and limits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strv.h"
#include "common/table/attr.h"
#include "common/table/fields.h"
#include "common/table/member.h"
#include "common/text/tres.h"

enum assoc_tres {
	ASSOC_GRP_TRES,
	ASSOC_GRP_TRES_MINS,
	ASSOC_GRP_TRES_RUN_MINS,
	ASSOC_MAX_TRES_PJ,
	ASSOC_MAX_TRES_PN,
	ASSOC_MAX_TRES_MINS_PJ,
	ASSOC_MAX_TRES_RUN_MINS,
	ASSOC_TRES_KINDS,
};

/* One QOS of an association's own list. */
struct assoc_qos {
	uint32_t id;
	char sign; /* '=': an explicit list; '+', '-': changes the parent's */
};

struct assoc_qos_list {
	struct assoc_qos *v;
	size_t n, cap;
};

enum assoc_flag {
	ASSOC_DELETED = 1 << 0,
	ASSOC_USERS_ARE_COORDS = 1 << 4,
};

/* An unset limit is NO_VAL or INFINITE, an unset TRES list empty. */
struct assoc {
	int64_t key; /* unique in the store */
	int64_t parent_key;
	uint32_t id; /* unique in the cluster */
	uint32_t parent_id;
	const char *cluster;
	const char *account;
	const char *user;      /* "" on account rows */
	const char *partition; /* "" mostly */
	const char *lineage;
	const char *parent_account; /* "" on root and on user rows */
	const char *comment;
	const char *flags_text;
	bool is_default;
	bool deleted;
	bool users_are_coords; /* the account has the flag UsersAreCoords */
	int64_t created;

	uint32_t shares_raw;
	uint32_t grp_jobs, grp_jobs_accrue, grp_submit_jobs, grp_wall;
	uint32_t max_jobs, max_jobs_accrue, max_submit_jobs, max_wall_pj;
	uint32_t min_prio_thresh, priority;
	uint32_t def_qos_id;
	const char *def_qos;
	struct tres_list tres[ASSOC_TRES_KINDS];

	struct assoc_qos_list own_qos;	 /* as stored */
	struct assoc_qos_list delta_qos; /* entries with +, -: own, inherited */
	struct assoc_qos_list base_qos;	 /* the explicit list they change */
	struct assoc_qos_list qos;	 /* effective */
	struct strv qos_names;		 /* of the effective or raw list */
	struct strv qos_raw;		 /* the ids of qos_names, as text */
	const char *qos_text;	  /* qos_names, sorted, joined by commas */
	const char *qos_in_order; /* the same names in the order of the list */
};

/* The members of struct assoc that are stored, printed or can be set. */
extern const struct members assoc_members;

/* The row that sets a member of struct assoc. */
#define assoc_attr(member)                                                     \
	member_at(&assoc_members, offsetof(struct assoc, member))

/* {account, cluster, partition, user, id}: an association inside another record
 * of a JSON document. */
extern const struct members assoc_short_members;

/* Sets all limits to unset, texts to "", shares to 1. */
void assoc_init(struct assoc *);

bool assoc_is_root(const struct assoc *);

/* Gives `child` the parent's value of every inherited limit that is unset there
 * (of a TRES list: of every TRES), and makes its effective QOS list. `parent`
 * must have been through assoc_inherit or assoc_no_parent. */
void assoc_inherit(
	struct assoc *child, const struct assoc *parent, struct arena *);

/* Makes the effective QOS list of a row that inherits nothing (root, or a
 * listing with WOPLimits). */
void assoc_no_parent(struct assoc *, struct arena *);

/* Is the QOS in the effective list? */
bool assoc_has_qos(const struct assoc *, uint32_t qos_id);

/* Is its default QOS, own or inherited, missing from its effective QOS list? */
bool assoc_lost_default_qos(const struct assoc *);

/* The QOS of a job that asks for none: the association's default, else its only
 * one, else normal; 0 when none of these exists. The association may be
 * NULL. */
uint32_t assoc_default_qos(const struct assoc *, const struct qos_catalog *);

/* Fills what the columns print: qos_names, qos_raw, qos_text, qos_in_order (the
 * effective list; `raw`: base_qos and delta_qos, these with their signs) and
 * def_qos. A row without QOS of its own takes the lists of `parent`, which must
 * be filled already; NULL: it inherits from none. */
void assoc_name_qos(struct assoc *, const struct assoc *parent,
	const struct qos_catalog *, bool raw, struct arena *);

/* The lineage of a row below that of its parent ("/" for children of root), in
 * the arena: "/a/b/", of a user's row "/a/b/0-ann/", with a partition
 * "/a/b/0-ann/debug/". User and partition may be "". A slash in a name is
 * written %2F (and % as %25), so that every lineage that begins with an
 * account's is below that account. */
char *assoc_lineage(struct arena *, const char *parent_lineage,
	const char *account, const char *user, const char *partition);

/*
 * Takes the last names out of a lineage, in the arena: the account of an
 * account row, or user and partition of a user row. On a user row `*account` is
 * left as the caller set it.
 */
void assoc_lineage_names(const char *lineage, struct arena *,
	const char **account, const char **user, const char **partition);
