/*
 * What the readers of rosters share, whatever the file looks like: names and
 * values checked, records added, and at the end what follows from what was
 * said. Every complaint begins with its line.
 */
#pragma once

#include "db/roster/roster.h"

struct roster_reading {
	struct session *s;
	struct roster *store, *file;
	struct qos_catalog qos; /* of the store, and those new in the file */
	bool alone;		/* without a store */
	bool prune; /* QOS that the file does not list will not be there */
	bool flat; /* what a flat file has no words for is as in the store */
	bool comments; /* a user of the flat file has one */
	/* The value at hand, and the member that it is of; or NULL. */
	const struct member *member;
	const char *typed;
	struct flat_part *part; /* of `load`; else NULL */
};

/* The formats: of YAML or JSON, and the flat file. */
int roster_read_tree(struct roster_reading *, const char *text, size_t size);
int roster_read_flat(struct roster_reading *, const char *text);
/* Is it a flat file? */
bool roster_is_flat(const char *text);

/* Which cluster the file is for: what the store has of it is loaded. */
int reading_cluster(struct roster_reading *, const char *name, int line);

/* The names of QOS that the file has, before its values are read. */
void reading_know_qos(struct roster_reading *, const struct strv *names);

/* check_name for a name that commands can name. */
int reading_name(struct session *, const char *name);

/* Adds a record of that name, as it was typed. NULL: no name, or it comes a
 * second time. */
struct entry *reading_add(struct roster_reading *, enum roster_kind,
	const char *typed, const char *account, const char *partition,
	int line);

/* Whose association it is. Returns the user. */
struct entry *reading_user(struct roster_reading *, struct entry *row);

/* A value as it was typed; `text` becomes that of entries. -1: the error lacks
 * line and record. */
int reading_value(struct roster_reading *, const struct property *,
	const char *typed, const char **text);

/* What is wrong with the value at hand, and what was perhaps meant. */
const char *reading_complaint(struct roster_reading *);

/* The error gets line and record. Returns -1. */
int reading_bad(struct roster_reading *, int line, const struct entry *);

/* The key is none of that kind of record: "unknown key 'MaxJbos'; perhaps
 * MaxJobs was meant". Returns -1. */
int reading_unknown(struct roster_reading *, int line, const struct entry *,
	const char *key);

/* Every key of a map is one of the comma list. */
int reading_keys(struct session *, const struct tree *map, const char *list);

/* Texts that a new record has where nothing was said. */
void reading_texts(struct session *, struct entry *);
