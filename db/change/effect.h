/*
 * Effects: what an operation did to which record or row, or why it did not, one
 * struct each, in the order in which it happened. An operation only lists them;
 * who called it puts them into words (cmd/sacctmgr/effects.c: Slurm's), counts
 * them, or drops them.
 */
#ifndef BURSAR_DB_EFFECT_H
#define BURSAR_DB_EFFECT_H

#include "common/base/strv.h"
#include "common/table/attr.h"
#include "db/entity/assoc.h"

enum verb { VERB_ADD, VERB_SHOW, VERB_MODIFY, VERB_DELETE, VERBS };

enum effect_kind {
	EFFECT_BEGUN,	   /* records are looked for; none is changed yet */
	EFFECT_DONE,	   /* added, modified or deleted, as the verb says */
	EFFECT_INHERITED,  /* modified by a change of the account above */
	EFFECT_SET,	   /* the settings of what was added or modified */
	EFFECT_NOTHING,	   /* no record to change, or nothing new to add */
	EFFECT_EXISTS,	   /* not added: is there */
	EFFECT_NO_ACCOUNT, /* no row added: the cluster lacks the account */
	EFFECT_NO_PARENT,  /* not moved: the cluster lacks the new parent */
	EFFECT_OWN_CHILD,  /* not moved: the new parent is below the account */
	EFFECT_NO_DEFAULT, /* not made the default: the user lacks it */
	EFFECT_UNCHANGED,  /* all is as was asked for */
	EFFECT_LOCAL,	   /* no cluster was given: the local one */
	EFFECT_UNTIL,	   /* what was set holds until session->until */
	EFFECT_ABORTED,	   /* a question before was answered with no */
	EFFECT_DISCARDED,  /* nothing of what was done before is kept */
};

enum effect_on {
	ON_ACCOUNT,
	ON_ASSOC,
	ON_CLUSTER,
	ON_COORDINATOR,
	ON_FEDERATION,
	ON_JOB,
	ON_QOS,
	ON_RESOURCE,
	ON_RESOURCE_SHARE, /* what a cluster may use of a resource */
	ON_USER,
	ON_WCKEY,
};

/* Members that the kind and the entity have no use for are NULL. All live as
 * long as the session's arena, or the operation. */
struct effect {
	enum verb verb;
	enum effect_kind kind;
	enum effect_on on;
	enum effect_on of; /* of an association: what was modified or deleted */
	const char *name; /* of the record; a new parent, a new default */
	const char *cluster, *account, *user;
	const struct assoc *assoc;
	struct settings set;
	/* struct job, struct resource; of a share its resource */
	const void *record;
	bool is_new; /* the resource that was set */
	/* Clusters that join (+) or leave (-); coordinators, their accounts */
	struct strv names, accounts;
	uint32_t allowed; /* to the cluster */
};

struct effects {
	struct effect *v;
	size_t n, cap;
};

#endif
