#include "db/file/sidefiles.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/privilege.h"
#include "db/file/files.h"

/* ---- the file system -----------------------------------------------------*/

/* Magic numbers of statfs(2); not all of them are in linux/magic.h. */
static const struct {
	unsigned long magic;
	const char *name;
} shared_systems[] = {
	{0x6969, "NFS"},
	{0x517b, "SMB"},
	{0xff534d42, "CIFS"},
	{0xfe534d42, "SMB"},
	{0x5346414f, "AFS"},
	{0x0bd00bd0, "Lustre"},
	{0x47504653, "GPFS"},
	{0x19830326, "BeeGFS"},
	{0x00c36400, "Ceph"},
};

static int stat_place(const char *path, struct statfs *fs)
{
	char folder[PATH_MAX];

	int status;

	privilege_raise();
	status = statfs(path, fs);
	if (status && errno == ENOENT && strlen(path) < sizeof(folder)) {
		memcpy(folder, path, strlen(path) + 1);
		status = statfs(dirname(folder), fs);
	}
	privilege_lower();
	return status;
}

int sidefiles_check_place(const char *path, struct err *err)
{
	struct statfs fs;
	struct stat st;

	bool there = !store_files_stat(path, &st);

	if (there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return err_set(err, ERR_STORE,
			"%s is not a regular file: a store is one", path);

	if (stat_place(path, &fs))
		return 0; /* opening says what is wrong */
	if (!there && fs.f_flags & ST_RDONLY)
		return err_set(err, ERR_STORE,
			"there is no store %s, and its file system is "
			"read-only: none can be made",
			path);
	for (size_t i = 0;
		i < sizeof(shared_systems) / sizeof(*shared_systems); i++)
		if ((uint32_t)fs.f_type == shared_systems[i].magic)
			return err_set(err, ERR_STORE,
				"the store %s lies on %s: its programs share "
				"memory, which works on one machine only; keep "
				"it on a local disk (bursar-store(5))",
				path, shared_systems[i].name);
	return 0;
}

/* ---- permissions ---------------------------------------------------------*/

/* Opened as a name only (O_PATH): to close a file gives back every lock that
 * this process has on it, SQLite's too. */
static void follow(const struct stat *store, const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	char name[64];
	struct stat st;
	int left = 0; /* without the right to, it is left to a process that has it */

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		if (st.st_uid != store->st_uid || st.st_gid != store->st_gid)
			left = fchownat(fd, "", store->st_uid, store->st_gid,
				AT_EMPTY_PATH);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		if (!left && st.st_mode != store->st_mode)
			left = chmod(name, store->st_mode & 0777);
	}
	close(fd);
}

void sidefiles_follow(const char *path)
{
	static const char *const ends[] = {"-wal", "-shm"};
	struct stat store, st;

	if (privilege_held() || stat(path, &store))
		return; /* a group that shares the store: they are made so */
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char side[PATH_MAX];

		snprintf(side, sizeof(side), "%s%s", path, ends[i]);
		if (!lstat(side, &st) &&
			(st.st_mode != store.st_mode ||
				st.st_gid != store.st_gid ||
				st.st_uid != store.st_uid))
			follow(&store, side);
	}
}

enum { WAL_HEADER = 32 };

/* -1: there is none. */
static off_t wal_size(const char *path)
{
	char side[PATH_MAX];
	struct stat st;

	snprintf(side, sizeof(side), "%s-wal", path);
	return store_files_stat(side, &st) ? -1 : st.st_size;
}

bool sidefiles_wal_is_bare(const char *path)
{
	off_t size = wal_size(path);
	char side[PATH_MAX];

	snprintf(side, sizeof(side), "%s-shm", path);
	return size > 0 && size <= WAL_HEADER &&
	       store_files_access(side, W_OK) != 0;
}

bool sidefiles_wal_is_there(const char *path)
{
	off_t size = wal_size(path);
	char side[PATH_MAX];

	snprintf(side, sizeof(side), "%s-shm", path);
	return (!size || size > WAL_HEADER) && !store_files_access(side, R_OK);
}

/* ---- a copy --------------------------------------------------------------*/

enum { TRIES = 100, PARTS = 3 };

/* What a copy is made of: the store, and what has to go with it. */
static const char *const parts[PARTS] = {"", "-wal", "-journal"};

/* Size 0 where there is none. */
static void look_at_parts(const char *path, struct stat st[PARTS])
{
	for (size_t i = 0; i < PARTS; i++) {
		char part[PATH_MAX];

		snprintf(part, sizeof(part), "%s%s", path, parts[i]);
		if (stat(part, &st[i]))
			st[i] = (struct stat){0};
	}
}

static bool unchanged(const struct stat a[PARTS], const struct stat b[PARTS])
{
	for (size_t i = 0; i < PARTS; i++)
		if (a[i].st_size != b[i].st_size ||
			a[i].st_ino != b[i].st_ino ||
			a[i].st_mtim.tv_sec != b[i].st_mtim.tv_sec ||
			a[i].st_mtim.tv_nsec != b[i].st_mtim.tv_nsec)
			return false;
	return true;
}

static int copy_bytes(int in, int out)
{
	static char buffer[1 << 17];
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		for (ssize_t done = 0, put; done < n; done += put)
			if ((put = write(out, buffer + done,
				     (size_t)(n - done))) < 0)
				return -1;
	return n < 0 ? -1 : 0;
}

