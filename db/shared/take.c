/*
 * Taking in what is new in the log, and what is done where it cannot be asked;
 * see log_parts.h.
 */
#include <sqlite3.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/notice.h"
#include "common/base/stopwatch.h"
#include "common/table/json.h"
#include "db/shared/shared_parts.h"
#include "db/shared/spool.h"
#include "db/file/files.h"
#include "db/file/queue.h"
#include "db/store/migrations.h"
#include "db/store/query.h"

/* ---- how far the replica is ----------------------------------------------*/

int mark_read(struct store *store, struct mark *mark)
{
	struct query q;

	*mark = (struct mark){0};
	if (query_open(&q, store,
		    "SELECT site, position, checksum FROM replica"))
		return -1;
	if (query_row(&q)) {
		mark->found = true;
		snprintf(mark->site, sizeof(mark->site), "%s",
			query_text(&q, 0));
		mark->position = query_int(&q, 1);
		mark->checksum = query_int(&q, 2);
	}
	return query_close(&q);
}

int mark_set(struct store *store, int64_t position, int64_t checksum)
{
	return store_run(store,
		"UPDATE replica SET position = :position,"
		" checksum = :checksum, applying = 0",
		bind_int(":position", position),
		bind_int(":checksum", checksum));
}

/* ---- one entry -----------------------------------------------------------*/

/* This host's replica, unless it was just made, and so is right. */
static int take_altered(struct shared_log *log, const struct shared_entry *e)
{
	if (!strcmp(e->command, log->altered_host))
		*log->altered_host = '\0';
	if (log->fresh || strcmp(e->command, host_name()) != 0)
		return 0;
	log->altered = true;
	return replica_spoil(log,
		"it was changed past the log: an entry that it wrote does not "
		"fit the other replicas");
}

void take_report(struct shared_log *log, struct store *store)
{
	struct err kept = *store->err;

	if (*log->altered_host)
		notice("%s", log->unfit_text);
	if (*log->altered_host && store->shared_log && !store->read_only)
		store_note_kind(store, SHARED_ALTERED, log->altered_host);
	*log->altered_host = '\0';
	*store->err = kept;
}

static int take_one(struct shared_log *log, struct store *store,
	const struct shared_entry *e)
{
	if (e->version > store_schema_version())
		return shared_is_newer(
			log, "schema", e->version, store_schema_version());
	if (e->kind == SHARED_MIGRATION) {
		state_forget(log);
		return schema_migrate(store, e->version);
	}
	if (e->kind == SHARED_PURGE)
		return entry_apply_purge(log, store, e);
	if (e->kind == SHARED_ALTERED)
		return take_altered(log, e);
	return entry_apply(log, store, e);
}

/* Those that are to follow the replica's position. Where the first does not
 * fit, the replica may be of what the log once was: see take_past. */
static int check_entry(struct shared_log *log, const struct shared_entry *e)
{
	log->damaged_entry = e->number;
	if (e->number != log->mark.position + 1)
		return entry_damaged(log, e, "the one before it is missing");
	if (e->got != (size_t)e->size)
		return entry_damaged(log, e, "it is cut");
	if (entry_checksum(log->mark.site, log->mark.checksum, e) !=
		e->checksum)
		return entry_damaged(log, e, "its checksum is wrong");
	log->damaged_entry = 0;
	return 0;
}

static bool goes_into_one(const struct shared_entry *e)
{
	return e->kind == SHARED_CHANGE || e->kind == SHARED_MIGRATION ||
	       e->kind == SHARED_PURGE || e->kind == SHARED_ALTERED;
}

enum { OVER = 1 }; /* log->until */

/* Who reads does not wait for all that others did. */
static bool is_over(const struct shared_log *log)
{
	return log->until && stopwatch_usec() > log->until;
}

/* A fifth of a second: who reads leaves it to a program of its own. */
static bool is_for_another(struct shared_log *log, const struct shared_entry *e)
{
	if (!log->until || e->size <= READER_BYTES)
		return false;
	snapshot_begin_tending();
	log->until = OVER;
	return true;
}

int take_entries(struct shared_log *log, struct store *store,
	const struct shared_entries *entries)
{
	struct mark *mark = &log->mark;

	for (size_t i = 0; i < entries->n; i++) {
		const struct shared_entry *e = &entries->v[i];

		if (e->number <= mark->position)
			continue;
		if (check_entry(log, e))
			return -1;
		if (!goes_into_one(e))
			return 1;
		if (is_for_another(log, e))
			break;
		if (!store->taken_in &&
			(state_read(log, store) ||
				store_exec(store,
					"UPDATE replica SET applying = 1")))
			return -1;
		store->times_taken += !store->taken_in;
		store->taken_in = true;
		if (take_one(log, store, e) || state_compare(log, e->number))
			return -1;
		mark->position = e->number;
		mark->checksum = e->checksum;
		log->taken_time = e->time;
		if (is_over(log))
			break;
	}
	if (!store->taken_in)
		return 0;
	return state_write(log, store, mark->position) ||
			       mark_set(store, mark->position, mark->checksum)
		       ? -1
		       : 0;
}

