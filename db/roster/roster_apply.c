/*
 * Differences made true through the operations: what an administrator would
 * type, in an order in which each finds what it needs. What refuses the typed
 * one refuses it here. New users and their associations, which may be many, are
 * added without words (db/roster/bulk.h).
 */
#include "db/roster/roster.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/roster/bulk.h"

struct roster_applying {
	struct session *s;
	struct roster *store, *file;
	const struct differences *all;
	const struct session_hooks *hooks; /* of the session */
	const struct entry *now;	   /* the record at hand */
	const struct entry *like;	   /* the row that `set` is of */
	struct settings set;
	bool adds;		     /* any row */
	bool complained;
};

/* ---- one operation -------------------------------------------------------*/

/* In front of the first line: of which record. */
static void hear(struct session *s, const char *line, enum say how)
{
	const struct session_hooks *inside = s->hooks;
	struct roster_applying *a = inside->arg;
	const char *title = entry_title(a->now, &s->arena);

	if (!a->complained && a->now->line)
		title = arena_printf(
			&s->arena, "line %d: %s", a->now->line, title);
	s->hooks = a->hooks;
	if (!a->complained)
		a->hooks->say(s, arena_printf(&s->arena, " %s:", title), SAY_LINE);
	a->complained = true;
	a->hooks->say(s, line, how);
	s->hooks = inside;
}

/* In the transaction that is open. */
static int run_inside(struct session *s, const struct change *change)
{
	return change->plan(s, change->arg) >= PLAN_UNCHANGED ? 0 : -1;
}

static void push(
	struct roster_applying *a, struct strv *words, const char *word)
{
	strv_push(words, &a->s->arena, word);
}

__attribute__((format(printf, 3, 4))) static void pushf(
	struct roster_applying *a, struct strv *words, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push(a, words, arena_vprintf(&a->s->arena, fmt, ap));
	va_end(ap);
}

static int run(struct roster_applying *a, const struct entry *e, enum verb verb,
	const struct strv *words)
{
	char **copy = arena_array(&a->s->arena, words->n, sizeof(*copy));

	for (size_t i = 0; i < words->n; i++)
		copy[i] = arena_strdup(&a->s->arena, words->v[i]);
	a->now = e;
	*a->s->err.text = '\0';
	return change_words(a->s, verb, copy, (int)words->n) || a->complained
		       ? -1
		       : 0;
}

/* "modify KIND where name=NAME [cluster=NAME] set": the beginning. */
static struct strv modify_words(struct roster_applying *a, const char *kind,
	const struct entry *e, bool on_cluster)
{
	struct strv words = {0};

	push(a, &words, kind);
	push(a, &words, "where");
	pushf(a, &words, "name=%s", e->name);
	if (on_cluster)
		pushf(a, &words, "cluster=%s", a->file->cluster);
	if (e->kind == ROSTER_ROW) {
		pushf(a, &words, "account=%s", e->account);
		pushf(a, &words, "partition=%s", e->partition);
	}
	push(a, &words, "set");
	return words;
}

/* ---- values --------------------------------------------------------------*/

/* What is set, with -1 for what is there and shall not be. */
static const char *tres_value(
	struct roster_applying *a, const char *was, const char *is)
{
	struct strv before = {0}, words = {0};

	if (is)
		push(a, &words, is);
	if (was)
		strv_split(&before, &a->s->arena, was);
	for (size_t i = 0; i < before.n; i++) {
		size_t len = strcspn(before.v[i], "=");
		const char *name = arena_strndup(
			&a->s->arena, before.v[i], len + 1);
		const char *kept = is ? is : "";

		while (*kept && strncmp(kept, name, len + 1) != 0) {
			kept += strcspn(kept, ",");
			kept += *kept == ',';
		}
		if (!*kept)
			pushf(a, &words, "%s-1", name);
	}
	return strv_join(&words, ",", &a->s->arena);
}

