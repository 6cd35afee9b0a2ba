/*
 * `load`: a flat file into the store, all of it or nothing
 * (spec/sacctmgr.md 6.2 - 6.4). Line for line: what is there already is
 * changed at once (load_changes.c), what is new is collected (load_lines.c)
 * and written at the end (load_write.c).
 */
#include "cmd/sacctmgr/loading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/infile.h"
#include "common/base/words.h"
#include "common/cli/cli.h"

int load_bad_line(struct loading *l, const char *prefix)
{
	if (l->s->err.code == ERR_FATAL)
		return -1;
	complain_err(l->s);
	return err_usage(&l->s->err, ERR_PLACED, "%s Problem with line(%d)", prefix,
		l->number);
}

static int parent_line(struct loading *l, const struct flat_record *record)
{
	struct known_row *row = load_find_row(l, record->name, "", "");

	if (row) {
		l->parent = record->name;
		l->parent_row = row;
		return 0;
	}
	return err_usage(&l->s->err, ERR_MISPLACED,
		" line(%d) You need to add this parent (%s) as a child before "
		"you can add children to it.",
		l->number, record->name);
}

static int body_line(struct loading *l, const struct flat_line *line)
{
	struct flat_record record;

	if (line->kind == FLAT_UNKNOWN)
		return err_usage(&l->s->err, ERR_PLACED,
			" Misformatted line(%d): %s", line->number, line->text);
	if (line->kind == FLAT_USER
			? flat_parse_user(l->s, line, &l->options, &l->line,
				  &record)
			: flat_parse(l->s, line, &record))
		return load_bad_line(l, "");
	if (line->kind == FLAT_PARENT)
		return parent_line(l, &record);
	if (!l->parent) {
		l->parent = "root";
		l->parent_row = load_find_row(l, "root", "", "");
		fputs(" No parent given creating off root, If incorrect "
		      "specify 'Parent - name' before any children in your "
		      "file\n",
			output(l->s));
	}
	return line->kind == FLAT_ACCOUNT ? load_account_line(l, &record)
					  : load_user_line(l, &record);
}

static int one_line(struct loading *l, const struct flat_line *line)
{
	struct new_qos *qos;

	l->number = line->number;
	if (line->kind == FLAT_QOS) {
		if (l->cluster_seen)
			return err_usage(&l->s->err, ERR_PLACED,
				" You need to specify all QOS before the "
				"'Cluster - $NAME' in your file");
		qos = ARENA_PUSH(
			&l->s->arena, l->qos.v, l->qos.n, l->qos.cap);
		qos->line = *line;
		return 0;
	}
	if (line->kind == FLAT_CLUSTER) {
		if (l->cluster_seen)
			return err_usage(&l->s->err, ERR_PLACED,
				" You can only add one cluster at a time.");
		return load_cluster_line(l, line);
	}
	if (!l->cluster_seen)
		return err_usage(&l->s->err, ERR_MISPLACED,
			" You need to specify a cluster name first with "
			"'Cluster - $NAME' in your file");
	return body_line(l, line);
}

/* A value of a QOS or cluster line: the complaint lacks the line. */
static void name_line(struct loading *l)
{
	const struct err *err = &l->s->err;

	if (err->kind == ERR_USAGE && err->code != ERR_PLACED &&
		err->code != ERR_MISPLACED)
		load_bad_line(l, "");
}

static int read_file(struct loading *l)
{
	struct flat_reader reader;
	struct flat_line line;
	int rc;

	flat_reader_init(&reader, l->text, &l->s->arena);
	while ((rc = flat_next(&reader, &line, &l->s->err)) > 0) {
		if (one_line(l, &line)) {
			name_line(l);
			rc = -1;
			break;
		}
		/* Lines of QOS are kept until all are read. */
		if (l->cluster_seen) {
			arena_reset(&l->line);
			reader.arena = &l->line;
		}
	}
	return rc;
}

/* Files that name no cluster, or a parent that is not there, are told so
 * without more ado. */
static enum plan_result refused(struct loading *l)
{
	bool plain = l->s->err.code == ERR_MISPLACED;

	if (plain)
		fputs(" Nothing new added.\n", output(l->s));
	if (l->s->err.code == ERR_FATAL) {
		complain(l->s, "%s", l->s->err.text);
		return PLAN_FAILED;
	}
	complain_err(l->s);
	if (!plain)
		complain(l->s, " Problem with requests: Unspecified error");
	return PLAN_FAILED;
}

