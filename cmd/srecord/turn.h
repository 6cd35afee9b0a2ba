/*
 * Where several hosts share a log, the programs of one that record facts take
 * turns: who waits for its turn has left its fact in the spool and holds no
 * connection, and whoever has the turn records all that wait there in one
 * exchange. What the log cannot take now stays there (man/bursar-hosts.7).
 */
#pragma once

#include "db/deliver/deliver.h"

enum turn_how {
	TURN_NONE,     /* there is no spool: record it */
	TURN_ALONE,    /* nobody else waits: record it */
	TURN_ALL,      /* it waits there with others: record all of them */
	TURN_ANSWERED, /* another program has recorded it: fact.answer */
	TURN_LATER,    /* it has to wait: turn_keep */
};

struct turn {
	enum turn_how how;
	struct spool spool;
	struct spool_fact fact;
	int fd; /* of the fact's file, when it has been put there; or -1 */
	char user[256];
	struct err why; /* TURN_LATER */
};

/* Begins a turn for a fact with these words, once site_find has found the site. */
void turn_begin(struct turn *, const struct site *, char **words, int n);

/* Is it answered? After deliver. */
bool turn_answered(struct turn *);

/* Keeps the fact, which could not be recorded because of `why`, and says so.
 * `open`: s->site is open. 0, or -1 with s->err: it is not kept. */
int turn_keep(struct turn *, struct recording *, bool open, const struct err *why);

/* Says that facts wait, because of `why`. */
void turn_say_waits(const struct spool *, const struct err *why);

void turn_end(struct turn *);

/* srecord spool [deliver | drop]: lists what waits and what was refused. The exit
 * status. */
int turn_spool(char **words, int n);
