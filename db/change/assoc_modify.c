/*
 * Changing association rows, for account, user and cluster: rights, effects on
 * the rows below, moving an account (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_assoc.c).
 */
#include "db/change/operations.h"

#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"

struct modify {
	const struct assoc_cond *where; /* NULL: one row is meant */
	struct settings set;
	enum effect_on of;	      /* what the command names */
	const struct assoc_list *all; /* every row of the clusters concerned */
	bool operator;
	struct strv coordinated; /* by the caller, who is no operator */
	bool own;		      /* the caller's own rows */
	bool changed;		      /* a row was */
};

static bool is_own(const struct assoc *assoc, const struct member *attr)
{
	uint32_t number;

	memcpy(&number, (const char *)assoc + attr->offset, sizeof(number));
	return limit_is_set(number);
}

static bool has_sign(struct session *s, const struct assoc *child, char sign,
	const char *qos)
{
	const struct qos_name *name = qos_by_name(&s->store->qos, qos);

	for (size_t i = 0; name && i < child->own_qos.n; i++)
		if (child->own_qos.v[i].sign == sign &&
			child->own_qos.v[i].id == name->id)
			return true;
	return false;
}

/* The entries of a QOS list that a child inherits: none with a list of its own,
 * and not what it removes where the parent adds it, or the other way round. */
static bool inherits_qos(struct session *s, const struct assoc *child,
	const struct setting *set, struct strv *inherited)
{
	for (size_t i = 0; i < child->own_qos.n; i++)
		if (child->own_qos.v[i].sign == '=')
			return false;
	for (size_t i = 0; i < set->list.n; i++) {
		const char *entry = set->list.v[i];

		if ((*entry == '+' && has_sign(s, child, '-', entry + 1)) ||
			(*entry == '-' && has_sign(s, child, '+', entry + 1)))
			continue;
		strv_push(inherited, &s->arena, entry);
	}
	return inherited->n > 0;
}

/* Does the child inherit the new value of the parent? `inherited`: the entries
 * of a list that it does. */
static bool child_inherits(struct session *s, const struct assoc *child,
	const struct setting *set, struct strv *inherited)
{
	if (set->attr->set->type == ATTR_QOS_LIST)
		return inherits_qos(s, child, set, inherited);
	if (!(set->attr->marks & MEMBER_INHERITED))
		return false;
	return set->attr->set->type == ATTR_TRES || !is_own(child, set->attr);
}

/* The settings that reach a child that may have values of its own. */
static struct settings inherited_settings(struct session *s, const struct assoc *child,
	const struct settings *settings)
{
	struct settings rest = {0};

	for (size_t i = 0; i < settings->n; i++) {
		struct setting set = settings->v[i];
		struct strv list = {0};

		if (!child_inherits(s, child, &settings->v[i], &list))
			continue;
		set.list = list;
		*ARENA_PUSH(&s->arena, rest.v, rest.n, rest.cap) = set;
	}
	return rest;
}

/* An effect for every row below that takes the new values over. */
static void list_children(struct session *s, const struct modify *m,
	const struct assoc *parent, const struct settings *settings, bool moved)
{
	for (size_t i = 0; i < m->all->n; i++) {
		const struct assoc *child = m->all->v[i];
		struct settings rest;

		if (child->parent_key != parent->key)
			continue;
		rest = inherited_settings(s, child, settings);
		if (!moved && !rest.n)
			continue;
		effect_assoc(s, VERB_MODIFY, EFFECT_INHERITED, m->of, child);
		if (!*child->user)
			list_children(s, m, child, &rest, moved);
	}
}

/* Of several rows that one stays where it is is an effect; of the one that is
 * meant it is an error. */
static int not_moved(struct session *s, const struct modify *m,
	enum effect_kind why, const struct assoc *assoc, const char *name)
{
	if (!m->where)
		return err_set(&s->err, ERR_USAGE,
			why == EFFECT_NO_PARENT
				? " Account %s can't be below %s: there is no "
				  "such account"
				: " Account %s can't be below %s, which is "
				  "below it",
			assoc->account, name);
	effect(s, (struct effect){VERB_MODIFY, why, ON_ASSOC,
		.name = name,
		.assoc = assoc});
	return 0;
}

