/*
 * Standard output, where it is a terminal: what a program prints may come from
 * the store, and a terminal must not obey it.
 */
#ifndef BURSAR_SCREEN_H
#define BURSAR_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/* On a terminal, what is printed on stdout from now on gets there with control
 * characters, and bytes that are no UTF-8, as \x1b; ends of lines, tabs and our
 * own colours stay. */
void screen_guard(void);

bool screen_is_guarded(void);

/* The terminal itself, for who edits a line on it; else stdout. */
FILE *screen_plain(void);

/* On standard error: words that were typed, names of files and of records. */
void screen_say(const char *text);

#endif
