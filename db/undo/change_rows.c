#include "db/undo/change_rows.h"

#include <string.h>

#include "common/table/assoc.h"
#include "common/table/attr.h"
#include "common/table/member.h"
#include "common/table/qos.h"
#include "db/entity/user.h"
#include "db/store/undo_log.h"
#include "db/store/query.h"

/* ---- values --------------------------------------------------------------*/

/* Is the column for internal use (keys, times) and not shown? */
static bool change_is_quiet(const char *column)
{
	static const char *const quiet[] = {"created", "modified", "lineage",
		"id", "key", "position", "cluster", "deleted", "sign"};

	return STR_AMONG(column, quiet);
}

/* Do rows of the table have values to be shown beside their name? */
static bool change_has_values(const char *table)
{
	static const char *const tables[] = {"account", "user", "assoc",
		"assoc_tres", "qos", "qos_tres", "resource",
		"resource_cluster"};

	return STR_AMONG(table, tables);
}

/* ---- names ---------------------------------------------------------------*/

static const struct member *member_of(const char *table, const char *column)
{
	if (!strcmp(table, "assoc"))
		return members_by_column(&assoc_members, column);
	if (!strcmp(table, "qos"))
		return members_by_column(&qos_members, column);
	return NULL;
}

/* What people call the column: "MaxJobs"; "" where the name of the row says
 * it. */
static const char *change_heading(const char *table, const char *column)
{
	static const struct {
		const char *table, *column, *heading;
	} headings[] = {
		{"account", "description", "Descr"},
		{"account", "organization", "Org"},
		{"account", "flags", "Flags"},
		{"assoc", "is_default", "Default"},
		{"assoc", "parent", "Parent"},
		{"assoc_tres", "count", ""},
		{"qos_tres", "count", ""},
		{"resource", "count", "Count"},
		{"resource_cluster", "allowed", "Allowed"},
		{"user", "admin_level", "Admin"},
		{"wckey", "is_default", "Default"},
	};
	const struct member *m = member_of(table, column);

	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		if (!strcmp(headings[i].table, table) &&
			!strcmp(headings[i].column, column))
			return headings[i].heading;
	if (m && m->heading)
		return m->heading;
	return m && m->set ? m->set->name : column;
}

/* The same of rows of that kind in the table, a list of TRES of associations
 * ("MaxTRES") or QOS. NULL: none, or another table.  The headings of
 * associations name users; their words are short. */
static const char *change_list(const char *table, int64_t kind)
{
	bool assoc = !strcmp(table, "assoc_tres");
	const struct members *members = assoc ? &assoc_members : &qos_members;

	if (!assoc && strcmp(table, "qos_tres") != 0)
		return NULL;
	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];

		if (m->type == MEMBER_TRES && !m->get && m->arg == kind)
			return assoc ? m->set->name : m->heading;
	}
	return NULL;
}

/* ---- values --------------------------------------------------------------*/

static int name_of(struct store *store, const char *sql, int64_t key,
	struct arena *arena, const char **text)
{
	struct query q;

	if (query_open_text(&q, store, sql))
		return -1;
	query_put_int(&q, 1, key);
	if (query_row(&q))
		*text = query_strdup(&q, 0, arena);
	return query_close(&q);
}

/* *text: the value as it is printed, in the arena; "none" for NULL. Names of
 * accounts and QOS are looked up in the store. 0, or -1 with its error. */
static int change_value(struct store *store, const char *table,
	const char *column, struct sqlite3_value *value, struct arena *arena,
	const char **text)
{
	const struct member *m = member_of(table, column);
	const char *words = NULL;
	int64_t number;

	*text = "none";
	if (!value || sqlite3_value_type(value) == SQLITE_NULL)
		return 0;
	number = sqlite3_value_int64(value);
	*text = arena_strdup(arena, query_value_text(value));
	if (!strcmp(column, "parent"))
		return name_of(store,
			"SELECT account FROM assoc WHERE key = ?1", number,
			arena, text);
	if (!strcmp(column, "def_qos"))
		return name_of(store, "SELECT name FROM qos WHERE id = ?1",
			number, arena, text);
	if (!strcmp(column, "is_default"))
		words = number ? "yes" : "no";
	else if (!strcmp(column, "admin_level"))
		words = admin_level_text((uint32_t)number);
	else if (m && m->set)
		words = set_words(m->set, (uint32_t)number, arena);
	if (words)
		*text = *words ? words : "none";
	return 0;
}

