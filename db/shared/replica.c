/*
 * The replica's file and the small one beside it that says when the log was
 * asked last; see log_parts.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/notice.h"
#include "common/base/privilege.h"
#include "db/shared/shared_parts.h"
#include "db/file/files.h"
#include "db/store/query.h"

enum { OPEN_TRIES = 5 };

bool replica_may_make(void)
{
	return !privilege_held() || getuid() == 0;
}

const char *age_text(int64_t seconds, char *text, size_t size)
{
	static const struct {
		int64_t seconds;
		const char *name;
	} units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"},
		{1, "second"}};
	size_t i = 0;

	while (i < 3 && seconds < 2 * units[i].seconds)
		i++;
	seconds /= units[i].seconds;
	snprintf(text, size, "%lld %s%s", (long long)seconds, units[i].name,
		seconds == 1 ? "" : "s");
	return text;
}

/* The file first: who opens it meanwhile finds none, not one without its journal. */
static const char *const ends[] = {"", "-wal", "-shm", "-journal"};

void files_remove(const char *path)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char name[PATH_MAX];

		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		privilege_raise();
		unlink(name);
		privilege_lower();
	}
}

int files_move(const char *path, const char *to)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(ends) / sizeof(*ends); i++) {
		char a[PATH_MAX], b[PATH_MAX];

		snprintf(a, sizeof(a), "%s%s", path, ends[i]);
		snprintf(b, sizeof(b), "%s%s", to, ends[i]);
		privilege_raise();
		rc = rename(a, b) && errno != ENOENT;
		privilege_lower();
	}
	return rc ? -1 : 0;
}

/* ---- what is beside it ---------------------------------------------------*/

static int open_beside(const struct shared_log *log, const char *end, int flags)
{
	char path[PATH_MAX];
	struct stat replica;
	int fd;

	snprintf(path, sizeof(path), "%s%s", log->path, end);
	privilege_raise();
	fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0 && (flags & O_CREAT) && !stat(log->path, &replica) &&
		!fchown(fd, (uid_t)-1, replica.st_gid))
		(void)!fchmod(fd, replica.st_mode & 0660);
	privilege_lower();
	return fd;
}

enum { ASKED_SIZE = 1024 };

/* Nothing depends on it: if it cannot be read, it counts as missing. */
void asked_read(const struct shared_log *log, struct last_asked *asked)
{
	int fd = open_beside(log, "-log", O_RDONLY);
	long long when, failed, moved, wait = RETRY_SECONDS, erred = 0;
	char text[ASKED_SIZE];
	const char *why;
	long long spoiled;
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	*asked = (struct last_asked){0};
	text[n < 0 ? 0 : n] = '\0';
	if (sscanf(text,
		    "asked=%lld failed=%lld moved=%lld host=%u spoiled=%lld "
		    "wait=%lld erred=%lld",
		    &when, &failed, &moved, &asked->host, &spoiled, &wait,
		    &erred) < 5)
		return;
	asked->asked = when;
	asked->failed = failed;
	asked->moved = moved;
	asked->spoiled = (uint64_t)spoiled;
	asked->wait = wait;
	asked->erred = erred;
	why = strchr(text, '\n');
	if (why)
		snprintf(asked->why, sizeof(asked->why), "%.*s",
			(int)strcspn(why + 1, "\n"), why + 1);
}

void asked_write(const struct shared_log *log, const struct last_asked *asked)
{
	int fd = open_beside(log, "-log", O_WRONLY | O_CREAT);
	char text[ASKED_SIZE];
	int n = snprintf(text, sizeof(text),
		"asked=%lld failed=%lld moved=%lld host=%u spoiled=%lld "
		"wait=%lld erred=%lld\n%s\n",
		(long long)asked->asked, (long long)asked->failed,
		(long long)asked->moved, asked->host, (long long)asked->spoiled,
		(long long)asked->wait, (long long)asked->erred, asked->why);

	if (fd < 0)
		return;
	if (pwrite(fd, text, (size_t)n, 0) == n)
		(void)!ftruncate(fd, n);
	close(fd);
}

/* All hosts write by way of the first of the list: where they meet at one node
 * of a cluster none has to repeat what it does. */
