/*
 * A change of a replica: held in the log from its beginning, committed there and
 * then here; see log_parts.h and man/bursar-hosts.7.
 */
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/notice.h"
#include "common/base/stopwatch.h"
#include "db/shared/shared_parts.h"
#include "db/store/changeset.h"
#include "db/store/query.h"

enum { LOOK_SECONDS = 30, LOOK_MS = 100 }; /* for an entry whose commit was not answered */
enum { KEEP_OPERATIONS = 100000 }; /* of SQLite: milliseconds */
enum { MEET_TRIES = 3 };

/* ---- begin ---------------------------------------------------------------*/

/* What each replica computes for itself is not in the log. */
static int logged_table(void *context, const char *table)
{
	(void)context;
	return state_has(table);
}

static int check_clock(struct shared_log *log, struct store *store)
{
	const char *wrong = clock_wrong(log);

	return wrong ? err_set(store->err, ERR_SYSTEM,
			       "%s: nothing was done; set both by NTP", wrong)
		     : 0;
}

/* While the log is held there is nothing newer than this. */
static int take_new(struct shared_log *log, struct store *store)
{
	const struct head *head = &log->head;
	struct shared_entries entries;
	struct arena arena;
	int rc;

	if (log->mark.position == head->number)
		return log->mark.checksum == head->checksum ? 0 : 1;
	if (log->mark.position < head->first - 1)
		return 1;
	arena_init(&arena);
	rc = entries_read(
		log, log->mark.position, head->number, &arena, &entries);
	for (size_t i = 0; !rc && i < entries.n; i++)
		rc = entries.v[i].kind != SHARED_CHANGE;
	if (!rc)
		rc = take_entries(log, store, &entries);
	if (!rc)
		rc = log->mark.position != head->number;
	arena_release(&arena);
	return rc;
}

/* Hosts that begin with different nodes of a cluster may lose to each other
 * again and again: after some tries all go to one node, where they wait for each
 * other. */
static void meet(struct shared_log *log)
{
	struct link *link = &log->link;
	size_t at = link->n_hosts;

	if (log->lost < MEET_TRIES)
		return;
	for (size_t i = 0; i < link->n_hosts; i++)
		if (!*link->hosts[i].why &&
			(at == link->n_hosts || strcmp(link->hosts[i].name,
							link->hosts[at].name) < 0))
			at = i;
	if (at == link->n_hosts || at == link->at)
		return;
	link_close(link);
	link->at = at;
}

/* What is recorded may take longer than the server keeps a transaction whose
 * program says nothing. */
static int keep(void *link)
{
	link_keep(link);
	return 0;
}

static void keep_held(struct store *store, struct link *link)
{
	_Static_assert(LINK_IDLE_SECONDS + 10 < BEGIN_SECONDS,
		"who sleeps loses the log before others give up");
	sqlite3_progress_handler(
		store->db, KEEP_OPERATIONS, link ? keep : NULL, link);
}

static int hold(struct shared_log *log, struct store *store)
{
	meet(log);
	if (head_read(log, true))
		return -1;
	if (mark_read(store, &log->mark) || head_check(log, &log->mark) ||
		check_clock(log, store)) {
		log->link.trouble = LINK_REFUSED;
		return -1;
	}
	return 0;
}

static int faster(struct shared_log *log)
{
	log->lost++;
	log->link.trouble = LINK_AGAIN;
	return err_set(log->link.err, ERR_AGAIN,
		"other hosts were faster: nothing was done, try again");
}

/* Another host has the log locked. Sets ERR_AGAIN; 1: the caller gives up this
 * host's turn, so that its other programs are not kept waiting, and tries
 * again. */
static int busy(struct shared_log *log, struct store *store)
{
	err_set(store->err, ERR_AGAIN,
		"another host keeps the log in %s: nothing was done, try again",
		link_place(&log->link));
	return 1;
}

