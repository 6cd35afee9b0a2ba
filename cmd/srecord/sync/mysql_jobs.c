/*
 * Jobs and steps of slurm_acct_db, page by page in the order they came. Facts
 * that have a column there (common/table/job.c) are read as they are; what looks
 * otherwise is named as the column of sacct that shows it. All is read as the
 * import reads those.
 */
#include "cmd/srecord/sync/mysql.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "common/text/jobstate.h"
#include "common/text/reason.h"
#include "common/text/stepwords.h"
#include "db/job/suspension.h"

enum { PAGE = 5000, GROUP = 500, MOST_COLUMNS = 64 };

/* How a value of the database becomes the text sacct prints. */
enum job_value {
	AS_IS,
	AS_TRES,
	AS_STATE,
	AS_TASKS, /* of an array: "7_[0xE%2]" */
	AS_FLAGS,
	AS_REASON,
	AS_LAYOUT,
	AS_USED, /* a list that goes straight into the step */
};

struct job_column {
	const char *sacct;
	const char *needs; /* column of the table; NULL: in every version */
	const char *sql;
	enum job_value value;
};

/* clang-format off */
#define TIME(column) "NULLIF(" column ", 0)"
/* Nobody, in the releases there were. */
#define KILLER(column) "NULLIF(NULLIF(" column ", 4294967295), -1)"
#define CPU(kind) "CONCAT(s." kind "_sec, '.', LPAD(s." kind "_usec, 6, '0'))"

static const struct job_column job_columns[] = {
	{"JobID", NULL, "IF(j.het_job_id > 0, CONCAT(j.het_job_id, '+', j.het_job_offset),"
		" IF(j.id_array_job = 0, j.id_job, CONCAT(j.id_array_job, '_',"
		" IF(j.id_array_task < 4294967294, j.id_array_task,"
		" CONCAT('[', j.array_task_str, IF(j.array_max_tasks, CONCAT('%', j.array_max_tasks), ''),"
		" ']')))))", AS_TASKS},
	{"JobIDRaw", NULL, "j.id_job", AS_IS},
	{"User", NULL, "a.user", AS_IS},
	{"AssocID", NULL, "j.id_assoc", AS_IS},
	{"QOSRAW", "id_qos", "j.id_qos", AS_IS},
	{"State", "state", "j.state", AS_STATE},
	/* While it is suspended: when that began, less what was before. */
	{"Suspended", "time_suspended", "IF(j.state & 255 = 3 AND j.time_end = 0, GREATEST(0,"
		" CAST(coalesce((SELECT max(p.time_start) FROM `{c}_suspend_table` p"
		" WHERE p.job_db_inx = j.job_db_inx AND p.time_end = 0), j.time_suspended) AS SIGNED)"
		" - CAST(j.time_suspended AS SIGNED)), j.time_suspended)", AS_IS},
	{"TimelimitRaw", "timelimit", "CASE j.timelimit WHEN 4294967295 THEN 'UNLIMITED'"
		" WHEN 4294967294 THEN NULL WHEN 0 THEN NULL ELSE j.timelimit END", AS_IS},
	{"AllocNodes", "nodes_alloc", "j.nodes_alloc", AS_IS},
	{"NodeList", "nodelist", "NULLIF(j.nodelist, 'None assigned')", AS_IS},
	{"ReqMem", "mem_req", "IF(j.mem_req IN (0, 0xFFFFFFFFFFFFFFFE), NULL, CONCAT(j.mem_req & 0x7FFFFFFFFFFFFFFF,"
		" 'M', IF(j.mem_req >> 63, 'c', 'n')))", AS_IS},
	{"Priority", "priority", "NULLIF(j.priority, 4294967294)", AS_IS},
	{"KillRequestUser", "kill_requid", KILLER("j.kill_requid"), AS_IS},
	{"Flags", "flags", "j.flags", AS_FLAGS},
	{"Reason", "state_reason_prev", "j.state_reason_prev", AS_REASON},
	{"Reservation", "id_resv", "IF(j.id_resv = 0, NULL, (SELECT r.resv_name FROM `{c}_resv_table` r"
		" WHERE r.id_resv = j.id_resv ORDER BY r.time_start DESC LIMIT 1))", AS_IS},
};

