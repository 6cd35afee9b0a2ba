/*
 * Completion: what a word that is being typed could become. Rows of words and
 * options say where their values come from (enum value_source); names of a
 * store come through a function of its caller, so that nothing here knows one.
 *
 * Candidates begin exactly with what was typed. Each may have a line of help.
 */
#pragma once

#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/strv.h"

/* Where the values of a word come from. */
enum value_source {
	FROM_NOTHING,
	/* Names in the store (db/entity/names.h). */
	FROM_ACCOUNTS,
	FROM_USERS,
	FROM_CLUSTERS,
	FROM_QOS,
	FROM_WCKEYS,
	FROM_FEDERATIONS,
	FROM_RESOURCES,
	STORED_NAMES, /* the one after the last of these */
	/* What else a site knows (db/job/complete.h). */
	FROM_PARTITIONS = STORED_NAMES,
	FROM_TRES, /* each with its count: cpu= */
	FROM_TRES_NAMES,
	FROM_TRES_TYPES,
	FROM_WAITING_JOBS,
	FROM_OPEN_JOBS,	   /* that wait or run */
	FROM_STARTED_JOBS, /* the caller's that run, or ended within a week */
	/* Words that are always the same. */
	FROM_ADMIN_LEVELS,
	FROM_SHARES,
	FROM_COLUMNS, /* of a listing, which its program knows */
};

struct members;
struct site;

struct candidate {
	const char *word;
	const char *help; /* may have more lines than one; or NULL */
};

/* One question. */
struct completion {
	struct arena *arena;
	const char *typed; /* the word at the cursor, up to it */
	size_t head;	   /* how much of it stays: `format=user,` */
	struct strv line;  /* its words up to there */
	/* Offers what the site knows, or NULL; `site` is one that is open, or
	 * NULL. */
	void (*stored)(struct completion *, enum value_source);
	struct site *site;
	struct candidate *v;
	size_t n, cap;
};

/* The part that is completed. */
static inline const char *completion_part(const struct completion *c)
{
	return c->typed + c->head;
}

/* The value begins at `value`, within `typed`: what is completed is its last
 * element, behind a comma, a quote, a sign. */
void completion_value(struct completion *, const char *value);

/* Offers a name as it is spelled, with `suffix` behind it; not one that a shell
 * would take apart. */
void offer_name(struct completion *, const char *name, const char *suffix,
	const char *help);

/* Offers the first of a row's names (common/base/words.h) that fits. One that
 * is written with a capital is offered in small letters to who types these. */
void offer_word(struct completion *, const char *names, const char *suffix,
	const char *help);

/* Offers every word of a list with blanks, commas or line ends between, like
 * offer_word. One may end with `=`: a value follows. */
void offer_list(struct completion *, const char *list);

/* Offers the columns that can be chosen. */
void offer_columns(struct completion *, const struct members *);

/* Offers what comes from there. */
void offer_from(struct completion *, enum value_source);

/* Sorts the candidates, each once. */
void completion_sort(struct completion *);
