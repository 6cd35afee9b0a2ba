/*
 * From the schema of an older version to that of this one. What 0.2 has is in
 * schema.sql; a store of any version before it, 0.1 above all, becomes like that in
 * one step. Each later version is a step of its own, for hosts that share a log
 * (db/shared) go from one to the next as the log does.
 */
#include "db/store/migrations.h"

#include <sqlite3.h>
#include <string.h>

#include "db/store/query.h"
#include "db/store/store.h"

enum {
	INDEXES_BY_ASSOC = 6,  /* jobs of an account or a user are those of its rows */
	HOURS_OF_CLOCK = 7,    /* roll-ups before it are computed again */
	USAGE_FACTS = 18,      /* usage is a fold of facts: db/usage/convert.h */
	SCHEMA_OF_0_2 = 22,    /* schema.sql */
};

/* What came after schema.sql. A step that has landed is never edited; the views and
 * triggers that it makes are in other_views_and_triggers, too. */
static const struct migration {
	int version; /* user_version after the step */
	const char *sql;
} migrations[] = {
	{0, NULL},
};

/* Views and triggers that schema.sql does not have. */
static const char *const other_views_and_triggers[] = {
	"view rollup_past_mark",
	"trigger rollup_past_mark",
	"trigger rollup_past_job_insert",
	"trigger rollup_past_job_update",
	"trigger rollup_past_job_delete",
	"trigger rollup_past_change_insert",
	"trigger rollup_past_change_update",
	"trigger rollup_past_change_delete",
	NULL,
};

int schema_version(void)
{
	int version = SCHEMA_OF_0_2;

	for (const struct migration *m = migrations; m->sql; m++)
		version = m->version;
	return version;
}

