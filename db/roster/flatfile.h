/*
 * The flat file of dump and load, line by line (Slurm's
 * src/sacctmgr/file_functions.c).
 */
#pragma once

#include <stdio.h>

#include "db/roster/roster.h"

enum flat_kind {
	FLAT_QOS,
	FLAT_CLUSTER,
	FLAT_PARENT,
	FLAT_ACCOUNT,
	FLAT_USER,
	FLAT_UNKNOWN,
};

/* A logical line: comments gone, continued lines joined. */
struct flat_line {
	int number; /* of its last physical line */
	enum flat_kind kind;
	const char *text;    /* whole */
	const char *options; /* behind the keyword */
};

struct flat_reader {
	const char *at; /* text not read yet */
	int number;
	struct arena *arena;
};

/* 1: a line with a keyword, 0: the end, -1: nothing after the keyword (err is
 * set). Lines without ` -` are skipped. */
int flat_next(struct flat_reader *, struct flat_line *, struct err *);

/* How much of the text is before the first `:`. False in `closed`: a quote of it
 * is never closed, which a comment sign within quotes does too. */
size_t flat_length(const char *text, bool *closed);

/* Cuts options apart at each `:`. False: the last one has an open quote. */
bool flat_cut(const char *text, struct strv *parts, struct arena *);

/* ---- files that say a part -----------------------------------------------*/

/* What may be wrong with such a file. */
enum flat_fault {
	FLAT_NOTHING, /* behind the keyword; session->err says so */
	FLAT_OPEN_QUOTE,
	FLAT_NO_NAME,
	FLAT_BAD_NAME, /* session->err says why, as of the next two */
	FLAT_BAD_PROPERTY,
	FLAT_BAD_VALUE,
	FLAT_NO_EQUALS,
	FLAT_UNKNOWN_OPTION,
	FLAT_UNKNOWN_KEYWORD,
	FLAT_LATE_QOS,
	FLAT_SECOND_QOS,
	FLAT_SECOND_CLUSTER,
	FLAT_NO_CLUSTER,
	FLAT_NO_PARENT,
	FLAT_BELOW_ITSELF, /* the account `name` */
};

/*
 * A file for `load`, which says what shall be there at least: what it does not
 * say stays as it is. Where it says something of a record twice, the first line
 * counts.
 */
struct flat_part {
	struct session *s;
	const char *cluster; /* given: it is meant, whatever the file says */
	/* The cluster is known. Makes the roster of what the store has of it. */
	int (*begin)(struct flat_part *, const char *cluster);
	/* Puts into session->err what is wrong. Returns -1. */
	int (*fault)(struct flat_part *, enum flat_fault,
		const struct flat_line *, const char *word, const char *name);
	struct roster store, file;
	bool cluster_read;
	bool no_parent; /* accounts or users come before any Parent line */
};

/* Makes the roster of the file, up to where it is wrong: then -1. A file without
 * a cluster has none. */
int flat_read_part(struct flat_part *, const char *text);

/* A value between single quotes. Control characters, which could begin a line
 * of their own, are written as \x0a. */
void flat_quote(FILE *, const char *value);

/* Where lines are written to. */
struct flat_out {
	FILE *file;
	/* Called after each line, after all of QOS and the cluster's as after
	 * one; it may give another file. */
	void (*written)(struct flat_out *);
};

/* Writes the QOS and the tree of a cluster; accounts are in memory, users are
 * read as they are written. -1 with session->err. */
int flat_write(struct session *, const char *cluster, struct flat_out *);
