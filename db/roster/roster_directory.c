/*
 * Groups of the machine as members of accounts: what the store has, changed by
 * a mapping of groups to accounts. A user who has left the groups is
 * quarantined: the associations stay, with limits of 0 jobs.
 */
#include "db/roster/near.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <strings.h>

struct mapping {
	struct session *s;
	struct roster *store, *wanted;
	struct strv keep;     /* users who are left alone */
	struct strv accounts; /* that the mapping names */
	bool erase;
	struct strv *quarantined;
};

/* ---- what the store has -------------------------------------------------- */

static void copy_entry(struct mapping *m, struct entry *e)
{
	struct entry *copy = roster_add(m->s, m->wanted, e->kind, e->name,
		e->account, e->partition);

	entry_share(copy, e);
	if (e->kind == ROSTER_ROW)
		roster_user(m->s, m->wanted, copy);
}

static void copy_store(struct mapping *m)
{
	static const enum roster_kind kinds[] = {
		ROSTER_ACCOUNT, ROSTER_USER, ROSTER_ROW};

	m->wanted->cluster = m->store->cluster;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		const struct entry_list *list = &m->store->of[kinds[k]];

		m->wanted->has[kinds[k]] = true;
		for (size_t i = 0; i < list->n; i++)
			copy_entry(m, list->v[i]);
	}
}

/* ---- one group -----------------------------------------------------------*/

/* The limits that are 0 for who is quarantined. */
static const char *const limits[] = {"MaxJobs", "MaxSubmitJobs"};

static bool is_quarantined(const struct entry *e)
{
	for (size_t i = 0; i < 2; i++) {
		const char *text = entry_text_of(
			e, roster_property(ROSTER_ROW, limits[i]));

		if (!text || strcmp(text, "0") != 0)
			return false;
	}
	return true;
}

/* To those of a new one, `given`; NULL: to 0. */
static void set_limits(
	struct mapping *m, struct entry *e, const struct entry *given)
{
	for (size_t i = 0; i < 2; i++) {
		const struct property *f =
			roster_property(ROSTER_ROW, limits[i]);

		entry_set(e, f, given ? entry_text_of(given, f) : "0",
			&m->s->arena);
	}
}

/* Back among the living. */
static void set_free(
	struct mapping *m, struct entry *e, const struct entry *given)
{
	if (!is_quarantined(e))
		return;
	set_limits(m, e, given);
	e->line = given->line;
}

/* Whatever partitions the rows of the user in the account are for. */
static bool free_rows(struct mapping *m, const char *user, const char *account,
	const struct entry *given)
{
	const struct entry *of = roster_find(m->wanted, ROSTER_USER, user);
	bool any = false;

	for (struct entry *e = of ? of->other : NULL; e; e = e->other) {
		if (strcmp(e->account, account) != 0)
			continue;
		set_free(m, e, given);
		e->seen = any = true;
	}
	return any;
}

static void add_member(struct mapping *m, const char *user, const char *account,
	struct entry *given)
{
	struct entry *e, *of;

	if (free_rows(m, user, account, given))
		return;
	e = roster_add(m->s, m->wanted, ROSTER_ROW, user, account, "");
	e->line = given->line;
	e->seen = true;
	entry_share(e, given);
	of = roster_user(m->s, m->wanted, e);
	if (!e->other)
		entry_set_of(
			of, PROPERTY_DEFAULT_ACCOUNT, account, &m->s->arena);
}

static int add_members(struct mapping *m, const struct group *group,
	const char *account, struct entry *given)
{
	for (char **member = group->gr_mem; *member; member++) {
		const char *user = name_case(m->s, NAMES_USER,
			arena_strdup(&m->s->arena, *member));

		if (!*user || reading_name(m->s, user))
			return roster_bad(m->s, given->line,
				"group %s has a member '%s', which is not a valid name",
				group->gr_name, user);
		if (!strv_has_nocase(&m->keep, user))
			add_member(m, user, account, given);
	}
	return 0;
}

/* Is there, or is added below the parent. */
static int need_account(
	struct mapping *m, const char *account, const char *parent, int line)
{
	struct entry *e = roster_find(m->wanted, ROSTER_ACCOUNT, account);

