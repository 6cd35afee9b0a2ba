/*
 * undo, redo: changes of the log taken back, or made once more
 * (db/undo/undo.h). Slurm has no such words.
 */
#include "db/undo/undo.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/text/timespec.h"
#include "db/store/meta.h"

enum { ROWS_SHOWN = 100 };

static const char *when(struct session *s, int64_t time)
{
	return time_format(&s->arena, (time_t)time, s->site.time_format,
		(time_t)s->site.now);
}

/* ---- words ---------------------------------------------------------------*/

static int bad_word(struct session *s, const char *text)
{
	return complain(s, " Unknown condition: %s", text);
}

static int read_word(struct session *s, struct undo_cond *cond, char *text)
{
	struct word word = word_split(text);
	struct strv value = {0};
	uint32_t id;

	if (word.op == OP_NONE && !strcmp(text, "last"))
		return 0;
	if (word.op == OP_NONE) {
		if (uint_parse(text, &id) || !id)
			return bad_word(s, text);
		cond->id = id;
		return 0;
	}
	strv_push(&value, &s->arena, str_unquote(&s->arena, word.value));
	if (!*value.v[0]) /* would be everything */
		return bad_word(s, text);
	if (word.op == OP_SET &&
		words_match("Actor:1", word.text, word.name_len)) {
		cond->actor = value.v[0];
		return 0;
	}
	if (word.op != OP_SET ||
		!words_match("Since:1", word.text, word.name_len))
		return bad_word(s, text);
	if (!read_time(s, &value, &cond->since))
		return 0;
	return complain_err(s);
}

/* ---- which ---------------------------------------------------------------*/

static int nothing_there(struct session *s, const struct undo_cond *cond)
{
	int64_t purged = 0;

	if (cond->id)
		complain(s, " The log has no change %" PRId64, cond->id);
	else
		complain(s, " Nothing to %s", cond->redo ? "redo" : "undo");
	if (meta_get_int(s->store, META_PURGED_LOG, &purged))
		return complain_err(s);
	if (purged)
		complain(s, " Changes before %s were purged",
			when(s, purged));
	return -1;
}

/* Conditions may cover changes that the log no longer has: `since` a time
 * before its beginning undoes nothing; for a user's changes, those missing are
 * reported. */
static int check_purged(struct session *s, const struct undo_cond *cond)
{
	int64_t purged = 0;

	if (meta_get_int(s->store, META_PURGED_LOG, &purged))
		return complain_err(s);
	if (!purged || cond->id || cond->since >= purged ||
		(!cond->since && !cond->actor))
		return 0;
	if (!cond->since) {
		fprintf(output(s), " Changes before %s were purged and stay\n",
			when(s, purged));
		return 0;
	}
	return complain(s,
		" Changes before %s were purged and cannot be %s: give a "
		"later since=",
		when(s, purged), cond->redo ? "redone" : "undone");
}

/* One that was named by its number. */
static int check_chosen(
	struct session *s, const struct undo_cond *cond, const struct logged *l)
{
	if (l->automatic)
		complain(s,
			" Change %" PRId64 " (%s) follows the configuration, "
			"the job records or the clock and is not undone",
			l->id, l->command);
	else if (l->reverses)
		complain(s,
			" Change %" PRId64 " is itself an undo or redo: give "
			"the change that it is about (%s)",
			l->id, l->command);
	else if (!cond->redo && l->undone)
		complain(s,
			" Change %" PRId64 " is undone already, by change "
			"%" PRId64,
			l->id, l->undone);
	else if (cond->redo && !l->undone)
		complain(s, " Change %" PRId64 " is not undone", l->id);
	else
		return 0;
	return -1;
}

/* ---- the plan ------------------------------------------------------------*/

struct undo_telling {
	struct session *s;
	bool redo;
};

static void tell(void *arg, const struct logged *l, const struct strv *rows)
{
	struct undo_telling *t = arg;
	struct arena *arena = &t->s->arena;
	FILE *out = output(t->s);

	fprintf(out, " %s change %" PRId64 " of %s, %s: %s\n",
		t->redo ? "Redo" : "Undo", l->id,
		utf8_visible(arena, l->actor), when(t->s, l->time),
		utf8_visible(arena, l->command));
	for (size_t i = 0; i < rows->n && i < ROWS_SHOWN; i++)
		fprintf(out, "  %s\n", utf8_visible(arena, rows->v[i]));
	if (rows->n > ROWS_SHOWN)
		fprintf(out, "  and %zu rows more\n", rows->n - ROWS_SHOWN);
}

static enum plan_result plan(struct session *s, void *arg)
{
	const struct undo_cond *cond = arg;
	struct undo_telling t = {s, cond->redo};
	struct logged_list list;

	if (undo_choose(s->store, cond, &s->arena, &list))
		return plan_failed(s);
	if (!list.n) {
		nothing_there(s, cond);
		return PLAN_FAILED;
	}
	if ((cond->id && check_chosen(s, cond, &list.v[0])) ||
		check_purged(s, cond))
		return PLAN_FAILED;
	if (undo_run(s->store, &s->site.conf.policy, &list, cond->redo,
		    &s->arena, tell, &t) ||
		store_load_catalogs(s->store)) {
		complain_err(s);
		return PLAN_REFUSED;
	}
	return PLAN_CHANGED;
}

static int run(struct session *s, bool redo, char **words, int n)
{
	struct undo_cond cond = {.redo = redo};

	for (int i = 0; i < n; i++)
		if (read_word(s, &cond, words[i]))
			return -1;
	if (cond.id && (cond.since || cond.actor))
		return complain(s, " Give the number of a change, or conditions");
	if (!is_administrator(s))
		return complain_denied(s);
	return change_run(s, plan, &cond);
}

int undo_command(struct session *s, char **words, int n)
{
	return run(s, false, words, n);
}

int redo_command(struct session *s, char **words, int n)
{
	return run(s, true, words, n);
}
