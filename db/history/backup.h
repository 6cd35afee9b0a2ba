/*
 * Copies of the whole store: made while others read and write, and put back
 * (man/bursar-store.5). A backup is one file, with no log beside it.
 */
#ifndef BURSAR_DB_BACKUP_H
#define BURSAR_DB_BACKUP_H

#include "db/store/store.h"

/* Writes the store, as of the last committed change, to `path`, whole or not at
 * all (common/base/outfile.h). `once`: nothing may be there. */
int backup_write(struct store *, const char *path, bool once);

/* Is that file a sound store that this program can read, and not this one? With
 * the rights of the caller. */
int backup_check(const char *store_path, const char *path, struct err *err);

/* Keeps what is in the store in a file of its own beside it: *kept. */
int backup_keep(struct store *, struct arena *, const char **kept);

/* Replaces everything in the store by a checked file, in one transaction. The
 * earlier contents are kept in a file of their own: *kept. The caller must load
 * the store's catalogs again. */
int backup_restore(
	struct store *, const char *path, struct arena *, const char **kept);

/* What was there would be kept under this name if it were done now. */
const char *backup_kept(const struct store *, struct arena *);

/* A file that was checked, as a store of one's own: what would be in the place of
 * `store`. An older one is read as the migrated one it would become. */
int backup_look(
	struct store *backup, struct store *store, const char *path);

/* The same where the store is too damaged to be opened, or is not there: it is
 * renamed, and the file put in its place. Nothing may be using it. */
int backup_replace(const char *store_path, const char *path, int64_t now,
	struct arena *, const char **kept, struct err *err);

#endif
