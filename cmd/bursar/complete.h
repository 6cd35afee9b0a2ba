/*
 * What could stand at the cursor of a command line of any of the programs, for
 * bash, zsh and fish: `bursar --complete -- PROGRAM WORD...`.
 */
#ifndef BURSAR_BURSAR_COMPLETE_H
#define BURSAR_BURSAR_COMPLETE_H

/*
 * Prints the words that the last of `n` could become, one a line, each
 * beginning with what was typed; words[0] is the program. `find` gives the
 * path of a program, or NULL.
 */
void complete_print(
	char **words, int n, const char *(*find)(const char *program));

#endif
