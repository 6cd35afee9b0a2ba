/*
 * What is in use under limits: part of db/view/limits.h, internal to db/.
 * Functions that return int: 0, or -1 with the store's error.
 */
#pragma once

#include "db/view/limits.h"

/* Hash tables live in the arena and go with it. */
#define uthash_malloc(size) arena_alloc(limits->arena, (size))
#define uthash_free(memory, size) ((void)(memory))
#include "common/base/hash.h"

struct limits_assoc {
	int64_t key;
	bool gone;    /* deleted, or never there */
	bool reading; /* what is above it */
	struct limits_assoc *parent;
	struct limit_level level;
	struct limit_usage usage;
	UT_hash_handle hh;
};

struct limits_qos {
	uint32_t id;
	const struct qos *qos;
	struct limit_level level; /* without user and account */
	struct limit_usage usage;
	struct limits_whose *whose[WHOSE_KINDS];
	UT_hash_handle hh;
};

/* The QOS of that id; NULL: there is none, or it is deleted. */
struct limits_qos *limits_find_qos(struct limits *, uint32_t id);

/* The association of that key, which is read with all above it if it is not
 * known yet; `gone` is set in one that does not exist. */
int limits_find_assoc(struct limits *, int64_t key, struct limits_assoc **);

/* Zeroes the usage; if the level has a limit of that kind on nodes, jobs are
 * counted for each node of slurm.conf. */
void limits_usage_init(struct limits *, const struct limit_level *,
	enum limit_tres, struct limit_usage *);

/* What the user or account of that name has in use in the QOS; never NULL. */
struct limit_usage *limits_usage_of(struct limits *, struct limits_qos *,
	enum limits_whose_kind, const char *name);

/* Count into the levels: the number of pending and running jobs; what running
 * jobs hold, and decayed usage. */
int limits_read_submitted(struct limits *);
int limits_read_running(struct limits *);

/* ... and how many jobs accrue age. */
int limits_read_accruing(struct limits *);
