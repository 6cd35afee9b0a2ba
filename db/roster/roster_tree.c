/*
 * Rosters as YAML and JSON: read, and written by `dump format=yaml`.
 */
#include "db/roster/near.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/bisect.h"

static int need_map(
	struct roster_reading *r, const struct tree *t, const char *what)
{
	if (t->kind == TREE_MAP || tree_is_nothing(t))
		return 0;
	return roster_bad(r->s, t->line, "%s must be a map of names", what);
}

/* ---- values --------------------------------------------------------------*/

static int list_text(
	struct roster_reading *r, const struct tree *list, const char **text)
{
	struct strv words = {0};

	for (const struct tree *t = list->first; t; t = t->next) {
		if (t->kind != TREE_TEXT || strchr(t->text, ','))
			return roster_bad(r->s, t->line,
				"'%s' must be a list of words", list->name);
		strv_push(&words, &r->s->arena, t->text);
	}
	*text = strv_join(&words, ",", &r->s->arena);
	return 0;
}

/* The value as it would be typed: a text, or a list of words. NULL: nothing. */
static int typed_text(
	struct roster_reading *r, const struct tree *t, const char **text)
{
	*text = NULL;
	if (t->kind == TREE_LIST)
		return list_text(r, t, text);
	if (t->kind == TREE_MAP)
		return roster_bad(
			r->s, t->line, "'%s' must be a text", t->name);
	if (!tree_is_nothing(t))
		*text = t->text;
	return 0;
}

static int read_property(
	struct roster_reading *r, struct entry *e, const struct tree *t)
{
	const struct property *f = roster_property(e->kind, t->name);
	const char *typed, *text = NULL;

	if (!f || f->type == PROPERTY_PARENT)
		return reading_unknown(r, t->line, e, t->name);
	if (entry_text_of(e, f))
		return roster_bad(r->s, t->line,
			"%s: '%s' is %s, which was given",
			entry_title(e, &r->s->arena), t->name, f->name);
	if (typed_text(r, t, &typed))
		return -1;
	if (!typed)
		return 0;
	if (reading_value(r, f, typed, &text))
		return reading_bad(r, t->line, e);
	entry_set(e, f, text, &r->s->arena);
	return 0;
}

/* ---- records -------------------------------------------------------------*/

static bool is_word(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (!strcasecmp(name, *words))
			return true;
	return false;
}

/* A record with all of its map that is not one of `parts`. */
static struct entry *read_entry(struct roster_reading *r, enum roster_kind kind,
	const char *account, const char *partition, const struct tree *t,
	const char *typed, const char *const *parts)
{
	struct entry *e = reading_add(
		r, kind, typed, account, partition, t->line);

	if (!e || need_map(r, t, entry_title(e, &r->s->arena)))
		return NULL;
	for (const struct tree *in = t->first; in; in = in->next)
		if (!is_word(in->name, parts) && read_property(r, e, in))
			return NULL;
	return e;
}

static const char *const no_parts[] = {NULL};
static const char *const row_parts[] = {"partitions", NULL};
static const char *const account_parts[] = {"users", "accounts", NULL};

static int read_row(struct roster_reading *r, const struct tree *t,
	const char *account, const char *user, const char *partition)
{
	struct entry *e = read_entry(
		r, ROSTER_ROW, account, partition, t, user, no_parts);

	if (!e)
		return -1;
	reading_user(r, e);
	return 0;
}

/* Of one that has rows for partitions; "" is the row for none. */
static int read_partitions(struct roster_reading *r, const struct tree *t,
	const char *account, const struct tree *partitions)
{
	if (t->first->next)
		return roster_bad(r->s, t->line,
			"user %s in %s: settings belong to each partition, not "
			"beside 'partitions'",
			t->name, account);
	if (partitions->kind != TREE_MAP)
		return roster_bad(r->s, partitions->line,
			"'partitions' must be a map of names");
	for (const struct tree *p = partitions->first; p; p = p->next)
		if (reading_name(r->s, p->name))
			return roster_bad(
				r->s, p->line, "'%s' is not a name", p->name);
		else if (read_row(r, p, account, t->name,
				 str_lower(&r->s->arena, p->name)))
			return -1;
	return 0;
}

