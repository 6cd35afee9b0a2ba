/*
 * Differences made true through the operations (db/change/operations.h), in an
 * order in which each finds what it needs; what goes has none, and is deleted
 * as the verb does it. What refuses the typed one refuses it here. New
 * associations of users are added by the thousand where the store has none that
 * would come back to life (db/rows/bulk_insert.h).
 */
#include "db/roster/roster.h"

#include <string.h>

#include "common/base/hash.h"
#include "db/change/operations.h"
#include "db/rows/bulk_insert.h"
#include "db/store/txnpack.h"

struct roster_applying {
	struct session *s;
	struct roster *store, *file;
	const struct differences *all;
	const struct session_hooks *hooks; /* of the session */
	const struct entry *now;	   /* the record at hand */
	bool complained;
	bool erased; /* something was */
	bool qos; /* which may be used has changed somewhere */
	/* New rows of users. */
	size_t rows;
	int64_t cluster;  /* its key, while rows are added; else 0 */
	uint32_t next_id; /* of rows; 0: the store may have had one of the name
			   */
	int64_t checked;  /* see op_add_user_row */
	bool inserts_in_bulk;
	bool moves;		       /* a user of theirs is changed again */
	struct entry *above;	       /* the last account */
	struct alike_rows *alike;      /* by the properties that they share */
	const struct entry *like;      /* the last one, `set` is of */
	const struct settings *set;
	/* What goes at once. */
	struct strv names;
	const struct entry *first; /* of the names */
	const struct apply_step *step;
};

/* What is done to all differences of some kind. */
struct apply_step {
	enum roster_kind kind;
	unsigned what; /* differences, as bits */
	int (*make)(struct roster_applying *, const struct difference *);
	int (*end)(struct roster_applying *); /* after any; or NULL */
	/* Of names that are gathered: what is deleted, and the condition. */
	const struct changeable *goes;
	size_t names;
	bool here; /* from this cluster only */
};

/* ---- complaints ----------------------------------------------------------*/

/* "line 7: user ann in lab" */
static const char *title_of(struct roster_applying *a, const struct entry *e)
{
	const char *title = entry_title(e, &a->s->arena);

	return e->line ? arena_printf(
				 &a->s->arena, "line %d: %s", e->line, title)
		       : title;
}

/* In front of the first line: of which record. */
static void hear(struct session *s, const char *line, enum say how)
{
	const struct session_hooks *inside = s->hooks;
	struct roster_applying *a = inside->arg;

	s->hooks = a->hooks;
	if (!a->complained && a->file && !a->file->at_least && !a->file->line)
		a->hooks->say(s,
			arena_printf(&s->arena, " %s:", title_of(a, a->now)),
			SAY_LINE);
	a->complained = true;
	a->hooks->say(s, line, how);
	s->hooks = inside;
}

/* What is done next is done to this record. */
static void turn_to(struct roster_applying *a, const struct entry *e)
{
	a->now = e;
	*a->s->err.text = '\0';
}

/* ---- values --------------------------------------------------------------*/

/* What is set, with -1 for what is there and shall not be. */
static const char *tres_value(
	struct roster_applying *a, const char *was, const char *is)
{
	struct arena *arena = &a->s->arena;
	struct strv before = {0}, words = {0};
	size_t n, k;

	if (was)
		strv_split(&before, arena, was);
	if (is)
		strv_split(&words, arena, is);
	n = words.n;
	for (size_t i = 0; i < before.n; i++) {
		size_t len = strcspn(before.v[i], "=") + 1;

		for (k = 0; k < n && strncmp(words.v[k], before.v[i], len); k++)
			;
		if (k == n)
			strv_printf(
				&words, arena, "%.*s-1", (int)len, before.v[i]);
	}
	return strv_join(&words, ",", arena);
}

/* What is typed for a value that goes. */
static const char *cleared(const struct property *f)
{
	if (f->type == PROPERTY_FLAGS || f->type == PROPERTY_ADMIN_LEVEL)
		return f->type == PROPERTY_FLAGS ? "NoUsersAreCoords" : "None";
	switch (f->member->set->type) {
	case ATTR_SHARES:
		return "1";
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
	case ATTR_QOS_LIST:
		return "";
	case ATTR_PREEMPT_MODE:
		return "cluster";
	default:
		return "-1";
	}
}

