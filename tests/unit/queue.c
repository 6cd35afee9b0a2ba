/* Who writes stands in line: served as they came, also when one is killed or
 * does not go on. */
#include "db/file/queue.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 12, KILLED = 3, LONG = 60000 };

static char path[64], line[80];

static int setup(void **state)
{
	int fd;

	snprintf(path, sizeof(path), "/tmp/queue.XXXXXX");
	fd = mkstemp(path);
	snprintf(line, sizeof(line), "%s-wal", path);
	return fd < 0 || close(fd) || rename(path, line);
}

static int teardown(void **state)
{
	return unlink(line);
}

/* How many others stand there, as one sees who has a file of its own open. */
static int count(int fd)
{
	int n = 0;

	for (int64_t at = INT64_C(1) << 60;; at++, n++) { /* in order */
		struct flock lock = {.l_type = F_WRLCK,
			.l_whence = SEEK_SET,
			.l_start = at};

		assert_int_equal(fcntl(fd, F_GETLK, &lock), 0);
		if (lock.l_type == F_UNLCK)
			return n;
		at = lock.l_start;
	}
}

/* Enters and says so; then says its number in the line, and leaves. */
static pid_t come(int number, int said)
{
	pid_t child = fork();

	if (!child) {
		int ms = LONG, place = queue_enter(path, &ms);
		char byte = (char)('a' + number);

		if (!place || ms == 0 || write(said, &byte, 1) != 1)
			_exit(1);
		queue_leave(place);
		_exit(0);
	}
	return child;
}

static void served_as_they_came(void **state)
{
	char order[CHILDREN + 1] = "";
	pid_t children[CHILDREN];
	int said[2], ms = LONG, place = queue_enter(path, &ms), status;

	assert_true(place);
	assert_int_equal(ms, LONG);
	assert_int_equal(pipe(said), 0);
	for (int i = 0; i < CHILDREN; i++) {
		children[i] = come(i, said[1]);
		while (count(place) <= i)
			usleep(1000);
	}
	kill(children[KILLED], SIGKILL);
	waitpid(children[KILLED], &status, 0);
	queue_leave(place);
	for (int i = 0; i < CHILDREN - 1; i++)
		assert_int_equal(read(said[0], order + i, 1), 1);
	assert_string_equal(order, "abcefghijkl");
	for (int i = 0; i < CHILDREN; i++)
		if (i != KILLED) {
			waitpid(children[i], &status, 0);
			assert_int_equal(status, 0);
		}
	close(said[0]);
	close(said[1]);
}

/* Who stays for a while; the others may wait for less than all of them take. */
static void only_time_without_progress_counts(void **state)
{
	enum { STAY_MS = 40, ALLOWED_MS = 120, MANY = 8 };
	int ms = LONG, place = queue_enter(path, &ms), status;
	pid_t children[MANY];

	for (int i = 0; i < MANY; i++) {
		children[i] = fork();
		if (!children[i]) {
			int left = ALLOWED_MS;

			if (!queue_enter(path, &left) || left == 0)
				_exit(1);
			usleep(STAY_MS * 1000);
			_exit(0);
		}
	}
	queue_leave(place);
	for (int i = 0; i < MANY; i++) {
		waitpid(children[i], &status, 0);
		assert_int_equal(status, 0);
	}
}

static void nobody_waits_longer_than_promised(void **state)
{
	int ms = LONG, place = queue_enter(path, &ms), status;
	pid_t child;

	child = fork();
	if (!child) {
		int left = 30;

		_exit(queue_enter_alone(path) || !queue_enter(path, &left) ||
			left != 0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	queue_leave(place);
	place = queue_enter_alone(path);
	assert_true(place);
	queue_leave(place);
}

static void without_the_file_there_is_no_line(void **state)
{
	int ms = LONG;

	assert_int_equal(queue_enter("/nowhere/acct.db", &ms), 0);
	assert_int_equal(queue_enter_alone("/nowhere/acct.db"), 0);
	assert_int_equal(ms, LONG);
	queue_leave(0);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(
		served_as_they_came, setup, teardown),
	cmocka_unit_test_setup_teardown(
		only_time_without_progress_counts, setup, teardown),
	cmocka_unit_test_setup_teardown(
		nobody_waits_longer_than_promised, setup, teardown),
	cmocka_unit_test(without_the_file_there_is_no_line))