static int read_users(
	struct roster_reading *r, const struct tree *users, const char *account)
{
	if (!users)
		return 0;
	if (need_map(r, users, "'users'"))
		return -1;
	for (const struct tree *t = users->first; t; t = t->next) {
		const struct tree *partitions =
			t->kind == TREE_MAP ? tree_find(t, *row_parts) : NULL;

		if (partitions ? read_partitions(r, t, account, partitions)
			       : read_row(r, t, account, t->name, ""))
			return -1;
	}
	return 0;
}

static int read_accounts(struct roster_reading *r, const struct tree *accounts,
	const char *parent);

/* `parent` NULL: the root. */
static int read_account(
	struct roster_reading *r, const struct tree *t, const char *parent)
{
	struct entry *e = read_entry(
		r, ROSTER_ACCOUNT, "", "", t, t->name, account_parts);
	const struct tree *users, *accounts;

	if (!e)
		return -1;
	entry_set_of(e, PROPERTY_PARENT, parent, &r->s->arena);
	if (t->kind != TREE_MAP)
		return 0;
	users = tree_find(t, account_parts[0]);
	accounts = tree_find(t, account_parts[1]);
	if (!parent && accounts)
		return roster_bad(r->s, accounts->line,
			"accounts below root stand at 'accounts', beside "
			"'root'");
	return any_failed(read_users(r, users, e->name) ||
			  read_accounts(r, accounts, e->name));
}

static int read_accounts(struct roster_reading *r, const struct tree *accounts,
	const char *parent)
{
	if (!accounts)
		return 0;
	if (need_map(r, accounts, "'accounts'"))
		return -1;
	for (const struct tree *t = accounts->first; t; t = t->next)
		if (read_account(r, t, parent))
			return -1;
	return 0;
}

/* ---- QOS -----------------------------------------------------------------*/

static int read_qos(struct roster_reading *r, const struct tree *qos)
{
	struct strv names = {0};

	if (qos && need_map(r, qos, "'qos'"))
		return -1;
	for (const struct tree *t = qos ? qos->first : NULL; t; t = t->next)
		strv_push(&names, &r->s->arena,
			str_lower(&r->s->arena, t->name));
	reading_know_qos(r, &names);
	for (const struct tree *t = qos ? qos->first : NULL; t; t = t->next)
		if (!read_entry(r, ROSTER_QOS, "", "", t, t->name, no_parts))
			return -1;
	return 0;
}

/* ---- users ---------------------------------------------------------------*/

static int read_user(struct roster_reading *r, const struct tree *t)
{
	const char *name = name_case(r->s, NAMES_USER, t->name);
	struct entry *e = roster_find(r->file, ROSTER_USER, name);

	if (!e)
		return roster_bad(r->s, t->line,
			"user %s is in no account of the file", name);
	if (e->seen)
		return roster_bad(r->s, t->line,
			"user %s a second time; the first is in line %d", name,
			e->line);
	e->seen = true;
	e->line = t->line;
	if (need_map(r, t, entry_title(e, &r->s->arena)))
		return -1;
	for (const struct tree *in = t->first; in; in = in->next)
		if (read_property(r, e, in))
			return -1;
	return 0;
}

static int read_user_properties(
	struct roster_reading *r, const struct tree *users)
{
	if (users && need_map(r, users, "'users'"))
		return -1;
	for (const struct tree *t = users ? users->first : NULL; t; t = t->next)
		if (read_user(r, t))
			return -1;
	return 0;
}

/* ---- the file ------------------------------------------------------------*/

static int check_top(struct roster_reading *r, const struct tree *tree)
{
	if (tree->kind != TREE_MAP)
		return roster_bad(r->s, tree->line,
			"this is no dump: 'cluster: NAME' is missing");
	return reading_keys(r->s, tree,
		"cluster,Classification,qos,root,accounts,users");
}

