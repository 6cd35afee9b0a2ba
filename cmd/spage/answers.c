/*
 * The other programs' answers: running one, reading its table or the
 * documents of its explanations.
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

/* Hash tables live in the arena and go with it. */
#define uthash_malloc(size) arena_alloc(arena, (size))
#define uthash_free(memory, size) ((void)(memory))

#include "cmd/spage/spage.h"
#include "common/base/hash.h"
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

void ask_finish(struct asked_program *asked, size_t n, struct arena *arena,
	struct answer *answers)
{
	read_all(asked, n);
	for (size_t i = 0; i < n; i++) {
		int status = wait_for(asked[i].child);

		answers[i].text = arena_strndup(arena,
			asked[i].n ? asked[i].text : "",
			status ? 0 : asked[i].n);
		if (status)
			answers[i].error =
				complaint(&asked[i], status, arena);
		free(asked[i].text);
		fclose(asked[i].errors);
	}
}

/* ---- tables ---------------------------------------------------------------*/

struct answer_reader {
	char *at;
	char separator;
	struct arena *arena;
};

/* The next value, in its place; what ended it. */
static char *read_value(struct answer_reader *r, char *end)
{
	char *value = r->at, *to = value, *from = value;
	bool quoted = r->separator == ',' && *from == '"';

	if (quoted)
		from++;
	for (; *from; from++) {
		if (quoted && *from == '"') {
			if (from[1] == '"')
				from++;
			else {
				quoted = false;
				continue;
			}
		} else if (!quoted &&
			   (*from == r->separator || *from == '\n')) {
			break;
		}
		*to++ = *from;
	}
	*end = *from;
	r->at = *from ? from + 1 : from;
	*to = '\0';
	return value;
}

/* One line: the values of `n` columns, missing ones empty, more left out. */
static char **read_row(struct answer_reader *r, size_t n)
{
	char **row = arena_array(r->arena, n + 1, sizeof(*row));
	char end = r->separator;

	for (size_t i = 0; i < n; i++)
		row[i] = end == r->separator ? read_value(r, &end)
					     : arena_strdup(r->arena, "");
	while (end == r->separator)
		read_value(r, &end);
	return row;
}

static size_t count_heads(const char *text, char separator)
{
	size_t n = 1;

	for (; *text && *text != '\n'; text++)
		n += *text == separator;
	return n;
}

void rows_read(
	struct rows *rows, char *text, char separator, struct arena *arena)
{
	struct answer_reader r = {text, separator, arena};
	size_t cap = 0;

	if (!*text)
		return;
	rows->n_heads = count_heads(text, separator);
	rows->heads = read_row(&r, rows->n_heads);
	while (*r.at) {
		char **row = read_row(&r, rows->n_heads);

		*ARENA_PUSH(arena, rows->v, rows->n, cap) = row;
	}
}

void rows_make(struct rows *rows, const char *heads, struct arena *arena)
{
	char *text = arena_printf(arena, "%s\n", heads);

	rows_read(rows, text, ',', arena);
}

char **rows_add(struct rows *rows, size_t *cap, struct arena *arena)
{
	char **row = arena_array(arena, rows->n_heads + 1, sizeof(*row));

	*ARENA_PUSH(arena, rows->v, rows->n, *cap) = row;
	return row;
}

char *rows_cell(const struct rows *rows, char **row, const char *head)
{
	for (size_t i = 0; i < rows->n_heads; i++)
		if (!strcmp(rows->heads[i], head))
			return row[i];
	return "";
}

/* ---- rows by a value ------------------------------------------------------*/

struct row_index {
	char **row;
	UT_hash_handle hh;
};

char **row_index_find(const struct row_index *index, const char *key)
{
	struct row_index *found;

	HASH_FIND_STR(index, key, found);
	return found ? found->row : NULL;
}

struct row_index *row_index_make(
	const struct rows *rows, size_t column, struct arena *arena)
{
	struct row_index *index = NULL;

	for (size_t i = 0; i < rows->n; i++) {
		char *key = rows->v[i][column];
		struct row_index *place;

		if (row_index_find(index, key))
			continue;
		place = arena_alloc(arena, sizeof(*place));
		place->row = rows->v[i];
		HASH_ADD_KEYPTR(hh, index, key, strlen(key), place);
	}
	return index;
}

/* ---- explanations ---------------------------------------------------------*/

/* A member of an explanation; "": it has none of that name. */
static const char *member(const struct json_object *record, const char *name)
{
	struct json_object *value = json_object_object_get(record, name);

	return value ? json_object_get_string(value) : "";
}

/* One record, from a line. */
static char **read_words(
	const char *line, const char *const *names, struct arena *arena)
{
	struct json_object *record = json_tokener_parse(line);
	char **row = arena_array(arena, 2, sizeof(*row));
	const char *key = "";

	for (; *names; names++)
		key = arena_printf(arena, "%s %s", key, member(record, *names));
	row[0] = arena_strdup(arena, key);
	row[1] = arena_strdup(arena, member(record, "text"));
	json_object_put(record);
	return row;
}

void words_read(struct rows *rows, char *text, const char *const *names,
	struct arena *arena)
{
	size_t cap = 0;

	rows->n_heads = 2;
	for (char *line = text, *next; *line; line = next) {
		char *end = line + strcspn(line, "\n");
		char **row;

		next = end + (*end == '\n');
		*end = '\0';
		row = read_words(line, names, arena);
		*ARENA_PUSH(arena, rows->v, rows->n, cap) = row;
	}
}
