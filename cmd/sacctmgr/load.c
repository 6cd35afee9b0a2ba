/*
 * `load`: a flat file into the store, all of it or nothing
 * (spec/sacctmgr.md 6.2 - 6.4).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <uthash.h>

#include "cmd/sacctmgr/flatfile.h"
#include "cmd/sacctmgr/loading.h"
#include "common/cli.h"
#include "common/numbers.h"
#include "common/words.h"
#include "db/query.h"

static const char qos_format[] =
	"Name%20,Prio,GraceT,Preempt,PreemptE,PreemptM,Flags%40,UsageThres,"
	"UsageFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJ,GrpS,GrpW,"
	"MaxTRES,MaxTRESPerN,MaxTRESMins,MaxW,MaxTRESPerUser,MaxJobsPU,"
	"MaxSubmitJobsPU,MaxTRESPerAcct,MaxTRESRunMinsPerAcct%22,"
	"MaxTRESRunMinsPerUser%22,MaxJobsPA,MaxSubmitJobsPA,MinTRES";

static const char common_format[] =
	"Share,GrpTRESMins,GrpTRESRunMins,GrpTRES,GrpJ,GrpJobsA,GrpMEM,GrpN,"
	"GrpS,GrpW,MaxTRESMins,MaxTRES,MaxTRESPerN,MaxJ,MaxS,MaxN,MaxW,QOS,"
	"DefaultQOS";

/* ---- tables of what is new -----------------------------------------------*/

static void put_dashes(struct session *s, int n)
{
	for (int i = 0; i < n; i++)
		fputc('-', s->out);
	fputs("\n\n", s->out);
}

static void print_assocs(struct session *s, const struct new_assoc *v, size_t n,
	const char *first)
{
	struct part part = {assoc_columns, NULL};
	const struct strv none = {0};
	struct listing l;

	listing_open(&l, s, &none,
		arena_printf(&s->arena, "%s,%s", first, common_format), &part,
		1);
	for (size_t i = 0; i < n; i++) {
		part.row = &v[i].shown;
		listing_row(&l, &part);
	}
	listing_close(&l);
	put_dashes(s, 62);
}

/* An account has no QOS of its own; the column stays blank. */
struct account_row {
	const char *name, *description, *organization;
};

