/*
 * Copies of the whole store: made while others read and write, and put back
 * (man/bursar-store.5). A backup is one file, with no write-ahead log beside
 * it. Functions that return int: 0, or -1 with err (store->err) set.
 */
#pragma once

#include "db/store/store.h"

/* Writes the store, as of the last committed change, to `path`, whole or not at
 * all (common/base/outfile.h). `once`: an existing file is an error, else it is
 * replaced. */
int backup_write(struct store *, const char *path, bool once);

/* Checks that the file is a sound store that this program can read, and not the
 * store itself. Opened with the rights of the caller. */
int backup_check(const char *store_path, const char *path, struct err *err);

/* Writes the store to a new file beside it; *kept: its path, in the arena. */
int backup_keep(struct store *, struct arena *, const char **kept);

/* Replaces everything in the store by the file, which backup_check must have
 * passed, in one transaction. The earlier contents are kept first
 * (backup_keep). The caller must load the store's catalogs again. */
int backup_restore(
	struct store *, const char *path, struct arena *, const char **kept);

/* The path that backup_keep would write to now, in the arena. */
const char *backup_kept(const struct store *, struct arena *);

/* Opens a checked file as a private store (lease_open_private), to see what a
 * restore would put in the place of `store`. A file of an older version is read
 * as the migrated one it would become. */
struct policy;
int backup_look(struct store *backup, struct store *store,
	const struct policy *, const char *path);

/* Restores where the store is too damaged to be opened, or is not there:
 * renames the store's files (*kept: to what, NULL without a store) and puts the
 * file in their place. `now`: epoch seconds, for the name. No program may be
 * using the store. */
int backup_replace(const char *store_path, const char *path, int64_t now,
	struct arena *, const char **kept, struct err *err);
