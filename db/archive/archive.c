/*
 * Archives; see archive.h. The columns are those that the table has, so that a
 * new one needs nothing here; only what points elsewhere is written down.
 */
#include "db/archive/archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/archive/archive_sql.h"
#include "db/rollup/rollup.h"
#include "db/rows/where.h"
#include "db/store/meta.h"
#include "db/store/migrations.h"
#include "db/store/query.h"
#include "db/store/txnpack.h"
#include "db/usage/usage.h"

/* clang-format off */
static const struct {
	const char *name;  /* of the table, and of the kind */
	const char *ended; /* when a record was over */
	const char *skip;  /* the key, where the store gives it */
} kinds[ARCHIVE_KINDS] = {
	[ARCHIVE_EVENT] = {"event", "t.end", "id"},
	[ARCHIVE_JOB] = {"job", "t.end", "key"},
	[ARCHIVE_RESERVATION] = {"reservation", "nullif(t.end, 0)", NULL},
	[ARCHIVE_STEP] = {"step", NULL, NULL},
	[ARCHIVE_SUSPENSION] = {"suspension", NULL, NULL},
	[ARCHIVE_TXN] = {"txn", "t.time", "change"},
};

#define CLUSTER_OUT "json_quote((SELECT name FROM cluster WHERE id = t.cluster))"
#define CLUSTER_OF(path) "(SELECT id FROM cluster WHERE name = :line ->> '" path "')"
#define QOS_OUT(column) "json_quote((SELECT name FROM qos WHERE id = t." column "))"
#define QOS_IN(column) "(SELECT id FROM qos WHERE name = :line ->> '$." column "')"
#define JOB_OUT "(SELECT json_array(c.name, j.id, j.submit) FROM job j" \
	" JOIN cluster c ON c.id = j.cluster WHERE j.key = t.job)"
#define JOB_IN "(SELECT key FROM job WHERE cluster = " CLUSTER_OF("$.job[0]") \
	" AND id = :line ->> '$.job[1]' AND submit = :line ->> '$.job[2]')"

/* Columns that point to another record: out as JSON, in as a key. */
static const struct {
	enum archive_kind kind;
	const char *column, *out, *in;
} links[] = {
	{ARCHIVE_EVENT, "cluster", CLUSTER_OUT, CLUSTER_OF("$.cluster")},
	{ARCHIVE_RESERVATION, "cluster", CLUSTER_OUT, CLUSTER_OF("$.cluster")},
	{ARCHIVE_JOB, "cluster", CLUSTER_OUT, CLUSTER_OF("$.cluster")},
	{ARCHIVE_JOB, "qos", QOS_OUT("qos"), QOS_IN("qos")},
	{ARCHIVE_JOB, "part_qos", QOS_OUT("part_qos"), QOS_IN("part_qos")},
	{ARCHIVE_JOB, "assoc",
		"coalesce((SELECT json_array(account, user, partition)"
		" FROM assoc WHERE key = t.assoc), 'null')",
		"(SELECT key FROM assoc WHERE cluster = " CLUSTER_OF("$.cluster")
		" AND account = :line ->> '$.assoc[0]'"
		" AND user = :line ->> '$.assoc[1]'"
		" AND partition = :line ->> '$.assoc[2]')"},
	{ARCHIVE_STEP, "job", JOB_OUT, JOB_IN},
	{ARCHIVE_SUSPENSION, "job", JOB_OUT, JOB_IN},
};
/* clang-format on */

enum { LINKS = sizeof(links) / sizeof(*links) };

struct archive_column {
	const char *name, *fallback; /* "" : NULL */
	bool real;
	int link; /* index, or -1 */
};

struct archive_columns {
	struct archive_column *v;
	size_t n, cap;
};

static int link_of(enum archive_kind kind, const char *column)
{
	for (int i = 0; i < LINKS; i++)
		if (links[i].kind == kind && !strcmp(links[i].column, column))
			return i;
	return -1;
}

static int read_columns(struct store *store, enum archive_kind kind,
	struct arena *arena, struct archive_columns *columns)
{
	const char *skip = kinds[kind].skip;
	struct query q;

