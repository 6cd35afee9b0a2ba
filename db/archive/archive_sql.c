/*
 * Archives as Slurm wrote them before it packed them: SQL statements such as
 *	insert into job_table (jobid, associd, cluster, ...) values ('7', ...);
 * Each row becomes a record of archive.h. Only columns that have a place here
 * are taken; statements that take rows away, and rows of usage tables (which
 * are reckoned here), are passed over and counted.
 */
#include "db/archive/archive_sql.h"

#include <ctype.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/base/words.h"
#include "db/store/query.h"

enum place_kind {
	PLACE_TEXT,
	PLACE_NUMBER,
	PLACE_TIME,  /* 0 and NO_VAL: left out */
	PLACE_COUNT, /* NO_VAL: left out */
	PLACE_CLUSTER,
	PLACE_ASSOC,
	PLACE_QOS,
	PLACE_USER,  /* a number, the name is wanted */
	PLACE_INDEX, /* how other tables name a job */
	PLACE_CPUS,  /* of a cluster or node, before there were TRES */
	PLACE_STATE, /* of a node */
	PLACE_SECONDS, /* added to microseconds */
	PLACE_MICROSECONDS,
	PLACE_DELETED,
};

/* The names of Slurm's columns in its versions, and the name here. */
struct sql_place {
	const char *names; /* "jobid id_job" */
	const char *member;
	enum place_kind kind;
};

/* clang-format off */
static const struct sql_place job_places[] = {
	{"cluster", "cluster", PLACE_CLUSTER},
	{"id job_db_inx", "", PLACE_INDEX},
	{"jobid id_job", "id", PLACE_NUMBER},
	{"submit time_submit", "submit", PLACE_NUMBER},
	{"eligible time_eligible", "eligible", PLACE_TIME},
	{"start time_start", "start", PLACE_TIME},
	{"end time_end", "end", PLACE_TIME},
	{"suspended time_suspended", "suspended", PLACE_NUMBER},
	{"timelimit", "time_limit", PLACE_COUNT},
	{"associd id_assoc", "assoc", PLACE_ASSOC},
	{"qos id_qos", "qos", PLACE_QOS},
	{"uid id_user", "uid", PLACE_NUMBER},
	{"gid id_group", "gid", PLACE_NUMBER},
	{"account", "account", PLACE_TEXT},
	{"wckey", "wckey", PLACE_TEXT},
	{"name job_name", "name", PLACE_TEXT},
	{"partition", "partition", PLACE_TEXT},
	{"state", "state", PLACE_NUMBER},
	{"comp_code exit_code", "exit_code", PLACE_NUMBER},
	{"derived_ec", "derived_ec", PLACE_NUMBER},
	{"derived_es", "comment", PLACE_TEXT},
	{"priority", "last_priority", PLACE_COUNT},
	{"req_cpus cpus_req", "cpus_req", PLACE_NUMBER},
	{"tres_req", "tres_req", PLACE_TEXT},
	{"tres_alloc", "tres_alloc", PLACE_TEXT},
	{"nodelist", "nodelist", PLACE_TEXT},
	{"alloc_nodes nodes_alloc", "nodes_alloc", PLACE_COUNT},
	{"kill_requid", "killed_by", PLACE_USER},
	{"id_array_job", "array_job", PLACE_NUMBER},
	{"id_array_task", "array_task", PLACE_COUNT},
	{"array_task_str", "array_tasks", PLACE_TEXT},
	{"het_job_id", "het_job", PLACE_NUMBER},
	{"het_job_offset", "het_offset", PLACE_COUNT},
	{"constraints", "constraints", PLACE_TEXT},
	{"licenses", "licenses", PLACE_TEXT},
	{"work_dir", "work_dir", PLACE_TEXT},
	{"submit_line", "submit_line", PLACE_TEXT},
	{"admin_comment", "admin_comment", PLACE_TEXT},
	{"system_comment", "system_comment", PLACE_TEXT},
	{"restart_cnt", "restarts", PLACE_NUMBER},
	{"failed_node", "failed_node", PLACE_TEXT},
	{"container", "container", PLACE_TEXT},
	{"extra", "extra", PLACE_TEXT},
	{"flags", "flags", PLACE_NUMBER},
	{"mcs_label", "mcs_label", PLACE_TEXT},
	{"oversubscribe", "oversubscribe", PLACE_TEXT},
	{"id_block", "block", PLACE_TEXT},
	{"segment_size", "segment_size", PLACE_NUMBER},
	{"qos_req", "qos_req", PLACE_TEXT},
	{"resv_req", "reservation_req", PLACE_TEXT},
	{"std_in", "std_in", PLACE_TEXT},
	{"std_out", "std_out", PLACE_TEXT},
	{"std_err", "std_err", PLACE_TEXT},
	{"deleted", "", PLACE_DELETED},
	{NULL, NULL, PLACE_TEXT},
};

