#include "db/shared/link.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"

enum { MAX_HOSTS = 32 };

/* ---- the list ------------------------------------------------------------*/

static int bad_host(struct err *err, const char *word)
{
	return err_set(err, ERR_USAGE,
		"StorageHost: '%s' is not a host, host:port or path of a socket",
		word);
}

static int read_port(const char *text, unsigned *port)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*port = (unsigned)n;
	return *text && !*end && n && n <= 65535 ? 0 : -1;
}

/* `host`, `host:port`, `[v6]`, `[v6]:port`, `/path`. */
static int read_host(struct link_host *host, const char *word, unsigned port,
	struct arena *arena, struct err *err)
{
	char *name = arena_strdup(arena, word), *rest;

	*host = (struct link_host){.name = word, .port = port};
	if (*word == '/') {
		host->socket = word;
		return 0;
	}
	if (*name == '[') {
		rest = strchr(++name, ']');
		if (!rest)
			return bad_host(err, word);
		*rest++ = '\0';
	} else {
		rest = name + strcspn(name, ":");
	}
	host->host = name;
	if (*rest == ':') {
		*rest = '\0';
		if (read_port(rest + 1, &host->port))
			return bad_host(err, word);
	} else if (*rest) {
		return bad_host(err, word);
	}
	return *name ? 0 : bad_host(err, word);
}

int link_read_hosts(struct link *link, const char *text, unsigned port,
	struct arena *arena, struct err *err)
{
	struct strv words = {0};

	strv_split(&words, arena, text);
	link->hosts = arena_array(arena, MAX_HOSTS, sizeof(*link->hosts));
	link->n_hosts = 0;
	for (size_t i = 0; i < words.n; i++) {
		if (!*words.v[i])
			continue;
		if (link->n_hosts == MAX_HOSTS)
			return err_set(err, ERR_USAGE,
				"StorageHost names more than %d hosts",
				MAX_HOSTS);
		if (read_host(&link->hosts[link->n_hosts++], words.v[i], port,
			    arena, err))
			return -1;
	}
	return link->n_hosts ? 0 : bad_host(err, text);
}

const char *link_place(const struct link *link)
{
	static _Thread_local char text[300];

	snprintf(text, sizeof(text), "%s at %s", link->login.database,
		link->hosts[link->at].name);
	return text;
}

const char *link_reasons(const struct link *link, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < link->n_hosts && used < size; i++) {
		const struct link_host *host = &link->hosts[i];

		used += (size_t)snprintf(text + used, size - used, "%s%s: %s",
			i ? "; " : "", host->name,
			*host->why ? host->why : "not asked");
	}
	return text;
}

int64_t link_int(const struct link_row *row, unsigned column)
{
	return column < row->n && row->v[column]
		       ? strtoll(row->v[column], NULL, 10)
		       : 0;
}

int link_take_int(const struct link_row *row, void *number)
{
	*(int64_t *)number = link_int(row, 0);
	return 0;
}

int link_exec(struct link *link, const char *sql)
{
	return link_run(link, sql, strlen(sql), NULL, NULL);
}

int link_ask(struct link *link, int (*each)(const struct link_row *, void *arg),
	void *arg, const char *fmt, ...)
{
	char sql[401];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(sql, sizeof(sql), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(sql))
		BUG("a question is too long");
	return link_run(link, sql, (size_t)n, each, arg);
}

int link_run_stream(struct link *link, FILE *stream, char **text, size_t *size,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	int rc;

	fclose(stream);
	rc = link_run(link, *text, *size, each, arg);
	free(*text);
	return rc;
}

void link_rollback(struct link *link)
{
	enum link_trouble trouble = link->trouble;
	unsigned code = link->code;
	struct err *err = link->err, ignored;

	link->err = &ignored;
	if (link->db)
		link_exec(link, "ROLLBACK");
	link->err = err;
	link->trouble = trouble;
	link->code = code;
}

void link_quote_text(const struct link *link, FILE *sql, const char *text)
{
	link_quote(link, sql, text, strlen(text));
}

#ifdef HAVE_MARIADB

#include <errmsg.h>
#include <unistd.h>

#include <mysqld_error.h>

#include "common/base/stopwatch.h"
#include "db/shared/driver.h"

enum { OLDEST = 100300, CONNECT_SECONDS = 3 };
enum { FULL_USEC = 20000 };
enum { LEAST_PACKET = 1 << 16, NOT_READY = 1047 };

