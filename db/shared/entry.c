/*
 * Entries of the log; see log_parts.h. The checksum of each covers the checksum
 * of the one before: missing entries, and entries of another log, show up like
 * altered ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "common/base/memory.h"
#include "db/shared/shared_parts.h"

/* A piece is at most this large, and at most a third of what one question may
 * have: what is quoted takes up to twice the room. */
enum { MOST_PIECE = 1 << 22, FIRST_PIECE = 1 << 18, BATCH = 100 };

void token_make(char token[TOKEN])
{
	unsigned char bytes[16];
	size_t got = 0;

	while (got < sizeof(bytes)) {
		ssize_t n = getrandom(bytes + got, sizeof(bytes) - got, 0);

		if (n < 0 && errno != EINTR)
			BUG("no random numbers");
		got += n > 0 ? (size_t)n : 0;
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
}

const char *host_name(void)
{
	static char name[256];

	if (!*name && gethostname(name, sizeof(name) - 1))
		snprintf(name, sizeof(name), "localhost");
	return name;
}

int64_t entry_checksum(
	const char *site, int64_t before, const struct shared_entry *e)
{
	char *text = NULL;
	size_t size;
	FILE *f = memory_stream(&text, &size);
	uLong sum;

	fprintf(f, "%s\n%lld\n%lld\n%s\n%s\n%s\n%lld\n%s\n%lld\n%lld\n%lld\n",
		site, (long long)before, (long long)e->number, e->token,
		e->host, e->actor, (long long)e->time, e->command,
		(long long)e->kind, (long long)e->version, (long long)e->size);
	fclose(f);
	sum = crc32(0, (const Bytef *)text, (uInt)size);
	sum = crc32(sum, e->data, (uInt)e->size);
	free(text);
	return (int64_t)sum;
}

/* ---- reading -------------------------------------------------------------*/

struct entries_reading {
	struct arena *arena;
	struct shared_entries *entries;
};

/* A cut one has fewer bytes than it says. */
static void take_data(struct shared_entry *e, const struct link_row *row,
	unsigned column, struct arena *arena)
{
	size_t size = row->v[column] ? row->sizes[column] : 0;
	size_t room = e->size > 0 && e->size <= INT32_MAX ? (size_t)e->size : 0;

	e->data = arena_alloc(arena, room + 1);
	memset(e->data, 0, room + 1);
	e->got = size < room ? size : room;
	if (e->got)
		memcpy(e->data, row->v[column], e->got);
}

static const char *text_of(
	const struct link_row *row, unsigned column, struct arena *arena)
{
	return row->v[column] ? arena_strdup(arena, row->v[column]) : "";
}

static int take_entry(const struct link_row *row, void *arg)
{
	struct entries_reading *r = arg;
	struct shared_entry *e = ARENA_PUSH(
		r->arena, r->entries->v, r->entries->n, r->entries->cap);

	*e = (struct shared_entry){.number = link_int(row, 0),
		.token = text_of(row, 1, r->arena),
		.host = text_of(row, 2, r->arena),
		.actor = text_of(row, 3, r->arena),
		.time = link_int(row, 4),
		.command = text_of(row, 5, r->arena),
		.kind = link_int(row, 6),
		.version = link_int(row, 7),
		.size = link_int(row, 8),
		.pieces = link_int(row, 9),
		.checksum = link_int(row, 11)};
	take_data(e, row, 10, r->arena);
	return 0;
}

static int take_piece(const struct link_row *row, void *arg)
{
	struct shared_entry *e = arg;
	size_t room = (size_t)e->size - e->got, size = row->sizes[0];

	if (size > room)
		size = room;
	memcpy((char *)e->data + e->got, row->v[0], size);
	e->got += size;
	return 0;
}

int piece_read(struct shared_log *log, const char *token, int64_t part,
	int (*each)(const struct link_row *, void *arg), void *arg)
{
	return link_ask(&log->link, each, arg,
		"SELECT data FROM bursar_piece WHERE owner = '%.32s'"
		" AND part = %lld",
		token, (long long)part);
}

static int read_pieces(struct shared_log *log, struct shared_entry *e)
{
	for (int64_t part = 1;
		part <= e->pieces && (size_t)e->size > e->got; part++)
		if (piece_read(log, e->token, part, take_piece, e))
			return -1;
	return 0;
}

int entries_read(struct shared_log *log, int64_t after, int64_t upto,
	struct arena *arena, struct shared_entries *entries)
{
	struct entries_reading r = {arena, entries};

	*entries = (struct shared_entries){0};
	if (link_ask(&log->link, take_entry, &r,
		    "SELECT number, token, host, actor, time, command, kind,"
		    " version, size, pieces, changeset, checksum"
		    " FROM bursar_log WHERE number > %lld AND number <= %lld"
		    " ORDER BY number LIMIT %d",
		    (long long)after, (long long)upto, BATCH))
		return -1;
	for (size_t i = 0; i < entries->n; i++)
		if (entries->v[i].pieces && read_pieces(log, &entries->v[i]))
			return -1;
	return 0;
}

/* ---- what is left of those that were pruned -------------------------------*/

/* Checksums of entries without a gap, four bytes each, the highest first, are a
 * piece of this owner; its part is the number of the first. So a replica that was
 * away for long finds out whether it is of the same log. */
#define CHAIN "chain"
#define KEPT "4102444800" /* never left over from a killed process */
enum { FOLDED = 1000, MOST_CHAIN = 1000000 };

struct chain {
	unsigned char v[4 * FOLDED];
	int64_t first, n;
};

static int take_link(const struct link_row *row, void *arg)
{
	struct chain *c = arg;
	int64_t number = link_int(row, 0), checksum = link_int(row, 1);

	if (!c->n)
		c->first = number;
	if (number != c->first + c->n)
		return 0;
	for (int i = 0; i < 4; i++)
		c->v[4 * c->n + i] = (unsigned char)(checksum >> (24 - 8 * i));
	c->n++;
	return 0;
}

int chain_fold(struct shared_log *log, int64_t upto, int64_t *more)
{
	struct chain c = {.n = 0};
	char *text = NULL;
	size_t size;
	FILE *f;

	if (link_ask(&log->link, take_link, &c,
		    "SELECT number, checksum FROM bursar_log"
		    " WHERE number <= %lld ORDER BY number LIMIT %d",
		    (long long)upto, FOLDED))
		return -1;
	*more = c.n;
	if (!c.n)
		return 0;
	f = memory_stream(&text, &size);
	fprintf(f, "REPLACE INTO bursar_piece VALUES ('" CHAIN "', %lld, " KEPT ", ",
		(long long)c.first);
	link_quote(&log->link, f, c.v, (size_t)(4 * c.n));
	fprintf(f,
		"); DELETE FROM bursar_log WHERE number < %lld;"
		" DELETE FROM bursar_piece WHERE owner = '" CHAIN
		"' AND part < %lld",
		(long long)(c.first + c.n),
		(long long)(c.first - MOST_CHAIN));
	return link_run_stream(&log->link, f, &text, &size, NULL, NULL);
}

struct link_wanted {
	int64_t number, checksum;
	bool found;
};

/* A checksum, or a part and its piece. */
static int take_found(const struct link_row *row, void *arg)
{
	struct link_wanted *w = arg;
	int64_t at;

	if (row->n == 1) {
		w->checksum = link_int(row, 0);
		w->found = true;
		return 0;
	}
	at = 4 * (w->number - link_int(row, 0));
	if (w->found || at < 0 || at + 4 > (int64_t)row->sizes[1])
		return 0;
	for (int i = 0; i < 4; i++)
		w->checksum = w->checksum << 8 | (unsigned char)row->v[1][at + i];
	w->found = true;
	return 0;
}

int chain_find(struct shared_log *log, int64_t number, int64_t *checksum)
{
	struct link_wanted w = {.number = number};

	if (link_ask(&log->link, take_found, &w,
		    "SELECT position FROM bursar_snapshot WHERE number = %lld;"
		    "SELECT checksum FROM bursar_log WHERE number = %lld;"
		    "SELECT part, data FROM bursar_piece WHERE owner = '" CHAIN
		    "' AND part <= %lld ORDER BY part DESC LIMIT 1",
		    (long long)number, (long long)number, (long long)number))
		return -1;
	*checksum = w.checksum;
	return w.found;
}

/* ---- writing -------------------------------------------------------------*/

static size_t piece_size(const struct shared_log *log, size_t part)
{
	size_t most = part ? MOST_PIECE : FIRST_PIECE;

	return most < log->link.packet / 3 ? most : log->link.packet / 3;
}

int piece_write(struct shared_log *log, const char *token, int64_t part,
	const void *data, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *sql = memory_stream(&text, &size);

	fprintf(sql, "INSERT INTO bursar_piece VALUES ('%s', %lld, %lld, ",
		token, (long long)part, (long long)time(NULL));
	link_quote(&log->link, sql, data, n);
	fputc(')', sql);
	return link_run_stream(&log->link, sql, &text, &size, NULL, NULL);
}

/* What does not fit the row goes before it. */
static int write_pieces(struct shared_log *log, const struct shared_entry *e)
{
	size_t size = (size_t)e->size, at = piece_size(log, 0), n;

	for (int64_t part = 1; at < size; part++, at += n) {
		n = piece_size(log, 1);
		if (n > size - at)
			n = size - at;
		if (piece_write(log, e->token, part, (char *)e->data + at, n))
			return -1;
	}
	return 0;
}

static int64_t count_pieces(const struct shared_log *log, size_t size)
{
	size_t first = piece_size(log, 0), more = piece_size(log, 1);

	return size <= first ? 0 : (int64_t)((size - first + more - 1) / more);
}

struct committing {
	bool begun; /* all before the COMMIT was done */
	int64_t there;
};

static int take_committing(const struct link_row *row, void *arg)
{
	struct committing *c = arg;

	c->begun = true;
	c->there = row->statement ? link_int(row, 0) : 0;
	return 0;
}

/* Galera may end a transaction between two statements of one packet: the next one
 * is then carried out by itself, and must do nothing; and a COMMIT of nothing
 * succeeds. So at last it is looked whether the row is there. What goes wrong
 * before the COMMIT stops the packet; what does so later may be the COMMIT or that
 * look. */
int head_commit(struct shared_log *log, FILE *sql, char **text, size_t *size,
	const char *what, const char *token)
{
	struct link *link = &log->link;
	struct committing c = {.begun = false};
	int rc;

	fprintf(sql,
		" WHERE one = 1 AND EXISTS (SELECT 1 FROM %s WHERE token = '%s');"
		" SELECT 0; COMMIT; SELECT COUNT(*) FROM %s WHERE token = '%s'",
		what, token, what, token);
	rc = link_run_stream(link, sql, text, size, take_committing, &c);
	if (rc) {
		link->trouble = c.begun ? LINK_LOST : link->trouble;
		return -1;
	}
	log->holds = false;
	if (c.there)
		return 0;
	link->trouble = LINK_AGAIN;
	return err_set(link->err, ERR_SYSTEM, "another host was faster");
}

int entry_commit(struct shared_log *log, const struct shared_entry *e)
{
	struct link *link = &log->link;
	size_t first = piece_size(log, 0), size, n = (size_t)e->size;
	char *text = NULL;
	FILE *sql;

	if (state_tell(log, e->number) || write_pieces(log, e))
		return -1;
	sql = memory_stream(&text, &size);
	fprintf(sql, "INSERT INTO bursar_log VALUES (%lld, '%s', ",
		(long long)e->number, e->token);
	link_quote_text(link, sql, e->host);
	fputs(", ", sql);
	link_quote_text(link, sql, e->actor);
	fprintf(sql, ", %lld, ", (long long)e->time);
	link_quote_text(link, sql, e->command);
	fprintf(sql, ", %lld, %lld, %lld, %lld, ", (long long)e->kind,
		(long long)e->version, (long long)e->size,
		(long long)count_pieces(log, n));
	link_quote(link, sql, e->data, n < first ? n : first);
	fprintf(sql,
		", %lld);%s UPDATE bursar_head SET number = %lld,"
		" checksum = %lld, version = %lld, bytes = bytes + %lld%s",
		(long long)e->checksum, e->also ? e->also : "",
		(long long)e->number, (long long)e->checksum,
		(long long)e->version, (long long)e->size,
		e->also_head ? e->also_head : "");
	return head_commit(log, sql, &text, &size, "bursar_log", e->token);
}
