#include "cmd/sacctmgr/shell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/sacctmgr/edit.h"
#include "common/cli.h"

enum { MAX_LINE = 65536 };

static const char prompt_text[] = "sacctmgr: ";

/* A line of a pipe, byte by byte: what follows is left for the answer to a
 * question. NULL at the end. The line is echoed, as readline does. */
static char *read_plain(struct arena *arena)
{
	char *line = arena_alloc(arena, MAX_LINE);
	size_t n = 0;
	char c;

	fputs(prompt_text, stdout);
	fflush(stdout);
	while (n + 1 < MAX_LINE) {
		if (read(STDIN_FILENO, &c, 1) != 1) {
			if (!n)
				return NULL;
			break;
		}
		if (c == '\n')
			break;
		line[n++] = c;
	}
	puts(line);
	return line;
}

/* Behind the word that begins at c. */
static char *word_end(char *c)
{
	char quote = '\0';

	for (; *c && (quote || !isspace((unsigned char)*c)); c++) {
		if (quote && *c == quote)
			quote = '\0';
		else if (!quote && (*c == '"' || *c == '\''))
			quote = *c;
	}
	return c;
}

/* `open`: the last word ended with the line, not before. */
static int split(char *line, char **words, bool *open)
{
	int n = 0;

	*open = false;
	for (char *c = line; *c;) {
		while (isspace((unsigned char)*c))
			c++;
		*open = *c != '\0';
		if (!*c)
			break;
		if (n == MAX_WORDS)
			return -1;
		words[n++] = c;
		c = word_end(c);
		if (*c) {
			*c++ = '\0';
			*open = false;
		}
	}
	return n;
}

int split_line(char *line, char **words)
{
	bool open;

	return split(line, words, &open);
}

int split_partial(char *line, char **words)
{
	bool open;
	char *end = line + strlen(line);
	int n = split(line, words, &open);

	if (n >= 0 && !open)
		words[n++] = end;
	return n;
}

static void run_line(struct session *s, char *line)
{
	char *words[MAX_WORDS];
	int n = split_line(line, words);

	if (n < 0) {
		complain(s, "%s: can not process over %d words", cli_name(),
			MAX_WORDS);
		s->leave = true;
		return;
	}
	if (n)
		run_command(s, words, n);
}

/* The command line to carry out: `!!` is the last one again. */
static char *recall(char *line, char **last, struct arena *arena)
{
	char *copy;

	if (!strcmp(line, "!!"))
		return arena_strdup(arena, *last ? *last : "");
	copy = strdup(line);
	if (copy) {
		free(*last);
		*last = copy;
	}
	return line;
}

void run_shell(struct session *s)
{
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct edit *edit = terminal ? edit_open(s, prompt_text) : NULL;
	struct arena lines;
	char *last = NULL;

	s->interactive = true;
	arena_init(&lines);
	while (!s->leave) {
		char *line;

		arena_reset(&lines);
		line = edit ? edit_line(edit, &lines) : read_plain(&lines);
		if (!line) {
			putchar('\n');
			break;
		}
		if (!*line || *line == '#') {
			s->status = 1; /* the original's answer to no words */
			continue;
		}
		run_line(s, recall(line, &last, &lines));
		fflush(stdout);
	}
	free(last);
	arena_release(&lines);
	edit_close(edit);
}