#define A(field, member)                                                       \
	{FIELD_##field, NULL, get_text, offsetof(struct account_row, member), 0}
static const struct column account_row_columns[] = {
	A(NAME, name),
	A(DESCRIPTION, description),
	A(ORGANIZATION, organization),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

static void print_accounts(struct loading *l)
{
	struct part part = {account_row_columns, NULL};
	const struct strv none = {0};
	struct listing list;

	fputs("Accounts\n", l->s->out);
	listing_open(&list, l->s, &none, "Name,Description,Organization,QOS",
		&part, 1);
	for (size_t i = 0; i < l->accounts.n; i++) {
		const struct new_account *a = &l->accounts.v[i];
		struct account_row row = {
			a->name, a->description, a->organization};

		part.row = &row;
		listing_row(&list, &part);
	}
	listing_close(&list);
	put_dashes(l->s, 51);
}

#define U(field, getter, member)                                               \
	{FIELD_##field, NULL, getter, offsetof(struct new_user, member), 0}
static const struct column new_user_columns[] = {
	U(NAME, get_text, name),
	U(DEFAULT_ACCOUNT, get_text, default_account),
	U(DEFAULT_WCKEY, get_text, default_wckey),
	U(ADMIN_LEVEL, get_text, admin_text),
	U(COORDINATORS, get_list, coordinators),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

static void print_users(struct loading *l)
{
	struct part part = {new_user_columns, NULL};
	const struct strv none = {0};
	struct listing list;

	fputs("Users\n", l->s->out);
	listing_open(&list, l->s, &none,
		"Name,DefaultA,DefaultW,QOS,Admin,Coord", &part, 1);
	for (size_t i = 0; i < l->users.n; i++) {
		part.row = &l->users.v[i];
		listing_row(&list, &part);
	}
	listing_close(&list);
	put_dashes(l->s, 51);
}

/* ---- change lines --------------------------------------------------------*/

static void change_line(struct loading *l, const char *label, const char *type,
	const char *name, const char *old, const char *new)
{
	fprintf(l->s->out, " %-29.29s for %-7.7s %-10.10s %8s -> %s\n", label,
		type, name, old && *old ? old : "(null)", new);
	l->changed = true;
}

static const char *number_text(struct session *s, uint32_t n)
{
	if (n == INFINITE || n == NO_VAL)
		return "";
	return arena_printf(&s->arena, "%u", n);
}

static bool is_fatal(const struct err *err)
{
	return !strncmp(err->text, FLAT_FATAL, strlen(FLAT_FATAL));
}

/* How the record and the setting read as text, to be compared and shown. */
static void attr_texts(struct session *s, const void *record,
	const struct setting *set, const char **old, const char **new)
{
	const char *member = (const char *)record + set->attr->offset;
	struct tres_list tres = {0};
	uint32_t number;
	double real;

	switch (set->attr->type) {
	case ATTR_TRES:
		memcpy(&tres, member, sizeof(tres));
		*old = tres_list_format(
			&tres, &s->store->tres, 0, &s->arena);
		tres = (struct tres_list){0};
		tres_list_apply(&tres, &s->arena, &set->tres);
		*new = tres_list_format(
			&tres, &s->store->tres, 0, &s->arena);
		return;
	case ATTR_TEXT:
		memcpy(old, member, sizeof(*old));
		*old = *old ? *old : "";
		*new = set->text;
		return;
	case ATTR_REAL:
		memcpy(&real, member, sizeof(real));
		*old = real == (double)INFINITE
			? ""
			: arena_printf(&s->arena, "%f", real);
		*new = arena_printf(&s->arena, "%f", set->real);
		return;
	default:
		memcpy(&number, member, sizeof(number));
		*old = number_text(s, number);
		*new = number_text(s, set->number);
	}
}

/* A setting that differs from the record: told, and kept for the update. */
static bool differs(struct loading *l, const void *record,
	const struct setting *set, const char *type, const char *name)
{
	const char *old = "", *new = "";

	attr_texts(l->s, record, set, &old, &new);
	if (!strcasecmp(old, new))
		return false;
	change_line(l,
		arena_printf(
			&l->s->arena, "Changed %s", set->attr->change),
		type, name, old, *new ? new : "(null)");
	return true;
}

static const char *sorted_list(struct session *s, const struct strv *list)
{
	struct strv sorted = {0};

	for (size_t i = 0; i < list->n; i++)
		strv_push(&sorted, &s->arena, list->v[i]);
	strv_sort(&sorted);
	return strv_join(&sorted, ",", &s->arena);
}

/* QOS lists and the default QOS are told without what was before. */
static bool qos_differs(struct loading *l, const struct assoc *row,
	const struct setting *set, const char *type, const char *name)
{
	bool list = set->attr->type == ATTR_QOS_LIST;
	const struct qos_name *qos =
		qos_by_id(&l->s->store->qos, set->number);
	const char *new = list ? sorted_list(l->s, &set->list)
			  : qos ? qos->name
				: "";
	const char *old = list ? sorted_list(l->s, &row->qos_names)
			       : row->def_qos;

	if (!strcmp(old, new))
		return false;
	fprintf(l->s->out, " %-29.29s for %-7.7s %-10.10s %8s\n",
		list ? "Added QOS" : "Set DefaultQOS", type, name, new);
	l->changed = true;
	return true;
}

/* The settings of a line that the row does not hold already. */
static struct settings differences(struct loading *l, const struct assoc *row,
	const struct settings *set, const char *type, const char *name)
{
	struct settings rest = {0};

	for (size_t i = 0; i < set->n; i++) {
		const struct setting *one = &set->v[i];
		bool qos = one->attr->type == ATTR_QOS_LIST ||
			one->attr->type == ATTR_QOS;

		if (one->attr == &assoc_attrs[ASSOC_ATTR_PARENT])
			continue;
		if (qos ? qos_differs(l, row, one, type, name)
			: differs(l, row, one, type, name))
			*ARENA_PUSH(&l->s->arena, rest.v, rest.n, rest.cap) =
				*one;
	}
	return rest;
}

static int update_row(struct loading *l, struct assoc *row,
	const struct settings *set, const char *type, const char *name)
{
	struct settings rest = differences(l, row, set, type, name);

	if (!rest.n)
		return 0;
	if (assoc_update(l->s->store, row, &rest, &l->s->arena))
		return -1;
	return txn_add(l->s->store, TXN_MODIFY_ASSOCS, l->cluster,
		arena_printf(&l->s->arena, "(id_assoc=%u)", row->id),
		settings_text(&rest, &l->s->arena));
}

/* ---- what is there already -----------------------------------------------*/

static const char *row_name(struct loading *l, const char *account,
	const char *user, const char *partition)
{
	return arena_printf(&l->s->arena, "%s\n%s\n%s", account,
		str_lower(&l->s->arena, user), partition);
}

static struct known_row *find_row(struct loading *l, const char *account,
	const char *user, const char *partition)
{
	const char *name = row_name(l, account, user, partition);
	struct known_row *known;

	HASH_FIND_STR(l->rows, name, known);
	return known;
}

static struct known_row *remember_row(
	struct loading *l, struct assoc *row, bool new)
{
	struct known_row *known = arena_alloc(&l->s->arena, sizeof(*known));

	known->name = row_name(l, row->account, row->user, row->partition);
	known->row = row;
	known->is_new = new;
	HASH_ADD_KEYPTR(
		hh, l->rows, known->name, strlen(known->name), known);
	return known;
}

static struct known_user *find_user(struct loading *l, const char *name)
{
	struct known_user *known;

	name = str_lower(&l->s->arena, name);
	HASH_FIND_STR(l->known_users, name, known);
	return known;
}

static struct known_user *remember_user(
	struct loading *l, const char *name, const struct user *record)
{
	struct known_user *known = arena_alloc(&l->s->arena, sizeof(*known));

	known->name = name;
	known->record = record;
	name = str_lower(&l->s->arena, name);
	HASH_ADD_KEYPTR(hh, l->known_users, name, strlen(name), known);
	return known;
}

static struct known_account *find_account(
	struct loading *l, const char *name)
{
	struct known_account *known;

	HASH_FIND_STR(l->known_accounts, name, known);
	return known;
}

static struct known_account *remember_account(struct loading *l,
	const char *name, const struct account *record)
{
	struct known_account *known =
		arena_alloc(&l->s->arena, sizeof(*known));

	known->name = name;
	known->record = record;
	HASH_ADD_KEYPTR(hh, l->known_accounts, name, strlen(name), known);
	return known;
}

static int read_users(struct loading *l)
{
	struct user_cond cond = {0};
	struct user_list users;

	strv_push(&cond.clusters, &l->s->arena, l->cluster);
	if (user_list(l->s->store, &cond, &l->s->arena, &users))
		return -1;
	for (size_t i = 0; i < users.n; i++)
		remember_user(l, users.v[i].name, &users.v[i]);
	return 0;
}

static int read_accounts(struct loading *l)
{
	struct account_cond cond = {0};
	struct account_list accounts;

	if (account_list(l->s->store, &cond, &l->s->arena, &accounts))
		return -1;
	for (size_t i = 0; i < accounts.n; i++)
		remember_account(l, accounts.v[i].name, &accounts.v[i]);
	return 0;
}

static int read_rows(struct loading *l)
{
	struct assoc_cond cond = {.without_limits = true, .raw_qos = true};
	struct assoc_list rows;

	strv_push(&cond.clusters, &l->s->arena, l->cluster);
	if (assoc_list(l->s->store, &cond, &l->s->arena, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		remember_row(l, rows.v[i], false);
	return 0;
}

/* ---- lines ---------------------------------------------------------------*/

/* The row as the tables of new rows show it. */
static void show_as(struct loading *l, struct assoc *shown,
	const struct settings *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct setting *one = &set->v[i];
		char *member = (char *)shown + one->attr->offset;

		switch (one->attr->type) {
		case ATTR_TRES:
			tres_list_apply((struct tres_list *)member,
				&l->s->arena, &one->tres);
			break;
		case ATTR_TEXT:
			if (one->attr != &assoc_attrs[ASSOC_ATTR_PARENT])
				memcpy(member, &one->text, sizeof(one->text));
			break;
		case ATTR_QOS_LIST:
			shown->qos_text = sorted_list(l->s, &one->list);
			break;
		default:
			memcpy(member, &one->number, sizeof(one->number));
		}
	}
	if (qos_by_id(&l->s->store->qos, shown->def_qos_id))
		shown->def_qos =
			qos_by_id(&l->s->store->qos, shown->def_qos_id)->name;
}

static struct new_assoc *push_assoc(struct loading *l,
	struct new_assoc_list *list, const struct flat_record *record,
	const char *account, const char *user)
{
	struct new_assoc *new = ARENA_PUSH(
		&l->s->arena, list->v, list->n, list->cap);

	assoc_init(&new->shown);
	new->shown.shares_raw = NO_VAL;
	new->shown.cluster = l->cluster;
	new->shown.account = account;
	new->shown.user = user;
	new->shown.partition = record->partition ? record->partition : "";
	new->shown.parent_account = l->parent;
	new->set = record->set;
	show_as(l, &new->shown, &record->set);
	return new;
}

static int update_account(struct loading *l, struct known_account *known,
	const struct flat_record *record)
{
	const struct account *old = known->record;
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
		change_line(l, i ? "Changed organization"
				 : "Changed description",
			"Account", record->name, was, new);
		one = ARENA_PUSH(&l->s->arena, set.v, set.n, set.cap);
		one->attr = &account_attrs[i ? ACCOUNT_ATTR_ORGANIZATION
					     : ACCOUNT_ATTR_DESCRIPTION];
		one->text = new;
	}
	return set.n ? account_update(l->s->store, record->name, &set) : 0;
}

static int move_account(struct loading *l, struct known_row *known)
{
	struct known_row *parent = find_row(l, l->parent, "", "");

	if (known->is_new || !parent || !parent->row ||
		assoc_is_root(known->row) ||
		!strcmp(known->row->parent_account, l->parent))
		return 0;
	if (parent->is_new)
		return err_set(&l->s->err, ERR_USAGE,
			" Can't move account %s below %s, which is new: load "
			"twice",
			known->row->account, l->parent);
	if (!strncmp(parent->row->lineage, known->row->lineage,
		    strlen(known->row->lineage)))
		return err_set(&l->s->err, ERR_USAGE,
			" Account %s can't be below %s, which is below it",
			known->row->account, l->parent);
	change_line(l, "Changed Parent", "Account", known->row->account,
		known->row->parent_account, l->parent);
	return assoc_move(
		l->s->store, known->row, parent->row, &l->s->arena);
}

static int account_line(struct loading *l, const struct flat_record *record)
{
	struct known_account *account = find_account(l, record->name);
	struct known_row *row = find_row(l, record->name, "", "");

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
		account = remember_account(l, record->name, NULL);
		account->seen = true;
	} else if (update_account(l, account, record)) {
		return -1;
	}
	if (!row) {
		struct new_assoc *new = push_assoc(l, &l->account_rows, record,
			record->name, "");
		struct assoc *copy = arena_alloc(&l->s->arena, sizeof(*copy));

		*copy = new->shown;
		remember_row(l, copy, true);
		return 0;
	}
	if (row->is_new || row->seen)
		return 0;
	row->seen = true;
	if (move_account(l, row))
		return -1;
	return update_row(
		l, row->row, &record->set, "Account", record->name);
}

static void new_user(struct loading *l, const struct flat_record *record,
	const char *default_account)
{
	struct new_user *new = ARENA_PUSH(
		&l->s->arena, l->users.v, l->users.n, l->users.cap);

	new->name = record->name;
	new->default_account = default_account;
	new->default_wckey =
		record->default_wckey ? record->default_wckey : "";
	new->admin_level = record->admin_level
		? admin_level_parse(record->admin_level)
		: ADMIN_NOT_SET;
	new->admin_text = admin_level_text(new->admin_level);
	new->coordinators = record->coordinators;
	new->wckeys = record->wckeys;
}

static int add_coordinators(struct loading *l, const char *user,
	const struct strv *accounts, bool tell)
{
	struct strv direct = {0}, all = {0};

	if (accounts->n && coordinated_accounts(l->s->store, user,
				   &l->s->arena, &all, &direct))
		return -1;
	for (size_t i = 0; i < accounts->n; i++) {
		if (strv_has(&direct, accounts->v[i]))
			continue;
		if (tell)
			fprintf(l->s->out,
				" Making User '%s' coordinator of account "
				"'%s'\n",
				user, accounts->v[i]);
		l->changed = true;
		if (coordinator_add(l->s->store, accounts->v[i], user))
			return -1;
	}
	return 0;
}

static int add_wckeys(struct loading *l, const char *user,
	const struct strv *keys, const char *default_key, bool tell)
{
	for (size_t i = 0; i < keys->n; i++) {
		int added = wckey_add(l->s->store, l->cluster, keys->v[i],
			user, !strcmp(default_key, keys->v[i]));

		if (added < 0)
			return -1;
		if (added && tell)
			fprintf(l->s->out, " Adding WCKey '%s' to User '%s'\n",
				keys->v[i], user);
		l->changed |= added > 0;
	}
	return 0;
}

/* A user the store knows: what the line changes of the record. */
static int update_user(struct loading *l, struct known_user *known,
	const struct flat_record *record)
{
	const struct user *old = known->record;
	uint32_t level = record->admin_level
		? admin_level_parse(record->admin_level)
		: ADMIN_NOT_SET;

	if (known->seen || !old)
		return 0;
	known->seen = true;
	if (strcmp(old->default_account, known->default_account))
		change_line(l, "Changed Default Account", "User", old->name,
			old->default_account, known->default_account);
	if (record->default_wckey &&
		strcmp(old->default_wckey, record->default_wckey))
		change_line(l, "Changed Default WCKey", "User", old->name,
			old->default_wckey, record->default_wckey);
	if (level && level != old->admin_level) {
		change_line(l, "Changed Admin Level", "User", old->name,
			old->admin_text, admin_level_text(level));
		if (user_set_admin_level(l->s->store, old->name, level))
			return -1;
	}
	return add_coordinators(l, old->name, &record->coordinators, true) ||
			add_wckeys(l, old->name, &record->wckeys,
				record->default_wckey ? record->default_wckey
						      : "",
				true)
		? -1
		: 0;
}

static int user_line(struct loading *l, const struct flat_record *record)
{
	const char *partition = record->partition ? record->partition : "";
	const char *default_account =
		record->default_account ? record->default_account : l->parent;
	struct known_user *user = find_user(l, record->name);
	struct known_row *row =
		find_row(l, l->parent, record->name, partition);

	if (!user) {
		new_user(l, record, default_account);
		user = remember_user(l, record->name, NULL);
	}
	if (!user->default_account)
		user->default_account = default_account;
	if (update_user(l, user, record))
		return -1;
	if (!row) {
		struct new_assoc *new = push_assoc(l, &l->user_rows, record,
			l->parent, record->name);
		struct assoc *copy = arena_alloc(&l->s->arena, sizeof(*copy));

		*copy = new->shown;
		remember_row(l, copy, true);
		return 0;
	}
	if (row->is_new || row->seen)
		return 0;
	row->seen = true;
	return update_row(l, row->row, &record->set, "User", record->name);
}

/* ---- QOS -----------------------------------------------------------------*/

static int check_double_qos(struct loading *l, size_t i, const char *name)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(l->qos.v[j].name, name))
			return err_set(&l->s->err, ERR_USAGE,
				" Problem with line(%d). QOS '%s' has "
				"multiple entries. Remove one to continue.",
				l->qos.v[i].line.number, name);
	return 0;
}

/* Names first, so that QOS of the file can preempt each other. */
static int add_qos_names(struct loading *l)
{
	const struct settings none = {0};

	for (size_t i = 0; i < l->qos.n; i++) {
		struct new_qos *q = &l->qos.v[i];

		q->name = flat_name(l->s, &q->line);
		if (!q->name || check_double_qos(l, i, q->name))
			return -1;
		q->is_new = !qos_by_name(&l->s->store->qos, q->name);
		if (q->is_new && (qos_add(l->s->store, q->name, &none,
					  &l->s->arena) ||
					 txn_add(l->s->store, TXN_ADD_QOS, "",
						 q->name, "")))
			return -1;
	}
	return 0;
}

static int find_qos(struct loading *l, const char *name, struct qos **qos)
{
	struct qos_cond cond = {0};
	struct qos_list list;

	strv_push(&cond.names, &l->s->arena, name);
	if (qos_list(l->s->store, &cond, &l->s->arena, &list) || !list.n)
		return -1;
	*qos = list.v[0];
	return 0;
}

/* Flags, preemption and its mode compare as text. */
static bool qos_setting_differs(
	struct loading *l, const struct qos *qos, const struct setting *set)
{
	const char *old, *new;

	switch (set->attr->type) {
	case ATTR_FLAGS:
		old = qos->flags_text;
		new = flags_text(qos_flag_words, set->number, &l->s->arena);
		break;
	case ATTR_CHOICE:
		old = qos->preempt_mode_text;
		new = flags_text(
			preempt_mode_words + 1, set->number, &l->s->arena);
		break;
	case ATTR_QOS_LIST:
		old = qos->preempt_text;
		new = sorted_list(l->s, &set->list);
		break;
	default:
		return differs(l, qos, set, "QOS", qos->name);
	}
	if (!strcmp(old, new))
		return false;
	change_line(l,
		arena_printf(&l->s->arena, "Changed %s", set->attr->change),
		"QOS", qos->name, old, new);
	return true;
}

static int update_qos(struct loading *l, struct new_qos *q)
{
	struct flat_record record;
	struct settings rest = {0};
	struct qos *qos;

	if (flat_parse(l->s, &q->line, &record))
		return -1;
	if (find_qos(l, q->name, &qos))
		return -1;
	if (q->is_new)
		return qos_update(
			l->s->store, qos, &record.set, &l->s->arena);
	for (size_t i = 0; i < record.set.n; i++)
		if (qos_setting_differs(l, qos, &record.set.v[i]))
			*ARENA_PUSH(&l->s->arena, rest.v, rest.n, rest.cap) =
				record.set.v[i];
	if (!rest.n)
		return 0;
	return qos_update(l->s->store, qos, &rest, &l->s->arena) ||
			txn_add(l->s->store, TXN_MODIFY_QOS, "",
				arena_printf(&l->s->arena, "(name='%s')",
					q->name),
				settings_text(&rest, &l->s->arena))
		? -1
		: 0;
}

/* The table of new QOS: each row with dashes of its own. */
static int print_new_qos(struct loading *l)
{
	struct part part = {qos_columns, NULL};
	const struct strv none = {0};
	struct listing list;
	bool any = false;

	for (size_t i = 0; i < l->qos.n; i++) {
		struct qos *qos;

		if (!l->qos.v[i].is_new)
			continue;
		if (!any)
			listing_open(
				&list, l->s, &none, qos_format, &part, 1);
		any = true;
		if (find_qos(l, l->qos.v[i].name, &qos))
			return -1;
		part.row = qos;
		listing_row(&list, &part);
		put_dashes(l->s, 62);
	}
	if (any)
		listing_close(&list);
	return 0;
}

static int load_qos(struct loading *l)
{
	FILE *out = l->s->out;
	char *lines = NULL;
	size_t size = 0;
	int rc = add_qos_names(l);
	bool any = false;

	l->s->out = open_memstream(&lines, &size);
	for (size_t i = 0; i < l->qos.n && !rc; i++) {
		l->number = l->qos.v[i].line.number;
		rc = update_qos(l, &l->qos.v[i]);
		any |= l->qos.v[i].is_new;
	}
	fclose(l->s->out);
	l->s->out = out;
	if (!rc && (any || *lines))
		fputs("QOS\n", out);
	l->changed |= any;
	if (!rc)
		rc = print_new_qos(l);
	if (!rc)
		fputs(lines, out);
	free(lines);
	return rc;
}

/* ---- the cluster line ----------------------------------------------------*/

static int run_sql(struct loading *l, const char *sql)
{
	return store_exec(l->s->store, sql);
}

/* What `clean` takes away. Root and the caller stay. */
static int clean(struct loading *l)
{
	struct query q;

	if (!l->clean)
		return 0;
	if (cluster_key(l->s->store, l->cluster) > 0 &&
		cluster_remove(l->s->store, l->cluster, &l->s->arena))
		return -1;
	if (l->clean_accounts &&
		run_sql(l, "DELETE FROM coordinator;"
			   "UPDATE account SET deleted = 1"
			   " WHERE name != 'root'"))
		return -1;
	if (!l->clean_users)
		return 0;
	if (query_open(&q, l->s->store,
		    "UPDATE user SET deleted = 1 WHERE name != 'root'"
		    " AND name != :caller"))
		return -1;
	query_bind_text(&q, ":caller", l->s->site.caller.name);
	return query_run(&q);
}

static int clean_qos(struct loading *l)
{
	struct qos_cond cond = {0};
	struct qos_list list;

	if (!l->clean_qos)
		return 0;
	if (qos_list(l->s->store, &cond, &l->s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (qos_remove(l->s->store, list.v[i]))
			return -1;
	return 0;
}

static uint32_t classification(const char *text)
{
	return strstr(text, "capab")   ? 1
		: strstr(text, "capac") ? 2
		: strstr(text, "capap") ? 3
					: 0;
}

static int set_classification(
	struct loading *l, const struct flat_record *record)
{
	struct query q;

	if (!record->classification)
		return 0;
	if (query_open(&q, l->s->store,
		    "UPDATE cluster SET classification = :value"
		    " WHERE name = :name"))
		return -1;
	query_bind_int(&q, ":value", classification(record->classification));
	query_bind_text(&q, ":name", l->cluster);
	return query_run(&q);
}

static int add_cluster(struct loading *l, const struct flat_record *record)
{
	static const char *const words[] = {
		"", "Capability", "Capacity", "Capapacity"};
	struct new_assoc new = {0};

	if (record->classification)
		fprintf(l->s->out, "Classification: %s\n",
			words[classification(record->classification)]);
	assoc_init(&new.shown);
	new.shown.shares_raw = NO_VAL;
	new.shown.account = "root";
	show_as(l, &new.shown, &record->set);
	print_assocs(l->s, &new, 1, "Account,ParentName");
	l->changed = true;
	return cluster_add(
		       l->s->store, l->cluster, &record->set, &l->s->arena) ||
			set_classification(l, record)
		? -1
		: 0;
}

static int change_cluster(struct loading *l, const struct flat_record *record)
{
	struct known_row *root;
	struct cluster_cond cond = {0};
	struct cluster_list list;
	uint32_t bits;

	if (read_rows(l))
		return -1;
	root = find_row(l, "root", "", "");
	strv_push(&cond.names, &l->s->arena, l->cluster);
	if (!root || cluster_list(l->s->store, &cond, &l->s->arena, &list) ||
		!list.n)
		return -1;
	if (record->classification) {
		bits = classification(record->classification);
		if (bits != (list.v[0].classification & 3)) {
			change_line(l, "Changed Classification", "Cluster",
				l->cluster, list.v[0].classification_text,
				record->classification);
			if (set_classification(l, record))
				return -1;
		}
	}
	root->seen = true;
	return update_row(l, root->row, &record->set, "Cluster", l->cluster);
}

/* Tells what is wrong with the line; which one it is becomes the complaint. */
static int bad_line(struct loading *l, const char *prefix)
{
	if (is_fatal(&l->s->err))
		return -1;
	complain_err(l->s);
	return err_set(&l->s->err, ERR_USAGE, "%s Problem with line(%d)", prefix,
		l->number);
}

static int cluster_line(struct loading *l, const struct flat_line *line)
{
	struct flat_record record;
	const char *name = flat_name(l->s, line);

	if (!name)
		return bad_line(l, " error:");
	l->cluster = l->cluster_given ? l->cluster_given : name;
	l->cluster_seen = true;
	/* Users as they are before anything is taken away. */
	if (read_users(l) || clean(l) || clean_qos(l) || load_qos(l))
		return -1;
	l->number = line->number;
	if (flat_parse(l->s, line, &record))
		return bad_line(l, " error:");
	fprintf(l->s->out, "For cluster %s\n", l->cluster);
	if (l->clean_users) {
		HASH_CLEAR(hh, l->known_users);
		if (read_users(l))
			return -1;
	}
	if (read_accounts(l))
		return -1;
	if (cluster_key(l->s->store, l->cluster) > 0)
		return change_cluster(l, &record);
	return add_cluster(l, &record) || read_rows(l) ? -1 : 0;
}

/* ---- writing what is new -------------------------------------------------*/

static int write_accounts(struct loading *l)
{
	for (size_t i = 0; i < l->accounts.n; i++) {
		const struct new_account *a = &l->accounts.v[i];

		if (account_add(l->s->store, a->name, a->description,
			    a->organization, 0) ||
			txn_add(l->s->store, TXN_ADD_ACCOUNTS, "", a->name,
				arena_printf(&l->s->arena,
					"description='%s', organization='%s', "
					"flags='0'",
					a->description, a->organization)))
			return -1;
	}
	return 0;
}

static int write_row(struct loading *l, struct new_assoc *new, bool user)
{
	const char *above =
		user ? new->shown.account : new->shown.parent_account;
	struct known_row *parent = find_row(l, above, "", "");
	struct known_user *owner =
		user ? find_user(l, new->shown.user) : NULL;
	struct known_row *self = find_row(l, new->shown.account,
		new->shown.user, new->shown.partition);
	struct assoc_new add = {
		.cluster = l->cluster_key,
		.cluster_name = l->cluster,
		.account = new->shown.account,
		.user = new->shown.user,
		.partition = new->shown.partition,
		.parent = parent->row,
		.settings = &new->set,
	};
	int64_t key;

	if (owner)
		add.is_default = !owner->has_default &&
			!strcmp(owner->default_account, new->shown.account);
	if (owner && add.is_default)
		owner->has_default = true;
	key = assoc_add(l->s->store, &add, &l->s->arena);
	if (key < 0 ||
		(add.is_default &&
			assoc_take_default(l->s->store, l->cluster, add.user,
				add.account)))
		return -1;
	self->row->key = key;
	self->row->parent_key = parent->row->key;
	self->row->lineage = assoc_lineage(&l->s->arena, parent->row->lineage,
		new->shown.account, new->shown.user, new->shown.partition);
	return 0;
}

static int write_users(struct loading *l)
{
	for (size_t i = 0; i < l->users.n; i++) {
		const struct new_user *u = &l->users.v[i];

		if (user_add(l->s->store, u->name, u->admin_level) ||
			txn_add(l->s->store, TXN_ADD_USERS, "", u->name, "") ||
			add_coordinators(
				l, u->name, &u->coordinators, false) ||
			add_wckeys(l, u->name, &u->wckeys, u->default_wckey,
				false))
			return -1;
	}
	return 0;
}

/* The named default account without an association there: it stays what it
 * was; who has none gets that of the first association. */
static int stand_in_default(struct loading *l, const char *user,
	const char *wanted, const char *current)
{
	const char *first = current;

	if (!*current && !l->s->site.dbd.allow_no_def_acct &&
		assoc_first_account(l->s->store, l->cluster, user, "",
			&l->s->arena, &first) < 0)
		return -1;
	fprintf(l->s->out,
		" User %s has no association with the default account %s on "
		"cluster %s: ",
		user, wanted, l->cluster);
	if (!*first)
		fputs("no default account\n", l->s->out);
	else
		fprintf(l->s->out, "it %s %s\n",
			*current ? "stays" : "becomes", first);
	if (*current || !*first)
		return 0;
	return assoc_set_default(l->s->store, l->cluster, user, first);
}

/* The default account that the file wants for a user of old, or of a new one
 * without an association there. */
static int write_default(struct loading *l, const struct known_user *user)
{
	const char *wanted = user->default_account;
	const char *current;
	int found;

	if (!wanted || user->has_default)
		return 0;
	if (user_default_account(l->s->store, l->cluster, user->name,
		    &l->s->arena, &current))
		return -1;
	if (!strcmp(current, wanted))
		return 0;
	found = assoc_first_account(l->s->store, l->cluster, user->name,
		wanted, &l->s->arena, &wanted);
	if (found < 0)
		return -1;
	if (!found)
		return stand_in_default(l, user->name, wanted, current);
	return assoc_set_default(l->s->store, l->cluster, user->name, wanted);
}

static int write_defaults(struct loading *l)
{
	struct known_user *user, *next;

	HASH_ITER(hh, l->known_users, user, next)
	{
		if (write_default(l, user))
			return -1;
	}
	return 0;
}

static int write_rows(
	struct loading *l, struct new_assoc_list *list, bool users)
{
	for (size_t i = 0; i < list->n; i++)
		if (write_row(l, &list->v[i], users))
			return -1;
	return 0;
}

static int write_all(struct loading *l)
{
	l->cluster_key = cluster_key(l->s->store, l->cluster);
	if (l->accounts.n)
		print_accounts(l);
	if (l->account_rows.n) {
		fputs("Account Associations\n", l->s->out);
		print_assocs(l->s, l->account_rows.v, l->account_rows.n,
			"Account,ParentName");
	}
	if (l->users.n)
		print_users(l);
	if (l->user_rows.n) {
		fputs("User Associations\n", l->s->out);
		print_assocs(l->s, l->user_rows.v, l->user_rows.n,
			"User,Account");
	}
	l->changed |= l->accounts.n || l->account_rows.n || l->users.n ||
		l->user_rows.n;
	return write_accounts(l) || write_rows(l, &l->account_rows, false) ||
			write_users(l) ||
			write_rows(l, &l->user_rows, true) || write_defaults(l)
		? -1
		: 0;
}

/* ---- the whole file ------------------------------------------------------*/

static int parent_line(struct loading *l, const struct flat_record *record)
{
	if (find_row(l, record->name, "", "")) {
		l->parent = record->name;
		return 0;
	}
	return err_set(&l->s->err, ERR_USAGE,
		" line(%d) You need to add this parent (%s) as a child before "
		"you can add children to it.",
		l->number, record->name);
}

static int body_line(struct loading *l, const struct flat_line *line)
{
	struct flat_record record;

	if (line->kind == FLAT_UNKNOWN)
		return err_set(&l->s->err, ERR_USAGE,
			" Misformatted line(%d): %s", line->number, line->text);
	if (flat_parse(l->s, line, &record))
		return bad_line(l, "");
	if (line->kind == FLAT_PARENT)
		return parent_line(l, &record);
	if (!l->parent) {
		l->parent = "root";
		fputs(" No parent given creating off root, If incorrect "
		      "specify 'Parent - name' before any children in your "
		      "file\n",
			l->s->out);
	}
	return line->kind == FLAT_ACCOUNT ? account_line(l, &record)
					  : user_line(l, &record);
}

static int one_line(struct loading *l, const struct flat_line *line)
{
	struct new_qos *qos;

	l->number = line->number;
	if (line->kind == FLAT_QOS) {
		if (l->cluster_seen)
			return err_set(&l->s->err, ERR_USAGE,
				" You need to specify all QOS before the "
				"'Cluster - $NAME' in your file");
		qos = ARENA_PUSH(
			&l->s->arena, l->qos.v, l->qos.n, l->qos.cap);
		qos->line = *line;
		return 0;
	}
	if (line->kind == FLAT_CLUSTER) {
		if (l->cluster_seen)
			return err_set(&l->s->err, ERR_USAGE,
				" You can only add one cluster at a time.");
		return cluster_line(l, line);
	}
	if (!l->cluster_seen)
		return err_set(&l->s->err, ERR_USAGE,
			" You need to specify a cluster name first with "
			"'Cluster - $NAME' in your file");
	return body_line(l, line);
}

/* A value of a QOS or cluster line: the complaint lacks the line. */
static void name_line(struct loading *l)
{
	if (l->s->err.kind != ERR_USAGE || strstr(l->s->err.text, "line("))
		return;
	if (strstr(l->s->err.text, "in your file") ||
		strstr(l->s->err.text, "at a time"))
		return;
	bad_line(l, "");
}

static int read_file(struct loading *l)
{
	struct flat_reader reader;
	struct flat_line line;
	int rc;

	flat_reader_init(&reader, l->text, &l->s->arena);
	while ((rc = flat_next(&reader, &line, &l->s->err)) > 0)
		if (one_line(l, &line)) {
			name_line(l);
			return -1;
		}
	return rc;
}

/* Files that name no cluster, or a parent that is not there, are told so
 * without more ado. */
static bool is_plain_refusal(const struct err *err)
{
	return strstr(err->text, "cluster name first") ||
		strstr(err->text, "as a child before");
}

static enum plan_result refused(struct loading *l)
{
	bool plain = is_plain_refusal(&l->s->err);

	if (plain)
		fputs(" Nothing new added.\n", l->s->out);
	if (is_fatal(&l->s->err)) {
		complain(l->s, "%s", l->s->err.text);
		return PLAN_FAILED;
	}
	complain_err(l->s);
	if (!plain)
		complain(l->s, " Problem with requests: Unspecified error");
	return PLAN_FAILED;
}

static void start_over(struct loading *l)
{
	struct loading fresh = {.s = l->s, .text = l->text,
		.cluster_given = l->cluster_given, .clean = l->clean,
		.clean_accounts = l->clean_accounts,
		.clean_users = l->clean_users, .clean_qos = l->clean_qos};

	HASH_CLEAR(hh, l->rows);
	HASH_CLEAR(hh, l->known_users);
	HASH_CLEAR(hh, l->known_accounts);
	*l = fresh;
}

static long usec_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000000L +
		(now.tv_nsec - start->tv_nsec) / 1000;
}

static enum plan_result plan_load(struct session *s, void *arg)
{
	struct loading *l = arg;
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	start_over(l);
	*s->err.text = '\0';
	if (read_file(l) || (l->cluster_seen && write_all(l)))
		return refused(l);
	if (!l->changed) {
		fputs(" Nothing new added.\n", s->out);
		return PLAN_NOTHING;
	}
	if (!s->opt.quiet)
		fprintf(stderr, "%s: Done adding cluster in usec=%ld\n",
			cli_name(), usec_since(&start));
	return PLAN_CHANGED;
}

static void clean_kinds(struct loading *l, const char *value)
{
	l->clean = true;
	l->clean_accounts |=
		strcasestr(value, "acct") || strcasestr(value, "account");
	l->clean_users |= strcasestr(value, "user") != NULL;
	l->clean_qos |= strcasestr(value, "qos") != NULL;
}

static void take_word(struct loading *l, const char **path, const char *text)
{
	struct word word = word_split(text);
	const char *value = str_unquote(&l->s->arena, word.value);

	if (words_match("clean:3", text, word.name_len)) {
		clean_kinds(l, word.op == OP_NONE ? "" : value);
	} else if (word.op == OP_NONE ||
		words_match("File:1", text, word.name_len)) {
		if (*path)
			complain(l->s, " File name already set to %s", *path);
		else
			*path = value;
	} else if (words_match("Cluster:3", text, word.name_len)) {
		if (l->cluster_given)
			complain(l->s,
				" Can only do one cluster at a time.  Already "
				"doing %s",
				l->cluster_given);
		else
			l->cluster_given = str_lower(&l->s->arena, value);
	} else {
		complain(l->s, " Unknown option: %s", text);
	}
}

/* Copies what is text; at a NUL byte it is none (and may be /dev/zero). */
static int copy_text(FILE *from, FILE *to)
{
	char buffer[65536];
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0) {
		if (memchr(buffer, '\0', n)) {
			errno = EILSEQ;
			return -1;
		}
		fwrite(buffer, 1, n, to);
	}
	return ferror(from) ? -1 : 0;
}

/* The whole file; NULL with errno when it cannot be read or is no text. */
static char *slurp(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");
	FILE *copy;
	int error = 0;

	if (!file)
		return NULL;
	copy = open_memstream(&text, &size);
	if (copy_text(file, copy))
		error = errno;
	fclose(copy);
	fclose(file);
	if (!error)
		return text;
	free(text);
	errno = error;
	return NULL;
}

static int check_clean(struct loading *l)
{
	struct strv clusters = {0};

	if (!l->clean)
		return 0;
	if (cluster_names(l->s->store, &l->s->arena, &clusters)) {
		complain_err(l->s);
		return -1;
	}
	if (clusters.n > 1 &&
		(l->clean_accounts || l->clean_users || l->clean_qos)) {
		complain(l->s,
			" When doing a clean=account, user, and/or qos you "
			"must only have one cluster in the system.");
		return -1;
	}
	if (prompt(l->s,
		    "You requested to flush the cluster before adding it "
		    "again.\nIt is advised to not have your slurmctld running "
		    "while doing this operation.\nIf you have jobs running on "
		    "this cluster this operation will abort.\nAre you sure "
		    "you want to continue?"))
		return 0;
	fputs("Aborted\n Nothing new added.\n", l->s->out);
	return 1;
}

static bool may_load(struct session *s)
{
	int known = user_exists(s->store, s->site.caller.name);

	if (!s->site.caller.super && known == 0) {
		complain(s,
			" Your uid (%u) is not in the accounting system, can't "
			"load file.",
			(unsigned)s->site.caller.uid);
		return false;
	}
	if (is_administrator(s))
		return true;
	complain(s, " Your user does not have sufficient privileges to load "
		    "files.");
	return false;
}

int load_command(struct session *s, char **words, int n)
{
	struct loading l = {.s = s};
	const char *path = NULL;
	int rc;

	for (int i = 0; i < n; i++)
		take_word(&l, &path, words[i]);
	if (s->status)
		return -1;
	if (!path) {
		complain(s, " No filename given, specify one with file=''");
		return -1;
	}
	l.text = slurp(path);
	if (!l.text) {
		complain(s, " Unable to read \"%s\": %s", words[0],
			strerror(errno));
		return -1;
	}
	rc = may_load(s) ? check_clean(&l) : -1;
	if (!rc)
		rc = change_run(s, plan_load, &l);
	start_over(&l);
	free(l.text);
	return rc < 0 ? -1 : 0;
}