static const struct sql_place step_places[] = {
	{"id job_db_inx", "", PLACE_INDEX},
	{"stepid id_step", "id", PLACE_NUMBER},
	{"name step_name", "name", PLACE_TEXT},
	{"state", "state", PLACE_NUMBER},
	{"comp_code exit_code", "exit_code", PLACE_NUMBER},
	{"start time_start", "start", PLACE_TIME},
	{"end time_end", "end", PLACE_TIME},
	{"nodelist", "nodelist", PLACE_TEXT},
	{"nodes nodes_alloc", "nodes", PLACE_NUMBER},
	{"tasks task_cnt", "tasks", PLACE_NUMBER},
	{"user_sec", "user_usec", PLACE_SECONDS},
	{"user_usec", "user_usec", PLACE_MICROSECONDS},
	{"sys_sec", "sys_usec", PLACE_SECONDS},
	{"sys_usec", "sys_usec", PLACE_MICROSECONDS},
	{"consumed_energy", "energy", PLACE_COUNT},
	{"tres_alloc", "tres_alloc", PLACE_TEXT},
	{"timelimit", "time_limit", PLACE_COUNT},
	{"kill_requid", "killed_by", PLACE_USER},
	{"submit_line", "submit_line", PLACE_TEXT},
	{"container", "container", PLACE_TEXT},
	{"cwd", "work_dir", PLACE_TEXT},
	{"std_in", "std_in", PLACE_TEXT},
	{"std_out", "std_out", PLACE_TEXT},
	{"std_err", "std_err", PLACE_TEXT},
	{"req_cpufreq_min", "freq_min", PLACE_NUMBER},
	{"req_cpufreq", "freq_max", PLACE_NUMBER},
	{"req_cpufreq_gov", "freq_governor", PLACE_NUMBER},
	{"tres_usage_in_ave", "in_ave", PLACE_TEXT},
	{"tres_usage_in_max", "in_max", PLACE_TEXT},
	{"tres_usage_in_max_nodeid", "in_max_node", PLACE_TEXT},
	{"tres_usage_in_max_taskid", "in_max_task", PLACE_TEXT},
	{"tres_usage_in_min", "in_min", PLACE_TEXT},
	{"tres_usage_in_min_nodeid", "in_min_node", PLACE_TEXT},
	{"tres_usage_in_min_taskid", "in_min_task", PLACE_TEXT},
	{"tres_usage_in_tot", "in_tot", PLACE_TEXT},
	{"tres_usage_out_ave", "out_ave", PLACE_TEXT},
	{"tres_usage_out_max", "out_max", PLACE_TEXT},
	{"tres_usage_out_max_nodeid", "out_max_node", PLACE_TEXT},
	{"tres_usage_out_max_taskid", "out_max_task", PLACE_TEXT},
	{"tres_usage_out_min", "out_min", PLACE_TEXT},
	{"tres_usage_out_min_nodeid", "out_min_node", PLACE_TEXT},
	{"tres_usage_out_min_taskid", "out_min_task", PLACE_TEXT},
	{"tres_usage_out_tot", "out_tot", PLACE_TEXT},
	{"deleted", "", PLACE_DELETED},
	{NULL, NULL, PLACE_TEXT},
};

static const struct sql_place suspend_places[] = {
	{"id job_db_inx", "", PLACE_INDEX},
	{"start period_start time_start", "start", PLACE_NUMBER},
	{"end period_end time_end", "end", PLACE_NUMBER},
	{NULL, NULL, PLACE_TEXT},
};