/* What is typed for a value that goes. */
static const char *cleared(const struct fact *f)
{
	switch (f->type == FACT_MEMBER ? f->member->set->type : ATTR_TEXT) {
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

static void push_value(struct roster_applying *a, struct strv *words,
	const struct fact *f, const char *was, const char *is)
{
	const char *text = is ? is : cleared(f);

	if (f->type == FACT_MEMBER && f->member->set->type == ATTR_TRES)
		text = tres_value(a, was, is);
	if (f->type == FACT_FLAGS && !is)
		text = "NoUsersAreCoords";
	pushf(a, words, "%s=%s", f->word, text);
}

static bool has_sign(const char *list)
{
	return list && (*list == '+' || *list == '-');
}

/* What is typed with signs edits the list there is, where the file has the whole
 * of one that follows the list above: what is there goes first. */
static int end_own_list(
	struct roster_applying *a, const struct difference *d, const char *kind)
{
	struct strv words;

	for (size_t i = 0; i < d->n; i++) {
		const struct changed_fact *c = &d->v[i];

		if (c->fact->type != FACT_MEMBER || !c->was ||
			c->fact->member->set->type != ATTR_QOS_LIST ||
			!has_sign(c->is))
			continue;
		words = modify_words(a, kind, d->entry, true);
		pushf(a, &words, "%s=", c->fact->word);
		return run(a, d->entry, VERB_MODIFY, &words);
	}
	return 0;
}

static bool is_of_record(const struct fact *f)
{
	return f->type == FACT_DESCRIPTION || f->type == FACT_ORGANIZATION ||
	       f->type == FACT_FLAGS;
}

/* Everything said of a new record. */
static void push_told(
	struct roster_applying *a, struct strv *words, const struct entry *e)
{
	for (size_t i = 0; i < e->n; i++)
		push_value(a, words, e->v[i].fact, NULL, e->v[i].text);
}

/* ---- QOS -----------------------------------------------------------------*/

static bool is_preempt(const struct fact *f)
{
	return f->member == qos_attr(preempt);
}

static int add_qos(struct roster_applying *a, const struct entry *e)
{
	struct strv words = {0};

	push(a, &words, "qos");
	pushf(a, &words, "name=%s", e->name);
	for (size_t i = 0; i < e->n; i++)
		if (!is_preempt(e->v[i].fact))
			push_value(a, &words, e->v[i].fact, NULL, e->v[i].text);
	return run(a, e, VERB_ADD, &words);
}

/* Before others are set, that no loop comes of the old and the new. */
static int end_preemption(struct roster_applying *a, const struct difference *d)
{
	struct strv words = modify_words(a, "qos", d->entry, false);

	for (size_t i = 0; i < d->n; i++)
		if (is_preempt(d->v[i].fact) && d->v[i].was) {
			pushf(a, &words, "%s=", d->v[i].fact->word);
			return run(a, d->entry, VERB_MODIFY, &words);
		}
	return 0;
}

/* Whom they preempt when all are there. */
static int modify_qos(struct roster_applying *a, const struct difference *d)
{
	struct strv words = modify_words(a, "qos", d->entry, false);
	size_t before = words.n;

	for (size_t i = 0; i < d->n; i++)
		if (d->what == DIFFERENCE_CHANGED || is_preempt(d->v[i].fact))
			push_value(a, &words, d->v[i].fact, d->v[i].was,
				d->v[i].is);
	return words.n > before ? run(a, d->entry, VERB_MODIFY, &words) : 0;
}

/* ---- accounts ------------------------------------------------------------*/

/* The record, of every cluster; all of it when there was one already. */
static int modify_record(struct roster_applying *a, const struct difference *d)
{
	struct strv words = modify_words(a, "account", d->entry, false);
	size_t before = words.n;

	for (size_t i = 0; i < d->n; i++)
		if (is_of_record(d->v[i].fact))
			push_value(a, &words, d->v[i].fact, d->v[i].was,
				d->v[i].is);
	if (d->what == DIFFERENCE_ADDED && !entry_text(d->entry, FACT_FLAGS))
		push(a, &words, "Flags=NoUsersAreCoords");
	return words.n > before ? run(a, d->entry, VERB_MODIFY, &words) : 0;
}

static int modify_rows_of_account(
	struct roster_applying *a, const struct difference *d)
{
	struct strv words = modify_words(a, "account", d->entry, true);
	size_t before = words.n;

	for (size_t i = 0; i < d->n; i++)
		if (!is_of_record(d->v[i].fact))
			push_value(a, &words, d->v[i].fact, d->v[i].was,
				d->v[i].is);
	return words.n > before && (end_own_list(a, d, "account") ||
				    run(a, d->entry, VERB_MODIFY, &words))
		       ? -1
		       : 0;
}

static int add_account(struct roster_applying *a, const struct difference *d)
{
	struct strv words = {0};
	int exists = account_exists(a->s->store, d->entry->name);

	a->now = d->entry;
	if (exists < 0)
		return complain_err(a->s);
	push(a, &words, "account");
	pushf(a, &words, "name=%s", d->entry->name);
	pushf(a, &words, "cluster=%s", a->file->cluster);
	push_told(a, &words, d->entry);
	if (run(a, d->entry, VERB_ADD, &words))
		return -1;
	return exists ? modify_record(a, d) : 0;
}

static int change_account(struct roster_applying *a, const struct difference *d)
{
	if (d->what == DIFFERENCE_ADDED)
		return add_account(a, d);
	return modify_record(a, d) || modify_rows_of_account(a, d) ? -1 : 0;
}

/* ---- users in accounts ---------------------------------------------------*/

enum { MOST_AT_ONCE = 5000 };

static bool same_told(const struct entry *a, const struct entry *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].fact != b->v[i].fact ||
			strcmp(a->v[i].text, b->v[i].text) != 0)
			return false;
	return true;
}

