/*
 * The other programs' answers: running one, reading its records.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/spage/spage.h"
#include "common/base/memory.h"
#include "common/base/notice.h"
#include "common/cli/cli.h"

/* ---- running one ----------------------------------------------------------*/

static _Noreturn void become(
	char *path, const char *const *argv, const char *user, int out, int err)
{
	if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 ||
		(user && setenv("BURSAR_AS", user, 1)))
		_exit(127);
	execv(path, (char **)(uintptr_t)argv);
	dprintf(STDERR_FILENO, "%s: %s", path, strerror(errno));
	_exit(127);
}

/* The first line that says what is wrong. */
static const char *complaint(
	const struct asked_program *asked, int status, struct arena *arena)
{
	char text[1024] = "";

	rewind(asked->errors);
	if (fgets(text, sizeof(text), asked->errors)) {
		text[strcspn(text, "\n")] = '\0';
		return arena_strdup(arena, text);
	}
	return arena_printf(
		arena, "%s failed (status %d)", asked->name, status);
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int ask_start(const char *const *argv, const char *user,
	struct asked_program *asked, struct err *err)
{
	int ends[2] = {-1, -1};
	char path[PATH_MAX];

	if (cli_beside(path, *argv, err))
		return -1;
	*asked = (struct asked_program){
		.name = *argv, .child = -1, .errors = tmpfile()};
	if (asked->errors && !pipe2(ends, O_CLOEXEC))
		asked->child = fork();
	if (!asked->child)
		become(path, argv, user, ends[1], fileno(asked->errors));
	if (asked->child < 0)
		err_set(err, ERR_SYSTEM, "cannot run %s: %s", path,
			strerror(errno));
	if (ends[1] >= 0)
		close(ends[1]);
	asked->out = ends[0];
	if (asked->child > 0)
		return 0;
	if (ends[0] >= 0)
		close(ends[0]);
	if (asked->errors)
		fclose(asked->errors);
	return -1;
}

/* What can be read just now; at its end the pipe is closed. */
static void read_some(struct asked_program *asked)
{
	ssize_t got;

	if (asked->room - asked->n < 65536) {
		asked->room = asked->room * 2 + 131072;
		asked->text = memory_resize(asked->text, asked->room, 1);
	}
	got = read(asked->out, asked->text + asked->n,
		asked->room - asked->n - 1);
	if (got > 0)
		asked->n += (size_t)got;
	else if (!got || errno != EINTR) {
		close(asked->out);
		asked->out = -1;
	}
}

enum { OFTEN = 250 }; /* milliseconds */

/* Of all at once: none must wait because its pipe is full. */
static void read_all(struct asked_program *asked, size_t n)
{
	struct pollfd *fds = memory_zeroed(n, sizeof(*fds));
	bool open = true;

	while (open) {
		open = false;
		for (size_t i = 0; i < n; i++) {
			fds[i] = (struct pollfd){
				.fd = asked[i].out, .events = POLLIN};
			open |= asked[i].out >= 0;
		}
		if (!open || poll(fds, n, OFTEN) < 0)
			continue;
		progress_wait();
		for (size_t i = 0; i < n; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				read_some(&asked[i]);
	}
	free(fds);
}

static void read_lines(struct strv *lines, const char *text, struct arena *arena)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		strv_push(lines, arena, arena_strndup(arena, text, n));
	}
}

void ask_finish(struct asked_program *asked, size_t n, struct arena *arena,
	struct answer *answers)
{
	read_all(asked, n);
	for (size_t i = 0; i < n; i++) {
		int status = wait_for(asked[i].child);

		if (asked[i].n && !status) {
			asked[i].text[asked[i].n] = '\0';
			read_lines(&answers[i].lines, asked[i].text, arena);
		}
		if (status)
			answers[i].error =
				complaint(&asked[i], status, arena);
		free(asked[i].text);
		fclose(asked[i].errors);
	}
}

/* ---- records --------------------------------------------------------------*/

const char *record_text(struct json_object *record, const char *name)
{
	const char *text =
		json_object_get_string(json_object_object_get(record, name));

	return text ? text : "";
}

int64_t record_number(struct json_object *record, const char *name)
{
	return json_object_get_int64(json_object_object_get(record, name));
}

const char *record_json(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
}
