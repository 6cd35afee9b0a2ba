/*
 * Whole stores in the log: what it begins with, what a new replica begins with,
 * and what `sacctmgr restore` puts in place of everything; see log_parts.h.
 *
 * The pieces of one are written first, each by itself, and are invisible until
 * the row of bursar_snapshot. Pieces left by a killed process are removed a day
 * later.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "common/base/memory.h"
#include "common/base/notice.h"
#include "db/shared/shared_parts.h"
#include "db/store/changeset.h"
#include "db/file/files.h"
#include "db/file/pages.h"
#include "db/store/query.h"
#include "db/file/reason.h"
#include "db/file/sidefiles.h"

enum { PIECE = 1 << 20, DAY = 86400 };
/* What a new host takes in behind a snapshot is to take it half the time of the
 * snapshot, or half a second: microseconds of an entry and of a byte of one, and
 * bytes of a snapshot in a microsecond (measured, as both are kept). */
enum { ENTRY_USEC = 500, BYTE_USEC = 2, COPIED = 40, LEAST_USEC = 500000 };
enum { WHOLE_TRIES = 40, WHOLE_MS = 50 };
enum { DUPLICATE = 1062 }; /* of MariaDB */

/* A row of bursar_snapshot. */
struct snapshot {
	bool found;
	char token[TOKEN];
	int64_t number, version, size, pieces, position, checksum;
	int64_t packed; /* bytes in the log, of which `size` are made */
};

/* ---- a file into the log -------------------------------------------------*/

static size_t piece_room(const struct shared_log *log)
{
	return log->link.packet / 4 < PIECE ? log->link.packet / 4 : PIECE;
}

static int send_pieces(struct shared_log *log, FILE *file, const char *path,
	struct snapshot *s)
{
	size_t room = piece_room(log), n;
	char *piece = memory_resize(NULL, 1, room);
	int rc = 0;

	while (!rc && (n = fread(piece, 1, room, file)) > 0) {
		int kept;
		void *data = changeset_pack(piece, (int)n, &kept);

		s->checksum = (int64_t)crc32(
			(uLong)s->checksum, (Bytef *)piece, (uInt)n);
		s->size += (int64_t)n;
		s->packed += kept;
		rc = piece_write(
			log, s->token, ++s->pieces, data, (size_t)kept);
		free(data);
	}
	free(piece);
	if (!rc && ferror(file))
		rc = err_set(log->link.err, ERR_SYSTEM, "%s cannot be read: %s",
			path, strerror(errno));
	return rc;
}

static int send_file(
	struct shared_log *log, const char *path, struct snapshot *s)
{
	FILE *file = fopen(path, "re");
	int rc;

	if (!file)
		return err_set(log->link.err, ERR_SYSTEM,
			"%s cannot be read: %s", path, strerror(errno));
	token_make(s->token);
	s->version = store_schema_version();
	rc = send_pieces(log, file, path, s);
	fclose(file);
	return rc;
}

static void print_row(
	struct shared_log *log, FILE *sql, const struct snapshot *s)
{
	fprintf(sql, "INSERT INTO bursar_snapshot VALUES (%lld, '%s', ",
		(long long)s->number, s->token);
	link_quote_text(&log->link, sql, host_name());
	fprintf(sql, ", %lld, %lld, %lld, %lld, %lld, %lld)",
		(long long)time(NULL), (long long)s->version,
		(long long)s->size, (long long)s->pieces,
		(long long)s->position, (long long)s->checksum);
}

