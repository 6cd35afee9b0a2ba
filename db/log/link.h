/*
 * The connection to the database that holds a log (man/bursar-hosts.7): a list
 * of hosts, of which the first that answers is used, and SQL as text.
 *
 * No text of an error holds the password, and none is sent anywhere but to the
 * server.
 */
#ifndef BURSAR_LOG_LINK_H
#define BURSAR_LOG_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

struct st_mysql;

struct link_host {
	const char *name; /* as in slurmdbd.conf */
	const char *host, *socket; /* one of them */
	unsigned port;
	char why[200];	   /* it does not answer */
	char version[64];  /* of its server, "" before it answered */
	double ms;	   /* until it answered */
};

/* What is needed to connect; NULL: not given. */
struct link_login {
	const char *user, *password, *database;
	const char *ca, *capath, *cert, *key, *cipher;
	const char *conf; /* the file that says all this, for errors */
};

/* Of the last question. */
enum link_trouble {
	LINK_FINE,
	LINK_LOST,    /* the host does not answer any more */
	LINK_AGAIN,   /* a deadlock, or another node was faster: rolled back */
	LINK_BUSY,    /* another has held what was to be locked for too long */
	LINK_REFUSED, /* anything else */
};

struct link {
	struct link_login login;
	struct link_host *hosts;
	size_t n_hosts;
	size_t at; /* the host that answers, or is tried first */
	struct st_mysql *db; /* NULL: not connected */
	enum link_trouble trouble;
	unsigned code; /* the server's number of the error */
	bool no_host;  /* no host answered the last link_open */
	size_t packet; /* most bytes of one statement */
	struct err *err;
};

/* Reads "db1,db2:3307,/run/mysqld.sock"; -1 when a word is not a host. */
int link_read_hosts(struct link *, const char *text, unsigned port,
	struct arena *, struct err *);

/* The first host that answers, from `at` on; nothing where one is there already.
 * `seconds` is how long an answer may take. */
int link_open(struct link *, unsigned seconds);
void link_close(struct link *);

/* One host alone: its `why`, `version` and `ms`. For those who ask how it is. */
int link_try(struct link *, size_t host, unsigned seconds);

/* Which host that is and of which database: "bursar at db1". */
const char *link_place(const struct link *);

/* "db1: ...; db2: ...": why no host answers. */
const char *link_reasons(const struct link *, char *text, size_t size);

struct link_row {
	char **v;
	unsigned long *sizes;
	unsigned n;
	unsigned statement; /* the how manieth of those with rows, from 0 */
};

/* Runs statements with `;` between; `each` gets their rows, and stops with -1
 * (its error set). -1 sets err and `trouble`; a lost link is closed. */
int link_run(struct link *, const char *sql, size_t size,
	int (*each)(const struct link_row *, void *arg), void *arg);
int link_exec(struct link *, const char *sql);

/* Runs what was written to a memory_stream of this text, and frees it. */
int link_run_stream(struct link *, FILE *stream, char **text, size_t *size,
	int (*each)(const struct link_row *, void *arg), void *arg);

/* For `each`: the number that the first column holds, into an int64_t. */
int link_take_int(const struct link_row *, void *number);

/* Ends a transaction there, if the server is still there; err and `trouble` stay
 * what they are. */
void link_rollback(struct link *);

/* 'text' or bytes, quoted for SQL. */
void link_quote(const struct link *, FILE *, const void *bytes, size_t size);
void link_quote_text(const struct link *, FILE *, const char *text);

int64_t link_int(const struct link_row *, unsigned column);

#endif
