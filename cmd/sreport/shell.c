/*
 * The interactive session of sreport: a line, a command (spec/reporting.md
 * 4.1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/sreport/sreport.h"
#include "common/base/words.h"
#include "common/cli/cli.h"

static void run_line(struct session *s, char *line)
{
	char *words[LINE_WORDS];
	int n = line_split(line, QUOTES_CROSS, words);

	if (n < 0) {
		complain(s, "%s: can not process over %d words", cli_name(),
			LINE_WORDS);
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
	bool terminal = isatty(STDIN_FILENO);

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
		if (!terminal) /* what is typed shows there without our help */
			puts(line);
		if (*line == '#') {
			s->options.failed = true; /* no words, to the original */
			continue;
		}
		copy = recall(line, &last);
		if (copy)
			run_line(s, copy);
		else
			s->options.failed = true;
		free(copy);
	}
	free(line);
	free(last);
}
