/*
 * What the files of the entity user share.
 */
#ifndef BURSAR_CHANGE_USER_H
#define BURSAR_CHANGE_USER_H

#include "db/change/change.h"

extern const struct vocabulary user_vocabulary;
/* In an add, names have words of their own, and there is no `where`. */
extern const struct vocabulary user_add_vocabulary;

int user_add_command(struct session *, char **words, int n);
int user_modify_command(struct session *, char **words, int n);

/* Which records the conditions choose. */
struct user_cond user_cond_of(const struct request *);

/* An unknown admin level changes nothing; it must not pass in silence. -1 with
 * session->err. */
int user_check_level(struct session *, const struct settings *);

/* 0, or says why and -1. */
int user_refuse_wckeys(struct session *, const struct request *);

#endif
