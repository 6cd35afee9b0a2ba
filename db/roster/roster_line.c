/*
 * The rosters of a line of words, as `ensure` has it: what the words name is
 * wanted as the store has it, but for what they say. No more of the store is
 * read than that.
 */
#include "db/roster/roster_line.h"

#include <string.h>

#include "db/change/user.h"
#include "db/entity/limits_rows.h"

struct line_reading {
	struct session *s;
	enum roster_kind kind;
	const struct request *request;
	const char *default_account, *default_wckey;
	struct strv accounts, wckeys; /* with the defaults */
	struct strv clusters;
	struct roster_names names;
	struct roster *before; /* of each cluster, as the line finds it */
	/* Of the cluster at hand. */
	struct roster *store, *wanted;
};

/* ---- what is said --------------------------------------------------------*/

static const char *text_after(struct line_reading *l, const struct property *f,
	const struct setting *set, const char *was)
{
	const char *text = set->text;
	uint32_t level;

	switch (f->type) {
	case PROPERTY_MEMBER:
		text = property_after(l->s, f, set, was);
		return !text && f->member == qos_attr(description) ? "" : text;
	case PROPERTY_FLAGS:
		if (set->number & ACCOUNT_USERS_ARE_COORDS)
			return "UsersAreCoords";
		return set->number & ACCOUNT_NO_USERS_ARE_COORDS ? NULL : was;
	case PROPERTY_ADMIN_LEVEL:
		level = admin_level_parse(text);
		return level > ADMIN_NONE ? admin_level_text(level) : NULL;
	default:
		return text;
	}
}

/* What has the value already may have it until another time. 1, 0, -1. */
static int lease_differs_of(struct line_reading *l, const struct entry *old,
	const struct property *f, const struct setting *set)
{
	struct store *store = l->s->store;
	struct arena *arena = &l->s->arena;
	int rc = 1;

	if (f->type == PROPERTY_ADMIN_LEVEL)
		return lease_differs(
			store, LEASE_USER, 0, old->name, "admin_level");
	if (f->table == &qos_members)
		return limits_lease_differs(store, &qos_limits,
			qos_by_name(&store->qos, old->name)->id, set, arena);
	if (f->table != &assoc_members || f->type != PROPERTY_MEMBER ||
		old->abroad)
		return 0;
	/* A row that ends then takes its values along. */
	if (l->s->until && old->kind == ROSTER_ROW)
		rc = lease_differs(
			store, LEASE_ASSOC_ROW, old->row->key, NULL, "");
	return rc <= 0 ? rc
		       : limits_lease_differs(store, &assoc_limits,
				 old->row->key, set, arena);
}

/* `old`: in the store; or NULL. */
static int tell_settings(
	struct line_reading *l, struct entry *e, const struct entry *old)
{
	const struct properties *properties = roster_properties(e->kind);

	for (size_t i = 0; i < properties->n; i++) {
		const struct property *f = &properties->v[i];
		const struct setting *set =
			f->member ? settings_find(&l->request->set, f->member)
				  : NULL;
		const char *was = old ? entry_text_of(old, f) : NULL;
		struct entry_value value = {.property = f, .set = set};
		int differs = 0;

		if (!set || f->type == PROPERTY_DEFAULT_ACCOUNT ||
			f->type == PROPERTY_DEFAULT_WCKEY ||
			(f->type == PROPERTY_PARENT &&
				!strcmp(e->name, "root")))
			continue;
		value.text = text_after(l, f, set, was);
		if (property_is_same(f, was, value.text) && old)
			differs = lease_differs_of(l, old, f, set);
		if (differs < 0)
			return -1;
		if (differs || !property_is_same(f, was, value.text))
			entry_put(e, &value, &l->s->arena);
	}
	return 0;
}

/* Wants an entry as it is in the store. NULL: it was named before. */
static struct entry *want(struct line_reading *l, enum roster_kind kind,
	const char *name, const char *account, const char *partition,
	struct entry *old)
{
	struct entry *e = roster_add(
		l->s, l->wanted, kind, name, account, partition);

