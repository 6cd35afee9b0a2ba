/*
 * The association: one account, or one user in an account, on one cluster,
 * with its shares and limits (spec/sacctmgr.md 3.0, 3.2, 5.5).
 */
#ifndef BURSAR_ASSOC_H
#define BURSAR_ASSOC_H

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
	char sign; /* '=': of an explicit list; '+', '-': to the parent's */
};

struct assoc_qos_list {
	struct assoc_qos *v;
	size_t n, cap;
};

enum assoc_flag {
	ASSOC_DELETED = 1 << 0,
	ASSOC_USERS_ARE_COORDS = 1 << 4,
};

/* Every limit is NO_VAL or INFINITE when unset; lists are empty. */
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
	const char *parent_account; /* of account rows below root, else "" */
	const char *comment;
	const char *flags_text;
	bool is_default;
	bool deleted;
	bool users_are_coords; /* the row of an account with that flag */
	int64_t created;

	uint32_t shares_raw;
	uint32_t grp_jobs, grp_jobs_accrue, grp_submit_jobs, grp_wall;
	uint32_t max_jobs, max_jobs_accrue, max_submit_jobs, max_wall_pj;
	uint32_t min_prio_thresh, priority;
	uint32_t def_qos_id;
	const char *def_qos;
	struct tres_list tres[ASSOC_TRES_KINDS];

	struct assoc_qos_list own_qos;	 /* as stored */
	struct assoc_qos_list delta_qos; /* own and inherited signs */
	struct assoc_qos_list base_qos;	 /* what they apply to */
	struct assoc_qos_list qos;	 /* effective */
	struct strv qos_names;		 /* of the effective or raw list */
	struct strv qos_raw;		 /* the same by number */
	const char *qos_text;
	const char *qos_in_order; /* as it was set */
};

/* What is stored of it, printed, and can be set. */
extern const struct members assoc_members;

/* The row that sets a member of struct assoc. */
#define assoc_attr(member)                                                     \
	member_at(&assoc_members, offsetof(struct assoc, member))

/* {account, cluster, partition, user, id}: as it appears inside the records of
 * others, in JSON only. */
extern const struct members assoc_short_members;

/* All limits unset, shares 1. */
void assoc_init(struct assoc *);

bool assoc_is_root(const struct assoc *);

/* Fills every inherited value that `child` lacks, and its effective QOS list,
 * from its parent (whose own are filled already). */
void assoc_inherit(
	struct assoc *child, const struct assoc *parent, struct arena *);

/* Makes the effective list of a row that stands alone (root, WOPLimits). */
void assoc_no_parent(struct assoc *, struct arena *);

bool assoc_has_qos(const struct assoc *, uint32_t qos_id);

/* Is its default QOS, own or from above, not among those it may use? */
bool assoc_lost_default_qos(const struct assoc *);

/* The QOS of a job that asks for none: the association's default, else its only
 * one, else normal; 0 when none of these exists. The association may be
 * NULL. */
uint32_t assoc_default_qos(const struct assoc *, const struct qos_catalog *);

/* Fills the texts the columns print: QOS names (with signs when raw), the
 * default QOS. The parent it inherits from, or NULL, has them already. */
void assoc_name_qos(struct assoc *, const struct assoc *parent,
	const struct qos_catalog *, bool raw, struct arena *);

/* `/a/b/` below `parent` ("/" for children of root); user and partition may be
 * "". A slash in a name is %2F there, so that what begins with an account's
 * lineage is below that account. */
char *assoc_lineage(struct arena *, const char *parent_lineage,
	const char *account, const char *user, const char *partition);

/*
 * The names a lineage ends with: an account's, or a user's and the partition,
 * while `account`, which is that of the row above, stays as it is.
 */
void assoc_lineage_names(const char *lineage, struct arena *,
	const char **account, const char **user, const char **partition);

#endif
