/*
 * A store of 0.1.0, from before usage was a fold of facts, which the first program
 * that writes it converts: by half it must never be.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/torture/torture.h"
#include "tests/unit/older_store.h"

/* Twenty users who ran jobs for three months; some have used what no record is
 * left of, one was reset. */
static const char rows[] =
	"INSERT INTO cluster (id, name, created, modified)"
	" VALUES (1, 'canis', 5, 5);"
	"INSERT INTO tres (id, type, name, created) VALUES (1, 'cpu', '', 5),"
	" (2, 'mem', '', 5), (3, 'energy', '', 5), (4, 'node', '', 5),"
	" (5, 'billing', '', 5);"
	"INSERT INTO qos (id, name, description, created, modified)"
	" VALUES (1, 'normal', '', 5, 5);"
	"INSERT INTO account (name, description, organization, created,"
	"  modified)"
	" VALUES ('root', '', '', 5, 5), ('lab', 'lab', 'lab', 5, 5);"
	"INSERT INTO user (name, admin_level, created, modified)"
	" VALUES ('root', 3, 5, 5);"
	"INSERT INTO assoc (key, cluster, id, parent, account, user, lineage,"
	"  created, modified) VALUES (1, 1, 1, NULL, 'root', '', '/', 5, 5),"
	" (2, 1, 2, 1, 'root', 'root', '/0-root/', 5, 5),"
	" (3, 1, 3, 1, 'lab', '', '/lab/', 5, 5);"
	"INSERT INTO assoc_qos VALUES (1, 1, '=', 0);"
	"CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS"
	" (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
	" SELECT i, 4 + i % 20 AS assoc, 'u' || (i % 20) AS user FROM n;"
	"INSERT INTO user (name, admin_level, created, modified)"
	" SELECT DISTINCT user, 1, 5, 5 FROM n;"
	"INSERT INTO assoc (key, cluster, id, parent, account, user, lineage,"
	"  is_default, created, modified) SELECT DISTINCT assoc, 1, assoc, 3,"
	"  'lab', user, '/lab/0-' || user || '/', 1, 5, 5 FROM n;"
	"INSERT INTO job (cluster, id, submit, user, account, assoc, qos,"
	"  start, end, state, billing, tres_alloc, modified)"
	" SELECT 1, i, 1772000000 + i * 13000, user, 'lab', assoc, 1,"
	"  1772000000 + i * 13000, 1772000000 + i * 13000 + i * 77, 3, 2,"
	"  '1=2,4=1,5=2', 5 FROM n;"
	"INSERT INTO decay VALUES (0, 604800);"
	"INSERT INTO assoc_usage SELECT DISTINCT assoc, t.id,"
	"  assoc * 12345.678, 1779000000 FROM n, tres t"
	"  WHERE t.id IN (1, 5) AND assoc > 4"
	" UNION ALL SELECT DISTINCT assoc, 0, assoc * 12345.678, 1779000000"
	"  FROM n WHERE assoc > 4;"
	"INSERT INTO assoc_usage_reset VALUES (4, 0, 1779900000, 0, 0);"
	"INSERT INTO qos_usage VALUES (1, 1, 0, 123456.7, 1779000000);";

static void run_sql(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK)
		return;
	fprintf(stderr, "torture: the older store: %s\n", why);
	exit(2);
}

static void make_store(const char *path)
{
	sqlite3 *db = older_store(path);

	run_sql(db, "BEGIN");
	run_sql(db, rows);
	run_sql(db, "COMMIT");
	sqlite3_close(db);
}

static void in_folder(const struct place *place, const char *format)
{
	char command[4 * TEXT];

	snprintf(command, sizeof(command), "cd '%s' && %s", place->dir, format);
	if (system(command))
		exit(2);
}

#define AT "BURSAR_NOW=1780000000 "

/* Prints what everybody has used; the same whoever converts it, for himself or for
 * all. */
static bool is_shown(const struct place *place)
{
	char command[3 * TEXT];

	if (run(place, AT "sshare -anP -o account,user,rawusage,grptresraw", 0))
		return false;
	snprintf(command, sizeof(command),
		"[ ! -e '%s/older.right' ] || cmp -s '%s.out' '%s/older.right'",
		place->dir, place->dir, place->dir);
	return !system(command);
}

void make_older(const struct place *base)
{
	struct place older = *base;
	char path[TEXT];

	snprintf(older.store, sizeof(older.store), "%s/older.db", base->dir);
	make_store(older.store);
	in_folder(base, "cp older.db older.kept");
	if (!is_shown(&older)) {
		fprintf(stderr, "torture: the older store is not read\n");
		exit(2);
	}
	snprintf(path, sizeof(path), "cp '%s.out' older.right", base->dir);
	in_folder(base, path);
}

void prepare_older(const struct place *place, int round)
{
	(void)round;
	in_folder(place, "rm -f older.db-* && cp older.kept older.db");
}

static int version_of(const struct place *place)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db;
	int keep = 1, version = -1;

	if (sqlite3_open_v2(place->store, &db, SQLITE_OPEN_READWRITE, NULL) ==
		SQLITE_OK) {
		sqlite3_file_control(
			db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
		if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &stmt,
			    NULL) == SQLITE_OK &&
			sqlite3_step(stmt) == SQLITE_ROW)
			version = sqlite3_column_int(stmt, 0);
		sqlite3_finalize(stmt);
	}
	sqlite3_close(db);
	return version;
}

/* What is not converted is as it was, and is converted by the next. */
int look_at_older(const struct place *place, int round)
{
	const int version = version_of(place);

	(void)round;
	if (version < OLDER_VERSION || !is_shown(place))
		return -1;
	if (version > OLDER_VERSION)
		return 1;
	return run(place, AT "sacctmgr ping", 0) || !is_shown(place) ||
			       version_of(place) == OLDER_VERSION
		       ? -1
		       : 0;
}
