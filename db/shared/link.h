/*
 * The connection to the database that holds a log (man/bursar-hosts.7): a list
 * of hosts, of which the first that answers is used, and SQL as text.
 *
 * Functions that return int: 0, or -1 with link->err, `trouble` and `code` set.
 * No text of an error holds the password, which goes nowhere but to the server.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

struct st_mysql;

/* So long a transaction is kept on the server whose program says nothing. */
enum { LINK_IDLE_SECONDS = 15 };

struct link_host {
	const char *name; /* as in slurmdbd.conf */
	const char *host, *socket; /* one of them; the other is NULL */
	unsigned port;	   /* 0: the library's default */
	char why[200];	   /* it does not answer, "" if it does */
	char version[64];  /* of its server, "" before it answered */
	double ms;	   /* milliseconds until it answered */
};

/* What is needed to connect; NULL: not given. */
struct link_login {
	const char *user, *password, *database;
	const char *ca, *capath, *cert, *key, *cipher;
	const char *conf; /* the file that says all this, for errors */
};

/* What went wrong with the last statements. */
enum link_trouble {
	LINK_FINE,
	LINK_LOST,    /* the host does not answer any more: disconnected */
	LINK_AGAIN,   /* a deadlock, or another node was faster: rolled back */
	LINK_BUSY,    /* a lock that another holds was waited for too long */
	LINK_REFUSED, /* anything else */
};

struct link {
	struct link_login login;
	struct link_host *hosts;
	size_t n_hosts;
	size_t at; /* index of the host in use, or to be tried first */
	struct st_mysql *db; /* NULL: not connected */
	bool greeted;	     /* what the connection is set to is said */
	bool no_galera;	     /* its server knows nothing of clusters */
	enum link_trouble trouble;
	unsigned code; /* the server's error number; 0: none */
	bool no_host;  /* no host answered the last statements */
	bool full; /* the last host refused one more connection */
	int64_t patience; /* microseconds: waited until one is free */
	unsigned seconds; /* how long an answer of a new connection may take */
	int64_t said; /* stopwatch_usec() of the last statement */
	size_t packet; /* most bytes of one packet (max_allowed_packet) */
	struct err *err;
};

/* Sets link->hosts, in the arena, from a list such as
 * "db1,db2:3307,/run/mysqld.sock"; `port`: of hosts without one. -1 with err
 * when a word is not a host. */
int link_read_hosts(struct link *, const char *text, unsigned port,
	struct arena *, struct err *);

/* Disconnects, if connected. */
void link_close(struct link *);

/* Connects to that host alone, setting its `why`, `version` and `ms`: for
 * status reports. */
int link_try(struct link *, size_t host);

/* The database and the host in use, "bursar at db1"; valid until the next
 * call. */
const char *link_place(const struct link *);

/* Writes why no host answers, "db1: ...; db2: ...", to `text`, and returns
 * it. */
const char *link_reasons(const struct link *, char *text, size_t size);

/* A row of a result. */
struct link_row {
	char **v;	      /* text or bytes of each column; NULL for NULL */
	unsigned long *sizes; /* bytes of each */
	unsigned n;	      /* columns */
	unsigned statement;   /* index among the statements with rows */
};

/* Runs statements with `;` between them. Without a connection it tries the hosts,
 * from `at` on, until one answers the statements: another may have run them
 * before it failed, so they must do no harm when they are run twice. When every
 * server that answers has no connection free, it waits for one, at most
 * `patience`. `each`, or NULL, is called with every row of the results, which is
 * valid during the call; when it returns -1, with err set, further rows are passed
 * over and the result is -1. */
int link_run(struct link *, const char *sql, size_t size,
	int (*each)(const struct link_row *, void *arg), void *arg);

/* link_run of a text that is printed, 400 bytes at most. */
int link_ask(struct link *, int (*each)(const struct link_row *, void *arg),
	void *arg, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* link_run of a text, without rows. */
int link_exec(struct link *, const char *sql);

/* link_run of the SQL written to a memory_stream: closes the stream and frees
 * the text. */
int link_run_stream(struct link *, FILE *stream, char **text, size_t *size,
	int (*each)(const struct link_row *, void *arg), void *arg);

/* An `each` of link_run: stores the number in the first column in *number, an
 * int64_t. */
int link_take_int(const struct link_row *, void *number);

/* For a program that works on something else while a transaction is open: now
 * and then says that it still does. */
void link_keep(struct link *);

/* Rolls back the transaction on the server, if connected. err, `trouble` and
 * `code` stay as they are. */
void link_rollback(struct link *);

/* Writes bytes or text to a stream of SQL, quoted. */
void link_quote(const struct link *, FILE *, const void *bytes, size_t size);
void link_quote_text(const struct link *, FILE *, const char *text);

/* The number in a column, from 0; 0 for NULL. */
int64_t link_int(const struct link_row *, unsigned column);
