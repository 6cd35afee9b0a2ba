/*
 * What would have to change in the store to make it as a file says.
 */
#include "db/roster/roster.h"

#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"

static bool is_names(const struct fact *f)
{
	return f->type == FACT_COORDINATOR || f->type == FACT_WCKEYS;
}

struct roster_comparing {
	struct session *s;
	const struct roster *store, *file;
	bool prune;
	struct differences *all;
	struct difference now;
	size_t cap; /* of its facts */
};

/* Texts are stored in lower case, so a difference only in case does not
 * count. */
static bool is_same(const struct fact *f, const char *was, const char *is)
{
	bool lower = f->type == FACT_DESCRIPTION ||
		     f->type == FACT_ORGANIZATION ||
		     (f->type == FACT_MEMBER &&
			     f->member->set->type == ATTR_TEXT);

	if (was == is)
		return true;
	return was && is && !(lower ? strcasecmp(was, is) : strcmp(was, is));
}

static void differ(struct roster_comparing *c, const struct fact *f,
	const char *was, const char *is)
{
	if (f->type == FACT_COORDINATOR)
		was = roster_coordinated(c->s, was, c->store, c->file);
	if (was && is_names(f) && !c->prune) {
		c->all->kept += roster_beyond(c->s, was, is).n;
		is = roster_united(c->s, is, was);
	}
	/* It goes with its key. */
	if (f->type == FACT_DEFAULT_WCKEY && !is && !c->prune)
		return;
	if (is_same(f, was, is))
		return;
	*ARENA_PUSH(&c->s->arena, c->now.v, c->now.n, c->cap) =
		(struct changed_fact){f, was, is};
}

/* ---- what shall be there at least ----------------------------------------*/

static const char *merged_tres(struct roster_comparing *c,
	const struct setting *set, const char *was)
{
	struct tres_list list = {0};
	const char *text;
	struct err ignored;

	if (was)
		tres_list_parse(was, &c->s->store->tres, &c->s->arena, &list,
			&ignored);
	tres_list_apply(&list, &c->s->arena, &set->tres);
	text = tres_list_format(
		&list, &c->s->store->tres, TRES_BY_ID, &c->s->arena);
	return *text ? text : NULL;
}

/* False: a count is taken away, added to or lowered. */
static bool only_sets(const struct tres_edits *edits)
{
	for (size_t i = 0; i < edits->n; i++)
		if (edits->v[i].op != TRES_OP_SET ||
			edits->v[i].count == INFINITE64)
			return false;
	return true;
}

static const char *merged_flags(
	struct roster_comparing *c, const struct told *told, const char *was)
{
	const struct setting *set = told->set;
	struct settings before = {0};
	const char *text;
	uint32_t bits = 0;

	if (was && !fact_setting(c->s, told->fact, &c->s->store->qos, was,
			   &before))
		bits = before.v[0].number;
	text = flags_text(set->attr->set->flags,
		set->op == OP_ADD ? bits | set->number : bits & ~set->number,
		&c->s->arena);
	return *text ? text : NULL;
}

/* QOS are added to a list, and with signs taken away. A list of signs gives way
 * to one without. */
static const char *merged_qos(
	struct roster_comparing *c, const struct strv *set, const char *was)
{
	const bool whole = was && !qos_has_sign(was);
	const bool signs = set->n && qos_has_sign(set->v[0]);
	struct strv all = {0};

	if (was && (whole || signs))
		strv_split(&all, &c->s->arena, was);
	for (size_t i = 0; i < set->n; i++) {
		const char *name = set->v[i] + signs;
		size_t kept = 0;

		for (size_t k = 0; k < all.n; k++)
			if (strcmp(all.v[k] + qos_has_sign(all.v[k]), name) !=
				0)
				all.v[kept++] = all.v[k];
		all.n = kept;
		if (!whole || *set->v[i] != '-')
			strv_push(&all, &c->s->arena,
				whole ? name : set->v[i]);
	}
	return roster_names(c->s, &all);
}

/* What becomes of the value of a member; false: it is as said. A list of TRES
 * that says a part is told all the same. */