static int load(struct link *link)
{
	return driver_load(
		"StorageType=accounting_storage/bursar-log", link->err);
}

/* ---- errors --------------------------------------------------------------*/

/* `text`: a node that loses its cluster says so with numbers of all kinds. */
static enum link_trouble trouble_of(unsigned code, const char *text)
{
	if (strstr(text, "Primary Component") || strstr(text, "WSREP"))
		return LINK_LOST;
	switch (code) {
	case CR_CONNECTION_ERROR:
	case CR_CONN_HOST_ERROR:
	case CR_UNKNOWN_HOST:
	case CR_SERVER_GONE_ERROR:
	case CR_SERVER_LOST:
	case CR_SERVER_HANDSHAKE_ERR:
	case CR_IPSOCK_ERROR:
	case CR_SSL_CONNECTION_ERROR:
	case ER_CON_COUNT_ERROR:
	case ER_SERVER_SHUTDOWN:
	case ER_NORMAL_SHUTDOWN:
	case ER_CONNECTION_KILLED:
	case ER_HOST_IS_BLOCKED:
	case ER_OPTION_PREVENTS_STATEMENT: /* --read-only */
	case ER_ERROR_DURING_COMMIT:
	case ER_QUERY_INTERRUPTED:
	case NOT_READY: /* a node of Galera that is cut off */
		return LINK_LOST;
	case ER_LOCK_DEADLOCK:
		return LINK_AGAIN;
	case ER_LOCK_WAIT_TIMEOUT:
		return LINK_BUSY;
	default:
		return LINK_REFUSED;
	}
}

/* Others have all connections that there are. */
static bool is_full(unsigned code, const char *text)
{
	return code == ER_CON_COUNT_ERROR ||
	       code == ER_TOO_MANY_USER_CONNECTIONS ||
	       (code == ER_USER_LIMIT_REACHED &&
		       strstr(text, "max_user_connections"));
}

static const char rights[] = "SELECT, INSERT, UPDATE, DELETE, CREATE";

/* What the server said, without what was asked, and what to do. */
static int refused(struct link *link, MYSQL *db)
{
	const struct link_login *login = &link->login;
	const char *place = link_place(link);
	unsigned code = driver.mysql_errno(db);

	if (code == ER_ACCESS_DENIED_ERROR ||
		code == ER_ACCESS_DENIED_NO_PASSWORD_ERROR)
		return err_set(link->err, ERR_SYSTEM,
			"%s refuses user '%s': check StorageUser and "
			"StoragePass in %s",
			place, login->user, login->conf);
	if (code == ER_DBACCESS_DENIED_ERROR || code == ER_BAD_DB_ERROR)
		return err_set(link->err, ERR_SYSTEM,
			"%s: user '%s' has no right to this database, or it "
			"is not there: CREATE DATABASE %s; GRANT %s ON %s.* "
			"TO '%s'",
			place, login->user, login->database, rights,
			login->database, login->user);
	if (code == ER_TABLEACCESS_DENIED_ERROR ||
		code == ER_COLUMNACCESS_DENIED_ERROR)
		return err_set(link->err, ERR_SYSTEM,
			"%s: user '%s' lacks a right (%s): GRANT %s ON %s.* "
			"TO '%s'",
			place, login->user, driver.mysql_error(db), rights,
			login->database, login->user);
	return err_set(link->err, ERR_SYSTEM, "%s: %s", place,
		driver.mysql_error(db));
}

static int failed(struct link *link, MYSQL *db)
{
	struct link_host *host = &link->hosts[link->at];

	link->code = driver.mysql_errno(db);
	link->trouble = trouble_of(link->code, driver.mysql_error(db));
	link->full = is_full(link->code, driver.mysql_error(db));
	if (link->full)
		link->trouble = LINK_LOST;
	snprintf(host->why, sizeof(host->why), "%s", driver.mysql_error(db));
	refused(link, db);
	if (link->trouble == LINK_LOST)
		link_close(link);
	return -1;
}

/* ---- getting in ----------------------------------------------------------*/

