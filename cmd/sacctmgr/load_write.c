/*
 * Writing what a file brings new: accounts, users, their rows, and which
 * accounts are default.
 */
#include "cmd/sacctmgr/loading.h"

#include <string.h>

#include "common/base/utf8.h"

static int write_accounts(struct loading *l)
{
	for (size_t i = 0; i < l->accounts.n; i++) {
		const struct new_account *a = &l->accounts.v[i];
		struct setting v[] = {{.attr = account_attr(description),
					      .text = a->description},
			{.attr = account_attr(organization),
				.text = a->organization}};

		if (op_add_account(l->s, a->name, "root",
			    &(const struct settings){.v = v, .n = 2}))
			return -1;
	}
	return 0;
}

static struct assoc_new row_of(const struct new_assoc *new)
{
	return (struct assoc_new){
		.account = new->account,
		.user = new->user,
		.partition = load_partition(new),
		.parent = new->parent->row,
		.settings = &new->options->set,
	};
}

static int write_account_row(struct loading *l, const struct new_assoc *new)
{
	struct assoc *row = new->self->row;
	struct assoc_new add = row_of(new);

	row->key = bulk_add(&l->bulk, &add);
	if (row->key < 0)
		return -1;
	row->parent_key = new->parent->row->key;
	row->lineage = assoc_lineage(
		&l->s->arena, new->parent->row->lineage, new->account, "", "");
	return 0;
}

static int write_user_row(struct loading *l, const struct new_assoc *new)
{
	struct known_user *owner = new->owner;
	struct assoc_new add = row_of(new);

	add.is_default = !owner->has_default &&
			 !strcmp(owner->default_account, new->account);
	add.is_only_default = add.is_default && !owner->record;
	owner->has_default |= add.is_default;
	return bulk_add(&l->bulk, &add) < 0 ? -1 : 0;
}

static int write_users(struct loading *l)
{
	for (size_t i = 0; i < l->users.n; i++) {
		const struct new_user *u = &l->users.v[i];

		const struct flat_record *o = u->options;

		if (op_add_user(l->s, u->name, load_admin_level(u)) ||
			load_add_coordinators(
				l, u->name, &o->coordinators, false) ||
			(o->wckeys.n &&
				load_add_wckeys(l, u->name, &o->wckeys,
					o->default_wckey ? o->default_wckey : "",
					false)))
			return -1;
	}
	return 0;
}

/* If there is no association in the named default account, the default stays; a
 * user without one gets the account of the first association. */
static int stand_in_default(struct loading *l, const char *user,
	const char *wanted, const char *current)
{
	const char *first = current;

	if (!*current && !l->s->site.dbd.allow_no_def_acct &&
		assoc_first_account(l->s->store, l->cluster, user, "",
			&l->s->arena, &first) < 0)
		return -1;
	fprintf(output(l->s),
		" User %s has no association with the default account %s on "
		"cluster %s: ",
		user, wanted, l->cluster);
	if (!*first)
		fputs("no default account\n", output(l->s));
	else
		fprintf(output(l->s), "it %s %s\n",
			*current ? "stays" : "becomes",
			utf8_visible(&l->s->arena, first));
	if (*current || !*first)
		return 0;
	return assoc_set_default(l->s->store, l->cluster, user, first);
}

/* The default account that the file wants for a user of old, or of a new one
 * without an association there. */
static int write_default(struct loading *l, const struct known_user *user)
{
	const char *wanted = user->default_account;
	const char *current;
	int found;

	if (!wanted || user->has_default)
		return 0;
	if (user_default_account(l->s->store, l->cluster, user->name,
		    &l->s->arena, &current))
		return -1;
	if (!strcmp(current, wanted))
		return 0;
	found = assoc_first_account(l->s->store, l->cluster, user->name,
		wanted, &l->s->arena, &wanted);
	if (found < 0)
		return -1;
	if (!found)
		return stand_in_default(l, user->name, wanted, current);
	return assoc_set_default(l->s->store, l->cluster, user->name, wanted);
}

static int write_defaults(struct loading *l)
{
	struct known_user *user, *next;

	HASH_ITER(hh, l->known_users, user, next)
	{
		if (write_default(l, user))
			return -1;
	}
	return 0;
}

static int write_rows(struct loading *l, const struct new_assoc_list *list,
	int (*write)(struct loading *, const struct new_assoc *))
{
	for (size_t i = 0; i < list->n; i++)
		if (write(l, &list->v[i]))
			return -1;
	return 0;
}

/* Is there a row, old or new, that makes the account the user's default? */
static bool has_wanted_default(
	const struct loading *l, const struct known_user *user)
{
	const char *wanted = user->default_account;
	const struct new_assoc *row;

	if (!wanted ||
		(user->record && !strcmp(user->record->default_account, wanted)))
		return true;
	for (size_t at = user->newest; at; at = row->older) {
		row = &l->user_rows.v[at - 1];
		if (!strcmp(row->account, wanted))
			return true;
	}
	return false;
}

static bool defaults_follow(const struct loading *l)
{
	for (struct known_user *user = l->known_users; user;
		user = user->hh.next)
		if (!has_wanted_default(l, user))
			return true;
	return false;
}

static int write_new(struct loading *l)
{
	return write_accounts(l) ||
			       write_rows(l, &l->account_rows,
				       write_account_row) ||
			       write_users(l) ||
			       write_rows(l, &l->user_rows, write_user_row)
		       ? -1
		       : 0;
}

static int write_all(struct loading *l)
{
	bool any = l->accounts.n || l->account_rows.n || l->users.n ||
		   l->user_rows.n;

	l->changed |= any;
	if (any && (bulk_begin(&l->bulk, l->s, l->cluster,
			    !l->clean && !defaults_follow(l)) ||
			   write_new(l) || bulk_end(&l->bulk)))
		return -1;
	return write_defaults(l);
}

int load_write(struct loading *l)
{
	if (l->accounts.n)
		load_print_accounts(l);
	if (l->account_rows.n) {
		fputs("Account Associations\n", output(l->s));
		load_print_assocs(l, l->account_rows.v, l->account_rows.n,
			"Account,ParentName");
	}
	if (l->users.n)
		load_print_users(l);
	if (l->user_rows.n) {
		fputs("User Associations\n", output(l->s));
		load_print_assocs(l, l->user_rows.v, l->user_rows.n,
			"User,Account");
	}
	return write_all(l);
}
