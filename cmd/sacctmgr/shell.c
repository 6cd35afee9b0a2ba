#include "cmd/sacctmgr/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/sacctmgr/complete.h"
#include "cmd/sacctmgr/input.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/edit.h"
#include "db/job/complete.h"

static const char prompt_text[] = "sacctmgr: ";

/* A command begins as if none had failed before; the session remembers. */
static void run_line(struct session *s, char *line)
{
	char *words[LINE_WORDS];
	int n = line_split(line, QUOTES_NEST, words);
	int failed_before = s->status;

	if (n < 0) {
		complain(s, "%s: can not process over %d words", cli_name(),
			LINE_WORDS);
		program(s)->leave = true;
		return;
	}
	if (!n)
		return;
	s->status = 0;
	if (s->store && site_refresh(&s->site))
		complain_err(s);
	else
		run_command(s, words, n);
	s->status |= failed_before;
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

static void complete(
	void *session, struct completion *c, char **words, int n)
{
	struct session *s = session;

	c->stored = offer_stored;
	c->site = s->store ? &s->site : NULL;
	sacctmgr_complete(c, words, n);
}

void run_shell(struct session *s)
{
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct edit *edit = terminal ? edit_open("sacctmgr", prompt_text, complete, s) : NULL;
	struct arena lines;
	char *last = NULL;

	program(s)->interactive = true;
	if (site_has_store() && session_open(s, STORE_READ))
		cli_die(&s->err);
	arena_init(&lines);
	while (!program(s)->leave) {
		char *line;

		arena_reset(&lines);
		line = edit ? edit_line(edit, &lines) : input_line(prompt_text, &lines);
		if (!line) {
			putchar('\n');
			break;
		}
		if (*line && *line != '#')
			line = recall(line, &last, &lines);
		if (!*line || *line == '#') {
			s->status = 1; /* as Slurm for a line without words */
			continue;
		}
		run_line(s, line);
		fflush(stdout);
	}
	free(last);
	arena_release(&lines);
	edit_close(edit);
}
