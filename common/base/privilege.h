/*
 * Programs installed with rights of their own (setgid or setuid, so that people
 * who may not read the store's file can ask it). Those rights are put aside at
 * the first line of main and taken up again only around the system calls that
 * touch the store's own files (db/store/files.h): every other file is opened
 * with the caller's rights.
 */
#ifndef BURSAR_PRIVILEGE_H
#define BURSAR_PRIVILEGE_H

#include <stdbool.h>

/* Puts them aside and forgets what the environment says about files. Before
 * anything else, and before there is a second thread. Ends the program when it
 * cannot be done. */
void privilege_drop(void);

/* Was this program started with more rights than its caller has? */
bool privilege_held(void);

/* And does its caller not have them anyway, as root does? */
bool privilege_guards(void);

/* The file access of this thread, and nothing else of it: with the program's
 * own rights until they are put aside again. Pairs may be nested. errno stays. */
void privilege_raise(void);
void privilege_lower(void);

#endif
