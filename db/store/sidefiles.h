/*
 * The files beside the store: STORE-wal, the log of changes that are not in the
 * store's own file yet, and STORE-shm, the index of that log which the programs
 * of this machine share in memory. Who may read the store must be able to read
 * them, and memory is not shared between machines (man/bursar-store.5).
 */
#ifndef BURSAR_SIDEFILES_H
#define BURSAR_SIDEFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

/* Refuses what is no file, and a file system that several machines share; the
 * file need not be there, its folder then says. */
int sidefiles_check_place(const char *path, struct err *err);

/* Gives them the group and the permissions of the store where they differ:
 * chmod of the store alone would lock readers out. Does what it may. */
void sidefiles_follow(const char *path);

/*
 * For one who may read the store but not what is beside it, or where that is
 * missing and cannot be made: a copy of the store in a folder of its own, as of
 * the last committed change. Its path is allocated; give it to
 * sidefiles_remove_copy once the copy is open.
 */
int sidefiles_copy(const char *path, char **copy, struct err *err);
void sidefiles_remove_copy(char *copy);

/* The log was begun by one who was killed before anything was in it. SQLite
 * takes that for somebody who is writing right now, and one who may only read
 * would wait in vain. */
bool sidefiles_log_is_bare(const char *path);

/* The path of a copy that the caller makes, in such a folder; NULL: see err. */
char *sidefiles_name_copy(struct err *err);

/* Who keeps others from writing (or, `reading`, from reading): "sacctmgr
 * (process 4711 of ann)", or "another program" where that cannot be known. */
void sidefiles_holder(
	const char *path, bool reading, char *text, size_t size);

#endif
