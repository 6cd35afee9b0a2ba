/*
 * What sacctmgr prints: `sacctmgr -P show event` line by line, and a dump,
 * which the sacctmgr program itself reads.
 */
#include "cmd/srecord/import.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cli/cli.h"

/* ---- events ---------------------------------------------------------------*/

/* A column of show event and the key of srecord node or cluster it becomes. */
static const struct column_key {
	const char *name, *key;
} column_keys[] = {
	{"Cluster", "cluster"},
	{"ClusterNodes", "nodes"},
	{"NodeName", "node"},
	{"Name", "name"}, /* of a reservation, and what follows */
	{"ID", "id"},
	{"Associations", "associations"},
	{"Assocs", "associations"},
	{"Flags", "flags"},
	{"Comment", "comment"},
	{"NodeNames", "nodes"},
	{"UnusedWall", "unusedwall"},
	{"TimeStart", "start"},
	{"TimeEnd", "end"},
	{"State", "state"},
	{"Reason", "reason"},
	{"User", "user"},
	{"TRES", "tres"},
	{"InstanceId", "instanceid"},
	{"InstanceType", "instancetype"},
	{"Extra", "extra"},
};

/* "Time Start" is TimeStart. */
void shown_column(
	struct shown_columns *columns, const char *name, struct arena *arena)
{
	char *plain = arena_strdup(arena, name), *to = plain;
	const char **key = &columns->keys[columns->n++];

	for (const char *from = name; *from; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = '\0';
	*key = NULL;
	for (size_t i = 0; i < sizeof(column_keys) / sizeof(*column_keys); i++)
		if (!strcasecmp(column_keys[i].name, plain))
			*key = column_keys[i].key;
}

static int read_header(
	struct import *im, struct shown_columns *columns, char *line)
{
	char *names[SHOWN_COLUMNS];
	size_t n = sacct_split(line, "|", names, SHOWN_COLUMNS);

	if (n > SHOWN_COLUMNS)
		return err_set(&im->s->err, ERR_SYSTEM,
			"the first line has more than %d columns",
			SHOWN_COLUMNS);
	for (size_t i = 0; i < n; i++)
		shown_column(columns, names[i], &im->scratch);
	return 0;
}

/* What a key of srecord takes: IDLE+DRAIN drains, DOWN* does not answer and is
 * down; root(0) is root; Unknown and None are nothing. */
static const char *plain_value(
	const char *key, const char *value, struct arena *arena)
{
	if (!strcmp(value, "Unknown") || !strcmp(value, "None"))
		return "";
	if (!strcmp(key, "state"))
		return strstr(value, "DRAIN")
			       ? "drain"
			       : arena_strndup(arena, value,
					 strcspn(value, "+*$%@#~!-^ "));
	if (!strcmp(key, "user"))
		return arena_strndup(arena, value, strcspn(value, "("));
	return value;
}

static bool has_key(char *const *words, size_t n, const char *prefix)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(words[i], prefix, strlen(prefix)))
			return true;
	return false;
}

static size_t without(char **words, size_t n, const char *prefix)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (strncmp(words[i], prefix, strlen(prefix)))
			words[kept++] = words[i];
	return kept;
}

/* Its nodes are in the column where an event has its node. */
static int record_reserved(
	struct recording *s, char **words, size_t n, struct arena *arena)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(words[i], "node=", 5))
			words[i] = arena_printf(arena, "nodes=%s", words[i] + 5);
	return record_reservation(s, words, (int)n);
}

