/*
 * Loaded in front of libc (LD_PRELOAD) by tests/torture: lets the N-th call of
 * a kind fail, counts calls, and writes down what goes to files, so that a
 * power cut after each of them can be played (power.c).
 *
 *   TORTURE_FAIL=io:N or alloc:N   the N-th call fails, as on a bad disk or
 *                                  where there is no memory
 *   TORTURE_FAIL=gone:N            ... and all after it, as on a disk that dies
 *   TORTURE_FAIL=full:N            the N-th write below TORTURE_ROOT and all after
 *                                  it find no room
 *   TORTURE_COUNT=FILE             how many calls there were: "IO ALLOC
 *                                  SYNC", and a line with how many of the first
 *                                  two there had been at each sync of a store's
 *                                  log
 *   TORTURE_TRACE=FILE             the calls on files below TORTURE_ROOT
 *   TORTURE_PID=N                  of this process alone: programs that it
 *                                  starts are left in peace
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/torture/trace.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

enum kind { IO, ALLOC, KINDS };

enum { MAX_SYNCS = 1000 };

static long calls[KINDS], fail_at[KINDS];
static long writes, full_at;
static bool gone;
static struct {
	long at[KINDS];
} syncs[MAX_SYNCS];
static int n_syncs;
static long all_syncs;
static const char *root;
static int trace_fd = -1;
static bool ready, foreign;

static bool is_meant(void)
{
	const char *pid = getenv("TORTURE_PID");

	return !pid || !*pid || strtol(pid, NULL, 10) == (long)getpid();
}

static bool fails(enum kind kind)
{
	if (!ready || foreign)
		return false;
	calls[kind]++;
	return calls[kind] == fail_at[kind] ||
	       (gone && kind == IO && calls[kind] > fail_at[kind]);
}

__attribute__((constructor)) static void begin(void)
{
	const char *fail = getenv("TORTURE_FAIL");
	const char *trace = getenv("TORTURE_TRACE");

	if (!is_meant())
		return;
	if (fail) {
		const char *call = strchr(fail, ':');

		*(*fail == 'f'	 ? &full_at
			: *fail == 'a' ? &fail_at[ALLOC]
				       : &fail_at[IO]) =
			call ? atol(call + 1) : 0;
		gone = *fail == 'g';
	}
	root = getenv("TORTURE_ROOT");
	if (trace && root)
		trace_fd = (int)syscall(SYS_openat, AT_FDCWD, trace,
			O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *count = getenv("TORTURE_COUNT");
	char text[64];
	int fd, n;

	ready = false;
	if (!count || !is_meant())
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, count,
		O_WRONLY | O_CREAT | O_TRUNC, 0600);
	n = snprintf(text, sizeof(text), "%ld %ld %ld\n", calls[IO], calls[ALLOC],
		all_syncs);
	syscall(SYS_write, fd, text, n);
	for (int i = 0; i < n_syncs; i++) {
		n = snprintf(text, sizeof(text), "%ld %ld\n", syncs[i].at[IO],
			syncs[i].at[ALLOC]);
		syscall(SYS_write, fd, text, n);
	}
	syscall(SYS_close, fd);
}

/* ---- names ---------------------------------------------------------------*/

/* Not ours to mend: glibc (2.36) crashes where there is no memory to read
 * nsswitch.conf into. */
#define LOOK_UP(type, function, argument)                                      \
	struct type *function(argument key)                                    \
	{                                                                      \
		struct type *(*real)(argument);                                \
		struct type *found;                                            \
									       \
		foreign = true;                                                \
		*(void **)&real = dlsym(RTLD_NEXT, #function);                 \
		found = real(key);                                             \
		foreign = false;                                               \
		return found;                                                  \
	}

LOOK_UP(passwd, getpwuid, uid_t)
LOOK_UP(passwd, getpwnam, const char *)
LOOK_UP(group, getgrgid, gid_t)
LOOK_UP(group, getgrnam, const char *)

/* ---- memory --------------------------------------------------------------*/

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size)
{
	return fails(ALLOC) ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(ALLOC) ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails(ALLOC) ? no_memory() : __libc_realloc(old, size);
}