/* What is said of a new association, as settings. */
static int read_told(struct roster_applying *a, const struct entry *e,
	struct settings *set)
{
	const struct attr_context context = {
		.tres = &a->s->store->tres, .qos = &a->s->store->qos};
	struct strv words = {0};

	*set = (struct settings){0};
	push_told(a, &words, e);
	for (size_t i = 0; i < words.n; i++) {
		const struct fact *f = e->v[i].fact;
		struct word word = word_split(words.v[i]);

		if (settings_add(set, f->table, f->member, &word, &context,
			    &a->s->arena, &a->s->err))
			return -1;
	}
	return 0;
}

static struct entry *user_of(struct roster_applying *a, const struct entry *row)
{
	return roster_find(a->s, a->file, ROSTER_USER, row->name, "", "");
}

/* The account that a new row stands below. */
static struct entry *account_of(
	struct roster_applying *a, const struct entry *row)
{
	struct entry *e = roster_find(
		a->s, a->file, ROSTER_ACCOUNT, row->account, "", "");

	return e ? e
		 : roster_find(a->s, a->store, ROSTER_ACCOUNT, row->account, "",
			   "");
}

/* The first row of a user becomes the default. */
static bool is_in_default(struct roster_applying *a, const struct entry *row)
{
	const char *account =
		entry_text(user_of(a, row), FACT_DEFAULT_ACCOUNT);

	return account && !strcmp(account, row->account);
}

/* What the store knows of the user and the account of a new row. `only`: the
 * user has no other rows there, nor any change later on. */
static int look_around(
	struct roster_applying *a, const struct entry *row, bool *only)
{
	struct session *s = a->s;
	struct entry *user = user_of(a, row), *account = account_of(a, row);
	const struct entry *old = roster_find(
		s, a->store, ROSTER_USER, row->name, "", "");
	const char *was = old ? entry_text(old, FACT_DEFAULT_ACCOUNT) : NULL;
	const char *is = entry_text(user, FACT_DEFAULT_ACCOUNT);
	int found = 1;

	a->adds = true;
	*only &= !was && is && *is;
	if (!account->row)
		found = assoc_find(s->store, a->file->cluster, row->account, "",
			"", &s->arena, &account->row);
	if (found > 0 && !user->stored) {
		user->has_default = was && *was;
		user->stored = user->name;
		found = user_spelling(
			s->store, user->name, &s->arena, &user->stored);
		user->comes = !found;
		return found < 0 ? -1 : 0;
	}
	if (found)
		return found < 0 ? -1 : 0;
	return err_set(&s->err, ERR_USAGE, " there is no account %s on %s",
		row->account, a->file->cluster);
}

