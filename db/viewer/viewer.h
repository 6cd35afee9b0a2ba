/*
 * What the programs that show things do before their listings. For cmd/ only:
 * it prints, and ends the program at an error.
 */
#pragma once

#include <stdbool.h>

#include "common/cli/options.h"
#include "db/entity/site.h"

/* Opens the site to read, prints the hints of its configuration and tells the
 * `meta` of documents who asks where. `described`: slurm.conf is enough
 * (site_open_described). */
void viewer_open(struct site *, bool described, struct err *);

/* The names of the clusters asked for, in place of those that were in `names`;
 * with none, those of our federation if that is to be shown, else our own. Are
 * they a federation's? */
bool viewer_clusters(
	struct site *, const struct option_clusters *asked, struct strv *names);

/* Ends the program where a cluster is asked for that slurm.conf does not
 * describe. */
void viewer_own_cluster(
	const struct site *, const struct option_clusters *asked);

/* Replaces each of the users asked for by the name it means; complains about
 * those that nobody knows. */
void viewer_users(struct site *, struct option_list *users, struct arena *);

/* The name of the one user asked for; one that nobody knows ends the program. */
const char *viewer_user(struct site *, const char *text);

/* The line above the listing of the i-th of several clusters. */
void viewer_title(const struct strv *clusters, size_t i);
