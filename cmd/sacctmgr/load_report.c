/*
 * What a load tells: lines of what changes and tables of what is new (Slurm's
 * src/sacctmgr/file_functions.c), made of the differences, in the order of the
 * file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sacctmgr/loading.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/words.h"

/* ---- values --------------------------------------------------------------*/

/* "1=4,2=5120". */
static const char *edits_text(struct session *s, const struct tres_edits *edits)
{
	static const char *const signs[] = {"", "+", "-"};
	struct tres_list order = {0};
	struct strv entries = {0};

	for (size_t i = 0; i < edits->n; i++)
		tres_list_set(&order, &s->arena, edits->v[i].id, i);
	for (size_t i = 0; i < order.n; i++) {
		const struct tres_edit *edit = &edits->v[order.v[i].count];

		strv_printf(&entries, &s->arena, "%u=%s%" PRIu64, edit->id,
			signs[edit->op], edit->count);
	}
	return strv_join(&entries, ",", &s->arena);
}

/* In capitals; "OFF" when the cluster decides. */
static const char *mode_text(struct session *s, const char *mode)
{
	return mode ? str_upper(&s->arena, mode) : "OFF";
}

/* Numbers as they are: one that is not set is -1 in a row, the largest there
 * is in a QOS. */
static const char *number_text(
	struct session *s, const struct setting *set, const struct property *f)
{
	if (set->attr->set->type == ATTR_REAL)
		return arena_printf(&s->arena, "%f", set->real);
	if (f->table == &assoc_members && set->number == INFINITE)
		return "-1";
	return arena_printf(&s->arena, "%u", set->number);
}

/* A value of the store; NULL: that of a new record. */
static struct setting setting_of(
	struct session *s, const struct property *f, const char *text)
{
	const char *at = (const char *)property_blank(f) + f->member->offset;
	struct setting blank = {.attr = f->member};
	struct settings set = {0};

	if (text && !property_setting(s, f, &s->store->qos, text, &set))
		return set.v[0];
	if (f->member->set->type == ATTR_REAL)
		memcpy(&blank.real, at, sizeof(blank.real));
	else
		memcpy(&blank.number, at, sizeof(blank.number));
	return blank;
}

static const char *or_none(const char *text)
{
	return text && *text ? text : "(null)";
}

/* ---- changes -------------------------------------------------------------*/

/* Of QOS without `new`. */
static void change_line(struct loading *l, const char *label, const char *type,
	const char *name, const char *old, const char *new)
{
	FILE *out = output(l->part.s);
	struct arena *arena = &l->part.s->arena;

	fprintf(out, " %-29.29s for %-7.7s %-10.10s %8s", label, type,
		utf8_visible(arena, name), utf8_visible(arena, old));
	if (new)
		fprintf(out, " -> %s", utf8_visible(arena, new));
	fputc('\n', out);
}

static void tell_member(struct loading *l, const struct entry *e,
	const struct changed_property *c, const char *type, const char *name)
{
	struct session *s = l->part.s;
	const struct setting *set = entry_find(e, c->property)->set;
	const struct setting old = setting_of(s, c->property, c->was);
	const char *is = entry_text_of(e, c->property), *was = c->was;
	struct strv added;

	if (c->property->member == assoc_attr(own_qos)) {
		added = roster_beyond(s, is, was);
		change_line(l, "Added QOS", type, name,
			strv_join(&added, ",", &s->arena), NULL);
		return;
	}
	if (c->property->member == assoc_attr(def_qos_id)) {
		change_line(l, "Set DefaultQOS", type, name, is ? is : "",
			NULL);
		return;
	}
	switch (set->attr->set->type) {
	case ATTR_PREEMPT_MODE:
		was = mode_text(s, was);
		is = mode_text(s, is);
		break;
	case ATTR_FLAGS:
		is = c->is ? c->is : "";
		break;
	case ATTR_QOS_LIST:
		is = is ? is : "";
		break;
	case ATTR_TEXT:
		is = or_none(is);
		break;
	case ATTR_TRES:
		was = was ? edits_text(s, &old.tres) : NULL;
		is = or_none(edits_text(s, &set->tres));
		break;
	default:
		was = number_text(s, &old, c->property);
		is = number_text(s, set, c->property);
	}
	change_line(l,
		arena_printf(&s->arena, "Changed %s",
			set_change(set->attr->set)),
		type, name, or_none(was), is);
}

static int tell_coordinator(struct loading *l, const char *user,
	const char *said, const char *was)
{
	struct session *s = l->part.s;
	struct strv all = {0}, direct = {0}, names = {0};

	if (coordinated_accounts(s->store, user, &s->arena, &all, &direct))
		return -1;
	strv_split(&names, &s->arena, said);
	if (!all.n)
		fprintf(output(s),
			" Making User '%s' coordinator for account(s) %s\n",
			user, strv_join(&names, ", ", &s->arena));
	names = roster_beyond(s, said, was);
	for (size_t i = 0; all.n && i < names.n; i++)
		fprintf(output(s),
			" Making User '%s' coordinator of account '%s'\n", user,
			names.v[i]);
	return 0;
}