/* Older releases numbered the batch step -2 and the extern step -1. */
static const struct job_column step_columns[] = {
	{"JobIDRaw", NULL, "CONCAT(j.id_job, '.', CASE s.id_step WHEN -5 THEN 'batch' WHEN -2 THEN 'batch'"
		" WHEN -4 THEN 'extern' WHEN -1 THEN 'extern' WHEN -6 THEN 'interactive'"
		" ELSE s.id_step END)", AS_IS},
	{"Submit", NULL, "j.time_submit", AS_IS},
	{"State", "state", "s.state", AS_STATE},
	{"Start", "time_start", TIME("s.time_start"), AS_IS},
	{"End", "time_end", TIME("s.time_end"), AS_IS},
	{"UserCPU", "user_sec", CPU("user"), AS_IS},
	{"SystemCPU", "sys_sec", CPU("sys"), AS_IS},
	{"AveCPUFreq", "act_cpufreq", "FLOOR(s.act_cpufreq)", AS_IS},
	{"ConsumedEnergyRaw", "consumed_energy", "IF(s.consumed_energy >= 0xFFFFFFFFFFFFFFFE, NULL,"
		" s.consumed_energy)", AS_IS},
	{"NNodes", "nodes_alloc", "s.nodes_alloc", AS_IS},
	{"NodeList", "nodelist", "NULLIF(s.nodelist, 'None assigned')", AS_IS},
	{"WorkDir", "cwd", "s.cwd", AS_IS},
	{"Layout", "task_dist", "s.task_dist", AS_LAYOUT},
	{"KillRequestUser", "kill_requid", KILLER("s.kill_requid"), AS_IS},
};
/* clang-format on */

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

/* The columns this release has, and the statement that reads them. */
struct selected {
	enum job_value values[MOST_COLUMNS];
	const struct import_column *read[MOST_COLUMNS];
	size_t places[MOST_COLUMNS]; /* of a list in the row (AS_USED) */
	size_t n;
	struct strv list;
};

struct mysql_reading {
	struct sync *sync;
	struct import *import;
	struct selected jobs, steps;
	struct mysql_ids {
		uint32_t *v; /* by Slurm's number of a TRES: ours, 0: none */
		size_t n;
	} tres;
	int64_t since;
	uint64_t from, until; /* job_db_inx of the page */
	/* Jobs and steps on their way into the store together, each with its
	 * job_db_inx. */
	struct import_item items[GROUP];
	uint64_t inx[GROUP];
	size_t n;
	struct arena rows; /* what they point to */
	struct arena page; /* until the next page */
	/* Of the page, in the order of the jobs. */
	struct suspended {
		uint64_t inx;
		struct suspension interval;
	} *suspended;
	size_t n_suspended, next_suspended;
};

static void choose(struct sync *sync, const char *table,
	const struct import_column *read, const struct job_column *column,
	struct selected *to)
{
	if (column->needs && !mysql_has(sync, table, column->needs))
		return;
	if (to->n == MOST_COLUMNS)
		BUG("more than %d columns", MOST_COLUMNS);
	to->read[to->n] = read;
	to->values[to->n++] = column->value;
	strv_push(&to->list, &sync->arena, sync_fill(sync, column->sql, 0));
}

/* A fact that is there as it is, in the table of that letter. */
static struct job_column fact_column(
	const struct member *m, char letter, struct arena *arena)
{
	const char *at = arena_printf(arena, "%c.`%s`", letter, m->database);
	const char *sql = at;

	if (m->type == MEMBER_TIME || m->type == MEMBER_KNOWN_TIME)
		sql = arena_printf(arena, "NULLIF(%s, 0)", at);
	else if (m->type == MEMBER_EXIT)
		sql = arena_printf(arena,
			"CONCAT((%s >> 8) & 255, ':', %s & 127)", at, at);
	return (struct job_column){NULL, m->database, sql,
		m->type != MEMBER_TRES ? AS_IS
		: m->names	       ? AS_TRES
				       : AS_USED};
}

