/*
 * What operations share: complaints, a run of a plan, series of changes, and
 * operations by their words; see change.h.
 */
#include "db/change/change.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "db/entity/lease.h"

enum { LINE = 4096 };

__attribute__((format(printf, 3, 0)))
static void say(struct session *s, enum say how, const char *fmt, va_list ap)
{
	char line[LINE];

	err_vprint(line, sizeof(line), fmt, ap);
	s->hooks->say(s, line, how);
}

int complain(struct session *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(s, SAY_LINE, fmt, ap);
	va_end(ap);
	s->status = 1;
	return -1;
}

int complain_named(struct session *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(s, SAY_NAMED, fmt, ap);
	va_end(ap);
	return -1;
}

bool prompt(struct session *s, const char *question)
{
	return s->immediate || !s->hooks->ask || s->hooks->ask(s, question);
}

int require_set(struct session *s, const struct request *r)
{
	if (r->set_given)
		return 0;
	return complain(s, " You didn't give me anything to set");
}

int require_names(struct session *s, const struct request *r, const char *what)
{
	if (r->names.n && !strv_has(&r->names, ""))
		return 0;
	return complain(s, " Need name of %s to add.", what);
}

int refuse_all(struct session *s)
{
	return complain(s, " No conditions given to remove, not executing.");
}

int complain_err(struct session *s)
{
	bool plain = *s->err.text == ' ';

	s->hooks->say(s, s->err.text, plain ? SAY_LINE : SAY_NAMED);
	s->status = 1;
	return -1;
}

int complain_request(struct session *s, const char *text)
{
	return complain(s, " Error with request: %s", text);
}

int complain_denied(struct session *s)
{
	complain_named(s, "Your user doesn't have privilege to perform this action");
	return complain_request(s, "Access/permission denied");
}

enum plan_result plan_failed(struct session *s)
{
	complain_err(s);
	return PLAN_FAILED;
}

enum plan_result plan_nothing(
	struct session *s, enum verb verb, enum effect_on on)
{
	effect_named(s, verb, EFFECT_NOTHING, on, NULL);
	return PLAN_FAILED;
}

enum plan_result plan_not_added(
	struct session *s, const char *what, const char *why)
{
	complain(s, " Problem adding %s: %s", what, why);
	return PLAN_FAILED;
}

enum plan_result plan_denied(struct session *s)
{
	complain_denied(s);
	return PLAN_FAILED;
}

int check_where(struct session *s, const struct conds *where,
	const struct strv *names, bool records, bool rows)
{
	if (!(records && where->assoc_given && !where->record_given) &&
		!(rows && where->record_given && !where->assoc_given &&
			!names->n))
		return 0;
	return complain(s, " There was a problem with your 'where' options.");
}

bool confirm_all(struct session *s, enum value_source kind)
{
	if (s->hints && s->hints->all)
		s->hints->all(s, kind);
	if (prompt(s, "You didn't set any conditions with 'WHERE'.\n"
		      "Are you sure you want to continue?"))
		return true;
	effect(s, (struct effect){.kind = EFFECT_ABORTED});
	return false;
}

bool assoc_conds_unwanted(struct session *s, const struct conds *where)
{
	if (where->with_assoc || !where->assoc_given ||
		prompt(s, "You requested options that are only valid when "
			  "querying with the withassoc option.\n"
			  "Are you sure you want to continue?"))
		return false;
	effect(s, (struct effect){.kind = EFFECT_ABORTED});
	return true;
}

void effect(struct session *s, struct effect e)
{
	if (s->silent)
		return;
	if (s->planning)
		*ARENA_PUSH(&s->arena, s->effects.v, s->effects.n,
			s->effects.cap) = e;
	else if (s->hooks->tell)
		s->hooks->tell(s, &e);
}

void effect_named(struct session *s, enum verb verb, enum effect_kind kind,
	enum effect_on on, const char *name)
{
	effect(s, (struct effect){verb, kind, on, .name = name});
}

void effect_assoc(struct session *s, enum verb verb, enum effect_kind kind,
	enum effect_on of, const struct assoc *assoc)
{
	effect(s, (struct effect){verb, kind, ON_ASSOC, of, .assoc = assoc});
}

int effect_new_assoc(
	struct session *s, enum effect_on of, const struct assoc_new *new)
{
	struct assoc *row;