	*columns = (struct archive_columns){0};
	if (query_open(&q, store,
		    "SELECT name, type, dflt_value"
		    " FROM pragma_table_info(:table)"))
		return -1;
	query_bind_text(&q, ":table", kinds[kind].name);
	while (query_row(&q)) {
		if (skip && !strcmp(skip, query_text(&q, 0)))
			continue;
		*ARENA_PUSH(arena, columns->v, columns->n, columns->cap) =
			(struct archive_column){
				.name = query_strdup(&q, 0, arena),
				.real = !strcmp(query_text(&q, 1), "REAL"),
				.fallback = query_strdup(&q, 2, arena),
				.link = link_of(kind, query_text(&q, 0)),
			};
	}
	return query_close(&q);
}

/* ---- which records -------------------------------------------------------*/

static void where_period(
	struct where *w, const struct archive_cond *cond, const char *ended)
{
	where_add(w, " AND %s IS NOT NULL", ended);
	if (cond->from)
		where_add(w, " AND %s >= %" PRId64, ended, cond->from);
	if (cond->until)
		where_add(w, " AND %s < %" PRId64, ended, cond->until);
}

static void where_cluster(struct where *w, const struct archive_cond *cond)
{
	if (!cond->clusters.n)
		return;
	where_add(w, " AND t.cluster IN (SELECT id FROM cluster WHERE 1");
	where_one_of(w, "name", &cond->clusters);
	where_add(w, ")");
}

static void where_job(struct where *w, const struct archive_cond *cond)
{
	where_period(w, cond, kinds[ARCHIVE_JOB].ended);
	where_cluster(w, cond);
	where_one_of(w, "t.account", &cond->accounts);
	where_one_of(w, "t.user", &cond->users);
	where_one_of(w, "t.partition", &cond->partitions);
	where_one_of(w, "t.gid", &cond->gids);
	where_one_of(w, "t.id", &cond->jobs);
	if (!cond->assocs.n)
		return;
	where_add(w, " AND t.assoc IN (SELECT key FROM assoc WHERE 1");
	where_one_of(w, "id", &cond->assocs);
	where_add(w, ")");
}

static void with_conditions(struct where *w, enum archive_kind kind,
	const struct archive_cond *cond)
{
	if (kind == ARCHIVE_STEP || kind == ARCHIVE_SUSPENSION) {
		where_add(w, " AND t.job IN (SELECT t.key FROM job t WHERE 1");
		where_job(w, cond);
		where_add(w, ")");
	} else if (kind == ARCHIVE_JOB) {
		where_job(w, cond);
	} else if (kind == ARCHIVE_TXN) {
		where_period(w, cond, kinds[kind].ended);
		where_one_of(w, "t.cluster", &cond->clusters);
	} else {
		where_period(w, cond, kinds[kind].ended);
		where_cluster(w, cond);
	}
}

/* ---- writing -------------------------------------------------------------*/

/* A column's value as JSON. Numbers with all their digits. */
static const char *out_expression(
	const struct archive_column *c, struct arena *arena)
{
	if (c->link >= 0)
		return links[c->link].out;
	if (c->real)
		return arena_printf(
			arena, "printf('%%!.17g', t.\"%s\")", c->name);
	return arena_printf(arena, "json_quote(t.\"%s\")", c->name);
}

static const char *select_lines(enum archive_kind kind,
	const struct archive_columns *columns, struct arena *arena)
{
	struct strv parts = {0};

	strv_printf(&parts, arena, "SELECT '{\"kind\":\"%s\"'", kinds[kind].name);
	for (size_t i = 0; i < columns->n; i++)
		strv_printf(&parts, arena, "',\"%s\":' || %s",
			columns->v[i].name,
			out_expression(&columns->v[i], arena));
	return arena_printf(arena, "%s || '}' FROM %s t",
		strv_join(&parts, " || ", arena),
		kind == ARCHIVE_TXN ? "(SELECT * FROM " TXN_ROWS " ORDER BY id)"
				    : kinds[kind].name);
}

int archive_write(struct store *store, enum archive_kind kind,
	const struct archive_cond *cond, struct arena *arena, FILE *out,
	uint64_t *count)
{
	struct archive_columns columns;
	struct where w;
	struct query q;

	if (read_columns(store, kind, arena, &columns))
		return -1;
	where_init(&w, select_lines(kind, &columns, arena), arena);
	with_conditions(&w, kind, cond);
	if (where_open(&w, &q, store))
		return -1;
	while (query_row(&q)) {
		fputs(query_text(&q, 0), out);
		fputc('\n', out);
		++*count;
	}
	return query_close(&q);
}