/* As it was typed, in a line of words. */
static const struct setting *typed(
	struct roster_applying *a, const struct property *f)
{
	const struct entry_value *value =
		a->file->line ? entry_find(a->now, f) : NULL;

	return value ? value->set : NULL;
}

static int add_setting(struct roster_applying *a,
	const struct changed_property *c, struct settings *set)
{
	const struct property *f = c->property;
	const struct setting *as_typed = typed(a, f);
	const char *text = c->is ? c->is : cleared(f);

	a->qos |= f->member == assoc_attr(own_qos) ||
		  f->member == assoc_attr(def_qos_id) ||
		  f->member == assoc_attr(parent_account);
	if (as_typed) {
		*ARENA_PUSH(&a->s->arena, set->v, set->n, set->cap) = *as_typed;
		return 0;
	}
	if (f->member->set->type == ATTR_TRES)
		text = tres_value(a, c->was, c->is);
	return property_setting(a->s, f, &a->s->store->qos, text, set);
}

/* What ends a list of QOS, where it becomes one with signs; whom a QOS preempts,
 * in any case. */
static int end_list(struct roster_applying *a, const struct difference *d,
	const struct member *member, struct settings *set)
{
	*set = (struct settings){0};
	for (size_t i = 0; i < d->n && !a->file->line; i++) {
		const struct changed_property *c = &d->v[i];
		const struct changed_property none = {
			c->property, c->was, NULL};

		if (c->property->member == member && c->was &&
			(member == qos_attr(preempt) || qos_has_sign(c->is)))
			return add_setting(a, &none, set);
	}
	return 0;
}

/* Of a difference the properties that are wanted, as settings. */
static int settings_of(struct roster_applying *a, const struct difference *d,
	bool (*is_wanted)(const struct property *), struct settings *set)
{
	*set = (struct settings){0};
	for (size_t i = 0; i < d->n; i++)
		if (is_wanted(d->v[i].property) &&
			add_setting(a, &d->v[i], set))
			return -1;
	return 0;
}

static bool is_any(const struct property *f)
{
	return f->member != NULL;
}

static bool is_of_record(const struct property *f)
{
	return f->table == &account_members;
}

static bool is_of_row(const struct property *f)
{
	return f->table == &assoc_members;
}

static bool is_preempt(const struct property *f)
{
	return f->member == qos_attr(preempt);
}

static bool is_no_preempt(const struct property *f)
{
	return !is_preempt(f);
}

/* ---- the cluster, QOS ----------------------------------------------------*/

static int change_cluster(struct roster_applying *a, const struct difference *d)
{
	struct cluster_cond cond = {.names = STRV_ONE(d->entry->name)};
	struct cluster_list list;
	struct settings set;

	return any_failed(
		settings_of(a, d, is_any, &set) ||
		cluster_list(a->s->store, &cond, &a->s->arena, &list) ||
		(list.n && op_modify_cluster(a->s, list.v, &set)));
}

static int add_qos(struct roster_applying *a, const struct difference *d)
{
	struct settings set;

	return any_failed(settings_of(a, d, is_no_preempt, &set) ||
			  op_add_qos(a->s, d->entry->name, &set));
}

static int modify_qos(struct roster_applying *a, const struct difference *d,
	const struct settings *set)
{
	struct qos_cond cond = {.names = STRV_ONE(d->entry->name)};
	struct qos_list list;

	if (!set->n)
		return 0;
	return any_failed(qos_list(a->s->store, &cond, &a->s->arena, &list) ||
			  op_modify_qos(a->s, &list, set));
}

/* Before others are set, that no loop comes of the old and the new. */
static int end_preemption(struct roster_applying *a, const struct difference *d)
{
	struct settings set;

	return any_failed(end_list(a, d, qos_attr(preempt), &set) ||
			  modify_qos(a, d, &set));
}

/* Whom they preempt when all are there. */
static int change_qos(struct roster_applying *a, const struct difference *d)
{
	struct settings set;

	return any_failed(
		settings_of(a, d,
			d->what == DIFFERENCE_ADDED ? is_preempt : is_any,
			&set) ||
		modify_qos(a, d, &set));
}

/* ---- associations that are there -----------------------------------------*/

/* What is typed with signs edits the list there is, where the file has the whole
 * of one that follows the list above: what is there goes first. */
