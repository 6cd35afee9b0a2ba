#include "db/roster/near.h"

#include <string.h>
#include <strings.h>

#include "common/base/nearest.h"
#include "common/table/preemptmode.h"

static const char *perhaps(struct session *s, const struct nearest *nearest)
{
	const char *found = nearest_found(nearest);

	return found && strcasecmp(found, nearest->typed) != 0
		? arena_printf(&s->arena, "; perhaps %s was meant", found)
		: "";
}

const char *near_word(struct session *s, const char *word, const char *list)
{
	struct nearest nearest;

	nearest_init(&nearest, word, strlen(word));
	nearest_list(&nearest, list);
	return perhaps(s, &nearest);
}

/* The names that a file of that format has for the properties. */
static void try_keys(
	bool flat, enum roster_kind kind, struct nearest *nearest)
{
	const struct properties *properties = roster_properties(kind);

	for (size_t i = 0; i < properties->n; i++) {
		const struct property *f = &properties->v[i];
		const char *name = flat && f->member ? set_dump(f->member->set)
						     : f->name;

		if (f->type !=
			PROPERTY_PARENT) /* no key: where a record stands */
			nearest_try(nearest, name, strlen(name));
	}
}

const char *near_key(struct roster_reading *r, enum roster_kind kind,
	const char *key, const char *list)
{
	struct nearest nearest;

	nearest_init(&nearest, key, strlen(key));
	nearest_list(&nearest, list);
	try_keys(r->flat, kind, &nearest);
	if (r->flat && kind == ROSTER_ROW) /* the line is also the user's */
		try_keys(r->flat, ROSTER_USER, &nearest);
	return perhaps(r->s, &nearest);
}

/* The first word of the value that is none of the list. */
const char *near_value(struct session *s, const struct member *m,
	const struct qos_catalog *qos, const char *typed)
{
	const enum attr_type type = m->set->type;
	const char *list = type == ATTR_QOS || type == ATTR_QOS_LIST
		? qos_all_names(qos, &s->arena)
		: type == ATTR_FLAGS ? flags_all(m->set->flags, &s->arena)
		: type == ATTR_PREEMPT_MODE
		? flags_all(preempt_mode_words, &s->arena)
		: "";
	struct strv words = {0}, known = {0};

	strv_words(&words, &s->arena, str_unquote(&s->arena, typed));
	strv_words(&known, &s->arena, list);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.v[i] + strspn(words.v[i], "+-");

		if (!strv_has_nocase(&known, word))
			return near_word(s, word, list);
	}
	return "";
}

const char *near_account(
	struct session *s, const char *name, const struct roster *roster)
{
	const struct entry_list *all = &roster->of[ROSTER_ACCOUNT];
	struct nearest nearest;

	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < all->n; i++)
		nearest_try(
			&nearest, all->v[i]->name, strlen(all->v[i]->name));
	return perhaps(s, &nearest);
}

const char *near_cluster(struct session *s, const char *name)
{
	struct nearest nearest;

	nearest_init(&nearest, name, strlen(name));
	return store_nearest(s->store, FROM_CLUSTERS, &nearest)
		? ""
		: perhaps(s, &nearest);
}