	if (e && old)
		entry_share(e, old);
	return e;
}

/* ---- QOS, accounts -------------------------------------------------------*/

static int want_qos(struct line_reading *l, const char *name)
{
	struct entry *old = roster_find(l->store, ROSTER_QOS, name);
	struct entry *e = want(l, ROSTER_QOS, name, "", "", old);

	return e ? tell_settings(l, e, old) : 0;
}

/* Had any of the clusters the account, before the line? */
static bool was_account_anywhere(
	const struct line_reading *l, const char *name)
{
	for (size_t i = 0; i < l->clusters.n; i++) {
		const struct entry *e = roster_find(
			&l->before[i], ROSTER_ACCOUNT, name);

		if (e && !e->abroad)
			return true;
	}
	return false;
}

static int want_account(struct line_reading *l, const char *name)
{
	struct entry *old = roster_find(l->store, ROSTER_ACCOUNT, name), *e;
	const bool here = old && !old->abroad;

	if (!here && !l->request->clusters.n && was_account_anywhere(l, name))
		return 0;
	e = want(l, ROSTER_ACCOUNT, name, "", "", old);
	if (!e)
		return 0;
	if (!here)
		entry_set_of(e, PROPERTY_PARENT, "root", &l->s->arena);
	return tell_settings(l, e, old);
}

/* ---- users ---------------------------------------------------------------*/

/* The user's next row in the account, for the partition; "" is any. */
static struct entry *next_row(
	struct entry *row, const char *account, const char *partition)
{
	while (row && ((*account && strcmp(row->account, account) != 0) ||
			      (*partition &&
				      strcmp(row->partition, partition) != 0)))
		row = row->other;
	return row;
}

static struct entry *row_in(const struct roster *r, const char *user,
	const char *account, const char *partition)
{
	const struct entry *e = roster_find(r, ROSTER_USER, user);

	return e ? next_row(e->other, account, partition) : NULL;
}

static bool is_anywhere(const struct line_reading *l, const char *user,
	const char *account, const char *partition)
{
	for (size_t i = 0; i < l->clusters.n; i++)
		if (row_in(&l->before[i], user, account, partition))
			return true;
	return false;
}

/* Has any of the clusters the account? 1, 0, -1. */
static int is_account_anywhere(struct line_reading *l, const char *name)
{
	struct assoc *ignored;
	int found = 0;

	for (size_t i = 0; i < l->clusters.n && !found; i++)
		found = assoc_find(l->s->store, l->clusters.v[i], name, "", "",
			&l->s->arena, &ignored);
	return found;
}

/* 1: the cluster at hand has the account; 0: only others have. */
static int find_account(struct line_reading *l, const char *name)
{
	const char *cluster = l->store->cluster;
	struct assoc *ignored;
	int found = assoc_find(l->s->store, cluster, name, "", "", &l->s->arena,
		&ignored);

	if (found > 0)
		roster_add(l->s, l->store, ROSTER_ACCOUNT, name, "", "");
	if (found)
		return found;
	found = l->request->clusters.n ? 0 : is_account_anywhere(l, name);
	if (found)
		return found < 0 ? -1 : 0;
	return err_set(&l->s->err, ERR_USAGE, " No account %s on cluster %s",
		name, cluster);
}

static int add_row(struct line_reading *l, struct entry *user,
	const char *account, const char *partition)
{
	struct entry *e;
	int found;

	if (!*account && l->wckeys.n)
		return 0; /* a user may have wckeys alone */
	if (!*account)
		return err_set(&l->s->err, ERR_USAGE,
			" Need name of account or wckey to add.");
	found = find_account(l, account);
	if (found <= 0)
		return found;
	e = want(l, ROSTER_ROW, user->name, account, partition, NULL);
	if (!e)
		return 0;
	roster_user(l->s, l->wanted, e);
	return tell_settings(l, e, NULL);
}