static int end_own_list(
	struct roster_applying *a, const struct difference *d, struct assoc *row)
{
	struct settings set;

	if (end_list(a, d, assoc_attr(own_qos), &set))
		return -1;
	if (!set.n)
		return 0;
	if (op_modify_assoc(a->s, row, &set))
		return -1;
	row->own_qos = (struct assoc_qos_list){0};
	return 0;
}

/* Of an account or of a user in one. */
static int modify_row(struct roster_applying *a, const struct difference *d)
{
	const struct entry *e = d->entry;
	struct assoc *row = roster_find_like(a->store, e)->row;
	struct settings set;

	if (settings_of(a, d, is_of_row, &set))
		return -1;
	return any_failed(set.n && (end_own_list(a, d, row) ||
					   op_modify_assoc(a->s, row, &set)));
}

/* ---- accounts ------------------------------------------------------------*/

/* The record, of every cluster; all of it when there was one already. */
static int modify_record(struct roster_applying *a, const struct difference *d)
{
	const struct changed_property no_flags = {
		.property = roster_property_of(ROSTER_ACCOUNT, PROPERTY_FLAGS)};
	struct account_cond cond = {.names = STRV_ONE(d->entry->name)};
	struct account_list list;
	struct settings set;

	if (settings_of(a, d, is_of_record, &set) ||
		(d->what == DIFFERENCE_ADDED && !a->file->at_least &&
			!a->file->line &&
			!entry_text(d->entry, PROPERTY_FLAGS) &&
			add_setting(a, &no_flags, &set)))
		return -1;
	return any_failed(
		set.n &&
		(account_list(a->s->store, &cond, &a->s->arena, &list) ||
			(list.n && op_modify_accounts(a->s, &list, &set))));
}

/* The row of an account as it is now: it may just have been moved. */
static int find_row(
	struct roster_applying *a, const char *account, struct assoc **row)
{
	int found = assoc_find(a->s->store, a->file->cluster, account, "", "",
		&a->s->arena, row);

	if (found)
		return found < 0 ? -1 : 0;
	return err_set(&a->s->err, ERR_USAGE, " there is no account %s on %s",
		account, a->file->cluster);
}

static void number_row(struct roster_applying *a, struct assoc_new *new)
{
	new->id = a->next_id;
	a->next_id += a->next_id != 0;
}

static int add_account(struct roster_applying *a, const struct difference *d)
{
	const char *name = d->entry->name;
	int exists = account_exists(a->s->store, name);
	struct settings record, set;
	struct assoc_new new = {
		.cluster = cluster_key(a->s->store, a->file->cluster),
		.cluster_name = a->file->cluster,
		.account = name,
		.user = "",
		.partition = "",
		.settings = &set,
	};
	struct assoc *parent;

	if (exists < 0 || settings_of(a, d, is_of_record, &record) ||
		(a->file->at_least ? entry_settings(a->s, d->entry, &set)
				   : settings_of(a, d, is_of_row, &set)) ||
		find_row(a, entry_text(d->entry, PROPERTY_PARENT), &parent) ||
		(!exists &&
			op_add_account(a->s, name, parent->account, &record)))
		return -1;
	new.parent = parent;
	number_row(a, &new);
	if (op_add_account_row(a->s, &new) < 0)
		return -1;
	return exists ? modify_record(a, d) : 0;
}

static int change_account(struct roster_applying *a, const struct difference *d)
{
	if (d->what == DIFFERENCE_ADDED)
		return add_account(a, d);
	return modify_record(a, d) || modify_row(a, d) ? -1 : 0;
}

/* ---- users in accounts ---------------------------------------------------*/

/* What rows that share their properties have as settings. */
struct alike_rows {
	const struct entry_value *v;
	struct settings set;
	UT_hash_handle hh;
};

static bool same_values(const struct entry *a, const struct entry *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n && a->v != b->v; i++)
		if (a->v[i].property != b->v[i].property || a->v[i].set ||
			b->v[i].set || strcmp(a->v[i].text, b->v[i].text) != 0)
			return false;
	return true;
}

