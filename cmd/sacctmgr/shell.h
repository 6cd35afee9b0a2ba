/*
 * The interactive session (spec/sacctmgr.md 1.6): lines of a terminal through
 * libedit, lines of a pipe byte by byte.
 */
#ifndef BURSAR_SACCTMGR_SHELL_H
#define BURSAR_SACCTMGR_SHELL_H

#include "cmd/sacctmgr/sacctmgr.h"

enum { MAX_WORDS = 127 };

/* Reads lines until exit, quit or the end of input. */
void run_shell(struct session *);

/* Carries out one command; messages are out, session->status is set. */
void run_command(struct session *, char **words, int n);

/* Cuts the line into at most MAX_WORDS words, where it stands. A quoted
 * stretch belongs to its word, quotes and all. -1: too many. */
int split_line(char *line, char **words);

/* The same for a line that is still being typed: the last word is the one the
 * cursor stands at, empty behind a blank. Room for one word more is needed. */
int split_partial(char *line, char **words);

#endif
