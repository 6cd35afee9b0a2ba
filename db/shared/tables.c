/*
 * The tables of a log, and its head; see log_parts.h.
 */
#include <string.h>
#include <time.h>

#include "db/shared/shared_parts.h"

enum { NO_SUCH_TABLE = 1146 }; /* of MariaDB */

static const char make[] =
	"CREATE TABLE IF NOT EXISTS bursar_head ("
	" one TINYINT NOT NULL PRIMARY KEY,"
	" site CHAR(32) CHARACTER SET ascii NOT NULL,"
	" format INT NOT NULL, number BIGINT NOT NULL,"
	" checksum BIGINT NOT NULL, version INT NOT NULL,"
	" first BIGINT NOT NULL, snapshot BIGINT NOT NULL,"
	" snapshot_size BIGINT NOT NULL, bytes BIGINT NOT NULL,"
	" snapshotting BIGINT NOT NULL) ENGINE=InnoDB;"
	"CREATE TABLE IF NOT EXISTS bursar_log ("
	" number BIGINT NOT NULL PRIMARY KEY,"
	" token CHAR(32) CHARACTER SET ascii NOT NULL UNIQUE,"
	" host VARBINARY(255) NOT NULL, actor VARBINARY(255) NOT NULL,"
	" time BIGINT NOT NULL, command MEDIUMBLOB NOT NULL,"
	" kind TINYINT NOT NULL, version INT NOT NULL, size BIGINT NOT NULL,"
	" pieces INT NOT NULL, changeset LONGBLOB NOT NULL,"
	" checksum BIGINT NOT NULL) ENGINE=InnoDB;"
	"CREATE TABLE IF NOT EXISTS bursar_snapshot ("
	" number BIGINT NOT NULL PRIMARY KEY,"
	" token CHAR(32) CHARACTER SET ascii NOT NULL UNIQUE,"
	" host VARBINARY(255) NOT NULL, time BIGINT NOT NULL,"
	" version INT NOT NULL, size BIGINT NOT NULL, pieces INT NOT NULL,"
	" position BIGINT NOT NULL, checksum BIGINT NOT NULL) ENGINE=InnoDB;"
	"CREATE TABLE IF NOT EXISTS bursar_piece ("
	" owner CHAR(32) CHARACTER SET ascii NOT NULL, part INT NOT NULL,"
	" made BIGINT NOT NULL, data LONGBLOB NOT NULL,"
	" PRIMARY KEY (owner, part)) ENGINE=InnoDB";

int tables_make(struct shared_log *log)
{
	return tables_check(log) || link_exec(&log->link, make) ? -1 : 0;
}

struct strangers {
	bool slurm;
	char name[80];
};

static int look_at_table(const struct link_row *row, void *arg)
{
	struct strangers *s = arg;
	const char *name = row->v[0] ? row->v[0] : "";

	if (!strncmp(name, "bursar_", 7))
		return 0;
	s->slurm |= !strcmp(name, "acct_coord_table") ||
		    !strcmp(name, "cluster_table");
	if (!*s->name)
		snprintf(s->name, sizeof(s->name), "%s", name);
	return 0;
}

int tables_check(struct shared_log *log)
{
	struct strangers s = {0};
	struct link *link = &log->link;

	if (link_ask(link, look_at_table, &s,
		    "SELECT table_name FROM information_schema.tables"
		    " WHERE table_schema = DATABASE() ORDER BY table_name"))
		return -1;
	if (!*s.name)
		return 0;
	link->trouble = LINK_REFUSED;
	if (s.slurm)
		return err_set(link->err, ERR_SYSTEM,
			"%s is a database of slurmdbd: the log needs one of "
			"its own (StorageLoc in %s)",
			link_place(link), log->conf);
	return err_set(link->err, ERR_SYSTEM,
		"%s holds tables of another program (%s): the log needs a "
		"database of its own (StorageLoc in %s)",
		link_place(link), s.name, log->conf);
}

static int take_head(const struct link_row *row, void *arg)
{
	struct head *head = arg;

	if (row->n < 11)
		return 0;
	*head = (struct head){.begun = true,
		.format = link_int(row, 1),
		.number = link_int(row, 2),
		.checksum = link_int(row, 3),
		.version = link_int(row, 4),
		.first = link_int(row, 5),
		.snapshot = link_int(row, 6),
		.snapshot_size = link_int(row, 7),
		.bytes = link_int(row, 8),
		.snapshotting = link_int(row, 9),
		.now = link_int(row, 10)};
	snprintf(head->site, sizeof(head->site), "%s", row->v[0]);
	return 0;
}

#define HEAD                                                                   \
	"SELECT site, format, number, checksum, version, first, snapshot,"     \
	" snapshot_size, bytes, snapshotting, UNIX_TIMESTAMP()"                \
	" FROM bursar_head WHERE one = 1"

int head_read(struct shared_log *log, bool lock)
{
	struct link *link = &log->link;

	log->head = (struct head){0};
	log->holds = lock;
	if (!link_ask(link, take_head, &log->head, "%s" HEAD "%s",
		    lock ? "START TRANSACTION; " : "", lock ? " FOR UPDATE" : ""))
		return 0;
	log->holds = lock && link->db;
	return link->code == NO_SUCH_TABLE ? tables_check(log) : -1;
}

const char *clock_wrong(struct shared_log *log)
{
	int64_t behind = log->head.now - time(NULL);
	int64_t by = behind < 0 ? -behind : behind;

	if (by <= CLOCK_SECONDS)
		return NULL;
	return arena_printf(log->arena,
		"the clock of this host (%s) is %lld seconds %s that of %s",
		host_name(), (long long)by, behind > 0 ? "behind" : "ahead of",
		log->link.hosts[log->link.at].name);
}

int shared_is_newer(
	struct shared_log *log, const char *what, int64_t there, int64_t here)
{
	return err_set(log->link.err, ERR_SYSTEM,
		"the log in %s was written by a newer Bursar (%s %lld, this "
		"one knows %lld): use that version",
		link_place(&log->link), what, (long long)there,
		(long long)here);
}

int head_check(struct shared_log *log, const struct mark *mark)
{
	const struct head *head = &log->head;
	const char *place = link_place(&log->link);
	struct err *err = log->link.err;

	log->link.trouble = LINK_REFUSED;
	if (!head->begun && mark)
		return err_set(err, ERR_SYSTEM,
			"the log is gone from %s: 'sacctmgr --offline backup "
			"FILE' on the host with the newest replica and "
			"'sacctmgr restore FILE' begin it again",
			place);
	if (!head->begun)
		return err_set(err, ERR_SYSTEM,
			"there is no log in %s yet; 'sacctmgr add account "
			"...' begins one, 'sacctmgr restore FILE' one with a "
			"store that there is",
			place);
	if (head->format > LOG_FORMAT)
		return shared_is_newer(log, "format", head->format, LOG_FORMAT);
	if (head->version > store_schema_version())
		return shared_is_newer(
			log, "schema", head->version, store_schema_version());
	if (mark && strcmp(mark->site, head->site))
		return err_set(err, ERR_SYSTEM,
			"%s is the log of another site than the replica %s: "
			"name the right database in %s, or remove the replica",
			place, log->path, log->conf);
	log->link.trouble = LINK_FINE;
	return 0;
}
