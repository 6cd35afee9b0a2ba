/*
 * from=mysql: what its two parts share. Queries stay in this folder: they are
 * another program's tables, not the store's.
 */
#pragma once

#include "cmd/srecord/sync/sync.h"
#include "db/shared/driver.h"

struct from_mysql {
	MYSQL *db;
	const char *host, *user, *database; /* for messages */
	struct strv columns; /* "real_job_table.account" of all tables */
	struct strv tres;    /* by id: "cpu", "gres/gpu"; "" where none */
	struct strv qos;     /* by id: names */
};

/* Sends it and reads all rows into memory. NULL with s->err, which names the
 * host. */
MYSQL_RES *mysql_ask(struct sync *, const char *sql);

/* The halves of mysql_ask: what is done between them is done while the server works.
 * Each that is sent is answered before the next. */
int mysql_send(struct sync *, const char *sql);
MYSQL_RES *mysql_answer(struct sync *);

/* "real_job_table" has "container" */
bool mysql_has(struct sync *, const char *table, const char *column);

/* A column of slurm_acct_db as the text sacctmgr shows; NULL is "". */
const char *mysql_value(
	struct sync *, enum sync_type, const char *text, struct arena *);

int sync_mysql_jobs(struct sync *, int64_t since);
