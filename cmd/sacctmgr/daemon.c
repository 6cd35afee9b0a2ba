/*
 * Verbs that talk to a server in Slurm: ping, reconfigure, rollup, shutdown
 * (Slurm's src/sacctmgr/sacctmgr.c). Here there is only a store.
 */
#include "cmd/sacctmgr/hosts.h"

#include "common/base/stopwatch.h"
#include "common/cli/cli.h"

/* A ping as a document has it. */
struct ping {
	const char *hostname, *status;
	bool responding, primary;
	uint32_t latency; /* microseconds */
};

#define P(path, type_, member)                                                 \
	{                                                                      \
		.json = (path), .type = (type_),                               \
		.offset = offsetof(struct ping, member)                        \
	}
static const struct member ping_rows[] = {
	P("hostname", MEMBER_TEXT, hostname),
	P("responding", MEMBER_BOOL, responding),
	P("latency", MEMBER_COUNT, latency),
	P("primary", MEMBER_BOOL, primary),
	P("status", MEMBER_TEXT, status),
};
static const struct members ping_columns = MEMBERS(ping_rows);
#undef P

/* Where slurmdbd would be. */
static const char *host_name(const struct site *site)
{
	const char *host =
		conf_pairs_get(&site->conf.all, "AccountingStorageHost");

	return host && *host ? host : "localhost";
}

static void print_state(const struct session *s, const char *host, bool up)
{
	fprintf(output(s), "slurmdbd(primary) at %s is %s\n", host,
		up ? "UP" : "DOWN");
}

/* The session's configuration has gone with the store that did not open. */
void ping_down(struct session *s)
{
	struct site site;
	struct err ignored;

	if (site_find(&site, &ignored)) {
		print_state(s, "localhost", false);
		return;
	}
	print_state(s, host_name(&site), false);
	site_close(&site);
}

/* Can rows be read, and can the write lock be had? */
static int try_store(struct session *s)
{
	struct strv names = {0};

	if (cluster_names(s->store, &s->arena, &names))
		return -1;
	if (s->store->read_only && !s->store->refusal)
		return err_set(&s->err, ERR_STORE,
			"the store %s can be read but not written",
			s->site.store_path);
	if (store_begin_bulk(s->store))
		return -1;
	store_rollback(s->store);
	return 0;
}

/* `log`: to be told with it, or NULL. */
static void write_row(struct document *document, const struct ping *ping,
	const struct shared_status *log)
{
	struct json_object *record = document_record(
		document, &(const struct record_part){&ping_columns, ping}, 1);

	document_write(document, log ? hosts_put(record, log) : record);
}

/* `log`: of which the store is a replica, or NULL. */
static void write_document(struct session *s, bool up, uint32_t latency,
	const struct shared_status *log)
{
	const struct ping ping = {
		host_name(&s->site), up ? "UP" : "DOWN", up, true, latency};
	struct document document;

	document_open(&document, s, "pings");
	write_row(&document, &ping, log);
	for (size_t i = 0; log && i < log->n_hosts; i++) {
		const struct shared_host *host = &log->hosts[i];
		bool answers = !*host->why;

		write_row(&document,
			&(const struct ping){host->name,
				answers ? "UP" : "DOWN", answers, i == 0,
				(uint32_t)(1000 * host->ms)},
			NULL);
	}
	document_close(&document);
}

/* A word too many is told; the status says how the store is. */
int ping_command(struct session *s, char **words, int n)
{
	struct shared_status log;
	struct err why;
	int status = s->status;
	int64_t start;
	uint32_t latency;
	bool up, shared;

	(void)words;
	if (n > 0)
		complain(s, "too many arguments for ping keyword");
	s->status = status;
	start = stopwatch_usec();
	up = !try_store(s);
	latency = (uint32_t)(stopwatch_usec() - start);
	why = s->err;
	shared = s->store->shared_log && !hosts_read(s, &log);
	s->err = why;
	if (document_wanted(s)) {
		write_document(s, up, latency, shared ? &log : NULL);
	} else {
		print_state(s, host_name(&s->site), up);
		if (shared)
			hosts_print(s, &log);
	}
	if (!up)
		complain_err(s);
	else if (shared && shared_tend(s->store))
		complain_err(s);
	return up ? 0 : -1;
}

/* Every command reads the configuration itself. */
int reconfigure_command(struct session *s, char **words, int n)
{
	(void)s;
	(void)words;
	(void)n;
	return 0;
}

static int check_times(struct session *s, char **words, int n)
{
	for (int i = 0; i < n && i < 2; i++) {
		struct strv word = {0};
		int64_t when;

		strv_push(&word, &s->arena, words[i]);
		if (read_time(s, &word, &when))
			return complain_err(s);
	}
	return 0;
}

/* rollup [START] [END] [ARCHIVE]: nothing is computed ahead of a report. */
int rollup_command(struct session *s, char **words, int n)
{
	if (n > 3)
		return complain(s, "too many arguments for rollup keyword");
	if (check_times(s, words, n))
		return -1;
	if (!is_operator(s))
		return complain_denied(s);
	if (!options(s)->quiet)
		fputs("sacctmgr: accounting_storage/slurmdbd: "
		      "acct_storage_p_roll_usage: SUCCESS\n",
			stderr);
	if (!prompt(s, "Would you like to commit rollup?"))
		fputs(" Rollup Discarded\n", output(s));
	return 0;
}

int shutdown_command(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	if (!is_administrator(s))
		return complain(s, " Problem shutting down server: "
			"Access/permission denied");
	if (!options(s)->quiet)
		fputs("sacctmgr: there is nothing to shut down: no server "
		      "runs, every command works on the store itself\n",
			stderr);
	return 0;
}