static bool is_in(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

bool schema_knows(const char *view_or_trigger)
{
	return is_in(schema_views_and_triggers, view_or_trigger) ||
	       is_in(other_views_and_triggers, view_or_trigger);
}

/* clang-format off */
const char step_lists[] =
	"UPDATE step SET\n"
	" in_ave = trim(coalesce(',1=' || ave_cpu, '')"
	" || coalesce(',2=' || ave_rss, '') || coalesce(',6=' || ave_read, '')"
	" || coalesce(',7=' || ave_vmem, '') || coalesce(',8=' || ave_pages, ''), ','),\n"
	" in_max = trim(coalesce(',2=' || max_rss, '')"
	" || coalesce(',6=' || max_read, '') || coalesce(',7=' || max_vmem, '')"
	" || coalesce(',8=' || max_pages, '') || coalesce(',' || (SELECT id FROM tres"
	" WHERE type = 'gres' AND name = 'gpuutil') || '=' || max_gpu, ''), ','),\n"
	" in_min = coalesce('1=' || min_cpu, ''),\n"
	" in_tot = coalesce('1=' || ((user_usec + sys_usec) / 1000) || ',2=' || tot_rss"
	" || coalesce(',6=' || (ave_read * tasks), '')"
	" || coalesce(',7=' || (ave_vmem * tasks), '')"
	" || coalesce(',8=' || (ave_pages * tasks), ''), ''),\n"
	" out_ave = coalesce('6=' || ave_write, ''),\n"
	" out_max = coalesce('6=' || max_write, ''),\n"
	" in_max_task = coalesce('2=' || max_rss_task, ''),\n"
	" in_min_task = coalesce('1=' || min_cpu_task, ''),\n"
	" in_max_node = coalesce('2=' || iif(max_rss_node = '', NULL,"
	" iif(nodelist = max_rss_node, 0, iif(nodelist LIKE '%[%-%]'"
	" AND nodelist NOT LIKE '%,%'"
	" AND max_rss_node LIKE substr(nodelist, 1, instr(nodelist, '[') - 1) || '%',"
	" CAST(substr(max_rss_node, instr(nodelist, '[')) AS INTEGER)"
	" - CAST(substr(nodelist, instr(nodelist, '[') + 1) AS INTEGER), NULL))), ''),\n"
	" in_min_node = coalesce('1=' || iif(min_cpu_node = '', NULL,"
	" iif(nodelist = min_cpu_node, 0, iif(nodelist LIKE '%[%-%]'"
	" AND nodelist NOT LIKE '%,%'"
	" AND min_cpu_node LIKE substr(nodelist, 1, instr(nodelist, '[') - 1) || '%',"
	" CAST(substr(min_cpu_node, instr(nodelist, '[')) AS INTEGER)"
	" - CAST(substr(nodelist, instr(nodelist, '[') + 1) AS INTEGER), NULL))), '')\n"
	" WHERE in_ave || in_max || in_tot || out_max = '' AND (coalesce(max_rss,"
	" ave_rss, tot_rss, max_vmem, ave_vmem, max_read, ave_read, max_write,"
	" ave_write, max_pages, ave_pages, min_cpu, ave_cpu, max_rss_task,"
	" min_cpu_task, max_gpu) NOT NULL"
	" OR max_rss_node || min_cpu_node <> '');\n";
/* clang-format on */

/* ---- a store of before 0.2 --------------------------------------------- */

static int (*convert_usage)(struct store *);

void schema_usage_conversion(int (*convert)(struct store *))
{
	convert_usage = convert;
}

static int drop_views_and_triggers(struct store *store)
{
	struct strv drops = {0};
	SCRATCH_ARENA(arena);
	int rc;

	rc = store_all_words(store,
		"SELECT printf('DROP %s IF EXISTS \"%w\"', type, name)"
		" FROM sqlite_schema WHERE type IN ('view', 'trigger')",
		&drops, &arena);
	for (size_t i = 0; !rc && i < drops.n; i++)
		rc = store_exec(store, drops.v[i]);
	return rc;
}

/* What is not as it was: indexes of jobs, also such as an import has dropped for a
 * while (db/store/jobindex.h), and the roll-ups. */
static int drop_older(struct store *store, int64_t from)
{
	if (from < INDEXES_BY_ASSOC &&
		store_exec(store,
			"DELETE FROM meta WHERE key IN ('index job_user',"
			" 'index job_account', 'index job_assoc',"
			" 'index job_end');"
			"DROP INDEX IF EXISTS job_user;"
			"DROP INDEX IF EXISTS job_account;"
			"DROP INDEX IF EXISTS job_assoc;"
			"DROP INDEX IF EXISTS job_end"))
		return -1;
	if (from < HOURS_OF_CLOCK &&
		store_exec(store,
			"DELETE FROM rollup; DELETE FROM rollup_cluster;"
			"DELETE FROM rollup_dirty; DELETE FROM rollup_state"))
		return -1;
	return store_exec(store, "DROP INDEX IF EXISTS assoc_lineage");
}

/* Adds a table, a column or an index, unless it is there. The row: name of the table
 * or index, of the column, and the statement. */
static int add_if_missing(struct store *store, struct query *row)
{
	const int is_there = store_has(store,
		"SELECT 1 FROM sqlite_schema WHERE name = :name AND (:column = ''"
		" OR EXISTS (SELECT 1 FROM pragma_table_info(:name) c"
		"  WHERE c.name = :column))"
		" UNION ALL SELECT 1 FROM meta WHERE key = 'index ' || :name",
		bind_text(":name", query_text(row, 0)),
		bind_text(":column", query_text(row, 1)));

	if (is_there)
		return is_there < 0 ? -1 : 0;
	return store_exec(store, query_text(row, 2));
}

static int add_view_or_trigger(struct store *store, struct query *row)
{
	return store_exec(store, query_text(row, 0));
}

/* Hands each row of what the example answers to `add`. */
static int add_each(struct store *store, struct store *example, const char *sql,
	int (*add)(struct store *, struct query *row))
{
	struct query q;
	int rc = 0;

	if (query_open_text(&q, example, sql))
		return -1;
	while (!rc && query_row(&q))
		rc = add(store, &q);
	return any_failed(query_close(&q) || rc);
}

static int add_tables(struct store *store, struct store *example)
{
	return add_each(store, example,
		"SELECT name, '', sql FROM sqlite_schema WHERE type = 'table'"
		" UNION ALL SELECT t.name, c.name,"
		"  printf('ALTER TABLE %s ADD COLUMN %s %s%s%s', t.name, c.name,"
		"   c.type, iif(c.\"notnull\", ' NOT NULL', ''),"
		"   ifnull(' DEFAULT ' || c.dflt_value, ''))"
		"  FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
		"  WHERE t.type = 'table'"
		" UNION ALL SELECT name, '', sql FROM sqlite_schema"
		"  WHERE type = 'index' AND sql NOT NULL",
		add_if_missing);
}

/* Rows go where this version looks for them, and their old places with them. */
static int move_rows(struct store *store, int64_t from)
{
	if (from < USAGE_FACTS && !convert_usage)
		BUG("nobody converts the usage of %s", store->path);
	if (from < USAGE_FACTS && convert_usage(store))
		return -1;
	return any_failed(store_exec(store, step_lists) ||
			  store_exec(store,
				  "DROP TABLE IF EXISTS assoc_usage;"
				  "DROP TABLE IF EXISTS assoc_usage_reset;"
				  "DROP TABLE IF EXISTS qos_usage;"
				  "DROP TABLE IF EXISTS rollup_past;"
				  "DROP TABLE IF EXISTS rollup_past_usage"));
}

static int become_like(struct store *store, struct store *example, int64_t from)
{
	return any_failed(store_exec(example, schema) ||
			  drop_views_and_triggers(store) ||
			  drop_older(store, from) || add_tables(store, example) ||
			  move_rows(store, from) ||
			  add_each(store, example,
				  "SELECT sql FROM sqlite_schema"
				  " WHERE type IN ('view', 'trigger') ORDER BY rowid",
				  add_view_or_trigger));
}

/* Columns, tables and indexes that it lacks are added: whatever it was, it then has
 * what an empty store of 0.2 has. */
static int migrate_older(struct store *store, int64_t from)
{
	struct store example = {.path = store->path, .err = store->err};
	int rc = sqlite3_open(":memory:", &example.db);

	if (rc == SQLITE_OK)
		rc = become_like(store, &example, from);
	else
		rc = store_fail(&example, "an empty store cannot be made");
	sqlite3_close(example.db);
	return rc;
}

static int set_version(struct store *store, int64_t version)
{
	char pragma[64];

	sqlite3_snprintf(sizeof(pragma), pragma, "PRAGMA user_version = %d",
		(int)version);
	return store_exec(store, pragma);
}

int schema_migrate(struct store *store, int64_t to)
{
	int64_t from;

	if (store_file_version(store, &from))
		return -1;
	if (from >= to)
		return 0;
	if (to < SCHEMA_OF_0_2)
		return err_set(store->err, ERR_STORE,
			"%s is of version %d; version %d, which it is to become, was "
			"never released: remove the file and it is made again from "
			"the log",
			store->path, (int)from, (int)to);
	if (!from ? store_exec(store, schema)
		  : from < SCHEMA_OF_0_2 && migrate_older(store, from))
		return -1;
	for (const struct migration *m = migrations; m->sql; m++)
		if (m->version > from && m->version <= to &&
			store_exec(store, m->sql))
			return -1;
	return set_version(store, to);
}
