/*
 * `--dry-run`: what a change would do, on pages in memory over the store.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"

/* Every plan is run, told of and rolled back; every question is answered. */
extern const struct session_hooks dry_run_hooks;

/* The session's open store is laid over, until dry_run_close. -1 with
 * session->err. */
int dry_run_open(struct session *);
void dry_run_close(struct session *);

/* A dry run of a command that has no plan: calls `work` on the private store and
 * shows what it changed. */
int dry_run_around(
	struct session *, int (*work)(struct session *, void *), void *arg);

/* Another store would take the place of the session's. */
int dry_run_beside(
	struct session *, struct store *other, const char *report);

/* A file that is written outside of a dry run. */
void dry_run_file(struct session *, const char *path);

/* Not for this verb: complains, -1. */
int dry_run_refuse(struct session *, const char *verb);