/* The next host, where this one does not answer any more. 1: another was faster. */
static int hold_any(struct shared_log *log, struct store *store)
{
	for (size_t i = 0; i <= log->link.n_hosts; i++) {
		if (!hold(log, store))
			return 0;
		change_rollback(store);
		if (log->link.no_host)
			break;
		if (log->link.trouble == LINK_BUSY)
			return busy(log, store);
		if (log->link.trouble == LINK_AGAIN) {
			faster(log);
			return 1;
		}
		if (log->link.trouble != LINK_LOST)
			return -1;
		host_lost(log);
	}
	return err_set(store->err, ERR_SYSTEM,
		"nothing can be changed while %s", shared_unasked(log));
}

/* Others need the connection. */
void change_waits(struct store *store)
{
	link_close(&shared_of(store)->link);
}

int change_begin(struct store *store, enum shared_kind kind)
{
	struct shared_log *log = shared_of(store);
	int rc;

	log->kind = kind;
	log->planned = false;
	log->unsettled = 0;
	rc = hold_any(log, store);
	if (!rc)
		rc = take_new(log, store);
	if (rc < 0 && log->link.trouble == LINK_LOST)
		host_lost(log);
	if (rc < 0 && (log->link.trouble == LINK_AGAIN ||
			      log->link.trouble == LINK_LOST)) {
		log->lost++;
		rc = 1;
	}
	if (!rc && kind != SHARED_MIGRATION)
		rc = store_record(store, &log->session, logged_table);
	if (!rc)
		keep_held(store, &log->link);
	return rc;
}

/* ---- the end -------------------------------------------------------------*/

static void forget_session(struct shared_log *log)
{
	if (log->session)
		sqlite3session_delete(log->session);
	log->session = NULL;
}

void change_rollback(struct store *store)
{
	struct shared_log *log = shared_of(store);

	keep_held(store, NULL);
	forget_session(log);
	if (log->holds)
		link_rollback(&log->link);
	log->holds = false;
}

/* Keys compare without case: a name that changes in nothing else would come as a
 * row that changes its key, and one that is new, which no replica can take in. */
static int check_key(
	void *store, const char *table, int op, sqlite3_changeset_iter *at)
{
	unsigned char *key;
	int n;

	sqlite3changeset_pk(at, &key, &n);
	for (int i = 0; op == SQLITE_UPDATE && i < n; i++)
		if (key[i] && op_new(at, i))
			return err_set(((struct store *)store)->err, ERR_USAGE,
				"a name of %s would change only in its case, "
				"which a site of many hosts cannot: take "
				"another one between",
				table);
	return 0;
}

/* The entry with the recorded changes; `data` NULL: nothing to write. */
static int make_entry(struct shared_log *log, struct store *store,
	const char *command, struct shared_entry *e)
{
	void *blob = NULL;
	int size = 0, kept = 0;

	*e = (struct shared_entry){.number = log->head.number + 1,
		.time = store->now,
		.kind = log->kind,
		.token = log->token,
		.host = host_name(),
		.actor = store->actor ? store->actor : "",
		.command = command ? command : program_invocation_short_name};
	if (store_file_version(store, &e->version))
		return -1;
	if (log->kind == SHARED_PURGE &&
		!sqlite3session_isempty(log->session) &&
		purge_rollups(store, log->session))
		return -1;
	if (log->session && sqlite3session_changeset(log->session, &size,
				    &blob) != SQLITE_OK)
		return store_fail(store, "changes cannot be recorded");
	forget_session(log);
	if (state_read(log, store) ||
		(size && (changeset_each(store, blob, size, check_key, store) ||
				 state_change(log, store, blob, size)))) {
		sqlite3_free(blob);
		return -1;
	}
	if (size || log->kind == SHARED_ALTERED ||
		(log->kind == SHARED_MIGRATION &&
			e->version > log->head.version))
		e->data = changeset_pack(size ? blob : "", size, &kept);
	e->size = kept;
	sqlite3_free(blob);
	if (!log->planned)
		token_make(log->token);
	log->planned = false;
	e->checksum = entry_checksum(log->head.site, log->head.checksum, e);
	return 0;
}

/* 1: the entry is there. */
static int look_for(
	struct shared_log *log, const char *token, int64_t expected)
{
	int64_t number = 0;