static int want_row(struct line_reading *l, struct entry *user,
	const char *account, const char *partition)
{
	return row_in(l->store, user->name, account, partition) ||
			       (!l->request->clusters.n &&
				       is_anywhere(l, user->name, account,
					       partition))
		       ? 0
		       : add_row(l, user, account, partition);
}

static int tell_rows(struct line_reading *l, struct entry *user,
	const char *account, const char *partition)
{
	struct entry *old = row_in(l->store, user->name, account, partition);

	for (; old; old = next_row(old->other, account, partition)) {
		struct entry *e = want(l, ROSTER_ROW, old->name, old->account,
			old->partition, old);

		if (e && tell_settings(l, e, old))
			return -1;
	}
	return 0;
}

static const struct strv *said(const struct strv *list)
{
	static char nothing[1], *names[] = {nothing};
	static const struct strv any = {names, 1, 1};

	return list->n ? list : &any;
}

static int each_row(struct line_reading *l, struct entry *user,
	const struct strv *accounts,
	int (*each)(struct line_reading *, struct entry *user,
		const char *account, const char *partition))
{
	const struct strv *partitions = said(&l->request->partitions);

	accounts = said(accounts);
	for (size_t i = 0; i < accounts->n; i++)
		for (size_t k = 0; k < partitions->n; k++)
			if (each(l, user, accounts->v[i], partitions->v[k]))
				return -1;
	return 0;
}

/* The one that is said, where the user is; else that of the first row. */
static void want_default_account(
	struct line_reading *l, struct entry *user, const struct entry *old)
{
	const char *is = l->default_account;
	const char *was =
		old ? entry_text(old, PROPERTY_DEFAULT_ACCOUNT) : NULL;

	if (is && *is && !row_in(l->store, user->name, is, "") &&
		!row_in(l->wanted, user->name, is, ""))
		is = NULL;
	if (!is && user->account && (!was || !*was))
		is = user->account;
	if (is && (*is || was))
		entry_set_of(user, PROPERTY_DEFAULT_ACCOUNT, is, &l->s->arena);
}

static bool has_key(struct line_reading *l, const struct roster *r,
	const char *user, const char *key)
{
	const struct entry *e = roster_find(r, ROSTER_USER, user);

	return e && roster_among(l->s, entry_text(e, PROPERTY_WCKEYS), key);
}

/* The first of who has none becomes the default. */
static void want_wckeys(struct line_reading *l, struct entry *user)
{
	struct session *s = l->s;
	const char *keys = entry_text(user, PROPERTY_WCKEYS);
	const char *is = l->default_wckey ? l->default_wckey
			 : keys		  ? NULL
					  : said(&l->wckeys)->v[0];

	for (size_t i = 0; i < l->wckeys.n; i++) {
		const char *key = l->wckeys.v[i];
		bool found = false;

		for (size_t k = 0; k < l->clusters.n; k++)
			found |= !l->request->clusters.n &&
				 has_key(l, &l->before[k], user->name, key);
		if (!found)
			keys = roster_united(s, key, keys);
	}
	entry_set_of(user, PROPERTY_WCKEYS, keys, &s->arena);
	if (is && (!*is || roster_among(s, keys, is)))
		entry_set_of(user, PROPERTY_DEFAULT_WCKEY, is, &s->arena);
}

static int want_user(struct line_reading *l, const char *name)
{
	struct entry *old = roster_find(l->store, ROSTER_USER, name);
	struct entry *e =
		want(l, ROSTER_USER, old ? old->name : name, "", "", old);

	if (!e)
		return 0;
	/* What is there is set in the accounts that are named, which the default
	 * one is not; else in all. */
	if (each_row(l, e, &l->accounts, want_row) ||
		each_row(l, e, &l->request->named_accounts, tell_rows) ||
		tell_settings(l, e, old))
		return -1;
	want_default_account(l, e, old);
	if (l->wckeys.n || l->default_wckey)
		want_wckeys(l, e);
	return 0;
}

/* ---- the line ------------------------------------------------------------*/