static void tell_wckeys(struct loading *l, const char *user, const char *said,
	const char *was)
{
	struct session *s = l->part.s;
	struct strv names = {0};

	strv_split(&names, &s->arena, said);
	if (!was) {
		fprintf(output(s), " Adding WCKey(s) '%s' for user '%s'\n",
			strv_join(&names, "', '", &s->arena), user);
		return;
	}
	names = roster_beyond(s, said, was);
	for (size_t i = 0; i < names.n; i++)
		fprintf(output(s), " Adding WCKey '%s' to User '%s'\n",
			names.v[i], user);
}

static int tell_property(struct loading *l, const struct entry *e,
	const struct changed_property *c, const char *name)
{
	static const char *const labels[][2] = {
		[PROPERTY_CLASSIFICATION] = {"Changed Classification",
			"Cluster"},
		[PROPERTY_PARENT] = {"Changed Parent", "Account"},
		[PROPERTY_DESCRIPTION] = {"Changed description", "Account"},
		[PROPERTY_ORGANIZATION] = {"Changed organization", "Account"},
		[PROPERTY_DEFAULT_ACCOUNT] = {"Changed Default Account",
			"User"},
		[PROPERTY_DEFAULT_WCKEY] = {"Changed Default WCKey", "User"},
		[PROPERTY_ADMIN_LEVEL] = {"Changed Admin Level", "User"},
	};
	const enum property_type type = c->property->type;
	const char *said = entry_text_of(e, c->property), *was = c->was;

	if (type == PROPERTY_COORDINATOR)
		return tell_coordinator(l, name, said, was);
	if (type == PROPERTY_WCKEYS) {
		tell_wckeys(l, name, said, was);
		return 0;
	}
	if (type == PROPERTY_ADMIN_LEVEL && !was)
		was = admin_level_text(ADMIN_NONE);
	change_line(l, labels[type][0], labels[type][1], name, or_none(was),
		said);
	return 0;
}

/* Where the change stands among those of its record: the default QOS before the
 * list, the parent at the end. */
static int rank(const struct property *f)
{
	static const enum property_type first[] = {PROPERTY_DESCRIPTION,
		PROPERTY_ORGANIZATION, PROPERTY_DEFAULT_ACCOUNT,
		PROPERTY_DEFAULT_WCKEY, PROPERTY_ADMIN_LEVEL,
		PROPERTY_COORDINATOR, PROPERTY_WCKEYS};
	const int n = sizeof(first) / sizeof(*first);

	for (int i = 0; i < n; i++)
		if (f->type == first[i])
			return i;
	if (f->type != PROPERTY_MEMBER)
		return 1000;
	if (f->member == assoc_attr(def_qos_id))
		return n + 2 * assoc_attr(own_qos)->set->dump_order - 1;
	return n + 2 * f->member->set->dump_order;
}

static int by_rank(const void *a, const void *b)
{
	const struct changed_property *one = a, *other = b;

	return rank(one->property) - rank(other->property);
}

/* Of one that has changed properties. */
static int tell_difference(struct loading *l, const struct difference *d)
{
	static const char *const types[ROSTER_KINDS] = {
		[ROSTER_QOS] = "QOS",
		[ROSTER_ACCOUNT] = "Account",
		[ROSTER_ROW] = "User",
	};
	const struct entry *e = d->entry;
	const char *type = types[e->kind], *name = e->name;
	struct changed_property *v =
		arena_array(&l->part.s->arena, d->n, sizeof(*v));
	int rc = 0;

	if (e->kind == ROSTER_USER)
		name = roster_find(&l->part.store, ROSTER_USER, name)->name;
	if (e->kind == ROSTER_ACCOUNT && !strcmp(name, "root")) {
		type = "Cluster";
		name = l->part.file.cluster;
	}
	memcpy(v, d->v, d->n * sizeof(*v));
	qsort(v, d->n, sizeof(*v), by_rank);
	for (size_t i = 0; i < d->n && !rc; i++) {
		if (v[i].property->type == PROPERTY_MEMBER)
			tell_member(l, e, &v[i], type, name);
		else
			rc = tell_property(l, e, &v[i], name);
	}
	return rc;
}

/* By lines; of one line what is of the user first. */
static int by_line(const void *a, const void *b)
{
	const struct entry *one = (*(const struct difference *const *)a)->entry;
	const struct entry *other =
		(*(const struct difference *const *)b)->entry;

	if (one->line != other->line)
		return one->line < other->line ? -1 : 1;
	if ((one->kind == ROSTER_ROW) != (other->kind == ROSTER_ROW))
		return one->kind == ROSTER_ROW ? 1 : -1;
	return (int)one->kind - (int)other->kind;
}

