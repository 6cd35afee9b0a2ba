/*
 * The files of a store as SQLite opens them: a thin layer over its own (a VFS).
 *
 * In programs installed with rights of their own (common/base/privilege.h) the
 * site's store, its journal and what else belongs to it are opened, looked for
 * and removed with those rights; any other database is opened with the rights of
 * the caller. A new store gets its mode here: 0640 and the group of its folder,
 * or 0660 where the folder is made for a group that shares it (set-group-ID and
 * writable by the group).
 */
#pragma once

#include <stdbool.h>

struct sqlite3;
struct stat;

/* As sqlite3_open_v2. `own`: this is the site's store. `overlay`: what is
 * written stays in memory (db/file/overlay.h). */
int store_files_open(const char *path, struct sqlite3 **db, int flags, bool own,
	bool overlay);

/* Facts about the site's store, with the program's own rights. As access() with
 * the effective ids, and stat(): 0, or -1 with errno. */
int store_files_access(const char *path, int mode);
int store_files_stat(const char *path, struct stat *);
