#include "common/base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/base/privilege.h"

static int fail(const struct outfile *out, struct err *err)
{
	int why = errno;

	err_set(err, ERR_SYSTEM, "cannot write %s: %s", out->name,
		strerror(why));
	errno = why;
	return -1;
}

/* ---- ends by a signal ------------------------------------------------------*/

enum { DOOMED = 4 };

static const char *volatile doomed[DOOMED];
static const int ends[] = {SIGHUP, SIGINT, SIGTERM};

enum { ENDS = sizeof(ends) / sizeof(*ends) };

static void remove_and_end(int number)
{
	for (int i = 0; i < DOOMED; i++)
		if (doomed[i] && !privilege_guards())
			unlink(doomed[i]);
	raise(number); /* as soon as this returns */
}

void outfile_doom(const char *path)
{
	struct sigaction is, act = {.sa_handler = remove_and_end,
		.sa_flags = (int)SA_RESETHAND};
	int i = 0;

	while (i < DOOMED && doomed[i])
		i++;
	if (i == DOOMED)
		return;
	doomed[i] = path;
	for (i = 0; i < ENDS; i++)
		if (!sigaction(ends[i], NULL, &is) && is.sa_handler == SIG_DFL)
			sigaction(ends[i], &act, NULL);
}

void outfile_spare(const char *path)
{
	for (int i = 0; i < DOOMED; i++)
		if (doomed[i] == path)
			doomed[i] = NULL;
}

/* No signal comes between the file and its being doomed. */
static int create_doomed(const char *path, mode_t mode)
{
	sigset_t held, before;
	int fd, why;

	sigemptyset(&held);
	for (int i = 0; i < ENDS; i++)
		sigaddset(&held, ends[i]);
	sigprocmask(SIG_BLOCK, &held, &before);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
	why = errno;
	if (fd >= 0)
		outfile_doom(path);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return fd;
}

/* ---- files -----------------------------------------------------------------*/

/* The name is new, so no other process writes to it. */
static int open_beside(struct outfile *out, const struct stat *before)
{
	mode_t mode = before ? before->st_mode & 07777 : 0666;
	int fd = -1;

	for (int i = 0; i < 100 && fd < 0; i++) {
		free(out->beside);
		if (asprintf(&out->beside, "%s.new-%ld", out->path,
			    (long)getpid() + i) < 0)
			memory_out(0);
		fd = create_doomed(out->beside, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0 || !before)
		return fd;
	/* The group where that is allowed, then the permissions; if the group
	 * stays another one, it gets no rights it did not have. */
	if (before->st_gid != getegid() &&
		fchown(fd, (uid_t)-1, before->st_gid))
		mode &= ~(mode_t)07070;
	if (fchmod(fd, mode))
		errno = 0;
	return fd;
}

/* `named`: the path leads to it; else to what the kernel calls it. */
static int open_fd(struct outfile *out, enum outfile_kind kind, bool named)
{
	struct stat st = {.st_mode = 0600, .st_gid = getegid()};
	bool there = !stat(out->path, &st);

	if (there && kind == OUTFILE_NEW) {
		errno = EEXIST;
		return -1;
	}
	/* Where /dev/stdout is a file without a name, the link is not it. */
	if (there && kind == OUTFILE_REPLACE && !named)
		return open(out->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (kind == OUTFILE_APPEND || (there && !S_ISREG(st.st_mode)))
		return open(out->path,
			O_WRONLY | O_CREAT | O_CLOEXEC |
				(kind == OUTFILE_APPEND ? O_APPEND : 0),
			0666);
	/* Renaming asks for no right on the file that goes. */
	if (there && faccessat(AT_FDCWD, out->path, W_OK, AT_EACCESS))
		return -1;
	return open_beside(
		out, there || kind == OUTFILE_NEW ? &st : NULL);
}

int outfile_open(struct outfile *out, const char *name,
	enum outfile_kind kind, struct err *err)
{
	bool named;
	int fd, why;

	if (kind == OUTFILE_OR_STDOUT && !strcmp(name, "-")) {
		*out = (struct outfile){.name = name, .file = stdout};
		return 0;
	}
	if (kind == OUTFILE_OR_STDOUT)
		kind = OUTFILE_REPLACE;
	*out = (struct outfile){.name = name, .kind = kind, .path = realpath(name, NULL)};
	named = out->path;
	if (!out->path && !(out->path = strdup(name)))
		memory_out(0);
	fd = open_fd(out, kind, named);
	if (fd >= 0 && (out->file = fdopen(fd, "w")))
		return 0;
	fail(out, err);
	why = errno;
	if (fd >= 0) {
		close(fd);
	} else {
		free(out->beside); /* another's, or not there */
		out->beside = NULL;
	}
	outfile_discard(out);
	errno = why;
	return -1;
}

/* What cannot be synchronised (a pipe) says EINVAL. */
static int sync_fd(int fd)
{
	return fsync(fd) && errno != EINVAL && errno != EROFS ? -1 : 0;
}

static int sync_folder(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
		      : -1;
	int status = fd < 0 ? -1 : sync_fd(fd);

	free(copy);
	if (fd >= 0)
		close(fd);
	return status;
}

/* Not every file system can refuse to replace. */
static int take_place(const struct outfile *out)
{
	if (out->kind != OUTFILE_NEW)
		return rename(out->beside, out->path);
	if (!renameat2(AT_FDCWD, out->beside, AT_FDCWD, out->path,
		    RENAME_NOREPLACE))
		return 0;
	return errno == EINVAL ? rename(out->beside, out->path) : -1;
}

int outfile_publish(struct outfile *out, struct err *err)
{
	if (out->file == stdout)
		return 0;
	if (fflush(out->file) || sync_fd(fileno(out->file)))
		return fail(out, err);
	if (ferror(out->file)) {
		errno = EIO;
		return fail(out, err);
	}
	if (!out->beside)
		return 0;
	if (take_place(out))
		return fail(out, err);
	outfile_spare(out->beside);
	free(out->beside);
	out->beside = NULL;
	return sync_folder(out->path) ? fail(out, err) : 0;
}

int outfile_close(struct outfile *out, struct err *err)
{
	int status = outfile_publish(out, err), why = errno;

	outfile_discard(out);
	errno = why;
	return status;
}

void outfile_discard(struct outfile *out)
{
	if (out->file && out->file != stdout)
		fclose(out->file);
	if (out->beside) {
		unlink(out->beside);
		outfile_spare(out->beside);
	}
	free(out->beside);
	free(out->path);
	*out = (struct outfile){0};
}