static int copy_part(const char *from, const char *to, struct err *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	int status;

	if (in < 0)
		return err_set(err, ERR_DENIED,
			"%s cannot be read by you: %s; it has to have the "
			"permissions of the store (chmod --reference)",
			from, strerror(errno));
	out = open(to, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	status = out < 0 || copy_bytes(in, out)
			 ? err_set(err, ERR_SYSTEM,
				   "%s cannot be copied to %s: %s", from, to,
				   strerror(errno))
			 : 0;
	close(in);
	if (out >= 0)
		close(out);
	return status;
}

static int copy_parts(const char *path, const char *copy,
	const struct stat st[PARTS], struct err *err)
{
	for (size_t i = 0; i < PARTS; i++) {
		char from[PATH_MAX], to[PATH_MAX];

		snprintf(from, sizeof(from), "%s%s", path, parts[i]);
		snprintf(to, sizeof(to), "%s%s", copy, parts[i]);
		if (st[i].st_size ? copy_part(from, to, err)
				  : unlink(to) && errno != ENOENT)
			return -1;
	}
	return 0;
}

char *sidefiles_name_copy(struct err *err)
{
	const char *tmp = secure_getenv("TMPDIR");
	char folder[PATH_MAX], *copy;

	snprintf(folder, sizeof(folder), "%s/bursar.XXXXXX",
		tmp && *tmp == '/' ? tmp : "/tmp");
	if (!mkdtemp(folder)) {
		err_set(err, ERR_SYSTEM, "cannot make %s: %s", folder,
			strerror(errno));
		return NULL;
	}
	if (asprintf(&copy, "%s/copy.db", folder) < 0)
		BUG("no memory");
	return copy;
}

int sidefiles_copy(const char *path, char **copy, struct err *err)
{
	struct stat before[PARTS], after[PARTS];

	*copy = NULL;
	if (privilege_held())
		return err_set(err, ERR_DENIED,
			"%s-wal or %s-shm is missing: a user who may write "
			"the folder has to run any command once",
			path, path);
	*copy = sidefiles_name_copy(err);
	if (!*copy)
		return -1;
	for (int i = 0; i < TRIES; i++) {
		look_at_parts(path, before);
		if (copy_parts(path, *copy, before, err))
			break;
		look_at_parts(path, after);
		if (unchanged(before, after))
			return 0;
		err_set(err, ERR_STORE,
			"%s is written all the time and cannot be read without "
			"%s-shm: a user who may write the folder has to run "
			"any command once",
			path, path);
	}
	sidefiles_remove_copy(*copy);
	*copy = NULL;
	return -1;
}

void sidefiles_remove_copy(char *copy)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-journal"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s%s", copy, ends[i]);
		unlink(path);
	}
	*strrchr(copy, '/') = '\0';
	rmdir(copy);
	free(copy);
}

/* ---- who holds it --------------------------------------------------------*/

/* The byte of STORE-shm that a writer locks (SQLite's walformat). */
enum { WRITE_BYTE = 120 };

struct lock {
	char kind[8]; /* READ, WRITE */
	long process;
	unsigned major, minor;
	uintmax_t file;
	intmax_t from;
	char until[24]; /* a number or EOF */
};

static bool read_lock(const char *line, struct lock *lock)
{
	return sscanf(line, "%*d: POSIX %*s %7s %ld %x:%x:%ju %jd %23s",
		       lock->kind, &lock->process, &lock->major, &lock->minor,
		       &lock->file, &lock->from, lock->until) == 7 &&
	       lock->process > 0;
}

static bool lies_on(const struct lock *lock, const struct stat *st)
{
	return lock->file == st->st_ino && lock->major == major(st->st_dev) &&
	       lock->minor == minor(st->st_dev);
}

static bool covers(const struct lock *lock, intmax_t byte)
{
	return lock->from <= byte && (!strcmp(lock->until, "EOF") ||
					     strtoimax(lock->until, NULL, 10) >=
						     byte);
}

/* The process, or 0. One that only wants what we want holds a READ lock. */
static long find_holder(const char *path, bool reading)
{
	char side[PATH_MAX], line[256];
	struct stat store = {0}, shm = {0};
	struct lock lock;
	FILE *locks = fopen("/proc/locks", "re");
	long found = 0;

	snprintf(side, sizeof(side), "%s-shm", path);
	if (store_files_stat(path, &store) || store_files_stat(side, &shm))
		reading = true;
	while (locks && !found && fgets(line, sizeof(line), locks)) {
		if (!read_lock(line, &lock) || lock.process == getpid() ||
			strcmp(lock.kind, "WRITE") != 0)
			continue;
		if (lies_on(&lock, &shm) &&
			(reading || covers(&lock, WRITE_BYTE)))
			found = lock.process;
		if (lies_on(&lock, &store))
			found = lock.process;
	}
	if (locks)
		fclose(locks);
	return found;
}

void sidefiles_holder(const char *path, bool reading, char *text, size_t size)
{
	long process = find_holder(path, reading);
	char proc[64], line[256], name[64] = "";
	struct passwd *pw = NULL;
	unsigned uid;
	FILE *status;

	snprintf(proc, sizeof(proc), "/proc/%ld/status", process);
	status = process ? fopen(proc, "re") : NULL;
	while (status && fgets(line, sizeof(line), status)) {
		sscanf(line, "Name: %63[^\n]", name);
		/* Who started it: the file is root's where the program has
		 * rights of its own. */
		if (sscanf(line, "Uid: %u", &uid) == 1)
			pw = getpwuid(uid);
	}
	if (*name)
		snprintf(text, size, "%s (process %ld%s%s)", name, process,
			pw ? " of " : "", pw ? pw->pw_name : "");
	else
		snprintf(text, size, "another program");
	if (status)
		fclose(status);
}
