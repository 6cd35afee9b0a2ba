#include "db/undo/change_values.h"

#include <sqlite3.h>
#include <string.h>

#include "common/table/assoc.h"
#include "common/table/attr.h"
#include "common/table/member.h"
#include "common/table/qos.h"
#include "db/entity/user.h"
#include "db/store/query.h"

bool change_is_quiet(const char *column)
{
	static const char *const quiet[] = {"created", "modified", "lineage",
		"id", "key", "position", "cluster", "deleted", "sign"};

	return STR_AMONG(column, quiet);
}

bool change_has_values(const char *table)
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

const char *change_heading(const char *table, const char *column)
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

/* The headings of associations name users; their words are short. */
const char *change_list(const char *table, int64_t kind)
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

int change_value(struct store *store, const char *table, const char *column,
	struct sqlite3_value *value, struct arena *arena, const char **text)
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
		return name_of(store, "SELECT account FROM assoc WHERE key = ?1",
			number, arena, text);
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
	return number == (strcmp(column, "preempt_mode") ? 0 : PREEMPT_CLUSTER) &&
	       strcmp(column, "count") != 0;
}

int change_part(struct store *store, const char *table, const char *column,
	struct sqlite3_value *value, const char *name, struct arena *arena,
	struct strv *parts)
{
	const char *text, *heading = change_heading(table, column);

	if (is_usual(column, value, name))
		return 0;
	if (change_value(store, table, column, value, arena, &text))
		return -1;
	strv_printf(parts, arena, "%s%s%s", heading, *heading ? " " : "",
		text);
	return 0;
}