/* ---- rows that come and go -----------------------------------------------*/

static bool is_usual(
	const char *column, struct sqlite3_value *value, const char *name)
{
	static const char *const named[] = {"name", "account", "user",
		"partition", "parent", "server", "assoc", "qos", "kind", "tres",
		"resource"};
	static const char *const ones[] = {"shares", "admin_level"};
	int type = value ? sqlite3_value_type(value) : SQLITE_NULL;
	int64_t number;

	if (type == SQLITE_NULL || change_is_quiet(column) ||
		STR_AMONG(column, named))
		return true;
	if (type == SQLITE_TEXT)
		return !*query_value_text(value) ||
		       !strcmp(query_value_text(value), name);
	if (type == SQLITE_FLOAT)
		return !strcmp(column, "usage_factor") &&
		       !(sqlite3_value_double(value) < 1 ||
			       sqlite3_value_double(value) > 1);
	number = sqlite3_value_int64(value);
	if (number == 1 && STR_AMONG(column, ones))
		return true;
	return number ==
		       (strcmp(column, "preempt_mode") ? 0 : PREEMPT_CLUSTER) &&
	       strcmp(column, "count") != 0;
}

/* Adds "MaxJobs 3", for a row that is added or removed, to `parts`, unless the
 * value is the one of any new row; `name`: of the row, which is the usual text
 * of some columns. 0, or -1 with the store's error. */
static int change_part(struct store *store, const char *table,
	const char *column, struct sqlite3_value *value, const char *name,
	struct arena *arena, struct strv *parts)
{
	const char *text, *heading = change_heading(table, column);

	if (is_usual(column, value, name))
		return 0;
	if (change_value(store, table, column, value, arena, &text))
		return -1;
	strv_printf(parts, arena, "%s%s%s", heading, *heading ? " " : "", text);
	return 0;
}

/* ---- rows by name --------------------------------------------------------*/

#define ASSOC_NAME                                                             \
	"'C = ' || (SELECT name FROM cluster WHERE id = a.cluster) || ' A = '" \
	" || a.account || iif(a.user = '', '', ' U = ' || a.user)"             \
	" || iif(a.partition = '', '', ' P = ' || a.partition)"
#define TRES_NAME                                                              \
	"(SELECT type || iif(name = '', '', '/' || name) FROM tres"            \
	" WHERE id = t.tres)"

/* How rows of a table are called: SQL with the columns of the primary key. */
struct named_table {
	const char *table;
	const char *many; /* in the plural, for people */
	const char *sql;
};

