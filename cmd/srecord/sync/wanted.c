#include "cmd/srecord/sync/wanted.h"

#include <string.h>

#include "cmd/srecord/sacctline.h"
#include "common/base/hash.h"
#include "db/roster/roster_read.h"

/* ---- columns -------------------------------------------------------------*/

/* SQL: the words of the bits that are set, joined by commas. */
static const char *flags_column(const struct member *m, struct arena *arena)
{
	const char *text = "CONCAT_WS(','";

	for (const struct flag_word *f = m->set->flags; f->names; f++)
		if (f->database)
			text = arena_printf(arena,
				"%s, IF(t.%s & %u, '%.*s', NULL)", text,
				m->column, f->database,
				(int)strcspn(f->names, ":"), f->names);
	return arena_printf(arena, "%s)", text);
}

static const char *database_column(const struct member *m, struct arena *arena)
{
	if (m->set->flags)
		return flags_column(m, arena);
	return m->database ? m->database : m->column;
}

static enum sync_type type_of(const struct member *m)
{
	switch (m->set->type) {
	case ATTR_TRES:
		return SYNC_TRES;
	case ATTR_QOS:
		return SYNC_QOS;
	case ATTR_QOS_LIST:
		return SYNC_QOS_LIST;
	default:
		return SYNC_PLAIN;
	}
}

/* Fills the columns and makes them those of the table. */
static void make_columns(struct sync *sync, enum roster_kind kind,
	const struct members *members, const struct sync_column *fixed,
	size_t n_fixed, struct wanted_columns *to, struct sync_table *table)
{
	for (to->n = 0; to->n < n_fixed; to->n++)
		to->columns[to->n] = fixed[to->n];
	for (size_t i = 0; i < members->n && to->n < WANTED_COLUMNS; i++) {
		const struct member *m = &members->v[i];

		to->properties[to->n] = roster_property_of_member(kind, m);
		if (to->properties[to->n])
			to->columns[to->n++] = (struct sync_column){
				m->set->name,
				database_column(m, &sync->arena), type_of(m)};
	}
	table->columns = to->columns;
	table->n = to->n;
}

int wanted_ask_qos(struct sync *sync, struct slurm_rows *rows)
{
	static const struct sync_column fixed[] = {
		{"Name", "name", SYNC_PLAIN}, {"ID", "id", SYNC_PLAIN}};

	rows->qos_table = (struct sync_table){.what = "QOS",
		.show = "qos",
		.tables = "qos_table t WHERE t.deleted = 0 ORDER BY t.id"};
	make_columns(sync, ROSTER_QOS, &qos_members, fixed, 2,
		&rows->qos_columns, &rows->qos_table);
	return sync_ask(sync, &rows->qos_table, 0, &rows->qos);
}

int wanted_ask_all_qos(struct sync *sync, struct slurm_rows *rows)
{
	const struct sync_column columns[] = {
		{"Name", "name", SYNC_PLAIN}, {"ID", "id", SYNC_PLAIN},
		{"Flags", flags_column(qos_attr(flags), &sync->arena), SYNC_PLAIN},
		{"PreemptMode", flags_column(qos_attr(preempt_mode), &sync->arena),
			SYNC_PLAIN},
		{"Description", "description", SYNC_PLAIN},
	};

	memcpy(rows->all_qos_columns, columns, sizeof(columns));
	rows->all_qos_table = (struct sync_table){"QOS, deleted or not",
		"qos withdeleted", "qos_table t ORDER BY t.id",
		rows->all_qos_columns, sizeof(columns) / sizeof(*columns), NULL,
		NULL};
	return sync_ask(sync, &rows->all_qos_table, 0, &rows->all_qos);
}

static const struct sync_column assoc_columns[] = {
	{"ID", "id_assoc", SYNC_PLAIN}, {"Account", "acct", SYNC_PLAIN},
	{"User", "user", SYNC_PLAIN}, {"Partition", "`partition`", SYNC_PLAIN},
	{"ParentName", "parent_acct", SYNC_PLAIN}};