static const struct sql_place event_places[] = {
	{"cluster", "cluster", PLACE_CLUSTER},
	{"node_name", "node", PLACE_TEXT},
	{"period_start time_start", "start", PLACE_NUMBER},
	{"period_end time_end", "end", PLACE_TIME},
	{"state", "state", PLACE_STATE},
	{"reason", "reason", PLACE_TEXT},
	{"reason_uid", "user", PLACE_USER},
	{"cpu_count count", "tres", PLACE_CPUS},
	{"tres", "tres", PLACE_TEXT},
	{"cluster_nodes", "nodes", PLACE_TEXT},
	{"deleted", "", PLACE_DELETED},
	{NULL, NULL, PLACE_TEXT},
};

static const struct sql_place txn_places[] = {
	{"timestamp", "time", PLACE_NUMBER},
	{"action", "action", PLACE_NUMBER},
	{"actor", "actor", PLACE_TEXT},
	{"name", "name", PLACE_TEXT},
	{"cluster", "cluster", PLACE_CLUSTER},
	{"info", "info", PLACE_TEXT},
	{NULL, NULL, PLACE_TEXT},
};

/* A table's name, or what it ends with behind that of the cluster. */
static const struct sql_table {
	const char *name, *kind;
	const struct sql_place *places; /* NULL: passed over */
} tables[] = {
	{"cluster_event_table", "event", event_places},
	{"event_table", "event", event_places},
	{"job_table", "job", job_places},
	{"step_table", "step", step_places},
	{"suspend_table", "suspension", suspend_places},
	{"txn_table", "txn", txn_places},
	{"usage_table", "", NULL},
	{"usage_day_table", "", NULL},
	{"usage_hour_table", "", NULL},
	{"usage_month_table", "", NULL},
};
/* clang-format on */

enum { MOST_COLUMNS = 128 };

struct archived_job {
	uint64_t index;
	const char *link; /* JSON */
};

struct sql {
	struct store *store;
	const char *at;
	size_t line;
	const struct archive_sink *sink;
	struct arena arena;
	struct {
		struct archived_job *v;
		size_t n, cap;
	} jobs;
};

/* ---- words ---------------------------------------------------------------*/

static void skip_blanks(struct sql *q)
{
	for (; isspace((unsigned char)*q->at); q->at++)
		q->line += *q->at == '\n';
}

static bool take_word(struct sql *q, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(q);
	if (strncasecmp(q->at, word, len) ||
		isalnum((unsigned char)q->at[len]) || q->at[len] == '_')
		return false;
	q->at += len;
	return true;
}

static bool take_char(struct sql *q, char c)
{
	skip_blanks(q);
	if (*q->at != c)
		return false;
	q->at++;
	return true;
}

static int expected(struct sql *q, const char *what)
{
	return err_set(q->store->err, ERR_USAGE, "%s expected at '%.20s'", what,
		q->at);
}

static char *put(char *to, struct sql *q, char c)
{
	q->line += c == '\n';
	*to = c;
	return to + 1;
}

/* Between quotes; a doubled quote, or one after a backslash, is a quote. */
static const char *quoted(struct sql *q, char quote)
{
	char *text = arena_alloc(&q->arena, strlen(q->at) + 1), *to = text;

	for (q->at++; *q->at; q->at++) {
		if (*q->at == '\\' && q->at[1] && quote != '`')
			q->at++;
		else if (*q->at == quote && q->at[1] == quote)
			q->at++;
		else if (*q->at == quote)
			break;
		to = put(to, q, *q->at);
	}
	if (!*q->at)
		return NULL;
	q->at++;
	*to = '\0';
	return text;
}

/* A name, a number or a text; NULL where the SQL has it, or where none is. */
static const char *take_value(struct sql *q, bool *ok)
{
	size_t len;
	const char *text;

	skip_blanks(q);
	*ok = true;
	if (*q->at == '\'' || *q->at == '"' || *q->at == '`') {
		text = quoted(q, *q->at);
		*ok = text != NULL;
		return text;
	}
	len = strcspn(q->at, ",() \t\r\n;'\"`");
	text = arena_strndup(&q->arena, q->at, len);
	q->at += len;
	*ok = len > 0;
	return *ok && strcasecmp(text, "NULL") ? text : NULL;
}