static const struct named_table named_tables[] = {
	{"account", "accounts", "SELECT 'account ' || ?1"},
	{"user", "users", "SELECT 'user ' || ?1"},
	{"coordinator", "coordinators", "SELECT 'coordinator ' || ?2 || ' of ' || ?1"},
	{"cluster", "clusters", "SELECT 'cluster ' || name FROM cluster WHERE id = ?1"},
	{"federation", "federations", "SELECT 'federation ' || name FROM federation"
		       " WHERE id = ?1"},
	{"qos", "QOS", "SELECT 'QOS ' || name FROM qos WHERE id = ?1"},
	{"tres", "TRES", "SELECT 'TRES ' || " TRES_NAME
		 " FROM (SELECT ?1 AS tres) t"},
	{"assoc", "associations", "SELECT 'association ' || " ASSOC_NAME
		  " FROM assoc a WHERE key = ?1"},
	{"assoc_tres", "TRES limits of associations",
		"SELECT 'association ' || " ASSOC_NAME
		       " || ' ' || " TRES_NAME
		       " FROM assoc a, (SELECT ?3 AS tres) t WHERE key = ?1"},
	{"assoc_qos", "QOS of associations",
		"SELECT 'association ' || " ASSOC_NAME " || ' QOS ' ||"
		      " (SELECT name FROM qos WHERE id = ?2)"
		      " FROM assoc a WHERE key = ?1"},
	{"qos_tres", "TRES limits of QOS",
		"SELECT 'QOS ' || q.name || ' ' || " TRES_NAME
		     " FROM qos q, (SELECT ?3 AS tres) t WHERE id = ?1"},
	{"qos_preempt", "preemptions of QOS",
		"SELECT 'QOS ' || q.name || ' preempts ' ||"
			" (SELECT name FROM qos WHERE id = ?2)"
			" FROM qos q WHERE id = ?1"},
	{"wckey", "wckeys", "SELECT 'wckey ' || name || ' of ' || user FROM wckey"
		  " WHERE key = ?1"},
	{"resource", "resources", "SELECT 'resource ' || name || '@' || server"
		     " FROM resource WHERE id = ?1"},
	{"resource_cluster", "resources of clusters",
		"SELECT 'resource ' || name || '@' || server ||"
			     " ' on ' || (SELECT name FROM cluster"
			     " WHERE id = ?2) FROM resource WHERE id = ?1"},
	{"job", "jobs", "SELECT 'job ' || id FROM job WHERE key = ?1"},
	{"step", "steps", "SELECT 'step ' || j.id || '.' || ?2 FROM job j"
		 " WHERE j.key = ?1"},
	{"event", "events", "SELECT 'event of ' || iif(e.node = '', 'the cluster', e.node)"
		  " FROM event e WHERE e.id = ?1"},
	{"reservation", "reservations", "SELECT 'reservation ' || name FROM reservation"
			" WHERE cluster = ?1 AND id = ?2 AND start = ?3"},
};

static const struct named_table *find_table(const char *name)
{
	for (size_t i = 0; i < sizeof(named_tables) / sizeof(*named_tables);
		i++)
		if (!strcmp(named_tables[i].table, name))
			return &named_tables[i];
	return NULL;
}

/* What the row is called, "" when it is not there. */
static int name_row(struct store *store, const struct named_table *t, int op,
	sqlite3_changeset_iter *iter, struct arena *arena, const char **name)
{
	struct query q;
	unsigned char *is_key;
	int columns, at = 0;
	const char *list = change_list(t->table, op_key(iter, op, 1));

	*name = "";
	if (query_open_text(&q, store, t->sql))
		return -1;
	sqlite3changeset_pk(iter, &is_key, &columns);
	for (int i = 0; i < columns; i++)
		if (is_key[i] && op_key_value(iter, op, i))
			query_put_value(&q, ++at, op_key_value(iter, op, i));
	if (query_row(&q))
		*name = query_strdup(&q, 0, arena);
	if (query_close(&q))
		return -1;
	if (**name && list)
		*name = arena_printf(arena, "%s %s", *name, list);
	return 0;
}

/* ---- columns -------------------------------------------------------------*/

static int read_columns(struct store *store, const char *table,
	struct arena *arena, struct strv *columns)
{
	*columns = (struct strv){0};
	return store_words(store, "SELECT name FROM pragma_table_info(:table)",
		columns, arena, bind_text(":table", table));
}

/* A row that is marked as deleted goes, one that loses the mark comes back. */
static int told_op(
	const struct strv *columns, int op, sqlite3_changeset_iter *iter)
{
	size_t at = 0;
	sqlite3_value *mark;

	while (at < columns->n && strcmp(columns->v[at], "deleted") != 0)
		at++;
	if (op != SQLITE_UPDATE || at == columns->n)
		return op;
	mark = op_new(iter, (int)at);
	if (!mark)
		return op;
	return sqlite3_value_int(mark) ? SQLITE_DELETE : SQLITE_INSERT;
}

static int tell_column(struct store *store, const char *table,
	const char *column, sqlite3_changeset_iter *iter, int i,
	struct arena *arena, struct strv *parts)
{
	const char *was, *is, *heading = change_heading(table, column);