int wanted_ask_assocs(struct sync *sync, struct slurm_rows *rows)
{
	rows->assoc_table = (struct sync_table){.what = "association",
		.show = "association wopl clusters={c}",
		.tables = "`{c}_assoc_table` t WHERE t.deleted = 0"
			  " ORDER BY t.id_assoc"};
	make_columns(sync, ROSTER_ROW, &assoc_members, assoc_columns, 5,
		&rows->assoc_columns, &rows->assoc_table);
	return sync_ask(sync, &rows->assoc_table, 0, &rows->assocs);
}

int wanted_ask_all_assocs(struct sync *sync, struct slurm_rows *rows)
{
	static const struct sync_table table = {"association, deleted or not",
		"association wopl withdeleted clusters={c}",
		"`{c}_assoc_table` t", assoc_columns, 5, NULL, NULL};

	return sync_ask(sync, &table, 0, &rows->all_assocs);
}

/* ---- values --------------------------------------------------------------*/

struct wanting {
	struct roster_reading r;
	/* Of each column, what was read last: most rows say the same. */
	struct {
		const char *typed, *text;
	} last[WANTED_COLUMNS];
};

static void tell(struct wanting *w, struct entry *e, enum property_type type,
	const char *text)
{
	entry_set_of(e, type, text, &w->r.s->arena);
}

/* Seconds are shown as a duration, and typed as a number. */
static const char *typed(
	struct wanting *w, const struct member *m, const char *text)
{
	int64_t usec;

	if (m->set->type != ATTR_PLAIN_SECONDS || !strchr(text, ':') ||
		sacct_duration(text, &usec))
		return text;
	return arena_printf(
		&w->r.s->arena, "%lld", (long long)(usec / 1000000));
}

static int read_value(struct wanting *w, const struct property *f,
	const char *text, const char **is)
{
	if (!reading_value(&w->r, f, typed(w, f->member, text), is))
		return 0;
	return err_prefix(&w->r.s->err, "%s=%s as Slurm has it", f->name, text);
}

/* The properties of an account are others than those of a user's row. */
static const struct property *property_for(
	const struct entry *e, const struct property *f)
{
	return e->kind == ROSTER_ACCOUNT
		       ? roster_property_of_member(ROSTER_ACCOUNT, f->member)
		       : f;
}

static int read_values(struct wanting *w, struct entry *e,
	const struct wanted_columns *columns, const char *const *values)
{
	for (size_t i = 0; i < columns->n; i++) {
		const struct property *f = columns->properties[i];

		if (!f || (!*values[i] && f->member != qos_attr(description)))
			continue;
		if (!w->last[i].typed || strcmp(w->last[i].typed, values[i])) {
			w->last[i].typed = values[i];
			if (read_value(w, f, values[i], &w->last[i].text))
				return -1;
		}
		if (w->last[i].text)
			entry_set(e, property_for(e, f), w->last[i].text,
				&w->r.s->arena);
	}
	return 0;
}

/* ---- rows ----------------------------------------------------------------*/

static int read_qos(struct wanting *w, const struct slurm_rows *rows)
{
	struct strv names = {0};

	for (size_t i = 0; i < rows->qos.n; i++)
		strv_push(&names, &w->r.s->arena, rows->qos.v[i][Q_NAME]);
	reading_know_qos(&w->r, &names);
	for (size_t i = 0; i < rows->qos.n; i++) {
		const char *const *values = rows->qos.v[i];
		struct entry *e = roster_add(w->r.s, w->r.file, ROSTER_QOS,
			values[Q_NAME], "", "");

		if (e && read_values(w, e, &rows->qos_columns, values))
			return -1;
	}
	return 0;
}

/* Accounts whose rows are read yet, by name. */
struct account_row {
	const char *const *values;
	bool begun;
	UT_hash_handle hh;
};

static const char *parent_of(const char *const *values)
{
	return *values[A_PARENT] ? values[A_PARENT] : "root";
}

