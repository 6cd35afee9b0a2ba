#include "db/archive/backup.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/notice.h"
#include "common/base/outfile.h"
#include "db/entity/lease.h"
#include "db/file/pages.h"
#include "db/store/query.h"
#include "db/file/reason.h"

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* ---- out -----------------------------------------------------------------*/

/* The file of its own needs no log: bytes 18 and 19 say so. */
static int stand_alone(struct outfile *out, struct err *err)
{
	if (pwrite(fileno(out->file), "\1\1", 2, 18) == 2)
		return 0;
	return err_set(err, ERR_SYSTEM, "cannot write %s: %s", out->name,
		strerror(errno));
}

/* SQLite has files beside the copy while it looks into it. */
static int write_copy(sqlite3 *from, const char *path, struct err *err)
{
	char wal[PATH_MAX], shm[PATH_MAX];
	int rc;

	snprintf(wal, sizeof(wal), "%s-wal", path);
	snprintf(shm, sizeof(shm), "%s-shm", path);
	outfile_doom(wal);
	outfile_doom(shm);
	rc = pages_write(path, from, true);
	outfile_spare(wal);
	outfile_spare(shm);
	return rc == SQLITE_OK ? 0 : reason_set(err, NULL, rc, "%s", path);
}

static int write_to(sqlite3 *from, const char *path, bool once, struct err *err)
{
	struct outfile out;
	struct stat st;
	bool there = !stat(path, &st);

	if (there && !S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE,
			"%s is not a regular file: a backup is one", path);
	if (outfile_open(&out, path,
		    once || !there ? OUTFILE_NEW : OUTFILE_REPLACE, err))
		return -1;
	if (!write_copy(from, out.beside, err) && !stand_alone(&out, err))
		return outfile_close(&out, err);
	outfile_discard(&out);
	return -1;
}

int backup_write(struct store *store, const char *path, bool once)
{
	if (is_same_file(store->path, path))
		return err_set(store->err, ERR_USAGE, "%s is the store itself",
			path);
	return write_to(store->db, path, once, store->err);
}

/* ---- in ------------------------------------------------------------------*/

static int open_backup(const char *path, sqlite3 **db, struct err *err)
{
	struct stat st;
	int rc;

	*db = NULL;
	if (stat(path, &st) || access(path, R_OK))
		return err_set(err, ERR_SYSTEM, "%s cannot be read: %s", path,
			strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_STORE, "%s: not a regular file", path);
	rc = sqlite3_open_v2(path, db,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK) {
		pages_show_wait(*db);
		return 0;
	}
	reason_set(err, *db, rc, "%s", path);
	sqlite3_close(*db);
	return -1;
}

enum { ANSWER = 256 };

/* The first column of the first row, "" without one; -1: SQLite cannot say. */
static int ask(sqlite3 *db, const char *path, const char *sql,
	char text[ANSWER], struct err *err)
{
	sqlite3_stmt *stmt = NULL;
	const unsigned char *found;
	int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

	*text = '\0';
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW) {
		found = sqlite3_column_text(stmt, 0);
		if (found)
			snprintf(text, ANSWER, "%s", (const char *)found);
		else
			rc = sqlite3_errcode(db); /* NULL, or no memory */
	}
	if (rc == SQLITE_CORRUPT)
		err_set(err, ERR_STORE, "%s is damaged", path);
	else if (rc == SQLITE_NOTADB)
		err_set(err, ERR_STORE, "%s is not a Bursar store", path);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		reason_set(err, db, rc, "%s", path);
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

