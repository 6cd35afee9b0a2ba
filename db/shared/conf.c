/*
 * What slurmdbd.conf says of a log; see log.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "db/shared/shared_parts.h"

static const char type[] = "accounting_storage/bursar-log";

static const struct shared_calls shared_calls = {
	.refresh = take_refresh,
	.begin = change_begin,
	.commit = change_commit,
	.rollback = change_rollback,
	.waits = change_waits,
	.ended = change_ended,
	.damaged = replica_damaged,
};

bool shared_wanted(const struct conf_dbd *dbd)
{
	return dbd->storage_type && !strcasecmp(dbd->storage_type, type);
}

static const char *word_or(
	const struct conf_dbd *dbd, const char *name, const char *otherwise)
{
	const char *text = conf_pairs_get(&dbd->all, name);

	return text && *text ? text : otherwise;
}

static int read_number(const struct conf_dbd *dbd, const char *name,
	int64_t otherwise, int64_t most, int64_t *number, struct err *err)
{
	const char *text = word_or(dbd, name, NULL);
	char *end;

	*number = otherwise;
	if (!text)
		return 0;
	*number = strtoll(text, &end, 10);
	if (!*end && *number >= 0 && *number <= most)
		return 0;
	return err_set(err, ERR_USAGE,
		"%s: %s: '%s' is not a number from 0 to %lld", dbd->path, name,
		text, (long long)most);
}

/* StorageParameters=SSL_CA=/etc/ca.pem,SSL_CERT=... as slurmdbd has it. */
static int read_parameters(
	struct link_login *login, const struct conf_dbd *dbd,
	struct arena *arena, struct err *err)
{
	const struct {
		const char *name;
		const char **member;
	} words[] = {
		{"SSL_CA", &login->ca},
		{"SSL_CAPATH", &login->capath},
		{"SSL_CERT", &login->cert},
		{"SSL_KEY", &login->key},
		{"SSL_CIPHER", &login->cipher},
	};
	struct strv list = {0};
	size_t w;

	strv_split(&list, arena, word_or(dbd, "StorageParameters", ""));
	for (size_t i = 0; i < list.n; i++) {
		const char *equals = strchr(list.v[i], '=');
		size_t n = equals ? (size_t)(equals - list.v[i]) : 0;

		if (!*list.v[i])
			continue;
		for (w = 0; w < sizeof(words) / sizeof(*words); w++)
			if (n == strlen(words[w].name) &&
				!strncasecmp(list.v[i], words[w].name, n))
				break;
		if (w == sizeof(words) / sizeof(*words))
			return err_set(err, ERR_USAGE,
				"%s: StorageParameters: unknown '%.*s'; expected "
				"one of SSL_CA, SSL_CAPATH, SSL_CERT, SSL_KEY, "
				"SSL_CIPHER",
				dbd->path, (int)(n ? n : strlen(list.v[i])),
				list.v[i]);
		*words[w].member = equals + 1;
	}
	return 0;
}

/* Others must not be able to read it, nor to write another in. */
static int check_private(const struct conf_dbd *dbd, struct err *err)
{
	struct stat st;

	if (stat(dbd->path, &st) || !(st.st_mode & S_IRWXO))
		return 0;
	return err_set(err, ERR_USAGE,
		"%s holds a password and may be read by anyone: chmod o= %s",
		dbd->path, dbd->path);
}

static int read_login(struct shared_log *log, const struct conf_dbd *dbd,
	struct err *err)
{
	struct link_login *login = &log->link.login;
	const char *backup = word_or(dbd, "StorageBackupHost", NULL);
	const char *hosts = word_or(dbd, "StorageHost", "localhost");
	int64_t port;

	login->conf = dbd->path;
	login->user = word_or(dbd, "StorageUser", "slurm");
	login->password = word_or(dbd, "StoragePass", NULL);
	login->database = word_or(dbd, "StorageLoc", "bursar");
	if ((login->password && check_private(dbd, err)) ||
		read_number(dbd, "StoragePort", 0, 65535, &port, err) ||
		read_parameters(login, dbd, log->arena, err))
		return -1;
	if (backup)
		hosts = arena_printf(log->arena, "%s,%s", hosts, backup);
	return link_read_hosts(
		&log->link, hosts, (unsigned)port, log->arena, err);
}

int shared_find(struct shared_log **out, const struct conf_dbd *dbd, bool offline,
	const char *cluster, struct arena *arena, struct err *err)
{
	struct shared_log *log = arena_alloc(arena, sizeof(*log));

	*log = (struct shared_log){.calls = shared_calls,
		.arena = arena,
		.conf = dbd->path,
		.cluster = cluster,
		.offline = offline,
		.path = arena_printf(arena, "%s/replica.db",
			word_or(dbd, "ReplicaDir", "/var/lib/bursar"))};
	log->link.err = err;
	*out = log;
	if (*log->path != '/')
		return err_set(err, ERR_USAGE,
			"%s: ReplicaDir must begin with '/'", dbd->path);
	return read_login(log, dbd, err) ||
			       read_number(dbd, "PollInterval", 0, 86400,
				       &log->poll, err) ||
			       read_number(dbd, "SnapshotEntries", 20000,
				       1000000000, &log->snapshot_entries, err)
		       ? -1
		       : 0;
}

void shared_close(struct shared_log *log)
{
	if (log)
		link_close(&log->link);
}

const char *shared_replica(const struct shared_log *log)
{
	return log->path;
}