int snapshot_unmark(struct shared_log *log, const char *path)
{
	sqlite3 *db = NULL;
	int rc = sqlite3_open_v2(path, &db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = pages_unmark(db);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(
			db, "PRAGMA journal_mode = delete", NULL, NULL, NULL);
	sqlite3_close(db);
	return rc == SQLITE_OK ? 0
			       : reason_set(log->link.err, NULL, rc, "%s",
					 path);
}

/* Another host that began it at the same time was faster: its store it is. */
int snapshot_begin_log(struct shared_log *log, const char *file)
{
	struct snapshot s = {0};
	char site[TOKEN], *text = NULL;
	size_t size;
	FILE *sql;

	if (snapshot_unmark(log, file) || tables_make(log) || send_file(log, file, &s))
		return -1;
	token_make(site);
	s.position = s.checksum;
	sql = memory_stream(&text, &size);
	fprintf(sql,
		"START TRANSACTION; INSERT INTO bursar_head VALUES (1, '%s',"
		" %d, 0, %lld, %lld, 1, 0, %lld, 0, 0); ",
		site, LOG_FORMAT, (long long)s.position, (long long)s.version,
		(long long)s.packed);
	print_row(log, sql, &s);
	fputs("; COMMIT", sql);
	if (!link_run_stream(&log->link, sql, &text, &size, NULL, NULL))
		return 0;
	if (log->link.code != DUPLICATE && log->link.trouble != LINK_AGAIN)
		return -1;
	link_exec(&log->link, "ROLLBACK");
	return 0;
}

/* A copy that is of the newest version and no replica; it is the caller's to
 * remove. */
static char *copy_of(struct shared_log *log, sqlite3 *from, const char *path)
{
	char *copy = sidefiles_name_copy(log->link.err);
	int rc;

	if (!copy)
		return NULL;
	rc = pages_write(copy, from, false);
	if (rc == SQLITE_OK)
		return copy;
	reason_set(log->link.err, NULL, rc, "%s cannot be copied", path);
	sidefiles_remove_copy(copy);
	return NULL;
}

/* It is migrated as a store of its own. */
static int bring_up(struct shared_log *log, const char *path, const char *actor)
{
	const struct store_options options = {.path = path,
		.actor = actor,
		.cluster = log->cluster,
		.now = time(NULL),
		.mode = STORE_WRITE};
	struct store store;
	int rc;

	if (snapshot_unmark(log, path) ||
		store_open(&store, &options, log->link.err))
		return -1;
	rc = state_begin(&store);
	store_close(&store);
	return rc || snapshot_unmark(log, path) ? -1 : 0;
}

static char *prepare(
	struct shared_log *log, const char *file, const char *actor)
{
	sqlite3 *from = NULL;
	char *copy = NULL;
	int rc;

	rc = sqlite3_open_v2(file, &from,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		copy = copy_of(log, from, file);
	else
		reason_set(log->link.err, from, rc, "%s", file);
	sqlite3_close(from);
	if (copy && bring_up(log, copy, actor)) {
		sidefiles_remove_copy(copy);
		copy = NULL;
	}
	return copy;
}

/* The entry says that everything was replaced; the new contents are in the
 * snapshot of its number. */
static int add_whole(struct shared_log *log, struct snapshot *s,
	const char *actor, const char *command)
{
	struct shared_entry e = {.token = s->token,
		.host = host_name(),
		.actor = actor,
		.command = command,
		.time = time(NULL),
		.kind = SHARED_WHOLE,
		.version = s->version,
		.data = ""};
	char *row = NULL, head[200];
	size_t size;
	FILE *sql;
	int rc;

	if (head_read(log, true))
		return -1;
	s->number = e.number = log->head.number + 1;
	s->position = e.checksum = entry_checksum(
		log->head.site, log->head.checksum, &e);
	sql = memory_stream(&row, &size);
	print_row(log, sql, s);
	fputc(';', sql);
	fclose(sql);
	snprintf(head, sizeof(head),
		", first = %lld, snapshot = %lld, snapshot_size = %lld, bytes = 0",
		(long long)s->number, (long long)s->number,
		(long long)s->packed);
	e.also = row;
	e.also_head = head;
	rc = change_settle(log, &e);
	free(row);
	return rc;
}

/* Again where another host was faster. */
static int add_whole_once(struct shared_log *log, struct snapshot *s,
	const char *actor, const char *command)
{
	int tries = 0, rc;

	do {
		if (tries)
			sqlite3_sleep(WHOLE_MS);
		rc = add_whole(log, s, actor, command);
		if (rc)
			link_rollback(&log->link);
	} while (rc && log->link.trouble == LINK_AGAIN &&
		++tries < WHOLE_TRIES);
	return rc;
}

int snapshot_whole(struct shared_log *log, const char *file, const char *actor,
	const char *command)
{
	struct snapshot s = {0};
	char *copy = prepare(log, file, actor);
	int rc;

	if (!copy)
		return -1;
	if (!log->head.begun)
		rc = snapshot_begin_log(log, copy);
	else
		rc = send_file(log, copy, &s) ||
		     add_whole_once(log, &s, actor, command);
	sidefiles_remove_copy(copy);
	return rc ? -1 : 0;
}

/* ---- while the log grows -------------------------------------------------*/

static int publish(struct shared_log *log, const struct snapshot *s)
{
	char *text = NULL;
	size_t size;
	FILE *sql;

	if (head_read(log, true))
		return -1;
	if (log->head.snapshot >= s->number)
		return link_exec(&log->link, "ROLLBACK");
	sql = memory_stream(&text, &size);
	print_row(log, sql, s);
	fprintf(sql,
		"; UPDATE bursar_head SET snapshot = %lld, snapshot_size = %lld,"
		" snapshotting = 0, bytes = (SELECT COALESCE(SUM(size), 0)"
		" FROM bursar_log WHERE number > %lld)",
		(long long)s->number, (long long)s->packed,
		(long long)s->number);
	return head_commit(log, sql, &text, &size, "bursar_snapshot", s->token);
}

/* Deletes entries before the last snapshot but one, which only a replica far
 * behind would need. In portions, so that others do not wait. */
static int prune(struct shared_log *log)
{
	struct link *link = &log->link;
	int64_t number = -1, more = 1;

	if (link_ask(link, link_take_int, &number,
		    "SELECT number FROM bursar_snapshot ORDER BY number DESC"
		    " LIMIT 1, 1"))
		return -1;
	if (number < 0)
		return 0;
	if (link_ask(link, NULL, NULL,
		    "UPDATE bursar_head SET first = %lld WHERE first < %lld;"
		    "DELETE FROM bursar_snapshot WHERE number < %lld",
		    (long long)number + 1, (long long)number + 1,
		    (long long)number))
		return -1;
	while (more)
		if (chain_fold(log, number, &more))
			return -1;
	return link_ask(link, NULL, NULL,
		"DELETE FROM bursar_piece WHERE made < %lld AND owner NOT IN"
		" (SELECT token FROM bursar_log) AND owner NOT IN"
		" (SELECT token FROM bursar_snapshot)",
		(long long)time(NULL) - DAY);
}

static int write_one(struct shared_log *log, struct store *store)
{
	struct snapshot s = {0};
	struct mark mark;
	bool began = store_begin_read(store);
	char *copy = state_check(log, store) || mark_read(store, &mark)
			     ? NULL
			     : copy_of(log, store->db, log->path);
	int rc;

	store_end_read(store, began);
	if (!copy)
		return -1;
	s.number = mark.position;
	s.position = mark.checksum;
	rc = snapshot_unmark(log, copy) || send_file(log, copy, &s) ||
	     publish(log, &s) || prune(log);
	sidefiles_remove_copy(copy);
	return rc ? -1 : 0;
}

bool snapshot_is_due(const struct head *head, int64_t most_entries)
{
	int64_t most = head->snapshot_size / COPIED / 2;
	int64_t entries = head->number - head->snapshot;

	if (most < LEAST_USEC)
		most = LEAST_USEC;
	return head->snapshotting + 600 < head->now &&
	       (entries * ENTRY_USEC + head->bytes * BYTE_USEC > most ||
		       entries > most_entries);
}

/* Of those that find it due one writes it. */
static int claim(struct shared_log *log, int64_t *claimed)
{
	return link_ask(&log->link, link_take_int, claimed,
		"UPDATE bursar_head SET snapshotting = UNIX_TIMESTAMP()"
		" WHERE snapshotting + 600 < UNIX_TIMESTAMP();"
		"SELECT ROW_COUNT()");
}

int shared_tend(struct store *store)
{
	struct shared_log *log = shared_of(store);
	int64_t claimed = 0;

	if (!log || log->offline)
		return 0;
	if (head_read(log, false) || head_check(log, NULL))
		return -1;
	if (!snapshot_is_due(&log->head, log->snapshot_entries))
		return 0;
	if (claim(log, &claimed))
		return -1;
	return claimed == 1 ? write_one(log, store) : 0;
}

/* `sacctmgr ping` writes a snapshot that is due: here one that nobody waits for,
 * in a session of its own. */
void snapshot_begin_tending(void)
{
	static const char name[] = "sacctmgr";
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;
	pid_t child;
	int null;

	path[n < 0 ? 0 : n] = '\0';
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) + 1 + sizeof(name) > sizeof(path))
		return;
	memcpy(slash + 1, name, sizeof(name));
	child = fork();
	if (child > 0)
		waitpid(child, NULL, 0);
	if (child)
		return;
	null = open("/dev/null", O_RDWR);
	if (setsid() < 0 || fork() || null < 0)
		_exit(0);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close_range(3, ~0U, 0);
	(void)!nice(10);
	execl(path, name, "-Q", "ping", (char *)NULL);
	_exit(0);
}

