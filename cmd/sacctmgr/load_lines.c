/*
 * Lines of accounts and users: what they change, and what they bring new
 * (spec/sacctmgr.md 6.2 - 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include <string.h>
#include <strings.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"

const char *load_partition(const struct new_assoc *new)
{
	return new->options->partition ? new->options->partition : "";
}

uint32_t load_admin_level(const struct new_user *new)
{
	return new->options->admin_level
		? admin_level_parse(new->options->admin_level)
		: ADMIN_NOT_SET;
}

static struct new_assoc *add_assoc(struct loading *l,
	struct new_assoc_list *list, const struct flat_record *record)
{
	struct new_assoc *new = MEMORY_PUSH(list->v, list->n, list->cap);
	const struct flat_record *kept = record->shared;

	if (!kept)
		kept = memcpy(arena_alloc(&l->s->arena, sizeof(*kept)), record,
			sizeof(*kept));
	*new = (struct new_assoc){.user = "",
		.options = kept,
		.parent = l->parent_row};
	return new;
}

static void add_account_row(struct loading *l, const struct flat_record *record)
{
	struct new_assoc *new = add_assoc(l, &l->account_rows, record);
	struct assoc *row = arena_alloc(&l->s->arena, sizeof(*row));

	new->account = record->name;
	assoc_init(row);
	row->account = new->account;
	row->partition = load_partition(new);
	new->self = load_remember_row(l, row, true);
}

static void add_user_row(struct loading *l, const struct flat_record *record,
	struct known_user *owner)
{
	struct new_assoc *new = add_assoc(l, &l->user_rows, record);

	new->account = l->parent;
	new->user = record->name;
	new->owner = owner;
	new->older = owner->newest;
	owner->newest = l->user_rows.n;
}

/* Has the file brought that row of the user before? */
static bool is_new_row(const struct loading *l, const struct known_user *user,
	const char *account, const char *partition)
{
	const struct new_assoc *row;

	for (size_t at = user->newest; at; at = row->older) {
		row = &l->user_rows.v[at - 1];
		if (!strcmp(row->account, account) &&
			!strcmp(load_partition(row), partition))
			return true;
	}
	return false;
}

static int update_account(struct loading *l, struct known_account *known,
	const struct flat_record *record)
{
	const struct account *old = known->record;
	const struct account_list list = {.v = (struct account *)old, .n = 1};
	struct settings set = {0};

	if (known->seen || !old)
		return 0;
	known->seen = true;
	for (int i = 0; i < 2; i++) {
		const char *new = i ? record->organization
				    : record->description;
		const char *was = i ? old->organization : old->description;
		struct setting *one;

		if (!new || !strcmp(new, was))
			continue;
		load_change_line(l, i ? "Changed organization"
				 : "Changed description",
			"Account", record->name, was, new);
		one = ARENA_PUSH(&l->s->arena, set.v, set.n, set.cap);
		one->attr = i ? account_attr(organization)
			      : account_attr(description);
		one->text = new;
	}
	return set.n ? op_modify_accounts(l->s, &list, &set) : 0;
}

static int move_account(struct loading *l, struct known_row *known)
{
	struct known_row *parent = load_find_row(l, l->parent, "", "");
	struct setting to = {
		.attr = assoc_attr(parent_account), .text = l->parent};

	if (known->is_new || !parent || !parent->row ||
		assoc_is_root(known->row) ||
		!strcmp(known->row->parent_account, l->parent))
		return 0;
	if (parent->is_new)
		return err_set(&l->s->err, ERR_USAGE,
			" Can't move account %s below %s, which is new: load "
			"twice",
			known->row->account, l->parent);
	if (op_modify_assoc(l->s, known->row,
		    &(const struct settings){.v = &to, .n = 1}))
		return -1;
	load_change_line(l, "Changed Parent", "Account", known->row->account,
		known->row->parent_account, l->parent);
	return 0;
}

int load_account_line(struct loading *l, const struct flat_record *record)
{
	struct known_account *account = load_find_account(l, record->name);
	struct known_row *row = load_find_row(l, record->name, "", "");

	if (!account) {
		struct new_account *new = ARENA_PUSH(&l->s->arena,
			l->accounts.v, l->accounts.n, l->accounts.cap);

		new->name = record->name;
		new->description = record->description ? record->description
						       : record->name;
		new->organization = record->organization
			? record->organization
			: strcmp(l->parent, "root") ? l->parent
						    : record->name;
		account = load_remember_account(l, record->name, NULL);
		account->seen = true;
	} else if (update_account(l, account, record)) {
		return -1;
	}
	if (!row) {
		add_account_row(l, record);
		return 0;
	}
	if (row->is_new || row->seen)
		return 0;
	row->seen = true;
	if (load_update_row(
		    l, row->row, &record->set, "Account", record->name))
		return -1;
	return move_account(l, row);
}

static void new_user(struct loading *l, const struct flat_record *record,
	const char *default_account)
{
	struct new_user *new =
		MEMORY_PUSH(l->users.v, l->users.n, l->users.cap);

	new->name = record->name;
	new->default_account = default_account;
	new->options = record->shared;
}

