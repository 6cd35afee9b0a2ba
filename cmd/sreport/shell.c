/*
 * The interactive session of sreport: a line, a command (spec/reporting.md
 * 4.1).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sreport/sreport.h"
#include "common/cli.h"

enum { MAX_WORDS = 127 };

/* Behind the word that begins at c; quotes keep blanks inside. */
static char *word_end(char *c)
{
	bool once = false, twice = false;

	for (; *c && (once || twice || !isspace((unsigned char)*c)); c++) {
		if (*c == '"')
			twice = !twice;
		else if (*c == '\'')
			once = !once;
	}
	return c;
}

/* Cuts the line into words where it stands; -1: too many. */
static int split_line(char *line, char **words)
{
	int n = 0;

	for (char *c = line; *c;) {
		while (isspace((unsigned char)*c))
			c++;
		if (!*c)
			break;
		if (n == MAX_WORDS)
			return -1;
		words[n++] = c;
		c = word_end(c);
		if (*c)
			*c++ = '\0';
	}
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
	} else if (n) {
		run_command(s, n, words);
	} else {
		s->options.failed = true; /* as the original: no input */
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

void run_shell(struct session *s)
{
	char *line = NULL, *last = NULL;
	size_t size = 0;

	while (!s->leave) {
		char *copy;
		ssize_t n;

		fputs("sreport: ", stdout);
		fflush(stdout);
		n = getline(&line, &size, stdin);
		if (n < 0) {
			putchar('\n');
			break;
		}
		if (n && line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (*line == '#')
			continue;
		copy = recall(line, &last);
		if (copy)
			run_line(s, copy);
		free(copy);
	}
	free(line);
	free(last);
}