static void start_over(struct loading *l)
{
	struct loading fresh = {.s = l->s, .text = l->text,
		.cluster_given = l->cluster_given, .clean = l->clean,
		.clean_accounts = l->clean_accounts,
		.clean_users = l->clean_users, .clean_qos = l->clean_qos};

	HASH_CLEAR(hh, l->rows);
	HASH_CLEAR(hh, l->known_users);
	HASH_CLEAR(hh, l->known_accounts);
	flat_known_clear(&l->options);
	arena_release(&l->line);
	free(l->users.v);
	free(l->account_rows.v);
	free(l->user_rows.v);
	*l = fresh;
}

static long usec_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000000L +
		(now.tv_nsec - start->tv_nsec) / 1000;
}

static enum plan_result plan_load(struct session *s, void *arg)
{
	struct loading *l = arg;
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	start_over(l);
	*s->err.text = '\0';
	if (read_file(l) || (l->cluster_seen && load_write(l)))
		return refused(l);
	if (!l->changed) {
		fputs(" Nothing new added.\n", output(s));
		return l->qos_changed ? PLAN_CHANGED : PLAN_NOTHING;
	}
	if (!options(s)->quiet)
		fprintf(stderr, "%s: Done adding cluster in usec=%ld\n",
			cli_name(), usec_since(&start));
	return PLAN_CHANGED;
}

static void clean_kinds(struct loading *l, const char *value)
{
	l->clean = true;
	l->clean_accounts |=
		strcasestr(value, "acct") || strcasestr(value, "account");
	l->clean_users |= strcasestr(value, "user") != NULL;
	l->clean_qos |= strcasestr(value, "qos") != NULL;
}

static void take_word(struct loading *l, const char **path, const char *text)
{
	struct word word = word_split(text);
	const char *value = str_unquote(&l->s->arena, word.value);

	if (words_match("clean:3", text, word.name_len)) {
		clean_kinds(l, word.op == OP_NONE ? "" : value);
	} else if (word.op == OP_NONE ||
		words_match("File:1", text, word.name_len)) {
		if (*path)
			complain(l->s, " File name already set to %s", *path);
		else
			*path = value;
	} else if (words_match("Cluster:3", text, word.name_len)) {
		if (l->cluster_given)
			complain(l->s,
				" Can only do one cluster at a time.  Already "
				"doing %s",
				l->cluster_given);
		else
			l->cluster_given = str_lower(&l->s->arena, value);
	} else {
		complain(l->s, " Unknown option: %s", text);
	}
}

/* The whole file; NULL with errno when it cannot be read or is not text. */
static char *slurp(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");
	int error;

	if (!file)
		return NULL;
	error = infile_copy(file, &text, &size) ? errno : 0;
	fclose(file);
	errno = error;
	return text;
}

static int check_clean(struct loading *l)
{
	struct strv clusters = {0};

	if (!l->clean)
		return 0;
	if (cluster_names(l->s->store, &l->s->arena, &clusters))
		return complain_err(l->s);
	if (clusters.n > 1 &&
		(l->clean_accounts || l->clean_users || l->clean_qos)) {
		complain(l->s,
			" When doing a clean=account, user, and/or qos you "
			"must only have one cluster in the system.");
		return -1;
	}
	if (prompt(l->s,
		    "You requested to flush the cluster before adding it "
		    "again.\nIt is advised to not have your slurmctld running "
		    "while doing this operation.\nIf you have jobs running on "
		    "this cluster this operation will abort.\nAre you sure "
		    "you want to continue?"))
		return 0;
	fputs("Aborted\n Nothing new added.\n", output(l->s));
	return 1;
}

static bool may_load(struct session *s)
{
	int known = user_exists(s->store, s->site.caller.name);

	if (!s->site.caller.super && known == 0) {
		complain(s,
			" Your uid (%u) is not in the accounting system, can't "
			"load file.",
			(unsigned)s->site.caller.uid);
		return false;
	}
	if (is_administrator(s))
		return true;
	complain(s, " Your user does not have sufficient privileges to load "
		    "files.");
	return false;
}

/* The report is the file's, not that of the operations. */
static int load_untold(struct loading *l)
{
	int rc;

	l->s->untold = true;
	rc = change_run(l->s, plan_load, l);
	l->s->untold = false;
	return rc;
}

int load_command(struct session *s, char **words, int n)
{
	struct loading l = {.s = s};
	const char *path = NULL;
	int rc;

	for (int i = 0; i < n; i++)
		take_word(&l, &path, words[i]);
	if (s->status)
		return -1;
	if (!path) {
		complain(s, " No filename given, specify one with file=''");
		return -1;
	}
	l.text = slurp(path);
	if (!l.text) {
		complain(s, " Unable to read \"%s\": %s", words[0],
			strerror(errno));
		return -1;
	}
	rc = may_load(s) ? check_clean(&l) : -1;
	if (!rc)
		rc = load_untold(&l);
	start_over(&l);
	free(l.text);
	return rc < 0 ? -1 : 0;
}