int shown_record(struct recording *s, const struct shown_columns *columns,
	const char *cluster, const char *const *values, struct arena *arena)
{
	char *words[SHOWN_COLUMNS + 1];
	size_t n = 0;

	if (cluster)
		words[n++] = arena_printf(arena, "cluster=%s", cluster);
	for (size_t i = 0; i < columns->n; i++) {
		const char *key = columns->keys[i];
		const char *value =
			key ? plain_value(key, values[i], arena) : "";

		if (*value)
			words[n++] = arena_printf(arena, "%s=%s", key, value);
	}
	if (has_key(words, n, "name="))
		return record_reserved(s, words, n, arena);
	if (has_key(words, n, "node="))
		return record_node(s, words, (int)without(words, n, "nodes="));
	/* A capacity is true until the next one: its end is not recorded. */
	n = without(words, n, "end=");
	n = without(words, n, "state=");
	n = without(words, n, "reason=");
	n = without(words, n, "user=");
	return record_cluster(s, words, (int)n);
}

/* A reason is a free text: a delimiter that is too much is in it. */
static bool has_reason(const struct shown_columns *columns, size_t *at)
{
	for (*at = 0; *at < columns->n; ++*at)
		if (columns->keys[*at] && !strcmp(columns->keys[*at], "reason"))
			return true;
	return false;
}

static int one_line(struct import *im, struct shown_columns *columns,
	const char *text, size_t len)
{
	char *fields[SHOWN_COLUMNS], *line;
	size_t n, at;

	if (source_copy(
		    &im->source, &im->scratch, text, len, &line, &im->s->err))
		return -1;
	if (!len)
		return 0;
	if (!columns->n)
		return read_header(im, columns, line);
	n = sacct_split(line, "|", fields, SHOWN_COLUMNS);
	if (n > columns->n && n <= SHOWN_COLUMNS && has_reason(columns, &at)) {
		sacct_join(fields, columns->n, at, n - columns->n, "|");
		n = columns->n;
	}
	if (n != columns->n)
		return err_set(&im->s->err, ERR_USAGE,
			"%zu fields, the header has %zu columns", n, columns->n);
	if (shown_record(im->s, columns, NULL, (const char *const *)fields,
		    &im->scratch))
		return -1;
	im->count.events++;
	return 0;
}

int import_event(struct import *im)
{
	struct shown_columns columns = {.n = 0};
	size_t len;
	char *line;
	int more;

	while ((more = source_line(&im->source, &line, &len, &im->s->err)) >
		0) {
		im->line = im->source.line;
		if (im->line > 1 && im->line <= im->done)
			continue;
		if (import_done(
			    im, one_line(im, &columns, line, len), line, len))
			return -1;
	}
	return more;
}

/* ---- a dump ---------------------------------------------------------------*/

/* sacctmgr of this program's folder, else the one of PATH. */
static const char *find_sacctmgr(struct import *im)
{
	char path[PATH_MAX];
	struct err ignored;

	if (cli_beside(path, "sacctmgr", &ignored) || access(path, X_OK))
		return "sacctmgr";
	return arena_strdup(&im->s->arena, path);
}

static int wait_for(struct import *im, pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(&im->s->err, ERR_SYSTEM, "sacctmgr: %s",
				strerror(errno));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return err_set(&im->s->err, ERR_SYSTEM,
		"sacctmgr did not succeed: see above");
}

int import_dump(struct import *im, const char *verb, const char *path)
{
	const char *program = find_sacctmgr(im);
	const char *argv[7] = {"sacctmgr", "-i"};
	size_t n = 2;
	pid_t child;
	int rc;

	if (!strcmp(path, "-") || !gzdirect(im->source.gz))
		return err_set(&im->s->err, ERR_USAGE,
			"a dump of sacctmgr is read from a file that is not "
			"compressed");
	if (im->options.dry_run)
		argv[n++] = "--dry-run";
	if (im->options.dry_run && im->options.form)
		argv[n++] = im->options.form;
	argv[n++] = verb;
	argv[n] = arena_printf(&im->s->arena, "file=%s", path);
	child = fork();
	if (!child) {
		execvp(program, (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (child < 0)
		return err_set(&im->s->err, ERR_SYSTEM, "sacctmgr: %s",
			strerror(errno));
	rc = wait_for(im, child);
	return !rc && im->options.dry_run ? IMPORT_TOLD : rc;
}
