/*
 * What would have to change in the store to make it as a file says.
 */
#include "db/roster/roster.h"

#include <string.h>

#include "common/base/numbers.h"

static bool is_names(const struct property *f)
{
	return f->type == PROPERTY_COORDINATOR || f->type == PROPERTY_WCKEYS;
}

struct roster_comparing {
	struct session *s;
	const struct roster *store, *file;
	bool prune;
	struct differences *all;
	struct difference now;
	size_t cap; /* of its properties */
};

static void differ(struct roster_comparing *c, const struct property *f,
	const char *was, const char *is, bool typed)
{
	if (f->type == PROPERTY_COORDINATOR)
		was = roster_coordinated(c->s, was, c->store, c->file);
	if (was && is_names(f) && !c->prune) {
		c->all->kept += roster_beyond(c->s, was, is).n;
		is = roster_united(c->s, is, was);
	}
	/* It goes with its key. */
	if (f->type == PROPERTY_DEFAULT_WCKEY && !is && !c->prune)
		return;
	if (!typed && property_is_same(f, was, is))
		return;
	*ARENA_PUSH(&c->s->arena, c->now.v, c->now.n, c->cap) =
		(struct changed_property){f, was, is};
}

/* ---- what shall be there at least ----------------------------------------*/

/* False: a count is taken away, added to or lowered. */
static bool only_sets(const struct tres_edits *edits)
{
	for (size_t i = 0; i < edits->n; i++)
		if (edits->v[i].op != TRES_OP_SET ||
			edits->v[i].count == INFINITE64)
			return false;
	return true;
}

/* What becomes of the value of a member; false: it stays. A list of TRES that
 * names a part of those that are set is a difference all the same. */
static bool merge_member(struct roster_comparing *c,
	const struct entry_value *value, const char *was, const char **is)
{
	const struct property *f = value->property;
	const struct setting *set = value->set;

	switch (f->member->set->type) {
	case ATTR_QOS_LIST:
		*is = qos_after(c->s, f, &set->list, was,
			f->table == &assoc_members);
		if (f->table == &assoc_members)
			return roster_beyond(c->s, value->text, was).n;
		break;
	case ATTR_TRES:
		*is = property_after(c->s, f, set, was);
		if (only_sets(&set->tres))
			return !property_is_same(f, was, value->text);
		break;
	case ATTR_FLAGS:
		*is = property_after(c->s, f, set, was);
		break;
	default:
		break;
	}
	return !property_is_same(f, was, *is);
}

static bool merge(struct roster_comparing *c, const struct entry_value *value,
	const char *was, const char **is)
{
	const struct property *f = value->property;

	*is = value->text;
	if (f->type == PROPERTY_MEMBER)
		return merge_member(c, value, was, is);
	if (is_names(f)) {
		*is = was ? roster_united(c->s, *is, was) : *is;
		return roster_beyond(c->s, value->text, was).n;
	}
	if (f->type == PROPERTY_CLASSIFICATION && was && *was == '*')
		was++;
	if (f->type == PROPERTY_ADMIN_LEVEL && !was)
		was = "None";
	return !property_is_same(f, was, *is);
}

/* A new row, or a user who is new, has what is said; of others what the row
 * alone does not give. An account of other clusters has its texts already. */
static bool is_compared(const struct property *f, const struct entry *was,
	const struct entry *is)
{
	if (is->kind == ROSTER_USER && !was)
		return is_names(f) || f->type == PROPERTY_DEFAULT_WCKEY;
	if (was && was->abroad)
		return f->type == PROPERTY_DESCRIPTION ||
		       f->type == PROPERTY_ORGANIZATION;
	return was || is->kind != ROSTER_ROW;
}

static void compare_said(struct roster_comparing *c, const struct entry *was,
	const struct entry *is)
{
	for (size_t i = 0; i < is->n; i++) {
		const struct entry_value *value = &is->v[i];
		const char *old =
			was ? entry_text_of(was, value->property) : NULL;
		struct changed_property changed = {value->property, old, NULL};

		if (is_compared(value->property, was, is) &&
			merge(c, value, old, &changed.is))
			*ARENA_PUSH(&c->s->arena, c->now.v, c->now.n, c->cap) =
				changed;
	}
}

/* The properties of both, in their order. Either may be NULL: then all of the
 * other is new. */