static int find_settings(struct roster_applying *a, const struct entry *row)
{
	struct alike_rows *found = NULL;

	if (a->like && same_values(a->like, row))
		return 0;
	HASH_FIND_PTR(a->alike, &row->v, found);
	if (!found) {
		found = arena_alloc(&a->s->arena, sizeof(*found));
		found->v = row->v;
		if (entry_settings(a->s, row, &found->set))
			return -1;
		if (!row->cap)
			HASH_ADD_PTR(a->alike, v, found);
	}
	a->like = row;
	a->set = &found->set;
	return 0;
}

static struct entry *user_of(struct roster_applying *a, const struct entry *row)
{
	return roster_find(a->file, ROSTER_USER, row->name);
}

/* Of a new row. */
static struct entry *owner_of(
	struct roster_applying *a, const struct entry *row)
{
	return row->user ? row->user : user_of(a, row);
}

/* The account that a new row stands below; mostly that of the row before. */
static struct entry *account_of(
	struct roster_applying *a, const struct entry *row)
{
	struct entry *e = a->above;

	if (e && e->name == row->account)
		return e;
	e = roster_find(a->file, ROSTER_ACCOUNT, row->account);
	if (!e)
		e = roster_find(a->store, ROSTER_ACCOUNT, row->account);
	return a->above = e;
}

/* What the store knows of the user of a new row. */
static int look_around(struct roster_applying *a, const struct difference *d)
{
	struct entry *user = owner_of(a, d->entry);
	const struct entry *old;
	const char *was, *is = entry_text(user, PROPERTY_DEFAULT_ACCOUNT);
	int found;

	a->rows++;
	if (user->stored)
		return 0;
	old = user->seen ? roster_find(a->store, ROSTER_USER, user->name)
			 : NULL;
	was = old ? entry_text(old, PROPERTY_DEFAULT_ACCOUNT) : NULL;
	a->moves |= was || !is || !*is;
	user->has_default = was && *was;
	user->stored = old ? old->name : user->name;
	user->comes = !old;
	if (old || a->store->all)
		return 0;
	found = user_spelling(
		a->s->store, user->name, &a->s->arena, &user->stored);
	user->comes = !found;
	return found < 0 ? -1 : 0;
}

/* From here to the end no user or row that is added is changed again. */
static int begin_rows(struct roster_applying *a)
{
	enum { MANY = 100 };
	struct store *store = a->s->store;
	int64_t rows, last, users;

	a->cluster = cluster_key(store, a->file->cluster);
	if (a->rows < MANY)
		return 0;
	if (assoc_count_deleted(store, a->cluster, &rows, &last) ||
		user_count_deleted(store, &users) ||
		(store->session && store_change_ahead(store)))
		return -1;
	a->next_id = rows ? 0 : (uint32_t)last + 1;
	a->inserts_in_bulk = !a->moves && !rows && !users;
	return a->inserts_in_bulk ? bulk_insert_begin(store) : 0;
}

static int add_user(struct roster_applying *a, const struct difference *d)
{
	struct entry *user = owner_of(a, d->entry);
	const char *level = entry_text(user, PROPERTY_ADMIN_LEVEL);

	if (!user->comes || user->came)
		return 0;
	user->came = true;
	return op_add_user(a->s, user->stored,
		level && !a->s->until ? admin_level_parse(level)
				      : ADMIN_NOT_SET);
}

/* The first of the user in the account that is to be the default is it. */
static int add_row(struct roster_applying *a, const struct difference *d)
{
	const struct entry *row = d->entry;
	struct entry *user = owner_of(a, row), *account = account_of(a, row);
	const char *wanted = entry_text(user, PROPERTY_DEFAULT_ACCOUNT);
	const bool first = !user->has_default && wanted &&
			   !strcmp(wanted, row->account);
	struct assoc_new new = {
		.cluster = a->cluster,
		.cluster_name = a->file->cluster,
		.account = row->account,
		.user = user->stored,
		.partition = row->partition,
		.is_default = first,
		.is_only_default = first,
	};

	if (!account->row_read && find_row(a, row->account, &account->row))
		return -1;
	account->row_read = true;
	if (find_settings(a, row))
		return -1;
	new.parent = account->row;
	new.settings = a->set;
	user->has_default |= first;
	number_row(a, &new);
	return any_failed(op_add_user_row(a->s, &new, &a->checked) < 0);
}

static int end_rows(struct roster_applying *a)
{
	return any_failed(
		(a->inserts_in_bulk && bulk_insert_end(a->s->store)) ||
		txnpack_end(a->s->store));
}