/* 1: moved, 0: not, and an effect says why, 2: already there, -1. */
static int move(struct session *s, const struct modify *m,
	const struct assoc *assoc, const char *name)
{
	struct assoc *parent;
	int found;

	if (assoc_is_root(assoc))
		return 1;
	found = assoc_find(
		s->store, assoc->cluster, name, "", "", &s->arena, &parent);
	if (found < 0)
		return -1;
	if (!found)
		return not_moved(s, m, EFFECT_NO_PARENT, assoc, name);
	if (!strncmp(parent->lineage, assoc->lineage, strlen(assoc->lineage))) {
		if (parent->key == assoc->key)
			s->status = 1; /* never what was meant */
		return not_moved(s, m, EFFECT_OWN_CHILD, assoc, name);
	}
	if (!strcmp(assoc->parent_account, name))
		return 2;
	return assoc_move(s->store, assoc, parent, &s->arena) ? -1 : 1;
}

/* A cleared limit becomes what the account above gives (Grp*: nothing). */
static bool raises_number(const struct assoc *row, const struct assoc *above,
	const struct setting *set)
{
	const struct member *attr = set->attr;
	uint32_t now, inherited = INFINITE, limit = set->number;

	memcpy(&now, (const char *)row + attr->offset, sizeof(now));
	if (above && (attr->marks & MEMBER_INHERITED))
		memcpy(&inherited, (const char *)above + attr->offset,
			sizeof(inherited));
	if (limit == INFINITE)
		limit = inherited;
	if (attr == assoc_attr(priority) && !now)
		return false; /* 0: Slurm takes it as no limit */
	/* A limit that is one, and higher than another. */
	return limit_is_set(limit) && limit_is_set(now) && limit > now;
}

/* As Slurm writes them: the row's own list with what is typed, then what the
 * account above gives beside it. */
static bool raises_tres(struct session *s, const struct assoc *own,
	const struct assoc *row, const struct assoc *above,
	const struct setting *set)
{
	uint32_t kind = set->attr->arg;
	const struct tres_list *now = &row->tres[kind];
	const struct tres_list *given = above ? &above->tres[kind] : NULL;
	struct tres_list new = tres_list_copy(&own->tres[kind], &s->arena);

	tres_list_apply(&new, &s->arena, &set->tres);
	for (size_t i = 0; given && (set->attr->marks & MEMBER_INHERITED) && i < given->n; i++)
		if (tres_list_get(&new, given->v[i].id) == NO_VAL64)
			tres_list_set(&new, &s->arena, given->v[i].id,
				given->v[i].count);
	for (size_t i = 0; i < new.n; i++) {
		uint64_t before = tres_list_get(now, new.v[i].id);

		if (before < NO_VAL64 && new.v[i].count < NO_VAL64 &&
			new.v[i].count > before)
			return true;
	}
	return false;
}

/* The row of an account or a user as it works, with inherited values. */
static int working_values(struct session *s, const char *cluster,
	const char *account, const char *user, const char *partition,
	const struct assoc **row)
{
	struct assoc_cond cond = {.clusters = STRV_ONE(cluster),
		.accounts = STRV_ONE(account),
		.users = STRV_ONE(user),
		.partitions = STRV_ONE(partition)};
	struct assoc_list list;

	*row = NULL;
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	if (list.n)
		*row = list.v[0];
	return 0;
}

/* Coordinators may lift no limit above what it is now, by its own value or
 * the account's above; what has no limit may get any. */
static int check_coordinator(struct session *s, const struct assoc *assoc,
	const struct settings *settings)
{
	const struct setting *parent =
		settings_find(settings, assoc_attr(parent_account));
	const struct assoc *row, *above;
	const char *account = *assoc->user ? assoc->account
			      : parent	   ? parent->text
					   : assoc->parent_account;

	if (assoc_is_root(assoc))
		return 0;
	if (working_values(s, assoc->cluster, assoc->account, assoc->user,
		    assoc->partition, &row) ||
		working_values(s, assoc->cluster, account, "", "", &above))
		return -1;
	for (size_t i = 0; row && i < settings->n; i++) {
		const struct setting *set = &settings->v[i];
		bool raised = false;

		if (set->attr->set->type == ATTR_TRES)
			raised = raises_tres(s, assoc, row, above, set);
		else if (set->attr->column && (set->attr->set->type == ATTR_UINT ||
						set->attr->set->type == ATTR_MINUTES))
			raised = raises_number(row, above, set);
		if (raised)
			return err_set(&s->err, ERR_DENIED,
				"Coordinators can not increase job limits "
				"beyond the parent ones");
	}
	return 0;
}

