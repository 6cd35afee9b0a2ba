#include "cmd/sacctmgr/private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/cli/cli.h"

static int refuse(struct session *s, const char *last)
{
	cli_error("Access/permission denied");
	complain(s, "%s",
		last ? last : " Error with request: Access/permission denied");
	return -1;
}

int private_refuse(struct session *s, unsigned what, const char *last)
{
	return private_hides(s, what) ? refuse(s, last) : 0;
}

/* ---- what a coordinator sees ---------------------------------------------*/

/* The accounts the caller coordinates, sorted. */
static int coordinated(struct session *s, struct strv *accounts)
{
	*accounts = (struct strv){0};
	if (s->site.dbd.disable_coord)
		return 0;
	if (coordinated_accounts(
		    s->store, s->site.caller.name, &s->arena, accounts, NULL)) {
		complain_err(s);
		return -1;
	}
	strv_sort(accounts);
	return 0;
}

static int compare_words(const void *name, const void *word)
{
	return strcmp(name, *(char *const *)word);
}

static bool is_among(const struct strv *sorted, const char *name)
{
	return sorted->n && bsearch(name, sorted->v, sorted->n,
				    sizeof(*sorted->v), compare_words);
}

/* ---- the listings --------------------------------------------------------*/

int private_accounts(struct session *s, struct account_list *list)
{
	struct strv accounts;
	size_t kept = 0;

	if (!private_hides(s, PRIVATE_ACCOUNTS))
		return 0;
	if (coordinated(s, &accounts))
		return -1;
	if (!accounts.n)
		return refuse(s, NULL);
	for (size_t i = 0; i < list->n; i++)
		if (is_among(&accounts, list->v[i].name))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

int private_users(struct session *s, struct user_list *list)
{
	size_t kept = 0;

	if (!private_hides(s, PRIVATE_USERS))
		return 0;
	for (size_t i = 0; i < list->n; i++)
		if (!strcasecmp(list->v[i].name, s->site.caller.name))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

int private_assocs(struct session *s, struct assoc_list *list)
{
	struct strv accounts;
	size_t kept = 0;

	if (!private_hides(s, PRIVATE_USERS))
		return 0;
	if (coordinated(s, &accounts))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		const struct assoc *row = list->v[i];
		bool own = !strcasecmp(row->user, s->site.caller.name);

		if (own || is_among(&accounts, row->account))
			list->v[kept++] = list->v[i];
	}
	list->n = kept;
	return 0;
}

int private_clusters(struct session *s, struct cluster_list *list)
{
	if (!private_hides(s, PRIVATE_USERS | PRIVATE_ACCOUNTS))
		return 0;
	for (size_t i = 0; i < list->n; i++)
		list->v[i].root.key = 0;
	return 0;
}