static int look_through(sqlite3 *db, const char *path, struct err *err)
{
	char text[ANSWER];

	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	if (ask(db, path, "PRAGMA application_id", text, err))
		return -1;
	if (strcmp(text, STORE_APPLICATION_ID))
		return err_set(
			err, ERR_STORE, "%s is not a Bursar store", path);
	if (ask(db, path, "PRAGMA user_version", text, err))
		return -1;
	if (strtol(text, NULL, 10) > store_schema_version())
		return err_set(err, ERR_STORE,
			"%s was written by a newer Bursar: use that version",
			path);
	if (ask(db, path, REASON_DAMAGES(1), text, err))
		return -1;
	/* What SQLite says of a page for which there was no memory. */
	if (strstr(text, "error code=7"))
		return reason_set(err, NULL, SQLITE_NOMEM, "%s", path);
	if (*text)
		return err_set(err, ERR_STORE, "%s is damaged: %s", path, text);
	if (ask(db, path, "PRAGMA foreign_key_check", text, err))
		return -1;
	if (*text)
		return err_set(err, ERR_STORE,
			"%s is damaged: rows of %s refer to nothing", path,
			text);
	return 0;
}

int backup_check(const char *store_path, const char *path, struct err *err)
{
	sqlite3 *db;
	int status;

	if (is_same_file(store_path, path))
		return err_set(
			err, ERR_USAGE, "%s is the store itself", path);
	if (open_backup(path, &db, err))
		return -1;
	progress("looking through the backup", 0, 0);
	status = look_through(db, path, err);
	progress_end();
	sqlite3_close(db);
	return status;
}

static const char *name_kept(
	const char *store_path, int64_t now, struct arena *arena)
{
	time_t t = (time_t)now;
	char stamp[64], name[PATH_MAX];
	struct tm tm;

	localtime_r(&t, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	for (int i = 1; i < 1000; i++) {
		snprintf(name, sizeof(name), "%s.before-restore-%s%s%d",
			store_path, stamp, i > 1 ? "." : "", i);
		if (i == 1)
			name[strlen(name) - 1] = '\0';
		if (access(name, F_OK))
			break;
	}
	return arena_strdup(arena, name);
}

const char *backup_kept(const struct store *store, struct arena *arena)
{
	return name_kept(store->path, store->now, arena);
}

int backup_keep(struct store *store, struct arena *arena, const char **kept)
{
	*kept = backup_kept(store, arena);
	return backup_write(store, *kept, true);
}

int backup_look(struct store *backup, struct store *store,
	const struct policy *policy, const char *path)
{
	struct store from = *store;

	from.path = path;
	from.own = false;
	return lease_open_private(backup, &from, policy);
}

int backup_restore(struct store *store, const char *path, struct arena *arena,
	const char **kept)
{
	sqlite3 *from;
	int rc;

	if (store->read_only)
		return store_fail_write(store);
	*kept = backup_kept(store, arena);
	outfile_doom(*kept); /* until something is done */
	if (backup_write(store, *kept, true) ||
		open_backup(path, &from, store->err)) {
		outfile_spare(*kept);
		return -1;
	}
	rc = pages_copy(store->db, from);
	outfile_spare(*kept);
	sqlite3_close(from);
	if (rc != SQLITE_OK)
		return reason_set(store->err, store->db, rc,
			"%s cannot be put in the place of %s", path,
			store->path);
	return 0;
}

static int move_aside(const char *path, const char *to, struct err *err)
{
	static const char *const ends[] = {"-wal", "-shm", "-journal", ""};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char a[PATH_MAX], b[PATH_MAX];

		snprintf(a, sizeof(a), "%s%s", path, ends[i]);
		snprintf(b, sizeof(b), "%s%s", to, ends[i]);
		if (rename(a, b) && errno != ENOENT)
			return err_set(err, ERR_SYSTEM,
				"%s cannot be renamed: %s", a,
				strerror(errno));
	}
	return 0;
}

int backup_replace(const char *store_path, const char *path, int64_t now,
	struct arena *arena, const char **kept, struct err *err)
{
	sqlite3 *from;
	int status;

	*kept = NULL;
	if (open_backup(path, &from, err))
		return -1;
	if (!access(store_path, F_OK))
		*kept = name_kept(store_path, now, arena);
	status = *kept && move_aside(store_path, *kept, err)
			 ? -1
			 : write_to(from, store_path, true, err);
	sqlite3_close(from);
	return status;
}
