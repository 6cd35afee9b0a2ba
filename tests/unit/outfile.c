/* Files that are written whole or not at all. */
#include "common/base/outfile.h"
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

/* libc's, but where no memory is left for a stream. */
static bool no_streams;

FILE *fdopen(int fd, const char *mode)
{
	FILE *(*real)(int, const char *);

	if (no_streams) {
		errno = ENOMEM;
		return NULL;
	}
	*(void **)&real = dlsym(RTLD_NEXT, "fdopen");
	return real(fd, mode);
}

static int set_up(void **state)
{
	strcpy(folder, "/tmp/bursar-unit-XXXXXX");
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	if (chdir("/"))
		return -1;
	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = {"a", "b", "link"};
		char path[80];

		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder); /* nothing else was left */
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *out = fopen(name, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	chmod(name, mode);
}

static void file_holds(const char *name, const char *text)
{
	char held[64] = "";
	FILE *in = fopen(name, "r");

	assert_non_null(in);
	held[fread(held, 1, sizeof(held) - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(held, text);
}

static void the_file_before_stays_until_the_new_one_is_whole(void **state)
{
	struct outfile out;
	struct err err;
	struct stat st;

	write_file("a", "before\n", 0640);
	assert_int_equal(
		outfile_open(&out, "a", OUTFILE_REPLACE, &err), 0);
	fputs("after\n", out.file);
	fflush(out.file);
	file_holds("a", "before\n");
	assert_int_equal(outfile_close(&out, &err), 0);
	file_holds("a", "after\n");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void what_is_thrown_away_leaves_nothing(void **state)
{
	struct outfile out;
	struct err err;

	write_file("a", "before\n", 0644);
	assert_int_equal(
		outfile_open(&out, "a", OUTFILE_REPLACE, &err), 0);
	fputs("after\n", out.file);
	outfile_discard(&out);
	file_holds("a", "before\n");
	assert_int_equal(outfile_open(&out, "b", OUTFILE_NEW, &err), 0);
	outfile_discard(&out);
	assert_int_equal(access("b", F_OK), -1);
}

static void a_link_stays(void **state)
{
	struct outfile out;
	struct err err;
	struct stat st;

	write_file("a", "before\n", 0644);
	assert_int_equal(symlink("a", "link"), 0);
	assert_int_equal(
		outfile_open(&out, "link", OUTFILE_REPLACE, &err), 0);
	fputs("after\n", out.file);
	assert_int_equal(outfile_close(&out, &err), 0);
	file_holds("a", "after\n");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

/* As /dev/stdout is a link to a file that may have been removed. */
static void a_link_to_a_file_without_a_name_stays(void **state)
{
	struct outfile out;
	struct err err;
	char text[8] = "", path[40];
	FILE *gone = fopen("a", "w+");

	assert_non_null(gone);
	assert_int_equal(unlink("a"), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(gone));
	assert_int_equal(symlink(path, "link"), 0);
	assert_int_equal(outfile_open(&out, "link", OUTFILE_REPLACE, &err), 0);
	fputs("new", out.file);
	assert_int_equal(outfile_close(&out, &err), 0);
	assert_true(readlink("link", path, sizeof(path)) > 0);
	rewind(gone);
	assert_non_null(fgets(text, sizeof(text), gone));
	assert_string_equal(text, "new");
	fclose(gone);
	unlink("link");
}

static void a_full_disk_is_said_and_the_file_is_no_file_to_replace(void **state)
{
	struct outfile out;
	struct err err;

	assert_int_equal(
		outfile_open(&out, "/dev/full", OUTFILE_REPLACE, &err), 0);
	fputs("text\n", out.file);
	assert_int_equal(outfile_close(&out, &err), -1);
	assert_string_equal(err.text,
		"cannot write /dev/full: No space left on device");
	assert_int_equal(access("/dev/full", F_OK), 0);
}

static void a_new_file_takes_nobodys_place(void **state)
{
	struct outfile out;
	struct err err;
	struct stat st;

	assert_int_equal(outfile_open(&out, "b", OUTFILE_NEW, &err), 0);
	fputs("first\n", out.file);
	write_file("b", "meanwhile\n", 0644);
	assert_int_equal(outfile_close(&out, &err), -1);
	file_holds("b", "meanwhile\n");
	assert_int_equal(outfile_open(&out, "b", OUTFILE_NEW, &err), -1);
	assert_int_equal(errno, EEXIST);
	unlink("b");
	assert_int_equal(outfile_open(&out, "b", OUTFILE_NEW, &err), 0);
	assert_int_equal(outfile_close(&out, &err), 0);
	assert_int_equal(stat("b", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void what_was_published_can_be_written_on(void **state)
{
	struct outfile out;
	struct err err;

	assert_int_equal(
		outfile_open(&out, "a", OUTFILE_REPLACE, &err), 0);
	fputs("one\n", out.file);
	assert_int_equal(outfile_publish(&out, &err), 0);
	fputs("two\n", out.file);
	assert_int_equal(outfile_close(&out, &err), 0);
	file_holds("a", "one\ntwo\n");
	assert_int_equal(outfile_open(&out, "a", OUTFILE_APPEND, &err), 0);
	fputs("three\n", out.file);
	assert_int_equal(outfile_close(&out, &err), 0);
	file_holds("a", "one\ntwo\nthree\n");
}

/* The folder is empty but for what was there (tear_down). */
static void without_a_stream_nothing_is_left(void **state)
{
	struct outfile out;
	struct err err;
	int before = dup(0), after;

	close(before);
	write_file("a", "before\n", 0640);
	no_streams = true;
	assert_int_equal(outfile_open(&out, "a", OUTFILE_REPLACE, &err), -1);
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(outfile_open(&out, "b", OUTFILE_NEW, &err), -1);
	no_streams = false;
	file_holds("a", "before\n");
	after = dup(0);
	close(after);
	assert_int_equal(after, before); /* no descriptor either */
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

RUN_TESTS(NULL, NULL,
	CASE(the_file_before_stays_until_the_new_one_is_whole),
	CASE(what_is_thrown_away_leaves_nothing),
	CASE(a_link_stays),
	CASE(a_link_to_a_file_without_a_name_stays),
	CASE(a_full_disk_is_said_and_the_file_is_no_file_to_replace),
	CASE(a_new_file_takes_nobodys_place),
	CASE(what_was_published_can_be_written_on),
	CASE(without_a_stream_nothing_is_left))