/* The columns of the list, and the facts. */
static void choose_all(struct sync *sync, const char *table,
	const struct job_column *columns, size_t n,
	const struct members *facts, struct selected *to)
{
	const char *name = arena_printf(
		&sync->arena, "%s_%s_table", sync->cluster, table);

	for (size_t i = 0; i < n; i++)
		choose(sync, name, import_column(columns[i].sacct),
			&columns[i], to);
	for (size_t i = 0; i < facts->n; i++) {
		const struct member *m = &facts->v[i];
		struct job_column column;

		if (!m->database)
			continue;
		column = fact_column(m, *table, &sync->arena);
		to->places[to->n] = offsetof(struct import_row, step) + m->offset;
		choose(sync, name, import_fact(m), &column, to);
	}
}

/* ---- values --------------------------------------------------------------*/

static const char *flag_words(uint32_t flags, struct arena *arena)
{
	struct strv words = {0};

	for (unsigned i = 0; i < JOB_FLAGS; i++)
		if (flags & 1u << i)
			strv_push(&words, arena, job_flag_words[i]);
	return strv_join(&words, ",", arena);
}

/* 1=1500,1002=7 with the numbers of our TRES; those that we do not know, and
 * Slurm's "no value", are left out. */
static void put_used(struct mysql_reading *r, const char *text,
	struct tres_list *list, uint64_t *unknown)
{
	const struct mysql_ids *ids = &r->tres;

	while (text && *text) {
		char *end;
		unsigned long id = strtoul(text, &end, 10);
		uint64_t count = *end == '=' ? strtoull(end + 1, &end, 10)
					     : NO_VAL64;
		uint32_t here = id < ids->n ? ids->v[id] : 0;

		if (here && count != NO_VAL64)
			tres_list_set(list, &r->rows, here, count);
		*unknown += !here;
		text = strchr(end, ',');
		text += text ? 1 : 0;
	}
}

static const char *tasks_text(const char *text, struct arena *arena)
{
	const char *list = strchr(text, '[');

	return list ? arena_printf(arena, "%.*s%s", (int)(list + 1 - text), text,
			      array_tasks_of_mask(list + 1, arena))
		    : text;
}

static const char *sacct_text(struct mysql_reading *r, enum job_value value,
	const char *text, struct arena *arena)
{
	if (!text)
		return "";
	switch (value) {
	case AS_TRES:
		return mysql_value(r->sync, SYNC_TRES, text, arena);
	case AS_STATE:
		return job_state_word((uint32_t)strtoul(text, NULL, 10));
	case AS_TASKS:
		return tasks_text(text, arena);
	case AS_FLAGS:
		return flag_words((uint32_t)strtoul(text, NULL, 10), arena);
	case AS_REASON:
		return reason_by_number((uint32_t)strtoul(text, NULL, 10));
	case AS_LAYOUT:
		return task_dist_text((uint32_t)strtoul(text, NULL, 10), arena);
	case AS_USED:
	case AS_IS:
		break;
	}
	return text;
}

static uint64_t inx(MYSQL_ROW row)
{
	return row ? strtoull(row[0], NULL, 10) : UINT64_MAX;
}

static int read_row(struct mysql_reading *r, const struct selected *what,
	MYSQL_ROW cells, struct import_row *row)
{
	struct import_reader *reader = &r->import->reader;

	import_row_init(row);
	row->cluster = r->sync->cluster;
	for (size_t i = 0; i < what->n; i++) {
		const char *text;

		if (what->values[i] == AS_USED) {
			put_used(r, cells[i + 1],
				(void *)((char *)row + what->places[i]),
				&row->unknown_tres);
			continue;
		}
		text = sacct_text(r, what->values[i], cells[i + 1], &r->rows);
		if (*text &&
			import_value(reader, what->read[i], text, row))
			return -1;
	}
	return import_sacct_row(reader, row);
}

/* When the job of each item was suspended. */
static int put_suspensions(struct mysql_reading *r)
{
	struct store *store = r->sync->s->store;

	for (size_t i = 0; i < r->n; i++) {
		const struct import_item *item = &r->items[i];
		struct suspension v[GROUP];
		int64_t since = 0;
		size_t n = 0;

		if (item->row.is_step || item->found != FOUND_ROW)
			continue;
		for (; r->next_suspended < r->n_suspended; r->next_suspended++) {
			struct suspended *s = &r->suspended[r->next_suspended];

			if (s->inx > r->inx[i])
				break;
			if (s->inx < r->inx[i])
				continue;
			if (!s->interval.end)
				since = s->interval.start;
			else if (n < GROUP)
				v[n++] = s->interval;
		}
		if ((n || since) && suspensions_put(store, item->row.job.key,
					    v, n, since) < 0)
			return -1;
	}
	return 0;
}

