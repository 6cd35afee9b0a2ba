/*
 * Copies all pages of one database into another, as of one moment and in one
 * transaction, while others read and write both.
 */
#pragma once

#include <stdbool.h>

struct sqlite3;

/* A result code of SQLite; how far it is shows progress(). */
int pages_copy(struct sqlite3 *to, struct sqlite3 *from);

/* Removes from a copy the mark of a replica (db/shared): the copy is a store of
 * its own. A result code of SQLite. */
int pages_unmark(struct sqlite3 *copy);

/* Writes a file that no other process has open, without care for what a crash
 * leaves of it; unmarked, if asked for. A result code of SQLite. */
int pages_write(const char *path, struct sqlite3 *from, bool unmark);

/* While a statement of this connection runs for long, those who wait see what
 * goes on (progress_wait). */
void pages_show_wait(struct sqlite3 *);