static void set_options(struct link *link, MYSQL *db)
{
	const struct link_login *login = &link->login;
	const unsigned connect = CONNECT_SECONDS, off = 0;
	const my_bool on = 1, check = login->ca || login->capath;

	driver.mysql_optionsv(db, MYSQL_OPT_CONNECT_TIMEOUT, &connect);
	driver.mysql_optionsv(db, MYSQL_OPT_READ_TIMEOUT, &link->seconds);
	driver.mysql_optionsv(db, MYSQL_OPT_WRITE_TIMEOUT, &link->seconds);
	driver.mysql_optionsv(db, MYSQL_OPT_LOCAL_INFILE, &off);
	driver.mysql_optionsv(db, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	if (!login->ca && !login->capath && !login->cert && !login->key &&
		!login->cipher)
		return;
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_ENFORCE, &on);
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_CA, login->ca);
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_CAPATH, login->capath);
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_CERT, login->cert);
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_KEY, login->key);
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_CIPHER, login->cipher);
	driver.mysql_optionsv(db, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &check);
}

static int check_server(struct link *link)
{
	const struct link_host *host = &link->hosts[link->at];

	if (driver.mysql_get_server_version(link->db) >= OLDEST &&
		strcasestr(host->version, "mariadb"))
		return 0;
	link->trouble = LINK_REFUSED;
	return err_set(link->err, ERR_SYSTEM,
		"%s runs %s: the log needs MariaDB 10.3 or later", host->name,
		host->version);
}

static int take_packet(const struct link_row *row, void *arg)
{
	((struct link *)arg)->packet = (size_t)link_int(row, 0);
	return 0;
}

/* In front of the first statements of a connection, in one packet with them.
 * Of a host that lost its power in the middle of a change, or a program that was
 * stopped, the server hears nothing more: it lets go of the head before others
 * that wait for it give up.
 * A node of a cluster first waits for what others have committed. A server that
 * was built without Galera knows no such variable. */
static char *with_settings(
	const struct link *link, const char *sql, size_t *size)
{
	char *text = NULL;
	size_t n;
	FILE *f = memory_stream(&text, &n);

	fprintf(f,
		"SET SESSION sql_mode = 'STRICT_ALL_TABLES',"
		" tx_isolation = 'READ-COMMITTED', autocommit = 1,"
		" innodb_lock_wait_timeout = 5,"
		" idle_transaction_timeout = %d%s;"
		"SELECT @@max_allowed_packet;",
		LINK_IDLE_SECONDS,
		link->no_galera ? "" : ", wsrep_sync_wait = 1");
	fwrite(sql, 1, *size, f);
	fclose(f);
	*size = n;
	return text;
}

static int check_packet(struct link *link)
{
	if (link->packet >= LEAST_PACKET)
		return 0;
	link->trouble = LINK_REFUSED;
	return err_set(link->err, ERR_SYSTEM,
		"%s: max_allowed_packet is %zu: 64K is the least",
		link_place(link), link->packet);
}

static int connect_to(struct link *link)
{
	struct link_host *host = &link->hosts[link->at];
	const struct link_login *login = &link->login;
	int64_t start = stopwatch_usec();
	MYSQL *db = driver.mysql_init(NULL);

	if (!db)
		BUG("no memory");
	link->trouble = LINK_FINE;
	link->full = false;
	set_options(link, db);
	if (!driver.mysql_real_connect(db, host->host, login->user,
		    login->password, login->database, host->port, host->socket,
		    CLIENT_MULTI_STATEMENTS)) {
		failed(link, db);
		driver.mysql_close(db);
		return -1;
	}
	link->db = db;
	link->greeted = false;
	snprintf(host->version, sizeof(host->version), "%s",
		driver.mysql_get_server_info(db));
	host->ms = (double)(stopwatch_usec() - start) / 1e3;
	if (check_server(link)) {
		link_close(link);
		return -1;
	}
	*host->why = '\0';
	return 0;
}

/* Not all at the same moment again. */
static void wait_a_moment(struct link *link)
{
	int64_t began = stopwatch_usec();

	usleep((useconds_t)(FULL_USEC + began % FULL_USEC));
	link->patience -= stopwatch_usec() - began;
}

void link_close(struct link *link)
{
	if (link->db)
		driver.mysql_close(link->db);
	link->db = NULL;
}

/* ---- asking --------------------------------------------------------------*/

static int read_rows(MYSQL_RES *result, unsigned statement,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	struct link_row row = {.statement = statement,
		.n = driver.mysql_num_fields(result)};
	int rc = 0;

	while (!rc && each && (row.v = driver.mysql_fetch_row(result))) {
		row.sizes = driver.mysql_fetch_lengths(result);
		rc = each(&row, arg);
	}
	driver.mysql_free_result(result);
	return rc;
}