/* ---- all that is new -----------------------------------------------------*/

enum { LINE_MS = 20000 };

/* In line with those who change something: who waits there holds no connection,
 * for the first may need one. 1: who reads has waited long enough. */
static int begin(struct store *store)
{
	bool reads = shared_of(store)->until;
	int ms = reads ? TAKE_USEC / 1000 : LINE_MS;

	store->taken_in = false;
	store->place = queue_enter_alone(store->path);
	if (!store->place) {
		link_close(&shared_of(store)->link);
		store->place = queue_enter(store->path, &ms);
	}
	if (reads && !ms)
		return 1;
	return store_exec(store, "BEGIN IMMEDIATE") ||
			       mark_read(store, &shared_of(store)->mark)
		       ? -1
		       : 0;
}

static void leave(struct store *store)
{
	queue_leave(store->place);
	store->place = 0;
}

static int finish(struct store *store, int rc)
{
	if (rc < 0 || store_exec(store, "COMMIT")) {
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
		rc = -1;
	}
	leave(store);
	return rc;
}

/* The entry behind the mark that goes into no transaction of ours. */
static int take_special(struct shared_log *log, struct store *store,
	const struct shared_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++) {
		const struct shared_entry *e = &entries->v[i];

		if (e->number != log->mark.position + 1)
			continue;
		if (e->kind == SHARED_WHOLE)
			return snapshot_load(log, store, e->token);
		return err_set(store->err, ERR_SYSTEM,
			"entry %lld of the log in %s is of a kind (%lld) that "
			"this Bursar does not know: use a newer one",
			(long long)e->number, link_place(&log->link),
			(long long)e->kind);
	}
	return 0;
}

/* What the replica has the log has not: it was put back to an earlier state,
 * and perhaps others have written since. */
static int went_back(struct shared_log *log)
{
	log->went_back = true;
	return replica_spoil(log,
		"the log in %s was put back to an earlier state, and is not "
		"what it was at entry %lld",
		link_place(&log->link), (long long)log->mark.position);
}

/* A snapshot in place of the replica, if that is of the same log. */
static int take_snapshot(struct shared_log *log, struct store *store)
{
	int64_t at = log->mark.position, checksum = 0;
	int known = at ? chain_find(log, at, &checksum) : 0;

	if (known < 0)
		return -1;
	return !at || (known && checksum == log->mark.checksum)
		       ? snapshot_load(log, store, NULL)
		       : went_back(log);
}

/* An entry is damaged, or the replica is of what the log once was. Hosts that
 * are past the entry have all: the next snapshot of one helps this one, and is
 * asked for. */
static int take_past(struct shared_log *log, struct store *store)
{
	struct err why = *store->err;
	int64_t checksum = 0;
	int known;

	if (mark_read(store, &log->mark))
		return -1;
	known = chain_find(log, log->mark.position, &checksum);
	if (known < 0)
		return -1;
	if (known && checksum != log->mark.checksum)
		return went_back(log);
	if (log->head.snapshot >= log->damaged_entry)
		return snapshot_load(log, store, NULL);
	link_exec(&log->link,
		"UPDATE bursar_head SET bytes = bytes + 1099511627776"
		" WHERE bytes < 1099511627776");
	*store->err = why;
	log->link.trouble = LINK_REFUSED;
	return -1;
}

static int take_batch(
	struct shared_log *log, struct store *store, struct arena *arena)
{
	struct shared_entries entries;
	int64_t before = log->mark.position;
	int rc;

	if (before < log->head.first - 1)
		return take_snapshot(log, store);
	if (entries_read(log, before, log->head.number, arena, &entries))
		return -1;
	/* They may have been pruned since the head was read. */
	if (!entries.n || entries.v[0].number != before + 1) {
		if (head_read(log, false))
			return -1;
		if (before < log->head.first - 1)
			return take_snapshot(log, store);
	}
	log->damaged_entry = 0;
	rc = begin(store);
	if (rc > 0) {
		leave(store);
		log->until = OVER;
		return 0;
	}
	rc = rc ? -1 : take_entries(log, store, &entries);
	rc = finish(store, rc);
	if (rc < 0 && log->damaged_entry)
		return take_past(log, store);
	if (rc > 0)
		rc = take_special(log, store, &entries);
	if (!rc && log->mark.position == before && log->until != OVER)
		return err_set(store->err, ERR_SYSTEM,
			"the log in %s lacks entry %lld: " MENDED_BY,
			link_place(&log->link), (long long)before + 1);
	return rc;
}

