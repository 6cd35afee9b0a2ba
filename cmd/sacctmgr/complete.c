#include "cmd/sacctmgr/complete.h"

#include <string.h>

#include "cmd/sacctmgr/help.h"
#include "common/base/words.h"
#include "db/check/check.h"

/* ---- words of an entity --------------------------------------------------*/

/* A command about an entity. */
struct typed_command {
	struct completion *c;
	const struct entity *entity;
	enum verb verb;
	const struct vocabulary *v;
};

static void offer_field(const struct member *field, void *c)
{
	offer_word(c, field->names, "", field->help);
}

static void offer_setting_value(
	struct completion *c, const struct member_set *set, bool setting)
{
	static const enum value_source by_type[ATTR_NUMBER64 + 1] = {
		[ATTR_QOS] = FROM_QOS,
		[ATTR_QOS_LIST] = FROM_QOS,
		[ATTR_TRES] = FROM_TRES,
		[ATTR_SHARES] = FROM_SHARES,
	};

	if (set->flags)
		offer_list(c, flags_all(set->flags, c->arena));
	else if (setting && !set->tres)
		offer_from(c, set->source ? set->source : by_type[set->type]);
}

/* Flags=, PreemptMode= of a condition have the words of the setting. */
static void offer_value(const struct typed_command *command,
	const struct word *word, bool setting)
{
	const struct add_word *name = command->verb == VERB_ADD
		? add_word_find(command->v, word)
		: NULL;
	const struct where_word *where =
		setting ? NULL : where_find(command->v, word);
	enum value_source source = where  ? where->source
				   : name ? name->source
					  : FROM_NOTHING;
	const struct members *table;
	const struct member *set;

	completion_value(command->c, word->value);
	if (source == FROM_COLUMNS) {
		entity_fields(command->entity, offer_field, command->c);
	} else if (source) {
		offer_from(command->c, source);
	} else if (setting || where) {
		set = set_find(command->v, word, command->verb == VERB_ADD,
			&table);
		if (set)
			offer_setting_value(command->c, set->set, setting);
	}
}

static void offer_conditions(const struct typed_command *command)
{
	for (size_t i = 0; command->v->where[i]; i++)
		for (const struct where_word *row = command->v->where[i];
			row->names; row++) {
			bool bare = row->kind == WHERE_SWITCH;

			if (command->verb == VERB_SHOW ||
				(!bare && row->kind != WHERE_FORMAT))
				offer_word(command->c, row->names,
					bare ? "" : "=", row->help);
		}
}

/* Also one with its operator half typed: `qoslevel+`. */
static void offer_setting(struct completion *c, const struct member *m)
{
	size_t n = strlen(c->typed);
	char last = n ? c->typed[n - 1] : '\0';
	const struct member_set *set = m->set;

	if (set->operators && (last == '+' || last == '-') &&
		words_match(set->words, c->typed, n - 1))
		offer_list(c, arena_printf(c->arena, "%s=", c->typed));
	else
		offer_word(c, set->words, "=", setting_help(m));
}

static void offer_settings(const struct typed_command *command)
{
	const struct vocabulary *v = command->v;
	bool add = command->verb == VERB_ADD;

	for (const struct add_word *row = add ? v->name_words : NULL;
		row && row->names; row++)
		offer_word(command->c, row->names, "=", NULL);
	for (size_t i = 0; i < 4 && v->set[i]; i++)
		for (size_t j = 0; j < v->set[i]->n; j++) {
			const struct member *m = &v->set[i]->v[j];

			if (m->set && !(add && m->set->only_modify))
				offer_setting(command->c, m);
		}
	if (!takes_until(v, command->verb == VERB_MODIFY))
		return;
	offer_word(command->c, UNTIL_WORDS, "=", "when what was before returns");
	offer_word(command->c, FOR_WORDS, "=", "how long it holds");
}

static bool is_word(const char *names, const char *word)
{
	return words_match(names, word, strlen(word));
}

/* Where the last word stands: in a condition, or behind `set`. */
static bool is_setting(const struct typed_command *command, char **words, int n)
{
	bool setting = command->verb == VERB_ADD &&
		       (command->v->set[0] || command->v->name_words);

	for (int i = 0; command->verb == VERB_MODIFY && i + 1 < n; i++)
		if (is_word("set:3", words[i]))
			setting = true;
		else if (is_word("where:5", words[i]))
			setting = false;
	return setting;
}

/* The words behind the entity. */
static void complete_entity(
	const struct typed_command *command, char **words, int n)
{
	struct word word = word_split(command->c->typed);
	bool setting = is_setting(command, words, n);

	if (word.op != OP_NONE) {
		offer_value(command, &word, setting);
		return;
	}
	if (command->verb != VERB_ADD)
		offer_list(command->c,
			command->verb == VERB_MODIFY ? "where set" : "where");
	if (setting) {
		offer_settings(command);
		return;
	}
	offer_conditions(command);
	offer_from(command->c, where_bare(
		entity_words(command->entity, VERB_SHOW)));
}

