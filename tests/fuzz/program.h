/*
 * Whole programs as fuzz targets: a target includes the program's main file
 * under another name and calls it for every input, on a copy of a small store.
 * What would end the process ends that call. FUZZ_BASE names the folder with
 * the store (acct.db) and slurm.conf, which tests/fuzz/base makes; the linker is
 * asked to hand over the functions below (--wrap).
 */
#pragma once

#include <fcntl.h>
#include <getopt.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

static struct {
	jmp_buf end;
	bool inside;
	int status;
	sqlite3 *open[64]; /* connections that exit() would close */
	int n_open;
	char folder[256], store[300], input[300];
	char *base; /* the store as it is at first */
	size_t base_size;
} fuzzed;

_Noreturn void __real_exit(int);
_Noreturn void __wrap_exit(int);
int __real_atexit(void (*)(void));
int __wrap_atexit(void (*)(void));
uid_t __wrap_getuid(void);
uid_t __wrap_geteuid(void);
int __real_sqlite3_open_v2(const char *, sqlite3 **, int, const char *);
int __wrap_sqlite3_open_v2(const char *, sqlite3 **, int, const char *);
int __real_sqlite3_close(sqlite3 *);
int __wrap_sqlite3_close(sqlite3 *);

_Noreturn void __wrap_exit(int status)
{
	if (!fuzzed.inside)
		__real_exit(status);
	fuzzed.status = status;
	longjmp(fuzzed.end, 1);
}

int __wrap_atexit(void (*function)(void))
{
	(void)function;
	return 0;
}

/* Whoever runs it is root to the programs, who may do everything. */
uid_t __wrap_getuid(void)
{
	return 0;
}

uid_t __wrap_geteuid(void)
{
	return 0;
}

int __wrap_sqlite3_open_v2(
	const char *path, sqlite3 **db, int flags, const char *vfs)
{
	int rc = __real_sqlite3_open_v2(path, db, flags, vfs);

	CHECK(fuzzed.n_open < 64);
	if (*db)
		fuzzed.open[fuzzed.n_open++] = *db;
	return rc;
}

int __wrap_sqlite3_close(sqlite3 *db)
{
	int rc = __real_sqlite3_close(db);

	for (int i = 0; rc == SQLITE_OK && i < fuzzed.n_open; i++)
		if (fuzzed.open[i] == db) {
			fuzzed.open[i] = fuzzed.open[--fuzzed.n_open];
			break;
		}
	return rc;
}

static void fuzz_close_all(void)
{
	while (fuzzed.n_open) {
		sqlite3 *db = fuzzed.open[--fuzzed.n_open];
		sqlite3_stmt *stmt;

		sqlite3_progress_handler(db, 0, NULL, NULL);
		while ((stmt = sqlite3_next_stmt(db, NULL)))
			sqlite3_finalize(stmt);
		__real_sqlite3_close(db);
	}
}

/* ---- files ---------------------------------------------------------------*/

static void fuzz_write(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	close(fd);
}

static void fuzz_read_base(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0 && !fstat(fd, &st));
	fuzzed.base_size = (size_t)st.st_size;
	fuzzed.base = malloc(fuzzed.base_size);
	CHECK(fuzzed.base && read(fd, fuzzed.base, fuzzed.base_size) ==
				     (ssize_t)fuzzed.base_size);
	close(fd);
}

static void fuzz_remove_folder(void)
{
	char command[400];

	snprintf(command, sizeof(command), "rm -rf '%s'", fuzzed.folder);
	if (system(command))
		perror(fuzzed.folder);
}

/* Once. */
static void fuzz_begin(void)
{
	const char *base = getenv("FUZZ_BASE"), *tmp = getenv("TMPDIR");
	char path[300];

	if (fuzzed.base)
		return;
	CHECK(base);
	snprintf(path, sizeof(path), "%s/acct.db", base);
	fuzz_read_base(path);
	snprintf(fuzzed.folder, sizeof(fuzzed.folder), "%s/fuzzed.XXXXXX",
		tmp ? tmp : "/tmp");
	CHECK(mkdtemp(fuzzed.folder));
	__real_atexit(fuzz_remove_folder);
	snprintf(fuzzed.store, sizeof(fuzzed.store), "%s/acct.db",
		fuzzed.folder);
	snprintf(fuzzed.input, sizeof(fuzzed.input), "%s/input",
		fuzzed.folder);
	snprintf(path, sizeof(path), "%s/slurm.conf", base);
	setenv("SLURM_CONF", path, 1);
	setenv("BURSAR_STORE", fuzzed.store, 1);
	setenv("TZ", "UTC", 1);
	/* What the programs print goes nowhere; what is found is told on 2. */
	stdout = fopen("/dev/null", "w");
	stderr = fopen("/dev/null", "w");
	CHECK(stdout && stderr && dup2(fileno(stdout), 1) == 1);
}

/* A store as at first. */
static void fuzz_fresh_store(void)
{
	char path[310];

	fuzz_begin();
	snprintf(path, sizeof(path), "%s-wal", fuzzed.store);
	unlink(path);
	snprintf(path, sizeof(path), "%s-shm", fuzzed.store);
	unlink(path);
	fuzz_write(fuzzed.store, fuzzed.base, fuzzed.base_size);
}

/* ---- the program ---------------------------------------------------------*/

/* Its exit status. */
static int fuzz_call(int (*program)(int, char **), int argc, char **argv)
{
	optind = 0;
	fuzzed.inside = true;
	if (!setjmp(fuzzed.end))
		fuzzed.status = program(argc, argv);
	fuzzed.inside = false;
	fuzz_close_all();
	return fuzzed.status;
}

/* Lines of the input as words behind those given; argv ends with NULL. The text
 * is cut up. */
static inline int fuzz_words(char **argv, int n, int most, char *text)
{
	char *line;

	while (text && n + 1 < most && (line = strsep(&text, "\n")))
		argv[n++] = line;
	argv[n] = NULL;
	return n;
}

static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}