	if (!strv_has(&m->accounts, account))
		strv_push(&m->accounts, &m->s->arena, account);
	if (e)
		return 0;
	if (!parent)
		return roster_bad(m->s, line,
			"there is no account '%s' on cluster %s; with 'parent' "
			"it would be added%s",
			account, m->store->cluster,
			near_account(m->s, account, m->wanted));
	if (!roster_find(m->wanted, ROSTER_ACCOUNT, parent))
		return roster_bad(m->s, line,
			"there is no account '%s' on cluster %s%s", parent,
			m->store->cluster, near_account(m->s, parent, m->wanted));
	e = roster_add(m->s, m->wanted, ROSTER_ACCOUNT, account, "", "");
	e->line = line;
	entry_set_of(e, PROPERTY_PARENT, parent, &m->s->arena);
	reading_texts(m->s, e);
	return 0;
}

/* ---- the mapping ---------------------------------------------------------*/

static int names_of(
	struct mapping *m, const struct tree *t, struct strv *names)
{
	const struct tree *in = t->kind == TREE_LIST ? t->first : t;

	if (t->kind == TREE_MAP || tree_is_nothing(t))
		return roster_bad(m->s, t->line,
			"'%s' must be a name or a list of names", t->name);
	for (; in; in = t->kind == TREE_LIST ? in->next : NULL) {
		if (in->kind != TREE_TEXT || !*in->text ||
			check_name(m->s, in->text))
			return roster_bad(m->s, in->line,
				"'%s' must be a name or a list of names",
				t->name);
		strv_push(names, &m->s->arena,
			str_lower(&m->s->arena, in->text));
	}
	return 0;
}

static int read_given(
	struct mapping *m, const struct tree *t, struct entry *given)
{
	struct roster_reading r = {.s = m->s, .qos = m->s->store->qos};
	const struct property *f = roster_property(ROSTER_ROW, t->name);
	const char *text;

	if (!f)
		return roster_bad(m->s, t->line,
			"unknown key '%s': account, parent, or a setting of a "
			"user's association%s",
			t->name,
			near_key(&r, ROSTER_ROW, t->name, "account,parent"));
	if (t->kind != TREE_TEXT)
		return roster_bad(
			m->s, t->line, "'%s' must be a text", t->name);
	if (reading_value(&r, f, t->text, &text))
		return roster_bad(m->s, t->line, "%s", reading_complaint(&r));
	entry_set(given, f, text, &m->s->arena);
	return 0;
}

static int read_details(struct mapping *m, const struct tree *t,
	struct strv *accounts, const char **parent, struct entry *given)
{
	for (const struct tree *in = t->first; in; in = in->next) {
		struct strv names = {0};

		if (!strcasecmp(in->name, "account")) {
			if (names_of(m, in, accounts))
				return -1;
		} else if (!strcasecmp(in->name, "parent")) {
			if (names_of(m, in, &names))
				return -1;
			*parent = names.v[0];
		} else if (read_given(m, in, given)) {
			return -1;
		}
	}
	return accounts->n ? 0
			   : roster_bad(m->s, t->line,
				     "group %s: 'account' is missing", t->name);
}

/* "NAME: ACCOUNT", a list of accounts, or a map with more. */
static int read_group(struct mapping *m, const struct tree *t)
{
	struct entry given = {.kind = ROSTER_ROW, .line = t->line};
	struct strv accounts = {0};
	const char *parent = NULL;
	const struct group *group;

	if (t->kind == TREE_MAP
			? read_details(m, t, &accounts, &parent, &given)
			: names_of(m, t, &accounts))
		return -1;
	errno = 0;
	group = getgrnam(t->name);
	if (!group)
		return roster_bad(m->s, t->line,
			"there is no group '%s' on this machine%s%s", t->name,
			errno ? ": " : "", errno ? strerror(errno) : "");
	for (size_t i = 0; i < accounts.n; i++)
		if (need_account(m, accounts.v[i], parent, t->line) ||
			add_members(m, group, accounts.v[i], &given))
			return -1;
	return 0;
}

static int read_groups(struct mapping *m, const struct tree *groups)
{
	if (!groups || groups->kind != TREE_MAP || !groups->first)
		return roster_bad(m->s, groups ? groups->line : 1,
			"'groups' must be a map of groups to accounts");
	for (const struct tree *t = groups->first; t; t = t->next)
		if (read_group(m, t))
			return -1;
	return 0;
}

