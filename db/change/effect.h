/*
 * Effects: what an operation did to each record or row, or why it did nothing;
 * one struct each, in order of time. An operation only lists them;
 * who called it puts them into words (cmd/sacctmgr/effects.c: Slurm's), counts
 * them, or drops them.
 */
#pragma once

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
	EFFECT_EXISTS,	   /* not added: it exists */
	EFFECT_NO_ACCOUNT, /* no row added: the cluster lacks the account */
	EFFECT_NO_PARENT,  /* not moved: the cluster lacks the new parent */
	EFFECT_OWN_CHILD,  /* not moved: the new parent is below the account */
	EFFECT_NO_DEFAULT, /* not made the default: the user lacks it */
	EFFECT_UNCHANGED,  /* all is already as the command asked */
	EFFECT_LOCAL,	   /* no cluster was given: the local one is meant */
	EFFECT_UNTIL,	   /* what was set holds until session->until */
	EFFECT_ABORTED,	   /* the user answered a question with no */
	EFFECT_DISCARDED,  /* the effects before it are rolled back */
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

/* Members that the kind and the entity do not use are NULL. What they point to
 * lives as long as the session's arena, or the operation. */
struct effect {
	enum verb verb;
	enum effect_kind kind;
	enum effect_on on;
	enum effect_on of; /* ON_ASSOC: what the command named */
	const char *name; /* of the record; or a new parent, a new default */
	const char *cluster, *account, *user;
	const struct assoc *assoc;
	struct settings set;
	/* ON_JOB: struct job; ON_RESOURCE, ON_RESOURCE_SHARE: struct resource */
	const void *record;
	bool is_new; /* the resource that was set */
	/* Clusters that join (+) or leave (-); coordinators, their accounts */
	struct strv names, accounts;
	uint32_t allowed; /* how much the cluster may use of the resource */
};

struct effects {
	struct effect *v;
	size_t n, cap;
};
