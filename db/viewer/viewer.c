/*
 * What programs do before their listings; see viewer.h.
 */
#include "db/viewer/viewer.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "common/cli/cli.h"
#include "db/entity/cluster.h"
#include "db/entity/names.h"
#include "db/entity/user.h"

void viewer_open(struct site *site, bool described, struct err *err)
{
	if (described ? site_open_described(site, err)
		      : site_open(site, STORE_READ, false, err))
		cli_die(err);
	cli_print_hints(&site->conf.hints);
	cli_asked(site->cluster, site->caller.name);
}

void viewer_own_cluster(
	const struct site *site, const struct option_clusters *asked)
{
	if (asked->text && strcasecmp(asked->text, site->cluster))
		cli_fatal("only cluster %s is known here: %s describes it",
			site->cluster, site->conf.path);
}

static void read_typed(struct site *site, const char *typed, struct strv *names)
{
	const char *unknown;

	if (cluster_typed(&site->store, typed, &site->arena, names, &unknown))
		cli_die(site->store.err);
	if (unknown)
		option_bad_cluster(unknown, typed);
}

bool viewer_clusters(struct site *site, const struct option_clusters *asked,
	struct strv *names)
{
	bool together = !asked->text && !asked->local &&
			(asked->federation || asked->sibling ||
				site_shows_federation(site));

	*names = (struct strv){0};
	if (asked->text)
		read_typed(site, asked->text, names);
	else if (together && cluster_federation(&site->store, site->cluster,
				     &site->arena, names))
		cli_die(site->store.err);
	if (names->n)
		return together;
	strv_push(names, &site->arena, site->cluster);
	return false;
}

void viewer_users(
	struct site *site, struct option_list *users, struct arena *arena)
{
	struct strv unknown = {0};

	if (user_meant_list(&site->store, &users->words, arena, &unknown))
		cli_die(site->store.err);
	option_bad_users(&unknown);
	site_missing(site, FROM_USERS, &unknown, cli_no_such);
}

const char *viewer_user(struct site *site, const char *text)
{
	const char *name;
	int known = user_meant(&site->store, text, &site->arena, &name);

	if (known < 0)
		cli_die(site->store.err);
	if (known)
		return name;
	cli_error("Invalid user id: %s", text);
	site_missing_one(site, FROM_USERS, text, cli_no_such);
	exit(1);
}

void viewer_title(const struct strv *clusters, size_t i)
{
	printf("%sCLUSTER: %s\n", i ? "\n" : "", clusters->v[i]);
}