/* What is read of the store. */
static void choose_names(struct line_reading *l)
{
	const struct request *r = l->request;
	bool records = l->wckeys.n || l->default_wckey;

	if (l->kind == ROSTER_QOS)
		l->names.qos = r->names;
	else if (l->kind == ROSTER_ACCOUNT)
		l->names.accounts = r->names;
	else
		l->names.users = r->names;
	for (size_t i = 0; i < r->set.n; i++)
		records |= !members_has(&assoc_members, r->set.v[i].attr);
	l->names.rows_alone = !records;
}

static int check_words(struct line_reading *l)
{
	const struct settings *set = &l->request->set;
	struct session *s = l->s;

	for (size_t i = 0; i < set->n; i++)
		if (set->v[i].attr->set->type == ATTR_NUMBER64)
			return err_set(&s->err, ERR_USAGE,
				" ensure does not take %s: set it with modify",
				set->v[i].attr->set->name);
	if (strv_has(&l->wckeys, ""))
		return err_set(&s->err, ERR_USAGE, " A wckey needs a name.");
	return l->kind == ROSTER_USER ? user_check_level(s, set) : 0;
}

static int find_clusters(struct line_reading *l)
{
	struct session *s = l->s;

	if (l->kind == ROSTER_QOS)
		strv_push(&l->clusters, &s->arena, "");
	else if (chosen_clusters(s, &l->request->clusters, &l->clusters))
		return -1;
	for (size_t i = 0; i < l->request->clusters.n; i++)
		if (cluster_key(s->store, l->clusters.v[i]) <= 0)
			return err_set(&s->err, ERR_USAGE,
				" There is no cluster %s", l->clusters.v[i]);
	l->before = arena_array(
		&s->arena, l->clusters.n + 1, sizeof(*l->before));
	memset(l->before, 0, (l->clusters.n + 1) * sizeof(*l->before));
	for (size_t i = 0; i < l->clusters.n; i++)
		if (roster_load_some(s, l->clusters.v[i], &l->names,
			    &l->before[i]))
			return -1;
	return 0;
}

static int want_all(struct line_reading *l)
{
	const struct strv *names = &l->request->names;
	int rc = 0;

	for (size_t i = 0; !rc && i < names->n; i++)
		rc = l->kind == ROSTER_QOS ? want_qos(l, names->v[i])
		     : l->kind == ROSTER_ACCOUNT
			     ? want_account(l, names->v[i])
			     : want_user(l, names->v[i]);
	return rc;
}

/* Records are of all clusters: by now they may be as the line says. */
static int want_on(struct line_reading *l, size_t i, roster_pair *each, void *arg)
{
	struct roster again = {0}, wanted = {.cluster = l->clusters.v[i],
					   .line = true};
	int rc = i ? roster_load_some(l->s, wanted.cluster, &l->names, &again)
		   : 0;

	l->store = i ? &again : &l->before[i];
	l->wanted = &wanted;
	memcpy(wanted.has, l->store->has, sizeof(wanted.has));
	if (!rc)
		rc = want_all(l) || each(arg, l->store, &wanted) ? -1 : 0;
	roster_release(&wanted);
	roster_release(&again);
	return rc;
}

int roster_read_line(struct session *s, enum roster_kind kind,
	const struct request *r, roster_pair *each, void *arg)
{
	struct line_reading l = {.s = s, .kind = kind, .request = r};
	int rc;

	l.default_account = settings_text_of(&r->set, user_attr(default_account));
	l.default_wckey = settings_text_of(&r->set, user_attr(default_wckey));
	l.accounts = r->accounts;
	l.wckeys = r->wckeys;
	choose_names(&l);
	rc = check_words(&l) || find_clusters(&l) ? -1 : 0;
	for (size_t i = 0; !rc && i < l.clusters.n; i++)
		rc = want_on(&l, i, each, arg);
	for (size_t i = 0; l.before && i < l.clusters.n; i++)
		roster_release(&l.before[i]);
	return rc;
}
