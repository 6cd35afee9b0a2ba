/*
 * The files beside the store: STORE-wal, the log of changes that are not in the
 * store's own file yet, and STORE-shm, the index of that log in memory shared
 * by the programs of this machine. Readers of the store must be able to read
 * both, and machines do not share memory (man/bursar-store.5).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

/* Refuses anything but a regular file, and network file systems; for a file
 * that does not exist yet its folder is looked at. */
int sidefiles_check_place(const char *path, struct err *err);

/* Gives them the group and the permissions of the store where they differ:
 * chmod of the store alone would lock readers out. Does what it may. */
void sidefiles_follow(const char *path);

/*
 * For a caller who may read the store but not the files beside it, or when
 * these are missing and cannot be created: a copy of the store in a folder of
 * its own, as of the last committed change. Its path is allocated; give it to
 * sidefiles_remove_copy once the copy is open.
 */
int sidefiles_copy(const char *path, char **copy, struct err *err);
void sidefiles_remove_copy(char *copy);

/* True when a process was killed after it began the log and before anything was
 * in it. SQLite takes that for a writer at work, and a process that may only
 * read would wait in vain. */
bool sidefiles_wal_is_bare(const char *path);

/* Are both there, and is the log not bare? */
bool sidefiles_wal_is_there(const char *path);

/* The path for a copy that the caller makes, in such a folder; NULL with err
 * set. */
char *sidefiles_name_copy(struct err *err);

/* Who keeps others from writing (or, `reading`, from reading): "sacctmgr
 * (process 4711 of ann)", or "another program" where that cannot be known. */
void sidefiles_holder(
	const char *path, bool reading, char *text, size_t size);