static int bad_parent(
	struct wanting *w, const char *const *values, const char *why)
{
	return err_set(&w->r.s->err, ERR_SYSTEM,
		"association %s of Slurm, account %s, has a parent that %s: "
		"'%s'",
		values[A_ID], values[A_ACCOUNT], why,
		*values[A_USER] ? values[A_ACCOUNT] : parent_of(values));
}

static int read_row(struct wanting *w, const struct slurm_rows *rows,
	const char *const *values, struct entry *e)
{
	if (!e || read_values(w, e, &rows->assoc_columns, values))
		return e ? -1 : 0;
	if (*values[A_USER])
		reading_user(&w->r, e);
	else if (strcmp(values[A_ACCOUNT], "root") != 0)
		tell(w, e, PROPERTY_PARENT, parent_of(values));
	return 0;
}

static int read_account(struct wanting *w, const struct slurm_rows *rows,
	struct account_row *all, struct account_row *one)
{
	const char *const *values = one->values;
	struct account_row *parent;

	if (one->begun)
		return 0;
	one->begun = true;
	if (strcmp(values[A_ACCOUNT], "root") != 0) {
		HASH_FIND_STR(all, parent_of(values), parent);
		if (parent && read_account(w, rows, all, parent))
			return -1;
		if (!roster_find(w->r.file, ROSTER_ACCOUNT, parent_of(values)))
			return bad_parent(w, values,
				parent ? "is below it"
				       : "Slurm does not show");
	}
	return read_row(w, rows, values,
		roster_add(w->r.s, w->r.file, ROSTER_ACCOUNT,
			values[A_ACCOUNT], "", ""));
}

/* Parents before their children, in whatever order Slurm shows them. */
static int read_account_rows(struct wanting *w, const struct slurm_rows *rows)
{
	struct account_row *all = NULL;
	int rc = 0;

	for (size_t i = 0; i < rows->assocs.n; i++) {
		struct account_row *one =
			arena_alloc(&w->r.s->arena, sizeof(*one));

		one->values = rows->assocs.v[i];
		if (!*one->values[A_USER])
			HASH_ADD_KEYPTR(hh, all, one->values[A_ACCOUNT],
				strlen(one->values[A_ACCOUNT]), one);
	}
	for (struct account_row *one = all; one && !rc; one = one->hh.next)
		rc = read_account(w, rows, all, one);
	HASH_CLEAR(hh, all);
	return rc;
}

static int read_user_row(struct wanting *w, const struct slurm_rows *rows,
	const char *const *values)
{
	if (!roster_find(w->r.file, ROSTER_ACCOUNT, values[A_ACCOUNT]))
		return bad_parent(w, values, "Slurm does not show");
	return read_row(w, rows, values,
		roster_add(w->r.s, w->r.file, ROSTER_ROW, values[A_USER],
			values[A_ACCOUNT], values[A_PARTITION]));
}

static int read_assocs(struct wanting *w, const struct slurm_rows *rows)
{
	memset(w->last, 0, sizeof(w->last));
	if (read_account_rows(w, rows))
		return -1;
	for (size_t i = 0; i < rows->assocs.n; i++)
		if (*rows->assocs.v[i][A_USER] &&
			read_user_row(w, rows, rows->assocs.v[i]))
			return -1;
	if (!roster_find(w->r.file, ROSTER_ACCOUNT, "root"))
		return err_set(&w->r.s->err, ERR_SYSTEM,
			"Slurm shows no association of root on cluster %s: its "
			"answer is incomplete",
			w->r.file->cluster);
	return 0;
}

/* Those of this cluster. Slurm is not asked for flags. */
static void read_accounts(struct wanting *w, const struct sync_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		const char *const *values = rows->v[i];
		struct entry *e =
			roster_find(w->r.file, ROSTER_ACCOUNT, values[0]);
		const struct entry *old =
			roster_find(w->r.store, ROSTER_ACCOUNT, values[0]);

		if (!e)
			continue;
		tell(w, e, PROPERTY_ORGANIZATION, values[1]);
		tell(w, e, PROPERTY_DESCRIPTION, values[2]);
		if (old)
			tell(w, e, PROPERTY_FLAGS,
				entry_text(old, PROPERTY_FLAGS));
	}
}

