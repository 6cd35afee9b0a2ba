/*
 * diff, apply: the store beside a file of `dump` in any format, two such files
 * beside each other, and the store made as a file says (db/roster/roster.h).
 * Slurm has no such words.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/infile.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/archive/backup.h"
#include "db/roster/roster.h"

/* ---- words ---------------------------------------------------------------*/

struct applied_file {
	struct roster_text file_text;
	struct roster_text first; /* diff A B: of A; no path: the store */
	bool prune, apply, colour;
	bool directory; /* the file maps groups to accounts */
	uint32_t max_delete; /* INFINITE: as many as there are */
	struct roster store, file;
	struct differences differences;
	struct strv quarantined;
	struct strv lost; /* see roster_apply */
};

static int take_word(struct session *s, struct applied_file *w, const char *text)
{
	struct word word = word_split(text);
	const char *value = str_unquote(&s->arena, word.value);

	if (word.op == OP_NONE && !strcmp(text, "prune") && !w->prune) {
		w->prune = true;
		return 0;
	}
	if (word.op == OP_SET && w->apply &&
		words_match("max-delete:3", text, word.name_len)) {
		if (!uint_parse(value, &w->max_delete) &&
			w->max_delete != INFINITE)
			return 0;
		return complain(s, " Bad number in %s", text);
	}
	if (word.op == OP_NONE || strchr(text, '/') ||
		words_match("file:1", text, word.name_len)) {
		const bool named = word.op != OP_NONE &&
				   words_match("file:1", text, word.name_len);

		if (!w->file_text.path ||
			(!w->apply && !w->directory && !w->first.path)) {
			w->first.path = w->file_text.path;
			w->file_text.path = named ? value : text;
			return 0;
		}
	}
	return complain(s, " Unknown option: %s", text);
}

/* ---- telling -------------------------------------------------------------*/

static void tell_text(struct session *s, const struct applied_file *w)
{
	const char *was = w->first.path;

	if (!was)
		was = arena_printf(&s->arena, "cluster %s", w->store.cluster);
	differences_write(&w->differences, was, w->file_text.path, output(s),
		w->colour, &s->arena);
}

static void tell_document(struct session *s, const struct applied_file *w)
{
	struct document doc;

	document_open(&doc, s, "differences");
	for (size_t i = 0; i < w->differences.n; i++)
		document_write(&doc, difference_record(&w->differences.v[i]));
	document_close(&doc);
}

/* What is there and not in the file, and stays. */
static void tell_kept(struct session *s, const struct applied_file *w)
{
	if (!w->differences.kept || options(s)->quiet || document_wanted(s))
		return;
	cli_flush();
	fprintf(stderr,
		"%s: not in %s, and left alone without prune: %zu\n",
		cli_name(), w->file_text.path, w->differences.kept);
}

/* What a typed change would be refused for. */
static void tell_lost(struct session *s, const struct applied_file *w)
{
	enum { MOST = 10 };

	if (!w->lost.n || options(s)->quiet)
		return;
	cli_flush();
	for (size_t i = 0; i < w->lost.n && i < MOST; i++)
		fprintf(stderr, "%s: %s: %s\n", cli_name(), w->file_text.path,
			w->lost.v[i]);
	if (w->lost.n > MOST)
		fprintf(stderr, "%s: %s: and %zu more like these\n",
			cli_name(), w->file_text.path, w->lost.n - MOST);
}

/* ---- the plan ------------------------------------------------------------*/

static int read_both(
	struct session *s, struct applied_file *w, const char **path)
{
	const struct roster_text *file = &w->file_text;
	const struct roster_text both[] = {w->first, *file};
	size_t bad;
	int rc;

	*path = file->path;
	if (w->directory)
		return roster_directory(s, file->text, file->size, w->prune,
			&w->store, &w->file, &w->quarantined);
	if (!w->first.path)
		return roster_read(s, file->text, file->size, w->prune,
			&w->store, &w->file);
	rc = roster_read_two(s, both, &w->store, &w->file, &bad);
	*path = both[bad].path;
	return rc;
}

static int compare(struct session *s, struct applied_file *w)
{
	const char *path;

	if (read_both(s, w, &path)) {
		if (s->err.code == ERR_PLACED)
			err_prefix(&s->err, "%s", path);
		return complain_err(s);
	}
	roster_compare(s, &w->store, &w->file, w->prune, &w->differences);
	return 0;
}

static void forget(struct applied_file *w)
{
	roster_release(&w->store);
	roster_release(&w->file);
}

