/*
 * The interactive session of sreport: a line, a command (Slurm's
 * src/sreport/sreport.c). Lines of a terminal come through the line editor.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/sreport/sreport.h"
#include "common/base/memory.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/edit.h"
#include "db/job/complete.h"

static void run_line(struct session *s, char *line)
{
	char *words[LINE_WORDS];
	int n = line_split(line, QUOTES_CROSS, words);

	if (n < 0) {
		complain(s, "%s: can not process over %d words", cli_name(),
			LINE_WORDS);
		s->options.leave = true;
	} else if (n) {
		run_command(s, n, words);
	} else {
		s->options.failed = true; /* as Slurm: no input */
	}
	fflush(stdout);
}

/* The line, or for `!!` the one before, which *last keeps. */
static char *recall(char *line, char **last)
{
	char *copy;

	if (strcmp(line, "!!")) {
		copy = strdup(line);
		free(*last);
		*last = copy;
	}
	return *last ? strdup(*last) : NULL;
}

static const char prompt_text[] = "sreport: ";

/* A line of a pipe, echoed as readline does; NULL at the end. */
static char *read_plain(bool echo)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	fputs(prompt_text, stdout);
	fflush(stdout);
	n = getline(&line, &size, stdin);
	if (n < 0 && errno == ENOMEM && !feof(stdin))
		memory_out(0);
	if (n < 0) {
		free(line);
		return NULL;
	}
	if (n && line[n - 1] == '\n')
		line[n - 1] = '\0';
	if (echo)
		puts(line);
	return line;
}

/* A copy: the arena of the lines is given back. */
static char *read_edited(struct edit *edit)
{
	struct arena arena;
	char *line;

	arena_init(&arena);
	line = edit_line(edit, &arena);
	if (line)
		line = strdup(line);
	arena_release(&arena);
	return line;
}

static void complete(
	void *session, struct completion *c, char **words, int n)
{
	c->stored = offer_stored;
	c->site = &((struct session *)session)->site;
	sreport_complete(c, words, n);
}

void run_shell(struct session *s)
{
	bool typed = isatty(STDIN_FILENO);
	struct edit *edit = typed && isatty(STDOUT_FILENO)
		? edit_open("sreport", prompt_text, complete, s)
		: NULL;
	char *last = NULL;

	while (!s->options.leave) {
		/* What is typed shows on a terminal without our help. */
		char *line = edit ? read_edited(edit) : read_plain(!typed);
		char *copy;

		if (!line) {
			putchar('\n');
			break;
		}
		copy = *line == '#' ? NULL : recall(line, &last);
		if (copy)
			run_line(s, copy);
		else
			s->options.failed = true; /* Slurm takes it for an empty line */
		free(copy);
		free(line);
	}
	free(last);
	edit_close(edit);
}