/* ---- users ---------------------------------------------------------------*/

/* As the store spells it. */
static const char *name_of(struct roster_applying *a, const struct entry *user)
{
	const struct entry *old =
		roster_find(a->store, ROSTER_USER, user->name);

	return old ? old->name : user->stored ? user->stored : user->name;
}

static int add_names(struct roster_applying *a, const struct entry *e,
	const char *user, const struct changed_property *c)
{
	const char *key = entry_text(e, PROPERTY_DEFAULT_WCKEY);
	struct strv names = roster_beyond(a->s, c->is, c->was);
	int rc = 0;

	for (size_t i = 0; i < names.n && rc >= 0; i++)
		rc = c->property->type == PROPERTY_COORDINATOR
			     ? op_add_coordinator(a->s, names.v[i], user)
			     : op_add_wckey(a->s, a->file->cluster, names.v[i],
				       user, key && !strcmp(key, names.v[i]));
	return rc < 0 ? -1 : 0;
}

/* Was the name added with that difference? */
static bool is_added(struct roster_applying *a, const struct difference *d,
	enum property_type type, const char *name)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].property->type == type)
			return !roster_among(a->s, d->v[i].was, name);
	return false;
}

/* Is it so by now, or not of the user alone? */
static bool is_done(struct roster_applying *a, const struct difference *d,
	const struct changed_property *c)
{
	switch (c->property->type) {
	case PROPERTY_ADMIN_LEVEL:
		/* It came with it, unless it is for some time. */
		return d->entry->comes && !a->s->until;
	case PROPERTY_DEFAULT_ACCOUNT:
		/* The first row of who is new, or has none, is it by now. */
		return !c->was || (!*c->was && d->entry->has_default);
	default:
		/* It goes with its key; and came with it. */
		return !c->is || is_added(a, d, PROPERTY_WCKEYS, c->is);
	}
}

static int change_property(struct roster_applying *a,
	const struct difference *d, const struct changed_property *c)
{
	const char *user = name_of(a, d->entry);
	struct settings set = {0};

	if (!c->property->member)
		return add_names(a, d->entry, user, c);
	if (is_done(a, d, c))
		return 0;
	return any_failed(add_setting(a, c, &set) ||
			  op_modify_user(a->s, a->file->cluster, user, &set));
}

/* Who has wckeys alone comes without a row. */
static int add_alone(struct roster_applying *a, const struct difference *d)
{
	const struct entry *e = d->entry;

	return e->seen || e->stored
		       ? 0
		       : op_add_user(a->s, e->name, ADMIN_NOT_SET);
}

static int change_user(struct roster_applying *a, const struct difference *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (change_property(a, d, &d->v[i]))
			return -1;
	return 0;
}

/* ---- what goes -----------------------------------------------------------*/

/* In the transaction that is open. */
static int run_inside(struct session *s, const struct change *change)
{
	struct roster_applying *a = s->hooks->arg;
	enum plan_result result = change->plan(s, change->arg);

	a->erased |= result == PLAN_CHANGED;
	return result >= PLAN_UNCHANGED ? 0 : -1;
}

static int erase(struct roster_applying *a, const struct entry *e,
	const struct changeable *kind, struct request *r)
{
	turn_to(a, e);
	r->where.record_given = true;
	return kind->run[VERB_DELETE](a->s, r) || a->complained ? -1 : 0;
}

static int take_names(struct roster_applying *a, const struct difference *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct changed_property *c = &d->v[i];
		const bool keys = c->property->type == PROPERTY_WCKEYS;
		const struct strv names = roster_beyond(a->s, c->was, c->is);
		struct request r = {.where = {.wckey_given = keys}};

		if (c->property->member || !names.n)
			continue;
		*(keys ? &r.where.wckeys : &r.where.assoc.accounts) = names;
		r.where.assoc.users = STRV_ONE(name_of(a, d->entry));
		r.where.assoc.clusters = STRV_ONE(a->file->cluster);
		if (erase(a, d->entry, keys ? &user_changes : &coordinator_changes,
			    &r))
			return -1;
	}
	return 0;
}

static int gather(struct roster_applying *a, const struct difference *d)
{
	if (!a->names.n)
		a->first = d->entry;
	strv_push(&a->names, &a->s->arena, d->entry->name);
	return 0;
}