/* ---- the trace -----------------------------------------------------------*/

/* The root and what is below it, and no memory that is shared. */
static bool is_below_root(const char *path)
{
	return root && !strncmp(path, root, strlen(root)) &&
	       (!path[strlen(root)] || path[strlen(root)] == '/');
}

static bool is_traced(const char *path)
{
	size_t len = strlen(path);

	return trace_fd >= 0 && is_below_root(path) &&
	       (len < 4 || strcmp(path + len - 4, "-shm") != 0);
}

static void put(enum trace_op op, const char *path, const char *other,
	off_t offset, const void *bytes, size_t n)
{
	struct trace_record r = {.op = op,
		.path = (uint32_t)strlen(path),
		.other = other ? (uint32_t)strlen(other) : 0,
		.offset = offset,
		.bytes = n};
	int why = errno;

	syscall(SYS_write, trace_fd, &r, sizeof(r));
	syscall(SYS_write, trace_fd, path, r.path);
	if (other)
		syscall(SYS_write, trace_fd, other, r.other);
	for (size_t done = 0; done < n;) {
		long put_now = syscall(SYS_write, trace_fd,
			(const char *)bytes + done, n - done);

		if (put_now <= 0)
			_exit(99);
		done += (size_t)put_now;
	}
	errno = why;
}

static bool name_of(int fd, char path[4096])
{
	char link[64];
	long n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4095);
	path[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static bool path_of(int fd, char path[4096])
{
	return trace_fd >= 0 && name_of(fd, path) && is_traced(path);
}

static bool write_fails(int fd)
{
	char path[4096];

	if (ready && !foreign && full_at && name_of(fd, path) &&
		is_below_root(path) && ++writes >= full_at)
		return true;
	return fails(IO);
}

/* What was written through stdio is not seen: all of it, as it is now. */
static void put_content(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
	off_t size = lseek(fd, 0, SEEK_END);
	char *bytes = __libc_malloc((size_t)size + 1);
	long n = syscall(SYS_pread64, fd, bytes, size, 0);

	put(TRACE_CONTENT, path, NULL, 0, bytes, n > 0 ? (size_t)n : 0);
	free(bytes);
	syscall(SYS_close, fd);
}

/* ---- files ---------------------------------------------------------------*/

static int fail_io(int why)
{
	errno = why;
	return -1;
}

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
	struct stat st;
	bool there;
	char full[4096];
	int fd;

	if (fails(IO))
		return fail_io(flags & O_CREAT ? ENOSPC : EIO);
	there = trace_fd < 0 || !fstatat(folder, path, &st, 0);
	fd = (int)syscall(SYS_openat, folder, path, flags, mode);
	if (fd < 0 || !path_of(fd, full))
		return fd;
	if (!there)
		put(TRACE_CREATE, full, NULL, 0, NULL, 0);
	else if (flags & O_TRUNC)
		put(TRACE_TRUNCATE, full, NULL, 0, NULL, 0);
	return fd;
}

#define OPEN(name, params, folder)                                             \
	int name params                                                        \
	{                                                                      \
		mode_t mode = 0;                                               \
		va_list ap;                                                    \
                                                                               \
		va_start(ap, flags);                                           \
		if (flags & (O_CREAT | O_TMPFILE))                             \
			mode = va_arg(ap, mode_t);                             \
		va_end(ap);                                                    \
		return open_at(folder, path, flags, mode);                     \
	}

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t offset)
{
	char path[4096];
	ssize_t done;

	if (write_fails(fd))
		return fail_io(ENOSPC);
	done = syscall(SYS_pwrite64, fd, bytes, n, offset);
	if (done > 0 && path_of(fd, path))
		put(TRACE_WRITE, path, NULL, offset, bytes, (size_t)done);
	return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
	return pwrite64(fd, bytes, n, offset);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	char path[4096];
	ssize_t done;
	off_t at;

	if (fd > 2 && write_fails(fd))
		return fail_io(ENOSPC);
	at = lseek(fd, 0, SEEK_CUR);
	done = syscall(SYS_write, fd, bytes, n);
	if (done > 0 && at >= 0 && path_of(fd, path))
		put(TRACE_WRITE, path, NULL, at, bytes, (size_t)done);
	return done;
}