/* `before`: how many of the results are of with_settings. */
static int read_results(struct link *link, unsigned before,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	unsigned statement = 0;
	int more, rc = 0;

	do {
		MYSQL_RES *result = driver.mysql_store_result(link->db);

		if (result && statement < before)
			read_rows(result, statement++, take_packet, link);
		else if (result)
			rc = read_rows(result, statement++ - before,
				     rc ? NULL : each, arg) ||
			     rc;
		else if (driver.mysql_errno(link->db))
			return failed(link, link->db);
		more = driver.mysql_next_result(link->db);
	} while (!more);
	if (more > 0)
		return failed(link, link->db);
	if (rc)
		link->trouble = LINK_REFUSED;
	return rc ? -1 : before ? check_packet(link) : 0;
}

/* What the connection is set to goes with its first statements. */
static int run(struct link *link, const char *sql, size_t size,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	bool greets = !link->greeted;
	char *text = NULL;
	size_t n = size;
	int rc;

	link->trouble = LINK_FINE;
	link->code = 0;
	link->said = stopwatch_usec();
	link->greeted = true;
	if (greets)
		text = with_settings(link, sql, &n);
	rc = driver.mysql_real_query(link->db, text ? text : sql, n)
		     ? failed(link, link->db)
		     : read_results(link, greets, each, arg);
	free(text);
	if (!rc || link->code != ER_UNKNOWN_SYSTEM_VARIABLE || link->no_galera)
		return rc;
	link->no_galera = true;
	link->greeted = false;
	return run(link, sql, size, each, arg);
}

/* By one host after the other; `full`: one has no connection left. */
static int run_anywhere(struct link *link, const char *sql, size_t size,
	int (*each)(const struct link_row *, void *arg), void *arg, bool *full)
{
	*full = false;
	for (size_t i = 0; i < link->n_hosts; i++) {
		if (!connect_to(link) && !run(link, sql, size, each, arg))
			return 0;
		if (link->trouble != LINK_LOST)
			return -1;
		*full |= link->full;
		link->at = (link->at + 1) % link->n_hosts;
	}
	link->no_host = true;
	return -1;
}

int link_run(struct link *link, const char *sql, size_t size,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	bool full = false;
	int rc;

	link->no_host = false;
	if (link->db)
		return run(link, sql, size, each, arg);
	if (load(link))
		return -1;
	do {
		if (full)
			wait_a_moment(link);
		rc = run_anywhere(link, sql, size, each, arg, &full);
	} while (rc && link->no_host && full && link->patience > 0);
	return rc;
}

int link_try(struct link *link, size_t host)
{
	link_close(link);
	link->at = host;
	return any_failed(
		load(link) || connect_to(link) || link_exec(link, "DO 0"));
}

/* What it answers does not matter: the next statement fails, too. */
void link_keep(struct link *link)
{
	int64_t now = stopwatch_usec();

	if (!link->db || now - link->said < LINK_IDLE_SECONDS * 1000000 / 3)
		return;
	link->said = now;
	driver.mysql_query(link->db, "DO 0");
}

void link_quote(
	const struct link *link, FILE *sql, const void *bytes, size_t size)
{
	char *text = memory_resize(NULL, 2, size + 1);
	unsigned long n = driver.mysql_real_escape_string(
		link->db, text, bytes, size);

	fputs("_binary'", sql);
	fwrite(text, 1, n, sql);
	fputc('\'', sql);
	free(text);
}

#else

void link_keep(struct link *link)
{
	(void)link;
}

static int without(struct link *link)
{
	link->trouble = LINK_REFUSED;
	return err_set(link->err, ERR_USAGE,
		"StorageType=accounting_storage/bursar-log: this Bursar was "
		"built without MariaDB (libmariadb)");
}

int link_try(struct link *link, size_t host)
{
	(void)host;
	return without(link);
}

void link_close(struct link *link)
{
	(void)link;
}

int link_run(struct link *link, const char *sql, size_t size,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	(void)sql;
	(void)size;
	(void)each;
	(void)arg;
	return without(link);
}

void link_quote(
	const struct link *link, FILE *sql, const void *bytes, size_t size)
{
	(void)link;
	(void)sql;
	(void)bytes;
	(void)size;
}

#endif