static void tell_no_parent(struct loading *l)
{
	if (l->part.no_parent)
		fputs(" No parent given creating off root, If incorrect "
		      "specify 'Parent - name' before any children in your "
		      "file\n",
			output(l->part.s));
	l->part.no_parent = false;
}

int load_tell_changes(struct loading *l)
{
	const struct differences *all = &l->rest;
	const struct difference **v = NULL;
	size_t n = 0, cap = 0;
	int rc = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct difference *d = &all->v[i];
		const bool known = d->what == DIFFERENCE_CHANGED ||
				   d->entry->kind == ROSTER_ACCOUNT;

		if (d->n && known && d->entry->seen)
			*MEMORY_PUSH(v, n, cap) = d;
	}
	if (n)
		qsort(v, n, sizeof(*v), by_line);
	for (size_t i = 0; i < n && !rc; i++) {
		if (v[i]->entry->line >
			l->part.file.of[ROSTER_CLUSTER].v[0]->line)
			tell_no_parent(l);
		rc = tell_difference(l, v[i]);
	}
	free(v);
	tell_no_parent(l);
	return rc;
}

/* ---- what is new ---------------------------------------------------------*/

static void dashes(struct session *s, int n)
{
	for (int i = 0; i < n; i++)
		fputc('-', output(s));
	fputs("\n\n", output(s));
}

#define ROW_FORMAT                                                             \
	",Share,GrpTRESMins,GrpTRESRunMins,GrpTRES,GrpJ,GrpJobsA,GrpMEM,GrpN," \
	"GrpS,GrpW,MaxTRESMins,MaxTRES,MaxTRESPerN,MaxJ,MaxS,MaxN,MaxW,QOS,"   \
	"DefaultQOS"

/* What is said makes of the row. */
static void show(
	struct loading *l, struct assoc *shown, const struct entry *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct setting *one = e->v[i].set;

		if (!one)
			continue;
		setting_put(one, shown, &l->blank);
		switch (one->attr->set->type) {
		case ATTR_TRES:
			tres_list_apply(
				(struct tres_list *)((char *)shown +
						     one->attr->offset),
				&l->part.s->arena, &one->tres);
			break;
		case ATTR_QOS_LIST:
			shown->qos_text = e->v[i].text;
			break;
		case ATTR_QOS:
			shown->def_qos = e->v[i].text ? e->v[i].text : "";
			break;
		default:
			break;
		}
	}
}

static void new_row(
	struct loading *l, struct listing *list, const struct entry *e)
{
	const char *parent = entry_text(e, PROPERTY_PARENT);
	const bool user = e->kind == ROSTER_ROW;
	struct assoc shown = l->blank;

	shown.cluster = l->part.file.cluster;
	shown.account = user ? e->account : e->name;
	shown.user = user ? e->name : "";
	shown.partition = user ? e->partition : "";
	if (parent)
		shown.parent_account = parent;
	show(l, &shown, e);
	listing_row(list, &shown);
}

/* The text that a new record has. */
static const char *text_of(
	struct loading *l, const struct entry *e, enum property_type type)
{
	const char *said = entry_text(e, type);

	return said ? said
		    : roster_default(roster_property_of(e->kind, type), e,
			      &l->part.s->arena);
}

static void account_record(
	struct loading *l, struct listing *list, const struct entry *e)
{
	const struct account record = {
		.description = text_of(l, e, PROPERTY_DESCRIPTION),
		.organization = text_of(l, e, PROPERTY_ORGANIZATION)};

	listing_row(list, &record, e);
}

static void user_record(
	struct loading *l, struct listing *list, const struct entry *e)
{
	const char *wckey = entry_text(e, PROPERTY_DEFAULT_WCKEY);
	const char *level = entry_text(e, PROPERTY_ADMIN_LEVEL);
	const char *coordinated = entry_text(e, PROPERTY_COORDINATOR);
	struct user record = {
		.default_account = entry_text(e, PROPERTY_DEFAULT_ACCOUNT),
		.default_wckey = wckey ? wckey : "",
		.admin_text = level ? level : admin_level_text(ADMIN_NOT_SET)};

	if (coordinated)
		strv_split(
			&record.coordinators, &l->part.s->arena, coordinated);
	listing_row(list, &record, e);
}

/* Of records and of associations. Records have no QOS of their own: that column
 * stays blank. */
