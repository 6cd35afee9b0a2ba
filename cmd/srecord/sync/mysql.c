/*
 * from=mysql: slurm_acct_db is read, as slurmdbd of 22.05 and later writes it.
 * One transaction, so that all of a round is of one moment; nothing is written,
 * and the right to SELECT is enough.
 */
#include "cmd/srecord/sync/mysql.h"

#include <errno.h>
#include <inttypes.h>
#include <mysqld_error.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/numbers.h"
#include "common/conf/conf.h"

/* What is needed to get in. */
struct login {
	const char *host, *user, *password, *database;
	unsigned port;
};

static struct from_mysql *of(struct sync *sync)
{
	return sync->of_source;
}

/* ---- getting in ----------------------------------------------------------*/

/* Others must not be able to read it. */
static int check_private(struct sync *sync, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return err_set(&sync->s->err, ERR_SYSTEM, "%s: %s", path,
			strerror(errno));
	if (st.st_mode & S_IRWXO)
		return err_set(&sync->s->err, ERR_USAGE,
			"%s holds a password and may be read by anyone: "
			"chmod o= %s",
			path, path);
	return 0;
}

/* The first line of the file. */
static int read_password(struct sync *sync, struct login *login)
{
	const char *path = sync->words.passfile;
	char line[256];
	FILE *file;

	if (!path)
		return 0;
	if (check_private(sync, path))
		return -1;
	file = fopen(path, "re");
	if (!file)
		return err_set(&sync->s->err, ERR_SYSTEM, "passfile: %s: %s",
			path, strerror(errno));
	if (!fgets(line, sizeof(line), file)) {
		fclose(file);
		return err_set(&sync->s->err, ERR_SYSTEM,
			"passfile: %s holds no password", path);
	}
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	login->password = arena_strdup(&sync->arena, line);
	return 0;
}

static unsigned port_number(const char *text)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	return *end || !*text || port > 65535 ? 0 : (unsigned)port;
}

/* mysql://USER@HOST[:PORT]/DATABASE */
static int read_url(struct sync *sync, const char *url, struct login *login)
{
	struct err *err = &sync->s->err;
	char *text = arena_strdup(&sync->arena, url), *at, *slash, *colon;

	at = strrchr(text, '@');
	slash = at ? strchr(at, '/') : NULL;
	if (!at || at == text || !slash || !slash[1])
		return err_set(err, ERR_USAGE,
			"from: a database is mysql://USER@HOST[:PORT]/NAME");
	*at = *slash = '\0';
	if (strchr(text, ':'))
		return err_set(err, ERR_USAGE,
			"from: no password in the address, others see it: "
			"passfile=FILE, or conf= of a site with a "
			"slurmdbd.conf");
	login->user = text;
	login->host = at + 1;
	login->database = slash + 1;
	colon = strchr(at + 1, ':');
	if (!colon)
		return 0;
	*colon = '\0';
	login->port = port_number(colon + 1);
	return login->port ? 0
			   : err_set(err, ERR_USAGE,
				     "from: '%s' is not the number of a port",
				     colon + 1);
}

static void take(const char **member, const char *text)
{
	if (text && *text)
		*member = text;
}

/* The slurmdbd.conf beside the slurm.conf. */
static int read_dbd_conf(struct sync *sync, struct login *login)
{
	const char *conf = sync->words.conf ? sync->words.conf
					    : sync->s->site->conf.path;
	struct err *err = &sync->s->err;
	struct conf_dbd dbd;
	const char *port;

	if (conf_load_dbd(&dbd, conf ? conf : "/etc/slurm/slurm.conf",
		    &sync->arena, err))
		return -1;
	if (!dbd.present)
		return err_set(err, ERR_SYSTEM,
			"%s: there is no such file; "
			"from=mysql://USER@HOST/slurm_acct_db and "
			"passfile=FILE say where the database is",
			dbd.path);
	if (conf_pairs_get(&dbd.all, "StoragePass") &&
		check_private(sync, dbd.path))
		return -1;
	take(&login->host, conf_pairs_get(&dbd.all, "StorageHost"));
	take(&login->user, conf_pairs_get(&dbd.all, "StorageUser"));
	take(&login->password, conf_pairs_get(&dbd.all, "StoragePass"));
	take(&login->database, conf_pairs_get(&dbd.all, "StorageLoc"));
	port = conf_pairs_get(&dbd.all, "StoragePort");
	login->port = port ? port_number(port) : login->port;
	return 0;
}