/* A user whom Slurm shows without an account on the cluster: to be compared once
 * the store has none there either. NULL: not yet. */
static struct entry *some_user(struct wanting *w, const char *name)
{
	struct entry *e = roster_find(w->r.file, ROSTER_USER, name);
	const struct entry *old = roster_find(w->r.store, ROSTER_USER, name);

	if (e || (old && old->account))
		return e;
	return roster_add(w->r.s, w->r.file, ROSTER_USER, name, "", "");
}

/* Where properties of users stand. */
static const struct user_table {
	size_t rows;	    /* of struct slurm_rows */
	size_t user, value; /* columns */
	enum property_type type;
} user_tables[] = {
#define ROWS(member) offsetof(struct slurm_rows, member)
	{ROWS(users), 0, 1, PROPERTY_ADMIN_LEVEL},
	{ROWS(defaults), 0, 1, PROPERTY_DEFAULT_ACCOUNT},
	{ROWS(defaults), 0, 2, PROPERTY_DEFAULT_WCKEY},
	{ROWS(coordinators), 0, 1, PROPERTY_COORDINATOR},
	{ROWS(wckeys), 1, 0, PROPERTY_WCKEYS},
};

/* A list comes whole, or as a row for each name; a `*` marks the default one. */
static void tell_user(struct wanting *w, struct entry *e,
	enum property_type type, const char *text)
{
	const bool list =
		type == PROPERTY_COORDINATOR || type == PROPERTY_WCKEYS;

	if (*text == '*')
		tell(w, e, PROPERTY_DEFAULT_WCKEY, ++text);
	if (type == PROPERTY_COORDINATOR)
		text = roster_coordinated(w->r.s, text, w->r.store, w->r.file);
	if (type == PROPERTY_ADMIN_LEVEL &&
		admin_level_parse(text) <= ADMIN_NONE)
		return;
	tell(w, e, type,
		roster_united(w->r.s, text, list ? entry_text(e, type) : NULL));
}

static void read_users(struct wanting *w, const struct slurm_rows *rows,
	const struct user_table *t)
{
	const struct sync_rows *r =
		(const void *)((const char *)rows + t->rows);

	for (size_t i = 0; i < r->n; i++) {
		const char *const *values = r->v[i];
		struct entry *e = *values[t->user]
					  ? some_user(w, values[t->user])
					  : NULL;

		if (e && *values[t->value])
			tell_user(w, e, t->type, values[t->value]);
	}
}

/* Where Slurm knows no default account, the store's stays. */
static void settle(struct wanting *w, struct entry *e)
{
	const struct entry *old = roster_find(w->r.store, ROSTER_USER, e->name);
	const char *account =
		old ? entry_text(old, PROPERTY_DEFAULT_ACCOUNT) : NULL;

	if (e->other && !entry_text(e, PROPERTY_DEFAULT_ACCOUNT))
		tell(w, e, PROPERTY_DEFAULT_ACCOUNT, account ? account : "");
}

int wanted_read(struct sync *sync, const struct slurm_rows *rows,
	struct session *s, struct roster *store, struct roster *wanted)
{
	struct wanting w = {.r = {.s = s, .store = store, .file = wanted}};

	*wanted = (struct roster){.cluster = sync->cluster};
	for (int kind = ROSTER_QOS; kind < ROSTER_KINDS; kind++)
		wanted->has[kind] = true;
	if (roster_load(s, sync->cluster, store) || read_qos(&w, rows) ||
		read_assocs(&w, rows))
		return -1;
	read_accounts(&w, &rows->accounts);
	for (size_t i = 0; i < sizeof(user_tables) / sizeof(*user_tables); i++)
		read_users(&w, rows, &user_tables[i]);
	for (size_t i = 0; i < store->of[ROSTER_USER].n; i++)
		some_user(&w, store->of[ROSTER_USER].v[i]->name);
	for (size_t i = 0; i < wanted->of[ROSTER_USER].n; i++)
		settle(&w, wanted->of[ROSTER_USER].v[i]);
	return 0;
}
