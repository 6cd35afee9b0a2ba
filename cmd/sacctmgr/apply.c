/*
 * diff, apply: the store beside a file of `dump` in any format, two such files
 * beside each other, and the store made as a file says (db/roster/roster.h).
 * Slurm has no such words.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/infile.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
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
		complain(s, " Bad number in %s", text);
		return -1;
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
	complain(s, " Unknown option: %s", text);
	return -1;
}

/* ---- telling -------------------------------------------------------------*/

static bool coloured(const struct session *s)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !options(s)->dry_run && !(no && *no) &&
	       !(term && !strcmp(term, "dumb"));
}

static void line(struct session *s, bool colour, const char *number,
	const char *text)
{
	text = utf8_visible(&s->arena, text);
	if (colour)
		fprintf(output(s), "\033[%sm%s\033[0m\n", number, text);
	else
		fprintf(output(s), "%s\n", text);
}

static const char *const verbs[] = {
	[DIFFERENCE_ADDED] = "add ",
	[DIFFERENCE_CHANGED] = "",
	[DIFFERENCE_REMOVED] = "delete ",
};

static void tell_one(
	struct session *s, const struct difference *d, bool colour)
{
	const char *title = entry_title(d->entry, &s->arena);

	if (d->entry->line)
		title = arena_printf(
			&s->arena, "%s, line %d", title, d->entry->line);
	line(s, colour, "36",
		arena_printf(&s->arena, "@@ %s%s @@", verbs[d->what], title));
	for (size_t i = 0; i < d->n; i++) {
		const struct changed_fact *c = &d->v[i];

		if (c->was)
			line(s, colour, "31",
				arena_printf(&s->arena, "-%s: %s",
					c->fact->name, c->was));
		if (c->is)
			line(s, colour, "32",
				arena_printf(&s->arena, "+%s: %s",
					c->fact->name, c->is));
	}
}

static void tell_text(struct session *s, const struct applied_file *w)
{
	const struct differences *all = &w->differences;

	line(s, w->colour, "1",
		w->first.path ? arena_printf(&s->arena, "--- %s", w->first.path)
			      : arena_printf(&s->arena, "--- cluster %s",
					w->store.cluster));
	line(s, w->colour, "1", arena_printf(&s->arena, "+++ %s", w->file_text.path));
	for (size_t i = 0; i < all->n; i++)
		tell_one(s, &all->v[i], w->colour);
}

static struct json_object *told_value(const struct changed_fact *c)
{
	struct json_object *row = json_record();

	json_put_text(row, "name", c->fact->name);
	if (c->was)
		json_put_text(row, "before", c->was);
	else
		json_put_object(row, "before", NULL);
	if (c->is)
		json_put_text(row, "after", c->is);
	else
		json_put_object(row, "after", NULL);
	return row;
}

static struct json_object *told_difference(const struct difference *d)
{
	static const char *const changes[] = {
		[DIFFERENCE_ADDED] = "added",
		[DIFFERENCE_CHANGED] = "changed",
		[DIFFERENCE_REMOVED] = "removed",
	};
	static const char *const kinds[] = {
		[ROSTER_CLUSTER] = "cluster",
		[ROSTER_QOS] = "qos",
		[ROSTER_ACCOUNT] = "account",
		[ROSTER_ROW] = "association",
		[ROSTER_USER] = "user",
	};
	struct json_object *row = json_record();

	json_put_text(row, "change", changes[d->what]);
	json_put_text(row, "entity", kinds[d->entry->kind]);
	if (d->entry->kind == ROSTER_ROW) {
		json_put_text(row, "user", d->entry->name);
		json_put_text(row, "account", d->entry->account);
		json_put_text(row, "partition", d->entry->partition);
	} else {
		json_put_text(row, "name", d->entry->name);
	}
	json_put_int(row, "line", d->entry->line);
	json_append(row, "values", NULL);
	for (size_t i = 0; i < d->n; i++)
		json_append(row, "values", told_value(&d->v[i]));
	return row;
}

static void tell_document(struct session *s, const struct applied_file *w)
{
	struct document doc;

	document_open(&doc, s, "differences");
	for (size_t i = 0; i < w->differences.n; i++)
		document_write(&doc, told_difference(&w->differences.v[i]));
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
		return roster_read(
			s, file->text, file->size, &w->store, &w->file);
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
	complain(s,
		" max-delete=%u: %zu would be deleted%s, so nothing was done: %s",
		w->max_delete, n, w->directory ? " or quarantined" : "",
		strv_join_some(&names, ", ", &s->arena));
	return -1;
}

static enum plan_result plan_apply(struct session *s, void *arg)
{
	struct applied_file *w = arg;
	enum plan_result result = PLAN_REFUSED;

	if (!compare(s, w) && !check_removals(s, w)) {
		if (!w->differences.n)
			result = PLAN_NOTHING;
		else if (!roster_apply(s, &w->store, &w->file,
				 &w->differences, &w->lost))
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

static int read_text(struct roster_text *t, struct session *s)
{
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
	if (!w.file_text.path) {
		complain(s, " No filename given: %.*s %sFILE",
			(int)strcspn(s->command, " "), s->command,
			w.directory ? "directory " : "");
		return -1;
	}
	if (w.first.path)
		w.prune = true; /* both say all there is */
	else if (!apply && session_open(s, STORE_READ))
		return complain_err(s);
	else if (!may(s))
		return -1;
	if (read_text(&w.file_text, s) ||
		(w.first.path && read_text(&w.first, s)))
		return complain_err(s);
	w.colour = coloured(s);
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