static int read_cluster(struct roster_reading *r, const struct tree *tree)
{
	const struct tree *cluster = tree_find(tree, "cluster");
	const struct tree *class = tree_find(tree, "classification");

	if (!cluster || cluster->kind != TREE_TEXT || !*cluster->text)
		return roster_bad(r->s, cluster ? cluster->line : 1,
			"which cluster is it? 'cluster: NAME' is missing");
	if (reading_cluster(r, cluster->text, cluster->line))
		return -1;
	return class ? read_property(r, r->file->of[ROSTER_CLUSTER].v[0], class)
		     : 0;
}

static int read_root(struct roster_reading *r, const struct tree *root)
{
	struct tree named;

	if (!root)
		return 0;
	named = *root;
	named.name = "root";
	return read_account(r, &named, NULL);
}

static int read_tree(struct roster_reading *r, const struct tree *tree)
{
	const struct tree *qos = tree_find(tree, "qos");
	const struct tree *accounts = tree_find(tree, "accounts");
	const struct tree *users = tree_find(tree, "users");

	r->file->has[ROSTER_QOS] = qos != NULL;
	r->file->has[ROSTER_ACCOUNT] = accounts != NULL;
	r->file->has[ROSTER_ROW] = accounts != NULL;
	r->file->has[ROSTER_USER] = users != NULL;
	return any_failed(read_qos(r, qos) ||
			  read_root(r, tree_find(tree, "root")) ||
			  read_accounts(r, accounts, "root") ||
			  read_user_properties(r, users));
}

int roster_read_tree(struct roster_reading *r, const char *text, size_t size)
{
	struct session *s = r->s;
	struct tree *tree;

	return any_failed(tree_read(text, size, &s->arena, &tree, &s->err) ||
			  check_top(r, tree) || read_cluster(r, tree) ||
			  read_tree(r, tree));
}

/* ---- writing -------------------------------------------------------------*/

static bool is_number(const struct entry_value *t)
{
	return t->property->type == PROPERTY_MEMBER &&
	       t->property->member->set->type != ATTR_TEXT &&
	       t->property->member->set->type != ATTR_TEXT_CASE &&
	       t->property->member->set->type != ATTR_QOS &&
	       t->property->member->set->type != ATTR_QOS_LIST &&
	       t->text[strspn(t->text, "0123456789.")] == '\0';
}

static void write_properties(
	struct session *s, struct tree *map, const struct entry *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct entry_value *t = &e->v[i];
		const char *given = roster_default(t->property, e, &s->arena);

		if (t->property->type != PROPERTY_PARENT &&
			(!given || strcmp(given, t->text) != 0))
			tree_add_text(map, t->property->name, t->text,
				is_number(t), &s->arena);
	}
}

/* The account it stands below. */
static const char *above(const struct entry *e)
{
	const char *parent = e->kind == ROSTER_ACCOUNT
				     ? entry_text(e, PROPERTY_PARENT)
			     : e->kind == ROSTER_ROW ? e->account
						     : NULL;

	return parent ? parent : "";
}

static int by_place(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;
	int rc = strcmp(above(*x), above(*y));

	rc = rc ? rc : strcmp((*x)->name, (*y)->name);
	return rc ? rc : strcmp((*x)->partition, (*y)->partition);
}

static struct entry_list sorted(struct session *s, const struct entry_list *list)
{
	struct entry_list copy = {.n = list->n};

	copy.v = arena_array(&s->arena, list->n + 1, sizeof(*copy.v));
	for (size_t i = 0; i < list->n; i++)
		copy.v[i] = list->v[i];
	if (copy.n)
		qsort(copy.v, copy.n, sizeof(*copy.v), by_place);
	return copy;
}

struct writing {
	struct session *s;
	struct entry_list rows, accounts;
};

/* The first below the account, or what follows it. */
static size_t first_below(const struct entry_list *list, const char *account)
{
	size_t low = 0, high = list->n;

	BISECT(low, high, at, strcmp(above(list->v[at]), account) < 0);
	return low;
}