	if (change_value(store, table, column, op_old(iter, i), arena, &was) ||
		change_value(store, table, column, op_new(iter, i), arena, &is))
		return -1;
	strv_printf(parts, arena, "%s%s%s -> %s", heading,
		*heading ? " " : "", was, is);
	return 0;
}

/* "Share 1 -> 5, MaxJobs none -> 3" */
static int tell_update(struct store *store, const char *table,
	const struct strv *columns, sqlite3_changeset_iter *iter,
	struct arena *arena, const char **text)
{
	struct strv parts = {0};
	unsigned char *is_key;
	int n;

	sqlite3changeset_pk(iter, &is_key, &n);
	for (int i = 0; i < n && (size_t)i < columns->n; i++) {
		if (is_key[i] || !op_new(iter, i) ||
			change_is_quiet(columns->v[i]))
			continue;
		if (tell_column(store, table, columns->v[i], iter, i, arena,
			    &parts))
			return -1;
	}
	*text = strv_join(&parts, ", ", arena);
	return 0;
}

/* ---- rows that come and go -----------------------------------------------*/

/* A row that is only marked stands in the store, not in the changeset. */
static int open_row(struct store *store, const char *table,
	const struct strv *columns, int op, sqlite3_changeset_iter *iter,
	struct arena *arena, struct query *q)
{
	struct strv keys = {0};
	unsigned char *is_key;
	int n, at = 0;

	sqlite3changeset_pk(iter, &is_key, &n);
	for (int i = 0; i < n; i++)
		if (is_key[i])
			strv_printf(&keys, arena, "\"%s\" = ?%zu",
				columns->v[i], keys.n + 1);
	if (query_open_text(q, store,
		    arena_printf(arena, "SELECT * FROM \"%s\" WHERE %s", table,
			    strv_join(&keys, " AND ", arena))))
		return -1;
	for (int i = 0; i < n; i++)
		if (is_key[i])
			query_put_value(q, ++at, op_key_value(iter, op, i));
	return 0;
}

struct changed_row {
	const struct strv *columns;
	sqlite3_changeset_iter *iter;
	struct query q; /* of a marked row */
	int op;
};

static sqlite3_value *column_of(struct changed_row *row, size_t i)
{
	if (row->op == SQLITE_UPDATE)
		return query_value(&row->q, (int)i);
	return row->op == SQLITE_INSERT ? op_new(row->iter, (int)i)
					: op_old(row->iter, (int)i);
}

/* "Share 5, MaxJobs 3": what is not as in any new row. */
static int tell_columns(struct store *store, const char *table,
	struct changed_row *row, struct arena *arena, const char **text)
{
	const struct strv *columns = row->columns;
	struct strv parts = {0};
	const char *name = "";

	for (size_t i = 0; i < columns->n; i++)
		if (!strcmp(columns->v[i], "name"))
			name = arena_strdup(
				arena, query_value_text(column_of(row, i)));
	for (size_t i = 0; i < columns->n; i++)
		if (change_part(store, table, columns->v[i], column_of(row, i),
			    name, arena, &parts))
			return -1;
	*text = strv_join(&parts, ", ", arena);
	return 0;
}

static int tell_row(struct store *store, const char *table,
	const struct strv *columns, int op, sqlite3_changeset_iter *iter,
	struct arena *arena, const char **text)
{
	struct changed_row row = {.columns = columns, .iter = iter, .op = op};
	int rc = 0;

	*text = "";
	if (!change_has_values(table))
		return 0;
	if (op != SQLITE_UPDATE)
		return tell_columns(store, table, &row, arena, text);
	if (open_row(store, table, columns, op, iter, arena, &row.q))
		return -1;
	if (query_row(&row.q))
		rc = tell_columns(store, table, &row, arena, text);
	return query_close(&row.q) || rc ? -1 : 0;
}

/* ---- all -----------------------------------------------------------------*/

struct rows_told {
	struct store *store;
	struct arena *arena;
	struct strv *lines;
	struct strv columns; /* of `table` */
	const char *table;
	size_t most;
	bool before, few;
};

