/*
 * The flat file of dump and load, line by line (spec/sacctmgr.md 6.1, 6.2).
 */
#ifndef BURSAR_ROSTER_FLATFILE_H
#define BURSAR_ROSTER_FLATFILE_H

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

/* The rest of the line after the keyword, parsed. */
struct flat_record {
	const char *name;
	struct settings set; /* of associations, or of QOS */
	/* NULL when not given: */
	const char *description, *organization, *partition;
	const char *default_account, *default_wckey, *admin_level;
	const char *classification;
	struct strv coordinators, wckeys;
	/* Of a user's line: the record with the same options and no name, which
	 * other lines share and which lasts. Else NULL. */
	const struct flat_record *shared;
};

struct flat_reader {
	const char *at; /* text not read yet */
	int number;
	struct arena *arena;
};

void flat_reader_init(
	struct flat_reader *, const char *text, struct arena *);

/* 1: a line with a keyword, 0: the end, -1: nothing after the keyword (err is
 * set). Lines without ` -` are skipped. */
int flat_next(struct flat_reader *, struct flat_line *, struct err *);

/* Cuts a name and its options apart at each `:`. False: a quote of the last one
 * is never closed, which a comment sign within quotes does too. */
bool flat_cut(const char *text, struct strv *parts, struct arena *);

/* What a word that is no member's stands for; FACT_MEMBER: it is none of
 * these. */
enum fact_type flat_fact(const struct word *);

/* The name alone: the options may speak of QOS that are not there yet. NULL
 * with the complaint in err. */
const char *flat_name(struct session *, const struct flat_line *);

/* Takes the options apart; -1 with the complaint in err. */
int flat_parse(struct session *, const struct flat_line *,
	struct flat_record *);

/* Parses a User line. Most have options that an earlier line had, word for word:
 * options are parsed once per text, and the record is shared. The arena is for
 * what this line alone needs. */
struct flat_known {
	struct flat_options *v; /* by their text */
};
int flat_parse_user(struct session *, const struct flat_line *,
	struct flat_known *, struct arena *, struct flat_record *);
void flat_known_clear(struct flat_known *);

/* A value between single quotes. Control characters, which could begin a line
 * of their own, are written as \x0a. */
void flat_quote(FILE *, const char *value);

/* Where lines are written to. */
struct flat_out {
	FILE *file;
	/* Called after each line, after all of QOS and the cluster's as after
	 * one; it may give another file. */
	void (*told)(struct flat_out *);
};

/* Writes the QOS and the tree of a cluster; accounts are in memory, users are
 * read as they are written. -1 with session->err. */
int flat_write(struct session *, const char *cluster, struct flat_out *);

#endif
