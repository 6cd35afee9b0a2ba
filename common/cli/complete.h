/*
 * Completion of a command line for the shells: `PROGRAM --complete -- WORD...`
 * prints what the last word could become, a line each; `--complete=help` prints
 * behind each, after a tab, a line that describes it. For cmd/ only.
 */
#pragma once

#include <stdbool.h>

#include "common/cli/options.h"
#include "common/table/complete.h"

/* If the command line asks for that, answers it from the table of options and
 * ends the program with status 0, whatever is wrong. options_read calls it. */
void complete_if_asked(const struct option_row *, int argc, char **argv);

/* Sorts and prints the candidates. */
void completion_print(struct completion *, bool described);