/* ---- purging -------------------------------------------------------------*/

/* For archives that are loaded, and for undo. */
static int note_purge(struct store *store, enum archive_kind kind,
	const struct archive_cond *cond)
{
	int64_t until = cond->until ? cond->until : store->now;

	/* Old and new values that can no longer be reached. */
	if (kind == ARCHIVE_TXN)
		return any_failed(
			meta_raise_int(store, META_PURGED_LOG, until) ||
			store_exec(store, "DELETE FROM change WHERE id NOT IN"
					  " (SELECT change FROM " TXN_CHANGES
					  "  WHERE change IS NOT NULL)"
					  " AND id NOT IN"
					  " (SELECT undone FROM change"
					  "  WHERE undone IS NOT NULL)"
					  " AND id < (SELECT min(change)"
					  "  FROM " TXN_CHANGES ")"));
	return kind == ARCHIVE_JOB
		       ? meta_raise_int(store, META_PURGED_JOBS, until)
		       : 0;
}

/* By cluster, until when they counted in roll-ups. */
static const char *const counted[ARCHIVE_KINDS] = {
	[ARCHIVE_EVENT] = "t.cluster, max(t.end)",
	[ARCHIVE_JOB] = "t.cluster, max(t.end)",
	[ARCHIVE_RESERVATION] = "t.cluster, max(t.end)",
	[ARCHIVE_SUSPENSION] = "(SELECT cluster FROM job WHERE key = t.job),"
			       " max(t.end)",
};

/* Reports go on telling what the records came to. */
static int keep_rollups(struct store *store, enum archive_kind kind,
	const struct archive_cond *cond, struct arena *arena)
{
	struct where w;
	struct query q;
	int rc = 0;

	if (!counted[kind])
		return 0;
	where_init(&w,
		arena_printf(arena, "SELECT %s FROM %s t", counted[kind],
			kinds[kind].name),
		arena);
	with_conditions(&w, kind, cond);
	where_add(&w, " GROUP BY 1");
	if (where_open(&w, &q, store))
		return -1;
	while (!rc && query_row(&q))
		rc = rollup_keep(store, query_int(&q, 0), query_int(&q, 1));
	return query_close(&q) || rc ? -1 : 0;
}

static const struct usage_bulk_options purged_runs = {.kept = true};

/* What the runs came to stays. */
static int keep_usage(struct store *store, const struct archive_cond *cond,
	struct arena *arena)
{
	struct usage_bulk *bulk;
	struct where w;
	struct query q;
	int rc = 0;

	where_init(&w, "SELECT key FROM job t", arena);
	with_conditions(&w, ARCHIVE_JOB, cond);
	if (where_open(&w, &q, store))
		return -1;
	bulk = usage_bulk_open(store, NULL, &purged_runs);
	while (!rc && query_row(&q))
		rc = usage_bulk_add_key(bulk, query_int(&q, 0), 1);
	rc = query_close(&q) || rc || usage_bulk_write(bulk);
	usage_bulk_close(bulk);
	return rc ? -1 : 0;
}

/* Without the triggers that would have it rolled up again. */
static int erase(struct store *store, enum archive_kind kind,
	const struct archive_cond *cond, struct arena *arena)
{
	struct where w;
	struct query q;
	int rc;

	if (kind == ARCHIVE_TXN && txnpack_unfold(store, cond->until))
		return -1;
	where_init(&w,
		arena_printf(arena, "DELETE FROM %s AS t", kinds[kind].name),
		arena);
	with_conditions(&w, kind, cond);
	if (where_open(&w, &q, store) || store_triggers(store, false))
		return -1;
	rc = query_run(&q);
	return store_triggers(store, true) || rc ? -1 : 0;
}