/* To behind the end of the statement. */
static void skip_statement(struct sql *q)
{
	bool ok;

	while (*q->at && !take_char(q, ';'))
		if (*q->at == '\'' || *q->at == '"' || *q->at == '`') {
			take_value(q, &ok);
			if (!ok)
				q->at += strlen(q->at);
		} else if (*q->at) {
			q->at++;
		}
}

/* ---- a row ---------------------------------------------------------------*/

struct sql_row {
	const struct sql_table *table;
	const char *cluster;
	const char *values[MOST_COLUMNS];
	const struct sql_place *places[MOST_COLUMNS];
	size_t n;
};

static const char *value_of(
	const struct sql_row *row, enum place_kind kind, const char *member)
{
	for (size_t i = 0; i < row->n; i++)
		if (row->places[i] && row->places[i]->kind == kind &&
			(!member || !strcmp(row->places[i]->member, member)))
			return row->values[i];
	return NULL;
}

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, out);
	fputc('"', out);
}

static void put_member(FILE *out, const char *member, const char *text)
{
	fprintf(out, ",\"%s\":", member);
	put_text(out, text);
}

static void put_number(FILE *out, const char *member, uint64_t number)
{
	fprintf(out, ",\"%s\":%" PRIu64, member, number);
}

static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 10);
	return end != text && !*end && *text != '-';
}

static const char *user_name(struct sql *q, uint64_t uid)
{
	const struct passwd *pw = getpwuid((uid_t)uid);

	return pw ? arena_strdup(&q->arena, pw->pw_name)
		  : arena_printf(&q->arena, "%" PRIu64, uid);
}

/* Whose jobs they were: the association by its number, else the user's. */
static int put_owner(struct sql *q, FILE *out, const struct sql_row *row)
{
	const char *id = value_of(row, PLACE_ASSOC, NULL);
	const char *uid = value_of(row, PLACE_NUMBER, "uid");
	struct query query;
	uint64_t number;

	if (query_open(&query, q->store,
		    "SELECT account, user, partition FROM assoc WHERE id = :id"
		    " AND user != '' AND cluster ="
		    " (SELECT id FROM cluster WHERE name = :cluster)"))
		return -1;
	query_bind_int(&query, ":id", id ? strtoll(id, NULL, 10) : 0);
	query_bind_text(&query, ":cluster", row->cluster);
	if (query_row(&query)) {
		fputs(",\"assoc\":[", out);
		for (int i = 0; i < 3; i++) {
			if (i)
				fputc(',', out);
			put_text(out, query_text(&query, i));
		}
		fputc(']', out);
		put_member(out, "user", query_text(&query, 1));
		if (!value_of(row, PLACE_TEXT, "account"))
			put_member(out, "account", query_text(&query, 0));
	} else if (uid && read_number(uid, &number)) {
		put_member(out, "user", user_name(q, number));
	}
	return query_close(&query);
}

static int put_qos(struct sql *q, FILE *out, const char *text)
{
	const struct qos_name *qos;
	uint64_t id;

	if (!read_number(text, &id))
		return 0;
	qos = qos_by_id(&q->store->qos, (uint32_t)id);
	if (qos)
		put_member(out, "qos", qos->name);
	return 0;
}

static const char *node_state(uint64_t state)
{
	static const char *const base[] = {"UNKNOWN", "DOWN", "IDLE",
		"ALLOCATED", "ERROR", "MIXED", "FUTURE"};

	if (state & (1 << 7))
		return "MAINT";
	if (state & (1 << 14))
		return "POWERED_DOWN";
	if (state & (1 << 9))
		return "DRAIN";
	if (state & (1 << 12))
		return "FAIL";
	return (state & 15) < sizeof(base) / sizeof(*base) ? base[state & 15]
							   : "DOWN";
}