static int put_group(struct mysql_reading *r)
{
	int rc = import_put(r->import, r->items, r->n) ? -1 : 0;

	if (!rc && r->next_suspended < r->n_suspended)
		rc = put_suspensions(r);
	arena_reset(&r->rows);
	r->n = 0;
	return rc;
}

/* One row of a result; the first column is job_db_inx. */
static int put(
	struct mysql_reading *r, const struct selected *what, MYSQL_ROW cells)
{
	struct import_item *item = &r->items[r->n];
	struct err *err = &r->sync->s->err;

	*item = (struct import_item){.text = ""};
	item->found = read_row(r, what, cells, &item->row);
	if (item->found < 0) {
		item->kind = err->kind;
		item->refusal = arena_strdup(&r->rows, err->text);
	}
	r->inx[r->n++] = inx(cells);
	return r->n == GROUP ? put_group(r) : 0;
}

/* ---- pages ---------------------------------------------------------------*/

/* Asks for the page behind `from`, whose answer page() waits for. Which jobs they
 * are is asked first: there is no index of what changed, and rows that are only
 * looked at are read in part. */
static int send_jobs(struct mysql_reading *r)
{
	const char *cluster = r->sync->cluster;

	return mysql_send(r->sync,
		arena_printf(&r->page,
			"SELECT j.job_db_inx, %s FROM"
			" (SELECT job_db_inx FROM `%s_job_table`"
			"  WHERE job_db_inx > %" PRIu64
			"  AND mod_time >= %" PRId64 " AND deleted = 0"
			"  ORDER BY job_db_inx LIMIT %d) p"
			" JOIN `%s_job_table` j ON j.job_db_inx = p.job_db_inx"
			" LEFT JOIN `%s_assoc_table` a"
			" ON a.id_assoc = j.id_assoc"
			" ORDER BY j.job_db_inx",
			strv_join(&r->jobs.list, ", ", &r->page), cluster,
			r->from, r->since, PAGE, cluster, cluster));
}

/* Of the jobs of the page, in their order. */
static MYSQL_RES *ask_steps(struct mysql_reading *r)
{
	const char *cluster = r->sync->cluster;

	return mysql_ask(r->sync,
		arena_printf(&r->page,
			"SELECT s.job_db_inx, %s FROM `%s_step_table` s"
			" JOIN `%s_job_table` j"
			" ON j.job_db_inx = s.job_db_inx"
			" WHERE s.job_db_inx > %" PRIu64
			" AND s.job_db_inx <= %" PRIu64
			" AND j.mod_time >= %" PRId64
			" AND j.deleted = 0 AND s.deleted = 0"
			" ORDER BY s.job_db_inx, s.id_step",
			strv_join(&r->steps.list, ", ", &r->page),
			cluster, cluster, r->from, r->until,
			r->since));
}

/* Of the jobs of the page, in their order. Most have none. */
static int read_suspensions(struct mysql_reading *r)
{
	MYSQL_RES *rows = mysql_ask(r->sync,
		arena_printf(&r->page,
			"SELECT job_db_inx, time_start, time_end"
			" FROM `%s_suspend_table` WHERE job_db_inx > %" PRIu64
			" AND job_db_inx <= %" PRIu64
			" ORDER BY job_db_inx, time_start",
			r->sync->cluster, r->from, r->until));
	MYSQL_ROW row;

	if (!rows)
		return -1;
	r->n_suspended = r->next_suspended = 0;
	r->suspended = arena_array(&r->page, (size_t)driver.mysql_num_rows(rows) + 1,
		sizeof(*r->suspended));
	while ((row = driver.mysql_fetch_row(rows)))
		r->suspended[r->n_suspended++] = (struct suspended){inx(row),
			{strtoll(row[1], NULL, 10), strtoll(row[2], NULL, 10)}};
	driver.mysql_free_result(rows);
	return 0;
}

