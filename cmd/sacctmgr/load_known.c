/*
 * What the store has already, by name.
 */
#include "cmd/sacctmgr/loading.h"

#include <string.h>

static const char *row_name(struct loading *l, const char *account,
	const char *user, const char *partition)
{
	return arena_printf(&l->s->arena, "%s\n%s\n%s", account,
		str_lower(&l->s->arena, user), partition);
}

struct known_row *load_find_row(struct loading *l, const char *account,
	const char *user, const char *partition)
{
	const char *name = row_name(l, account, user, partition);
	struct known_row *known;

	HASH_FIND_STR(l->rows, name, known);
	return known;
}

struct known_row *load_remember_row(
	struct loading *l, struct assoc *row, bool new)
{
	struct known_row *known = arena_alloc(&l->s->arena, sizeof(*known));

	known->name = row_name(l, row->account, row->user, row->partition);
	known->row = row;
	known->is_new = new;
	HASH_ADD_KEYPTR(
		hh, l->rows, known->name, strlen(known->name), known);
	return known;
}

struct known_user *load_find_user(struct loading *l, const char *name)
{
	struct known_user *known;

	name = str_lower(&l->line, name);
	HASH_FIND_STR(l->known_users, name, known);
	return known;
}

struct known_user *load_remember_user(
	struct loading *l, const char *name, const struct user *record)
{
	struct known_user *known = arena_alloc(&l->s->arena, sizeof(*known));
	const char *lower = str_lower(&l->line, name);

	known->name = name;
	known->record = record;
	if (strcmp(lower, name) != 0)
		name = arena_strdup(&l->s->arena, lower);
	HASH_ADD_KEYPTR(hh, l->known_users, name, strlen(name), known);
	return known;
}

struct known_account *load_find_account(
	struct loading *l, const char *name)
{
	struct known_account *known;

	HASH_FIND_STR(l->known_accounts, name, known);
	return known;
}

struct known_account *load_remember_account(struct loading *l,
	const char *name, const struct account *record)
{
	struct known_account *known =
		arena_alloc(&l->s->arena, sizeof(*known));

	known->name = name;
	known->record = record;
	HASH_ADD_KEYPTR(hh, l->known_accounts, name, strlen(name), known);
	return known;
}

int load_read_users(struct loading *l)
{
	struct user_cond cond = {0};
	struct user_list users;

	strv_push(&cond.clusters, &l->s->arena, l->cluster);
	if (user_list(l->s->store, &cond, &l->s->arena, &users))
		return -1;
	for (size_t i = 0; i < users.n; i++)
		load_remember_user(l, users.v[i].name, &users.v[i]);
	return 0;
}

int load_read_accounts(struct loading *l)
{
	struct account_cond cond = {0};
	struct account_list accounts;

	if (account_list(l->s->store, &cond, &l->s->arena, &accounts))
		return -1;
	for (size_t i = 0; i < accounts.n; i++)
		load_remember_account(l, accounts.v[i].name, &accounts.v[i]);
	return 0;
}

int load_read_rows(struct loading *l)
{
	struct assoc_cond cond = {.without_limits = true, .raw_qos = true};
	struct assoc_list rows;

	strv_push(&cond.clusters, &l->s->arena, l->cluster);
	if (assoc_list(l->s->store, &cond, &l->s->arena, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		load_remember_row(l, rows.v[i], false);
	return 0;
}