/* At once. */
static int remove_gathered(struct roster_applying *a)
{
	const struct apply_step *step = a->step;
	const struct strv here = STRV_ONE(a->file->cluster);
	struct request r = {.where = {.assoc_given = step->here}};

	if (!a->names.n)
		return 0;
	*(struct strv *)((char *)&r.where + step->names) = a->names;
	if (step->here)
		r.where.assoc.clusters = here;
	a->names = (struct strv){0};
	return erase(a, a->first, step->goes, &r);
}

/* A user who is nowhere in the file, default account included. */
static int gather_leaver(struct roster_applying *a, const struct difference *d)
{
	enum { MOST_AT_ONCE = 5000 };
	struct entry *user;

	if (user_of(a, d->entry))
		return 0;
	user = roster_find(a->store, ROSTER_USER, d->entry->name);
	if (!user->leaves)
		gather(a, d);
	user->leaves = true;
	return a->names.n < MOST_AT_ONCE ? 0 : remove_gathered(a);
}

static int remove_row(struct roster_applying *a, const struct difference *d)
{
	const struct entry *e = d->entry, *user = user_of(a, e);
	struct changed_property stays = {
		.property = roster_property_of(
			ROSTER_USER, PROPERTY_DEFAULT_ACCOUNT)};
	struct settings set = {0};
	struct request r = {.where = {.assoc_given = true}};

	if (!user)
		return 0;
	stays.is = entry_text_of(user, stays.property);
	/* Of rows for partitions perhaps this one alone was the default. */
	if (stays.is && !strcmp(stays.is, e->account) &&
		(add_setting(a, &stays, &set) ||
			op_modify_user(a->s, a->file->cluster, e->name, &set)))
		return -1;
	r.where.assoc =
		(struct assoc_cond){.clusters = STRV_ONE(a->file->cluster),
			.accounts = STRV_ONE(e->account),
			.users = STRV_ONE(e->name),
			.partitions = STRV_ONE(e->partition)};
	return erase(a, e, &user_changes, &r);
}