/* -1 when a number is wanted and this is not one. */
static int put_value(struct sql *q, FILE *out, const struct sql_row *row,
	const struct sql_place *place, const char *text)
{
	uint64_t number = 0;
	bool is_number = read_number(text, &number);

	switch (place->kind) {
	case PLACE_TEXT:
		put_member(out, place->member, text);
		return 0;
	case PLACE_QOS:
		return put_qos(q, out, text);
	case PLACE_COUNT:
		if (is_number && number != NO_VAL && number != INFINITE)
			put_number(out, place->member, number);
		return 0;
	case PLACE_TIME:
		if (is_number && number && number < NO_VAL)
			put_number(out, place->member, number);
		break;
	case PLACE_NUMBER:
		if (is_number)
			put_number(out, place->member, number);
		break;
	case PLACE_USER:
		if (is_number && number && number < NO_VAL)
			put_member(out, place->member, user_name(q, number));
		break;
	case PLACE_CPUS:
		put_member(out, place->member,
			arena_printf(&q->arena, "1=%" PRIu64, number));
		break;
	case PLACE_STATE:
		if (value_of(row, PLACE_TEXT, "node") &&
			*value_of(row, PLACE_TEXT, "node"))
			put_member(out, place->member, node_state(number));
		break;
	default:
		return 0;
	}
	return is_number || *text == '-'
		       ? 0
		       : err_set(q->store->err, ERR_USAGE, "'%.40s' is not a number",
				 text);
}

static void put_usec(FILE *out, const struct sql_row *row, const char *member)
{
	const char *sec = value_of(row, PLACE_SECONDS, member);
	const char *usec = value_of(row, PLACE_MICROSECONDS, member);

	if (sec || usec)
		put_number(out, member,
			(sec ? strtoull(sec, NULL, 10) : 0) * 1000000 +
				(usec ? strtoull(usec, NULL, 10) : 0));
}

static void remember_job(struct sql *q, const struct sql_row *row)
{
	const char *index = value_of(row, PLACE_INDEX, NULL);
	const char *id = value_of(row, PLACE_NUMBER, "id");
	const char *submit = value_of(row, PLACE_NUMBER, "submit");
	struct archived_job *job;

	if (!index || !id || !submit)
		return;
	job = ARENA_PUSH(&q->arena, q->jobs.v, q->jobs.n, q->jobs.cap);
	*job = (struct archived_job){strtoull(index, NULL, 10),
		arena_printf(&q->arena, "[\"%s\",%llu,%llu]", row->cluster,
			strtoull(id, NULL, 10), strtoull(submit, NULL, 10))};
}

static void put_job_link(struct sql *q, FILE *out, const struct sql_row *row)
{
	const char *index = value_of(row, PLACE_INDEX, NULL);
	uint64_t number = index ? strtoull(index, NULL, 10) : 0;

	for (size_t i = q->jobs.n; index && i-- > 0;)
		if (q->jobs.v[i].index == number) {
			fprintf(out, ",\"job\":%s", q->jobs.v[i].link);
			return;
		}
}

static int write_row(struct sql *q, FILE *out, const struct sql_row *row)
{
	const struct sql_place *places = row->table->places;

	fprintf(out, "{\"kind\":\"%s\"", row->table->kind);
	if (*row->cluster)
		put_member(out, "cluster", row->cluster);
	for (size_t i = 0; i < row->n; i++)
		if (row->places[i] && row->values[i] &&
			put_value(q, out, row, row->places[i], row->values[i]))
			return -1;
	if (places == job_places) {
		remember_job(q, row);
		if (!value_of(row, PLACE_TIME, "eligible") &&
			value_of(row, PLACE_NUMBER, "submit"))
			put_number(out, "eligible",
				strtoull(value_of(row, PLACE_NUMBER, "submit"),
					NULL, 10));
		put_number(out, "modified", (uint64_t)q->store->now);
		if (put_owner(q, out, row))
			return -1;
	}
	if (places == event_places && !value_of(row, PLACE_STATE, NULL) &&
		value_of(row, PLACE_TEXT, "node") &&
		*value_of(row, PLACE_TEXT, "node"))
		put_member(out, "state", "DOWN");
	if (places == step_places || places == suspend_places)
		put_job_link(q, out, row);
	if (places == step_places) {
		put_usec(out, row, "user_usec");
		put_usec(out, row, "sys_usec");
	}
	fputc('}', out);
	return 0;
}

