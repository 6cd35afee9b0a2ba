/*
 * Operations by words for which nobody is asked, and of which nothing is shown;
 * see change.h.
 */
#include "db/change/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/memory.h"

enum verb change_verb(const char *word)
{
	static const struct {
		const char *word;
		enum verb verb;
	} verbs[] = {
		{"add", VERB_ADD},
		{"create", VERB_ADD},
		{"modify", VERB_MODIFY},
		{"update", VERB_MODIFY},
		{"delete", VERB_DELETE},
		{"remove", VERB_DELETE},
	};
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (len >= 3 && !strncasecmp(word, verbs[i].word, len))
			return verbs[i].verb;
	return VERBS;
}

struct hearing {
	struct unasked *u;
	FILE *said;
};

/* What is said is kept, in case it is refused. */
static void hear(struct session *s, const char *line, enum say how)
{
	const struct hearing *h = s->hooks->arg;

	fprintf(h->said, "%s%s\n", how == SAY_NAMED ? "error: " : "", line);
}

/* Why nothing was done, when that is not an error. */
static void hear_effects(struct session *s, const struct effects *effects)
{
	static const char *const texts[] = {
		[EFFECT_NOTHING] = "there is nothing that it would change",
		[EFFECT_EXISTS] = "it is there already",
		[EFFECT_NO_ACCOUNT] = "a cluster lacks the account",
		[EFFECT_NO_DEFAULT] = "a user lacks the new default",
	};
	const char *last = "";

	for (size_t i = 0; i < effects->n; i++) {
		enum effect_kind kind = effects->v[i].kind;
		const char *text = kind < sizeof(texts) / sizeof(*texts)
					   ? texts[kind]
					   : NULL;

		if (text && text != last)
			hear(s, text, SAY_LINE);
		last = text ? text : last;
	}
}

static int commit(struct session *s, struct unasked *u)
{
	if ((!u->before_commit || !u->before_commit(u->arg)) &&
		!store_commit(s->store, s->command))
		return 0;
	store_rollback(s->store);
	u->failed = true;
	return complain_err(s);
}

static int run(struct session *s, const struct change *change)
{
	struct unasked *u = ((const struct hearing *)s->hooks->arg)->u;
	struct outcome o;
	int rc = 0;

	u->failed = change_try(s, change, false, &o);
	if (u->failed)
		return complain_err(s);
	if (o.result == PLAN_CHANGED) {
		rc = commit(s, u);
	} else {
		hear_effects(s, &o.effects);
		store_rollback(s->store);
		rc = o.result == PLAN_NOTHING ? 0 : -1;
		u->failed = s->err.kind == ERR_STORE;
	}
	outcome_free(&o);
	return rc;
}

/* In one line, cut. */
static void keep_why(struct unasked *u, char *said)
{
	char *text = said + strspn(said, " \n");
	size_t len;

	snprintf(u->why, sizeof(u->why), "%s", *text ? text : "refused");
	len = strlen(u->why);
	while (len && strchr(" \n", u->why[len - 1]))
		len--;
	u->why[len] = '\0';
	for (char *c = u->why; *c; c++)
		if (*c == '\n')
			*c = ' ';
}

int change_unasked(struct site *site, struct unasked *u, enum verb verb,
	char **words, int n)
{
	char *said = NULL;
	size_t size;
	struct hearing hearing = {u, memory_stream(&said, &size)};
	const struct session_hooks hooks = {
		.say = hear, .run = run, .arg = &hearing};
	struct err *before = site->store.err;
	struct session s = {.hooks = &hooks,
		.immediate = true,
		.site = *site,
		.store = &site->store,
		.command = u->command};
	int rc;

	arena_init(&s.arena);
	site->store.err = &s.err;
	rc = change_words(&s, verb, words, n);
	site->store.err = before;
	fclose(hearing.said);
	rc = rc || s.status ? -1 : 0;
	if (rc)
		keep_why(u, said);
	if (u->failed)
		*before = s.err;
	arena_release(&s.arena);
	free(said);
	return rc;
}
