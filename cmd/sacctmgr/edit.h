/*
 * Lines typed at a terminal: editing, history and completion by libedit, the
 * only part that knows it.
 *
 * Keys are those of emacs unless ~/.editrc says otherwise. TAB completes,
 * Ctrl-C drops the line, Ctrl-D on an empty line is the end. The history is
 * kept in $XDG_STATE_HOME/bursar/sacctmgr_history (~/.local/state without
 * that); a program with more rights than its caller keeps none.
 */
#ifndef BURSAR_SACCTMGR_EDIT_H
#define BURSAR_SACCTMGR_EDIT_H

#include "cmd/sacctmgr/sacctmgr.h"

struct edit;

/* NULL when libedit does not start on this terminal. */
struct edit *edit_open(struct session *, const char *prompt);

/* The next line without its newline, in the arena; NULL at the end. */
char *edit_line(struct edit *, struct arena *);

void edit_close(struct edit *);

#endif
