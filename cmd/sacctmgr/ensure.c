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
	struct strv accounts, wckeys; /* with those that are to be defaults */
	bool complained; /* in this run of the plan */
};

/* ---- is it there? --------------------------------------------------------*/

static int has_key(struct session *s, const char *cluster, const char *user,
	const char *name)
{
	struct wckey_cond cond = {0};
	struct wckey_list keys;

	strv_push(&cond.clusters, &s->arena, cluster);
	strv_push(&cond.users, &s->arena, user);
	strv_push(&cond.names, &s->arena, name);
	if (wckey_list(s->store, &cond, &s->arena, &keys))
		return -1;
	return keys.n > 0;
}

/* Of a user with the wckey, or in the account, for the partition; "" is any.
 * 1: it is on the cluster, 0, -1. */
static int has(struct session *s, const struct ensuring *w, bool keys,
	const char *cluster, const char *name, const char *of,
	const char *partition)
{
	const char *first;
	struct assoc *row;

	if (w->entity == &qos_entity)
		return qos_by_name(&s->store->qos, name) != NULL;
	if (keys)
		return has_key(s, cluster, name, of);
	if (w->entity == &account_entity)
		return assoc_find(
			s->store, cluster, name, "", "", &s->arena, &row);
	if (*partition)
		return assoc_find(s->store, cluster, of, name, partition,
			&s->arena, &row);
	return assoc_first_account(
		s->store, cluster, name, of, &s->arena, &first);
}

/* On every cluster that is named; where none is, on any. */
static int is_there(struct session *s, const struct ensuring *w, bool keys,
	const struct strv *clusters, const char *name, const char *of,
	const char *partition)
{
	const size_t wanted = w->request.clusters.n ? clusters->n : 1;
	size_t found = 0;

	for (size_t i = 0; i < clusters->n && found < wanted; i++) {
		int rc = has(s, w, keys, clusters->v[i], name, of, partition);

		if (rc < 0)
			return -1;
		found += (size_t)rc;
	}
	return found >= wanted;
}

static const struct strv *said(const struct strv *list)
{
	static char nothing[1], *names[] = {nothing};
	static const struct strv any = {names, 1, 1};

	return list->n ? list : &any;
}

/* The names that lack any of the others. */
static int list_missing(struct session *s, const struct ensuring *w, bool keys,
	struct strv *missing)
{
	const struct strv *names = &w->request.names;
	const struct strv *of = said(keys ? &w->wckeys : &w->accounts);
	const struct strv *partitions = said(&w->request.partitions);
	const size_t each = of->n * partitions->n;
	struct strv clusters = {0};

	*missing = (struct strv){0};
	if (chosen_clusters(s, &w->request.clusters, &clusters))
		return complain_err(s);
	for (size_t i = 0; i < names->n * each; i++) {
		const char *name = names->v[i / each];
		int rc = is_there(s, w, keys, &clusters, name,
			of->v[i % each / partitions->n],
			partitions->v[i % partitions->n]);

		if (rc < 0)
			return complain_err(s);
		if (!rc && !strv_has(missing, name))
			strv_push(missing, &s->arena, name);
	}
	return 0;
}

/* Those named, and the default. */
static struct strv with_default(struct session *s, const struct strv *list,
	const struct settings *set, const struct member *attr)
{
	const char *name = settings_text_of(set, attr);
	struct strv all = *list;

	all.cap = all.n;
	if (name && *name && !strv_has(list, name))
		strv_push(&all, &s->arena, name);
	return all;
}

/* The clusters that are named, else those where every user has what is to be
 * the default; none: on no cluster. */
static int default_clusters(
	struct session *s, const struct ensuring *w, struct strv *clusters)
{
	static const struct strv none;
	const struct settings *set = &w->request.set;
	struct ensuring one = *w;
	struct strv all = {0};

	*clusters = w->request.clusters;
	if (clusters->n)
		return 0;
	one.request.partitions = none;
	one.accounts = with_default(s, &none, set, user_attr(default_account));
	one.wckeys = with_default(s, &none, set, user_attr(default_wckey));
	if (chosen_clusters(s, clusters, &all))
		return complain_err(s);
	for (size_t i = 0; i < all.n; i++) {
		struct strv rows = {0}, keys = {0};

		one.request.clusters = (struct strv){&all.v[i], 1, 1};
		if ((one.accounts.n && list_missing(s, &one, false, &rows)) ||
			(one.wckeys.n && list_missing(s, &one, true, &keys)))
			return -1;
		if (!rows.n && !keys.n)
			strv_push(clusters, &s->arena, all.v[i]);
	}
	return 0;
}

/* ---- words ---------------------------------------------------------------*/

/* What becomes an operation of its own. */
enum part {
	ADD_ALL,
	ADD_KEYS,    /* to users who are there */
	MODIFY_USER, /* whatever the account */
	MODIFY_REST,
};

static void push_list(struct session *s, struct strv *words, const char *word,
	const struct strv *list)
{
	if (list->n)
		strv_printf(words, &s->arena, "%s=%s", word,
			strv_join(list, ",", &s->arena));
}

static void push_names(struct session *s, const struct ensuring *w,
	enum part part, const struct strv *names, const struct strv *clusters,
	struct strv *words)
{
	const struct request *r = &w->request;

