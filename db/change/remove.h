/*
 * Deleting accounts, users and associations, with all that refuses it
 * (spec/sacctmgr.md 5.7).
 */
#ifndef BURSAR_CHANGE_REMOVE_H
#define BURSAR_CHANGE_REMOVE_H

#include "db/change/change.h"

/* By name: the records and their whole sub-trees everywhere. With association
 * conditions: only the rows that match, and what is below them. */
int remove_accounts(struct session *, struct request *);
int remove_users(struct session *, struct request *);

/* Refuses (with the list of jobs) when one of the rows has pending or running
 * jobs. 0: none. */
int check_active_jobs(struct session *, const struct assoc_list *);

#endif
