#include "db/shared/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/base/privilege.h"
#include "common/base/stopwatch.h"
#include "db/shared/shared_parts.h"

#define REFUSED "refused"

/* ---- the folder ----------------------------------------------------------*/

bool spool_find(struct spool *spool, const struct shared_log *log)
{
	spool->held = -1;
	snprintf(spool->path, sizeof(spool->path), "%s-spool", log->path);
	return !log->offline;
}

static const char *path_of(const struct spool *spool, const char *folder,
	const char *name, char path[PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s/%s%s%s", spool->path, folder,
		*folder ? "/" : "", name);

	if (n >= PATH_MAX)
		*path = '\0';
	return path;
}

/* What may be done with the folder above may be done with what is made here. */
static void share(const struct spool *spool, int fd, mode_t mode)
{
	char parent[PATH_MAX], *slash;
	struct stat st;

	snprintf(parent, sizeof(parent), "%s", spool->path);
	slash = strrchr(parent, '/');
	*slash = '\0';
	if (fd >= 0 && !stat(parent, &st) && !fchown(fd, (uid_t)-1, st.st_gid))
		(void)!fchmod(fd, (mode & 0700) | (st.st_mode & mode & 0070));
}

static int open_folder(const struct spool *spool, const char *path, bool make)
{
	int fd;

	privilege_raise();
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 && errno == ENOENT && make && !mkdir(path, 0700)) {
		fd = open(path,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		share(spool, fd, 0770);
	} else if (fd < 0 && errno == EEXIST) {
		fd = open(path,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	}
	privilege_lower();
	return fd;
}

static int cannot(const struct spool *spool, const char *what, struct err *err)
{
	return err_set(err, ERR_SYSTEM, "%s cannot be %s: %s", spool->path, what,
		strerror(errno));
}

static void tick(int number)
{
	(void)number;
}

/* 1: others hold it all that time. */
static int wait_for(int fd, unsigned seconds)
{
	int64_t until = stopwatch_usec() + seconds * INT64_C(1000000);
	struct sigaction act = {.sa_handler = tick}, before;
	unsigned rest;
	int rc;

	sigaction(SIGALRM, &act, &before);
	rest = alarm(seconds);
	do
		rc = flock(fd, LOCK_EX);
	while (rc && errno == EINTR && stopwatch_usec() < until);
	alarm(rest);
	sigaction(SIGALRM, &before, NULL);
	return rc ? 1 : 0;
}

int spool_hold(struct spool *spool, unsigned wait, struct err *err)
{
	int fd = open_folder(spool, spool->path, true);

	if (fd < 0)
		return cannot(spool, "opened", err);
	if (flock(fd, LOCK_EX | LOCK_NB) && (!wait || wait_for(fd, wait))) {
		close(fd);
		return 1;
	}
	spool->held = fd;
	return 0;
}

void spool_release(struct spool *spool)
{
	if (spool->held >= 0)
		close(spool->held);
	spool->held = -1;
}

static DIR *read_folder(const struct spool *spool, bool refused)
{
	char path[PATH_MAX];
	int fd = open_folder(spool,
		refused ? path_of(spool, "", REFUSED, path) : spool->path, false);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

/* Names of facts begin with their time. */
static bool is_fact(const char *name)
{
	return *name >= '0' && *name <= '9' && !strstr(name, ".new");
}

size_t spool_count(const struct spool *spool, bool refused)
{
	DIR *dir = read_folder(spool, refused);
	struct dirent *d;
	size_t n = 0;

	while (dir && (d = readdir(dir)))
		n += is_fact(d->d_name);
	if (dir)
		closedir(dir);
	return n;
}

bool spool_waits(const struct spool *spool)
{
	return spool_count(spool, false) > 0;
}

/* ---- files of texts, with a NUL behind each ------------------------------*/

struct texts {
	char *v, *at, *end;
};

static int open_file(const char *path, int flags)
{
	int fd;

	privilege_raise();
	fd = *path ? open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	privilege_lower();
	return fd;
}

static bool read_texts(int fd, struct texts *t, struct arena *arena)
{
	struct stat st;
	ssize_t n;

	*t = (struct texts){0};
	if (fd < 0 || fstat(fd, &st) || st.st_size <= 0 || st.st_size > 1 << 27)
		return false;
	t->v = t->at = arena_alloc(arena, (size_t)st.st_size + 1);
	n = pread(fd, t->v, (size_t)st.st_size, 0);
	t->end = t->v + (n > 0 ? n : 0);
	*t->end = '\0';
	return n > 0;
}

/* NULL: there is no further one that is whole. */
static char *next_text(struct texts *t)
{
	char *text = t->at, *nul;

	nul = text ? memchr(text, '\0', (size_t)(t->end - text)) : NULL;
	if (!nul)
		return NULL;
	t->at = nul + 1;
	return text;
}

static long long next_number(struct texts *t)
{
	const char *text = next_text(t);

	return text ? strtoll(text, NULL, 10) : -1;
}

static void put_number(FILE *f, long long number)
{
	fprintf(f, "%lld%c", number, '\0');
}

static void put_text(FILE *f, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, f);
}

static int write_all(int fd, const char *text, size_t size, off_t at)
{
	while (size) {
		ssize_t n = pwrite(fd, text, size, at);

		if (n <= 0 && errno != EINTR)
			return -1;
		n = n > 0 ? n : 0;
		text += n, at += n, size -= (size_t)n;
	}
	return 0;
}

static void put_answer(FILE *f, const struct spool_answer *answer)
{
	put_text(f, answer->refused ? REFUSED : "ok");
	if (answer->refused)
		put_text(f, answer->why);
	else
		put_number(f, answer->id);
}

static bool next_answer(struct texts *t, struct spool_answer *answer)
{
	const char *word = next_text(t), *text = next_text(t);

	*answer = (struct spool_answer){0};
	if (!text)
		return false;
	answer->refused = !strcmp(word, REFUSED);
	if (answer->refused)
		snprintf(answer->why, sizeof(answer->why), "%s", text);
	else
		answer->id = (uint32_t)strtoul(text, NULL, 10);
	return true;
}

/* ---- a fact --------------------------------------------------------------*/

/* "fact", time, uid, user, words, the end; behind that the answer. */
static bool next_fact(struct texts *t, struct spool_fact *fact, struct arena *arena)
{
	const char *kind = next_text(t), *end;

	if (!kind || strcmp(kind, "fact") != 0)
		return false;
	fact->time = next_number(t);
	fact->uid = (uid_t)next_number(t);
	fact->user = next_text(t);
	fact->n = (int)next_number(t);
	if (fact->n < 1 || fact->n > 1 << 20)
		return false;
	fact->words = arena_array(
		arena, (size_t)fact->n + 1, sizeof(*fact->words));
	for (int i = 0; i < fact->n; i++)
		fact->words[i] = next_text(t);
	fact->words[fact->n] = NULL;
	end = next_text(t);
	return end && !strcmp(end, ".");
}

static char *fact_text(const struct spool_fact *fact, size_t *size)
{
	char *text = NULL;
	FILE *f = memory_stream(&text, size);

	put_text(f, "fact");
	put_number(f, fact->time);
	put_number(f, fact->uid);
	put_text(f, fact->user);
	put_number(f, fact->n);
	for (int i = 0; i < fact->n; i++)
		put_text(f, fact->words[i]);
	put_text(f, ".");
	fclose(f);
	return text;
}

static int rename_file(const char *from, const char *to)
{
	int rc;

	privilege_raise();
	rc = rename(from, to);
	privilege_lower();
	return rc;
}

static void remove_file(const char *path)
{
	privilege_raise();
	unlink(path);
	privilege_lower();
}

int spool_put(const struct spool *spool, struct spool_fact *fact, int *fd,
	struct err *err)
{
	char made[PATH_MAX], path[PATH_MAX], *text;
	struct timespec now;
	size_t size;
	int rc;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(fact->name, sizeof(fact->name), "%012lld.%09ld-%ld",
		(long long)now.tv_sec, now.tv_nsec, (long)getpid());
	path_of(spool, "", fact->name, path);
	snprintf(made, sizeof(made), "%.*s.new", PATH_MAX - 5, path);
	*fd = open_file(made, O_RDWR | O_CREAT | O_EXCL);
	if (*fd < 0)
		return cannot(spool, "written", err);
	share(spool, *fd, 0660);
	text = fact_text(fact, &size);
	rc = write_all(*fd, text, size, 0) || flock(*fd, LOCK_EX | LOCK_NB) ||
	     rename_file(made, path);
	free(text);
	if (!rc)
		return 0;
	cannot(spool, "written", err);
	remove_file(made);
	close(*fd);
	return -1;
}

bool spool_answered(int fd, struct spool_answer *answer)
{
	struct spool_fact fact;
	struct arena arena;
	struct texts t;
	struct stat st;
	bool found;

	if (fstat(fd, &st) || st.st_nlink)
		return false;
	arena_init(&arena);
	found = read_texts(fd, &t, &arena) && next_fact(&t, &fact, &arena) &&
		next_answer(&t, answer);
	arena_release(&arena);
	return found;
}

int spool_keep(const struct spool *spool, int fd, struct err *err)
{
	int folder = open_folder(spool, spool->path, false);
	int rc = folder < 0 || fsync(fd) || fsync(folder) ? -1 : 0;

	if (rc)
		cannot(spool, "written", err);
	if (folder >= 0)
		close(folder);
	return rc;
}

int spool_leave(struct spool *spool, struct spool_fact *fact, struct err *err)
{
	int folder = open_folder(spool, spool->path, true), fd, rc;

	if (folder >= 0)
		close(folder);
	if (spool_put(spool, fact, &fd, err))
		return -1;
	rc = spool_keep(spool, fd, err);
	if (rc)
		spool_forget(spool, fact);
	close(fd);
	return rc;
}

void spool_forget(const struct spool *spool, const struct spool_fact *fact)
{
	char path[PATH_MAX];

	remove_file(path_of(spool, "", fact->name, path));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct spool_fact *)a)->name,
		((const struct spool_fact *)b)->name);
}