static int add_user(struct roster_applying *a, struct entry *user)
{
	const char *level = entry_text(user, FACT_ADMIN_LEVEL);

	if (!user->comes || user->came)
		return 0;
	user->came = true;
	return op_add_user(a->s, user->stored,
		level ? admin_level_parse(level) : ADMIN_NOT_SET);
}

static int add_row(struct roster_applying *a, struct bulk *bulk,
	const struct entry *row, const struct settings *set)
{
	struct entry *user = user_of(a, row);
	struct assoc_new new = {
		.account = row->account,
		.user = user->stored,
		.partition = row->partition,
		.parent = account_of(a, row)->row,
		.settings = set,
		.is_default = !user->has_default,
		.is_only_default = !user->has_default,
	};

	user->has_default = true;
	return bulk_add(bulk, &new) < 0 ? -1 : 0;
}

enum adding { ADD_LOOK, ADD_USERS, ADD_DEFAULTS, ADD_OTHERS, ADDINGS };

static int add_one(struct roster_applying *a, enum adding step,
	struct bulk *bulk, const struct entry *row, bool *only)
{
	a->now = row;
	if (step == ADD_LOOK)
		return look_around(a, row, only);
	if (step == ADD_USERS)
		return add_user(a, user_of(a, row));
	if (is_in_default(a, row) != (step == ADD_DEFAULTS))
		return 0;
	/* Those alike share their settings. */
	if (!a->like || !same_told(a->like, row)) {
		if (read_told(a, row, &a->set))
			return -1;
		a->like = row;
	}
	return add_row(a, bulk, row, &a->set);
}

static int add_each(struct roster_applying *a, enum adding step,
	struct bulk *bulk, bool *only)
{
	for (size_t i = 0; i < a->all->n; i++) {
		const struct difference *d = &a->all->v[i];

		if (d->what == DIFFERENCE_ADDED &&
			d->entry->kind == ROSTER_ROW &&
			add_one(a, step, bulk, d->entry, only))
			return -1;
	}
	return 0;
}

static int add_all_rows(struct roster_applying *a)
{
	struct bulk bulk;
	bool only = true;
	int rc = add_each(a, ADD_LOOK, NULL, &only);

	if (!rc && !a->adds)
		return 0;
	if (!rc)
		rc = bulk_begin(&bulk, a->s, a->file->cluster, only);
	for (enum adding step = ADD_USERS; step < ADDINGS && !rc; step++)
		rc = add_each(a, step, &bulk, NULL);
	return rc || bulk_end(&bulk) ? complain_err(a->s) : 0;
}

static int modify_row(struct roster_applying *a, const struct difference *d)
{
	struct strv words = modify_words(a, "user", d->entry, true);

	for (size_t i = 0; i < d->n; i++)
		push_value(
			a, &words, d->v[i].fact, d->v[i].was, d->v[i].is);
	return end_own_list(a, d, "user") ||
			       run(a, d->entry, VERB_MODIFY, &words)
		       ? -1
		       : 0;
}

/* ---- users ---------------------------------------------------------------*/

static int set_user(struct roster_applying *a, const struct entry *e,
	bool on_cluster, const char *word, const char *value)
{
	struct strv words = modify_words(a, "user", e, on_cluster);

	pushf(a, &words, "%s=%s", word, value);
	return run(a, e, VERB_MODIFY, &words);
}

/* The names of one list that are not in the other. */
static struct strv names_beyond(
	struct roster_applying *a, const char *list, const char *other)
{
	struct strv names = {0}, others = {0}, beyond = {0};

	if (list)
		strv_split(&names, &a->s->arena, list);
	if (other)
		strv_split(&others, &a->s->arena, other);
	for (size_t i = 0; i < names.n; i++)
		if (!strv_has(&others, names.v[i]))
			push(a, &beyond, names.v[i]);
	return beyond;
}

