#include "db/file/reason.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const struct {
	int code;
	const char *words;
} reasons[] = {
	{SQLITE_OK, "for a reason that is not known"},
	{SQLITE_BUSY, "another program holds it: try again"},
	{SQLITE_LOCKED, "another program holds it: try again"},
	{SQLITE_PROTOCOL, "too many programs want it at once: try again"},
	{SQLITE_NOMEM, "there is not enough memory"},
	{SQLITE_FULL, "its disk is full, or a quota is used up: make room and "
		      "try again"},
	{SQLITE_IOERR, "the disk does not read or write it"},
	{SQLITE_CANTOPEN, "it cannot be opened"},
	{SQLITE_PERM, "you may not do that with it"},
	{SQLITE_READONLY, "it cannot be written"},
	{SQLITE_CORRUPT_VTAB, "the log of transactions is damaged: 'sacctmgr "
			      "check' says what is left"}, /* txnpack.c */
	{SQLITE_CORRUPT, "the file is damaged: 'sacctmgr check' says what is "
			 "left, 'sacctmgr restore FILE' puts a backup in its "
			 "place"},
	{SQLITE_NOTADB, "it is not a Bursar store"},
	{SQLITE_TOOBIG, "a value is too long"},
	{SQLITE_INTERRUPT, "it was interrupted"},
};

static const char *find_words(int rc)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].code == rc || reasons[i].code == (rc & 0xff))
			return reasons[i].words;
	return NULL;
}

/* The table or column that a message of SQLite names at its end. */
static const char *named(sqlite3 *db)
{
	const char *space = db ? strrchr(sqlite3_errmsg(db), ' ') : NULL;

	return space ? space + 1 : "?";
}

/* A rule of the tables that no check before it has said in words: mostly the
 * store was not sound before. */
static int break_rule(struct err *err, sqlite3 *db, int rc, const char *doing)
{
	static const char end[] =
		"nothing was changed: 'sacctmgr check' looks for the reason";

	switch (rc) {
	case SQLITE_CONSTRAINT_FOREIGNKEY:
		return err_set(err, ERR_STORE,
			"%s: other records still refer to what would go, or to "
			"what is not there; %s",
			doing, end);
	case SQLITE_CONSTRAINT_UNIQUE:
	case SQLITE_CONSTRAINT_PRIMARYKEY:
	case SQLITE_CONSTRAINT_ROWID:
		return err_set(err, ERR_STORE,
			"%s: a record would exist twice (%s); %s", doing,
			named(db), end);
	case SQLITE_CONSTRAINT_NOTNULL:
		return err_set(err, ERR_STORE,
			"%s: a record would lack a value that it must have "
			"(%s); %s",
			doing, named(db), end);
	default:
		return err_set(err, ERR_STORE,
			"%s: a record would hold a value that it must not "
			"have (%s); %s",
			doing, named(db), end);
	}
}

/* The system's own reason says more. */
static const char *system_reason(sqlite3 *db, int rc)
{
	int kind = rc & 0xff, number = 0;

	if (db && (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN))
		number = sqlite3_system_errno(db);
	return number ? strerror(number) : find_words(rc);
}

int reason_set(struct err *err, sqlite3 *db, int rc, const char *fmt, ...)
{
	const char *reason = system_reason(db, rc);
	char doing[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	err_vprint(doing, sizeof(doing), fmt, ap);
	va_end(ap);
	if ((rc & 0xff) == SQLITE_CONSTRAINT)
		return break_rule(err, db, rc, doing);
	if (reason)
		return err_set(err, ERR_STORE, "%s: %s", doing, reason);
	return err_set(err, ERR_STORE,
		"%s: its tables are not those that Bursar makes (%s%scode %d): "
		"'sacctmgr check' looks for the reason",
		doing, db ? named(db) : "", db ? ", " : "", rc);
}