/* One that is cut was never kept: its program was killed. */
static bool read_fact(const struct spool *spool, bool refused,
	struct spool_fact *fact, struct arena *arena)
{
	char path[PATH_MAX];
	struct texts t;
	int fd = open_file(path_of(spool, refused ? REFUSED : "", fact->name,
				   path),
		O_RDONLY);
	bool whole = read_texts(fd, &t, arena) && next_fact(&t, fact, arena);

	if (fd >= 0)
		close(fd);
	if (whole && refused)
		next_answer(&t, &fact->answer);
	return whole;
}

void spool_list(const struct spool *spool, bool refused, size_t most,
	struct arena *arena, struct spool_facts *facts)
{
	DIR *dir = read_folder(spool, refused);
	struct dirent *d;
	size_t n = 0;

	*facts = (struct spool_facts){0};
	while (dir && (d = readdir(dir))) {
		struct spool_fact *fact;

		if (!is_fact(d->d_name))
			continue;
		fact = ARENA_PUSH(arena, facts->v, facts->n, facts->cap);
		*fact = (struct spool_fact){0};
		snprintf(fact->name, sizeof(fact->name), "%.79s", d->d_name);
	}
	if (dir)
		closedir(dir);
	if (facts->n)
		qsort(facts->v, facts->n, sizeof(*facts->v), by_name);
	for (size_t i = 0; i < facts->n && n < most; i++)
		if (read_fact(spool, refused, &facts->v[i], arena))
			facts->v[n++] = facts->v[i];
	facts->n = n;
}