	push_list(s, words, "names", names);
	push_list(s, words, "clusters", clusters);
	if (part == ADD_ALL || part == MODIFY_REST) {
		push_list(s, words, "accounts", &r->accounts);
		push_list(s, words, "partitions", &r->partitions);
	}
	if (part == ADD_ALL || part == ADD_KEYS)
		push_list(s, words, "wckeys", &r->wckeys);
}

/* Alone it sets nothing. */
static bool is_until(const struct word *word)
{
	return words_match(UNTIL_WORDS, word->text, word->name_len) ||
	       words_match(FOR_WORDS, word->text, word->name_len);
}

static bool sets(
	const struct vocabulary *v, const struct word *word, enum part part)
{
	const struct members *table = NULL;
	const struct member *m;

	if (is_until(word))
		return part != ADD_KEYS;
	m = set_find(v, word, true, &table);
	if (part <= ADD_KEYS)
		return part == ADD_ALL || m == user_attr(default_wckey);
	return (table == &user_members) == (part == MODIFY_USER);
}

/* How many set anything. */
static int push_settings(struct session *s, const struct ensuring *w,
	enum part part, struct strv *words)
{
	const struct vocabulary *v = entity_words(w->entity, VERB_ADD);
	int set = 0;

	for (int i = 0; i < w->n; i++) {
		const struct word word = word_split(w->words[i]);

		if (word.op == OP_NONE || add_word_find(v, &word) ||
			!sets(v, &word, part))
			continue;
		strv_push(words, &s->arena, w->words[i]);
		set += !is_until(&word);
	}
	return set;
}

/* ---- carrying it out -----------------------------------------------------*/

static void hear(struct session *s, const char *line, enum say how)
{
	struct ensuring *w = s->hooks->arg;

	w->complained = true;
	ask_hooks.say(s, line, how);
}

/* In the transaction that is open. */
static int run_inside(struct session *s, const struct change *change)
{
	lease_until(s->store, s->until);
	return change->plan(s, change->arg) >= PLAN_UNCHANGED ? 0 : -1;
}

static int add(struct session *s, const struct ensuring *w, enum part part)
{
	const bool keys = part == ADD_KEYS;
	struct strv missing, words = {0};

	if (list_missing(s, w, keys, &missing))
		return -1;
	if (!missing.n)
		return 0;
	push_names(s, w, part, &missing, &w->request.clusters, &words);
	push_settings(s, w, part, &words);
	change_entity(s, w->entity->changes, VERB_ADD, words.v, (int)words.n);
	if (w->complained || list_missing(s, w, keys, &missing))
		return -1;
	if (missing.n)
		complain(s, " It could not be added");
	return missing.n ? -1 : 0;
}

static int modify(struct session *s, const struct ensuring *w, enum part part)
{
	struct strv words = {0}, clusters = w->request.clusters;

	if (part == MODIFY_USER && default_clusters(s, w, &clusters))
		return -1;
	strv_push(&words, &s->arena, "where");
	push_names(s, w, part, &w->request.names, &clusters, &words);
	strv_push(&words, &s->arena, "set");
	if (!push_settings(s, w, part, &words))
		return 0;
	return change_entity(s, w->entity->changes, VERB_MODIFY, words.v,
		       (int)words.n) ||
			       w->complained
		       ? -1
		       : 0;
}

/* An account that was to be moved, and was not: an effect says why. */
static int check_moves(struct session *s)
{
	for (size_t i = 0; i < s->effects.n; i++)
		if (s->effects.v[i].kind == EFFECT_NO_PARENT ||
			s->effects.v[i].kind == EFFECT_OWN_CHILD)
			return -1;
	return 0;
}

static int carry_out(struct session *s, const struct ensuring *w)
{
	if (w->absent) {
		change_entity(s, w->entity->changes, VERB_DELETE, w->words,
			w->n);
		return 0;
	}
	/* A user may have wckeys alone. */
	return ((w->accounts.n || !w->wckeys.n) && add(s, w, ADD_ALL)) ||
			       (w->wckeys.n && add(s, w, ADD_KEYS)) ||
			       modify(s, w, MODIFY_USER) ||
			       modify(s, w, MODIFY_REST) ||
			       check_moves(s)
		       ? -1
		       : 0;
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
	bool immediate = s->immediate, changed = false;
	const struct session_hooks inside = {
		.say = hear, .run = run_inside, .arg = arg};
	const struct session_hooks *hooks = s->hooks;
	const struct session_hints *hints = s->hints;
	struct ensuring *w = arg;
	int rc, status = s->status;

	s->hooks = &inside;
	s->immediate = true;
	if (!w->absent)
		s->hints = NULL; /* run() has given them */
	w->complained = false;
	rc = carry_out(s, w);
	s->hooks = hooks;
	s->hints = hints;
	s->immediate = immediate;
	if (rc || w->complained || made_changes(s, &changed))
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
		w.entity != &qos_entity)
		return complain(s, " Only an account, a QOS or a user can be made %s",
			absent ? "absent" : "sure of");
	w.words = words + 1;
	w.n = n - 1;
	v = entity_words(w.entity, VERB_ADD);
	if (!absent) {
		parse_words(s, v, PARSE_SET, false, w.words, w.n, &w.request);
		if (w.request.failed)
			return -1;
		w.accounts = with_default(s, &w.request.accounts,
			&w.request.set, user_attr(default_account));
		w.wckeys = with_default(s, &w.request.wckeys, &w.request.set,
			user_attr(default_wckey));
	}
	if (!absent && (!w.request.names.n || strv_has(&w.request.names, "")))
		return complain(s, " Need a name of what is to be there");
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
