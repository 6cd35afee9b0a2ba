/*
 * A replica is replaced between two steps of a program that opens it: when its
 * file is open, and nothing was read yet. What is read must not be of two files,
 * and nobody is refused for it.
 */
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <sqlite3.h>

#include "db/shared/shared_parts.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { OLD = 1, NEW = 2 }; /* positions */

static char path[STORE_FILE_SIZE], other[80], aside[80], locked[80];
static struct arena arena;
static struct err err;
static void (*meanwhile)(void); /* once, when a file was opened */
static pid_t child;

static void rename_parts(const char *from, const char *to)
{
	static const char *const ends[] = {"", "-wal", "-shm"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char a[96], b[96];

		snprintf(a, sizeof(a), "%s%s", from, ends[i]);
		snprintf(b, sizeof(b), "%s%s", to, ends[i]);
		rename(a, b);
	}
}

static int opened(sqlite3 *db, char **text, const void *api)
{
	void (*run)(void) = meanwhile;

	(void)db, (void)text, (void)api;
	meanwhile = NULL;
	if (run)
		run();
	return SQLITE_OK;
}

static void make_replica(const char *at, int64_t position)
{
	const struct store_options options = {.path = at,
		.cluster = "t",
		.default_qos = "normal",
		.actor = "test",
		.mode = STORE_CREATE,
		.fill = initial_fill};
	struct store store;

	if (store_open(&store, &options, &err))
		fail_msg("%s", err.text);
	assert_int_equal(
		store_run(&store,
			"INSERT INTO replica (one, site, position, checksum)"
			" VALUES (1, 'site', :position, 0)",
			bind_int(":position", position)),
		0);
	store_close(&store);
}

static int setup(void **state)
{
	arena_init(&arena);
	store_file_make(path);
	strcpy(strrchr(path, '/'), "/replica.db");
	snprintf(other, sizeof(other), "%s.other", path);
	snprintf(aside, sizeof(aside), "%s.aside", path);
	snprintf(locked, sizeof(locked), "%s-lock", path);
	make_replica(path, OLD);
	make_replica(other, NEW);
	child = 0;
	return 0;
}

static int teardown(void **state)
{
	meanwhile = NULL;
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	rename_parts(aside, path);
	files_remove(path);
	files_remove(other);
	unlink(locked);
	store_file_remove(path);
	arena_release(&arena);
	return 0;
}

/* What the replica says once it is open. */
static int64_t position_of(void)
{
	struct conf_dbd dbd = {.path = "slurmdbd.conf"};
	struct store_options options = {
		.default_qos = "normal", .mode = STORE_READ};
	struct shared_log *log;
	struct store store;
	struct mark mark;

	assert_int_equal(
		shared_find(&log, &dbd, true, "t", &arena, &err), 0);
	log->path = path;
	if (shared_open_store(log, &store, &options, &err))
		fail_msg("%s", err.text);
	assert_int_equal(mark_read(&store, &mark), 0);
	store_close(&store);
	return mark.position;
}

static void replace(void)
{
	rename_parts(path, aside);
	rename_parts(other, path);
}

static void another_one_is_there_at_once(void **state)
{
	assert_int_equal(position_of(), OLD);
	meanwhile = replace;
	assert_int_equal(position_of(), NEW);
}

static bool somebody_waits(void)
{
	char line[256];
	bool found = false;
	FILE *f = fopen("/proc/locks", "re");

	while (f && !found && fgets(line, sizeof(line), f)) {
		char *pid = strstr(line, "WRITE ");

		found = strstr(line, "-> FLOCK") && pid &&
			atol(pid + 6) == (long)getppid();
	}
	if (f)
		fclose(f);
	return found;
}

/* As a program that makes it again, and takes its time. */
static void set_aside(void)
{
	int fd = open(locked, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_int_equal(flock(fd, LOCK_EX), 0);
	rename_parts(path, aside);
	child = fork();
	if (!child) {
		while (!somebody_waits())
			usleep(1000);
		rename_parts(other, path);
		_exit(0);
	}
	close(fd);
}

static void it_is_gone_until_another_one_is_made(void **state)
{
	meanwhile = set_aside;
	assert_int_equal(position_of(), NEW);
}

static int watch_opening(void **state)
{
	(void)state;
	return sqlite3_auto_extension((void (*)(void))opened);
}

RUN_TESTS(watch_opening, NULL,
	cmocka_unit_test_setup_teardown(
		another_one_is_there_at_once, setup, teardown),
	cmocka_unit_test_setup_teardown(
		it_is_gone_until_another_one_is_made, setup, teardown))
