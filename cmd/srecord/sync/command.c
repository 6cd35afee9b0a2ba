/*
 * Other programs: started without a shell, their output read through a pipe,
 * ended when they are silent for too long.
 */
#include "cmd/srecord/sync/sync.h"
#include "common/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 65536 };

static bool write_all(int fd, const char *bytes, ssize_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, (size_t)n);

		if (done < 0 && errno != EINTR)
			return false;
		if (done > 0) {
			bytes += done;
			n -= done;
		}
	}
	return true;
}

/* With what it started itself: a site's sacct may be a script around Slurm's. */
static void end(const struct child_command *c)
{
	kill(-c->child, SIGKILL);
}

/* Passes on what the program prints. If it is silent for too long, or its
 * reader is gone, it is killed. */
static void *relay(void *arg)
{
	struct child_command *c = arg;
	struct pollfd wait = {.fd = c->from, .events = POLLIN};
	char *piece = memory_zeroed(1, PIECE);
	ssize_t n = 1;

	while (n > 0) {
		int ready = poll(&wait, 1, (int)(c->timeout * 1000));

		if (ready < 0 && errno == EINTR)
			continue;
		c->timed_out = ready == 0;
		n = ready > 0 ? read(c->from, piece, PIECE) : 0;
		c->cut = n > 0 && !write_all(c->to, piece, n);
		if (c->cut)
			n = 0;
	}
	if (c->timed_out)
		end(c);
	close(c->from); /* a program that still prints ends by that */
	close(c->to);
	free(piece);
	return NULL;
}

static _Noreturn void become(const struct child_command *c, int out)
{
	int nothing = open("/dev/null", O_RDONLY);

	dup2(nothing, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(fileno(c->errors), STDERR_FILENO);
	setenv("LC_ALL", "C", 1);
	setenv("SLURM_TIME_FORMAT",
		c->time_format ? c->time_format : "standard", 1);
	if (c->conf)
		setenv("SLURM_CONF", c->conf, 1);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* a Ctrl-C does not reach its group */
	execv(c->argv[0], c->argv);
	dprintf(STDERR_FILENO, "%s: %s\n", c->argv[0], strerror(errno));
	_exit(127);
}

static int make_pipes(struct child_command *c, int *out)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	c->from = ends[0];
	*out = ends[1];
	if (pipe2(ends, O_CLOEXEC)) {
		close(c->from);
		close(*out);
		return -1;
	}
	c->fd = ends[0];
	c->to = ends[1];
	return 0;
}

static int start(struct child_command *c)
{
	int out;

	c->errors = tmpfile();
	if (!c->errors || make_pipes(c, &out))
		return -1;
	c->child = fork();
	if (!c->child) {
		setpgid(0, 0);
		become(c, out);
	}
	if (c->child > 0)
		setpgid(c->child, c->child); /* whoever is first */
	close(out);
	if (c->child > 0 && !pthread_create(&c->relay, NULL, relay, c))
		return 0;
	if (c->child > 0)
		end(c);
	close(c->from);
	close(c->to);
	close(c->fd);
	return -1;
}

int command_start(struct child_command *c, struct err *err)
{
	/* A reader that stops early must not end this program. */
	signal(SIGPIPE, SIG_IGN);
	if (start(c))
		return err_set(err, ERR_SYSTEM, "%s cannot be started: %s",
			c->name, strerror(errno));
	c->started = true;
	return 0;
}

/* The first line it said on standard error that is not blank. */
static void first_complaint(FILE *errors, char *line, size_t size)
{
	*line = '\0';
	rewind(errors);
	while (fgets(line, (int)size, errors)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " \t")])
			return;
	}
	*line = '\0';
}

static int judge(struct child_command *c, int status, struct err *err)
{
	char line[400];

	if (c->timed_out)
		return err_set(err, ERR_SYSTEM,
			"%s said nothing for %d seconds and was ended: is the "
			"Slurm it asks alive? timeout=SECONDS waits longer",
			c->name, (int)c->timeout);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	first_complaint(c->errors, line, sizeof(line));
	if (WIFSIGNALED(status))
		return err_set(err, ERR_SYSTEM, "%s was ended by signal %d%s%s",
			c->name, WTERMSIG(status), *line ? ": " : "", line);
	return err_set(err, ERR_SYSTEM, "%s failed (exit status %d)%s%s",
		c->name, WEXITSTATUS(status), *line ? ": " : "", line);
}

int command_end(struct child_command *c, int rc, struct err *err)
{
	int status = 0, worse;

	if (!c->started)
		return -1;
	close(c->fd); /* when the reader stops early, the relay ends */
	pthread_join(c->relay, NULL);
	while (waitpid(c->child, &status, 0) < 0 && errno == EINTR)
		;
	/* Ended because its reader gave up: the reader's reason counts.
	 * Otherwise what it complains of explains what was read. */
	worse = rc && c->cut ? 0 : judge(c, status, err);
	fclose(c->errors);
	c->started = false;
	return rc ? rc : worse;
}

static int read_all(const struct child_command *c, struct arena *arena,
	char **text, struct err *err)
{
	char *memory = NULL, piece[4096];
	size_t size = 0;
	FILE *to = memory_stream(&memory, &size);
	ssize_t n = 0;

	while (to && (n = read(c->fd, piece, sizeof(piece))) > 0)
		fwrite(piece, 1, (size_t)n, to);
	if (!to || fclose(to) || n < 0) {
		free(memory);
		return err_set(err, ERR_SYSTEM, "%s", strerror(errno));
	}
	*text = arena_strdup(arena, memory);
	free(memory);
	if (strlen(*text) < size)
		return err_set(err, ERR_SYSTEM,
			"there is a NUL byte in what %s printed", c->name);
	return 0;
}

int command_text(struct child_command *c, struct arena *arena, char **text,
	struct err *err)
{
	int rc;

	if (!c->started && command_start(c, err))
		return -1;
	rc = read_all(c, arena, text, err);
	return command_end(c, rc, err);
}