static int take_all(struct shared_log *log, struct store *store)
{
	struct arena arena;
	int rc = 0;

	arena_init(&arena);
	log->until = log->reads && !log->fresh ? stopwatch_usec() + TAKE_USEC : 0;
	while (!rc && log->mark.position < log->head.number && !is_over(log)) {
		arena_reset(&arena);
		rc = take_batch(log, store, &arena);
	}
	arena_release(&arena);
	return rc;
}

/* ---- when the log cannot be asked ----------------------------------------*/

/* "2026-11-22T16:00:00 (35 minutes ago)", or that it is unknown; a document gets
 * the same. */
static void tell_time(int64_t at, const char *why)
{
	char when[32], age[64];
	int64_t now = time(NULL);
	struct tm tm;

	at = at <= now ? at : 0;
	json_note_age(at, at ? now - at : -1, why);
	localtime_r(&(time_t){at}, &tm);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &tm);
	age_text(now - at, age, sizeof(age));
	notice("answered from the replica as of %s%s%s%s, because %s",
		at ? when : "an unknown time", at ? " (" : "", at ? age : "",
		at ? " ago)" : "", why);
}

static void tell_age(struct shared_log *log, const char *why)
{
	struct last_asked asked;

	asked_read(log, &asked);
	tell_time(asked.asked, why);
}

static const char *not_taken_in(struct shared_log *log, const char *why)
{
	return arena_printf(log->arena,
		"the replica %s cannot take in what is new in the log (%s)",
		log->path, why);
}

/* How many entries were left for the next program. */
static int64_t tell_behind(struct shared_log *log)
{
	int64_t behind = log->head.number - log->mark.position;
	struct last_asked asked;

	if (behind <= 0)
		return behind;
	asked_read(log, &asked);
	tell_time(log->taken_time ? log->taken_time : asked.asked,
		arena_printf(log->arena,
			"%lld changes of others are still to be taken in",
			(long long)behind));
	return behind;
}

/* Makes the store read-only and tells the user why, and of when the replica
 * is. */
static void take_stale(
	struct shared_log *log, struct store *store, const char *why)
{
	if (!log->writes)
		tell_age(log, why);
	store_refuse(store,
		arena_printf(log->arena,
			"nothing can be changed while %s", why));
}

const char *shared_unasked(struct shared_log *log)
{
	char reasons[400];

	snprintf(log->reasons, sizeof(log->reasons),
		"the log cannot be asked (%s)",
		link_reasons(&log->link, reasons, sizeof(reasons)));
	return log->reasons;
}

/* ---- a look --------------------------------------------------------------*/

/* Was it asked in vain, and is not to be asked again yet? */
static bool is_down(const struct last_asked *asked, int64_t now)
{
	return asked->failed <= now && asked->failed + asked->wait > now;
}

/* 1: the log was asked a moment ago, by this or another program of this host.
 */
static int is_recent(struct shared_log *log, struct store *store)
{
	struct last_asked asked;
	int64_t now = time(NULL);

	asked_read(log, &asked);
	if (asked.spoiled && asked.spoiled == log->file)
		return replica_spoil(log, "damaged");
	if (!log->link.db)
		log->link.at = host_first(log, &asked);
	if (!log->reads)
		return 0;
	if (log->poll && asked.asked <= now && asked.asked + log->poll > now)
		return 1;
	if (!is_down(&asked, now)) {
		/* One tries again, the others of this host do not wait. */
		if (asked.failed && asked.wait) {
			asked.failed = now;
			asked_write(log, &asked);
		}
		return 0;
	}
	take_stale(log, store, *asked.why ? asked.why
		: "the log could not be asked a moment ago");
	return 1;
}

/* `why` it was asked in vain, NULL: it was not; `began`: stopwatch_usec(). What
 * costs a program long is not tried again soon: a server that accepts and never
 * answers takes a twentieth of the time at most. */
static void note_asked(struct shared_log *log, const char *why, int64_t began)
{
	int64_t wait = RETRY_PER_SECOND * (stopwatch_usec() - began) / 1000000;
	int64_t least = log->link.no_host ? RETRY_SECONDS : 0;
	struct last_asked asked;

	asked_read(log, &asked);
	asked.failed = why ? time(NULL) : 0;
	if (why) {
		asked.wait = wait > least ? wait : least;
		asked.erred = asked.failed;
		snprintf(asked.why, sizeof(asked.why), "%s", why);
	} else {
		asked.asked = time(NULL);
		if (*log->link.hosts[0].why && log->link.at)
			asked.moved = asked.asked;
		asked.host = (unsigned)log->link.at;
	}
	asked_write(log, &asked);
}

