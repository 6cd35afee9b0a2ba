/*
 * What was meant by a word that means nothing: "; perhaps MaxJobs was meant", to
 * be put behind a complaint, or "" where nothing is near.
 */
#pragma once

#include "db/roster/roster_read.h"

/* One of the words of a comma list. */
const char *near_word(struct session *, const char *word, const char *list);

/* A key of that kind of record, or one of the list. */
const char *near_key(struct roster_reading *, enum roster_kind, const char *key,
	const char *list);

/* In a value of the member: a QOS, a flag. */
const char *near_value(struct session *, const struct member *,
	const struct qos_catalog *, const char *typed);

const char *near_account(
	struct session *, const char *name, const struct roster *);

const char *near_cluster(struct session *, const char *name);
