/*
 * Lines typed at a terminal: editing, history and completion by libedit, the
 * only part that knows it, loaded when it is needed. For cmd/ only.
 *
 * Keys are those of emacs unless ~/.editrc says otherwise. TAB completes,
 * Ctrl-C drops the line, Ctrl-D on an empty line is the end. The history is
 * kept in $XDG_STATE_HOME/bursar/PROGRAM_history (~/.local/state without
 * that); a program with more rights than its caller keeps none.
 */
#ifndef BURSAR_EDIT_H
#define BURSAR_EDIT_H

#include "common/base/arena.h"
#include "common/base/strv.h"

struct edit;

/*
 * NULL when there is no libedit, or it does not start on this terminal. `complete` adds the words
 * that the last of n could become, each beginning with what was typed.
 */
struct edit *edit_open(const char *program, const char *prompt,
	void (*complete)(void *arg, char **words, int n, struct arena *,
		struct strv *candidates),
	void *arg);

/* The next line without its newline, in the arena; NULL at the end. */
char *edit_line(struct edit *, struct arena *);

void edit_close(struct edit *);

#endif