/* ---- out of the log ------------------------------------------------------*/

static int take_snapshot(const struct link_row *row, void *arg)
{
	struct snapshot *s = arg;

	*s = (struct snapshot){.found = true,
		.number = link_int(row, 0),
		.version = link_int(row, 2),
		.size = link_int(row, 3),
		.pieces = link_int(row, 4),
		.position = link_int(row, 5),
		.checksum = link_int(row, 6)};
	snprintf(s->token, sizeof(s->token), "%s", row->v[1]);
	return 0;
}

static int find_snapshot(
	struct shared_log *log, const char *token, struct snapshot *s)
{
	if (link_ask(&log->link, take_snapshot, s,
		    "SELECT number, token, version, size, pieces, position,"
		    " checksum FROM bursar_snapshot%s%.32s%s"
		    " ORDER BY number DESC LIMIT 1",
		    token ? " WHERE token = '" : "", token ? token : "",
		    token ? "'" : ""))
		return -1;
	if (!s->found)
		return err_set(log->link.err, ERR_SYSTEM,
			"the log in %s has no snapshot to begin with: "
			"'sacctmgr restore FILE' with a backup gives it one",
			link_place(&log->link));
	if (s->version > store_schema_version())
		return shared_is_newer(
			log, "schema", s->version, store_schema_version());
	return 0;
}