static bool is_deleted(const struct sql_row *row)
{
	const char *text = value_of(row, PLACE_DELETED, NULL);

	return text && strtoull(text, NULL, 10);
}

static int give_row(struct sql *q, const struct sql_row *row)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	int rc;

	if (is_deleted(row))
		return 0;
	out = memory_stream(&text, &size);
	rc = write_row(q, out, row);
	fclose(out);
	if (!rc)
		rc = q->sink->take(q->sink->arg, text, q->line);
	free(text);
	return rc;
}

/* ---- statements -----------------------------------------------------------*/

static const struct sql_place *find_place(
	const struct sql_place *places, const char *name)
{
	size_t len = strlen(name);

	for (; places && places->names; places++)
		if (words_have(places->names, name, len))
			return places;
	return NULL;
}

/* "job_table", or "canis_job_table", which names the cluster, too. */
static const struct sql_table *find_table(
	struct sql *q, const char *name, const char **cluster)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		size_t n = strlen(tables[i].name);

		if (len < n || strcasecmp(name + len - n, tables[i].name) ||
			(len > n && name[len - n - 1] != '_'))
			continue;
		*cluster = len > n ? arena_strndup(&q->arena, name, len - n - 1)
				   : "";
		return &tables[i];
	}
	return NULL;
}

static int take_columns(struct sql *q, struct sql_row *row)
{
	bool ok;

	if (!take_char(q, '('))
		return expected(q, "a list of columns");
	do {
		const char *name = take_value(q, &ok);

		if (!ok || !name || row->n == MOST_COLUMNS)
			return expected(q, "the name of a column");
		row->places[row->n++] = find_place(row->table->places, name);
	} while (take_char(q, ','));
	return take_char(q, ')') ? 0 : expected(q, "')'");
}

static int take_row(struct sql *q, struct sql_row *row, const char *cluster)
{
	bool ok;

	for (size_t i = 0; i < row->n; i++) {
		if (i && !take_char(q, ','))
			return expected(q, "','");
		row->values[i] = take_value(q, &ok);
		if (!ok)
			return expected(q, "a value");
	}
	if (!take_char(q, ')'))
		return expected(q, "')'");
	row->cluster = value_of(row, PLACE_CLUSTER, NULL);
	if (!row->cluster)
		row->cluster = cluster;
	return give_row(q, row);
}

/* Commas between the rows may be missing, as in Slurm's own tests. */
static int take_insert(struct sql *q)
{
	struct sql_row row = {0};
	const char *cluster = "", *name;
	bool ok;

	name = take_value(q, &ok);
	row.table = ok && name ? find_table(q, name, &cluster) : NULL;
	if (!row.table)
		return err_set(q->store->err, ERR_USAGE,
			"unknown table '%.40s'", name ? name : "");
	if (!row.table->places) {
		q->sink->pass_over(q->sink->arg);
		skip_statement(q);
		return 0;
	}
	if (take_columns(q, &row))
		return -1;
	if (!take_word(q, "values"))
		return expected(q, "'values'");
	while (take_char(q, '(')) {
		if (take_row(q, &row, cluster))
			return -1;
		take_char(q, ',');
	}
	skip_statement(q);
	return 0;
}

static int take_statement(struct sql *q)
{
	if (take_word(q, "insert") && take_word(q, "into"))
		return take_insert(q);
	if (take_word(q, "delete") || take_word(q, "drop") ||
		take_word(q, "truncate")) {
		q->sink->pass_over(q->sink->arg);
		skip_statement(q);
		return 0;
	}
	return expected(q, "insert into");
}

bool archive_is_sql(const char *text)
{
	static const char *const words[] = {"insert into ", "delete from ",
		"drop table ", "truncate table "};

	text += strspn(text, " \t\r\n");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncasecmp(text, words[i], strlen(words[i])))
			return true;
	return false;
}

int archive_sql_read(struct store *store, const char *text,
	const struct archive_sink *sink, size_t *line)
{
	struct sql q = {.store = store, .at = text, .line = 1, .sink = sink};
	int rc = 0;

	skip_blanks(&q);
	while (!rc && *q.at) {
		rc = take_statement(&q);
		skip_blanks(&q);
	}
	*line = q.line;
	arena_release(&q.arena);
	return rc;
}
