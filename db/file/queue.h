/*
 * Those who want to write the store stand in line: first come, first served.
 * SQLite alone lets whoever looks at the right moment go first, and among many
 * some wait for ever.
 *
 * A place in the line is a lock on one byte of STORE-wal, far behind its end and
 * behind all that others hold there. SQLite locks nothing in that file, and a
 * killed process leaves no lock behind. The line only orders: who cannot stand
 * in it (the file is not there yet) waits as SQLite does.
 */
#pragma once

/* Waits until nobody is before us, or nobody has got on for `*ms` milliseconds
 * (and 1/20 more); what is left of them afterwards is in `*ms`: 0 when others
 * still were. The place, to be given to queue_leave; 0 without one. */
int queue_enter(const char *path, int *ms);

/* A place where nobody stands in line, or 0. */
int queue_enter_alone(const char *path);

void queue_leave(int place);