/* Behind the fact, in place of what a program that was killed left there. */
static void append_answer(int fd, const struct spool_fact *fact)
{
	char *text = NULL, *whole;
	size_t size, before;
	FILE *f = memory_stream(&text, &size);

	put_answer(f, &fact->answer);
	fclose(f);
	whole = fact_text(fact, &before);
	(void)!ftruncate(fd, (off_t)before);
	write_all(fd, text, size, (off_t)before);
	free(whole);
	free(text);
}

bool spool_answer(const struct spool *spool, const struct spool_fact *fact)
{
	char path[PATH_MAX], folder[PATH_MAX], to[PATH_MAX];
	int fd = open_file(path_of(spool, "", fact->name, path), O_RDWR), dir;
	bool waited = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB);
	bool kept = fact->answer.refused && !waited && fd >= 0;

	if (fd < 0)
		return false;
	if (waited || kept)
		append_answer(fd, fact);
	if (kept) {
		dir = open_folder(
			spool, path_of(spool, "", REFUSED, folder), true);
		fsync(fd);
		kept = !rename_file(
			path, path_of(spool, REFUSED, fact->name, to));
		if (dir >= 0) {
			fsync(dir);
			close(dir);
		}
	} else {
		remove_file(path);
	}
	close(fd);
	return kept;
}

void spool_drop(const struct spool *spool)
{
	DIR *dir = read_folder(spool, true);
	char path[PATH_MAX];
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (is_fact(d->d_name))
			remove_file(path_of(spool, REFUSED, d->d_name, path));
	if (dir)
		closedir(dir);
}

/* ---- what is about to be committed ---------------------------------------*/

int spool_batch_write(const struct spool *spool, const char *token,
	int64_t number, const struct spool_facts *facts, struct err *err)
{
	char made[PATH_MAX], path[PATH_MAX], *text = NULL;
	size_t size;
	FILE *f = memory_stream(&text, &size);
	int fd = open_file(path_of(spool, "", "batch.new", made),
		O_WRONLY | O_CREAT | O_TRUNC);
	int rc;

	share(spool, fd, 0660);
	put_text(f, token);
	put_number(f, number);
	for (size_t i = 0; i < facts->n; i++) {
		put_text(f, facts->v[i].name);
		put_answer(f, &facts->v[i].answer);
	}
	fclose(f);
	rc = fd < 0 || write_all(fd, text, size, 0) || fsync(fd) ||
	     rename_file(made, path_of(spool, "", "batch", path)) ||
	     fsync(spool->held);
	if (rc)
		cannot(spool, "written", err);
	if (fd >= 0)
		close(fd);
	free(text);
	return rc ? -1 : 0;
}

void spool_batch_read(const struct spool *spool, struct arena *arena,
	char token[33], int64_t *number, struct spool_facts *facts)
{
	char path[PATH_MAX];
	int fd = open_file(path_of(spool, "", "batch", path), O_RDONLY);
	struct spool_fact fact = {0};
	const char *name;
	struct texts t;

	*facts = (struct spool_facts){0};
	read_texts(fd, &t, arena);
	if (fd >= 0)
		close(fd);
	name = next_text(&t);
	snprintf(token, 33, "%.32s", name ? name : "");
	*number = next_number(&t);
	while ((name = next_text(&t)) && next_answer(&t, &fact.answer)) {
		struct spool_answer answer = fact.answer;

		snprintf(fact.name, sizeof(fact.name), "%.79s", name);
		if (!read_fact(spool, false, &fact, arena))
			continue;
		fact.answer = answer;
		*ARENA_PUSH(arena, facts->v, facts->n, facts->cap) = fact;
	}
}