ssize_t pread64(int fd, void *bytes, size_t n, off64_t offset)
{
	if (fails(IO))
		return fail_io(EIO);
	return syscall(SYS_pread64, fd, bytes, n, offset);
}

ssize_t pread(int fd, void *bytes, size_t n, off_t offset)
{
	return pread64(fd, bytes, n, offset);
}

int ftruncate64(int fd, off64_t size)
{
	char path[4096];
	int status;

	if (fails(IO))
		return fail_io(EIO);
	status = (int)syscall(SYS_ftruncate, fd, size);
	if (!status && path_of(fd, path))
		put(TRACE_TRUNCATE, path, NULL, size, NULL, 0);
	return status;
}

int ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

/* What was committed before it is on the disk now. */
static void note_sync(int fd)
{
	char path[4096];
	size_t len;

	if (n_syncs == MAX_SYNCS || !name_of(fd, path))
		return;
	len = strlen(path);
	if (len < 4 || strcmp(path + len - 4, "-wal") != 0)
		return;
	memcpy(syncs[n_syncs++].at, calls, sizeof(calls));
}

static int sync_fd(int fd, long call)
{
	char path[4096];
	struct stat st;
	int status;

	if (fails(IO))
		return fail_io(EIO);
	status = (int)syscall(call, fd);
	all_syncs++;
	if (!status)
		note_sync(fd);
	if (status || !path_of(fd, path) || fstat(fd, &st))
		return status;
	if (S_ISDIR(st.st_mode)) {
		put(TRACE_SYNC_FOLDER, path, NULL, 0, NULL, 0);
	} else {
		if (!strstr(path, ".db"))
			put_content(path);
		put(TRACE_SYNC, path, NULL, 0, NULL, 0);
	}
	return status;
}

int fsync(int fd)
{
	return sync_fd(fd, SYS_fsync);
}

int fdatasync(int fd)
{
	return sync_fd(fd, SYS_fdatasync);
}

/* Where the file lies, links and ".." gone. */
static const char *full_path(const char *path, char full[4096])
{
	char folder[4096], *slash, *found;

	if (strlen(path) >= sizeof(folder))
		return path;
	strcpy(folder, path);
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	found = realpath(slash ? folder : ".", NULL);
	if (!found)
		return path;
	snprintf(full, 4096, "%s/%s", found, slash ? slash + 1 : path);
	free(found);
	return full;
}

int unlink(const char *path)
{
	char full[4096];
	int status;

	if (fails(IO))
		return fail_io(EIO);
	status = (int)syscall(SYS_unlink, path);
	if (!status && trace_fd >= 0 && is_traced(full_path(path, full)))
		put(TRACE_UNLINK, full, NULL, 0, NULL, 0);
	return status;
}

static int rename_both(const char *from, const char *to, unsigned flags)
{
	char a[4096], b[4096];
	int status;

	if (fails(IO))
		return fail_io(EIO);
	status = (int)syscall(
		SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
	if (!status && trace_fd >= 0 && is_traced(full_path(from, a)))
		put(TRACE_RENAME, a, full_path(to, b), 0, NULL, 0);
	return status;
}

int rename(const char *from, const char *to)
{
	return rename_both(from, to, 0);
}

int renameat2(
	int a, const char *from, int b, const char *to, unsigned int flags)
{
	(void)a;
	(void)b;
	return rename_both(from, to, flags);
}