static int change_names(struct roster_applying *a, const struct entry *e,
	const struct changed_fact *c, bool add)
{
	struct strv names = add ? names_beyond(a, c->is, c->was)
				: names_beyond(a, c->was, c->is);
	const char *list = strv_join(&names, ",", &a->s->arena);
	bool keys = c->fact->type == FACT_WCKEYS;
	struct strv words = {0};

	if (!names.n)
		return 0;
	push(a, &words, keys ? "user" : "coordinator");
	if (!add)
		push(a, &words, "where");
	pushf(a, &words, "name=%s", e->name);
	if (keys)
		pushf(a, &words, "cluster=%s", a->file->cluster);
	pushf(a, &words, keys ? "wckeys=%s" : "accounts=%s", list);
	return run(a, e, add ? VERB_ADD : VERB_DELETE, &words);
}

static int change_fact(struct roster_applying *a, const struct entry *e,
	const struct changed_fact *c)
{
	switch (c->fact->type) {
	case FACT_ADMIN_LEVEL:
		return e->comes ? 0 : set_user(
			a, e, false, "AdminLevel", c->is ? c->is : "None");
	case FACT_DEFAULT_ACCOUNT:
		/* The first row of who had none is it by now. */
		return !c->was && *c->is ? 0
					 : set_user(a, e, true,
						   "DefaultAccount", c->is);
	case FACT_DEFAULT_WCKEY:
		return c->is ? set_user(a, e, true, "DefaultWCKey", c->is) : 0;
	default:
		return change_names(a, e, c, true);
	}
}

static int change_user(struct roster_applying *a, const struct difference *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (change_fact(a, d->entry, &d->v[i]))
			return -1;
	return 0;
}

static int take_names(struct roster_applying *a, const struct difference *d)
{
	for (size_t i = 0; i < d->n; i++)
		if ((d->v[i].fact->type == FACT_COORDINATOR ||
			    d->v[i].fact->type == FACT_WCKEYS) &&
			change_names(a, d->entry, &d->v[i], false))
			return -1;
	return 0;
}

/* ---- what goes -----------------------------------------------------------*/

static int remove_users(struct roster_applying *a, const struct entry *first,
	const struct strv *names)
{
	struct strv words = {0};

	if (!names->n)
		return 0;
	push(a, &words, "user");
	push(a, &words, "where");
	pushf(a, &words, "name=%s", strv_join(names, ",", &a->s->arena));
	pushf(a, &words, "cluster=%s", a->file->cluster);
	return run(a, first, VERB_DELETE, &words);
}

/* A user who is nowhere in the file is deleted at once, default account
 * included. */
static int remove_leavers(struct roster_applying *a)
{
	const struct entry *first = NULL;
	struct strv names = {0};

	for (size_t i = 0; i < a->all->n; i++) {
		const struct difference *d = &a->all->v[i];
		struct entry *user;

		if (d->what != DIFFERENCE_REMOVED ||
			d->entry->kind != ROSTER_ROW ||
			roster_find(a->s, a->file, ROSTER_USER, d->entry->name,
				"", ""))
			continue;
		user = roster_find(a->s, a->store, ROSTER_USER, d->entry->name,
			"", "");
		if (user->leaves)
			continue;
		user->leaves = true;
		first = first ? first : d->entry;
		push(a, &names, d->entry->name);
		if (names.n < MOST_AT_ONCE)
			continue;
		if (remove_users(a, first, &names))
			return -1;
		names = (struct strv){0};
		first = NULL;
	}
	return remove_users(a, first, &names);
}