/* The replica is further than the log, or as far and is not what that is. */
static int check_mark(struct shared_log *log)
{
	const struct mark *mark = &log->mark;

	return mark->position < log->head.number ||
			       (mark->position == log->head.number &&
				       mark->checksum == log->head.checksum)
		       ? 0
		       : went_back(log);
}

/* Who changes something is refused. */
static void tell_clock(struct shared_log *log)
{
	const char *wrong = log->reads ? clock_wrong(log) : NULL;

	if (wrong)
		notice("%s: times and usage are as by this host's; set both by "
		       "NTP",
			wrong);
}

static int ask(struct shared_log *log, struct store *store)
{
	if (head_read(log, false) || head_check(log, &log->mark) ||
		check_mark(log))
		return -1;
	tell_clock(log);
	if (log->mark.position == log->head.number)
		return 0;
	if (store->read_only && !store->refusal) {
		tell_age(log,
			not_taken_in(log, store_files_access(log->path, W_OK)
						  ? "you may not write it"
						  : "no room on its disk"));
		return 0;
	}
	return take_all(log, store);
}

/* A host that goes away in the middle is followed by the next. */
static int ask_any(struct shared_log *log, struct store *store)
{
	for (size_t i = 0; i <= log->link.n_hosts; i++) {
		int rc = ask(log, store);

		if (!rc || log->spoiled || log->link.no_host ||
			log->link.trouble == LINK_FINE ||
			log->link.trouble == LINK_REFUSED)
			return rc;
		host_lost(log);
	}
	log->link.no_host = true;
	return -1;
}

/* The log is there, the replica cannot be written: its disk is full, or another
 * program holds it for long. */
static bool is_full(const struct shared_log *log, const struct store *store)
{
	return !log->link.no_host && store->err->kind == ERR_STORE;
}

/* Whatever is wrong with the server, the database or the log: who looks is
 * answered from what there is, who wants to change something is told why not. */
static int answer_stale(
	struct shared_log *log, struct store *store, const char *why)
{
	bool full = is_full(log, store);

	if (full && !log->reads)
		return -1;
	take_stale(log, store, full ? not_taken_in(log, why) : why);
	*store->err = (struct err){0};
	return 0;
}

/* What waits in the spool is carried out by a program of its own, unless one is
 * about it: who only reads does not wait for it. */
static void begin_delivery(struct shared_log *log)
{
	struct err ignored;
	struct spool spool;

	if (!spool_find(&spool, log) || !spool_waits(&spool) ||
		spool_hold(&spool, 0, &ignored))
		return;
	spool_release(&spool);
	snapshot_begin_tending();
}

int take_refresh(struct store *store)
{
	struct shared_log *log = shared_of(store);
	int64_t began = stopwatch_usec(), behind = 0;
	const char *why;
	int rc;

	log->until = 0;
	/* What lies beside the file may be that of the new one. */
	if (replica_file(log) != log->file)
		return err_set(store->err, ERR_STORE,
			"the replica %s was just made again by another "
			"program: begin again",
			log->path);
	if (mark_read(store, &log->mark))
		return -1;
	if (!log->mark.found)
		return err_set(store->err, ERR_STORE,
			"%s is a store of its own, no replica: move it away; "
			"'sacctmgr restore' begins a log with it",
			log->path);
	if (log->offline) {
		store_refuse(store, "nothing can be changed with --offline");
		return 0;
	}
	if (replica_may_make() && state_differs(store))
		return state_spoiled(log);
	rc = is_recent(log, store);
	if (rc)
		return rc < 0 ? -1 : 0;
	rc = ask_any(log, store);
	if (!rc) {
		store_refuse(store, NULL);
		json_note_age(0, 0, NULL);
		behind = log->until ? tell_behind(log) : 0;
	}
	why = !rc	       ? NULL
	      : log->link.no_host ? shared_unasked(log)
			       : arena_strdup(log->arena, store->err->text);
	if ((!rc && !behind) || (rc && !log->spoiled && !is_full(log, store)))
		note_asked(log, why, began);
	if (log->reads)
		link_close(&log->link);
	if (log->reads && !rc && !store->read_only)
		begin_delivery(log);
	return rc && !log->spoiled ? answer_stale(log, store, why) : rc;
}

const char *shared_is_down(struct shared_log *log, int64_t since)
{
	struct last_asked asked;

	asked_read(log, &asked);
	if (!is_down(&asked, time(NULL)) ||
		(asked.wait <= RETRY_SECONDS && asked.failed < since))
		return NULL;
	return arena_strdup(log->arena, asked.why);
}

int shared_refresh(struct store *store)
{
	return store->shared_log ? store->shared_log->refresh(store) : 0;
}
