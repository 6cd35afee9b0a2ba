#include "cmd/sacctmgr/private.h"

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/cli/cli.h"

static int refuse(struct session *s, const char *last)
{
	cli_error("Access/permission denied");
	return complain(s, "%s",
		last ? last : " Error with request: Access/permission denied");
}

int private_refuse(struct session *s, unsigned what, const char *last)
{
	return private_hides(s, what) ? refuse(s, last) : 0;
}

/* ---- the listings --------------------------------------------------------*/

int private_ask(struct session *s, unsigned what, struct privacy *privacy)
{
	static const struct strv nobody;

	if (privacy_open(privacy, &s->site, what, &s->arena))
		return complain_err(s);
	if (privacy->on && s->site.dbd.disable_coord)
		privacy_restrict(privacy, privacy->caller, &nobody, &s->arena);
	return 0;
}

int private_accounts(struct session *s, struct account_list *list)
{
	struct privacy privacy;
	size_t kept = 0;

	if (private_ask(s, PRIVATE_ACCOUNTS, &privacy))
		return -1;
	if (privacy.on && !privacy.coordinated.n)
		return refuse(s, NULL);
	for (size_t i = 0; i < list->n; i++)
		if (privacy_allows(&privacy, "", list->v[i].name))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

int private_users(struct session *s, struct user_list *list)
{
	struct privacy privacy;
	size_t kept = 0;

	if (private_ask(s, PRIVATE_USERS, &privacy))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (privacy_allows(&privacy, list->v[i].name, ""))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

int private_assocs(struct session *s, struct assoc_list *list)
{
	struct privacy privacy;
	size_t kept = 0;

	if (private_ask(s, PRIVATE_USERS, &privacy))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (privacy_allows(&privacy, list->v[i]->user,
			    list->v[i]->account))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

void private_clusters(struct session *s, struct cluster_list *list)
{
	if (!private_hides(s, PRIVATE_USERS | PRIVATE_ACCOUNTS))
		return;
	for (size_t i = 0; i < list->n; i++)
		list->v[i].root.key = 0;
}