size_t host_first(const struct shared_log *log, const struct last_asked *asked)
{
	int64_t now = time(NULL);
	bool moved = asked->host < log->link.n_hosts && asked->moved <= now &&
		     asked->moved + MOVED_SECONDS > now;

	return moved ? asked->host : 0;
}

void host_lost(struct shared_log *log)
{
	struct last_asked asked;

	link_close(&log->link);
	log->link.at = (log->link.at + 1) % log->link.n_hosts;
	asked_read(log, &asked);
	asked.host = (unsigned)log->link.at;
	asked.moved = time(NULL);
	asked_write(log, &asked);
}

uint64_t replica_file(const struct shared_log *log)
{
	struct stat st;

	return store_files_stat(log->path, &st) ? 0 : (uint64_t)st.st_ino;
}

int replica_spoil(struct shared_log *log, const char *fmt, ...)
{
	va_list ap;

	log->spoiled = true;
	va_start(ap, fmt);
	err_vprint(log->spoiled_by, sizeof(log->spoiled_by), fmt, ap);
	va_end(ap);
	return err_set(log->link.err, ERR_STORE, "the replica %s: %s", log->path,
		log->spoiled_by);
}

void replica_damaged(struct store *store)
{
	struct shared_log *log = shared_of(store);
	struct last_asked asked;

	replica_spoil(log, "damaged");
	asked_read(log, &asked);
	asked.spoiled = log->file;
	asked_write(log, &asked);
}

/* ---- making it -----------------------------------------------------------*/