static void compare_properties(struct roster_comparing *c,
	const struct entry *was, const struct entry *is)
{
	size_t i = 0, k = 0;

	if (c->file->at_least) {
		compare_said(c, was, is);
		return;
	}
	while ((was && i < was->n) || (is && k < is->n)) {
		const struct entry_value *a =
			was && i < was->n ? &was->v[i] : NULL;
		const struct entry_value *b =
			is && k < is->n ? &is->v[k] : NULL;

		if (a && (!b || a->property < b->property)) {
			differ(c, a->property, a->text, NULL, false);
			i++;
		} else if (b && (!a || b->property < a->property)) {
			differ(c, b->property, NULL, b->text, b->set);
			k++;
		} else {
			differ(c, a->property, a->text, b->text, b->set);
			i++;
			k++;
		}
	}
}

/* ---- records -------------------------------------------------------------*/

static void keep(struct roster_comparing *c, enum difference_kind what,
	struct entry *entry)
{
	c->now.what = what;
	c->now.entry = entry;
	*ARENA_PUSH(&c->s->arena, c->all->v, c->all->n, c->all->cap) = c->now;
	c->now = (struct difference){0};
	c->cap = 0;
}

/* A user comes and goes with the rows: no difference of its own. */
static void compare_user(struct roster_comparing *c, const struct roster *file,
	struct entry *was, struct entry *is)
{
	if (!file->has[ROSTER_USER] || !c->store->has[ROSTER_USER]) {
		/* Of a user whom the file only names in accounts. */
		if (was)
			differ(c,
				roster_property_of(
					ROSTER_USER, PROPERTY_DEFAULT_ACCOUNT),
				entry_text(was, PROPERTY_DEFAULT_ACCOUNT),
				entry_text(is, PROPERTY_DEFAULT_ACCOUNT),
				false);
	} else {
		compare_properties(c, was, is);
	}
	if (c->now.n)
		keep(c, DIFFERENCE_CHANGED, is);
}

static void compare_entry(struct roster_comparing *c, const struct roster *file,
	struct entry *was, struct entry *is)
{
	if (is->kind == ROSTER_USER) {
		compare_user(c, file, was, is);
		return;
	}
	compare_properties(c, was, is);
	if (!was || was->abroad)
		keep(c, DIFFERENCE_ADDED, is);
	else if (c->now.n)
		keep(c, DIFFERENCE_CHANGED, is);
}

/* A file may be silent about a kind, and about the root account. */
static bool is_spoken_of(const struct entry *e, const struct roster *file)
{
	const char *account =
		e->kind == ROSTER_ACCOUNT ? e->name : e->account;

	return file->has[e->kind] && e->kind != ROSTER_USER &&
	       e->kind != ROSTER_CLUSTER &&
	       ((e->kind != ROSTER_ACCOUNT && e->kind != ROSTER_ROW) ||
		       strcmp(account, "root") != 0 ||
		       roster_find(file, ROSTER_ACCOUNT, "root"));
}

static void compare_kind(struct roster_comparing *c, struct roster *store,
	struct roster *file, enum roster_kind kind)
{
	const struct entry_list *is = &file->of[kind], *was = &store->of[kind];

	for (size_t i = 0; i < is->n; i++) {
		const struct entry *e = is->v[i];
		struct entry *old = roster_find_like(store, e);

		is->v[i]->seen = old != NULL;
		if (old)
			old->seen = true;
		else if (kind != ROSTER_USER && !is_spoken_of(e, store))
			continue;
		compare_entry(c, file, old, is->v[i]);
	}
	for (size_t i = 0; i < was->n && !file->at_least; i++) {
		if (was->v[i]->seen || !is_spoken_of(was->v[i], file))
			continue;
		if (c->prune) {
			c->all->removed++;
			keep(c, DIFFERENCE_REMOVED, was->v[i]);
		} else {
			c->all->kept++;
		}
	}
}

void roster_compare(struct session *s, struct roster *store,
	struct roster *file, bool prune, struct differences *all)
{
	struct roster_comparing c = {.s = s,
		.store = store,
		.file = file,
		.prune = prune,
		.all = all};

	*all = (struct differences){0};
	for (int kind = 0; kind < ROSTER_KINDS; kind++)
		all->cap += file->of[kind].n;
	/* What is not needed of it is never touched. */
	all->v = arena_array(&s->arena, all->cap, sizeof(*all->v));
	for (int kind = 0; kind < ROSTER_KINDS; kind++)
		compare_kind(&c, store, file, (enum roster_kind)kind);
}
