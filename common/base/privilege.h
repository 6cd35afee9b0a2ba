/*
 * Rights of programs that are installed setgid or setuid, so that users who may
 * not read the store's file can query it. The program drops these rights at the
 * start of main and raises them again only around the system calls that touch
 * the store's own files (db/file/files.h): it opens every other file with the
 * caller's rights.
 */
#pragma once

#include <stdbool.h>

/* Drops the extra rights and removes environment variables that name files or
 * programs (HOME, PAGER, SLURM_CONF ...); does nothing in a program without
 * extra rights. Call it before anything else, and before a second thread is
 * started. A failure ends the program with status 1. */
void privilege_drop(void);

/* Was this program started with more rights than its caller has? Stays true
 * after privilege_drop(). */
bool privilege_held(void);

/* privilege_held(), and the caller is not root, who has all rights anyway. */
bool privilege_guards(void);

/* Between the two, this thread opens files with the program's own rights (its
 * file system uid and gid; other ids stay as they are). Pairs may be nested.
 * Neither call changes errno. */
void privilege_raise(void);
void privilege_lower(void);