/* ---- words of the other verbs --------------------------------------------*/

enum place { FIRST = 1, LATER = 2, ANYWHERE = 3 };

/* clang-format off */
static const struct {
	enum after after;
	enum place place;
	const char *names, *suffix;
	enum value_source source; /* of its values */
	const char *values;
} verb_words[] = {
	{AFTER_DUMP, ANYWHERE, "cluster:1", "=", FROM_CLUSTERS, ""},
	{AFTER_DUMP, ANYWHERE, "file:1", "=", FROM_NOTHING, ""},
	{AFTER_DUMP, ANYWHERE, "format:2", "=", FROM_NOTHING, "yaml json flat"},
	{AFTER_LOAD, LATER, "cluster:3", "=", FROM_CLUSTERS, ""},
	{AFTER_LOAD, LATER, "clean:3", "", FROM_NOTHING, "account user qos"},
	{AFTER_REBUILD, FIRST, "usage", "", FROM_NOTHING, ""},
	{AFTER_REBUILD, FIRST, "rollups", "", FROM_NOTHING, ""},
	{AFTER_REBUILD, LATER, "cluster:1 clusters:1", "=", FROM_CLUSTERS, ""},
	{AFTER_UNDO, ANYWHERE, "last", "", FROM_NOTHING, ""},
	{AFTER_UNDO, ANYWHERE, "since", "=", FROM_NOTHING, ""},
	{AFTER_UNDO, ANYWHERE, "actor", "=", FROM_USERS, ""},
	{AFTER_DIFF, FIRST, "directory", "", FROM_NOTHING, ""},
	{AFTER_DIFF, LATER, "prune", "", FROM_NOTHING, ""},
	{AFTER_APPLY, FIRST, "directory", "", FROM_NOTHING, ""},
	{AFTER_APPLY, LATER, "prune", "", FROM_NOTHING, ""},
	{AFTER_APPLY, LATER, "max-delete", "=", FROM_NOTHING, ""},
};
/* clang-format on */

static void complete_verb(struct completion *c, enum after after, enum place at)
{
	struct word word = word_split(c->typed);

	if (word.op != OP_NONE)
		completion_value(c, word.value);
	for (size_t i = 0; i < sizeof(verb_words) / sizeof(*verb_words); i++) {
		if (verb_words[i].after != after)
			continue;
		if (word.op == OP_NONE && verb_words[i].place & at)
			offer_word(c, verb_words[i].names, verb_words[i].suffix,
				NULL);
		if (word.op == OP_NONE || !words_match(verb_words[i].names,
						  word.text, word.name_len))
			continue;
		offer_list(c, verb_words[i].values);
		offer_from(c, verb_words[i].source);
	}
	if (after == AFTER_DUMP && word.op == OP_NONE)
		offer_from(c, FROM_CLUSTERS);
	for (size_t i = 0; after == AFTER_CHECK && i < n_checks; i++)
		offer_word(c, checks[i].name, "", NULL);
}

/* ---- verbs, entities -----------------------------------------------------*/

/* The name in the singular when that fits, else as the verb calls it. */
static void offer_entities(struct completion *c, enum verb verb)
{
	for (size_t i = 0; sacctmgr_entities[i]; i++) {
		const struct entity *entity = sacctmgr_entities[i];
		char name[64];
		size_t before = c->n;

		if (!entity_names(entity, verb))
			continue;
		offer_word(c, entity_name(entity, name, sizeof(name)), "",
			entity->help);
		if (c->n == before)
			offer_word(c, entity_names(entity, verb), "",
				entity->help);
	}
}

static void offer_verbs(struct completion *c)
{
	for (const struct verb_word *verb = sacctmgr_verbs; verb->names; verb++)
		offer_word(c, verb->names, "", verb->help);
}

void sacctmgr_complete(struct completion *c, char **words, int n)
{
	const struct verb_word *verb = find_verb(words[0]);
	const struct entity *entity;

	if (n == 1) {
		offer_verbs(c);
	} else if (verb && verb->after == AFTER_HELP) {
		for (int i = 0; n == 2 && i < VERBS; i++)
			offer_entities(c, (enum verb)i);
	} else if (verb && verb->after != AFTER_ENTITY) {
		complete_verb(c, verb->after, n == 2 ? FIRST : LATER);
	} else if (verb && n == 2) {
		offer_entities(c, verb->verb);
	} else if (verb && (entity = find_entity(verb->verb, words[1]))) {
		complete_entity(&(struct typed_command){c, entity, verb->verb,
					entity_words(entity, verb->verb)},
			words + 2, n - 2);
	}
}
