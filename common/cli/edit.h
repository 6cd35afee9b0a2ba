/*
 * Reads lines typed at a terminal, with editing, history and completion by
 * libedit. No other part knows libedit, which is loaded when it is needed. For
 * cmd/ only.
 *
 * Keys are those of emacs unless ~/.editrc says otherwise. TAB completes,
 * Ctrl-C drops the line, Ctrl-D on an empty line is the end. The history is
 * kept in $XDG_STATE_HOME/bursar/PROGRAM_history (if that is unset, below
 * ~/.local/state); a program with more rights than its caller keeps none.
 */
#pragma once

#include "common/base/arena.h"
#include "common/table/complete.h"

struct edit;

/*
 * Begins a session; edit_close ends it. NULL: there is no libedit, or it does
 * not start on this terminal. On TAB, complete(arg, ...) gets the `n` words
 * typed up to the cursor and offers what the last of them can become. `program`
 * and `prompt` are not copied.
 */
struct edit *edit_open(const char *program, const char *prompt,
	void (*complete)(void *arg, struct completion *, char **words, int n),
	void *arg);

/* Waits for the next line and returns it without its newline, in the arena;
 * NULL at the end of the input. */
char *edit_line(struct edit *, struct arena *);

/* NULL is allowed. */
void edit_close(struct edit *);