int load_add_coordinators(struct loading *l, const char *user,
	const struct strv *accounts, bool tell)
{
	struct strv direct = {0}, all = {0};

	if (!accounts->n)
		return 0;
	if (coordinated_accounts(
		    l->s->store, user, &l->s->arena, &all, &direct))
		return -1;
	if (tell && !all.n)
		fprintf(output(l->s),
			" Making User '%s' coordinator for account(s) %s\n",
			user, strv_join(accounts, ", ", &l->s->arena));
	for (size_t i = 0; i < accounts->n; i++) {
		if (strv_has(&direct, accounts->v[i]))
			continue;
		if (tell && all.n)
			fprintf(output(l->s),
				" Making User '%s' coordinator of account "
				"'%s'\n",
				user, accounts->v[i]);
		l->changed = true;
		if (op_add_coordinator(l->s, accounts->v[i], user))
			return -1;
	}
	return 0;
}

int load_add_wckeys(struct loading *l, const char *user,
	const struct strv *keys, const char *default_key, bool tell)
{
	struct wckey_cond cond = {0};
	struct wckey_list known;

	if (!keys->n)
		return 0;
	strv_push(&cond.users, &l->s->arena, user);
	strv_push(&cond.clusters, &l->s->arena, l->cluster);
	if (wckey_list(l->s->store, &cond, &l->s->arena, &known))
		return -1;
	if (tell && keys->n && !known.n)
		fprintf(output(l->s), " Adding WCKey(s) '%s' for user '%s'\n",
			strv_join(keys, "', '", &l->s->arena), user);
	for (size_t i = 0; i < keys->n; i++) {
		int added = op_add_wckey(l->s, l->cluster, keys->v[i], user,
			!strcmp(default_key, keys->v[i]));

		if (added < 0)
			return -1;
		if (added && tell && known.n)
			fprintf(output(l->s), " Adding WCKey '%s' to User '%s'\n",
				keys->v[i], user);
		l->changed |= added > 0;
	}
	return 0;
}

static int set_default_wckey(
	struct loading *l, const char *user, const char *key)
{
	struct wckey_cond cond = {0};
	struct wckey_list list;

	strv_push(&cond.users, &l->s->arena, user);
	strv_push(&cond.clusters, &l->s->arena, l->cluster);
	strv_push(&cond.names, &l->s->arena, key);
	if (wckey_list(l->s->store, &cond, &l->s->arena, &list))
		return -1;
	return list.n ? wckey_make_default(l->s->store, &list.v[0]) : 0;
}

/* A user the store knows: what the line changes of the record. */
static int update_user(struct loading *l, struct known_user *known,
	const struct flat_record *record)
{
	const struct user *old = known->record;
	bool new_key;
	uint32_t level = record->admin_level
		? admin_level_parse(record->admin_level)
		: ADMIN_NOT_SET;
	struct setting to = {
		.attr = user_attr(admin_level), .text = record->admin_level};

	if (known->seen || !old)
		return 0;
	known->seen = true;
	new_key = record->default_wckey &&
		strcmp(old->default_wckey, record->default_wckey) != 0;
	if (strcmp(old->default_account, known->default_account))
		load_change_line(l, "Changed Default Account", "User", old->name,
			old->default_account, known->default_account);
	if (new_key)
		load_change_line(l, "Changed Default WCKey", "User", old->name,
			old->default_wckey, record->default_wckey);
	if (level && level != old->admin_level) {
		load_change_line(l, "Changed Admin Level", "User", old->name,
			old->admin_text, admin_level_text(level));
		if (op_modify_user(l->s, l->cluster, old->name,
			    &(const struct settings){.v = &to, .n = 1}))
			return -1;
	}
	if (load_add_coordinators(l, old->name, &record->coordinators, true) ||
		load_add_wckeys(l, old->name, &record->wckeys,
			record->default_wckey ? record->default_wckey : "",
			true))
		return -1;
	return new_key ? set_default_wckey(l, old->name, record->default_wckey)
		       : 0;
}

int load_user_line(struct loading *l, const struct flat_record *record)
{
	const char *partition = record->partition ? record->partition : "";
	const char *default_account =
		record->default_account ? record->default_account : l->parent;
	struct known_user *user = load_find_user(l, record->name);
	struct known_row *row = NULL;

	if (!user) {
		new_user(l, record, default_account);
		user = load_remember_user(l, record->name, NULL);
	}
	if (!user->default_account)
		user->default_account = default_account;
	if (update_user(l, user, record))
		return -1;
	if (is_new_row(l, user, l->parent, partition))
		return 0;
	/* The cluster's line may have made root's. */
	if (user->record || !strcasecmp(record->name, "root"))
		row = load_find_row(l, l->parent, record->name, partition);
	if (!row) {
		add_user_row(l, record, user);
		return 0;
	}
	if (row->seen)
		return 0;
	row->seen = true;
	return load_update_row(l, row->row, &record->set, "User", record->name);
}