static int remove_row(struct roster_applying *a, const struct difference *d)
{
	const struct entry *e = d->entry;
	const struct entry *user = roster_find(
		a->s, a->file, ROSTER_USER, e->name, "", "");
	const char *account = user ? entry_text(user, FACT_DEFAULT_ACCOUNT)
				   : NULL;
	struct strv words = {0};

	if (!user)
		return 0;
	/* Of rows for partitions perhaps this one alone was the default. */
	if (account && !strcmp(account, e->account) &&
		set_user(a, user, true, "DefaultAccount", account))
		return -1;
	push(a, &words, "user");
	push(a, &words, "where");
	pushf(a, &words, "name=%s", e->name);
	pushf(a, &words, "account=%s", e->account);
	pushf(a, &words, "cluster=%s", a->file->cluster);
	pushf(a, &words, "partition=%s", e->partition);
	return run(a, e, VERB_DELETE, &words);
}

static int is_elsewhere(
	struct roster_applying *a, const char *account, bool *elsewhere)
{
	struct assoc_cond cond = {.without_limits = true, .only_accounts = true};
	struct assoc_list rows;

	*elsewhere = false;
	strv_push(&cond.accounts, &a->s->arena, account);
	if (assoc_list(a->s->store, &cond, &a->s->arena, &rows))
		return complain_err(a->s);
	for (size_t i = 0; i < rows.n; i++)
		*elsewhere |= strcmp(rows.v[i]->cluster, a->file->cluster) != 0;
	return 0;
}

static int remove_named(struct roster_applying *a, const char *kind,
	bool on_cluster, const struct entry *first, const struct strv *names)
{
	struct strv words = {0};

	if (!names->n)
		return 0;
	push(a, &words, kind);
	push(a, &words, "where");
	pushf(a, &words, "name=%s", strv_join(names, ",", &a->s->arena));
	if (on_cluster)
		pushf(a, &words, "cluster=%s", a->file->cluster);
	return run(a, first, VERB_DELETE, &words);
}

/* An account of other clusters goes from this one only. */
static int remove_accounts(struct roster_applying *a)
{
	const struct entry *first = NULL;
	struct strv here = {0}, wholly = {0};

	for (size_t i = 0; i < a->all->n; i++) {
		const struct difference *d = &a->all->v[i];
		bool elsewhere;

		if (d->what != DIFFERENCE_REMOVED ||
			d->entry->kind != ROSTER_ACCOUNT)
			continue;
		a->now = d->entry;
		if (is_elsewhere(a, d->entry->name, &elsewhere))
			return -1;
		first = first ? first : d->entry;
		push(a, elsewhere ? &here : &wholly, d->entry->name);
	}
	return remove_named(a, "account", true, first, &here) ||
			       remove_named(a, "account", false, first, &wholly)
		       ? -1
		       : 0;
}

static int remove_qos(struct roster_applying *a)
{
	const struct entry *first = NULL;
	struct strv names = {0};

	for (size_t i = 0; i < a->all->n; i++) {
		const struct difference *d = &a->all->v[i];

		if (d->what != DIFFERENCE_REMOVED ||
			d->entry->kind != ROSTER_QOS)
			continue;
		first = first ? first : d->entry;
		push(a, &names, d->entry->name);
	}
	return remove_named(a, "qos", false, first, &names);
}

/* ---- all -----------------------------------------------------------------*/

static int change_cluster(struct roster_applying *a, const struct difference *d)
{
	struct strv words = modify_words(a, "cluster", d->entry, false);

	for (size_t i = 0; i < d->n; i++)
		push_value(
			a, &words, d->v[i].fact, d->v[i].was, d->v[i].is);
	return run(a, d->entry, VERB_MODIFY, &words);
}

/* Each difference of the kind that is not (or is) a removal. */
static int each(struct roster_applying *a, enum roster_kind kind,
	enum difference_kind least, enum difference_kind most,
	int (*make)(struct roster_applying *, const struct difference *))
{
	for (size_t i = 0; i < a->all->n; i++) {
		const struct difference *d = &a->all->v[i];

		if (d->entry->kind == kind && d->what >= least &&
			d->what <= most && make(a, d))
			return -1;
	}
	return 0;
}

static int add_one_qos(struct roster_applying *a, const struct difference *d)
{
	return add_qos(a, d->entry);
}