/* 1: some row would lose it, and messages say so. */
static int check_default_qos(struct session *s, const struct settings *set,
	const struct assoc_list *rows)
{
	struct assoc_cond cond = {0};
	struct assoc_list list;
	bool any = false;

	if (!rows->n || s->in_parts ||
		(!settings_find(set, assoc_attr(own_qos)) &&
			!settings_find(set, assoc_attr(def_qos_id))))
		return 0;
	for (size_t i = 0; i < rows->n; i++) {
		strv_split(&cond.clusters, &s->arena, rows->v[i]->cluster);
		strv_split(&cond.accounts, &s->arena, rows->v[i]->account);
		if (*rows->v[i]->user)
			strv_split(&cond.users, &s->arena, rows->v[i]->user);
	}
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (!assoc_lost_default_qos(list.v[i]))
			continue;
		if (!any) {
			complain_named(s, "\n These associations don't have access to "
				  "their default qos.\n Please give them "
				  "access before they the default can be set "
				  "to this.");
		}
		any = true;
		complain_default_qos(s, list.v[i]->def_qos, list.v[i]);
	}
	if (!any)
		return 0;
	complain(s, "%s", "");
	complain_request(s,
		"This request would make it so some associations would not "
		"have access to their default qos.");
	return 1;
}

/* One selected row: moved, changed, and reported with all it touches. */
static int modify_row(struct session *s, struct modify *m,
	const struct assoc *assoc, bool *touched)
{
	const struct settings *set = &m->set;
	const struct setting *parent =
		settings_find(set, assoc_attr(parent_account));
	bool moved = false;

	if (!m->operator && check_coordinator(s, assoc, set))
		return -1;
	if (parent && !*assoc->user) {
		int rc = move(s, m, assoc, parent->text);

		if (rc < 0)
			return -1;
		if (rc == 2 && m->where)
			return 0;
		*touched = true;
		if (rc == 0)
			return 0;
		moved = rc == 1 && !assoc_is_root(assoc);
	}
	if (assoc_update(s->store, assoc, set, &s->arena))
		return -1;
	effect_assoc(s, VERB_MODIFY, EFFECT_DONE, m->of, assoc);
	*touched = m->changed = true;
	if (!*assoc->user)
		list_children(s, m, assoc, set, moved);
	return 0;
}

static int log_modified(struct session *s, const struct assoc_list *list,
	const struct settings *set)
{
	const char *info = settings_text(set, &s->arena);

	return *info ? log_assocs(s, TXN_MODIFY_ASSOCS, list, info) : 0;
}

/* Do children have to be looked at for the report? */
static bool reaches_children(const struct session *s, const struct modify *m)
{
	if (m->of == ON_USER || s->silent)
		return false;
	for (size_t i = 0; i < m->set.n; i++) {
		const struct member *attr = m->set.v[i].attr;

		if (attr->marks & MEMBER_INHERITED ||
			attr->set->type == ATTR_QOS_LIST ||
			attr == assoc_attr(parent_account))
			return true;
	}
	return false;
}

/* The accounts among the rows and all below them as they are now, own values
 * only, for what they inherit or not. */
static int load_below(struct session *s, const struct modify *m,
	const struct assoc_list *rows, struct assoc_list *all)
{
	struct assoc_cond cond = {
		.without_limits = true, .with_sub_accounts = true};

	*all = (struct assoc_list){0};
	if (!rows->n || !reaches_children(s, m))
		return 0;
	if (m->where)
		cond.clusters = m->where->clusters;
	else
		strv_push(&cond.clusters, &s->arena, rows->v[0]->cluster);
	assoc_accounts(rows, &cond.accounts, &s->arena);
	return cond.accounts.n ? assoc_list(s->store, &cond, &s->arena, all) : 0;
}

static int select_rows(
	struct session *s, const struct modify *m, struct assoc_list *rows)
{
	struct assoc_cond cond = *m->where;

	cond.without_limits = !cond.qos.n;
	if (assoc_list(s->store, &cond, &s->arena, rows))
		return -1;
	order_by_clusters(s, rows, &cond.clusters);
	return 0;
}

/* session->err says why. */
static enum plan_result refuse(struct session *s)
{
	complain_err(s);
	if (s->err.kind == ERR_DENIED)
		complain_request(s, s->err.text);
	return PLAN_FAILED;
}

static void look_at_rights(struct session *s, struct modify *m)
{
	m->operator = is_operator(s);
	m->coordinated = m->operator ? (struct strv){0} : coordinated(s);
}

/* A plain user may change only the own default QOS: other settings are dropped.
 * True when none is left. `user`: whose rows these are. */
static bool only_self(struct session *s, struct modify *m, const char *user)
{
	struct settings *set = &m->set;
	size_t kept = 0;

	if (m->operator || m->coordinated.n ||
		strcasecmp(user, s->site.caller.name))
		return false;
	for (size_t i = 0; i < set->n; i++)
		if (set->v[i].attr == assoc_attr(def_qos_id))
			set->v[kept++] = set->v[i];
	set->n = kept;
	m->own = true;
	return !kept;
}

/* Every row of `rows`, with its own values: it is read again where it was found
 * with inherited ones, or one before it may have moved it. -1 with
 * session->err. */