/* Of these there can be millions. */
static bool is_fact(const char *table)
{
	static const char *const facts[] = {"job", "step", "event"};

	return STR_AMONG(table, facts);
}

/* Rows that have a name whatever else there is. */
static bool is_named(const char *table)
{
	static const char *const always[] = {"account", "assoc", "qos", "user"};

	return STR_AMONG(table, always);
}

static int read_table(struct rows_told *t, const struct named_table *named)
{
	if (t->table && !strcmp(t->table, named->table))
		return 0;
	t->table = named->table;
	return read_columns(t->store, named->table, t->arena, &t->columns);
}

static int tell(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	const struct named_table *named = find_table(table);
	struct rows_told *t = arg;
	const char *name, *text = "";
	int told;

	if (!named || (t->few && is_fact(table)))
		return 0;
	if (read_table(t, named))
		return -1;
	told = told_op(&t->columns, op, iter);
	if (t->before != (told == SQLITE_DELETE))
		return 0;
	if (t->lines->n >= t->most && told != SQLITE_UPDATE && is_named(table)) {
		strv_push(t->lines, t->arena, "");
		return 0;
	}
	if (name_row(t->store, named, op, iter, t->arena, &name))
		return -1;
	if (told == SQLITE_UPDATE
			? tell_update(t->store, table, &t->columns, iter,
				  t->arena, &text)
			: tell_row(t->store, table, &t->columns, op, iter,
				  t->arena, &text))
		return -1;
	if (!*name || (told == SQLITE_UPDATE && !*text))
		return 0;
	strv_printf(t->lines, t->arena, "%c %s%s%s",
		told == SQLITE_INSERT	? '+'
		: told == SQLITE_DELETE ? '-'
					: '~',
		name, *text ? ": " : "", text);
	return 0;
}

int change_rows(struct store *store, const void *blob, int size,
	unsigned which, size_t most, struct arena *arena, struct strv *lines)
{
	struct rows_told t = {.store = store,
		.arena = arena,
		.lines = lines,
		.most = most,
		.before = which & CHANGE_BEFORE,
		.few = which & CHANGE_FEW};

	return changeset_each(store, blob, size, tell, &t);
}

/* ---- how many ------------------------------------------------------------*/

struct rows_counted {
	struct store *store;
	struct arena *arena;
	struct change_counts *counts;
	const struct named_table *table; /* of the columns and of the last count */
	struct strv columns;
};

static struct change_count *count_of(
	struct rows_counted *c, const struct named_table *table)
{
	struct change_counts *counts = c->counts;

	for (size_t i = counts->n; i-- > 0;)
		if (!strcmp(counts->v[i].kind, table->many))
			return &counts->v[i];
	ARENA_PUSH(c->arena, counts->v, counts->n, counts->cap)->kind =
		table->many;
	return &counts->v[counts->n - 1];
}

/* Does the update change what is told of? */
static bool is_told(struct rows_counted *c, sqlite3_changeset_iter *iter)
{
	for (size_t i = 0; i < c->columns.n; i++)
		if (op_new(iter, (int)i) && !change_is_quiet(c->columns.v[i]))
			return true;
	return false;
}

static int count(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	const struct named_table *named = find_table(table);
	struct rows_counted *c = arg;
	struct change_count *count;

	if (!named)
		return 0;
	if (c->table != named &&
		read_columns(c->store, table, c->arena, &c->columns))
		return -1;
	c->table = named;
	op = told_op(&c->columns, op, iter);
	if (op == SQLITE_UPDATE && !is_told(c, iter))
		return 0;
	count = count_of(c, named);
	count->added += op == SQLITE_INSERT;
	count->changed += op == SQLITE_UPDATE;
	count->removed += op == SQLITE_DELETE;
	c->counts->all++;
	return 0;
}

int change_count(struct store *store, const void *blob, int size,
	struct arena *arena, struct change_counts *counts)
{
	struct rows_counted c = {
		.store = store, .arena = arena, .counts = counts};

	*counts = (struct change_counts){0};
	return changeset_each(store, blob, size, count, &c);
}
