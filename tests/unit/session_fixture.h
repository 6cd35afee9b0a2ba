/*
 * Operations (db/change/change.h) on the store of one test: whoever asks may do
 * everything, as with -i. Include after cmocka.h.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/change/change.h"
#include "tests/unit/store_fixture.h"

struct session_fixture {
	struct store_fixture t;
	struct session s;
	struct session_hooks hooks;
	char *said; /* every complaint */
	size_t said_size;
	FILE *say;
};

static inline void session_say(
	struct session *s, const char *line, enum say how)
{
	fprintf(s->hooks->arg, "%s\n", line);
}

static inline int session_run(struct session *s, const struct change *change)
{
	struct outcome o;
	int rc = -1;

	if (change_try(s, change, false, &o))
		return -1;
	if (o.result == PLAN_CHANGED) {
		rc = store_commit(s->store, "a change");
	} else {
		store_rollback(s->store);
		rc = o.result == PLAN_NOTHING ? 0 : -1;
	}
	outcome_free(&o);
	assert_int_equal(store_load_catalogs(s->store), 0);
	return rc;
}

static inline void session_fixture_open(struct session_fixture *f, int64_t now)
{
	*f = (struct session_fixture){.say = NULL};
	store_fixture_open(&f->t, now);
	f->say = memory_stream(&f->said, &f->said_size);
	f->hooks = (struct session_hooks){
		.say = session_say, .run = session_run, .arg = f->say};
	f->s = (struct session){.hooks = &f->hooks, .store = &f->t.store};
	f->s.immediate = true;
	f->s.site.caller = (struct caller){.name = "root", .super = true};
	f->s.site.conf.policy = f->t.policy;
	f->s.site.now = now;
	f->s.command = "a change";
	arena_init(&f->s.arena);
	f->t.store.err = &f->s.err;
}

static inline void session_fixture_close(struct session_fixture *f)
{
	arena_release(&f->s.arena);
	fclose(f->say);
	free(f->said);
	store_fixture_close(&f->t);
}

/* "modify user where name=ann set maxjobs=3"; blanks part the words, ^ is one
 * within a word. True: it was done. */
static inline bool session_do(struct session_fixture *f, char *text)
{
	static const char *const verbs[VERBS] = {
		[VERB_ADD] = "add",
		[VERB_MODIFY] = "modify",
		[VERB_DELETE] = "delete"};
	char *words[32], *rest;
	int n = 0, verb = 0;

	for (char *word = strtok_r(text, " ", &rest); word && n < 32;
		word = strtok_r(NULL, " ", &rest))
		words[n++] = word;
	for (int i = 0; i < n; i++)
		for (char *at = words[i]; (at = strchr(at, '^'));)
			*at = ' ';
	while (!verbs[verb] || strcmp(verbs[verb], words[0]) != 0)
		verb++;
	*f->s.err.text = '\0';
	n = change_words(&f->s, (enum verb)verb, words + 1, n - 1);
	f->s.until = 0; /* of its words alone */
	return n == 0;
}