static int modify_rows(struct session *s, struct modify *m,
	const struct assoc_list *rows, bool *touched)
{
	bool again = (m->where && m->where->qos.n) ||
		     settings_find(&m->set, assoc_attr(parent_account));

	for (size_t i = 0; i < rows->n; i++) {
		struct assoc *own = rows->v[i];
		int found = again ? assoc_by_key(s->store, own->key, &s->arena,
					    &own)
				  : 1;

		if (found < 0 || (found && modify_row(s, m, own, touched)))
			return -1;
	}
	return 0;
}

/* To move an account takes rights where it goes, too. */
static bool may_move(const struct modify *m)
{
	const char *parent =
		settings_text_of(&m->set, assoc_attr(parent_account));

	return !parent || strv_has(&m->coordinated, parent);
}

/* Of the QOS a coordinator gives, the account above must have each; one it
 * gives to an account that moves, the new parent too. */
static bool may_give(
	struct session *s, const struct modify *m, const struct assoc *row)
{
	const struct setting *parent =
		settings_find(&m->set, assoc_attr(parent_account));

	if (!may_give_qos(s, row->cluster,
		    *row->user ? row->account : row->parent_account, &m->set))
		return false;
	return !parent || *row->user ||
	       may_give_qos(s, row->cluster, parent->text, &m->set);
}

static bool may_modify_all(struct session *s, const struct modify *m,
	const struct assoc_list *rows)
{
	if (m->own || m->operator)
		return true;
	if (!may_move(m))
		return false;
	/* A coordinator may change what is below the account, not the
	 * account. */
	for (size_t i = 0; i < rows->n; i++)
		if (!strv_has(&m->coordinated,
			    *rows->v[i]->user ? rows->v[i]->account
					      : rows->v[i]->parent_account) ||
			!may_give(s, m, rows->v[i]))
			return false;
	return true;
}

static enum plan_result nothing_modified(
	struct session *s, const struct modify *m)
{
	effect_assoc(s, VERB_MODIFY, EFFECT_NOTHING, m->of, NULL);
	return PLAN_UNCHANGED;
}

/* 1: refused, and the reason was reported. */
static int modify_all(struct session *s, struct modify *m,
	const struct assoc_list *rows, bool *touched)
{
	struct assoc_list all;
	int rc;

	if (load_below(s, m, rows, &all))
		return -1;
	m->all = &all;
	effect(s, (struct effect){VERB_MODIFY, EFFECT_SET, ON_ASSOC, m->of,
		.set = m->set});
	rc = modify_rows(s, m, rows, touched);
	if (!rc)
		rc = check_default_qos(s, &m->set, rows);
	return !rc && m->changed ? log_modified(s, rows, &m->set) : rc;
}

int op_modify_assoc(struct session *s, const struct assoc *row,
	const struct settings *set)
{
	struct assoc *rows[] = {(struct assoc *)row};
	struct modify m = {.set = *set,
		.of = *row->user ? ON_USER : ON_ACCOUNT};
	const struct assoc_list list = {.v = rows, .n = 1};
	bool touched;

	effect_assoc(s, VERB_MODIFY, EFFECT_BEGUN, m.of, NULL);
	look_at_rights(s, &m);
	only_self(s, &m, row->user);
	if (m.set.n < set->n || !may_modify_all(s, &m, &list))
		return complain_denied(s);
	return modify_all(s, &m, &list, &touched);
}

static enum plan_result plan_modify(struct session *s, void *arg)
{
	struct modify *m = arg;
	const struct strv *users = &m->where->users;
	struct assoc_list rows;
	bool touched = false;
	size_t before;
	int rc;

	effect_assoc(s, VERB_MODIFY, EFFECT_BEGUN, m->of, NULL);
	before = s->effects.n;
	m->changed = false;
	look_at_rights(s, m);
	if (users->n == 1 && only_self(s, m, users->v[0]))
		return nothing_modified(s, m);
	if (select_rows(s, m, &rows))
		return refuse(s);
	if (!may_modify_all(s, m, &rows))
		return plan_denied(s);
	rc = modify_all(s, m, &rows, &touched);
	if (rc || !touched)
		s->effects.n = before;
	if (rc)
		return rc < 0 ? refuse(s) : PLAN_FAILED;
	return touched ? PLAN_CHANGED : nothing_modified(s, m);
}

struct change modify_assocs(
	struct session *s, const struct request *r, enum effect_on of)
{
	struct modify *m = arena_alloc(&s->arena, sizeof(*m));

	*m = (struct modify){
		.where = &r->where.assoc, .set = r->set, .of = of};
	return (struct change){plan_modify, m};
}