	if (s->silent)
		return 0;
	row = arena_alloc(&s->arena, sizeof(*row));
	assoc_init(row);
	row->cluster = new->cluster_name;
	row->account = new->account;
	row->user = new->user;
	row->partition = new->partition;
	effect_assoc(s, VERB_ADD, EFFECT_DONE, of, row);
	return 0;
}

const char *names_where(struct session *s, const struct strv *names)
{
	return arena_printf(&s->arena, "(name='%s')",
		strv_join(names, "' || name='", &s->arena));
}

void outcome_free(struct outcome *o)
{
	store_changeset_free(o->changes);
}

int change_try(struct session *s, const struct change *change,
	bool keep_changes, struct outcome *o)
{
	*o = (struct outcome){.result = PLAN_FAILED};
	if (store_begin(s->store))
		return -1;
	lease_until(s->store, s->until);
	s->effects = (struct effects){0};
	s->planning = true;
	s->level = 0;
	o->result = change->plan(s, change->arg);
	if (o->result == PLAN_CHANGED && s->until)
		effect(s, (struct effect){.kind = EFFECT_UNTIL});
	s->planning = false;
	o->effects = s->effects;
	if (o->result == PLAN_CHANGED && keep_changes &&
		store_changeset(s->store, &o->changes, &o->size)) {
		complain_err(s);
		o->result = PLAN_FAILED;
	}
	return 0;
}

int change_run(struct session *s,
	enum plan_result (*plan)(struct session *, void *), void *arg)
{
	const struct change change = {plan, arg};

	return s->hooks->run(s, &change);
}

int delete_records(struct session *s, struct request *r,
	enum plan_result (*plan)(struct session *, void *request))
{
	if (!r->where.record_given)
		return refuse_all(s);
	return r->failed ? -1 : change_run(s, plan, r);
}

struct change_series {
	const struct change *v;
	size_t n;
};

static enum plan_result plan_series(struct session *s, void *arg)
{
	const struct change_series *series = arg;
	enum plan_result all = PLAN_UNCHANGED;

	for (size_t i = 0; i < series->n; i++) {
		enum plan_result one =
			series->v[i].plan(s, series->v[i].arg);

		if (one == PLAN_CHANGED)
			all = one;
		else if (one == PLAN_UNCHANGED)
			s->status = 1;
		if (one >= PLAN_UNCHANGED)
			continue;
		if (all == PLAN_CHANGED)
			effect(s, (struct effect){.kind = EFFECT_DISCARDED});
		return PLAN_FAILED;
	}
	return all;
}

int changes_run(struct session *s, const struct change *changes, size_t n)
{
	struct change_series series = {changes, n};

	if (s->immediate)
		return change_run(s, plan_series, &series);
	for (size_t i = 0; i < n; i++)
		if (change_run(s, changes[i].plan, changes[i].arg))
			return -1;
	return 0;
}

/* ---- by words ------------------------------------------------------------*/

/* In the order in which abbreviations are tried. */
static const struct changeable *const changeables[] = {
	&account_changes,
	&cluster_changes,
	&coordinator_changes,
	&federation_changes,
	&job_changes,
	&qos_changes,
	&resource_changes,
	&user_changes,
};

enum { CHANGEABLES = sizeof(changeables) / sizeof(*changeables) };

const struct vocabulary *change_vocabulary(
	const struct changeable *entity, enum verb verb)
{
	return verb == VERB_ADD && entity->add_words ? entity->add_words
						     : entity->words;
}

int change_entity(struct session *s, const struct changeable *entity,
	enum verb verb, char **words, int n)
{
	const struct vocabulary *v = change_vocabulary(entity, verb);
	/* Coordinators have nothing to set: who and where are conditions. */
	bool sets = verb == VERB_ADD && v->set[0];
	struct request r;

	parse_words(s, v, sets ? PARSE_SET : PARSE_WHERE, verb == VERB_MODIFY,
		words, n, &r);
	return entity->run[verb](s, &r);
}

int change_words(
	struct session *s, enum verb verb, char **words, int n)
{
	for (size_t i = 0; n && i < CHANGEABLES; i++) {
		const char *names = changeables[i]->names[verb];

		if (names && words_match(names, words[0], strlen(words[0])))
			return change_entity(s, changeables[i], verb, words + 1,
				n - 1);
	}
	return complain(s, "nothing that can be changed is called \"%s\"",
		n ? words[0] : "");
}
