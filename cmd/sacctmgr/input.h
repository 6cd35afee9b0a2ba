/*
 * Standard input, for all who read it: lines of commands when it is no
 * terminal, and answers to questions. What follows an answer's line is left
 * for the next command.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"

/* Before anything is read. */
void input_init(void);

/* A line of a pipe, which is echoed behind the prompt, as readline does; NULL
 * at the end. */
char *input_line(const char *prompt, struct arena *);

/* Where questions and what they are about are printed: beside a document, not
 * in it. */
FILE *input_asking(struct session *);

/* False, and complained of: there is nothing to read an answer from. Of what
 * Slurm has too the question is put all the same, as Slurm does. */
bool input_can_ask(struct session *);

/* Asks, unless nobody can answer; true: yes. Ctrl-C ends a single command, and
 * says no in a session; so does Ctrl-D. */
bool input_ask(struct session *, const char *question);

/* After a no: says that nothing was done. Status 1 but for what Slurm has too:
 * what was to be made so is not. */
void input_discarded(struct session *);