int archive_purge(struct store *store, enum archive_kind kind,
	const struct archive_cond *cond, struct arena *arena, uint64_t *count)
{
	struct query q;
	uint64_t erased = 0;

	if (keep_rollups(store, kind, cond, arena) ||
		(kind == ARCHIVE_JOB && keep_usage(store, cond, arena)) ||
		erase(store, kind, cond, arena))
		return -1;
	if (query_open(&q, store, "SELECT changes()"))
		return -1;
	if (query_row(&q))
		erased = (uint64_t)query_int(&q, 0);
	if (query_close(&q))
		return -1;
	*count += erased;
	return !erased ? 0 : note_purge(store, kind, cond);
}

/* ---- reading -------------------------------------------------------------*/

static const char *in_expression(
	const struct archive_column *c, struct arena *arena)
{
	if (c->link >= 0)
		return links[c->link].in;
	return arena_printf(arena, "coalesce(:line ->> '$.%s', %s)", c->name,
		*c->fallback ? c->fallback : "NULL");
}

/* The statement that takes a line; lives as long as the store. */
static const char *insert_line(struct store *store, enum archive_kind kind)
{
	struct arena *arena = &store->arena;
	struct archive_columns columns;
	struct strv names = {0}, values = {0};

	if (read_columns(store, kind, arena, &columns))
		return NULL;
	for (size_t i = 0; i < columns.n; i++) {
		strv_printf(&names, arena, "\"%s\"", columns.v[i].name);
		strv_push(&values, arena, in_expression(&columns.v[i], arena));
	}
	return arena_printf(arena,
		"INSERT INTO %s (%s) VALUES (%s) ON CONFLICT DO NOTHING",
		kinds[kind].name, strv_join(&names, ", ", arena),
		strv_join(&values, ", ", arena));
}

struct archive_reader {
	struct store *store;
	const char *name;
	size_t line;
	const char *inserts[ARCHIVE_KINDS];
	struct archive_loaded *read;
	bool told; /* the error names the line already */
	int64_t purged; /* jobs that ended before were purged here */
	bool older_steps; /* without lists of what they used */
	struct usage_bulk *usage, *kept; /* open once there is a job */
};

/* A job that was purged here is in the usage already. */
static int charge(struct archive_reader *r)
{
	int64_t key = store_last_key(r->store), end = 0, added = 0;

	if (store_number(r->store, "SELECT changes()", &added) || !added)
		return added ? -1 : 0;
	if (store_ask(r->store, "SELECT end FROM job WHERE key = :key", &end,
		    bind_int(":key", key)))
		return -1;
	if (!r->usage) {
		if (meta_get_int(r->store, META_PURGED_JOBS, &r->purged))
			return -1;
		r->usage = usage_bulk_open(r->store, NULL, NULL);
		r->kept = usage_bulk_open(r->store, NULL, &purged_runs);
	}
	return end < r->purged ? usage_bulk_add_key(r->kept, key, -1)
			       : usage_bulk_add_key(r->usage, key, 1);
}

static int write_usage(struct archive_reader *r, int rc)
{
	if (!r->usage)
		return rc;
	rc = rc || usage_bulk_write(r->usage) || usage_bulk_write(r->kept);
	usage_bulk_close(r->usage);
	usage_bulk_close(r->kept);
	r->usage = r->kept = NULL;
	return rc ? -1 : 0;
}

/* What the records of a transaction come to. */
static int end_piece(struct archive_reader *r, int rc)
{
	rc = write_usage(r, rc);
	if (!rc && r->older_steps)
		rc = store_exec(r->store, step_lists);
	r->older_steps = false;
	return rc;
}

/* What the store says of a missing link, in words. */
static int tell(struct archive_reader *r, const char *text)
{
	struct err *err = r->store->err;

	if (text)
		err_set(err, ERR_USAGE, "%s", text);
	else if (strstr(err->text, ".cluster)"))
		err_set(err, ERR_USAGE,
			"the cluster of this record does not exist, add it "
			"first");
	else if (strstr(err->text, "(step.job)") ||
		 strstr(err->text, "(suspension.job)"))
		err_set(err, ERR_USAGE, "the job of this record is not there");
	return err_prefix(err, "%s:%zu", r->name, r->line);
}

