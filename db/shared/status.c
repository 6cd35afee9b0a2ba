/*
 * What a log says of itself, and a whole store in its place; see log.h.
 */
#include <string.h>
#include <time.h>

#include "db/shared/shared_parts.h"
#include "db/shared/spool.h"

struct status_count {
	struct shared_status *status;
	struct arena *arena;
};

static int count(const struct link_row *row, void *arg)
{
	struct status_count *c = arg;
	struct shared_status *status = c->status;
	struct shared_snapshot *s;

	if (row->statement == 0) {
		status->entries = link_int(row, 0);
		status->bytes = link_int(row, 1);
		return 0;
	}
	s = ARENA_PUSH(c->arena, status->snapshots, status->n_snapshots,
		status->cap_snapshots);
	*s = (struct shared_snapshot){
		link_int(row, 0), link_int(row, 1), link_int(row, 2)};
	return 0;
}

static int ask(struct shared_log *log, struct arena *arena,
	struct shared_status *status)
{
	struct status_count c = {status, arena};

	if (head_read(log, false) || head_check(log, NULL) ||
		link_ask(&log->link, count, &c,
			"SELECT COUNT(*), COALESCE(SUM(size), 0) FROM bursar_log;"
			"SELECT number, time, size FROM bursar_snapshot"
			" ORDER BY number"))
		return -1;
	status->site = arena_strdup(arena, log->head.site);
	status->head = log->head.number;
	status->first = log->head.first;
	status->asked = true;
	return 0;
}

/* Each by itself; the log is asked of the first that answers. */
static void ask_hosts(struct shared_log *log, struct arena *arena,
	struct shared_status *status)
{
	struct link *link = &log->link;
	unsigned seconds = link->seconds;
	size_t at = link->at;

	link->seconds = READ_SECONDS;
	for (size_t i = 0; i < link->n_hosts; i++) {
		struct shared_host *host = &status->hosts[i];
		struct link_host *of = &link->hosts[i];
		struct err *err = link->err, why = {0};

		link->err = &why;
		host->why = "";
		if (link_try(link, i))
			host->why = arena_strdup(arena, why.text);
		else if (!status->asked && ask(log, arena, status))
			host->why = arena_strdup(arena, why.text);
		link->err = err;
		host->name = of->name;
		host->version = arena_strdup(arena, of->version);
		host->ms = of->ms;
	}
	link_close(link);
	link->at = at;
	link->seconds = seconds;
}

int shared_status_read(struct shared_log *log, struct store *store,
	struct arena *arena, struct shared_status *status)
{
	int64_t now = time(NULL);
	struct last_asked asked;
	struct spool spool;
	struct mark mark;

	*status = (struct shared_status){.database = log->link.login.database,
		.site = "",
		.n_hosts = log->link.n_hosts};
	status->hosts = arena_array(
		arena, status->n_hosts, sizeof(*status->hosts));
	if (mark_read(store, &mark))
		return -1;
	ask_hosts(log, arena, status);
	asked_read(log, &asked);
	spool_find(&spool, log);
	status->waiting = (int64_t)spool_count(&spool, false);
	status->refused = (int64_t)spool_count(&spool, true);
	if (asked.erred) {
		status->error = arena_strdup(arena, asked.why);
		status->error_age = now - asked.erred;
	}
	status->position = mark.position;
	status->behind = status->head - mark.position;
	status->age = !asked.asked	    ? -1
		      : asked.asked < now ? now - asked.asked
					  : 0;
	return 0;
}

int shared_restore(struct shared_log *log, const char *path, const char *actor,
	const char *command, struct err *err)
{
	log->link.err = err;
	log->link.seconds = CHANGE_SECONDS;
	if (log->offline)
		return err_set(err, ERR_USAGE,
			"nothing can be changed with --offline");
	if (head_read(log, false))
		return log->link.no_host
			       ? err_set(err, ERR_SYSTEM,
					 "nothing can be changed while %s",
					 shared_unasked(log))
			       : -1;
	if (log->head.begun && head_check(log, NULL))
		return -1;
	return snapshot_whole(log, path, actor, command);
}
