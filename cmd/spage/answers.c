/*
 * The other programs' answers: running one, reading its table, cutting its
 * explanations into those of single users and jobs.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/spage/spage.h"
#include "common/base/memory.h"
#include "common/cli/cli.h"

/* ---- running one ----------------------------------------------------------*/

enum { MOST_WORDS = 24 };

static _Noreturn void become(
	char *path, const char *const *argv, const char *user, int out, int err)
{
	const char *words[MOST_WORDS + 6] = {
		"runuser", "-u", user, "--", path};
	size_t n = 5;

	while (*++argv && n < MOST_WORDS + 5)
		words[n++] = *argv;
	if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(127);
	if (user)
		execvp("runuser", (char **)words);
	else
		execv(path, (char **)(words + 4));
	dprintf(STDERR_FILENO, "%s: %s", user ? "runuser" : path,
		strerror(errno));
	_exit(127);
}

/* All that can be read, with a NUL behind it. */
static char *read_all(int fd, struct arena *arena)
{
	char *text = NULL, *kept;
	size_t n = 0, room = 0;
	ssize_t got = 1;

	while (got) {
		if (room - n < 65536)
			text = memory_resize(text, room = room * 2 + 131072, 1);
		got = read(fd, text + n, room - n - 1);
		if (got < 0 && errno != EINTR)
			break;
		n += got > 0 ? (size_t)got : 0;
		if (got < 0)
			got = 1;
	}
	kept = arena_strndup(arena, text, n);
	free(text);
	return kept;
}

/* The first line that says what is wrong. */
static const char *complaint(
	const char *name, int fd, int status, struct arena *arena)
{
	char *text;

	lseek(fd, 0, SEEK_SET);
	text = read_all(fd, arena);
	text[strcspn(text, "\n")] = '\0';
	if (*text)
		return text;
	return arena_printf(arena, "%s failed (status %d)", name, status);
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int ask_program(const char *const *argv, const char *user, struct arena *arena,
	struct answer *answer, struct err *err)
{
	char path[PATH_MAX];
	FILE *errors = tmpfile();
	int ends[2], status;
	pid_t child;

	if (!errors)
		return err_set(err, ERR_SYSTEM, "cannot ask %s: %s", *argv,
			strerror(errno));
	if (cli_beside(path, *argv, err)) {
		fclose(errors);
		return -1;
	}
	if (pipe(ends)) {
		err_set(err, ERR_SYSTEM, "cannot ask %s: %s", *argv,
			strerror(errno));
		fclose(errors);
		return -1;
	}
	child = fork();
	if (child < 0) {
		err_set(err, ERR_SYSTEM, "cannot run %s: %s", path,
			strerror(errno));
		close(ends[0]);
		close(ends[1]);
		fclose(errors);
		return -1;
	}
	if (!child)
		become(path, argv, user, ends[1], fileno(errors));
	close(ends[1]);
	answer->text = read_all(ends[0], arena);
	close(ends[0]);
	status = wait_for(child);
	if (status) {
		answer->error =
			complaint(*argv, fileno(errors), status, arena);
		answer->text = arena_strdup(arena, "");
	}
	fclose(errors);
	return 0;
}

/* ---- tables ---------------------------------------------------------------*/

struct reader {
	char *at;
	char separator;
	struct arena *arena;
};

/* The next value, in its place; what ended it. */
static char *read_value(struct reader *r, char *end)
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
static char **read_row(struct reader *r, size_t n)
{
	char **row = arena_array(r->arena, n, sizeof(*row));
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
	struct reader r = {text, separator, arena};
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

/* ---- rows by a value ------------------------------------------------------*/

static int compare_keys(const void *a, const void *b, void *arg)
{
	const struct row_index *index = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int order = strcmp(index->rows->v[i][index->column],
		index->rows->v[j][index->column]);

	return order ? order : (i > j) - (i < j);
}

void row_index_make(struct row_index *index, const struct rows *rows,
	size_t column, struct arena *arena)
{
	*index = (struct row_index){.rows = rows, .column = column};
	index->order = arena_array(arena, rows->n, sizeof(*index->order));
	for (size_t i = 0; i < rows->n; i++)
		index->order[i] = i;
	if (rows->n)
		qsort_r(index->order, rows->n, sizeof(*index->order),
			compare_keys, index);
}

char **row_index_find(const struct row_index *index, const char *key)
{
	size_t low = 0, high = index->rows->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		char **row = index->rows->v[index->order[middle]];

		if (strcmp(row[index->column], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < index->rows->n) {
		char **row = index->rows->v[index->order[low]];

		if (!strcmp(row[index->column], key))
			return row;
	}
	return NULL;
}

/* ---- explanations ---------------------------------------------------------*/

/* Behind the name in the first line of an explanation; NULL: it is none. */
static char *name_end(char *line, const char *begins, const char *ends)
{
	char *line_end = line + strcspn(line, "\n"), *end;

	if (*line == ' ' || strncmp(line, begins, strlen(begins)) != 0)
		return NULL;
	end = strstr(line, ends);
	return end && end < line_end ? end : NULL;
}

void words_read(struct rows *rows, char *text, const char *begins,
	const char *ends, struct arena *arena)
{
	size_t cap = 0;

	rows->n_heads = 2;
	while (text) {
		char *end = name_end(text, begins, ends);
		char *next = strstr(text, "\n\n");

		if (end) {
			char **row = arena_array(arena, 2, sizeof(*row));

			row[0] = arena_strndup(
				arena, text, (size_t)(end - text));
			row[1] = text;
			if (rows->n)
				text[-1] = '\0';
			*ARENA_PUSH(arena, rows->v, rows->n, cap) = row;
		}
		text = next ? next + 2 : NULL;
	}
}
