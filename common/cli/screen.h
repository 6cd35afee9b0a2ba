/*
 * Guards the terminal: text from the store may hold control sequences, and a
 * terminal must not obey them.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* If standard output is a terminal, replaces stdout with a stream that writes
 * control characters and bytes that are not UTF-8 in hexadecimal, as \x1b.
 * Newlines, tabs and our own colours pass. */
void screen_guard(void);

/* Has screen_guard() replaced stdout? */
bool screen_is_guarded(void);

/* The stream to the terminal itself, for line editing; stdout if it was not
 * replaced. */
FILE *screen_plain(void);

/* Prints a text to standard error in the same way: it may hold typed words,
 * file names or names of records. */
void screen_say(const char *text);