/* Each job, then its steps. */
static int put_page(struct mysql_reading *r, MYSQL_RES *jobs, MYSQL_RES *steps)
{
	MYSQL_ROW job, step = driver.mysql_fetch_row(steps);

	while ((job = driver.mysql_fetch_row(jobs))) {
		if (put(r, &r->jobs, job))
			return -1;
		for (; inx(step) <= inx(job); step = driver.mysql_fetch_row(steps))
			if (put(r, &r->steps, step))
				return -1;
	}
	return r->n ? put_group(r) : 0;
}

/* 1: there is more, which has been asked for, 0, -1. The server looks for the
 * next page while the rows of this one are put. */
static int page(struct mysql_reading *r)
{
	MYSQL_RES *jobs = mysql_answer(r->sync), *steps;
	size_t n = jobs ? driver.mysql_num_rows(jobs) : 0;
	int rc = jobs ? 0 : -1;

	if (n) {
		driver.mysql_data_seek(jobs, n - 1);
		r->until = inx(driver.mysql_fetch_row(jobs));
		driver.mysql_data_seek(jobs, 0);
		steps = ask_steps(r);
		rc = steps && !read_suspensions(r) ? 0 : -1;
		r->from = r->until;
		if (!rc && n == PAGE)
			rc = send_jobs(r);
		if (!rc)
			rc = put_page(r, jobs, steps);
		if (steps)
			driver.mysql_free_result(steps);
	}
	if (jobs)
		driver.mysql_free_result(jobs);
	return rc ? -1 : n == PAGE;
}

/* Called by the import, inside of its batch. */
static int all_pages(struct import *im)
{
	struct mysql_reading *r = im->of_whole;
	int64_t inx = 0;
	int more;

	if (sync_position(r->sync, "jobs.inx", &inx))
		return -1;
	r->from = (uint64_t)inx;
	r->n = 0;
	r->import = im;
	im->unit = "record";
	im->reader.scratch = &r->rows;
	if (send_jobs(r))
		return -1;
	do {
		more = page(r);
		arena_reset(&r->page);
		/* In the transaction of the jobs themselves. */
		if (more >= 0 && sync_set_position(r->sync, "jobs.inx",
					 more ? (int64_t)r->from : 0))
			more = -1;
	} while (more > 0);
	return more;
}

/* A round that was ended goes on behind its last page, and what changed since
 * its own begin is for the round after it. */
static int begin_or_resume(struct mysql_reading *r, int64_t *round)
{
	int64_t inx = 0;

	*round = r->sync->now;
	if (sync_position(r->sync, "jobs.inx", &inx))
		return -1;
	if (inx && sync_position(r->sync, "jobs.round", round))
		return -1;
	return sync_note_position(r->sync, "jobs.round", *round);
}

/* Which of our TRES each of Slurm's is. */
static void find_tres(struct mysql_reading *r)
{
	const struct from_mysql *from = r->sync->of_source;
	const struct tres_catalog *ours = &r->sync->s->store->tres;

	r->tres.n = from->tres.n;
	r->tres.v = arena_array(&r->sync->arena, r->tres.n + 1,
		sizeof(*r->tres.v));
	for (size_t i = 0; i < r->tres.n; i++) {
		const struct tres *tres = *from->tres.v[i]
			? tres_by_name(ours, from->tres.v[i]) : NULL;

		r->tres.v[i] = tres ? tres->id : 0;
	}
}

int sync_mysql_jobs(struct sync *sync, int64_t since)
{
	const struct import_options options = {.quiet = true, .numbers = true};
	struct mysql_reading *r = arena_alloc(&sync->arena, sizeof(*r));
	int64_t round;
	int rc;

	r->sync = sync;
	r->since = since;
	import_columns_open();
	find_tres(r);

	if (begin_or_resume(r, &round))
		return -1;
	choose_all(sync, "job", job_columns, LENGTH(job_columns), &job_members,
		&r->jobs);
	choose_all(sync, "step", step_columns, LENGTH(step_columns),
		&step_members, &r->steps);
	arena_init(&r->rows);
	arena_init(&r->page);
	rc = import_whole(sync->s, &options, all_pages, r, &sync->jobs);
	arena_release(&r->rows);
	arena_release(&r->page);
	if (rc < 0)
		return -1;
	return sync_note_position(sync, "jobs", round);
}
