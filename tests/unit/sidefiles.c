/* The files beside the store: where it may lie, who holds it, copies of it. */
#include "db/file/sidefiles.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

/* The file system that statfs() tells of. In front of libc's. */
static long system_magic;

int statfs(const char *path, struct statfs *fs)
{
	*fs = (struct statfs){.f_type = system_magic};
	return 0;
}

static void shared_file_systems_are_refused_by_name(void **state)
{
	static const struct {
		long magic;
		const char *name;
	} systems[] = {{0x6969, "NFS"}, {(int)0xff534d42, "CIFS"},
		{0x0bd00bd0, "Lustre"}};
	struct err err;

	for (size_t i = 0; i < 3; i++) {
		char words[32];

		system_magic = systems[i].magic;
		assert_int_equal(sidefiles_check_place("/x/a.db", &err), -1);
		snprintf(words, sizeof(words), "/x/a.db lies on %s:",
			systems[i].name);
		assert_non_null(strstr(err.text, words));
	}
	system_magic = 0xef53; /* ext4 */
	assert_int_equal(sidefiles_check_place("/x/a.db", &err), 0);
}

static void no_store_is_made_on_nfs(void **state)
{
	struct err err;
	struct store store;
	char path[STORE_FILE_SIZE];
	struct store_options options = {.path = path, .cluster = "t"};

	store_file_make(path);
	system_magic = 0x6969;
	assert_int_equal(store_open(&store, &options, &err), -1);
	system_magic = 0;
	assert_non_null(strstr(err.text, "lies on NFS"));
	assert_int_equal(access(path, F_OK), -1);
	store_file_remove(path);
}

/* Another process that runs `sql` on the store and keeps what it has locked
 * until it is killed. */
static pid_t hold(const char *path, const char *sql)
{
	int ready[2];
	pid_t child;
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (!child) {
		sqlite3 *db;

		if (sqlite3_open(path, &db) ||
			sqlite3_busy_timeout(db, 10000) ||
			sqlite3_exec(db, sql, NULL, NULL, NULL))
			_exit(1);
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return child;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void holder_is_named(
	const struct store_fixture *t, pid_t child, const char *words)
{
	char process[64];

	assert_non_null(strstr(t->err.text, words));
	snprintf(process, sizeof(process), "sidefiles (process %d of ", child);
	assert_non_null(strstr(t->err.text, process));
}

static void who_writes_is_named_to_one_who_wants_to_write(void **state)
{
	struct store_fixture t;
	struct query q;
	pid_t child;

	store_fixture_open(&t, 1000);
	child = hold(t.path, "BEGIN IMMEDIATE");
	sqlite3_busy_timeout(t.store.db, 0);
	assert_int_equal(store_begin_bulk(&t.store), -1);
	holder_is_named(&t, child, "could not be written");
	holder_is_named(&t, child, ") is writing");
	/* A reader is not concerned. */
	ok(&t, query_open(&q, &t.store, "SELECT count(*) FROM qos"));
	assert_true(query_row(&q));
	ok(&t, query_close(&q));
	end(child);
	ok(&t, store_begin_bulk(&t.store));
	store_rollback(&t.store);
	store_fixture_close(&t);
}

static void who_holds_it_is_named_to_one_who_wants_to_read(void **state)
{
	struct store_fixture t;
	struct query q;
	pid_t child;
	int row;

	store_fixture_open(&t, 1000);
	sqlite3_exec(t.store.db, "PRAGMA journal_mode = delete", NULL, NULL,
		NULL);
	child = hold(t.path, "BEGIN EXCLUSIVE");
	sqlite3_busy_timeout(t.store.db, 0);
	row = query_open(&q, &t.store, "SELECT max(id) FROM txn");
	if (!row) {
		assert_false(query_row(&q));
		row = query_close(&q);
	}
	assert_int_equal(row, -1);
	holder_is_named(&t, child, "could not be read");
	holder_is_named(&t, child, ") holds it");
	end(child);
	store_fixture_close(&t);
}

static void follow_takes_the_permissions_of_the_store(void **state)
{
	struct store_fixture t;
	char side[STORE_FILE_SIZE + 8];
	struct stat st;

	store_fixture_open(&t, 1000);
	assert_int_equal(chmod(t.path, 0664), 0);
	sidefiles_follow(t.path);
	for (int i = 0; i < 2; i++) {
		snprintf(side, sizeof(side), "%s%s", t.path,
			i ? "-wal" : "-shm");
		assert_int_equal(stat(side, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0664);
	}
	store_fixture_close(&t);
}

/* In another process: can the write lock be had? */
static bool can_write(const char *path)
{
	int status;
	pid_t child = fork();

	if (!child) {
		sqlite3 *db;

		_exit(sqlite3_open(path, &db) ||
			sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
	}
	waitpid(child, &status, 0);
	return !status;
}

static void follow_keeps_the_locks(void **state)
{
	struct store_fixture t;

	store_fixture_open(&t, 1000);
	ok(&t, store_begin_bulk(&t.store));
	assert_int_equal(chmod(t.path, 0664), 0);
	sidefiles_follow(t.path);
	assert_false(can_write(t.path));
	ok(&t, store_commit_bulk(&t.store));
	assert_true(can_write(t.path));
	store_fixture_close(&t);
}

static void a_copy_has_what_is_committed(void **state)
{
	struct store_fixture t;
	char *copy;
	sqlite3 *db;
	sqlite3_stmt *stmt;

	store_fixture_open(&t, 1000);
	ok(&t, store_begin_bulk(&t.store));
	ok(&t, store_exec(&t.store, "UPDATE qos SET priority = 77"));
	ok(&t, store_commit_bulk(&t.store)); /* in the log alone */
	ok(&t, store_begin_bulk(&t.store));
	ok(&t, store_exec(&t.store, "UPDATE qos SET priority = 78"));
	ok(&t, sidefiles_copy(t.path, &copy, &t.err));
	assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT priority FROM qos", -1,
				 &stmt, NULL),
		SQLITE_OK);
	sidefiles_remove_copy(copy);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 77);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	store_rollback(&t.store);
	store_fixture_close(&t);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(shared_file_systems_are_refused_by_name),
	cmocka_unit_test(no_store_is_made_on_nfs),
	cmocka_unit_test(who_writes_is_named_to_one_who_wants_to_write),
	cmocka_unit_test(
		who_holds_it_is_named_to_one_who_wants_to_read),
	cmocka_unit_test(follow_takes_the_permissions_of_the_store),
	cmocka_unit_test(follow_keeps_the_locks),
	cmocka_unit_test(a_copy_has_what_is_committed))