	return link_ask(&log->link, link_take_int, &number,
		       "SELECT number FROM bursar_log WHERE token = '%.32s'",
		       token)
		       ? -1
		       : number == expected;
}

void shared_plan(struct store *store, char token[33], int64_t *number)
{
	struct shared_log *log = shared_of(store);

	token_make(log->token);
	log->planned = true;
	memcpy(token, log->token, TOKEN);
	*number = log->head.number + 1;
}

bool shared_unsettled(const struct store *store, char token[33], int64_t *number)
{
	const struct shared_log *log = shared_of(store);

	memcpy(token, log->token, TOKEN);
	*number = log->unsettled;
	return log->unsettled != 0;
}

int shared_look(struct store *store, const char *token, int64_t number)
{
	struct shared_log *log = shared_of(store);
	int found;

	if (strspn(token, "0123456789abcdef") != TOKEN - 1)
		return SHARED_NOT_THERE;
	found = look_for(log, token, number);
	if (found)
		return found < 0 ? -1 : SHARED_THERE;
	return number < log->head.first ? SHARED_UNKNOWN : SHARED_NOT_THERE;
}

/* Asks one host while holding the log, so that commits under way have ended. 0:
 * the entry is there; 1: it never will be; -1: still unknown. An entry found in
 * our place may be our own unanswered commit. */
static int ask_after(struct shared_log *log, const struct shared_entry *e)
{
	const struct head before = log->head;
	int found;

	found = head_read(log, true) ? -1 : look_for(log, e->token, e->number);
	if (!found && (log->head.number != before.number ||
			      log->head.checksum != before.checksum))
		return 1;
	/* An entry that came before ours may be our own commit, delivered
	 * late. */
	log->head = before;
	if (found)
		return found < 0 ? -1 : 0;
	return entry_commit(log, e);
}

/* The answer to a commit was lost: the entry may be there or not. */
static int settle(struct shared_log *log, const struct shared_entry *e)
{
	char lost_at[256];
	int64_t until = stopwatch_usec() + LOOK_SECONDS * INT64_C(1000000);
	int rc;

	snprintf(lost_at, sizeof(lost_at), "%s", link_place(&log->link));
	log->link.seconds = READ_SECONDS;
	do {
		if (!log->link.db)
			host_lost(log);
		rc = ask_after(log, e);
		if (log->holds)
			link_rollback(&log->link);
		log->holds = false;
		if (rc < 0)
			sqlite3_sleep(LOOK_MS);
	} while (rc < 0 && stopwatch_usec() < until);
	if (rc > 0)
		return faster(log);
	if (!rc)
		return 0;
	log->unsettled = e->number;
	return err_set(log->link.err, ERR_SYSTEM,
		"it is not known whether the change was made: the connection "
		"to the log in %s was lost while it was committed, and no "
		"host answers now: look before you repeat it",
		lost_at);
}

int change_settle(struct shared_log *log, const struct shared_entry *e)
{
	if (!entry_commit(log, e))
		return 0;
	switch (log->link.trouble) {
	case LINK_LOST:
		return settle(log, e);
	case LINK_AGAIN:
	case LINK_BUSY:
		return faster(log);
	default:
		return -1;
	}
}

int change_commit(struct store *store, const char *command)
{
	struct shared_log *log = shared_of(store);
	struct shared_entry e;
	int rc;

	rc = make_entry(log, store, command, &e);
	keep_held(store, NULL);
	if (rc)
		return -1;
	if (!e.data) {
		change_rollback(store);
		return 0;
	}
	if (log->kind == SHARED_MIGRATION)
		state_forget(log);
	rc = state_write(log, store, e.number) ||
			     mark_set(store, e.number, e.checksum) ||
			     change_settle(log, &e)
		     ? -1
		     : 0;
	free(e.data);
	return rc;
}

void change_ended(struct store *store, bool bad)
{
	struct shared_log *log = shared_of(store);

	if (bad)
		notice("the change is made, but the replica could not take it "
		       "in (%s): it does so with the next command",
			store->err->text);
	else if (snapshot_is_due(&log->head, log->snapshot_entries))
		snapshot_begin_tending();
	if (log->kind == SHARED_PURGE)
		purge_ended(store);
}
