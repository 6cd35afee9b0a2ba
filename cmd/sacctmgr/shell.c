#include "cmd/sacctmgr/shell.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "common/cli.h"

enum { MAX_WORDS = 127, MAX_LINE = 65536 };

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

/* Words between blanks; a quoted stretch belongs to its word, quotes and
 * all. -1: too many. */
static int split(char *line, char **words)
{
	int n = 0;

	for (char *c = line; *c;) {
		char quote = '\0';

		while (isspace((unsigned char)*c))
			c++;
		if (!*c)
			break;
		if (n == MAX_WORDS)
			return -1;
		words[n++] = c;
		for (; *c && (quote || !isspace((unsigned char)*c)); c++) {
			if (quote && *c == quote)
				quote = '\0';
			else if (!quote && (*c == '"' || *c == '\''))
				quote = *c;
		}
		if (*c)
			*c++ = '\0';
	}
	return n;
}

static void run_line(struct session *s, char *line)
{
	char *words[MAX_WORDS];
	int n = split(line, words);

	if (n < 0) {
		complain(s, "%s: can not process over %d words", cli_name(),
			MAX_WORDS);
		s->leave = true;
		return;
	}
	if (n)
		run_command(s, words, n);
}

static char *read_line(struct session *s, struct arena *arena)
{
	(void)s;
	return read_plain(arena);
}

void run_shell(struct session *s)
{
	struct arena lines;
	char last[MAX_LINE] = "";

	s->interactive = true;
	arena_init(&lines);
	while (!s->leave) {
		char *line;

		arena_reset(&lines);
		line = read_line(s, &lines);
		if (!line) {
			putchar('\n');
			break;
		}
		if (!*line || *line == '#') {
			s->status = 1; /* the original's answer to no words */
			continue;
		}
		if (!strcmp(line, "!!"))
			line = arena_strdup(&lines, last);
		else
			strncpy(last, line, sizeof(last) - 1);
		run_line(s, line);
	}
	arena_release(&lines);
}