static int read_top(struct mapping *m, const struct tree *tree)
{
	const struct tree *cluster, *keep;

	if (tree->kind != TREE_MAP)
		return roster_bad(m->s, tree->line,
			"this is not a mapping: it has no 'groups'");
	if (reading_keys(m->s, tree, "cluster,keep,groups"))
		return -1;
	cluster = tree_find(tree, "cluster");
	if (!cluster || cluster->kind != TREE_TEXT)
		return roster_bad(m->s, cluster ? cluster->line : 1,
			"which cluster is it? 'cluster: NAME' is missing");
	m->store->cluster = str_lower(&m->s->arena, cluster->text);
	if (cluster_key(m->s->store, m->store->cluster) <= 0)
		return roster_bad(m->s, cluster->line,
			"the mapping is for cluster '%s', which is not in this "
			"store%s",
			m->store->cluster,
			near_cluster(m->s, m->store->cluster));
	keep = tree_find(tree, "keep");
	return keep ? names_of(m, keep, &m->keep) : 0;
}

/* ---- users who have left ------------------------------------------------- */

static void quarantine(struct mapping *m, struct entry *e)
{
	if (is_quarantined(e))
		return;
	set_limits(m, e, NULL);
	strv_push(m->quarantined, &m->s->arena, entry_title(e, &m->s->arena));
}

/* An account that the user still has; NULL: none. */
static const char *living_account(const struct entry *user)
{
	const char *account = NULL;

	for (const struct entry *e = user->other; e; e = e->other) {
		if (e->seen)
			account = e->account;
		else if (!e->leaves && !account)
			account = e->account;
	}
	return account;
}

/* Where the default account was among those left. */
static void settle_default(struct mapping *m, const struct entry *left)
{
	struct entry *user = roster_find(m->wanted, ROSTER_USER, left->name);
	const char *is =
		user ? entry_text(user, PROPERTY_DEFAULT_ACCOUNT) : NULL;
	const char *now;

	if (!is || strcmp(is, left->account) != 0)
		return;
	now = living_account(user);
	if (now)
		entry_set_of(user, PROPERTY_DEFAULT_ACCOUNT, now, &m->s->arena);
}

static void part(struct mapping *m)
{
	struct entry_list *rows = &m->wanted->of[ROSTER_ROW];
	size_t kept = 0;

	/* Rows in the mapping's accounts whose user is in none of the groups.
	 */
	for (size_t i = 0; i < rows->n; i++)
		rows->v[i]->leaves =
			!rows->v[i]->seen &&
			strcmp(rows->v[i]->name, "root") != 0 &&
			strv_has(&m->accounts, rows->v[i]->account) &&
			!strv_has_nocase(&m->keep, rows->v[i]->name);
	for (size_t i = 0; i < rows->n; i++)
		if (rows->v[i]->leaves)
			settle_default(m, rows->v[i]);
	for (size_t i = 0; i < rows->n; i++) {
		struct entry *e = rows->v[i];

		if (e->leaves && m->erase) {
			e->erased = true;
			continue;
		}
		if (e->leaves)
			quarantine(m, e);
		rows->v[kept++] = e;
	}
	rows->n = kept;
}

/* Users of whom every row was erased go with them. */
static void part_users(struct mapping *m)
{
	struct entry_list *users = &m->wanted->of[ROSTER_USER];
	size_t kept = 0;

	for (size_t i = 0; i < users->n; i++) {
		struct entry *e = users->v[i];

		if (e->account && !living_account(e)) {
			e->erased = true;
			continue;
		}
		users->v[kept++] = e;
	}
	users->n = kept;
}

int roster_directory(struct session *s, const char *text, size_t size,
	bool erase, struct roster *store, struct roster *wanted,
	struct strv *quarantined)
{
	struct mapping m = {
		.s = s, .store = store, .wanted = wanted, .erase = erase,
		.quarantined = quarantined};
	struct tree *tree;

	*quarantined = (struct strv){0};
	*store = *wanted = (struct roster){0};
	if (tree_read(text, size, &s->arena, &tree, &s->err) ||
		read_top(&m, tree) || roster_load(s, store->cluster, store))
		return -1;
	copy_store(&m);
	if (read_groups(&m, tree_find(tree, "groups")))
		return -1;
	part(&m);
	if (erase)
		part_users(&m);
	return 0;
}