static const struct new_table {
	const char *heading;
	enum roster_kind kind;
	const struct members *members;
	const char *columns;
	void (*tell)(struct loading *, struct listing *, const struct entry *);
	int dashes; /* below it */
} new_tables[] = {
	{"Accounts\n", ROSTER_ACCOUNT, &account_members,
		"Name,Description,Organization,QOS", account_record, 51},
	{"Account Associations\n", ROSTER_ACCOUNT, &assoc_members,
		"Account,ParentName" ROW_FORMAT, new_row, 62},
	{"Users\n", ROSTER_USER, &user_members,
		"Name,DefaultA,DefaultW,QOS,Admin,Coord", user_record, 51},
	{"User Associations\n", ROSTER_ROW, &assoc_members,
		"User,Account" ROW_FORMAT, new_row, 62},
};

/* The name of a record is in a column of another name than in listings. */
static void open_table(
	struct loading *l, const struct new_table *t, struct listing *list)
{
	static const struct member names[] = {{HEAD_NAME, .type = MEMBER_TEXT,
		.offset = offsetof(struct entry, name)}};
	static const struct members name_columns = MEMBERS(names);

	listing_init(list, l->part.s, t->members);
	list->columns[list->parts++] = &name_columns;
	listing_open(list, t->columns);
}

static void close_table(
	struct loading *l, const struct new_table *t, struct listing *list)
{
	listing_close(list);
	dashes(l->part.s, t->dashes);
}

/* An account of other clusters has a record, and no association here. */
static bool is_new(
	struct loading *l, const struct new_table *t, const struct entry *e)
{
	return !e->seen ||
	       (e->kind == ROSTER_ACCOUNT && t->members == &assoc_members &&
		       roster_find_like(&l->part.store, e)->abroad);
}

static void tell_table(struct loading *l, const struct new_table *t)
{
	const struct entry_list *all = &l->part.file.of[t->kind];
	struct listing list = {0};

	for (size_t i = 0; i < all->n; i++) {
		if (!is_new(l, t, all->v[i]))
			continue;
		if (!list.open) {
			fputs(t->heading, output(l->part.s));
			open_table(l, t, &list);
		}
		t->tell(l, &list, all->v[i]);
	}
	if (list.open)
		close_table(l, t, &list);
}

void load_tell_new(struct loading *l)
{
	for (size_t i = 0; i < sizeof(new_tables) / sizeof(*new_tables); i++)
		tell_table(l, &new_tables[i]);
}

void load_tell_cluster(struct loading *l)
{
	const struct new_table *t = &new_tables[1];
	struct session *s = l->part.s;
	struct roster *file = &l->part.file;
	const char *class = entry_text(
		file->of[ROSTER_CLUSTER].v[0], PROPERTY_CLASSIFICATION);
	const struct entry *root = roster_find(file, ROSTER_ACCOUNT, "root");
	const struct entry none = {.kind = ROSTER_ACCOUNT, .name = "root"};
	struct listing list;

	fprintf(output(s), "For cluster %s\n", file->cluster);
	if (!l->new_cluster)
		return;
	if (class)
		fprintf(output(s), "Classification: %s\n", class);
	open_table(l, t, &list);
	t->tell(l, &list, root ? root : &none);
	close_table(l, t, &list);
}

/* ---- QOS -----------------------------------------------------------------*/

static bool said(const struct entry *e, const struct member *member)
{
	return entry_find(e, roster_property_of_member(ROSTER_QOS, member));
}

/* A row with dashes of its own. What the file does not say stays blank, though
 * the store has a value. */
static int new_qos(
	struct loading *l, struct listing *list, const struct entry *e)
{
	struct session *s = l->part.s;
	struct qos_cond cond = {0};
	struct qos_list found;
	struct qos *qos;

	strv_push(&cond.names, &s->arena, e->name);
	if (qos_list(s->store, &cond, &s->arena, &found) || !found.n)
		return -1;
	qos = found.v[0];
	if (!said(e, qos_attr(priority)))
		qos->priority = NO_VAL;
	if (!said(e, qos_attr(grace_time)))
		qos->grace_time = NO_VAL;
	if (!said(e, qos_attr(usage_factor)))
		qos->usage_factor = NO_VAL;
	listing_row(list, qos);
	dashes(s, 62);
	return 0;
}

int load_tell_qos(struct loading *l)
{
	struct listing list = {0};

	if (l->qos.n)
		fputs("QOS\n", output(l->part.s));
	listing_init(&list, l->part.s, &qos_members);
	for (size_t i = 0; i < l->qos.n; i++) {
		const struct difference *d = &l->qos.v[i];

		if (d->what != DIFFERENCE_ADDED)
			continue;
		if (!list.open)
			listing_open(&list, "Name%20," QOS_FORMAT);
		if (new_qos(l, &list, d->entry))
			return -1;
	}
	if (list.open)
		listing_close(&list);
	for (size_t i = 0; i < l->qos.n; i++)
		if (l->qos.v[i].what == DIFFERENCE_CHANGED &&
			tell_difference(l, &l->qos.v[i]))
			return -1;
	return 0;
}
