/*
 * ensure, absent: make it so, and say whether anything had to be done; for
 * configuration management. They do what add, modify and delete do, as one
 * change. Slurm has no such words.
 */
#include <string.h>

#include "cmd/sacctmgr/effects.h"
#include "cmd/sacctmgr/help.h"
#include "common/base/words.h"
#include "db/entity/lease.h"
#include "db/undo/change_rows.h"

struct ensuring {
	const struct entity *entity;
	char **words; /* behind the entity */
	int n;
	bool absent;
	struct request request; /* the words as add reads them */
};

/* ---- is it there? --------------------------------------------------------*/

static size_t at_least_one(const struct strv *list)
{
	return list->n ? list->n : 1;
}

/* Every user in every account (and partition), on every cluster named. */
static int has_assocs(
	struct session *s, const struct request *r, bool users, bool *all)
{
	struct assoc_cond cond = {.without_limits = true,
		.clusters = r->clusters,
		.accounts = users ? r->accounts : r->names,
		.partitions = r->partitions};
	struct assoc_list rows;
	size_t wanted = at_least_one(&cond.accounts), found = 0;

	wanted *= at_least_one(&cond.clusters);
	if (users) {
		cond.users = r->names;
		wanted *= r->names.n * at_least_one(&cond.partitions);
	}
	if (assoc_list(s->store, &cond, &s->arena, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		found += !*rows.v[i]->user != users;
	*all = found >= wanted;
	return 0;
}

static int is_there(struct session *s, const struct ensuring *w, bool *all)
{
	struct qos_cond cond = {.names = w->request.names};
	struct qos_list list;

	if (w->entity != &qos_entity)
		return has_assocs(
			s, &w->request, w->entity == &user_entity, all);
	if (qos_list(s->store, &cond, &s->arena, &list))
		return -1;
	*all = list.n >= w->request.names.n;
	return 0;
}

/* ---- words ---------------------------------------------------------------*/

/* Does the word name what is meant, rather than set anything? */
static bool is_name(const struct vocabulary *v, const char *text)
{
	struct word word = word_split(text);

	return word.op == OP_NONE ||
	       (word.op == OP_SET && add_word_find(v, &word));
}

/* Alone it sets nothing. */
static bool is_until(const char *text)
{
	struct word word = word_split((char *)(uintptr_t)text);

	return words_match(UNTIL_WORDS, word.text, word.name_len) ||
	       words_match(FOR_WORDS, word.text, word.name_len);
}

/* The words for modify: where those that name, set the others; how many are
 * set. */
static int modify_words(
	struct session *s, const struct ensuring *w, char **words, int *n)
{
	const struct vocabulary *v = entity_words(w->entity, VERB_ADD);
	int set = 0;

	*n = 0;
	words[(*n)++] = arena_strdup(&s->arena, "where");
	for (int i = 0; i < w->n; i++)
		if (is_name(v, w->words[i]))
			words[(*n)++] = w->words[i];
	words[(*n)++] = arena_strdup(&s->arena, "set");
	for (int i = 0; i < w->n; i++)
		if (!is_name(v, w->words[i])) {
			words[(*n)++] = w->words[i];
			set += !is_until(w->words[i]);
		}
	return set;
}

/* ---- carrying it out -----------------------------------------------------*/

static void hear(struct session *s, const char *line, enum say how)
{
	*(bool *)s->hooks->arg = true;
	ask_hooks.say(s, line, how);
}

/* In the transaction that is open. */
static int run_inside(struct session *s, const struct change *change)
{
	lease_until(s->store, s->until);
	return change->plan(s, change->arg) >= PLAN_UNCHANGED ? 0 : -1;
}

static int carry_out(
	struct session *s, const struct ensuring *w, const bool *complained)
{
	const struct changeable *changes = w->entity->changes;
	char **words = arena_array(
		&s->arena, (size_t)w->n + 3, sizeof(*words));
	bool there;
	int n;

	if (w->absent) {
		change_entity(s, changes, VERB_DELETE, w->words, w->n);
		return 0;
	}
	if (is_there(s, w, &there))
		return complain_err(s);
	if (!there)
		change_entity(s, changes, VERB_ADD, w->words, w->n);
	if (*complained)
		return -1;
	if (modify_words(s, w, words, &n))
		change_entity(s, changes, VERB_MODIFY, words, n);
	if (*complained || is_there(s, w, &there))
		return -1;
	if (!there)
		complain(s, " It could not be added");
	return there ? 0 : -1;
}

static int made_changes(struct session *s, bool *changed)
{
	void *blob;
	int size, rc;

	if (store_changeset(s->store, &blob, &size))
		return -1;
	rc = change_tells(s->store, blob, size, &s->arena, changed);
	store_changeset_free(blob);
	return rc;
}

/* ---- what is told --------------------------------------------------------*/

/* A program that has its document is not told what was done; a person who is
 * asked sees what it is about. */
static bool tells_effects(struct session *s)
{
	return options(s)->form == JSON_NONE ||
	       !(s->immediate || options(s)->dry_run);
}

static const char *const *last_lines(struct session *s)
{
	static const char *const plain[] = {"unchanged\n", "changed\n"},
				 *const json[] = {"{\"changed\": false}\n",
					 "{\"changed\": true}\n"},
				 *const yaml[] = {"changed: false\n",
					 "changed: true\n"};

	switch (options(s)->form) {
	case JSON_NONE:
		return plain;
	case JSON_YAML:
	case JSON_YAML_COMPACT:
		return yaml;
	default:
		return json;
	}
}

/* ---- the plan ------------------------------------------------------------*/

static enum plan_result plan(struct session *s, void *arg)
{
	bool immediate = s->immediate, changed = false, complained = false;
	const struct session_hooks inside = {
		.say = hear, .run = run_inside, .arg = &complained};
	const struct session_hooks *hooks = s->hooks;
	const struct ensuring *w = arg;
	int rc, status = s->status;

	s->hooks = &inside;
	s->immediate = true;
	rc = carry_out(s, w, &complained);
	s->hooks = hooks;
	s->immediate = immediate;
	if (rc || complained || made_changes(s, &changed))
		return PLAN_FAILED;
	s->status = status;
	if (!changed || !tells_effects(s)) {
		s->effects.n = 0;
		s->until = 0; /* it would be told as an effect */
	}
	return changed ? PLAN_CHANGED : PLAN_NOTHING;
}

static int run(struct session *s, bool absent, char **words, int n)
{
	struct ensuring w = {.absent = absent};
	const struct vocabulary *v;

	w.entity = n ? find_entity(VERB_ADD, words[0]) : NULL;
	if (w.entity != &account_entity && w.entity != &user_entity &&
		w.entity != &qos_entity) {
		complain(s, " Only an account, a QOS or a user can be made %s",
			absent ? "absent" : "sure of");
		return -1;
	}
	w.words = words + 1;
	w.n = n - 1;
	v = entity_words(w.entity, VERB_ADD);
	if (!absent) {
		parse_words(s, v, PARSE_SET, false, w.words, w.n, &w.request);
		if (w.request.failed)
			return -1;
		if (!w.request.names.n)
			memcpy(&w.request.names,
				w.entity == &user_entity ? &w.request.users
							 : &w.request.accounts,
				sizeof(w.request.names));
	}
	if (!absent && !w.request.names.n) {
		complain(s, " Need a name of what is to be there");
		return -1;
	}
	program(s)->last_lines = last_lines(s);
	return change_run(s, plan, &w);
}

int ensure_command(struct session *s, char **words, int n)
{
	return run(s, false, words, n);
}

int absent_command(struct session *s, char **words, int n)
{
	return run(s, true, words, n);
}