static int apply_all(struct roster_applying *a)
{
	const enum difference_kind added = DIFFERENCE_ADDED,
				   changed = DIFFERENCE_CHANGED,
				   removed = DIFFERENCE_REMOVED;

	return each(a, ROSTER_CLUSTER, changed, changed, change_cluster) ||
			       each(a, ROSTER_QOS, added, added, add_one_qos) ||
			       each(a, ROSTER_QOS, changed, changed,
				       end_preemption) ||
			       each(a, ROSTER_QOS, added, changed, modify_qos) ||
			       each(a, ROSTER_ACCOUNT, added, changed,
				       change_account) ||
			       add_all_rows(a) ||
			       each(a, ROSTER_ROW, changed, changed,
				       modify_row) ||
			       each(a, ROSTER_USER, changed, changed,
				       change_user) ||
			       each(a, ROSTER_USER, changed, changed,
				       take_names) ||
			       remove_leavers(a) ||
			       each(a, ROSTER_ROW, removed, removed,
				       remove_row) ||
			       remove_accounts(a) || remove_qos(a)
		       ? -1
		       : 0;
}

/* ---- default QOS ---------------------------------------------------------*/

/* Does it change which QOS may be used? */
static bool is_of_qos(const struct changed_fact *c)
{
	const struct member *m = c->fact->member;

	return c->fact->type == FACT_PARENT ||
	       (m && (m == assoc_attr(own_qos) || m == assoc_attr(def_qos_id)));
}

static bool any_of_qos(const struct differences *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->v[i].n; k++)
			if (is_of_qos(&all->v[i].v[k]))
				return true;
	return false;
}

/* "line 7: user ann, account lab: default QOS fast is not among its QOS" */
static const char *tell_lost(struct roster_applying *a, const struct assoc *row)
{
	struct arena *arena = &a->s->arena;
	const struct entry *e = *row->user
		? roster_find(a->s, a->file, ROSTER_ROW, row->user,
			  row->account, row->partition)
		: roster_find(a->s, a->file, ROSTER_ACCOUNT, row->account, "",
			  "");
	const char *title = *row->user
		? arena_printf(arena, "user %s in %s", row->user, row->account)
		: arena_printf(arena, "account %s", row->account);

	if (e)
		title = entry_title(e, arena);
	if (e && e->line)
		title = arena_printf(arena, "line %d: %s", e->line, title);
	return arena_printf(arena,
		"%s: its default QOS, %s, is none that it may use", title,
		row->def_qos);
}

/* One operation in between is not refused for it, for the next may mend it; and
 * a file of what a store once was makes it that again. */
static int list_lost(struct roster_applying *a, struct strv *lost)
{
	struct assoc_cond cond = {0};
	struct assoc_list list;

	*lost = (struct strv){0};
	if (!any_of_qos(a->all))
		return 0;
	strv_push(&cond.clusters, &a->s->arena, a->file->cluster);
	if (assoc_list(a->s->store, &cond, &a->s->arena, &list))
		return complain_err(a->s);
	for (size_t i = 0; i < list.n; i++)
		if (assoc_lost_default_qos(list.v[i]))
			push(a, lost, tell_lost(a, list.v[i]));
	return 0;
}

int roster_apply(struct session *s, struct roster *store, struct roster *file,
	const struct differences *all, struct strv *lost)
{
	struct roster_applying a = {.s = s,
		.store = store,
		.file = file,
		.all = all,
		.hooks = s->hooks};
	const struct session_hooks inside = {
		.say = hear, .run = run_inside, .arg = &a};
	const struct session_hints *hints = s->hints;
	bool immediate = s->immediate;
	bool untold = s->untold;
	int rc;

	s->hooks = &inside;
	s->hints = NULL;
	s->immediate = true;
	s->untold = true; /* the differences are told */
	s->in_parts = true;
	rc = apply_all(&a);
	s->in_parts = false;
	s->untold = untold;
	s->hooks = a.hooks;
	s->hints = hints;
	s->immediate = immediate;
	if (!rc)
		return list_lost(&a, lost);
	if (!a.complained)
		complain(s, " %s: it was refused",
			entry_title(a.now, &s->arena));
	return -1;
}