/* The rows of one user in an account, from row `i` on; how many. */
static size_t write_user(struct writing *w, struct tree *users, size_t i)
{
	const struct entry *first = w->rows.v[i];
	struct tree *user = tree_add_map(users, first->name, &w->s->arena);
	struct tree *partitions;
	size_t n = 1;

	while (i + n < w->rows.n &&
		!strcmp(w->rows.v[i + n]->name, first->name) &&
		!strcmp(w->rows.v[i + n]->account, first->account))
		n++;
	if (n == 1 && !*first->partition) {
		write_properties(w->s, user, first);
		return n;
	}
	partitions = tree_add_map(user, *row_parts, &w->s->arena);
	for (size_t k = i; k < i + n; k++) {
		const struct entry *row = w->rows.v[k];

		write_properties(w->s,
			tree_add_map(partitions, row->partition, &w->s->arena),
			row);
	}
	return n;
}

static void write_rows(struct writing *w, struct tree *at, const char *account)
{
	size_t i = first_below(&w->rows, account);
	struct tree *users;

	if (i == w->rows.n || strcmp(w->rows.v[i]->account, account) != 0)
		return;
	users = tree_add_map(at, "users", &w->s->arena);
	while (i < w->rows.n && !strcmp(w->rows.v[i]->account, account))
		i += write_user(w, users, i);
}

/* What is below the account: users, then accounts (root's into `below`). */
static void write_account(struct writing *w, const struct entry *e,
	struct tree *at, struct tree *below)
{
	size_t i = first_below(&w->accounts, e->name);

	write_properties(w->s, at, e);
	write_rows(w, at, e->name);
	for (; i < w->accounts.n; i++) {
		const struct entry *child = w->accounts.v[i];

		if (strcmp(above(child), e->name) != 0)
			return;
		if (!below)
			below = tree_add_map(at, "accounts", &w->s->arena);
		write_account(w, child,
			tree_add_map(below, child->name, &w->s->arena), NULL);
	}
}

/* Left out when obvious: the only account is the default. */
static bool is_written(const struct entry *e, const struct entry_value *t)
{
	const char *keys;

	if (t->property->type == PROPERTY_DEFAULT_ACCOUNT)
		return e->several || strcmp(e->account, t->text) != 0;
	if (t->property->type != PROPERTY_DEFAULT_WCKEY)
		return true;
	keys = entry_text(e, PROPERTY_WCKEYS);
	return !keys || strcmp(keys, t->text) != 0;
}

static void write_users(struct session *s, const struct roster *r,
	const struct entry_list *list, struct tree *whole)
{
	struct tree *users = tree_add_map(whole, "users", &s->arena);

	for (size_t i = 0; i < list->n; i++) {
		const struct entry *e = list->v[i];
		struct tree *user = NULL;

		for (size_t k = 0; k < e->n; k++) {
			const char *text = e->v[k].text;

			if (e->v[k].property->type == PROPERTY_COORDINATOR)
				text = roster_coordinated(s, text, r, r);
			if (!text || !e->account || !is_written(e, &e->v[k]))
				continue;
			if (!user)
				user = tree_add_map(users, e->name, &s->arena);
			tree_add_text(user, e->v[k].property->name, text, false,
				&s->arena);
		}
	}
}

const struct tree *roster_document(struct session *s, struct roster *r)
{
	struct tree *tree = arena_alloc(&s->arena, sizeof(*tree));
	struct writing w = {.s = s};
	struct tree *qos, *root;
	struct entry_list list = sorted(s, &r->of[ROSTER_QOS]);

	w.rows = sorted(s, &r->of[ROSTER_ROW]);
	w.accounts = sorted(s, &r->of[ROSTER_ACCOUNT]);
	*tree = (struct tree){.kind = TREE_MAP};
	tree_add_text(tree, "cluster", r->cluster, false, &s->arena);
	write_properties(s, tree, r->of[ROSTER_CLUSTER].v[0]);
	qos = tree_add_map(tree, "qos", &s->arena);
	for (size_t i = 0; i < list.n; i++)
		write_properties(s,
			tree_add_map(qos, list.v[i]->name, &s->arena),
			list.v[i]);
	root = tree_add_map(tree, "root", &s->arena);
	if (w.accounts.n)
		write_account(&w, w.accounts.v[0], root,
			tree_add_map(tree, "accounts", &s->arena));
	list = sorted(s, &r->of[ROSTER_USER]);
	write_users(s, r, &list, tree);
	return tree;
}