static int find_kind(struct archive_reader *r, const char *line)
{
	struct query q;
	int kind = -1;

	if (query_open(&q, r->store,
		    "SELECT iif(json_valid(:line), :line ->> '$.kind', '')"))
		return -1;
	query_bind_text(&q, ":line", line);
	if (query_row(&q))
		for (int i = 0; i < ARCHIVE_KINDS; i++)
			if (!strcmp(kinds[i].name, query_text(&q, 0)))
				kind = i;
	return query_close(&q) ? -1 : kind;
}

/* The job may have been rolled up without. */
static int mark_suspension(struct store *store, const char *line)
{
	return store_run(store,
		"INSERT INTO rollup_mark (cluster, start, end)"
		" SELECT cluster,"
		" :line ->> '$.start', :line ->> '$.end' FROM job"
		" WHERE key = " JOB_IN,
		bind_text(":line", line));
}

static int read_record(struct archive_reader *r, const char *line)
{
	int kind = find_kind(r, line);
	struct query q;

	if (kind < 0)
		return tell(r, "this is not a record of an archive");
	/* An entry that is there is known by its number. */
	if (!r->inserts[kind] && kind == ARCHIVE_TXN &&
		txnpack_unfold(r->store, 0))
		return -1;
	if (!r->inserts[kind])
		r->inserts[kind] =
			insert_line(r->store, (enum archive_kind)kind);
	if (!r->inserts[kind] || query_open(&q, r->store, r->inserts[kind]))
		return -1;
	query_bind_text(&q, ":line", line);
	if (query_run(&q))
		return tell(r, NULL);
	if (kind == ARCHIVE_JOB)
		return charge(r);
	if (kind == ARCHIVE_STEP)
		r->older_steps |= !strstr(line, "\"in_max\"");
	return kind == ARCHIVE_SUSPENSION ? mark_suspension(r->store, line) : 0;
}

static int read_line(struct archive_reader *r, const char *line)
{
	struct archive_loaded *read = r->read;

	if (read->records >= read->committed && read_record(r, line))
		return -1;
	read->records++;
	if (!read->piece || read->records % read->piece ||
		read->records <= read->committed)
		return 0;
	if (end_piece(r, 0) || store_commit_bulk(r->store))
		return -1;
	read->committed = read->records;
	return store_begin_bulk(r->store);
}

/* ---- SQL -----------------------------------------------------------------*/

static int take_record(void *arg, const char *line, size_t number)
{
	struct archive_reader *r = arg;

	r->line = number;
	r->told = true;
	if (read_line(r, line))
		return -1;
	r->told = false;
	return 0;
}

static void pass_over(void *arg)
{
	struct archive_reader *r = arg;

	r->read->passed++;
}

static int read_sql(struct archive_reader *r, FILE *in)
{
	const struct archive_sink sink = {r, take_record, pass_over};
	char *text = NULL;
	size_t size = 0, n;
	char buffer[65536];
	FILE *copy = memory_stream(&text, &size);
	int rc;

	while ((n = fread(buffer, 1, sizeof(buffer), in)) > 0)
		fwrite(buffer, 1, n, copy);
	fclose(copy);
	rc = archive_sql_read(r->store, text, &sink, &r->line);
	free(text);
	return rc && !r->told ? err_prefix(r->store->err, "%s:%zu", r->name,
					r->line)
			      : rc;
}

static bool begins_as_sql(FILE *in)
{
	char text[64];
	size_t n = fread(text, 1, sizeof(text) - 1, in);

	text[n] = '\0';
	rewind(in);
	return archive_is_sql(text);
}

int archive_read(struct store *store, FILE *in, const char *name,
	struct archive_loaded *read)
{
	struct archive_reader r = {.store = store, .name = name, .read = read};
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int rc = 0;

	read->records = read->passed = 0;
	rewind(in);
	if (begins_as_sql(in))
		return end_piece(&r, read_sql(&r, in));
	while (!rc && (len = getline(&line, &size, in)) > 0) {
		r.line++;
		if (line[len - 1] == '\n')
			line[--len] = '\0';
		if (strlen(line) != (size_t)len)
			rc = tell(&r, "this is not a record of an archive");
		else
			rc = read_line(&r, line);
	}
	free(line);
	rc = end_piece(&r, rc);
	if (!rc && !feof(in)) /* nor was there memory for a line */
		rc = err_set(store->err, ERR_SYSTEM, "cannot read %s", name);
	return rc;
}
