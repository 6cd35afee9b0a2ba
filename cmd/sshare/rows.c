/*
 * Which associations sshare shows, to whom, and how deep they are moved in
 * (Slurm's src/sshare/process.c).
 */
#include "cmd/sshare/sshare.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "common/base/memory.h"
#include "common/cli/cli.h"
#include "common/conf/conf.h"
#include "db/entity/names.h"
#include "db/entity/user.h"

/* The name of a user given by number. */
static const char *name_of_uid(struct site *site, const char *text)
{
	const char *name;
	int found = user_meant(&site->store, text, &site->arena, &name);

	if (found < 0)
		cli_die(site->store.err);
	if (found)
		return name;
	fprintf(stderr, "Invalid user id: %s\n", text);
	exit(1);
}

static void choose_users(
	struct filter *filter, const struct options *options, struct site *site)
{
	filter->every_user = options->all_users;
	if (filter->every_user)
		return;
	for (size_t i = 0; i < options->users.n; i++) {
		const char *name = options->users.v[i];

		if (isdigit((unsigned char)*name))
			name = name_of_uid(site, name);
		if (!strv_has_nocase(&filter->users, name))
			strv_push(&filter->users, &site->arena, name);
	}
	if (!filter->users.n)
		strv_push(&filter->users, &site->arena, site->caller.name);
}

int sshare_filter(
	struct filter *filter, const struct options *options, struct site *site)
{
	*filter = (struct filter){.accounts = options->accounts};
	choose_users(filter, options, site);
	site_missing(site, FROM_ACCOUNTS, &options->accounts, cli_no_such);
	if (options->users.n)
		site_missing(site, FROM_USERS, &filter->users, cli_no_such);
	return privacy_open(
		&filter->privacy, site, PRIVATE_USAGE, &site->arena);
}

bool sshare_may_see(const struct filter *filter, const struct share *share)
{
	return privacy_allows(&filter->privacy, share->user, share->account);
}

static bool is_wanted(const struct filter *filter, const struct share *share)
{
	if (filter->accounts.n &&
		!strv_has_nocase(&filter->accounts, share->account))
		return false;
	if (*share->user && !filter->every_user &&
		!strv_has_nocase(&filter->users, share->user))
		return false;
	return sshare_may_see(filter, share);
}

/* One blank more than the account above, if that was shown. */
static unsigned indent_of(
	const struct shares *shares, uint32_t place, const unsigned *shown)
{
	uint32_t parent = shares->tree.parent[place];

	return parent == FS_NO_PARENT ? 0 : shown[parent];
}

void sshare_each(const struct shares *shares, const struct filter *filter,
	const struct site *site, const struct policy *policy,
	const struct options *options, struct arena *scratch,
	void (*each)(const struct row *, void *arg), void *arg)
{
	struct row row = {
		.shares = shares,
		.tres = &site->store.tres,
		.algorithms = &options->algorithms,
	};
	bool users_only = options->users_only && !options->form;
	struct arena arena;
	/* The indentation below each row that was shown, else 0. */
	unsigned *shown = memory_zeroed(shares->n + 1, sizeof(*shown));

	arena_init(&arena);
	row.by_algorithm = algorithms_compute(
		shares, &options->algorithms, policy, &arena);
	for (row.index = 0; row.index < shares->n; row.index++) {
		if (users_only && !shares_is_user(shares, row.index))
			continue;
		if (!is_wanted(filter, &shares->v[row.index]))
			continue;
		row.indent = indent_of(shares, row.index, shown);
		shown[row.index] = row.indent + 1;
		arena_reset(scratch);
		each(&row, arg);
	}
	arena_release(&arena);
	free(shown);
}