int replica_lock(const struct shared_log *log)
{
	int fd = open_beside(log, "-lock", O_RDWR | O_CREAT);

	if (fd < 0)
		return err_set(log->link.err, ERR_SYSTEM,
			"the replica %s cannot be made: %s", log->path,
			strerror(errno));
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

int replica_denied(const struct shared_log *log)
{
	return err_set(log->link.err, ERR_DENIED,
		"the replica %s is to be made: root does that with 'sacctmgr "
		"ping'",
		log->path);
}

/* A new store, for the log to begin with. */
static int begin_log(struct shared_log *log,
	const struct store_options *options, struct err *err)
{
	struct store_options fresh = *options;
	struct store store;
	char path[PATH_MAX];
	int rc;

	snprintf(path, sizeof(path), "%s.new", log->path);
	files_remove(path); /* of a program that was killed */
	fresh.path = path;
	fresh.mode = STORE_CREATE;
	fresh.own = false;
	fresh.shared_log = NULL;
	rc = store_open(&store, &fresh, err);
	if (!rc) {
		rc = state_begin(&store);
		store_close(&store);
		rc = rc || snapshot_begin_log(log, path) ? -1 : 0;
	}
	files_remove(path);
	return rc;
}

static int ask_first(struct shared_log *log, struct err *err)
{
	if (!head_read(log, false))
		return 0;
	if (!log->link.no_host)
		return -1;
	return err_set(err, ERR_SYSTEM,
		log->spoiled ? "%s, and the replica %s is of no use"
			     : "%s, and there is no replica at %s yet",
		shared_unasked(log), log->path);
}

static int make_locked(struct shared_log *log,
	const struct store_options *options, struct err *err)
{
	if (log->offline)
		return err_set(err, ERR_STORE, "there is no replica at %s yet",
			log->path);
	if (!replica_may_make())
		return replica_denied(log);
	if (ask_first(log, err) ||
		(!log->head.begun && options->mode == STORE_CREATE &&
			begin_log(log, options, err)) ||
		head_read(log, false) || head_check(log, NULL))
		return -1;
	log->fresh = true;
	return snapshot_load(log, NULL, NULL);
}

/* Where there is none, or the one that was opened is spoiled; unless another
 * program has done it. */
static int make(struct shared_log *log, const struct store_options *options,
	struct err *err)
{
	int fd = replica_lock(log), rc = 0;

	if (fd < 0)
		return -1;
	if (log->spoiled ? replica_file(log) == log->file
			 : !store_is_there(log->path))
		rc = make_locked(log, options, err);
	close(fd);
	return rc;
}

/* Its files are renamed, so that no program takes them for the replica. What has
 * changes that the log lacks becomes a store of its own. */
static int set_aside(struct shared_log *log)
{
	char stamp[32], to[PATH_MAX];
	struct last_asked asked;
	time_t now = time(NULL);
	struct tm tm;
	int n, more = 1;

	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	n = snprintf(to, sizeof(to), "%s.aside-%s", log->path, stamp);
	while (!store_files_access(to, F_OK))
		snprintf(to + n, sizeof(to) - (size_t)n, ".%d", ++more);
	memcpy(log->aside_for, log->spoiled_by, sizeof(log->aside_for));
	if (files_move(log->path, to))
		return err_set(log->link.err, ERR_SYSTEM,
			"the replica %s cannot be set aside: %s", log->path,
			strerror(errno));
	log->aside = arena_strdup(log->arena, to);
	asked_read(log, &asked);
	asked.spoiled = 0;
	asked_write(log, &asked);
	return log->went_back ? snapshot_unmark(log, to) : 0;
}

/* A journal without its file is of no use, and would be taken for that of the new
 * one. */
int replica_place(struct shared_log *log, const char *path)
{
	if (log->spoiled && set_aside(log))
		return -1;
	files_remove(log->path);
	if (!files_move(path, log->path))
		return 0;
	return err_set(log->link.err, ERR_SYSTEM,
		"the replica %s cannot be made: %s", log->path,
		strerror(errno));
}

/* One that was right, as it turned out, is not kept. */
static void tell_aside(struct shared_log *log)
{
	if (!log->aside)
		return;
	if (log->unfit && !log->altered)
		files_remove(log->aside);
	else if (log->went_back)
		notice("%s: what this host had is set aside as %s, a store of "
		       "its own, and the replica is made again; 'sacctmgr "
		       "diff %s' tells what differs, 'srecord import %s' brings "
		       "it in",
			log->aside_for, log->aside, log->aside, log->aside);
	else
		notice("the replica %s was of no use (%s): it is set aside as "
		       "%s and made again",
			log->path, log->aside_for, log->aside);
}

/* A host that never was of this site does not become one by a slip. */
static int check_cluster(struct shared_log *log, struct store *store)
{
	struct strv names = {0};
	struct arena arena;
	int rc;

	if (!log->fresh)
		return 0;
	arena_init(&arena);
	rc = store_all_words(store,
		"SELECT name FROM cluster WHERE NOT deleted ORDER BY name",
		&names, &arena);
	if (!rc && names.n && !strv_has(&names, log->cluster))
		rc = err_set(store->err, ERR_USAGE,
			"the log in %s knows no cluster '%s', only %s: it is "
			"another site's, or 'sacctmgr add cluster %s' on one "
			"of its hosts first",
			link_place(&log->link), log->cluster,
			strv_join_some(&names, ", ", &arena), log->cluster);
	arena_release(&arena);
	return rc;
}

/* Again where another program replaced the file meanwhile, or it is to be made
 * again. */
static int open_replica(struct shared_log *log, struct store *store,
	const struct store_options *options, struct err *err)
{
	struct store_options own = *options;
	int rc = -1;

	own.path = log->path;
	own.shared_log = &log->calls;
	for (int tries = 0; rc && tries < OPEN_TRIES; tries++) {
		log->spoiled = false;
		if (!store_is_there(log->path) && make(log, options, err))
			return -1;
		/* There is one now, so no program creates an empty one. */
		own.mode = own.mode == STORE_CREATE ? STORE_WRITE : own.mode;
		log->file = replica_file(log);
		rc = store_open(store, &own, err);
		if (!rc || replica_file(log) != log->file)
			continue;
		if (!log->spoiled || log->offline || log->fresh ||
			make(log, options, err))
			return -1;
	}
	return rc;
}

int shared_open_store(struct shared_log *log, struct store *store,
	const struct store_options *options, struct err *err)
{
	int rc;

	log->reads = options->mode == STORE_READ;
	log->writes = options->need_write;
	log->link.patience = INT64_C(1000000) *
			     (log->reads ? READ_PATIENCE : CHANGE_PATIENCE);
	log->link.seconds = log->reads ? READ_SECONDS : CHANGE_SECONDS;
	log->link.err = err;
	rc = open_replica(log, store, options, err);
	tell_aside(log);
	if (!rc && check_cluster(log, store)) {
		store_close(store);
		files_remove(log->path);
		rc = -1;
	}
	if (!rc)
		take_report(log, store);
	return rc ? -1 : 0;
}