/* An account of other clusters goes from this one only. */
static int gather_account(struct roster_applying *a, const struct difference *d)
{
	struct assoc_cond cond = {.without_limits = true,
		.only_accounts = true,
		.accounts = STRV_ONE(d->entry->name)};
	struct assoc_list rows;
	bool elsewhere = false;

	if (assoc_list(a->s->store, &cond, &a->s->arena, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		elsewhere |= strcmp(rows.v[i]->cluster, a->file->cluster) != 0;
	return elsewhere == a->step->here ? gather(a, d) : 0;
}

/* ---- all -----------------------------------------------------------------*/

enum {
	ADDED = 1 << DIFFERENCE_ADDED,
	CHANGED = 1 << DIFFERENCE_CHANGED,
	REMOVED = 1 << DIFFERENCE_REMOVED,
};

/* One after the other, each for all differences that it is for. */
static const struct apply_step steps[] = {
	{ROSTER_CLUSTER, CHANGED, .make = change_cluster},
	{ROSTER_QOS, ADDED, .make = add_qos},
	{ROSTER_QOS, CHANGED, .make = end_preemption},
	{ROSTER_QOS, ADDED | CHANGED, .make = change_qos},
	{ROSTER_ROW, ADDED, .make = look_around, .end = begin_rows},
	{ROSTER_ACCOUNT, ADDED | CHANGED, .make = change_account},
	{ROSTER_ROW, ADDED, .make = add_user},
	{ROSTER_ROW, ADDED, .make = add_row, .end = end_rows},
	{ROSTER_ROW, CHANGED, .make = modify_row},
	{ROSTER_USER, CHANGED, .make = add_alone},
	{ROSTER_USER, CHANGED, .make = change_user},
	{ROSTER_USER, CHANGED, .make = take_names},
	{ROSTER_ROW, REMOVED, gather_leaver, remove_gathered, &user_changes,
		COND(assoc.users), true},
	{ROSTER_ROW, REMOVED, .make = remove_row},
	{ROSTER_ACCOUNT, REMOVED, gather_account, remove_gathered,
		&account_changes, COND(assoc.accounts), true},
	{ROSTER_ACCOUNT, REMOVED, gather_account, remove_gathered,
		&account_changes, COND(assoc.accounts), false},
	{ROSTER_QOS, REMOVED, gather, remove_gathered, &qos_changes,
		COND(qos.names), false},
};

static int take_step(struct roster_applying *a, const struct apply_step *step)
{
	bool any = false;

	a->step = step;
	for (size_t i = 0; i < a->all->n; i++) {
		const struct difference *d = &a->all->v[i];

		if (d->entry->kind != step->kind ||
			!(step->what & 1u << d->what))
			continue;
		any = true;
		turn_to(a, d->entry);
		if (step->make(a, d))
			return -1;
	}
	return any && step->end ? step->end(a) : 0;
}

static int apply_all(struct roster_applying *a)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (take_step(a, &steps[i]))
			return -1;
	return 0;
}

/* ---- default QOS ---------------------------------------------------------*/

/* "line 7: user ann in lab: its default QOS, fast, is none that it may use" */
static const char *tell_lost(struct roster_applying *a, const struct assoc *row)
{
	const bool user = *row->user;
	const struct entry other = {.kind = user ? ROSTER_ROW : ROSTER_ACCOUNT,
		.name = user ? row->user : row->account,
		.account = user ? row->account : "",
		.partition = row->partition};
	const struct entry *e = roster_find_like(a->file, &other);

	return arena_printf(&a->s->arena,
		"%s: its default QOS, %s, is none that it may use",
		title_of(a, e ? e : &other), row->def_qos);
}

/* One operation in between is not refused for it, for the next may mend it; and
 * a file of what a store once was makes it that again. */
static int list_lost(struct roster_applying *a, struct strv *lost)
{
	struct assoc_cond cond = {.clusters = STRV_ONE(a->file->cluster)};
	struct assoc_list list;

	*lost = (struct strv){0};
	if (!a->qos || a->file->at_least || a->file->line)
		return 0;
	if (assoc_list(a->s->store, &cond, &a->s->arena, &list))
		return complain_err(a->s);
	for (size_t i = 0; i < list.n; i++)
		if (assoc_lost_default_qos(list.v[i]))
			strv_push(lost, &a->s->arena,
				tell_lost(a, list.v[i]));
	return 0;
}

/* The operations of one change, as if they were typed: what they complain of is
 * heard, nothing is asked. */
static int within(struct roster_applying *a, bool in_parts,
	int (*work)(struct roster_applying *, void *), void *arg)
{
	struct session *s = a->s;
	const struct session_hooks inside = {
		.say = hear, .run = run_inside, .arg = a};
	const struct session before = *s;
	int rc;

	a->hooks = s->hooks;
	s->hooks = &inside;
	s->hints = NULL;
	s->immediate = true;
	s->in_parts = in_parts;
	rc = work(a, arg);
	if (rc && !a->complained && *s->err.text)
		complain_err(s);
	s->hooks = before.hooks;
	s->hints = before.hints;
	s->immediate = before.immediate;
	s->in_parts = before.in_parts;
	return rc;
}

static int apply_and_list(struct roster_applying *a, void *lost)
{
	int rc = apply_all(a);

	HASH_CLEAR(hh, a->alike);
	return rc ? rc : list_lost(a, lost);
}

int roster_apply(struct session *s, struct roster *store, struct roster *file,
	const struct differences *all, struct strv *lost)
{
	struct roster_applying a = {
		.s = s, .store = store, .file = file, .all = all};
	/* Of a part or a line each change must be right. */
	int rc = within(&a, !file->at_least && !file->line, apply_and_list,
		lost);

	if (rc && a.now)
		file->wrong = a.now->line;
	if (rc && !a.complained)
		complain(s, " %s: it was refused",
			entry_title(a.now, &s->arena));
	return rc;
}

struct roster_removal {
	const struct changeable *kind;
	struct request *request;
};

static int erase_chosen(struct roster_applying *a, void *arg)
{
	const struct roster_removal *e = arg;

	*a->s->err.text = '\0';
	e->kind->run[VERB_DELETE](a->s, e->request);
	return a->complained ? -1 : 0;
}

int roster_erase(struct session *s, const struct changeable *kind,
	struct request *request, bool *any)
{
	struct roster_applying a = {.s = s};
	struct roster_removal e = {kind, request};
	int rc = within(&a, false, erase_chosen, &e);

	*any = a.erased;
	return rc;
}