struct receiving {
	struct shared_log *log;
	FILE *file;
	int64_t size, checksum;
};

static int receive_piece(const struct link_row *row, void *arg)
{
	struct receiving *r = arg;
	int size = 0;
	void *data = changeset_unpack(row->v[0], (int)row->sizes[0], &size,
		r->log->link.err);

	if (!data)
		return -1;
	r->checksum = (int64_t)crc32((uLong)r->checksum, data, (uInt)size);
	r->size += size;
	fwrite(data, 1, (size_t)size, r->file);
	free(data);
	return 0;
}

static int damaged(struct shared_log *log, const struct snapshot *s)
{
	return err_set(log->link.err, ERR_SYSTEM,
		"snapshot %lld of the log in %s is damaged: " MENDED_BY,
		(long long)s->number, link_place(&log->link));
}

static int receive(struct shared_log *log, const struct snapshot *s, FILE *file)
{
	struct receiving r = {log, file, 0, 0};

	for (int64_t part = 1; part <= s->pieces; part++)
		if (piece_read(log, s->token, part, receive_piece, &r))
			return log->link.trouble == LINK_REFUSED
				       ? damaged(log, s)
				       : -1;
	if (r.size != s->size || r.checksum != s->checksum)
		return damaged(log, s);
	return 0;
}

static int receive_file(
	struct shared_log *log, const struct snapshot *s, const char *path)
{
	FILE *file = fopen(path, "r+e");
	int rc = file ? receive(log, s, file) : 0;

	if (file && !fclose(file))
		return rc;
	return rc ? rc
		  : err_set(log->link.err, ERR_SYSTEM,
			    "%s cannot be written: %s", path, strerror(errno));
}

/* The file says of what it is a replica, before it is put in place. */
static int put_mark(
	struct shared_log *log, sqlite3 *db, const struct snapshot *s)
{
	char *sql = sqlite3_mprintf(
		"DELETE FROM replica; INSERT INTO replica"
		" (one, site, position, checksum) VALUES (1, %Q, %lld, %lld)",
		log->head.site, s->number, s->position);
	int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

	/* An older one has no such table. */
	sqlite3_exec(db,
		"UPDATE replica_state SET site = replica.site,"
		" position = replica.position FROM replica"
		" WHERE replica_state.position = -1",
		NULL, NULL, NULL);

	sqlite3_free(sql);
	return rc;
}

/* With the mode and group of a replica. */
static int open_new(const char *path, sqlite3 **db)
{
	return store_files_open(path, db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
			SQLITE_OPEN_NOMUTEX,
		true, false);
}

static int set_wal(sqlite3 *db)
{
	return sqlite3_exec(db, "PRAGMA journal_mode = wal", NULL, NULL, NULL);
}

static int not_made(struct shared_log *log, int rc)
{
	return reason_set(log->link.err, NULL, rc, "the replica %s cannot be made",
		log->path);
}

/* A new replica is written under another name, and takes its place when it is
 * complete: a program that is killed meanwhile leaves no half of one. `store`: in
 * place of what the open replica has. */
static int take_file(struct shared_log *log, struct store *store,
	const struct snapshot *s, const char *path)
{
	sqlite3 *db = NULL;
	int rc = open_new(path, &db);

	sqlite3_close(db);
	db = NULL;
	if (rc != SQLITE_OK)
		return not_made(log, rc);
	if (receive_file(log, s, path))
		return -1;
	rc = open_new(path, &db);
	if (rc == SQLITE_OK)
		rc = put_mark(log, db, s);
	if (rc == SQLITE_OK && store)
		rc = pages_copy(store->db, db);
	if (rc == SQLITE_OK)
		rc = set_wal(store ? store->db : db);
	sqlite3_close(db);
	if (rc != SQLITE_OK)
		return not_made(log, rc);
	return store ? 0 : replica_place(log, path);
}

int snapshot_load(
	struct shared_log *log, struct store *store, const char *token)
{
	struct snapshot s = {0};
	char path[PATH_MAX];
	int fd = -1, rc;

	if (!replica_may_make())
		return replica_denied(log);
	if (find_snapshot(log, token, &s) ||
		(store && (fd = replica_lock(log)) < 0))
		return -1;
	snprintf(path, sizeof(path), "%s.made", log->path);
	files_remove(path); /* of a program that was killed */
	rc = take_file(log, store, &s, path);
	files_remove(path);
	if (fd >= 0)
		close(fd);
	log->mark.position = s.number;
	log->mark.checksum = s.position;
	return rc ? -1 : 0;
}