static int find_login(struct sync *sync, struct login *login)
{
	const char *from = sync->words.from ? sync->words.from : "mysql";

	*login = (struct login){"localhost", "slurm", NULL, "slurm_acct_db", 0};
	if (strncmp(from, "mysql://", 8))
		return read_dbd_conf(sync, login) || read_password(sync, login)
			       ? -1
			       : 0;
	return read_url(sync, from + 8, login) || read_password(sync, login)
		       ? -1
		       : 0;
}

/* What the server said, without what was asked. */
static int failed(struct sync *sync, const char *doing)
{
	struct from_mysql *from = of(sync);
	unsigned code = driver.mysql_errno(from->db);
	const char *advice = "";

	if (code == ER_ACCESS_DENIED_ERROR || code == ER_DBACCESS_DENIED_ERROR)
		advice = ": check user and password, and GRANT SELECT ON the "
			 "database";
	else if (code == ER_TABLEACCESS_DENIED_ERROR)
		advice = ": GRANT SELECT ON the database to this user";
	return err_set(&sync->s->err, ERR_SYSTEM, "%s at %s: %s: %s%s",
		from->database, from->host, doing, driver.mysql_error(from->db),
		advice);
}

static int log_in(struct sync *sync, const struct login *login)
{
	struct from_mysql *from = of(sync);
	unsigned seconds = (unsigned)sync->words.timeout.v;

	if (driver_load("from=mysql", &sync->s->err))
		return -1;
	from->db = driver.mysql_init(NULL);
	from->host = login->host;
	from->user = login->user;
	from->database = login->database;
	if (!from->db)
		return err_set(&sync->s->err, ERR_SYSTEM, "out of memory");
	driver.mysql_optionsv(from->db, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
	driver.mysql_optionsv(from->db, MYSQL_OPT_READ_TIMEOUT, &seconds);
	driver.mysql_optionsv(from->db, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	if (!driver.mysql_real_connect(from->db, login->host, login->user,
		    login->password, login->database, login->port, NULL, 0))
		return failed(sync, "cannot be reached");
	if (driver.mysql_query(from->db, "SET time_zone = '+00:00'") ||
		driver.mysql_query(from->db, "SET TRANSACTION READ ONLY") ||
		driver.mysql_query(from->db,
			"START TRANSACTION WITH CONSISTENT SNAPSHOT"))
		return failed(sync, "no transaction");
	return 0;
}

/* ---- asking --------------------------------------------------------------*/

int mysql_send(struct sync *sync, const char *sql)
{
	return driver.mysql_send_query(of(sync)->db, sql, strlen(sql))
		? failed(sync, "cannot be read") : 0;
}

MYSQL_RES *mysql_answer(struct sync *sync)
{
	struct from_mysql *from = of(sync);
	MYSQL_RES *result = NULL;

	if (!driver.mysql_read_query_result(from->db))
		result = driver.mysql_store_result(from->db);
	if (!result)
		failed(sync, "cannot be read");
	return result;
}

MYSQL_RES *mysql_ask(struct sync *sync, const char *sql)
{
	return mysql_send(sync, sql) ? NULL : mysql_answer(sync);
}

/* Did the rows end by an error? */
static bool mysql_failed(struct sync *sync)
{
	if (!driver.mysql_errno(of(sync)->db))
		return false;
	failed(sync, "cannot be read to the end");
	return true;
}

/* The texts of a column; with two, the second at the place of the first. */
static int read_list(struct sync *sync, const char *sql, struct strv *list)
{
	MYSQL_RES *result = mysql_ask(sync, sql);
	MYSQL_ROW row;

	if (!result)
		return -1;
	while ((row = driver.mysql_fetch_row(result))) {
		size_t at = row[1] ? strtoul(row[1], NULL, 10) : list->n;

		if (at > 100000)
			continue;
		while (list->n < at)
			strv_push(list, &sync->arena, "");
		if (list->n == at)
			strv_push(list, &sync->arena, row[0]);
	}
	driver.mysql_free_result(result);
	return mysql_failed(sync) ? -1 : 0;
}

bool mysql_has(struct sync *sync, const char *table, const char *column)
{
	return strv_has(&of(sync)->columns,
		arena_printf(&sync->arena, "%s.%s", table, column));
}

/* ---- is it Slurm's? ------------------------------------------------------*/

static int read_columns(struct sync *sync)
{
	struct from_mysql *from = of(sync);

	if (read_list(sync,
		    "SELECT CONCAT(table_name, '.', column_name), NULL"
		    " FROM information_schema.columns"
		    " WHERE table_schema = DATABASE()"
		    " ORDER BY table_name, column_name",
		    &from->columns))
		return -1;
	if (!mysql_has(sync, "cluster_table", "name") ||
		!mysql_has(sync, "tres_table", "type") ||
		!mysql_has(sync, "qos_table", "name"))
		return err_set(&sync->s->err, ERR_USAGE,
			"%s at %s is not a database of slurmdbd, or %s may not "
			"SELECT from it: cluster_table, tres_table and "
			"qos_table are not there",
			from->database, from->host, from->user);
	return 0;
}

static int check_cluster(struct sync *sync)
{
	struct from_mysql *from = of(sync);
	struct strv names = {0};

	if (read_list(sync,
		    "SELECT name, NULL FROM cluster_table WHERE deleted = 0"
		    " ORDER BY name",
		    &names))
		return -1;
	if (strv_has(&names, sync->cluster))
		return 0;
	return err_set(&sync->s->err, ERR_USAGE,
		"%s at %s knows no cluster '%s', only %s: say which with "
		"cluster=NAME",
		from->database, from->host, sync->cluster,
		strv_join_some(&names, ", ", &sync->arena));
}

static int read_now(struct sync *sync)
{
	struct strv now = {0};

	if (read_list(sync, "SELECT UNIX_TIMESTAMP(), NULL", &now))
		return -1;
	sync->now = strtoll(now.n ? now.v[0] : "0", NULL, 10);
	return 0;
}

static int open_mysql(struct sync *sync)
{
	struct from_mysql *from = arena_alloc(&sync->arena, sizeof(*from));
	struct login login;

	sync->of_source = from;
	if (find_login(sync, &login) || log_in(sync, &login) ||
		read_columns(sync) || check_cluster(sync) || read_now(sync))
		return -1;
	return read_list(sync,
		       "SELECT IF(name = '', type, CONCAT(type, '/', name)), id"
		       " FROM tres_table WHERE deleted = 0 ORDER BY id",
		       &from->tres) ||
			       read_list(sync,
				       "SELECT name, id FROM qos_table"
				       " WHERE deleted = 0 ORDER BY id",
				       &from->qos)
		       ? -1
		       : 0;
}

/* ---- values --------------------------------------------------------------*/

static const char *name_of(const struct strv *names, unsigned long id)
{
	return id < names->n ? names->v[id] : "";
}

/* 1=4,1001=2. Slurm's "no value" is left out. */
static const char *tres_names(
	const struct from_mysql *from, const char *text, struct arena *arena)
{
	const char *list = "";

	while (*text) {
		char *end;
		unsigned long id = strtoul(text, &end, 10);
		size_t len = strcspn(end, ",");

		if (*end == '=' && *name_of(&from->tres, id) &&
			strtoull(end + 1, NULL, 10) < NO_VAL64)
			list = arena_printf(arena, "%s%s%s%.*s", list,
				*list ? "," : "", name_of(&from->tres, id),
				(int)len, end);
		text = end + len + (end[len] == ',');
		if (!len && *end != ',')
			break;
	}
	return list;
}

/* ,1,+2, */
static const char *qos_names(
	const struct from_mysql *from, const char *text, struct arena *arena)
{
	const char *list = "";

	while (*text) {
		size_t len = strcspn(text, ",");
		bool sign = *text == '+' || *text == '-';
		const char *name = name_of(
			&from->qos, strtoul(text + sign, NULL, 10));

		if (len && *name)
			list = arena_printf(arena, "%s%s%.*s%s", list,
				*list ? "," : "", sign, text, name);
		text += len + (text[len] == ',');
	}
	return list;
}

const char *mysql_value(struct sync *sync, enum sync_type type,
	const char *text, struct arena *arena)
{
	if (!text)
		return "";
	switch (type) {
	case SYNC_TRES:
		return tres_names(of(sync), text, arena);
	case SYNC_QOS:
		return name_of(&of(sync)->qos, strtoul(text, NULL, 10));
	case SYNC_QOS_LIST:
		return qos_names(of(sync), text, arena);
	case SYNC_PLAIN:
		break;
	}
	return text;
}

/* ---- rows ----------------------------------------------------------------*/

static bool is_name(const char *text)
{
	return !text[strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789`")];
}

/* Until 22.05 a cluster's share of a resource was always in percent. */
static const char *share_column(struct sync *sync)
{
	return mysql_has(sync, "clus_res_table", "allowed")
		? "coalesce(c.allowed, '')"
		: "coalesce(c.percent_allowed, '')";
}

/* A column that this release does not have is "". */
static const char *expression(
	struct sync *sync, const char *table, const struct sync_column *c)
{
	char name[64];
	size_t n = 0;

	if (!c->column)
		return "''";
	if (strstr(c->column, "{a}"))
		return share_column(sync);
	if (!is_name(c->column))
		return c->column;
	for (const char *from = c->column; *from && n < sizeof(name) - 1;
		from++)
		if (*from != '`')
			name[n++] = *from;
	name[n] = '\0';
	return mysql_has(sync, table, name) ? arena_printf(&sync->arena,
						      "t.%s", c->column)
					    : "''";
}

static const char *select_rows(
	struct sync *sync, const struct sync_table *t, int64_t since)
{
	const char *name = t->tables + (*t->tables == '`');
	const char *table = sync_fill(sync,
		arena_printf(&sync->arena, "%.*s", (int)strcspn(name, " `"),
			name),
		since);
	const char *tables = sync_fill(sync, t->tables, since);
	struct strv columns = {0};

	for (size_t i = 0; i < t->n; i++)
		strv_push(&columns, &sync->arena,
			expression(sync, table, &t->columns[i]));
	return arena_printf(&sync->arena, "SELECT %s FROM %s%s%s",
		strv_join(&columns, ", ", &sync->arena), tables,
		since && t->sql_since ? " AND " : "",
		since && t->sql_since ? sync_fill(sync, t->sql_since, since)
				      : "");
}

static int take_rows(struct sync *sync, const struct sync_table *t,
	MYSQL_RES *result, struct sync_rows *rows)
{
	struct arena scratch;
	MYSQL_ROW row;

	arena_init(&scratch);
	while ((row = driver.mysql_fetch_row(result))) {
		const char **values = sync_row(sync, rows, t->n);

		for (size_t i = 0; i < t->n; i++) {
			const char *text = mysql_value(
				sync, t->columns[i].type, row[i], &scratch);

			/* Most are empty. */
			values[i] = *text ? arena_strdup(&sync->arena, text)
					  : "";
		}
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	return mysql_failed(sync) ? -1 : 0;
}

static int select_all(struct sync *sync, const struct sync_table *t,
	int64_t since, struct sync_rows *rows)
{
	MYSQL_RES *result;
	int rc;

	if (!t->tables)
		return 0;
	result = mysql_ask(sync, select_rows(sync, t, since));
	if (!result)
		return -1;
	rc = take_rows(sync, t, result, rows);
	driver.mysql_free_result(result);
	return rc;
}

static void close_mysql(struct sync *sync)
{
	if (of(sync) && of(sync)->db)
		driver.mysql_close(of(sync)->db);
}

/* The database has no usage: assoc_usage= of the controller has. */
const struct sync_source sync_from_mysql = {"mysql", open_mysql, select_all, NULL,
	sync_mysql_jobs, NULL, NULL, close_mysql};
