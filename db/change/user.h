/*
 * The entity user (add, modify user): what user.c, user_add.c and user_modify.c
 * share.
 */
#pragma once

#include "db/change/change.h"

int user_add_command(struct session *, struct request *);
int user_modify_command(struct session *, struct request *);

/* The request's conditions in the form that lists of users take. */
struct user_cond user_cond_of(const struct request *);

/* Refuses an unknown admin level, which else would silently change nothing: -1
 * with session->err. */
int user_check_level(struct session *, const struct settings *);

/* Refuses WCKeys= among the conditions, which only delete takes: 0, or -1 and
 * the reason was reported. */
int user_refuse_wckeys(struct session *, const struct request *);