static bool merge_member(struct roster_comparing *c, const struct told *told,
	const char *was, const char **is)
{
	const struct fact *f = told->fact;
	const struct setting *set = told->set;

	switch (f->member->set->type) {
	case ATTR_QOS_LIST:
		if (f->table == &assoc_members) {
			*is = merged_qos(c, &set->list, was);
			return roster_beyond(c->s, told->text, was).n;
		}
		if (set->list.n && qos_has_sign(set->list.v[0]))
			*is = merged_qos(c, &set->list, was);
		break;
	case ATTR_TRES:
		*is = merged_tres(c, set, was);
		if (only_sets(&set->tres))
			return !is_same(f, was, told->text);
		break;
	case ATTR_FLAGS:
		if (set->op != OP_SET)
			*is = merged_flags(c, told, was);
		break;
	default:
		break;
	}
	return !is_same(f, was, *is);
}

static bool merge(struct roster_comparing *c, const struct told *told,
	const char *was, const char **is)
{
	const struct fact *f = told->fact;

	*is = told->text;
	if (f->type == FACT_MEMBER)
		return merge_member(c, told, was, is);
	if (is_names(f)) {
		*is = was ? roster_united(c->s, *is, was) : *is;
		return roster_beyond(c->s, told->text, was).n;
	}
	if (f->type == FACT_CLASSIFICATION && was && *was == '*')
		was++;
	if (f->type == FACT_ADMIN_LEVEL && !was)
		was = "None";
	return !is_same(f, was, *is);
}

/* A new row, or a user who is new, has what is said; of others what the row
 * alone does not give. An account of other clusters has its texts already. */
static bool is_compared(const struct fact *f, const struct entry *was,
	const struct entry *is)
{
	if (is->kind == ROSTER_USER && !was)
		return is_names(f) || f->type == FACT_DEFAULT_WCKEY;
	if (was && was->abroad)
		return f->type == FACT_DESCRIPTION ||
		       f->type == FACT_ORGANIZATION;
	return was || is->kind != ROSTER_ROW;
}

static void compare_said(struct roster_comparing *c, const struct entry *was,
	const struct entry *is)
{
	for (size_t i = 0; i < is->n; i++) {
		const struct told *told = &is->v[i];
		const char *old = was ? entry_said(was, told->fact) : NULL;
		struct changed_fact changed = {told->fact, old, NULL};

		if (is_compared(told->fact, was, is) &&
			merge(c, told, old, &changed.is))
			*ARENA_PUSH(&c->s->arena, c->now.v, c->now.n, c->cap) =
				changed;
	}
}

/* The facts of both, in their order. Either may be NULL: then all of the other
 * is new. */
static void compare_facts(struct roster_comparing *c, const struct entry *was,
	const struct entry *is)
{
	size_t i = 0, k = 0;

	if (c->file->at_least) {
		compare_said(c, was, is);
		return;
	}
	while ((was && i < was->n) || (is && k < is->n)) {
		const struct told *a = was && i < was->n ? &was->v[i] : NULL;
		const struct told *b = is && k < is->n ? &is->v[k] : NULL;

		if (a && (!b || a->fact < b->fact)) {
			differ(c, a->fact, a->text, NULL);
			i++;
		} else if (b && (!a || b->fact < a->fact)) {
			differ(c, b->fact, NULL, b->text);
			k++;
		} else {
			differ(c, a->fact, a->text, b->text);
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

/* Of a user whom the file only names in accounts. */
static void compare_default(struct roster_comparing *c, const struct entry *was,
	const struct entry *is)
{
	differ(c, roster_fact_of(ROSTER_USER, FACT_DEFAULT_ACCOUNT),
		entry_text(was, FACT_DEFAULT_ACCOUNT),
		entry_text(is, FACT_DEFAULT_ACCOUNT));
}

/* A user comes and goes with the rows: no difference of its own. */
static void compare_user(struct roster_comparing *c, const struct roster *file,
	struct entry *was, struct entry *is)
{
	if (!file->has[ROSTER_USER] || !c->store->has[ROSTER_USER]) {
		if (was)
			compare_default(c, was, is);
	} else {
		compare_facts(c, was, is);
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
	compare_facts(c, was, is);
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
