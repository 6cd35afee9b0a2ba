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

/* ---- events ----------------------------------------------------------------
 */

enum { MOST_COLUMNS = 32 };

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

struct event_layout {
	const char *keys[MOST_COLUMNS]; /* NULL: passed over */
	size_t n;
};

/* "Time Start" is TimeStart. */
static const char *find_key(struct import *im, const char *name)
{
	char *plain = arena_strdup(&im->scratch, name), *to = plain;

	for (const char *from = name; *from; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = '\0';
	for (size_t i = 0; i < sizeof(column_keys) / sizeof(*column_keys); i++)
		if (!strcasecmp(column_keys[i].name, plain))
			return column_keys[i].key;
	return NULL;
}

static int read_header(
	struct import *im, struct event_layout *layout, char *line)
{
	char *names[MOST_COLUMNS];
	size_t n = sacct_split(line, "|", names, MOST_COLUMNS);

	if (n > MOST_COLUMNS)
		return err_set(&im->s->err, ERR_SYSTEM,
			"the first line has more than %d columns",
			MOST_COLUMNS);
	for (size_t i = 0; i < n; i++)
		layout->keys[i] = find_key(im, names[i]);
	layout->n = n;
	return 0;
}

/* DOWN*, DOWN+DRAIN, root(0), Unknown: what a key of srecord takes. */
static void clean(const char *key, char *value)
{
	if (!strcmp(key, "state"))
		value[strcspn(value, "+*$%@#~!-^ ")] = '\0';
	if (!strcmp(key, "user"))
		value[strcspn(value, "(")] = '\0';
	if (!strcmp(value, "Unknown") || !strcmp(value, "None"))
		*value = '\0';
}

static bool has_key(char *const *words, size_t n, const char *prefix)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(words[i], prefix, strlen(prefix)))
			return true;
	return false;
}

/* A capacity is true until the next one: its end is not recorded. */
static size_t without(char **words, size_t n, const char *prefix)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (strncmp(words[i], prefix, strlen(prefix)))
			words[kept++] = words[i];
	return kept;
}

static size_t make_words(struct import *im, const struct event_layout *layout,
	char **fields, char **words)
{
	size_t n = 0;

	for (size_t i = 0; i < layout->n; i++) {
		if (!layout->keys[i])
			continue;
		clean(layout->keys[i], fields[i]);
		if (*fields[i])
			words[n++] = arena_printf(&im->scratch, "%s=%s",
				layout->keys[i], fields[i]);
	}
	return n;
}

/* Its nodes are in the column where an event has its node. */
static int record_reserved(struct import *im, char **words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(words[i], "node=", 5))
			words[i] = arena_printf(
				&im->scratch, "nodes=%s", words[i] + 5);
	return record_reservation(im->s, words, (int)n);
}

static int record_words(struct import *im, char **words, size_t n)
{
	if (has_key(words, n, "name="))
		return record_reserved(im, words, n);
	if (has_key(words, n, "node=")) {
		n = without(words, n, "nodes=");
		return record_node(im->s, words, (int)n);
	}
	n = without(words, n, "end=");
	n = without(words, n, "state=");
	n = without(words, n, "reason=");
	n = without(words, n, "user=");
	return record_cluster(im->s, words, (int)n);
}

/* A reason is a free text: a delimiter that is too much is in it. */
static bool has_reason(const struct event_layout *layout, size_t *at)
{
	for (*at = 0; *at < layout->n; ++*at)
		if (layout->keys[*at] && !strcmp(layout->keys[*at], "reason"))
			return true;
	return false;
}

static int one_line(struct import *im, struct event_layout *layout,
	const char *text, size_t len)
{
	char *fields[MOST_COLUMNS], *words[MOST_COLUMNS], *line;
	size_t n, at;

	if (source_copy(
		    &im->source, &im->scratch, text, len, &line, &im->s->err))
		return -1;
	if (!len)
		return 0;
	if (!layout->n)
		return read_header(im, layout, line);
	n = sacct_split(line, "|", fields, MOST_COLUMNS);
	if (n > layout->n && n <= MOST_COLUMNS && has_reason(layout, &at)) {
		sacct_join(fields, layout->n, at, n - layout->n, "|");
		n = layout->n;
	}
	if (n != layout->n)
		return err_set(&im->s->err, ERR_USAGE,
			"%zu fields, the header has %zu columns", n, layout->n);
	n = make_words(im, layout, fields, words);
	if (record_words(im, words, n))
		return -1;
	im->count.events++;
	return 0;
}

int import_event(struct import *im)
{
	struct event_layout layout = {.n = 0};
	size_t len;
	char *line;
	int more;

	while ((more = source_line(&im->source, &line, &len, &im->s->err)) >
		0) {
		im->line = im->source.line;
		if (im->line > 1 && im->line <= im->done)
			continue;
		if (import_done(
			    im, one_line(im, &layout, line, len), line, len))
			return -1;
	}
	return more;
}

/* ---- a dump ----------------------------------------------------------------
 */

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
		"sacctmgr load did not succeed: see above");
}

int import_dump(struct import *im, const char *path)
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
	argv[n++] = "load";
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