static int check_removals(struct session *s, const struct applied_file *w)
{
	size_t n = w->differences.removed + w->quarantined.n;
	struct strv names = {0};

	if (n <= w->max_delete)
		return 0;
	for (size_t i = 0; i < w->differences.n; i++)
		if (w->differences.v[i].what == DIFFERENCE_REMOVED)
			strv_push(&names, &s->arena,
				entry_title(w->differences.v[i].entry,
					&s->arena));
	for (size_t i = 0; i < w->quarantined.n; i++)
		strv_push(&names, &s->arena, w->quarantined.v[i]);
	return complain(s,
		" max-delete=%u: %zu would be deleted%s, so nothing was done: %s",
		w->max_delete, n, w->directory ? " or quarantined" : "",
		strv_join_some(&names, ", ", &s->arena));
}

/* What is told is the differences. */
static int apply_silently(struct session *s, struct applied_file *w)
{
	int rc;

	s->silent = true;
	rc = roster_apply(s, &w->store, &w->file, &w->differences, &w->lost);
	s->silent = false;
	return rc;
}

static enum plan_result plan_apply(struct session *s, void *arg)
{
	struct applied_file *w = arg;
	enum plan_result result = PLAN_REFUSED;

	if (!compare(s, w) && !check_removals(s, w)) {
		if (!w->differences.n)
			result = PLAN_NOTHING;
		else if (!apply_silently(s, w))
			result = PLAN_CHANGED;
	}
	if (result == PLAN_NOTHING && !document_wanted(s))
		fputs(" Nothing to change\n", output(s));
	else if (result >= PLAN_NOTHING && document_wanted(s) &&
		 !options(s)->dry_run)
		tell_document(s, w);
	else if (result == PLAN_CHANGED)
		tell_text(s, w);
	forget(w);
	return result;
}

static int run_diff(struct session *s, struct applied_file *w)
{
	int rc = compare(s, w);

	if (!rc) {
		if (document_wanted(s))
			tell_document(s, w);
		else if (w->differences.n)
			tell_text(s, w);
		tell_kept(s, w);
		s->status = w->differences.n ? 2 : s->status;
	}
	forget(w);
	return rc;
}

static bool may(struct session *s)
{
	if (is_administrator(s))
		return true;
	complain_denied(s);
	return false;
}

static bool is_store(const char *path)
{
	static const char head[] = "SQLite format 3";
	char text[sizeof(head)] = "";
	struct stat st;
	FILE *file = stat(path, &st) || !S_ISREG(st.st_mode)
			     ? NULL /* a pipe is read once */
			     : fopen(path, "re");

	if (file && fread(text, 1, sizeof(text), file) != sizeof(text))
		*text = '\0';
	if (file)
		fclose(file);
	return !memcmp(text, head, sizeof(head));
}

/* What `dump` would write of the cluster in another store, such as a replica that
 * was set aside. */
static int dump_store(struct roster_text *t, struct session *s)
{
	struct store *store = s->store, other;
	struct roster roster;
	FILE *file;
	int rc;

	if (backup_check(s->site.store_path, t->path, &s->err) ||
		backup_look(&other, store, &s->site.conf.policy, t->path))
		return -1;
	s->store = &other;
	rc = roster_load(s, s->site.cluster, &roster);
	if (!rc) {
		file = memory_stream(&t->text, &t->size);
		tree_write(file, roster_document(s, &roster), false);
		fclose(file);
	}
	roster_release(&roster);
	s->store = store;
	store_close(&other);
	return rc;
}

static int read_text(struct roster_text *t, struct session *s)
{
	if (is_store(t->path) && !session_open(s, STORE_READ))
		return dump_store(t, s);
	return infile_read(t->path, &t->text, &t->size, &s->err);
}

static int run(struct session *s, bool apply, char **words, int n)
{
	struct applied_file w = {.apply = apply, .max_delete = INFINITE};
	int rc;

	w.directory = n && !strcmp(words[0], "directory");
	for (int i = w.directory; i < n; i++)
		if (take_word(s, &w, words[i]))
			return -1;
	if (!w.file_text.path)
		return complain(s, " No filename given: %.*s %sFILE",
			(int)strcspn(s->command, " "), s->command,
			w.directory ? "directory " : "");
	if (w.first.path)
		w.prune = true; /* both say all there is */
	else if (!apply && session_open(s, STORE_READ))
		return complain_err(s);
	else if (!may(s))
		return -1;
	if (read_text(&w.file_text, s) ||
		(w.first.path && read_text(&w.first, s)))
		return complain_err(s);
	w.colour = cli_coloured() && !options(s)->dry_run;
	rc = apply ? change_run(s, plan_apply, &w) : run_diff(s, &w);
	if (apply && !rc) {
		tell_kept(s, &w);
		tell_lost(s, &w);
	}
	free(w.file_text.text);
	free(w.first.text);
	return rc;
}

int diff_command(struct session *s, char **words, int n)
{
	return run(s, false, words, n);
}

int apply_command(struct session *s, char **words, int n)
{
	return run(s, true, words, n);
}
